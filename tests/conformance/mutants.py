"""Queries with one thing wrong in them, made from good ones, always the same ones for a seed.

The classes: a label, a relationship type or a property in the place of another of the schema; an arrow turned round; a
literal of another type; broken syntax.  Each is an edit of the text at the place of a node of the IR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from graphir import ir
from graphir.diagnostics import Edit, Fix, apply
from graphir.grammar.lexical import scan
from graphir.schema import Schema


class Mutant(NamedTuple):
    """The text, the text it was made from, and what was done: the old and the new words."""

    kind: str
    text: str
    original: str
    old: str
    new: str


class Original(NamedTuple):
    """A good query and what is known of it."""

    text: str
    query: ir.Query
    schema: Schema


def mutate(original: Original, kind: str, random: Random) -> Mutant | None:
    """One mutant of a class, None where the query has no place for it."""
    edits = list(KINDS[kind](original, random))
    if not edits:
        return None
    edit = random.choice(edits)
    old = original.text[edit.start : edit.end]
    return Mutant(kind, apply(original.text, [Fix("", (edit,))]), original.text, old, edit.text)


# ------------------------------------------------------------------ names


def swap_label(original: Original, random: Random) -> Iterator[Edit]:
    """Another label of the schema on a node pattern."""
    labels = sorted({label for node in original.schema.node_types for label in node.labels})
    for node in ir.walk(original.query):
        if isinstance(node, ir.NodePattern) and isinstance(node.labels, ir.LabelName):
            yield from _other(node.labels, node.labels.name, labels, random)


def swap_type(original: Original, random: Random) -> Iterator[Edit]:
    """Another relationship type of the schema on an edge pattern."""
    types = sorted({edge.type for edge in original.schema.edge_types})
    for node in ir.walk(original.query):
        if isinstance(node, ir.EdgePattern) and node.labels is not None:
            for label in ir.walk(node.labels):
                if isinstance(label, ir.LabelName):
                    yield from _other(label, label.name, types, random)


def sibling_property(original: Original, random: Random) -> Iterator[Edit]:
    """Another property of the schema, whatever it is a property of."""
    schema = original.schema
    listed = [*[node.properties for node in schema.node_types], *[edge.properties for edge in schema.edge_types]]
    names = sorted({each.name for properties in listed for each in properties or ()})
    for place, key in _keys(original):
        others = [name for name in names if name != key]
        if others:
            yield Edit(*place, quoted(random.choice(others)))


def _keys(original: Original) -> Iterator[tuple[tuple[int, int], str]]:
    """The places of property names of nodes and edges."""
    text = original.text
    for node in ir.walk(original.query):
        if node.span is None:
            continue
        match node:
            case ir.Property(base=ir.Ref(), key=key) | ir.ProjectedProperty(key=key):
                spelling = next((s for s in (quoted(key), f"`{key}`") if text.endswith(s, 0, node.span.end)), None)
                if spelling is not None:
                    yield (node.span.end - len(spelling), node.span.end), key
            case (
                ir.NodePattern(properties=ir.MapOf(entries=entries))
                | ir.EdgePattern(properties=ir.MapOf(entries=entries))
            ):
                for entry in entries:
                    start = entry.span.start if entry.span else 0
                    if text.startswith(quoted(entry.key), start):
                        yield (start, start + len(quoted(entry.key))), entry.key


def _other(node: ir.Node, name: str, names: Iterable[str], random: Random) -> Iterator[Edit]:
    others = [each for each in names if each != name]
    if others and node.span is not None:
        yield Edit(node.span.start, node.span.end, quoted(random.choice(others)))


def quoted(name: str) -> str:
    return name if name.isidentifier() else "`" + name.replace("`", "``") + "`"


# ------------------------------------------------------------------ arrows, literals


def flip(original: Original, random: Random) -> Iterator[Edit]:
    """The arrow of an edge pattern turned round."""
    for node in ir.walk(original.query):
        if isinstance(node, ir.EdgePattern) and node.direction != "any" and node.span is not None:
            whole = original.text[node.span.start : node.span.end]
            body = whole.rstrip("+*") if node.quantifier is not None and not whole.endswith("}") else whole
            if body.startswith("<-") and body.endswith("-"):
                yield Edit(node.span.start, node.span.start + len(body), f"{body[1:]}>")
            elif body.startswith("-") and body.endswith("->"):
                yield Edit(node.span.start, node.span.start + len(body), f"<{body[:-1]}")


def wrong_literal(original: Original, random: Random) -> Iterator[Edit]:
    """A literal of another type, compared with a property."""
    for node in ir.walk(original.query):
        match node:
            case ir.Apply(
                function="eq" | "ne" | "lt" | "le" | "gt" | "ge", args=(ir.Property(), ir.Literal() as literal)
            ):
                yield from _retyped(literal)
            case ir.Apply(
                function="eq" | "ne" | "lt" | "le" | "gt" | "ge", args=(ir.Literal() as literal, ir.Property())
            ):
                yield from _retyped(literal)
            case ir.Apply(function="in", args=(ir.Property(), ir.ListOf(items=items))):
                for item in items:
                    if isinstance(item, ir.Literal):
                        yield from _retyped(item)
            case (
                ir.NodePattern(properties=ir.MapOf(entries=entries))
                | ir.EdgePattern(properties=ir.MapOf(entries=entries))
            ):
                for entry in entries:
                    if isinstance(entry.value, ir.Literal):
                        yield from _retyped(entry.value)


def _retyped(literal: ir.Literal) -> Iterator[Edit]:
    if literal.span is None:
        return
    match literal.value:
        case bool():
            yield Edit(literal.span.start, literal.span.end, "'yes'")
        case int() | float():
            yield Edit(literal.span.start, literal.span.end, "'seventeen'")
        case str():
            yield Edit(literal.span.start, literal.span.end, "17")


# ------------------------------------------------------------------ syntax

_MISSPELLED = {"MATCH": "MTACH", "RETURN": "RETRUN", "WITH": "WIHT", "OPTIONAL": "OPTOINAL", "UNWIND": "UNWNID"}


def broken(original: Original, random: Random) -> Iterator[Edit]:
    """A bracket or a quotation mark left out, the first word of a clause misspelled: no parser takes it."""
    for token in scan(original.text):
        if token.kind == "punctuation" and token.value in tuple("()[]{}"):
            yield Edit(token.start, token.end, "")
        elif token.kind == "string" and token.value[:1] not in token.value[1:-1]:
            at = token.start if random.random() < 0.5 else token.end - 1
            yield Edit(at, at + 1, "")
    for node in ir.walk(original.query):
        if isinstance(node, ir.Operator) and node.span is not None:
            first = original.text[node.span.start : node.span.end].split(maxsplit=1)[0]
            if first.upper() in _MISSPELLED:
                yield Edit(node.span.start, node.span.start + len(first), _MISSPELLED[first.upper()])


KINDS: dict[str, Callable[[Original, Random], Iterator[Edit]]] = {
    "label": swap_label,
    "type": swap_type,
    "property": sibling_property,
    "arrow": flip,
    "literal": wrong_literal,
    "syntax": broken,
}
