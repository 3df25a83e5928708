"""Laying out SQL around graph patterns as Oracle, PostgreSQL, DuckPGQ, Hyper and ISO SQL have it.

Names, literals, parameters and types stay as they were written: this is for formatting alone, not for writing what was
read in another language.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from graphir import ir
from graphir.backends.gqltext import precedence as p
from graphir.backends.gqltext.expressions import (
    CLOSE,
    DEDENT,
    EDGE,
    INDENT,
    LINE,
    OPEN,
    SPACE,
    operand,
)
from graphir.backends.gqltext.format import Formatter
from graphir.backends.gqltext.precedence import POSTFIX
from graphir.backends.gqltext.spelling import Spelling
from graphir.backends.gqltext.tables import bracketed
from graphir.backends.phrases import wrapped
from graphir.backends.printing import Handler, Part, listed, separated
from graphir.grammar.gql_builder.expressions import WITH_DIMENSIONS
from graphir.grammar.gql_words import NAMES, RESERVED
from graphir.grammar.sql_lexis import LEXES
from graphir.ir.names import Folded

WITH_COLON = frozenset(("pgq-duckpgq",))
"""Dialects whose labels stand behind a colon by custom; behind IS elsewhere."""

WITH_LISTS = frozenset(("pgq-duckpgq",))
"""Dialects that have IN and a list, which is not what `= ANY` is there."""

_QUANTIFIED = {
    f"{function}_{word}": f"{sign} {word.upper()} "
    for function, sign in (("eq", "="), ("ne", "<>"), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    for word in ("any", "all")
}
_ARITHMETIC = frozenset(("add", "sub", "mul", "div", "mod", "concat"))


class SqlSpelling(Spelling):
    """How a name is written: as it stood, which is in quotes where it did not stand without them."""

    def variable(self, name: str) -> str:
        return self.spelled(name)

    def spelled(self, name: str) -> str:
        if not isinstance(name, Folded):
            return self.quote(name)
        return name.written

    def label(self, name: str) -> str:
        return self.spelled(name)

    def key(self, name: str) -> str:
        return self.spelled(name)

    def function(self, name: tuple[str, ...]) -> str:
        shown = [self.spelled(part) for part in name]
        if isinstance(name[-1], Folded) and LEXES[self.dialect].fold != "keep":
            shown[-1] = shown[-1].upper()
        return ".".join(shown)


def quoted(name: str) -> str:
    """The name in `"`."""
    return '"' + name.replace('"', '""') + '"'


def spelling(dialect: str) -> SqlSpelling:
    """How a dialect spells."""
    functions: dict[str, str] = {}
    for spelled, name in NAMES.items():
        functions.setdefault(name, spelled)
    return SqlSpelling(dialect, RESERVED[dialect], quote=quoted, percent=True, functions=functions)


class SqlFormatter(Formatter):
    """The printer of these dialects."""

    def __init__(self, dialect: str, *rest: object) -> None:
        super().__init__(dialect, *rest)  # type: ignore[arg-type]
        self.spelling = spelling(dialect)

    def verbatim(self, node: ir.Node) -> list[Part]:
        assert node.span is not None
        return [self.source[node.span.start : node.span.end]]

    # -------------------------------------------------------------- expressions

    def literal(self, node: ir.Literal) -> Iterable[Part]:
        return [node.text] if node.text is not None else super().number(node)

    def sort_key(self, node: ir.SortKey) -> Iterable[Part]:
        return [node.value, " DESC" if node.descending else "", f" NULLS {node.nulls.upper()}" if node.stated else ""]

    def infix(self, node: ir.Apply) -> Iterable[Part]:
        """`||` binds less than `+` here."""
        if node.function not in _ARITHMETIC:
            return super().infix(node)
        word, own = p.INFIX[node.function]
        shown = [
            wrapped(arg, p.level(arg) < own + bool(place) or (_is_concat(arg) and (place > 0 or not _is_concat(node))))
            for place, arg in enumerate(node.args)
        ]
        return separated(shown, f" {word} ")

    def apply(self, node: ir.Apply) -> Iterable[Part]:
        name, args = node.function, node.args
        if name in _TESTS or name in _FLOATS:
            return self.tested(node, negated=False)
        if name in _QUANTIFIED:
            return [*operand(args[0], p.BIT_OR), f" {_QUANTIFIED[name]}", *self.array(args[1])]
        if name == "interval" and len(args) == 1:
            return ["INTERVAL ", args[0]]
        return super().apply(node)

    def array(self, source: ir.Expression) -> list[Part]:
        """What stands behind ANY."""
        if isinstance(source, ir.Subquery):
            return bracketed(source.body)
        return ["(", source, ")"]

    def tested(self, node: ir.Apply, *, negated: bool) -> list[Part]:
        no = "NOT " if negated else ""
        if node.function in _FLOATS:
            return [*operand(node.args[0], p.BIT_OR), f" IS {no}{_FLOATS[node.function]}"]
        value, pattern, *escape = node.args
        shown = [part for each in escape for part in (" ESCAPE ", *operand(each, p.BIT_OR))]
        return [*operand(value, p.BIT_OR), f" {no}{_TESTS[node.function]} ", *operand(pattern, p.BIT_OR), *shown]

    def negation(self, node: ir.Expression) -> Iterable[Part]:
        if isinstance(node, ir.Apply) and (node.function in _TESTS or node.function in _FLOATS):
            return self.tested(node, negated=True)
        if isinstance(node, ir.Apply) and node.function == "in":
            return self.predicate(node, negated=True)
        return super().negation(node)

    def predicate(self, node: ir.Apply, *, negated: bool) -> Iterable[Part]:
        if node.function != "in" or _is_row(node.args[1]):
            return super().predicate(node, negated=negated)
        sought, source = node.args
        if self.dialect in WITH_LISTS:
            return [*operand(sought, p.BIT_OR), " NOT IN " if negated else " IN ", *operand(source, p.BIT_OR)]
        return [*operand(sought, p.BIT_OR), " <> ALL " if negated else " = ANY ", *self.array(source)]

    def within(self, source: ir.Expression) -> list[Part]:
        if isinstance(source, ir.Subquery):
            return bracketed(source.body)
        assert isinstance(source, ir.ListOf)
        return ["(", *separated(source.items), ")"]

    def collated(self, node: ir.Collated) -> Iterable[Part]:
        return [*operand(node.value, p.SIGN), " COLLATE ", ".".join([self.name(each) for each in node.collation])]

    def worded(self, node: ir.WordedCall) -> Iterable[Part]:
        return [node.text]

    def operator(self, node: ir.SqlOperator) -> Iterable[Part]:
        return [*operand(node.left, p.SIGN), f" {node.operator} ", *operand(node.right, p.SIGN)]

    def list_of(self, node: ir.ListOf) -> Iterable[Part]:
        return ["[" if self.dialect in WITH_LISTS else "ARRAY[", *separated(node.items), "]"]

    def index(self, node: ir.Index) -> Iterable[Part]:
        return [*self.subscripted(node.base, _WITH_INDEX), "[", node.index, "]"]

    def array_slice(self, node: ir.ArraySlice) -> Iterable[Part]:
        low: list[Part] = [] if node.low is None else [node.low]
        high: list[Part] = [] if node.high is None else [node.high]
        return [*self.subscripted(node.base, _WITH_SLICE), "[", *low, ":", *high, "]"]

    def subscripted(self, value: ir.Expression, bare: tuple[type[ir.Node], ...]) -> list[Part]:
        """What stands before `[`, in brackets where that is none of `bare`."""
        is_bare = isinstance(value, bare) if self.dialect in WITH_DIMENSIONS else p.level(value) >= POSTFIX
        return wrapped(value, not is_bare)

    def filtered(self, node: ir.Filtered) -> Iterable[Part]:
        return [node.aggregate, " FILTER (WHERE ", node.where, ")"]

    def ordered(self, node: ir.Within) -> Iterable[Part]:
        return [node.aggregate, " WITHIN GROUP (ORDER BY ", *separated(node.order), ")"]

    def cast(self, node: ir.Cast) -> Iterable[Part]:
        if node.keyword == "literal":
            return self.verbatim(node)
        if node.keyword == "::":
            type_ = node.type
            return [*wrapped(node.value, p.level(node.value) < POSTFIX and not _is_short(node.value)), "::", type_]
        return super().cast(node)

    def value_type(self, node: ir.ValueType) -> Iterable[Part]:
        return self.verbatim(node)

    def struct(self, node: ir.Struct) -> Iterable[Part]:
        """A row in parentheses."""
        if any(field.name for field in node.fields) or len(node.fields) < 2:
            return super().struct(node)
        return ["(", *separated([field.value for field in node.fields]), ")"]

    # -------------------------------------------------------------- patterns

    def filler(self, node: ir.NodePattern | ir.EdgePattern) -> list[Part]:
        variable = self.binding(node.variable)
        parts: list[Part] = [] if variable is None else [variable]
        if node.labels is not None:
            colon = self.dialect in WITH_COLON
            parts += [":" if colon else " IS " if parts else "IS ", node.labels]
        for word, part in (("", node.properties), ("WHERE ", node.where)):
            if part is not None:
                parts += [" " if parts else "", word, part]
        return parts

    def edge_pattern(self, node: ir.EdgePattern) -> Iterable[Part]:
        parts = list(super().edge_pattern(node))
        assert node.span is not None
        if node.direction == "any" and self.source[node.span.start] == "<":
            parts[0], parts[parts.index("]-")] = "<-[", "]->"
        return parts

    # -------------------------------------------------------------- queries

    def select(self, node: ir.Select) -> Iterable[Part]:
        if not node.from_first:
            return super().select(node)
        parts: list[Part] = ["FROM ", *([] if node.table is None else [node.table])]
        if not node.bare:
            parts += [SPACE, *listed(f"SELECT{' DISTINCT' if node.distinct else ''}", node.items)]
        if node.where is not None:
            parts += [SPACE, *self.condition("WHERE", node.where)]
        if node.grouping is not None:
            parts += [SPACE, node.grouping]
        for word, value in (("HAVING", node.having), ("QUALIFY", node.qualify)):
            if value is not None:
                parts += [SPACE, *self.condition(word, value)]
        return [OPEN, *parts, CLOSE]

    def values(self, node: ir.Values) -> Iterable[Part]:
        rows: list[list[Part]] = [["(", *separated(row.items), ")"] for row in node.rows]
        return [OPEN, "VALUES ", INDENT, *separated(rows, [",", SPACE]), DEDENT, CLOSE]

    def table_query(self, node: ir.TableQuery) -> Iterable[Part]:
        parts: list[Part] = []
        if node.common:
            parts += [f"WITH {'RECURSIVE ' if node.recursive else ''}", *separated(node.common, [",", LINE]), LINE]
        plain = isinstance(node.body, (ir.Select, ir.SetOperation, ir.Values))
        parts += [node.body] if plain else bracketed(node.body)
        if node.order:
            parts += [LINE, *listed("ORDER BY", node.order)]
        return [*parts, *self.page_of(node)]

    def page_of(self, node: ir.TableQuery) -> list[Part]:
        if not node.fetch:
            pages = ((" LIMIT ", node.limit), (" OFFSET ", node.skip))
            shown: list[list[Part]] = [[word.lstrip(), value] for word, value in pages if value is not None]
            return [LINE, *separated(shown, " ")] if shown else []
        skip: list[Part] = [] if node.skip is None else [LINE, "OFFSET ", node.skip, " ROWS"]
        assert node.limit is not None
        percent, end = " PERCENT" if node.percent else "", "WITH TIES" if node.ties else "ONLY"
        return [*skip, LINE, "FETCH FIRST ", node.limit, f"{percent} ROWS {end}"]

    def common_table(self, node: ir.CommonTable) -> Iterable[Part]:
        kept = "" if node.materialized is None else f"{node.materialized} "
        return [f"{self.name(node.name)}{self.columns_of(node.columns)} AS {kept}", *bracketed(node.body)]

    def common_graph(self, node: ir.CommonGraph) -> Iterable[Part]:
        return [f"{self.name(node.name)} AS PROPERTY GRAPH (", node.text, ")"]

    def columns_of(self, names: tuple[str, ...]) -> str:
        return f" ({', '.join([self.name(each) for each in names])})" if names else ""

    def branch_of(self, branch: ir.Body, place: int) -> list[Part]:
        return [branch] if isinstance(branch, (ir.Select, ir.Values)) else bracketed(branch)

    # -------------------------------------------------------------- tables

    def alias_of(self, node: ir.GraphTable | ir.TableName | ir.DerivedTable | ir.UnnestTable) -> str:
        if node.alias is None:
            return ""
        word = " " if self.dialect.startswith("pgq-oracle") else " AS "
        return f"{word}{self.name(node.alias)}{self.columns_of(node.columns)}"

    def graph_table(self, node: ir.GraphTable) -> Iterable[Part]:
        body: list[Part] = [node.body]
        if not node.open:
            assert isinstance(node.body, ir.Pipeline)
            match, project = node.body.operators
            assert isinstance(project, ir.Project)
            star: list[Part] = ["*"] if project.star else []
            columns = separated([*star, *[self.column(item) for item in project.items]], [",", SPACE])
            rows: list[Part] = [] if node.rows is None else [LINE, node.rows]
            body = [match, *rows, LINE, OPEN, "COLUMNS (", INDENT, EDGE, *columns, DEDENT, EDGE, ")", CLOSE]
        lateral = "LATERAL " if node.lateral else ""
        then: list[Part] = []
        if node.moment is not None:
            then = [f" AS OF {node.moment.kind.upper()} ", *operand(node.moment.value, p.BIT_OR)]
        inside: list[Part] = [node.graph, *then, INDENT, SPACE, *body, DEDENT, EDGE]
        return [OPEN, f"{lateral}GRAPH_TABLE (", *inside, ")", CLOSE, self.alias_of(node)]

    def graph_name(self, node: ir.GraphName) -> Iterable[Part]:
        """As it stood: a name may be written as a string."""
        return self.verbatim(node)

    def row_shape(self, node: ir.RowShape) -> Iterable[Part]:
        names = self.columns_of(node.variables)
        paths = f" IN{self.columns_of(node.paths)}" if node.paths else ""
        return [f"ONE ROW PER {node.kind.upper()}{names}{paths}"]

    def table_name(self, node: ir.TableName) -> Iterable[Part]:
        return [".".join([self.name(part) for part in node.name]), self.alias_of(node)]

    def derived_table(self, node: ir.DerivedTable) -> Iterable[Part]:
        return ["LATERAL " if node.lateral else "", *bracketed(node.body), self.alias_of(node)]

    def unnest_table(self, node: ir.UnnestTable) -> Iterable[Part]:
        place = " WITH ORDINALITY" if node.ordinality else ""
        return ["LATERAL " if node.lateral else "", "UNNEST(", node.source, f"){place}", self.alias_of(node)]

    def join(self, node: ir.Join) -> Iterable[Part]:
        if node.keyword != "APPLY" and not node.natural:
            return super().join(node)
        if node.natural:
            words = "NATURAL JOIN" if node.kind == "inner" else f"NATURAL {node.kind.upper()} JOIN"
        else:
            words = "CROSS APPLY" if node.kind == "cross" else "OUTER APPLY"
        right = node.right
        if isinstance(right, (ir.GraphTable, ir.DerivedTable, ir.UnnestTable)) and node.keyword == "APPLY":
            right = replace(right, lateral=False)
        return [node.left, SPACE, words, " ", right]

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        **Formatter.handlers,
        ir.Literal: literal,
        ir.Parameter: verbatim,
        ir.SortKey: sort_key,
        ir.Apply: apply,
        ir.Collated: collated,
        ir.WordedCall: worded,
        ir.SqlOperator: operator,
        ir.ListOf: list_of,
        ir.Index: index,
        ir.ArraySlice: array_slice,
        ir.Filtered: filtered,
        ir.Within: ordered,
        ir.Cast: cast,
        ir.ValueType: value_type,
        ir.Struct: struct,
        ir.EdgePattern: edge_pattern,
        ir.Select: select,
        ir.Values: values,
        ir.TableQuery: table_query,
        ir.CommonTable: common_table,
        ir.CommonGraph: common_graph,
        ir.GraphTable: graph_table,
        ir.GraphName: graph_name,
        ir.RowShape: row_shape,
        ir.TableName: table_name,
        ir.DerivedTable: derived_table,
        ir.UnnestTable: unnest_table,
        ir.Join: join,
    }


_WITH_SLICE = (ir.Ref, ir.Property, ir.Parameter)
_WITH_INDEX = (*_WITH_SLICE, ir.Index)
"""What has a subscript without brackets where they are dimensions of an array."""
_FLOATS = {"isNaN": "NAN", "is_inf": "INFINITE"}
_TESTS = {"like": "LIKE", "ilike": "ILIKE", "similar": "SIMILAR TO"}


def _is_concat(node: ir.Node) -> bool:
    return isinstance(node, ir.Apply) and node.function == "concat"


def _is_row(source: ir.Expression) -> bool:
    """Whether IN takes it as it stands: values or a query in parentheses."""
    return isinstance(source, (ir.ListOf, ir.Subquery))


def _is_short(node: ir.Node) -> bool:
    """A cast or a collation before `::`."""
    return isinstance(node, ir.Cast) and node.keyword == "::"
