"""Patterns: nodes, edges, repetitions, shortest paths, and how a MATCH puts them together.

With a witness a pattern is written around a walk in the graph, so that it matches there; else labels and types follow
the schema, as a user would write them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from graphir.generation.constructs import declare
from graphir.generation.expressions import constant, expression, truth
from graphir.generation.kinds import literal, spelled
from graphir.generation.labels import label_test
from graphir.generation.scope import UNKNOWN, Variable
from graphir.generation.vocabulary import EdgeShape, NodeShape, Properties, merged
from graphir.generation.walks import Step
from graphir.generation.writer import Writer
from graphir.values import Node, Path

declare(
    "pattern",
    "repeated variable",
    "anonymous element",
    "property map",
    "WHERE in a pattern",
    "several paths",
    "path variable",
    "undirected",
    "label of a bound node",
    "edge matched again",
)
declare("repetition", "variable length", "quantified path", "quantified relationship", "unbounded repetition")


class Clause(NamedTuple):
    """What one MATCH knows: the edges that its walk used, the variables bound before, the bound edges matched again."""

    used: set[int | str]
    before: dict[str, Variable]
    again: set[str]


class Piece(NamedTuple):
    """A piece of a pattern, what nodes can be there or behind it, and, of an edge, the steps that the witness walks."""

    text: str
    shapes: tuple[NodeShape, ...]
    walked: tuple[Step, ...] = ()


def clause(w: Writer) -> Clause:
    return Clause(set(), dict(w.scope), set())


# ------------------------------------------------------------------ nodes


def node(w: Writer, c: Clause, at: Node | None, likely: Sequence[NodeShape] = (), linked: float = 0.35) -> Piece:
    """A node pattern; `at` is the node of the witness, `likely` the shapes that the schema has there."""
    known = [each for each in w.of("node") if at is None or each.value == at]
    if known and w.allows("repeated variable", linked):
        chosen = w.dice.pick(known)
        label = ""
        if w.allows("label of a bound node", 0.08):
            label = _node_test(w, at, chosen.shapes)
        return Piece(f"({chosen.text}{label})", chosen.shapes or w.vocabulary.nodes)
    test, shapes = _tested(w, at, likely)
    w.size *= _share(w, shapes)
    if w.allows("anonymous element", 0.2):
        return Piece(f"({test}{_map(w, at, shapes)})".replace("( {", "({"), shapes)
    variable = Variable(w.name("n"), "node", UNKNOWN if at is None else at, merged(shapes), shapes)
    inner = _map(w, at, shapes) or _where(w, variable)
    w.scope[variable.text] = variable
    return Piece(f"({variable.text}{test}{inner})", shapes)


def _tested(w: Writer, at: Node | None, likely: Sequence[NodeShape]) -> tuple[str, tuple[NodeShape, ...]]:
    """A label test or none, and the shapes that pass it."""
    shapes = w.vocabulary.nodes
    if not w.vocabulary.labels or not w.dice.chance(0.5):
        return "", tuple(likely) or shapes
    names = w.vocabulary.labels
    if at is None and likely and w.dice.chance(0.8):
        names = tuple(label for shape in likely for label in shape.labels) or names
    test = label_test(w, names, [shape.labels for shape in shapes], must=() if at is None else (at.labels,))
    passing = tuple(shape for shape, holds in zip(shapes, test.holds, strict=True) if holds)
    return test.text, passing or shapes


def _node_test(w: Writer, at: Node | None, shapes: Sequence[NodeShape]) -> str:
    if not w.vocabulary.labels:
        return ""
    return label_test(w, w.vocabulary.labels, [], must=() if at is None else (at.labels,)).text


def _share(w: Writer, shapes: Sequence[NodeShape]) -> float:
    """About how many of the nodes are of these shapes."""
    count = len(w.world.nodes) if w.world else sum(w.profile.nodes) / 2
    return max(1.0, count * len(shapes) / max(1, len(w.vocabulary.nodes)))


def _map(w: Writer, at: Any, shapes: Sequence[Any]) -> str:
    """A property map: of the witness what it has, else constants, or the property of another variable."""
    properties: Properties = merged(shapes) if shapes else ()
    if not properties or not w.allows("property map", 0.12):
        return ""
    parts = []
    for each in w.dice.shuffled(properties)[: w.dice.pick((1, 1, 2))]:
        if at is None:
            value = constant(w, each.kind) if each.kind != "any" or w.profile.has("any") else constant(w, "int")
            if w.scope and w.dice.chance(0.3):
                value = expression(w, each.kind, 1)
            parts.append(f"{spelled(each.name)}: {value.text}")
        elif (found := at.properties.get(each.name)) is not None and found == found:  # noqa: PLR0124 NaN is not
            if w.dice.chance(0.1):
                parts.append(f"{spelled(each.name)}: {w.parameter(found).text}")
            else:
                parts.append(f"{spelled(each.name)}: {literal(found)}")
    return " {" + ", ".join(parts) + "}" if parts else ""


def _where(w: Writer, variable: Variable) -> str:
    """A WHERE inside of the pattern."""
    if not w.has("neo4j-5") or not w.allows("WHERE in a pattern", 0.1):
        return ""
    with w.inner(variable):
        return f" WHERE {truth(w, 1)}"


# ------------------------------------------------------------------ edges


def step(
    w: Writer, c: Clause, at: Node | None, from_: Sequence[NodeShape], named: bool = True, repeated: bool = True
) -> Piece | None:
    """An edge pattern, and where it leads.  None where the walk cannot go on."""
    forward = w.dice.pick((True, True, False, None))
    wanted = repeated and w.repetitions < 2 and w.dice.chance(min(0.9, w.plan.share("variable length", 0.22)))
    if wanted and (found := _repeated(w, c, at, forward, named)):
        return found
    walked: Step | None = None
    if at is not None:
        assert w.world is not None
        ways = w.world.steps(at, c.used, forward) or w.world.steps(at, c.used)
        if not ways:
            return None
        walked = w.dice.pick(ways)
        c.used.add(walked.edge.id)
        forward = None if forward is None else walked.forward
    if forward is None:
        w.use("undirected")
    w.size *= w.fan
    steps = () if walked is None else (walked,)
    again = _again(w, c, walked)
    if again is not None:
        return Piece(_arrow(again.text, forward), _targets(w, _leaving(w, from_, forward), forward), steps)
    test, types = _type_test(w, walked, _leaving(w, from_, forward))
    passing = tuple(shape for shape in w.vocabulary.edges if shape.type in types) if types else w.vocabulary.edges
    edge = None if walked is None else walked.edge
    if not named or w.allows("anonymous element", 0.45):
        return Piece(_arrow(f"{test}{_map(w, edge, passing)}", forward), _targets(w, passing, forward), steps)
    variable = Variable(w.name("r"), "edge", UNKNOWN if edge is None else edge, merged(passing))
    inner = _map(w, edge, passing) or _where(w, variable)
    w.scope[variable.text] = variable
    return Piece(_arrow(f"{variable.text}{test}{inner}", forward), _targets(w, passing, forward), steps)


def _arrow(inside: str, forward: bool | None) -> str:
    body = f"[{inside.strip()}]" if inside.strip() else ""
    return f"-{body}->" if forward else f"-{body}-" if forward is None else f"<-{body}-"


def _again(w: Writer, c: Clause, walked: Step | None) -> Variable | None:
    """An edge that an earlier clause bound: in the witness it has to be the one that is walked."""
    bound = [v for v in c.before.values() if v.kind == "edge" and v.text in w.scope and v.text not in c.again]
    bound = [v for v in bound if walked is None or v.value == walked.edge]
    if not bound or not w.allows("edge matched again", 0.06):
        return None
    chosen = w.dice.pick(bound)
    c.again.add(chosen.text)
    return chosen


def _leaving(w: Writer, from_: Sequence[NodeShape], forward: bool | None) -> tuple[EdgeShape, ...]:
    """The edge shapes that the schema has at such nodes; all where it has none."""
    sets = {shape.labels for shape in from_}

    def fits(end: tuple[str, ...] | None) -> bool:
        return end is None or end in sets

    found = tuple(
        shape
        for shape in w.vocabulary.edges
        if (forward is not False and fits(shape.source)) or (forward is not True and fits(shape.target))
    )
    return found or w.vocabulary.edges


def _targets(w: Writer, edges: Sequence[EdgeShape], forward: bool | None) -> tuple[NodeShape, ...]:
    """The node shapes at the other ends."""
    ends = [edge.target for edge in edges if forward is not False] + [
        edge.source for edge in edges if forward is not True
    ]
    if None in ends:
        return w.vocabulary.nodes
    return tuple(shape for shape in w.vocabulary.nodes if shape.labels in ends) or w.vocabulary.nodes


def _type_test(w: Writer, walked: Step | None, shapes: Sequence[EdgeShape]) -> tuple[str, set[str]]:
    """A test of the type or none, and the types that pass it."""
    types = w.vocabulary.types
    if not types or not w.dice.chance(0.55):
        return "", set(types)
    names = types if w.dice.chance(0.15) else tuple(dict.fromkeys(shape.type for shape in shapes)) or types
    must = () if walked is None else ((walked.edge.type,),)
    test = label_test(w, names, [(name,) for name in types], must=must, edge=True)
    return test.text, {name for name, holds in zip(types, test.holds, strict=True) if holds}


# ------------------------------------------------------------------ repetitions

_BOUNDS = ((1, 2), (0, 1), (2, 2), (1, 3), (0, 2), (1, 1), (2, 3), (1, None))


def _repeated(w: Writer, c: Clause, at: Node | None, forward: bool | None, named: bool) -> Piece | None:
    """A repetition of an edge, or of a path in parentheses."""
    low, high = w.dice.pick(_BOUNDS)
    if high is None and (forward is None or not w.sparse or not w.plan.share("unbounded repetition", 1)):
        low, high = 1, 2
    if w.size * w.fan ** (3 if high is None else high) > w.profile.rows:
        return None
    walked: list[Step] = []
    if at is not None:
        assert w.world is not None
        tried = set(c.used)
        walked = w.world.walk(w.dice, at, tried, w.dice.between(low, 3 if high is None else high), forward)
        if len(walked) < low:
            return None
        c.used.update(tried)
    w.size *= w.fan ** (3 if high is None else high)
    w.use(*(["undirected"] if forward is None else []), *(["unbounded repetition"] if high is None else []))
    w.repetitions += 1 if high is not None else 2
    edges: Any = UNKNOWN if at is None else [each.edge for each in walked]
    if w.legacy:
        text = _variable_length(w, low, high, forward, edges, named)
    elif w.allows("quantified path", 0.5):
        text = _quantified(w, c, low, high, forward, at, walked, named)
    else:
        text = _quantified_edge(w, low, high, forward, edges, named)
    return Piece(text, w.vocabulary.nodes, tuple(walked))


def _types_of_all(w: Writer, edges: Any) -> str:
    """A test of the type that all these edges pass."""
    if not w.vocabulary.types or not w.dice.chance(0.5):
        return ""
    must = () if edges is UNKNOWN else tuple((edge.type,) for edge in edges)
    return label_test(w, w.vocabulary.types, [], must=must, edge=True).text


def _variable_length(w: Writer, low: int, high: int | None, forward: bool | None, edges: Any, named: bool) -> str:
    w.use("variable length")
    name = w.name("r") if named and w.dice.chance(0.5) else ""
    test = ""
    if w.vocabulary.types and w.dice.chance(0.5):
        first = w.dice.pick(w.vocabulary.types)
        if edges is UNKNOWN or all(edge.type == first for edge in edges):
            test = f":{spelled(first)}"
    hops = "*" if (low, high) == (1, None) else f"*{low}" if low == high else f"*{low}..{high}"
    if low == 1 and high is not None and high > 1 and w.dice.chance(0.2):
        hops = f"*..{high}"
    if name:
        w.bind(name, "edges", edges)
    return _arrow(f"{name}{test}{hops}", forward)


def _quantifier(low: int, high: int | None) -> str:
    if high is None:
        return "+" if low == 1 else "*"
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"


def _quantified_edge(w: Writer, low: int, high: int | None, forward: bool | None, edges: Any, named: bool) -> str:
    w.use("quantified relationship")
    name = w.name("r") if named and w.dice.chance(0.5) else ""
    test = _types_of_all(w, edges)
    if name:
        w.bind(name, "edges", edges)
    return f"{_arrow(name + test, forward)}{_quantifier(low, high)}"


def _quantified(
    w: Writer,
    c: Clause,
    low: int,
    high: int | None,
    forward: bool | None,
    at: Node | None,
    walked: Sequence[Step],
    named: bool,
) -> str:
    """`((a)-[r]->(b) WHERE ..){1,2}` with group variables."""
    a, r, b = (Variable(w.name("g"), kind) for kind in ("node", "edge", "node"))
    edges: Any = UNKNOWN if at is None else [each.edge for each in walked]
    test = _types_of_all(w, edges)
    where = ""
    if w.dice.chance(0.4) and (at is None or len(walked) <= 1):
        where = f" WHERE {_inner_condition(w, c, (a, r, b), at, walked)}"
    arrow = _arrow(f"{r.text}{test}", forward)
    if named:
        befores: Any = UNKNOWN
        afters: Any = UNKNOWN
        if at is not None:
            afters = [each.node for each in walked]
            befores = [at, *afters][: len(walked)]
        w.bind(a.text, "nodes", befores)
        w.bind(r.text, "edges", edges)
        w.bind(b.text, "nodes", afters)
    return f"(({a.text}){arrow}({b.text}){where}){_quantifier(low, high)}"


def _inner_condition(
    w: Writer, c: Clause, names: tuple[Variable, Variable, Variable], at: Node | None, walked: Sequence[Step]
) -> str:
    """What holds in each round; it sees its own variables, and those of earlier clauses."""
    a, r, b = names
    values: tuple[Any, Any, Any] = (UNKNOWN, UNKNOWN, UNKNOWN)
    if at is not None and walked:
        values = (at, walked[0].edge, walked[0].node)
    properties = w.vocabulary.properties
    kept = w.scope
    w.scope = {
        **c.before,
        a.text: Variable(a.text, "node", values[0], properties, w.vocabulary.nodes),
        r.text: Variable(r.text, "edge", values[1], merged(w.vocabulary.edges)),
        b.text: Variable(b.text, "node", values[2], properties, w.vocabulary.nodes),
    }
    if at is not None and walked:
        text = truth(w, 1)
    else:
        with w.free():
            text = expression(w, "bool", 1).text
    w.scope = kept
    return text


# ------------------------------------------------------------------ paths


def path(w: Writer, c: Clause, most: int = 3, linked: float = 0.35, named: bool = True) -> str:
    """A path pattern, perhaps with a variable of its own."""
    start = at = _start(w, linked)
    text, shapes, _ = node(w, c, at, linked=linked)
    walked: list[Step] = []
    for _ in w.dice.repeats(0, most, 0.6):
        onward = step(w, c, at, shapes, named)
        if onward is None:
            break
        walked += onward.walked
        at = walked[-1].node if walked else at
        known = linked / 2 if w.size < w.profile.rows else 0.9
        reached = node(w, c, at, onward.shapes, linked=known)
        text += onward.text + reached.text
        shapes = reached.shapes
    # Neo4j takes OPTIONAL MATCH p = (n) for a path whatever the WHERE says
    if not named or "-" not in text or not w.allows("path variable", 0.2):
        return text
    name = w.name("p")
    value: Any = UNKNOWN
    if start is not None:
        value = Path((start, *(each.node for each in walked)), tuple(each.edge for each in walked))
    w.bind(name, "path", value)
    return f"{name} = {text}"


def _start(w: Writer, linked: float) -> Node | None:
    """Where the walk of the witness begins: often at a node that is bound."""
    if w.world is None:
        return None
    bound = [variable.value for variable in w.of("node") if isinstance(variable.value, Node)]
    if bound and w.dice.chance(max(linked, 0.5)):
        return w.dice.pick(bound)
    return w.dice.pick(w.world.graph.nodes)


def pattern(w: Writer) -> tuple[str, Clause]:
    """The patterns of a MATCH."""
    c = clause(w)
    crowded = w.size * 8 > w.profile.rows
    linked = 0.9 if crowded and w.of("node") else 0.4
    parts = [w.dice.part(lambda: path(w, c, linked=linked))]
    if not crowded and w.allows("several paths", 0.2):
        parts.append(w.dice.part(lambda: path(w, c, 2, linked=0.5)))
    return ", ".join(parts), c
