"""GQL in Cypher: each construct as text in, text out; each refusal with its code.

That the texts have the rows of the queries is for `tests/engines/test_gql_to_cypher_rows.py` to say.
"""

from __future__ import annotations

from itertools import product

import pytest

import graphir
from graphir import Schema
from graphir.backends.cypher.core.folding import folded
from graphir.backends.cypher.core.functions import RULES
from graphir.backends.cypher.core.patterns_of_text import like, searched
from graphir.backends.cypher.core.templates import ROWS, TEMPLATES
from graphir.backends.cypher.core.terms import bound_names, parsed
from graphir.backends.cypher.printer import print_query
from graphir.diagnostics import Unsupported
from graphir.functions import FUNCTIONS
from graphir.gql_functions import GQL_FUNCTIONS
from graphir.ir import Ref, walk
from graphir.schema import DataType, EdgeType, NodeType, PropertyType

GOOGLE, ISO = "gql-spanner", "gql-iso"
KINDS = {"i": "INTEGER", "f": "FLOAT", "s": "STRING", "d": "DATE", "b": "BOOLEAN"}
PROPERTIES = tuple([PropertyType(name, DataType(kind)) for name, kind in KINDS.items()])
SCHEMA = Schema(
    (NodeType(("A",), PROPERTIES), NodeType(("B",), PROPERTIES)), (EdgeType("R", ("A",), ("B",), PROPERTIES),)
)


def translated(text: str, write: str = "neo4j-25", read: str = GOOGLE, schema: Schema | None = None) -> str:
    """The text in Cypher, on one line; it parses there."""
    full = text if read == ISO else f"GRAPH g {text}"
    found = graphir.translate(full, read=read, write=write, schema=schema)
    assert graphir.parse(found, write) is not None
    return " ".join(found.split())


