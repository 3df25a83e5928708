"""What the text of GoogleSQL's graph languages can say, as data: features of the core IR, and who supports them.

A feature is a named predicate on IR nodes.  `FEATURES` that no dialect's set holds are refused wherever a node has
them; the refusals that depend on more than one node (types, scopes) are `LIMITS`, raised by the legalizer where it
meets them.  A node class that is listed nowhere is refused too: nothing gets through because it was forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from graphir import ir
from graphir.diagnostics import Diagnostic, Severity, Unsupported, diagnose
from graphir.dialects import DIALECTS
from graphir.source import Source, Span


@dataclass(frozen=True, slots=True)
class Feature:
    """Something a query may use: the classes that always have it, or that have it `when` the predicate holds.

    `reason` completes "it is refused because"; `hint` says what to write instead.
    """

    name: str
    code: str
    reason: str
    hint: str | None = None
    classes: tuple[type[ir.Node], ...] = ()
    when: Callable[[ir.Node], bool] | None = None


def _unbounded(node: ir.Node) -> bool:
    return isinstance(node, ir.EdgePattern) and node.quantifier is not None and node.quantifier.high is None


def _dynamic_index(node: ir.Node) -> bool:
    return isinstance(node, ir.Index) and not (isinstance(node.index, ir.Literal) and isinstance(node.index.value, str))


FEATURES: tuple[Feature, ...] = (
    Feature(
        "update",
        "G520",
        "the target only reads: graph data is changed through its tables",
        "INSERT, UPDATE and DELETE on the node and edge tables do this",
        (ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach),
    ),
    Feature(
        "command",
        "G521",
        "a command of the server, or a clause about its graphs, has no counterpart there",
        None,
        (ir.Command, ir.Use, ir.LoadCsv),
    ),
    Feature("no-result", "G550", "a query without RETURN has no rows to translate", None, (ir.Finish,)),
    Feature(
        "procedure-call",
        "G522",
        "procedures belong to the engine; the target has none of them",
        None,
        (ir.ProcedureCall,),
    ),
    Feature(
        "subquery-call",
        "G523",
        "a body with such clauses, run for each row, has no counterpart",
        "write the body as MATCH and WITH where it returns at most one row",
        (ir.SubqueryCall, ir.Transactions),
    ),
    Feature(
        "set-operation",
        "G524",
        "of what combines several queries only UNION and NEXT are translated",
        "translate the branches one by one",
        (ir.SetOperation, ir.Next, ir.Conditional, ir.When),
        lambda node: not isinstance(node, ir.SetOperation) or node.kind != "union",
    ),
    Feature(
        "unbounded-repetition",
        "G525",
        "a quantifier without an upper bound is refused by the engine",
        "give an upper bound: `*1..5` or `{1,5}`",
        (ir.EdgePattern,),
        _unbounded,
    ),
    Feature(
        "quantified-path",
        "G526",
        "a parenthesized path, with a quantifier or a condition of its own, is not translated",
        "a single quantified relationship can be translated",
        (ir.PathGroup,),
    ),
    Feature(
        "path-selector",
        "G527",
        "of selections of paths only one shortest path is translated, without conditions on it",
        None,
        (ir.Selector,),
    ),
    Feature(
        "dynamic-name",
        "G528",
        "labels, types and properties whose name is computed at run time are not translated",
        "write the name itself",
        (ir.LabelDynamic,),
    ),
    Feature(
        "list-access",
        "G529",
        "an index into a list or a map depends on a value whose type is not known",
        None,
        (ir.Index,),
        _dynamic_index,
    ),
    Feature(
        "list-operation",
        "G529",
        "the lists of the target have items of one type, do not nest and cannot be compared",
        None,
        (ir.Slice, ir.Reduce, ir.AllReduce),
    ),
    Feature(
        "cast",
        "G534",
        "its conversions are not those of the target",
        None,
        (ir.Cast, ir.ValueType),
    ),
    Feature(
        "list-comprehension",
        "G529",
        "the lists of the target have items of one type and do not nest",
        None,
        (ir.ListComprehension,),
    ),
    Feature(
        "map-value",
        "G530",
        "the maps of the target have the same keys in every row, one at least, in any case of their letters",
        "return the properties one by one",
        (ir.MapProjection, ir.Struct, ir.Named),
    ),
    Feature(
        "subquery",
        "G531",
        "a subquery with such a body is not translated",
        None,
        (ir.PatternComprehension,),
    ),
    Feature("pattern-value", "G531", "a path that is a value is not translated", None, (ir.PatternExpression,)),
    Feature(
        "unknown-function",
        "G532",
        "the function is known neither to openCypher nor to Neo4j's core",
        None,
        (ir.Call,),
    ),
    Feature(
        "type-predicate",
        "G533",
        "the predicate on types or normal forms has no counterpart",
        None,
        (ir.IsTyped, ir.IsNormalized, ir.Keyword),
    ),
    Feature(
        "aggregate-clause",
        "G534",
        "ORDER BY, LIMIT and HAVING in the brackets of an aggregate have no counterpart",
        None,
        (ir.Modified,),
    ),
    Feature("vector-search", "G521", "a search in a vector index belongs to the engine", None, (ir.VectorSearch,)),
)

LIMITS: dict[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature("construct", "G534", "it is not among the constructs that were compared with the engine"),
        Feature("explain", "G521", "EXPLAIN and PROFILE ask about a plan of the engine, not for rows"),
        Feature(
            "function",
            "G534",
            "it has no counterpart that gives the same value for every argument",
        ),
        Feature(
            "untyped-operation",
            "G535",
            "its meaning depends on types that only a schema tells",
            "a literal of the type meant, as in `n.x + 0`, `n.x / 2.0` or `'' + n.s`, decides it",
        ),
        Feature(
            "unlike-types",
            "G536",
            "the target compares and combines values of one type only; Cypher gives false or null",
        ),
        Feature(
            "element-value",
            "G537",
            "nodes, relationships, paths and lists of them cannot stand there",
            "use their properties",
        ),
        Feature(
            "returned-element",
            "G538",
            "a result cannot hold nodes, relationships, paths or lists of them",
            "return properties, as in `RETURN n.name`; with a schema they are found",
        ),
        Feature(
            "identity",
            "G539",
            "identities are values of the engine: they can only be compared with one another and counted",
            "return a property that identifies the element",
        ),
        Feature("component", "G540", "it takes a part of a value that may be a map, a date or an element"),
        Feature(
            "page",
            "G541",
            "SKIP and LIMIT take an integer literal or a parameter there",
        ),
        Feature(
            "folded-names",
            "G542",
            "the target does not tell upper from lower case in labels, properties and parameters, and no name is empty",
        ),
        Feature(
            "regular-expression",
            "G547",
            "Java and RE2 read it differently, or it is not known what it is",
            "STARTS WITH, ENDS WITH and CONTAINS can always be translated",
        ),
        Feature(
            "sorted-collection",
            "G548",
            "the target collects in no certain order",
            "collect without an order, or return the rows in order",
        ),
        Feature(
            "write",
            "G419",
            "none of the statements INSERT, SET, REMOVE and DELETE does exactly that",
            "write out names of labels and properties, and MERGE as OPTIONAL MATCH, FILTER and INSERT",
        ),
        Feature(
            "write-on-tables",
            "G420",
            "the statements on the tables of the graph do not do exactly that",
            "write the INSERT, UPDATE and DELETE by hand, or split the query",
        ),
        Feature(
            "write-without-a-schema",
            "G570",
            "it changes the tables of the graph, which have to be known",
            "give the schema of the graph",
        ),
        Feature("path-mode", "G545", "the path mode cannot be combined with the match mode"),
        Feature(
            "query-without-a-schema",
            "G570",
            "a statement of it defines its graph, for which the tables have to be known",
            "give the schema of the graph, with its node types",
        ),
        Feature(
            "needs-a-schema",
            "G552",
            "which properties an element has is not known",
            "give the schema of the graph",
        ),
        Feature(
            "unheld-name",
            "G551",
            "the definition of the graph has no table for it",
            "`graphir schema convert` shows the tables of the dialect, and says what is left out",
        ),
        Feature(
            "long-repetition",
            "G571",
            "repetitions are written out length by length there, which would become too long",
            "give closer bounds: `*1..3`",
        ),
        Feature(
            "property-of-any-type",
            "G572",
            "the type that the schema says, or does not say, has no counterpart there",
        ),
        Feature(
            "integer-beside-float",
            "G573",
            "the target compares an integer with a float by rounding the integer",
            "compare with a literal below 2^53, or with a value of the same type",
        ),
        Feature("redeclared-variable", "G546", "a variable for lists of relationships cannot be matched again"),
    )
}
"""Refusals that need more than one node to be seen."""

UNIVERSAL: tuple[type[ir.Node], ...] = (
    *(ir.Query, ir.Pipeline, ir.Match, ir.Filter, ir.Let, ir.Unwind, ir.Project, ir.Item, ir.Aggregate),
    *(ir.Order, ir.SortKey, ir.Page, ir.IndexHint, ir.JoinHint),
    *(ir.Path, ir.NodePattern, ir.EdgePattern, ir.Bounds, ir.Entry, ir.MapOf),
    *(ir.LabelName, ir.LabelAny, ir.LabelNot, ir.LabelAnd, ir.LabelOr),
    *(ir.Literal, ir.Parameter, ir.Ref, ir.Property, ir.Index, ir.ListOf, ir.Apply, ir.HasLabels),
    *(ir.Case, ir.Branch, ir.CaseSubject, ir.Quantified, ir.Subquery),
    *(ir.ProjectedProperty, ir.ProjectedVariable, ir.ProjectedAll),
)
"""Classes without a feature of their own: every dialect of this family has them."""

_GOOGLE = frozenset({"query-without-a-schema", "long-repetition", "property-of-any-type", "integer-beside-float"})
_GRAPH_QUERIES = frozenset(
    {
        *("list-comprehension", "list-access", "list-operation", "map-value", "subquery", "subquery-call"),
        *("path-selector", "unbounded-repetition", "set-operation", "cast", "aggregate-clause"),
    }
)
"""What the legalizer of GQL looks at itself: some of it can be said."""

SUPPORTED: dict[str, frozenset[str]] = {
    "gql-spanner": _GOOGLE | _GRAPH_QUERIES,
    "gql-bigquery": _GOOGLE | _GRAPH_QUERIES,
    "pgq-googlesql": _GOOGLE | _GRAPH_QUERIES,
    "pgq-hyper": frozenset({"folded-names", "subquery-call"}),
}
"""Dialect -> the features that it supports."""

_BY_CLASS: dict[type[ir.Node], list[Feature]] = {}
for _feature in FEATURES:
    for _class in _feature.classes:
        _BY_CLASS.setdefault(_class, []).append(_feature)

_BY_NAME = {feature.name: feature for feature in FEATURES} | LIMITS


def features(node: ir.Node) -> Iterator[Feature]:
    """The features of one node, not of what is below it."""
    for feature in _BY_CLASS.get(type(node), ()):
        if feature.when is None or feature.when(node):
            yield feature


@cache
def _supported(target: str) -> frozenset[type[ir.Node]]:
    """The classes of which the target supports every node."""
    found = [kind for kind, known in _BY_CLASS.items() if SUPPORTED[target].issuperset([each.name for each in known])]
    return frozenset((*[kind for kind in UNIVERSAL if kind not in _BY_CLASS], *found))


class Report:
    """Where refusals go: the text that is translated, and the dialect that cannot say it."""

    def __init__(self, source: Source, target: str, notes: list[Diagnostic] | None = None) -> None:
        self.source = source
        self.target = target
        self.notes = notes

    def note(self, code: str, node: ir.Node, message: str, severity: Severity = "info") -> None:
        """Say something about the translation to those who listen."""
        if self.notes is not None:
            self.notes.append(diagnose(self.source, code, message, _place(node), severity=severity))

    def refusal(self, name: str, node: ir.Node, what: str) -> Unsupported:
        """What is raised where a query uses the feature; `what` names the thing at hand."""
        feature = _BY_NAME[name]
        message = f"{what} cannot be translated to {DIALECTS[self.target].title}: {feature.reason}"
        found = diagnose(self.source, feature.code, message, _place(node), hint=feature.hint)
        return Unsupported([found], feature=name, target=self.target)

    def check(self, query: ir.Query) -> None:
        """Refuse the first node with a feature that the target does not support."""
        supported = SUPPORTED[self.target]
        for node in ir.strangers(query, _supported(self.target)):
            for feature in features(node):
                if feature.name not in supported:
                    raise self.refusal(feature.name, node, f"this {feature.name.replace('-', ' ')}")
            if type(node) not in UNIVERSAL and type(node) not in _BY_CLASS:
                raise self.refusal("construct", node, f"`{type(node).op}`")


def _place(node: ir.Node) -> Span | None:
    """Where the node is; one that a rewrite made is where its first part is."""
    return next((part.span for part in ir.walk(node) if part.span is not None), None)
