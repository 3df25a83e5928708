"""What kind of thing a variable holds: node, edge, path, a list of them, or a plain value.

Only as much typing as names need: whether a variable may stand where a pattern wants a node or an edge, and what an
expression hands to the next clause.  Knows no dialect.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from graphir.functions import FUNCTIONS, OPERATORS
from graphir.ir import (
    AllReduce,
    Apply,
    Call,
    Case,
    Comparison,
    Expression,
    HasLabels,
    Index,
    IsNormalized,
    IsTyped,
    ListComprehension,
    ListOf,
    Literal,
    MapOf,
    MapProjection,
    PatternComprehension,
    PatternExpression,
    Property,
    Quantified,
    Ref,
    Slice,
    Subquery,
)


class Kind(Enum):
    """The kind of a variable."""

    NODE = "node"
    EDGE = "edge"
    PATH = "path"
    NODES = "list of nodes"
    EDGES = "list of edges"
    LIST = "list"
    VALUE = "value"
    """A number, string, boolean, map, temporal or spatial value, or a list of such, as a property may be."""
    ANY = "unknown"

    __hash__ = object.__hash__


ELEMENT = {Kind.NODES: Kind.NODE, Kind.EDGES: Kind.EDGE}
LIST_OF = {Kind.NODE: Kind.NODES, Kind.EDGE: Kind.EDGES, Kind.VALUE: Kind.VALUE}

_FUEL = 24
"""How deep an expression is looked into; below it everything is unknown."""

_VALUES = (
    "abs acos asin atan atan2 btrim ceil char_length cos cot count count_star date datetime degrees duration "
    "duration.between elementId exists exp floor haversin id isEmpty isNaN left length localdatetime localtime log "
    "log10 ltrim pi point point.distance properties radians rand replace right round rtrim sign sin size sqrt "
    "substring tan time timestamp toBoolean toFloat toInteger toLower toString toUpper trim type "
    "keys labels range split toStringList toIntegerList toFloatList toBooleanList"
)

_FIXED: dict[str, Kind] = {
    **dict.fromkeys(OPERATORS, Kind.VALUE),
    **{name: Kind.VALUE for name, f in FUNCTIONS.items() if f.aggregate},
    **dict.fromkeys(_VALUES.split(), Kind.VALUE),
    "startNode": Kind.NODE,
    "endNode": Kind.NODE,
    "nodes": Kind.NODES,
    "relationships": Kind.EDGES,
}

_AS_ARGUMENT = frozenset(("min", "max"))
_FIRST_OF_LIST = frozenset(("head", "last"))
_SAME_LIST = frozenset(("tail", "reverse"))
_LISTS_TOO = frozenset(("add", "concat"))
"""`+` on lists gives a list of whatever they hold."""


def kind_of(expression: Expression, names: Callable[[str], Kind], fuel: int = _FUEL) -> Kind:
    """The kind of an expression, given the kinds of its variables."""
    rule = _RULES.get(type(expression))
    if rule is None or fuel == 0:
        return Kind.ANY
    return rule if isinstance(rule, Kind) else rule(expression, names, fuel - 1)


def element_of(kind: Kind) -> Kind:
    """The kind of an element of a list of that kind."""
    return Kind.VALUE if kind is Kind.VALUE else ELEMENT.get(kind, Kind.ANY)


def join(one: Kind, other: Kind) -> Kind:
    """The kind of a value that is of one kind or of the other."""
    if one is other:
        return one
    lists = (Kind.NODES, Kind.EDGES, Kind.LIST)
    return Kind.LIST if one in lists and other in lists else Kind.ANY


def _literal(node: Literal, names: Callable[[str], Kind], fuel: int) -> Kind:
    return Kind.ANY if node.value is None else Kind.VALUE


def _ref(node: Ref, names: Callable[[str], Kind], fuel: int) -> Kind:
    return names(node.name)


def _property(node: Property, names: Callable[[str], Kind], fuel: int) -> Kind:
    """A property of an element is a value; an entry of a map may be anything."""
    return Kind.VALUE if kind_of(node.base, names, fuel) in (Kind.NODE, Kind.EDGE) else Kind.ANY


def _list(node: ListOf, names: Callable[[str], Kind], fuel: int) -> Kind:
    if not node.items or len(node.items) > _FUEL:
        return Kind.LIST
    kind = kind_of(node.items[0], names, fuel)
    for item in node.items[1:]:
        kind = join(kind, kind_of(item, names, fuel // 2))
    return LIST_OF.get(kind, Kind.LIST)


def _index(node: Index, names: Callable[[str], Kind], fuel: int) -> Kind:
    base = kind_of(node.base, names, fuel)
    if base in (Kind.NODE, Kind.EDGE):
        return Kind.VALUE
    return ELEMENT.get(base, Kind.ANY)


def _slice(node: Slice, names: Callable[[str], Kind], fuel: int) -> Kind:
    base = kind_of(node.base, names, fuel)
    return base if base in ELEMENT else Kind.LIST


def _apply(node: Apply, names: Callable[[str], Kind], fuel: int) -> Kind:
    function = node.function
    if not node.args:
        return _FIXED.get(function, Kind.ANY)
    if function in _LISTS_TOO:
        return Kind.VALUE if _joined(node.args, names, fuel) is Kind.VALUE else Kind.ANY
    if function == "collect":
        return LIST_OF.get(kind_of(node.args[0], names, fuel), Kind.LIST)
    if function in _AS_ARGUMENT:
        return kind_of(node.args[0], names, fuel)
    if function in _FIRST_OF_LIST:
        return element_of(kind_of(node.args[0], names, fuel))
    if function in _SAME_LIST:
        return kind_of(node.args[0], names, fuel)
    if function == "coalesce":
        return _joined(node.args, names, fuel)
    return _FIXED.get(function, Kind.ANY)


def _case(node: Case, names: Callable[[str], Kind], fuel: int) -> Kind:
    results = [branch.result for branch in node.branches]
    return _joined([*results, node.default] if node.default is not None else results, names, fuel)


def _joined(expressions: list[Expression] | tuple[Expression, ...], names: Callable[[str], Kind], fuel: int) -> Kind:
    """Null takes the kind of the others."""
    if len(expressions) > _FUEL:
        return Kind.ANY
    kinds = [
        kind_of(e, names, fuel // len(expressions))
        for e in expressions
        if not (isinstance(e, Literal) and e.value is None)
    ]
    if not kinds:
        return Kind.ANY
    kind = kinds[0]
    for other in kinds[1:]:
        kind = join(kind, other)
    return kind


def _comprehension(node: ListComprehension, names: Callable[[str], Kind], fuel: int) -> Kind:
    source = kind_of(node.source, names, fuel)
    if node.body is None:
        return source if source in ELEMENT else Kind.LIST
    inner = element_of(source)
    body = kind_of(node.body, lambda name: inner if name == node.variable else names(name), fuel)
    return LIST_OF.get(body, Kind.LIST)


def _pattern(node: PatternExpression, names: Callable[[str], Kind], fuel: int) -> Kind:
    """A predicate, or the value of shortestPath."""
    selector = node.path.selector
    if selector is None:
        return Kind.VALUE
    return Kind.PATH if selector.kind == "shortest_path" else Kind.LIST


def _subquery(node: Subquery, names: Callable[[str], Kind], fuel: int) -> Kind:
    return {"exists": Kind.VALUE, "count": Kind.VALUE, "collect": Kind.LIST}.get(node.kind, Kind.ANY)


_RULES: dict[type[Expression], Kind | Callable[..., Kind]] = {
    Literal: _literal,
    Ref: _ref,
    Property: _property,
    ListOf: _list,
    Index: _index,
    Slice: _slice,
    Apply: _apply,
    Case: _case,
    ListComprehension: _comprehension,
    PatternExpression: _pattern,
    Subquery: _subquery,
    MapOf: Kind.VALUE,
    MapProjection: Kind.VALUE,
    Comparison: Kind.VALUE,
    HasLabels: Kind.VALUE,
    IsTyped: Kind.VALUE,
    IsNormalized: Kind.VALUE,
    Quantified: Kind.VALUE,
    AllReduce: Kind.VALUE,
    PatternComprehension: Kind.LIST,
    Call: Kind.ANY,
}
