"""GoogleSQL's text of legalized IR: expressions and patterns, which GQL and SQL/PGQ share, and GQL's clauses.

Prints word for word; what needs thought has been done by `graphir.backends.gql.legalize`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from graphir import ir
from graphir.backends.gql import names
from graphir.backends.gql.nodes import Extract, Interval, Unrepeated
from graphir.backends.gql.selection import WORDS
from graphir.backends.printing import Handler, Mark, Part, Printer, listed, separated
from graphir.ir.names import MARK, generated, is_generated

LINE, INDENT, DEDENT = Mark.LINE, Mark.INDENT, Mark.DEDENT
OPEN, CLOSE, SPACE = Mark.OPEN, Mark.CLOSE, Mark.SPACE

OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, ATOM = range(8)
"""How tightly the operators bind, from the loosest."""

INFIX: dict[str, tuple[str, int]] = {
    "or": ("OR", OR),
    "and": ("AND", AND),
    "eq": ("=", COMPARISON),
    "ne": ("!=", COMPARISON),
    "lt": ("<", COMPARISON),
    "le": ("<=", COMPARISON),
    "gt": (">", COMPARISON),
    "ge": (">=", COMPARISON),
    "like": ("LIKE", COMPARISON),
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "concat": ("||", PRODUCT),
}
TESTS = {"is_null": "IS NULL", "is_not_null": "IS NOT NULL"}
AGGREGATES = {"count": "COUNT", "sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "collect": "ARRAY_AGG"}
MODES = {None: "", "walk": "", "trail": "TRAIL ", "acyclic": "ACYCLIC ", "simple": "SIMPLE "}


def level(node: ir.Node) -> int:
    """How tightly the printed expression holds together."""
    if isinstance(node, ir.Apply):
        if node.function in INFIX:
            return INFIX[node.function][1]
        if node.function in TESTS or node.function == "in":
            return COMPARISON
        return {"not": NOT, "neg": SIGN}.get(node.function, ATOM)
    if isinstance(node, ir.HasLabels):
        return COMPARISON
    if isinstance(node, ir.Quantified):
        return ATOM if node.kind == "any" else NOT
    if isinstance(node, ir.Literal) and isinstance(node.value, (int, float)) and str(node.value).startswith("-"):
        return SIGN
    return ATOM


def _begins_with_match(body: ir.Body) -> bool:
    """Whether the graph of a subquery may go without saying."""
    while isinstance(body, ir.SetOperation):
        body = body.branches[0]
    return isinstance(body, ir.Pipeline) and isinstance(body.operators[0], ir.Match)


def operand(node: ir.Node, loosest: int) -> list[Part]:
    """The expression, in parentheses where it holds together less tightly than `loosest`."""
    return ["(", node, ")"] if level(node) < loosest else [node]


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a dialect writes names, strings and floats: as GoogleSQL does, unless it says otherwise."""

    identifier: Callable[[str], str] = names.identifier
    string: Callable[[str], str] = names.string
    floating: Callable[[float], str] = names.floating


GOOGLE = Spelling()


