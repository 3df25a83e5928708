"""From surface to core, shown as Cypher: `print_query` of a core query is Cypher again."""

from __future__ import annotations

import pytest

import graphir
from graphir import ir
from graphir.diagnostics import SemanticFault, Unsupported
from graphir.grammar.cypher import parse
from graphir.ir import json as ir_json
from graphir.ir import text as ir_text
from graphir.passes.conditions import CORE, violations
from graphir.passes.normalize import PASSES, normalize
from graphir.source import Source


def core(text: str, dialect: str = "neo4j-25") -> ir.Query:
    return normalize(parse(text, dialect), Source(text), dialect)


def steps(text: str) -> list[str]:
    """The operators of core after the first, short: `order` and `(ref x)`."""
    body = core(text).body
    assert isinstance(body, ir.Pipeline)
    return [ir_text.dumps(operator) for operator in body.operators[1:]]


def same(text: str, expected: list[str]) -> None:
    """The steps after the first operator are the expected ones, read as IR."""
    assert [ir_text.loads(step) for step in steps(text)] == [ir_text.loads(step) for step in expected]


SOME = [
    "RETURN 1",
    "MATCH (n) RETURN n",
    "MATCH (a)-[:R]->()<-[r*2..3]-(b:B) WHERE 1 < a.x < 3 RETURN *",
    "MATCH (a)-->(b) RETURN a.x ORDER BY b.x DESC SKIP 1 LIMIT 2",
    "MATCH (a)-->(b) WITH a.x AS x WHERE b.y > 1 AND x < 3 RETURN x",
    "MATCH (a)-->(b) WITH DISTINCT a AS b ORDER BY a.y LIMIT 3 WHERE b.x > 1 RETURN b",
    "MATCH (a) RETURN a.x AS x, a.x + count(*) AS c, count(*) ORDER BY count(*), x",
    "MATCH (a)-->(b) WITH a, collect(b) AS bs UNWIND bs AS b RETURN a{.x, b, .*}, size((a)-->()) AS s",
    "MATCH (a) WHERE (a)-->() AND NOT exists((a)<--()) AND exists(a.x) RETURN a",
    "MATCH (a) WHERE EXISTS { (a)-->(b) WHERE EXISTS { (b)-->() } } RETURN COUNT { (a)--() } AS c",
    "MATCH (a) CALL (*) { MATCH (a)-->(b) RETURN * ORDER BY b.x LIMIT 1 } RETURN b",
    "MATCH (a) RETURN a.x AS x UNION MATCH (b) RETURN b.x AS x ORDER BY b.y",
    "MATCH (a) RETURN a.x AS x NEXT RETURN x, count(*) AS c",
    "INSERT (a:A&B)-[:R]->(b) SET a.x = 1 RETURN a",
    "MATCH p = shortestPath((a)-[*..3]-(b)) RETURN p, [n IN nodes(p) | n.x] AS xs",
    "MATCH (a) ((x)-[r]->(y)){1,3} (b) RETURN x, count(r) AS c",
    "MATCH ()-[r*]->() MATCH (a)-[r*]->(b) RETURN a",
    "MATCH (a) RETURN a.x AS z, count(*) AS c GROUP BY a.x, a.y ORDER BY a.y",
    "FOREACH (x IN [1] | MERGE (a:A {id: x}))",
    "CREATE INDEX i FOR (n:N) ON (n.x)",
]


@pytest.mark.parametrize("text", SOME)
def test_core_conditions_hold_and_core_is_its_own_core(text: str) -> None:
    made = core(text)
    assert violations(made) == []
    assert normalize(made) == made
    assert ir_text.loads(ir_text.dumps(made)) == made
    assert ir_json.from_json(ir_json.to_json(made)) == made


@pytest.mark.parametrize("text", SOME)
def test_each_pass_finds_what_it_requires_and_leaves_what_it_ensures(text: str) -> None:
    query = parse(text)
    ensured = []
    for each in PASSES:
        assert [found for must in each.requires for found in must.violations(query)] == []
        query = each.run(query, Source(text))
        ensured += each.ensures
        assert [found for must in ensured for found in must.violations(query)] == [], each.name
    assert set(ensured) <= set(CORE)


