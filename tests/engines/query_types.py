"""Does the read-only check agree with a real Neo4j about what reads and what writes?

    python -m tests.engines.query_types [--count 3000] [--dialect neo4j-25]

EXPLAIN tells the type of a query: r, rw, w, s.  What is compared is whether a query is denied with whether the type is
anything but r.  `EXCEPTIONS` are the ways in which the two differ on purpose.  The server's data is not touched.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from neo4j import Driver, GraphDatabase, Session
from neo4j.exceptions import Neo4jError

import graphir
from graphir import ir
from graphir.passes.safety.readonly import find_denied
from graphir.source import Source
from tests.conformance.suites import scenarios
from tests.engines.neo4j_server import serving
from tests.outside import sample, texts

EXCEPTIONS: dict[str, str] = {
    "LOAD CSV": "read, says Neo4j; it reaches files and the network",
    "IN TRANSACTIONS": "read, says Neo4j, where the subquery reads; it commits for itself",
    "show transactions": "read, says Neo4j; it tells about other users",
    "show databases": "system, says Neo4j, but read where it stands beside another SHOW",
    "show settings": "read, says Neo4j; it tells about the server",
    "terminate": "read, says Neo4j; it ends the work of others",
    "dbms.components": "system, says Neo4j; it tells the version, which every client asks for",
    "dbms.info": "system, says Neo4j; it tells the name of the database",
    "tx.getMetaData": "system, says Neo4j; it tells what the client itself has set",
    "db.awaitIndex": "read, says Neo4j; it waits",
    "db.awaitIndexes": "read, says Neo4j; it waits",
    "db.index.fulltext.awaitEventuallyConsistentIndexRefresh": "read, says Neo4j; it waits",
    "db.prepareForReplanning": "read, says Neo4j; it throws plans away",
    "db.resampleIndex": "read, says Neo4j; it starts work on an index",
    "db.resampleOutdatedIndexes": "read, says Neo4j; it starts work on the indexes",
    "db.stats.clear": "read, says Neo4j; it throws statistics away",
    "db.stats.collect": "read, says Neo4j; it starts the collection of queries",
    "db.stats.stop": "read, says Neo4j; it stops the collection of queries",
    "db.stats.retrieve": "read, says Neo4j; it tells the queries of others",
    "db.stats.retrieveAllAnonymized": "read, says Neo4j; it tells the queries of others",
    "db.stats.status": "read, says Neo4j; it tells about the server",
    "fleetManagement.reportedData": "read, says Neo4j; it tells about the server",
    "fleetManagement.status": "read, says Neo4j; it tells about the server",
}
"""What a query holds where the two may differ -> why."""


class Comparison(NamedTuple):
    """A query that the server explains: its type, the codes of the denial, and the exceptions that it holds."""

    text: str
    type: str
    codes: frozenset[str]
    exceptions: frozenset[str]

    @property
    def agrees(self) -> bool:
        return (self.type == "r") == (not self.codes)


def held(query: ir.Query) -> Iterator[str]:
    """What in a query is an exception."""
    for node in ir.walk(query):
        match node:
            case ir.LoadCsv():
                yield "LOAD CSV"
            case ir.Transactions():
                yield "IN TRANSACTIONS"
            case ir.ProcedureCall(name=name):
                yield ".".join(name)
            case ir.Command(kind=kind, further=further):
                yield from (kind, *further)


def query_type(session: Session, text: str, dialect: str) -> str | None:
    """The type that EXPLAIN tells, None for a query that the server refuses."""
    version = dialect.removeprefix("neo4j-")
    try:
        return session.run(f"CYPHER {version} EXPLAIN {text}").consume().query_type  # type: ignore[arg-type]
    except Neo4jError:
        return None


def compare(driver: Driver, queries: Iterable[str], dialect: str, tally: Counter[str]) -> Iterator[Comparison]:
    """Every query that is one statement, parses, and that the server explains."""
    with driver.session() as session:
        for text in queries:
            try:
                query = graphir.parse(text, dialect)
            except graphir.SyntaxFault:
                tally["not parsed"] += 1
                continue
            if query.execution is not None or query.version is not None or query.options:
                tally["with a prefix"] += 1
                continue
            found = query_type(session, text, dialect)
            if found is None:
                tally["refused by the server"] += 1
                continue
            tally[f"type {found}"] += 1
            codes = frozenset(denied.code for denied in find_denied(query, Source(text)))
            yield Comparison(text, found, codes, frozenset(held(query)) & EXCEPTIONS.keys())


def queries() -> list[str]:
    """Every query of the corpora and of the openCypher TCK."""
    return [*texts("kuzu_ladybug_tests").values(), *dict.fromkeys(row["query"] for row in scenarios())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--dialect", default="neo4j-25")
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    with serving() as uri, GraphDatabase.driver(uri, notifications_min_severity="OFF") as driver:
        for each in compare(driver, sample(queries(), options.count), options.dialect, tally):
            if each.agrees:
                tally["agree"] += 1
            elif each.exceptions:
                tally["differ on purpose: " + ", ".join(sorted(each.exceptions))] += 1
            else:
                tally["differ"] += 1
                print(each.type, sorted(each.codes), each.text[:300])
    for name, count in sorted(tally.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
