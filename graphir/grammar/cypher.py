"""Reads Cypher: text to Graph-IR, or a SyntaxFault that says what is wrong and where.

Spans are offsets of the text as it was given, also where Neo4j resolves `\\u` escapes before it reads tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from graphir.diagnostics import Diagnostic, Edit, Fix, SyntaxFault, apply, diagnose
from graphir.dialects import CONSTRUCTS, CYPHER_LEVELS, DIALECTS, Construct, level_of
from graphir.dialects import dialect as _dialect
from graphir.grammar import lalr, lexical, table
from graphir.grammar.builder import actions
from graphir.grammar.builder.context import Context, Refusal
from graphir.ir import LabelAnd, Node, Operator, Query, RemoveLabels, SetLabels, children, walk
from graphir.limits import MAX_NESTING
from graphir.source import Source, Span

GRAMMAR = Path(__file__).with_name("cypher.lark")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a script: what it says, or the fault that keeps it from being read."""

    span: Span
    query: Query | None
    fault: SyntaxFault | None


@cache
def parser() -> lalr.Parser:
    """The parser, made on first use."""
    return lalr.Parser(table.load(GRAMMAR), actions())


def parse(text: str, dialect: str = "neo4j-25") -> Query:
    """Exactly one statement, with or without a `;` behind it.  Raises SyntaxFault."""
    level = _level(dialect)
    if "\\u" not in text and (text.isascii() or not lexical.SURROGATE.search(text)):
        context = Context(text, level)
        try:
            query = parser().parse(text, context)
        except (lalr.Unexpected, lalr.TooDeep, Refusal, lexical.BrokenEscape):
            pass  # Found again below, where there is time to say what is wrong.
        else:
            if _is_shallow(text) and _is_plain(context, level_of(level, query.version)):
                return query  # type: ignore[no-any-return]
    return _Script(text, level).single()


def parse_script(text: str, dialect: str = "neo4j-25") -> list[Statement]:
    """Every statement of a text, in order; blank ones are passed over."""
    script = _Script(text, _level(dialect))
    found = []
    for span in script.spans:
        query, fault = None, None
        try:
            query = script.statement(span)
        except SyntaxFault as raised:
            fault = raised
        found.append(Statement(script.offsets.span(span), query, fault))
    return found


def _level(dialect: str) -> str:
    name = _dialect(dialect).name
    if name not in CYPHER_LEVELS:
        raise ValueError(f"{name} is not read as Cypher; these are: {', '.join(CYPHER_LEVELS)}")
    return name


def _is_plain(context: Context, level: str) -> bool:
    """Whether there is no need to look at the constructs of a query: the level has them all."""
    return not context.uses or _looked_at(level).isdisjoint([name for name, _ in context.uses])


@cache
def _looked_at(level: str) -> frozenset[str]:
    """The constructs that a level does not have, and the one that does not go with every other."""
    rank = CYPHER_LEVELS.index(level)
    lacking = [
        name
        for name, construct in CONSTRUCTS.items()
        if not CYPHER_LEVELS.index(construct.first) <= rank <= CYPHER_LEVELS.index(construct.last)
    ]
    return frozenset(("colon conjunction", *lacking))


_LONG = 400
"""A shorter text cannot nest deeper than the limit without a bracket, keyword or sign for each level."""


def _is_shallow(text: str) -> bool:
    """Whether so few signs are in a short text that it cannot nest deeper than the limit."""
    length = len(text)
    return length < _LONG // 2 or (length < _LONG and sum(map(text.count, "-+!")) < _LONG // 4)


