"""Selections of paths: the shortest between two nodes.

GoogleSQL has a mode or a selector on one path, not both: a trail is a path in parentheses there.  The shortest walk
between two nodes repeats no relationship where all of them are followed one way and any number of them will do.
"""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.ir.node import replace

WORDS = {"any_shortest": "ANY SHORTEST", "any": "ANY"}
_ONE = ("shortest_path", "any_shortest", "any")


def selected(path: ir.Path, report: Report) -> ir.Path:
    """A path of the selection, with the mode where the target takes it."""
    selector = path.selector
    assert selector is not None
    one = selector.count is None or (isinstance(selector.count, ir.Literal) and selector.count.value == 1)
    if selector.kind not in _ONE and not (selector.kind == "shortest" and one):
        raise report.refusal("path-selector", path, "this selection of paths")
    if not one:
        raise report.refusal("path-selector", path, "a selection of several paths")
    kind = "any" if selector.kind == "any" else "any_shortest"
    made = replace(path, selector=ir.Selector(kind))
    if path.mode is None or _is_walk(path):
        return replace(made, mode=None)
    inner = ir.PathGroup(ir.Path(path.elements, mode=path.mode))
    return replace(made, elements=(inner,), mode=None)


def _is_walk(path: ir.Path) -> bool:
    """Whether a shortest walk is a trail."""
    edges = [element for element in path.elements if isinstance(element, ir.EdgePattern)]
    if len(edges) != 1 or path.mode != "trail":
        return False
    quantifier = edges[0].quantifier
    return edges[0].direction != "any" and (quantifier is None or quantifier.low <= 1)
