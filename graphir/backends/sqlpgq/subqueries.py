"""EXISTS and COUNT subqueries as the clauses of a SELECT that mentions the rows around it."""

from __future__ import annotations

from collections.abc import Mapping

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.patterns import renamed
from graphir.backends.gql.subqueries import KINDS, is_per_row, matched, with_ties
from graphir.backends.gql.values import ELEMENTS, Value
from graphir.ir.names import MARK


def unfolded(node: ir.Subquery, values: Mapping[str, Value], report: Report) -> list[ir.Operator]:
    """The clauses of the body, with variables of its own and the conditions that tie them; `values` are outside."""
    if node.kind not in KINDS or not isinstance(node.body, ir.Pipeline):
        raise report.refusal("subquery", node, f"{node.kind.upper()} {{ .. }}")
    operators = list(node.body.operators)
    if operators and isinstance(last := operators[-1], ir.Project) and last.final and is_per_row(last):
        operators.pop()
    for operator in operators:
        if not isinstance(operator, (ir.Match, ir.Filter, ir.Unwind)):
            raise report.refusal("subquery", operator, f"{node.kind.upper()} with this clause")
    names: dict[str, str] = {}
    found: list[ir.Operator] = []
    for operator in operators:  # a clause before the one that matches it again means the outer variable
        for name in matched(operator):
            if name in values and values[name].kind in ELEMENTS:
                names[name] = f"{MARK}{name.removeprefix(MARK)}_in"
        found.append(renamed(operator, names))
    ties: list[ir.Operator] = [
        ir.Filter(ir.Apply("eq", (ir.Ref(inner), ir.Ref(outer)))) for outer, inner in names.items()
    ]
    if len(found) == 1 and isinstance(only := found[0], ir.Match) and not only.optional:
        return [with_ties(only, ties)]
    return [*found, *ties]
