"""SQL/PGQ that no engine here runs, over the tables and the graph that our own data definition makes of a graph.

`ReadBack`: the text is read by graphir and run on the embedded engine, about the graph that the text of the definition
says.  `graph_joins.py` has another way.  To a panel these are engines that are asked in Cypher.  Rows come with what
tells elements apart in the tables, and are given with the elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Self

import graphir
from graphir import api, ir
from graphir.backends.engines.constants import bind
from graphir.backends.engines.faults import fault
from graphir.backends.engines.results import Result
from graphir.backends.sql import reps, targets
from graphir.backends.sql.catalog import Catalog
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.backends.sqltext.tables import catalog_of, format_of
from graphir.graphs import PropertyGraph
from graphir.passes.safety.readonly import WRITING
from graphir.schema import formats, infer
from graphir.schema.ddl import script
from graphir.schema.ddl.graphs import Element, Label
from graphir.schema.ddl.graphs import Graph as Definition
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.model import NodeType, Schema
from graphir.source import Source
from graphir.values.conversions import from_standard
from graphir.values.entities import Edge, Node, Path
from tests.engines.sql_tables import Laid, laid_out

Row = Mapping[str, Any]


class Emitted:
    """A graph in tables, and queries as text of a dialect over them."""

    def __init__(self, dialect: str, name: str | None = None) -> None:
        self.name = name or dialect
        self.dialect = dialect
        self.format = format_of(dialect)
        self.texts: list[str] = []
        """What was sent last, for messages."""
        self.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is held."""

    def clear(self) -> None:
        self.graph: PropertyGraph | None = None

    def load(self, source: Any, schema: Schema | None = None) -> None:
        """Lay the graph out.  Unsupported where the schema of a graph has no tables in the dialect."""
        graph = source if isinstance(source, PropertyGraph) else PropertyGraph.from_dict(source)
        found = schema or infer.from_graph(graph)
        self.schema = found if found.node_types else replace(found, node_types=(NodeType(("Nothing",)),))
        self.catalog: Catalog = catalog_of(self.schema, self.dialect, Source(""))
        self.laid: Laid = laid_out(self.catalog, graph)
        for table in self.laid.tables.values():
            for name, rep in table.columns.items():
                self.require(table.name, name, rep, [row[name] for row in table.rows if row.get(name) is not None])
        self.graph = graph
        self.nodes = {self.laid.nodes[node.id]: node for node in graph.nodes}
        self.edges = {self.laid.edges[edge.id]: edge for edge in graph.edges}
        self.definition = script.parse(formats.write(self.schema, self.format), TARGETS[self.format]).graphs[-1]
        self.fill()

    def require(self, table: str, column: str, rep: Rep, values: Sequence[Any]) -> None:
        """That a column can hold its values.  Unsupported (G626)."""
        if any(reps.rep_of(value) not in (rep, reps.list_of(reps.NULL)) for value in map(from_standard, values)):
            raise fault("G626", f"{table}.{column} has values of several types", engine=self.name)
        if "oracle" in self.dialect and "" in values:
            raise fault("G626", f"{table}.{column} has an empty string", engine=self.name)

    def fill(self) -> None:
        """Have the tables where texts are run."""
        raise NotImplementedError

    def fetch(self, statement: Statement) -> Sequence[Sequence[Any]]:
        """The rows of a text."""
        raise NotImplementedError

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        if self.graph is None:
            self.load(PropertyGraph())
        source = Source(text)
        statement = self.statement(text, dialect, parameters)
        rows = self.fetch(statement)
        known = [rep for _, rep in statement.columns]
        try:
            decoded = [tuple([self.value(v, rep) for v, rep in zip(row, known, strict=True)]) for row in rows]
        except LookupError as error:
            raise fault("G627", f"no value: {error!r}", engine=self.name, source=source) from None
        return Result(tuple([name for name, _ in statement.columns]), decoded)

    def statement(self, text: str, dialect: str, parameters: Mapping[str, Any] | None = None) -> Statement:
        """A query as text; the values of parameters become constants.  Raises SyntaxFault, Unsupported."""
        source = Source(text)
        query = graphir.parse(text, dialect)
        values: dict[str, Any] = from_standard(parameters or {})
        core = api.to_core(bind(query, values) if values else query, text, dialect)
        if any(type(node) in WRITING for node in ir.walk(core)):
            raise fault("G565", "the query writes", engine=self.name, source=source)
        statement = targets.emit(core, self.catalog, self.dialect, {}, source, typed={}, named=True, pretty=True)
        self.texts = [statement.text]
        return statement

    def value(self, value: Any, rep: Rep) -> Any:
        """A value of a row as the contract has it.  Recurses."""
        if value is None:
            return None
        if rep == reps.NODE:
            return self.nodes[value]
        if rep == reps.EDGE:
            return self.edges[value]
        if rep == reps.PATH:
            nodes, edges = value["nodes"], value["edges"]
            return Path(tuple([self.nodes[each] for each in nodes]), tuple([self.edges[each] for each in edges]))
        if isinstance(rep, ListRep):
            return [self.value(each, rep.element) for each in value]
        if isinstance(rep, MapRep):
            names = [key if key in value else f"f{at}" for at, key in enumerate(rep.keys)]
            fields = zip(rep.keys, names, rep.values, strict=True)
            return {key: self.value(value[name], of) for key, name, of in fields}
        if rep == reps.FLOAT:
            return float(value)
        return from_standard(value)


