"""A graph for the constructs of the support table, and what each of them gives on the embedded engine and in SQL.

The constructs are data of the package (`graphir.backends.sqltext.constructs`).  Tests of engines use
`differences` with a function that runs a text over the tables of `sql_tables.laid_out`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import graphir
from graphir import api
from graphir.backends.sql import targets
from graphir.backends.sql.reps import FLOAT
from graphir.backends.sql.targets import Statement
from graphir.backends.sqltext.constructs import Construct, constructs, parameters, schema
from graphir.backends.sqltext.tables import catalog_of
from graphir.diagnostics import Diagnostic, Unsupported
from graphir.evaluation.comparison import rows_equal
from graphir.graphs import PropertyGraph
from graphir.source import Source
from graphir.values.dates import Date
from tests.engines.sql_tables import Laid, identified, laid_out

GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [
            {"id": 0, "labels": ["Person"], "properties": properties} | {"id": at}
            for at, properties in enumerate(
                (
                    {"id": 1, "name": "Ada", "age": 36, "height": 1.65, "active": True, "tags": ["x", "y"]},
                    {"id": 2, "name": "Bob", "age": 41, "height": 1.8, "active": False, "scores": [1, 3]},
                    {"id": 3, "name": "Eve", "age": 25, "active": True, "tags": [], "scores": [5, 3, 5]},
                    {"id": 4, "name": " évé ", "height": 0.5, "tags": ["x"], "scores": []},
                    {"id": 5, "name": "Ça", "age": 41, "height": 2.0, "tags": ["z", "x", "z"], "scores": [2]},
                    {"id": 6},
                )
            )
        ]
        + [
            {"id": 6, "labels": ["City"], "properties": {"code": "P", "name": "Paris", "people": 2_100_000}},
            {"id": 7, "labels": ["City"], "properties": {"code": "1", "name": "Bob"}},
        ],
        "edges": [
            {"id": at, "type": "KNOWS", "start": start, "end": end, "properties": {"id": at + 1, **properties}}
            for at, (start, end, properties) in enumerate(
                (
                    (0, 1, {"since": 2020, "weight": 0.5}),
                    (0, 1, {"since": 2012}),
                    (1, 2, {"since": 2020}),
                    (2, 0, {"since": 2020, "weight": 1.5}),
                    (2, 3, {"since": 2016}),
                    (3, 3, {"since": 2018}),
                    (4, 0, {}),
                )
            )
        ]
        + [
            {"id": 7, "type": "LIVES_IN", "start": 0, "end": 6, "properties": {"id": 1}},
            {"id": 8, "type": "LIVES_IN", "start": 2, "end": 6, "properties": {"id": 2}},
            {"id": 9, "type": "LIVES_IN", "start": 3, "end": 7, "properties": {"id": 3}},
        ],
    }
)
"""Parallel edges, a loop, a cycle, missing properties; keys of nodes and of edges that are the same in two tables."""

BORN = {0: "1815-12-10", 1: "1990-01-01", 2: "1995-02-28"}
"""Node -> a date."""


def graph() -> PropertyGraph:
    """The graph with the dates."""
    for node in GRAPH.nodes:
        if node.id in BORN and isinstance(node.properties, dict):
            node.properties["born"] = Date.parse(BORN[node.id])
    return GRAPH


Run = Callable[[Statement], Sequence[Sequence[Any]]]
"""Runs a text; the rows with values of the contract, identities and dictionaries {nodes, edges} for paths."""


def supported(dialect: str) -> list[Construct]:
    """The constructs that a dialect does not refuse, and does not only nearly have (G569)."""
    found = []
    for construct in constructs():
        try:
            notes: list[Diagnostic] = []
            graphir.translate(construct.query, write=dialect, schema=schema(), notes=notes)
        except Unsupported:
            continue
        if all(note.code != "G569" for note in notes):
            found.append(construct)
    return found


def tables(dialect: str) -> Laid:
    """The tables of the graph in a dialect."""
    return laid_out(catalog_of(schema(), dialect, Source("")), graph())


def statement(query: str, dialect: str, schema_: graphir.Schema, given: dict[str, Any]) -> Statement:
    """What `translate` gives, with the values of the parameters."""
    source = Source(query)
    core = api.to_core(api.parse(query), query, "neo4j-25")
    return targets.emit(core, catalog_of(schema_, dialect, source), dialect, given, source)


def difference(query: str, ordered: bool, made: Statement, embedded: Any, laid: Laid, run: Run) -> str | None:
    """How the rows of a text differ from those of the embedded engine."""
    wanted = list(identified(embedded.run(query, parameters()).rows, laid))
    floats = [rep == FLOAT for _, rep in made.columns]
    typed = [
        tuple([float(v) if is_float and type(v) is int else v for v, is_float in zip(row, floats, strict=True)])
        for row in wanted
    ]  # the sum of no floats is the float 0.0
    found = [tuple(row) for row in run(made)]
    verdict = rows_equal(typed, found, ordered=ordered)
    if verdict:
        return None
    return f"{query}\n{made.text}\n{verdict.reason}\nwanted {typed}\nfound  {found}"


def differences(dialect: str, run: Run, state: Callable[..., Statement] = statement) -> list[str]:
    """Of the constructs that a dialect has, those whose rows differ from the embedded engine's.  `run` has the tables
    of `tables(dialect)`; `state` makes the text of a query."""
    laid = tables(dialect)
    with graphir.connect() as embedded:
        embedded.load(graph())
        found = [
            difference(
                each.query,
                each.ordered,
                state(each.query, dialect, schema(), parameters()),
                embedded,
                laid,
                run,
            )
            for each in supported(dialect)
        ]
    return [each for each in found if each is not None]
