"""Which labels a pattern asks for, so that it finds the elements of certain tables and no others.

A label that one table has alone finds its elements.  Where there is none, labels that other tables have, too, do where
the rest of the pattern keeps those away: an edge runs between certain tables.  Beside that, some label that is asked
for has to expose each property that is read of the element (SQL/PGQ 6.5; PostgreSQL 42703, Oracle ORA-40983).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from graphir.backends.sql.catalog import Catalog, EdgeTable, NodeTable
from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.graphtables.model import Edge, Vertex

Labels = tuple[str, ...]
Table = NodeTable | EdgeTable
Element = Vertex | Edge
MOST = 3
"""So many labels are looked for together; then all that there are."""


@dataclass(eq=False)
class Labelling:
    """The labels of a catalog, and the tables that have them."""

    catalog: Catalog
    patterns: Patterns

    def reach(self, labels: Labels, *, nodes: bool) -> list[Table]:
        """The tables that have one of the labels."""
        return list({id(t): t for label in labels for t in self.catalog.asked_by(label, nodes=nodes)}.values())

    def near(self, tables: Sequence[Table]) -> list[Table]:
        """The tables that have one of their labels."""
        return self.reach(_labels(tables), nodes=isinstance(tables[0], NodeTable))

    def covers(self, labels: Labels, properties: Iterable[str]) -> bool:
        """Whether every property is exposed by one of the labels."""
        known = self.catalog.exposed
        return not known or all(any(name in known.get(label, ()) for label in labels) for name in properties)

    def are_whole(self, tables: Sequence[Table]) -> bool:
        """Whether there are labels that these tables have, and no others."""
        return next(self._choices(tables, self.near(tables)), None) is not None

    def candidates(self, tables: Sequence[Table], possible: Sequence[Table], properties: Iterable[str]) -> Labels:
        """The labels to ask for where elements of the tables are wanted, and only those that are `possible` are found;
        () where there are none."""
        return next((each for each in self._choices(tables, possible) if self.covers(each, properties)), ())

    def _choices(self, tables: Sequence[Table], possible: Sequence[Table]) -> Iterator[Labels]:
        """Labels that together find these tables, and of the others none that is possible: those that no other table
        has come first, then the fewest."""
        wanted, there = _ids(tables), _ids(possible)
        nodes = isinstance(tables[0], NodeTable)
        every = _labels(tables)
        found = {each: _ids(self.reach((each,), nodes=nodes)) for each in every}
        fit = [each for each in every if found[each] & there <= wanted]
        fit.sort(key=lambda each: not found[each] <= wanted)  # which keeps their order
        most = MOST if self.patterns.alternatives else 1
        for count in range(1, min(most, len(fit)) + 1):
            for chosen in combinations(fit, count):
                if set[int]().union(*[found[each] for each in chosen]) >= wanted:
                    yield chosen
        if len(fit) > most > 1 and set[int]().union(*[found[each] for each in fit]) >= wanted:
            yield tuple(fit)


def _labels(tables: Iterable[Table]) -> Labels:
    """All labels of the tables."""
    return tuple(dict.fromkeys([each for t in tables if t.element is not None for each in t.element.labels]))


def _ids(tables: Iterable[Table]) -> set[int]:
    return {id(each) for each in tables}


def wanted(element: Element) -> list[Table]:
    """The tables whose elements it may be."""
    return [element.table, *element.others]


@dataclass(eq=False)
class Choosing:
    """The labels of the elements of one GRAPH_TABLE in the making."""

    labelling: Labelling
    elements: Sequence[Element]
    read: Mapping[int, set[str]]
    """Element -> the properties that are read of it."""
    chosen: dict[int, Labels] = field(default_factory=dict)
    """Element -> its labels."""

    def choose(self) -> Element | None:
        """Choose the labels of every element; one is given for which there are none."""
        vertices = [each for each in self.elements if isinstance(each, Vertex)]
        left: list[Element] = [each for each in vertices if not self._alone(each)]
        left += [each for each in self.elements if isinstance(each, Edge) and not self._alone(each)]
        while left:
            possible = self._possible()
            still = [each for each in left if not self._fits(each, possible[id(each)])]
            if len(still) == len(left):
                return still[0]
            left = still
        return None

    def _alone(self, element: Element) -> bool:
        """Whether each of its tables has a label that no other has or, of an edge, no other between the nodes at its
        ends, whose labels are chosen."""
        known = [each.element for each in wanted(element)]
        labels = tuple(dict.fromkeys([each.label for each in known if each is not None and each.label is not None]))
        if any(each is None or each.label is None for each in known):
            return False
        alone = isinstance(element, Vertex) or all(each is not None and each.alone for each in known)
        if not alone and not self._is_held(element):
            return False
        if not self.labelling.covers(labels, self.read.get(id(element), ())):
            return False
        self.chosen[id(element)] = labels
        return True

    def _fits(self, element: Element, possible: Sequence[Table]) -> bool:
        found = self.labelling.candidates(wanted(element), possible, self.read.get(id(element), ()))
        if found:
            self.chosen[id(element)] = found
        return bool(found)

    # -------------------------------------------------------------- what else the pattern says

    def _possible(self) -> dict[int, list[Table]]:
        """The tables in which each element can be: those wanted where its labels are chosen, else all that have some
        label of theirs, as far as edges run between them."""
        found = {id(each): self._begun(each) for each in self.elements}
        edges = [each for each in self.elements if isinstance(each, Edge)]
        changed = True
        while changed:
            counts = [len(each) for each in found.values()]
            for edge in edges:
                self._narrow(edge, found)
            changed = counts != [len(each) for each in found.values()]
        return found

    def _begun(self, element: Element) -> list[Table]:
        tables = wanted(element)
        if id(element) in self.chosen and self._is_held(element):
            return tables
        return self.labelling.near(tables)

    def _is_held(self, element: Element) -> bool:
        """Whether the labels of the nodes at its ends, if it is an edge, are chosen."""
        ends = (element.source, element.target) if isinstance(element, Edge) else ()
        return all(id(each) in self.chosen for each in ends)

    @staticmethod
    def _narrow(edge: Edge, found: dict[int, list[Table]]) -> None:
        """Leave out what does not fit: edges between other nodes, and nodes where no edge ends."""
        starts, ends = (_names(found[id(each)]) for each in (edge.source, edge.target))
        kept: list[Table] = []
        there: tuple[set[str | None], set[str | None]] = (set(), set())
        for table in found[id(edge)]:
            assert table.element is not None
            ways = [(table.element.source, table.element.target)]
            ways += [ways[0][::-1]] if edge.undirected else []
            fitting = [way for way in ways if way[0] in starts and way[1] in ends]
            if fitting:
                kept.append(table)
            for way in fitting:
                there[0].add(way[0])
                there[1].add(way[1])
        found[id(edge)] = kept
        for vertex, names in zip((edge.source, edge.target), there, strict=True):
            found[id(vertex)] = [
                each for each in found[id(vertex)] if each.element is not None and each.element.name in names
            ]


def _names(tables: Iterable[Table]) -> set[str]:
    return {each.element.name for each in tables if each.element is not None}
