"""In what the three Cypher dialects differ: features as named predicates on nodes, and the set that each dialect has.

Data, and nothing else: how a missing feature is said with those that are there is `legalize`.  The facts are those of
the openCypher 9 grammar and TCK and of a Neo4j server that runs Cypher 5 and Cypher 25.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

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


# ------------------------------------------------------------------ what the predicates ask

_TRIMS = ("ltrim", "rtrim", "btrim", "trim")
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


def _moded(node: Node) -> bool:
    return any(path.mode is not None for path in _paths(node))


def _grouped(node: Node) -> bool:
    return any(isinstance(x, ir.PathGroup) for x in elements(node))


def _quantified(node: Node) -> bool:
    return any(isinstance(x, ir.EdgePattern) and x.quantifier is not None for x in elements(node))


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


_NEWER_TYPES = frozenset(("VECTOR", "UUID", "INTEGER32", "INTEGER16", "INTEGER8", "FLOAT32"))


def _newer_type(node: ir.ValueType) -> bool:
    return node.name in _NEWER_TYPES


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


_WRITES = (ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach)
_READS = (ir.Match, ir.Unwind, ir.LoadCsv, ir.ProcedureCall, ir.SubqueryCall)


def reads_after_write(before: ir.Operator, after: ir.Operator) -> bool:
    """Whether the second of two clauses reads and the first one writes."""
    return isinstance(before, _WRITES) and isinstance(after, _READS)


def _read_after_write(node: ir.Pipeline) -> bool:
    return any(reads_after_write(a, b) for a, b in pairwise(node.operators))


def created_and_read(node: ir.Insert | ir.Merge) -> set[str]:
    """The variables of the patterns of a write that its own properties read."""
    named = {x.variable for x in elements(node) if not isinstance(x, ir.PathGroup) and x.variable}
    properties = [x.properties for x in elements(node) if not isinstance(x, ir.PathGroup) and x.properties is not None]
    return named & {x.name for part in properties for x in ir.walk(part) if isinstance(x, ir.Ref)}


def _reads_created(node: ir.Insert | ir.Merge) -> bool:
    return bool(created_and_read(node))


def _without_columns(node: ir.Project) -> bool:
    return not node.items and not node.star


def _parameter_count(node: ir.Selector) -> bool:
    return isinstance(node.count, ir.Parameter)


_CHEAPEST = ("any_cheapest", "all_cheapest", "cheapest")


def _parameter_bound(node: ir.Bounds) -> bool:
    return node.low_parameter is not None or node.high_parameter is not None


def _selector(node: Node) -> bool:
    return any(path.selector is not None and not is_legacy(path) for path in _paths(node))


def quantified_in_vain(element: ir.PathElement, path: ir.Path) -> bool:
    """Whether a relationship of a clause has a quantifier where only `*` can be written: in shortestPath(), or where
    it allows of no repetition ({0}, and the empty {3,1})."""
    if not isinstance(element, ir.EdgePattern) or element.quantifier is None:
        return False
    low, high = element.quantifier.low, element.quantifier.high
    return is_legacy(path) or (high is not None and (high == 0 or low > high))


def _quantified_in_vain(node: Node) -> bool:
    if not isinstance(node, ir.Match):
        return _quantified(node)
    return any(quantified_in_vain(element, path) for path in _paths(node) for element in path.elements)


def _mixed_lengths(node: ir.Match) -> bool:
    found = {_length_form(x) for owner in clause_patterns(node) for x in elements(owner)}
    return {"hops", "quantifier"} <= found


def _length_form(element: ir.PathElement) -> str:
    if isinstance(element, ir.EdgePattern) and element.hops is not None:
        return "hops"
    return "quantifier" if not isinstance(element, ir.NodePattern) and element.quantifier is not None else ""


def clause_patterns(match: ir.Match) -> Iterator[Node]:
    """The clause, and the patterns of its condition that are not in subqueries."""
    yield match
    pending: list[Node] = [] if match.where is None else [match.where]
    while pending:
        node = pending.pop()
        if isinstance(node, (ir.PatternExpression, ir.PatternComprehension)):
            yield node
        if not isinstance(node, ir.Subquery):
            pending.extend(ir.children(node))


# ------------------------------------------------------------------ the features


def _always(node: Node) -> bool:
    return True


_Row = (
    tuple[str, str, Predicate, type[Node]]
    | tuple[str, str, Predicate, type[Node], type[Node]]
    | tuple[str, str, Predicate, type[Node], type[Node], type[Node]]
    | tuple[str, str, Predicate, type[Node], type[Node], type[Node], type[Node]]
)

_OF_STATEMENTS: dict[str, tuple[_Row, ...]] = {
    "G508": (
        ("cypher-5-prefix", "prefix CYPHER 5", lambda q: q.version == "5", ir.Query),
        ("cypher-25-prefix", "prefix CYPHER 25", lambda q: q.version == "25", ir.Query),
        ("query-options", "options before the query", lambda q: bool(q.options), ir.Query),
        ("explain", "EXPLAIN and PROFILE", lambda q: q.execution is not None, ir.Query),
        ("index-hint", "planner hints (USING ..)", lambda m: bool(m.hints), ir.Match),
    ),
    "G509": (("command", "index, constraint, SHOW, database and user commands", _always, ir.Command),),
    "G507": (
        ("set-difference", "EXCEPT, INTERSECT and OTHERWISE", lambda s: s.kind != "union", ir.SetOperation),
        ("nested-union", "UNION of parts in braces", _nested, ir.SetOperation),
        (
            "columns-by-name",
            "set operations by the names of columns",
            lambda s: s.columns != "position",
            ir.SetOperation,
        ),
    ),
    "G501": (
        ("next", "NEXT", _always, ir.Next),
        ("when", "conditional queries (WHEN .. THEN ..)", _always, ir.Conditional),
        ("aggregate-operator", "grouping as a step of its own", _always, ir.Aggregate),
        ("read-after-write", "reading clause right after a writing one", _read_after_write, ir.Pipeline),
        ("reading-the-created", "write that reads what it creates", _reads_created, ir.Insert, ir.Merge),
        ("empty-query", "query without a clause", lambda p: not p.operators, ir.Pipeline),
        ("empty-projection", "WITH of nothing", _without_columns, ir.Project),
        ("filter", "FILTER", _always, ir.Filter),
        ("let", "LET", _always, ir.Let),
        ("order-clause", "ORDER BY as a clause", _always, ir.Order),
        ("page-clause", "SKIP, OFFSET and LIMIT as clauses", _always, ir.Page),
        ("finish", "FINISH", _always, ir.Finish),
        ("foreach", "FOREACH", _always, ir.Foreach),
        ("use", "USE", _always, ir.Use),
        ("load-csv", "LOAD CSV", _always, ir.LoadCsv),
        ("subquery-call", "CALL { .. }", _always, ir.SubqueryCall),
        ("optional-call", "OPTIONAL CALL", lambda c: c.optional, ir.ProcedureCall),
        ("yield-nothing", "YIELD -", lambda c: c.yields == (), ir.ProcedureCall),
        ("unwind-position", "position of an unwound element", lambda u: bool(u.ordinality or u.offset), ir.Unwind),
        ("vector-search", "SEARCH", lambda m: m.search is not None, ir.Match),
        ("sql", "queries in SQL", _always, ir.Sql),
        ("select", "SELECT and VALUES", _always, ir.Select, ir.TableQuery, ir.Values),
        ("sql-statement", "statements of SQL", _always, ir.SqlStatement),
        ("select-part", "parts of SELECT", _always, ir.Star, ir.Grouping, ir.NamedWindow, ir.RowShape),
        ("table", "tables and GRAPH_TABLE", _always, ir.TableName, ir.GraphTable, ir.TableOperation),
        ("derived-table", "queries as tables", _always, ir.DerivedTable, ir.CommonTable, ir.CommonGraph),
        ("joined-table", "JOIN and UNNEST", _always, ir.Join, ir.UnnestTable),
        ("sample", "TABLESAMPLE", _always, ir.Sample),
        ("graph-name", "graphs, also AS OF, and table functions as arguments", _always, ir.GraphName, ir.Moment),
    ),
    "G506": (
        ("group-by", "GROUP BY", lambda p: p.group_by is not None, ir.Project),
        ("null-order", "NULLS FIRST and NULLS LAST", _unusual_nulls, ir.Order, ir.Project),
    ),
}

_OF_PATTERNS: tuple[tuple[str, str, str, Predicate], ...] = (
    ("path-group", "G503", "parenthesized and quantified paths", _grouped),
    ("path-mode", "G503", "path modes", _moded),
    ("path-selector", "G503", "path selectors (SHORTEST, ANY, ALL)", _selector),
    ("quantifier-in-vain", "G503", "quantifiers in expressions and in shortestPath(), nor {0}", _quantified_in_vain),
    ("dynamic-label", "G505", "dynamic labels and types in patterns", _dynamic_labels),
    ("label-expression", "G505", "label expressions in node patterns", _node_expression),
    ("type-expression", "G505", "type expressions in relationship patterns", _type_expression),
    ("long-type-expression", "G505", "type expressions in variable length relationships", _long_type_expression),
    ("inline-where", "G503", "WHERE inside of a pattern element", _inline_where),
    ("long-where", "G503", "WHERE inside of a variable length relationship", _long_where),
    ("quantified-relationship", "G503", "quantified relationships", _quantified),
)
"""Features of whatever has patterns to match."""

_OF_PARTS: dict[str, tuple[_Row, ...]] = {
    "G503": (
        ("repeatable-elements", "REPEATABLE ELEMENTS", lambda m: m.uniqueness != "different_edges", ir.Match),
        ("mixed-lengths", "clauses with both `*` and quantifiers", _mixed_lengths, ir.Match),
        ("counted-by-parameter", "a parameter as number of paths", _parameter_count, ir.Selector),
        ("cheapest", "paths chosen by their cost", lambda s: s.kind in _CHEAPEST, ir.Selector),
        ("cost", "costs of elements", lambda x: x.cost is not None, ir.NodePattern, ir.EdgePattern),
        ("bounded-by-parameter", "a parameter as number of repetitions", _parameter_bound, ir.Bounds),
    ),
    "G505": (
        (
            "dynamic-label-in-write",
            "dynamic labels and types in CREATE and MERGE",
            _dynamic_labels,
            ir.Insert,
            ir.Merge,
        ),
        ("dynamic-label-predicate", "dynamic labels in predicates", lambda h: is_dynamic(h.labels), ir.HasLabels),
        ("label-predicate", "label expressions in predicates", lambda h: not is_plain_labels(h.labels), ir.HasLabels),
        (
            *("dynamic-label-change", "SET and REMOVE of a label by expression"),
            *(_dynamic_change, ir.SetLabels, ir.RemoveLabels),
        ),
    ),
    "G504": (
        ("exists-pattern", "EXISTS { .. } of a pattern", _subquery("exists"), ir.Subquery),
        ("count-subquery", "COUNT { .. }", _subquery("count"), ir.Subquery),
        ("collect-subquery", "COLLECT { .. }", _subquery("collect"), ir.Subquery),
        ("value-subquery", "VALUE { .. }", _subquery("value"), ir.Subquery),
        ("concatenation", "the operator ||", function_with("concat"), ir.Apply),
        ("type-predicate", "type predicates (IS ::)", _always, ir.IsTyped),
        ("newer-type", "types that came with Cypher 25", _newer_type, ir.ValueType),
        ("normalized-predicate", "IS NORMALIZED", _always, ir.IsNormalized),
        ("subject-test", "WHEN with an operator", _subject_test, ir.Case),
        ("several-tests", "WHEN with several values", lambda c: any(len(b.tests) > 1 for b in c.branches), ir.Case),
        ("cast", "CAST", _always, ir.Cast),
        ("record", "records with an order (STRUCT)", _always, ir.Struct),
        ("named-value", "names of arguments and fields", _always, ir.Named),
        ("record-type", "types of records", lambda t: t.name == "RECORD", ir.ValueType),
        ("lambda", "functions as arguments", _always, ir.Lambda),
        ("modified-aggregate", "ORDER BY, LIMIT and IGNORE NULLS in an aggregate", _always, ir.Modified),
        ("window", "OVER", _always, ir.Window),
        ("collation", "COLLATE", _always, ir.Collated),
        ("worded-call", "words between the arguments of a function", _always, ir.WordedCall),
        ("database-operator", "operators of databases", _always, ir.SqlOperator),
        ("array-slice", "slices from 1", _always, ir.ArraySlice),
        ("filtered-aggregate", "FILTER behind an aggregate", _always, ir.Filtered),
        ("ordered-set-aggregate", "WITHIN GROUP", _always, ir.Within),
        ("unpacking", "fields as columns (`**`)", _always, ir.Unpack),
        ("special-float", "literals for infinity and not a number", _special_float, ir.Literal),
        ("element-as-map", "SET of all properties of another element", _element_copy, ir.SetProperties),
        (
            *("dynamic-property", "SET and REMOVE of a property by expression"),
            *(_dynamic_target, ir.SetProperty, ir.RemoveProperty),
        ),
    ),
    "G502": (
        ("all-reduce", "allReduce()", _always, ir.AllReduce),
        ("reduce", "reduce()", _always, ir.Reduce),
        ("property-exists", "exists(n.property)", _of_property, ir.Apply),
        ("exists-of-list", "exists() of a list", _of_list, ir.Apply),
        ("size-of-pattern", "size() of a pattern", _of_pattern, ir.Apply),
        ("function-of-cypher-5", "functions that came with Cypher 5", _newer_function("neo4j-5"), ir.Apply),
        ("function-of-cypher-25", "functions that came with Cypher 25", _newer_function("neo4j-25"), ir.Apply),
        ("rounding-precision", "round() with a precision", function_with("round", counts=(2, 3)), ir.Apply),
        ("trimmed-characters", "trim functions with characters", function_with(*_TRIMS, counts=(2,)), ir.Apply),
    ),
}

FEATURES: dict[str, Feature] = {
    name: Feature(name, title, code, tuple(classes), holds)
    for table in (_OF_STATEMENTS, _OF_PARTS)
    for code, rows in table.items()
    for name, title, holds, *classes in rows
} | {name: Feature(name, title, code, _PATTERN_OWNERS, holds) for name, code, title, holds in _OF_PATTERNS}
"""Name -> feature, in the order in which they are looked for."""

CLASS_FEATURES: dict[type[Node], list[Feature]] = {}
"""The features that a node of a class may have."""

for _found in FEATURES.values():
    for _class in _found.classes:
        CLASS_FEATURES.setdefault(_class, []).append(_found)


_NOWHERE = frozenset(
    (
        *("select", "select-part", "table", "derived-table", "joined-table", "sample"),
        *("set-difference", "aggregate-operator", "unwind-position", "null-order", "quantifier-in-vain"),
        *("long-type-expression", "long-where", "value-subquery", "exists-of-list", "mixed-lengths"),
        *("empty-query", "empty-projection", "columns-by-name", "cheapest", "cost", "bounded-by-parameter"),
        *("sql", "graph-name", "cast", "record", "named-value", "record-type", "lambda", "modified-aggregate"),
        *(
            "window",
            "unpacking",
            "sql-statement",
            "collation",
            "worded-call",
            "database-operator",
            "array-slice",
            "filtered-aggregate",
            "ordered-set-aggregate",
        ),
    )
)
"""Features of the IR that no Cypher has."""

_CYPHER_25_ONLY = frozenset(
    (
        *("cypher-25-prefix", "next", "when", "nested-union", "filter", "let", "group-by", "vector-search"),
        *("repeatable-elements", "path-mode", "newer-type", "all-reduce", "function-of-cypher-25"),
        *("dynamic-label-predicate", "counted-by-parameter", "read-after-write"),
    )
)
_CYPHER_5_ONLY = frozenset(("cypher-5-prefix", "element-as-map", "reading-the-created"))
_OLD_ONLY = frozenset(("property-exists", "size-of-pattern", "yield-nothing"))

SUPPORTED: dict[str, frozenset[str]] = {
    "opencypher-9": frozenset(
        (
            "property-exists",
            "size-of-pattern",
            "reduce",
            "element-as-map",
            "counted-by-parameter",
            "reading-the-created",
            "yield-nothing",
        )
    ),
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
