"""Patterns among expressions: they test whether something exists and are no values.

G201 a pattern as a value, G202 its size, G203 `exists(n.key)`, G204 `exists(..)` of anything else, G046 a function that
only USE takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.diagnostics import Edit, Fix
from graphir.dialects import CONSTRUCTS, DIALECTS
from graphir.ir import Node
from graphir.passes.rules import patterns, shortest
from graphir.passes.rules.places import LIST, Mode
from graphir.passes.rules.scene import Scene

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk


def check_predicate(walk: Walk, node: ir.PatternExpression, mode: Mode) -> None:
    """A pattern where a predicate may stand."""
    if node.path.selector is not None:
        shortest.check_value(walk, node.path)
    patterns.check_valued(walk, node.path)


def _connective(walk: Walk, node: ir.Apply, mode: Mode, pending: list[Node]) -> None:
    for argument in node.args:
        if type(argument) is ir.PatternExpression:
            check_predicate(walk, argument, mode)
        else:
            pending.append(argument)


def _value(walk: Walk, node: ir.PatternExpression, mode: Mode, pending: list[Node]) -> None:
    check_predicate(walk, node, mode)
    if node.path.selector is None:
        walk.scene.report(
            "G201",
            "A pattern stands for a value here; it only tests whether it exists",
            node,
            "write EXISTS { .. } for the test, COUNT { .. } for the number, [p = pattern | p] for the paths"
            if "COUNT and EXISTS take a pattern" in walk.scene.rules
            else "write [pattern | value] for a list of values",
        )


def _size(walk: Walk, node: ir.Apply, mode: Mode, pending: list[Node]) -> None:
    argument = node.args[0] if len(node.args) == 1 else None
    if type(argument) is ir.PatternExpression and argument.path.selector is None:
        check_predicate(walk, argument, mode)
        hint, fix = _counted(walk.scene, node, argument)
        walk.scene.report("G202", "size() takes no pattern", argument, hint, fix)
    else:
        pending += node.args


def _counted(scene: Scene, node: Node, pattern: Node) -> tuple[str, Fix | None]:
    """What to write instead of the size of a pattern."""
    text = scene.text(pattern)
    if "COUNT and EXISTS take a pattern" in scene.rules:
        text, hint = f"COUNT {{ {text} }}", "count the matches: COUNT { pattern }"
    else:
        text, hint = f"size([{text} | 1])", "take the size of a list: size([pattern | 1])"
    if node.span is None or not scene.text(pattern):
        return hint, None
    return hint, Fix(f"write {text}", (Edit(node.span.start, node.span.end, text),), safe=True)


def _exists(walk: Walk, node: ir.Apply, mode: Mode, pending: list[Node]) -> None:
    argument = node.args[0] if len(node.args) == 1 else None
    if type(argument) is ir.PatternExpression and argument.path.selector is None:
        check_predicate(walk, argument, mode)
        return
    pending += node.args
    if argument is None or "exists() takes patterns only" not in walk.scene.rules:
        return
    if isinstance(argument, (ir.Property, ir.Index)):
        hint = "write IS NOT NULL behind the property"
        walk.scene.report(
            "G203", "exists() no longer tests a property", node, hint, _tested(walk.scene, node, argument)
        )
    else:
        walk.scene.report(
            "G204", "The argument of exists() is not a pattern", argument, "exists((a)-->(b)) tests a pattern"
        )


_LOOSE = frozenset(("and", "or", "xor", "not"))


def _tested(scene: Scene, node: ir.Apply, argument: Node) -> Fix | None:
    """`exists(n.key)` as `n.key IS NOT NULL`, in parentheses where it stands among tighter operators."""
    if node.span is None or not scene.text(argument):
        return None
    text = f"{scene.text(argument)} IS NOT NULL"
    above = scene.parent(node)
    if isinstance(above, ir.Expression) and not (isinstance(above, ir.Apply) and above.function in _LOOSE):
        text = f"({text})"
    return Fix(f"write {text}", (Edit(node.span.start, node.span.end, text),), safe=True)


def _comprehension(walk: Walk, node: ir.PatternComprehension, mode: Mode, pending: list[Node]) -> None:
    inner = mode if mode.nested else LIST
    patterns.check_comprehended(walk, node.path)
    walk.test(node.where, inner)
    walk.later(node.body, inner)


def _labels(walk: Walk, node: ir.HasLabels, mode: Mode, pending: list[Node]) -> None:
    pending.append(node.base)
    if type(node.labels) is ir.LabelName:
        return
    pending.append(node.labels)
    construct = CONSTRUCTS["dynamic label in a predicate"]
    if "labels of a predicate are names" in walk.scene.rules:
        for label in ir.walk(node.labels):
            if isinstance(label, ir.LabelDynamic):
                first, level = DIALECTS[construct.first].title, DIALECTS[walk.scene.dialect].title
                walk.scene.report("G021", f"{construct.title} is not part of {level}; {first} has it", label)


EXPRESSIONS: dict[type[Node], Callable[..., Any]] = {
    ir.HasLabels: _labels,
    ir.PatternExpression: _value,
    ir.PatternComprehension: _comprehension,
}


def _graph(walk: Walk, node: ir.Apply, mode: Mode, pending: list[Node]) -> None:
    walk.scene.report("G046", f"{node.function}() can only stand in USE", node)
    pending += node.args


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("graph.byName", "graph.byElementId"), _graph),
    **dict.fromkeys(("and", "or", "xor", "not"), _connective),
    "size": _size,
    "exists": _exists,
}
