"""Does a real Neo4j accept what graphir prints, and does the printed query give the rows of the original?

    python -m tests.engines.acceptance accept [--count 3000]     EXPLAIN in five directions
    python -m tests.engines.acceptance rows [--count 2000]       corpus queries on small graphs
    python -m tests.engines.acceptance tck [--count 4000]        scenarios of the openCypher TCK

NEO4J_URI names a running server; else one is started.  The server's data is not touched.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from neo4j import Driver, GraphDatabase, Result, Session, Transaction
from neo4j.exceptions import Neo4jError
from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point

import graphir
from graphir.backends.cypher.legalize import legalize
from graphir.backends.cypher.printer import print_query
from graphir.passes.normalize import normalize
from graphir.source import Source
from tests.conformance.suites import VERSIONS, Case, judged, scenarios
from tests.engines.neo4j_server import loaded, serving
from tests.outside import key, rows

ENGINES = {"neo4j-5": "5", "neo4j-25": "25", "opencypher-9": "5"}
"""Dialect -> the version of Cypher that runs it."""

DIRECTIONS = (
    ("neo4j-5", "neo4j-5"),
    ("neo4j-25", "neo4j-25"),
    ("neo4j-5", "neo4j-25"),
    ("neo4j-25", "neo4j-5"),
    ("neo4j-5", "opencypher-9"),
    ("opencypher-9", "neo4j-5"),
    ("opencypher-9", "neo4j-25"),
)


class Rejection(NamedTuple):
    """A query that was accepted before it was printed."""

    case: Case
    printed: str
    message: str


def accepted(dialect: str) -> list[Case]:
    """What a real Neo4j accepts: queries of the corpora, and of the TCK; for openCypher of the TCK alone."""
    found = {text: name for name, text in judged(dialect, single)} if dialect in VERSIONS else {}
    version = VERSIONS.get(dialect, "cypher5")
    passed = {r["id"] for r in rows("conformance/neo4j_tck_verdicts") if r[version]["status"] in ("pass", "wrong")}
    for scenario in scenarios():
        if scenario["expect"]["kind"] == "rows" and scenario["id"] in passed:
            found.setdefault(scenario["query"], scenario["id"])
            for text in scenario["setup"]:
                found.setdefault(text, f"{scenario['id']} setup")
    return sorted((Case(name, text) for text, name in found.items()), key=lambda case: key(case.text))


def single(verdict: dict[str, Any]) -> bool:
    """One statement that is accepted."""
    return bool(verdict["ok"]) and "statements" not in verdict


def written(text: str, read: str, write: str) -> str:
    """The query printed in the dialect it came in, or translated, without its prefix."""
    query = graphir.parse(text, read)
    bare = print_query(dataclasses.replace(query, execution=None, version=None, options=()), read)
    return bare if read == write else graphir.translate(bare, read=read, write=write)


def refusal(session: Session, version: str, text: str) -> Neo4jError | None:
    """Why EXPLAIN fails, if it does."""
    try:
        session.run(f"CYPHER {version} EXPLAIN {text}").consume()  # type: ignore[arg-type]
    except Neo4jError as error:
        return error
    return None


def rejections(
    driver: Driver, cases: Iterable[Case], read: str, write: str, tally: Counter[str]
) -> Iterator[Rejection]:
    """What is printed and then rejected.  Our refusals, counted in `tally`, are faults in one dialect."""
    with driver.session() as session:
        for case in cases:
            try:
                printed = written(case.text, read, write)
            except graphir.Unsupported as error:
                tally["refused " + error.code] += 1
                if read == write:
                    yield Rejection(case, "", str(error))
                continue
            except graphir.GraphirError as error:
                tally["failed"] += 1
                yield Rejection(case, "", str(error))
                continue
            tally["printed"] += 1
            error = refusal(session, ENGINES[write], printed)
            if error is not None and not same(error, refusal(session, ENGINES[read], case.text)):
                yield Rejection(case, printed, (error.message or "")[:300])


def same(error: Neo4jError, other: Neo4jError | None) -> bool:
    return other is not None and error.code == other.code


# ------------------------------------------------------------------ rows


def variants(text: str, dialect: str) -> dict[str, tuple[str, str]]:
    """The printed forms of a query by name: the version of Cypher that runs it, and the text."""
    query = graphir.parse(text, dialect)
    core = legalize(normalize(query, Source(text), dialect), dialect, Source(text))
    found = {
        "printed": (ENGINES[dialect], print_query(query, dialect)),
        "core": (ENGINES[dialect], print_query(core, dialect)),
    }
    for target, version in ENGINES.items():
        if target != dialect:
            try:
                found[target] = (version, graphir.translate(text, read=dialect, write=target))
            except graphir.Unsupported:
                continue
    return found


def answer(transaction: Transaction, version: str, text: str, parameters: dict[str, Any]) -> list[str]:
    """The rows of a query in a form that can be compared."""
    return canonical_rows(transaction.run(f"CYPHER {version} {text}", parameters), text)  # type: ignore[arg-type]


def canonical_rows(result: Result, text: str) -> list[str]:
    """The rows, sorted; the order of a collected list is no more certain than that of rows."""
    rule = in_any_order if "collect" in text.lower() else canonical
    return sorted(repr([rule(value) for value in record.values()]) for record in result)


def in_any_order(value: Any) -> Any:
    return sorted(map(repr, map(in_any_order, value))) if isinstance(value, list) else canonical(value)


def canonical(value: Any) -> Any:
    """A value without the identities that differ between two runs."""
    if isinstance(value, Node):
        return "node", sorted(value.labels), canonical(dict(value))
    if isinstance(value, Relationship):
        return "edge", value.type, canonical(dict(value))
    if isinstance(value, Path):
        return "path", canonical(list(value.nodes)), canonical(list(value.relationships))
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if isinstance(value, dict):
        return {name: canonical(value[name]) for name in sorted(value)}
    if isinstance(value, float):
        return f"float {value:.12g}"
    if isinstance(value, Point):
        return "point", value.srid, tuple(value)
    return value


class Difference(NamedTuple):
    """A printed query whose rows are not those of the original."""

    case: Case
    variant: str
    printed: str
    detail: str


def row_differences(driver: Driver, dialect: str, cases: Iterable[dict[str, Any]]) -> Iterator[Difference]:
    """Corpus queries on their small graphs: the rows of every variant against those of the original."""
    graphs = {graph["id"]: graph for graph in rows("conformance/neo4j_graphs")}
    wanted: dict[str, list[dict[str, Any]]] = {}
    for row in cases:
        wanted.setdefault(row["graph"], []).append(row)
    for name, queries in wanted.items():
        pending = list(queries)
        while pending:
            with loaded(driver, graphs[name]) as transaction:
                while pending:
                    row = pending.pop()
                    found = list(compared(transaction, Case(row["id"], row["query"]), dialect, {}))
                    yield from found
                    if found:
                        break


def compared(transaction: Transaction, case: Case, dialect: str, parameters: dict[str, Any]) -> Iterator[Difference]:
    """The first variant that differs: after an error the transaction is of no more use."""
    due = answer(transaction, ENGINES[dialect], case.text, parameters)
    try:
        found = variants(case.text, dialect)
    except graphir.GraphirError as error:
        yield Difference(case, "", "", str(error))
        return
    for name, (version, text) in found.items():
        try:
            given = answer(transaction, version, text, parameters)
        except Neo4jError as error:
            yield Difference(case, name, text, str(error.message))
            return
        if given != due:
            yield Difference(case, name, text, f"due {due[:3]} ({len(due)}), given {given[:3]} ({len(given)})")
            return


def tck_differences(driver: Driver, dialect: str, cases: Iterable[dict[str, Any]]) -> Iterator[Difference]:
    """TCK scenarios that expect rows: setup and query as they stand, then every variant, each on a graph of its own."""
    with driver.session() as session:
        for scenario in cases:
            case = Case(scenario["id"], scenario["query"])
            due = outcome(session, scenario, ENGINES[dialect], case.text)
            try:
                found = variants(case.text, dialect)
            except graphir.GraphirError as error:
                yield Difference(case, "", "", str(error))
                continue
            for name, (version, text) in found.items():
                if (given := outcome(session, scenario, version, text)) != due:
                    yield Difference(case, name, text, f"due {str(due)[:300]}, given {str(given)[:300]}")


def outcome(session: Session, scenario: dict[str, Any], version: str, text: str) -> Any:
    """The rows and counters of a query after the scenario's setup, or the code of its error; nothing is kept."""
    transaction = session.begin_transaction()
    try:
        for setup in scenario["setup"]:
            transaction.run(f"CYPHER 5 {setup}").consume()
        literals = (scenario["params"] or {}).items()
        parameters = {name: transaction.run(f"RETURN {value}").single(strict=True)[0] for name, value in literals}
        result = transaction.run(f"CYPHER {version} {text}", parameters)  # type: ignore[arg-type]
        found = canonical_rows(result, text)
        counters = vars(result.consume().counters)
        return found, {name: n for name, n in counters.items() if isinstance(n, int) and not name.startswith("_")}
    except Neo4jError as error:
        return error.code
    finally:
        transaction.close()


