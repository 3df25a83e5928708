"""Scans of tables become graph patterns, query by query, in the tree that the lowering has made.

In one FROM, the scans whose keys are said to be equal, an edge's to those of the nodes at its ends, hang together and
are one pattern.  The equalities are then said by the pattern; conditions on nothing but its elements go into it, as far
as the dialect allows; all else stays where it is and reads the columns of the GRAPH_TABLE.  So a GRAPH_TABLE is the
join that it replaces, whatever the query around it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, NoReturn

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql, bare
from graphir.backends.sql.catalog import Catalog, EdgeTable, NodeTable
from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.graphtables.labels import Choosing, Labelling
from graphir.backends.sql.graphtables.model import Edge, GraphTable, Pattern, Trail, Vertex, graph_table
from graphir.backends.sql.graphtables.pieces import conjuncts
from graphir.backends.sql.graphtables.trails import components, trails_of
from graphir.backends.sql.scans import NODE_ITSELF, SOURCE, TARGET, End, Scanned, keys_of
from graphir.schema.ddl.naming import Namespace
from graphir.schema.ddl.plans import END
from graphir.schema.ddl.script import SURROGATE

_OUTSIDE = frozenset((exp.Column, GraphTable))
"""Nodes in which nothing is looked for that stands outside of patterns."""

Refuse = Callable[[str, str, str | None, str | None], NoReturn]
"""Raises Unsupported, with a code and a message, at the element of a variable; with a hint, if there is one."""


class Unexposed(NamedTuple):
    """That the key of a table is not known in a pattern, in words, and the variable of an element of that table."""

    told: str
    variable: str | None


@dataclass(eq=False)
class Table:
    """A GRAPH_TABLE in the making: its paths, the aliases that are in it, and the columns that are asked of it."""

    alias: str
    trails: list[Trail]
    elements: list[Vertex | Edge]
    names: Namespace
    """Of the columns."""
    columns: dict[tuple[int, str], str] = field(default_factory=dict)
    """Element and property -> name."""
    conditions: list[Sql] = field(default_factory=list)
    read: dict[int, set[str]] = field(default_factory=dict)
    """Element -> the properties that are read of it."""

    def column(self, element: Vertex | Edge, property: str) -> str:
        """The name of a column with a property of an element."""
        self.read.setdefault(id(element), set()).add(property)
        place = id(element), property
        found = self.columns.get(place)
        if found is None:
            found = self.columns[place] = self.names.take(f"{element.variable}_{property}")
        return found


class Folding:
    """Folds the scans of one statement."""

    unexposed: dict[str, Unexposed]
    """Table that a pattern asks -> what is not known of its rows there."""

    def __init__(self, catalog: Catalog, labelling: Labelling, patterns: Patterns, refuse: Refuse) -> None:
        self.unexposed = {}
        self.catalog = catalog
        self.patterns = patterns
        self.refuse = refuse
        self.nodes = {table.element.name: table for table in catalog.nodes if table.element is not None}
        self.labelling = labelling
        self._made = 0

    def fold(self, tree: Sql) -> Sql:
        """The tree without scans; the one given is used up.  Raises Unsupported."""
        for node in reversed(build.nodes(tree)):  # what stands inside comes first
            if isinstance(node, exp.Select):
                self._select(node)
        return tree

    def fresh(self) -> str:
        self._made += 1
        return f"g{self._made}"

    def _select(self, select: exp.Select) -> None:
        found = list(_scans(select))
        if not found:
            return
        where = select.args.get("where")
        asked = [] if where is None else list(conjuncts(where.this))
        block = Block(self, {source.alias: scanned for source, scanned in found})
        for source, _ in found:
            block.tie(build.ties(source))
        rest = [each for each in asked if not block.takes(each)]
        block.divide()
        outside = [each for each in rest if not block.takes_inside(each)]
        select.set("where", exp.Where(this=build.conjunction(outside)) if outside else None)
        block.rename(select)
        _replace(select, [(table, block.written(table)) for table in block.tables], block)


def _scans(select: exp.Select) -> Iterator[tuple[exp.Table, Scanned]]:
    """The sources of a query that are scans."""
    for source in _sources(select):
        found = build.stands_for(source)
        if isinstance(source, exp.Table) and isinstance(found, Scanned):
            yield source, found


def _sources(select: exp.Select) -> list[Sql]:
    first = select.args.get("from_")
    if first is None:
        return []
    return [first.this, *[join.this for join in select.args.get("joins") or ()]]


@dataclass(eq=False)
class Block:
    """The scans of one FROM."""

    folding: Folding
    scans: dict[str, Scanned]
    ends: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Alias and role -> one that is the same node, up to a leader."""
    vertices: dict[tuple[str, str], Vertex] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    homes: dict[int, list[Table]] = field(default_factory=dict)
    """Element -> the tables that it is in: a node may be in several."""
    names: Namespace = field(init=False)
    """Of the elements of all tables."""

    def __post_init__(self) -> None:
        self.names = Namespace(self.folding.patterns.spelling)

    # -------------------------------------------------------------- which ends are the same node

    def takes(self, condition: Sql) -> bool:
        """Whether the condition is one of the pattern: that two ends are the same node."""
        node = bare(condition)
        if type(node) is not exp.EQ:
            return False
        sides = bare(node.this), bare(node.expression)
        if not all(type(each) is exp.Column or build.is_identity(each) for each in sides):
            return False
        one, other = map(self._end, sides)
        if one is None or other is None or self._table_of(one) is not self._table_of(other):
            return False
        self.tie([(one, other)])
        return True

    def tie(self, ends: Iterable[tuple[End, End]]) -> None:
        """Have ends be the same node."""
        for one, other in ends:
            assert one.alias in self.scans
            self.ends[self._leader((other.alias, other.role))] = self._leader((one.alias, one.role))

    def _leader(self, end: tuple[str, str]) -> tuple[str, str]:
        while end in self.ends and self.ends[end] != end:
            end = self.ends[end]
        return end

    def _end(self, piece: Sql) -> End | None:
        """The node that a piece stands for."""
        node = bare(piece)
        columns = node.expressions if build.is_identity(node) else [node]
        if not all(isinstance(each, exp.Column) for each in columns):
            return None
        aliases, names = {build.table_of(each) for each in columns}, [each.name for each in columns]
        if len(aliases) != 1 or (alias := aliases.pop()) not in self.scans:
            return None
        tag = build.tag_of(node)
        for role, key in keys_of(self.scans[alias]):
            if key.tag == tag and [column.name for column in key.columns] == names:
                return End(alias, key, role)
        return None

    def _table_of(self, end: End) -> NodeTable:
        """The table of the node at an end."""
        table = self.scans[end.alias].table
        if isinstance(table, NodeTable):
            return table
        assert table.element is not None
        name = table.element.source if end.role == SOURCE else table.element.target
        return self.folding.nodes[name or ""]

    # -------------------------------------------------------------- patterns

    def divide(self) -> None:
        """Make patterns of the scans, and tables of the patterns."""
        hints: dict[tuple[str, str], Vertex] = {}
        others: dict[tuple[str, str], list[NodeTable]] = {}
        several = any(scanned.others for scanned in self.scans.values())
        for alias, scanned in self.scans.items():
            for role, key in keys_of(scanned):
                place = self._leader((alias, role))
                if place not in hints:
                    hints[place] = Vertex(self._table_of(End(alias, key, role)))
                vertex = self.vertices[alias, role] = hints[place]
                named = {NODE_ITSELF: scanned.variable, SOURCE: scanned.source, TARGET: scanned.target}
                vertex.hint = vertex.hint or named[role]
                if several:
                    others[place] = self._others(scanned, role, others.get(place))
            if isinstance(scanned.table, EdgeTable):
                ends = self.vertices[alias, SOURCE], self.vertices[alias, TARGET]
                self.edges[alias] = Edge(scanned.table, *ends, scanned.variable, scanned.undirected)
                self.edges[alias].others = tuple([each for each in scanned.others if isinstance(each, EdgeTable)])
        for place, tables in others.items():
            hints[place].others = tuple([each for each in tables if each is not hints[place].table])
        for vertices, edges in components(list(hints.values()), list(self.edges.values())):
            trails = trails_of(vertices, edges)
            for group in [trails] if self.folding.patterns.commas else [[each] for each in trails]:
                self._make(group)

    def _others(self, scanned: Scanned, role: str, known: list[NodeTable] | None) -> list[NodeTable]:
        """The tables where a node may be: those of its own scan, else those at the ends of the edges of another."""
        if role == NODE_ITSELF:
            return [each for each in (scanned.table, *scanned.others) if isinstance(each, NodeTable)]
        if known is not None:
            return known
        found: list[NodeTable] = []
        for table in (scanned.table, *scanned.others):
            assert table.element is not None
            ends = (table.element.source, table.element.target)
            wanted = ends if scanned.undirected else ends[:1] if role == SOURCE else ends[1:]
            found += [self.folding.nodes[name] for name in wanted if name is not None]
        return list({each.name: each for each in found}.values())

    def _origin(self, element: Vertex | Edge) -> str | None:
        """The variable of an element, or of an edge that it is an end of."""
        among = self.edges.items() if isinstance(element, Edge) else ((a, v) for (a, _), v in self.vertices.items())
        return next((self.scans[alias].origin for alias, each in among if each is element), None)

    def _make(self, trails: list[Trail]) -> None:
        elements: list[Vertex | Edge] = []
        for trail in trails:
            for each in (trail.start, *[one for hop in trail.hops for one in (hop.edge, hop.to)]):
                if all(each is not known for known in elements):
                    elements.append(each)
        table = Table(self.folding.fresh(), trails, elements, Namespace(self.folding.patterns.spelling))
        for element in elements:
            if not element.variable:  # a node may be in a table before: it has one name in all of them
                hint = _plain(element.hint) or ("v" if isinstance(element, Vertex) else "e")
                element.variable = self.names.take(hint)
            self.homes.setdefault(id(element), []).append(table)
        self.tables.append(table)

    # -------------------------------------------------------------- conditions

    def takes_inside(self, condition: Sql) -> bool:
        """Whether the condition goes into a pattern: it speaks of nothing else, in words that may stand there."""
        patterns = self.folding.patterns
        homes: list[Table] | None = None
        read: list[tuple[Sql, Vertex | Edge, str]] = []
        for node in build.nodes(condition):
            if type(node) not in patterns.classes:
                return False
            if type(node) is exp.Anonymous and node.name not in patterns.functions:
                return False
            if type(node) is not exp.Column:
                continue
            if build.table_of(node) not in self.scans:
                return False
            element, property = self._read(node)
            read.append((node, element, property))
            found = self.homes[id(element)]
            homes = found if homes is None else [each for each in homes if each in found]
        if not homes:
            return False
        for column, element, property in read:
            build.redirect(column, property, element.variable)
            homes[0].read.setdefault(id(element), set()).add(property)
        homes[0].conditions.append(condition)
        return True

    def _read(self, column: exp.Column) -> tuple[Vertex | Edge, str]:
        """The element and the property that have the value of a column."""
        alias = build.table_of(column)
        table = self.scans[alias].table
        assert table.element is not None
        places: list[tuple[Vertex | Edge, str]] = []
        if isinstance(table, NodeTable):
            places.append((self.vertices[alias, NODE_ITSELF], column.name))
        else:
            for role, key in keys_of(self.scans[alias]):
                vertex = self.vertices[alias, role]
                for own, there in zip(key.columns, vertex.table.key.columns, strict=True):
                    if own.name == column.name:
                        places.append((vertex, there.name))
            places.append((self.edges[alias], column.name))
        for element, name in places:
            known = element.table.element
            if known is not None and name in known.properties:
                return element, known.properties[name]
        told = f"no property of the graph exposes the column {column.name} of {table.name}"
        hint = _to_expose(column.name)
        if column.name == SURROGATE or column.name.startswith(END):
            told, hint = _unexposed([column.name], places[0][0].table)
        return self.folding.refuse("G566", told, self.scans[alias].origin, hint)

    # -------------------------------------------------------------- columns

    def rename(self, select: exp.Select) -> None:
        """Read the columns of the tables in place of those of the scans."""
        nodes = build.nodes(select, _OUTSIDE)  # inside of patterns, names are those of their elements
        granted = [node for node in nodes if type(node) is exp.EQ and self._is_one(node)]
        for condition in granted:
            build.leave_out(condition)
        for column in nodes if not granted else build.nodes(select, _OUTSIDE):
            if type(column) is not exp.Column or build.table_of(column) not in self.scans:
                continue
            element, property = self._read(column)
            table = self.homes[id(element)][0]
            build.redirect(column, table.column(element, property), table.alias)
        for vertex, tables in self._shared():
            for one, other in pairwise(tables):
                self._join(select, vertex, one, other)

    def _is_one(self, condition: exp.EQ) -> bool:
        """Whether a condition says of a node that it is itself: the guard of what may fail says so of all ends."""
        ends = [self._end(each) for each in (condition.this, condition.expression)]
        places = [self.vertices[end.alias, end.role] for end in ends if end is not None]
        return len(places) == 2 and places[0] is places[1]

    def _shared(self) -> Iterator[tuple[Vertex, list[Table]]]:
        """The nodes that are in several tables."""
        for vertex in {id(each): each for each in self.vertices.values()}.values():
            if len(self.homes[id(vertex)]) > 1:
                yield vertex, self.homes[id(vertex)]

    def _join(self, select: exp.Select, vertex: Vertex, one: Table, other: Table) -> None:
        """A node is the same in two tables."""
        element = vertex.table.element
        assert element is not None
        for key in vertex.table.key.columns:
            if key.name not in element.properties:
                told = (
                    f"no property of the graph exposes the column {key.name} of {vertex.table.name}, which is its key"
                )
                self.folding.refuse("G566", told, self._origin(vertex), _to_expose(key.name))
            property = element.properties[key.name]
            sides = [build.column(each.column(vertex, property), each.alias) for each in (one, other)]
            same = build.noted(build.equal(*sides), key.rep)
            where = select.args.get("where")
            select.set("where", exp.Where(this=same if where is None else build.conjunction([where.this, same])))

    def written(self, table: Table) -> Sql:
        """The source for FROM."""
        if not table.columns:
            self._any_column(table)
        by_id = {id(element): element for element in table.elements}
        self._look_for_keys(table)
        columns = [
            build.alias(build.column(property, by_id[place].variable), name)
            for (place, property), name in table.columns.items()
        ]
        condition = build.conjunction(table.conditions) if table.conditions else None
        graph = self.folding.catalog.graph
        assert graph is not None
        pattern = Pattern(graph, tuple(table.trails), self._labels(table), condition is not None)
        return graph_table(pattern, condition, columns, table.alias)

    def _labels(self, table: Table) -> Mapping[int, tuple[str, ...]]:
        """The labels of its elements."""
        choosing = Choosing(self.folding.labelling, table.elements, table.read)
        lacking = choosing.choose()
        if lacking is not None:
            name = lacking.table.name
            told = f"no label of the property graph is that of {name} alone, so a pattern cannot ask for it"
            if choosing.labelling.are_whole([lacking.table, *lacking.others]):
                read = " and ".join(sorted(table.read.get(id(lacking), ())))
                told = f"the labels that are those of {name} alone do not expose {read}"
            self.folding.refuse("G567", told, self._origin(lacking), None)
        return choosing.chosen

    def _look_for_keys(self, table: Table) -> None:
        for element in table.elements:
            for each in (element.table, *element.others):
                known = each.element
                hidden = [c.name for c in each.key.columns if known is not None and c.name not in known.properties]
                if hidden:
                    self.folding.unexposed.setdefault(
                        each.name, Unexposed(_unexposed(hidden, each)[0], self._origin(element))
                    )

    def _any_column(self, table: Table) -> None:
        """A column, because there has to be one."""
        for element in table.elements:
            elements = [each.element for each in (element.table, *element.others)]
            shared = set.intersection(*[set(each.properties.values()) if each else set() for each in elements])
            known = element.table.element
            if known is not None and shared:
                own = () if known.label is None else (known.label,)
                names = [each for each in known.properties.values() if each in shared]
                exposed = (each for each in names if self.folding.labelling.covers(own, [each]))
                table.column(element, next(exposed, names[0]))
                return
        told = f"the elements of {table.elements[0].table.name} expose no property"
        self.folding.refuse("G566", told, self._origin(table.elements[0]), None)

    def place_of(self, source: Sql) -> Table:
        """The table that a scan is in."""
        element = self.edges.get(source.alias) or self.vertices[source.alias, NODE_ITSELF]
        return self.homes[id(element)][0]


