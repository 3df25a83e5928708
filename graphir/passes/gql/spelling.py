"""One spelling for names that differ in case alone, for dialects in which case does not matter.

Source of the rule: GoogleSQL compares identifiers, labels and properties without regard to case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from graphir import ir
from graphir.ir import Node
from graphir.ir.names import Folded, written
from graphir.passes.gql.elements import element_names, may_hold
from graphir.passes.names import names_in

if TYPE_CHECKING:
    from graphir.schema.model import Schema

Q = TypeVar("Q", bound=Node)


@dataclass(frozen=True, slots=True)
class Spellings:
    """The labels and the properties that a graph has, as they are spelled there."""

    labels: frozenset[str] = frozenset()
    properties: frozenset[str] = frozenset()

    @classmethod
    def of(cls, schema: Schema) -> Spellings:
        """The names of a schema."""
        labels = [label for node in schema.node_types for label in node.labels]
        labels += [edge.type for edge in schema.edge_types]
        properties = [each.name for known in schema.types for each in known.properties or ()]
        return cls(frozenset(labels), frozenset(properties))


def fold_variables(query: ir.Query) -> ir.Query:
    """Every variable under one spelling: that of the result's columns, else the first in the text."""
    chosen: dict[str, str] = {}
    for name in (*_result(query.body), *_variables(query)):
        chosen.setdefault(name.lower(), name)
    others = {name for name in _variables(query) if chosen[name.lower()] != name}
    if not others:
        return query
    return _respelled(query, {name: chosen[name.lower()] for name in others})


def fold_names(query: ir.Query, known: Spellings | None = None, *, only: type[str] = str) -> ir.Query:
    """Labels and properties as the graph spells them, if it has just one that differs in case alone.

    Where nothing is known of the graph, each has the first spelling in the text.  `only`: the names of that class.
    """
    known = known or _said(query)
    labels, properties = _folded(known.labels), _folded(known.properties)
    elements = element_names(query)

    def rule(node: Node) -> Node:
        if isinstance(node, ir.LabelName) and isinstance(node.name, only):
            name = _spelled(node.name, known.labels, labels)
            return node if name == node.name else replace(node, name=name)
        if isinstance(node, ir.Property) and isinstance(node.key, only) and may_hold(node.base, elements):
            key = _spelled(node.key, known.properties, properties)
            return node if key == node.key else replace(node, key=key)
        if isinstance(node, (ir.NodePattern, ir.EdgePattern)) and isinstance(node.properties, ir.MapOf):
            given = node.properties.entries
            entries = [replace(each, key=_spelled(each.key, known.properties, properties)) for each in given]
            return replace(node, properties=replace(node.properties, entries=tuple(entries)))
        return node

    return ir.rewrite(query, rule)


def unfolded(query: ir.Query) -> ir.Query:
    """The query with plain names in the place of those that were folded."""

    def plain(value: object) -> object:
        if isinstance(value, Folded):
            return str(value)
        if isinstance(value, tuple) and any(isinstance(each, Folded) for each in value):
            return tuple([plain(each) for each in value])
        return value

    def rule(node: Node) -> Node:
        changed: dict[str, Any] = {}
        for each in fields(node):
            value = getattr(node, each.name)
            made = plain(value)
            if made is not value:
                changed[each.name] = made
        return replace(node, **changed) if changed else node

    return ir.rewrite(query, rule)


def _said(query: ir.Query) -> Spellings:
    """The first spelling of every label and property in the query."""
    labels: dict[str, str] = {}
    properties: dict[str, str] = {}
    for node in ir.walk(query):
        if isinstance(node, ir.LabelName):
            labels.setdefault(node.name.lower(), written(node.name))
        elif isinstance(node, ir.Property):
            properties.setdefault(node.key.lower(), written(node.key))
        elif isinstance(node, (ir.NodePattern, ir.EdgePattern)) and isinstance(node.properties, ir.MapOf):
            for entry in node.properties.entries:
                properties.setdefault(entry.key.lower(), written(entry.key))
    return Spellings(frozenset(labels.values()), frozenset(properties.values()))


def _folded(names: Iterable[str]) -> dict[str, str | None]:
    """Lower case -> the name; None where there are several."""
    found: dict[str, str | None] = {}
    for name in names:
        found[name.lower()] = name if name.lower() not in found else None
    return found


def _spelled(name: str, known: frozenset[str], folded: Mapping[str, str | None]) -> str:
    return name if name in known else folded.get(name.lower()) or name


def _result(body: ir.Body) -> Iterator[str]:
    """The columns that the query returns, as far as they are named."""
    pipeline = body
    while not isinstance(pipeline, ir.Pipeline):
        match pipeline:
            case ir.SetOperation():
                pipeline = pipeline.branches[0]
            case ir.Next():
                pipeline = pipeline.parts[-1]
            case _:
                return
    last = pipeline.operators[-1] if pipeline.operators else None
    if isinstance(last, ir.Project) and last.final:
        yield from (item.name for item in last.items if item.name is not None)


def _variables(query: Node) -> Iterator[str]:
    for node in ir.walk(query):
        if isinstance(node, ir.Ref):
            yield node.name
        elif isinstance(node, ir.Lambda):
            yield from node.parameters
        else:
            yield from names_in(node)


def _respelled(query: Q, names: Mapping[str, str]) -> Q:
    def name(given: str | None) -> str | None:
        return None if given is None else names.get(given, given)

    def rule(node: Node) -> Node:
        if isinstance(node, ir.Ref):
            return replace(node, name=names[node.name]) if node.name in names else node
        if isinstance(node, ir.Item):
            return replace(node, name=name(node.name)) if node.name in names else node
        if isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.Path)):
            return replace(node, variable=name(node.variable)) if node.variable in names else node
        if isinstance(node, ir.Unwind):
            return replace(
                node, variable=name(node.variable) or "", ordinality=name(node.ordinality), offset=name(node.offset)
            )
        if isinstance(node, ir.YieldItem):
            return replace(node, alias=name(node.alias or node.name)) if (node.alias or node.name) in names else node
        if isinstance(node, ir.SubqueryCall) and node.imports:
            return replace(node, imports=tuple([names.get(each, each) for each in node.imports]))
        if isinstance(node, ir.Lambda):
            return replace(node, parameters=tuple([names.get(each, each) for each in node.parameters]))
        return node

    return ir.rewrite(query, rule)