def test_every_condition_can_be_violated() -> None:
    broken = {
        "stars are gone": "RETURN *",
        "columns are named": "RETURN 1 + 1",
        "elements are named": "MATCH () RETURN 1 AS x",
        "hops are quantifiers": "MATCH (a)-[r*]->(b) RETURN 1 AS x",
        "expressions are plain": "RETURN 1 < 2 < 3 AS x",
        "projections are single steps": "RETURN 1 AS x LIMIT 1",
        "aggregates are grouped": "RETURN count(*) AS x",
        "names resolve": "RETURN y AS x",
    }
    for condition in CORE:
        if condition.name in broken:
            assert condition.violations(parse(broken[condition.name])) != [], condition.name
    odd = ir.Query(ir.Pipeline((ir.Match((ir.Path((ir.NodePattern("n"),)),), uniqueness="none"),)))
    assert violations(odd) == ["modes are stated: match"]
    one = ir.Pipeline((ir.Project((ir.Item(ir.Literal(1), "x"),), final=True),))
    by_name = ir.Query(ir.SetOperation("union", True, (one, one), "name"))
    assert violations(by_name) == ["columns meet by position: set-operation"]
    assert {c.name for c in CORE} == {*broken, "modes are stated", "columns meet by position"}


# ------------------------------------------------------------------ projections


def test_a_projection_is_a_single_step() -> None:
    same(
        "MATCH (n) RETURN n.x AS x ORDER BY x DESC SKIP 1 LIMIT 2",
        [
            "(project [(item (property (ref n) x) :name x)] :final true)",
            "(order [(sort-key (ref x) :descending true :nulls first)])",
            "(page :skip (literal 1) :limit (literal 2))",
        ],
    )


def test_a_sort_key_from_before_the_projection_is_a_hidden_column() -> None:
    same(
        "MATCH (n)-->(m) RETURN n.x AS x ORDER BY m.y",
        [
            "(project [(item (property (ref n) x) :name x) (item (property (ref m) y) :name %o1)])",
            "(order [(sort-key (ref %o1))])",
            "(project [(item (ref x) :name x)] :final true)",
        ],
    )


def test_a_mixed_sort_key_hides_only_what_is_gone() -> None:
    same(
        "MATCH (n)-->(m) WITH n.x AS x ORDER BY x + m.y RETURN x",
        [
            "(project [(item (property (ref n) x) :name x) (item (property (ref m) y) :name %o1)])",
            "(order [(sort-key (apply add :args [(ref x) (ref %o1)]))])",
            "(project [(item (ref x) :name x)])",
            "(project [(item (ref x) :name x)] :final true)",
        ],
    )


def test_a_projected_expression_in_a_sort_key_is_its_column() -> None:
    same(
        "MATCH (n)-->(m) RETURN DISTINCT n.x + m.x AS s, n AS k ORDER BY n.x + m.x + 1, n.y",
        [
            "(project [(item (apply add :args [(property (ref n) x) (property (ref m) x)]) :name s)"
            " (item (ref n) :name k)] :final true :distinct true)",
            "(order [(sort-key (apply add :args [(ref s) (literal 1)])) (sort-key (property (ref k) y))])",
        ],
    )


def test_new_names_come_before_old_ones() -> None:
    """`n` in the sort key is the new column; a projected `n.x` is still the column that was computed from the old."""
    same(
        "MATCH (n)-->(m) WITH n AS m, m AS n ORDER BY n.x RETURN 1 AS one",
        [
            "(project [(item (ref n) :name m) (item (ref m) :name n)])",
            "(order [(sort-key (property (ref n) x))])",
            "(project [(item (literal 1) :name one)] :final true)",
        ],
    )
    same(
        "MATCH (n)-->(m) WITH n.x AS x, m AS n ORDER BY n.x WHERE n.x > 0 RETURN x",
        [
            "(project [(item (property (ref n) x) :name x) (item (ref m) :name n)])",
            "(order [(sort-key (ref x))])",
            "(filter (apply gt :args [(property (ref n) x) (literal 0)]))",
            "(project [(item (ref x) :name x)] :final true)",
        ],
    )


def test_where_after_with_may_read_what_is_gone() -> None:
    same(
        "MATCH (n)-->(m) WITH n.x AS x ORDER BY x LIMIT 5 WHERE x > 1 AND m.y > 1 RETURN x",
        [
            "(project [(item (property (ref n) x) :name x) (item (property (ref m) y) :name %o1)])",
            "(order [(sort-key (ref x))])",
            "(page :limit (literal 5))",
            "(filter (apply and :args [(apply gt :args [(ref x) (literal 1)])"
            " (apply gt :args [(ref %o1) (literal 1)])]))",
            "(project [(item (ref x) :name x)])",
            "(project [(item (ref x) :name x)] :final true)",
        ],
    )


