"""Arithmetic, concatenation, logic, membership.

Integers are of 64 bits: leaving them is a fault, as is dividing by the integer zero; `/` and `%` of integers cut
towards zero.  Floats follow IEEE 754.  A null operand makes the result null, except in three-valued logic.  What the
operands may be is decided by the values; nothing is converted, except into a string that it is added to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from graphir.diagnostics import RunFault
from graphir.values.casts import is_textual, string_of
from graphir.values.comparison import equals
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.entities import Path
from graphir.values.faults import division_by_zero, fault, mismatch, overflow, type_name
from graphir.values.numbers import MAX_INTEGER, MIN_INTEGER, is_number
from graphir.values.references import PathReference
from graphir.values.times import LocalTime, Time

_TEMPORAL = (Date, LocalTime, Time, LocalDateTime, DateTime)


def _unfit(sign: str, left: Any, right: Any) -> RunFault:
    return fault("G632", f"`{sign}` does not take {type_name(left)} and {type_name(right)}")


def _whole(operation: str, number: int) -> int:
    if not MIN_INTEGER <= number <= MAX_INTEGER:
        raise overflow(operation)
    return number


# ------------------------------------------------------------------ arithmetic


def add(left: Any, right: Any) -> Any:
    """Sum of numbers, temporal values and durations; concatenation of strings, of lists, of a list and an item."""
    kinds = (type(left), type(right))
    if kinds == (int, int):
        return _whole("addition", left + right)
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        return left + right
    if list in kinds:
        return [*(left if kinds[0] is list else [left]), *(right if kinds[1] is list else [right])]
    if str in kinds and is_textual(left) and is_textual(right):
        return string_of(left) + string_of(right)
    if kinds[1] is Duration and (kinds[0] is Duration or isinstance(left, _TEMPORAL)):
        return left + right
    if kinds[0] is Duration and isinstance(right, _TEMPORAL):
        return right + left
    raise _unfit("+", left, right)


def subtract(left: Any, right: Any) -> Any:
    """Difference of numbers, or of a duration or a temporal value and a duration."""
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        found = left - right
        return _whole("subtraction", found) if type(found) is int else found
    if type(right) is Duration and (type(left) is Duration or isinstance(left, _TEMPORAL)):
        return left - right
    raise _unfit("-", left, right)


def multiply(left: Any, right: Any) -> Any:
    """Product of numbers, or of a duration and a number."""
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        found = left * right
        return _whole("multiplication", found) if type(found) is int else found
    amount, factor = (right, left) if type(right) is Duration else (left, right)
    if type(amount) is Duration and is_number(factor):
        return amount * factor
    raise _unfit("*", left, right)


def divide(left: Any, right: Any) -> Any:
    """Quotient of numbers, of integers cut towards zero, or of a duration and a number."""
    if left is None or right is None:
        return None
    if not is_number(left) or not is_number(right):
        if type(left) is Duration and is_number(right):
            return left / right
        raise _unfit("/", left, right)
    if right == 0 and type(right) is int:
        raise division_by_zero()
    if type(left) is int and type(right) is int:
        return _wrapped(_quotient(left, right))
    return _ratio(float(left), float(right))


def _ratio(left: float, right: float) -> float:
    """As IEEE 754 divides."""
    if right:
        return left / right
    sign = math.copysign(1.0, left) * math.copysign(1.0, right)
    return math.nan if left == 0 or math.isnan(left) else sign * math.inf


def _quotient(left: int, right: int) -> int:
    """Cut towards zero, exactly."""
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def _wrapped(number: int) -> int:
    """The least integer divided by -1 is itself, as in Java."""
    return MIN_INTEGER if number > MAX_INTEGER else number


def remainder(left: Any, right: Any) -> Any:
    """What division leaves, with the sign of the dividend."""
    if left is None or right is None:
        return None
    if not is_number(left) or not is_number(right):
        raise _unfit("%", left, right)
    if type(left) is int and type(right) is int:
        if right == 0:
            raise division_by_zero()
        return left - right * _quotient(left, right)
    if right == 0 or not math.isfinite(left):
        return math.nan
    return math.fmod(left, right)


def power(left: Any, right: Any) -> float | None:
    """Always a float."""
    if left is None or right is None:
        return None
    if not is_number(left) or not is_number(right):
        raise _unfit("^", left, right)
    base, exponent = float(left), float(right)
    if abs(base) == 1 and math.isinf(exponent):
        return math.nan
    if base == 1 and exponent != exponent:  # noqa: PLR0124 NaN
        return math.nan
    odd = exponent % 2 == 1
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and odd else math.inf
    except ValueError:
        if base == 0:
            return math.copysign(math.inf, base) if odd else math.inf
        return math.nan


def negate(value: Any) -> Any:
    if value is None:
        return None
    if not is_number(value):
        raise mismatch("The sign -", value, "a number")
    return _whole("negation", -value) if type(value) is int else 0.0 - value


def plus(value: Any) -> Any:
    if value is not None and not is_number(value):
        raise mismatch("The sign +", value, "a number")
    return value


def concatenate(left: Any, right: Any) -> Any:
    """`||`: two strings or two lists."""
    if not all(value is None or type(value) in (str, list) for value in (left, right)):
        raise _unfit("||", left, right)
    if left is None or right is None:
        return None
    if type(left) is not type(right):
        raise _unfit("||", left, right)
    return left + right


# ------------------------------------------------------------------ logic


def truth(value: Any) -> bool | None:
    """A value as a condition.  As in Neo4j maps count as true, lists and paths unless they are empty."""
    if value is None or type(value) is bool:
        return value
    if type(value) is dict:
        return True
    if type(value) is list:
        return len(value) > 0
    if isinstance(value, (Path, PathReference)):
        return len(value.edges) > 0
    raise mismatch("A condition", value, "a boolean")


def conjunction(left: Any, right: Any) -> bool | None:
    """AND.  After a false nothing is looked at."""
    first = truth(left)
    if first is False:
        return False
    second = truth(right)
    return False if second is False else None if first is None or second is None else True


def disjunction(left: Any, right: Any) -> bool | None:
    """OR.  After a true nothing is looked at."""
    first = truth(left)
    if first is True:
        return True
    second = truth(right)
    return True if second is True else None if first is None or second is None else False


def exclusion(left: Any, right: Any) -> bool | None:
    """XOR."""
    first, second = truth(left), truth(right)
    return None if first is None or second is None else first is not second


def negation(value: Any) -> bool | None:
    found = truth(value)
    return None if found is None else not found


# ------------------------------------------------------------------ membership


def items(value: Any) -> list[Any] | None:
    """A value where a list stands: itself, or a list of it alone, as Neo4j reads it."""
    return value if value is None or type(value) is list else [value]


def contained(value: Any, where: Any) -> bool | None:
    """IN: true when an item equals the value, null when one might."""
    found = items(where)
    if found is None:
        return None
    known: bool | None = False
    for item in found:
        same = equals(value, item)
        if same:
            return True
        if same is None:
            known = None
    return known


def folded(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The function over two or more arguments, from the left."""

    def fold(first: Any, *rest: Any) -> Any:
        for value in rest:
            first = function(first, value)
        return first

    return fold


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": folded(add),
    "sub": subtract,
    "mul": folded(multiply),
    "div": divide,
    "mod": remainder,
    "pow": power,
    "neg": negate,
    "pos": plus,
    "concat": folded(concatenate),
    "and": folded(conjunction),
    "or": folded(disjunction),
    "xor": folded(exclusion),
    "not": negation,
    "in": contained,
    "is_null": lambda value: value is None,
    "is_not_null": lambda value: value is not None,
}
