"""In what the three Cypher dialects differ: features as named predicates on nodes, and the set that each dialect has.

Data, and nothing else: how a missing feature is said with those that are there is `legalize`.  The facts are those of
the openCypher 9 grammar and TCK and of a Neo4j server that runs Cypher 5 and Cypher 25.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphir import ir
from graphir.functions import FUNCTIONS
from graphir.ir import Node

Predicate = Callable[..., bool]


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that a dialect may lack.

    `title` completes "openCypher 9 has no ...", `code` is the diagnostic of its refusal.
    """

    name: str
    title: str
    code: str
    classes: tuple[type[Node], ...]
    holds: Predicate


FEATURES: dict[str, Feature] = {}
"""Name -> feature, in the order in which they are looked for."""

CLASS_FEATURES: dict[type[Node], list[Feature]] = {}
"""The features that a node of a class may have."""


def _feature(name: str, title: str, code: str, *classes: type[Node], when: Predicate = lambda node: True) -> None:
    feature = Feature(name, title, code, classes, when)
    FEATURES[name] = feature
    for cls in classes:
        CLASS_FEATURES.setdefault(cls, []).append(feature)


# ------------------------------------------------------------------ what the predicates ask

_LEGACY_SELECTORS = ("shortest_path", "all_shortest_paths")
_PATTERN_OWNERS = (ir.Match, ir.PatternComprehension, ir.PatternExpression)


def paths_of(node: Node) -> tuple[ir.Path, ...]:
    """The paths of a node that has patterns."""
    if isinstance(node, (ir.Match, ir.Insert)):
        return node.paths
    if isinstance(node, (ir.PatternComprehension, ir.PatternExpression, ir.Merge, ir.PathGroup)):
        return (node.path,)
    return ()


def elements(node: Node) -> Iterator[ir.PathElement]:
    """The elements of the paths of a node, those of groups too."""
    pending = [element for path in reversed(paths_of(node)) for element in reversed(path.elements)]
    while pending:
        element = pending.pop()
        yield element
        if isinstance(element, ir.PathGroup):
            pending.extend(reversed(element.path.elements))


def _paths(node: Node) -> Iterator[ir.Path]:
    yield from paths_of(node)
    for element in elements(node):
        if isinstance(element, ir.PathGroup):
            yield element.path


def is_legacy(path: ir.Path) -> bool:
    """Whether the path is inside `shortestPath(..)` or `allShortestPaths(..)`."""
    return path.selector is not None and path.selector.kind in _LEGACY_SELECTORS


def is_plain_labels(labels: ir.LabelExpression | None) -> bool:
    """A label, or a conjunction of labels."""
    if isinstance(labels, ir.LabelAnd):
        return all(isinstance(x, ir.LabelName) for x in labels.operands)
    return labels is None or isinstance(labels, ir.LabelName)


def is_plain_types(labels: ir.LabelExpression | None) -> bool:
    """A relationship type, or a list of alternatives."""
    if isinstance(labels, ir.LabelOr):
        return all(isinstance(x, ir.LabelName) for x in labels.operands)
    return labels is None or isinstance(labels, ir.LabelName)


def is_dynamic(labels: ir.LabelExpression | None) -> bool:
    return labels is not None and any(isinstance(x, ir.LabelDynamic) for x in ir.walk(labels))


def _node_expression(node: Node) -> bool:
    return any(isinstance(x, ir.NodePattern) and not is_plain_labels(x.labels) for x in elements(node))


def _type_expression(node: Node) -> bool:
    return any(isinstance(x, ir.EdgePattern) and not is_plain_types(x.labels) for x in elements(node))


def _long_type_expression(node: Node) -> bool:
    return any(isinstance(x, ir.EdgePattern) and x.hops and not is_plain_types(x.labels) for x in elements(node))


def _dynamic_labels(node: Node) -> bool:
    return any(not isinstance(x, ir.PathGroup) and is_dynamic(x.labels) for x in elements(node))


def _inline_where(node: Node) -> bool:
    return any(not isinstance(x, ir.PathGroup) and x.where is not None for x in elements(node))


