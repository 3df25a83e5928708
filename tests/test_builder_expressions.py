"""What every form of expression becomes."""

from __future__ import annotations

import math

import pytest

from graphir.grammar.cypher import parse
from graphir.ir import (
    AllReduce,
    Apply,
    Branch,
    Call,
    Case,
    CaseSubject,
    Comparison,
    EdgePattern,
    Entry,
    Expression,
    HasLabels,
    Index,
    IsNormalized,
    IsTyped,
    Keyword,
    LabelAnd,
    LabelAny,
    LabelDynamic,
    LabelName,
    LabelNot,
    LabelOr,
    ListComprehension,
    ListOf,
    Literal,
    MapOf,
    MapProjection,
    Match,
    Node,
    NodePattern,
    Parameter,
    Path,
    PatternComprehension,
    PatternExpression,
    Pipeline,
    Project,
    ProjectedAll,
    ProjectedProperty,
    ProjectedVariable,
    Property,
    Quantified,
    Reduce,
    Ref,
    Selector,
    Slice,
    Subquery,
    ValueType,
)

a, b, c, n, p, x, xs = map(Ref, ["a", "b", "c", "n", "p", "x", "xs"])
one, two, three = map(Literal, (1, 2, 3))
A, B, C = map(LabelName, "ABC")


def expression(text: str, dialect: str = "neo4j-25") -> Expression:
    body = parse(f"RETURN {text} AS value", dialect).body
    assert isinstance(body, Pipeline)
    (project,) = body.operators
    assert isinstance(project, Project)
    (item,) = project.items
    assert item.name == "value"
    return item.value


def apply(function: str, *args: Expression) -> Apply:
    return Apply(function, args)


def type_of(text: str) -> ValueType:
    found = expression(f"x :: {text}")
    assert isinstance(found, IsTyped)
    return found.type


def edge(direction: str = "out", labels: LabelName | None = None) -> EdgePattern:
    return EdgePattern(None, labels, direction=direction)


def pattern(*elements: Node) -> PatternExpression:
    return PatternExpression(Path(elements))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("1_000", 1000),
        ("0x1F", 31),
        ("0x_ff", 255),
        ("0o17", 15),
        ("9223372036854775807", 9223372036854775807),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.5E-3", 0.0015),
        ("1_0.2_5", 10.25),
        ("1.0e1_0", 1e10),
        ("2.5f", 2.5),
        ("2.5D", 2.5),
        ("true", True),
        ("FALSE", False),
        ("Null", None),
        ("'it\\'s'", "it's"),
        ('"a\\tb\\\\"', "a\tb\\"),
        ("''", ""),
        ("'\\u00e9'", "é"),
        ("INF", math.inf),
        ("Infinity", math.inf),
        ("NaN", math.nan),
    ],
)
def test_literals(text: str, value: object) -> None:
    assert expression(text) == Literal(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "name"),
    [("$p", "p"), ("$1", "1"), ("$`a b`", "a b"), ("$ p", "p"), ("$match", "match"), ("$`a``b`", "a`b")],
)
def test_parameters(text: str, name: str) -> None:
    assert expression(text) == Parameter(name)


