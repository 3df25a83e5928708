"""Builds names, literals, constructors and value types of GQL."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.gql_builder.strings import decode, decode_sql, unquote, unquote_sql
from graphir.grammar.gql_words import CALLED, GOOGLE, RESERVED, SQL_TYPES, TYPED, TYPES
from graphir.grammar.sql_lexis import LEXES, Lexis, fold
from graphir.ir import (
    Apply,
    Cast,
    Entry,
    Expression,
    GraphName,
    Keyword,
    ListOf,
    Literal,
    MapOf,
    Named,
    Parameter,
    Struct,
    ValueType,
)
from graphir.ir.names import Folded
from graphir.source import Span

# ------------------------------------------------------------------ names


def plain_name(text: str, span: Span, context: Context) -> str:
    word = text.upper()
    lexis = LEXES.get(context.dialect)
    if word in RESERVED[context.dialect] and not (
        _is_called(word, lexis) and context.text[span.end :].lstrip()[:1] == "("
    ):
        quoted = f"`` `{text}` ``" if lexis is None else f'`"{fold(text, lexis)}"`'
        code = "G001" if lexis is None else "G074"
        raise refusal(f"`{text}` is a reserved word here", span, hint=f"as a name it is written {quoted}", code=code)
    return text if lexis is None else Folded(fold(text, lexis), text)


def _is_called(word: str, lexis: Lexis | None) -> bool:
    return word in CALLED or lexis is not None


def plain_key(text: str, span: Span, context: Context) -> str:
    """The name of a property behind a dot: GoogleSQL takes any word there."""
    return text if context.dialect in GOOGLE else plain_name(text, span, context)


def quoted_name(text: str, span: Span, context: Context) -> str:
    return unquote(text, span) if text[0] == "`" else unquote_sql(text, span)


def path_name(parts: list[str], span: Span) -> GraphName:
    return GraphName(tuple(parts), span=span)


def of_a_graph(name: GraphName, context: Context) -> GraphName:
    """The name of a graph, part by part: one pair of back-quotes may hold the whole path in Google's dialects."""
    if context.dialect not in GOOGLE or not any("." in part for part in name.name):
        return name
    parts = [each for part in name.name for each in part.split(".")]
    return replace(name, name=tuple(parts)) if all(parts) else name


def param(text: str, span: Span, context: Context) -> Parameter:
    if text.startswith("@@"):
        return Parameter(text[1:], span=span)
    name = text[1:]
    if context.dialect in LEXES:
        return Parameter(name, span=span)
    return Parameter(unquote(name, span) if name[0] == "`" else name, span=span)


def positional_param(span: Span) -> Parameter:
    return Parameter("?", span=span)


# ------------------------------------------------------------------ literals


def integer(text: str, span: Span) -> Literal:
    text = text.replace("_", "")
    value = int(text, 0) if text[:2] in ("0x", "0X") else int(text)
    return Literal(value, text=text, span=span)


def float_(text: str, span: Span) -> Literal:
    return Literal(float(text), text=text, span=span)


def string(text: str, span: Span, context: Context) -> Literal:
    value = decode(text, span) if context.dialect not in LEXES else decode_sql(text, span)
    return Literal(value, text=text, span=span)


def prefixed_string(text: str, span: Span, context: Context) -> Expression:
    if context.dialect in LEXES:
        value = decode_sql(text, span)
        literal = Literal(value, text=text, span=span)
        return Apply("bytes", (literal,), span=span) if text[0] in "xX" else literal
    prefix = text[: text.index(text[-1])].lower()
    literal = Literal(decode(text[len(prefix) :], span, raw="r" in prefix), text=text, span=span)
    return Apply("bytes", (literal,), span=span) if "b" in prefix else literal


def typed_string(word: str, value: str, span: Span, context: Context) -> Expression:
    at = Span(span.end - len(value), span.end)
    text = prefixed_string(value, at, context) if value[0].isalpha() else string(value, at, context)
    if word.upper() == "INTERVAL":
        return Apply("interval", (text,), span=span)
    names = TYPED if context.dialect not in LEXES else SQL_TYPES
    return Cast(text, ValueType(names[word.upper()], span=span), keyword="literal", span=span)


def true(_: str, span: Span) -> Literal:
    return Literal(True, span=span)


def false(_: str, span: Span) -> Literal:
    return Literal(False, span=span)


def null(_: str, span: Span) -> Literal:
    return Literal(None, span=span)


def unknown(_: str, span: Span) -> Literal:
    return Literal(None, text="UNKNOWN", span=span)


# ------------------------------------------------------------------ constructors


def array(word: str | None, items: list[Expression] | None, span: Span, context: Context) -> ListOf:
    if word is not None:
        context.use("ARRAY[..]" if word[0] in "aA" else "LIST[..]", span)
    return ListOf(tuple(items or ()), span=span)


def array_typed(element: ValueType, items: list[Expression] | None, span: Span, context: Context) -> Cast:
    context.use("ARRAY[..]", span)
    made = ListOf(tuple(items or ()), span=span)
    return Cast(made, ValueType("LIST", (element,), span=span), keyword="literal", span=span)


def tuple_(first: Expression, rest: list[Expression], span: Span, context: Context) -> Struct:
    context.use("STRUCT", span)
    return Struct(tuple([Named(None, each, span=each.span) for each in (first, *rest)]), span=span)


def struct(items: list[Named] | None, span: Span, context: Context) -> Struct:
    context.use("STRUCT", span)
    return Struct(tuple(items or ()), span=span)


