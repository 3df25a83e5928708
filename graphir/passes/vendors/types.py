"""The types of columns and of simple expressions over them, as PostgreSQL names and compares them.

An expression whose type does not show has none: nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphir.passes.vendors.catalog import UNTYPED, Table, Typed
from graphir.schema.ddl.targets import Target
from graphir.schema.ddl.tokens import Cursor, Token
from graphir.schema.ddl.types import Spelled, read_type

_NAMES = {
    "INT": "integer",
    "INTEGER": "integer",
    "INT4": "integer",
    "SERIAL": "integer",
    "BIGINT": "bigint",
    "INT8": "bigint",
    "BIGSERIAL": "bigint",
    "SMALLINT": "smallint",
    "INT2": "smallint",
    "VARCHAR": "character varying",
    "CHARACTER VARYING": "character varying",
    "CHAR VARYING": "character varying",
    "CHAR": "character",
    "CHARACTER": "character",
    "BPCHAR": "character",
    "DECIMAL": "numeric",
    "DEC": "numeric",
    "BOOL": "boolean",
    "FLOAT": "double precision",
    "FLOAT8": "double precision",
    "FLOAT4": "real",
    "TIMESTAMP WITHOUT TIME ZONE": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
}

_WHOLE = ("smallint", "integer", "bigint")

_FAMILIES = {
    **dict.fromkeys((*_WHOLE, "numeric", "real", "double precision"), "number"),
    **dict.fromkeys(("text", "character varying", "character", "name"), "text"),
    **dict.fromkeys(("date", "timestamp", "timestamptz"), "date"),
}


def name_of(spelled: Spelled) -> str:
    """The name under which a type is compared, with its arguments."""
    base = _NAMES.get(spelled.head, spelled.head.lower())
    shown = f"{base}({','.join(spelled.arguments)})" if spelled.arguments else base
    return shown + "[]" * len(spelled.dimensions)


def comparable(one: Typed, other: Typed) -> bool:
    """Whether values of the two types can be equal; true where that is not known."""
    if one.name is None or other.name is None:
        return True
    first, second = (each.name.split("(")[0] for each in (one, other) if each.name is not None)
    return _FAMILIES.get(first, first) == _FAMILIES.get(second, second)


def type_of(tokens: Sequence[Token], table: Table | None, target: Target, text: str) -> Typed:
    """The type of an expression over the columns of a table."""
    collated = _collation(tokens)
    inside = _unwrapped(list(tokens))
    found = _type(inside, table, target, text)
    return Typed(found.name, collated) if collated is not None else found


def _unwrapped(tokens: list[Token]) -> list[Token]:
    """Without the COLLATE at its end."""
    at = next((i for i, token in enumerate(tokens) if token.word == "COLLATE" and not _depth(tokens[:i])), None)
    return tokens if at is None else tokens[:at]


def _depth(tokens: Sequence[Token]) -> int:
    marks = [token.text for token in tokens if token.kind == "mark"]
    return marks.count("(") - marks.count(")")


def _collation(tokens: Sequence[Token]) -> str | None:
    """The last COLLATE in the expression."""
    for i in range(len(tokens) - 1, -1, -1):
        if tokens[i].word == "COLLATE":
            rest = [token for token in tokens[i + 1 :] if token.is_name or token.text == "."]
            if not rest:
                return None
            name = rest[0]
            if len(rest) > 2 and rest[1].text == ".":
                name = rest[2]
            return name.text if name.kind == "quoted" else name.text.lower()
    return None


def _type(tokens: list[Token], table: Table | None, target: Target, text: str) -> Typed:
    cast = next(
        (i for i in range(len(tokens) - 1, -1, -1) if tokens[i].text == "::" and not _depth(tokens[:i])),
        None,
    )
    if cast is not None and cast + 1 < len(tokens) and tokens[cast + 1].is_name:
        end = tokens[-1].end
        spelled = read_type(Cursor(text, [*tokens[cast + 1 :], Token("end", "", end, end)]))
        return Typed(name_of(spelled), _type(tokens[:cast], table, target, text).collation)
    if len(tokens) == 1:
        return _single(tokens[0], table, target)
    if len(tokens) == 3 and tokens[1].text == "." and tokens[2].is_name:
        return _single(tokens[2], table, target)
    marks = {token.text for token in tokens if token.kind == "mark"}
    if "|" in marks:
        return Typed("text", "default")
    operands = [_single(token, table, target) for token in tokens if token.kind != "mark"]
    if marks <= set("+-*/%()") and operands and all(each.name in _WHOLE for each in operands):
        return Typed(max((each.name for each in operands if each.name is not None), key=_WHOLE.index), "default")
    return UNTYPED


def _single(token: Token, table: Table | None, target: Target) -> Typed:
    if token.kind == "string":
        return Typed("text", "default")
    if token.kind == "number":
        return Typed("integer" if token.text.isdecimal() else "numeric", "default")
    if token.word in ("TRUE", "FALSE"):
        return Typed("boolean", "default")
    if token.is_name and table is not None:
        return table.type_of(target.name(token))
    return UNTYPED
