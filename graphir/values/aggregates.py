"""Aggregate functions, as functions of the list of the values of a group.

Null is left out, except by `count_star`, which counts rows.  An empty group gives 0 for count and sum, an empty list
for collect, null for all others.  DISTINCT takes the first of equivalent values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graphir.values.civil import DAY_SECONDS
from graphir.values.durations import Duration
from graphir.values.faults import fault, mismatch, out_of_range
from graphir.values.numbers import MAX_INTEGER, MIN_INTEGER, is_number
from graphir.values.ordering import order_key

Values = Sequence[Any]


def distinct(values: Iterable[Any]) -> list[Any]:
    """The first of equivalent values, in order."""
    found: dict[bytes, Any] = {}
    for value in values:
        found.setdefault(order_key(value), value)
    return list(found.values())


def _numbers(name: str, values: Values) -> list[Any]:
    for value in values:
        if not is_number(value):
            raise mismatch(f"{name}()", value, "numbers")
    return list(values)


def _durations(name: str, values: Values) -> bool:
    """Whether the values are durations; a fault if they are neither that nor numbers."""
    found = [type(value) is Duration for value in values]
    if any(found) and not all(found):
        raise fault("G632", f"{name}() cannot mix durations and other values")
    if not any(found):
        _numbers(name, values)
    return any(found)


def total(values: Values) -> Any:
    """From the left.  Integers make an integer, a float from where that does not fit 64 bits, as in Neo4j."""
    if _durations("sum", values):
        return sum(values[1:], start=values[0])
    found: int | float = 0
    for value in values:
        found += value
        if type(found) is int and not MIN_INTEGER <= found <= MAX_INTEGER:
            found = float(found)
    return found


def _mean(values: Iterable[float]) -> float:
    """As it moves with each value: no sum is made that could overflow."""
    found = 0.0
    for count, value in enumerate(values, 1):
        found += (value - found) / count
    return found


def average(values: Values) -> Any:
    if not values:
        return None
    if not _durations("avg", values):
        found = _mean(values)
        return found if math.isfinite(found) else float(total(values)) / len(values)
    parts = zip(*[(value.months, value.days, value.seconds, value.nanos) for value in values], strict=True)
    made = Duration.of_floats(*map(_mean, parts))
    if made.seconds < 0:  # Neo4j makes days of seconds forwards only
        return made
    return Duration(made.months, made.days + made.whole_days, made.seconds - made.whole_days * DAY_SECONDS, made.nanos)


def least(values: Values) -> Any:
    return min(values, key=order_key, default=None)


def greatest(values: Values) -> Any:
    return max(values, key=order_key, default=None)


def _deviation(name: str, spare: int) -> Callable[[Values], float | None]:
    """The root of the squared distances from the mean, divided by all but `spare` of the values."""

    def function(values: Values) -> float | None:
        numbers = _numbers(name, values)
        if not numbers:
            return None
        if len(numbers) < 2:
            return 0.0
        mean = squares = 0.0
        for count, number in enumerate(numbers, 1):
            distance = number - mean
            mean += distance / count
            squares += distance * (number - mean)
        return math.sqrt(squares / (len(numbers) - spare))

    return function


def _fraction(name: str, percentile: Any) -> float:
    if not is_number(percentile):
        raise mismatch(f"The percentile of {name}()", percentile, "a number")
    if not 0 <= percentile <= 1:
        raise out_of_range(f"{name}()", f"the percentile {percentile} is not from 0.0 to 1.0")
    return float(percentile)


def percentile_continuous(values: Values, percentile: Any) -> Any:
    """Between two values a part of both, where the place of the percentile lies between them."""
    if not values:
        return None
    fraction = _fraction("percentileCont", percentile)
    numbers = sorted(_numbers("percentileCont", values), key=order_key)
    place = fraction * (len(numbers) - 1)
    low = math.floor(place)
    if low == place:
        return numbers[low]
    return numbers[low] * (low + 1 - place) + numbers[low + 1] * (place - low)


def percentile_discrete(values: Values, percentile: Any) -> Any:
    """The first value with at least that part of the values at or before it."""
    if not values:
        return None
    fraction = _fraction("percentileDisc", percentile)
    numbers = sorted(_numbers("percentileDisc", values), key=order_key)
    place = fraction * len(numbers)
    at = math.floor(place)
    return numbers[at - 1 if at == place and at > 0 else at]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "avg": average,
    "collect": list,
    "count": len,
    "count_star": len,
    "max": greatest,
    "min": least,
    "percentileCont": percentile_continuous,
    "percentileDisc": percentile_discrete,
    "stDev": _deviation("stDev", 1),
    "stDevP": _deviation("stDevP", 0),
    "sum": total,
}
"""Canonical name -> function of the values that are not null, and of the percentile."""


def aggregate(name: str, values: Iterable[Any], *arguments: Any, unique: bool = False) -> Any:
    """The aggregate of a group: what a row gave, row by row; `unique` is DISTINCT.  For count_star: one item per row.

    >>> aggregate("sum", [1, None, 2.0, 1], unique=True)
    3.0
    """
    found = list(values) if name == "count_star" else [value for value in values if value is not None]
    return FUNCTIONS[name](distinct(found) if unique else found, *arguments)
