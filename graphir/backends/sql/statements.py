"""A query in core form as one statement of SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphir import ir
from graphir.backends.sql import build, gql_functions, pipeline, predicates, subqueries
from graphir.backends.sql.bounds import with_bounds
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog
from graphir.backends.sql.expressions import HANDLERS
from graphir.backends.sql.lowering import EMBEDDED, Abilities, Bridge, Lowering
from graphir.backends.sql.needs import find_needs
from graphir.backends.sql.reps import Rep
from graphir.backends.sql.rows import UNIT, Block, Rows, finish_page
from graphir.backends.sql.searches import Search
from graphir.source import Source, Span

HANDLERS.update(subqueries.RULES)
HANDLERS.update(predicates.RULES)
HANDLERS.update(gql_functions.RULES)


@dataclass(frozen=True, slots=True)
class Lowered:
    """A statement of SQL and what its session has to know.

    `columns`: name and representation of each column of the result, in order.  `sent`: parameter of the SQL -> value
    and representation.  `places`: function of a bridge -> where the query calls it.
    """

    sql: Sql
    columns: tuple[tuple[str, Rep], ...]
    bridges: Mapping[str, Bridge]
    sent: Mapping[str, tuple[Any, Rep]]
    places: Mapping[str, list[Span | None]]
    searches: Sequence[Search] = ()
    names: tuple[str, ...] = ()
    """The parameters of the query that `sent` has, in its order."""
    assumed: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Table and property -> what it is taken for, without the schema saying so."""


def lower_query(
    query: ir.Query,
    source: Source,
    catalog: Catalog,
    parameters: Mapping[str, Any],
    *,
    longest: int | None = None,
    abilities: Abilities = EMBEDDED,
    typed: Mapping[str, Rep] | None = None,
) -> Lowered:
    """A query in core form that only reads, as one statement.  Raises Unsupported.

    `typed` are the parameters whose values are not known yet.
    """
    query = with_bounds(query, parameters, source, known=typed is None)
    needs = find_needs(query)
    lowering = Lowering(catalog, parameters, source, needs, abilities=abilities, typed=typed or {}, longest=longest)
    lowering.zone = query.zone
    block = Block(lowering)
    rows = pipeline.lower_body(query.body, UNIT, block)
    made = finish(rows, block, columns=pipeline.returns(query.body))
    if query.columns is None:
        return made
    reps = [rep for _, rep in made.columns]
    return replace(made, columns=tuple(zip(query.columns, reps, strict=True)))


def finish(rows: Rows, block: Block, *, columns: bool) -> Lowered:
    """The statement that gives the rows; without columns where the query returns none."""
    lowering = block.lowering
    names = rows.names if columns else {}
    shown = [build.alias(term.again(), f"c{at}") for at, term in enumerate(names.values())]
    query = rows.select(shown or [build.alias(build.number(1), "one")])
    finish_page(query, rows, lowering, None, None)
    described = tuple([(name, term.rep) for name, term in names.items()])
    sent = {f"p{at}": pair for at, pair in enumerate(lowering.sent.values())}
    made = block.finish(query)
    asked = tuple(lowering.sent)
    return Lowered(made, described, lowering.bridges, sent, lowering.places, lowering.searches, asked, lowering.assumed)
