"""A layout as text: CREATE TABLE, then CREATE PROPERTY GRAPH, what is not held as comments before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphir.schema.ddl.layout import checked, lay_out, unique
from graphir.schema.ddl.naming import Namespace, legal
from graphir.schema.ddl.paths import Path
from graphir.schema.ddl.plans import Column, Element, Layout, Reference, TablePlan
from graphir.schema.ddl.targets import TARGETS, Target, is_plain, quote, string
from graphir.schema.ddl.tokens import fail
from graphir.schema.model import PropertyType, Schema
from graphir.source import Span

_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def write(schema: Schema, format: str) -> str:
    """The script that defines tables and a property graph for a schema in a dialect.

    Raises SemanticFault G089 for a schema without any node type.
    """
    layout = lay_out(schema, TARGETS[format])
    if not layout.nodes:
        message = "a property graph has at least one node table, and the schema has no node type"
        fail("", Span(0, 0), message, code="G089")
    return Writer(layout).write()


def comment(notes: list[str], mark: str = "--") -> str:
    """Notes as lines of comment."""
    return "".join(f"{mark} {_CONTROL.sub('?', note)}\n" for note in dict.fromkeys(notes))


class Writer:
    """Prints a layout as the statements of its dialect."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.target: Target = layout.target
        taken = (layout.graph[-1], *(table.name for table in layout.tables))
        self.relations = Namespace(self.target, {self.target.held(name, True) for name in taken})

    def write(self) -> str:
        parts = [comment([*self.layout.notes, *self._said_of_schemas()]), "".join(self._schemas())]
        for table in self.layout.tables:
            parts.append(self._table(table))
        parts.append(self._graph())
        return "\n".join(part for part in parts if part)

    def _name(self, name: str, kind: str = "column") -> str:
        spelled = self.layout.spelled.get((kind, name))
        if spelled is not None and self.target.held(spelled, False) == name and is_plain(spelled):
            return spelled
        return quote(name, self.target)

    def _path(self, path: Path, kind: str = "table") -> str:
        return ".".join([*[self._name(part, "schema") for part in path[:-1]], self._name(path[-1], kind)])

    def _names(self, names: tuple[str, ...]) -> str:
        return "(" + ", ".join(self._name(name) for name in names) + ")"

    # -------------------------------------------------------------- schemas

    def _qualifiers(self) -> list[Path]:
        """The schemas that tables and the graph are in."""
        found = [*[table.qualifier for table in self.layout.tables], self.layout.graph[:-1]]
        return [path for path in dict.fromkeys(found) if path]

    def _said_of_schemas(self) -> Iterator[str]:
        for path in self._qualifiers():
            shown = ".".join(path)
            if not self.target.making:
                yield f"a schema of {self.target.title} is a user of the database: {shown} has to be there"
            if len(path) > self.target.schemas:
                yield f"names of {self.target.title} have one schema before them: {shown} is one of BigQuery"

    def _schemas(self) -> Iterator[str]:
        for path in self._qualifiers() if self.target.making else ():
            yield f"{self.target.making} {self._path(path, 'schema')};\n"

    # -------------------------------------------------------------- tables

    def _table(self, table: TablePlan) -> str:
        lines = [self._column(column) for column in table.columns]
        note = "" if self.target.enforced else " NOT ENFORCED"
        if not self.target.key_after:
            lines.append(f"PRIMARY KEY {self._names(table.key)}{note}")
        lines += [self._reference(reference) + note for reference in table.references]
        lines += [check for column in table.columns if (check := self._check(column)) is not None]
        body = ",\n  ".join(lines)
        after = f" PRIMARY KEY {self._names(table.key)}" if self.target.key_after else ""
        statements = [f"CREATE TABLE {self._path(table.path)} (\n  {body}\n){after};"]
        statements += self._indexes(table)
        if self.target.comments:
            statements += self._comments(table)
        return "\n".join(statements) + "\n"

    def _column(self, column: Column) -> str:
        text = f"{self._name(column.name)} {column.type}"
        if not column.nullable:
            text += " NOT NULL"
        property = column.property
        if property is None:
            return text
        if self.target.unique == "inline" and unique(property, self.target):
            text += " UNIQUE"
        return text

    def _check(self, column: Column) -> str | None:
        property = column.property
        if property is None or not checked(property, self.target):
            return None
        return f"CHECK ({self._name(column.name)} IN ({self._literals(property)}))"

    def _literals(self, property: PropertyType) -> str:
        return ", ".join(
            string(value, self.target) if isinstance(value, str) else str(value).upper()
            for value in property.values or ()
        )

    def _reference(self, reference: Reference) -> str:
        node = reference.node
        return (
            f"FOREIGN KEY {self._names(reference.columns)} REFERENCES {self._path(node.table.path)} "
            f"{self._names(node.key)}"
        )

    def _indexes(self, table: TablePlan) -> Iterator[str]:
        if self.target.unique != "index":
            return
        for column in table.columns:
            if column.property is not None and unique(column.property, self.target):
                name = legal(f"{table.name}_{column.name}_unique", self.target)
                index = self._path((*table.qualifier, self.relations.take(name)))
                yield f"CREATE UNIQUE INDEX {index} ON {self._path(table.path)} ({self._name(column.name)});"

    def _comments(self, table: TablePlan) -> Iterator[str]:
        if table.description is not None:
            yield f"COMMENT ON TABLE {self._path(table.path)} IS {string(table.description, self.target)};"
        for column in table.columns:
            if column.property is not None and column.property.description is not None:
                place = f"{self._path(table.path)}.{self._name(column.name)}"
                yield f"COMMENT ON COLUMN {place} IS {string(column.property.description, self.target)};"

    # -------------------------------------------------------------- the graph

    def _graph(self) -> str:
        nodes = ",\n".join(self._element(element) for element in self.layout.nodes if element.written)
        name = self._path(self.layout.graph, "graph")
        text = f"CREATE PROPERTY GRAPH {name}\n  {self.target.nodes} TABLES (\n{nodes}\n  )"
        if self.layout.edges:
            edges = ",\n".join(self._element(element) for element in self.layout.edges)
            text += f"\n  EDGE TABLES (\n{edges}\n  )"
        return text + ";\n"

    def _element(self, element: Element) -> str:
        text = "    " + self._path(element.table.path)
        if element.name != element.table.name:
            text += f" AS {self._name(element.name, 'table')}"
        if self.target.key_clause:
            text += f" KEY {self._names(element.key)}"
        for word, end in (("SOURCE", element.source), ("DESTINATION", element.target)):
            if end is not None:
                node = end.node
                text += f"\n      {word} KEY {self._names(end.columns)} REFERENCES {self._end(node)} "
                text += self._names(node.key)
        for label in element.labels.values():
            properties = self._properties(element, label)
            label_text = f"LABEL {self._name(label, 'label')}"
            parts = (properties, label_text) if self.target.unique_labels else (label_text, properties)
            text += "\n      " + " ".join(parts)
        return text

    def _end(self, node: Element) -> str:
        """The name under which an edge refers to a node."""
        alone = sum(each.table is node.table for each in self.layout.nodes if each.written) == 1
        return self._path(node.table.path) if self.target.whole_ends and alone else self._name(node.name, "table")

    def _properties(self, element: Element, label: str) -> str:
        exposed = self.layout.exposed(element, label)
        if not exposed:
            return "NO PROPERTIES"
        return "PROPERTIES (" + ", ".join(self._exposed(*each) for each in exposed) + ")"

    def _exposed(self, name: str, column: Column | None, type: str) -> str:
        if column is None:
            return f"CAST(NULL AS {_of_expression(type, self.target)}) AS {self._name(name, 'property')}"
        if column.name == name:
            return self._name(name, "property")
        return f"{self._name(column.name)} AS {self._name(name, 'property')}"


def _of_expression(type: str, target: Target) -> str:
    """The type as it stands in CAST: GoogleSQL's have no length there."""
    return re.sub(r"\((?:MAX|\d+|vector_length=>\d+)\)", "", type) if target.format == "spanner-ddl" else type
