"""Conversions, and functions of texts and numbers, whose meaning depends on the type of what they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql.expressions import ABSENT, Typed, call
from graphir.backends.gql.values import IDENTITIES, NUMBERS, Kind, Value

if TYPE_CHECKING:
    from graphir.backends.gql.schematic import Schematic

_BLANK = r"[\s\pZ]*"
WHOLE = rf"^{_BLANK}[+-]?[0-9]+{_BLANK}$"
"""A text that both languages read as the same whole number."""
DECIMAL = rf"^{_BLANK}[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?{_BLANK}$"
"""A text that both languages read as the same number."""
ODD = (
    rf"^{_BLANK}[+-]?{_BLANK}(0[xX][0-9a-fA-F_.pP+-]+|0o[0-7_]+|[0-9][0-9_]*|NaN|Infinity"
    rf"|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]){_BLANK}$"
)
"""A text that Cypher reads as a number and GoogleSQL does not."""
_FRACTION = "FLOAT64"


def cast(value: ir.Expression, type: str) -> ir.Cast:
    return ir.Cast(value, ir.ValueType(type))


def matching(text: ir.Expression, pattern: str) -> ir.Expression:
    return call("REGEXP_CONTAINS", text, ir.Literal(pattern))


def read(self: Schematic, node: ir.Apply) -> Typed:
    """The argument of a conversion."""
    if len(node.args) != 1:
        raise self.report.refusal("function", node, f"`{node.function}` with further arguments")
    expression, value = self.scalar(node.args[0], f"`{node.function}` of this value")
    if value.kind is Kind.ANY:
        raise self.report.refusal("untyped-operation", node, f"`{node.function}` of a value of unknown type")
    return expression, value


def odd(text: ir.Expression) -> ir.Branch:
    """Texts that are numbers in Cypher alone stop the query."""
    return ir.Branch((matching(text, ODD),), call("ERROR", ir.Apply("concat", (ir.Literal("not read: "), text))))


def to_float(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    expression, value = read(self, node)
    if value.kind is Kind.NULL:
        return ABSENT
    if value.kind is Kind.FLOAT:
        return expression, value
    if value.kind in NUMBERS:
        return cast(expression, _FRACTION), Value(Kind.FLOAT, value.nullable)
    if value.kind is not Kind.STRING:
        raise self.report.refusal("unlike-types", node, f"`toFloat` of {value.kind.value}")
    text = self.small(node, expression)
    plain = ir.Branch((matching(text, DECIMAL),), cast(text, _FRACTION))
    return ir.Case(None, (plain, odd(text)), None), Value(Kind.FLOAT)


def to_integer(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """Fractions are cut off."""
    expression, value = read(self, node)
    if value.kind is Kind.NULL:
        return ABSENT
    if value.kind is Kind.INT:
        return expression, value
    if value.kind is Kind.FLOAT:
        return cast(call("TRUNC", expression), "INT64"), Value(Kind.INT, value.nullable)
    if value.kind is Kind.BOOL:
        return cast(expression, "INT64"), Value(Kind.INT, value.nullable)
    if value.kind is not Kind.STRING:
        raise self.report.refusal("unlike-types", node, f"`toInteger` of {value.kind.value}")
    text = self.small(node, expression)
    plain = ir.Branch((matching(text, WHOLE),), cast(text, "INT64"))
    fraction = ir.Branch((matching(text, DECIMAL),), cast(call("TRUNC", cast(text, _FRACTION)), "INT64"))
    return ir.Case(None, (plain, fraction, odd(text)), None), Value(Kind.INT)


def to_boolean(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    expression, value = read(self, node)
    if value.kind in (Kind.BOOL, Kind.NULL):
        return expression, value
    if value.kind is Kind.INT:
        return ir.Apply("ne", (expression, ir.Literal(0))), Value(Kind.BOOL, value.nullable)
    if value.kind is not Kind.STRING:
        raise self.report.refusal("unlike-types", node, f"`toBoolean` of {value.kind.value}")
    word = call("LOWER", call("TRIM", expression))
    branches = [ir.Branch((ir.Literal(name),), ir.Literal(name == "true")) for name in ("true", "false")]
    return ir.Case(word, tuple(branches), None), Value(Kind.BOOL)


def to_string(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """Floats and points in time have another form in SQL."""
    expression, value = read(self, node)
    if value.kind is Kind.NULL:
        return ABSENT
    if value.kind is Kind.STRING:
        return expression, value
    if value.kind not in (Kind.INT, Kind.BOOL, Kind.DATE):
        raise self.report.refusal("function", node, f"`toString` of {value.kind.value}")
    return cast(expression, "STRING"), Value(Kind.STRING, value.nullable)


def round_(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """`round` to whole numbers: a half goes up.  GoogleSQL's goes away from zero, which differs below it."""
    (argument, *digits), (value, *_) = self.numbers(node)
    if value.kind is Kind.NULL:
        return ABSENT
    if digits:
        raise self.report.refusal("function", node, "`round` to digits")
    if value.kind is Kind.INT:
        return cast(argument, _FRACTION), Value(Kind.FLOAT, value.nullable)
    if value.kind is not Kind.FLOAT:
        raise self.report.refusal("untyped-operation", node, "`round` of a number of unknown type")
    number = self.small(node, argument)
    below = ir.Apply("lt", (number, ir.Literal(0)))
    half = ir.Apply("eq", (ir.Apply("sub", (number, call("TRUNC", number))), ir.Literal(-0.5)))
    up = ir.Branch((ir.Apply("and", (below, half)),), call("CEIL", number))
    return ir.Case(None, (up,), call("ROUND", number)), Value(Kind.FLOAT, value.nullable)


