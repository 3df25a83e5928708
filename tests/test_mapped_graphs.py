"""Property graphs as people define them: which labels are asked for, and what tells elements apart."""

from __future__ import annotations

import pytest

import graphir
from graphir.schema import Schema

TOWNS = """
CREATE TABLE t0 (k bigint PRIMARY KEY, nm text, x bigint);
CREATE TABLE t1 (k bigint PRIMARY KEY, nm text, x bigint);
CREATE TABLE t2 (k bigint PRIMARY KEY, nm text, x bigint);
CREATE TABLE e0 (k bigint PRIMARY KEY, s bigint, d bigint, w float8);
CREATE PROPERTY GRAPH g
  VERTEX TABLES (
    t0 KEY (k) LABEL city PROPERTIES (k AS id, nm AS name) LABEL item PROPERTIES (x),
    t1 KEY (k) LABEL city PROPERTIES (k AS id, nm AS name),
    t2 KEY (k) LABEL item PROPERTIES (x) LABEL alone NO PROPERTIES
  )
  EDGE TABLES (
    e0 KEY (k) SOURCE KEY (s) REFERENCES t0 (k) DESTINATION KEY (d) REFERENCES t1 (k)
      LABEL knows PROPERTIES (k AS no, w)
  );
"""
"""Two labels that two tables share each; a label of one table that exposes nothing."""

STAFF = """
CREATE TABLE emp (id bigint PRIMARY KEY, nm text);
CREATE TABLE stu (id bigint PRIMARY KEY, nm text);
CREATE TABLE kn (k bigint PRIMARY KEY, s bigint, d bigint);
CREATE TABLE kn2 (k bigint PRIMARY KEY, s bigint, d bigint);
CREATE TABLE li (k bigint PRIMARY KEY, s bigint, d bigint, w bigint);
CREATE PROPERTY GRAPH g
  VERTEX TABLES (
    emp KEY (id) LABEL person PROPERTIES (id, nm AS name),
    stu KEY (id) LABEL person PROPERTIES (id, nm AS name)
  )
  EDGE TABLES (
    kn KEY (k) SOURCE KEY (s) REFERENCES emp (id) DESTINATION KEY (d) REFERENCES stu (id)
      LABEL knows PROPERTIES (k) LABEL sees PROPERTIES (k),
    kn2 KEY (k) SOURCE KEY (s) REFERENCES emp (id) DESTINATION KEY (d) REFERENCES stu (id) LABEL knows PROPERTIES (k),
    li KEY (k) SOURCE KEY (s) REFERENCES emp (id) DESTINATION KEY (d) REFERENCES stu (id)
      LABEL likes PROPERTIES (k) LABEL loves PROPERTIES (k, w)
  );
"""
"""Two tables of nodes with the same labels, and edges with several."""


def text(query: str, definition: str, dialect: str = "pgq-postgres") -> str:
    """The translation in one line."""
    return " ".join(graphir.translate(query, write=dialect, property_graph=definition).split())


def code(query: str, definition: str, dialect: str = "pgq-postgres") -> tuple[str, str]:
    """The code and the message of a refusal."""
    with pytest.raises(graphir.Unsupported) as refused:
        graphir.translate(query, write=dialect, property_graph=definition)
    return refused.value.diagnostics[0].code, refused.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("query", "pattern"),
    [
        ("MATCH (n:city) RETURN n.name", "MATCH (n IS city) COLUMNS (n.name AS n_name)"),
        ("MATCH (n:item) RETURN n.x", "MATCH (n IS item) COLUMNS (n.x AS n_x)"),
        # the edge keeps the other table of each label away, and the label is one that exposes what is read
        ("MATCH (n)-[e:knows]->(m) RETURN n.name, m.name", "MATCH (n IS city)-[e IS knows]->(m IS city)"),
        ("MATCH (n)-[e:knows]->(m) RETURN n.x", "MATCH (n IS item)-[e IS knows]->(m IS city)"),
        ("MATCH (n)-[e:knows]->(m) RETURN n.x, n.name", "MATCH (n IS city|item)-[e IS knows]->(m IS city)"),
    ],
)
def test_labels_that_several_tables_have(query: str, pattern: str) -> None:
    assert pattern in text(query, TOWNS)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("MATCH (n:city) RETURN n", "no label of the property graph is that of t0 alone"),
        ("MATCH (n:city&item) RETURN n.x", "no label of the property graph is that of t0 alone"),
        ("MATCH (n:alone) RETURN n.x", "the labels that are those of t2 alone do not expose x"),
    ],
)
def test_labels_that_do_not_say_which_table(query: str, told: str) -> None:
    found, message = code(query, TOWNS)
    assert found == "G567"
    assert told in message


