"""The types of columns in each dialect, both ways.

A type that a dialect does not have is written as the nearest one that holds its values, and the writer says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graphir.limits import MAX_NESTING
from graphir.schema.ddl.tokens import Cursor
from graphir.schema.model import DataType

BOOLEAN, INTEGER, FLOAT, STRING = (DataType(name) for name in ("BOOLEAN", "INTEGER", "FLOAT", "STRING"))


@dataclass(frozen=True, slots=True)
class Spelled:
    """A type as written: its words in upper case, its arguments, the types inside, and how many `[]` follow."""

    head: str
    arguments: tuple[str, ...] = ()
    inner: tuple[Spelled, ...] = ()
    dimensions: tuple[int | None, ...] = ()


_SECOND_WORDS = {
    "DOUBLE": ("PRECISION",),
    "CHARACTER": ("VARYING",),
    "CHAR": ("VARYING",),
    "NATIONAL": ("CHARACTER", "CHAR"),
    "LONG": ("RAW", "VARCHAR"),
    "BIT": ("VARYING",),
    "LOCAL": ("TIME", "DATETIME"),
    "ZONED": ("TIME", "DATETIME"),
    "SIGNED": ("INTEGER", "INT"),
    "ANY": ("RECORD", "VALUE", "PROPERTY"),
    "PROPERTY": ("VALUE",),
}


def read_type(cursor: Cursor) -> Spelled:
    """The type that stands here."""
    head = cursor.path("a type").text.upper()
    while any(cursor.accept(word) for word in _SECOND_WORDS.get(head.split()[-1], ())):
        head += " " + cursor.tokens[cursor.at - 1].word
    arguments: list[str] = []
    inner: list[Spelled] = []
    if head in ("ARRAY", "LIST", "STRUCT", "RANGE", "VECTOR", "RECORD") and cursor.accept("<"):
        inner = _read_inner(cursor, ">")
    if head == "INTERVAL" and cursor.token.word in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE"):
        head += " " + cursor.advance().word
        _read_arguments(cursor)
        if cursor.accept("TO"):
            head += " TO " + cursor.name("a unit").word
    if cursor.looking_at("("):
        if head in ("STRUCT", "MAP", "UNION", "ROW"):
            cursor.skip()
        else:
            arguments = _read_arguments(cursor)
    head += _read_zone(cursor)
    return Spelled(head, tuple(arguments), tuple(inner), _read_dimensions(cursor))


def _read_inner(cursor: Cursor, closing: str) -> list[Spelled]:
    found = []
    while True:
        if cursor.token.is_name and cursor.ahead().is_name and cursor.ahead().word not in ("NOT", "NULL"):
            cursor.advance()  # the name of a field
        with cursor.nested():
            found.append(read_type(cursor))
        if cursor.accept("NOT"):
            cursor.take("NULL")
        if not cursor.accept(","):
            cursor.take(closing)
            return found


def _read_arguments(cursor: Cursor) -> list[str]:
    """Words and numbers in parentheses, if there are any."""
    found: list[str] = []
    if not cursor.accept("("):
        return found
    while not cursor.accept(")"):
        if cursor.done:
            cursor.fail("`)`")
        token = cursor.advance()
        if token.kind != "mark":
            found.append(token.text.upper())
    return found


def _read_zone(cursor: Cursor) -> str:
    for words in (("WITH", "LOCAL", "TIME", "ZONE"), ("WITH", "TIME", "ZONE"), ("WITHOUT", "TIME", "ZONE")):
        if cursor.looking_at(*words):
            cursor.accept(*words)
            return " " + " ".join(words)
    return ""


def _read_dimensions(cursor: Cursor) -> tuple[int | None, ...]:
    found: list[int | None] = []
    while cursor.looking_at("[") or cursor.looking_at("ARRAY"):
        if cursor.accept("ARRAY") and not cursor.looking_at("["):
            found.append(None)
            continue
        cursor.take("[")
        number = cursor.advance().text if cursor.token.kind == "number" else ""
        size = int(number) if number.isdecimal() and len(number) < 10 else None
        cursor.take("]")
        found.append(size)
        if len(found) > MAX_NESTING - cursor.depth:
            cursor.fail_too_deep()
    return tuple(found)


# ------------------------------------------------------------------ reading

_COMMON = {
    "BOOLEAN": ("BOOL", "BOOLEAN", "LOGICAL"),
    "INTEGER": ("INT64", "BIGINT", "INT8", "BIGSERIAL", "SERIAL8", "LONG", "INTEGER64", "SIGNED INTEGER64"),
    "INTEGER32": ("INT", "INTEGER", "INT4", "SERIAL", "SERIAL4", "INT32", "SIGNED"),
    "INTEGER16": ("SMALLINT", "INT2", "SMALLSERIAL", "INT16", "SHORT"),
    "INTEGER8": ("TINYINT", "BYTEINT"),
    "INTEGER128": ("HUGEINT", "INT128"),
    "UINTEGER8": ("UTINYINT", "UINT8"),
    "UINTEGER16": ("USMALLINT", "UINT16"),
    "UINTEGER32": ("UINTEGER", "UINT32"),
    "UINTEGER64": ("UBIGINT", "UINT64"),
    "FLOAT": ("FLOAT64", "DOUBLE", "DOUBLE PRECISION", "FLOAT8", "BINARY_DOUBLE"),
    "FLOAT32": ("FLOAT32", "REAL", "FLOAT4", "BINARY_FLOAT"),
    "DECIMAL": ("NUMERIC", "DECIMAL", "DEC", "NUMBER", "BIGNUMERIC", "BIGDECIMAL", "MONEY"),
    "STRING": (
        *("STRING", "TEXT", "VARCHAR", "VARCHAR2", "NVARCHAR2", "CHAR", "CHARACTER", "BPCHAR", "CHARACTER VARYING"),
        *("CHAR VARYING", "NCHAR", "NATIONAL CHARACTER", "NATIONAL CHARACTER VARYING", "CLOB", "NCLOB", "LONG VARCHAR"),
        *("NAME", "CITEXT", "FIXED_STRING"),
    ),
    "DATE": ("DATE",),
    "LOCAL TIME": ("TIME", "TIME WITHOUT TIME ZONE"),
    "ZONED TIME": ("TIMETZ", "TIME WITH TIME ZONE"),
    "LOCAL DATETIME": (
        *("DATETIME", "TIMESTAMP", "TIMESTAMP WITHOUT TIME ZONE"),
        *("TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP_SEC"),
    ),
    "ZONED DATETIME": (*("TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH LOCAL TIME ZONE", "TIMESTAMP_TZ"),),
    "DURATION": (
        *("INTERVAL", "INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH", "DURATION"),
        *("INTERVAL YEAR", "INTERVAL MONTH", "INTERVAL DAY"),
    ),
    "POINT": ("POINT", "GEOGRAPHY", "GEOMETRY", "SDO_GEOMETRY", "POINT_2D"),
    "VECTOR": ("VECTOR",),
    "UUID": ("UUID",),
    "BYTES": ("BYTES", "BYTEA", "BLOB", "RAW", "LONG RAW", "BINARY", "VARBINARY"),
    "JSON": ("JSON", "JSONB"),
    "MAP": ("STRUCT", "MAP", "RECORD", "ANY RECORD", "ROW"),
}
_HEADS = {word: name for name, words in _COMMON.items() for word in words}

_OWN: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "spanner-ddl": {"TIMESTAMP": "ZONED DATETIME", "INT": "INTEGER", "INTEGER": "INTEGER", "SMALLINT": "INTEGER"},
        "bigquery-ddl": {"TIMESTAMP": "ZONED DATETIME", "INT": "INTEGER", "INTEGER": "INTEGER", "SMALLINT": "INTEGER"},
        "oracle-ddl": {"FLOAT": "FLOAT", "INTEGER": "INTEGER128", "INT": "INTEGER128", "SMALLINT": "INTEGER128"},
        "postgres-ddl": {"FLOAT": "FLOAT"},
        "duckpgq-ddl": {"FLOAT": "FLOAT32", "INT1": "INTEGER8", "LONG": "INTEGER"},
        "kuzu-ddl": {
            **{"FLOAT": "FLOAT32", "INT8": "INTEGER8", "SERIAL": "INTEGER", "TIMESTAMP": "LOCAL DATETIME"},
            "UNION": "ANY",
        },
        "gql": {
            **{"FLOAT": "FLOAT", "REAL": "FLOAT32", "INT": "INTEGER", "INTEGER": "INTEGER", "INT8": "INTEGER8"},
            **{"SIGNED INTEGER": "INTEGER", "ANY": "ANY", "ANY VALUE": "ANY", "INTEGER8": "INTEGER8"},
            **{"ANY PROPERTY VALUE": "ANY", "PROPERTY VALUE": "ANY", "UINT": "UINTEGER64", "UBIGINT": "UINTEGER64"},
            **{"INTEGER16": "INTEGER16", "INTEGER32": "INTEGER32", "INTEGER64": "INTEGER", "INTEGER128": "INTEGER128"},
            **{"LOCAL TIME": "LOCAL TIME", "ZONED TIME": "ZONED TIME", "LOCAL DATETIME": "LOCAL DATETIME"},
            **{"ZONED DATETIME": "ZONED DATETIME", "DURATION": "DURATION", "TIMESTAMP": "LOCAL DATETIME"},
        },
    }
)
_SIZED = ("STRING", "DECIMAL", "VECTOR", "BYTES")
_ORACLE_INTEGERS = {3: "INTEGER8", 5: "INTEGER16", 10: "INTEGER32", 19: "INTEGER", 38: "INTEGER128"}


def data_type(spelled: Spelled, format: str) -> DataType | None:
    """The type that is meant, None where it is none that this knows (a type of the user's own)."""
    if spelled.dimensions:
        return _listed(spelled, format)
    if spelled.head in ("ARRAY", "LIST"):
        return _array(spelled, format)
    name = _OWN.get(format, {}).get(spelled.head) or _HEADS.get(spelled.head)
    if name is None:
        return None
    sizes = _numbers(spelled)
    if format == "oracle-ddl":
        return _oracle(spelled, name, sizes)
    if name == "FLOAT" and spelled.head == "FLOAT" and sizes and sizes[0] <= 24:
        return DataType("FLOAT32")
    if name not in _SIZED or not sizes:
        return DataType(name)
    if name == "DECIMAL":
        return DataType(name, size=sizes[0], scale=sizes[1] if len(sizes) > 1 else None)
    return DataType(name, size=sizes[-1] if format == "gql" else sizes[0])


def _numbers(spelled: Spelled) -> list[int]:
    return [int(word) for word in spelled.arguments if word.isdecimal() and len(word) < 10]


def _listed(spelled: Spelled, format: str) -> DataType:
    element = data_type(Spelled(spelled.head, spelled.arguments, spelled.inner), format)
    for size in spelled.dimensions:
        vector = size is not None and element is not None and element.name == "FLOAT32" and format != "postgres-ddl"
        element = DataType("VECTOR", size=size) if vector else DataType("LIST", element)
        if format == "postgres-ddl":
            break  # there an array has no fixed number of dimensions
    assert element is not None
    return element


def _array(spelled: Spelled, format: str) -> DataType:
    if not spelled.inner:
        return DataType("LIST")
    element = data_type(spelled.inner[0], format)
    if "VECTOR_LENGTH" in spelled.arguments:
        return DataType("VECTOR", size=next(iter(_numbers(spelled)), None))
    return DataType("LIST", element)


def _oracle(spelled: Spelled, name: str, sizes: list[int]) -> DataType:
    if name == "DECIMAL" and sizes and (len(sizes) == 1 or sizes[1] == 0):
        return DataType(_ORACLE_INTEGERS.get(sizes[0], "INTEGER"))
    if spelled.head == "NUMBER" and spelled.arguments == ("38",):
        return DataType("INTEGER128")
    if spelled.head == "RAW" and sizes == [16]:
        return DataType("UUID")
    if name == "STRING" and (not sizes or sizes[0] == 4000):
        return STRING
    if name not in _SIZED or not sizes:
        return DataType(name)
    return DataType(name, size=sizes[0], scale=sizes[1] if name == "DECIMAL" and len(sizes) > 1 else None)


# ------------------------------------------------------------------ writing

_GOOGLE_COMMON = {
    "BOOLEAN": "BOOL",
    "INTEGER": "INT64",
    "FLOAT": "FLOAT64",
    "DATE": "DATE",
    "ZONED DATETIME": "TIMESTAMP",
    "JSON": "JSON",
}
_WRITTEN: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "spanner-ddl": {
            **_GOOGLE_COMMON,
            **{"STRING": "STRING(MAX)", "FLOAT32": "FLOAT32", "DECIMAL": "NUMERIC", "BYTES": "BYTES(MAX)"},
            "UUID": "UUID",
        },
        "bigquery-ddl": {
            **_GOOGLE_COMMON,
            **{"STRING": "STRING", "LOCAL DATETIME": "DATETIME", "LOCAL TIME": "TIME", "DURATION": "INTERVAL"},
            **{"BYTES": "BYTES", "DECIMAL": "NUMERIC", "POINT": "GEOGRAPHY"},
        },
        "oracle-ddl": {
            **{"BOOLEAN": "BOOLEAN", "INTEGER": "NUMBER(19)", "INTEGER8": "NUMBER(3)", "INTEGER16": "NUMBER(5)"},
            **{"INTEGER32": "NUMBER(10)", "INTEGER128": "NUMBER(38)", "FLOAT": "BINARY_DOUBLE"},
            **{"FLOAT32": "BINARY_FLOAT", "DECIMAL": "NUMBER", "STRING": "VARCHAR2(4000)", "DATE": "DATE"},
            **{"LOCAL DATETIME": "TIMESTAMP", "ZONED DATETIME": "TIMESTAMP WITH TIME ZONE", "BYTES": "BLOB"},
            **{"DURATION": "INTERVAL DAY TO SECOND", "JSON": "JSON", "UUID": "RAW(16)", "VECTOR": "VECTOR"},
            "POINT": "SDO_GEOMETRY",
        },
        "postgres-ddl": {
            **{"BOOLEAN": "boolean", "INTEGER": "bigint", "INTEGER16": "smallint", "INTEGER32": "integer"},
            **{"FLOAT": "double precision", "FLOAT32": "real", "DECIMAL": "numeric", "STRING": "text", "DATE": "date"},
            **{"LOCAL TIME": "time", "ZONED TIME": "time with time zone", "LOCAL DATETIME": "timestamp"},
            **{"ZONED DATETIME": "timestamp with time zone", "DURATION": "interval", "POINT": "point"},
            **{"UUID": "uuid", "JSON": "jsonb", "BYTES": "bytea"},
        },
        "duckpgq-ddl": {
            **{"BOOLEAN": "BOOLEAN", "INTEGER": "BIGINT", "INTEGER8": "TINYINT", "INTEGER16": "SMALLINT"},
            **{"INTEGER32": "INTEGER", "INTEGER128": "HUGEINT", "UINTEGER8": "UTINYINT", "UINTEGER16": "USMALLINT"},
            **{"UINTEGER32": "UINTEGER", "UINTEGER64": "UBIGINT", "FLOAT": "DOUBLE", "FLOAT32": "FLOAT"},
            **{"DECIMAL": "DECIMAL(18, 3)", "STRING": "VARCHAR", "DATE": "DATE", "LOCAL TIME": "TIME"},
            **{"ZONED TIME": "TIMETZ", "LOCAL DATETIME": "TIMESTAMP", "ZONED DATETIME": "TIMESTAMPTZ"},
            **{"DURATION": "INTERVAL", "UUID": "UUID", "BYTES": "BLOB", "JSON": "JSON"},
        },
        "kuzu-ddl": {
            **{"BOOLEAN": "BOOL", "INTEGER": "INT64", "INTEGER8": "INT8", "INTEGER16": "INT16", "INTEGER32": "INT32"},
            **{"INTEGER128": "INT128", "UINTEGER8": "UINT8", "UINTEGER16": "UINT16", "UINTEGER32": "UINT32"},
            **{"UINTEGER64": "UINT64", "FLOAT": "DOUBLE", "FLOAT32": "FLOAT", "DECIMAL": "DECIMAL(18, 3)"},
            **{"STRING": "STRING", "DATE": "DATE", "LOCAL DATETIME": "TIMESTAMP", "ZONED DATETIME": "TIMESTAMP_TZ"},
            **{"DURATION": "INTERVAL", "UUID": "UUID", "BYTES": "BLOB"},
        },
        "gql": {
            **{"BOOLEAN": "BOOL", "INTEGER": "INT64", "INTEGER8": "INT8", "INTEGER16": "INT16", "INTEGER32": "INT32"},
            **{"INTEGER128": "INT128", "UINTEGER8": "UINT8", "UINTEGER16": "UINT16", "UINTEGER32": "UINT32"},
            **{"UINTEGER64": "UINT64", "FLOAT": "FLOAT64", "FLOAT32": "FLOAT32", "DECIMAL": "DECIMAL"},
            **{"STRING": "STRING", "DATE": "DATE", "LOCAL TIME": "LOCAL TIME", "ZONED TIME": "ZONED TIME"},
            **{"LOCAL DATETIME": "LOCAL DATETIME", "ZONED DATETIME": "ZONED DATETIME", "MAP": "ANY RECORD"},
            **{"DURATION": "DURATION(DAY TO SECOND)", "BYTES": "BYTES", "ANY": "ANY"},
        },
    }
)