CLAUSES: list[tuple[str, str]] = [
    # Match modes: nothing is said where edges cannot meet.
    ("MATCH (a)-[e]->(b) RETURN a.x", "MATCH (a)-[e]->(b) RETURN a.x AS x"),
    ("MATCH (a)-[:R]->(b)-[:S]->(c) RETURN a.x", "MATCH (a)-[:R]->(b)-[:S]->(c) RETURN a.x AS x"),
    ("MATCH (a)-[:R]->(b)-[:R|S]->(c) RETURN a.x",
     "MATCH REPEATABLE ELEMENTS (a)-[:R]->(b)-[:R|S]->(c) RETURN a.x AS x"),
    ("MATCH (a)-[e:R]->{1,3}(b) RETURN b.x", "MATCH REPEATABLE ELEMENTS (a)-[e:R]->{1,3}(b) RETURN b.x AS x"),
    ("MATCH TRAIL (a)-[e:R]->{1,3}(b) RETURN b.x", "MATCH (a)-[e:R]->{1,3}(b) RETURN b.x AS x"),
    ("MATCH ACYCLIC (a)-[e:R]->{1,3}(b) RETURN b.x", "MATCH ACYCLIC (a)-[e:R]->{1,3}(b) RETURN b.x AS x"),
    ("MATCH SIMPLE (a)-[:R]->(b)-[:R]->(c)-[:R]->(d) RETURN d.x",
     "MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(d) WHERE a <> b AND a <> c AND b <> c AND b <> d AND c <> d "
     "RETURN d.x AS x"),
    ("MATCH TRAIL (a)-[:R]->(b)-[:R]->(c), (c)-[:R]->(d) RETURN d.x",
     "MATCH (c)-[:R]->(d) MATCH (a)-[:R]->(b)-[:R]->(c) RETURN d.x AS x"),
    ("MATCH ANY SHORTEST (a)-[:R]->{1,5}(b) RETURN b.x", "MATCH ANY SHORTEST (a)-[:R]->{1,5}(b) RETURN b.x AS x"),
    ("MATCH ANY SHORTEST (a)-[:R]-{1,5}(b) RETURN b.x",
     "MATCH REPEATABLE ELEMENTS ANY SHORTEST (a)-[:R]-{1,5}(b) RETURN b.x AS x"),
    ("OPTIONAL MATCH TRAIL (a)-[]->{1,2}(b), TRAIL (b)-[]->{1,2}(c) RETURN a.x",
     "OPTIONAL CALL () { MATCH (a)-->{1,2}(b) MATCH (b)-->{1,2}(c) RETURN a, b } RETURN a.x AS x"),
    # Paths as chains.
    ("MATCH (a)((b)-[e:R]->(c)){1,2}-[f:S]->(d) RETURN d.x",
     "MATCH REPEATABLE ELEMENTS (a)((b)-[e:R]->(c)){1,2}()-[f:S]->(d) RETURN d.x AS x"),
    ("MATCH (a)((b)-[e:R]->(c)) RETURN a.x, b.y", "MATCH (a)-[e:R]->(c) LET b = a RETURN a.x AS x, b.y AS y"),
    ("MATCH -[e:R]-> RETURN e.x", "MATCH ()-[e:R]->() RETURN e.x AS x"),
    # Clauses.
    ("MATCH (a) LET y = a.x FILTER y > 1 RETURN y", "MATCH (a) LET y = a.x FILTER y > 1 RETURN y"),
    ("FOR x IN [1, 2] RETURN x", "UNWIND [1, 2] AS x RETURN x"),
    ("MATCH (a) FOR x IN a.l WITH OFFSET AS o RETURN x, o",
     "MATCH (a) UNWIND range(0, coalesce(size(a.l), 0) - 1) AS o LET x = a.l[o] RETURN x, o"),
    ("MATCH (a) RETURN a.x NEXT RETURN x + 1 AS y", "MATCH (a) RETURN a.x AS x NEXT RETURN x + 1 AS y"),
    ("MATCH (a) RETURN a.x ORDER BY x", "MATCH (a) RETURN a.x AS x ORDER BY x IS NOT NULL, x"),
    ("MATCH (a) RETURN a.x ORDER BY a.y DESC LIMIT 2",
     "MATCH (a) RETURN a.x AS x ORDER BY a.y IS NULL, a.y DESC LIMIT 2"),
    ("MATCH (a) RETURN COUNT(*) AS n GROUP BY a.x", "MATCH (a) WITH a.x AS k1, count(*) AS n RETURN n"),
    ("MATCH (a) RETURN a.x, SUM(a.y) AS s",
     "MATCH (a) RETURN a.x AS x, CASE WHEN count(a.y) > 0 THEN sum(a.y) END AS s"),
    ("MATCH (a) RETURN a.x, IFNULL(SUM(a.y), 0) AS s", "MATCH (a) RETURN a.x AS x, sum(a.y) AS s"),
    ("MATCH (a) RETURN IFNULL(ARRAY_AGG(a.y IGNORE NULLS), []) AS l", "MATCH (a) RETURN collect(a.y) AS l"),
    ("MATCH (a) RETURN ARRAY_AGG(a.y) AS l",
     "MATCH (a) RETURN CASE WHEN count(*) > 0 THEN [x1 IN collect([a.y]) | x1[0]] END AS l"),
    ("MATCH (a) RETURN STRING_AGG(a.s, '-' ORDER BY a.x) AS l",
     "MATCH (a) ORDER BY a.x IS NOT NULL, a.x "
     "RETURN reduce(t1 = head(collect(a.s)), x1 IN tail(collect(a.s)) | t1 + '-' + x1) AS l"),
    ("MATCH (a) RETURN a.x UNION DISTINCT MATCH (b) RETURN b.x",
     "MATCH (a) RETURN a.x AS x UNION MATCH (b) RETURN b.x AS x"),
    ("MATCH (a) RETURN a.x INTERSECT DISTINCT MATCH (b) RETURN b.x",
     "CALL () { MATCH (a) RETURN a.x AS x, 0 AS side1 UNION ALL MATCH (b) RETURN b.x AS x, 1 AS side1 } "
     "WITH x, count(CASE WHEN side1 = 0 THEN 1 END) AS there1, count(CASE WHEN side1 = 1 THEN 1 END) AS gone1 "
     "WHERE there1 > 0 AND gone1 > 0 RETURN x"),
    # Subqueries.
    ("MATCH (a) FILTER EXISTS { MATCH (b)-[]->() WHERE b = a } RETURN a.x",
     "MATCH (a) FILTER EXISTS { (b)-->() WHERE b = a } RETURN a.x AS x"),
    ("MATCH (a) RETURN VALUE { MATCH (b) RETURN COUNT(*) AS n } AS n", "MATCH (a) RETURN COUNT { (b) } AS n"),
    ("MATCH (a) RETURN VALUE { MATCH (b) RETURN MAX(b.x) AS n } AS n",
     "MATCH (a) RETURN head(COLLECT { MATCH (b) RETURN max(b.x) AS n }) AS n"),
    ("MATCH (a) RETURN VALUE { MATCH (b) RETURN b.x } AS n",
     "MATCH (a) RETURN head([rows1 IN [COLLECT { MATCH (b) RETURN b.x AS x }] | "
     "CASE WHEN size(rows1) > 1 THEN 1 / 0 ELSE head(rows1) END]) AS n"),
    ("MATCH (a) RETURN ARRAY { MATCH (b) RETURN b.x } AS l",
     "MATCH (a) RETURN COLLECT { MATCH (b) RETURN b.x AS x } AS l"),
    ("MATCH (a) FILTER a.x IN { MATCH (b) RETURN b.x } RETURN a.x",
     "MATCH (a) FILTER a.x IN COLLECT { MATCH (b) RETURN b.x AS x } RETURN a.x AS x"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), CLAUSES, ids=[text for text, _ in CLAUSES])
