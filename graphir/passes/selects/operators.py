"""What places, parts, types and texts mean in PostgreSQL, DuckDB, Hyper, Oracle and the standard, in the words of IR.

Each rule is a function of a node and the dialect.  Facts: the references of these databases; PostgreSQL 15, DuckDB 2.0
and Hyper were asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphir import ir
from graphir.ir import (
    Apply,
    Branch,
    Case,
    Cast,
    Expression,
    Index,
    Keyword,
    ListOf,
    Literal,
    Node,
    Ref,
    Struct,
    Subquery,
)
from graphir.passes.selects.scopes import NoGraphQuery

AS_POSTGRES = frozenset(("pgq-postgres", "pgq-duckpgq", "pgq-hyper"))
"""The dialects that have the operators of PostgreSQL, at its levels."""
ORACLE = frozenset(("pgq-oracle-23ai", "pgq-oracle-26ai"))
COMPARING = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "in", "between", "is_distinct"))
"""The functions that compare their arguments."""


def rewritten(node: Node, dialect: str) -> Node:
    """The node as it is meant.  Raises NoGraphQuery for what IR cannot say."""
    match node:
        case Index(base, Literal(int(place))) if not isinstance(place, bool):
            return _at(node, base, place, dialect)
        case Index(base, place):
            return replace(node, index=_from_zero(place, dialect))
        case Apply("bit_xor"):
            told = "a power" if dialect in AS_POSTGRES else "no operator"
            raise NoGraphQuery(f"`^` is {told} in this dialect; write power(a, b)", node.span)
        case Apply(function, (_, operand)) if function in _BITS and dialect in AS_POSTGRES:
            _require_brackets(node, operand)
        case Apply(function, args) if any(isinstance(each, Struct) for each in args) and function in COMPARING:
            return _of_rows(node, dialect)
        case Apply("in", (_, source)) if dialect == "pgq-duckpgq" and not isinstance(source, (ListOf, Subquery)):
            return contained(node)
        case Apply("in", (_, source)) if not isinstance(source, (ListOf, Subquery)):
            raise NoGraphQuery("IN has values in brackets in this dialect; write `= ANY (list)`", node.span)
        case Apply("string_agg", (_, separator)) if not isinstance(separator, (Literal, ir.Parameter)):
            raise NoGraphQuery("the separator of a text must be the same for all rows", separator.span)
        case Apply("substr", (_, start, *_)) if dialect in ORACLE and not _is_place(start):
            raise NoGraphQuery("a place before the first character means something else in Oracle", start.span)
        case Apply("extract", (Keyword(part), *_)):
            return _extracted(node, part, dialect)
        case Cast(type=ir.ValueType("STRING")) if node.keyword == "cast":
            return _as_text(node, dialect)
    return node


# ------------------------------------------------------------------ places in lists


def _at(node: Index, base: Expression, place: int, dialect: str) -> Expression:
    """The element at a place: they count from 1, in DuckDB also from the end, and elsewhere there is nothing."""
    if place > 0:
        return Index(base, Literal(place - 1, span=node.index.span), span=node.span)
    return node if place < 0 and dialect == "pgq-duckpgq" else Literal(None, span=node.span)


def _from_zero(place: Expression, dialect: str) -> Expression:
    """A computed place as IR counts; null, which no list has, for places that are none."""
    if isinstance(place, Literal):
        return place
    positive = Apply("gt", (place, Literal(0)), span=place.span)
    branches = [Branch((positive,), Apply("sub", (place, Literal(1)), span=place.span), span=place.span)]
    if dialect == "pgq-duckpgq":
        negative = Apply("lt", (place, Literal(0)), span=place.span)
        branches.append(Branch((negative,), place, span=place.span))
    return Case(None, tuple(branches), None, span=place.span)


# ------------------------------------------------------------------ operators on bits

_BITS = frozenset(("bit_or", "bit_and", "shift_left", "shift_right"))


def _require_brackets(node: Apply, operand: Expression) -> None:
    """These operators are of one level and go from left to right, where IR was read with a level for each."""
    if not isinstance(operand, Apply) or operand.function not in _BITS:
        return
    if node.span is None or operand.span is None or operand.span.end == node.span.end:
        raise NoGraphQuery("operators on bits go from left to right in this dialect; write brackets", node.span)


# ------------------------------------------------------------------ rows of values


def _of_rows(node: Apply, dialect: str) -> Expression:
    """`(a, b) = (c, d)`, field by field; what compares rows otherwise, or with those of a query, is not said so."""
    match node:
        case Apply("eq", (Struct(left), Struct(right))) if len(left) == len(right):
            tests = [_same(a.value, b.value, dialect) for a, b in zip(left, right, strict=True)]
            return tests[0] if len(tests) == 1 else Apply("and", tuple(tests), span=node.span)
        case Apply("ne", args):
            return Apply("not", (_of_rows(Apply("eq", args, span=node.span), dialect),), span=node.span)
        case Apply("in", (Struct(fields), Subquery(_, body))):
            return _among_rows(node, [each.value for each in fields], body)
        case Apply("in", (row, ir.ListOf(rows))) if rows:
            found = [_of_rows(Apply("eq", (row, each), span=node.span), dialect) for each in rows]
            return found[0] if len(found) == 1 else Apply("or", tuple(found), span=node.span)
    raise NoGraphQuery("rows of values are compared with rows of as many values, by `=`, `<>` and IN", node.span)


def _among_rows(node: Apply, fields: Sequence[Expression], body: ir.Body) -> Expression:
    """`(a, b) IN (SELECT ..)`: whether there is an equal row, and else null where one may be."""
    names = tuple([f"\0row{at}" for at in range(len(fields))])
    tests = [
        Apply("eq", (each, Ref(name, span=node.span)), span=node.span) for each, name in zip(fields, names, strict=True)
    ]
    equal: Expression = tests[0] if len(tests) == 1 else Apply("and", tuple(tests), span=node.span)

    def exists(test: Expression) -> Subquery:
        rows = ir.DerivedTable(body, "\0rows", names, span=node.span)
        item = ir.Item(Literal(1, span=node.span), None, span=node.span)
        return Subquery("exists", ir.Select((item,), rows, test, span=node.span), span=node.span)

    found = Branch((exists(equal),), Literal(True), span=node.span)
    unknown = Branch((exists(Apply("is_null", (equal,), span=node.span)),), Literal(None), span=node.span)
    return Case(None, (found, unknown), Literal(False), span=node.span)


def _same(left: Expression, right: Expression, dialect: str) -> Expression:
    """Whether two fields are equal; in DuckDB null is equal to null there."""
    if dialect != "pgq-duckpgq":
        return Apply("eq", (left, right), span=left.span)
    return Apply("not", (Apply("is_distinct", (left, right), span=left.span),), span=left.span)


# ------------------------------------------------------------------ elements of lists


def contained(node: Apply) -> Expression:
    """`x IN list` of DuckDB is false where the list has a null and not x; `x IN (..)` is as elsewhere."""
    value, source = node.args
    unknown = [Apply("is_null", (each,), span=node.span) for each in (value, source) if not _is_value(each)]
    if not unknown:
        return Apply("coalesce", (node, Literal(False)), span=node.span)
    test = unknown[0] if len(unknown) == 1 else Apply("or", tuple(unknown), span=node.span)
    found = Apply("coalesce", (node, Literal(False)), span=node.span)
    return Case(None, (Branch((test,), node, span=node.span),), found, span=node.span)


def _is_value(value: Expression) -> bool:
    return isinstance(value, ListOf) or (isinstance(value, Literal) and value.value is not None)


# ------------------------------------------------------------------ parts of dates

_PARTS = {"WEEK": "ISOWEEK", "DOY": "DAYOFYEAR"}
"""Spelling -> that of GoogleSQL, whose WEEK begins on Sunday."""
_SECONDS = {f"{part}{s}": part for part in ("SECOND", "MILLISECOND", "MICROSECOND") for s in ("", "S")}


def _extracted(node: Apply, part: str, dialect: str) -> Expression:
    if part in _SECONDS and len(node.args) == 2:
        return _seconds(node, _SECONDS[part], dialect)
    if dialect not in AS_POSTGRES:
        return node
    if part in _PARTS:
        return _part(node, _PARTS[part])
    return Apply("sub", (_part(node, "DAYOFWEEK"), Literal(1)), span=node.span) if part == "DOW" else node


def _part(node: Apply, part: str) -> Apply:
    return replace(node, args=(Keyword(part, span=node.span), *node.args[1:]))


def _seconds(node: Apply, part: str, dialect: str) -> Expression:
    """Seconds have their fraction, except in DuckDB, and smaller parts the seconds, which those of IR have not."""
    has_fraction = dialect != "pgq-duckpgq" and (part == "SECOND" or (part == "MILLISECOND" and dialect not in _WHOLE))
    if part == "SECOND" and not has_fraction:
        return _part(node, part)
    smaller = "MICROSECOND" if has_fraction else part
    in_second = Literal(10**6 if smaller == "MICROSECOND" else 10**3, span=node.span)
    seconds = Apply("mul", (_part(node, "SECOND"), in_second), span=node.span)
    found = Apply("add", (seconds, _part(node, smaller)), span=node.span)
    if not has_fraction:
        return found
    return Apply("divide", (found, Literal(10**6 if part == "SECOND" else 10**3, span=node.span)), span=node.span)


_WHOLE = frozenset(("pgq-duckpgq", "pgq-hyper"))
"""Where milliseconds have no fraction."""


# ------------------------------------------------------------------ texts


def _is_place(start: Expression) -> bool:
    return isinstance(start, Literal) and isinstance(start.value, int) and start.value >= 0


_PADDED = ("CHAR", "CHARACTER", "NCHAR", "BPCHAR")
_UNLIMITED: Mapping[str, int] = {"pgq-oracle-23ai": 4000, "pgq-oracle-26ai": 4000, "pgq-iso": 1000000}
"""The length from which a text of a dialect is never cut."""


def _as_text(node: Cast, dialect: str) -> Expression:
    """A text that is cut at the length of its type.  DuckDB has no such types, and Hyper does not show spaces."""
    size = node.type.size
    words = (node.type.text or "").partition("(")[0].strip()
    whole = replace(node, type=replace(node.type, size=None))
    if dialect == "pgq-duckpgq":
        return whole
    if words in _PADDED and dialect != "pgq-hyper":
        raise NoGraphQuery(f"a text of the type {node.type.text} is filled up with spaces, or cut", node.span)
    if size is None:
        return Apply("substr", (whole, Literal(1), Literal(1)), span=node.span) if words in _PADDED else node
    if size >= _UNLIMITED.get(dialect, size + 1):
        return whole
    if dialect in _UNLIMITED and dialect != "pgq-iso":
        raise NoGraphQuery(f"a text of the type {node.type.text} is cut by its bytes", node.span)
    return Apply("substr", (whole, Literal(1), Literal(size)), span=node.span)


# ------------------------------------------------------------------ texts that are numbers


def require_numbers(query: ir.Query) -> None:
    """Texts whose type only their neighbours tell.  Raises NoGraphQuery."""
    for node in ir.walk(query):
        if isinstance(node, Apply) and node.function in _COMPUTING:
            _require_no_text(node, every=True)
        elif isinstance(node, Apply) and node.function in _CHOOSING:
            _require_no_text(node, every=False)


def _require_no_text(node: Apply, *, every: bool) -> None:
    """That none of the arguments is a literal text, `every`, or one of digits beside what is no literal."""
    if not every and all(isinstance(each, Literal) for each in node.args):
        return
    for each in node.args:
        if isinstance(each, Literal) and isinstance(each.value, str) and (every or is_numeral(each.value)):
            told = f"the text '{each.value}' takes the type of what is beside it: write it as a value of that type"
            raise NoGraphQuery(told, each.span)


def is_numeral(text: str) -> bool:
    """Whether a text is the number of something."""
    return text.strip().lstrip("+-").replace(".", "", 1).isdigit()


_CHOOSING = frozenset(("coalesce", "nullIf"))
_COMPUTING = frozenset(("add", "sub", "mul", "div", "mod", "neg", "divide", "ieee_divide"))
