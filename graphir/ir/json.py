"""The IR as JSON: `to_json`, `from_json` that validates, and `schema`, all read off the node declarations.

A node is an object with its operator under `op`; fields that hold their default are left out.  A float is
`{"float": "1.5"}`, because JSON has neither NaN nor a difference between 1.0 and 1.  Spans and notes are no part of
the form; `to_json(node, spans=True)` adds them for people and tools, and `from_json` reads them where they are.
"""

from __future__ import annotations

from typing import Any

from graphir.diagnostics import SyntaxFault, diagnose
from graphir.ir.declarations import Shape, declared, make
from graphir.ir.node import REGISTRY, Node
from graphir.source import Source, Span

VERSION = 1
"""The version of the form.  It grows when a document of the old form means something else or nothing in the new one."""

_NAMES: dict[type, str] = {type(None): "null", bool: "boolean", int: "integer", float: "float", str: "string"}


# ------------------------------------------------------------------ writing


def to_json(node: Node, *, spans: bool = False) -> dict[str, Any]:
    """The node as a document that `json.dumps` takes."""
    root: list[Any] = [None]
    pending: list[tuple[Any, Any, Any]] = [(root, 0, node)]
    while pending:
        holder, key, value = pending.pop()
        if isinstance(value, Node):
            made: dict[str, Any] = {"op": value.op}
            for entry in declared(type(value)):
                inner = getattr(value, entry.name)
                if (spans or not entry.note) and not entry.stands_for_default(inner):
                    made[entry.name] = None
                    pending.append((made, entry.name, inner))
            if spans and value.span is not None:
                made["span"] = list(value.span)
            holder[key] = made
        elif type(value) is tuple:
            listed = [None] * len(value)
            pending.extend((listed, at, inner) for at, inner in enumerate(value))
            holder[key] = listed
        else:
            holder[key] = {"float": repr(value)} if type(value) is float else value
    return {"version": VERSION, "root": root[0]}


# ------------------------------------------------------------------ reading


def from_json(document: Any) -> Node:
    """The node of a document.  Raises SyntaxFault (G131) that names the place in the document where it is none."""
    if type(document) is not dict or "version" not in document or "root" not in document:
        raise _fault("", "a document has a version and a root")
    if type(document["version"]) is not int or document["version"] != VERSION:
        raise _fault("/version", f"version {document['version']!r} is not known; this is version {VERSION}")
    if len(document) > 2:
        raise _fault("", "a document has nothing but a version and a root")
    done: list[Any] = []
    pending: list[tuple[Any, Any, bool]] = [(document["root"], None, False)]
    while pending:
        value, path, ready = pending.pop()
        if ready:
            done.append(_made(value, path, done))
        elif type(value) is list:
            pending.append((value, path, True))
            pending.extend((value[at], (path, at), False) for at in reversed(range(len(value))))
        elif type(value) is dict and value.keys() != {"float"}:
            pending.append((value, path, True))
            pending.extend((value[key], (path, key), False) for key in reversed(_fields(value, path)))
        else:
            done.append(_atom(value, path))
    if not isinstance(done[0], Node):
        raise _fault("/root", "the root is not a node")
    return done[0]


def _fields(value: dict[Any, Any], path: Any) -> list[str]:
    """The keys that are fields.  The operator is checked here, before anything below is read."""
    if type(value.get("op")) is not str or value["op"] not in REGISTRY:
        raise _fault(_pointer(path), f"unknown operator {value.get('op')!r}")
    return [key for key in value if key not in ("op", "span")]


def _made(value: Any, path: Any, done: list[Any]) -> Any:
    """The node or tuple whose parts are the last of `done`, which it takes off."""
    keys = _fields(value, path) if type(value) is dict else None
    count = len(value) if keys is None else len(keys)
    parts = done[len(done) - count :]
    del done[len(done) - count :]
    if keys is None:
        return tuple(parts)
    try:
        return make(REGISTRY[value["op"]], dict(zip(keys, parts, strict=True)), _span(value, path))
    except ValueError as error:
        raise _fault(_pointer(path), str(error)) from None


def _span(value: dict[Any, Any], path: Any) -> Span | None:
    span = value.get("span")
    if span is None:
        return None
    if type(span) is list and len(span) == 2 and all(type(at) is int for at in span) and 0 <= span[0] <= span[1]:
        return Span(span[0], span[1])
    raise _fault(_pointer(path), "a span is two offsets in order")


