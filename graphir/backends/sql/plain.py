"""Reference functions as SQL, for targets that cannot call them: where SQL says exactly the same, else a refusal.

`plain` stands in for a bridge.  What it makes is of the same vocabulary as the rest of the lowering, so that one table
per target prints it; lists are taken apart with `build.unwound`.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import constant, null_term
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    ListRep,
    Rep,
    datatype,
    is_native_key,
    list_of,
)
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.diagnostics import RunFault
from graphir.ir import Node
from graphir.values.dates import Date
from graphir.values.strings import SPACE

Rule = Callable[[Lowering, list[Term], Rep], Term | None]
"""Arguments and the representation of the result -> the same in SQL; None: not for these."""

_WORDS = {
    "identity": "values of several types in one place",
    "present": "all properties of an element as a map",
    "order_key": "order and grouping by these values",
    "items": "UNWIND of a value that may be no list",
    "property": "the property of a value that is no node, edge or map of known keys",
    "index": "an index of this kind",
    "slice": "a slice with these bounds",
    "slice_from": "a slice with these bounds",
    "is_typed": "a test of types",
    "merge_maps": "a map projection with all properties",
    "row_count": "SKIP or LIMIT by what is no integer",
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), "a comparison of these types"),
}
"""What calls of functions that no query names come from."""


def plain(lowering: Lowering, function: str, terms: list[Term], result: Rep, node: Node | None) -> Term:
    """The function on the terms in SQL.  Raises Unsupported (G560)."""
    if function in _STRICT and any(term.rep == NULL for term in terms):
        return null_term(result if result.name in ("boolean", "integer", "float", "string") else NULL)
    rule = RULES.get(function)
    made = rule(lowering, terms, result) if rule is not None else None
    if made is None:
        reps = ", ".join(str(term.rep) for term in terms)
        told = _WORDS.get(function, f"{function}()")
        lowering.refuse("G560", f"{told} ({reps}) has no exact form in SQL", node)
    return made


# ------------------------------------------------------------------ comparisons

_OPERATORS: dict[str, type[exp.Binary]] = {
    "eq": exp.EQ,
    "ne": exp.NEQ,
    "lt": exp.LT,
    "le": exp.LTE,
    "gt": exp.GT,
    "ge": exp.GTE,
}
_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def _is_single(*terms: Term) -> bool:
    """Whether terms may be mentioned more than once: no query stands in them."""
    return all(term.is_cheap or term.sql.find(exp.Select) is None for term in terms)


def _comparison(operator: str) -> Rule:
    """An integer and a float by their exact values: where the nearest float of the integer is the float, the float is
    an integer, too, or beyond them all."""

    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        left, right = terms
        if {left.rep, right.rep} != {INTEGER, FLOAT} or not _is_single(left, right):
            return None
        turned = left.rep == FLOAT
        whole, real = (right, left) if turned else (left, right)
        kind = _OPERATORS[_TURNED[operator] if turned else operator]
        near = build.cast(whole.again(), datatype(FLOAT))
        beyond = build.noted(build.binary(exp.GTE, real.again(), constant(9223372036854775808.0).sql), FLOAT)
        same = build.cast(build.noted(build.call("trunc", real.again()), FLOAT), datatype(INTEGER))
        branches: list[tuple[Sql, Sql]] = [
            (
                build.disjunction([build.is_null(whole.again()), build.is_null(real.again())]),
                build.cast(build.null(), datatype(BOOLEAN)),
            ),
            (build.call("isnan", real.again()), build.boolean(operator == "ne")),
            (
                build.noted(build.binary(exp.NEQ, near, real.again()), FLOAT),
                build.noted(build.binary(kind, near.copy(), real.again()), FLOAT),
            ),
            (beyond, build.boolean(kind in (exp.LT, exp.LTE, exp.NEQ))),
        ]
        return Term(build.case(branches, build.noted(build.binary(kind, whole.again(), same), INTEGER)), BOOLEAN)

    return rule


def _in(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """Null in the list, or for the item, makes unknown what would be false; nothing is in an empty list."""
    item, source = terms
    if not isinstance(source.rep, ListRep):
        return None
    if source.rep.element == NULL:
        size = build.noted(build.call("len", source.sql), source.rep)
        return Term(build.case([(build.equal(size, build.number(0)), build.boolean(False))]), BOOLEAN)
    if item.rep == NULL:
        item = null_term(source.rep.element)
    if item.rep != source.rep.element or item.rep.name not in ("boolean", "integer", "string", "node", "edge"):
        return None
    if lowering.abilities.lambdas:
        return Term(build.noted(build.call("list_in", item.sql, source.sql), item.rep), BOOLEAN)
    held = lowering.fresh("v")

    def verdict(element: Sql) -> Sql:
        return build.noted(build.equal(element, build.column(held)), item.rep)

    found = fold(lowering, source, lambda x: (verdict(x), [(build.is_null(build.column(held)), _unknown())]))
    inner = build.derived(build.select([build.alias(item.sql, held)]), lowering.fresh("u"))
    return Term(build.scalar(build.select([found], [inner])), BOOLEAN)


# ------------------------------------------------------------------ lists


def _unknown() -> Sql:
    return build.cast(build.null(), datatype(BOOLEAN))


def _count_if(test: Sql, place: Sql) -> Sql:
    """How many elements satisfy a test.  Their places are counted: a count of nothing but columns of a query around
    this one would be an aggregate of that query."""
    return exp.Count(this=build.case([(test, place)]))


def fold(
    lowering: Lowering, source: Term, verdict: Callable[[Sql], tuple[Sql, list[tuple[Sql, Sql]]]], *, kind: str = "any"
) -> Sql:
    """Whether the tests of the elements are true of any, all, none or a single one; unknown where a null decides.

    `verdict` gives the test of an element, and what decides before, for a list that is not empty.
    """
    lowering.queries += 1
    assert isinstance(source.rep, ListRep)
    rows, listed = lowering.fresh("u"), lowering.fresh("l")
    test, first = verdict(build.column("x", rows))
    true = _count_if(test, build.column("i", rows))
    false = _count_if(build.negation(test.copy()), build.column("i", rows))
    every = exp.Count(this=exp.Star())
    unsure = build.binary(exp.LT, build.binary(exp.Add, true.copy(), false.copy()), every)
    some = build.binary(exp.GT, true.copy(), build.number(0))
    empty = build.equal(every.copy(), build.number(0))
    branches: list[tuple[Sql, Sql]] = [(empty, build.boolean(kind in ("all", "none"))), *first]
    if kind in ("any", "none"):
        branches += [(some, build.boolean(kind == "any")), (unsure, _unknown())]
        default = build.boolean(kind == "none")
    elif kind == "all":
        branches += [(build.binary(exp.GT, false, build.number(0)), build.boolean(False)), (unsure, _unknown())]
        default = build.boolean(True)
    else:
        several = build.binary(exp.GT, true.copy(), build.number(1))
        branches += [(several, build.boolean(False)), (unsure, _unknown())]
        default = build.equal(true, build.number(1))
    whole = build.case(branches, default)
    if source.present:
        return build.scalar(build.select([whole], [build.unwound(source.sql, rows, source.rep.element)]))
    inner = build.scalar(build.select([whole], [build.unwound(build.column(listed), rows, source.rep.element)]))
    known = build.case([(build.is_not_null(build.column(listed)), inner)])
    outer = build.derived(build.select([build.alias(source.sql, listed)]), lowering.fresh("u"))
    return build.scalar(build.select([known], [outer]))


def _quantified(kind: str) -> Rule:
    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        source = terms[0]
        if not isinstance(source.rep, ListRep) or source.rep.element != BOOLEAN:
            return None
        if lowering.abilities.lambdas:
            return Term(build.call(f"list_{kind}", source.sql), BOOLEAN, present=False)
        return Term(fold(lowering, source, lambda x: (x, []), kind=kind), BOOLEAN)

    return rule


def _distinct(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """The elements, each where it comes first."""
    source = terms[0]
    if not isinstance(source.rep, ListRep) or not is_native_key(source.rep.element):
        return None
    if lowering.abilities.lambdas:
        return Term(
            build.noted(build.call("list_distinct", source.sql), source.rep), source.rep, present=source.present
        )
    lowering.queries += 1
    rows, inner = lowering.fresh("u"), lowering.fresh("u")
    value, place = lowering.fresh("y"), lowering.fresh("i")
    columns = [
        build.alias(build.column("x", rows), value),
        build.alias(build.noted(exp.Min(this=build.column("i", rows)), INTEGER), place),
    ]
    grouped = build.select(
        columns, [build.unwound(source.sql, rows, source.rep.element)], group=[build.column("x", rows)]
    )
    order = exp.Order(this=build.column(value), expressions=[build.noted(build.ordered(build.column(place)), INTEGER)])
    listed = build.noted(exp.ArrayAgg(this=order), source.rep)
    gathered = build.scalar(build.select([listed], [build.derived(grouped, inner)]))
    empty = build.cast(build.array([]), datatype(source.rep))
    return Term(exp.Coalesce(this=gathered, expressions=[empty]), source.rep, present=True)


# ------------------------------------------------------------------ strings and numbers


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
        if len(terms) != 1 or terms[0].rep != STRING:
            return None
        return _called(function, [terms[0], constant("".join(sorted(SPACE)))], STRING)

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


def _sign(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep != INTEGER or not _is_single(value):
        return None
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
        if len(terms) != 1 or terms[0].rep not in (INTEGER, FLOAT) or not _is_single(terms[0]):
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
    if one.rep != other.rep or one.rep not in (BOOLEAN, INTEGER, STRING) or not _is_single(one):
        return None
    same = build.noted(build.equal(one.again(), other.sql), one.rep)
    return Term(build.case([(same, build.cast(build.null(), datatype(one.rep)))], one.sql), one.rep)


def _divided(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """A float by an integer, of which zero is a fault."""
    over, under = terms
    if over.rep != FLOAT or under.rep != INTEGER or not _is_single(under):
        return None
    zero = build.noted(build.equal(under.again(), build.number(0)), INTEGER)
    as_float = build.case([(zero, build.fault("G631: division by zero", under.again(), FLOAT))], _float(under).sql)
    divided = exp.Div(this=build.atom(over.sql), expression=build.atom(as_float), typed=False, safe=False)
    return Term(build.noted(divided, FLOAT), FLOAT)


def _float(value: Term) -> Term:
    return Term(build.cast(value.again(), datatype(FLOAT)), FLOAT, present=value.present)


_PARTS = ("year", "month", "day")


def _part_of_date(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    base, key = terms
    if base.rep != DATE or key.constant not in _PARTS:
        return None
    return Term(build.noted(build.call("date_part", key.sql, base.sql), DATE), INTEGER, present=base.present)


def _date(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """date() of a constant; what is no date is left to whoever runs it."""
    if len(terms) != 1 or not isinstance(terms[0].constant, str):
        return None
    try:
        known = Date.parse(terms[0].constant)
    except RunFault:
        return None
    if not 1 <= known.year <= 9999:
        return None
    return Term(build.cast(exp.Literal.string(str(known)), datatype(DATE)), DATE, present=True)


def _is_nan(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    value = terms[0]
    if value.rep != FLOAT:
        return None
    return _called("isnan", terms, BOOLEAN)


def _row_count(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """SKIP and LIMIT by a parameter whose value is not known yet: the target refuses one below zero."""
    value = terms[0]
    if value.rep != INTEGER or value.constant is not UNKNOWN or value.sql.find(exp.Parameter) is None:
        return None
    return Term(value.sql, INTEGER)


RULES: dict[str, Rule] = {
    **{operator: _comparison(operator) for operator in _OPERATORS},
    "in": _in,
    **{f"quantified_{kind}": _quantified(kind) for kind in ("any", "all", "none", "single")},
    "distinct": _distinct,
    "left": _left,
    "substring": _substring,
    "replace": _replace,
    "split": _split,
    "trim": _trim("trim"),
    "btrim": _trim("trim"),
    "ltrim": _trim("ltrim"),
    "rtrim": _trim("rtrim"),
    "char_length": _length,
    "ceil": _rounded("ceil"),
    "floor": _rounded("floor"),
    "sign": _sign,
    "isNaN": _is_nan,
    "row_count": _row_count,
    "reverse": _cased("reverse"),
    "toLower": _cased("lower"),
    "toUpper": _cased("upper"),
    **{name: _of_float(name) for name in ("sqrt", "exp", "sin", "cos", "atan", "asin", "acos", "degrees", "radians")},
    "log": _of_float("ln"),
    "log10": _of_float("log10"),
    "nullIf": _null_if,
    "div": _divided,
    "property": _part_of_date,
    "proper_path": lambda lowering, terms, result: terms[0],
    "proper_paths": lambda lowering, terms, result: terms[0],
    "date": _date,
}

_STRICT = frozenset(
    (
        *("left", "substring", "replace", "split", "trim", "btrim", "ltrim", "rtrim", "char_length", "toLower"),
        *("toUpper", "reverse", "ceil", "floor", "sign", "sqrt", "exp", "log", "log10", "sin", "cos", "atan", "asin"),
        *("acos", "degrees", "radians", "date", "matches", "round", "right", "abs", "isNaN", "toFloat", "toInteger"),
        *("toBoolean", "toString", "tan", "cot", "toIntegerOrNull", "toFloatOrNull", "toBooleanOrNull"),
    )
)
"""Functions that give null wherever an argument is null, whatever the others are."""
