"""Functions and operators that are translated give the same value on both engines, also for awkward operands.

The rows come from UNWIND of literals, so that literals are compared too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from neo4j import Driver

import graphir
from graphir.backends.cypher.names import string
from tests.engines.differential import TARGETS, comparable, schema
from tests.engines.googlesql import database

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

TEXTS = [
    *("", "a", "ab", "abc", "Abc", "ABC", "aab", "b", "é", "É", "ß", "SS", "İ", "ı", "ΑΣ", "ας", "ǆ", "ŉ", "ﬁ"),
    *("\xa0", " a", "a ", "a b", "a\nb", "a\rb", "a\x85b", "a\u2028b", "a\tb", "a\x0bb", "k", "K", "K", "s"),
    *("ſ", "x1", "12", "1", "-", "_", "a.b", "a\\b", "a'b", 'a"b', "`", "😀", "a😀b", "é", "%", "foo", "xFOOx"),
]
TEXT_FUNCTIONS = [
    *("toUpper(v)", "toLower(v)", "reverse(v)", "char_length(v)", "size(v)", "substring(v, 1)"),
    *("substring(v, 0, 2)", "substring(v, 9)", "left(v, 1)", "left(v, 0)", "replace(v, 'a', 'xy')"),
    *("replace(v, 'ab', '')", "v + v", "v + '!'", "v STARTS WITH 'a'", "v ENDS WITH 'b'", "v CONTAINS 'b'"),
    *("v CONTAINS ''", "v STARTS WITH ''", "v < 'b'", "v >= 'É'", "v = 'a'", "v IN ['a', 'É', null]"),
    *("v IS NULL", "coalesce(v, 'none')", "nullIf(v, 'a')", "v <> v + ''"),
    *("CASE v WHEN 'a' THEN 1 WHEN 'b', 'ab' THEN 2 END", "CASE v WHEN > 'b' THEN 'big' ELSE v END"),
]
PATTERNS = [
    *("a.*", ".*b", "(?i)ABC", "(?i).*foo.*", "^a.b$", "[a-c]+", "[^a]*", "\\\\d+", "\\\\w*", "\\\\s.*"),
    *("a\\\\sb", "\\\\S+", "a|ab", "(a|b)+", "(?:ab)?c?", "a{2}b", "a{1,2}.?", ".", "..", "a\\\\.b"),
    *("a\\\\\\\\b", "[\\\\w.]+", "", "(?i)k", "(?i)s", "(?i)[j-l]", "(?i)é", "a[^x]b", "a\\\\nb", "a.+?b"),
    *("(?i)[a-z_0-9]*",),
]
NUMBERS = ["0", "1", "-1", "2", "3", "7", "-7", "null"]
FLOATS = ["0.0", "-0.5", "0.5", "1.5", "-2.5", "3.0", "1e100", "null"]
NUMBER_FUNCTIONS = [
    *("v + w", "v - w", "v * w", "-v", "abs(v)", "v = w", "v <> w", "v < w", "v >= w", "v = w XOR v > 1"),
    *("NOT v = w", "v > 1 AND w > 1", "v > 1 OR w > 1", "v IN [1, w]", "coalesce(v, w)", "v IS NOT NULL"),
    *("floor(v)", "ceil(v)", "CASE WHEN v > w THEN v ELSE w END", "v / 2.0", "nullIf(v, w)", "v < 1.5"),
    *("v = 1.0",),
]
INTEGER_FUNCTIONS = ["v % 3", "v / 3", "v % -2", "v / -2", "(v + 1) / 2 * 2.0"]
FLOAT_FUNCTIONS = ["v / w", "w / 0.0"]
DATES = ["date('2024-02-29')", "date('1999-12-31')", "date('0001-01-01')", "null"]
DATE_FUNCTIONS = ["v", "v = w", "v < w", "v >= date('2000-01-01')", "v IN [w, date('1999-12-31')]", "coalesce(v, w)"]


@pytest.fixture(scope="module")
def google() -> Iterator[Database]:
    with database("spanner") as engine:
        engine.define(schema())
        yield engine


def texts(values: Iterable[str]) -> str:
    return f"[{', '.join([string(value, 'neo4j-25') for value in values])}]"


def differing(neo4j: Driver, google: Database, head: str, functions: Sequence[str]) -> list[tuple[str, str]]:
    """The functions, with the target, that have other values behind the head of the query than on Neo4j."""
    columns = ", ".join([f"{function} AS r{at}" for at, function in enumerate(functions)])
    query = f"{head} RETURN {columns}"
    with neo4j.session() as session:
        wanted = [record.values() for record in session.run(f"CYPHER 25 {query}")]
    assert wanted
    found = []
    for target in TARGETS:
        rows = google.query(graphir.translate(query, read="neo4j-25", write=target)).rows
        for at, function in enumerate(functions):
            given, right = ([[*row[:2], row[at]] for row in table] for table in (rows, wanted))
            if comparable(given, False) != comparable(right, False):
                found.append((target, function))
    return found


def test_strings(neo4j: Driver, google: Database) -> None:
    functions = ["v", *TEXT_FUNCTIONS, *[f"v =~ '{pattern}'" for pattern in PATTERNS]]
    assert differing(neo4j, google, f"UNWIND {texts(TEXTS)} AS v", functions) == []
    assert differing(neo4j, google, "UNWIND ['a', null] AS v", functions) == []


def test_letters(neo4j: Driver, google: Database) -> None:
    """Every character of the basic plane, and letters with cases beyond it."""
    plane = itertools.chain(range(1, 0xD800), range(0xE000, 0x10000))
    assigned = itertools.chain(plane, range(0x10400, 0x10600), range(0x1E900, 0x1E950))
    letters = [chr(code) for code in assigned]
    functions = ["v", "toUpper(v)", "toLower(v)", "reverse(v)", "v =~ '(?i)[a-z]'", "v =~ '.'"]
    for start in range(0, len(letters), 4000):
        some = texts(letters[start : start + 4000])
        assert differing(neo4j, google, f"UNWIND {some} AS v", functions) == []


def pairs_of(values: Iterable[str]) -> str:
    some = f"[{', '.join(values)}]"
    return f"UNWIND {some} AS v UNWIND {some} AS w"


def test_integers(neo4j: Driver, google: Database) -> None:
    assert differing(neo4j, google, pairs_of(NUMBERS), ["v", "w", *NUMBER_FUNCTIONS, *INTEGER_FUNCTIONS]) == []


def test_floats(neo4j: Driver, google: Database) -> None:
    assert differing(neo4j, google, pairs_of(FLOATS), ["v", "w", *NUMBER_FUNCTIONS, *FLOAT_FUNCTIONS]) == []


def test_dates(neo4j: Driver, google: Database) -> None:
    assert differing(neo4j, google, pairs_of(DATES), ["v", "w", *DATE_FUNCTIONS]) == []
