"""Reference functions as SQL, for targets that cannot call them: where SQL says exactly the same, else a refusal.

`plain` stands in for a bridge.  What it makes is of the same vocabulary as the rest of the lowering, so that one table
per target prints it; lists are taken apart with `build.unwound`.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build, scalars
from graphir.backends.sql.build import Sql
from graphir.backends.sql.comparisons import OPERATORS
from graphir.backends.sql.conversions import constant, convert, null_term
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATETIME,
    DURATION,
    FLOAT,
    INTEGER,
    NULL,
    OPEN,
    ListRep,
    Rep,
    datatype,
    is_native_key,
    join,
    list_of,
)
from graphir.backends.sql.scalars import Rule, folded, is_single
from graphir.backends.sql.sharing import is_small, shared
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.ir import Node

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
    if function in scalars.STRICT and any(term.rep == NULL for term in terms):
        return null_term(result if result.name in ("boolean", "integer", "float", "string") else NULL)
    rule = RULES.get(function)
    made = folded(function, terms)
    if made is None and rule is not None:
        if rule is _added or (terms and terms[0].rep == DURATION):  # which look at what a term was made of
            made = rule(lowering, terms, result)
        else:
            made = shared(lowering, terms, lambda held: rule(lowering, held, result))
    if made is None:
        reps = ", ".join(str(term.rep) for term in terms)
        told = _WORDS.get(function, f"{function}()")
        lowering.refuse("G560", f"{told} ({reps}) has no exact form in SQL", node)
    return made


# ------------------------------------------------------------------ comparisons

_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def _comparison(operator: str) -> Rule:
    """An integer and a float by their exact values: where the nearest float of the integer is the float, the float is
    an integer, too, or beyond them all."""

    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        left, right = terms
        if isinstance(left.rep, ListRep) and isinstance(right.rep, ListRep) and operator in ("eq", "ne"):
            return _lists(lowering, left, right, operator)
        if left.rep == right.rep == DATETIME:
            return Term(build.noted(build.binary(OPERATORS[operator], left.sql, right.sql), DATETIME), BOOLEAN)
        if {left.rep, right.rep} != {INTEGER, FLOAT} or not is_single(left, right):
            return None
        turned = left.rep == FLOAT
        whole, real = (right, left) if turned else (left, right)
        kind = OPERATORS[_TURNED[operator] if turned else operator]
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


def _lists(lowering: Lowering, left: Term, right: Term, operator: str) -> Term | None:
    """Lists are equal if their elements are, place by place; unknown where a null leaves it open."""
    assert isinstance(left.rep, ListRep)
    assert isinstance(right.rep, ListRep)
    rep = join(left.rep, right.rep)
    element = rep.element if isinstance(rep, ListRep) else NULL
    if lowering.abilities.lambdas or element.name not in _COMPARABLE:
        return None
    left, right = convert(lowering, left, rep), convert(lowering, right, rep)
    lowering.queries += 1
    one, other, rows, more = (lowering.fresh(prefix) for prefix in ("l", "l", "u", "u"))
    lists = [build.column(each) for each in (one, other)]
    unequal = [build.binary(exp.NEQ, build.column("x", rows), build.column("x", more))]
    build.noted(unequal[0], element)
    same = build.noted(build.equal(build.column("x", rows), build.column("x", more)), element)
    place = build.column("i", rows)
    verdict = build.case(
        [
            (build.binary(exp.GT, _count_if(unequal[0], place), build.number(0)), build.boolean(operator == "ne")),
            (build.binary(exp.LT, _count_if(same, place.copy()), exp.Count(this=exp.Star())), _unknown()),
        ],
        build.boolean(operator == "eq"),
    )
    pairs = build.select(
        [verdict],
        [build.unwound(each.copy(), alias, element) for each, alias in zip(lists, (rows, more), strict=True)],
        [build.equal(build.column("i", rows), build.column("i", more))],
    )
    sizes = [build.noted(build.call("len", each.copy()), rep) for each in lists]
    branches: list[tuple[Sql, Sql]] = [
        (build.disjunction([build.is_null(each.copy()) for each in lists]), _unknown()),
        (build.binary(exp.NEQ, *sizes), build.boolean(operator == "ne")),
    ]
    held = build.select([build.alias(left.sql, one), build.alias(right.sql, other)])
    whole = build.case(branches, build.scalar(pairs))
    return Term(build.scalar(build.select([whole], [build.derived(held, lowering.fresh("u"))])), BOOLEAN)


_COMPARABLE = ("boolean", "integer", "string", "date", "node", "edge")
"""Representations of elements that are equal where their columns are."""


def _in(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """Null in the list, or for the item, makes unknown what would be false; nothing is in an empty list."""
    item, source = terms
    if not isinstance(source.rep, ListRep):
        return None
    if source.rep.element == NULL:
        size = build.noted(build.call("len", source.sql), source.rep)
        return Term(build.case([(build.equal(size, build.number(0)), build.boolean(False))]), BOOLEAN)
    if item.rep == FLOAT and source.rep.element in (INTEGER, FLOAT):
        return _among_numbers(item, source)
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


_EXACT = 2**53
"""Integers up to here are floats without rounding."""


def _among_numbers(item: Term, source: Term) -> Term | None:
    """Whether a float is one of known numbers; NaN is none."""
    values = source.constant
    if not isinstance(values, (list, tuple)) or not is_single(item):
        return None
    if not all(type(value) in (int, float) and abs(value) <= _EXACT for value in values):
        return None
    tests = [build.noted(build.equal(item.again(), constant(float(value)).sql), FLOAT) for value in values]
    return Term(build.disjunction(tests), BOOLEAN, present=item.present or not tests)


# ------------------------------------------------------------------ lists


def _added(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """Lists one after the other, or a list with an element more; null if either is.  Else what scalars are added to."""
    if len(terms) != 2 or not any(isinstance(term.rep, ListRep) for term in terms):
        return shared(lowering, terms, lambda held: scalars.RULES["add"](lowering, held, result))
    reps = [term.rep if isinstance(term.rep, ListRep) else list_of(term.rep) for term in terms]
    rep = join(*reps)
    if not isinstance(rep, ListRep) or rep.element in OPEN:
        return None
    before = _summands(terms[0].sql, rep)
    new = terms if before is None else terms[1:]
    return shared(lowering, new, lambda held: _sum(lowering, before or ([], []), held, rep))


def _summands(made: Sql, rep: Rep) -> tuple[list[Sql], list[Sql]] | None:
    """The lists of a sum, and what must not be null for it, so that one more makes a longer sum; None if it is none."""
    unsure: list[Sql] = []
    whole = made
    if isinstance(made, exp.Case) and len(made.args["ifs"]) == 1 and made.args.get("default") is None:
        whole = made.args["ifs"][0].args["true"]
        tests = made.args["ifs"][0].this
        while isinstance(tests, exp.And):
            unsure.append(_untested(tests.expression))
            tests = tests.this
        unsure.append(_untested(tests))
    parts: list[Sql] = []
    if build.note(whole) != rep:
        return None
    while isinstance(whole, exp.Anonymous) and whole.name == "list_concat":
        parts.append(whole.expressions[1])
        whole = whole.expressions[0]
    return ([whole, *reversed(parts)], unsure[::-1]) if parts else None


def _untested(test: Sql) -> Sql:
    """What a test for null tests, as `build.is_not_null` writes it."""
    while isinstance(test, (exp.Paren, exp.Not, exp.Is)):
        test = test.this
    return test


def _sum(lowering: Lowering, before: tuple[list[Sql], list[Sql]], terms: list[Term], rep: ListRep) -> Term:
    parts, unsure = list(before[0]), list(before[1])
    for term in terms:
        if isinstance(term.rep, ListRep):
            parts.append(convert(lowering, term, rep).sql.copy())
        else:
            parts.append(build.noted(build.array([convert(lowering, term, rep.element).sql.copy()]), rep))
        if not term.present and term.sql not in unsure:
            unsure.append(term.sql)
    joined = parts[0]
    for part in parts[1:]:
        joined = build.noted(build.call("list_concat", joined, part), rep)
    made = build.case([(build.conjunction([build.is_not_null(each.copy()) for each in unsure]), joined)])
    return Term(made if unsure else joined, rep, present=not unsure)


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
    element = source.rep.element
    rows, listed = lowering.fresh("u"), lowering.fresh("l")
    test, first = verdict(build.column("x", rows))
    place, tests = build.column("i", rows), ""
    held = test
    if not is_small(test):
        tests = lowering.fresh("u")
        test, place = build.column("y", tests), build.column("i", tests)

    def over(items: Sql) -> Sql:
        """The rows that are counted: the elements, or what the test makes of each."""
        elements = build.unwound(items, rows, element)
        if not tests:
            return elements
        columns = [build.alias(held, "y"), build.alias(build.column("i", rows), "i")]
        return build.derived(build.select(columns, [elements]), tests)

    true = _count_if(test, place)
    false = _count_if(build.negation(test.copy()), place.copy())
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
        return build.scalar(build.select([whole], [over(source.sql)]))
    inner = build.scalar(build.select([whole], [over(build.column(listed))]))
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


def _row_count(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """SKIP and LIMIT by a parameter whose value is not known yet: the target refuses one below zero."""
    value = terms[0]
    if value.rep != INTEGER or value.constant is not UNKNOWN or value.sql.find(exp.Parameter) is None:
        return None
    return Term(value.sql, INTEGER)


RULES: dict[str, Rule] = {
    **scalars.RULES,
    **{operator: _comparison(operator) for operator in OPERATORS},
    "in": _in,
    "add": _added,
    **{f"quantified_{kind}": _quantified(kind) for kind in ("any", "all", "none", "single")},
    "distinct": _distinct,
    "row_count": _row_count,
    "proper_path": lambda lowering, terms, result: terms[0],
    "proper_paths": lambda lowering, terms, result: terms[0],
}
