"""SQL/PGQ with a join of tables in place of each GRAPH_TABLE, on a database that has no graphs.

The join is made of the text by the few lines of `Replacing`, which share nothing with graphir's reader or writer.  What
is around stays: DuckDB runs the texts of DuckPGQ, PostgreSQL those of its own SQL/PGQ, from 16 on those of the standard
and from 17 on, in its own words, those of Oracle (`oracle_texts.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import duckdb
import psycopg

from graphir.backends.engines import postgres_server
from graphir.backends.engines.faults import fault
from graphir.backends.sql import targets
from graphir.backends.sql.targets import Statement
from graphir.schema.ddl.graphs import Element
from graphir.schema.ddl.graphs import Graph as Definition
from graphir.values.conversions import to_standard
from tests.engines import oracle_texts
from tests.engines.graph_tables import Emitted, ReadBack, exposed, labels_of
from tests.engines.sql_tables import Laid


class Joined(Emitted):
    """Texts with joins in place of graph tables, on a database."""

    errors: tuple[type[Exception], ...]
    failing: tuple[type[Exception], ...]
    """Errors of values; any other says that the text is wrong."""

    def replaced(self, statement: Statement) -> Statement:
        text = Replacing(statement.text, self.definition, self.laid).text()
        self.texts.append(text)
        return Statement(text, statement.parameters, statement.columns)

    def fetch(self, statement: Statement) -> Sequence[Sequence[Any]]:
        try:
            return self.asked(self.replaced(statement))
        except self.errors as error:
            code = "G624" if isinstance(error, self.failing) else "G621"
            raise fault(code, f"{self.name}: {error}", engine=self.name, hint=statement.text) from None

    def asked(self, statement: Statement) -> Sequence[Sequence[Any]]:
        """The rows of a text without graph tables."""
        raise NotImplementedError


class OnDuckDB(Joined):
    """DuckDB."""

    errors = (duckdb.Error,)
    failing = (duckdb.OutOfRangeException, duckdb.InvalidInputException, duckdb.ConversionException)

    def __init__(self, dialect: str, name: str | None = None) -> None:
        self.connection = duckdb.connect()
        super().__init__(dialect, name)

    def close(self) -> None:
        self.connection.close()

    def fill(self) -> None:
        self.connection.close()
        self.connection = duckdb.connect()
        self.connection.execute("SET disabled_optimizers = 'common_subplan'")  # which gives too many rows (2.0.1)
        types = targets.target("sql-duckdb").types
        for table in self.laid.tables.values():
            columns = [f"{quoted(name)} {types(rep) or 'BIGINT'}" for name, rep in table.columns.items()]
            self.connection.execute(f"CREATE TABLE {quoted(table.name)} ({', '.join(columns)})")
            marks = ", ".join("?" for _ in columns)
            for row in table.rows:
                values = [to_standard(row.get(name)) for name in table.columns]
                self.connection.execute(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", values)

    def asked(self, statement: Statement) -> Sequence[Sequence[Any]]:
        return self.connection.execute(statement.text).fetchall()


class OnPostgres(Joined):
    """PostgreSQL: a server of its own."""

    errors = (psycopg.Error,)
    failing = (psycopg.errors.DataError, psycopg.errors.RaiseException)
    setup = "SET jit = off"
    path = "rows, pg_catalog"

    def __init__(self, dialect: str, name: str | None = None) -> None:
        self.stack = ExitStack()
        uri = self.stack.enter_context(postgres_server.started())
        self.connection: Any = self.stack.enter_context(psycopg.connect(uri, autocommit=True, prepare_threshold=None))
        self.connection.execute(self.setup)
        self.connection.execute(f"SET search_path = {self.path}")
        super().__init__(dialect, name)

    def close(self) -> None:
        self.stack.close()

    def fill(self) -> None:
        self.connection.execute("DROP SCHEMA IF EXISTS rows CASCADE")
        self.connection.execute("CREATE SCHEMA rows")
        types = targets.target(self.dialect).types
        for table in self.laid.tables.values():
            columns = [f"{quoted(name)} {types(rep) or 'BIGINT'}" for name, rep in table.columns.items()]
            self.connection.execute(f"CREATE TABLE {quoted(table.name)} ({', '.join(columns)})")
            marks = ", ".join(["%s"] * len(columns))
            for row in table.rows:
                values = [to_standard(row.get(name)) for name in table.columns]
                self.connection.execute(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", values)

    def asked(self, statement: Statement) -> Sequence[Sequence[Any]]:
        return self.connection.execute(statement.text.encode()).fetchall()


class IsoOnPostgres(OnPostgres):
    """The standard's own words, which PostgreSQL 16 has; there a recursion may not shorten texts on its way."""

    def asked(self, statement: Statement) -> Sequence[Sequence[Any]]:
        text = statement.text.replace("VARCHAR(1000000)", "VARCHAR")
        return super().asked(Statement(text, statement.parameters, statement.columns))


