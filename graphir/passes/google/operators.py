"""Operators: their signatures by the canonical names of the IR, and what they take beyond them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from graphir import ir
from graphir.passes.google.analysis import Analysis
from graphir.passes.google.coercion import ANYTHING, Typed, coerces, supertype
from graphir.passes.google.places import span_of
from graphir.passes.google.signatures import Function, Passed, resolve
from graphir.passes.google.types import (
    BOOL,
    BYTES,
    ELEMENTS,
    INT64,
    INTEGERS,
    NUMBERS,
    STRING,
    UNKNOWN,
    has_graph,
    has_unknown,
    is_orderable,
)
from graphir.source import Span

OPERATORS = {
    "and": ("$AND", "AND"),
    "or": ("$OR", "OR"),
    "not": ("$NOT", "NOT"),
    "eq": ("$EQUAL", "="),
    "ne": ("$NOT_EQUAL", "!="),
    "lt": ("$LESS", "<"),
    "le": ("$LESS_OR_EQUAL", "<="),
    "gt": ("$GREATER", ">"),
    "ge": ("$GREATER_OR_EQUAL", ">="),
    "add": ("$ADD", "+"),
    "sub": ("$SUBTRACT", "-"),
    "mul": ("$MULTIPLY", "*"),
    "div": ("$DIVIDE", "/"),
    "concat": ("$CONCAT_OP", "||"),
    "neg": ("$UNARY_MINUS", "-"),
    "pos": ("$UNARY_MINUS", "+"),
    "bit_not": ("$BITWISE_NOT", "~"),
    "bit_and": ("$BITWISE_AND", "&"),
    "bit_or": ("$BITWISE_OR", "|"),
    "bit_xor": ("$BITWISE_XOR", "^"),
    "shift_left": ("$BITWISE_LEFT_SHIFT", "<<"),
    "shift_right": ("$BITWISE_RIGHT_SHIFT", ">>"),
    "like": ("$LIKE", "LIKE"),
    "between": ("$BETWEEN", "BETWEEN"),
    "is_null": ("$IS_NULL", "IS NULL"),
    "is_not_null": ("$IS_NULL", "IS NOT NULL"),
    "is_true": ("$IS_TRUE", "IS TRUE"),
    "is_false": ("$IS_FALSE", "IS FALSE"),
    "is_unknown": ("$IS_NULL", "IS UNKNOWN"),
    "is_distinct": ("$IS_DISTINCT_FROM", "IS DISTINCT FROM"),
    "is_source": ("$IS_SOURCE_NODE", "IS SOURCE OF"),
    "is_destination": ("$IS_DEST_NODE", "IS DESTINATION OF"),
}
"""Canonical name -> the operator's name among the functions, and as it is written."""

_ORDERED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_BARE = frozenset({"is_source", "is_destination", "eq", "ne"})
"""Operators that take nodes and edges everywhere."""


def apply(state: Analysis, node: ir.Apply, given: Sequence[Typed]) -> Typed:
    """The type of an operator on operands of these types; reports where it takes none such."""
    name, written = OPERATORS[node.function]
    if node.function == "is_distinct" and not state.has("IS_DISTINCT"):
        at = operator_at(state, node, "IS")
        state.report("G345", "IS DISTINCT FROM is no part of the language here", at, "write != and IS NULL")
        return Typed(BOOL)
    if node.function in _NO_NULL and (null := _literal_null(node)) is not None:
        state.report(
            "G301", f"`{written}` with a literal NULL is always NULL", null, "write IS NULL, or CAST(NULL AS ..)"
        )
        return Typed(BOOL if node.function in _COMPARISONS else UNKNOWN)
    if node.function in _ORDERED and not _are_ordered(state, node, given):
        return Typed(BOOL)
    if node.function in ("eq", "ne", "is_distinct") and not _are_comparable(state, node, given):
        return Typed(BOOL)
    if node.function == "concat" and become_texts(state, given):
        return Typed(STRING)
    if node.function == "concat" and any(each.type.kind == "GRAPH_PATH" for each in given):
        return _concat_paths(state, node, given)
    elements = node.function in _BARE or state.has("EXPOSE_GRAPH_ELEMENT")
    function = state.functions.get(name)
    if function is None or not function.signatures:
        return ANYTHING
    passed = [Passed(each) for each in given]
    found = resolve(function, passed, elements=elements)
    if found is None and check_literals(state, function, passed, node.args, elements=elements):
        return Typed(BOOL if node.function in _COMPARISONS else UNKNOWN)
    if found is None:
        at = span_of(node.args[0]) if node.function == "pos" else span_of(node)
        _refuse(state, node, written, given, operator_at(state, node, written) if node.function == "between" else at)
        return Typed(BOOL if written.isalpha() or node.function in _COMPARISONS else UNKNOWN)
    constant = (
        "literal" if given and all(each.constant == "literal" for each in given) and node.function == "neg" else ""
    )
    return Typed(found, constant, _negated(given[0]) if constant else None)


