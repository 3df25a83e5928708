"""Any input at all: nothing but GraphirError comes out of the public functions, and the time grows with the length."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.ir import json as ir_json
from graphir.ir import text as ir_text
from tests.outside import FULL, sample
from tests.properties.campaign import makers, queries, refuses, survives
from tests.properties.inputs import BROKEN, DEEP, DIALECTS, TARGETS, WIDE, escaped

EXAMPLES = 2000 if FULL else 100
SEEDS = st.integers(0, 2**64)


@cache
def corpus() -> list[str]:
    return sample(queries(), 2000)


@settings(max_examples=EXAMPLES, deadline=None)
@given(text=st.text(max_size=200), read=st.sampled_from(DIALECTS), write=st.sampled_from(TARGETS))
def test_any_text_is_survived(text: str, read: str, write: str) -> None:
    assert survives(text, read, write) in ("parsed", "refused")


@pytest.mark.parametrize(
    "maker",
    ["mutated query", "recombined query", "framed part", "sentence", "clauses", "mutated sentence", "soup", "text"],
)
@settings(max_examples=EXAMPLES, deadline=None)
@given(seed=SEEDS, read=st.sampled_from(DIALECTS), write=st.sampled_from(TARGETS))
def test_any_derived_text_is_survived(maker: str, seed: int, read: str, write: str) -> None:
    text = makers(corpus())[maker](Random(seed))
    assert survives(text, read, write) in ("parsed", "refused")


def outcome(text: str, targets: tuple[str, ...] = TARGETS) -> str:
    """Put a text through everything; `ok`, or the code that parsing gives."""
    dialect = "neo4j-25"
    codes = [d.code for d in graphir.check(text, dialect) if d.severity == "error"]
    for target in targets:
        refuses(lambda target=target: graphir.translate(text, read=dialect, write=target))
    try:
        query = graphir.parse(text, dialect)
    except graphir.GraphirError as error:
        return error.diagnostics[0].code
    assert not codes
    assert graphir.parse(graphir.format(text, dialect), dialect) == query
    assert ir_text.loads(ir_text.dumps(query)) == query
    assert ir_json.from_json(json.loads(json.dumps(ir_json.to_json(query)))) == query
    return "ok"


@pytest.mark.parametrize("name", [name for name in WIDE if name not in ("many statements", "many errors")])
def test_long_queries_are_read(name: str) -> None:
    assert outcome(WIDE[name](500)) in allowed(name)


def allowed(name: str) -> tuple[str, ...]:
    """Left-deep chains may be too deep.  Neo4j takes one IN, =~, IS NULL in a row, and one kind of UNION."""
    if name.startswith(("chain", "mixed")):
        return "ok", "G006", "G022"
    return ("ok",)


@pytest.mark.parametrize("name", ["many statements", "many errors"])
def test_long_scripts_are_read(name: str) -> None:
    text = WIDE[name](2000)
    errors = [finding for finding in graphir.check(text) if finding.severity == "error"]
    assert len(errors) == (2000 if name == "many errors" else 0)
    assert len(graphir.parse_script(text)) == 2000
    assert refuses(lambda: graphir.parse(text))


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("depth", [10, 30])
def test_nesting_is_read(name: str, depth: int) -> None:
    assert outcome(DEEP[name](depth)) == "ok"


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("depth", [100, 255, 300, 1000])
def test_too_much_nesting_is_refused(name: str, depth: int) -> None:
    assert outcome(DEEP[name](depth)) in ("ok", "G006")


@pytest.mark.parametrize("name", DEEP)
def test_endless_nesting_is_refused_as_such(name: str) -> None:
    assert outcome(DEEP[name](10_000)) == "G006"


def test_alternations_of_the_issue_are_read() -> None:
    assert outcome(DEEP["alternations"](200)) == "ok"


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("length", [1, 2, 1000, 20_000])
def test_broken_text_is_refused(name: str, length: int) -> None:
    assert outcome(BROKEN[name](length)).startswith("G0")


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *((f"chain of {operator}", 10_000) for operator in ("AND", "OR", "XOR", "+", "*", "||", "<", "-", "^", "IN")),
        ("chain of properties", 10_000),
        ("mixed chain", 10_000),
        ("long string", 10_000),
        ("long list", 10_000),
        ("many relationships", 10_000),
        ("many unions", 5_000),
        ("comments", 45_000),
        ("blanks", 300_000),
    ],
)
def test_extremes_are_read(name: str, length: int) -> None:
    assert outcome(WIDE[name](length), ("neo4j-5",)) in allowed(name)


@pytest.mark.parametrize("text", ["RETURN '\ufeff' AS x", "RETURN '\U0001f600' AS `\U0001f600`", "\u2028RETURN 1"])
def test_marks_and_astral_characters(text: str) -> None:
    assert outcome(text) == "ok"


@pytest.mark.parametrize("text", ["\ufeffRETURN 1 AS x", "RETURN\u200b1", "RETURN 1\x00"])
def test_characters_that_neo4j_refuses(text: str) -> None:
    assert outcome(text).startswith("G0")


@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
def test_escapes_everywhere(dialect: str) -> None:
    text = "MATCH (n:A {x: 'a'}) WHERE n.x >= 1.5 /* c */ RETURN n.`x y` AS x"
    assert graphir.parse(escaped(text), dialect) == graphir.parse(text, dialect)
    assert graphir.parse(graphir.format(escaped(text), dialect), dialect) == graphir.parse(text, dialect)


def test_escaped_quotes_and_broken_escapes() -> None:
    assert outcome(r"RETURN 'it\u0027s' AS x") != "crash"
    assert outcome(r"RETURN '\u00zz' AS x").startswith("G0")
    assert outcome("RETURN '\\u").startswith("G0")


FAMILIES = {**WIDE, **BROKEN, "cut nesting": lambda n: "RETURN " + "[(" * n}
SLOW = 10
"""Four times the length may take up to ten times the time: linear is four, quadratic sixteen."""


@pytest.mark.parametrize("name", FAMILIES)
def test_time_is_linear(name: str) -> None:
    assert linear(checked if name in BROKEN else processed, FAMILIES[name])


@pytest.mark.parametrize("name", [name for name in WIDE if name != "many paths"])
def test_translation_takes_linear_time(name: str) -> None:
    """Not so many paths in one MATCH: where edges may repeat, each pair of them is told apart."""
    assert linear(translated, WIDE[name])


def linear(action: Callable[[str], None], make: Callable[[int], str]) -> bool:
    """Whether the time grows with the length; measured again where it seems not to."""
    length = 400
    while seconds(action, make(length)) < 0.03 and length < 50_000:
        length *= 2
    text, long = make(length), make(4 * length)
    return any(seconds(action, long) < SLOW * max(seconds(action, text), 0.02) for _ in range(5))


def checked(text: str) -> None:
    graphir.check(text)


def processed(text: str) -> None:
    graphir.check(text)
    refuses(lambda: graphir.format(text))
    refuses(lambda: graphir.translate(text, read="neo4j-25", write="neo4j-5"))


def translated(text: str) -> None:
    for target in ("gql-spanner", "pgq-googlesql"):
        refuses(lambda target=target: graphir.translate(text, read="neo4j-25", write=target))


def seconds(action: Callable[[str], None], text: str) -> float:
    """Processor time without the collector of garbage, whose work depends on what else is in memory."""
    gc.disable()
    try:
        begin = time.process_time()
        action(text)
        return time.process_time() - begin
    finally:
        gc.enable()
