"""The words with which formats name the type of a property, and the types they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from graphir.schema.model import DataType

_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "BOOLEAN": ("boolean", "bool"),
        "INTEGER": ("integer", "int", "long", "int64", "bigint", "integer64"),
        "INTEGER8": ("int8", "integer8"),
        "INTEGER16": ("int16", "integer16", "short"),
        "INTEGER32": ("int32", "integer32"),
        "INTEGER128": ("int128", "integer128"),
        "UINTEGER8": ("uint8", "uinteger8"),
        "UINTEGER16": ("uint16", "uinteger16"),
        "UINTEGER32": ("uint32", "uinteger32"),
        "UINTEGER64": ("uint64", "uinteger64"),
        "FLOAT": ("float", "double", "float64"),
        "FLOAT32": ("float32",),
        "DECIMAL": ("decimal",),
        "STRING": ("string", "str", "text"),
        "DATE": ("date",),
        "LOCAL TIME": ("localtime", "timewithouttimezone"),
        "ZONED TIME": ("zonedtime", "time", "offsettime", "timewithtimezone"),
        "LOCAL DATETIME": ("localdatetime", "timestampwithouttimezone"),
        "ZONED DATETIME": ("zoneddatetime", "datetime", "offsetdatetime", "timestampwithtimezone"),
        "DURATION": ("duration",),
        "POINT": ("point",),
        "VECTOR": ("vector",),
        "UUID": ("uuid",),
        "MAP": ("map",),
        "JSON": ("json",),
        "BYTES": ("bytes", "bytearray"),
        "LIST": ("list", "array"),
        "ANY": ("any",),
    }
)
_WITH_SIZE = {"STRING", "DECIMAL", "BYTES", "VECTOR"}
_NAMES = {word: name for name, words in _KINDS.items() for word in words}
_LIST_OF = re.compile(r"(?:list|array)(?:<(.*)>|\[(.*)\]|of(.+))")
_SIZED = re.compile(r"(\w+)\((\d{1,9})(?:,(\d{1,9}))?\)")
_ARRAY = re.compile(r"(.+?)(?:array|\[\])")
_DEPTH = 64


def data_type(word: str) -> DataType | None:
    """The type that a word stands for (`INT32`, `str`, `StringArray`, `list[str]`, `LIST<FLOAT>`), or None.

    White space, `_`, case and NOT NULL do not count.  `DATETIME` and `TIME` alone have a zone, as in Neo4j.
    """
    return _type("".join(word.casefold().split()).replace("_", ""), 0)


def _type(word: str, depth: int) -> DataType | None:
    word = word.removesuffix("notnull")
    if word in _NAMES:
        return DataType(_NAMES[word])
    if depth > _DEPTH:
        return None
    if found := _LIST_OF.fullmatch(word) or _ARRAY.fullmatch(word):
        element = _type(next(group for group in found.groups() if group is not None), depth + 1)
        return DataType("LIST", element) if element else None
    if (found := _SIZED.fullmatch(word)) and _NAMES.get(found[1]) in _WITH_SIZE:
        return DataType(_NAMES[found[1]], size=int(found[2]), scale=int(found[3]) if found[3] else None)
    return None
