"""Numbers of rows: G050 one that depends on a row, G051 a literal that is no such number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.ir import Node
from graphir.passes.rules.places import PAGE, Place

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

_PATTERNS = (ir.PatternExpression, ir.PatternComprehension, ir.Subquery)


def check_number(walk: Walk, value: Node | None, name: str, *, least: int = 0, whole: bool = True) -> None:
    """A number that must be known before the query runs."""
    if value is None or type(value) is ir.Parameter:
        return
    if type(value) is ir.Literal and type(value.value) is int and value.value >= least:
        return
    number = _fold(value, _FUEL)
    if number is not None or isinstance(value, _NO_NUMBERS):
        if number is None or number < least or (whole and type(number) is not int):
            wanted = ("a positive" if least else "a non-negative") + (" integer" if whole else " number")
            walk.scene.report("G051", f"{name} takes {wanted}", value)
        return
    _check_static(walk, value, name)
    walk.later(value, PAGE)


_NO_NUMBERS = (ir.Literal, ir.ListOf, ir.MapOf, ir.Quantified, ir.AllReduce, ir.HasLabels, ir.IsTyped, ir.IsNormalized)
"""What is no number, unless it is a literal one."""

_FUEL = 8
"""How deep arithmetic is looked into."""


def _fold(node: Node, fuel: int) -> int | float | None:
    """A number, also one with a sign, or simple arithmetic on integers; None where it is not known."""
    if isinstance(node, ir.Literal):
        return node.value if type(node.value) in (int, float) else None  # type: ignore[return-value]
    if not isinstance(node, ir.Apply) or node.function not in _ARITHMETIC or fuel == 0:
        return None
    numbers = [_fold(argument, fuel - 1) for argument in node.args]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers) or (len(known) > 1 and not all(type(number) is int for number in known)):
        return None
    result = known[0]
    if len(known) == 1:
        return -result if node.function == "neg" else result
    for number in known[1:]:
        if number == 0 and node.function == "mod":
            return None
        result = _ARITHMETIC[node.function](result, number)
    return result


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "neg": lambda a, b: -a,
    "pos": lambda a, b: a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "mod": lambda a, b: int(math.fmod(a, b)),
}


def _check_static(walk: Walk, value: Node, name: str) -> None:
    """No variable and no pattern, apart from the names that the expression itself binds."""
    bound: set[str] = set()
    for node in ir.walk(value):
        if isinstance(node, (ir.ListComprehension, ir.Quantified)):
            bound.add(node.variable)
        elif isinstance(node, (ir.Reduce, ir.AllReduce)):
            bound |= {node.variable, node.accumulator}
        elif isinstance(node, _PATTERNS):
            walk.scene.report("G050", f"{name} cannot depend on a pattern", node, _HINT)
            return
        elif isinstance(node, ir.Ref) and node.name not in bound:
            walk.scene.report("G050", f"{name} cannot depend on the variable `{node.name}`", node, _HINT)
            return


_HINT = "the number must be known before the query runs: write a literal or a parameter"


def check_pages(walk: Walk, operator: ir.Project | ir.Page) -> None:
    check_number(walk, operator.skip, "SKIP")
    check_number(walk, operator.limit, "LIMIT")


def _page(walk: Walk, operator: ir.Page, place: Place) -> None:
    check_pages(walk, operator)


OPERATORS: dict[type[ir.Operator], Callable[..., Any]] = {ir.Page: _page}
