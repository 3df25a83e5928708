"""The read-only check: what passes and what is denied, why nothing is forgotten, and what an allow-list does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

import graphir
from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.functions import CYPHER_NAMES, FUNCTIONS
from graphir.passes.safety import readonly
from graphir.passes.safety.effects import EFFECTS, function_effect, names, procedure_effect
from graphir.profiles import GATE, Allow, Options, pass_of
from tests import outside

FILE = Path(__file__).with_name("rules") / "readonly.txt"
DIALECTS = ("opencypher-9", "neo4j-5", "neo4j-25")


class Probe(NamedTuple):
    dialect: str
    verdict: frozenset[str]
    query: str


def probes() -> Iterator[Probe]:
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            dialect, rest = line.split(" ", 1) if line.startswith(DIALECTS) else ("neo4j-25", line)
            verdict, query = rest.split(" ", 1)
            yield Probe(dialect, frozenset(verdict.split("+")) - {"read"}, query.replace("⏎", "\n").replace("␍", "\r"))


PROBES = list(probes())


def errors(text: str, dialect: str = "neo4j-25") -> list[Diagnostic]:
    return [found for found in graphir.check(text, dialect, profile="gate") if found.severity == "error"]


def denials(text: str, dialect: str = "neo4j-25") -> set[str]:
    """The codes of the read-only check and of several statements; `syntax` for a text that does not parse."""
    try:
        parsed = all(statement.fault is None for statement in graphir.parse_script(text, dialect))
    except graphir.SyntaxFault:
        parsed = False
    codes = {found.code for found in errors(text, dialect) if pass_of(found.code) in ("read-only", "statements")}
    return codes if parsed else codes | {"syntax"}


@pytest.mark.parametrize("probe", PROBES, ids=[probe.query for probe in PROBES])
def test_verdict(probe: Probe) -> None:
    assert denials(probe.query, probe.dialect) == probe.verdict
    if not probe.verdict:
        assert errors(probe.query, probe.dialect) == []


@pytest.mark.parametrize("probe", [probe for probe in PROBES if probe.verdict])
def test_a_denied_query_is_denied_in_front_of_explain_and_profile(probe: Probe) -> None:
    first = probe.query.lstrip().upper()
    if probe.dialect == "neo4j-25" and not first.startswith(("EXPLAIN", "PROFILE", "CYPHER")):
        for prefix in ("EXPLAIN", "PROFILE", "CYPHER 25 PROFILE"):
            assert denials(f"{prefix} {probe.query}") == probe.verdict


def test_enough_probes() -> None:
    assert sum(not probe.verdict for probe in PROBES) >= 60
    assert sum(bool(probe.verdict) for probe in PROBES) >= 120
    assert {code for probe in PROBES for code in probe.verdict} >= {f"G41{digit}" for digit in range(9)}


@pytest.mark.parametrize("profile", ["lint", "strict"])
def test_only_the_gate_denies(profile: str) -> None:
    text = "LOAD CSV FROM 'x' AS l CALL my.proc() CREATE (n)"
    assert {pass_of(found.code) for found in graphir.check(text, profile=profile)}.isdisjoint({"read-only"})


# ------------------------------------------------------------------ nothing is forgotten


def test_every_class_of_the_ir_is_listed_once() -> None:
    """A new class is denied until it is listed; this test says that it has to be."""
    handled = set(readonly._RULES)
    assert readonly._READING.isdisjoint(handled)
    assert readonly._READING | handled == set(ir.REGISTRY.values())


def test_a_class_that_is_not_listed_is_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readonly, "_READING", readonly._READING - {ir.Unwind})
    assert denials("UNWIND [1] AS x RETURN x") == {"G410"}


def test_every_built_in_function_is_listed() -> None:
    functions = [function for function in FUNCTIONS.values() if not function.operator]
    assert [f.name for f in functions if names("functions").get(f.name) is None] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_built_in_functions_pass_however_they_are_written(dialect: str) -> None:
    for spelling, function in CYPHER_NAMES.items():
        if function.name not in ("exists", "file", "linenumber", "vector", "trim"):
            for name in (spelling, spelling.upper()):
                assert "G413" not in denials(f"RETURN {name}(1) AS x", dialect)


# ------------------------------------------------------------------ the table


@pytest.mark.parametrize("kind", ["procedures", "functions"])
def test_names_have_one_effect(kind: str) -> None:
    from graphir.passes.safety.effects import _table

    table = _table()[kind]
    listed = [name for effect in ("built-in", *EFFECTS) for name in table.get(effect, "").split()]
    assert sorted(listed) == sorted(set(listed))
    assert set(table) <= {"built-in", *EFFECTS}
    assert not [name for name in listed if "*" in name]


def test_no_pattern_allows() -> None:
    from graphir.passes.safety.effects import _table

    assert set(_table()["families"]) <= set(EFFECTS) - {"read"}


def test_everything_that_a_server_lists_is_in_the_table() -> None:
    for row in outside.rows("spec/neo4j_functions"):
        name = row["name"]
        if row["kind"] == "procedure":
            assert name in names("procedures"), name
        elif not row["built_in"]:
            assert name in names("functions"), name


def test_what_is_declared_to_write_does_not_pass() -> None:
    """Two that list the schema are declared SCHEMA, and some that only tell are declared DBMS."""
    harmless = {"apoc.schema.nodes", "apoc.schema.relationships", "dbms.components", "dbms.info", "tx.getMetaData"}
    declared = {
        row["name"] for row in outside.rows("spec/neo4j_functions") if row.get("mode") in ("WRITE", "SCHEMA", "DBMS")
    }
    assert {name for name in declared if procedure_effect(name) == "read"} == harmless


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("apoc.load.json", "io"),
        ("apoc.load.anything.new", "io"),
        ("apoc.cypher.run", "text"),
        ("apoc.create.vNode", "read"),
        ("apoc.create.something", "write"),
        ("gds.pageRank.stream", "read"),
        ("gds.beta.closeness.stream", "read"),
        ("gds.pageRank.write", "write"),
        ("gds.pageRank.mutate", "effect"),
        ("gds.unknown.stream", None),
        ("my.own.proc", None),
        ("db.Labels", None),
    ],
)
def test_effect_of_a_procedure(name: str, effect: str | None) -> None:
    assert procedure_effect(name) == effect


def test_effect_of_a_function() -> None:
    assert function_effect("apoc.text.join") == "read"
    assert function_effect("apoc.cypher.runFirstColumnMany") == "text"
    assert function_effect("db.labels") is None


# ------------------------------------------------------------------ allow-lists


def allowing(*, procedures: tuple[str, ...] = (), functions: tuple[str, ...] = ()) -> graphir.Profile:
    return replace(GATE, options=Options(allow=Allow(procedures, functions)))


@pytest.mark.parametrize(
    ("profile", "text", "codes"),
    [
        (allowing(procedures=("custom.report.*",)), "CALL custom.report.daily() YIELD x RETURN x", set()),
        (allowing(procedures=("custom.report.*",)), "CALL custom.wipe() YIELD x RETURN x", {"G413"}),
        (allowing(procedures=("custom.report.*",)), "RETURN custom.report.f(1) AS x", {"G413"}),
        (allowing(functions=("custom.*",)), "RETURN custom.report.f(1) AS x", set()),
        (allowing(functions=("custom.*",)), "CALL custom.f() YIELD x RETURN x", {"G413"}),
        (allowing(procedures=("apoc.load.json",)), "CALL apoc.load.json('x') YIELD value RETURN value", set()),
        (allowing(procedures=("apoc.load.json",)), "CALL apoc.load.xml('x') YIELD value RETURN value", {"G414"}),
        (allowing(procedures=("*",), functions=("*",)), "CALL any.thing() CREATE (n)", {"G410"}),
        (allowing(procedures=("*",), functions=("*",)), "LOAD CSV FROM 'x' AS l RETURN l", {"G414"}),
        (allowing(functions=("my.f",)), "SHOW INDEXES YIELD name WHERE my.f(name) RETURN name", set()),
    ],
)
def test_allow_list(profile: graphir.Profile, text: str, codes: set[str]) -> None:
    found = graphir.check(text, profile=profile)
    assert {each.code for each in found if pass_of(each.code) == "read-only"} == codes
