"""Functions of strings, numbers and dates as SQL, where SQL says exactly what the reference functions do.

A rule makes of its terms what `plain.py` puts in place of a call; what it needs beyond plain SQL are functions of
`targets.target.FUNCTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build, moments, spans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import constant
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    DURATION,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    ListRep,
    Rep,
    datatype,
    list_of,
)
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.diagnostics import RunFault
from graphir.values.functions import FUNCTIONS
from graphir.values.numbers import MAX_INTEGER, MIN_INTEGER
from graphir.values.strings import SPACE

Rule = Callable[[Lowering, list[Term], Rep], Term | None]
"""Arguments and the representation of the result -> the same in SQL; None: not for these."""

_VARYING = frozenset(("rand", "randomUUID", "timestamp"))
_CONSTANTS = frozenset(("pi", "e"))
_CLOCKS = ("date", "time", "localtime", "datetime", "localdatetime")


def folded(function: str, terms: list[Term]) -> Term | None:
    """A function of constants, computed here; None where it has no simple value, or is a fault."""
    values = [term.constant for term in terms]
    if function not in FUNCTIONS or function in _VARYING or function.startswith(_CLOCKS):
        return None
    if (not values and function not in _CONSTANTS) or any(
        value is UNKNOWN or isinstance(value, (list, tuple, dict)) for value in values
    ):
        return None
    try:
        value = FUNCTIONS[function](*values)
    except RunFault:
        return None
    if type(value) not in (bool, int, float, str) or (type(value) is int and not MIN_INTEGER <= value <= MAX_INTEGER):
        return None
    return constant(value)


def is_single(*terms: Term) -> bool:
    """Whether terms may be mentioned more than once: no query stands in them."""
    return all(term.is_cheap or term.sql.find(exp.Select) is None for term in terms)


# ------------------------------------------------------------------ strings


def _is_count(term: Term) -> bool:
    """A constant that says how many characters."""
    return term.rep == INTEGER and isinstance(term.constant, int) and 0 <= term.constant < 1 << 31


def _called(function: str, terms: list[Term], result: Rep) -> Term:
    made = build.noted(build.call(function, *[term.sql for term in terms]), terms[0].rep)
    return Term(made, result, present=all(term.present for term in terms))


def _left(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    text, count = terms
    if text.rep != STRING or not _is_count(count):
        return None
    return _called("substring", [text, constant(1), count], STRING)


def _right(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """The last characters; all where there are fewer."""
    text, count = terms
    if text.rep != STRING or not _is_count(count) or not is_single(text):
        return None
    size = build.noted(build.call("length", text.again()), STRING)
    short = build.noted(build.binary(exp.LTE, size, constant(count.constant).sql), INTEGER)
    begin = build.binary(exp.Sub, size.copy(), constant(count.constant - 1).sql)
    rest = build.noted(build.call("substring", text.again(), build.noted(begin, INTEGER)), STRING)
    return Term(build.case([(short, text.sql)], rest), STRING, present=text.present)


def _is_empty(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep == STRING:
        same = build.noted(build.equal(value.sql, build.text("")), STRING)
        return Term(same, BOOLEAN, present=value.present)
    if isinstance(value.rep, ListRep):
        size = build.noted(build.call("len", value.sql), value.rep)
        return Term(build.equal(size, build.number(0)), BOOLEAN, present=value.present)
    return None


def _concat(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    if any(term.rep != STRING for term in terms):
        return None
    made = terms[0].sql
    for term in terms[1:]:
        made = build.binary(exp.DPipe, made, term.sql)
    return Term(made, STRING, present=all(term.present for term in terms))


def _substring(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    text, bounds = terms[0], terms[1:]
    if text.rep != STRING or not all(_is_count(bound) for bound in bounds):
        return None
    begin = constant(bounds[0].constant + 1)
    return _called("substring", [text, begin, *bounds[1:]], STRING)


def _replace(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    if len(terms) != 3 or any(term.rep != STRING for term in terms):
        return None
    if not isinstance(terms[1].constant, str) or not terms[1].constant:
        return None  # the empty string occurs between characters
    return _called("replace", terms, STRING)


def _split(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    text, delimiter = terms
    if text.rep != STRING or not isinstance(delimiter.constant, str) or not delimiter.constant:
        return None
    return _called("string_split", terms, list_of(STRING))


def _trim(function: str) -> Rule:
    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        if terms[0].rep != STRING or len(terms) > 2:
            return None
        if len(terms) == 1:
            return _called(function, [terms[0], constant("".join(sorted(SPACE)))], STRING)
        characters = terms[1].constant
        return _called(function, terms, STRING) if isinstance(characters, str) and characters else None

    return rule


def _length(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    return _called("length", terms, INTEGER) if terms[0].rep == STRING else None


def _rounded(function: str) -> Rule:
    """ceil() and floor(): floats, of integers too."""

    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        if len(terms) != 1 or terms[0].rep not in (INTEGER, FLOAT):
            return None
        value = terms[0]
        if value.rep == INTEGER:
            return Term(build.cast(value.sql, datatype(FLOAT)), FLOAT, present=value.present)
        return _called(function, terms, FLOAT)

    return rule


def _test(kind: type[exp.Binary], value: Term, bound: float) -> Sql:
    return build.noted(build.binary(kind, value.again(), constant(bound).sql), FLOAT)


def _round(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """The nearest whole number, a half going up; what is beyond the integers becomes the nearest of them."""
    value = terms[0]
    if len(terms) != 1 or value.rep not in (INTEGER, FLOAT) or not is_single(value):
        return None
    if value.rep == INTEGER:
        return Term(build.cast(value.sql, datatype(FLOAT)), FLOAT, present=value.present)
    below = build.noted(build.call("floor", value.again()), FLOAT)
    part = build.noted(build.binary(exp.Sub, value.again(), below.copy()), FLOAT)
    above = build.noted(build.binary(exp.Add, below.copy(), constant(1.0).sql), FLOAT)
    unsigned = build.noted(build.binary(exp.Add, below.copy(), constant(0.0).sql), FLOAT)  # 0.0 of -0.0
    infinite = [_test(exp.EQ, value, float("inf")), _test(exp.EQ, value, float("-inf"))]
    branches: list[tuple[Sql, Sql]] = [
        (build.disjunction([build.call("isnan", value.again()), *infinite]), value.again()),
        (_test(exp.GTE, value, 2.0**63), constant(float(MAX_INTEGER)).sql),
        (_test(exp.LTE, value, -(2.0**63)), constant(float(MIN_INTEGER)).sql),
        (build.noted(build.binary(exp.GTE, part, constant(0.5).sql), FLOAT), above),
    ]
    return Term(build.case(branches, unsigned), FLOAT, present=value.present)


def _to_integer(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """A float is cut towards zero, and becomes the nearest integer where there is none like it; NaN becomes 0."""
    value = terms[0]
    if value.rep == INTEGER:
        return value
    if value.rep == STRING:
        return moments.number(lowering, value, INTEGER)
    if not is_single(value) or value.rep not in (FLOAT, BOOLEAN):
        return None
    if value.rep == BOOLEAN:
        negated = build.negation(value.again())
        found: list[tuple[Sql, Sql]] = [(value.again(), constant(1).sql), (negated, constant(0).sql)]
        return Term(build.case(found), INTEGER, present=value.present)
    cut = build.cast(build.noted(build.call("trunc", value.again()), FLOAT), datatype(INTEGER))
    branches: list[tuple[Sql, Sql]] = [
        (build.call("isnan", value.again()), constant(0).sql),
        (_test(exp.GTE, value, 2.0**63), constant(MAX_INTEGER).sql),
        (_test(exp.LTE, value, -(2.0**63)), constant(MIN_INTEGER).sql),
    ]
    return Term(build.case(branches, cut), INTEGER, present=value.present)


def _to_float(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep == FLOAT:
        return value
    if value.rep == STRING:
        return moments.number(lowering, value, FLOAT)
    if value.rep != INTEGER:
        return None
    return Term(build.cast(value.sql, datatype(FLOAT)), FLOAT, present=value.present)


def _to_boolean(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep == BOOLEAN:
        return value
    if value.rep != INTEGER:
        return None
    zero = build.noted(build.binary(exp.NEQ, value.sql, build.number(0)), INTEGER)
    return Term(zero, BOOLEAN, present=value.present)


def _to_string(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep == STRING:
        return value
    if value.rep == DATE:
        return Term(build.noted(build.call("date_text", value.sql), DATE), STRING, present=value.present)
    if value.rep not in (INTEGER, BOOLEAN):
        return None
    return Term(build.noted(build.cast(value.sql, datatype(STRING)), value.rep), STRING, present=value.present)


def _added(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """A string and a boolean; a day and a duration."""
    if DURATION in [term.rep for term in terms]:
        return spans.shifted(lowering, terms, back=False)
    if {term.rep for term in terms} != {STRING, BOOLEAN}:
        return None
    texts = [_to_string(lowering, [term], STRING) for term in terms]
    return _concat(lowering, [text for text in texts if text is not None], STRING)


def _positive(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    return terms[0] if terms[0].rep in (INTEGER, FLOAT) else None


def _sign(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep not in (INTEGER, FLOAT) or not is_single(value):
        return None
    if value.rep == FLOAT:
        tests: list[tuple[Sql, Sql]] = [
            (build.is_null(value.again()), build.cast(build.null(), datatype(INTEGER))),
            (build.call("isnan", value.again()), constant(0).sql),
            (_test(exp.GT, value, 0.0), constant(1).sql),
            (_test(exp.LT, value, 0.0), constant(-1).sql),
        ]
        return Term(build.case(tests, constant(0).sql), INTEGER, present=value.present)
    zero = build.number(0)
    branches: list[tuple[Sql, Sql]] = [
        (build.noted(build.binary(exp.GT, value.again(), zero), INTEGER), constant(1).sql),
        (build.noted(build.binary(exp.LT, value.again(), zero.copy()), INTEGER), constant(-1).sql),
        (build.noted(build.equal(value.again(), zero.copy()), INTEGER), constant(0).sql),
    ]
    return Term(build.case(branches), INTEGER, present=value.present)


def _of_float(function: str) -> Rule:
    """Functions that SQL has, of a float; where they are not defined they are no number."""

    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        if len(terms) != 1 or terms[0].rep not in (INTEGER, FLOAT) or not is_single(terms[0]):
            return None
        value = terms[0]
        if value.rep == INTEGER:
            value = Term(build.cast(value.sql, datatype(FLOAT)), FLOAT, present=value.present)
        made = _called(function, [value], FLOAT)
        branches = [
            (build.noted(build.binary(kind, value.again(), constant(bound).sql), FLOAT), constant(given).sql)
            for kind, bound, given in _UNDEFINED.get(function, ())
        ]
        return Term(build.case(branches, made.sql), FLOAT, present=made.present) if branches else made

    return rule


_NAN = float("nan")
_UNDEFINED: dict[str, tuple[tuple[type[exp.Binary], float, float], ...]] = {
    "sqrt": ((exp.LT, 0.0, _NAN),),
    "ln": ((exp.LT, 0.0, _NAN), (exp.EQ, 0.0, float("-inf"))),
    "log10": ((exp.LT, 0.0, _NAN), (exp.EQ, 0.0, float("-inf"))),
    "asin": ((exp.LT, -1.0, _NAN), (exp.GT, 1.0, _NAN)),
    "acos": ((exp.LT, -1.0, _NAN), (exp.GT, 1.0, _NAN)),
}
"""Function -> tests of its argument, and what it gives where they hold."""


def _power(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """A power with an exponent that is known to be whole and not negative: others are not defined everywhere."""
    base, exponent = terms
    known = exponent.constant
    if base.rep not in (INTEGER, FLOAT) or isinstance(known, bool) or not isinstance(known, (int, float)):
        return None
    if not 0 <= known < 1 << 31 or known != int(known):
        return None
    real = base if base.rep == FLOAT else _float(base)
    return _called("pow", [real, constant(float(known))], FLOAT)


def _cased(function: str) -> Rule:
    """Functions of a string that not every target has as Cypher does."""

    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        return _called(function, terms, STRING) if terms[0].rep == STRING else None

    return rule


def _null_if(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """Null where both are equal, else the first."""
    one, other = terms
    if NULL in (one.rep, other.rep):
        return one
    if one.rep != other.rep or one.rep not in (BOOLEAN, INTEGER, STRING, DATE) or not is_single(one):
        return None
    same = build.noted(build.equal(one.again(), other.sql), one.rep)
    return Term(build.case([(same, build.cast(build.null(), datatype(one.rep)))], one.sql), one.rep)


def _divided(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """A float by an integer, of which zero is a fault."""
    over, under = terms
    if over.rep != FLOAT or under.rep != INTEGER or not is_single(under):
        return None
    zero = build.noted(build.equal(under.again(), build.number(0)), INTEGER)
    as_float = build.case([(zero, build.fault("G631: division by zero", under.again(), FLOAT))], _float(under).sql)
    divided = exp.Div(this=build.atom(over.sql), expression=build.atom(as_float), typed=False, safe=False)
    return Term(build.noted(divided, FLOAT), FLOAT)


def _float(value: Term) -> Term:
    return Term(build.cast(value.again(), datatype(FLOAT)), FLOAT, present=value.present)


def _is_nan(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep not in (INTEGER, FLOAT) or not is_single(value):
        return None
    made = build.boolean(False) if value.rep == INTEGER else _called("isnan", terms, BOOLEAN).sql
    if value.present:
        return Term(made, BOOLEAN, present=True)
    return Term(build.case([(build.is_not_null(value.again()), made)]), BOOLEAN)  # which some say is false of null


def _size(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """cardinality() of a list."""
    return _called("len", terms, INTEGER) if isinstance(terms[0].rep, ListRep) else None


RULES: dict[str, Rule] = {
    "left": _left,
    "right": _right,
    "substring": _substring,
    "replace": _replace,
    "split": _split,
    "trim": _trim("trim"),
    "btrim": _trim("trim"),
    "ltrim": _trim("ltrim"),
    "rtrim": _trim("rtrim"),
    "char_length": _length,
    "isEmpty": _is_empty,
    "concat": _concat,
    "reverse": _cased("reverse"),
    "toLower": _cased("lower"),
    "toUpper": _cased("upper"),
    "ceil": _rounded("ceil"),
    "floor": _rounded("floor"),
    "round": _round,
    "sign": _sign,
    "isNaN": _is_nan,
    "cardinality": _size,
    "toBoolean": _to_boolean,
    **{name: _of_float(name) for name in ("sqrt", "exp", "sin", "cos", "atan", "asin", "acos", "degrees", "radians")},
    **{name: _of_float(name) for name in ("tan", "sinh", "cosh", "tanh")},
    "log": _of_float("ln"),
    "log10": _of_float("log10"),
    "div": _divided,
    "pow": _power,
    "pos": _positive,
    "nullIf": _null_if,
    "toInteger": _to_integer,
    "toIntegerOrNull": _to_integer,
    "toFloat": _to_float,
    "toFloatOrNull": _to_float,
    "toBooleanOrNull": _to_boolean,
    "toStringOrNull": _to_string,
    "toString": _to_string,
    "property": moments.part,
    "date": moments.day,
    "datetime": moments.moment,
    "order_key": moments.order_key,
    "duration": spans.constant,
    "duration.between": spans.between("duration_between"),
    "duration.inDays": spans.between("duration_in_days"),
    "add": _added,
    "sub": lambda lowering, terms, result: spans.shifted(lowering, terms, back=True),
}

STRICT = frozenset(
    (
        *("left", "substring", "replace", "split", "trim", "btrim", "ltrim", "rtrim", "char_length", "toLower"),
        *("toUpper", "reverse", "ceil", "floor", "sign", "sqrt", "exp", "log", "log10", "sin", "cos", "atan", "asin"),
        *("acos", "degrees", "radians", "date", "matches", "round", "right", "abs", "isNaN", "toFloat", "toInteger"),
        *("toBoolean", "toString", "tan", "cot", "toIntegerOrNull", "toFloatOrNull", "toBooleanOrNull"),
        *("toStringOrNull", "isEmpty"),
    )
)
"""Functions that give null wherever an argument is null, whatever the others are."""
