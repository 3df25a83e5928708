"""Writes formats `neo4j-markdown` and `spanner-markdown`: the schema as prompts to language models show it.

The form is LangChain's to the letter for plain names.  The format has no place for keys, uniqueness, counts and
descriptions, and gives the properties of an edge type once for all its ends; the first form has none for nullability.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graphir.quoting import ticked
from graphir.schema.draft import Draft
from graphir.schema.model import TYPES, DataType, EdgeType, Labels, PropertyType, Schema
from graphir.schema.readers.markdown import HEADS, INCOMPLETE, MORE, NO_LABELS, PARTS, UNKNOWN
from graphir.schema.scanner import is_plain, quote


@dataclass(frozen=True, slots=True)
class Form:
    """How the forms differ: their words for types, nullability, the type of an edge's property in the back-ticks."""

    words: Mapping[str, str]
    nullability: bool
    inside: bool


NEO4J = Form(
    MappingProxyType(
        {
            "ZONED DATETIME": "DATE_TIME",
            "LOCAL DATETIME": "LOCAL_DATE_TIME",
            "ZONED TIME": "TIME",
            "LOCAL TIME": "LOCAL_TIME",
        }
    ),
    nullability=False,
    inside=True,
)
SPANNER = Form(
    MappingProxyType(
        {
            "ZONED DATETIME": "DATETIME",
            "LOCAL DATETIME": "LOCAL_DATETIME",
            "ZONED TIME": "TIME",
            "LOCAL TIME": "LOCAL_TIME",
            "BOOLEAN": "BOOL",
            "INTEGER": "INT64",
            "INTEGER8": "INT8",
            "INTEGER16": "INT16",
            "INTEGER32": "INT32",
        }
    ),
    nullability=True,
    inside=False,
)
_RANGED = {"INTEGER", "FLOAT", "DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME"}


def write_neo4j(schema: Schema) -> str:
    return _write(schema, NEO4J)


def write_spanner(schema: Schema) -> str:
    return _write(schema, SPANNER)


def _write(schema: Schema, form: Form) -> str:
    lines = [HEADS[0]]
    for node in schema.node_types:
        lines.append(_owner(_labels(node.labels), node.properties, node.open))
        lines += (_property(one, form, of_edge=False) for one in node.properties or ())
    lines.append(HEADS[1])
    for type, (properties, open) in _listed(schema).items():
        lines.append(_owner(_bold(type), properties, open))
        lines += (_property(one, form, of_edge=True) for one in properties or ())
    lines += [HEADS[2], *_patterns(schema.edge_types)]
    missing = [part for part in PARTS if not getattr(schema.coverage, part)]
    if missing:
        lines.append(f"{INCOMPLETE} {', '.join(missing)}")
    return "\n".join(lines) + "\n"


def _labels(names: Labels) -> str:
    return ":".join(_bold(name) for name in names) or NO_LABELS


def _bold(name: str) -> str:
    """A name between `**` and `**`; with spaces in it, too, it stands as it is."""
    words = name.split(" ")
    return name if all(is_plain(word) for word in words) else ticked(name)


def _owner(name: str, properties: tuple[PropertyType, ...] | None, open: bool) -> str:
    if properties is None:
        return f"- **{name}** {UNKNOWN}"
    return f"- **{name}** {MORE}" if open else f"- **{name}**"


def _listed(schema: Schema) -> dict[str, tuple[tuple[PropertyType, ...] | None, bool]]:
    """Edge type -> its properties at any ends, and whether there are more.

    A type that has none is left out, as LangChain does, unless nothing else would say that it has none.
    """
    by_type: dict[str, list[EdgeType]] = {}
    for edge in schema.edge_types:
        by_type.setdefault(edge.type, []).append(edge)
    draft = Draft()
    found: dict[str, tuple[tuple[PropertyType, ...] | None, bool]] = {}
    bare: dict[str, tuple[tuple[PropertyType, ...] | None, bool]] = {}
    for type, edges in by_type.items():
        known = [edge.properties for edge in edges if edge.properties is not None]
        open = any(edge.open for edge in edges) or 0 < len(known) < len(edges)
        properties = draft.unique([one for properties in known for one in properties], type) if known else None
        said = properties or properties is None or open or _without_ends(edges)
        (found if said else bare)[type] = properties, open
    unknown = not bare and all(
        properties is None and not _without_ends(by_type[type]) for type, (properties, _) in found.items()
    )
    return {} if unknown else found or bare


def _without_ends(edges: Iterable[EdgeType]) -> bool:
    return any(edge.source is None or edge.target is None for edge in edges)


def _property(one: PropertyType, form: Form, *, of_edge: bool) -> str:
    word = f" {_word(one.type, form)}" if one.type else ""
    inside = of_edge and form.inside and one.type is not None
    named = ticked(one.name + ":" + word) if inside else f"{ticked(one.name)}:{word}"
    shown = form.nullability and one.nullable is not None
    flag = f" ({'OPTIONAL' if one.nullable else 'REQUIRED'})" if shown else ""
    return f"  - {named}{flag}{next(_details(one), '')}"


def _word(type: DataType, form: Form) -> str:
    return form.words.get(type.name, str(type)) if type.element is None and type.size is None else str(type)


def _details(one: PropertyType) -> Iterator[str]:
    """What can be said of the values, the most telling first; one of them is written."""
    kind = TYPES[one.type.name] if one.type else "STRING"
    if one.sizes is not None:
        yield f" Min Size: {one.sizes[0]}, Max Size: {one.sizes[1]}"
    if kind in _RANGED and one.minimum is not None and one.maximum is not None:
        yield f" Min: {one.minimum}, Max: {one.maximum}"
    if one.values and all(_is_scalar(value) for value in one.values):
        yield f" Available options: {[str(value) for value in one.values]}"
    for value in one.examples:
        if _is_scalar(value):
            yield f' Example: "{" ".join(str(value).splitlines())}"'


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float)


def _patterns(edges: Iterable[EdgeType]) -> Iterator[str]:
    for edge in edges:
        if edge.source is not None and edge.target is not None:
            yield f"({_end(edge.source)})-[:{quote(edge.type)}]->({_end(edge.target)})"


def _end(names: Labels) -> str:
    return "".join(f":{quote(name)}" for name in names)
