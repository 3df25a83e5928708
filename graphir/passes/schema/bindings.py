"""What every variable of a query may be under a schema, and whose the properties are that it uses.

One walk through the clauses notes slots, the ties between them, labels, and uses of properties (`slots`); then the ties
narrow the slots.  `Bindings` answers for places of the IR, by identity: keep the query.  Whether a name may stand where
it stands is the business of `passes.scope`: of a name that is not bound, nothing is known here.

A property is missing from a node only if no node type has it that the node may be of: those that its labels and the
relationships around it leave, and those whose labels the query tests or sets on it.  Labels that the schema lists one
by one may meet on a node, and then it has the properties of all of them.  Where any of these types is open, or its
properties are not known, nothing is missing.
"""

from __future__ import annotations

from graphir import ir
from graphir.ir import Node
from graphir.passes.schema.index import Index
from graphir.passes.schema.slots import Access, LabelUse, Owners, Slot
from graphir.passes.schema.values import Reader
from graphir.schema.model import EdgeType, NodeType, PropertyType


class Bindings(Reader):
    """What was found.  Masks are those of `index`."""

    def __init__(self, index: Index) -> None:
        super().__init__(index)
        self.uses: list[Access] = []
        self.labels: list[LabelUse] = []
        self.aliases: dict[int, Access] = {}
        """Identity of a `Ref` -> the property whose value it is, through aliases."""
        self.comparisons: list[Node] = []
        """Comparisons, CASE, and what makes temporal values of texts."""
        self.components: list[tuple[ir.Property, Access]] = []
        """What is read from the value of a property: `n.born.year`."""
        self.elements: dict[int, Slot] = {}
        """Identity of a node or edge pattern, or of a `Ref` -> its slot."""
        self.contradictions: list[tuple[Node, Slot]] = []
        """Patterns whose labels no node type has together."""

    # -------------------------------------------------------------- answers

    def node_types(self, slot: Slot) -> list[NodeType] | None:
        """The node types that a node may be of, or None where it may be of others, too."""
        mask = slot.mask | slot.beside()
        return None if mask < 0 else [self.index.nodes[at] for at in self.index.bits(mask, nodes=True)]

    def edge_types(self, slot: Slot) -> list[EdgeType] | None:
        """The triples that an edge may be of, or None where it may be of others, too."""
        mask = slot.mask | slot.beside()
        return None if mask < 0 else [self.index.edges[at] for at in self.index.bits(mask, nodes=False)]

    def access_of(self, place: Node) -> Access | None:
        """The use of a property that an expression, an entry of a map or an alias is."""
        return self.accesses.get(id(place)) or self.aliases.get(id(place))

    def owners(self, access: Access) -> Owners:
        """The types that have the property among those that its element may be of."""
        index, slot = self.index, access.owner
        mask = slot.mask | slot.beside()
        if slot.node:
            mask = index.with_kin(mask)
        having = index.node_owners if slot.node else index.edge_owners
        silent = index.silent_nodes if slot.node else index.silent_edges
        tables = index.node_properties if slot.node else index.edge_properties
        listing = having.get(access.key, 0)
        types: list[PropertyType] = [tables[at][access.key] for at in index.bits(mask & listing, nodes=slot.node)]
        certain = slot.node or slot.named or index.coverage.types
        return Owners(types, complete=mask >= 0 and not mask & silent & ~listing and certain)

    def has_property(self, access: Access) -> bool:
        """Whether the element of a use may have the property."""
        index, slot = self.index, access.owner
        mask = slot.mask | slot.beside()
        if mask < 0:
            return True
        if slot.node:
            having = index.node_owners.get(access.key, 0) | index.silent_nodes
            return bool(mask & having or index.with_kin(mask) & having)
        if mask & (index.edge_owners.get(access.key, 0) | index.silent_edges):
            return True
        return not (slot.named or index.coverage.types)
