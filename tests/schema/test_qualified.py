"""Names of graphs and tables with those of their schemas before them, from one definition to another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from graphir.diagnostics import GraphirError
from graphir.schema import Schema
from graphir.schema.ddl.names import names
from graphir.schema.ddl.paths import agree, find, placed, shown
from graphir.schema.infer import from_duckdb

FORMATS = ("postgres-ddl", "oracle-ddl", "duckpgq-ddl", "spanner-ddl", "bigquery-ddl")
PERSON = "CREATE TABLE {} (id INT PRIMARY KEY, name VARCHAR(9));"
PLAIN = (
    PERSON.format("person") + "CREATE TABLE knows (id INT PRIMARY KEY, a INT REFERENCES person (id),"
    " b INT REFERENCES person (id)); CREATE PROPERTY GRAPH org VERTEX TABLES (person) EDGE TABLES (knows"
    " SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id));"
)
WHOLE = (
    PLAIN.replace("TABLE person", "TABLE hr.person")
    .replace("TABLE knows", "TABLE hr.knows")
    .replace("INT REFERENCES person", "INT REFERENCES hr.person")
    .replace("GRAPH org", "GRAPH hr.org")
    .replace("(person)", "(hr.person)")
    .replace("(knows", "(hr.knows")
)
TWINS = (
    PERSON.format("hr.person") + PERSON.format("sales.person") + "CREATE PROPERTY GRAPH hr.org VERTEX TABLES "
    "(hr.person AS employee KEY (id) LABEL employee PROPERTIES (id), "
    "sales.person AS customer KEY (id) LABEL customer PROPERTIES (id));"
)


def paths(schema: Schema) -> list[tuple[str, ...]]:
    return [each.table.path for each in schema.types if each.table is not None]


# ------------------------------------------------------------------ reading


@pytest.mark.parametrize("format", FORMATS)
def test_schemas_of_graph_and_tables_are_read(format: str) -> None:
    schema = Schema.read(WHOLE, format)
    assert (schema.qualifier, schema.name) == (("hr",), "org")
    assert paths(schema) == [("hr", "person"), ("hr", "knows")]
    assert schema == Schema.read(PLAIN, format)  # names are no part of what a schema says


def test_what_is_not_said_is_not_there() -> None:
    schema = Schema.read(PLAIN, "postgres-ddl")
    assert schema.qualifier == ()
    assert paths(schema) == [("person",), ("knows",)]
    assert "qualifier" not in schema.write("json")


def test_json_keeps_them() -> None:
    schema = Schema.read(TWINS, "oracle-ddl")
    document = json.loads(schema.write("json"))
    assert document["qualifier"] == ["hr"]
    assert document["node_types"][0]["table"]["qualifier"] == ["sales"]
    again = Schema.read(schema.write("json"), "json")
    assert (again.qualifier, paths(again)) == (schema.qualifier, paths(schema))
    assert again.write("oracle-ddl") == schema.write("oracle-ddl")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("`my-project`.ds.FinGraph", ("my-project", "ds", "FinGraph")),
        ("`my-project.ds.FinGraph`", ("my-project", "ds", "FinGraph")),
        ("my-project.ds.FinGraph", ("my-project", "ds", "FinGraph")),
        ("`ds.FinGraph`", ("ds", "FinGraph")),
        ("ds.`FinGraph`", ("ds", "FinGraph")),
        ("FinGraph", ("FinGraph",)),
    ],
)
def test_google_writes_paths_in_several_ways(name: str, path: tuple[str, ...]) -> None:
    schema = Schema.read(f"CREATE PROPERTY GRAPH {name} NODE TABLES ({name.replace('FinGraph', 'T')});", "bigquery-ddl")
    assert (*schema.qualifier, schema.name) == path
    assert paths(schema) == [(*path[:-1], "T")]


def test_a_dot_in_quotes_is_part_of_a_name() -> None:
    schema = Schema.read('CREATE PROPERTY GRAPH "a.b".g VERTEX TABLES ("a.b".c, a."b.c", "a.b.c");', "postgres-ddl")
    assert schema.qualifier == ("a.b",)
    assert sorted(paths(schema)) == [("a", "b.c"), ("a.b", "c"), ("a.b.c",)]
    text = schema.write("postgres-ddl")
    assert 'CREATE TABLE "a.b".c (' in text
    assert 'CREATE TABLE a."b.c" (' in text
    assert 'CREATE TABLE "a.b.c" (' in text


@pytest.mark.parametrize(
    ("format", "chosen", "qualifier"),
    [
        ("postgres-ddl", "SET search_path TO hr", ("hr",)),
        ("postgres-ddl", "SET LOCAL search_path = hr, public", ("hr",)),
        ("postgres-ddl", "SET search_path = 'hr'", ("hr",)),
        ("postgres-ddl", "SET search_path = pg_catalog, hr", ("hr",)),
        ("postgres-ddl", "SET SCHEMA 'hr'", ("hr",)),
        ("postgres-ddl", 'SET search_path TO "$user", public', ()),
        ("postgres-ddl", "SET search_path TO hr; SET search_path TO DEFAULT", ()),
        ("postgres-ddl", "SET search_path TO hr; RESET search_path", ()),
        ("postgres-ddl", "SET lock_timeout = 0", ()),
        ("duckpgq-ddl", "CREATE SCHEMA hr; USE hr", ("hr",)),
        ("duckpgq-ddl", "USE memory.hr", ("memory", "hr")),
        ("duckpgq-ddl", "USE hr", ()),  # it may be a database
        ("duckpgq-ddl", "SET search_path = 'hr,main'", ("hr",)),
        ("oracle-ddl", "ALTER SESSION SET CURRENT_SCHEMA = hr", ("hr",)),
        ("bigquery-ddl", "SET @@dataset_id = 'hr'", ("hr",)),
    ],
)
def test_a_script_chooses_the_schema(format: str, chosen: str, qualifier: tuple[str, ...]) -> None:
    schema = Schema.read(f"{chosen}; {PLAIN}", format)
    assert schema.qualifier == qualifier
    assert paths(schema) == [(*qualifier, "person"), (*qualifier, "knows")]


def test_the_first_schema_that_has_a_table_is_meant() -> None:
    made = PERSON.format("hr.person") + PERSON.format("sales.person")
    graph = "CREATE PROPERTY GRAPH g VERTEX TABLES (person);"
    assert paths(Schema.read(f"{made} SET search_path TO x, sales, hr; {graph}", "postgres-ddl")) == [
        ("sales", "person")
    ]
    unknown = Schema.read(made + graph, "postgres-ddl")
    assert paths(unknown) == [("person",)]
    assert unknown.guesses == ("no CREATE TABLE for person: its properties are not known",)


def test_a_name_without_schema_finds_the_only_table_of_that_name() -> None:
    schema = Schema.read(PERSON.format("hr.person") + "CREATE PROPERTY GRAPH g VERTEX TABLES (person);", "oracle-ddl")
    assert paths(schema) == [("hr", "person")]
    assert [each.name for each in schema.node_types[0].properties or ()] == ["id", "name"]


def test_statements_find_what_they_are_about() -> None:
    script = (
        PERSON.format("hr.person")
        + PERSON.format("sales.person")
        + "ALTER TABLE sales.person ADD COLUMN city TEXT; COMMENT ON COLUMN hr.person.name IS 'of hr';"
        "COMMENT ON TABLE sales.person IS 'of sales'; DROP TABLE hr.person;"
        "CREATE PROPERTY GRAPH a.g VERTEX TABLES (sales.person);"
        "CREATE PROPERTY GRAPH b.g VERTEX TABLES (sales.person);"
        "DROP PROPERTY GRAPH b.g; ALTER PROPERTY GRAPH a.g RENAME TO h; ALTER PROPERTY GRAPH h SET SCHEMA c;"
    )
    schema = Schema.read(script, "postgres-ddl")
    assert (*schema.qualifier, schema.name) == ("c", "h")
    (node,) = schema.node_types
    assert [each.name for each in node.properties or ()] == ["city", "id", "name"]
    assert node.description == "of sales"


def test_a_graph_is_chosen_by_its_whole_name() -> None:
    script = "".join(f"CREATE PROPERTY GRAPH {schema}.g VERTEX TABLES ({schema}.t);" for schema in ("a", "b"))
    from graphir.schema.ddl import script as ddl

    assert ddl.read(script, "postgres-ddl", "a.g").qualifier == ("a",)
    assert ddl.read(script, "postgres-ddl", "b.g").qualifier == ("b",)
    assert ddl.read(script, "postgres-ddl").guesses[-1] == "several property graphs; b.g was read, not a.g"


# ------------------------------------------------------------------ two tables of one name


@pytest.mark.parametrize("format", FORMATS)
def test_two_tables_of_one_name_are_two_tables(format: str) -> None:
    schema = Schema.read(TWINS, format)
    assert paths(schema) == [("sales", "person"), ("hr", "person")]
    for target in FORMATS:
        text = schema.write(target)
        assert len({line for line in text.splitlines() if line.startswith("CREATE TABLE")}) == 2
        assert paths(Schema.read(text, target)) == paths(schema)


@pytest.mark.parametrize("format", FORMATS)
def test_the_default_alias_is_the_last_part(format: str) -> None:
    """Google's analyzer and PostgreSQL say that the alias is there twice, DuckPGQ that the label is."""
    with pytest.raises(GraphirError, match=r"G088.*person is the name of two elements"):
        Schema.read("CREATE PROPERTY GRAPH g VERTEX TABLES (hr.person, sales.person);", format)