def test_legacy_parameters() -> None:
    found = expression("{p}", "opencypher-9")
    assert found == Parameter("p")
    assert isinstance(found, Parameter)
    assert found.legacy
    assert expression("{0}", "opencypher-9") == Parameter("0")


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("`a b`", Ref("a b")),
        ("`x``y`", Ref("x`y")),
        ("end", Ref("end")),
        ("case", Ref("case")),
        ("not", Ref("not")),
        ("a.b.c", Property(Property(a, "b"), "c")),
        ("a.`x y`", Property(a, "x y")),
        ("a.return", Property(a, "return")),
        ("a[1]", Index(a, one)),
        ("a['k'].x", Property(Index(a, Literal("k")), "x")),
        ("a[1..2]", Slice(a, one, two)),
        ("a[..2]", Slice(a, None, two)),
        ("a[1..]", Slice(a, one, None)),
        ("a[..]", Slice(a, None, None)),
        ("a[..-1]", Slice(a, None, apply("neg", one))),
    ],
)
def test_names_and_access(text: str, want: Expression) -> None:
    assert expression(text) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a OR b OR c", apply("or", a, b, c)),
        ("a XOR b", apply("xor", a, b)),
        ("a AND b AND c", apply("and", a, b, c)),
        ("(a AND b) AND c", apply("and", a, b, c)),
        ("a AND (b AND c)", apply("and", a, apply("and", b, c))),
        ("a OR b AND c", apply("or", a, apply("and", b, c))),
        ("a OR b XOR c AND x", apply("or", a, apply("xor", b, apply("and", c, x)))),
        ("NOT a AND b", apply("and", apply("not", a), b)),
        ("NOT NOT a", apply("not", apply("not", a))),
        ("NOT a = b", apply("not", apply("eq", a, b))),
        ("a = b", apply("eq", a, b)),
        ("a <> b", apply("ne", a, b)),
        ("a < b", apply("lt", a, b)),
        ("a <= b", apply("le", a, b)),
        ("a > b", apply("gt", a, b)),
        ("a >= b", apply("ge", a, b)),
        ("a < b <= c", Comparison((a, b, c), ("lt", "le"))),
        ("a = b <> c > x", Comparison((a, b, c, x), ("eq", "ne", "gt"))),
        ("a + b + c", apply("add", a, b, c)),
        ("a - b - c", apply("sub", apply("sub", a, b), c)),
        ("a + b - c + x", apply("add", apply("sub", apply("add", a, b), c), x)),
        ("a - b + c + x", apply("add", apply("sub", a, b), c, x)),
        ("a || b || c", apply("concat", a, b, c)),
        ("a || b + c", apply("add", apply("concat", a, b), c)),
        ("a * b / c % x", apply("mod", apply("div", apply("mul", a, b), c), x)),
        ("a * b * c", apply("mul", a, b, c)),
        ("a + b * c", apply("add", a, apply("mul", b, c))),
        ("a ^ b ^ c", apply("pow", apply("pow", a, b), c)),
        ("-a ^ b", apply("pow", apply("neg", a), b)),
        ("a ^ -b", apply("pow", a, apply("neg", b))),
        ("-1", apply("neg", one)),
        ("+a", apply("pos", a)),
        ("- -1", apply("neg", apply("neg", one))),
        ("--1", apply("neg", apply("neg", one))),
        ("a IN xs", apply("in", a, xs)),
        ("a STARTS WITH b", apply("starts_with", a, b)),
        ("a ENDS WITH b", apply("ends_with", a, b)),
        ("a CONTAINS b", apply("contains", a, b)),
        ("a =~ b", apply("matches", a, b)),
        ("a IS NULL", apply("is_null", a)),
        ("a IS NOT NULL", apply("is_not_null", a)),
        ("a + b IS NULL", apply("is_null", apply("add", a, b))),
        ("a = b IS NULL", apply("eq", a, apply("is_null", b))),
        ("a IN xs = true", apply("eq", apply("in", a, xs), Literal(True))),
        ("a IS NORMALIZED", IsNormalized(a)),
        ("a IS NOT nfkd NORMALIZED", apply("not", IsNormalized(a, "NFKD"))),
        ("a - b", apply("sub", a, b)),
        ("a<-1", apply("lt", a, apply("neg", one))),
        ("(a)-(b)", apply("sub", a, b)),
        ("(a)--1", apply("sub", a, apply("neg", one))),
        ("(a)<-(b)", apply("lt", a, apply("neg", b))),
        ("a -[1][0]", apply("sub", a, Index(ListOf((one,)), Literal(0)))),
        ("(a) - [1][0]", apply("sub", a, Index(ListOf((one,)), Literal(0)))),
        ("(a)-[b][0]", apply("sub", a, Index(ListOf((b,)), Literal(0)))),
        (
            "(a) - ['][', [b]][1][0]",
            apply("sub", a, Index(Index(ListOf((Literal("]["), ListOf((b,)))), one), Literal(0))),
        ),
        ("(a)<-[1, b][0]", apply("lt", a, apply("neg", Index(ListOf((one, b)), Literal(0))))),
        ("-[1][0]", apply("neg", Index(ListOf((one,)), Literal(0)))),
    ],
)
def test_operators(text: str, want: Expression) -> None:
    assert expression(text) == want


