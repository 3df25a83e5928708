"""Turns reductions of the GQL grammar into Graph-IR; decides what each cover form of `gql.lark` is.

One function per rule or alias, named after it (with `_` behind where Python needs the word).  Knows no table and no
lexer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir import ir
from graphir.grammar.gql_builder import calls, clauses, expressions, patterns, tables, values

_CLASSES: dict[str, type[ir.Node]] = {
    "variable": ir.Ref,
    "property": ir.Property,
    "label_name": ir.LabelName,
    "yield_item": ir.YieldItem,
}
"""Rules whose children are the fields of a node."""


def actions() -> dict[str, Callable[..., Any]]:
    """Rule or alias -> the function or class that builds its value."""
    found: dict[str, Callable[..., Any]] = dict(_CLASSES)
    for module in (values, expressions, calls, patterns, clauses, tables):
        for name, value in vars(module).items():
            if callable(value) and getattr(value, "__module__", None) == module.__name__ and name[0] != "_":
                found[name.removesuffix("_")] = value
    return found
