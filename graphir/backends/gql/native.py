"""Functions that are GoogleSQL's own, which queries in SQL and GQL bring: they are printed by their names.

What a name means here it means there, for every argument of its type; types that are not known are for the engine to
check, as those of all functions.  Aggregates stand at the end, with the clauses that they may have.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql.columns import sort_keys
from graphir.backends.gql.expressions import ABSENT, NOTHING, Translator, Typed, call
from graphir.backends.gql.values import NUMBERS, OPEN, SCALARS, Kind, Value, comparable, joined
from graphir.gql_functions import GQL_FUNCTIONS
from graphir.ir.node import replace

if TYPE_CHECKING:
    from graphir.backends.gql.schematic import Schematic

_OF_KIND = {
    "s": frozenset((Kind.STRING,)),
    "i": frozenset((Kind.INT,)),
    "n": NUMBERS,
    "b": frozenset((Kind.BOOL,)),
}
_SIGNATURES = """
strict_div          ii          INT
strict_exp          n           FLOAT
strict_log          n           FLOAT
strict_log10        n           FLOAT
strict_pow          nn          FLOAT
strict_sqrt         n           FLOAT
ieee_divide         nn          FLOAT
safe_divide         nn          FLOAT
round_away          n           FLOAT
trunc               n           FLOAT
strpos              ss          INT
replace_text        sss         STRING
repeat              si          STRING
lpad                sis         STRING
rpad                sis         STRING
trim_space          ss          STRING
ltrim_space         ss          STRING
rtrim_space         ss          STRING
right               si          STRING
ascii               s           INT
byte_length         s           INT
"""
"""Canonical name, the kinds of its arguments of which the last may be left out where the function has a default for
it, and the kind of its value."""
_OPTIONAL = frozenset(("lpad", "rpad", "trim_space", "ltrim_space", "rtrim_space"))
_BY_NAME = {name: (kinds, Kind[result]) for name, kinds, result in map(str.split, _SIGNATURES.split("\n")[1:-1])}


def _spelling(function: str) -> str:
    known = GQL_FUNCTIONS.get(function)
    return known.google[0] if known is not None and known.google else function.upper()


def of_name(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """A function of scalars of these kinds; null where one of them is."""
    kinds, result = _BY_NAME[node.function]
    least = len(kinds) - (node.function in _OPTIONAL)
    if not least <= len(node.args) <= len(kinds):
        raise self.report.refusal("function", node, f"`{node.function}` of {len(node.args)} arguments")
    args, nullable = [], False
    for arg, kind in zip(node.args, kinds, strict=False):
        expression, value = self.scalar(arg, f"`{node.function}` of this value")
        if value.kind is Kind.NULL:
            return ABSENT
        if value.kind not in _OF_KIND[kind] | OPEN:
            raise self.report.refusal("unlike-types", node, f"`{node.function}` of {value.kind.value}")
        args.append(expression)
        nullable |= value.nullable
    return call(_spelling(node.function), *args), Value(result, nullable)


def quotient(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """`/` of GoogleSQL, which gives a float and raises an error for a division by zero."""
    args, values = self.numbers(node)
    if any(value.kind is Kind.NULL for value in values):
        return ABSENT
    return ir.Apply("div", args), Value(Kind.FLOAT, any(value.nullable for value in values))


def like(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    args, nullable = self.strings(node, node.args)
    if ir.Literal(None) in args:
        return NOTHING
    return ir.Apply("like", tuple(args)), Value(Kind.BOOL, nullable)


def distinct(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """IS DISTINCT FROM, which Spanner has not: they differ, or one alone is null."""
    (left, a), (right, b) = [self.scalar(each, "IS DISTINCT FROM of this value") for each in node.args]
    if Kind.NULL in (a.kind, b.kind):
        known = left if b.kind is Kind.NULL else right
        both = a.kind is b.kind
        return (ir.Literal(False) if both else ir.Apply("is_not_null", (known,))), Value(Kind.BOOL, False)
    self.same_type(node, a.kind, b.kind)
    if Kind.FLOAT in (a.kind, b.kind) or Kind.ANY in (a.kind, b.kind):
        raise self.report.refusal("untyped-operation", node, "IS DISTINCT FROM of what may not be a number (NaN)")
    differ = self.compared(ir.Apply("ne", node.args, span=node.span), (left, a), (right, b), False)
    if not (a.nullable or b.nullable):
        return differ, Value(Kind.BOOL, False)
    alone = ir.Apply("ne", (ir.Apply("is_null", (left,)), ir.Apply("is_null", (right,))))
    return call("IFNULL", differ, alone), Value(Kind.BOOL, False)


def extreme(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """GREATEST and LEAST: null where one of them is."""
    args, values = self.operands(node)
    kinds = tuple([value.kind for value in values])
    if Kind.NULL in kinds:
        return ABSENT
    if not comparable(kinds) or len({*kinds} & NUMBERS) > 1:
        raise self.report.refusal("unlike-types", node, f"`{node.function}` of values of several types")
    return call(node.function.upper(), *args), Value(joined(kinds), any(value.nullable for value in values))


def numbers_between(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """A list of whole numbers."""
    args, values = self.numbers(node)
    if any(value.kind is Kind.NULL for value in values):
        return ABSENT
    if any(value.kind is not Kind.INT for value in values):
        raise self.report.refusal("untyped-operation", node, f"`{node.function}` of what may be a float")
    known = Value(Kind.INT, False)
    nullable = any(value.nullable for value in values)
    return call("GENERATE_ARRAY", *args), Value(Kind.LIST, nullable, items=Kind.INT, item=known)


def at_place(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """The item of a list at a place, as the brackets count."""
    source, value = self.value(node.args[0])
    place, known = self.scalar(node.args[1], "an index")
    if value.kind is not Kind.LIST or known.kind is not Kind.INT:
        raise self.report.refusal("list-access", node, "this index")
    found = dataclasses.replace(value.member(), nullable=True)
    return ir.Index(source, call(_PLACES[node.function], place)), found


_TYPED = SCALARS - OPEN
"""Kinds that are one type each."""


def concatenation(self: Schematic, node: ir.Apply, truth: bool) -> Typed:
    """`||` and ARRAY_CONCAT: texts, or lists of one type."""
    kinds = {self.value(each)[1].kind for each in node.args if isinstance(each, (ir.Ref, ir.Subquery, ir.ListOf))}
    if Kind.LIST not in kinds:
        return Translator.concatenation(self, node, truth)
    found = [self.value(each)[1] for each in node.args]
    if all(value.kind is Kind.LIST and value.items is Kind.MAP for value in found):
        return joined_rows(self, node, truth)
    if any(value.kind is not Kind.LIST or value.nullable for value in found) or len({v.items for v in found}) > 1:
        raise self.report.refusal("list-operation", node, "lists that are joined")
    made = call("ARRAY_CONCAT", *[self.value(each)[0] for each in node.args])
    return made, dataclasses.replace(found[0], item=found[0].item and dataclasses.replace(found[0].item, nullable=True))


def joined_rows(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """Lists of records one behind the other; each field has one type in all of them."""
    found = [self.value(each) for each in node.args]
    records = [value.member() for _, value in found]
    fields: list[tuple[str, Value]] = []
    for columns in zip(*[record.fields for record in records], strict=True):
        name = columns[0][0]
        known = [value for _, value in columns]
        types = {(value.kind, value.items, "" if value.kind in _TYPED else value.type) for value in known}
        if len(types) > 1:
            raise self.report.refusal("unlike-types", node, "a call of a union with several types of a column")
        fields.append((name, dataclasses.replace(known[0], nullable=any(value.nullable for value in known))))
    record = Value(Kind.MAP, False, fields=tuple(fields))
    made = call("ARRAY_CONCAT", *[expression for expression, _ in found])
    return made, Value(Kind.LIST, False, items=Kind.MAP, item=record)


_PLACES = {
    "at_offset": "OFFSET",
    "at_safe_offset": "SAFE_OFFSET",
    "at_ordinal": "ORDINAL",
    "at_safe_ordinal": "SAFE_ORDINAL",
}


def trimmed(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """A text without certain characters at its ends."""
    characters = node.args[-1]
    if len(node.args) != 2 or not (isinstance(characters, ir.Literal) and characters.value):
        raise self.report.refusal("function", node, f"`{node.function}` of characters that are not written out")
    args, nullable = self.strings(node, node.args)
    return call(_TRIMS[node.function], *args), Value(Kind.STRING, nullable)


_TRIMS = {"btrim": "TRIM", "ltrim": "LTRIM", "rtrim": "RTRIM"}


def record(self: Schematic, node: ir.Struct, truth: bool) -> Typed:
    """A STRUCT whose fields have names, each its own."""
    names = [each.name for each in node.fields]
    if node.type is not None or None in names or len(set(names)) < len(names):
        raise self.report.refusal("map-value", node, "a record whose fields have no names of their own")
    entries = tuple([ir.Entry(each.name or "", each.value, span=each.span) for each in node.fields])
    return self.value(ir.MapOf(entries, span=node.span), truth)


HANDLERS: dict[type[ir.Node], Callable[..., Typed]] = {ir.Struct: record}
FUNCTIONS: dict[str, Callable[..., Typed]] = {
    **dict.fromkeys(_BY_NAME, of_name),
    **dict.fromkeys(_TRIMS, trimmed),
    **dict.fromkeys(_PLACES, at_place),
    "joined_rows": joined_rows,
    "concat": concatenation,
    "generate_array": numbers_between,
    "divide": quotient,
    "like": like,
    "is_distinct": distinct,
    **dict.fromkeys(("greatest", "least"), extreme),
}


# ------------------------------------------------------------------ aggregates

_AGGREGATES = {
    "sum_or_null": ("SUM", "n"),
    "string_agg": ("STRING_AGG", "s"),
    "countif": ("COUNTIF", "b"),
    "logical_and": ("LOGICAL_AND", "b"),
    "logical_or": ("LOGICAL_OR", "b"),
    "bit_and_agg": ("BIT_AND", "i"),
    "bit_or_agg": ("BIT_OR", "i"),
    "bit_xor_agg": ("BIT_XOR", "i"),
    "stddev_samp": ("STDDEV_SAMP", "n"),
    "var_samp": ("VAR_SAMP", "n"),
    "array_agg": ("ARRAY_AGG", ""),
}
"""Canonical name -> its name, and the kind of what it aggregates."""
_RESULTS = {
    **dict.fromkeys(("logical_and", "logical_or"), Kind.BOOL),
    **dict.fromkeys(("bit_and_agg", "bit_or_agg", "bit_xor_agg", "countif"), Kind.INT),
    **dict.fromkeys(("stddev_samp", "var_samp"), Kind.FLOAT),
    "string_agg": Kind.STRING,
}
_ORDERED = frozenset(("string_agg", "array_agg"))


def aggregates(node: ir.Expression) -> bool:
    """Whether it is an aggregate of GoogleSQL that others have not, or has clauses in its brackets."""
    if not isinstance(node, ir.Apply):
        return False
    has_clauses = bool(node.args) and isinstance(node.args[0], ir.Modified) and node.function != "collect"
    return node.function in _AGGREGATES or has_clauses


def aggregate(self: Schematic, node: ir.Apply) -> Typed:
    if node.function not in _AGGREGATES:
        raise self.report.refusal("function", node, f"`{node.function}` with clauses in its brackets")
    name, wanted = _AGGREGATES[node.function]
    argument, order = _modified(self, node)
    expression, value = _operand(self, node, argument)
    if wanted and value.kind not in _OF_KIND[wanted] | OPEN:
        raise self.report.refusal("unlike-types", node, f"`{node.function}` of {value.kind.value}")
    if order and node.distinct and {key.value for key in order} - {expression}:
        raise self.report.refusal("sorted-collection", node, f"`{node.function}` of sorted rows without repetition")
    rest = [self.scalar(each, f"`{node.function}` with this value")[0] for each in node.args[1:]]
    if rest and (node.function != "string_agg" or not isinstance(rest[0], (ir.Literal, ir.Parameter))):
        raise self.report.refusal("function", node, f"`{node.function}` with further arguments")
    item = ir.Modified(expression, order=order) if order else expression
    made = ir.Apply(name, (item, *rest), node.distinct, span=node.span)
    if node.function == "array_agg":
        ignoring = isinstance(node.args[0], ir.Modified) and node.args[0].nulls == "ignore"
        made = replace(made, function="collect") if ignoring else made
        return made, Value(Kind.LIST, True, items=value.kind, item=value)
    kind = _RESULTS.get(node.function, value.kind if value.kind in NUMBERS else Kind.NUMBER)
    return made, Value(kind, node.function != "countif")


def _operand(self: Schematic, node: ir.Apply, argument: ir.Expression) -> Typed:
    """What is aggregated: a scalar, or what a list may hold."""
    if node.function != "array_agg":
        return self.scalar(argument, f"`{node.function}` of this value")
    expression, value = self.held(argument)
    if value.kind is Kind.LIST:
        raise self.report.refusal("list-operation", node, "a list of lists")
    if value.kind not in SCALARS and (node.distinct or value.kind is not Kind.MAP):
        raise self.report.refusal("element-value", node, f"`{node.function}` of {value.kind.value}")
    return expression, value


def _modified(self: Schematic, node: ir.Apply) -> tuple[ir.Expression, tuple[ir.SortKey, ...]]:
    """What is aggregated, and in which order; the order of what is summed or counted is none of its meaning."""
    first = node.args[0]
    if not isinstance(first, ir.Modified):
        return first, ()
    keeps_all = first.nulls is None or (first.nulls == "ignore" and node.function == "array_agg")
    if first.limit is not None or first.having is not None or not keeps_all:
        raise self.report.refusal("function", node, f"`{node.function}` with clauses in its brackets")
    return first.value, sort_keys(first.order, self) if node.function in _ORDERED else ()
