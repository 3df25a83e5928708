"""The layout of GQL: texts of every dialect, comments, hints, and names that are words of the language."""

from __future__ import annotations

import pytest

from graphir import ir
from graphir.backends.gqltext.format import format_text, hints
from graphir.backends.gqltext.printer import print_query
from graphir.diagnostics import SyntaxFault
from graphir.grammar import gql
from graphir.grammar.gql_lexical import comments


def formatted(text: str, dialect: str = "gql-spanner") -> str:
    """The formatted text, after the checks that it means the same, keeps what is beside it, and stays as it is."""
    out = format_text(text, dialect)
    assert [s.query for s in gql.parse_script(out, dialect)] == [s.query for s in gql.parse_script(text, dialect)]
    for find in (lambda t: comments(t, dialect), hints):
        assert [out[s.start : s.end].rstrip() for s in find(out)] == [
            text[s.start : s.end].rstrip() for s in find(text)
        ]
    assert format_text(out, dialect) == out
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graph g match(a:P)return a.x", "GRAPH g\nMATCH (a:P)\nRETURN a.x"),
        ("GRAPH g MATCH (a)->{1,3}(b) RETURN a.x", "GRAPH g\nMATCH (a)-[]->{1,3}(b)\nRETURN a.x"),
        ("GRAPH g MATCH (a)-[e]-(b)<-[f]-(c) RETURN 1 AS x", "GRAPH g\nMATCH (a)-[e]-(b)<-[f]-(c)\nRETURN 1 AS x"),
        ("GRAPH g RETURN 0x1F AS a, 1.50 AS b, r'\\d' AS c", "GRAPH g\nRETURN 0x1F AS a, 1.50 AS b, r'\\d' AS c"),
        ("GRAPH g RETURN CAST(1 AS tinyint) AS a", "GRAPH g\nRETURN CAST(1 AS TINYINT) AS a"),
        ("GRAPH g RETURN b'\\xff\\101' AS a", "GRAPH g\nRETURN b'\\xff\\101' AS a"),
        ("GRAPH g RETURN -(-1) AS a, 1 - -2 AS b", "GRAPH g\nRETURN -(-1) AS a, 1 - -2 AS b"),
        ("GRAPH g RETURN a.x IN UNNEST([1]) AS a", "GRAPH g\nRETURN a.x IN (1) AS a"),
        ("GRAPH g RETURN NOT a.x IS NULL AS a", "GRAPH g\nRETURN NOT a.x IS NULL AS a"),
        ("GRAPH g RETURN 1 AS x NEXT RETURN x", "GRAPH g\nRETURN 1 AS x\nNEXT\nRETURN x"),
        ("GRAPH g CALL PER (a) f(1) YIELD b RETURN b", "GRAPH g\nCALL PER(a) f(1) YIELD b\nRETURN b"),
        ("GRAPH g RETURN DATE '2020-01-01' AS d", "GRAPH g\nRETURN DATE '2020-01-01' AS d"),
        ("GRAPH g RETURN a.x AS x ORDER BY x DESC", "GRAPH g\nRETURN a.x AS x\nORDER BY x DESC"),
    ],
)
def test_layout_of_googlesql(text: str, expected: str) -> None:
    assert formatted(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH REPEATABLE ELEMENTS (a) RETURN a", "MATCH REPEATABLE ELEMENTS (a)\nRETURN a"),
        ("MATCH DIFFERENT EDGES (a) RETURN a", "MATCH DIFFERENT EDGES (a)\nRETURN a"),
        ("MATCH (a) RETURN a.x ORDER BY a.x NULLS LAST", "MATCH (a)\nRETURN a.x\nORDER BY a.x NULLS LAST"),
        ("MATCH (a) RETURN a.x ORDER BY a.x", "MATCH (a)\nRETURN a.x\nORDER BY a.x"),
        ("RETURN 1 AS a NEXT YIELD a AS b RETURN b", "RETURN 1 AS a\nNEXT YIELD a AS b\nRETURN b"),
        ("RETURN 1 AS a UNION {RETURN 2 AS a NEXT RETURN a}",
         "RETURN 1 AS a\nUNION\n{\n  RETURN 2 AS a\n  NEXT\n  RETURN a\n}"),
        ("OPTIONAL {MATCH (a) MATCH (b)} RETURN a", "OPTIONAL {\n  MATCH (a)\n  MATCH (b)\n}\nRETURN a"),
        ("USE a.b MATCH (n) RETURN n.x", "USE a.b\nMATCH (n)\nRETURN n.x"),
        ("MATCH ((a)-[e]->(b) WHERE e.w>1){2,} RETURN a", "MATCH ((a)-[e]->(b) WHERE e.w > 1){2,}\nRETURN a"),
        ("MATCH p = SHORTEST 2 GROUPS (a)-[e]->*(b) RETURN p", "MATCH p = SHORTEST 2 GROUPS (a)-[e]->*(b)\nRETURN p"),
        ("INSERT (a:A&B {x:1})-[:R]->(b)", "INSERT (a:A&B {x: 1})-[:R]->(b)"),
        ("MATCH (a) SET a.x=1, a:L REMOVE a.y DETACH DELETE a",
         "MATCH (a)\nSET a.x = 1, a:L\nREMOVE a.y\nDETACH DELETE a"),
        ("RETURN VALUE {MATCH (n) RETURN count(*) AS c} AS v",
         "RETURN VALUE {\n  MATCH (n)\n  RETURN COUNT(*) AS c\n} AS v"),
        ("FOR x IN [1] WITH ORDINALITY i RETURN x,i", "FOR x IN [1] WITH ORDINALITY AS i\nRETURN x, i"),
    ],
)  # fmt: skip
def test_layout_of_iso(text: str, expected: str) -> None:
    assert formatted(text, "gql-iso") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-- first\nMATCH (n) RETURN n.x", "-- first\nMATCH (n)\nRETURN n.x"),
        ("MATCH (n) # all\nRETURN n.x // done", "MATCH (n) # all\nRETURN n.x // done"),
        ("RETURN 1 AS a, -- one\n2 AS b", "RETURN\n  1 AS a, -- one\n  2 AS b"),
        ("RETURN [1, /* two */ 2] AS a", "RETURN [1, /* two */ 2] AS a"),
    ],
)
def test_comments(text: str, expected: str) -> None:
    assert formatted(text, "gql-iso") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GRAPH g\n-- all\nMATCH (n) RETURN n.x", "GRAPH g\n-- all\nMATCH (n)\nRETURN n.x"),
        ("GRAPH g -- all\nMATCH (n)\nRETURN n.x NEXT -- then\nRETURN x",
         "GRAPH g -- all\nMATCH (n)\nRETURN n.x\nNEXT -- then\nRETURN x"),
    ],
)  # fmt: skip
def test_comments_behind_the_name_of_a_graph(text: str, expected: str) -> None:
    assert formatted(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@{a=1} GRAPH g RETURN 1 AS x", "@{a=1}\nGRAPH g\nRETURN 1 AS x"),
        ("GRAPH g MATCH @{a=1} (@{b=2} n) RETURN @{c=3} DISTINCT n.x",
         "GRAPH g\nMATCH @{a=1} (@{b=2} n)\nRETURN @{c=3} DISTINCT n.x"),
        ("GRAPH g MATCH (n) RETURN n.x GROUP @5 BY x", "GRAPH g\nMATCH (n)\nRETURN n.x\nGROUP @5 BY x"),
        ("GRAPH g RETURN EXISTS @{a=1} {GRAPH g MATCH (n) RETURN 1 AS x} AS e",
         "GRAPH g\nRETURN EXISTS @{a=1} {\n  GRAPH g\n  MATCH (n)\n  RETURN 1 AS x\n} AS e"),
    ],
)  # fmt: skip
def test_hints(text: str, expected: str) -> None:
    assert formatted(text) == expected


