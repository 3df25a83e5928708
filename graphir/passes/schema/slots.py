"""What a variable may hold, and what ties variables to one another.

A slot is one node or edge at one stretch of a query, with the mask of the types it may be (`index`).  Ties narrow the
masks until nothing changes.  A tie that nothing can satisfy narrows nothing: it is told apart, by `direction`.

Knows no construct of the query.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from graphir import ir
from graphir.passes.schema.index import Fit, Index
from graphir.schema.model import PropertyType


class Slot:
    """A node or an edge.

    `declared` is what its labels say, `mask` what is left when the ties are counted in.  `also` are types whose labels
    the query ties to it in other ways (a test, SET, labels that may meet): it may be of them besides.  `plain` is what
    the labels say by themselves, without types that look alike.  `named`: some label or type of it is known.
    """

    __slots__ = ("also", "declared", "made", "mask", "name", "named", "node", "parent", "plain")

    def __init__(self, mask: int, *, node: bool, name: str | None = None, parent: Slot | None = None) -> None:
        self.declared = self.mask = self.plain = mask
        self.node = node
        self.name = name
        self.parent = parent
        self.also = 0
        self.named = False
        self.made = False
        """A clause of this query creates it."""

    def child(self) -> Slot:
        """The same element where less of what is learnt holds outside: in a subquery, in OPTIONAL MATCH."""
        made = Slot(self.declared, node=self.node, name=self.name, parent=self)
        made.named = self.named
        made.plain = self.plain
        return made

    def shown(self) -> int:
        """The mask for a message."""
        return self.mask & self.plain or self.mask

    def labelled(self) -> bool:
        """Whether a label of it is known, here or where it comes from."""
        slot: Slot | None = self
        while slot is not None:
            if slot.named:
                return True
            slot = slot.parent
        return False

    def beside(self) -> int:
        """The types tied to it in other ways, here or where it comes from."""
        found, slot = self.also, self.parent
        while slot is not None:
            found |= slot.also
            slot = slot.parent
        return found


@dataclass(slots=True)
class Items:
    """A list of values of one sort; `each` are they one by one where their number is known."""

    of: Value
    each: tuple[Value, ...] = ()


@dataclass(slots=True)
class Route:
    """A path: its nodes and edges, from left to right where the length is fixed."""

    nodes: list[Slot]
    edges: list[Slot]
    fixed: bool = True


@dataclass(slots=True)
class Record:
    """A map with known entries."""

    entries: dict[str, Value]


@dataclass(slots=True, eq=False)
class Access:
    """One use of a property: where it stands, its name, and the element it is read from or written to.

    `place` is the IR node: `Property`, `Index`, `ProjectedProperty`, the `Entry` of a pattern's map or of a SET.
    """

    place: ir.Node
    key: str
    owner: Slot
    write: bool = False


Value: TypeAlias = "Slot | Items | Route | Record | Access | None"
"""What is known of a value; None is nothing."""


@dataclass(slots=True, eq=False)
class Link:
    """An edge between two nodes; `bounds` where it stands for a path of several."""

    pattern: ir.EdgePattern
    edge: Slot
    left: Slot
    right: Slot
    direction: str
    bounds: tuple[int, int | None] | None = None
    write: bool = False
    flipped: bool = False
    void: bool = False
    """Nothing satisfies it, either way: it narrows nothing."""
    optional: bool = False
    rivals: list[Link] = field(default_factory=list)
    """Void only beside others: edges any of which might be meant the other way."""

    def fit(self, index: Index, direction: str, left: int, right: int, edge: int) -> Fit:
        """What is left of the edge, of the left and of the right, read in a direction."""
        if self.left is self.right:
            return index.loop(edge, left, self.bounds or (1, 1), direction)
        if self.bounds is not None:
            return index.stretch(edge, left, right, self.bounds, direction)
        if direction == "out":
            return index.fit(edge, left, right)
        one, source, target = index.fit(edge, right, left)
        if direction == "in":
            return one, target, source
        edges, first, second = index.fit(edge, left, right)
        return edges | one, first | target, second | source

    @property
    def way(self) -> str:
        """The direction that counts."""
        return OTHER_WAY[self.direction] if self.flipped else self.direction

    def narrow(self, index: Index) -> bool | None:
        """Narrow both ends; whether anything changed, None where nothing fits."""
        left, right, edge = self.left, self.right, self.edge
        found = self.fit(index, self.way, left.mask, right.mask, edge.mask)
        if not (found[0] and found[1] and found[2]):
            return None
        changed = found[0] != edge.mask or found[1] != left.mask or found[2] != right.mask
        edge.mask, left.mask, right.mask = found
        return changed

    def slots(self) -> tuple[Slot, ...]:
        return self.left, self.right, self.edge


OTHER_WAY = {"out": "in", "in": "out", "any": "any"}


def _common(slot: Slot, mask: int, others: tuple[Slot, ...], index: Index) -> int:
    """What is left of a node that is also one of the others."""
    union = 0
    for other in others:
        union |= other.mask
    both = mask & union
    if index.meets:
        return both
    said = any(other.labelled() for other in others)
    if said and slot.labelled():  # labels of both, which may be two of the same node
        return both if both in (mask, union) and both else mask
    slot.named = slot.named or (said and both != mask)
    return both


@dataclass(slots=True, eq=False)
class Repeat:
    """A quantified path: between its repetitions the last node is the first of the next."""

    first: Slot
    last: Slot
    low: int
    high: int | None
    left: Slot | None = None
    right: Slot | None = None
    links: list[Link] = field(default_factory=list)
    """The edges inside."""

    def narrow(self, index: Index) -> bool | None:
        once = self.high == 1
        changed = False
        for inner, outer, other in ((self.first, self.left, self.last), (self.last, self.right, self.first)):
            if outer is None:
                continue
            around = (outer,) if once else (outer, other)
            entry = _common(inner, inner.mask, around, index)
            exit_ = _common(outer, outer.mask, (inner,), index) if self.low > 0 else outer.mask
            if not entry or not exit_:
                return None
            changed = changed or entry != inner.mask or exit_ != outer.mask
            inner.mask, outer.mask = entry, exit_
        return changed

    def slots(self) -> tuple[Slot, ...]:
        return tuple(slot for slot in (self.first, self.last, self.left, self.right) if slot is not None)


@dataclass(slots=True, eq=False)
class Flow:
    """What holds of the origins holds of what comes from one of them; not the other way."""

    origins: tuple[Slot, ...]
    to: Slot

    def narrow(self, index: Index) -> bool | None:
        mask = self.to.also
        for origin in self.origins:
            mask |= origin.mask
        narrowed = self.to.mask & mask
        if narrowed != mask and not index.meets and any(origin.labelled() for origin in self.origins):
            return False  # a label that is known and one that is asked for may be two of the same node
        if not narrowed:
            return None
        changed = narrowed != self.to.mask
        self.to.mask = narrowed
        return changed

    def slots(self) -> tuple[Slot, ...]:
        return self.to, *self.origins


Tie: TypeAlias = "Link | Repeat | Flow"


@dataclass(slots=True, eq=False)
class LabelUse:
    """A label or type that the query names: where, of a node or an edge (None: not known), asked for or written."""

    place: ir.Node
    name: str
    node: bool | None
    slot: Slot | None = None
    write: bool = False


@dataclass(slots=True)
class Owners:
    """The types that a property may belong to, with its type in each; `complete`: it can belong to no other."""

    types: list[PropertyType] = field(default_factory=list)
    complete: bool = False