def sign(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    args, (value,) = self.numbers(node)
    if value.kind is not Kind.INT:
        raise self.report.refusal("untyped-operation", node, "`sign` of what may be a float")
    return call("SIGN", *args), value


_TARGETS = {
    "INTEGER": ("INT64", Kind.INT, (Kind.INT, Kind.BOOL, Kind.FLOAT, Kind.STRING)),
    "FLOAT": ("FLOAT64", Kind.FLOAT, (Kind.FLOAT, Kind.INT, Kind.NUMBER, Kind.STRING)),
    "STRING": ("STRING", Kind.STRING, (Kind.STRING, Kind.INT, Kind.BOOL, Kind.DATE)),
    "BOOLEAN": ("BOOL", Kind.BOOL, (Kind.BOOL, Kind.INT, Kind.STRING)),
    "DATE": ("DATE", Kind.DATE, (Kind.DATE, Kind.STRING)),
}
"""Type -> its name, its kind, and the kinds that the target converts as CAST of core does."""


def written_cast(self: Schematic, node: ir.Cast, _truth: bool) -> Typed:
    """CAST of core is that of GoogleSQL; one that rounds halves to the even neighbour is another."""
    expression, value = self.value(node.value)
    if value.kind in IDENTITIES and node.type.name == "STRING" and node.type.size is None:
        return expression, value  # a text, also there
    expression, value = self.scalar(node.value, "CAST of this value")
    if value.kind is Kind.NULL:
        return ABSENT
    name, kind, sources = _TARGETS.get(node.type.name, ("", Kind.ANY, ()))
    if value.kind is Kind.ANY and sources:
        raise self.report.refusal("untyped-operation", node, "CAST of a value of unknown type")
    uneven = node.half_even and value.kind is Kind.FLOAT
    if value.kind not in sources or node.format is not None or node.type.size is not None or uneven:
        raise self.report.refusal(
            "construct", node, f"CAST of {value.kind.value} to {node.type.text or node.type.name}"
        )
    if value.kind is kind:
        return expression, value
    made = ir.Cast(expression, ir.ValueType(name), safe=node.safe)
    return made, Value(kind, value.nullable or node.safe)


def part_of_text(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """The characters from a place on; both are the function of GoogleSQL."""
    found = [self.scalar(each, "a part of this value") for each in node.args]
    if any(value.kind is Kind.NULL for _, value in found):
        return ABSENT
    for (_, value), wanted in zip(found, (Kind.STRING, Kind.INT, Kind.INT), strict=False):
        if value.kind is not wanted:
            raise self.report.refusal("untyped-operation", node, f"a part of {value.kind.value}")
    nullable = any(value.nullable for _, value in found)
    return call("SUBSTR", *[expression for expression, _ in found]), Value(Kind.STRING, nullable)


HANDLERS: dict[type[ir.Node], Callable[..., Typed]] = {ir.Cast: written_cast}
FUNCTIONS: dict[str, Callable[..., Typed]] = {
    "toFloat": to_float,
    "toInteger": to_integer,
    "toBoolean": to_boolean,
    "toString": to_string,
    "substr": part_of_text,
    "round": round_,
    "sign": sign,
}
