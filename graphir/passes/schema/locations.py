"""Where the literals of a query stand, and which property each is compared with or written to.

Redaction and the grounding of values build on it.  Without a schema the labels and types that the query itself writes
are the owners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from graphir import ir
from graphir.passes.schema.bindings import Bindings
from graphir.passes.schema.constants import TEMPORAL, Constant, Pair, constant_of, pairs
from graphir.passes.schema.index import index_of
from graphir.passes.schema.orientation import settled
from graphir.passes.schema.slots import Access
from graphir.schema.model import Coverage, DataType, EdgeType, NodeType, Schema

_NO_TYPES: Mapping[str, DataType] = MappingProxyType({})
_NOTHING_KNOWN = Coverage(labels=False, types=False, endpoints=False, properties=False)


@dataclass(frozen=True, slots=True)
class LiteralUse:
    """A literal of a query: the half-open range of characters where it stands, its value, and what it is for.

    `operator` is eq, ne, lt, le, gt, ge, in, starts_with, ends_with, contains or matches for a comparison with
    `property`, holds for `literal IN property`, set where it is written to the property, skip or limit, and None
    elsewhere.  `element` is node or edge; `owners` are the labels or types that the element may have, as far as they
    are known; `type` is that of the property in the schema.  `function` is the function that the literal
    (`date('2024-01-01')`) or the property (`toLower(n.name)`) is an argument of.
    """

    start: int
    end: int
    value: bool | int | float | str | None
    operator: str | None = None
    property: str | None = None
    element: str | None = None
    owners: tuple[str, ...] = ()
    type: str | None = None
    function: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The attributes as keys; those that are None or empty are left out."""
        row: dict[str, Any] = {"start": self.start, "end": self.end, "value": self.value}
        named = ("operator", "property", "element", "type", "function")
        row |= {name: value for name in named if (value := getattr(self, name)) is not None}
        return {**row, "owners": list(self.owners)} if self.owners else row


def locate(query: ir.Query, schema: Schema | None = None) -> list[LiteralUse]:
    """Every literal of the query that has a place in a text, in its order."""
    bindings = settled(query, index_of(mentioned(query) if schema is None else schema))
    found: dict[int, LiteralUse] = {}
    for node in ir.walk(query.body):
        for literal, use in _uses(node, bindings):
            found[id(literal)] = use
        for literal in _plain(node):
            if literal.span is not None and id(literal) not in found:
                found[id(literal)] = LiteralUse(*literal.span, _value(literal))
    inner = {id(node.args[0]) for node in ir.walk(query.body) if isinstance(node, ir.Apply) and _is_negative(node)}
    return sorted([use for key, use in found.items() if key not in inner], key=lambda use: (use.start, use.end))


def mentioned(query: ir.Query) -> Schema:
    """The labels and types that a query writes, as a schema that claims nothing else."""
    nodes: set[str] = set()
    edges: set[str] = set()
    for node in ir.walk(query.body):
        if isinstance(node, ir.NodePattern | ir.EdgePattern) and node.labels is not None:
            names = {each.name for each in ir.walk(node.labels) if isinstance(each, ir.LabelName)}
            (nodes if isinstance(node, ir.NodePattern) else edges).update(names)
        elif isinstance(node, ir.HasLabels):
            nodes |= {each.name for each in ir.walk(node.labels) if isinstance(each, ir.LabelName)}
    return Schema(
        tuple(NodeType((name,), properties=None) for name in nodes),
        tuple(EdgeType(name, None, None, properties=None) for name in edges),
        _NOTHING_KNOWN,
    )


def _plain(node: ir.Node) -> Iterator[ir.Expression]:
    if isinstance(node, ir.Literal) or (isinstance(node, ir.Apply) and _is_negative(node)):
        yield node


def _is_negative(node: ir.Apply) -> bool:
    return node.function == "neg" and isinstance(node.args[0], ir.Literal) and _is_number(node.args[0].value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value(node: ir.Expression) -> Any:
    if isinstance(node, ir.Literal):
        return node.value
    constant = constant_of(node, _NO_TYPES)
    return constant.value if constant is not None else None


# ------------------------------------------------------------------ uses


def _uses(node: ir.Node, bindings: Bindings) -> Iterator[tuple[ir.Expression, LiteralUse]]:
    """The literals that a node compares, writes or counts with."""
    if isinstance(node, ir.Apply | ir.Comparison | ir.Case):
        for pair in pairs(node, _NO_TYPES):
            yield from _compared(pair, bindings)
    elif isinstance(node, ir.Entry):
        access = bindings.access_of(node)
        if access is not None:
            yield from _literals(node.value, "set" if access.write else "eq", _owner(bindings, access))
    elif isinstance(node, ir.SetProperty):
        access = bindings.access_of(node.target)
        if access is not None:
            yield from _literals(node.value, "set", _owner(bindings, access))
    elif isinstance(node, ir.Project | ir.Page):
        for operator, count in (("skip", node.skip), ("limit", node.limit)):
            if count is not None:
                yield from _literals(count, operator, {})


def _compared(pair: Pair, bindings: Bindings) -> Iterator[tuple[ir.Expression, LiteralUse]]:
    access = bindings.access_of(pair.subject)
    if access is None:
        return
    owner = _owner(bindings, access)
    if pair.case is not None:
        owner["function"] = pair.case
    yield from _literals(pair.constant.node, pair.operator, owner)


def _literals(
    node: ir.Expression, operator: str, owner: Mapping[str, Any]
) -> Iterator[tuple[ir.Expression, LiteralUse]]:
    """The literals that a constant consists of."""
    constant: Constant | None = constant_of(node, _NO_TYPES)
    if constant is None:
        return
    if constant.kind == "LIST":
        for item in constant.items:
            yield from _literals(item, operator, owner)
    elif isinstance(node, ir.Apply) and not _is_negative(node):
        for arg in node.args:
            for literal, use in _literals(arg, operator, owner):
                yield literal, replace(use, function=node.function if node.function in TEMPORAL else use.function)
    elif node.span is not None and constant.parameter is None:
        yield node, LiteralUse(*node.span, _value(node), operator, **owner)


def _owner(bindings: Bindings, access: Access) -> dict[str, Any]:
    """The property, as attributes of a use."""
    slot, index = access.owner, bindings.index
    names: list[str] = []
    if slot.named or slot.mask >= 0:
        names = index.node_names(slot.mask) if slot.node else index.edge_names(slot.mask)
    types = {str(each.type) for each in bindings.owners(access).types if each.type is not None}
    return {
        "property": access.key,
        "element": "node" if slot.node else "edge",
        "owners": tuple(names),
        "type": types.pop() if len(types) == 1 else None,
    }
