"""Expressions where the graph is its tables: the schema says what a property is, and elements are asked for properties.

Where a type is known, operators are written for that type, so that an engine which turns one type into another has no
say.  NaN, which some engines count as the greatest number, is told from numbers.  Knows no clause.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import ClassVar

from graphir import ir
from graphir.backends.gql.expressions import ABSENT, FALSE, NULL, TRUE, Translator, Typed, call
from graphir.backends.gql.graph import Tables as Numbers
from graphir.backends.gql.narrowing import links_of, propagate
from graphir.backends.gql.values import ELEMENTS, OPEN, Kind, Value
from graphir.backends.sqlpgq import conversions
from graphir.backends.sqlpgq.expansion import Absent
from graphir.backends.sqlpgq.graph import ID, TABLE, TYPE, UNKNOWN, Graph
from graphir.backends.sqlpgq.tables import Setting

EXACT = 2**53
"""Integers up to here are floats without rounding."""
REPEATED = 60
"""Nodes of an operand that is written several times, at most."""
INFINITY = ir.Literal(float("inf"))
TAKEN = "a text, as its column is where graphir writes the definition"
MIRRORED = {"lt": "gt", "le": "ge"}
TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
BEYOND = ir.Literal(2.0**63)
"""The least float that is greater than all integers."""


class Tabular(Translator):
    """Translates the expressions of one scope over tables that are known."""

    maps: ClassVar[bool] = False
    simple_case: ClassVar[bool] = False
    setting: Setting

    null_is_least: ClassVar[bool] = False

    @property
    def graph(self) -> Graph:
        return self.setting.graph

    # -------------------------------------------------------------- elements

    def every_table(self, kind: Kind) -> Numbers:
        return self.graph.nodes if kind is Kind.NODE else self.graph.edges

    def tables(self, element: ir.NodePattern | ir.EdgePattern, known: Value | None) -> Numbers:
        every = self.graph.edges if isinstance(element, ir.EdgePattern) else self.graph.nodes
        before = None if known is None else known.tables
        if element.labels is not None:
            self.check_listed(element.labels, edge=isinstance(element, ir.EdgePattern))
        return self.graph.labelled(element.labels, every if before is None else before)

    def check_listed(self, labels: ir.LabelExpression, *, edge: bool) -> None:
        """Refuse labels that elements may have and no table has."""
        unlisted = self.graph.unlisted(labels, edge=edge)
        if unlisted is not None:
            raise self.report.refusal("unheld-name", unlisted, f"`{unlisted.name}`")

    def narrowed(self, match: ir.Match, tables: Mapping[str, Numbers | None]) -> dict[str, Numbers]:
        known = {name: found for name, found in tables.items() if found is not None}
        propagate(links_of(match), known, self.graph)
        return known

    def tables_of(self, element: Value) -> Numbers:
        return self.every_table(element.kind) if element.tables is None else element.tables

    def property_of(self, node: ir.Property, base: ir.Ref, element: Value) -> Typed:
        found = self.graph.exposed(node.key, self.tables_of(element))
        if not found and self.graph.is_open(self.tables_of(element)):
            raise self.report.refusal("needs-a-schema", node, f"`.{node.key}`")
        if not found:
            return ABSENT
        for exposed in found:
            if exposed.kind is None:
                raise self.report.refusal(
                    "property-of-any-type", node, f"`{node.key}`, of type {exposed.type or 'unknown'},"
                )
        if len(found) > 1:
            listed = " and ".join([exposed.type for exposed in found])
            raise self.report.refusal("property-of-any-type", node, f"`{node.key}`, of the types {listed},")
        if node.key in self.graph.guessed:
            self.tell(node, element)
        asked = ir.Property(base, found[0].name, span=node.span)
        return self.scope.graph(base.name, asked), Value(found[0].kind or Kind.ANY)

    def tell(self, node: ir.Property, element: Value) -> None:
        """Say of which tables a property is taken for a text, without the schema saying so (G568)."""
        for table in [self.graph.tables[number] for number in sorted(self.tables_of(element))]:
            exposed = table.properties.get(node.key)
            if exposed is not None and exposed.type == UNKNOWN:
                told = f"the schema does not say of what type `{node.key}` of {table.table} is: it is taken for {TAKEN}"
                if all(note.message != told for note in self.report.notes or ()):
                    self.report.note("G568", node, told, "warning")

    def null_test(self, node: ir.Apply, truth: bool) -> Typed:
        """For a property of any type, or of several, too."""
        asked = node.args[0]
        if isinstance(asked, ir.Property) and isinstance(asked.base, ir.Ref):
            element = self.scope.values[asked.base.name]
            if element.kind in ELEMENTS:
                found = self.graph.exposed(asked.key, self.tables_of(element))
                name = asked.base.name
                columns = [self.scope.graph(name, ir.Property(ir.Ref(name), each.name)) for each in found]
                tests = tuple([ir.Apply(node.function, (column,)) for column in columns])
                word = "and" if node.function == "is_null" else "or"
                if tests:
                    return tests[0] if len(tests) == 1 else ir.Apply(word, tests), Value(Kind.BOOL, False)
        return super().null_test(node, truth)

    def has_labels(self, node: ir.HasLabels, _truth: bool) -> Typed:
        base, value = self.value(node.base)
        if value.kind not in ELEMENTS or not isinstance(base, ir.Ref):
            raise self.report.refusal("element-value", node, "a label predicate on an expression")
        self.check_listed(node.labels, edge=value.kind is Kind.EDGE)
        among = self.tables_of(value)
        found = self.graph.labelled(node.labels, among)
        if not value.nullable and found in (frozenset(), among):
            return (TRUE if found and found == among else FALSE), Value(Kind.BOOL, False)
        numbers = tuple([ir.Literal(number) for number in sorted(found) or (-1,)])
        asked = self.scope.graph(base.name, ir.Property(ir.Ref(base.name), TABLE))
        return ir.Apply("in", (asked, ir.ListOf(numbers))), Value(Kind.BOOL, value.nullable)

    def identifying(self, name: str) -> ir.Expression:
        return ir.Property(ir.Ref(name), ID)

    def identical(self, function: str, left: ir.Expression, right: ir.Expression) -> ir.Expression:
        return ir.Apply(function, (self.identity(left), self.identity(right)))

    def edge_type(self, node: ir.Apply, _truth: bool) -> Typed:
        expression, value = self.value(node.args[0])
        if value.kind is not Kind.EDGE or not isinstance(expression, ir.Ref):
            raise self.report.refusal("element-value", node, f"`type` of {value.kind.value}")
        asked = ir.Property(expression, TYPE)
        return self.scope.graph(expression.name, asked), Value(Kind.STRING, value.nullable)

    # -------------------------------------------------------------- values

    def joinable(self, kinds: tuple[Kind, ...]) -> bool:
        """One type only: an engine would turn integers among floats into floats."""
        return len(set(kinds) - OPEN) < 2

    def compared(self, node: ir.Apply, left: Typed, right: Typed, truth: bool) -> ir.Expression:
        kinds = {left[1].kind, right[1].kind}
        if not (_is_exact(left[0]) or _is_exact(right[0])):
            if Kind.NUMBER in kinds:
                raise self.report.refusal("integer-beside-float", node, "a comparison of an integer with a float")
            if kinds == {Kind.INT, Kind.FLOAT}:
                self.check_repeated(node, left[0], right[0])
                return _by_value(node.function, left, right)
        if Kind.FLOAT not in kinds:
            return ir.Apply(node.function, (left[0], right[0]))
        function, greater, lesser = node.function, left, right
        if function in MIRRORED:
            function, greater, lesser = MIRRORED[function], right, left
        if function in ("gt", "ge"):
            is_number = _is_number(greater[0]) or greater[1].kind is Kind.INT
        else:
            is_number = _is_number(greater[0]) or _is_number(lesser[0])
        if is_number:
            return ir.Apply(node.function, (left[0], right[0]))
        self.check_repeated(node, greater[0], lesser[0])
        return _guarded(function, greater, lesser, truth)

    def check_repeated(self, node: ir.Node, *operands: ir.Expression) -> None:
        """Refuse operands that have to be written more than once and are not small: they may nest."""
        for operand in operands:
            if not ir.at_most(operand, REPEATED):
                raise self.report.refusal("construct", node, "an operation that is written out, on such long operands,")

    def case(self, node: ir.Case, truth: bool) -> Typed:
        if node.subject is not None:
            self.check_repeated(node, node.subject)
        return super().case(node, truth)

    def among(self, needle: Typed, items: list[Typed], truth: bool) -> ir.Expression:
        kinds = {needle[1].kind, *[value.kind for _, value in items]}
        if Kind.FLOAT not in kinds or (needle[1].kind is Kind.FLOAT and all(_is_number(item) for item, _ in items)):
            return super().among(needle, items, truth)
        node = ir.Apply("eq", (needle[0], items[0][0]))
        tests = [self.compared(node, needle, item, truth) for item in items]
        return tests[0] if len(tests) == 1 else ir.Apply("or", tuple(tests))

    def collected(self, node: ir.Apply, found: ir.Expression, kind: Kind) -> ir.Expression:
        if kind is Kind.NULL:
            kind = Kind.INT
        if kind not in self.setting.target.types:
            raise self.report.refusal("untyped-operation", node, f"`collect` of {kind.value}")
        return call("IFNULL", found, Absent(kind.name, many=True))

    def literal(self, node: ir.Literal, truth: bool) -> Typed:
        if isinstance(node.value, str) and "\0" in node.value:
            raise self.report.refusal("construct", node, "a string with the character U+0000")
        return super().literal(node, truth)

    def ref(self, node: ir.Ref, truth: bool) -> Typed:
        """A variable that is always null is the literal, whose type is that of what is beside it."""
        return ABSENT if self.scope.values[node.name].kind is Kind.NULL else super().ref(node, truth)

    def division(self, node: ir.Apply, truth: bool) -> Typed:
        """A float divided by the integer zero is an error, by the float zero it is infinity or NaN."""
        found, value = super().division(node, truth)
        by = self.scalar(node.args[1], "`/` by this value")
        if not (isinstance(found, ir.Call) and found.name == ("IEEE_DIVIDE",) and by[1].kind is Kind.INT):
            return found, value
        self.check_repeated(node, by[0])
        zero = ir.Apply("eq", (by[0], ir.Literal(0)))
        failing = ir.Branch((zero,), call("DIV", ir.Literal(1), by[0]))
        return call("IEEE_DIVIDE", found.args[0], ir.Case(None, (failing,), by[0])), value

    def null_if(self, node: ir.Apply, _truth: bool) -> Typed:
        (left, a), (right, b) = (self.scalar(arg, "`nullIf` of this value") for arg in node.args)
        self.same_type(node, a.kind, b.kind)
        if Kind.NULL in (a.kind, b.kind):
            return left, a
        self.check_repeated(node, left)
        same = self.compared(ir.Apply("eq", node.args), (left, a), (right, b), True)
        return ir.Case(None, (ir.Branch((same,), NULL),), left), Value(a.kind)

    handlers: ClassVar[dict[type[ir.Node], Callable[..., Typed]]] = {
        **Translator.handlers,
        **conversions.HANDLERS,
        ir.Case: case,
        ir.HasLabels: has_labels,
        ir.Literal: literal,
        ir.Ref: ref,
    }
    functions: ClassVar[dict[str, Callable[..., Typed]]] = {
        **Translator.functions,
        **conversions.FUNCTIONS,
        **dict.fromkeys(("is_null", "is_not_null"), null_test),
        "type": edge_type,
        "nullIf": null_if,
        "div": division,
    }


def _is_number(expression: ir.Expression) -> bool:
    """Whether it is a literal number, which is not NaN."""
    if isinstance(expression, ir.Apply) and expression.function == "neg":
        expression = expression.args[0]
    if not isinstance(expression, ir.Literal) or isinstance(expression.value, bool):
        return False
    return isinstance(expression.value, int | float) and not math.isnan(expression.value)


def _is_exact(expression: ir.Expression) -> bool:
    """Whether it is a literal that integers and floats are compared with exactly."""
    if isinstance(expression, ir.Apply) and expression.function == "neg":
        expression = expression.args[0]
    return _is_number(expression) and abs(expression.value) < EXACT  # type: ignore[attr-defined]


def _by_value(function: str, left: Typed, right: Typed) -> ir.Expression:
    """A comparison of an integer and a float by their exact values, where the engine would round the integer.

    Where the nearest float of the integer is the float, that is a whole number, or greater than all integers.
    """
    if left[1].kind is Kind.FLOAT:
        function, left, right = TURNED[function], right, left
    whole, real = left[0], right[0]
    near = call("FLOAT64", whole)
    unknown = ir.Apply("or", (ir.Apply("is_null", (whole,)), ir.Apply("is_null", (real,))))
    branches = [
        ir.Branch((unknown,), NULL),
        ir.Branch((ir.Apply("gt", (real, INFINITY)),), ir.Literal(function == "ne")),
        ir.Branch((ir.Apply("ne", (near, real)),), ir.Apply(function, (near, real))),
        ir.Branch((ir.Apply("ge", (real, BEYOND)),), ir.Literal(function in ("lt", "le", "ne"))),
    ]
    return ir.Case(None, tuple(branches), ir.Apply(function, (whole, call("INT64", real))))


def _guarded(function: str, left: Typed, right: Typed, truth: bool) -> ir.Expression:
    """A comparison of floats where the engine counts NaN as the greatest number: it is true of numbers only.

    The greater side, or one of two equal ones, is a number if it is at most infinity; null on the other side is kept.
    """
    number: ir.Expression = ir.Apply("le", (left[0], INFINITY))
    if right[1].nullable and (function == "ne" or not truth):
        number = ir.Apply("or", (number, ir.Apply("is_null", (right[0],))))
    found = ir.Apply("and", (ir.Apply("eq" if function == "ne" else function, (left[0], right[0])), number))
    return ir.Apply("not", (found,)) if function == "ne" else found
