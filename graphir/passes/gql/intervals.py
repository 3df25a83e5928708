"""Addition of GoogleSQL, where a date and an INTERVAL make a moment; in Cypher and ISO GQL they make a date.

What an operand is only the values tell: of a variable, a column of a subquery, CASE or a parameter.  So the operators
are said by functions of their own, and whoever computes them decides by types.  Facts: GoogleSQL's reference ("Interval
arithmetic operators"); its evaluator was asked.
"""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Apply, Literal, Node

SHIFTING = {"add": "moment_add", "sub": "moment_sub"}
"""The operator -> the one that makes a moment of a date and an INTERVAL."""


def with_moments(query: ir.Query) -> ir.Query:
    """The query with these operators, but where a constant number shows that no date is meant."""

    def rule(node: Node) -> Node:
        if isinstance(node, Apply) and node.function in SHIFTING and not any(map(_is_number, node.args)):
            return replace(node, function=SHIFTING[node.function])
        return node

    return ir.rewrite(query, rule, Apply)


def _is_number(value: Node) -> bool:
    return isinstance(value, Literal) and isinstance(value.value, (int, float))
