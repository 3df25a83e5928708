"""The public functions: signatures, results, and that nothing but GraphirError comes out of them."""

from __future__ import annotations

import inspect
import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.diagnostics import codes, revive
from graphir.dialects import DIALECTS

READABLE = [d.name for d in DIALECTS.values() if d.reads]
WRITABLE = [d.name for d in DIALECTS.values() if d.writes]
OVER_TABLES = [d.name for d in DIALECTS.values() if d.tables or d.family == "sql" or d.name == "pgq-hyper"]
UNPARSED = "MATCH (n RETURN n"
UNBOUND = "MATCH (n) RETURN m.name AS name"


def test_public_names() -> None:
    assert {
        *("parse", "parse_script", "check", "repair", "literals", "format", "translate", "read_profiles"),
        *("Query", "Statement", "Schema", "Profile", "Repair", "LiteralUse", "Diagnostic", "Fix", "Edit"),
        *("GraphirError", "SyntaxFault", "SemanticFault", "Unsupported", "RunFault", "UsageFault", "__version__"),
    } <= set(graphir.__all__)
    for name in graphir.__all__:
        assert getattr(graphir, name) is not None
        assert name in dir(graphir)
    with pytest.raises(AttributeError, match="no attribute 'mend'"):
        graphir.mend  # noqa: B018


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("parse", "(text, dialect='neo4j-25')"),
        ("parse_script", "(text, dialect='neo4j-25')"),
        ("check", "(text, dialect='neo4j-25', schema=None, profile='lint')"),
        ("format", "(text, dialect='neo4j-25')"),
        (
            "translate",
            "(text, read='neo4j-25', write='neo4j-25', schema=None, lossy=False, elements='expand', max_hops=None, "
            "property_graph='generate', notes=None)",
        ),
    ],
)
def test_signature(name: str, signature: str) -> None:
    found = inspect.signature(getattr(graphir, name))
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values()]
    assert str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty)) == signature


def test_errors_are_a_family() -> None:
    kinds = [graphir.SyntaxFault, graphir.SemanticFault, graphir.Unsupported, graphir.RunFault, graphir.UsageFault]
    assert all(issubclass(kind, graphir.GraphirError) for kind in kinds)
    assert issubclass(graphir.UsageFault, ValueError)


# ------------------------------------------------------------------ parse


def test_parse() -> None:
    query = graphir.parse("MATCH (n:Person) RETURN n.name;")
    assert isinstance(query, graphir.Query)
    assert query == graphir.parse(" match (n:Person)\nreturn  n.name // comment")
    assert query != graphir.parse("MATCH (n:Person) RETURN n.age")
    assert graphir.parse(UNBOUND) == graphir.parse(UNBOUND)


def test_parse_needs_one_statement() -> None:
    for text in ("", ";", "// nothing", "RETURN 1; RETURN 2", UNPARSED):
        with pytest.raises(graphir.SyntaxFault) as caught:
            graphir.parse(text)
        assert caught.value.diagnostics[0].severity == "error"


def test_parse_script() -> None:
    text = f"RETURN 1 AS a;\n {UNPARSED};\nRETURN 2 AS b"
    one, two, three = graphir.parse_script(text)
    assert text[one.span.start : one.span.end] == "RETURN 1 AS a"
    assert one.query == graphir.parse("RETURN 1 AS a")
    assert one.fault is None
    assert two.query is None
    assert two.fault is not None
    assert (two.fault.diagnostics[0].line, two.fault.diagnostics[0].column) == (2, 11)
    assert text[three.span.start : three.span.end] == "RETURN 2 AS b"


def test_faults_survive_pickling() -> None:
    for text in (UNPARSED, UNBOUND):
        with pytest.raises(graphir.GraphirError) as caught:
            graphir.translate(text, read="neo4j-25", write="neo4j-5")
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value)
        assert again.diagnostics == caught.value.diagnostics


