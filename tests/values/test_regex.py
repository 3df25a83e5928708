"""Java's regular expressions mean in Python what they mean in Java; the expectations are Neo4j's."""

from __future__ import annotations

import pytest

import graphir
from graphir.values.functions import call

MATCHES = [
    ("abc", "a.*", True),
    ("abc", "b", False),
    ("a\n", "a.", False),
    ("a\x85", "a.", False),
    ("a\n", "(?s)a.", True),
    ("AB", "(?i)ab", True),
    ("É", "(?i)é", False),
    ("É", "(?iu)é", True),
    ("xAb", "x(?i)a|B", False),
    ("xA", "x(?i)a|B", True),
    ("b", "x(?i)a|B", True),
    ("aB", "a(?i:b)", True),
    ("AB", "a(?i:b)", False),
    ("٣", "\\d", False),
    ("é", "\\w", False),
    ("é", "\\p{L}", True),
    ("É", "\\p{Lu}", True),
    ("é", "\\P{L}", False),
    ("\xa0", "\\h", True),
    ("\r\n", "\\R", True),
    ("a.b", "\\Qa.b\\E", True),
    ("axb", "\\Qa.b", False),
    ("A", "\\x41", True),
    ("😀", "\\x{1F600}", True),
    ("A", "\\0101", True),
    ("aa", "(?<c>a)\\k<c>", True),
    ("aa", "(a)\\1", True),
    ("]", "[]a]", True),
    ("-", "[a-]", True),
    ("a-", "[\\w-]+", True),
    (" x", "[\\s\\S]+", True),
    ("", "\\B", True),
    ("aab", "a++b", True),
    ("ab", "(?>a|ab)b", True),
    ("!", "\\p{Punct}", True),
    ("a\r\n", "a$\\s*", True),
    ("a\r\n", "a\r$\n", False),
    ("a\rb", "(?m)a$\r^b", True),
    ("a\rb", "a$\r^b", False),
    ("_-z", "[\\w-z]+", True),
    ("`", "[\\w-z]", False),
    ("7", "[a-z[0-9]]", True),
    ("h", "[[:alpha:]]", True),
    ("z", "[[:alpha:]]", False),
]


@pytest.mark.parametrize(("text", "pattern", "expected"), MATCHES)
def test_matches(text: str, pattern: str, expected: bool) -> None:
    assert call("matches", text, pattern) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "[a-",
        "*",
        "a**",
        "a{",
        "{",
        "\\",
        "\\y",
        "\\E",
        "(?<1>a)",
        "\\x{110000}",
        "(?q)",
        "\\p",
        "[",
        "x{2",
        "[z-a]",
    ],
)
def test_no_regular_expression(pattern: str) -> None:
    with pytest.raises(graphir.RunFault) as raised:
        call("matches", "a", pattern)
    assert raised.value.diagnostics[0].code == "G635"


@pytest.mark.parametrize(
    "pattern",
    [
        *("[a[^b]]", "[^a[b]]", "[a-z&&[^b]]", "\\p{IsGreek}", "\\p{IsAlphabetic}", "\\G", "\\X"),
        *("(?x)a", "(?U)a", "(?d)a", "(?<=a+)b", "(?u)\\b", "[\\H]"),
    ],
)
def test_refused(pattern: str) -> None:
    with pytest.raises(graphir.RunFault) as raised:
        call("matches", "a", pattern)
    assert raised.value.diagnostics[0].code == "G636"


def test_what_is_no_string() -> None:
    assert call("matches", 1, "a") is None
    assert call("matches", None, "(") is None
    assert call("matches", "a", None) is None
    with pytest.raises(graphir.RunFault):
        call("matches", "a", 1)


def test_replacing() -> None:
    assert call("string.regexReplace", "abc", "(b)", "[$1]") == "a[b]c"
    assert call("string.regexReplace", "abc", "(?<x>b)", "\\$${x}") == "a$bc"
    assert call("string.regexReplace", "abc", "z*", "-") == "-a-b-c-"
    for by in ("$2", "$", "\\"):
        with pytest.raises(graphir.RunFault):
            call("string.regexReplace", "abc", "(b)", by)
