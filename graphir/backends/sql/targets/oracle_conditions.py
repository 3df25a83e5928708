"""Where Oracle wants a condition and where a value: the last step of a statement.

A condition is no value of a column and no argument, and a value is no condition unless it is a column of type BOOLEAN:
`CASE WHEN c THEN TRUE ELSE FALSE END` makes a value of one, `v = TRUE` a condition of the other.
"""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.model import pattern_of

_TESTS = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.And, exp.Or, exp.Not, exp.Is, exp.In, exp.Exists),
    *(exp.JSONExists, exp.RegexpLike, exp.Like),
)
_CERTAIN = (exp.Exists, exp.Is, exp.JSONExists)
"""Conditions that are never unknown."""
_WITHIN = (exp.Where, exp.Having, exp.And, exp.Or, exp.Not)


def settle(statement: Sql) -> Sql:
    """The statement with conditions where they are wanted and values elsewhere; in place, but for itself."""
    for node in reversed(list(statement.bfs(prune=lambda each: isinstance(each, exp.DataType)))):
        made = _settled(node)
        if made is not node:
            if node is statement:
                statement = made
            else:
                node.replace(made)
    return statement


def _settled(node: Sql) -> Sql:
    if isinstance(node, _TESTS):
        return node if _is_test_wanted(node) else as_value(node.copy())
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


def as_value(test: Sql) -> Sql:
    """The value of a condition; null where it is unknown."""
    if _is_certain(test):
        return build.case([(test, build.boolean(True))], build.boolean(False))
    return build.case([(test, build.boolean(True)), (build.negation(test.copy()), build.boolean(False))])


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
