"""Values as trees of tuples: equal trees are equal values, and only the numbers that may differ a little stand bare.

A tree is a tuple that begins with a word for the type; a bare number in it is a *leaf*.  Knows no rows.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from graphir.values.entities import Edge, Node, Path
from graphir.values.points import Point
from graphir.values.vectors import Vector

H = TypeVar("H", bound=Hashable)

Tree = Any
"""A leaf (int or float), a text, or a tuple of trees."""

Entities = Literal["whole", "identity", "content"]
Lists = Literal["ordered", "unordered"]
Numbers = Literal["typed", "value"]

RELATIVE = 1e-9
ABSOLUTE = 1e-12
"""How far apart equal floats may be, unless it is said otherwise."""


@dataclass(frozen=True, slots=True)
class Planter:
    """Makes trees.  `nodes` are the nodes of the result by id, for the ends of edges that are told by content."""

    entities: Entities
    lists: Lists
    numbers: Numbers
    nodes: Mapping[int | str, Node]

    def tree(self, value: Any) -> Tree:
        kind = type(value)
        if value is None:
            return ("null",)
        if kind is bool:
            return ("boolean", "true" if value else "false")
        if kind is int:
            return value if self.numbers == "value" else ("integer", str(value))
        if kind is float:
            return ("nan",) if value != value else value or 0.0  # noqa: PLR0124 NaN
        if kind is str:
            return ("string", value)
        if kind is list:
            items = [self.tree(item) for item in value]
            return ("list", *items) if self.lists == "ordered" else ("bag", *sorted(items, key=repr))
        if kind is dict:
            return ("map", *[(key, self.tree(value[key])) for key in sorted(value)])
        return self._other(value)

    def _other(self, value: Any) -> Tree:
        match value:
            case Node():
                return ("node", *self._identity(value), *self._content(value))
            case Edge():
                return ("edge", *self._edge(value))
            case Path():
                return ("path", *self._path(value))
            case Point():
                return ("point", str(value.srid), *[self.tree(number) for number in value.coordinates])
            case Vector():
                return ("vector", value.type, *[self.tree(number) for number in value.coordinates])
            case _:
                return (type(value).__name__, _Opaque(value))

    def _identity(self, entity: Node | Edge) -> tuple[Tree, ...]:
        return () if self.entities == "content" else (repr(entity.id),)

    def _content(self, node: Node) -> tuple[Tree, ...]:
        if self.entities == "identity":
            return ()
        return (("labels", *sorted(node.labels)), self._properties(node.properties))

    def _properties(self, properties: Mapping[str, Any]) -> Tree:
        """A property that is null is one that is not there."""
        return (
            "map",
            *[(key, self.tree(properties[key])) for key in sorted(properties) if properties[key] is not None],
        )

    def _edge(self, edge: Edge) -> tuple[Tree, ...]:
        if self.entities == "identity":
            return self._identity(edge)
        said = (edge.type, self._properties(edge.properties))
        if self.entities == "whole":
            return (*self._identity(edge), *said, repr(edge.start), repr(edge.end))
        return (*said, *[self._end(node) for node in (edge.start, edge.end)])

    def _end(self, node: int | str) -> Tree:
        """An end by its content, as far as the result tells it."""
        known = self.nodes.get(node)
        return ("unknown",) if known is None else ("node", *self._content(known))

    def _path(self, path: Path) -> Iterable[Tree]:
        """Nodes and edges in turn, and which way each edge is walked."""
        yield ("node", *self._identity(path.start), *self._content(path.start))
        for before, edge, after in zip(path.nodes, path.edges, path.nodes[1:], strict=False):
            yield ("forward" if (edge.start, edge.end) == (before.id, after.id) else "backward",)
            if self.entities == "content":
                yield (edge.type, self._properties(edge.properties))
            else:
                yield self._edge(edge)
            yield ("node", *self._identity(after), *self._content(after))


@dataclass(frozen=True, slots=True)
class _Opaque:
    """A value that is equal or not; it sorts by its text."""

    value: Any

    def __repr__(self) -> str:
        return f"{type(self.value).__name__}({self.value})"


def tied(left: Sequence[Any], right: Sequence[Any], tolerance: Tolerance) -> bool:
    """Whether rows with these sort keys may change places: for ORDER BY 1 is 1.0, and floats that are close are not
    trusted to be in order."""
    planter = Planter("identity", "ordered", "value", {})
    return all(tolerance.same(planter.tree(a), planter.tree(b)) for a, b in zip(left, right, strict=True))


def blurred(tree: Tree) -> Tree:
    """The tree without its leaves: trees that are nearly equal are equal when they are blurred."""
    if type(tree) is not tuple:
        return ("number",) if type(tree) in (int, float) else tree
    parts = [blurred(part) for part in tree]
    return ("bag", *sorted(parts[1:], key=repr)) if tree[:1] == ("bag",) else tuple(parts)


def leaves(tree: Tree) -> list[float]:
    """The leaves from left to right."""
    if type(tree) is not tuple:
        return [tree] if type(tree) in (int, float) else []
    return [leaf for part in tree for leaf in leaves(part)]


def has_bag(tree: Tree) -> bool:
    """Whether there is a list without order in it: leaves of two such trees need not stand for each other."""
    return type(tree) is tuple and (tree[:1] == ("bag",) or any(map(has_bag, tree)))


def without_equals(wanted: Sequence[H], offered: Iterable[H]) -> tuple[list[int], list[H]]:
    """The indices of the wanted ones and the offered ones that are left when equal ones are paired off."""
    free = Counter(offered)
    left = []
    for at, one in enumerate(wanted):
        if free[one]:
            free[one] -= 1
        else:
            left.append(at)
    return left, list(free.elements()) if left else []


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far leaves may be apart: relative to the greater one, or absolutely."""

    relative: float
    absolute: float

    def close(self, left: float, right: float) -> bool:
        if left == right or (type(left) is int and type(right) is int):
            return left == right
        try:
            return math.isclose(left, right, rel_tol=self.relative, abs_tol=self.absolute)
        except OverflowError:
            return False

    def same(self, left: Tree, right: Tree) -> bool:
        """Whether two trees are equal up to their leaves, and these are close."""
        if type(left) is not tuple or type(right) is not tuple:
            if isinstance(left, (int, float)) and isinstance(right, (int, float)):
                return self.close(left, right)
            return bool(left == right)
        if len(left) != len(right):
            return False
        if left[:1] == right[:1] == ("bag",):
            return self.without_partner(left[1:], right[1:]) is None
        return all(self.same(a, b) for a, b in zip(left, right, strict=True))

    def without_partner(self, wanted: Sequence[Tree], offered: Sequence[Tree]) -> int | None:
        """The index of a wanted tree that is left when each takes another one of the offered; None if all have one.

        Equal trees are paired first; then as many as possible of those that are close.
        """
        left, free = without_equals(wanted, offered)
        if not left:
            return None
        kinds: dict[Tree, list[Tree]] = defaultdict(list)
        for tree in free:
            kinds[blurred(tree)].append(tree)
        groups: dict[Tree, list[int]] = defaultdict(list)
        for at in left:
            groups[blurred(wanted[at])].append(at)
        for kind, places in groups.items():
            alone = self._alone([wanted[at] for at in places], kinds.get(kind, []))
            if alone is not None:
                return places[alone]
        return None

    def _alone(self, wanted: Sequence[Tree], offered: Sequence[Tree]) -> int | None:
        """The same for trees that are alike but for their leaves.

        If they do not pair off in the order of their leaves, each wanted one looks for an augmenting path.
        """
        if len(wanted) == len(offered) and all(map(self.same, sorted(wanted, key=leaves), sorted(offered, key=leaves))):
            return None
        near = self._near(wanted, offered)
        taker: dict[int, int] = {}
        taken: dict[int, int] = {}
        for at in range(len(wanted)):
            came: dict[int, int] = {}
            pending, end = [at], None
            while pending and end is None:
                one = pending.pop()
                fresh = [other for other in near[one] if other not in came]
                came.update(dict.fromkeys(fresh, one))
                end = next((other for other in fresh if other not in taker), None)
                pending += [taker[other] for other in fresh if other in taker]
            if end is None:
                return at
            place: int | None = end
            while place is not None:
                one = came[place]
                before = taken.get(one)
                taker[place], taken[one] = one, place
                place = before
        return None

    def _near(self, wanted: Sequence[Tree], offered: Sequence[Tree]) -> list[list[int]]:
        """For each wanted tree the offered ones that are close."""
        if not offered or self.relative >= 1 or has_bag(offered[0]) or not leaves(offered[0]):
            return [[at for at, other in enumerate(offered) if self.same(tree, other)] for tree in wanted]
        order = sorted(range(len(offered)), key=lambda at: leaves(offered[at])[0])
        heads = [leaves(offered[at])[0] for at in order]
        found = []
        for tree in wanted:
            head = leaves(tree)[0]
            widest = max(self.absolute, self.relative * abs(head) / (1 - self.relative))
            room = widest * 1.001 if abs(head) < math.inf else 0.0
            window = order[bisect_left(heads, head - room) : bisect_right(heads, head + room)]
            found.append([at for at in window if self.same(tree, offered[at])])
        return found
