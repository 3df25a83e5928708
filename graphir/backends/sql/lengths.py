"""Repetitions of an edge with few lengths: a query for each, one below the other, where the target wants no recursion.

Each query joins as many edges as its length, and no edge is the same as another where the mode says so.  Its columns
are those that a recursion would have: where it begins and ends, its edges, and its nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import EdgeTable
from graphir.backends.sql.patterns import Matching, inline, names_of
from graphir.backends.sql.reps import EDGE, NODE, datatype, list_of
from graphir.backends.sql.scans import Scan

BEGIN = "o"
"""The column with the node where a repetition begins."""
TABLES = 6
"""So many node tables may stand where a repetition of no edge begins and ends."""


def are_few(matching: Matching, edge: ir.PathElement, start: str, mode: str) -> bool:
    """Whether a repetition is written length by length: of edges of one table, which look at nothing else."""
    lowering = matching.lowering
    if not isinstance(edge, ir.EdgePattern) or edge.quantifier is None or mode not in ("trail", "walk"):
        return False
    low, high = edge.quantifier.low, edge.quantifier.high
    if high is None or high > lowering.abilities.steps:
        return False
    turns = edge.direction == "any" and not lowering.abilities.either
    if sum(length << length if turns else length for length in range(low, high + 1)) > lowering.abilities.steps:
        return False
    if len(scans.edge_tables(lowering, edge.labels)) != 1:
        return False
    if low == 0 and len(matching.node_tables(start)) > TABLES:
        return False
    read = {node.name for node in ir.walk(edge) if isinstance(node, ir.Ref)} | names_of(edge)
    return read <= {edge.variable} and not any(isinstance(each, ir.Subquery) for each in ir.walk(edge))


def by_length(matching: Matching, edge: ir.EdgePattern, start: str, direction: str, mode: str, alias: str) -> Sql:
    """The source: columns `o`, `n`, `edges` and `nodes`."""
    bounds = edge.quantifier
    assert bounds is not None
    assert bounds.high is not None
    queries: list[Sql] = []
    if bounds.low == 0:
        for table in matching.node_tables(start):
            scan = scans.scan_nodes(matching.lowering, [table], ())
            queries.append(_query([scan], [], mode))
    for length in range(max(bounds.low, 1), bounds.high + 1):
        steps, tests = _steps(matching, edge, direction, length)
        queries.append(_query(steps, tests, mode))
    return scans.united(matching.lowering, queries, alias)


def _steps(matching: Matching, edge: ir.EdgePattern, direction: str, length: int) -> tuple[list[Scan], list[Sql]]:
    """The edges of a way, and what is asked of each."""
    lowering = matching.lowering
    tables: Sequence[EdgeTable] = scans.edge_tables(lowering, edge.labels)
    keys = {entry.key for entry in edge.properties.entries} if isinstance(edge.properties, ir.MapOf) else set()
    steps: list[Scan] = []
    tests: list[Sql] = []
    for _ in range(length):
        scan = scans.scan_edges(lowering, scans.ways_of(tables, direction), keys, origin=edge.variable)
        known = {**matching.names, edge.variable or "": scan.element}
        tests += [*scan.conditions, *inline(edge, scan.element, matching.block.scope(matching.rows, known))]
        steps.append(scan)
    return steps, tests


def _query(steps: Sequence[Scan], tests: Sequence[Sql], mode: str) -> exp.Select:
    """One way: the edges one after the other, or a node alone."""
    ends: list[Sql] = []
    conditions = list(tests)
    for step in steps:
        if step.ends is None:
            ends.append(step.element.sql)
            continue
        left, right = step.around
        if ends:
            conditions.insert(0, build.equal(ends[-1].copy(), left))
        else:
            ends.append(left)
        ends.append(right)
    edges = [step.element.sql for step in steps if step.ends is not None]
    if mode == "trail":
        pairs = [(one, other) for at, one in enumerate(edges) for other in edges[:at]]
        conditions += [build.binary(exp.NEQ, one.copy(), other.copy()) for one, other in pairs]
    listed = build.noted(build.array([each.copy() for each in edges]), list_of(EDGE))
    columns = {
        BEGIN: ends[0].copy(),
        "n": ends[-1].copy(),
        "edges": listed if edges else build.cast(build.array([]), datatype(list_of(EDGE))),
        "nodes": build.noted(build.array([each.copy() for each in ends]), list_of(NODE)),
    }
    selected = [build.alias(sql, name) for name, sql in columns.items()]
    return build.select(selected, [step.source for step in steps], conditions)
