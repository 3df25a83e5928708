"""Apache Spark 4 as a target: Spark SQL with ANSI mode, its default, in which what goes wrong is an error.

What Spark does not allow is looked for in the finished statement (`nesting.py`).
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.spark import Spark

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Abilities
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    EDGE,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    NODE,
    NULL,
    PATH,
    PATH_OF_TEXTS,
    STRING,
)
from graphir.backends.sql.targets.nesting import Nesting, check
from graphir.backends.sql.targets.rewriting import keep, renamed
from graphir.backends.sql.targets.sharing import once
from graphir.backends.sql.targets.spark_lists import (
    LISTS,
    MOST,
    NODES,
    cast_to,
    constant_of,
    place_of,
    real,
)
from graphir.backends.sql.targets.target import Rewriting, Rule, Target, composed

_Generator: Any = Spark.Generator


class GraphirSpark(Spark):
    """sqlglot's Spark, but for WITH, which stays in the subquery that it belongs to."""

    class Generator(_Generator):  # type: ignore[misc]
        EXPRESSIONS_WITHOUT_NESTED_CTES: ClassVar[set[type[exp.Expr]]] = set()


_TYPES = {
    **dict.fromkeys((NULL, BOOLEAN), "BOOLEAN"),
    **dict.fromkeys((INTEGER, NODE, EDGE), "BIGINT"),
    FLOAT: "DOUBLE",
    STRING: "STRING",
    DATE: "DATE",
    LOCAL_DATETIME: "TIMESTAMP_NTZ",
    PATH: "STRUCT<nodes: ARRAY<BIGINT>, edges: ARRAY<BIGINT>>",
    PATH_OF_TEXTS: "STRUCT<nodes: ARRAY<STRING>, edges: ARRAY<STRING>>",
}
_WHOLE = 1 << 53
"""From here on every float is whole."""


# ------------------------------------------------------------------ numbers


def _divided(node: exp.Div, rewriting: Rewriting) -> Sql:
    """Division of floats by zero is an error in Spark.  A power of minus one knows the sign of the zero."""

    def divided(above: Sql, below: Sql) -> Sql:
        zero = build.equal(below.copy(), real("0"))
        inverse = build.call("power", below.copy(), real("-1"))
        return build.case([(zero, build.binary(exp.Mul, above.copy(), inverse))], build.binary(exp.Div, above, below))

    return once(node, [node.this, node.expression], divided, rewriting)


def _remainder(node: exp.Mod, rewriting: Rewriting) -> Sql:
    """Of floats, by zero, it is NaN; of integers an error, as Spark has it."""
    if build.note(node) != FLOAT:
        return node

    def rest(above: Sql, below: Sql) -> Sql:
        undefined = build.conjunction([build.equal(below.copy(), real("0")), build.is_not_null(above.copy())])
        return build.case([(undefined, real("NaN"))], build.binary(exp.Mod, above, below))

    return once(node, [node.this, node.expression], rest, rewriting)


