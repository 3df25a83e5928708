"""Each GRAPH_TABLE of a statement as the join of tables that it stands for, by the definition of the graph.

So statements with graph patterns run on databases that have none, and their rows can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from sqlglot import exp

from graphir import api
from graphir.backends.sql import build, targets
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog, Column, EdgeTable, NodeTable
from graphir.backends.sql.graphtables.model import Edge, Pattern, Vertex, pattern_of
from graphir.backends.sql.statements import lower_query
from graphir.backends.sql.targets import Sent, Statement
from graphir.backends.sql.targets.rewriting import Rewriter
from graphir.backends.sqltext.tables import catalog_of
from graphir.source import Source


def statement(query: str, dialect: str, schema: Any, given: dict[str, Any]) -> Statement:
    """The text of a query for a dialect with graph patterns, unfolded.  Raises Unsupported."""
    source = Source(query)
    core = api.to_core(api.parse(query), query, "neo4j-25")
    catalog = catalog_of(schema, dialect, source)
    targets.emit(core, catalog, dialect, given, source)  # refuses what the text cannot say
    chosen = targets.target(dialect)
    assert chosen.patterns is not None
    if chosen.parameters == "host":
        chosen = replace(chosen, parameters="numbered")  # for PostgreSQL
    lowered = lower_query(core, source, catalog, given, abilities=chosen.abilities)
    used = {each.this.name for each in lowered.sql.find_all(exp.Parameter)}
    names = {own: name for own, name in zip(lowered.sent, lowered.names, strict=True) if own in used}
    marks = targets._marks(chosen, names, named=False)
    folded = targets.patterned(lowered.sql, chosen, catalog, targets.refusing(chosen, source, core))
    assert not {each.name for each in folded.find_all(exp.Table)} & {
        each.name for each in (*catalog.nodes, *catalog.edges)
    }
    tree = Rewriter(chosen, source, marks, (catalog.node_id, catalog.edge_id)).rewrite(unfolded(folded, catalog))
    sent = tuple([Sent(marks[own], name, *lowered.sent[own]) for own, name in names.items()])
    text = tree.sql(dialect=chosen.dialect, comments=False)
    # The standard wants a length; PostgreSQL takes types of two lengths for two types where a query is recursive, and
    # has ANY_VALUE since version 16: all values of the group are the same.
    text = text.replace("VARCHAR(1000000)", "VARCHAR")
    if dialect == "pgq-iso":  # PostgreSQL has LIKE_REGEX under another name
        text = text.replace("ANY_VALUE(", "MIN(").replace(" LIKE_REGEX ", " ~ ")
    return Statement(text, sent, lowered.columns)


def unfolded(tree: Sql, catalog: Catalog) -> Sql:
    """The tree with joins of tables; in place."""
    for source in list(tree.find_all(exp.Table)):
        call = source.this
        pattern = pattern_of(call) if isinstance(call, exp.Anonymous) else None
        if pattern is not None:
            source.replace(build.derived(_join(pattern, call.expressions, catalog), source.alias))
    return tree


Tables = dict[int, NodeTable | EdgeTable]
"""Element, by identity -> the one of its tables that is read."""


def _join(pattern: Pattern, parts: list[Sql], catalog: Catalog) -> Sql:
    """The joins, one for each choice of ways over the edges without a direction and of tables of the elements."""
    hops = [hop for trail in pattern.trails for hop in trail.hops]
    open_edges = [hop.edge for hop in hops if hop.edge.undirected]
    elements: dict[int, Vertex | Edge] = {}
    for trail in pattern.trails:
        for each in (trail.start, *[one for hop in trail.hops for one in (hop.edge, hop.to)]):
            elements[id(each)] = each
    made: list[Sql] = []
    for ways in product((False, True), repeat=len(open_edges)):
        turned = {id(edge) for edge, turned in zip(open_edges, ways, strict=True) if turned}
        for found in product(*[(each.table, *each.others) for each in elements.values()]):
            tables: Tables = dict(zip(elements, found, strict=True))
            if all(_fits(edge, tables, turned) for edge in elements.values() if isinstance(edge, Edge)):
                made.append(_select(pattern, turned, tables, parts, catalog))
    return build.union(made)


def _fits(edge: Edge, tables: Tables, turned: set[int]) -> bool:
    """Whether the tables of the ends are those of the edge's."""
    element = tables[id(edge)].element
    ends = [tables[id(each)].element for each in (edge.source, edge.target)]
    names = [None if each is None else each.name for each in (ends[::-1] if id(edge) in turned else ends)]
    return element is not None and names == [element.source, element.target]


def _select(pattern: Pattern, turned: set[int], tables: Tables, parts: list[Sql], catalog: Catalog) -> Sql:
    """The join where some edges are turned, which are no loops then."""
    elements: dict[str, Vertex | Edge] = {}
    conditions: list[Sql] = []
    for trail in pattern.trails:
        assert elements.setdefault(trail.start.variable, trail.start) is trail.start
        at = trail.start
        for hop in trail.hops:
            assert elements.setdefault(hop.edge.variable, hop.edge) is hop.edge
            assert elements.setdefault(hop.to.variable, hop.to) is hop.to
            start, end = (hop.to, at) if hop.backwards else (at, hop.to)
            if id(hop.edge) in turned:
                start, end = end, start
                if tables[id(start)] is tables[id(end)]:
                    pairs = [(each.name, start.variable, end.variable) for each in _key(tables[id(start)])]
                    same = [build.equal(_own(name, one), _own(name, other)) for name, one, other in pairs]
                    conditions.append(build.negation(build.conjunction(same)))
            edge = tables[id(hop.edge)]
            assert isinstance(edge, EdgeTable)
            for key, vertex in ((edge.source, start), (edge.target, end)):
                for one, other in zip(key.columns, _key(tables[id(vertex)]), strict=True):
                    conditions.append(build.equal(_own(one.name, hop.edge.variable), _own(other.name, vertex.variable)))
            at = hop.to
    columns = [each for each in parts if isinstance(each, exp.Alias)]
    conditions += [each for each in parts if not isinstance(each, exp.Alias)]
    sources = [build.table(table_asked(each, tables, catalog), name) for name, each in elements.items()]
    made = build.select([each.copy() for each in columns], sources, [each.copy() for each in conditions])
    for column in made.find_all(exp.Column):
        element = tables[id(elements[column.table])].element
        assert element is not None
        exposing = {name: own for own, name in element.properties.items()}
        if column.meta_get("own") is None:
            column.set("this", build.name(exposing[column.name]))
    return made


def table_asked(element: Vertex | Edge, tables: Tables, catalog: Catalog) -> str:
    """The one table that a label asks for, of an edge beside those of its ends."""
    known = tables[id(element)].element
    assert known is not None
    among: tuple[NodeTable | EdgeTable, ...] = catalog.nodes if isinstance(element, Vertex) else catalog.edges
    found = [each for each in among if each.element is not None and each.element.label == known.label]
    if isinstance(element, Edge):
        ends = known.source, known.target
        found = [each for each in found if each.element and (each.element.source, each.element.target) == ends]
    assert len(found) == 1
    return found[0].name


def _key(table: NodeTable | EdgeTable) -> Sequence[Column]:
    return table.key.columns


def _own(column: str, table: str) -> Sql:
    made = build.column(column, table)
    made.meta["own"] = True
    return made
