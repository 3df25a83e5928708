"""Reads the statements of SQL that the grammar has not: kept as text around the queries and graph tables they hold.

What is read in them is read by the grammar, at its place.  A query that only sqlglot reads is text around its graph
tables; where neither reads it, the fault is that of the one that got further.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from graphir.diagnostics import SyntaxFault
from graphir.grammar.gql_lexical import Lexical
from graphir.grammar.sql_statements import (
    HOLDING,
    Kind,
    graph_tables,
    held_query,
    kind_of,
    starts_query,
    unmatched_bracket,
)
from graphir.ir import Body, Command, Query, SqlStatement, TableExpression
from graphir.source import Span


class Beyond(SyntaxFault):
    """A text that the grammar has no rule for, where a larger one may have it."""


class Reader(Protocol):
    """The reader of a text of one dialect."""

    text: str
    dialect: str
    lexical: Lexical

    def parse(self, span: Span, *, alone: bool = False) -> Query:
        """What the grammar has at a place.  Raises SyntaxFault, and Beyond where it has no rule."""
        ...

    def fault(self, code: str, message: str, span: Span, hint: str | None = None) -> SyntaxFault: ...


def read(reader: Reader, span: Span) -> Query:
    """The statement at a place.  Raises SyntaxFault."""
    kind = kind_of(reader.text, span, reader.lexical)
    if kind is not None:
        return read_other(reader, span, kind)
    return Query(_query(reader, span), span=span)


def _query(reader: Reader, span: Span) -> Body:
    """A query: the grammar's, or one that is text around graph tables."""
    try:
        return reader.parse(span).body
    except Beyond as fault:
        found = fault.diagnostics[0]
        tables = graph_tables(reader.text, span, reader.lexical)
        inside = any(table.start <= found.start < table.end for table in tables)
        if inside or not starts_query(reader.text, span, reader.lexical):
            raise
        return _island(reader, span, tables, fault)


def _island(reader: Reader, span: Span, tables: list[Span], ours: SyntaxFault) -> Body:
    from graphir.grammar.islands import read_around

    islands = _tables(reader, tables)
    found = ours.diagnostics[0]
    word = reader.text[found.start : found.end] if found.code == "G074" else ""
    theirs = read_around(reader.text, span, tables, reader.dialect, word)
    if theirs is None:
        kept = _kept(reader, span, Kind("select", "read"), tables, islands)
        return replace(kept, stopped=found.start, unread=reader.text[found.start : found.end])
    if theirs.span.start > found.start:
        raise reader.fault("G001", theirs.message, theirs.span) from None
    raise ours


def _tables(reader: Reader, tables: Sequence[Span]) -> list[TableExpression]:
    found: list[TableExpression] = []
    for table in tables:
        body = reader.parse(table, alone=True).body
        assert isinstance(body, SqlStatement)
        (each,) = body.islands
        assert isinstance(each, TableExpression)
        found.append(each)
    return found


def read_other(reader: Reader, span: Span, kind: Kind) -> Query:
    """A statement that is no query.  Raises SyntaxFault."""
    text = reader.text
    tables = graph_tables(text, span, reader.lexical)
    inner = held_query(text, span, reader.lexical) if kind.name in HOLDING else None
    if inner is not None and tables:
        return Query(_kept(reader, span, kind, [inner], [_query(reader, inner)]), span=span)
    broken = unmatched_bracket(text, span, reader.lexical)
    if broken is not None:
        raise reader.fault("G001", f"`{text[broken]}` has no partner", Span(broken, broken + 1))
    if tables:
        return Query(_kept(reader, span, kind, tables, _tables(reader, tables)), span=span)
    return Query(Command(kind.name, kind.access, text[span.start : span.end], span=span), span=span)


def _kept(
    reader: Reader, span: Span, kind: Kind, places: Sequence[Span], islands: Sequence[Body | TableExpression]
) -> SqlStatement:
    ends = [span.start, *[place.end for place in places]]
    starts = [*[place.start for place in places], span.end]
    parts = [reader.text[start:end] for start, end in zip(ends, starts, strict=True)]
    if isinstance(islands[0], Body) if islands else False:
        parts = [part.strip() for part in parts]  # a query stands on lines of its own
    return SqlStatement(kind.name, kind.access, tuple(parts), tuple(islands), span=span)