def test_chains_of_predicates_are_opencypher() -> None:
    assert expression("a IN xs IN c", "opencypher-9") == apply("in", apply("in", a, xs), c)
    assert expression("a IS NULL IS NOT NULL", "opencypher-9") == apply("is_not_null", apply("is_null", a))
    assert expression("(a IN xs) IN c") == apply("in", apply("in", a, xs), c)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("n:A", HasLabels(n, A)),
        ("n IS A", HasLabels(n, A)),
        ("n IS LABELED A", HasLabels(n, A)),
        ("n IS NOT A", apply("not", HasLabels(n, A))),
        ("n IS NOT LABELED A", apply("not", HasLabels(n, A))),
        ("n:A:B", HasLabels(n, LabelAnd((A, B)))),
        ("n:A&B&C", HasLabels(n, LabelAnd((A, B, C)))),
        ("n:A|B", HasLabels(n, LabelOr((A, B)))),
        ("n:A|B&C", HasLabels(n, LabelOr((A, LabelAnd((B, C)))))),
        ("n:!A", HasLabels(n, LabelNot(A))),
        ("n:%", HasLabels(n, LabelAny())),
        ("n:!(A|%)", HasLabels(n, LabelNot(LabelOr((A, LabelAny()))))),
        ("n:$(x)", HasLabels(n, LabelDynamic(x))),
        ("n:$any(x)|A", HasLabels(n, LabelOr((LabelDynamic(x, "any"), A)))),
        ("n.x:A", HasLabels(Property(n, "x"), A)),
        ("NOT n:A", apply("not", HasLabels(n, A))),
        ("n:A = a", apply("eq", HasLabels(n, A), a)),
        ("n:A AND a", apply("and", HasLabels(n, A), a)),
        ("n:`a b`", HasLabels(n, LabelName("a b"))),
        ("n:End", HasLabels(n, LabelName("End"))),
    ],
)
def test_labels(text: str, want: Expression) -> None:
    assert expression(text) == want