# ------------------------------------------------------------------ the script


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=["accept", "rows", "tck"])
    options.add_argument("--count", type=int, default=3000)
    options.add_argument("--dialect", choices=list(ENGINES), action="append")
    options.add_argument("--show", type=int, default=20)
    chosen = options.parse_args()
    dialects = chosen.dialect or list(VERSIONS)
    with serving(heap="2g") as uri, GraphDatabase.driver(uri, notifications_min_severity="OFF") as driver:
        if chosen.what == "accept":
            show_acceptance(driver, chosen.count, chosen.show, chosen.dialect or list(ENGINES))
        else:
            show_rows(driver, chosen.what, chosen.count, chosen.show, dialects)


def show_acceptance(driver: Driver, count: int, shown: int, dialects: list[str]) -> None:
    for read, write in DIRECTIONS:
        if read not in dialects:
            continue
        tally: Counter[str] = Counter()
        cases = accepted(read)[:count]
        found = list(rejections(driver, cases, read, write, tally))
        print(f"{read} -> {write}: {len(cases)} accepted queries, {dict(tally)}, {len(found)} rejected", flush=True)
        for case, printed, message in sorted(found, key=lambda r: len(r.case.text))[:shown]:
            print(f"  {case.name}\n    {case.text[:300]!r}\n    {printed[:300]!r}\n    {message}", flush=True)


def show_rows(driver: Driver, what: str, count: int, shown: int, dialects: list[str]) -> None:
    for dialect in dialects:
        if what == "rows":
            cases = sorted(rows("conformance/neo4j_rows"), key=lambda row: key(row["graph"]))[:count]
            found = list(row_differences(driver, dialect, cases))
        else:
            cases = tck_cases(dialect)[:count]
            found = list(tck_differences(driver, dialect, cases))
        print(f"{what} {dialect}: {len(cases)} queries, {len(found)} differences", flush=True)
        for case, variant, printed, detail in sorted(found, key=lambda d: len(d.case.text))[:shown]:
            print(
                f"  {case.name} {variant}\n    {case.text[:300]!r}\n    {printed[:300]!r}\n    {detail[:600]}",
                flush=True,
            )


def tck_cases(dialect: str) -> list[dict[str, Any]]:
    """The scenarios with rows that Neo4j runs in that version, in an order of their own."""
    names = {case.name for case in accepted(dialect)}
    chosen = (s for s in scenarios() if s["expect"]["kind"] == "rows" and s["id"] in names and s["graph"] == "empty")
    return sorted(chosen, key=lambda scenario: key(scenario["id"]))


if __name__ == "__main__":
    main()
