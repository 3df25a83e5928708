"""Repair ends, and ends well: the result parses, what was fixed is gone, a second repair changes nothing.

On broken variants of the sample corpus and of corpora from outside, with one and with several things wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.diagnostics import Diagnostic, Edit, Fix, diagnose
from graphir.repairs import Repair, repair
from graphir.schema import Schema
from graphir.source import Source, Span
from tests import outside
from tests.conformance.mutants import KINDS, Original, mutate
from tests.sample_schemas import FILMS, SAMPLES, sample

SEED = 5
SLIPS = {" = ": " == ", "<>": "!=", " AND ": " && ", "<=": "=<", "'": "’"}


def originals(name: str) -> Iterator[Original]:
    """Good queries with their schemas."""
    if name == "samples":
        for line in (SAMPLES / "queries.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["valid"]:
                yield Original(row["query"], graphir.parse(row["query"]), sample(row["schema"]))
        return
    schemas = {row["id"]: row for row in outside.rows("corpora/schemas")}
    known: dict[str, Schema] = {}
    for row in outside.sample(outside.rows(f"corpora/{name}"), 60, lambda row: str(row["id"])):
        told = schemas.get(row.get("schema") or "")
        if told is not None and not any(d.severity == "error" for d in graphir.check(row["query"])):
            if row["schema"] not in known:
                known[row["schema"]] = Schema.read(told["text"], told["format"])
            yield Original(row["query"], graphir.parse(row["query"]), known[row["schema"]])


def variants(name: str) -> Iterator[tuple[str, Schema]]:
    """Each query with one thing wrong of every kind, with two things wrong, and with slips of the pen."""
    random = Random(SEED)
    for original in originals(name):
        for kind in KINDS:
            first = mutate(original, kind, random)
            if first is None:
                continue
            yield first.text, original.schema
            if kind == "syntax":
                continue
            second = mutate(original._replace(text=first.text, query=graphir.parse(first.text)), "arrow", random)
            if second is not None:
                yield second.text, original.schema
        for right, wrong in SLIPS.items():
            if right in original.text:
                yield original.text.replace(right, wrong, 1), original.schema


def check_repair(text: str, schema: Schema | None, *, unsafe: bool) -> Repair | None:
    """Repair the text and hold the result to what is promised of it; None where it cannot be repaired."""
    try:
        done = graphir.repair(text, schema=schema, unsafe=unsafe)
    except (graphir.SyntaxFault, graphir.SemanticFault):
        return None
    if not done.changed:
        assert done.text == text
        return done
    graphir.parse_script(done.text)
    left = graphir.check(done.text, schema=schema)
    assert list(done.remaining) == left
    before = Counter(d.code for d in graphir.check(text, schema=schema))
    after = Counter(d.code for d in left)
    assert all(after[d.code] < before[d.code] for d in done.applied if before[d.code])
    again = graphir.repair(done.text, schema=schema, unsafe=unsafe)
    assert again.text == done.text
    assert not again.changed
    for fixed in done.applied:
        assert 0 <= fixed.start <= fixed.end <= len(text)
        assert Source(text).position(fixed.start) == (fixed.line, fixed.column)
        assert fixed.fix is not None
        assert unsafe or fixed.fix.safe
    return done


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("name", ["samples", "cypherbench", "zograscope", "neo4j_labs_text2cypher"])
def test_repairs_of_broken_queries_converge(name: str, unsafe: bool) -> None:
    cases = outside.sample(variants(name), 300, lambda case: case[0])
    results = [check_repair(text, schema, unsafe=unsafe) for text, schema in cases]
    assert sum(1 for done in results if done is not None and done.changed) > len(results) / 8


@cache
def texts() -> list[str]:
    found = outside.texts()
    return [found[name] for name in sorted(found)]


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
def test_repairs_of_queries_from_outside_converge(unsafe: bool) -> None:
    for text in outside.sample(texts(), 300):
        check_repair(text, None, unsafe=unsafe)


@given(st.lists(st.sampled_from(["MATCH (n)", " RETURN n", "'", " == ", "!=", "1", ";", "(", "&&", "x"]), max_size=12))
@settings(max_examples=100, deadline=None)
def test_repairs_of_scraps_converge(pieces: list[str]) -> None:
    for unsafe in (False, True):
        check_repair("".join(pieces), None, unsafe=unsafe)


# ------------------------------------------------------------------ the rounds themselves


def finding(text: str, word: str, fresh: str, *, code: str = "G014", safe: bool = True) -> Diagnostic:
    at = text.index(word)
    edits = (Edit(at, at + len(word), fresh),)
    return diagnose(Source(text), code, word, Span(at, at + len(word)), fix=Fix(word, edits, safe))


def test_a_fix_that_does_not_help_is_not_made() -> None:
    def examine(text: str) -> tuple[bool, list[Diagnostic]]:
        return True, [finding(text, word, word[::-1]) for word in ("ab", "ba") if word in text]

    assert repair("ab", examine) == Repair("ab", (), (finding("ab", "ab", "ba"),))


def test_fixes_that_only_help_alone() -> None:
    def examine(text: str) -> tuple[bool, list[Diagnostic]]:
        found = [finding(text, word, "") for word in ("a", "b") if word in text]
        return True, found if text else [finding("abc", "c", "") for _ in range(3)]

    done = repair("ab", examine)
    assert done.text == "b"
    assert [d.message for d in done.applied] == ["a"]


def test_fixes_in_the_same_place_are_made_in_turn() -> None:
    def examine(text: str) -> tuple[bool, list[Diagnostic]]:
        return True, [finding(text, word, "") for word in ("ab", "abc", "d") if word in text]

    done = repair("abcd", examine)
    assert done.text == "c"
    assert [(d.message, d.start, d.end) for d in done.applied] == [("ab", 0, 2), ("d", 3, 4)]


def test_places_are_those_of_the_text_as_given() -> None:
    steps = {"aXbYc": ("X", "12345"), "a12345bYc": ("Y", ""), "a12345bc": ("c", "C")}

    def examine(text: str) -> tuple[bool, list[Diagnostic]]:
        rest = list(steps)[list(steps).index(text) :] if text in steps else []
        return True, [finding(text, *steps[text])] * len(rest) if rest else []

    done = repair("aXbYc", examine)
    assert done.text == "a12345bC"
    assert [(d.message, d.start, d.end, d.column) for d in done.applied] == [
        ("X", 1, 2, 2),
        ("Y", 3, 4, 4),
        ("c", 4, 5, 5),
    ]


# ------------------------------------------------------------------ by example


@pytest.mark.parametrize(
    ("text", "expected", "codes"),
    [
        (
            "MATCH (f:Film)-[:ACTED_IN]->(p:Person) WHERE p.age == '42' RETURN p.name",
            "MATCH (f:Film)<-[:ACTED_IN]-(p:Person) WHERE p.age = 42 RETURN p.name",
            ["G230", "G014", "G321"],
        ),
        (
            "MATCH (f:Film)-[:ACTED_IN]->(p:Person) RETURN f; // one\nMATCH (p:Person) WHERE p.age != 3 RETURN p",
            "MATCH (f:Film)<-[:ACTED_IN]-(p:Person) RETURN f; // one\nMATCH (p:Person) WHERE p.age <> 3 RETURN p",
            ["G230", "G014"],
        ),
        (
            "```cypher\nMATCH (p:Person) WHERE toLower(p.name) = 'Ada' RETURN p\n```",
            "MATCH (p:Person) WHERE toLower(p.name) = 'ada' RETURN p",
            None,
        ),
        ("MATCH (p:Persn) RETURN p.nam", "MATCH (p:Persn) RETURN p.nam", []),
    ],
)
def test_repairs(text: str, expected: str, codes: list[str] | None) -> None:
    done = graphir.repair(text, schema=FILMS)
    assert done.text == expected
    assert codes is None or [d.code for d in done.applied] == codes


def test_what_cannot_be_repaired_raises() -> None:
    with pytest.raises(graphir.SyntaxFault, match="G0"):
        graphir.repair("MATCH (n RETURN n")
    with pytest.raises(graphir.SemanticFault, match="G101"):
        graphir.repair("MATCH (n) WHERE n.x == 3 RETURN m")
    assert graphir.repair("MATCH (n RETURN n", unsafe=True).text == "MATCH (n) RETURN n"


def test_what_is_left_is_told() -> None:
    text = "MATCH (f:Film)-[:ACTED_IN]->(p:Person) RETURN p.nam"
    done = graphir.repair(text, schema=FILMS, profile="gate")
    assert [(d.code, d.severity) for d in done.remaining] == [("G142", "error")]
    assert graphir.repair(text, schema=FILMS, unsafe=True).text.endswith("RETURN p.name")
