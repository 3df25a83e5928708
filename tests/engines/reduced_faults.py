"""The known faults of engines, each as the smallest query and graph that were found to show it.

`due` are the rows that openCypher and Neo4j's manual demand, as the embedded engine gives them; None where the query
has to fail.  Knows no engine but by name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from graphir.values import Date, Duration, LocalTime

Rows = list[tuple[Any, ...]]

LOOP = "CREATE (a:A {i: 0, x: 0})-[:R {k: 0}]->(a)"
EDGE = "CREATE (:A {i: 0, x: 1})-[:R {k: 0, w: 2}]->(:B {i: 1, x: 2})"
CHAIN = "CREATE (a:A {i: 0})-[:R {k: 0}]->(b:A {i: 1})-[:R {k: 1}]->(c:A {i: 2}), (c)-[:R {k: 2}]->(a)"


@dataclass(frozen=True)
class Reduced:
    """What one engine gets wrong, reduced."""

    engine: str
    feature: str
    query: str
    due: Rows | None
    graph: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    dialect: str = "neo4j-25"


REDUCED: tuple[Reduced, ...] = (
    # ---------------------------------------------------------------- Neo4j 2026.08
    Reduced("neo4j", "range against its step", "RETURN range(0, 1, -123) AS v", [([],)]),
    Reduced("neo4j", "distinct NaN", "UNWIND [0.0 / 0.0, 0.0 / 0.0] AS x RETURN count(DISTINCT x) AS v", [(1,)]),
    Reduced("neo4j", "characters at the end", "RETURN rtrim('aab', 'ab') AS v", [("",)]),
    Reduced("neo4j", "large integer beside a float", "RETURN 9007199254740993 = 9007199254740992.0 AS v", [(False,)]),
    Reduced("neo4j", "quotient of the smallest integer", "RETURN -9223372036854775808 / -1 AS v", None),
    Reduced(
        "neo4j",
        "projections in CASE",
        "MATCH (n) RETURN CASE WHEN n.i > 5 THEN n {.i, .x, z: n.m} ELSE n {.i, .x, z: n.x} END AS v",
        [({"i": 0, "x": 1, "z": 1},)],
        "CREATE (:A {i: 0, x: 1})",
    ),
    Reduced(
        "neo4j",
        "projections in CASE",
        "MATCH (n) RETURN CASE WHEN true THEN n {.x, z: n.x} END AS v",
        [({"x": 1, "z": 1},)],
        "CREATE (:A {i: 0, x: 1})",
    ),
    Reduced(
        "neo4j",
        "nameless node in a nameless one",
        "MATCH ({i: size(COLLECT { MATCH (WHERE null) RETURN 0 })}) RETURN 1 AS v",
        [(1,)],
        "CREATE (:A {i: 0})",
    ),
    Reduced(
        "neo4j",
        "computed order after OPTIONAL MATCH",
        "MATCH (n) OPTIONAL MATCH ()-[r {k: n.i}]->() RETURN coalesce(r.w, 7) AS v ORDER BY v",
        [(7,)],
        "CREATE (:A {i: 0})",
    ),
    Reduced(
        "neo4j",
        "computed order after OPTIONAL MATCH",
        "MATCH (n) OPTIONAL MATCH (m WHERE m.i > n.i)-->(:!A), () RETURN n.i AS v ORDER BY v",
        [(0,)],
        "CREATE (:A {i: 0})",
    ),
    Reduced(
        "neo4j",
        "loop of a bound relationship",
        "MATCH ()-[r]->() WITH DISTINCT r MATCH (n)-[r]->(n) RETURN n.i AS v",
        [],
        EDGE,
    ),
    # ---------------------------------------------------------------- ArcadeDB 26.10
    Reduced(
        "arcadedb",
        "pattern at a null node",
        "OPTIONAL MATCH (n:X) RETURN COUNT { (n)-->() } AS v",
        [(0,)],
        EDGE,
    ),
    Reduced(
        "arcadedb",
        "vector",
        "RETURN valueType(vector([1, 2], 2, INTEGER)) AS v",
        [("VECTOR<INTEGER NOT NULL>(2) NOT NULL",)],
    ),
    Reduced(
        "arcadedb",
        "condition on a shortest path",
        "MATCH (a {i: 0}), (b {i: 1}) MATCH p = shortestPath((a)-[*]-(b)) WHERE length(p) > 1 RETURN length(p) AS v",
        [(2,)],
        CHAIN,
    ),
    Reduced("arcadedb", "relationship matched twice", "MATCH (a)-[r]->(b), (c)-[r]->(d) RETURN r.k AS v", [], EDGE),
    Reduced("arcadedb", "loop in a subquery", "RETURN COUNT { MATCH (n)-->(n) } AS v", [(0,)], EDGE),
    Reduced("arcadedb", "MATCH of a null node", "OPTIONAL MATCH (n:X) MATCH (n) RETURN 1 AS v", []),
    Reduced(
        "arcadedb",
        "EXISTS in a pattern comprehension",
        "MATCH (n:A) WHERE size([(n)-->(m) WHERE EXISTS { (m)<--() } | 1]) > 0 RETURN n.i AS v",
        [(0,)],
        EDGE,
    ),
    Reduced("arcadedb", "end of a loop", "MATCH (n)-[r]->() WHERE startNode(r).x = n.x RETURN n.i AS v", [(0,)], LOOP),
    Reduced(
        "arcadedb",
        "quantifier in CASE",
        "UNWIND [1] AS x WITH x WHERE CASE WHEN false THEN any(z IN [1] WHERE true) END RETURN x AS v",
        [],
    ),
    Reduced("arcadedb", "projection in a map", "MATCH (n:A) RETURN {a: n {.i}} AS v", [({"a": {"i": 0}},)], EDGE),
    Reduced("arcadedb", "sum of durations", "RETURN sum(duration('P1M')) AS v", [(Duration(1, 0, 0, 0),)]),
    Reduced("arcadedb", "percentile of integers", "RETURN percentileCont(1, 0.5) AS v", [(1,)]),
    Reduced("arcadedb", "time as text", "RETURN toString(localtime('10:00')) AS v", [("10:00:00",)]),
    Reduced("arcadedb", "type of a list", "RETURN valueType([1]) AS v", [("LIST<INTEGER NOT NULL> NOT NULL",)]),
    Reduced("arcadedb", "order of maps", "UNWIND [{a: 'x'}, {a: 'b'}] AS x RETURN min(x) AS v", [({"a": "b"},)]),
    Reduced(
        "arcadedb",
        "order of durations",
        "UNWIND [duration('P31D'), duration('P1M')] AS x RETURN x AS v ORDER BY x",
        [(Duration(1, 0, 0, 0),), (Duration(0, 31, 0, 0),)],
    ),
    Reduced("arcadedb", "comparison of durations", "RETURN duration('P1M') < duration('P31D') AS v", [(None,)]),
    Reduced(
        "arcadedb",
        "comparison of temporal types",
        "RETURN localdatetime('2020-01-01T00:00') < datetime('2020-01-01T00:00Z') AS v",
        [(None,)],
    ),
    Reduced("arcadedb", "comparison with NaN in lists", "RETURN [0.0 / 0.0] < [1.0] AS v", [(None,)]),
    Reduced(
        "arcadedb",
        "time between zones",
        "RETURN duration.between(date('2020-01-31'), datetime('2020-03-01T00:00+01:00')) AS v",
        [(Duration(1, 1, 0, 0),)],
    ),
    Reduced("arcadedb", "rounding with a precision", "RETURN round(-2.5, 0) AS v", [(-2.0,)]),
    Reduced("arcadedb", "float by an integer", "UNWIND [0] AS x RETURN 1.0 / x AS v", None),
    Reduced("arcadedb", "extreme of a list", "RETURN coll.max([0, null]) AS v", [(None,)]),
    Reduced("arcadedb", "coth", "RETURN coth(0) AS v", [(math.nan,)]),
    Reduced("arcadedb", "quarterDay", "RETURN date('2020-01-01').quarterDay AS v", [(1,)]),
    Reduced("arcadedb", "part that is missing", "RETURN date('2020-01-01').foo AS v", None),
    Reduced(
        "arcadedb",
        "epoch and nanoseconds",
        "RETURN datetime({epochMillis: 1500, nanosecond: 7}).nanosecond AS v",
        [(7,)],
    ),
    Reduced("arcadedb", "points", "RETURN point({longitude: 200, latitude: 50}).x AS v", [(-160.0,)]),
    Reduced("arcadedb", "unusual text of a number", "RETURN toInteger('0x1F') AS v", [(31,)]),
    Reduced("arcadedb", "index beyond 32 bits", "RETURN [1, 2, 3][4294967296] AS v", [(None,)]),
    Reduced(
        "arcadedb",
        "property map of another relationship",
        "MATCH ()-[r]->() MATCH ()-[{k: r.k}]->() RETURN 1 AS v",
        [(1,)],
        EDGE,
    ),
    Reduced(
        "arcadedb",
        "conjunction compared",
        "MATCH (n)<--(m) WHERE (true AND m.b) > n.b RETURN 1 AS v",
        [(1,)],
        "CREATE (:A {b: true})-[:R]->(:B {b: false})",
    ),
    Reduced("arcadedb", "element of a list of CASE", "RETURN [CASE WHEN true THEN [1] END][0] AS v", [([1],)]),
    Reduced(
        "arcadedb",
        "bound relationship in a subquery",
        "MATCH ()-[r:R]->() WITH [()-[r]->() | 1] AS v RETURN v",
        [([1],)],
        "CREATE (a:A)-[:R]->(a), (a)-[:S]->(a)",
    ),
    Reduced(
        "arcadedb", "pattern in a quantifier", "MATCH () WHERE none(x IN null WHERE ()--()) RETURN 1 AS v", [], LOOP
    ),
    Reduced(
        "arcadedb",
        "undirected group",
        "MATCH ()(()--(g)){0,1}() RETURN size(g) AS v ORDER BY v",
        [(0,), (1,)],
        LOOP,
    ),
    Reduced(
        "arcadedb",
        "variable with a dot",
        "MATCH (n) WITH n AS `x.y` RETURN `x.y`.i AS v",
        [(0,)],
        "CREATE (:A {i: 0})",
    ),
    # ---------------------------------------------------------------- KGLite 0.21
    Reduced(
        "kglite",
        "count of an undirected path",
        "MATCH (a)--(b)<--(c) RETURN count(*) AS v",
        [(2,)],
        "CREATE (:A)-[:R]->(:A)<-[:R]-(:A)",
    ),
    Reduced("kglite", "element with NaN", "MATCH (n) WHERE n = n RETURN 1 AS v", [(1,)], "CREATE (:A {f: 0.0 / 0.0})"),
    Reduced("kglite", "boolean of a number", "RETURN toBoolean(1) AS v", [(True,)]),
    Reduced("kglite", "not a finite number", "RETURN 1.0 / 0.0 AS v", [(math.inf,)]),
    Reduced(
        "kglite",
        "open repetition",
        "MATCH (a {i: 0})-[*]->(b {i: 11}) RETURN count(*) AS v",
        [(1,)],
        "CREATE " + ", ".join(f"(n{i}:A {{i: {i}}})" for i in range(12)) + ", "
        + ", ".join(f"(n{i})-[:R]->(n{i + 1})" for i in range(11)),
    ),
    Reduced(
        "kglite",
        "repetition from a bare node",
        "MATCH ()-[r*2]->(:B) RETURN [x IN r | x.k] AS v",
        [([0, 1],)],
        "CREATE (:A)-[:R {k: 0}]->(:A)-[:R {k: 1}]->(:B)",
    ),
    Reduced(
        "kglite",
        "variable in a property map",
        "MATCH (a:A)-->(b {i: a.i + 1}) RETURN b.i AS v",
        [(1,)],
        EDGE,
    ),
    Reduced("kglite", "reserved property", "MATCH (n:A) RETURN n.type AS v", [(None,)], EDGE),
    Reduced("kglite", "all properties", "MATCH (n:A) RETURN size(keys(n)) AS v", [(2,)], EDGE),
    Reduced(
        "kglite",
        "temporal function",
        "RETURN date('2020-01-01') + duration('PT25H') AS v",
        [(Date.parse("2020-01-02"),)],
    ),
    Reduced(
        "kglite",
        "nanoseconds",
        "RETURN localtime('10:11:12.123456789') AS v",
        [(LocalTime.parse("10:11:12.123456789"),)],
    ),
    Reduced(
        "kglite",
        "condition on a shortest path",
        "MATCH (a {i: 0}), (b {i: 1}) MATCH p = shortestPath((a)-[*..3]-(b)) WHERE length(p) > 1 RETURN length(p) AS v",
        [(2,)],
        CHAIN,
    ),
    Reduced("kglite", "relationship matched twice", "MATCH (a)-[r]->(b)-[r]->(c) RETURN r.k AS v", [], CHAIN),
    Reduced("kglite", "list and null", "RETURN [1] + null AS v", [(None,)]),
    Reduced("kglite", "projection of a relationship", "MATCH ()-[r]->() RETURN r {.w} AS v", [({"w": 2},)], EDGE),
    Reduced("kglite", "sum of durations", "RETURN sum(duration('P1M')) AS v", [(Duration(1, 0, 0, 0),)]),
    Reduced("kglite", "deviation", "RETURN stDev(1) AS v", [(0.0,)]),
    Reduced("kglite", "integer of a large float", "RETURN toInteger(1e30) AS v", [(9223372036854775807,)]),
    Reduced("kglite", "distinct numbers", "UNWIND [1, 1.0] AS x RETURN count(DISTINCT x) AS v", [(1,)]),
    Reduced("kglite", "rounding", "RETURN round(-2.5) AS v", [(-2.0,)]),
    Reduced("kglite", "float as text", "RETURN toString(1e21) AS v", [("1.0E21",)]),
    Reduced("kglite", "time as text", "RETURN toString(localtime('10:00')) AS v", [("10:00:00",)]),
    Reduced("kglite", "unusual text of a number", "RETURN toInteger(' 1 ') AS v", [(1,)]),
    Reduced("kglite", "negative length", "RETURN left('abc', -1) AS v", None),
    Reduced("kglite", "several separators", "RETURN split('a1b2', ['1', '2']) AS v", [(["a", "b", ""],)]),
    Reduced("kglite", "regular expression without case", "RETURN 'É' =~ '(?i)é' AS v", [(False,)]),
    Reduced("kglite", "argument of another type", "UNWIND [[1]] AS x RETURN toInteger(x) AS v", None),
    Reduced("kglite", "reverse of another type", "UNWIND [1] AS x RETURN reverse(x) AS v", None),
    Reduced(
        "kglite",
        "order of maps",
        "UNWIND [{a: 1, b: 1}, {a: 2}] AS x RETURN x AS v ORDER BY x",
        [({"a": 2},), ({"a": 1, "b": 1},)],
    ),
    Reduced(
        "kglite",
        "order of durations",
        "UNWIND [duration('P31D'), duration('P1M')] AS x RETURN x AS v ORDER BY x",
        [(Duration(1, 0, 0, 0),), (Duration(0, 31, 0, 0),)],
    ),
    Reduced("kglite", "comparison of durations", "RETURN duration('P1D') <= duration('P1D') AS v", [(True,)]),
    Reduced("kglite", "comparison of temporal types", "RETURN date('2020-01-01') = '2020-01-01' AS v", [(False,)]),
    Reduced(
        "kglite",
        "equality of zoned times",
        "RETURN datetime('2020-01-01T10:00Z') = datetime('2020-01-01T11:00+01:00') AS v",
        [(False,)],
    ),
    Reduced(
        "kglite",
        "type of a list",
        "RETURN valueType(['a', 1]) AS v",
        [("LIST<STRING NOT NULL | INTEGER NOT NULL> NOT NULL",)],
    ),
    # ---------------------------------------------------------------- Grafeo 0.6 (Python 3.12)
    Reduced("grafeo", "null in a property map", "MATCH (n {y: null}) RETURN n.i AS v", [], EDGE),
    Reduced("grafeo", "sum", "MATCH (n:X) RETURN sum(n.i) AS v", [(0,)]),
    Reduced("grafeo", "float as text", "RETURN toString(2.0) AS v", [("2.0",)]),
    Reduced("grafeo", "comparison of lists", "RETURN [1] > [] AS v", [(True,)]),
    Reduced("grafeo", "element in coalesce or CASE", "MATCH (n:A) RETURN [coalesce(null, n)][0].i AS v", [(0,)], EDGE),
    Reduced("grafeo", "MATCH of a null node", "OPTIONAL MATCH (n:X) MATCH (n) RETURN 1 AS v", []),
    Reduced("grafeo", "discrete percentile of integers", "RETURN percentileDisc(1, 1.0) AS v", [(1,)]),
    Reduced("grafeo", "rounding of integers", "RETURN floor(2) AS v", [(2.0,)]),
    Reduced("grafeo", "quantifier", "RETURN any(x IN [null] WHERE x > 0) AS v", [(None,)]),
    Reduced("grafeo", "comparison of literals of two types", "RETURN '1' > 0 AS v", [(None,)]),
    Reduced("grafeo", "IN of a comprehension", "RETURN null IN [x IN [] | x] AS v", [(False,)]),
    Reduced(
        "grafeo",
        "subquery in OPTIONAL MATCH",
        "MATCH (a:B) OPTIONAL MATCH (b:A) WHERE EXISTS { (a)-->() } RETURN b.i AS v",
        [(None,)],
        EDGE,
    ),
    Reduced("grafeo", "projection of a null element", "OPTIONAL MATCH (n:X) RETURN n {.i} AS v", [(None,)], EDGE),
    Reduced("grafeo", "remainder of floats", "RETURN 2.5 % 0.0 AS v", [(math.nan,)]),
    Reduced("grafeo", "slice from the end", "RETURN [1, 2, 3][1..-1] AS v", [([2],)]),
    Reduced(
        "grafeo",
        "temporal function",
        "RETURN date.truncate('month', date('2020-02-03')) AS v",
        [(Date.parse("2020-02-01"),)],
    ),
    Reduced(
        "grafeo",
        "nanoseconds",
        "RETURN localtime('10:11:12.123456789') AS v",
        [(LocalTime.parse("10:11:12.123456789"),)],
    ),
    # ---------------------------------------------------------------- Ladybug 0.22
    Reduced("ladybug", "several edges in a MATCH", "MATCH (a)-[r]->(b)<-[s]-(c) RETURN count(*) AS v", [(0,)], EDGE),
    Reduced("ladybug", "several labels of one node", "MATCH (n:A:B) RETURN count(*) AS v", [(0,)], EDGE),
    Reduced("ladybug", "repetition", "MATCH (a)-[*2..2]-(b) RETURN count(*) AS v", [(0,)], EDGE),
    Reduced("ladybug", "element of a list", "RETURN [1, 2, 3][1] AS v", [(2,)]),
    Reduced("ladybug", "function on elements", "MATCH (n:A) RETURN labels(n) AS v", [(["A"],)], EDGE),
    Reduced("ladybug", "temporal function", "RETURN date('2020-01-01').dayOfWeek AS v", [(3,)]),
    Reduced("ladybug", "list of several types", "RETURN [1, 'a'] AS v", [([1, "a"],)]),
    Reduced("ladybug", "float by an integer", "UNWIND [0] AS x RETURN 1.0 / x AS v", None),
)  # fmt: skip
