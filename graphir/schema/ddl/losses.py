"""What a format does not hold of a schema, in words: the notes that writers put before their text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from graphir.schema.model import EdgeType, NodeType, PropertyType, Schema

Owner = NodeType | EdgeType


def called(type: Owner) -> str:
    """A type in a note."""
    return f"(:{':'.join(type.labels)})" if isinstance(type, NodeType) else f"[:{type.type}]"


def some(places: Iterable[str], most: int = 5) -> str:
    """The first few places, and how many more there are."""
    found = list(dict.fromkeys(places))
    rest = len(found) - most
    return ", ".join(found[:most]) + (f" and {rest} more" if rest > 0 else "")


def properties(schema: Schema) -> Iterator[tuple[Owner, PropertyType]]:
    """Every property with its owner."""
    for type in schema.types:
        for property in type.properties or ():
            yield type, property


def losses(
    schema: Schema,
    *,
    unique: Callable[[PropertyType], bool] = lambda _: False,
    values: Callable[[PropertyType], bool] = lambda _: False,
    descriptions: bool = False,
    nullable: bool = True,
    closed: bool = True,
) -> Iterator[str]:
    """Notes on what is lost.  The arguments say what the format does hold.

    `nullable`: it says of every property whether it may be NULL; `closed`: it says that there is nothing else.
    """

    def places(lost: Callable[[Owner, PropertyType], bool]) -> list[str]:
        return [f"{called(owner)}.{each.name}" for owner, each in properties(schema) if lost(owner, each)]

    if nullable and (unknown := places(lambda owner, each: each.nullable is None and each.name not in owner.key)):
        yield f"whether they may be NULL is not known, so they may: {some(unknown)}"
    if found := places(lambda _, each: each.unique and not unique(each)):
        yield f"that values are unique is not held: {some(found)}"
    if found := places(lambda _, each: each.values is not None and not values(each)):
        yield f"the set of values is not held: {some(found)}"
    if not descriptions and (
        any(type.description for type in schema.types) or places(lambda _, each: each.description is not None)
    ):
        yield "descriptions are not held"
    if closed and not schema.closed:
        yield "the schema is partial; this says that there is nothing else"
    if not closed and (schema.coverage.labels or schema.coverage.types or schema.coverage.properties):
        yield "that there is nothing else is not held"
    if unlisted := [called(type) for type in schema.types if type.properties is None or type.open]:
        yield f"there may be properties that are not listed: {some(unlisted)}"
    if any(type.count is not None for type in schema.types) or places(lambda _, each: _has_statistics(each)):
        yield "counts, examples and other statistics are not held"


def _has_statistics(property: PropertyType) -> bool:
    statistics = (property.sizes, property.minimum, property.maximum, property.distinct)
    return bool(property.examples) or any(value is not None for value in statistics)
