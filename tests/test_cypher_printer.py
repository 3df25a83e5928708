"""IR as Cypher: parentheses, names, literals, layout.  What is printed parses to the IR it was printed from."""

from __future__ import annotations

import itertools
import math
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphir import ir
from graphir.backends.cypher import print_query
from graphir.backends.cypher.features import CLASS_FEATURES, SUPPORTED
from graphir.backends.cypher.precedence import INFIX
from graphir.backends.cypher.printer import CypherPrinter
from graphir.grammar.cypher import parse
from graphir.ir import Apply, Expression, Literal, Ref
from graphir.ir.names import generated
from tests.golden_files import OF_GQL

DIALECTS = ("opencypher-9", "neo4j-5", "neo4j-25")
A, B, C = Ref("a"), Ref("b"), Ref("c")


def returning(value: Expression) -> ir.Query:
    return ir.Query(ir.Pipeline((ir.Project((ir.Item(value, "x"),), final=True),)))


def shown(value: Expression, dialect: str = "neo4j-25") -> str:
    """The printed expression, after the check that it reads back."""
    query = returning(value)
    text = print_query(query, dialect)
    assert parse(text, dialect) == query, text
    return text.removeprefix("RETURN ").removesuffix(" AS x")


def printed(text: str, dialect: str = "neo4j-25") -> str:
    """The text in the printer's form, after the check that it means the same."""
    query = parse(text, dialect)
    out = print_query(query, dialect)
    assert parse(out, dialect) == query, out
    return out


def test_every_node_class_has_a_handler() -> None:
    """But for what is printed with something else, and what no Cypher has, so that it is refused before."""
    inline = {ir.Bounds}
    assert {cls for cls in ir.REGISTRY.values() if cls not in CypherPrinter.handlers} == inline | OF_GQL
    for cls in OF_GQL:
        (feature,) = CLASS_FEATURES[cls]
        assert not any(feature.name in supported for supported in SUPPORTED.values())
        assert feature.holds(None)  # whatever the node is


# ------------------------------------------------------------------ precedence

UNARY = ("not", "neg", "pos", "is_null", "is_not_null")
FOLDED = ("and", "or", "xor", "add", "mul", "concat")
OPERATORS = (*INFIX, *UNARY, "property", "index", "labels", "typed", "normalized", "chain", "not typed", "slice")


def apply(operator: str, first: Expression, second: Expression) -> Expression:
    if operator in FOLDED and isinstance(first, Apply) and first.function == operator:
        return Apply(operator, (*first.args, second))
    if operator in INFIX:
        return Apply(operator, (first, second))
    if operator in UNARY:
        return Apply(operator, (first,))
    typed = ir.IsTyped(first, ir.ValueType("INTEGER"))
    return {
        "property": ir.Property(first, "k"),
        "index": ir.Index(first, second),
        "slice": ir.Slice(first, second, None),
        "labels": ir.HasLabels(first, ir.LabelName("L")),
        "typed": typed,
        "not typed": Apply("not", (typed,)),
        "normalized": ir.IsNormalized(first),
        "chain": ir.Comparison((first, second, C), ("lt", "lt")),
    }[operator]


@pytest.mark.parametrize("outer", OPERATORS)
def test_nesting_of_every_pair_of_operators(outer: str) -> None:
    for inner in OPERATORS:
        shown(apply(outer, apply(inner, A, B), C))
        shown(apply(outer, C, apply(inner, A, B)))


@pytest.mark.parametrize("outer", INFIX)
def test_nesting_of_three_operators(outer: str) -> None:
    for middle, inner in itertools.product(("neg", "not", "add", "sub", "pow", "in", "eq"), INFIX):
        shown(apply(outer, apply(middle, apply(inner, A, B), C), C))
        shown(apply(outer, A, apply(middle, B, apply(inner, A, B))))