@pytest.mark.parametrize(
    ("end", "table"), [("employee", "hr"), ("customer", "sales"), ("hr.person", "hr"), ("sales.person", "sales")]
)
def test_an_edge_refers_to_an_alias_or_to_a_table(end: str, table: str) -> None:
    edge = (
        f" EDGE TABLES (sales.knows KEY (a) SOURCE KEY (a) REFERENCES {end} (id) DESTINATION KEY (b) REFERENCES {end});"
    )
    schema = Schema.read(TWINS[:-1] + edge, "duckpgq-ddl")
    (edge_type,) = schema.edge_types
    assert edge_type.source == {"hr": ("employee",), "sales": ("customer",)}[table]


def test_an_end_that_may_be_two_tables_is_refused() -> None:
    edge = " EDGE TABLES (sales.knows KEY (a) SOURCE KEY (a) REFERENCES person DESTINATION KEY (b) REFERENCES person);"
    with pytest.raises(GraphirError, match=r"G086.*person may be hr\.person or sales\.person"):
        Schema.read(TWINS[:-1] + edge, "oracle-ddl")


def test_labels_of_tables_alone_tell_them_apart() -> None:
    schema = Schema.read(PERSON.format("hr.person") + PERSON.format("sales.person"), "postgres-ddl")
    assert [each.labels for each in schema.node_types] == [("hr_person",), ("sales_person",)]
    assert schema.guesses[0] == ("several tables are called person: their labels begin with the names of their schemas")


