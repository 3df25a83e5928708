"""A whole query: clauses, branches of UNION, subqueries in CALL, and the profile's choice among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphir.diagnostics import usage_fault
from graphir.dialects import CYPHER_LEVELS
from graphir.generation import conditions, forms, lists, subqueries
from graphir.generation.clauses import filter_, let, match, optional, shortest, unwind
from graphir.generation.constructs import declare, plan
from graphir.generation.dice import Dice, Weighted
from graphir.generation.expressions import expression, likely
from graphir.generation.profiles import Profile
from graphir.generation.projections import aggregate, projection
from graphir.generation.scope import UNKNOWN, Variable
from graphir.generation.updates import update
from graphir.generation.vocabulary import Vocabulary
from graphir.generation.walks import World
from graphir.generation.writer import Writer
from graphir.graphs import PropertyGraph
from graphir.schema.model import Schema

declare("query", "UNION", "UNION ALL", "NEXT", "computed columns")

REGISTERED = (conditions, forms, lists, subqueries)
"""The modules whose constructs are registered by importing them."""


@dataclass(frozen=True, slots=True)
class Query:
    """A text and its parameters.

    `ordered`: the order of the rows is total.  Else they are a bag, ordered by the columns `keys` (counted from 0) if
    there are some.  `loose`: lists of the result come in no certain order.  `features` are the names of the constructs.
    """

    text: str
    parameters: dict[str, Any]
    ordered: bool
    features: tuple[str, ...]
    keys: tuple[int, ...] = ()
    loose: bool = False


def query(
    dice: Dice,
    schema: Schema | Vocabulary,
    *,
    dialect: str,
    profile: Profile,
    nonempty_on: PropertyGraph | None = None,
) -> Query:
    """A query over a schema; with `nonempty_on` one that has a row on that graph.

    Raises UsageFault (G091) for a dialect that no queries are written in.
    """
    if dialect not in CYPHER_LEVELS:
        raise usage_fault("G091", f"no queries are written in {dialect!r}; known: {', '.join(CYPHER_LEVELS)}")
    vocabulary = schema if isinstance(schema, Vocabulary) else Vocabulary.of_schema(schema)
    world = World(nonempty_on) if nonempty_on is not None else None
    w = Writer(dice, plan(profile, dialect), vocabulary, world)
    text, ordered, keys = _query(w)
    return Query(text, w.parameters, ordered, w.features, keys, w.loose)


def _query(w: Writer) -> tuple[str, bool, tuple[int, ...]]:
    if w.profile.writes:
        return update(w), False, ()
    share = w.plan.share("UNION", 0.06)
    if share and w.dice.chance(share):
        return _union(w), False, ()
    if w.allows("computed columns", 0.25) and _has_nodes(w):
        return _computed(w), False, ()
    texts = [_first(w)]
    for _ in w.dice.repeats(0, w.profile.clauses - 1, 0.55):
        texts.append(w.dice.part(lambda: _clause(w)))
    last = projection(w, "RETURN")
    return " ".join([*(text for text in texts if text), last.text]), last.ordered, last.keys


def _has_nodes(w: Writer) -> bool:
    """Whether a pattern can match: it needs shapes, and with a witness nodes."""
    return bool(w.vocabulary.nodes) and (w.world is None or bool(w.world.nodes))


def _first(w: Writer) -> str:
    unwound = w.plan.share("UNWIND", 1) > 0
    if _has_nodes(w) and not (unwound and w.dice.chance(0.1)):
        return match(w)
    return (unwind(w) or "") if unwound else ""


def _project(w: Writer) -> str:
    if w.has("neo4j-25") and w.allows("NEXT", 0.1):
        return f"{projection(w, 'RETURN').text} NEXT"
    w.use("WITH")
    return projection(w, "WITH").text


def _clause(w: Writer) -> str:
    """A clause between the first and RETURN; nothing where what was drawn cannot be written."""
    options: Weighted[Callable[[Writer], str | None]] = Weighted(
        (write, weight * w.plan.share(name, 1)) for name, weight, write, fits in _CLAUSES if fits(w)
    )
    if w.size > w.profile.rows:
        return _project(w)
    mark = w.mark()
    text = w.dice.weighted(options)(w)
    if text is None:
        w.back(mark)
    return text or ""


# ------------------------------------------------------------------ CALL


def _call(w: Writer) -> str:
    """CALL (..) { .. }, perhaps with branches, perhaps optional."""
    w.use("CALL subquery")
    outer, size = w.scope, w.size
    passed = {name: v for name, v in outer.items() if v.kind != "none" and w.dice.chance(0.6)}
    kinds = [w.dice.pick([k for k in ("int", "str", "any", "bool") if w.profile.has(k)]) for _ in w.dice.repeats(1, 2)]
    names = [w.name("q") for _ in kinds]
    bodies, columns = [], []
    w.nested += 1
    for _ in w.dice.repeats(1, 2, 0.25 * w.plan.share("UNION", 1)):
        w.scope, w.size = dict(passed), 1.0
        text, found = _branch(w, kinds, names)
        bodies.append(text)
        columns.append(found)
    w.nested -= 1
    w.scope, w.size = outer, size * max(1.0, w.size) * len(bodies)
    for at, name in enumerate(names):
        of = [each[at] for each in columns]
        kind = of[0].kind if len({v.kind for v in of}) == 1 else "opaque"
        value = of[0].value if len(of) == 1 else UNKNOWN
        w.scope = {**w.scope, name: Variable(name, kind, value)}
    if len(bodies) > 1:
        w.use("UNION in a subquery")
    word = " UNION ALL " if w.dice.chance(0.5) else " UNION "
    word = " UNION ALL " if any(v.kind in ("bag", "approx", "opaque") for found in columns for v in found) else word
    lead = "OPTIONAL " if w.allows("OPTIONAL CALL", 0.15) else ""
    return f"{lead}CALL ({', '.join(passed)}) {{ {word.join(bodies)} }}"


def _branch(w: Writer, kinds: list[str], names: list[str]) -> tuple[str, list[Variable]]:
    text = ""
    if w.dice.chance(0.75):
        options = [match, optional, unwind] if _has_nodes(w) else [unwind]
        text = f"{w.dice.pick(options)(w) or ''} ".lstrip()
    if w.allows("aggregate", 0.3):
        found = [aggregate(w) for _ in names]
        items = [f"{aggregated} AS {name}" for (aggregated, _), name in zip(found, names, strict=True)]
        return f"{text}RETURN {', '.join(items)}", [variable for _, variable in found]
    terms = [expression(w, kind, 2) for kind in kinds]
    items = [f"{term.text} AS {name}" for term, name in zip(terms, names, strict=True)]
    distinct = w.dice.pick(("", "", "DISTINCT "))
    return f"{text}RETURN {distinct}{', '.join(items)}", [
        Variable(name, kind, term.value) for name, kind, term in zip(names, kinds, terms, strict=True)
    ]


# ------------------------------------------------------------------ other shapes


def _computed(w: Writer) -> str:
    """Much that is computed of rows that are surely there."""
    texts = [match(w)]
    if w.dice.chance(0.6):
        texts.append(optional(w))
    kinds = [
        kind
        for kind in (
            "int",
            "bool",
            "str",
            "float",
            "any",
            "date",
            "dt",
            "ints",
            "strs",
            "dur",
            "map",
            "big",
            "ldt",
            "approx",
        )
        if w.profile.has(kind)
    ]
    items = []
    for _ in w.dice.repeats(1, 5, 0.75):
        term = expression(w, likely(w, kinds), w.profile.depth)
        items.append(f"{term.text} AS {w.name('c')}")
    distinct = "DISTINCT " if not any("approx" in item for item in items) and w.allows("DISTINCT", 0.2) else ""
    return f"{' '.join(texts)} RETURN {distinct}{', '.join(items)}"


def _union(w: Writer) -> str:
    """Two queries with the same columns."""
    word = w.dice.pick(("UNION ALL", "UNION"))
    w.use(word)
    kinds = [w.dice.pick([k for k in ("int", "any", "str", "float") if w.profile.has(k)]) for _ in w.dice.repeats(1, 2)]
    names = [w.name("o") for _ in kinds]
    parts = []
    for _ in w.dice.repeats(2, 3, 0.1):
        w.scope, w.size = {}, 1.0
        text = _first(w)
        items = [f"{expression(w, kind, 2).text} AS {name}" for kind, name in zip(kinds, names, strict=True)]
        distinct = "DISTINCT " if w.allows("DISTINCT", 0.3) else ""
        parts.append(f"{text} RETURN {distinct}{', '.join(items)}".strip())
    return f" {word} ".join(parts)


_CLAUSES: tuple[tuple[str, float, Callable[[Writer], str | None], Callable[[Writer], bool]], ...] = (
    ("MATCH", 4, match, _has_nodes),
    ("WITH", 3, _project, lambda w: bool(w.scope)),
    ("OPTIONAL MATCH", 2.5, optional, _has_nodes),
    ("UNWIND", 1.8, unwind, lambda w: True),
    ("CALL subquery", 1.5, _call, lambda w: w.has("neo4j-5")),
    ("shortest", 1.2, shortest, lambda w: _has_nodes(w) and w.size < 100),
    ("FILTER", 0.5, filter_, lambda w: w.has("neo4j-25") and bool(w.scope)),
    ("LET", 0.5, let, lambda w: w.has("neo4j-25")),
)
"""Construct, weight, writer, and where it can stand."""
