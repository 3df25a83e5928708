"""Numbers with a point, which are decimal numbers in SQL and floats in graph queries: `0.1 + 0.2 = 0.3` is true there.

Facts: the references of PostgreSQL and Oracle, where such numbers are NUMERIC and NUMBER with an exponent too, and of
DuckDB and Hyper, where they are floats with one; PostgreSQL 17, DuckDB 2.0 and Hyper were asked.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal, Inexact
from typing import TYPE_CHECKING

from graphir import ir
from graphir.ir import Apply, Cast, Expression, Item, Literal, Node
from graphir.passes.selects.operators import COMPARING
from graphir.passes.selects.origins import holds, names_of, properties_of
from graphir.passes.selects.scopes import NoGraphQuery

if TYPE_CHECKING:
    from graphir.schema import Schema

_WITH_EXPONENT = frozenset(("pgq-postgres", "pgq-oracle-23ai", "pgq-oracle-26ai"))
_PLAIN = re.compile(r"\d+\.\d*|\.\d+")
_ANY = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_COMPUTING = frozenset(("add", "sub", "mul", "div"))


def with_decimals(query: ir.Query, dialect: str, schema: Schema | None) -> ir.Query:
    """The query with the values of what decimal numbers alone make.

    Raises NoGraphQuery where what is computed with one that no float equals is compared.
    """
    spelled = _ANY if dialect in _WITH_EXPONENT else _PLAIN
    if not any(_decimal(node, spelled) is not None for node in ir.walk(query)):
        return query
    query = ir.rewrite(query, lambda node: _folded(node, spelled))
    floats = frozenset[str]() if schema is None else names_of(query, properties_of(schema, ("FLOAT",)))
    named = [
        node.name.lower()
        for node in ir.walk(query)
        if isinstance(node, Item) and node.name is not None and _is_exact(node.value, spelled, floats)
    ]
    names = names_of(query, named) if named else frozenset[str]()
    for node in ir.walk(query):
        if not isinstance(node, Apply) or node.function not in COMPARING:
            continue
        if any(_is_exact(each, spelled, floats) or (names and holds(each, names)) for each in node.args):
            told = "what is computed with a decimal number is exact there, and a float in a graph query"
            raise NoGraphQuery(f"{told}: write CAST(.. AS DOUBLE PRECISION)", node.span)
    return query


def _decimal(node: Node, spelled: re.Pattern[str]) -> Decimal | None:
    """The decimal number that a literal is; a whole one is none."""
    if not isinstance(node, Literal) or not isinstance(node.value, float) or node.text is None:
        return None
    return Decimal(node.text) if spelled.fullmatch(node.text.lstrip("-")) else None


def _folded(node: Node, spelled: re.Pattern[str]) -> Node:
    match node:
        case Apply("neg", (value,)) if (number := _decimal(value, spelled)) is not None:
            return _literal(-number, node)
        case Apply(("add" | "sub" | "mul") as function, (left, right)):
            numbers = [_decimal(each, spelled) for each in (left, right)]
            if numbers == [None, None]:
                return node
            given = [_whole(each) if known is None else known for each, known in zip(node.args, numbers, strict=True)]
            if given[0] is None or given[1] is None:
                return node
            try:
                return _literal(getattr(_EXACT, _METHODS[function])(given[0], given[1]), node)
            except Inexact:
                return node
    return node


_EXACT = Context(prec=60, traps=[Inexact])
_METHODS = {"add": "add", "sub": "subtract", "mul": "multiply"}


def _literal(number: Decimal, around: Expression) -> Literal:
    text = f"{number:f}"
    return Literal(float(number), text=text if "." in text else f"{text}.0", span=around.span)


def _whole(value: Expression) -> Decimal | None:
    number = value.value if isinstance(value, Literal) else None
    return Decimal(number) if isinstance(number, int) and not isinstance(number, bool) else None


def _is_exact(value: Node, spelled: re.Pattern[str], floats: frozenset[str]) -> bool:
    """Whether something in it is computed with a decimal number, and may differ from what floats make."""
    for node in ir.walk(value):
        if not isinstance(node, Apply) or node.function not in _COMPUTING:
            continue
        numbers = [number for each in node.args if (number := _decimal(each, spelled)) is not None]
        if any(_differs(number, node.function) for number in numbers) and not _is_float(node, floats):
            return True
    return False


def _differs(number: Decimal, function: str) -> bool:
    """Whether floats may make another number: they do not have this one, or no multiples of its inverse."""
    top = float(number).as_integer_ratio()[0]
    return Decimal(float(number)) != number or (function == "div" and (abs(top) & (abs(top) - 1)) != 0)


def _is_float(value: Apply, floats: frozenset[str]) -> bool:
    """Whether a number in it is a float in SQL too."""
    is_cast = any(isinstance(node, Cast) and node.type.name == "FLOAT" for node in ir.walk(value))
    return is_cast or holds(value, floats)
