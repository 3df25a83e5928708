"""Texts that stand for values of other types, in formats that have no types of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.functions import call
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

_FIELD = re.compile(r"""\s*(\w+)\s*:\s*(?:'([^']*)'|"([^"]*)"|([^,{}\s]+))\s*(?:,|\Z)""")


def point(text: str) -> Point:
    """A point as neo4j-admin writes it: `{x: 1.0, y: 2.0, crs: cartesian}`.  Raises ValueError or GraphirError.

    >>> print(point("{x: 1, y: 2}"))
    point({x: 1.0, y: 2.0, crs: 'cartesian'})
    """
    inner = text.strip().removeprefix("{").removesuffix("}")
    parts: dict[str, Any] = {}
    at = 0
    while at < len(inner):
        found = _FIELD.match(inner, at)
        if found is None:
            raise ValueError(text)
        name, *given = found.groups()
        word = next(one for one in given if one is not None)
        parts[name] = word if name == "crs" else int(word) if name == "srid" else float(word)
        at = found.end()
    made = call("point", parts)
    if not isinstance(made, Point):
        raise ValueError(text)
    return made


PARSERS: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {
        "DATE": Date.parse,
        "LOCAL TIME": LocalTime.parse,
        "ZONED TIME": Time.parse,
        "LOCAL DATETIME": LocalDateTime.parse,
        "ZONED DATETIME": DateTime.parse,
        "DURATION": Duration.parse,
        "POINT": point,
    }
)
"""Kind of a data type -> what reads its text."""
