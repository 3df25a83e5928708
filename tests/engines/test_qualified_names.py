"""Names with schemas before them, on engines: the definitions are taken, and the translations ask the right tables.

Two schemas have a table `person` each, with other rows, so that a name without its schema would ask the wrong one, or
none.  DuckDB, PostgreSQL and Hyper give rows; Google's analyzer has the graph in a catalog of its own.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import graphir
from graphir.backends.engines import registry
from graphir.schema.model import Schema
from tests.engines.googlesql import database
from tests.engines.test_ddl import postgres, statements

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

__all__ = ["postgres"]

DEFINITION = """
CREATE TABLE hr.person (id INT PRIMARY KEY, name TEXT);
CREATE TABLE sales.person (id INT PRIMARY KEY, city TEXT);
CREATE TABLE sales.visits (
  id INT PRIMARY KEY,
  who INT NOT NULL REFERENCES hr.person (id),
  whom INT NOT NULL REFERENCES sales.person (id)
);
CREATE PROPERTY GRAPH hr.org
  VERTEX TABLES (
    hr.person AS employee KEY (id) LABEL employee PROPERTIES (id, name),
    sales.person AS customer KEY (id) LABEL customer PROPERTIES (id, city)
  )
  EDGE TABLES (sales.visits KEY (id)
    SOURCE KEY (who) REFERENCES employee (id) DESTINATION KEY (whom) REFERENCES customer (id)
    LABEL visits PROPERTIES (id));