def _long_where(node: Node) -> bool:
    return any(isinstance(x, ir.EdgePattern) and x.hops and x.where is not None for x in elements(node))


def _newer_function(level: str) -> Predicate:
    def holds(node: ir.Apply) -> bool:
        return FUNCTIONS[node.function].since == level and node.function != "concat"

    return holds


def function_with(*names: str, counts: tuple[int, ...] = ()) -> Predicate:
    """Whether a node applies one of the functions, to one of these numbers of arguments if any are given."""

    def holds(node: ir.Apply) -> bool:
        return node.function in names and (not counts or len(node.args) in counts)

    return holds


def _of_pattern(node: ir.Apply) -> bool:
    return node.function == "size" and len(node.args) == 1 and isinstance(node.args[0], ir.PatternExpression)


def _of_property(node: ir.Apply) -> bool:
    args = node.args
    return node.function == "exists" and len(args) == 1 and isinstance(args[0], (ir.Property, ir.Index))


def _of_list(node: ir.Apply) -> bool:
    """What is left of exists() of a pattern when the pattern has been rewritten."""
    return node.function == "exists" and isinstance(node.args[0], (ir.PatternComprehension, ir.Apply))


def _special_float(node: ir.Literal) -> bool:
    return isinstance(node.value, float) and not math.isfinite(node.value)


def _unusual_nulls(node: ir.Order | ir.Project) -> bool:
    keys = node.keys if isinstance(node, ir.Order) else node.order
    return any(key.nulls != ("first" if key.descending else "last") for key in keys)


def _has_vector(node: ir.ValueType) -> bool:
    return node.name == "VECTOR"


def _subject_test(node: ir.Case) -> bool:
    return any(test_of_subject(test) for branch in node.branches for test in branch.tests)


def test_of_subject(test: ir.Expression) -> bool:
    """Whether an alternative of CASE is written without its subject (`WHEN > 3`)."""
    inner = test.args[0] if isinstance(test, ir.Apply) and test.function == "not" else test
    if isinstance(inner, ir.Apply):
        return bool(inner.args) and isinstance(inner.args[0], ir.CaseSubject)
    return isinstance(inner, (ir.IsTyped, ir.IsNormalized, ir.HasLabels)) and isinstance(inner.base, ir.CaseSubject)


def _dynamic_target(node: ir.SetProperty | ir.RemoveProperty) -> bool:
    return isinstance(node.target, ir.Index)


def _dynamic_change(node: ir.SetLabels | ir.RemoveLabels) -> bool:
    return any(isinstance(label, ir.LabelDynamic) for label in node.labels)


def _element_copy(node: ir.SetProperties) -> bool:
    return isinstance(node.value, ir.Ref)


def _nested(node: ir.SetOperation) -> bool:
    return any(not isinstance(branch, ir.Pipeline) for branch in node.branches)


def _subquery(kind: str) -> Predicate:
    def holds(node: ir.Subquery) -> bool:
        return node.kind == kind

    return holds


def _selector(node: Node) -> bool:
    return any(path.selector is not None and not is_legacy(path) for path in _paths(node))


def _quantifier_in_legacy(node: Node) -> bool:
    edges = [x for path in _paths(node) if is_legacy(path) for x in path.elements if isinstance(x, ir.EdgePattern)]
    return any(edge.quantifier is not None for edge in edges)


# ------------------------------------------------------------------ the features

_feature("cypher-5-prefix", "prefix CYPHER 5", "G508", ir.Query, when=lambda q: q.version == "5")
_feature("cypher-25-prefix", "prefix CYPHER 25", "G508", ir.Query, when=lambda q: q.version == "25")
_feature("query-options", "options before the query", "G508", ir.Query, when=lambda q: bool(q.options))
_feature("explain", "EXPLAIN and PROFILE", "G508", ir.Query, when=lambda q: q.execution is not None)
_feature("command", "index, constraint, SHOW, database and user commands", "G509", ir.Command)

_feature("next", "NEXT", "G501", ir.Next)
_feature("when", "conditional queries (WHEN .. THEN ..)", "G501", ir.Conditional)
_feature("set-difference", "EXCEPT, INTERSECT and OTHERWISE", "G507", ir.SetOperation, when=lambda s: s.kind != "union")
_feature("nested-union", "UNION of parts in braces", "G507", ir.SetOperation, when=_nested)

