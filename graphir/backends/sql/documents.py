"""Nodes, relationships and paths as JSON, where a result is to show them so: one column with all there is of each.

Of the JSON itself see `graphir.values.documents`.  What tells an element apart is a text, here that of the tables
(`targets/identities.py`).  The properties are those that the table of the element has, null where there is no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog, NodeTable
from graphir.backends.sql.expressions import each_of
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    DATE,
    DATETIME,
    EDGE,
    FLOAT,
    JSON,
    LOCAL_DATETIME,
    NODE,
    PATH,
    STRING,
    ListRep,
    MapRep,
    datatype,
    holds_entities,
    list_of,
)
from graphir.backends.sql.scans import (
    OWNER,
    Table,
    conditions_of,
    identity,
    owner_of,
    read_column,
    read_property,
    source_of,
)
from graphir.backends.sql.terms import END, START, Term
from graphir.values import documents

_MOMENTS = (LOCAL_DATETIME, DATETIME)

Tables = Sequence[Table]


def needed(tables: Tables) -> set[str]:
    """What has to be carried along with an element of one of the tables for its JSON."""
    found = set(_alike(tables))
    if any(not isinstance(table, NodeTable) for table in tables):
        found |= {START, END}
    return found | {OWNER} if len(tables) > 1 else found


def _alike(tables: Tables) -> list[str]:
    """The properties that lie in one way wherever there are any."""
    reps = {key: {t.columns[key].rep for t in tables if key in t.columns} for table in tables for key in table.columns}
    return [key for key, found in reps.items() if len(found) == 1 and not any(key in t.unread for t in tables)]


def in_json(lowering: Lowering, term: Term, tables: Tables = ()) -> Term:
    """The JSON of an element, a path, or of what has them inside; `tables`: where the element is, if that is known.
    What is no such thing stays as it is.

    Raises Unsupported (G564: a property that cannot be read exactly).
    """
    if not holds_entities(term.rep):
        return term
    if isinstance(term.rep, ListRep):
        listed = each_of(lowering, term, lambda each: in_json(lowering, each, tables))
        return _array_of(listed)
    if isinstance(term.rep, MapRep):
        return _map(lowering, term, term.rep)
    if term.rep == PATH:
        return _path(lowering, term)
    if term.rep not in (NODE, EDGE):
        return term
    return _element(lowering, term, tables)


def value_of(lowering: Lowering, term: Term) -> Term:
    """A value as it stands in JSON: days and moments are texts."""
    if holds_entities(term.rep):
        return in_json(lowering, term)
    if term.rep == DATE:
        return Term(build.noted(build.call("date_text", term.sql), DATE), STRING)
    if term.rep == FLOAT:
        return Term(build.call("json_float", term.sql), FLOAT)
    if term.rep in _MOMENTS:
        return Term(build.noted(build.call("time_text", term.sql), term.rep), STRING)
    if isinstance(term.rep, ListRep):
        plain = term.rep.element in (DATE, *_MOMENTS) or isinstance(term.rep.element, (ListRep, MapRep))
        return _array_of(each_of(lowering, term, lambda each: value_of(lowering, each)) if plain else term)
    if isinstance(term.rep, MapRep):
        return _map(lowering, term, term.rep)
    return term


def _map(lowering: Lowering, term: Term, rep: MapRep) -> Term:
    fields: list[tuple[str, Term]] = []
    for at, (key, own) in enumerate(zip(rep.keys, rep.values, strict=True)):
        value = Term(build.noted(build.field(term.again(), f"f{at}"), own), own)
        fields.append((key, value_of(lowering, value)))
    return _unless_null(term, _object(fields))


def _array_of(listed: Term) -> Term:
    return Term(build.noted(build.call("json_list", listed.sql), listed.rep), JSON, present=listed.present)


def _object(fields: Iterable[tuple[str, Term]]) -> Sql:
    """`fields` with their values, which are as they stand in JSON."""
    arguments: list[Sql] = []
    reps = []
    for key, value in fields:
        arguments += [build.text(key), value.sql]
        reps.append(value.rep)
    return build.noted(build.call("json_object", *arguments), tuple(reps))


def _unless_null(term: Term, made: Sql) -> Term:
    if term.present:
        return Term(made, JSON, present=True)
    return Term(build.case([(build.is_not_null(term.again()), made)]), JSON)


# ------------------------------------------------------------------ elements


def _element(lowering: Lowering, term: Term, tables: Tables) -> Term:
    """Of what is at hand in the row, or else looked up."""
    if not tables or not needed(tables) <= term.properties.keys():
        every: Tables = lowering.catalog.nodes if term.rep == NODE else lowering.catalog.edges
        return _looked_up(lowering, term, tables or every)
    alike = _alike(tables)

    def made(table: Table) -> Sql:
        def read(key: str) -> Term:
            if key in alike:
                return read_property(lowering, term, key)
            return read_property(lowering, Term(term.again(), term.rep), key, [table])

        ends = [read_property(lowering, term, end).sql for end in (START, END)] if term.rep == EDGE else []
        return _described(lowering, table, term.again(), ends, read)

    if len(tables) == 1:
        return _unless_null(term, made(tables[0]))
    owner = read_property(lowering, term, OWNER).sql
    branches = [
        (build.noted(build.equal(build.again(owner), build.text(owner_of(t))), STRING), made(t)) for t in tables
    ]
    return Term(build.case(branches), JSON, present=term.present)


def _looked_up(lowering: Lowering, term: Term, tables: Tables) -> Term:
    """The JSON of an element that is known by what tells it apart alone."""
    lowering.queries += 1
    queries: list[Sql] = []
    for table in tables:
        alias = lowering.fresh("n" if term.rep == NODE else "e")
        own = identity(table.key, alias)
        ends = [] if isinstance(table, NodeTable) else [identity(each, alias) for each in (table.source, table.target)]
        made = _described(lowering, table, build.again(own), ends, _reading(lowering, table, alias))
        conditions = [build.equal(own, term.again()), *conditions_of(table, alias)]
        queries.append(build.select([made], [source_of(table, alias)], conditions))
    if not queries:
        return Term(build.cast(build.null(), datatype(JSON)), JSON)
    return Term(build.scalar(build.union(queries)), JSON)


def _reading(lowering: Lowering, table: Table, alias: str) -> Callable[[str], Term]:
    return lambda key: read_column(lowering, table, key, alias)


def _described(lowering: Lowering, table: Table, own: Sql, ends: Sequence[Sql], read: Callable[[str], Term]) -> Sql:
    """An element of a table."""
    catalog = lowering.catalog
    is_node = isinstance(table, NodeTable)
    listed = build.call("json_array", *[build.text(label) for label in sorted(table.carried)])
    fields = [
        (documents.IDENTIFIER, _told_apart(catalog, own, node=is_node)),
        (documents.KIND, Term(build.text(documents.NODE if is_node else documents.EDGE), STRING)),
        (documents.LABELS, Term(build.noted(listed, list_of(STRING)), JSON)),
    ]
    for name, end in zip((documents.SOURCE, documents.DESTINATION), ends, strict=False):
        fields.append((name, _told_apart(catalog, end, node=True)))
    for key, why in table.unread.items():
        lowering.refuse("G564", f"the property `{key}` of {table.name} cannot be read: {why}")
    shown = _object([(key, value_of(lowering, read(key))) for key in sorted(table.columns)])
    return _object([*fields, (documents.PROPERTIES, Term(shown, JSON))])


def _told_apart(catalog: Catalog, own: Sql, *, node: bool) -> Term:
    """What tells an element apart, as a text."""
    rep = catalog.node_id if node else catalog.edge_id
    return Term(own if rep == STRING else build.noted(build.cast(own, datatype(STRING)), rep), STRING)


# ------------------------------------------------------------------ paths


_SIDES = {"nodes": NODE, "edges": EDGE}


def _path(lowering: Lowering, term: Term) -> Term:
    """The elements of a path in turn: of each node and then of the edge behind it."""
    lowering.queries += 1
    held, parts = lowering.fresh("p"), lowering.fresh("u")
    queries: list[Sql] = []
    for number, (side, rep) in enumerate(_SIDES.items()):
        rows = lowering.fresh("u")
        items = build.noted(build.field(build.column(held), side), list_of(rep))
        columns = [
            build.alias(in_json(lowering, Term(build.column("x", rows), rep)).sql, "x"),
            build.alias(build.column("i", rows), "i"),
            build.alias(build.number(number), "k"),
        ]
        queries.append(build.select(columns, [build.unwound(items, rows, rep)]))
    order = [build.ordered(build.column(each, parts)) for each in ("i", "k")]
    listed = exp.ArrayAgg(this=exp.Order(this=build.column("x", parts), expressions=order))
    whole = build.select(
        [build.noted(listed, list_of(JSON))],
        [build.derived(build.union(queries), parts)],
    )
    made = build.noted(build.call("json_list", build.scalar(whole)), list_of(JSON))
    known = build.case([(build.is_not_null(build.column(held)), made)])
    outer = build.derived(build.select([build.alias(term.sql, held)]), lowering.fresh("u"))
    return Term(build.scalar(build.select([made if term.present else known], [outer])), JSON, present=term.present)
