"""The type of an expression, from the bottom up; one handler for each class, which asks the handlers of its parts.

Nesting costs one frame of Python's stack a level, and the parser limits nesting.  Bodies of subqueries are not entered:
they are left in `nested`, with the variables that they see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from graphir import ir, types
from graphir.ir import Node
from graphir.passes.typed.calls import apply_function, check_call
from graphir.passes.typed.inference import Inference
from graphir.passes.typed.operators import OPERATORS, require_boolean
from graphir.types import ANY, BOOLEAN, ELEMENT, INTEGER, LIST, MAP, NODE, PATH, PROPERTY, RELATIONSHIP, STRING

_LARGEST = 2**63
_INFINITE = (float("inf"), float("-inf"))
_LITERALS: dict[type, int] = {str: STRING, int: INTEGER, float: types.FLOAT, bool: BOOLEAN, type(None): ANY}
_WORDS = ("inf", "infinity")


def infer(state: Inference, node: Node) -> int:
    return RULES.get(type(node), _unknown)(state, node)


def check_condition(state: Inference, what: str, node: Node | None) -> None:
    if node is not None:
        actual = RULES.get(type(node), _unknown)(state, node)
        if not actual & BOOLEAN:
            require_boolean(state, what, node, actual)


def _unknown(state: Inference, node: Node) -> int:
    for child in ir.children(node):
        RULES.get(type(child), _unknown)(state, child)
    return ANY


def _leaf(state: Inference, node: Node) -> int:
    return ANY


def _ref(state: Inference, node: ir.Ref) -> int:
    return state.env.get(node.name, ANY)


def _literal(state: Inference, node: ir.Literal) -> int:
    value = node.value
    cls = type(value)
    if cls is int:
        if value >= _LARGEST:  # type: ignore[operator]
            _refuse_integer(state, node)
    elif cls is float and value in _INFINITE and (node.text or "inf").lower() not in _WORDS:
        state.report("G309", "The number is too large for a 64-bit float", node)
    return _LITERALS[cls]


def _refuse_integer(state: Inference, node: Node) -> None:
    hint = "the largest is 9223372036854775807; write a float (1.0E19) or a string"
    state.report("G308", "The integer is too large: integers have 64 bits", node, hint)


def _property(state: Inference, node: ir.Property) -> int:
    base = node.base
    actual = state.env.get(base.name, ANY) if type(base) is ir.Ref else RULES.get(type(base), _unknown)(state, base)
    if not actual & ~ELEMENT:
        return PROPERTY
    if not actual & types.HAS_KEYS:
        _refuse_access(state, node, actual)
    return ANY


def _refuse_access(state: Inference, node: ir.Property, actual: int) -> None:
    hint = None
    if actual & LIST:
        hint = f"take one element, or [x IN list | x.{node.key}] for all"
    elif actual == PATH:
        hint = "ask its nodes() or relationships()"
    shown = types.describe(actual)
    state.report("G307", f"`.{node.key}` needs a node, a relationship or a map, but this is {shown}", node.base, hint)


def _list(state: Inference, node: ir.ListOf) -> int:
    element = 0
    for item in node.items:
        actual = RULES.get(type(item), _unknown)(state, item)
        element = actual if element == 0 else types.common(element, actual)
    if len(node.items) == 1 and element & (element - 1) and element & ~types.NUMBER:
        element = ANY
    return types.list_of(element or ANY)


def _map(state: Inference, node: ir.MapOf) -> int:
    for entry in node.entries:
        value = entry.value
        RULES.get(type(value), _unknown)(state, value)
    return MAP


def _apply(state: Inference, node: ir.Apply) -> int:
    function = node.function
    if function == "neg" and type(node.args[0]) is ir.Literal and node.args[0].value == _LARGEST:
        return INTEGER if _touching(node) else _too_far(state, node)
    operands: list[int] = []
    for argument in node.args:
        operands.append(RULES.get(type(argument), _unknown)(state, argument))
    rule = OPERATORS.get(function)
    return apply_function(state, node, operands) if rule is None else rule(state, node, operands)


def _touching(node: ir.Apply) -> bool:
    """Whether only the sign stands before the number, no parenthesis."""
    number = node.args[0]
    return node.span is None or number.span is None or number.span.end == node.span.end


def _too_far(state: Inference, node: ir.Apply) -> int:
    _refuse_integer(state, node.args[0])
    return INTEGER


def _call(state: Inference, node: ir.Call) -> int:
    for argument in node.args:
        RULES.get(type(argument), _unknown)(state, argument)
    check_call(state, node)
    return ANY


def _comparison(state: Inference, node: ir.Comparison) -> int:
    for operand in node.operands:
        RULES.get(type(operand), _unknown)(state, operand)
    return BOOLEAN


def _labels(state: Inference, node: ir.HasLabels) -> int:
    base = node.base
    actual = RULES.get(type(base), _unknown)(state, base)
    if not actual & (ELEMENT | BOOLEAN):
        state.mismatch("A label predicate", base, actual, ELEMENT)
    if type(node.labels) is not ir.LabelName:
        infer_labels(state, node.labels)
    return BOOLEAN


def infer_labels(state: Inference, labels: ir.LabelExpression) -> None:
    """The expressions that name labels."""
    for part in ir.walk(labels):
        if isinstance(part, ir.LabelDynamic):
            name = part.expression
            actual = RULES.get(type(name), _unknown)(state, name)
            if not actual & (STRING | types.list_of(STRING)):
                state.mismatch("A dynamic label", name, actual, STRING | types.list_of(STRING))


def _truth(state: Inference, node: ir.IsTyped | ir.IsNormalized) -> int:
    base = node.base
    RULES.get(type(base), _unknown)(state, base)
    return BOOLEAN


# ------------------------------------------------------------------ lists and maps


def _index(state: Inference, node: ir.Index) -> int:
    base, at = node.base, node.index
    actual = RULES.get(type(base), _unknown)(state, base)
    key = RULES.get(type(at), _unknown)(state, at)
    if not actual & ~LIST:
        if not key & INTEGER:
            state.mismatch("The index of a list", at, key, INTEGER)
        return types.element_of(actual)
    if not actual & ~(MAP | ELEMENT):
        if not key & STRING:
            state.mismatch("The key of a map, node or relationship", at, key, STRING)
        return ANY if actual & MAP else PROPERTY
    if not actual & (LIST | MAP | ELEMENT):
        state.mismatch("An index", base, actual, LIST | MAP | ELEMENT, "substring() takes a part of a string")
    return ANY


def _slice(state: Inference, node: ir.Slice) -> int:
    base = node.base
    actual = RULES.get(type(base), _unknown)(state, base)
    if not actual & LIST:
        state.mismatch("A slice", base, actual, LIST, "substring() takes a part of a string")
    for bound in (node.low, node.high):
        if bound is not None:
            number = RULES.get(type(bound), _unknown)(state, bound)
            if not number & INTEGER:
                state.mismatch("The bound of a slice", bound, number, INTEGER)
    return actual & LIST or LIST


def _projection(state: Inference, node: ir.MapProjection) -> int:
    actual = state.env.get(node.base.name, ANY)
    if not actual & (MAP | ELEMENT):
        state.mismatch("A map projection", node.base, actual, MAP | ELEMENT)
    for item in node.items:
        if type(item) is ir.Entry:
            value = item.value
            RULES.get(type(value), _unknown)(state, value)
    return MAP


def _case(state: Inference, node: ir.Case) -> int:
    if node.subject is not None:
        RULES.get(type(node.subject), _unknown)(state, node.subject)
    found = 0
    for branch in node.branches:
        for test in branch.tests:
            actual = RULES.get(type(test), _unknown)(state, test)
            if node.subject is None and not actual & BOOLEAN:
                require_boolean(state, "WHEN", test, actual)
        result = branch.result
        found |= RULES.get(type(result), _unknown)(state, result)
    if node.default is not None:
        found |= RULES.get(type(node.default), _unknown)(state, node.default)
    return found


# ------------------------------------------------------------------ names of their own


def _source(state: Inference, what: str, source: Node, actual: int) -> int:
    """The elements of a list that is gone through."""
    if not actual & LIST:
        state.mismatch(what, source, actual, LIST)
        return ANY
    return types.element_of(actual & LIST)


def _comprehension(state: Inference, node: ir.ListComprehension) -> int:
    source = node.source
    element = _source(state, "A list comprehension", source, RULES.get(type(source), _unknown)(state, source))
    env, variable = state.env, node.variable
    hidden = env.get(variable)
    env[variable] = element
    where, body = node.where, node.body
    if where is not None:
        actual = RULES.get(type(where), _unknown)(state, where)
        if not actual & BOOLEAN:
            require_boolean(state, "WHERE", where, actual)
    if body is not None:
        element = RULES.get(type(body), _unknown)(state, body)
    _restore(env, variable, hidden)
    return types.list_of(element)


def _restore(env: dict[str, int], name: str, hidden: int | None) -> None:
    """Forget the meaning of a name inside of an expression."""
    if hidden is None:
        del env[name]
    else:
        env[name] = hidden


def _quantified(state: Inference, node: ir.Quantified) -> int:
    source = node.source
    element = _source(state, f"{node.kind}()", source, RULES.get(type(source), _unknown)(state, source))
    predicate = node.predicate
    if predicate is not None:
        env, variable = state.env, node.variable
        hidden = env.get(variable)
        env[variable] = element
        actual = RULES.get(type(predicate), _unknown)(state, predicate)
        if not actual & BOOLEAN:
            require_boolean(state, "WHERE", predicate, actual)
        _restore(env, variable, hidden)
    return BOOLEAN


def _reduce(state: Inference, node: ir.Reduce | ir.AllReduce) -> int:
    """The accumulator may become anything."""
    source, initial, body = node.source, node.initial, node.body
    element = _source(state, "reduce()", source, RULES.get(type(source), _unknown)(state, source))
    RULES.get(type(initial), _unknown)(state, initial)
    before = state.env
    state.env = {**before, node.variable: element, node.accumulator: ANY}
    RULES.get(type(body), _unknown)(state, body)
    if type(node) is ir.AllReduce:
        predicate = node.predicate
        actual = RULES.get(type(predicate), _unknown)(state, predicate)
        if not actual & BOOLEAN:
            require_boolean(state, "allReduce()", predicate, actual)
    state.env = before
    return BOOLEAN if type(node) is ir.AllReduce else ANY


# ------------------------------------------------------------------ patterns and subqueries


def _pattern_comprehension(state: Inference, node: ir.PatternComprehension) -> int:
    before = state.env
    state.env = dict(before)
    bind_path(state, node.path)
    where, body = node.where, node.body
    if where is not None:
        actual = RULES.get(type(where), _unknown)(state, where)
        if not actual & BOOLEAN:
            require_boolean(state, "WHERE", where, actual)
    element = RULES.get(type(body), _unknown)(state, body)
    state.env = before
    return types.list_of(element)


def _pattern(state: Inference, node: ir.PatternExpression) -> int:
    """A predicate, which may stand for a list, or the value of shortestPath."""
    before = state.env
    state.env = dict(before)
    bind_path(state, node.path)
    state.env = before
    selector = node.path.selector
    if selector is None:
        return ANY
    return PATH if selector.kind == "shortest_path" else types.list_of(PATH)


_SUBQUERIES = {"exists": BOOLEAN, "count": INTEGER, "collect": LIST}


def _subquery(state: Inference, node: ir.Subquery) -> int:
    state.nested.append((node.body, dict(state.env)))
    return _SUBQUERIES.get(node.kind, ANY)


def bind_path(state: Inference, path: ir.Path) -> None:
    """Bind the variables of a path and look at the expressions in it."""
    bind_paths(state, (path,))


def bind_paths(state: Inference, paths: Iterable[ir.Path]) -> None:
    """Bind the variables of paths, then look at the expressions in them."""
    waiting: list[tuple[ir.PathElement, dict[str, int]]] = []
    for path in paths:
        bind_elements(state.env, path.elements, waiting)
        if path.variable is not None:
            state.env[path.variable] = PATH
    if not waiting:
        return
    before = state.env
    for element, own in waiting:
        state.env = {**before, **own} if own else before
        infer_element(state, element)
    state.env = before


def bind_elements(
    env: dict[str, int], elements: Iterable[ir.PathElement], waiting: list[tuple[ir.PathElement, dict[str, int]]]
) -> None:
    """Bind the variables of elements; those with expressions wait, beside the names that mean something else inside."""
    tasks: list[tuple[ir.PathElement, dict[str, int] | None]] = [(element, None) for element in elements]
    tasks.reverse()
    while tasks:
        element, inner = tasks.pop()
        if isinstance(element, ir.PathGroup):
            _open_group(env, element, inner, tasks, waiting)
            continue
        name = element.variable
        repeated = isinstance(element, ir.EdgePattern) and (element.hops is not None or element.quantifier is not None)
        kind = NODE if isinstance(element, ir.NodePattern) else RELATIONSHIP
        if name is not None:
            outside = types.list_of(kind) if repeated else kind
            if inner is not None:
                inner[name] = outside
                env[name] = types.list_of(outside)
            elif env.get(name, ANY) == ANY:
                env[name] = outside
        labels = element.labels
        spoken = labels is not None and type(labels) is not ir.LabelName
        if spoken or element.properties is not None or element.where is not None:
            own = inner if inner is not None else {}
            waiting.append((element, {**own, name: kind} if repeated and name is not None else own))


def _open_group(
    env: dict[str, int],
    group: ir.PathGroup,
    inner: dict[str, int] | None,
    tasks: list[Any],
    waiting: list[tuple[ir.PathElement, dict[str, int]]],
) -> None:
    own: dict[str, int] | None = {} if group.quantifier is not None else inner
    name = group.path.variable
    if name is not None:
        if own is None:
            env[name] = PATH
        else:
            own[name] = PATH
            env[name] = types.list_of(PATH)
    if group.where is not None:
        waiting.append((group, own if own is not None else {}))
    tasks.extend((element, own) for element in reversed(group.path.elements))


def infer_element(state: Inference, element: ir.PathElement) -> None:
    """The expressions inside of a pattern element, whose variables are bound."""
    where = element.where
    if not isinstance(element, ir.PathGroup):
        labels, properties = element.labels, element.properties
        if labels is not None and type(labels) is not ir.LabelName:
            infer_labels(state, labels)
        if properties is not None:
            RULES.get(type(properties), _unknown)(state, properties)
    check_condition(state, "WHERE", where)


RULES: dict[type[Node], Callable[[Inference, Any], int]] = {
    ir.Literal: _literal,
    ir.Parameter: _leaf,
    ir.Keyword: _leaf,
    ir.CaseSubject: _leaf,
    ir.Ref: _ref,
    ir.Property: _property,
    ir.Index: _index,
    ir.Slice: _slice,
    ir.ListOf: _list,
    ir.MapOf: _map,
    ir.Apply: _apply,
    ir.Call: _call,
    ir.Comparison: _comparison,
    ir.HasLabels: _labels,
    ir.IsTyped: _truth,
    ir.IsNormalized: _truth,
    ir.Case: _case,
    ir.Quantified: _quantified,
    ir.ListComprehension: _comprehension,
    ir.PatternComprehension: _pattern_comprehension,
    ir.Reduce: _reduce,
    ir.AllReduce: _reduce,
    ir.MapProjection: _projection,
    ir.PatternExpression: _pattern,
    ir.Subquery: _subquery,
}