def test_names_of_an_expression_s_own_are_not_columns() -> None:
    same(
        "MATCH (n) WITH n.x AS x, n.l AS l ORDER BY [x IN l | x + 1], [y IN n.l | y + x], [n IN l | n + x] RETURN l",
        [
            "(project [(item (property (ref n) x) :name x) (item (property (ref n) l) :name l)])",
            "(order [(sort-key (list-comprehension x (ref l) :body (apply add :args [(ref x) (literal 1)])))"
            " (sort-key (list-comprehension y (ref l) :body (apply add :args [(ref y) (ref x)])))"
            " (sort-key (list-comprehension n (ref l) :body (apply add :args [(ref n) (ref x)])))])",
            "(project [(item (ref l) :name l)] :final true)",
        ],
    )


def test_a_column_named_like_an_old_variable_is_not_mistaken_for_it() -> None:
    """The key is computed before: after the projection `n.x` would be read as the projected `n.x`."""
    same(
        "MATCH (n)-->(m) RETURN n.x AS c, m AS n ORDER BY m.x",
        [
            "(project [(item (property (ref n) x) :name c) (item (ref m) :name n)"
            " (item (property (ref m) x) :name %o1)])",
            "(order [(sort-key (ref %o1))])",
            "(project [(item (ref c) :name c) (item (ref n) :name n)] :final true)",
        ],
    )


def test_an_order_that_would_be_misread_stands_apart() -> None:
    same(
        "MATCH (n)-->(m) RETURN DISTINCT n.x AS c, m AS n ORDER BY m.x",
        [
            "(project [(item (property (ref n) x) :name c) (item (ref m) :name n)] :distinct true)",
            "(project [(item (ref c) :name c) (item (ref n) :name n)] :final true)",
            "(order [(sort-key (property (ref n) x))])",
        ],
    )


def test_a_pattern_in_a_sort_key_carries_its_variables() -> None:
    same(
        "MATCH (n) RETURN n.x AS x ORDER BY COUNT { (n)-->(q) WHERE q.x > x }",
        [
            "(project [(item (property (ref n) x) :name x) (item (ref n) :name %o1)])",
            "(order [(sort-key (subquery count (pipeline [(match [(path [(node :variable %o1) (edge :variable %e1)"
            " (node :variable q)])] :where (apply gt :args [(property (ref q) x) (ref x)]))])))])",
            "(project [(item (ref x) :name x)] :final true)",
        ],
    )


def test_star_keeps_the_user_s_variables_in_the_order_of_their_names() -> None:
    same(
        "MATCH (b)-[]->(a), () RETURN *, a.x AS b",
        [
            "(project [(item (ref a) :name a) (item (property (ref a) x) :name b)] :final true)",
        ],
    )


@pytest.mark.parametrize(
    ("item", "name"),
    [("n.x", "n.x"), ("n . x", "n . x"), ("count( * )", "count( * )"), ("n", "n"), ("n{.x}", "n"), ("1+  1", "1+  1")],
)
def test_a_column_without_as_is_named_by_its_text(item: str, name: str) -> None:
    body = core(f"MATCH (n) RETURN {item}").body
    assert isinstance(body, ir.Pipeline)
    last = body.operators[-1]
    assert isinstance(last, ir.Project)
    assert last.items[0].name == name


# ------------------------------------------------------------------ grouping


def test_grouping_is_explicit() -> None:
    same(
        "MATCH (n)-->(m) WITH n.x AS x, count(m) AS c RETURN x",
        [
            "(aggregate [(item (property (ref n) x) :name x)] [(item (apply count :args [(ref m)]) :name c)])",
            "(project [(item (ref x) :name x)] :final true)",
        ],
    )


def test_a_mixed_column_is_computed_from_keys_and_aggregates() -> None:
    same(
        "MATCH (n)-->(m) RETURN count(m) * 2 + n.x AS d, n.x AS x, count(m) AS c",
        [
            "(aggregate [(item (property (ref n) x) :name x)] [(item (apply count :args [(ref m)]) :name c)])",
            "(project [(item (apply add :args [(apply mul :args [(ref c) (literal 2)]) (ref x)]) :name d)"
            " (item (ref x) :name x) (item (ref c) :name c)] :final true)",
        ],
    )


