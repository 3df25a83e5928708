"""Graph patterns in SQL: what they look like, what is refused, and that they are the joins that they stand for."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import duckdb
import pytest
from click.testing import CliRunner

import graphir
from graphir import api
from graphir.backends.sql.targets import graphs
from graphir.backends.sqltext.constructs import constructs
from graphir.backends.sqltext.tables import catalog_of
from graphir.cli import main
from graphir.diagnostics import Diagnostic
from graphir.dialects import DIALECTS
from graphir.graphs import PropertyGraph
from graphir.schema import DataType, NodeType, PropertyType, Schema
from graphir.source import Source
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.entities import Node
from tests.engines import sql_constructs, sql_texts, unfolding
from tests.engines.sql_tables import laid_out
from tests.test_sqltext import filled, pairs_schema, runner

PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "36"))
"""How many random queries are compared."""

POSTGRES, DUCKPGQ = "pgq-postgres", "pgq-duckpgq"

DEFINITION = """
CREATE TABLE person (id bigint PRIMARY KEY, name text, age bigint);
CREATE TABLE city (id bigint PRIMARY KEY, name text);
CREATE TABLE knows (eid bigint PRIMARY KEY, a bigint, b bigint, since bigint);
CREATE TABLE lives (eid bigint PRIMARY KEY, p bigint, c bigint);
CREATE PROPERTY GRAPH towns
  VERTEX TABLES (
    person LABEL "Person" PROPERTIES (id, name, age),
    city LABEL "City" PROPERTIES (id, name)
  )
  EDGE TABLES (
    knows SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
      LABEL "KNOWS" PROPERTIES (eid, since),
    lives SOURCE KEY (p) REFERENCES person (id) DESTINATION KEY (c) REFERENCES city (id)
      LABEL "LIVES_IN" PROPERTIES (eid)
  );
"""


def translated(query: str, dialect: str = POSTGRES, definition: str = DEFINITION) -> str:
    return graphir.translate(query, write=dialect, schema=Schema.read(definition, "postgres-ddl"))


def patterns(text: str) -> list[str]:
    """The lines with MATCH and WHERE of the patterns."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for at, line in enumerate(lines) if line.startswith("MATCH") or lines[at - 1].startswith("MATCH")]


# ------------------------------------------------------------------ texts


def test_a_match_is_one_pattern() -> None:
    query = (
        "MATCH (a:Person)-[k:KNOWS]->(b:Person)-[:LIVES_IN]->(c:City) WHERE a.age > 30 AND b.name STARTS WITH 'A' "
        "RETURN c.name AS city, min(k.since) AS since"
    )
    assert translated(query) == dedent("""\
        SELECT
          g1.c_name AS city,
          MIN(g1.k_since) AS since
        FROM GRAPH_TABLE(
          towns
            MATCH (a IS "Person")-[k IS "KNOWS"]->(b IS "Person")-[e IS "LIVES_IN"]->(c IS "City")
            WHERE a.age > CAST(30 AS BIGINT) AND STARTS_WITH(b.name, 'A')
            COLUMNS (c.name AS c_name, k.since AS k_since)
        ) AS g1
        GROUP BY
          g1.c_name""")


def test_an_edge_without_a_direction_stays_in_its_pattern() -> None:
    text = translated("MATCH (a:Person)-[k:KNOWS]-(b)-[:KNOWS]-(c) WHERE a.name = 'Ann' RETURN c.name AS c")
    assert patterns(text) == [
        'MATCH (a IS "Person")-[k IS "KNOWS"]-(b IS "Person")-[e IS "KNOWS"]-(c IS "Person")',
        "WHERE e.eid <> k.eid AND a.name = 'Ann'",
    ]


def test_an_edge_between_two_tables_has_the_direction_that_it_can_have() -> None:
    text = translated("MATCH (c:City)-[]-(p) RETURN p.name AS p")
    assert patterns(text)[0] == 'MATCH (p IS "Person")-[e IS "LIVES_IN"]->(c IS "City")'
    assert text.count("GRAPH_TABLE(") == 1


def test_where_there_is_no_undirected_edge_the_whole_pattern_comes_twice() -> None:
    query = "MATCH (a:Person)-[k:KNOWS]-(b)-[:LIVES_IN]-(c) WHERE c.name = 'Bern' RETURN a.name AS a"
    text = translated(query, DUCKPGQ)
    assert patterns(text) == [
        "MATCH (a:Person)-[k:KNOWS]->(b:Person)-[e:LIVES_IN]->(c:City)",
        "WHERE c.name = 'Bern'",
        "MATCH (a:Person)<-[k:KNOWS]-(b:Person)-[e:LIVES_IN]->(c:City)",
        "WHERE c.name = 'Bern' AND b.id <> a.id",
    ]


