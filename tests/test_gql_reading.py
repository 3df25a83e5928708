"""Reading GQL: what each form becomes, what a dialect lacks, what is wrong and where."""

from __future__ import annotations

import pytest

from graphir import ir
from graphir.diagnostics import SyntaxFault
from graphir.dialects import GQL_CONSTRUCTS, GQL_DIALECTS
from graphir.grammar import gql, table
from graphir.limits import MAX_NESTING


def read(text: str, dialect: str = "gql-spanner") -> ir.Query:
    return gql.parse(text, dialect)


def operators(text: str, dialect: str = "gql-spanner") -> tuple[ir.Node, ...]:
    body = read(text, dialect).body
    assert isinstance(body, ir.Pipeline)
    return body.operators


def value(text: str, dialect: str = "gql-spanner") -> ir.Expression:
    """The first column of a query that returns an expression."""
    project = operators(f"RETURN {text} AS x", dialect)[-1]
    assert isinstance(project, ir.Project)
    return project.items[0].value


def path(text: str, dialect: str = "gql-spanner") -> ir.Path:
    match = operators(f"MATCH {text} RETURN 1 AS x", dialect)[0]
    assert isinstance(match, ir.Match)
    return match.paths[0]


def refused(text: str, dialect: str = "gql-spanner") -> tuple[str, int, int, str]:
    with pytest.raises(SyntaxFault) as raised:
        gql.parse(text, dialect)
    found = raised.value.diagnostics[0]
    return found.code, found.line, found.column, found.message


def test_the_grammar_is_free_of_conflicts() -> None:
    grammar = table.text(*gql.GRAMMAR)
    assert table.build(grammar, strict=True).rules == table.build(grammar).rules


A, B, X = ir.Ref("a"), ir.Ref("b"), ir.Ref("x")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a.b", ir.Property(A, "b")),
        ("a.match", ir.Property(A, "match")),
        ("NOT a AND b OR x", ir.Apply("or", (ir.Apply("and", (ir.Apply("not", (A,)), B)), X))),
        ("a + b * x", ir.Apply("add", (A, ir.Apply("mul", (B, X))))),
        ("a || b", ir.Apply("concat", (A, B))),
        ("a <> b", ir.Apply("ne", (A, B))),
        ("a IS NOT NULL", ir.Apply("is_not_null", (A,))),
        ("a IS NOT TRUE", ir.Apply("not", (ir.Apply("is_true", (A,)),))),
        ("a IS UNKNOWN", ir.Apply("is_unknown", (A,))),
        ("a NOT LIKE b", ir.Apply("not", (ir.Apply("like", (A, B)),))),
        ("a BETWEEN b AND x", ir.Apply("between", (A, B, X))),
        ("a IN (b, x)", ir.Apply("in", (A, ir.ListOf((B, X))))),
        ("a NOT IN UNNEST(b)", ir.Apply("not", (ir.Apply("in", (A, B)),))),
        ("a IS LABELED P|Q", ir.HasLabels(A, ir.LabelOr((ir.LabelName("P"), ir.LabelName("Q"))))),
        ("a IS SOURCE OF b", ir.Apply("is_source", (A, B))),
        ("a[OFFSET(1)]", ir.Apply("at_offset", (A, ir.Literal(1)))),
        ("a[SAFE_ORDINAL(1)]", ir.Apply("at_safe_ordinal", (A, ir.Literal(1)))),
        ("COUNT(*)", ir.Apply("count_star")),
        ("COUNT(DISTINCT a)", ir.Apply("count", (A,), True)),
        ("SAFE.LOG(a)", ir.Call(("SAFE", "LOG"), (A,))),
        ("ARRAY_TRANSFORM(a, x -> x.b)", ir.Call(("ARRAY_TRANSFORM",), (A, ir.Lambda(("x",), ir.Property(X, "b"))))),
        (
            "ARRAY_AGG(a IGNORE NULLS ORDER BY b LIMIT 2)",
            ir.Call(
                ("ARRAY_AGG",),
                (ir.Modified(A, "ignore", None, None, (ir.SortKey(B, False, "first"),), ir.Literal(2)),),
            ),
        ),
        ("CASE a WHEN b THEN 1 ELSE 2 END", ir.Case(A, (ir.Branch((B,), ir.Literal(1)),), ir.Literal(2))),
        ("CASE WHEN a THEN 1 END", ir.Case(None, (ir.Branch((A,), ir.Literal(1)),), None)),
        ("SAFE_CAST(a AS INT64)", ir.Cast(A, ir.ValueType("INTEGER"), None, True)),
        ("DATE '2020-01-01'", ir.Cast(ir.Literal("2020-01-01"), ir.ValueType("DATE"))),
        ("CAST(a AS ARRAY<STRING>)", ir.Cast(A, ir.ValueType("LIST", (ir.ValueType("STRING"),)))),
        ("STRUCT(1 AS a, b)", ir.Struct((ir.Named("a", ir.Literal(1)), ir.Named(None, B)))),
        (r"r'\d' ", ir.Literal("\\d")),
        (r"'a\x41\n'", ir.Literal("aA\n")),
        ("'''it's'''", ir.Literal("it's")),
        ("@p", ir.Parameter("p")),
        ("0x1F", ir.Literal(31)),
        ("IF(a, 1, 2)", ir.Call(("IF",), (A, ir.Literal(1), ir.Literal(2)))),
    ],
)
def test_expressions(text: str, made: ir.Expression) -> None:
    assert value(text) == made


