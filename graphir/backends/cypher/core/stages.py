"""The steps of core put together: one WITH or RETURN with its grouping, order, page and condition.

Works on core expressions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from graphir import ir
from graphir.backends.cypher.shadowing import captured
from graphir.backends.gql import stages
from graphir.backends.gql.stages import is_plain
from graphir.ir import Item, Operator, Project, Ref
from graphir.passes.names import mentioned


def staged(operators: Iterable[Operator]) -> list[Operator]:
    """The operators with projections put together; `group_by` names the columns that are keys."""
    return _with_order(_with_tails(stages.staged(_with_aggregates(list(operators)))))


def _with_aggregates(operators: list[Operator]) -> list[Operator]:
    """Columns that are computed of aggregates beside the grouping, where they read nothing else."""
    out: list[Operator] = []
    for operator in operators:
        before = out[-1] if out else None
        made = (
            _computed(before, operator) if isinstance(before, ir.Aggregate) and isinstance(operator, Project) else None
        )
        if made is None:
            out.append(operator)
        else:
            out[-1] = made
    return out


def _computed(aggregate: ir.Aggregate, project: Project) -> Project | None:
    keys = {item.name or "": item.value for item in aggregate.keys}
    values = {item.name or "": item.value for item in aggregate.aggregates}
    if not is_plain(project) or all(isinstance(item.value, Ref) for item in project.items):
        return None
    items: list[Item] = []
    shown: list[str] = []
    for item in project.items:
        if isinstance(item.value, Ref) and item.value.name in keys:
            shown.append(item.value.name)
            items.append(dataclasses.replace(item, value=keys[item.value.name]))
            continue
        parts = list(ir.walk(item.value))
        if any(isinstance(part, (ir.Subquery, ir.PatternComprehension)) for part in parts):
            return None
        names = {part.name for part in parts if isinstance(part, Ref)}
        if names & keys.keys() or not names & values.keys():
            return None
        items.append(dataclasses.replace(item, value=_substituted(item.value, values)))
    if sorted(shown) != sorted(keys):
        return None
    named = [item.name or "" for item in items if item.value in keys.values()]
    return dataclasses.replace(project, items=tuple(items), group_by=tuple([Ref(name) for name in named]))


def _substituted(node: ir.Expression, values: dict[str, ir.Expression]) -> ir.Expression:
    return ir.rewrite(node, lambda part: values.get(part.name, part) if isinstance(part, Ref) else part)


def _with_tails(operators: list[Operator]) -> list[Operator]:
    """Projections with the order, page and condition behind them."""
    out: list[Operator] = []
    for operator in operators:
        before = out[-1] if out else None
        if isinstance(before, Project):
            made = _extended(before, operator, out[:-1])
            if made is not None:
                out[-1] = made
                continue
        out.append(operator)
    return out


def _extended(project: Project, operator: Operator, before: list[Operator]) -> Project | None:
    paged = project.skip is not None or project.limit is not None
    if isinstance(operator, (ir.Order, ir.Filter)) and captured((operator,), project, before):
        return None
    if isinstance(operator, ir.Order) and not (project.order or paged or project.where):
        return dataclasses.replace(project, order=operator.keys)
    if isinstance(operator, ir.Page) and not (paged or project.where):
        return dataclasses.replace(project, skip=operator.skip, limit=operator.limit)
    if isinstance(operator, ir.Filter) and not (project.final or project.where):
        return dataclasses.replace(project, where=operator.predicate)
    return None


def _with_order(operators: list[Operator]) -> list[Operator]:
    """An order and page before a projection row by row as the order and page of that."""
    out: list[Operator] = []
    for operator in operators:
        if not isinstance(operator, Project) or not is_plain(operator) or operator.order or operator.where:
            out.append(operator)
            continue
        order, page = _tail(out)
        if order is None or operator.skip is not None or operator.limit is not None or _hides(operator, order):
            out.append(operator)
            continue
        del out[-1 - (page is not None) :]
        bounds = (page.skip, page.limit) if page is not None else (None, None)
        out.append(dataclasses.replace(operator, order=order.keys, skip=bounds[0], limit=bounds[1]))
    return out


def _tail(operators: list[Operator]) -> tuple[ir.Order | None, ir.Page | None]:
    rest = list(operators)
    page = rest.pop() if rest and isinstance(rest[-1], ir.Page) else None
    order = rest[-1] if rest else None
    assert page is None or isinstance(page, ir.Page)
    return (order if isinstance(order, ir.Order) else None), page


def _hides(project: Project, order: ir.Order) -> bool:
    """Whether a key has a name that the projection gives to something else."""
    given = {item.name for item in project.items if not (isinstance(item.value, Ref) and item.value.name == item.name)}
    return any(name in given for key in order.keys for name in mentioned(key))
