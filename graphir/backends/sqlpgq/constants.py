"""Types of literals, where the engine is not told them by what is beside them.

Integer literals are of 32 bits there, so that what is computed of such alone would overflow early; properties are of 64
bits, so a literal beside one is harmless.  A bare NULL has no type, which functions want.  Knows no dialect.
"""

from __future__ import annotations

from typing import TypeVar

from graphir import ir
from graphir.backends.gql.printer import AGGREGATES
from graphir.backends.sqlpgq.expansion import Absent
from graphir.backends.sqlpgq.tables import ONE, Select
from graphir.ir.node import replace

N = TypeVar("N", bound=ir.Node)
NULL = ir.Literal(None)
NARROW = range(-(2**31), 2**31)
ARITHMETIC = ("add", "sub", "mul", "neg")
PASSING = ("COALESCE", "IF", "IFNULL", "ABS", "MOD", "DIV", "GENERATE_ARRAY")
"""Functions whose value is as wide as their arguments."""
STRICT: dict[str, str] = {
    **dict.fromkeys(("SUBSTR", "REPLACE", "LOWER", "UPPER", "REVERSE"), "STRING"),
    **dict.fromkeys(("STARTS_WITH", "ENDS_WITH", "REGEXP_CONTAINS"), "BOOL"),
    **dict.fromkeys(("CHAR_LENGTH", "ARRAY_LENGTH", "STRPOS", "ABS", "MOD", "DIV"), "INT"),
    **dict.fromkeys(("CEIL", "FLOOR", "IEEE_DIVIDE"), "FLOAT"),
}
"""Functions that are null where an argument is, and the kind of their value."""


def typed(statement: N) -> N:
    """The statement with a type wherever a literal would have none, or one of too few bits to compute with or keep."""
    if not ir.holds(statement, ir.Literal):
        return statement
    final: set[int] = set()
    if isinstance(statement, Select) and not statement.group_by:  # a bare NULL beside a cast one is no key of a group
        final = {id(item) for item in statement.items}

    def rule(origin: ir.Node, node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Item):
            return node if id(origin) in final else _kept(node)
        return _computed(node)

    return ir.transform(statement, rule, ir.Apply, ir.Call, ir.Case, ir.Item)


def _kept(item: ir.Item) -> ir.Item:
    """A column, whose values are kept."""
    if item.value == NULL:
        return replace(item, value=Absent("INT"))
    return replace(item, value=wide(item.value)) if is_narrow(item.value) and item != ONE else item


def _computed(node: ir.Node) -> ir.Node:
    match node:
        case ir.Apply(function, args):
            if function in ARITHMETIC and all(map(is_narrow, args)):
                return replace(node, args=(wide(args[0]), *args[1:]))
            if function in AGGREGATES and args == (NULL,):
                return replace(node, args=(Absent("INT"),))
        case ir.Call((name,), args) if name in STRICT and NULL in args:
            return Absent(STRICT[name])
        case ir.Call(("COALESCE",), args) if all(arg == NULL for arg in args):
            return NULL
        case ir.Call((name,), args) if name in PASSING:
            return replace(node, args=tuple(map(wide, args))) if passes_narrow(args) else node
        case ir.Case() if all(result == NULL for result in results(node)):
            return NULL
    return node


def results(case: ir.Case) -> list[ir.Expression]:
    """What a CASE may give."""
    found = [branch.result for branch in case.branches]
    return found if case.default is None else [*found, case.default]


def passes_narrow(args: tuple[ir.Expression, ...]) -> bool:
    known = [arg for arg in args if arg != NULL]
    return bool(known) and all(map(is_narrow, known))


def is_narrow(expression: ir.Node) -> bool:
    """Whether the engine takes it for an integer of 32 bits."""
    match expression:
        case ir.Literal(value):
            return type(value) is int and value in NARROW
        case ir.Case():
            known = [result for result in results(expression) if result != NULL]
            return bool(known) and all(isinstance(result, ir.Literal) and is_narrow(result) for result in known)
    return False


def wide(expression: ir.Expression) -> ir.Expression:
    return ir.Call(("INT64",), (expression,)) if is_narrow(expression) else expression
