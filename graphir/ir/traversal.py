"""Walking and rewriting the IR without recursion, driven by the declared fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from operator import is_
from typing import TypeVar, overload

from graphir.ir.node import Node
from graphir.ir.operators import Body, Conditional, Next, Pipeline, SetOperation

N = TypeVar("N", bound=Node)
A = TypeVar("A", bound=Node)
B = TypeVar("B", bound=Node)
C = TypeVar("C", bound=Node)


def children(node: Node) -> list[Node]:
    """The nodes directly below, in field order."""
    return node._children()


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first, in source order."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        if current.below_:
            below = current._children()
            below.reverse()
            pending += below


def holds(node: Node, *classes: type[Node]) -> bool:
    """Whether the node or anything below it is of one of the classes.  Nothing is walked: every node knows."""
    return bool(node.held_ & _bits(classes))


def at_most(node: Node, count: int) -> bool:
    """Whether the node and all below it are no more than so many nodes.  No more than one beyond is looked at."""
    return next(islice(walk(node), count, None), None) is None


@overload
def find(node: Node, one: type[A], /) -> Iterator[A]: ...
@overload
def find(node: Node, one: type[A], two: type[B], /) -> Iterator[A | B]: ...
@overload
def find(node: Node, one: type[A], two: type[B], three: type[C], /) -> Iterator[A | B | C]: ...
@overload
def find(node: Node, *classes: type[Node]) -> Iterator[Node]: ...
def find(node: Node, *classes: type[Node]) -> Iterator[Node]:
    """The nodes of these classes among the node and everything below it, in the order of `walk`.

    What holds none of them is not walked through.
    """
    wanted = _bits(classes)
    return _found(node, wanted) if node.held_ & wanted else iter(())


def _found(node: Node, wanted: int) -> Iterator[Node]:
    pending = [node]
    while pending:
        current = pending.pop()
        if current.bits_ & wanted:
            yield current
        if current.below_:
            below = [each for each in current._children() if each.held_ & wanted]
            below.reverse()
            pending += below


def strangers(node: Node, *classes: type[Node]) -> Iterator[Node]:
    """The nodes that are of none of these very classes, in the order of `walk`; what consists of them is not walked
    through."""
    known, kinds = _lineage(classes), frozenset(classes)
    pending = [node]
    while pending:
        current = pending.pop()
        if not current.held_ & ~known:
            continue
        if type(current) not in kinds:
            yield current
        if current.below_:
            below = current._children()
            below.reverse()
            pending += below


@cache
def _bits(classes: tuple[type[Node], ...]) -> int:
    found = 0
    for each in classes:
        found |= each.bit_
    return found


@cache
def _lineage(classes: tuple[type[Node], ...]) -> int:
    found = 0
    for each in classes:
        found |= each.bits_
    return found


def rewrite(node: N, rule: Callable[[Node], Node], *classes: type[Node]) -> N:
    """Apply `rule` to every node, or to those of some classes alone, children first.

    Untouched subtrees are shared, spans are kept.
    """
    return transform(node, lambda _, made: rule(made), *classes)


def transform(node: N, rule: Callable[[Node, Node], Node], *classes: type[Node]) -> N:
    """The same for a rule that is also given the node as it was, before anything below it was rewritten."""
    wanted = _bits(classes) if classes else Node.bit_
    if not node.held_ & wanted:
        return node
    if not node.below_:
        return rule(node, node)  # type: ignore[return-value]
    done: list[Node] = []
    for origin, below, inner in reversed(_downwards(node, wanted)):
        made = origin
        if inner:
            fresh = done[-len(inner) :]
            del done[-len(inner) :]
            if not all(map(is_, inner, fresh)):
                made = with_children(origin, fresh if inner is below else _merged(below, fresh, wanted))
        done.append(rule(origin, made) if origin.bits_ & wanted else made)
    return done[0]  # type: ignore[return-value]


_NONE: list[Node] = []


def _downwards(node: Node, wanted: int) -> list[tuple[Node, list[Node], list[Node]]]:
    """The nodes that hold wanted classes, each before what is below it: with all that is directly below, and with those
    of it that hold such classes."""
    found: list[tuple[Node, list[Node], list[Node]]] = []
    pending = [node]
    every = wanted == Node.bit_
    while pending:
        current = pending.pop()
        if not current.below_:
            found.append((current, _NONE, _NONE))
            continue
        below = current._children()
        inner = below if every else [each for each in below if each.held_ & wanted]
        found.append((current, below, inner))
        pending += inner
    return found


def _merged(below: list[Node], fresh: list[Node], wanted: int) -> list[Node]:
    """What is below a node, with others in place of what holds wanted classes."""
    rest = iter(fresh)
    return [next(rest) if each.held_ & wanted else each for each in below]


def rewrite_down(node: N, choose: Callable[[Node], Node | None]) -> N:
    """Replace the outermost nodes for which `choose` has another; nothing below them is looked at."""
    done: list[Node] = []
    pending: list[tuple[Node, list[Node] | None]] = [(node, None)]
    while pending:
        current, below = pending.pop()
        if below is not None:
            done.append(_rebuilt(current, below, done))
        elif (chosen := choose(current)) is not None:
            done.append(chosen)
        elif below := children(current):
            pending.append((current, below))
            pending += [(child, None) for child in reversed(below)]
        else:
            done.append(current)
    return done[0]  # type: ignore[return-value]


def _rebuilt(node: Node, below: list[Node], done: list[Node]) -> Node:
    """The node with its children as they are at the end of `done`, which are taken off."""
    count = len(below)
    fresh = done[-count:]
    del done[-count:]
    if all(map(is_, below, fresh)):
        return node
    return with_children(node, fresh)


def with_children(node: N, fresh: list[Node]) -> N:
    """The node with its children, in the order of `children`, replaced."""
    return node._refitted(fresh)


def last_pipeline(body: Body) -> Pipeline | None:
    """The pipeline that says which columns a body has: of branches the first, of parts the last; None for a command."""
    while not isinstance(body, Pipeline):
        if isinstance(body, SetOperation):
            body = body.branches[0]
        elif isinstance(body, Next):
            body = body.parts[-1]
        elif isinstance(body, Conditional):
            body = body.branches[0].body
        else:
            return None
    return body


def depth(node: Node) -> int:
    """The number of nodes on the longest way down."""
    deepest, pending = 0, [(node, 1)]
    while pending:
        current, level = pending.pop()
        deepest = max(deepest, level)
        pending.extend((child, level + 1) for child in children(current))
    return deepest
