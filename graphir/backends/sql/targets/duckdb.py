"""DuckDB as a target of text: what the embedded engine runs, without functions of Python."""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Abilities
from graphir.backends.sql.reps import (
    DATE,
    DATETIME,
    EDGE,
    FLOAT,
    JSON,
    LOCAL_DATETIME,
    NODE,
    NULL,
    PATH,
    PATH_OF_TEXTS,
    SIMPLE,
    STRING,
    ListRep,
)
from graphir.backends.sql.targets import days
from graphir.backends.sql.targets.rewriting import cased, fault, keep, moment, renamed, spelled_time
from graphir.backends.sql.targets.sharing import once
from graphir.backends.sql.targets.target import FUNCTIONS, Rewriting, Target, composed

_TYPES = {
    **{rep: rep.sql for rep in (*SIMPLE, NODE, EDGE, PATH, PATH_OF_TEXTS, NULL, JSON)},
    DATE: "DATE",
    LOCAL_DATETIME: "TIMESTAMP",
    DATETIME: "TIMESTAMPTZ",
}


def _lateral(node: exp.Lateral, _: Rewriting) -> Sql:
    """Elements of a list as rows."""
    if not isinstance(node.this, exp.Anonymous):
        return node
    (items,) = node.this.expressions
    listed = "l"
    columns = [
        build.alias(build.call("unnest", build.column(listed)), "x"),
        build.alias(build.call("generate_subscripts", build.column(listed), build.number(1)), "i"),
    ]
    inner = build.derived(build.select([build.alias(items, listed)]), "u")
    return build.derived(build.select(columns, [inner]), node.args["alias"].this.this, lateral=True)


def _date_text(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    return exp.Cast(this=node.expressions[0], to=rewriting.type_of(STRING))


def _time_text(node: exp.Anonymous, _: Rewriting) -> Sql:
    value = node.expressions[0]
    if build.note(node) == DATETIME:
        value = build.call("timezone", exp.Literal.string("UTC"), value)
    text = build.call("strftime", value, exp.Literal.string("%Y-%m-%dT%H:%M:%S.%f"))
    return spelled_time(node, text)


def _json_float(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    return once(node, node.expressions, _float_in_json, rewriting)


def _float_in_json(value: Sql) -> Sql:
    def text(word: str) -> Sql:
        return build.call("to_json", exp.Literal.string(word))

    branches = [
        (build.call("isfinite", value), build.call("to_json", value.copy())),
        (build.call("isnan", value.copy()), text("NaN")),
        (build.binary(exp.GT, value.copy(), build.number(0)), text("Infinity")),
        (build.binary(exp.LT, value.copy(), build.number(0)), text("-Infinity")),
    ]
    return build.case(branches)


def _json_list(node: exp.Anonymous, _: Rewriting) -> Sql:
    items: Sql = node.expressions[0]
    rep = build.note(node)
    if isinstance(rep, ListRep) and rep.element == FLOAT:
        items = build.call("list_transform", items, build.function("x", _float_in_json(build.column("x"))))
    return build.call("to_json", items)


def _date_of(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    return exp.Cast(this=node.expressions[0], to=rewriting.type_of(DATE))


def _day_of(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    value = node.expressions[0]
    local = build.call("timezone", exp.Literal.string("UTC"), value) if build.note(node) == DATETIME else value
    return exp.Cast(this=local, to=rewriting.type_of(DATE))


def _today(_node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    now = build.call("timezone", exp.Literal.string("UTC"), build.call("now"))
    return exp.Cast(this=now, to=rewriting.type_of(DATE))


def _months_later(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A date and an interval make a timestamp."""
    day, months = node.expressions
    later = build.binary(exp.Add, day, build.call("to_months", months))
    return exp.Cast(this=later, to=rewriting.type_of(DATE))


def _days_later(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    day, days = node.expressions
    return exp.Paren(this=build.binary(exp.Add, day, exp.Cast(this=days, to=exp.DataType.build("INTEGER"))))


def _days_between(node: exp.Anonymous, _: Rewriting) -> Sql:
    return build.call("date_diff", exp.Literal.string("day"), *node.expressions)


DUCKDB = Target(
    "sql-duckdb",
    "DuckDB",
    "duckdb",
    composed(_TYPES, "{}[]", "STRUCT({})", "{} {}"),
    {
        **dict.fromkeys(FUNCTIONS.keys() - {"reverse"}, keep),
        "lower": cased("LOWER"),
        "upper": cased("UPPER"),
        "fault": fault,
        "date_text": _date_text,
        "date_of": _date_of,
        "moment": moment,
        "json_float": _json_float,
        "json_list": _json_list,
        "time_text": _time_text,
        "day_of": _day_of,
        "today": _today,
        "months_later": _months_later,
        "days_later": _days_later,
        "days_between": _days_between,
        "months_between": days.months_between(lambda number: exp.Cast(this=number, to=exp.DataType.build("BIGINT"))),
        "text_matches": renamed("regexp_full_match"),
    },
    {
        exp.Lateral: _lateral,
        **dict.fromkeys((exp.Array, exp.ArrayAgg, exp.Struct, exp.PropertyEQ, exp.IntDiv, exp.Div, exp.Mod), keep),
    },
    Abilities(bridges=False, lateral=True, lambdas=False),
    "dollar",
)
