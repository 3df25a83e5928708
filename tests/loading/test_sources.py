"""Documents, lines, scripts, and what an argument means."""

import json
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir.loading import sources
from graphir.values import Date, Point

DOCUMENT: dict[str, Any] = {
    "nodes": [
        {"id": "a", "labels": ["P"], "properties": {"born": {"$date": "1990-01-02"}}},
        {"id": "b", "labels": []},
    ],
    "edges": [{"type": "R", "start": "a", "end": "b", "properties": {"w": 1.5}}],
}
NODES: list[dict[str, Any]] = [{"id": "1", "labels": ["P"], "properties": {"x": 1}}, {"id": "2", "labels": ["P", "Q"]}]
FORMS: dict[str, list[dict[str, Any]]] = {
    "wrapped": [*({"node": node} for node in NODES), {"edge": {"type": "R", "start": "1", "end": "2"}}],
    "bare": [{"type": "R", "start": "1", "end": "2"}, *NODES],
    "apoc": [
        *({"type": "node", **node} for node in NODES),
        {
            "id": "9",
            "type": "relationship",
            "label": "R",
            "start": {"id": "1", "labels": ["P"]},
            "end": {"id": "2", "labels": ["P", "Q"]},
            "properties": {"at": {"crs": "wgs-84", "latitude": 2.0, "longitude": 1.0, "height": None}},
        },
    ],
}


def run(source: Any, query: str) -> list[Any]:
    with graphir.connect("duckdb") as db:
        db.load(source)
        return db.run(query).rows


def fault(source: Any) -> graphir.Diagnostic:
    with graphir.connect("duckdb") as db, pytest.raises(graphir.GraphirError) as caught:
        db.load(source)
    return caught.value.diagnostics[0]


