"""Golden cases: one Markdown file per case, `tests/golden/<theme>/<name>.md`.

A file begins with a title and prose that says why the case is there.  The first fenced block, ```cypher, is the query
(`dialect=neo4j-5` after the word names another dialect than Cypher 25, `profile=gate` another profile than lint); a
block ```triples or ```schema before it (`format=gql` after the word names its format) is the schema to check it
against.  The blocks after it are what graphir makes of it; `make golden` fills in the missing ones and rewrites those
that differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import graphir
from graphir import ir
from graphir.backends import sqlpgq, sqltext
from graphir.backends.sqlpgq.graph import of_schema
from graphir.diagnostics import GraphirError, SyntaxFault, render
from graphir.dialects import DIALECTS
from graphir.ir import EdgePattern, Entry, LabelAnd, LabelName, Node, NodePattern, Property, Query, text, walk
from graphir.ir import Path as PathPattern
from graphir.passes.normalize import normalize
from graphir.schema import DataType, EdgeType, Labels, NodeType, PropertyType
from graphir.schema import labels as labels_of
from graphir.source import Source

ROOT = Path(__file__).resolve().parent / "golden"
OF_GQL = frozenset(
    (
        *(ir.Sql, ir.GraphName, ir.Cast, ir.Struct, ir.Named, ir.Lambda, ir.Modified, ir.Window, ir.Unpack, ir.Sample),
        *(ir.GraphTable, ir.TableName, ir.DerivedTable, ir.UnnestTable, ir.Join, ir.TableOperation, ir.Star),
        *(ir.Grouping, ir.Select, ir.CommonTable, ir.TableQuery, ir.Values, ir.CommonGraph, ir.RowShape),
        *(ir.SqlStatement, ir.Filtered, ir.Within, ir.Collated, ir.WordedCall, ir.SqlOperator, ir.ArraySlice),
        *(ir.Moment, ir.NamedWindow),
    )
)
"""What GQL and SQL alone have.  Their front end makes it (`test_gql_reading.py`, `test_sqlpgq_reading.py`), and
printers refuse what core leaves of it."""

TARGETS = (
    *("neo4j-25", "neo4j-5", "opencypher-9"),
    *("gql-iso", "gql-neo4j-25", "gql-fabric", "gql-grafeo", "gql-spanner", "gql-bigquery"),
    *("pgq-googlesql", "pgq-hyper", "pgq-postgres", "pgq-duckpgq", "pgq-oracle-23ai", "pgq-iso"),
)
TEXTS = "barcode card city code condition country district genre kind language match name number op title"
TYPES = {
    **dict.fromkeys(TEXTS.split(), "STRING"),
    **dict.fromkeys(("area", "mass", "price", "rating"), "FLOAT"),
    **dict.fromkeys(("active", "checked", "open", "preferred"), "BOOLEAN"),
    **dict.fromkeys(("placed", "returned"), "DATE"),
}
"""Types of properties of cases without a schema; all others are integers."""
FENCE = re.compile(
    r"^```(?P<name>\S+)(?: format=(?P<format>\S+))?(?: dialect=(?P<dialect>\S+))?(?: profile=(?P<profile>\S+))?\n"
    r"(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Case:
    """A file: everything up to the end of the query's block, the query, and the blocks found after it."""

    path: Path
    head: str
    query: str
    dialect: str
    profile: str
    schema: graphir.Schema | None
    blocks: dict[str, str]

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).with_suffix("").as_posix()

    def rendered(self) -> str:
        """The file as it should be."""
        blocks = made(self.query, self.dialect, self.profile, self.schema)
        return self.head + "".join(f"\n```{name}\n{body}\n```\n" for name, body in blocks.items())


def read(path: Path) -> Case:
    content = path.read_text(encoding="utf-8")
    fences = list(FENCE.finditer(content))
    assert fences, f"{path}: no block"
    schema = known(fences.pop(0)) if fences[0]["name"] in ("triples", "schema") else None
    first = fences[0]
    assert first["name"] == "cypher", f"{path}: the first block is not ```cypher"
    return Case(
        path,
        head=content[: first.end()] + "\n",
        query=first["body"].removesuffix("\n"),
        dialect=first["dialect"] or "neo4j-25",
        profile=first["profile"] or "lint",
        schema=schema,
        blocks={fence["name"]: fence["body"].removesuffix("\n") for fence in fences[1:]},
    )


def known(fence: re.Match[str]) -> graphir.Schema:
    """The schema of a block."""
    named = "triples" if fence["name"] == "triples" else fence["format"] or "auto"
    return graphir.Schema.read(fence["body"], named)