def _atom(value: Any, path: Any) -> bool | int | float | str | None:
    if type(value) is dict:
        try:
            return float(value["float"]) if type(value["float"]) is str else _refuse(path)
        except ValueError:
            return _refuse(path)
    if value is None or type(value) in (bool, int, str):
        return value  # type: ignore[no-any-return]
    if type(value) is float:
        raise _fault(_pointer(path), 'a number with a fraction is written {"float": "1.5"}')
    raise _fault(_pointer(path), f"{type(value).__name__} is no JSON value")


def _refuse(path: Any) -> float:
    raise _fault(_pointer(path), "not a float")


def _pointer(path: Any) -> str:
    """A JSON pointer from the chain of keys."""
    keys = []
    while path is not None:
        path, key = path
        keys.append(str(key).replace("~", "~0").replace("/", "~1"))
    return "/root" + "".join(f"/{key}" for key in reversed(keys))


def _fault(pointer: str, message: str) -> SyntaxFault:
    where = f" at {pointer}" if pointer else ""
    return SyntaxFault([diagnose(Source("", "<json>"), "G131", f"{message}{where}")])


# ------------------------------------------------------------------ schema


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the documents that `to_json` writes."""
    definitions: dict[str, Any] = {
        "span": {
            "description": "Character offsets, half open.",
            "type": "array",
            "prefixItems": [{"type": "integer", "minimum": 0}] * 2,
            "minItems": 2,
            "maxItems": 2,
        },
        "float": {
            "type": "object",
            "properties": {"float": {"type": "string"}},
            "required": ["float"],
            "additionalProperties": False,
        },
    }
    for cls in REGISTRY.values():
        definitions[f"op-{cls.op}"] = _definition(cls, definitions)
    any_node = {"anyOf": [{"$ref": f"#/$defs/op-{cls.op}"} for cls in REGISTRY.values()]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Graph-IR",
        "type": "object",
        "properties": {"version": {"const": VERSION}, "root": any_node},
        "required": ["version", "root"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _definition(cls: type[Node], definitions: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"op": {"const": cls.op}}
    required = ["op"]
    for entry in declared(cls):
        properties[entry.name] = dict(_shape(entry.shape, definitions))
        if entry.required:
            required.append(entry.name)
        elif entry.default is not None:
            properties[entry.name]["default"] = [] if entry.default == () else entry.default
    properties["span"] = {"$ref": "#/$defs/span"}
    made: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    if cls.__doc__ and not cls.__doc__.startswith(f"{cls.__name__}("):
        made["description"] = " ".join(cls.__doc__.split())
    return made


def _shape(shape: Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field; a set of classes gets one definition, named after its classes' common use."""
    choices: list[dict[str, Any]] = []
    plain = [_NAMES[atom] for atom in (type(None), bool, int, str) if atom in shape.atoms]
    if plain:
        choices.append({"type": plain[0] if len(plain) == 1 else plain})
    if float in shape.atoms:
        choices.append({"$ref": "#/$defs/float"})
    if shape.nodes:
        choices.append(_nodes(shape.nodes, definitions))
    if shape.items is not None:
        choices.append({"type": "array", "items": _shape(shape.items, definitions)})
    return choices[0] if len(choices) == 1 else {"anyOf": choices}


def _nodes(classes: frozenset[type[Node]], definitions: dict[str, Any]) -> dict[str, Any]:
    names = [cls.op for cls in REGISTRY.values() if cls in classes]
    if len(names) == 1:
        return {"$ref": f"#/$defs/op-{names[0]}"}
    bases = {cls for cls in REGISTRY[names[0]].__mro__ if issubclass(cls, Node) and cls is not Node}
    for base in sorted(bases, key=lambda cls: cls.__name__):
        if base not in REGISTRY.values() and {c for c in REGISTRY.values() if issubclass(c, base)} == classes:
            key = f"any-{base.__name__.lower()}"
            definitions[key] = {"anyOf": [{"$ref": f"#/$defs/op-{name}"} for name in names]}
            return {"$ref": f"#/$defs/{key}"}
    return {"anyOf": [{"$ref": f"#/$defs/op-{name}"} for name in names]}
