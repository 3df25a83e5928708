"""Tables behind FROM: which columns and names they bring, in SQL around graph patterns and inside of them.

A table that no catalog knows may have every column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from graphir import ir
from graphir.passes.google import expressions, statements
from graphir.passes.google.analysis import Analysis, Place
from graphir.passes.google.catalog import Graph
from graphir.passes.google.names import EMPTY, Column, Scope, Table
from graphir.passes.google.places import span_of
from graphir.passes.google.projections import check_final
from graphir.passes.google.types import INT64, UNKNOWN, Type, struct_of

OPEN = Table(open=True)


@dataclass(frozen=True)
class Range:
    """One table of FROM: the name of its rows, their type, its columns."""

    name: str
    row: Type
    columns: Table


@dataclass(frozen=True)
class Rows:
    """What FROM brings: its tables, from left to right."""

    ranges: tuple[Range, ...] = ()
    merged: frozenset[str] = field(default_factory=frozenset)

    def table(self) -> Table:
        """Every name that it makes visible: the columns, and the tables by their names."""
        columns: dict[str, Column] = {}
        for each in self.ranges:
            for key, column in each.columns.columns.items():
                known = columns.get(key)
                twice = known is not None and key not in self.merged
                columns[key] = replace(known, ambiguous=True) if twice and known is not None else known or column
        for each in self.ranges:
            if each.name:
                columns[each.name.lower()] = Column(each.name, each.row)
        return Table(columns, any(each.columns.open for each in self.ranges))

    def star(self) -> Table:
        """The columns that `*` stands for; doubled ones under keys of their own."""
        columns: dict[str, Column] = {}
        for each in self.ranges:
            for key, column in each.columns.columns.items():
                if key in columns and key in self.merged:
                    continue
                columns[key if key not in columns else f"\0{len(columns)}"] = column
        return Table(columns, any(each.columns.open for each in self.ranges))


@dataclass(frozen=True)
class Around:
    """What a query in SQL stands in: the names outside, the graph of a pattern around it, its common tables."""

    outer: Scope | None
    graph: Graph
    common: Mapping[str, Table]


def read(state: Analysis, node: ir.TableExpression | None, around: Around, left: Rows = Rows()) -> Rows:
    """The tables of FROM; `left` are those that an UNNEST may use."""
    match node:
        case None:
            return Rows()
        case ir.GraphTable():
            return _one(node.alias or "", graph_table(state, node, around))
        case ir.TableName():
            return _one(node.alias or node.name[-1], _named(state, node, around))
        case ir.DerivedTable():
            from graphir.passes.google.selects import resolve

            return _one(node.alias or "", resolve(state, node.body, around))
        case ir.UnnestTable():
            return _unnest(state, node, around, left)
        case ir.Join():
            return _join(state, node, around, left)
        case ir.TableOperation():
            if node.table is not None:
                read(state, node.table, around, left)
            return Rows((Range("", UNKNOWN, OPEN),))
        case _:
            return Rows((Range("", UNKNOWN, OPEN),))


def _one(name: str, table: Table) -> Rows:
    return Rows((Range(name, row_of(table), plain(table)),))


def row_of(table: Table) -> Type:
    """The type of the rows of a table."""
    if table.open:
        return UNKNOWN
    if table.rows is not None:
        return table.rows
    return struct_of(*[(column.name, column.type) for column in table])


def plain(table: Table) -> Table:
    """The columns by name: of a table whose rows are records, their fields."""
    if table.rows is None or table.rows.kind != "STRUCT":
        return table
    return EMPTY.with_([Column(name, of) for name, of in table.rows.fields if name])


def _named(state: Analysis, node: ir.TableName, around: Around) -> Table:
    name = node.name[-1].lower()
    if len(node.name) == 1 and name in around.common:
        return around.common[name]
    columns = state.catalog.tables.get(name)
    if columns is None:
        return OPEN
    return EMPTY.with_([Column(column, of) for column, of in columns.items()])


def graph_table(state: Analysis, node: ir.GraphTable, around: Around) -> Table:
    """The columns of GRAPH_TABLE."""
    if not state.has("SQL_GRAPH"):
        state.report("G345", "Graph queries are no part of the language here", node)
        return OPEN
    graph = statements.find_graph(state, ir.Use(node.graph, span=node.graph.span))
    frame = statements.Frame(graph, around.outer, common=around.common, inner=True)
    made = statements.resolve_body(state, node.body, frame)
    exposed = state.has("EXPOSE_GRAPH_ELEMENT")
    if not node.open and not state.has("ADVANCED_QUERY") and not _has_columns(state, node.body):
        state.report("G345", "RETURN in GRAPH_TABLE is no part of the language here", node.body, "write COLUMNS (..)")
    if node.open and not exposed:
        state.report("G345", "GRAPH_TABLE without COLUMNS is no part of the language here", node)
    elif not node.open and not exposed and not _is_all(node.body):
        check_final(state, made)
    return made


def _has_columns(state: Analysis, body: ir.Body) -> bool:
    """Whether a body ends in COLUMNS."""
    last = body.operators[-1] if isinstance(body, ir.Pipeline) and body.operators else body
    return state.text[span_of(last).start :][: len("COLUMNS")].upper() == "COLUMNS"


def _is_all(body: ir.Body) -> bool:
    """Whether a body ends in `RETURN *` alone, which hides what SQL has no value for."""
    last = body.operators[-1] if isinstance(body, ir.Pipeline) and body.operators else None
    return isinstance(last, ir.Project) and last.star and not last.items


def _unnest(state: Analysis, node: ir.UnnestTable, around: Around, left: Rows) -> Rows:
    place = Place(Scope(left.table(), around.outer), around.graph, "FROM", common=around.common)
    found = expressions.infer(state, node.source, place)
    if found.type.kind not in ("ARRAY", "UNKNOWN") and found.constant != "null":
        if found.type.kind != "STRUCT":
            state.report("G301", f"UNNEST needs an array, and this is {found.type}", node.source)
        return Rows((Range(node.alias or "", UNKNOWN, OPEN),))
    element = found.type.element or UNKNOWN
    name = node.alias or expressions.inferred_name(node.source) or ""
    columns = plain(Table({name.lower(): Column(name, element)}, element.kind == "UNKNOWN", element))
    ranges = [Range(name, element, columns)]
    if node.offset is not None:
        ranges.append(Range("", INT64, EMPTY.with_([Column(node.offset, INT64)])))
    return Rows(tuple(ranges))


def _join(state: Analysis, node: ir.Join, around: Around, left: Rows) -> Rows:
    first = read(state, node.left, around, left)
    second = read(state, node.right, around, Rows((*left.ranges, *first.ranges)))
    merged = first.merged | second.merged | {name.lower() for name in node.using or ()}
    both = Rows((*first.ranges, *second.ranges), merged)
    if node.on is not None:
        place = Place(Scope(both.table(), around.outer), around.graph, "ON", common=around.common)
        expressions.condition(state, node.on, place, "ON")
    return both


def missing(names: Iterable[str], table: Table) -> str | None:
    """The first of the names that is no column of a table."""
    return None if table.open else next((name for name in names if name not in table), None)
