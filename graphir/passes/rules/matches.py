"""MATCH as a whole: what its paths, lengths, selectors and modes allow beside each other.

G210 both kinds of length, G217 a selector beside other paths, G219 shortestPath beside a selector, G220 paths without
end, G221 several path modes, G222 a path mode beside `*`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.passes.rules import hints, patterns, shortest
from graphir.passes.rules.places import VALUE, WHERE, Place

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk


def _match(walk: Walk, operator: ir.Match, place: Place) -> None:
    walk.operator = operator
    walk.quantified = False
    walk.lengths.clear()
    walk.shortest.clear()
    plain = True
    for path in operator.paths:
        patterns.check_matched(walk, path)
        if path.selector is not None or path.mode is not None:
            plain = False
    walk.test(operator.where, WHERE)
    if operator.search is not None:
        for part in (operator.search.query, operator.search.where, operator.search.limit):
            walk.later(part, VALUE)
    walk.drain()
    if walk.lengths and walk.quantified:
        _refuse_mixture(walk)
    if not plain or operator.uniqueness != "different_edges":
        _check_selection(walk, operator, place)
    if operator.hints:
        hints.check_hints(walk.scene, operator)
    if (
        len(operator.paths) + len(operator.paths[0].elements) > 4
        and "a relationship is named once in a MATCH" in walk.scene.rules
    ):
        patterns.check_repetition(walk.scene, operator.paths)


def _refuse_mixture(walk: Walk) -> None:
    for edge in walk.lengths:
        message = "A variable length `*` and a quantifier cannot stand in one MATCH"
        hint = "write a quantifier for `*`: (a)-[:R]->{1,3}(b)"
        walk.scene.report("G210", message, edge, hint)


def _check_selection(walk: Walk, operator: ir.Match, place: Place) -> None:
    """Selectors, path modes and the match mode."""
    scene, paths = walk.scene, operator.paths
    repeatable = operator.uniqueness == "repeatable_elements"
    selective = next((path for path in paths if patterns.is_selective(path)), None)
    modes = {path.mode or "walk" for path in paths}
    if selective is not None and len(paths) > 1 and not repeatable and place.reading is None:
        message = "A path selector cannot stand beside other paths in one MATCH"
        scene.report("G217", message, selective.selector, "match the other paths in a MATCH of their own")
    if walk.shortest and (selective is not None or repeatable or any(path.mode for path in paths)):
        for path in walk.shortest:
            name = shortest.KINDS[path.selector.kind] if path.selector else ""
            message = f"{name}() cannot stand beside a path selector, a path mode or a match mode"
            scene.report("G219", message, scene.word(name.upper(), path), "write ANY SHORTEST or ALL SHORTEST")
    if repeatable:
        _check_repeatable(walk, operator)
    if len(modes) > 1:
        scene.report("G221", "The paths of one MATCH have one path mode", operator, "give every path the same mode")
    for path in paths:
        if path.mode is not None:
            _check_mode(walk, path)


def _check_repeatable(walk: Walk, operator: ir.Match) -> None:
    for path in operator.paths:
        if path.mode not in (None, "walk"):
            message = f"REPEATABLE ELEMENTS and {path.mode.upper()} exclude each other" if path.mode else ""
            walk.scene.report("G221", message, path, "leave one of them out")
        for element in path.elements:
            bounds = None if isinstance(element, ir.NodePattern) else element.quantifier
            if isinstance(element, ir.EdgePattern):
                bounds = bounds or element.hops
            if bounds is not None and bounds.high is None:
                message = "Without an upper bound there is no end of paths under REPEATABLE ELEMENTS"
                walk.scene.report("G220", message, bounds, "write an upper bound: {1,5}")


def _check_mode(walk: Walk, path: ir.Path) -> None:
    for element in path.elements:
        if isinstance(element, ir.EdgePattern) and element.hops is not None:
            message = f"{(path.mode or '').upper()} and a variable length `*` exclude each other"
            walk.scene.report("G222", message, element, "write a quantifier for `*`: (a)-[:R]->+(b)")


def _filter(walk: Walk, operator: ir.Filter, place: Place) -> None:
    walk.test(operator.predicate, WHERE)


OPERATORS: dict[type[ir.Operator], Callable[..., Any]] = {ir.Match: _match, ir.Filter: _filter}
