"""The SQL texts of a target give the rows of the embedded engine: random pairs of a graph and a query, and the
constructs of the support table.

    python -m tests.engines.sql_texts sql-duckdb [--pairs 600] [--first 0]

An engine under test is a `graphir.backends.engines.relational.Relational`.  What its target refuses is tallied by code
and reason; every difference and every fault that only one side has is printed with the query and the text.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import duckdb

import graphir
from graphir import api, connect, rows_equal
from graphir.backends.engines.relational import Relational
from graphir.backends.engines.tables import Rule, Tables
from graphir.backends.sql import targets
from graphir.backends.sql.reps import DATE, FLOAT, PATH, SIMPLE, ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.diagnostics import GraphirError, RunFault, Unsupported, diagnose
from graphir.source import Source
from graphir.values.dates import Date
from tests.engines import pairs

PER_GRAPH = 12
"""Queries per graph."""


@dataclass
class Tally:
    """What became of queries: how many gave equal rows, why others were refused, and what differed."""

    equal: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    """Queries that are a fault on both sides."""
    different: list[str] = field(default_factory=list)


Case = tuple[int, str, bool]
"""A number, a query, whether its rows are in order."""


def cases(first: int, count: int) -> Iterator[tuple[dict[str, Any], list[Case]]]:
    """Random graphs, each with its queries."""
    for start in range(first, first + count, PER_GRAPH):
        made = [pairs.pair(seed) for seed in range(start, min(start + PER_GRAPH, first + count))]
        listed = [(start + at, each.query, each.ordered) for at, each in enumerate(made)]
        yield pairs.graph(start // PER_GRAPH), listed


def compare(engine: Relational, graph: Any, queries: Iterable[Case], tally: Tally) -> None:
    """Run queries over a graph on the embedded engine and on another, and note what became of them."""
    engine.clear()
    engine.load(graph)
    with connect() as embedded:
        embedded.load(graph)
        for number, query, ordered in queries:
            _compare(embedded, engine, query, ordered, tally, f"{number}")


def _compare(embedded: Any, engine: Relational, query: str, ordered: bool, tally: Tally, called: str) -> None:
    try:
        found = engine.run(query)
    except Unsupported as refusal:
        tally.refused[f"{refusal.diagnostics[0].code} {refusal.diagnostics[0].message}"] += 1
        return
    except GraphirError as fault:
        try:
            embedded.run(query)
        except GraphirError:
            tally.faults += 1
            return
        tally.different.append(f"{called}: {query}\n  {text_of(engine, query)}\n  only the target fails: {fault}")
        return
    try:
        wanted = embedded.run(query)
    except RunFault as fault:
        tally.different.append(
            f"{called}: {query}\n  {text_of(engine, query)}\n  only the embedded engine fails: {fault}"
        )
        return
    verdict = rows_equal(_typed(wanted, statement(engine, query)), found, ordered=ordered)
    if verdict:
        tally.equal += 1
        return
    told = f"  {verdict.reason}\n  wanted {wanted.rows}\n  found  {found.rows}"
    tally.different.append(f"{called}: {query}\n  {text_of(engine, query)}\n{told}")


def text_of(engine: Relational, query: str) -> str:
    """The SQL that a query is on an engine, for messages."""
    return statement(engine, query).text


def statement(engine: Relational, query: str) -> Statement:
    core = api.to_core(graphir.parse(query), query, "neo4j-25")
    return targets.emit(core, engine.tables.catalog(), engine.target, {})


def _typed(wanted: Any, made: Statement) -> list[tuple[Any, ...]]:
    """The rows with floats where columns have floats: the sum of no floats is 0.0 there (documented) and no integer."""
    floats = [rep == FLOAT for _, rep in made.columns]
    return [
        tuple([float(v) if is_float and type(v) is int else v for v, is_float in zip(row, floats, strict=True)])
        for row in wanted.rows
    ]


# ------------------------------------------------------------------ DuckDB without functions of Python


class PlainDuckDB(Relational):
    """A DuckDB that gets the text of `sql-duckdb` and nothing else."""

    name = "plain duckdb"
    package = "duckdb"
    target = "sql-duckdb"
    errors = (duckdb.Error,)
    rule = Rule(
        "DuckDB", lambda rep: rep in SIMPLE or rep == DATE or (isinstance(rep, ListRep) and rep.element in SIMPLE)
    )

    def __init__(self) -> None:
        super().__init__(trusting=True)
        self.connection = duckdb.connect()

    def close(self) -> None:
        self.connection.close()

    def explain(self, error: Exception, source: Source) -> GraphirError:
        return RunFault([diagnose(source, "G609", str(error))])

    def fill(self, tables: Tables) -> None:
        self.connection.close()
        self.connection = duckdb.connect()
        types = targets.target(self.target).types
        for ids, listed in ((("id",), tables.nodes), (("id", "src", "dst"), tables.edges)):
            for table in listed:
                columns = [f'"{each}" BIGINT' for each in ids]
                columns += [f'"{each.name}" {types(each.rep)}' for each in table.columns.values()]
                self.connection.execute(f'CREATE TABLE "{table.name}" ({", ".join(columns)})')
                marks = ", ".join("?" * len(columns))
                for row in table.rows():
                    self.connection.execute(f'INSERT INTO "{table.name}" VALUES ({marks})', [_sent(v) for v in row])

    def fetch(self, statement: Statement) -> list[tuple[Any, ...]]:
        sent = {each.mark: _sent(each.value) for each in statement.parameters}
        return self.connection.execute(statement.text, sent or None).fetchall()

    def reader(self, rep: Rep) -> Callable[[Any], Any] | None:
        if isinstance(rep, ListRep):
            return self.listed(rep)
        if isinstance(rep, MapRep):
            read = self.mapped(rep)
            return lambda value: read(list(value.values()))
        if rep == PATH:
            return lambda value: self.path(value["nodes"], value["edges"])
        if rep == DATE:
            return lambda value: Date(value.toordinal() - 719163)
        return super().reader(rep)


def _sent(value: Any) -> Any:
    return str(value) if isinstance(value, Date) else value


ENGINES: dict[str, Callable[[], Relational]] = {"sql-duckdb": PlainDuckDB}
"""Target -> what runs its texts.  Modules with other engines add theirs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--pairs", type=int, default=600)
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args()
    tally = Tally()
    with closing(ENGINES[asked.target]()) as engine:
        for graph, queries in cases(asked.first, asked.pairs):
            compare(engine, graph, queries, tally)
    for each in tally.different:
        print(each)
    for reason, count in tally.refused.most_common():
        print(f"{count:6} {reason}")
    print(f"{tally.equal} equal, {tally.refused.total()} refused, {tally.faults} faults on both sides, ", end="")
    print(f"{len(tally.different)} different")


if __name__ == "__main__":
    main()
