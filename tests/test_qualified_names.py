"""The schema before the name of a graph or a table, from queries and definitions of every dialect into every other."""

from __future__ import annotations

import re

import pytest

import graphir
from graphir.diagnostics import Diagnostic, GraphirError, Unsupported
from graphir.schema import Schema

TABLES = (
    "CREATE TABLE hr.person (id {0} PRIMARY KEY, name VARCHAR(9));"
    "CREATE TABLE hr.knows (id {0} PRIMARY KEY, a {0} NOT NULL, b {0} NOT NULL);"
)
GRAPH = (
    "CREATE PROPERTY GRAPH {1} VERTEX TABLES (hr.person LABEL person PROPERTIES (id, name)) EDGE TABLES (hr.knows"
    " SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id) LABEL knows PROPERTIES (id));"
)
FORMATS = {
    "pgq-postgres": "postgres-ddl",
    "pgq-oracle-23ai": "oracle-ddl",
    "pgq-oracle-26ai": "oracle-ddl",
    "pgq-iso": "oracle-ddl",
    "pgq-duckpgq": "duckpgq-ddl",
    "pgq-googlesql": "spanner-ddl",
}
CYPHER = "MATCH (a:person)-[:knows]->(b:person) RETURN a.name AS x, b.name AS y"
PATTERN = "MATCH (a IS person)-[e IS knows]->(b IS person) COLUMNS (a.name AS x, b.name AS y)"


def known(dialect: str, graph: str = "hr.org") -> Schema:
    format = FORMATS[dialect]
    number = {"oracle-ddl": "NUMBER(10)", "spanner-ddl": "INT64"}.get(format, "INT")
    return Schema.read((TABLES + GRAPH).format(number, graph), format)


def asking(dialect: str, graph: str) -> str:
    colon = dialect in ("pgq-googlesql", "pgq-duckpgq")
    return f"SELECT t.x, t.y FROM GRAPH_TABLE ({graph} {PATTERN.replace(' IS ', ':') if colon else PATTERN}) t"


def one_line(text: str) -> str:
    return " ".join(text.split())


def asked(text: str) -> str:
    """The name of the graph in a text."""
    line = one_line(text).replace("( ", "(")
    start = line.index("GRAPH_TABLE(") + 12 if "GRAPH_TABLE(" in line else line.index("GRAPH ") + 6
    return line[start:].split()[0]


# ------------------------------------------------------------------ into every dialect

NAMES = {
    "pgq-postgres": {
        "postgres-ddl": "hr.org",
        "oracle-ddl": "hr.org",
        "duckpgq-ddl": "hr.org",
        "spanner-ddl": "hr.org",
    },
    "pgq-oracle-23ai": {"postgres-ddl": '"hr"."org"', "oracle-ddl": "HR.ORG", "duckpgq-ddl": '"hr"."org"'},
    "pgq-iso": {"postgres-ddl": '"hr"."org"', "oracle-ddl": "HR.ORG", "spanner-ddl": '"hr"."org"'},
    "pgq-duckpgq": {"postgres-ddl": "org", "oracle-ddl": "org", "duckpgq-ddl": "org", "spanner-ddl": "org"},
    "pgq-googlesql": {
        "postgres-ddl": "hr.org",
        "oracle-ddl": "hr.org",
        "duckpgq-ddl": "hr.org",
        "spanner-ddl": "hr.org",
    },
    "gql-spanner": {"postgres-ddl": "hr.org", "oracle-ddl": "hr.org", "duckpgq-ddl": "hr.org", "spanner-ddl": "hr.org"},
    "gql-bigquery": {
        "postgres-ddl": "hr.org",
        "oracle-ddl": "hr.org",
        "duckpgq-ddl": "hr.org",
        "spanner-ddl": "hr.org",
    },
}
"""The name of the graph, by the format of the definition: spelled as there, folded as the database does."""
PAIRS = [(source, target) for source in FORMATS for target in NAMES if FORMATS[source] in NAMES[target]]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_graph_of_a_definition_is_named_whole(source: str, target: str) -> None:
    schema = known(source)
    expected = NAMES[target][FORMATS[source]]
    assert asked(graphir.translate(CYPHER, write=target, schema=schema)) == expected
    for graph in ("hr.org", "org"):  # the schema that a search path or a user gives is not said in the text
        text = graphir.translate(asking(source, graph), read=source, write=target, schema=schema)
        assert asked(text) == expected