_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "like"})
_NO_NULL = frozenset(OPERATORS) - {
    *("and", "or", "between", "is_null", "is_not_null", "is_true", "is_false", "is_unknown", "is_distinct"),
    *("is_source", "is_destination"),
}
"""Operators whose operands are no literal NULL."""


def _literal_null(node: ir.Apply) -> ir.Expression | None:
    return next((each for each in node.args if isinstance(each, ir.Literal) and each.value is None), None)


def check_literals(
    state: Analysis, function: Function, given: Sequence[Passed], nodes: Sequence[ir.Node], *, elements: bool
) -> bool:
    """Reports the literal that is what keeps a function from taking its arguments: its text or number is none of the
    type that is wanted.  Whether there is one."""
    free = [Passed(each.typed._replace(value=None), each.name, each.form) for each in given]
    if resolve(function, free, elements=elements) is None:
        return False
    for at, node in enumerate(nodes):
        literal = given[at].typed if at < len(given) else ANYTHING
        others = [given[other] if other != at else free[at] for other in range(len(given))]
        if literal.value is not None and resolve(function, others, elements=elements) is not None:
            refuse_literal(state, literal, node)
            return True
    return False


def refuse_literal(state: Analysis, literal: Typed, node: ir.Node) -> None:
    """A literal whose value is none of the type that it should become."""
    if isinstance(literal.value, str):
        state.report("G328", f"'{literal.value}' is no date or time", node, "write YYYY-MM-DD, or YYYY-MM-DD HH:MM:SS")
    else:
        state.report("G301", f"{literal.value} is outside of the type that it is compared or computed with", node)


def _negated(given: Typed) -> int | float | None:
    value = given.value
    return -value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _refuse(state: Analysis, node: ir.Apply, written: str, given: Sequence[Typed], at: Span) -> None:
    shown = " and ".join(dict.fromkeys(_shown(each) for each in given))
    state.report("G301", f"`{written}` cannot be applied to {shown}", at, _advice(node.function, given))


def _shown(given: Typed) -> str:
    return "NULL" if given.constant == "null" else str(given.type)


def _advice(function: str, given: Sequence[Typed]) -> str | None:
    kinds = {each.type.kind for each in given}
    if function == "add" and "STRING" in kinds:
        return "texts are joined by `||`"
    if function in ("and", "or", "not"):
        return "it takes conditions: compare the value with something"
    if kinds == {"STRING", "BYTES"}:
        return "write the bytes as b'..', or CAST one of them"
    if kinds & ELEMENTS:
        return "compare their properties"
    if len(kinds) > 1:
        return "CAST one of them to the type of the other"
    return None


def _are_ordered(state: Analysis, node: ir.Apply, given: Sequence[Typed]) -> bool:
    for each in given:
        if not is_orderable(each.type) and not (each.type.kind == "JSON" and state.has("JSON_ORDERING")):
            state.report(
                "G341",
                f"`{_ORDERED[node.function]}` is not defined for {each.type}: its values have no order",
                node,
                "compare a property" if has_graph(each.type) else None,
            )
            return False
        if each.type.kind == "ARRAY" and not state.has("ARRAY_ORDERING"):
            state.report("G341", f"`{_ORDERED[node.function]}` is not defined for {each.type}", node)
            return False
    return True


def _are_comparable(state: Analysis, node: ir.Apply, given: Sequence[Typed]) -> bool:
    for each in given:
        of = each.type
        refused = (
            (of.kind == "JSON" and not state.has("JSON_ORDERING"))
            or (of.kind == "ARRAY" and not state.has("ARRAY_EQUALITY"))
            or (of.kind in ("GEOGRAPHY", "PROTO"))
        )
        if refused:
            state.report("G341", f"`{OPERATORS[node.function][1]}` is not defined for {of}", node)
            return False
    return True


