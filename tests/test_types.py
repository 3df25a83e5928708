"""Types, signatures, and what the check of types reports."""

from __future__ import annotations

import pytest

import graphir
from graphir import ir, signatures, types
from graphir.diagnostics import Diagnostic
from graphir.functions import AGGREGATES, FUNCTIONS
from graphir.passes.typed.expressions import RULES
from graphir.types import ANY, BOOLEAN, FLOAT, INTEGER, LIST, NODE, NUMBER, PATH, PROPERTY, STRING, list_of
from tests.golden_files import OF_GQL


def found(query: str, dialect: str = "neo4j-25") -> list[Diagnostic]:
    return graphir.check(query, dialect)


def codes(query: str, dialect: str = "neo4j-25") -> list[str]:
    return [diagnostic.code for diagnostic in found(query, dialect)]


# ------------------------------------------------------------------ the lattice


def test_elements_of_lists() -> None:
    assert types.element_of(list_of(NODE)) == NODE
    assert types.element_of(list_of(list_of(STRING))) == list_of(STRING)
    assert types.element_of(LIST) == ANY
    assert types.element_of(INTEGER) == ANY


def test_lists_nested_deeper_than_is_told_apart_may_be_anything() -> None:
    deep = NODE
    for _ in range(8):
        deep = list_of(deep)
    for _ in range(7):
        assert deep & LIST
        deep = types.element_of(deep)
    assert deep & LIST


def test_rows_of_a_value_that_is_no_list_are_the_value() -> None:
    assert types.rows_of(INTEGER) == INTEGER
    assert types.rows_of(list_of(NODE)) == NODE
    assert not types.rows_of(PROPERTY) & NODE
    assert types.rows_of(ANY) == ANY


def test_a_mixture_is_anything() -> None:
    assert types.common(INTEGER, FLOAT) == NUMBER
    assert types.common(STRING, STRING) == STRING
    assert types.common(STRING, BOOLEAN) == ANY


@pytest.mark.parametrize(
    ("value", "shown"),
    [(ANY, "ANY"), (LIST, "LIST<ANY>"), (PROPERTY, "a property value"), (list_of(NODE), "LIST<NODE>")],
)
def test_description(value: int, shown: str) -> None:
    assert types.describe(value) == shown


# ------------------------------------------------------------------ tables


@pytest.mark.parametrize("level", signatures.LEVELS)
def test_every_function_of_a_level_has_a_signature(level: str) -> None:
    order = signatures.LEVELS
    own = {n for n, f in FUNCTIONS.items() if not f.operator and order.index(f.since) <= order.index(level)}
    without = {"exists", "property_exists", "graph.names", "graph.propertiesByName"}
    known = signatures.signatures(level)  # type: ignore[arg-type]
    assert own - set(known) <= without
    assert set(known) <= own


def test_aggregates_take_an_argument() -> None:
    known = signatures.signatures("neo4j-25")
    assert all(known[name].least >= 1 for name in (AGGREGATES & set(FUNCTIONS)) - {"count_star"})


def test_every_deprecated_name_is_known() -> None:
    procedures = set(signatures.procedures("neo4j-5")) | set(signatures.procedures("neo4j-25"))
    assert set(signatures.DEPRECATED) <= procedures | set(FUNCTIONS)


def test_every_successor_is_known() -> None:
    assert set(signatures.REPLACED.values()) <= set(FUNCTIONS)


def test_every_expression_has_a_rule() -> None:
    classes = {cls for cls in ir.REGISTRY.values() if issubclass(cls, ir.Expression)}
    assert classes - OF_GQL <= set(RULES)


# ------------------------------------------------------------------ what is refused

