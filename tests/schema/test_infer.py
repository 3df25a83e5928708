"""Schemas inferred from folders and DuckDB files."""

from __future__ import annotations

import csv
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from graphir import PropertyGraph, Schema, UsageFault
from graphir.schema import CLOSED, DataType, EdgeType, PropertyType
from graphir.schema.infer import from_duckdb, from_folder, from_graph

IMPORT = {
    "films-header.csv": "filmId:ID(Film),title,year:int,:LABEL\n",
    "films.csv": 'f1,"One, two",1999,Film\nf2,Two,2003,Film;Sequel\nf3,"Say ""three""",,Film;Sequel\n',
    "people.csv": "id:ID(Person)|name|tags:string[]|born:date|home:point{crs:WGS-84}|:LABEL|extra:IGNORE\n"
    "f1|Ada|a;b|1964-09-02||Person|x\np2|Bo|b|1961-07-30|{latitude:1, longitude:2}|Person|y\n",
    "acted-header.csv": ":START_ID(Person),role,:END_ID(Film),:TYPE\n",
    "acted-1.csv": "f1,Eve,f1,ACTED_IN\nf1,Eve,f2,ACTED_IN\n",
    "acted-2.csv": "p2,,f3,ACTED_IN\np2,,f1,SAW\n",
}
PLAIN = {
    "person.csv": "id|name|age|mood\n"
    + "".join(f"{i}|n{i}|{20 + i}|{'glad' if i % 2 else 'sad'}\n" for i in range(20)),
    "city.csv": "id|name\n1|Oslo\n2|Rome\n3|Paris\n",
    "person_lives_in_city.csv": "from|to|since\n1|2|2010-01-01\n2|2|2011-01-01\n",
    "knows.csv": "person_id|friend_id|weight\n1|12|0.5\n",
    "visited.csv": "person_id|city_id|times\n1|2|5\n",
    "near.csv": "source|target\n1|2\n",
}


