"""A schema made ready for questions: sets of types are the bits of integers.

Bit i of a node mask is the i-th node type, bit j of an edge mask the j-th edge type, which is one triple.  A mask with
a sign (-1 and the like) holds types that the schema does not list, too: nothing can be concluded from what it lacks.

Where the schema lists labels one by one (`Coverage.combinations` is False), a node may carry several of them.  Each is
listed with all that its nodes have, so a label alone decides, with one exception: labels of nodes that look alike
(`kin`) may be labels of the same nodes of which the list has seen a part, and what one has the others have, too.

Knows no query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from weakref import finalize

from graphir.schema.model import EdgeType, NodeType, PropertyType, Schema

UNLISTED = -1
"""The mask of everything, whether the schema lists it or not."""

_MEMORY = 4096
"""How many answers about edges are kept."""

_LONGEST = 64
"""Paths that must be longer are not followed."""

_SHARED = 4
"""Of fewer properties than these nothing is concluded from their being the same."""

Fit = tuple[int, int, int]
"""Masks of an edge, its source and its target; all zero where nothing fits."""

NOTHING: Fit = (0, 0, 0)


class Index:
    """The look-up tables of one schema."""

    def __init__(self, schema: Schema) -> None:
        coverage = self.coverage = schema.coverage
        self.nodes: list[NodeType] = list(schema.node_types)
        self.closures = [_closure(node, schema.node_types) for node in self.nodes]
        """The labels of each node type, with those inherited."""
        self.edges: tuple[EdgeType, ...] = schema.edge_types
        self.meets = coverage.combinations
        """Which labels meet on one node is known."""
        self.labels: dict[str, int] = {}
        self.unlabelled = 0
        for at, closure in enumerate(self.closures):
            self._list(at, closure)
        for end in dict.fromkeys(end for edge in self.edges for end in (edge.source, edge.target)):
            if end is not None and not self._ends(end):
                self._list(len(self.nodes), frozenset(end))
                self.nodes.append(NodeType(end, properties=None))
                self.closures.append(frozenset(end))
        listed = (1 << len(self.nodes)) - 1
        self.any_node = listed if coverage.labels else UNLISTED
        self.any_edge = (1 << len(self.edges)) - 1 if coverage.endpoints or coverage.types else UNLISTED
        self.types: dict[str, int] = {}
        for at, edge in enumerate(self.edges):
            self.types[edge.type] = self.types.get(edge.type, 0) | 1 << at
        self.sources = [self._mask(edge.source) for edge in self.edges]
        self.targets = [self._mask(edge.target) for edge in self.edges]
        self.node_properties = [_properties(node, closure, self.nodes) for node, closure in self._pairs()]
        self.edge_properties: list[dict[str, PropertyType]] = [
            {p.name: p for p in edge.properties or ()} for edge in self.edges
        ]
        self.kin = {} if self.meets else _kin(self.node_properties)
        """Position of a node type -> the mask of those that look alike, itself included."""
        self.node_owners = _owners(self.node_properties)
        self.edge_owners = _owners(self.edge_properties)
        self.silent_nodes = sum(
            1 << at for at, (node, closure) in enumerate(self._pairs()) if self._silent(node, closure)
        )
        self.silent_edges = sum(1 << at for at, edge in enumerate(self.edges) if schema.is_open(edge))
        self._fits: dict[tuple[int, ...], Fit] = {}

    def _list(self, at: int, closure: frozenset[str]) -> None:
        """Note the labels of the node type at a position."""
        for label in closure:
            self.labels[label] = self.labels.get(label, 0) | 1 << at
        if not closure:
            self.unlabelled |= 1 << at

    def _pairs(self) -> list[tuple[NodeType, frozenset[str]]]:
        return list(zip(self.nodes, self.closures, strict=True))

    def _silent(self, node: NodeType, closure: frozenset[str]) -> bool:
        """Whether nodes of the type may have properties that are not listed."""
        if not self.coverage.properties:
            return True
        family = [o for o in self.nodes if o.labels and set(o.labels) <= closure] if node.parents else []
        return any(each.open or each.properties is None for each in (node, *family))

    def _ends(self, labels: tuple[str, ...]) -> int:
        """The node types that an end of an edge type means: those with its labels, inherited ones counted."""
        found = UNLISTED if labels else self.unlabelled
        for label in labels:
            found &= self.labels.get(label, 0)
        return found

    def _mask(self, end: tuple[str, ...] | None) -> int:
        return UNLISTED if end is None or not self.coverage.endpoints else self._ends(end)

    # -------------------------------------------------------------- names

    def node_names(self, mask: int) -> list[str]:
        """The node types of a mask, in words."""
        return list(
            dict.fromkeys(":".join(self.nodes[at].labels) or "(no label)" for at in self.bits(mask, nodes=True))
        )

    def edge_names(self, mask: int) -> list[str]:
        return list(dict.fromkeys(self.edges[at].type for at in self.bits(mask, nodes=False)))

    def bits(self, mask: int, *, nodes: bool) -> Iterator[int]:
        """The positions of the listed types in a mask."""
        mask &= (1 << len(self.nodes if nodes else self.edges)) - 1
        while mask:
            low = mask & -mask
            yield low.bit_length() - 1
            mask ^= low

    def with_kin(self, mask: int) -> int:
        """The mask with the node types that its own may be besides."""
        if self.kin and mask >= 0:
            for at, kin in self.kin.items():
                if mask >> at & 1:
                    mask |= kin
        return mask

    def meet(self, one: int, other: int) -> int:
        """The mask of a node that is said to be of the one and of the other.

        Where labels may meet, it may have a label of each, and not one that is in both: unless all of the one are of
        the other, it is of either.
        """
        both = one & other
        return both if self.meets or both in (one, other) else one | other

    # -------------------------------------------------------------- edges

    def fit(self, edge: int, source: int, target: int) -> Fit:
        """What is left of an edge and its ends when the edge runs from the one to the other."""
        if edge < 0:
            return edge, source, target
        key = edge, source, target
        found = self._fits.get(key)
        if found is None:
            found = self._remember(key, self._fit(edge, source, target))
        return found

    def _remember(self, key: tuple[int, ...], found: Fit) -> Fit:
        if len(self._fits) >= _MEMORY:
            self._fits.clear()
        self._fits[key] = found
        return found

    def _fit(self, edge: int, source: int, target: int) -> Fit:
        edges = sources = targets = 0
        for at in self.bits(edge, nodes=False):
            one, other = self.sources[at] & source, self.targets[at] & target
            if one and other:
                edges |= 1 << at
                sources |= one
                targets |= other
        return edges, sources, targets

    def loop(self, edge: int, node: int, bounds: tuple[int, int | None], direction: str) -> Fit:
        """The same for a path that ends where it begins, or, where labels may meet, at another label of that node."""
        if edge < 0 or not self.meets:
            return (edge, node, node) if self.stretch(edge, node, node, bounds, direction)[0] else NOTHING
        edges = nodes = 0
        if node < 0:
            node = (1 << len(self.nodes)) - 1
        for at in self.bits(node, nodes=True):
            found = self.stretch(edge, 1 << at, 1 << at, bounds, direction)
            edges |= found[0]
            nodes |= found[1]
        return edges, nodes, nodes

    def stretch(self, edge: int, left: int, right: int, bounds: tuple[int, int | None], direction: str) -> Fit:
        """The same for a path of `bounds` edges from left to right."""
        low, high = bounds
        if edge < 0 or low > _LONGEST:
            return edge, left, right
        key = edge, left, right, low, -1 if high is None else high, ord(direction[0])
        found = self._fits.get(key)
        if found is None:
            found = self._remember(key, self._stretch(edge, left, right, low, high, direction))
        return found

    def _stretch(self, edge: int, left: int, right: int, low: int, high: int | None, direction: str) -> Fit:
        back = {"out": "in", "in": "out"}.get(direction, "any")
        right &= self._reach(edge, left, low, high, direction)
        left &= self._reach(edge, right, low, high, back)
        return (edge, left, right) if left and right else NOTHING

    def _reach(self, edge: int, start: int, low: int, high: int | None, direction: str) -> int:
        """The node types at the end of the paths of `low` to `high` edges that begin at `start`."""
        found = start if low == 0 else 0
        current, seen, count = start, set[int](), 0
        while current and (high is None or count < high):
            count += 1
            current = self._step(edge, current, direction)
            if count >= low:
                found |= current
                if current in seen:
                    break
                seen.add(current)
        return found

    def _step(self, edge: int, nodes: int, direction: str) -> int:
        found = 0
        for at in self.bits(edge, nodes=False):
            if direction != "in" and self.sources[at] & nodes:
                found |= self.targets[at]
            if direction != "out" and self.targets[at] & nodes:
                found |= self.sources[at]
        return found


def _closure(node: NodeType, types: tuple[NodeType, ...]) -> frozenset[str]:
    """The labels of a node type and of its ancestors."""
    found = set(node.labels)
    pending = [*node.parents]
    while pending:
        label = pending.pop()
        if label not in found:
            found.add(label)
            pending += [each for other in types if other.labels == (label,) for each in other.parents]
    return frozenset(found)


def _properties(node: NodeType, closure: frozenset[str], types: list[NodeType]) -> dict[str, PropertyType]:
    """The properties of a node type by name, inherited ones first."""
    found: dict[str, PropertyType] = {}
    if node.parents:
        for other in types:
            if other is not node and other.labels and set(other.labels) <= closure:
                found.update({p.name: p for p in other.properties or ()})
    found.update({p.name: p for p in node.properties or ()})
    return found


def _kin(properties: list[dict[str, PropertyType]]) -> dict[int, int]:
    """The node types that share nearly all of their properties, unless that is true of all node types."""
    having: dict[str, list[int]] = {}
    for at, names in enumerate(properties):
        for name in names if len(names) >= _SHARED else ():
            having.setdefault(name, []).append(at)
    found: dict[int, int] = {}
    for at, names in enumerate(properties):
        shared = Counter(other for name in names for other in having.get(name, ()))
        for other, count in shared.items():
            if other != at and len(names) >= _SHARED and 4 * count >= 3 * max(len(names), len(properties[other])):
                found[at] = found.get(at, 1 << at) | 1 << other
    several = len(properties) > 2
    return {} if several and any(mask.bit_count() == len(properties) for mask in found.values()) else found


def _owners(properties: list[dict[str, PropertyType]]) -> dict[str, int]:
    """Name of a property -> the types that have it."""
    found: dict[str, int] = {}
    for at, names in enumerate(properties):
        for name in names:
            found[name] = found.get(name, 0) | 1 << at
    return found


_INDEXES: dict[int, Index] = {}
"""By the identity of the schema, as long as it lives."""


def index_of(schema: Schema) -> Index:
    """The index of a schema, made once."""
    found = _INDEXES.get(id(schema))
    if found is None:
        found = _INDEXES[id(schema)] = Index(schema)
        finalize(schema, _INDEXES.pop, id(schema), None)
    return found
