"""Statements of SQL that are no queries, told by their first words; and where in a text queries stand.

Knows the tokens of a dialect and no grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from graphir.grammar.gql_lexical import Lexical
from graphir.source import Span

_MODIFIERS = frozenset(
    (
        *("OR", "REPLACE", "TEMP", "TEMPORARY", "UNLOGGED", "GLOBAL", "LOCAL", "PRIVATE", "RECURSIVE", "FORCE"),
        *("EDITIONABLE", "NONEDITIONABLE", "CONCURRENTLY", "NO", "FORCE", "PUBLIC"),
    )
)
"""Words that may stand between CREATE and what is created."""

_PAIRS = frozenset((("PROPERTY", "GRAPH"), ("MATERIALIZED", "VIEW"), ("UNIQUE", "INDEX"), ("PACKAGE", "BODY")))
_VERBS = ("CREATE", "ALTER", "DROP", "DESCRIBE", "DESC", "SHOW", "COMMENT", "TRUNCATE", "REFRESH", "EXPORT")
"""Verbs whose object belongs to the kind of the statement."""

_WRITING_TEXT = """
    INSERT UPDATE DELETE MERGE GRANT REVOKE COPY PREPARE EXECUTE EXEC DEALLOCATE SET RESET SAVEPOINT PRAGMA ATTACH
    DETACH INSTALL LOAD USE CALL CHECKPOINT VACUUM ANALYZE IMPORT LOCK DECLARE CLOSE DO PURGE RENAME FLASHBACK
    AUDIT
"""
_READING_TEXT = "EXPLAIN SUMMARIZE BEGIN START COMMIT ROLLBACK END"
_WRITING, _READING = frozenset(_WRITING_TEXT.split()), frozenset(_READING_TEXT.split())
_LOOKING = frozenset(("DESCRIBE", "DESC", "SHOW"))

QUERIES = frozenset(("SELECT", "WITH", "FROM", "VALUES"))
"""Words that a query may begin with."""

HOLDING = frozenset(
    (
        *("explain", "explain analyze", "prepare", "insert", "copy", "declare"),
        *("create view", "create table", "create materialized view", "export data"),
    )
)
"""Kinds of statements that hold a query."""


def starts_query(text: str, span: Span, lexical: Lexical) -> bool:
    """Whether a statement begins as a query does."""
    token = next(
        (each for each in lexical.token.finditer(text, span.start, span.end) if each.lastgroup != "blank"), None
    )
    return token is not None and (token[0] == "(" or token[0].upper() in QUERIES)


class Kind(NamedTuple):
    """What a statement is: its kind in lower case, and whether it may change anything (write) or not (read)."""

    name: str
    access: str


def kind_of(text: str, span: Span, lexical: Lexical) -> Kind | None:
    """The kind of a statement that is no query; None for queries, and for what no statement begins with."""
    words = _words(text, span, lexical)
    verb = next(words, "")
    if verb in _VERBS:
        looks = verb in _LOOKING
        if verb == "COMMENT":
            next(words, "")
        first = next((word for word in words if word not in _MODIFIERS), "")
        if first and first in {one for one, _ in _PAIRS}:
            second = next(words, "")
            first = f"{first} {second}" if (first, second) in _PAIRS else first
        told = {"DESC": "describe"}.get(verb, verb.lower())
        return Kind(f"{told} {first.lower()}".strip(), "read" if looks else "write")
    if verb == "EXPLAIN":
        return Kind("explain analyze" if "ANALYZE" in (next(words, ""), next(words, "")) else "explain", "read")
    if verb in _READING or verb in _WRITING:
        return Kind(verb.lower(), "read" if verb in _READING else "write")
    return None


def kind_beside_gql(text: str, span: Span, lexical: Lexical) -> Kind | None:
    """The kind of a statement that begins as none of GQL does; INSERT, DELETE and MERGE begin some, without their
    second word."""
    words = _words(text, span, lexical)
    verb = next(words, "")
    begins = verb in _BESIDE_GQL or (verb, next(words, "")) in _PAIRS_BESIDE_GQL
    return kind_of(text, span, lexical) if begins else None


_BESIDE_GQL = frozenset(
    (
        *("CREATE", "ALTER", "DROP", "TRUNCATE", "UPDATE", "GRANT", "REVOKE", "EXPLAIN", "ANALYZE", "DESCRIBE"),
        *("DECLARE", "EXECUTE", "EXPORT"),
    )
)
_PAIRS_BESIDE_GQL = frozenset((("INSERT", "INTO"), ("INSERT", "OR"), ("DELETE", "FROM"), ("MERGE", "INTO")))


def _words(text: str, span: Span, lexical: Lexical) -> Iterator[str]:
    """The words at the beginning of a statement, in upper case."""
    for token in lexical.token.finditer(text, span.start, span.end):
        if token.lastgroup == "other":
            yield token[0].upper()
        elif token.lastgroup != "blank":
            return


def held_query(text: str, span: Span, lexical: Lexical) -> Span | None:
    """The query that a statement holds: from the first word of one outside of brackets to the end, or what stands in
    brackets and begins with such a word."""
    depth = 0
    opened: list[int] = []
    previous = ""
    for token in lexical.token.finditer(text, span.start, span.end):
        word = token[0].upper() if token.lastgroup == "other" else ""
        if word == "(":
            opened.append(token.end())
            depth += 1
        elif word == ")" and opened:
            opened.pop()
            depth -= 1
        elif word in QUERIES:
            if depth == 0:
                return Span(token.start(), span.end)
            if depth == 1 and previous == "(" and (end := _closing(text, token.start(), span.end, lexical)) is not None:
                return Span(token.start(), end)
        if token.lastgroup != "blank":
            previous = word
    return None


def _closing(text: str, start: int, end: int, lexical: Lexical) -> int | None:
    """Where the bracket that stands open before a place is closed."""
    depth = 1
    for token in lexical.token.finditer(text, start, end):
        if token.lastgroup == "other" and token[0] in "()":
            depth += 1 if token[0] == "(" else -1
            if depth == 0:
                return token.start()
    return None


def graph_tables(text: str, span: Span, lexical: Lexical) -> list[Span]:
    """The places of the outermost `GRAPH_TABLE ( .. )`; one without its end runs to the end of the statement."""
    found: list[Span] = []
    start: int | None = None
    graph: int | None = None
    for token in lexical.token.finditer(text, span.start, span.end):
        if token.lastgroup == "blank" or (found and token.start() < found[-1].end):
            continue
        if start is not None and token[0] == "(":
            end = _closing(text, token.end(), span.end, lexical)
            found.append(Span(start, span.end if end is None else end + 1))
        word = token[0].upper() if token.lastgroup == "other" else ""
        start = token.start() if word == "GRAPH_TABLE" else graph if word == "TABLE" else None
        graph = token.start() if word == "GRAPH" else None
    return found


def unmatched_bracket(text: str, span: Span, lexical: Lexical) -> int | None:
    """The first bracket that has no partner."""
    opened: list[tuple[str, int]] = []
    for token in lexical.token.finditer(text, span.start, span.end):
        if token.lastgroup != "other":
            continue
        if token[0] in _PARTNERS:
            opened.append((_PARTNERS[token[0]], token.start()))
        elif token[0] in _PARTNERS.values() and (not opened or opened.pop()[0] != token[0]):
            return token.start()
    return opened[-1][1] if opened else None


_PARTNERS = {"(": ")", "[": "]", "{": "}"}
