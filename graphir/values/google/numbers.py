"""Numbers as GoogleSQL computes with them: what is no finite number is a fault, and `/` has a fraction."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Any

from graphir.values.faults import fault, out_of_range
from graphir.values.google.arguments import Function, checked, integer, number, strict
from graphir.values.numbers import MAX_INTEGER, MIN_INTEGER

# ------------------------------------------------------------------ operators


def _finite(where: str, value: float, *operands: float) -> float:
    """The result, unless it is infinite or no number while the operands are finite."""
    if not math.isfinite(value) and all(map(math.isfinite, operands)):
        raise out_of_range(where, f"the result of {', '.join(map(str, operands))} is no finite number")
    return value


@strict
def divide(left: Any, right: Any) -> float:
    """`/`: of integers too it has a fraction."""
    one, other = float(number("/", left)), float(number("/", right))
    if other == 0:
        raise fault("G631", "a number is divided by zero")
    return _finite("/", one / other, one, other)


@strict
def whole_quotient(left: Any, right: Any) -> int:
    """DIV: of integers, towards zero."""
    one, other = integer("DIV()", left), integer("DIV()", right)
    if other == 0:
        raise fault("G631", "a number is divided by zero")
    whole = abs(one) // abs(other)
    return checked("DIV()", whole if (one < 0) == (other < 0) else -whole)


@strict
def ieee_divide(left: Any, right: Any) -> float:
    one, other = float(number("IEEE_DIVIDE()", left)), float(number("IEEE_DIVIDE()", right))
    if other != 0:
        return one / other
    return math.nan if one == 0 or math.isnan(one) else math.copysign(math.inf, one) * math.copysign(1, other)


@strict
def safe_divide(left: Any, right: Any) -> float | None:
    one, other = float(number("SAFE_DIVIDE()", left)), float(number("SAFE_DIVIDE()", right))
    found = one / other if other != 0 else math.inf
    return None if other == 0 or (math.isinf(found) and math.isfinite(one)) else found


def _safely(name: str, operation: Callable[..., Any]) -> Function:
    """Arithmetic that gives null where the result does not fit."""

    @strict
    def function(*values: Any) -> Any:
        operands = [number(name, value) for value in values]
        if all(type(value) is int for value in operands):
            found = operation(*operands)
            return found if MIN_INTEGER <= found <= MAX_INTEGER else None
        floats = [float(value) for value in operands]
        made = operation(*floats)
        return made if math.isfinite(made) or not all(map(math.isfinite, floats)) else None

    return function


# ------------------------------------------------------------------ bits


def _bits(name: str, operation: Callable[[int, int], int]) -> Function:
    @strict
    def function(left: Any, right: Any) -> int:
        return operation(integer(name, left), integer(name, right))

    return function


def _signed(value: int) -> int:
    """64 bits as an integer with a sign."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def _shift(name: str, by: Callable[[int, int], int]) -> Function:
    @strict
    def function(value: Any, count: Any) -> int:
        places = integer(name, count)
        if places < 0:
            raise out_of_range(name, f"bits are shifted by {places}")
        return 0 if places >= 64 else _signed(by(integer(name, value) & (1 << 64) - 1, places))

    return function


@strict
def bit_not(value: Any) -> int:
    return ~integer("~", value)


@strict
def bit_count(value: Any) -> int:
    return (integer("BIT_COUNT()", value) & (1 << 64) - 1).bit_count()


# ------------------------------------------------------------------ functions


def _real(name: str, compute: Callable[[float], float]) -> Function:
    """A function of real numbers: outside of its domain, or where the result is infinite, it is a fault."""

    @strict
    def function(value: Any) -> float:
        operand = float(number(f"{name}()", value))
        try:
            found = compute(operand)
        except (ValueError, OverflowError):
            raise out_of_range(f"{name}()", f"{operand} has no finite result") from None
        return _finite(f"{name}()", found, operand)

    return function


def _exp(value: float) -> float:
    return 0.0 if value == -math.inf else math.exp(value)


def _cot(value: float) -> float:
    if value == 0:
        raise ValueError
    return 1 / math.tan(value)


@strict
def power(base: Any, exponent: Any) -> float:
    one, other = float(number("POW()", base)), float(number("POW()", exponent))
    try:
        return _finite("POW()", math.pow(one, other), one, other)
    except (ValueError, OverflowError):
        raise out_of_range("POW()", f"{one} to the power of {other} is no finite number") from None


