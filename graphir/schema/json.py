"""Format `json`: graphir's own, which holds everything that a schema says.

    {"graphir": "schema", "version": 1, "closed": true,
     "node_types": [{"labels": ["Person"], "properties": [{"name": "age"}]}], "edge_types": []}

What has its default value is left out; `"properties": null` says that nothing is known of them; `closed` that all parts
of the schema are complete, and `coverage` which of them are.  Only this module
knows pydantic, and only as the description of the document; the schema itself is the frozen model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    ValidationError,
)

from graphir.diagnostics import SyntaxFault, diagnose
from graphir.schema import literals, model
from graphir.schema.words import data_type
from graphir.source import Source, Span

VERSION = 1

Path = tuple[int | str, ...]
Name = Annotated[str, Field(min_length=1)]
Count = Annotated[StrictInt, Field(ge=0)]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _known(name: str) -> str:
    if name not in model.TYPES:
        raise ValueError(f"`{name}` is no type; the types are {', '.join(model.TYPES)}, LIST<...>")
    return name


def _parts(found: Any) -> Any:
    """A name, also with parts as `LIST<STRING>`, as an object."""
    if not isinstance(found, str) or found in model.TYPES:
        return {"name": found} if isinstance(found, str) else found
    type = data_type(found)
    return {"name": found} if type is None else asdict(type)


class DataType(_Document):
    """A type with its parts.  A type without parts is its name alone."""

    name: Annotated[str, AfterValidator(_known)]
    element: Annotated[DataType, BeforeValidator(_parts)] | None = None
    size: Count | None = None
    scale: Count | None = None


class Property(_Document):
    name: Name
    type: Annotated[DataType, BeforeValidator(_parts)] | None = None
    nullable: StrictBool | None = None
    unique: StrictBool = False
    values: list[Any] | None = None
    examples: list[Any] = []
    sizes: tuple[Count, Count] | None = None
    minimum: Any = None
    maximum: Any = None
    distinct: Count | None = None
    description: str | None = None


class Table(_Document):
    name: Name
    qualifier: list[Name] = []
    others: list[list[Name]] = []
    elements: list[Name] = []
    columns: list[tuple[Name, Name]] = []
    key: list[Name] = []
    source: list[Name] = []
    target: list[Name] = []
    nullable: list[Name] = []


class Node(_Document):
    labels: list[Name]
    properties: list[Property] | None = []
    key: list[Name] = []
    parents: list[Name] = []
    open: StrictBool = False
    count: Count | None = None
    description: str | None = None
    table: Table | None = None


class Edge(_Document):
    type: Name
    source: list[Name] | None
    target: list[Name] | None
    properties: list[Property] | None = []
    key: list[Name] = []
    open: StrictBool = False
    count: Count | None = None
    degrees: tuple[float, float] | None = None
    description: str | None = None
    table: Table | None = None


class Coverage(_Document):
    labels: StrictBool = True
    types: StrictBool = True
    endpoints: StrictBool = True
    properties: StrictBool = True
    combinations: StrictBool = True


class Origin(_Document):
    format: Name
    held: list[tuple[Name, Name, Name]] = []


class Document(_Document):
    """A schema of a property graph."""

    graphir: Literal["schema"]
    version: Literal[1]
    name: str | None = None
    qualifier: list[Name] = []
    closed: StrictBool | None = None
    """All parts are complete: what is not listed does not exist."""
    coverage: Coverage | None = None
    node_types: list[Node] = []
    edge_types: list[Edge] = []
    guesses: list[str] = []
    origin: Origin | None = None


DataType.model_rebuild()


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the documents: a type may be its name alone, which pydantic does not see."""
    found: dict[str, Any] = json.loads(json.dumps(Document.model_json_schema()), object_hook=_with_names)
    return found


def _with_names(part: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [{"type": "string"}, part]} if part == {"$ref": "#/$defs/DataType"} else part


def dumps(schema: model.Schema) -> str:
    return json.dumps(to_json(schema), indent=2, ensure_ascii=False) + "\n"


def loads(text: str) -> model.Schema:
    """The schema that a text holds.  A fault in it is placed where the value stands."""
    whole = literals.parse(text)
    try:
        return _schema(whole.plain())
    except _Misfit as misfit:
        source = Source(text, "<schema>")
        start = _place(whole, misfit.path)
        span = Span(start, min(start + 1, len(text)))
        raise SyntaxFault([diagnose(source, misfit.code, str(misfit), span)]) from None


