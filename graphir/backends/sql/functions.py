"""Operators and functions on terms: native where types are simple and known, else the reference function.

A rule of `NATIVE` gives a term or None, which means: not for these representations.  `result_of` says how the result
of a reference function lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from inspect import signature

from sqlglot import exp

from graphir import ir, types
from graphir.backends.sql import build, expressions, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.comparisons import compare, contains
from graphir.backends.sql.conversions import aligned, constant, convert, null_term
from graphir.backends.sql.lowering import Lowering, Scope
from graphir.backends.sql.reps import (
    ANYTHING,
    BOOLEAN,
    DATE,
    DATETIME,
    DURATION,
    DYNAMIC,
    EDGE,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    LOCAL_TIME,
    NODE,
    NULL,
    OPEN,
    PATH,
    POINT,
    STRING,
    TEMPORAL,
    TIME,
    ListRep,
    MapRep,
    Rep,
    datatype,
    holds_entities,
    join,
    list_of,
    unify,
)
from graphir.backends.sql.sharing import shared
from graphir.backends.sql.terms import END, LABELS, START, TYPE, UNKNOWN, Term
from graphir.functions import AGGREGATES
from graphir.gql_functions import SAFE
from graphir.signatures import signature_of
from graphir.values import google
from graphir.values.functions import FUNCTIONS
from graphir.values.lists import LONGEST

REFERENCE = {**FUNCTIONS, **google.FUNCTIONS}
"""The reference functions by canonical name, of Cypher and of GQL."""

Terms = list[Term]
Native = Callable[[Terms, Scope, ir.Expression], Term | None]


def apply(function: str, terms: Terms, scope: Scope, node: ir.Expression) -> Term:
    """The function on terms."""
    lowering = scope.lowering
    if function in AGGREGATES:
        lowering.refuse("G602", f"{function}() stands where no rows are grouped", node)
    native = NATIVE.get(function)
    if native is not None:
        made = shared(lowering, terms, lambda held: native(held, scope, node))
        if made is not None:
            return made
    if function in _FOLDED and len(terms) > 2:
        made = apply(function, terms[:2], scope, node)
        for term in terms[2:]:
            made = apply(function, [made, term], scope, node)
        return made
    if function in _STRICT and any(term.rep == NULL for term in terms):
        return null_term(BOOLEAN if function in _TESTS else NULL)
    if function.removeprefix(SAFE) not in REFERENCE:
        lowering.refuse("G602", f"the engine has no function {function}()", node)
    if not _takes(function, len(terms)):
        lowering.refuse("G602", f"{function}() of {len(terms)} arguments is not supported by the engine", node)
    safe = function in _SAFE and all(term.rep in _SAFE[function] for term in terms)
    return lowering.bridge(function, terms, result_of(function, terms), node, varies=function in _VARYING, safe=safe)


@cache
def _takes(function: str, count: int) -> bool:
    """Whether the reference function has that many arguments: checking lets through what Neo4j does."""
    try:
        signature(REFERENCE[function.removeprefix(SAFE)]).bind(*[None] * count)
    except TypeError:
        return False
    return True


_SAFE: dict[str, tuple[Rep, ...]] = {
    **dict.fromkeys(("toLower", "toUpper", "trim", "ltrim", "rtrim", "btrim", "split", "replace"), (STRING,)),
    **dict.fromkeys(("reverse", "toBoolean", "toIntegerOrNull", "toFloatOrNull", "char_length"), (STRING,)),
    **dict.fromkeys(("ceil", "floor", "sign", "isNaN", "toFloat"), (INTEGER, FLOAT)),
}
"""Functions that cannot fail on arguments of some representations."""

_FOLDED = frozenset(("add", "mul", "concat"))
_VARYING = frozenset(("rand", "randomUUID"))
_TESTS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "starts_with", "ends_with", "contains", "matches", "not"))
_STRICT = frozenset((*_TESTS, "add", "sub", "mul", "div", "mod", "pow", "neg", "pos", "concat"))


# ------------------------------------------------------------------ representations of results

_REP_OF_TYPE: dict[int, Rep] = {
    types.BOOLEAN: BOOLEAN,
    types.INTEGER: INTEGER,
    types.FLOAT: FLOAT,
    types.STRING: STRING,
    types.DATE: DATE,
    types.LOCAL_TIME: LOCAL_TIME,
    types.ZONED_TIME: TIME,
    types.LOCAL_DATETIME: LOCAL_DATETIME,
    types.ZONED_DATETIME: DATETIME,
    types.DURATION: DURATION,
    types.POINT: POINT,
    **{
        types.list_of(kind): list_of(rep)
        for kind, rep in (
            (types.STRING, STRING),
            (types.INTEGER, INTEGER),
            (types.FLOAT, FLOAT),
            (types.BOOLEAN, BOOLEAN),
        )
    },
}


def result_of(function: str, terms: Sequence[Term]) -> Rep:
    """How the result of a reference function lies."""
    reps = [term.rep for term in terms]
    if function in _ARITHMETIC:
        return _arithmetic(function, *(reps * 2)[:2])
    if function in _TESTS or function in ("and", "or", "xor", "in"):
        return BOOLEAN
    signature = signature_of(function.removeprefix(SAFE))
    if signature is None:
        return opened_like(unify(reps))
    match signature.rule:
        case "=":
            return reps[0] if reps and reps[0] != NULL else DYNAMIC
        case "=*":
            return element_of(reps[0])
        case "=[]":
            return list_of(reps[0])
        case "=|":
            return unify(reps)
        case _:
            return _REP_OF_TYPE.get(signature.result) or opened_like(unify(reps))


_ARITHMETIC = frozenset(("add", "sub", "mul", "div", "mod", "pow", "neg", "pos", "concat"))
_NUMBERS = (INTEGER, FLOAT)


def _arithmetic(function: str, one: Rep, other: Rep) -> Rep:
    if function == "pow":
        return FLOAT
    if function in ("neg", "pos"):
        return one
    if one in _NUMBERS and other in _NUMBERS:
        return INTEGER if one == other == INTEGER else FLOAT
    if isinstance(one, ListRep) and isinstance(other, ListRep):
        return list_of(join(one.element, other.element))
    if isinstance(one, ListRep) and other not in OPEN:
        return list_of(join(one.element, other))
    if isinstance(other, ListRep) and one not in OPEN:
        return list_of(join(one, other.element))
    if isinstance(one, ListRep) or isinstance(other, ListRep):
        return list_of(ANYTHING if holds_entities(one) or holds_entities(other) else DYNAMIC)
    if STRING in (one, other) and one not in OPEN and other not in OPEN:
        return STRING
    if DURATION in (one, other):
        rest = other if one == DURATION else one
        if function in ("mul", "div"):
            return DURATION if rest in _NUMBERS else DYNAMIC
        return rest if rest in TEMPORAL else DYNAMIC
    return ANYTHING if holds_entities(one) or holds_entities(other) else DYNAMIC


def opened_like(rep: Rep) -> Rep:
    """The representation of values of any type: with entities where `rep` has them."""
    return ANYTHING if holds_entities(rep) else DYNAMIC


def element_of(rep: Rep) -> Rep:
    """How an element of a list, or a value of a map, lies."""
    if isinstance(rep, ListRep):
        return rep.element if rep.element != NULL else DYNAMIC
    return opened_like(rep)


_PARTS_OF_TEXT = frozenset(("timezone", "offset", "crs"))
_PARTS_OF_POINT = frozenset(("x", "y", "z", "longitude", "latitude", "height"))


def component(rep: Rep, key: str) -> Rep:
    """How a component of a temporal or spatial value lies."""
    if rep == POINT and key in _PARTS_OF_POINT:
        return FLOAT
    if rep in TEMPORAL or rep == POINT:
        return STRING if key in _PARTS_OF_TEXT else INTEGER
    return opened_like(rep)


# ------------------------------------------------------------------ operators

_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _comparison(operator: str) -> Native:
    return lambda terms, scope, node: compare(scope.lowering, operator, terms[0], terms[1], node)


def _in(terms: Terms, scope: Scope, node: ir.Expression) -> Term:
    return contains(scope.lowering, terms[0], terms[1], node)


def _not(terms: Terms, scope: Scope, node: ir.Expression) -> Term:
    operand = convert(scope.lowering, terms[0], BOOLEAN)
    return Term(build.negation(operand.sql), BOOLEAN, present=operand.present)


def _is_null(terms: Terms, scope: Scope, node: ir.Expression) -> Term:
    return Term(build.is_null(terms[0].sql), BOOLEAN, present=True)


def _is_not_null(terms: Terms, scope: Scope, node: ir.Expression) -> Term:
    return Term(build.is_not_null(terms[0].sql), BOOLEAN, present=True)


def _number_operator(kind: type[exp.Binary]) -> Native:
    """+, - and *: the target finds overflows by itself."""

    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        left, right = terms[0], terms[1]
        if len(terms) != 2 or left.rep not in _NUMBERS or right.rep not in _NUMBERS:
            return None
        rep = INTEGER if left.rep == right.rep == INTEGER else FLOAT
        if rep == INTEGER:
            scope.lowering.risk(node, "G630")
        made = build.noted(build.binary(kind, left.sql, right.sql), rep)
        return Term(made, rep, present=left.present and right.present)

    return native


def _add(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    if len(terms) != 2:
        return None
    left, right = terms
    if left.rep == right.rep == STRING:
        return Term(build.binary(exp.DPipe, left.sql, right.sql), STRING, present=left.present and right.present)
    if {left.rep, right.rep} == {STRING, INTEGER}:
        sides = [build.cast(t.sql, datatype(STRING)) if t.rep == INTEGER else t.sql for t in terms]
        return Term(build.binary(exp.DPipe, *sides), STRING, present=left.present and right.present)
    if isinstance(left.rep, ListRep) and isinstance(right.rep, ListRep) and left.present and right.present:
        (one, other), rep = aligned(scope.lowering, terms)
        return Term(build.noted(build.call("list_concat", one.sql, other.sql), rep), rep, present=True)
    return _PLUS(terms, scope, node)


_PLUS = _number_operator(exp.Add)


def _division(kind: type[exp.Binary]) -> Native:
    """/ and %: of integers the target truncates and finds a zero; of floats it follows IEEE."""

    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        left, right = terms
        if left.rep == right.rep == INTEGER:
            scope.lowering.risk(node, "G630", "G631")
            found = exp.IntDiv if kind is exp.Div else exp.Mod
            return Term(build.noted(build.binary(found, left.sql, right.sql), INTEGER), INTEGER)
        if left.rep not in _NUMBERS or right.rep not in _NUMBERS:
            return None
        may_be_zero = kind is exp.Div and right.rep == INTEGER and right.constant in (0, UNKNOWN)
        if may_be_zero and not all(map(_is_folded, ir.children(node))):
            return None  # a float divided by the integer zero is an error
        sides = [build.cast(term.sql, datatype(FLOAT)) if term.rep == INTEGER else term.sql for term in terms]
        if kind is exp.Div:
            made = exp.Div(this=build.atom(sides[0]), expression=build.atom(sides[1]), typed=False, safe=False)
            return Term(build.noted(made, FLOAT), FLOAT)
        return Term(build.noted(build.binary(exp.Mod, *sides), FLOAT), FLOAT)

    return native


_FOLDED = frozenset(("add", "sub", "mul", "div", "mod", "pow", "neg", "pos"))


def _is_folded(node: ir.Node) -> bool:
    """Whether Neo4j computes it when it plans the query, where the integer zero divides a float as 0.0 does."""
    return all(
        isinstance(each, ir.Literal) or (isinstance(each, ir.Apply) and each.function in _FOLDED)
        for each in ir.walk(node)
    )


def _negative(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if isinstance(value.constant, (int, float)) and not isinstance(value.constant, bool):
        if value.constant == -(1 << 63):
            return None
        return constant(0 - value.constant)
    if value.rep == INTEGER:
        scope.lowering.risk(node, "G630")
        return Term(build.noted(build.binary(exp.Sub, build.number(0), value.sql), INTEGER), INTEGER)
    if value.rep == FLOAT:  # no negative zero comes of it
        zero = build.cast(build.number(0), datatype(FLOAT))
        return Term(build.noted(build.binary(exp.Sub, zero, value.sql), FLOAT), FLOAT)
    return None


def _text_test(function: str) -> Native:
    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        if all(term.rep == STRING for term in terms):
            return Term(build.call(function, terms[0].sql, terms[1].sql), BOOLEAN)
        if any(term.rep not in OPEN and term.rep != STRING for term in terms):
            return null_term(BOOLEAN)
        return None

    return native


# ------------------------------------------------------------------ elements and paths


def as_element(lowering: Lowering, value: Term, rep: Rep, node: ir.Expression) -> Term | None:
    """A node, edge or path out of a value that should be one; None where it is known to be something else."""
    if value.rep == rep:
        return value
    if value.rep == ANYTHING:
        return lowering.bridge(f"to_{rep.name}", [value], rep, node)
    return None


def _of_element(rep: Rep, key: str) -> Native:
    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        if terms[0].rep == NULL:
            return null_term()
        element = as_element(scope.lowering, terms[0], rep, node)
        return None if element is None else scans.read_property(scope.lowering, element, key)

    return native


def _id(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if value.rep in (NODE, EDGE):
        if not scope.lowering.catalog.numbered:
            scope.lowering.refuse("G560", "elements have no ids in these tables, but keys", node)
        return Term(value.sql, INTEGER, present=value.present)
    return null_term() if value.rep == NULL else None


def _element_id(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    found = _id(terms, scope, node)
    return found and Term(build.cast(found.sql, datatype(STRING)), STRING, present=found.present)


def _part_of_path(field: str, element: Rep) -> Native:
    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        if terms[0].rep == NULL:
            return null_term()
        path = as_element(scope.lowering, terms[0], PATH, node)
        rep = list_of(element)
        return path and Term(build.noted(build.field(path.sql, field), rep), rep, present=path.present)

    return native


def _path_length(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    edges = _part_of_path("edges", EDGE)(terms, scope, node)
    return edges and (
        edges if edges.rep == NULL else Term(build.call("len", edges.sql), INTEGER, present=edges.present)
    )


def _properties(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if value.rep in (NODE, EDGE, ANYTHING):
        found = expressions.as_map(scope.lowering, value)
        return found if value.rep != ANYTHING else scope.lowering.bridge("properties", [found], ANYTHING, node)
    return value if isinstance(value.rep, MapRep) or value.rep == NULL else None


def _keys(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    found = _properties(terms, scope, node)
    if found is not None and found.rep == NULL:
        return null_term()
    return scope.lowering.bridge("keys", [found or terms[0]], list_of(STRING), node)


# ------------------------------------------------------------------ lists and strings


def _size(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if isinstance(value.rep, ListRep) or value.rep == STRING:
        measure = "length" if value.rep == STRING else "len"
        return Term(build.noted(build.call(measure, value.sql), value.rep), INTEGER, present=value.present)
    return null_term() if value.rep == NULL else None


def _item(at: int) -> Native:
    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        value = terms[0]
        if not isinstance(value.rep, ListRep):
            return null_term() if value.rep == NULL else None
        taken = build.noted(build.call("list_extract", value.sql, build.number(at)), value.rep.element)
        return Term(taken, value.rep.element)

    return native


def _tail(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if not isinstance(value.rep, ListRep):
        return null_term() if value.rep == NULL else None
    last = build.number((1 << 31) - 1)
    rest = build.noted(build.call("list_slice", value.sql, build.number(2), last), value.rep)
    return Term(rest, value.rep, present=value.present)


def _reverse(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if isinstance(value.rep, ListRep):
        turned = build.noted(build.call("list_reverse", value.sql), value.rep)
        return Term(turned, value.rep, present=value.present)
    return null_term() if value.rep == NULL else None


def _range(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """A list that is known to be too long is left to the reference function, which refuses it."""
    start, end = terms[0].constant, terms[1].constant
    if isinstance(start, int) and isinstance(end, int) and abs(end - start) >= LONGEST:
        return None
    return number_series(terms)


def number_series(terms: Terms) -> Term | None:
    """The numbers of `range()` where they are known to be integers, with a step that is no zero."""
    if any(term.rep != INTEGER or not term.present for term in terms):
        return None
    step = terms[2].constant if len(terms) > 2 else 1
    if not isinstance(step, int) or step == 0:
        return None
    return Term(build.call("generate_series", *[term.sql for term in terms]), list_of(INTEGER), present=True)


def _coalesce(terms: Terms, scope: Scope, node: ir.Expression) -> Term:
    useful = [term for term in terms if term.rep != NULL]
    if not useful:
        return null_term()
    made, rep = aligned(scope.lowering, useful)
    if len(made) == 1:
        return made[0]
    sql: Sql = exp.Coalesce(this=made[0].sql, expressions=[term.sql for term in made[1:]])
    return Term(sql, rep, present=any(term.present for term in useful))


def _to_string(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if value.rep in (STRING, NULL):
        return (
            Term(value.sql, STRING, value.constant, present=value.present) if value.rep == STRING else null_term(STRING)
        )
    if value.rep in (INTEGER, BOOLEAN):
        written = build.noted(build.cast(value.sql, datatype(STRING)), value.rep)
        return Term(written, STRING, present=value.present)
    return None


def _same(rep: Rep) -> Native:
    """A function that does nothing to a value of a representation."""

    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        value = terms[0]
        return Term(value.sql, rep, value.constant, present=value.present) if value.rep == rep else None

    return native


def _to_float(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if value.rep == INTEGER:
        return Term(build.cast(value.sql, datatype(FLOAT)), FLOAT, present=value.present)
    return _same(FLOAT)(terms, scope, node)


def _abs(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    value = terms[0]
    if value.rep not in _NUMBERS:
        return None
    return Term(build.noted(build.call("abs", value.sql), value.rep), value.rep, present=value.present)


def _cost(function: str) -> Native:
    """What COST says, and the sum of it: a fault of any value that is none, of null, too."""

    def rule(terms: Terms, scope: Scope, node: ir.Expression) -> Term:
        cost = terms[0]
        if cost.rep == NULL:
            cost = Term(build.cast(build.null(), datatype(FLOAT)), FLOAT)
        return scope.lowering.bridge(function, [cost], cost.rep, node)

    return rule


NATIVE: dict[str, Native] = {
    **{operator: _comparison(operator) for operator in _COMPARISONS},
    "in": _in,
    "not": _not,
    "is_null": _is_null,
    "is_not_null": _is_not_null,
    "add": _add,
    "sub": _number_operator(exp.Sub),
    "mul": _number_operator(exp.Mul),
    "div": _division(exp.Div),
    "mod": _division(exp.Mod),
    "neg": _negative,
    "starts_with": _text_test("starts_with"),
    "ends_with": _text_test("suffix"),
    "contains": _text_test("contains"),
    "labels": _of_element(NODE, LABELS),
    "type": _of_element(EDGE, TYPE),
    "startNode": _of_element(EDGE, START),
    "endNode": _of_element(EDGE, END),
    "id": _id,
    "elementId": _element_id,
    "nodes": _part_of_path("nodes", NODE),
    "relationships": _part_of_path("edges", EDGE),
    "length": _path_length,
    "path_length": _path_length,
    "properties": _properties,
    "keys": _keys,
    "size": _size,
    "head": _item(1),
    "last": _item(-1),
    "tail": _tail,
    "reverse": _reverse,
    "range": _range,
    "coalesce": _coalesce,
    "toString": _to_string,
    "toInteger": _same(INTEGER),
    "toFloat": _to_float,
    "toBoolean": _same(BOOLEAN),
    "abs": _abs,
    "edge_cost": _cost("edge_cost"),
    "path_cost": _cost("path_cost"),
}