_feature("aggregate-operator", "grouping as a step of its own", "G501", ir.Aggregate)
_feature("filter", "FILTER", "G501", ir.Filter)
_feature("let", "LET", "G501", ir.Let)
_feature("order-clause", "ORDER BY as a clause", "G501", ir.Order)
_feature("page-clause", "SKIP, OFFSET and LIMIT as clauses", "G501", ir.Page)
_feature("finish", "FINISH", "G501", ir.Finish)
_feature("foreach", "FOREACH", "G501", ir.Foreach)
_feature("use", "USE", "G501", ir.Use)
_feature("load-csv", "LOAD CSV", "G501", ir.LoadCsv)
_feature("subquery-call", "CALL { .. }", "G501", ir.SubqueryCall)
_feature("optional-call", "OPTIONAL CALL", "G501", ir.ProcedureCall, when=lambda c: c.optional)
_feature(
    "unwind-position", "position of an unwound element", "G501", ir.Unwind, when=lambda u: u.ordinality or u.offset
)
_feature("group-by", "GROUP BY", "G506", ir.Project, when=lambda p: p.group_by is not None)
_feature("null-order", "NULLS FIRST and NULLS LAST", "G506", ir.Order, ir.Project, when=_unusual_nulls)

_feature("index-hint", "planner hints (USING ..)", "G508", ir.Match, when=lambda m: bool(m.hints))
_feature("vector-search", "SEARCH", "G501", ir.Match, when=lambda m: m.search is not None)
_feature(
    *("repeatable-elements", "REPEATABLE ELEMENTS", "G503", ir.Match),
    when=lambda m: m.uniqueness == "repeatable_elements",
)
_feature("path-mode", "path modes", "G503", *_PATTERN_OWNERS, when=lambda n: any(p.mode for p in _paths(n)))
_feature("path-selector", "path selectors (SHORTEST, ANY, ALL)", "G503", *_PATTERN_OWNERS, when=_selector)
_feature(
    "quantifier-in-shortest-path",
    "a quantifier inside shortestPath()",
    "G503",
    *_PATTERN_OWNERS,
    when=_quantifier_in_legacy,
)
_feature(
    *("path-group", "parenthesized and quantified paths", "G503", *_PATTERN_OWNERS),
    when=lambda n: any(isinstance(x, ir.PathGroup) for x in elements(n)),
)
_feature(
    *("quantified-relationship", "quantified relationships", "G503", *_PATTERN_OWNERS),
    when=lambda n: any(isinstance(x, ir.EdgePattern) and x.quantifier for x in elements(n)),
)
_feature(
    "dynamic-label",
    "dynamic labels and types in patterns",
    "G505",
    *_PATTERN_OWNERS,
    ir.Insert,
    ir.Merge,
    when=_dynamic_labels,
)
_feature("label-expression", "label expressions in node patterns", "G505", *_PATTERN_OWNERS, when=_node_expression)
_feature(
    "type-expression", "type expressions in relationship patterns", "G505", *_PATTERN_OWNERS, when=_type_expression
)
_feature(
    "long-type-expression",
    "type expressions in variable length relationships",
    "G505",
    *_PATTERN_OWNERS,
    when=_long_type_expression,
)
_feature("inline-where", "WHERE inside of a pattern element", "G503", *_PATTERN_OWNERS, when=_inline_where)
_feature("long-where", "WHERE inside of a variable length relationship", "G503", *_PATTERN_OWNERS, when=_long_where)

