"""Paths with a selector: of all paths between two nodes some are kept, the shortest, any, a number of them.

The rest of the clause is matched first, with what WHERE says of it; then the paths, per pair of ends; then what WHERE
says of the paths chosen (ISO GQL, 16.6: a selector works on the pattern, WHERE on what it chose).  The older
shortestPath() looks for the shortest path that satisfies WHERE.

One repeated edge between two nodes is searched for with an index (`searches.py`), unless its predicates look at other
variables; every other pattern is matched in all its ways, which are then ranked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import sorting_key
from graphir.backends.sql.costs import edge_cost, with_cost
from graphir.backends.sql.lowering import Lowering, Scope
from graphir.backends.sql.openings import Opening, opened
from graphir.backends.sql.paths import EDGES, mode_of, variable_of
from graphir.backends.sql.patterns import conjuncts, inline, lower_conjuncts, match, names_of
from graphir.backends.sql.reps import BOOLEAN, INTEGER, NODE, PATH, list_of
from graphir.backends.sql.rows import Block, Rows, close, list_columns, settle
from graphir.backends.sql.searches import Search
from graphir.backends.sql.terms import Term
from graphir.diagnostics import RunFault, diagnose
from graphir.ir.names import MARK, is_generated

_LEGACY = ("shortest_path", "all_shortest_paths")
_GROUPS = ("all_shortest", "shortest_groups", "all_shortest_paths", "all_cheapest")
_CHEAPEST = ("any_cheapest", "all_cheapest", "cheapest")

_COST = MARK + "cost"
"""The name of the column by which paths are ranked."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A path with a selector: `count` paths are kept, or with `groups` those of the `count` least lengths.

    `opening` is the path without brackets; `cheapest`: by the sum of its costs in place of its length.
    """

    opening: Opening
    path: ir.Path
    mode: str
    count: int
    groups: bool
    legacy: bool
    cheapest: bool = False

    @property
    def first(self) -> ir.NodePattern:
        found = self.path.elements[0]
        assert isinstance(found, ir.NodePattern)
        return found

    @property
    def last(self) -> ir.NodePattern:
        found = self.path.elements[-1]
        assert isinstance(found, ir.NodePattern)
        return found

    @property
    def inner(self) -> set[str]:
        """The variables that are bound by the choice: not the ends."""
        ends = {self.first.variable, self.last.variable}
        named = {getattr(node, "variable", None) for node in ir.walk(self.opening.closed)}
        return {name for name in named if name is not None} - {name for name in ends if name is not None}


def match_selected(node: ir.Match, rows: Rows, block: Block, keep: Collection[str], *, checked: bool = True) -> Rows:
    """The rows extended by a clause in which some path has a selector.

    `checked` False leaves it to the caller to refuse what shortestPath() gives for a node and itself.
    """
    lowering = block.lowering
    given = set(rows.names)
    plain = [path for path in node.paths if path.selector is None or path.selector.kind == "all"]
    plain = [replace(path, selector=None) for path in plain]
    choices = [
        _choice(path, node, lowering)
        for path in node.paths
        if path.selector is not None and path.selector.kind != "all"
    ]
    tests = conjuncts(node.where)
    inner = set().union(*[choice.inner for choice in choices])
    before = [test for test in tests if not _mentions(test, inner)]
    asked = set().union(*[names_of(test) for test in before]) if before else set()
    known = {*rows.names, *block.outer, *[variable_of(e) for path in plain for e in path.elements]}
    open_ends = {id(choice): _open_end(choice, known, asked, lowering) for choice in choices}
    ends = [
        ir.Path((end,))
        for choice in choices
        for end in ((choice.first, choice.last) if choice.first.variable != choice.last.variable else (choice.first,))
        if end is not open_ends[id(choice)]
    ]
    kept = {*keep, *[variable_of(end) for choice in choices for end in (choice.first, choice.last)]}
    rows = match(replace(node, paths=(*plain, *ends), where=_all(before)), rows, block, kept)
    after = [test for test in tests if _mentions(test, inner)]
    for choice in choices:
        wanted = [test for test in after if choice.legacy and _mentions(test, choice.inner)]
        after = [test for test in after if test not in wanted]
        if not lowering.abilities.bridges and choice.legacy and _least(choice) > 0:
            rows = _apart(choice, rows, block)
        if not wanted and _is_searchable(choice, lowering):
            rows = _search(choice, open_ends[id(choice)], rows, block, kept)
            if checked and choice.legacy and _bounds(choice).low > 0:
                rows = _checked(choice, rows, block)
        else:
            end = open_ends[id(choice)]
            if end is not None:
                rows = match(ir.Match((ir.Path((end,)),)), rows, block, kept)
            rows = _rank(choice, wanted, node, rows, block, kept)
    conditions = lower_conjuncts(after, block.scope(rows), rows.conditions, rows.sources)
    names = {name: term for name, term in rows.names.items() if not is_generated(name) or name in keep or name in given}
    return replace(rows, conditions=(*rows.conditions, *conditions), names=names)


def _choice(path: ir.Path, node: ir.Match, lowering: Lowering) -> Choice:
    selector = path.selector
    assert selector is not None
    if path.variable is None:
        path = replace(path, variable=lowering.fresh(MARK + "p"))
    opening = opened(path, lowering)
    mode = mode_of(opening.path, node)
    count = 1 if selector.count is None else _count(selector.count, lowering)
    cheapest = selector.kind in _CHEAPEST
    return Choice(
        opening, opening.path, mode, count, selector.kind in _GROUPS, selector.kind in _LEGACY, cheapest=cheapest
    )


def _count(node: ir.Expression, lowering: Lowering) -> int:
    value: object = node.value if isinstance(node, ir.Literal) else None
    if isinstance(node, ir.Parameter):
        if node.name in lowering.typed:
            lowering.refuse("G563", "the number of paths has to be known", node)
        lowering.parameter(node.name, node)
        value = lowering.parameters[node.name]
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        told = f"the number of paths is a positive integer, not {value!r}"
        raise RunFault([diagnose(lowering.source, "G605", told, node.span)])
    return value


def _mentions(node: ir.Node, names: Collection[str]) -> bool:
    return not names_of(node).isdisjoint(names)


def _all(tests: Sequence[ir.Expression]) -> ir.Expression | None:
    return tests[0] if len(tests) == 1 else ir.Apply("and", tuple(tests)) if tests else None


def _open_end(
    choice: Choice, known: Collection[str], asked: Collection[str], lowering: Lowering
) -> ir.NodePattern | None:
    """The end that is found by the search itself: nothing is asked of it but labels, and one path is enough."""
    if not _is_searchable(choice, lowering) or choice.cheapest or choice.count != 1 or _bounds(choice).low > 1:
        return None
    if choice.first.variable == choice.last.variable:
        return None
    for end in (choice.last, choice.first):
        name = end.variable
        if end.properties is None and end.where is None and name not in known and name not in asked:
            return end
    return None


def _bounds(choice: Choice) -> ir.Bounds:
    edge = choice.path.elements[1]
    assert isinstance(edge, ir.EdgePattern)
    assert edge.quantifier is not None
    return edge.quantifier


def _least(choice: Choice) -> int:
    """The least number of repetitions, of what repeats first."""
    step = choice.path.elements[1] if len(choice.path.elements) > 1 else None
    bounds = getattr(step, "quantifier", None)
    return 1 if bounds is None else bounds.low


def _is_endless(choice: Choice) -> bool:
    """Whether there is no end to the walks of which the cheapest are asked for."""
    edge = choice.path.elements[1] if len(choice.path.elements) == 3 else None
    endless = isinstance(edge, ir.EdgePattern) and edge.quantifier is not None and edge.quantifier.high is None
    return choice.mode == "walk" and endless and not choice.groups


def _is_searchable(choice: Choice, lowering: Lowering) -> bool:
    """A node, a repeated edge that looks at itself alone, a node; where functions can be called that search."""
    if not lowering.abilities.bridges or not choice.opening.is_plain:
        return False
    elements = choice.path.elements
    if choice.cheapest and not _is_endless(choice):
        return False
    if len(elements) != 3 or not isinstance(edge := elements[1], ir.EdgePattern) or edge.quantifier is None:
        return False
    for part in (edge.properties, edge.where, edge.cost):
        if part is None:
            continue
        if any(
            isinstance(each, (ir.Subquery, ir.PatternExpression, ir.PatternComprehension)) for each in ir.walk(part)
        ):
            return False
        if not names_of(part) <= {edge.variable}:
            return False
    return True


# ------------------------------------------------------------------ by search


def _search(choice: Choice, open_end: ir.NodePattern | None, rows: Rows, block: Block, kept: Collection[str]) -> Rows:
    """The paths of a search beside the rows, which are computed first: nothing is searched for in vain."""
    lowering = block.lowering
    edge = choice.path.elements[1]
    assert isinstance(edge, ir.EdgePattern)
    backwards = open_end is choice.first
    begin, end = (choice.last, choice.first) if backwards else (choice.first, choice.last)
    rows = close(rows, block, kept=True)
    search = _declare(choice, edge, lowering, backwards=backwards, open_ended=open_end is not None)
    known = {**block.outer, **rows.names}
    arguments = [known[each.variable or ""].again() for each in (begin, end) if each is not open_end]
    alias, found = lowering.fresh("h"), lowering.fresh("p")
    calls = build.select([build.alias(build.call("unnest", build.call(search.name, *arguments)), found)])
    inner = build.derived(calls, lowering.fresh("u"))
    columns = [build.alias(_part(found, part, backwards), part) for part in ("nodes", "edges")]
    rows = replace(rows, sources=(*rows.sources, build.derived(build.select(columns, [inner]), alias, lateral=True)))
    nodes, edges = build.column("nodes", alias), build.column("edges", alias)
    path = build.structure([("nodes", nodes), ("edges", edges)])
    names = {
        **rows.names,
        choice.path.variable or "": Term(path, PATH, present=True),
        edge.variable or "": Term(edges.copy(), EDGES, present=True),
    }
    if open_end is not None:
        place = build.number(1 if backwards else -1)
        names[end.variable or ""] = Term(build.call("list_extract", nodes.copy(), place), NODE, present=True)
    rows = close(replace(rows, names=names), block, kept=open_end is not None)
    if open_end is None:
        return rows
    return match(ir.Match((ir.Path((open_end,)),)), rows, block, kept)


def _checked(choice: Choice, rows: Rows, block: Block) -> Rows:
    """The rows, computed to the end, with a fault where an end is reached from itself."""
    rows = close(rows, block, kept=True)
    path = rows.names[choice.path.variable or ""]
    proper = block.lowering.bridge("proper_path", [Term(path.again(), PATH)], PATH, choice.path)
    return replace(rows, conditions=(*rows.conditions, build.is_not_null(proper.sql)))


def _part(found: str, part: str, backwards: bool) -> Sql:
    listed = build.field(build.column(found), part)
    return build.call("list_reverse", listed) if backwards else listed


def _declare(choice: Choice, edge: ir.EdgePattern, lowering: Lowering, *, backwards: bool, open_ended: bool) -> Search:
    """Note what the statement searches for."""
    keys = _keys(edge)
    tables = scans.edge_tables(lowering, edge.labels)
    scan = scans.scan_edges(lowering, scans.ways_of(tables, "out"), keys, origin=edge.variable)
    scope = Scope(lowering, {edge.variable or "": scan.element})
    columns = [build.alias(sql, name) for name, sql in zip(("id", "src", "dst"), _ends(scan), strict=True)]
    if choice.cheapest:
        columns.append(build.alias(edge_cost(edge, scope), "cost"))
    bounds = _bounds(choice)
    direction = {"out": "in", "in": "out", "any": "any"}[edge.direction] if backwards else edge.direction
    edges = build.select(columns, [scan.source], [*scan.conditions, *inline(edge, scan.element, scope)])
    asked = (
        direction,
        bounds.low,
        bounds.high,
        choice.mode,
        choice.count,
        choice.groups,
        choice.legacy,
        open_ended,
        choice.cheapest,
    )
    name = f"g_search_{crc32(repr((edges.sql(), asked)).encode()):08x}_{len(lowering.searches)}"
    search = Search(name, edges, *asked)
    lowering.searches.append(search)
    return search


def _keys(edge: ir.EdgePattern) -> set[str]:
    """The properties that the predicates inside of an edge read."""
    parts = [part for part in (edge.properties, edge.where, edge.cost) if part is not None]
    nodes = [node for part in parts for node in ir.walk(part)]
    return {node.key for node in nodes if isinstance(node, (ir.Property, ir.Entry))}


def _ends(scan: scans.Scan) -> tuple[Sql, Sql, Sql]:
    return scan.element.sql, *scan.around


# ------------------------------------------------------------------ by rank


def _apart(choice: Choice, rows: Rows, block: Block) -> Rows:
    """The rows, with a fault where shortestPath() is to lead from a node to itself."""
    known = {**block.outer, **rows.names}
    ends = [known[each.variable or ""] for each in (choice.first, choice.last)]
    told = "G617: a shortest path is asked for from a node to itself"
    failed = build.fault(told, ends[0].again(), BOOLEAN)
    same = build.equal(ends[0].again(), ends[1].again())
    return replace(rows, conditions=(*rows.conditions, build.case([(same, failed)], build.boolean(True))))


def _bounded(choice: Choice) -> ir.Path:
    """The path as it is looked for.

    The best walk between two nodes visits none twice: so that walks without an upper bound come to an end, where one
    node, an edge that repeats, and a node are all there is.
    """
    plain = replace(choice.opening.closed, selector=None)
    if choice.mode != "walk" or choice.count > 1:
        return plain
    elements = choice.path.elements
    ends = {choice.first.variable, choice.last.variable}
    asked = set().union(*[names_of(test) for test in choice.opening.tests])
    if len(elements) != 3 or choice.opening.portions or not asked <= ends:
        return plain
    step = elements[1]
    assert isinstance(step, (ir.EdgePattern, ir.PathGroup))
    if step.quantifier is None or step.quantifier.high is not None or step.quantifier.low > 1:
        return plain
    parts = (step,) if isinstance(step, ir.EdgePattern) else step.path.elements
    edges = [each for each in parts if isinstance(each, ir.EdgePattern)]
    return replace(plain, mode="simple") if len(edges) == 1 else plain


def _rank(
    choice: Choice, wanted: list[ir.Expression], node: ir.Match, rows: Rows, block: Block, kept: Collection[str]
) -> Rows:
    """All paths there are, and of each pair of ends those that come first."""
    lowering = block.lowering
    name = choice.path.variable or ""
    number, row = lowering.fresh("rid"), lowering.fresh(MARK + "row")
    base = close(rows, block, kept=True, extra=[(number, exp.Window(this=exp.RowNumber()))])
    source = base.sources[0].args["alias"].this.this
    base = replace(base, names={**base.names, row: Term(build.column(number, source), INTEGER, present=True)})
    plain = _bounded(choice)
    inner = replace(node, paths=(plain,), where=_all(wanted), uniqueness=node.uniqueness)
    found = match(inner, base, block, {*kept, *choice.inner, name})
    if choice.cheapest:
        found = settle(with_cost(choice.path, _COST, found, block), block)
    path = found.names[name]
    alias, rank = lowering.fresh("t"), lowering.fresh("k")
    nodes = build.noted(build.field(path.again(), "nodes"), list_of(NODE))
    pair = [build.noted(build.call("list_extract", nodes.copy(), build.number(at)), NODE) for at in (1, -1)]
    edges = build.noted(build.field(path.again(), "edges"), EDGES)
    length = build.noted(build.call("len", edges), EDGES)
    window = exp.Window(
        this=build.call("dense_rank" if choice.groups else "row_number"),
        partition_by=[found.names[row].again(), *pair],
        order=exp.Order(
            expressions=[build.ordered(sorting_key(lowering, found.names[_COST]) if choice.cheapest else length)]
        ),
    )
    found = replace(found, names={each: term for each, term in found.names.items() if each != _COST})
    listed = list_columns(found, lowering, alias)
    label = block.add(found.select([*listed.columns, build.alias(window, rank)]))
    few = build.binary(exp.LTE, build.column(rank, alias), build.number(choice.count))
    return Rows((build.table(label, alias),), (few,), listed.names, tuple(listed.order), rows.stated)