LEAVES: tuple[Expression, ...] = (
    *(Literal(1), Literal(1.5), Literal("s"), Literal(None), Literal(True), Literal(math.inf), ir.Parameter("p")),
    *(ir.Parameter("1"), ir.ListOf((A,)), ir.ListOf(), ir.MapOf(), ir.MapOf((ir.Entry("k", A),)), Ref("count")),
    ir.ListComprehension("y", A, None, B),
    ir.PatternComprehension(ir.Path((ir.NodePattern("a"), ir.EdgePattern(), ir.NodePattern())), None, B),
    ir.PatternExpression(ir.Path((ir.NodePattern("a"), ir.EdgePattern(direction="in"), ir.NodePattern("b")))),
    ir.PatternExpression(ir.Path((ir.NodePattern(), ir.EdgePattern("r", direction="any"), ir.NodePattern("b")))),
    ir.Case(A, (ir.Branch((B,), C),)),
    ir.MapProjection(A, (ir.ProjectedAll(),)),
    ir.Subquery("exists", ir.Pipeline((ir.Match((ir.Path((ir.NodePattern("a"),)),)),))),
    *(Apply("count_star"), Apply("size", (A,)), ir.Call(("f", "g"), (A,)), ir.Quantified("all", "y", A, B)),
    ir.Reduce("s", A, "y", B, C),
)


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_on_every_other_expression(operator: str) -> None:
    for leaf in LEAVES:
        shown(apply(operator, leaf, A))
        shown(apply(operator, A, leaf))
        shown(apply(operator, Apply("neg", (leaf,)), Apply("neg", (leaf,))))


@pytest.mark.parametrize("holder", ["list", "source", "where", "body", "reduce", "pattern", "case", "argument", "map"])
def test_every_operator_inside_of_brackets(holder: str) -> None:
    path = ir.Path((ir.NodePattern("a"), ir.EdgePattern(), ir.NodePattern()))
    for operator in (*OPERATORS, "or labels", "union type"):
        if operator == "or labels":
            value: Expression = ir.HasLabels(A, ir.LabelOr((ir.LabelName("L"), ir.LabelName("M"))))
        elif operator == "union type":
            value = ir.IsTyped(A, ir.ValueType("UNION", (ir.ValueType("INTEGER"), ir.ValueType("STRING"))))
        else:
            value = apply(operator, A, B)
        for inner in (value, apply("and", value, C), Apply("not", (value,))):
            shown(
                {
                    "list": ir.ListOf((inner,)),
                    "source": ir.ListComprehension("y", inner, B, C),
                    "where": ir.ListComprehension("y", A, inner, C),
                    "body": ir.ListComprehension("y", A, None, inner),
                    "reduce": ir.Reduce("s", inner, "y", inner, inner),
                    "pattern": ir.PatternComprehension(path, inner, inner),
                    "case": ir.Case(inner, (ir.Branch((inner,), inner),), inner),
                    "argument": Apply("coalesce", (inner, inner)),
                    "map": ir.MapOf((ir.Entry("k", inner),)),
                }[holder]
            )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1 + 2) + 3", "1 + 2 + 3"),
        ("1 + (2 + 3)", "1 + (2 + 3)"),
        ("((1 + 2) - 3) + 4", "1 + 2 - 3 + 4"),
        ("1 - (2 - 3)", "1 - (2 - 3)"),
        ("(1 - 2) - 3", "1 - 2 - 3"),
        ("(1 * 2) / 3", "1 * 2 / 3"),
        ("2 ^ (3 ^ 4)", "2 ^ (3 ^ 4)"),
        ("(2 ^ 3) ^ 4", "2 ^ 3 ^ 4"),
        ("(-1) ^ 2", "-1 ^ 2"),
        ("-(1 ^ 2)", "-(1 ^ 2)"),
        ("1 - -1", "1 - (-1)"),
        ("1 + -1", "1 + -1"),
        ("1 < -1", "1 < -1"),
        ("-(-1)", "-(-1)"),
        ("(a = b) = c", "(a = b) = c"),
        ("a = b = c", "a = b = c"),
        ("x IN (xs + ys)", "x IN xs + ys"),
        ("(x IN xs) + ys", "(x IN xs) + ys"),
        ("NOT (a IS NULL)", "NOT a IS NULL"),
        ("(NOT a) IS NULL", "(NOT a) IS NULL"),
        ("(n:A).x", "(n:A).x"),
        ("(a AND b) AND c", "a AND b AND c"),
        ("a AND (b AND c)", "a AND (b AND c)"),
        ("a AND b AND c", "a AND b AND c"),
        ("a OR (b AND c)", "a OR b AND c"),
        ("(a OR b) AND c", "(a OR b) AND c"),
        ("[(x IN xs)]", "[(x IN xs)]"),
        ("[x IN xs]", "[x IN xs]"),
        ("[x IN xs WHERE (x:A|B) | x]", "[x IN xs WHERE (x:A|B) | x]"),
        ("(a) - ([1])", "a - ([1])"),
        ("n IS NOT :: INTEGER", "n IS NOT :: INTEGER"),
        ("NOT n IS :: INTEGER", "n IS NOT :: INTEGER"),
        ("n IS :: ANY<INTEGER | STRING>", "n IS :: INTEGER | STRING"),
        ("n IS :: LIST<ANY<INTEGER | DATE> NOT NULL>", "n IS :: LIST<ANY<INTEGER | DATE> NOT NULL>"),
        ("(1).x", "(1).x"),
        ("($1).x", "($1).x"),
        ("count( * )", "count(*)"),
        ("count(DISTINCT x)", "count(DISTINCT x)"),
        ("trim(LEADING 'x' FROM s)", "ltrim(s, 'x')"),
        ("lower('x')", "toLower('x')"),
        ("CASE x WHEN 1, > 2 THEN 3 WHEN IS NULL THEN 4 END", "CASE x WHEN 1, > 2 THEN 3 WHEN IS NULL THEN 4 END"),
    ],
)  # fmt: skip
def test_parentheses(text: str, expected: str) -> None:
    assert printed(f"RETURN {text} AS q") == f"RETURN {expected} AS q"