def test_a_label_exposes_what_is_read() -> None:
    """SQL/PGQ 6.5: a property that no label of the pattern has is a fault in PostgreSQL and Oracle."""
    definition = """
    CREATE TABLE p (id bigint PRIMARY KEY, nm text);
    CREATE PROPERTY GRAPH g VERTEX TABLES (
      p LABEL agent PROPERTIES (nm AS name)
        LABEL person PROPERTIES (id, nm AS name)
        LABEL rest PROPERTIES (nm AS other));
    """
    assert "(n IS person)" in text("MATCH (n:agent) RETURN n.name, n.id", definition)
    assert "(n IS rest)" in text("MATCH (n:agent) RETURN n.other", definition)
    assert "(n IS agent|rest)" in text("MATCH (n:agent) RETURN n.name, n.other", definition)
    assert "(n IS person|rest)" in text("MATCH (n:agent) RETURN n.id, n.other, n.name", definition)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n:person) RETURN count(DISTINCT n)",
        "MATCH (n:person), (m:person) WHERE n <> m RETURN count(*)",
        "MATCH (a)-[:knows]->(b), (a)-[:likes]->(c) RETURN count(DISTINCT b)",
        "MATCH (n:person) RETURN n",
    ],
)
def test_rows_of_two_tables_with_one_key_are_not_taken_for_each_other(query: str) -> None:
    found, message = code(query, STAFF)
    assert found == "G566"
    assert "emp and stu have the same labels" in message
    assert "may have the same key" in message


def test_edges_of_two_tables_with_one_key_are_not_taken_for_each_other() -> None:
    found, message = code("MATCH (a)-[k:knows]->(b)<-[l:knows]-(c) RETURN count(*)", STAFF)
    assert (found, "kn and kn2 have the same labels" in message) == ("G566", True)


def test_what_does_not_tell_them_apart_is_asked_of_all_tables() -> None:
    assert "MATCH (n IS person) COLUMNS (n.name AS n_name)" in text("MATCH (n:person) RETURN n.name", STAFF)
    assert "(a IS person)-[k IS knows]->(m IS person)" in text("MATCH (a)-[k:knows]->(m) RETURN a.name", STAFF)


def test_tables_with_one_key_are_not_read_one_for_all() -> None:
    with pytest.raises(graphir.Unsupported, match=r"G562.*is in several tables: stu has it as well"):
        graphir.translate("MATCH (n:person) RETURN n.name", write="sql-postgres", schema=Schema.read(STAFF))


def test_an_edge_with_several_labels_is_one_edge() -> None:
    made = text("MATCH (a)-[k:likes|loves]->(m) RETURN a.name, k.w", STAFF)
    assert made.count("GRAPH_TABLE") == 1
    assert "-[k IS loves]->" in made
    assert "-[k IS likes]->" in text("MATCH (a)-[k:loves]->(m) RETURN k.k", STAFF)
    found, message = code("MATCH (a)-[k:loves]->(m) RETURN type(k)", STAFF)
    assert (found, "no one type" in message) == ("G564", True)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a)-[k]->(m) RETURN a.name",
        "MATCH (a)-[:sees]->(m)<-[:knows]-(c) RETURN a.name",
        "MATCH (a)-[:knows&!sees]->(m) RETURN a.name",
        "MATCH (a)-[k:knows]->(m) WHERE k:sees RETURN a.name",
    ],
)
def test_edges_under_two_labels_are_not_counted_twice(query: str) -> None:
    found, message = code(query, STAFF)
    assert found == "G567"
    assert "kn has the labels" in message


