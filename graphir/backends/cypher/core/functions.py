"""Functions of GQL that no template says: what they become depends on literals, on types, or on how many arguments.

A rule has the call, its arguments in Cypher's terms and their types; it gives an expression, or None where the template
of the function, or Cypher's function of that name, says it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from graphir import ir, types
from graphir.backends.cypher.core.kinds import is_only
from graphir.backends.cypher.core.patterns_of_text import like, searched
from graphir.backends.cypher.core.terms import Rule, Terms, Typed, parsed
from graphir.ir import Apply, Expression, Keyword, Literal
from graphir.types import (
    ANY,
    BOOLEAN,
    DATE,
    FLOAT,
    INTEGER,
    LIST,
    LOCAL_DATETIME,
    NODE,
    PATH,
    RELATIONSHIP,
    STRING,
    ZONED_DATETIME,
)


def integer(node: Expression) -> int | None:
    """The number that an integer literal stands for."""
    if isinstance(node, Literal) and type(node.value) is int:
        return node.value
    if isinstance(node, Apply) and node.function == "neg":
        inner = integer(node.args[0])
        return None if inner is None else -inner
    return None


def text(node: Expression) -> str | None:
    return node.value if isinstance(node, Literal) and isinstance(node.value, str) else None


def filled(terms: Terms, node: Apply, letters: str, body: str, args: Sequence[Typed], kind: int) -> Typed:
    """A template that a rule chose."""
    given = [each.expression for each in args]
    return Typed(terms.filled(node, tuple(letters.split()), body, given), kind)


# ------------------------------------------------------------------ numbers


def _divide(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    """A quotient that has a fraction; by a literal it needs no test."""
    divisor = args[1].expression
    number = divisor.value if isinstance(divisor, Literal) else integer(divisor)
    if not isinstance(number, (int, float)) or number == 0:
        return None
    left = args[0]
    whole = integer(left.expression)
    if whole is not None and abs(whole) < 2**53:
        left = Typed(Literal(float(whole)), FLOAT)
    if FLOAT not in (left.type, args[1].type):
        left = Typed(Apply("toFloat", (left.expression,)), FLOAT)
    return Typed(Apply("div", (left.expression, divisor), span=node.span), FLOAT)


def _quotient(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    """DIV: by a literal but -1 it is Cypher's, which fails by zero too."""
    number = integer(args[1].expression)
    if node.function.startswith("safe.") and number in (None, 0, -1):
        body = "CASE WHEN b = -1 THEN -a ELSE a / CASE WHEN b <> 0 THEN b END END"
        plain = dataclasses.replace(node, function="strict_div")
        return filled(terms, plain, "a b", body, args, INTEGER)
    if number in (None, -1):
        return None
    return Typed(Apply("div", (args[0].expression, args[1].expression), span=node.span), INTEGER)