def to_json(schema: model.Schema) -> dict[str, Any]:
    """The document as values of JSON."""
    return {
        "graphir": "schema",
        "version": VERSION,
        **_present(name=schema.name, qualifier=list(schema.qualifier)),
        "closed": schema.closed,
        **({} if schema.closed else {"coverage": asdict(schema.coverage)}),
        "node_types": [_node_out(node) for node in schema.node_types],
        "edge_types": [_edge_out(edge) for edge in schema.edge_types],
        **_present(guesses=list(schema.guesses), origin=_origin_out(schema.origin)),
    }


def from_json(document: Any) -> model.Schema:
    """The schema that a document (values of JSON) describes.  Raises SyntaxFault G080 or G083."""
    try:
        return _schema(document)
    except _Misfit as misfit:
        raise SyntaxFault([diagnose(Source("", "<schema>"), misfit.code, str(misfit))]) from None


class _Misfit(ValueError):
    """The part of the document at `path` is not what it has to be."""

    def __init__(self, path: Path, message: str, code: str = "G080") -> None:
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
        super().__init__(f"{where}: {message}" if where else message)
        self.path = path
        self.code = code


def _schema(document: Any) -> model.Schema:
    try:
        found = Document.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _Misfit(first["loc"], first["msg"]) from None
    nodes = tuple(_node_in(node) for node in found.node_types)
    edges = tuple(_edge_in(edge) for edge in found.edge_types)
    _once(("node_types",), [node.labels for node in nodes])
    _once(("edge_types",), [(edge.type, edge.source, edge.target) for edge in edges])
    described: dict[str, Sequence[Node | Edge]] = {"node_types": found.node_types, "edge_types": found.edge_types}
    for kind, owners in described.items():
        for index, owner in enumerate(owners):
            _once((kind, index, "properties"), [one.name for one in owner.properties or ()])
    coverage, guesses = _coverage(found)
    origin = None if found.origin is None else model.Origin(found.origin.format, tuple(found.origin.held))
    return model.Schema(nodes, edges, coverage, found.name, guesses, origin, tuple(found.qualifier))


def _coverage(found: Document) -> tuple[model.Coverage, tuple[str, ...]]:
    """What the document says of its parts, and the guesses.  One that says nothing is read as triples are."""
    guesses = tuple(found.guesses)
    if found.coverage is not None:
        coverage = model.Coverage(**found.coverage.model_dump())
        if found.closed is not None and found.closed != (coverage == model.CLOSED):
            raise _Misfit(("closed",), "it contradicts `coverage`", "G083")
        return coverage, guesses
    if found.closed:
        return model.CLOSED, guesses
    if found.closed is None:
        silent = "the document does not say that it is closed: only the ends of its edge types are taken as complete"
        guesses = tuple(dict.fromkeys((*guesses, silent)))
    return model.ENDPOINTS_ONLY, guesses


def _once(path: Path, names: Sequence[Any]) -> None:
    seen = set()
    for index, name in enumerate(names):
        if name in seen:
            raise _Misfit((*path, index), "it is described twice", "G083")
        seen.add(name)


def _place(whole: literals.Literal, path: Path) -> int:
    """The offset of the part of the text that the path leads to, as far as it leads."""
    at = whole
    for step in path:
        inner = at.value
        if isinstance(inner, dict) and step in inner:
            at = inner[str(step)]
        elif isinstance(inner, list) and isinstance(step, int) and step < len(inner):
            at = inner[step]
        else:
            break
    return at.start


def _present(**members: Any) -> dict[str, Any]:
    """The members that say something."""
    return {key: value for key, value in members.items() if value not in (None, False, [], ())}


def _origin_out(origin: model.Origin | None) -> dict[str, Any] | None:
    if origin is None:
        return None
    return {"format": origin.format, **_present(held=[list(names) for names in origin.held])}


def _node_out(node: model.NodeType) -> dict[str, Any]:
    return {
        "labels": list(node.labels),
        **_properties_out(node),
        **_present(key=list(node.key), parents=list(node.parents), open=node.open),
        **_rest_out(node),
    }


