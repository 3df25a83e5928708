"""Seeded graphs for the benchmarks of engines, as plain tables, and the queries that are put to them.

`uniform(n)`: n nodes, 4 n edges, all of one kind.  `social(n)`: n persons who know one another and write messages in
forums, about tags, in the shape of LDBC's Social Network Benchmark (SNB Interactive v2); its queries are the short and
some of the complex reads of that benchmark, put in the words that every engine here reads.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Graph:
    """Nodes by label, each with a key `id` that is unique in the graph; edges by (source label, type, target label)."""

    nodes: dict[str, list[Row]]
    edges: dict[tuple[str, str, str], list[tuple[int, int, Row]]]


def uniform(count: int, seed: int = 7) -> Graph:
    chosen = random.Random(seed)
    nodes = [{"id": i, "g": i % 100, "v": chosen.random()} for i in range(count)]
    edges = [
        (chosen.randrange(count), chosen.randrange(count), {"w": chosen.randrange(1000)}) for _ in range(4 * count)
    ]
    return Graph({"P": nodes}, {("P", "R", "P"): edges})


def uniform_queries(count: int, seed: int = 11) -> dict[str, list[str]]:
    """Name -> the statements that are timed together."""
    chosen = random.Random(seed)
    pairs = [(chosen.randrange(count), chosen.randrange(count)) for _ in range(20)]
    return {
        "two hops, count": ["MATCH (a:P)-[:R]->(b:P)-[:R]->(c:P) RETURN count(*) AS c"],
        "variable length 1..3": ["MATCH (a:P)-[:R*1..3]->(b:P) WHERE a.id < 500 RETURN count(*) AS c"],
        "aggregate": ["MATCH (a:P) RETURN a.g AS g, count(*) AS n, avg(a.v) AS m"],
        "filter and aggregate": ["MATCH (a:P)-[r:R]->(b:P) WHERE a.g = 3 AND r.w < 100 RETURN b.g AS g, count(*) AS n"],
        "shortest path, 20 pairs": [
            f"MATCH p = shortestPath((a:P {{id: {a}}})-[:R*]->(b:P {{id: {b}}})) RETURN length(p) AS l"
            for a, b in pairs
            if a != b
        ],
    }


def social(count: int, seed: int = 13) -> Graph:
    """`count` persons; per person about 10 acquaintances, 8 messages with 2 tags and 4 likes each."""
    chosen = random.Random(seed)
    names = ["Ada", "Bo", "Chen", "Dana", "Eve", "Farid", "Gita", "Hans", "Ines", "Jun"]
    cities, tags, forums, messages = max(5, count // 100), 100, max(5, count // 10), 8 * count
    first = {"Person": 0, "City": count, "Tag": count + cities, "Forum": count + cities + tags}
    first["Message"] = first["Forum"] + forums
    day = lambda: chosen.randrange(14610, 19000)  # noqa: E731
    nodes: dict[str, list[Row]] = {
        "Person": [
            {"id": i, "firstName": chosen.choice(names), "gender": chosen.choice(("f", "m")), "birthday": day()}
            for i in range(count)
        ],
        "City": [{"id": first["City"] + i, "name": f"city {i}"} for i in range(cities)],
        "Tag": [{"id": first["Tag"] + i, "name": f"tag {i}"} for i in range(tags)],
        "Forum": [{"id": first["Forum"] + i, "title": f"forum {i}"} for i in range(forums)],
        "Message": [
            {"id": first["Message"] + i, "length": chosen.randrange(300), "created": day()} for i in range(messages)
        ],
    }

    def some(label: str) -> int:
        size = {"Person": count, "City": cities, "Tag": tags, "Forum": forums, "Message": messages}[label]
        skewed = int(size * chosen.random() ** 2) if label in ("Person", "Tag") else chosen.randrange(size)
        return first[label] + skewed

    edges: dict[tuple[str, str, str], list[tuple[int, int, Row]]] = {
        ("Person", "KNOWS", "Person"): [(i, some("Person"), {"since": day()}) for i in range(count) for _ in range(10)],
        ("Person", "LIVES_IN", "City"): [(i, some("City"), {}) for i in range(count)],
        ("Person", "LIKES", "Message"): [(some("Person"), some("Message"), {"at": day()}) for _ in range(messages * 4)],
        ("Message", "HAS_CREATOR", "Person"): [(first["Message"] + i, i // 8, {}) for i in range(messages)],
        ("Message", "HAS_TAG", "Tag"): [(first["Message"] + i, some("Tag"), {}) for i in range(messages) for _ in "ab"],
        ("Forum", "CONTAINS", "Message"): [(some("Forum"), first["Message"] + i, {}) for i in range(messages)],
    }
    return Graph(nodes, edges)


def social_queries(count: int, seed: int = 17) -> dict[str, list[str]]:
    chosen = random.Random(seed)
    who = [chosen.randrange(count) for _ in range(5)]
    return {
        "IS1 profile": [
            f"MATCH (p:Person {{id: {i}}})-[:LIVES_IN]->(c:City) "
            "RETURN p.firstName AS name, p.birthday AS birthday, c.id AS city"
            for i in who
        ],
        "IS2 recent messages": [
            f"MATCH (p:Person {{id: {i}}})<-[:HAS_CREATOR]-(m:Message) "
            "RETURN m.id AS id, m.created AS created ORDER BY created DESC, id ASC LIMIT 10"
            for i in who
        ],
        "IS3 friends": [
            f"MATCH (p:Person {{id: {i}}})-[k:KNOWS]-(f:Person) "
            "RETURN f.id AS id, f.firstName AS name, k.since AS since ORDER BY since DESC, id ASC"
            for i in who
        ],
        "IC1 friends by name": [
            f"MATCH (p:Person {{id: {i}}})-[:KNOWS*1..3]-(f:Person {{firstName: 'Dana'}}) WHERE f.id <> {i} "
            "RETURN DISTINCT f.id AS id ORDER BY id ASC LIMIT 20"
            for i in who[:1]
        ],
        "IC2 friends' messages": [
            f"MATCH (p:Person {{id: {i}}})-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(m:Message) WHERE m.created <= 17000 "
            "RETURN f.id AS person, m.id AS message, m.created AS created ORDER BY created DESC, message ASC LIMIT 20"
            for i in who
        ],
        "IC6 tags together": [
            f"MATCH (p:Person {{id: {i}}})-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(m:Message)-[:HAS_TAG]->"
            "(t:Tag {name: 'tag 3'}) MATCH (m)-[:HAS_TAG]->(o:Tag) WHERE o.name <> 'tag 3' "
            "RETURN o.name AS tag, count(m) AS n ORDER BY n DESC, tag ASC LIMIT 10"
            for i in who
        ],
        "BI tags by likes": [
            "MATCH (t:Tag)<-[:HAS_TAG]-(m:Message)<-[:LIKES]-(p:Person) "
            "RETURN t.name AS tag, count(*) AS likes ORDER BY likes DESC, tag ASC LIMIT 10"
        ],
        "BI cities": [
            "MATCH (c:City)<-[:LIVES_IN]-(p:Person)<-[:HAS_CREATOR]-(m:Message) WHERE m.length > 150 "
            "RETURN c.name AS city, count(m) AS n, avg(m.length) AS length ORDER BY n DESC, city ASC LIMIT 10"
        ],
        "BI triangles": [
            "MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[:KNOWS]->(a) WHERE a.id < b.id "
            "AND b.id < c.id RETURN count(*) AS n"
        ],
    }
