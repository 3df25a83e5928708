"""Lists: as values of columns, of properties and of patterns.

A list of GoogleSQL has items of one type and holds no lists; elements in it are STRUCTs (`records.py`).  Going through
a list that is null gives null in Cypher and nothing in SQL, and is told apart where the list may be null.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql.expressions import ABSENT, NULL, Translator, Typed, call
from graphir.backends.gql.records import is_element
from graphir.backends.gql.values import OPEN, SCALARS, Kind, Value
from graphir.ir.names import MARK, generated

if TYPE_CHECKING:
    from graphir.backends.gql.schematic import Schematic

ELEMENT_LISTS = {"nodes": ("NODES", Kind.NODE), "relationships": ("EDGES", Kind.EDGE)}


def list_of(self: Schematic, node: ir.ListOf, _truth: bool) -> Typed:
    if not node.items:
        return ir.ListOf(()), Value(Kind.LIST, False, items=Kind.NULL)
    found, value, _ = self.united(node.items, "a list of values of several types")
    return ir.ListOf(tuple(found)), of(self, node, value)


def of(self: Schematic, node: ir.Node, item: Value) -> Value:
    """What is known of a list of such items."""
    if item.kind is Kind.LIST:
        raise self.report.refusal("list-operation", node, "a list of lists")
    return Value(Kind.LIST, False, item.tables, items=item.kind, item=item)


def array(self: Schematic, node: ir.Expression) -> Typed:
    """A list as what UNNEST takes, and what is known of it: the elements of a path or of a group as they are."""
    if isinstance(node, ir.Apply) and node.function in ELEMENT_LISTS and isinstance(path := node.args[0], ir.Ref):
        known = self.scope.values[path.name]
        if known.kind is Kind.PATH:
            word, kind = ELEMENT_LISTS[node.function]
            tables = sorted_out(self, known, kind)
            return call(word, path), Value(Kind.LIST, known.nullable, items=kind, item=Value(kind, False, tables))
    expression, value = self.value(node)
    if value.kind is Kind.EDGES:
        item = Value(Kind.EDGE, False, value.tables)
        return expression, Value(Kind.LIST, value.nullable, items=Kind.EDGE, item=item)
    if value.kind is Kind.NULL:
        return expression, value
    if value.kind not in (Kind.LIST, Kind.ANY):
        raise self.report.refusal("unlike-types", node, f"{value.kind.value} as a list")
    return expression, value


def sorted_out(self: Schematic, path: Value, kind: Kind) -> frozenset[int] | None:
    """The tables of the nodes, or of the relationships, of a path."""
    every = self.every_table(kind)
    return every if path.tables is None or every is None else path.tables & every


def element_list(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """`nodes(p)` and `relationships(p)` as values."""
    source, value = array(self, node)
    return as_values(self, source, value)


def as_values(self: Schematic, source: ir.Expression, value: Value) -> Typed:
    """A list with its elements as values."""
    item = value.member()
    if item.kind not in (Kind.NODE, Kind.EDGE):
        return source, value
    each = fresh(source)
    body, known = self.within(each, item).held(ir.Ref(each))
    found = ir.ListComprehension(each, source, None, body)
    made = Value(Kind.LIST, value.nullable, items=known.kind, item=known)
    return or_null(self, value, source, found), made


def or_null(self: Schematic, value: Value, source: ir.Expression, found: ir.Expression) -> ir.Expression:
    """Null where the list is null."""
    if not value.nullable:
        return found
    tested = source
    if isinstance(source, ir.Call) and source.name in (("NODES",), ("EDGES",)):
        tested = call("PATH_LENGTH", *source.args)
    elif isinstance(source, ir.Ref) and self.scope.values.get(source.name, value).kind is Kind.EDGES:
        tested = call("ARRAY_LENGTH", source)
    return call("IF", ir.Apply("is_null", (self.small(source, tested),)), NULL, found)


def fresh(source: ir.Node) -> str:
    """A variable for the items of a list, other than those of lists inside of it."""
    depth = sum([isinstance(part, (ir.ListComprehension, ir.Quantified)) for part in ir.walk(source)])
    return generated("item", depth + 1)


def comprehension(self: Schematic, node: ir.ListComprehension, _truth: bool) -> Typed:
    source, value = array(self, node.source)
    if value.kind is Kind.NULL:
        return ABSENT
    inside = self.within(node.variable, value.member())
    where = None if node.where is None else inside.predicate(node.where)
    body, known = inside.held(ir.Ref(node.variable) if node.body is None else node.body)
    found = ir.ListComprehension(node.variable, source, where, body)
    made = dataclasses.replace(of(self, node, known), nullable=value.nullable)
    return or_null(self, value, source, found), made


def quantified(self: Schematic, node: ir.Quantified, truth: bool) -> Typed:
    """all, any, none and single.  In SQL such a test is never null; where null and false differ, only predicates that
    are never null themselves can be tested."""
    source, value = array(self, node.source)
    if node.predicate is None or value.kind is Kind.NULL:
        raise self.report.refusal("list-operation", node, f"`{node.kind}` of this list")
    inside = self.within(node.variable, value.member())
    predicate, known = inside.value(node.predicate, node.kind not in ("none", "single"))
    if known.kind is Kind.NULL:
        raise self.report.refusal("list-operation", node, f"`{node.kind}` of null")
    if known.kind not in (Kind.BOOL, Kind.ANY):
        raise self.report.refusal("unlike-types", node, f"{known.kind.value} as a condition")
    if ((known.nullable or value.nullable) and not truth) or (value.nullable and node.kind != "any"):
        raise self.report.refusal("list-operation", node, f"`{node.kind}` where it may be null")
    if node.kind == "single":
        if known.nullable:
            raise self.report.refusal("list-operation", node, "`single` where it may be null")
        some = ir.ListComprehension(node.variable, source, predicate, ir.Literal(1))
        return ir.Apply("eq", (call("ARRAY_LENGTH", some), ir.Literal(1))), Value(Kind.BOOL, False)
    how = node.kind
    if how == "none" and known.nullable:
        how, predicate = "all", ir.Apply("not", (predicate,))
    elif how == "all" and not known.nullable:
        how, predicate = "none", ir.Apply("not", (predicate,))
    return ir.Quantified(how, node.variable, source, predicate), Value(Kind.BOOL, False)


def index(self: Schematic, node: ir.Index, truth: bool) -> Typed:
    """An item of a list by its place, from the end where it is negative; a property of a name that is written out."""
    if isinstance(node.index, ir.Literal) and isinstance(node.index.value, str):
        return self.property(ir.Property(node.base, node.index.value, span=node.span), truth)
    place = whole(node.index)
    base, value = values(self, node.base)
    if value.kind is not Kind.LIST:
        if value.kind is Kind.NULL:
            return ABSENT
        raise self.report.refusal("list-access", node, "this index")
    if place is None:
        known = self.scalar(node.index, "an index")
        if known[1].kind is not Kind.INT:
            raise self.report.refusal("list-access", node, "this index")
        self.small(node, known[0])
        self.small(node, base)
        from_end = ir.Apply("add", (call("ARRAY_LENGTH", base), known[0]))
        negative = ir.Branch((ir.Apply("lt", (known[0], ir.Literal(0))),), from_end)
        return item(base, ir.Case(None, (negative,), known[0]), value)
    if place < 0:
        return item(call("ARRAY_REVERSE", base), ir.Literal(-place - 1), value)
    return item(base, ir.Literal(place), value)


def item(base: ir.Expression, place: ir.Expression, value: Value) -> Typed:
    """The item at a place that counts from 0; null where there is none."""
    return ir.Index(base, call("SAFE_OFFSET", place)), dataclasses.replace(value.member(), nullable=True)


def whole(node: ir.Expression | None) -> int | None:
    """The value of a whole number that is written out."""
    sign = 1
    if isinstance(node, ir.Apply) and node.function == "neg":
        node, sign = node.args[0], -1
    if isinstance(node, ir.Literal) and type(node.value) is int:
        return sign * node.value
    return None


def values(self: Schematic, node: ir.Expression) -> Typed:
    """A list with its elements as values."""
    return as_values(self, *array(self, node))


def first(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """`head` and `last`."""
    return index(self, ir.Index(node.args[0], ir.Literal(0 if node.function == "head" else -1), span=node.span), False)


def slice_(self: Schematic, node: ir.Slice, _truth: bool) -> Typed:
    """The items between two places that are written out and count from the start."""
    low, high = whole(node.low), whole(node.high)
    if (node.low is not None and low is None) or (node.high is not None and high is None):
        raise self.report.refusal("list-operation", node, "a part of a list between these places")
    if min(low or 0, high or 0) < 0:
        raise self.report.refusal("list-operation", node, "a part of a list counted from the end")
    return between(self, node.base, low or 0, high)


def tail(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    return between(self, node.args[0], 1, None)


def between(self: Schematic, base: ir.Expression, low: int, high: int | None) -> Typed:
    """The items from one place up to another."""
    source, value = values(self, base)
    if value.kind is not Kind.LIST:
        raise self.report.refusal("list-operation", base, "a part of this value")
    each = fresh(source)
    place = ir.Ref(place_of(each))
    tests: list[ir.Expression] = []
    if low:
        tests.append(ir.Apply("ge", (place, ir.Literal(low))))
    if high is not None:
        tests.append(ir.Apply("lt", (place, ir.Literal(high))))
    where = None if not tests else tests[0] if len(tests) == 1 else ir.Apply("and", tuple(tests))
    found = ir.ListComprehension(each, source, where, ir.Ref(each))
    return or_null(self, value, source, found), value


def place_of(variable: str) -> str:
    """The name of the place of an item in its list."""
    return generated(f"{variable.removeprefix(MARK)}_at", 0)


def size(self: Schematic, node: ir.Apply, truth: bool) -> Typed:
    argument = node.args[0]
    if isinstance(argument, ir.Apply) and argument.function in ELEMENT_LISTS:
        source, value = array(self, argument)
    else:
        source, value = self.value(argument)
    if value.kind is Kind.NULL:
        return ABSENT
    if value.kind in (Kind.LIST, Kind.EDGES):
        return call("ARRAY_LENGTH", source), Value(Kind.INT, value.nullable)
    return Translator.size(self, node, truth)


def reduced(self: Schematic, node: ir.Reduce, _truth: bool) -> Typed:
    raise self.report.refusal("list-operation", node, "`reduce`")


def is_empty(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    length, value = size(self, ir.Apply("size", node.args, span=node.span), False)
    return ir.Apply("eq", (length, ir.Literal(0))), Value(Kind.BOOL, value.nullable)


def reverse(self: Schematic, node: ir.Apply, truth: bool) -> Typed:
    expression, value = self.value(node.args[0])
    if value.kind is Kind.ANY:
        raise self.report.refusal("untyped-operation", node, "`reverse` of what may be a string or a list")
    if value.kind is not Kind.LIST:
        return Translator.text_function(self, node, truth)
    return call("ARRAY_REVERSE", expression), value


def range_(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    args, known = self.numbers(node)
    if any(value.nullable for value in known) and any(value.kind is not Kind.INT for value in known):
        raise self.report.refusal("list-operation", node, "`range` of what may be null")
    return call("GENERATE_ARRAY", *args), Value(Kind.LIST, False, items=Kind.INT)


def split(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """`split` by one text that is written out and not empty."""
    by = node.args[1]
    if not (isinstance(by, ir.Literal) and isinstance(by.value, str) and by.value):
        raise self.report.refusal("function", node, "`split` by anything but a text that is written out")
    args, nullable = self.strings(node, node.args)
    return call("SPLIT", *args), Value(Kind.LIST, nullable, items=Kind.STRING)


def membership(self: Schematic, node: ir.Apply, truth: bool) -> Typed:
    """IN; an element is in a list if its identity is."""
    subject, source = node.args
    if isinstance(source, ir.Apply) and source.function == "labels" and isinstance(subject, ir.Literal):
        return Translator.membership(self, node, truth)
    if isinstance(subject, (ir.Ref, ir.Index, ir.Apply)):
        needle, value = self.value(subject)
        if is_element(value):
            return contains_element(self, node, needle, value, truth)
    if not isinstance(source, ir.ListOf):
        items, known = array(self, source)
        needle, value = self.scalar(subject, "IN with this value")
        if Kind.NULL in (known.kind, value.kind):
            return Translator.membership(self, node, truth)
        if known.items not in OPEN:
            self.same_type(node, value.kind, *([known.items] if known.items in SCALARS else ()))
        if known.items not in SCALARS:
            raise self.report.refusal("list-operation", node, "IN with this list")
        found: ir.Expression = ir.Apply("in", (needle, items))
        if not truth and known.nullable:
            found = call("IF", ir.Apply("is_null", (self.small(node, items),)), NULL, found)
        return found, Value(Kind.BOOL)
    return Translator.membership(self, node, truth)


def contains_element(self: Schematic, node: ir.Apply, needle: ir.Expression, value: Value, truth: bool) -> Typed:
    source, known = array(self, node.args[1])
    if known.kind is not Kind.LIST or not is_element(known.member()):
        raise self.report.refusal("element-value", node, f"IN with {value.kind.value}")
    if (value.nullable or known.nullable) and not truth:
        raise self.report.refusal("list-operation", node, "IN where it may be null")
    each = fresh(source)
    inside = self.within(each, known.member())
    same = ir.Apply("eq", (inside.identified(ir.Ref(each), known.member()), self.identified(needle, value)))
    return ir.Quantified("any", each, source, same), Value(Kind.BOOL, False)


def alone(self: Schematic, node: ir.Apply, item: ir.Expression, value: Value) -> ir.Expression:
    """A list of the item; null for null, which makes of a sum of lists null."""
    if not value.nullable:
        return ir.ListOf((item,))
    return call("IF", ir.Apply("is_null", (self.small(node, item),)), NULL, ir.ListOf((item,)))


def addition(self: Schematic, node: ir.Apply, truth: bool) -> Typed:
    """`+` of lists, or of a list and an item."""
    found = [self.value(arg) for arg in node.args]
    if all(value.kind is not Kind.LIST for _, value in found):
        return Translator.addition(self, node, truth)
    if any(value.kind is Kind.NULL for _, value in found):
        return NULL, Value(Kind.NULL)
    known = [value.member() if value.kind is Kind.LIST else value for _, value in found]
    kinds = {value.kind for value in known} - {Kind.NULL}
    if len(kinds) > 1 or not kinds <= SCALARS or any(v.kind is Kind.ANY for _, v in found):
        raise self.report.refusal("unlike-types", node, "`+` of these lists")
    parts = [e if value.kind is Kind.LIST else alone(self, node, e, value) for e, value in found]
    nullable = any(value.nullable for _, value in found)
    return call("ARRAY_CONCAT", *parts), Value(Kind.LIST, nullable, items=kinds.pop() if kinds else Kind.NULL)


HANDLERS: dict[type[ir.Node], Callable[..., Typed]] = {
    ir.ListOf: list_of,
    ir.ListComprehension: comprehension,
    ir.Quantified: quantified,
    ir.Index: index,
    ir.Slice: slice_,
    ir.Reduce: reduced,
    ir.AllReduce: reduced,
}
FUNCTIONS: dict[str, Callable[..., Typed]] = {
    **dict.fromkeys(ELEMENT_LISTS, element_list),
    **dict.fromkeys(("head", "last"), first),
    "tail": tail,
    "size": size,
    "isEmpty": is_empty,
    "reverse": reverse,
    "range": range_,
    "split": split,
    "in": membership,
    "add": addition,
}
