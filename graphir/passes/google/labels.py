"""Label expressions: whether their labels are there and of that kind, and which tables they match."""

from __future__ import annotations

from graphir import ir
from graphir.passes.google.analysis import Analysis
from graphir.passes.google.catalog import Element, Graph
from graphir.passes.google.places import span_of
from graphir.passes.google.types import Type


def check_labels(state: Analysis, labels: ir.LabelExpression | None, kind: str, graph: Graph) -> None:
    """Reports labels that the graph does not have, or has on the other kind of element."""
    if labels is None or graph.open or graph.is_dynamic(kind):
        return
    for node in ir.walk(labels):
        if isinstance(node, ir.LabelName):
            _check_label(state, node, kind, graph)


def _check_label(state: Analysis, label: ir.LabelName, kind: str, graph: Graph) -> None:
    name = label.name.lower()
    here = {own.lower(): own for each in graph.of_kind(kind) for own in each.labels}
    if name in here or (name not in graph.labels and graph.more_labels):
        return
    if name in graph.labels:
        what, others = ("a node", "edges") if kind == "GRAPH_NODE" else ("an edge", "nodes")
        state.report(
            "G145", f"Label `{label.name}` is one of {others}, and this is {what}", label, _listed(list(here.values()))
        )
        return
    state.misspelled("G140", f"The graph has no label `{label.name}`", label.name, span_of(label), here.values(), 0.6)


def _listed(labels: list[str]) -> str | None:
    return f"here may stand: {', '.join(labels[:12])}" if labels else None


def type_of_labels(graph: Graph, kind: str, labels: list[ir.LabelExpression]) -> Type:
    """The type of what all of these labels match; of a label that is not there nothing is known."""
    names = [node.name.lower() for label in labels for node in ir.walk(label) if isinstance(node, ir.LabelName)]
    if not graph.is_dynamic(kind) and any(name not in graph.labels for name in names):
        return Type(kind, None, (), graph.name, True)
    return graph.type_of(kind, matching(graph, kind, labels))


def matching(graph: Graph, kind: str, labels: list[ir.LabelExpression]) -> list[Element]:
    """The tables of a kind that all of these match."""
    return [each for each in graph.of_kind(kind) if all(_matches(label, each) is not False for label in labels)]


def _matches(labels: ir.LabelExpression, element: Element) -> bool | None:
    """Whether elements of a table match; None where that depends on the element."""
    match labels:
        case ir.LabelName():
            if labels.name.lower() in element.held:
                return True
            return None if element.dynamic_labels else False
        case ir.LabelNot():
            inner = _matches(labels.operand, element)
            return None if inner is None else not inner
        case ir.LabelAnd():
            found = [_matches(each, element) for each in labels.operands]
            return False if False in found else (None if None in found else True)
        case ir.LabelOr():
            found = [_matches(each, element) for each in labels.operands]
            return True if True in found else (None if None in found else False)
        case _:
            return True
