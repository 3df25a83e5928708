"""Tables of bindings: the rows between two clauses, kept in a temporary table while the graph changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from graphir import ir
from graphir.backends.engines.duckdb.carriers import reader, writer
from graphir.backends.sql import build
from graphir.backends.sql.expressions import lower
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.needs import find_needs
from graphir.backends.sql.reps import INTEGER, NODE, Rep, list_of
from graphir.backends.sql.rows import Block, Rows, SortTerm, list_columns
from graphir.backends.sql.statements import Lowered
from graphir.backends.sql.terms import END, START, TYPE, Term
from graphir.quoting import quoted
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.backends.engines.duckdb.session import Session
    from graphir.backends.engines.duckdb.storage import Stored

ALIAS = "w0"
"""Of the rows, in statements; no property has a column of that name, and the lowering counts from 1."""
NUMBER = "rid"
_FIXED = (TYPE, START, END)
"""What no clause changes about an element."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """`count` rows, numbered from 0 in the column `rid` of a table; the variables as terms over its alias."""

    table: str
    count: int
    names: Mapping[str, Term]

    def named(self, more: Mapping[str, Term]) -> Bindings:
        return replace(self, names={**self.names, **more})

    def only(self, names: Collection[str]) -> Bindings:
        return replace(self, names={name: term for name, term in self.names.items() if name in names})

    def rows(self, *conditions: build.Sql) -> Rows:
        return Rows((build.table(self.table, ALIAS),), conditions, self.names)


def number() -> build.Sql:
    return build.column(NUMBER, ALIAS)


class Desk:
    """Where the clauses of one query work: it makes tables of bindings and reads values out of them."""

    def __init__(self, session: Session, source: Source, parameters: Mapping[str, Any]) -> None:
        self.session = session
        self.source = source
        self.parameters = parameters
        self._tables = 0
        self._waiting: dict[str, tuple[Stored, dict[str, list[int]], list[dict[str, Any]]]] = {}
        """Elements that are made, but not yet in their tables, which nothing has looked at since."""

    def add(self, table: Stored, fixed: Mapping[str, Sequence[int]], properties: Sequence[dict[str, Any]]) -> None:
        """Make elements; they are in their table before anything is read."""
        _, columns, maps = self._waiting.setdefault(table.name, (table, {name: [] for name in fixed}, []))
        for name, values in fixed.items():
            columns[name] += values
        maps += properties

    def flush(self) -> None:
        """Put what waits into the tables."""
        waiting, self._waiting = self._waiting, {}
        for table, columns, maps in waiting.values():
            self.session.storage.insert(table, columns, maps)

    def lowering(self, operators: Sequence[ir.Operator] = ()) -> Lowering:
        """For the next statement: the tables may have changed since the last one."""
        self.flush()
        needs = find_needs(ir.Query(ir.Pipeline(tuple(operators))))
        catalog, longest = self.session.storage.catalog(), self.session.max_path
        return Lowering(catalog, self.parameters, self.source, needs, longest=longest)

    def unit(self) -> Bindings:
        """One row without variables."""
        table = self._name()
        self._command(f"CREATE TEMP TABLE {quoted(table)} AS SELECT CAST(0 AS BIGINT) AS {NUMBER}")
        return Bindings(table, 1, {})

    def keep(self, rows: Rows, block: Block) -> Bindings:
        """The rows as a table, in their order."""
        inner, outer = block.lowering.fresh("t"), self._name()
        listed = list_columns(rows, block.lowering, inner)
        keys = replace(rows, order=tuple(listed.order)).ordering(block.lowering)
        window = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=keys) if keys else None)
        numbered = build.alias(build.binary(exp.Sub, window, build.number(1)), NUMBER)
        columns = [build.column(name, inner) for name in listed.made]
        query = rows.select(listed.columns or [build.alias(build.number(1), "one")])
        label = block.add(query)
        made = block.finish(build.select([numbered, *columns], [build.table(label, inner)]))
        create = exp.Create(
            this=build.table(outer),
            kind="TABLE",
            expression=made,
            properties=exp.Properties(expressions=[exp.TemporaryProperty()]),
        )
        self.run(create, block.lowering)
        count = self._command(f"SELECT count(*) FROM {quoted(outer)}")[0][0]
        return Bindings(outer, count, {name: _moved(term) for name, term in listed.names.items()})

    def part(self, bindings: Bindings, numbers: Sequence[int]) -> Bindings:
        """Some of the rows, numbered anew."""
        lowering = self.lowering()
        wanted = exp.In(this=number(), expressions=[build.number(each) for each in numbers])
        return self.keep(by_number(bindings.rows(wanted)), Block(lowering))

    def joined(
        self, bindings: Bindings, parents: Sequence[int], columns: Mapping[str, tuple[Rep, Sequence[Any]]]
    ) -> Bindings:
        """For each entry of `parents` the row with that number, and the values of further variables."""
        table = self._name()
        sent: dict[str, Any] = {"parents": list(parents)}
        listed = ["unnest(CAST($parents AS BIGINT[])) AS parent", f"unnest(range({len(parents)})) AS place"]
        for at, (rep, values) in enumerate(columns.values()):
            write = writer(rep)
            sent[f"c{at}"] = [None if value is None else write(value) for value in values]
            listed.append(f"unnest(CAST($c{at} AS {list_of(rep).sql})) AS c{at}")
        self._command(f"CREATE TEMP TABLE {quoted(table)} AS SELECT {', '.join(listed)}", sent)
        fresh = {name: Term(build.column(f"c{at}", "j"), rep) for at, (name, (rep, _)) in enumerate(columns.items())}
        rows = Rows(
            (build.table(bindings.table, ALIAS), build.table(table, "j")),
            (build.equal(number(), build.column("parent", "j")),),
            {**bindings.names, **fresh},
        )
        return self.keep(by_number(rows, build.column("place", "j")), Block(self.lowering()))

    def values(self, bindings: Bindings, expressions: Sequence[ir.Expression]) -> list[tuple[Any, ...]]:
        """The values of expressions in every row; entities are references."""
        lowering = self.lowering()
        block = Block(lowering)
        rows = bindings.rows()
        scope = block.scope(rows)
        return self.select(rows, block, [lower(each, scope) for each in expressions], [number()])

    def select(
        self, rows: Rows, block: Block, terms: Sequence[Term], order: Sequence[build.Sql]
    ) -> list[tuple[Any, ...]]:
        """The terms in every row, as values."""
        columns = [build.alias(term.again(), f"c{at}") for at, term in enumerate(terms)]
        query = rows.select(columns or [build.alias(build.number(1), "one")])
        query.set("order", exp.Order(expressions=[build.ordered(key) for key in order]))
        found = self.run(block.finish(query), block.lowering)
        readers = [reader(term.rep) for term in terms]
        return [
            tuple([v if v is None or read is None else read(v) for v, read in zip(row, readers, strict=False)])
            for row in found
        ]

    def run(self, sql: build.Sql, lowering: Lowering) -> list[tuple[Any, ...]]:
        self.flush()
        sent = {f"p{at}": pair for at, pair in enumerate(lowering.sent.values())}
        return self.session.execute(
            Lowered(sql, (), lowering.bridges, sent, lowering.places, lowering.searches), self.source
        )

    def drop(self) -> None:
        """Forget the tables."""
        for at in range(1, self._tables + 1):
            self._command(f"DROP TABLE IF EXISTS {quoted(f'w:{at}')}")

    def _name(self) -> str:
        self._tables += 1
        return f"w:{self._tables}"

    def _command(self, text: str, sent: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        return self.session.connection.execute(text, sent).fetchall()


def by_number(rows: Rows, key: build.Sql | None = None) -> Rows:
    """The rows in the order of the table that they come from, or of another column."""
    return replace(rows, order=(SortTerm(Term(key or number(), INTEGER)),))


def _moved(term: Term) -> Term:
    """The term of a listed column over the alias of tables of bindings; what clauses may change is left out."""
    column = term.sql
    properties = {key: _moved(value) for key, value in term.properties.items() if key in _FIXED}
    if term.rep == NODE:
        properties = {}
    return Term(build.column(column.name, ALIAS), term.rep, term.constant, properties, term.present)
