"""Vectors: a fixed number of coordinates of one type; their norms, distances and similarities.

Distances and similarities are of single precision, as indexes compute them; similarities lie between 0 and 1 and take
lists of numbers as well.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphir.values.faults import invalid, mismatch, out_of_range, overflow
from graphir.values.numbers import float_text, integer_of_float, require_integer, require_number

LONGEST = 4096
COORDINATES = ("INTEGER8", "INTEGER16", "INTEGER32", "INTEGER64", "FLOAT32", "FLOAT64")
"""The types of coordinates, in the order in which vectors sort."""
_TYPES = {
    **{name: name for name in COORDINATES},
    **{"INT8": "INTEGER8", "INT16": "INTEGER16", "INT32": "INTEGER32", "INT64": "INTEGER64", "INT": "INTEGER64"},
    **{"INTEGER": "INTEGER64", "SIGNED INTEGER": "INTEGER64", "FLOAT": "FLOAT64"},
}
"""The words of Cypher -> the type."""
_SINGLE = struct.Struct("<f")
_LIST = re.compile(r"\s*\[([^\[\]]*)\]\s*")


@dataclass(frozen=True, slots=True)
class Vector:
    """One or more coordinates, all integers or all floats as `type` (one of COORDINATES) says.

    Equal when type and coordinates are.

    >>> str(Vector("FLOAT32", (0.5, 1.0)))
    'vector([0.5, 1.0], 2, FLOAT32)'
    """

    type: str
    coordinates: tuple[float, ...]

    @property
    def key(self) -> tuple[int, int, tuple[float, ...]]:
        """What vectors are ordered by: the type, the dimension, the coordinates."""
        return COORDINATES.index(self.type), len(self.coordinates), self.coordinates

    def __str__(self) -> str:
        texts = ", ".join(_text(self.type, number) for number in self.coordinates)
        return f"vector([{texts}], {len(self.coordinates)}, {self.type})"


def _text(kind: str, number: float) -> str:
    if isinstance(number, int):
        return str(number)
    if kind == "FLOAT32":
        texts = (f"{number:.{digits}g}" for digits in range(1, 10))
        number = next((float(text) for text in texts if single(float(text)) == number), number)
    return float_text(number)


def single(number: float) -> float:
    """The nearest number of single precision; infinite where there is none."""
    try:
        found: float = _SINGLE.unpack(_SINGLE.pack(number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return found


def _coordinates(where: str, value: Any) -> list[float]:
    if type(value) is Vector:
        value = list(value.coordinates)
    if type(value) is not list:
        raise mismatch(where, value, "a vector or a list of numbers")
    found = [single(float(require_number(where, item))) for item in value]
    if not found or not all(map(math.isfinite, found)):
        raise invalid(where, "a vector has one or more finite coordinates")
    return found


def vector(values: Any, dimension: Any, kind: Any) -> Vector | None:
    """A vector of a list of numbers, or of the text of one; coordinates are cut to the type."""
    if values is None or dimension is None:
        return None
    size = require_integer("vector()", dimension)
    if not 1 <= size <= LONGEST:
        raise out_of_range("vector()", f"the dimension is {size}, and may be 1 to {LONGEST}")
    if kind not in _TYPES:
        raise invalid("vector()", f"there is no type of coordinates {kind!r}")
    numbers = _numbers_of(values) if type(values) is str else values
    if type(numbers) is not list:
        raise mismatch("vector()", values, "a list of numbers or its text")
    if len(numbers) != size:
        raise invalid("vector()", f"the dimension is {size}, but there are {len(numbers)} coordinates")
    return Vector(_TYPES[kind], tuple(_coordinate(_TYPES[kind], number) for number in numbers))


def _numbers_of(text: str) -> list[Any]:
    found = _LIST.fullmatch(text)
    try:
        return [float(number) for number in found[1].split(",")] if found and found[1].strip() else []
    except ValueError as error:
        raise invalid("vector()", "the text is not that of a list of numbers") from error


def _coordinate(kind: str, value: Any) -> float:
    number = require_number("vector()", value)
    if kind.startswith("INTEGER"):
        whole = integer_of_float(number) if type(number) is float else int(number)
        bits = int(kind.removeprefix("INTEGER"))
        if not -(1 << bits - 1) <= whole < 1 << bits - 1:
            raise overflow("vector()")
        return whole
    made = single(number) if kind == "FLOAT32" else float(number)
    if not math.isfinite(made):
        raise invalid("vector()", "the coordinates are not finite")
    return made


def dimension_count(value: Any) -> int | None:
    return None if value is None else len(_vector("vector_dimension_count()", value).coordinates)


def _vector(where: str, value: Any) -> Vector:
    if type(value) is not Vector:
        raise mismatch(where, value, "a vector")
    return value


def norm(value: Any, metric: Any) -> float | None:
    """The length of a vector: EUCLIDEAN or MANHATTAN."""
    if value is None:
        return None
    zero = Vector("FLOAT64", (0.0,) * len(_vector("vector_norm()", value).coordinates))
    if metric not in ("EUCLIDEAN", "MANHATTAN"):
        raise invalid("vector_norm()", f"there is no metric {metric!r}")
    return distance(value, zero, metric)


def distance(left: Any, right: Any, metric: Any) -> float | None:
    """The distance of two vectors by a metric: see METRICS."""
    if left is None or right is None:
        return None
    one, other = _vector("vector_distance()", left).coordinates, _vector("vector_distance()", right).coordinates
    if len(one) != len(other):
        raise invalid("vector_distance()", "the vectors do not have the same number of dimensions")
    if metric not in METRICS:
        raise invalid("vector_distance()", f"there is no metric {metric!r}")
    return single(METRICS[metric](list(one), list(other)))


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


def _cosine_distance(one: list[float], other: list[float]) -> float:
    norms = math.sqrt(_product(one, one) * _product(other, other))
    return 1 - single(_product(one, other) / norms) if norms else math.nan


METRICS: dict[str, Callable[[list[float], list[float]], float]] = {
    "EUCLIDEAN": math.dist,
    "EUCLIDEAN_SQUARED": lambda one, other: math.fsum((a - b) ** 2 for a, b in zip(one, other, strict=True)),
    "MANHATTAN": lambda one, other: math.fsum(abs(a - b) for a, b in zip(one, other, strict=True)),
    "COSINE": _cosine_distance,
    "DOT": lambda one, other: -_product(one, other),
    "HAMMING": lambda one, other: float(sum(a != b for a, b in zip(one, other, strict=True))),
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "vector": vector,
    "vector_dimension_count": dimension_count,
    "vector_distance": distance,
    "vector_norm": norm,
    "vector.similarity.cosine": _similarity("vector.similarity.cosine", _cosine),
    "vector.similarity.euclidean": _similarity("vector.similarity.euclidean", _euclidean),
}
