"""What a query names and compares: labels, types, keys, and the values at which a comparison turns.  Reads core IR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphir import ir
from graphir.diagnostics import RunFault
from graphir.proof.questions import Question
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.times import LocalTime, Time

_PARSERS: dict[str, Any] = {
    "date": Date,
    "time": Time,
    "localtime": LocalTime,
    "datetime": DateTime,
    "localdatetime": LocalDateTime,
}
_COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "starts_with", "ends_with", "contains"))
_TEXTS = frozenset(
    (
        *("toLower", "toUpper", "trim", "ltrim", "rtrim", "btrim", "substring", "left", "right", "replace", "split"),
        *("reverse", "starts_with", "ends_with", "contains", "matches", "char_length", "normalize", "concat"),
    )
)
_WORDS = ("a", "ab", "b", "")

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Hints:
    """`label_sets` are the labels that one node is said to have; `values` are values of properties, by key."""

    label_sets: tuple[tuple[str, ...], ...] = ()
    types: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    values: Mapping[str, Values] = field(default_factory=dict)

    @classmethod
    def joined(cls, several: Iterable[Hints]) -> Hints:
        """What all of them say."""
        given = list(several)
        values: dict[str, list[Any]] = {}
        for hints in given:
            for key, found in hints.values.items():
                _add(values.setdefault(key, []), found)
        return cls(
            tuple(dict.fromkeys(each for hints in given for each in hints.label_sets)),
            tuple(dict.fromkeys(each for hints in given for each in hints.types)),
            tuple(dict.fromkeys(each for hints in given for each in hints.keys)),
            {key: tuple(found) for key, found in values.items()},
        )


def hints_of(question: Question) -> Hints:
    """What the query of a question says of the graph it is asked about."""
    core = question.core
    carried: dict[str | None, dict[str, None]] = {}
    sets: list[tuple[str, ...]] = []
    types: list[str] = []
    keys: list[str] = []
    values: dict[str, list[Any]] = {}
    for node in ir.walk(core.body):
        match node:
            case ir.NodePattern(labels=labels, variable=name) if labels is not None:
                sets += [(each,) for each in names_of(labels)] + [tuple(sorted(required(labels)))]
                carried.setdefault(name, {}).update(dict.fromkeys(required(labels)))
            case ir.EdgePattern(labels=labels) if labels is not None:
                types += names_of(labels)
            case ir.HasLabels(labels=labels):
                sets += [(each,) for each in names_of(labels)] + [tuple(sorted(required(labels)))]
            case ir.Property(key=key):
                keys.append(key)
            case _:
                pass
        keys += [entry.key for entry in _entries(node)]
        for key, found in _compared(node, question.parameters):
            _add(values.setdefault(key, []), found)
    sets += [tuple(sorted(each)) for each in carried.values()]
    known = [each for each in dict.fromkeys(sets) if each and not set(each) & set(types)]
    told = {key: tuple(each) for key, each in values.items()}
    return Hints(tuple(known), tuple(dict.fromkeys(types)), tuple(dict.fromkeys(keys)), told)


def names_of(labels: ir.LabelExpression) -> list[str]:
    return list(dict.fromkeys(each.name for each in ir.walk(labels) if isinstance(each, ir.LabelName)))


def required(labels: ir.LabelExpression | None) -> set[str]:
    """Labels that make the expression true, as far as having labels does: of alternatives the first."""
    found: set[str] = set()
    pending = [labels]
    while pending:
        match pending.pop():
            case ir.LabelName(name=name):
                found.add(name)
            case ir.LabelAnd(operands=operands):
                pending += operands
            case ir.LabelOr(operands=operands):
                pending.append(operands[0])
            case _:
                pass
    return found


def _add(known: list[Any], values: Iterable[Any]) -> None:
    """Those that are not known yet; 1 is not 1.0."""
    for value in values:
        if not any(type(value) is type(each) and value == each for each in known):
            known.append(value)


# ------------------------------------------------------------------ comparisons


def _entries(node: ir.Node) -> tuple[ir.Entry, ...]:
    """The properties that a pattern asks for."""
    if isinstance(node, (ir.NodePattern, ir.EdgePattern)) and isinstance(node.properties, ir.MapOf):
        return node.properties.entries
    return ()


def _compared(node: ir.Node, parameters: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Keys and values around those that they are compared with."""
    for entry in _entries(node):
        for value in constants(entry.value, parameters):
            yield entry.key, list(around(value))
    if not isinstance(node, ir.Apply):
        return
    for key in (key for each in node.args if (key := key_of(each)) is not None):
        others = [value for each in node.args if key_of(each) is None for value in constants(each, parameters)]
        if node.function in _COMPARISONS or (node.function == "in" and key_of(node.args[0]) == key):
            yield key, [near for value in others for near in around(value)]
        elif node.function == "in":
            yield key, [[value] for value in others]
        if node.function in _TEXTS:
            yield key, list(_WORDS)


def key_of(expression: ir.Node) -> str | None:
    """The key, where an expression is a property, or a function of one: `n.name`, `toLower(n.name)`."""
    found = unwrapped(expression)
    return found.key if isinstance(found, ir.Property) else None


def unwrapped(expression: ir.Node) -> ir.Node:
    """What a chain of functions of one argument begins with."""
    while isinstance(expression, ir.Apply) and len(expression.args) == 1:
        expression = expression.args[0]
    return expression


def constants(expression: ir.Node, parameters: Mapping[str, Any]) -> list[Any]:
    """The values that an expression stands for as it is written; the items of a list one by one.  Nulls are none."""
    match expression:
        case ir.Literal(value=value):
            found: list[Any] = [value]
        case ir.Parameter(name=name):
            given = parameters.get(name)
            found = list(given) if isinstance(given, (list, tuple)) else [given]
        case ir.ListOf(items=items):
            found = [value for item in items for value in constants(item, parameters)]
        case ir.Apply(function="neg", args=(ir.Literal(value=value),)) if isinstance(value, (int, float)):
            found = [-value]
        case ir.Apply(function=name, args=(ir.Literal(value=str() as text),)) if name in _PARSERS:
            try:
                found = [_PARSERS[name].parse(text)]
            except RunFault:
                found = []
        case ir.Apply(function=name, args=(argument,)) if name in _TEXTS:
            found = constants(argument, parameters)
        case _:
            found = []
    return [value for value in found if value is not None and not isinstance(value, Mapping)]


def around(value: Any) -> Iterator[Any]:
    """A value, and those that lie on its other sides."""
    yield value
    match value:
        case bool():
            yield not value
        case int():
            yield from (each for each in (value + 1, value - 1) if -(1 << 63) <= each < 1 << 63)
        case float():
            yield from (value + 0.5, value - 0.5)
        case str():
            yield from (value + "a", value.swapcase())
        case Date():
            yield from (Date(value.days + 1), Date(value.days - 1))
        case _:
            return
