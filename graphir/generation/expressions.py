"""Expressions of a kind: literals, variables, properties, and the ways that the other modules register.

Every expression is typed by its kind, uses what is in scope and nothing else, and raises no error when it runs:
divisors are not zero, integers stay small, indexes may be anything.  In the witness it has a value where that can be
told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphir.generation.constructs import declare
from graphir.generation.kinds import LISTS, MIXED, NULLED, STRANGE, VALUES, literal, spelled
from graphir.generation.scope import UNKNOWN, Term, Variable
from graphir.generation.writer import Writer
from graphir.values.functions import FUNCTIONS

declare("value", "parameter", "null", "missing property", "property by name")


def expression(w: Writer, kind: str, depth: int) -> Term:
    """An expression of a kind, its operands nested at most so deep."""
    table = w.plan.expressions.get(kind)
    if depth <= 0 or not table or not w.dice.chance(0.68):
        return leaf(w, kind)
    return w.dice.part(lambda: _composed(w, kind, depth))


def _composed(w: Writer, kind: str, depth: int) -> Term:
    mark = w.mark()
    construct = w.dice.weighted(w.plan.expressions[kind])
    term = construct.write(w, depth - 1)
    if term is None:
        w.back(mark)
        return leaf(w, kind)
    w.use(construct.name)
    return term


def leaf(w: Writer, kind: str) -> Term:
    """A literal, a parameter, a variable, or a property of one."""
    there = w.of(kind)
    owned = [(v, p) for v in w.of("node", "edge") for p in v.properties if p.kind == kind]
    count = len(there) + len(owned)
    if count and (kind in ("node", "edge", "path") or w.dice.chance(0.78)):
        at = w.dice.below(count)
        if at < len(there):
            return Term(there[at].text, there[at].value)
        owner, owned_property = owned[at - len(there)]
        return property_of(w, owner, owned_property.name)
    if kind in ("nodes", "edges"):
        return elements(w, kind)
    if kind in ("node", "edge", "path"):
        return _null(w)
    if kind == "bool" and w.dice.chance(0.8):
        return _plain_condition(w)
    return constant(w, kind)


def likely(w: Writer, kinds: Sequence[str]) -> str:
    """One of the kinds, rather one of which something is in scope."""
    if w.dice.chance(0.8):
        there = {v.kind for v in w.scope.values()} | {p.kind for v in w.of("node", "edge") for p in v.properties}
        kinds = [kind for kind in kinds if kind in there] or kinds
    return w.dice.pick(kinds)


_SIGNS = {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_COMPARED = ("int", "str", "float", "date", "big", "dt", "any", "ldt", "time")


def _plain_condition(w: Writer) -> Term:
    """A property or a variable compared, where there is one."""
    kinds = [kind for kind in _COMPARED if w.profile.has(kind)]
    kind = likely(w, kinds)
    left, right = leaf(w, kind), leaf(w, kind)
    sign = w.dice.pick(list(_SIGNS))
    w.use(f"{sign} of {kind}")
    value: Any = UNKNOWN
    if left.value is not UNKNOWN and right.value is not UNKNOWN:
        value = FUNCTIONS[_SIGNS[sign]](left.value, right.value)
    return Term(f"({left.text} {sign} {right.text})", value)


def elements(w: Writer, kind: str) -> Term:
    """A list of nodes or edges: those of a path, or some that are there."""
    paths = w.of("path")
    if paths and w.dice.chance(0.6):
        path = w.dice.pick(paths)
        w.use(f"{'nodes' if kind == 'nodes' else 'relationships'}()")
        value: Any = UNKNOWN
        if path.value is None:
            value = None
        elif path.value is not UNKNOWN:
            value = list(path.value.nodes if kind == "nodes" else path.value.edges)
        return Term(f"{'nodes' if kind == 'nodes' else 'relationships'}({path.text})", value)
    found = w.of(LISTS[kind])
    if not found:
        return Term("[]", [])
    return list_of([Term(v.text, v.value) for v in (w.dice.pick(found) for _ in w.dice.repeats(1, 2))])


def list_of(items: list[Term]) -> Term:
    known = all(item.value is not UNKNOWN for item in items)
    return Term(f"[{', '.join(item.text for item in items)}]", [item.value for item in items] if known else UNKNOWN)


def _null(w: Writer) -> Term:
    w.use("null")
    return Term("null", None)


def constant(w: Writer, kind: str) -> Term:
    """A literal or a parameter."""
    if w.dice.chance(0.03 * w.plan.share("null", 1)):
        return _null(w)
    if kind == "any":
        kind = w.dice.pick([each for each in MIXED if w.profile.has(each)] or ["int"])
    value = constant_value(w, kind)
    if w.dice.chance(min(0.9, 0.06 * w.plan.share("parameter", 1))):
        return w.parameter(value)
    return Term(literal(value), value)


def constant_value(w: Writer, kind: str) -> Any:
    """A value of a kind that is written as a literal."""
    if kind in NULLED and w.dice.chance(0.2):
        return w.dice.pick(NULLED[kind])
    if kind in STRANGE and w.dice.chance(w.profile.strange):
        return w.dice.pick(STRANGE[kind])
    return w.dice.pick(VALUES.get(kind, (None,)))


def property_of(w: Writer, owner: Variable, key: str) -> Term:
    """`owner.key`."""
    value: Any = UNKNOWN
    if owner.value is None:
        value = None
    elif owner.value is not UNKNOWN:
        value = owner.value.properties.get(key)
    if w.allows("missing property", 0.02):
        return Term(f"{owner.text}.missing", value if value is UNKNOWN else None)
    if w.has("neo4j-5") and w.allows("property by name", 0.02):
        return Term(f"{owner.text}[{literal(key)}]", value)
    return Term(f"{owner.text}.{spelled(key)}", value)


# ------------------------------------------------------------------ what is true of the witness


def truth(w: Writer, depth: int) -> str:
    """A condition; where there is a witness, one that is true of it."""
    if w.world is None:
        return expression(w, "bool", depth).text
    for _ in range(4):
        mark = w.mark()
        text, value = expression(w, "bool", depth)
        if value is True:
            return text
        if value is False:
            w.use("NOT")
            return f"NOT ({text})"
        if value is None:
            w.use("IS NULL")
            return f"(({text}) IS NULL)"
        w.back(mark)
    return _plain_truth(w)


def _plain_truth(w: Writer) -> str:
    """Something that is surely true: of a number that is at least another, or of a property."""
    if counted := [v for v in w.scope.values() if v.least is not None]:
        variable = w.dice.pick(counted)
        return f"({variable.text} >= {variable.least})"
    owned = [(v, p.name) for v in w.of("node", "edge") if v.value is not UNKNOWN for p in v.properties]
    if not owned:
        return "true"
    owner, key = w.dice.pick(owned)
    text, value = property_of(w, owner, key)
    w.use("IS NULL")
    return f"({text} IS {'NULL' if value is None else 'NOT NULL'})"
