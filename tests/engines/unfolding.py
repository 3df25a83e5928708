"""Each GRAPH_TABLE of a statement as the join of tables that it stands for, by the definition of the graph.

So statements with graph patterns run on databases that have none, and their rows can be compared.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from sqlglot import exp

from graphir import api
from graphir.backends.sql import build, targets
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog, EdgeTable, Key, NodeTable
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
    folded = targets.patterned(lowered.sql, chosen, catalog, source)
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


def _join(pattern: Pattern, parts: list[Sql], catalog: Catalog) -> Sql:
    """The joins, one for each choice of ways over the edges without a direction."""
    open_edges = [hop.edge for trail in pattern.trails for hop in trail.hops if hop.edge.undirected]
    chosen = product((False, True), repeat=len(open_edges))
    return build.union(
        [
            _select(
                pattern, {id(edge) for edge, turned in zip(open_edges, ways, strict=True) if turned}, parts, catalog
            )
            for ways in chosen
        ]
    )


def _select(pattern: Pattern, turned: set[int], parts: list[Sql], catalog: Catalog) -> Sql:
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
                pairs = [(each.name, start.variable, end.variable) for each in start.table.key.columns]
                same = [build.equal(_own(name, one), _own(name, other)) for name, one, other in pairs]
                conditions.append(build.negation(build.conjunction(same)))
            conditions += _same(hop.edge, hop.edge.table.source, start)
            conditions += _same(hop.edge, hop.edge.table.target, end)
            at = hop.to
    columns = [each for each in parts if isinstance(each, exp.Alias)]
    conditions += [each for each in parts if not isinstance(each, exp.Alias)]
    sources = [build.table(table_asked(each, elements, catalog), name) for name, each in elements.items()]
    made = build.select([each.copy() for each in columns], sources, [each.copy() for each in conditions])
    for column in made.find_all(exp.Column):
        element = elements[column.table]
        assert element.table.element is not None
        exposing = {name: own for own, name in element.table.element.properties.items()}
        if column.meta_get("own") is None:
            column.set("this", build.name(exposing[column.name]))
    return made


def table_asked(element: Vertex | Edge, elements: dict[str, Vertex | Edge], catalog: Catalog) -> str:
    """The one table that a label asks for, of an edge beside those of its ends."""
    known = element.table.element
    assert known is not None
    tables: tuple[NodeTable | EdgeTable, ...] = catalog.nodes if isinstance(element, Vertex) else catalog.edges
    found = [each for each in tables if each.element is not None and each.element.label == known.label]
    if isinstance(element, Edge):
        ends = [each.table.element.name for each in (element.source, element.target) if each.table.element is not None]
        found = [each for each in found if each.element and [each.element.source, each.element.target] == ends]
    assert len(found) == 1
    return found[0].name


def _same(edge: Edge, key: Key, vertex: Vertex) -> list[Sql]:
    pairs = zip(key.columns, vertex.table.key.columns, strict=True)
    return [build.equal(_own(one.name, edge.variable), _own(other.name, vertex.variable)) for one, other in pairs]


def _own(column: str, table: str) -> Sql:
    made = build.column(column, table)
    made.meta["own"] = True
    return made
