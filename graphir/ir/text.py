"""The IR as S-expressions, for people and golden tests: `dumps`, and `loads` that reads them back.

    (item (property (ref n) name) :name x)

A node is its operator, its required fields in order, and the others as `:name value` where they are not the default.
Tuples stand in brackets.  Strings are quoted unless they are plain words, made-up names are shown as `%n1`.
Notes and spans are not part of the form.  Neither direction recurses.
"""

from __future__ import annotations

import json
import math
import re
from enum import Enum, auto
from typing import Any

from graphir.diagnostics import SyntaxFault, diagnose
from graphir.ir.declarations import declared, make
from graphir.ir.names import MARK
from graphir.ir.node import REGISTRY, Node
from graphir.source import Source, Span

WIDTH = 100
DEEPEST_COLUMN = 80
"""Lines are not indented further than this: the text stays linear in the size of the tree."""

_OPENING = ("(", "[")
_CLOSING = (")", "]")

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")
_CONSTANTS: dict[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
}
_PIECE = re.compile(
    r"""\s*(?:
      (?P<open>[(\[]) | (?P<close>[)\]])
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<key>:[A-Za-z_]+)
    | (?P<made>%[A-Za-z0-9_.\-]+)
    | (?P<number>[+-]?(?:0x[0-9a-f]+|[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?))(?![A-Za-z0-9_.\-])
    | (?P<word>-?[A-Za-z_][A-Za-z0-9_.\-]*)
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)


# ------------------------------------------------------------------ writing


class _Gap(Enum):
    """What stands before a token."""

    NONE = auto()
    SPACE = auto()
    BREAK = auto()
    """A space, or a new line where the group around is too wide."""


_Token = tuple[_Gap, str]


def dumps(node: Node) -> str:
    """The node as an S-expression, broken into lines where it is wider than 100 characters."""
    tokens = _tokens(node)
    widths = _widths(tokens)
    out: list[str] = []
    column = 0
    opened: list[tuple[bool, int]] = []
    for (gap, text), width in zip(tokens, widths, strict=True):
        if text in _CLOSING:
            opened.pop()
        elif gap is _Gap.BREAK and opened and opened[-1][0]:
            column = opened[-1][1]
            out.append("\n" + " " * column)
        elif gap is not _Gap.NONE:
            out.append(" ")
            column += 1
        if text in _OPENING:
            indent = min(column + (2 if text == "(" else 1), DEEPEST_COLUMN)
            opened.append((column + width > WIDTH, indent))
        out.append(text)
        column += len(text)
    return "".join(out)


def _tokens(node: Node) -> list[_Token]:
    """Brackets, names and atoms in order, each with the gap before it."""
    out: list[_Token] = []
    pending: list[tuple[_Gap, Any]] = [(_Gap.NONE, node)]
    while pending:
        gap, item = pending.pop()
        if type(item) is _Ready:
            out.append((gap, item))
        elif isinstance(item, Node):
            out += [(gap, "("), (_Gap.NONE, item.op)]
            pending.append((_Gap.NONE, _Ready(")")))
            pending.extend(reversed(_fields(item)))
        elif type(item) is tuple:
            out.append((gap, "["))
            pending.append((_Gap.NONE, _Ready("]")))
            gaps = [_Gap.NONE] + [_Gap.BREAK] * len(item)
            pending.extend(reversed(list(zip(gaps, item, strict=False))))
        else:
            out.append((gap, atom(item)))
    return out


class _Ready(str):
    """A finished token, as against a string that is a value."""

    __slots__ = ()


def _fields(node: Node) -> list[tuple[_Gap, Any]]:
    """The fields to show; atoms right after the operator stay on its line."""
    parts: list[tuple[_Gap, Any]] = []
    gap = _Gap.SPACE
    for entry in declared(type(node)):
        value = getattr(node, entry.name)
        if entry.note or entry.stands_for_default(value):
            continue
        if isinstance(value, (Node, tuple)):
            gap = _Gap.BREAK
        shown = _Ready(quote(value)) if type(value) is str and float in entry.shape.atoms else value
        if entry.required:
            parts.append((gap, shown))
        else:
            parts += [(gap, _Ready(f":{entry.name}")), (_Gap.SPACE, shown)]
    return parts


def _widths(tokens: list[_Token]) -> list[int]:
    """For an opening bracket the width of its group on one line, else of the token."""
    widths = [len(text) for _, text in tokens]
    opened: list[tuple[int, int]] = []
    total = 0
    for at, (gap, text) in enumerate(tokens):
        total += len(text) + (gap is not _Gap.NONE)
        if text in _OPENING:
            opened.append((at, total))
        elif text in _CLOSING:
            start, before = opened.pop()
            widths[start] = total - before + 1
    return widths


def atom(value: bool | int | float | str | None) -> str:
    """An atom as a token; a plain word stands without quotes."""
    if value is None:
        return "null"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int:
        return str(value) if value.bit_length() < 4096 else hex(value)
    if type(value) is float:
        return repr(value)
    if not isinstance(value, str):
        raise TypeError(f"not an atom: {value!r}")
    if value.startswith(MARK) and re.fullmatch(r"[A-Za-z0-9_.\-]+", value[1:]):
        return "%" + value[1:]
    return value if _WORD.match(value) and value not in _CONSTANTS else quote(value)


def quote(value: str) -> str:
    """A string in quotes, with JSON's escapes."""
    return json.dumps(value, ensure_ascii=not value.isprintable())


# ------------------------------------------------------------------ reading


class _Group:
    """A bracket that is still open: where it began, its operator, what it holds so far."""

    __slots__ = ("cls", "key", "named", "start", "values")

    def __init__(self, start: int) -> None:
        self.start = start
        self.cls: type[Node] | None = None
        self.values: list[Any] = []
        self.named: dict[str, Any] = {}
        self.key: str | None = None


def loads(text: str) -> Node:
    """The node that `dumps` wrote.  Raises SyntaxFault (G130) where the text is none."""
    opened: list[_Group] = []
    at = 0
    while True:
        token = _PIECE.match(text, at)
        if token is None or token.lastgroup is None:
            raise _fault(text, "unexpected character", _skip(text, at))
        kind, at = token.lastgroup, token.end()
        start = token.start(kind)
        word = token[kind]
        if kind == "end":
            raise _fault(text, "the text ends inside a node" if opened else "no node", start)
        if kind == "open":
            group = _Group(start)
            opened.append(group)
            if word == "(":
                group.cls, at = _operator(text, at)
            continue
        if not opened:
            raise _fault(text, "a node was expected", start, at)
        group = opened[-1]
        if kind == "key":
            if group.key is not None or group.cls is None:
                raise _fault(text, f"{word} where a value was expected", start, at)
            if word[1:] in group.named:
                raise _fault(text, f"{word} stands twice", start, at)
            group.key = word[1:]
            continue
        value = _closed(text, opened.pop(), word, start, at) if kind == "close" else _value(text, kind, word, start, at)
        if not opened:
            return _alone(text, value, at)
        group = opened[-1]
        if group.key is not None:
            group.named[group.key] = value
            group.key = None
        elif group.named:
            raise _fault(text, "a value without a name after named ones", start, at)
        else:
            group.values.append(value)


def _operator(text: str, at: int) -> tuple[type[Node], int]:
    token = _PIECE.match(text, at)
    if token is None or token.lastgroup != "word":
        raise _fault(text, "an operator was expected", _skip(text, at))
    cls = REGISTRY.get(token["word"])
    if cls is None:
        raise _fault(text, f"unknown operator {token['word']}", token.start("word"), token.end())
    return cls, token.end()


def _closed(text: str, group: _Group, bracket: str, start: int, end: int) -> Any:
    """The node or tuple that a closing bracket ends."""
    if group.key is not None:
        raise _fault(text, f"no value for :{group.key}", start, end)
    if (bracket == ")") != (group.cls is not None):
        raise _fault(text, f"{bracket} does not match", start, end)
    if group.cls is None:
        return tuple(group.values)
    required = [entry.name for entry in declared(group.cls) if entry.required]
    if len(group.values) > len(required):
        raise _fault(text, f"{group.cls.op} has only {len(required)} fields without a name", group.start, end)
    values = dict(zip(required, group.values, strict=False))
    notes = {entry.name for entry in declared(group.cls) if entry.note}
    for name, value in group.named.items():
        if name in values or name in notes:
            raise _fault(text, f"{group.cls.op} has no field :{name} by name here", group.start, end)
        values[name] = value
    try:
        return make(group.cls, values)
    except ValueError as error:
        raise _fault(text, str(error), group.start, end) from None


def _value(text: str, kind: str, word: str, start: int, end: int) -> Any:
    if kind == "made":
        return MARK + word[1:]
    if kind == "word":
        if word.startswith("-") and word not in _CONSTANTS:
            raise _fault(text, f"unexpected {word}", start, end)
        return _CONSTANTS.get(word, word)
    try:
        if kind == "string":
            return json.loads(word, strict=False)
        if "0x" in word:
            return int(word, 16)
        return float(word) if "." in word or "e" in word else int(word)
    except ValueError:
        raise _fault(text, f"not a {kind}", start, end) from None


def _alone(text: str, value: Any, at: int) -> Node:
    rest = _skip(text, at)
    if rest < len(text):
        raise _fault(text, "text after the node", rest)
    if not isinstance(value, Node):
        raise _fault(text, "a list where a node was expected", 0)
    return value


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _fault(text: str, message: str, start: int, end: int | None = None) -> SyntaxFault:
    source = Source(text, "<ir>")
    return SyntaxFault([diagnose(source, "G130", message, Span(start, start + 1 if end is None else end))])