class GoogleSql(Printer):
    """Expressions and patterns.  `labels` is the word before a label expression."""

    labels: ClassVar[str] = ":"

    def __init__(self, roots: Iterable[ir.Node], results: Iterable[str], spelling: Spelling = GOOGLE) -> None:
        self.spelling = spelling
        given, bound = _named(roots)
        used = dict.fromkeys(given)
        self.dropped = {name for name in bound if is_generated(name) and name not in used}
        every = dict.fromkeys((*used, *bound))
        self.names = names.Names([*results, *[n for n in every if not is_generated(n)], *every])
        self._written: dict[str | None, str] = {}
        self.graph: Sequence[str] = ()

    def name(self, name: str | None) -> str:
        written = self._written.get(name)
        if written is None:
            written = self._written[name] = self.identifier(self.names[name or ""])
        return written

    def identifier(self, name: str) -> str:
        return self.spelling.identifier(name)

    # -------------------------------------------------------------- expressions

    def literal(self, node: ir.Literal) -> Iterable[Part]:
        value = node.value
        if value is None:
            return ["NULL"]
        if isinstance(value, bool):
            return ["TRUE" if value else "FALSE"]
        if isinstance(value, str):
            return [self.spelling.string(value)]
        return [self.spelling.floating(value) if isinstance(value, float) else str(value)]

    def parameter(self, node: ir.Parameter) -> Iterable[Part]:
        return ["@", self.identifier(node.name)]

    def ref(self, node: ir.Ref) -> Iterable[Part]:
        return [self.name(node.name)]

    def property(self, node: ir.Property) -> Iterable[Part]:
        return [*operand(node.base, ATOM), ".", self.identifier(node.key)]

    def index(self, node: ir.Index) -> Iterable[Part]:
        return [*operand(node.base, ATOM), "[", node.index, "]"]

    def list_of(self, node: ir.ListOf) -> Iterable[Part]:
        return ["[", *separated(node.items), "]"]

    def call(self, node: ir.Call) -> Iterable[Part]:
        return [".".join(node.name), "(", *separated(node.args), ")"]

    def apply(self, node: ir.Apply) -> Iterable[Part]:
        name, args = node.function, node.args
        if name in INFIX:
            word, own = INFIX[name]
            first = own + 1 if own == COMPARISON else own
            parts = [operand(args[0], first), *[operand(arg, own + 1) for arg in args[1:]]]
            return separated(parts, f" {word} ")
        if name in TESTS:
            return [*operand(args[0], COMPARISON + 1), " ", TESTS[name]]
        if name == "in":
            within: list[Part] = ["UNNEST(", args[1], ")"]
            if isinstance(args[1], ir.ListOf):
                within = ["(", *separated(args[1].items), ")"]
            return [*operand(args[0], COMPARISON + 1), " IN ", *within]
        if name == "not":
            return ["NOT ", *operand(args[0], NOT)]
        if name == "neg":
            return ["-", *operand(args[0], ATOM)]
        if name == "date":
            return ["DATE ", args[0]]
        if name == "count_star":
            return ["COUNT(*)"]
        end: list[Part] = [" IGNORE NULLS" if name == "collect" else "", ")"]
        value = args[0]
        if isinstance(value, ir.Modified):
            end = [" IGNORE NULLS" if name == "collect" else "", " ORDER BY ", *separated(value.order), ")"]
            value = value.value
        others = [part for each in args[1:] for part in (", ", each)]
        return [AGGREGATES.get(name, name), "(", "DISTINCT " if node.distinct else "", value, *others, *end]

    def cast(self, node: ir.Cast) -> Iterable[Part]:
        if node.keyword == "literal":
            return [node.type.name, " ", node.value]
        return ["SAFE_CAST(" if node.safe else "CAST(", node.value, f" AS {node.type.name})"]

    def struct(self, node: ir.Struct) -> Iterable[Part]:
        fields: list[Sequence[Part]] = [[f.value, f" AS {self.identifier(f.name or '')}"] for f in node.fields]
        return ["STRUCT(", *separated(fields), ")"]

    def extract(self, node: Extract) -> Iterable[Part]:
        zone = "" if node.zone is None else f" AT TIME ZONE {self.spelling.string(node.zone)}"
        return [f"EXTRACT({node.part} FROM ", node.value, f"{zone})"]

    def interval(self, node: Interval) -> Iterable[Part]:
        return ["INTERVAL ", *operand(node.value, ATOM), f" {node.unit}"]

    def keyword(self, node: ir.Keyword) -> Iterable[Part]:
        return [node.name]

    def has_labels(self, node: ir.HasLabels) -> Iterable[Part]:
        return [node.base, " IS LABELED ", node.labels]

    def case(self, node: ir.Case) -> Iterable[Part]:
        subject: list[Part] = [] if node.subject is None else [" ", node.subject]
        default: list[Part] = [] if node.default is None else [" ELSE ", node.default]
        return ["CASE", *subject, *node.branches, *default, " END"]

    def branch(self, node: ir.Branch) -> Iterable[Part]:
        return [" WHEN ", node.tests[0], " THEN ", node.result]

    def quantified(self, node: ir.Quantified) -> Iterable[Part]:
        """any, none and all over the edges of a group."""
        assert node.predicate is not None
        test: list[Part] = [node.predicate]
        if node.kind == "all":
            test = [*operand(node.predicate, COMPARISON + 1), " IS NOT TRUE"]
        word = "EXISTS" if node.kind == "any" else "NOT EXISTS"
        return [word, " (SELECT 1 FROM UNNEST(", node.source, f") AS {self.name(node.variable)} WHERE ", *test, ")"]

    def comprehension(self, node: ir.ListComprehension) -> Iterable[Part]:
        """A list of what each item of a list has, in its order."""
        assert node.body is not None
        place = self.name(_place_of(node))
        parts: list[Part] = [
            "ARRAY(SELECT ",
            node.body,
            " FROM UNNEST(",
            node.source,
            ") AS ",
            self.name(node.variable),
        ]
        parts.append(f" WITH OFFSET AS {place}")
        if node.where is not None:
            parts += [" WHERE ", node.where]
        return [*parts, f" ORDER BY {place})"]

    def unrepeated(self, node: Unrepeated) -> Iterable[Part]:
        item = self.name(node.variable)
        source = self.name(node.source)
        return [f"ARRAY(SELECT ANY_VALUE({item}) FROM UNNEST({source}) AS {item} GROUP BY {item}.{node.field})"]

    def asked(self) -> str:
        """The graph, named."""
        return f"GRAPH {names.whole(self.graph, self.identifier)}"

    def subquery(self, node: ir.Subquery) -> Iterable[Part]:
        word = "ARRAY" if node.kind == "collect" else node.kind.upper()
        graph: list[Part] = [] if _begins_with_match(node.body) else [LINE, self.asked()]
        return [word, " {", INDENT, *graph, node.body, DEDENT, LINE, "}"]

    # -------------------------------------------------------------- clauses

    def pipeline(self, node: ir.Pipeline) -> Iterable[Part]:
        return [part for operator in node.operators for part in (LINE, operator)]

    def filter(self, node: ir.Filter) -> Iterable[Part]:
        return self.condition("FILTER", node.predicate)

    def unwind(self, node: ir.Unwind) -> Iterable[Part]:
        offset = "" if node.offset is None else f" WITH OFFSET AS {self.name(node.offset)}"
        return [f"FOR {self.name(node.variable)} IN ", node.source, offset]

    def order(self, node: ir.Order) -> Iterable[Part]:
        return listed("ORDER BY", node.keys)

    def page(self, node: ir.Page) -> Iterable[Part]:
        bounds = [(word, value) for word, value in (("OFFSET ", node.skip), ("LIMIT ", node.limit)) if value]
        return separated([[word, value] for word, value in bounds], LINE)

    def project(self, node: ir.Project) -> Iterable[Part]:
        word = "RETURN" if node.final else "WITH"
        parts = listed(f"{word} DISTINCT" if node.distinct else word, node.items)
        if node.group_by:
            parts += [LINE, *listed("GROUP BY", node.group_by)]
        if node.order:
            parts += [LINE, *listed("ORDER BY", node.order)]
        if node.skip is not None or node.limit is not None:
            parts += [LINE, ir.Page(node.skip, node.limit)]
        return parts

    # -------------------------------------------------------------- patterns

    def match(self, node: ir.Match) -> Iterable[Part]:
        where: list[Part] = [] if node.where is None else [LINE, *self.condition("WHERE", node.where)]
        return [*listed("OPTIONAL MATCH" if node.optional else "MATCH", node.paths), *where]

    def condition(self, word: str, condition: ir.Expression) -> list[Part]:
        """The keyword and the condition; the parts of a long conjunction go to a line each."""
        if not (isinstance(condition, ir.Apply) and condition.function == "and"):
            return [word, " ", condition]
        parts = [operand(arg, AND + 1) for arg in condition.args]
        return [OPEN, word, INDENT, " ", *separated(parts, [SPACE, "AND "]), DEDENT, CLOSE]

    def path(self, node: ir.Path) -> Iterable[Part]:
        start = "" if node.variable is None or node.variable in self.dropped else f"{self.name(node.variable)} = "
        selector = "" if node.selector is None else f"{WORDS[node.selector.kind]} "
        return [start, selector, MODES[node.mode], *node.elements]

    def group(self, node: ir.PathGroup) -> Iterable[Part]:
        return ["(", node.path, ")"]

    def node_pattern(self, node: ir.NodePattern) -> Iterable[Part]:
        return ["(", *self.filler(node), ")"]

    def edge_pattern(self, node: ir.EdgePattern) -> Iterable[Part]:
        left, right = {"out": ("-[", "]->"), "in": ("<-[", "]-"), "any": ("-[", "]-")}[node.direction]
        filler = list(self.filler(node))
        if node.quantifier is None:
            return [left, *filler, right]
        low, high = node.quantifier.low, node.quantifier.high
        return [left, *filler, right, f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"]

    def filler(self, node: ir.NodePattern | ir.EdgePattern) -> Iterator[Part]:
        """What stands in the brackets of a pattern element."""
        named = node.variable is not None and node.variable not in self.dropped
        if named:
            yield self.name(node.variable)
        if node.labels is not None:
            yield self.labels if named else self.labels.lstrip()
            yield node.labels
        blank = " " if named or node.labels is not None else ""
        if isinstance(node.properties, ir.MapOf):
            yield blank + "{"
            yield from separated(node.properties.entries)
            yield "}"
        if node.where is not None:
            yield blank + "WHERE "
            yield node.where

    def entry(self, node: ir.Entry) -> Iterable[Part]:
        return [self.identifier(node.key), ": ", node.value]

    def label_name(self, node: ir.LabelName) -> Iterable[Part]:
        return [self.identifier(node.name)]

    def label_any(self, _node: ir.LabelAny) -> Iterable[Part]:
        return ["%"]

    def label_not(self, node: ir.LabelNot) -> Iterable[Part]:
        return ["!", *_label(node.operand, (ir.LabelAnd, ir.LabelOr))]

    def label_and(self, node: ir.LabelAnd) -> Iterable[Part]:
        return separated([_label(part, (ir.LabelAnd, ir.LabelOr)) for part in node.operands], "&")

    def label_or(self, node: ir.LabelOr) -> Iterable[Part]:
        return separated([_label(part, (ir.LabelOr,)) for part in node.operands], "|")

    # -------------------------------------------------------------- columns

    def item(self, node: ir.Item) -> Iterable[Part]:
        name = self.name(node.name)
        if isinstance(node.value, ir.Ref) and self.name(node.value.name) == name:
            return [name]
        return [node.value, f" AS {name}"]

    def sort_key(self, node: ir.SortKey) -> Iterable[Part]:
        return [node.value, " DESC" if node.descending else ""]

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        ir.Literal: literal,
        ir.Parameter: parameter,
        ir.Ref: ref,
        ir.Property: property,
        ir.Index: index,
        ir.ListOf: list_of,
        ir.Call: call,
        ir.Apply: apply,
        ir.Cast: cast,
        ir.Struct: struct,
        ir.Keyword: keyword,
        Extract: extract,
        Interval: interval,
        ir.HasLabels: has_labels,
        ir.Case: case,
        ir.Branch: branch,
        ir.Quantified: quantified,
        ir.ListComprehension: comprehension,
        Unrepeated: unrepeated,
        ir.Subquery: subquery,
        ir.Pipeline: pipeline,
        ir.Filter: filter,
        ir.Unwind: unwind,
        ir.Order: order,
        ir.Page: page,
        ir.Project: project,
        ir.Match: match,
        ir.Path: path,
        ir.PathGroup: group,
        ir.NodePattern: node_pattern,
        ir.EdgePattern: edge_pattern,
        ir.Entry: entry,
        ir.LabelName: label_name,
        ir.LabelAny: label_any,
        ir.LabelNot: label_not,
        ir.LabelAnd: label_and,
        ir.LabelOr: label_or,
        ir.Item: item,
        ir.SortKey: sort_key,
    }