def test_an_edge_without_a_type_is_a_pattern_for_each_table() -> None:
    text = translated("MATCH (a)-[r]->(b) WHERE b.name = 'Bern' RETURN a.name AS a, type(r) AS r")
    assert patterns(text) == [
        'MATCH (a IS "Person")-[r IS "KNOWS"]->(b IS "Person")',
        "WHERE b.name = 'Bern'",
        'MATCH (a IS "Person")-[r IS "LIVES_IN"]->(b IS "City")',
        "WHERE b.name = 'Bern'",
    ]
    assert text.count("GRAPH_TABLE(") == 2


def test_of_too_many_choices_an_edge_has_its_patterns_alone() -> None:
    text = translated("MATCH (a)-[r]-(b)-[s]-(c)-[t]-(d) RETURN a.name AS a, b.name AS b, c.name AS c, d.name AS d")
    assert [line.count("]") for line in patterns(text) if line.startswith("MATCH")] == [1, 1, 1, 2, 2, 2, 2, 2]
    assert "m1.b_id = m2.b_key AND m2.s_eid <> m1.r_eid AND m2.t_eid <> m1.r_eid" in text


def test_a_subquery_knows_the_table_of_the_node_it_begins_at() -> None:
    text = translated("MATCH (c:City) WHERE EXISTS { (c)--(p {name: 'Ann'}) } RETURN c.name AS c")
    assert patterns(text)[2:] == ['MATCH (p IS "Person")-[e IS "LIVES_IN"]->(c IS "City")', "WHERE p.name = 'Ann'"]


def test_one_label_of_several_where_only_what_they_share_is_asked() -> None:
    query = "MATCH (a:Person)-[:KNOWS|LIVES_IN]->(b) WHERE b.name = 'Bern' RETURN b.name AS b, count(*) AS n"
    text = translated(query)
    assert patterns(text) == [
        'MATCH (a IS "Person")-[e IS "KNOWS"|"LIVES_IN"]->(b IS "Person"|"City")',
        "WHERE b.name = 'Bern'",
    ]
    assert translated(query, DUCKPGQ).count("GRAPH_TABLE(") == 2
    for other in ("RETURN b.age AS age", "RETURN b AS b", "MATCH (b)-[:LIVES_IN]->(c) RETURN c.name AS c"):
        assert "|" not in translated(f"MATCH (a:Person)-[:KNOWS|LIVES_IN]->(b) {other}").replace("||", "")


def test_a_label_of_several_tables_is_one_alternative() -> None:
    definition = DEFINITION.replace('LABEL "LIVES_IN" PROP', 'LABEL "KNOWS" PROP')
    text = translated("MATCH (a:Person)-[]->(b) RETURN b.name AS b", definition=definition)
    assert patterns(text)[0] == 'MATCH (a IS "Person")-[e IS "KNOWS"]->(b IS "City"|"Person")'


def test_a_repetition_of_few_lengths_is_a_pattern_for_each() -> None:
    text = translated(
        "MATCH (c:City)<-[:LIVES_IN]-(a)-[:KNOWS*1..2]-(b)-[k:KNOWS]->(d) RETURN c.name AS c, k.since AS s"
    )
    assert patterns(text) == [
        'MATCH (c IS "City")<-[e IS "LIVES_IN"]-(a IS "Person")-[e_2 IS "KNOWS"]-(b IS "Person")-[k IS "KNOWS"]->'
        '(d IS "Person")',
        "WHERE k.eid <> e_2.eid",
        'MATCH (c IS "City")<-[e IS "LIVES_IN"]-(a IS "Person")-[e_2 IS "KNOWS"]-(v IS "Person")-[e_3 IS "KNOWS"]-'
        '(b IS "Person")-[k IS "KNOWS"]->(d IS "Person")',
        "WHERE k.eid <> e_2.eid AND k.eid <> e_3.eid AND e_3.eid <> e_2.eid",
    ]


@pytest.mark.parametrize(
    "repetition", ["[:KNOWS*]", "[:KNOWS*..5]", "[:KNOWS|LIVES_IN*1..2]", "[:KNOWS*1..2 {since: b.age}]"]
)
def test_other_repetitions_are_recursive(repetition: str) -> None:
    text = translated(f"MATCH (b:Person) MATCH (a:Person)-{repetition}->(c:Person) RETURN a.name AS a")
    assert "WITH RECURSIVE" in text


def test_rows_that_were_counted_are_one_row_though_nobody_reads_the_number() -> None:
    assert "COUNT(*)" in translated("MATCH (a:Person) WITH count(*) AS n RETURN 'b' AS b")
    query = "MATCH (a:Person) WITH a.age AS age WITH sum(age) AS s, 1 AS one RETURN one"
    assert "SUM(" in translated(query, "sql-duckdb")


