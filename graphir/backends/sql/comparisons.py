"""Equality, order and membership, three-valued.

Values of one simple type compare natively, values of types that never compare are decided here, and the rest is left
to the reference functions.  NaN equals nothing and is in no order, which the target sees otherwise: it is guarded.
"""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import null_term
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    DATETIME,
    EDGE,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    LOCAL_TIME,
    NODE,
    NULL,
    OPEN,
    STRING,
    ListRep,
    MapRep,
    Rep,
    datatype,
)
from graphir.backends.sql.sharing import shared
from graphir.backends.sql.terms import Term, Untyped
from graphir.ir import Node

NUMBERS = (INTEGER, FLOAT)
_NATIVE_EQUALITY = frozenset((BOOLEAN, INTEGER, FLOAT, STRING, NODE, EDGE, DATE, LOCAL_TIME, LOCAL_DATETIME))
_NATIVE_ORDER = frozenset((BOOLEAN, INTEGER, FLOAT, STRING, DATE, LOCAL_TIME, LOCAL_DATETIME))
_EXACT = 1 << 53
"""Integers up to here are the same as floats."""

OPERATORS: dict[str, type[exp.Binary]] = {
    "eq": exp.EQ,
    "ne": exp.NEQ,
    "lt": exp.LT,
    "le": exp.LTE,
    "gt": exp.GT,
    "ge": exp.GTE,
}


def compare(lowering: Lowering, operator: str, left: Term, right: Term, node: Node | None = None) -> Term:
    """`left operator right`; the operator is eq, ne, lt, le, gt or ge."""
    if NULL in (left.rep, right.rep):
        return null_term(BOOLEAN)
    made = shared(lowering, [left, right], lambda held: _compared(lowering, operator, held[0], held[1], node))
    assert made is not None
    return made


def _compared(lowering: Lowering, operator: str, left: Term, right: Term, node: Node | None) -> Term:
    left, right = _typed(lowering, left, right, node), _typed(lowering, right, left, node)
    if left.rep in NUMBERS and right.rep in NUMBERS:
        return _numbers(lowering, operator, left, right, node)
    native = _NATIVE_EQUALITY if operator in ("eq", "ne") else _NATIVE_ORDER
    if left.rep == right.rep and left.rep in native:
        return Term(build.noted(build.binary(OPERATORS[operator], left.sql, right.sql), left.rep), BOOLEAN)
    if _never_meet(left.rep, right.rep):
        return _apart(operator, left, right)
    if operator not in ("eq", "ne") and left.rep == right.rep and left.rep in (NODE, EDGE):
        return null_term(BOOLEAN)
    risks = lowering.risks
    made = lowering.bridge(operator, [left, right], BOOLEAN, node)
    lowering.risks = risks
    return made


_CASTS = {
    DATE: "cast_date",
    DATETIME: "cast_timestamp",
    LOCAL_DATETIME: "cast_datetime",
    LOCAL_TIME: "cast_time",
}


def _typed(lowering: Lowering, text: Term, other: Term, node: Node | None) -> Term:
    """A text without a type, in the type of the other value."""
    if not isinstance(text.constant, Untyped) or isinstance(other.constant, Untyped):
        return text
    if other.rep in OPEN:
        return lowering.bridge("typed_like", [text, other], other.rep, node)
    function = _CASTS.get(other.rep)
    return text if function is None else lowering.bridge(function, [text], other.rep, node)


def _family(rep: Rep) -> str:
    """Values of different families are never equal and not in order."""
    if rep in NUMBERS:
        return "number"
    return "list" if isinstance(rep, ListRep) else "map" if isinstance(rep, MapRep) else rep.name


def _never_meet(one: Rep, other: Rep) -> bool:
    return one not in OPEN and other not in OPEN and _family(one) != _family(other)


def _apart(operator: str, left: Term, right: Term) -> Term:
    """The comparison of two that are of different types: unknown in order, else unequal unless one is null."""
    if operator not in ("eq", "ne"):
        return null_term(BOOLEAN)
    nulls = [build.is_null(term.sql) for term in (left, right) if not term.present]
    unequal = build.boolean(operator == "ne")
    if not nulls:
        return Term(unequal, BOOLEAN)
    return Term(build.case([(build.negation(build.disjunction(nulls)), unequal)]), BOOLEAN)


def _numbers(lowering: Lowering, operator: str, left: Term, right: Term, node: Node | None) -> Term:
    if left.rep == right.rep == INTEGER:
        return Term(build.noted(build.binary(OPERATORS[operator], left.sql, right.sql), INTEGER), BOOLEAN)
    if not (_is_exact(left) and _is_exact(right)):
        return lowering.bridge(operator, [left, right], BOOLEAN, node)
    return _floats(operator, _as_float(left), _as_float(right), lowering, node)


