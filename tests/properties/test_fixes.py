"""Repairs: after one is made its fault is gone, and making the repairs again changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphir
from graphir.diagnostics import Diagnostic, Edit, Fix, SyntaxFault, apply
from tests import outside

# Broken text -> what its repairs make of it, one after another; each is safe or not.
REPAIRED: list[tuple[str, str, bool]] = [
    ("RETURN 1 != 2 AS x", "RETURN 1 <> 2 AS x", True),
    ("RETURN 1 == 2 AS x", "RETURN 1 = 2 AS x", True),
    ("MATCH (n) WHERE n.a=1&&n.b=2 RETURN n", "MATCH (n) WHERE n.a=1 AND n.b=2 RETURN n", True),
    ("RETURN 1 ≤ 2 AS x", "RETURN 1 <= 2 AS x", True),
    ("RETURN 1 = 2 IS NULL AS x", "RETURN 1 = (2 IS NULL) AS x", True),
    ("RETURN 1 =< 2 AS x", "RETURN 1 <= 2 AS x", True),
    ("RETURN 'it''s' AS x", "RETURN 'it\\'s' AS x", True),
    ('MATCH (n {name: ""Ann""}) RETURN n', 'MATCH (n {name: "Ann"}) RETURN n', False),
    ("MATCH (n {name: “Ann”}) RETURN n", 'MATCH (n {name: "Ann"}) RETURN n', True),
    ("MATCH (n {name: ‘Ann’}) RETURN n", "MATCH (n {name: 'Ann'}) RETURN n", True),
    ("```cypher\nMATCH (n:Tool) RETURN n.name\n```", "MATCH (n:Tool) RETURN n.name", True),
    ("```\nRETURN 1 AS x", "RETURN 1 AS x", True),
    (
        "Here you go:\n```\nMATCH (n:`Spare Part`) RETURN n.`serial no`\n```\nHope it helps",
        "MATCH (n:`Spare Part`) RETURN n.`serial no`",
        True,
    ),
    ("Answer: MATCH (p:Person) RETURN count(p)", "MATCH (p:Person) RETURN count(p)", True),
    ("<think>find</think>\nMATCH (h:Host) RETURN h.ip", "\nMATCH (h:Host) RETURN h.ip", True),
    ("<cypher>MATCH (h:Host) RETURN h.ip</cypher>", "MATCH (h:Host) RETURN h.ip", True),
    ("MATCH (p:Part) RETURN p.name LIMIT 10\n<|im_end|>", "MATCH (p:Part) RETURN p.name LIMIT 10\n", True),
    ("Sure, here it is\nMATCH (n) RETURN n", "MATCH (n) RETURN n", False),
    ("MATCH (n) RETURN n\n\nThis query gives all nodes", "MATCH (n) RETURN n", False),
    ('"MATCH (n) RETURN n"', "MATCH (n) RETURN n", False),
    ("MATCH (n) WHERE n.x = {p} RETURN n", "MATCH (n) WHERE n.x = $p RETURN n", True),
    ("CREATE (n {p}) RETURN n", "CREATE (n $p) RETURN n", True),
    ("MATCH (n) WHERE n.x = ${p} RETURN n", "MATCH (n) WHERE n.x = $p RETURN n", True),
    ("MATCH (n) WHERE n.x = {{p}} RETURN n", "MATCH (n) WHERE n.x = $p RETURN n", False),
    ("MATCH (n:$p) RETURN n", "MATCH (n:$($p)) RETURN n", False),
    ("MATCH (n) RETRUN n", "MATCH (n) RETURN n", False),
    ("MATCH (n) RETURN DISTNCT n.x", "MATCH (n) RETURN DISTINCT n.x", False),
    ("MATCH (n RETURN n", "MATCH (n) RETURN n", False),
    ("RETURN [1, 2 AS x", "RETURN [1, 2] AS x", False),
    ("MATCH (n)) RETURN n", "MATCH (n) RETURN n", False),
    ("RETURN CASE WHEN true THEN 1 AS x", "RETURN CASE WHEN true THEN 1 END AS x", False),
    ("MATCH (n) WHERE n.name LIKE 'A%' RETURN n", "MATCH (n) WHERE n.name STARTS WITH 'A' RETURN n", False),
    ("MATCH (n) WHERE n.name LIKE '%A' RETURN n", "MATCH (n) WHERE n.name ENDS WITH 'A' RETURN n", False),
    ("MATCH (n) WHERE n.name LIKE '%A%' RETURN n", "MATCH (n) WHERE n.name CONTAINS 'A' RETURN n", False),
    ("MATCH (n) WHERE n.name LIKE 'A' RETURN n", "MATCH (n) WHERE n.name = 'A' RETURN n", False),
    ("MATCH (n) WHERE n.a NOT NULL RETURN n", "MATCH (n) WHERE n.a IS NOT NULL RETURN n", False),
    ("MATCH (n) WHERE n.a NOTNULL RETURN n", "MATCH (n) WHERE n.a IS NOT NULL RETURN n", True),
    ("MATCH (n) WHERE n.a ISNULL RETURN n", "MATCH (n) WHERE n.a IS NULL RETURN n", True),
    ("MATCH (n) WHERE n.a.b NOT IN [1] RETURN n", "MATCH (n) WHERE NOT n.a.b IN [1] RETURN n", True),
    ("MATCH (n) WHERE exists(n.p) RETURN n", "MATCH (n) WHERE n.p IS NOT NULL RETURN n", True),
    ("MATCH (n) WHERE size((n)--()) > 1 RETURN n", "MATCH (n) WHERE COUNT { (n)--() } > 1 RETURN n", True),
    ("MATCH (Node) RETURN node", "MATCH (Node) RETURN Node", False),
    ("MATCH (n)-[:has hash]->() RETURN n", "MATCH (n)-[:`has hash`]->() RETURN n", False),
    ("MATCH (n) RETURN n.a b", "MATCH (n) RETURN n.a AS b", False),
    ("RETURN [1 2] AS x", "RETURN [1, 2] AS x", False),
    ("RETURN {'a': 1} AS x", "RETURN {a: 1} AS x", True),
    ("MATCH (n) RETURN n.x AS 'the x'", "MATCH (n) RETURN n.x AS `the x`", True),
    ("MATCH (n) -- every one\nRETURN n", "MATCH (n) // every one\nRETURN n", False),
    ("MATCH n RETURN n", "MATCH (n) RETURN n", False),
    ("MATCH (a)-[r]-->(b) RETURN r", "MATCH (a)-[r]->(b) RETURN r", False),
    ("MATCH (n Person) RETURN n", "MATCH (n :Person) RETURN n", False),
]


def first(text: str) -> Diagnostic | None:
    return next(iter(graphir.check(text)), None)


@pytest.mark.parametrize(("text", "repaired", "safe"), [row for row in REPAIRED if row[1] is not None])
def test_repair(text: str, repaired: str, safe: bool) -> None:
    found = first(text)
    assert found is not None
    assert found.fix is not None
    assert (apply(text, [found.fix]), found.fix.safe) == (repaired, safe)
    assert graphir.check(repaired) == []


@pytest.mark.parametrize(
    ("text", "dialect", "repaired"),
    [
        ("MATCH (n) FILTER n.x > 1 RETURN n", "neo4j-5", "MATCH (n) WITH * WHERE n.x > 1 RETURN n"),
        ("INSERT (n:A) RETURN n", "opencypher-9", "CREATE (n:A) RETURN n"),
        ("MATCH (n) RETURN n OFFSET 1", "opencypher-9", "MATCH (n) RETURN n SKIP 1"),
        ("RETURN 1 AS x UNION DISTINCT RETURN 2 AS x", "opencypher-9", "RETURN 1 AS x UNION RETURN 2 AS x"),
        ("MATCH (n) NODETACH DELETE n", "opencypher-9", "MATCH (n) DELETE n"),
    ],
)
def test_constructs_that_another_dialect_says_in_other_words(text: str, dialect: str, repaired: str) -> None:
    (found,) = graphir.check(text, dialect)
    assert found.fix is not None
    assert found.fix.safe
    assert apply(text, [found.fix]) == repaired
    assert graphir.check(repaired, dialect) == []


# ------------------------------------------------------------------ of every repair


def require_help(text: str, dialect: str = "neo4j-25") -> int:
    """After each repair its fault is no longer there; the number of repairs."""
    before = graphir.check(text, dialect)
    repairs = 0
    for found in before:
        if found.fix is None:
            continue
        repairs += 1
        repaired = apply(text, [found.fix])
        assert repaired != text
        left = len(text) - found.start
        again = [d for d in graphir.check(repaired, dialect) if d.code == found.code]
        same = [d for d in again if (len(repaired) - d.start, d.message, d.fix) == (left, found.message, found.fix)]
        assert not same, (text, repaired, found)
    return repairs


@pytest.mark.parametrize("text", [text for text, _, _ in REPAIRED])
def test_a_repaired_fault_is_gone(text: str) -> None:
    require_help(text)


def test_repairs_of_rejected_queries() -> None:
    verdicts = {row["key"]: row["cypher25"] for row in outside.rows("corpora/neo4j_server_verdicts")}
    repairs = 0
    for key, text in outside.texts().items():
        if verdicts.get(key, {}).get("referee") == "reject":
            repairs += require_help(text)
    assert repairs > 200


@given(st.sampled_from([text for text, _, _ in REPAIRED]), st.integers(0, 200), st.integers(1, 12))
def test_repairs_of_damaged_queries(text: str, at: int, length: int) -> None:
    at %= len(text)
    require_help(text[:at] + text[at + length :])


@given(st.sampled_from([text for text, _, _ in REPAIRED]), st.sampled_from([text for text, _, _ in REPAIRED]))
def test_safe_repairs_come_to_an_end(one: str, other: str) -> None:
    text = f"{one}; {other}"
    for _ in range(20):
        fixes = [d.fix for d in graphir.check(text) if d.fix is not None and d.fix.safe]
        if not fixes:
            break
        text = apply(text, fixes)
    assert not [d for d in graphir.check(text) if d.fix is not None and d.fix.safe]


# ------------------------------------------------------------------ applying


def test_of_overlapping_repairs_the_first_counts() -> None:
    one = Fix("one", (Edit(0, 2, "x"),))
    other = Fix("other", (Edit(1, 3, "y"), Edit(4, 4, "z")))
    assert apply("abcd", [one, other]) == "xcd"
    assert apply("abcd", [other, one]) == "aydz"
    assert apply("abcd", []) == "abcd"


def test_a_parse_fault_carries_its_repair() -> None:
    with pytest.raises(SyntaxFault) as caught:
        graphir.parse("RETURN 1 == 1")
    assert caught.value.diagnostics[0].fix == Fix("replace `==` by `=`", (Edit(9, 11, "="),), True)
