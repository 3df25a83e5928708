"""What targets have in common that no engine proves here: only what their documentation settles is said.

They may compute a common table for each use, so that nothing that is read twice may be a choice; rows are told apart
by what is in them.
"""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.reps import FLOAT
from graphir.backends.sql.targets.nesting import Nesting, check
from graphir.backends.sql.targets.target import Rewriting, Rule

ALLOWED = Nesting(depth=1, keys=False, aggregates=False, recursion=False, twice=False)


def checked(node: Sql, rewriting: Rewriting) -> Sql:
    """The rule for a query: the numbers of its rows have an order, and the statement as a whole is looked at."""
    if isinstance(node, exp.Select):
        _number(node)
    if node.parent is None:
        told = check(node, ALLOWED)
        if told is not None:
            rewriting.refuse(told)
    return node


def _number(query: exp.Select) -> None:
    """Number rows in the order of all their columns: rows that tie are the same, and any order of theirs will do."""
    for each in query.expressions:
        window = each.this if isinstance(each, exp.Alias) else None
        if not isinstance(window, exp.Window) or not isinstance(window.this, exp.RowNumber) or window.args.get("order"):
            continue
        others = [other.this for other in query.expressions if isinstance(other, exp.Alias) and other is not each]
        keys = [build.ordered(other.copy()) for other in others] or [build.ordered(build.null())]
        window.set("order", exp.Order(expressions=keys))


def joined(node: exp.Join, _: Rewriting) -> Sql:
    """Sources side by side as CROSS JOIN, which binds as the joins after it do."""
    if not node.args.get("side") and not node.args.get("on"):
        node.set("kind", "CROSS")
    return node


def common(node: exp.CTE, _: Rewriting) -> Sql:
    node.set("materialized", None)
    return node


def no_floats(what: str) -> Rule:
    """The rule for what is not the same where NaN is among the floats."""

    def rule(node: Sql, rewriting: Rewriting) -> Sql:
        if build.note(node) == FLOAT:
            rewriting.refuse(what)
        return node

    return rule


def contained(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Whether a string has another in it; the empty one is in all."""
    text, part = node.expressions
    if text.find(exp.Select) or part.find(exp.Select):
        rewriting.refuse("CONTAINS with a subquery")
    found = build.binary(exp.GT, build.call("strpos", text, part), build.number(0))
    empty = build.equal(part.copy(), exp.Literal.string(""))
    return build.disjunction([found, build.conjunction([empty, build.is_not_null(text.copy())])])


def trimmed(position: str | None) -> Rule:
    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        return exp.Trim(this=node.expressions[0], expression=node.expressions[1], position=position)

    return rule


def no_recursion(node: exp.With, rewriting: Rewriting) -> Sql:
    if node.args.get("recursive"):
        rewriting.refuse("a path that repeats an edge")
    return node
