"""GoogleSQL's functions of JSON: documents of values, parts of documents by their paths, values of documents."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.faults import invalid, mismatch, out_of_range
from graphir.values.google.arguments import Function, safe, strict, text
from graphir.values.google.texts import float_text, moment_text
from graphir.values.numbers import MAX_INTEGER, MIN_INTEGER

Step = str | int

# ------------------------------------------------------------------ paths

_STEP = re.compile(
    r"\.(?P<name>[^.\[\]\"'\s$]+)|\.\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|\[(?P<place>\d+)\]"
    r"|\[(?P<mark>['\"])(?P<key>(?:(?!(?P=mark))[^\\]|\\.)*)(?P=mark)\]"
)


def steps(path: str) -> list[Step]:
    """The names and offsets of a path such as `$.a[0]."b c"`."""
    if not path.startswith("$"):
        raise invalid("a JSON path", "it begins with `$`")
    found: list[Step] = []
    at = 1
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise invalid("a JSON path", f"`{path[at:]}` is not understood")
        if step["place"] is not None:
            found.append(int(step["place"]))
        else:
            name = next(each for each in (step["name"], step["quoted"], step["key"]) if each is not None)
            found.append(name.replace('\\"', '"').replace("\\'", "'"))
        at = step.end()
    return found


_NOTHING = object()


def _follow(value: Any, path: Sequence[Step]) -> Any:
    """What is there, or `_NOTHING`."""
    for step in path:
        found = Json(value).part(step)
        if found is None:
            return _NOTHING
        value = found.value
    return value


def _document(where: str, value: Any) -> Json:
    """A document, or the text of one."""
    if type(value) is str:
        return Json.parse(value)
    if type(value) is not Json:
        raise mismatch(where, value, "JSON")
    return value


def _path(where: str, given: Sequence[Any]) -> list[Step]:
    return steps(text(where, given[0])) if given else []


def subscript_of(value: Any, key: Any) -> Any:
    """`document[key]`."""
    if type(value) is not Json:
        raise mismatch("[..]", value, "an array or JSON")
    if type(key) not in (int, str):
        raise mismatch("[..]", key, "an integer or a string")
    return value.part(key)


# ------------------------------------------------------------------ values as documents

_EXACT = 1 << 53


def plain(value: Any, *, texts: bool = False) -> Any:
    """What a value is in a document.  `texts`: as TO_JSON_STRING has it."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return str(value) if texts and abs(value) > _EXACT else value
        case float():
            return value if math.isfinite(value) else float_text(value).replace("inf", "Infinity").replace("nan", "NaN")
        case Json():
            return value.value
        case list() | tuple():
            return [plain(item, texts=texts) for item in value]
        case dict():
            return {key: plain(item, texts=texts) for key, item in value.items()}
        case Date():
            return str(value)
        case DateTime() | LocalDateTime():
            return moment_text(value, "T", "Z")
    raise mismatch("TO_JSON()", value, "a value that a document can hold")


def to_json(value: Any, *named: Any) -> Json:
    """The document of a value; null is the null of documents."""
    return value if type(value) is Json else Json(plain(value))


def to_json_string(value: Any, *pretty: Any) -> str:
    """The text of the document of a value: fields in their order, floats as short as they can be."""
    if True in pretty:
        raise invalid("TO_JSON_STRING()", "pretty printing is not supported")
    return str(value) if type(value) is Json else _written(plain(value, texts=True))


def _written(value: Any) -> str:
    if type(value) is list:
        return f"[{','.join([_written(item) for item in value])}]"
    if type(value) is dict:
        return "{" + ",".join([f"{_written(key)}:{_written(item)}" for key, item in value.items()]) + "}"
    return float_text(value) if type(value) is float else json.dumps(value, ensure_ascii=False)


@strict
def parse_json(value: Any) -> Json:
    return Json.parse(text("PARSE_JSON()", value))


def json_array(*values: Any) -> Json:
    return Json([plain(value) for value in values])


def json_object(*values: Any) -> Json:
    """Of names and values in turn, or of a list of each."""
    where = "JSON_OBJECT()"
    if len(values) == 2 and type(values[0]) is list and type(values[1]) is list:
        names, items = values
    else:
        names, items = list(values[::2]), list(values[1::2])
    if len(names) != len(items):
        raise invalid(where, "there are not as many names as values")
    made: dict[str, Any] = {}
    for name, item in zip(names, items, strict=True):
        made.setdefault(text(where, name), plain(item))
    return Json(made)


# ------------------------------------------------------------------ parts of documents


