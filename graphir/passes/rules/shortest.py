"""shortestPath(..) and allShortestPaths(..): G214 what may stand in them, G215 where they may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir import ir
from graphir.passes.rules.scene import Scene

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

KINDS = {"shortest_path": "shortestPath", "all_shortest_paths": "allShortestPaths"}


def check_match(walk: Walk, path: ir.Path) -> None:
    """One in MATCH."""
    walk.shortest.append(path)
    edge = _check_shape(walk.scene, path)
    if edge is not None and edge.variable is not None and edge.variable in walk.bound():
        name = _name(path)
        message = f"Relationship `{edge.variable}` is bound already, and {name}() looks for new ones"
        walk.scene.report("G214", message, edge, "choose another name")


def check_value(walk: Walk, path: ir.Path) -> None:
    """One in an expression: its ends are bound nodes."""
    walk.shortest.append(path)
    scene, name = walk.scene, _name(path)
    if _check_shape(scene, path) is None:
        return
    for node in path.elements:
        if type(node) is not ir.NodePattern:
            continue
        if node.variable is None:
            message = f"{name}() outside of MATCH needs bound nodes at both ends"
            scene.report("G214", message, scene.word(name.upper(), path), "name the node, after a MATCH that binds it")
        if isinstance(node.labels, (ir.LabelOr, ir.LabelNot, ir.LabelAny)) or (
            isinstance(node.labels, ir.LabelAnd) and not node.labels.legacy
        ):
            scene.report("G214", f"{name}() outside of MATCH takes no label expression", node.labels)


def refuse_place(scene: Scene, path: ir.Path, place: str) -> None:
    name = _name(path)
    scene.report("G215", f"{name}() cannot stand in {place}", scene.word(name.upper(), path))


def _name(path: ir.Path) -> str:
    return KINDS[path.selector.kind] if path.selector else ""


def _check_shape(scene: Scene, path: ir.Path) -> ir.EdgePattern | None:
    """Two nodes and one relationship, without a quantifier, without properties, of length 0 or 1 at least."""
    name = _name(path)
    at = scene.word(name.upper(), path)
    kinds = [type(each) for each in path.elements]
    quantified = [each for each in path.elements if not isinstance(each, ir.NodePattern) and each.quantifier]
    if quantified:
        scene.report("G214", f"{name}() takes no quantifier", quantified[0], "write `*` in the brackets: -[*1..3]->")
        return None
    if kinds != [ir.NodePattern, ir.EdgePattern, ir.NodePattern]:
        message = f"{name}() takes a pattern with a single relationship"
        scene.report("G214", message, at, "a path of any length is (a)-[*]->(b)")
        return None
    edge = path.elements[1]
    assert isinstance(edge, ir.EdgePattern)
    if edge.properties is not None:
        message = f"{name}() takes no properties in the relationship"
        scene.report("G214", message, edge.properties, "test them behind: WHERE all(x IN relationships(p) WHERE ..)")
    if edge.where is not None and edge.hops is None:
        scene.report("G207", f"WHERE inside a relationship pattern cannot stand in {name}()", edge.where)
    if edge.hops is not None and edge.hops.low > 1:
        message = f"{name}() takes no minimal length but 0 or 1"
        scene.report("G214", message, edge.hops, "test the length behind: WHERE length(p) >= ..")
    return edge
