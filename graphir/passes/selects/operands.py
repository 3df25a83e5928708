"""What operators and functions take: a value of another type is refused by PostgreSQL, and converted by rules of their
own by DuckDB and Oracle, where a graph query would give null or stop.

Facts: the references of these databases; PostgreSQL 18 and DuckDB 2.0 were asked for every pair of types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphir import ir
from graphir.ir import Apply, Expression, Node
from graphir.passes.selects import kinds as of
from graphir.passes.selects.kinds import Kinds, Types
from graphir.passes.selects.scopes import NoGraphQuery

TEXT, NUMBER, BOOLEAN, LIST, INTERVAL, MOMENT = "text", "number", "boolean", "list", "interval", "moment"
_CLASSES: Mapping[str, str] = {
    **dict.fromkeys(of.NUMBERS, NUMBER),
    **dict.fromkeys(of.TEXTS, TEXT),
    **dict.fromkeys(of.TEMPORAL, MOMENT),
    of.BOOLEAN: BOOLEAN,
    of.DURATION: INTERVAL,
}
"""A type -> what it is one of.  Others are of no class, and go anywhere."""
Taken = tuple[tuple[str, ...], ...]

_TEXTS: Taken = ((TEXT,),)
_NUMBERS: Taken = ((NUMBER,),)
_BOOLEANS: Taken = ((BOOLEAN,),)
_SUMS: Taken = ((NUMBER, INTERVAL),)
_TAKEN: Mapping[str, Taken] = {
    **dict.fromkeys(("toUpper", "toLower", "char_length", "btrim", "ltrim", "rtrim", "reverse", "ascii"), _TEXTS),
    **dict.fromkeys(("byte_length", "replace_text", "starts_with", "ends_with", "contains", "strpos", "like"), _TEXTS),
    **dict.fromkeys(("translate", "string_agg"), _TEXTS),
    **dict.fromkeys(("substr", "repeat"), ((TEXT,), (NUMBER,))),
    **dict.fromkeys(("lpad", "rpad"), ((TEXT,), (NUMBER,), (TEXT,))),
    **dict.fromkeys(("abs", "ceil", "floor", "trunc", "round", "round_away", "signum", "mod", "degrees"), _NUMBERS),
    **dict.fromkeys(("radians", "sin", "cos", "tan", "atan", "atan2", "tanh", "chr"), _NUMBERS),
    **dict.fromkeys(("strict_sqrt", "strict_exp", "strict_log", "strict_log10", "strict_pow", "strict_cot"), _NUMBERS),
    **dict.fromkeys(("strict_asin", "strict_acos", "strict_sinh", "strict_cosh"), _NUMBERS),
    **dict.fromkeys(
        ("stddev_samp", "var_samp", "stDevP", "var_pop", "percentileCont", "div", "divide", "ieee_divide"), _NUMBERS
    ),
    **dict.fromkeys(("sum_or_null", "avg", "neg", "mul"), _SUMS),
    **dict.fromkeys(("add", "sub"), ((NUMBER, INTERVAL, MOMENT),)),
    **dict.fromkeys(("and", "or", "not", "xor", "logical_and", "logical_or", "countif"), _BOOLEANS),
    "size": ((TEXT, LIST),),
}
"""Canonical function -> the classes of each argument; the last is that of all others."""


def require_operands(query: ir.Query, types: Types) -> None:
    """That no operator or function is given what it does not take.  Raises NoGraphQuery."""
    has_dimensions = types.dialect == "pgq-postgres"
    for node in ir.walk(query):
        if has_dimensions and isinstance(node, _ASKING):
            _require_one_dimension(types, node)
        match node:
            case Apply(function, args) if (taken := _TAKEN.get(function)) is not None:
                for at, each in enumerate(args):
                    _require(types, each, taken[min(at, len(taken) - 1)])
                if function in ("add", "sub"):
                    _require_sum(types, node)
            case Apply("in", (value, source)) if not isinstance(source, (ir.ListOf, ir.Subquery)):
                _require_same(types, value, of.elements(types.of(source)))
            case ir.Case(None, branches):
                for branch in branches:
                    for test in branch.tests:
                        _require(types, test, (BOOLEAN,))
            case ir.Filter(predicate):
                _require(types, predicate, (BOOLEAN,))
            case ir.Index(base, ir.Literal(int())):
                _require(types, base, (LIST,))


_ASKING = (Apply, ir.Index, ir.Slice, ir.Unwind, ir.ListComprehension, ir.Reduce, ir.Quantified)
_PASSING = frozenset(("eq", "ne", "is_distinct", "is_null", "is_not_null", "coalesce", "nullIf", "count", "any_value"))


def _require_one_dimension(types: Types, node: Node) -> None:
    """That no part of an array of arrays is asked for: it is one array of two dimensions there."""
    if isinstance(node, Apply) and node.function in _PASSING:
        return
    for each in ir.children(node):
        kinds = types.of(each) if isinstance(each, Expression) else of.NOTHING
        if any(isinstance(kind, of.Listed) and of.are_lists(kind.elements) for kind in kinds):
            told = "an array of arrays is one array of two dimensions, whose parts no list has"
            raise NoGraphQuery(told, each.span)


def _classes(kinds: Kinds) -> frozenset[str] | None:
    """What values may be; None where that is not known."""
    found = [LIST if isinstance(each, of.Listed) else _CLASSES.get(each) for each in kinds]
    return None if None in found else frozenset([each for each in found if each is not None])


def _require(types: Types, value: Expression, taken: Iterable[str]) -> None:
    found = _classes(types.of(value))
    if found and not found & frozenset(taken):
        told = f"a {min(found)} stands where a {next(iter(taken))} is taken: write a CAST"
        raise NoGraphQuery(told, value.span)


def _require_sum(types: Types, node: Node) -> None:
    """That something is made of what is added."""
    assert isinstance(node, Apply)
    known = [_classes(types.of(each)) for each in node.args]
    if all(known) and types.of(node) == of.UNKNOWN:
        raise NoGraphQuery("such values are not added to each other, or subtracted: write a CAST", node.span)


def _require_same(types: Types, value: Expression, kinds: Kinds) -> None:
    found, elements = _classes(types.of(value)), _classes(kinds)
    if found and elements and not found & elements:
        raise NoGraphQuery(f"a {min(found)} is looked for in a list of other values: write a CAST", value.span)
