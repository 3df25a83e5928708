"""The words with which formats name the type of a property, and the types they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
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
_NAMES = {word: name for name, words in _KINDS.items() for word in words}
_LIST_OF = re.compile(r"(?:list|array)(?:<(.*)>|\[(.*)\]|of(.+))")
_SIZED = re.compile(r"(\w+) *\( *(\d+) *(?:, *(\d+) *)?\)")
_ARRAY = re.compile(r"(.+?)(?:array|\[\])")


def data_type(word: str) -> DataType | None:
    """The type that a word stands for (`INT32`, `str`, `StringArray`, `list[str]`, `LIST<FLOAT>`), or None.

    White space, `_`, case and NOT NULL do not count.  `DATETIME` and `TIME` alone have a zone, as in Neo4j.
    """
    sized = _SIZED.fullmatch(word.strip())
    if sized:
        of = data_type(sized[1])
        known = of is not None and of.name in ("STRING", "DECIMAL", "BYTES")
        return replace(of, size=int(sized[2]), scale=int(sized[3]) if sized[3] else None) if of and known else None
    plain = "".join(word.casefold().split()).replace("_", "").removesuffix("notnull")
    depth = 0
    while plain not in _NAMES:
        found = _LIST_OF.fullmatch(plain) or _ARRAY.fullmatch(plain)
        if found is None or depth > 4:
            return None
        plain = next(group for group in found.groups() if group is not None).removesuffix("notnull")
        depth += 1
    of = DataType(_NAMES[plain])
    for _ in range(depth):
        of = DataType("LIST", of)
    return of
