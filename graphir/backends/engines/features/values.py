"""Features of numbers, texts, lists, maps and of what aggregates them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphir import ir, types
from graphir.backends.engines.features.asked import Asked, integer, is_finite
from graphir.backends.engines.features.temporal import sorted_values, told_apart
from graphir.types import ELEMENT, FLOAT, INTEGER, LIST, MAP, NUMBER, STRING

_EXACT = 1 << 53
"""Up to here every integer is a float, too."""
_ORDER = ("lt", "le", "gt", "ge")

# ------------------------------------------------------------------ numbers


def range_against_step(asked: Asked) -> Iterator[ir.Node]:
    """A range whose step is not certainly in the direction of its end."""
    for call in asked.calls("range"):
        if len(call.args) == 3:
            start, end, step = map(integer, call.args)
            if start is None or end is None or step is None or (end - start) * step < 0:
                yield call


def distinct_nan(asked: Asked) -> Iterator[ir.Node]:
    """NaN, or what NaN may be computed of, where values are told apart."""
    if not any(asked.may_be(value, FLOAT | MAP) for value in told_apart(asked)):
        return
    computed = [call for call in asked.calls(*_COMPUTED) if asked.may_be(call, FLOAT)]
    for node in _not_finite_constants(asked):
        if computed or not isinstance(node, ir.Property) or node.key in asked.held.nan:
            yield node
    yield from (call for call in divisions(asked) if asked.kind(call) & FLOAT)
    yield from asked.calls("sqrt", "log", "log10", "acos", "asin", "pow", "coth")


_COMPUTED = ("add", "sub", "mul", "div", "mod", "pow", "sum", "avg", "stDev", "stDevP", "percentileCont")
"""What may give NaN for infinity."""


def element_with_nan(asked: Asked) -> Iterator[ir.Node]:
    """Elements compared or told apart where some hold NaN."""
    if asked.held.nan:
        compared = [each for call in asked.calls("eq", "ne", "in") for each in call.args]
        yield from (each for each in (*compared, *told_apart(asked)) if asked.may_be(each, types.ELEMENT))


def ordered_nan(asked: Asked) -> Iterator[ir.Node]:
    """An order in a query that may meet or make such a number."""
    if any(True for _ in _not_finite_constants(asked)) or any(True for _ in divisions(asked)):
        yield from ordering(asked.core)


def ordering(core: ir.Query) -> Iterator[ir.Node]:
    """Where a query depends on an order of values."""
    for node in ir.walk(core):
        if isinstance(node, ir.Order) or (isinstance(node, ir.Apply) and node.function in ("min", "max")):
            yield node


def not_finite(asked: Asked) -> Iterator[ir.Node]:
    """Also what may give such a number: division by anything but a constant, roots, logarithms."""
    yield from _not_finite_constants(asked)
    yield from divisions(asked)
    yield from asked.calls("sqrt", "log", "log10", "exp", "acos", "asin", "pow", "cot", "tan")


def _not_finite_constants(asked: Asked) -> Iterator[ir.Node]:
    """Constants, parameters and properties of the loaded data that are, or hold, NaN or infinity."""
    for node in asked.nodes:
        match node:
            case ir.Literal(value=float() as value) if not is_finite(value):
                yield node
            case ir.Apply(function="div", args=(_, ir.Literal(value=float() as value))) if not value:
                yield node
            case ir.Parameter(name=name) if not is_finite(asked.parameters.get(name)):
                yield node
            case ir.Property(key=key) | ir.ProjectedProperty(key=key) if key in asked.held.infinite:
                yield node
            case ir.ProjectedAll() | ir.Index() if asked.held.infinite:
                yield node
            case ir.Apply(function="properties") if asked.held.infinite:
                yield node


def divisions(asked: Asked) -> Iterator[ir.Apply]:
    for call in asked.calls("div", "mod"):
        divisor = call.args[1]
        if not (isinstance(divisor, ir.Literal) and divisor.value):
            yield call


def float_by_integer(asked: Asked) -> Iterator[ir.Node]:
    """A float divided by an integer that may be zero; not what is computed of constants alone."""
    for call in divisions(asked):
        left, right = call.args
        constant = all(isinstance(each, ir.Literal) for each in (left, right))
        if call.function == "div" and not constant and asked.kind(left) & FLOAT and asked.kind(right) & INTEGER:
            yield call


def float_remainder(asked: Asked) -> Iterator[ir.Node]:
    for call in asked.calls("mod"):
        if not isinstance(call.args[1], ir.Literal) or isinstance(call.args[1].value, float):
            yield call


def large_integer_beside_float(asked: Asked) -> Iterator[ir.Node]:
    """A constant integer that no float equals exactly, compared with a float."""
    for call in asked.calls("eq", "ne", "in", *_ORDER):
        for one, other in (call.args, call.args[::-1]):
            if any(_is_large(each, asked) for each in ir.walk(one)) and asked.may_be(other, FLOAT):
                yield call


def _is_large(node: ir.Node, asked: Asked) -> bool:
    value = asked.parameters.get(node.name) if isinstance(node, ir.Parameter) else integer(node)
    return isinstance(value, int) and abs(value) > _EXACT


def smallest_divided(asked: Asked) -> Iterator[ir.Node]:
    yield from (call for call in asked.calls("div") if integer(call.args[0]) == -(1 << 63))


def two_kinds_of_numbers(asked: Asked) -> Iterator[ir.Node]:
    """Integers and floats in one column that is told apart."""
    for value in told_apart(asked):
        kind = asked.kind(value)
        if (kind & FLOAT and kind & INTEGER) or _numbers_in(kind):
            yield value
    for node in asked.nodes:
        if isinstance(node, ir.SetOperation) and node.distinct:
            yield from _mixed_columns(node, asked)


def _numbers_in(kind: int) -> bool:
    element = types.element_of(kind & types.LIST) if kind & types.LIST else 0
    return bool(element & FLOAT and element & INTEGER)


def _mixed_columns(operation: ir.SetOperation, asked: Asked) -> Iterator[ir.Node]:
    columns: dict[str | None, int] = {}
    for branch in operation.branches:
        projects = [each for each in ir.walk(branch) if isinstance(each, ir.Project) and each.final]
        for item in (each for project in projects[-1:] for each in project.items):
            columns[item.name] = columns.get(item.name, 0) | asked.kind(item.value)
    if any(kind & FLOAT and kind & INTEGER for kind in columns.values()):
        yield operation


def rounding(asked: Asked) -> Iterator[ir.Node]:
    """All but whole numbers and constants that are not negative."""
    for call in asked.calls("round"):
        value, *precision = call.args
        if precision or (asked.kind(value) & FLOAT and not isinstance(value, ir.Literal)):
            yield call


def whole_rounding(asked: Asked) -> Iterator[ir.Node]:
    """Rounding of what may be an integer."""
    yield from (call for call in asked.calls("floor", "ceil", "round") if asked.may_be(call.args[0], INTEGER))


def discrete_percentile(asked: Asked) -> Iterator[ir.Node]:
    """percentileDisc of what may be integers."""
    yield from (call for call in asked.calls("percentileDisc") if asked.may_be(call.args[0], INTEGER))


def rounding_with_precision(asked: Asked) -> Iterator[ir.Node]:
    yield from (call for call in asked.calls("round") if len(call.args) > 1)


def cotangent(asked: Asked) -> Iterator[ir.Node]:
    yield from asked.calls("coth")


def extreme_of_list(asked: Asked) -> Iterator[ir.Node]:
    yield from asked.calls("coll.max", "coll.min")


def percentile(asked: Asked) -> Iterator[ir.Node]:
    """percentileCont of what may be integers."""
    yield from (call for call in asked.calls("percentileCont") if asked.kind(call.args[0]) & INTEGER)


def deviation(asked: Asked) -> Iterator[ir.Node]:
    yield from asked.calls("stDev", "stDevP")


def sums(asked: Asked) -> Iterator[ir.Node]:
    yield from asked.calls("sum")


def integer_of_float(asked: Asked) -> Iterator[ir.Node]:
    """An integer of a constant float beyond 64 bits."""
    for call in asked.calls("toInteger", "toIntegerOrNull"):
        value = call.args[0].value if isinstance(call.args[0], ir.Literal) else None
        if isinstance(value, float) and not abs(value) < 2.0**63:
            yield call


# ------------------------------------------------------------------ texts

_PLAIN_NUMBER = re.compile(r"[-+]?\d+|[-+]?\d*\.?\d+([eE][-+]?\d+)?|true|false|[A-Za-z]*", re.IGNORECASE)


def unusual_number(asked: Asked) -> Iterator[ir.Node]:
    """A constant text with blanks, underscores or a base that is read as a number or boolean."""
    for call in asked.calls(*(f"to{kind}{rest}" for kind in ("Integer", "Float", "Boolean") for rest in _READERS)):
        for each in ir.walk(call.args[0]):
            value = asked.parameters.get(each.name) if isinstance(each, ir.Parameter) else None
            value = each.value if isinstance(each, ir.Literal) else value
            if isinstance(value, str) and not _PLAIN_NUMBER.fullmatch(value):
                yield call


_READERS = ("", "OrNull", "List")


def characters_at_end(asked: Asked) -> Iterator[ir.Node]:
    yield from (call for call in asked.calls("rtrim") if len(call.args) > 1)


def float_as_text(asked: Asked) -> Iterator[ir.Node]:
    """A float that becomes a text, by toString or by joining it with one."""
    for call in asked.calls("toString", "toStringOrNull", "toStringList", "add", "concat"):
        kinds = [asked.kind(each) for each in call.args]
        joined = call.function.startswith("toString") or any(kind & STRING for kind in kinds)
        if joined and any(kind & (FLOAT | types.list_of(FLOAT)) for kind in kinds):
            yield call


def negative_length(asked: Asked) -> Iterator[ir.Node]:
    """A part of a text whose start or length is not certainly positive."""
    for call in asked.calls("left", "right", "substring"):
        bounds = [integer(each) for each in call.args[1:]]
        if any(bound is None or bound < 0 for bound in bounds):
            yield call


def several_separators(asked: Asked) -> Iterator[ir.Node]:
    yield from (call for call in asked.calls("split") if asked.kind(call.args[1]) & types.LIST)


def case_in_expression(asked: Asked) -> Iterator[ir.Node]:
    """A regular expression that heeds no case, or that is not known."""
    for call in asked.calls("matches"):
        pattern = call.args[1].value if isinstance(call.args[1], ir.Literal) else None
        if not isinstance(pattern, str) or "(?i" in pattern:
            yield call


def reversed_value(asked: Asked) -> Iterator[ir.Node]:
    allowed = STRING | types.LIST
    yield from (call for call in asked.calls("reverse") if asked.kind(call.args[0]) & ~allowed)


# ------------------------------------------------------------------ lists


def list_and_null(asked: Asked) -> Iterator[ir.Node]:
    """A list joined with what may be null."""
    for call in asked.calls("add", "concat"):
        lists = [bool(asked.kind(each) & types.LIST) for each in call.args]
        if any(lists) and not all(map(_is_there, call.args)):
            yield call


def _is_there(node: ir.Node) -> bool:
    return isinstance(node, ir.ListOf) or (isinstance(node, ir.Literal) and node.value is not None)


def slice_from_end(asked: Asked) -> Iterator[ir.Node]:
    for node in asked.nodes:
        if isinstance(node, ir.Slice):
            ends = [integer(end) for end in (node.low, node.high) if end is not None]
            if any(end is None or end < 0 for end in ends):
                yield node


def far_index(asked: Asked) -> Iterator[ir.Node]:
    """A constant index that 32 bits do not hold."""
    for node in asked.nodes:
        bounds: tuple[ir.Expression | None, ...] = (node.index,) if isinstance(node, ir.Index) else ()
        bounds = (node.low, node.high) if isinstance(node, ir.Slice) else bounds
        if any(abs(integer(each) or 0) >= 1 << 31 for each in bounds):
            yield node


def elements_of_lists(asked: Asked) -> Iterator[ir.Node]:
    yield from (node for node in asked.nodes if isinstance(node, ir.Index | ir.Slice))
    yield from asked.calls("head", "last", "tail", "range", "substring", "left", "right")


def element_of_case(asked: Asked) -> Iterator[ir.Node]:
    """An element of a list that is written of a CASE."""
    for node in asked.nodes:
        if isinstance(node, ir.Index) and isinstance(node.base, ir.ListOf):
            yield from (each for each in node.base.items if isinstance(each, ir.Case))


def conjunction_compared(asked: Asked) -> Iterator[ir.Node]:
    """A conjunction as the operand of a comparison."""
    for call in asked.calls("eq", "ne", *_ORDER):
        yield from (each for each in call.args if isinstance(each, ir.Apply) and each.function == "and")


def boolean_of_number(asked: Asked) -> Iterator[ir.Node]:
    for call in asked.calls("toBoolean", "toBooleanOrNull", "toBooleanList"):
        if asked.may_be(call.args[0], NUMBER):
            yield call


def in_comprehension(asked: Asked) -> Iterator[ir.Node]:
    yield from (call for call in asked.calls("in") if isinstance(call.args[1], ir.ListComprehension))


def quantified(asked: Asked) -> Iterator[ir.Node]:
    yield from (node for node in asked.nodes if isinstance(node, ir.Quantified))


def quantifier_in_case(asked: Asked) -> Iterator[ir.Node]:
    """A quantifier as a result of CASE, where a condition is asked for."""
    for node in asked.nodes:
        if isinstance(node, ir.Case):
            results = (*(branch.result for branch in node.branches), node.default)
            if any(isinstance(each, ir.Quantified) for value in results if value for each in ir.walk(value)):
                yield node


def order_of_lists(asked: Asked) -> Iterator[ir.Node]:
    """Lists that hold NaN compared."""
    for call in asked.calls(*_ORDER):
        if all(asked.kind(each) & types.LIST for each in call.args) and any(True for _ in _not_finite_constants(asked)):
            yield call


def mixed_lists(asked: Asked) -> Iterator[ir.Node]:
    """Lists whose items are not certainly of one type."""
    for node in asked.nodes:
        if isinstance(node, ir.ListOf):
            constants = all(isinstance(item, ir.Literal) for item in node.items)
            if not constants or len({type(item.value) for item in node.items if isinstance(item, ir.Literal)}) > 1:
                yield node
        elif isinstance(node, ir.Parameter) and _is_mixed(asked.parameters.get(node.name)):
            yield node


def _is_mixed(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_is_mixed, value.values()))
    return isinstance(value, (list, tuple)) and (len(set(map(type, value))) > 1 or any(map(_is_mixed, value)))


# ------------------------------------------------------------------ maps, types, elements


def order_of_maps(asked: Asked) -> Iterator[ir.Node]:
    for value in sorted_values(asked):
        if asked.may_be(value, MAP):
            yield value
    for call in asked.calls(*_ORDER):
        if all(asked.may_be(each, MAP) for each in call.args):
            yield call


def comparison_of_lists(asked: Asked) -> Iterator[ir.Node]:
    for call in asked.calls(*_ORDER):
        if all(asked.may_be(each, LIST) for each in call.args):
            yield call


def chosen_element(asked: Asked) -> Iterator[ir.Node]:
    """An element that coalesce or CASE chooses."""
    for call in asked.calls("coalesce"):
        if any(asked.may_be(each, ELEMENT) for each in call.args):
            yield call
    for node in ir.walk(asked.core.body):
        if isinstance(node, ir.Case):
            results = [branch.result for branch in node.branches]
            if any(asked.may_be(each, ELEMENT) for each in (*results, *filter(None, (node.default,)))):
                yield node


def projection_in_map(asked: Asked) -> Iterator[ir.Node]:
    """A map projection inside of a map."""
    for node in asked.nodes:
        if isinstance(node, ir.MapOf):
            yield from (each for each in ir.walk(node) if isinstance(each, ir.MapProjection))


def projection_of_edge(asked: Asked) -> Iterator[ir.Node]:
    for node in asked.nodes:
        if isinstance(node, ir.MapProjection) and asked.kind(node.base) & types.RELATIONSHIP:
            yield node


def projections_in_case(asked: Asked) -> Iterator[ir.Node]:
    """A CASE with two projections of one variable, or with one that reads a property twice."""
    for node in asked.nodes:
        if isinstance(node, ir.Case):
            found = [each for each in ir.walk(node) if isinstance(each, ir.MapProjection)]
            if len({each.base for each in found}) < len(found) or any(map(_reads_twice, found)):
                yield node


def _reads_twice(projection: ir.MapProjection) -> bool:
    """`n {.x, z: n.x}`"""
    read = [item.key for item in projection.items if isinstance(item, ir.ProjectedProperty)]
    inside = (each for each in ir.walk(projection) if isinstance(each, ir.Property) and each.base == projection.base)
    read += [each.key for each in inside]
    return len(set(read)) < len(read)


def types_of_lists(asked: Asked) -> Iterator[ir.Node]:
    """valueType of what may be a list."""
    yield from (call for call in asked.calls("valueType") if asked.kind(call.args[0]) & types.LIST)


def mixed_comparison(asked: Asked) -> Iterator[ir.Node]:
    for node in asked.nodes:
        operands = node.args if isinstance(node, ir.Apply) and node.function in _ORDER else ()
        operands = node.operands if isinstance(node, ir.Comparison) else operands
        words = {isinstance(each.value, str) for each in operands if isinstance(each, ir.Literal)}
        if len(words) > 1:
            yield node


def reserved(asked: Asked) -> Iterator[ir.Node]:
    for node in asked.nodes:
        key = node.key if isinstance(node, ir.Property | ir.Entry | ir.ProjectedProperty) else None
        if key in ("id", "title", "type"):
            yield node


def all_properties(asked: Asked) -> Iterator[ir.Node]:
    yield from asked.calls("keys", "properties")
    yield from (node for node in asked.nodes if isinstance(node, ir.ProjectedAll))


def element_functions(asked: Asked) -> Iterator[ir.Node]:
    yield from asked.calls("labels", "type", "id", "elementId", "keys", "properties", "startNode", "endNode")
    yield from (node for node in asked.nodes if isinstance(node, ir.HasLabels))


def vectors(asked: Asked) -> Iterator[ir.Node]:
    yield from asked.calls("vector")


def points(asked: Asked) -> Iterator[ir.Node]:
    """Parts of and distances between points."""
    yield from asked.calls("point.distance", "point.withinBBox", "distance")
    for node in asked.nodes:
        if isinstance(node, ir.Property) and asked.kind(node.base) & types.POINT:
            yield node


def bad_argument(asked: Asked) -> Iterator[ir.Node]:
    """A conversion of what may be a list or a map."""
    allowed = types.BOOLEAN | NUMBER | STRING
    for call in asked.calls("toInteger", "toFloat", "toBoolean"):
        if asked.kind(call.args[0]) & ~allowed:
            yield call
