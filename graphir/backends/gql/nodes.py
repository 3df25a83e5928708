"""Expressions of GoogleSQL that the Graph-IR has no class for, as its printer takes them."""

from __future__ import annotations

from graphir import ir
from graphir.ir.node import structure


@structure
class Extract(ir.Expression):
    """`EXTRACT(part FROM value AT TIME ZONE zone)`"""

    part: str
    value: ir.Expression
    zone: str | None = None


@structure
class Interval(ir.Expression):
    """`INTERVAL value unit`, an argument of functions on dates."""

    value: ir.Expression
    unit: str


@structure
class Unrepeated(ir.Expression):
    """The items of the list `source`, a variable, one for each value that they have under a field."""

    source: str
    variable: str
    field: str
