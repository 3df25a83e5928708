"""Builds value types, and vector(), which takes one."""

from __future__ import annotations

from typing import Any

from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.builder.numbers import whole_number
from graphir.ir import Apply, Expression, Keyword, ValueType
from graphir.source import Span

_TYPE_NAMES = {
    "BOOL": "BOOLEAN", "BOOLEAN": "BOOLEAN", "VARCHAR": "STRING", "STRING": "STRING",
    "INT": "INTEGER", "INTEGER": "INTEGER", "SIGNED INTEGER": "INTEGER", "FLOAT": "FLOAT",
    "DATE": "DATE", "LOCAL TIME": "LOCAL TIME", "ZONED TIME": "ZONED TIME",
    "LOCAL DATETIME": "LOCAL DATETIME", "ZONED DATETIME": "ZONED DATETIME",
    "TIME WITH ZONE": "ZONED TIME", "TIME WITHOUT ZONE": "LOCAL TIME",
    "TIMESTAMP WITH ZONE": "ZONED DATETIME", "TIMESTAMP WITHOUT ZONE": "LOCAL DATETIME",
    "DURATION": "DURATION", "POINT": "POINT", "MAP": "MAP", "ANY MAP": "MAP", "PATH": "PATH", "PATHS": "PATH",
    "NODE": "NODE", "VERTEX": "NODE", "ANY NODE": "NODE", "ANY VERTEX": "NODE",
    "RELATIONSHIP": "RELATIONSHIP", "EDGE": "RELATIONSHIP", "ANY RELATIONSHIP": "RELATIONSHIP",
    "ANY EDGE": "RELATIONSHIP", "PROPERTY VALUE": "PROPERTY VALUE", "ANY PROPERTY VALUE": "PROPERTY VALUE",
    "NULL": "NULL", "NOTHING": "NOTHING", "ANY": "ANY", "ANY VALUE": "ANY",
}  # fmt: skip
_TYPE_NAMES_25 = {
    "UUID": "UUID", "INTEGER64": "INTEGER", "INT64": "INTEGER", "FLOAT64": "FLOAT",
}  # fmt: skip
_COORDINATE_NAMES = _TYPE_NAMES_25 | {
    "INT": "INTEGER", "INTEGER": "INTEGER", "SIGNED INTEGER": "INTEGER", "FLOAT": "FLOAT",
    "INTEGER32": "INTEGER32", "INT32": "INTEGER32", "INTEGER16": "INTEGER16", "INT16": "INTEGER16",
    "INTEGER8": "INTEGER8", "INT8": "INTEGER8", "FLOAT32": "FLOAT32",
}  # fmt: skip


def union_type(first: ValueType, rest: list[Any], span: Span) -> ValueType:
    return ValueType("UNION", (first, *rest[1::2]), span=span)


def required(_: str) -> bool:
    return True


def required_mark() -> bool:
    return True


def list_suffixes(suffixes: list[bool]) -> list[bool]:
    return suffixes


def list_suffix(_: str, required: bool | None) -> bool:
    return required is not None


def type_(
    words: list[str],
    size: str | None,
    required: bool | None,
    suffixes: list[bool] | None,
    span: Span,
    context: Context,
) -> ValueType:
    """One member of a value type: its words, `(n)`, NOT NULL, and any number of LIST behind it."""
    name = " ".join([_type_word(word) for word in words])
    return _with_suffixes(_named_type(name, None, size, span, context), required, suffixes, span)


def parametrized_type(
    word: str | None,
    opening: str,
    argument: ValueType,
    size: str | None,
    required: bool | None,
    suffixes: list[bool] | None,
    span: Span,
    context: Context,
) -> ValueType:
    name = opening.rstrip("<").split()[0].upper()
    name = name if word is None else f"{word.upper()} {name}"
    return _with_suffixes(_named_type(name, argument, size, span, context), required, suffixes, span)


def _with_suffixes(found: ValueType, required: bool | None, suffixes: list[bool] | None, span: Span) -> ValueType:
    if required is not None:
        found = ValueType(found.name, found.arguments, True, found.size, span=span)
    for suffix in suffixes or ():
        found = ValueType("LIST", (found,), suffix, span=span)
    return found


def _type_word(word: str) -> str:
    upper = word.upper()
    if "WITH" in upper[4:]:
        first = "TIMESTAMP" if upper.startswith("TIMESTAMP") else "TIME"
        return f"{first} WITHOUT ZONE" if "WITHOUT" in upper else f"{first} WITH ZONE"
    return upper


def _named_type(name: str, argument: ValueType | None, size: str | None, span: Span, context: Context) -> ValueType:
    if size is not None and name != "VECTOR":
        raise refusal(f"the type {name} takes no size", span)
    if name == "VECTOR":
        context.use("VECTOR type", span)
        length = None if size is None else whole_number(size, span)
        return ValueType("VECTOR", () if argument is None else (argument,), False, length, span=span)
    if name in ("LIST", "ARRAY"):
        if argument is None:
            raise refusal(f"{name} needs the type of its elements", span, hint="write LIST<ANY>")
        return ValueType("LIST", (argument,), span=span)
    if argument is not None:
        if name not in ("ANY", "ANY VALUE"):
            raise refusal(f"the type {name} takes no `<..>`", span)
        members = argument.arguments if argument.name == "UNION" else (argument,)
        return ValueType("UNION", members, span=span)
    known = _TYPE_NAMES.get(name)
    if known is None:
        known = _TYPE_NAMES_25.get(name) or _COORDINATE_NAMES.get(name)
        if known is None:
            raise refusal(f"there is no type {name}", span)
        context.use("type of Cypher 25", span)
    return ValueType(known, span=span)


def check_coordinates(type_: ValueType) -> None:
    """The small numbers exist inside a vector only."""
    pending = [(type_, False)]
    while pending:
        found, inside = pending.pop()
        if found.name in _SMALL and not inside:
            raise refusal(f"{found.name} is the type of a vector's coordinates only", found.span)
        pending.extend((argument, found.name == "VECTOR") for argument in found.arguments)


_SMALL = frozenset({"INTEGER32", "INTEGER16", "INTEGER8", "FLOAT32"})


def vector(
    _: str, values: Expression, dimension: Expression, coordinate: ValueType, span: Span, context: Context
) -> Apply:
    context.use("vector()", span)
    word = context.text[coordinate.span.start : coordinate.span.end] if coordinate.span else coordinate.name
    keyword = Keyword(" ".join(word.upper().split()), span=coordinate.span)
    return Apply("vector", (values, dimension, keyword), span=span)
