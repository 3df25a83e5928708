"""Statements on tables as text.  The queries in them are printed by the backends of GQL and SQL/PGQ."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from graphir import ir
from graphir.backends import gql
from graphir.backends.dml.statements import Delete, Fresh, Insert, Read, Statement, Update
from graphir.backends.gql.names import identifier, whole
from graphir.backends.gql.printer import GoogleSql
from graphir.schema.ddl.paths import Path
from graphir.source import Source

NEW_NUMBER = "FARM_FINGERPRINT(GENERATE_UUID())"
"""A number that no other row has: 64 bits of a random identifier."""
_ROW = "found"
_CHANGED = "changed"
_EDGE = "edge"
"""Names of the rows that a query in a statement finds, of those that are changed, of edges that refer to them."""


def printed(statement: Statement, graph: Path, source: Source, taken: Collection[str]) -> str:
    """The text of a statement; `taken` are folded names of tables and columns, which no row is called by.

    Raises Unsupported where a query in it cannot be said.
    """
    printer = _Printer(graph, source, taken)
    match statement:
        case Insert():
            return printer.insert(statement)
        case Update():
            return printer.update(statement)
        case Delete():
            return printer.delete(statement)
        case Read():
            return gql.emit(statement.query, "gql-spanner", source, graph)


class _Printer:
    def __init__(self, graph: Path, source: Source, taken: Collection[str]) -> None:
        self.graph = graph
        self.text = source
        self.row, self.changed, self.edge = (_free(name, taken) for name in (_ROW, _CHANGED, _EDGE))

    def query(self, query: ir.Query) -> str:
        return gql.emit(query, "pgq-googlesql", self.text, self.graph)

    # -------------------------------------------------------------- statements

    def insert(self, statement: Insert) -> str:
        word = "INSERT OR IGNORE INTO" if statement.ignore else "INSERT INTO"
        columns = ", ".join(map(identifier, statement.values))
        head = f"{word} {whole(statement.table)} ({columns})"
        query = self.query(statement.source)
        if not any(isinstance(value, Fresh) for value in statement.values.values()):
            return f"{head}\n{query}"
        shown = []
        at = 0
        for value in statement.values.values():
            if isinstance(value, Fresh):
                shown.append(NEW_NUMBER)
                continue
            shown.append(f"{self.row}.value_{at}")
            at += 1
        return f"{head}\nSELECT {', '.join(shown)}\nFROM {_nested(query)} AS {self.row}"

    def update(self, statement: Update) -> str:
        table = whole(statement.table)
        body = statement.source.body
        assert isinstance(body, ir.Pipeline)
        project = body.operators[-1]
        assert isinstance(project, ir.Project)
        same = self.same([statement.key])
        found = _nested(self.query(statement.source)) if _moves(statement) else ""
        sets = []
        for column, value in statement.values.items():
            if isinstance(value, ir.Ref):
                shown = f"(SELECT {self.row}.{value.name} FROM {found} AS {self.row} WHERE {same})"
            else:
                shown = GoogleSql([value], []).text(value)
            sets.append(f"{identifier(column)} = {shown}")
        keys = tuple([item for item in project.items if (item.name or "").startswith("key_")])
        only = ir.Pipeline((*body.operators[:-1], ir.Project(keys, distinct=project.distinct, final=True)))
        where = self.among([statement.key], ir.Query(only))
        return f"UPDATE {table} AS {self.changed}\nSET {', '.join(sets)}\nWHERE {where}"

    def delete(self, statement: Delete) -> str:
        """A node that still has relationships is an error; IF looks at no row but those that are to go."""
        where = "TRUE" if statement.source is None else self.among(statement.keys, statement.source)
        tests = []
        for table, columns, key in statement.guards:
            pairs = zip(columns, key, strict=True)
            same = [f"{self.edge}.{identifier(c)} = {self.changed}.{identifier(k)}" for c, k in pairs]
            tests.append(f"EXISTS (SELECT 1 FROM {whole(table)} AS {self.edge} WHERE {' AND '.join(same)})")
        if tests:
            where = f"IF({where}, IF({' OR '.join(tests)}, ERROR('a node that has relationships'), TRUE), FALSE)"
        return f"DELETE FROM {whole(statement.table)} AS {self.changed}\nWHERE {where}"

    # -------------------------------------------------------------- rows

    def among(self, keys: Sequence[tuple[str, ...]], source: ir.Query) -> str:
        """The condition that a row has one of the keys that a query finds."""
        query = _nested(self.query(source))
        if all(len(key) == 1 for key in keys):
            return " OR ".join([f"{self.changed}.{identifier(key[0])} IN {query}" for key in keys])
        return f"EXISTS (SELECT 1 FROM {query} AS {self.row} WHERE {self.same(keys)})"

    def same(self, keys: Sequence[tuple[str, ...]]) -> str:
        """The condition that a row has one of the keys of the row that was found."""
        each = [
            " AND ".join(
                [f"{self.row}.key_{at} = {self.changed}.{identifier(column)}" for at, column in enumerate(key)]
            )
            for key in keys
        ]
        return each[0] if len(each) == 1 else " OR ".join([f"({condition})" for condition in each])


def _free(name: str, taken: Collection[str]) -> str:
    """The name, with as many underscores as make it free."""
    while name in taken:
        name += "_"
    return name


def _moves(statement: Update) -> bool:
    return any(isinstance(value, ir.Ref) for value in statement.values.values())


def _nested(query: str) -> str:
    """A query in parentheses, indented."""
    return "(\n  " + query.replace("\n", "\n  ") + "\n)"
