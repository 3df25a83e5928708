"""Values of graphir and types of GoogleSQL: which values it can hold, and of which type a parameter is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphir.backends.sql.reps import BOOLEAN, DATE, DATETIME, FLOAT, INTEGER, NULL, STRING, ListRep, Rep
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime

TYPES: Mapping[Rep, str] = {
    BOOLEAN: "BOOL",
    INTEGER: "INT64",
    FLOAT: "FLOAT64",
    STRING: "STRING",
    DATE: "DATE",
    DATETIME: "TIMESTAMP",
}
"""How values lie -> the type of a column or a parameter."""

_OF_VALUES: Mapping[type[Any], str] = {
    bool: "BOOL",
    int: "INT64",
    float: "FLOAT64",
    str: "STRING",
    Date: "DATE",
    DateTime: "TIMESTAMP",
}
_INT64 = range(-(2**63), 2**63)
_DAYS = range(-719_162, 2_932_897)
"""Of the years 1 to 9999."""
_SECONDS = range(_DAYS.start * 86_400, _DAYS.stop * 86_400)


def type_of(rep: Rep) -> str | None:
    """The type of a column; None where any would do."""
    if isinstance(rep, ListRep):
        element = "INT64" if rep.element == NULL else TYPES[rep.element]
        return f"ARRAY<{element}>"
    return None if rep == NULL else TYPES[rep]


def parameter_type(value: Any) -> str | None:
    """The type of a parameter with that value; None for what has none there, or for null, which has every one.

    >>> parameter_type([1, None, 2]), parameter_type([]), parameter_type([1, "a"])
    ('ARRAY<INT64>', None, None)
    """
    if objection(value) is not None:
        return None
    if not isinstance(value, (list, tuple)):
        return _OF_VALUES.get(type(value))
    found = {_OF_VALUES.get(type(item)) for item in value if item is not None}
    element = found.pop() if len(found) == 1 else None
    return f"ARRAY<{element}>" if element is not None else None


def objection(value: Any) -> str | None:
    """Why GoogleSQL cannot hold a value; None where nothing is known against it."""
    match value:
        case list() | tuple():
            return next((why for item in value if (why := objection(item)) is not None), None)
        case bool():
            return None
        case int() if value not in _INT64:
            return "has integers of 64 bits"
        case str() if any("\ud800" <= character <= "\udfff" for character in value):
            return "has no text with half a surrogate pair"
        case Date() if value.days not in _DAYS:
            return "has dates of the years 1 to 9999"
        case DateTime() if value.offset or value.zone:
            return "has instants, without offset and zone"
        case DateTime() if value.second not in _SECONDS:
            return "has instants of the years 1 to 9999"
        case _:
            return None