def folder(path: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def ends(schema: Schema) -> list[tuple[str, object, object, int | None]]:
    return [(edge.type, edge.source, edge.target, edge.count) for edge in schema.edge_types]


def property_of(schema: Schema, label: str, name: str) -> PropertyType:
    (node,) = (one for one in schema.node_types if one.labels == (label,))
    return next(one for one in node.properties or () if one.name == name)


def test_files_for_the_import_of_neo4j(tmp_path: Path) -> None:
    schema = from_folder(folder(tmp_path, IMPORT))
    assert schema.coverage == CLOSED
    assert [(one.labels, one.count, one.key) for one in schema.node_types] == [
        (("Film",), 1, ("filmId",)),
        (("Film", "Sequel"), 2, ("filmId",)),
        (("Person",), 2, ("id",)),
    ]
    assert ends(schema) == [
        ("ACTED_IN", ("Person",), ("Film",), 1),
        ("ACTED_IN", ("Person",), ("Film", "Sequel"), 2),
        ("SAW", ("Person",), ("Film",), 1),
    ]
    assert schema.edge_types[1].degrees == (1.0, 1.0)
    assert [one.name for one in schema.edge_types[2].properties or ()] == []
    assert property_of(schema, "Film", "title").examples == ("One, two",)
    assert property_of(schema, "Person", "tags").type == DataType("LIST", DataType("STRING"))
    assert property_of(schema, "Person", "tags").sizes == (1, 2)
    assert property_of(schema, "Person", "home").type == DataType("POINT")
    assert property_of(schema, "Person", "home").nullable is True
    born = property_of(schema, "Person", "born")
    assert (born.type, born.minimum, born.nullable) == (DataType("DATE"), "1961-07-30", False)


def test_plain_files(tmp_path: Path) -> None:
    schema = from_folder(folder(tmp_path, PLAIN))
    assert ends(schema) == [
        ("knows", ("person",), ("person",), 1),
        ("lives_in", ("person",), ("city",), 2),
        ("near", None, None, 1),
        ("visited", ("person",), ("city",), 1),
    ]
    assert property_of(schema, "person", "mood").values == ("glad", "sad")
    assert property_of(schema, "person", "name").values is None
    assert property_of(schema, "person", "age") == PropertyType(
        "age",
        DataType("INTEGER"),
        nullable=False,
        unique=True,
        examples=(20, 21, 22),
        minimum=20,
        maximum=39,
        distinct=20,
    )
    assert "near.source holds ids of city, person alike: that end of the edges is unknown" in schema.guesses
    assert (
        "knows has no id of its own: its columns person_id and friend_id are read as the ends of edges"
        in schema.guesses
    )


def test_the_files_of_ldbc(tmp_path: Path) -> None:
    files = {
        "person_0_0.csv": "id|firstName\n1|Ada\n2|Bo\n",
        "place_0_0.csv": "id|name|type\n1|Oslo|city\n2|Rome|city\n",
        "person_knows_person_0_0.csv": "Person.id|Person.id|creationDate\n1|2|2010-01-01T00:00:00.000+0000\n",
        "person_isLocatedIn_place_0_0.csv": "Person.id|Place.id\n1|2\n",
        "place_isPartOf_place_0_0.csv": "Place.id|Place.id\n1|2\n",
    }
    schema = from_folder(folder(tmp_path, files))
    assert [one.labels for one in schema.node_types] == [("person",), ("place",)]
    assert ends(schema) == [
        ("isLocatedIn", ("person",), ("place",), 1),
        ("isPartOf", ("place",), ("place",), 1),
        ("knows", ("person",), ("person",), 1),
    ]


def test_parquet(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT i AS id, 'n' || i AS name FROM range(9) t(i)) TO '{tmp_path / 'author.parquet'}' "
            "(FORMAT parquet)"
        )
        connection.execute(
            f"COPY (SELECT 1 AS author_id, 2 AS other_id, TIMESTAMP '2020-01-01 00:00:01' AS at, "
            f"TIMESTAMPTZ '2020-01-01 01:00:00+01' AS since, INTERVAL 1 MONTH AS wait, 1.5::DECIMAL(5, 2) AS fee) TO "
            f"'{tmp_path / 'met.parquet'}' (FORMAT parquet)"
        )
    schema = Schema.read(tmp_path)
    assert ends(schema) == [("met", ("author",), ("author",), 1)]
    found = {one.name: (str(one.type), one.minimum) for one in schema.edge_types[0].properties or ()}
    assert found == {
        "at": ("LOCAL DATETIME", "2020-01-01T00:00:01"),
        "fee": ("DECIMAL(5, 2)", 1.5),
        "since": ("ZONED DATETIME", "2020-01-01T00:00:00Z"),
        "wait": ("DURATION", None),
    }


TABLES = """
CREATE TABLE person (id BIGINT PRIMARY KEY, name VARCHAR NOT NULL, "birth day" DATE, tags VARCHAR[], sex VARCHAR);
CREATE TABLE company (id BIGINT PRIMARY KEY, "select" VARCHAR, boss BIGINT REFERENCES person (id));
CREATE TABLE works_at (person_id BIGINT REFERENCES person (id), company_id BIGINT REFERENCES company (id),
    since DATE, PRIMARY KEY (person_id, company_id));
INSERT INTO person SELECT i, 'n' || i, DATE '2000-01-01' + i::INT, ['a'], CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END
    FROM range(20) t(i);
INSERT INTO company SELECT i, 'c' || i, CASE WHEN i < 5 THEN i END FROM range(10) t(i);
INSERT INTO works_at SELECT i, i % 10, DATE '2020-01-01' FROM range(20) t(i);
"""


def test_duckdb(tmp_path: Path) -> None:
    file = tmp_path / "firms.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(TABLES)
    schema = from_duckdb(file)
    assert Schema.read(file) == schema
    assert [(one.labels, one.key, one.count) for one in schema.node_types] == [
        (("company",), ("id",), 10),
        (("person",), ("id",), 20),
    ]
    assert ends(schema) == [
        ("HAS_BOSS", ("company",), ("person",), 5),
        ("works_at", ("person",), ("company",), 20),
    ]
    works = schema.edge_types[1]
    assert works.degrees == (1.0, 2.0)
    assert [one.name for one in works.properties or ()] == ["since"]
    assert works.table is not None
    assert (works.table.source, works.table.target) == (("person_id",), ("company_id",))
    assert property_of(schema, "person", "sex").values == ("f", "m")
    assert property_of(schema, "person", "name").nullable is False
    assert property_of(schema, "person", "birth day").maximum == "2000-01-20"
    assert [one.name for one in schema.node_types[0].properties or ()] == ["id", "select"]