def test_clause(text: str, wanted: str) -> None:
    assert translated(text) == wanted


OLDER: list[tuple[str, str, str]] = [
    ("neo4j-5", "MATCH (n) RETURN n.x AS c NEXT FILTER EXISTS { MATCH (n)-[]->() } RETURN c",
     "MATCH (n) WITH n.x AS c WITH * WHERE EXISTS { (n)-->() } RETURN c"),
    ("neo4j-5", "MATCH (a)-[e:R]->{0,1}(b) RETURN ARRAY_LENGTH(e) AS n, b.x",
     "MATCH (a)-[e:R]->{0,1}(b) RETURN size(e) AS n, b.x AS x"),
    ("neo4j-5", "MATCH (a)-[e:R]->{0,2}(b) RETURN ARRAY_LENGTH(e) AS n, b.x",
     "CALL () { MATCH (a) RETURN [] AS e, a AS b UNION ALL MATCH (a)-[e1:R]->(b) RETURN [e1] AS e, b UNION ALL "
     "MATCH (a)-[e2:R]->(n1) MATCH (n1)-[e3:R]->(b) RETURN [e2, e3] AS e, b } RETURN size(e) AS n, b.x AS x"),
    ("neo4j-5", "MATCH (a)((x)-[e:R]->(y) WHERE x.i < y.i){1,2}(b) RETURN ARRAY_LENGTH(x) AS n, b.x",
     "CALL () { MATCH (a)-[:R]->(b) WHERE a.i < b.i RETURN [a] AS x, [b] AS y, b UNION ALL MATCH (a)-[:R]->(e7) "
     "MATCH (e7)-[:R]->(b) WHERE a.i < e7.i AND e7.i < b.i RETURN [a, e7] AS x, [e7, b] AS y, b } "
     "RETURN size(x) AS n, b.x AS x"),
    ("neo4j-5", "MATCH (a) RETURN a.x NEXT MATCH (b) RETURN b.y UNION ALL MATCH (c) WHERE c.z = x RETURN c.y",
     "MATCH (a) WITH a.x AS x WITH collect({c0: x}) AS rows1 CALL (rows1) { UNWIND rows1 AS row1 "
     "WITH row1.c0 AS x MATCH (b) RETURN b.y AS y UNION ALL UNWIND rows1 AS row1 WITH row1.c0 AS x "
     "MATCH (c) WHERE c.z = x RETURN c.y AS y } RETURN y"),
    ("neo4j-5", "MATCH (a)-[:R]->(b)-[:R]->(c) RETURN a.x",
     "MATCH (a)-[:R]->(b) MATCH (b)-[:R]->(c) RETURN a.x AS x"),
    ("neo4j-5", "MATCH (a)-[e:R]->{1,2}(b) RETURN ARRAY_LENGTH(e) AS n",
     "CALL () { MATCH (a)-[e1:R]->(b) RETURN [e1] AS e UNION ALL MATCH (a)-[e2:R]->(n1) MATCH (n1)-[e3:R]->(b) "
     "RETURN [e2, e3] AS e } RETURN size(e) AS n"),
    ("neo4j-5", "MATCH p = ACYCLIC (a)-[:R]->{1,2}(b) RETURN PATH_LENGTH(p) AS n",
     "MATCH p = (a)-[:R]->{1,2}(b) WHERE all(x1 IN nodes(p) WHERE single(y1 IN nodes(p) WHERE x1 = y1)) "
     "RETURN length(p) AS n"),
    ("neo4j-5", "MATCH (a) RETURN a.x NEXT RETURN x + 1 AS y", "MATCH (a) WITH a.x AS x RETURN x + 1 AS y"),
    ("opencypher-9", "MATCH (a) LET y = a.x FILTER y > 1 RETURN y", "MATCH (a) WITH *, a.x AS y WHERE y > 1 RETURN y"),
    ("opencypher-9", "MATCH TRAIL (a)-[e:R]->{1,3}(b) RETURN b.x", "MATCH (a)-[e:R*1..3]->(b) RETURN b.x AS x"),
]  # fmt: skip


