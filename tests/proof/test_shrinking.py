"""Seeded faults are shrunk to a few words and a few nodes; every query that is tried means something."""

from __future__ import annotations

import pytest

import graphir
from graphir import PropertyGraph, ir
from graphir.grammar.lexical import scan
from graphir.proof import Disagreement, Panel, Question, judge, minimal, samples, shrink, shrink_graph
from graphir.proof.cuts import cuts, weight
from graphir.proof.disagreements import alone
from graphir.proof.fuzzing import shape_of
from tests.proof.toys import Rule, Toy, edges_twice, no_distinct, null_is_false, nulls_turned, one_hop

LONG = """
MATCH (a:Person)-[r:KNOWS]->(b:Person)-[:LIKES|KNOWS]-(c)
WHERE a.age > 30 AND b.name STARTS WITH 'A' AND NOT (c.x = 3 OR c.name CONTAINS 'b')
WITH a, b, c, r.since AS since, [x IN range(1, 3) WHERE x > 1 | x * 2] AS xs ORDER BY c.x
RETURN a.name AS name, b.age + 1 AS next, coalesce(c.name, 'none') AS other, count(xs[0]) AS x
"""

FAULTS = {
    "edges_twice": (edges_twice, LONG, 16),
    "nulls_turned": (
        nulls_turned,
        "MATCH (a:A)-[:R]->(b) RETURN a.x AS x, b.y + 1 AS y ORDER BY x, y DESC LIMIT 20",
        14,
    ),
    "no_distinct": (
        no_distinct,
        "MATCH (a:A)-[:R]->(b) WHERE b.x > 3 WITH DISTINCT a RETURN a.name AS n, a.x * 2 AS x",
        12,
    ),
    "null_is_false": (
        null_is_false,
        "MATCH (a:A) WHERE NOT (a.x = 3 OR a.y CONTAINS 'b') AND a.z > 1 RETURN a.x + 1 AS x",
        12,
    ),
    "one_hop": (one_hop, "MATCH (a:A)-[:R*1..2]->(d) WHERE a.x > 0 RETURN d.name AS d, count(*) AS c", 16),
}
"""Fault -> what it changes, a query that runs into it, and how many tokens may be left."""


def printed(query: ir.Query, question: Question) -> Question | None:
    """The question for another query; None where that means nothing."""
    try:
        made = question.asking(query)
        made.examine()
    except graphir.GraphirError:
        return None
    return made


def disagreement(rule: Rule, text: str, seed: int = 1) -> tuple[Disagreement, Toy]:
    question, toy = Question(text), Toy(rule)
    with Panel({"duckdb": graphir.connect(), "toy": toy}) as panel:
        for graph in samples([question], 300, seed=seed):
            verdict = judge([question], graph, panel)
            if verdict.disagree:
                return minimal([question], graph, verdict, panel, alone), toy
    raise AssertionError("no graph shows the fault")


@pytest.mark.parametrize("name", FAULTS)
def test_seeded_faults_get_small(name: str) -> None:
    rule, text, tokens = FAULTS[name]
    found, toy = disagreement(rule, text)
    assert found.verdict.status == "different"
    small = found.questions[0].text
    assert len(list(scan(small))) - 1 <= tokens, small
    assert len(found.graph.nodes) <= 3
    assert all(len(node.properties) <= 2 for node in found.graph.nodes)
    assert [d for query in toy.asked for d in graphir.check(query) if d.severity == "error"] == []


def test_shrinking_gives_the_same_every_time() -> None:
    first, second = (disagreement(*FAULTS["no_distinct"][:2])[0] for _ in range(2))
    assert first.questions == second.questions
    assert first.graph.to_dict() == second.graph.to_dict()
    assert first.tries == second.tries


def test_no_cut_of_the_result_keeps_what_was_tested() -> None:
    """1-minimal: every smaller query that means something fails the test."""
    question = Question("MATCH (a:A)-[r]->(b) WHERE a.x = 1 AND b.y = 2 OR a.z IS NULL RETURN a.x + 2 AS s, b LIMIT 3")

    def test(asked: Question, _: PropertyGraph) -> bool:
        return any(isinstance(n, ir.Apply) and n.function == "is_null" for n in ir.walk(asked.query))

    found = shrink(question, PropertyGraph(), test)
    assert found.done
    smaller = [made for cut in cuts(found.question.query) if (made := printed(cut(), found.question)) is not None]
    lighter = [each for each in smaller if weight(each.query) < weight(found.question.query)]
    assert lighter
    assert [each.text for each in lighter if test(each, PropertyGraph())] == []


