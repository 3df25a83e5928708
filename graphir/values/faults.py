"""The run-time faults of values.  Knows codes; not where in a query a value came from: the engine adds the place."""

from __future__ import annotations

from graphir.diagnostics import Diagnostic, RunFault


def fault(code: str, message: str) -> RunFault:
    """A run-time fault without a place."""
    return RunFault([Diagnostic(code, "error", message)])


def wrong_argument(function: str, expected: str, value: object) -> RunFault:
    """A function was given a value of a type it does not take."""
    return fault("G649", f"{function} expects {expected}, but was given {type_name(value)}")


_NAMES = {
    "bool": "a boolean",
    "int": "an integer",
    "float": "a float",
    "str": "a string",
    "list": "a list",
    "tuple": "a list",
    "dict": "a map",
    "Node": "a node",
    "Edge": "a relationship",
    "Path": "a path",
    "Date": "a date",
    "LocalTime": "a local time",
    "Time": "a time",
    "LocalDateTime": "a local datetime",
    "DateTime": "a datetime",
    "Duration": "a duration",
    "Point": "a point",
    "NodeReference": "a node",
    "EdgeReference": "a relationship",
    "PathReference": "a path",
    "UUID": "a UUID",
    "Vector": "a vector",
    "Json": "a JSON document",
    "NoneType": "null",
}


def type_name(value: object) -> str:
    """The type of a value in words: `a date`."""
    name = type(value).__name__
    return _NAMES.get(name, name)


# ------------------------------------------------------------------ operators and functions


def overflow(operation: str) -> RunFault:
    """The result of integer arithmetic does not fit 64 bits."""
    return fault("G630", f"integer overflow in {operation}: the result does not fit 64 bits")


def division_by_zero() -> RunFault:
    return fault("G631", "a number is divided by the integer zero")


def mismatch(where: str, value: object, expected: str) -> RunFault:
    """A value of a type that the operator or function does not take."""
    return fault("G632", f"{where} takes {expected}, not {type_name(value)}")


def invalid(where: str, message: str) -> RunFault:
    """A value of the right type that the function cannot use."""
    return fault("G633", f"{where}: {message}")


def out_of_range(where: str, message: str) -> RunFault:
    """A number outside of what the function or the type can hold."""
    return fault("G634", f"{where}: {message}")