@pytest.mark.parametrize("source", FORMATS)
def test_a_query_may_say_the_schema_that_its_definition_leaves_out(source: str) -> None:
    schema = known(source, "org")
    text = asking(source, "hr.org")
    assert graphir.check(text, dialect=source, schema=schema) == []
    assert asked(graphir.translate(text, read=source, write="pgq-postgres", schema=schema)).lower() == "hr.org"
    assert asked(graphir.translate(text, read=source, write="pgq-googlesql", schema=schema)).lower() == "hr.org"
    assert asked(graphir.translate(text, read=source, write="pgq-duckpgq", schema=schema)) == "org"


@pytest.mark.parametrize("source", [dialect for dialect in FORMATS if dialect != "pgq-duckpgq"])
def test_the_graph_of_another_schema_is_another_graph(source: str) -> None:
    text, schema = asking(source, "sales.org"), known(source)
    (found,) = graphir.check(text, dialect=source, schema=schema)
    assert (found.code, found.severity) == ("G121", "error")
    assert "`sales.org`" in found.message.lower()
    for target in ("pgq-postgres", "pgq-googlesql", "neo4j-25", "gql-iso", "sql-duckdb"):
        with pytest.raises(GraphirError, match="G121"):
            graphir.translate(text, read=source, write=target, schema=schema)


def test_graphs_of_duckpgq_go_by_their_last_name() -> None:
    """It registers them so, whatever stands before the name."""
    text, schema = asking("pgq-duckpgq", "sales.org"), known("pgq-duckpgq")
    assert graphir.check(text, dialect="pgq-duckpgq", schema=schema) == []


def test_spanner_has_no_search_path() -> None:
    schema = known("pgq-googlesql")
    for name, right in (("hr.org", True), ("org", False), ("HR.Org", True), ("p.hr.org", False)):
        text = f"GRAPH {name} MATCH (a:person) RETURN a.name AS x"
        found = [each.code for each in graphir.check(text, dialect="gql-spanner", schema=schema)]
        assert found == ([] if right else ["G121"]), name
        found = [each.code for each in graphir.check(text, dialect="gql-bigquery", schema=schema)]
        assert found == [], name  # a project and a data set may be the default ones


def test_a_name_that_is_nearly_right_is_mended_whole() -> None:
    schema = known("pgq-googlesql")
    (found,) = graphir.check("GRAPH hr.orgg MATCH (a:person) RETURN a.name AS x", dialect="gql-bigquery", schema=schema)
    assert found.fix is not None
    assert found.fix.edits[0].text == "hr.org"
    (found,) = graphir.check(asking("pgq-postgres", "hr.orgs"), dialect="pgq-postgres", schema=known("pgq-postgres"))
    assert found.fix is not None
    assert found.fix.edits[0].text == "hr.org"


# ------------------------------------------------------------------ without a schema


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", ["pgq-googlesql", "gql-spanner", "gql-bigquery"])
def test_the_name_of_a_query_is_kept_whole(source: str, target: str) -> None:
    assert asked(graphir.translate(asking(source, "hr.org"), read=source, write=target)).lower() == "hr.org"


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", ["neo4j-25", "neo4j-5", "opencypher-9", "gql-iso", "gql-neo4j-25"])
def test_a_query_of_the_one_graph_of_a_session_names_none(source: str, target: str) -> None:
    text = graphir.translate(asking(source, "hr.org"), read=source, write=target)
    assert one_line(text).lower() == "match (a:person)-[e:knows]->(b:person) return a.name as x, b.name as y"