# ------------------------------------------------------------------ check


def found(text: str, **options: Any) -> list[tuple[str, str, int, int]]:
    return [(d.code, d.severity, d.line, d.column) for d in graphir.check(text, **options)]


def test_check() -> None:
    assert found("MATCH (n) RETURN n.name AS name") == []
    assert found(UNPARSED) == [("G010", "error", 1, 10)]
    assert found(UNBOUND) == [("G101", "error", 1, 18)]
    assert found("")[0][1] == "error"


def test_check_reports_every_statement_in_order() -> None:
    text = f"{UNPARSED};\n{UNBOUND};\nRETURN 1 AS a;\nRETURN x AS x"
    several = ("G040", "warning", 2, 1)
    assert found(text) == [("G010", "error", 1, 10), several, ("G101", "error", 2, 18), ("G101", "error", 4, 8)]


def test_several_statements_are_an_error_under_gate() -> None:
    text = "RETURN 1 AS a; RETURN 2 AS b;"
    assert found(text) == [("G040", "warning", 1, 16)]
    assert found(text, profile="gate") == [("G040", "error", 1, 16)]
    assert found("RETURN 1 AS a;", profile="gate") == []


def test_offsets_are_characters() -> None:
    text = "// 😀é\nMATCH (n) RETURN '😀' AS a, m.x AS b"
    (diagnostic,) = graphir.check(text)
    assert text[diagnostic.start : diagnostic.end] == "m"
    assert (diagnostic.line, diagnostic.column) == (2, 28)


@pytest.mark.parametrize("dialect", READABLE)
@given(text=st.text() | st.text("MATCHRETURN ()[]{}<>-=:;'\"`\\/*u0123456789.,|$%\n"))
@settings(max_examples=150, deadline=None)
def test_check_never_raises(dialect: str, text: str) -> None:
    for diagnostic in graphir.check(text, dialect):
        assert 0 <= diagnostic.start <= diagnostic.end <= len(text)
        assert revive(json.loads(json.dumps(diagnostic.to_json()))) == diagnostic


def test_diagnostic_keys() -> None:
    (diagnostic,) = graphir.check(UNBOUND)
    keys = {"code", "severity", "message", "start", "end", "line", "column", "fix"}
    assert keys <= set(diagnostic.to_json()) <= keys | {"hint", "expected"}
    assert all(getattr(diagnostic, key) == value for key, value in diagnostic.to_json().items() if key != "expected")


# ------------------------------------------------------------------ format and translate


def test_format() -> None:
    text = "match (n) where n.age>3 return n.name as name // why\n;return 1"
    formatted = graphir.format(text)
    assert formatted.startswith("MATCH (n)\nWHERE n.age > 3\nRETURN n.name AS name")
    assert formatted.count("// why") == 1
    assert graphir.format(formatted) == formatted
    with pytest.raises(graphir.SyntaxFault) as caught:
        graphir.format(f"{UNPARSED}; RETURN 1 AS a;\n{UNPARSED}")
    assert [(d.code, d.line) for d in caught.value.diagnostics] == [("G010", 1), ("G010", 2)]


PEOPLE = """
    CREATE TABLE person (id bigint PRIMARY KEY, name text, age bigint);
    CREATE PROPERTY GRAPH g VERTEX TABLES (person LABEL "Person" PROPERTIES (id, name, age));
"""


@pytest.mark.parametrize("write", WRITABLE)
@pytest.mark.parametrize("read", READABLE)
def test_translate_everyday_query(read: str, write: str) -> None:
    query = "MATCH (n:Person) WHERE n.age > 3 RETURN n.name AS name"
    if read.startswith("pgq-"):
        pattern = '(n IS "Person") WHERE n."age" > 3 COLUMNS (n."name" AS name)'
        query = f'SELECT name FROM GRAPH_TABLE ("g" MATCH {pattern}) t'
        query = query.replace('"', "`") if read == "pgq-googlesql" else query
    schema = graphir.Schema.read(PEOPLE, "postgres-ddl") if write in OVER_TABLES else None
    text = graphir.translate(query, read=read, write=write, schema=schema)
    assert "person" in text.lower()
    assert text == graphir.translate(query, read, write, schema)


