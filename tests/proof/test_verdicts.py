"""Who agrees with whom, and what is a difference and what is not."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir import PropertyGraph
from graphir.proof import Panel, Question, judge
from tests.proof.toys import Fragile, Toy, divides_by_zero, edges_twice, no_distinct, nulls_turned

GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [
            {"id": 0, "labels": ["P"], "properties": {"n": "a", "x": 1}},
            {"id": 1, "labels": ["P"], "properties": {"n": "b", "x": 1}},
            {"id": 2, "labels": ["P"], "properties": {"n": "c", "x": 2}},
            {"id": 3, "labels": ["P"], "properties": {"n": "d"}},
        ],
        "edges": [
            {"id": 0, "type": "R", "start": 0, "end": 1},
            {"id": 1, "type": "R", "start": 0, "end": 2},
            {"id": 2, "type": "S", "start": 2, "end": 3},
        ],
    }
)


class Reversing(Toy):
    """An engine that gives rows, and the elements of lists, the other way round."""

    def run(self, text: str, parameters: Any = None, dialect: str = "neo4j-25") -> graphir.Result:
        found = super().run(text, parameters, dialect)
        rows = [tuple([value[::-1] if isinstance(value, list) else value for value in row]) for row in found.rows]
        return graphir.Result(found.columns, rows[::-1])


class Choosing(Toy):
    """An engine that holds the nodes in the other order, so that it chooses others where a query leaves the choice."""

    def load(self, source: Any, schema: graphir.Schema | None = None) -> Any:
        assert isinstance(source, PropertyGraph)
        return super().load(PropertyGraph(source.nodes[::-1], source.edges[::-1]), schema)


def verdict(query: str, *toys: Toy, **parameters: Any) -> Any:
    engines = {"duckdb": Toy(), **{f"toy{at}": toy for at, toy in enumerate(toys)}}
    return judge(query, GRAPH, engines, parameters)


def test_agreement() -> None:
    found = verdict("MATCH (p:P) RETURN p, p.x AS x", Toy(), Toy())
    assert (found.status, found.groups, found.odd, found.rows) == ("same", ((0, 1, 2),), (), 4)
    assert found.agree
    assert not found.disagree


def test_the_odd_one_out() -> None:
    found = verdict("MATCH (a)-[r]-(b)-[s]-(c) RETURN a, c", Toy(edges_twice), Toy())
    assert found.status == "different"
    assert [answer.engine for answer in found.odd] == ["toy0"]
    assert found.groups == ((0, 2), (1,))
    assert "rows are expected" in found.comparison.reason


def test_two_that_differ_have_no_odd_one() -> None:
    found = verdict("MATCH (p:P)-->() RETURN DISTINCT p", Toy(no_distinct))
    assert (found.status, found.odd, len(found.groups)) == ("different", (), 2)


def test_one_answer_is_no_agreement() -> None:
    assert judge("RETURN 1 AS one", GRAPH, ["duckdb"]).status == "unanswered"


def test_order_counts_where_there_is_one() -> None:
    assert verdict("MATCH (p:P) RETURN p.n", Reversing()).status == "same"
    assert verdict("MATCH (p:P) RETURN p.n ORDER BY p.n", Reversing()).status == "different"
    assert verdict("MATCH (p:P) RETURN p.n ORDER BY p.x", Toy(nulls_turned)).status == "different"


def test_ties_are_no_difference() -> None:
    query = "MATCH (p:P) WHERE p.x = 1 RETURN p.n ORDER BY p.x"
    assert verdict(query, Choosing()).status == "same"
    assert verdict("MATCH (p:P) RETURN p.n ORDER BY p.x LIMIT 1", Choosing()).status == "same"
    assert verdict("MATCH (p:P) RETURN p.n LIMIT 2", Choosing()).status == "same"
    assert verdict("MATCH (p:P) RETURN p.n ORDER BY p.n LIMIT 2", Reversing()).status == "different"


def test_lists_without_an_order_are_bags_and_that_is_said() -> None:
    found = verdict("MATCH (p:P) RETURN collect(p.n) AS ns", Choosing())
    assert found.status == "same"
    assert "collect()" in "".join(found.notes)
    assert verdict("MATCH (p:P) RETURN collect(p.n) AS ns", Toy()).notes == ()
    assert verdict("RETURN [1, 2, 3] AS l", Reversing()).status == "different"


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p:P) WITH p LIMIT 1 RETURN p.n",
        "MATCH (p:P) WITH p ORDER BY p.x LIMIT 1 RETURN p.n",
        "MATCH (p:P) RETURN head(collect(p.n)) AS first",
        "MATCH (p:P) CALL () { MATCH (q:P) RETURN q LIMIT 1 } RETURN p.n, q.n",
    ],
)
def test_what_the_query_leaves_open_is_no_difference(query: str) -> None:
    found = verdict(query, Choosing())
    assert found.status == "open"
    assert "loaded in another order" in found.opening


@pytest.mark.parametrize(
    "query", ["RETURN rand() AS r", "MATCH (n) RETURN elementId(n) AS i", "RETURN timestamp() AS t"]
)
def test_values_that_differ_from_run_to_run(query: str) -> None:
    class Strange(Toy):
        def run(self, text: str, parameters: Any = None, dialect: str = "neo4j-25") -> graphir.Result:
            found = super().run(text, parameters, dialect)
            return graphir.Result(found.columns, [(None,) for _ in found.rows])

    assert verdict(query, Strange()).status == "open"


def test_a_fault_is_a_fault_where_something_else_is_open() -> None:
    """A collected list has no order; that does not excuse a row too many."""
    found = verdict("MATCH (a)-[r]-(b)-[s]-(c) RETURN a.n, collect(c.n) AS cs", Toy(edges_twice))
    assert found.status == "different"
    assert "no order of the graph makes that difference" in "".join(found.notes)


def test_failing_is_an_answer() -> None:
    assert verdict("RETURN 1 / 0 AS x", Toy()).status == "same"
    found = verdict("RETURN floor(1.5) AS x", Toy(divides_by_zero))
    assert found.status == "failing"
    assert [answer.kind for answer in found.answers] == ["rows", "failed"]


def test_what_is_refused_does_not_count() -> None:
    class Refusing(Toy):
        def run(self, text: str, parameters: Any = None, dialect: str = "neo4j-25") -> graphir.Result:
            raise graphir.Unsupported(graphir.check("MATCH (n RETURN n"), feature="all", target="toy")

    found = verdict("MATCH (p:P) RETURN p", Refusing())
    assert found.status == "unanswered"
    assert [answer.kind for answer in found.silent] == ["refused"]


def test_a_lost_engine_is_opened_again() -> None:
    Fragile.alive = 0
    with Panel({"duckdb": Toy(), "fragile": Fragile}) as panel:
        found = judge("MATCH (p:P) RETURN p", GRAPH, panel)
        assert (found.status, Fragile.alive, panel.reopened["fragile"]) == ("same", 2, 1)
    assert found.notes == ("fragile was lost and opened again",)


def test_an_engine_that_was_given_open_is_not_opened_again() -> None:
    Fragile.alive = 0
    found = judge("MATCH (p:P) RETURN p", GRAPH, {"duckdb": Toy(), "fragile": Fragile()})
    assert (found.status, [answer.kind for answer in found.silent]) == ("unanswered", ["lost"])


def test_a_graph_is_loaded_once() -> None:
    toy = Toy()
    with Panel({"duckdb": Toy(), "toy": toy}) as panel:
        for number in range(5):
            judge(f"MATCH (p:P) RETURN p.x + {number} AS x", GRAPH, panel)
    assert (toy.loads, len(toy.asked)) == (1, 5)


def test_two_queries() -> None:
    def asked(*texts: str) -> Any:
        return judge([Question(text) for text in texts], GRAPH, {"duckdb": Toy()})

    assert asked("MATCH (a)-->(b) RETURN a, b", "MATCH (b)<--(a) RETURN b, a").status == "same"
    found = asked("MATCH (a)-->(b) RETURN a", "MATCH (a)--(b) RETURN a")
    assert found.status == "different"
    assert [(answer.engine, answer.question) for answer in found.answers] == [("duckdb", 0), ("duckdb", 1)]


def test_two_dialects() -> None:
    questions = [
        Question("MATCH (n:P) FILTER n.x > 1 RETURN n", "neo4j-25"),
        Question("MATCH (n:P) WHERE n.x > {least} RETURN n", "opencypher-9", {"least": 1}),
    ]
    assert judge(questions, GRAPH, ["duckdb"]).status == "same"


def test_what_is_no_query_is_raised() -> None:
    with pytest.raises(graphir.SyntaxFault):
        judge("MATCH (n RETURN n", GRAPH, ["duckdb"])
    with pytest.raises(graphir.SemanticFault):
        judge("MATCH (n) RETURN m", GRAPH, ["duckdb"])
    with pytest.raises(graphir.Unsupported) as writing:
        judge("CREATE (n) RETURN n", GRAPH, ["duckdb"])
    assert writing.value.code == "G676"
    with pytest.raises(graphir.UsageFault):
        judge("RETURN 1 AS one", GRAPH, ["nothing"])
    with pytest.raises(graphir.UsageFault):
        judge("RETURN 1 AS one", GRAPH, [])
