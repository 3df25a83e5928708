"""A query in core form as one statement of SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from graphir import ir
from graphir.backends.sql import build, gql_functions, pipeline, predicates, subqueries
from graphir.backends.sql.bounds import with_bounds
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog
from graphir.backends.sql.documents import in_json, needed
from graphir.backends.sql.expressions import HANDLERS
from graphir.backends.sql.lowering import EMBEDDED, Abilities, Assumed, Bridge, Lowering
from graphir.backends.sql.needs import find_mentioned, find_needs
from graphir.backends.sql.reps import EDGE, NODE, Rep
from graphir.backends.sql.rows import UNIT, Block, Rows, finish_page
from graphir.backends.sql.scans import Table, read_property
from graphir.backends.sql.searches import Search
from graphir.backends.sql.terms import Term
from graphir.frozen import frozen
from graphir.source import Source, Span

HANDLERS.update(subqueries.RULES)
HANDLERS.update(predicates.RULES)
HANDLERS.update(gql_functions.RULES)


@frozen
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
    assumed: Mapping[tuple[str, str], Assumed] = field(default_factory=dict)
    """Table and property -> what it is taken for, without the schema saying so."""
    united: bool = False
    """Whether a source is the rows of several tables."""


def lower_query(
    query: ir.Query,
    source: Source,
    catalog: Catalog,
    parameters: Mapping[str, Any],
    *,
    longest: int | None = None,
    abilities: Abilities = EMBEDDED,
    typed: Mapping[str, Rep] | None = None,
    shown: Mapping[str, Sequence[str]] | None = None,
    documents: Mapping[str, Sequence[Table]] | None = None,
) -> Lowered:
    """A query in core form that only reads, as one statement.  Raises Unsupported.

    `typed` are the parameters whose values are not known yet.  `shown`: column of the result -> the properties that
    stand in columns behind it, if it is a node or an edge.  `documents`: elements and paths are shown as JSON;
    column -> the tables where the elements there may be, if that is known.
    """
    build.forget()
    query = with_bounds(query, parameters, source, known=typed is None)
    needs = find_needs(query, shown or {name: needed(tables) for name, tables in (documents or {}).items()})
    lowering = Lowering(catalog, parameters, source, needs, abilities=abilities, typed=typed or {}, longest=longest)
    lowering.mentioned = find_mentioned(query)
    lowering.zone = query.zone
    lowering.query = query
    block = Block(lowering)
    rows = pipeline.lower_body(query.body, UNIT, block)
    if shown:
        rows = replace(rows, names=_expanded(rows.names, shown, lowering))
    if documents is not None:
        found = {name: in_json(lowering, term, documents.get(name, ())) for name, term in rows.names.items()}
        rows = replace(rows, names=found)
    made = finish(rows, block, columns=pipeline.returns(query.body))
    if query.columns is None or shown:
        return made
    reps = [rep for _, rep in made.columns]
    return replace(made, columns=tuple(zip(query.columns, reps, strict=True)))


def _expanded(names: Mapping[str, Term], shown: Mapping[str, Sequence[str]], lowering: Lowering) -> dict[str, Term]:
    """The columns of a result with those of the properties of its elements."""
    made: dict[str, Term] = {}
    for name, term in names.items():
        made[name] = term
        for key in shown.get(name, ()) if term.rep in (NODE, EDGE) else ():
            called, number = f"{name}_{key}", 1
            while called in names or called in made:
                number += 1
                called = f"{name}_{key}_{number}"
            made[called] = read_property(lowering, term, key)
    return made


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
    return Lowered(
        made,
        described,
        lowering.bridges,
        sent,
        lowering.places,
        lowering.searches,
        asked,
        lowering.assumed,
        lowering.united,
    )
