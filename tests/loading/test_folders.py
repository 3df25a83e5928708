"""Folders of tables: those of neo4j-admin, plain ones, what is wrong with them, and the schema that types them."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

import graphir
from graphir.loading.examples import schema as schema_of_example
from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Point, Time


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        folder.joinpath(f"{stem}.{suffix}").write_text(text, encoding="utf-8")
    return folder


def loaded(source: Any, schema: graphir.Schema | None = None) -> Any:
    db = graphir.connect("duckdb")
    db.load(source, schema)
    return db


def code_and_message(source: Any, schema: graphir.Schema | None = None) -> tuple[str, str]:
    with graphir.connect("duckdb") as db:
        with pytest.raises(graphir.UsageFault) as caught:
            db.load(source, schema)
        assert db.run("MATCH (n) RETURN count(n)").rows == [(0,)]
        (found,) = caught.value.diagnostics
        return found.code, found.message


def test_files_for_the_import_of_neo4j(tmp_path: Path) -> None:
    write(
        tmp_path,
        people_csv="personId:ID(Person),name,age:int,tags:string[],:LABEL\na,Ann,30,x;y,Person;Vip\nb,Bob,,,Person\n",
        films_csv="id:ID(Film),title\na,The Road\n",
        roles_csv=":START_ID(Person),:END_ID(Film),:TYPE,since:int\na,a,ACTED_IN,2000\nb,a,DIRECTED,\n",
    )
    with loaded(tmp_path) as db:
        rows = db.run("MATCH (p:Person) RETURN p.personId, p.name, p.age, p.tags, labels(p) ORDER BY p.name").rows
        assert rows == [("a", "Ann", 30, ["x", "y"], ["Person", "Vip"]), ("b", "Bob", None, None, ["Person"])]
        rows = db.run("MATCH (p)-[r]->(f:films) RETURN p.name, type(r), properties(r), f.title ORDER BY p.name").rows
        assert rows == [("Ann", "ACTED_IN", {"since": 2000}, "The Road"), ("Bob", "DIRECTED", {}, "The Road")]


def test_types_that_a_header_declares(tmp_path: Path) -> None:
    header = ":ID,d:date,t:localtime,z:time,l:localdatetime,m:datetime,u:duration,p:point,b:boolean,f:double,ds:date[]"
    row = (
        "1,2020-01-02,10:11:12.5,10:11+01:00,2020-01-02T03:04:05,2020-01-02T03:04:05+02:00,P1Y2M,"
        '"{x: 1, y: 2}",true,1,2020-01-01;2021-01-01'
    )
    write(tmp_path, thing_csv=f"{header}\n{row}\n")
    with loaded(tmp_path) as db:
        [(found,)] = db.run("MATCH (n) RETURN properties(n)").rows
    assert found == {
        "d": Date.parse("2020-01-02"),
        "t": LocalTime.parse("10:11:12.5"),
        "z": Time.parse("10:11+01:00"),
        "l": LocalDateTime.parse("2020-01-02T03:04:05"),
        "m": DateTime.parse("2020-01-02T03:04:05+02:00"),
        "u": Duration.parse("P1Y2M"),
        "p": Point(7203, 1.0, 2.0),
        "b": True,
        "f": 1.0,
        "ds": [Date.parse("2020-01-01"), Date.parse("2021-01-01")],
    }
    assert type(found["f"]) is float


def test_empty_text_is_text_where_it_is_quoted(tmp_path: Path) -> None:
    write(tmp_path, thing_csv=':ID,name,more,n:int,l:string[]\n1,"",,"",\n2,a,"b",2,x\n')
    with loaded(tmp_path) as db:
        assert db.run("MATCH (n) RETURN properties(n) ORDER BY n.name").rows == [
            ({"name": ""},),
            ({"name": "a", "more": "b", "n": 2, "l": ["x"]},),
        ]


def test_plain_tables(tmp_path: Path) -> None:
    write(
        tmp_path,
        person_csv='id,name,born,seen\n1,Ann,1990-01-02,2020-01-02 03:04:05.5\n2,Bob,,\n3,"Cem, Jr",1980-05-06,\n',
        city_csv="id,name\n1,Rome\n2,Oslo\n",
        lives_in_csv="person_id,city_id,since\n1,2,2001\n2,1,2002\n",
        person_knows_person_jsonl='{"from": 1, "to": 2, "w": 0.5, "tags": ["a"]}\n{"from": 2, "to": 3}\n',
    )
    with loaded(tmp_path) as db:
        rows = db.run("MATCH (p:person)-[r:lives_in]->(c:city) RETURN p.name, r.since, c.name ORDER BY r.since").rows
        assert rows == [("Ann", 2001, "Oslo"), ("Bob", 2002, "Rome")]
        rows = db.run("MATCH (a)-[r:knows]->(b) RETURN a.name, properties(r), b.name ORDER BY a.name").rows
        assert rows == [("Ann", {"w": 0.5, "tags": ["a"]}, "Bob"), ("Bob", {}, "Cem, Jr")]
        assert db.run("MATCH (p:person {id: 1}) RETURN p.born, p.seen").rows == [
            (Date.parse("1990-01-02"), LocalDateTime.parse("2020-01-02T03:04:05.5"))
        ]
        assert sorted(key for (key,) in db.run("MATCH (n) RETURN DISTINCT id(n)").rows) == [0, 1, 2, 3, 4]


def test_rows_of_json_are_what_json_says(tmp_path: Path) -> None:
    write(
        tmp_path,
        thing_jsonl=(
            '{"id": "p", "n": 1, "d": "2020-01-02", "at": {"$date": "2020-01-02"}, "m": {"x": [1, {"y": null}]}}\n'
            '{"id": "q", "n": 2.5, "d": null, "m": {"x": "s"}}\n'
        ),
        near_csv="from,to\np,q\n",
        far_jsonl='{"from": "q", "to": "p", "w": true, "l": [1, "a"]}\n',
    )
    with loaded(tmp_path) as db:
        [(p, near, q)] = db.run("MATCH (p)-[r:near]->(q) RETURN properties(p), properties(r), properties(q)").rows
        assert p == {"id": "p", "n": 1, "d": "2020-01-02", "at": Date.parse("2020-01-02"), "m": {"x": [1, {"y": None}]}}
        assert type(p["n"]) is int
        assert (near, q) == ({}, {"id": "q", "n": 2.5, "m": {"x": "s"}})
        assert db.run("MATCH ({id: 'q'})-[r:far]->({id: 'p'}) RETURN properties(r)").rows == [
            ({"w": True, "l": [1, "a"]},)
        ]


def test_names_of_columns_that_are_used_inside(tmp_path: Path) -> None:
    names = ["row", "value", "type", "line", "Row", "id:x"]
    cells = ",".join(str(at) for at in range(len(names)))
    write(
        tmp_path,
        a_csv=f"id,{','.join(names)}\n1,{cells}\n",
        b_csv=f"from,to,{','.join(names)}\n1,1,{cells}\n",
    )
    with loaded(tmp_path) as db:
        [(a, b)] = db.run("MATCH (a)-[b]->(a) RETURN properties(a), properties(b)").rows
    assert len(a) == len(names) + 1
    assert len(b) == len(names)


def test_types_of_parquet(tmp_path: Path) -> None:
    with duckdb.connect() as made:
        made.execute(
            "COPY (SELECT 1::UTINYINT AS id, 1.50::DECIMAL(5, 2) AS price, TIME '01:02:03.4' AS at, "
            "TIMESTAMP '1969-12-31 23:59:59.1' AS early, TIMESTAMPTZ '2020-01-01 00:00:00+01' AS instant, "
            "uuid '00000000-0000-0000-0000-00000000002a' AS key, [1, NULL, 3] AS numbers, {'x': 1} AS inner, "
            "NULL::INTEGER AS nothing, 'NaN'::DOUBLE AS nan) "
            f"TO '{tmp_path / 'thing.parquet'}' (FORMAT parquet)"
        )
    with loaded(tmp_path / "thing.parquet") as db:
        [(found,)] = db.run("MATCH (n:thing) RETURN properties(n)").rows
    nan = found.pop("nan")
    assert nan != nan  # noqa: PLR0124 NaN
    assert found == {
        "id": 1,
        "price": 1.5,
        "at": LocalTime.parse("01:02:03.4"),
        "early": LocalDateTime.parse("1969-12-31T23:59:59.1"),
        "instant": DateTime.parse("2019-12-31T23:00:00Z"),
        "key": "00000000-0000-0000-0000-00000000002a",
        "numbers": [1, None, 3],
        "inner": {"x": 1},
    }


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        (
            {"people_csv": ":ID,age:int\n1,30\n2,old\n"},
            "G661",
            "people.csv:3: age is old, which is no INTEGER",
        ),
        ({"people_csv": ":ID,age:int\n1,1.5\n"}, "G661", "people.csv:2: age is 1.5, which is no INTEGER"),
        ({"people_csv": ":ID,b:boolean\n1,1\n"}, "G661", "people.csv:2: b is 1, which is no BOOLEAN"),
        ({"people_csv": ":ID,n:long[]\n1,1;x\n"}, "G661", "people.csv:2: n is 1;x, which is no LIST<INTEGER>"),
        ({"people_csv": ":ID,at:time\n1,noon\n"}, "G661", "people.csv:2: at is noon, which is no ZONED TIME"),
        ({"people_csv": ":ID(P),x\n1,a\n1,b\n"}, "G662", "people.csv:3: the id 1 of P is there twice"),
        ({"people_csv": ":ID,x\n1,a\n,b\n"}, "G662", "people.csv:3: the node has no id"),
        (
            {"people_csv": ":ID(P)\n1\n", "knows_csv": ":START_ID(P),:END_ID(P)\n1,1\n1,9\n"},
            "G663",
            "knows.csv:3: the edge has its end at 9, which is the id of no node of P",
        ),
        (
            {"people_csv": ":ID(P)\n1\n", "knows_csv": ":START_ID(P),:END_ID(P)\n,1\n"},
            "G663",
            "knows.csv:2: the edge has no start",
        ),
        (
            {"person_csv": "id,name\n1,Ann\n", "knows_csv": "from,to\n1,1\n1,7\n"},
            "G663",
            "knows.csv:3: to is 7, which is the id of no node",
        ),
        ({"a_jsonl": '{"id": 1, "labels": []}\n', "b_csv": "id\n1\n"}, "G660", "holds elements of a graph"),
        ({"read_me": "nothing"}, "G660", "there is no file in it that ends in"),
        ({"people_csv": "id,a\n1,x\n2\n"}, "G660", "not all rows have as many cells as the header"),
        ({"people_csv": "id,a\n1,x\n2,y,z\n"}, "G660", "not all rows have as many cells as the header"),
        ({"people_jsonl": '{"id": 1}\n{"id": \n'}, "G660", "people"),
        ({"people_csv": "id,graphir:row\n1,2\n"}, "G660", "has a column graphir:row"),
        ({"people_csv": ""}, "G660", "people.csv has no header"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, files: dict[str, str], code: str, message: str) -> None:
    found = code_and_message(write(tmp_path, **files))
    assert found[0] == code
    assert message in found[1]


def test_ids_that_may_be_those_of_several_tables(tmp_path: Path) -> None:
    write(tmp_path, person_csv="id,name\n1,Ann\n", city_csv="id,name\n1,Rome\n", near_csv="from,to\n1,1\n")
    code, message = code_and_message(tmp_path)
    assert code == "G663"
    assert "near.csv: the ids in from may be those of several tables" in message
    schema = graphir.Schema.read("(person, near, city)", "triples")
    with loaded(tmp_path, schema) as db:
        assert db.run("MATCH (a)-[:near]->(b) RETURN a.name, b.name").rows == [("Ann", "Rome")]


SCHEMA = graphir.Schema.read(
    "CREATE NODE TABLE Person(id STRING, score DOUBLE, joined DATE, PRIMARY KEY(id));"
    "CREATE NODE TABLE Ghost(id STRING, PRIMARY KEY(id)); CREATE REL TABLE Knows(FROM Person TO Person, since INT64);",
    "kuzu-ddl",
)


def test_schema_types_what_a_file_leaves_open(tmp_path: Path) -> None:
    write(tmp_path, Person_csv="id,score,joined,more\n1,2,2020-01-02,x\n2,3,2021-01-02,y\n")
    with loaded(tmp_path, SCHEMA) as db:
        rows = db.run("MATCH (p:Person) RETURN p.id, p.score, p.joined, p.more ORDER BY p.id").rows
        assert rows == [("1", 2.0, Date.parse("2020-01-02"), "x"), ("2", 3.0, Date.parse("2021-01-02"), "y")]
        assert type(rows[0][1]) is float
        assert db.run("MATCH (g:Ghost)-[:Knows]->() RETURN count(*)").rows == [(0,)]


def test_what_looks_like_a_number_and_is_none(tmp_path: Path) -> None:
    write(tmp_path, Person_csv="id,code\n007,5\n7,6\nx,\n", Knows_csv="from,to\n7,7\n")
    with loaded(tmp_path) as db:
        assert db.run("MATCH (a)-[:Knows]->(b) RETURN a.id, b.id, a.code").rows == [("7", "7", 6)]
    codes = graphir.Schema.read("CREATE NODE TABLE Person(id STRING, code STRING, PRIMARY KEY(id));", "kuzu-ddl")
    with loaded(tmp_path, codes) as db:
        assert db.run("MATCH (a)-[:Knows]->(b) RETURN a.id, b.id, a.code").rows == [("7", "7", "6")]
    tmp_path.joinpath("Person.csv").write_text("id\n7\n8\n")
    tmp_path.joinpath("Knows.csv").write_text("from,to\n7,8\n")
    with loaded(tmp_path) as db:
        assert db.run("MATCH (a)-[:Knows]->(b) RETURN a.id, b.id").rows == [(7, 8)]
    with loaded(tmp_path, codes) as db:
        assert db.run("MATCH (a)-[:Knows]->(b) RETURN a.id, b.id").rows == [("7", "8")]


def test_value_that_is_not_of_its_declared_type(tmp_path: Path) -> None:
    write(tmp_path, Person_csv="id,score\n1,2\n2,high\n")
    assert code_and_message(tmp_path, SCHEMA) == ("G661", "Person.csv:3: score is high, which is no FLOAT")
    document = {"nodes": [{"id": 7, "labels": ["Person"], "properties": {"joined": "soon"}}], "edges": []}
    assert code_and_message(document, SCHEMA) == ("G661", "joined of node 7 is 'soon', which is no DATE")


def test_document_under_a_schema() -> None:
    document = {"nodes": [{"id": 7, "labels": ["Person"], "properties": {"joined": "2020-01-02", "score": 1}}]}
    with loaded(document, SCHEMA) as db:
        assert db.run("MATCH (p:Person) RETURN p.joined.year, p.score, id(p)").rows == [(2020, 1.0, 7)]


def test_tables_beside_what_is_there(tmp_path: Path) -> None:
    write(tmp_path, Person_csv="id,name\n1,Ann\n2,Bob\n", Person_Knows_Person_csv="from,to\n1,2\n")
    with graphir.connect("duckdb") as db:
        db.run("CREATE (:Person {id: 'x', name: 1.5})-[:Knows]->(:Person)")
        counts = db.load(tmp_path)
        assert (counts.nodes, counts.edges) == (2, 1)
        assert db.run("MATCH (p:Person) RETURN p.name ORDER BY p.name").rows == [("Ann",), ("Bob",), (1.5,), (None,)]
        assert db.run("MATCH (p {name: 'Ann'})-[:Knows]->(q) RETURN q.id").rows == [(2,)]
        assert db.run("MATCH (p)-[r]->() RETURN count(DISTINCT id(r)), count(DISTINCT p)").rows == [(2, 2)]


@pytest.mark.parametrize("name", ["library", "supply"])
def test_examples_have_their_schemas(name: str) -> None:
    schema = schema_of_example(name)
    with graphir.connect("duckdb") as db:
        counts = db.load(f"example:{name}", schema)
        assert counts.nodes > 80
        for node in schema.node_types:
            assert db.run(f"MATCH (n:`{node.labels[0]}`) RETURN count(n) > 0").rows == [(True,)]
        for edge in schema.edge_types:
            assert edge.source
            assert edge.target
            pattern = f"(:{edge.source[0]})-[r:{edge.type}]->(:{edge.target[0]})"
            assert db.run(f"MATCH {pattern} RETURN count(r) > 0").rows == [(True,)]
