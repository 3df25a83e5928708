"""SQL/PGQ as Google's engines read it: SELECT over GRAPH_TABLE.  Prints word for word what `legalize` has built."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from graphir import ir
from graphir.backends.gql import names
from graphir.backends.gql.printer import GoogleSql, listed
from graphir.backends.printing import Handler, Mark, Part, separated
from graphir.backends.sqlpgq.tables import GraphTable, Joined, Nested, Select, Union, Unnest

LINE, INDENT, DEDENT = Mark.LINE, Mark.INDENT, Mark.DEDENT
OPEN, CLOSE, SPACE, EDGE = Mark.OPEN, Mark.CLOSE, Mark.SPACE, Mark.EDGE
ALL_ROWS = ir.Literal(2**63 - 1)
"""The LIMIT that an OFFSET without LIMIT needs."""


def _ends(select: Select) -> bool:
    """Whether there are clauses behind the SELECT that a union would take for its own."""
    return bool(select.order) or select.skip is not None or select.limit is not None


class PgqPrinter(GoogleSql):
    """Handlers of the statement's tables."""

    labels: ClassVar[str] = " IS "

    def __init__(self, statement: Select | Union, graph: str) -> None:
        selects = statement.selects if isinstance(statement, Union) else (statement,)
        super().__init__([statement], [item.name or "" for select in selects for item in select.items])
        self.graph = graph
        self.bare = {id(select) for select in selects if isinstance(statement, Select) or not _ends(select)}

    def union(self, node: Union) -> Iterable[Part]:
        return separated(node.selects, [LINE, "UNION DISTINCT" if node.distinct else "UNION ALL", LINE])

    def select(self, node: Select) -> Iterable[Part]:
        parts = listed("SELECT DISTINCT" if node.distinct else "SELECT", node.items)
        if node.source is not None:
            parts += [LINE, "FROM ", node.source]
        if node.where is not None:
            parts += [LINE, *self.condition("WHERE", node.where)]
        if node.group_by:
            parts += [LINE, *listed("GROUP BY", node.group_by)]
        if node.order:
            parts += [LINE, *listed("ORDER BY", node.order)]
        if node.limit is not None or node.skip is not None:
            parts += [LINE, "LIMIT ", ALL_ROWS if node.limit is None else node.limit]
        if node.skip is not None:
            parts += [LINE, "OFFSET ", node.skip]
        return parts if id(node) in self.bare else ["(", INDENT, LINE, *parts, DEDENT, LINE, ")"]

    def graph_table(self, node: GraphTable) -> Iterable[Part]:
        start: list[Part] = ["GRAPH_TABLE(", INDENT, LINE, names.identifier(self.graph), LINE, node.match, LINE]
        columns: list[Part] = [OPEN, "COLUMNS (", INDENT, EDGE]
        return [*start, *columns, *separated(node.columns, [",", SPACE]), DEDENT, EDGE, ")", CLOSE, DEDENT, LINE, ")"]

    def joined(self, node: Joined) -> Iterable[Part]:
        parts: list[Part] = [node.left, LINE, node.kind, " JOIN ", node.right]
        return parts if node.condition is None else [*parts, LINE, *self.condition("ON", node.condition)]

    def unnest(self, node: Unnest) -> Iterable[Part]:
        return ["UNNEST(", node.source, f") AS {self.name(node.variable)}"]

    def nested(self, node: Nested) -> Iterable[Part]:
        return ["EXISTS " if node.kind == "exists" else "", node.select]

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        **GoogleSql.handlers,
        Select: select,
        Union: union,
        GraphTable: graph_table,
        Joined: joined,
        Unnest: unnest,
        Nested: nested,
    }