_NEAREST: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "INTEGER8": ("INTEGER16", "INTEGER"),
        "INTEGER16": ("INTEGER",),
        "INTEGER32": ("INTEGER",),
        "INTEGER128": ("DECIMAL", "FLOAT"),
        "UINTEGER8": ("INTEGER16", "INTEGER"),
        "UINTEGER16": ("INTEGER32", "INTEGER"),
        "UINTEGER32": ("INTEGER",),
        "UINTEGER64": ("DECIMAL", "FLOAT"),
        "FLOAT32": ("FLOAT",),
        "DECIMAL": ("FLOAT",),
        "LOCAL TIME": ("STRING",),
        "ZONED TIME": ("STRING",),
        "LOCAL DATETIME": ("STRING",),
        "ZONED DATETIME": ("STRING",),
        "DURATION": ("STRING",),
        "POINT": ("JSON", "STRING", "ANY"),
        "VECTOR": ("STRING",),
        "UUID": ("STRING",),
        "MAP": ("JSON", "STRING"),
        "ANY": ("JSON", "STRING"),
        "JSON": ("MAP", "STRING"),
        "LIST": ("JSON", "STRING"),
    }
)


_LISTS: Mapping[str, tuple[str, str, bool]] = MappingProxyType(
    {
        "spanner-ddl": ("ARRAY<", ">", False),
        "bigquery-ddl": ("ARRAY<", ">", False),
        "postgres-ddl": ("", "[]", False),
        "duckpgq-ddl": ("", "[]", True),
        "kuzu-ddl": ("", "[]", True),
        "gql": ("LIST<", ">", True),
    }
)
"""What stands around the type of the elements of a list, and whether lists of lists are told from lists."""
_TEXTS = frozenset(("spanner-ddl", "bigquery-ddl", "postgres-ddl", "duckpgq-ddl"))
"""The formats that write a list of unknown elements as one of texts."""


