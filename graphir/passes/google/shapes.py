"""The shape of path patterns: bounds of quantifiers, selectors and modes, the least number of nodes, costs.

Knows no names and no types.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphir import ir
from graphir.passes.google.analysis import Analysis
from graphir.passes.google.places import name_at, skip, span_of
from graphir.source import Span

RESTRICTIVE = frozenset({"trail", "acyclic", "simple"})


def check_shape(state: Analysis, path: ir.Path) -> bool:
    """Reports what is wrong with the shape of a path pattern; whether it is sound."""
    before = len(state.found)
    _check_prefix(state, path)
    bounded = _is_selective(path) or path.mode in RESTRICTIVE
    _check_elements(state, path, bounded)
    if len(state.found) == before and not _least_nodes(path.elements):
        state.report(
            "G252",
            "The pattern may match nothing: it needs a node or an edge that is always there",
            path,
            "begin it with a node `()`, or let the quantifier begin at 1",
        )
    if path.selector is not None and path.selector.kind.endswith("cheapest") and len(state.found) == before:
        _check_cheapest(state, path)
    return len(state.found) == before


def _is_selective(path: ir.Path) -> bool:
    return path.selector is not None and path.selector.kind != "all"


# ------------------------------------------------------------------ selectors and modes


def _check_prefix(state: Analysis, path: ir.Path) -> None:
    selector = path.selector
    at = _prefix_at(state, path)
    if path.variable is not None and not state.has("PATH_TYPE"):
        state.report("G345", "Path variables are no part of the language here", path)
    if selector is not None and selector.kind in ("all_shortest", "all_cheapest"):
        kind = selector.kind.upper().replace("_", " ")
        state.report("G254", f"{kind} is not implemented", at, f"write {kind.replace('ALL', 'ANY')}")
    elif selector is not None and path.mode is not None:
        state.report(
            "G254",
            "A selector and a path mode exclude each other on one path",
            at,
            f"write the mode inside: ({path.mode.upper()} ..)",
        )
    elif path.mode is not None and not state.has("PATH_MODE"):
        state.report("G345", "Path modes are no part of the language here", at)
    elif selector is not None and selector.count is not None and not state.has("PATH_SEARCH_PREFIX_PATH_COUNT"):
        state.report("G345", "A number of paths is no part of the language here", selector.count)


def _prefix_at(state: Analysis, path: ir.Path) -> Span:
    """Where the selector or the mode of a path begins."""
    if path.selector is not None and path.selector.span is not None:
        return path.selector.span
    span = span_of(path)
    if path.variable is None:
        return name_at(state.text, span.start)
    after = name_at(state.text, span.start).end
    return name_at(state.text, skip(state.text, after) + 1)


# ------------------------------------------------------------------ groups and quantifiers


def _check_elements(state: Analysis, path: ir.Path, bounded: bool) -> None:
    for element in path.elements:
        if isinstance(element, ir.NodePattern):
            if element.cost is not None:
                state.report("G255", "Only an edge has a COST", element.cost)
            continue
        bounds = element.quantifier
        if bounds is not None:
            _check_bounds(state, bounds, bounded)
        if isinstance(element, ir.EdgePattern):
            if element.cost is not None and not state.has("CHEAPEST_PATH"):
                state.report("G345", "COST is no part of the language here", element.cost)
            continue
        _check_group(state, element, bounded)


def _check_group(state: Analysis, group: ir.PathGroup, bounded: bool) -> None:
    inner = group.path
    if group.quantifier is not None and _has_quantifier(inner):
        state.report("G253", "A repeated pattern cannot hold a repeated pattern", group, "repeat one of the two")
    if inner.selector is not None:
        state.report(
            "G254",
            f"A selector stands in front of a whole path, not inside of it: {inner.selector.kind.upper()}",
            _prefix_at(state, inner),
        )
    if inner.variable is not None:
        state.report("G256", f"`{inner.variable}` names a part of a path", inner, "name the whole path")
    if inner.mode is not None and not state.has("PATH_MODE"):
        state.report("G345", "Path modes are no part of the language here", _prefix_at(state, inner))
    _check_elements(state, inner, bounded or (group.quantifier is None and inner.mode in RESTRICTIVE))
    if group.quantifier is not None and not _has_edge(inner):
        state.report("G252", "A repeated pattern needs an edge", group)


def _has_quantifier(path: ir.Path) -> bool:
    return any(isinstance(each, ir.Bounds) for each in ir.walk(path) if not isinstance(each, ir.Expression))


def _has_edge(path: ir.Path) -> bool:
    for element in path.elements:
        if isinstance(element, ir.EdgePattern) and (element.quantifier is None or _least(element.quantifier)):
            return True
        if isinstance(element, ir.PathGroup) and _has_edge(element.path):
            return True
    return False


def _least(bounds: ir.Bounds) -> bool:
    return bounds.low > 0 or bounds.low_parameter is not None


def _check_bounds(state: Analysis, bounds: ir.Bounds, bounded: bool) -> None:
    unlimited = bounds.high is None and bounds.high_parameter is None
    if unlimited and not state.has("UNBOUNDED_PATH_QUANTIFICATION"):
        state.report(
            "G345", "A repetition without limit is no part of the language here", bounds, "give it an upper bound"
        )
    elif unlimited and not bounded:
        state.report(
            "G251",
            "A repetition without limit needs a selector (ANY, ANY SHORTEST) or a mode (TRAIL, ACYCLIC, SIMPLE)",
            bounds,
            "write ANY in front of the path, or give it an upper bound",
        )
    low, high = _bound_places(state, bounds)
    if bounds.high == 0:
        state.report("G250", "The upper bound is at least 1", high)
    elif bounds.high is not None and bounds.low > bounds.high:
        state.report("G250", f"The lower bound {bounds.low} is above the upper bound {bounds.high}", low)


def _bound_places(state: Analysis, bounds: ir.Bounds) -> tuple[Span, Span]:
    span = span_of(bounds)
    first = name_at(state.text, span.start + 1)
    comma = state.text.find(",", span.start, span.end)
    return first, first if comma < 0 else name_at(state.text, comma + 1)


def _least_nodes(elements: Sequence[ir.Node]) -> int:
    """The least number of elements that a match has; an edge brings its ends."""
    count = 0
    for element in elements:
        bounds = element.quantifier if isinstance(element, (ir.EdgePattern, ir.PathGroup)) else None
        if bounds is not None and not _least(bounds):
            continue
        count += 1 if not isinstance(element, ir.PathGroup) else _least_nodes(element.path.elements)
    return count


# ------------------------------------------------------------------ costs


def _check_cheapest(state: Analysis, path: ir.Path) -> None:
    if not any(edge.cost is not None for edge in edges_of(path)):
        state.report("G255", "CHEAPEST needs a COST on an edge", _prefix_at(state, path), "write -[e COST e.amount]->")
        return
    for element in path.elements:
        quantified = getattr(element, "quantifier", None) is not None
        edges = list(edges_of(element)) if quantified else []
        if quantified and not any(edge.cost is not None for edge in edges):
            state.report("G255", "A repeated part of a CHEAPEST path needs a COST on one of its edges", element)


def edges_of(node: ir.Node) -> Iterator[ir.EdgePattern]:
    """The edges of a pattern, from left to right."""
    if isinstance(node, ir.EdgePattern):
        yield node
    elif isinstance(node, ir.PathGroup):
        yield from edges_of(node.path)
    elif isinstance(node, ir.Path):
        for element in node.elements:
            yield from edges_of(element)


def nodes_at_ends(path: ir.Path) -> frozenset[str]:
    """The variables of the first and the last node, without case."""
    found = set()
    for at in (0, -1):
        end = path.elements[at]
        while isinstance(end, ir.PathGroup) and end.quantifier is None:
            end = end.path.elements[at]
        if isinstance(end, ir.NodePattern) and end.variable is not None:
            found.add(end.variable.lower())
    return frozenset(found)
