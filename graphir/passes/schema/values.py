"""What an expression hands on: the node, edge, list, path or map that a name or a place holds.

Knows the functions that pass elements on; whatever it does not know is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphir import ir
from graphir.passes.schema.index import Index
from graphir.passes.schema.slots import Access, Flow, Items, Link, Record, Route, Slot, Tie, Value

_FUEL = 24
"""How deep an expression is looked into."""


class Reader:
    """Values of expressions; `accesses` and `bodies` are what was found for places looked at before."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.accesses: dict[int, Access] = {}
        """Identity of an expression -> the property that it reads."""
        self.results: dict[int, Value] = {}
        """Identity of a subquery or pattern comprehension -> its value."""
        self.ties: list[Tie] = []
        self.links: list[Link] = []

    def value(self, node: ir.Expression, env: Mapping[str, Value], fuel: int = _FUEL) -> Value:
        if type(node) is ir.Ref:
            return env.get(node.name)
        rule = _RULES.get(type(node))
        return rule(self, node, env, fuel - 1) if rule is not None and fuel > 0 else None

    def tie(self, made: Slot, origins: tuple[Slot, ...]) -> None:
        self.ties.append(Flow(origins, made))

    def node(self) -> Slot:
        return Slot(self.index.any_node, node=True)


def element(value: Value) -> Value:
    """What an element of the value is; None where that is not known."""
    return value.of if isinstance(value, Items) else None


def join(values: list[Value], ties: Callable[[Slot, tuple[Slot, ...]], None]) -> Value:
    """One of several values.  `ties` is told of a new slot and what it comes from."""
    first = values[0] if values else None
    if all(value is first for value in values):
        return first
    if all(isinstance(value, Items) for value in values):
        inner = join([value.of for value in values if isinstance(value, Items)], ties)
        return Items(inner) if inner is not None else None
    slots = [value for value in values if isinstance(value, Slot)]
    if not slots or len(slots) < len(values) or any(slot.node is not slots[0].node for slot in slots):
        return None
    mask = 0
    for slot in slots:
        mask |= slot.declared
    made = Slot(mask, node=slots[0].node, name=slots[0].name)
    made.named = all(slot.named for slot in slots)
    for slot in slots:
        made.also |= slot.beside()
    ties(made, tuple(slots))
    return made


def _access(reader: Reader, node: Any, env: Mapping[str, Value], fuel: int) -> Value:
    found = reader.accesses.get(id(node))
    if found is not None:
        return found
    base = reader.value(node.base, env, fuel)
    key = node.key if isinstance(node, ir.Property) else _constant(node.index)
    if isinstance(base, Record) and isinstance(key, str):
        return base.entries.get(key)
    if isinstance(base, Items):
        return _item(base, key) if not isinstance(key, str) else None
    return None


def _item(items: Items, key: object) -> Value:
    """The item at an index; at one that is not known, any of them."""
    if type(key) is int and -len(items.each) <= key < len(items.each):
        return items.each[key]
    return items.of


def _constant(node: ir.Expression) -> object:
    if isinstance(node, ir.Apply) and node.function == "neg":
        number = _constant(node.args[0])
        return -number if type(number) is int else None
    return node.value if isinstance(node, ir.Literal) else None


def _slice(reader: Reader, node: ir.Slice, env: Mapping[str, Value], fuel: int) -> Value:
    base = reader.value(node.base, env, fuel)
    return Items(base.of) if isinstance(base, Items) else None


def _list(reader: Reader, node: ir.ListOf, env: Mapping[str, Value], fuel: int) -> Value:
    if not node.items or len(node.items) > _FUEL:
        return None
    inner = _same(reader, node.items, env, fuel)
    return Items(inner) if inner is not None else None


