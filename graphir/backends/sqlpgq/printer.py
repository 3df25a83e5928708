"""SQL/PGQ: SELECT over GRAPH_TABLE.  Prints word for word what `legalize` has built, in the words of the dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from graphir import ir
from graphir.backends.gql.printer import ATOM, GoogleSql, operand
from graphir.backends.gql.values import Kind
from graphir.backends.printing import Handler, Mark, Part, listed, separated
from graphir.backends.sqlpgq.expansion import Absent, GraphTable
from graphir.backends.sqlpgq.tables import Joined, Nested, Select, Stacked, Union, Unnest
from graphir.backends.sqlpgq.targets import Target

LINE, INDENT, DEDENT = Mark.LINE, Mark.INDENT, Mark.DEDENT
OPEN, CLOSE, SPACE, EDGE = Mark.OPEN, Mark.CLOSE, Mark.SPACE, Mark.EDGE
SOURCES = (Select, GraphTable, Stacked, Union)
"""What stands in FROM under a name of its own, where tables have one."""
_HOLES = re.compile(r"\{(\d|\*|d)\}")


def _ends(select: Select) -> bool:
    """Whether there are clauses behind the SELECT that a union would take for its own."""
    return bool(select.order) or select.skip is not None or select.limit is not None


def filled(template: str, args: Sequence[ir.Node], *, distinct: bool = False) -> Iterator[Part]:
    """What is written for a function: `{0}` an argument, `{*}` all of them, `{d}` DISTINCT."""
    at = 0
    for hole in _HOLES.finditer(template):
        yield template[at : hole.start()]
        at = hole.end()
        if hole[1] == "*":
            yield from separated(args)
        elif hole[1] == "d":
            yield "DISTINCT " if distinct else ""
        else:
            bare = template[hole.start() - 1 : hole.start()] in "(," and template[at : at + 1] in "),"
            yield from [args[int(hole[1])]] if bare else operand(args[int(hole[1])], ATOM)
    yield template[at:]


class PgqPrinter(GoogleSql):
    """Handlers of the statement's tables, and of what the dialects write differently."""

    labels: ClassVar[str] = " IS "

    def __init__(self, statement: Select | Union, graph: str, target: Target, parameters: Sequence[str] = ()) -> None:
        selects = statement.selects if isinstance(statement, Union) else (statement,)
        super().__init__([statement], [item.name or "" for select in selects for item in select.items], target)
        self.statement = statement
        self.graph = (graph,)
        self.target = target
        self.parameters = {name: at for at, name in enumerate(parameters, 1)}
        self.bare = {id(select) for select in selects if isinstance(statement, Select) or not _ends(select)}
        self.tables = 0

    # -------------------------------------------------------------- expressions

    def parameter(self, node: ir.Parameter) -> Iterable[Part]:
        return [f"${self.parameters[node.name]}"]

    def list_of(self, node: ir.ListOf) -> Iterable[Part]:
        known = any(item != ir.Literal(None) for item in node.items)
        return filled(self.target.list if known else self.target.untyped_list, node.items)

    def call(self, node: ir.Call) -> Iterable[Part]:
        template = self.target.calls.get(".".join(node.name))
        return super().call(node) if template is None else filled(template, node.args)

    def apply(self, node: ir.Apply) -> Iterable[Part]:
        template = self.target.aggregates.get(node.function)
        if template is not None:
            return filled(template, node.args, distinct=node.distinct)
        if node.function == "in" and not isinstance(node.args[1], ir.ListOf):
            return filled(self.target.calls["IN"], node.args)
        return super().apply(node)

    def absent(self, node: Absent) -> Iterable[Part]:
        type = self.target.types[Kind[node.kind]]
        return [f"CAST('[]' AS {type}[])" if node.many else f"CAST(NULL AS {type})"]

    def sort_key(self, node: ir.SortKey) -> Iterable[Part]:
        """Where null goes is said where the engine would put it elsewhere: it counts null as the greatest."""
        yield from super().sort_key(node)
        if node.descending != (node.nulls == "first"):
            yield " NULLS FIRST" if node.nulls == "first" else " NULLS LAST"

    # -------------------------------------------------------------- tables

    def union(self, node: Union) -> Iterable[Part]:
        parts = separated(node.selects, [LINE, "UNION" if node.distinct else "UNION ALL", LINE])
        return parts if node is self.statement else ["(", INDENT, LINE, *parts, DEDENT, LINE, ")"]

    def select(self, node: Select) -> Iterable[Part]:
        parts = listed("SELECT DISTINCT" if node.distinct else "SELECT", node.items)
        if node.source is not None:
            parts += [LINE, "FROM ", *self.named(node.source)]
        if node.where is not None:
            parts += [LINE, *self.condition("WHERE", node.where)]
        if node.group_by:
            parts += [LINE, *listed("GROUP BY", node.group_by)]
        if node.order:
            parts += [LINE, *listed("ORDER BY", node.order)]
        if node.limit is not None:
            parts += [LINE, "LIMIT ", node.limit]
        if node.skip is not None:
            parts += [LINE, "OFFSET ", node.skip]
        return parts if id(node) in self.bare else ["(", INDENT, LINE, *parts, DEDENT, LINE, ")"]

    def named(self, source: ir.Node) -> list[Part]:
        """A table of FROM, with a name of its own where it needs one."""
        if not isinstance(source, SOURCES):
            return [source]
        self.tables += 1
        return [source, f" {self.target.identifier(f't{self.tables}')}"]

    def graph_table(self, node: GraphTable) -> Iterable[Part]:
        start: list[Part] = ["GRAPH_TABLE(", INDENT, LINE, self.identifier(*self.graph), LINE, node.match, LINE]
        columns: list[Part] = [OPEN, "COLUMNS (", INDENT, EDGE]
        return [*start, *columns, *separated(node.columns, [",", SPACE]), DEDENT, EDGE, ")", CLOSE, DEDENT, LINE, ")"]

    def stacked(self, node: Stacked) -> Iterable[Part]:
        selects = [["SELECT * FROM ", *self.named(table)] for table in node.tables]
        return ["(", INDENT, LINE, *separated(selects, [LINE, "UNION ALL", LINE]), DEDENT, LINE, ")"]

    def joined(self, node: Joined) -> Iterable[Part]:
        parts: list[Part] = [*self.named(node.left), LINE, node.kind, " JOIN ", *self.named(node.right)]
        return parts if node.condition is None else [*parts, LINE, *self.condition("ON", node.condition)]

    def unnest(self, node: Unnest) -> Iterable[Part]:
        name = self.name(node.variable)
        self.tables += 1
        alias = f" AS {self.target.identifier(f't{self.tables}')}({name})"
        series = isinstance(node.source, ir.Call) and node.source.name == ("GENERATE_ARRAY",)
        return [node.source, alias] if series else ["UNNEST(", node.source, ")", alias]

    def nested(self, node: Nested) -> Iterable[Part]:
        return ["EXISTS " if node.kind == "exists" else "", node.select]

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        **GoogleSql.handlers,
        ir.Parameter: parameter,
        ir.ListOf: list_of,
        ir.Call: call,
        ir.Apply: apply,
        ir.SortKey: sort_key,
        Absent: absent,
        Select: select,
        Union: union,
        GraphTable: graph_table,
        Stacked: stacked,
        Joined: joined,
        Unnest: unnest,
        Nested: nested,
    }
