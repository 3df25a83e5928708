"""Conditions: comparisons, labels, what holds of the elements of a list; and choices between values: CASE, coalesce."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from graphir.generation.constructs import expression as construct
from graphir.generation.expressions import expression, leaf, likely
from graphir.generation.forms import valued
from graphir.generation.kinds import LISTS, literal, spelled
from graphir.generation.labels import label_test
from graphir.generation.scope import UNKNOWN, Term, Variable
from graphir.generation.vocabulary import merged
from graphir.generation.writer import Writer
from graphir.values import Node

_SIGNS = {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_COMPARED = ("int", "str", "float", "date", "big", "dt", "ints", "any", "bool", "ldt", "time")
_KEPT = "int float str bool any big date dt ldt ints strs dur map node nodes"


@construct("bool", "comparison", "comparison", 4)
def _comparison(w: Writer, depth: int) -> Term | None:
    kind = likely(w, [each for each in _COMPARED if w.profile.has(each)])
    other = w.dice.pick([each for each in ("float", "big") if w.profile.has(each)] or ["int"])
    other = other if kind == "int" and w.dice.chance(0.25) else kind
    left, right = expression(w, kind, depth), expression(w, other, depth)
    sign = w.dice.pick(list(_SIGNS))
    w.use(f"{sign} of {kind}")
    return Term(f"({left.text} {sign} {right.text})", valued(_SIGNS[sign], [left.value, right.value]))


@construct("bool", "comparison of several", "comparison", 0.6)
def _chain(w: Writer, depth: int) -> Term | None:
    operands = [expression(w, "int", depth) for _ in range(3)]
    signs = [w.dice.pick(("<", "<=", ">", ">=", "=", "<>")) for _ in range(2)]
    values = [
        valued(_SIGNS[sign], [a.value, b.value]) for sign, a, b in zip(signs, operands, operands[1:], strict=False)
    ]
    text = f"({operands[0].text} {signs[0]} {operands[1].text} {signs[1]} {operands[2].text})"
    return Term(text, valued("and", values))


@construct("bool", "comparison of maps", "comparison", 0.3, needs="map")
def _maps(w: Writer, depth: int) -> Term | None:
    left, right = expression(w, "map", depth), expression(w, "map", depth)
    sign = w.dice.pick(("=", "<>"))
    return Term(f"({left.text} {sign} {right.text})", valued(_SIGNS[sign], [left.value, right.value]))


@construct("bool", "comparison of elements", "comparison", 1.5)
def _elements(w: Writer, depth: int) -> Term | None:
    kinds = [kind for kind in ("node", "edge", "nodes", "edges") if w.of(kind)]
    if not kinds:
        return None
    kind = w.dice.pick(kinds)
    left, right = expression(w, kind, depth), expression(w, kind, depth)
    sign = w.dice.pick(("=", "<>"))
    return Term(f"({left.text} {sign} {right.text})", valued(_SIGNS[sign], [left.value, right.value]))


@construct("bool", "comparison of ids", "comparison", 0.2)
def _ids(w: Writer, depth: int) -> Term | None:
    nodes = w.of("node")
    if not nodes:
        return None
    left, right = w.dice.pick(nodes), w.dice.pick(nodes)
    sign = w.dice.pick(("=", "<>"))
    name = "elementId" if w.has("neo4j-5") else "id"
    return Term(f"({name}({left.text}) {sign} {name}({right.text}))", valued(_SIGNS[sign], [left.value, right.value]))


@construct("bool", "label predicate", "label", 1.5)
def _labels(w: Writer, depth: int) -> Term | None:
    nodes = w.of("node")
    if not nodes or not w.vocabulary.labels:
        return None
    node = w.dice.pick(nodes)
    sets = [node.value.labels] if isinstance(node.value, Node) else []
    test = label_test(w, w.vocabulary.labels, sets, predicate=True)
    value: Any = UNKNOWN if node.value is UNKNOWN else None
    if sets:
        value = test.holds[0]
    return Term(f"({node.text}{test.text})", value)


@construct("bool", "label in labels()", "label", 0.3)
def _label_in(w: Writer, depth: int) -> Term | None:
    nodes = w.of("node")
    if not nodes or not w.vocabulary.labels:
        return None
    node, label = w.dice.pick(nodes), w.dice.pick(w.vocabulary.labels)
    value: Any = UNKNOWN if node.value is UNKNOWN else None
    if isinstance(node.value, Node):
        value = label in node.value.labels
    return Term(f"({literal(label)} IN labels({node.text}))", value)


@construct("bool", "property of an end", "element", 0.5)
def _end(w: Writer, depth: int) -> Term | None:
    edges = w.of("edge")
    keys = [each.name for each in w.vocabulary.properties if each.kind == "int"]
    if not edges or not keys:
        return None
    edge = w.dice.pick(edges)
    name = w.dice.pick(("startNode", "endNode"))
    w.use(f"{name}()")
    return Term(f"({name}({edge.text}).{spelled(w.dice.pick(keys))} = {leaf(w, 'int').text})")


@construct("bool", "quantifier", "list", 1.6)
def _quantifier(w: Writer, depth: int) -> Term | None:
    kinds = [kind for kind in ("ints", "strs", "nodes", "edges") if w.profile.has(kind)]
    if not kinds:
        return None
    kind = w.dice.pick(kinds)
    word = w.dice.pick(("any", "all", "none", "single"))
    w.use(f"{word}()")
    source = expression(w, kind, depth)
    item = item_of(w, kind, source.value)
    with w.inner(item):
        condition = expression(w, "bool", depth)
    value: Any = UNKNOWN
    if source.value is None:
        value = None
    elif source.value == []:
        value = word in ("all", "none")
    elif source.value is not UNKNOWN and condition.value is not UNKNOWN:
        held = condition.value
        if len(source.value) == 1:
            value = held if word != "none" else valued("not", [held])
        elif held is True and word != "single":
            value = word == "any" or UNKNOWN
            value = False if word == "none" else value
        elif held is False and word == "all":
            value = False
    return Term(f"{word}({item.text} IN {source.text} WHERE {condition.text})", value)


def item_of(w: Writer, kind: str, values: Any) -> Variable:
    """A variable for an element of a list: in the witness one that the list has."""
    properties = tuple(w.vocabulary.properties) if kind == "nodes" else ()
    if kind == "edges":
        properties = merged(w.vocabulary.edges)
    value: Any = UNKNOWN
    if isinstance(values, list) and values:
        value = w.dice.pick(values)
    return Variable(w.name("z"), LISTS.get(kind, "any"), value, properties)


# ------------------------------------------------------------------ choices


OfKind = Callable[[Writer, int, str], Term | None]


def _kinds(names: str, name: str, group: str, weight: float) -> Callable[[OfKind], OfKind]:
    """Registers a writer that is told the kind, for several kinds."""

    def register(write: OfKind) -> OfKind:
        for kind in names.split():
            construct(kind, name, group, weight)(partial(_told, write, kind))
        return write

    return register


def _told(write: OfKind, kind: str, w: Writer, depth: int) -> Term | None:
    return write(w, depth, kind)


@_kinds(_KEPT, "CASE", "choice", 0.5)
def _case(w: Writer, depth: int, kind: str) -> Term | None:
    branches: list[tuple[str, Any, Term]] = []
    for _ in w.dice.repeats(1, 2, 0.3):
        test = expression(w, "bool", depth)
        branches.append((test.text, test.value, expression(w, kind, depth)))
    otherwise = expression(w, kind, depth) if w.dice.chance(0.6) else None
    text = "".join(f" WHEN {test} THEN {term.text}" for test, _, term in branches)
    other = f" ELSE {otherwise.text}" if otherwise else ""
    value = otherwise.value if otherwise else None
    for _, held, term in reversed(branches):
        if held is UNKNOWN:
            value = UNKNOWN
        elif held is True:
            value = term.value
    return Term(f"CASE{text}{other} END", value)


@_kinds(_KEPT, "CASE of a value", "choice", 0.25)
def _simple_case(w: Writer, depth: int, kind: str) -> Term | None:
    of = likely(w, [each for each in ("int", "str", "any") if w.profile.has(each)])
    tested = expression(w, of, depth)
    wanted, chosen = leaf(w, of), expression(w, kind, depth)
    otherwise = expression(w, kind, depth) if w.dice.chance(0.6) else Term("", None)
    held = valued("eq", [tested.value, wanted.value])
    value: Any = UNKNOWN
    if held is not UNKNOWN:
        value = chosen.value if held is True else otherwise.value
    other = f" ELSE {otherwise.text}" if otherwise.text else ""
    return Term(f"CASE {tested.text} WHEN {wanted.text} THEN {chosen.text}{other} END", value)


@_kinds(_KEPT, "coalesce()", "choice", 0.4)
def _coalesce(w: Writer, depth: int, kind: str) -> Term | None:
    first, second = expression(w, kind, depth), leaf(w, kind)
    value = second.value if first.value is None else first.value
    return Term(f"coalesce({first.text}, {second.text})", value)


@_kinds("int str any date", "nullIf()", "choice", 0.2)
def _null_if(w: Writer, depth: int, kind: str) -> Term | None:
    if not w.has("neo4j-5"):
        return None
    first, second = expression(w, kind, depth), leaf(w, kind)
    return Term(f"nullIf({first.text}, {second.text})", valued("nullIf", [first.value, second.value]))


@_kinds("int str any float bool date node", "element of a list", "list", 0.4)
def _one_of(w: Writer, depth: int, kind: str) -> Term | None:
    first, second = expression(w, kind, depth), leaf(w, kind)
    at = w.dice.pick((0, 1, -1, 2))
    value: Any = None
    if at < 2:
        value = (first.value, second.value)[at]
    return Term(f"([{first.text}, {second.text}][{at}])", value)


@_kinds("int str bool any", "CASE with operators", "choice", 0.15)
def _extended_case(w: Writer, depth: int, kind: str) -> Term | None:
    """`CASE x WHEN > 3 THEN .. END`."""
    if not w.has("neo4j-5"):
        return None
    tested, bound = expression(w, "int", depth), leaf(w, "int")
    chosen, otherwise = expression(w, kind, depth), leaf(w, kind)
    sign = w.dice.pick(("<", "<=", ">", ">=", "<>"))
    held = valued(_SIGNS[sign], [tested.value, bound.value])
    value: Any = UNKNOWN
    if held is not UNKNOWN:
        value = chosen.value if held is True else otherwise.value
    return Term(f"CASE {tested.text} WHEN {sign} {bound.text} THEN {chosen.text} ELSE {otherwise.text} END", value)


_DECLARED = {"int": "INTEGER", "str": "STRING", "bool": "BOOLEAN", "float": "FLOAT", "ints": "LIST<INTEGER>"}


@construct("bool", "type predicate", "conversion", 0.3, since="neo4j-5")
def _typed(w: Writer, depth: int) -> Term | None:
    """`x IS :: INTEGER NOT NULL`."""
    kind = likely(w, [each for each in (*_DECLARED, "any") if w.profile.has(each)])
    term = expression(w, kind, depth)
    name = _DECLARED[w.dice.pick(list(_DECLARED))]
    no = w.dice.pick(("", "", "NOT "))
    return Term(f"({term.text} IS {no}:: {name}{w.dice.pick(('', ' NOT NULL'))})")
