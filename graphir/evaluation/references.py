"""What a query might as well have given: its ties under ORDER BY, and the rows that LIMIT and SKIP chose among.

The query is run again with its sort keys as columns and without its page.  Only the last ORDER BY, SKIP and LIMIT are
looked at; an inner `WITH .. LIMIT` without a total order leaves a choice that this does not see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphir import ir
from graphir.evaluation.rows import Reference, Row
from graphir.evaluation.runs import Runner, core, run, surface, writes
from graphir.evaluation.trees import ABSOLUTE, RELATIVE, Tolerance, tied
from graphir.passes.names import Maker


def reference(
    session: Runner, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25"
) -> Reference:
    """Run a query, and once more without its page if rows can change places: what `rows_equal` takes as expected.

    Raises what running raises.
    """
    result = session.run(text, parameters, dialect)
    rows = list(result.rows)
    whole = Reference(tuple(result.columns), rows, ((tuple(rows), len(rows)),))
    asked = surface(text, dialect)
    query = core(asked, text, dialect)
    if not isinstance(query.body, ir.Pipeline) or not _chooses(asked):
        return whole
    steps, keys, pages = _tail(query.body.operators)
    if not keys and not pages:
        return whole
    columns = steps[-1].items if isinstance(steps[-1], ir.Project) else ()
    maker = Maker(query)
    shown = [ir.Item(key.value, maker.make("k")) for key in keys]
    last = ir.Project((*columns, *shown), final=True)
    order = (ir.Order(tuple(keys)),) if keys else ()
    open_query = replace(query, body=ir.Pipeline((*steps[:-1], *order, last)))
    every = run(session, open_query, text, parameters, dialect).rows
    skipped = sum(_number(session, page.skip, text, parameters, dialect) for page in pages)
    groups = _groups(every, len(columns), skipped, len(rows))
    steady = sum(count for _, count in groups) == len(rows)
    return Reference(tuple(result.columns), rows, groups) if steady else whole


def _chooses(query: ir.Query) -> bool:
    """Whether a query, as it is written, only reads and orders or pages its result."""
    last = query.body.operators[-1] if isinstance(query.body, ir.Pipeline) else None
    if not isinstance(last, ir.Project) or not last.final:
        return False
    paged = bool(last.order) or last.skip is not None or last.limit is not None
    return paged and not writes(query)


def _tail(operators: Sequence[ir.Operator]) -> tuple[list[ir.Operator], tuple[ir.SortKey, ...], list[ir.Page]]:
    """The steps up to the result without its order and page, the sort keys, the pages.

    Core has `.., projection, order, page` where the keys are columns, `.., order, page, projection` where they are not.
    """
    steps = list(operators)
    final = steps[-1] if isinstance(steps[-1], ir.Project) else None
    steps = steps[:-1] if final else steps
    keys: tuple[ir.SortKey, ...] = ()
    pages: list[ir.Page] = []
    while steps and isinstance(steps[-1], (ir.Page, ir.Order)) and not keys:
        step = steps.pop()
        if isinstance(step, ir.Page):
            pages.append(step)
        elif isinstance(step, ir.Order):
            keys = step.keys
    if final is not None:
        return [*steps, final], keys, pages
    inner = steps[-1]
    assert isinstance(inner, ir.Project), "a result is projected"
    names = tuple([ir.Item(ir.Ref(item.name or ""), item.name) for item in inner.items])
    return [*steps[:-1], replace(inner, final=False), ir.Project(names, final=True)], keys, pages


def _number(
    session: Runner, value: ir.Expression | None, text: str, parameters: Mapping[str, Any] | None, dialect: str
) -> int:
    """The value of SKIP."""
    if value is None:
        return 0
    asked = ir.Query(ir.Pipeline((ir.Project((ir.Item(value, "n"),), final=True),)))
    return int(run(session, asked, text, parameters, dialect).rows[0][0])


def _groups(every: Sequence[Row], width: int, skipped: int, count: int) -> tuple[tuple[tuple[Row, ...], int], ...]:
    """The runs of equal keys that the result reaches into, and how many rows of each are in it."""
    tolerance = Tolerance(RELATIVE, ABSOLUTE)
    runs: list[list[Row]] = []
    for row in every:
        if not runs or not tied(runs[-1][-1][width:], row[width:], tolerance):
            runs.append([])
        runs[-1].append(row)
    groups = []
    begin = 0
    for run_ in runs:
        end = begin + len(run_)
        taken = min(end, skipped + count) - max(begin, skipped)
        if taken > 0:
            groups.append((tuple([row[:width] for row in run_]), taken))
        begin = end
    return tuple(groups)
