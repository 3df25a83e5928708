"""Functions of numbers: rounding, roots, logarithms, trigonometry, constants, and how a number is written.

Floats follow IEEE 754 as Java computes with them: nothing here overflows or divides by zero with an error, a function
outside of its domain gives NaN.  Integers are of 64 bits, and what leaves them is a fault.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from graphir.values.faults import invalid, mismatch, out_of_range, overflow

MIN_INTEGER = -(1 << 63)
MAX_INTEGER = (1 << 63) - 1
Number = int | float


def is_number(value: Any) -> bool:
    return type(value) is int or type(value) is float


def require_integer(where: str, value: Any) -> int:
    """The value, which is a fault of `where` (G632) if it is no integer."""
    if type(value) is not int:
        raise mismatch(where, value, "an integer")
    return value


def require_number(where: str, value: Any) -> Number:
    """The value, which is a fault of `where` (G632) if it is no number."""
    if type(value) is not int and type(value) is not float:
        raise mismatch(where, value, "a number")
    return value


def integer_of_float(value: float) -> int:
    """Cut towards zero; what does not fit becomes the nearest integer that exists, NaN becomes 0."""
    if value != value:  # noqa: PLR0124 NaN
        return 0
    if not -(2.0**63) <= value < 2.0**63:
        return MAX_INTEGER if value > 0 else MIN_INTEGER
    return int(value)


def float_text(value: float) -> str:
    """A float as Java writes it: `1.0`, `1.0E10`, `1.0E-4`, `NaN`, `-Infinity`.

    >>> [float_text(x) for x in (100.0, 1e7, 0.001, 1e-4, 5e-324)]
    ['100.0', '1.0E7', '0.001', '1.0E-4', '4.9E-324']
    """
    if not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"  # noqa: PLR0124 NaN
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    shortest = Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, shortest.digits)).rstrip("0") or "0"
    if len(digits) == 1:
        two = f"{abs(value):.1e}"
        if float(two) == abs(value):
            mantissa, _, exponent = two.partition("e")
            return f"{'-' if value < 0 else ''}{mantissa}E{int(exponent)}"
    power = Decimal(repr(value)).adjusted()
    return f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{power}"


# ------------------------------------------------------------------ rounding

_MODES = {
    "UP": decimal.ROUND_UP,
    "DOWN": decimal.ROUND_DOWN,
    "CEILING": decimal.ROUND_CEILING,
    "FLOOR": decimal.ROUND_FLOOR,
    "HALF_UP": decimal.ROUND_HALF_UP,
    "HALF_DOWN": decimal.ROUND_HALF_DOWN,
    "HALF_EVEN": decimal.ROUND_HALF_EVEN,
}

_WIDE = decimal.Context(prec=800)
"""Enough digits for every double."""


def round_(value: Any, precision: Any = 0, *modes: Any) -> float | None:
    """The nearest whole number, a half going up; with a precision, as many digits after the point.

    With a mode a half goes as that says: HALF_UP is away from zero.
    """
    mode = modes[0] if modes else "HALF_UP"
    if value is None or precision is None or mode is None:
        return None
    number = float(require_number("round()", value))
    digits = int(require_number("the precision of round()", precision))
    if not 0 <= digits < 1 << 31:
        raise out_of_range("round()", f"the precision is {digits}")
    if type(mode) is not str:
        raise mismatch("The mode of round()", mode, "a string")
    if mode not in _MODES and mode != "UNNECESSARY":
        raise invalid("round()", f"unknown mode; there are {', '.join(_MODES)}, UNNECESSARY")
    if not math.isfinite(number):
        return number
    if digits == 0 and not modes:
        return float(_nearest(number))
    exact = Decimal(repr(number))
    if digits >= -int(exact.as_tuple().exponent):
        return number + 0.0
    if mode == "UNNECESSARY":
        raise invalid("round()", "rounding is necessary")
    return float(exact.quantize(Decimal(1).scaleb(-digits), _MODES[mode], _WIDE)) + 0.0


def _nearest(number: float) -> int:
    """The nearest integer of 64 bits, a half going up."""
    below = math.floor(number)
    found = below + 1 if number - below >= 0.5 else below
    return min(max(found, MIN_INTEGER), MAX_INTEGER)


def ceil(value: Any) -> float | None:
    return _whole("ceil()", value, math.ceil)


def floor(value: Any) -> float | None:
    return _whole("floor()", value, math.floor)


def _whole(where: str, value: Any, to: Callable[[float], int]) -> float | None:
    if value is None:
        return None
    number = float(require_number(where, value))
    if not math.isfinite(number):
        return number
    return float(to(number)) or math.copysign(0.0, number)


def absolute(value: Any) -> Number | None:
    if value is None:
        return None
    number = require_number("abs()", value)
    if number == MIN_INTEGER and type(number) is int:
        raise overflow("abs()")
    return abs(number)


def sign(value: Any) -> int | None:
    if value is None:
        return None
    number = require_number("sign()", value)
    return (number > 0) - (number < 0)


def is_nan(value: Any) -> bool | None:
    if value is None:
        return None
    return bool(require_number("isNaN()", value) != value)


# ------------------------------------------------------------------ functions of floats


def _power_of_e(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _logarithm(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: -math.inf if x == 0 else math.nan if x < 0 else function(x)


def _bounded(function: Callable[[float], float]) -> Callable[[float], float]:
    """NaN outside of the domain, as for an infinite angle."""

    def safe(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return math.nan

    return safe


def _divided(numerator: float, x: float) -> float:
    return numerator / x if x else math.copysign(math.inf, x) * numerator


def _sinh(x: float) -> float:
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(math.inf, x)


def _cosh(x: float) -> float:
    try:
        return math.cosh(x)
    except OverflowError:
        return math.inf


def _coth(x: float) -> float:
    """Where sinh is infinite it is NaN, as in Neo4j."""
    lost = math.isfinite(x) and math.isinf(_sinh(x))
    return math.nan if x == 0 or lost else 1 / math.tanh(x)


_tan = _bounded(math.tan)
_cos = _bounded(math.cos)

_OF_ONE: dict[str, Callable[[float], float]] = {
    "acos": _bounded(math.acos),
    "asin": _bounded(math.asin),
    "atan": math.atan,
    "cos": _cos,
    "cosh": _cosh,
    "cot": lambda x: _divided(1.0, _tan(x)),
    "coth": _coth,
    "degrees": math.degrees,
    "exp": _power_of_e,
    "haversin": lambda x: (1.0 - _cos(x)) / 2,
    "log": _logarithm(math.log),
    "log10": _logarithm(math.log10),
    "radians": math.radians,
    "sin": _bounded(math.sin),
    "sinh": _sinh,
    "sqrt": _bounded(math.sqrt),
    "tan": _tan,
    "tanh": math.tanh,
}


def _function_of_one(name: str, compute: Callable[[float], float]) -> Callable[[Any], float | None]:
    where = f"{name}()"

    def function(value: Any) -> float | None:
        return None if value is None else compute(float(require_number(where, value)))

    return function


def atan2(y: Any, x: Any) -> float | None:
    if y is None or x is None:
        return None
    return math.atan2(float(require_number("atan2()", y)), float(require_number("atan2()", x)))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _function_of_one(name, compute) for name, compute in _OF_ONE.items()},
    "abs": absolute,
    "atan2": atan2,
    "ceil": ceil,
    "e": lambda: math.e,
    "floor": floor,
    "isNaN": is_nan,
    "pi": lambda: math.pi,
    "round": round_,
    "sign": sign,
}