def test_one_label_in_several_files(tmp_path: Path) -> None:
    files = {
        "a.csv": "id:ID,age:int,:LABEL\n1,3,A\n2,4,A\n",
        "b.csv": "id:ID,age:int,name,:LABEL\n3,9,x,A\n",
        "r.csv": ":START_ID,:END_ID,:TYPE\n1,2,R\n",
        "s.csv": ":START_ID,:END_ID,:TYPE,since:int\n1,3,R,2000\n",
    }
    schema = from_folder(folder(tmp_path, files))
    (node,) = schema.node_types
    assert (node.count, node.key) == (3, ("id",))
    assert [(one.name, one.nullable, one.maximum) for one in node.properties or ()] == [
        ("age", False, 9),
        ("id", False, None),
        ("name", True, None),
    ]
    (edge,) = schema.edge_types
    assert (edge.count, edge.degrees) == (2, (2 / 3, 2 / 3))
    assert [(one.name, one.nullable) for one in edge.properties or ()] == [("since", True)]


def test_awkward_names(tmp_path: Path) -> None:
    files = {
        'it\'s [a] "b".csv': 'id:ID,"say ""hi""",`x`:int,a:b:string,select,:IGNORE,:IGNORE\n1,q,2,z,w,,\n',
        "r*.csv": ":START_ID,:TYPE,:END_ID,ß ü:int\n1,A B:C,1,3\n",
        "header.csv": "id,from here,MATCH\n1,x,y\n",
    }
    schema = from_folder(folder(tmp_path, files))
    assert [(one.labels, [of.name for of in one.properties or ()]) for one in schema.node_types] == [
        (("header",), ["MATCH", "from here", "id"]),
        (('it\'s [a] "b"',), ["`x`", "a:b", "id", 'say "hi"', "select"]),
    ]
    (edge,) = schema.edge_types
    assert (edge.type, [(one.name, str(one.type)) for one in edge.properties or ()]) == ("A B:C", [("ß ü", "INTEGER")])


def test_an_enumeration_has_its_values(tmp_path: Path) -> None:
    file = tmp_path / "a.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TYPE mood AS ENUM ('it''s', 'sad'); CREATE TABLE t (id INT PRIMARY KEY, m mood)")
        connection.execute("CREATE TABLE u (id INT PRIMARY KEY, t INT REFERENCES t (id))")
    schema = from_duckdb(file)
    assert property_of(schema, "t", "m") == PropertyType(
        "m", DataType("STRING"), nullable=True, values=("it's", "sad"), distinct=0
    )
    assert ends(schema) == [("HAS_T", ("u",), ("t",), 0)]


def test_an_edge_between_nodes_that_are_not_there(tmp_path: Path) -> None:
    files = {"a.csv": "id:ID,:LABEL\n1,A\n", "r.csv": ":START_ID,:END_ID,:TYPE\n1,1,R\n1,9,R\n"}
    schema = from_folder(folder(tmp_path, files))
    assert ends(schema) == [("R", ("A",), None, 1), ("R", ("A",), ("A",), 1)]


@pytest.mark.parametrize("files", [{}, {"a.txt": "x"}, {"a.csv": ""}])
def test_a_folder_without_tables(tmp_path: Path, files: dict[str, str]) -> None:
    with pytest.raises(UsageFault, match="G082"):
        from_folder(folder(tmp_path, files))


def test_what_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.duckdb").write_text("nothing", encoding="utf-8")
    for path in (tmp_path / "a.duckdb", tmp_path / "b.duckdb", tmp_path):
        with pytest.raises(UsageFault, match="G082"):
            from_duckdb(path)
    with pytest.raises(UsageFault, match="G082"):
        from_folder(tmp_path / "none")


def test_a_file_by_itself(tmp_path: Path) -> None:
    schema = from_folder(folder(tmp_path, {"thing.csv": "id,name\n1,a\n"}) / "thing.csv")
    assert [one.labels for one in schema.node_types] == [("thing",)]
    assert not [edge for edge in schema.edge_types if isinstance(edge, EdgeType)]


