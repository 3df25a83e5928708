"""What operators take and give."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from graphir import ir, types
from graphir.passes.typed.inference import Inference
from graphir.types import BOOLEAN, DURATION, FLOAT, INSTANT, INTEGER, LIST, NUMBER, STRING

_NAMES = {
    **{"and": "AND", "or": "OR", "xor": "XOR", "not": "NOT", "in": "IN", "matches": "=~"},
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^", "neg": "-", "pos": "+", "concat": "||"},
}

_BLOCK = types.ANY & ~LIST
_TEXTUAL = BOOLEAN | NUMBER | STRING | INSTANT | DURATION | types.POINT | types.VECTOR | types.UUID
"""What `+` puts into a string."""


def require_boolean(state: Inference, what: str, node: ir.Node, actual: int) -> None:
    """A condition.  A union that may be a list passes: Neo4j reads it as one."""
    if actual & BOOLEAN or (actual & LIST and actual & _BLOCK):
        return
    hint = "write NOT isEmpty(..)" if actual & LIST else None
    state.mismatch(what, node, actual, BOOLEAN, hint)


def _logic(state: Inference, node: ir.Apply, operands: list[int]) -> int:
    for at, actual in enumerate(operands):
        if not actual & BOOLEAN:
            require_boolean(state, _NAMES[node.function], node.args[at], actual)
    return BOOLEAN


def _membership(state: Inference, node: ir.Apply, operands: list[int]) -> int:
    if not operands[1] & LIST:
        state.mismatch("IN", node.args[1], operands[1], LIST, "a list is written [..]")
    return BOOLEAN


def _matching(state: Inference, node: ir.Apply, operands: list[int]) -> int:
    for at, actual in enumerate(operands):
        if not actual & STRING:
            state.mismatch("=~", node.args[at], actual, STRING)
    return BOOLEAN


def _sign(state: Inference, node: ir.Apply, operands: list[int]) -> int:
    if not operands[0] & NUMBER:
        state.mismatch(f"The sign {_NAMES[node.function]}", node.args[0], operands[0], NUMBER)
        return NUMBER
    return operands[0] & NUMBER


# ------------------------------------------------------------------ arithmetic

_Pairs = tuple[tuple[int, int], ...]

_ACCEPTS: dict[str, _Pairs] = {
    "add": (
        (NUMBER, NUMBER | STRING | LIST),
        (STRING, _TEXTUAL | LIST),
        (BOOLEAN | types.POINT | types.VECTOR | types.UUID, STRING | LIST),
        (INSTANT, STRING | DURATION | LIST),
        (DURATION, STRING | DURATION | INSTANT | LIST),
        (types.MAP | types.ELEMENT | types.PATH | types.GRAPH, LIST),
        (LIST, types.ANY),
    ),
    "sub": ((NUMBER, NUMBER), (INSTANT | DURATION, DURATION)),
    "mul": ((NUMBER, NUMBER | DURATION), (DURATION, NUMBER)),
    "div": ((NUMBER | DURATION, NUMBER),),
    "mod": ((NUMBER, NUMBER),),
    "pow": ((NUMBER, NUMBER),),
    "concat": ((STRING, STRING), (LIST, LIST)),
}
"""Operator -> the types of the left side, and what the right side may be beside each."""


@cache
def _right_of(function: str, left: int) -> int:
    found = 0
    for kinds, accepted in _ACCEPTS[function]:
        if left & kinds:
            found |= accepted
    return found


_LEFT = {function: _right_of.__wrapped__(function, 0) for function in _ACCEPTS}
for _function, _pairs in _ACCEPTS.items():
    for _kinds, _ in _pairs:
        _LEFT[_function] |= _kinds


@cache
def _result(function: str, left: int, right: int) -> int:
    """The type of an operation on two operands that fit."""
    if function == "concat":
        return (STRING if left & right & STRING else 0) | (LIST if left & right & LIST else 0)
    if types.ANY in (left, right) and function == "add":
        return types.ANY
    found = 0
    if left & NUMBER and right & NUMBER:
        if left & INTEGER and right & INTEGER and function != "pow":
            found |= INTEGER
        if function == "pow" or (left | right) & FLOAT:
            found |= FLOAT
    if function == "add":
        if (left & STRING and right & _TEXTUAL) or (right & STRING and left & _TEXTUAL):
            found |= STRING
        if (left | right) & LIST:
            found |= LIST
    if function in ("add", "sub"):
        if right & DURATION:
            found |= left & (INSTANT | DURATION)
        if function == "add" and left & DURATION:
            found |= right & INSTANT
    elif (left | right) & DURATION:
        found |= DURATION
    return found or types.ANY


def _arithmetic(state: Inference, node: ir.Apply, operands: list[int]) -> int:
    function = node.function
    left = operands[0]
    if not left & _LEFT[function]:
        state.mismatch(f"`{_NAMES[function]}`", node.args[0], left, _LEFT[function])
        return types.ANY
    for at in range(1, len(operands)):
        right = operands[at]
        accepted = _right_of(function, left)
        if not right & accepted:
            beside = f"`{_NAMES[function]}`" + (
                "" if len(_ACCEPTS[function]) == 1 else f" beside {types.describe(left)}"
            )
            state.mismatch(beside, node.args[at], right, accepted)
            return types.ANY
        left = _result(function, left, right)
    return left


def _truth(state: Inference, node: ir.Apply, operands: list[int]) -> int:
    return BOOLEAN


OPERATORS: dict[str, Callable[[Inference, ir.Apply, list[int]], int]] = {
    **dict.fromkeys(("and", "or", "xor", "not"), _logic),
    **dict.fromkeys(_ACCEPTS, _arithmetic),
    **dict.fromkeys(("neg", "pos"), _sign),
    **dict.fromkeys(
        ("eq", "ne", "lt", "le", "gt", "ge", "starts_with", "ends_with", "contains", "is_null", "is_not_null"), _truth
    ),
    "in": _membership,
    "matches": _matching,
}
