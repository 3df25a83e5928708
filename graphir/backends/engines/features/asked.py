"""What is asked of an engine, as the finders of features see it: the query in core form, its parameters, the data.

`kind` tells the type of an expression as far as the query, the parameters and the loaded properties show it; what they
do not show is any type.  Knows no engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any

from graphir import ir, types
from graphir.graphs import PropertyGraph
from graphir.ir.names import MARK
from graphir.passes.typed.expressions import infer
from graphir.passes.typed.inference import Inference
from graphir.source import Source
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

_KINDS: Mapping[type, int] = {
    bool: types.BOOLEAN,
    int: types.INTEGER,
    float: types.FLOAT,
    str: types.STRING,
    dict: types.MAP,
    Date: types.DATE,
    LocalTime: types.LOCAL_TIME,
    Time: types.ZONED_TIME,
    LocalDateTime: types.LOCAL_DATETIME,
    DateTime: types.ZONED_DATETIME,
    Duration: types.DURATION,
    Point: types.POINT,
    Node: types.NODE,
    Edge: types.RELATIONSHIP,
    Path: types.PATH,
}
_EMPTY = types.list_of(types.GRAPH)
"""A list without elements: no value of Cypher is a graph."""
_ARITHMETIC = frozenset(("add", "sub", "mul", "div", "mod", "pow", "neg", "pos", "concat"))
"""Operators that give null for null."""
_ROUNDS = 8
"""How often types are carried on from variable to variable; after that they are any."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is known of the data of an engine: the types of each property, which hold NaN, which NaN or infinity.

    `complete`: nothing else is there, so that a property that is not among them is null.
    """

    kinds: Mapping[str, int] = field(default_factory=dict)
    nan: frozenset[str] = frozenset()
    infinite: frozenset[str] = frozenset()
    complete: bool = True

    def joined(self, graph: PropertyGraph) -> Held:
        """With a graph that was added."""
        kinds, nan, infinite = dict(self.kinds), set(self.nan), set(self.infinite)
        for element in graph.elements():
            for key, value in element.properties.items():
                kinds[key] = kinds.get(key, 0) | kind_of(value)
                if not is_finite(value):
                    infinite.add(key)
                if has_nan(value):
                    nan.add(key)
        return replace(self, kinds=kinds, nan=frozenset(nan), infinite=frozenset(infinite))

    def kind(self, key: str) -> int:
        """The types that a property may be of; 0 if it is null everywhere."""
        return self.kinds.get(key, 0) if self.complete else types.PROPERTY


@dataclass(frozen=True)
class Asked:
    """A query in core form, its parameters, and what is known of the data."""

    core: ir.Query
    parameters: Mapping[str, Any] = field(default_factory=dict)
    held: Held = field(default_factory=Held)

    @cached_property
    def nodes(self) -> tuple[ir.Node, ...]:
        return tuple(ir.walk(self.core))

    def calls(self, *names: str) -> Iterator[ir.Apply]:
        """The calls of those functions and operators."""
        for node in self.nodes:
            if isinstance(node, ir.Apply) and node.function in names:
                yield node

    def kind(self, expression: ir.Node) -> int:
        """The types that a value of the expression may be of, as bits of `graphir.types`; null belongs to each."""
        return _kind(expression, self._env, self)

    def may_be(self, expression: ir.Node, kinds: int) -> bool:
        """Whether a value may be of one of the types, or a list of such."""
        found = self.kind(expression)
        return bool(found & (kinds | types.list_of(kinds)))

    @cached_property
    def _env(self) -> dict[str, int]:
        """The types of the variables; those of one name are taken together."""
        env: dict[str, int] = {name: 0 for node in self.nodes for name, _ in _bound(node, {}, self)}
        for _ in range(_ROUNDS):
            before = dict(env)
            for node in self.nodes:
                for name, kind in _bound(node, env, self):
                    env[name] = env.get(name, 0) | kind
            if env == before:
                return env
        return dict.fromkeys(env, types.ANY)


def _kind(expression: ir.Node, env: Mapping[str, int], asked: Asked) -> int:
    made: dict[str, int] = dict(env)

    def put(kind: int) -> ir.Ref:
        name = f"{MARK}{len(made)}"
        made[name] = kind
        return ir.Ref(name)

    def of(node: ir.Node) -> int:
        return infer(_state(made), node)

    def rule(node: ir.Node) -> ir.Node:
        match node:
            case ir.Literal(value=None):
                return put(0)
            case ir.Parameter(name=name):
                return put(kind_of(asked.parameters.get(name)))
            case ir.ListOf(items=items) if not any(map(of, items)):
                return put(_EMPTY)
            case ir.Index(base=ir.ListOf(items=items)):
                return put(_union(map(of, items)))
            case ir.Property(base=ir.MapOf(entries=entries), key=key):
                return put(_union(of(entry.value) for entry in entries if entry.key == key))
            case ir.Property(base=base, key=key) if (owner := of(base)) and not owner & ~types.ELEMENT:
                return put(asked.held.kind(key))
            case ir.Apply(function=function, args=args) if function in _ARITHMETIC and not all(map(of, args)):
                return put(0)
            case ir.Subquery() | ir.PatternComprehension():
                return put(_of_query(node, env, asked))
        return node

    plain = ir.rewrite(expression, rule)
    return infer(_state(made), plain)


def _union(kinds: Iterable[int]) -> int:
    return reduce(or_, kinds, 0)


def _state(env: Mapping[str, int]) -> Inference:
    state = Inference(Source(""), "neo4j-25")
    state.env = dict(env)
    return state


def _of_query(node: ir.Subquery | ir.PatternComprehension, env: Mapping[str, int], asked: Asked) -> int:
    if isinstance(node, ir.PatternComprehension):
        return types.list_of(_kind(node.body, env, asked))
    return {"exists": types.BOOLEAN, "count": types.INTEGER}.get(node.kind, types.LIST)


def _bound(node: ir.Node, env: Mapping[str, int], asked: Asked) -> Iterable[tuple[str, int]]:
    """The variables that a node of the IR binds, with their types."""
    match node:
        case ir.NodePattern(variable=str(name)):
            yield name, types.NODE
        case ir.EdgePattern(variable=str(name), quantifier=None):
            yield name, types.RELATIONSHIP
        case ir.EdgePattern(variable=str(name)):
            yield name, types.list_of(types.RELATIONSHIP)
        case ir.PathGroup() if node.quantifier is not None:
            inner = (each for each in ir.walk(node.path) if isinstance(each, ir.NodePattern | ir.EdgePattern))
            for each in inner:
                if each.variable:
                    kind = types.NODE if isinstance(each, ir.NodePattern) else types.RELATIONSHIP
                    yield each.variable, types.list_of(kind)
        case ir.Path(variable=str(name)):
            yield name, types.PATH
        case ir.Item(name=str(name), value=value):
            yield name, _kind(value, env, asked)
        case ir.Unwind(variable=name, source=source):
            yield name, types.rows_of(_kind(source, env, asked))
            yield from ((each, types.INTEGER) for each in (node.ordinality, node.offset) if each)
        case ir.ListComprehension(variable=name, source=source) | ir.Quantified(variable=name, source=source):
            yield name, _element(_kind(source, env, asked))
        case ir.Reduce() | ir.AllReduce():
            yield node.variable, _element(_kind(node.source, env, asked))
            yield node.accumulator, _kind(node.initial, env, asked) | _kind(node.body, env, asked)
        case ir.YieldItem():
            yield node.alias or node.name, types.ANY


def _element(kind: int) -> int:
    return types.element_of(kind & types.LIST) if kind & types.LIST else 0


def kind_of(value: Any) -> int:
    """The type of a value; 0 for null."""
    if value is None:
        return 0
    if isinstance(value, list | tuple):
        kind = _union(map(kind_of, value))
        return types.list_of(kind) if kind else _EMPTY
    return _KINDS.get(type(value), types.ANY)


def is_finite(value: Any) -> bool:
    """Whether there is no NaN and no infinity in a value."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list | tuple):
        return all(map(is_finite, value))
    return not isinstance(value, Mapping) or all(map(is_finite, value.values()))


def has_nan(value: Any) -> bool:
    """Whether there is NaN in a value."""
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, list | tuple):
        return any(map(has_nan, value))
    return isinstance(value, Mapping) and any(map(has_nan, value.values()))


def integer(node: ir.Node | None) -> int | None:
    """The value of a constant integer."""
    match node:
        case ir.Literal(value=int() as value):
            return value
        case ir.Apply(function="neg", args=(ir.Literal(value=int() as value),)):
            return -value
        case _:
            return None
