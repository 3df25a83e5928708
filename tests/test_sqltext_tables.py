"""What SQL texts look like: the tables and keys of a schema, parameters, and what is refused with which code."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from sqlglot import exp, parse_one

import graphir
from graphir import Schema, api
from graphir.backends import sqltext
from graphir.backends.sql import places, scans, targets
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sqltext.constructs import constructs, schema
from graphir.backends.sqltext.tables import catalog_of
from graphir.diagnostics import Diagnostic
from graphir.dialects import DIALECTS
from graphir.loading.examples import example
from graphir.schema.infer import from_graph
from graphir.schema.model import DataType, EdgeType, NodeType, PropertyType
from graphir.source import Source

SQL = [name for name, dialect in DIALECTS.items() if dialect.family == "sql"]

PEOPLE = Schema.read(
    """
CREATE TABLE person (id bigint PRIMARY KEY, name text, age smallint, height real, money numeric(10, 2));
CREATE TABLE knows (id bigint PRIMARY KEY, a bigint REFERENCES person (id), b bigint REFERENCES person (id),
  since date);
CREATE PROPERTY GRAPH g
  VERTEX TABLES (person LABEL "Person" PROPERTIES (id, name, age, height, money))
  EDGE TABLES (knows SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
    LABEL "KNOWS" PROPERTIES (id, since));
""",
    "postgres-ddl",
)
"""One table of nodes, one of edges: they are their keys."""

FIRM = Schema.read(
    """
CREATE TABLE town (region text, no smallint, name text, PRIMARY KEY (region, no));
CREATE TABLE person (id int PRIMARY KEY, name text, boss int REFERENCES person (id));
CREATE TABLE lives (person int REFERENCES person (id), region text, no smallint, PRIMARY KEY (person, region, no),
  FOREIGN KEY (region, no) REFERENCES town (region, no));
CREATE PROPERTY GRAPH g
  VERTEX TABLES (town LABEL Town PROPERTIES (name, region, no), person LABEL Person PROPERTIES (id, name))
  EDGE TABLES (
    person AS reports SOURCE KEY (id) REFERENCES person (id) DESTINATION KEY (boss) REFERENCES person (id)
      LABEL REPORTS NO PROPERTIES,
    lives SOURCE KEY (person) REFERENCES person (id) DESTINATION KEY (region, no) REFERENCES town (region, no)
      LABEL LIVES NO PROPERTIES);
