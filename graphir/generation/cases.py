"""Cases: a graph, a query over it, and what is known of the result; a number is enough to make one again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphir.generation import graphs, queries, schemas
from graphir.generation.dice import Dice, RandomDice
from graphir.generation.profiles import Profile
from graphir.generation.profiles import profile as profile_of
from graphir.graphs import PropertyGraph
from graphir.schema.model import Schema

_SURELY = 0.6
"""The share of queries that surely have a row, where that is left open."""


@dataclass(frozen=True, slots=True)
class Case:
    """A graph of a schema, and a query with its parameters.

    `ordered`: the order of the rows is total, so that they compare as a list; else they are a bag, ordered by the
    columns `keys` (counted from 0) if there are some.  `loose`: lists in the result come in no certain order.
    `nonempty`: the result has a row.  `features` are the names of the constructs of the query.
    """

    graph: PropertyGraph
    query: str
    parameters: dict[str, Any]
    ordered: bool
    features: tuple[str, ...]
    schema: Schema
    dialect: str
    keys: tuple[int, ...] = ()
    loose: bool = False
    nonempty: bool = False


def case(
    seed: int | Dice, dialect: str = "neo4j-25", profile: str | Profile = "reads", nonempty: bool | None = None
) -> Case:
    """The case of a number, or of dice.

    `nonempty`: whether the result surely has a row; None leaves that to the dice.  Raises UsageFault (G091) for names
    that are not known.
    """
    return cases(seed, 1, dialect, profile, nonempty)[0]


def cases(
    seed: int | Dice,
    count: int = 10,
    dialect: str = "neo4j-25",
    profile: str | Profile = "reads",
    nonempty: bool | None = None,
) -> list[Case]:
    """So many queries over one graph, which is the same object in all of them; else as `case`."""
    dice = RandomDice(seed) if isinstance(seed, int) else seed
    chosen = profile_of(profile)
    surely = [dice.chance(_SURELY) if nonempty is None else nonempty for _ in range(count)]
    schema, graph = ground(dice, chosen, filled=any(surely))
    return [_case(dice, chosen, dialect, schema, graph, each) for each in surely]


def ground(dice: Dice, profile: Profile, *, filled: bool = False) -> tuple[Schema, PropertyGraph]:
    """A schema and a graph of it, as the profile has them; `filled`: there is a node."""
    kinds = None if profile.kinds is None else tuple(sorted(profile.kinds))
    schema = dice.part(
        lambda: schemas.schema(dice, kinds=kinds, awkward=profile.awkward, labels_each=profile.labels_each)
    )
    least, most = profile.nodes
    nodes = (max(1, least) if filled else least, most)
    graph = dice.part(
        lambda: graphs.graph(dice, schema, nodes=nodes, edges=profile.edges, strange=profile.strange, ids=profile.ids)
    )
    return schema, graph


def _case(dice: Dice, chosen: Profile, dialect: str, schema: Schema, graph: PropertyGraph, surely: bool) -> Case:
    made = dice.part(
        lambda: queries.query(dice, schema, dialect=dialect, profile=chosen, nonempty_on=graph if surely else None)
    )
    return Case(
        graph,
        made.text,
        made.parameters,
        made.ordered,
        made.features,
        schema,
        dialect,
        made.keys,
        made.loose,
        surely,
    )
