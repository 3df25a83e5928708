"""Hyper runs the SQL/PGQ that graphir writes for it, and gives the rows of the embedded engine.

GRAPHIR_PAIRS says how many random pairs of query and graph are compared (200), with half as many cases of
`graphir.generation`.  The last tests take one of the things that the translation writes out away again, to see that
the comparison notices.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir import generation, ir
from graphir.backends import sqlpgq
from graphir.backends.engines import registry
from graphir.graphs import PropertyGraph
from graphir.schema import Schema
from graphir.values.entities import Node
from graphir.values.json import to_json
from tests.engines import pairs
from tests.engines.pgq_rows import FLAT

STATUS = registry.examine(registry.KINDS["hyper"])
pytestmark = pytest.mark.skipif(not STATUS.usable, reason=f"hyper: {STATUS.reason}")
PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "200"))
Case = tuple[Any, str, dict[str, Any], bool]
"""A graph, a query, its parameters, whether the rows have an order."""
OF_ENGINE = {"G621", "G622", "G624", "G627", "G628"}
"""Codes of what the engine itself says: it takes every statement that is written for it, but for a limit of its own
(G623): a pattern may stand for at most 1,000 combinations of tables."""


@pytest.fixture(scope="module")
def hyper() -> Iterator[Any]:
    with graphir.connect("hyper") as engine:
        yield engine


def shown(result: graphir.Result, *, ordered: bool, sums: bool = False) -> list[str]:
    """Rows to compare: values are collected in any order, and a sum of no floats is a float in SQL."""
    rows = [json.dumps([plain(value, sums=sums) for value in row], sort_keys=True) for row in result.rows]
    return rows if ordered else sorted(rows)


def plain(value: Any, *, sums: bool) -> Any:
    if isinstance(value, list) and not any(isinstance(item, graphir.Edge) for item in value):
        return sorted([to_json(item, "full") for item in value], key=repr)
    return to_json(int(value) if sums and type(value) is float and value.is_integer() else value, "full")


@pytest.fixture(scope="module")
def ours() -> Iterator[Any]:
    with graphir.connect() as engine:
        yield engine


def differences(ours: Any, hyper: Any, cases: Iterator[Case], tally: Counter[str]) -> Iterator[str]:
    """The cases that Hyper answers otherwise than the embedded engine, or refuses though they were written for it."""
    for graph, query, parameters, ordered in cases:
        tally["cases"] += 1
        for engine in (ours, hyper):
            engine.clear()
            engine.load(graph)
        wanted, found = answer(ours, query, parameters), answer(hyper, query, parameters)
        if isinstance(found, str):
            tally[f"refused {found[:4]}"] += 1
            if found[:4] in OF_ENGINE and not isinstance(wanted, str):
                yield f"{query}\n{parameters}\n{found}"
            continue
        tally["ran"] += 1
        if isinstance(wanted, str):
            yield f"{query}\n{parameters}\nwanted {wanted}\nfound {found.rows}"
            continue
        tally["with rows"] += bool(wanted.rows)
        rows = [shown(each, ordered=ordered, sums="sum(" in query) for each in (wanted, found)]
        if wanted.columns != found.columns or rows[0] != rows[1]:
            yield f"{query}\n{parameters}\nwanted {wanted.rows}\nfound {found.rows}"


def answer(engine: Any, query: str, parameters: dict[str, Any]) -> graphir.Result | str:
    """The result, or the code and message of the fault."""
    try:
        result: graphir.Result = engine.run(query, parameters)
    except graphir.GraphirError as fault:
        return f"{fault.diagnostics[0].code} {fault.diagnostics[0].message}"
    return result


def random_pairs(count: int) -> Iterator[Case]:
    for seed in range(count):
        pair = pairs.pair(seed)
        yield pairs.graph(seed), pair.query, {}, pair.ordered


def generated(count: int) -> Iterator[Case]:
    for seed in range(count):
        made = generation.case(seed, profile=FLAT)
        yield made.graph, made.query, made.parameters, made.ordered


def test_random_pairs(ours: Any, hyper: Any) -> None:
    tally: Counter[str] = Counter()
    assert list(differences(ours, hyper, random_pairs(PAIRS), tally)) == []
    assert tally["ran"] >= 0.9 * PAIRS
    assert tally["with rows"] >= 0.2 * PAIRS


def test_generated_cases(ours: Any, hyper: Any) -> None:
    tally: Counter[str] = Counter()
    assert list(differences(ours, hyper, generated(PAIRS // 2), tally)) == []
    assert tally["ran"] >= 0.2 * (PAIRS // 2)


# ------------------------------------------------------------------ values

TEXT = "it's \\ \""
GRAPH: dict[str, Any] = {
    "nodes": [
        {
            "id": "a",
            "labels": ["P"],
            "properties": {"n": 1, "f": float("nan"), "s": TEXT, "d": {"$date": "2020-02-29"}},
        },
        {"id": "b", "labels": ["P", "Q"], "properties": {"n": 2**53 + 1, "f": -0.5, "b": True, "xs": [1, 2]}},
        {"id": "c", "labels": [], "properties": {"n": "text"}},
    ],
    "edges": [
        {"id": "a", "type": "R", "start": "a", "end": "b", "properties": {"w": 1}},
        {"id": "b", "type": "R", "start": "b", "end": "b", "properties": {"w": 2}},
        {"id": "c", "type": "S", "start": "b", "end": "c", "properties": {}},
    ],
}
QUERIES = (
    "MATCH (n) RETURN n",
    "MATCH (n:P) RETURN n.n, n.f, n.s, n.d, n.b, n.none",
    "MATCH (a)-[r]->(b) RETURN r, type(r), a, b",
    "MATCH p = (a:P)-[:R*0..2]->(b) RETURN p, length(p)",
    "MATCH (a:P)-[r:R*1..2]->(b) RETURN r, size(r), b.xs IS NULL",
    "MATCH (a:P)-[r]->(b:P) WHERE a <> b RETURN collect(a.s), collect(DISTINCT a.n), collect(a.f)",
    "MATCH (a:P)-[r]->(b:P) WHERE a <> b RETURN collect(b.b), collect(a.d), collect(b.none)",
    "MATCH (n:P) RETURN DISTINCT n ORDER BY n.n DESC",
    "MATCH (n:P) RETURN n, count(*) AS c ORDER BY n.n DESC",
    "MATCH (n:P) OPTIONAL MATCH p = (n)-[r:S]->(m) RETURN n.n, p, r, m",
    "MATCH (n:P) WHERE n.f > 0 OR n.f = n.f RETURN n.n",
    "MATCH (n:P) WHERE NOT n.f <> n.f RETURN n.n",
    "MATCH (n:P) RETURN n.f > -1, n.f <= 3.5, n.f = n.f, n.f <> n.f, n.f IN [n.f, 1.0]",
    "MATCH (n:P) RETURN n.n > 9007199254740992 AS x, n.n + 2147483647 AS y, 2147483647 + 1 AS z",
    "MATCH (n) WHERE n.n IS NOT NULL AND n.xs IS NULL RETURN count(*) AS c",
    "MATCH (n) WHERE n:P AND NOT n:Q OR n:Nope RETURN count(n) AS c",
    "MATCH (n) RETURN count(CASE WHEN n:Q THEN 1 END) AS c",
    "MATCH (n:P) WHERE n.s =~ 'it.s .*' OR n.s CONTAINS '\\\\' RETURN n.n",
    "UNWIND [] AS x RETURN x",
    "UNWIND [null, null] AS x RETURN count(*) AS c",
    "UNWIND range(3, 1, -1) AS x RETURN x ORDER BY x LIMIT 2",
    "MATCH (a:P), (b:P) WHERE a <> b RETURN count(*) AS c",
    "MATCH (n:P) WITH n ORDER BY n.n DESC LIMIT 1 MATCH (n)-[r]->(m) RETURN r, m",
    "MATCH (n:P) WHERE EXISTS { (n)-[:R]->(n) } RETURN n",
    "MATCH (n:P) RETURN n.n AS n, COUNT { (n)--() } AS c",
    "MATCH (n:P)-[r:R]->() RETURN COUNT { MATCH (m:P) WHERE m.n >= r.w MATCH ()-[r]->(m) } AS c",
    "RETURN 1.5 AS a, 'x\\ny' AS b, null AS c, 1 / 2 AS d, 7 % -2 AS e",
    "MATCH (n:P) RETURN avg(n.n) AS a, sum(n.n) AS s, min(n.f) AS b, max(n.f) AS c",
    "MATCH (n:Nope)-[r:Nope]->(m) RETURN n.x AS x, count(m) AS c",
    "MATCH (n:Nope) WITH n, count(*) AS c LIMIT 1 RETURN COUNT { (:Nope)--() } AS d, c",
    # bodies of CALL that stand for themselves
    "CALL { MATCH (n:P)-[:R]->(m:P) RETURN n, m UNION MATCH (n:P)-[:S]->(m) RETURN n, m } WITH DISTINCT n RETURN n.n",
    "CALL { MATCH (n:P)-[:R]->(m) RETURN n, m UNION MATCH (n:P)-[:R]->(m:P) RETURN n, m } "
    "RETURN n.n, m.n, count(*) AS c",
    "CALL { MATCH (n:P)-[:R]->(m) RETURN n UNION ALL MATCH (n:P)-[:R]->(m) RETURN n } RETURN n.n, count(*) AS c",
    "CALL { MATCH (n:P) RETURN n UNION MATCH (n) WHERE n.xs IS NULL RETURN n } RETURN n, n:Q AS q",
    "CALL { MATCH (n:P) RETURN n UNION MATCH (n:Nope) RETURN n } RETURN n.n, n.b, n.d, n.none",
    "CALL { RETURN null AS x UNION MATCH (n:P) RETURN n.n AS x } RETURN x + 1 AS y",
    "CALL { MATCH (n:P) RETURN n.f AS x UNION MATCH (n:P) RETURN n.f AS x } RETURN count(*) AS c",
    "CALL { MATCH (n:P) RETURN n ORDER BY n.n LIMIT 1 UNION ALL MATCH (n:P) RETURN n ORDER BY n.n DESC LIMIT 1 } "
    "RETURN n.n",
    "MATCH (m:P) CALL { MATCH (n:P) RETURN count(n) AS c } RETURN m.n, c",
    "MATCH (m:P) WHERE m.n > 1 CALL { MATCH (n:P) RETURN n UNION MATCH (n:Q) RETURN n } WITH m, n WHERE m <> n "
    "MATCH (n)-[r]->(k) RETURN m.n, n.n, type(r) AS t",
    "CALL { MATCH ()-[r:R]->() RETURN r UNION MATCH ()-[r:S]->() RETURN r } RETURN type(r) AS t, r.w",
    "CALL { MATCH (n:P) WITH n.n AS x CALL { MATCH (m:Q) RETURN m.n AS y } RETURN x, y } RETURN x, y",
    "CALL { MATCH p = (n:P)-[:R]->(m) RETURN p } RETURN length(p) AS l",
    # parts of dates, and numbers of other values
    "MATCH (n:P) RETURN n.d.year AS y, n.d.month AS m, n.d.day AS d, n.d.week AS w, n.d.quarter AS q",
    "MATCH (n:P) WITH n.d AS d WHERE d.year = 2020 RETURN d.dayOfWeek AS w, d.ordinalDay AS o, d.weekYear AS y",
    "MATCH (n:P) WHERE n.d.year > 2000 RETURN toInteger(n.b) AS b, toFloat(n.n) AS f, date(n.d) AS d",
    "MATCH (n:P) WHERE toFloat(n.n) < 5.5 RETURN toInteger(n.n + 0.9) AS x, toInteger(-2.5) AS y, toInteger(null) AS z",
    "MATCH (n:Q) RETURN COUNT { (:Nope) } AS d, EXISTS { (n)-[:Nope]->() } AS e, COUNT { (:Nope), (:P) } AS f",
)


@pytest.mark.parametrize("query", QUERIES)
def test_values(ours: Any, hyper: Any, query: str) -> None:
    for engine in (ours, hyper):
        engine.clear()
        engine.load(GRAPH)
    wanted, found = ours.run(query), hyper.run(query)
    ordered = "ORDER BY" in query.rpartition("RETURN")[2]
    assert found.columns == wanted.columns
    assert shown(found, ordered=ordered) == shown(wanted, ordered=ordered)
    assert wanted.rows or "[] AS" in query or "Nope" in query


TEXTS = (
    *("12", " 12 ", "+12", "-12.7", "1e3", "1.5e2", ".5", "5.", "abc", "", "  ", "12abc", "1_000", "1e400", "NaN"),
    *("-Infinity", "0x1F", "123456789012345678901", "12\n", "0.1", "123456789.123456789123456789", "1.7e-12", "1,5"),
    *("--1", "1-", "+", ".", "e5", "2024-01-01", "1d", "inf", "true", "4.35", "2.2250738585072014e-8", "1é"),
)


@pytest.mark.parametrize("function", ["toInteger", "toFloat"])
def test_numbers_of_texts(ours: Any, hyper: Any, function: str) -> None:
    """A number as it is usually spelled, null of what is none; of what else Cypher reads the query stops."""
    stopped = set()
    for text in TEXTS:
        query = f"UNWIND [{json.dumps(text)}, null] AS s RETURN {function}(s) AS x"
        try:
            found = hyper.run(query)
        except graphir.GraphirError as fault:
            stopped.add((fault.diagnostics[0].code, text))
        else:
            assert shown(found, ordered=False) == shown(ours.run(query), ordered=False), text
    unusual = {"12abc", "1_000", "1e400", "0x1F", "123456789012345678901", "12\n", "1.7e-12", "1d", "1é", "--1"}
    assert stopped <= {("G624", text) for text in unusual}


def test_dates_of_texts(ours: Any, hyper: Any) -> None:
    for text in ("2020-02-29", "1999-12-31", "9999-01-01"):
        query = f"UNWIND ['{text}', null] AS s RETURN date(s) AS x, date(s).year AS y"
        assert shown(hyper.run(query), ordered=False) == shown(ours.run(query), ordered=False)
    for text in ("20200229", "2020-2-9", "2021-02-29", "x"):
        with pytest.raises(graphir.GraphirError, match="G624"):
            hyper.run(f"UNWIND ['{text}'] AS s RETURN date(s) AS x")


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "=", "<>"])
def test_integers_beside_floats(ours: Any, hyper: Any, operator: str) -> None:
    """By their exact values, also where an integer has no float like it."""
    whole = [1, 2, 3, -2, -3, 0, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), None]
    floats = [1.0, 2.5, -2.5, -0.0, 2.0**53, 2.0**53 + 2, 2.0**63, -(2.0**63), 1e300, -1e300, float("inf"), None]
    pairs_of = list(product(whole, [*floats, float("-inf"), float("nan")]))
    nodes = [
        Node(at, ("P",), {name: value for name, value in (("k", at), ("i", i), ("f", f)) if value is not None})
        for at, (i, f) in enumerate(pairs_of)
    ]
    for engine in (ours, hyper):
        engine.clear()
        engine.load(PropertyGraph(tuple(nodes), ()))
    for query in (
        f"MATCH (p:P) RETURN p.k AS k, p.i {operator} p.f AS x, p.f {operator} p.i AS y, p.i IN [p.f] AS z",
        f"MATCH (p:P) WHERE p.i {operator} p.f RETURN p.k AS k",
        f"MATCH (p:P) WHERE NOT p.f {operator} p.i RETURN p.k AS k",
        f"MATCH (p:P) WITH avg(p.i % 7) AS a MATCH (p:P) WHERE p.i {operator} a RETURN p.k AS k",
    ):
        assert shown(hyper.run(query), ordered=False) == shown(ours.run(query), ordered=False)


def test_an_edge_that_is_matched_again_keeps_its_ends(ours: Any, hyper: Any) -> None:
    """Hyper takes an edge with a variable of before for one between any two of its ends."""
    nodes = [{"id": name, "labels": ["P"], "properties": {"n": name}} for name in "ab"]
    edges = [
        {"id": at, "type": "R", "start": start, "end": end, "properties": {}}
        for at, (start, end) in enumerate([("a", "b"), ("b", "a"), ("b", "b")])
    ]
    query = "MATCH (a)-->(b)-[r:R]->(c) MATCH (a)-[r]-(c) RETURN a.n AS a, b.n AS b, c.n AS c"
    for engine in (ours, hyper):
        engine.clear()
        engine.load({"nodes": nodes, "edges": edges})
    assert shown(hyper.run(query), ordered=False) == shown(ours.run(query), ordered=False)
    assert ours.run(query).rows == [("b", "b", "a")]


def test_elements_are_those_that_were_loaded(hyper: Any) -> None:
    """Ids of nodes and edges may be the same, and what no column holds comes back all the same."""
    hyper.clear()
    hyper.load(GRAPH)
    ((node, edge),) = hyper.run("MATCH (n:Q)-[r:S]->() RETURN n, r").rows
    assert (node.id, edge.id, node.properties["xs"]) == ("b", "c", [1, 2])


def test_parameters_become_constants(hyper: Any) -> None:
    hyper.clear()
    hyper.load(GRAPH)
    query = "MATCH (n:P) WHERE n.n IN $numbers AND n.s = $text RETURN n.n AS n LIMIT $rows"
    assert hyper.run(query, {"numbers": [1, 5], "text": TEXT, "rows": 3}).rows == [(1,)]
    assert hyper.run("RETURN $d < date('2021-01-01') AS b", {"d": graphir.values.Date.of(2020, 1, 1)}).rows == [(True,)]


def test_loading_adds_and_clearing_forgets(hyper: Any) -> None:
    hyper.clear()
    assert hyper.run("MATCH (n) RETURN count(n) AS c").rows == [(0,)]
    hyper.load(GRAPH)
    hyper.load({"nodes": [{"id": "a", "labels": ["P"], "properties": {"n": 5}}], "edges": []})
    assert hyper.run("MATCH (n:P) RETURN count(n) AS c, max(n.n) AS m").rows == [(3, 2**53 + 1)]
    assert hyper.run("MATCH (a), (b) WHERE a <> b RETURN count(*) AS c").rows == [(12,)]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("RETURN", "G009"),
        ("MATCH (n) RETURN m", "G101"),
        ("MATCH (n) DELETE n", "G685"),
        ("MATCH (n) RETURN n.n AS n", "G572"),
        ("MATCH (n:Q) RETURN n.xs AS xs", "G572"),
        ("MATCH (a)-[*]->(b) RETURN a", "G525"),
        ("MATCH (a)-[*1..40]->(b) RETURN a", "G571"),
        ("RETURN 1 / 0 AS x", "G624"),
        ("MATCH (n:P) RETURN n.n + 9223372036854775807 AS x", "G624"),
    ],
)
def test_faults(hyper: Any, query: str, code: str) -> None:
    hyper.clear()
    hyper.load(GRAPH)
    with pytest.raises(graphir.GraphirError) as caught:
        hyper.run(query)
    assert code in {found.code for found in caught.value.diagnostics}


@pytest.mark.parametrize("value", [2**63, "a\0b", {"$date": "+12345-01-01"}])
def test_what_it_cannot_hold_is_refused_and_nothing_changes(hyper: Any, value: Any) -> None:
    hyper.clear()
    hyper.load(GRAPH)
    with pytest.raises(graphir.GraphirError) as caught:
        hyper.load({"nodes": [{"id": "x", "labels": ["P"], "properties": {"v": value}}], "edges": []})
    assert caught.value.diagnostics[0].code in ("G626", "G605", "G600")
    assert hyper.run("MATCH (n) RETURN count(n) AS c").rows == [(3,)]


def test_it_starts_answers_stops_and_leaves_nothing(tmp_path: Path) -> None:
    code = (
        "import graphir\n"
        "with graphir.connect('hyper') as db, graphir.connect('hyper') as other:\n"
        "    db.load('example:library')\n"
        "    query = 'MATCH (c:Copy)-[:COPY_OF]->(t:Title) RETURN count(*) > 1 AS b'\n"
        "    print(db.run(query).rows, other.run('RETURN 1 AS x').rows)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[(True,)] [(1,)]\n"
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ a schema with tables of its own

DDL = """
CREATE TABLE person (country text NOT NULL, no int NOT NULL, "full name" text, score real, PRIMARY KEY (country, no));
CREATE TABLE city (id int PRIMARY KEY, name text);
CREATE TABLE knows (id int PRIMARY KEY, c1 text, n1 int, c2 text, n2 int, since date,
  FOREIGN KEY (c1, n1) REFERENCES person (country, no), FOREIGN KEY (c2, n2) REFERENCES person (country, no));
