"""The tail of a pipeline in the shape of a SELECT: projections that belong together become one.

Core keeps projection, grouping, order and page apart, with made-up columns for what only the order needs.  Here they
are put together where that changes nothing, so that a query with one RETURN is printed with one.  `Aggregate` becomes
`Project` with `group_by`, the names of its keys.  Works on core expressions; knows no dialect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from graphir import ir
from graphir.ir.node import replace

N = TypeVar("N", bound=ir.Node)

_BINDERS = (ir.Quantified, ir.ListComprehension, ir.Reduce, ir.NodePattern, ir.EdgePattern, ir.Path)
SMALL = 12
"""The number of nodes up to which an expression is written twice rather than given a column."""


def staged(operators: Iterable[ir.Operator]) -> list[ir.Operator]:
    """The operators with the projections put together.  A final projection is the last operator or has only its order
    and page behind it."""
    out: list[ir.Operator] = []
    given = list(operators)
    for at, operator in enumerate(given, 1):
        out.append(_grouped(operator) if isinstance(operator, ir.Aggregate) else _told_apart(operator, out))
        while (merged := _merged(out, behind=at < len(given))) is not None:
            out = merged
    return _ordered(out)


def is_plain(operator: ir.Operator) -> bool:
    """A projection row by row."""
    return isinstance(operator, ir.Project) and not operator.distinct and operator.group_by is None


def _grouped(aggregate: ir.Aggregate) -> ir.Project:
    keys = tuple([ir.Ref(item.name or "") for item in aggregate.keys])
    return ir.Project((*aggregate.keys, *aggregate.aggregates), group_by=keys, span=aggregate.span)


def _told_apart(operator: ir.Operator, before: list[ir.Operator]) -> ir.Operator:
    """The operator without a DISTINCT of rows that the keys of a grouping, which it keeps, tell apart already."""
    if not isinstance(operator, ir.Project) or not operator.distinct:
        return operator
    kept = {item.value.name for item in operator.items if isinstance(item.value, ir.Ref)}
    for earlier in reversed(before):
        if isinstance(earlier, (ir.Order, ir.Page, ir.Filter)):
            continue
        if isinstance(earlier, ir.Project) and earlier.group_by is not None:
            keys = {key.name for key in earlier.group_by if isinstance(key, ir.Ref)}
            return replace(operator, distinct=False) if keys <= kept else operator
        break
    return operator


def _is_choice(project: ir.Project) -> bool:
    """Whether every column is a column from before."""
    return is_plain(project) and all(isinstance(item.value, ir.Ref) for item in project.items)


def _merged(out: list[ir.Operator], *, behind: bool) -> list[ir.Operator] | None:
    """The operators with the last projection put into the one before it; None if it has to stand alone.

    `behind`: something follows, which is the order and page of a final projection.
    """
    last = out[-1]
    if not isinstance(last, ir.Project) or any(not isinstance(item.value, ir.Ref) for item in last.items):
        return None
    at = len(out) - 2
    while at >= 0 and isinstance(out[at], (ir.Order, ir.Page, ir.Filter)):
        at -= 1
    if at < 0 or not isinstance(first := out[at], ir.Project) or first.final:
        return None
    rest, between = out[:at], out[at + 1 : -1]
    if is_plain(first):
        # the keys of a grouping are names of its columns, no expressions to write something else for
        return _inlined(rest, first, between, last) if last.group_by is None else None
    if not _is_choice(last) or any(isinstance(operator, ir.Filter) for operator in between):
        return None
    if last.final and behind and between:
        return None  # two orders or pages, one of the rows before
    return _renamed(rest, first, between, last)


def _inlined(
    rest: list[ir.Operator], first: ir.Project, between: list[ir.Operator], last: ir.Project
) -> list[ir.Operator] | None:
    """A plain projection under a choice of its columns: the expressions are written where the columns are used."""
    columns = {item.name or "": item.value for item in first.items}
    used = [part.name for operator in (*between, last) for part in ir.find(operator, ir.Ref)]
    if any(used.count(name) > 1 and not ir.at_most(value, SMALL) for name, value in columns.items()):
        return None
    inner = {name for operator in (*between, last) for name in _bound(operator)}
    if not inner.isdisjoint([part.name for item in first.items for part in ir.find(item, ir.Ref)]):
        return None
    if not inner.isdisjoint(columns):
        return None
    return [*rest, *[_substituted(operator, columns) for operator in (*between, last)]]


def _bound(operator: ir.Operator) -> Iterator[str]:
    """The variables that expressions of an operator bind, and those that their patterns mention."""
    for part in ir.walk(operator):
        if isinstance(part, _BINDERS) and part.variable is not None:
            yield part.variable


def _renamed(
    rest: list[ir.Operator], first: ir.Project, between: list[ir.Operator], last: ir.Project
) -> list[ir.Operator] | None:
    """A distinct or grouping projection under a choice that keeps what it tells apart: the choice names its columns."""
    named: dict[str, str] = {}
    for item in last.items:
        assert isinstance(item.value, ir.Ref)
        named.setdefault(item.value.name, item.name or "")
    if first.group_by is None:
        needed = {item.name or "" for item in first.items}
    else:
        needed = {key.name for key in first.group_by if isinstance(key, ir.Ref)}
        if sum([isinstance(item.value, ir.Ref) and item.value.name in needed for item in last.items]) > len(needed):
            return None  # a key under two names
    needed |= {part.name for operator in between for part in ir.find(operator, ir.Ref)}
    if not needed <= named.keys():
        return None
    values = {item.name or "": item.value for item in first.items}
    chosen = []
    for item in last.items:
        assert isinstance(item.value, ir.Ref)
        chosen.append(replace(item, value=values[item.value.name]))
    refs: dict[str, ir.Expression] = {old: ir.Ref(new) for old, new in named.items()}
    keys = first.group_by and tuple([_substituted(key, refs) for key in first.group_by])
    project = replace(first, items=tuple(chosen), final=last.final, group_by=keys)
    return [*rest, project, *[_substituted(operator, refs) for operator in between]]


def _substituted(node: N, columns: dict[str, ir.Expression]) -> N:
    return ir.rewrite(node, lambda part: columns.get(part.name, part) if isinstance(part, ir.Ref) else part, ir.Ref)


# ------------------------------------------------------------------ order


def _ordered(operators: list[ir.Operator]) -> list[ir.Operator]:
    """An order counts at the end and before a page.  What was sorted earlier and not regrouped since stays sorted: its
    keys are repeated before the final projection."""
    final = max([at for at, operator in enumerate(operators) if isinstance(operator, ir.Project)], default=-1)
    if final < 0:
        return operators
    before, project, behind = operators[:final], operators[final], operators[final + 1 :]
    at = max([at for at, operator in enumerate(before) if isinstance(operator, ir.Order)], default=-1)
    kept = [
        operator
        for operator, following in zip(before, operators[1 : final + 1], strict=True)
        if not isinstance(operator, ir.Order) or isinstance(following, ir.Page)
    ]
    adjacent = [type(operator) for operator in before[at:]] == [ir.Order, ir.Page]
    sorted_later = not is_plain(project) or any(isinstance(operator, ir.Order) for operator in behind)
    if at >= 0 and not adjacent and not sorted_later and (keys := _carried(before[at:])):
        kept.append(ir.Order(keys))
    return [*kept, project, *behind]


def _carried(operators: list[ir.Operator]) -> tuple[ir.SortKey, ...]:
    """The keys of the order at the start, as expressions of the columns at the end; none if they are lost."""
    order, *between = operators
    assert isinstance(order, ir.Order)
    keys = list(order.keys)
    for operator in between:
        if isinstance(operator, (ir.Filter, ir.Let, ir.Page)):
            continue
        if not isinstance(operator, ir.Project) or not is_plain(operator):
            return ()
        for at, key in enumerate(keys):
            column = next((item.name or "" for item in operator.items if item.value == key.value), None)
            if column is None:
                return ()
            keys[at] = replace(key, value=ir.Ref(column))
    return tuple(keys)
