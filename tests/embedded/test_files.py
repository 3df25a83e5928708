"""Graphs that are kept in a file, and changes that are undone."""

from pathlib import Path

import pytest

import graphir
from graphir.values import Date

BORN = {"$date": "1990-01-02"}
GRAPH = {
    "nodes": [
        {
            "id": "ann",
            "labels": ["P", "Q"],
            "properties": {"name": "Ann", "born": {"$date": "1990-01-02"}, "x": [1, 2]},
        },
        {"id": "bob", "labels": ["P"], "properties": {"name": "Bob", "Name": 1.5, "mixed": True}},
        {"id": "cem", "labels": ["P"], "properties": {"mixed": "text"}},
    ],
    "edges": [{"id": "e", "type": "KNOWS", "start": "ann", "end": "bob", "properties": {"since": 2000}}],
}


def test_graph_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with graphir.connect("duckdb", path=path) as db:
        db.load(GRAPH)
        db.run("CREATE (:New {name: 'Dan', at: date('2020-02-03')})")
        before = db.run("MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN n, r, m, properties(n) ORDER BY n.name").rows
    with graphir.connect("duckdb", path=path) as db:
        after = db.run("MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN n, r, m, properties(n) ORDER BY n.name").rows
        assert after == before
        assert [row[3] for row in after] == [row[3] for row in before]
        assert after[0][0].id == "ann"
        assert after[0][0].labels == ("P", "Q")
        assert after[0][1].id == "e"
        assert db.run("MATCH (n {name: 'Ann'}) RETURN n.born, n.x").rows == [(Date(7306), [1, 2])]
        db.run("MATCH (n:New) DELETE n CREATE (:Newer)")
    with graphir.connect("duckdb", path=path) as db:
        assert db.run("MATCH (n:New|Newer) RETURN labels(n)").rows == [(["Newer"],)]
        db.clear()
    with graphir.connect("duckdb", path=path) as db:
        assert db.run("MATCH (n) RETURN count(n)").rows == [(0,)]


def test_failed_change_leaves_the_graph_as_it_was(tmp_path: Path) -> None:
    with graphir.connect("duckdb", path=tmp_path / "graph.db") as db:
        db.load(GRAPH)
        with pytest.raises(graphir.RunFault):
            db.run("MATCH (n:P) CREATE (:Fresh {y: 1}) SET n.name = 1, n.z = 2 WITH n RETURN 1 / (n.z - 2)")
        assert db.run("MATCH (n) RETURN n.name AS name ORDER BY name").rows == [("Ann",), ("Bob",), (None,)]
        assert db.run("MATCH (n:Fresh) RETURN count(n.y)").rows == [(0,)]
        db.run("CREATE (:Fresh {y: 'text'})")
        assert db.run("MATCH (n:Fresh) RETURN n.y").rows == [("text",)]


def test_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "text.db"
    path.write_text("no database" * 1000)
    with pytest.raises(graphir.UsageFault):
        graphir.connect("duckdb", path=path)