def _same(reader: Reader, nodes: Any, env: Mapping[str, Value], fuel: int) -> Value:
    """The value of several expressions where all are of one sort; of nodes, what any of them may be."""
    values = [
        reader.value(each, env, fuel // len(nodes))
        for each in nodes
        if not (isinstance(each, ir.Literal) and each.value is None)
    ]
    return join(values, reader.tie)


def _map(reader: Reader, node: ir.MapOf, env: Mapping[str, Value], fuel: int) -> Value:
    if len(node.entries) > _FUEL:
        return None
    share = fuel // max(1, len(node.entries))
    return Record({entry.key: reader.value(entry.value, env, share) for entry in node.entries})


def _projection(reader: Reader, node: ir.MapProjection, env: Mapping[str, Value], fuel: int) -> Value:
    entries: dict[str, Value] = {}
    share = fuel // max(1, len(node.items))
    for item in node.items:
        if isinstance(item, ir.Entry):
            entries[item.key] = reader.value(item.value, env, share)
        elif isinstance(item, ir.ProjectedProperty):
            entries[item.key] = reader.accesses.get(id(item))
        elif isinstance(item, ir.ProjectedVariable):
            entries[item.name] = env.get(item.name)
    return Record(entries)


def _apply(reader: Reader, node: ir.Apply, env: Mapping[str, Value], fuel: int) -> Value:
    rule = _FUNCTIONS.get(node.function)
    if rule is None or not node.args:
        return None
    if node.function == "coalesce":
        return _same(reader, node.args, env, fuel) if len(node.args) <= _FUEL else None
    return rule(reader, reader.value(node.args[0], env, fuel))


def _collected(reader: Reader, value: Value) -> Value:
    return Items(value) if value is not None else None


def _kept(reader: Reader, value: Value) -> Value:
    return value


def _moved(reader: Reader, value: Value) -> Value:
    return Items(value.of) if isinstance(value, Items) else None


def _head(reader: Reader, value: Value) -> Value:
    return _item(value, 0) if isinstance(value, Items) else None


def _last(reader: Reader, value: Value) -> Value:
    return _item(value, -1) if isinstance(value, Items) else None


def _nodes(reader: Reader, value: Value) -> Value:
    if not isinstance(value, Route) or not value.nodes:
        return Items(reader.node())
    return Items(_any(reader, value.nodes), tuple(value.nodes) if value.fixed else ())


def _edges(reader: Reader, value: Value) -> Value:
    if not isinstance(value, Route) or not value.edges:
        return None
    return Items(_any(reader, value.edges), tuple(value.edges) if value.fixed else ())


def _any(reader: Reader, slots: list[Slot]) -> Value:
    return join(list(slots), reader.tie)


def _start(reader: Reader, value: Value) -> Value:
    return _end_of(reader, value, "out")


def _end(reader: Reader, value: Value) -> Value:
    return _end_of(reader, value, "in")


def _end_of(reader: Reader, value: Value, direction: str) -> Value:
    """The node that an edge begins at (out) or ends at (in), read from left to right."""
    ends: list[Value] = []
    for link in reader.links:
        if link.edge is value and link.bounds is None:
            ends += [link.left] * (link.direction in (direction, "any"))
            ends += [link.right] * (link.direction != direction)
    return join(ends, reader.tie) if ends else reader.node()


def _case(reader: Reader, node: ir.Case, env: Mapping[str, Value], fuel: int) -> Value:
    results = [branch.result for branch in node.branches]
    if node.default is not None:
        results.append(node.default)
    return _same(reader, results, env, fuel) if len(results) <= _FUEL else None


def _comprehension(reader: Reader, node: ir.ListComprehension, env: Mapping[str, Value], fuel: int) -> Value:
    source = reader.value(node.source, env, fuel)
    if node.body is None:
        return Items(source.of) if isinstance(source, Items) else source
    inner = reader.value(node.body, {**env, node.variable: element(source)}, fuel)
    return Items(inner) if inner is not None else None


def _found(reader: Reader, node: ir.Expression, env: Mapping[str, Value], fuel: int) -> Value:
    return reader.results.get(id(node))


_FUNCTIONS: dict[str, Callable[[Reader, Value], Value]] = {
    "collect": _collected,
    "min": _kept,
    "max": _kept,
    "tail": _moved,
    "reverse": _moved,
    "properties": _kept,
    "coalesce": _kept,
    "head": _head,
    "last": _last,
    "nodes": _nodes,
    "relationships": _edges,
    "startNode": _start,
    "endNode": _end,
}

_RULES: dict[type[ir.Expression], Callable[..., Value]] = {
    ir.Property: _access,
    ir.Index: _access,
    ir.Slice: _slice,
    ir.ListOf: _list,
    ir.MapOf: _map,
    ir.MapProjection: _projection,
    ir.Apply: _apply,
    ir.Case: _case,
    ir.ListComprehension: _comprehension,
    ir.PatternComprehension: _found,
    ir.PatternExpression: _found,
    ir.Subquery: _found,
}
