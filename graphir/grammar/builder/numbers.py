"""Reads numbers as Cypher writes them."""

from __future__ import annotations

from graphir.grammar.builder.context import Refusal, refusal
from graphir.source import Span


def whole_number(text: str, span: Span) -> int:
    if text[0] == "0" and len(text) > 1:
        if text[1] == "x" or text[1] == "o":
            try:
                return int(text.replace("_", ""), 0)
            except ValueError:
                raise no_number(text, span) from None
        raise no_number(text, span)
    try:
        return int(text)
    except ValueError:
        raise no_number(text, span) from None


def no_number(text: str, span: Span) -> Refusal:
    shown = text if len(text) <= 40 else f"{text[:30]}.."
    return refusal(f"`{shown}` is no number", span, code="G030", hint=_NUMBER_FORMS)


_NUMBER_FORMS = "hexadecimal numbers begin with 0x, octal ones with 0o; `_` stands between digits"