@pytest.mark.parametrize(
    "name", ["`my-project`.ds.g", "`my-project.ds.g`", "`my-project`.`ds`.`g`", "`my-project`.`ds.g`"]
)
def test_one_pair_of_quotes_may_hold_the_whole_name(name: str) -> None:
    graph_query = f"GRAPH {name} MATCH (a:person) RETURN a.name AS x"
    for dialect in ("gql-bigquery", "gql-spanner"):
        assert asked(graphir.translate(graph_query, read=dialect, write="gql-bigquery")) == "`my-project`.ds.g"
    select = asking("pgq-googlesql", name)
    assert asked(graphir.translate(select, read="pgq-googlesql", write="pgq-googlesql")) == "`my-project`.ds.g"


def test_a_dot_in_quotes_is_part_of_a_name_elsewhere() -> None:
    text = graphir.translate(asking("pgq-postgres", '"a.b".g'), read="pgq-postgres", write="pgq-googlesql")
    assert asked(text) == "`a.b`.g"


@pytest.mark.parametrize("dialect", FORMATS)
def test_the_formatter_keeps_the_name(dialect: str) -> None:
    assert (
        asked(graphir.format(asking(dialect, "hr.org"), dialect).replace("GRAPH_TABLE (", "GRAPH_TABLE(")) == "hr.org"
    )


# ------------------------------------------------------------------ tables

TWINS = """
CREATE TABLE hr.person (id INT PRIMARY KEY, name TEXT);
CREATE TABLE sales.person (id INT PRIMARY KEY, city TEXT);
CREATE TABLE sales.visits (id INT PRIMARY KEY, who INT NOT NULL, whom INT NOT NULL);
CREATE PROPERTY GRAPH hr.org
  VERTEX TABLES (
    hr.person AS employee KEY (id) LABEL employee PROPERTIES (id, name),
    sales.person AS customer KEY (id) LABEL customer PROPERTIES (id, city))
  EDGE TABLES (sales.visits KEY (id)
    SOURCE KEY (who) REFERENCES employee (id) DESTINATION KEY (whom) REFERENCES customer (id) LABEL visits);
"""
VISITS = "MATCH (e:employee)-[:visits]->(c:customer) RETURN e.name AS a, c.city AS b"
SQL = ("sql-duckdb", "sql-sqlite", "sql-postgres", "sql-oracle", "sql-bigquery", "sql-spark", "sql-trino")


@pytest.mark.parametrize("target", SQL)
def test_tables_of_joins_are_named_whole(target: str) -> None:
    schema = Schema.read(TWINS, "postgres-ddl")
    quote = "`" if target in ("sql-bigquery", "sql-spark") else '"'
    text = one_line(graphir.translate(VISITS, write=target, schema=schema)).replace(quote, "")
    for table in ("hr.person", "sales.person", "sales.visits"):
        assert text.count(f" {table} ") == 1, text


def test_a_common_table_is_no_table_of_a_schema() -> None:
    """A table in a schema may have the name that we give to a table of our own."""
    script = "CREATE TABLE hr.{0} (id INT PRIMARY KEY, k INT REFERENCES hr.{0} (id));"
    query = "MATCH (a:{0})-[:HAS_K*]->(b) WITH a, count(*) AS n WHERE n > 1 MATCH (a)-[:HAS_K]->(c) RETURN c.id AS i, n"
    plain = graphir.translate(
        query.format("thing"), write="sql-duckdb", schema=Schema.read(script.format("thing"), "duckpgq-ddl")
    )
    for name in sorted(set(re.findall(r'"(\w+)"', plain)) - {"hr", "thing", "id", "k", "i", "n"}):
        schema = Schema.read(script.format(f'"{name}"'), "duckpgq-ddl")
        text = graphir.translate(query.format(f"`{name}`"), write="sql-duckdb", schema=schema)
        assert text.replace(f'"hr"."{name}"', '"hr"."thing"') == plain


SAME = """
CREATE TABLE hr.person (id INT PRIMARY KEY, name TEXT);
CREATE TABLE sales.person (id INT PRIMARY KEY, name TEXT);
CREATE TABLE hr.office (id INT PRIMARY KEY);
CREATE PROPERTY GRAPH hr.org VERTEX TABLES (hr.office LABEL office,
  hr.person AS employee LABEL person PROPERTIES (id, name),
  sales.person AS customer LABEL person PROPERTIES (id, name));
"""


