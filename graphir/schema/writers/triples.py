"""Writes format `triples`: the ends of the edge types and nothing else."""

from __future__ import annotations

from graphir.quoting import ticked
from graphir.schema.model import Schema
from graphir.schema.scanner import is_plain


def write(schema: Schema) -> str:
    """The triples.  An end has one label in this format: of ends with several, each label makes a triple."""
    found: dict[str, None] = {}
    for edge in schema.edge_types:
        for source in edge.source or ():
            for target in edge.target or ():
                found[f"({_name(source)}, {_name(edge.type)}, {_name(target)})"] = None
    return ", ".join(found) + "\n"


def _name(name: str) -> str:
    bare = name == name.strip() and not set(name) & set("`(),") and name.isprintable()
    return name if is_plain(name) or (name and bare) else ticked(name)
