"""Every operator and function of the table `graphir.functions` on values: what it means, in Python.

`FUNCTIONS` has them by canonical name; null in, null out where Cypher has it so, errors are `RunFault` without a place.
Aggregates are in `aggregates`.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable
from functools import cache
from typing import Any

from graphir.functions import FUNCTIONS as NAMES
from graphir.functions import Level
from graphir.signatures import LEVELS
from graphir.values import (
    access,
    casts,
    comparison,
    elements,
    lists,
    numbers,
    operators,
    regex,
    strings,
    temporal_functions,
    valuetypes,
    vectors,
)
from graphir.values.faults import fault, mismatch

Function = Callable[..., Any]


def coalesce(*values: Any) -> Any:
    """The first value that is not null."""
    return next((value for value in values if value is not None), None)


def null_if(value: Any, other: Any) -> Any:
    """Null if the values are equal, else the first."""
    return None if comparison.equals(value, other) else value


# ------------------------------------------------------------------ UUIDs


def uuid_of(*values: Any) -> uuid.UUID | None:
    """A random UUID, that of a text, or that of two integers of 64 bits."""
    if not values:
        return uuid.UUID(int=random.getrandbits(128), version=4)
    if any(value is None for value in values):
        return None
    if len(values) == 2:
        high, low = (numbers.require_integer("uuid()", value) % (1 << 64) for value in values)
        return uuid.UUID(int=high << 64 | low)
    text = strings.require_string("uuid()", values[0])
    try:
        found = uuid.UUID(text)
    except ValueError:
        found = None
    if found is None or str(found) != text.lower():
        raise fault("G633", "uuid(): the text is not that of a UUID")
    return found


def _half(name: str, shift: int) -> Function:
    def function(value: Any) -> int | None:
        if value is None:
            return None
        if type(value) is not uuid.UUID:
            raise mismatch(f"{name}()", value, "a UUID")
        bits = value.int >> shift & (1 << 64) - 1
        return bits - (1 << 64) if bits >> 63 else bits

    return function


_OTHERS: dict[str, Function] = {
    "coalesce": coalesce,
    "exists": lambda value: value is not None,
    "nullIf": null_if,
    "rand": random.random,
    "randomUUID": lambda: str(uuid.UUID(int=random.getrandbits(128), version=4)),
    "timestamp": lambda: time.time_ns() // 1_000_000,
    "uuid": uuid_of,
    "uuid.leastSignificantBits": _half("uuid.leastSignificantBits", 0),
    "uuid.mostSignificantBits": _half("uuid.mostSignificantBits", 64),
    "linenumber": lambda: None,
    "file": lambda: None,
}

FUNCTIONS: dict[str, Function] = {
    **operators.FUNCTIONS,
    **comparison.FUNCTIONS,
    **access.FUNCTIONS,
    **numbers.FUNCTIONS,
    **casts.FUNCTIONS,
    **strings.FUNCTIONS,
    **regex.FUNCTIONS,
    **lists.FUNCTIONS,
    **elements.FUNCTIONS,
    **valuetypes.FUNCTIONS,
    **vectors.FUNCTIONS,
    **temporal_functions.FUNCTIONS,
    **_OTHERS,
}
"""Canonical name -> function, as Neo4j has it.

Besides the names of the table: `index` (base[i]), `slice`, `slice_from` and `slice_to` (base[i..j]),
`property` (base, key).
"""

PARTS = frozenset(access.FUNCTIONS) - set(NAMES)
"""The names in `FUNCTIONS` that are no functions of Cypher, but other forms of expressions."""


@cache
def functions(level: Level = "neo4j-25") -> dict[str, Function]:
    """The functions that a level of Cypher has.  Those that several levels have mean the same in all."""
    order = LEVELS.index(level)
    return {
        name: function
        for name, function in FUNCTIONS.items()
        if name in PARTS or LEVELS.index(NAMES[name].since) <= order
    }


def call(name: str, *values: Any) -> Any:
    """The value of an operator or a function.

    >>> call("add", 1, 2.5)
    3.5
    """
    return FUNCTIONS[name](*values)
