"""Planner hints of MATCH: G224 the hint does not fit what the clause says."""

from __future__ import annotations

from collections.abc import Iterator

from graphir import ir
from graphir.ir import Node
from graphir.passes.rules.scene import Scene

_JUNCTIONS = frozenset(("and", "or"))
_COMPARED = frozenset(("lt", "le", "gt", "ge"))
_TESTED = frozenset(("in", "is_not_null", "starts_with", "ends_with", "contains"))


def check_hints(scene: Scene, operator: ir.Match) -> None:
    joined: set[str] = set()
    for hint in operator.hints:
        if isinstance(hint, ir.JoinHint):
            _check_join(scene, operator, hint, joined)
        elif _binds(operator, hint.variable):
            _check_index(scene, operator, hint)


def _check_join(scene: Scene, operator: ir.Match, hint: ir.JoinHint, joined: set[str]) -> None:
    if all(len(path.elements) == 1 for path in operator.paths):
        scene.report("G224", "A join needs a pattern with a relationship", hint)
    for name in hint.variables:
        if any(isinstance(element, ir.EdgePattern) for element in _elements(operator, name)):
            scene.report("G224", f"A join is on a node, and `{name}` is a relationship", hint)
        if name in joined:
            scene.report("G224", f"Two join hints for `{name}`", hint, "keep one of them")
        joined.add(name)


def _check_index(scene: Scene, operator: ir.Match, hint: ir.IndexHint) -> None:
    if hint.label not in set(_labels(operator, hint.variable)):
        message = f"The hint needs the label or type `{hint.label}`, which this MATCH does not ask of `{hint.variable}`"
        scene.report("G224", message, hint, f"write `{hint.variable}:{hint.label}` in the pattern")
        return
    known = set(_properties(operator, hint.variable)) if hint.properties else set()
    missing = [name for name in hint.properties if name not in known]
    if missing:
        message = f"The hint needs a predicate on `{hint.variable}.{missing[0]}` that an index can answer"
        scene.report(
            "G224", message, hint, "such as `=`, `<`, IN, STARTS WITH or IS NOT NULL, not between two properties"
        )


def _elements(operator: ir.Match, variable: str) -> Iterator[ir.NodePattern | ir.EdgePattern]:
    """The elements of the pattern with a name."""
    pending: list[ir.PathElement] = [element for path in operator.paths for element in path.elements]
    while pending:
        element = pending.pop()
        if isinstance(element, ir.PathGroup):
            pending += element.path.elements
        elif element.variable == variable:
            yield element


def _binds(operator: ir.Match, variable: str) -> bool:
    """The name is one of this clause; whether it is known at all is not asked here."""
    return any(True for _ in _elements(operator, variable)) or operator.where is not None


def _conditions(operator: ir.Match, variable: str) -> Iterator[Node]:
    """The parts of the predicates about a variable, below AND and OR."""
    pending: list[Node | None] = [operator.where, *[element.where for element in _elements(operator, variable)]]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Apply) and node.function in _JUNCTIONS:
            pending += node.args
        elif node is not None:
            yield node


def _labels(operator: ir.Match, variable: str) -> Iterator[str]:
    expressions = [element.labels for element in _elements(operator, variable) if element.labels is not None]
    for node in _conditions(operator, variable):
        if isinstance(node, ir.HasLabels) and node.base == ir.Ref(variable):
            expressions.append(node.labels)
    for expression in expressions:
        for label in ir.walk(expression):
            if isinstance(label, ir.LabelName):
                yield label.name


def _properties(operator: ir.Match, variable: str) -> Iterator[str]:
    """The properties of a variable that the clause tests in a way that an index can answer."""
    for element in _elements(operator, variable):
        if isinstance(element.properties, ir.MapOf):
            yield from (entry.key for entry in element.properties.entries)
    pending = list(_conditions(operator, variable))
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Apply) and (node.function == "not" or node.function in _JUNCTIONS):
            pending += node.args
        else:
            for part in _operands(node):
                if isinstance(part, ir.Property) and part.base == ir.Ref(variable):
                    yield part.key


def _operands(node: Node) -> list[Node]:
    """The sides of a test that may be the indexed property."""
    if isinstance(node, ir.IsNormalized):
        return [node.base]
    if isinstance(node, ir.IsTyped):
        return [node.base] if node.type.not_null else []
    if isinstance(node, ir.Comparison):
        return list(node.operands)
    if not isinstance(node, ir.Apply):
        return []
    if node.function == "eq":
        left, right = node.args
        return [side for side, other in ((left, right), (right, left)) if not _is_identity(other)]
    if node.function in _TESTED or node.function == "point.withinBBox":
        return list(node.args[:1])
    if node.function in _COMPARED:
        distances = [each.args[0] for each in node.args if isinstance(each, ir.Apply) and _is_distance(each)]
        return [*node.args, *distances]
    return []


def _is_identity(node: Node) -> bool:
    return isinstance(node, ir.Apply) and node.function == "id"


def _is_distance(node: ir.Apply) -> bool:
    return node.function == "point.distance" and len(node.args) == 2
