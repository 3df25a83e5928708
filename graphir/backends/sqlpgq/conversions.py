"""Numbers and dates made of other values, and the parts of dates, where the types of values are known.

What Cypher reads in a text as no database does stops the query: a number in hexadecimal, a date without its dashes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends import numerals
from graphir.backends.gql.expressions import ABSENT, NULL, Typed, call
from graphir.backends.gql.nodes import Extract
from graphir.backends.gql.values import Kind, Value

if TYPE_CHECKING:
    from graphir.backends.sqlpgq.tabular import Tabular

_TYPES = {Kind.INT: "INT64", Kind.FLOAT: "FLOAT64", Kind.DATE: "DATE"}
"""Kind -> the conversion to it, by its name in GoogleSQL."""


def _read(self: Tabular, node: ir.Apply) -> Typed:
    """The argument of a conversion, which may be written several times."""
    if len(node.args) != 1:
        raise self.report.refusal("function", node, f"`{node.function}` with further arguments")
    expression, value = self.scalar(node.args[0], f"`{node.function}` of this value")
    if value.kind in (Kind.ANY, Kind.NUMBER):
        raise self.report.refusal("untyped-operation", node, f"`{node.function}` of {value.kind.value}")
    self.check_repeated(node, expression)
    return expression, value


def to_integer(self: Tabular, node: ir.Apply, _truth: bool) -> Typed:
    """Fractions are cut off."""
    expression, value = _read(self, node)
    match value.kind:
        case Kind.NULL:
            return ABSENT
        case Kind.INT:
            return expression, value
        case Kind.FLOAT:
            return _whole(expression), Value(Kind.INT, value.nullable)
        case Kind.BOOL:
            branches = [ir.Branch((ir.Literal(truth),), ir.Literal(int(truth))) for truth in (True, False)]
            return ir.Case(expression, tuple(branches)), Value(Kind.INT, value.nullable)
        case Kind.STRING:
            text = call("TRIM", expression, ir.Literal(" "))
            known = {numerals.WHOLE: call("INT64", text), numerals.CUT: _whole(call("FLOAT64", text))}
            return _number(node, expression, known, Kind.INT)
    raise self.report.refusal("unlike-types", node, f"`toInteger` of {value.kind.value}")


def to_float(self: Tabular, node: ir.Apply, _truth: bool) -> Typed:
    expression, value = _read(self, node)
    match value.kind:
        case Kind.NULL:
            return ABSENT
        case Kind.FLOAT:
            return expression, value
        case Kind.INT:
            return call("FLOAT64", expression), Value(Kind.FLOAT, value.nullable)
        case Kind.STRING:
            read = call("FLOAT64", call("TRIM", expression, ir.Literal(" ")))
            return _number(node, expression, dict.fromkeys((numerals.REAL, numerals.WORD), read), Kind.FLOAT)
    raise self.report.refusal("unlike-types", node, f"`toFloat` of {value.kind.value}")


def to_date(self: Tabular, node: ir.Apply, truth: bool) -> Typed:
    """Of a date, and of a text such as `2020-01-31`."""
    if not node.args or isinstance(node.args[0], (ir.Literal, ir.MapOf)):
        return self.date(node, truth)
    expression, value = _read(self, node)
    if value.kind is Kind.NULL:
        return ABSENT
    if value.kind is Kind.DATE:
        return expression, value
    if value.kind is not Kind.STRING:
        raise self.report.refusal("function", node, f"`date` of {value.kind.value}")
    told = "G640: date() of a text that is no date such as 2020-01-31: "
    branches = [
        ir.Branch((_matches(expression, numerals.DAY),), call("DATE", expression)),
        ir.Branch((ir.Apply("is_null", (expression,)),), NULL),
    ]
    return ir.Case(None, tuple(branches), _fault(told, expression, Kind.DATE)), Value(Kind.DATE)


def _whole(number: ir.Expression) -> ir.Expression:
    return call("INT64", call("TRUNC", number))


def _matches(text: ir.Expression, pattern: str) -> ir.Expression:
    return call("REGEXP_CONTAINS", text, ir.Literal(f"^({pattern})$"))


def _fault(told: str, text: ir.Expression, kind: Kind) -> ir.Expression:
    """What stops the query: the conversion of a text that says why."""
    return call(_TYPES[kind], ir.Apply("concat", (ir.Literal(told), text)))


def _number(node: ir.Apply, text: ir.Expression, known: dict[str, ir.Expression], kind: Kind) -> Typed:
    """A number of a text: null of what is surely none, a fault of what may be an unusual one."""
    branches = [ir.Branch((_matches(text, f" *({pattern}) *"),), read) for pattern, read in known.items()]
    marked = ir.Apply("and", (_matches(text, numerals.PLAIN), _matches(text, numerals.MARKED)))
    none = ir.Apply("or", (ir.Apply("is_null", (text,)), _matches(text, numerals.WORDS), marked))
    fault = _fault(f"G634: {node.function}() of a text that is no plain number: ", text, kind)
    return ir.Case(None, (*branches, ir.Branch((none,), NULL)), fault), Value(kind)


# ------------------------------------------------------------------ parts of dates

_PARTS = {
    **{part: part.upper() for part in ("year", "month", "day", "quarter", "week")},
    **dict.fromkeys(("dayOfWeek", "weekDay"), "ISODOW"),
    "ordinalDay": "DOY",
    "weekYear": "ISOYEAR",
}
"""Component of a date -> its part in SQL."""


def component(self: Tabular, node: ir.Property, truth: bool) -> Typed:
    """`.year` of a date; what is asked of an element is a property."""
    if isinstance(node.base, ir.Ref) and self.scope.values[node.base.name].kind is not Kind.DATE:
        return self.property(node, truth)
    expression, value = self.scalar(node.base, f"`.{node.key}` of this value")
    if value.kind is Kind.NULL:
        return ABSENT
    part = _PARTS.get(node.key)
    if value.kind is not Kind.DATE or part is None:
        raise self.report.refusal("component", node, f"`.{node.key}` of {value.kind.value}")
    return call("INT64", Extract(part, expression)), Value(Kind.INT, value.nullable)


FUNCTIONS: dict[str, Callable[..., Typed]] = {"toInteger": to_integer, "toFloat": to_float, "date": to_date}
HANDLERS: dict[type[ir.Node], Callable[..., Typed]] = {ir.Property: component}