def test_tests_of_one_column_bind_tighter_than_not() -> None:
    assert value("NOT a IS NULL") == ir.Apply("not", (ir.Apply("is_null", (A,)),))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("(a)-[e:T]->(b)", ("out", None, None)),
        ("(a)<-[e]-(b)", ("in", None, None)),
        ("(a)-(b)", ("any", None, None)),
        ("(a)->(b)", ("out", None, None)),
        ("(a)<-(b)", ("in", None, None)),
        ("(a)-[e]->{2,3}(b)", ("out", 2, 3)),
        ("(a)-[e]-*(b)", ("any", 0, None)),
        ("(a)->+(b)", ("out", 1, None)),
        ("(a)-[e]->{,4}(b)", ("out", 0, 4)),
    ],
)
def test_edges(text: str, made: tuple[str, int | None, int | None]) -> None:
    edge = path(text).elements[1]
    assert isinstance(edge, ir.EdgePattern)
    bounds = edge.quantifier
    assert (edge.direction, bounds and bounds.low, bounds and bounds.high) == made


@pytest.mark.parametrize(
    ("text", "kind", "mode"),
    [
        ("ANY (a)->(b)", "any", None),
        ("ANY SHORTEST (TRAIL (a)->{1,3}(b))", "any_shortest", None),
        ("ALL SHORTEST ACYCLIC PATHS (a)->(b)", "all_shortest", "acyclic"),
        ("ANY CHEAPEST (a)-[e COST e.w]->(b)", "any_cheapest", None),
        ("SHORTEST 2 (a)->(b)", "shortest", None),
    ],
)
def test_selectors(text: str, kind: str, mode: str | None) -> None:
    found = path(text)
    assert found.selector is not None
    assert (found.selector.kind, found.mode) == (kind, mode)


def test_a_parameter_bounds_a_repetition() -> None:
    edge = path("(a)-[e]->{1,@p}(b)").elements[1]
    assert isinstance(edge, ir.EdgePattern)
    assert edge.quantifier == ir.Bounds(1, None, None, ir.Parameter("p"))


def test_a_lone_edge_is_a_path() -> None:
    assert [type(element) for element in path("-[e:T]->").elements] == [ir.EdgePattern]


@pytest.mark.parametrize(
    ("dialect", "mode"), [("gql-spanner", "repeatable_elements"), ("gql-iso", "repeatable_elements")]
)
def test_the_match_mode_is_stated(dialect: str, mode: str) -> None:
    match = operators("MATCH (a)->(b)->(c) RETURN a.x AS x", dialect)[0]
    assert isinstance(match, ir.Match)
    assert match.uniqueness == mode


def test_a_written_match_mode_counts() -> None:
    match = operators("MATCH DIFFERENT EDGES (a)->(b)->(c) RETURN a.x AS x", "gql-iso")[0]
    assert isinstance(match, ir.Match)
    assert match.uniqueness == "different_edges"


@pytest.mark.parametrize(
    ("text", "dialect", "nulls"),
    [
        ("x", "gql-spanner", "first"),
        ("x DESC", "gql-spanner", "last"),
        ("x", "gql-iso", "last"),
        ("x DESC", "gql-iso", "first"),
        ("x DESC NULLS LAST", "gql-iso", "last"),
    ],
)
def test_where_nulls_sort_is_stated(text: str, dialect: str, nulls: str) -> None:
    project = operators(f"MATCH (a) RETURN a.x AS x ORDER BY {text}", dialect)[-1]
    assert isinstance(project, ir.Project)
    assert project.order[0].nulls == nulls


def test_statements() -> None:
    text = """
        GRAPH g
        MATCH (a)
        FOR x IN a.xs WITH OFFSET AS i
        LET y = x + i
        FILTER y > 1
        WITH a, y
        ORDER BY y OFFSET 1 LIMIT 2
        RETURN DISTINCT a.b, y
    """
    kinds = [type(operator) for operator in operators(text)]
    assert kinds == [ir.Use, ir.Match, ir.Unwind, ir.Let, ir.Filter, ir.Project, ir.Order, ir.Page, ir.Project]


def test_set_operations_meet_by_name_in_googlesql() -> None:
    body = read("MATCH (a) RETURN a.x UNION ALL MATCH (b) RETURN b.x UNION ALL MATCH (c) RETURN c.x").body
    assert isinstance(body, ir.SetOperation)
    assert (body.kind, body.distinct, len(body.branches), body.columns) == ("union", False, 3, "name")


def test_different_set_operations_nest() -> None:
    body = read("RETURN 1 AS x UNION ALL RETURN 2 AS x EXCEPT DISTINCT RETURN 3 AS x").body
    assert isinstance(body, ir.SetOperation)
    assert body.kind == "except"
    assert isinstance(body.branches[0], ir.SetOperation)