def _sign(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """The sign of a float is a float."""
    if args[0].type == INTEGER:
        return Typed(Apply("sign", (args[0].expression,), span=node.span), INTEGER)
    if args[0].type == FLOAT:
        return filled(terms, node, "a", "CASE WHEN a > 0 THEN 1.0 WHEN a < 0 THEN -1.0 ELSE a END", args, FLOAT)
    raise terms.tools.report.refusal("untyped", node, "the sign of a number")


def _extreme(function: str) -> Rule:
    """The greatest of many is that of the greatest of all but the last, and the last."""

    def rule(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
        found = args[0]
        for each in args[1:]:
            made = Apply(function, (found.expression, each.expression), span=node.span)
            found = Typed(terms.said(made, list(made.args)), found.type | each.type)
        return found

    return rule


def _power(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """Numbers whose power is none, or is out of reach, raise an error."""
    exponent = integer(args[1].expression)
    if exponent is not None and exponent >= 0:
        test = "CASE WHEN abs(a ^ b) = Infinity AND abs(a) < Infinity THEN 1 / 0 ELSE a ^ b END"
        return filled(terms, node, "a b", test, args, FLOAT)
    finite = "abs(a) < Infinity AND abs(b) < Infinity"
    test = f"CASE WHEN NOT abs(a ^ b) < Infinity AND {finite} THEN 1 / 0 ELSE a ^ b END"
    return filled(terms, node, "a b", test, args, FLOAT)


def _add(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    """Days may be added to a date."""
    if args[0].type == DATE and args[1].type == INTEGER and len(args) == 2:
        sign = "+" if node.function == "add" else "-"
        return filled(
            terms, node, "a b", f"CASE WHEN b IS NOT NULL THEN a {sign} duration({{days: b}}) END", args, DATE
        )
    if any(each.type and is_only(each.type, types.INSTANT | types.DURATION) for each in args):
        raise terms.tools.report.refusal("function", node, f"`{node.function}` of dates or durations")
    return None


# ------------------------------------------------------------------ elements, paths, lists


def _labels(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """The labels in order, whatever their case; those of an edge are its type."""
    kind = types.list_of(STRING)
    if args[0].type == RELATIONSHIP and terms.is_present(args[0].expression):
        return filled(terms, node, "e", "[type(e)]", args, kind)
    if args[0].type == RELATIONSHIP:
        return filled(terms, node, "e", "CASE WHEN e IS NOT NULL THEN [type(e)] END", args, kind)
    if args[0].type != NODE:
        raise terms.tools.report.refusal("untyped", node, "the labels of what may be a node or an edge")
    test = "" if terms.is_present(args[0].expression) else "CASE WHEN n IS NOT NULL THEN "
    body = "COLLECT { UNWIND labels(n) AS l RETURN l ORDER BY toLower(l) }"
    return filled(terms, node, "n", f"{test}{body}{' END' if test else ''}", args, kind)


def _unordered(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    """Where the order of labels does not matter they are not sorted."""
    at = 1 if node.function == "in" else 0
    source = node.args[at]
    inner = source.args[0] if isinstance(source, Apply) and source.function == "coalesce" else source
    if not isinstance(inner, Apply) or inner.function != "element_labels":
        return None
    element = terms.value(inner.args[0])
    if element.type != NODE:
        return None
    labels = Apply("labels", (element.expression,), span=inner.span)
    if isinstance(source, Apply) and inner is not source:
        labels = dataclasses.replace(source, args=(labels, *source.args[1:]))
    made = (args[0].expression, labels) if at else (labels,)
    return Typed(dataclasses.replace(node, args=made), BOOLEAN if at else INTEGER)


def _distinct(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """Whether no element of a list comes twice; nodes and edges are never null."""
    listed = args[0].type & LIST
    if listed and not types.element_of(listed) & ~(NODE | RELATIONSHIP):
        return filled(terms, node, "a", "all(x IN a WHERE single(y IN a WHERE y = x))", args, BOOLEAN)
    body = "CASE WHEN a IS NOT NULL THEN size(COLLECT { UNWIND a AS x RETURN DISTINCT x }) = size(a) END"
    return filled(terms, node, "a", body, args, BOOLEAN)


def _same(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """Whether all are one element; without a pair of them, one that is null would be an error."""
    first, *rest = [each.expression for each in args]
    pairs = [(first, each) for each in rest]
    return _compared(terms, node, "eq", pairs)


def _all_different(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    given = [each.expression for each in args]
    pairs = [(one, other) for at, one in enumerate(given) for other in given[at + 1 :]]
    return _compared(terms, node, "ne", pairs)


def _compared(terms: Terms, node: Apply, operator: str, pairs: list[tuple[Expression, Expression]]) -> Typed:
    tests = tuple([Apply(operator, pair, span=node.span) for pair in pairs])
    test = tests[0] if len(tests) == 1 else Apply("and", tests, span=node.span)
    operands = list(dict.fromkeys([each for pair in pairs for each in pair]))
    missing = [Apply("is_null", (each,)) for each in operands if not terms.is_present(each)]
    if not missing:
        return Typed(test, BOOLEAN)
    unknown = missing[0] if len(missing) == 1 else Apply("or", tuple(missing))
    fault = Apply("eq", (parsed("1 / 0"), Literal(0)))
    return Typed(ir.Case(None, (ir.Branch((unknown,), fault),), test, span=node.span), BOOLEAN)


def _required(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    """An operand that an operator does not take if it is null."""
    return args[0] if terms.is_present(args[0].expression) else None


def _property_exists(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """An element has its declared properties even where they are null, which only a schema rules out."""
    name = text(args[1].expression)
    if name is None or not terms.tools.kinds.is_always_there(name):
        raise terms.tools.report.refusal("untyped", node, "whether an element has a property, which may be null,")
    return Typed(Apply("is_not_null", (ir.Property(args[0].expression, name),), span=node.span), BOOLEAN)


def _concat(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    if any(each.type == PATH for each in args):
        raise terms.tools.report.refusal("function", node, "one path behind another")
    return None


def _item(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    """A place that is a literal needs fewer tests, the first label of an edge none: it is the type."""
    number = integer(args[1].expression)
    kind = types.element_of(args[0].type & LIST)
    labels = node.args[0]
    first_label = number == int(node.function.endswith("ordinal"))
    if first_label and isinstance(labels, Apply) and labels.function == "element_labels":
        element = terms.value(labels.args[0])
        if element.type == RELATIONSHIP:
            return Typed(Apply("type", (element.expression,), span=node.span), STRING)
    first = 1 if node.function.endswith("ordinal") else 0
    if number is None or number < first or not node.function.startswith("at_safe_"):
        return None
    return Typed(ir.Index(args[0].expression, Literal(number - first), span=node.span), kind)


def _subscript(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """`a[i]` of an array counts from 0; of JSON it is something else."""
    if not args[0].type & LIST or not is_only(args[0].type, LIST):
        raise terms.tools.report.refusal("untyped", node, "`[..]` of what may be an array or JSON")
    at = Apply("at_offset", node.args, span=node.span)
    made = _item(terms, at, args)
    if made is not None:
        return made
    said = terms.said(at, [each.expression for each in args])
    return Typed(said, types.element_of(args[0].type & LIST))


def _slice(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """Places from 0, both included; those from the end are refused."""
    low, high = integer(args[1].expression), integer(args[2].expression)
    if low is None or high is None or low < 0 or high < -1:
        raise terms.tools.report.refusal("function", node, "a slice with these places")
    upper = None if high == -1 else Literal(high + 1)
    return Typed(ir.Slice(args[0].expression, Literal(low), upper, span=node.span), args[0].type)


def _flatten(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """The elements of the elements, where those are known to be lists or not."""
    inner = types.element_of(args[0].type & LIST)
    if inner != ANY and is_only(inner, LIST):
        return filled(terms, node, "a", "reduce(l = [], x IN a | l + coalesce(x, []))", args, inner)
    if inner != ANY and not inner & LIST:
        return args[0]
    raise terms.tools.report.refusal("untyped", node, "a list whose elements may be lists")


# ------------------------------------------------------------------ strings


def _substring(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """The first character is at 1, and at 0 too; below that places count from the end."""
    place = integer(args[1].expression)
    length = "" if len(args) == 2 else ", l"
    letters = "a p" if len(args) == 2 else "a p l"
    ahead = f"left(right(a, -p){length})" if length else "right(a, -p)"
    if place is None:
        test = (
            f"CASE WHEN p > 0 THEN substring(a, p - 1{length}) WHEN p = 0 THEN substring(a, 0{length}) ELSE {ahead} END"
        )
        return filled(terms, node, letters, test, args, STRING)
    if place < 0:
        given = [args[0], Typed(Literal(-place), INTEGER), *args[2:]]
        return filled(terms, node, letters, ahead.replace("-p", "p"), given, STRING)
    start = Literal(max(place - 1, 0))
    made = (args[0].expression, start, *[each.expression for each in args[2:]])
    return Typed(Apply("substring", made, span=node.span), STRING)


def _padded(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    pad = " " if len(args) == 2 else text(args[2].expression)
    if not pad:
        raise terms.tools.report.refusal("function", node, "padding that is no literal")
    filler = "left(reduce(s = '', i IN range(1, n - size(a)) | s + p), n - size(a))"
    body = f"{filler} + a" if node.function == "lpad" else f"a + {filler}"
    given = [*args[:2], Typed(Literal(pad), STRING)]
    return filled(
        terms, node, "a n p", f"CASE WHEN n <= size(a) THEN left(a, n) WHEN n > size(a) THEN {body} END", given, STRING
    )


def _like(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    return Typed(_liked(terms, node, args[0].expression, args[1].expression), BOOLEAN)


def _liked(terms: Terms, node: Apply, value: Expression, pattern: Expression) -> Expression:
    known = text(pattern)
    if known is None:
        raise terms.tools.report.refusal("function", node, "LIKE with a pattern that is no literal")
    found = like(known)
    if found is None:
        raise terms.tools.report.refusal("function", node, "LIKE with this pattern")
    return Apply(found[0], (value, Literal(found[1])), span=node.span)


def _like_several(word: str) -> Rule:
    def rule(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
        patterns = args[1].expression
        if not isinstance(patterns, ir.ListOf) or not patterns.items:
            raise terms.tools.report.refusal("function", node, "LIKE with patterns that are no literals")
        tests = [_liked(terms, node, args[0].expression, each) for each in patterns.items]
        made = tests[0] if len(tests) == 1 else Apply(word, tuple(tests), span=node.span)
        return Typed(made, BOOLEAN)

    return rule


def _regexp_contains(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    known = text(args[1].expression)
    found = None if known is None else searched(known)
    if found is None:
        raise terms.tools.report.refusal(
            "function", node, "a regular expression that Java and RE2 may read differently"
        )
    return Typed(Apply("matches", (args[0].expression, Literal(found)), span=node.span), BOOLEAN)


# ------------------------------------------------------------------ dates and times


_PARTS = {
    **{name: f"x.{name.lower()}" for name in ("YEAR", "MONTH", "DAY", "QUARTER")},
    "DAYOFYEAR": "x.ordinalDay",
    "DAYOFWEEK": "x.dayOfWeek % 7 + 1",
    "ISOWEEK": "x.week",
    "ISOYEAR": "x.weekYear",
}
_PARTS_OF_TIME = {name: f"x.{name.lower()}" for name in ("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND")}


def _word(node: Expression) -> str:
    return node.name if isinstance(node, Keyword) else ""


def _extract(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """A part of a date; of an instant, only in the zone that is named."""
    part, value = _word(node.args[0]), args[1]
    body = {**_PARTS, **_PARTS_OF_TIME}.get(part)
    if body is None:
        raise terms.tools.report.refusal("function", node, f"{part or 'this part'} of a date")
    if len(args) == 3 and value.type == ZONED_DATETIME:
        zoned = body.replace("x.", "datetime({datetime: x, timezone: z}).")
        return filled(terms, node, "x z", f"CASE WHEN x IS NOT NULL THEN {zoned} END", args[1:], INTEGER)
    if value.type not in (DATE, LOCAL_DATETIME, types.LOCAL_TIME) or len(args) != 2:
        raise terms.tools.report.refusal("untyped", node, "a part of what may be a date or an instant in a time zone")
    return filled(terms, node, "x", body, [value], INTEGER)


_UNITS = {
    **{name: f"{name.lower()}s" for name in ("YEAR", "MONTH", "WEEK", "DAY", "QUARTER")},
    **{name: f"{name.lower()}s" for name in ("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND")},
}


def _interval(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    unit = _UNITS.get(_word(node.args[1])) if len(args) == 2 else None
    if unit is None:
        raise terms.tools.report.refusal("type", node, "this interval")
    return filled(
        terms, node, "n", f"CASE WHEN n IS NOT NULL THEN duration({{{unit}: n}}) END", args[:1], types.DURATION
    )


def _shifted(sign: str) -> Rule:
    """A date and an interval; what is not known to be one of these may shift by another rule."""

    def rule(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
        amount = node.args[1] if len(node.args) == 2 else None
        unit = (
            _UNITS.get(_word(amount.args[1])) if isinstance(amount, Apply) and amount.function == "interval" else None
        )
        if unit is None:
            raise terms.tools.report.refusal("function", node, "a shift by this interval")
        value = args[0]
        by_date = unit in ("years", "months", "weeks", "days", "quarters")
        if value.type == ZONED_DATETIME and unit in ("years", "months", "quarters"):
            raise terms.tools.report.refusal("function", node, "months of an instant")
        if value.type not in (DATE, LOCAL_DATETIME, ZONED_DATETIME) and not (value.type == ANY and by_date):
            raise terms.tools.report.refusal("untyped", node, "a shift of what may be a date or an instant")
        made = Apply("add" if sign == "+" else "sub", (value.expression, args[1].expression), span=node.span)
        return Typed(made, value.type)

    return rule


_DIFFERENCES = {
    "DAY": "duration.inDays(date(b), date(a)).days",
    "MONTH": "a.year * 12 + a.month - (b.year * 12 + b.month)",
    "QUARTER": "a.year * 4 + a.quarter - (b.year * 4 + b.quarter)",
    "YEAR": "a.year - b.year",
    "ISOYEAR": "a.weekYear - b.weekYear",
}
_SPANS = {"MICROSECOND": 1, "MILLISECOND": 10**3, "SECOND": 10**6, "MINUTE": 60 * 10**6, "HOUR": 3600 * 10**6}


def _date_diff(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """The borders between two dates."""
    body = _DIFFERENCES.get(_word(node.args[2]))
    if body is None:
        raise terms.tools.report.refusal("function", node, f"a difference in {_word(node.args[2])}")
    return filled(terms, node, "a b", body, args[:2], INTEGER)


def _timestamp_diff(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """Whole units between two instants."""
    part = _word(node.args[2])
    length = 86_400 * 10**6 if part == "DAY" else _SPANS.get(part)
    if length is None:
        raise terms.tools.report.refusal("function", node, f"a difference in {part}")
    body = "duration.inSeconds(b, a).microseconds" + (f" / {length}" if length > 1 else "")
    return filled(terms, node, "a b", body, args[:2], INTEGER)


_TRUNCATED = {
    **{name: name.lower() for name in ("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")},
    "ISOWEEK": "week",
    "ISOYEAR": "weekYear",
}


def _date_trunc(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    unit = _TRUNCATED.get(_word(node.args[1])) if len(args) == 2 else None
    function = {DATE: "date", LOCAL_DATETIME: "localdatetime"}.get(args[0].type)
    if unit is None:
        raise terms.tools.report.refusal("function", node, "truncating to this part")
    if function is None:
        raise terms.tools.report.refusal("untyped", node, "truncating what may be a date or an instant in a time zone")
    return filled(
        terms, node, "x", f"CASE WHEN x IS NOT NULL THEN {function}.truncate('{unit}', x) END", args[:1], args[0].type
    )


def _make_date(terms: Terms, node: Apply, args: list[Typed]) -> Typed | None:
    """A date of three numbers, or of a date with or without a time."""
    if len(args) == 3:
        return None
    if len(args) != 1 or args[0].type not in (DATE, LOCAL_DATETIME):
        raise terms.tools.report.refusal("untyped", node, "the date of what may be an instant in a time zone")
    return filled(terms, node, "x", "date(x)", args, DATE)


def _make_timestamp(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    """The instant of an instant; that of a date or a text would depend on the time zone of the engine."""
    if len(args) != 1 or args[0].type != ZONED_DATETIME:
        raise terms.tools.report.refusal("untyped", node, "the instant of what may have no time zone")
    return args[0]


def _untyped(terms: Terms, node: Apply, args: list[Typed]) -> Typed:
    raise terms.tools.report.refusal("untyped", node, "a text that may be a date")


RULES: dict[str, Rule] = {
    "untyped": _untyped,
    "divide": _divide,
    **dict.fromkeys(("strict_div", "safe.strict_div"), _quotient),
    "signum": _sign,
    "strict_pow": _power,
    "add": _add,
    "sub": _add,
    "element_labels": _labels,
    "in": _unordered,
    "size": _unordered,
    "array_is_distinct": _distinct,
    "same": _same,
    "all_different": _all_different,
    "required": _required,
    "property_exists": _property_exists,
    "concat": _concat,
    **dict.fromkeys(("at_offset", "at_safe_offset", "at_ordinal", "at_safe_ordinal"), _item),
    "subscript": _subscript,
    "array_slice": _slice,
    "flatten": _flatten,
    "substr": _substring,
    **dict.fromkeys(("lpad", "rpad"), _padded),
    "like": _like,
    "like_any": _like_several("or"),
    "like_all": _like_several("and"),
    "regexp_contains": _regexp_contains,
    "extract": _extract,
    "interval": _interval,
    "date_add": _shifted("+"),
    "date_sub": _shifted("-"),
    "date_diff": _date_diff,
    "timestamp_diff": _timestamp_diff,
    "date_trunc": _date_trunc,
    "make_date": _make_date,
    "make_timestamp": _make_timestamp,
    "greatest": _extreme("greatest"),
    "least": _extreme("least"),
}
"""Canonical name -> rule."""
