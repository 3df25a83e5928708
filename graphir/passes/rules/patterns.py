"""What may stand in a path pattern, wherever it is matched.

G205 a parameter for properties, G206 a relationship named twice, G207 WHERE where it may not stand, G208 a quantifier
that cannot be met, G209 what a quantified path may not hold, G211 one without a relationship, G212 a path that may be
empty, G213 a name for a part of a path, G216 paths side by side, G218 no path asked for, G223 a type expression beside
`*`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphir import ir
from graphir.ir import Node
from graphir.passes.rules import shortest
from graphir.passes.rules.places import PATTERN
from graphir.passes.rules.scene import Scene

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

_PLAIN = (ir.LabelName, ir.LabelDynamic)


def check_matched(walk: Walk, path: ir.Path) -> None:
    """A path of MATCH."""
    selector = path.selector
    if selector is not None:
        if selector.kind in shortest.KINDS:
            shortest.check_match(walk, path)
        else:
            _check_count(walk, selector)
    if _check_elements(walk, path.elements, "MATCH"):
        _check_groups(walk, path)


def check_comprehended(walk: Walk, path: ir.Path) -> None:
    """The path of a pattern comprehension."""
    _check_elements(walk, path.elements, "MATCH")


def check_valued(walk: Walk, path: ir.Path) -> None:
    """A path that stands for a predicate or, in shortestPath, for a value."""
    _check_elements(walk, path.elements, "an expression")


def is_selective(path: ir.Path) -> bool:
    """Whether a selector other than ALL and the old functions chooses among the paths."""
    return path.selector is not None and path.selector.kind != "all" and path.selector.kind not in shortest.KINDS


# ------------------------------------------------------------------ elements


def _check_elements(walk: Walk, elements: Iterable[ir.PathElement], where: str) -> bool:
    """Whether one of the elements is a path in parentheses."""
    grouped = False
    for element in elements:
        if isinstance(element, ir.PathGroup):
            grouped = True
            _check_group(walk, element, where)
            continue
        properties = element.properties
        if properties is not None:
            if type(properties) is ir.Parameter:
                refuse_parameter(walk.scene, properties, where)
            walk.tasks.append((properties, PATTERN))
        if element.where is not None:
            if where != "MATCH":
                refuse_where(walk.scene, element.where, where)
            walk.test(element.where, PATTERN)
        labels = element.labels
        if labels is not None and type(labels) is not ir.LabelName:
            walk.tasks.append((labels, PATTERN))
        if type(element) is ir.EdgePattern and (element.hops is not None or element.quantifier is not None):
            _check_length(walk, element)
    return grouped


def refuse_parameter(scene: Scene, parameter: ir.Parameter, clause: str) -> None:
    scene.report(
        "G205",
        f"A parameter cannot stand for all properties in {'MATCH' if clause == 'an expression' else clause}",
        parameter,
        f"name the properties: {{key: ${parameter.name}.key}}",
    )


def refuse_where(scene: Scene, where: Node, clause: str) -> None:
    scene.report(
        "G207",
        f"WHERE inside a pattern cannot stand in {clause}",
        where,
        "it may stand in MATCH and in a pattern comprehension",
    )


def _check_length(walk: Walk, edge: ir.EdgePattern) -> None:
    if edge.quantifier is not None:
        walk.quantified = True
        _check_quantifier(walk.scene, edge.quantifier)
        return
    walk.lengths.append(edge)
    if edge.where is not None:
        message = "WHERE inside a relationship pattern cannot stand beside a variable length"
        walk.scene.report("G207", message, edge.where, "test the relationships outside: WHERE all(x IN r WHERE ..)")
    labels = edge.labels
    if labels is None or isinstance(labels, _PLAIN):
        return
    if not (isinstance(labels, ir.LabelOr) and all(isinstance(each, _PLAIN) for each in labels.operands)):
        message = "A relationship of variable length takes type names and `|` only"
        walk.scene.report("G223", message, labels, "use a quantifier, -[:!A]->{1,3}, in place of `*`")


def _check_quantifier(scene: Scene, quantifier: ir.Bounds) -> None:
    if quantifier.high == 0:
        message = "A quantifier that allows 0 repetitions at most matches nothing"
        scene.report("G208", message, quantifier, "leave the path out, or give it an upper bound of at least 1")
    elif quantifier.high is not None and quantifier.high < quantifier.low:
        message = f"The lower bound {quantifier.low} is above the upper bound {quantifier.high}"
        scene.report("G208", message, quantifier, f"write {{{quantifier.high},{quantifier.low}}}")


def _check_count(walk: Walk, selector: ir.Selector) -> None:
    count = selector.count
    if type(count) is ir.Literal and count.value == 0:
        message = "The number of paths must be at least 1"
        walk.scene.report("G218", message, count if count.span else selector)


# ------------------------------------------------------------------ groups


def _check_group(walk: Walk, group: ir.PathGroup, where: str) -> None:
    if group.quantifier is not None:
        walk.quantified = True
        _check_quantifier(walk.scene, group.quantifier)
        _check_quantified(walk.scene, group)
    _check_elements(walk, group.path.elements, where)
    walk.test(group.where, PATTERN)


def _check_quantified(scene: Scene, group: ir.PathGroup) -> None:
    """No quantifier, no variable length and at least one relationship in a quantified path."""
    edges = 0
    pending: list[ir.PathElement] = list(group.path.elements)
    while pending:
        element = pending.pop()
        if type(element) is ir.EdgePattern:
            edges += 1
            if element.hops is not None:
                message = "A relationship of variable length cannot stand in a quantified path"
                scene.report("G209", message, element, "quantify the relationship alone, or match it apart")
        elif isinstance(element, ir.PathGroup):
            pending += element.path.elements
        if not isinstance(element, ir.NodePattern) and element.quantifier is not None:
            scene.report("G209", "A quantified path cannot hold another quantifier", element)
    if edges == 0:
        message = "A quantified path has at least one relationship"
        scene.report("G211", message, group, "add a relationship, or leave the quantifier out")


def _check_groups(walk: Walk, path: ir.Path) -> None:
    """The groups of a path: what stands beside them, and what they are made of."""
    scene = walk.scene
    if all(type(each) is ir.PathGroup and each.quantifier and each.quantifier.low == 0 for each in path.elements):
        message = "A path pattern has at least one node, and this one may be empty"
        scene.report("G212", message, path, "put a node such as () before or behind it")
    pending: list[tuple[ir.Path, bool, bool]] = [(path, is_selective(path) and len(path.elements) == 1, False)]
    while pending:
        current, named, quantified = pending.pop()
        _check_neighbours(scene, current.elements)
        for element in current.elements:
            if type(element) is not ir.PathGroup:
                continue
            inside = quantified or element.quantifier is not None
            _check_inner(scene, element.path, named=named and element.quantifier is None, quantified=inside)
            pending.append((element.path, False, inside))


def _check_neighbours(scene: Scene, elements: tuple[ir.PathElement, ...]) -> None:
    before: ir.PathElement | None = None
    for element in elements:
        if before is not None and (_is_plain_group(element) or _is_plain_group(before)):
            quantified = [each for each in (before, element) if type(each) is ir.PathGroup and each.quantifier]
            if not quantified:
                message = "Two paths stand side by side, and neither is quantified"
                scene.report("G216", message, element, "put a comma between them, or a quantifier behind one")
        before = element


def _is_plain_group(element: ir.PathElement) -> bool:
    return type(element) is ir.PathGroup and element.quantifier is None


def _check_inner(scene: Scene, path: ir.Path, *, named: bool, quantified: bool) -> None:
    """The path in parentheses: its name and its selector."""
    kind = "a quantified path" if quantified else "a path in parentheses"
    if path.variable is not None and not named:
        message = f"A part of a path cannot have a name: `{path.variable}` stands in {kind}"
        scene.report("G213", message, path, "name the whole path, before its first parenthesis")
    if path.selector is not None:
        if path.selector.kind in shortest.KINDS:
            shortest.refuse_place(scene, path, kind)
        elif path.selector.kind != "all":
            message = f"A path selector cannot stand in {kind}"
            scene.report("G215", message, path.selector, "put it in front of the whole path")


# ------------------------------------------------------------------ names


def check_repetition(scene: Scene, paths: Iterable[ir.Path]) -> None:
    """In openCypher a relationship is named once in a MATCH: twice it could never be different from itself."""
    seen: set[str] = set()
    for path in paths:
        for element in path.elements:
            if type(element) is not ir.EdgePattern or element.variable is None:
                continue
            if element.variable in seen and element.hops is None:
                message = f"Relationship `{element.variable}` stands twice in one MATCH, where all are different"
                scene.report("G206", message, element, "use another name, or a second MATCH")
            seen.add(element.variable)