def test_legacy_label_forms_are_remembered() -> None:
    found = expression("n:A:B")
    assert isinstance(found, HasLabels)
    assert isinstance(found.labels, LabelAnd)
    assert found.labels.legacy


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("BOOL", ValueType("BOOLEAN")),
        ("varchar", ValueType("STRING")),
        ("SIGNED INTEGER", ValueType("INTEGER")),
        ("INT64", ValueType("INTEGER")),
        ("FLOAT", ValueType("FLOAT")),
        ("ZONED DATETIME", ValueType("ZONED DATETIME")),
        ("LOCAL TIME", ValueType("LOCAL TIME")),
        ("TIME WITH TIME ZONE", ValueType("ZONED TIME")),
        ("TIME WITHOUT TIMEZONE", ValueType("LOCAL TIME")),
        ("TIMESTAMP WITH TIME ZONE", ValueType("ZONED DATETIME")),
        ("TIMESTAMP WITHOUT TIME ZONE", ValueType("LOCAL DATETIME")),
        ("NOTHING", ValueType("NOTHING")),
        ("NULL", ValueType("NULL")),
        ("ANY", ValueType("ANY")),
        ("ANY VALUE", ValueType("ANY")),
        ("ANY PROPERTY VALUE", ValueType("PROPERTY VALUE")),
        ("VERTEX", ValueType("NODE")),
        ("ANY EDGE", ValueType("RELATIONSHIP")),
        ("PATHS", ValueType("PATH")),
        ("INTEGER NOT NULL", ValueType("INTEGER", not_null=True)),
        ("INTEGER!", ValueType("INTEGER", not_null=True)),
        ("LIST<INT>", ValueType("LIST", (ValueType("INTEGER"),))),
        ("ARRAY<INT NOT NULL> NOT NULL", ValueType("LIST", (ValueType("INTEGER", not_null=True),), True)),
        ("LIST<LIST<INT>>", ValueType("LIST", (ValueType("LIST", (ValueType("INTEGER"),)),))),
        ("INT LIST NOT NULL", ValueType("LIST", (ValueType("INTEGER"),), True)),
        (
            "INT NOT NULL ARRAY LIST",
            ValueType("LIST", (ValueType("LIST", (ValueType("INTEGER", not_null=True),)),)),
        ),
        ("INT | STRING", ValueType("UNION", (ValueType("INTEGER"), ValueType("STRING")))),
        ("ANY<INT | STRING>", ValueType("UNION", (ValueType("INTEGER"), ValueType("STRING")))),
        ("ANY VALUE<INT | STRING>", ValueType("UNION", (ValueType("INTEGER"), ValueType("STRING")))),
        ("VECTOR", ValueType("VECTOR")),
        ("VECTOR(3)", ValueType("VECTOR", size=3)),
        ("VECTOR<INT8>(3) NOT NULL", ValueType("VECTOR", (ValueType("INTEGER8"),), True, 3)),
        ("VECTOR<FLOAT32 NOT NULL>", ValueType("VECTOR", (ValueType("FLOAT32", not_null=True),))),
        ("UUID", ValueType("UUID")),
    ],
)
def test_types(text: str, want: ValueType) -> None:
    assert type_of(text) == want


