"""Tables of a SQL/PGQ statement while it is built: they are asked for columns, and pass the question on.

An element variable is no value in SQL: what a query needs of it (a property, its identity, its type) is a column of the
GRAPH_TABLE that matched it.  Which ones is known only when the whole query has been read, so every table of the
statement grows a column when somebody above asks for it.  Knows no clause of Cypher.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from graphir import ir
from graphir.backends.gql.expressions import FALSE
from graphir.backends.gql.features import Report
from graphir.backends.gql.patterns import conjunction
from graphir.backends.gql.values import Kind, Value
from graphir.backends.sqlpgq.expansion import Absent, GraphTable, written_out
from graphir.backends.sqlpgq.graph import Graph, is_given
from graphir.backends.sqlpgq.targets import Target
from graphir.frozen import frozen
from graphir.ir.names import MARK
from graphir.ir.node import replace, structure


@structure
class Select(ir.Node):
    """`SELECT items FROM source WHERE .. GROUP BY .. ORDER BY .. LIMIT .. OFFSET ..`"""

    items: tuple[ir.Item, ...]
    source: ir.Node | None
    where: ir.Expression | None = None
    distinct: bool = False
    group_by: tuple[ir.Expression, ...] = ()
    order: tuple[ir.SortKey, ...] = ()
    skip: ir.Expression | None = None
    limit: ir.Expression | None = None


@structure
class Stacked(ir.Node):
    """The rows of several tables with the same columns: `(SELECT * FROM table UNION ALL SELECT * FROM table ..)`"""

    tables: tuple[GraphTable, ...]


@structure
class Joined(ir.Node):
    """`left kind JOIN right ON condition`"""

    left: ir.Node
    kind: str
    right: ir.Node
    condition: ir.Expression | None


@structure
class Unnest(ir.Node):
    """`UNNEST(source) AS variable`"""

    source: ir.Expression
    variable: str


@structure
class Union(ir.Node):
    """`select UNION ALL | DISTINCT select ..`"""

    selects: tuple[Select, ...]
    distinct: bool


@structure
class Nested(ir.Expression):
    """A subquery in an expression: EXISTS (select), or the value that it gives."""

    kind: str
    select: Select


def is_empty(table: ir.Node) -> bool:
    """Whether a table has no rows for certain.

    Hyper takes the count of such a table for a group by constants over another one, which then has a row.
    """
    while isinstance(table, Joined) and table.kind != "LEFT":
        if is_empty_pattern(table.right):
            return True
        table = table.left
    return is_empty_pattern(table)


def is_empty_pattern(table: ir.Node) -> bool:
    """Whether it is a GRAPH_TABLE whose pattern matches nothing."""
    return isinstance(table, GraphTable) and table.match.where == FALSE


ONE = ir.Item(ir.Literal(1), MARK + "one")
"""The column of a table of which no column is wanted."""

Expressions = dict[ir.Expression, str]


class Columns:
    """The names of columns that the compiler makes: readable, and each given once in a statement."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def name(self, expression: ir.Expression, wanted: str | None = None) -> str:
        """A name for the column of an expression: the one that is wanted, if it is free."""
        if wanted is not None and wanted not in self.taken:
            self.taken.add(wanted)
            return wanted
        return free(MARK + _hint(expression), self.taken)


def free(wanted: str, taken: set[str]) -> str:
    """The name, with a number where it is taken.  Takes it."""
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    taken.add(name)
    return name


def _hint(expression: ir.Expression) -> str:
    """What a column should be called."""
    if isinstance(expression, ir.Property) and isinstance(expression.base, ir.Ref):
        variable = expression.base.name.removeprefix(MARK)
    else:
        variable = next((part.name for part in ir.find(expression, ir.Ref)), "").removeprefix(MARK)
    if isinstance(expression, ir.Ref):
        return variable
    if isinstance(expression, ir.Property):
        return variable + expression.key if is_given(expression.key) else f"{variable}_{expression.key}"
    if isinstance(expression, ir.Call):
        return f"{variable}_{_SUFFIXES[expression.name[0]]}"
    return f"{variable}_type" if isinstance(expression, ir.Index) else f"{variable}_is"


_SUFFIXES = {"ELEMENT_ID": "id", "ARRAY_LENGTH": "size", "PATH_LENGTH": "length", "EDGES": "ids", "PATH": "ids"}


@frozen
class Setting:
    """What a statement is built for: the dialect, where refusals go, the graph.

    `entities`: elements, lists of edges and paths may be results, as the identities of what is in them.
    `expanded`: an element that is a result is its identity, with its properties in columns behind it.
    """

    target: Target
    report: Report
    graph: Graph
    entities: bool = False
    expanded: bool = False


class Table(ABC):
    """Something that FROM takes."""

    @abstractmethod
    def column(self, expression: ir.Expression, wanted: str | None = None) -> str:
        """The column that holds an expression of one variable: a value by its name, or a question to an element."""

    @abstractmethod
    def node(self) -> ir.Node:
        """The finished table, once nobody will ask for columns any more."""


def variable_of(expression: ir.Expression) -> str:
    """The variable that an expression asks."""
    return next(part.name for part in ir.find(expression, ir.Ref))