@pytest.mark.parametrize("target", ["sql-postgres", "pgq-postgres", "pgq-oracle-23ai", "pgq-duckpgq", "pgq-hyper"])
def test_elements_of_one_label_in_two_tables_are_not_those_of_one(target: str) -> None:
    schema = Schema.read(SAME, "postgres-ddl")
    again = Schema.read(schema.write("json"), "json")
    for each in (schema, again):
        for query in ("MATCH (p:person) RETURN count(*) AS c", "MATCH (n) RETURN count(*) AS c"):
            if target == "pgq-postgres":  # the graph that is there is asked, for both
                assert "IS person" in graphir.translate(query, write=target, schema=each).replace("office|", "")
                continue
            with pytest.raises(Unsupported, match=r"G562.*several tables"):
                graphir.translate(query, write=target, schema=each)
        assert graphir.translate("MATCH (o:office) RETURN o.id AS i", write=target, schema=each)
    with pytest.raises(Unsupported, match=r"G562.*several tables"):
        graphir.translate("CREATE (:person {id: 1})", write="gql-spanner", schema=schema)
    assert "-- (:person) is in several tables: sales.person is left out" in schema.write("postgres-ddl")


@pytest.mark.parametrize("target", ["pgq-hyper"])
def test_a_graph_inside_of_a_statement_is_over_tables_named_whole(target: str) -> None:
    text = one_line(graphir.translate(VISITS, write=target, schema=Schema.read(TWINS, "postgres-ddl")))
    assert "sales.person KEY (id) LABEL person PROPERTIES (city)" in text
    assert "hr.person AS person_2 KEY (id) LABEL person_2 PROPERTIES (name)" in text
    assert "sales.visits KEY (id) SOURCE KEY (who) REFERENCES person_2(id)" in text


def test_statements_that_write_change_the_tables_of_the_schema() -> None:
    schema = known("pgq-googlesql")
    text = graphir.translate("MATCH (a:person {id: 1}) SET a.name = 'x'", write="gql-spanner", schema=schema)
    assert text.startswith("UPDATE hr.person AS changed")
    assert asked(text) == "hr.org"
    text = graphir.translate("MATCH (a:person {id: 1}) DETACH DELETE a", write="gql-spanner", schema=schema)
    assert "DELETE FROM hr.knows" in text
    assert "DELETE FROM hr.person" in text
    text = graphir.translate("CREATE (:person {id: 3, name: 'x'})", write="gql-spanner", schema=schema)
    assert text.startswith("INSERT INTO hr.person (")


def test_a_walk_in_a_common_table_is_of_the_graph_in_its_schema() -> None:
    query = "MATCH (a:person)-[:knows*1..9]->(b:person) RETURN DISTINCT b.name AS y"
    for dialect in ("pgq-postgres", "pgq-oracle-26ai"):
        text = graphir.translate(query, write=dialect, schema=known(dialect))
        assert text.lower().count("hr.org") == text.count("GRAPH_TABLE") > 0


def test_a_recursive_common_table_over_a_graph_in_a_schema_is_a_walk() -> None:
    """A step and a start that name two graphs are no walk."""
    text = """WITH RECURSIVE r(id, n) AS (
        SELECT p.id, 0 FROM GRAPH_TABLE (hr.org MATCH (a IS person) COLUMNS (a.id AS id)) AS p
        UNION ALL SELECT k.dst, r.n + 1 FROM r JOIN GRAPH_TABLE (hr.org
        MATCH (a IS person)-[e IS knows]->(b IS person) COLUMNS (a.id AS src, b.id AS dst)) AS k ON k.src = r.id
        WHERE r.n < 3) SELECT id, n FROM r"""
    schema = known("pgq-postgres")
    assert ":knows]->" in graphir.translate(text, read="pgq-postgres", write="neo4j-5", schema=schema)
    assert asked(graphir.translate(text, read="pgq-postgres", write="pgq-googlesql", schema=schema)) == "hr.org"
    other = text.replace("JOIN GRAPH_TABLE (hr.org", "JOIN GRAPH_TABLE (sales.org")
    with pytest.raises(GraphirError):
        graphir.translate(other, read="pgq-postgres", write="neo4j-5")


