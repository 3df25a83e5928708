"""Functions of lists, and those that take lists or strings or maps alike.

Items keep their order.  Where items are compared it is said how: by equality (`coll.indexOf`), by equivalence
(`coll.distinct`), in the order of all values (`coll.sort`, `coll.min`, `coll.max`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir.values.comparison import equals
from graphir.values.entities import Edge, Node, Path
from graphir.values.faults import mismatch, out_of_range
from graphir.values.numbers import require_integer
from graphir.values.operators import items
from graphir.values.ordering import order_key
from graphir.values.references import PathReference
from graphir.values.vectors import Vector

LONGEST = 50_000_000
"""Items that range() may make: it is not lazy."""


def require_list(where: str, value: Any) -> list[Any]:
    if type(value) is not list:
        raise mismatch(where, value, "a list")
    return value


def range_(start: Any, end: Any, step: Any = 1) -> list[int]:
    """From the start to the end, the end included; empty when the step leads away from it."""
    low, high, by = (require_integer("range()", value) for value in (start, end, step))
    if by == 0:
        raise out_of_range("range()", "the step is 0")
    found = range(low, high + (1 if by > 0 else -1), by)
    if (high - low) // by >= LONGEST:
        raise out_of_range("range()", f"more than {LONGEST} integers")
    return list(found)


def size(value: Any) -> int | None:
    """Items of a list, characters of a string."""
    if value is None:
        return None
    if type(value) is Vector:
        return len(value.coordinates)
    if type(value) not in (str, list):
        raise mismatch("size()", value, "a string or a list")
    return len(value)


def is_empty(value: Any) -> bool | None:
    if value is None:
        return None
    if type(value) in (str, list, dict):
        return not value
    if isinstance(value, (Node, Edge)):
        return not value.properties
    raise mismatch("isEmpty()", value, "a string, a list or a map")


def reverse(value: Any) -> Any:
    if value is None:
        return None
    if type(value) not in (str, list):
        raise mismatch("reverse()", value, "a string or a list")
    return value[::-1]


def head(value: Any) -> Any:
    return None if value is None else next(iter(require_list("head()", value)), None)


def last(value: Any) -> Any:
    return None if value is None else next(reversed(require_list("last()", value)), None)


def tail(value: Any) -> list[Any] | None:
    """All items but the first."""
    found = items(value)
    return None if found is None else found[1:]


def cardinality(value: Any) -> int | None:
    """Items of a list, entries of a map, elements of a path."""
    if value is None:
        return None
    if isinstance(value, (Path, PathReference)):
        return len(value.nodes) + len(value.edges)
    if type(value) not in (list, dict):
        raise mismatch("cardinality()", value, "a list, a map or a path")
    return len(value)


# ------------------------------------------------------------------ coll.*


def distinct(value: Any) -> list[Any] | None:
    """The first of equivalent items."""
    if value is None:
        return None
    found: dict[bytes, Any] = {}
    for item in require_list("coll.distinct()", value):
        found.setdefault(order_key(item), item)
    return list(found.values())


def flatten(value: Any, depth: Any = 1) -> list[Any] | None:
    """Lists inside of the list put in its place, down to a depth."""
    if value is None or depth is None:
        return None
    levels = require_integer("coll.flatten()", depth)
    if not 0 <= levels < 1 << 31:
        raise out_of_range("coll.flatten()", f"the depth is {levels}")
    found = require_list("coll.flatten()", value)
    while levels and any(type(item) is list for item in found):
        found = [one for item in found for one in (item if type(item) is list else [item])]
        levels -= 1
    return found


def index_of(value: Any, wanted: Any) -> int | None:
    """The place of the first item that equals a value, from 0, or -1."""
    if value is None or wanted is None:
        return None
    found = enumerate(require_list("coll.indexOf()", value))
    return next((at for at, item in found if equals(item, wanted)), -1)


def _place(where: str, index: Any, most: int) -> int:
    at = require_integer(where, index)
    if not 0 <= at <= most:
        raise out_of_range(where, f"the index is {at}, and may be 0 to {most}")
    return at


def insert(value: Any, index: Any, item: Any) -> list[Any] | None:
    if value is None or index is None:
        return None
    found = require_list("coll.insert()", value)
    at = _place("coll.insert()", index, len(found))
    return [*found[:at], item, *found[at:]]


def remove(value: Any, index: Any) -> list[Any] | None:
    if value is None or index is None:
        return None
    found = require_list("coll.remove()", value)
    at = _place("coll.remove()", index, len(found) - 1)
    return found[:at] + found[at + 1 :]


def sort(value: Any) -> list[Any] | None:
    return None if value is None else sorted(require_list("coll.sort()", value), key=order_key)


def greatest(value: Any) -> Any:
    """The last item in the order of all values; null is after all others."""
    return None if value is None else max(require_list("coll.max()", value), key=order_key, default=None)


def least(value: Any) -> Any:
    return None if value is None else min(require_list("coll.min()", value), key=order_key, default=None)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "cardinality": cardinality,
    "coll.distinct": distinct,
    "coll.flatten": flatten,
    "coll.indexOf": index_of,
    "coll.insert": insert,
    "coll.max": greatest,
    "coll.min": least,
    "coll.remove": remove,
    "coll.sort": sort,
    "head": head,
    "isEmpty": is_empty,
    "last": last,
    "range": range_,
    "reverse": reverse,
    "size": size,
    "tail": tail,
}