class Written(Emitted):
    """Texts alone."""

    def fill(self) -> None:
        """There is nothing that runs them."""


# ------------------------------------------------------------------ read back


class ReadBack(Emitted):
    """Texts read by graphir, on the embedded engine."""

    def __init__(self, dialect: str, name: str | None = None) -> None:
        self.embedded = graphir.connect()
        super().__init__(dialect, name)

    def close(self) -> None:
        self.embedded.close()

    def fill(self) -> None:
        self.embedded.clear()
        self.embedded.load(Making(self.definition, self.laid).graph())

    def fetch(self, statement: Statement) -> Sequence[Sequence[Any]]:
        return self.embedded.run(statement.text, dialect=self.dialect).rows


def exposed(element: Element, columns: Sequence[str]) -> dict[str, str | None]:
    """Name of a property -> the column that it is; None for a typed NULL."""
    found: dict[str, str | None] = {}
    for label in element.labels or [Label(None, element.properties)]:
        properties = label.properties or element.properties
        if properties is None or properties.listed is None:
            found |= {name: name for name in columns}
            continue
        for each in properties.listed:
            found.setdefault(each.name.text, None if each.column is None else each.column.text)
    return found


def labels_of(element: Element) -> list[str]:
    return [(label.name or element.name).text for label in element.labels] or [element.name.text]


@dataclass
class Making:
    """The graph of values that a definition says."""

    definition: Definition
    laid: Laid

    def graph(self) -> PropertyGraph:
        nodes: list[Node] = []
        homes: dict[str, list[tuple[int, Row]]] = {}
        for element in self.elements("node"):
            kept = homes.setdefault(element.name.text, [])
            for row in self.rows(element):
                kept.append((len(nodes), row))
                nodes.append(Node(len(nodes), tuple(labels_of(element)), self.properties(element, row)))
        edges: list[Edge] = []
        for element in self.elements("edge"):
            label, *more = labels_of(element)
            for row in self.rows(element):
                for start, end in product(*[self.ends(end, row, homes) for end in (element.source, element.target)]):
                    found = self.properties(element, row)
                    edges.append(Edge(len(edges), label, start, end, found, (label, *more) if more else ()))
        return PropertyGraph(tuple(nodes), tuple(edges))

    def elements(self, kind: str) -> Iterator[Element]:
        return (element for element in self.definition.elements if element.kind == kind)

    def rows(self, element: Element) -> Sequence[Row]:
        return self.laid.tables[element.table.text].rows

    def properties(self, element: Element, row: Row) -> dict[str, Any]:
        known = exposed(element, list(self.laid.tables[element.table.text].columns))
        found = {name: row.get(column) for name, column in known.items() if column is not None}
        return {name: value for name, value in found.items() if value is not None}

    def ends(self, end: Any, row: Row, homes: Mapping[str, list[tuple[int, Row]]]) -> list[int]:
        own = [row.get(token.text) for token in end.columns]
        referred = [token.text for token in end.referred]
        return [number for number, node in homes[end.element.text] if [node.get(name) for name in referred] == own]
