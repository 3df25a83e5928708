"""One table of the functions and operators that GQL has beside those of Cypher, of ISO's and of GoogleSQL's.

A function that means exactly what one of `graphir.functions` means goes by that name (`SAME_MEANING`); every other has
a canonical name of its own here: the lower-case spelling of SQL, or a word with `strict_` before a name of Cypher for
what differs by raising an error alone.  `safe.` before a name is the same function with null in place of an error.
Facts: GoogleSQL's reference and evaluator, ISO/IEC 39075 section 20.  Knows no IR.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphir.sql_functions import SQL_NAMES

GOOGLE_DIALECTS = frozenset(("gql-spanner", "gql-bigquery", "pgq-googlesql"))
"""The dialects with the functions of GoogleSQL; all others have those of ISO GQL."""
SAFE = "safe."
"""Before a canonical name: null where the function would raise an error."""


@dataclass(frozen=True, slots=True)
class GqlFunction:
    """A canonical operator or function of GQL.

    `result` is a type in the words of `graphir.signatures`: `=` that of the first argument, `=[]` a list of it, `=*`
    its elements, `=|` the joined arguments, `?` unknown.  `google` and `iso` are the spellings in the dialects; without
    one it is an operator, or what a rewrite makes.  `near` is the function of Cypher that has the same value wherever
    this one raises no error.
    """

    name: str
    result: str
    google: tuple[str, ...] = ()
    iso: tuple[str, ...] = ()
    near: str = ""
    aggregate: bool = False


ZONED = {
    **dict.fromkeys(("extract", "date_trunc", "format_date", "typed_like"), 2),
    **dict.fromkeys(("make_date", "make_timestamp", "make_datetime", "make_time", "json_string"), 1),
    **dict.fromkeys(("cast_string", "cast_date", "cast_timestamp", "cast_datetime", "cast_time"), 1),
}
"""Functions that look at a clock where a value has none -> the number of their arguments without a time zone."""

SAME_MEANING: dict[str, tuple[str, str]] = {
    "abs": ("ABS", "ABS"),
    "atan": ("ATAN", "ATAN"),
    "atan2": ("ATAN2", ""),
    "avg": ("AVG", "AVG"),
    "btrim": ("", "BTRIM"),
    "cardinality": ("", "CARDINALITY"),
    "ceil": ("CEIL CEILING", "CEIL CEILING"),
    "char_length": ("CHAR_LENGTH CHARACTER_LENGTH LENGTH", "CHAR_LENGTH CHARACTER_LENGTH"),
    "coalesce": ("COALESCE IFNULL", "COALESCE"),
    "collect": ("", "COLLECT_LIST"),
    "concat": ("CONCAT ARRAY_CONCAT", ""),
    "cos": ("COS", "COS"),
    "count": ("COUNT", "COUNT"),
    "date": ("", "DATE"),
    "degrees": ("", "DEGREES"),
    "duration": ("", "DURATION"),
    "duration.between": ("", "DURATION_BETWEEN"),
    "elementId": ("ELEMENT_ID", "ELEMENT_ID"),
    "ends_with": ("ENDS_WITH", ""),
    "floor": ("FLOOR", "FLOOR"),
    "isNaN": ("IS_NAN", ""),
    "left": ("LEFT", "LEFT"),
    "length": ("PATH_LENGTH", "PATH_LENGTH"),
    "localdatetime": ("", "LOCAL_DATETIME"),
    "localtime": ("", "LOCAL_TIME"),
    "ltrim": ("", "LTRIM"),
    "max": ("MAX", "MAX"),
    "min": ("MIN", "MIN"),
    "mod": ("MOD", "MOD"),
    "nodes": ("NODES", "NODES"),
    "normalize": ("", "NORMALIZE"),
    "nullIf": ("NULLIF", "NULLIF"),
    "percentileCont": ("", "PERCENTILE_CONT"),
    "percentileDisc": ("", "PERCENTILE_DISC"),
    "radians": ("", "RADIANS"),
    "rand": ("RAND", ""),
    "randomUUID": ("GENERATE_UUID", ""),
    "relationships": ("EDGES", "EDGES"),
    "replace": ("", "REPLACE"),
    "reverse": ("REVERSE ARRAY_REVERSE", "REVERSE"),
    "right": ("RIGHT", "RIGHT"),
    "rtrim": ("", "RTRIM"),
    "sin": ("SIN", "SIN"),
    "size": ("ARRAY_LENGTH", "SIZE"),
    "split": ("", "SPLIT"),
    "starts_with": ("STARTS_WITH", ""),
    "stDevP": ("STDDEV_POP", "STDDEV_POP"),
    "tan": ("TAN", "TAN"),
    "tanh": ("TANH", "TANH"),
    "time": ("", "ZONED_TIME"),
    "datetime": ("", "ZONED_DATETIME"),
    "toLower": ("LOWER", "LOWER"),
    "toUpper": ("UPPER", "UPPER"),
    "trim": ("", "TRIM"),
}
"""Canonical name of `graphir.functions` -> its spellings in GoogleSQL and in ISO GQL, the usual one first."""

_ROWS = """
# name                  result           spellings of GoogleSQL; of ISO; near
strict_div              INTEGER          DIV; ; div
strict_acos             FLOAT            ACOS; ACOS; acos
strict_asin             FLOAT            ASIN; ASIN; asin
strict_cosh             FLOAT            COSH; COSH; cosh
strict_cot              FLOAT            COT; COT; cot
strict_exp              FLOAT            EXP; EXP; exp
strict_log              FLOAT            LN; LN; log
strict_log10            FLOAT            LOG10; LOG10; log10
strict_pow              FLOAT            POW POWER; POWER; pow
strict_sinh             FLOAT            SINH; SINH; sinh
strict_sqrt             FLOAT            SQRT; SQRT; sqrt
acosh                   FLOAT            ACOSH
asinh                   FLOAT            ASINH
atanh                   FLOAT            ATANH
log_to_base             FLOAT            LOG
log_of_base             FLOAT            ; LOG
divide                  FLOAT
ieee_divide             FLOAT            IEEE_DIVIDE
safe_divide             FLOAT            SAFE_DIVIDE
safe_add                =|               SAFE_ADD
safe_subtract           =|               SAFE_SUBTRACT
safe_multiply           =|               SAFE_MULTIPLY
safe_negate             =                SAFE_NEGATE
round_away              FLOAT            ROUND
trunc                   FLOAT            TRUNC TRUNCATE
signum                  =                SIGN
greatest                =|               GREATEST
least                   =|               LEAST
is_inf                  BOOLEAN          IS_INF
bit_and                 INTEGER
bit_or                  INTEGER
bit_xor                 INTEGER
bit_not                 INTEGER
shift_left              INTEGER
shift_right             INTEGER
bit_count               INTEGER          BIT_COUNT
between                 BOOLEAN
untyped                 STRING
typed_like              ?
is_distinct             BOOLEAN
like                    BOOLEAN
like_any                BOOLEAN
like_all                BOOLEAN
same                    BOOLEAN          SAME; SAME
all_different           BOOLEAN          ALL_DIFFERENT; ALL_DIFFERENT
required                =
if_error                =|               IFERROR
is_error                BOOLEAN          ISERROR
error                   ?                ERROR
element_labels          LIST<STRING>     LABELS
property_names          LIST<STRING>     PROPERTY_NAMES
element_table           STRING           ELEMENT_DEFINITION_NAME
make_path               PATH             PATH
path_elements           ?                ; ELEMENTS
is_simple               BOOLEAN
array_is_distinct       BOOLEAN          ARRAY_IS_DISTINCT
flatten                 =                FLATTEN
array_first             =*               ARRAY_FIRST; ; head
array_last              =*               ARRAY_LAST; ; last
at_offset               =*
at_safe_offset          =*
at_ordinal              =*
at_safe_ordinal         =*
subscript               ?
array_max               =*               ARRAY_MAX
array_min               =*               ARRAY_MIN
array_sum               =*               ARRAY_SUM
array_avg               FLOAT            ARRAY_AVG
array_slice             =                ARRAY_SLICE
array_to_string         STRING           ARRAY_TO_STRING
array_includes_any      BOOLEAN          ARRAY_INCLUDES_ANY ARRAY_OVERLAPS
array_includes_all      BOOLEAN          ARRAY_INCLUDES_ALL
generate_array          =[]              GENERATE_ARRAY; ; range
generate_date_array     LIST<DATE>       GENERATE_DATE_ARRAY
substr                  STRING           SUBSTR SUBSTRING
strpos                  INTEGER          STRPOS
instr                   INTEGER          INSTR
split_by                LIST<STRING>     SPLIT; ; split
replace_text            STRING           REPLACE; ; replace
repeat                  STRING           REPEAT
lpad                    STRING           LPAD
rpad                    STRING           RPAD
trim_space              STRING           TRIM
ltrim_space             STRING           LTRIM
rtrim_space             STRING           RTRIM
initcap                 STRING           INITCAP
ascii                   INTEGER          ASCII
unicode                 INTEGER          UNICODE
chr                     STRING           CHR
translate               STRING           TRANSLATE
byte_length             INTEGER          BYTE_LENGTH OCTET_LENGTH; BYTE_LENGTH OCTET_LENGTH
normalize_text          STRING           NORMALIZE; ; normalize
format_text             STRING           FORMAT
regexp_contains         BOOLEAN          REGEXP_CONTAINS
regexp_extract          STRING           REGEXP_EXTRACT REGEXP_SUBSTR
regexp_extract_all      LIST<STRING>     REGEXP_EXTRACT_ALL
regexp_replace          STRING           REGEXP_REPLACE
regexp_instr            INTEGER          REGEXP_INSTR
to_code_points          LIST<INTEGER>    TO_CODE_POINTS
code_points_to_string   STRING           CODE_POINTS_TO_STRING
make_date               DATE             DATE
make_timestamp          ZONED_DATETIME   TIMESTAMP
make_datetime           LOCAL_DATETIME   DATETIME
make_time               LOCAL_TIME       TIME
extract                 INTEGER
interval                DURATION
date_add                =                DATE_ADD DATETIME_ADD TIMESTAMP_ADD TIME_ADD
date_sub                =                DATE_SUB DATETIME_SUB TIMESTAMP_SUB TIME_SUB
date_diff               INTEGER          DATE_DIFF DATETIME_DIFF
timestamp_diff          INTEGER          TIMESTAMP_DIFF TIME_DIFF
date_trunc              =                DATE_TRUNC DATETIME_TRUNC TIMESTAMP_TRUNC TIME_TRUNC
last_day                DATE             LAST_DAY
date_from_unix_date     DATE             DATE_FROM_UNIX_DATE
unix_date               INTEGER          UNIX_DATE
unix_seconds            INTEGER          UNIX_SECONDS
unix_millis             INTEGER          UNIX_MILLIS
unix_micros             INTEGER          UNIX_MICROS
timestamp_seconds       ZONED_DATETIME   TIMESTAMP_SECONDS
timestamp_millis        ZONED_DATETIME   TIMESTAMP_MILLIS
timestamp_micros        ZONED_DATETIME   TIMESTAMP_MICROS
format_date             STRING           FORMAT_DATE FORMAT_TIMESTAMP FORMAT_DATETIME FORMAT_TIME
parse_date              DATE             PARSE_DATE
cast_boolean            BOOLEAN
cast_integer            INTEGER
cast_even_integer       INTEGER
cast_float              FLOAT
cast_string             STRING
cast_date               DATE
cast_timestamp          ZONED_DATETIME
cast_datetime           LOCAL_DATETIME
cast_time               LOCAL_TIME
midnight                ?
moment_add              ?
moment_sub              ?
to_json                 ?                TO_JSON
safe_to_json            ?                SAFE_TO_JSON
to_json_string          STRING           TO_JSON_STRING
parse_json              ?                PARSE_JSON
json_query              ?                JSON_QUERY JSON_EXTRACT
json_value              STRING           JSON_VALUE JSON_EXTRACT_SCALAR
json_query_array        ?                JSON_QUERY_ARRAY JSON_EXTRACT_ARRAY
json_value_array        LIST<STRING>     JSON_VALUE_ARRAY JSON_EXTRACT_STRING_ARRAY
json_type               STRING           JSON_TYPE
json_keys               LIST<STRING>     JSON_KEYS
json_object             ?                JSON_OBJECT
json_array              ?                JSON_ARRAY
json_remove             ?                JSON_REMOVE
json_set                ?                JSON_SET
json_array_append       ?                JSON_ARRAY_APPEND
json_array_insert       ?                JSON_ARRAY_INSERT
json_strip_nulls        ?                JSON_STRIP_NULLS
json_boolean            BOOLEAN          BOOL BOOLEAN
json_integer            INTEGER          INT64
json_float              FLOAT            FLOAT64 DOUBLE
json_string             STRING           STRING
lax_bool                BOOLEAN          LAX_BOOL
lax_int64               INTEGER          LAX_INT64
lax_float64             FLOAT            LAX_FLOAT64 LAX_DOUBLE
lax_string              STRING           LAX_STRING
type_name               STRING           TYPEOF
"""

_AGGREGATES = """
sum_or_null             =                SUM; SUM; sum
array_agg               =[]              ARRAY_AGG
array_concat_agg        =                ARRAY_CONCAT_AGG
string_agg              STRING           STRING_AGG LISTAGG
any_value               =                ANY_VALUE
countif                 INTEGER          COUNTIF
logical_and             BOOLEAN          LOGICAL_AND
logical_or              BOOLEAN          LOGICAL_OR
bit_and_agg             INTEGER          BIT_AND
bit_or_agg              INTEGER          BIT_OR
bit_xor_agg             INTEGER          BIT_XOR
stddev_samp             FLOAT            STDDEV STDDEV_SAMP; STDDEV_SAMP; stDev
var_samp                FLOAT            VARIANCE VAR_SAMP
var_pop                 FLOAT            VAR_POP
"""


def _rows(text: str, aggregate: bool) -> list[GqlFunction]:
    found = []
    for line in text.strip().splitlines():
        if line.startswith("#"):
            continue
        name, result, *rest = line.split(maxsplit=2)
        spellings = [*"".join(rest).split(";"), "", ""]
        google, iso, near = spellings[:3]
        found.append(GqlFunction(name, result, tuple(google.split()), tuple(iso.split()), near.strip(), aggregate))
    return found


GQL_FUNCTIONS: dict[str, GqlFunction] = {
    row.name: row for row in (*_rows(_ROWS, aggregate=False), *_rows(_AGGREGATES, aggregate=True))
}
"""Canonical name -> entry, without those that have a `safe.` before them."""

GQL_AGGREGATES: frozenset[str] = frozenset(
    prefix + row.name for row in GQL_FUNCTIONS.values() if row.aggregate for prefix in ("", SAFE)
) | {SAFE + "avg"}
"""The aggregating functions among them, also with `safe.` before them."""


def _spelled(dialect: int) -> dict[str, str]:
    known = {spelling: name for name, spellings in SAME_MEANING.items() for spelling in spellings[dialect].split()}
    for row in GQL_FUNCTIONS.values():
        known |= dict.fromkeys(row.iso if dialect else row.google, row.name)
    return known


GOOGLE_NAMES: dict[str, str] = _spelled(0)
"""Upper-case spelling of GoogleSQL -> canonical name."""
ISO_NAMES: dict[str, str] = _spelled(1)
"""Upper-case spelling of ISO GQL -> canonical name."""


def names_of(dialect: str) -> Mapping[str, str]:
    """The functions of a dialect of GQL or SQL/PGQ: upper-case spelling -> canonical name."""
    if dialect in SQL_NAMES:
        return SQL_NAMES[dialect]
    return GOOGLE_NAMES if dialect in GOOGLE_DIALECTS else ISO_NAMES


def spelling(name: str, dialect: str) -> str | None:
    """How a dialect of GQL spells the function of a canonical name; None where it has none of that meaning.

    >>> spelling("toUpper", "gql-iso"), spelling("substr", "gql-spanner"), spelling("regexp_contains", "gql-iso")
    ('UPPER', 'SUBSTR', None)
    """
    is_iso = dialect not in GOOGLE_DIALECTS
    if name in SAME_MEANING:
        return next(iter(SAME_MEANING[name][is_iso].split()), None)
    row = GQL_FUNCTIONS.get(name.removeprefix(SAFE))
    if row is None or (is_iso and name.startswith(SAFE)):
        return None
    spelled = next(iter(row.iso if is_iso else row.google), None)
    return spelled and ("SAFE." + spelled if name.startswith(SAFE) else spelled)
