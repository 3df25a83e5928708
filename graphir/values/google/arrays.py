"""Arrays as GoogleSQL works with them: a place outside is a fault unless one asks for null."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from graphir.values.aggregates import distinct
from graphir.values.comparison import compare, equals
from graphir.values.entities import Edge, Node
from graphir.values.faults import invalid, mismatch, out_of_range
from graphir.values.google.arguments import Function, array, checked, integer, number, strict, text
from graphir.values.google.documents import subscript_of
from graphir.values.lists import LONGEST
from graphir.values.ordering import order_key
from graphir.values.references import EdgeReference, NodeReference


def _at(name: str, first: int, *, safe: bool) -> Function:
    @strict
    def function(value: Any, place: Any) -> Any:
        items, at = array(name, value), integer(name, place) - first
        if 0 <= at < len(items):
            return items[at]
        if safe:
            return None
        raise out_of_range(name, f"the array of {len(items)} has no element {place}")

    return function


@strict
def subscript(value: Any, key: Any) -> Any:
    """`value[key]`: an element of an array by its offset, or a part of a document."""
    if type(value) is list:
        return _OFFSET(value, key)
    return subscript_of(value, key)


_OFFSET = _at("[..]", 0, safe=False)


def _end(name: str, at: int) -> Function:
    @strict
    def function(value: Any) -> Any:
        items = array(name, value)
        if not items:
            raise out_of_range(name, "the array is empty")
        return items[at]

    return function


@strict
def array_slice(value: Any, start: Any, end: Any) -> list[Any]:
    """From one offset to another, both with; negative ones count from the end."""
    where = "ARRAY_SLICE()"
    items, one, other = array(where, value), integer(where, start), integer(where, end)
    low = one + len(items) if one < 0 else one
    high = other + len(items) if other < 0 else other
    return items[max(low, 0) : high + 1] if high >= 0 else []


def array_to_string(value: Any, delimiter: Any, *null: Any) -> str | None:
    where = "ARRAY_TO_STRING()"
    if value is None or delimiter is None or None in null:
        return None
    filler = text(where, null[0]) if null else None
    items = [filler if item is None else text(where, item) for item in array(where, value)]
    return text(where, delimiter).join([item for item in items if item is not None])


@strict
def generate_array(start: Any, end: Any, *step: Any) -> list[int | float]:
    where = "GENERATE_ARRAY()"
    one, other = number(where, start), number(where, end)
    by = number(where, step[0]) if step else 1
    if by == 0:
        raise invalid(where, "the step is zero")
    if not all(map(math.isfinite, (one, other, by))):
        raise invalid(where, "start, end and step are finite")
    if float in (type(one), type(other), type(by)):
        one, other, by = float(one), float(other), float(by)
    count = int((other - one) // by) + 1 if (other - one) * (1 if by > 0 else -1) >= 0 else 0
    if count > LONGEST:
        raise out_of_range(where, f"the array has more than {LONGEST} elements")
    return [one + at * by for at in range(count)]


@strict
def is_distinct(value: Any) -> bool:
    items = array("ARRAY_IS_DISTINCT()", value)
    return len(distinct(items)) == len(items)


@strict
def is_simple(nodes: Any) -> bool:
    """No node twice, but that the first may be the last."""
    items = array("IS_SIMPLE()", nodes)
    inner = items[1:] if len(items) > 1 and equals(items[0], items[-1]) else items
    return len(distinct(inner)) == len(inner)


def _present(where: str, value: Any) -> list[Any]:
    return [item for item in array(where, value) if item is not None]


def _of_numbers(name: str, compute: Callable[[Sequence[Any]], Any]) -> Function:
    @strict
    def function(value: Any) -> Any:
        items = [number(name, item) for item in _present(name, value)]
        return compute(items) if items else None

    return function


def _sum(values: Sequence[Any]) -> int | float:
    if all(type(value) is int for value in values):
        return checked("ARRAY_SUM()", sum(values))
    made = math.fsum(values) if all(map(math.isfinite, values)) else sum(values)
    return float(made)


def _extreme(name: str, sign: int) -> Function:
    @strict
    def function(value: Any) -> Any:
        items = _present(name, value)
        if any(type(item) is float and math.isnan(item) for item in items):
            return math.nan
        return (min if sign < 0 else max)(items, key=order_key, default=None)

    return function


def _includes(name: str, *, every: bool) -> Function:
    @strict
    def function(value: Any, wanted: Any) -> bool:
        items = array(name, value)
        found = [any(equals(item, each) for item in items) for each in array(name, wanted)]
        return all(found) if every else any(found)

    return function


@strict
def flatten(value: Any) -> list[Any]:
    """Elements that are lists give theirs."""
    out: list[Any] = []
    for item in array("FLATTEN()", value):
        if type(item) is list:
            out.extend(item)
        else:
            out.append(item)
    return out


def between(value: Any, low: Any, high: Any) -> bool | None:
    from graphir.values.comparison import FUNCTIONS as COMPARISONS

    found = [COMPARISONS["ge"](value, low), COMPARISONS["le"](value, high)]
    return False if False in found else None if None in found else True


def is_distinct_from(left: Any, right: Any) -> bool:
    """Null is not distinct from null, nor NaN from NaN."""
    return compare(left, right) != 0


# ------------------------------------------------------------------ elements

_ELEMENTS = (Node, NodeReference, Edge, EdgeReference)


def _elements(name: str, values: Sequence[Any]) -> list[Any]:
    for value in values:
        required(value, f"the function {name}")
        if not isinstance(value, _ELEMENTS):
            raise mismatch(f"{name}()", value, "nodes or edges")
    return list(values)


def required(value: Any, where: Any) -> Any:
    """The value, which must be there."""
    if value is None:
        raise invalid(str(where), "what is given must not be null")
    return value


def same(*values: Any) -> bool:
    """Whether all are one element."""
    first, *rest = _elements("SAME", values)
    return all(bool(equals(first, each)) for each in rest)


def all_different(*values: Any) -> bool:
    """Whether no two are one element."""
    items = _elements("ALL_DIFFERENT", values)
    return len(distinct(items)) == len(items)


FUNCTIONS: dict[str, Function] = {
    "at_offset": _at("[OFFSET(..)]", 0, safe=False),
    "at_safe_offset": _at("[SAFE_OFFSET(..)]", 0, safe=True),
    "at_ordinal": _at("[ORDINAL(..)]", 1, safe=False),
    "at_safe_ordinal": _at("[SAFE_ORDINAL(..)]", 1, safe=True),
    "subscript": subscript,
    "array_first": _end("ARRAY_FIRST()", 0),
    "array_last": _end("ARRAY_LAST()", -1),
    "array_slice": array_slice,
    "array_to_string": array_to_string,
    "generate_array": generate_array,
    "array_is_distinct": is_distinct,
    "is_simple": is_simple,
    "array_max": _extreme("ARRAY_MAX()", 1),
    "array_min": _extreme("ARRAY_MIN()", -1),
    "array_sum": _of_numbers("ARRAY_SUM()", _sum),
    "array_avg": _of_numbers("ARRAY_AVG()", lambda items: float(_sum([float(item) for item in items])) / len(items)),
    "array_includes_any": _includes("ARRAY_INCLUDES_ANY()", every=False),
    "array_includes_all": _includes("ARRAY_INCLUDES_ALL()", every=True),
    "flatten": flatten,
    "between": between,
    "is_distinct": is_distinct_from,
    "required": required,
    "same": same,
    "all_different": all_different,
}
