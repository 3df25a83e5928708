"""A schema laid out as tables under a property graph, for one dialect: every decision that is not spelling.

A node type is a table, an edge type a table per pair of node tables that it connects.  What the dialect cannot hold is
told in `notes`.  The names decided here are what `names.py` tells translators and what `writer.py` prints.

Decisions.  A type without a key gets a column `graphir_id`, which is exposed as a property, so that queries can tell
elements apart.  Inherited properties and labels are repeated at each heir.  An end without a node type of its own is
written as a node table without properties; an edge type with an unknown end is left out.  Where tables of one label
must expose the same properties, the missing ones are typed NULLs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from graphir.schema.ddl.losses import called, losses, some
from graphir.schema.ddl.naming import Namespace, legal
from graphir.schema.ddl.paths import Path, shown
from graphir.schema.ddl.plans import HIDDEN, OWN, Column, Element, Layout, Reference, TablePlan, asked_by
from graphir.schema.ddl.script import HIDING, OWN_KIND, OWN_LABEL, SURROGATE
from graphir.schema.ddl.targets import TARGETS, Target
from graphir.schema.ddl.types import INTEGER, type_in_graph, write_type
from graphir.schema.model import DataType, EdgeType, Labels, NodeType, PropertyType, Schema


def lay_out(schema: Schema, target: Target) -> Layout:
    """The tables and the graph that stand for a schema."""
    return Planner(schema, target).plan()


class Planner:
    """Decides the tables of one schema for one dialect."""

    def __init__(self, schema: Schema, target: Target) -> None:
        self.schema = schema
        self.target = target
        self.notes: list[str] = []
        self.inexact: dict[tuple[str, str], list[str]] = {}
        self.table_names: dict[Path, Namespace] = {}
        self.element_names = Namespace(target)
        self.tables: list[TablePlan] = []
        self.shares = schema.origin is not None and schema.origin.format in TARGETS
        self.by_path: dict[Path, TablePlan] = {}
        self.own = schema.origin is not None and _family(schema.origin.format) == _family(target.format)
        self.origin = schema.origin.held if schema.origin is not None and self.own else ()
        self.held = {(kind, name): held for kind, name, held in self.origin}
        self.triples = {(edge.type, (edge.source, edge.target)) for edge in schema.edge_types}
        self.type_count = Counter(edge.type for edge in schema.edge_types)
        self.ends: dict[Labels, list[Element]] = {}
        self.connected: set[tuple[str, str, str]] = set()
        self.by_label: dict[str, list[NodeType]] = {}
        for node in schema.node_types:
            for label in node.labels:
                self.by_label.setdefault(label, []).append(node)

    def plan(self) -> Layout:
        nodes = [self._node(node) for node in self.schema.node_types if not self._is_part(node)]
        nodes += [self._part(node, nodes) for node in self.schema.node_types if self._is_part(node)]
        edges = [edge for type in self.schema.edge_types for edge in self._edges(type, nodes)]
        within = self._qualifier_of_graph()
        graph = self._named(within).take(self._legal("graph", self.schema.name or "graph"))
        if self.schema.name is not None:
            self._note_renamed("graph", self.schema.name, graph)
        self._note_others()
        self._name_labels(nodes, edges)
        self._name_properties([*nodes, *edges])
        self._note_losses()
        spelled = {(kind, held): name for (kind, name), held in self.held.items()}
        hidden = frozenset((name, held) for kind, name, held in self.origin if kind == HIDING)
        return Layout(self.target, (*within, graph), self.tables, nodes, edges, self.notes, spelled, hidden)

    def _legal(self, kind: str, name: str) -> str:
        return self.held.get((kind, name)) or legal(name, self.target)

    # -------------------------------------------------------------- schemas of the database

    def _named(self, qualifier: Path) -> Namespace:
        """The names of tables and graphs in a schema."""
        return self.table_names.setdefault(qualifier, Namespace(self.target))

    def _qualifier(self, names: Path) -> Path:
        """The schemas that a table or graph is in, as far as the dialect has as many: in it, those of its own
        definitions are all right."""
        if self.own:
            return tuple([self.held.get(("schema", name)) or name for name in names])
        kept = names[-self.target.schemas :]
        if len(kept) < len(names):
            left_out = shown(names[: -self.target.schemas])
            self._note(f"names of {self.target.title} have one schema before them: {left_out} is left out")
        return tuple([legal(name, self.target, plain=True, instead="s") for name in kept])

    def _qualifier_of_graph(self) -> Path:
        names = self.schema.qualifier
        if not names or not self.target.global_graphs:
            return self._qualifier(names)
        self._note(f"graphs of {self.target.title} are in no schema: {shown(names)} is left out")
        return ()

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    # -------------------------------------------------------------- nodes

    def _ancestors(self, node: NodeType) -> list[NodeType]:
        """The node types that this one inherits from, nearest first."""
        found: list[NodeType] = []
        waiting = list(node.parents)
        seen: set[str] = set()
        while waiting:
            label = waiting.pop(0)
            if label in seen:
                continue
            seen.add(label)
            for parent in self.by_label.get(label, ()):
                if parent is not node and parent not in found:
                    found.append(parent)
                    waiting += parent.parents
        return found

    def _node(self, node: NodeType) -> Element:
        ancestors = self._ancestors(node)
        properties: dict[str, PropertyType] = {}
        for type in (node, *ancestors):
            for property in type.properties or ():
                properties.setdefault(property.name, property)
        closure = frozenset((*node.labels, *node.parents, *(label for type in ancestors for label in type.labels)))
        key = next((type.key for type in (node, *ancestors) if type.key), ())
        table = self._table(node, "_".join(node.labels) or "node")
        element = Element(node, table, self.element_names.take(table.name), closure=closure)
        self._fill(element, list(properties.values()), key)
        element.labels = {label: label for label in sorted(closure)}
        if not closure:
            self.notes.append("nodes without labels get a label, as every element of a property graph has one")
        if node.parents:
            self.notes.append(f"(:{':'.join(node.labels)}) inherits from {', '.join(node.parents)}: repeated, not held")
        return element

    def _is_part(self, node: NodeType) -> bool:
        """Whether the nodes are some rows of the table of a type that they inherit from (sublabels of DuckPGQ)."""
        return self.shares and any(
            other is not node and _home(other) == _home(node) is not None and set(other.labels) <= set(node.parents)
            for label in node.parents
            for other in self.by_label.get(label, ())
        )

    def _part(self, node: NodeType, nodes: list[Element]) -> Element:
        whole = next(
            other
            for other in nodes
            if isinstance(other.type, NodeType)
            and _home(other.type) == _home(node)
            and set(other.type.labels) <= set(node.parents)
        )
        self.notes.append(f"{called(node)} is left out: which rows of {whole.table.name} have the label is not said")
        part = Element(node, whole.table, self.element_names.take("_".join(node.labels)), written=False)
        part.labels = {label: label for label in (*node.labels, *whole.labels)}
        part.columns = dict(whole.columns)
        part.key = whole.key
        return part

    def _table(self, type: NodeType | EdgeType, name: str, *, home: bool = True) -> TablePlan:
        """The table of a type: the one that the schema names, perhaps with another type in it, or a new one."""
        known = type.table if home else None
        if known is not None and self.shares and known.path in self.by_path:
            return self.by_path[known.path]
        spelled = self.held.get(("table", known.name)) if known is not None else None
        name = spelled or legal(known.name if known is not None else name, self.target, plain=True, instead="t")
        within = self._qualifier(self.schema.qualifier if known is None else known.qualifier)
        table = TablePlan(
            self._named(within).take(name), description=type.description, place=len(self.tables), qualifier=within
        )
        self.tables.append(table)
        if known is not None:
            self.by_path[known.path] = table
        return table

    def _fill(self, element: Element, properties: list[PropertyType], key: tuple[str, ...]) -> None:
        """The columns of an element: its properties, and a key of its own where there is none among them."""
        table = element.table
        fresh = not table.columns
        names = Namespace(self.target, {self.target.held(SURROGATE, True)})
        names.taken |= {self.target.held(column.name, True) for column in table.columns}
        known = dict(element.type.table.columns) if element.type.table is not None else {}
        used: set[str] = set()
        for property in properties:
            column = known.get(property.name, property.name)
            spelled = self.held.get(("column", column)) or legal(column, self.target, plain=True, instead="c")
            text, exact = write_type(property.type, self.target.format)
            if not exact:
                self._note_type(element.type, property, text)
            made = None if fresh else table.column(spelled)
            if made is None or made.type != text or made.name in used:
                nullable = property.nullable is not False and property.name not in key
                made = Column(names.take(spelled), text, nullable, property)
                table.add(made)
            element.columns[property.name] = made
            used.add(made.name)
        self._set_key(element, {property.name: property for property in properties}, key, fresh=fresh)

    def _set_key(
        self, element: Element, properties: Mapping[str, PropertyType], key: tuple[str, ...], *, fresh: bool
    ) -> None:
        table = element.table
        unfit = [name for name in key if name in properties and not can_be_key(properties[name].type, self.target)]
        if unfit:
            self.notes.append(f"{called(element.type)}: {', '.join(unfit)} cannot be part of a key here")
        if key and not unfit and all(name in properties for name in key):
            element.key = tuple(element.columns[name].name for name in key)
            if nullable := [name for name in key if properties[name].nullable is not False]:
                self.notes.append(f"{called(element.type)}: {', '.join(nullable)} of the key cannot be NULL")
        elif fresh:
            table.add(Column(SURROGATE, write_type(INTEGER, self.target.format)[0], False), 0)
            element.key = (SURROGATE,)
            known = element.type.table.key if element.type.table is not None else ()
            if known and known != (SURROGATE,):
                what = f"its key ({', '.join(known)}) is no property"
                self.notes.append(f"{called(element.type)}: {what}, so {SURROGATE} takes its place")
        else:
            element.key = table.key
        if element.key == (SURROGATE,):
            surrogate = table.column(SURROGATE)
            assert surrogate is not None
            element.columns[HIDDEN] = surrogate
        if fresh:
            table.key = element.key

    def _note_type(self, type: NodeType | EdgeType, property: PropertyType, text: str) -> None:
        kind = "unknown type" if property.type is None else str(property.type)
        self.inexact.setdefault((kind, text), []).append(f"{called(type)}.{property.name}")

    # -------------------------------------------------------------- edges

    def _edges(self, edge: EdgeType, nodes: list[Element]) -> Iterator[Element]:
        if edge.source is None or edge.target is None:
            self.notes.append(f"[:{edge.type}] is left out: between which nodes it stands is not known")
            return
        sources = self._ends(edge.source, nodes)
        targets = self._ends(edge.target, nodes)
        if len(sources) * len(targets) > 1:
            self.notes.append(
                f"{called(edge)} is a table for each of the {len(sources) * len(targets)} pairs of tables"
            )
        for source in sources:
            for target in targets:
                pair = (edge.type, source.name, target.name)
                if pair in self.connected or not self._is_own(edge, source, target):
                    continue  # a triple of its own says more of this pair
                self.connected.add(pair)
                yield self._edge(edge, source, target)

    def _is_own(self, edge: EdgeType, source: Element, target: Element) -> bool:
        """Whether an edge between two tables, perhaps of heirs, is not listed as an edge type of its own."""
        assert isinstance(source.type, NodeType)
        assert isinstance(target.type, NodeType)
        ends = (source.type.labels, target.type.labels)
        return ends == (edge.source, edge.target) or (edge.type, ends) not in self.triples

    def _ends(self, end: Labels, nodes: list[Element]) -> list[Element]:
        """The node tables whose rows may stand at an end with these labels."""
        if end not in self.ends:
            self.ends[end] = self._find_ends(end, nodes)
        return self.ends[end]

    def _find_ends(self, end: Labels, nodes: list[Element]) -> list[Element]:
        exact = [node for node in nodes if isinstance(node.type, NodeType) and node.type.labels == end]
        heirs = [
            node
            for node in nodes
            if isinstance(node.type, NodeType)
            and node not in exact
            and node.written
            and end
            and node.closure.issuperset(end)
            and (not exact or not set(end) <= set(node.type.labels))
        ]
        if exact or heirs:
            return [*exact, *heirs]
        made = self._node(NodeType(end))
        nodes.append(made)
        self.notes.append(f"(:{':'.join(end)}) is named by edges only: it gets a table without properties")
        return [made]

    def _edge(self, edge: EdgeType, source: Element, target: Element) -> Element:
        assert isinstance(source.type, NodeType)
        assert isinstance(target.type, NodeType)
        exact = (source.type.labels, target.type.labels) == (edge.source, edge.target)
        home = edge.table if exact else None
        several = self.type_count[edge.type] > 1
        name = f"{source.table.name}_{edge.type}_{target.table.name}" if several else edge.type
        table = self._table(edge, name, home=exact)
        fresh = not table.columns
        name = self.element_names.take(table.name if fresh else legal(edge.type, self.target))
        element = Element(edge, table, name, labels={edge.type: edge.type})
        self._fill(element, list(edge.properties or ()), edge.key)
        columns = (home.source, home.target) if home is not None else ((), ())
        open_ = home.nullable if home is not None else ()
        element.source = self._reference(element, source, "source", columns[0], open_, nullable=not fresh)
        element.target = self._reference(element, target, "target", columns[1], open_, nullable=not fresh)
        for reference in (element.source, element.target):
            self._refer(edge, table, reference)
        return element

    def _refer(self, edge: EdgeType, table: TablePlan, reference: Reference) -> None:
        """The foreign key of an end, where it is one and can stand in the definition of the table."""
        node = reference.node
        if node.table is table and reference.columns == node.key:
            return
        if node.table.place > table.place:
            self.notes.append(f"{called(edge)}: the foreign key to a table that is defined later is left out")
        elif node.table.qualifier != table.qualifier and not self.target.foreign_across:
            self.notes.append(f"{called(edge)}: the foreign key to a table in another schema is left out")
        elif all((known.columns, known.node.table) != (reference.columns, node.table) for known in table.references):
            table.references.append(reference)

    def _reference(
        self,
        element: Element,
        node: Element,
        role: str,
        known: tuple[str, ...],
        open_: tuple[str, ...],
        *,
        nullable: bool,
    ) -> Reference:
        """The columns that refer to a node: those that the schema names, or new ones.

        `open_`: what the schema names may be null; `nullable`: any may.
        """
        table = element.table
        keys = [node.table.column(name) for name in node.key]
        names = Namespace(self.target, {self.target.held(column.name, True) for column in table.columns})
        columns = []
        for at, key in enumerate(keys):
            assert key is not None
            wanted = known[at] if len(known) == len(keys) else role if len(keys) == 1 else f"{role}_{key.name}"
            mapped = self.held.get(("column", wanted)) or legal(wanted, self.target, plain=True, instead="c")
            present = table.column(mapped) if len(known) == len(keys) else None
            if present is not None:
                columns.append(present.name)
                continue
            made = Column(names.take(mapped), key.type, nullable or wanted in open_)
            table.add(made)
            columns.append(made.name)
        return Reference(tuple(columns), node)

    # -------------------------------------------------------------- names in the graph

    def _name_labels(self, nodes: list[Element], edges: list[Element]) -> None:
        """One name for each label; several tables may share it, unless the dialect says otherwise."""
        names = Namespace(self.target)
        if self.target.unique_labels:
            self._name_unique_labels(nodes, edges, names)
            return
        printed: dict[str, str] = {}
        for label in sorted({label for element in (*nodes, *edges) for label in element.labels}):
            printed[label] = names.take(self._legal("label", label))
            self._note_renamed("label", label, printed[label])
        for element in (*nodes, *edges):
            element.labels = {label: printed[label] for label in element.labels} or {"": names.take(element.name)}
        if self.target.own_labels:
            self._name_own_labels([*nodes, *edges], names)

    def _name_own_labels(self, elements: list[Element], names: Namespace) -> None:
        """A label for each table that no other has: of the edges, none between the same elements."""
        covered = Counter(place for element in elements for place in asked_by(element))
        origin = self.schema.origin
        known = {name: held for kind, name, held in (() if origin is None else origin.held) if kind == OWN_KIND}
        for element in elements:
            if not element.written or any(covered[place] == 1 for place in asked_by(element)):
                continue
            if not self.own:
                element.labels[OWN] = names.take(self._legal("label", OWN_LABEL + element.name))
            elif (found := known.get(element.name)) is not None:
                element.labels[OWN] = found

    def _name_unique_labels(self, nodes: list[Element], edges: list[Element], names: Namespace) -> None:
        for element in (*nodes, *edges):
            type = element.type
            own = main_label(type, self.schema.node_types) if isinstance(type, NodeType) else type.type
            label = own or element.name
            wanted = legal(label, self.target)
            if isinstance(type, EdgeType) and names.held(wanted) in names.taken:
                assert element.source is not None
                assert element.target is not None
                wanted = f"{label}_{element.source.node.name}_{element.target.node.name}"
            found = names.take(wanted)
            others = [name for name in element.labels if name != own]
            if others and element.written:
                self.notes.append(f"{called(type)}: one label for a table, so {', '.join(others)} is not held")
            element.labels = {own or "": found}
            if found != label:
                self.notes.append(f"{called(type)} is called {found}: another table has the label {label}")

    def _name_properties(self, elements: list[Element]) -> None:
        """The names of properties.  Where one name has one type in the whole graph, other types get another name."""
        if self.own or not self.target.one_type:
            for element in elements:
                names = Namespace(self.target)
                for name in sorted(element.columns, key=lambda name: (name == HIDDEN, name)):
                    element.properties[name] = names.take(self._legal("property", _shown(name)))
                    self._note_renamed("property", name, element.properties[name])
            return
        uses: dict[tuple[str, str], list[Element]] = {}
        kinds: dict[tuple[str, str], str] = {}
        for element in elements:
            for name, column in element.columns.items():
                text = type_in_graph(column.type, self.target.format)
                uses.setdefault((name, text), []).append(element)
                type = column.property.type if column.property is not None else None
                kind = "key" if name == HIDDEN else type.name if type is not None else "string"
                kinds.setdefault((name, text), kind.lower().replace(" ", "_"))
        taken: dict[str, list[tuple[str, str]]] = {}
        order = sorted(uses, key=lambda use: (use[0] == HIDDEN, -len(uses[use]), use))
        for name, text in order:
            wanted = self._legal("property", _shown(name))
            found, number = wanted, 1
            while self._clashes(taken.get(self.target.held(found, True), ()), name, text, uses):
                ending = "_" + kinds[name, text]
                ending += f"_{number}" if number > 1 else ""
                found = legal(wanted, replace(self.target, bytes=self.target.bytes - len(ending))) + ending
                number += 1
            taken.setdefault(self.target.held(found, True), []).append((name, text))
            self._note_renamed("property", name, found)
            for element in uses[name, text]:
                element.properties[name] = found

    @staticmethod
    def _clashes(
        there: Sequence[tuple[str, str]], name: str, type: str, uses: Mapping[tuple[str, str], list[Element]]
    ) -> bool:
        """Whether what has the name already cannot share it: another type, or the same table."""
        return any(
            other_type != type or (other != name and any(e in uses[name, type] for e in uses[other, other_type]))
            for other, other_type in there
        )

    def _note_renamed(self, kind: str, name: str, found: str) -> None:
        if name not in (HIDDEN, found) and self.held.get((kind, name)) != found:
            self.notes.append(f"the {kind} {name} is called {found}")

    # -------------------------------------------------------------- what is lost

    def _note_others(self) -> None:
        for type in self.schema.types:
            for path in type.table.others if type.table is not None else ():
                self.notes.append(f"{called(type)} is in several tables: {shown(path)} is left out")

    def _note_losses(self) -> None:
        for (kind, text), places in self.inexact.items():
            self.notes.append(f"{kind} is written as {text}: {some(places)}")
        self.notes += losses(
            self.schema,
            unique=lambda property: unique(property, self.target),
            values=lambda property: checked(property, self.target),
            descriptions=self.target.comments,
        )


def _home(type: NodeType | EdgeType) -> Path | None:
    return type.table.path if type.table is not None else None


def _family(format: str) -> str:
    """Formats of one family hold names in the same way."""
    return "spanner-ddl" if format == "bigquery-ddl" else format


def _shown(name: str) -> str:
    return SURROGATE if name == HIDDEN else name


def can_be_key(type: DataType | None, target: Target) -> bool:
    """Whether columns of the type may be in a key or unique."""
    return target.unkeyed.search(write_type(type, target.format)[0]) is None


def unique(property: PropertyType, target: Target) -> bool:
    """Whether a definition can hold that the values are unique."""
    return property.unique and target.unique != "none" and can_be_key(property.type, target)


def checked(property: PropertyType, target: Target) -> bool:
    """Whether a CHECK can hold the set of values."""
    return (
        target.checks
        and bool(property.values)
        and all(isinstance(value, (bool, int, float, str)) for value in property.values or ())
        and not any(isinstance(value, float) and not abs(value) < 1e300 for value in property.values or ())
    )


def main_label(node: NodeType, others: tuple[NodeType, ...]) -> str | None:
    """The label that tells a node type from the others: of its labels the one that the fewest have."""
    count = {label: sum(label in other.labels for other in others) for label in node.labels}
    return min(node.labels, key=lambda label: (count[label], label), default=None)