@strict
def log_to_base(value: Any, base: Any) -> float:
    one, other = float(number("LOG()", value)), float(number("LOG()", base))
    if one <= 0 or other <= 0 or other == 1:
        raise out_of_range("LOG()", f"there is no logarithm of {one} to the base {other}")
    if math.isinf(other):
        return math.nan if math.isinf(one) else 0.0
    return math.log(one) / math.log(other)


def log_of_base(base: Any, value: Any) -> float:
    """ISO GQL has the base first."""
    found: float = log_to_base(value, base)
    return found


def _to_digits(name: str, way: str) -> Function:
    """A float cut at a digit behind the point, or before it: of all its digits, not of those that are shown."""

    @strict
    def function(value: Any, *digits: Any) -> float:
        operand = float(number(name, value))
        places = integer(name, digits[0]) if digits else 0
        if not math.isfinite(operand) or places > _MOST_DIGITS:
            return operand
        if places < -_MOST_DIGITS:
            return math.copysign(0.0, operand)
        made = float(Decimal(operand).quantize(Decimal(1).scaleb(-places, _EXACT), rounding=way, context=_EXACT))
        return _finite(name, made, operand)

    return function


_MOST_DIGITS = 1100
_EXACT = Context(prec=3000, Emax=5000, Emin=-5000)


@strict
def signum(value: Any) -> int | float:
    operand = number("SIGN()", value)
    if type(operand) is int:
        return (operand > 0) - (operand < 0)
    return abs(operand) if operand == 0 or math.isnan(operand) else math.copysign(1.0, operand)


@strict
def is_inf(value: Any) -> bool:
    return math.isinf(number("IS_INF()", value))


def _extreme(least: bool) -> Function:
    """The greatest or least of the arguments, NaN if one is that."""

    @strict
    def function(*values: Any) -> Any:
        from graphir.values.comparison import less

        if any(type(value) is float and math.isnan(value) for value in values):
            return math.nan
        found = values[0]
        for value in values[1:]:
            found = value if (less(value, found) if least else less(found, value)) else found
        mixed = any(type(value) is float for value in values)
        return float(found) if mixed and type(found) is int else found

    return function


FUNCTIONS: dict[str, Function] = {
    "divide": divide,
    "strict_div": whole_quotient,
    "ieee_divide": ieee_divide,
    "safe_divide": safe_divide,
    "safe_add": _safely("SAFE_ADD()", lambda a, b: a + b),
    "safe_subtract": _safely("SAFE_SUBTRACT()", lambda a, b: a - b),
    "safe_multiply": _safely("SAFE_MULTIPLY()", lambda a, b: a * b),
    "safe_negate": _safely("SAFE_NEGATE()", lambda a: -a),
    "bit_and": _bits("&", lambda a, b: a & b),
    "bit_or": _bits("|", lambda a, b: a | b),
    "bit_xor": _bits("^", lambda a, b: a ^ b),
    "bit_not": bit_not,
    "bit_count": bit_count,
    "shift_left": _shift("<<", lambda a, b: a << b),
    "shift_right": _shift(">>", lambda a, b: a >> b),
    "strict_acos": _real("ACOS", math.acos),
    "strict_asin": _real("ASIN", math.asin),
    "strict_cosh": _real("COSH", math.cosh),
    "strict_cot": _real("COT", _cot),
    "strict_exp": _real("EXP", _exp),
    "strict_log": _real("LN", math.log),
    "strict_log10": _real("LOG10", math.log10),
    "strict_pow": power,
    "strict_sinh": _real("SINH", math.sinh),
    "strict_sqrt": _real("SQRT", math.sqrt),
    "acosh": _real("ACOSH", math.acosh),
    "asinh": _real("ASINH", math.asinh),
    "atanh": _real("ATANH", math.atanh),
    "log_to_base": log_to_base,
    "log_of_base": log_of_base,
    "round_away": _to_digits("ROUND()", ROUND_HALF_UP),
    "trunc": _to_digits("TRUNC()", ROUND_DOWN),
    "signum": signum,
    "is_inf": is_inf,
    "greatest": _extreme(least=False),
    "least": _extreme(least=True),
}
