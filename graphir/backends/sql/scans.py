"""Reading nodes and edges: tables that can match, side by side, as one source with the columns that are needed.

Also what reads an element that stands in no scan, by its id.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Self, TypeVar

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, origins
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Column, EdgeTable, Key, NodeTable
from graphir.backends.sql.conversions import convert, encoded, null_term
from graphir.backends.sql.lowering import Assumed, Lowering
from graphir.backends.sql.reps import DYNAMIC, EDGE, NODE, NULL, STRING, datatype, list_of, map_of, unify
from graphir.backends.sql.terms import END, LABELS, START, TYPE, Term
from graphir.frozen import frozen
from graphir.ir.names import MARK, is_generated

PROPERTIES = MARK + "properties"
"""All properties of an element, as one map: a key of `Term.properties`."""
TABLE = MARK + "table"
DECLARED = MARK + "declared"
"""The name of the definition of an element, and the properties that it declares."""
OWNER = MARK + "owner"
"""The name of the table of an element."""

Table = NodeTable | EdgeTable
T = TypeVar("T", NodeTable, EdgeTable)
Names = frozenset[str] | None
Way = tuple[EdgeTable, bool]
"""A table of edges as it is walked: backwards, or not."""
TEXTS = list_of(STRING)


@frozen
class End:
    """A node that the rows of a source have: its `key` in the columns of `alias`.

    `role` and `element`: which of the nodes of a scan it is, and the element of the graph that its table is; empty for
    other sources.
    """

    alias: str
    key: Key
    role: str = ""
    element: str | None = None

    def __deepcopy__(self, _: object) -> Self:
        return self

    @property
    def sql(self) -> Sql:
        """What tells the node apart."""
        return identity(self.key, self.alias)


def end_of(column: str, alias: str) -> End:
    """A node that is a column of a source."""
    return End(alias, Key((Column(column, NODE),)))


@frozen
class Scan:
    """A source for FROM and the element it binds; `ends` are those of an edge as it is walked, `conditions` say which
    rows are meant."""

    source: Sql
    element: Term
    ends: tuple[End, End] | None = None
    conditions: tuple[Sql, ...] = ()

    @property
    def around(self) -> tuple[Sql, Sql]:
        """What tells the nodes at the ends of an edge apart."""
        assert self.ends is not None
        return self.ends[0].sql, self.ends[1].sql


@frozen
class Scanned:
    """What a source in FROM stands for: the rows of a table, as the elements that a variable of the query is, and the
    variables of the nodes at their ends.  Names are None where the query has none.

    `undirected`: each edge comes once in either direction, a loop once; its ends are then the columns of `walked`.
    `others`: tables whose rows are meant, too, and are read as those of the first.  `origin`: the variable, also where
    its name is made up.
    """

    table: Table
    variable: str | None = None
    source: str | None = None
    target: str | None = None
    undirected: bool = False
    others: tuple[Table, ...] = ()
    origin: str | None = None

    def __deepcopy__(self, _: object) -> Self:
        return self


NODE_ITSELF, SOURCE, TARGET = "node", "source", "target"
"""The nodes that a row has."""


def keys_of(scanned: Scanned) -> list[tuple[str, Key]]:
    """The nodes that a row of a table has, and what they are known by there."""
    table = scanned.table
    if isinstance(table, NodeTable):
        return [(NODE_ITSELF, table.key)]
    source, target = walked(table) if scanned.undirected else (table.source, table.target)
    return [(SOURCE, source), (TARGET, target)]


def walked(table: EdgeTable) -> tuple[Key, Key]:
    """The ends of an edge as it is walked, where its direction is open: columns that no table has."""
    return _renamed(table.source, "left"), _renamed(table.target, "right")


def _renamed(key: Key, side: str) -> Key:
    return replace(key, columns=tuple([replace(each, name=f"{MARK}{side} {each.name}") for each in key.columns]))


@frozen
class United:
    """What a derived table stands for: the rows of parts, a query for each, one below the other."""

    parts: tuple[Part, ...] = ()

    def __deepcopy__(self, _: object) -> Self:
        return self


def source_of(table: Table, alias: str | None = None, *variables: str | None, origin: str | None = None) -> Sql:
    """A table in FROM, for its elements under a variable and the nodes at their ends; `origin`: the variable of those
    that have none there."""
    named = [None if each is None or is_generated(each) else each for each in variables]
    variable, source, target = (*named, None, None, None)[:3]
    origin = variables[0] if variables else origin
    return build.standing(build.table(table.name, alias), Scanned(table, variable, source, target, origin=origin))


# ------------------------------------------------------------------ which tables


def carries(labels: ir.LabelExpression | None, carried: Collection[str]) -> bool | None:
    """Whether an element with these labels (or this type) satisfies a label expression; None: known at run time."""
    match labels:
        case None:
            return True
        case ir.LabelName(name):
            return name in carried
        case ir.LabelAny():
            return bool(carried)
        case ir.LabelNot(operand):
            found = carries(operand, carried)
            return None if found is None else not found
        case ir.LabelAnd(operands) | ir.LabelOr(operands):
            decisive = isinstance(labels, ir.LabelOr)
            results = [carries(operand, carried) for operand in operands]
            if decisive in results:
                return decisive
            return None if None in results else not decisive
        case _:
            return None


def node_tables(lowering: Lowering, labels: ir.LabelExpression | None) -> list[NodeTable]:
    """The tables whose nodes satisfy the labels."""
    catalog = lowering.catalog
    if not catalog.labels:
        _require_listed(lowering, labels, catalog.nodes_with, "label")
    return _satisfying(lowering, labels, catalog.nodes, catalog.nodes_with)


def edge_tables(lowering: Lowering, types: ir.LabelExpression | None) -> list[EdgeTable]:
    """The tables whose edges satisfy the types."""
    catalog = lowering.catalog
    if not catalog.types:
        _require_listed(lowering, types, catalog.edges_with, "type")
    found = _satisfying(lowering, types, catalog.edges, catalog.edges_with)
    _require_apart(lowering, found)
    if types is not None and not isinstance(types, ir.LabelName):
        for each in ir.find(types, ir.LabelName):
            _require_apart(lowering, catalog.edges_with(each.name))
    return found


def _require_apart(lowering: Lowering, tables: Sequence[EdgeTable]) -> None:
    """Raises Unsupported (G567) where edges of these tables are in another that the statement reads, too, under another
    label: it would take them for others."""
    for table in tables:
        for part in () if table.element is None else table.element.parts:
            other = lowering.parts.setdefault(part, table)
            if other is not table:
                told = f"{part} has the labels {other.type} and {table.type}, of which another table has one alone"
                lowering.refuse("G567", f"{told}, so edges with either of them are not told apart")


def _satisfying(
    lowering: Lowering, labels: ir.LabelExpression | None, every: Sequence[T], carrying: Callable[[str], Sequence[T]]
) -> list[T]:
    if isinstance(labels, ir.LabelName):
        return list(carrying(labels.name))
    return [table for table in every if _decided(lowering, labels, carries(labels, table.carried))]


def _require_listed(
    lowering: Lowering, labels: ir.LabelExpression | None, listed: Callable[[str], Sequence[Table]], kind: str
) -> None:
    """Raises Unsupported (G562) for a label that no table has, where there may be such elements all the same."""
    for part in () if labels is None else ir.find(labels, ir.LabelName):
        if not listed(part.name):
            lowering.refuse("G562", f"the schema does not list every {kind}, and no table has `{part.name}`", labels)


def ways_of(tables: Sequence[EdgeTable], direction: str) -> list[Way]:
    """The ways in which edges of tables are walked: out, in, or any."""
    if direction != "any":
        return [(table, direction == "in") for table in tables]
    return [(table, backwards) for backwards in (False, True) for table in tables]


def ends_of(lowering: Lowering, ways: Sequence[Way]) -> tuple[Names, Names]:
    """The node tables that can stand left and right of edges; None: any."""
    left: set[str] = set()
    right: set[str] = set()
    for table, backwards in ways:
        found = lowering.catalog.ends(table)
        if found is None:
            return None, None
        left |= found[backwards]
        right |= found[not backwards]
    return frozenset(left), frozenset(right)


def _decided(lowering: Lowering, labels: ir.LabelExpression | None, found: bool | None) -> bool:
    if found is None:
        lowering.refuse("G602", "labels that are computed at run time are not supported here", labels)
    return found


# ------------------------------------------------------------------ columns of a table


def identity(key: Key, known_as: str | None = None) -> Sql:
    """What tells the elements of a table apart."""
    if key.tag is None:
        return build.column(key.columns[0].name, known_as)
    columns = [build.column(column.name, known_as) for column in key.columns]
    return build.identity(key.tag, columns, tuple([column.rep for column in key.columns]))


def _extra(lowering: Lowering, table: Table, key: str, known_as: str) -> Term | None:
    """What a table has beside its properties."""
    if key == LABELS:
        return _texts(table.carried)
    if key in (TABLE, DECLARED):
        return _defined(lowering, table, key)
    if key == OWNER:
        return Term(build.text(owner_of(table)), STRING, owner_of(table))
    if key == TYPE and isinstance(table, EdgeTable):
        if table.element is not None and table.element.untyped:
            lowering.refuse("G564", f"edges of {table.name} have several labels, so they have no one type")
        return Term(build.text(table.type), STRING, table.type)
    if key in (START, END) and isinstance(table, EdgeTable):
        return Term(identity(table.source if key == START else table.target, known_as), NODE)
    if key == PROPERTIES:
        return _properties(lowering, table, known_as)
    return None


def owner_of(table: Table) -> str:
    """A name that no other table has of its kind."""
    return table.key.tag or table.name


def _texts(values: Sequence[str]) -> Term:
    """A constant list."""
    listed = build.array([build.text(value) for value in values])
    return Term(listed if values else build.cast(listed, datatype(TEXTS)), TEXTS, list(values))


def _defined(lowering: Lowering, table: Table, key: str) -> Term:
    """What the definition of a graph over tables says of the elements of one of them."""
    if table.definition is None:
        lowering.refuse("G650", "the graph is not one over tables: its elements have no definitions")
    name, properties = table.definition
    return Term(build.text(name), STRING, name) if key == TABLE else _texts(properties)


def _properties(lowering: Lowering, table: Table, known_as: str) -> Term:
    if not table.columns:
        return encoded({})
    columns = sorted(table.columns.items())
    rep = map_of([key for key, _ in columns], [column.rep for _, column in columns])
    fields = [(f"f{at}", build.column(column.name, known_as)) for at, (_, column) in enumerate(columns)]
    return lowering.bridge("present", [Term(build.structure(fields), rep)], DYNAMIC)


def read_column(lowering: Lowering, table: Table, key: str, known_as: str, variable: str | None = None) -> Term:
    """A property of the elements of a table, or what else they have; `variable`: which it is read of."""
    column: Column | None = table.columns.get(key)
    if column is not None:
        if column.assumed is not None:
            lowering.assumed[table.name, key] = Assumed(column.assumed, variable)
        read: Sql = build.column(column.name, known_as)
        return Term(build.cast(read, datatype(column.rep)) if column.cast else read, column.rep)
    if key in table.unread:
        told = f"the property `{key}` of {table.name} cannot be read: {table.unread[key]}"
        lowering.refuse_at("G564", told, origins.reading(lowering.query, key, variable))
    extra = _extra(lowering, table, key, known_as)
    if extra is None and table.is_open:
        told = f"the schema does not say whether {table.name} has a property `{key}`"
        lowering.refuse_at("G564", told, origins.reading(lowering.query, key, variable))
    return extra or null_term()


# ------------------------------------------------------------------ scans


def scan_nodes(
    lowering: Lowering, tables: Sequence[NodeTable], keys: Iterable[str], variable: str | None = None
) -> Scan:
    """The nodes of the tables with the properties of `keys`."""
    alias = lowering.fresh("n")
    within = frozenset([table.name for table in tables])
    if len(tables) == 1:
        properties = {key: read_column(lowering, tables[0], key, alias, variable) for key in sorted(keys)}
        end = End(alias, tables[0].key, NODE_ITSELF, tables[0].element.name if tables[0].element is not None else None)
        element = Term(end.sql, NODE, properties=properties, present=True, tables=within, end=end)
        return Scan(source_of(tables[0], alias, variable), element)
    parts = [Part(table, (table.key,), (variable,)) for table in tables]
    source, properties = _united(lowering, parts, sorted(keys), alias, ("id",))
    return Scan(source, Term(build.column("id", alias), NODE, properties=properties, present=True, tables=within))


def scan_edges(
    lowering: Lowering,
    ways: Sequence[Way],
    keys: Iterable[str],
    *variables: str | None,
    origin: str | None = None,
) -> Scan:
    """The edges as they are walked; one that is walked either way comes twice but for a loop.

    `variables`: the names of the edge, of the node where it is walked from, and of that where it leads.  `origin`: the
    variable of a repetition that walks them.
    """
    variable, *around = variables or (None,)
    origin = origin or variable
    alias = lowering.fresh("e")
    tables = frozenset([table.name for table, _ in ways])
    if len(ways) == 1:
        table, backwards = ways[0]
        properties = {key: read_column(lowering, table, key, alias, origin) for key in sorted(keys)}
        element = Term(identity(table.key, alias), EDGE, properties=properties, present=True, tables=tables)
        known = table.element
        start = End(alias, table.source, SOURCE, None if known is None else known.source)
        stop = End(alias, table.target, TARGET, None if known is None else known.target)
        conditions = tuple(conditions_of(table, alias))
        around = around[::-1] if backwards else around
        ends = (stop, start) if backwards else (start, stop)
        named = (variable, *around) if variables else ()
        return Scan(source_of(table, alias, *named, origin=origin), element, ends, conditions)
    forwards = {id(table) for table, backwards in ways if not backwards}
    parts = [
        Part(
            table,
            (table.key, table.target, table.source) if backwards else (table.key, table.source, table.target),
            (variable, *(around[::-1] if backwards else around)),
            backwards=backwards,
            loops=not (backwards and id(table) in forwards),
        )
        for table, backwards in ways
    ]
    source, properties = _united(lowering, parts, sorted(keys), alias, ("id", "f", "t"))
    element = Term(build.column("id", alias), EDGE, properties=properties, present=True, tables=tables)
    return Scan(source, element, (end_of("f", alias), end_of("t", alias)))


@frozen
class Part:
    """A table as it is read, with these keys as columns, for its elements under a variable and the nodes at their ends;
    with or without the edges that lead back to their node."""

    table: Table
    keys: tuple[Key, ...]
    variables: tuple[str | None, ...] = ()
    backwards: bool = False
    loops: bool = True


def _united(
    lowering: Lowering,
    parts: Sequence[Part],
    keys: Sequence[str],
    alias: str,
    names: tuple[str, ...],
) -> tuple[Sql, dict[str, Term]]:
    """Tables one after the other; a part that walks backwards leaves out the loops, which the other has."""
    inner = lowering.fresh("s")
    named = [(part.table, part.variables[0] if part.variables else None) for part in parts]
    read = [[read_column(lowering, table, key, inner, variable) for table, variable in named] for key in keys]
    reps = [unify([term.rep for term in terms]) for terms in read]
    if not parts:
        node, edge = lowering.catalog.node_id, lowering.catalog.edge_id
        known = {"id": edge if "f" in names else node, "f": node, "t": node}
        empty = [build.alias(build.cast(build.null(), datatype(known[name])), name) for name in names]
        return build.derived(build.select(empty, (), [build.boolean(False)]), alias), dict.fromkeys(keys, null_term())
    queries: list[Sql] = []
    for at, part in enumerate(parts):
        listed: list[Sql] = [
            build.alias(identity(key, inner), name) for key, name in zip(part.keys, names, strict=True)
        ]
        for number, rep in enumerate(reps):
            if rep != NULL:
                term = convert(lowering, read[number][at], rep)
                listed.append(build.alias(term.sql, f"k{number}"))
        queries.append(
            build.select(
                listed,
                [source_of(part.table, inner, *part.variables)],
                conditions_of(part.table, inner, loops=part.loops),
            )
        )
    properties = {
        key: Term(build.column(f"k{number}", alias), rep) if rep != NULL else null_term()
        for number, (key, rep) in enumerate(zip(keys, reps, strict=True))
    }
    return united(lowering, queries, alias, parts), properties


def united(lowering: Lowering, queries: Sequence[Sql], alias: str, parts: Sequence[Part] = ()) -> Sql:
    """A source with the rows of queries, one below the other."""
    lowering.united = True
    return build.standing(build.derived(build.union(queries), alias), United(tuple(parts)))


def conditions_of(table: Table, known_as: str, *, loops: bool = True) -> list[Sql]:
    """Which rows of a table are meant; `loops`: the edges that lead back to their node, too."""
    if not isinstance(table, EdgeTable):
        return []
    conditions: list[Sql] = []
    if table.partial:
        columns = (*table.source.columns, *table.target.columns)
        conditions += [build.is_not_null(build.column(column.name, known_as)) for column in columns]
    if not loops:
        ends = (identity(table.source, known_as), identity(table.target, known_as))
        conditions.append(build.binary(exp.NEQ, *ends))
    return conditions


# ------------------------------------------------------------------ elements by id


def read_property(lowering: Lowering, element: Term, key: str, known: Sequence[Table] | None = None) -> Term:
    """A property of a node or an edge: what is at hand in the row, else looked up; `known`: in these tables alone."""
    found = element.properties.get(key)
    if found is not None:
        return Term(found.again(), found.rep, found.constant)
    tables: Sequence[Table] = lowering.catalog.nodes if element.rep == NODE else lowering.catalog.edges
    tables = tables if known is None else known
    if key not in (LABELS, TYPE, START, END, PROPERTIES, TABLE, DECLARED):
        tables = [table for table in tables if key in table.columns or key in table.unread or table.is_open]
    if element.tables is not None:
        tables = [table for table in tables if table.name in element.tables]
    if not tables:
        return null_term()
    if element.rep == NODE:
        scan = scan_nodes(lowering, [table for table in tables if isinstance(table, NodeTable)], [key])
    else:
        edges = [table for table in tables if isinstance(table, EdgeTable)]
        scan = scan_edges(lowering, ways_of(edges, "out"), [key])
    lowering.queries += 1
    term = scan.element.properties[key]
    same = build.equal(scan.element.sql, element.again())
    return Term(build.scalar(build.select([term.sql], [scan.source], [same, *scan.conditions])), term.rep)


def satisfies(lowering: Lowering, element: Term, labels: ir.LabelExpression) -> Sql:
    """Whether an element carries labels; null for null."""
    tables: Sequence[Table]
    every: Sequence[Table]
    if element.rep == NODE:
        tables, every = node_tables(lowering, labels), lowering.catalog.nodes
    else:
        tables, every = edge_tables(lowering, labels), lowering.catalog.edges
    if element.tables is not None:
        tables, every = ([each for each in known if each.name in element.tables] for known in (tables, every))
    everything = len(tables) == len(every)
    if everything or not tables:
        if element.present:
            return build.boolean(everything)
        return build.case([(build.is_not_null(element.sql), build.boolean(everything))])
    lowering.queries += 1
    queries = [build.select([identity(table.key)], [source_of(table)]) for table in tables]
    found: Sql = exp.In(this=build.atom(element.again()), query=build.scalar(build.union(queries)))
    if element.present:
        return found
    return build.case([(build.is_not_null(element.sql), found)])
