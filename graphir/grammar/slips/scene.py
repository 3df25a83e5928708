"""What a test for a slip looks at: the tokens of a broken statement and the place where it broke."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from graphir.diagnostics import Edit, Fix
from graphir.grammar.lexical import Token
from graphir.source import Span


class Slip(NamedTuple):
    """A recognized mistake: its code, what is wrong, where, and what to do.

    `{origin}` in the message stands for the line and column of `origin`, where the mistake began.  A slip without an
    origin is shown next to the guilty token.  `fix` is a repair that is tried before it is offered: one that leads no
    further is dropped.
    """

    code: str
    message: str
    span: Span
    hint: str | None = None
    fix: Fix | None = None
    origin: Span | None = None


def substitute(span: Span, old: str, new: str, *, safe: bool = False) -> Fix:
    """The repair that writes `new` for `old`, which stands at `span`."""
    title = f"replace `{old}` by `{new}`" if new else f"remove `{old}`"
    return Fix(title, (Edit(span.start, span.end, new),), safe)


def insert(place: int, text: str, title: str | None = None) -> Fix:
    """The repair that puts a text at a place; whether it was meant is not certain."""
    return Fix(title or f"insert `{text.strip()}`", (Edit(place, place, text),))


@dataclass(frozen=True)
class Scene:
    """A broken statement: its tokens (without comments), the index of the guilty one, and what could have stood there.

    `at` is len(tokens) at the end.  `words` are the keywords and `marks` the punctuation that could have stood
    there; `operand` tells whether an expression could.
    """

    text: str
    tokens: list[Token]
    at: int
    dialect: str
    words: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    operand: bool = False

    @property
    def comma(self) -> bool:
        return "," in self.marks

    @property
    def alias(self) -> bool:
        return "AS" in self.words

    def word(self, offset: int = 0) -> str:
        """The token at a distance from the guilty one: a word in upper case, else the text; empty outside."""
        index = self.at + offset
        if not 0 <= index < len(self.tokens):
            return ""
        token = self.tokens[index]
        return token.value.upper() if token.kind == "word" else token.value

    def kind(self, offset: int = 0) -> str:
        index = self.at + offset
        return self.tokens[index].kind if 0 <= index < len(self.tokens) else ""

    def token(self, offset: int = 0) -> Token:
        """The token at a distance; an empty one outside."""
        index = self.at + offset
        return self.tokens[index] if 0 <= index < len(self.tokens) else Token("", "", len(self.text))

    def span(self, first: int = 0, last: int | None = None) -> Span:
        """The place from one token to another, by their distances; the end of the text where there is none."""
        if self.at + first >= len(self.tokens):
            end = self.tokens[-1].end if self.tokens else len(self.text)
            return Span(end, end)
        stop = min(self.at + (first if last is None else last), len(self.tokens) - 1)
        return Span(self.tokens[self.at + first].start, self.tokens[stop].end)

    def touches(self, offset: int) -> bool:
        """Whether the token at `offset` follows the one before without white space."""
        return self.token(offset - 1).end == self.token(offset).start

    @cached_property
    def opened(self) -> list[int]:
        """The indices of the brackets that are open before the guilty token, outermost first."""
        return _open_brackets(self.tokens[: self.at])

    @property
    def bracket(self) -> str:
        """The innermost open bracket, or nothing."""
        return self.tokens[self.opened[-1]].value if self.opened else ""

    @property
    def owner(self) -> str:
        """The word before the innermost open bracket."""
        return self.upper(self.opened[-1] - 1) if self.opened else ""

    def upper(self, index: int) -> str:
        return self.tokens[index].value.upper() if index >= 0 else ""

    @cached_property
    def clause(self) -> str:
        """The word of the clause that holds the guilty token, at its own depth of brackets."""
        depth = 0
        for index in range(self.at - 1, -1, -1):
            token = self.tokens[index]
            if token.value in CLOSING.values() and token.kind == "punctuation":
                depth += 1
            elif token.value in CLOSING and token.kind == "punctuation":
                depth -= 1
                if depth < 0:
                    return ""
            elif (
                depth == 0 and token.kind == "word" and token.value.upper() in CLAUSES and self.upper(index - 1) != "."
            ):
                return token.value.upper()
        return ""


CLOSING = {"(": ")", "[": "]", "{": "}"}
CLAUSES = frozenset(
    {
        "MATCH", "WHERE", "RETURN", "WITH", "UNWIND", "CREATE", "INSERT", "MERGE", "SET", "REMOVE", "DELETE", "FOREACH",
        "CALL", "YIELD", "ORDER", "SKIP", "OFFSET", "LIMIT", "UNION", "LOAD", "USE", "FINISH", "LET", "FILTER", "FOR",
        "NEXT", "OPTIONAL", "DETACH", "NODETACH", "ON", "WHEN",
    }
)  # fmt: skip
# Words that begin a statement, for those who misspell them.
BEGINNINGS = (
    "MATCH", "OPTIONAL", "RETURN", "WITH", "UNWIND", "CREATE", "INSERT", "MERGE", "CALL", "LOAD", "FOREACH", "USE",
    "SHOW", "EXPLAIN", "PROFILE", "DELETE", "DETACH",
)  # fmt: skip
OPERATOR_WORDS = frozenset(
    {"AND", "OR", "XOR", "NOT", "IN", "IS", "STARTS", "ENDS", "CONTAINS", "AS", "BY", "THEN", "ELSE"}
)


def _open_brackets(tokens: list[Token]) -> list[int]:
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind != "punctuation":
            continue
        if token.value in CLOSING:
            stack.append(index)
        elif token.value in CLOSING.values() and stack and CLOSING[tokens[stack[-1]].value] == token.value:
            stack.pop()
    return stack


def quoted(name: str, before: str = "") -> str:
    """A name as it is written in Cypher, with a text before it, as code in a hint."""
    return f"`{before}{name}`" if re.fullmatch(r"[^\W\d]\w*", name) else f"`` {before}`{name}` ``"


def balanced(tokens: list[Token]) -> bool:
    """Whether every bracket has its partner."""
    stack: list[str] = []
    for token in tokens:
        if token.kind != "punctuation":
            continue
        if token.value in CLOSING:
            stack.append(CLOSING[token.value])
        elif token.value in CLOSING.values() and (not stack or stack.pop() != token.value):
            return False
    return not stack


def unclosed(scene: Scene, skip: int = 0) -> int | None:
    """The innermost bracket open before the guilty token whose partner never comes, if there is one.

    `skip` tokens from the guilty one on are passed over.
    """
    if not scene.opened:
        return None
    stack = list(scene.opened)
    for token in scene.tokens[scene.at + skip :]:
        if token.kind != "punctuation":
            continue
        if token.value in CLOSING:
            stack.append(-1)
        elif token.value in CLOSING.values():
            if stack[-1] >= 0 and CLOSING[scene.tokens[stack[-1]].value] != token.value:
                return stack[-1]
            stack.pop()
            if len(stack) < len(scene.opened):
                return None
    return scene.opened[-1]


def ends_operand(scene: Scene, offset: int) -> bool:
    """Whether the token there can be the end of an expression."""
    word, kind = scene.word(offset), scene.kind(offset)
    if kind == "word":
        return word not in CLAUSES and word not in OPERATOR_WORDS
    return kind in ("name", "string", "number", "parameter") or word in (")", "]", "}")