class _Script:
    """A text and its statements; the places in `text` are those after its escapes were resolved."""

    def __init__(self, original: str, dialect: str) -> None:
        self.source = Source(original)
        self.dialect = dialect
        self.text, self.offsets = lexical.resolve_escapes(original, dialect)
        self.spans = lexical.split(self.text)

    def single(self) -> Query:
        if not self.spans:
            raise self._fault("G008", "there is no statement", Span(0, len(self.text)))
        query = self.statement(self.spans[0])
        if len(self.spans) > 1:
            raise self._fault("G007", "one statement is expected, and here is another", self.spans[1])
        return query

    def statement(self, span: Span) -> Query:
        """Read the statement at a place."""
        lexical.check_escapes(self.source, self.offsets, self.offsets.span(span))
        if not self.text.isascii():
            lexical.check_surrogates(self.source, self.offsets.span(span))
        context = Context(self.text, self.dialect)
        try:
            query: Query = parser().parse(self.text, context, span.start, span.end)
        except lalr.Unexpected as unexpected:
            return self._command(span) or self._unexpected(span, unexpected)
        except lalr.TooDeep as deep:
            raise self._too_deep(Span(deep.position, deep.position + 1)) from None
        except Refusal as refusal:
            raise SyntaxFault(self._refused(span, refusal)) from None
        except lexical.BrokenEscape as broken:
            raise SyntaxFault([lexical.describe_escape(self.source, self.offsets.span(broken.span))]) from None
        self._check_dialect(context, query)
        if not _is_shallow(self.text[span.start : span.end]):
            self._check_depth(query)
        if not self.offsets.identity:
            self._move(query)
        return query

    # -------------------------------------------------------------- checks

    def _check_dialect(self, context: Context, query: Query) -> None:
        level = level_of(self.dialect, query.version)
        if _is_plain(context, level):
            return
        rank = CYPHER_LEVELS.index(level)
        found: list[Diagnostic] = []
        for name, span in sorted(context.uses, key=lambda use: use[1].start):
            construct = CONSTRUCTS[name]
            fix = _swap(self.text, span, construct)
            if rank < CYPHER_LEVELS.index(construct.first):
                first = DIALECTS[construct.first].title
                message = f"{construct.title} is not part of {DIALECTS[level].title}; {first} has it"
                found += self._fault(construct.code or "G021", message, span, construct.instead, fix).diagnostics
            elif rank > CYPHER_LEVELS.index(construct.last):
                message = f"{construct.title} is not part of {DIALECTS[level].title}"
                found += self._fault(construct.code or "G022", message, span, construct.instead, fix).diagnostics
        if found:
            raise SyntaxFault(found)
        if any(name == "colon conjunction" for name, _ in context.uses):
            self._check_label_forms(context, query)

    def _check_label_forms(self, context: Context, query: Query) -> None:
        """In one clause, with all that is nested in it, `:A:B` does not stand beside IS, which leaves no trace."""
        spans = [node.span for node in walk(query) if isinstance(node, Operator) and node.span]
        clauses: list[Span] = []
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            if not clauses or span.start >= clauses[-1].end:
                clauses.append(span)
        starts = [clause.start for clause in clauses]
        joined = {node.span for node in walk(query) if isinstance(node, LabelAnd)}
        written = {node.span for node in walk(query) if isinstance(node, (SetLabels, RemoveLabels))}
        forms: dict[int, dict[str, Span]] = {}
        for name, span in context.uses:
            if (name == "colon conjunction" and span in joined) or (name == "IS label" and span not in written):
                forms.setdefault(bisect_right(starts, span.start), {})[name] = span
        for found in forms.values():
            if len(found) == 2:
                message = "`:` between labels cannot stand in one clause with IS"
                raise self._fault("G028", message, found["colon conjunction"], "write `&` for `:`")

    def _check_depth(self, query: Query) -> None:
        pending: list[tuple[Node, int, Node]] = [(query, 1, query)]
        while pending:
            node, level, near = pending.pop()
            near = node if node.span else near
            if level > MAX_NESTING:
                raise self._too_deep(near.span or Span(0, 0))
            pending.extend((child, level + 1, near) for child in children(node))

    def _move(self, query: Query) -> None:
        """Give the nodes, which nobody else has seen yet, their places in the original text."""
        for node in walk(query):
            if node.span is not None:
                object.__setattr__(node, "span", self.offsets.span(node.span))

    # -------------------------------------------------------------- faults

    def _fault(
        self, code: str, message: str, span: Span, hint: str | None = None, fix: Fix | None = None
    ) -> SyntaxFault:
        if fix is not None and not self.offsets.identity:
            fix = replace(fix, edits=tuple(self._moved_edit(edit) for edit in fix.edits))
        return SyntaxFault([diagnose(self.source, code, message, self.offsets.span(span), hint=hint, fix=fix)])

    def _moved_edit(self, edit: Edit) -> Edit:
        start, end = self.offsets.span(Span(edit.start, edit.end))
        return Edit(start, end, edit.text)

    def _too_deep(self, span: Span) -> SyntaxFault:
        return self._fault("G006", f"nested deeper than {MAX_NESTING} levels", Span(span.start, span.start + 1))

    def _unexpected(self, span: Span, unexpected: lalr.Unexpected) -> Query:
        found = self._describe(span, unexpected)
        raise SyntaxFault([found, *self._more_faults(span, unexpected.position, found.code)])

    def _refused(self, span: Span, refusal: Refusal) -> list[Diagnostic]:
        found = self._fault(refusal.code, refusal.message, refusal.span, refusal.hint, refusal.fix).diagnostics
        return [*found, *self._more_faults(span, refusal.span.start, refusal.code)]

    def _describe(self, span: Span, unexpected: lalr.Unexpected) -> Diagnostic:
        """What is wrong with the text at a place, which breaks at a token."""
        from graphir.grammar import messages

        position = unexpected.position - span.start
        statement = self.text[span.start : span.end]
        expected = parser().following(statement[:position]) or unexpected.expected
        return messages.describe(
            self.source,
            self.dialect,
            position,
            expected,
            text=statement,
            offsets=self.offsets,
            base=span.start,
            helps=lambda fix: _helps(statement, position, fix),
        )

    def _more_faults(self, span: Span, position: int, code: str) -> list[Diagnostic]:
        """The faults of the clauses behind a fault that do not follow from it: each is read on its own."""
        from graphir.grammar import recovery

        clauses = recovery.Clauses(self.text, span.start, span.end)
        found: list[Diagnostic] = []
        while len(found) < recovery.LIMIT:
            start = clauses.after(position, code)
            if start is None:
                break
            rest = Span(start, span.end)
            try:
                parser().parse(self.text, Context(self.text, self.dialect), start, span.end)
                break
            except lalr.Unexpected as unexpected:
                fault, position = self._describe(rest, unexpected), unexpected.position
            except Refusal as refusal:
                position = refusal.span.start
                (fault,) = self._fault(
                    refusal.code, refusal.message, refusal.span, refusal.hint, refusal.fix
                ).diagnostics
            except (lalr.TooDeep, lexical.BrokenEscape):
                break
            code = fault.code
            if clauses.hopeless(code):
                break
            found.append(fault)
        return found

    def _command(self, span: Span) -> Query | None:
        """The statement as a command (`CREATE INDEX ..`), after its EXPLAIN, PROFILE or CYPHER."""
        from graphir.grammar import commands

        lead = _LEAD.match(self.text, span.start, span.end)
        begin = lead.end() if lead else span.start
        try:
            command = commands.recognize(self.source, self.text, Span(begin, span.end), self.dialect)
        except SyntaxFault as fault:
            if self.offsets.identity:
                raise
            raise SyntaxFault([self._moved(found) for found in fault.diagnostics]) from None
        if command is None:
            return None
        query = Query(command, span=span)
        if begin > span.start:
            head: Query = parser().parse(self.text[span.start : begin] + " FINISH", Context(self.text, self.dialect))
            query = replace(head, body=command, span=span)
        if not self.offsets.identity:
            self._move(query)
        return query

    def _moved(self, found: Diagnostic) -> Diagnostic:
        start, end = self.offsets.span(Span(found.start, found.end))
        line, column = self.source.position(start)
        return replace(found, start=start, end=end, line=line, column=column)


