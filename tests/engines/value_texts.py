"""Random SELECTs of values over a graph table: every type with every other, in PostgreSQL's and DuckDB's SQL.

Numbers of all kinds, texts, dates, moments, booleans and lists meet in operators, casts, CASE, aggregates, groups and
set operations; not every text is one that the database takes.  Rows are determined up to their order; where it sorts,
it sorts by a key of the table, too.  Knows nothing of graphir and of engines.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

ROWS: Sequence[Mapping[str, Any]] = (
    {
        **{"i": 1, "a": 30, "h": 1.5, "n": "Ann", "d": date(2020, 1, 31), "ts": datetime(2020, 1, 31)},
        **{"act": True, "tg": ["a", "b"], "li": [1, 2]},
    },
    {
        **{"i": 2, "a": 17, "h": -2.5, "n": "bob", "d": date(1999, 12, 31), "ts": datetime(1999, 12, 31, 23, 59, 58)},
        **{"act": False, "tg": ["b"], "li": [3]},
    },
    {"i": 3, "a": 30, "n": "Ida", "d": date(2024, 2, 29), "tg": ["c", "a"], "li": [2, 1, 2]},
    {"i": 4, "h": 2.5, "n": "10", "ts": datetime(2024, 2, 29, 12, 30, 15), "act": True, "li": [7]},
    {"i": 5, "a": -7, "h": 0.5, "n": "", "d": date(2020, 1, 31), "act": False},
    {"i": 6, "a": 0, "h": 0.1, "n": "a b", "ts": datetime(2020, 1, 31), "tg": ["a b", ""]},
    {"i": 7},
)
"""The nodes of the graph, with the label `person`."""
COLUMNS: Mapping[str, Sequence[str]] = {
    **{"int": ("i", "a"), "float": ("h",), "text": ("n",), "date": ("d",), "moment": ("ts",), "bool": ("act",)},
    **{"texts": ("tg",), "ints": ("li",), "decimal": (), "interval": ()},
}
_CONSTANTS: Mapping[str, Sequence[str]] = {
    "int": ("0", "1", "2", "-3", "7"),
    "float": ("CAST(0.5 AS double precision)", "CAST(2 AS double precision)"),
    "decimal": ("0.1", "0.5", "2.0", "3.25", "-1.5"),
    "text": ("'a'", "'Ann'", "''", "'b'"),
    "date": ("DATE '2020-01-31'", "DATE '2024-03-01'"),
    "moment": ("TIMESTAMP '2020-01-31 00:00:00'", "TIMESTAMP '2024-02-29 12:30:15'"),
    "bool": ("true", "false"),
    "interval": ("INTERVAL '1 day'", "INTERVAL '3 hours'"),
}
_LISTS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "pgq-postgres": {"texts": ("ARRAY['a', 'x']",), "ints": ("ARRAY[1, 2]", "ARRAY[1, NULL]")},
    "pgq-duckpgq": {"texts": ("['a', 'x']", "['a', NULL]"), "ints": ("[1, 2]", "[1, NULL]")},
}
_FORMS: Mapping[str, str] = {
    "int": """{int} + {int}; {int} - {int}; {int} * {int}; {int} % {int}; -{int}; abs({int}); coalesce({int}, {int})
        nullif({int}, {int}); CASE WHEN {bool} THEN {int} ELSE {int} END; CASE WHEN {bool} THEN {int} END
        length({text})
        CAST({float} AS integer); CAST({decimal} AS integer); CAST({bool} AS integer); extract(year FROM {date})
        extract(day FROM {moment}); cardinality({ints}); floor({int}); CAST({int} AS bigint); sign({int}); {ints}[1]
        strpos({text}, {text}); mod({int}, {int}); {int} / {int}; CASE {int} WHEN {int} THEN {int} ELSE {int} END""",
    "decimal": """{decimal} + {decimal}; {decimal} * {int}; {int} + {decimal}; {decimal} - {decimal}; {int} / {decimal}
        floor({decimal}); coalesce({decimal}, {int}); {int} * {decimal}; CASE WHEN {bool} THEN {decimal} ELSE {int} END
        abs({decimal}); -{decimal}; ceil({decimal}); trunc({decimal}); {decimal} / {int}""",
    "float": """{float} + {float}; {float} * {int}; {float} - {decimal}; {float} / {int}; {int} / {float}
        floor({float})
        CAST({int} AS double precision); CAST({decimal} AS double precision); ceil({float}); abs({float}); -{float}
        sqrt(abs({float})); trunc({float}); coalesce({float}, {int}); CASE WHEN {bool} THEN {float} ELSE {int} END
        power({float}, 2); {float} * {decimal}; sign({float})""",
    "text": """{text} || {text}; upper({text}); lower({text}); coalesce({text}, {text}); CAST({int} AS text)
        reverse({text})
        CAST({bool} AS text); CAST({date} AS text); CAST({decimal} AS text); {text} || {int}; {text} || {bool}
        {texts}[1]
        CASE WHEN {bool} THEN {text} ELSE {text} END; substring({text}, 1, 2); substr({text}, 2); trim({text})
        replace({text}, {text}, 'z'); nullif({text}, {text}); {text} || {decimal}; {text} || {date}
        lpad({text}, 3, 'x')""",
    "date": """CAST({moment} AS date); CAST('2020-02-01' AS date); coalesce({date}, {date}); {date} + 1; {date} - 2
        CASE WHEN {bool} THEN {date} ELSE {date} END""",
    "moment": """{date} + INTERVAL '1 day'; {moment} + INTERVAL '1 month'; CAST({date} AS timestamp)
        {date} + {interval}
        coalesce({moment}, {date}); CASE WHEN {bool} THEN {moment} ELSE {date} END; coalesce({moment}, {moment})""",
    "interval": "CASE WHEN {bool} THEN INTERVAL '1 day' ELSE INTERVAL '2 days' END; coalesce(NULL, INTERVAL '1 day')",
    "bool": """{int} = {int}; {int} < {int}; {int} <> {decimal}; {decimal} = {decimal}; {decimal} < {float}
        {bool} = {bool}
        {float} >= {int}; {text} = {text}; {text} < {text}; {date} = {date}; {date} < {moment}; {moment} = {moment}
        {bool} AND {bool}; {bool} OR {bool}; NOT {bool}; {int} IS NULL; {text} IS NOT NULL; {int} IN ({int}, {int})
        {int} IN ({int}, NULL); {int} NOT IN ({int}, NULL, {int}); {text} IN ({text}, {text}); {bool} < {bool}
        {int} BETWEEN {int} AND {int}; {text} LIKE 'A%'; {int} = ANY({ints}); {text} = ANY({texts}); {int} < ALL({ints})
        {int} IS DISTINCT FROM {int}; {decimal} IN ({int}, {decimal}); {date} BETWEEN {date} AND {moment}
        {bool} IS TRUE
        {bool} IS NOT FALSE; {texts} = {texts}; {int} = {text}; {date} = '2020-01-31'; {moment} = '2020-01-31'
        {moment} < '2024-02-29 12:00:00'; {int} = '1'; {float} = '1.5'; {bool} = 't'; {date} IN ({date}, {moment})""",
    "texts": "{texts} || {texts}; {texts} || {text}; coalesce({texts}, {texts})",
    "ints": "{ints} || {ints}; {ints} || {int}",
}
_OF_DUCKDB: Mapping[str, str] = {
    "bool": "{int} IN {ints}; list_contains({ints}, {int}); {int} NOT IN {ints}; {int} IN [1, NULL, {int}]",
}
_AGGREGATES: Mapping[str, str] = {
    "int": """count(*); count({int}); count(DISTINCT {int}); sum({int}); min({int}); max({int})
        count(DISTINCT {decimal})""",
    "decimal": "avg({int}); sum({decimal}); avg({decimal}); min({decimal}); sum({int}) / 2; sum({int} * {decimal})",
    "float": "sum({float}); avg({float}); max({float}); stddev_samp({int})",
    "text": "min({text}); max({text}); string_agg({text}, ',' ORDER BY {int}, i)",
    "date": "min({date}); max({date})",
    "moment": "max({moment})",
    "bool": "bool_and({bool}); bool_or({bool})",
    "texts": "array_agg({text} ORDER BY i)",
}
_KINDS = ("int", "int", "decimal", "float", "text", "text", "date", "moment", "bool", "bool")
_SETS = ("UNION ALL", "UNION", "EXCEPT", "INTERSECT", "EXCEPT ALL", "INTERSECT ALL")
_OTHER = {"int": "decimal", "decimal": "int", "float": "int", "date": "moment", "moment": "date"}
_ORDERS = ("", " DESC", " NULLS FIRST", " DESC NULLS LAST")


def text(seed: int, dialect: str) -> str:
    """The SELECT of a number; `GT` stands for the graph table."""
    return _Writer(seed, dialect).query()


def _split(forms: str) -> list[str]:
    return [form.strip() for line in forms.split("\n") for form in line.split("; ") if form.strip()]


class _Writer:
    def __init__(self, seed: int, dialect: str) -> None:
        self.random = random.Random(seed)
        self.columns = COLUMNS
        self.constants = {**_CONSTANTS, **_LISTS[dialect]}
        self.forms = {kind: _split(forms) for kind, forms in _FORMS.items()}
        if dialect == "pgq-duckpgq":
            self.forms["bool"] += _split(_OF_DUCKDB["bool"])

    def often(self, share: float) -> bool:
        return self.random.random() < share

    # -------------------------------------------------------------- expressions

    def leaf(self, kind: str) -> str:
        own, constants = self.columns[kind], self.constants.get(kind, ())
        return self.random.choice(own if own and (self.often(0.7) or not constants) else constants)

    def value(self, kind: str, depth: int) -> str:
        if depth <= 0 or self.often(0.2):
            return self.leaf(kind)
        return self.filled(self.random.choice(self.forms[kind]), depth)

    def filled(self, form: str, depth: int) -> str:
        """The form with values in its places, in brackets where they are not single words."""
        made, at = "", 0
        while (start := form.find("{", at)) >= 0:
            end = form.index("}", start)
            found = self.value(form[start + 1 : end], depth - 1)
            made += form[at:start] + (found if found.replace("_", "").isalnum() else f"({found})")
            at = end + 1
        return made + form[at:]

    def aggregate(self, kind: str) -> str:
        return self.filled(self.random.choice(_split(_AGGREGATES[kind])), self.random.choice((1, 1, 2)))

    # -------------------------------------------------------------- queries

    def query(self) -> str:
        depth = self.random.choice((1, 1, 2, 2, 3))
        where = f" WHERE {self.value('bool', depth)}" if self.often(0.25) else ""
        shape = self.random.random()
        if shape < 0.55:
            return self.plain(depth, where)
        if shape < 0.8:
            return self.grouped(where)
        kind = self.random.choice(_KINDS)
        if shape < 0.9:
            other = kind if self.often(0.7) else _OTHER.get(kind, kind)
            operator = self.random.choice(_SETS)
            second = self.value(other, depth)
            return f"SELECT {self.value(kind, depth)} AS x FROM GT AS t{where} {operator} SELECT {second} FROM GT AS u"
        inner = f"SELECT {self.value(kind, depth)} AS v, i FROM GT AS t{where}"
        self.columns = {each: ("v",) if each == kind else ("i",) if each == "int" else () for each in COLUMNS}
        self.constants = {"texts": ("tg",), "ints": ("li",), **self.constants}
        return f"SELECT {self.value(self.random.choice(_KINDS), 2)} AS x FROM ({inner}) AS s"

    def plain(self, depth: int, where: str) -> str:
        kinds = [self.random.choice(_KINDS) for _ in range(self.random.choice((1, 1, 2)))]
        items = ", ".join([f"{self.value(kind, depth)} AS x{at}" for at, kind in enumerate(kinds)])
        if self.often(0.15):
            keys = ", ".join([f"x{at}{self.random.choice(_ORDERS)}" for at in range(len(kinds))])
            limit = f" LIMIT {self.random.randint(1, 4)}" if self.often(0.5) else ""
            return f"SELECT {items}, i FROM GT AS t{where} ORDER BY {keys}, i{limit}"
        distinct = "DISTINCT " if self.often(0.15) else ""
        return f"SELECT {distinct}{items} FROM GT AS t{where}"

    def grouped(self, where: str) -> str:
        aggregate = self.aggregate(self.random.choice(list(_AGGREGATES)))
        if self.often(0.3):
            return f"SELECT {aggregate} AS y FROM GT AS t{where}"
        key = self.value(self.random.choice(_KINDS), self.random.choice((0, 0, 1, 2)))
        having = ""
        if self.often(0.25):
            bound = f"{self.random.choice(('>', '=', '<'))} {self.random.choice(('1', '2', '0.5'))}"
            having = f" HAVING {self.aggregate(self.random.choice(('int', 'decimal')))} {bound}"
        return f"SELECT {key} AS x, {aggregate} AS y FROM GT AS t{where} GROUP BY 1{having}"
