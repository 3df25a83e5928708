"""What every form of clause, query and pattern becomes."""

from __future__ import annotations

from typing import Any

import pytest

from graphir import ir
from graphir.grammar.cypher import parse
from graphir.ir import Literal, NodePattern, Operator, Path, Pipeline, Property, Ref

n, m, x, xs = map(Ref, ["n", "m", "x", "xs"])
one, two, three = map(Literal, (1, 2, 3))
A, B, C = map(ir.LabelName, "ABC")
NODE = Path((NodePattern("n"),))


def operators(text: str, dialect: str = "neo4j-25") -> tuple[Operator, ...]:
    body = parse(text, dialect).body
    assert isinstance(body, Pipeline)
    return body.operators


def clause(text: str, dialect: str = "neo4j-25") -> Operator:
    """The clause of a text that holds this one only."""
    (found,) = operators(text, dialect)
    return found


def path(text: str) -> Path:
    found = clause(f"MATCH {text}")
    assert isinstance(found, ir.Match)
    (made,) = found.paths
    return made


def item(value: Any, name: str | None = None) -> ir.Item:
    return ir.Item(value, name)


# ------------------------------------------------------------------ patterns


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("()", NodePattern()),
        ("(n)", NodePattern("n")),
        ("(`a b`)", NodePattern("a b")),
        ("(n:A)", NodePattern("n", A)),
        ("(:A:B)", NodePattern(None, ir.LabelAnd((A, B)))),
        ("(n IS A&!B)", NodePattern("n", ir.LabelAnd((A, ir.LabelNot(B))))),
        ("(n:A|(B&C)|%)", NodePattern("n", ir.LabelOr((A, ir.LabelAnd((B, C)), ir.LabelAny())))),
        ("(n:$(x)&$any(xs))", NodePattern("n", ir.LabelAnd((ir.LabelDynamic(x), ir.LabelDynamic(xs, "any"))))),
        ("(n {k: 1})", NodePattern("n", None, ir.MapOf((ir.Entry("k", one),)))),
        ("(n:A $p)", NodePattern("n", A, ir.Parameter("p"))),
        ("(n WHERE x)", NodePattern("n", None, None, x)),
        ("(n:A {k: 1} WHERE x)", NodePattern("n", A, ir.MapOf((ir.Entry("k", one),)), x)),
        ("(WHERE x)", NodePattern(None, None, None, x)),
        ("(where WHERE x)", NodePattern("where", None, None, x)),
        ("(order:Order)", NodePattern("order", ir.LabelName("Order"))),
    ],
)
def test_nodes(text: str, want: NodePattern) -> None:
    assert path(text) == Path((want,))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("-->", ir.EdgePattern()),
        ("<--", ir.EdgePattern(direction="in")),
        ("--", ir.EdgePattern(direction="any")),
        ("<-->", ir.EdgePattern(direction="any")),
        ("-[]->", ir.EdgePattern()),
        ("<-[x]-", ir.EdgePattern("x", direction="in")),
        ("<-[x]->", ir.EdgePattern("x", direction="any")),
        (" - [ x : A ] - > ", ir.EdgePattern("x", A)),
        ("-/* c */[x]-/* c */>", ir.EdgePattern("x")),
        ("–[x]—>", ir.EdgePattern("x")),
        ("⟨-[x]-", ir.EdgePattern("x", direction="in")),
        ("-[:A|B]-", ir.EdgePattern(None, ir.LabelOr((A, B)), direction="any")),
        ("-[:A|:B]->", ir.EdgePattern(None, ir.LabelOr((A, B)))),
        ("-[x IS !A]->", ir.EdgePattern("x", ir.LabelNot(A))),
        ("-[:$(x)]->", ir.EdgePattern(None, ir.LabelDynamic(x))),
        ("-[*]->", ir.EdgePattern(hops=ir.Bounds(1, None))),
        ("-[*2]->", ir.EdgePattern(hops=ir.Bounds(2, 2))),
        ("-[*0..]->", ir.EdgePattern(hops=ir.Bounds(0, None))),
        ("-[*..3]->", ir.EdgePattern(hops=ir.Bounds(1, 3))),
        ("-[x:A*1..3 {k: 1}]->", ir.EdgePattern("x", A, ir.MapOf((ir.Entry("k", one),)), hops=ir.Bounds(1, 3))),
        ("-[*..]->", ir.EdgePattern(hops=ir.Bounds(1, None))),
        ("-[x WHERE xs]->", ir.EdgePattern("x", None, None, xs)),
        ("-[x $p]->", ir.EdgePattern("x", None, ir.Parameter("p"))),
        ("-[:A]->+", ir.EdgePattern(None, A, quantifier=ir.Bounds(1, None))),
        ("-[:A]->*", ir.EdgePattern(None, A, quantifier=ir.Bounds(0, None))),
        ("-->{2}", ir.EdgePattern(quantifier=ir.Bounds(2, 2))),
        ("<--{1,3}", ir.EdgePattern(direction="in", quantifier=ir.Bounds(1, 3))),
        ("--{2,}", ir.EdgePattern(direction="any", quantifier=ir.Bounds(2, None))),
        ("-->{,3}", ir.EdgePattern(quantifier=ir.Bounds(0, 3))),
        ("-->{,}", ir.EdgePattern(quantifier=ir.Bounds(0, None))),
    ],
)
def test_relationships(text: str, want: ir.EdgePattern) -> None:
    assert path(f"(n){text}(m)") == Path((NodePattern("n"), want, NodePattern("m")))


