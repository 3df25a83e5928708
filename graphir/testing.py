"""Hypothesis strategies for those who test engines, translators and drivers: schemas, graphs, queries, cases.

    from hypothesis import given
    from graphir import testing

    @given(testing.cases(dialect="neo4j-25"))
    def test_engine(case):
        rows = my_engine(case.graph, case.query, case.parameters)

They draw from the generator that `graphir.generation` also runs from seeds; what fails shrinks to few elements and a
short query.  Needs `pip install 'graphir[testing]'`: Hypothesis is imported here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from graphir import generation
from graphir.generation import graphs as graph_generation
from graphir.generation.cases import Case
from graphir.generation.dice import Dice
from graphir.generation.profiles import Profile
from graphir.generation.profiles import profile as profile_of
from graphir.generation.queries import Query
from graphir.generation.vocabulary import Vocabulary
from graphir.graphs import PropertyGraph
from graphir.schema.model import Schema

__all__ = ["Case", "Query", "cases", "graphs", "parameters", "queries", "schemas"]

T = TypeVar("T")


class _Drawn(Dice):
    """Choices that Hypothesis makes, and can make smaller."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def below(self, bound: int) -> int:
        return self._draw(_below(bound))

    def part(self, make: Callable[[], T]) -> T:
        return self._draw(_UNIT.map(lambda _: make()))


_UNIT = st.just(None)
"""Mapped, it makes what is drawn meanwhile a span of its own, which can be taken out as a whole."""


@cache
def _below(bound: int) -> SearchStrategy[int]:
    return st.integers(0, bound - 1)


@st.composite
def schemas(
    draw: DrawFn,
    *,
    kinds: Sequence[str] | None = None,
    awkward: float = 0.05,
    keyed: bool = True,
    labels_each: Sequence[int] = (1, 1, 1, 2, 2, 0, 3),
) -> Schema:
    """Closed schemas: several labels to a node, edge types with ends, typed properties.

    `kinds` bounds the kinds of properties (None: all of `graphir.generation.kinds.TYPES`), `awkward` is the share of
    names that need quoting somewhere.  `keyed`: every node has a property `i`, every edge a property `k`, that no other
    has.
    `labels_each`: how many labels a node has, drawn from these.
    """
    return generation.schema(_Drawn(draw), kinds=kinds, awkward=awkward, keyed=keyed, labels_each=labels_each)


@st.composite
def graphs(
    draw: DrawFn,
    schema: Schema | SearchStrategy[Schema] | None = None,
    *,
    nodes: tuple[int, int] = (0, 5),
    edges: tuple[int, int] = (0, 9),
    strange: float = 0.1,
    missing: float = 0.3,
    ids: str = "any",
) -> PropertyGraph:
    """Graphs of a schema, or of any: parallel edges, self-loops, cycles, missing properties, ids that collide.

    `nodes` and `edges` are the least and the greatest number of them.  `strange` is the share of values that are rarely
    thought of (NaN, infinities, -0.0, empty texts, letters with more than one case), `missing` that of nullable
    properties that are not there.  `ids`: "numbers", "texts", "mixed" (1 beside "1"),
    "far" (gaps, negative ones), or "any" of these.
    """
    of = draw(schemas() if schema is None else schema) if not isinstance(schema, Schema) else schema
    return generation.graph(_Drawn(draw), of, nodes=nodes, edges=edges, strange=strange, missing=missing, ids=ids)


@st.composite
def queries(
    draw: DrawFn,
    schema: Schema | PropertyGraph,
    *,
    dialect: str = "neo4j-25",
    profile: str | Profile = "reads",
    nonempty_on: PropertyGraph | None = None,
) -> Query:
    """Queries over what a schema names, or a graph has: text, parameters, and what is known of the order of the rows.

    `dialect` and `profile` say what may occur (`graphir.generation.PROFILES`).  With `nonempty_on` the query has a row
    on that graph.  Raises UsageFault (G091) for names that are not known.
    """
    of: Schema | Vocabulary = Vocabulary.of_graph(schema) if isinstance(schema, PropertyGraph) else schema
    return generation.query(_Drawn(draw), of, dialect=dialect, profile=profile_of(profile), nonempty_on=nonempty_on)


@st.composite
def cases(
    draw: DrawFn,
    *,
    dialect: str = "neo4j-25",
    profile: str | Profile = "reads",
    nonempty: bool | None = None,
) -> Case:
    """A schema, a graph of it and a query over it.  `nonempty`: the result has a row; None: in most of the cases.

    Raises UsageFault (G091) for names that are not known.
    """
    return generation.case(_Drawn(draw), dialect=dialect, profile=profile, nonempty=nonempty)


@st.composite
def parameters(draw: DrawFn, kinds: Mapping[str, str] | None = None, *, strange: float = 0.1) -> dict[str, Any]:
    """Values for parameters: name -> kind of the value ("int", "str", "any", ..); None: some names and kinds."""
    dice = _Drawn(draw)
    if kinds is None:
        kinds = {f"p{at}": dice.pick(("int", "str", "any", "ints")) for at in dice.repeats(0, 4, 0.7)}
    return {name: graph_generation.value(dice, kind, strange) for name, kind in kinds.items()}