def struct_typed(fields: list[Field] | None, items: list[Named] | None, span: Span, context: Context) -> Struct:
    context.use("STRUCT", span)
    return Struct(tuple(items or ()), _record(fields or [], span), span=span)


def struct_items(items: list[Named]) -> list[Named]:
    return items


def pairs(entries: list[Entry]) -> list[Entry]:
    return entries


def struct_item(value: Expression, name: str | None, span: Span) -> Named:
    return Named(name, value, span=span)


def quoted_pair(text: str, value: Expression, span: Span, context: Context) -> Entry:
    if context.dialect != "pgq-duckpgq":
        raise refusal("the name of a field is no string", span)
    return Entry(str(string(text, span, context).value), value, span=span)


def record(_: str | None, pairs: list[Entry] | None, span: Span, context: Context) -> MapOf:
    context.use("record", span)
    return MapOf(tuple(pairs or ()), span=span)


def path_value(_: str, items: list[Expression], span: Span, context: Context) -> Apply:
    context.use("PATH[..]", span)
    return Apply("path", tuple(items), span=span)


def cast(word: str, value: Expression, type_: ValueType, format_: Expression | None, span: Span) -> Cast:
    return Cast(value, type_, format_, word[0] in "sS", span=span)


def extract(part: str, value: Expression, zone: Expression | None, span: Span, context: Context) -> Apply:
    context.use("EXTRACT", span)
    args: tuple[Expression, ...] = (Keyword(part.upper(), span=span), value)
    return Apply("extract", args if zone is None else (*args, zone), span=span)


def interval(value: Expression, part: str, to: str | None, span: Span, context: Context) -> Apply:
    context.use("INTERVAL", span)
    words = [Keyword(word.upper(), span=span) for word in (part, to) if word is not None]
    return Apply("interval", (value, *words), span=span)


# ------------------------------------------------------------------ value types


def cast_type(words: list[str], sizes: list[Any] | None, *suffixes: Any, span: Span, context: Context) -> ValueType:
    """The type behind `::`, with `[]` for every level of arrays."""
    found = type_(words, sizes, None, None, None, span, context)
    for _ in suffixes[0] if suffixes and isinstance(suffixes[0], list) else suffixes:
        found = ValueType("LIST", (found,), span=span)
    return found


def array_suffix(size: str | None, span: Span, context: Context) -> bool:
    """`[]` behind a type: an array of it, which may be null."""
    if context.dialect not in LEXES:
        raise refusal("`[]` makes no type of an array here", span, hint="write ARRAY<..> or LIST<..>")
    return False


class Field(NamedTuple):
    """A field of the type of a record."""

    name: str
    type: ValueType


def _record(fields: list[Field], span: Span) -> ValueType:
    names = tuple([field.name for field in fields])
    return ValueType("RECORD", tuple([field.type for field in fields]), fields=names, span=span)


def type_(
    words: list[str],
    sizes: list[Any] | None,
    arguments: list[Field] | None,
    required: bool | None,
    suffixes: list[bool] | None,
    span: Span,
    context: Context,
) -> ValueType:
    spelled = " ".join(" ".join(words).upper().split())
    fields = arguments or []
    if spelled in ("STRUCT", "RECORD"):
        found = _record(fields, span)
    elif spelled in _PARAMETRIC:
        if len(fields) != 1 or fields[0].name:
            raise refusal(f"{spelled} needs the type of its elements", span, hint=f"write {spelled}<STRING>")
        found = ValueType("LIST", (fields[0].type,), span=span)
    else:
        known = SQL_TYPES.get(spelled) if context.dialect in LEXES else None
        known = known or TYPES.get(spelled) or ("OTHER" if context.dialect in LEXES else None)
        if known is None:
            raise refusal(f"there is no type {spelled}", span)
        if fields and known not in ("ANY", "RANGE"):
            raise refusal(f"the type {spelled} takes no `<..>`", span)
        size = next((int(each) for each in sizes or () if isinstance(each, str) and each.isdecimal()), None)
        text = f"{spelled}({', '.join(map(str, sizes))})" if sizes else spelled
        found = ValueType(known, tuple([field.type for field in fields]), False, size, text=text, span=span)
    if required:
        found = replace(found, not_null=True)
    for suffix in suffixes or ():
        found = ValueType("LIST", (found,), suffix, span=span)
    return found


_PARAMETRIC = frozenset({"ARRAY", "LIST", "GROUP LIST", "STRUCT", "RECORD"})
"""Types that take others."""


def sizes(given: list[Any]) -> list[Any]:
    return given


def field_types(given: list[Field]) -> list[Field]:
    return given


def field_type(
    words: list[str],
    sizes: list[Any] | None,
    arguments: list[Field] | None,
    required: bool | None,
    suffixes: list[bool] | None,
    span: Span,
    context: Context,
) -> Field:
    """`name TYPE` or `TYPE`: the first word is a name where the others are a type without it."""
    spelled = " ".join([word.upper() for word in words])
    name = words[0] if len(words) > 1 and spelled not in TYPES and spelled not in _PARAMETRIC else ""
    rest = words[1:] if name else words
    return Field(name, type_(rest, sizes, arguments, required, suffixes, span, context))


def named_field(name: str, type_: ValueType) -> Field:
    return Field(name, type_)


def required(*_: str) -> bool:
    return True


def list_suffixes(suffixes: list[bool]) -> list[bool]:
    return suffixes


def list_suffix(_: str, required: bool | None) -> bool:
    return required is not None