def test_a_key_variable_may_be_used_in_any_way() -> None:
    same(
        "MATCH (n)-->(m) RETURN n AS k, n.y + count(m) + size([x IN collect(m) WHERE x.y > n.y]) AS d",
        [
            "(aggregate [(item (ref n) :name k)]"
            " [(item (apply count :args [(ref m)]) :name %a1) (item (apply collect :args [(ref m)]) :name %a2)])",
            "(project [(item (ref k) :name k) (item (apply add :args [(property (ref k) y) (ref %a1)"
            " (apply size :args [(list-comprehension x (ref %a2)"
            " :where (apply gt :args [(property (ref x) y) (property (ref k) y)]))])]) :name d)] :final true)",
        ],
    )


def test_an_aggregate_that_only_the_order_needs_is_a_hidden_column() -> None:
    same(
        "MATCH (n)-->(m) RETURN n.x AS x, count(*) AS c ORDER BY sum(m.y), c",
        [
            "(aggregate [(item (property (ref n) x) :name x)]"
            " [(item (apply count_star) :name c) (item (apply sum :args [(property (ref m) y)]) :name %a1)])",
            "(order [(sort-key (ref %a1)) (sort-key (ref c))])",
            "(project [(item (ref x) :name x) (item (ref c) :name c)] :final true)",
        ],
    )


def test_group_by_names_the_keys() -> None:
    same(
        "MATCH (n) RETURN n.x AS x, count(*) AS c GROUP BY n.x, n.y ORDER BY n.y",
        [
            "(aggregate [(item (property (ref n) x) :name x) (item (property (ref n) y) :name %k1)]"
            " [(item (apply count_star) :name c)])",
            "(project [(item (ref x) :name x) (item (ref c) :name c) (item (ref %k1) :name %k1)])",
            "(order [(sort-key (ref %k1))])",
            "(project [(item (ref x) :name x) (item (ref c) :name c)] :final true)",
        ],
    )


def test_plugin_aggregates_group() -> None:
    body = core("MATCH (n) RETURN n.x AS x, apoc.agg.first(n.y) AS y").body
    assert isinstance(body, ir.Pipeline)
    assert isinstance(body.operators[1], ir.Aggregate)


AMBIGUOUS = [
    "MATCH (a) RETURN a.x + count(*)",
    "MATCH (a) RETURN {k: a.x, c: count(*)}",
    "MATCH (a) RETURN a{.x, c: count(*)}",
    "MATCH (a) RETURN count(*) + size([x IN collect(a) WHERE x.y > a.y])",
    "MATCH (a) RETURN count(*) + COUNT { (a)--() }",
    "MATCH (a) RETURN a.x + 1, a.x + 1 + count(*)",
    "MATCH (a) RETURN a.x + a.y, a.x + a.y + count(*)",
    "MATCH (a) RETURN size(a.x), size(a.x) + count(*)",
    "MATCH (a) RETURN CASE WHEN count(*) > 1 THEN a.x ELSE 0 END",
    "MATCH (a) WITH a.x AS x RETURN x + count(*) AS t",
    "MATCH (a) RETURN a.x, count(*) GROUP BY a.y",
]
GROUPED = [
    "MATCH (a) RETURN a.x, a.x + count(*)",
    "MATCH (a) RETURN a, a.x + count(*)",
    "MATCH (a) RETURN a.x AS k, {k: a.x, c: count(*)}",
    "MATCH (a) RETURN a AS b, a{.x, c: count(*)} AS m",
    "MATCH (a) RETURN 1 + count(*), $p + count(*)",
    "MATCH (a) RETURN count(*) + size([x IN collect(a) WHERE x.y > 1])",
    "MATCH (a) RETURN a, count(*) + COUNT { (a)--() }",
    "MATCH (a) RETURN a.x, a.x.y + count(*)",
    "MATCH (a) RETURN a.x, CASE WHEN count(*) > 1 THEN a.x ELSE 0 END",
    "MATCH (a) RETURN count(*) GROUP BY ()",
]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_ambiguous_grouping_is_refused(text: str) -> None:
    with pytest.raises(SemanticFault) as caught:
        core(text)
    (found,) = caught.value.diagnostics
    assert found.code == "G111"
    assert text[found.start : found.end]