@pytest.mark.parametrize(("write", "text", "wanted"), OLDER, ids=[f"{write}: {text}" for write, text, _ in OLDER])
def test_older_dialect(write: str, text: str, wanted: str) -> None:
    assert translated(text, write) == wanted


VALUES: list[tuple[str, str]] = [
    ("a.i / 2", "toFloat(a.i) / 2"),
    ("a.f / 2", "a.f / 2"),
    ("a.i / a.f", "CASE WHEN a.f = 0 THEN toInteger(a.i) / 0 ELSE toFloat(a.i) / a.f END"),
    ("DIV(a.i, 2)", "a.i / 2"),
    ("MOD(a.i, 2)", "a.i % 2"),
    ("SAFE_DIVIDE(a.i, 2)", "toFloat(a.i) / CASE WHEN 2 <> 0 THEN 2 END"),
    ("ROUND(a.f)", "round(a.f, 0, 'HALF_UP')"),
    ("SIGN(a.i)", "sign(a.i)"),
    ("SUBSTR(a.s, 2, 3)", "substring(a.s, 1, 3)"),
    ("SUBSTR(a.s, -2)", "right(a.s, 2)"),
    ("a.s LIKE 'x%'", "a.s STARTS WITH 'x'"),
    ("a.s NOT LIKE '_x'", "NOT a.s =~ '[\\\\s\\\\S]x'"),
    ("a.s || 'x'", "a.s || 'x'"),
    ("a.i IN UNNEST([1, 2])", "a.i IN [1, 2]"),
    ("a.i IS NOT DISTINCT FROM 1", "NOT NOT coalesce(a.i = 1, false)"),
    ("CAST(a.i AS STRING)", "toString(a.i)"),
    ("CAST(a.b AS INT64)", "CASE a.b WHEN true THEN 1 WHEN false THEN 0 END"),
    ("DATE '2020-01-05'", "date('2020-01-05')"),
    ("TIMESTAMP '2020-01-05 10:00:00+02'", "datetime('2020-01-05T08:00:00Z')"),
    ("DATE_ADD(a.d, INTERVAL 2 DAY)", "a.d + duration({days: 2})"),
    ("EXTRACT(DAYOFWEEK FROM a.d)", "a.d.dayOfWeek % 7 + 1"),
    ("DATE_DIFF(a.d, a.d, YEAR)", "a.d.year - a.d.year"),
    ("[a.i, 2][SAFE_OFFSET(0)]", "[a.i, 2][0]"),
    ("DIV(a.i, a.i)", "CASE WHEN a.i = -1 THEN -a.i ELSE a.i / a.i END"),
    ("DIV(a.i, 0)", "a.i / 0"),
    ("SAFE.DIV(a.i, a.i)", "CASE WHEN a.i = -1 THEN -a.i ELSE a.i / CASE WHEN a.i <> 0 THEN a.i END END"),
    ("LABELS(a)", "COLLECT { UNWIND labels(a) AS l1 RETURN l1 ORDER BY toLower(l1) }"),
    ("a.d = '2020-01-05'", "a.d = date('2020-01-05')"),
    ("STRUCT(a.i AS x, a.s AS y)", "{x: a.i, y: a.s}"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "wanted"), VALUES, ids=[value for value, _ in VALUES])