""",
    "postgres-ddl",
)
"""Keys of two columns, edges in a table of nodes, a table of edges without a property."""


def text(query: str, of: Schema = PEOPLE, write: str = "sql-postgres") -> str:
    """The translation in one line."""
    return " ".join(graphir.translate(query, write=write, schema=of).split())


def code(query: str, of: Schema | None = PEOPLE, write: str = "sql-postgres") -> str:
    with pytest.raises(graphir.Unsupported) as refusal:
        graphir.translate(query, write=write, schema=of)
    return refusal.value.diagnostics[0].code


# ------------------------------------------------------------------ tables and keys


def test_names_are_those_of_the_definition() -> None:
    assert text("MATCH (p:Person)-[k:KNOWS]->(q) WHERE q.name < 'B' RETURN p, k, q.name AS name") == (
        'SELECT "e1"."a" AS "p", "e1"."id" AS "k", "n2"."name" AS "name" FROM "knows" AS "e1", "person" AS "n2" '
        'WHERE ( NOT "e1"."a" IS NULL ) AND ( NOT "e1"."b" IS NULL ) AND "n2"."id" = "e1"."b" '
        'AND "n2"."name" COLLATE "C" < \'B\''
    )


def test_narrow_columns_are_widened() -> None:
    assert text("MATCH (p:Person) RETURN p.age + 1 AS a, p.height AS h") == (
        'SELECT CAST("n1"."age" AS BIGINT) + CAST(1 AS BIGINT) AS "a", CAST("n1"."height" AS DOUBLE PRECISION) AS "h" '
        'FROM "person" AS "n1"'
    )


def test_keys_have_a_tag_where_there_are_several_tables() -> None:
    assert text("MATCH (p:Person) RETURN p", FIRM) == (
        'SELECT \'person:\' || CAST("n1"."id" AS TEXT) AS "p" FROM "person" AS "n1"'
    )


def test_keys_of_known_tables_are_compared_themselves() -> None:
    made = text("MATCH (p:Person)-[:LIVES]->(t:Town) WHERE p.name = 'Ada' RETURN t.name AS name", FIRM)
    assert made == (
        'SELECT "n3"."name" AS "name" FROM "lives" AS "e1", "person" AS "n2", "town" AS "n3" '
        'WHERE "n2"."id" = "e1"."person" AND ( "n3"."region" = "e1"."region" AND "n3"."no" = "e1"."no" ) '
        'AND "n2"."name" = \'Ada\''
    )


def test_a_text_in_a_key_of_several_columns_has_its_length() -> None:
    assert text("MATCH (t:Town) RETURN t", FIRM) == (
        'SELECT \'town:\' || CAST(CAST(LENGTH("n1"."region") AS BIGINT) AS TEXT) || \'.\' || "n1"."region" || \':\' || '
        'CAST("n1"."no" AS TEXT) AS "t" FROM "town" AS "n1"'
    )


def test_rows_without_an_end_are_no_edges() -> None:
    made = text("MATCH ()-[r:REPORTS]->() RETURN count(*) AS n", FIRM)
    assert 'NOT "e1"."boss" IS NULL' in made
    assert 'NOT "e1"."id" IS NULL' in made


def test_nodes_of_different_tables_are_different() -> None:
    made = text("MATCH (p:Person), (t:Town) WHERE p = t RETURN p.name AS name", FIRM)
    assert made.endswith("WHERE FALSE")


def test_what_no_table_has_is_identified_as_the_others() -> None:
    """A list of the two has one type."""
    query = "MATCH (t:Town) OPTIONAL MATCH (n:Town&Person) RETURN t, [t, n] AS both"
    core = api.to_core(graphir.parse(query), query, "neo4j-25")
    made = sqltext.emit(core, "sql-postgres", Source(query), FIRM)
    assert "CAST(NULL AS BIGINT)" not in made
    assert "CAST(NULL AS TEXT)" in made


# ------------------------------------------------------------------ parameters


@pytest.mark.parametrize(
    ("write", "mark"),
    [("sql-postgres", "$1"), ("sql-duckdb", "$age"), ("sql-sqlite", ":age"), ("sql-spark", ":age")],
)
def test_parameters_have_the_form_of_the_dialect(write: str, mark: str) -> None:
    assert mark in text("MATCH (p:Person) WHERE p.name = 'x' AND p.id > $age RETURN p.name AS name", write=write)


def test_parameters_are_cast_to_what_they_are_compared_with() -> None:
    made = text("MATCH (p:Person) WHERE p.name IN $names AND p.height < $h RETURN p.id AS id SKIP $s")
    assert "CAST($1 AS TEXT[])" in made
    assert "CAST($2 AS DOUBLE PRECISION)" in made
    assert "OFFSET CAST($3 AS BIGINT)" in made


def test_a_parameter_with_an_odd_name_gets_a_plain_one() -> None:
    made = text("MATCH (p:Person) WHERE p.name = $`a b` AND p.id = $p0 RETURN p.id AS id", write="sql-duckdb")
    assert "$p1" in made
    assert "$p0" in made


def test_a_parameter_of_no_known_type_is_refused() -> None:
    assert code("RETURN $x AS x") == "G563"
    assert code("MATCH (p:Person) WHERE p.name = $x OR p.id = $x RETURN p.id") == "G563"


# ------------------------------------------------------------------ refusals


def test_refusals_have_codes() -> None:
    assert code("MATCH (n) RETURN n", None) == "G562"
    assert code("MATCH (p:Person) RETURN p.money") == "G564"
    assert code("CREATE (p:Person)") == "G565"
    assert code("MATCH (p:Person) WHERE p.name =~ 'A' RETURN p.id") == "G560"
    assert code("MATCH (p:Person) RETURN toUpper(p.name)", write="sql-trino") == "G561"
    assert code("MATCH (p:Person) RETURN id(p)") == "G560"
    assert code("MATCH (p:Person) RETURN p ORDER BY p") == "G560"
    assert code("MATCH (p:Person) RETURN [1, 'a', p.name] AS l") == "G560"


def test_a_schema_with_open_ends_is_refused() -> None:
    triples = Schema.read("(Person, KNOWS, Person)", "triples")
    assert text("MATCH (p:Person)-[:KNOWS]->(q) RETURN p", triples).endswith('FROM "KNOWS" AS "e1"')
    unknown = Schema((NodeType(("Person",)),), (EdgeType("KNOWS", None, None),))
    assert code("MATCH (p:Person)-[:KNOWS]->(q) RETURN q", unknown) == "G562"


def test_what_the_schema_rules_out_is_a_fault() -> None:
    with pytest.raises(graphir.SemanticFault):
        graphir.translate("MATCH (p:Persn) RETURN p", write="sql-postgres", schema=PEOPLE)


# ------------------------------------------------------------------ every dialect


@pytest.mark.parametrize("dialect", SQL)
def test_texts_are_one_statement_that_reads(dialect: str) -> None:
    dialect_of_sqlglot = dialect.removeprefix("sql-")
    read = 0
    for construct in constructs():
        try:
            made = graphir.translate(construct.query, write=dialect, schema=schema())
        except graphir.Unsupported as refusal:
            assert refusal.diagnostics[0].code in ("G560", "G561", "G564")  # noqa: PT017
            continue
        assert isinstance(parse_one(made, dialect=dialect_of_sqlglot), exp.Query)
        read += 1
    assert read > 0.5 * len(constructs())


SAMPLES = Path(graphir.__file__).parent / "corpora" / "samples" / "queries.jsonl"


@pytest.mark.parametrize("dialect", ["sql-postgres", "sql-sqlite"])
def test_most_of_the_sample_corpus_is_translated(dialect: str) -> None:
    found: Counter[str] = Counter()
    schemas = {name: from_graph(example(name)) for name in ("library", "supply")}
    for line in SAMPLES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if not row["valid"]:
            continue
        try:
            graphir.translate(row["query"], write=dialect, schema=schemas[row["schema"]])
        except (graphir.Unsupported, graphir.SemanticFault) as refusal:
            found[refusal.diagnostics[0].code] += 1
        else:
            found["translated"] += 1
    assert found["translated"] > 150
    assert set(found) <= {"translated", "G324", "G560", "G561", "G565"}


KEYLESS = """
CREATE TABLE person (id BIGINT PRIMARY KEY, name TEXT);
CREATE TABLE follows (a BIGINT, b BIGINT);
CREATE TABLE works (eid BIGINT PRIMARY KEY, who BIGINT, boss BIGINT);
CREATE PROPERTY GRAPH g
  VERTEX TABLES (person LABEL person)
  EDGE TABLES (
    follows SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id) LABEL follows,
    works SOURCE KEY (who) REFERENCES person (id) DESTINATION KEY (boss) REFERENCES person (id) PROPERTIES (eid)
      LABEL works
  );
