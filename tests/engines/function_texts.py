"""SELECTs of one function or operator each, over every kind of its arguments: columns, constants, null, rare values.

Beside the value itself each number is halved and made a text, which shows its type.  Not every text is one that the
database takes.  Knows nothing of graphir and of engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import product
from typing import Any

from tests.engines import value_texts

ROWS: Sequence[Mapping[str, Any]] = (
    *value_texts.ROWS,
    {"i": 8, "a": 2**61, "h": 7.5, "n": "漢字 b", "d": date(101, 1, 1), "ts": datetime(1969, 12, 31, 23, 59, 59)},
    {"i": 9, "a": -(2**61), "h": float("inf"), "n": "  x\t ", "d": date(2999, 12, 31), "li": [0], "tg": ["", "x", "x"]},
    {"i": 10, "a": 5, "h": -0.0, "n": "a😀b", "act": True, "li": [-1, 2**40]},
    {"i": 11, "a": 3, "h": 1e300, "n": "%_\\", "act": False},
    {"i": 12, "a": 100, "h": -1e-300, "n": "aXaXa", "ts": datetime(2024, 12, 30, 1, 2, 3, 456789)},
)
USUAL = 7
"""Up to this `i` the rows are those of `value_texts`, on which fewer functions fail."""
_FLOAT = "CAST({} AS double precision)"
_ARGUMENTS: Mapping[str, Sequence[str]] = {
    "int": ("a", "i", "-3", "0", "CAST(NULL AS bigint)", "(i - 5)", "7"),
    "float": ("h", *[_FLOAT.format(each) for each in ("0.5", "-2.5", "NULL", "1e300")], "(h * 2)"),
    "decimal": ("2.5", "0.1", "-2.5", "3.0"),
    "text": ("n", "'aX'", "''", "CAST(NULL AS text)", "(n || 'x')", "'  b  '"),
    "date": ("d", "DATE '2020-02-29'", "CAST(NULL AS date)"),
    "moment": ("ts", "TIMESTAMP '2020-02-29 12:30:15.5'", "CAST(NULL AS timestamp)"),
    "bool": ("act", "true", "CAST(NULL AS boolean)"),
    "ints": ("li", "ARRAY[1, 2]", "CAST(NULL AS bigint[])"),
    "texts": ("tg", "ARRAY['a', 'x']", "CAST(NULL AS text[])"),
}
_WIDTH = 3
"""How many values an argument has where there are several."""
_OF_ONE = """abs ceil floor sqrt exp ln log10 sin cos tan asin acos atan sinh cosh tanh degrees radians cot sign trunc
    round isnan isinf"""
_OF_TEXTS = "upper lower length char_length reverse ascii octet_length btrim ltrim rtrim trim len strlen"
_OF_TWO = ("{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "{0} % {1}", "power({0}, {1})", "nullif({0}, {1})")
_KINDS = ("int", "float", "decimal")
_PARTS = "year month day quarter week dow isodow doy isoyear hour minute second millisecond microsecond"
_OTHERS = """replace({text}, {text}, {text}); strpos({text}, {text}); starts_with({text}, {text}); repeat({text}, {int})
    lpad({text}, {int}, {text}); rpad({text}, {int}, {text}); translate({text}, {text}, {text}); chr({int})
    substring({text}, {int}, {int}); substr({text}, {int}); trim(BOTH FROM {text}); {text} LIKE {text}; {text} || {int}
    overlay({text} PLACING {text} FROM 2 FOR 1); {text} < {text}; cardinality({ints}); array_append({ints}, {int})
    ({ints})[{int}]; ({ints})[1:2]; {int} = ANY({ints}); {int} < ALL({ints}); {ints} || {ints}; {int} IN ({int}, {int})
    list_contains({ints}, {int}); list_concat({ints}, {ints}); len({texts}); {int} IS DISTINCT FROM {int}
    {float} IN ({int}, {int}); {bool} AND {bool}; {bool} < {bool}; {bool} IS NOT TRUE; nullif({text}, {text})
    {date} - {date}; {date} + {int}; {date} + INTERVAL '1 month'; {moment} - INTERVAL '90 minutes'; {date} < {moment}
    nullif({date}, {moment}); coalesce({moment}, {date}); coalesce({int}, {decimal}) + 0.2; greatest({int}, {decimal})
    CAST({decimal} AS integer); CAST({float} AS bigint); CAST({int} AS text); CAST({bool} AS integer)
    CAST({moment} AS date); CAST({int} AS numeric); CAST({text} AS varchar(2))"""
_AGGREGATES = """sum({0}); avg({0}); min({0}); max({0}); count({0}); stddev_samp({0}); var_pop({0}); sum(DISTINCT {0})
    percentile_cont(0.5) WITHIN GROUP (ORDER BY {0}); percentile_disc(0.5) WITHIN GROUP (ORDER BY {0}); median({0})
    count_if({bool}); bool_and({bool}); count(*) FILTER (WHERE {bool}); sum({0}) FILTER (WHERE {bool})"""


def texts(dialect: str) -> Iterator[str]:
    """The SELECTs, in an order that does not change; `GT` stands for the graph table."""
    lists = "[" if dialect == "pgq-duckpgq" else "ARRAY["
    for form in _forms():
        for value in _filled(form):
            for shown in (value, f"({value}) / 2", f"CAST({value} AS text)"):
                text = f"SELECT i, {shown} AS x FROM GT AS t".replace("ARRAY[", lists)
                yield from (text, f"{text} WHERE i <= {USUAL}")
    for form in _split(_AGGREGATES):
        for kind in _KINDS if "{0}" in form else ("",):
            for value in _filled(form.replace("{0}", f"{{{kind}}}")):
                yield f"SELECT {value} AS x FROM GT AS t"
                yield f"SELECT act AS k, ({value}) / 2 AS x FROM GT AS t WHERE i <= {USUAL} GROUP BY act"


def _split(forms: str) -> list[str]:
    return [form.strip() for line in forms.split("\n") for form in line.split("; ") if form.strip()]


def _forms() -> Iterator[str]:
    """Templates with the kinds of their arguments in braces."""
    yield from [f"{name}({{{kind}}})" for name in _OF_ONE.split() for kind in _KINDS]
    yield from [f"{name}({{text}})" for name in _OF_TEXTS.split()]
    for form, left, right in product(_OF_TWO, _KINDS, _KINDS):
        yield form.format(f"{{{left}}}", f"{{{right}}}")
    yield from [f"extract({part} FROM {{{kind}}})" for part in _PARTS.split() for kind in ("date", "moment")]
    yield from _split(_OTHERS)


def _filled(form: str) -> Iterator[str]:
    """The template with each choice of arguments, in brackets where they are not single words."""
    pieces = form.replace("}", "{").split("{")
    kinds = pieces[1::2]
    width = None if len(kinds) == 1 else _WIDTH
    for chosen in product(*[_ARGUMENTS[kind][:width] for kind in kinds]):
        shown = [each if each.isidentifier() or each.isdigit() else f"({each})" for each in chosen]
        yield "".join([part for pair in zip(pieces[::2], [*shown, ""], strict=True) for part in pair])
