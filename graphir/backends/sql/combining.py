"""EXCEPT, INTERSECT and OTHERWISE: which rows of united branches stay.

The rows of all branches stand in one table, each with the number of its branch.  Equivalent rows are counted branch by
branch, which says how many of those of the first branch stay; OTHERWISE looks only at which branch has rows at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import grouping_key
from graphir.backends.sql.rows import Block, Rows, close, settle


def chosen(kind: str, rows: Rows, part: Sql, branches: int, block: Block, *, distinct: bool) -> Rows:
    """The rows of a set operation, of all rows that its branches have; `part` is the number of a row's branch."""
    rows = settle(rows, block)
    lowering = block.lowering
    keys = [grouping_key(lowering, term) or term.again() for term in rows.names.values()]
    rank, first, counts = lowering.fresh("k"), lowering.fresh("f"), [lowering.fresh("n") for _ in range(branches)]
    extra = [(first, _window(exp.Min(this=part.copy()), []))]
    if kind != "otherwise":
        extra += [(rank, _window(exp.RowNumber(), [*keys, part.copy()]))]
        extra += [(name, _window(_of_part(part, at), keys)) for at, name in enumerate(counts)]
    number = lowering.fresh("b")
    closed = close(replace(rows, order=(), stated=False), block, extra=[(number, part.copy()), *extra])
    table = closed.sources[0].args["alias"].this.this

    def column(name: str) -> Sql:
        return build.column(name, table)

    tests = _TESTS[kind](column(number), column(first), column(rank), [column(each) for each in counts], distinct)
    return replace(closed, conditions=(*closed.conditions, *tests))


def _of_part(part: Sql, at: int) -> Sql:
    """How many rows are of a branch."""
    counted = build.case([(build.equal(part.copy(), build.number(at)), build.number(1))], build.number(0))
    return exp.Sum(this=counted)


def _window(function: Sql, keys: Sequence[Sql]) -> Sql:
    return exp.Window(this=function, partition_by=[key.copy() for key in keys])


def _except(number: Sql, first: Sql, rank: Sql, counts: Sequence[Sql], distinct: bool) -> list[Sql]:
    of_first = build.equal(number, build.number(0))
    others: Sql = build.number(0)
    for each in counts[1:]:
        others = build.binary(exp.Add, others, each)
    if distinct:
        return [of_first, build.equal(rank, build.number(1)), build.equal(others, build.number(0))]
    return [of_first, build.binary(exp.GT, rank, others)]


def _intersect(number: Sql, first: Sql, rank: Sql, counts: Sequence[Sql], distinct: bool) -> list[Sql]:
    of_first = build.equal(number, build.number(0))
    if distinct:
        some = [build.binary(exp.GT, each, build.number(0)) for each in counts[1:]]
        return [of_first, build.equal(rank, build.number(1)), *some]
    return [of_first, *[build.binary(exp.LTE, rank.copy(), each) for each in counts[1:]]]


def _otherwise(number: Sql, first: Sql, rank: Sql, counts: Sequence[Sql], distinct: bool) -> list[Sql]:
    return [build.equal(number, first)]


_TESTS: dict[str, Callable[[Sql, Sql, Sql, Sequence[Sql], bool], list[Sql]]] = {
    "except": _except,
    "intersect": _intersect,
    "otherwise": _otherwise,
}

KINDS = frozenset(_TESTS)
