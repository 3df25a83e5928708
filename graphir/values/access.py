"""Parts of values: `list[i]`, `list[i..j]`, `map.key`, components of temporal values and points.

What is not there is null; a value that has no parts, or a key of the wrong type, is a fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir.values.components import COMPONENTS, component
from graphir.values.documents import Json
from graphir.values.entities import Edge, Node
from graphir.values.faults import fault, type_name
from graphir.values.operators import items


def property_of(base: Any, key: str) -> Any:
    """`base.key`: an entry of a map, a property of an entity, a component of a temporal value or a point."""
    if base is None:
        return None
    kind = type(base)
    if kind is dict:
        return base.get(key)
    if kind is Node or kind is Edge:
        return base.properties.get(key)
    if kind is Json:
        return base.part(key)
    if kind in COMPONENTS:
        return component(base, key)
    raise fault("G638", f"{type_name(base)} has no property {key!r}")


def element(base: Any, index: Any) -> Any:
    """`base[index]`: an item by its place, from the end where it is negative; an entry or a property by its name."""
    if base is None or index is None:
        return None
    kind = type(base)
    if kind is list:
        if type(index) is not int:
            raise fault("G638", f"a list is indexed by an integer, not by {type_name(index)}")
        return base[index] if -len(base) <= index < len(base) else None
    if kind not in (dict, Node, Edge):
        raise fault("G638", f"{type_name(base)} cannot be indexed")
    if type(index) is not str:
        raise fault("G638", f"{type_name(base)} is indexed by a string, not by {type_name(index)}")
    return property_of(base, index)


_OPEN = object()


def part(base: Any, low: Any, high: Any) -> list[Any] | None:
    """`base[low..high]`; a bound that is null makes it null.  For open bounds see `part_from` and `part_to`."""
    return _slice(base, low, high)


def part_from(base: Any, low: Any) -> list[Any] | None:
    """`base[low..]`."""
    return _slice(base, low, _OPEN)


def part_to(base: Any, high: Any) -> list[Any] | None:
    """`base[..high]`."""
    return _slice(base, _OPEN, high)


def _slice(base: Any, low: Any, high: Any) -> list[Any] | None:
    found = items(base)
    if found is None or low is None or high is None:
        return None
    begin = 0 if low is _OPEN else _bound(low)
    end = len(found) if high is _OPEN else _bound(high)
    return found[begin:end]


def _bound(value: Any) -> int:
    """A float is cut, as in Neo4j."""
    if type(value) is not int and type(value) is not float:
        raise fault("G638", f"a part of a list goes from and to integers, not {type_name(value)}")
    number = int(value) if value == value and abs(value) < 1 << 63 else 1 << 63  # noqa: PLR0124 NaN
    if not -(1 << 31) <= number < 1 << 31:
        raise fault("G634", f"a part of a list cannot go from or to {value}")
    return number


def property_exists(base: Any, key: Any) -> bool | None:
    """Whether a map or an entity has something other than null under a key."""
    return None if base is None or key is None else element(base, key) is not None


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "index": element,
    "slice": part,
    "slice_from": part_from,
    "slice_to": part_to,
    "property": property_of,
    "property_exists": property_exists,
}