def test_groups() -> None:
    inner = Path((NodePattern("x"), ir.EdgePattern(), NodePattern()))
    assert path("(n) ((x)-->() WHERE xs){1,3} (m)") == Path(
        (NodePattern("n"), ir.PathGroup(inner, xs, ir.Bounds(1, 3)), NodePattern("m"))
    )
    assert path("((x)-->())+ ((x)-->())*") == Path(
        (ir.PathGroup(inner, None, ir.Bounds(1, None)), ir.PathGroup(inner, None, ir.Bounds(0, None)))
    )
    assert path("((n))") == Path((ir.PathGroup(NODE),))
    assert path("(p = (x)-->()){2}") == Path((ir.PathGroup(Path(inner.elements, "p"), None, ir.Bounds(2, 2)),))


@pytest.mark.parametrize(
    ("text", "selector", "mode"),
    [
        ("ALL", ir.Selector("all"), None),
        ("ALL PATHS", ir.Selector("all"), None),
        ("ANY", ir.Selector("any"), None),
        ("ANY 2 PATHS", ir.Selector("any", two), None),
        ("ANY $p", ir.Selector("any", ir.Parameter("p")), None),
        ("ANY SHORTEST", ir.Selector("any_shortest"), None),
        ("ANY SHORTEST PATH", ir.Selector("any_shortest"), None),
        ("ALL SHORTEST PATHS", ir.Selector("all_shortest"), None),
        ("SHORTEST 2", ir.Selector("shortest", two), None),
        ("SHORTEST 2 PATHS", ir.Selector("shortest", two), None),
        ("SHORTEST 2 GROUPS", ir.Selector("shortest_groups", two), None),
        ("SHORTEST 2 PATH GROUPS", ir.Selector("shortest_groups", two), None),
        ("SHORTEST GROUP", ir.Selector("shortest_groups", one), None),
        ("WALK", None, "walk"),
        ("TRAIL PATHS", None, "trail"),
        ("ACYCLIC PATH", None, "acyclic"),
        ("ANY SHORTEST TRAIL PATHS", ir.Selector("any_shortest"), "trail"),
        ("SHORTEST 2 ACYCLIC PATH GROUPS", ir.Selector("shortest_groups", two), "acyclic"),
    ],
)
def test_selectors_and_modes(text: str, selector: ir.Selector | None, mode: str | None) -> None:
    elements = (NodePattern("n"), ir.EdgePattern(quantifier=ir.Bounds(1, None)), NodePattern("m"))
    assert path(f"{text} (n)-->+(m)") == Path(elements, None, selector, mode)
    assert path(f"p = {text} (n)-->+(m)") == Path(elements, "p", selector, mode)


