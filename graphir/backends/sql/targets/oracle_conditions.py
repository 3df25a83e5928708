"""Where Oracle wants a condition and where a value: the last step of a statement.

A condition is no value of a column and no argument, and a value is no condition unless it is a column of type BOOLEAN:
`CASE WHEN c THEN TRUE ELSE FALSE END` makes a value of one, `v = TRUE` a condition of the other.
"""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.model import pattern_of
from graphir.backends.sql.sharing import is_small
from graphir.backends.sql.targets.sharing import may_be_queried
from graphir.backends.sql.targets.target import Rewriting

_TESTS = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.And, exp.Or, exp.Not, exp.Is, exp.In, exp.Exists),
    *(exp.JSONExists, exp.RegexpLike, exp.Like),
)
_CERTAIN = (exp.Exists, exp.Is, exp.JSONExists)
"""Conditions that are never unknown."""
_WITHIN = (exp.Where, exp.Having, exp.And, exp.Or, exp.Not)


def settle(statement: Sql, rewriting: Rewriting) -> Sql:
    """The statement with conditions where they are wanted and values elsewhere; in place, but for itself."""
    for node in reversed(build.nodes(statement)):
        made = _settled(node, rewriting)
        if made is not node:
            if node is statement:
                statement = made
            else:
                node.replace(made)
    return statement


def _settled(node: Sql, rewriting: Rewriting) -> Sql:
    if isinstance(node, _TESTS):
        return node if _is_test_wanted(node) else as_value(node, rewriting)
    if isinstance(node, (exp.Paren, exp.DataType, exp.Query)) or not _is_test_wanted(node):
        return node
    return _as_test(node.copy())


def _is_test_wanted(node: Sql) -> bool:
    """Whether a condition stands at the place of a node."""
    child, parent = node, node.parent
    while isinstance(parent, exp.Paren):
        child, parent = parent, parent.parent
    if isinstance(parent, _WITHIN):
        return True
    if isinstance(parent, exp.If):
        return child.arg_key == "this" and parent.parent is not None and parent.parent.args.get("this") is None
    if isinstance(parent, exp.Anonymous):
        pattern = pattern_of(parent)
        return pattern is not None and pattern.filtered and child is parent.expressions[0]
    return isinstance(parent, (exp.Join, exp.Connect)) and child.arg_key in ("on", "connect")


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
