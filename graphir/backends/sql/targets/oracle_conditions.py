"""Where Oracle wants a condition and where a value: the last step of a statement.

A condition is no value of a column and no argument, and a value is no condition unless it is a column of type BOOLEAN:
`CASE WHEN c THEN TRUE ELSE FALSE END` makes a value of one, `v = TRUE` a condition of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.model import GraphTable, pattern_of
from graphir.backends.sql.sharing import is_small
from graphir.backends.sql.targets.sharing import may_be_queried
from graphir.backends.sql.targets.target import Rewriting

_TESTS = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.And, exp.Or, exp.Not, exp.Is, exp.In, exp.Exists),
    *(exp.JSONExists, exp.RegexpLike, exp.Like),
)
_KINDS = frozenset(_TESTS)
_CERTAIN = (exp.Exists, exp.Is, exp.JSONExists)
"""Conditions that are never unknown."""
_WITHIN = frozenset((exp.Where, exp.Having, exp.And, exp.Or, exp.Not))
_PLACES = _WITHIN | {exp.If, exp.Join, exp.Connect, GraphTable}
"""Nodes that have a condition somewhere."""
_NEITHER = frozenset((exp.Paren, exp.DataType, exp.Select, exp.Union, exp.Subquery))
"""Nodes that are not made conditions of where one is wanted."""


def settle(statement: Sql, nodes: Sequence[Sql], rewriting: Rewriting) -> Sql:
    """The statement with conditions where they are wanted and values elsewhere; in place, but for itself.  `nodes`: all
    that is in it."""
    for node in reversed(nodes):
        kind = type(node)
        if kind in _NEITHER:
            continue
        wanted = _is_test_wanted(node)
        if wanted is (kind in _KINDS):
            continue
        made = _as_test(node.copy()) if wanted else as_value(node, rewriting)
        if node is statement:
            statement = made
        else:
            node.replace(made)
    return statement


def _is_test_wanted(node: Sql) -> bool:
    """Whether a condition stands at the place of a node."""
    child, parent = node, node.parent
    while type(parent) is exp.Paren:
        child, parent = parent, parent.parent
    if parent is None or type(parent) not in _PLACES:
        return False
    if type(parent) in _WITHIN:
        return True
    if isinstance(parent, exp.If):
        return child.arg_key == "this" and parent.parent is not None and parent.parent.args.get("this") is None
    pattern = pattern_of(parent)
    if pattern is not None:
        return pattern.filtered and child is parent.expressions[0]
    return child.arg_key in ("on", "connect")


def as_value(test: Sql, rewriting: Rewriting) -> Sql:
    """The value of a condition; null where it is unknown.  What the condition is about stands in it once."""
    copied = test.copy()
    if _is_certain(copied):
        return build.case([(copied, build.boolean(True))], build.boolean(False))
    operands = _operands(copied)
    if all(map(is_small, operands)) or not may_be_queried(test, operands):
        return _by_cases(copied)
    columns: list[Sql] = []
    for operand in operands:
        if is_small(operand):
            continue
        name = rewriting.fresh("v")
        certain = isinstance(operand, _CERTAIN)
        operand.replace(build.column(name))
        value = build.case([(operand, build.boolean(True))], build.boolean(False)) if certain else operand
        columns.append(build.alias(value, name))
    inner = build.held(columns, rewriting.fresh("u"))
    return build.scalar(build.select([_by_cases(copied)], [inner]))


def _by_cases(test: Sql) -> Sql:
    return build.case([(test, build.boolean(True)), (build.negation(test.copy()), build.boolean(False))])


def _operands(test: Sql) -> list[Sql]:
    """The values that a condition compares, and the queries that it asks for rows."""
    found: list[Sql] = []
    pending: list[Sql] = [test]
    while pending:
        node = pending.pop()
        if isinstance(node, exp.In) and node.args.get("query") is not None:
            pending.append(node.this)
        elif not isinstance(node, (*_TESTS, exp.Paren)) or isinstance(node, exp.Exists):
            found.append(node)
        else:
            pending += [each for each in node.iter_expressions() if not isinstance(each, (exp.Null, exp.Var))]
    return found


def _is_certain(test: Sql) -> bool:
    if isinstance(test, exp.Not):
        inner = test.this
        return _is_certain(inner.this if isinstance(inner, exp.Paren) else inner)
    return isinstance(test, _CERTAIN)


def _as_test(value: Sql) -> Sql:
    if isinstance(value, exp.Boolean):
        return build.equal(build.number(1), build.number(1 if value.this else 0))
    if isinstance(value, exp.Null) or (isinstance(value, exp.Cast) and isinstance(value.this, exp.Null)):
        return build.equal(build.number(1), build.null())
    if isinstance(value, exp.Column):
        return value
    return exp.EQ(this=build.atom(value), expression=build.boolean(True))
