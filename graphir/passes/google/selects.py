"""SELECT: the columns of a query in SQL, its grouping and its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphir import ir
from graphir.passes.google import expressions, statements
from graphir.passes.google.analysis import Analysis, Place
from graphir.passes.google.coercion import ANYTHING, Typed, supertype
from graphir.passes.google.names import Column, Scope, Table
from graphir.passes.google.places import span_of
from graphir.passes.google.projections import folded, holds_aggregate, refuse_ungrouped, ungrouped, written
from graphir.passes.google.tables import OPEN, Around, Rows, missing, read
from graphir.passes.google.types import UNKNOWN, Type, is_orderable, struct_of


def resolve(state: Analysis, body: ir.Body, around: Around) -> Table:
    """The columns of a query in SQL."""
    match body:
        case ir.Select():
            return _select(state, body, around)[0]
        case ir.TableQuery():
            return _table_query(state, body, around)
        case ir.SetOperation():
            return _set_operation(state, body, around)
        case _:
            return statements.resolve_body(
                state, body, statements.Frame(around.graph, around.outer, common=around.common)
            )


def resolve_expression(state: Analysis, node: ir.Subquery, around: Around) -> Typed:
    """A query in SQL that stands for a value."""
    made = resolve(state, node.body, around)
    if node.kind == "exists":
        return Typed(Type("BOOL"))
    if made.open:
        return ANYTHING
    if len(made.columns) != 1:
        state.report(
            "G344", f"A query that stands for a value gives one column, and this gives {len(made.columns)}", node
        )
        return ANYTHING
    column = next(iter(made))
    of = made.rows or column.type
    return Typed(of) if node.kind == "value" else Typed(Type("ARRAY", of) if of.kind != "UNKNOWN" else UNKNOWN)


# ------------------------------------------------------------------ WITH, ORDER BY, set operations


def _table_query(state: Analysis, body: ir.TableQuery, around: Around) -> Table:
    common = dict(around.common)
    tables = [each for each in body.common if isinstance(each, ir.CommonTable)]
    if body.recursive:
        common |= {each.name.lower(): OPEN for each in tables}
    for each in tables:
        made = resolve(state, each.body, replace(around, common=common))
        common[each.name.lower()] = OPEN if body.recursive else made
    inner = replace(around, common=common)
    if isinstance(body.body, ir.Select):
        made, seen = _select(state, body.body, inner)
    else:
        made, seen = resolve(state, body.body, inner), Table()
    statements.check_page(state, body.skip, body.limit)
    scope = Scope(Table({**seen.columns, **made.columns}, made.open or seen.open), around.outer)
    place = Place(scope, around.graph, "ORDER BY", "vertical", common=common)
    for key in body.order:
        if not isinstance(key.value, ir.Literal):
            _check_key(state, key, place)
    return made


def _check_key(state: Analysis, key: ir.SortKey, place: Place) -> None:
    found = expressions.infer(state, key.value, place)
    if not is_orderable(found.type) and not (found.type.kind == "JSON" and state.has("JSON_ORDERING")):
        state.report("G341", f"ORDER BY is not defined for {found.type}: its values have no order", key.value)


def _set_operation(state: Analysis, body: ir.SetOperation, around: Around) -> Table:
    found = [resolve(state, branch, around) for branch in body.branches]
    first = found[0]
    if any(each.open for each in found):
        return OPEN
    kind = f"{body.kind.upper()} {'DISTINCT' if body.distinct else 'ALL'}"
    for branch, other in zip(body.branches[1:], found[1:], strict=True):
        if len(other.columns) != len(first.columns):
            told = f"The branches of {kind} give {len(first.columns)} and {len(other.columns)} columns"
            state.report("G107", told, branch)
            return first
    columns: dict[str, Column] = {}
    for at, (key, column) in enumerate(first.columns.items()):
        of = [list(each.columns.values())[at] for each in found]
        common = supertype([Typed(each.type, each.constant) for each in of])
        if common is None:
            shown = ", ".join(dict.fromkeys(str(each.type) for each in of))
            state.report(
                "G301", f"Column {at + 1} of {kind} is of types without one in common: {shown}", body.branches[1]
            )
        columns[key] = replace(column, type=common or UNKNOWN)
    return Table(columns)


# ------------------------------------------------------------------ SELECT


def _select(state: Analysis, node: ir.Select, around: Around) -> tuple[Table, Table]:
    """The columns that a SELECT makes, and those that it sees."""
    rows = read(state, node.table, around)
    table = rows.table()
    place = Place(Scope(table, around.outer), around.graph, "SELECT", "vertical", common=around.common)
    if node.where is not None:
        expressions.condition(state, node.where, place.but(aggregates="none", clause="WHERE"), "WHERE")
    made = list(_columns(state, node, rows, place))
    columns: dict[str, Column] = {}
    for column in made:
        key = column.name.lower()
        if not key or key in columns:
            if key:
                columns[key] = replace(columns[key], ambiguous=True)
            key = f"\0{len(columns)}"
        columns[key] = column
    open_ = any(isinstance(each, ir.Star) for each in node.items) and table.open
    result = Table(columns, open_)
    _check_grouping(state, node, place, result)
    return _formed(node, result), table


def _formed(node: ir.Select, made: Table) -> Table:
    """SELECT AS STRUCT gives one column of records, SELECT AS VALUE the values themselves."""
    if node.form is None or made.open:
        return made
    if node.form == "struct":
        row = struct_of(*[(column.name, column.type) for column in made])
    else:
        row = next((column.type for column in made), UNKNOWN)
    return Table({"\0row": Column("", row)}, False, row)


def _columns(state: Analysis, node: ir.Select, rows: Rows, place: Place) -> Iterator[Column]:
    for item in node.items:
        if isinstance(item, ir.Star):
            yield from _star(state, item, rows, place)
            continue
        found = expressions.value(state, item.value, place)
        name = item.name or expressions.inferred_name(item.value) or ""
        yield Column(name, found.type, constant=found.constant, at=span_of(item.value))


def _star(state: Analysis, item: ir.Star, rows: Rows, place: Place) -> Iterator[Column]:
    if item.base is None:
        table = rows.star()
    else:
        base = expressions.infer(state, item.base, place).type
        if base.kind in ("GRAPH_NODE", "GRAPH_EDGE") and base.open and _is_dynamic(state, base):
            state.report("G345", "`.*` is not defined for elements with properties from the data", item)
        closed = base.kind in ("STRUCT", "GRAPH_NODE", "GRAPH_EDGE") and not base.open
        if not closed and base.kind not in ("UNKNOWN", "JSON", "PROTO", "GRAPH_NODE", "GRAPH_EDGE"):
            state.report("G307", f"`.*` needs an element or a STRUCT, and this is {base}", item)
        table = Table({name.lower(): Column(name, of) for name, of in base.fields}, not closed)
    replaced = {each.name or "": expressions.infer(state, each.value, place).type for each in item.replaced}
    for what, names in (("EXCEPT", item.omitted), ("REPLACE", tuple(replaced))):
        lost = missing(names, table)
        if lost is not None:
            at = state.source.find(lost, span_of(item).start) or span_of(item)
            state.report("G101", f"There is no column `{lost}` for {what}", at)
    left_out = {name.lower() for name in item.omitted}
    types = {name.lower(): of for name, of in replaced.items()}
    for key, column in table.columns.items():
        if key not in left_out:
            yield replace(column, type=types.get(key, column.type), at=span_of(item))


def _is_dynamic(state: Analysis, base: Type) -> bool:
    graph = state.catalog.graph((base.graph,))
    return graph is not None and graph.has_dynamic


# ------------------------------------------------------------------ grouping


def _check_grouping(state: Analysis, node: ir.Select, place: Place, made: Table) -> None:
    items = [item for item in node.items if isinstance(item, ir.Item)]
    keys = _keys(state, node, items, place)
    aliased = place.scope.table.with_([column for key, column in made.columns.items() if key[:1] != "\0"])
    inner = place.but(scope=place.scope.of(aliased), clause="HAVING")
    for clause, condition in (("HAVING", node.having), ("QUALIFY", node.qualify)):
        if condition is not None:
            expressions.condition(state, condition, inner.but(clause=clause), clause)
    grouped = node.grouping is not None or node.having is not None
    aggregated = grouped or any(holds_aggregate(state, item.value) for item in items)
    if not aggregated or keys is None or place.scope.table.open:
        return
    for item in items:
        for found in ungrouped(state, item.value, place.scope, keys):
            refuse_ungrouped(state, written(state, found), found, "SELECT")
    names = {ir.Ref(column.name.lower()) for column in made}
    if node.having is not None:
        for found in ungrouped(state, node.having, place.scope, keys | names):
            refuse_ungrouped(state, written(state, found), found, "HAVING")


def _keys(state: Analysis, node: ir.Select, items: Sequence[ir.Item], place: Place) -> set[ir.Expression] | None:
    """What is grouped by, folded; None where that is not written out."""
    grouping = node.grouping
    if grouping is None:
        return set()
    if grouping.kind == "all":
        return {folded(item.value) for item in items if not holds_aggregate(state, item.value)}
    if grouping.kind != "keys" or any(isinstance(item, ir.Star) for item in node.items):
        return None
    keys: set[ir.Expression] = set()
    names = {(item.name or expressions.inferred_name(item.value) or "").lower(): item for item in items}
    for key in grouping.keys:
        if isinstance(key, ir.Literal):
            position = key.value if isinstance(key.value, int) else 0
            if 0 < position <= len(node.items):
                keys.add(folded(items[position - 1].value))
            continue
        item = names.get(key.name.lower()) if isinstance(key, ir.Ref) else None
        if item is not None:
            keys |= {folded(item.value), folded(key)}
        else:
            expressions.infer(state, key, place.but(aggregates="none", clause="GROUP BY"))
            keys.add(folded(key))
    return keys
