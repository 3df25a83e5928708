"""Walking and rewriting the IR without recursion, driven by the declared fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from graphir.ir.node import Node

N = TypeVar("N", bound=Node)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below, in field order."""
    for name in node.fields_:
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif type(value) is tuple:
            for item in value:
                if isinstance(item, Node):
                    yield item


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first, in source order."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        below = list(children(current))
        below.reverse()
        pending.extend(below)


def rewrite(node: N, rule: Callable[[Node], Node]) -> N:
    """Apply `rule` to every node, children first.  Untouched subtrees are shared, spans are kept."""
    return transform(node, lambda _, current: rule(current))


def transform(node: N, rule: Callable[[Node, Node], Node]) -> N:
    """The same for a rule that is also given the node as it was, before anything below it was rewritten."""
    done: list[Node] = []
    pending: list[tuple[Node, bool]] = [(node, False)]
    while pending:
        origin, ready = pending.pop()
        below = list(children(origin))
        if not ready and below:
            pending.append((origin, True))
            pending.extend((child, False) for child in reversed(below))
            continue
        current = origin
        if below:
            fresh = done[-len(below) :]
            del done[-len(below) :]
            if any(a is not b for a, b in zip(fresh, below, strict=True)):
                current = with_children(origin, fresh)
        done.append(rule(origin, current))
    return done[0]  # type: ignore[return-value]


def rewrite_down(node: N, choose: Callable[[Node], Node | None]) -> N:
    """Replace the outermost nodes for which `choose` has another; nothing below them is looked at."""
    done: list[Node] = []
    pending: list[tuple[Node, bool]] = [(node, False)]
    while pending:
        current, ready = pending.pop()
        chosen = None if ready else choose(current)
        if chosen is not None:
            done.append(chosen)
            continue
        below = list(children(current))
        if not ready and below:
            pending.append((current, True))
            pending.extend((child, False) for child in reversed(below))
            continue
        if below:
            fresh = done[-len(below) :]
            del done[-len(below) :]
            if any(a is not b for a, b in zip(fresh, below, strict=True)):
                current = with_children(current, fresh)
        done.append(current)
    return done[0]  # type: ignore[return-value]


def with_children(node: N, fresh: list[Node]) -> N:
    """The node with its children, in the order of `children`, replaced."""
    rest = iter(fresh)
    changes: dict[str, Any] = {}
    for name in node.fields_:
        value = getattr(node, name)
        if isinstance(value, Node):
            changes[name] = next(rest)
        elif type(value) is tuple and any(isinstance(item, Node) for item in value):
            changes[name] = tuple([next(rest) if isinstance(item, Node) else item for item in value])
    return dataclasses.replace(node, **changes)


def depth(node: Node) -> int:
    """The number of nodes on the longest way down."""
    deepest, pending = 0, [(node, 1)]
    while pending:
        current, level = pending.pop()
        deepest = max(deepest, level)
        pending.extend((child, level + 1) for child in children(current))
    return deepest
