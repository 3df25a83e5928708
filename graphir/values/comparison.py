"""When values are equal, comparable, ordered, equivalent: Cypher's four notions.

- *Equality* (`equals`: `=`, IN) has three values.  Numbers compare by value, integers and floats exactly; NaN equals
  nothing; values of different types are not equal.  A null inside of a list or map makes the answer null, unless
  something else differs.
- *Comparability* (`compares`: `<`, `<=`, `>`, `>=`) is null for values of different types, and for types without an
  order of their own (durations and points, unless they are equal).
- *Order* (`compare`: ORDER BY, min, max) is total over all values (see `ordering`).
- *Equivalence* (`equivalent`: DISTINCT, grouping) is being equal in that order: null is null and NaN is NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.ordering import order_key
from graphir.values.points import Point
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import Vector

_FAMILIES: dict[type, str] = {
    **{int: "number", float: "number", tuple: "list", list: "list", dict: "map", bool: "boolean", str: "string"},
    **{Node: "node", NodeReference: "node", Edge: "edge", EdgeReference: "edge", Path: "path", PathReference: "path"},
}
"""Classes that compare with other classes; any other class compares with itself."""

_UNORDERED: tuple[type, ...] = (Duration, Point, Vector)


def _family(value: Any) -> object:
    kind = type(value)
    return _FAMILIES.get(kind, kind)


def equals(left: Any, right: Any) -> bool | None:
    """`=`: true, false or null."""
    if left is None or right is None:
        return None
    family = _family(left)
    if family != _family(right):
        if Json in (type(left), type(right)):
            return _equal_content(left, right)
        return False
    if family == "list":
        return _equal_items(left, right) if len(left) == len(right) else False
    if family == "map":
        keys = left.keys()
        if keys != right.keys():
            return False
        return _equal_items([left[key] for key in keys], [right[key] for key in keys])
    identity = _IDENTITIES.get(family)
    if identity:
        return bool(identity(left) == identity(right))
    return bool(left == right)


def _equal_content(left: Any, right: Any) -> bool | None:
    """A document and another value: what it holds counts."""
    return equals(*[value.value if type(value) is Json else value for value in (left, right)])


def _equal_items(left: Sequence[Any], right: Sequence[Any]) -> bool | None:
    """Null when a pair of items is null, unless another pair differs."""
    known: bool | None = True
    for a, b in zip(left, right, strict=True):
        same = equals(a, b)
        if same is False:
            return False
        if same is None:
            known = None
    return known


def _path_ids(path: Path | PathReference) -> tuple[Any, ...]:
    """The ids of the first node and of the edges."""
    if isinstance(path, Path):
        return path.start.id, tuple(edge.id for edge in path.edges)
    return path.nodes[0], tuple(path.edges)


_IDENTITIES: dict[object, Callable[[Any], Any]] = {
    "node": lambda node: node.id,
    "edge": lambda edge: edge.id,
    "path": _path_ids,
}
"""What tells entities apart."""


def differs(left: Any, right: Any) -> bool | None:
    """`<>`."""
    same = equals(left, right)
    return None if same is None else not same


# ------------------------------------------------------------------ comparability


def _compared(left: Any, right: Any) -> int | None:
    """-1, 0 or 1, or None where there is no order.  NaN (which is less than nothing) is None as well."""
    if left is None or right is None:
        return None
    family = _family(left)
    if family != _family(right):
        return None
    if family == "list":
        return _compared_items(left, right)
    if family == "map":
        return _compared_maps(left, right)
    if type(left) in _UNORDERED:
        return 0 if left == right else None
    identity = _IDENTITIES.get(family)
    if identity:
        left, right = identity(left), identity(right)
    if left < right:
        return -1
    return 1 if left > right else 0 if left == right else None


def _compared_items(left: Sequence[Any], right: Sequence[Any]) -> int | None:
    """By the first pair that differs, else the shorter first."""
    for a, b in zip(left, right, strict=False):
        found = _compared(a, b)
        if found != 0:
            return found
    return (len(left) > len(right)) - (len(left) < len(right))


def _compared_maps(left: dict[str, Any], right: dict[str, Any]) -> int | None:
    """The smaller first, then by the keys, then by the values in the order of keys."""
    mine, others = sorted(left), sorted(right)
    if (len(mine), mine) != (len(others), others):
        return -1 if (len(mine), mine) < (len(others), others) else 1
    return _compared_items([left[key] for key in mine], [right[key] for key in mine])


def _comparison(decide: Callable[[int], bool]) -> Callable[[Any, Any], bool | None]:
    def compares(left: Any, right: Any) -> bool | None:
        found = _compared(left, right)
        if found is None:
            return False if _is_nan(left, right) else None
        return decide(found)

    return compares


def _strictly(decide: Callable[[int], bool]) -> Callable[[Any, Any], bool | None]:
    """Durations and points have no `<`, even those that are equal."""
    weak = _comparison(decide)
    return lambda left, right: None if type(left) in _UNORDERED else weak(left, right)


def _is_nan(left: Any, right: Any) -> bool:
    """Whether two numbers are compared, one of them NaN: that is false, not null."""
    return _family(left) == "number" and _family(right) == "number"


less = _strictly(lambda found: found < 0)
less_or_equal = _comparison(lambda found: found <= 0)
greater = _strictly(lambda found: found > 0)
greater_or_equal = _comparison(lambda found: found >= 0)


# ------------------------------------------------------------------ order and equivalence

_RANKS: dict[object, int] = {
    kind: rank
    for rank, kind in enumerate(
        (
            *("map", "node", "edge", "list", "path", Vector, Point, DateTime, LocalDateTime, Date, Time, LocalTime),
            *(Duration, "string", "boolean", UUID, Json, "number", type(None)),
        )
    )
}


def compare(left: Any, right: Any) -> int:
    """-1, 0 or 1 in the order of all values; 0 for equivalent ones."""
    family = _family(left)
    ranks = _RANKS[family], _RANKS[_family(right)]
    if ranks[0] != ranks[1]:
        return -1 if ranks[0] < ranks[1] else 1
    if family == "list":
        return _compare_items(left, right)
    if family == "map":
        mine, others = sorted(left), sorted(right)
        if mine != others:
            return -1 if (len(mine), mine) < (len(others), others) else 1
        return _compare_items([left[key] for key in mine], [right[key] for key in mine])
    if left is None:
        return 0
    if family == "number":
        nan = left != left, right != right  # noqa: PLR0124 NaN is the greatest number
        if any(nan):
            return int(nan[0]) - int(nan[1])
    identity = _IDENTITIES.get(family)
    a, b = (identity(left), identity(right)) if identity else (getattr(left, "key", left), getattr(right, "key", right))
    return int(a > b) - int(a < b)


def _compare_items(left: Sequence[Any], right: Sequence[Any]) -> int:
    for a, b in zip(left, right, strict=False):
        found = compare(a, b)
        if found:
            return found
    return (len(left) > len(right)) - (len(left) < len(right))


def equivalent(left: Any, right: Any) -> bool:
    """Whether DISTINCT takes two values for one."""
    return order_key(left) == order_key(right)


FUNCTIONS: dict[str, Callable[[Any, Any], bool | None]] = {
    "eq": equals,
    "ne": differs,
    "lt": less,
    "le": less_or_equal,
    "gt": greater,
    "ge": greater_or_equal,
}