"""


def test_rows_of_a_table_without_a_key_are_not_told_apart() -> None:
    schema = graphir.Schema.read(KEYLESS, "duckpgq-ddl")
    with pytest.raises(graphir.Unsupported, match=r"G562.*follows has no key"):
        graphir.translate(
            "MATCH (a)-[:follows]->()-[:follows]->(c) RETURN a.id, c.id", write="sql-duckdb", schema=schema
        )
    text = graphir.translate("MATCH (a)-[:follows]->(b) RETURN a.id, b.id", write="sql-duckdb", schema=schema)
    assert "graphir_id" not in text


def test_ends_that_are_no_properties_may_be_null() -> None:
    schema = graphir.Schema.read(KEYLESS, "duckpgq-ddl")
    text = graphir.translate("MATCH ()-[w:works]->() RETURN count(*) AS n", write="sql-duckdb", schema=schema)
    assert text.count("IS NULL") == 2


def test_what_an_open_schema_does_not_list_is_refused() -> None:
    """A label or a type that no table has may be in the data all the same."""
    known = Schema.read("(A, R, B)", "triples")
    for query, expected in {
        "MATCH (a:C) RETURN 1 AS x": "G562",
        "MATCH (a:A) WHERE a:C RETURN 1 AS x": "G562",
        "MATCH (:A)-[:S]->(b) RETURN 1 AS x": "G562",
        "MATCH (a:A) RETURN a.x": "G564",
    }.items():
        with pytest.raises(graphir.Unsupported) as refused:
            graphir.translate(query, write="pgq-postgres", schema=known)
        assert [each.code for each in refused.value.diagnostics] == [expected], query
    assert "GRAPH_TABLE" in text("MATCH (:A)-[:R]->(b) RETURN 1 AS x", known, "pgq-postgres")


LIKES = Schema(
    (
        NodeType(("Person",), (PropertyType("name", DataType("STRING")),)),
        NodeType(("Post",), (PropertyType("text", DataType("STRING")),)),
        NodeType(("Tag",), ()),
    ),
    (
        EdgeType("LIKES", ("Person",), ("Post",), ()),
        EdgeType("LIKES", ("Person",), ("Tag",), ()),
        EdgeType("LIKES", ("Person",), ("Person",), ()),
        EdgeType("HAS", ("Post",), ("Tag",), ()),
    ),
)
"""A type of edges that is in three tables."""


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("MATCH (a:Person)-[:LIKES]-(b:Post) RETURN a.name AS x", {"Person_LIKES_Post", "Person"}),
        ("MATCH (a)-[:LIKES]->(b)-[:HAS]->(c) RETURN a.name AS x", {"Person_LIKES_Post", "Person", "HAS"}),
        ("MATCH (b:Post) MATCH (a)-[:LIKES]-(b) RETURN a.name AS x", {"Person_LIKES_Post", "Person", "Post"}),
        ("MATCH (a)-[:HAS]-(b)<-[:LIKES]-(c)-[:LIKES]->(:Tag) WHERE b:Post RETURN c.name AS x", None),
    ],
)
def test_only_tables_are_read_that_a_pattern_allows(query: str, tables: set[str] | None) -> None:
    """What is known of nodes and of edges narrows each other, over several edges and clauses."""
    made = text(query, LIKES, "sql-postgres")
    assert "UNION" not in made
    assert made.count("GRAPH_TABLE") == 0
    if tables is not None:
        assert {each.name for each in parse_one(made, dialect="postgres").find_all(exp.Table)} == tables
    folded = text(query, LIKES, "pgq-oracle-23ai")
    assert folded.count("GRAPH_TABLE") == 1
    assert "UNION" not in folded


def test_what_no_row_can_have_narrows_nothing() -> None:
    catalog = sqltext.catalog_of(LIKES, "sql-postgres", Source(""))
    ways = scans.ways_of(catalog.edges_with("LIKES"), "out")
    given: dict[str, scans.Names] = {"a": frozenset(("Tag",)), "b": None}
    assert places.narrowed(Lowering(catalog), given, [("a", ways, "b")]) == (given, [ways])


def test_variables_that_nobody_speaks_of_are_not_carried_along() -> None:
    query = (
        "MATCH (a:Person)-[r:LIKES]->(b:Post) OPTIONAL MATCH (b:Post)-[h:HAS]->(t) RETURN a.name AS n, t IS NULL AS e"
    )
    made = text(query, LIKES, "pgq-postgres")
    assert "LEFT JOIN" in made
    assert "r_graphir_id" not in made
    assert "h_graphir_id" not in made


@pytest.mark.parametrize("dialect", ["sql-duckdb", "sql-oracle", "pgq-duckpgq", "pgq-oracle-26ai", "pgq-iso"])
def test_case_of_letters_is_told_where_the_database_has_its_own(dialect: str) -> None:
    """`ß`, `İ` and the last `Σ` of a word: a note in a translation, a refusal where the text would be run."""
    query = "MATCH (p:Person) WHERE toLower(p.name) = 'ada' RETURN toUpper(p.name) AS n"
    source = Source(query)
    core = api.to_core(api.parse(query), query, "neo4j-25")
    notes: list[Diagnostic] = []
    made = sqltext.emit(core, dialect, source, PEOPLE, notes)
    assert "LOWER(" in made
    assert [(each.code, each.severity) for each in notes] == [("G569", "info")] * 2
    with pytest.raises(graphir.Unsupported) as refusal:
        targets.emit(core, catalog_of(PEOPLE, dialect, source), dialect, {}, source)
    assert refusal.value.diagnostics[0].code == "G561"


@pytest.mark.parametrize(("dialect", "format"), [("pgq-postgres", "postgres-ddl"), ("pgq-duckpgq", "duckpgq-ddl")])
def test_a_key_that_a_graph_hides_is_told(dialect: str, format: str) -> None:
    shown = PEOPLE.write(format)
    hidden = shown.replace("PROPERTIES (id, since)", "PROPERTIES (since)")
    assert hidden != shown
    query = "MATCH (:Person)-[k:KNOWS]->() RETURN k.since AS s"
    told = []
    for definition in (shown, hidden):
        notes: list[Diagnostic] = []
        graphir.translate(query, write=dialect, schema=Schema.read(definition, format), notes=notes)
        told.append([(each.code, each.severity, "knows (id)" in each.message) for each in notes])
    assert told == [[], [("G566", "info", True)]]
    assert code(query.replace("k.since AS s", "DISTINCT k"), Schema.read(hidden, format), dialect) == "G566"