def test_elements_are_keys_until_they_are_shown() -> None:
    text = translated(
        "MATCH (a:Person)-[:KNOWS]->(b) OPTIONAL MATCH (b)-[:LIVES_IN]->(c) "
        "WITH a, count(c) AS n, count(DISTINCT b) AS m WHERE n > 1 MATCH (a)-[:KNOWS]->(d) RETURN d, n, m"
    )
    assert text.count("||") == 1
    assert "COUNT(DISTINCT g1.b_id)" in text
    assert "'person:' || CAST(g3.d_id AS TEXT) AS d" in text


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-oracle-26ai"])
def test_what_may_be_absent_is_compared_with_null(dialect: str) -> None:
    """Elements of two tables are never the same, but whether they are may be null."""
    query = "MATCH (a:Person) OPTIONAL MATCH (a)-[:LIVES_IN]->(c) RETURN a = c AS same, c IS NULL AS none"
    text = translated(query, dialect)
    assert "'person:' ||" in text
    assert ("CASE WHEN NOT" in " ".join(text.split())) == (dialect == "pgq-oracle-26ai")


def test_duckpgq_writes_labels_behind_a_colon() -> None:
    text = translated("MATCH (a:Person)<-[k:KNOWS]-(b) RETURN a.name AS a, b.name AS b", DUCKPGQ)
    assert patterns(text)[0] == "MATCH (b:Person)-[k:KNOWS]->(a:Person)"


def test_one_path_goes_over_an_edge_once() -> None:
    query = "MATCH (a:Person)-[:KNOWS]->(b), (a)-[:KNOWS]->(c), (b)-[:KNOWS]->(c) RETURN a.id AS a"
    assert patterns(translated(query))[0] == (
        'MATCH (a IS "Person")-[e IS "KNOWS"]->(b IS "Person")-[e_2 IS "KNOWS"]->(c IS "Person")'
        '<-[e_3 IS "KNOWS"]-(a IS "Person")'
    )


def test_several_paths_where_the_dialect_has_them() -> None:
    query = (
        "MATCH (a:Person)-[:KNOWS]->(b:Person)-[:LIVES_IN]->(c:City), (b)-[:KNOWS]->(d:Person) "
        "RETURN a.name AS a, c.name AS c, d.name AS d"
    )
    in_postgres, in_duckpgq = translated(query), translated(query, DUCKPGQ)
    assert in_postgres.count("GRAPH_TABLE(") == 2
    assert in_duckpgq.count("GRAPH_TABLE(") == 1
    assert patterns(in_duckpgq) == [
        "MATCH (a:Person)-[e:KNOWS]->(b:Person)-[e_2:LIVES_IN]->(c:City),",
        "(b:Person)-[e_3:KNOWS]->(d:Person)",
    ]


def test_edges_of_one_clause_differ_by_their_keys() -> None:
    query = "MATCH (a:Person)-[e:KNOWS]->(b)-[f:KNOWS]->(c) RETURN count(*) AS n"
    assert patterns(translated(query))[1] == "WHERE f.eid <> e.eid"
    apart = "MATCH (a:Person)-[e:KNOWS]->(b)-[f:LIVES_IN]->(c) RETURN count(*) AS n"
    assert not patterns(translated(apart))[1].startswith("WHERE")


def test_what_a_subquery_finds_is_compared_outside() -> None:
    text = translated("MATCH (a:Person) WHERE NOT (a)-[:KNOWS]->(:Person {name: 'Ada'}) RETURN a.name AS a")
    assert "NOT EXISTS(" in text
    assert "WHERE v.name = 'Ada'" in text
    assert "g2.a_id = g1.a_id" in text


def test_names_are_not_those_of_the_query_around() -> None:
    """Elements are called as in the query, which may be as the lowering calls its tables."""
    text = translated("MATCH (n3:Person) WHERE EXISTS { (n3)-[:KNOWS]->(n1:Person {age: 3}) } RETURN n3.name AS n")
    assert "WHERE n1.age = CAST(3 AS BIGINT)" in text


@pytest.mark.parametrize("dialect", [POSTGRES, DUCKPGQ])
def test_no_table_is_read_but_through_the_graph(dialect: str) -> None:
    for construct in constructs():
        try:
            text = graphir.translate(construct.query, write=dialect, schema=sql_constructs.schema())
        except graphir.Unsupported:
            continue
        assert "FROM person" not in text
        assert "FROM knows" not in text


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("query", "code", "told"),
    [
        ("MATCH (a:Person)-[:HAS]->(b:Bag)-[:IN]->(c) MATCH (b)-[:IN]->(d) RETURN d.no AS d", "G566", "bid"),
        ("MATCH (a:Base) WHERE NOT a:Special RETURN a.no AS n", "G567", "base"),
        ("MATCH (a:Special) RETURN a.no AS n", None, ""),
        ("CREATE (a:Special)", "G565", "only read"),
    ],
)
def test_what_the_graph_does_not_say_is_refused(query: str, code: str | None, told: str) -> None:
    definition = """
        CREATE TABLE person (id bigint PRIMARY KEY);
        CREATE TABLE bag (bid bigint PRIMARY KEY, no bigint);
        CREATE TABLE base (id bigint PRIMARY KEY, no bigint);
        CREATE TABLE special (id bigint PRIMARY KEY, no bigint);
        CREATE TABLE has (id bigint PRIMARY KEY, p bigint, b bigint);
        CREATE TABLE inside (id bigint PRIMARY KEY, b bigint, s bigint);
        CREATE PROPERTY GRAPH g
          VERTEX TABLES (
            person LABEL "Person" PROPERTIES (id),
            bag LABEL "Bag" PROPERTIES (no),
            base LABEL "Base" PROPERTIES (id, no),
            special LABEL "Base" PROPERTIES (id, no) LABEL "Special" PROPERTIES (id, no)
          )
          EDGE TABLES (
            has SOURCE KEY (p) REFERENCES person (id) DESTINATION KEY (b) REFERENCES bag (bid) LABEL "HAS",
            inside SOURCE KEY (b) REFERENCES bag (bid) DESTINATION KEY (s) REFERENCES special (id) LABEL "IN"
          );
    """
    if code is None:
        assert 'MATCH (a IS "Special")' in translated(query, definition=definition)
        return
    with pytest.raises(graphir.Unsupported) as caught:
        translated(query, definition=definition)
    assert (caught.value.diagnostics[0].code, told in caught.value.diagnostics[0].message) == (code, True)


