"""Literals against a schema: what is found, what is not, how it is mended, and where every literal stands."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir.schema import ENDPOINTS_ONLY, DataType, NodeType, PropertyType, Schema
from graphir.settings import profile_of
from tests.sample_schemas import FILMS, prop


def found(text: str, schema: Schema | None = FILMS) -> list[str]:
    return [d.code for d in graphir.check(text, schema=schema)]


def person(condition: str) -> str:
    return f"MATCH (p:Person) WHERE {condition} RETURN p.name"


# Condition on a person -> what is found, and what the safe fixes make of it.
FOUND: list[tuple[str, list[str], str | None]] = [
    # numbers, text, booleans
    ("p.age = '42'", ["G321"], "p.age = 42"),
    ("'42' = p.age", ["G321"], "42 = p.age"),
    ("p.age < '-42'", ["G321"], "p.age < -42"),
    ("p.height >= '1.80'", ["G321"], "p.height >= 1.80"),
    ("p.age IN ['1', 2, '3']", ["G321", "G321"], "p.age IN [1, 2, 3]"),
    ("p.age <> '042'", ["G320"], None),
    ("p.age = 'forty'", ["G320"], None),
    ("p.age = true", ["G320"], None),
    ("p.age = [1]", ["G320"], None),
    ("p.age = date('2020-01-01')", ["G320"], None),
    ("p.name = 42", ["G321"], "p.name = '42'"),
    ("p.name = -42", ["G321"], "p.name = '-42'"),
    ("p.name <> 4.20", ["G321"], None),
    ("p.name > 42", ["G321"], None),
    ("p.name = false", ["G320"], None),
    ("p.active = 'true'", ["G321"], "p.active = true"),
    ("p.active = 'FALSE'", ["G321"], "p.active = false"),
    ("p.active = 1", ["G320"], None),
    ("p.active = 'yes'", ["G320"], None),
    ("1 < p.age < '9'", ["G321"], "1 < p.age < 9"),
    ("CASE p.age WHEN '1' THEN true ELSE false END", ["G321"], "CASE p.age WHEN 1 THEN true ELSE false END"),
    ("CASE p.age WHEN > '1' THEN true ELSE false END", ["G321"], "CASE p.age WHEN > 1 THEN true ELSE false END"),
    # temporal values
    ("p.born > '1950-01-01'", ["G322"], "p.born > date('1950-01-01')"),
    ("p.born = '1950'", ["G322"], None),
    ("p.born = '01/31/1950'", ["G322"], None),
    ("p.born = 1950", ["G320"], None),
    ("p.seen >= '2020-01-01'", ["G322"], "p.seen >= datetime('2020-01-01')"),
    ("p.seen = '2020-01-01'", ["G322"], None),
    ("p.seen = '2020-01-01T12:00:00Z'", ["G322"], "p.seen = datetime('2020-01-01T12:00:00Z')"),
    ("p.shift < '12:30:00'", ["G322"], "p.shift < localtime('12:30:00')"),
    ("p.stay > 'P1D'", ["G322"], "p.stay > duration('P1D')"),
    ("p.seen > date('2020-01-01')", ["G323"], "p.seen > datetime('2020-01-01')"),
    ("p.seen = date('2020-01-01')", ["G323"], None),
    ("p.seen > date()", ["G323"], None),
    ("p.born > datetime('2020-01-01T12:00:00Z')", ["G323"], None),
    ("p.born > datetime()", ["G323"], None),
    ("p.born > localdatetime() - duration('P1D')", ["G323"], None),
    ("p.name > date('2020-01-01')", ["G323"], None),
    ("p.born = date('2020-13-01')", ["G328"], None),
    ("p.born = date('31.12.2020')", ["G328"], None),
    ("p.stay < duration('1 day')", ["G328"], None),
    # lists
    ("p.tags = 'a'", ["G320"], None),
    ("'a' IN p.name", ["G320"], None),
    ("1 IN p.tags", ["G320"], None),
    ("p.tags CONTAINS 'a'", ["G325"], None),
    # text
    ("p.age STARTS WITH '4'", ["G325"], None),
    ("p.born =~ '19.*'", ["G325"], None),
    ("p.name STARTS WITH 4", ["G320"], None),
    ("p.name = '%Ada%'", ["G326"], None),
    ("p.name CONTAINS '%Ada%'", ["G326"], None),
    ("p.name =~ 'Ada%'", ["G326"], None),
    ("p.name =~ '*Ada'", ["G327"], None),
    ("toLower(p.name) = 'Ada'", ["G331"], "toLower(p.name) = 'ada'"),
    ("toUpper(p.name) IN ['ADA', 'Bob']", ["G331"], "toUpper(p.name) IN ['ADA', 'BOB']"),
    ("toLower(p.name) CONTAINS 'Ada'", ["G331"], "toLower(p.name) CONTAINS 'ada'"),
    # closed sets
    ("p.role = 'actor'", ["G324"], None),
    ("p.role = 'Directors'", ["G324"], None),
    ("p.role IN ['Actor', 'Film editor', 'Grip']", ["G324", "G324"], None),
    ("p.role <> 'Grip'", ["G324"], None),
    ("p.role STARTS WITH 'Dir' AND p.role CONTAINS 'grip'", ["G324"], None),
    ("toLower(p.role) = 'grip'", ["G324"], None),
    ("p.level = 4", ["G324"], None),
    ("p.level = '2'", ["G321"], "p.level = 2"),
    # components
    ("p.name.year = 1950", ["G332"], None),
    ("p.age.year = 1950", ["G332"], None),
]


@pytest.mark.parametrize(("condition", "codes", "mended"), FOUND)
def test_found(condition: str, codes: list[str], mended: str | None) -> None:
    assert found(person(condition)) == codes
    done = graphir.repair(person(condition), schema=FILMS)
    assert done.text == person(mended or condition)


NOTHING = [
    "p.age = 42 AND p.age > 4.5 AND p.height = 2 AND p.age IN [1, 2.0, null]",
    "p.name = '42' AND p.name < 'x' AND p.name IN ['a', 'b'] AND p.name <> ''",
    "p.name = null OR p.age = $age OR p.age IN $ages OR p.name STARTS WITH $start",
    "p.born > date() - duration('P1Y') AND p.born = date({year: 2000}) AND p.born.year = 1950",
    "p.born = date.truncate('year', date()) AND p.seen > datetime('2020-01-01') AND p.seen < datetime.fromepoch(1, 0)",
    "p.stay > duration('P1Y2M') AND p.stay.days > 3 AND p.shift = localtime('12:00')",
    "p.seen = datetime('2020-01-01T00:00:00[Europe/Paris]') AND p.seen = datetime('2020-W01')",
    "'a' IN p.tags AND p.tags = ['a'] AND p.tags[0] = 'b' AND 'a' IN (p.tags + ['c'])",
    "p.note = 3 OR p.note = 'x' OR p.note STARTS WITH 'x' OR p.note.year = 1 OR p.unlisted = 4 = true OR 3 IN p.note",
    "p.role = 'Actor' AND p.role IN ['Director'] AND p.role STARTS WITH 'Film' AND p.role CONTAINS ' '",
    "p.role > 'a' AND p.role <= 'b'",
    "p.level = 2.0 AND p.level > 7 AND p.role =~ '.*or'",
    "p.name = '50%' AND p.name ENDS WITH '%' AND p.name CONTAINS '%' AND p.name =~ '.*50%' AND p.name = '%'",
    "toLower(p.name) = 'ada' AND toUpper(p.name) = 'ADA' AND toLower(p.role) = 'actor'",
    "toLower(p.name) = toLower('Ada')",
    "toLower(p.name) = 'straße' AND toUpper(p.name) = 'STRASSE' AND toLower(p.name) =~ '[A-Z]'",
    "toLower(p.name) > 'A'",
    "toString(p.age) STARTS WITH '4' AND toInteger(p.name) = 4 AND p.age + 1 = 4 AND size(p.name) = 3",
    "p.active = true AND p.active AND NOT p.active = false",
    "p.name =~ '(?i)ada.*' AND p.name =~ '\\\\*'",
    "CASE p.age WHEN 1, 2 THEN true WHEN > 3 THEN false WHEN IS NULL THEN false END",
]


@pytest.mark.parametrize("condition", NOTHING)
def test_nothing_found(condition: str) -> None:
    text = person(condition)
    assert [code for code in found(text) if code.startswith("G3")] == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("MATCH (p:Person {age: '42', name: 'x', level: 2}) RETURN p", ["G321"]),
        ("MATCH (p:Person WHERE p.age = '42') RETURN p", ["G321"]),
        ("MATCH (:Person)-[r:ACTED_IN {year: '1999'}]->() RETURN r", ["G321"]),
        ("MATCH (:Person)-[r:ACTED_IN WHERE r.roles = 'Neo']->() RETURN r", ["G320"]),
        ("MATCH (p:Person) WITH p.age AS a, p.role AS r WHERE a = '4' AND r = 'x' RETURN a", ["G321", "G324"]),
        ("MATCH (p:Person) WITH {age: p.age} AS m WHERE m.age = '4' RETURN m", ["G321"]),
        ("MATCH (p:Person) WITH p AS q WITH q AS s WHERE s.age = '4' RETURN s", ["G321"]),
        ("MATCH (p:Person) WHERE EXISTS { MATCH (p)-->(f:Film) WHERE f.age = '4' } RETURN p", ["G321"]),
        ("MATCH (p:Person) WHERE COUNT { (p)-->(f:Film {age: '4'}) } > 1 RETURN p", ["G321"]),
        ("MATCH (p:Person) CALL (p) { MATCH (p)-->(f) WHERE f.title = 4 RETURN f } RETURN f", ["G321"]),
        ("MATCH (p:Person) RETURN [x IN [p] WHERE x.age = '4'] AS l", ["G321"]),
        ("MATCH (p:Person) RETURN any(x IN collect(p.age) WHERE x = '4') AS l", ["G321"]),
        ("MATCH (x) WHERE x.age = '4' RETURN x", ["G321"]),
        ("MATCH (p:Person) WHERE p.born.year = '1950' RETURN p", ["G321"]),
        ("MATCH (p:Person) WHERE p.born.year IN [1950, 'x'] RETURN p", ["G320"]),
        ("MATCH (p:Person) WHERE p.born.year > 1950 AND p.born.anything = '1' RETURN p", []),
        ("MATCH (p:Person) WHERE p.born.year = $year OR toString(p.born.year) = '1950' RETURN p", []),
        ("MATCH (p:Person) SET p.age = '42' RETURN p", []),
        ("CREATE (p:Person {age: '42', role: 'x'}) RETURN p", []),
        ("MATCH (p:Person) RETURN p.name AS p, p.age AS a ORDER BY p.age", []),
        ("MATCH (p:Person) RETURN p.name AS p ORDER BY p.age", ["G332"]),
        ("MATCH (f:Film) WHERE f.released = '%100%' RETURN f", []),
        ("MATCH (f:Film) WHERE f.released.year = 1999 RETURN f", ["G332"]),
    ],
)
def test_places(text: str, codes: list[str]) -> None:
    assert [code for code in found(text) if code.startswith("G3")] == codes


@pytest.mark.parametrize(
    ("schema", "codes"),
    [
        (Schema((NodeType(("A",), (prop("x", "INTEGER"),)), NodeType(("B",), (prop("x", "STRING"),)))), []),
        (Schema((NodeType(("A",), (prop("x", "INTEGER"),)), NodeType(("B",), (prop("x", "FLOAT"),)))), ["G320"]),
        (Schema((NodeType(("A",), (prop("x", "INTEGER"),)), NodeType(("B",), (PropertyType("x"),)))), []),
        (Schema((NodeType(("A",), (prop("x", "INTEGER"),)), NodeType(("B",), None))), []),
        (Schema((NodeType(("A",), (prop("x", "INTEGER"),)),), coverage=ENDPOINTS_ONLY), []),
        (Schema((NodeType(("A",), (prop("x", "INTEGER"),), open=True),)), ["G320"]),
        (Schema((NodeType(("A",), (prop("x", "INTEGER"),)), NodeType(("B",), (), open=True))), []),
        (Schema((NodeType(("A",), (prop("x", "UUID"),)),)), []),
        (Schema((NodeType(("A",), (prop("x", "JSON"),)),)), []),
        (Schema((NodeType(("A",), (PropertyType("x", DataType("STRING"), examples=("a", "b")),)),)), []),
    ],
)
def test_nothing_is_said_unless_all_that_may_own_it_say_so(schema: Schema, codes: list[str]) -> None:
    assert found("MATCH (n) WHERE n.x = 'word' RETURN n", schema) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("MATCH (n) WHERE n.a = '%x%' RETURN n", ["G326"]),
        ("MATCH (n) WHERE n.a =~ '+x' RETURN n", ["G327"]),
        ("RETURN datetime('yesterday') AS x", ["G328"]),
        ("MATCH (n) WHERE toLower(n.a) = 'X' RETURN n", ["G331"]),
        ("MATCH (n) WHERE n.a = '4' AND n.b = 4 AND n.c.year = 4 RETURN n", []),
    ],
)
def test_what_needs_no_schema(text: str, codes: list[str]) -> None:
    assert found(text, None) == codes


def test_parameters_of_declared_types() -> None:
    profile = profile_of({"parameters": {"n": "INTEGER", "s": "STRING", "l": "LIST<STRING>"}}, profile_of({}, _lint()))
    text = person("p.age = $s OR p.age > $n OR p.name = $n OR p.tags = $l OR p.name = $unknown OR $s IN p.tags")
    text += " SKIP $n LIMIT $s"
    told = graphir.check(text, schema=FILMS, profile=profile)
    assert [(d.code, text[d.start : d.end]) for d in told] == [("G329", "$s"), ("G329", "$n"), ("G329", "$s")]


def _lint() -> graphir.Profile:
    from graphir.profiles import LINT

    return LINT


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("p.role = 'actor'", "did you mean 'Actor'?"),
        ("p.role = 'editor film'", "its values: 'Actor', 'Director', 'Film Editor'"),
        ("p.role = 'Direktor'", "did you mean 'Director'?"),
        ("p.seen > date('2020-01-01')", "make the value with datetime(..), or compare a component"),
        ("p.tags = 'a'", "IN looks for an element: value IN list"),
    ],
)
def test_hints(condition: str, hint: str) -> None:
    (told,) = graphir.check(person(condition), schema=FILMS)
    assert told.hint == hint


@pytest.mark.parametrize(
    ("condition", "severity"),
    [
        ("p.role <> 'Grip'", "info"),
        ("p.role <> 'actor'", "error"),
        ("NOT p.role = 'Grip'", "info"),
        ("NOT p.role IN ['Actor', 'Grip']", "info"),
        ("NOT (p.age = 3 OR p.role CONTAINS 'grip')", "info"),
        ("NOT p.role = 'actor'", "error"),
        ("NOT (p.age = 3 AND NOT p.role = 'Grip')", "error"),
        ("NOT p.age = 3 AND p.role = 'Grip'", "error"),
        ("NOT EXISTS { (q:Person) WHERE q.role = 'Grip' }", "error"),
    ],
)
def test_to_leave_out_what_is_not_there_is_no_fault(condition: str, severity: str) -> None:
    told = graphir.check(person(condition), schema=FILMS, profile="gate")
    assert [(d.code, d.severity) for d in told] == [("G324", severity)]


@pytest.mark.parametrize(
    ("condition", "severity"),
    [("p.age <> 'null'", "info"), ("p.age <> ''", "info"), ("p.age = 'null'", "error"), ("p.age <> 'many'", "error")],
)
def test_to_leave_out_what_stands_for_no_value_is_no_fault(condition: str, severity: str) -> None:
    told = graphir.check(person(condition), schema=FILMS, profile="gate")
    assert [(d.code, d.severity) for d in told] == [("G320", severity)]


@pytest.mark.parametrize("pattern", ["(Ada", "Ada)", "[Ada", "A**da", "(?i)*Ada", "A(?<n>d"])
def test_no_regular_expressions(pattern: str) -> None:
    (told,) = graphir.check(f"MATCH (p:Person) WHERE p.name =~ '{pattern}' RETURN p.name")
    assert told.code == "G327"
    assert "is no regular expression: " in told.message


@pytest.mark.parametrize("pattern", ["(?i)ada.*", "[(]Ada", "a|b?", "^*a", "\\\\8", "]a", "a++", "{2}"])
def test_regular_expressions_as_java_reads_them(pattern: str) -> None:
    assert graphir.check(f"MATCH (p:Person) WHERE p.name =~ '{pattern}' RETURN p.name") == []


def test_fixes_that_guess_are_made_on_demand_only() -> None:
    text = person("p.role = 'actors' AND p.name CONTAINS \"%O'Neil%\"")
    assert graphir.repair(text, schema=FILMS).text == text
    done = graphir.repair(text, schema=FILMS, unsafe=True)
    assert done.text == person("p.role = 'Actor' AND p.name CONTAINS 'O\\'Neil'")
    assert [d.code for d in done.applied] == ["G324", "G326"]
    assert done.remaining == ()


# ------------------------------------------------------------------ where literals stand


def uses(text: str, schema: Schema | None = None) -> list[tuple[Any, ...]]:
    return [
        (text[u.start : u.end], u.value, u.operator, u.property, u.element, u.owners, u.type, u.function)
        for u in graphir.literals(text, schema=schema)
    ]


def test_literals_and_their_owners() -> None:
    text = (
        "MATCH (p:Person {age: -3})-[r:ACTED_IN]->(f) WHERE toLower(p.name) IN ['a', \"b\"] AND f.title = 'X' "
        "AND p.born > date('1950-01-01') AND 'q' IN p.tags AND 5 < r.year < 7 SET p.active = true "
        "WITH p.role AS k WHERE k CONTAINS 'z' RETURN -1 + 2 AS x LIMIT 5"
    )
    person_, acted = ("node", ("Person",)), ("edge", ("ACTED_IN",))
    assert uses(text, FILMS) == [
        ("-3", -3, "eq", "age", *person_, "INTEGER", None),
        ("'a'", "a", "in", "name", *person_, "STRING", "toLower"),
        ('"b"', "b", "in", "name", *person_, "STRING", "toLower"),
        ("'X'", "X", "eq", "title", "node", ("Film",), "STRING", None),
        ("'1950-01-01'", "1950-01-01", "gt", "born", *person_, "DATE", "date"),
        ("'q'", "q", "holds", "tags", *person_, "LIST<STRING>", None),
        ("5", 5, "gt", "year", *acted, "INTEGER", None),
        ("7", 7, "lt", "year", *acted, "INTEGER", None),
        ("true", True, "set", "active", *person_, "BOOLEAN", None),
        ("'z'", "z", "contains", "role", *person_, "STRING", None),
        ("-1", -1, None, None, None, (), None, None),
        ("2", 2, None, None, None, (), None, None),
        ("5", 5, "limit", None, None, (), None, None),
    ]
    assert [use[:6] for use in uses(text)[:3]] == [use[:6] for use in uses(text, FILMS)[:3]]
    assert uses(text)[3] == ("'X'", "X", "eq", "title", "node", (), None, None)


def test_literals_of_created_elements() -> None:
    assert uses("CREATE (:Person {name: 'Ada', age: 36}) RETURN null AS x") == [
        ("'Ada'", "Ada", "set", "name", "node", ("Person",), None, None),
        ("36", 36, "set", "age", "node", ("Person",), None, None),
        ("null", None, None, None, None, (), None, None),
    ]


def test_literals_as_json() -> None:
    one, other = graphir.literals("MATCH (p:Person {age: 3}) RETURN 1 AS x")
    assert one.to_json() == {
        "start": 22,
        "end": 23,
        "value": 3,
        "operator": "eq",
        "property": "age",
        "element": "node",
        "owners": ["Person"],
    }
    assert other.to_json() == {"start": 33, "end": 34, "value": 1}


def test_literals_need_a_text_that_parses() -> None:
    with pytest.raises(graphir.SyntaxFault):
        graphir.literals("MATCH (n RETURN 1")


# ------------------------------------------------------------------ no false alarms


@pytest.mark.parametrize("name", ["cypherbench", "zograscope"])
def test_gold_queries_have_no_wrong_literals(name: str) -> None:
    from tests import outside

    schemas = {row["id"]: row for row in outside.rows("corpora/schemas")}
    known: dict[str, Schema] = {}
    checked = 0
    for row in outside.sample(outside.rows(f"corpora/{name}"), 300, lambda row: str(row["id"])):
        told = schemas.get(row.get("schema") or "")
        if told is None:
            continue
        if row["schema"] not in known:
            known[row["schema"]] = Schema.read(told["text"], told["format"])
        codes = found(row["query"], known[row["schema"]])
        assert [code for code in codes if code.startswith(("G32", "G33"))] == [], row["query"]
        checked += 1
    assert checked > 100