def test_value(value: str, wanted: str) -> None:
    assert translated(f"MATCH (a:A) RETURN {value} AS v", schema=SCHEMA) == f"MATCH (a:A) RETURN {wanted} AS v"


REFUSED: list[tuple[str, str, str]] = [
    ("neo4j-25", "MATCH (a) RETURN SIGN(a.x) AS v", "G535"),
    ("neo4j-25", "MATCH (a) RETURN CAST(a.x AS STRING) AS v", "G535"),
    ("neo4j-25", "MATCH (a) RETURN EXTRACT(HOUR FROM a.x) AS v", "G535"),
    ("neo4j-25", "MATCH (a) RETURN TIMESTAMP '2020-01-01 00:00:00' AS v", "G535"),
    ("neo4j-25", "MATCH (a) RETURN CAST(a.x AS NUMERIC) AS v", "G590"),
    ("neo4j-25", "MATCH (a) RETURN STRUCT(a.x) AS v", "G590"),
    ("neo4j-25", "MATCH (a) RETURN TO_JSON(a) AS v", "G502"),
    ("neo4j-25", "MATCH (a) RETURN DATE '2020-13-45' AS v", "G502"),
    ("neo4j-25", "MATCH (a) RETURN TIMESTAMP '2020-02-30 10:00:00Z' AS v", "G502"),
    ("neo4j-25", "MATCH (a) RETURN TIMESTAMP '2020-02-03 25:00:00Z' AS v", "G502"),
    ("neo4j-25", "MATCH (a) RETURN TIMESTAMP '2020-02-03 10:75:00Z' AS v", "G502"),
    ("neo4j-25", "MATCH (a) RETURN TIMESTAMP '2020-02-03 10:00:00+01:75' AS v", "G502"),
    ("neo4j-25", "MATCH (a) RETURN TIMESTAMP '0001-01-01 00:00:00+01' AS v", "G502"),
    ("neo4j-25", "MATCH (a) FILTER REGEXP_CONTAINS(a.s, r'(?i)x') RETURN a.s", "G502"),
    ("neo4j-25", "MATCH (a) RETURN ANY_VALUE(a.x HAVING MAX a.y) AS v", "G506"),
    ("neo4j-5", "MATCH p = (a)-[:R]->{1,2}(b) RETURN PATH_LENGTH(p) AS n", "G503"),
    ("neo4j-5", "MATCH (a)-[:R]->{1,12}(b) RETURN b.x", "G503"),
    ("neo4j-5", "MATCH ANY SHORTEST (a)-[:R]-{1,2}(b) RETURN b.x", "G503"),
    ("opencypher-9", "MATCH (a)-[:R]->{1,2}(b) RETURN b.x", "G503"),
]  # fmt: skip


