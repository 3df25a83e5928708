"""Texts of Oracle's SQL on PostgreSQL 17 or newer, which has the same JSON functions: the nearest that runs here.

The text is read by sqlglot as Oracle's and said again in PostgreSQL's words, which also proves that it can be read.
Functions of Oracle are made there (`FUNCTIONS`), among them those that give null in place of the empty string; what
that is not a proof of is what no other server can show: Oracle's own grammar, and its types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import sqlglot
from sqlglot import exp

from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    DATETIME,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    STRING,
    ListRep,
    MapRep,
    Rep,
)
from graphir.backends.sql.targets import Statement
from graphir.values.dates import Date
from tests.engines.sql_tables import Laid

FUNCTIONS = """
CREATE SCHEMA oracle;
CREATE FUNCTION oracle.substr(t text, b numeric, n numeric DEFAULT NULL) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN b < 0 AND -b > char_length(t) OR n < 1 THEN NULL ELSE NULLIF(
    CASE WHEN b < 0 AND n IS NULL THEN pg_catalog.right(t, -b::int)
    WHEN n IS NULL THEN pg_catalog.substr(t, b::int) ELSE pg_catalog.substr(t, b::int, n::int) END, '') END $$;
CREATE FUNCTION oracle.instr(t text, p text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$ SELECT strpos(t, p) $$;
CREATE FUNCTION oracle.length(t text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT NULLIF(char_length(t), 0)::numeric $$;
CREATE FUNCTION oracle.ltrim(t text, c text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT NULLIF(pg_catalog.ltrim(t, c), '') $$;
CREATE FUNCTION oracle.rtrim(t text, c text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT NULLIF(pg_catalog.rtrim(t, c), '') $$;
CREATE FUNCTION oracle.replace(t text, a text, b text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT NULLIF(pg_catalog.replace(t, a, coalesce(b, '')), '') $$;
CREATE FUNCTION oracle.to_char(n numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT n::text $$;
CREATE FUNCTION oracle.to_char(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT t $$;
CREATE FUNCTION oracle.nvl(a anycompatible, b anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(a, b) $$;
CREATE FUNCTION oracle.to_number(t text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$ SELECT t::numeric $$;
CREATE FUNCTION oracle.trunc(d date, f text DEFAULT '') RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE f WHEN 'IW' THEN date_trunc('week', d)::date WHEN 'MM' THEN date_trunc('month', d)::date ELSE d END $$;
CREATE FUNCTION oracle.last_day(d date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT (date_trunc('month', d) + INTERVAL '1 month' - INTERVAL '1 day')::date $$;
CREATE FUNCTION oracle.add_months(d date, n numeric) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE d WHEN oracle.last_day(d) THEN oracle.last_day((d + INTERVAL '1 month' * n::int)::date)
  ELSE (d + INTERVAL '1 month' * n::int)::date END $$;
CREATE FUNCTION oracle.later(d date, n numeric) RETURNS date LANGUAGE sql IMMUTABLE AS $$ SELECT d + n::int $$;
CREATE OPERATOR oracle.+ (LEFTARG = date, RIGHTARG = numeric, FUNCTION = oracle.later);
CREATE FUNCTION oracle.json_serialized(d jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT d::text $$;
CREATE FUNCTION oracle.to_jsonb(t text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT t::jsonb $$;
CREATE FUNCTION oracle.to_jsonb(d jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT d $$;
CREATE FUNCTION oracle.divided(a numeric, b numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$ SELECT a / b $$;
CREATE FUNCTION oracle.divided(a int, b int) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$ SELECT a::numeric / b $$;
CREATE FUNCTION oracle.divided(a bigint, b bigint) RETURNS numeric LANGUAGE sql IMMUTABLE
  AS $$ SELECT a::numeric / b $$;
CREATE FUNCTION oracle.divided(a double precision, b double precision) RETURNS double precision LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN a IS NULL OR b <> 0 THEN a / NULLIF(b, 0) WHEN b IS NULL THEN NULL
  WHEN a = 0 OR a = 'NaN' THEN 'NaN' WHEN a > 0 THEN 'Infinity' ELSE '-Infinity' END $$;
CREATE FUNCTION oracle.trunc(t timestamp) RETURNS date LANGUAGE sql IMMUTABLE AS $$ SELECT t::date $$;
CREATE FUNCTION oracle.sys_extract_utc(t timestamptz) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$
  SELECT t AT TIME ZONE 'UTC' $$;
CREATE FUNCTION oracle.to_timestamp_tz(t text, f text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT t::timestamptz $$;
CREATE FUNCTION oracle.to_binary_double(t text) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT t::double precision $$;
CREATE FUNCTION oracle.document(t text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT t::jsonb $$;
"""
"""Made once, by whoever asks."""
PATH = "oracle, pg_catalog, pg_temp"
"""Where a session looks for names."""

TYPES = {"NUMBER": "numeric", "BINARY_DOUBLE": "double precision", "VARCHAR2(4000)": "text", "JSON": "jsonb"}


def type_of(rep: Rep) -> str:
    """The type of a column of a table."""
    if isinstance(rep, (ListRep, MapRep)):
        return "jsonb"
    return _COLUMNS[rep]


_COLUMNS = {
    **{BOOLEAN: "boolean", INTEGER: "numeric", FLOAT: "double precision", STRING: "text", DATE: "date"},
    **{LOCAL_DATETIME: "timestamp", DATETIME: "timestamptz"},
}


def definitions(laid: Laid) -> Iterable[tuple[str, list[tuple[Any, ...]]]]:
    """CREATE TABLE and INSERT with their rows, table by table."""
    for table in laid.tables.values():
        columns = ", ".join(f'"{name}" {type_of(rep)}' for name, rep in table.columns.items())
        yield f'CREATE TABLE "{table.name}" ({columns})', []
        marks = ", ".join(["%s"] * len(table.columns))
        rows = [tuple(_stored(row.get(name), rep) for name, rep in table.columns.items()) for row in table.rows]
        yield f'INSERT INTO "{table.name}" VALUES ({marks})', rows


def _stored(value: Any, rep: Rep) -> Any:
    if value is None or value == "":
        return None
    if isinstance(rep, ListRep):
        return json.dumps(value)
    return value.to_standard() if isinstance(value, Date) else value


def translated(statement: Statement) -> str:
    """The text in PostgreSQL's words, with the values of the parameters."""
    tree = sqlglot.parse_one(statement.text, dialect="oracle")
    given = {sent.mark: sent for sent in statement.parameters}
    for node in reversed(list(tree.bfs())):
        made = _said(node, given)
        if made is not node:
            node.replace(made)
    return tree.sql(dialect="oracle", normalize_functions=False)


def _said(node: Any, given: dict[str, Any]) -> Any:
    match node:
        case exp.Literal(is_string=True, this="") if not isinstance(node.parent, exp.Anonymous):
            return exp.Null()
        case exp.DataType() if node.this != exp.DataType.Type.USERDEFINED:
            spelled = node.sql(dialect="oracle").replace("DOUBLE PRECISION", "BINARY_DOUBLE")
            kind = TYPES.get(spelled) or spelled.replace("NUMBER", "numeric")
            return exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=kind)
        case exp.Literal(is_string=False) if isinstance(node.parent, exp.Alias):
            return exp.Cast(this=node.copy(), to=exp.DataType(this=exp.DataType.Type.USERDEFINED, kind="numeric"))
        case exp.RegexpLike():
            node.set("flag", None)
        case exp.Systimestamp():
            return exp.Anonymous(this="STATEMENT_TIMESTAMP")
        case exp.JSONColumnDef(kind="JSON"):
            node.set("kind", "jsonb")
        case exp.Placeholder():
            return _constant(given[node.name].value)
        case exp.Div():
            return exp.Anonymous(this="DIVIDED", expressions=[node.this.copy(), node.expression.copy()])
        case exp.DPipe():
            return exp.Anonymous(this="CONCAT", expressions=[node.this.copy(), node.expression.copy()])
        case exp.With():
            node.set("recursive", True)
        case exp.Anonymous(this="JSON"):
            node.set("this", "DOCUMENT")
        case exp.Anonymous(this="JSON_SERIALIZE"):
            node.set("this", "JSON_SERIALIZED")
        case exp.JSONArray() | exp.JSONArrayAgg() | exp.JSONObject():
            kind = "jsonb" if node.args.get("return_type") else "text"
            node.set("return_type", exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=kind))
        case exp.JSONTable():
            node.set("error_handling", None)
            node.set("this", exp.Anonymous(this="TO_JSONB", expressions=[node.this.copy()]))
        case exp.JSONValue():
            node.set("on_condition", None)
            node.set("this", exp.Anonymous(this="TO_JSONB", expressions=[node.this.copy()]))
        case exp.Is(expression=exp.Var(this="NAN")) | exp.Is(expression=exp.Column()):
            return exp.EQ(this=node.this, expression=sqlglot.parse_one("CAST('NaN' AS double precision)"))
        case exp.Anonymous(this="NLSSORT"):
            return exp.Collate(this=node.expressions[0].copy(), expression=exp.Identifier(this="C", quoted=True))
    return node


def _constant(value: Any) -> Any:
    if isinstance(value, list):
        return exp.Anonymous(this="DOCUMENT", expressions=[exp.Literal.string(json.dumps(value))])
    if isinstance(value, Date):
        return exp.Anonymous(
            this="TO_DATE", expressions=[exp.Literal.string(each) for each in (str(value), "YYYY-MM-DD")]
        )
    return exp.convert(value)


def values(rows: Iterable[Sequence[Any]], statement: Statement) -> list[list[Any]]:
    """Rows of the server with values of the contract."""
    reps = [rep for _, rep in statement.columns]
    return [[_value(value, rep) for value, rep in zip(row, reps, strict=True)] for row in rows]


def _value(value: Any, rep: Rep) -> Any:
    if value is None:
        return None
    if isinstance(rep, ListRep):
        return [_value(each, rep.element) for each in value]
    if isinstance(rep, MapRep):
        pairs = zip(rep.keys, rep.values, strict=True)
        return {key: _value(value[f"f{at}"], each) for at, (key, each) in enumerate(pairs)}
    if rep == FLOAT:
        return float(value)
    if rep == DATE:
        return Date.parse(str(value))
    if rep.name == "integer" or (rep.name in ("node", "edge") and not isinstance(value, str)):
        return int(value)
    return value
