"""EXISTS and COUNT subqueries: which bodies can be said, and how they are tied to the variables around them.

A variable of the outer query cannot be matched again inside: the body matches a variable of its own, and asks that the
two be the same.  An outer variable that is null is the same as nothing, so that nothing is found, as in Cypher.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.patterns import renamed
from graphir.backends.gql.values import ELEMENTS, Value
from graphir.ir.names import MARK, generated
from graphir.ir.node import replace

KINDS = ("exists", "count")
ROWS = (ir.Match, ir.Filter, ir.Unwind)
"""Clauses that a subquery may consist of without a RETURN."""


def prepared(node: ir.Subquery, values: Mapping[str, Value], report: Report) -> tuple[str, list[ir.Operator]]:
    """The kind of a subquery, and the clauses of its body, with variables of its own and the conditions that tie them.

    A COUNT ends with a projection that counts; an EXISTS has a projection only where rows depend on it.
    """
    if not isinstance(node.body, ir.Pipeline):
        raise report.refusal("subquery", node, "a subquery with this body")
    operators = list(node.body.operators)
    per_row = operators and isinstance(last := operators[-1], ir.Project) and last.final and is_per_row(last)
    if node.kind in KINDS and per_row and all(isinstance(operator, ROWS) for operator in operators[:-1]):
        operators.pop()
    names = {}
    for operator in operators:
        for name in matched(operator):
            if name in values and values[name].kind in ELEMENTS:
                names[name] = f"{MARK}{name.removeprefix(MARK)}_in"
    out: list[ir.Operator] = []
    live: dict[str, str] = {}
    for operator in operators:
        new = [name for name in dict.fromkeys(matched(operator)) if name in names and name not in live]
        live |= {name: names[name] for name in new}
        out.append(columns_renamed(renamed(operator, live), live))
        if isinstance(operator, (ir.Project, ir.Aggregate)):
            live = kept(operator, live)
        if not isinstance(operator, ir.Match):
            continue
        ties: list[ir.Operator] = [ir.Filter(ir.Apply("eq", (ir.Ref(names[name]), ir.Ref(name)))) for name in new]
        last_ = out[-1]
        if isinstance(last_, ir.Match) and not last_.optional:
            out[-1] = with_ties(last_, ties)
        elif ties:
            raise report.refusal("subquery", operator, "OPTIONAL MATCH in a subquery")
    if node.kind == "count":
        out = counted(out)
    elif not all(isinstance(o, ROWS) for o in out) and not any(isinstance(o, ir.Project) and o.final for o in out):
        out.append(ir.Project((ir.Item(ir.Literal(1), generated("one", 0)),), final=True))
    return node.kind, out


def columns_renamed(operator: ir.Operator, names: Mapping[str, str]) -> ir.Operator:
    """A projection in the middle whose columns have the names of what they are."""
    if not isinstance(operator, (ir.Project, ir.Aggregate)) or not names:
        return operator

    def rule(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.Item) and (inner := names.get(part.name or "")) and part.value == ir.Ref(inner):
            return replace(part, name=inner)
        return part

    return ir.rewrite(operator, rule)


def kept(operator: ir.Project | ir.Aggregate, names: Mapping[str, str]) -> dict[str, str]:
    """The variables that a projection hands on.  Behind it the others mean the outer ones, which are the same."""
    items = operator.items if isinstance(operator, ir.Project) else (*operator.keys, *operator.aggregates)
    columns = {item.name for item in items}
    return {name: inner for name, inner in names.items() if name in columns}


def counted(operators: list[ir.Operator]) -> list[ir.Operator]:
    """The clauses with a count of their rows behind."""
    before = [replace(o, final=False) if isinstance(o, ir.Project) else o for o in operators]
    count = generated("count", 0)
    total = ir.Aggregate((), (ir.Item(ir.Apply("count_star"), count),))
    return [*before, total, ir.Project((ir.Item(ir.Ref(count), count),), final=True)]


def is_per_row(project: ir.Project) -> bool:
    """Whether the result has a row for each row before it, so that only the columns are lost without it."""
    return not project.distinct and project.group_by is None and project.skip is None and project.limit is None


def matched(operator: ir.Operator) -> list[str]:
    """The variables of the elements that a MATCH mentions."""
    if not isinstance(operator, ir.Match):
        return []
    elements = [element for path in operator.paths for element in path.elements]
    return [e.variable for e in elements if isinstance(e, (ir.NodePattern, ir.EdgePattern)) and e.variable is not None]


def with_ties(match: ir.Match, ties: list[ir.Operator]) -> ir.Match:
    """The MATCH with the conditions in its WHERE."""
    conditions = [tie.predicate for tie in ties if isinstance(tie, ir.Filter)]
    if match.where is not None:
        conditions.append(match.where)
    if not conditions:
        return match
    where = conditions[0] if len(conditions) == 1 else ir.Apply("and", tuple(conditions))
    return ir.Match(match.paths, where, uniqueness=match.uniqueness, span=match.span)
