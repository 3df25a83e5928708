"""One table of operators and functions: canonical name, whether it aggregates, its spelling per dialect.

The canonical name of a function is openCypher's own where there is one, else Neo4j's; operators have a word each.
Two names that always mean the same (`lower`, `toLower`) are one function; the other names are its aliases.
Facts: function lists of Neo4j 5.26 and 2026.08 (SHOW FUNCTIONS), openCypher 9.  Knows no IR.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphir.gql_functions import GQL_AGGREGATES

Level = Literal["opencypher-9", "neo4j-5", "neo4j-25"]


@dataclass(frozen=True, slots=True)
class Function:
    """A canonical operator or function.

    `since` is the first of the Cypher levels that has it (opencypher-9 < neo4j-5 < neo4j-25); aliases carry their own.
    """

    name: str
    aggregate: bool = False
    operator: bool = False
    since: Level = "opencypher-9"
    aliases: tuple[tuple[str, Level], ...] = ()


OPERATORS = (
    *(
        "and",
        "or",
        "xor",
        "not",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "add",
        "sub",
        "mul",
        "div",
        "mod",
        "pow",
        "neg",
        "pos",
    ),
    *("concat", "in", "starts_with", "ends_with", "contains", "matches", "is_null", "is_not_null"),
)
"""and/or/xor/add/mul/concat fold from the left over two or more arguments; `matches` is =~, `pow` is ^."""

_AGGREGATES: dict[Level, str] = {
    "opencypher-9": "avg collect count count_star max min percentileCont percentileDisc stDev stDevP sum",
}
"""`count_star` is count(*)."""

_SCALARS: dict[Level, str] = {
    "opencypher-9": (
        "abs acos asin atan atan2 ceil coalesce cos cot date date.realtime date.statement date.transaction "
        "date.truncate datetime datetime.fromepoch datetime.fromepochmillis datetime.realtime "
        "datetime.statement datetime.transaction datetime.truncate degrees duration duration.between "
        "duration.inDays duration.inMonths duration.inSeconds e endNode exists exp floor haversin head id "
        "keys labels last left length localdatetime localdatetime.realtime localdatetime.statement "
        "localdatetime.transaction localdatetime.truncate localtime localtime.realtime localtime.statement "
        "localtime.transaction localtime.truncate log log10 ltrim nodes pi point properties radians rand "
        "range relationships replace reverse right round rtrim sign sin size split sqrt startNode substring "
        "tail tan time time.realtime time.statement time.transaction time.truncate timestamp toBoolean "
        "toFloat toInteger toLower toString toUpper trim type"
    ),
    "neo4j-5": (
        "btrim char_length elementId file graph.byElementId graph.byName isEmpty isNaN linenumber normalize "
        "nullIf path_length point.distance point.withinBBox randomUUID toBooleanList toBooleanOrNull toFloatList "
        "toFloatOrNull toIntegerList toIntegerOrNull toStringList toStringOrNull valueType "
        "vector.similarity.cosine vector.similarity.euclidean graph.names graph.propertiesByName"
    ),
    "neo4j-25": (
        "cardinality coll.distinct coll.flatten coll.indexOf coll.insert coll.max coll.min coll.remove "
        "coll.sort cosh coth format property_exists sinh string.indexOf string.join "
        "string.regexReplace tanh uuid uuid.leastSignificantBits uuid.mostSignificantBits vector "
        "vector_dimension_count vector_distance vector_norm"
    ),
}

_ALIASES: dict[str, tuple[tuple[str, Level], ...]] = {
    "ceil": (("ceiling", "neo4j-25"),),
    "char_length": (("character_length", "neo4j-5"),),
    "collect": (("collect_list", "neo4j-25"),),
    "duration.between": (("duration_between", "neo4j-25"),),
    "localdatetime": (("local_datetime", "neo4j-25"),),
    "localtime": (("local_time", "neo4j-25"),),
    "log": (("ln", "neo4j-25"),),
    "percentileCont": (("percentile_cont", "neo4j-25"),),
    "percentileDisc": (("percentile_disc", "neo4j-25"),),
    "stDev": (("stdev_samp", "neo4j-25"),),
    "stDevP": (("stdev_pop", "neo4j-25"),),
    "datetime": (("zoned_datetime", "neo4j-25"),),
    "time": (("zoned_time", "neo4j-25"),),
    "toLower": (("lower", "neo4j-5"),),
    "toUpper": (("upper", "neo4j-5"),),
}


def _table() -> dict[str, Function]:
    rows = [Function(name, operator=True) for name in OPERATORS]
    for level, names in _AGGREGATES.items():
        rows += [Function(n, aggregate=True, since=level, aliases=_ALIASES.get(n, ())) for n in names.split()]
    for level, names in _SCALARS.items():
        rows += [Function(n, since=level, aliases=_ALIASES.get(n, ())) for n in names.split()]
    return {row.name: row for row in rows}


FUNCTIONS: dict[str, Function] = _table()
"""Canonical name -> entry."""

CYPHER_NAMES: dict[str, Function] = {
    spelling.lower(): function
    for function in FUNCTIONS.values()
    if not function.operator and function.name != "count_star"
    for spelling in (function.name, *[alias for alias, _ in function.aliases])
}
"""Lower-case Cypher spelling -> entry.  Cypher's function names are case-insensitive."""

AGGREGATES: frozenset[str] = frozenset(name for name, f in FUNCTIONS.items() if f.aggregate) | GQL_AGGREGATES
"""The aggregating functions, of Cypher and of GQL."""

PLUGIN_AGGREGATES: frozenset[str] = frozenset(
    f"apoc.agg.{name}"
    for name in (
        *("first", "graph", "last", "maxitems", "median", "minitems"),
        *("nth", "percentiles", "product", "slice", "statistics"),
    )
)
"""Aggregating functions of plugins, in lower case; they are calls by name in the IR."""