def _rounded(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """ceil and floor give integers in Spark: floats that are whole stay as they are, and so does the sign of a zero."""

    def rounded(value: Sql) -> Sql:
        branches: list[tuple[Sql, Sql]] = []
        if node.name == "ceil":
            above = build.binary(exp.GT, value.copy(), build.number(-1))
            below = build.binary(exp.LT, value.copy(), build.number(0))
            branches.append((build.conjunction([above, below]), real("-0.0")))
        branches.append((_small(value), cast_to(build.call(node.name, value.copy()), "DOUBLE")))
        return build.case(branches, value)

    return once(node, node.expressions, rounded, rewriting)


def _truncated(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    def cut(value: Sql) -> Sql:
        return build.case([(_small(value), cast_to(cast_to(value.copy(), "BIGINT"), "DOUBLE"))], value)

    return once(node, node.expressions, cut, rewriting)


def _small(value: Sql) -> Sql:
    """Whether a float is no zero and small enough to have a fraction."""
    not_zero = build.binary(exp.NEQ, value.copy(), build.number(0))
    return build.conjunction(
        [not_zero, build.binary(exp.LT, build.call("abs", value.copy()), real(str(float(_WHOLE))))]
    )


def _average(node: exp.Avg, _: Rewriting) -> Sql:
    """Spark adds integers up as floats; as decimals the sum is exact."""
    if build.note(node) != INTEGER:
        return node
    distinct = isinstance(node.this, exp.Distinct)
    value = node.this.expressions[0] if distinct else node.this

    def each(piece: Sql) -> Sql:
        return exp.Distinct(expressions=[piece]) if distinct else piece

    total = cast_to(exp.Sum(this=each(cast_to(value.copy(), "DECIMAL(38, 0)"))), "DOUBLE")
    count = build.call("nullif", exp.Count(this=each(value)), build.number(0))
    return build.binary(exp.Div, total, count)


# ------------------------------------------------------------------ strings


def _literal(node: exp.Literal, _: Rewriting) -> Sql:
    """Spark replaces `${..}` before it reads a text, in strings too."""
    if not node.is_string or "${" not in node.this:
        return node
    parts = node.this.split("${")
    pieces: list[Sql] = [exp.Literal.string(parts[0] + "$")]
    pieces += [exp.Literal.string("{" + part + "$") for part in parts[1:-1]]
    return build.call("concat", *pieces, exp.Literal.string("{" + parts[-1]))


def _named(node: exp.Identifier, rewriting: Rewriting) -> Sql:
    if "${" in node.this:
        rewriting.refuse("a name with `${` in it")
    return node


def _substring(node: exp.Anonymous, _: Rewriting) -> Sql:
    return build.call("substring", node.expressions[0], *[_clamped(each) for each in node.expressions[1:]])


def _clamped(node: Sql) -> Sql:
    """A constant as INT; no string is longer."""
    value = constant_of(node)
    return place_of(node) if value is None else build.number(min(value, MOST))


def _split(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Spark splits at regular expressions."""
    delimiter = node.expressions[1]
    if not isinstance(delimiter, exp.Literal):
        rewriting.refuse("split() at a string that is not written as one")
    pattern = "".join([f"\\{c}" if c.isascii() and not c.isalnum() and c.isprintable() else c for c in delimiter.this])
    return build.call("split", node.expressions[0], exp.Literal.string(pattern))


def _trimmed(position: str | None) -> Rule:
    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        return exp.Trim(this=node.expressions[0], expression=node.expressions[1], position=position)

    return rule


# ------------------------------------------------------------------ dates and faults

_PARTS = {"isodow": "dayofweek_iso"}


def _part_of_date(node: exp.Anonymous, _: Rewriting) -> Sql:
    part, date = node.expressions
    name = exp.Literal.string(_PARTS.get(part.name, part.name))
    return cast_to(build.call("date_part", name, date), "BIGINT")


def _date_text(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    return exp.Cast(this=node.expressions[0], to=rewriting.type_of(STRING))


def _fault(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """An error with a message; Spark never computes it ahead of the row."""
    told, _ = node.expressions
    return exp.Cast(this=build.call("raise_error", told), to=rewriting.type_of(build.note(node)))


def _is_nan(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Spark says of null that it is a number."""

    def test(value: Sql) -> Sql:
        return build.case([(build.is_not_null(value.copy()), build.call("isnan", value))])

    return once(node, node.expressions, test, rewriting)


# ------------------------------------------------------------------ statements


def _window(node: exp.Window, rewriting: Rewriting) -> Sql:
    """Numbers of rows in no order tell rows apart.  They vary, so that Spark computes a table with them once, but not
    inside of a subquery."""
    if not isinstance(node.this, exp.RowNumber) or node.args.get("order"):
        return node
    if node.find_ancestor(exp.Exists, exp.In, exp.Lateral) or _is_in_value(node):
        rewriting.refuse("OPTIONAL MATCH, or what else tells equal rows apart, inside of a subquery")
    return build.call("monotonically_increasing_id")


def _is_in_value(node: Sql) -> bool:
    """Whether a node stands in a query that is a value."""
    subquery = node.find_ancestor(exp.Subquery)
    while subquery is not None:
        if not isinstance(subquery.parent, (exp.From, exp.Join, exp.Lateral)):
            return True
        subquery = subquery.find_ancestor(exp.Subquery)
    return False


def _bracketed(node: exp.Exists, _: Rewriting) -> Sql:
    """EXISTS is no operand of a comparison, unless it is in brackets."""
    return exp.Paren(this=node)


def _common(node: exp.CTE, rewriting: Rewriting) -> Sql:
    """A table that is read more than once.  Spark puts in its query each time, unless something in it is known to vary;
    LIMIT, and rows that tie, do vary and are not known to."""
    kept = node.args.get("materialized")
    node.set("materialized", None)
    if not kept:
        return node
    statement = node.parent.parent if node.parent is not None else None
    if statement is not None and statement.parent is None:
        number = build.alias(build.call("monotonically_increasing_id"), rewriting.fresh("once"))
        node.set("this", build.select([exp.Star(), number], [build.derived(node.this, rewriting.fresh("k"))]))
    elif statement is not None and statement.args["with_"].find(exp.Limit, exp.Offset):
        rewriting.refuse("rows of a subquery that are limited and then used more than once")
    return node


def _bounded(node: exp.Limit | exp.Offset, rewriting: Rewriting) -> Sql:
    value = node.expression
    number = constant_of(value)
    if number is not None and number <= MOST:
        node.set("expression", build.number(number))
    elif number is None and isinstance(value, exp.Cast) and isinstance(value.this, exp.Placeholder):
        node.set("expression", cast_to(value.this, "INT"))
    else:
        rewriting.refuse("SKIP or LIMIT by what is no constant and no parameter")
    return node


_ALLOWED = Nesting(depth=1, keys=False, aggregates=False, recursion=False, chosen=False)


def _checked(node: Sql, rewriting: Rewriting) -> Sql:
    if node.parent is None:
        told = check(node, _ALLOWED)
        if told is not None:
            rewriting.refuse(told)
    return node


FUNCTIONS: dict[str, Rule] = {
    **LISTS,
    **dict.fromkeys(("concat", "chr", "abs", "any_value", "dense_rank", "row_number"), keep),
    **dict.fromkeys(("contains", "replace", "reverse", "lower", "upper"), keep),
    **dict.fromkeys(("sqrt", "exp", "ln", "log10", "sin", "cos", "atan", "asin", "acos", "degrees", "radians"), keep),
    "starts_with": renamed("startswith"),
    "suffix": renamed("endswith"),
    "substring": _substring,
    "string_split": _split,
    "trim": _trimmed(None),
    "ltrim": _trimmed("LEADING"),
    "rtrim": _trimmed("TRAILING"),
    "ceil": _rounded,
    "floor": _rounded,
    "trunc": _truncated,
    "isnan": _is_nan,
    "date_part": _part_of_date,
    "date_text": _date_text,
    "fault": _fault,
}

SPARK = Target(
    "sql-spark",
    "Spark",
    "graphirspark",
    composed(_TYPES, "ARRAY<{}>", "STRUCT<{}>", "{}: {}"),
    FUNCTIONS,
    {
        **NODES,
        exp.Literal: _literal,
        exp.Identifier: _named,
        exp.Div: _divided,
        exp.Mod: _remainder,
        exp.IntDiv: keep,
        exp.Avg: _average,
        exp.Exists: _bracketed,
        exp.Window: _window,
        exp.CTE: _common,
        exp.Limit: _bounded,
        exp.Offset: _bounded,
        exp.Select: _checked,
        exp.Union: _checked,
    },
    Abilities(bridges=False, lateral=False, lambdas=True),
    "named",
)
