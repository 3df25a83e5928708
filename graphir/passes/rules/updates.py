"""Clauses that write.

G401 a relationship without its one type, G402 without a direction, G403 of variable length, G404 a form of pattern
that only MATCH takes, G405 a label expression, G406 DELETE of a label, G407 a subquery in MERGE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.passes.rules import patterns, shortest
from graphir.passes.rules.places import PATTERN, VALUE, WRITE, Place
from graphir.passes.rules.scene import Scene

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

# ------------------------------------------------------------------ patterns


def _insert(walk: Walk, operator: ir.Insert, place: Place) -> None:
    for path in operator.paths:
        _check_path(walk, path, operator.keyword)


def _merge(walk: Walk, operator: ir.Merge, place: Place) -> None:
    _check_path(walk, operator.path, "MERGE")
    for action in operator.actions:
        _write_items(walk, action.items)
    for part, kinds in ((operator.path, _SUBQUERIES[:1]), *[(action, _SUBQUERIES) for action in operator.actions]):
        for node in ir.walk(part):
            if isinstance(node, kinds):
                hint = "compute it in a WITH before"
                walk.scene.report("G407", "A subquery or pattern cannot stand among the values of MERGE", node, hint)


_SUBQUERIES = (ir.Subquery, ir.PatternComprehension, ir.PatternExpression)


def _check_path(walk: Walk, path: ir.Path, clause: str) -> None:
    scene = walk.scene
    if path.selector is not None or path.mode is not None:
        _refuse_selection(scene, path, clause)
        if path.selector is not None and path.selector.kind in shortest.KINDS:
            return
    pending: list[ir.PathElement] = list(path.elements)
    while pending:
        element = pending.pop()
        if isinstance(element, ir.PathGroup):
            if element.quantifier is not None:
                scene.report("G404", f"A quantified path cannot stand in {clause}", element)
            pending += element.path.elements
            continue
        if element.properties is not None:
            if clause == "MERGE" and type(element.properties) is ir.Parameter:
                patterns.refuse_parameter(scene, element.properties, clause)
            walk.tasks.append((element.properties, PATTERN))
        if element.where is not None:
            patterns.refuse_where(scene, element.where, clause)
        if type(element) is ir.EdgePattern:
            _check_edge(scene, element, clause)
        elif element.labels is not None and type(element.labels) is not ir.LabelName:
            _check_labels(scene, element.labels, clause)
        if element.labels is not None and type(element.labels) is not ir.LabelName:
            walk.tasks.append((element.labels, PATTERN))


def _refuse_selection(scene: Scene, path: ir.Path, clause: str) -> None:
    if path.selector is not None and path.selector.kind in shortest.KINDS:
        shortest.refuse_place(scene, path, clause)
    else:
        what = "A path selector" if path.selector is not None else "A path mode"
        scene.report("G404", f"{what} cannot stand in {clause}", path.selector or path)


def _check_edge(scene: Scene, edge: ir.EdgePattern, clause: str) -> None:
    if edge.quantifier is not None:
        scene.report("G404", f"A quantifier cannot stand in {clause}", edge, "write the relationships one by one")
        return
    if edge.hops is not None:
        message = f"A relationship in {clause} has no variable length"
        scene.report("G403", message, edge.hops, "write the relationships one by one")
    if edge.direction == "any" and clause != "MERGE":
        message = f"A relationship in {clause} has a direction"
        scene.report("G402", message, edge, "write --> or <--")
    labels = edge.labels
    if labels is None:
        message = f"A relationship in {clause} has exactly one type"
        scene.report("G401", message, edge, "write it in brackets, behind a colon: -[:TYPE]->")
    elif isinstance(labels, ir.LabelOr) and all(isinstance(each, ir.LabelName) for each in labels.operands):
        message = f"A relationship in {clause} has exactly one type"
        scene.report("G401", message, labels, "create one relationship for each type")
    elif isinstance(labels, ir.LabelDynamic):
        _check_dynamic(scene, labels, clause)
    elif not isinstance(labels, ir.LabelName):
        message = f"A type expression cannot stand in {clause}"
        scene.report("G405", message, labels, "write one type")


def _check_labels(scene: Scene, labels: ir.LabelExpression, clause: str) -> None:
    for node in ir.walk(labels):
        if isinstance(node, (ir.LabelOr, ir.LabelNot, ir.LabelAny)):
            message = f"A label expression cannot stand in {clause}"
            scene.report("G405", message, labels, "write the labels that the node gets: :A&B")
            return
        if isinstance(node, ir.LabelDynamic):
            _check_dynamic(scene, node, clause)


def _check_dynamic(scene: Scene, label: ir.LabelDynamic, clause: str) -> None:
    if label.quantifier == "any":
        scene.report("G405", f"$any(..) cannot stand in {clause}", label, "write $(..) or $all(..)")


# ------------------------------------------------------------------ values


def _set(walk: Walk, operator: ir.Set, place: Place) -> None:
    _write_items(walk, operator.items)


def _write_items(walk: Walk, items: Iterable[ir.SetItem]) -> None:
    for item in items:
        walk.later(item.target, WRITE)
        if isinstance(item, ir.SetLabels):
            for label in item.labels:
                walk.later(label, WRITE)
        else:
            walk.later(item.value, WRITE)


def _remove(walk: Walk, operator: ir.Remove, place: Place) -> None:
    for item in operator.items:
        for child in ir.children(item):
            walk.later(child, WRITE)


def _delete(walk: Walk, operator: ir.Delete, place: Place) -> None:
    for item in operator.items:
        if isinstance(item, ir.HasLabels):
            text = walk.scene.text(item)
            hint = f"REMOVE takes a label away: REMOVE {text}" if text else "REMOVE takes a label away"
            walk.scene.report("G406", "DELETE deletes nodes, relationships and paths, not labels", item, hint)
        walk.later(item, WRITE)


def _foreach(walk: Walk, operator: ir.Foreach, place: Place) -> None:
    walk.later(operator.source, VALUE)
    walk.bodies.append((ir.Pipeline(operator.body), Place("foreach", nested=place.nested)))


OPERATORS: dict[type[ir.Operator], Callable[..., Any]] = {
    ir.Insert: _insert,
    ir.Merge: _merge,
    ir.Set: _set,
    ir.Remove: _remove,
    ir.Delete: _delete,
    ir.Foreach: _foreach,
}