def test_shortest_path_functions() -> None:
    elements = (NodePattern("n"), ir.EdgePattern(direction="any", hops=ir.Bounds(1, None)), NodePattern("m"))
    assert path("p = shortestPath((n)-[*]-(m))") == Path(elements, "p", ir.Selector("shortest_path"))
    assert path("AllShortestPaths((n)-[*]-(m))") == Path(elements, None, ir.Selector("all_shortest_paths"))


@pytest.mark.parametrize("name", ["any", "all", "shortest", "walk", "trail", "acyclic", "repeatable", "different"])
def test_words_of_paths_are_names_too(name: str) -> None:
    assert path(f"{name} = ({name}:A)") == Path((NodePattern(name, A),), name)


# ------------------------------------------------------------------ reading


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("MATCH (n)", ir.Match((NODE,))),
        ("OPTIONAL MATCH (n) WHERE x", ir.Match((NODE,), x, True)),
        ("MATCH (n), (m)", ir.Match((NODE, Path((NodePattern("m"),))))),
        ("MATCH REPEATABLE ELEMENTS (n)", ir.Match((NODE,), uniqueness="repeatable_elements")),
        ("MATCH REPEATABLE ELEMENT BINDINGS (n)", ir.Match((NODE,), uniqueness="repeatable_elements")),
        ("MATCH DIFFERENT RELATIONSHIPS (n)", ir.Match((NODE,))),
        ("MATCH (n) USING INDEX n:A(k, l)", ir.Match((NODE,), hints=(ir.IndexHint("index", "n", "A", ("k", "l")),))),
        (
            "MATCH (n) USING TEXT INDEX SEEK n:A(k)",
            ir.Match((NODE,), hints=(ir.IndexHint("text", "n", "A", ("k",), True),)),
        ),
        (
            "MATCH (n) USING SCAN n:A USING JOIN ON n, m WHERE x",
            ir.Match((NODE,), x, hints=(ir.IndexHint("scan", "n", "A"), ir.JoinHint(("n", "m")))),
        ),
        (
            "MATCH (n) SEARCH n IN (VECTOR INDEX i FOR xs WHERE x LIMIT 3) SCORE AS s WHERE x",
            ir.Match((NODE,), x, search=ir.VectorSearch("n", Ref("i"), xs, x, three, "s")),
        ),
        ("UNWIND xs AS x", ir.Unwind(xs, "x")),
        ("FOR x IN xs", ir.Unwind(xs, "x")),
        ("LET x = 1, m = n", ir.Let((item(one, "x"), item(n, "m")))),
        ("FILTER x", ir.Filter(x)),
        ("FILTER WHERE x", ir.Filter(x)),
        ("RETURN x", ir.Project((item(x),), final=True)),
        ("RETURN x AS n, m.k", ir.Project((item(x, "n"), item(Property(m, "k"))), final=True)),
        ("RETURN *", ir.Project((), final=True, star=True)),
        ("RETURN *, x AS m", ir.Project((item(x, "m"),), final=True, star=True)),
        ("RETURN DISTINCT x", ir.Project((item(x),), final=True, distinct=True)),
        ("RETURN ALL x", ir.Project((item(x),), final=True)),
        ("WITH x WHERE n", ir.Project((item(x),), where=n)),
        (
            "WITH DISTINCT x ORDER BY n LIMIT 3",
            ir.Project((item(x),), distinct=True, order=(ir.SortKey(n),), limit=three),
        ),
        ("WITH x SKIP 1 WHERE n", ir.Project((item(x),), skip=one, where=n)),
        (
            "RETURN x ORDER BY n ASC, m DESC, xs ASCENDING, x.k DESCENDING SKIP 1 LIMIT 3",
            ir.Project(
                (item(x),),
                final=True,
                order=(
                    ir.SortKey(n),
                    ir.SortKey(m, True, "first"),
                    ir.SortKey(xs),
                    ir.SortKey(Property(x, "k"), True, "first"),
                ),
                skip=one,
                limit=three,
            ),
        ),
        ("RETURN x OFFSET 1", ir.Project((item(x),), final=True, skip=one)),
        ("RETURN x GROUP BY n, m", ir.Project((item(x),), final=True, group_by=(n, m))),
        ("RETURN x GROUP BY ()", ir.Project((item(x),), final=True, group_by=())),
        ("WITH x GROUP BY x WHERE n", ir.Project((item(x),), group_by=(x,), where=n)),
        ("FINISH", ir.Finish()),
        ("USE neo4j", ir.Use(Ref("neo4j"))),
        ("USE GRAPH a.b", ir.Use(Property(Ref("a"), "b"))),
        ("USE graph.byName('x')", ir.Use(ir.Apply("graph.byName", (Literal("x"),)))),
        ("LOAD CSV FROM 'f' AS x", ir.LoadCsv(Literal("f"), "x")),
        ("LOAD CSV WITH HEADERS FROM m AS x FIELDTERMINATOR '\\t'", ir.LoadCsv(m, "x", True, "\t")),
        ("ORDER BY x", ir.Order((ir.SortKey(x),))),
        ("SKIP 1 LIMIT 3", ir.Page(one, three)),
        ("LIMIT 3", ir.Page(None, three)),
    ],
)
def test_reading_clauses(text: str, want: Operator) -> None:
    assert clause(text) == want


