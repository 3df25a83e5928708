"""How tightly Cypher's operators bind, and where a pair of tokens would be read as something else.

One table for the three Cypher dialects: openCypher's levels, made strict where Neo4j accepts less (a predicate such as
IN takes no other predicate as its operand, a sign no other sign).  Every walk here follows one spine of the tree, and
no two walks follow the same one, so that all of them together are linear.
"""

from __future__ import annotations

from graphir.ir import (
    Apply,
    Case,
    Comparison,
    Expression,
    HasLabels,
    Index,
    IsNormalized,
    IsTyped,
    LabelExpression,
    LabelOr,
    ListComprehension,
    ListOf,
    Literal,
    Parameter,
    PatternComprehension,
    PatternExpression,
    Property,
    Ref,
    Slice,
)

ANY, OR, XOR, AND, NOT, COMPARISON, PREDICATE, SUM, PRODUCT, POWER, SIGN, POSTFIX, ATOM = range(13)
"""From the loosest to the tightest."""

INFIX: dict[str, tuple[str, int]] = {
    "or": ("OR", OR),
    "xor": ("XOR", XOR),
    "and": ("AND", AND),
    "eq": ("=", COMPARISON),
    "ne": ("<>", COMPARISON),
    "lt": ("<", COMPARISON),
    "le": ("<=", COMPARISON),
    "gt": (">", COMPARISON),
    "ge": (">=", COMPARISON),
    "in": ("IN", PREDICATE),
    "starts_with": ("STARTS WITH", PREDICATE),
    "ends_with": ("ENDS WITH", PREDICATE),
    "contains": ("CONTAINS", PREDICATE),
    "matches": ("=~", PREDICATE),
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "concat": ("||", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "mod": ("%", PRODUCT),
    "pow": ("^", POWER),
}
"""Canonical name -> spelling and level of the operators between two operands."""

POSTFIX_PREDICATES = {"is_null": "IS NULL", "is_not_null": "IS NOT NULL"}

_SIGNS = {"neg": SIGN, "pos": SIGN, "not": NOT}

_CLASSES: dict[type, int] = {
    Comparison: COMPARISON,
    HasLabels: PREDICATE,
    IsTyped: PREDICATE,
    IsNormalized: PREDICATE,
    PatternExpression: PREDICATE,
    Property: POSTFIX,
    Index: POSTFIX,
    Slice: POSTFIX,
}


def level(node: Expression) -> int:
    """The level of what the printed node looks like from outside."""
    if type(node) is Apply:
        name = node.function
        if name in INFIX:
            return INFIX[name][1]
        if name in POSTFIX_PREDICATES or (name == "not" and isinstance(node.args[0], (IsTyped, IsNormalized))):
            return PREDICATE
        return _SIGNS.get(name, ATOM)
    if type(node) is Literal:
        negative = isinstance(node.value, (int, float)) and str(node.value).startswith("-")
        return SIGN if negative else ATOM
    return _CLASSES.get(type(node), ATOM)


def operand_levels(name: str, count: int) -> list[int]:
    """The loosest level that each operand of an infix operator may have without parentheses.

    All of them fold from the left, so the first operand may be of the same level, except for comparisons, which form
    chains, and predicates, which take no predicate.
    """
    own = INFIX[name][1]
    first = own + 1 if own in (COMPARISON, PREDICATE) else own
    return [first] + [own + 1] * (count - 1)


def needs_parentheses(node: Expression, name: str, place: int, loosest: int) -> bool:
    """Whether the operand at `place` of the infix operator `name` is printed in parentheses.

    `a = b IS NULL` would do without, but reads as if IS NULL tested the comparison.
    """
    if place > 0 and INFIX[name][1] == COMPARISON and isinstance(node, Apply) and node.function in POSTFIX_PREDICATES:
        return True
    return level(node) < loosest or (place > 0 and name == "sub" and opening(node) in ("-", "["))


def is_base(node: Expression) -> bool:
    """Whether a `.`, `[` or `:` may follow the printed node as it stands."""
    if isinstance(node, Literal):
        return isinstance(node.value, str)
    if isinstance(node, Parameter):
        return not node.name.isdigit()
    return level(node) >= POSTFIX and not isinstance(node, Case)


def opening(node: Expression) -> str:
    """The first character of the printed node where it is `-`, `+` or `[`, else nothing."""
    while True:
        if isinstance(node, (ListOf, ListComprehension, PatternComprehension)):
            return "["
        if isinstance(node, Literal):
            return "-" if level(node) == SIGN else ""
        if isinstance(node, Apply) and node.function in ("neg", "pos"):
            return "-" if node.function == "neg" else "+"
        step = _leftmost(node)
        if step is None:
            return ""
        node = step


def begins_with_membership(node: Expression) -> bool:
    """Whether the printed node begins `name IN`, which after `[` is the head of a comprehension."""
    while True:
        step = _leftmost(node)
        if step is None:
            return False
        if isinstance(node, Apply) and node.function == "in" and isinstance(step, Ref):
            return True
        node = step


def _leftmost(node: Expression) -> Expression | None:
    if isinstance(node, Apply):
        inner = node.function in INFIX or node.function in POSTFIX_PREDICATES
        if node.function == "not" and isinstance(node.args[0], (IsTyped, IsNormalized)):
            return node.args[0].base
        return node.args[0] if inner else None
    if isinstance(node, (Property, Index, Slice, HasLabels, IsTyped, IsNormalized)):
        return node.base
    return node.operands[0] if isinstance(node, Comparison) else None


def exposes_bar(node: Expression | None) -> bool:
    """Whether a `|` of a label expression or of a union type stands in the printed node outside all brackets."""
    pending = [node] if node is not None else []
    while pending:
        current = pending.pop()
        if isinstance(current, HasLabels):
            if _is_or(current.labels):
                return True
            pending.append(current.base)
        elif isinstance(current, IsTyped):
            if current.type.name == "UNION":
                return True
            pending.append(current.base)
        elif isinstance(current, Comparison):
            pending.extend(current.operands)
        elif isinstance(current, Apply) and level(current) < ATOM:
            pending.extend(current.args)
        elif isinstance(current, (IsNormalized, Property, Index, Slice)):
            pending.append(current.base)
    return False


def _is_or(labels: LabelExpression) -> bool:
    return isinstance(labels, LabelOr)
