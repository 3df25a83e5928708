"""Constants in a query and what they are compared with.

A constant is a literal, a list of literals, a call that makes a temporal value, or a parameter whose type is declared.
`pairs` reads the comparisons: each constant with the expression on the other side and the operator between them.
Knows no schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from graphir import ir
from graphir.frozen import frozen
from graphir.schema.model import TYPES, DataType
from graphir.source import Span

UNKNOWN = object()
"""The value of a constant that is known by its type only."""

TEMPORAL: Mapping[str, str] = MappingProxyType(
    {
        "date": "DATE",
        "localtime": "LOCAL TIME",
        "time": "ZONED TIME",
        "localdatetime": "LOCAL DATETIME",
        "datetime": "ZONED DATETIME",
        "duration": "DURATION",
    }
)
"""Function -> the kind of the temporal value that it makes."""

MAKERS: Mapping[str, str] = MappingProxyType({kind: name for name, kind in TEMPORAL.items()})

ORDERINGS = frozenset(("lt", "le", "gt", "ge"))
EQUALITIES = frozenset(("eq", "ne"))
TEXT_TESTS = frozenset(("starts_with", "ends_with", "contains", "matches"))
CASES: Mapping[str, str] = MappingProxyType({"toLower": "lower", "toUpper": "upper"})
_SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
_DERIVED = ("", ".truncate", ".realtime", ".statement", ".transaction", ".fromepoch", ".fromepochmillis")
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        **{name + suffix: kind for name, kind in TEMPORAL.items() for suffix in _DERIVED},
        **dict.fromkeys(("duration.between", "duration.inDays", "duration.inMonths", "duration.inSeconds"), "DURATION"),
        "point": "POINT",
    }
)
"""Function -> the kind of its value, whatever its arguments are."""


@frozen
class Constant:
    """A value of a kind (`INTEGER`, `STRING`, `LIST`, `DATE` ..; None: not known) that the text of the query fixes.

    `value` is `UNKNOWN` unless it is a number, a string or a boolean.  `parameter` is the name where it is one.
    """

    node: ir.Expression
    kind: str | None
    value: Any = UNKNOWN
    items: tuple[ir.Expression, ...] = ()
    parameter: str | None = None

    @property
    def span(self) -> Span | None:
        return self.node.span

    @property
    def text(self) -> str:
        """The literal as it was written, where that is remembered."""
        remembered = self.node.text if isinstance(self.node, ir.Literal) else None
        return remembered or str(self.value)


@frozen
class Pair:
    """`subject operator constant`.  The operator is eq, ne, lt, le, gt, ge, in, starts_with, ends_with, contains,
    matches, or `holds` for `constant IN subject`.  `case` is the function (toLower, toUpper) around the subject."""

    subject: ir.Expression
    operator: str
    constant: Constant
    case: str | None = None


def constant_of(node: ir.Expression, parameters: Mapping[str, DataType]) -> Constant | None:
    """The constant that an expression is, or None.  Null is none."""
    cls = type(node)
    if cls is ir.Literal:
        return _literal(node, node.value)  # type: ignore[attr-defined]
    if cls is ir.Property or cls is ir.Ref:
        return None
    if cls is ir.Apply:
        return _applied(node)  # type: ignore[arg-type]
    if cls is ir.ListOf:
        return Constant(node, "LIST", items=node.items)  # type: ignore[attr-defined]
    if cls is ir.Parameter:
        name: str = node.name  # type: ignore[attr-defined]
        declared = parameters.get(name)
        kind = None if declared is None else TYPES.get(declared.name)
        return Constant(node, None if kind == "ANY" else kind, parameter=name)
    return None


def _literal(node: ir.Expression, value: object) -> Constant | None:
    if isinstance(value, str):
        return Constant(node, "STRING", value)
    if isinstance(value, bool):
        return Constant(node, "BOOLEAN", value)
    if isinstance(value, int | float):
        return Constant(node, "INTEGER" if isinstance(value, int) else "FLOAT", value)
    return None


def _applied(node: ir.Apply) -> Constant | None:
    function, args = node.function, node.args
    if function == "neg" and isinstance(args[0], ir.Literal):
        inner = _literal(args[0], args[0].value)
        numeric = inner is not None and inner.kind in ("INTEGER", "FLOAT")
        return Constant(node, inner.kind, -inner.value) if numeric and inner is not None else None
    if function in _KINDS:
        return Constant(node, _KINDS[function])
    moved: ir.Expression = node
    while isinstance(moved, ir.Apply) and moved.function in ("add", "sub") and _is_duration(moved.args[-1]):
        moved = moved.args[0]
    kind = _KINDS.get(moved.function) if isinstance(moved, ir.Apply) else None
    return Constant(node, kind) if kind in MAKERS else None


def _is_duration(node: ir.Expression) -> bool:
    return isinstance(node, ir.Apply) and _KINDS.get(node.function) == "DURATION"


# ------------------------------------------------------------------ comparisons


def pairs(node: ir.Node, parameters: Mapping[str, DataType]) -> Iterator[Pair]:
    """What a comparison, a chain of them or a CASE compares with constants."""
    cls = type(node)
    if cls is ir.Apply:
        function: str = node.function  # type: ignore[attr-defined]
        args: tuple[ir.Expression, ...] = node.args  # type: ignore[attr-defined]
        if len(args) == 2:
            yield from _pair(args[0], function, args[1], parameters)
    elif isinstance(node, ir.Comparison):
        for at, operator in enumerate(node.operators):
            yield from _pair(node.operands[at], operator, node.operands[at + 1], parameters)
    elif isinstance(node, ir.Case) and node.subject is not None:
        for branch in node.branches:
            for test in branch.tests:
                if isinstance(test, ir.Apply) and any(isinstance(arg, ir.CaseSubject) for arg in test.args):
                    args = tuple([node.subject if isinstance(arg, ir.CaseSubject) else arg for arg in test.args])
                    if len(args) == 2:
                        yield from _pair(args[0], test.function, args[1], parameters)
                else:
                    yield from _pair(node.subject, "eq", test, parameters)


def _pair(
    left: ir.Expression, operator: str, right: ir.Expression, parameters: Mapping[str, DataType]
) -> Iterator[Pair]:
    constant = constant_of(right, parameters)
    if constant is not None:
        if operator in _SWAPPED or operator in TEXT_TESTS or operator == "in":
            yield _of(left, operator, constant)
        return
    constant = constant_of(left, parameters)
    if constant is None:
        return
    if operator in _SWAPPED:
        yield _of(right, _SWAPPED[operator], constant)
    elif operator == "in":
        yield _of(right, "holds", constant)


def _of(subject: ir.Expression, operator: str, constant: Constant) -> Pair:
    if isinstance(subject, ir.Apply) and subject.function in CASES and len(subject.args) == 1:
        return Pair(subject.args[0], operator, constant, subject.function)
    return Pair(subject, operator, constant)