def _label(node: ir.LabelExpression, looser: tuple[type[ir.LabelExpression], ...]) -> list[Part]:
    return ["(", node, ")"] if isinstance(node, looser) else [node]


def _place_of(node: ir.ListComprehension) -> str:
    """The name of the place of an item in its list."""
    return generated(f"{node.variable.removeprefix(MARK)}_at", 0)


def _named(roots: Iterable[ir.Node]) -> tuple[list[str], list[str]]:
    """The names that are used or given outside of patterns, and the variables that patterns bind, in the order in which
    they come.  A pattern variable bound twice counts as used."""
    used: list[str] = []
    bound: list[str] = []
    for root in roots:
        for node in ir.walk(root):
            if (names := _NAMING[type(node)]) is not None:
                names(node, used, bound)
    once: set[str] = set()
    for name in bound:
        if name in once:
            used.append(name)
        once.add(name)
    return used, bound


class _Naming(dict[type[ir.Node], Callable[[Any, list[str], list[str]], None] | None]):
    """For a class of nodes, what adds the names that a node mentions to those used and those bound in patterns; None
    for those without names."""

    def __missing__(self, kind: type[ir.Node]) -> Callable[[Any, list[str], list[str]], None] | None:
        found = self[kind] = _variable_used if "variable" in kind.fields_ else None
        return found


