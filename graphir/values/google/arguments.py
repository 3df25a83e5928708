"""What functions of GQL take: null in any place makes the result null, and a value of another type is a fault."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from graphir.diagnostics import RunFault
from graphir.values.faults import mismatch, overflow
from graphir.values.numbers import MAX_INTEGER, MIN_INTEGER

Function = Callable[..., Any]


def strict(function: Function) -> Function:
    """The function, null of any null."""

    @wraps(function)
    def made(*values: Any) -> Any:
        return None if any(value is None for value in values) else function(*values)

    return made


def safe(function: Function) -> Function:
    """The function, null in place of a fault."""

    @wraps(function)
    def made(*values: Any) -> Any:
        try:
            return function(*values)
        except RunFault:
            return None

    return made


def integer(where: str, value: Any) -> int:
    if type(value) is not int:
        raise mismatch(where, value, "an integer")
    return value


def number(where: str, value: Any) -> int | float:
    if type(value) is not int and type(value) is not float:
        raise mismatch(where, value, "a number")
    return value


def text(where: str, value: Any) -> str:
    if type(value) is not str:
        raise mismatch(where, value, "a string")
    return value


def boolean(where: str, value: Any) -> bool:
    if type(value) is not bool:
        raise mismatch(where, value, "a boolean")
    return value


def array(where: str, value: Any) -> list[Any]:
    if type(value) is not list:
        raise mismatch(where, value, "a list")
    return value


def checked(where: str, value: int) -> int:
    """The integer, if it fits 64 bits."""
    if not MIN_INTEGER <= value <= MAX_INTEGER:
        raise overflow(where)
    return value