@pytest.mark.parametrize(("write", "text", "code"), REFUSED, ids=[f"{write}: {text}" for write, text, _ in REFUSED])
def test_refusal(write: str, text: str, code: str) -> None:
    with pytest.raises(Unsupported) as caught:
        translated(text, write, "gql-bigquery" if "HAVING" in text or "TO_JSON" in text else GOOGLE)
    found = caught.value.diagnostics[0]
    assert found.code == code
    assert caught.value.target == write
    assert found.start is not None


def test_writes_of_iso() -> None:
    text = "MATCH (a:A) INSERT (a)-[:R {x: 1}]->(b:B&C) SET a.y = 2 REMOVE a.z RETURN b.x AS x"
    wanted = "MATCH (a:A) CREATE (a)-[:R {x: 1}]->(b:B:C) SET a.y = 2 REMOVE a.z RETURN b.x AS x"
    assert translated(text, "neo4j-25", ISO) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("MATCH DIFFERENT EDGES (a)-[e]->(b)-[f]->(c) RETURN c.x AS x", "MATCH (a)-[e]->(b)-[f]->(c) RETURN c.x AS x"),
        (
            "MATCH DIFFERENT EDGES ANY SHORTEST ACYCLIC (a)-[e]->+(b) RETURN b.x AS x",
            "MATCH ANY SHORTEST ACYCLIC (a)-[e]->+(b) RETURN b.x AS x",
        ),
        (
            "MATCH DIFFERENT EDGES ANY SHORTEST SIMPLE (a)-[e]->+(b) RETURN b.x AS x",
            "MATCH ANY SHORTEST (p1 = (a)-[e]->+(b) WHERE all(x1 IN tail(nodes(p1)) WHERE single(y1 IN tail(nodes(p1)) "
            "WHERE x1 = y1)) AND none(x1 IN nodes(p1)[1..-1] WHERE x1 = head(nodes(p1)))) RETURN b.x AS x",
        ),
    ],
)
def test_different_edges(text: str, wanted: str) -> None:
    assert translated(text, "neo4j-25", ISO) == wanted


def test_an_edge_has_one_label() -> None:
    with pytest.raises(Unsupported) as caught:
        translated("MATCH (a:A) INSERT (a)-[:R&S]->(b:B)", "neo4j-25", ISO)
    assert caught.value.diagnostics[0].code == "G501"


def test_commands_stay_where_they_are() -> None:
    with pytest.raises(graphir.GraphirError):
        translated("SESSION CLOSE", "neo4j-25", ISO)


# ------------------------------------------------------------------ tables


def test_every_template_is_an_expression_of_its_letters() -> None:
    for (name, count), (letters, text) in TEMPLATES.items():
        assert len(letters) == count
        bound = {name for part in walk(parsed(text)) for name in bound_names(part)}
        read = {part.name for part in walk(parsed(text)) if isinstance(part, Ref)}
        assert read - bound <= set(letters) - bound, name
        assert bound.isdisjoint(letters), name


def test_no_template_hides_another() -> None:
    heads = [line.partition(" = ")[0].split() for line in ROWS]
    assert len({(name, len(letters)) for name, *letters in heads}) == len(heads) == len(TEMPLATES)


def test_every_template_and_rule_is_of_a_function() -> None:
    known = {*FUNCTIONS, *GQL_FUNCTIONS, "array_agg_ignoring"}
    assert {name for name, _ in TEMPLATES} - known == set()
    assert {name.removeprefix("safe.") for name in RULES} - known == set()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("CASE WHEN 1 IS NULL THEN 2 ELSE x END", "x"),
        ("CASE WHEN x = 1 AND 'a' IS NOT NULL THEN 2 END", "CASE WHEN x = 1 THEN 2 END"),
        ("CASE WHEN 'a' = 'b' THEN 1 WHEN true THEN 2 ELSE 3 END", "2"),
        ("x = 1 OR null IS NULL", "x = 1 OR null IS NULL"),
        ("NOT ('a' = 'a')", "false"),
    ],
)
def test_what_literals_decide(text: str, wanted: str) -> None:
    assert print_query(graphir.parse(f"RETURN {wanted} AS v")) == print_of(folded(parsed(text)))