class OracleOnPostgres(OnPostgres):
    """What Oracle would run, in the words of PostgreSQL."""

    setup = oracle_texts.FUNCTIONS
    path = "oracle, pg_catalog, rows"

    def fill(self) -> None:
        self.connection.execute("DROP SCHEMA IF EXISTS rows CASCADE")
        self.connection.execute("CREATE SCHEMA rows")
        self.connection.execute("SET search_path = rows")
        try:
            made = list(oracle_texts.definitions(self.laid))
        except KeyError as error:
            raise fault("G626", f"no column for {error.args[0]}", engine=self.name) from None
        for text, rows in made:
            for row in rows if text.startswith("INSERT") else [()]:
                self.connection.execute(text, [to_standard(value) for value in row])
        self.connection.execute(f"SET search_path = {self.path}")

    def asked(self, statement: Statement) -> Sequence[Sequence[Any]]:
        rows = self.connection.execute(oracle_texts.translated(statement).encode()).fetchall()
        return oracle_texts.values(rows, statement)


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
    """`(variable IS label|label)`, or `-[variable IS label]->`; of an edge, the ways it is walked: `<-[..]-` is
    backwards, and `-[..]-` either way."""

    variable: str
    labels: tuple[str, ...]
    edge: bool
    ways: tuple[str, ...] = ("out",)


@dataclass(frozen=True)
class Walk:
    """An edge as it is walked between two nodes, out or in."""

    edge: Part
    left: Part
    right: Part
    way: str

    @property
    def ends(self) -> tuple[str, str]:
        """The variables of the nodes where the edge starts and ends."""
        ends = (self.left.variable, self.right.variable)
        return ends if self.way == "out" else ends[::-1]

    @property
    def is_second(self) -> bool:
        """Whether the edge is walked the other way, too."""
        return len(self.edge.ways) > 1 and self.way == self.edge.ways[1]


class Replacing:
    """A text with the join in place of each GRAPH_TABLE: patterns of nodes and edges, with one label of several."""

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
            edge = self.element(edge=True)
            self.take("-")
            ways = ("in",) if backwards else ("out",) if self.accept(">") else ("out", "in")
            found += [replace(edge, ways=ways), self.element(edge=False)]
        return found

    def element(self, *, edge: bool) -> Part:
        self.take("[" if edge else "(")
        variable = self.name()
        labels = [self.name()] if self.accept(":") or self.accept("IS") else []
        while self.accept("|"):
            labels.append(self.name())
        self.take("]" if edge else ")")
        return Part(variable, tuple(labels), edge)

    # -------------------------------------------------------------- the join

    def joined(self, paths: list[list[Part]], condition: str | None, columns: str) -> str:
        """The rows of every choice of tables, one below the other."""
        labels: dict[str, list[Sequence[str]]] = {}
        kinds: dict[str, str] = {}
        links: list[tuple[Part, Part, Part]] = []
        for path in paths:
            for part in path:
                labels.setdefault(part.variable, []).append(part.labels)
                kinds[part.variable] = "edge" if part.edge else "node"
            links += zip(path[::2], path[1::2], path[2::2], strict=False)
        choices = [self.tables(kinds[variable], of) for variable, of in labels.items()]
        selects = []
        for choice in product(*choices):
            tables = dict(zip(labels, choice, strict=True))
            for ways in product(*[edge.ways for _, edge, _ in links]):
                walked = [Walk(edge, left, right, way) for (left, edge, right), way in zip(links, ways, strict=True)]
                if (select := self.select(tables, walked, condition, columns)) is not None:
                    selects.append(select)
        if not selects:
            tables = dict(zip(labels, [found[0] for found in choices], strict=True))
            select = self.select(tables, [], "FALSE", columns)
            assert select is not None
            selects.append(select)
        return f"({' UNION ALL '.join(selects)})"

    def tables(self, kind: str, labels: Sequence[Sequence[str]]) -> list[Element]:
        found = [
            element
            for element in self.definition.elements
            if element.kind == kind
            and all(not any_of or any(same(label, labels_of(element)) for label in any_of) for any_of in labels)
        ]
        assert found, f"no {kind} table has the labels {labels}"
        return found

    def select(
        self, tables: Mapping[str, Element], walked: Sequence[Walk], condition: str | None, columns: str
    ) -> str | None:
        """The join of one choice; None where edges do not fit their ends.  A loop is walked in one way alone."""
        conditions = [] if condition is None else [f"({condition})"]
        for each in walked:
            element = tables[each.edge.variable]
            for variable, reference in zip(each.ends, (element.source, element.target), strict=True):
                assert reference is not None
                if not same(reference.element.text, [tables[variable].name.text]):
                    return None
                for own, other in zip(reference.columns, reference.referred, strict=True):
                    conditions.append(f"{self.key(each.edge.variable, own.text)} = {self.key(variable, other.text)}")
            start, end = each.ends
            if each.is_second and tables[start] is tables[end]:
                assert element.source is not None
                keys = [token.text for token in element.source.referred]
                same_key = [f"{self.key(start, key)} = {self.key(end, key)}" for key in keys]
                conditions.append(f"NOT ({' AND '.join(same_key)})")
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


DATABASES: Mapping[str, Callable[[str, str], Emitted]] = {
    "pgq-duckpgq": OnDuckDB,
    "pgq-postgres": OnPostgres,
    "pgq-iso": IsoOnPostgres,
    "pgq-oracle-23ai": OracleOnPostgres,
    "pgq-oracle-26ai": OracleOnPostgres,
}
"""Dialect -> what runs the joins."""


def opened(way: str, dialect: str) -> Emitted:
    """An engine: the way is `read` or `join`."""
    made = ReadBack if way == "read" else DATABASES[dialect]
    return made(dialect, f"{way}:{dialect}")
