"""MATCH: patterns as sources and conditions that are added to the rows.

A node that nothing is asked of is the end of its edge; only nodes with labels, properties or a use later are scanned.
Paths that repeat are the matter of `paths.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, places, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import NodeTable
from graphir.backends.sql.comparisons import compare
from graphir.backends.sql.conversions import null_term
from graphir.backends.sql.expressions import lower, truth
from graphir.backends.sql.lowering import Lowering, Scope
from graphir.backends.sql.openings import Opening, opened, predicates
from graphir.backends.sql.predicates import settled_labels
from graphir.backends.sql.reps import ANYTHING, EDGE, NODE, NULL, PATH, Rep, datatype, list_of
from graphir.backends.sql.rows import Block, Rows
from graphir.backends.sql.terms import LABELS, TYPE, Term
from graphir.diagnostics import RunFault, diagnose
from graphir.frozen import frozen


@frozen
class Walked:
    """Edges that were bound by a pattern: one or, where `many`, a list of them.  `tables`: where they can come from."""

    sql: Sql
    tables: frozenset[str]
    many: bool = False


@frozen
class Piece:
    """A part of a path: its edges, and the nodes after its first, as lists."""

    nodes: Sql
    edges: Sql


@dataclass
class Matching:
    """The match of a clause in progress."""

    block: Block
    rows: Rows
    node: ir.Match
    labels: dict[str, list[ir.LabelExpression]] = field(default_factory=dict)
    """What the clause says of the labels of its nodes."""
    asked: dict[str, set[str]] = field(default_factory=dict)
    """Elements with inline properties or predicates, and the keys that those read."""
    names: dict[str, Term] = field(default_factory=dict)
    """What the clause binds."""
    sources: list[Sql] = field(default_factory=list)
    conditions: list[Sql] = field(default_factory=list)
    beside: dict[str, Sql] = field(init=False)
    """The scans that stand side by side, by their aliases."""
    walked: list[Walked] = field(default_factory=list)
    computed: list[ir.Expression] = field(default_factory=list)
    """Predicates on labels that are computed at run time."""
    tests: Sequence[ir.Expression] = ()
    """What WHERE says beside labels."""
    within: Mapping[str, scans.Names] = field(default_factory=dict)
    """The tables where its nodes can be."""
    ways: Mapping[int, Sequence[scans.Way]] = field(default_factory=dict)
    """How its edges can run, by the identity of the pattern."""
    pieces: list[Piece] = field(default_factory=list)
    """The parts so far of the path that is being matched."""

    def __post_init__(self) -> None:
        scanned = [each for each in self.rows.sources if isinstance(build.stands_for(each), scans.Scanned)]
        self.beside = {each.alias: each for each in scanned}

    @property
    def lowering(self) -> Lowering:
        return self.block.lowering

    @property
    def scope(self) -> Scope:
        return self.block.scope(self.rows, self.names)

    def bound(self, variable: str) -> Term | None:
        """What a variable is that was bound before the clause, or by it so far."""
        return self.names.get(variable) or self.rows.names.get(variable) or self.block.outer.get(variable)

    # -------------------------------------------------------------- tables

    def narrow(self) -> None:
        """Find out where nodes can be and how edges can run, by what the clause says of both together."""
        nodes: dict[str, scans.Names] = {}
        edges: list[ir.EdgePattern] = []
        steps: list[places.Step] = []
        for path in self.node.paths:
            for left, edge, right in zip(path.elements, path.elements[1:], path.elements[2:], strict=False):
                if not isinstance(edge, ir.EdgePattern) or edge.quantifier is not None:
                    continue
                assert isinstance(left, ir.NodePattern)
                assert isinstance(right, ir.NodePattern)
                ends = left.variable or "", right.variable or ""
                nodes |= {each: self._tables(each) for each in ends if each not in nodes}
                edges.append(edge)
                steps.append((ends[0], self._ways(edge), ends[1]))
        self.within, found = places.narrowed(self.lowering, nodes, steps)
        self.ways = {id(edge): ways for edge, ways in zip(edges, found, strict=True)}

    def _tables(self, variable: str) -> scans.Names:
        """The tables where a node can be by its labels, or by what it was bound to."""
        known = self.bound(variable)
        tables = None if known is None else known.tables
        if variable not in self.labels:
            return tables
        labelled = frozenset([table.name for table in self._labelled(variable)])
        return labelled if tables is None else labelled & tables

    def _ways(self, edge: ir.EdgePattern) -> list[scans.Way]:
        """The ways in which an edge can run by what it says itself."""
        labels = self._settled(edge)
        if labels is not None and _is_dynamic(labels):
            labels = None
        return scans.ways_of(scans.edge_tables(self.lowering, labels), edge.direction)

    def _settled(self, edge: ir.EdgePattern) -> ir.LabelExpression | None:
        """The labels of an edge."""
        if edge.labels is None or not _is_dynamic(edge.labels):
            return edge.labels
        return settled_labels(edge.labels, self.scope)

    # -------------------------------------------------------------- nodes

    def node_term(self, variable: str, within: scans.Names = None) -> Term:
        """The node of a variable; a new one is scanned.  `within`: the tables that it can be in."""
        found = self.bound(variable)
        if found is not None:
            return self.as_node(found)
        tables = self.node_tables(variable)
        if within is not None:
            tables = [table for table in tables if table.name in within]
        scan = scans.scan_nodes(self.lowering, tables, self.keys(variable), variable)
        self._add(scan)
        self.names[variable] = scan.element
        return scan.element

    def _add(self, scan: scans.Scan) -> None:
        self.sources.append(scan.source)
        if isinstance(build.stands_for(scan.source), scans.Scanned):
            self.beside[scan.source.alias] = scan.source

    def keys(self, variable: str) -> set[str]:
        """The properties that are read of an element, here or later."""
        return self.asked.get(variable, set()).union(self.lowering.needs.get(variable, ()))

    def node_tables(self, variable: str) -> list[NodeTable]:
        """The tables where the nodes of a variable can be."""
        within = self.within.get(variable)
        if within is not None:
            return [table for table in self.lowering.catalog.nodes if table.name in within]
        return self._labelled(variable)

    def _labelled(self, variable: str) -> list[NodeTable]:
        """The tables with the nodes that carry the labels of a variable."""
        labels = self.labels.get(variable, [])
        combined = None if not labels else labels[0] if len(labels) == 1 else ir.LabelAnd(tuple(labels))
        return scans.node_tables(self.lowering, combined)

    def must_scan(self, variable: str, within: scans.Names = None) -> bool:
        """Whether a new node has to be looked at; it does not if all that can be there has its labels."""
        if variable in self.asked or self.lowering.needs.get(variable):
            return True
        if not self.labels.get(variable):
            return False
        return within is None or not within.issubset([table.name for table in self.node_tables(variable)])

    def as_node(self, term: Term) -> Term:
        """A bound variable as a node."""
        return self._as(term, NODE)

    def _as(self, term: Term, rep: Rep) -> Term:
        if term.rep == rep:
            return term
        if term.rep == NULL:
            return null_term(rep)
        if term.rep == ANYTHING:
            return self.lowering.bridge(f"to_{rep.name}", [Term(term.again(), ANYTHING)], rep)
        self.lowering.refuse("G602", f"a {term.rep} where a pattern wants a {rep}", self.node)
        return None

    def meet(self, variable: str, end: scans.End, within: scans.Names = None) -> None:
        """The node of the variable is the end of an edge, where only nodes of some tables are."""
        known = self.bound(variable)
        if known is None and not self.must_scan(variable, within):
            self.names[variable] = Term(end.sql, NODE, present=True, tables=self.within.get(variable), end=end)
            return
        node = self.node_term(variable, within)
        if not self._tied(node.end, end):
            self.conditions.append(build.equal(node.again(), end.sql))

    def join(self, one: Term, other: Term) -> None:
        """Two nodes are the same."""
        if not self._tied(one.end, other.end):
            self.conditions.append(build.equal(one.again(), other.again()))

    def _tied(self, one: scans.End | None, other: scans.End | None) -> bool:
        """Note that two nodes are the same, where they are those of scans that stand side by side; whether they are."""
        if one is None or other is None or one.element is None or one.element != other.element:
            return False
        if not self.lowering.abilities.ties or not {one.alias, other.alias} <= self.beside.keys():
            return False
        build.tie(self.beside[other.alias], (one, other))
        return True

    # -------------------------------------------------------------- edges

    def edge(self, left: str, edge: ir.EdgePattern, right: str) -> None:
        """One edge between two nodes."""
        variable = edge.variable or ""
        asked = self.asked.setdefault(variable, set())
        labels = self._settled(edge)
        if labels is not None and _is_dynamic(labels):
            asked.add(TYPE)
            self.computed.append(ir.HasLabels(ir.Ref(variable, span=edge.span), labels, span=edge.span))
        ways = self.ways[id(edge)]
        asked |= _inline_keys(edge.properties, self.lowering)
        scan = scans.scan_edges(self.lowering, ways, self.keys(variable), variable, left, right)
        assert scan.ends is not None
        known = self.bound(variable)
        self._add(scan)
        self.conditions += scan.conditions
        if known is None:
            self.names[variable] = scan.element
        else:
            self.conditions.append(build.equal(scan.element.again(), self._as(known, EDGE).again()))
        before, after = scans.ends_of(self.lowering, ways)
        self.meet(left, scan.ends[0], before)
        self.meet(right, scan.ends[1], after)
        self.walked.append(Walked(scan.element.sql, scan.element.tables or frozenset()))

    def tell_apart(self) -> None:
        """No edge is bound twice within the clause."""
        if self.node.uniqueness != "different_edges":
            return
        for at, one in enumerate(self.walked):
            for other in self.walked[:at]:
                if not one.tables.isdisjoint(other.tables):
                    self.conditions.append(differ(one, other))

    # -------------------------------------------------------------- predicates

    def test_elements(self, elements: Sequence[ir.PathElement]) -> None:
        """Inline properties, and the labels of nodes that were bound before."""
        for element in elements:
            if isinstance(element, ir.PathGroup) or (isinstance(element, ir.EdgePattern) and element.quantifier):
                continue
            term = self.names.get(element.variable or "") or self.bound(element.variable or "")
            if term is None or (element.properties is None and element.where is None):
                continue
            self.conditions += list(inline(element, term, self.scope))


def differ(one: Walked, other: Walked) -> Sql:
    """That two walks have no edge in common."""
    if one.many and other.many:
        return build.negation(build.noted(build.call("list_has_any", one.sql.copy(), other.sql.copy()), EDGE))
    if not one.many and not other.many:
        return build.binary(exp.NEQ, one.sql.copy(), other.sql.copy())
    many, single = (one, other) if one.many else (other, one)
    return build.negation(build.noted(build.call("list_contains", many.sql.copy(), single.sql.copy()), EDGE))


def inline(element: ir.NodePattern | ir.EdgePattern, term: Term, scope: Scope) -> Iterator[Sql]:
    """The conditions that are written inside of an element."""
    lowering = scope.lowering
    properties = element.properties
    if isinstance(properties, ir.MapOf):
        for entry in properties.entries:
            found = scans.read_property(lowering, term, entry.key)
            yield truth(lowering, compare(lowering, "eq", found, lower(entry.value, scope), entry)).sql
    elif isinstance(properties, ir.Parameter):
        if properties.name in lowering.typed:
            lowering.refuse("G563", "the properties of a pattern have to be known", properties)
        given = lowering.parameters.get(properties.name)
        if not isinstance(given, Mapping):
            told = f"parameter ${properties.name} is to be a map"
            raise RunFault([diagnose(lowering.source, "G604", told, properties.span)])
        for key in given:
            found = scans.read_property(lowering, term, key)
            value = lower(ir.Property(properties, key, span=properties.span), scope)
            yield compare(lowering, "eq", found, value, properties).sql
    elif properties is not None:
        lowering.refuse("G602", "properties of a pattern that are not written as a map", properties)
    if element.where is not None:
        yield truth(lowering, lower(element.where, scope)).sql


def _inline_keys(properties: ir.Expression | None, lowering: Lowering) -> set[str]:
    """The keys of properties that are written inside of an element."""
    if isinstance(properties, ir.MapOf):
        return {entry.key for entry in properties.entries}
    given = lowering.parameters.get(properties.name) if isinstance(properties, ir.Parameter) else None
    return set(given) if isinstance(given, Mapping) else set()


def conjuncts(where: ir.Expression | None) -> list[ir.Expression]:
    """The predicates that all must hold."""
    found: list[ir.Expression] = []
    pending = [where] if where is not None else []
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Apply) and node.function == "and":
            pending.extend(reversed(node.args))
        else:
            found.append(node)
    return found


def lower_conjuncts(
    tests: Sequence[ir.Expression], scope: Scope, given: Sequence[Sql], sources: Sequence[Sql]
) -> list[Sql]:
    """The predicates as conditions beside those that are `given`, or noted of the `sources`.

    One that may fail is looked at only where all the others hold: the target moves conditions about as it likes.
    """
    lowering = scope.lowering
    safe: list[Sql] = []
    risky: list[Sql] = []
    guards: list[Sql] = []
    for test in tests:
        risks, queries = lowering.risks, lowering.queries
        condition = truth(lowering, lower(test, scope)).sql
        if lowering.risks != risks:
            risky.append(condition)
            continue
        safe.append(condition)
        if lowering.queries == queries:
            guards.append(condition)
    if not risky:
        return safe
    guards = [*[each for each in given if not _has_query(each)], *guards]
    nested = risky[-1]
    for condition in reversed(risky[:-1]):
        nested = build.case([(condition, nested)], build.boolean(False))
    if guards or any(map(build.ties, sources)):
        nested = build.case([(build.conjunction([each.copy() for each in guards]), nested)], build.boolean(False))
    return [*safe, nested]


def _has_query(condition: Sql) -> bool:
    return condition.find(exp.Select) is not None


def match(node: ir.Match, rows: Rows, block: Block, keep: Collection[str] = ()) -> Rows:
    """The rows extended by the embeddings of the patterns; the clause is not optional.

    Names that were made up, or that nobody speaks of, are forgotten, but for those to `keep`.
    """
    if any(path.selector is not None and path.selector.kind != "all" for path in node.paths):
        from graphir.backends.sql import shortest  # it builds on this module

        return shortest.match_selected(node, rows, block, keep)
    if node.search is not None:
        block.lowering.refuse("G602", "SEARCH is not supported by the engine", node)
    openings = [opened(path, block.lowering) for path in node.paths]
    joints = [joint for opening in openings for joint in opening.joints]
    if not all(opening.path is path for opening, path in zip(openings, node.paths, strict=True)):
        node = replace(
            node,
            paths=(*[ir.Path((one,)) for one, _ in joints], *[opening.path for opening in openings]),
            where=predicates(openings, node.where),
        )
        openings = [*[Opening(path, path) for path in node.paths[: len(joints)]], *openings]
    matching = Matching(block, rows, node)
    tests = matching.tests = gather(matching)
    matching.narrow()
    for opening in openings:
        _match_path(matching, opening)
    test_labels(matching)
    matching.tell_apart()
    for one, other in joints:
        matching.join(matching.node_term(one.variable or ""), matching.node_term(other))
    for path in node.paths:
        matching.test_elements(path.elements)
    given = [*matching.rows.conditions, *matching.conditions]
    sources = (*matching.rows.sources, *matching.sources)
    lowered = lower_conjuncts([*matching.computed, *tests], matching.scope, given, sources)
    conditions = [*matching.conditions, *lowered]
    is_kept = block.lowering.is_kept
    names = {name: term for name, term in matching.names.items() if is_kept(name) or name in keep}
    rows = matching.rows
    return replace(
        rows,
        sources=sources,
        conditions=(*rows.conditions, *conditions),
        names={**rows.names, **names},
    )


def gather(matching: Matching) -> list[ir.Expression]:
    """Note what the clause asks of its nodes; the predicates of WHERE that say more than labels."""
    fresh: set[str] = set()
    scope = matching.scope
    for path in matching.node.paths:
        for element in path.elements:
            if not isinstance(element, ir.NodePattern):
                continue
            variable = element.variable or ""
            if matching.bound(variable) is None:
                fresh.add(variable)
            if element.labels is not None:
                labels = settled_labels(element.labels, scope)
                if _is_dynamic(labels):
                    matching.asked.setdefault(variable, set()).add(LABELS)
                    matching.computed.append(
                        ir.HasLabels(ir.Ref(variable, span=element.span), labels, span=element.span)
                    )
                else:
                    matching.labels.setdefault(variable, []).append(labels)
            if element.properties is not None or element.where is not None:
                asked = matching.asked.setdefault(variable, set())
                asked |= _inline_keys(element.properties, matching.lowering)
    rest: list[ir.Expression] = []
    for test in conjuncts(matching.node.where):
        match test:
            case ir.HasLabels(base=ir.Ref(name), labels=labels) if name in fresh and not _is_dynamic(labels):
                matching.labels.setdefault(name, []).append(labels)
            case _:
                rest.append(test)
    return rest


def names_of(node: ir.Node) -> set[str]:
    """The variables that a node speaks of, those of patterns in it too."""
    return {each.name for each in ir.walk(node) if isinstance(each, ir.Ref)} | {
        each.variable for each in ir.walk(node) if isinstance(each, (ir.NodePattern, ir.EdgePattern)) and each.variable
    }


def _is_dynamic(labels: ir.LabelExpression) -> bool:
    return ir.holds(labels, ir.LabelDynamic)


def test_labels(matching: Matching) -> None:
    """Nodes that were bound before the clause must carry the labels too."""
    for variable, labels in matching.labels.items():
        _test_labels(matching, variable, labels)


def _test_labels(matching: Matching, variable: str, labels: list[ir.LabelExpression]) -> None:
    """A node that was bound before the clause must carry the labels too."""
    known = matching.rows.names.get(variable) or matching.block.outer.get(variable)
    if known is None or variable in matching.names:
        return
    for expression in labels:
        node = matching.as_node(known)
        again = Term(node.again(), NODE, present=node.present, tables=node.tables)
        found = scans.satisfies(matching.lowering, again, expression)
        if not (isinstance(found, exp.Boolean) and found.this):
            matching.conditions.append(found)


def _match_path(matching: Matching, opening: Opening) -> None:
    path = opening.path
    if path.mode is not None or opening.portions or any(_repeats(element) for element in path.elements):
        from graphir.backends.sql import paths  # it builds on this module

        paths.match_path(matching, opening)
        return
    nodes, edges = walk(matching, path.elements)
    if path.variable is not None:
        matching.names[path.variable] = path_term(nodes, edges)


def _repeats(element: ir.PathElement) -> bool:
    return isinstance(element, ir.PathGroup) or (isinstance(element, ir.EdgePattern) and element.quantifier is not None)


def walk(matching: Matching, elements: Sequence[ir.PathElement]) -> tuple[list[Term], list[Term]]:
    """The nodes and edges of a path without repetitions."""
    first = elements[0]
    assert isinstance(first, ir.NodePattern)
    left = first.variable or ""
    edges: list[Term] = []
    variables = [left]
    if len(elements) == 1:
        node = matching.node_term(left)
        if node.rep == NODE and not node.present:
            matching.conditions.append(build.is_not_null(node.again()))
    for at in range(1, len(elements), 2):
        edge, node_ = elements[at], elements[at + 1]
        if not isinstance(edge, ir.EdgePattern) or not isinstance(node_, ir.NodePattern):
            matching.lowering.refuse("G602", "nodes without an edge between them", matching.node)
        right = node_.variable or ""
        matching.edge(left, edge, right)
        found = matching.bound(edge.variable or "")
        assert found is not None
        edges.append(found)
        variables.append(right)
        left = right
    return [matching.node_term(variable) for variable in variables], edges


def path_term(nodes: Sequence[Term], edges: Sequence[Term]) -> Term:
    """A path of nodes and edges by id."""
    edges_list: Sql = build.cast(build.array([]), datatype(list_of(EDGE)))
    if edges:
        edges_list = build.noted(build.array([each.again() for each in edges]), list_of(EDGE))
    nodes_list = build.noted(build.array([each.again() for each in nodes]), list_of(NODE))
    sql = build.structure([("nodes", nodes_list), ("edges", edges_list)])
    return Term(build.noted(sql, PATH), PATH, present=True)