@pytest.mark.parametrize("test", ["::", "IS ::", "IS TYPED"])
def test_type_predicates(test: str) -> None:
    assert expression(f"x {test} INT") == IsTyped(x, ValueType("INTEGER"))
    if test != "::":
        negated = test.replace("IS", "IS NOT")
        assert expression(f"x {negated} INT") == apply("not", IsTyped(x, ValueType("INTEGER")))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("count(*)", Apply("count_star")),
        ("COUNT(DISTINCT a)", Apply("count", (a,), True)),
        ("count(ALL a)", Apply("count", (a,))),
        ("coUNT(a)", Apply("count", (a,))),
        ("lower(a)", Apply("toLower", (a,))),
        ("rand()", Apply("rand")),
        ("date.truncate('day', a)", Apply("date.truncate", (Literal("day"), a))),
        ("DATE . Truncate()", Apply("date.truncate")),
        ("foo()", Call(("foo",))),
        ("apoc.coll.max(DISTINCT xs, 1)", Call(("apoc", "coll", "max"), (xs, one), True)),
        ("`my func`(1)", Call(("my func",), (one,))),
        ("a.b.c(1)", Call(("a", "b", "c"), (one,))),
        ("exists(n.x)", Apply("exists", (Property(n, "x"),))),
        ("trim(a)", Apply("trim", (a,))),
        ("trim(LEADING 'x' FROM a)", Apply("ltrim", (a, Literal("x")))),
        ("trim(TRAILING FROM a)", Apply("rtrim", (a,))),
        ("trim(BOTH b FROM a)", Apply("btrim", (a, b))),
        ("trim(b FROM a)", Apply("btrim", (a, b))),
        ("normalize(a, nfkc)", Apply("normalize", (a, Keyword("NFKC")))),
        ("vector(xs, 3, INT8)", Apply("vector", (xs, three, Keyword("INT8")))),
        ("vector(xs, 3, FLOAT32 NOT NULL)", Apply("vector", (xs, three, Keyword("FLOAT32 NOT NULL")))),
        ("vector_distance(a, b, Euclidean)", Apply("vector_distance", (a, b, Keyword("EUCLIDEAN")))),
        ("all(x IN xs WHERE x > 1)", Quantified("all", "x", xs, apply("gt", x, one))),
        ("ANY(x IN xs WHERE a)", Quantified("any", "x", xs, a)),
        ("none(x IN xs WHERE x:A|B)", Quantified("none", "x", xs, HasLabels(x, LabelOr((A, B))))),
        ("single(x IN xs)", Quantified("single", "x", xs)),
        ("reduce(a = 0, x IN xs | a + x)", Reduce("a", Literal(0), "x", xs, apply("add", a, x))),
        (
            "allReduce(a = 0, x IN xs | a + x, a < 3)",
            AllReduce("a", Literal(0), "x", xs, apply("add", a, x), apply("lt", a, three)),
        ),
        ("reduce", Ref("reduce")),
    ],
)
def test_calls(text: str, want: Expression) -> None:
    assert expression(text) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("[]", ListOf()),
        ("[a, 1]", ListOf((a, one))),
        ("[1 IN xs]", ListOf((apply("in", one, xs),))),
        ("[x IN xs, b]", ListOf((apply("in", x, xs), b))),
        ("[x IN xs]", ListComprehension("x", xs)),
        ("[x IN xs WHERE x.p]", ListComprehension("x", xs, Property(x, "p"))),
        ("[x IN xs | x.p]", ListComprehension("x", xs, None, Property(x, "p"))),
        ("[x IN xs WHERE a | b]", ListComprehension("x", xs, a, b)),
        ("[x IN xs WHERE x:A | x.p]", ListComprehension("x", xs, HasLabels(x, A), Property(x, "p"))),
        ("[x IN xs WHERE x:A|B | x]", ListComprehension("x", xs, HasLabels(x, LabelOr((A, B))), x)),
        ("[x IN xs WHERE x:A|B]", ListComprehension("x", xs, HasLabels(x, A), B.name and Ref("B"))),
        (
            "[x IN xs WHERE x :: INT|STRING | x]",
            ListComprehension("x", xs, IsTyped(x, ValueType("UNION", (ValueType("INTEGER"), ValueType("STRING")))), x),
        ),
        ("[x IN xs | x:A|B]", ListComprehension("x", xs, None, HasLabels(x, LabelOr((A, B))))),
        ("[x IN a = b AND c | x]", ListComprehension("x", apply("and", apply("eq", a, b), c), None, x)),
        ("[x IN a < b < c]", ListComprehension("x", Comparison((a, b, c), ("lt", "lt")))),
        ("[(x IN a) = b]", ListOf((apply("eq", apply("in", x, a), b),))),
        ("[[a IN xs | a] IN xs]", ListOf((apply("in", ListComprehension("a", xs, None, a), xs),))),
        (
            "[(a)-->(b) | b.p]",
            PatternComprehension(pattern(NodePattern("a"), edge(), NodePattern("b")).path, None, Property(b, "p")),
        ),
        (
            "[(a)-->(b:B) WHERE b:A | 1]",
            PatternComprehension(pattern(NodePattern("a"), edge(), NodePattern("b", B)).path, HasLabels(b, A), one),
        ),
        (
            "[p = (a)-[:A]-(b) | p]",
            PatternComprehension(Path((NodePattern("a"), edge("any", A), NodePattern("b")), "p"), None, p),
        ),
        ("[(a)-->(b)]", ListOf((pattern(NodePattern("a"), edge(), NodePattern("b")),))),
        ("{}", MapOf()),
        (
            "{a: 1, `b c`: {d: x}, null: 2}",
            MapOf((Entry("a", one), Entry("b c", MapOf((Entry("d", x),))), Entry("null", two))),
        ),
        ("n {}", MapProjection(n)),
        (
            "n {.x, .`y z`, a, k: 1, .*}",
            MapProjection(
                n,
                (
                    ProjectedProperty("x"),
                    ProjectedProperty("y z"),
                    ProjectedVariable("a"),
                    Entry("k", one),
                    ProjectedAll(),
                ),
            ),
        ),
    ],
)
def test_lists_and_maps(text: str, want: Expression) -> None:
    assert expression(text) == want