def _variable_used(node: Any, used: list[str], _: list[str]) -> None:
    if node.variable is not None:
        used.append(node.variable)


def _variable_bound(node: Any, _: list[str], bound: list[str]) -> None:
    if node.variable is not None:
        bound.append(node.variable)


_NAMING = _Naming(
    {
        ir.Ref: lambda node, used, _: used.append(node.name),
        ir.Item: lambda node, used, _: used.append(node.name or ""),
        ir.Unwind: lambda node, used, _: used.extend([node.variable, *([] if node.offset is None else [node.offset])]),
        ir.ListComprehension: lambda node, used, _: used.extend([node.variable, _place_of(node)]),
        Unrepeated: lambda node, used, _: used.extend([node.variable, node.source]),
        **dict.fromkeys((ir.NodePattern, ir.EdgePattern, ir.Path), _variable_bound),
    }
)


class GqlPrinter(GoogleSql):
    """GQL's clauses, one a line, and SELECT around them."""

    def __init__(self, query: ir.Query, graph: Sequence[str]) -> None:
        results = []
        for node in ir.find(query, ir.Select, ir.Project):
            if isinstance(node, ir.Select) or node.final:
                results += [item.name or "" for item in node.items if isinstance(item, ir.Item)]
        super().__init__([query], results)
        self.graph = graph

    def query(self, node: ir.Query) -> Iterable[Part]:
        if isinstance(node.body, (ir.Select, ir.TableQuery)):
            return [node.body]
        return [self.asked(), node.body]

    # -------------------------------------------------------------- SELECT

    def table_query(self, node: ir.TableQuery) -> Iterable[Part]:
        parts: list[Part] = [node.body]
        if node.order:
            parts += [LINE, *listed("ORDER BY", node.order)]
        for word, value in (("LIMIT ", node.limit), ("OFFSET ", node.skip)):
            if value is not None:
                parts += [LINE, word, value]
        return parts

    def select(self, node: ir.Select) -> Iterable[Part]:
        parts = listed("SELECT DISTINCT" if node.distinct else "SELECT", node.items)
        return parts if node.table is None else [*parts, LINE, "FROM ", node.table]

    def graph_table(self, node: ir.GraphTable) -> Iterable[Part]:
        return ["GRAPH_TABLE(", INDENT, LINE, node.graph, node.body, DEDENT, LINE, ")"]

    def graph_name(self, node: ir.GraphName) -> Iterable[Part]:
        return [names.whole(node.name, self.identifier)]

    # -------------------------------------------------------------- queries

    def set_operation(self, node: ir.SetOperation) -> Iterable[Part]:
        return separated(node.branches, [LINE, "UNION DISTINCT" if node.distinct else "UNION ALL"])

    def next(self, node: ir.Next) -> Iterable[Part]:
        return separated(node.parts, ["\n", LINE, "NEXT"])

    def let(self, node: ir.Let) -> Iterable[Part]:
        return listed("LET", [[f"{self.name(item.name)} = ", item.value] for item in node.items])

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        **GoogleSql.handlers,
        ir.Query: query,
        ir.TableQuery: table_query,
        ir.Select: select,
        ir.GraphTable: graph_table,
        ir.GraphName: graph_name,
        ir.SetOperation: set_operation,
        ir.Next: next,
        ir.Let: let,
    }
