"""Names and what they stand for: the columns of the working table, and the scopes around an expression.

Names are without case.  A table that is open may have columns that are not known (of a function, say).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from graphir.passes.google.types import UNKNOWN, Type
from graphir.source import Span


@dataclass(frozen=True, slots=True)
class Column:
    """`group`: a variable of a quantified pattern, an array outside of it.  `ambiguous`: two columns have this name;
    `doubled`: it hides one of the same name, which `*` would give as well.  `constant` is that of the
    expression which a projection computes it by, and `at` where that is written."""

    name: str
    type: Type
    group: bool = False
    ambiguous: bool = False
    doubled: bool = False
    constant: str = ""
    at: Span | None = None


@dataclass(frozen=True)
class Table:
    """The columns that a clause sees, in their order.  `rows`: it is a table of values of that type, not of columns."""

    columns: Mapping[str, Column] = field(default_factory=dict)
    open: bool = False
    rows: Type | None = None

    def with_(self, columns: Iterable[Column]) -> Table:
        """With these added, or in place of those of the same name."""
        return replace(self, columns={**self.columns, **{each.name.lower(): each for each in columns}})

    def __contains__(self, name: str) -> bool:
        return name.lower() in self.columns

    def get(self, name: str) -> Column | None:
        return self.columns.get(name.lower())

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns.values())


EMPTY = Table()


@dataclass(frozen=True)
class Scope:
    """What an expression sees: the columns of `table`, then those of `outer`.

    `hidden` are columns that are there but may not be used here: those of earlier statements inside of a pattern.
    `reserved` are names that a CALL imports: nothing may be called so.
    """

    table: Table = EMPTY
    outer: Scope | None = None
    hidden: Table = EMPTY
    reserved: frozenset[str] = frozenset()

    def find(self, name: str) -> Column | None:
        """What a name stands for.  LookupError where it is hidden."""
        scope: Scope | None = self
        wanted = name.lower()
        while scope is not None:
            found = scope.table.columns.get(wanted)
            if found is not None:
                return found
            if wanted in scope.hidden.columns:
                raise LookupError(name)
            if scope.table.open:
                return Column(name, UNKNOWN)
            scope = scope.outer
        return None

    def is_own(self, name: str) -> bool:
        """Whether it is a column of the innermost table."""
        return name.lower() in self.table.columns

    def visible(self) -> list[str]:
        """Every name that may be used, the nearest first."""
        names: dict[str, str] = {}
        scope: Scope | None = self
        while scope is not None:
            for key, column in scope.table.columns.items():
                names.setdefault(key, column.name)
            scope = scope.outer
        return list(names.values())

    def of(self, table: Table) -> Scope:
        """The same surroundings with another table."""
        return replace(self, table=table, hidden=EMPTY)