def _to_expose(column: str) -> str:
    return f"expose it in the definition of the graph: `PROPERTIES (.., {column})`"


def _replace(select: exp.Select, written: Sequence[tuple[Table, Sql]], block: Block) -> None:
    """Put the tables in place of the scans: each where the first of its scans is."""
    made: list[Sql] = []
    pending = dict(zip([id(table) for table, _ in written], [source for _, source in written], strict=True))
    joins = [exp.Join(this=select.args["from_"].this), *(select.args.get("joins") or ())]
    for join in joins:
        source = join.this
        if not isinstance(build.stands_for(source), Scanned):
            made.append(join)
            continue
        table = block.place_of(source)
        if (found := pending.pop(id(table), None)) is not None:
            join.set("this", found)
            made.append(join)
    made += [exp.Join(this=source) for source in pending.values()]
    first = made[0]
    select.set("from_", exp.From(this=first.this))
    select.set("joins", made[1:] or None)


def _plain(name: str | None) -> str:
    """A name that a variable may have as it is."""
    return name if name is not None and name.isascii() and name.isidentifier() else ""


def _unexposed(columns: Sequence[str], table: NodeTable | EdgeTable) -> tuple[str, str]:
    """That no property exposes columns of a key, in words, and what to do about it."""
    if not any(each == SURROGATE or each.startswith(END) for each in columns):
        told = f"no property of the graph exposes the key of {table.name} ({', '.join(columns)})"
        return told, _to_expose(", ".join(columns))
    parts = () if table.element is None else table.element.parts
    if len(parts) > 1:
        told = f"{' and '.join(parts)} have the same labels, and rows of two of them may have the same key"
        return told, "give them labels of their own in the definition of the graph"
    told = f"in the definition of the graph {table.name} has no key"
    return told, "give the table a key there, and properties that expose its columns"