def test_foreign_keys_find_the_table_of_their_schema() -> None:
    both = PERSON.format("hr.person") + PERSON.format("sales.person")
    schema = Schema.read(
        both + "CREATE TABLE hr.note (id INT PRIMARY KEY, who INT REFERENCES sales.person)", "oracle-ddl"
    )
    assert [(each.source, each.target) for each in schema.edge_types] == [(("note",), ("sales_person",))]


def test_a_database_of_duckdb_has_its_schemas(tmp_path: Path) -> None:
    path = tmp_path / "some.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE SCHEMA hr; CREATE TABLE hr.person (id INT PRIMARY KEY); INSERT INTO hr.person VALUES (1);"
        )
        connection.execute("CREATE TABLE person (id INT PRIMARY KEY, x INT)")
    schema = from_duckdb(path)
    assert [(each.table.path, each.count) for each in schema.node_types if each.table] == [
        (("hr", "person"), 1),
        (("person",), 0),
    ]


# ------------------------------------------------------------------ writing


def made(format: str, script: str = WHOLE, read: str = "oracle-ddl") -> Iterator[str]:
    """The heads of statements of what is written."""
    for line in Schema.read(script, read).write(format).splitlines():
        if line.startswith(("CREATE", "--")):
            yield line.removesuffix(" (").removesuffix(";")


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("oracle-ddl", ["-- a schema of Oracle is a user of the database: HR has to be there"]),
        ("postgres-ddl", ["CREATE SCHEMA IF NOT EXISTS hr"]),
        ("spanner-ddl", ["CREATE SCHEMA hr"]),
        ("bigquery-ddl", ["CREATE SCHEMA IF NOT EXISTS hr"]),
    ],
)
def test_schemas_are_made_where_a_statement_makes_them(format: str, expected: list[str]) -> None:
    lines = [line for line in made(format) if " is written as " not in line]
    assert lines == [*expected, "CREATE TABLE hr.person", "CREATE TABLE hr.knows", "CREATE PROPERTY GRAPH hr.org"]


