"""Functions that the lowering calls beyond those of Cypher, as values see them.

They are to the SQL what `graphir.values.functions` is to a query.  Knows no database.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

from graphir.ir import text
from graphir.values import aggregates, codec, lists, strings, valuetypes
from graphir.values.faults import fault, mismatch
from graphir.values.google import aggregates as gql_aggregates
from graphir.values.google import paths
from graphir.values.references import EdgeReference, NodeReference, PathReference

Function = Callable[..., Any]


def identity(value: Any) -> Any:
    """The value: what changes is how it lies."""
    return value


def order_key(value: Any) -> bytes | None:
    """The bytes that the value is sorted and grouped by."""
    return None if value is None else codec.order_key(value)


def present(value: dict[str, Any]) -> dict[str, Any]:
    """A map without the entries that are null: the properties of an element."""
    return {key: item for key, item in value.items() if item is not None}


def merge_maps(base: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any] | None:
    """A map projection with `.*`: null of null."""
    if base is None:
        return None
    if not isinstance(base, dict):
        raise mismatch("a map projection", base, "a map, a node or a relationship")
    return {**base, **other}


def items(value: Any) -> list[Any] | None:
    """What UNWIND gives of a value: the elements of a list, no row for null, else the value."""
    if value is None or isinstance(value, list):
        return value
    return [value]


def row_count(value: Any) -> int:
    """The number of SKIP or LIMIT."""
    if type(value) is not int:
        raise mismatch("SKIP and LIMIT", value, "an integer")
    if value < 0:
        raise fault("G605", f"SKIP and LIMIT want no negative number, but were given {value}")
    return value


def path_cost(cost: Any) -> Any:
    """The cost of an edge or of a path: a finite number."""
    if cost is None:
        raise fault("G659", "a cost is null")
    if not isinstance(cost, (int, float, Decimal)) or isinstance(cost, bool):
        raise mismatch("COST", cost, "a number")
    if math.isnan(cost) or math.isinf(cost):
        raise fault("G659", f"a cost is {cost}, which is no finite number")
    return cost


def edge_cost(cost: Any) -> Any:
    """The cost of an edge for CHEAPEST: a positive number."""
    if path_cost(cost) <= 0:
        raise fault("G659", f"the cost of an edge is {cost}, and it has to be positive")
    return cost


def within(rounds: int, longest: int) -> int:
    """The number of rounds of a repetition, unless it is more than a session allows."""
    if rounds > longest:
        raise fault("G619", f"a path goes on for more than the {longest} repetitions that the session allows")
    return rounds


def proper_path(path: PathReference | None) -> PathReference | None:
    """A path of shortestPath(), which does not lead from a node to itself (Neo4j refuses to look for one)."""
    if path is not None and not path.edges:
        raise fault("G617", "a shortest path is asked for from a node to itself")
    return path


def proper_paths(paths: list[PathReference]) -> list[PathReference]:
    """The same for allShortestPaths()."""
    for path in paths:
        proper_path(path)
    return paths


def _as(kind: type[Any]) -> Function:
    return lambda value: value if isinstance(value, kind) else None


def _to(kind: type[Any], expected: str) -> Function:
    def convert(value: Any) -> Any:
        if value is not None and not isinstance(value, kind):
            raise mismatch("the engine", value, expected)
        return value

    return convert


def quantified_any(tests: list[bool | None] | None) -> bool | None:
    if tests is None:
        return None
    return True if True in tests else None if None in tests else False


def quantified_all(tests: list[bool | None] | None) -> bool | None:
    if tests is None:
        return None
    return False if False in tests else None if None in tests else True


def quantified_none(tests: list[bool | None] | None) -> bool | None:
    found = quantified_any(tests)
    return None if found is None else not found


def quantified_single(tests: list[bool | None] | None) -> bool | None:
    if tests is None:
        return None
    true = tests.count(True)
    return False if true > 1 else None if None in tests else true == 1


@cache
def _type(written: str) -> Any:
    return text.loads(written)


def is_typed(value: Any, wanted: str) -> bool:
    """Whether a value is of a type that is given in the text form of the IR."""
    return valuetypes.is_typed(value, _type(wanted))


def _names(value: Any) -> list[str]:
    """The labels that a value names."""
    names = value if isinstance(value, list) else [value]
    for name in names:
        if not isinstance(name, str):
            raise mismatch("a label", name, "a string or a list of strings")
    return names


def carries_all(carried: list[str] | None, value: Any) -> bool | None:
    return None if carried is None else all(name in carried for name in _names(value))


def carries_any(carried: list[str] | None, value: Any) -> bool | None:
    return None if carried is None else any(name in carried for name in _names(value))


FUNCTIONS: dict[str, Function] = {
    "is_typed": is_typed,
    "is_normalized": strings.is_normalized,
    "carries_all": carries_all,
    "carries_any": carries_any,
    "identity": identity,
    "order_key": order_key,
    "present": present,
    "merge_maps": merge_maps,
    "items": items,
    "row_count": row_count,
    "within": within,
    "edge_cost": edge_cost,
    "path_cost": path_cost,
    "proper_path": proper_path,
    "proper_paths": proper_paths,
    "distinct": lists.distinct,
    "as_node": _as(NodeReference),
    "as_edge": _as(EdgeReference),
    "as_path": _as(PathReference),
    "to_node": _to(NodeReference, "a node"),
    "to_edge": _to(EdgeReference, "a relationship"),
    "to_path": _to(PathReference, "a path"),
    "quantified_any": quantified_any,
    "quantified_all": quantified_all,
    "quantified_none": quantified_none,
    "quantified_single": quantified_single,
    **paths.FUNCTIONS,
    **aggregates.FUNCTIONS,
    **gql_aggregates.FUNCTIONS,
}
"""Name of a `Bridge` -> function.  The aggregates take the list of the values of a group."""
