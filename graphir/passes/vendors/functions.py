"""Functions in graph tables, as data: which aggregate, which take elements, and who has them."""

from __future__ import annotations

from collections.abc import Mapping

from graphir import ir
from graphir.passes.aggregates import is_aggregate

SQL_AGGREGATES = frozenset(
    (
        *("count", "sum", "avg", "min", "max", "median", "stddev", "stddev_pop", "stddev_samp", "variance", "var_pop"),
        *("var_samp", "listagg", "json_arrayagg", "json_objectagg", "string_agg", "group_concat", "array_agg", "list"),
        *("any_value", "bool_and", "bool_or", "every", "first", "last", "mode", "percentile_cont", "percentile_disc"),
    )
)
"""Functions of SQL that aggregate, as the reader leaves them: under the names that were written."""

ROW_FUNCTIONS = frozenset(("generate_series", "unnest", "regexp_split_to_table", "json_array_elements"))

INVENTED = {
    "graph_path_length": "count a variable of the repeated edge: COUNT(e.id)",
    "shortest_path": "there is no shortest path in GRAPH_TABLE",
    "path_length": "count a variable of the repeated edge: COUNT(e.id)",
}
"""Functions that texts about Oracle's property graphs show and that are none of it."""

_OUTSIDE = "make a column of what it takes, and aggregate outside with GROUP BY: "
_EXPOSED = "the definition of the graph can expose a property that says it"
CYPHER: Mapping[str, str] = {
    "tolower": "write LOWER",
    "toupper": "write UPPER",
    "tointeger": "write CAST(.. AS INTEGER)",
    "tofloat": "write CAST(.. AS DOUBLE PRECISION)",
    "toboolean": "write CAST(.. AS BOOLEAN)",
    "tostring": "write CAST(.. AS VARCHAR(100))",
    "stdev": _OUTSIDE + "STDDEV_SAMP",
    "percentilecont": _OUTSIDE + "PERCENTILE_CONT",
    "percentiledisc": _OUTSIDE + "PERCENTILE_DISC",
    "collect": _OUTSIDE + "ARRAY_AGG",
    "randomuuid": "that is a function of Cypher",
    "labels": _EXPOSED,
    "type": _EXPOSED,
    "properties": "name the properties one by one",
    "startnode": "the variable at the end of the edge stands for it",
    "endnode": "the variable at the end of the edge stands for it",
    "shortestpath": "there is no shortest path as a value",
    "allshortestpaths": "there is no shortest path as a value",
}
"""Functions of Cypher that no dialect of SQL/PGQ has, in lower case -> what to write."""
OWN: Mapping[str, tuple[str, ...]] = {"oracle": ("collect",)}
"""Vendor -> names of those that it has for a function of its own."""
RENAMED = {"tolower": "LOWER", "toupper": "UPPER"}
"""Those that SQL has under another name."""
CYPHER_IDENTITY = ("id", "elementid")
"""Functions of Cypher that identify an element; SQL/PGQ has keys."""


ORACLE = {
    "vertex_id": "node",
    "edge_id": "edge",
    "vertex_equal": "node",
    "edge_equal": "edge",
    "binding_count": "",
    "element_number": "",
    "matchnum": "",
    "path_name": "",
}
"""Oracle's functions of elements."""

PREDICATES = {"is_source": "IS SOURCE OF", "is_destination": "IS DESTINATION OF"}
"""Function of the IR -> how it is written."""

HAVE_PREDICATES = ("oracle", "iso")
"""The vendors that have those, and IS LABELED."""

EXISTS_PROPERTY = "property_exists"
"""The function that takes an element and the name of a property."""

OF_SEVERAL: Mapping[str, tuple[str, ...]] = {
    EXISTS_PROPERTY: ("oracle", "iso"),
    "same": ("iso",),
    "all_different": ("iso",),
    **dict.fromkeys(ORACLE, ("oracle",)),
}
"""Function of elements -> the vendors that have it."""

OF_ELEMENTS = {**dict.fromkeys((*PREDICATES, *OF_SEVERAL), ""), **ORACLE}
"""Functions whose operands are elements, and the kind of those; empty: any."""

OF_PATHS = ("elementid", "element_id", "path_length", "vertices", "edges", "nodes", "relationships", "length")
"""DuckPGQ's functions of paths."""

PSEUDO = frozenset(
    (
        *("ROWNUM", "LEVEL", "SYSDATE", "SYSTIMESTAMP", "USER", "UID", "CURRENT_DATE", "CURRENT_TIMESTAMP"),
        *("current_date", "current_timestamp", "current_user", "session_user", "rowid", "CURRENT_USER", "ROWID"),
        *("SESSION_USER", "CTID"),
    )
)
"""Names that stand alone and are no columns."""


def function_of(node: ir.Node) -> str:
    """The name of the function that a node calls, in lower case; empty where it calls none."""
    if isinstance(node, ir.Call):
        return node.name[-1].lower()
    return node.function.lower() if isinstance(node, ir.Apply) else ""


def aggregates(node: ir.Node) -> bool:
    """Whether a node calls a function that aggregates."""
    return is_aggregate(node) or (isinstance(node, ir.Call) and node.name[-1].lower() in SQL_AGGREGATES)
