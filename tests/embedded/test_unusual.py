"""Statements that are seldom written, which must give a result or a refusal and nothing else."""

from __future__ import annotations

import pytest

import graphir


def test_branches_that_write_and_return_nothing() -> None:
    with graphir.connect() as db:
        db.run("CREATE (:A)-[:E]->(:B)")
        done = db.run("MATCH ()-[e:E]->() DELETE e UNION MATCH (n) DELETE n")
        assert (done.columns, done.rows) == ((), [])
        assert done.counters == {"relationships_deleted": 1, "nodes_deleted": 2}


def test_branches_that_write_and_return() -> None:
    query = "MATCH (n) RETURN count(n) AS c UNION ALL CREATE (:P) RETURN 5 AS c UNION ALL CREATE (:P) RETURN 5.5 AS c"
    with graphir.connect() as db:
        assert sorted(db.run(query).rows) == [(0,), (5,), (5.5,)]
        assert db.run("MATCH (n:P) RETURN count(n)").rows == [(2,)]


def test_an_argument_too_many_is_refused() -> None:
    with graphir.connect() as db, pytest.raises(graphir.Unsupported) as caught:
        db.run("RETURN timestamp('2020-01-01')")
    assert (caught.value.code, caught.value.diagnostics[0].column) == ("G602", 8)


def test_the_first_of_equivalent_rows_stays_in_a_union() -> None:
    with graphir.connect() as db:
        for _ in range(20):
            found = db.run("RETURN 1 AS x UNION RETURN 1.0 AS x UNION RETURN 'a' AS x").rows
            assert sorted(map(repr, found)) == ["('a',)", "(1,)"]
            found = db.run("UNWIND [1.0, 1, 'a'] AS x RETURN x UNION RETURN 'a' AS x UNION RETURN 1 AS x").rows
            assert sorted(map(repr, found)) == ["('a',)", "(1.0,)"]