def become_texts(state: Analysis, given: Sequence[Typed]) -> bool:
    """Whether values are joined as texts: those of most types become one, where the language has that."""
    kinds = {each.type.kind for each in given if each.constant != "null"}
    return state.has("CONCAT_MIXED_TYPES") and bool(kinds) and kinds <= _TEXTS


_TEXTS = NUMBERS | {"STRING", "BOOL", "DATE", "TIME", "DATETIME", "TIMESTAMP", "INTERVAL", "ENUM", "UUID", "UNKNOWN"}


def _concat_paths(state: Analysis, node: ir.Apply, given: Sequence[Typed]) -> Typed:
    if any(each.type.kind not in ("GRAPH_PATH", "UNKNOWN") for each in given):
        _refuse(state, node, "||", given, span_of(node))
        return ANYTHING
    paths = [each.type for each in given if each.type.kind == "GRAPH_PATH"]
    if len({path.graph.lower() for path in paths}) > 1:
        state.report("G301", "`||` cannot join paths of different graphs", node)
        return ANYTHING
    ends = [path.field("node") or UNKNOWN for path in paths]
    for before, after in pairwise(ends):
        closed = not (before.open or after.open)
        if closed and not {name for name, _ in before.fields} & {name for name, _ in after.fields}:
            told = "`||` cannot join these paths: the one ends in no node that the other can begin with"
            state.report("G301", told, node)
            return ANYTHING
    return Typed(supertype([Typed(path) for path in paths]) or UNKNOWN)


def operator_at(state: Analysis, node: ir.Apply, written: str) -> Span:
    """The word of an operator behind its first operand."""
    span, first = span_of(node), span_of(node.args[0])
    return state.source.find(written, first.end, span.end) or span


# ------------------------------------------------------------------ membership


def membership(state: Analysis, node: ir.Apply, given: Sequence[Typed], items: Sequence[Typed] | None) -> Typed:
    """`x IN (..)` with the types of the items, or `x IN UNNEST(array)`."""
    at = operator_at(state, node, "IN")
    value, source = given[0], given[1]
    if items is not None:
        common = supertype([value, *items])
        if common is None and not all(compare(value, each) for each in items):
            shown = ", ".join(dict.fromkeys(_shown(each) for each in items))
            state.report("G301", f"`IN` cannot compare {_shown(value)} with {shown}", at, "CAST one side")
        return Typed(BOOL)
    if source.type.kind not in ("ARRAY", "UNKNOWN") and source.constant != "null":
        state.report("G301", f"`IN UNNEST` needs an array, and this is {source.type}", at)
    elif source.type.element is not None:
        element = Typed(source.type.element, "literal" if source.constant == "literal" else "")
        if not compare(value, element):
            state.report("G301", f"`IN UNNEST` cannot find {_shown(value)} in {source.type}", at, "CAST one side")
    return Typed(BOOL)


def compare(one: Typed, other: Typed) -> bool:
    """Whether values can be compared for equality: signed and unsigned integers can, without a type in common."""
    return supertype([one, other]) is not None or {one.type.kind, other.type.kind} <= INTEGERS


# ------------------------------------------------------------------ positions in arrays


def element_at(state: Analysis, node: ir.Apply, given: Sequence[Typed]) -> Typed:
    """`array[OFFSET(i)]` and its like."""
    base, at = given
    if base.type.kind == "JSON" or has_unknown(base.type):
        return Typed(base.type if base.type.kind == "JSON" else UNKNOWN)
    if base.type.kind != "ARRAY" or base.type.element is None:
        state.report("G301", f"`[..]` takes a part of an array, and this is {base.type}", node.args[1])
        return ANYTHING
    if not coerces(at, INT64):
        state.report("G301", f"A position is an INT64, and this is {at.type}", node.args[1])
    return Typed(base.type.element)


def require_boolean(state: Analysis, node: ir.Node | None, given: Typed, what: str) -> None:
    """A condition is a BOOL."""
    if node is not None and not coerces(given, BOOL):
        state.report("G301", f"{what} needs a BOOL, and this is {given.type}", node, "compare it with something")


def bytes_literal(_: Analysis, node: ir.Apply, given: Sequence[Typed]) -> Typed:
    return Typed(BYTES, "literal")


Handler = Callable[[Analysis, ir.Apply, Sequence[Typed]], Typed]
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(OPERATORS, apply),
    **dict.fromkeys(("at_offset", "at_safe_offset", "at_ordinal", "at_safe_ordinal"), element_at),
    "bytes": bytes_literal,
}
"""Canonical name -> what tells its type from those of its operands."""