# ------------------------------------------------------------------ names


def words() -> list[str]:
    """Every word of the grammar, and some that are none."""
    grammar = resources.files("graphir.grammar").joinpath("cypher.lark").read_text(encoding="utf-8")
    return sorted({*re.findall(r"[A-Z][A-Z_]+", grammar), "LABELED", "VALUE", "TYPE", "DATE", "ÉTÉ", "_X", "X1"})


def everywhere(name: str) -> list[ir.Query]:
    """Queries that have the name at every place where a name may stand."""
    ref = Ref(name)
    node = ir.NodePattern(name, ir.LabelName(name), ir.MapOf((ir.Entry(name, Literal(1)),)))
    edge = ir.EdgePattern(name + "r", ir.LabelOr((ir.LabelName(name), ir.LabelName("T"))))
    match = ir.Match((ir.Path((node, edge, ir.NodePattern())),), ir.HasLabels(ref, ir.LabelName(name)))
    path = ir.Match((ir.Path((ir.NodePattern("a"), ir.EdgePattern(name), ir.NodePattern("b")), name + "p"),))
    bare = ir.Match((ir.Path((ir.NodePattern("a"), ir.EdgePattern(), ir.NodePattern(name)), name),), ref)
    values: list[Expression] = [
        *(ref, ir.Property(ref, name), ir.Index(ref, ref), ir.ListOf((ref, ref)), ir.MapOf((ir.Entry(name, ref),))),
        *(Apply("not", (ref,)), Apply("neg", (ref,)), Apply("in", (ref, ref)), Apply("is_null", (ref,))),
        *(Apply("eq", (ref, ref)), Apply("contains", (ref, ref)), Apply("starts_with", (ref, ref))),
        *(Apply("count", (ref,), True), Apply("trim", (ref,)), ir.Parameter(name), Apply("coalesce", (ref, ref))),
        ir.MapProjection(ref, (ir.ProjectedProperty(name), ir.ProjectedVariable(name), ir.Entry(name, ref))),
        ir.ListComprehension(name, ref, ref, ref),
        ir.Quantified("all", name, ref, ref),
        ir.Reduce(name, ref, name, ref, ref),
        ir.Case(ref, (ir.Branch((ref,), ref),), ref),
        ir.Case(None, (ir.Branch((ref,), ref),)),
        ir.PatternExpression(ir.Path((ir.NodePattern(name), ir.EdgePattern(), ir.NodePattern()))),
        ir.PatternComprehension(ir.Path((node, ir.EdgePattern(), ir.NodePattern())), ref, ref),
        ir.Call((name + "_",), (ref,)),
        ir.Call((name, name), (ref,)),
    ]
    returned = ir.Project(tuple([ir.Item(v, name) for v in values]), final=True, order=(ir.SortKey(ref),), limit=ref)
    distinct = ir.Project((ir.Item(ref),), distinct=True, where=ref)
    change: tuple[ir.SetItem, ...] = (
        ir.SetProperty(ir.Property(ref, name), ref),
        ir.SetLabels(ref, (ir.LabelName(name),)),
        ir.SetProperties(ref, ref),
    )
    call = ir.ProcedureCall((name, name), (ref,), (ir.YieldItem(name, name + "y"), ir.YieldItem("z", name)))
    return [
        ir.Query(ir.Pipeline((match, distinct, returned))),
        ir.Query(ir.Pipeline((path, ir.Unwind(ref, name), ir.Project((ir.Item(ref),), final=True)))),
        ir.Query(ir.Pipeline((bare, ir.Set(change), ir.Remove((ir.RemoveProperty(ir.Property(ref, name)),))))),
        ir.Query(ir.Pipeline((ir.Insert((ir.Path((node,)),)), ir.Delete((ref,))))),
        ir.Query(ir.Pipeline((call, ir.Project((ir.Item(ref),), final=True)))),
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_word_is_a_name_at_every_place(dialect: str) -> None:
    for word in words():
        for query in everywhere(word.lower()):
            text = print_query(query, dialect)
            assert parse(text, dialect) == query, text


def test_clauses_of_cypher_25_take_every_word() -> None:
    for word in words():
        ref = Ref(word)
        operators = (
            *(ir.Let((ir.Item(ref, word),)), ir.Filter(ref), ir.Order((ir.SortKey(ref),)), ir.Page(limit=ref)),
            ir.SubqueryCall(ir.Pipeline((ir.Project((ir.Item(ref),), final=True),)), (word,)),
            ir.Project((ir.Item(ref),), final=True, group_by=(ref,)),
        )
        query = ir.Query(ir.Pipeline(operators))
        assert parse(print_query(query), "neo4j-25") == query


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *[("n", "n"), ("first name", "`first name`"), ("a`b", "`a``b`"), ("1st", "`1st`"), ("", "``"), ("Maß", "Maß")],
        *[("group", "group"), ("case", "`case`"), ("null", "`null`"), ("NOT", "`NOT`"), ("by", "by"), ("ℎ", "ℎ")],
    ],
)  # fmt: skip
def test_names(name: str, expected: str) -> None:
    assert print_query(returning(Ref(name)), "neo4j-25") == f"RETURN {expected} AS x"