def test_paging_belongs_to_the_projection_before_it() -> None:
    projection = ir.Project((item(x),), limit=three)
    assert operators("WITH x LIMIT 3 SKIP 1") == (projection, ir.Page(one))
    assert operators("WITH x WHERE n LIMIT 3") == (ir.Project((item(x),), where=n), ir.Page(None, three))
    assert operators("MATCH (n) ORDER BY n SKIP 1 LIMIT 3 LIMIT 2") == (
        ir.Match((NODE,)),
        ir.Order((ir.SortKey(n),)),
        ir.Page(one, three),
        ir.Page(None, two),
    )


def test_items_remember_their_text() -> None:
    found = clause("RETURN  n . name ,(x)")
    assert isinstance(found, ir.Project)
    assert [i.text for i in found.items] == ["n . name", "(x)"]


# ------------------------------------------------------------------ calls


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("CALL db.labels", ir.ProcedureCall(("db", "labels"), None)),
        ("CALL db.labels()", ir.ProcedureCall(("db", "labels"))),
        ("OPTIONAL CALL a.b(x, 1)", ir.ProcedureCall(("a", "b"), (x, one), optional=True)),
        ("CALL a() YIELD *", ir.ProcedureCall(("a",), (), None, True)),
        (
            "CALL a YIELD x, m AS n WHERE x",
            ir.ProcedureCall(("a",), None, (ir.YieldItem("x"), ir.YieldItem("m", "n")), False, x),
        ),
    ],
)
def test_procedure_calls(text: str, want: Operator) -> None:
    assert clause(text) == want


