"""Features of patterns and of the clauses around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from graphir import ir, types
from graphir.backends.engines.features.asked import Asked
from graphir.ir.names import is_generated

_PATTERN = (ir.NodePattern, ir.EdgePattern)
_NESTED = (ir.PatternComprehension, ir.PatternExpression, ir.Subquery)


def pattern_at_null(asked: Asked) -> Iterator[ir.Node]:
    nullable = _nullable(asked)
    for node in asked.nodes:
        if isinstance(node, _NESTED):
            used = {each.variable for each in ir.walk(node) if isinstance(each, _PATTERN)}
            if used & nullable:
                yield node


def null_node_alone(asked: Asked) -> Iterator[ir.Node]:
    """MATCH of a node alone that an OPTIONAL MATCH may have left null."""
    nullable = _nullable(asked)
    for node in asked.nodes:
        if isinstance(node, ir.Match) and not node.optional:
            yield from (path for path in node.paths if len(path.elements) == 1 and _variables(path) & nullable)


def _variables(node: ir.Node) -> set[str]:
    return {each.variable for each in ir.walk(node) if isinstance(each, _PATTERN) and each.variable}


def _nullable(asked: Asked) -> set[str]:
    """Variables that an OPTIONAL MATCH binds, also under the names that they are carried on by."""
    found: set[str] = set()
    _bind(asked.core, frozenset(), found)
    changed = bool(found)
    while changed:
        before = len(found)
        for node in asked.nodes:
            if isinstance(node, ir.Item) and node.name and _may_be_one(node.value, found):
                found.add(node.name)
        changed = len(found) > before
    return found


def _bind(node: ir.Node, bound: frozenset[str], found: set[str]) -> None:
    """Add what OPTIONAL MATCH binds anew in a body, clause by clause."""
    for child in ir.children(node):
        _bind(child, bound, found)
        if isinstance(node, ir.Pipeline) and isinstance(child, ir.Match):
            names = {name for path in child.paths for name in _variables(path)}
            found |= names - bound if child.optional else set()
            bound |= names


def _may_be_one(value: ir.Expression, names: set[str]) -> bool:
    """Whether a value may be an element that one of the variables holds: what is counted or read of it is none."""
    match value:
        case ir.Ref(name=name):
            return name in names
        case ir.Property() | ir.Subquery() | ir.PatternComprehension():
            return False
        case ir.Apply(function=function) if function not in _PASSING:
            return False
        case _:
            return any(_may_be_one(child, names) for child in ir.children(value) if isinstance(child, ir.Expression))


_PASSING = (
    "coalesce",
    "head",
    "last",
    "min",
    "max",
    "startNode",
    "endNode",
    "nodes",
    "relationships",
    "collect",
    "nullIf",
)
"""Functions that may give an element."""


def null_projection(asked: Asked) -> Iterator[ir.Node]:
    nullable = _nullable(asked)
    for node in asked.nodes:
        if isinstance(node, ir.MapProjection) and isinstance(node.base, ir.Ref) and node.base.name in nullable:
            yield node


def loop_in_subquery(asked: Asked) -> Iterator[ir.Node]:
    """A path of a subquery that comes back to a node which it binds itself."""
    for node in asked.nodes:
        if isinstance(node, _NESTED):
            inner = list(ir.walk(node))
            own = set(map(id, inner))
            outer = {each.variable for each in asked.nodes if isinstance(each, ir.NodePattern) and id(each) not in own}
            for path in (each for each in inner if isinstance(each, ir.Path)):
                names = [each.variable for each in path.elements if isinstance(each, ir.NodePattern) and each.variable]
                names = [name for name in names if name not in outer]
                if len(set(names)) < len(names):
                    yield path


def loop_of_bound_edge(asked: Asked) -> Iterator[ir.Node]:
    """A relationship between a node and itself that something else binds, too: a path, a list, a subquery."""
    bound = Counter(node.variable for node in asked.nodes if isinstance(node, (ir.EdgePattern, ir.Unwind)))
    for path in (node for node in asked.nodes if isinstance(node, ir.Path)):
        for before, edge, behind in zip(path.elements, path.elements[1:], path.elements[2:], strict=False):
            ends = [end.variable for end in (before, behind) if isinstance(end, ir.NodePattern)]
            if isinstance(edge, ir.EdgePattern) and len(ends) == 2 > len(set(ends)) and bound[edge.variable] > 1:
                yield edge


def pattern_in_comprehension(asked: Asked) -> Iterator[ir.Node]:
    """An EXISTS in the condition of a pattern comprehension, or of the COUNT that core makes of its size."""
    for node in asked.nodes:
        match node:
            case ir.PatternComprehension():
                yield from _patterns_in(node.where)
            case ir.Subquery(kind="count", body=ir.Pipeline(operators=(ir.Match() as found,))):
                yield from _patterns_in(found.where)


def _patterns_in(condition: ir.Expression | None) -> Iterator[ir.Node]:
    for each in () if condition is None else ir.walk(condition):
        if isinstance(each, ir.Subquery | ir.PatternExpression):
            yield each


def bound_edge_in_subquery(asked: Asked) -> Iterator[ir.Node]:
    """A pattern of a subquery with a relationship that is bound outside of it."""
    for node in asked.nodes:
        if isinstance(node, _NESTED):
            inner = list(ir.walk(node))
            own = set(map(id, inner))
            outer = {each.variable for each in asked.nodes if isinstance(each, ir.EdgePattern) and id(each) not in own}
            yield from (
                each for each in inner if isinstance(each, ir.EdgePattern) and each.variable and each.variable in outer
            )


def pattern_in_quantifier(asked: Asked) -> Iterator[ir.Node]:
    for node in asked.nodes:
        if isinstance(node, ir.Quantified):
            yield from _patterns_in(node.predicate)


def undirected_group(asked: Asked) -> Iterator[ir.Node]:
    """A repeated group with an edge of either direction."""
    for node in asked.nodes:
        if isinstance(node, ir.PathGroup) and node.quantifier is not None:
            yield from (each for each in ir.walk(node) if isinstance(each, ir.EdgePattern) and each.direction == "any")


def counted_undirected(asked: Asked) -> Iterator[ir.Node]:
    """A count of the rows of a path with several edges, some of either direction."""
    if any(True for _ in asked.calls("count_star", "count")):
        for node in asked.nodes:
            if isinstance(node, ir.Path):
                edges = [each for each in node.elements if isinstance(each, ir.EdgePattern)]
                if len(edges) > 1:
                    yield from (each for each in edges if each.direction == "any")


def computed_order(asked: Asked) -> Iterator[ir.Node]:
    """A computed value that is sorted, after an OPTIONAL MATCH with a property map of another variable; with a WHERE
    in an element that looks at one from before, a property is enough."""
    optional = [node for node in asked.nodes if isinstance(node, ir.Match) and node.optional]
    looks_out = any(map(_where_of_outer, optional))
    if looks_out or any(map(_map_of_variable, optional)):
        plain = (ir.Ref,) if looks_out else (ir.Ref, ir.Property)
        projected = {item.name: item.value for item in asked.nodes if isinstance(item, ir.Item)}
        for node in asked.nodes:
            if isinstance(node, ir.SortKey):
                value = projected.get(node.value.name, node.value) if isinstance(node.value, ir.Ref) else node.value
                if not isinstance(value, plain):
                    yield node


def _map_of_variable(node: ir.Match) -> bool:
    elements = (each for path in node.paths for each in ir.walk(path) if isinstance(each, _PATTERN))
    maps = (each.properties for each in elements if each.properties is not None)
    return any(isinstance(each, ir.Ref) for found in maps for each in ir.walk(found))


def _where_of_outer(node: ir.Match) -> bool:
    """Whether a WHERE inside of an element speaks of a variable that the MATCH does not have."""
    elements = [each for path in node.paths for each in ir.walk(path) if isinstance(each, _PATTERN)]
    own = {each.variable for each in elements}
    found = [part for each in elements if each.where is not None for part in ir.walk(each.where)]
    return any(isinstance(part, ir.Ref) and part.name not in own for part in found)


def edge_matched_twice(asked: Asked) -> Iterator[ir.Node]:
    """One MATCH that has the same variable of a relationship in two places."""
    for node in asked.nodes:
        if isinstance(node, ir.Match):
            seen: set[str] = set()
            for edge in (each for path in node.paths for each in ir.walk(path) if isinstance(each, ir.EdgePattern)):
                if edge.variable in seen:
                    yield edge
                seen |= {edge.variable} if edge.variable else set()


def condition_on_shortest(asked: Asked) -> Iterator[ir.Node]:
    """A shortestPath or allShortestPaths with a WHERE that speaks of the path or its relationships."""
    for node in asked.nodes:
        if isinstance(node, ir.Match) and node.where is not None:
            named: set[str] = set()
            for path in node.paths:
                if path.selector is not None and path.selector.kind in ("shortest_path", "all_shortest_paths"):
                    named |= {each for each in (path.variable, *_edges(path)) if each}
            if any(isinstance(each, ir.Ref) and each.name in named for each in ir.walk(node.where)):
                yield node.where


def _edges(path: ir.Path) -> list[str | None]:
    return [each.variable for each in ir.walk(path) if isinstance(each, ir.EdgePattern)]


def end_of_loop(asked: Asked) -> Iterator[ir.Node]:
    """startNode or endNode in the condition of a pattern that may match a relationship from a node to itself."""
    for node in asked.nodes:
        condition = node.where if isinstance(node, ir.Match) else None
        condition = node.predicate if isinstance(node, ir.Filter) else condition
        for each in () if condition is None else ir.walk(condition):
            if isinstance(each, ir.Apply) and each.function in ("startNode", "endNode"):
                yield each


# ------------------------------------------------------------------ repetitions


def open_repetition(asked: Asked) -> Iterator[ir.Node]:
    yield from (node for node, bounds in _repetitions(asked.nodes) if bounds.high is None)


def repetition_from_bare_node(asked: Asked) -> Iterator[ir.Node]:
    """A repetition whose relationships have a name, behind a node without labels and properties."""
    for path in (node for node in asked.nodes if isinstance(node, ir.Path)):
        for before, edge in pairwise(path.elements):
            bare = isinstance(before, ir.NodePattern) and before.labels is None and before.properties is None
            if bare and isinstance(edge, ir.EdgePattern) and edge.quantifier and not is_generated(edge.variable):
                yield edge


def nameless_in_nameless(asked: Asked) -> Iterator[ir.Node]:
    """A node without a name whose property map has a subquery with such a node."""
    for node in asked.nodes:
        if isinstance(node, ir.NodePattern) and is_generated(node.variable) and node.properties is not None:
            inner = (
                each for part in ir.walk(node.properties) if isinstance(part, ir.Subquery) for each in ir.walk(part)
            )
            if any(isinstance(each, ir.NodePattern) and is_generated(each.variable) for each in inner):
                yield node


def dotted_variable(asked: Asked) -> Iterator[ir.Node]:
    """A property of a variable whose name has a dot."""
    for node in asked.nodes:
        if isinstance(node, ir.Property) and isinstance(node.base, ir.Ref) and "." in node.base.name:
            yield node


def repetition(asked: Asked) -> Iterator[ir.Node]:
    yield from (node for node, _ in _repetitions(asked.nodes))


def _repetitions(nodes: tuple[ir.Node, ...] | Iterator[ir.Node]) -> Iterator[tuple[ir.Node, ir.Bounds]]:
    for node in nodes:
        if isinstance(node, ir.EdgePattern | ir.PathGroup):
            bounds = node.quantifier or (node.hops if isinstance(node, ir.EdgePattern) else None)
            if bounds is not None:
                yield node, bounds


# ------------------------------------------------------------------ property maps, labels, edges


def _maps(asked: Asked) -> Iterator[ir.Expression]:
    """The property maps of patterns that are matched."""
    for operator in asked.nodes:
        if isinstance(operator, ir.Match):
            for node in (each for path in operator.paths for each in ir.walk(path)):
                if isinstance(node, _PATTERN) and node.properties is not None:
                    yield node.properties


def variable_maps(asked: Asked) -> Iterator[ir.Node]:
    yield from (found for found in _maps(asked) if any(isinstance(each, ir.Ref) for each in ir.walk(found)))


def null_maps(asked: Asked) -> Iterator[ir.Node]:
    for found in _maps(asked):
        for each in ir.walk(found):
            nothing = isinstance(each, ir.Literal) and each.value is None
            if nothing or (isinstance(each, ir.Parameter) and asked.parameters.get(each.name) is None):
                yield found


def map_of_another_edge(asked: Asked) -> Iterator[ir.Node]:
    """The property map of a relationship that reads a property of another one."""
    for node in asked.nodes:
        if isinstance(node, ir.EdgePattern) and node.properties is not None:
            for each in ir.walk(node.properties):
                if isinstance(each, ir.Property) and asked.kind(each.base) & types.RELATIONSHIP:
                    yield each


def several_edges(asked: Asked) -> Iterator[ir.Node]:
    for node in asked.nodes:
        if isinstance(node, ir.Match):
            edges = [each for path in node.paths for each in ir.walk(path) if isinstance(each, ir.EdgePattern)]
            yield from edges[1:]


def conjunctions(asked: Asked) -> Iterator[ir.Node]:
    yield from (node for node in asked.nodes if isinstance(node, ir.LabelAnd))


# ------------------------------------------------------------------ clauses


def optional_subquery(asked: Asked) -> Iterator[ir.Node]:
    for node in asked.nodes:
        if isinstance(node, ir.Match) and node.optional and node.where is not None:
            yield from (each for each in ir.walk(node.where) if isinstance(each, _NESTED))
