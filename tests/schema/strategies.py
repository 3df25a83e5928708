"""Schemas made up by hypothesis, with the names that break formats."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from graphir.schema import TYPES, Coverage, DataType, EdgeType, NodeType, PropertyType, Schema, Table, labels

AWKWARD = (
    "Person",
    "person",
    "PERSON",
    "Work Site",
    "a.b",
    "A:B",
    "A&B",
    "it's",
    'say "hi"',
    "tick`tick",
    "``",
    "MATCH",
    "select",
    "order",
    "**bold**",
    "*",
    "- **x**",
    "()",
    "(A)",
    "[x]",
    "{y}",
    "a,b",
    "a|b",
    "#1",
    "1st",
    "_",
    "Ærø ü",
    "人",
    "\u00a0",
    " x ",
    "x\\ny",
    "line\nbreak",
    "tab\there",
    "Node properties:",
    "The relationships:",
    "name: STRING",
    "(REQUIRED)",
    "(properties unknown)",
    "Example:",
    "null",
    "true",
    "$p",
    "a=b",
    "a-b",
    "->",
    "\U0001f600",
)

names = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1, max_size=6),
)
label_sets = st.lists(names, max_size=2).map(lambda found: labels(*found))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.one_of(
    st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), texts
)
values = st.one_of(scalars, st.none(), st.lists(scalars, max_size=2).map(tuple))


@st.composite
def types(draw: st.DrawFn) -> DataType:
    name = draw(st.sampled_from(sorted(TYPES)))
    if name == "LIST":
        return DataType(name, draw(st.none() | types()))
    if name in ("STRING", "DECIMAL"):
        size = draw(st.none() | st.integers(1, 99))
        return DataType(
            name, size=size, scale=draw(st.none() | st.integers(0, 9)) if size and name == "DECIMAL" else None
        )
    return DataType(name)


@st.composite
def properties(draw: st.DrawFn) -> PropertyType:
    sizes = draw(st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)))
    return PropertyType(
        draw(names),
        draw(st.none() | types()),
        draw(st.none() | st.booleans()),
        draw(st.booleans()),
        draw(st.none() | st.lists(values, max_size=3).map(tuple)),
        tuple(draw(st.lists(values, max_size=2))),
        sizes,
        draw(values),
        draw(values),
        draw(st.none() | st.integers(0, 9)),
        draw(st.none() | texts.filter(bool)),
    )


def several(of: st.SearchStrategy[PropertyType]) -> st.SearchStrategy[tuple[PropertyType, ...] | None]:
    return st.none() | st.lists(of, max_size=3, unique_by=lambda one: one.name).map(tuple)


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """Anything that the model can hold."""
    counts = st.none() | st.integers(0, 9)
    tables = st.none() | st.builds(Table, names, st.just(()), st.just(("a",)), st.just(("b", "c")))
    words = st.none() | texts.filter(bool)
    nodes = st.builds(
        NodeType, label_sets, several(properties()), st.just(("k",)), label_sets, st.booleans(), counts, words, tables
    )
    edges = st.builds(
        EdgeType,
        names,
        st.none() | label_sets,
        st.none() | label_sets,
        several(properties()),
        st.just(()),
        st.booleans(),
        counts,
        st.none() | st.tuples(st.floats(0, 9), st.floats(0, 9)),
        words,
        tables,
    )
    return Schema(
        tuple(draw(st.lists(nodes, max_size=3, unique_by=lambda one: one.labels))),
        tuple(draw(st.lists(edges, max_size=3, unique_by=lambda one: (one.type, one.source, one.target)))),
        draw(st.builds(Coverage, *[st.booleans()] * 5)),
        draw(st.none() | texts),
        tuple(draw(st.lists(texts, max_size=2))),
    )


@st.composite
def listed_properties(draw: st.DrawFn, required: bool) -> PropertyType:
    """What a line of Markdown can say: a type, nullability in one of the forms, and one thing about the values."""
    simple = types().filter(lambda type: type.name != "VECTOR")
    one = PropertyType(draw(names), draw(st.none() | simple), draw(st.none() | st.booleans()) if required else None)
    kind = TYPES[one.type.name] if one.type else "STRING"
    detail: dict[str, Any] = {}
    match kind:
        case "INTEGER":
            low, high = draw(st.integers()), draw(st.integers())
            detail = draw(st.sampled_from([{}, {"minimum": low, "maximum": high}, {"values": (low,)}]))
        case "FLOAT" if one.type and one.type.name != "DECIMAL":
            number = draw(st.floats(allow_nan=False, allow_infinity=False))
            detail = draw(st.sampled_from([{}, {"minimum": number, "maximum": number}, {"examples": (number,)}]))
        case "STRING":
            text = draw(texts)
            line = " ".join(text.splitlines())
            detail = draw(st.sampled_from([{}, {"values": (text, "x")}, {"examples": (line,)}]))
        case "BOOLEAN":
            detail = draw(st.sampled_from([{}, {"values": (True, False)}]))
        case "LIST":
            detail = draw(st.sampled_from([{}, {"sizes": (0, 3)}]))
    return PropertyType(one.name, one.type, one.nullable, **detail)


@st.composite
def listed_schemas(draw: st.DrawFn, required: bool) -> Schema:
    """What the Markdown of prompts can hold: labels one by one or in sets, properties once for each edge type."""
    ends = draw(st.lists(label_sets, min_size=1, max_size=3, unique=True))
    of = several(listed_properties(required))
    nodes = tuple(NodeType(end, draw(of)) for end in ends)
    edges: list[EdgeType] = []
    for type in draw(st.lists(names, max_size=3, unique=True)):
        shared = draw(of)
        pairs = st.lists(st.tuples(st.sampled_from(ends), st.sampled_from(ends)), min_size=1, max_size=2, unique=True)
        edges += (EdgeType(type, source, target, shared) for source, target in draw(pairs))
    parts = draw(st.builds(Coverage, *[st.booleans()] * 4, st.just(False)))
    return Schema(nodes, tuple(edges), parts)
