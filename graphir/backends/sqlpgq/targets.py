"""How Hyper's SQL/PGQ spells things, as data.

The translation speaks of functions by the names that GoogleSQL gives them; `calls` says what is written in their place.
Constructs are features of `graphir.backends.gql.features`.  Facts of Hyper were found by running it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from graphir.backends.gql.printer import Spelling
from graphir.backends.gql.values import Kind
from graphir.quoting import literal
from graphir.schema.ddl import targets as ddl


@dataclass(frozen=True, slots=True)
class Target(Spelling):
    """One dialect.

    list: what is written for a list of values, untyped_list for one that has nothing but nulls.
    calls: a function of GoogleSQL -> what is written, `{0}`, `{1}` .. for its arguments, `{*}` for all of them.
    aggregates: an aggregate -> the same.  types: the name of the type of a kind.
    """

    name: str = ""
    list: str = "[{*}]"
    untyped_list: str = "[{*}]"
    calls: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    aggregates: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    types: Mapping[Kind, str] = field(default_factory=lambda: MappingProxyType({}))


@lru_cache(maxsize=4096)
def _hyper_name(name: str) -> str:
    return ddl.quote(name, ddl.TARGETS["postgres-ddl"])


def _hyper_float(value: float) -> str:
    shown = repr(value)
    if "inf" in shown or "nan" in shown:
        return f"CAST('{shown}' AS DOUBLE PRECISION)"
    return shown if "e" in shown else shown + "e0"


HYPER = Target(
    name="pgq-hyper",
    identifier=_hyper_name,
    string=literal,
    floating=_hyper_float,
    list="ARRAY[{*}]",
    untyped_list="CAST('[{*}]' AS BIGINT[])",
    calls=MappingProxyType(
        {
            "ARRAY_LENGTH": "CAST(ARRAY_LENGTH({0}) AS BIGINT)",
            "CEIL": "CEIL(CAST({0} AS DOUBLE PRECISION))",
            "CHAR_LENGTH": "CAST(CHAR_LENGTH({0}) AS BIGINT)",
            "DATE": "CAST({0} AS DATE)",
            "DIV": "({0} / {1})",
            "FLOAT64": "CAST({0} AS DOUBLE PRECISION)",
            "FLOOR": "FLOOR(CAST({0} AS DOUBLE PRECISION))",
            "GENERATE_ARRAY": "GENERATE_SERIES({*})",
            "IEEE_DIVIDE": "({0} / {1})",
            "IF": "CASE WHEN {0} THEN {1} ELSE {2} END",
            "IFNULL": "COALESCE({*})",
            "IN": "{0} = ANY({1})",
            "INT64": "CAST({0} AS BIGINT)",
            "REGEXP_CONTAINS": "({0} ~ {1})",
            "TEXT": "CAST({0} AS TEXT)",
            "TRIM": "BTRIM({*})",
        }
    ),
    aggregates=MappingProxyType(
        {
            "avg": "(CAST(SUM({d}{0}) AS DOUBLE PRECISION) / COUNT({d}{0}))",
            "collect": "ARRAY_COMPACT(ARRAY_AGG({d}{0}))",
        }
    ),
    types=MappingProxyType(
        {
            Kind.BOOL: "BOOLEAN",
            Kind.INT: "BIGINT",
            Kind.FLOAT: "DOUBLE PRECISION",
            Kind.STRING: "TEXT",
            Kind.DATE: "DATE",
        }
    ),
)

TARGETS: Mapping[str, Target] = MappingProxyType({target.name: target for target in (HYPER,)})
"""Dialect of queries -> what is its own."""