HIDDEN_KEYS = """
    CREATE TABLE person (id bigint PRIMARY KEY, name text);
    CREATE TABLE firm (no bigint, land text, title text, PRIMARY KEY (land, no));
    CREATE TABLE works (id bigint PRIMARY KEY, p bigint, land text, no bigint, since bigint);
    CREATE TABLE likes (p bigint, q bigint);
    CREATE PROPERTY GRAPH g
      VERTEX TABLES (
        person LABEL "Person" PROPERTIES (id, name),
        firm LABEL "Firm" PROPERTIES (land, title)
      )
      EDGE TABLES (
        works SOURCE KEY (p) REFERENCES person (id) DESTINATION KEY (land, no) REFERENCES firm (land, no)
          LABEL "WORKS" PROPERTIES (since),
        likes SOURCE KEY (p) REFERENCES person (id) DESTINATION KEY (q) REFERENCES person (id) LABEL "LIKES"
      );
"""
"""A key of which a part is a property, one of which nothing is, and a table without a key."""


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("MATCH (:Firm)<-[:WORKS]-(a)-[:WORKS]->(f) RETURN f.title AS title", "the column id of works"),
        (
            "MATCH (f:Firm) OPTIONAL MATCH (f)<-[w:WORKS]-() RETURN f.title AS title, w.since AS since",
            "exposes the column",
        ),
        ("MATCH (a)-[:LIKES]->(b)-[:LIKES]->(c) RETURN c.name AS name", "likes has no key"),
    ],
)
def test_keys_that_are_no_properties(query: str, told: str) -> None:
    """A table without a key has none of ours in a graph of the user's."""
    assert "MATCH" in translated("MATCH (a)-[:WORKS]->(f) RETURN f.title AS title", definition=HIDDEN_KEYS)
    assert "MATCH" in translated("MATCH (a)-[:LIKES]->(b) RETURN b.name AS name", definition=HIDDEN_KEYS)
    with pytest.raises(graphir.Unsupported, match="G566") as caught:
        translated(query, definition=HIDDEN_KEYS)
    assert told in caught.value.diagnostics[0].message


# ------------------------------------------------------------------ definitions


def test_a_table_without_a_label_of_its_own_gets_one() -> None:
    known = pairs_schema()
    for format in ("postgres-ddl", "oracle-ddl"):
        text = known.write(format)
        again = Schema.read(text, format)
        assert text.count('LABEL "graphir_A" ') == 1
        assert {node.labels for node in again.node_types} == {node.labels for node in known.node_types}
        assert 'LABEL "graphir_A" ' in again.write(format)
    for schema in (known, Schema.read(known.write("postgres-ddl"), "postgres-ddl")):
        text = graphir.translate("MATCH (a:A&!B) RETURN a.i AS i", write=POSTGRES, schema=schema)
        assert patterns(text)[0] == 'MATCH (a IS "graphir_A")'


# ------------------------------------------------------------------ rows


def test_constructs_unfold_to_the_rows_of_the_embedded_engine() -> None:
    with closing(filled(sql_constructs.tables(DUCKPGQ))) as connection:
        assert sql_constructs.differences(DUCKPGQ, runner(connection), unfolding.statement) == []
    assert len(sql_constructs.supported(DUCKPGQ)) > 0.9 * len(constructs())