def test_parameters_become_values() -> None:
    question = Question("MATCH (a:A) WHERE a.x = $x AND a.y = $y RETURN a.x AS x", parameters={"x": 25, "y": [1]})

    def test(asked: Question, _: PropertyGraph) -> bool:
        return any(isinstance(n, ir.Literal) and n.value == 25 for n in ir.walk(asked.query))

    found = shrink(question, PropertyGraph(), test)
    assert found.question.parameters == {}
    assert "$" not in found.question.text
    assert "25" in found.question.text


def test_the_number_of_tries_is_bounded() -> None:
    asked = 0

    def test(_: Question, __: PropertyGraph) -> bool:
        nonlocal asked
        asked += 1
        return True

    found = shrink(Question(LONG), PropertyGraph(), test, 5)
    assert (asked, found.tries, found.done) == (5, 5, False)


def test_graphs_get_small() -> None:
    nodes = [{"id": at, "labels": ["A", "B"], "properties": {"x": at, "s": "abc", "l": [1, 2]}} for at in range(20)]
    edges = [{"id": at, "type": "R", "start": at, "end": (at * 7) % 20, "properties": {"w": at}} for at in range(20)]
    graph = PropertyGraph.from_dict({"nodes": nodes, "edges": edges})

    def test(smaller: PropertyGraph) -> bool:
        loops = [edge for edge in smaller.edges if edge.start == edge.end]
        return bool(loops) and any("s" in node.properties for node in smaller.nodes)

    found = shrink_graph(graph, test)
    assert found.to_dict() == {
        "nodes": [{"id": 0, "labels": [], "properties": {"s": ""}}],
        "edges": [{"id": 0, "type": "R", "start": 0, "end": 0, "properties": {}}],
    }


@pytest.mark.parametrize(
    "text",
    [
        "MATCH p = ((a:A)-[r:R]->(b) WHERE a.x < 3){1,3} RETURN length(p) AS l, [n IN nodes(p) | n.x] AS xs",
        "CALL () { MATCH (n) RETURN n UNION MATCH (n:A) RETURN n } RETURN n {.x, .*, y: 1} AS m, n:A|B AS b",
        "MATCH (n) WHERE EXISTS { (n)-->(m:B) WHERE m.x IN [1, 2] } RETURN CASE n.x WHEN 1 THEN 'a' ELSE 2.5 END AS c",
        "UNWIND [1, null] AS x RETURN reduce(s = 0, y IN [x, 1] | s + y) AS r, x IS :: INTEGER AS t, [1, 2][0..1] AS y",
        "MATCH (a)-[:R*..2]-(b) MATCH p = shortestPath((a)-[*]-(b)) RETURN DISTINCT count(*) AS c, 1 < 2 < 3 AS t",
        "RETURN 1 AS a UNION ALL RETURN 2 AS a UNION ALL RETURN 3 AS a",
        "MATCH ANY SHORTEST (a:A)-[r:R|!S]->+(b) LET z = a.x ORDER BY z OFFSET 1 LIMIT 2 RETURN z, size(r) AS s",
    ],
)
def test_every_cut_can_be_printed_or_is_refused(text: str) -> None:
    question = Question(text)
    made = [each for cut in cuts(question.query) if (each := printed(cut(), question)) is not None]
    assert len(made) > 5
    assert len({each.text for each in made}) > 5


def test_disagreements_that_differ_in_names_alone_are_alike() -> None:
    texts = (
        "MATCH (a:A)-[:R]->(b) RETURN DISTINCT a.x AS x",
        "MATCH (person:B)-[:S]->(c) RETURN DISTINCT person.name AS n",
    )
    first, second = (disagreement(no_distinct, text)[0] for text in texts)
    assert shape_of(first) == shape_of(second)
    assert shape_of(first) != shape_of(disagreement(nulls_turned, "MATCH (n:A) RETURN n.x AS x ORDER BY x")[0])


def test_two_queries_stay_as_they_are() -> None:
    questions = [Question("MATCH (a)-[:KNOWS]-(b) RETURN a.name"), Question("MATCH (a)-[:KNOWS]->(b) RETURN a.name")]
    with Panel(["duckdb"]) as panel:
        judged = [(graph, judge(questions, graph, panel)) for graph in samples(questions, 10)]
        graph, verdict = next((graph, verdict) for graph, verdict in judged if verdict.disagree)
        found = minimal(questions, graph, verdict, panel)
    assert [each.text for each in found.questions] == [each.text for each in questions]
    assert (len(found.graph.nodes), len(found.graph.edges)) in ((2, 1), (1, 1))
    assert found.verdict.disagree