def _is_exact(term: Term) -> bool:
    return term.rep == FLOAT or (isinstance(term.constant, int) and abs(term.constant) <= _EXACT)


def _as_float(term: Term) -> Term:
    if term.rep == FLOAT:
        return term
    return Term(build.cast(term.sql, datatype(FLOAT)), FLOAT, term.constant, present=term.present)


def _floats(operator: str, left: Term, right: Term, lowering: Lowering, node: Node | None) -> Term:
    """NaN is the greatest and equals itself for the target: one operand that would win by that is guarded."""
    guarded = {"eq": left, "ne": left, "gt": left, "ge": left, "lt": right, "le": right}[operator]
    other = right if guarded is left else left
    if operator in ("eq", "ne") and _is_number(right):
        guarded, other = right, left
    copies = not lowering.abilities.bridges
    if not _is_number(guarded) and not (guarded.is_cheap or copies):
        if operator in ("eq", "ne") and other.is_cheap:
            guarded, other = other, guarded
        else:
            return lowering.bridge(operator, [left, right], BOOLEAN, node)
    test = build.noted(build.binary(OPERATORS[operator], left.sql, right.sql), FLOAT)
    if _is_number(guarded):
        return Term(test, BOOLEAN)
    nan: Sql = build.call("isnan", guarded.again())
    if operator == "ne":
        if _sure(other) or copies:
            sound = nan if _sure(other) else build.conjunction([nan, build.is_not_null(other.again())])
            return Term(build.disjunction([test, sound]), BOOLEAN)
        return _bridged(lowering, operator, left, right)
    if _sure(other):
        return Term(build.conjunction([test, build.negation(nan)]), BOOLEAN)
    if not other.is_cheap and not copies:
        return _bridged(lowering, operator, left, right)
    sound = build.disjunction([build.negation(nan), build.is_null(other.again())])
    return Term(build.conjunction([test, sound]), BOOLEAN)


def _bridged(lowering: Lowering, operator: str, left: Term, right: Term) -> Term:
    return lowering.bridge(operator, [Term(left.again(), left.rep), Term(right.again(), right.rep)], BOOLEAN)


def _is_number(term: Term) -> bool:
    """A constant that is not NaN."""
    return isinstance(term.constant, (int, float)) and term.constant == term.constant


def _sure(term: Term) -> bool:
    return term.present


# ------------------------------------------------------------------ membership


def contains(lowering: Lowering, item: Term, source: Term, node: Node | None = None) -> Term:
    """`item IN source`."""
    if source.rep == NULL:
        return null_term(BOOLEAN)
    if isinstance(source.rep, ListRep) and isinstance(source.constant, (list, tuple)):
        found = _among(item, source)
        if found is not None:
            return found
    if (
        isinstance(source.rep, ListRep)
        and source.is_cheap
        and item.is_cheap
        and _is_plain(item.rep, source.rep.element)
    ):
        return _searched(item, source)
    return lowering.bridge("in", [item, source], BOOLEAN, node)


def _is_plain(item: Rep, element: Rep) -> bool:
    return item == element and item in (BOOLEAN, INTEGER, STRING, NODE, EDGE)


def _among(item: Term, source: Term) -> Term | None:
    """A list of constants of the item's own type, without null."""
    values = source.constant
    if (
        not isinstance(source.rep, ListRep)
        or source.rep.element not in (INTEGER, STRING)
        or item.rep != source.rep.element
    ):
        return None
    if not values or not isinstance(source.sql, exp.Array) or any(value is None for value in values):
        return None
    return Term(exp.In(this=build.atom(item.sql), expressions=list(source.sql.expressions)), BOOLEAN)


def _searched(item: Term, source: Term) -> Term:
    """Null in the list, or for the item, makes unknown what would be false; nothing is in an empty list."""
    size = build.call("len", source.again())
    branches: list[tuple[Sql, Sql]] = [
        (build.is_null(source.sql), build.null()),
        (build.equal(size, build.number(0)), build.boolean(False)),
        (build.is_null(item.sql), build.null()),
        (build.noted(build.call("list_contains", source.again(), item.again()), item.rep), build.boolean(True)),
        (build.binary(exp.LT, build.call("list_count", source.again()), size.copy()), build.null()),
    ]
    return Term(build.case(branches, build.boolean(False)), BOOLEAN)
