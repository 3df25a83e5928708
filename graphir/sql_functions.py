"""The functions of the dialects of SQL/PGQ that mean what a canonical function means, by their spellings.

Canonical names are those of `graphir.functions` and `graphir.gql_functions`.  A function that differs for some values
(ROUND of a half, SUBSTR before the first character) is listed only where it does not.  Facts: PostgreSQL's, Oracle's,
DuckDB's and Hyper's references, ISO/IEC 9075-2.  Knows no IR.
"""

from __future__ import annotations

from types import MappingProxyType

_SHARED = """
    abs ABS; ceil CEIL CEILING; floor FLOOR; toUpper UPPER; toLower LOWER; char_length CHAR_LENGTH CHARACTER_LENGTH
    coalesce COALESCE; nullIf NULLIF; mod MOD; strict_sqrt SQRT; strict_exp EXP; strict_log LN; strict_pow POWER
    sin SIN; cos COS; tan TAN; strict_asin ASIN; strict_acos ACOS; atan ATAN; strict_sinh SINH; strict_cosh COSH
    tanh TANH; count COUNT; min MIN; max MAX; avg AVG; sum_or_null SUM; stddev_samp STDDEV_SAMP; var_samp VAR_SAMP
    stDevP STDDEV_POP; var_pop VAR_POP; any_value ANY_VALUE
"""
"""What all of them have."""

_POSTGRES = """
    char_length LENGTH; strict_pow POW; strict_log10 LOG LOG10; degrees DEGREES; radians RADIANS; rand RANDOM
    atan2 ATAN2; strict_cot COT; signum SIGN; trunc TRUNC; replace_text REPLACE; strpos STRPOS; starts_with STARTS_WITH
    reverse REVERSE; repeat REPEAT; lpad LPAD; rpad RPAD; chr CHR; ascii ASCII; translate TRANSLATE
    byte_length OCTET_LENGTH; array_agg ARRAY_AGG; string_agg STRING_AGG; logical_and BOOL_AND EVERY
    logical_or BOOL_OR; stddev_samp STDDEV; var_samp VARIANCE; bit_and_agg BIT_AND; bit_or_agg BIT_OR
    bit_xor_agg BIT_XOR; size CARDINALITY; randomUUID GEN_RANDOM_UUID
"""
_DUCKDB = """
    size LENGTH LEN; byte_length STRLEN; isNaN ISNAN; is_inf ISINF; strict_pow POW; strict_log10 LOG LOG10
    degrees DEGREES
    radians RADIANS; rand RANDOM; atan2 ATAN2; strict_cot COT; signum SIGN; trunc TRUNC; round_away ROUND
    replace_text REPLACE; strpos STRPOS INSTR POSITION; starts_with STARTS_WITH PREFIX; ends_with ENDS_WITH SUFFIX
    contains CONTAINS; reverse REVERSE; repeat REPEAT; lpad LPAD; rpad RPAD; chr CHR; ascii ASCII
    translate TRANSLATE; array_agg ARRAY_AGG LIST; string_agg STRING_AGG LISTAGG GROUP_CONCAT
    logical_and BOOL_AND; logical_or BOOL_OR
    stddev_samp STDDEV; var_samp VARIANCE; bit_and_agg BIT_AND; bit_or_agg BIT_OR; bit_xor_agg BIT_XOR
    countif COUNT_IF; length PATH_LENGTH; randomUUID UUID GEN_RANDOM_UUID; size CARDINALITY
"""
_ORACLE = """
    char_length LENGTH; coalesce NVL; signum SIGN; trunc TRUNC; round_away ROUND; greatest GREATEST; least LEAST
    replace_text REPLACE; strpos INSTR; substr SUBSTR; reverse REVERSE; lpad LPAD; rpad RPAD; chr CHR
    ascii ASCII; translate TRANSLATE; string_agg LISTAGG; stddev_samp STDDEV_SAMP; var_samp VAR_SAMP
    elementId VERTEX_ID EDGE_ID; length PATH_LENGTH
"""
_ISO = """
    strict_log10 LOG10; array_agg ARRAY_AGG; string_agg LISTAGG; logical_and EVERY; size CARDINALITY
    elementId ELEMENT_ID; length PATH_LENGTH; same SAME; all_different ALL_DIFFERENT; nodes VERTICES NODES
    relationships EDGES; byte_length OCTET_LENGTH
"""


def _spelled(*texts: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        for entry in text.replace("\n", ";").split(";"):
            name, *spellings = entry.split() or [""]
            found |= dict.fromkeys(spellings, name)
    return found


SQL_NAMES = MappingProxyType(
    {
        "pgq-iso": _spelled(_SHARED, _ISO),
        "pgq-oracle-23ai": _spelled(_SHARED, _ORACLE),
        "pgq-oracle-26ai": _spelled(_SHARED, _ORACLE),
        "pgq-postgres": _spelled(_SHARED, _POSTGRES),
        "pgq-duckpgq": _spelled(_SHARED, _DUCKDB),
        "pgq-hyper": _spelled(_SHARED, _POSTGRES),
    }
)
"""Dialect -> upper-case spelling -> canonical name."""