@pytest.mark.parametrize("write", OVER_TABLES)
def test_translate_to_tables_wants_a_schema(write: str) -> None:
    with pytest.raises(graphir.Unsupported) as refused:
        graphir.translate("MATCH (n:Person) RETURN n.name AS name", write=write)
    assert refused.value.code in ("G562", "G570")


def test_translate_tells_what_is_to_be_said() -> None:
    text = "SELECT k / 3 AS third FROM GRAPH_TABLE (g MATCH (p IS person) COLUMNS (p.age AS k))"
    notes: list[graphir.Diagnostic] = []
    made = graphir.translate(text, "pgq-oracle-26ai", "neo4j-25", notes=notes)
    assert [(each.code, each.severity, each.line) for each in notes] == [("G578", "info", 1)]
    assert made == graphir.translate(text, "pgq-oracle-26ai", "neo4j-25")


def test_translate_refuses() -> None:
    with pytest.raises(graphir.SyntaxFault):
        graphir.translate(UNPARSED, read="neo4j-25", write="neo4j-5")
    with pytest.raises(graphir.SyntaxFault):
        graphir.translate("RETURN 1 AS a; RETURN 2 AS b", read="neo4j-25", write="neo4j-5")
    with pytest.raises(graphir.SemanticFault) as meaning:
        graphir.translate(UNBOUND, read="neo4j-25", write="neo4j-5")
    assert [d.code for d in meaning.value.diagnostics] == ["G101"]
    with pytest.raises(graphir.Unsupported) as target:
        graphir.translate("MATCH (n) DETACH DELETE n", read="neo4j-25", write="gql-spanner")
    assert target.value.code.startswith("G5")
    assert target.value.feature
    assert target.value.target == "gql-spanner"
    assert target.value.reason
    (place,) = target.value.diagnostics
    assert "MATCH (n) DETACH DELETE n"[place.start : place.end] == "DETACH DELETE n"


# ------------------------------------------------------------------ wrong calls


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: graphir.parse("RETURN 1", "cypher"), "unknown dialect 'cypher'.*neo4j-5"),
        (lambda: graphir.parse("RETURN 1", "sql-duckdb"), "'sql-duckdb' cannot be read"),
        (lambda: graphir.parse("RETURN 1", None), "unknown dialect None"),  # type: ignore[arg-type]
        (lambda: graphir.parse(None), "the text is a str, not NoneType"),  # type: ignore[arg-type]
        (lambda: graphir.check(b"RETURN 1"), "the text is a str, not bytes"),  # type: ignore[arg-type]
        (lambda: graphir.check("RETURN 1", "x"), "unknown dialect"),
        (lambda: graphir.check("RETURN 1", schema="x"), "the schema is a graphir.Schema, not str"),  # type: ignore[arg-type]
        (lambda: graphir.check("RETURN 1", profile="x"), "unknown profile 'x'"),
        (lambda: graphir.format("RETURN 1", "x"), "unknown dialect"),
        (lambda: graphir.parse_script("RETURN 1", "x"), "unknown dialect"),
        (lambda: graphir.translate("RETURN 1", "neo4j-5", "x"), "unknown dialect 'x'"),
        (lambda: graphir.translate("RETURN 1", "sql-duckdb", "neo4j-5"), "cannot be read"),
        (lambda: graphir.translate("RETURN 1", schema="x"), "the schema is a graphir.Schema"),  # type: ignore[arg-type]
    ],
)
def test_wrong_call(call: Any, message: str) -> None:
    with pytest.raises(graphir.UsageFault, match=message) as caught:
        call()
    assert [d.code for d in caught.value.diagnostics] == ["G091"]


