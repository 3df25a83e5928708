"""Which variables hold lists, as far as what they are computed from says it.  Knows no types beyond that."""

from __future__ import annotations

from graphir import ir
from graphir.gql_functions import GQL_FUNCTIONS
from graphir.ir import Expression

_LISTS = frozenset(
    ("collect", "nodes", "relationships", "labels", "keys", "range", "split", "tail", "strict_range", "array_agg")
)
_AS_ARGUMENTS = frozenset(("coalesce", "concat", "add", "nullIf", "reverse", "max", "min", "any_value"))


def list_names(query: ir.Query) -> set[str]:
    """The variables that hold lists wherever they are bound to a value; those of patterns apart."""
    bound = [(node.name or "", node.value) for node in ir.walk(query) if isinstance(node, ir.Item)]
    found: set[str] = set()
    before = -1
    while before != len(found):
        before = len(found)
        found |= {name for name, value in bound if is_list(value, found)}
    return found


def is_list(expression: Expression, names: set[str]) -> bool:
    """Whether the value is a list, given the variables that are."""
    pending = [expression]
    while pending:
        node = pending.pop()
        match node:
            case ir.ListOf() | ir.ListComprehension() | ir.Slice() | ir.Subquery(kind="collect"):
                return True
            case ir.Ref(name) if name in names:
                return True
            case ir.Cast(type=ir.ValueType(name="LIST")):
                return True
            case ir.Apply(function, args):
                name = function.removeprefix("safe.")
                if name in _LISTS or _gives_list(name):
                    return True
                if name in _AS_ARGUMENTS or _gives_first(name):
                    pending.extend(args)
            case ir.Case(branches=branches):
                pending.extend(branch.result for branch in branches)
    return False


def _gives_list(function: str) -> bool:
    known = GQL_FUNCTIONS.get(function)
    return known is not None and (known.result.startswith("LIST") or known.result == "=[]")


def _gives_first(function: str) -> bool:
    known = GQL_FUNCTIONS.get(function)
    return known is not None and known.result in ("=", "=|") and function.startswith("array")
