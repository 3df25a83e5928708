"""Paths with repetitions and modes: quantified edges and groups, as recursive queries beside the rows.

A repetition begins at a node that is known and gives, for each walk that its mode allows, the node where it ends, its
edges, its nodes, and the group variables as lists.  What a mode forbids between two repetitions, or over the whole
path, are conditions on these lists (ISO GQL, 16.6: path modes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, lengths, scans, seeding
from graphir.backends.sql.build import Sql
from graphir.backends.sql.openings import Opening
from graphir.backends.sql.patterns import (
    Matching,
    Piece,
    Walked,
    differ,
    gather,
    inline,
    lower_conjuncts,
    test_labels,
    walk,
)
from graphir.backends.sql.reps import EDGE, INTEGER, NODE, PATH, Rep, datatype, list_of
from graphir.backends.sql.seeding import Rounds
from graphir.backends.sql.terms import Term

EDGES = list_of(EDGE)
NODES = list_of(NODE)
_END = (1 << 31) - 1
_REVERSED = {"out": "in", "in": "out", "any": "any"}


def mode_of(path: ir.Path, match: ir.Match) -> str:
    """What a path may not repeat: the stricter of what it says itself and what the clause says."""
    if path.mode in (None, "walk"):
        return "trail" if match.uniqueness == "different_edges" else "walk"
    return path.mode


def match_path(matching: Matching, opening: Opening) -> None:
    """A path with repetitions or a mode, without a selector."""
    path = opening.path
    elements = path.elements
    mode = mode_of(path, matching.node)
    first = variable_of(elements[0])
    left = first
    pieces = matching.pieces = []
    walked = len(matching.walked)
    named = path.variable is not None or any(part.variable is not None for part in opening.portions)
    for at in range(1, len(elements), 2):
        step, node = elements[at], elements[at + 1]
        right = variable_of(node)
        if isinstance(step, ir.EdgePattern) and step.quantifier is None:
            matching.edge(left, step, right)
            one = matching.bound(step.variable or "")
            assert one is not None
            ends = build.noted(build.array([matching.node_term(right).again()]), NODES)
            pieces.append(Piece(ends, build.noted(build.array([one.again()]), EDGES)))
        else:
            kept = opening.mode(at // 2, mode)
            asks_nodes = named or {mode, kept} & {"acyclic", "simple"}
            pieces.append(_repeat(matching, left, step, right, kept, nodes=bool(asks_nodes)))
        left = right
    if len(elements) == 1:
        matching.node_term(first)
    _tell_apart(matching, mode, first, pieces, matching.walked[walked:])
    for part in opening.portions:
        begin, steps = variable_of(elements[2 * part.start]), slice(part.start, part.end)
        if part.is_strict:
            _tell_apart(matching, part.mode or mode, begin, pieces[steps], matching.walked[walked:][steps])
        if part.variable is not None:
            matching.names[part.variable] = Term(_path(matching, begin, pieces[steps]), PATH, present=True)
    if path.variable is not None:
        matching.names[path.variable] = Term(_path(matching, first, pieces), PATH, present=True)


def variable_of(element: ir.PathElement) -> str:
    """The name of a node or edge; core names them all."""
    return "" if isinstance(element, ir.PathGroup) else element.variable or ""


def _path(matching: Matching, first: str, pieces: Sequence[Piece]) -> Sql:
    edges: Sql = build.cast(build.array([]), datatype(EDGES))
    for piece in pieces:
        edges = build.noted(build.call("list_concat", edges, piece.edges.copy()), EDGES)
    return build.noted(build.structure([("nodes", _nodes(matching, first, pieces)), ("edges", edges)]), PATH)


def _nodes(matching: Matching, first: str, pieces: Sequence[Piece]) -> Sql:
    nodes: Sql = build.noted(build.array([matching.node_term(first).again()]), NODES)
    for piece in pieces:
        nodes = build.noted(build.call("list_concat", nodes, piece.nodes.copy()), NODES)
    return nodes


def _tell_apart(matching: Matching, mode: str, first: str, pieces: Sequence[Piece], walked: Sequence[Walked]) -> None:
    """The conditions of a mode over the whole path; a single repetition has seen to them itself."""
    if mode == "trail" and matching.node.uniqueness != "different_edges":
        for at, one in enumerate(walked):
            matching.conditions += [differ(one, other) for other in walked[:at] if one.tables & other.tables]
    if mode not in ("acyclic", "simple") or not pieces:
        return
    nodes = _nodes(matching, first, pieces)
    distinct = build.equal(build.call("list_unique", nodes), build.call("len", nodes.copy()))
    if mode == "acyclic":
        matching.conditions.append(distinct)
        return
    inner = build.noted(build.call("list_slice", nodes.copy(), build.number(2), build.number(_END)), NODES)
    closed = build.equal(build.call("list_extract", nodes.copy(), build.number(1)), _last(nodes.copy()))
    once = build.equal(build.call("list_unique", inner), build.call("len", inner.copy()))
    matching.conditions.append(build.disjunction([distinct, build.conjunction([closed, once])]))


def _last(items: Sql) -> Sql:
    return build.call("list_extract", items, build.number(-1))


# ------------------------------------------------------------------ repetitions


@dataclass
class Step:
    """One round of a repetition, from the node at `start`: where it ends, and the elements on the way."""

    end: Sql
    edges: list[Sql]
    nodes: list[Sql]
    """After the first."""
    groups: dict[str, tuple[Sql, Rep]] = field(default_factory=dict)
    sources: list[Sql] = field(default_factory=list)
    conditions: list[Sql] = field(default_factory=list)
    tables: frozenset[str] = frozenset()


def _repeat(matching: Matching, left: str, element: ir.PathElement, right: str, mode: str, *, nodes: bool) -> Piece:
    """A repetition, from the node on the left or, where only that is known, the one on the right.

    Its `nodes` are listed only where they are asked for: what a recursive query carries along costs.
    """
    assert isinstance(element, (ir.EdgePattern, ir.PathGroup))
    bounds = element.quantifier
    assert bounds is not None
    if mode == "walk" and bounds.high is None:
        matching.lowering.refuse(
            "G602", "walks without an upper bound are endless", element, hint="give the quantifier an upper bound"
        )
    _bind_mentioned(matching, element)
    backwards = matching.bound(left) is None and matching.bound(right) is not None
    start, end = (right, left) if backwards else (left, right)
    matching.node_term(start)
    alias = matching.lowering.fresh("w")
    if isinstance(element, ir.EdgePattern) and lengths.are_few(matching, element, start, mode):
        step = _by_length(matching, element, start, alias, mode, backwards=backwards)
    else:
        step = _by_recursion(matching, element, start, alias, mode, nodes=nodes, backwards=backwards)
    matching.meet(end, scans.end_of("n", alias), _ends(matching, element, bounds, backwards=backwards))
    turned = _turned(build.column("nodes", alias), backwards)
    rest = build.noted(build.call("list_slice", turned, build.number(2), build.number(_END)), NODES)
    if isinstance(element, ir.EdgePattern):
        matching.names[element.variable or ""] = Term(
            _turned(build.column("edges", alias), backwards), EDGES, present=True
        )
    for at_, (name, (_, rep)) in enumerate(step.groups.items()):
        listed = _turned(build.column(f"g{at_}", alias), backwards)
        matching.names[name] = Term(listed, list_of(rep), present=True)
    edges = build.column("edges", alias)
    matching.walked.append(Walked(edges, step.tables, many=True))
    return Piece(rest, _turned(edges.copy(), backwards))


def _by_length(matching: Matching, edge: ir.EdgePattern, start: str, alias: str, mode: str, *, backwards: bool) -> Step:
    """Add a repetition, length by length, as a source; what a round of it would be, for what is asked of its edges."""
    direction = _REVERSED[edge.direction] if backwards else edge.direction
    matching.sources.append(lengths.by_length(matching, edge, start, direction, mode, alias))
    origin = matching.node_term(start)
    matching.conditions.append(build.equal(build.column(lengths.BEGIN, alias), origin.again()))
    tables = scans.edge_tables(matching.lowering, edge.labels)
    return Step(build.column("n", alias), [], [], tables=frozenset(table.name for table in tables))


def _by_recursion(
    matching: Matching,
    element: ir.EdgePattern | ir.PathGroup,
    start: str,
    alias: str,
    mode: str,
    *,
    nodes: bool,
    backwards: bool,
) -> Step:
    """Add a repetition as a recursive query, under an alias; one round of it."""
    bounds = element.quantifier
    assert bounds is not None
    seed = None if matching.lowering.abilities.lateral else seeding.seeds(matching, start, element)
    origin = matching.node_term(start)
    if bounds.low == 0 and not origin.present:
        matching.conditions.append(build.is_not_null(origin.again()))  # no way of length zero leads from null
    before = matching.lowering.fresh("b")
    at = build.column("n", before)
    step = (
        _edge_step(matching, element, at, backwards=backwards)
        if isinstance(element, ir.EdgePattern)
        else _group_step(matching, element, at, backwards=backwards)
    )
    if not nodes:
        step.nodes.clear()
    if matching.lowering.abilities.lateral:
        query = _recursion(matching, origin, step, before, bounds, mode)
        matching.sources.append(build.derived(query, alias, lateral=True))
    else:
        seeding.repeat(matching, seed, _rounds(matching, origin, step, before, bounds, mode), bounds, alias)
    return step


def _bind_mentioned(matching: Matching, element: ir.EdgePattern | ir.PathGroup) -> None:
    """Look for the nodes of the clause that the predicates of a repetition speak of, before it is walked."""
    own = {getattr(node, "variable", None) for node in ir.walk(element)}
    mentioned = {node.name for node in ir.walk(element) if isinstance(node, ir.Ref)} - own
    for path in matching.node.paths:
        for node in path.elements:
            if isinstance(node, ir.NodePattern) and node.variable in mentioned:
                matching.node_term(node.variable or "")


def _ends(
    matching: Matching, element: ir.EdgePattern | ir.PathGroup, bounds: ir.Bounds, *, backwards: bool
) -> scans.Names:
    """The node tables where a repetition can end, where that follows from its edges."""
    if not isinstance(element, ir.EdgePattern) or bounds.low == 0:
        return None
    tables = scans.edge_tables(matching.lowering, element.labels)
    direction = _REVERSED[element.direction] if backwards else element.direction
    return scans.ends_of(matching.lowering, scans.ways_of(tables, direction))[1]


def _turned(items: Sql, backwards: bool) -> Sql:
    return build.noted(build.call("list_reverse", items), EDGES) if backwards else items


def _edge_step(matching: Matching, edge: ir.EdgePattern, at: Sql, *, backwards: bool) -> Step:
    lowering = matching.lowering
    tables = scans.edge_tables(lowering, edge.labels)
    keys: set[str] = set()
    if isinstance(edge.properties, ir.MapOf):
        keys = {entry.key for entry in edge.properties.entries}
    direction = _REVERSED[edge.direction] if backwards else edge.direction
    scan = scans.scan_edges(lowering, scans.ways_of(tables, direction), keys, origin=edge.variable)
    left, right = scan.around
    known = {**matching.names, edge.variable or "": scan.element}
    tests = list(inline(edge, scan.element, matching.block.scope(matching.rows, known)))
    return Step(
        right,
        [scan.element.sql],
        [right],
        {},
        [scan.source],
        [build.equal(left, at), *scan.conditions, *tests],
        frozenset(table.name for table in tables),
    )


def _group_step(matching: Matching, group: ir.PathGroup, at: Sql, *, backwards: bool) -> Step:
    """The path inside of a group, matched by itself from the node where the round begins."""
    elements = group.path.elements
    first, last = elements[0], elements[-1]
    if any(isinstance(each, ir.PathGroup) or getattr(each, "quantifier", None) for each in elements):
        matching.lowering.refuse("G602", "a repetition inside of a repetition", group)
    if group.path.variable is not None or group.path.selector is not None:
        matching.lowering.refuse("G602", "a name or a selector of the path inside of a repetition", group)
    assert isinstance(first, ir.NodePattern)
    assert isinstance(last, ir.NodePattern)
    begin = last if backwards else first
    known = Term(at, NODE, present=True)
    outer = {**matching.block.outer, **matching.rows.names, **matching.names}
    inner = Matching(
        replace(matching.block, outer=outer),
        replace(matching.rows, sources=(), conditions=(), names={begin.variable or "": known}),
        ir.Match((group.path,), group.where, uniqueness="different_edges"),
    )
    tests = gather(inner)
    inner.narrow()
    nodes = [each.again() for each in walk(inner, elements)[0]]
    test_labels(inner)
    inner.test_elements(elements)
    conditions = [
        *inner.conditions,
        *lower_conjuncts([*inner.computed, *tests], inner.scope, inner.conditions, inner.sources),
    ]
    conditions += _within(group.path.mode, nodes, [each.sql for each in inner.walked])
    way = list(reversed(nodes)) if backwards else nodes
    edges = [each.sql for each in inner.walked]
    groups: dict[str, tuple[Sql, Rep]] = {}
    for element in elements:
        name = variable_of(element)
        found = inner.bound(name)
        assert found is not None
        groups[name] = (found.again(), NODE if isinstance(element, ir.NodePattern) else EDGE)
    tables = frozenset().union(*[each.tables for each in inner.walked])
    return Step(
        way[-1].copy(),
        list(reversed(edges)) if backwards else edges,
        way[1:],
        groups,
        inner.sources,
        conditions,
        tables,
    )


def _within(mode: str | None, nodes: Sequence[Sql], edges: Sequence[Sql]) -> list[Sql]:
    """What the mode of a group says of the path of one round."""
    if mode == "trail":
        return _new_pairs(edges)
    if mode == "acyclic":
        return _new_pairs(nodes)
    return [*_new_pairs(nodes[1:]), *_new_pairs(nodes[:-1])] if mode == "simple" else []


def _new_pairs(items: Sequence[Sql]) -> list[Sql]:
    """No two of them are the same."""
    return [build.binary(exp.NEQ, one.copy(), other.copy()) for at, one in enumerate(items) for other in items[:at]]


def _recursion(matching: Matching, origin: Term, step: Step, before: str, bounds: ir.Bounds, mode: str) -> exp.Select:
    """All walks of rounds that the mode allows: columns n, edges, nodes, the number of rounds, the groups."""
    label = matching.lowering.fresh("r")
    made = _rounds(matching, origin, step, before, bounds, mode)
    first = build.select([build.alias(sql, name) for name, sql in zip(made.names, made.first, strict=True)])
    following = build.select(made.following, [build.table(label, before), *step.sources], made.conditions)
    recursive = exp.CTE(
        this=build.union([first, following]),
        alias=exp.TableAlias(this=build.name(label), columns=[build.name(each) for each in made.names]),
    )
    enough = build.binary(exp.GTE, build.column("rounds"), build.number(bounds.low))
    query = build.select([build.column(each) for each in made.names], [build.table(label)], [enough])
    query.set("with_", exp.With(expressions=[recursive], recursive=True))
    return query


def _rounds(matching: Matching, origin: Term, step: Step, before: str, bounds: ir.Bounds, mode: str) -> Rounds:
    """What a repetition begins with, and how a round goes on."""
    groups = step.groups.values()
    first = [
        origin.again(),
        build.cast(build.array([]), datatype(EDGES)),
        build.noted(build.array([origin.again()]), NODES),
        build.cast(build.number(0), datatype(INTEGER)),
        *[build.cast(build.array([]), datatype(list_of(rep))) for _, rep in groups],
    ]
    rounds = build.column("rounds", before)
    conditions = [*step.conditions, *_allowed(step, before, mode)]
    if bounds.high is not None:
        conditions.append(build.binary(exp.LT, rounds, build.number(bounds.high)))
    following = [
        step.end.copy(),
        _appended(build.column("edges", before), step.edges, EDGES),
        _appended(build.column("nodes", before), step.nodes, NODES),
        _counted(matching, rounds, bounds),
        *[
            _appended(build.column(f"g{at}", before), [sql.copy()], list_of(rep))
            for at, (sql, rep) in enumerate(groups)
        ],
    ]
    names = ("n", "edges", "nodes", "rounds", *[f"g{at}" for at in range(len(step.groups))])
    return Rounds(names, first, following, step.sources, conditions, before)


def _counted(matching: Matching, rounds: Sql, bounds: ir.Bounds) -> Sql:
    """One round more; a fault where an unbounded repetition goes further than it may."""
    more = build.binary(exp.Add, rounds.copy(), build.number(1))
    longest = matching.lowering.longest
    if longest is None or bounds.high is not None:
        return more
    limit = Term(build.cast(build.number(longest), datatype(INTEGER)), INTEGER)
    return matching.lowering.bridge("within", [Term(more, INTEGER), limit], INTEGER, matching.node).sql


def _appended(items: Sql, more: Sequence[Sql], rep: Rep) -> Sql:
    if not more:
        return items
    if len(more) == 1:
        return build.noted(build.call("list_append", items, more[0].copy()), rep)
    listed = build.noted(build.array([each.copy() for each in more]), rep)
    return build.noted(build.call("list_concat", items, listed), rep)


def _allowed(step: Step, before: str, mode: str) -> list[Sql]:
    """What may not come again in the next round."""
    if mode == "walk":
        return []
    if mode == "trail":
        seen = build.column("edges", before)
        return _new(seen, step.edges, EDGE)
    nodes = build.column("nodes", before)
    if mode == "acyclic":
        return _new(nodes, step.nodes, NODE)
    first = build.call("list_extract", nodes, build.number(1))
    inner = build.noted(build.call("list_slice", nodes.copy(), build.number(2), build.number(_END)), NODES)
    go_on = build.disjunction(
        [
            build.equal(build.column("rounds", before), build.number(0)),
            build.binary(exp.NEQ, build.column("n", before), first),
        ]
    )
    on_the_way = [
        build.binary(exp.NEQ, each.copy(), build.call("list_extract", nodes.copy(), build.number(1)))
        for each in step.nodes[:-1]
    ]
    return [go_on, *_new(inner, step.nodes, NODE), *on_the_way]


def _new(seen: Sql, more: Sequence[Sql], rep: Rep) -> list[Sql]:
    """None of the elements, which are nodes or edges, was seen, and no two of them are the same."""
    found = [build.negation(build.noted(build.call("list_contains", seen.copy(), each.copy()), rep)) for each in more]
    return [*found, *_new_pairs(more)]