def write_type(type: DataType | None, format: str) -> tuple[str, bool]:
    """The type as the dialect spells it, and whether reading that gives the same type."""
    if type is None:
        return _WRITTEN[format]["ANY" if format == "gql" else "STRING"], False
    if type == DataType("LIST") and format in _TEXTS:
        return write_type(DataType("LIST", DataType("STRING")), format)[0], False
    depth, inner = 0, type
    while inner.name == "LIST" and inner.element is not None:
        depth, inner = depth + 1, inner.element
    before, after, deep = _LISTS.get(format, ("", "", False))
    if depth and after and (deep or (depth == 1 and inner.name not in ("LIST", "VECTOR"))):
        text, exact = write_type(inner, format)
        if exact:
            return before * depth + text + after * depth, True
    special = _SPECIAL[format](type)
    if special is not None:
        return special, True
    written = _WRITTEN[format]
    if type.name in written and type.name != "LIST":
        text = written[type.name]
        sized = type.size is not None or type.scale is not None
        return text, (not sized) and text != "DECIMAL(18, 3)"
    for name in _NEAREST.get(type.name, ("STRING",)):
        if name in written:
            return written[name], False
    return written["STRING"], False


def _sizes(type: DataType) -> str:
    return f"({type.size})" if type.scale is None else f"({type.size}, {type.scale})"


