"""Lists made of lists, of rows and of patterns: comprehensions, reduce, map projections; and lists in no certain order.

What comes in no certain order is of kind `bag`, and is written only where its order does not matter.
"""

from __future__ import annotations

from typing import Any

from graphir.generation.conditions import item_of
from graphir.generation.constructs import expression as construct
from graphir.generation.expressions import expression, property_of
from graphir.generation.kinds import literal, spelled
from graphir.generation.scope import UNKNOWN, Term, Variable
from graphir.generation.writer import Writer


@construct("ints", "list comprehension", "list", 2.5)
def _ints(w: Writer, depth: int) -> Term | None:
    return comprehension(w, depth, "int")


@construct("strs", "list comprehension", "list", 1)
def _strs(w: Writer, depth: int) -> Term | None:
    return comprehension(w, depth, "str")


@construct("nodes", "list comprehension", "list", 0.5)
def _nodes(w: Writer, depth: int) -> Term | None:
    return comprehension(w, depth, "node")


def comprehension(w: Writer, depth: int, kind: str) -> Term | None:
    """`[z IN list WHERE condition | value]` with values of a kind."""
    kinds = [each for each in ("ints", "strs", "nodes", "edges") if w.profile.has(each)]
    if not kinds:
        return None
    source_kind = "nodes" if kind == "node" else w.dice.pick(kinds)
    source = expression(w, source_kind, depth)
    item = item_of(w, source_kind, source.value)
    with w.inner(item):
        condition = expression(w, "bool", depth) if w.dice.chance(0.5) else Term("", True)
        same = item.kind == kind and w.dice.chance(0.4)
        value = Term(item.text, item.value) if same else expression(w, kind, depth)
    where = f" WHERE {condition.text}" if condition.text else ""
    shown = "" if same and where else f" | {value.text}"
    result: Any = UNKNOWN
    if source.value is None or source.value == []:
        result = source.value
    elif source.value is not UNKNOWN and len(source.value) == 1 and UNKNOWN not in (condition.value, value.value):
        result = [value.value] if condition.value is True else []
    return Term(f"[{item.text} IN {source.text}{where}{shown}]", result)


@construct("int", "reduce()", "list", 0.8, needs="ints")
def _reduce(w: Writer, depth: int) -> Term | None:
    kind = w.dice.pick(("ints", "nodes"))
    source = expression(w, kind, depth)
    item = Variable(w.name("z"), "int" if kind == "ints" else "node", UNKNOWN, w.vocabulary.properties)
    with w.inner(item):
        step = expression(w, "int", min(depth, 1))
    text = f"reduce(acc = 0, {item.text} IN {source.text} | acc + coalesce({step.text}, 1))"
    return Term(text, source.value if source.value is None else UNKNOWN)


@construct("str", "reduce() of strings", "list", 0.3, needs="strs")
def _reduce_text(w: Writer, depth: int) -> Term | None:
    return Term(f"reduce(acc = '', z IN {expression(w, 'strs', depth).text} | acc + z)")


@construct("float", "reduce() of floats", "list", 0.3, needs="ints")
def _reduce_float(w: Writer, depth: int) -> Term | None:
    return Term(f"reduce(acc = 0.0, z IN {expression(w, 'ints', depth).text} | acc + z)")


# ------------------------------------------------------------------ maps


@construct("map", "map projection", "map", 1.2)
def _projection(w: Writer, depth: int) -> Term | None:
    owners = [variable for variable in w.of("node", "edge") if variable.properties]
    if not owners:
        return None
    owner = w.dice.pick(owners)
    keys = w.dice.some([each.name for each in owner.properties][:4], 0.5)
    parts = [f".{spelled(key)}" for key in keys]
    if w.dice.chance(0.3):
        parts.insert(0, ".*")
    if not parts or w.dice.chance(0.5):
        parts.append(f"zz: {expression(w, 'any' if w.profile.has('any') else 'int', depth).text}")
    return Term(f"{owner.text} {{{', '.join(parts)}}}")


# ------------------------------------------------------------------ no certain order


@construct("bag", "labels()", "bag", 1)
def _labels(w: Writer, depth: int) -> Term | None:
    return _of_element(w, "labels", ("node",))


@construct("bag", "keys()", "bag", 1)
def _keys(w: Writer, depth: int) -> Term | None:
    return _of_element(w, "keys", ("node", "edge"))


def _of_element(w: Writer, function: str, kinds: tuple[str, ...]) -> Term | None:
    found = w.of(*kinds)
    if not found:
        return None
    owner = w.dice.pick(found)
    value: Any = UNKNOWN if owner.value is UNKNOWN else None
    if owner.value is not UNKNOWN and owner.value is not None:
        value = list(owner.value.labels if function == "labels" else owner.value.properties)
    return Term(f"{function}({owner.text})", value)


@construct("int", "size of a bag", "bag", 1.8)
def _size(w: Writer, depth: int) -> Term | None:
    found = bag(w, depth)
    if found is None:
        return None
    value = found.value if found.value is UNKNOWN or found.value is None else len(found.value)
    return Term(f"size({found.text})", value)


@construct("bool", "empty bag", "bag", 1)
def _empty(w: Writer, depth: int) -> Term | None:
    found = bag(w, depth)
    if found is None:
        return None
    value = found.value if found.value is UNKNOWN or found.value is None else not found.value
    return Term(f"({found.text} = [])", value)


def bag(w: Writer, depth: int) -> Term | None:
    """A list in no certain order."""
    there = w.of("bag")
    if there and w.dice.chance(0.6):
        chosen = w.dice.pick(there)
        return Term(chosen.text, chosen.value)
    table = w.plan.expressions.get("bag")
    if not table:
        return None
    made = w.dice.weighted(table)
    term = made.write(w, depth)
    if term is not None:
        w.use(made.name)
    return term


@construct("any", "property by name", "value", 0.3)
def _by_name(w: Writer, depth: int) -> Term | None:
    owners = [variable for variable in w.of("node", "edge") if variable.properties]
    if not owners or not w.has("neo4j-5"):
        return None
    owner = w.dice.pick(owners)
    key = w.dice.pick(owner.properties)
    value = property_of(w, owner, key.name).value
    name = w.parameter(key.name) if w.dice.chance(0.3) else Term(literal(key.name))
    return Term(f"({owner.text}[{name.text}])", value)
