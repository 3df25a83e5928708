"""What the grammar lets through and Cypher does not have, and what a dialect does not have yet or any more."""

from __future__ import annotations

import pytest

from graphir.diagnostics import Diagnostic, SyntaxFault
from graphir.dialects import CONSTRUCTS, CYPHER_LEVELS
from graphir.grammar.cypher import parse


def fault(text: str, dialect: str = "neo4j-25") -> Diagnostic:
    with pytest.raises(SyntaxFault) as raised:
        parse(text, dialect)
    return raised.value.diagnostics[0]


@pytest.mark.parametrize(
    ("text", "code", "guilty"),
    [
        ("RETURN 1 != 2", "G014", "!="),
        ("RETURN foo(*)", "G001", "foo(*)"),
        ("RETURN foo(x IN xs WHERE x)", "G001", "x"),
        ("RETURN any(x WHERE x)", "G001", "x"),
        ("RETURN ltrim('x' FROM y)", "G001", "ltrim('x' FROM y)"),
        ("RETURN (a.b)(1)", "G001", "("),
        ("RETURN [1 | 2]", "G001", "1"),
        ("RETURN [a.x IN xs | 2]", "G001", "a.x IN xs"),
        ("RETURN [x WHERE x]", "G001", "x"),
        ("RETURN (a {.x})-->(b)", "G028", "a {.x}"),
        ("RETURN (a + 1)-->(b)", "G028", "(a + 1)"),
        ("RETURN ((a))-->(b)", "G028", "((a))"),
        ("RETURN (a)-->+(b)", "G028", "-->+"),
        ("RETURN shortestPath(1)", "G028", "1"),
        ("RETURN CASE WHEN > 1 THEN 2 END", "G027", "WHEN > 1 THEN 2"),
        ("RETURN CASE WHEN 1, 2 THEN 2 END", "G027", "2"),
        ("RETURN COLLECT { (n) }", "G029", "COLLECT { (n) }"),
        ("RETURN x :: FOO", "G001", "FOO"),
        ("RETURN x :: LIST", "G001", "LIST"),
        ("RETURN x :: INT8", "G001", "INT8"),
        ("RETURN x :: LIST<FLOAT32>", "G001", "FLOAT32"),
        ("RETURN x :: STRING(3)", "G001", "STRING(3)"),
        ("RETURN 1a", "G030", "1a"),
        ("RETURN 017", "G030", "017"),
        ("RETURN 0xg", "G030", "0xg"),
        ("RETURN 0X1F", "G030", "0X1F"),
        ("RETURN 1__0", "G030", "1__0"),
        ("RETURN 1.5_", "G030", "1.5_"),
        ("RETURN 5f", "G030", "5f"),
        ("RETURN " + "9" * 5000, "G030", "9" * 5000),
        ("MATCH (n)(m) RETURN n", "G028", "(m)"),
        ("MATCH (n)-->((m)-->()) RETURN n", "G028", "((m)-->())"),
        ("MATCH ((m)-->())-->(n) RETURN n", "G028", "-->"),
        ("MATCH (n)-[*2]->{3}(m) RETURN n", "G028", "{3}"),
        ("MATCH (n:A:B|C) RETURN n", "G028", "A:B"),
        ("MATCH (n:!A:B) RETURN n", "G028", "!A"),
        ("MATCH ()-[:A:B]->() RETURN 1", "G001", "A:B"),
        ("MATCH (n:A:B) WHERE n IS C RETURN n", "G028", "A:B"),
        ("MATCH SHORTEST (n)-->+(m) RETURN n", "G028", "SHORTEST"),
        ("MATCH (n) SET n.x += 2", "G001", "n.x"),
        ("MATCH (n) SET n:A|B", "G001", "A|B"),
        ("MATCH (n) SET n IS A:B", "G001", "A:B"),
        ("MATCH (n) SET n:$all(x)", "G001", "$all(x)"),
        ("MATCH (n) SET foo(n) = 1", "G001", "foo(n)"),
        ("MATCH (n) REMOVE n", "G001", "n"),
        ("MATCH (n) SET n IS A, n:B:C", "G001", "n IS A"),
        ("INSERT p = (n)", "G001", "p = (n)"),
        ("INSERT (n:A:B)", "G001", "A:B"),
        ("INSERT (n)-->(m)", "G001", "-->"),
        ("INSERT (n)-[:A|B]->(m)", "G001", "A|B"),
        ("INSERT (n $p)", "G001", "$p"),
        ("INSERT (n:A|B)", "G001", "A|B"),
        ("MATCH (n) LIMIT 1 WHERE n RETURN n", "G019", "n"),
        ("CALL a() YIELD * WHERE x", "G019", "x"),
        ("CALL { RETURN 1 AS x } IN TRANSACTIONS OF 1 ROW OF 2 ROWS RETURN 1", "G001", "OF 2 ROWS"),
    ],
)
def test_covers_are_checked(text: str, code: str, guilty: str) -> None:
    found = fault(text)
    assert (found.code, text[found.start : found.end]) == (code, guilty)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:A:B) MATCH (m:C&D) RETURN n",
        "MATCH (n:A:B)-[:R|S]->(m) RETURN n",
        "MATCH (n:A:B) WHERE n:C RETURN n:C|D",
        "MATCH (n:A|B) SET n:C:D",
        "MATCH (n:A:B) RETURN EXISTS { (n:A|B) }",
        "MATCH ()-[r]->() WHERE r:A:B RETURN r",
    ],
)
def test_label_forms_of_different_clauses_do_not_mix(text: str) -> None:
    assert parse(text, "neo4j-5") == parse(text, "neo4j-25")


