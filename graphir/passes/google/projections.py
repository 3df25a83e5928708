"""RETURN and WITH: columns and their names, grouping, DISTINCT, order."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphir import ir
from graphir.passes.google import expressions
from graphir.passes.google.analysis import Analysis, Place
from graphir.passes.google.calls import is_written_as_call
from graphir.passes.google.coercion import ANYTHING
from graphir.passes.google.names import Column, Scope, Table
from graphir.passes.google.places import span_of
from graphir.passes.google.types import ELEMENTS, Type, has_graph, is_groupable
from graphir.source import Span


@dataclass(frozen=True, slots=True)
class Made:
    """A column of a projection: where it is written, what it is computed by (None: it is one of `*`)."""

    column: Column
    at: Span
    item: ir.Item | None


def project(state: Analysis, node: ir.Project, place: Place) -> Table:
    """The table that a projection makes."""
    made = list(_columns(state, node, place))
    clause = place.clause
    aggregated = node.group_by is not None or any(holds_aggregate(state, item.value) for item in node.items)
    if not aggregated and any(holds_aggregate(state, key.value) for key in node.order):
        aggregated = True
    _check_names(state, node, made)
    if aggregated:
        keys = _keys(state, node, place, made)
        _check_grouped(state, node, place, keys)
        _check_key_types(state, node, made)
    if node.distinct:
        _check_distinct(state, made, clause)
    _check_order(state, node, place, made, aggregated)
    return Table({each.column.name.lower(): each.column for each in made}, _is_open(node, place))


def _is_open(node: ir.Project, place: Place) -> bool:
    """Whether there may be columns that are not known."""
    if any(isinstance(item.value, ir.Unpack) for item in node.items):
        graph = place.graph
        return place.scope.table.open or graph.open or graph.more_properties or graph.has_dynamic
    return place.scope.table.open and node.star


def _star_at(state: Analysis, node: ir.Project) -> Span:
    span = span_of(node)
    at = state.text.find("*", span.start, span.end)
    return Span(at, at + 1) if at >= 0 else span


def _columns(state: Analysis, node: ir.Project, place: Place) -> Iterator[Made]:
    if node.star:
        yield from _star(state, place, _star_at(state, node))
    for item in node.items:
        if isinstance(item.value, ir.Unpack):
            if item.value.value is not None:
                yield from _unpacked(state, item.value, place)
                continue
            yield from _star(state, place, span_of(item.value))
            continue
        name = item.name or expressions.inferred_name(item.value)
        late = place.clause == "COLUMNS"
        typed = expressions.infer(state, item.value, place) if late else ANYTHING
        if name is None:
            state.report("G108", f"An expression in {place.clause} needs a name", item.value, "add AS and a name")
        typed = typed if late else expressions.infer(state, item.value, place)
        if name is None:
            continue
        at = span_of(item.value)
        yield Made(Column(name, typed.type, constant=typed.constant, at=at), at, item)


def _unpacked(state: Analysis, node: ir.Unpack, place: Place) -> Iterator[Made]:
    """The properties of an element, each a column."""
    assert node.value is not None
    base = expressions.infer(state, node.value, place).type
    if base.kind == "UNKNOWN":
        return
    if base.kind not in ELEMENTS:
        state.report("G307", f"Only an element has properties that can be listed, and this is {base}", node)
    elif base.open and place.graph.has_dynamic:
        state.report("G345", "Properties from the data cannot be listed", node)
    for name, of in base.fields:
        yield Made(Column(name, of, at=span_of(node)), span_of(node), None)


def _star(state: Analysis, place: Place, at: Span) -> Iterator[Made]:
    """Every column of the table."""
    table = place.scope.table
    if not table.columns and not table.open:
        state.report("G105", f"{place.clause} * where there is no column", at)
    for column in table:
        if column.ambiguous or column.doubled:
            state.report("G106", f"Two columns are named `{column.name}`", at)
        yield Made(Column(column.name, column.type, at=at), at, None)


def _check_names(state: Analysis, node: ir.Project, made: list[Made]) -> None:
    """A name occurs once.  RETURN says so at once, WITH where the name is used."""
    seen: dict[str, int] = {}
    for place, each in enumerate(made):
        key = each.column.name.lower()
        if key not in seen:
            seen[key] = place
        elif node.final:
            state.report(
                "G106", f"Two columns are named `{each.column.name}`", made[0].at, "name one otherwise with AS"
            )
        else:
            first = made[seen[key]]
            made[seen[key]] = Made(Column(first.column.name, first.column.type, ambiguous=True), first.at, first.item)
            made[place] = Made(Column(first.column.name, first.column.type, ambiguous=True), each.at, each.item)


def check_final(state: Analysis, table: Table) -> None:
    """The result of a statement holds no elements."""
    for column in table:
        if column.at is not None and has_graph(column.type):
            state.report(
                "G340",
                f"The result of the query cannot hold `{column.name}`, which is {column.type}",
                column.at,
                "return its properties, or TO_JSON(..)",
            )


def _check_distinct(state: Analysis, made: Sequence[Made], clause: str) -> None:
    for each in made:
        if not can_be_key(state, each.column.type):
            told = f"{clause} DISTINCT cannot compare column `{each.column.name}`, which is {each.column.type}"
            state.report("G341", told, each.at)


def can_be_key(state: Analysis, of: Type) -> bool:
    """Whether values can be grouped by: what that asks of arrays, records and JSON depends on the profile."""
    if of.kind == "ARRAY" and not state.has("GROUP_BY_ARRAY"):
        return False
    if of.kind == "STRUCT" and not state.has("GROUP_BY_STRUCT"):
        return False
    if of.kind == "GRAPH_PATH" and not state.has("GROUP_BY_GRAPH_PATH"):
        return False
    return is_groupable(of) or (of.kind == "JSON" and state.has("JSON_ORDERING"))


# ------------------------------------------------------------------ grouping


def is_aggregate(state: Analysis, node: ir.Node) -> bool:
    """Whether a node is the call of an aggregate."""
    if isinstance(node, ir.Call):
        name = ".".join(part.upper() for part in node.name)
        return _is_aggregate(state, name.removeprefix("SAFE."))
    if not isinstance(node, ir.Apply):
        return False
    if node.function == "count_star":
        return True
    if not is_written_as_call(state, node):
        return False
    start = span_of(node).start
    return _is_aggregate(state, state.text[start : state.text.find("(", start)].strip().upper())


def _is_aggregate(state: Analysis, name: str) -> bool:
    function = state.functions.get(name)
    return name == "GROUPING" or (function is not None and function.mode == "aggregate")


def holds_aggregate(state: Analysis, node: ir.Node) -> bool:
    """Whether an aggregate of this clause stands in an expression."""
    pending = [node]
    while pending:
        current = pending.pop()
        if is_aggregate(state, current):
            return True
        if isinstance(current, ir.Window):
            pending += ir.children(current.function)
        elif not isinstance(current, ir.Subquery):
            pending += ir.children(current)
    return False


def folded(node: ir.Expression) -> ir.Expression:
    """The expression with names without case: two that are equal compute the same."""

    def lower(each: ir.Node) -> ir.Node:
        if isinstance(each, ir.Ref) and not each.name.islower():
            return ir.Ref(each.name.lower())
        if isinstance(each, ir.Property) and not each.key.islower():
            return ir.Property(each.base, each.key.lower())
        return each

    return ir.rewrite(node, lower)


def _keys(state: Analysis, node: ir.Project, place: Place, made: Sequence[Made]) -> set[ir.Expression]:
    """What is grouped by, folded."""
    if node.group_by is None:
        elements = {each.item for each in made if has_graph(each.column.type) and not state.has("RETURN_EXTENSIONS")}
        items = [item for item in node.items if item not in elements]
        keys = {folded(item.value) for item in items if not holds_aggregate(state, item.value)}
        columns = place.scope.table if node.star else ()
        return keys | {ir.Ref(column.name.lower()) for column in columns}
    if not node.group_by:
        if not state.has("GROUP_BY_NOTHING"):
            at = state.source.find_last("GROUP", end=span_of(node).end) or span_of(node)
            bracket = state.text.find("(", at.end)
            state.report(
                "G345", "GROUP BY () is no part of the language here", Span(bracket, bracket + 1), "leave it out"
            )
        return set()
    names = {(each.column.name.lower()): each for each in made}
    return {key for each in node.group_by for key in _key(state, each, place, names)}


def _key(state: Analysis, key: ir.Expression, place: Place, names: dict[str, Made]) -> Iterator[ir.Expression]:
    if isinstance(key, ir.Literal):
        state.report("G343", "GROUP BY takes no constant and no position of a column", key, "name the column")
        return
    if isinstance(key, ir.Call) and key.name[-1].upper() in ("ROLLUP", "CUBE"):
        at = state.source.find_last("GROUP", end=span_of(key).start)
        state.report("G345", f"{key.name[-1].upper()} is no part of a graph query", at or key)
        return
    if isinstance(key, ir.Unpack):
        return
    named = names.get(key.name.lower()) if isinstance(key, ir.Ref) else None
    if named is not None:
        of = named.column.type
        yield folded(key)
        if named.item is not None:
            yield folded(named.item.value)
    else:
        of = expressions.infer(state, key, place.but(aggregates="none", clause="GROUP BY")).type
        yield folded(key)
    if not can_be_key(state, of):
        state.report("G341", f"GROUP BY cannot compare values of {of}", key)


def _check_key_types(state: Analysis, node: ir.Project, made: Sequence[Made]) -> None:
    """Without GROUP BY every column without an aggregate is a key."""
    if node.group_by is not None:
        return
    for each in made:
        is_key = each.item is None or not holds_aggregate(state, each.item.value)
        if is_key and not can_be_key(state, each.column.type):
            told = (
                f"`{each.column.name}`, which is grouped by here, is {each.column.type}: its values cannot be compared"
            )
            state.report("G341", told, each.at)


def _check_grouped(state: Analysis, node: ir.Project, place: Place, keys: set[ir.Expression]) -> None:
    if node.star and node.group_by is not None:
        for column in place.scope.table:
            if ir.Ref(column.name.lower()) not in keys:
                refuse_ungrouped(state, column.name, _star_at(state, node), place.clause)
    for item in node.items:
        for found in ungrouped(state, item.value, place.scope, keys):
            refuse_ungrouped(state, written(state, found), found, place.clause)


def refuse_ungrouped(state: Analysis, name: str, at: ir.Node | Span, clause: str) -> None:
    state.report(
        "G127",
        f"`{name}` in {clause} is neither grouped by nor inside of an aggregate",
        at,
        "group by it, or return it as a column of its own",
    )


def written(state: Analysis, node: ir.Node) -> str:
    span = span_of(node)
    return state.text[span.start : span.end]


def ungrouped(state: Analysis, node: ir.Node, scope: Scope, keys: Container[ir.Expression]) -> Iterator[ir.Node]:
    """The outermost names in an expression that are columns, and neither keys nor inside of an aggregate.

    A key that is computed stands for the whole expression alone, one that is a column or a property wherever it is.
    """
    if isinstance(node, ir.Expression) and folded(node) in keys:
        return
    pending: list[ir.Node] = [node]
    while pending:
        current = pending.pop()
        if is_aggregate(state, current) or isinstance(current, (ir.Window, ir.Lambda)):
            continue
        if isinstance(current, ir.Subquery):
            yield from _correlated(current, scope, keys)
        elif isinstance(current, (ir.Property, ir.Ref)):
            if not _is_grouped(current, scope, keys):
                yield current
        else:
            pending += reversed(ir.children(current))


def _is_grouped(node: ir.Property | ir.Ref, scope: Scope, keys: Container[ir.Expression]) -> bool:
    """Whether a name, or a property behind one, is a key or no column of the table."""
    current: ir.Node = node
    while isinstance(current, ir.Property):
        if folded(current) in keys:
            return True
        current = current.base
    if not isinstance(current, ir.Ref):
        return True
    return folded(current) in keys or not scope.is_own(current.name)


def _correlated(node: ir.Subquery, scope: Scope, keys: Container[ir.Expression]) -> Iterator[ir.Node]:
    """The first name in a query that is a column around it and no key; names that the query declares are its own."""
    inside = list(ir.walk(node))
    declared = {name.lower() for each in inside for name in _declared(each)}
    for each in inside:
        base = each
        while isinstance(base, ir.Property):
            base = base.base
        if isinstance(base, ir.Ref) and isinstance(each, (ir.Property, ir.Ref)):
            if base.name.lower() not in declared and not _is_grouped(each, scope, keys):
                yield each
                return
            if isinstance(each, ir.Property) and _is_grouped(each, scope, keys):
                declared = declared if scope.is_own(base.name) else declared | {base.name.lower()}


def _declared(node: ir.Node) -> Iterator[str]:
    """The names that a node gives to something."""
    for name in ("variable", "name", "alias", "offset"):
        found = getattr(node, name, None)
        if isinstance(found, str) and not isinstance(node, (ir.Ref, ir.LabelName)):
            yield found


# ------------------------------------------------------------------ order


def _check_order(state: Analysis, node: ir.Project, place: Place, made: Sequence[Made], aggregated: bool) -> None:
    """ORDER BY sees the columns that are made, then those from before."""
    from graphir.passes.google.statements import check_key

    if not node.order:
        return
    aliases = [Column(each.column.name, each.column.type) for each in made]
    scope = Scope(place.scope.table.with_(aliases), place.scope.outer)
    inner = place.but(scope=scope, clause="ORDER BY", aggregates="vertical" if aggregated else "none")
    grouped = {folded(each.item.value) for each in made if each.item is not None}
    grouped |= {ir.Ref(each.column.name.lower()) for each in made}
    if aggregated and node.group_by is not None:
        grouped |= {folded(key) for key in node.group_by}
    computed = {each.column.name.lower() for each in made if each.item and holds_aggregate(state, each.item.value)}
    for key in node.order:
        if _nests(state, key.value, computed - place.scope.table.columns.keys()):
            continue
        check_key(state, key, inner)
        if not (aggregated or node.distinct):
            continue
        for found in ungrouped(state, key.value, place.scope, grouped):
            name = written(state, found)
            if node.distinct:
                state.report("G127", f"`{name}` is not there to sort by: after DISTINCT only the columns are", found)
            else:
                refuse_ungrouped(state, name, found, "ORDER BY")


def _nests(state: Analysis, key: ir.Expression, computed: Iterable[str]) -> bool:
    """Whether an aggregate in ORDER BY is of a column that is an aggregate."""
    names = set(computed)
    for node in ir.walk(key):
        if not is_aggregate(state, node):
            continue
        inner = next((ref for ref in ir.walk(node) if isinstance(ref, ir.Ref) and ref.name.lower() in names), None)
        if inner is not None:
            state.report("G161", f"`{inner.name}` is an aggregate and stands inside of another", inner)
            return True
    return False
