"""SQL/PGQ that no engine here runs, answered in two other ways: over the tables and the graph that our own data
definition makes of a graph.

- `ReadBack`: the text is read by graphir and run on the embedded engine, about the graph that the text of the
  definition says.
- `Joined`: in place of each GRAPH_TABLE stands the join of the tables that it means, made of the text by the few lines
  of `Replacing`, and DuckDB runs the rest.  It shares nothing with the reader, nor with the writer.

To a panel both are engines that are asked in Cypher.  Rows come with what tells elements apart there; they are found
again by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Self

import duckdb
import sqlglot

import graphir
from graphir import api
from graphir.backends.engines.constants import bind
from graphir.backends.engines.faults import fault
from graphir.backends.engines.results import Result
from graphir.backends.sql import reps, targets
from graphir.backends.sql.catalog import Catalog
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.backends.sqltext.tables import catalog_of, format_of
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.schema import formats, infer
from graphir.schema.ddl import script
from graphir.schema.ddl.graphs import Element, Label
from graphir.schema.ddl.graphs import Graph as Definition
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.model import Schema
from graphir.source import Source
from graphir.values.conversions import from_standard, to_standard
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
        self.schema = schema or infer.from_graph(graph)
        self.catalog: Catalog = catalog_of(self.schema, self.dialect, Source(""))
        self.laid: Laid = laid_out(self.catalog, graph)
        self.graph = graph
        self.nodes = {self.laid.nodes[node.id]: node for node in graph.nodes}
        self.edges = {self.laid.edges[edge.id]: edge for edge in graph.edges}
        self.definition = script.parse(formats.write(self.schema, self.format), TARGETS[self.format]).graphs[-1]
        self.fill()

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
        query = graphir.parse(text, dialect)
        values: dict[str, Any] = from_standard(parameters or {})
        core = api.to_core(bind(query, values) if values else query, text, dialect)
        statement = targets.emit(core, self.catalog, self.dialect, {}, source, typed={}, named=True, pretty=True)
        self.texts = [statement.text]
        rows = self.fetch(statement)
        known = [rep for _, rep in statement.columns]
        try:
            decoded = [tuple([self.value(v, rep) for v, rep in zip(row, known, strict=True)]) for row in rows]
        except LookupError as error:
            raise fault("G627", f"no value: {error!r}", engine=self.name, source=source) from None
        return Result(tuple([name for name, _ in statement.columns]), decoded)

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
            return {key: self.value(value[key], of) for key, of in zip(rep.keys, rep.values, strict=True)}
        if rep == reps.FLOAT:
            return float(value)
        return from_standard(value)


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


# ------------------------------------------------------------------ joins in place of graph tables


class Joined(Emitted):
    """Texts on DuckDB, with joins in place of graph tables."""

    def __init__(self, dialect: str, name: str | None = None) -> None:
        self.sqlglot = targets.target(dialect).dialect
        self.connection = duckdb.connect()
        super().__init__(dialect, name)

    def close(self) -> None:
        self.connection.close()

    def fill(self) -> None:
        self.connection.close()
        self.connection = duckdb.connect()
        types = targets.target("sql-duckdb").types
        for table in self.laid.tables.values():
            columns = [f"{quoted(name)} {types(rep) or 'BIGINT'}" for name, rep in table.columns.items()]
            self.connection.execute(f"CREATE TABLE {quoted(table.name)} ({', '.join(columns)})")
            marks = ", ".join("?" for _ in columns)
            for row in table.rows:
                values = [to_standard(row.get(name)) for name in table.columns]
                self.connection.execute(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", values)

    def fetch(self, statement: Statement) -> Sequence[Sequence[Any]]:
        text = Replacing(statement.text, self.definition, self.laid).text()
        if self.sqlglot != "duckdb":
            (text,) = sqlglot.transpile(text, read=self.sqlglot, write="duckdb")
        self.texts.append(text)
        try:
            return self.connection.execute(text).fetchall()
        except duckdb.Error as error:
            raise explained(error, self.name, statement.text) from None


def explained(error: Exception, name: str, text: str) -> GraphirError:
    """A fault of values is one of the query; any other says that the text is wrong."""
    failing = isinstance(error, duckdb.OutOfRangeException | duckdb.InvalidInputException | duckdb.ConversionException)
    return fault("G624" if failing else "G621", f"{name}: {error}", engine=name, hint=text)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True)
class Token:
    """A name without its quotes, a word, a string or a sign, and where it stands."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Names in quotes, strings, words (numbers among them), and every other character for itself."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        start = at
        sign = text[at]
        if sign.isspace():
            at += 1
            continue
        if sign in "\"'":
            at += 1
            while text[at] != sign or text[at + 1 : at + 2] == sign:
                at += 2 if text[at] == sign else 1
            at += 1
            body = text[start + 1 : at - 1].replace(sign * 2, sign)
            found.append(Token("name" if sign == '"' else "string", body, start, at))
        elif sign.isalnum() or sign == "_":
            while at < len(text) and (text[at].isalnum() or text[at] in "_$"):
                at += 1
            found.append(Token("word", text[start:at], start, at))
        else:
            at += 1
            found.append(Token("sign", sign, start, at))
    return found