NEWER = {
    "LET": "LET x = 1 RETURN x",
    "FILTER": "UNWIND [1] AS x FILTER x > 0 RETURN x",
    "FOR": "FOR x IN [1] RETURN x",
    "NEXT": "RETURN 1 AS x NEXT RETURN x",
    "conditional query": "WHEN true THEN RETURN 1 AS x",
    "query in braces": "{ RETURN 1 AS x }",
    "GROUP BY": "MATCH (n) RETURN n.x AS x GROUP BY x",
    "ALL in a projection": "RETURN ALL 1 AS x",
    "path mode": "MATCH TRAIL (a)-->+(b) RETURN a",
    "match mode": "MATCH REPEATABLE ELEMENTS (a)-->{1,2}(b) RETURN a",
    "parameter as a number of paths": "MATCH SHORTEST $k (a)-->+(b) RETURN a",
    "IS LABELED": "MATCH (n) RETURN n IS LABELED A",
    "IS NOT label": "MATCH (n) RETURN n IS NOT A",
    "reserved word after IS": "MATCH (n IS NULL) RETURN n",
    "dynamic label in a predicate": "MATCH (n) RETURN n:$('A')",
    "dynamic property of a property": "MATCH (n) SET n.x[0] = 1",
    "allReduce()": "RETURN allReduce(a = 0, x IN [1] | a + x, a < 3)",
    "vector()": "RETURN vector([1], 1, INT8)",
    "VECTOR type": "RETURN 1 :: VECTOR",
    "type of Cypher 25": "RETURN 1 :: UUID",
    "WHEN with IN, CONTAINS or labels": "RETURN CASE 'a' WHEN CONTAINS 'b' THEN 1 END",
    "SEARCH": "MATCH (n) SEARCH n IN (VECTOR INDEX i FOR $x LIMIT 3) RETURN n",
}
"""A query for each construct of Cypher 25."""


def test_every_construct_of_cypher_25_has_a_query() -> None:
    assert set(NEWER) == {name for name, construct in CONSTRUCTS.items() if construct.first == "neo4j-25"}


@pytest.mark.parametrize("name", NEWER)
def test_what_is_new_in_cypher_25_is_refused_before(name: str) -> None:
    assert parse(NEWER[name], "neo4j-25")
    for dialect in CYPHER_LEVELS[:2]:
        found = fault(NEWER[name], dialect)
        assert found.code == "G021"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MATCH (n:A&B) RETURN n", "label expression"),
        ("MATCH (n WHERE n.x) RETURN n", "WHERE in a pattern"),
        ("MATCH (a)-->{1,3}(b) RETURN a", "quantified relationship"),
        ("MATCH (a) ((x)-->(y))+ (b) RETURN a", "parenthesized path"),
        ("MATCH ANY SHORTEST (a)-[*]->(b) RETURN a", "path selector"),
        ("RETURN COUNT { (a) }", "COUNT and COLLECT subquery"),
        ("CALL { RETURN 1 AS x } RETURN x", "CALL { .. }"),
        ("MATCH (n) RETURN n.x :: INT", "type predicate"),
        ("RETURN 'a' || 'b'", "||"),
        ("INSERT (n)", "INSERT"),
        ("MATCH (n) NODETACH DELETE n", "NODETACH"),
        ("MATCH (n) FINISH", "FINISH"),
        ("MATCH (n) LIMIT 1 RETURN n", "paging clause"),
        ("RETURN CASE 1 WHEN > 0 THEN 1 END", "extended WHEN"),
    ],
)
def test_what_is_new_in_neo4j_5_is_refused_in_opencypher(text: str, name: str) -> None:
    assert CONSTRUCTS[name].first == "neo4j-5"
    assert parse(text, "neo4j-5") == parse(text, "neo4j-25")
    assert fault(text, "opencypher-9").code == "G021"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("MATCH (n {p}) RETURN n", "G017"),
        ("RETURN {p}", "G017"),
        ("MATCH (n)-[r:A|:B]->() RETURN r", "G022"),
        ("MATCH (n)-[:A|:B*2]->() RETURN n", "G022"),
        ("RETURN 1 IN [1] IN [true]", "G022"),
        ("RETURN 1 IS NULL IS NULL", "G022"),
        ("CALL db.labels() YIELD -", "G022"),
    ],
)
def test_what_was_removed_is_refused_since(text: str, code: str) -> None:
    assert parse(text, "opencypher-9")
    for dialect in CYPHER_LEVELS[1:]:
        assert fault(text, dialect).code == code


def test_the_version_of_the_text_decides() -> None:
    text = "LET x = 1 RETURN x"
    assert parse(f"CYPHER 25 {text}", "neo4j-5")
    assert fault(f"CYPHER 5 {text}", "neo4j-25").code == "G021"


def test_one_statement_is_expected() -> None:
    assert fault("RETURN 1; RETURN 2").code == "G007"
    assert fault("// nothing").code == "G008"
    assert parse("RETURN 1;") == parse("RETURN 1")


@pytest.mark.parametrize("unit", ["(", "[", "NOT ", "-", "{a: ", "CASE WHEN ", "EXISTS { MATCH (n) WHERE "])
def test_deep_nesting_is_a_fault_and_never_a_crash(unit: str) -> None:
    closing = {"(": ")", "[": "]", "{a: ": "}", "CASE WHEN ": " THEN 1 END", "EXISTS { MATCH (n) WHERE ": "}"}
    text = "RETURN " + unit * 20_000 + "1" + closing.get(unit, "") * 20_000
    assert fault(text).code == "G006"