@pytest.mark.parametrize(
    ("text", "first", "direction"),
    [
        ("(a)-->(b)", NodePattern("a"), "out"),
        ("(a)<--(b)", NodePattern("a"), "in"),
        ("(a)--(b)", NodePattern("a"), "any"),
        ("(a)<-->(b)", NodePattern("a"), "any"),
        ("(a) - - > (b)", NodePattern("a"), "out"),
        ("()-->(b)", NodePattern(), "out"),
        ("(:A)-->(b)", NodePattern(None, A), "out"),
        ("(:A {k: 1})-->(b)", NodePattern(None, A, MapOf((Entry("k", one),))), "out"),
        ("(a:A)-->(b)", NodePattern("a", A), "out"),
        ("(a IS A)-->(b)", NodePattern("a", A), "out"),
        ("(a:A {k: 1})-->(b)", NodePattern("a", A, MapOf((Entry("k", one),))), "out"),
        ("(a {k: 1})-->(b)", NodePattern("a", None, MapOf((Entry("k", one),))), "out"),
        ("({k: 1})-->(b)", NodePattern(None, None, MapOf((Entry("k", one),))), "out"),
        ("(a {})-->(b)", NodePattern("a", None, MapOf()), "out"),
        ("($p)-->(b)", NodePattern(None, None, Parameter("p")), "out"),
        ("(a $p)-->(b)", NodePattern("a", None, Parameter("p")), "out"),
        ("(a WHERE c)-->(b)", NodePattern("a", None, None, c), "out"),
        ("(a:A WHERE c)-->(b)", NodePattern("a", A, None, c), "out"),
        ("(a {k: 1} WHERE c)-->(b)", NodePattern("a", None, MapOf((Entry("k", one),)), c), "out"),
        ("(:A WHERE c)-->(b)", NodePattern(None, A, None, c), "out"),
        ("(a:A $p WHERE c)-->(b)", NodePattern("a", A, Parameter("p"), c), "out"),
    ],
)
def test_pattern_predicates(text: str, first: NodePattern, direction: str) -> None:
    assert expression(text) == pattern(first, edge(direction), NodePattern("b"))


def test_longer_patterns() -> None:
    found = expression("(a)-->()<-[x:A|B*1..3 {k: 1}]-(b)")
    assert isinstance(found, PatternExpression)
    assert [type(element).__name__ for element in found.path.elements] == [
        "NodePattern",
        "EdgePattern",
        "NodePattern",
        "EdgePattern",
        "NodePattern",
    ]
    assert expression("NOT (a)-->(b)") == apply("not", pattern(NodePattern("a"), edge(), NodePattern("b")))
    assert expression("(a {k})-->(b)", "opencypher-9") == pattern(
        NodePattern("a", None, Parameter("k")), edge(), NodePattern("b")
    )


