"""`graphir fmt` on text: layout, comments, spellings of numbers, scripts."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphir.backends.cypher.format import format_text
from graphir.diagnostics import SyntaxFault
from graphir.grammar.cypher import parse, parse_script
from graphir.grammar.lexical import comments, scan
from tests.outside import rows, sample, texts


def formatted(text: str, dialect: str = "neo4j-25") -> str:
    """The formatted text, after the checks that it means the same, keeps its comments, and stays as it is."""
    out = format_text(text, dialect)
    assert [s.query for s in parse_script(out, dialect)] == [s.query for s in parse_script(text, dialect)]
    assert list(remarks(out, dialect)) == list(remarks(text, dialect))
    assert format_text(out, dialect) == out
    return out


def remarks(text: str, dialect: str) -> Iterator[str]:
    for span in comments(text, dialect):
        yield text[span.start : span.end].rstrip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("match (n) return n", "MATCH (n)\nRETURN n"),
        ("RETURN 0x1F, 0o17, 1_000, 1.50e3, 31", "RETURN 0x1F, 0o17, 1_000, 1.50e3, 31"),
        ("RETURN \"it's\"", "RETURN 'it\\'s'"),
        ("return 1;", "RETURN 1;"),
        ("return 1 ;\n", "RETURN 1;\n"),
        ("return 1; return 2", "RETURN 1;\nRETURN 2"),
        ("return 1;\n\n\n\nreturn 2;;", "RETURN 1;\n\nRETURN 2;"),
        ("DROP   INDEX x IF EXISTS;match (n) return n", "DROP   INDEX x IF EXISTS;\nMATCH (n)\nRETURN n"),
    ],
)  # fmt: skip
def test_layout(text: str, expected: str) -> None:
    assert formatted(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("// header\n\nMATCH (n) RETURN n", "// header\n\nMATCH (n)\nRETURN n"),
        ("/* a */ MATCH (n) RETURN n", "/* a */\nMATCH (n)\nRETURN n"),
        ("MATCH (n) // all\nRETURN n // done", "MATCH (n) // all\nRETURN n // done"),
        ("MATCH (n)\n// condition\nWHERE n.x RETURN n", "MATCH (n)\n// condition\nWHERE n.x\nRETURN n"),
        ("MATCH (n) WHERE n.x // first\nAND n.y RETURN n", "MATCH (n)\nWHERE n.x // first\n  AND n.y\nRETURN n"),
        ("RETURN 1, // one\n2 // two\n, 3", "RETURN\n  1, // one\n  2, // two\n  3"),
        ("RETURN 1 /* one */, /* two */ 2", "RETURN 1, /* one */ /* two */ 2"),
        ("RETURN [1, /* two */ 2]", "RETURN [1, /* two */ 2]"),
        ("RETURN foo(// why\n1)", "RETURN foo(// why\n1)"),
        ("RETURN 1 // end\n;", "RETURN 1; // end"),
        ("RETURN 1; // after\n// next\nRETURN 2", "RETURN 1; // after\n// next\nRETURN 2"),
        ("CALL { // in\nRETURN 1 AS x // out\n} RETURN x", "CALL { // in\n  RETURN 1 AS x // out\n}\nRETURN x"),
        ("RETURN 1 AS x // a\nUNION // b\nRETURN 2 AS x", "RETURN 1 AS x // a\nUNION // b\nRETURN 2 AS x"),
        ("MATCH (n) /* two\nlines */ RETURN n", "MATCH (n)\n/* two\nlines */ RETURN n"),
        ("RETURN 1 /* a */ // b", "RETURN 1 /* a */ // b"),
        ("// only a comment\n", "// only a comment\n"),
        ("DROP INDEX x /* why */ IF EXISTS // end", "DROP INDEX x /* why */ IF EXISTS // end"),
        ("EXPLAIN // why\nRETURN 1", "EXPLAIN // why\nRETURN 1"),
    ],
)  # fmt: skip
def test_comments(text: str, expected: str) -> None:
    assert formatted(text) == expected


def test_a_broken_statement_raises_its_fault() -> None:
    with pytest.raises(SyntaxFault) as caught:
        format_text("RETURN 1;\nRETURN 2 +;\nRETURN 3")
    assert caught.value.diagnostics[0].line == 2


def commented(text: str, seed: int) -> str:
    """The text with comments put between its words at random."""
    choose = random.Random(seed)
    pieces: list[str] = []
    at = number = 0
    for token in scan(text):
        pieces.append(text[at : token.start])
        at = token.start
        if choose.random() < 0.15 and (at == 0 or text[at - 1].isspace()):
            number += 1
            forms = ("/*c{}*/ ", "// c{}\n", "\n// c{}\n", "/*c{}*/\n", "\n/*c{}\n x*/\n")
            pieces.append(choose.choice(forms).format(number))
    return "".join([*pieces, text[at:], choose.choice(["", " // end", "\n// end\n"])])


def queries() -> list[str]:
    """Texts without comments that parse."""
    found = [row["query"] for row in rows("conformance/opencypher_tck")] + list(texts().values())
    plain = [text for text in found if "//" not in text and "/*" not in text and len(text) < 1_500]
    return [text for text in sample(plain, 400) if parse_script(text)[0].fault is None]


def test_comments_anywhere_are_kept() -> None:
    tried = 0
    for seed, text in enumerate(queries()):
        source = commented(text, seed)
        if all(s.fault is None for s in parse_script(source)) and parse(source) == parse(text):
            formatted(source)
            tried += 1
    assert tried > 300


@given(st.lists(st.sampled_from(["RETURN 1", "// a\n", "/* b */", ";", "\n", " ", "MATCH (n)\n", "RETURN n // c\n"])))
def test_scripts_of_any_shape(pieces: list[str]) -> None:
    text = "".join(pieces)
    if all(s.fault is None for s in parse_script(text)):
        formatted(text)