def test_a_graph_in_memory() -> None:
    graph = PropertyGraph.from_dict(
        {
            "nodes": [
                *(
                    {"id": i, "labels": ["Person"], "properties": {"name": f"n{i}", "mood": "glad" if i % 2 else "sad"}}
                    for i in range(20)
                ),
                {"id": "o", "labels": ["City", "Big"], "properties": {"since": {"$date": "1048-01-01"}, "tags": []}},
                {"id": "p", "labels": ["Big", "City"], "properties": {"since": {"$date": "0900-01-01"}, "tags": ["a"]}},
                {"id": "q", "properties": {"mixed": 1}},
                {"id": "r", "properties": {"mixed": "x"}},
            ],
            "edges": [
                {"type": "IN", "start": 1, "end": "o", "properties": {"fee": 1.5}},
                {"type": "IN", "start": 2, "end": "o"},
                {"type": "IN", "start": "q", "end": "o"},
            ],
        }
    )
    schema = from_graph(graph)
    assert schema.coverage == CLOSED
    assert [(one.labels, one.count) for one in schema.node_types] == [((), 2), (("Big", "City"), 2), (("Person",), 20)]
    assert ends(schema) == [("IN", (), ("Big", "City"), 1), ("IN", ("Person",), ("Big", "City"), 2)]
    assert schema.edge_types[1].degrees == (0.1, 1.0)
    (fee,) = schema.edge_types[1].properties or ()
    assert (fee.type, fee.nullable, fee.maximum) == (DataType("FLOAT"), True, 1.5)
    since, tags = schema.node_types[1].properties or ()
    assert (since.type, since.minimum) == (DataType("DATE"), "0900-01-01")
    assert (tags.type, tags.sizes) == (DataType("LIST", DataType("STRING")), (0, 1))
    assert property_of(schema, "Person", "mood").values == ("glad", "sad")
    assert [one.type for one in schema.node_types[0].properties or ()] == [None]
    assert any("mixed has values of several types" in guess for guess in schema.guesses)
    assert Schema.read(schema.write("json")) == schema


def written(path: Path, graph: PropertyGraph) -> Path:
    """The graph as files for neo4j-admin."""
    with (path / "nodes.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([":ID", ":LABEL", "x:int", "s"])
        for node in graph.nodes:
            rows.writerow([node.id, ";".join(node.labels), node.properties.get("x"), node.properties.get("s")])
    with (path / "edges.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([":START_ID", ":END_ID", ":TYPE", "w:double"])
        for edge in graph.edges:
            rows.writerow([edge.start, edge.end, edge.type, edge.properties.get("w")])
    return path


def without_examples(schema: Schema) -> list[object]:
    """The types; which examples are taken may differ, and a folder says nothing of unique properties of edges."""
    nodes = [replace(one, properties=plain(one.properties)) for one in schema.node_types]
    edges = [replace(one, properties=plain(one.properties)) for one in schema.edge_types]
    return [*nodes, *edges]


def plain(properties: tuple[PropertyType, ...] | None) -> tuple[PropertyType, ...]:
    return tuple(replace(one, examples=(), unique=False) for one in properties or ())


@pytest.mark.parametrize("seed", range(3))
def test_files_and_memory_agree(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    sets = [["A"], ["B"], ["A", "C"], []]
    nodes = [
        {"id": f"n{i}", "labels": draw.choice(sets), "properties": {"x": draw.randint(0, 50), "s": draw.choice("abc")}}
        for i in range(60)
    ]
    for node in nodes[::3]:
        node["properties"] = {"s": "a"}
    ids = [node["id"] for node in nodes]
    edges = [
        {
            "type": draw.choice("RS"),
            "start": draw.choice(ids),
            "end": draw.choice(ids),
            "properties": {"w": draw.random()} if i % 2 else {},
        }
        for i in range(150)
    ]
    graph = PropertyGraph.from_dict({"nodes": nodes, "edges": edges})
    assert without_examples(from_folder(written(tmp_path, graph))) == without_examples(from_graph(graph))