CREATE TABLE lives (id int PRIMARY KEY, c text, n int, city int,
  FOREIGN KEY (c, n) REFERENCES person (country, no), FOREIGN KEY (city) REFERENCES city (id));
CREATE PROPERTY GRAPH people
  VERTEX TABLES (
    person LABEL "Person" PROPERTIES (country, no, "full name", score),
    city LABEL "City" PROPERTIES (id, name))
  EDGE TABLES (
    knows SOURCE KEY (c1, n1) REFERENCES person (country, no) DESTINATION KEY (c2, n2) REFERENCES person (country, no)
      LABEL "KNOWS" PROPERTIES (since),
    lives SOURCE KEY (c, n) REFERENCES person (country, no) DESTINATION KEY (city) REFERENCES city (id) LABEL "LIVES");
"""
ROWS = (
    'CREATE TEMPORARY TABLE person (country text NOT NULL, no int NOT NULL, "full name" text, score real)',
    "CREATE TEMPORARY TABLE city (id int NOT NULL, name text)",
    "CREATE TEMPORARY TABLE knows (id int NOT NULL, c1 text, n1 int, c2 text, n2 int, since date)",
    "CREATE TEMPORARY TABLE lives (id int NOT NULL, c text, n int, city int)",
    "INSERT INTO person VALUES ('a', 12, 'Ada', 1.5), ('a1', 2, 'Bob', NULL), ('1', 1, '', 0.25)",
    "INSERT INTO city VALUES (1, 'x'), (2, 'y')",
    "INSERT INTO knows VALUES (1, 'a', 12, 'a1', 2, DATE '2020-01-01'), (2, 'a1', 2, 'a', 12, NULL)",
    "INSERT INTO knows VALUES (3, '1', 1, '1', 1, NULL)",
    "INSERT INTO lives VALUES (1, 'a', 12, 1), (2, 'a1', 2, 1)",
)


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        (
            "MATCH (p:Person)-[k:KNOWS]-(q) RETURN p.`full name` AS p, q.`full name` AS q ORDER BY p, q",
            [("", ""), ("Ada", "Bob"), ("Ada", "Bob"), ("Bob", "Ada"), ("Bob", "Ada")],
        ),
        ("MATCH (a)-[r]->(b)-[s]->(c) RETURN count(*) AS n, count(DISTINCT a) AS m", [(4, 2)]),
        ("MATCH (a)-[r]-(b) RETURN type(r) AS t, count(DISTINCT a) AS n ORDER BY t", [("KNOWS", 3), ("LIVES", 3)]),
        (
            "MATCH (a:Person) OPTIONAL MATCH (a)-[:LIVES]->(c) RETURN a.no + 2147483647 AS n, c.name AS c ORDER BY n",
            [(2147483648, None), (2147483649, "x"), (2147483659, "x")],
        ),
        ("MATCH (a:Person) WHERE a.score > 1 OR EXISTS { (a)-[:KNOWS*1..2]->(a) } RETURN count(*) AS n", [(3,)]),
        # nodes and relationships, with their properties behind them
        (
            "MATCH (p:Person) RETURN p ORDER BY p.no LIMIT 2",
            [("1:1:11", "1", "", 1, 0.25), ("1:2:a12", "a1", "Bob", 2, None)],
        ),
        (
            "MATCH (p:Person {no: 12})-[r]->(x) RETURN DISTINCT x ORDER BY x.name",
            [("0:1", 1, "x", None, None, None, None), ("1:2:a12", None, None, "a1", "Bob", 2, None)],
        ),
        (
            "MATCH (p:Person)-[r]->(x) RETURN p, count(*) AS n ORDER BY n, p.no LIMIT 2",
            [("1:1:11", "1", "", 1, 0.25, 1), ("1:2:a12", "a1", "Bob", 2, None, 2)],
        ),
        (
            "MATCH (p:Person) OPTIONAL MATCH (p)-[l:LIVES]->(c:City) RETURN p.no AS c_id, c, l ORDER BY c_id LIMIT 2",
            [(1, *[None] * 8), (2, "0:1", 1, "x", "3:2", "a1", 1, 2, 2)],
        ),
        (
            "MATCH (p:Person) WITH p AS q, p.no + 1 AS q_no RETURN q, q_no ORDER BY q_no LIMIT 1",
            [("1:1:11", "1", "", 1, 0.25, 2)],
        ),
    ],
)
def test_tables_of_ones_own(query: str, rows: list[tuple[Any, ...]]) -> None:
    """Keys of several columns, with the same parts in another order, and tables with the same keys."""
    schema = Schema.read(DDL, "postgres-ddl")
    with graphir.connect("hyper") as engine:
        for statement in ROWS:
            engine._connection.execute_command(statement)
        found = engine._connection.execute_list_query(graphir.translate(query, write="pgq-hyper", schema=schema))
    assert [tuple(row) for row in found] == rows


# ------------------------------------------------------------------ what is left out is noticed


def without_uniqueness(node: ir.Node) -> ir.Node:
    return dataclasses.replace(node, uniqueness="repeatable_elements") if isinstance(node, ir.Match) else node


def with_other_nulls(node: ir.Node) -> ir.Node:
    if isinstance(node, ir.SortKey):
        return dataclasses.replace(node, nulls="first" if node.nulls == "last" else "last")
    return node


def without_distinct(node: ir.Node) -> ir.Node:
    return dataclasses.replace(node, distinct=False) if isinstance(node, ir.Project) else node


def without_optional(node: ir.Node) -> ir.Node:
    return dataclasses.replace(node, optional=False) if isinstance(node, ir.Match) else node


def with_fewer_lengths(node: ir.Node) -> ir.Node:
    if isinstance(node, ir.EdgePattern) and node.quantifier is not None and node.quantifier.high != node.quantifier.low:
        return dataclasses.replace(node, quantifier=ir.Bounds(node.quantifier.low, node.quantifier.low))
    return node


@pytest.mark.parametrize(
    "mutation",
    [without_uniqueness, with_other_nulls, without_distinct, without_optional, with_fewer_lengths],
    ids=lambda mutation: mutation.__name__,
)
def test_what_is_left_out_is_noticed(
    ours: Any, hyper: Any, monkeypatch: pytest.MonkeyPatch, mutation: Callable[[ir.Node], ir.Node]
) -> None:
    whole = sqlpgq.statement

    def mutilated(core: ir.Query, *rest: Any, **options: Any) -> sqlpgq.Statement:
        return whole(ir.rewrite(core, mutation), *rest, **options)

    monkeypatch.setattr(sqlpgq, "statement", mutilated)
    assert next(differences(ours, hyper, random_pairs(600), Counter()), None) is not None


@pytest.mark.parametrize(
    "query",
    [
        "WITH 0 AS c SKIP 1 MATCH (n) RETURN n.x AS x",
        "WITH 0 AS c SKIP 0 MATCH (n) RETURN n.x AS x",
        "MATCH (n) WITH max(n.x) AS c ORDER BY c SKIP 1 LIMIT 2 MATCH (m) RETURN 1 AS x",
        "MATCH (n) WITH count(*) AS c SKIP 1 RETURN count(c) AS v",
        "MATCH (n) WITH count(*) AS c SKIP 0 LIMIT 1 RETURN count(c) AS v",
        "MATCH (n) WITH n.x AS x, count(*) AS c ORDER BY x SKIP 1 RETURN x, c",
        "MATCH (n) WITH n ORDER BY n.x SKIP 1 MATCH (m) RETURN m.x AS x",
    ],
)
def test_a_page_of_one_row(ours: Any, hyper: Any, query: str) -> None:
    """Hyper forgets OFFSET where it knows of one row and nothing reads it (0.0.26963)."""
    graph = PropertyGraph((Node(1, ("A",), {"x": 1}), Node(2, ("A",), {"x": 2})))
    for engine in (ours, hyper):
        engine.clear()
        engine.load(graph)
    assert shown(hyper.run(query), ordered=False) == shown(ours.run(query), ordered=False)


def test_a_page_of_one_row_by_a_parameter_is_refused() -> None:
    query = "WITH 0 AS c SKIP $n MATCH (n) RETURN n.x AS x"
    with pytest.raises(graphir.Unsupported, match="SQL/PGQ of Hyper"):
        graphir.translate(query, write="pgq-hyper", schema=Schema.read("(:A)-[:R]->(:A)"))