# ------------------------------------------------------------------ a graph that is there


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-googlesql"])
def test_the_graph_of_the_database_is_named_as_it_is_defined(dialect: str) -> None:
    number = "INT64" if dialect == "pgq-googlesql" else "INT"
    for graph in ("hr.org", '"My Schema"."My Graph"', "`my-project.ds.g`"):
        if ("`" in graph) != (dialect == "pgq-googlesql") and graph != "hr.org":
            continue
        text = graphir.translate(CYPHER, write=dialect, property_graph=(TABLES + GRAPH).format(number, graph))
        assert graph.replace("`my-project.ds.g`", "`my-project`.ds.g") in text


# ------------------------------------------------------------------ what has no place


def noted(query: str, dialect: str, schema: Schema, read: str = "neo4j-25") -> list[str]:
    notes: list[Diagnostic] = []
    graphir.translate(query, read=read, write=dialect, schema=schema, notes=notes)
    return [each.message for each in notes if each.code == "G555"]


def test_a_schema_that_has_no_place_is_told() -> None:
    assert noted(CYPHER, "pgq-duckpgq", known("pgq-postgres")) == [
        "the graph is in hr, which its name in DuckPGQ does not say"
    ]
    script = (TABLES + GRAPH).format("INT64", "`my-project`.ds.g")
    schema = Schema.read(script, "bigquery-ddl")
    assert noted(CYPHER, "pgq-postgres", schema) == [
        "the graph is in my-project, which its name in SQL/PGQ of PostgreSQL does not say"
    ]
    text = asking("pgq-duckpgq", "db.hr.org")
    assert noted(text, "pgq-postgres", known("pgq-duckpgq", "org"), "pgq-duckpgq") == [
        "the graph is in db, which its name in SQL/PGQ of PostgreSQL does not say"
    ]
    for dialect in ("pgq-postgres", "pgq-googlesql", "sql-duckdb", "pgq-iso"):
        assert noted(CYPHER, dialect, known("pgq-postgres")) == []


def test_a_table_of_three_names_is_refused_where_there_are_two() -> None:
    script = TWINS.replace("hr.", "db.hr.").replace("sales.", "db.sales.")
    schema = Schema.read(script, "duckpgq-ddl")
    assert '"db"."hr"."person"' in graphir.translate(VISITS, write="sql-duckdb", schema=schema)
    assert '"hr"."person"' in graphir.translate(VISITS, write="sql-postgres", schema=schema)
    with pytest.raises(Unsupported, match="G562"):
        graphir.translate(VISITS, write="sql-sqlite", schema=schema)


# ------------------------------------------------------------------ definitions that vendors refuse


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-oracle-23ai", "gql-spanner"])
def test_an_edge_refers_to_an_element_by_its_name_in_the_graph(dialect: str) -> None:
    nodes = "NODE" if dialect == "gql-spanner" else "VERTEX"
    text = (
        f"CREATE PROPERTY GRAPH hr.org {nodes} TABLES (hr.person KEY (id)) EDGE TABLES (hr.knows KEY (id)"
        " SOURCE KEY (a) REFERENCES {0} (id) DESTINATION KEY (b) REFERENCES {0} (id))"
    )
    assert [each for each in graphir.check(text.format("person"), dialect=dialect) if each.severity == "error"] == []
    found = [each for each in graphir.check(text.format("hr.person"), dialect=dialect) if each.severity == "error"]
    assert len(found) == 2
    assert found[0].hint == "write `person`"


def test_duckpgq_refers_to_tables() -> None:
    text = (
        GRAPH.format("", "org")
        .replace("LABEL person PROPERTIES (id, name)", "")
        .replace("LABEL knows PROPERTIES (id)", "")
        .replace("REFERENCES person", "REFERENCES hr.person")
        .removesuffix(";")
    )
    assert [each for each in graphir.check(text, dialect="pgq-duckpgq") if each.severity == "error"] == []