@pytest.mark.parametrize("commas", [True, False], ids=["several paths, a direction", "one path, any direction"])
def test_random_queries_unfold_to_the_rows_of_the_embedded_engine(
    commas: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = graphs.DUCKPGQ
    assert target.patterns is not None
    chosen = replace(target.patterns, commas=commas, undirected=not commas)
    monkeypatch.setattr(graphs, "DUCKPGQ", replace(target, patterns=chosen))
    known = pairs_schema()
    compared = 0
    first, count = (2 + commas) * PAIRS, PAIRS // 2
    for graph, queries in sql_texts.cases(first, count):
        value = PropertyGraph.from_dict(graph)
        laid = laid_out(catalog_of(known, DUCKPGQ, Source("")), value)
        with closing(filled(laid)) as connection, graphir.connect() as embedded:
            embedded.load(value)
            for _, query, ordered in queries:
                try:
                    made = unfolding.statement(query, DUCKPGQ, known, {})
                except graphir.Unsupported:
                    continue
                compared += 1
                assert sql_constructs.difference(query, ordered, made, embedded, laid, runner(connection)) is None
    assert compared > count / 2


# ------------------------------------------------------------------ moments, and numbers in texts

EVENTS = """
CREATE TABLE event (id bigint PRIMARY KEY, at timestamp with time zone, said timestamp, day date, note text);
CREATE PROPERTY GRAPH events
  VERTEX TABLES (event LABEL "Event" PROPERTIES (id, at, said, day, note));
"""
NOTES = [
    *("12", " -7 ", "+0017", "12.9", "-.5", "1e3", "1.5e-2", "", "unknown", "1,000", "12 km", "NaN", "-Infinity", None),
    *("9" * 18, "0.", "5E2", "e5", "3/4", "-", "12-13-7"),
]


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (e:Event) WHERE e.at >= datetime('2020-01-01T00:00:00Z') RETURN e.id AS id ORDER BY e.at DESC, e.id",
        "MATCH (e:Event) WHERE date(e.at) = e.day RETURN e.id AS id",
        "MATCH (e:Event) WHERE e.at.year = 2020 AND e.said.month < 7 RETURN e.id AS id, e.at.quarter AS q",
        "MATCH (e:Event) RETURN date(e.said) AS day, count(DISTINCT e.at) AS n",
        "MATCH (e:Event) WITH max(e.at) AS last MATCH (f:Event) WHERE f.at = last RETURN f.id AS id",
        "MATCH (e:Event) WHERE toInteger(e.note) > 5 RETURN e.id AS id",
        "MATCH (e:Event) RETURN e.id AS id, toInteger(e.note) AS whole, toFloat(e.note) AS part",
    ],
)
def test_moments_and_numbers_in_texts(query: str) -> None:
    graph = PropertyGraph(
        tuple(
            [
                Node(
                    at,
                    ("Event",),
                    {
                        "id": at,
                        "at": DateTime.parse(f"20{19 + at % 3}-0{1 + at % 7}-01T0{at % 4}:30:00Z"),
                        "said": LocalDateTime.parse(f"2020-0{1 + at % 8}-11T23:59:59"),
                        "day": Date.parse(f"20{19 + at % 3}-0{1 + at % 7}-01"),
                        **({} if note is None else {"note": note}),
                    },
                )
                for at, note in enumerate(NOTES)
            ]
        )
    )
    known = Schema.read(EVENTS, "postgres-ddl")
    laid = laid_out(catalog_of(known, DUCKPGQ, Source("")), graph)
    for table in laid.tables.values():
        for row in table.rows:
            row.update({name: str(row[name]) for name in ("at", "said", "day")})
    made = unfolding.statement(query, DUCKPGQ, known, {})
    with closing(filled(laid, DUCKPGQ)) as connection, graphir.connect() as embedded:
        embedded.load(graph)
        assert sql_constructs.difference(query, "ORDER BY" in query, made, embedded, laid, runner(connection)) is None


def test_a_number_that_is_spelled_oddly_is_a_fault() -> None:
    graph = PropertyGraph((Node(1, ("Event",), {"id": 1, "note": "0x1F"}),))
    known = Schema.read(EVENTS, "postgres-ddl")
    laid = laid_out(catalog_of(known, DUCKPGQ, Source("")), graph)
    made = unfolding.statement("MATCH (e:Event) RETURN toInteger(e.note) AS n", DUCKPGQ, known, {})
    with closing(filled(laid, DUCKPGQ)) as connection, pytest.raises(duckdb.ConversionException, match="G634"):
        runner(connection)(made)


def test_what_is_taken_for_granted_is_said() -> None:
    notes: list[Diagnostic] = []
    known = Schema((NodeType(("Crime",), (PropertyType("id", DataType("INTEGER")), PropertyType("date"))),))
    query = "MATCH (c:Crime) WHERE c.date = '26/08/2017' RETURN c.id AS id"
    write = DIALECTS[POSTGRES]
    api.emit(graphir.parse(query), query, DIALECTS["neo4j-25"], write, known, notes=notes)
    assert [(note.code, note.severity) for note in notes] == [("G568", "warning")]
    assert "`date` of Crime" in notes[0].message
    assert '"date" text' in known.write("postgres-ddl")


# ------------------------------------------------------------------ which graph


def test_the_graph_of_a_definition() -> None:
    text = graphir.translate("MATCH (c:City) RETURN c.name AS name", write=POSTGRES, property_graph=DEFINITION)
    assert "FROM GRAPH_TABLE(towns\n" in text
    with pytest.raises(graphir.UsageFault, match="in place of the schema"):
        graphir.translate("RETURN 1 AS x", write="neo4j-5", property_graph=DEFINITION)