BODY = Pipeline((ir.Project((item(one, "x"),), final=True),))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("CALL { RETURN 1 AS x }", ir.SubqueryCall(BODY, None)),
        ("CALL () { RETURN 1 AS x }", ir.SubqueryCall(BODY)),
        ("CALL (*) { RETURN 1 AS x }", ir.SubqueryCall(BODY, (), True)),
        ("OPTIONAL CALL (n, m) { RETURN 1 AS x }", ir.SubqueryCall(BODY, ("n", "m"), optional=True)),
        (
            "CALL { RETURN 1 AS x } IN TRANSACTIONS",
            ir.SubqueryCall(BODY, None, transactions=ir.Transactions()),
        ),
        (
            "CALL { RETURN 1 AS x } IN TRANSACTIONS OF 3 ROWS ON ERROR BREAK REPORT STATUS AS s",
            ir.SubqueryCall(BODY, None, transactions=ir.Transactions(three, on_error="break", report="s")),
        ),
        (
            "CALL { RETURN 1 AS x } IN CONCURRENT TRANSACTIONS OF 1 ROW",
            ir.SubqueryCall(BODY, None, transactions=ir.Transactions(one, True)),
        ),
        (
            "CALL { RETURN 1 AS x } IN 3 CONCURRENT TRANSACTIONS ON ERROR RETRY",
            ir.SubqueryCall(BODY, None, transactions=ir.Transactions(None, True, three, True)),
        ),
        (
            "CALL { RETURN 1 AS x } IN TRANSACTIONS ON ERROR RETRY FOR 2 SECONDS THEN CONTINUE",
            ir.SubqueryCall(
                BODY, None, transactions=ir.Transactions(retry=True, retry_seconds=two, on_error="continue")
            ),
        ),
        (
            "CALL { RETURN 1 AS x } IN TRANSACTIONS ON ERROR RETRY THEN FAIL",
            ir.SubqueryCall(BODY, None, transactions=ir.Transactions(retry=True, on_error="fail")),
        ),
    ],
)
def test_subquery_calls(text: str, want: Operator) -> None:
    assert clause(text) == want


# ------------------------------------------------------------------ writing


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("CREATE (n)", ir.Insert((NODE,))),
        ("INSERT (n)", ir.Insert((NODE,))),
        ("INSERT (:A&B)", ir.Insert((Path((NodePattern(None, ir.LabelAnd((A, B))),)),))),
        ("MERGE (n)", ir.Merge(NODE)),
        (
            "MERGE (n) ON CREATE SET n.k = 1 ON MATCH SET n.k = 2",
            ir.Merge(
                NODE,
                (
                    ir.MergeAction("create", (ir.SetProperty(Property(n, "k"), one),)),
                    ir.MergeAction("match", (ir.SetProperty(Property(n, "k"), two),)),
                ),
            ),
        ),
        ("SET n.k = 1", ir.Set((ir.SetProperty(Property(n, "k"), one),))),
        ("SET n[x] = 1", ir.Set((ir.SetProperty(ir.Index(n, x), one),))),
        ("SET (n).k = 1", ir.Set((ir.SetProperty(Property(n, "k"), one),))),
        (
            "SET n = m, n += {k: 1}",
            ir.Set((ir.SetProperties(n, m), ir.SetProperties(n, ir.MapOf((ir.Entry("k", one),)), True))),
        ),
        ("SET n:A:$(x)", ir.Set((ir.SetLabels(n, (A, ir.LabelDynamic(x))),))),
        ("SET n IS A", ir.Set((ir.SetLabels(n, (A,)),))),
        ("REMOVE n.k, n[x]", ir.Remove((ir.RemoveProperty(Property(n, "k")), ir.RemoveProperty(ir.Index(n, x))))),
        ("REMOVE n:A:B", ir.Remove((ir.RemoveLabels(n, (A, B)),))),
        ("REMOVE n IS A", ir.Remove((ir.RemoveLabels(n, (A,)),))),
        ("DELETE n, m", ir.Delete((n, m))),
        ("DETACH DELETE n", ir.Delete((n,), "detach")),
        ("NODETACH DELETE n", ir.Delete((n,))),
        (
            "FOREACH (x IN xs | CREATE (n) DELETE m)",
            ir.Foreach("x", xs, (ir.Insert((NODE,)), ir.Delete((m,)))),
        ),
    ],
)
def test_writing_clauses(text: str, want: Operator) -> None:
    assert clause(text) == want


def test_spellings_are_remembered() -> None:
    inserted, changed = clause("INSERT (n)"), clause("SET n IS A")
    assert isinstance(inserted, ir.Insert)
    assert inserted.keyword == "INSERT"
    assert isinstance(changed, ir.Set)
    assert isinstance(changed.items[0], ir.SetLabels)
    assert changed.items[0].keyword == "IS"