def _edge_out(edge: model.EdgeType) -> dict[str, Any]:
    return {
        "type": edge.type,
        "source": None if edge.source is None else list(edge.source),
        "target": None if edge.target is None else list(edge.target),
        **_properties_out(edge),
        **_present(key=list(edge.key), open=edge.open, degrees=edge.degrees and list(edge.degrees)),
        **_rest_out(edge),
    }


def _rest_out(of: model.NodeType | model.EdgeType) -> dict[str, Any]:
    count = {} if of.count is None else {"count": of.count}
    return {**count, **_present(description=of.description, table=_table_out(of.table))}


def _properties_out(of: model.NodeType | model.EdgeType) -> dict[str, Any]:
    if of.properties is None:
        return {"properties": None}
    return {"properties": [_property_out(one) for one in of.properties]} if of.properties else {}


def _property_out(one: model.PropertyType) -> dict[str, Any]:
    row: dict[str, Any] = {"name": one.name, **_present(type=_type_out(one.type) if one.type else None)}
    for key in ("nullable", "values", "sizes", "minimum", "maximum", "distinct", "description"):
        value = getattr(one, key)
        if value is not None:
            row[key] = _thawed(value)
    return row | _present(unique=one.unique, examples=_thawed(one.examples))


def _type_out(type: model.DataType) -> Any:
    if type.element is None and type.size is None and type.scale is None:
        return type.name
    element = _type_out(type.element) if type.element else None
    return {"name": type.name, **_present(element=element), **_sizes_out(type)}


def _sizes_out(type: model.DataType) -> dict[str, int]:
    return {key: value for key, value in (("size", type.size), ("scale", type.scale)) if value is not None}


def _table_out(table: model.Table | None) -> dict[str, Any] | None:
    if table is None:
        return None
    columns = [list(pair) for pair in table.columns]
    keys = _present(key=list(table.key), source=list(table.source), target=list(table.target))
    named = {"name": table.name, **_present(qualifier=list(table.qualifier))}
    return {
        **named,
        **_present(columns=columns),
        **keys,
        **_present(nullable=list(table.nullable), others=[list(path) for path in table.others]),
        **_present(elements=list(table.elements)),
    }


def _node_in(node: Node) -> model.NodeType:
    return model.NodeType(
        model.labels(*node.labels),
        _properties_in(node.properties),
        tuple(node.key),
        model.labels(*node.parents),
        node.open,
        node.count,
        node.description,
        _table_in(node.table),
    )


def _edge_in(edge: Edge) -> model.EdgeType:
    return model.EdgeType(
        edge.type,
        None if edge.source is None else model.labels(*edge.source),
        None if edge.target is None else model.labels(*edge.target),
        _properties_in(edge.properties),
        tuple(edge.key),
        edge.open,
        edge.count,
        edge.degrees,
        edge.description,
        _table_in(edge.table),
    )


def _properties_in(found: list[Property] | None) -> tuple[model.PropertyType, ...] | None:
    return None if found is None else tuple(_property_in(one) for one in found)


def _property_in(one: Property) -> model.PropertyType:
    return model.PropertyType(
        one.name,
        _type_in(one.type),
        one.nullable,
        one.unique,
        None if one.values is None else tuple(_frozen(value) for value in one.values),
        tuple(_frozen(value) for value in one.examples),
        one.sizes,
        _frozen(one.minimum),
        _frozen(one.maximum),
        one.distinct,
        one.description,
    )


def _type_in(type: DataType | None) -> model.DataType | None:
    return None if type is None else model.DataType(type.name, _type_in(type.element), type.size, type.scale)


def _table_in(table: Table | None) -> model.Table | None:
    if table is None:
        return None
    return model.Table(
        table.name,
        tuple(table.columns),
        source=tuple(table.source),
        target=tuple(table.target),
        key=tuple(table.key),
        nullable=tuple(table.nullable),
        qualifier=tuple(table.qualifier),
        others=tuple(tuple(path) for path in table.others),
        elements=tuple(table.elements),
    )


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list | tuple) else value


def _thawed(value: Any) -> Any:
    """As JSON has it, which knows neither tuples nor infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return [_thawed(one) for one in value] if isinstance(value, tuple) else value
