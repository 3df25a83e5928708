"""Printing SQL around graph patterns: SELECT and the tables behind FROM, for the printer of surface GQL."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from graphir import ir
from graphir.backends.gqltext.expressions import (
    CLOSE,
    DEDENT,
    EDGE,
    INDENT,
    LINE,
    OPEN,
    SPACE,
    ExpressionPrinter,
    base,
)
from graphir.backends.printing import Handler, Part, listed, separated


def bracketed(body: ir.Body) -> list[Part]:
    """A query in SQL in parentheses: on one line where it fits."""
    return [OPEN, "(", INDENT, EDGE, body, DEDENT, EDGE, ")", CLOSE]


class TablePrinter(ExpressionPrinter):
    """The handlers of SQL."""

    def condition(self, word: str, condition: ir.Expression) -> list[Part]:
        """A keyword and a condition; the printer of clauses has one that lays it out."""
        return [word, " ", condition]

    # -------------------------------------------------------------- queries

    def select(self, node: ir.Select) -> Iterable[Part]:
        form = f" AS {node.form.upper()}" if node.form is not None else ""
        parts = listed(f"SELECT{' DISTINCT' if node.distinct else ''}{form}", node.items)
        if node.first_of:
            parts = ["SELECT DISTINCT ON (", *separated(node.first_of), ") ", *separated(node.items)]
        if node.table is not None:
            parts += [SPACE, "FROM ", node.table]
        if node.where is not None:
            parts += [SPACE, *self.condition("WHERE", node.where)]
        if node.grouping is not None:
            parts += [SPACE, node.grouping]
        for word, value in (("HAVING", node.having), ("QUALIFY", node.qualify)):
            if value is not None:
                parts += [SPACE, *self.condition(word, value)]
        if node.windows:
            parts += [SPACE, *listed("WINDOW", node.windows)]
        return [OPEN, *parts, CLOSE]

    def named_window(self, node: ir.NamedWindow) -> Iterable[Part]:
        return [f"{self.name(node.name)} AS {node.over}"]

    def grouping(self, node: ir.Grouping) -> Iterable[Part]:
        if node.kind == "other":
            return [node.text]
        if node.kind == "all":
            return ["GROUP BY ALL"]
        return listed("GROUP BY", node.keys) if node.keys else ["GROUP BY ()"]

    def star(self, node: ir.Star) -> Iterable[Part]:
        parts: list[Part] = ["*"] if node.base is None else [*base(node.base), ".*"]
        if node.omitted:
            parts.append(f" EXCEPT ({', '.join([self.name(each) for each in node.omitted])})")
        if node.replaced:
            parts += [" REPLACE (", *separated(node.replaced), ")"]
        return parts

    def table_query(self, node: ir.TableQuery) -> Iterable[Part]:
        parts: list[Part] = []
        if node.common:
            parts += [f"WITH {'RECURSIVE ' if node.recursive else ''}", *separated(node.common, [",", LINE]), LINE]
        parts += [node.body] if isinstance(node.body, (ir.Select, ir.SetOperation)) else bracketed(node.body)
        if node.order:
            parts += [LINE, *listed("ORDER BY", node.order)]
        for word, value in (("LIMIT ", node.limit), ("OFFSET ", node.skip)):
            if value is not None:
                parts += [LINE if word == "LIMIT " else " ", word, value]
        return parts

    def common_table(self, node: ir.CommonTable) -> Iterable[Part]:
        return [f"{self.name(node.name)} AS ", *bracketed(node.body)]

    def statement(self, node: ir.SqlStatement) -> Iterable[Part]:
        """The text as it stands, and what is known in it laid out."""
        first, *rest = node.parts
        parts: list[Part] = [first]
        for island, after in zip(node.islands, rest, strict=True):
            if isinstance(island, ir.TableExpression):
                parts += [island, after]
            elif first.endswith("("):
                parts += [OPEN, INDENT, EDGE, island, DEDENT, EDGE, CLOSE, after]
            else:
                parts += [LINE, island, LINE if after else "", after]
        return parts

    # -------------------------------------------------------------- tables

    def alias(self, name: str | None) -> str:
        return "" if name is None else f" AS {self.name(name)}"

    def graph_table(self, node: ir.GraphTable) -> Iterable[Part]:
        body: list[Part] = [node.body]
        if node.keyword == "COLUMNS" and isinstance(node.body, ir.Pipeline):
            match, project = node.body.operators
            assert isinstance(project, ir.Project)
            star: list[Part] = ["*"] if project.star else []
            columns = separated([*star, *[self.column(item) for item in project.items]])
            body = [match, LINE, "COLUMNS (", *columns, ")"]
        return [
            OPEN,
            "GRAPH_TABLE(",
            node.graph,
            INDENT,
            SPACE,
            *body,
            DEDENT,
            EDGE,
            ")",
            CLOSE,
            self.alias(node.alias),
        ]

    def column(self, item: ir.Item) -> list[Part]:
        if isinstance(item.value, ir.Unpack) and item.value.value is not None:
            return [*base(item.value.value), ".*"]
        return [item]

    def table_name(self, node: ir.TableName) -> Iterable[Part]:
        return [".".join([self.name(part) for part in node.name]), self.alias(node.alias)]

    def derived_table(self, node: ir.DerivedTable) -> Iterable[Part]:
        return [*bracketed(node.body), self.alias(node.alias)]

    def unnest_table(self, node: ir.UnnestTable) -> Iterable[Part]:
        offset = "" if node.offset is None else f" WITH OFFSET{self.alias(node.offset)}"
        return ["UNNEST(", node.source, ")", self.alias(node.alias), offset]

    def join(self, node: ir.Join) -> Iterable[Part]:
        words = "JOIN" if node.kind == "inner" else f"{node.kind.upper()} JOIN"
        right: list[Part] = ["(", node.right, ")"] if isinstance(node.right, ir.Join) else [node.right]
        joined: list[Part] = [",", SPACE] if node.keyword == "," else [SPACE, words, " "]
        parts: list[Part] = [node.left, *joined, *right]
        if node.on is not None:
            parts += [" ON ", node.on]
        if node.using is not None:
            parts.append(f" USING ({', '.join([self.name(each) for each in node.using])})")
        return parts

    def table_operation(self, node: ir.TableOperation) -> Iterable[Part]:
        if node.table is None:
            return [node.text]
        table: list[Part] = ["(", node.table, ")"] if isinstance(node.table, ir.Join) else [node.table]
        return [*table, " ", node.text]

    def sample(self, node: ir.Sample) -> Iterable[Part]:
        return [node.text]

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        **ExpressionPrinter.handlers,
        ir.Select: select,
        ir.Grouping: grouping,
        ir.NamedWindow: named_window,
        ir.Star: star,
        ir.TableQuery: table_query,
        ir.SqlStatement: statement,
        ir.CommonTable: common_table,
        ir.GraphTable: graph_table,
        ir.TableName: table_name,
        ir.DerivedTable: derived_table,
        ir.UnnestTable: unnest_table,
        ir.Join: join,
        ir.TableOperation: table_operation,
        ir.Sample: sample,
    }
