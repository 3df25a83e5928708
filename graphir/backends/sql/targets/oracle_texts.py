"""Text and dates in Oracle, where the empty string is null (`oracle_pieces`)."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql, bare
from graphir.backends.sql.reps import DATETIME, STRING
from graphir.backends.sql.sharing import is_small
from graphir.backends.sql.targets.oracle_pieces import (
    all_known,
    call,
    known,
    known_if_empty,
    literal,
    marked,
    may_be_empty,
    once,
    typed,
    where_known,
)
from graphir.backends.sql.targets.rewriting import spelled_time
from graphir.backends.sql.targets.target import Rewriting, Rule
from graphir.values.datetimes import DateTime

EMPTY = "text that may be the empty string, which is null there"
_MARK = "."
"""Before a text it makes one that is never empty and sorts as the text does."""
_IN_ESCAPES = frozenset('"\\/bfnrtu0123456789abcdefABCDEF')
"""Characters inside of the escapes of JSON."""


# ------------------------------------------------------------------ comparisons


def compared(node: exp.Binary, rewriting: Rewriting) -> Sql:
    """A comparison; of texts that may be empty with a character before them, where none is null."""
    left, right = node.this, node.expression
    if build.note(node) != STRING or not (known_if_empty(left) or known_if_empty(right)):
        return node
    if isinstance(node, (exp.EQ, exp.NEQ)):
        for one, other in ((left, right), (right, left)):
            if isinstance(bare(one), exp.Literal) and not known_if_empty(other):
                return build.case([(known(other), build.boolean(isinstance(node, exp.NEQ)))])
    if not (is_small(left) and is_small(right)):
        return build.binary(type(node), marked(left), marked(right))
    test = all_known([left, right])
    made = build.binary(type(node), _longer(left), _longer(right))
    return made if test is None else build.case([(test, made)])


def _longer(piece: Sql) -> Sql:
    inner = bare(piece)
    if isinstance(inner, exp.Literal):
        return exp.Literal.string(_MARK + inner.name)
    return exp.Paren(this=build.binary(exp.DPipe, exp.Literal.string(_MARK), piece))


def tested(node: exp.Is, _: Rewriting) -> Sql:
    """IS NULL."""
    found = known_if_empty(node.this)
    if found is None or not isinstance(node.expression, exp.Null):
        return node
    return build.boolean(not found.this) if isinstance(found, exp.Boolean) else build.negation(found)


def among(node: exp.In, rewriting: Rewriting) -> Sql:
    """IN with a list of constants; a text that is never empty is not the empty one."""
    items = node.expressions
    empty = [item for item in items if known_if_empty(item)]
    if known_if_empty(node.this):
        if not all(isinstance(bare(item), exp.Literal) for item in items) or node.args.get("query"):
            rewriting.refuse(EMPTY)
        if not is_small(node.this):
            return exp.In(this=marked(node.this), expressions=[marked(item) for item in items])
        found = exp.In(this=_longer(node.this), expressions=[_longer(item) for item in items])
        return where_known([node.this], found)
    if not empty:
        return node
    kept = [item for item in items if not known_if_empty(item)]
    if not kept:
        return build.case([(known(node.this), build.boolean(False))])
    node.set("expressions", kept)
    return node


def chosen(node: exp.Coalesce, rewriting: Rewriting) -> Sql:
    """COALESCE: the first value, were it the empty string."""
    options = [node.this, *node.expressions]
    if not any(known_if_empty(each) for each in options):
        return _chosen(node, options)
    return once(node, options, lambda *held: _chosen(node, list(held)), rewriting)


def _chosen(node: exp.Coalesce, options: list[Sql]) -> Sql:
    if isinstance(options[-1], exp.Anonymous) and options[-1].name == "JSON" and len(options) == 2:
        return call("NVL", *options)
    if not any(known_if_empty(each) for each in options):
        return node
    test = build.disjunction([known(each) for each in options])
    if not any(known_if_empty(each) for each in options[:-1]):
        kept = options[:-1]  # the last one is null where it is the empty string
        made = exp.Coalesce(this=kept[0], expressions=[*kept[1:], options[-1]]) if len(options) > 1 else options[0]
        if isinstance(bare(options[-1]), exp.Literal):
            made = kept[0] if len(kept) == 1 else exp.Coalesce(this=kept[0], expressions=kept[1:])
            return may_be_empty(exp.Coalesce(this=made, expressions=[options[-1]]), build.boolean(True))
        return may_be_empty(made, test)
    made = build.case([(known(each), each) for each in options[:-1]], options[-1])
    return may_be_empty(made, test)


def never_empty(piece: Sql, rewriting: Rewriting) -> Sql:
    """The piece, unless it may be the empty string where nothing could tell that from null."""
    if known_if_empty(piece) is not None:
        rewriting.refuse(EMPTY)
    return piece


# ------------------------------------------------------------------ functions


def joined(node: exp.DPipe, rewriting: Rewriting) -> Sql:
    """Null if either is; `||` takes null for the empty string.  Of a chain the outermost sees to all."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    if isinstance(parent, exp.DPipe):
        return node
    parts: list[Sql] = []
    pending: list[Sql] = [node]
    while pending:
        inner = bare(pending.pop())
        if isinstance(inner, exp.DPipe):
            pending += [inner.expression, inner.this]
        else:
            parts.append(inner)
    return concatenated(node, parts, rewriting)