REFUSED = [
    ("RETURN 1 AND true", "G301", "1"),
    ("RETURN NOT [true]", "G301", "[true]"),
    ("RETURN 1 IN 'abc'", "G301", "'abc'"),
    ("MATCH (n) WHERE n RETURN 1", "G301", "n"),
    ("MATCH (n) RETURN length(n.name)", "G301", "n.name"),
    ("MATCH (n) WITH n.name AS x RETURN labels(x)", "G301", "x"),
    ("MATCH ()-[r*]->() RETURN type(r)", "G301", "r"),
    ("MATCH p = ()--() RETURN size(p)", "G301", "p"),
    ("RETURN all(x IN ['a'] WHERE x % 2 = 0)", "G301", "x"),
    ("RETURN true + 1", "G301", "1"),
    ("RETURN date() - date()", "G301", "date()"),
    ("RETURN [1]['a']", "G301", "'a'"),
    ("RETURN 'abc'[0..1]", "G301", "'abc'"),
    ("MATCH (n) DELETE n.name", "G301", "n.name"),
    ("MATCH p = ()--() SET p:A", "G301", "p"),
    ("CALL db.labels() YIELD label RETURN label AND true", "G301", "label"),
    ("CALL { RETURN 1 AS x UNION RETURN 'a' AS x } RETURN x AND true", "G301", "x"),
    ("MATCH ((a)-[r:R]->(b)){1,2} RETURN labels(a)", "G301", "a"),
    ("RETURN [x IN 'abc' | x]", "G301", "'abc'"),
    ("MATCH (n) RETURN EXISTS { MATCH (m) WHERE m.x AND 1 }", "G301", "1"),
    ("WITH 1 AS a RETURN a.b", "G307", "a"),
    ("MATCH ()-[r*]->() RETURN r.since", "G307", "r"),
    ("RETURN round()", "G302", "round()"),
    ("RETURN foo(1)", "G303", "foo"),
    ("RETURN date.foo(1)", "G303", "date.foo"),
    ("CALL db.foo()", "G305", "db.foo"),
    ("CALL DB.labels()", "G305", "DB.labels"),
    ("CALL db.labels() YIELD name RETURN name", "G306", "name"),
    ("RETURN 9223372036854775808", "G308", "9223372036854775808"),
    ("RETURN 0x8000000000000000", "G308", "0x8000000000000000"),
    ("RETURN -(9223372036854775808)", "G308", "9223372036854775808"),
    ("RETURN 1.34E999", "G309", "1.34E999"),
]


@pytest.mark.parametrize(("query", "code", "guilty"), REFUSED)
def test_refused_at_the_guilty_place(query: str, code: str, guilty: str) -> None:
    errors = [d for d in found(query) if d.severity == "error"]
    assert [d.code for d in errors] == [code]
    assert query[errors[0].start : errors[0].end] == guilty


ACCEPTED = [
    "RETURN null AND true",
    "RETURN $p AND true",
    "RETURN [1, 'a'][0] AND true",
    "MATCH (n) WHERE n.x RETURN n",
    "MATCH (n) WHERE n.x + 1 RETURN n",
    "MATCH (n) RETURN size(n.x), n.x IN n.y, n.x[0]",
    "WITH {a: 1} AS m RETURN length(m.a)",
    "MATCH (n) WITH {a: n} AS m DELETE m.a",
    "UNWIND 1 AS x RETURN x + 1",
    "MATCH (n) UNWIND n AS x RETURN labels(x)",
    "RETURN 1 < 'a', 1 = true, 1 STARTS WITH 'a'",
    "RETURN 'a' + 1, 1 + 'a', 'a' + true, [1] + 1, {a: 1} + [1]",
    "RETURN duration('P1D') * 2, date() + duration('P1D')",
    "RETURN reduce(s = 0, x IN [1.5] | s + x) + 1",
    "MATCH (n) RETURN length(CASE WHEN n.x THEN null ELSE 1 END)",
    "RETURN -9223372036854775808, - 9223372036854775808, -0x8000000000000000, 1e-999",
    "RETURN apoc.text.join(['a'], 1), gds.version()",
    "CALL apoc.help('a') YIELD name RETURN name",
    "CALL db.awaitIndex",
    "RETURN stdev(1), toUPPER('a'), DATE('2026-01-01')",
    "MATCH ((a)-[r:R]->(b) WHERE r.x > 1 AND labels(a) = ['A']){1,2} RETURN size(a)",
    "MATCH (a)-[r:R WHERE type(r) = 'R']->{1,2}(b) RETURN size(r)",
    "RETURN [x IN [[1]] | [y IN x | y + 1]]",
    "WITH 1 AS x RETURN [x IN [[1]] | x[0]], x + 1",
]


