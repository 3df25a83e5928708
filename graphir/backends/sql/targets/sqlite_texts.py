"""Text and dates in SQLite, whose dates are their ISO texts (years 1 to 9999)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.targets.sqlite_lists import in_order
from graphir.backends.sql.targets.sqlite_pieces import call, held
from graphir.backends.sql.targets.target import Rewriting, Rule


def named(name: str) -> Rule:
    """The rule for a function that SQLite has under another name."""
    return partial(_named, name)


def _named(name: str, node: exp.Anonymous, _: Rewriting) -> Sql:
    return call(name, *node.expressions)


def starts(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    text, begin = node.expressions

    def test(it: list[Sql]) -> Sql:
        return build.equal(call("SUBSTR", text, build.number(1), call("LENGTH", it[0])), it[0].copy())

    return held([begin], test, rewriting)


def ends(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    def test(it: list[Sql]) -> Sql:
        text, end = it
        rest = build.binary(exp.Sub, call("LENGTH", text), call("LENGTH", end))
        cut = call("SUBSTR", text.copy(), build.binary(exp.Add, rest, build.number(1)))
        fits = build.binary(exp.GTE, rest.copy(), build.number(0))
        return build.conjunction([fits, build.equal(cut, end.copy())])

    return held(node.expressions, test, rewriting)


def contains(node: exp.Anonymous, _: Rewriting) -> Sql:
    return build.binary(exp.GT, call("INSTR", *node.expressions), build.number(0))


def _repeated(name: str, first: Sql, step: Sql, columns: tuple[str, ...], found: exp.Select) -> Sql:
    """What a query finds in the rows of a recursive one."""
    alias = exp.TableAlias(this=build.name(name), columns=[build.name(each) for each in columns])
    table = exp.CTE(this=build.union([first, step]), alias=alias)
    found.set("with_", exp.With(expressions=[table], recursive=True))
    return build.scalar(found)


def reverse(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Character by character, from the begin of the text to that of the result."""
    name, given = rewriting.fresh("s"), rewriting.fresh("s")
    source = build.derived(build.select([build.alias(node.expressions[0], "t")]), given)
    first = build.select([build.column("t", given), build.number(0), exp.Literal.string("")], [source])
    text, at, made = (build.column(each, name) for each in ("t", "i", "r"))
    following = build.binary(exp.Add, at, build.number(1))
    left = build.binary(exp.LT, at.copy(), call("LENGTH", text.copy()))
    put = build.binary(exp.DPipe, call("SUBSTR", text.copy(), following.copy(), build.number(1)), made)
    step = build.select([text, following, put], [build.table(name)], [left])
    done = build.equal(at.copy(), call("LENGTH", text.copy()))
    return _repeated(name, first, step, ("t", "i", "r"), build.select([made.copy()], [build.table(name)], [done]))


def split(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The parts between the occurrences of a delimiter that is not empty: one after the other, until none is left."""
    name, given = rewriting.fresh("s"), rewriting.fresh("s")
    text, delimiter = node.expressions
    source = build.derived(build.select([build.alias(text, "t"), build.alias(delimiter, "d")]), given)
    begin = [build.column("t", given), build.column("d", given), exp.Null(), build.number(0)]
    known = build.conjunction([build.is_not_null(build.column(each, given)) for each in ("t", "d")])
    first = build.select(begin, [source], [known])
    rest, mark, at = (build.column(each, name) for each in ("t", "d", "i"))
    place = call("INSTR", rest, mark)
    more = build.binary(exp.GT, place, build.number(0))
    after = call("SUBSTR", rest.copy(), build.binary(exp.Add, place.copy(), call("LENGTH", mark.copy())))
    before = call("SUBSTR", rest.copy(), build.number(1), build.binary(exp.Sub, place.copy(), build.number(1)))
    step = build.select(
        [
            build.case([(more, after)]),
            mark.copy(),
            build.case([(more.copy(), before)], rest.copy()),
            build.binary(exp.Add, at, build.number(1)),
        ],
        [build.table(name)],
        [build.is_not_null(rest.copy())],
    )
    listed = in_order(call("JSON_GROUP_ARRAY", build.column("p", name)), [at.copy()])
    found = build.select([listed], [build.table(name)], [build.binary(exp.GT, at.copy(), build.number(0))])
    found.set("limit", exp.Limit(expression=build.number(1)))
    return _repeated(name, first, step, ("t", "d", "p", "i"), found)


# ------------------------------------------------------------------ dates


def _digits(piece: Sql) -> Sql:
    return exp.Cast(this=piece, to=exp.DataType.build("INTEGER"))


def _cut(start: int, length: int) -> Callable[[Sql], Sql]:
    return lambda date: _digits(call("SUBSTR", date, build.number(start), build.number(length)))


def _told(style: str, *changes: str) -> Callable[[Sql], Sql]:
    """What strftime tells of a date, after changes to it."""
    given = [exp.Literal.string(each) for each in changes]
    return lambda date: _digits(call("STRFTIME", exp.Literal.string(style), date, *[each.copy() for each in given]))


def _divided(piece: Sql, by: int) -> Sql:
    return exp.Div(this=build.atom(piece), expression=build.number(by), typed=True, safe=False)


def _quarter(date: Sql) -> Sql:
    return _divided(build.binary(exp.Add, _cut(6, 2)(date), build.number(2)), 3)


def _weekday(date: Sql) -> Sql:
    """1 is Monday; SQLite's 0 is Sunday."""
    shifted = build.binary(exp.Add, _told("%w")(date), build.number(6))
    return build.binary(exp.Add, build.binary(exp.Mod, shifted, build.number(7)), build.number(1))


def _week(date: Sql) -> Sql:
    """By the Thursday of the week (ISO 8601)."""
    thursday = _told("%j", "-3 days", "weekday 4")(date)
    return build.binary(exp.Add, _divided(build.binary(exp.Sub, thursday, build.number(1)), 7), build.number(1))


_PARTS: dict[str, Callable[[Sql], Sql]] = {
    "year": _cut(1, 4),
    "quarter": _quarter,
    "month": _cut(6, 2),
    "week": _week,
    "day": _cut(9, 2),
    "doy": _told("%j"),
    "isodow": _weekday,
}


def date_part(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    part, date = node.expressions
    make = _PARTS.get(part.name)
    if make is None:
        rewriting.refuse(f"the part {part.name} of a date")
    return held([date], lambda it: make(it[0]), rewriting)


def date_text(node: exp.Anonymous, _: Rewriting) -> Sql:
    """It is one."""
    text: Sql = node.expressions[0]
    return text
