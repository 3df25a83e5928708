"""Clauses that read: MATCH, OPTIONAL MATCH, shortest paths, UNWIND, and FILTER, LET, FOR of Cypher 25."""

from __future__ import annotations

from typing import Any

from graphir.generation import patterns
from graphir.generation.constructs import declare
from graphir.generation.expressions import constant_value, expression, list_of, truth
from graphir.generation.kinds import LISTS, literal, spelled
from graphir.generation.scope import UNKNOWN, Variable
from graphir.generation.vocabulary import merged
from graphir.generation.writer import Writer

declare("clause", "MATCH", "OPTIONAL MATCH", "UNWIND", "WITH", "CALL subquery", "OPTIONAL CALL", "FILTER", "LET", "FOR")
declare("clause", "WHERE")
declare(
    "shortest",
    "shortestPath()",
    "allShortestPaths()",
    "ALL SHORTEST",
    "ANY SHORTEST",
    "SHORTEST GROUPS",
    "ANY",
)


def match(w: Writer) -> str:
    w.use("MATCH")
    text, _ = patterns.pattern(w)
    return f"MATCH {text}{where(w, 0.35)}"


def where(w: Writer, share: float) -> str:
    if not w.allows("WHERE", share):
        return ""
    return f" WHERE {truth(w, 2)}"


def optional(w: Writer) -> str:
    """OPTIONAL MATCH: the row is kept whatever it matches."""
    w.use("OPTIONAL MATCH")
    if w.world is None or w.dice.chance(0.5):
        text, _ = patterns.pattern(w)
        return f"OPTIONAL MATCH {text}{where(w, 0.35)}"
    with w.free():
        text, _ = patterns.pattern(w)
        return f"OPTIONAL MATCH {text}{where(w, 0.35)}"


_SELECTORS = (
    ("shortestPath()", "opencypher-9", "length"),
    ("allShortestPaths()", "opencypher-9", "path"),
    ("ALL SHORTEST", "neo4j-5", "path"),
    ("ANY SHORTEST", "neo4j-5", "length"),
    ("SHORTEST GROUPS", "neo4j-5", "path"),
    ("ANY", "neo4j-5", "none"),
)
"""Construct, the first level that has it, and what is certain of the path: of one among several only its length."""


def shortest(w: Writer) -> str | None:
    """A shortest path between two nodes."""
    options = [each for each in _SELECTORS if w.has(each[1]) and w.plan.share(each[0], 1)]
    if not options:
        return None
    construct, _, kind = w.dice.pick(options)
    ends = _ends(w)
    if ends is None:
        return None
    w.use(construct)
    (a, b), (x, y) = ends
    names = [w.bind(w.name("n"), "node", each, merged(shapes), shapes).text for each, shapes in ((a, x), (b, y))]
    label = (
        f":{spelled(w.dice.pick(w.vocabulary.types))}"
        if a is None and w.vocabulary.types and w.dice.chance(0.5)
        else ""
    )
    tests = ["", ""]
    if w.vocabulary.labels and a is None and w.dice.chance(0.5):
        tests[0] = f":{spelled(w.dice.pick(w.vocabulary.labels))}"
    arrow = w.dice.pick(("->", "-")) if a is None else "-"
    p = w.name("p")
    w.bind(p, kind)
    w.size *= 6
    first, last = f"({names[0]}{tests[0]})", f"({names[1]}{tests[1]})"
    if construct.endswith("()"):
        function = construct.removesuffix("()")
        bound = f"MATCH {first}, {last} WHERE {names[0]} <> {names[1]}"
        return f"{bound} MATCH {p} = {function}(({names[0]})-[{label}*]{arrow}({names[1]}))"
    word = {"SHORTEST GROUPS": w.dice.pick(("SHORTEST 1 GROUPS", "SHORTEST 2 GROUPS"))}.get(construct, construct)
    return f"MATCH {p} = {word} {first}-[{label}]{arrow}{w.dice.pick(('+', '*', '{1,3}')) if a is None else '+'}{last}"


def _ends(w: Writer) -> Any:
    """Two nodes, joined and different in the witness, with their shapes."""
    if w.world is None:
        return (None, None), (w.vocabulary.nodes, w.vocabulary.nodes)
    joined = [edge for edge in w.world.graph.edges if edge.start != edge.end]
    if not joined:
        return None
    edge = w.dice.pick(joined)
    nodes = w.world.nodes[edge.start], w.world.nodes[edge.end]
    return nodes, tuple(tuple(s for s in w.vocabulary.nodes if set(s.labels) == set(n.labels)) for n in nodes)


def unwind(w: Writer) -> str | None:
    """UNWIND of a list that has elements, in the witness."""
    kinds = [kind for kind in ("ints", "ints", "strs", "nodes", "edges", "anys", "maps", "bag") if w.profile.has(kind)]
    if not kinds:
        return None
    kind = w.dice.pick(kinds)
    source: Any
    if kind == "maps":
        source = list_of([expression(w, "map", 1) for _ in w.dice.repeats(1, 2)])
    elif kind == "bag":
        found = w.of("bag")
        if not found or w.world is not None:
            return None
        source = found[0]
    else:
        source = expression(w, kind, 2)
    value: Any = UNKNOWN
    if w.world is not None:
        if isinstance(source.value, list) and source.value:
            value = w.dice.pick(source.value)
        elif source.value is UNKNOWN or not source.value:
            values = [constant_value(w, "int") for _ in w.dice.repeats(1, 3)]
            kind, value = "ints", w.dice.pick(values)
            source = Variable(literal(values), "ints")
    w.use("UNWIND")
    w.size *= 2
    name = w.name("u")
    item = "map" if kind == "maps" else "opaque" if kind == "bag" else LISTS.get(kind, "any")
    properties = w.vocabulary.properties if item == "node" else merged(w.vocabulary.edges) if item == "edge" else ()
    w.bind(name, item, value, properties)
    word = "FOR" if w.has("neo4j-25") and w.allows("FOR", 0.1) else "UNWIND"
    return f"FOR {name} IN {source.text}" if word == "FOR" else f"UNWIND {source.text} AS {name}"


def filter_(w: Writer) -> str | None:
    if not w.has("neo4j-25"):
        return None
    w.use("FILTER")
    return f"FILTER {truth(w, 2)}"


def let(w: Writer) -> str | None:
    if not w.has("neo4j-25"):
        return None
    w.use("LET")
    kind = w.dice.pick([each for each in ("int", "str", "bool", "float", "any") if w.profile.has(each)])
    value = expression(w, kind, 2)
    name = w.name("e")
    w.bind(name, kind, value.value)
    return f"LET {name} = {value.text}"