def _google(type: DataType, *, spanner: bool) -> str | None:
    match type:
        case DataType("STRING" | "BYTES" as name, None, int() as size, None) if size > 0:
            return f"{name}({size})"
        case DataType("DECIMAL", None, int() as size, _) if not spanner and 0 < size <= 38:
            return "NUMERIC" + _sizes(type)
        case DataType("VECTOR", None, int() as size) if spanner:
            return f"ARRAY<FLOAT32>(vector_length=>{size})"
    return None


def _oracle_special(type: DataType) -> str | None:
    match type:
        case DataType("STRING", None, int() as size, None) if 0 < size < 4000:
            return f"VARCHAR2({size} CHAR)"
        case DataType("DECIMAL", None, int() as size, int() as scale) if 0 < size <= 38 and scale > 0:
            return f"NUMBER({size}, {scale})"
        case DataType("VECTOR", None, int() as size):
            return f"VECTOR({size}, FLOAT32)"
    return None


def _postgres(type: DataType) -> str | None:
    match type:
        case DataType("STRING", None, int() as size, None) if size > 0:
            return f"varchar({size})"
        case DataType("DECIMAL", None, int() as size, _) if 0 < size <= 1000:
            return "numeric" + _sizes(type)
    return None


def _embedded(format: str) -> Callable[[DataType], str | None]:
    """DuckDB and Kuzu: lists and arrays of anything."""

    def special(type: DataType) -> str | None:
        match type:
            case DataType("STRING", None, int() as size, None) if format == "duckpgq-ddl" and size > 0:
                return f"VARCHAR({size})"
            case DataType("DECIMAL", None, int() as size, int()) if 0 < size <= 38:
                return "DECIMAL" + _sizes(type)
            case DataType("VECTOR", None, int() as size) if size > 0:
                return f"FLOAT[{size}]"
        return None

    return special


