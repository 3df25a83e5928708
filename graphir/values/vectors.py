"""Similarity of vectors that are lists of numbers, from 0 to 1, in single precision as indexes compute it."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from graphir.values.faults import invalid, mismatch
from graphir.values.numbers import require_number

_SINGLE = struct.Struct("<f")


def single(number: float) -> float:
    """The nearest number of single precision; infinite where there is none."""
    try:
        found: float = _SINGLE.unpack(_SINGLE.pack(number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return found


def _coordinates(where: str, value: Any) -> list[float]:
    if type(value) is not list:
        raise mismatch(where, value, "a list of numbers")
    found = [single(float(require_number(where, item))) for item in value]
    if not found or not all(map(math.isfinite, found)):
        raise invalid(where, "a vector has one or more finite coordinates")
    return found


def _similarity(name: str, measure: Callable[[list[float], list[float]], float]) -> Callable[[Any, Any], float | None]:
    where = f"{name}()"

    def function(left: Any, right: Any) -> float | None:
        if left is None or right is None:
            return None
        one, other = _coordinates(where, left), _coordinates(where, right)
        if len(one) != len(other):
            raise invalid(where, "the vectors do not have the same number of dimensions")
        return single(measure(one, other))

    return function


def _product(one: list[float], other: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def _cosine(one: list[float], other: list[float]) -> float:
    norms = _product(one, one) * _product(other, other)
    if norms == 0:
        raise invalid("vector.similarity.cosine()", "a vector of zeros has no direction")
    return (1 + _product(one, other) / math.sqrt(norms)) / 2


def _euclidean(one: list[float], other: list[float]) -> float:
    return 1 / (1 + math.dist(one, other) ** 2)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "vector.similarity.cosine": _similarity("vector.similarity.cosine", _cosine),
    "vector.similarity.euclidean": _similarity("vector.similarity.euclidean", _euclidean),
}
