"""A query that finds something in a graph fits every schema taken from that graph.

Graphs are random, with nodes of several labels; schemas list label sets, labels one by one, or triples alone.  A query
is written along a walk through the graph, so that the walk is a match of it: whatever is reported is a false alarm.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

import graphir
from graphir.profiles import pass_of
from graphir.schema import BY_LABEL, CLOSED, ENDPOINTS_ONLY, EdgeType, NodeType, PropertyType, Schema, labels
from graphir.schema.model import Labels
from tests.outside import FULL

LABELS = "ABCD"
TYPES = ("R", "S", "T")
ASIDE = ("G140", "G141")
"""Alternatives and negations may name labels and types that no element has."""

KEYS = ("p", "q", "r", "s", "t")


@dataclass(frozen=True)
class Graph:
    """Labels and property names of each node; source, type, target and property names of each edge."""

    nodes: tuple[tuple[Labels, frozenset[str]], ...]
    edges: tuple[tuple[int, str, int, frozenset[str]], ...]


def graph(random: Random) -> Graph:
    def keys() -> frozenset[str]:
        return frozenset(random.sample(KEYS, random.randint(0, 5)))

    sets = [labels(*random.sample(LABELS, random.choice((0, 1, 1, 1, 2, 3)))) for _ in range(5)]
    nodes = tuple((random.choice(sets), keys()) for _ in range(random.randint(2, 7)))
    count = len(nodes)
    ends = [(random.randrange(count), random.choice(TYPES), random.randrange(count)) for _ in range(count + 2)]
    return Graph(nodes, tuple((*end, keys()) for end in ends))


def properties(names: set[str]) -> tuple[PropertyType, ...]:
    return tuple(PropertyType(name) for name in names)


def by_set(graph: Graph) -> Schema:
    """Every set of labels that a node has, and every pair of sets that an edge connects."""
    nodes: dict[Labels, set[str]] = {}
    edges: dict[tuple[str, Labels, Labels], set[str]] = {}
    for names, keys in graph.nodes:
        nodes.setdefault(names, set()).update(keys)
    for source, type, target, keys in graph.edges:
        edges.setdefault((type, graph.nodes[source][0], graph.nodes[target][0]), set()).update(keys)
    return Schema(
        tuple(NodeType(names, properties(keys)) for names, keys in nodes.items()),
        tuple(EdgeType(*triple, properties(keys)) for triple, keys in edges.items()),
        CLOSED,
    )


def by_label(graph: Graph) -> Schema:
    """Each label with all that its nodes have, and every pair of labels that an edge connects."""
    whole = by_set(graph)
    nodes: dict[Labels, set[str]] = {}
    edges: dict[tuple[str, Labels, Labels], set[str]] = {}
    for node in whole.node_types:
        for label in node.labels or ("",):
            nodes.setdefault(labels(label) if label else (), set()).update(p.name for p in node.properties or ())
    for edge in whole.edge_types:
        for one in edge.source or ("",):
            for other in edge.target or ("",):
                triple = edge.type, labels(one) if one else (), labels(other) if other else ()
                edges.setdefault(triple, set()).update(p.name for p in edge.properties or ())
    return Schema(
        tuple(NodeType(names, properties(keys)) for names, keys in nodes.items()),
        tuple(EdgeType(*triple, properties(keys)) for triple, keys in edges.items()),
        BY_LABEL,
    )


def by_triple(graph: Graph) -> Schema:
    edges = by_label(graph).edge_types
    return Schema((), tuple(EdgeType(e.type, e.source, e.target, None) for e in edges), ENDPOINTS_ONLY)


class Writer:
    """Writes a query along walks."""

    def __init__(self, random: Random, graph: Graph) -> None:
        self.random = random
        self.graph = graph
        self.names: dict[int, str] = {}
        self.edges: list[tuple[str, int]] = []
        self.count = 0

    def labels(self, at: int) -> str:
        """A label expression that the node satisfies."""
        random, own = self.random, self.graph.nodes[at][0]
        others = [label for label in LABELS if label not in own]
        choices = ["", ""]
        if own:
            one = random.choice(own)
            choices += [one, one, "&".join(own), f"{one}|{random.choice(LABELS)}", "%", f"!!{one}"]
        if others:
            other = random.choice(others)
            choices += [f"!{other}"] + ([f"{random.choice(own)}&!{other}"] if own else [])
        chosen = random.choice(choices)
        return f":{chosen}" if chosen else ""

    def node(self, at: int, *, new: bool = True) -> str:
        random = self.random
        if at in self.names and random.random() < 0.8:
            return f"({self.names[at]}{self.labels(at) if random.random() < 0.3 else ''})"
        if new and at not in self.names and random.random() < 0.7:
            self.count += 1
            self.names[at] = f"n{self.count}"
            return f"({self.names[at]}{self.labels(at)})"
        return f"({self.labels(at)})"

    def edge(self, number: int, *, forward: bool, new: bool) -> str:
        random = self.random
        type = random.choice(["", f":{self.graph.edges[number][1]}", f":{self.graph.edges[number][1]}|R"])
        name = ""
        if new and random.random() < 0.3 and all(number != other for _, other in self.edges):
            self.count += 1
            name = f"e{self.count}"
            self.edges.append((name, number))
        length = random.choice(["", "", "", "*", "*1..2", "*0..1"]) if not name else ""
        body = f"[{name}{type}{length}]"
        if random.random() < 0.2:
            return f"-{body}-"
        return f"-{body}->" if forward else f"<-{body}-"

    def path(self, length: int, *, new: bool = True) -> str:
        """A walk without an edge twice, as a path pattern."""
        return self.walk(length, new=new)[0]

    def walk(self, length: int, *, new: bool = True, start: int | None = None) -> tuple[str, list[int]]:
        """The pattern and the nodes of a walk."""
        random, edges = self.random, self.graph.edges
        at = random.randrange(len(self.graph.nodes)) if start is None else start
        first = f"({self.names[at]})" if start is not None else self.node(at, new=new)
        text, used, nodes = first, set[int](), [at]
        for _ in range(length):
            ways = [n for n, edge in enumerate(edges) if at in (edge[0], edge[2]) and n not in used]
            if not ways:
                break
            number = random.choice(ways)
            used.add(number)
            forward = edges[number][0] == at
            before, at = at, edges[number][2] if forward else edges[number][0]
            nodes.append(at)
            if random.random() < 0.15:
                text += self.group(before, number, at, forward=forward) + self.node(at, new=new)
            else:
                text += self.edge(number, forward=forward, new=new) + self.node(at, new=new)
        return text, nodes

    def group(self, source: int, number: int, target: int, *, forward: bool) -> str:
        """A quantified path of which one repetition is the edge."""
        self.count += 1
        type = self.random.choice(["", f":{self.graph.edges[number][1]}"])
        arrow = f"-[{type}]->" if forward else f"<-[{type}]-"
        inner = f"(g{self.count}{self.labels(source)}){arrow}(h{self.count}{self.labels(target)})"
        return f" ({inner}){self.random.choice(['{1,2}', '+', '*', '{1}'])} "

    def step(self) -> str:
        """A clause that leaves the rows of the walk among the others."""
        random = self.random
        kind = random.randrange(10)
        if kind < 2:
            return f"MATCH {self.path(random.randint(0, 2))}{self.where()}"
        if kind == 2:
            return f"OPTIONAL MATCH {self.path(random.randint(0, 2))}"
        if kind == 3:
            return f"WITH * WHERE EXISTS {{ {self.path(random.randint(1, 2), new=False)} }}"
        self.count += 1
        if kind == 4:
            return f"WITH *, COUNT {{ {self.path(random.randint(1, 2), new=False)} }} AS c{self.count}"
        if kind == 5:
            return self.renamed()
        if kind == 6 and self.names:
            return self.unwound()
        if kind == 7 and self.names:
            return self.called()
        if kind == 8 and self.names:
            return self.comprehended()
        return "WITH *"

    def where(self) -> str:
        tests = [f"{name}{labels}" for at, name in self.names.items() if (labels := self.labels(at))]
        return f" WHERE {self.random.choice(tests)}" if tests and self.random.random() < 0.3 else ""

    def renamed(self) -> str:
        kept = dict(self.names)
        self.names = {at: f"m{self.count}{name}" for at, name in kept.items()}
        self.edges = []
        return "WITH " + (", ".join(f"{name} AS {self.names[at]}" for at, name in kept.items()) or "1 AS one")

    def unwound(self) -> str:
        at = self.random.choice(list(self.names))
        text = f"WITH collect({self.names[at]}) AS l{self.count} UNWIND l{self.count} AS u{self.count}"
        self.names, self.edges = {at: f"u{self.count}"}, []
        return text

    def called(self) -> str:
        at = self.random.choice(list(self.names))
        text, nodes = self.walk(self.random.randint(1, 2), new=False, start=at)
        read = " + ".join(f"size([x IN nodes(p) | x.{key}])" for key in self.graph.nodes[nodes[-1]][1]) or "1"
        return f"CALL ({self.names[at]}) {{ MATCH p = {text} RETURN {read} AS k{self.count} }}"

    def comprehended(self) -> str:
        at = self.random.choice(list(self.names))
        number = next((n for n, edge in enumerate(self.graph.edges) if edge[0] == at), None)
        if number is None:
            return "WITH *"
        _, type, target, _ = self.graph.edges[number]
        read = self.random.choice([*sorted(self.graph.nodes[target][1])] or ["none"])
        value = f"v.{read}" if read != "none" else "v"
        pattern = f"({self.names[at]})-[:{type}]->(v{self.labels(target)})"
        return f"WITH *, [{pattern} | {value}] AS k{self.count}"

    def query(self) -> str:
        random = self.random
        parts = [f"MATCH {self.path(random.randint(0, 3))}{self.where()}"]
        parts += [self.step() for _ in range(random.randint(0, 4))]
        read = [f"{name}.{key}" for at, name in self.names.items() for key in sorted(self.graph.nodes[at][1])]
        read += [f"{name}.{key}" for name, number in self.edges for key in sorted(self.graph.edges[number][3])]
        return " ".join(parts) + " RETURN " + (", ".join(random.sample(read, min(3, len(read)))) or "1")


@pytest.mark.parametrize("take", [by_set, by_label, by_triple], ids=lambda take: take.__name__)
def test_a_query_that_finds_something_fits(take: object) -> None:
    assert callable(take)
    checked = refused = 0
    for seed in range(20_000 if FULL else 400):
        random = Random(seed)
        data = graph(random)
        query = Writer(random, data).query()
        found = graphir.check(query, schema=take(data))
        if any(each.severity == "error" for each in found):
            refused += 1
            continue
        checked += 1
        alarms = [d.message for d in found if pass_of(d.code) in ("schema", "direction") and d.code not in ASIDE]
        assert alarms == [], f"seed {seed}: {query}"
    assert refused < checked / 8