def test_words_that_opencypher_reserves_are_back_ticked_there() -> None:
    assert printed("MATCH (`on`) RETURN `on`.end", "opencypher-9") == "MATCH (`on`)\nRETURN `on`.end"
    assert printed("MATCH (`on`) RETURN `on`.end", "neo4j-5") == "MATCH (on)\nRETURN on.end"


def test_generated_names_go_where_nothing_refers_to_them() -> None:
    one, two = generated("n", 1), generated("n", 2)
    path = ir.Path((ir.NodePattern(one), ir.EdgePattern(generated("r", 1)), ir.NodePattern(two)), generated("p", 1))
    query = ir.Query(ir.Pipeline((ir.Match((path,)), ir.Project((ir.Item(Ref(two), "n2"),), final=True))))
    assert print_query(query) == "MATCH ()-->(n2_)\nRETURN n2_ AS n2"


# ------------------------------------------------------------------ literals


@pytest.mark.parametrize("dialect", DIALECTS)
@given(st.text())
def test_strings_read_back(dialect: str, value: str) -> None:
    shown(Literal(value.encode("utf-8", "ignore").decode()), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "value", ["\\u0041", "\\\\u0041", "\\", "\\'", "'", '"', "\\u", "\\n", "\n\r\t\b\f\0", "\u2028", "😀", "\\d\\u{41}"]
)
def test_strings_with_backslashes_read_back(dialect: str, value: str) -> None:
    shown(Literal(value), dialect)
    name = value.replace("\0", "")
    shown(Ref(name), dialect)
    shown(ir.MapOf((ir.Entry(name, Literal(value)),)), dialect)


@given(st.floats(min_value=0.0))
def test_floats_read_back(value: float) -> None:
    shown(Literal(value))


@given(st.integers(min_value=0))
def test_integers_read_back(value: int) -> None:
    assert shown(Literal(value)) == str(value)


def test_integers_of_any_length() -> None:
    digits = "7" * 4_000
    assert print_query(parse(f"RETURN {digits} AS x")) == f"RETURN {digits} AS x"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *[(1e300, "1e300"), (1e-7, "1e-07"), (math.inf, "Infinity"), (-math.inf, "-Infinity"), (math.nan, "NaN")],
        *[(0x1F, "31"), (-5, "-5"), (1.0, "1.0"), (True, "true"), (None, "null"), ("it's", "'it\\'s'")],
    ],
)  # fmt: skip
def test_literals(value: float | str | bool | None, expected: str) -> None:
    assert print_query(returning(Literal(value))) == f"RETURN {expected} AS x"


# ------------------------------------------------------------------ patterns and clauses


