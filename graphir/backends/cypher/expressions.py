"""Printing expressions and patterns of Cypher: the handlers of `graphir.backends.cypher.printer` for them.

A handler returns parts and calls no other handler.  Knows how things are spelled, not what a dialect allows: what is
not allowed has been rewritten or refused before.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import ClassVar

from graphir import ir
from graphir.backends.cypher import names
from graphir.backends.cypher import precedence as p
from graphir.backends.phrases import PhrasePrinter, wrapped
from graphir.backends.printing import Mark, Part, separated

LINE, INDENT, DEDENT = Mark.LINE, Mark.INDENT, Mark.DEDENT
OPEN, CLOSE, SPACE, EDGE = Mark.OPEN, Mark.CLOSE, Mark.SPACE, Mark.EDGE


class ColonLabels(ir.LabelAnd):
    """A conjunction of labels that is printed with colons in every dialect (CREATE and MERGE)."""

    __slots__ = ()


def operand(node: ir.Expression, loosest: int) -> list[Part]:
    """The expression, in parentheses where it binds less tightly than `loosest`."""
    return wrapped(node, p.level(node) < loosest)


def base(node: ir.Expression) -> list[Part]:
    """The expression before a `.`, `[` or `:`."""
    return wrapped(node, not p.is_base(node))


def barless(node: ir.Expression) -> list[Part]:
    """The expression at a place where a `|` would end it."""
    return wrapped(node, p.exposes_bar(node))


class ExpressionPrinter(PhrasePrinter):
    """Handlers of expressions and patterns."""

    def __init__(
        self, dialect: str, renamed: dict[str, str] | None = None, dropped: frozenset[str] = frozenset()
    ) -> None:
        self.dialect = dialect
        self.ampersand = dialect != "opencypher-9"
        self.renamed = renamed or {}
        self.dropped = dropped

    # -------------------------------------------------------------- names

    def name(self, name: str) -> str:
        """A variable or column."""
        return names.variable(self.renamed.get(name, name), self.dialect)

    def binding(self, name: str | None) -> str | None:
        """The variable of a pattern element, None where it has none worth printing."""
        return None if name is None or name in self.dropped else self.name(name)

    # -------------------------------------------------------------- atoms

    def literal(self, node: ir.Literal) -> Iterable[Part]:
        value = node.value
        if value is None:
            return ["null"]
        if isinstance(value, bool):
            return ["true" if value else "false"]
        if isinstance(value, str):
            return [names.string(value, self.dialect)]
        if isinstance(value, float) and math.isinf(value) and (node.text or "x")[0] in ".0123456789":
            return [str(node.text)]  # Too large a number, not the word Infinity, which a dialect may lack.
        return [number_text(value) if isinstance(value, int) else names.number(value)]

    def parameter(self, node: ir.Parameter) -> Iterable[Part]:
        return [names.parameter(node.name, self.dialect)]

    def ref(self, node: ir.Ref) -> Iterable[Part]:
        return [self.name(node.name)]

    def property(self, node: ir.Property) -> Iterable[Part]:
        return [*base(node.base), ".", names.key(node.key, self.dialect)]

    def index(self, node: ir.Index) -> Iterable[Part]:
        return [*base(node.base), "[", node.index, "]"]

    def slice(self, node: ir.Slice) -> Iterable[Part]:
        low = [node.low] if node.low else []
        high = [node.high] if node.high else []
        return [*base(node.base), "[", *low, "..", *high, "]"]

    def list_of(self, node: ir.ListOf) -> Iterable[Part]:
        items: list[Sequence[Part]] = [barless(item) for item in node.items]
        if len(items) == 1 and p.begins_with_membership(node.items[0]):
            items = [wrapped(node.items[0], True)]
        return ["[", *separated(items), "]"]

    def entry(self, node: ir.Entry) -> Iterable[Part]:
        return [names.key(node.key, self.dialect), ": ", node.value]

    # -------------------------------------------------------------- operators and functions

    def apply(self, node: ir.Apply) -> Iterable[Part]:
        name, args = node.function, node.args
        if name in p.INFIX:
            return self.infix(node)
        if name in p.POSTFIX_PREDICATES:
            return [*self.left(args[0], p.SUM), p.POSTFIX_PREDICATES[name]]
        if name == "not":
            return self.negation(args[0])
        if name in ("neg", "pos"):
            closed = p.level(args[0]) < p.POSTFIX or p.opening(args[0]) != ""
            return ["-" if name == "neg" else "+", *wrapped(args[0], closed)]
        if name == "count_star":
            return ["count(*)"]
        return [name, "(", *self.arguments(args, node.distinct), ")"]

    def infix(self, node: ir.Apply) -> Iterable[Part]:
        name, args = node.function, node.args
        spelling = p.INFIX[name][0]
        levels = p.operand_levels(name, len(args))
        shown = [wrapped(arg, p.needs_parentheses(arg, name, place, levels[place])) for place, arg in enumerate(args)]
        if isinstance(args[0], ir.CaseSubject):
            return [spelling, " ", *shown[1]]
        if name not in ("and", "or", "xor"):
            return separated(shown, f" {spelling} ")
        return [OPEN, INDENT, *separated(shown, [SPACE, f"{spelling} "]), DEDENT, CLOSE]

    def left(self, node: ir.Expression, loosest: int) -> list[Part]:
        """The left operand of a postfix predicate with the blank after it; nothing for the subject of CASE."""
        return [] if isinstance(node, ir.CaseSubject) else [*operand(node, loosest), " "]

    def negation(self, node: ir.Expression) -> Iterable[Part]:
        if isinstance(node, ir.IsTyped):
            return [*self.left(node.base, p.SUM), "IS NOT :: ", node.type]
        if isinstance(node, ir.IsNormalized):
            return [*self.left(node.base, p.SUM), f"IS NOT {_form(node)}NORMALIZED"]
        return ["NOT ", *wrapped(node, p.level(node) < p.NOT or p.opening(node) == "+")]

    def arguments(self, args: tuple[ir.Expression, ...], distinct: bool) -> list[Part]:
        return ["DISTINCT " if distinct else "", *separated(args)]

    def call(self, node: ir.Call) -> Iterable[Part]:
        return [names.function(node.name, self.dialect), "(", *self.arguments(node.args, node.distinct), ")"]

    def comparison(self, node: ir.Comparison) -> Iterable[Part]:
        parts = operand(node.operands[0], p.PREDICATE)
        for operator, value in zip(node.operators, node.operands[1:], strict=True):
            parts += [f" {p.INFIX[operator][0]} ", *operand(value, p.PREDICATE)]
        return parts

    def has_labels(self, node: ir.HasLabels) -> Iterable[Part]:
        subject: list[Part] = [] if isinstance(node.base, ir.CaseSubject) else base(node.base)
        return [*subject, ":", node.labels]

    def is_typed(self, node: ir.IsTyped) -> Iterable[Part]:
        return [*self.left(node.base, p.SUM), "IS :: ", node.type]

    def is_normalized(self, node: ir.IsNormalized) -> Iterable[Part]:
        return [*self.left(node.base, p.SUM), f"IS {_form(node)}NORMALIZED"]

    def value_type(self, node: ir.ValueType) -> Iterable[Part]:
        if node.name == "UNION":
            members: list[list[Part]] = [["ANY<", x, ">"] if _is_open_union(x) else [x] for x in node.arguments]
            shown = separated(members, " | ")
            return shown if _is_open_union(node) else ["ANY<", *shown, ">", " NOT NULL" if node.not_null else ""]
        inner = ["<", *separated(node.arguments, " | "), ">"] if node.arguments else []
        size = "" if node.size is None else f"({node.size})"
        return [node.name, *inner, size, " NOT NULL" if node.not_null else ""]

    # -------------------------------------------------------------- binders

    def quantified(self, node: ir.Quantified) -> Iterable[Part]:
        where: list[Part] = [" WHERE ", node.predicate] if node.predicate else []
        return [f"{node.kind}({self.name(node.variable)} IN ", *operand(node.source, p.SUM), *where, ")"]

    def list_comprehension(self, node: ir.ListComprehension) -> Iterable[Part]:
        where: list[Part] = [" WHERE ", *barless(node.where)] if node.where else []
        body: list[Part] = [" | ", node.body] if node.body else []
        return [f"[{self.name(node.variable)} IN ", *operand(node.source, p.SUM), *where, *body, "]"]

    def pattern_comprehension(self, node: ir.PatternComprehension) -> Iterable[Part]:
        where: list[Part] = [" WHERE ", *barless(node.where)] if node.where else []
        return ["[", node.path, *where, " | ", node.body, "]"]

    def reduce(self, node: ir.Reduce) -> Iterable[Part]:
        return ["reduce(", *self.accumulation(node), ")"]

    def all_reduce(self, node: ir.AllReduce) -> Iterable[Part]:
        return ["allReduce(", *self.accumulation(node), ", ", node.predicate, ")"]

    def accumulation(self, node: ir.Reduce | ir.AllReduce) -> list[Part]:
        start: list[Part] = [f"{self.name(node.accumulator)} = ", node.initial]
        step: list[Part] = [f", {self.name(node.variable)} IN ", *barless(node.source), " | ", node.body]
        return start + step

    def projected_property(self, node: ir.ProjectedProperty) -> Iterable[Part]:
        return [".", names.key(node.key, self.dialect)]

    def projected_variable(self, node: ir.ProjectedVariable) -> Iterable[Part]:
        return [self.name(node.name)]

    def projected_all(self, node: ir.ProjectedAll) -> Iterable[Part]:
        return [".*"]

    def map_projection(self, node: ir.MapProjection) -> Iterable[Part]:
        name = node.base.name
        shown = names.projected(self.renamed.get(name, name), self.dialect)
        if not node.items:
            return [shown, " {}"]
        items = separated(node.items, [",", SPACE])
        return [shown, " {", OPEN, INDENT, EDGE, *items, DEDENT, EDGE, CLOSE, "}"]

    def pattern_expression(self, node: ir.PatternExpression) -> Iterable[Part]:
        return [node.path]

    def subquery(self, node: ir.Subquery) -> Iterable[Part]:
        word = node.kind.upper()
        body = node.body
        if isinstance(body, ir.Pipeline) and len(body.operators) == 1 and node.kind in ("exists", "count"):
            match = body.operators[0]
            if isinstance(match, ir.Match) and _is_plain(match):
                return [word, " { ", *short_match(match), " }"]
        if isinstance(body, ir.Pipeline) and body.operators == (ir.Finish(),):
            return [word, " { {", body, "} }"]  # `COUNT {FINISH}` is a map projection.
        return [word, " {", INDENT, LINE, body, DEDENT, LINE, "}"]

    # -------------------------------------------------------------- labels

    def label_name(self, node: ir.LabelName) -> Iterable[Part]:
        return [names.label(node.name, self.dialect)]

    def label_dynamic(self, node: ir.LabelDynamic) -> Iterable[Part]:
        word = "any" if node.quantifier == "any" else ""
        return [f"${word}(", node.expression, ")"]

    def label_and(self, node: ir.LabelAnd) -> Iterable[Part]:
        colons = not self.ampersand or isinstance(node, ColonLabels)
        shown = [wrapped(x, isinstance(x, (ir.LabelOr, ir.LabelAnd))) for x in node.operands]
        return separated(shown, ":" if colons else "&")

    # -------------------------------------------------------------- patterns

    def node_pattern(self, node: ir.NodePattern) -> Iterable[Part]:
        return ["(", *self.filler(node), ")"]

    def filler(self, node: ir.NodePattern | ir.EdgePattern) -> list[Part]:
        """What stands within the brackets of a pattern element."""
        parts: list[Part] = []
        variable = self.binding(node.variable)
        if variable is not None:
            parts.append(variable)
        if node.labels is not None:
            parts += [":", node.labels]
        if isinstance(node, ir.EdgePattern) and node.hops is not None:
            parts.append(_hops(node.hops))
        for word, part in (("", node.properties), ("WHERE ", node.where)):
            if part is not None:
                parts += [" " if parts else "", word, part]
        return parts

    def edge_pattern(self, node: ir.EdgePattern) -> Iterable[Part]:
        start = "<-" if node.direction == "in" else "-"
        end = "->" if node.direction == "out" else "-"
        inner = self.filler(node)
        quantifier = "" if node.quantifier is None else _quantifier(node.quantifier)
        return [start, *(["[", *inner, "]"] if inner else []), end, quantifier]

    def path_group(self, node: ir.PathGroup) -> Iterable[Part]:
        where: list[Part] = [" WHERE ", node.where] if node.where else []
        return ["(", node.path, *where, ")", "" if node.quantifier is None else _quantifier(node.quantifier)]

    def path(self, node: ir.Path) -> Iterable[Part]:
        variable = self.binding(node.variable)
        start: list[Part] = [] if variable is None else [f"{variable} = "]
        selector = node.selector
        if selector is not None and selector.kind in _SHORTEST_FUNCTIONS:
            return [*start, _SHORTEST_FUNCTIONS[selector.kind], "(", *node.elements, ")"]
        mode = "" if node.mode is None else f"{node.mode.upper()} "
        if selector is None:
            return [*start, mode, *node.elements]
        kind = selector.kind
        groups = "GROUPS " if kind == "shortest_groups" else ""
        return [*start, selector, " ", mode, groups, *node.elements]

    def selector(self, node: ir.Selector) -> Iterable[Part]:
        word = _SELECTORS[node.kind]
        return [word] if node.count is None else [f"{word} ", node.count]

    handlers: ClassVar = {
        **PhrasePrinter.handlers,
        ir.Literal: literal,
        ir.Parameter: parameter,
        ir.Ref: ref,
        ir.Property: property,
        ir.Index: index,
        ir.Slice: slice,
        ir.ListOf: list_of,
        ir.Entry: entry,
        ir.Apply: apply,
        ir.Call: call,
        ir.Comparison: comparison,
        ir.HasLabels: has_labels,
        ir.IsTyped: is_typed,
        ir.IsNormalized: is_normalized,
        ir.ValueType: value_type,
        ir.Quantified: quantified,
        ir.ListComprehension: list_comprehension,
        ir.PatternComprehension: pattern_comprehension,
        ir.Reduce: reduce,
        ir.AllReduce: all_reduce,
        ir.ProjectedProperty: projected_property,
        ir.ProjectedVariable: projected_variable,
        ir.ProjectedAll: projected_all,
        ir.MapProjection: map_projection,
        ir.PatternExpression: pattern_expression,
        ir.Subquery: subquery,
        ir.LabelName: label_name,
        ir.LabelDynamic: label_dynamic,
        ir.LabelAnd: label_and,
        ColonLabels: label_and,
        ir.NodePattern: node_pattern,
        ir.EdgePattern: edge_pattern,
        ir.PathGroup: path_group,
        ir.Path: path,
        ir.Selector: selector,
    }


_SHORTEST_FUNCTIONS = {"shortest_path": "shortestPath", "all_shortest_paths": "allShortestPaths"}
_SELECTORS = {
    "all": "ALL",
    "any": "ANY",
    "any_shortest": "ANY SHORTEST",
    "all_shortest": "ALL SHORTEST",
    "shortest": "SHORTEST",
    "shortest_groups": "SHORTEST",
}


def number_text(value: int) -> str:
    """The digits of an integer of any length."""
    if value.bit_length() < 13_000:
        return str(value)
    digits: list[str] = []
    rest = abs(value)
    while rest:
        rest, low = divmod(rest, 10**4000)
        digits.append(str(low).zfill(4000) if rest else str(low))
    return ("-" if value < 0 else "") + "".join(reversed(digits))


def _form(node: ir.IsNormalized) -> str:
    return "" if node.form == "NFC" else f"{node.form} "


def _is_open_union(node: ir.ValueType) -> bool:
    """Whether the type is written `A | B`, without ANY<..> around it."""
    return node.name == "UNION" and len(node.arguments) > 1 and not node.not_null


def _hops(bounds: ir.Bounds) -> str:
    low, high = bounds.low, bounds.high
    if high is None:
        return "*" if low == 1 else f"*{low}.."
    return f"*{low}" if low == high else f"*{low}..{high}"


def _quantifier(bounds: ir.Bounds) -> str:
    low, high = bounds.low, bounds.high
    if high is None:
        return {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"


def _is_plain(match: ir.Match) -> bool:
    """Whether the clause is nothing but patterns and WHERE."""
    ordinary = match.uniqueness == "different_edges" and not match.optional
    return ordinary and not match.hints and match.search is None


def short_match(match: ir.Match) -> list[Part]:
    """The patterns and the condition of a plain MATCH, on one line."""
    where: list[Part] = [" WHERE ", match.where] if match.where else []
    return [*separated(match.paths), *where]


def with_colons(path: ir.Path) -> ir.Path:
    """The path of CREATE or MERGE, its label conjunctions to be printed with colons."""
    elements = tuple([_colon(element) for element in path.elements])
    changed = any(a is not b for a, b in zip(elements, path.elements, strict=True))
    return dataclasses.replace(path, elements=elements) if changed else path


def _colon(element: ir.PathElement) -> ir.PathElement:
    if isinstance(element, ir.NodePattern) and isinstance(element.labels, ir.LabelAnd):
        labels = element.labels
        if all(isinstance(x, (ir.LabelName, ir.LabelDynamic)) for x in labels.operands):
            return dataclasses.replace(element, labels=ColonLabels(labels.operands, span=labels.span))
    return element
