"""The dialects of GQL that are written over the core of ISO GQL, as data: what each has beside it, and what it lacks.

Facts: ISO/IEC 39075 (which has no IN, no CONTAINS, no subscripts), Neo4j's manual of Cypher 25, Microsoft's
documentation of GQL in Fabric, and experiments with the engines of Neo4j and Grafeo (`tests/engines/`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """What a dialect can say.

    `different`: the match mode without repeated edges can be written; `default_mode` is the one where none is written,
    `trail` the path mode.  `collect`: COLLECT { .. } and COUNT { .. } in place of VALUE { .. }.  `membership`: IN with
    a list.  `text_tests`: STARTS WITH and ENDS WITH.  `subscripts`: `list[i]`.  `group_by`: grouping is written.
    `nulls`: NULLS FIRST and LAST are written.  `truth`: IS [NOT] TRUE, FALSE and UNKNOWN.  `integer_division`: `/` of
    integers gives an integer.  `components`: `.year` of a date.  `functions` are those it has beside ISO's, by
    canonical name.
    """

    name: str
    different: bool = True
    default_mode: str | None = None
    trail: bool = True
    selectors: bool = True
    collect: bool = False
    membership: bool = False
    text_tests: bool = False
    subscripts: bool = False
    group_by: bool = True
    nulls: bool = True
    truth: bool = True
    integer_division: bool = False
    let: bool = True
    for_: bool = True
    next: bool = True
    components: bool = False
    functions: frozenset[str] = frozenset()


EXTENSIONS = frozenset({"nodes", "relationships", "labels", "split", "replace", "reverse"})
"""Functions that are written for ISO GQL though it has none of them, as it has no CONTAINS and no `.year` of a date:
its implementations share them, and there is no other way to say it."""

TARGETS: dict[str, Target] = {
    target.name: target for target in (Target("gql-iso", components=True, functions=EXTENSIONS),)
}