# ------------------------------------------------------------------ depth


DEEP = {
    "parentheses": lambda n: "RETURN " + "(" * n + "1" + ")" * n + " AS x",
    "lists": lambda n: "RETURN " + "[" * n + "1" + "]" * n + " AS x",
    "maps": lambda n: "RETURN " + "{a: " * n + "1" + "}" * n + " AS x",
    "not": lambda n: "RETURN " + "NOT " * n + "true AS x",
    "minus": lambda n: "RETURN " + "- " * n + "1 AS x",
    "subqueries": lambda n: "RETURN " + "EXISTS { MATCH (a) WHERE " * n + "true" + "}" * n + " AS x",
    "calls": lambda n: "CALL () { " * n + "RETURN 1 AS x" + "} RETURN x" * n,
    "case": lambda n: "RETURN " + "CASE WHEN true THEN " * n + "1" + " END" * n + " AS x",
}


def raised_codes(function: Callable[..., object], *arguments: str) -> list[str]:
    """The codes of the GraphirError that the call ends in, if it does."""
    try:
        function(*arguments)
    except graphir.GraphirError as error:
        return [d.code for d in error.diagnostics] or ["none"]
    return []


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("depth", [50, 1_000, 20_000])
def test_depth_is_no_crash(name: str, depth: int) -> None:
    text = DEEP[name](depth)
    diagnostics = graphir.check(text)
    assert [d.code for d in diagnostics] in ([], ["G006"])
    for function in (graphir.parse, graphir.format, graphir.translate):
        assert raised_codes(function, text) in ([], ["G006"])


def test_exhausted_recursion_is_a_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    def recurse(*_: object) -> Any:
        return recurse()

    monkeypatch.setattr("graphir.grammar.cypher.parse", recurse)
    monkeypatch.setattr("graphir.grammar.cypher.parse_script", recurse)
    for function in (graphir.parse, graphir.parse_script, graphir.translate):
        with pytest.raises(graphir.SyntaxFault) as caught:
            function("RETURN 1")
        assert [d.code for d in caught.value.diagnostics] == ["G006"]
    assert [d.code for d in graphir.check("RETURN 1")] == ["G006"]


# ------------------------------------------------------------------ mutated queries


SEEDS = [
    "MATCH (a:Person {name: 'x'})-[r:KNOWS*1..3]->(b) WHERE a.age > 3 AND NOT b:Old RETURN a.name AS n, count(*) AS c",
    "UNWIND [1, 2, 3] AS x WITH x WHERE x > 1 RETURN collect(x)[0..2] AS xs ORDER BY xs DESC SKIP 1 LIMIT 2",
    "MERGE (a:A {k: $k}) ON CREATE SET a.t = timestamp() ON MATCH SET a += {z: null} RETURN a {.*, q: 1} AS m",
    "CALL (x) { MATCH (n) RETURN n LIMIT 1 UNION ALL MATCH (m) RETURN m AS n } RETURN EXISTS { (n)-->() } AS e",
]


def mutated(seed: int) -> str:
    chance = random.Random(seed)
    text = chance.choice(SEEDS)
    for _ in range(chance.randint(1, 6)):
        i, j = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        text = chance.choice([text[:i] + text[j:], text[:j] + text[i:], text[:i] + chance.choice(SEEDS)[:i] + text[j:]])
    return text


@pytest.mark.parametrize("write", WRITABLE)
def test_nothing_but_our_errors(write: str) -> None:
    graphir_codes = codes()
    for seed in range(400):
        text = mutated(seed)
        assert all(code in graphir_codes for code in raised_codes(graphir.translate, text, "neo4j-25", write))
        refused = raised_codes(graphir.parse, text)
        assert refused == [d.code for d in graphir.check(text)] or not refused or ";" in text


def test_types_are_shipped() -> None:
    assert (Path(graphir.__file__).parent / "py.typed").is_file()
