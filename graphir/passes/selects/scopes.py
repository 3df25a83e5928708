"""The names that a SELECT sees: columns, the tables they belong to, and what the queries around it have.

Source of the rules: GoogleSQL's query syntax (range variables, correlated columns, USING).  Case does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphir import ir
from graphir.ir import Body, Expression, LabelExpression, Named, Ref, Struct
from graphir.source import Span


class NoGraphQuery(Exception):
    """A query in SQL that is no graph query: why not, and where; the code of the diagnostic that says so."""

    def __init__(self, reason: str, span: Span | None, code: str = "G580") -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.span = span


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name as it is shown, None without one, and the variable that holds it.

    `hidden`: USING merged it with another, so that only its table finds it.
    """

    name: str | None
    variable: str
    hidden: bool = False


@dataclass(slots=True)
class Table:
    """A table behind FROM.  `is_value`: it has no rows of columns, its name is the first of them.  `is_unknown`: what
    its columns are is not known without a schema."""

    alias: str | None
    columns: list[Column]
    is_value: bool = False
    is_unknown: bool = False

    def find(self, name: str) -> Column | None:
        """The column of that name; NoGraphQuery where there are two."""
        found = [each for each in self.columns if each.name is not None and each.name.lower() == name.lower()]
        if len(found) > 1:
            raise NoGraphQuery(f"there are two columns `{name}`", None)
        return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Origin:
    """What a column is made of: an expression over one node of a pattern, its variable and its labels."""

    value: Expression
    variable: str
    labels: LabelExpression | None


@dataclass(slots=True)
class Common:
    """A common table of WITH, what it sees, and the names of its columns where they are given.

    `uses`: how often it was named; `recursive`: it names itself.
    """

    body: Body
    scope: Scope
    columns: tuple[str, ...] = ()
    uses: int = 0
    recursive: bool = False


@dataclass(slots=True)
class Scope:
    """What the expressions of one SELECT may name.

    `reads` are the variables that were found; `known` are variables of a graph query around all SQL; `asked` is what
    WHERE says, as it stands.
    """

    outer: Scope | None = None
    tables: list[Table] = field(default_factory=list)
    common: dict[str, Common] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    known: frozenset[str] = frozenset()
    asked: Expression | None = None

    def find(self, ref: Ref) -> Expression | None:
        """What a name stands for: a column, or a table as a record; None where SQL knows none of that name."""
        for scope in self.around():
            found = scope._own(ref)
            if found is not None:
                self.reads |= {part.name for part in ir.walk(found) if isinstance(part, Ref)}
                return found
            if ref.name.lower() in scope.known:
                self.reads.add(ref.name)
                return None
        return None

    def around(self) -> Iterator[Scope]:
        """This scope and those around it, from the inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def column(self, name: str) -> Column | None:
        """The column of that name in this SELECT; NoGraphQuery where there are two."""
        columns = [each for table in self.tables for each in table.columns if not each.hidden]
        return Table(None, columns).find(name)

    def _own(self, ref: Ref) -> Expression | None:
        found = self.column(ref.name)
        if found is not None:
            return Ref(found.variable, span=ref.span)
        table = self.table(ref.name)
        if table is None:
            self.require_known(self.tables, ref.span)
            return None
        fields = [Named(each.name, Ref(each.variable, span=ref.span), span=ref.span) for each in table.columns]
        return Struct(tuple(fields), span=ref.span)

    def find_in(self, table: str, name: str, span: Span | None) -> Expression | None:
        """The column of a table that has this name; None where there is no such table, or it is one value.

        One that the table does not have is a name that nothing has.
        """
        found = next((each for scope in self.around() if (each := scope.table(table)) is not None), None)
        if found is None or found.is_value:
            return None
        column = found.find(name)
        if column is None:
            self.require_known([found], span)
            return Ref(f"{table}.{name}", span=span)
        self.reads.add(column.variable)
        return Ref(column.variable, span=span)

    def table(self, alias: str) -> Table | None:
        """The table of that name in this SELECT."""
        found = [each for each in self.tables if each.alias is not None and each.alias.lower() == alias.lower()]
        return found[-1] if found else None

    def require_known(self, tables: Sequence[Table], span: Span | None) -> None:
        """Raises NoGraphQuery where one of the tables may have columns that are not known."""
        if any(table.is_unknown for table in tables):
            raise NoGraphQuery("the properties of an element are no columns without a schema", span)

    def find_common(self, name: str) -> Common | None:
        """The common table of that name."""
        tables = (scope.common.get(name.lower()) for scope in self.around())
        return next((each for each in tables if each is not None), None)

    def variables(self) -> Iterator[str]:
        """The variables of all columns, here and around."""
        for scope in self.around():
            yield from (column.variable for table in scope.tables for column in table.columns)

    def taken(self) -> frozenset[str]:
        """The variables of graph queries around, in lower case."""
        return frozenset[str]().union(*[scope.known for scope in self.around()])

    def free(self) -> frozenset[str]:
        """What was read of the queries around."""
        own = {column.variable for table in self.tables for column in table.columns}
        return frozenset(self.reads - own)

    def merge(self, names: Sequence[tuple[str, str]], first: int) -> None:
        """Columns that USING merged, by name and variable: they come first among the tables from `first` on, whose own
        are hidden."""
        merged = {name.lower() for name, _ in names}
        for table in self.tables[first:]:
            table.columns = [
                replace(each, hidden=each.hidden or (each.name or "").lower() in merged) for each in table.columns
            ]
        self.tables.insert(first, Table(None, [Column(name, variable) for name, variable in names]))


def origins_of(value: Expression, origins: Mapping[str, tuple[Origin, ...]]) -> tuple[Origin, ...]:
    """The ways in which a value is made of a node, where it is made of one column."""
    names = {node.name for node in ir.walk(value) if isinstance(node, Ref)}
    if len(names) != 1:
        return ()
    (name,) = names

    def made(origin: Origin) -> Origin:
        inner = ir.rewrite_down(value, lambda node: origin.value if node == Ref(name) else None)
        return replace(origin, value=inner)

    return tuple([made(origin) for origin in origins.get(name, ())])
