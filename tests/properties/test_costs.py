"""What reading and checking a script costs is as long as the script: in every dialect, for faults and for definitions.

Costs are counted as lines of Python that run, so that they are the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

import graphir
from graphir.dialects import DIALECTS

FEW, MANY = 16, 128
MOST = 1.15
"""How many times as much a part of the longer script may cost as one of the shorter."""

FAULTS = {
    "cypher": ("MATCH (a RETURN a", "MATCH (a) RETURN b", "MATCH (a) RETURN 1 +"),
    "gql": ("MATCH (a RETURN a", "MATCH (a) RETURN b", "MATCH (a) RETURN 1 +", "CREATE TABLE t (a INT)"),
    "pgq": (
        "SELECT x FROM GRAPH_TABLE (g MATCH (a COLUMNS (a.x))",
        "SELECT * FROM GRAPH_TABLE (g MATCH (a IS Person) COLUMNS (b.x))",
        "SELECT FROM WHERE",
        "CREATE PROPERTY GRAPH g VERTEX TABLES (a b c)",
    ),
}
READ = [(dialect.name, query) for dialect in DIALECTS.values() if dialect.reads for query in FAULTS[dialect.family]]
DEFINING = ("pgq-postgres", "pgq-oracle-26ai", "pgq-duckpgq", "pgq-googlesql", "gql-spanner")


def lines(work: Callable[[], object]) -> int:
    """How many lines of Python run."""
    count = 0

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return local

    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: local)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def growth(make: Callable[[int], str], dialect: str) -> float:
    """What a part of the longer script costs, of what a part of the shorter costs."""
    graphir.check(make(2), dialect=dialect)
    few, many = [lines(partial(graphir.check, make(count), dialect=dialect)) for count in (FEW, MANY)]
    return many / few * FEW / MANY


def graph(count: int, word: str) -> str:
    """Tables and a property graph over them: each is a vertex, each of as many others an edge."""
    numbers = range(count)
    tables = [f"CREATE TABLE t{i} (id INT PRIMARY KEY, a INT);" for i in numbers]
    tables += [f"CREATE TABLE e{i} (id INT PRIMARY KEY, s INT REFERENCES t{i}(id), d INT);" for i in numbers]
    nodes = ", ".join(f"t{i} LABEL L{i} PROPERTIES (id, a)" for i in numbers)
    ends = "SOURCE KEY (s) REFERENCES t{0} (id) DESTINATION KEY (d) REFERENCES t{1} (id)"
    edges = ", ".join(f"e{i} {ends.format(i, (i + 1) % count)} LABEL E{i} PROPERTIES (id)" for i in numbers)
    return "\n".join([*tables, f"CREATE PROPERTY GRAPH g {word} TABLES ({nodes}) EDGE TABLES ({edges})"])


@pytest.mark.parametrize(("dialect", "query"), READ)
def test_script_of_faults(dialect: str, query: str) -> None:
    assert growth(lambda count: f"{query};\n" * count, dialect) < MOST


@pytest.mark.parametrize("dialect", DEFINING)
def test_definition_of_a_graph(dialect: str) -> None:
    word = "NODE" if "googlesql" in dialect or dialect.startswith("gql") else "VERTEX"
    assert growth(lambda count: graph(count, word), dialect) < MOST


def test_growth_is_seen() -> None:
    """A cost that is as the square of the script is more than may be."""

    def square(count: int) -> int:
        found = 0
        for _ in range(count):
            for _ in range(count):
                found += 1
        return found

    assert lines(lambda: square(MANY)) / lines(lambda: square(FEW)) * FEW / MANY > 2 * MOST