_feature(
    "label-predicate",
    "label expressions in predicates",
    "G505",
    ir.HasLabels,
    when=lambda h: not is_plain_labels(h.labels),
)
_feature("exists-pattern", "EXISTS { .. } of a pattern", "G504", ir.Subquery, when=_subquery("exists"))
_feature("count-subquery", "COUNT { .. }", "G504", ir.Subquery, when=_subquery("count"))
_feature("collect-subquery", "COLLECT { .. }", "G504", ir.Subquery, when=_subquery("collect"))
_feature("value-subquery", "VALUE { .. }", "G504", ir.Subquery, when=_subquery("value"))
_feature("concatenation", "the operator ||", "G504", ir.Apply, when=function_with("concat"))
_feature("type-predicate", "type predicates (IS ::)", "G504", ir.IsTyped)
_feature("vector-type", "the type VECTOR", "G504", ir.ValueType, when=_has_vector)
_feature("normalized-predicate", "IS NORMALIZED", "G504", ir.IsNormalized)
_feature("all-reduce", "allReduce()", "G502", ir.AllReduce)
_feature("reduce", "reduce()", "G502", ir.Reduce)
_feature("subject-test", "WHEN with an operator", "G504", ir.Case, when=_subject_test)
_feature(
    "several-tests",
    "WHEN with several values",
    "G504",
    ir.Case,
    when=lambda c: any(len(b.tests) > 1 for b in c.branches),
)
_feature("map-projection", "map projections", "G504", ir.MapProjection)
_feature("special-float", "literals for infinity and not a number", "G504", ir.Literal, when=_special_float)
_feature("property-exists", "exists(n.property)", "G502", ir.Apply, when=_of_property)
_feature("exists-of-list", "exists() of a list", "G504", ir.Apply, when=_of_list)
_feature("size-of-pattern", "size() of a pattern", "G502", ir.Apply, when=_of_pattern)
_feature("function-of-cypher-5", "functions that came with Cypher 5", "G502", ir.Apply, when=_newer_function("neo4j-5"))
_feature(
    "function-of-cypher-25", "functions that came with Cypher 25", "G502", ir.Apply, when=_newer_function("neo4j-25")
)
_feature("rounding-precision", "round() with a precision", "G502", ir.Apply, when=function_with("round", counts=(2, 3)))
_feature(
    "trimmed-characters",
    "trim functions with characters",
    "G502",
    ir.Apply,
    when=function_with("ltrim", "rtrim", "btrim", "trim", counts=(2,)),
)

_feature(
    "dynamic-property",
    "SET and REMOVE of a property by expression",
    "G504",
    ir.SetProperty,
    ir.RemoveProperty,
    when=_dynamic_target,
)
_feature(
    "dynamic-label-change",
    "SET and REMOVE of a label by expression",
    "G505",
    ir.SetLabels,
    ir.RemoveLabels,
    when=_dynamic_change,
)
_feature("element-as-map", "SET of all properties of another element", "G504", ir.SetProperties, when=_element_copy)


_NOWHERE = frozenset(
    (
        *("set-difference", "aggregate-operator", "unwind-position", "null-order", "quantifier-in-shortest-path"),
        *("long-type-expression", "long-where", "value-subquery", "exists-of-list"),
    )
)
"""Features of the IR that no Cypher has."""

_CYPHER_25_ONLY = frozenset(
    (
        *("cypher-25-prefix", "next", "when", "nested-union", "filter", "let", "group-by", "vector-search"),
        *("repeatable-elements", "path-mode", "vector-type", "all-reduce", "function-of-cypher-25"),
    )
)
_CYPHER_5_ONLY = frozenset(("cypher-5-prefix", "element-as-map"))
_OLD_ONLY = frozenset(("property-exists", "size-of-pattern"))

SUPPORTED: dict[str, frozenset[str]] = {
    "opencypher-9": frozenset(("property-exists", "size-of-pattern", "reduce", "element-as-map")),
    "neo4j-5": frozenset(FEATURES) - _NOWHERE - _CYPHER_25_ONLY - _OLD_ONLY,
    "neo4j-25": frozenset(FEATURES) - _NOWHERE - _CYPHER_5_ONLY - _OLD_ONLY,
}
"""Dialect -> the features that it has."""


def unsupported(node: Node, dialect: str) -> list[Feature]:
    """The features of this node (not of those below it) that the dialect lacks."""
    found = CLASS_FEATURES.get(type(node))
    if not found:
        return []
    supported = SUPPORTED[dialect]
    return [feature for feature in found if feature.name not in supported and feature.holds(node)]
