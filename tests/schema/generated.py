"""Schemas with awkward names for hypothesis, each such that the format named can hold it."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from graphir.schema.ddl import kuzu, layout, neo4j
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.ddl.types import write_type
from graphir.schema.model import CLOSED, Coverage, DataType, EdgeType, NodeType, PropertyType, Schema, labels

SQL = tuple(TARGETS)
FORMATS = (*SQL, "kuzu-ddl", "gql", "neo4j", "neo4j-graph-type")
AWKWARD = (
    *("Person", "person", "PERSON", "a b", "a:b", "a`b", 'a"b', "a'b", "a\\b", "a\\u0041", "a.b", "a,b", "a;b"),
    *("select", "ORDER", "Key", "label", "properties", "source", "target", "graph", "type", "is", "absent"),
    *("graphir_id", "-- x", "/* x", "a\nb", "a\tb", "1a", "_", " ", "é", "名前", "ß", "İ", "😀", "``", '""', "$", "%s"),
    *("FROM", "TO", "MANY_ONE", "REQUIRE", "CONSTRAINT", "NODE", "EDGE", "LABELS", "null", "true", "x" * 60),
)
_BOTH = {
    *("BOOLEAN", "INTEGER", "FLOAT", "STRING", "DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "DURATION"),
    *("ZONED DATETIME", "INTEGER8", "INTEGER16", "INTEGER32", "INTEGER128", "UINTEGER64", "FLOAT32", "DECIMAL"),
    *("POINT", "UUID", "JSON", "BYTES", "MAP", "ANY"),
}
_TYPES = (
    *(DataType(name) for name in sorted(_BOTH)),
    *(DataType("LIST", DataType(name)) for name in ("STRING", "INTEGER", "FLOAT", "DATE")),
    DataType("STRING", size=40),
    DataType("DECIMAL", size=10, scale=2),
    DataType("VECTOR", size=3),
)


def types(format: str) -> list[DataType]:
    """The types that a format holds exactly."""
    if format.startswith("neo4j"):
        return [type for type in _TYPES if neo4j.write_type(type)[1] and neo4j.write_type(type)[0]]
    return [type for type in _TYPES if write_type(type, format)[1]]


def names(format: str, limit: int = 8) -> st.SearchStrategy[list[str]]:
    """Different names, also for a dialect in which case does not tell names apart."""
    target = TARGETS.get(format)
    banned = target.banned if target is not None else "\0"
    one = st.sampled_from(AWKWARD) | st.text(
        st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6
    )
    insensitive = format == "kuzu-ddl" or (target is not None and target.fold == "insensitive")
    most = target.bytes if target is not None else 1 << 20
    return st.lists(
        one.filter(lambda name: not set(banned) & set(name) and len(name.encode()) <= most),
        min_size=limit,
        max_size=limit,
        unique_by=(lambda name: name.casefold()) if insensitive else None,
        unique=not insensitive,
    )


def schemas(format: str) -> st.SearchStrategy[Schema]:
    """Schemas that are equal after they were written and read."""
    return _schemas(format)


@st.composite
def _schemas(draw: st.DrawFn, format: str) -> Schema:
    shared = draw(names(format, 8))
    pool = draw(names(format, 6))
    kinds = {name: draw(st.sampled_from(types(format))) for name in pool}
    count = draw(st.integers(1, 3))
    node_types = [
        draw(_node(format, [shared[at]] if not _many_labels(format) else shared[at : at + 4 : 3], pool, kinds))
        for at in range(count)
    ]
    if format == "gql" and count > 1 and draw(st.booleans()):
        first, last = node_types[0], node_types[-1]
        if not set(first.labels) & set(last.labels):
            node_types[0] = NodeType(first.labels, first.properties, parents=last.labels)
    edge_types: dict[object, EdgeType] = {}
    for name in shared[6 : 6 + draw(st.integers(0, 2))]:
        edge = draw(_edge(format, name, node_types, pool, kinds))
        edge_types[edge.type] = edge
        if not format.startswith("neo4j") and format != "duckpgq-ddl" and draw(st.booleans()):
            other = draw(_edge(format, name, node_types, pool, kinds))
            if format == "kuzu-ddl":
                other = EdgeType(name, other.source, other.target, edge.properties, description=edge.description)
            if (other.source, other.target) != (edge.source, edge.target):
                edge_types[other] = other
    return Schema(tuple(node_types), tuple(edge_types.values()), _coverage(format), name="g")


def _coverage(format: str) -> Coverage:
    return {"neo4j": neo4j.OPEN, "neo4j-graph-type": neo4j.GRAPH_TYPE}.get(format, CLOSED)


def _many_labels(format: str) -> bool:
    return format in ("gql", "neo4j-graph-type") or (format in TARGETS and TARGETS[format].many_labels)


@st.composite
def _properties(
    draw: st.DrawFn, format: str, pool: Sequence[str], kinds: dict[str, DataType], key: Sequence[str], least: int = 0
) -> tuple[PropertyType, ...]:
    chosen = draw(st.lists(st.sampled_from(pool), min_size=least, max_size=4, unique=True))
    found = []
    for name in dict.fromkeys([*key, *chosen]):
        nullable: bool | None = name not in key and draw(st.booleans())
        if format == "kuzu-ddl":
            nullable = name not in key
        elif format == "neo4j" and nullable:
            nullable = None
        target = TARGETS.get(format)
        holds = format.startswith("neo4j") and (name,) != tuple(key)
        holds |= target is not None and target.unique != "none" and layout.can_be_key(kinds[name], target)
        unique = holds and draw(st.booleans())
        if format == "neo4j-graph-type" and kinds[name].name == "VECTOR":
            nullable = True
        values = None
        if target is not None and target.checks and kinds[name] == DataType("STRING") and draw(st.booleans()):
            values = tuple(draw(st.lists(st.sampled_from(AWKWARD), min_size=1, max_size=3)))
        described = target is not None and target.comments and draw(st.booleans())
        description = draw(st.sampled_from(AWKWARD)) if described else None
        found.append(PropertyType(name, kinds[name], nullable, unique=unique, values=values, description=description))
    return tuple(found)


@st.composite
def _node(
    draw: st.DrawFn, format: str, own: Sequence[str], pool: Sequence[str], kinds: dict[str, DataType]
) -> NodeType:
    key = draw(_key(format, pool, kinds)) if format != "gql" else ()
    least = 1 if format.startswith("neo4j") else 0
    properties = draw(_properties(format, pool, kinds, key, least))
    return NodeType(labels(*own), properties, key, description=draw(_description(format)))


def _key(format: str, pool: Sequence[str], kinds: dict[str, DataType]) -> st.SearchStrategy[tuple[str, ...]]:
    def fits(name: str) -> bool:
        if format in TARGETS:
            return layout.can_be_key(kinds[name], TARGETS[format])
        return kuzu.can_be_key(kinds[name]) if format == "kuzu-ddl" else kinds[name].name != "VECTOR"

    fit = [name for name in pool if fits(name)]
    if not fit:
        return st.just(())
    return st.lists(st.sampled_from(fit), max_size=1 if format == "kuzu-ddl" else 2, unique=True).map(tuple)


def _description(format: str) -> st.SearchStrategy[str | None]:
    target = TARGETS.get(format)
    holds = format == "kuzu-ddl" or (target is not None and target.comments)
    return st.none() | st.sampled_from(AWKWARD) if holds else st.none()


@st.composite
def _edge(
    draw: st.DrawFn,
    format: str,
    name: str,
    node_types: Sequence[NodeType],
    pool: Sequence[str],
    kinds: dict[str, DataType],
) -> EdgeType:
    ends = [node.labels for node in node_types]
    any_end = st.sampled_from(ends)
    source, target = draw(any_end), draw(any_end)
    if format == "neo4j":
        source = target = None  # type: ignore[assignment]
    keyed = format not in ("gql", "kuzu-ddl")
    key = draw(_key(format, pool, kinds)) if keyed else ()
    least = 1 if format.startswith("neo4j") else 0
    properties = draw(_properties(format, pool, kinds, key, least))
    return EdgeType(name, source, target, properties, key, description=draw(_description(format)))
