"""What the functions of Cypher are in GQL: the same function, an expression, or nothing.

Facts: ISO/IEC 39075 section 20; where it leaves something to the implementation (the scale of a quotient, the rounding
of a CAST), what is written does not depend on it.
"""

from __future__ import annotations

import math

from graphir import ir, types
from graphir.backends.iso.expressions import (
    NULL,
    Handler,
    Translator,
    apply,
    call,
)
from graphir.backends.iso.lists import chosen, membership
from graphir.backends.iso.sharing import once
from graphir.types import FLOAT, INTEGER, LIST, NUMBER, STRING

ZERO = ir.Literal(0)


def cast(value: ir.Expression, type_: str) -> ir.Cast:
    return ir.Cast(value, ir.ValueType(type_))


# ------------------------------------------------------------------ texts


def prefix(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """STARTS WITH and ENDS WITH: what stands at the end of a text."""
    if translator.target.text_tests:
        return translator.arguments(node)
    text, sought = [translator.value(arg) for arg in node.args]
    if NULL in (text, sought):
        return NULL
    side = "left" if node.function == "starts_with" else "right"
    if isinstance(sought, ir.Literal) and isinstance(sought.value, str) and sought.value.isascii():
        return ir.Apply("eq", (apply(side, text, ir.Literal(len(sought.value))), sought), span=node.span)

    def test(part: ir.Expression) -> ir.Expression:
        return ir.Apply("eq", (apply(side, text, apply("char_length", part)), part), span=node.span)

    return once(translator, [sought], test)


def contains(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    translator.note("contains", node)
    return translator.arguments(node)


def size(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    kind = translator.type(node.args[0])
    value = translator.value(node.args[0])
    if not kind & ~STRING:
        return apply("char_length", value)
    if not kind & ~LIST:
        return apply("size", value)
    raise translator.refusal("untyped-operation", node, "`size` of what may be a string or a list")


def is_empty(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    return ir.Apply("eq", (size(translator, node, 0), ZERO), span=node.span)


def substring(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """A part of a text: what is left of what is right."""
    text, start, *length = [translator.value(arg) for arg in node.args]
    if start == ZERO:
        return apply("left", text, length[0]) if length else text

    def part(text: ir.Expression, start: ir.Expression) -> ir.Expression:
        whole = apply("char_length", text)
        rest: ir.Expression = apply("right", text, apply("sub", whole, start))
        if length:
            rest = apply("left", rest, length[0])
        return ir.Case(None, (ir.Branch((apply("le", whole, start),), ir.Literal("")),), rest)

    return once(translator, [text, start], part)


# ------------------------------------------------------------------ numbers


def aggregate(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """The sum of nothing, and the deviation of a single value: GQL has null, and Cypher 0."""
    if translator.target.dynamic:
        return translator.arguments(node)
    args = translator.arguments(node).args
    if node.function == "sum":
        return apply("coalesce", ir.Call(("SUM",), args, node.distinct, span=node.span), ZERO)
    single = apply("eq", ir.Apply("count", args, node.distinct), ir.Literal(1))
    found = ir.Call(("STDDEV_SAMP",), args, node.distinct, span=node.span)
    return ir.Case(None, (ir.Branch((single,), ir.Literal(0.0)),), found)


def power(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    return call("POWER", *[translator.value(arg) for arg in node.args])


def named(word: str) -> Handler:
    """A function of the same value that raises an error where Cypher gives NaN or an infinity."""

    def made(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
        return call(word, *[translator.value(arg) for arg in node.args])

    return made


def rounded(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """To the next integer, from the middle upwards."""
    if node.args[1:]:
        raise translator.refusal("function", node, "`round` to a number of digits")
    translator.require(node, "floor", "ceil")

    def nearest(value: ir.Expression) -> ir.Expression:
        low = apply("floor", value)
        below = apply("lt", apply("sub", value, low), ir.Literal(0.5))
        return ir.Case(None, (ir.Branch((below,), low),), apply("ceil", value))

    return once(translator, [translator.value(node.args[0])], nearest)


def sign(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    tests = [("gt", 1), ("lt", -1), ("eq", 0)]

    def found(value: ir.Expression) -> ir.Expression:
        branches = [ir.Branch((apply(test, value, ZERO),), ir.Literal(number)) for test, number in tests]
        return ir.Case(None, tuple(branches))

    return once(translator, [translator.value(node.args[0])], found)


def constant(value: float) -> Handler:
    return lambda translator, node, mode: ir.Literal(value)


# ------------------------------------------------------------------ conversions


def to_float(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    value = translator.value(node.args[0])
    if not translator.type(node.args[0]) & ~FLOAT:
        return value
    return cast(value, "FLOAT")


def to_integer(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """The fraction is cut off before the CAST, which may round it."""
    kind = translator.type(node.args[0])
    value = translator.value(node.args[0])
    if not kind & ~INTEGER:
        return value
    if not kind & ~STRING:
        return cast(value, "INTEGER")
    if kind & ~NUMBER:
        raise translator.refusal("untyped-operation", node, "`toInteger` of a value of unknown type")
    translator.require(node, "floor", "ceil")

    def cut(value: ir.Expression) -> ir.Expression:
        below = ir.Branch((apply("lt", value, ZERO),), apply("ceil", value))
        return ir.Case(None, (below,), apply("floor", value))

    return cast(once(translator, [value], cut), "INTEGER")


def to_string(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    kind = translator.type(node.args[0])
    value = translator.value(node.args[0])
    if not kind & ~STRING:
        return value
    if not kind & ~types.BOOLEAN:
        return once(translator, [value], _word)
    if kind & ~(STRING | INTEGER | types.DATE):
        raise translator.refusal("untyped-operation", node, "`toString` of what may not be a string, integer or date")
    return cast(value, "STRING")


def _word(value: ir.Expression) -> ir.Expression:
    branches = (ir.Branch((value,), ir.Literal("true")), ir.Branch((apply("not", value),), ir.Literal("false")))
    return ir.Case(None, branches)


# ------------------------------------------------------------------ times


def date(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """A literal where the text is a date, a call otherwise."""
    if not node.args:
        return call("CURRENT_DATE")
    argument = node.args[0]
    return ir.Apply("date", (translator.value(argument),), span=node.span)


# ------------------------------------------------------------------ elements and lists


def edge_type(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """The type of a relationship: one of those that the pattern or the schema leaves."""
    argument = node.args[0]
    names = translator.job.kinds.edge_types(argument, translator.env)
    if names is None:
        raise translator.refusal("needs-a-schema", node, "`type` of a relationship of any type")
    value = translator.value(argument)
    if len(names) == 1 and not translator.nullable(argument):
        return ir.Literal(names[0])
    branches = [ir.Branch((ir.HasLabels(value, ir.LabelName(name)),), ir.Literal(name)) for name in names]
    return ir.Case(None, tuple(branches))


def identity(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    return ir.Apply("elementId", (translator.value(node.args[0]),), span=node.span)


def compared(translator: Translator, node: ir.Apply, mode: int) -> ir.Expression:
    """Equality; identities are compared as what they are in the target."""
    sides = node.args
    if all(isinstance(side, ir.Apply) and side.function == "id" for side in sides):
        return ir.Apply(node.function, tuple([identity(translator, side, mode) for side in sides]), span=node.span)  # type: ignore[arg-type]
    return translator.arguments(node)


def end(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """startNode and endNode: what a pattern around the relationship finds."""
    edge = node.args[0]
    if not isinstance(edge, ir.Ref):
        raise translator.refusal("function", node, f"`{node.function}` of an expression")
    name = translator.job.maker.make("n")
    found, other = ir.NodePattern(name), ir.NodePattern()
    ends = (found, other) if node.function == "startNode" else (other, found)
    shown = translator.names.get(edge.name, edge.name)
    path = ir.Path((ends[0], ir.EdgePattern(shown), ends[1]))
    match = ir.Match((path,), uniqueness="repeatable_elements")
    project = ir.Project((ir.Item(ir.Ref(name), None),), final=True)
    return ir.Subquery("value", ir.Pipeline((match, project)))


def first(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    return chosen(translator, node.args[0], lambda offset: apply("eq", offset, ZERO))


def last(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    def found(items: ir.Expression) -> ir.Expression:
        place = apply("sub", apply("size", items), ir.Literal(1))
        return chosen(translator, node.args[0], lambda offset: apply("eq", offset, place), items)

    return once(translator, [translator.value(node.args[0])], found)


def tail(translator: Translator, node: ir.Apply, mode: int) -> ir.Expression:
    return translator.value(ir.Slice(node.args[0], ir.Literal(1), None, span=node.span), mode)


def interval(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """`range` of literals: the list of its numbers."""
    numbers = [arg.value if isinstance(arg, ir.Literal) else None for arg in node.args]
    step = numbers[2] if len(numbers) > 2 else 1
    low, high = numbers[:2]
    if type(low) is not int or type(high) is not int or type(step) is not int or step == 0:
        raise translator.refusal("function", node, "`range` with bounds that are no literals")
    found = range(low, high + (1 if step > 0 else -1), step)
    if len(found) > _MOST:
        raise translator.refusal("function", node, f"`range` of more than {_MOST} numbers")
    return ir.ListOf(tuple([ir.Literal(each) for each in found]))


_MOST = 100


def quotient(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """The quotient of GoogleSQL, which is a float whatever is divided."""
    return apply("div", cast(translator.value(node.args[0]), "FLOAT"), translator.value(node.args[1]))


def exists(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    return ir.Apply("is_not_null", (translator.value(node.args[0]),), span=node.span)


def modulo(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    if not translator.target.dynamic and any(not translator.type(arg) & INTEGER for arg in node.args):
        raise translator.refusal("function", node, "`%` of a float")
    return translator.arguments(node)


def trimmed(translator: Translator, node: ir.Apply, _mode: int) -> ir.Expression:
    """TRIM of ISO GQL takes off blanks, Cypher's all white space: only with the characters given they are the same."""
    if len(node.args) < 2 and not translator.target.dynamic:
        raise translator.refusal("function", node, f"`{node.function}` of all white space")
    return translator.function(node)


RULES: dict[str, Handler] = {
    "and": Translator.junction,
    "or": Translator.junction,
    "xor": Translator.junction,
    "not": Translator.negation,
    **dict.fromkeys(("eq", "ne"), compared),
    **dict.fromkeys(("lt", "le", "gt", "ge", "sub", "mul", "neg", "pos", "concat"), lambda t, n, _: t.arguments(n)),
    **dict.fromkeys(("is_null", "is_not_null", "count", "count_star"), lambda t, n, _: t.arguments(n)),
    "add": Translator.addition,
    "div": Translator.division,
    "divide": quotient,
    "mod": modulo,
    "pow": power,
    "in": membership,
    "starts_with": prefix,
    "ends_with": prefix,
    "contains": contains,
    "size": size,
    "isEmpty": is_empty,
    "exists": exists,
    "substring": substring,
    **dict.fromkeys(("sum", "stDev"), aggregate),
    **dict.fromkeys(("trim", "btrim", "ltrim", "rtrim"), trimmed),
    "exp": named("EXP"),
    "log": named("LN"),
    "log10": named("LOG10"),
    "sqrt": named("SQRT"),
    "acos": named("ACOS"),
    "asin": named("ASIN"),
    "round": rounded,
    "sign": sign,
    "pi": constant(math.pi),
    "e": constant(math.e),
    "toFloat": to_float,
    "toInteger": to_integer,
    "toString": to_string,
    "date": date,
    "type": edge_type,
    "startNode": end,
    "endNode": end,
    "head": first,
    "last": last,
    "tail": tail,
    "range": interval,
}
