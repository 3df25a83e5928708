"""Profiles, settings in TOML, comments that silence findings, and what a check with a schema says under each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir import profiles, settings
from graphir.diagnostics import diagnose
from graphir.profiles import BLANK, GATE, LINT, PROFILES, STRICT, Profile
from graphir.schema import NodeType, Schema
from graphir.source import Source
from tests.sample_schemas import FILMS, prop

REVERSED = "MATCH (f:Film)-[:ACTED_IN]->(p:Person) RETURN p.name"
UNKNOWN = "MATCH (p:Persn) RETURN p.name"
QUOTED = "MATCH (p:Person) WHERE p.age = '42' RETURN p.name"


def found(text: str, profile: str | Profile = "lint", schema: graphir.Schema | None = FILMS) -> list[tuple[str, str]]:
    return [(d.code, d.severity) for d in graphir.check(text, schema=schema, profile=profile)]


# ------------------------------------------------------------------ profiles


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (UNKNOWN, "G140"),
        ("MATCH (p:Person)-[:ACTS_IN]->() RETURN p.name", "G141"),
        ("MATCH (p:Person) RETURN p.nam", "G142"),
        (REVERSED, "G230"),
        (QUOTED, "G321"),
    ],
)
def test_what_the_data_cannot_match_is_a_warning_and_an_error_at_the_gate(text: str, code: str) -> None:
    assert found(text) == [(code, "warning")]
    assert (code, "warning") in found(text, "strict")
    assert found(text, "gate") == [(code, "error")]
    assert found(text, schema=None) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_what_the_engine_refuses_is_an_error_everywhere(profile: str) -> None:
    assert ("G101", "error") in found("MATCH (n) RETURN m", profile, None)


def test_writes_are_denied_at_the_gate_only() -> None:
    text = "MATCH (p:Person {name: 'Ada'}) SET p.age = 36"
    assert found(text) == []
    assert found(text, "strict") == []
    assert found(text, "gate") == [("G410", "error")]


def test_several_statements() -> None:
    assert found("RETURN 1 AS a; RETURN 2 AS b") == [("G040", "warning")]
    assert found("RETURN 1 AS a; RETURN 2 AS b", "gate") == [("G040", "error")]


def test_what_is_slow_is_said_by_strict_only() -> None:
    text = "MATCH (p:Person), (f:Film) RETURN p.name, f.title"
    assert found(text) == []
    assert found(text, "gate") == []
    assert found(text, "strict") == [("G240", "warning"), ("G242", "warning")]


def test_wildcards_are_a_warning_at_the_gate() -> None:
    assert found("MATCH (p:Person) WHERE p.name CONTAINS '%Ada%' RETURN p.age", "gate") == [("G326", "warning")]


def test_every_pass_of_the_profiles_exists() -> None:
    from graphir.passes.checks import CHECKS, OF_SCHEMA

    assert {*CHECKS, *OF_SCHEMA, "syntax", "statements", "suppression"} == set(profiles.PASSES)
    for profile in PROFILES.values():
        assert all(key in profiles.PASSES or key.startswith("G") for key in profile.levels)


@pytest.mark.parametrize(
    ("levels", "severity", "expected"),
    [
        ({}, "warning", "warning"),
        ({"schema": "error"}, "warning", "error"),
        ({"schema": "error"}, "info", "info"),
        ({"schema": "info"}, "error", "error"),
        ({"schema": "error", "G14": "info"}, "warning", "info"),
        ({"G14": "error", "G140": "warning"}, "info", "warning"),
        ({"G140": "off"}, "error", None),
        ({"G1": "off", "G140": "error"}, "warning", "error"),
        ({"schema": "off"}, "error", None),
        ({"schema": "off", "G140": "info"}, "error", "info"),
    ],
)
def test_levels(levels: dict[str, Any], severity: Any, expected: str | None) -> None:
    graded = Profile("test", levels).grade("schema", diagnose(Source(""), "G140", "unknown", severity=severity))
    assert (graded and graded.severity) == expected


def test_a_code_of_a_pass_that_is_off() -> None:
    text = "MATCH (p:Person), (f:Film) SET p.x = 1 RETURN p.name, f.title"
    one = settings.profile_of({"severity": {"G240": "info"}}, LINT)
    assert found(text, one, None) == [("G240", "info")]
    assert found("// graphir: ignore G242, G240\n" + text, one, None) == []
    assert found("// graphir: ignore G240\nRETURN 1 AS x", one, None) == [("G093", "warning")]


def test_select_and_ignore_leave_syntax() -> None:
    selecting = Profile("test", select=("G23",), ignore=("G230",))
    assert found(UNKNOWN, selecting) == []
    assert found(REVERSED, selecting) == []
    assert found("RETURN", selecting) == [("G009", "error")]


def test_a_table_gives_the_profile_back() -> None:
    for profile in (*PROFILES.values(), Profile("own", {"G1": "info"}, ("G1",), ("G2",))):
        assert settings.profile_of(profile.to_json(), BLANK) == profile


# ------------------------------------------------------------------ settings


OWN = """
[tool.other]
x = 1

