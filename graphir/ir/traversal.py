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
    return found(node, _bits(classes))


def bits(*classes: type[Node]) -> int:
    """What `found` looks for: the bits of many classes, for those who look for them often."""
    return _bits(classes)


def found(node: Node, wanted: int) -> Iterator[Node]:
    """The same as `find` for the bits of classes."""
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


def strangers(node: Node, kinds: frozenset[type[Node]]) -> Iterator[Node]:
    """The nodes that are of none of these very classes, in the order of `walk`; what consists of them is not walked
    through."""
    known = _lineage(kinds)
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
def _lineage(classes: frozenset[type[Node]]) -> int:
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
    if not [each for each in children(node) if each.held_ & wanted]:
        return rule(node, node)  # type: ignore[return-value]
    visited = _downwards(node, wanted)
    fresh: dict[int, list[Node]] = {}  # by its number the nodes below a node of which one was rewritten
    made: Node = node
    for at in range(len(visited) - 1, -1, -1):
        origin, parent, place = visited[at]
        below = fresh.get(at)
        made = origin if below is None else with_children(origin, below)
        if origin.bits_ & wanted:
            made = rule(origin, made)
        if made is not origin and at:
            if parent not in fresh:
                fresh[parent] = children(visited[parent][0])
            fresh[parent][place] = made
    return made  # type: ignore[return-value]


def _downwards(node: Node, wanted: int) -> list[tuple[Node, int, int]]:
    """The nodes that hold wanted classes, each before what is below it, with the number that its parent has in the list
    and its place among the nodes below that."""
    visited: list[tuple[Node, int, int]] = []
    pending = [(node, 0, 0)]
    while pending:
        entry = pending.pop()
        if entry[0].below_:
            at = len(visited)
            below = entry[0]._children()
            pending += [(each, at, place) for place, each in enumerate(below) if each.held_ & wanted]
        visited.append(entry)
    return visited


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
