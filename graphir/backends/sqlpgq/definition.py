"""The definition of a graph inside a statement: `WITH g AS PROPERTY GRAPH (..)` over tables that are there.

It has the tables that the statement may look into and, of their properties, those that it asks for.  A table has one
label, its name.  Knows no query but by what its finished tables mention.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from weakref import WeakKeyDictionary

from graphir import ir
from graphir.backends.gql.graph import ElementTable, Property, Reference
from graphir.backends.gql.names import whole
from graphir.backends.gql.values import Kind
from graphir.backends.sqlpgq.expansion import GraphTable
from graphir.backends.sqlpgq.graph import ID, TABLE, TYPE, Graph
from graphir.backends.sqlpgq.targets import Target


def definition(name: str, graph: Graph, target: Target, statement: ir.Node) -> str:
    """The WITH clause that defines the graph under a name, as far as the statement needs it; empty if it does not."""
    found = list(ir.find(statement, GraphTable))
    if not found:
        return ""
    writer = _Writer(graph, target)
    used = {p.key for each in found for p in ir.find(each, ir.Property)}
    tables = [graph.tables[number] for number in sorted(needed(found, graph))]
    nodes = ",\n".join([writer.element(table, used) for table in tables if not table.is_edge])
    edges = ",\n".join([writer.element(table, used) for table in tables if table.is_edge])
    parts = f"  VERTEX TABLES (\n{nodes}\n  )" + (f"\n  EDGE TABLES (\n{edges}\n  )" if edges else "")
    return f"WITH {target.identifier(name)} AS PROPERTY GRAPH (\n{parts}\n)\n"


def needed(found: Iterable[GraphTable], graph: Graph) -> set[int]:
    """The tables that patterns may look into, and the ends of those of edges."""
    tables: set[int] = set()
    for element in [part for each in found for path in each.match.paths for part in path.elements]:
        assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
        if element.labels is None:
            tables |= graph.edges if isinstance(element, ir.EdgePattern) else graph.nodes
            continue
        tables |= {graph.numbers[label.name] for label in ir.find(element.labels, ir.LabelName)}
    for number in [number for number in tables if number in graph.edges]:
        tables |= {end.table for end in (graph.tables[number].source, graph.tables[number].target) if end is not None}
    return tables or {min(graph.nodes)}


_Written = dict[int, tuple[str, list[tuple[str, str]]]]
"""By the number of a table, its definition up to its properties, and the properties by their names."""
_WRITTEN: WeakKeyDictionary[Graph, dict[str, _Written]] = WeakKeyDictionary()
"""By the graph, as long as it lives, and the name of the target: texts alone, nothing that holds the graph."""


class _Writer:
    """Defines tables; what does not depend on the statement is written once."""

    def __init__(self, graph: Graph, target: Target) -> None:
        self.graph = graph
        self.target = target
        self._written = _WRITTEN.setdefault(graph, {}).setdefault(target.name, {})

    def element(self, table: ElementTable, used: Collection[str]) -> str:
        """One table with those of its properties that are used."""
        written = self._written.get(table.number)
        if written is None:
            written = self._written[table.number] = self.head(table), list(self.properties(table))
        head, exposed = written
        properties = ", ".join([text for name, text in exposed if name in used])
        return head + (f"PROPERTIES ({properties})" if properties else "NO PROPERTIES")

    def head(self, table: ElementTable) -> str:
        own = self.target.identifier(table.name)
        named = "" if table.name == table.table[-1] else f" AS {own}"
        lines = [f"{whole(table.table, self.target.identifier)}{named} KEY ({self.names(table.key)})"]
        if table.source is not None and table.target is not None:
            lines += [f"SOURCE {self.end(table.source)}", f"DESTINATION {self.end(table.target)}"]
        return "    " + "\n      ".join([*lines, f"LABEL {own} "])

    def end(self, reference: Reference) -> str:
        node = self.graph.tables[reference.table]
        named = f"{self.target.identifier(node.name)}({self.names(node.key)})"
        return f"KEY ({self.names(reference.columns)}) REFERENCES {named}"

    def names(self, columns: Collection[str]) -> str:
        return ", ".join(map(self.target.identifier, columns))

    def properties(self, table: ElementTable) -> Iterator[tuple[str, str]]:
        for property in table.properties.values():
            yield property.name, self.property(property)
        for name, expression in ((ID, self.identity(table)), (TABLE, str(table.number))):
            yield name, f"{expression} AS {self.target.identifier(name)}"
        if table.is_edge:
            yield TYPE, f"{self.target.string(next(iter(table.labels)))} AS {self.target.identifier(TYPE)}"

    def property(self, property: Property) -> str:
        column = self.target.identifier(property.column)
        if property.wide and property.kind is not None:
            column = f"CAST({column} AS {self.target.types[property.kind]})"
        elif property.column == property.name:
            return column
        return f"{column} AS {self.target.identifier(property.name)}"

    def identity(self, table: ElementTable) -> str:
        """A value that no other element of the graph has: the key, or a text made of the table and its key.

        The parts of a key but for the last have their length before them, so that no two keys make one text.
        """
        columns = list(map(self.target.identifier, table.key))
        if table.single:
            return columns[0]
        text = self.target.types[Kind.STRING]
        parts = [f"CAST({column} AS {text})" for column in columns]
        sized = [f"CAST(CHAR_LENGTH({part}) AS {text}) || ':' || {part}" for part in parts[:-1]]
        return " || ".join([f"'{table.number}:'", *sized, parts[-1]])
