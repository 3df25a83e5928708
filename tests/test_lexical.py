"""The lexical layer: where strings, names and comments end, scripts, escapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphir.diagnostics import SyntaxFault
from graphir.grammar.lexical import (
    IDENTITY,
    BrokenEscape,
    check_escapes,
    comments,
    decode_string,
    describe_escape,
    describe_unterminated,
    resolve_escapes,
    scan,
    statements,
    unterminated,
)
from graphir.source import Source, Span


def texts(text: str, spans: list[Span]) -> list[str]:
    return [text[s.start : s.end] for s in spans]


# ------------------------------------------------------------------ scripts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RETURN 1", ["RETURN 1"]),
        ("RETURN 1;", ["RETURN 1"]),
        ("RETURN 1; RETURN 2", ["RETURN 1", "RETURN 2"]),
        ("RETURN 1;;  ; RETURN 2 ;", ["RETURN 1", "RETURN 2"]),
        ("", []),
        (" ; \n ;", []),
        ("// only a comment", []),
        ("/* ; */ // ;", []),
        ("RETURN ';' AS a; RETURN \";\" AS b", ["RETURN ';' AS a", 'RETURN ";" AS b']),
        ("RETURN 1 AS `a;b`; RETURN 2", ["RETURN 1 AS `a;b`", "RETURN 2"]),
        ("RETURN 1 AS `a``;b`; RETURN 2", ["RETURN 1 AS `a``;b`", "RETURN 2"]),
        ("RETURN 'it\\'s; here'; RETURN 2", ["RETURN 'it\\'s; here'", "RETURN 2"]),
        ("RETURN 'a\\\\'; RETURN 2", ["RETURN 'a\\\\'", "RETURN 2"]),
        ("RETURN 1 // one; two\n; RETURN 2", ["RETURN 1", "RETURN 2"]),
        ("RETURN 1 /* a; b */ + 1; RETURN 2", ["RETURN 1 /* a; b */ + 1", "RETURN 2"]),
        ("// first\nRETURN 1;\n// second\nRETURN 2 // end\n", ["RETURN 1", "RETURN 2"]),
        ("RETURN 'open; RETURN 2", ["RETURN 'open; RETURN 2"]),
        ("RETURN 1 /* open; RETURN 2", ["RETURN 1 /* open; RETURN 2"]),
        ("/* open", ["/* open"]),
        ("RETURN '// no comment'; RETURN 2", ["RETURN '// no comment'", "RETURN 2"]),
    ],
)
def test_statements_are_split_at_semicolons(text: str, expected: list[str]) -> None:
    assert texts(text, statements(text)) == expected


def test_an_escaped_semicolon_splits_where_escapes_come_first() -> None:
    text = "RETURN 1 \\u003b RETURN 2"
    assert texts(text, statements(text, "neo4j-5")) == ["RETURN 1", "RETURN 2"]
    assert texts(text, statements(text, "opencypher-9")) == [text]


@given(st.lists(st.sampled_from(["RETURN 1", "RETURN ';'", "RETURN `;`", "/* ; */ RETURN 2"]), max_size=5))
def test_joined_statements_come_apart_again(parts: list[str]) -> None:
    text = ";\n".join(parts)
    assert len(statements(text)) == len(parts)


# ------------------------------------------------------------------ comments and tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RETURN 1", []),
        ("RETURN 1 // a", ["// a"]),
        ("RETURN 1 // a\n/* b */ // c", ["// a", "/* b */", "// c"]),
        ("RETURN 1 // a\rRETURN 2", ["// a"]),
        ("RETURN 'http://x' /* /* */", ["/* /* */"]),
        ("RETURN `//` /*/ no end", ["/*/ no end"]),
        ("RETURN 1 /**/ /* * ** */", ["/**/", "/* * ** */"]),
    ],
)
def test_comments_are_found(text: str, expected: list[str]) -> None:
    assert texts(text, comments(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a-->b", ["a", "--", ">", "b"]),
        ("x=~'a'", ["x", "=~", "'a'"]),
        ("1..2 1.5 .5 1e-3 0x1F 1_000", ["1", "..", "2", "1.5", ".5", "1e-3", "0x1F", "1_000"]),
        ("$p $`a b` $1", ["$p", "$`a b`", "$1"]),
        ("n:`a``b`", ["n", ":", "`a``b`"]),
        ("Größe <> 3", ["Größe", "<>", "3"]),
        ("a\u00a0b\u3000c", ["a", "b", "c"]),
        ("\x00§😀", ["\x00", "§", "😀"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert [t.value for t in scan(text)] == expected


@given(st.text(alphabet="'\"`\\/*;\nu0a $", max_size=60))
def test_any_text_is_read(text: str) -> None:
    tokens = list(scan(text))
    assert "".join(text.split()) == "".join("".join(t.value.split()) for t in tokens)
    for span in [*statements(text), *comments(text)]:
        assert 0 <= span.start <= span.end <= len(text)


# ------------------------------------------------------------------ what is never closed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RETURN 'a'", None),
        ("RETURN 'a", "'a"),
        ("RETURN 'a\\'", "'a\\'"),
        ("RETURN 'a\\", "'a\\"),
        ("RETURN '", "'"),
        ("RETURN \"a' b", "\"a' b"),
        ("RETURN `a", "`a"),
        ("RETURN `a``", "`a``"),
        ("RETURN `a```", None),
        ("RETURN /* a", "/* a"),
        ("RETURN /*/", "/*/"),
        ("RETURN // 'a", None),
    ],
)
def test_unterminated(text: str, expected: str | None) -> None:
    span = unterminated(text)
    assert (span and text[span.start : span.end]) == expected


@pytest.mark.parametrize(("opening", "code"), [("'", "G002"), ('"', "G002"), ("`", "G003"), ("/", "G004")])
def test_what_is_unterminated_has_its_code(opening: str, code: str) -> None:
    diagnostic = describe_unterminated(Source("RETURN \n  'a"), opening, Span(10, 11))
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == (code, 2, 3)


# ------------------------------------------------------------------ escapes before tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\u0044ELETE n", "DELETE n"),
        ("RETURN 'a\\u0027", "RETURN 'a'"),
        ("RETURN '\\\\u0041'", "RETURN '\\\\u0041'"),
        ("RETURN '\\\\\\u0041'", "RETURN '\\\\A'"),
        ("RETURN '\\uD83D\\uDE00'", "RETURN '😀'"),
        ("RETURN `a\\u0060", "RETURN `a`"),
        ("RETURN 1 // \\u000a+ 1", "RETURN 1 // \n+ 1"),
        ("RETURN '\\u005Cu0041'", "RETURN '\\u0041'"),
        ("RETURN '\\U0001F600'", "RETURN '\\U0001F600'"),
    ],
)
def test_escapes_are_resolved_before_tokens(text: str, expected: str) -> None:
    assert resolve_escapes(text, "neo4j-5")[0] == expected
    assert resolve_escapes(text, "opencypher-9") == (text, IDENTITY)


def test_offsets_lead_back() -> None:
    text = "\\u0044ELETE \\uD83D\\uDE00 n"
    resolved, offsets = resolve_escapes(text)
    assert resolved == "DELETE 😀 n"
    assert [offsets.original(i) for i in range(len(resolved) + 1)] == [0, 6, 7, 8, 9, 10, 11, 12, 24, 25, 26]
    assert offsets.span(Span(0, 6)) == Span(0, 11)
    assert offsets.span(Span(7, 8)) == Span(12, 24)


def test_without_escapes_nothing_is_done() -> None:
    text = "RETURN '\\n'"
    resolved, offsets = resolve_escapes(text)
    assert resolved is text
    assert offsets is IDENTITY
    assert offsets.identity


@given(st.text(max_size=40))
def test_a_text_written_in_escapes_is_the_text(text: str) -> None:
    units = text.encode("utf-16-be")
    escaped = "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    resolved, offsets = resolve_escapes(escaped)
    assert resolved == text
    assert offsets.original(len(resolved)) == len(escaped)
    assert not offsets.broken


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("RETURN '\\u'", (8, 10)),
        ("RETURN '\\u00zz'", (8, 14)),
        ("RETURN '\\uD83D' AS x", (8, 14)),
        ("RETURN 1 // \\u00", (12, 16)),
        ("RETURN '\\uu0041'", (8, 14)),
    ],
)
def test_a_broken_escape_is_a_fault(text: str, place: tuple[int, int]) -> None:
    _, offsets = resolve_escapes(text, "neo4j-25")
    with pytest.raises(SyntaxFault) as caught:
        check_escapes(Source(text), offsets)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "G005"
    assert (diagnostic.start, diagnostic.end) == place
    check_escapes(Source(text), offsets, within=Span(0, 8))


# ------------------------------------------------------------------ strings


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("'plain'", "plain"),
        ("''", ""),
        ("'it\\'s'", "it's"),
        ('"\\""', '"'),
        ("'\\\\'", "\\"),
        ("'\\b\\f\\n\\r\\t'", "\b\f\n\r\t"),
        ("'a\nb'", "a\nb"),
    ],
)
@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25", "opencypher-9"])
def test_strings_are_decoded(token: str, expected: str, dialect: str) -> None:
    assert decode_string(token, dialect) == expected


@pytest.mark.parametrize("token", ["'\\d+'", "'\\.'", "'\\x'", "'\\`'", "'\\N'", "'\\%'"])
def test_neo4j_keeps_an_unknown_escape_and_opencypher_refuses_it(token: str) -> None:
    assert decode_string(token, "neo4j-25") == token[1:-1]
    with pytest.raises(BrokenEscape) as caught:
        decode_string(token, "opencypher-9")
    assert caught.value.span == Span(1, 3)


def test_opencypher_resolves_unicode_in_strings() -> None:
    assert decode_string("'\\u0041\\U0001F600\\uD83D\\uDE00'", "opencypher-9") == "A😀😀"
    assert decode_string("'\\u0027'", "opencypher-9") == "'"


@pytest.mark.parametrize("token", ["'\\uH'", "'\\u00'", "'\\U0001'", "'\\UFFFFFFFF'", "'\\uD83D'"])
def test_opencypher_refuses_broken_unicode(token: str) -> None:
    with pytest.raises(BrokenEscape):
        decode_string(token, "opencypher-9")


@pytest.mark.parametrize("escape", ["\\u00", "\\U0001", "\\d"])
def test_a_broken_escape_is_described(escape: str) -> None:
    diagnostic = describe_escape(Source(f"RETURN '{escape}'"), Span(8, 8 + len(escape)))
    assert escape in diagnostic.message
    assert diagnostic.hint
