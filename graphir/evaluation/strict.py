"""The strict comparator: two results are equal when a user of Cypher would say so, and never otherwise.

Rows are a bag, or a sequence of tie groups; null is null alone, NaN is NaN, booleans are no numbers, integers are no
floats; floats may differ in the last digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from graphir.diagnostics import usage_fault
from graphir.evaluation.columns import permutation
from graphir.evaluation.rows import Comparison, Reference, Row, Table
from graphir.evaluation.trees import (
    ABSOLUTE,
    RELATIVE,
    Entities,
    Lists,
    Numbers,
    Planter,
    Tolerance,
    Tree,
    tied,
    without_equals,
)
from graphir.values.entities import Node, Path

Columns = Literal["any", "position", "name"]
Ordered = bool | Sequence[str | int]
Numbered = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Strict:
    """How strictly: the options of the comparator.

    - `columns`: `any` tries every assignment of columns whatever their names, `position` takes them as they stand,
      `name` by their names, which must be the same ones.
    - `entities`: `whole` compares ids, labels or type, ends and properties; `identity` ids only; `content` all but the
      ids, for results of different stores (the ends of an edge by the nodes that the result shows).
    - `lists`: `ordered`, or `unordered` for what collect() gives without an order.
    - `numbers`: `typed` tells 1 from 1.0, `value` does not.
    - floats are equal within `relative` of the greater one, or `absolute`.
    """

    columns: Columns = "any"
    entities: Entities = "whole"
    lists: Lists = "ordered"
    numbers: Numbers = "typed"
    relative: float = RELATIVE
    absolute: float = ABSOLUTE


@dataclass(frozen=True, slots=True)
class _Question:
    """Both results, each value as the number of its tree: the runs of rows that may stand anywhere within, how many of
    each are there, and the found rows; the trees, and how these are compared."""

    runs: list[tuple[list[Numbered], int]]
    found: list[Numbered]
    trees: list[Tree]
    tolerance: Tolerance

    def fits(self, mine: Sequence[int], others: Sequence[int]) -> bool:
        """Whether the results are equal in some columns of each."""
        return self.first_alone(mine, others) is None

    def first_alone(self, mine: Sequence[int], others: Sequence[int]) -> int | None:
        """The index of the first found row that has no partner; the numbers of rows agree."""
        begin = 0
        for rows, count in self.runs:
            wanted = [tuple([row[at] for at in others]) for row in self.found[begin : begin + count]]
            offered = [tuple([row[at] for at in mine]) for row in rows]
            alone = self.alone(wanted, offered)
            if alone is not None:
                return begin + alone
            begin += count
        return None

    def alone(self, wanted: Sequence[Numbered], offered: Sequence[Numbered]) -> int | None:
        """The index of a wanted row that has no partner of its own among the offered ones."""
        left, free = without_equals(wanted, offered)
        if not left:
            return None
        alone = self.tolerance.without_partner([self.planted(wanted[at]) for at in left], [*map(self.planted, free)])
        return None if alone is None else left[alone]

    def planted(self, row: Numbered) -> tuple[Tree, ...]:
        return tuple([self.trees[number] for number in row])


def compare(expected: Table | Reference, found: Table, options: Strict, ordered: Ordered) -> Comparison:
    """Strictly.  `ordered` is what `comparison.rows_equal` takes; a reference has its own order."""
    left = Table(expected.columns, tuple(expected.rows), named=True) if isinstance(expected, Reference) else expected
    if options.columns == "name" and not _same_names(left, found):
        return Comparison(False, "the names of the columns differ", None, None, left.columns, found.columns)
    if not left.rows and not found.rows:
        return Comparison(True, "both are empty", permutation=None)
    if left.rows and found.rows and left.width != found.width:
        return Comparison(False, "the numbers of columns differ", None, None, left.width, found.width)
    if len(left.rows) != len(found.rows):
        return _of_lengths(left, found)
    question = _asked(expected, left, found, options, ordered)
    chosen = _assignment(question, left, found, options.columns)
    if chosen is not None:
        return Comparison(True, "same rows", permutation=tuple(chosen))
    return _difference(question, left, found, _as_named(left, found) if options.columns == "name" else None)


def _same_names(left: Table, right: Table) -> bool:
    if not left.named or not right.named:
        return left.width is None or right.width is None or left.width == right.width
    return sorted(left.columns) == sorted(right.columns)


def _of_lengths(left: Table, right: Table) -> Comparison:
    """Where one has more rows: the first that is beyond the other."""
    reason = f"{len(left.rows)} rows are expected, {len(right.rows)} found"
    at = min(len(left.rows), len(right.rows))
    more = left.rows[at] if len(left.rows) > at else None
    return Comparison(False, reason, at, None, more, right.rows[at] if len(right.rows) > at else None)


def _asked(expected: Table | Reference, left: Table, found: Table, options: Strict, ordered: Ordered) -> _Question:
    tolerance = Tolerance(options.relative, options.absolute)
    forest: dict[Tree, int] = {}
    mine = _numbered(left.rows, options, forest)
    if isinstance(expected, Reference):
        runs = [(_numbered(rows, options, forest, left.rows), count) for rows, count in expected.groups]
    elif ordered is True:
        runs = [([row], 1) for row in mine]
    elif ordered is False:
        runs = [(mine, len(mine))]
    else:
        places = [_place(left, key) for key in ordered]
        rest = iter(mine)
        counts = _ties([tuple([row[at] for at in places]) for row in left.rows], tolerance)
        runs = [(list(islice(rest, count)), count) for count in counts]
    others = _numbered(found.rows, options, forest)
    return _Question(runs, others, list(forest), tolerance)


def _place(given: Table, key: str | int) -> int:
    """The index of a column that the rows are sorted by."""
    if isinstance(key, str) and key in given.columns:
        return given.columns.index(key)
    if type(key) is int and 0 <= key < len(given.columns):
        return key
    raise usage_fault("G091", f"there is no column {key!r} to be ordered by; there are {', '.join(given.columns)}")


def _ties(keys: Sequence[Row], tolerance: Tolerance) -> Iterator[int]:
    """The numbers of rows that follow each other with the same keys."""
    count = 0
    for at, key in enumerate(keys):
        if count and not tied(keys[at - 1], key, tolerance):
            yield count
            count = 0
        count += 1
    if count:
        yield count


def _numbered(
    rows: Sequence[Row], options: Strict, forest: dict[Tree, int], others: Sequence[Row] = ()
) -> list[Numbered]:
    """Rows of numbers of trees; equal trees have one number, in all the results of a forest.

    `others` may tell the content of nodes.
    """
    nodes: dict[int | str, Node] = {}
    if options.entities == "content":
        for row in (*others, *rows):
            nodes.update({node.id: node for node in _nodes(list(row))})
    planter = Planter(options.entities, options.lists, options.numbers, nodes)
    return [tuple([forest.setdefault(planter.tree(value), len(forest)) for value in row]) for row in rows]


def _nodes(value: Any) -> Iterator[Node]:
    """The nodes in a value."""
    pending = [value]
    while pending:
        one = pending.pop()
        match one:
            case Node():
                yield one
            case Path():
                yield from one.nodes
            case list():
                pending += one
            case dict():
                pending += one.values()
            case _:
                pass


def _assignment(question: _Question, left: Table, found: Table, columns: Columns) -> list[int] | None:
    whole = list(range(len(left.columns)))
    if columns == "any":
        looks = [tuple([row[at] for row in question.found]) for at in whole]
        return permutation(left.columns, found.columns, looks, question.fits)
    chosen = whole if columns == "position" else _as_named(left, found)
    return chosen if question.fits(whole, chosen) else None


def _as_named(left: Table, found: Table) -> list[int]:
    """The found columns in the order of the expected names; as they stand where there are no names."""
    if not left.named or not found.named:
        return list(range(len(left.columns)))
    free = list(range(len(found.columns)))
    chosen = []
    for name in left.columns:
        at = next(at for at in free if found.columns[at] == name)
        free.remove(at)
        chosen.append(at)
    return chosen


# ------------------------------------------------------------------ the first difference


def _difference(question: _Question, left: Table, found: Table, named: list[int] | None) -> Comparison:
    """The first expected row that is missing, beside the found one that is most like it."""
    whole = list(range(len(left.columns)))
    same_names = named is None and left.named and found.named and sorted(left.columns) == sorted(found.columns)
    chosen = named or (_as_named(left, found) if same_names else whole)
    alone = question.first_alone(whole, chosen)
    if alone is None:
        return Comparison(False, "no assignment of columns makes the rows equal")
    rows, count, begin = _run_of(question, alone)
    if len(rows) == count == 1:
        return _at(question, left, found, chosen, alone, alone)
    if len(rows) > count:
        told = "the found row is none that the query could give here"
        return Comparison(False, told, alone, None, None, found.rows[alone])
    row = _missing(question, rows, begin, count, chosen)
    return _at(question, left, found, chosen, begin + row, alone)


def _missing(question: _Question, rows: list[Numbered], begin: int, count: int, chosen: Sequence[int]) -> int:
    """The index in a run of the first expected row that has no partner."""
    offered = [tuple([row[at] for at in chosen]) for row in question.found[begin : begin + count]]
    alone = question.alone(rows, offered)
    return alone if alone is not None else 0


def _at(question: _Question, left: Table, found: Table, chosen: Sequence[int], row: int, other: int) -> Comparison:
    """The difference of an expected row and a found one in the first column in which they differ."""
    rows, _, begin = _run_of(question, row)
    mine, theirs = question.planted(rows[row - begin]), question.planted(question.found[other])
    for at, place in enumerate(chosen):
        if not question.tolerance.same(mine[at], theirs[place]):
            told = f"row {row + 1}, column {left.columns[at]}"
            return Comparison(
                False, f"the values differ: {told}", row, left.columns[at], left.rows[row][at], found.rows[other][place]
            )
    told = f"row {row + 1} is expected more often than it is found"
    return Comparison(False, told, row, None, left.rows[row], found.rows[other])


def _run_of(question: _Question, row: int) -> tuple[list[Numbered], int, int]:
    """The run that a row of the result is in, how many of its rows are there, and the index of the first of them."""
    begin = 0
    for rows, count in question.runs:
        if row < begin + count:
            return rows, count, begin
        begin += count
    raise IndexError(row)
