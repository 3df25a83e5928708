"""Expressions of later Cypher: types and normal forms as predicates, allReduce, calls of functions outside the table.

Labels that are computed at run time are tested here, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from graphir import ir
from graphir.backends.sql import build, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import constant, convert, null_term
from graphir.backends.sql.expressions import bind, elements, has_labels, lower, truth
from graphir.backends.sql.lowering import Scope
from graphir.backends.sql.reps import BOOLEAN, EDGE, NODE, NULL, STRING, ListRep, join
from graphir.backends.sql.terms import LABELS, TYPE, Term
from graphir.ir import text


def _is_typed(node: ir.IsTyped, scope: Scope) -> Term:
    """`base IS :: TYPE`: the type goes to the reference function as text."""
    base = lower(node.base, scope)
    wanted = constant(text.dumps(node.type))
    made = scope.lowering.bridge("is_typed", [base, wanted], BOOLEAN, node, safe=True)
    return replace(made, present=True)


def _is_normalized(node: ir.IsNormalized, scope: Scope) -> Term:
    return scope.lowering.bridge("is_normalized", [lower(node.base, scope), constant(node.form)], BOOLEAN, node)


def _all_reduce(node: ir.AllReduce, scope: Scope) -> Term:
    """Whether a predicate holds of every value that the accumulator takes."""
    lowering = scope.lowering
    source = elements(lowering, lower(node.source, scope))
    assert isinstance(source.rep, ListRep)
    initial = lower(node.initial, scope)
    rep = initial.rep
    state, element = lowering.fresh("a"), lowering.fresh("x")
    while True:
        names = {
            node.accumulator: Term(build.field(build.column(state), "value"), rep),
            node.variable: Term(build.column(element), source.rep.element),
        }
        inner = scope.extended(names)
        queries = lowering.queries
        body = lower(node.body, inner)
        if join(rep, body.rep) == rep:
            break
        rep = join(rep, body.rep)

    def step(value: Term) -> Term:
        kept = Term(value.again(), rep)
        holds = truth(lowering, lower(node.predicate, inner.extended({node.accumulator: kept})))
        both = build.conjunction([build.field(build.column(state), "holds"), holds.sql])
        return Term(build.structure([("value", value.again()), ("holds", both)]), rep)

    made = bind(lowering, convert(lowering, body, rep), step)
    if lowering.queries != queries:
        lowering.refuse("G602", "a subquery or a look-up of a property inside allReduce() is not supported", node)
    start = build.structure([("value", convert(lowering, initial, rep).sql), ("holds", build.boolean(True))])
    reduced = build.call("list_reduce", source.sql, build.function([state, element], made.sql), start)
    return Term(build.field(reduced, "holds"), BOOLEAN)


def _call(node: ir.Call, scope: Scope) -> NoReturn:
    scope.lowering.refuse("G602", f"the engine has no function {'.'.join(node.name)}()", node)


# ------------------------------------------------------------------ labels


def settled_labels(labels: ir.LabelExpression, scope: Scope) -> ir.LabelExpression:
    """The labels with what is computed from constants written out."""
    if not ir.holds(labels, ir.LabelDynamic):
        return labels

    def rule(part: ir.Node) -> ir.Node:
        if not isinstance(part, ir.LabelDynamic):
            return part
        value = lower(part.expression, scope).constant
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, str) for name in names):
            return part
        written = tuple([ir.LabelName(name, span=part.span) for name in names])
        if len(written) == 1:
            return written[0]
        return ir.LabelAnd(written) if part.quantifier == "all" else ir.LabelOr(written)

    return ir.rewrite(labels, rule)


def _has_labels(node: ir.HasLabels, scope: Scope) -> Term:
    labels = settled_labels(node.labels, scope)
    if not ir.holds(labels, ir.LabelDynamic):
        return has_labels(replace(node, labels=labels), scope)
    lowering = scope.lowering
    base = lower(node.base, scope)
    if base.rep == NULL:
        return null_term(BOOLEAN)
    if base.rep not in (NODE, EDGE):
        lowering.refuse("G602", f"labels that are computed at run time, of a {base.rep}", node)
    carried = scans.read_property(lowering, base, LABELS if base.rep == NODE else TYPE)
    if carried.rep == STRING:
        carried = Term(build.array([carried.sql]), scans.TEXTS)
    carried = Term(carried.sql, carried.rep)
    return bind(lowering, carried, lambda term: Term(_carries(labels, term, scope), BOOLEAN))


def _carries(labels: ir.LabelExpression, carried: Term, scope: Scope) -> Sql:
    lowering = scope.lowering
    match labels:
        case ir.LabelName(name):
            return build.call("list_contains", carried.again(), build.text(name))
        case ir.LabelAny():
            return build.negation(build.equal(build.call("len", carried.again()), build.number(0)))
        case ir.LabelNot(operand):
            return build.negation(_carries(operand, carried, scope))
        case ir.LabelAnd(operands):
            return build.conjunction([_carries(operand, carried, scope) for operand in operands])
        case ir.LabelOr(operands):
            return build.disjunction([_carries(operand, carried, scope) for operand in operands])
        case ir.LabelDynamic(expression, quantifier):
            terms = [Term(carried.again(), carried.rep), lower(expression, scope)]
            return lowering.bridge(f"carries_{quantifier}", terms, BOOLEAN, labels).sql
    return lowering.refuse("G602", "this label expression", labels)


RULES: dict[type[ir.Expression], Callable[..., Term]] = {
    ir.IsTyped: _is_typed,
    ir.IsNormalized: _is_normalized,
    ir.AllReduce: _all_reduce,
    ir.Call: _call,
    ir.HasLabels: _has_labels,
}
