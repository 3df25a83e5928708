"""SQL that is more than our grammar has: graph tables are islands in it, read by us; sqlglot reads the sea around them.

A statement that sqlglot reads with a plain table in the place of every island is kept as text around them.  Nothing
else is done with its tree: what the text means is not known.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from graphir.source import Span

DIALECTS = {
    "pgq-iso": "",
    "pgq-oracle-23ai": "oracle",
    "pgq-oracle-26ai": "oracle",
    "pgq-postgres": "postgres",
    "pgq-duckpgq": "duckdb",
    "pgq-hyper": "postgres",
}
"""Dialect -> what sqlglot calls the SQL around graph tables."""

LOST = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
"""What sqlglot's parser raises, besides its own errors, over texts that it does not expect."""

_SILENT = logging.NullHandler()


class Fault(NamedTuple):
    """What sqlglot cannot read, and where."""

    message: str
    span: Span


def read_around(text: str, span: Span, islands: list[Span], dialect: str, word: str = "") -> Fault | None:
    """What is wrong with the SQL around the islands of a statement; None where nothing is.

    `word` is one that must be no name.  Places are kept: an island is replaced by a name and as many blanks as it is
    long.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ParseError, TokenError

    logging.getLogger("sqlglot").addHandler(_SILENT)  # what it warns of is no output of ours
    around = _without(text[span.start : span.end], [Span(i.start - span.start, i.end - span.start) for i in islands])
    try:
        found = sqlglot.parse(around, read=DIALECTS[dialect], error_level=sqlglot.ErrorLevel.RAISE)
    except ParseError as error:
        told = error.errors[0]
        at = _offset(around, told["line"] or 1, told["col"] or 1, len(told["highlight"] or ""))
        return Fault(str(told["description"]).rstrip("."), Span(span.start + at.start, span.start + at.end))
    except TokenError as error:
        return Fault(str(error).split(". ")[0], span)
    except LOST:
        return Fault("this is no SQL", Span(span.start, span.start))
    if len(found) != 1 or found[0] is None:
        return Fault("this is not one statement", span)
    if any(
        each.name.upper() == word.upper() and not each.args.get("quoted") for each in found[0].find_all(exp.Identifier)
    ):
        return Fault(f"`{word}` is a reserved word", Span(span.start, span.start))
    return None


def _without(text: str, islands: list[Span]) -> str:
    parts: list[str] = []
    end = 0
    for number, island in enumerate(islands):
        name = f"g_{number}"
        inside = "".join(["\n" if character == "\n" else " " for character in text[island.start : island.end]])
        parts += [text[end : island.start], name, inside[len(name) :]]
        end = island.end
    return "".join([*parts, text[end:]])


def _offset(text: str, line: int, column: int, length: int) -> Span:
    """The place of a token that ends at a column, from 1, of a line, from 1."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    end = min(start + column, len(text))
    return Span(max(start, end - max(length, 1)), end)
