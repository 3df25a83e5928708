"""From one representation to another, constants, and the keys that values are grouped and sorted by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    BOOLEAN,
    DYNAMIC,
    FLOAT,
    INTEGER,
    NULL,
    OPEN,
    STRING,
    ListRep,
    Rep,
    datatype,
    is_native_key,
    is_native_order,
    unify,
)
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.values import codec


def null_term(rep: Rep = NULL) -> Term:
    """Null, in a representation."""
    return Term(build.cast(build.null(), datatype(rep)), rep, None)


def constant(value: bool | int | float | str | None) -> Term:
    """A simple constant."""
    if value is None:
        return null_term()
    if isinstance(value, bool):
        return Term(build.boolean(value), BOOLEAN, value, present=True)
    if isinstance(value, int):
        literal = exp.Literal.number(value) if value >= 0 else exp.Literal.string(str(value))
        return Term(build.cast(literal, datatype(INTEGER)), INTEGER, value, present=True)
    if isinstance(value, float):
        spelled = (
            repr(value) if math.isfinite(value) else {"inf": "Infinity", "-inf": "-Infinity"}.get(str(value), "NaN")
        )
        return Term(build.cast(exp.Literal.string(spelled), datatype(FLOAT)), FLOAT, value, present=True)
    return Term(build.text(value), STRING, value, present=True)


def encoded(value: Any, rep: Rep = DYNAMIC) -> Term:
    """A constant of any type, as a dynamic value."""
    data = codec.encode(value)
    return Term(build.call("from_hex", exp.Literal.string(data.hex())), rep, value, present=True)


def convert(lowering: Lowering, term: Term, rep: Rep) -> Term:
    """The same value in a representation that holds it."""
    if term.rep == rep:
        return term
    if term.rep == NULL:
        return null_term(rep)
    if rep in OPEN:
        return opened(lowering, term, rep)
    if isinstance(rep, ListRep) and isinstance(term.rep, ListRep):
        if term.rep.element.sql == rep.element.sql and {term.rep.element, rep.element} <= OPEN:
            return Term(term.sql, rep, term.constant, present=term.present)
        if term.rep.element == NULL:
            nulls = build.noted(build.cast(term.sql, datatype(rep)), term.rep)
            return Term(nulls, rep, term.constant, present=term.present)
        variable = lowering.fresh("v")
        element = convert(lowering, Term(build.column(variable), term.rep.element), rep.element)
        sql = build.call("list_transform", term.sql, build.function(variable, element.sql))
        return Term(sql, rep, term.constant, present=term.present)
    return lowering.bridge("identity", [term], rep)


def opened(lowering: Lowering, term: Term, rep: Rep = DYNAMIC) -> Term:
    """The value as a dynamic one."""
    if term.rep in OPEN:
        return Term(term.sql, rep, term.constant, present=term.present)
    if term.rep == NULL:
        return null_term(rep)
    if term.constant is not UNKNOWN and isinstance(term.constant, (bool, int, float, str)):
        return encoded(term.constant, rep)
    risks = lowering.risks
    made = lowering.bridge("identity", [term], rep)
    lowering.risks = risks
    return Term(made.sql, rep, term.constant, present=term.present)


def aligned(lowering: Lowering, terms: Sequence[Term]) -> tuple[list[Term], Rep]:
    """The terms in the one representation that holds them all."""
    rep = unify([term.rep for term in terms])
    return [convert(lowering, term, rep) for term in terms], rep


def grouping_key(lowering: Lowering, term: Term) -> Sql | None:
    """What stands for the value in grouping, where the column itself cannot; None where it can."""
    return None if is_native_key(term.rep) else _key(lowering, term)


def sorting_key(lowering: Lowering, term: Term) -> Sql:
    """What the rows are sorted by; null where the value is null."""
    return term.again() if is_native_order(term.rep) else _key(lowering, term)


def _key(lowering: Lowering, term: Term) -> Sql:
    risks = lowering.risks
    made = lowering.bridge("order_key", [Term(term.again(), term.rep)], DYNAMIC)
    lowering.risks = risks
    return made.sql
