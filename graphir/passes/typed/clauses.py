"""The types of variables from clause to clause.

Bodies nest without recursion: a step of the work is a generator that yields the bodies inside, as in the analysis of
names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graphir import ir, types
from graphir.diagnostics import Edit, Fix
from graphir.passes.steps import Step, run
from graphir.passes.typed.calls import check_procedure
from graphir.passes.typed.expressions import bind_paths, check_condition, infer, infer_labels
from graphir.passes.typed.inference import Environment, Inference
from graphir.types import ANY, ELEMENT, INTEGER, LIST, MAP, NODE, STRING


def infer_query(state: Inference, query: ir.Query) -> None:
    run(infer_body(state, query.body, {}))


def infer_body(state: Inference, body: ir.Body, env: Environment) -> Step:
    """The types of the columns of a body that starts with these variables."""
    if isinstance(body, ir.Pipeline):
        return (yield from _pipeline(state, body, env))
    if isinstance(body, ir.SetOperation):
        return (yield _branches(state, body.branches, env))
    if isinstance(body, ir.Next):
        columns = env
        for part in body.parts:
            columns = yield infer_body(state, part, {**env, **columns})
        return columns
    if isinstance(body, ir.Conditional):
        state.env = env
        for branch in body.branches:
            check_condition(state, "WHEN", branch.condition)
        return (yield _branches(state, [branch.body for branch in body.branches], env))
    return {}


def _branches(state: Inference, branches: Sequence[ir.Body], env: Environment) -> Step:
    joined: Environment = {}
    for branch in branches:
        columns: Environment = yield infer_body(state, branch, dict(env))
        for name, kind in columns.items():
            joined[name] = joined.get(name, 0) | kind
    return joined


def _pipeline(state: Inference, body: ir.Pipeline, env: Environment) -> Step:
    state.env = env
    returned: Environment | None = None
    for operator in body.operators:
        cls = type(operator)
        if cls is ir.Project:
            _project(state, operator)  # type: ignore[arg-type]
            if operator.final:  # type: ignore[attr-defined]
                returned = state.env
        elif cls in _STEPS:
            env = state.env
            yield _STEPS[cls](state, operator, env)
            state.env = env
        elif cls in _HANDLERS:
            _HANDLERS[cls](state, operator)
        if state.nested:
            env = state.env
            nested, state.nested = state.nested, []
            for inner, around in nested:
                yield infer_body(state, inner, around)
            state.env = env
    return returned if returned is not None else {}


# ------------------------------------------------------------------ reading


def _match(state: Inference, operator: ir.Match) -> None:
    bind_paths(state, operator.paths)
    for path in operator.paths:
        if path.selector is not None and path.selector.count is not None:
            infer(state, path.selector.count)
    search = operator.search
    if search is not None:
        infer(state, search.query)
        check_condition(state, "WHERE", search.where)
        if search.score is not None:
            state.env[search.score] = types.FLOAT
    if operator.where is not None:
        check_condition(state, "WHERE", operator.where)


def _filter(state: Inference, operator: ir.Filter) -> None:
    check_condition(state, "FILTER", operator.predicate)


def _order(state: Inference, operator: ir.Order) -> None:
    for key in operator.keys:
        infer(state, key.value)


def _let(state: Inference, operator: ir.Let) -> None:
    made = {item.name: infer(state, item.value) for item in operator.items if item.name is not None}
    state.env.update(made)


def _unwind(state: Inference, operator: ir.Unwind) -> None:
    state.env[operator.variable] = types.rows_of(infer(state, operator.source))
    for name in (operator.ordinality, operator.offset):
        if name is not None:
            state.env[name] = INTEGER


def _load(state: Inference, operator: ir.LoadCsv) -> None:
    actual = infer(state, operator.source)
    if not actual & STRING:
        state.mismatch("LOAD CSV", operator.source, actual, STRING)
    state.env[operator.variable] = MAP if operator.headers else types.list_of(STRING)


def _page(state: Inference, operator: ir.Page | ir.Project) -> None:
    for number in (operator.skip, operator.limit):
        if number is not None:
            infer(state, number)


# ------------------------------------------------------------------ projections


def _project(state: Inference, operator: ir.Project) -> None:
    before = state.env
    columns: Environment = {}
    for item in operator.items:
        value = item.value
        name = item.name
        if type(value) is ir.Ref:
            columns[name or value.name] = before.get(value.name, ANY)
            continue
        actual = infer(state, value)
        if name is None:
            name = value.base.name if type(value) is ir.MapProjection else item.text
        if name is not None:
            columns[name] = actual
    if operator.star:
        columns = {**before, **columns}
    if operator.order or operator.where is not None or operator.group_by:
        state.env = {**before, **columns}
        for key in operator.group_by or ():
            infer(state, key)
        for sort in operator.order:
            if type(sort.value) is not ir.Ref:
                infer(state, sort.value)
        check_condition(state, "WHERE", operator.where)
    if operator.skip is not None or operator.limit is not None:
        _page(state, operator)
    state.env = columns


def _aggregate(state: Inference, operator: ir.Aggregate) -> None:
    columns: Environment = {}
    for item in (*operator.keys, *operator.aggregates):
        actual = infer(state, item.value)
        if item.name is not None:
            columns[item.name] = actual
    state.env = columns


# ------------------------------------------------------------------ calls


def _procedure(state: Inference, operator: ir.ProcedureCall) -> None:
    arguments = [infer(state, argument) for argument in operator.args or ()]
    procedure = check_procedure(state, operator, arguments)
    for item in operator.yields or ():
        known = procedure.yields.get(item.name, ANY) if procedure is not None else ANY
        state.env[item.alias or item.name] = known
    if procedure is not None and (operator.star or operator.yields is None):
        state.env.update(procedure.yields)
    check_condition(state, "WHERE", operator.where)


def _subquery(state: Inference, operator: ir.SubqueryCall, env: Environment) -> Step:
    if operator.imports is None or operator.star:
        inner = dict(env)
    else:
        inner = {name: env.get(name, ANY) for name in operator.imports}
    if operator.imports is None and not operator.star and "CALL names its variables" in state.rules:
        _deprecate_call(state, operator)
    columns: Environment = yield infer_body(state, operator.body, inner)
    env.update(columns)
    transactions = operator.transactions
    if transactions is not None and transactions.report is not None:
        env[transactions.report] = MAP


def _deprecate_call(state: Inference, operator: ir.SubqueryCall) -> None:
    """`CALL { .. }` without the variables that it takes."""
    body = operator.body
    names: list[str] = []
    first = body.operators[0] if isinstance(body, ir.Pipeline) else None
    if isinstance(first, ir.Project) and not first.final:
        names = [item.value.name for item in first.items if isinstance(item.value, ir.Ref)]
    shown = "*" if isinstance(first, ir.Project) and first.star and not first.final else ", ".join(names)
    message = "CALL without the variables that the subquery takes is deprecated"
    hint = f"write CALL ({shown}) {{ .. }}" + (", without the WITH that imports them" if shown else "")
    state.report("G311", message, operator, hint, severity="warning")


def _foreach(state: Inference, operator: ir.Foreach, env: Environment) -> Step:
    element = types.rows_of(infer(state, operator.source))
    yield _pipeline(state, ir.Pipeline(operator.body), {**env, operator.variable: element})


# ------------------------------------------------------------------ writing


def _insert(state: Inference, operator: ir.Insert) -> None:
    bind_paths(state, operator.paths)


def _merge(state: Inference, operator: ir.Merge) -> None:
    bind_paths(state, (operator.path,))
    for action in operator.actions:
        _write(state, action.items)


def _set(state: Inference, operator: ir.Set | ir.Remove) -> None:
    _write(state, operator.items)


def _write(state: Inference, items: Iterable[ir.Node]) -> None:
    for item in items:
        if isinstance(item, (ir.SetProperty, ir.RemoveProperty)):
            _check_target(state, item.target)
            if isinstance(item, ir.SetProperty):
                infer(state, item.value)
        elif isinstance(item, ir.SetProperties):
            _check_properties(state, item)
        elif isinstance(item, (ir.SetLabels, ir.RemoveLabels)):
            actual = infer(state, item.target)
            if not actual & NODE:
                state.mismatch("A label", item.target, actual, NODE)
            for label in item.labels:
                if isinstance(label, ir.LabelDynamic):
                    infer_labels(state, label)


def _check_target(state: Inference, target: ir.Property | ir.Index) -> None:
    base = target.base
    actual = infer(state, base)
    if not actual & ELEMENT:
        state.mismatch("Setting or removing a property", base, actual, ELEMENT)
    if isinstance(target, ir.Index):
        key = infer(state, target.index)
        if not key & STRING:
            state.mismatch("The name of a property", target.index, key, STRING)


def _check_properties(state: Inference, item: ir.SetProperties) -> None:
    actual = infer(state, item.target)
    if not actual & ELEMENT:
        state.mismatch("Setting properties", item.target, actual, ELEMENT)
    value = infer(state, item.value)
    accepted = MAP if "SET takes a map only" in state.rules else MAP | ELEMENT
    if not value & accepted:
        sign = "+=" if item.merge else "="
        hint = "write properties(..) around it" if value & ELEMENT else None
        fix = _as_map(item.value) if not value & ~ELEMENT else None
        state.mismatch(f"SET .. {sign}", item.value, value, accepted, hint, fix)
    elif not value & ~ELEMENT and "SET takes elements, but better not" in state.rules:
        message = "A node or relationship in the place of a map is deprecated"
        fix = _as_map(item.value)
        state.report("G311", message, item.value, "write properties(..) around it", fix, severity="warning")


def _as_map(value: ir.Expression) -> Fix | None:
    span = value.span
    if span is None:
        return None
    edits = (Edit(span.start, span.start, "properties("), Edit(span.end, span.end, ")"))
    return Fix("write properties(..) around it", edits, safe=True)


def _delete(state: Inference, operator: ir.Delete) -> None:
    for item in operator.items:
        actual = infer(state, item)
        if not actual & (ELEMENT | types.PATH) and not isinstance(item, ir.HasLabels):
            hint = "delete the elements: FOREACH (x IN list | DELETE x)" if actual & LIST and not actual & MAP else None
            if isinstance(item, ir.Property):
                hint = f"REMOVE removes a property: REMOVE .. .{item.key}"
            state.mismatch("DELETE", item, actual, ELEMENT | types.PATH, hint)


_HANDLERS: dict[type[ir.Operator], Callable[[Inference, Any], None]] = {
    ir.Match: _match,
    ir.Filter: _filter,
    ir.Order: _order,
    ir.Page: _page,
    ir.Let: _let,
    ir.Unwind: _unwind,
    ir.LoadCsv: _load,
    ir.Aggregate: _aggregate,
    ir.ProcedureCall: _procedure,
    ir.Insert: _insert,
    ir.Merge: _merge,
    ir.Set: _set,
    ir.Remove: _set,
    ir.Delete: _delete,
}

_STEPS: dict[type[ir.Operator], Callable[[Inference, Any, Environment], Step]] = {
    ir.SubqueryCall: _subquery,
    ir.Foreach: _foreach,
}
