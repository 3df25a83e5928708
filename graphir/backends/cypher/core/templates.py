"""Functions of GQL as Cypher text: what each says in terms of Cypher's own functions, as data.

A row is the canonical name of a function, the letters of its arguments and a Cypher expression over them; a line that
is indented goes on with the row before.  `1 / 0` is
how an expression says that it raises an error: where GoogleSQL raises one, Cypher's own function often gives NaN, null
or a clipped value instead.  A name that has rows with different numbers of arguments is chosen by their number.
Facts: GoogleSQL's evaluator and Neo4j, compared row by row (`tests/engines/test_gql_to_cypher_rows.py`).
"""

from __future__ import annotations

_ROWS = """
strict_acos a = CASE WHEN a < -1 OR a > 1 THEN 1 / 0 ELSE acos(a) END
strict_asin a = CASE WHEN a < -1 OR a > 1 THEN 1 / 0 ELSE asin(a) END
strict_exp a = CASE WHEN a > 709.782712893384 AND a < Infinity THEN 1 / 0 ELSE exp(a) END
strict_log a = CASE WHEN a <= 0 THEN 1 / 0 ELSE log(a) END
strict_log10 a = CASE WHEN a <= 0 THEN 1 / 0 ELSE log10(a) END
strict_sqrt a = CASE WHEN a < 0 THEN 1 / 0 ELSE sqrt(a) END
log_to_base a = CASE WHEN a <= 0 THEN 1 / 0 ELSE log(a) END
strict_div a b = CASE WHEN b = -1 THEN -a ELSE a / b END
divide a b = CASE WHEN b = 0 THEN toInteger(a) / 0 ELSE toFloat(a) / b END
ieee_divide a b = toFloat(a) / b
safe_divide a b = toFloat(a) / CASE WHEN b <> 0 THEN b END
round_away a = round(a, 0, 'HALF_UP')
trunc a = CASE WHEN a < 0 THEN ceil(a) ELSE floor(a) END
is_inf a = abs(a) = Infinity
greatest a b = CASE WHEN a >= b THEN a WHEN b > a THEN b END
least a b = CASE WHEN a <= b THEN a WHEN b < a THEN b END
is_distinct a b = NOT coalesce(a = b, a IS NULL AND b IS NULL)
required a w = CASE WHEN a IS NULL THEN 1 / 0 ELSE a END
required a = CASE WHEN a IS NULL THEN 1 / 0 ELSE a END
is_simple a = all(x IN tail(a) WHERE single(y IN tail(a) WHERE x = y)) AND
    none(x IN a[1..-1] WHERE x = head(a))
array_first a = CASE WHEN size(a) = 0 THEN 1 / 0 ELSE head(a) END
array_last a = CASE WHEN size(a) = 0 THEN 1 / 0 ELSE last(a) END
at_offset a i = CASE WHEN a IS NOT NULL AND (i < 0 OR i >= size(a)) THEN 1 / 0 ELSE a[i] END
at_safe_offset a i = a[CASE WHEN i >= 0 THEN i END]
at_ordinal a i = CASE WHEN a IS NOT NULL AND (i < 1 OR i > size(a)) THEN 1 / 0 ELSE a[i - 1] END
at_safe_ordinal a i = a[CASE WHEN i >= 1 THEN i - 1 END]
array_max a = reduce(m = null, x IN a | CASE WHEN m IS NULL OR x > m THEN x ELSE m END)
array_min a = reduce(m = null, x IN a | CASE WHEN m IS NULL OR x < m THEN x ELSE m END)
array_sum a = reduce(s = null, x IN a | CASE WHEN x IS NULL THEN s WHEN s IS NULL THEN x ELSE s + x END)
array_avg a = CASE WHEN any(x IN a WHERE x IS NOT NULL) THEN reduce(s = 0.0, x IN a | s + coalesce(x, 0)) /
    size([x IN a WHERE x IS NOT NULL]) END
array_to_string a s = CASE WHEN s IS NOT NULL THEN substring(reduce(t = '', x IN [y IN a WHERE y IS NOT NULL]
    | t + s + x), size(s)) END
array_to_string a s n = CASE WHEN s IS NOT NULL THEN substring(reduce(t = '', x IN [y IN a WHERE coalesce(y,
    n) IS NOT NULL] | t + s + coalesce(x, n)), size(s)) END
array_includes_any a b = CASE WHEN b IS NOT NULL THEN any(x IN a WHERE coalesce(x IN b, false)) END
array_includes_all a b = CASE WHEN a IS NOT NULL THEN all(x IN b WHERE coalesce(x IN a, false)) END
generate_array a b = CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN range(a, b) END
generate_array a b c = CASE WHEN a IS NOT NULL AND b IS NOT NULL AND c IS NOT NULL THEN range(a, b, c) END
strpos a b = CASE WHEN b = '' AND a IS NOT NULL THEN 1 WHEN a CONTAINS b THEN size(split(a, b)[0]) + 1 WHEN
    NOT a CONTAINS b THEN 0 END
instr a b = CASE WHEN b = '' AND a IS NOT NULL THEN 1 / 0 WHEN a CONTAINS b THEN size(split(a, b)[0]) + 1 WHEN
    NOT a CONTAINS b THEN 0 END
split_by a = split(a, ',')
split_by a b = split(a, b)
replace_text a b c = CASE WHEN b = '' AND c IS NOT NULL THEN a ELSE replace(a, b, c) END
repeat a n = CASE WHEN n < 0 AND a IS NOT NULL THEN 1 / 0 WHEN a IS NOT NULL AND n IS NOT NULL THEN
    reduce(s = '', i IN range(1, n) | s + a) END
normalize_text a = normalize(a)
make_date a b c = CASE WHEN a IS NOT NULL AND b IS NOT NULL AND c IS NOT NULL THEN date({year: a, month: b,
    day: c}) END
last_day a = CASE WHEN a IS NOT NULL THEN
    date.truncate('month', a) + duration({months: 1}) - duration({days: 1}) END
unix_date a = duration.inDays(date('1970-01-01'), a).days
date_from_unix_date a = CASE WHEN a IS NOT NULL THEN date('1970-01-01') + duration({days: a}) END
unix_seconds a = a.epochSeconds
unix_millis a = a.epochMillis
unix_micros a = a.epochSeconds * 1000000 + a.microsecond
timestamp_seconds a = CASE WHEN a IS NOT NULL THEN datetime({epochSeconds: a}) END
timestamp_millis a = CASE WHEN a IS NOT NULL THEN datetime({epochMillis: a}) END
stDevP a = CASE WHEN count(a) > 0 THEN stDevP(a) END
stddev_samp a = CASE WHEN count(a) > 1 THEN stDev(a) END
sum_or_null a = CASE WHEN count(a) > 0 THEN sum(a) END
any_value a = head(collect(a))
countif a = count(CASE WHEN a THEN 1 END)
logical_and a = CASE WHEN count(a) > 0 THEN count(CASE WHEN NOT a THEN 1 END) = 0 END
logical_or a = CASE WHEN count(a) > 0 THEN count(CASE WHEN a THEN 1 END) > 0 END
array_concat_agg a = CASE WHEN count(a) > 0 THEN reduce(l = [], x IN collect(a) | l + x) END
string_agg a s = reduce(t = head(collect(a)), x IN tail(collect(a)) | t + s + x)
array_agg a = CASE WHEN count(*) > 0 THEN [x IN collect([a]) | x[0]] END
array_agg_ignoring a = CASE WHEN count(a) > 0 THEN collect(a) END
"""


ROWS: tuple[str, ...] = tuple(_ROWS.strip().replace("\n    ", " ").splitlines())
"""The rows, each on one line."""


def _table() -> dict[tuple[str, int], tuple[tuple[str, ...], str]]:
    found = {}
    for line in ROWS:
        head, _, text = line.partition(" = ")
        name, *letters = head.split()
        found[name, len(letters)] = (tuple(letters), text)
    return found


TEMPLATES: dict[tuple[str, int], tuple[tuple[str, ...], str]] = _table()
"""Canonical name and number of arguments -> the letters of the arguments, and the Cypher text."""
