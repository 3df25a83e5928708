"""Google's evaluator on the functions of GoogleSQL: the values that are written down, and random operands.

What the embedded engine computes (`graphir.values.google`) is compared with what the evaluator computes.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import graphir
from tests.engines.googlesql import database
from tests.outside import FULL
from tests.values.google_values import ERROR, facts, shown

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

CASES = 1500 if FULL else 300
TEXTS = ["''", "'a'", "'abcabc'", "'Äb c'", "'a%b_c'", "' x '", "'12'", "'-7'", "'2.5'", "'aé😀'", "'true'", "NULL"]
INTEGERS = ["0", "1", "-1", "2", "3", "-7", "100", "9223372036854775807", "CAST(NULL AS INT64)"]
FLOATS = ["0.0", "0.5", "-2.5", "1.45", "2.675", "-0.3", "1e10", "1e-7", "1e300", "CAST(NULL AS FLOAT64)"]
DATES = ["DATE '2020-02-29'", "DATE '1999-12-31'", "DATE '2021-01-03'", "DATE '0001-01-01'", "CAST(NULL AS DATE)"]
PATTERNS = ["'a'", "'(?i)B'", "'[a-c]+'", "'(b)(c)?'", "'^a|c$'", "'\\\\s'", "'.*'", "'x*'", "'\\\\w+'", "'a{2}'"]
PARTS = ["YEAR", "QUARTER", "MONTH", "WEEK", "ISOWEEK", "DAY", "ISOYEAR"]
SMALL = ["0", "1", "2", "3", "-1", "-3", "7"]
KINDS = {"s": TEXTS, "i": INTEGERS, "f": FLOATS, "d": DATES, "p": PATTERNS, "t": PARTS, "n": SMALL}
TEMPLATES = """
SUBSTR({s}, {n})|SUBSTR({s}, {n}, {n})|STRPOS({s}, {s})|INSTR({s}, {s}, {n}, {n})|SPLIT({s}, {s})
LPAD({s}, {n}, {s})|RPAD({s}, {n})|LEFT({s}, {n})|RIGHT({s}, {n})|REPEAT({s}, {n})|REPLACE({s}, {s}, {s})
REVERSE({s})|TRIM({s})|TRIM({s}, {s})|LTRIM({s}, {s})|UPPER({s})|LOWER({s})|INITCAP({s})|CHAR_LENGTH({s})
BYTE_LENGTH({s})|TRANSLATE({s}, {s}, {s})|STARTS_WITH({s}, {s})|ENDS_WITH({s}, {s})|{s} LIKE {s}
CONCAT({s}, {s})|{s} < {s}|TO_CODE_POINTS({s})|CONCAT({s}, {s}, {s})|REGEXP_CONTAINS({s}, {p})
REGEXP_EXTRACT({s}, '[a-c]')|REGEXP_EXTRACT_ALL({s}, '[ab]')|REGEXP_REPLACE({s}, 'b*', '-')
REGEXP_INSTR({s}, 'c')|REGEXP_REPLACE({s}, {p}, '<\\\\0>')|CAST({s} AS INT64)|CAST({s} AS FLOAT64)
CAST({s} AS BOOL)|SAFE_CAST({s} AS INT64)|SAFE_CAST({s} AS DATE)|FORMAT('%t %5d %s', {s}, {i}, {s})
TO_JSON_STRING({s})|{i} + {i}|{i} - {i}|{i} * {i}|{i} / {i}|DIV({i}, {i})|MOD({i}, {i})|SAFE_DIVIDE({i}, {i})
IEEE_DIVIDE({i}, {i})|SAFE_ADD({i}, {i})|SAFE_MULTIPLY({i}, {i})|ABS({i})|SIGN({i})|{i} & {i}|{i} ^ {i}
{i} << {n}|{i} >> {n}|~{i}|BIT_COUNT({i})|GREATEST({i}, {i}, {f})|LEAST({i}, {i})|{i} = {f}|{i} < {f}
{i} IS DISTINCT FROM {i}|{i} BETWEEN {i} AND {i}|{i} IN ({i}, {i})|COALESCE({i}, {i})|NULLIF({i}, {i})
IF({i} > {i}, {i}, {i})|CAST({i} AS STRING)|CAST({i} AS FLOAT64)|CAST({i} AS BOOL)|ROUND({f})|ROUND({f}, {n})
TRUNC({f}, {n})|FLOOR({f})|CEIL({f})|SQRT({f})|LN({f})|LOG({f}, {f})|LOG10({f})|EXP({f})|POW({f}, {n})|SIN({f})
COS({f})|TAN({f})|ASIN({f})|ACOS({f})|ATAN({f})|ATAN2({f}, {f})|COSH({f})|TANH({f})|{f} / {f}|CAST({f} AS INT64)
CAST({f} AS STRING)|FORMAT('%.3f %g %t', {f}, {f}, {f})|TO_JSON_STRING({f})|SIGN({f})|EXTRACT({t} FROM {d})
DATE_DIFF({d}, {d}, {t})|DATE_TRUNC({d}, {t})|DATE_ADD({d}, INTERVAL {n} MONTH)|LAST_DAY({d})
DATE_SUB({d}, INTERVAL {n} WEEK)|UNIX_DATE({d})|CAST({d} AS STRING)|FORMAT_DATE('%Y-%m-%d %a %b %j', {d})
{d} < {d}|EXTRACT(DAYOFWEEK FROM {d})|CAST({d} AS TIMESTAMP)|TIMESTAMP_TRUNC(CAST({d} AS TIMESTAMP), HOUR)
[{i}, {i}][SAFE_OFFSET({n})]|[{i}, {i}][OFFSET({n})]|ARRAY_SLICE([1, 2, 3, 4], {n}, {n})
GENERATE_ARRAY({n}, {n}, {n})|ARRAY_TO_STRING([{s}, 'q'], {s}, 'x')|ARRAY_REVERSE([{i}, {i}])
ARRAY_CONCAT([{i}], [{i}])|ARRAY_MAX([{i}, {i}])|ARRAY_SUM([{i}, 1])|ARRAY_AVG([{f}, 1.0])
ARRAY_IS_DISTINCT([{i}, {i}])|ARRAY_INCLUDES([{i}, 1], {i})|{i} IN UNNEST([{i}, 2])
JSON_VALUE(JSON '{{"a": [1, "x", 2.0]}}', '$.a[1]')|TO_JSON_STRING([{i}, {i}])|TO_JSON_STRING(TO_JSON({f}))
"""


@pytest.fixture(scope="module")
def google() -> Iterator[Database]:
    with database("full") as engine:
        yield engine


def value_of(google: Database, expression: str) -> str:
    """The value on the evaluator, or ERROR."""
    from graphir.backends.engines.googlesql.refusals import Refusal

    try:
        return shown(google.query(f"SELECT {expression} AS x").rows[0][0])
    except Refusal:
        return ERROR


def test_values_are_the_evaluators(google: Database) -> None:
    assert [(each, value) for each, value in facts() if value_of(google, each) != value] == []


def drawn(source: random.Random) -> str:
    """A template with operands, some of them null."""
    template = source.choice([each for line in TEMPLATES.strip().splitlines() for each in line.split("|") if each])
    while "{" in template.replace("{{", ""):
        for kind, operands in KINDS.items():
            template = template.replace(f"{{{kind}}}", source.choice(operands), 1)
    return template.replace("{{", "{").replace("}}", "}")


def test_random_operands(google: Database) -> None:
    """The same value, or an error on both sides; a refusal of ours that says so is no difference."""
    source = random.Random(20)
    differing, refused = [], 0
    with graphir.connect("duckdb") as db:
        for _ in range(CASES):
            expression = drawn(source)
            wanted = value_of(google, expression)
            try:
                found = shown(db.run(f"GRAPH g RETURN {expression} AS x", dialect="gql-spanner").rows[0][0])
            except graphir.RunFault:
                found = ERROR
            except graphir.GraphirError:
                refused += wanted != ERROR
                continue
            if found != wanted:
                differing.append((expression, found, wanted))
    assert differing == []
    assert refused < CASES // 20


LISTS = [
    *("[1, 2, 3]", "[1, NULL, 3, 1]", "CAST([] AS ARRAY<INT64>)", "[CAST(NULL AS INT64)]", "[9223372036854775807, 1]"),
    *("[1.5, NULL, 2.5, 1.5]", "['b', 'a', NULL, 'a']", "[TRUE, NULL, FALSE]", "[TRUE, NULL]", "[0.1, 0.2, 0.3]"),
    "[DATE '2020-01-01', DATE '2019-01-01']",
]
AGGREGATES = [
    *("SUM(v)", "AVG(v)", "MIN(v)", "MAX(v)", "COUNT(v)", "COUNT(DISTINCT v)", "SUM(DISTINCT v)", "AVG(DISTINCT v)"),
    *("ARRAY_AGG(v ORDER BY v)", "ARRAY_AGG(v ORDER BY v DESC)", "ARRAY_AGG(DISTINCT v ORDER BY v)"),
    *("ARRAY_AGG(v IGNORE NULLS ORDER BY v LIMIT 2)", "ARRAY_CONCAT_AGG([v] ORDER BY v)", "COUNTIF(v IS NULL)"),
    *("STRING_AGG(v, '-' ORDER BY v)", "STRING_AGG(DISTINCT v ORDER BY v)", "COUNTIF(v)", "LOGICAL_AND(v)"),
    *(
        "LOGICAL_OR(v)",
        "BIT_AND(v)",
        "BIT_OR(v)",
        "BIT_XOR(v)",
        "STDDEV(v)",
        "STDDEV_POP(v)",
        "VAR_SAMP(v)",
        "VAR_POP(v)",
    ),
    *("ANY_VALUE(v HAVING MAX v)", "SUM(v HAVING MIN v)", "COUNT(v HAVING MAX v)", "SAFE.SUM(v)", "VAR_POP(v)"),
]


def test_aggregates(google: Database) -> None:
    """Over rows, and over the elements of a list."""
    from graphir.backends.engines.googlesql.refusals import Refusal

    google.define("CREATE TABLE T (id INT64 NOT NULL) PRIMARY KEY (id); CREATE PROPERTY GRAPH G NODE TABLES (T);")
    differing = []
    with graphir.connect("duckdb") as db:
        for values, call in itertools.product(LISTS, AGGREGATES):
            for query in (f"FOR v IN {values} RETURN {call} AS x", f"LET v = {values} LET x = {call} RETURN x"):
                try:
                    wanted = [shown(row[0]) for row in google.query(f"GRAPH G {query}").rows]
                except Refusal:
                    wanted = [ERROR]
                try:
                    found = [shown(row[0]) for row in db.run(f"GRAPH G {query}", dialect="gql-spanner").rows]
                except graphir.GraphirError:
                    found = [ERROR]
                if found != wanted:
                    differing.append((query, found, wanted))
    assert differing == []
