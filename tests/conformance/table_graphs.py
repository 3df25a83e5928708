"""Property graphs over tables of GoogleSQL as graphs of values: rows and a definition in, nodes and edges out.

Elements keep their definitions (tables, declared properties), all their labels, and the types of their columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import graphir
from graphir import Edge, Node, PropertyGraph
from graphir.schema.ddl import graphs, script
from graphir.schema.ddl.graphs import Element, Label
from graphir.schema.ddl.tables import literal
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.ddl.tokens import Cursor, scan
from graphir.values.documents import Json
from graphir.values.entities import Definition
from graphir.values.google import FUNCTIONS

Row = dict[str, Any]


@dataclass(frozen=True)
class Columns:
    """A table: the types of its columns, its rows and its primary key."""

    types: Mapping[str, str]
    rows: Sequence[Row]
    key: tuple[str, ...] = ()


def columns_of(types: Iterable[Sequence[str]], rows: Iterable[Sequence[Any]], key: Sequence[str] = ()) -> Columns:
    """The table of a list of (name, type) and of rows as JSON has them."""
    known = dict(types)  # type: ignore[arg-type]
    listed = [{name: value_of(cell, of) for (name, of), cell in zip(known.items(), row, strict=True)} for row in rows]
    return Columns(known, listed, tuple(key))


def value_of(cell: Any, type_: str) -> Any:
    """A cell of a column of that type."""
    if cell is None:
        return None
    if isinstance(cell, dict) and "$json" in cell:
        return Json(cell["$json"])
    if type_ in ("TIMESTAMP", "DATE"):
        return FUNCTIONS["cast_timestamp" if type_ == "TIMESTAMP" else "cast_date"](cell)
    return float(cell) if type_ in ("FLOAT64", "DOUBLE") else cell


_TYPES = {
    "INTEGER": "INT64",
    "FLOAT": "FLOAT64",
    "STRING": "STRING",
    "BOOLEAN": "BOOL",
    "DATE": "DATE",
    "ZONED DATETIME": "TIMESTAMP",
    "JSON": "JSON",
}


def graph_of_script(text: str) -> PropertyGraph:
    """The graph of a script of Spanner: CREATE TABLE, INSERT INTO .. VALUES, CREATE PROPERTY GRAPH."""
    target = TARGETS["spanner-ddl"]
    written = script.parse(text, target)
    inserted = _inserted(text)
    tables = {}
    for path, table in written.tables.by_name.items():
        name = path[-1]
        types = {column.name.text: _TYPES[str(column.type).split("(")[0]] for column in table.columns or ()}
        rows = [[row.get(column) for column in types] for row in inserted.get(name.lower(), ())]
        tables[name] = columns_of(list(types.items()), rows, [token.text for token in table.key])
    return _Maker(written.graphs[-1], {name.lower(): table for name, table in tables.items()}).make()


def _inserted(text: str) -> dict[str, list[Row]]:
    """By the name of a table in lower case: the rows of INSERT INTO .. VALUES."""
    lexis = TARGETS["spanner-ddl"].lexis
    cursor = Cursor(text, scan(text, lexis), dotted=True)
    found: dict[str, list[Row]] = {}
    while not cursor.done:
        if not cursor.accept("INSERT", "INTO"):
            cursor.advance()
            continue
        rows = found.setdefault(cursor.path("a table").text.lower(), [])
        names = [token.text for token in cursor.names("a column")]
        cursor.take("VALUES")
        while True:
            cursor.take("(")
            values = []
            while not cursor.accept(")"):
                values.append(None if cursor.accept("NULL") else (literal(cursor) or (None,))[0])
                cursor.accept(",")
            rows.append(dict(zip(names, values, strict=True)))
            if not cursor.accept(","):
                break
    return found


def graph_of(definition: str, tables: Mapping[str, Columns]) -> PropertyGraph:
    """The graph of a CREATE PROPERTY GRAPH."""
    written = script.parse(definition, TARGETS["spanner-ddl"]).graphs[-1]
    return _Maker(written, {name.lower(): table for name, table in tables.items()}).make()


class _Maker:
    def __init__(self, graph: graphs.Graph, tables: Mapping[str, Columns]) -> None:
        self.graph = graph
        self.tables = tables
        self.nodes: list[Node] = []
        self.rows: dict[str, list[tuple[int, Row]]] = {}
        """By the name of an element in lower case: the ids of its nodes and the rows that they come from."""

    def make(self) -> PropertyGraph:
        for element in self.graph.elements:
            if element.kind == "node":
                self._nodes(element)
        edges: list[Edge] = []
        for element in self.graph.elements:
            if element.kind == "edge":
                edges += self._edges(element, len(edges))
        return PropertyGraph(tuple(self.nodes), tuple(edges))

    def _nodes(self, element: Element) -> None:
        kept = self.rows[element.name.text.lower()] = []
        for row, labels, properties, definition in self._elements(element):
            key = len(self.nodes)
            kept.append((key, row))
            self.nodes.append(Node(key, labels, properties, definition))

    def _edges(self, element: Element, first: int) -> list[Edge]:
        found: list[Edge] = []
        for row, labels, properties, definition in self._elements(element):
            for start in self._ends(element.source, row):
                for end in self._ends(element.target, row):
                    more = labels if len(labels) > 1 else ()
                    found.append(Edge(first + len(found), labels[0], start, end, properties, more, definition))
        return found

    def _ends(self, end: graphs.End | None, row: Row) -> list[int]:
        assert end is not None
        wanted = [_column(row, token.text) for token in end.columns]
        nodes = self.rows[end.element.text.lower()]
        referred = [token.text for token in end.referred or end.columns]
        if any(value is None for value in wanted):
            return []
        return [key for key, node in nodes if [_column(node, name) for name in referred] == wanted]

    def _elements(self, element: Element) -> list[tuple[Row, tuple[str, ...], Row, Definition]]:
        table = self.tables[element.table.text.lower()]
        labels = element.labels or [Label(None, element.properties)]
        names = tuple(dict.fromkeys([(label.name or element.name).text for label in labels]))
        exposed = _exposed(labels, table)
        declared = Definition(element.name.text, tuple(sorted(exposed, key=str.lower)))
        computed = _computed({name: text for name, (text, plain) in exposed.items() if not plain}, table)
        made = []
        for row, found in zip(table.rows, computed, strict=True):
            properties = {name: _column(row, text) for name, (text, plain) in exposed.items() if plain} | found
            own = names
            if element.dynamic_label is not None:
                more = _column(row, element.dynamic_label.text)
                listed = [more] if isinstance(more, str) else more or []
                own = (*names, *[label for label in listed if label])
            if element.dynamic_properties is not None:
                document = _column(row, element.dynamic_properties.text)
                known = {name.lower() for name in exposed}
                for key, value in (document.value if document is not None else {}).items():
                    if key.lower() not in known:
                        properties[key] = Json(value)
            kept = {key: value for key, value in properties.items() if value is not None}
            made.append((row, own, kept, declared))
        return made


def _column(row: Row, name: str) -> Any:
    return next(value for key, value in row.items() if key.lower() == name.lower())


def _exposed(labels: Sequence[Label], table: Columns) -> dict[str, tuple[str, bool]]:
    """Name of a property -> a column, or the text of an expression."""
    found: dict[str, tuple[str, bool]] = {}
    for label in labels:
        if label.properties is None or label.properties.listed is None:
            left_out = {token.text.lower() for token in (label.properties.excepted if label.properties else ())}
            found |= {name: (name, True) for name in table.types if name.lower() not in left_out}
            continue
        for each in label.properties.listed:
            if each.column is not None:
                found[each.name.text] = (each.column.text, True)
            else:
                found[each.name.text] = (each.expression or "", False)
    return found


def _computed(expressions: Mapping[str, str], table: Columns) -> list[Row]:
    """The values of the expressions in every row, as the embedded engine computes them."""
    if not expressions or not table.rows:
        return [{} for _ in table.rows]
    nodes = tuple([Node(at, ("Row",), {**row, "row": at}) for at, row in enumerate(table.rows)])
    named = ", ".join([f"{name} = r.{name}" for name in table.types])
    listed = ", ".join([f"{text} AS {name}" for name, text in expressions.items()])
    with graphir.connect("duckdb") as db:
        db.load(PropertyGraph(nodes))
        query = f"GRAPH t MATCH (r:Row) LET {named} RETURN r.row AS row_, {listed} ORDER BY row_"
        rows = db.run(query, dialect="gql-spanner").rows
    return [dict(zip(expressions, row[1:], strict=True)) for row in rows]