def _swap(text: str, span: Span, construct: Construct) -> Fix | None:
    """The repair that says the same in words that every dialect has."""
    start, end = span
    if text[start] == "{" and construct.code == "G017":
        new = "$" + text[start + 1 : end - 1].strip()
    elif construct.swap is not None:
        old, new = construct.swap
        end = start + len(old)
        if text[start:end].upper() != old or text[end:].lstrip()[:5].upper() == "WHERE":
            return None
    else:
        return None
    title = f"replace `{text[start:end]}` by `{new}`" if new else f"remove `{text[start:end]}`"
    return Fix(title, (Edit(start, end, new),), safe=True)


def _helps(statement: str, position: int, fix: Fix) -> bool:
    """Whether the statement, which breaks at a position, can be read further after a repair."""
    repaired = apply(statement, [fix])
    try:
        parser().silent.parse(repaired)
    except lalr.Unexpected as unexpected:
        return len(repaired) - unexpected.position < len(statement) - position
    except lalr.TooDeep:
        return False
    return True


_GAP = r"(?>(?:\s++|//[^\r\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)*)"
_LEAD = re.compile(
    rf"(?:{_GAP}(?:EXPLAIN\b|PROFILE\b|CYPHER\b(?:{_GAP}\d+(?:\.\d+)?)?(?:{_GAP}\w+{_GAP}={_GAP}\w+)*))+{_GAP}",
    re.IGNORECASE,
)
