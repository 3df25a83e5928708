"""Which types a CAST makes of which, and the type that a text names."""

from __future__ import annotations

from graphir import ir
from graphir.passes.google.analysis import Analysis
from graphir.passes.google.catalog import read_type
from graphir.passes.google.coercion import Typed, coerces
from graphir.passes.google.types import UNKNOWN, Type, named


def written_type(state: Analysis, node: ir.ValueType) -> Type:
    """The type that the text names: the IR does not tell integers of one size from those of another."""
    if node.span is None or node.name == "RECORD":
        return _KINDS.get(node.name, UNKNOWN)
    spelled = read_type(state.text[node.span.start : node.span.end])
    return spelled if spelled.kind != "UNKNOWN" else _KINDS.get(node.name, UNKNOWN)


_KINDS = {
    "LOCAL TIME": named("TIME"),
    "LOCAL DATETIME": named("DATETIME"),
    "ZONED DATETIME": named("TIMESTAMP"),
    **{kind: named(kind) for kind in ("DATE", "NUMERIC", "BIGNUMERIC", "JSON")},
}
_CASTS = {
    "DATE": frozenset({"STRING", "DATETIME", "TIMESTAMP", "DATE"}),
    "TIMESTAMP": frozenset({"STRING", "DATE", "DATETIME", "TIME", "TIMESTAMP"}),
    "DATETIME": frozenset({"STRING", "DATE", "TIMESTAMP", "TIME", "DATETIME"}),
    "TIME": frozenset({"STRING", "TIME"}),
    "BYTES": frozenset({"STRING", "BYTES", "PROTO", "UUID"}),
    "BOOL": frozenset({"STRING", "INT32", "INT64", "UINT32", "UINT64", "BOOL"}),
    "DOUBLE": frozenset({"STRING", "INT32", "INT64", "UINT32", "UINT64", "FLOAT", "DOUBLE", "NUMERIC", "BIGNUMERIC"}),
    "INTERVAL": frozenset({"STRING", "INTERVAL"}),
    "JSON": frozenset({"JSON"}),
    "GRAPH_NODE": frozenset(),
    "GRAPH_EDGE": frozenset(),
}
"""To what values of a type can be cast; of a type that is not here it is not said."""


def is_castable(given: Typed, wanted: Type) -> bool:
    if "UNKNOWN" in (given.type.kind, wanted.kind) or given.constant == "null":
        return True
    if coerces(given, wanted):
        return True
    if (given.type.kind == "ARRAY") != (wanted.kind == "ARRAY") and "ENUM" not in (given.type.kind, wanted.kind):
        return False
    return wanted.kind in _CASTS.get(given.type.kind, (wanted.kind,))
