"""Where in the text a name stands whose node covers more.

Knows the comments, names and hints of GoogleSQL, no grammar.
"""

from __future__ import annotations

import re

from graphir.ir import Node
from graphir.source import Span

_BLANK = re.compile(r"(?>(?:\s++|--[^\r\n]*+|#[^\r\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)*)")
_NAME = re.compile(r"`(?:[^`\\]|\\.)*+`|\w++")
_OPENING = re.compile(r"<-\[|-\[|<-|->|-|\(|\{")


def span_of(node: Node) -> Span:
    return node.span or Span(0, 0)


def skip(text: str, at: int) -> int:
    """Past blanks and comments."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def name_at(text: str, at: int) -> Span:
    """The name that begins here, or the character."""
    at = skip(text, at)
    found = _NAME.match(text, at)
    return Span(at, found.end() if found else min(at + 1, len(text)))


def variable(text: str, element: Node) -> Span:
    """The variable of an element of a pattern: behind its bracket and its hint."""
    span = span_of(element)
    opening = _OPENING.match(text, span.start)
    at = skip(text, opening.end() if opening else span.start)
    if text[at : at + 1] == "@":
        at = skip(text, _past_hint(text, at + 1))
    found = _NAME.match(text, at)
    return Span(at, found.end()) if found else span


def _past_hint(text: str, at: int) -> int:
    at = skip(text, at)
    if text[at : at + 1] != "{":
        return name_at(text, at).end
    closing = text.find("}", at)
    return len(text) if closing < 0 else closing + 1


def last_name(text: str, node: Node) -> Span:
    """The name with which a node ends: a property behind its dot, an alias."""
    span = span_of(node)
    if text[span.end - 1 : span.end] == "`":
        opening = text.rfind("`", span.start, span.end - 1)
        return Span(opening if opening >= 0 else span.start, span.end)
    start = span.end
    while start > span.start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return Span(start, span.end) if start < span.end else span