@cache
def cases() -> tuple[Case, ...]:
    return tuple(read(path) for path in sorted(ROOT.glob("*/*.md")))


def made(query: str, dialect: str, profile: str, schema: graphir.Schema | None = None) -> dict[str, str]:
    """Block name -> what graphir makes of the query, in the order of the file."""
    blocks: dict[str, str] = {}
    try:
        surface = graphir.parse(query, dialect)
    except SyntaxFault:
        return {"diagnostics": findings(query, dialect, profile, schema)}
    blocks["ir"] = text.dumps(surface)
    with suppress(graphir.SemanticFault):  # shown as a diagnostic below
        try:
            blocks["core"] = text.dumps(normalize(surface, Source(query), dialect))
        except graphir.Unsupported as refusal:
            return {**blocks, "core": refused(refusal)}
        tables = assumed(surface) if schema is None else schema
        blocks |= {target: translation(query, dialect, target, tables) for target in TARGETS}
    if found := findings(query, dialect, profile, schema):
        blocks["diagnostics"] = found
    if schema is not None and (better := repaired(query, dialect, schema)) != query:
        blocks["repaired"] = better
    return blocks


def translation(query: str, dialect: str, target: str, tables: graphir.Schema) -> str:
    """The text in the target dialect, or why it is refused; `tables` is for dialects that cannot do without."""
    try:
        if not DIALECTS[target].inline and not DIALECTS[target].tables:
            return graphir.translate(query, read=dialect, write=target)
        source = Source(query)
        core = normalize(graphir.parse(query, dialect), source, dialect)
        if DIALECTS[target].tables:
            return sqltext.emit(core, target, source, tables)
        return sqlpgq.emit(core, target, source, tables=of_schema(tables, target))
    except graphir.Unsupported as refusal:
        return refused(refusal)


def refused(refusal: graphir.Unsupported) -> str:
    return "\n".join(f"refused {d.code} {d.line}:{d.column}: {d.message}" for d in refusal.diagnostics)


def assumed(query: Query) -> graphir.Schema:
    """A schema for a case without one: a node type for each label in the query, an edge type for each type.

    The ends of an edge type are the labels that the patterns say, else the first ones; an edge without a type stands
    for one of its own.  The types of properties go by their names, and every type has every property.
    """
    keys = dict.fromkeys([node.key for node in walk(query) if isinstance(node, Property | Entry) and node.key])
    properties = tuple([PropertyType(key, DataType(TYPES.get(key, "INTEGER"))) for key in keys])
    paths = [node for node in walk(query) if isinstance(node, PathPattern)]
    nodes = [element for path in paths for element in path.elements if isinstance(element, NodePattern)]
    known = {node.variable: labels[0] for node in nodes if node.variable and (labels := types(node))}
    every = dict.fromkeys(labels for node in nodes for labels in types(node)) or {("Node",): None}
    edges: dict[EdgeType, None] = {}
    for path in paths:
        for left, edge, right in zip(path.elements, path.elements[1:], path.elements[2:], strict=False):
            if isinstance(edge, EdgePattern):
                ends = [known.get(getattr(end, "variable", None)) or (*types(end), *every)[0] for end in (left, right)]
                source, target = reversed(ends) if edge.direction == "in" else ends
                for label in types(edge) or [("EDGE",)]:
                    edges[EdgeType(label[0], source, target, properties)] = None
    return graphir.Schema(tuple([NodeType(labels, properties) for labels in every]), tuple(edges))


def types(element: Node) -> list[Labels]:
    """The sets of labels that a pattern element names: one for each name, or all of a conjunction."""
    expression = getattr(element, "labels", None)
    if expression is None:
        return []
    names = [label.name for label in walk(expression) if isinstance(label, LabelName)]
    return [labels_of(*names)] if isinstance(expression, LabelAnd) else [(name,) for name in names]


def findings(query: str, dialect: str, profile: str, schema: graphir.Schema | None) -> str:
    found = graphir.check(query, dialect, schema, profile)
    return "\n\n".join(render(Source(query), each) for each in found)


def repaired(query: str, dialect: str, schema: graphir.Schema) -> str:
    """The text after its safe fixes, or as it is where it cannot be repaired."""
    try:
        return graphir.repair(query, dialect=dialect, schema=schema).text
    except GraphirError:
        return query


def forms() -> Iterator[Query]:
    """The surface and the core form of every case that has them."""
    for case in cases():
        try:
            surface = graphir.parse(case.query, case.dialect)
            yield surface
            yield normalize(surface, Source(case.query), case.dialect)
        except GraphirError:
            continue
