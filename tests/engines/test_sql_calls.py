"""Every call of a function in the table of `docs/sql.md` that is translated gives the values of the embedded engine, on
DuckDB and PostgreSQL with joins in place of graph tables, in the words of three dialects of SQL/PGQ."""

from __future__ import annotations

import math
from typing import Any

from graphir.backends.sqltext import calls
from graphir.diagnostics import RunFault, Unsupported
from graphir.graphs import PropertyGraph
from graphir.values.datetimes import DateTime
from graphir.values.entities import Edge, Node
from tests import loaded
from tests.engines.graph_joins import Joined

DIALECTS = ("pgq-duckpgq", "pgq-postgres", "pgq-oracle-26ai")
PEOPLE: list[dict[str, Any]] = [
    {"age": 30, "height": 1.75, "name": "Ann a", "active": True, "born": {"$date": "1999-12-31"}, "scores": [3, 1, 3]},
    {"age": -7, "height": -0.5, "name": "  bÉ  ", "active": False, "born": {"$date": "2024-02-29"}, "scores": []},
    {"age": 1, "height": 0.25, "name": "12", "born": {"$date": "2021-01-03"}, "scores": [1]},
    {"name": "true", "scores": [2, 2]},
]
GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [{"id": at, "labels": ["Person"], "properties": each} for at, each in enumerate(PEOPLE, 1)]
        + [{"id": 9, "labels": ["City"], "properties": {"code": "x"}}],
        "edges": [
            {"id": at, "type": "KNOWS", "start": start, "end": end, "properties": {"since": at}}
            for at, (start, end) in enumerate([(1, 2), (2, 3), (3, 4), (4, 1)], 1)
        ],
    }
)
MORE = (
    "p.height IN [1, 2]",
    "NOT p.height IN [-1, 0]",
    "p.height / 0.0 IN [1, 2]",
    "isNaN(0.0 / (p.height - p.height))",
    *[
        f"p.born {sign} duration({span})"
        for sign in "+-"
        for span in ("{days: 3}", "'P1M'", "{years: 1}", "'P-2M'", "{months: 13, days: -31}", "'P2Y1W'", "{}")
    ],
    "duration({months: 1}) + p.born",
    "p.born + duration('P1M') + duration('P1M') - duration('P2M')",
    "p.born + duration('P1M') > date('2021-02-03')",
    *[
        f"duration.{call}.{part}"
        for call, part in (
            *[("between(p.born, date('2024-02-28'))", part) for part in ("years", "months")],
            *[("between(date('2024-02-29'), p.born)", part) for part in ("years", "months")],
            *[("between(p.born, p.born + duration('P1M'))", part) for part in ("years", "months")],
            *[("inDays(p.born, date('2024-02-28'))", "days"), ("inDays(p.born + duration('P1M'), p.born)", "days")],
        )
    ],
    "date() > p.born",
    "date() = date() + duration('P1D') - duration('P1D')",
    "duration.between(date(), date()).years",
    "duration.between(date(), date() + duration('P14M')).months",
    "round(p.height * 0 * -1)",
    "toString(round(-0.0 * p.age))",
)
CALLS = [*MORE, *[each for expressions in calls.calls().values() for each in expressions]]


joined = loaded.joined(GRAPH, DIALECTS)
embedded = loaded.embedded(GRAPH)


def test_calls_that_are_translated_give_the_same_values(joined: Joined, embedded: Any) -> None:
    different: list[tuple[str, list[str], list[str]]] = []
    compared = 0
    for call in CALLS:
        query = calls.QUERY.format(call)
        try:
            found = _sorted(call, joined.run(query).rows)
        except (Unsupported, RunFault):  # a text that is no plain number stops toFloat()
            continue
        wanted = _sorted(call, embedded.run(query).rows)
        different += [(call, found, wanted)] if found != wanted else []
        compared += 1
    assert different == []
    assert compared > 60


def _sorted(call: str, rows: Any) -> list[str]:
    """The values, in an order that has nothing to do with the engine; so are those of a list that is collected."""
    values = [_plain(row[0]) for row in rows]
    return sorted(repr(sorted(value, key=repr) if call.startswith("collect") else value) for value in values)


def _plain(value: Any) -> Any:
    """A value with the digits of floats that all agree on, moments without the name of a zone, elements by their ids.
    Recurses."""
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.12g}"
    if isinstance(value, DateTime):
        return value.second, value.nano
    if isinstance(value, (Node, Edge)):
        return value.id
    return [_plain(each) for each in value] if isinstance(value, list) else value
