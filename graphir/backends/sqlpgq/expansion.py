"""MATCH where the dialect only has fixed patterns over known tables: everything else is written out.

- A repetition becomes the tables of its lengths, one below the other.  In each of them the number of edges is known,
  and so is what is asked of the list of edges or of the path.
- That edges, or nodes, of a path are different is said pair by pair, where they could be the same.
- Which tables an element may be in is narrowed by its labels and by the ends of the edges beside it, and said.

What a table cannot match is left out.  Knows no clause but MATCH.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import TypeVar

from graphir import ir
from graphir.backends.gql.expressions import FALSE, NULL_BOOLEAN, TRUE, references
from graphir.backends.gql.features import Report
from graphir.backends.gql.graph import Tables
from graphir.backends.gql.narrowing import Link, propagate
from graphir.backends.gql.patterns import conjunction, conjuncts, renamed
from graphir.backends.sqlpgq.graph import ID, TABLE, Graph
from graphir.frozen import frozen
from graphir.ir.names import MARK
from graphir.ir.node import replace, structure

E = TypeVar("E", ir.NodePattern, ir.EdgePattern)

LENGTHS = 64
"""Combinations of lengths that are written out at most."""
EDGES = 24
"""Edges of one of them at most."""


@structure
class GraphTable(ir.Node):
    """`GRAPH_TABLE(graph match COLUMNS (columns))`"""

    match: ir.Match
    columns: tuple[ir.Item, ...]


@structure
class Absent(ir.Expression):
    """Null of the type of a kind, by the name of the kind; or the empty list of such."""

    kind: str
    many: bool = False


def written_out(match: ir.Match, columns: tuple[ir.Item, ...], graph: Graph, report: Report) -> tuple[GraphTable, ...]:
    """The tables whose rows together are those of the MATCH; at least one.  Raises `Unsupported` (G571)."""
    repeated = [element for element in _elements(match) if isinstance(element, ir.EdgePattern) and element.quantifier]
    ranges = [_lengths(element) for element in repeated]
    fixed = sum([isinstance(element, ir.EdgePattern) for element in _elements(match)]) - len(repeated)
    if prod(map(len, ranges)) > LENGTHS or fixed + sum([each[-1] for each in ranges if each]) > EDGES:
        raise report.refusal("long-repetition", repeated[0] if repeated else match, "this pattern")
    tables = [Branch(match, graph, lengths).table(columns) for lengths in product(*ranges)]
    found = tuple([table for table in tables if table is not None])
    return found or (Branch(match, graph, [each[0] if each else 0 for each in ranges]).nothing(columns),)


def _lengths(element: ir.EdgePattern) -> range:
    quantifier = element.quantifier
    assert quantifier is not None
    assert quantifier.high is not None, "unbounded repetitions are refused before"
    return range(quantifier.low, quantifier.high + 1)


def _elements(match: ir.Match) -> Iterator[ir.PathElement]:
    return (element for path in match.paths for element in path.elements)


@frozen
class Walk:
    """What a path goes through, by the variables."""

    nodes: tuple[str, ...]
    edges: tuple[str, ...]


Element = ir.NodePattern | ir.EdgePattern


@frozen
class Track:
    """A path as far as it is written out: its elements, the variables of nodes and edges, the directions of these."""

    elements: list[Element]
    nodes: list[str]
    edges: list[str]
    directions: list[str]


class Branch:
    """The MATCH with repetitions of certain lengths."""

    def __init__(self, match: ir.Match, graph: Graph, lengths: Iterable[int]) -> None:
        self.graph = graph
        self.lengths = iter(lengths)
        self.groups: dict[str, Walk] = {}
        """Group variable, or variable of a path -> what is in it."""
        self.joined: dict[str, str] = {}
        """Node -> a node that is the same, as there are no edges between them."""
        self.tables: dict[str, Tables] = {}
        self.links: list[Link] = []
        self.conditions: list[ir.Expression] = []
        self.paths = [self.path(path) for path in match.paths]
        self.conditions = [*conjuncts(match.where or TRUE), *self.conditions]

    # -------------------------------------------------------------- patterns

    def path(self, path: ir.Path) -> list[Element]:
        """The elements of a path, with its repetitions written out."""
        track = Track([], [], [], [])
        for element in path.elements:
            match element:
                case ir.NodePattern():
                    self.node(self.without_constants(element), track)
                case ir.EdgePattern():
                    self.edges(self.without_constants(element), track)
        self.differ(path, track.nodes, track.edges)
        if path.variable is not None:
            self.groups[path.variable] = Walk(tuple(track.nodes), tuple(track.edges))
        return track.elements

    def node(self, element: ir.NodePattern, track: Track) -> None:
        """Go on with a node, which is the one before where there is no edge between them."""
        name = element.variable or ""
        self.narrow(name, self.graph.labelled(element.labels, self.graph.nodes))
        if track.elements and isinstance(before := track.elements[-1], ir.NodePattern):
            track.elements[-1] = self.together(before, element)
            return
        if track.nodes:
            self.links.append(Link(track.edges[-1], track.nodes[-1], name, track.directions[-1]))
        track.elements.append(element)
        track.nodes.append(name)

    def edges(self, element: ir.EdgePattern, track: Track) -> None:
        """Go on with an edge, or with the edges of a repetition and nodes between them."""
        variable = element.variable or ""
        if element.quantifier is None:
            names = [self.once(variable)]
        else:
            names = [f"{MARK}{variable.removeprefix(MARK)}_{at}" for at in range(1, next(self.lengths) + 1)]
            self.groups[variable] = Walk((), tuple(names))
        for at, name in enumerate(names):
            if at:
                self.node(ir.NodePattern(f"{MARK}{variable.removeprefix(MARK)}_at{at}"), track)
            self.narrow(name, self.graph.labelled(element.labels, self.graph.edges))
            where = element.where if element.where is None else renamed(element.where, {variable: name})
            track.elements.append(replace(element, variable=name, where=where, quantifier=None))
            track.edges.append(name)
            track.directions.append(element.direction)

    def once(self, variable: str) -> str:
        """A name for an edge; of one that is in a pattern before, a name of its own and a condition that they are one:
        Hyper takes an edge that is named twice for one between any two of its ends."""
        if variable not in self.tables:
            return variable
        again = f"{MARK}{variable.removeprefix(MARK)}_again{len(self.tables)}"
        self.conditions.append(ir.Apply("eq", (ir.Property(ir.Ref(variable), ID), ir.Property(ir.Ref(again), ID))))
        return again

    def without_constants(self, element: E) -> E:
        """The element with those of its conditions that mention it; the others go to the conditions of all."""
        if element.where is None:
            return element
        own = self.mentioning(conjuncts(element.where), self.conditions)
        return replace(element, where=conjunction(own))

    def mentioning(self, parts: Iterable[ir.Expression], others: list[ir.Expression]) -> list[ir.Expression]:
        """Those parts of a condition that mention a variable; the rest goes to the others."""
        own: list[ir.Expression] = []
        for part in parts:
            (own if references(part) else others).append(part)
        return own

    def narrow(self, name: str, tables: Tables) -> None:
        self.tables[name] = self.tables.get(name, tables) & tables

    def together(self, first: ir.NodePattern, second: ir.NodePattern) -> ir.NodePattern:
        """One node for two with nothing between them."""
        a, b = self.found(first.variable or ""), self.found(second.variable or "")
        if a != b:
            self.joined[b] = a
        wheres = [where for where in (first.where, second.where) if where is not None]
        return replace(first, where=conjunction([part for where in wheres for part in conjuncts(where)]))

    def found(self, name: str) -> str:
        """The variable that stands for a node."""
        while name in self.joined:
            name = self.joined[name]
        return name

    def differ(self, path: ir.Path, nodes: Sequence[str], edges: Sequence[str]) -> None:
        """The conditions of the path mode, pair by pair."""
        if path.mode in ("trail", "simple"):
            self.conditions.extend([apart(a, b) for a, b in combinations(edges, 2)])
        if path.mode in ("acyclic", "simple"):
            pairs = list(combinations(range(len(nodes)), 2))
            if path.mode == "simple":
                pairs = [pair for pair in pairs if pair != (0, len(nodes) - 1)]
            self.conditions.extend([apart(nodes[a], nodes[b]) for a, b in pairs])

    # -------------------------------------------------------------- tables

    def table(self, columns: tuple[ir.Item, ...]) -> GraphTable | None:
        """The table of this branch; None where it has no rows for certain."""
        conditions = self.settled()
        if conditions is None or not all(self.tables.values()):
            return None
        return self.printed(conditions, columns)

    def nothing(self, columns: tuple[ir.Item, ...]) -> GraphTable:
        """A table with the columns and no row."""
        self.join_tables()
        for name, tables in self.tables.items():
            if not tables:
                is_edge = any(name == link.edge for link in self.links)
                self.tables[name] = self.graph.edges if is_edge else self.graph.nodes
        return self.printed([FALSE], columns)

    def join_tables(self) -> None:
        for name in list(self.joined):
            self.narrow(self.found(name), self.tables.pop(name))
        self.links = [
            dataclasses.replace(link, left=self.found(link.left), right=self.found(link.right)) for link in self.links
        ]

    def settled(self) -> list[ir.Expression] | None:
        """The conditions that are left when the tables are narrowed; None where one of them is never true."""
        self.join_tables()
        kept: list[ir.Expression] = []
        for condition in [part for each in self.conditions for part in conjuncts(self.asked(each))]:
            if condition in (FALSE, NULL_BOOLEAN):
                return None
            known = _table_test(condition)
            if known is not None and known[0] in self.tables:
                self.narrow(*known)
            elif condition != TRUE:
                kept.append(condition)
        propagate(self.links, self.tables, self.graph)
        return [each for each in kept if not self.is_settled(each)]

    def is_settled(self, condition: ir.Expression) -> bool:
        """Whether two elements are different because no table is both's."""
        match condition:
            case ir.Apply("ne", (ir.Property(ir.Ref(a), "_id"), ir.Property(ir.Ref(b), "_id"))):
                return a in self.tables and b in self.tables and not self.tables[a] & self.tables[b]
        return False

    # -------------------------------------------------------------- printing

    def printed(self, conditions: list[ir.Expression], columns: tuple[ir.Item, ...]) -> GraphTable:
        paths = tuple([ir.Path(tuple([self.labelled(element, conditions) for element in path])) for path in self.paths])
        where = conjunction([self.present(condition) for condition in conditions])
        asked = [ir.Item(self.present(self.asked(item.value)), item.name) for item in columns]
        return GraphTable(ir.Match(paths, where), tuple(asked))

    def labelled(self, element: Element, conditions: list[ir.Expression]) -> Element:
        """The element with the tables that it may be in, where these are not all or it was written with labels.

        What its own conditions say without it, as no table has the property, goes to the conditions of all.
        """
        name = self.found(element.variable or "")
        tables = self.tables[name]
        every = self.graph.edges if isinstance(element, ir.EdgePattern) else self.graph.nodes
        names = [ir.LabelName(self.graph.tables[number].name) for number in sorted(tables)]
        labels: ir.LabelExpression | None = names[0] if len(names) == 1 else ir.LabelOr(tuple(names))
        if not names or (tables == every and (element.labels is None or len(names) > 1)):
            labels = None
        parts = [] if element.where is None else conjuncts(self.present(self.asked(element.where)))
        where = conjunction(self.mentioning(parts, conditions))
        return replace(element, variable=name, labels=labels, where=where, properties=None)

    def asked(self, expression: ir.Expression) -> ir.Expression:
        """The expression with answers in place of what the graph cannot be asked."""
        named = ir.rewrite(expression, self.one, ir.Ref) if self.joined else expression
        return ir.rewrite(named, self.answer, ir.Quantified, ir.Call, ir.Apply)

    def one(self, part: ir.Node) -> ir.Node:
        """The variable that stands for a node."""
        assert isinstance(part, ir.Ref)
        return replace(part, name=self.found(part.name)) if part.name in self.joined else part

    def answer(self, part: ir.Node) -> ir.Node:
        match part:
            case ir.Quantified():
                return self.each(part)
            case ir.Call(("ARRAY_LENGTH",), (ir.Ref(name),)) if name in self.groups:
                return ir.Literal(len(self.groups[name].edges))
            case ir.Call(("PATH_LENGTH",), (ir.Ref(name),)):
                return ir.Literal(len(self.groups[name].edges))
            case ir.Call(("EDGES",), (ir.Ref(name),)):
                return listed(self.groups[name].edges)
            case ir.Call(("PATH",), (ir.Ref(name),)):
                walk = self.groups[name]
                nodes = list(map(self.found, walk.nodes))
                return listed([name for pair in zip(nodes, walk.edges, strict=False) for name in pair], nodes)
            case ir.Apply("eq" | "ne", (ir.Ref(a), ir.Ref(b))) if a in self.tables and b in self.tables:
                return ir.Apply(part.function, (ir.Property(ir.Ref(a), ID), ir.Property(ir.Ref(b), ID)))
        return part

    def each(self, node: ir.Quantified) -> ir.Expression:
        """any, none and all over the elements of a group or path, one by one."""
        match node.source:
            case ir.Ref(name) | ir.Call(("EDGES",), (ir.Ref(name),)):
                names = self.groups[name].edges
            case ir.Call(("NODES",), (ir.Ref(name),)):
                names = tuple(map(self.found, self.groups[name].nodes))
            case _:
                raise AssertionError(f"a condition on {node.source}")
        predicate = node.predicate
        assert predicate is not None
        tests = tuple([self.asked(renamed(predicate, {node.variable: name})) for name in names])
        if not tests:
            return ir.Literal(node.kind != "any")
        word = "and" if node.kind == "all" else "or"
        found = tests[0] if len(tests) == 1 else ir.Apply(word, tests)
        return ir.Apply("not", (found,)) if node.kind == "none" else found

    def present(self, expression: ir.Expression) -> ir.Expression:
        """The expression with null in place of properties that no table of an element has."""
        return ir.rewrite(expression, self.held, ir.Property)

    def held(self, part: ir.Node) -> ir.Node:
        match part:
            case ir.Property(ir.Ref(variable), name) if variable in self.tables:
                if not any(self.graph.has(name, number) for number in self.tables[variable]):
                    kind = self.graph.kinds.get(name)
                    return ir.Literal(None) if kind is None else Absent(kind.name)
        return part


def apart(a: str, b: str) -> ir.Expression:
    """The condition that two elements are different."""
    return ir.Apply("ne", (ir.Property(ir.Ref(a), ID), ir.Property(ir.Ref(b), ID)))


def listed(names: Sequence[str], last: Sequence[str] = ()) -> ir.Expression:
    """A text with the identities of elements, with commas between them; of `last` the last one is added."""
    parts = [ir.Call(("TEXT",), (ir.Property(ir.Ref(name), ID),)) for name in (*names, *last[-1:])]
    spaced: list[ir.Expression] = []
    for part in parts:
        spaced.extend([ir.Literal(","), part] if spaced else [part])
    if len(spaced) < 2:
        return spaced[0] if spaced else ir.Literal("")
    return ir.Apply("concat", tuple(spaced))


def _table_test(condition: ir.Expression) -> tuple[str, Tables] | None:
    """The variable and the tables of a condition that says which tables an element is in."""
    match condition:
        case ir.Apply("in", (ir.Property(ir.Ref(name), key), ir.ListOf(items))) if key == TABLE:
            return name, frozenset([item.value for item in items if isinstance(item, ir.Literal)])  # type: ignore[misc]
    return None
