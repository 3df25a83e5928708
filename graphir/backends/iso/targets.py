"""The dialects of GQL that are written over the core of ISO GQL, as data: what each has beside it, and what it lacks.

Facts: ISO/IEC 39075 (which has no IN, no CONTAINS, no subscripts); Neo4j's manual of Cypher 25; Microsoft's pages on
GQL in Fabric ("GQL standard conformance", "GQL expressions, predicates, and functions", May 2026); Grafeo 0.6.  What
Neo4j and Grafeo take was asked of the engines.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphir.functions import FUNCTIONS


@dataclass(frozen=True, slots=True)
class Target:
    """What a dialect can say.

    Patterns: `different` is whether the match mode without repeated edges can be written, `default_mode` the mode where
    none is written, `trail` and `simple` the path modes, `groups` repetitions of parts of a path,
    `paths_of_nodes` a variable for a path of one node, `selectors` shortest paths and the like, `most_hops` the
    greatest upper bound of a repetition where there is one, `label_tests` IS LABELED, `any_label` the label `%` and
    `label_expressions` `&`, `|` and `!` of labels (without them, `|` of types is all there is).
    Statements: `next` is RETURN .. NEXT (without it CALL is written around what comes before), `nested_next` NEXT in
    braces, `set_operations` their kinds, `union_distinct` UNION without ALL, `nulls` NULLS FIRST and LAST,
    `null_is_least` where null sorts without them, `sorts_expressions`: a sort key may be any expression.
    Subqueries: `exists`: EXISTS takes a whole query, not only one MATCH; `subquery` is the kind of subquery that makes
    a value: value (`VALUE { .. }`), collect (COLLECT and COUNT, whose lists hold nulls) or None; `over_lists`: it may
    consist of FOR alone.  `positions`: FOR .. WITH OFFSET.
    Expressions: `membership` is IN with a list, `text_tests` STARTS WITH and ENDS WITH, `subscripts` `list[i]`,
    `truth` IS [NOT] TRUE and FALSE, `integer_division`: `/` of integers gives an integer, `components` `.year` of a
    date, `parameters`: there are some, `dynamic`: operators take values of any type, as in Cypher.
    `functions` are those that it has under the name and with the meaning of Cypher; `lacking` those of ISO GQL that it
    does not have.  `extensions`: what is beyond the standard is noted.  `writes`: INSERT, SET and DELETE.
    """

    name: str
    different: bool = True
    default_mode: str = "repeatable_elements"
    trail: bool = True
    simple: bool = True
    groups: bool = True
    paths_of_nodes: bool = True
    selectors: bool = True
    most_hops: int | None = None
    label_tests: bool = True
    any_label: bool = True
    label_expressions: bool = True
    next: bool = True
    nested_next: bool = True
    union_distinct: bool = True
    set_operations: frozenset[str] = frozenset({"union", "except", "intersect", "otherwise"})
    nulls: bool = True
    null_is_least: bool = False
    sorts_expressions: bool = True
    exists: bool = True
    subquery: str | None = "value"
    over_lists: bool = True
    positions: bool = True
    membership: bool = False
    text_tests: bool = False
    subscripts: bool = False
    truth: bool = True
    integer_division: bool = False
    components: bool = False
    parameters: bool = True
    dynamic: bool = False
    extensions: bool = False
    writes: bool = True
    functions: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()

    @property
    def collects(self) -> bool:
        """Lists that a subquery makes hold nulls."""
        return self.subquery == "collect"


EXTENSIONS = frozenset({"nodes", "relationships", "labels", "split", "replace", "reverse"})
"""Functions that are written for ISO GQL though it has none of them, as it has no CONTAINS and no `.year` of a date:
its implementations share them, and there is no other way to say it."""

_OF_CYPHER = frozenset(name for name, found in FUNCTIONS.items() if not found.operator and not found.aggregate)
_GRAFEO_TEXT = """
    toInteger toFloat toString substring head last tail range split replace reverse round sign sqrt type labels nodes
    relationships startNode endNode abs
"""
_GRAFEO = frozenset(_GRAFEO_TEXT.split())
_FABRIC_TEXT = """
    abs mod floor ceil sqrt exp log log10 pow sin cos tan cot asin acos atan sinh cosh tanh degrees radians stDev stDevP
    percentileCont percentileDisc cardinality btrim ltrim rtrim toLower toUpper date localdatetime localtime time
    duration.between
"""
_FABRIC_LACKS = frozenset(_FABRIC_TEXT.split())
"""Its UPPER and LOWER know the letters of ASCII alone."""

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("gql-iso", components=True, extensions=True, functions=EXTENSIONS),
        Target(
            "gql-neo4j-25",
            default_mode="different_edges",
            simple=False,
            set_operations=frozenset({"union"}),
            nulls=False,
            subquery="collect",
            positions=False,
            membership=True,
            text_tests=True,
            subscripts=True,
            truth=False,
            integer_division=True,
            components=True,
            dynamic=True,
            functions=_OF_CYPHER,
        ),
        Target(
            "gql-fabric",
            different=False,
            selectors=False,
            most_hops=8,
            label_tests=False,
            any_label=False,
            next=False,
            union_distinct=False,
            set_operations=frozenset({"union"}),
            nulls=False,
            null_is_least=True,
            sorts_expressions=False,
            exists=False,
            subquery=None,
            over_lists=False,
            positions=False,
            membership=True,
            text_tests=True,
            subscripts=True,
            truth=False,
            integer_division=True,
            parameters=False,
            writes=False,
            functions=frozenset({"nodes", "relationships", "labels"}),
            lacking=_FABRIC_LACKS,
        ),
        Target(
            "gql-grafeo",
            label_expressions=False,
            groups=False,
            paths_of_nodes=False,
            nested_next=False,
            positions=False,
            exists=False,
            over_lists=False,
            membership=True,
            text_tests=True,
            subscripts=True,
            truth=False,
            integer_division=True,
            functions=_GRAFEO,
        ),
    )
}
