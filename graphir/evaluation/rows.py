"""What is compared, and what comes of it: tables of values, tie groups, verdicts.  Knows no comparator and no query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphir.backends.engines.results import Result
from graphir.diagnostics import usage_fault
from graphir.values.conversions import from_standard

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The result of a query together with what it might as well have given.

    `groups` are runs of rows whose order among each other the query leaves open, in order, each with the number of its
    rows that are in the result: fewer than all where LIMIT or SKIP cuts through a run.
    """

    columns: tuple[str, ...]
    rows: list[Row]
    groups: tuple[tuple[tuple[Row, ...], int], ...]


Rows = Result | Reference | Sequence[Sequence[Any]] | Sequence[Mapping[str, Any]]
"""A result: as a session gives it, or rows as lists, tuples or mappings from column to value."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two results are equal; it is true or false itself.

    Where they are not, `reason` says why, and `row` (an index into the expected rows, or into the found ones where no
    row was expected), `column`, `expected` and `found` say where they first differ, as far as there is such a place.
    `permutation[i]` is the index of the found column that was taken for the expected column i.
    """

    equal: bool
    reason: str
    row: int | None = None
    column: str | None = None
    expected: Any = None
    found: Any = None
    permutation: tuple[int, ...] | None = field(default=None)

    def __bool__(self) -> bool:
        return self.equal


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one width.  `named` is whether the names of the columns were given; else they are `1`, `2`, ..."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    named: bool

    @property
    def width(self) -> int | None:
        """None where no row and no name tells."""
        return len(self.columns) if self.named or self.rows else None


def table(given: Rows) -> Table:
    """The table of a result.  UsageFault (G091) for rows of different widths or names.

    Values of the standard library and of the neo4j driver become those of graphir; a RunFault (G647) for no value.

    >>> table([{"a": 1}, {"a": 2}])
    Table(columns=('a',), rows=((1,), (2,)), named=True)
    """
    if isinstance(given, (Result, Reference)):
        return Table(tuple(given.columns), _read(given.rows, len(given.columns)), named=True)
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise usage_fault("G091", f"a result or a list of rows is expected, not {type(given).__name__}")
    if not given:
        return Table((), (), named=False)
    first = given[0]
    if isinstance(first, Mapping):
        names = tuple(first)
        rows = [_values(row, names) for row in given]
        return Table(tuple(map(str, names)), _read(rows, len(names)), named=True)
    if isinstance(first, (str, bytes)) or not isinstance(first, Sequence):
        raise usage_fault("G091", f"a row is a list, a tuple or a mapping, not {type(first).__name__}")
    return Table(tuple(str(at + 1) for at in range(len(first))), _read(given, len(first)), named=False)


def _values(row: object, names: tuple[Any, ...]) -> Row:
    if not isinstance(row, Mapping) or set(row) != set(names):
        raise usage_fault("G091", f"the rows do not all have the columns {', '.join(map(str, names))}")
    return tuple([row[name] for name in names])


def _read(rows: Sequence[Any], width: int) -> tuple[Row, ...]:
    read = []
    for row in rows:
        if isinstance(row, (str, bytes, Mapping)) or not isinstance(row, Sequence) or len(row) != width:
            raise usage_fault("G091", f"the rows do not all have {width} columns")
        read.append(tuple([from_standard(value) for value in row]))
    return tuple(read)