def print_of(node: graphir.ir.Expression) -> str:
    item = graphir.ir.Item(node, "v")
    return print_query(graphir.ir.Query(graphir.ir.Pipeline((graphir.ir.Project((item,), final=True),))))


TEXTS = ["", "a", "b", "ab", "ba", "aab", "a\nb", "a.b", "x"]


@pytest.mark.parametrize("pattern", ["a%", "%b", "%a%", "_", "a_", "%a_b%", "a\\%", ""])
def test_like(pattern: str) -> None:
    import fnmatch
    import re

    found = like(pattern)
    assert found is not None
    glob = "".join({"%": "*", "_": "?"}.get(each, each) for each in pattern.replace("\\%", "[%]"))
    glob = glob.replace("[*]", "[%]")
    tests = {
        "eq": lambda text, part: text == part,
        "starts_with": str.startswith,
        "ends_with": str.endswith,
        "contains": str.__contains__,
        "matches": lambda text, part: re.fullmatch(part, text) is not None,
    }
    for text in [*TEXTS, "a%"]:
        assert tests[found[0]](text, found[1]) == fnmatch.fnmatchcase(text, glob), text


@pytest.mark.parametrize(
    "pattern", ["a", "^a", "b$", "^a.?$", "[ab]+", "^(a|b)$", "x*", "a|b", "\\.", "^a{2}b", "(?:ab)+$"]
)
def test_search(pattern: str) -> None:
    import re

    found = searched(pattern)
    assert found is not None
    for text in TEXTS:
        python = re.sub(r"\$$", r"\\Z", pattern)
        assert (re.fullmatch(found, text) is not None) == (re.search(python, text) is not None), text


def test_search_of_what_cypher_asks() -> None:
    """What Cypher's `=~` is written as in GQL comes back as a match of the whole text."""
    text = graphir.translate("MATCH (n) WHERE n.s =~ 'a.|[b-c]' RETURN n.s AS s", write=GOOGLE)
    back = graphir.translate(text, read=GOOGLE, write="neo4j-25")
    assert " =~ '(?:a[^" in back


@pytest.mark.parametrize("pattern", ["(?i)a", "a**", "(a", "\\pL", "\\bа", "[[:alpha:]]", "^a|b", "a(?=b)", "[a&&b]"])
def test_search_that_may_differ(pattern: str) -> None:
    assert searched(pattern) is None


def test_dialects_agree_on_plain_queries() -> None:
    texts = ["MATCH (a:A)-[e:R]->(b) WHERE a.x > 1 RETURN a.x AS x, b.y AS y", "MATCH (a) RETURN COUNT(*) AS n"]
    for text, write in product(texts, ("neo4j-5", "neo4j-25", "opencypher-9")):
        assert translated(text, write, ISO) == translated(text, write)


def test_a_variable_is_no_word() -> None:
    """Of the arguments of DATE_DIFF only the last is a word."""
    text = "MATCH (a:A) LET e = a.d RETURN DATE_DIFF(e, e, YEAR) AS v"
    assert translated(text, schema=SCHEMA) == "MATCH (a:A) LET e = a.d RETURN e.year - e.year AS v"


def test_what_reads_only_its_own_variables_is_no_key() -> None:
    text = "MATCH (a) RETURN ARRAY_INCLUDES([1, 2], 1) AS c, COUNT(*) AS n"
    assert "WITH count(*) AS n RETURN" in translated(text, read="gql-bigquery")
