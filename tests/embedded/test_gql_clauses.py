"""The clauses of GQL on the embedded engine.

The rows are those that Google's evaluator gives for the same graph, where it reads the query; those of ISO GQL are told
by the standard.
"""

from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir.backends.engines.duckdb.session import Session

GRAPH = """
    CREATE (a:Person {name: 'Ann', age: 30}), (b:Person {name: 'Bob', age: 25}), (c:Person {name: 'Cy', age: 41}),
           (d:City {name: 'Delft'}),
           (a)-[:Knows {since: 2000}]->(b), (b)-[:Knows {since: 2010}]->(c), (c)-[:Knows {since: 2015}]->(a),
           (a)-[:LivesIn]->(d), (a)-[:Knows {since: 2020}]->(b)
"""


@pytest.fixture(scope="module")
def db() -> Iterator[Session]:
    with graphir.connect("duckdb") as session:
        session.run(GRAPH)
        yield session


def found(db: Session, text: str, dialect: str, **parameters: Any) -> list[Any]:
    """The rows, sorted: the queries here do not say an order."""
    return sorted(db.run(text, parameters, dialect).rows, key=repr)


GOOGLE: dict[str, list[tuple[Any, ...]]] = {
    # walks, modes, selectors
    "MATCH (a)-[e:Knows]->(b)-[f:Knows]-(c) RETURN COUNT(*) AS c": [(11,)],
    "MATCH (a:Person)-[e:Knows]->(b)<-[e]-(c) RETURN COUNT(*) AS c, COUNT(DISTINCT c) AS d": [(4, 3)],
    "MATCH (a:Person)-[e:Knows]->(b), (b)-[e]->(c) RETURN COUNT(*) AS c": [(0,)],
    "MATCH p = TRAIL (a:Person)-[e:Knows]->{1,4}(b) RETURN PATH_LENGTH(p) AS l, COUNT(*) AS c GROUP BY l": [
        (1, 4),
        (2, 5),
        (3, 6),
        (4, 2),
    ],
    "MATCH ACYCLIC (a:Person)-[e:Knows]-{1,4}(b) RETURN COUNT(*) AS c": [(18,)],
    "MATCH SIMPLE (a:Person)-[e:Knows]-{1,4}(b) RETURN COUNT(*) AS c": [(42,)],
    "MATCH ANY SHORTEST (a:Person {name: 'Ann'})-[e:Knows]->{1,4}(b) RETURN b.name, ARRAY_LENGTH(e) AS n": [
        ("Ann", 3),
        ("Bob", 1),
        ("Cy", 2),
    ],
    "MATCH SHORTEST 2 (a:Person {name: 'Ann'})-[e:Knows]->{1,4}(b) RETURN b.name, ARRAY_LENGTH(e) AS n": [
        ("Ann", 3),
        ("Ann", 3),
        ("Bob", 1),
        ("Bob", 1),
        ("Cy", 2),
        ("Cy", 2),
    ],
    "MATCH ANY 0 (n:Person)-[e]->(b) RETURN n.name": [],
    # brackets inside of a path
    "MATCH (TRAIL (a:Person)-[e:Knows]->{1,4}(b))(-[f:LivesIn]->(c)) RETURN a.name, ARRAY_LENGTH(e) AS n": [
        ("Ann", 3),
        ("Ann", 3),
        ("Bob", 2),
        ("Cy", 1),
    ],
    "MATCH (a:Person)(ACYCLIC -[e:Knows]->{2,3}(b))(-[f:Knows]->(c)) RETURN COUNT(*) AS c": [(6,)],
    "MATCH (a:Person)(ACYCLIC (x)-[e:Knows]->(y)-[f:Knows]->(b)){1,2}(c) RETURN COUNT(*) AS c": [(13,)],
    "MATCH ((a:Person)-[e:Knows]->(b))((c)-[f:Knows]->(d)) RETURN COUNT(*) AS c": [(5,)],
    "MATCH ((a)-[e:Knows]->(b) WHERE a.age < b.age){1,2} RETURN ARRAY_LENGTH(e) AS c, COUNT(*) AS n GROUP BY c": [
        (1, 1)
    ],
    "MATCH ANY SHORTEST ((a:Person)-[e:Knows]->{1,6}(b) WHERE ARRAY_LENGTH(e) > 1) "
    "RETURN a.name, ARRAY_LENGTH(e) AS n": [
        ("Ann", 2),
        ("Ann", 3),
        ("Ann", 4),
        ("Bob", 2),
        ("Bob", 3),
        ("Bob", 4),
        ("Cy", 2),
        ("Cy", 3),
        ("Cy", 4),
    ],
    # costs
    "MATCH ANY CHEAPEST (a:Person {name: 'Ann'})-[e:Knows COST 3000 - e.since]->{1,4}(b) LET m = MAX(e.since) "
    "RETURN b.name, m": [("Ann", 2020), ("Bob", 2020), ("Cy", 2020)],
    "MATCH CHEAPEST 2 (a:Person)-[e:Knows COST e.since / 7]->(c)-[f:Knows COST 1]->(b:Person {name: 'Cy'}) "
    "RETURN e.since": [(2000,), (2020,)],
    "MATCH (a:Person)-[e:Knows COST -1]->(b:Person {name: 'Cy'}) RETURN e.since": [(2010,)],
    # horizontal aggregation
    "MATCH (a:Person {name: 'Bob'})-[e:Knows]->{1,3}(b) LET s = SUM(e.since + a.age), n = COUNT(e) "
    "FILTER MAX(e.since) > 2012 RETURN s, n": [(4075, 2), (6120, 3), (6100, 3)],
    "LET single = 3 LET x = [4, 5] LET x2 = [5, 6] LET r = SUM(x * single) + SUM(x2) RETURN r": [(38,)],
    "LET x = [4, NULL, 5] LET r = ARRAY_AGG(x IGNORE NULLS ORDER BY x DESC), c = COUNT(x) RETURN r, c": [([5, 4], 2)],
    # grouping
    "MATCH (n:Person) FILTER FALSE RETURN 'a' AS c, COUNT(*) AS n": [("a", 0)],
    "MATCH (n:Person) FILTER FALSE RETURN 'a' AS c, n.name, COUNT(*) AS n": [],
    "MATCH (a:Person)-[:Knows]->(b) RETURN a.name GROUP BY ALL": [("Ann",), ("Bob",), ("Cy",)],
    "MATCH (a:Person)-[:Knows]->(b) RETURN a.name, COUNT(*) AS c GROUP BY ALL": [("Ann", 2), ("Bob", 1), ("Cy", 1)],
    "MATCH (n:Person) RETURN n.age, n.age + COUNT(*) AS y": [(25, 26), (30, 31), (41, 42)],
    # set operations
    "FOR x IN [1, 1, 2, 3, NULL, NULL] RETURN x EXCEPT ALL FOR x IN [1, 3, NULL] RETURN x": [(1,), (2,), (None,)],
    "FOR x IN [1, 1, 2, 3, NULL, NULL] RETURN x EXCEPT DISTINCT FOR x IN [1, NULL] RETURN x": [(2,), (3,)],
    "FOR x IN [1, 1, 2, NULL, NULL] RETURN x INTERSECT ALL FOR x IN [1, 1, 1, NULL] RETURN x": [(1,), (1,), (None,)],
    "FOR x IN [1, 1, 2, NULL] RETURN x INTERSECT DISTINCT FOR x IN [1, 1, NULL] RETURN x": [(1,), (None,)],
    "MATCH (n:City) RETURN n.name AS a, 1 AS b UNION ALL MATCH (c:City) RETURN 2 AS b, c.name AS a": [
        ("Delft", 1),
        ("Delft", 2),
    ],
    "RETURN 1 AS one NEXT RETURN one + 1 AS two UNION ALL RETURN one AS two": [(1,), (2,)],
    # clauses
    "FOR x IN [3, 1] WITH OFFSET AS o RETURN x, o": [(1, 1), (3, 0)],
    "MATCH (a:Person) FOR z IN (IF(a.age > 40, [1, 2], NULL)) RETURN a.name, z": [("Cy", 1), ("Cy", 2)],
    "MATCH (a:Person) WITH a ORDER BY a.age LIMIT 2 MATCH (a)-[:Knows]->(b) RETURN a.name, COUNT(b) AS c": [
        ("Ann", 2),
        ("Bob", 1),
    ],
    "MATCH (a:Person) CALL (a) { MATCH (a)-[:Knows]->(b) RETURN COUNT(b) AS n NEXT RETURN n + 1 AS m } "
    "RETURN a.name, m": [
        ("Ann", 3),
        ("Bob", 2),
        ("Cy", 2),
    ],
    "MATCH (a:Person) OPTIONAL CALL (a) { MATCH (a)-[:LivesIn]->(b) RETURN b.name AS c } RETURN a.name, c": [
        ("Ann", "Delft"),
        ("Bob", None),
        ("Cy", None),
    ],
    "MATCH (a:Person) WHERE a.age = VALUE { MATCH (b:Person) RETURN MAX(b.age) AS m } RETURN a.name": [("Cy",)],
    "MATCH (a:Person) FILTER a.name IN { MATCH (x)-[:LivesIn]->() RETURN x.name } RETURN a.name": [("Ann",)],
    "MATCH (a:Person {name: 'Cy'}) RETURN ARRAY { MATCH (x)-[:Knows]->(y) RETURN y.name ORDER BY y.name } AS l": [
        (["Ann", "Bob", "Bob", "Cy"],)
    ],
    # names in any case
    "MATCH (A:Person)-[e:Knows]->(a) RETURN COUNT(*) AS c": [(0,)],
    "MATCH (a:person)-[E:knows]->(b:PERSON) RETURN a.NAME, b.Age AS X NEXT FILTER x > 40 RETURN name, x": [("Bob", 41)],
}


