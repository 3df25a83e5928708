"""Reads GQL: text to Graph-IR, or a SyntaxFault that says what is wrong and where.

Statements about sessions, transactions and the catalog are known by their first words and kept as text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, cached_property
from pathlib import Path

from graphir.diagnostics import Diagnostic, Fix, SyntaxFault, diagnose
from graphir.dialects import (
    GQL_CONSTRUCTS,
    GQL_DIALECTS,
    PGQ_DIALECTS,
    SQL_INSTEAD,
    SQL_PGQ,
    GqlConstruct,
    has_construct,
)
from graphir.grammar import lalr, messages, sql_reading, table
from graphir.grammar.builder.context import Context, Refusal
from graphir.grammar.cypher import Statement
from graphir.grammar.gql_builder import actions
from graphir.grammar.gql_lexical import lexical
from graphir.grammar.lexical import Token
from graphir.grammar.slips import tables
from graphir.grammar.slips.scene import Scene, Slip
from graphir.grammar.sql_lexis import LEXES, Lexis, terminals
from graphir.grammar.sql_statements import kind_beside_gql
from graphir.ir import Command, Query, children
from graphir.ir.node import Node
from graphir.limits import MAX_NESTING
from graphir.source import Source, Span

GRAMMAR = tuple([Path(__file__).with_name(name) for name in ("gql.lark", "sqlpgq.lark")])


@cache
def parser(dialect: str = "gql-iso") -> lalr.Parser:
    """The parser of a dialect, made on first use: those of one lexis share it."""
    return _parser(LEXES.get(dialect))


@cache
def _parser(lexis: Lexis | None) -> lalr.Parser:
    grammar = table.load(*GRAMMAR)
    return lalr.Parser(grammar if lexis is None else table.vary(grammar, terminals(lexis)), actions())


def parse(text: str, dialect: str) -> Query:
    """Exactly one statement, with or without a `;` behind it.  Raises SyntaxFault."""
    reader = _Reader(text, _level(dialect))
    spans = reader.lexical.statements(text)
    if not spans:
        raise reader.fault("G008", "there is no statement", Span(0, len(text)))
    query = reader.read(spans[0])
    if len(spans) > 1:
        raise reader.fault("G007", "one statement is expected, and here is another", spans[1])
    return query


def parse_script(text: str, dialect: str) -> list[Statement]:
    """Every statement of a text, in order; blank ones are passed over."""
    reader = _Reader(text, _level(dialect))
    found = []
    for span in reader.lexical.statements(text):
        query, fault = None, None
        try:
            query = reader.read(span)
        except SyntaxFault as raised:
            fault = raised
        found.append(Statement(span, query, fault))
    return found


def _level(dialect: str) -> str:
    if dialect not in GQL_DIALECTS:
        raise ValueError(f"{dialect} is not read as GQL; these are: {', '.join(GQL_DIALECTS)}")
    return dialect


_BEYOND = frozenset(("G061", "G074"))
"""What the grammar has and the builder does not read, and words that are no names: a larger grammar may read them."""


class _Reader:
    """A text and its statements."""

    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.dialect = dialect
        self.source = Source(text)
        self.lexical = lexical(dialect)
        self.parser = parser(dialect)

    def read(self, span: Span) -> Query:
        """The statement at a place."""
        if self.dialect in SQL_PGQ:
            return sql_reading.read(self, span)
        kind = kind_beside_gql(self.text, span, self.lexical) if self.dialect in PGQ_DIALECTS else None
        if kind is not None:
            return self._command(span) or sql_reading.read_other(self, span, kind)
        try:
            return self.parse(span)
        except SyntaxFault:
            command = self._command(span)
            if command is None:
                raise
            return command

    def parse(self, span: Span, *, alone: bool = False) -> Query:
        """What our grammar has at a place; `alone`: a table of a graph, cut out of a statement."""
        context = Context(self.text, self.dialect)
        context.alone = alone
        try:
            query: Query = self.parser.parse(self.text, context, span.start, span.end)
        except lalr.Unexpected as unexpected:
            raise sql_reading.Beyond([self._describe(span, unexpected)]) from None
        except lalr.TooDeep as deep:
            raise self._too_deep(deep.position) from None
        except Refusal as refusal:
            fault = self.fault(refusal.code, refusal.message, refusal.span, refusal.hint, refusal.fix)
            raise (sql_reading.Beyond(fault.diagnostics) if refusal.code in _BEYOND else fault) from None
        self._check_dialect(context)
        self._check_depth(query)
        return query

    def fault(
        self, code: str, message: str, span: Span, hint: str | None = None, fix: Fix | None = None
    ) -> SyntaxFault:
        return SyntaxFault([diagnose(self.source, code, message, span, hint=hint, fix=fix)])

    # -------------------------------------------------------------- checks

    def _check_dialect(self, context: Context) -> None:
        found: list[Diagnostic] = []
        for name, span in sorted(context.uses, key=lambda use: use[1].start):
            construct = GQL_CONSTRUCTS[name]
            if not has_construct(self.dialect, name):
                found.append(self._lacking(name, construct, span))
        if found:
            raise SyntaxFault(found)

    def _lacking(self, name: str, construct: GqlConstruct, span: Span) -> Diagnostic:
        hint = SQL_INSTEAD.get(name, construct.instead) if self.dialect in SQL_PGQ else construct.instead
        title = GQL_DIALECTS[self.dialect]
        others = [GQL_DIALECTS[name] for name in construct.dialects]
        has = f"; {' and '.join(others)} {'has' if len(others) == 1 else 'have'} it" if others else ""
        return diagnose(self.source, "G021", f"{construct.title} is not part of {title}{has}", span, hint=hint)

    def _check_depth(self, query: Query) -> None:
        pending: list[tuple[Node, int, Span]] = [(query, 1, query.span or Span(0, 0))]
        while pending:
            node, level, near = pending.pop()
            near = node.span or near
            if level > MAX_NESTING:
                raise self._too_deep(near.start)
            pending.extend((child, level + 1, near) for child in children(node))

    def _too_deep(self, position: int) -> SyntaxFault:
        return self.fault("G006", f"nested deeper than {MAX_NESTING} levels", Span(position, position + 1))

    # -------------------------------------------------------------- what does not parse

    def _describe(self, span: Span, unexpected: lalr.Unexpected) -> Diagnostic:
        before = self.text[span.start : unexpected.position]
        terminals = self.parser.following(before) or unexpected.expected
        slip = self._slip(span, unexpected.position)
        if slip is not None:
            return diagnose(self.source, slip.code, slip.message, slip.span, hint=slip.hint, fix=slip.fix)
        if self.dialect in SQL_PGQ:
            terminals = terminals - BESIDE_SQL or terminals
        expected = messages.expectation(terminals)
        unclosed = self._unclosed
        if unclosed is not None and span.start <= unclosed.start <= unexpected.position:
            opening = self.text[unclosed.start]
            code, what = _UNCLOSED[opening]
            return diagnose(self.source, code, f"{what} without its end", Span(unclosed.start, unclosed.start + 1))
        if unexpected.at_end:
            end = Span(span.end, span.end)
            return diagnose(
                self.source,
                "G009",
                f"the query ends too early: expected {messages.sentence(expected)}",
                end,
                expected=expected,
            )
        token = self.lexical.token.match(self.text, unexpected.position)
        value = token[0] if token else unexpected.value
        words = tuple(word for word in expected if word != f"`{value.upper()}`")
        return diagnose(
            self.source,
            "G001",
            f"unexpected `{value[:40]}`: expected {messages.sentence(words)}",
            Span(unexpected.position, unexpected.position + len(value)),
            hint=messages.suggest(value, words),
            expected=words,
        )

    def _slip(self, span: Span, position: int) -> Slip | None:
        """What a text most likely meant that breaks at a place."""
        tokens: list[Token] = []
        for token in self.lexical.scan(self.text, span.start):  # a comment at the end is no part of the statement
            if token.kind != "comment" and token.start >= span.end:
                break
            if token.kind != "comment":
                tokens.append(token)
            elif (
                not self.text[position : token.start].strip("< \t\r\n")
                and (slip := tables.comment(self.text, token.span)) is not None
            ):
                return slip
        at = bisect_left(tokens, position, key=lambda token: token.start)
        scene = Scene(self.text, tokens, at, self.dialect)
        return tables.find(scene, tables.OF_SQL if self.dialect in SQL_PGQ else tables.OF_PATTERNS)

    @cached_property
    def _unclosed(self) -> Span | None:
        """The string, name or comment that is never closed: the last token of the text."""
        last: re.Match[str] | None = None
        for token in self.lexical.token.finditer(self.text):
            last = token
        if last is None:
            return None
        value = last[0]
        closed = {"'": value[-1:] == "'", '"': value[-1:] == '"', "`": value[-1:] == "`"}.get(value[0], True)
        closed = closed and (value[:2] != "/*" or value[-2:] == "*/") and (value[0] not in "'\"`" or len(value) > 1)
        return None if closed else Span(last.start(), last.end())

    def _command(self, span: Span) -> Query | None:
        """A statement about the session, a transaction or the catalog; its brackets must match."""
        words: list[str] = []
        open_: list[tuple[str, int]] = []
        unmatched: int | None = None
        for token in self.lexical.token.finditer(self.text, span.start, span.end):
            if token.lastgroup == "other":
                value = token[0]
                if value in _PAIRS:
                    open_.append((_PAIRS[value], token.start()))
                elif value in _PAIRS.values():
                    if (not open_ or open_.pop()[0] != value) and unmatched is None:
                        unmatched = token.start()
                elif len(words) < _LONGEST:
                    words.append(value.upper())
        shown = [*words[:1], *words[3:]] if words[1:3] == ["OR", "REPLACE"] else words
        kind = next((kind for kind in _COMMANDS if tuple(shown[: len(kind)]) == kind), None)
        if kind is None:
            return None
        if unmatched is not None or open_:
            place = unmatched if unmatched is not None else open_[-1][1]
            raise self.fault("G001", f"`{self.text[place]}` has no partner", Span(place, place + 1)) from None
        access = "read" if kind[0] in ("SESSION", "START", "COMMIT", "ROLLBACK") else "write"
        command = Command(" ".join(kind).lower(), access, self.text[span.start : span.end], span=span)
        return Query(command, span=span)


BESIDE_SQL = frozenset(
    (
        *("CALL", "DELETE", "DETACH", "NODETACH", "FILTER", "FINISH", "FOR", "INSERT", "LET", "MERGE", "REMOVE", "SET"),
        *("NEXT", "USE", "YIELD", "COST", "PATH_OPEN", "COUNT_BODY", "WITH_OPEN", "RETURN", "GRAPH", "OTHERWISE"),
    )
)
"""Terminals that no dialect of `SQL_PGQ` has: none of them is what a text lacks."""

_UNCLOSED = {"'": ("G002", "string"), '"': ("G002", "string"), "`": ("G003", "name"), "/": ("G004", "comment")}
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_COMMANDS = (
    ("SESSION", "SET"),
    ("SESSION", "RESET"),
    ("SESSION", "CLOSE"),
    ("START", "TRANSACTION"),
    ("COMMIT",),
    ("ROLLBACK",),
    *(
        (verb, *kind)
        for verb in ("CREATE", "ALTER", "DROP")
        for kind in (
            *(("SCHEMA",), ("PROPERTY", "GRAPH", "TYPE"), ("PROPERTY", "GRAPH"), ("GRAPH", "TYPE"), ("GRAPH",)),
        )
    ),
)
_LONGEST = 6
"""The words that such statements begin with."""
