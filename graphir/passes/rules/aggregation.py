"""Where aggregates may stand: G112 not here, G161 not in each other, G163 not over random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.functions import AGGREGATES
from graphir.ir import Node
from graphir.passes.aggregates import is_aggregate
from graphir.passes.rules.places import ARGUMENT, Mode

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

_RANDOM = ("rand", "randomUUID")


def _aggregate(walk: Walk, node: ir.Apply | ir.Call, mode: Mode, pending: list[Node]) -> None:
    name = shown(node)
    if mode.aggregates:
        walk.aggregates.append(node)
    elif mode.nested:
        message = f"{name} stands inside of another aggregate"
        walk.scene.report("G161", message, node, "compute the inner one in a WITH before")
    else:
        hint = mode.hint and mode.hint.format(walk.scene.text(node) or name)
        walk.scene.report("G112", f"The aggregate {name} cannot stand in {mode.name}", node, hint)
    for argument in node.args[:1]:
        walk.later(argument, ARGUMENT)
    pending += node.args[1:]


def _call(walk: Walk, node: ir.Call, mode: Mode, pending: list[Node]) -> None:
    if is_aggregate(node):
        _aggregate(walk, node, mode, pending)
    else:
        pending += node.args


def _random(walk: Walk, node: ir.Apply, mode: Mode, pending: list[Node]) -> None:
    if mode.nested:
        message = f"{node.function}() gives another value each time and cannot be aggregated"
        walk.scene.report("G163", message, node, "compute it in a WITH before, and aggregate the column")
    pending += node.args


def shown(node: ir.Apply | ir.Call) -> str:
    """A call of an aggregating function, for messages."""
    if isinstance(node, ir.Call):
        return f"{'.'.join(node.name)}(..)"
    return "count(*)" if node.function == "count_star" else f"{node.function}(..)"


EXPRESSIONS: dict[type[Node], Callable[..., Any]] = {ir.Call: _call}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(AGGREGATES, _aggregate),
    **dict.fromkeys(_RANDOM, _random),
}
