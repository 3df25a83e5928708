"""Operators that bind otherwise than they read: G060.  A warning: the query means something."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.diagnostics import Edit, Fix
from graphir.ir import Node
from graphir.passes.rules.places import Mode

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

_SIGNS = {"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_WORDS = {"is_null": "IS NULL", "is_not_null": "IS NOT NULL"}


def _comparison(walk: Walk, node: ir.Apply, mode: Mode, pending: list[Node]) -> None:
    """`a = b IS NULL` compares `a` with whether `b` is null."""
    pending += node.args
    right = node.args[-1]
    if type(right) is not ir.Apply or right.function not in _WORDS or node.span is None or right.span is None:
        return
    # In parentheses it would end before the comparison does.
    if right.span.end != node.span.end:
        return
    words, sign = _WORDS[right.function], _SIGNS[node.function]
    edits = (Edit(right.span.start, right.span.start, "("), Edit(right.span.end, right.span.end, ")"))
    walk.scene.report(
        "G060",
        f"{words} binds tighter than `{sign}`: it tests the right side alone",
        right,
        f"if the comparison is meant, put it in parentheses: (a {sign} b) {words}",
        Fix("put the right side in parentheses", edits, safe=True),
        severity="warning",
    )


FUNCTIONS: dict[str, Callable[..., Any]] = dict.fromkeys(_SIGNS, _comparison)