@strict
def json_query(value: Any, *path: Any) -> Any:
    """A part of a document: a document of a document, a text of a text."""
    found = _follow(_document("JSON_QUERY()", value).value, _path("JSON_QUERY()", path))
    if found is _NOTHING:
        return None
    if type(value) is str:
        return None if found is None else str(Json(found))
    return Json(found)


def _scalar_text(value: Any) -> str | None:
    if value is None or value is _NOTHING or type(value) in (list, dict):
        return None
    return value if type(value) is str else str(Json(value))


@strict
def json_value(value: Any, *path: Any) -> str | None:
    """A string, number or boolean as a string, null for all else."""
    return _scalar_text(_follow(_document("JSON_VALUE()", value).value, _path("JSON_VALUE()", path)))


@strict
def json_query_array(value: Any, *path: Any) -> list[Any] | None:
    found = _follow(_document("JSON_QUERY_ARRAY()", value).value, _path("JSON_QUERY_ARRAY()", path))
    if type(found) is not list:
        return None
    return [str(Json(item)) if type(value) is str else Json(item) for item in found]


@strict
def json_value_array(value: Any, *path: Any) -> list[str | None] | None:
    found = _follow(_document("JSON_VALUE_ARRAY()", value).value, _path("JSON_VALUE_ARRAY()", path))
    if type(found) is not list or any(type(item) in (list, dict) for item in found):
        return None
    return [_scalar_text(item) for item in found]


_KINDS = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}


@strict
def json_type(value: Any) -> str:
    return _KINDS.get(type(_document("JSON_TYPE()", value).value), "null")


@strict
def json_keys(value: Any, *depth: Any) -> list[str]:
    """The names of fields, also those of fields inside, in order."""
    deepest = depth[0] if depth else math.inf
    found: set[str] = set()
    pending = [(_document("JSON_KEYS()", value).value, "", 1)]
    while pending:
        inner, prefix, level = pending.pop()
        if type(inner) is not dict or level > deepest:
            continue
        for key, item in inner.items():
            shown = json.dumps(key, ensure_ascii=False) if "." in key or '"' in key else key
            found.add(prefix + shown)
            pending.append((item, f"{prefix}{shown}.", level + 1))
    return sorted(found)


# ------------------------------------------------------------------ other documents


@strict
def json_remove(value: Any, *paths: Any) -> Json:
    made = copy.deepcopy(_document("JSON_REMOVE()", value).value)
    for path in paths:
        *above, last = _steps_below("JSON_REMOVE()", path)
        parent = _follow(made, above)
        if type(parent) is dict and type(last) is str:
            parent.pop(last, None)
        elif type(parent) is list and type(last) is int and last < len(parent):
            del parent[last]
    return Json(made)


def _steps_below(where: str, path: Any) -> list[Step]:
    found = steps(text(where, path))
    if not found:
        raise invalid(where, "the path `$` is the whole document")
    return found


def json_set(value: Any, *changes: Any) -> Json | None:
    """With values put at paths, where there is a place for them; what lies between is made."""
    where = "JSON_SET()"
    if value is None or None in changes[::2]:
        return None
    made = copy.deepcopy(_document(where, value).value)
    for path, item in zip(changes[::2], changes[1::2], strict=True):
        made = _with(made, steps(text(where, path)), plain(item))
    return Json(made)


def _with(value: Any, path: list[Step], item: Any) -> Any:
    if not path:
        return item
    step, *rest = path
    if value is None:
        value = {} if type(step) is str else []
    if type(step) is str and type(value) is dict:
        value[step] = _with(value.get(step), rest, item)
    elif type(step) is int and type(value) is list:
        if step >= len(value):
            if step >= _EXACT or step > 1_000_000:
                raise out_of_range("JSON_SET()", f"an array cannot have an element {step}")
            value.extend([None] * (step + 1 - len(value)))
        value[step] = _with(value[step], rest, item)
    return value


def _array_change(name: str, change: Callable[[Any, list[Step], Any], Any]) -> Function:
    def function(value: Any, *changes: Any) -> Json | None:
        if value is None or None in changes[::2]:
            return None
        made = copy.deepcopy(_document(name, value).value)
        for path, item in zip(changes[::2], changes[1::2], strict=True):
            items = [plain(each) for each in item] if type(item) is list else [plain(item)]
            made = change(made, steps(text(name, path)), items)
        return Json(made)

    return function


def _append(value: Any, path: list[Step], items: Any) -> Any:
    found = _follow(value, path)
    if type(found) is list:
        found.extend(items)
    elif found is None:
        return _with(value, path, items)
    return value


