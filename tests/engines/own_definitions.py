"""Random property graphs over tables as people define them, and Cypher that is translated for these definitions.

    python -m tests.engines.own_definitions [--cases 1000] [--first 0] [--dialects pgq-postgres,pgq-oracle-26ai]
        [--seconds S]

Tables, columns, keys, labels and properties have unlike names; elements have several labels, and labels several tables;
keys are of one or two columns, which properties expose or hide; edges lie in tables of their own or in those of nodes.
The embedded engine has the graph that is drawn beside the definition; the text runs with a join of the tables in place
of each GRAPH_TABLE (`graph_joins.py`), and graphir's own check of the dialect has to accept it.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphir import check, generation
from graphir.backends.engines import connect
from graphir.backends.sql import reps
from graphir.backends.sql.catalog import EdgeTable, NodeTable
from graphir.backends.sql.targets import Statement
from graphir.backends.sqltext.tables import catalog_of, format_of
from graphir.generation.dice import RandomDice
from graphir.graphs import PropertyGraph
from graphir.proof import Panel
from graphir.proof.questions import Question
from graphir.schema import Schema
from graphir.schema.ddl import script
from graphir.schema.ddl.targets import TARGETS
from graphir.source import Source
from graphir.values.entities import Edge, Node
from tests.engines import gql_rows
from tests.engines.graph_joins import OnDuckDB, OnPostgres, OracleOnPostgres, quoted
from tests.engines.graph_tables import Emitted
from tests.engines.pgq_rows import FLAT
from tests.engines.postgres_programs import unpacked
from tests.engines.sql_tables import Filled, Laid

Row = dict[str, Any]
PER_GRAPH = 24
TYPES: Mapping[str, tuple[str, str, str]] = {
    "INTEGER": ("bigint", "NUMBER(18)", "BIGINT"),
    "STRING": ("text", "VARCHAR2(100)", "VARCHAR"),
    "FLOAT": ("double precision", "BINARY_DOUBLE", "DOUBLE"),
    "BOOLEAN": ("boolean", "BOOLEAN", "BOOLEAN"),
}
"""Type -> that of a column in PostgreSQL, Oracle and DuckDB."""
REPS = {"INTEGER": reps.INTEGER, "STRING": reps.STRING, "FLOAT": reps.FLOAT, "BOOLEAN": reps.BOOLEAN}
VALUES: Mapping[str, Sequence[Any]] = {
    "INTEGER": (0, 1, 2, 3, -7),
    "STRING": ("a", "b", "ab", "B"),
    "FLOAT": (0.5, -1.5, 2.0, 1e9),
    "BOOLEAN": (True, False),
}
PROPERTIES = {"id": "INTEGER", "code": "STRING", "x": "INTEGER", "y": "INTEGER", "name": "STRING", "w": "FLOAT"}
PROPERTIES |= {"ok": "BOOLEAN", "note": "STRING"}
"""Property -> its type, which is one in all of a graph."""
LABELS = ("Person", "City", "Item", "Thing")
KINDS = ("KNOWS", "IN", "HAS", "LIKES")


@dataclass
class Table:
    """A table of the database."""

    name: str
    columns: dict[str, str] = field(default_factory=dict)
    """Column -> its type."""
    key: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


@dataclass
class Part:
    """A table as an element of the graph."""

    name: str
    table: Table
    key: list[str]
    labels: dict[str, list[str]]
    """Label -> its properties."""
    properties: dict[str, str]
    """Property -> its column."""
    ends: tuple[End, ...] = ()


@dataclass
class End:
    """Where edges begin, or where they end: their columns, and the nodes that these refer to."""

    columns: list[str]
    part: Part


class Definition:
    """A property graph over random tables, with rows."""

    def __init__(self, number: int, dialect: str) -> None:
        self.dice = random.Random(f"definition {number}")
        self.dialect = dialect
        self.column = {"pgq-postgres": 0, "pgq-iso": 0}.get(dialect, 1 if "oracle" in dialect else 2)
        self.tables: list[Table] = []
        self.taken: set[str] = set()
        self.labels = {name: self.some(PROPERTIES, 0.5) for name in LABELS + KINDS}
        self.nodes = [self.node(at) for at in range(self.dice.randint(1, 4))]
        self.edges = [self.edge(at) for at in range(self.dice.randint(1, 4))]

    def some(self, names: Iterable[str], share: float) -> list[str]:
        return [name for name in names if self.dice.random() < share]

    # ------------------------------------------------------------------ elements

    def node(self, at: int) -> Part:
        table = Table(f"t_{at}")
        self.tables.append(table)
        table.columns["k1"] = "INTEGER"
        table.key = ["k1"]
        if self.dice.random() < 0.3:
            table.columns["k2"] = "STRING"
            table.key = self.dice.sample(["k1", "k2"], 2)
        part = self.part(self.dice.choice([table.name, f"n {at}"]), table, LABELS)
        for number in range(self.dice.randint(0, 6)):
            row = self.row(part, table)
            row |= {"k1": number, "k2": self.dice.choice("ab")} if "k2" in table.columns else {"k1": number}
            table.rows.append(row)
        return part

    def edge(self, at: int) -> Part:
        ends = [self.dice.choice(self.nodes) for _ in range(2)]
        if self.dice.random() < 0.25:
            return self.edge_of_node(at, *ends)
        table = Table(f"e_{at}")
        self.tables.append(table)
        columns: list[list[str]] = []
        for side, part in zip("sd", ends, strict=True):
            names = [f"{side}{column}" for column in part.key]
            table.columns |= {name: part.table.columns[own] for name, own in zip(names, part.key, strict=True)}
            columns.append(names)
        unique = self.dice.random() < 0.3
        table.key = [*columns[0], *columns[1]] if unique else ["k1"]
        if not unique:
            table.columns = {"k1": "INTEGER", **table.columns}
        part = self.part(f"e {at}" if self.dice.random() < 0.5 else table.name, table, KINDS)
        part.ends = tuple([End(names, node) for names, node in zip(columns, ends, strict=True)])
        pairs = set()
        for number in range(self.dice.randint(0, 9) if all(each.table.rows for each in ends) else 0):
            row = self.row(part, table)
            for end in part.ends:
                chosen = self.dice.choice(end.part.table.rows)
                row |= {name: chosen[own] for name, own in zip(end.columns, end.part.key, strict=True)}
            pair = tuple([row[name] for name in (*columns[0], *columns[1])])
            if unique and pair in pairs:
                continue
            pairs.add(pair)
            table.rows.append(row if unique else row | {"k1": number})
        return part

    def edge_of_node(self, at: int, start: Part, end: Part) -> Part:
        """Edges that lie in the table of the nodes where they begin."""
        table = start.table
        names = [f"r{at}{column}" for column in end.key]
        table.columns |= {name: end.table.columns[own] for name, own in zip(names, end.key, strict=True)}
        for row in table.rows:
            chosen = self.dice.choice(end.table.rows) if end.table.rows and self.dice.random() < 0.8 else {}
            row |= {name: chosen.get(own) for name, own in zip(names, end.key, strict=True)}
        part = self.part(f"f {at}", table, KINDS, fixed=True)
        part.ends = (End(list(table.key), start), End(names, end))
        return part

    def part(self, name: str, table: Table, labels: Sequence[str], *, fixed: bool = False) -> Part:
        """An element of a table; the table gets the columns that its properties need, if it is not `fixed`."""
        chosen = self.dice.sample(labels, self.dice.choice([1, 1, 2, 3] if labels is LABELS else [1, 1, 1, 2]))
        if self.dialect == "pgq-duckpgq":  # a label is that of one table
            chosen = [next(each for each in labels if each not in self.taken)]
            self.taken.add(chosen[0])
        wanted = list(dict.fromkeys([each for label in chosen for each in self.labels[label]]))
        properties: dict[str, str] = {}
        for each in wanted:
            kind = PROPERTIES[each]
            free = [c for c, t in table.columns.items() if t == kind and c not in properties.values()]
            keys = [c for c in table.key if c in free]
            if keys and each in ("id", "code"):
                properties[each] = keys[0]
                continue
            if fixed and (plain := [c for c in free if c.startswith("c_")]):
                properties[each] = self.dice.choice(plain)
                continue
            column = f"c_{each}" if not fixed else f"c_{name[-1]}_{each}"
            table.columns[column] = kind
            properties[each] = column
            if fixed:
                for row in table.rows:
                    row[column] = self.dice.choice([None, *VALUES[kind]])
        return Part(name, table, list(table.key), {label: self.labels[label] for label in chosen}, properties)

    def row(self, part: Part, table: Table) -> Row:
        return {
            column: self.dice.choice([None, *VALUES[table.columns[column]]])
            for column in part.properties.values()
            if column not in table.key
        }

    # ------------------------------------------------------------------ the text

    def text(self) -> str:
        made = [self.create(table) for table in self.tables]
        nodes = ", ".join([self.element(part) for part in self.nodes])
        edges = ", ".join([self.element(part) for part in self.edges])
        made.append(f'CREATE PROPERTY GRAPH "my graph" VERTEX TABLES ({nodes}) EDGE TABLES ({edges})')
        return ";\n".join(made)

    def create(self, table: Table) -> str:
        columns = [f"{quoted(name)} {TYPES[kind][self.column]}" for name, kind in table.columns.items()]
        key = ", ".join(map(quoted, table.key))
        return f"CREATE TABLE {quoted(table.name)} ({', '.join(columns)}, PRIMARY KEY ({key}))"

    def element(self, part: Part) -> str:
        found = quoted(part.table.name)
        if part.name != part.table.name:
            found += f" AS {quoted(part.name)}"
        found += f" KEY ({', '.join(map(quoted, part.key))})"
        for word, end in zip(("SOURCE", "DESTINATION"), part.ends, strict=False):
            own, other = (", ".join(map(quoted, names)) for names in (end.columns, end.part.key))
            found += f" {word} KEY ({own}) REFERENCES {quoted(end.part.name)} ({other})"
        for label, properties in part.labels.items():
            listed = [self.property(each, part.properties[each]) for each in properties]
            found += f" LABEL {quoted(label)} "
            found += f"PROPERTIES ({', '.join(listed)})" if listed else "NO PROPERTIES"
        return found

    def property(self, name: str, column: str) -> str:
        return quoted(column) if name == column else f"{quoted(column)} AS {quoted(name)}"

    # ------------------------------------------------------------------ the graph

    def graph(self) -> tuple[PropertyGraph, dict[int, tuple[Part, Row]], dict[int, tuple[Part, Row]]]:
        """The graph, and what its elements are in the tables, by their ids."""
        nodes: list[Node] = []
        homes: dict[int, tuple[Part, Row]] = {}
        numbers: dict[tuple[str, tuple[Any, ...]], int] = {}
        for part in self.nodes:
            for row in part.table.rows:
                numbers[part.name, tuple([row[name] for name in part.key])] = len(nodes)
                homes[len(nodes)] = part, row
                nodes.append(Node(len(nodes), tuple(part.labels), self.values(part, row)))
        edges: list[Edge] = []
        places: dict[int, tuple[Part, Row]] = {}
        for part in self.edges:
            label, *more = part.labels
            for row in part.table.rows:
                ends = [
                    numbers.get((end.part.name, tuple([row.get(name) for name in end.columns]))) for end in part.ends
                ]
                if None in ends:
                    continue
                places[len(edges)] = part, row
                edges.append(
                    Edge(len(edges), label, ends[0], ends[1], self.values(part, row), (label, *more) if more else ())
                )
        return PropertyGraph(tuple(nodes), tuple(edges)), homes, places

    def values(self, part: Part, row: Row) -> dict[str, Any]:
        return {name: row[column] for name, column in part.properties.items() if row.get(column) is not None}


# ---------------------------------------------------------------------- engines


class Own:
    """Mixed into an engine of emitted texts: tables and graph are those of a definition that people wrote."""

    known: Mapping[int, Definition] = {}
    """Identity of a graph -> its definition."""

    def load(self, source: Any, schema: Any = None) -> None:
        made: Definition = self.known[id(source)]
        self.text = made.text()
        self.schema = Schema.read(self.text, self.format)
        self.catalog = catalog_of(self.schema, self.dialect, Source(""))
        _, homes, places = made.graph()
        tables = {
            table.name: Filled(table.name, {c: REPS[k] for c, k in table.columns.items()}, table.rows)
            for table in made.tables
        }
        self.laid = Laid(tables, {}, {})
        self.nodes = {
            known: source.nodes[at] for at, place in homes.items() if (known := self.identity(*place)) is not None
        }
        self.edges = {
            known: source.edges[at] for at, place in places.items() if (known := self.identity(*place)) is not None
        }
        self.graph = source
        self.definition = script.parse(self.text, TARGETS[self.format]).graphs[-1]
        self.fill()

    def identity(self, part: Part, row: Row) -> Any:
        """What tells the element of a row apart in a translation; None where nothing does."""
        every: Sequence[NodeTable | EdgeTable] = self.catalog.edges if part.ends else self.catalog.nodes
        key = next(each.key for each in every if each.element is not None and part.name in each.element.parts)
        if any(column.name not in row for column in key.columns):
            return None
        values = [row[column.name] for column in key.columns]
        return values[0] if key.tag is None else ":".join([key.tag, *map(str, values)])

    def fetch(self, statement: Statement) -> Sequence[Sequence[Any]]:
        wrong = [
            found for found in check(statement.text, self.dialect, schema=self.schema) if found.severity == "error"
        ]
        if wrong:
            print("REFUSED BY OUR CHECK:", wrong[0].code, wrong[0].message, "\n", self.text, "\n", statement.text)
        return super().fetch(statement)


class OwnOnDuckDB(Own, OnDuckDB):
    pass


class OwnOnPostgres(Own, OnPostgres):
    pass


class OwnOnOracle(Own, OracleOnPostgres):
    pass


ENGINES: Mapping[str, Callable[..., Emitted]] = {
    "pgq-postgres": OwnOnPostgres,
    "pgq-oracle-23ai": OwnOnOracle,
    "pgq-oracle-26ai": OwnOnOracle,
    "pgq-duckpgq": OwnOnDuckDB,
}


def questions(dialect: str, numbers: Iterable[int]) -> Iterator[tuple[int, Question, PropertyGraph]]:
    """The questions of those numbers, and their graphs; several have one graph."""
    held: tuple[int, Definition, Schema, PropertyGraph] | None = None
    for number in numbers:
        if held is None or held[0] != number // PER_GRAPH:
            made = Definition(number // PER_GRAPH, dialect)
            graph = made.graph()[0]
            schema = Schema.read(made.text(), format_of(dialect))
            held = number // PER_GRAPH, made, schema, graph
            Own.known = {id(graph): made}
        _, _, schema, graph = held
        dice = RandomDice(f"query {number}")
        surely = graph if graph.nodes and dice.chance(0.6) else None
        query = generation.query(dice, schema, dialect="neo4j-25", profile=FLAT, nonempty_on=surely)
        yield number, Question(query.text, "neo4j-25", query.parameters), graph


def panel(dialect: str) -> Panel:
    """The embedded engine, and what runs texts of the dialect."""
    return Panel({"duckdb": connect, dialect: lambda: ENGINES[dialect](dialect)})


def main() -> None:
    options = gql_rows.options_of(__doc__, ["flat"], "pgq-postgres")
    chosen = options.parse_args()
    with unpacked() as folder:
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
        for dialect in chosen.dialects.split(","):
            tally: Counter[str] = Counter()
            numbers = range(chosen.first, chosen.first + chosen.cases)
            with panel(dialect) as asked:
                found_there = gql_rows.until(chosen.seconds, questions(dialect, numbers))
                for found in gql_rows.differences(asked, found_there, tally):
                    print("\n".join(found.lines()))
                    print(Definition(found.number // PER_GRAPH, dialect).text(), flush=True)
            print(dialect)
            for name, count in sorted(tally.items()):
                print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