def test_subqueries() -> None:
    body = read_body("MATCH (p) RETURN p.x LIMIT 1")
    assert value("VALUE { MATCH (p) RETURN p.x LIMIT 1 }") == ir.Subquery("value", body)
    assert value("ARRAY { MATCH (p) RETURN p.x }") == ir.Subquery("collect", read_body("MATCH (p) RETURN p.x"))
    exists = value("EXISTS { (a)->(b) WHERE a.x > 1 }")
    assert isinstance(exists, ir.Subquery)
    assert isinstance(exists.body, ir.Pipeline)
    assert isinstance(exists.body.operators[0], ir.Match)


def read_body(text: str) -> ir.Body:
    return read(text).body


def test_sql_inside_is_read() -> None:
    select = ir.Select((ir.Item(A),), ir.TableName(("t",)), ir.Apply("eq", (B, ir.Literal(1))))
    assert value("(SELECT a FROM t WHERE (b) = 1)") == ir.Subquery("value", select)
    assert value("EXISTS(SELECT a FROM t WHERE (b) = 1)") == ir.Subquery("exists", select)
    assert value("ARRAY(SELECT a FROM t WHERE (b) = 1)") == ir.Subquery("collect", select)
    assert value("(FROM t |> SELECT (a))") == ir.Subquery("value", ir.Sql("FROM t |> SELECT (a)"))


def test_writes() -> None:
    text = "MATCH (a) INSERT (a)-[:T {x: 1}]->(:P&Q) SET a.x = 2, a:R REMOVE a.y DETACH DELETE a"
    kinds = [type(operator) for operator in operators(text, "gql-iso")]
    assert kinds == [ir.Match, ir.Insert, ir.Set, ir.Remove, ir.Delete]


@pytest.mark.parametrize(
    ("text", "kind", "access"),
    [
        ("SESSION SET TIME ZONE 'utc'", "session set", "read"),
        ("CREATE SCHEMA /a NEXT CREATE SCHEMA /b", "create schema", "write"),
        ("DROP PROPERTY GRAPH g", "drop property graph", "write"),
        ("COMMIT", "commit", "read"),
    ],
)
def test_commands(text: str, kind: str, access: str) -> None:
    command = read(text, "gql-iso").body
    assert isinstance(command, ir.Command)
    assert (command.kind, command.access, command.text) == (kind, access, text)


def test_a_script() -> None:
    found = gql.parse_script("-- one;\nGRAPH g MATCH (a) RETURN a.x; # two;\n;RETURN ';' AS s;", "gql-spanner")
    assert [statement.fault for statement in found] == [None, None]
    assert (found[1].span.start, found[1].span.end) == (46, 61)


# ------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("MATCH (a RETURN 1 AS x", ("G001", 1, 10)),
        ("MATCH (a)\nRETURN a.x LIMIT 1 OFFSET 2", ("G001", 2, 20)),
        ("MATCH (a)", ("G009", 1, 10)),
        ("FOR x IN [1] WITH x AS y RETURN y", ("G001", 1, 19)),
        ("MATCH (order) RETURN 1 AS x", ("G001", 1, 8)),
        ("RETURN 'a", ("G002", 1, 8)),
        ("RETURN /* a", ("G004", 1, 8)),
        ("RETURN `a", ("G003", 1, 8)),
        (r"RETURN '\q' AS x", ("G005", 1, 8)),
        ("MATCH (a)~[e]~(b) RETURN 1 AS x", ("G061", 1, 10)),
        ("RETURN CAST(1 AS NOTYPE) AS x", ("G001", 1, 18)),
        ("", ("G008", 1, 1)),
        ("RETURN 1 AS x; RETURN 2 AS y", ("G007", 1, 16)),
        ("RETURN " + "(" * 3000 + "1" + ")" * 3000 + " AS x", ("G006", 1, 2 * MAX_NESTING + 8)),
    ],
)
def test_faults_have_a_place(text: str, place: tuple[str, int, int]) -> None:
    assert refused(text)[:3] == place


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("MATCH (a) WHERE a.x XOR a.y RETURN a.x", "gql-spanner"),
        ("USE g MATCH (a) RETURN a.x", "gql-spanner"),
        ("GRAPH g MATCH (a) RETURN a.x", "gql-iso"),
        ("MATCH (a) WITH a RETURN a.x", "gql-iso"),
        ("MATCH (a) WHERE a.x IN (1, 2) RETURN a.x", "gql-iso"),
        ("MATCH (a) RETURN a.x UNION MATCH (a) RETURN a.x", "gql-spanner"),
        ("MATCH (a) WHERE a.x IN a.xs RETURN a.x", "gql-spanner"),
        ("MATCH @{k=1} (a) RETURN a.x", "gql-iso"),
    ],
)
def test_what_a_dialect_lacks_is_refused_by_name(text: str, dialect: str) -> None:
    code, _, _, message = refused(text, dialect)
    assert code == "G021"
    assert "is not part of" in message


def test_every_construct_names_known_dialects() -> None:
    assert all(set(construct.dialects) <= set(GQL_DIALECTS) for construct in GQL_CONSTRUCTS.values())
