"""Values as expressions of the IR: how parameters reach an engine that cannot take them as values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphir import ir
from graphir.backends.engines.faults import UNHELD, fault
from graphir.values import reps
from graphir.values.points import Point

CONSTRUCTORS = {type_: kind for type_, kind in reps.KINDS.items() if type_ is not Point}
"""Types of values, and the function that makes one of its text."""


def is_plain(value: Any) -> bool:
    """Whether every engine takes the value as a parameter: nothing in it is temporal, spatial or not finite."""
    match value:
        case list() | tuple():
            return all(map(is_plain, value))
        case Mapping():
            return all(map(is_plain, value.values()))
        case float():
            return math.isfinite(value)
        case _:
            return value is None or isinstance(value, (bool, int, str))


def point_parts(point: Point) -> dict[str, Any]:
    """What `point(..)` takes to make it again."""
    named = {"srid": point.srid, "x": point.x, "y": point.y, "z": point.z}
    return {name: part for name, part in named.items() if part is not None}


def constant(value: Any) -> ir.Expression:
    """The expression that gives the value.  Unsupported (G626) for elements: no text makes one that is there."""
    match value:
        case float() if not math.isfinite(value):
            if math.isnan(value):
                return ir.Apply("div", (ir.Literal(0.0), ir.Literal(0.0)))
            return ir.Apply("div", (_number(math.copysign(1.0, value)), ir.Literal(0.0)))
        case bool() | str() | None:
            return ir.Literal(value)
        case int() | float():
            return _number(value)
        case list() | tuple():
            return ir.ListOf(tuple(map(constant, value)))
        case Mapping():
            return ir.MapOf(tuple(ir.Entry(key, constant(item)) for key, item in value.items()))
        case Point():
            return ir.Apply("point", (constant(point_parts(value)),))
    name = CONSTRUCTORS.get(type(value))
    if name is None:
        raise fault(UNHELD, f"a parameter cannot be a {type(value).__name__} in this engine", feature="parameter")
    return ir.Apply(name, (ir.Literal(str(value)),))


def _number(value: float) -> ir.Expression:
    if value < 0 or (isinstance(value, float) and math.copysign(1.0, value) < 0):
        return ir.Apply("neg", (ir.Literal(-value),))
    return ir.Literal(value)


def bind(query: ir.Query, values: Mapping[str, Any]) -> ir.Query:
    """The query with constants in place of those parameters."""

    def rule(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Parameter) and node.name in values:
            return replace(constant(values[node.name]), span=node.span)
        return node

    return ir.rewrite(query, rule)
