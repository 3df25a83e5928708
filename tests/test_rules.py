"""The rules of Cypher: what a real Neo4j said of every query in rules/neo4j.txt, and what graphir says where."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import graphir
from graphir.diagnostics import Diagnostic
from tests.rules.verdicts import Verdict, sections


def faults(text: str, dialect: str = "neo4j-25") -> list[Diagnostic]:
    return [found for found in graphir.check(text, dialect) if found.severity == "error"]


def disagreements(verdicts: list[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        for dialect, status in verdict.statuses.items():
            found = faults(verdict.query, dialect)
            if bool(found) != (status != "ok"):
                yield f"{dialect} {status} {[d.code for d in found]} {verdict.query}"


@pytest.mark.parametrize(("title", "verdicts"), sections().items(), ids=list(sections()))
def test_neo4j_says_the_same(title: str, verdicts: list[Verdict]) -> None:
    assert verdicts
    assert list(disagreements(verdicts)) == [], title


PLACES = [
    # code, dialect, query with the guilty part between « and »
    ("G041", "neo4j-25", "MATCH (n) «WITH» n"),
    ("G041", "neo4j-25", "MATCH (n) «CALL» (n) { RETURN n AS m }"),
    ("G042", "neo4j-25", "«RETURN» 1 AS x MATCH (n) RETURN n"),
    ("G042", "neo4j-25", "MATCH (n) «FINISH» MATCH (m) RETURN m"),
    ("G043", "neo4j-5", "CREATE (n) «MATCH» (m) RETURN m"),
    ("G043", "opencypher-9", "CREATE (n) «MATCH» (m) RETURN m"),
    ("G044", "opencypher-9", "RETURN 1 AS a UNION RETURN 2 AS a «UNION» ALL RETURN 3 AS a"),
    ("G045", "neo4j-5", "MATCH (n) CALL { «WITH» n WHERE n.x = 1 RETURN 1 AS k } RETURN k"),
    ("G046", "neo4j-5", "MATCH (n) «USE» neo4j RETURN n"),
    ("G047", "opencypher-9", "MATCH (n) WHERE exists { MATCH (n)-->(m) «SET» m.x = 1 } RETURN n"),
    ("G048", "neo4j-5", "RETURN «COLLECT» { RETURN 1 AS a, 2 AS b } AS l"),
    ("G049", "neo4j-5", "MATCH (n) WHERE EXISTS { MATCH (n) «FINISH» } RETURN n"),
    ("G050", "opencypher-9", "MATCH (n) RETURN n LIMIT «n».x"),
    ("G051", "opencypher-9", "MATCH (n) RETURN n SKIP «-1»"),
    ("G053", "neo4j-5", "CREATE (m) WITH m CALL { CREATE (n) } «IN» TRANSACTIONS"),
    ("G054", "neo4j-5", "CALL { CREATE (n) } IN TRANSACTIONS «REPORT» STATUS AS s RETURN s"),
    ("G055", "neo4j-25", "«CALL» { RETURN 1 AS x NEXT RETURN x AS y } RETURN y"),
    ("G057", "neo4j-5", "LOAD CSV FROM 'x' AS l «FIELDTERMINATOR» ';;' RETURN l"),
    ("G111", "opencypher-9", "MATCH (n) RETURN «n.x» + count(*) AS c"),
    ("G111", "opencypher-9", "MATCH (n) RETURN n.x + 1 AS s, count(*) AS c ORDER BY «n.x» + 1 + count(*)"),
    ("G111", "neo4j-25", "MATCH (n) RETURN n.x AS x, «n.y» AS y GROUP BY x"),
    ("G112", "opencypher-9", "MATCH (n) WHERE «count(n)» > 1 RETURN n"),
    ("G112", "opencypher-9", "MATCH (n) RETURN [x IN [1] | «count(*)»] AS l"),
    ("G161", "opencypher-9", "RETURN count(«count(*)») AS c"),
    ("G162", "opencypher-9", "MATCH (n) RETURN n.x AS x ORDER BY «max(n.y)»"),
    ("G162", "neo4j-5", "MATCH (n) RETURN n, count(*) AS c ORDER BY «sum(n.y)»"),
    ("G163", "opencypher-9", "RETURN count(«rand()») AS c"),
    ("G201", "opencypher-9", "MATCH (n) RETURN «(n)-->()» AS x"),
    ("G202", "opencypher-9", "MATCH (n) RETURN size(«(n)-->()») AS x"),
    ("G203", "neo4j-5", "MATCH (n) WHERE «exists(n.x)» RETURN n"),
    ("G204", "neo4j-5", "MATCH (n) WHERE exists(«n») RETURN n"),
    ("G205", "opencypher-9", "MATCH (n «$p») RETURN n"),
    ("G205", "opencypher-9", "MERGE (n «$p») RETURN n"),
    ("G206", "opencypher-9", "MATCH (a)-[r]->()«-[r]->»(a) RETURN r"),
    ("G207", "neo4j-5", "CREATE (n WHERE «n.x = 1»)"),
    ("G208", "neo4j-5", "MATCH (a)-[:R]->«{2,1}»(b) RETURN a"),
    ("G209", "neo4j-5", "MATCH ((a)«-->{2}»(b)){3} RETURN a"),
    ("G210", "neo4j-5", "MATCH (a)«-[*]->»(b), (c)-->+(d) RETURN a"),
    ("G211", "neo4j-5", "MATCH (x) «((a)){2}» RETURN a"),
    ("G212", "neo4j-5", "MATCH «((a)-->(b))*» RETURN a"),
    ("G213", "neo4j-5", "MATCH («p = (a)-->(b)») RETURN p"),
    ("G214", "neo4j-5", "MATCH p = «shortestPath»((a)-->(b)-->(c)) RETURN p"),
    ("G215", "neo4j-5", "CREATE p = «shortestPath»((a)-[:A]->(b))"),
    ("G216", "neo4j-5", "MATCH ((a)-->(b)) «((c)-->(d))» RETURN a"),
    ("G217", "neo4j-5", "MATCH «ANY SHORTEST» (a)-->+(b), (c) RETURN a"),
    ("G218", "neo4j-5", "MATCH SHORTEST «0» (a)-->+(b) RETURN a"),
    ("G219", "neo4j-25", "MATCH ACYCLIC (a)-->(b) WHERE «shortestPath»((a)-[*]->(b)) IS NOT NULL RETURN a"),
    ("G220", "neo4j-25", "MATCH REPEATABLE ELEMENTS (a)-->«+»(b) RETURN a"),
    ("G222", "neo4j-25", "MATCH TRAIL (a)«-[*]->»(b) RETURN a"),
    ("G223", "neo4j-5", "MATCH (a)-[:«!A»*]->(b) RETURN a"),
    ("G224", "neo4j-5", "MATCH (n) «USING SCAN n:A» RETURN n"),
    ("G401", "opencypher-9", "CREATE ()«-->»()"),
    ("G402", "opencypher-9", "CREATE (a)«-[:R]-»(b)"),
    ("G403", "opencypher-9", "CREATE ()-[:R«*2»]->()"),
    ("G404", "neo4j-5", "CREATE ()«-[:R]->{2}»()"),
    ("G405", "neo4j-5", "CREATE (:«A|B»)"),
    ("G406", "opencypher-9", "MATCH (n) DELETE «n:A»"),
    ("G407", "neo4j-5", "MERGE (n {x: «COUNT { (:A) }»})"),
]


@pytest.mark.parametrize(
    ("code", "dialect", "marked"), PLACES, ids=[f"{c}-{d}-{i}" for i, (c, d, _) in enumerate(PLACES)]
)
def test_finding_is_at_the_guilty_part(code: str, dialect: str, marked: str) -> None:
    before, part, _ = (marked.replace("»", "«")).split("«")
    text = marked.replace("«", "").replace("»", "")
    found = [(d.code, text[d.start : d.end], d.start) for d in faults(text, dialect)]
    assert found == [(code, part, len(before))]


FIXED = [
    ("neo4j-5", "MATCH (n) RETURN size((n)-->()) AS s", "MATCH (n) RETURN COUNT { (n)-->() } AS s"),
    ("opencypher-9", "MATCH (n) RETURN size((n)-->()) AS s", "MATCH (n) RETURN size([(n)-->() | 1]) AS s"),
    ("neo4j-5", "MATCH (n) WHERE exists(n.x) RETURN n", "MATCH (n) WHERE n.x IS NOT NULL RETURN n"),
    ("neo4j-5", "MATCH (n) WHERE NOT exists(n.x) RETURN n", "MATCH (n) WHERE NOT n.x IS NOT NULL RETURN n"),
    ("neo4j-5", "MATCH (n) RETURN exists(n.x) IN [true] AS b", "MATCH (n) RETURN (n.x IS NOT NULL) IN [true] AS b"),
    ("neo4j-5", "CREATE (n) MATCH (m) RETURN m", "CREATE (n) WITH * MATCH (m) RETURN m"),
    (
        "neo4j-5",
        "MATCH (n) CALL { WITH n WHERE n.x = 1 RETURN 1 AS k } RETURN k",
        "MATCH (n) CALL { WITH n WITH n WHERE n.x = 1 RETURN 1 AS k } RETURN k",
    ),
    (
        "neo4j-25",
        "CALL { RETURN 1 AS x NEXT RETURN x AS y } RETURN y",
        "CALL () { RETURN 1 AS x NEXT RETURN x AS y } RETURN y",
    ),
]


@pytest.mark.parametrize(("dialect", "text", "wanted"), FIXED, ids=[text for _, text, _ in FIXED])
def test_fix_removes_the_finding(dialect: str, text: str, wanted: str) -> None:
    (found,) = faults(text, dialect)
    assert found.fix is not None
    (edit,) = found.fix.edits
    repaired = text[: edit.start] + edit.text + text[edit.end :]
    assert repaired == wanted
    assert faults(repaired, dialect) == []


def test_every_fault_of_a_statement_is_reported() -> None:
    text = "MATCH (a)-[:R*2..3]->(b)-->+(c) WHERE size((a)-->()) > count(b) CREATE (a)--(b) RETURN a LIMIT -1"
    assert [d.code for d in faults(text)] == ["G210", "G202", "G112", "G401", "G402", "G051"]


def test_version_in_front_decides() -> None:
    text = "CREATE (n) MATCH (m) RETURN m"
    assert [d.code for d in faults("CYPHER 5 " + text, "neo4j-25")] == ["G043"]
    assert faults("CYPHER 25 " + text, "neo4j-5") == []


def test_many_findings_take_linear_space() -> None:
    tests = " AND ".join(f"exists(n.p{i})" for i in range(2000))
    assert len(faults(f"MATCH (n) WHERE {tests} RETURN n")) == 2000
