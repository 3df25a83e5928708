"""Values joined to texts: what is no text becomes one.

Facts: the references of PostgreSQL ("String Functions"), DuckDB, Hyper and Oracle; PostgreSQL 18 and
DuckDB 2.0 were asked.
"""

from __future__ import annotations

from dataclasses import replace

from graphir.ir import Apply, Call, Cast, Expression, Literal, Node, ValueType
from graphir.passes.selects import kinds as of
from graphir.passes.selects.kinds import Kinds, Types
from graphir.passes.selects.operators import AS_POSTGRES
from graphir.passes.selects.scopes import NoGraphQuery

_SPELLED = of.WHOLE | of.TEXTS | {of.BOOLEAN, of.ANY}
"""What has the same text everywhere, or is known to the engine alone."""

_PLAIN = of.WHOLE | of.TEXTS

_WITH_TEXT = frozenset(("pgq-postgres", "pgq-hyper", "pgq-iso"))
"""Where one of the operands must be a text."""


def joined(node: Apply, types: Types) -> Apply:
    """`a || b` of texts.  Raises NoGraphQuery where the text of a value is the database's own."""
    found = [types.of(each) for each in node.args]
    if types.dialect in _WITH_TEXT and not any(each & (of.TEXTS | {of.ANY}) for each in found) and all(found):
        raise NoGraphQuery("none of the values that are joined is a text: write a CAST", node.span)
    return replace(node, args=tuple([_text(a, b) for a, b in zip(node.args, found, strict=True)]))


def without_nulls(node: Call, types: Types) -> Expression:
    """CONCAT of PostgreSQL and DuckDB: null is the empty text.  Raises NoGraphQuery as `||` does."""
    parts: list[Expression] = []
    for each in node.args:
        found = types.of(each)
        if not found <= _PLAIN:
            raise NoGraphQuery("CONCAT writes this value as the database does: write a CAST to text", each.span)
        text = each if found <= of.TEXTS else Cast(each, ValueType(of.STRING, span=each.span), span=each.span)
        parts.append(Apply("coalesce", (text, Literal("")), span=each.span))
    return parts[0] if len(parts) == 1 else Apply("concat", tuple(parts), span=node.span)


def is_concat(node: Node, types: Types) -> bool:
    """Whether it is a CONCAT that passes over nulls."""
    if not isinstance(node, Call) or types.dialect not in AS_POSTGRES:
        return False
    return len(node.name) == 1 and node.name[0].upper() == "CONCAT" and bool(node.args)


def _text(value: Expression, kinds: Kinds) -> Expression:
    if kinds <= of.TEXTS or of.ANY in kinds:
        return value
    if kinds <= _SPELLED:
        return Cast(value, ValueType(of.STRING, span=value.span), span=value.span)
    raise NoGraphQuery("the text of this value is written as the database does: write a CAST to text", value.span)
