"""Names that Cypher tells apart and a dialect does not."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graphir import ir
from graphir.backends.gql.features import SUPPORTED, Report


def check_names(query: ir.Query, report: Report, *, known: bool = False) -> None:
    """Refuse names that Cypher tells apart and the dialect does not.  `known`: those of the graph have others there."""
    if "folded-names" in SUPPORTED[report.target]:
        return
    seen: dict[tuple[str, str], str] = {}
    edges = set() if known else {node.variable for node in ir.find(query.body, ir.EdgePattern)}
    for node in ir.find(query.body, *((ir.Parameter,) if known else _NAMING)):
        for sort, name in given(node, edges):
            first = seen.setdefault((sort, name.casefold()), name)
            if first != name or not name:
                shown = f"the {sort} `{name}`" + (f" beside `{first}`" if name else "")
                raise report.refusal("folded-names", node, shown)


_NAMING = (ir.Property, ir.Entry, ir.Parameter, ir.NodePattern, ir.EdgePattern, ir.HasLabels)


def given(node: ir.Node, edges: Collection[str | None]) -> Iterator[tuple[str, str]]:
    """The names of the graph that a node mentions, with what they name; `edges` are the variables of edges."""
    if isinstance(node, (ir.Property, ir.Entry)):
        yield "property", node.key
    elif isinstance(node, ir.Parameter):
        yield "parameter", node.name
    elif isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.HasLabels)) and node.labels is not None:
        base = node.base if isinstance(node, ir.HasLabels) else None
        is_type = isinstance(node, ir.EdgePattern) or (isinstance(base, ir.Ref) and base.name in edges)
        for label in ir.find(node.labels, ir.LabelName):
            yield "type" if is_type else "label", label.name
