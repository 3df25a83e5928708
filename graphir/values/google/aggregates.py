"""Aggregates of GoogleSQL and of ISO GQL, as functions of the list of the values of a group that are not null.

Of no values all but COUNTIF are null.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from graphir.values.google.arguments import array, boolean, checked, integer, number, safe, text

Values = Sequence[Any]


def total(values: Values) -> Any:
    """Integers make an integer, which must fit 64 bits at the end."""
    if not values:
        return None
    found: list[int | float] = [number("SUM()", value) for value in values]
    if all(type(value) is int for value in found):
        return checked("SUM()", int(sum(found)))
    return float(math.fsum(found)) if all(map(math.isfinite, found)) else float(sum(found))


def mean(values: Values) -> float | None:
    if not values:
        return None
    found = [float(number("AVG()", value)) for value in values]
    return math.fsum(found) / len(found) if all(map(math.isfinite, found)) else sum(found) / len(found)


def joined(values: Values, *delimiter: Any) -> str | None:
    if not values or None in delimiter:
        return None
    return (text("STRING_AGG()", delimiter[0]) if delimiter else ",").join([_text(value) for value in values])


def _text(value: Any) -> str:
    return text("STRING_AGG()", value)


def concatenated(values: Values) -> list[Any] | None:
    if not values:
        return None
    return [item for value in values for item in array("ARRAY_CONCAT_AGG()", value)]


def gathered(values: Values) -> list[Any] | None:
    return list(values) or None


def first(values: Values) -> Any:
    return values[0] if values else None


def count_true(values: Values) -> int:
    return sum([boolean("COUNTIF()", value) for value in values])


def _logical(name: str, decide: Callable[[list[bool]], bool]) -> Callable[[Values], bool | None]:
    def function(values: Values) -> bool | None:
        return decide([boolean(name, value) for value in values]) if values else None

    return function


def _bits(name: str, combine: Callable[[int, int], int]) -> Callable[[Values], int | None]:
    def function(values: Values) -> int | None:
        found: int | None = None
        for value in values:
            bits = integer(name, value)
            found = bits if found is None else combine(found, bits)
        return found

    return function


def _variance(name: str, spare: int) -> Callable[[Values], float | None]:
    """The squared distances from the mean, divided by all but `spare` of the values; null where that is none."""

    def function(values: Values) -> float | None:
        if len(values) <= spare:
            return None
        found = [float(number(name, value)) for value in values]
        if not all(map(math.isfinite, found)):
            return math.nan
        middle = math.fsum(found) / len(found)
        return math.fsum([(value - middle) ** 2 for value in found]) / (len(found) - spare)

    return function


_SAMPLE = _variance("STDDEV_SAMP()", 1)


def deviation(values: Values) -> float | None:
    found = _SAMPLE(values)
    return None if found is None else math.sqrt(found)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum_or_null": total,
    "array_agg": gathered,
    "array_concat_agg": concatenated,
    "string_agg": joined,
    "any_value": first,
    "countif": count_true,
    "logical_and": _logical("LOGICAL_AND()", all),
    "logical_or": _logical("LOGICAL_OR()", any),
    "bit_and_agg": _bits("BIT_AND()", lambda a, b: a & b),
    "bit_or_agg": _bits("BIT_OR()", lambda a, b: a | b),
    "bit_xor_agg": _bits("BIT_XOR()", lambda a, b: a ^ b),
    "stddev_samp": deviation,
    "var_samp": _variance("VAR_SAMP()", 1),
    "var_pop": _variance("VAR_POP()", 0),
    "safe.sum_or_null": safe(total),
    "safe.avg": safe(mean),
}
"""Canonical name -> function of the values that are not null, and of further arguments."""