def _gql(type: DataType) -> str | None:
    match type:
        case DataType("STRING" | "BYTES" as name, None, int() as size, None) if size > 0:
            return f"{name}({size})"
        case DataType("DECIMAL", None, int() as size, _):
            return "DECIMAL" + _sizes(type)
        case DataType("LIST", None):
            return "LIST"
    return None


_SPECIAL: Mapping[str, Callable[[DataType], str | None]] = MappingProxyType(
    {
        "spanner-ddl": lambda type: _google(type, spanner=True),
        "bigquery-ddl": lambda type: _google(type, spanner=False),
        "oracle-ddl": _oracle_special,
        "postgres-ddl": _postgres,
        "duckpgq-ddl": _embedded("duckpgq-ddl"),
        "kuzu-ddl": _embedded("kuzu-ddl"),
        "gql": _gql,
    }
)
"""What an argument or an element type makes of a type, exactly; None: nothing special."""

_PARAMETERS = re.compile(r"\([^()]*\)")
_NUMBERS = ("NUMBER", "BINARY_DOUBLE", "BINARY_FLOAT")


def type_in_graph(text: str, format: str) -> str:
    """What of a column's type must be the same where one property has one type in a graph.

    GoogleSQL's types have no length there, and Oracle wants types of one group, as in UNION.
    """
    if format in ("spanner-ddl", "bigquery-ddl"):
        return _PARAMETERS.sub("", text)
    if format == "oracle-ddl":
        head = _PARAMETERS.sub("", text)
        return "NUMBER" if head in _NUMBERS else head
    return text