def test_the_option_for_the_graph(tmp_path: Path) -> None:
    script = tmp_path / "towns.sql"
    script.write_text(DEFINITION)
    query = "MATCH (c:City) RETURN c.name AS name"
    command = ["translate", query, "--to", POSTGRES]
    run = CliRunner().invoke
    assert "GRAPH_TABLE(towns\n" in run(main, [*command, "--property-graph", str(script)]).stdout
    written = run(main, [*command, "--property-graph", "generate", "--schema", str(script)])
    assert written.exit_code == 0
    both = run(main, [*command, "--property-graph", str(script), "--schema", str(script)])
    assert (both.exit_code, "leave out the options about schemas" in both.stderr) == (2, True)
    other = run(main, ["translate", query, "--to", "neo4j-5", "--property-graph", "generate"])
    assert (other.exit_code, "for dialects of SQL/PGQ" in other.stderr) == (2, True)


# ------------------------------------------------------------------ elements as results


def test_elements_are_shown_with_their_properties() -> None:
    notes: list[Diagnostic] = []
    known = Schema.read(DEFINITION, "postgres-ddl")
    query = "MATCH (a:Person)-[k:KNOWS]->(b) RETURN a, k, b.name AS a_name"
    text = api.emit(graphir.parse(query), query, DIALECTS["neo4j-25"], DIALECTS[POSTGRES], known, notes=notes)
    ends = ["a_age", "a_id", "a_name_2", "k", "k_eid", "k_since", "a_name"]
    assert [line.strip().rstrip(",").rpartition(" AS ")[2].strip('"') for line in text.splitlines()[2:9]] == ends
    assert [note.code for note in notes] == ["G553", "G553"]
    with pytest.raises(graphir.Unsupported, match="G538"):
        graphir.translate(query, write=POSTGRES, schema=known, elements="refuse")
    plain = graphir.translate(query, write="sql-postgres", schema=known)
    assert "since" not in plain


def test_elements_are_shown_with_their_properties_behind_a_procedure() -> None:
    known = Schema.read(DEFINITION, "postgres-ddl")
    query = "MATCH (c:City) CALL db.labels() YIELD label RETURN c, label"
    assert "g3.c_name AS c_name" in graphir.translate(query, write=POSTGRES, schema=known)
    hidden = "MATCH (c:City) WITH 1 AS one CALL db.labels() YIELD label AS c RETURN c"
    assert "c_name" not in graphir.translate(hidden, write=POSTGRES, schema=known)


def test_elements_are_shown_as_json() -> None:
    known = Schema.read(DEFINITION, "postgres-ddl")
    query = "MATCH (a:Person)-[k:KNOWS]->(b) RETURN a, k, b.name AS name"
    text = graphir.translate(query, write=POSTGRES, schema=known, elements="json")
    assert text.count("JSONB_BUILD_OBJECT('age', g1.a_age, 'id', g1.a_id, 'name', g1.a_name)") == 1
    assert text.count("JSONB_BUILD_OBJECT('eid', g1.k_eid, 'since', g1.k_since)") == 1
    assert text.count("'source_node_identifier'") == text.count("'destination_node_identifier'") == 1
    assert graphir.check(text, POSTGRES, known) == []
    unread = Schema.read("(:A {p: POINT})-[:R]->(:A)")
    with pytest.raises(graphir.Unsupported, match="G564"):
        graphir.translate("MATCH (a:A) RETURN a", write=POSTGRES, schema=unread, elements="json")


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("MATCH (a:Person) RETURN a ORDER BY a.name LIMIT 2", "a, a_age, a_id, a_name"),
        ("MATCH (a) WHERE NOT EXISTS { MATCH (a:Person) } RETURN a", "a, a_id, a_name, a_age"),
        ("MATCH (a:Person) WITH count(*) AS n MATCH (a) RETURN a", "a, a_id, a_name, a_age"),
        ("CALL { MATCH (a:City) RETURN a } RETURN a", "a, a_id, a_name"),
        ("MATCH (a:City) CALL { MATCH (a) RETURN count(*) AS n } RETURN a, n", "a, a_id, a_name"),
    ],
)
def test_the_properties_of_every_table_are_shown(query: str, columns: str) -> None:
    """Of every one where the element may be, whatever else in the query has its name."""
    known = Schema.read(DEFINITION, "postgres-ddl")
    notes: list[Diagnostic] = []
    api.emit(graphir.parse(query), query, DIALECTS["neo4j-25"], DIALECTS[POSTGRES], known, notes=notes)
    assert [note.message.rpartition("the columns ")[2] for note in notes] == [columns]


