"""How tightly GQL's operators bind, as `gql.lark` reads them, and where two tokens would be read as one."""

from __future__ import annotations

from graphir.ir import (
    Apply,
    ArraySlice,
    Case,
    Cast,
    Collated,
    Expression,
    HasLabels,
    Index,
    IsNormalized,
    IsTyped,
    ListOf,
    Literal,
    Property,
    SqlOperator,
    Window,
)

(OR, XOR, AND, NOT, PREDICATE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, SIGN, POSTFIX, ATOM) = range(14)
"""From the loosest to the tightest."""

INFIX: dict[str, tuple[str, int]] = {
    "or": ("OR", OR),
    "xor": ("XOR", XOR),
    "and": ("AND", AND),
    "eq": ("=", PREDICATE),
    "ne": ("<>", PREDICATE),
    "lt": ("<", PREDICATE),
    "le": ("<=", PREDICATE),
    "gt": (">", PREDICATE),
    "ge": (">=", PREDICATE),
    "starts_with": ("STARTS WITH", PREDICATE),
    "ends_with": ("ENDS WITH", PREDICATE),
    "contains": ("CONTAINS", PREDICATE),
    "bit_or": ("|", BIT_OR),
    "bit_xor": ("^", BIT_XOR),
    "bit_and": ("&", BIT_AND),
    "shift_left": ("<<", SHIFT),
    "shift_right": (">>", SHIFT),
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "mod": ("%", PRODUCT),
    "concat": ("||", PRODUCT),
}
"""Canonical name -> spelling and level of the operators between two operands."""

JUNCTIONS = frozenset({"or", "xor", "and"})
"""The operators that are read as one with all of their operands; others fold from the left."""

TESTS: dict[str, str] = {
    "is_null": "NULL",
    "is_true": "TRUE",
    "is_false": "FALSE",
    "is_unknown": "UNKNOWN",
    "is_directed": "DIRECTED",
}
"""Canonical name -> what stands behind IS [NOT]."""

PREDICATES = frozenset(
    {
        *("in", "like", "like_any", "like_all", "between", "is_distinct", "is_source", "is_destination"),
        *("is_not_null", *TESTS),
    }
)
"""Predicates of other forms."""

OF_SQL = frozenset(
    (
        *("ilike", "similar"),
        *(f"{sign}_{word}" for sign in ("eq", "ne", "lt", "le", "gt", "ge") for word in ("any", "all")),
    )
)
"""Those that GQL has not."""

SIGNS = {"neg": "-", "pos": "+", "bit_not": "~"}
SUBSCRIPTS = {
    "at_offset": "OFFSET",
    "at_safe_offset": "SAFE_OFFSET",
    "at_ordinal": "ORDINAL",
    "at_safe_ordinal": "SAFE_ORDINAL",
}

_CLASSES: dict[type, int] = {
    HasLabels: PREDICATE,
    IsTyped: PREDICATE,
    IsNormalized: PREDICATE,
    Property: POSTFIX,
    Index: POSTFIX,
    Window: POSTFIX,
    Case: ATOM,
    Collated: SIGN,
    SqlOperator: NOT,
    ArraySlice: POSTFIX,
}


def level(node: Expression) -> int:
    """The level of what the printed node looks like from outside."""
    if type(node) is Apply:
        name = node.function
        if name in INFIX:
            return INFIX[name][1]
        if name == "not":
            return PREDICATE if is_predicate(node.args[0]) else NOT
        if name in PREDICATES or name in OF_SQL:
            return PREDICATE
        if name in SUBSCRIPTS:
            return POSTFIX
        return SIGN if name in SIGNS or name == "interval" else ATOM
    if type(node) is Literal:
        negative = isinstance(node.value, (int, float)) and str(node.value).startswith("-")
        return SIGN if negative else ATOM
    if type(node) is Cast and node.keyword != "cast":
        return POSTFIX if node.keyword == "literal" else SIGN
    return _CLASSES.get(type(node), ATOM)


def is_predicate(node: Expression) -> bool:
    """Whether NOT is written within the predicate: `a NOT IN b`; IS NOT NULL is a predicate of its own."""
    if isinstance(node, Apply):
        return node.function in PREDICATES and node.function not in ("is_null", "is_not_null")
    return isinstance(node, (HasLabels, IsTyped, IsNormalized))


def is_base(node: Expression) -> bool:
    """Whether a `.` or `[` may follow the printed node as it stands."""
    if isinstance(node, Literal):
        return isinstance(node.value, str)
    return level(node) >= POSTFIX and not (isinstance(node, Cast) and node.keyword == "literal")


def opens_bracket(node: Expression) -> bool:
    """Whether the printed node begins with `[`, which together with a sign would be an edge."""
    while True:
        if isinstance(node, (Property, Index)):
            node = node.base
        elif isinstance(node, Apply) and node.function in SUBSCRIPTS:
            node = node.args[0]
        else:
            return isinstance(node, ListOf)
