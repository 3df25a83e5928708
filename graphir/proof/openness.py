"""What a query leaves open: places where two engines may give different rows and both be right.

A list that is collected has no order unless the query makes one; a page that is cut inside a query may be any of its
choices; of several shortest paths any may come.  Such places are found in core IR.  Finding none is what makes a
difference a fault; finding one makes it a question, which `verdicts.py` puts to the engines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from graphir import ir

Kind = Literal["volatile", "identity", "list", "choice"]

_CLOCKS = frozenset(("date", "time", "localtime", "datetime", "localdatetime"))
_VOLATILE = frozenset(("rand", "randomUUID", "timestamp"))
_IDENTITIES = frozenset(("id", "elementId"))
_LISTS = frozenset(("collect", "keys", "labels", "properties"))
_ANY_PATH = frozenset(("any", "any_shortest", "shortest", "shortest_path"))


@dataclass(frozen=True, slots=True)
class Source:
    """A place that leaves something open.

    kind: `volatile` values differ from run to run, `identity` from engine to engine; a `list` has no certain order; a
    `choice` among rows or paths is free.  `told` says what it is, for people.
    """

    kind: Kind
    told: str
    node: ir.Node


def sources(core: ir.Query, *, ordered: bool) -> Iterator[Source]:
    """All such places in a query in core form.

    `ordered`: the result as a whole is ordered or cut.  Its order and its page are not among the places.
    """
    shown = set(map(id, _last_steps(core.body))) if ordered else set()
    for node in ir.walk(core.body):
        match node:
            case ir.Apply():
                yield from _of_function(node)
            case ir.PatternComprehension():
                yield Source("list", "a pattern comprehension", node)
            case ir.Subquery(kind="collect"):
                yield Source("list", "COLLECT { .. }", node)
            case ir.Page() if id(node) not in shown:
                yield Source("choice", "a LIMIT or SKIP inside the query", node)
            case ir.Selector(kind=kind) if kind in _ANY_PATH:
                yield Source("choice", "any of several paths", node)
            case ir.ProcedureCall():
                yield Source("choice", f"the procedure {'.'.join(node.name)}", node)
            case _:
                pass


def _of_function(node: ir.Apply) -> Iterator[Source]:
    name = node.function
    head, _, tail = name.partition(".")
    if name in _VOLATILE or tail in ("realtime", "statement", "transaction") or (name in _CLOCKS and not node.args):
        yield Source("volatile", f"{name}()", node)
    elif name in _IDENTITIES:
        yield Source("identity", f"{name}()", node)
    elif name in _LISTS:
        yield Source("list", f"{name}()", node)
    elif name == "uuid" and not node.args:
        yield Source("volatile", f"{head}()", node)


def _last_steps(body: ir.Body) -> Iterator[ir.Operator]:
    """The steps at the end of a pipeline that order and cut its result."""
    if not isinstance(body, ir.Pipeline):
        return
    steps = list(body.operators)
    if steps and isinstance(steps[-1], ir.Project) and steps[-1].final:
        steps.pop()
    while steps and isinstance(steps[-1], (ir.Page, ir.Order)):
        yield steps.pop()