def _insert(value: Any, path: list[Step], items: Any) -> Any:
    if not path or type(path[-1]) is not int:
        return value
    parent, at = _follow(value, path[:-1]), path[-1]
    if parent is None:
        return _with(value, path[:-1], [None] * at + items)
    if type(parent) is list:
        parent.extend([None] * (at - len(parent)))
        parent[at:at] = items
    return value


@strict
def json_strip_nulls(value: Any) -> Json:
    """Without fields and elements that are null, or that nothing is left of."""

    def stripped(inner: Any) -> Any:
        if type(inner) is dict:
            kept = {key: stripped(item) for key, item in inner.items()}
            return {key: item for key, item in kept.items() if item is not None}
        if type(inner) is list:
            return [item for item in map(stripped, inner) if item is not None]
        return inner

    return Json(stripped(_document("JSON_STRIP_NULLS()", value).value))


# ------------------------------------------------------------------ values of documents


def _value(where: str, value: Any) -> Any:
    if type(value) is not Json:
        raise mismatch(where, value, "JSON")
    return value.value


@strict
def json_boolean(value: Any) -> bool:
    found = _value("BOOL()", value)
    if type(found) is not bool:
        raise invalid("BOOL()", "the document is no boolean")
    return found


@strict
def json_integer(value: Any) -> int:
    found = _value("INT64()", value)
    if type(found) is float and found.is_integer():
        found = int(found)
    if type(found) is not int or not MIN_INTEGER <= found <= MAX_INTEGER:
        raise invalid("INT64()", "the document is no integer of 64 bits")
    return found


@strict
def json_float(value: Any, *named: Any) -> float:
    found = _value("FLOAT64()", value)
    if type(found) not in (int, float):
        raise invalid("FLOAT64()", "the document is no number")
    return float(found)


@strict
def json_string(value: Any, *zone: Any) -> str:
    """The string of a document; of a moment its text."""
    if isinstance(value, (Date, DateTime, LocalDateTime)):
        from graphir.values.google.casts import timestamp_text, to_text

        if zone and isinstance(value, DateTime):
            return timestamp_text(value, text("STRING()", zone[0]))
        made: str = to_text(value)
        return made
    found = _value("STRING()", value)
    if type(found) is not str:
        raise invalid("STRING()", "the document is no string")
    return found


def _lax(convert: Callable[[Any], Any]) -> Function:
    @strict
    def function(value: Any) -> Any:
        return convert(_value("LAX_..()", value))

    return function


_WORDS: dict[str, bool] = {"true": True, "false": False}


def _lax_bool(found: Any) -> bool | None:
    if type(found) in (int, float):
        return bool(found != 0)
    if type(found) is str:
        return _WORDS.get(found.lower())
    return found is True if type(found) is bool else None


def _lax_number(found: Any) -> float | int | None:
    if type(found) is bool:
        return int(found)
    if type(found) is str:
        from graphir.values.google.casts import to_float

        read: float | None = safe(to_float)(found)
        return int(found) if re.fullmatch(r"[+-]?\d+", found) else read
    return found if type(found) in (int, float) else None


def _lax_integer(found: Any) -> int | None:
    from graphir.values.google.casts import to_integer

    number = _lax_number(found)
    made: int | None = None if number is None else safe(to_integer)(number)
    return made if made is None or MIN_INTEGER <= made <= MAX_INTEGER else None


def _lax_float(found: Any) -> float | None:
    if type(found) is bool:
        return None
    number = _lax_number(found)
    return None if number is None else float(number)


def _lax_string(found: Any) -> str | None:
    if type(found) is float:
        return float_text(found)
    return _scalar_text(found)


FUNCTIONS: dict[str, Function] = {
    "to_json": to_json,
    "safe_to_json": to_json,
    "to_json_string": to_json_string,
    "parse_json": parse_json,
    "json_query": json_query,
    "json_value": json_value,
    "json_query_array": json_query_array,
    "json_value_array": json_value_array,
    "json_type": json_type,
    "json_keys": json_keys,
    "json_object": json_object,
    "json_array": json_array,
    "json_remove": json_remove,
    "json_set": json_set,
    "json_array_append": _array_change("JSON_ARRAY_APPEND()", _append),
    "json_array_insert": _array_change("JSON_ARRAY_INSERT()", _insert),
    "json_strip_nulls": json_strip_nulls,
    "json_boolean": json_boolean,
    "json_integer": json_integer,
    "json_float": json_float,
    "json_string": json_string,
    "lax_bool": _lax(_lax_bool),
    "lax_int64": _lax(_lax_integer),
    "lax_float64": _lax(_lax_float),
    "lax_string": _lax(_lax_string),
}