@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
@pytest.mark.parametrize("query", ACCEPTED)
def test_accepted(query: str, dialect: str) -> None:
    assert codes(query, dialect) == []


def test_a_name_means_something_else_in_a_comprehension_only() -> None:
    assert codes("WITH 1 AS x RETURN [x IN ['a'] | x =~ 'a'], x =~ 'a'") == ["G301"]


def test_all_errors_that_do_not_follow_from_one_another() -> None:
    assert codes("RETURN 1 AND true AS a, foo(2) AS b, [1] IN 3 AS c") == ["G301", "G303", "G301"]


# ------------------------------------------------------------------ dialects


def test_functions_of_a_later_version() -> None:
    assert codes("RETURN coll.max([1])", "neo4j-5") == ["G304"]
    assert codes("RETURN coll.max([1])", "neo4j-25") == []
    assert codes("CYPHER 25 RETURN coll.max([1])", "neo4j-5") == []
    assert codes("RETURN isEmpty([])", "opencypher-9") == ["G304"]


def test_arguments_of_a_later_version() -> None:
    assert codes("RETURN date('1/2/2026', 'd/M/yyyy')", "neo4j-5") == ["G302"]
    assert codes("RETURN date('1/2/2026', 'd/M/yyyy')", "neo4j-25") == []


def test_set_takes_a_map() -> None:
    query = "MATCH (n), (m) SET n = m"
    assert [(d.code, d.severity) for d in found(query, "neo4j-25")] == [("G301", "error")]
    assert [(d.code, d.severity) for d in found(query, "neo4j-5")] == [("G311", "warning")]
    assert found(query, "opencypher-9") == []


@pytest.mark.parametrize(
    ("query", "dialects"),
    [
        ("MATCH (n) RETURN id(n)", {"neo4j-5", "neo4j-25"}),
        ("CALL db.index.vector.queryNodes('a', 1, [1]) YIELD node RETURN node", {"neo4j-25"}),
    ],
)
def test_deprecated_calls(query: str, dialects: set[str]) -> None:
    for dialect in ("opencypher-9", "neo4j-5", "neo4j-25"):
        warnings = [d.code for d in found(query, dialect) if d.severity == "warning"]
        assert warnings == (["G310"] if dialect in dialects else [])


def test_call_without_its_variables() -> None:
    warned = found("MATCH (n) CALL { WITH n RETURN n.x AS x } RETURN x")
    assert [(d.code, d.severity) for d in warned] == [("G311", "warning")]
    assert warned[0].hint == "write CALL (n) { .. }, without the WITH that imports them"
    assert found("MATCH (n) CALL (n) { RETURN n.x AS x } RETURN x") == []


# ------------------------------------------------------------------ repairs


@pytest.mark.parametrize(
    ("query", "repaired"),
    [
        ("RETURN toint('1')", "RETURN toInteger('1')"),
        ("MATCH p = ()--() RETURN rels(p)", "MATCH p = ()--() RETURN relationships(p)"),
        ("RETURN toUper('a')", "RETURN toUpper('a')"),
        ("RETURN distance($a, $b)", "RETURN point.distance($a, $b)"),
        ("CALL db.Labels()", "CALL db.labels()"),
        ("MATCH (n), (m) SET n += m", "MATCH (n), (m) SET n += properties(m)"),
    ],
)
def test_repair(query: str, repaired: str) -> None:
    fix = found(query)[0].fix
    assert fix is not None
    text = query
    for edit in sorted(fix.edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert text == repaired
    assert found(text) == []


def test_paths_are_no_property_values() -> None:
    assert not PROPERTY & PATH
