"""Values as bind variables of Oracle, and values of its columns: which type of the client holds what.

What a variable would change on the way is refused: the empty string is null there, zones of times are cut off, and so
is what is below microseconds.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from graphir.backends.engines.constants import is_plain
from graphir.backends.engines.faults import UNHELD, fault
from graphir.backends.sql import reps
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.values.conversions import from_standard
from graphir.values.dates import Date
from graphir.values.datetimes import LocalDateTime
from graphir.values.durations import Duration

TYPES: Mapping[type[Any], str] = {
    type(None): "DB_TYPE_VARCHAR",
    bool: "DB_TYPE_BOOLEAN",
    int: "DB_TYPE_NUMBER",
    float: "DB_TYPE_BINARY_DOUBLE",
    str: "DB_TYPE_VARCHAR",
    list: "DB_TYPE_JSON",
    dict: "DB_TYPE_JSON",
    Date: "DB_TYPE_DATE",
    LocalDateTime: "DB_TYPE_TIMESTAMP",
    Duration: "DB_TYPE_INTERVAL_DS",
}
"""Type of a value -> the name of the client's type of variable."""
LONG = 32_767
"""Bytes of a text that a variable of type VARCHAR holds."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_$#]{0,127}")


def bound(parameters: Mapping[str, Any], client: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of the variables and their types, by name.  Unsupported (G626) for what no variable holds."""
    values, types = {}, {}
    for name, value in parameters.items():
        if not _NAME.fullmatch(name):
            raise _refusal(f"{name!r} is no name of a bind variable")
        type, values[name] = _type(name, value), _given(name, value)
        types[name] = getattr(client, type)
    return values, types


def _given(name: str, value: Any) -> Any:
    """The value as the client takes it."""
    if not isinstance(value, Date | LocalDateTime | Duration):
        return value
    try:
        return value.to_standard()
    except (ValueError, OverflowError):
        raise _refusal(f"parameter {name!r} is outside of the years 1 to 9999") from None


def _type(name: str, value: Any) -> str:
    """The name of the type of the variable."""
    found = TYPES.get(type(value))
    match value:
        case "":
            raise _refusal(f"parameter {name!r} is the empty string, which is null in Oracle")
        case str() if len(value.encode("utf-8", "replace")) > LONG:
            return "DB_TYPE_CLOB"
        case list() | dict() if not is_plain(value):
            raise _refusal(f"parameter {name!r} holds values that JSON does not have")
        case LocalDateTime() if value.nano % 1000:
            raise _refusal(f"parameter {name!r} has nanoseconds, which a bind variable cuts off")
        case Duration() if value.months or value.nanos % 1000:
            raise _refusal(f"parameter {name!r} has months or nanoseconds, which the variable cannot hold")
    if found is None:
        raise _refusal(f"parameter {name!r} is a {type(value).__name__}, for which Oracle has no bind variable")
    return found


def _refusal(told: str) -> Exception:
    return fault(UNHELD, told, engine="oracle", feature="parameter")


def value_of(value: Any) -> Any:
    """A value of a column as one of graphir.  LookupError for what is none.

    >>> value_of([Decimal("12"), Decimal("0.5"), {"a": None}])
    [12, 0.5, {'a': None}]
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case tuple() if hasattr(value, "years"):  # the client's interval: years and months
            years, months = value
            return Duration(months=years * 12 + months)
        case list() | tuple():
            return [value_of(item) for item in value]
        case dict():
            return {str(key): value_of(item) for key, item in value.items()}
        case datetime.datetime() | datetime.date() | datetime.timedelta():
            return from_standard(value)
    raise LookupError(f"a {type(value).__name__}")


def read_as(value: Any, rep: Rep) -> Any:
    """A value of a column of a translated query, as what it is known to be.  LookupError for what is none.

    >>> read_as(Decimal("12"), reps.FLOAT)
    12.0
    """
    found = value_of(value)
    if found is None:
        return None
    match rep:
        case ListRep():
            return [read_as(item, rep.element) for item in found]
        case MapRep():
            return {key: read_as(found[f"f{at}"], each) for at, (key, each) in enumerate(_entries(rep))}
        case reps.FLOAT:
            return float(found)
        case reps.BOOLEAN:
            return bool(found)
        case reps.DATE if isinstance(found, LocalDateTime):
            return Date.parse(str(found).partition("T")[0])
        case reps.DATETIME:
            raise LookupError("a moment with a time zone, which the client leaves out")
    return found


def _entries(rep: MapRep) -> Iterator[tuple[str, Rep]]:
    return zip(rep.keys, rep.values, strict=True)
