"""Numbers of repetitions that parameters give, as the numbers that they are.

A statement is made for the values of the parameters, so that patterns are lowered with the bounds that hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphir import ir
from graphir.diagnostics import RunFault, Unsupported, diagnose
from graphir.ir import Node
from graphir.source import Source


def with_bounds(query: ir.Query, parameters: Mapping[str, Any], source: Source, *, known: bool = True) -> ir.Query:
    """The query with the values of the parameters in its bounds.

    Raises RunFault: no value (G604), or one that is no number of repetitions (G605).  Unsupported (G602) where values
    are not `known` yet.
    """
    if not any(map(_given, ir.find(query, ir.Bounds))):
        return query

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Bounds) or not _given(node):
            return node
        if not known:
            told = "a number of repetitions that a parameter gives has to be known when the statement is made"
            raise Unsupported([diagnose(source, "G602", told, node.span)], feature="bounds", target="sql")
        low = node.low if node.low_parameter is None else _value(node.low_parameter, parameters, source)
        high = node.high if node.high_parameter is None else _value(node.high_parameter, parameters, source)
        if high is not None and high < low:
            raise RunFault([diagnose(source, "G605", f"from {low} to {high} is no number of repetitions", node.span)])
        return replace(node, low=low, high=high, low_parameter=None, high_parameter=None)

    return ir.rewrite(query, rule)


def _given(node: ir.Bounds) -> bool:
    return node.low_parameter is not None or node.high_parameter is not None


def _value(parameter: ir.Parameter, parameters: Mapping[str, Any], source: Source) -> int:
    if parameter.name not in parameters:
        told = f"parameter ${parameter.name} has no value"
        raise RunFault([diagnose(source, "G604", told, parameter.span)])
    value = parameters[parameter.name]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        told = f"the parameter ${parameter.name} is no number of repetitions"
        raise RunFault([diagnose(source, "G605", told, parameter.span)])
    return value