class Matched(Table):
    """A GRAPH_TABLE: its variables are elements and paths."""

    def __init__(self, columns: Columns, setting: Setting) -> None:
        self.columns = columns
        self.setting = setting
        self.paths: list[ir.Path] = []
        self.conditions: list[ir.Expression] = []
        self.variables: set[str] = set()
        self.held: Expressions = {}

    def column(self, expression: ir.Expression, wanted: str | None = None) -> str:
        found = self.held.get(expression)
        if found is None:
            found = self.held[expression] = self.columns.name(expression, wanted)
        return found

    def node(self) -> ir.Node:
        columns = tuple([ir.Item(expression, name) for expression, name in self.held.items()]) or (ONE,)
        match = ir.Match(tuple(self.paths), conjunction(self.conditions))
        tables = written_out(match, columns, self.setting.graph, self.setting.report)
        return tables[0] if len(tables) == 1 else Stacked(tables)


class Unnested(Table):
    """The items of a list, as one column."""

    def __init__(self, source: ir.Expression, variable: str) -> None:
        self.source = source
        self.variable = variable

    def column(self, expression: ir.Expression, wanted: str | None = None) -> str:
        assert expression == ir.Ref(self.variable)
        return self.variable

    def node(self) -> ir.Node:
        return Unnest(self.source, self.variable)


class Join(Table):
    """Two tables side by side.  What both have is asked from the left one; the right one may be absent."""

    def __init__(self, left: Table, right: Table, own: Iterable[str], *, optional: bool = False) -> None:
        self.left = left
        self.right = right
        self.own = set(own)
        self.optional = optional
        self.conditions: list[ir.Expression] = []

    def column(self, expression: ir.Expression, wanted: str | None = None) -> str:
        side = self.right if variable_of(expression) in self.own else self.left
        return side.column(expression, wanted)

    def node(self) -> ir.Node:
        condition = conjunction(self.conditions)
        if self.optional:
            return Joined(self.left.node(), "LEFT", self.right.node(), condition or ir.Literal(True))
        return Joined(self.left.node(), "CROSS" if condition is None else "INNER", self.right.node(), condition)


class Selected(Table):
    """A subquery: `values` are its columns with a value, `elements` its variables and what they are called inside."""

    def __init__(
        self,
        select: Select,
        table: Table | None,
        elements: Mapping[str, str],
        columns: Columns,
        *,
        grouped: bool = False,
        renaming: bool = False,
    ) -> None:
        self.select = select
        self.order = select.order
        self.grouped = grouped
        self.renaming = renaming
        self.table = table
        self.elements = elements
        self.columns = columns
        self.items = list(select.items)
        self.keys = list(select.group_by)
        self.held: Expressions = {ir.Ref(item.name or ""): item.name or "" for item in select.items}

    def column(self, expression: ir.Expression, wanted: str | None = None) -> str:
        found = self.held.get(expression)
        if found is None:
            assert self.table is not None
            outer = variable_of(expression)
            inner = ir.Ref(self.elements[outer])
            variable = ir.Ref(outer)
            asked = ir.rewrite(expression, lambda part: inner if part == variable else part, ir.Ref)
            source = self.table.column(asked, wanted)
            fresh = source not in [item.name for item in self.items] and not self.renaming
            name = source if fresh else self.columns.name(expression, wanted)
            self.items.append(ir.Item(ir.Ref(source), name))
            found = self.held[expression] = name
            if self.grouped:
                self.keys.append(ir.Ref(name))
        return found

    def node(self) -> ir.Node:
        items = tuple(self.items) or (ONE,)
        source = None if self.table is None else self.table.node()
        return replace(self.select, items=items, source=source, group_by=tuple(self.keys), order=self.order)


class Branches(Table):
    """The rows of several subqueries, one below the other; `known` is what each knows of its columns.

    A column that is asked for is one of each, at the same place.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        known: Sequence[Mapping[str, Value]],
        setting: Setting,
        columns: Columns,
        *,
        distinct: bool,
    ) -> None:
        self.tables = tables
        self.known = known
        self.setting = setting
        self.columns = columns
        self.distinct = distinct
        self.held: Expressions = {}
        self.parts: list[list[ir.Expression]] = [[] for _ in tables]

    def column(self, expression: ir.Expression, wanted: str | None = None) -> str:
        found = self.held.get(expression)
        if found is None:
            found = self.held[expression] = self.columns.name(expression, wanted)
            kinds = [self.kind(expression, known) for known in self.known]
            kind = next((each for each in kinds if each is not Kind.NULL), Kind.NULL)
            for table, own, parts in zip(self.tables, kinds, self.parts, strict=True):
                is_absent = own is Kind.NULL and kind is not Kind.NULL
                parts.append(Absent(kind.name) if is_absent else ir.Ref(table.column(expression)))
        return found

    def kind(self, expression: ir.Expression, known: Mapping[str, Value]) -> Kind:
        """The kind of what is asked of a branch; null, where no element of it can have the property."""
        match expression:
            case ir.Ref(name):
                return known[name].kind
            case ir.Property(ir.Ref(name), key) if not is_given(key):
                graph, element = self.setting.graph, known[name]
                every = graph.nodes if element.kind is Kind.NODE else graph.edges
                found = graph.exposed(key, every if element.tables is None else element.tables)
                return (found[0].kind or Kind.ANY) if found else Kind.NULL
        return Kind.ANY

    def node(self) -> ir.Node:
        selects = [
            Select(tuple(map(ir.Item, parts, self.held.values())) or (ONE,), table.node())
            for table, parts in zip(self.tables, self.parts, strict=True)
        ]
        return Union(tuple(selects), self.distinct)
