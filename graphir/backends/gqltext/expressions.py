"""Printing expressions and patterns of GQL: the handlers of `graphir.backends.gqltext.printer` for them.

A handler returns parts and calls no other handler.  What is printed parses to the same IR in its dialect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from graphir import ir
from graphir.backends.gqltext import precedence as p
from graphir.backends.gqltext.spelling import LITERALS, bytes_, spelling
from graphir.backends.phrases import PhrasePrinter, wrapped
from graphir.backends.printing import Handler, Mark, Part, separated

LINE, INDENT, DEDENT = Mark.LINE, Mark.INDENT, Mark.DEDENT
OPEN, CLOSE, SPACE, EDGE = Mark.OPEN, Mark.CLOSE, Mark.SPACE, Mark.EDGE


def is_sql(body: ir.Body) -> bool:
    """Whether a body is a query in SQL."""
    while isinstance(body, ir.SetOperation):
        body = body.branches[0]
    return isinstance(body, (ir.Select, ir.TableQuery, ir.Sql, ir.Values))


def operand(node: ir.Expression, loosest: int) -> list[Part]:
    """The expression, in parentheses where it binds less tightly than `loosest`."""
    return wrapped(node, p.level(node) < loosest)


def base(node: ir.Expression) -> list[Part]:
    """The expression before a `.` or `[`."""
    return wrapped(node, not p.is_base(node))


def bounds(node: ir.Bounds) -> list[Part]:
    """A quantifier."""
    low: Part = str(node.low) if node.low_parameter is None else node.low_parameter
    high: Part | None = node.high_parameter
    if high is None and node.high is not None:
        high = str(node.high)
    if low == high:
        return ["{", low, "}"]
    if high is None and node.low < 2 and node.low_parameter is None:
        return ["+" if node.low else "*"]
    return ["{", low, ",", "" if high is None else high, "}"]


_SELECTORS = {
    "all": "ALL",
    "any": "ANY",
    "any_shortest": "ANY SHORTEST",
    "all_shortest": "ALL SHORTEST",
    "shortest": "SHORTEST",
    "shortest_groups": "SHORTEST",
    "any_cheapest": "ANY CHEAPEST",
    "all_cheapest": "ALL CHEAPEST",
    "cheapest": "CHEAPEST",
}


class ExpressionPrinter(PhrasePrinter):
    """Handlers of expressions and patterns."""

    def __init__(
        self, dialect: str, renamed: Mapping[str, str] | None = None, dropped: frozenset[str] = frozenset()
    ) -> None:
        self.dialect = dialect
        self.spelling = spelling(dialect)
        self.renamed = renamed or {}
        self.dropped = dropped

    # -------------------------------------------------------------- names

    def name(self, name: str) -> str:
        """A variable or column."""
        return self.spelling.variable(self.renamed.get(name, name))

    def binding(self, name: str | None) -> str | None:
        """The variable of a pattern element, None where it has none worth printing."""
        return None if name is None or name in self.dropped else self.name(name)

    def graph_name(self, node: ir.GraphName) -> Iterable[Part]:
        return [".".join([self.spelling.variable(part) for part in node.name])]

    # -------------------------------------------------------------- atoms

    def literal(self, node: ir.Literal) -> Iterable[Part]:
        value = node.value
        if value is None:
            return ["NULL"]
        if isinstance(value, bool):
            return ["TRUE" if value else "FALSE"]
        if isinstance(value, str):
            return [self.spelling.text(value)]
        return [self.spelling.floating(value) if isinstance(value, float) else str(value)]

    def parameter(self, node: ir.Parameter) -> Iterable[Part]:
        if node.name == "?" or node.name.startswith("@"):
            return [node.name if node.name == "?" else f"@{node.name}"]
        return [self.spelling.parameter_name(node.name)]

    def ref(self, node: ir.Ref) -> Iterable[Part]:
        return [self.name(node.name)]

    def property(self, node: ir.Property) -> Iterable[Part]:
        return [*base(node.base), ".", self.spelling.key(node.key)]

    def index(self, node: ir.Index) -> Iterable[Part]:
        return [*base(node.base), "[", node.index, "]"]

    def list_of(self, node: ir.ListOf) -> Iterable[Part]:
        return ["[", *separated(node.items), "]"]

    def entry(self, node: ir.Entry) -> Iterable[Part]:
        return [self.spelling.label(node.key), ": ", node.value]

    # -------------------------------------------------------------- operators

    def apply(self, node: ir.Apply) -> Iterable[Part]:
        name, args = node.function, node.args
        has_two = args[1:] != ()
        if name in p.INFIX and has_two and (name != "mod" or self.spelling.percent):
            return self.infix(node)
        if name in p.PREDICATES:
            return self.predicate(node, negated=False)
        if name == "not":
            return self.negation(args[0])
        if name in p.SIGNS:
            closed = p.level(args[0]) < p.POSTFIX or p.opens_bracket(args[0])
            return [p.SIGNS[name], *wrapped(args[0], closed)]
        if name in p.SUBSCRIPTS:
            return [*base(args[0]), f"[{p.SUBSCRIPTS[name]}(", args[1], ")]"]
        if name in self.forms:
            return self.forms[name](self, node)
        return [self.spelling.canonical(name), "(", *self.arguments(args, node.distinct), ")"]

    def infix(self, node: ir.Apply) -> Iterable[Part]:
        name, args = node.function, node.args
        word, own = p.INFIX[name]
        word = self.spelling.unequal if name == "ne" else word
        first = own + 1 if own == p.PREDICATE or name in p.JUNCTIONS else own
        shown = [operand(arg, own + 1 if place else first) for place, arg in enumerate(args)]
        if isinstance(args[0], ir.CaseSubject):
            return [word, " ", *shown[1]]
        if name not in p.JUNCTIONS:
            return separated(shown, f" {word} ")
        return [OPEN, INDENT, *separated(shown, [SPACE, f"{word} "]), DEDENT, CLOSE]

    def predicate(self, node: ir.Apply, *, negated: bool) -> Iterable[Part]:
        """The predicates that are written with NOT in their midst where they are negated."""
        name, (value, *rest) = node.function, node.args
        no = "NOT " if negated else ""
        start: list[Part] = [] if isinstance(value, ir.CaseSubject) else [*operand(value, p.BIT_OR), " "]
        if name == "is_not_null":
            return [*start, "IS NOT NULL"]
        if name in p.TESTS:
            return [*start, f"IS {no}{p.TESTS[name]}"]
        if name == "between":
            return [*start, f"{no}BETWEEN ", *operand(rest[0], p.BIT_OR), " AND ", *operand(rest[1], p.BIT_OR)]
        if name in ("like_any", "like_all"):
            word = "ALL" if name == "like_all" else "ANY"
            return [*start, f"{no}LIKE {word} ", *self.within(rest[0])]
        if name == "in":
            return [*start, f"{no}IN ", *self.within(rest[0])]
        words = {
            "like": f"{no}LIKE ",
            "is_distinct": f"IS {no}DISTINCT FROM ",
            "is_source": f"IS {no}SOURCE OF ",
            "is_destination": f"IS {no}DESTINATION OF ",
        }
        return [*start, words[name], *operand(rest[0], p.BIT_OR)]

    def within(self, source: ir.Expression) -> list[Part]:
        """What stands behind IN."""
        if not self.spelling.unnest:
            return operand(source, p.BIT_OR)
        if isinstance(source, ir.ListOf) and source.items:
            return ["(", *separated(source.items), ")"]
        if isinstance(source, ir.Subquery) and source.kind == "collect":
            return ["(", source.body, ")"] if is_sql(source.body) else braces("", source.body)
        return ["UNNEST(", source, ")"]

    def negation(self, node: ir.Expression) -> Iterable[Part]:
        outside = isinstance(node, ir.Apply) and node.function == "in" and not self.spelling.unnest
        if outside or not p.is_predicate(node):
            return ["NOT ", *operand(node, p.NOT)]
        if isinstance(node, ir.Apply):
            return self.predicate(node, negated=True)
        return self.test(node, negated=True)

    def test(self, node: ir.Expression, *, negated: bool = False) -> Iterable[Part]:
        """Predicates that are classes of their own."""
        no = "NOT " if negated else ""
        if isinstance(node, ir.HasLabels):
            return [*operand(node.base, p.BIT_OR), f" IS {no}LABELED ", node.labels]
        if isinstance(node, ir.IsTyped):
            return [*operand(node.base, p.BIT_OR), f" IS {no}TYPED ", node.type]
        assert isinstance(node, ir.IsNormalized)
        form = "" if node.form == "NFC" else f"{node.form} "
        return [*operand(node.base, p.BIT_OR), f" IS {no}{form}NORMALIZED"]

    # -------------------------------------------------------------- functions

    def arguments(self, args: tuple[ir.Expression, ...], distinct: bool) -> list[Part]:
        """What stands in the brackets of a call; what an aggregate does to its rows comes behind the last argument."""
        shown: list[Part | list[Part]] = []
        behind: list[Part] = []
        for place, arg in enumerate(args):
            if place == 0 and isinstance(arg, ir.Modified):
                shown.append(arg.value)
                behind = self.modifiers(arg)
            elif isinstance(arg, ir.Named):
                shown.append([f"{self.spelling.variable(arg.name or '')} => ", arg.value])
            elif isinstance(arg, ir.GraphName):
                shown.append(["GRAPH ", arg])
            else:
                shown.append(arg)
        return ["DISTINCT " if distinct else "", *separated(shown), *behind]

    def modifiers(self, node: ir.Modified) -> list[Part]:
        parts: list[Part] = [] if node.nulls is None else [f" {node.nulls.upper()} NULLS"]
        if node.having is not None and node.having_value is not None:
            parts += [f" HAVING {node.having.upper()} ", node.having_value]
        if node.order:
            parts += [" ORDER BY ", *separated(node.order)]
        return parts if node.limit is None else [*parts, " LIMIT ", node.limit]

    def call(self, node: ir.Call) -> Iterable[Part]:
        return [self.spelling.function(node.name), "(", *self.arguments(node.args, node.distinct), ")"]

    def count_star(self, node: ir.Apply) -> Iterable[Part]:
        return ["COUNT(*)"]

    def extract(self, node: ir.Apply) -> Iterable[Part]:
        part, value, *zone = node.args
        return ["EXTRACT(", part, " FROM ", value, *[x for each in zone for x in (" AT TIME ZONE ", each)], ")"]

    def interval(self, node: ir.Apply) -> Iterable[Part]:
        value, part, *to = node.args
        return ["INTERVAL ", *operand(value, p.SIGN), " ", part, *[x for each in to for x in (" TO ", each)]]

    def bytes(self, node: ir.Apply) -> Iterable[Part]:
        argument = node.args[0]
        assert isinstance(argument, ir.Literal)
        text = str(argument.value)
        return [bytes_(text)]

    def path_value(self, node: ir.Apply) -> Iterable[Part]:
        return [self.spelling.path, *separated(node.args), "]" if self.spelling.path[-1] == "[" else ")"]

    def window(self, node: ir.Window) -> Iterable[Part]:
        return [node.function, f" {node.over}"]

    def lambda_(self, node: ir.Lambda) -> Iterable[Part]:
        names = [self.name(each) for each in node.parameters]
        head = names[0] if len(names) == 1 else f"({', '.join(names)})"
        return [f"{head} -> ", node.body]

    def unpack(self, node: ir.Unpack) -> Iterable[Part]:
        return ["*"] if node.value is None else ["**", node.value]

    def named(self, node: ir.Named) -> Iterable[Part]:
        """A field of a record."""
        return [node.value, "" if node.name is None else f" AS {self.spelling.variable(node.name)}"]

    def struct(self, node: ir.Struct) -> Iterable[Part]:
        return ["STRUCT", *([] if node.type is None else self.fields(node.type)), "(", *separated(node.fields), ")"]

    def cast(self, node: ir.Cast) -> Iterable[Part]:
        value, type_ = node.value, node.type
        if node.keyword == "literal":
            if isinstance(value, ir.ListOf):
                return [node.type, value]
            if type_.name in LITERALS and isinstance(value, ir.Literal):
                return [f"{LITERALS[type_.name]} ", value]
        form: list[Part] = [] if node.format is None else [" FORMAT ", node.format]
        return ["SAFE_CAST(" if node.safe else "CAST(", value, " AS ", type_, *form, ")"]

    def value_type(self, node: ir.ValueType) -> Iterable[Part]:
        required = " NOT NULL" if node.not_null else ""
        name = self.type_name(node)
        size = "" if node.size is None else f"({node.size})"
        return [name, size, *self.fields(node), required]

    def type_name(self, node: ir.ValueType) -> str:
        return self.spelling.types.get(node.name, node.name)

    def fields(self, node: ir.ValueType) -> list[Part]:
        if not node.arguments:
            return ["<>"] if node.name == "RECORD" else []
        names = node.fields or ("",) * len(node.arguments)
        shown: list[list[Part]] = [
            [f"{self.spelling.variable(name)} " if name else "", type_]
            for name, type_ in zip(names, node.arguments, strict=True)
        ]
        return ["<", *separated(shown), ">"]

    # -------------------------------------------------------------- subqueries

    def subquery(self, node: ir.Subquery) -> Iterable[Part]:
        body = node.body
        words = {"exists": "EXISTS", "count": "COUNT", "collect": self.spelling.collect, "value": "VALUE"}
        word = words[node.kind]
        if is_sql(body):
            opening = "" if node.kind == "value" else f"{word} " if node.kind == "exists" else word
            return [OPEN, f"{opening}(", INDENT, EDGE, body, DEDENT, EDGE, ")", CLOSE]
        if isinstance(body, ir.Pipeline) and len(body.operators) == 1 and node.kind == "exists":
            match = body.operators[0]
            if isinstance(match, ir.Match) and not match.optional:
                where: list[Part] = [] if match.where is None else [" WHERE ", match.where]
                mode = self.mode(match)
                return [word, " { ", "" if mode == " " else f"MATCH{mode}", *separated(match.paths), *where, " }"]
        return braces(f"{word} ", body)

    def mode(self, node: ir.Match) -> str:
        """The match mode with a blank before and after it, where it is to be written."""
        if node.uniqueness == self.spelling.default_mode and not node.stated:
            return " "
        repeated = node.uniqueness == "repeatable_elements"
        return f" {'REPEATABLE ELEMENTS' if repeated else self.spelling.different} "

    def sql(self, node: ir.Sql) -> Iterable[Part]:
        return [node.text]

    # -------------------------------------------------------------- labels

    def label_name(self, node: ir.LabelName) -> Iterable[Part]:
        return [self.spelling.label(node.name)]

    def label_and(self, node: ir.LabelAnd) -> Iterable[Part]:
        return separated([wrapped(x, isinstance(x, (ir.LabelOr, ir.LabelAnd))) for x in node.operands], "&")

    # -------------------------------------------------------------- patterns

    def node_pattern(self, node: ir.NodePattern) -> Iterable[Part]:
        return ["(", *self.filler(node), ")"]

    def filler(self, node: ir.NodePattern | ir.EdgePattern) -> list[Part]:
        """What stands within the brackets of a pattern element."""
        variable = self.binding(node.variable)
        parts: list[Part] = [] if variable is None else [variable]
        if node.labels is not None:
            parts += [":", node.labels]
        for word, part in (("", node.properties), ("WHERE ", node.where), ("COST ", node.cost)):
            if part is not None:
                parts += [" " if parts else "", word, part]
        return parts

    def edge_pattern(self, node: ir.EdgePattern) -> Iterable[Part]:
        left = "<-[" if node.direction == "in" else "-["
        right = "]->" if node.direction == "out" else "]-"
        quantifier = [] if node.quantifier is None else bounds(node.quantifier)
        return [left, *self.filler(node), right, *quantifier]

    def path_group(self, node: ir.PathGroup) -> Iterable[Part]:
        where: list[Part] = [" WHERE ", node.where] if node.where else []
        quantifier = [] if node.quantifier is None else bounds(node.quantifier)
        return ["(", node.path, *where, ")", *quantifier]

    def path(self, node: ir.Path) -> Iterable[Part]:
        variable = self.binding(node.variable)
        parts: list[Part] = [] if variable is None else [f"{variable} = "]
        if node.selector is not None:
            parts.append(node.selector)
        if node.mode is not None:
            parts.append(f"{node.mode.upper()} ")
        if node.selector is not None and node.selector.kind == "shortest_groups":
            parts.append("GROUPS ")
        before = False
        for element in node.elements:
            is_edge = isinstance(element, ir.EdgePattern)
            parts += [" ", element] if before and is_edge else [element]
            before = is_edge
        return parts

    def selector(self, node: ir.Selector) -> Iterable[Part]:
        count: list[Part] = [] if node.count is None else [node.count, " "]
        return [f"{_SELECTORS[node.kind]} ", *count]

    forms: ClassVar[dict[str, Handler]] = {
        "count_star": count_star,
        "extract": extract,
        "interval": interval,
        "bytes": bytes,
        "path": path_value,
    }
    """Functions with a form of their own."""
    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        **PhrasePrinter.handlers,
        ir.GraphName: graph_name,
        ir.Literal: literal,
        ir.Parameter: parameter,
        ir.Ref: ref,
        ir.Property: property,
        ir.Index: index,
        ir.ListOf: list_of,
        ir.Entry: entry,
        ir.Apply: apply,
        ir.Call: call,
        ir.HasLabels: test,
        ir.IsTyped: test,
        ir.IsNormalized: test,
        ir.ValueType: value_type,
        ir.Window: window,
        ir.Lambda: lambda_,
        ir.Unpack: unpack,
        ir.Named: named,
        ir.Struct: struct,
        ir.Cast: cast,
        ir.Subquery: subquery,
        ir.Sql: sql,
        ir.LabelName: label_name,
        ir.LabelAnd: label_and,
        ir.NodePattern: node_pattern,
        ir.EdgePattern: edge_pattern,
        ir.PathGroup: path_group,
        ir.Path: path,
        ir.Selector: selector,
    }


def braces(word: str, body: ir.Node) -> list[Part]:
    """A query in braces, on lines of its own."""
    return [word, "{", INDENT, LINE, body, DEDENT, LINE, "}"]