def test_document_in_a_file_keeps_its_ids(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    [(node, edge)] = run(path, "MATCH (n:P)-[r]->() RETURN n, r")
    assert (node.id, node.properties, edge.end, edge.properties) == (
        "a",
        {"born": Date.parse("1990-01-02")},
        "b",
        {"w": 1.5},
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_elements(tmp_path: Path, form: str, suffix: str) -> None:
    path = tmp_path / f"graph.{suffix}"
    rows = FORMS[form]
    text = json.dumps(rows) if suffix == "json" else "\n\n".join(map(json.dumps, rows))
    path.write_text(text, encoding="utf-8")
    assert run(path, "MATCH (n {x: 1})-[r:R]->(m:Q) RETURN count(r), n.x") == [(1, 1)]
    if form == "apoc":
        assert run(path, "MATCH ()-[r]->() RETURN r.at") == [(Point(4326, 1.0, 2.0),)]


def test_folder_of_lines(tmp_path: Path) -> None:
    tmp_path.joinpath("edges.jsonl").write_text(json.dumps(FORMS["bare"][0]), encoding="utf-8")
    tmp_path.joinpath("nodes.jsonl").write_text("\n".join(map(json.dumps, NODES)), encoding="utf-8")
    assert run(tmp_path, "MATCH (n)-[:R]->(m:Q) RETURN n.x") == [(1,)]


def test_lists_that_apoc_calls_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    document = {"nodes": FORMS["apoc"][:2], "rels": FORMS["apoc"][2:]}
    path.write_text(json.dumps(document), encoding="utf-8")
    assert run(path, "MATCH (n)-[:R]->(m:Q) RETURN n.x") == [(1,)]


@pytest.mark.parametrize(
    ("name", "text", "code", "message"),
    [
        ("g.json", '{"nodes": [}', "G660", "g.json:1: not JSON: Expecting value"),
        ("g.json", '{"vertices": []}', "G662", "expected an object with the lists `nodes` and `edges`"),
        ("g.json", '{"nodes": [{"labels": []}]}', "G662", "g.json: `id` is an integer or a string"),
        ("g.jsonl", '{"id": 1, "labels": []}\n{"id": 2, "labels"\n', "G660", "g.jsonl:2: not JSON"),
        ("g.jsonl", '{"id": 1, "labels": []}\n{"x": 1}\n', "G662", "g.jsonl:2: expected a node or an edge"),
        ("g.jsonl", '{"id": 1, "labels": "A"}\n', "G662", "g.jsonl:1: the labels of node 1 are a list"),
        ("g.jsonl", '{"id": 1, "labels": []}\n{"id": 1, "labels": []}\n', "G662", "two elements share the node id 1"),
        ("g.xml", "<graph/>", "G660", "the suffix does not tell what it holds"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, name: str, text: str, code: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found = fault(path)
    assert found.code == code
    assert message in found.message


@pytest.mark.parametrize("source", [Path("nowhere.json"), "example:atlantis", 7, "bolt://127.0.0.1:1"])
def test_sources_that_are_none(source: Any) -> None:
    assert fault(source).code == "G660"


def test_script() -> None:
    script = """
    CREATE CONSTRAINT one FOR (p:P) REQUIRE p.id IS UNIQUE;
    CREATE (a:P {id: 1, name: 'x; y'}), (b:P {id: 2});
    // and then
    MATCH (a:P {id: 1}), (b:P {id: 2}) CREATE (a)-[:R]->(b);
    RETURN 1;
    """
    with graphir.connect("duckdb") as db:
        loaded = db.load(script)
        assert (loaded.nodes, loaded.edges) == (2, 1)
        assert loaded.notes == ("statements about indexes and constraints that were left out: 1",)
        assert db.run("MATCH (a)-[:R]->(b) RETURN a.name, b.id").rows == [("x; y", 2)]


def test_script_as_exports_have_it(tmp_path: Path) -> None:
    path = tmp_path / "export.cypher"
    path.write_text(
        ":begin\nCREATE CONSTRAINT UNIQUE_IMPORT_NAME FOR (node:`UNIQUE IMPORT LABEL`) "
        "REQUIRE (node.`UNIQUE IMPORT ID`) IS UNIQUE;\n:commit\nCALL db.awaitIndexes(300);\n:begin\n"
        "UNWIND [{_id:0, properties:{name:'Ann'}}, {_id:1, properties:{name:'Bob'}}] AS row\n"
        "CREATE (n:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row._id}) SET n += row.properties SET n:P;\n"
        ":commit\n:begin\n"
        "UNWIND [{start: {_id:0}, end: {_id:1}, properties:{w:1}}] AS row\n"
        "MATCH (start:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.start._id})\n"
        "MATCH (end:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.end._id})\n"
        "CREATE (start)-[r:KNOWS]->(end) SET r += row.properties;\n:commit\n:begin\n"
        "MATCH (n:`UNIQUE IMPORT LABEL`) WITH n LIMIT 20000 "
        "REMOVE n:`UNIQUE IMPORT LABEL` REMOVE n.`UNIQUE IMPORT ID`;\n:commit\n"
        ":begin\nDROP CONSTRAINT UNIQUE_IMPORT_NAME;\n:commit\n",
        encoding="utf-8",
    )
    rows = run(path, "MATCH (a)-[r]->(b) RETURN labels(a), properties(a), properties(r), b.name")
    assert rows == [(["P"], {"name": "Ann"}, {"w": 1}, "Bob")]


def test_fault_in_a_script_has_its_place_and_nothing_is_kept() -> None:
    script = "CREATE (:P);\nCREATE (:P {x: 1});\nMATCH (p:P) SET p.y = 1 / (p.x - 1);"
    with graphir.connect("duckdb") as db:
        with pytest.raises(graphir.RunFault) as caught:
            db.load(script)
        assert caught.value.diagnostics[0].line == 3
        assert db.run("MATCH (n) RETURN count(n)").rows == [(0,)]
    assert fault("CREATE (:P);\nCREATE (:P").line == 2


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("bolt://127.0.0.1:7687", sources.Server("bolt://127.0.0.1:7687")),
        ("neo4j+s://ann:p%40ss@host/films", sources.Server("neo4j+s://host", "films", ("ann", "p@ss"))),
    ],
)
def test_addresses_of_servers(address: str, found: sources.Server) -> None:
    assert sources.find(address) == found


def test_graph_is_kept_with_what_was_loaded_into_it_twice(tmp_path: Path) -> None:
    path = tmp_path / "graph.duckdb"
    with graphir.connect("duckdb", path=path) as db:
        db.load(DOCUMENT)
        db.load({"nodes": [{"id": "c", "labels": ["P"]}], "edges": []})
    with graphir.connect("duckdb", path=path) as db:
        assert sorted(node.id for (node,) in db.run("MATCH (n:P) RETURN n").rows) == ["a", "c"]


def test_run_that_is_not_kept() -> None:
    with graphir.connect("duckdb") as db:
        db.run("CREATE (:P {x: 1})")
        assert db.run("MATCH (p:P) SET p.x = 2, p:Q RETURN p.x", keep=False).rows == [(2,)]
        assert db.run("MATCH (p:P) RETURN p.x, labels(p)").rows == [(1, ["P"])]


VALUES = "{i: -1, f: -1.5, s: 'it', l: [1, 2], d: date('2020-01-02'), p: point({x: 1, y: 2}), n: null, b: true, e: []}"
SCRIPTS = (
    f"CREATE (a:B:A {VALUES}), (b), (a)<-[:R {{w: 1.5}}]-(b)-[:S]->(:C), (a)-[:T]->(a)",
    "CREATE (a:A {x: 1}) CREATE (a)-[:R]->(b:B {y: a.x})",
    "CREATE (a:A {x: 1 + 1}), (:A {x: 'one'}), (:B {x: [1, 2.5]})",
    "CREATE (a:A {x: 1}) WITH a MATCH (a)--(b) RETURN b",
    "CREATE (a:A {x: 1}) WITH a MATCH (b:A) SET b.x = b.x + 1",
    "CREATE (a:A {x: 1}); CREATE (a:A {x: 2}); MATCH (a:A) CREATE (a)-[:R]->(:B); CREATE (:B)",
)


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_does_what_its_statements_do(script: str) -> None:
    """Statements that only create are taken together; that makes no difference but in time."""
    nodes = "MATCH (n) RETURN labels(n) AS l, properties(n) AS p, COUNT { (n)-->() } AS out, COUNT { (n)<--() } AS into"
    edges = "MATCH ()-[r]->() RETURN type(r) AS t, properties(r) AS p"
    with graphir.connect("duckdb") as one, graphir.connect("duckdb") as other:
        one.load(script)
        for statement in script.split(";"):
            other.run(statement)
        for query in (nodes, edges):
            assert sorted(map(repr, one.run(query).rows)) == sorted(map(repr, other.run(query).rows))