@pytest.mark.parametrize(
    ("text", "dialect", "expected"),
    [
        ("MATCH (n:A:B)", "opencypher-9", "MATCH (n:A:B)"),
        ("MATCH (n:A:B)", "neo4j-5", "MATCH (n:A&B)"),
        ("MATCH (n:A&B|!C)", "neo4j-25", "MATCH (n:A&B|!C)"),
        ("MATCH (n:A&(B|!(C&D)))", "neo4j-25", "MATCH (n:A&(B|!(C&D)))"),
        ("MATCH (n:%)-[:$(x)|$any(y)]->()", "neo4j-25", "MATCH (n:%)-[:$(x)|$any(y)]->()"),
        ("CREATE (n:A:B {x: 1})", "neo4j-5", "CREATE (n:A:B {x: 1})"),
        ("INSERT (n:A&B {x: 1})", "neo4j-5", "INSERT (n:A&B {x: 1})"),
        ("MATCH (a)-[r:X|:Y*..3 {k: 1}]-(b)", "opencypher-9", "MATCH (a)-[r:X|Y*1..3 {k: 1}]-(b)"),
        ("MATCH ()-[*]->()<-[*2]-()-[*2..]-()", "neo4j-5", "MATCH ()-[*]->()<-[*2]-()-[*2..]-()"),
        ("MATCH ()-->{2}()-->{,3}()<--{1,}()--*()", "neo4j-5", "MATCH ()-->{2}()-->{0,3}()<--+()--*()"),
        ("MATCH p = (a)<-->(b)", "neo4j-5", "MATCH p = (a)--(b)"),
        ("MATCH p = ((a)-[r]->(b) WHERE r.x){1,2}", "neo4j-5", "MATCH p = ((a)-[r]->(b) WHERE r.x){1,2}"),
        ("MATCH p = ANY 2 PATHS (a)-->+(b)", "neo4j-5", "MATCH p = ANY 2 (a)-->+(b)"),
        ("MATCH SHORTEST 2 ACYCLIC PATH GROUPS (a)-->+(b)", "neo4j-25", "MATCH SHORTEST 2 ACYCLIC GROUPS (a)-->+(b)"),
        ("MATCH p = shortestPath((a)-[*]-(b))", "neo4j-5", "MATCH p = shortestPath((a)-[*]-(b))"),
        ("MATCH REPEATABLE ELEMENTS (a)", "neo4j-25", "MATCH REPEATABLE ELEMENTS (a)"),
        ("MATCH (a:A) USING TEXT INDEX a:A(x) USING SCAN a:A WHERE a.x", "neo4j-5",
         "MATCH (a:A)\n  USING TEXT INDEX a:A(x)\n  USING SCAN a:A\nWHERE a.x"),
        ("MATCH (n $p)", "opencypher-9", "MATCH (n $p)"),
        ("MATCH (n WHERE n.x > 1)", "neo4j-5", "MATCH (n WHERE n.x > 1)"),
        ("MATCH (n) SET n:A:B, n += {x: 1}, n.y = 2 REMOVE n:C, n.z", "neo4j-25",
         "MATCH (n)\nSET n:A:B, n += {x: 1}, n.y = 2\nREMOVE n:C, n.z"),
        ("MERGE (n) ON CREATE SET n.x = 1 ON MATCH SET n.y = 2", "neo4j-5",
         "MERGE (n)\n  ON CREATE SET n.x = 1\n  ON MATCH SET n.y = 2"),
        ("MATCH (n) NODETACH DELETE n", "neo4j-5", "MATCH (n)\nDELETE n"),
        ("FOREACH (x IN [1] | CREATE (:A) SET x.y = 1)", "neo4j-5",
         "FOREACH (x IN [1] |\n  CREATE (:A)\n  SET x.y = 1\n)"),
        ("CALL (x, y) { FINISH } IN 2 CONCURRENT TRANSACTIONS OF 5 ROWS ON ERROR FAIL REPORT STATUS AS s", "neo4j-5",
         "CALL (x, y) {\n  FINISH\n} IN 2 CONCURRENT TRANSACTIONS OF 5 ROWS ON ERROR FAIL REPORT STATUS AS s"),
        ("CALL (*) { FINISH }", "neo4j-5", "CALL (*) {\n  FINISH\n}"),
        ("CALL { WITH x RETURN 1 AS y }", "neo4j-5", "CALL {\n  WITH x\n  RETURN 1 AS y\n}"),
        ("CALL db.labels() YIELD label AS l WHERE l = 'x' RETURN l", "neo4j-5",
         "CALL db.labels() YIELD label AS l\nWHERE l = 'x'\nRETURN l"),
        ("CALL db.labels", "neo4j-5", "CALL db.labels"),
        ("LOAD CSV WITH HEADERS FROM 'f' AS row FIELDTERMINATOR ';' RETURN row", "neo4j-5",
         "LOAD CSV WITH HEADERS FROM 'f' AS row FIELDTERMINATOR ';'\nRETURN row"),
        ("WITH DISTINCT *, 1 AS x ORDER BY x ASC, y DESCENDING SKIP 1 LIMIT 2 WHERE x RETURN *", "neo4j-5",
         "WITH DISTINCT *, 1 AS x\nORDER BY x, y DESC\nSKIP 1\nLIMIT 2\nWHERE x\nRETURN *"),
        ("RETURN count(*) AS c GROUP BY ()", "neo4j-25", "RETURN count(*) AS c\nGROUP BY ()"),
        ("LET x = 1, y = 2 FILTER WHERE x > y FOR z IN [1] OFFSET 2 RETURN z", "neo4j-25",
         "LET x = 1, y = 2\nFILTER x > y\nUNWIND [1] AS z\nSKIP 2\nRETURN z"),
        ("RETURN 1 AS x UNION DISTINCT RETURN 2 AS x UNION RETURN 3 AS x", "neo4j-5",
         "RETURN 1 AS x\nUNION\nRETURN 2 AS x\nUNION\nRETURN 3 AS x"),
        ("RETURN 1 AS x NEXT WHEN x > 1 THEN RETURN 2 AS y ELSE RETURN 3 AS y", "neo4j-25",
         "RETURN 1 AS x\nNEXT\nWHEN x > 1 THEN {\n  RETURN 2 AS y\n}\nELSE {\n  RETURN 3 AS y\n}"),
        ("RETURN 1 AS x UNION ALL { RETURN 2 AS x UNION RETURN 3 AS x }", "neo4j-25",
         "RETURN 1 AS x\nUNION ALL\n{\n  RETURN 2 AS x\n  UNION\n  RETURN 3 AS x\n}"),
        ("{ RETURN 1 AS x UNION RETURN 2 AS x } UNION ALL RETURN 3 AS x", "neo4j-25",
         "{\n  RETURN 1 AS x\n  UNION\n  RETURN 2 AS x\n}\nUNION ALL\nRETURN 3 AS x"),
        ("RETURN 1 AS x UNION RETURN 2 AS x UNION ALL RETURN 3 AS x", "opencypher-9",
         "RETURN 1 AS x\nUNION\nRETURN 2 AS x\nUNION ALL\nRETURN 3 AS x"),
        ("MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WHERE m.x } RETURN n", "neo4j-5",
         "MATCH (n)\nWHERE EXISTS { (n)-->(m) WHERE m.x }\nRETURN n"),
        ("RETURN COLLECT { MATCH (m) RETURN m } AS x", "neo4j-5", "RETURN COLLECT {\n  MATCH (m)\n  RETURN m\n} AS x"),
        ("explain cypher 25 runtime=slotted match (n) return n", "neo4j-25",
         "CYPHER 25 runtime=slotted EXPLAIN\nMATCH (n)\nRETURN n"),
        ("USE graph.byName('x') MATCH (n) RETURN n", "neo4j-5", "USE graph.byName('x')\nMATCH (n)\nRETURN n"),
        ("SHOW  DATABASES", "neo4j-5", "SHOW  DATABASES"),
    ],
)  # fmt: skip
def test_clauses(text: str, dialect: str, expected: str) -> None:
    assert printed(text, dialect) == expected


def test_what_does_not_fit_on_a_line_is_broken_where_it_has_parts() -> None:
    conditions = " AND ".join([f"n.property_{i} = 'some value'" for i in range(4)])
    columns = ", ".join([f"n.property_{i} AS column_number_{i}" for i in range(4)])
    assert printed(f"MATCH (n) WHERE {conditions} RETURN {columns}") == "\n".join(
        [
            *["MATCH (n)", "WHERE n.property_0 = 'some value'"],
            *[f"  AND n.property_{i} = 'some value'" for i in (1, 2, 3)],
            "RETURN",
            *[f"  n.property_{i} AS column_number_{i}{',' if i < 3 else ''}" for i in range(4)],
        ]
    )


def test_printing_does_not_recurse() -> None:
    value: Expression = Literal(1)
    for _ in range(20_000):
        value = ir.ListOf((value,))
    assert print_query(returning(value)) == f"RETURN {'[' * 20_000}1{']' * 20_000} AS x"