def test_a_node_has_one_name_in_all_tables_of_a_query() -> None:
    """A node that is called `e`, as edges without a name are, is in two tables here."""
    schema = graphir.Schema.read(
        """CREATE TABLE person (id bigint PRIMARY KEY);
        CREATE TABLE knows (id bigint PRIMARY KEY, a bigint REFERENCES person (id), b bigint REFERENCES person (id));
        CREATE PROPERTY GRAPH g VERTEX TABLES (person LABEL "Person" PROPERTIES (id))
        EDGE TABLES (knows SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
        LABEL "KNOWS" PROPERTIES (id));""",
        "postgres-ddl",
    )
    query = "MATCH (e)<-[:KNOWS]-(), (e)<-[:KNOWS]-() MATCH (e)-[:KNOWS]->(c) RETURN c.id AS n"
    text = graphir.translate(query, write="pgq-postgres", schema=schema)
    assert text.count("GRAPH_TABLE") > 1
    assert graphir.check(text, "pgq-postgres", schema) == []


NUMBERS = """
CREATE TABLE account (id NUMBER PRIMARY KEY, balance NUMBER);
CREATE TABLE transfer (id NUMBER PRIMARY KEY, src NUMBER, dst NUMBER, amount NUMBER(12, 2));
CREATE PROPERTY GRAPH bank VERTEX TABLES (account KEY (id) PROPERTIES (id, balance))
  EDGE TABLES (transfer KEY (id) SOURCE KEY (src) REFERENCES account (id) DESTINATION KEY (dst) REFERENCES account (id)
    PROPERTIES (id, amount));
"""


def test_numbers_of_oracle_are_keys_and_are_taken_for_floats() -> None:
    query = (
        "MATCH (a:account)-[:transfer]->()-[t:transfer]->(b) WHERE t.amount > 5 RETURN a.balance AS x, count(b) AS n"
    )
    notes: list[Diagnostic] = []
    known = Schema.read(NUMBERS, "oracle-ddl")
    text = api.emit(graphir.parse(query), query, DIALECTS["neo4j-25"], DIALECTS["pgq-oracle-23ai"], known, notes=notes)
    assert '"t"."ID" <> "e"."ID"' in text
    assert 'CAST("t"."AMOUNT" AS BINARY_DOUBLE) > ' in text
    assert [note.message for note in notes if note.code == "G568"] == [
        "`balance` of ACCOUNT is a decimal number: it is taken for a float, as Cypher has no decimal numbers",
        "`amount` of TRANSFER is a decimal number: it is taken for a float, as Cypher has no decimal numbers",
    ]


def test_a_computed_property_of_a_definition_is_no_text() -> None:
    """Of an expression it is not known what it gives."""
    known = Schema.read(NUMBERS.replace("(id, balance)", "(id, balance * 2 AS twice)"), "oracle-ddl")
    for query in ("MATCH (a:account) WHERE a.twice > 3 RETURN a.id", "MATCH (a:account) RETURN a.twice AS x"):
        with pytest.raises(graphir.Unsupported, match="G564"):
            graphir.translate(query, write="pgq-oracle-23ai", schema=known)
    assert "COUNT(*)" in graphir.translate("MATCH (a:account) RETURN count(*)", write="pgq-oracle-23ai", schema=known)


# ------------------------------------------------------------------ keys that the graph hides

HIDDEN = DEFINITION.replace("PROPERTIES (eid, since)", "PROPERTIES (since)")
"""Whom a person knows cannot be told apart from another edge."""

FILLED = """
INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Bob', 20), (3, 'Cy', NULL);
INSERT INTO knows VALUES (1, 1, 2, 1999), (2, 1, 2, 2001), (3, 1, 1, NULL), (4, 2, 3, 2005);
"""

COUNTED = "MATCH (a:Person) OPTIONAL MATCH (a)-[k:KNOWS]->(b) "


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        (COUNTED + "RETURN a.name AS n, count(k) AS c", [("Ada", 3), ("Bob", 1), ("Cy", 0)]),
        (COUNTED + "RETURN a.name AS n, sum(k.since) AS s", [("Ada", 4000), ("Bob", 2005), ("Cy", 0)]),
        (
            COUNTED + "RETURN a.name AS n, count(k) AS c, count(k.since) AS s",
            [("Ada", 3, 2), ("Bob", 1, 1), ("Cy", 0, 0)],
        ),
        (COUNTED + "WITH a, k WHERE k IS NULL RETURN a.name AS n", [("Cy",)]),
        (COUNTED + "WITH a, k WHERE k IS NOT NULL RETURN DISTINCT a.name AS n", [("Ada",), ("Bob",)]),
        (COUNTED + "WITH a, k AS l, b RETURN a.name AS n, count(l) AS c, max(b.id) AS m", None),
        ("MATCH (a:Person)-[k:KNOWS]->(b) RETURN a.name AS n, count(k) AS c", [("Ada", 3), ("Bob", 1)]),
        ("MATCH (a:Person)-[k:KNOWS]->(b) RETURN count(k) AS c", [(4,)]),
        ("MATCH (a:Person) RETURN a.name AS n, COUNT { (a)-[k:KNOWS]->() } AS c", [("Ada", 3), ("Bob", 1), ("Cy", 0)]),
    ],
)
def test_a_hidden_key_that_nobody_has_to_know_is_not_read(query: str, rows: list[tuple[object, ...]] | None) -> None:
    """The rows are those that the embedded engine gives, and those of the same text where the key is exposed."""
    hidden, shown = (Schema.read(each, "postgres-ddl") for each in (HIDDEN, DEFINITION))
    assert "eid" not in translated(query, POSTGRES, HIDDEN)
    with closing(duckdb.connect()) as connection:
        for statement in (DEFINITION[: DEFINITION.index("CREATE PROPERTY")] + FILLED).split(";"):
            connection.execute(statement)
        found = [
            sorted(connection.execute(unfolding.statement(query, POSTGRES, schema, {}).text).fetchall())
            for schema in (hidden, shown)
        ]
    assert found[0] == found[1]
    assert rows is None or found[0] == rows


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("MATCH (a:Person)-[k:KNOWS]->(b) RETURN a.name AS n, count(DISTINCT k) AS c", "-[k:KNOWS]->"),
        ("MATCH (a:Person)-[:KNOWS]->(b)-[l:KNOWS]->(c) RETURN a.name AS n", "-[l:KNOWS]->"),
        ("MATCH (a:Person)-[:KNOWS*1..2]->(b) RETURN b.name AS n", "-[:KNOWS*1..2]->"),
        ("MATCH (a:Person)-[k:KNOWS]->(b) RETURN a.name AS n, k", "-[k:KNOWS]->"),
    ],
)
def test_a_hidden_key_that_is_needed_is_refused_at_the_element(query: str, place: str) -> None:
    with pytest.raises(graphir.Unsupported) as caught:
        translated(query, POSTGRES, HIDDEN)
    (found,) = caught.value.diagnostics
    assert (found.code, query[found.start : found.end]) == ("G566", place)
    assert found.hint == "expose it in the definition of the graph: `PROPERTIES (.., eid)`"


