"""What the writers of data definitions print is accepted by real engines.

GoogleSQL's analyzer takes tables and property graph for Spanner, DuckDB and PostgreSQL take the tables (neither has the
property graph), Hyper takes the graph that a query of `pgq-hyper` defines over these tables.  Neo4j takes constraints
and graph types: its community edition knows all of them and refuses to create those of the enterprise edition by name.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from neo4j import Driver
from neo4j.exceptions import Neo4jError

import graphir
from graphir.backends.engines import registry
from graphir.backends.engines.googlesql.refusals import Refusal
from graphir.schema import formats
from graphir.schema.ddl.layout import lay_out
from graphir.schema.ddl.losses import properties
from graphir.schema.ddl.targets import TARGETS, quote
from graphir.schema.model import DataType, EdgeType, NodeType, Schema
from tests.engines.googlesql import database
from tests.engines.neo4j_server import quoted
from tests.outside import FULL, rows, sample
from tests.schema.generated import schemas

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

Source = Callable[[], list[Schema]]

COUNT = 200 if FULL else 6
FEW = settings(
    max_examples=COUNT,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def generated(format: str) -> list[Schema]:
    """Schemas with awkward names, always the same."""
    found: list[Schema] = []

    @seed(1)
    @FEW
    @given(schemas(format))
    def collect(schema: Schema) -> None:
        found.append(schema)

    collect()
    return found


def real() -> list[Schema]:
    """Schemas of the corpora."""
    chosen = sample(rows("corpora/schemas"), COUNT, lambda row: str(row["id"]))
    return [formats.read(row["text"], row["format"]) for row in chosen]


def statements(text: str) -> list[str]:
    """The statements of a script that we wrote, comments before them left out."""
    body = "\n".join(line for line in text.split("\n") if not line.startswith(("-- ", "// ")))
    return [part for part in re.split(r";\n", body) if part.strip()]


# ------------------------------------------------------------------ GoogleSQL


@pytest.fixture(scope="module")
def google() -> Iterator[Database]:
    with database("full") as evaluator:
        yield evaluator


def _analyzable(schema: Schema) -> bool:
    """Whether the evaluator can be asked.

    It does not know the length of a vector, and fails where tables spell a property in two ways.
    """
    each = [property for _, property in properties(schema)]
    folded = {property.name.casefold() for property in each}
    return len(folded) == len({p.name for p in each}) and all(p.type != DataType("VECTOR", size=3) for p in each)


def test_googlesql_takes_tables_and_graph(google: Database) -> None:
    refused = []
    taken = 0
    asked = [schema for schema in (*generated("spanner-ddl"), *real()) if _analyzable(schema)]
    for schema in asked if FULL else asked[::2]:
        text = formats.write(schema, "spanner-ddl")
        script = ";\n".join(s for s in statements(text) if not s.lstrip().startswith("CREATE UNIQUE INDEX"))
        try:
            google.clear()
            google.define(script)
            taken += 1
        except Refusal as refusal:
            refused.append((str(refusal), text))
    assert refused == []
    assert taken


# ------------------------------------------------------------------ DuckDB


@pytest.mark.parametrize("source", [lambda: generated("duckpgq-ddl"), real], ids=["generated", "corpora"])
def test_duckdb_takes_tables(source: Source) -> None:
    for schema in source():
        text = formats.write(schema, "duckpgq-ddl")
        with duckdb.connect() as database:
            made = [s for s in statements(text) if "PROPERTY GRAPH" not in s]
            for statement in made:
                database.execute(statement)
            tables = database.execute("SELECT count(*) FROM duckdb_tables()").fetchone()
            assert tables == (sum("CREATE TABLE" in s for s in made),)


# ------------------------------------------------------------------ PostgreSQL


@pytest.fixture(scope="module")
def postgres() -> Iterator[list[str]]:
    """A PostgreSQL server of its own; the command that runs SQL in it."""
    if shutil.which("initdb") is None or shutil.which("psql") is None:
        pytest.skip("needs PostgreSQL's initdb and psql")
    as_user: list[str] = []
    with tempfile.TemporaryDirectory(prefix="graphir-postgres-") as folder:
        if os.geteuid() == 0:
            if shutil.which("runuser") is None or not any(user.pw_name == "postgres" for user in pwd.getpwall()):
                pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
            shutil.chown(folder, "postgres")
            as_user = ["runuser", "-u", "postgres", "--"]

        def run(*command: str) -> None:
            subprocess.run([*as_user, *command], check=True, stdout=subprocess.DEVNULL)

        run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "test", "-E", "UTF8", "--locale=C", "-N")
        run("pg_ctl", "-D", f"{folder}/data", "-o", f"-k {folder} -h '' -F", "-w", "-l", f"{folder}/log", "start")
        try:
            yield ["psql", "-h", folder, "-U", "test", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-q"]
        finally:
            run("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")


@pytest.mark.parametrize("source", [lambda: generated("postgres-ddl"), real], ids=["generated", "corpora"])
def test_postgres_takes_tables(postgres: list[str], source: Source, tmp_path: Path) -> None:
    for schema in source():
        text = formats.write(schema, "postgres-ddl")
        made = [s for s in statements(text) if "PROPERTY GRAPH" not in s]
        script = tmp_path / "script.sql"
        script.write_text("BEGIN;\n" + ";\n".join([*made, "ROLLBACK"]) + ";\n", encoding="utf-8")
        done = subprocess.run([*postgres, "-f", script], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr + text


# ------------------------------------------------------------------ Hyper

ABSENT = ("point", "jsonb", "bytea", "time with time zone")
"""Types of PostgreSQL that Hyper does not have; nor has it arrays."""


@pytest.fixture(scope="module")
def hyper() -> Iterator[Any]:
    status = registry.examine(registry.KINDS["hyper"])
    if not status.usable:
        pytest.skip(f"hyper: {status.reason}")
    engine: Any
    with graphir.connect("hyper") as engine:
        yield engine._connection


def everything(schema: Schema) -> Iterator[str]:
    """Queries that together ask for every type and every property of a schema."""
    for node in schema.node_types:
        labels = "".join([":" + quoted(label) for label in node.labels])
        yield f"MATCH (n{labels}) RETURN {present('n', node)}"
    for edge in schema.edge_types:
        yield f"MATCH ()-[r:{quoted(edge.type)}]->() RETURN {present('r', edge)}"


def present(variable: str, type: NodeType | EdgeType) -> str:
    """Whether each property is there, counted."""
    counts = [
        f"count(CASE WHEN {variable}.{quoted(each.name)} IS NOT NULL THEN 1 END) AS c{at}"
        for at, each in enumerate(type.properties or ())
    ]
    return ", ".join(["count(*) AS c", *counts])


@pytest.mark.parametrize("source", [lambda: generated("postgres-ddl"), real], ids=["generated", "corpora"])
def test_hyper_takes_the_graph(hyper: Any, source: Source) -> None:
    target = TARGETS["postgres-ddl"]
    asked = 0
    for schema in source():
        made = []
        for table in lay_out(schema, target).tables:
            types = ["text" if c.type in ABSENT or c.type.endswith("[]") else c.type for c in table.columns]
            columns = [f"{quote(c.name, target)} {type}" for c, type in zip(table.columns, types, strict=True)]
            made.append(quote(table.name, target))
            hyper.execute_command(f"CREATE TEMPORARY TABLE {made[-1]} ({', '.join(columns)})")
        for query in everything(schema):
            if "\\u" in query:  # an escape to Cypher
                continue
            text = graphir.translate(query, write="pgq-hyper", schema=schema)
            assert [set(row) for row in hyper.execute_list_query(text)] == [{0}], text
            asked += 1
        for name in made:
            hyper.execute_command(f"DROP TABLE {name}")
    assert asked > COUNT


# ------------------------------------------------------------------ Neo4j


def refusal(driver: Driver, statement: str) -> str | None:
    """Why Neo4j does not know the statement; that it wants the enterprise edition is no such reason."""
    with driver.session() as session, session.begin_transaction() as work:
        try:
            work.run(statement).consume()  # pyright: ignore[reportArgumentType]

        except Neo4jError as error:
            message = error.message or ""
            return None if "Enterprise Edition" in message or "not supported in community" in message else message
        finally:
            if not work.closed():
                work.rollback()
    return None


@pytest.mark.parametrize("format", ["neo4j", "neo4j-graph-type"])
def test_neo4j_knows_constraints_and_graph_types(neo4j: Driver, format: str) -> None:
    refused = []
    for schema in (*generated(format), *real()):
        text = formats.write(schema, format)
        for statement in statements(text):
            if (why := refusal(neo4j, "CYPHER 25 " + statement)) is not None:
                refused.append((why, statement, text))
    assert refused == []
