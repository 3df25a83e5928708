"""Turns reductions of the Cypher grammar into Graph-IR; decides what each cover form of `cypher.lark` is.

One function per rule or alias, named after it (with `_` behind where Python needs the word).  Knows no table and no
lexer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir import ir
from graphir.grammar.builder import clauses, expressions, patterns, types

_CLASSES: dict[str, type[ir.Node]] = {
    "variable": ir.Ref,
    "property": ir.Property,
    "index": ir.Index,
    "pair": ir.Entry,
    "projected_property": ir.ProjectedProperty,
    "projected_variable": ir.ProjectedVariable,
    "projected_all": ir.ProjectedAll,
    "label_name": ir.LabelName,
    "node_empty": ir.NodePattern,
    "empty_list": ir.ListOf,
    "empty_map": ir.MapOf,
    "yield_item": ir.YieldItem,
    "when_branch": ir.When,
    "unwind": ir.Unwind,
}
"""Rules whose children are the fields of a node."""


def actions() -> dict[str, Callable[..., Any]]:
    """Rule or alias -> the function or class that builds its value."""
    found: dict[str, Callable[..., Any]] = dict(_CLASSES)
    for module in (expressions, types, patterns, clauses):
        for name, value in vars(module).items():
            if callable(value) and value.__module__ == module.__name__ and name[0] != "_":
                found[name.removesuffix("_")] = value
    return found
