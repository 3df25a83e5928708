"""Which other rows a query might have given, on the embedded engine."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

import graphir
from graphir.backends.engines.duckdb.session import Session
from graphir.evaluation import Strict, reference, rows_equal

PEOPLE = [("a", 1, 5), ("b", 2, 5), ("c", 2, 5), ("d", 2, 6), ("e", 3, 6), ("f", None, 7)]
"""Name, rank, and a property that nothing shows."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session() as db:
        rows = [{"name": name, "rank": rank, "hidden": hidden} for name, rank, hidden in PEOPLE]
        db.run("UNWIND $rows AS row CREATE (p:P) SET p = row", {"rows": rows})
        yield db


def accepted(session: Session, query: str, names: str, parameters: dict[str, Any] | None = None) -> set[str]:
    """The sequences of names that are as good as the result of the query, of all that are as long."""
    expected = reference(session, query, parameters)
    length = len(expected.rows)
    return {"".join(way) for way in permutations(names, length) if rows_equal(expected, [(name,) for name in way])}


@pytest.mark.parametrize(
    ("page", "names", "count", "some"),
    [
        ("ORDER BY p.rank", "abcdef", 6, {"abcdef", "acdbef"}),
        ("ORDER BY p.rank DESC", "abcdef", 6, {"febcda"}),
        ("ORDER BY p.rank LIMIT 2", "abcdef", 3, {"ab", "ac", "ad"}),
        ("ORDER BY p.rank SKIP 2 LIMIT 1", "abcdef", 3, {"b", "c", "d"}),
        ("ORDER BY p.rank SKIP 1 LIMIT 4", "abcdef", 6, {"bcde", "dcbe"}),
        ("ORDER BY p.rank SKIP 3", "abcdef", 3, {"bef", "cef", "def"}),
        ("ORDER BY p.hidden, p.rank LIMIT 3", "abcdef", 2, {"abc", "acb"}),
        ("ORDER BY p.rank + p.hidden LIMIT 1", "abcdef", 1, {"a"}),
        ("LIMIT 2", "abcdef", 30, {"ab", "fe"}),
        ("SKIP 5", "abcdef", 6, {"a", "f"}),
        ("ORDER BY p.rank SKIP $two LIMIT $two - 1", "abcdef", 3, {"d"}),
        ("ORDER BY p.rank LIMIT 0", "abcdef", 1, {""}),
        ("", "abc", 0, set()),
    ],
)
def test_choices(session: Session, page: str, names: str, count: int, some: set[str]) -> None:
    found = accepted(session, f"MATCH (p:P) RETURN p.name {page}", names, {"two": 2})
    assert len(found) == count
    assert some <= found


def test_a_query_without_order_is_a_bag(session: Session) -> None:
    expected = reference(session, "MATCH (p:P) RETURN p.name")
    assert rows_equal(expected, [(name,) for name in "fedcba"])
    assert not rows_equal(expected, [(name,) for name in "fedcbb"])


@pytest.mark.parametrize(
    ("query", "good", "bad"),
    [
        ("MATCH (p:P) RETURN DISTINCT p.rank AS r ORDER BY r LIMIT 2", [(1,), (2,)], [(2,), (1,)]),
        (
            "MATCH (p:P) RETURN p.hidden AS h, count(*) AS n ORDER BY n DESC LIMIT 2",
            [(5, 3), (6, 2)],
            [(6, 2), (5, 3)],
        ),
        ("MATCH (p:P) RETURN p.hidden AS h, count(*) AS n ORDER BY count(*) LIMIT 1", [(7, 1)], [(6, 2)]),
        ("MATCH (p:P) WITH p ORDER BY p.rank RETURN p.name LIMIT 1", [("e",)], [("g",)]),
        ("UNWIND [3, 1, 2] AS x RETURN x ORDER BY x UNION ALL RETURN 0 AS x", [(0,), (3,), (2,), (1,)], [(1,)]),
        ("MATCH (p:P) RETURN * ORDER BY p.rank LIMIT 1", None, [(1,)]),
    ],
)
def test_shapes(session: Session, query: str, good: list[Any] | None, bad: list[Any]) -> None:
    expected = reference(session, query)
    assert rows_equal(expected, session.run(query), Strict(columns="name"))
    assert good is None or rows_equal(expected, good)
    assert not rows_equal(expected, bad)


def test_another_dialect(session: Session) -> None:
    expected = reference(session, "MATCH (p:P) RETURN p.name ORDER BY p.rank LIMIT 2", dialect="opencypher-9")
    assert rows_equal(expected, [("a",), ("d",)])


def test_a_query_that_writes_runs_once() -> None:
    with Session() as db:
        expected = reference(db, "CREATE (a:A {n: 1}) RETURN a.n LIMIT 1")
        assert expected.groups == ((((1,),), 1),)
        assert db.run("MATCH (a:A) RETURN count(*)").rows == [(1,)]


def test_what_fails_raises(session: Session) -> None:
    with pytest.raises(graphir.SyntaxFault):
        reference(session, "MATCH (p RETURN p")
