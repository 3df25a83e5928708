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

    `nonempty`: whether the result surely has a row; None leaves that to the dice.  Raises UsageFault for names that are
    not known.
    """
    dice = RandomDice(seed) if isinstance(seed, int) else seed
    chosen = profile_of(profile)
    schema = dice.part(
        lambda: schemas.schema(
            dice,
            kinds=None if chosen.kinds is None else tuple(sorted(chosen.kinds)),
            awkward=chosen.awkward,
            single_labels=chosen.single_labels,
        )
    )
    surely = dice.chance(0.6) if nonempty is None else nonempty
    least, most = chosen.nodes
    graph = dice.part(
        lambda: graphs.graph(
            dice,
            schema,
            nodes=(max(1, least) if surely else least, most),
            edges=chosen.edges,
            strange=chosen.strange,
            ids=chosen.ids,
        )
    )
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