def test_notes_and_refusals_stand_at_what_they_are_about() -> None:
    schema = Schema.read(HIDDEN.replace("since bigint", "since numeric(5, 2)"), "postgres-ddl")
    query = "MATCH (a:Person)-[k:KNOWS]->(b) WHERE a.age > 3 AND k.since > 1 RETURN a"
    notes: list[Diagnostic] = []
    graphir.translate(query, write=POSTGRES, schema=schema, elements="expand", notes=notes)
    assert {(each.code, query[each.start : each.end]) for each in notes} == {
        ("G553", "a"),
        ("G566", "-[k:KNOWS]->"),
        ("G568", "k.since"),
    }
    text = "MATCH (t)<-[:WROTE]-(a:Author) RETURN a.name AS y"
    with pytest.raises(graphir.Unsupported) as caught:
        graphir.translate(text, write="sql-duckdb", schema=Schema.read("(Author, WROTE, Title)"))
    assert [(each.code, text[each.start : each.end]) for each in caught.value.diagnostics] == [("G564", "a.name")]


# ------------------------------------------------------------------ labels that do not expose all

ZOO = """
CREATE TABLE cat (id bigint PRIMARY KEY, name text, paws bigint);
CREATE TABLE fish (id bigint PRIMARY KEY, name text, fins bigint);
CREATE PROPERTY GRAPH zoo VERTEX TABLES (
  cat LABEL animal PROPERTIES (id, name) LABEL cat PROPERTIES (id, name, paws),
  fish LABEL animal PROPERTIES (id, name) LABEL fish PROPERTIES (id, name, fins)
);
"""


def test_a_property_is_asked_under_a_label_that_exposes_it() -> None:
    asked = patterns(translated("MATCH (a:animal) RETURN a.paws AS p", POSTGRES, ZOO))
    assert [line for line in asked if line.startswith("MATCH")] == ["MATCH (a IS cat)", "MATCH (a IS fish)"]
    assert "(a IS cat)" in translated("MATCH (a:cat) RETURN a.paws AS p", POSTGRES, ZOO)


def test_a_property_that_the_label_hides_is_none_of_the_element() -> None:
    schema = Schema.read(ZOO, "postgres-ddl")
    asked = "SELECT t.x FROM GRAPH_TABLE (zoo MATCH (a IS {}) COLUMNS (a.{} AS x)) t"
    said = {
        place: [
            (each.code, each.vendor) for each in graphir.check(asked.format(*place), dialect=POSTGRES, schema=schema)
        ]
        for place in (("animal", "paws"), ("animal", "name"), ("cat", "paws"), ("fish", "paws"))
    }
    assert said == {
        ("animal", "paws"): [("G143", "42704")],
        ("animal", "name"): [],
        ("cat", "paws"): [],
        ("fish", "paws"): [("G143", "42704")],
    }


def test_a_definition_that_is_written_again_hides_what_it_hid() -> None:
    schema = Schema.read(ZOO, "postgres-ddl")
    written = schema.write("postgres-ddl")
    assert "LABEL animal PROPERTIES (id, name)\n" in written
    assert "NULL" not in written.replace("NOT NULL", "")
    again = Schema.read(written, "postgres-ddl")
    assert again == schema
    assert again.origin == schema.origin
    assert Schema.read(schema.write("json"), "json").origin == schema.origin
