"""Calls with words between their arguments, slices, collations and operators of databases, in the words of IR.

Each rule is a function of a node and the dialect.  Facts: ISO/IEC 9075-2 (6.32, string functions), the references of
PostgreSQL, Oracle, DuckDB and Hyper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graphir import ir
from graphir.ir import Apply, ArraySlice, Branch, Call, Case, Collated, Expression, Literal, SqlOperator, WordedCall
from graphir.passes.selects import lists
from graphir.passes.selects.operators import AS_POSTGRES
from graphir.passes.selects.scopes import NoGraphQuery
from graphir.source import Span

WORDED = (WordedCall, SqlOperator, ArraySlice, Collated)
"""The classes that the rules are about."""
NEGATIVE = frozenset(("pgq-duckpgq",))
"""Dialects in which a place before the first character counts from the end."""


def unworded(node: ir.Node, dialect: str) -> Expression:
    """The node as it is meant.  Raises NoGraphQuery for what IR cannot say."""
    match node:
        case WordedCall():
            written = _WRITTEN.get(node.name)
            if written is None:
                raise NoGraphQuery(f"{node.name} makes or reads JSON, which graph queries have not", node.span)
            return written(node, dialect)
        case SqlOperator(operator):
            raise NoGraphQuery(f"`{operator}` is {_operator(operator)}, which graph queries have not", node.span)
        case ArraySlice():
            return _sliced(node)
    assert isinstance(node, Collated)
    if node.collation[-1].upper() not in _BY_CODE:
        raise NoGraphQuery("COLLATE has no counterpart in graph queries", node.span)
    return node.value


_BY_CODE = frozenset(("C", "POSIX", "C.UTF-8", "C.UTF8", "PG_C_UTF8", "UCS_BASIC", "BINARY"))
"""Collations that compare texts character by character by their codes, as graph queries do."""


def _operator(operator: str) -> str:
    if operator == "AT TIME ZONE":
        return "a moment in a zone"
    if "~" in operator or operator.endswith("LIKE_REGEX"):
        return "a match with a regular expression of the database"
    return "an operator on JSON"


# ------------------------------------------------------------------ texts


def trimmed(value: Expression, characters: Expression | None, side: str, span: Span | None) -> Expression:
    """TRIM takes blanks away, and no other white space, where no characters are named."""
    return Apply(_SIDES[side], (value, characters or Literal(" ")), span=span)


_SIDES = {"LEADING": "ltrim", "TRAILING": "rtrim", "BOTH": "btrim"}


def _trim(node: WordedCall, dialect: str) -> Expression:
    value, *characters = node.args
    side = next((word for word in node.words if word in _SIDES), "BOTH")
    return trimmed(value, characters[0] if characters else None, side, node.span)


def _trim_from(node: WordedCall, dialect: str) -> Expression:
    """`TRIM(characters FROM value)`, where no side is named."""
    if any(word in _SIDES for word in node.words):
        return _trim(node, dialect)
    if len(node.args) != 2:
        raise NoGraphQuery("TRIM has one text and the characters that are taken away", node.span)
    characters, value = node.args
    return trimmed(value, characters, "BOTH", node.span)


def part_of(value: Expression, start: Expression, length: Expression | None, dialect: str, span: Span | None) -> Apply:
    """The characters from a place on, which counts from 1; places before the first have no characters."""
    rest = () if length is None else (length,)
    if isinstance(start, Literal) and type(start.value) is int and start.value >= 1:
        return Apply("substr", (value, start, *rest), span=span)
    if dialect in NEGATIVE:
        raise NoGraphQuery("a place that may be before the first counts from the end, or not, in DuckDB", start.span)
    first = Apply("greatest", (start, Literal(1)), span=start.span)
    if length is None:
        return Apply("substr", (value, first), span=span)
    end = Apply("add", (start, length), span=span)
    left = Apply("greatest", (Apply("sub", (end, first), span=span), Literal(0)), span=span)
    negative = Apply("lt", (length, Literal(0)), span=span)
    counted = Case(None, (Branch((negative,), length, span=span),), left, span=span)
    return Apply("substr", (value, first, counted), span=span)


def substring(node: Call | WordedCall, dialect: str) -> Expression:
    """`SUBSTRING(a FROM b FOR c)`, `SUBSTRING(a, b, c)` and SUBSTR."""
    if len(node.args) not in (2, 3):
        return node
    value, start, *length = node.args
    return part_of(value, start, length[0] if length else None, dialect, node.span)


def _overlay(node: WordedCall, dialect: str) -> Expression:
    value, placed, start, *given = node.args
    length = given[0] if given else Apply("char_length", (placed,), span=node.span)
    if not isinstance(start, Literal) or type(start.value) is not int or start.value < 1:
        raise NoGraphQuery("OVERLAY at a place that may be before the first has no counterpart", start.span)
    before = Apply("substr", (value, Literal(1), Literal(start.value - 1)), span=node.span)
    behind: Expression = Apply("add", (start, length), span=node.span)
    if isinstance(length, Literal) and type(length.value) is int:
        behind = Literal(start.value + length.value, span=node.span)
    after = part_of(value, behind, None, dialect, node.span)
    return Apply("concat", (Apply("concat", (before, placed), span=node.span), after), span=node.span)


def _position(node: WordedCall, dialect: str) -> Expression:
    part, whole = node.args
    return Apply("strpos", (whole, part), span=node.span)


# ------------------------------------------------------------------ lists


def _sliced(node: ArraySlice) -> Expression:
    """Bounds that are literals from 1 on: those before count differently in each database."""
    low = None if node.low is None else Literal(_bound(node.low) - 1, span=node.span)
    high = None if node.high is None else Literal(_bound(node.high), span=node.span)
    return ir.Slice(node.base, low, high, span=node.span)


def _bound(bound: Expression) -> int:
    if isinstance(bound, Literal) and type(bound.value) is int and bound.value >= 1:
        return bound.value
    raise NoGraphQuery("a bound of a slice that is no number from 1 on has no counterpart", bound.span)


# ------------------------------------------------------------------ JSON


def _as_json(node: WordedCall) -> None:
    """Only what is JSON is a value; what is its text has its spelling, too."""
    if node.returned is None or node.returned.name != "JSON":
        raise NoGraphQuery(f"{node.name} makes the text of JSON, which graph queries have not", node.span)


def _json_array(node: WordedCall, dialect: str) -> Expression:
    _as_json(node)
    made = ir.ListOf(node.args, span=node.span)
    if "NULL ON NULL" in node.words or not node.args:
        return made
    item = ir.Ref("\0j")
    return ir.ListComprehension(item.name, made, Apply("is_not_null", (item,)), None, span=node.span)


def _json_object(node: WordedCall, dialect: str) -> Expression:
    _as_json(node)
    entries: list[ir.Entry] = []
    for key, value in zip(node.args[::2], node.args[1::2], strict=True):
        if not isinstance(key, Literal) or not isinstance(key.value, str) or "ABSENT ON NULL" in node.words:
            raise NoGraphQuery("JSON_OBJECT whose keys are not known has no counterpart in graph queries", node.span)
        entries.append(ir.Entry(key.value, value, span=node.span))
    return ir.MapOf(tuple(entries), span=node.span)


def _json_list(node: WordedCall, dialect: str) -> Expression:
    _as_json(node)
    if "NULL ON NULL" not in node.words:
        raise NoGraphQuery("JSON_ARRAYAGG without NULL ON NULL leaves nulls out: not read", node.span)
    return Apply("array_agg", node.args, node.distinct, span=node.span)


def _json_value(node: WordedCall, dialect: str) -> Expression:
    """The size of an array, and the text at a place, which is null where there is none."""
    match node.args, node.returned:
        case (source, Literal("$.size()")), ir.ValueType("NUMERIC") if not set(node.words) - {"RETURNING"}:
            return Apply("json_size", (source,), span=node.span)
        case (source, Literal(str(path))), ir.ValueType("STRING") if set(node.words) == {*_STRICT}:
            place = path.removeprefix("$[").removesuffix("]")
            if place.isdecimal() and path == f"$[{place}]":
                return Apply("json_element", (source, Literal(int(place))), span=node.span)
    raise NoGraphQuery("JSON_VALUE reads JSON, which graph queries have not", node.span)


_STRICT = ("ERROR ON ERROR", "NULL ON EMPTY")


def _json(node: Call, dialect: str) -> Expression:
    """A text as JSON."""
    return Apply("json_value", node.args, span=node.span) if len(node.args) == 1 else node


_WRITTEN: Mapping[str, Callable[[WordedCall, str], Expression]] = {
    "TRIM": _trim_from,
    "SUBSTRING": substring,
    "OVERLAY": _overlay,
    "POSITION": _position,
    "JSON_ARRAY": _json_array,
    "JSON_OBJECT": _json_object,
    "JSON_ARRAYAGG": _json_list,
    "JSON_VALUE": _json_value,
}


def trim(node: Call, dialect: str) -> Expression:
    """`TRIM(value)`, LTRIM, RTRIM and BTRIM, with or without characters."""
    side = {"L": "LEADING", "R": "TRAILING"}.get(node.name[-1][0].upper(), "BOTH")
    if len(node.args) not in (1, 2):
        return node
    return trimmed(node.args[0], node.args[1] if len(node.args) == 2 else None, side, node.span)


def _extreme(function: str) -> Callable[[Call, str], Expression]:
    """GREATEST and LEAST, which pass over nulls in the databases that are like PostgreSQL."""

    def written(node: Call, dialect: str) -> Expression:
        if dialect not in AS_POSTGRES or not 0 < len(node.args) <= _MANY:
            return node
        found, *others = node.args
        for other in others:
            test = Apply("or", (Apply(function, (found, other)), Apply("is_null", (other,))), span=node.span)
            found = Case(None, (Branch((test,), found, span=node.span),), other, span=node.span)
        return found

    return written


_MANY = 4
"""Up to how many values are compared with one another, each written out twice for every one behind it."""


def _end(function: str) -> Callable[[Call, str], Expression]:
    """LEFT and RIGHT; a number below 0 counts from the other side."""

    def written(node: Call, dialect: str) -> Expression:
        match node.args:
            case (_, Literal(int(count))) if count >= 0 and dialect in AS_POSTGRES:
                return Apply(function, node.args, span=node.span)
        return node

    return written


FUNCTIONS: Mapping[str, Callable[[Call, str], Expression]] = {
    **lists.FUNCTIONS,
    "GREATEST": _extreme("gt"),
    "LEAST": _extreme("lt"),
    "LEFT": _end("left"),
    "RIGHT": _end("right"),
    "JSON": _json,
    **dict.fromkeys(("SUBSTRING", "SUBSTR"), substring),
    **dict.fromkeys(("TRIM", "LTRIM", "RTRIM", "BTRIM"), trim),
}
"""Upper-case spelling -> what it is in IR."""