# ------------------------------------------------------------------ composition


def returning(number: int) -> Pipeline:
    return Pipeline((ir.Project((item(Literal(number), "x"),), final=True),))


def test_unions() -> None:
    first, second, third = returning(1), returning(2), returning(3)
    text = "RETURN 1 AS x UNION {}RETURN 2 AS x UNION {}RETURN 3 AS x"
    assert parse(text.format("", "")).body == ir.SetOperation("union", True, (first, second, third))
    assert parse(text.format("", "DISTINCT ")).body == ir.SetOperation("union", True, (first, second, third))
    assert parse(text.format("ALL ", "ALL ")).body == ir.SetOperation("union", False, (first, second, third))
    assert parse(text.format("ALL ", "")).body == ir.SetOperation(
        "union", True, (ir.SetOperation("union", False, (first, second)), third)
    )


def test_next_braces_and_conditions() -> None:
    assert parse("RETURN 1 AS x NEXT RETURN 2 AS x").body == ir.Next((returning(1), returning(2)))
    assert parse("{ RETURN 1 AS x } UNION ALL { RETURN 2 AS x }").body == ir.SetOperation(
        "union", False, (returning(1), returning(2))
    )
    assert parse("WHEN x THEN RETURN 1 AS x WHEN n THEN { RETURN 2 AS x } ELSE RETURN 3 AS x").body == ir.Conditional(
        (ir.When(x, returning(1)), ir.When(n, returning(2)), ir.When(None, returning(3)))
    )
    assert parse("WHEN x THEN RETURN 1 AS x").body == ir.Conditional((ir.When(x, returning(1)),))


@pytest.mark.parametrize(
    ("text", "execution", "version", "options"),
    [
        ("RETURN 1 AS x;", None, None, ()),
        ("EXPLAIN RETURN 1 AS x", "explain", None, ()),
        ("profile RETURN 1 AS x", "profile", None, ()),
        ("CYPHER RETURN 1 AS x", None, None, ()),
        ("CYPHER 25 RETURN 1 AS x", None, "25", ()),
        ("CYPHER 5 EXPLAIN RETURN 1 AS x", "explain", "5", ()),
        ("EXPLAIN CYPHER 25 runtime=slotted RETURN 1 AS x", "explain", "25", (("runtime", "slotted"),)),
        (
            "CYPHER planner = cost runtime=parallel RETURN 1 AS x",
            None,
            None,
            (("planner", "cost"), ("runtime", "parallel")),
        ),
    ],
)
def test_prefixes(text: str, execution: str | None, version: str | None, options: tuple[tuple[str, str], ...]) -> None:
    entries = tuple(ir.Entry(key, Literal(value)) for key, value in options)
    assert parse(text) == ir.Query(returning(1), execution, version, entries)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (match:Match {order: 1})-[in:IN]->(end:End) RETURN match.order AS order, end.in ORDER BY order",
        "WITH 1 AS all, 2 AS any, 3 AS single RETURN all, any, single",
        "MATCH (n) RETURN n.return, n.where, n.limit, n.null",
        "UNWIND [1] AS in RETURN in",
        "MATCH (n) RETURN {order: 1, match: 2, null: 3}",
        "MATCH (order:Order)-[:ORDERS]->(set) RETURN order.set, set ORDER BY set.order DESC SKIP 1 LIMIT 2",
        "MATCH (union) RETURN union UNION MATCH (union) RETURN union",
        "RETURN CASE WHEN end THEN when ELSE else END",
        "MATCH (from)-[r]->(to) RETURN collect(from), from.x, trim(from), count(DISTINCT order), count(case)",
        "MATCH (n)-[or:ORDERS]->() WHERE or.x > 1 RETURN CASE union = 0 WHEN true THEN 0 ELSE 1 END",
    ],
)
def test_keywords_as_names(text: str) -> None:
    assert isinstance(parse(text, "neo4j-5"), ir.Query)