@dataclass(frozen=True)
class Part:
    """`(variable IS label)`, or `-[variable IS label]->`; `backwards` of an edge that is written `<-[..]-`."""

    variable: str
    label: str | None
    edge: bool
    backwards: bool = False


class Replacing:
    """A text with the join in place of each GRAPH_TABLE: patterns of nodes and edges with at most one label each."""

    def __init__(self, text: str, definition: Definition, laid: Laid) -> None:
        self.source = text
        self.tokens = tokens(text)
        self.definition = definition
        self.laid = laid
        self.at = 0

    def text(self) -> str:
        """The text.  LookupError, AssertionError for what is not of that form."""
        parts: list[str] = []
        done = 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.kind == "word" and token.text.upper() == "GRAPH_TABLE":
                parts += [self.source[done : token.start], self.graph_table()]
                done = self.tokens[self.at - 1].end
        return "".join([*parts, self.source[done:]])

    def accept(self, text: str) -> bool:
        token = self.tokens[self.at]
        found = token.kind in ("word", "sign") and token.text.upper() == text
        self.at += found
        return found

    def take(self, text: str) -> None:
        assert self.accept(text), (text, self.tokens[self.at], self.source)

    def name(self) -> str:
        token = self.tokens[self.at]
        assert token.kind in ("word", "name"), token
        self.at += 1
        return token.text if token.kind == "name" else self.held(token.text)

    def held(self, word: str) -> str:
        """A name without quotes, as the database of the definition has it; here case alone can differ."""
        return word

    def graph_table(self) -> str:
        self.take("(")
        self.name()
        self.take("MATCH")
        paths = [self.path()]
        while self.accept(","):
            paths.append(self.path())
        condition = self.until("COLUMNS") if self.accept("WHERE") else None
        self.take("COLUMNS")
        self.take("(")
        columns = self.until(")")
        self.take(")")
        self.take(")")
        return self.joined(paths, condition, columns)

    def until(self, word: str) -> str:
        """The text up to a word outside of brackets."""
        start, depth = self.tokens[self.at].start, 0
        while depth or not (self.tokens[self.at].kind != "string" and self.tokens[self.at].text.upper() == word):
            token = self.tokens[self.at]
            if token.kind == "sign":
                depth += (token.text in "([") - (token.text in ")]")
            self.at += 1
        return self.source[start : self.tokens[self.at].start]

    def path(self) -> list[Part]:
        found = [self.element(edge=False)]
        while self.tokens[self.at].text in ("-", "<"):
            backwards = self.accept("<")
            self.take("-")
            edge = self.element(edge=True, backwards=backwards)
            self.take("-")
            if not backwards:
                self.take(">")
            found += [edge, self.element(edge=False)]
        return found

    def element(self, *, edge: bool, backwards: bool = False) -> Part:
        self.take("[" if edge else "(")
        variable = self.name()
        label = self.name() if self.accept(":") or self.accept("IS") else None
        self.take("]" if edge else ")")
        return Part(variable, label, edge, backwards)

    # -------------------------------------------------------------- the join

    def joined(self, paths: list[list[Part]], condition: str | None, columns: str) -> str:
        """The rows of every choice of tables, one below the other."""
        labels: dict[str, list[str | None]] = {}
        kinds: dict[str, str] = {}
        links: list[tuple[str, str, str]] = []
        for path in paths:
            for part in path:
                labels.setdefault(part.variable, []).append(part.label)
                kinds[part.variable] = "edge" if part.edge else "node"
            for left, edge, right in zip(path[::2], path[1::2], path[2::2], strict=False):
                ends = (right, left) if edge.backwards else (left, right)
                links.append((edge.variable, ends[0].variable, ends[1].variable))
        choices = [self.tables(kinds[variable], of) for variable, of in labels.items()]
        selects = []
        for choice in product(*choices):
            tables = dict(zip(labels, choice, strict=True))
            if (select := self.select(tables, links, condition, columns)) is not None:
                selects.append(select)
        if not selects:
            tables = dict(zip(labels, [found[0] for found in choices], strict=True))
            select = self.select(tables, [], "FALSE", columns)
            assert select is not None
            selects.append(select)
        return f"({' UNION ALL '.join(selects)})"

    def tables(self, kind: str, labels: Sequence[str | None]) -> list[Element]:
        found = [
            element
            for element in self.definition.elements
            if element.kind == kind and all(label is None or same(label, labels_of(element)) for label in labels)
        ]
        assert found, f"no {kind} table has the labels {labels}"
        return found

    def select(
        self, tables: Mapping[str, Element], links: Sequence[tuple[str, str, str]], condition: str | None, columns: str
    ) -> str | None:
        """The join of one choice; None where edges do not fit their ends."""
        conditions = [] if condition is None else [f"({condition})"]
        for edge, start, end in links:
            element = tables[edge]
            for variable, reference in ((start, element.source), (end, element.target)):
                assert reference is not None
                if not same(reference.element.text, [tables[variable].name.text]):
                    return None
                for own, other in zip(reference.columns, reference.referred, strict=True):
                    conditions.append(f"{self.key(edge, own.text)} = {self.key(variable, other.text)}")
        sources = [f"{self.relation(element)} AS {quoted(variable)}" for variable, element in tables.items()]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"SELECT {columns} FROM {', '.join(sources)}{where}"

    def key(self, variable: str, column: str) -> str:
        return f"{quoted(variable)}.{quoted(KEY + column)}"

    def relation(self, element: Element) -> str:
        """The rows of an element: its properties by their names, and all columns of its table once more."""
        table = self.laid.tables[element.table.text]
        known = exposed(element, list(table.columns))
        shown = [f"{'NULL' if column is None else quoted(column)} AS {quoted(name)}" for name, column in known.items()]
        shown += [f"{quoted(name)} AS {quoted(KEY + name)}" for name in table.columns]
        return f"(SELECT {', '.join(shown)} FROM {quoted(table.name)})"


KEY = "key of "
"""Before the names of columns, where they are no properties."""


def same(name: str, names: Sequence[str]) -> bool:
    """Whether a name is among others, by the case of its letters or else without it."""
    return name in names or name.lower() in [each.lower() for each in names]


OPENERS: Mapping[str, Callable[[str], Emitted]] = {"read": ReadBack, "join": Joined}
"""The ways by name."""


def opened(way: str, dialect: str) -> Emitted:
    return OPENERS[way](dialect, f"{way}:{dialect}")