def test_a_hint_without_a_place_is_refused() -> None:
    with pytest.raises(SyntaxFault) as raised:
        format_text("GRAPH g RETURN 1 IN @{a=1} UNNEST([1]) AS x", "gql-spanner")
    assert raised.value.diagnostics[0].code == "G061"


def words() -> list[str]:
    """Every keyword of the grammar."""
    return sorted({word.upper() for word in gql.parser().table.keywords} | {"WALK", "TRAIL", "SIMPLE", "PATHS"})


@pytest.mark.parametrize("dialect", ["gql-iso", "gql-spanner"])
def test_keywords_as_names(dialect: str) -> None:
    """Whatever a name is, it is read as that name at every place."""
    for word in words():
        node = ir.NodePattern(word, ir.LabelOr((ir.LabelName(word), ir.LabelName("x"))))
        edge = ir.EdgePattern(f"{word}_", properties=ir.MapOf((ir.Entry(word, ir.Literal(1)),)))
        match = ir.Match((ir.Path((node, edge, ir.NodePattern()), word),), uniqueness="repeatable_elements")
        unwind = ir.Unwind(ir.Ref(word), word, offset=word)
        let = ir.Let((ir.Item(ir.Index(ir.Ref(word), ir.Literal(1)), word),))
        filters = ir.Filter(ir.Apply("eq", (ir.Property(ir.Ref(word), word), ir.Apply("neg", (ir.Ref(word),)))))
        project = ir.Project((ir.Item(ir.Ref(word), word), ir.Item(ir.Ref("x"), word)), final=True)
        query = ir.Query(ir.Pipeline((match, unwind, let, filters, project)))
        assert gql.parse(print_query(query, dialect), dialect) == query, word
