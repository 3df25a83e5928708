"""The queries that are tested, by suite: pairs of a name and a text that the dialect's engine accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from tests.outside import key, rows, texts

VERSIONS = {"neo4j-5": "cypher5", "neo4j-25": "cypher25"}
WHOLE = ("cypherbench", "mind_the_query", "t2c_hub", "zograscope", "multidomain_text2cypher")
"""The corpora whose every query is valid."""


class Case(NamedTuple):
    name: str
    text: str


@cache
def scenarios() -> tuple[dict[str, Any], ...]:
    """The scenarios of the openCypher TCK that need no procedures of their own."""
    return tuple(row for row in rows("conformance/opencypher_tck") if not row["procedures"])


def tck(dialect: str) -> list[Case]:
    """Setup and query texts of the scenarios that expect rows, and what fails only when it runs."""
    refused = refused_scenarios(dialect)
    found = {}
    for scenario in scenarios():
        name, expect = scenario["id"], scenario["expect"]
        for number, text in enumerate(scenario["setup"]):
            if name not in refused:
                found.setdefault(text, f"{name} setup {number}")
        if (expect["kind"] == "rows" and name not in refused) or expect.get("phase") in ("runtime", "any time"):
            found.setdefault(scenario["query"], name)
    return [Case(name, text) for text, name in found.items()]


def refused_scenarios(dialect: str) -> set[str]:
    """The scenarios with rows that Neo4j does not run in that version."""
    version = VERSIONS.get(dialect)
    if not version:
        return set()
    verdicts = rows("conformance/neo4j_tck_verdicts")
    return {row["id"] for row in verdicts if row[version]["status"] in ("setup", "refused")}


def corpora(dialect: str) -> list[Case]:
    """Every query of the corpora that are valid as a whole, and every other query that a real Neo4j accepts."""
    if dialect not in VERSIONS:
        return []
    found = {}
    for name in WHOLE:
        for row in rows(f"corpora/{name}"):
            found.setdefault(row["query"], key(row["query"]))
    for name, text in judged(dialect, lambda verdict: verdict["referee"] == "accept"):
        found.setdefault(text, name)
    return [Case(name, text) for text, name in found.items()]


def rest(dialect: str) -> list[Case]:
    """Everything else there is, valid or not: other dialects of Cypher, refused queries, queries without a verdict."""
    found = {row["query"]: row["id"] for row in scenarios()}
    for text in texts("kuzu_ladybug_tests").values():
        found[text] = key(text)
    for taken in (*tck(dialect), *corpora(dialect)):
        found.pop(taken.text, None)
    return [Case(name, text) for text, name in found.items()]


def judged(dialect: str, chosen: Callable[[dict[str, Any]], bool]) -> Iterator[Case]:
    """The queries whose verdict by a real Neo4j is one of the chosen."""
    known = texts()
    for row in rows("corpora/neo4j_server_verdicts"):
        if row["key"] in known and chosen(row[VERSIONS[dialect]]):
            yield Case(row["key"], known[row["key"]])