def test_shortest_paths_as_values() -> None:
    for name, kind in (("shortestPath", "shortest_path"), ("ALLSHORTESTPATHS", "all_shortest_paths")):
        found = expression(f"{name}((a)-[*]-(b))")
        assert isinstance(found, PatternExpression)
        assert found.path.selector == Selector(kind)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("CASE WHEN a THEN b END", Case(None, (Branch((a,), b),))),
        ("CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END", Case(None, (Branch((a,), one), Branch((b,), two)), three)),
        ("CASE x WHEN 1 THEN a END", Case(x, (Branch((one,), a),))),
        ("CASE x WHEN 1, 2 THEN a END", Case(x, (Branch((one, two), a),))),
        ("CASE end WHEN 1 THEN a END", Case(Ref("end"), (Branch((one,), a),))),
        ("CASE x WHEN > 1 THEN a END", Case(x, (Branch((apply("gt", CaseSubject(), one),), a),))),
        (
            "CASE x WHEN = 1, < 2 THEN a END",
            Case(x, (Branch((apply("eq", CaseSubject(), one), apply("lt", CaseSubject(), two)), a),)),
        ),
        ("CASE x WHEN IS NULL THEN a END", Case(x, (Branch((apply("is_null", CaseSubject()),), a),))),
        ("CASE x WHEN IS NOT NULL THEN a END", Case(x, (Branch((apply("is_not_null", CaseSubject()),), a),))),
        ("CASE x WHEN STARTS WITH b THEN a END", Case(x, (Branch((apply("starts_with", CaseSubject(), b),), a),))),
        ("CASE x WHEN ENDS WITH b THEN a END", Case(x, (Branch((apply("ends_with", CaseSubject(), b),), a),))),
        ("CASE x WHEN CONTAINS b THEN a END", Case(x, (Branch((apply("contains", CaseSubject(), b),), a),))),
        ("CASE x WHEN IN xs THEN a END", Case(x, (Branch((apply("in", CaseSubject(), xs),), a),))),
        ("CASE x WHEN =~ b THEN a END", Case(x, (Branch((apply("matches", CaseSubject(), b),), a),))),
        ("CASE x WHEN IS :: INT THEN a END", Case(x, (Branch((IsTyped(CaseSubject(), ValueType("INTEGER")),), a),))),
        ("CASE x WHEN :: INT THEN a END", Case(x, (Branch((IsTyped(CaseSubject(), ValueType("INTEGER")),), a),))),
        ("CASE x WHEN IS NORMALIZED THEN a END", Case(x, (Branch((IsNormalized(CaseSubject()),), a),))),
        ("CASE x WHEN :A|B THEN a END", Case(x, (Branch((HasLabels(CaseSubject(), LabelOr((A, B))),), a),))),
        ("CASE x WHEN IS NOT A THEN a END", Case(x, (Branch((apply("not", HasLabels(CaseSubject(), A)),), a),))),
        ("CASE WHEN x:A|B THEN 1 END", Case(None, (Branch((HasLabels(x, LabelOr((A, B))),), one),))),
    ],
)
def test_case(text: str, want: Expression) -> None:
    assert expression(text) == want


def test_subqueries() -> None:
    short = Pipeline((Match((Path((NodePattern("a"), edge(), NodePattern("b"))),), c),))
    assert expression("EXISTS { (a)-->(b) WHERE c }") == Subquery("exists", short)
    assert expression("exists{MATCH (a)-->(b) WHERE c}") == Subquery("exists", short)
    assert expression("COUNT { (a)-->(b) WHERE c }") == Subquery("count", short)
    collected = expression("collect { MATCH (a) RETURN a.x }")
    assert isinstance(collected, Subquery)
    assert collected.kind == "collect"
    assert isinstance(collected.body, Pipeline)
    assert len(collected.body.operators) == 2
    repeated = expression("EXISTS { REPEATABLE ELEMENTS (a)-->(b) }")
    assert isinstance(repeated, Subquery)
    assert isinstance(repeated.body, Pipeline)
    (match,) = repeated.body.operators
    assert isinstance(match, Match)
    assert match.uniqueness == "repeatable_elements"
    assert expression("count {.x}") == MapProjection(Ref("count"), (ProjectedProperty("x"),))


def test_places() -> None:
    text = "RETURN a.b + foo( 1 , `x y` ) AS value"
    found = expression("a.b + foo( 1 , `x y` )")
    assert isinstance(found, Apply)
    assert [text[arg.span.start : arg.span.end] for arg in found.args if arg.span] == ["a.b", "foo( 1 , `x y` )"]
    called = found.args[1]
    assert isinstance(called, Call)
    assert [text[arg.span.start : arg.span.end] for arg in called.args if arg.span] == ["1", "`x y`"]


def test_places_are_those_of_the_text_with_its_escapes() -> None:
    text = "RETURN '\\u0041' AS a, b.\\u0063 AS d"
    body = parse(text).body
    assert isinstance(body, Pipeline)
    (project,) = body.operators
    assert isinstance(project, Project)
    assert [text[i.span.start : i.span.end] for i in project.items if i.span] == ["'\\u0041' AS a", "b.\\u0063 AS d"]
    assert project.items[1].value == Property(b, "c")