[tool.graphir.profiles.reviewed]
extends = "gate"
ignore = ["G326"]
suppress = true
require-directed = true
allow-procedures = ["db.mine.*"]
allow-functions = ["mine.f"]

[tool.graphir.profiles.reviewed.severity]
cost = "info"
G230 = "warning"
G242 = "off"

[tool.graphir.profiles.reviewed.parameters]
age = "STRING"
ages = "LIST<INTEGER>"

[tool.graphir.profiles.quiet]
extends = "reviewed"
select = ["G10"]

[tool.graphir.profiles.gate]
ignore = ["G14"]
"""


@pytest.fixture
def own(tmp_path: Path) -> dict[str, Profile]:
    path = tmp_path / "pyproject.toml"
    path.write_text(OWN)
    return settings.read_profiles(path)


def test_profiles_of_a_project(own: dict[str, Profile]) -> None:
    reviewed = own["reviewed"]
    assert set(own) == {"lint", "gate", "strict", "reviewed", "quiet"}
    assert found(REVERSED, reviewed) == [("G230", "warning")]
    assert found("MATCH (p:Person), (f:Film) RETURN p.name, f.title", reviewed) == [("G240", "info")]
    assert found("MATCH (p:Person) WHERE p.name = '%Ada%' RETURN p.age", reviewed) == []
    assert found("MATCH (p:Person) WHERE p.age = $age RETURN p.name", reviewed) == [("G329", "error")]
    assert found("MATCH (p:Person)-[:KNOWS]-(q:Person) RETURN p.name", reviewed)[0][0] == "G232"
    assert found("CALL db.mine.read() YIELD x RETURN x", reviewed) == found("CALL db.mine.read() YIELD x RETURN x")
    assert reviewed.options.allow.functions == ("mine.f",)
    assert str(reviewed.options.parameters["ages"]) == "LIST<INTEGER>"


def test_a_profile_extends_another_of_the_file_or_its_namesake(own: dict[str, Profile]) -> None:
    assert found("MATCH (p:Persn) SET p.x = q", own["quiet"]) == [("G101", "error")]
    assert found(UNKNOWN, own["gate"]) == []
    assert found(REVERSED, own["gate"]) == [("G230", "error")]


def test_tables_of_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "graphir.toml"
    path.write_text('[profiles.mine]\nseverity = { schema = "off" }\n')
    assert found(UNKNOWN, settings.read_profiles(path)["mine"]) == []


def test_the_nearest_settings_are_found(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert settings.find(inner) is None or tmp_path not in settings.find(inner).parents  # type: ignore[union-attr]
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "pyproject.toml").write_text(OWN)
    assert settings.find(inner) == tmp_path / "pyproject.toml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[profiles", "is not TOML"),
        ("profiles = 3", "table of tables"),
        ("[profiles]\nx = 3", "table of tables"),
        ("[profiles.x]\nextend = 'gate'", "did you mean 'extends'"),
        ("[profiles.x]\nextends = 'gat'", "did you mean 'gate'"),
        ("[profiles.x]\nextends = 'y'\n[profiles.y]\nextends = 'x'", "x -> y -> x"),
        ("[profiles.x]\nseverity = 3", "is a table"),
        ("[profiles.x.severity]\nscheme = 'off'", "did you mean 'schema'"),
        ("[profiles.x.severity]\nschema = 'fatal'", "one of error, warning, info, off"),
        ("[profiles.x]\nselect = 'G1'", "list of strings"),
        ("[profiles.x]\nselect = ['1']", "no code"),
        ("[profiles.x]\nselect = ['G099', 'G2']", "'G099', which is no code"),
        ("[profiles.x.severity]\nG999 = 'error'", "'G999' is no pass and no code"),
        ("[profiles.x]\nsuppress = 'yes'", "true or false"),
        ("[profiles.x]\nparameters = []", "is a table"),
        ("[profiles.x.parameters]\na = 'TEXT'", "types: BOOLEAN"),
    ],
)
def test_settings_that_cannot_be_meant(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "graphir.toml"
    path.write_text(text)
    with pytest.raises(graphir.UsageFault, match=message) as caught:
        settings.read_profiles(path)
    assert [d.code for d in caught.value.diagnostics] == ["G096"]


# ------------------------------------------------------------------ comments that silence


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("MATCH (n) RETURN m // graphir: ignore G101", []),
        ("MATCH (n) RETURN m /* graphir: ignore[G101] */", []),
        ("MATCH (n) RETURN m // graphir:ignore G101, G102", ["G093"]),
        ("// graphir: ignore[G101]\nMATCH (n)\nRETURN m", []),
        ("/* graphir: ignore[G101] */ MATCH (n)\nRETURN m", []),
        ("MATCH (n) // graphir: ignore[G101]\nRETURN m", ["G101", "G093"]),
        ("MATCH (n)\n// graphir: ignore[G101]\nRETURN m", []),
        ("MATCH (n)\n// graphir: ignore[G101]\n\n  RETURN m", []),
        ("MATCH (n)\n// graphir: ignore[G101]\nWHERE n.x = 1\nRETURN m", ["G101", "G093"]),
        ("// graphir: ignore[G101]\nRETURN m;\nRETURN k", ["G040", "G101"]),
        ("MATCH (n)\n// graphir: ignore[G101]\n// graphir: ignore[G111]\n// why\nRETURN m", ["G093"]),
        ("MATCH (n)\n/* a */ /* graphir: ignore[G101] */\nRETURN m", []),
        ("MATCH (n) /* a\n */ /* graphir: ignore[G101] */\nRETURN m", []),
        ("MATCH (n) /* graphir: ignore[G101] */ RETURN m /* graphir: ignore[G101] */", ["G093"]),
        ("/* graphir: ignore[G101] */ /* graphir: ignore[G101] */ RETURN m", ["G093"]),
        ("RETURN 1 AS x; /* graphir: ignore[G101] */ RETURN m", ["G040"]),
        ("RETURN m; // graphir: ignore[G101]\nRETURN k", ["G040", "G101"]),
        ("RETURN '// graphir: ignore G101' AS x, m", ["G101"]),
        ("RETURN `// graphir: ignore G101`", ["G101"]),
        ("RETURN m // graphir: ignore", ["G101", "G094"]),
        ("RETURN m // graphir: silence G101", ["G101", "G094"]),
        ("RETURN m // graphir: ignore G999", ["G101", "G094"]),
        ("RETURN // graphir: ignore G009", ["G009", "G094"]),
        ("RETURN 1 AS a // graphir: ignore G140", []),
        ("RETURN 1 AS a // graphir: ignore G240", []),
        ("RETURN 1 AS a // graphir: ignore G040", ["G093"]),
        ("// graphir: ignore[G040]\nRETURN 1 AS a; RETURN 2 AS b", ["G093", "G040"]),
    ],
)
def test_comments_silence(text: str, left: list[str]) -> None:
    assert sorted(code for code, _ in found(text, "lint", None)) == sorted(left)


def test_no_comment_silences_anything_at_the_gate() -> None:
    text = "// graphir: ignore[G410, G101]\nMATCH (n) SET n.x = 1 RETURN m // graphir: ignore G410"
    assert found(text, "gate", None) == [("G095", "info"), ("G410", "error"), ("G101", "error"), ("G095", "info")]


def test_a_profile_that_lets_comments_silence() -> None:
    trusting = settings.profile_of({"suppress": True}, GATE)
    assert found("MATCH (p:Persn) RETURN p.name // graphir: ignore G140", trusting) == []
    assert found("MATCH (p:Person) RETURN p.name // graphir: ignore G140", trusting) == [("G093", "warning")]
    assert found("MATCH (p:Person) RETURN p.name // graphir: ignore G140", trusting, None) == []


def test_levels_of_suppression() -> None:
    silent = settings.profile_of({"severity": {"suppression": "off"}}, LINT)
    assert found("RETURN 1 AS a // graphir: ignore G101", silent) == []
    assert found("RETURN 1 AS a // graphir: ignore G101", STRICT) == [("G093", "warning")]


# ------------------------------------------------------------------ schemas


def test_translation_refuses_what_the_schema_rules_out() -> None:
    assert graphir.translate(REVERSED, write="neo4j-5").startswith("MATCH")
    with pytest.raises(graphir.SemanticFault, match="G230"):
        graphir.translate(REVERSED, write="neo4j-5", schema=FILMS)
    written = graphir.translate("MATCH (p:Person) SET p.age = 3", write="neo4j-5", schema=FILMS)
    assert "SET p.age = 3" in written


def test_translation_uses_the_names_of_the_database() -> None:
    text = "MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN f.title AS title"
    named = replace(FILMS, name="films")
    for target in ("gql-spanner", "pgq-googlesql"):
        written = graphir.translate(text, write=target, schema=named)
        assert "films" in written
        assert written.replace("films", "g") == graphir.translate(text, write=target)
        with pytest.raises(graphir.SemanticFault, match="G230"):
            graphir.translate(REVERSED, write=target, schema=named)
    two_types = Schema((NodeType(("A",), (prop("x", "INTEGER"),)), NodeType(("B",), (prop("x", "STRING"),))))
    assert "a.x" in graphir.translate("MATCH (a:A) RETURN a.x AS x", write="neo4j-5", schema=two_types)
    for target in ("gql-spanner", "pgq-googlesql"):
        assert "a.x_string AS x" in graphir.translate("MATCH (a:B) RETURN a.x AS x", write=target, schema=two_types)
    with pytest.raises(graphir.Unsupported, match="G551"):
        graphir.translate("MATCH (a:B) SET a.x = 'y'", write="gql-spanner", schema=two_types)


@pytest.mark.parametrize("call", [graphir.check, graphir.repair, graphir.translate, graphir.literals])
def test_a_schema_is_a_schema(call: Any) -> None:
    with pytest.raises(graphir.UsageFault, match=r"the schema is a graphir\.Schema, not str"):
        call("RETURN 1 AS a", schema="(A, R, B)")


def test_a_profile_is_named_or_given() -> None:
    with pytest.raises(graphir.UsageFault, match="unknown profile 'Gate'; known: lint, gate, strict"):
        graphir.check("RETURN 1", profile="Gate")