@pytest.mark.parametrize(("text", "rows"), GOOGLE.items())
def test_rows_of_google(db: Session, text: str, rows: list[tuple[Any, ...]]) -> None:
    assert found(db, "GRAPH g " + text, "gql-bigquery") == sorted(rows, key=repr)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("MATCH (n:Nope) RETURN n.name AS x OTHERWISE MATCH (c:City) RETURN c.name AS x", [("Delft",)]),
        ("MATCH (n:City) RETURN n.name AS x OTHERWISE MATCH (c:Person) RETURN c.name AS x", [("Delft",)]),
        ("MATCH (n:Person) RETURN n NEXT RETURN n.name AS x EXCEPT FILTER n.age > 26 RETURN n.name AS x", [("Bob",)]),
        (
            "MATCH (n:Person) OPTIONAL { MATCH (n)-[:LivesIn]->(m) MATCH (m)<-[:LivesIn]-(k) } "
            "RETURN n.name AS n, m.name AS m, k.name AS k",
            [("Ann", "Delft", "Ann"), ("Bob", None, None), ("Cy", None, None)],
        ),
        ("FOR x IN [3, 1] WITH ORDINALITY o RETURN x, o", [(1, 2), (3, 1)]),
        (
            "MATCH (n:City) RETURN n.name AS a, 2 AS b NEXT YIELD b AS x RETURN x UNION ALL RETURN x + 1 AS x",
            [(2,), (3,)],
        ),
        ("MATCH (q = (a:Person)-[e:Knows]->(b))-[f:LivesIn]->(d) RETURN PATH_LENGTH(q) AS c", [(1,)]),
        ("MATCH (a:City) RETURN *", [(("City",), "Delft")]),
        ("USE g MATCH (a:City) RETURN a.name AS name", [("Delft",)]),
    ],
)
def test_rows_of_the_standard(db: Session, text: str, rows: list[tuple[Any, ...]]) -> None:
    given = [
        tuple(
            [
                part
                for value in row
                for part in ((value.labels, value.properties["name"]) if isinstance(value, graphir.Node) else (value,))
            ]
        )
        for row in found(db, text, "gql-iso")
    ]
    assert given == sorted(rows, key=repr)