@pytest.mark.parametrize("text", GROUPED)
def test_what_follows_from_the_keys_is_accepted(text: str) -> None:
    assert violations(core(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a) WHERE count(a) > 10 RETURN a",
        "MATCH (n) RETURN n.x AS x ORDER BY max(n.y)",
        "MATCH (n) RETURN [x IN [1] | count(n)] AS l",
        "MATCH (n) RETURN count(count(n)) AS c",
        "UNWIND [count(1)] AS x RETURN x",
    ],
)
def test_a_misplaced_aggregate_is_refused(text: str) -> None:
    with pytest.raises(SemanticFault) as caught:
        core(text)
    assert [found.code for found in caught.value.diagnostics] == ["G112"]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n AS m, count(*) + COUNT { (n)--(m) } AS c",
        "MATCH (n) RETURN DISTINCT count(*) AS c ORDER BY sum(n.x)",
    ],
)
def test_scopes_without_a_core_form_are_refused(text: str) -> None:
    with pytest.raises(Unsupported) as caught:
        core(text)
    assert caught.value.code == "G113"


# ------------------------------------------------------------------ patterns and expressions


def first(text: str) -> str:
    body = core(text).body
    assert isinstance(body, ir.Pipeline)
    return ir_text.dumps(body.operators[0])


def test_elements_get_names_and_hops_become_quantifiers() -> None:
    expected = (
        "(match [(path [(node :variable %n1) (edge :variable r :direction in :quantifier (bounds 1 null))"
        " (node :variable b) (edge :variable %e1) (node :variable %n2)])])"
    )
    assert ir_text.loads(first("MATCH ()<-[r*]-(b)-->() RETURN 1 AS x")) == ir_text.loads(expected)


def test_a_repeated_variable_length_edge_is_compared() -> None:
    made = core("MATCH ()-[r*]->() MATCH (a)-[r*2]->(b) WHERE a.x = 1 RETURN a").body
    assert isinstance(made, ir.Pipeline)
    expected = (
        "(match [(path [(node :variable a) (edge :variable %e1 :quantifier (bounds 2 2)) (node :variable b)])]"
        " :where (apply and :args [(apply eq :args [(property (ref a) x) (literal 1)])"
        " (apply eq :args [(ref %e1) (ref r)])]))"
    )
    assert made.operators[1] == ir_text.loads(expected)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("(a)-->()", "exists"),
        ("exists((a)-->())", "exists"),
        ("size([(a)-->(b) WHERE b.x > 1 | b]) > 0", "count"),
    ],
)
def test_patterns_in_expressions_are_subqueries(expression: str, kind: str) -> None:
    made = core(f"MATCH (a) WHERE {expression} RETURN a")
    assert [node.kind for node in ir.walk(made) if isinstance(node, ir.Subquery)] == [kind]
    assert not any(isinstance(node, (ir.PatternExpression, ir.PatternComprehension)) for node in ir.walk(made))


def test_chains_and_map_projections_are_written_out() -> None:
    same(
        "MATCH (n) RETURN 1 < n.x <= 3 AS c, n{.x, .*, y: 2} AS m",
        [
            "(project [(item (apply and :args [(apply lt :args [(literal 1) (property (ref n) x)])"
            " (apply le :args [(property (ref n) x) (literal 3)])]) :name c)"
            " (item (map-projection (ref n) :items [(entry x (property (ref n) x)) (projected-all)"
            " (entry y (literal 2))]) :name m)] :final true)",
        ],
    )


def test_exists_of_a_property_is_a_test_for_null() -> None:
    made = core("MATCH (n) WHERE exists(n.x) RETURN n", "opencypher-9").body
    assert isinstance(made, ir.Pipeline)
    assert isinstance(made.operators[0], ir.Match)
    assert made.operators[0].where == ir.Apply("is_not_null", (ir.Property(ir.Ref("n"), "x"),))


def test_spans_stay_on_rewritten_nodes() -> None:
    text = "MATCH (n) WHERE 1 < n.x < 3 RETURN n.x ORDER BY n.y LIMIT 1"
    for node in ir.walk(core(text)):
        assert node.span is not None or isinstance(node, (ir.Bounds,)), node


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("MATCH {}(a)-[e]->(b) RETURN a.x AS x", "neo4j-25"),
        ("MATCH {}(a)-[e]->{{1,3}}(b) RETURN a.x AS x", "gql-iso"),
        ("GRAPH g MATCH {}(a)-[e]->{{1,3}}(b) RETURN a.x AS x", "gql-spanner"),
    ],
)
def test_all_in_front_of_a_path_chooses_none(text: str, dialect: str) -> None:
    with_all, without = [normalize(graphir.parse(text.format(word), dialect), dialect=dialect) for word in ("ALL ", "")]
    assert with_all == without