def concatenated(node: Sql, parts: list[Sql], rewriting: Rewriting) -> Sql:
    return once(node, parts, lambda *held: _concatenated(list(held)), rewriting)


def _concatenated(parts: list[Sql]) -> Sql:
    shown = [part.copy() for part in parts if not (isinstance(bare(part), exp.Literal) and known_if_empty(part))]
    made: Sql = shown[0] if shown else parts[0].copy()
    for part in shown[1:]:
        made = exp.DPipe(this=made, expression=build.atom(part))
    whole = where_known(parts, made)
    if all(known_if_empty(part) for part in parts):
        may_be_empty(whole, all_known(parts) or build.boolean(True))
    return whole


def length(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    text = node.expressions[0]
    return call("LENGTH", text) if known_if_empty(text) is None else once(node, [text], _length, rewriting)


def _length(text: Sql) -> Sql:
    found = known_if_empty(text)
    size = call("LENGTH", text)
    if found is None:
        return size
    counted = call("NVL", size, build.number(0))
    return counted if isinstance(found, exp.Boolean) and found.this else build.case([(found, counted)])


def starts(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    def test(text: Sql, begin: Sql) -> Sql:
        return build.equal(call("SUBSTR", text, build.number(1), call("LENGTH", begin)), begin.copy())

    return _searching(node, test, rewriting)


def ends(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """SUBSTR with more characters from the end than there are is null."""

    def test(text: Sql, end: Sql) -> Sql:
        cut = call("SUBSTR", text, exp.Neg(this=call("LENGTH", end)))
        return build.equal(call("NVL", cut, text.copy()), end.copy())

    return _searching(node, test, rewriting)


def contains(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    def test(text: Sql, part: Sql) -> Sql:
        return build.binary(exp.GT, call("INSTR", text, part), build.number(0))

    return _searching(node, test, rewriting)


def _searching(node: exp.Anonymous, test: Callable[[Sql, Sql], Sql], rewriting: Rewriting) -> Sql:
    def searched(text: Sql, part: Sql) -> Sql:
        return _searched(text, part, lambda: test(text, part))

    return once(node, node.expressions, searched, rewriting)


def _searched(text: Sql, part: Sql, test: Callable[[], Sql]) -> Sql:
    """Whether a part is found in a text; the empty part is in all, and in the empty text is no other."""
    if isinstance(bare(part), exp.Literal) and known_if_empty(part):
        return build.case([(known(text), build.boolean(True))])
    found_text, found_part = known_if_empty(text), known_if_empty(part)
    if found_text is None and found_part is None:
        return test()
    sure = all_known([text, part])
    empty = [] if found_part is None else [(build.is_null(part.copy()), build.boolean(True))]
    whole = build.case([*empty, (test(), build.boolean(True))], build.boolean(False))
    return whole if sure is None else build.case([(sure, whole)])


def matches(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Whether a regular expression, of those that all targets read in one way, matches the whole text."""
    text, pattern = node.expressions
    return once(node, [text], lambda held: _matched(held, pattern), rewriting)


def _matched(text: Sql, pattern: Sql) -> Sql:
    whole = exp.Literal.string(f"^({pattern.name})$")
    made = exp.RegexpLike(this=text, expression=whole, flag=exp.Literal.string("c"))
    found = known_if_empty(text)
    if found is None:
        return made
    of_empty = build.boolean(re.fullmatch(pattern.name, "") is not None)
    return build.case([(build.is_not_null(text.copy()), made), (found, of_empty)])


def substring(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """It is empty where it begins behind the text, or has no length; all bounds are known not to be negative."""
    text, begin, *size = node.expressions
    if literal(begin) == 1 and (not size or (literal(size[0]) or 0) > 0) and known_if_empty(text) is None:
        return call("SUBSTR", text, begin, *size)

    def cut(*held: Sql) -> Sql:
        return may_be_empty(call("SUBSTR", *held), all_known(held) or build.boolean(True))

    return once(node, node.expressions, cut, rewriting)


def replaced(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The one that is replaced is a constant that is not empty."""
    return once(node, node.expressions, _replaced, rewriting)


def _replaced(text: Sql, old: Sql, new: Sql) -> Sql:
    made = call("REPLACE", text, old, new)
    whole = where_known([new], made) if known_if_empty(new) is None else made
    if known_if_empty(text) is None and known_if_empty(new) is None:
        return whole
    return may_be_empty(whole, all_known([text, new]) or build.boolean(True))


def trimmed(*functions: str) -> Rule:
    """Characters at the ends."""

    def rule(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
        text, characters = node.expressions

        def cut(held: Sql) -> Sql:
            made = held
            for function in functions:
                made = call(function, made, characters.copy())
            return may_be_empty(made, known(held))

        return once(node, [text], cut, rewriting)

    return rule


def split(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The parts as a JSON array: the text as JSON writes it, with its delimiters as borders of its elements.

    The parts may be empty, which is a text in JSON; only what is null if they are is not said of them.
    """
    text, delimiter = node.expressions
    mark = bare(delimiter).name
    if mark[0] in _IN_ESCAPES or not mark.isprintable() or any(each in '"\\' for each in mark):
        rewriting.refuse(f"split() by {mark!r}")
    if known_if_empty(text) is not None:
        rewriting.refuse(EMPTY)

    def parts(held: Sql) -> Sql:
        whole = exp.JSONArray(expressions=[held])
        found = call("JSON", call("REPLACE", whole, delimiter, exp.Literal.string('","')))
        return build.case([(known(held), found)])

    made = once(node, [text], parts, rewriting)
    made.meta["parts"] = True
    return made


def part(node: exp.Anonymous, items: Sql, place: int, rewriting: Rewriting) -> Sql:
    """The part at a place from 0 of a text that was split."""
    return once(node, [items], lambda held: _part(held, place), rewriting)


def _part(items: Sql, place: int) -> Sql:
    path = f"$[{place}]"
    value = exp.JSONValue(this=items, path=exp.Literal.string(path), returning=typed("VARCHAR2(4000)"))
    exists = exp.JSONExists(this=items.copy(), path=exp.Literal.string(path))
    return may_be_empty(value, exists)


# ------------------------------------------------------------------ dates


def _number(date: Sql, style: str) -> Sql:
    return call("TO_NUMBER", call("TO_CHAR", date, exp.Literal.string(style)))


def _extracted(part: str) -> Callable[[Sql], Sql]:
    return lambda date: exp.Extract(this=exp.Var(this=part), expression=date)


def _weekday(date: Sql) -> Sql:
    """Days since the Monday of the week, and one."""
    monday = call("TRUNC", date.copy(), exp.Literal.string("IW"))
    since = build.binary(exp.Sub, call("TRUNC", date), monday)
    return build.binary(exp.Add, since, build.number(1))


_PARTS: dict[str, Callable[[Sql], Sql]] = {
    "year": _extracted("YEAR"),
    "month": _extracted("MONTH"),
    "day": _extracted("DAY"),
    "quarter": lambda date: _number(date, "Q"),
    "week": lambda date: _number(date, "IW"),
    "doy": lambda date: _number(date, "DDD"),
    "isodow": _weekday,
}


def date_part(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    part_, date = node.expressions
    make = _PARTS.get(part_.name)
    if make is None:
        rewriting.refuse(f"the part {part_.name} of a date")
    return make(date)


def date_text(node: exp.Anonymous, _: Rewriting) -> Sql:
    return call("TO_CHAR", node.expressions[0], exp.Literal.string("YYYY-MM-DD"))


def time_text(node: exp.Anonymous, _: Rewriting) -> Sql:
    value = node.expressions[0]
    value = call("SYS_EXTRACT_UTC", value) if build.note(node) == DATETIME else value
    form = exp.Literal.string('YYYY-MM-DD"T"HH24:MI:SS.FF6')
    made = spelled_time(node, call("TO_CHAR", value, form))
    if build.note(node) != DATETIME:
        return made
    return build.case([(build.is_not_null(value.copy()), made)])


def day_of(node: exp.Anonymous, _: Rewriting) -> Sql:
    """The day of a point in time, of a moment that in UTC."""
    value = node.expressions[0]
    return call("TRUNC", call("SYS_EXTRACT_UTC", value) if build.note(node) == DATETIME else value)


def today(_node: exp.Anonymous, _: Rewriting) -> Sql:
    return call("TRUNC", call("SYS_EXTRACT_UTC", exp.Var(this="SYSTIMESTAMP")))


def months_later(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """ADD_MONTHS takes the last day of a month to the last of another: it is asked for the first of the months."""
    months = node.expressions[1]

    def later(day: Sql) -> Sql:
        first = call("ADD_MONTHS", call("TRUNC", day, exp.Literal.string("MM")), months)
        dates = (day.copy(), call("LAST_DAY", first.copy()))
        least = call("LEAST", *[exp.Extract(this=exp.Var(this="DAY"), expression=each) for each in dates])
        behind = exp.Paren(this=build.binary(exp.Sub, least, build.number(1)))
        return exp.Paren(this=build.binary(exp.Add, first, behind))

    return once(node, [node.expressions[0]], later, rewriting)


def moment(node: exp.Anonymous, _: Rewriting) -> Sql:
    """A constant, in UTC; its year has four digits, and it has no nanoseconds."""
    known = DateTime.parse(node.expressions[0].name)
    clock = known.to_standard().strftime("%H:%M:%S.%f +00:00")
    text = f"{str(known).partition('T')[0]} {clock}"
    return call("TO_TIMESTAMP_TZ", exp.Literal.string(text), exp.Literal.string("YYYY-MM-DD HH24:MI:SS.FF TZH:TZM"))
