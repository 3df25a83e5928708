"""What one schema has and another has not, type by type and property by property.

Node types are the same by their labels, edge types by their triple, properties by their name.  Knows no format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from graphir.schema.model import EdgeType, NodeType, PropertyType, Schema

STATISTICS = ("examples", "sizes", "minimum", "maximum", "distinct", "count", "degrees")
"""Fields that tell of the data rather than of the schema."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference.

    `what` is "node type", "edge type", "property" or "coverage", `name` says which: `(:Person)`, `(:A)-[:R]->(:B)`,
    `(:Person).age`.  For "changed", `field` is what changed (an attribute of the model) from `old` to `new`.
    """

    kind: Literal["added", "removed", "changed"]
    what: str
    name: str
    field: str | None = None
    old: Any = None
    new: Any = None

    def to_json(self) -> dict[str, Any]:
        row = asdict(self)
        if self.field is None:
            del row["field"], row["old"], row["new"]
        return row


def compare(old: Schema, new: Schema, *, statistics: bool = False) -> tuple[Change, ...]:
    """The changes from one schema to another, in a fixed order.  `statistics`: those of the data count as well."""
    return tuple(_schemas(old, new, () if statistics else STATISTICS))


def called(type: NodeType | EdgeType) -> str:
    """A type as a pattern: `(:Person)`, `(:A)-[:R]->(:B)`; `()` is any node, `(:)` one without labels."""
    if isinstance(type, NodeType):
        return _end(type.labels)
    return f"{_end(type.source)}-[:{type.type}]->{_end(type.target)}"


def _end(labels: tuple[str, ...] | None) -> str:
    return "()" if labels is None else f"(:{':'.join(labels)})"


def _schemas(old: Schema, new: Schema, ignored: tuple[str, ...]) -> Iterator[Change]:
    for field in fields(old.coverage):
        before, after = getattr(old.coverage, field.name), getattr(new.coverage, field.name)
        if before != after:
            yield Change("changed", "coverage", "schema", field.name, before, after)
    yield from _types("node type", _by_name(old.node_types), _by_name(new.node_types), ignored)
    yield from _types("edge type", _by_name(old.edge_types), _by_name(new.edge_types), ignored)


def _by_name(types: tuple[NodeType, ...] | tuple[EdgeType, ...]) -> dict[str, NodeType | EdgeType]:
    return {called(type): type for type in types}


def _types(
    what: str,
    old: Mapping[str, NodeType | EdgeType],
    new: Mapping[str, NodeType | EdgeType],
    ignored: tuple[str, ...],
) -> Iterator[Change]:
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield Change("removed", what, name)
        elif name not in old:
            yield Change("added", what, name)
        else:
            yield from _fields(what, name, old[name], new[name], (*ignored, "properties", "table"))
            yield from _properties(name, old[name].properties, new[name].properties, ignored)


def _fields(what: str, name: str, old: Any, new: Any, ignored: tuple[str, ...]) -> Iterator[Change]:
    for field in fields(old):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if field.name not in ignored and before != after:
            yield Change("changed", what, name, field.name, _plain(before), _plain(after))


def _plain(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _properties(
    owner: str,
    old: tuple[PropertyType, ...] | None,
    new: tuple[PropertyType, ...] | None,
    ignored: tuple[str, ...],
) -> Iterator[Change]:
    if old is None or new is None:
        if old is not new:
            known = "not known" if new is None else "known"
            yield Change("changed", "properties", owner, "properties", "known" if new is None else "not known", known)
        return
    before = {property.name: property for property in old}
    after = {property.name: property for property in new}
    for name in sorted(before.keys() | after.keys()):
        place = f"{owner}.{name}"
        if name not in after:
            yield Change("removed", "property", place)
        elif name not in before:
            yield Change("added", "property", place)
        else:
            yield from _fields("property", place, before[name], after[name], ignored)