def test_names_of_columns_of_keys_differ() -> None:
    definition = """
    CREATE TABLE a (k1 bigint, k2 text, y bigint, PRIMARY KEY (k1, k2));
    CREATE TABLE e (k bigint PRIMARY KEY, s1 bigint, s2 text, d1 bigint, d2 text);
    CREATE TABLE f (k bigint PRIMARY KEY, s1 bigint, s2 text, d1 bigint, d2 text);
    CREATE PROPERTY GRAPH g
      VERTEX TABLES (a LABEL city PROPERTIES (k1, k2, y))
      EDGE TABLES (
        e SOURCE KEY (s1, s2) REFERENCES a (k1, k2) DESTINATION KEY (d1, d2) REFERENCES a (k1, k2)
          LABEL knows PROPERTIES (k),
        f SOURCE KEY (s1, s2) REFERENCES a (k1, k2) DESTINATION KEY (d1, d2) REFERENCES a (k1, k2)
          LABEL sees PROPERTIES (k)
      );
    """
    query = "MATCH (n)-[r]->(m) WITH n, m, count(r) AS c MATCH (n)-[s]->(o) RETURN o.y, m, c"
    made = graphir.translate(query, write="pgq-postgres", property_graph=definition)
    selects = made.split("SELECT")
    for select in selects[1:]:
        names = [line.split(" AS ")[-1].strip(" ,") for line in select.split("FROM")[0].splitlines() if " AS " in line]
        assert len(names) == len(set(names)), select


def test_names_of_columns_are_not_too_long() -> None:
    variable = "n" * 63
    made = text(f"MATCH ({variable}:city) RETURN {variable}.name, {variable}.id", TOWNS)
    columns = made.partition("COLUMNS (")[2].partition(")")[0].split(", ")
    names = [each.partition(" AS ")[2] for each in columns]
    assert len(set(names)) == 2
    assert all(len(each) <= 63 for each in names)


def test_a_label_that_edges_between_others_have_is_no_alternative() -> None:
    """What runs between other nodes is kept away by them alone, and these would be both."""
    tables = "".join([f"CREATE TABLE {name} (id bigint PRIMARY KEY, x bigint, y bigint);" for name in "abcefg"])
    ends = [("e", "a", "b", "one"), ("f", "a", "c", "one"), ("g", "b", "c", "one"), ("g", "b", "a", "two")]
    edges = [
        f"{table} AS {table}{at} KEY (id) SOURCE KEY (x) REFERENCES {start} (id) "
        f"DESTINATION KEY (y) REFERENCES {end} (id) LABEL {label} PROPERTIES (id)"
        for at, (table, start, end, label) in enumerate(ends)
    ]
    nodes = ", ".join([f"{name} LABEL l{name} PROPERTIES (id)" for name in "abc"])
    definition = f"{tables} CREATE PROPERTY GRAPH g VERTEX TABLES ({nodes}) EDGE TABLES ({', '.join(edges)})"
    made = text("MATCH (a:la)-[r]->(b) RETURN b.id", definition)
    assert "MATCH (a IS la)-[r IS one]->(b IS lb)" in made
    assert "MATCH (a IS la)-[r IS one]->(b IS lc)" in made


def test_a_property_is_another_column_in_each_of_several_tables() -> None:
    """Not the key of the node where the edges of the first of them begin."""
    first, second = "LABEL knows PROPERTIES (k) LABEL sees", "LABEL knows PROPERTIES (k),"
    definition = STAFF.replace(first, first.replace("(k)", "(s AS k)")).replace(
        second, second.replace("(k)", "(d AS k)")
    )
    assert definition.count(" AS k)") == 2
    assert "COLUMNS (r.k AS r_k)" in text("MATCH (a)-[r:knows]->(m) RETURN r.k", definition)
