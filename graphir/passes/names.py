"""Which variables an expression names, and made-up names that nothing else has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from graphir import ir
from graphir.ir import Node
from graphir.ir.names import MARK, generated
from graphir.ir.node import replace

N = TypeVar("N", bound=Node)


def mentioned(node: Node) -> list[str]:
    """Every name of a variable that stands anywhere below, read or bound."""
    names: list[str | None] = []
    for part in ir.found(node, _NAMING):
        names += _MENTIONED[type(part)](part)
    return [name for name in names if name is not None]


def names_in(part: Node) -> tuple[str, ...]:
    """The names that a node itself binds, or in a pattern may bind, apart from those of its parts."""
    said = _BOUND.get(type(part))
    return () if said is None else tuple([name for name in said(part) if name is not None])


def renamed(node: N, names: Mapping[str, str]) -> N:
    """The expression with variables under other names, in its patterns too.  The new names must not stand in it."""

    def rule(part: Node) -> Node:
        if isinstance(part, (ir.Ref, ir.ProjectedVariable)):
            return replace(part, name=names[part.name]) if part.name in names else part
        if isinstance(part, (ir.NodePattern, ir.EdgePattern)) and part.variable is not None:
            return replace(part, variable=names.get(part.variable, part.variable))
        return part

    return ir.rewrite(node, rule, ir.Ref, ir.ProjectedVariable, ir.NodePattern, ir.EdgePattern)


_BOUND: dict[type[Node], Callable[[Any], Iterable[str | None]]] = {
    **dict.fromkeys((ir.NodePattern, ir.EdgePattern, ir.Path), lambda part: (part.variable,)),
    **dict.fromkeys((ir.ListComprehension, ir.Quantified, ir.Foreach, ir.LoadCsv), lambda part: (part.variable,)),
    **dict.fromkeys((ir.Reduce, ir.AllReduce), lambda part: (part.accumulator, part.variable)),
    ir.Unwind: lambda part: (part.variable, part.ordinality, part.offset),
    ir.Item: lambda part: (part.name,),
    ir.YieldItem: lambda part: (part.alias or part.name,),
    ir.SubqueryCall: lambda part: part.imports or (),
    ir.VectorSearch: lambda part: (part.variable, part.score),
}
_MENTIONED: dict[type[Node], Callable[[Any], Iterable[str | None]]] = {
    **_BOUND,
    **dict.fromkeys((ir.Ref, ir.ProjectedVariable), lambda part: (part.name,)),
}
_NAMING = ir.bits(*_MENTIONED)


class Maker:
    """Makes up names: `%n1`, `%n2`, .., a series for each hint, beyond those that the query already has."""

    def __init__(self, query: Node) -> None:
        self._query = query
        self._last: Counter[str] | None = None

    def _known(self) -> Counter[str]:
        """The highest number of each series; read off the query when the first name is made."""
        known: Counter[str] = Counter()
        for name in mentioned(self._query):
            if name.startswith(MARK):
                hint = name[1:].rstrip("0123456789")
                known[hint] = max(known[hint], int(name[1 + len(hint) :] or 0))
        return known

    def make(self, hint: str) -> str:
        if self._last is None:
            self._last = self._known()
        self._last[hint] += 1
        return generated(hint, self._last[hint])
