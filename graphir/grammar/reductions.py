"""Generated code: every rule of a table becomes a function that reduces by it.

The stack is flat, three entries a symbol: the row of the parser's state, the value, the start in the text.  A
reduction takes the symbols of its rule off the stack, leaves one, and answers the row of the state that follows.

A rule hands its kept children to an *action* named after it or its alias, as positional arguments: a token is its
text, an absent `[x]` is None, and a rule whose name begins with `_` (also Lark's own helpers for `*` and `+`) is one
list.  An action that has a parameter `span` gets the half-open place of what is reduced, one with `context` whatever
the caller of `parse` passed.  Where the action is a node class, the node is made in place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from graphir.grammar.table import Rule
from graphir.ir.node import Node, noted
from graphir.source import Span

Action = Callable[..., Any]
Reduction = Callable[[list[Any], int, Any], Any]

_WIDTH = 3


def compile_rules(rules: tuple[Rule, ...], actions: Mapping[str, Action]) -> list[Reduction | None]:
    """The function of every rule; None for a unit rule, which changes the state only."""
    names: dict[str, Any] = {"make": tuple.__new__, "Span": Span}
    parts = []
    for number, rule in enumerate(rules):
        if rule.kind == "unit":
            continue
        parts.append(f"def r{number}(s, e, c):\n" + _body(number, rule, actions, names))
    exec(compile("\n".join(parts), "<reductions>", "exec"), names)
    return [names.get(f"r{number}") for number in range(len(rules))]


def skip_rules(rules: tuple[Rule, ...]) -> list[Reduction | None]:
    """The same, but every value is None."""
    return [None if rule.kind == "unit" else _skip(rule.size, rule.origin) for rule in rules]


def _skip(size: int, origin: str) -> Reduction:
    def reduce(s: list[Any], e: int, _: Any) -> Any:
        if not size:
            s += (s[-3][origin], None, e)
            return s[-3]
        del s[len(s) - _WIDTH * (size - 1) :]
        s[-2] = None
        row = s[-3] = s[-6][origin]
        return row

    return reduce


def _body(number: int, rule: Rule, actions: Mapping[str, Action], names: dict[str, Any]) -> str:
    size = rule.size
    value = [f"s[{_WIDTH * (index - size) + 1}]" for index in range(size)]
    given = ["None" if index is None else value[index] for index in rule.arguments]
    lines: list[str] = []
    if rule.kind == "pass":
        result = given[0]
    elif rule.kind == "list":
        result = f"[{', '.join(given)}]"
    elif rule.kind == "more":
        result = value[0]
        add = f".append({given[1]})" if len(given) == 2 else f".extend(({', '.join(given[1:])}))"
        lines.append(f"{result}{add}")
    else:
        start = f"s[{2 - _WIDTH * size}]" if size else "e"
        result = _call(number, actions[rule.name], given, start, lines, names)
    if not size:
        lines += [f"row = s[-3][{rule.origin!r}]", f"s += (row, {result}, e)", "return row"]
    else:
        if result != value[0]:
            lines.append(f"{value[0]} = {result}")
        if size > 1:
            lines.append(f"del s[{_WIDTH * (1 - size)}:]")
        lines += [f"row = s[-3] = s[-6][{rule.origin!r}]", "return row"]
    return "".join(f" {line}\n" for line in lines)


def _call(number: int, action: Action, given: list[str], start: str, lines: list[str], names: dict[str, Any]) -> str:
    """The expression for the action's result; `lines` get what has to be done before."""
    span = f"make(Span, ({start}, e))"
    if isinstance(action, type) and issubclass(action, Node):
        names |= {f"c{number}": action, f"new{number}": action.draft_, f"b{number}": action.bits_}
        lines.append(f"n = new{number}()")
        positional = [f for f in fields(action) if not f.kw_only]
        values = dict(zip([f.name for f in positional], given, strict=False))
        for field in fields(action):
            names[f"d{number}_{field.name}"] = field.default
            what = span if field.name == "span" else values.get(field.name, f"d{number}_{field.name}")
            lines.append(f"n.{field.name} = {what}")
        lines += [*noted(action, "n", values, f"b{number}"), f"n.__class__ = c{number}"]
        return "n"
    names[f"a{number}"] = action
    parameters = inspect.signature(action).parameters
    if "span" in parameters:
        given = [*given, f"span={span}"]
    if "context" in parameters:
        given = [*given, "context=c"]
    return f"a{number}({', '.join(given)})"
