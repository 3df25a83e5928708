"""Trino as a target.  No Trino runs in the tests: what is said is what its documentation settles.

Left out are parameters, which have no names there, paths that repeat edges, whose depth is bounded by the cluster, and
what depends on how NaN sorts.
"""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Abilities
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    EDGE,
    FLOAT,
    INTEGER,
    NODE,
    NULL,
    PATH,
    PATH_OF_TEXTS,
    STRING,
)
from graphir.backends.sql.targets.nesting import of_elements
from graphir.backends.sql.targets.rewriting import dotted, keep, renamed
from graphir.backends.sql.targets.target import Rewriting, Rule, Target, composed
from graphir.backends.sql.targets.unproved import checked, common, contained, joined, no_floats, no_recursion, trimmed

_TYPES = {
    **dict.fromkeys((NULL, BOOLEAN), "BOOLEAN"),
    **dict.fromkeys((INTEGER, NODE, EDGE), "BIGINT"),
    FLOAT: "DOUBLE",
    STRING: "VARCHAR",
    DATE: "DATE",
    PATH: "ROW(nodes ARRAY(BIGINT), edges ARRAY(BIGINT))",
    PATH_OF_TEXTS: "ROW(nodes ARRAY(VARCHAR), edges ARRAY(VARCHAR))",
}


def _divided(node: exp.IntDiv, _: Rewriting) -> Sql:
    """Of integers the quotient is truncated, and an error for zero."""
    return exp.Div(this=node.this, expression=node.expression, typed=True)


def _quotient(node: exp.Div, _: Rewriting) -> Sql:
    return exp.Div(this=node.this, expression=node.expression, typed=True)


def _cast(node: exp.Cast, rewriting: Rewriting) -> Sql:
    if isinstance(node.this, (exp.Placeholder, exp.Parameter)):
        rewriting.refuse("parameters, which have no names in Trino")
    return node


def _ends(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    text, part = node.expressions
    if text.find(exp.Select) or part.find(exp.Select):
        rewriting.refuse("ENDS WITH with a subquery")
    begin = build.binary(exp.Sub, build.call("length", text.copy()), build.call("length", part.copy()))
    long_enough = build.binary(exp.GTE, begin.copy(), build.number(0))
    rest = build.call("substr", text, build.binary(exp.Add, begin, build.number(1)))
    return build.conjunction([long_enough, build.equal(rest, part)])


def _structure(node: exp.Struct, rewriting: Rewriting) -> Sql:
    names = {each.this.name for each in node.expressions}
    rep = PATH if names == {"nodes", "edges"} else build.note(node)
    if rep is None:
        rewriting.refuse("a structure of unknown types")
    row = build.call("ROW", *[each.expression for each in node.expressions])
    return exp.Cast(this=row, to=rewriting.type_of(rep))


def _reduced(node: exp.Anonymous, _: Rewriting) -> Sql:
    items, step, start = node.expressions
    return build.call("reduce", items, start, step, build.function("s", build.column("s")))


def _quantified(function: str) -> Rule:
    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        return build.call(function, node.expressions[0], build.function("t", build.column("t")))

    return rule


def _element_of(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Nothing is in an empty list, not even null."""
    item, items = node.expressions
    if items.find(exp.Select):
        rewriting.refuse("IN with a subquery")
    empty = build.equal(build.call("cardinality", items.copy()), build.number(0))
    return build.case([(empty, build.boolean(False))], build.call("contains", items, item))


def _appended(node: exp.Anonymous, _: Rewriting) -> Sql:
    items, item = node.expressions
    return build.call("concat", items, build.array([item]))


def _kept(node: exp.Anonymous, _: Rewriting) -> Sql:
    known = build.function("t", build.is_not_null(build.column("t")))
    return build.call("cardinality", build.call("filter", node.expressions[0], known))


def _different(node: exp.Anonymous, _: Rewriting) -> Sql:
    return build.call("cardinality", build.call("array_distinct", node.expressions[0]))


def _lateral(node: exp.Lateral, rewriting: Rewriting) -> Sql:
    """Elements of a list as rows, beside rows."""
    if not isinstance(node.this, exp.Anonymous):
        return node
    if isinstance(node.parent, exp.From):
        rewriting.refuse("UNWIND as the first thing of a query, or inside of a subquery")
    (items,) = node.this.expressions
    name = node.args["alias"].this
    alias = exp.TableAlias(this=name, columns=[build.name("x")])
    return exp.Unnest(expressions=[items], alias=alias, offset=build.name("i"))


FUNCTIONS: dict[str, Rule] = {
    **dict.fromkeys(("abs", "ceil", "floor", "length", "replace", "reverse", "any_value", "unwind"), keep),
    **dict.fromkeys(("row_number", "dense_rank", "concat", "chr", "starts_with"), keep),
    "trunc": renamed("truncate"),
    "isnan": renamed("is_nan"),
    "suffix": _ends,
    "contains": contained,
    "substring": renamed("substr"),
    "string_split": renamed("split"),
    "trim": trimmed(None),
    "ltrim": trimmed("LEADING"),
    "rtrim": trimmed("TRAILING"),
    "len": renamed("cardinality"),
    "list_extract": renamed("element_at"),
    "list_concat": renamed("concat"),
    "list_append": _appended,
    "list_reverse": renamed("reverse"),
    "list_contains": renamed("contains"),
    "list_has_any": renamed("arrays_overlap"),
    "list_count": _kept,
    "list_unique": _different,
    "list_transform": renamed("transform"),
    "list_filter": renamed("filter"),
    "list_reduce": _reduced,
    "list_in": _element_of,
    "list_any": _quantified("any_match"),
    "list_all": _quantified("all_match"),
    "list_none": _quantified("none_match"),
    "struct_extract": dotted,
}

TRINO = Target(
    "sql-trino",
    "Trino",
    "trino",
    composed(_TYPES, "ARRAY({})", "ROW({})", "{} {}"),
    FUNCTIONS,
    {
        exp.IntDiv: _divided,
        exp.Div: _quotient,
        exp.Mod: keep,
        exp.Array: keep,
        exp.ArrayAgg: keep,
        exp.Lambda: of_elements,
        exp.Struct: _structure,
        exp.PropertyEQ: keep,
        exp.Lateral: _lateral,
        exp.Cast: _cast,
        exp.Min: no_floats("the least of floats, among which NaN may be"),
        exp.Max: no_floats("the greatest of floats, among which NaN may be"),
        exp.Ordered: no_floats("an order of floats, among which NaN may be"),
        exp.Join: joined,
        exp.CTE: common,
        exp.With: no_recursion,
        exp.Select: checked,
        exp.Union: checked,
    },
    Abilities(bridges=False, lateral=False, lambdas=True),
)
