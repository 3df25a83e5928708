"""Paths that repeat: edges with a quantifier, as recursive queries beside the rows."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.patterns import Matching, Walked, inline
from graphir.backends.sql.reps import EDGE, PATH, datatype, list_of
from graphir.backends.sql.terms import Term

EDGES = list_of(EDGE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a path: its edges, and the nodes after its first, as lists."""

    nodes: Sql
    edges: Sql


def match_path(matching: Matching, path: ir.Path) -> None:
    """A path with repetitions."""
    if path.selector is not None or path.mode not in (None, "trail"):
        matching.lowering.refuse("G602", "path selectors and modes are not supported by the engine yet", path)
    elements = list(path.elements)
    first = elements[0]
    if not isinstance(first, ir.NodePattern) or len(elements) % 2 == 0:
        matching.lowering.refuse("G602", "quantified groups are not supported by the engine yet", path)
    left = first.variable or ""
    pieces: list[Piece] = []
    for at in range(1, len(elements), 2):
        edge, node = elements[at], elements[at + 1]
        if not isinstance(edge, ir.EdgePattern) or not isinstance(node, ir.NodePattern):
            matching.lowering.refuse("G602", "quantified groups are not supported by the engine yet", path)
        right = node.variable or ""
        if edge.quantifier is None:
            matching.edge(left, edge, right)
            one = matching.bound(edge.variable or "")
            assert one is not None
            pieces.append(Piece(build.array([matching.node_term(right).again()]), build.array([one.again()])))
        else:
            pieces.append(_repeat(matching, left, edge, edge.quantifier, right))
        left = right
    if path.variable is not None:
        matching.names[path.variable] = _path(matching, first.variable or "", pieces)


def _path(matching: Matching, first: str, pieces: list[Piece]) -> Term:
    nodes: Sql = build.array([matching.node_term(first).again()])
    edges: Sql = build.cast(build.array([]), datatype(EDGES))
    for piece in pieces:
        nodes = build.call("list_concat", nodes, piece.nodes)
        edges = build.call("list_concat", edges, piece.edges)
    return Term(build.structure([("nodes", nodes), ("edges", edges)]), PATH, present=True)


def _repeat(matching: Matching, left: str, edge: ir.EdgePattern, bounds: ir.Bounds, right: str) -> Piece:
    """An edge that repeats, without an edge twice, from the left node or, where only that is known, the right."""
    direction = edge.direction
    backwards = matching.bound(left) is None and matching.bound(right) is not None
    start, end = (right, left) if backwards else (left, right)
    if backwards:
        direction = {"out": "in", "in": "out", "any": "any"}[direction]
    origin = matching.node_term(start)
    tables = scans.edge_tables(matching.lowering, edge.labels)
    alias = matching.lowering.fresh("w")
    query = _walks(matching, origin, edge, bounds, direction)
    matching.sources.append(build.derived(query, alias, lateral=True))
    edges = build.column("edges", alias)
    nodes = build.column("nodes", alias)
    matching.meet(end, build.column("n", alias))
    listed: Sql = edges
    steps: Sql = build.call("list_slice", nodes, build.number(2), build.number((1 << 31) - 1))
    if backwards:
        listed = build.call("list_reverse", edges)
        steps = build.call(
            "list_slice", build.call("list_reverse", nodes), build.number(2), build.number((1 << 31) - 1)
        )
    matching.names[edge.variable or ""] = Term(listed, EDGES, present=True)
    matching.walked.append(Walked(edges.copy(), frozenset(table.name for table in tables), many=True))
    return Piece(steps, listed.copy())


def _walks(matching: Matching, origin: Term, edge: ir.EdgePattern, bounds: ir.Bounds, direction: str) -> exp.Select:
    """All trails from a node: its end `n`, its `edges` and its `nodes`, as a query beside the rows."""
    lowering = matching.lowering
    label = lowering.fresh("r")
    tables = scans.edge_tables(lowering, edge.labels)
    keys: set[str] = set()
    if isinstance(edge.properties, ir.MapOf):
        keys = {entry.key for entry in edge.properties.entries}
    scan = scans.scan_edges(lowering, tables, keys, direction)
    assert scan.left is not None
    assert scan.right is not None
    before = lowering.fresh("b")
    known = {**matching.names, edge.variable or "": scan.element}
    tests = list(inline(edge, scan.element, matching.block.scope(matching.rows, known)))
    empty = build.cast(build.array([]), datatype(EDGES))
    base = build.select(
        [
            build.alias(origin.again(), "n"),
            build.alias(empty, "edges"),
            build.alias(build.array([origin.again()]), "nodes"),
        ]
    )
    walked = build.call("list_contains", build.column("edges", before), scan.element.again())
    conditions = [build.equal(scan.left, build.column("n", before)), build.negation(walked), *tests]
    if bounds.high is not None:
        length = build.call("len", build.column("edges", before))
        conditions.append(build.binary(exp.LT, length, build.number(bounds.high)))
    step = build.select(
        [
            scan.right,
            build.call("list_append", build.column("edges", before), scan.element.again()),
            build.call("list_append", build.column("nodes", before), scan.right.copy()),
        ],
        [build.table(label, before), scan.source],
        conditions,
    )
    recursive = exp.CTE(
        this=build.union([base, step]),
        alias=exp.TableAlias(this=build.name(label), columns=[build.name(each) for each in ("n", "edges", "nodes")]),
    )
    columns = [build.column(each) for each in ("n", "edges", "nodes")]
    length = build.call("len", build.column("edges"))
    query = build.select(columns, [build.table(label)], [build.binary(exp.GTE, length, build.number(bounds.low))])
    query.set("with_", exp.With(expressions=[recursive], recursive=True))
    return query
