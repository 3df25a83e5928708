"""CREATE, SET, REMOVE and DELETE over a table of bindings.

A clause works on all rows.  The items of SET see what the items before them did, row by row; where no item reads what
another writes, all rows are done at once.  Clauses read the graph as the clause before left it (openCypher 9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sqlglot import exp

from graphir import ir
from graphir.backends.engines.duckdb.storage import Storage
from graphir.backends.engines.duckdb.writing import changes
from graphir.backends.engines.duckdb.writing.bindings import Bindings, Desk, number
from graphir.backends.sql import build
from graphir.backends.sql.reps import EDGE, INTEGER, NODE, PATH, Rep, datatype, list_of
from graphir.backends.sql.rows import Block
from graphir.backends.sql.terms import Term
from graphir.diagnostics import RunFault, diagnose
from graphir.values.faults import type_name
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.storage import stored


@dataclass
class Effects:
    """What the clauses of a statement did: `counters` as Neo4j names them, and what was deleted."""

    counters: Counter[str] = field(default_factory=Counter)
    nodes: set[int] = field(default_factory=set)
    edges: set[int] = field(default_factory=set)
    undetached: dict[int, ir.Node] = field(default_factory=dict)
    """Nodes deleted without DETACH -> the clause: at the end no edge may be left at them."""


@dataclass
class Updates:
    """The clauses that write, over a desk."""

    desk: Desk
    effects: Effects = field(default_factory=Effects)

    @property
    def storage(self) -> Storage:
        return self.desk.session.storage

    def fault(self, code: str, message: str, node: ir.Node, hint: str | None = None) -> NoReturn:
        raise RunFault([diagnose(self.desk.source, code, message, node.span, hint=hint)])

    # -------------------------------------------------------------- CREATE

    def insert(self, paths: Iterable[ir.Path], bindings: Bindings) -> Bindings:
        """Make the elements of the paths that are not bound, for every row."""
        for path in paths:
            nodes: list[Term] = []
            edges: list[Term] = []
            for element in path.elements:
                if isinstance(element, ir.NodePattern):
                    bindings = self._node(element, bindings)
                    nodes.append(bindings.names[element.variable or ""])
            for element in path.elements:
                if isinstance(element, ir.EdgePattern):
                    at = len(edges)
                    bindings = self._edge(element, nodes[at], nodes[at + 1], bindings)
                    edges.append(bindings.names[element.variable or ""])
            if path.variable is not None:
                bindings = bindings.named({path.variable: path_of(nodes, edges)})
        return bindings

    def _node(self, pattern: ir.NodePattern, bindings: Bindings) -> Bindings:
        name = pattern.variable or ""
        if name in bindings.names:
            return bindings
        properties = self._properties(pattern, bindings)
        labels = self._labels(_names(pattern.labels), bindings)
        first = self.storage.next_node
        self.storage.next_node += bindings.count
        for each, at in _groups(labels).items():
            table = self.storage.node_table(each)
            self.desk.add(table, {"id": [first + row for row in at]}, [properties[row] for row in at])
            self.effects.counters["labels_added"] += len(each) * len(at)
        self.effects.counters["nodes_created"] += bindings.count
        return bindings.named({name: _created(first, NODE)})

    def _edge(self, pattern: ir.EdgePattern, left: Term, right: Term, bindings: Bindings) -> Bindings:
        name = pattern.variable or ""
        start, end = (right, left) if pattern.direction == "in" else (left, right)
        ends = self._ends(bindings, start, end, pattern)
        properties = self._properties(pattern, bindings)
        types = self._labels(_names(pattern.labels), bindings)
        first = self.storage.next_edge
        self.storage.next_edge += bindings.count
        for each, at in _groups(types).items():
            if len(each) != 1:
                self.fault("G616", "a relationship needs exactly one type", pattern)
            fixed = {"id": [first + r for r in at], "src": [ends[r][0] for r in at], "dst": [ends[r][1] for r in at]}
            self.desk.add(self.storage.edge_table(each[0]), fixed, [properties[row] for row in at])
        self.effects.counters["relationships_created"] += bindings.count
        return bindings.named({name: _created(first, EDGE)})

    def _ends(self, bindings: Bindings, start: Term, end: Term, pattern: ir.Node) -> list[tuple[int, int]]:
        left, right = _first_of(start), _first_of(end)
        if left is not None and right is not None and not self.effects.nodes:
            return [(left + row, right + row) for row in range(bindings.count)]
        lowering = self.desk.lowering()
        ends: list[tuple[int, int]] = []
        for row in self.desk.select(bindings.rows(), Block(lowering), [start, end], [number()]):
            found = [value.id if isinstance(value, NodeReference) else None for value in row]
            if found[0] is None or found[1] is None or not self.effects.nodes.isdisjoint(found):
                why = "is deleted" if None not in found else f"is {type_name(row[found.index(None)])}"
                self.fault("G611", f"a relationship cannot be created: the node at one end {why}", pattern)
            ends.append((found[0], found[1]))
        return ends

    def _properties(self, pattern: ir.NodePattern | ir.EdgePattern, bindings: Bindings) -> list[dict[str, Any]]:
        """The properties of each row, checked."""
        given = pattern.properties
        if given is None:
            return [{}] * bindings.count
        if isinstance(given, ir.MapOf):
            keys = [entry.key for entry in given.entries]
            rows = self.desk.values(bindings, [entry.value for entry in given.entries])
            maps: list[Any] = [dict(zip(keys, row, strict=True)) for row in rows]
        else:
            maps = [row[0] for row in self.desk.values(bindings, [given])]
        made = [self._stored_map(each, given) for each in maps]
        self.effects.counters["properties_set"] += sum(len(each) for each in made)
        return made

    def _stored_map(self, given: Any, node: ir.Node) -> dict[str, Any]:
        if not isinstance(given, dict):
            self.fault("G615", f"properties are a map, not {type_name(given)}", node)
        return {key: self._stored(value, key, node) for key, value in given.items() if value is not None}

    def _stored(self, value: Any, key: str, node: ir.Node) -> Any:
        try:
            return stored(value)
        except TypeError as reason:
            self.fault("G618", f"property `{key}` cannot hold {reason}", node)

    def _labels(self, names: Sequence[ir.LabelName | ir.LabelDynamic], bindings: Bindings) -> list[tuple[str, ...]]:
        """The labels of each row."""
        asked = [each.expression for each in names if isinstance(each, ir.LabelDynamic)]
        if not asked:
            return [tuple([each.name for each in names if isinstance(each, ir.LabelName)])] * bindings.count
        made: list[tuple[str, ...]] = []
        for row in self.desk.values(bindings, asked):
            values = iter(row)
            found: list[str] = []
            for each in names:
                if isinstance(each, ir.LabelName):
                    found.append(each.name)
                    continue
                value = next(values)
                for label in value if isinstance(value, list) else [value]:
                    if not isinstance(label, str) or not label:
                        self.fault("G616", f"a label or type is a string, not {type_name(label)}", each)
                    found.append(label)
            made.append(tuple(dict.fromkeys(found)))
        return made

    # -------------------------------------------------------------- SET, REMOVE

    def set_items(self, items: Sequence[ir.SetItem], bindings: Bindings) -> None:
        self.desk.flush()
        rounds = self._rounds(items, bindings) if bindings.count > 1 else []
        for part in [self.desk.part(bindings, rows) for rows in rounds] or [bindings]:
            for item in items:
                self._set(item, part)

    def _rounds(self, items: Sequence[ir.SetItem], bindings: Bindings) -> list[list[int]]:
        """The rows that may be done together, one group after the other; none where that is all of them.

        A row that may read what another one wrote comes after it: one row at a time, or, where all that is read is of
        the element that is changed, one row of each element at a time.
        """
        one_by_one = [[row] for row in range(bindings.count)]
        read, everything = _keys_read(items)
        if not everything and not read:
            return []
        targets: dict[ir.Expression, None] = {}
        written: set[str] = set()
        named = True
        for item in items:
            match item:
                case ir.SetProperty(target=ir.Property(base, key)):
                    targets[base] = None
                    written.add(key)
                case ir.SetProperty(target=ir.Index(base)):
                    targets[base] = None
                    named = False
                case ir.SetProperties(target=target) | ir.SetLabels(target=target):
                    targets[target] = None
                    named = False
        if named and not everything and read.isdisjoint(written):
            return []
        if len(targets) > 1 or not isinstance(only := next(iter(targets)), ir.Ref) or not _reads_only(items, only.name):
            return one_by_one
        rounds: list[list[int]] = []
        times: Counter[Any] = Counter()
        for row, (element,) in enumerate(self.desk.values(bindings, [only])):
            if times[element] == len(rounds):
                rounds.append([])
            rounds[times[element]].append(row)
            times[element] += 1
        return rounds if len(rounds) > 1 else []

    def _set(self, item: ir.SetItem, bindings: Bindings) -> None:
        if isinstance(item, ir.SetLabels):
            self._relabel(item.target, item.labels, bindings, add=True)
            return
        if isinstance(item, ir.SetProperties):
            value = ir.Apply("properties", (item.value,))
            rows = self.desk.values(bindings, [item.target, value])
            self._assign([(row[0], row[1]) for row in rows], item, replace=not item.merge)
            return
        target = item.target
        key = ir.Literal(target.key) if isinstance(target, ir.Property) else target.index
        rows = self.desk.values(bindings, [target.base, key, item.value])
        self._assign([(row[0], {row[1]: row[2]}) for row in rows], item)

    def _assign(self, pairs: list[tuple[Any, Any]], node: ir.Node, *, replace: bool = False) -> None:
        """Elements and the properties to be set, null for those to be removed; the last word counts."""
        wanted: dict[type, dict[int, dict[str, Any]]] = {NodeReference: {}, EdgeReference: {}}
        for element, properties in pairs:
            if element is None:
                continue
            if type(element) not in wanted:
                self.fault("G615", f"SET and REMOVE change a node or relationship, not {type_name(element)}", node)
            if not isinstance(properties, dict):
                self.fault("G615", f"properties are a map, not {type_name(properties)}", node)
            if None in properties or any(not isinstance(key, str) for key in properties):
                self.fault("G615", "the name of a property is a string", node)
            kept = {k: None if v is None else self._stored(v, k, node) for k, v in properties.items()}
            self._alive(element, node)
            before = wanted[type(element)].get(element.id)
            wanted[type(element)][element.id] = kept if replace or before is None else {**before, **kept}
        count = changes.assign(self.storage, self.storage.nodes.values(), wanted[NodeReference], replace=replace)
        count += changes.assign(self.storage, self.storage.edges.values(), wanted[EdgeReference], replace=replace)
        self.effects.counters["properties_set"] += count

    def _alive(self, element: NodeReference | EdgeReference, node: ir.Node) -> None:
        gone = self.effects.nodes if isinstance(element, NodeReference) else self.effects.edges
        if element.id in gone:
            self.fault("G614", f"{type_name(element)} that was deleted in this query is used", node)

    def _relabel(
        self,
        target: ir.Expression,
        names: Sequence[ir.LabelName | ir.LabelDynamic],
        bindings: Bindings,
        *,
        add: bool,
    ) -> None:
        labels = self._labels(names, bindings)
        wanted: dict[int, list[str]] = {}
        for (element,), each in zip(self.desk.values(bindings, [target]), labels, strict=True):
            if element is None:
                continue
            if not isinstance(element, NodeReference):
                self.fault("G615", f"labels belong to a node, not to {type_name(element)}", target)
            self._alive(element, target)
            wanted.setdefault(element.id, []).extend(each)
        pairs = {key: (each, []) if add else ([], each) for key, each in wanted.items()}
        added, removed = changes.relabel(self.storage, pairs)
        self.effects.counters["labels_added"] += added
        self.effects.counters["labels_removed"] += removed

    def remove_items(self, items: Sequence[ir.RemoveProperty | ir.RemoveLabels], bindings: Bindings) -> None:
        self.desk.flush()
        for item in items:
            if isinstance(item, ir.RemoveLabels):
                self._relabel(item.target, item.labels, bindings, add=False)
                continue
            target = item.target
            key = ir.Literal(target.key) if isinstance(target, ir.Property) else target.index
            rows = self.desk.values(bindings, [target.base, key])
            self._assign([(row[0], {row[1]: None}) for row in rows], item)

    # -------------------------------------------------------------- DELETE

    def delete(self, operator: ir.Delete, bindings: Bindings) -> None:
        self.desk.flush()
        nodes: set[int] = set()
        edges: set[int] = set()
        for item in operator.items:
            for (value,) in self.desk.values(bindings, [item]):
                self._collect(value, nodes, edges, item)
        if operator.mode == "detach":
            edges |= changes.edges_at(self.storage, nodes)
        else:
            self.effects.undetached.update(dict.fromkeys(nodes, operator))
        gone = changes.remove(self.storage, self.storage.edges.values(), edges)
        self.effects.edges.update(gone)
        self.effects.counters["relationships_deleted"] += len(gone)
        gone = changes.remove(self.storage, self.storage.nodes.values(), nodes)
        self.effects.nodes.update(gone)
        self.effects.counters["nodes_deleted"] += len(gone)

    def _collect(self, value: Any, nodes: set[int], edges: set[int], node: ir.Node) -> None:
        match value:
            case None:
                pass
            case NodeReference():
                nodes.add(value.id)
            case EdgeReference():
                edges.add(value.id)
            case PathReference():
                nodes.update(value.nodes)
                edges.update(value.edges)
            case _:
                self.fault("G615", f"DELETE takes nodes, relationships and paths, not {type_name(value)}", node)

    def settle(self) -> None:
        """At the end of the statement: no edge may have lost an end."""
        self.desk.flush()
        left = changes.edges_at(self.storage, self.effects.undetached)
        if left:
            node = next(iter(self.effects.undetached.values()))
            self.fault(
                "G613",
                "a node with relationships is deleted",
                node,
                hint="use DETACH DELETE, or delete the relationships, too",
            )


def path_of(nodes: Sequence[Term], edges: Sequence[Term]) -> Term:
    """A path of elements at hand."""
    ids = datatype(list_of(INTEGER))
    lists = [build.cast(build.array([term.again() for term in each]), ids) for each in (nodes, edges)]
    made = build.structure([("nodes", lists[0]), ("edges", lists[1])])
    return Term(build.cast(made, datatype(PATH)), PATH, present=True)


def _created(first: int, rep: Rep) -> Term:
    """The ids of elements made for rows 0, 1, .. ."""
    return Term(build.binary(exp.Add, number(), build.number(first)), rep, present=True)


def _first_of(term: Term) -> int | None:
    """The id in the first row of nodes that a clause before made, one for each row; None for any other term."""
    made = term.sql
    if not isinstance(made, exp.Add) or term.rep != NODE or made.this != number():
        return None
    return int(made.expression.name)


def _groups(labels: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for row, each in enumerate(labels):
        found.setdefault(each, []).append(row)
    return found


def _names(labels: ir.LabelExpression | None) -> list[ir.LabelName | ir.LabelDynamic]:
    """The labels that a pattern of CREATE or MERGE names: a conjunction of them."""
    match labels:
        case None:
            return []
        case ir.LabelAnd(operands):
            return [name for each in operands for name in _names(each)]
        case ir.LabelName() | ir.LabelDynamic():
            return [labels]
        case _:
            raise AssertionError(f"{labels.op} in a pattern that writes")


def _values(items: Sequence[ir.SetItem]) -> list[ir.Node]:
    """The parts of the items that are read."""
    found: list[ir.Node] = []
    for item in items:
        match item:
            case ir.SetProperty(target=ir.Property(base), value=value):
                found += [base, value]
            case ir.SetProperty(target=ir.Index(base, index), value=value):
                found += [base, index, value]
            case ir.SetProperties(target=target, value=value):
                found += [target, value]
            case ir.SetLabels(target=target, labels=labels):
                found += [target, *labels]
    return found


_WHOLE = frozenset(("properties", "keys", "labels"))


def _keys_read(items: Sequence[ir.SetItem]) -> tuple[set[str], bool]:
    """The keys that the items read, and whether they read what cannot be named."""
    keys: set[str] = set()
    everything = any(
        isinstance(i, ir.SetProperties) and not isinstance(i.value, (ir.MapOf, ir.Parameter)) for i in items
    )
    for value in _values(items):
        for node in ir.walk(value):
            match node:
                case ir.Property(key=key):
                    keys.add(key)
                case ir.Index() | ir.MapProjection() | ir.HasLabels() | ir.Subquery() | ir.PatternComprehension():
                    everything = True
                case ir.Apply(function=name) if name in _WHOLE:
                    everything = True
                case _:
                    pass
    return keys, everything


def _reads_only(items: Sequence[ir.SetItem], variable: str) -> bool:
    """Whether the items read properties of this variable alone."""
    for value in _values(items):
        for node in ir.walk(value):
            match node:
                case ir.Property(base=ir.Ref(name)) if name == variable:
                    pass
                case ir.Apply(function=function, args=(ir.Ref(name),)) if function in _WHOLE and name == variable:
                    pass
                case ir.Property() | ir.Index() | ir.MapProjection() | ir.HasLabels() | ir.Subquery():
                    return False
                case ir.PatternComprehension():
                    return False
                case ir.Apply(function=function) if function in _WHOLE:
                    return False
                case _:
                    pass
    return True