def test_graphs_of_duckpgq_are_in_no_schema() -> None:
    assert list(made("duckpgq-ddl")) == [
        "-- graphs of DuckPGQ are in no schema: hr is left out",
        "CREATE SCHEMA IF NOT EXISTS hr",
        "CREATE TABLE hr.person",
        "CREATE TABLE hr.knows",
        "CREATE PROPERTY GRAPH org",
    ]
    text = Schema.read(WHOLE, "oracle-ddl").write("duckpgq-ddl")
    assert "SOURCE KEY (a) REFERENCES hr.person (id)" in text  # a name without schema is one of `main` there
    assert "SOURCE KEY (a) REFERENCES person (id)" in Schema.read(WHOLE, "oracle-ddl").write("postgres-ddl")


def test_letters_stand_in_quotes_where_they_have_to() -> None:
    script = PERSON.format('"Hr".person') + 'CREATE PROPERTY GRAPH "Hr"."Org" VERTEX TABLES ("Hr".person);'
    assert 'CREATE PROPERTY GRAPH "Hr"."Org"' in made("oracle-ddl", script)
    assert 'CREATE PROPERTY GRAPH "Hr"."Org"' in made("postgres-ddl", script)
    assert "CREATE PROPERTY GRAPH Hr.Org" in made("spanner-ddl", script)
    assert 'CREATE PROPERTY GRAPH "hr".org' not in made("postgres-ddl")
    assert 'CREATE PROPERTY GRAPH "hr".org' in made("oracle-ddl", 'CREATE PROPERTY GRAPH "hr".org VERTEX TABLES (p);')


def test_a_name_of_three_parts_is_cut_where_there_are_two() -> None:
    script = "CREATE PROPERTY GRAPH `my-project.ds.G` NODE TABLES (`my-project`.ds.T LABEL T PROPERTIES (id));"
    for format in ("postgres-ddl", "oracle-ddl"):
        found = list(made(format, script, "bigquery-ddl"))
        assert any("have one schema before them: my-project is left out" in line for line in found)
        assert sum("my-project" in line for line in found) == 1
    assert "CREATE PROPERTY GRAPH `my-project`.ds.G" in made("bigquery-ddl", script, "bigquery-ddl")
    found = list(made("spanner-ddl", script, "bigquery-ddl"))
    assert "-- names of Spanner have one schema before them: my-project.ds is one of BigQuery" in found


def test_foreign_keys_across_schemas_are_left_out_where_there_are_none() -> None:
    script = PERSON.format("hr.person") + (
        "CREATE TABLE sales.visit (id INT PRIMARY KEY, who INT REFERENCES hr.person (id));"
        "CREATE PROPERTY GRAPH g VERTEX TABLES (hr.person, sales.visit) EDGE TABLES (sales.visit AS by"
        " SOURCE KEY (id) REFERENCES visit (id) DESTINATION KEY (who) REFERENCES person (id));"
    )
    text = Schema.read(script, "oracle-ddl").write("duckpgq-ddl")
    assert "the foreign key to a table in another schema is left out" in text
    assert "FOREIGN KEY" not in text
    assert "REFERENCES hr.person" in Schema.read(script, "oracle-ddl").write("postgres-ddl").partition("GRAPH")[0]


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_is_read_again(format: str) -> None:
    for script in (WHOLE, TWINS):
        first = Schema.read(script, format).write(format)
        again = Schema.read(first, format)
        assert again.write(format) == first.removeprefix("-- graphs of DuckPGQ are in no schema: hr is left out\n\n")
        assert again == Schema.read(script, format)


def test_translators_are_told_the_whole_names() -> None:
    told = names(Schema.read(WHOLE, "oracle-ddl"), "pgq-oracle-23ai")
    assert told.graph == ("HR", "ORG")
    assert told.nodes["person",].table == ("HR", "PERSON")
    assert names(Schema.read(WHOLE, "oracle-ddl"), "pgq-duckpgq").graph == ("org",)


# ------------------------------------------------------------------ paths


def test_paths() -> None:
    assert agree(("hr", "org"), ("org",))
    assert agree(("org",), ("p", "hr", "org"))
    assert not agree(("hr", "org"), ("sales", "org"))
    assert find(("org",), {("hr", "org"): 1}) == 1
    assert find(("org",), {("hr", "org"): 1, ("sales", "org"): 2}) is None
    assert find(("org",), {("hr", "org"): 1, ("org",): 2}) == 2
    assert placed(("ORG",), ("hr", "org")) == ("hr", "ORG")
    assert placed(("hr", "org"), ("org",)) == ("hr", "org")
    assert placed(("org",), ("hr", "other")) == ("org",)
    assert shown(("a.b", "c")) == '"a.b".c'
    assert shown(("a", "b.c")) == 'a."b.c"'