"""
ROWS = """
INSERT INTO hr.person (id, name) VALUES (1, 'Ann'), (2, 'Bob');
INSERT INTO sales.person (id, city) VALUES (1, 'Oslo'), (2, 'Rome'), (3, 'Bern');
INSERT INTO sales.visits (id, who, whom) VALUES (1, 1, 1), (2, 1, 2), (3, 2, 2);
"""
SCHEMA = Schema.read(DEFINITION, "postgres-ddl")

QUERIES: dict[str, list[tuple[Any, ...]]] = {
    "MATCH (e:employee)-[:visits]->(c:customer) RETURN e.name AS a, c.city AS b": [
        ("Ann", "Oslo"),
        ("Ann", "Rome"),
        ("Bob", "Rome"),
    ],
    "MATCH (n) RETURN count(*) AS c": [(5,)],
    "MATCH (e:employee)-[v:visits]->(c) WITH e, count(DISTINCT v) AS n WHERE n > 1 RETURN e.name AS a, n": [("Ann", 2)],
    "MATCH (c:customer) WHERE NOT EXISTS { (:employee)-[:visits]->(c) } RETURN c.city AS b": [("Bern",)],
    "MATCH (e:employee) OPTIONAL MATCH (e)-[:visits]->(c:customer {city: 'Oslo'}) RETURN e.name AS a, c.city AS b": [
        ("Ann", "Oslo"),
        ("Bob", None),
    ],
    "MATCH (a:employee)-[:visits]->(c)<-[:visits]-(b:employee) RETURN a.name AS a, b.name AS b": [
        ("Ann", "Bob"),
        ("Bob", "Ann"),
    ],
}
PATTERN = "(hr.org MATCH (e IS employee)-[v IS visits]->(c IS customer) COLUMNS (e.name AS a, c.city AS b)) AS t"
SELECT = f"SELECT t.a, t.b FROM GRAPH_TABLE {PATTERN} WHERE t.b <> 'Rome'"


def texts(dialect: str) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """The queries in a dialect, with their rows: of Cypher, and of SQL/PGQ that names the graph."""
    for query, found in QUERIES.items():
        yield graphir.translate(query, write=dialect, schema=SCHEMA), found
    yield graphir.translate(SELECT, read="pgq-postgres", write=dialect, schema=SCHEMA), [("Ann", "Oslo")]


def by_text(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=repr)


def tables(format: str) -> list[str]:
    """The definitions that we write, but for the graph."""
    return [text for text in statements(SCHEMA.write(format)) if "PROPERTY GRAPH" not in text]


def test_duckdb_gives_the_rows() -> None:
    with duckdb.connect() as connection:
        for statement in [*tables("duckpgq-ddl"), *statements(ROWS)]:
            connection.execute(statement)
        for text, found in texts("sql-duckdb"):
            assert by_text(connection.execute(text).fetchall()) == by_text(found), text


def test_postgres_gives_the_rows(postgres: list[str]) -> None:
    def run(text: str) -> list[tuple[Any, ...]]:
        command = [*postgres, "-t", "-A", "-F", "|", "-P", "null=NULL", "-c", text]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr + text
        values = [line.split("|") for line in done.stdout.splitlines() if line]
        plain: dict[str, Callable[[str], Any]] = {"NULL": lambda _: None}
        return [tuple([int(v) if v.isdigit() else plain.get(v, str)(v) for v in row]) for row in values]

    for statement in [*tables("postgres-ddl"), *statements(ROWS)]:
        run(statement)
    for text, found in texts("sql-postgres"):
        assert by_text(run(text)) == by_text(found), text


def test_hyper_gives_the_rows(tmp_path: Path) -> None:
    status = registry.examine(registry.KINDS["hyper"])
    if not status.usable:
        pytest.skip(f"hyper: {status.reason}")
    engine: Any
    with graphir.connect("hyper") as engine:
        hyper = engine._connection
        hyper.catalog.create_database(str(tmp_path / "names.hyper"))
        hyper.catalog.attach_database(str(tmp_path / "names.hyper"), "names")
        for statement in tables("postgres-ddl"):
            hyper.execute_command(statement.partition(",\n  PRIMARY KEY")[0] + ")" * ("PRIMARY KEY" in statement))
        for statement in statements(ROWS):
            hyper.execute_command(statement)
        for text, found in texts("pgq-hyper"):
            rows = [tuple(row) for row in hyper.execute_list_query(text)]
            assert by_text(rows) == by_text(found), text


# ------------------------------------------------------------------ Google's analyzer


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """The analyzer with the tables.  What is named with a schema is in a catalog of that name, and nothing is run.

    The library finds the tables of a graph in the outermost catalog alone: there they are a second time.
    """
    from graphir.backends.engines.googlesql import database as engine

    flat = engine.catalog

    def catalog(tables: Any, graphs: Any, options: Any, *, prefix: str = "", computed: bool = True) -> Any:
        made = flat(tables, (), options, prefix=prefix, computed=computed)
        for table in [] if prefix else list(made.table):
            schema, _, name = table.name.rpartition(".")
            copy = inside(made, schema).table.add()
            copy.CopyFrom(table)
            copy.name, copy.full_name, copy.serialization_id = name, table.name, table.serialization_id + 1000
            table.name = table.name.replace(".", "_")
        for graph in graphs:
            copy = inside(made, graph.proto.name_path[0]).property_graph.add()
            copy.CopyFrom(graph.proto)
            for element in (*copy.node_tables, *copy.edge_tables):
                element.input_table_name = element.input_table_name.replace(".", "_")
        return made

    monkeypatch.setattr(engine, "catalog", catalog)
    monkeypatch.setattr(engine, "repair", lambda *_: None)
    with database("full") as evaluator:
        evaluator.define(";\n".join(text for text in tables("spanner-ddl") if "CREATE SCHEMA" not in text))
        yield evaluator


def inside(made: Any, schema: str) -> Any:
    """The catalog of a schema in another one."""
    return next((each for each in made.catalog if each.name == schema), None) or made.catalog.add(name=schema)


def test_google_takes_definition_and_queries(google: Database) -> None:
    google.define(next(text for text in statements(SCHEMA.write("spanner-ddl")) if "PROPERTY GRAPH" in text))
    for query in QUERIES:
        google.analyze(graphir.translate(query, write="pgq-googlesql", schema=SCHEMA))
        google.analyze(graphir.translate(query, write="gql-spanner", schema=SCHEMA))
    google.analyze(graphir.translate(SELECT, read="pgq-postgres", write="pgq-googlesql"))
    whole = "GRAPH `hr.org` MATCH (e:employee) RETURN e.name AS a"  # as BigQuery has it; the analyzer wants parts
    google.analyze(graphir.translate(whole, read="gql-bigquery", write="gql-spanner"))


@pytest.mark.parametrize(
    "elements",
    [
        "NODE TABLES (hr.person, sales.person)",
        "NODE TABLES (hr.person) EDGE TABLES (sales.visits SOURCE KEY (who) REFERENCES hr.person (id) "
        "DESTINATION KEY (whom) REFERENCES person (id))",
    ],
    ids=["twins", "qualified end"],
)
def test_google_refuses_what_we_refuse(google: Database, elements: str) -> None:
    from graphir.backends.engines.googlesql.refusals import Refusal

    text = f"CREATE PROPERTY GRAPH hr.org {elements}"
    with pytest.raises(Refusal):
        google.define(text)
    found = graphir.check(text, dialect="gql-spanner")
    assert [(each.severity, each.code[:2]) for each in found][:1] == [("error", "G3")], found
