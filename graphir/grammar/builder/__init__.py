"""Turns reductions of the Cypher grammar into Graph-IR; decides what each cover form of `cypher.lark` is.

One function per rule or alias, named after it (with `_` behind where Python needs the word).  Knows no table and no
lexer.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from graphir.grammar.builder import clauses, expressions, patterns


def actions() -> dict[str, Callable[..., Any]]:
    """Rule or alias -> the function that builds its value."""
    found: dict[str, Callable[..., Any]] = {}
    modules: tuple[ModuleType, ...] = (expressions, patterns, clauses)
    for module in modules:
        for name, value in vars(module).items():
            if getattr(value, "__module__", None) == module.__name__ and callable(value) and name[0] != "_":
                found[name.removesuffix("_") if name.endswith("_") and name != "in_" else name] = value
    return found