def test_columns_in_the_order_of_the_text(db: Session) -> None:
    result = db.run(
        "GRAPH g MATCH (z:City)<-[y:LivesIn]-(x) RETURN * NEXT RETURN z.name, x.name AS a", None, "gql-bigquery"
    )
    assert result.columns == ("name", "a")
    assert db.run("MATCH (z:City)<-[y:LivesIn]-(x) RETURN *", None, "gql-iso").columns == ("z", "y", "x")


@pytest.mark.parametrize("cost", ["0", "e.since - 2010", "CAST('nan' AS FLOAT64)", "IF(e.since > 2000, NULL, 1)"])
def test_costs_are_positive_numbers(db: Session, cost: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        db.run(
            f"GRAPH g MATCH ANY CHEAPEST (a)-[e:Knows COST {cost}]->{{1,2}}(b) RETURN COUNT(*) AS c",
            None,
            "gql-bigquery",
        )
    assert [found.code for found in caught.value.diagnostics] == ["G659"]


def test_repetitions_that_parameters_give(db: Session) -> None:
    text = "GRAPH g MATCH (a)-[e:Knows]->{@low, @high}(b) RETURN COUNT(*) AS c"
    assert found(db, text, "gql-spanner", low=1, high=2) == [(9,)]
    for given, code in (({"low": 2, "high": 1}, "G605"), ({"low": 1}, "G604"), ({"low": "a", "high": 2}, "G605")):
        with pytest.raises(graphir.RunFault) as caught:
            found(db, text, "gql-spanner", **given)
        assert [each.code for each in caught.value.diagnostics] == [code]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("MATCH ANY SHORTEST (a:Person {name: 'Ann'})((x)-[e:Knows]->(y) WHERE x.age < 100)+(b) RETURN b.name", 3),
        (
            "MATCH CHEAPEST 2 (a:Person {name: 'Ann'})-[e:Knows COST e.since]->+(b:Person {name: 'Bob'}) RETURN b.name",
            2,
        ),
        (
            "MATCH CHEAPEST 3 (a:Person)-[e:Knows COST e.since]->{3,}(b:Person {name: 'Bob'}) RETURN b.name",
            9,
        ),
    ],
)
def test_walks_without_an_upper_bound_end(db: Session, text: str, rows: int) -> None:
    assert len(found(db, "GRAPH g " + text, "gql-bigquery")) == rows


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a)-[e:Knows]->+(b) RETURN COUNT(*) AS c",
        "MATCH ANY SHORTEST ((a)-[e:Knows]->+(b) WHERE COUNT(e) > 4) RETURN COUNT(*) AS c",
        "MATCH SHORTEST 2 (a)((x)-[e:Knows]->(y)){1,}(b) RETURN COUNT(*) AS c",
    ],
)
def test_endless_walks_are_refused(db: Session, text: str) -> None:
    with pytest.raises(graphir.Unsupported) as caught:
        db.run(text, None, "gql-iso")
    assert [found.code for found in caught.value.diagnostics] == ["G602"]
