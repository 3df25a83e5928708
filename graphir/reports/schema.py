"""A schema, and what differs between two, as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphir.schema.difference import Change, called
from graphir.schema.model import EdgeType, NodeType, PropertyType, Schema

_MOST = 6  # values or examples of a property


def outline(schema: Schema) -> str:
    """The schema as an indented list: types, below each its properties with what is known of them."""
    lines = [_head(schema)]
    for title, types in (("Node types", schema.node_types), ("Edge types", schema.edge_types)):
        if types:
            lines += ["", title]
        for type in types:
            lines += _type(type)
    if schema.guesses:
        lines += ["", "Guesses", *(f"  {guess}" for guess in schema.guesses)]
    return "\n".join(lines) + "\n"


def _head(schema: Schema) -> str:
    nodes, edges = len(schema.node_types), len(schema.edge_types)
    coverage = schema.coverage
    partial = [name for name in ("labels", "types", "endpoints", "properties") if not getattr(coverage, name)]
    known = f"there may be other {', '.join(partial)}" if partial else "complete"
    return f"{schema.name or 'schema'}: {nodes} node types, {edges} edge types; {known}; {schema.fingerprint[:12]}"


def _type(type: NodeType | EdgeType) -> Iterator[str]:
    facts = [f"{type.count:,}"] if type.count is not None else []
    if isinstance(type, NodeType) and type.parents:
        facts.append("inherits from " + ", ".join(type.parents))
    if type.key:
        facts.append(f"key {', '.join(type.key)}")
    if type.open:
        facts.append("other properties are possible")
    if type.description:
        facts.append(_short(type.description, 100))
    yield f"  {called(type)}" + (f"  {'; '.join(facts)}" if facts else "")
    if type.properties is None:
        yield "    properties not known"
        return
    width = max((len(property.name) for property in type.properties), default=0)
    for property in type.properties:
        yield f"    {property.name.ljust(width)}  {'; '.join(_facts(property))}"


def _facts(property: PropertyType) -> Iterator[str]:
    type = str(property.type) if property.type is not None else "?"
    yield type + (" NOT NULL" if property.nullable is False else "") + (" UNIQUE" if property.unique else "")
    if property.values is not None:
        yield "one of " + _list(property.values)
    elif property.examples:
        yield "such as " + _list(property.examples)
    if property.minimum is not None or property.maximum is not None:
        yield f"from {property.minimum} to {property.maximum}"
    if property.distinct is not None:
        yield f"{property.distinct:,} values"
    if property.description:
        yield _short(property.description, 100)


def _list(values: tuple[Any, ...]) -> str:
    more = f" and {len(values) - _MOST:,} more" if len(values) > _MOST else ""
    return ", ".join(_short(repr(value), 40) for value in values[:_MOST]) + more


def _short(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def differences(changes: Iterable[Change]) -> str:
    """The changes, a line each: + added, - removed, ~ changed."""
    return "".join(_change(change) + "\n" for change in changes)


def _change(change: Change) -> str:
    mark = {"added": "+", "removed": "-", "changed": "~"}[change.kind]
    line = f"{mark} {change.what} {change.name}"
    if change.field is None:
        return line
    return f"{line}: {change.field} {_value(change.old)} -> {_value(change.new)}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "(" + ", ".join(map(str, value)) + ")"
    return "unknown" if value is None else str(value)
