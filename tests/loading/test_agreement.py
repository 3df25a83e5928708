"""One graph in every form: as a value, lines, tables of neo4j-admin, Parquet and a script it gives the same rows."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir.values import Date, DateTime, Duration, LocalDateTime, Point
from graphir.values.text import text

MARKS = {
    "i": "long",
    "f": "double",
    "b": "boolean",
    "s": "string",
    "d": "date",
    "l": "localdatetime",
    "z": "datetime",
    "u": "duration",
    "p": "point",
    "is": "long[]",
    "ss": "string[]",
    "ds": "date[]",
}
QUERIES = (
    "MATCH (n) RETURN labels(n) AS l, properties(n) AS p",
    "MATCH (a)-[r]->(b) RETURN a.key AS a, type(r) AS t, properties(r) AS p, b.key AS b",
    "MATCH (n) WHERE n.i > 0 RETURN n.i + 1 AS i, n.f AS f",
    "MATCH (n) WHERE n.d IS NOT NULL RETURN n.d.year AS y, size(n.is) AS n, n.u + n.u AS u",
)


def value(dice: random.Random, key: str) -> Any:
    day = Date.of(dice.randint(1, 2400), dice.randint(1, 12), dice.randint(1, 28))
    local = LocalDateTime(dice.randint(-(10**10), 10**10), dice.choice((0, 5 * 10**8, 123456789)))
    made: dict[str, Callable[[], Any]] = {
        "i": lambda: dice.choice((0, -1, 2**63 - 1, -(2**63), dice.randint(-99, 99))),
        "f": lambda: dice.choice((0.1, -1.5, 1e300, 5e-324, float(dice.randint(-9, 9)))),
        "b": lambda: dice.random() < 0.5,
        "s": lambda: dice.choice(("", "a, b", 'say "hi"', "two\nlines", "null", "007", "ü", "'", "\\")),
        "d": lambda: day,
        "l": lambda: local,
        "z": lambda: DateTime(local.second, local.nano, dice.choice((0, 3600, -16200)), None),
        "u": lambda: Duration(dice.randint(0, 20), dice.randint(0, 40), dice.randint(0, 10**6), 0),
        "p": lambda: Point(dice.choice((7203, 4326)), float(dice.randint(-9, 9)), 1.5),
        "is": lambda: [dice.randint(-9, 9) for _ in range(dice.randint(1, 3))],
        "ss": lambda: [dice.choice(("x", "y z", "ü")) for _ in range(dice.randint(1, 3))],
        "ds": lambda: [day],
    }
    return made[key]()


def graph_of(seed: int) -> graphir.PropertyGraph:
    dice = random.Random(seed)

    def properties(**more: Any) -> dict[str, Any]:
        return more | {key: value(dice, key) for key in MARKS if dice.random() < 0.5}

    nodes = [graphir.Node(at, dice.choice((("A",), ("B",), ("A", "B"))), properties(key=f"n{at}")) for at in range(12)]
    edges = [
        graphir.Edge(at, dice.choice(("R", "S")), dice.randrange(12), dice.randrange(12), properties())
        for at in range(20)
    ]
    return graphir.PropertyGraph(tuple(nodes), tuple(edges))


def cell(value: Any) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return str(value).lower()
        case list():
            return ";".join(str(item) for item in value)
        case Point():
            names = ("longitude", "latitude") if value.geographic else ("x", "y")
            return f"{{{names[0]}: {value.x}, {names[1]}: {value.y}}}"
        case float():
            return repr(value)
        case _:
            return str(value)


def write_csv(path: Path, header: list[str], rows: Iterable[list[str | None]]) -> None:
    """Absent values are empty, empty text is quoted."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerow(header)
        for row in rows:
            stream.write(",".join("" if one is None else '"' + one.replace('"', '""') + '"' for one in row) + "\n")


def as_tables(graph: graphir.PropertyGraph, folder: Path) -> Path:
    typed = [f"{key}:{mark}" for key, mark in MARKS.items()]
    write_csv(
        folder / "nodes.csv",
        ["key:ID(N)", ":LABEL", *typed],
        (
            [node["key"], ";".join(node.labels), *(cell(node.properties.get(key)) for key in MARKS)]
            for node in graph.nodes
        ),
    )
    names = [node["key"] for node in graph.nodes]
    write_csv(
        folder / "edges.csv",
        [":START_ID(N)", ":END_ID(N)", ":TYPE", *typed],
        (
            [names[int(e.start)], names[int(e.end)], e.type, *(cell(e.properties.get(key)) for key in MARKS)]
            for e in graph.edges
        ),
    )
    return folder


def as_lines(graph: graphir.PropertyGraph, folder: Path) -> Path:
    document = graph.to_dict()
    path = folder / "graph.jsonl"
    rows = [*({"edge": row} for row in document["edges"]), *({"node": row} for row in document["nodes"])]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def as_document(graph: graphir.PropertyGraph, folder: Path) -> Path:
    path = folder / "graph.json"
    path.write_text(json.dumps(graph.to_dict()), encoding="utf-8")
    return path


def as_script(graph: graphir.PropertyGraph, folder: Path) -> Path:
    path = folder / "graph.cypher"
    nodes = ", ".join(f"(n{n.id}:{':'.join(n.labels)} {literal(dict(n.properties))})" for n in graph.nodes)
    edges = ", ".join(f"(n{e.start})-[:{e.type} {literal(dict(e.properties))}]->(n{e.end})" for e in graph.edges)
    path.write_text(f"CREATE {nodes}\nCREATE {edges};\n", encoding="utf-8")
    return path


def literal(value: Any) -> str:
    functions = {Date: "date", LocalDateTime: "localdatetime", DateTime: "datetime", Duration: "duration"}
    match value:
        case dict():
            return "{" + ", ".join(f"`{key}`: {literal(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(literal, value)) + "]"
        case _ if type(value) in functions:
            return f"{functions[type(value)]}('{value}')"
        case int() if value == -(2**63):
            return "-9223372036854775808"
        case _:
            return text(value)


def rows(source: Any) -> list[list[str]]:
    with graphir.connect("duckdb") as db:
        db.load(source)
        found = []
        for query in QUERIES:
            try:
                found.append(sorted(repr(shown(row)) for row in db.run(query).rows))
            except graphir.RunFault as fault:
                found.append([fault.diagnostics[0].code])
        return found


def shown(value: Any) -> Any:
    """Maps in one order."""
    match value:
        case dict():
            return {key: shown(item) for key, item in sorted(value.items())}
        case list() | tuple():
            return [shown(item) for item in value]
        case _:
            return value


@pytest.mark.parametrize("form", [as_tables, as_lines, as_document, as_script])
@pytest.mark.parametrize("seed", range(3))
def test_forms_agree(tmp_path: Path, seed: int, form: Callable[[graphir.PropertyGraph, Path], Path]) -> None:
    graph = graph_of(seed)
    expected = rows(graph)
    assert len(expected[0]) == 12
    assert rows(form(graph, tmp_path)) == expected
