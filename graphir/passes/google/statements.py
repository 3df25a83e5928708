"""Statements: what each clause makes of the working table, composition of queries, subqueries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphir import ir
from graphir.passes.google import expressions, patterns
from graphir.passes.google.analysis import Analysis, Place, no_tables
from graphir.passes.google.catalog import Graph
from graphir.passes.google.coercion import ANYTHING, Typed, supertype
from graphir.passes.google.inserts import insert
from graphir.passes.google.names import EMPTY, Column, Scope, Table
from graphir.passes.google.places import last_name, name_at, skip, span_of
from graphir.passes.google.projections import check_final, project
from graphir.passes.google.types import BOOL, INT64, UNKNOWN, array_of, has_graph, is_groupable, is_orderable, named
from graphir.schema.ddl.targets import TARGETS, quote_path
from graphir.source import Span

OPEN = Table(open=True)


@dataclass(frozen=True)
class Frame:
    """What a body works in.

    `outer` is what is visible from outside, `reserved` what nothing may be called.  `inner`: the body is a part of
    another statement.
    """

    graph: Graph
    outer: Scope | None = None
    reserved: frozenset[str] = frozenset()
    common: Mapping[str, Table] = field(default_factory=no_tables)
    inner: bool = False


def resolve_body(state: Analysis, body: ir.Body, frame: Frame, table: Table = EMPTY) -> Table:
    """The columns of a body that begins with this table."""
    if isinstance(body, ir.Next):
        for part in body.parts[:-1]:
            table = resolve_body(state, part, frame, table)
        return resolve_body(state, body.parts[-1], frame, table)
    if is_sql(body):
        from graphir.passes.google.selects import resolve
        from graphir.passes.google.tables import Around

        return resolve(state, body, Around(frame.outer, frame.graph, frame.common))
    if isinstance(body, ir.SetOperation):
        return _set_operation(state, body, frame, table)
    if isinstance(body, ir.SqlStatement):
        for held in body.islands:
            if not isinstance(held, ir.TableExpression):  # what is around a table, and what it names, is not known
                resolve_body(state, held, frame, table)
        return OPEN
    if not isinstance(body, ir.Pipeline):
        return OPEN
    graph = frame.graph
    for at, operator in enumerate(body.operators):
        if isinstance(operator, ir.Use):
            graph = find_graph(state, operator)
            inner = _wrapped(body.operators)
            if inner is not None:
                return resolve_body(state, inner, replace(frame, graph=graph), table)
            continue
        rule = RULES.get(type(operator))
        if rule is None:
            table = replace(table, open=True)
            continue
        context = _Step(frame, graph, body.operators[:at])
        table = rule(state, operator, context, table)
    return table


def is_sql(body: ir.Body) -> bool:
    """Whether a body is a query in SQL."""
    while isinstance(body, ir.SetOperation):
        body = body.branches[0]
    return isinstance(body, (ir.Select, ir.TableQuery))


def _wrapped(operators: Sequence[ir.Operator]) -> ir.Body | None:
    """The body behind `GRAPH name` that is more than a pipeline."""
    if len(operators) == 2 and isinstance(operators[1], ir.SubqueryCall) and operators[1].imports == ():
        body = operators[1].body
        return body if not isinstance(body, ir.Pipeline) else None
    return None


@dataclass(frozen=True, slots=True)
class _Step:
    """Where a clause stands: its frame, its graph, the clauses before it."""

    frame: Frame
    graph: Graph
    before: Sequence[ir.Operator]

    def place(self, table: Table, clause: str, aggregates: str = "none") -> Place:
        return Place(Scope(table, self.frame.outer), self.graph, clause, aggregates, common=self.frame.common)


def _graphs(state: Analysis, like: Sequence[str]) -> list[str]:
    """The names of the graphs, written as they stand in a text: with as many parts as a name has, if less
    than all will do."""
    paths = [(*graph.qualifier, graph.name) for graph in state.catalog.graphs.values()]
    cut = 0 if state.catalog.strict else len(like)
    return [quote_path(path[-cut:], TARGETS["spanner-ddl"]) for path in paths]


def find_graph(state: Analysis, use: ir.Use) -> Graph:
    """The graph that GRAPH names."""
    path = use.graph.name if isinstance(use.graph, ir.GraphName) else ("",)
    name = path[-1]
    found = state.catalog.graph(path)
    if not state.has("SQL_GRAPH"):
        state.report("G345", "Graph queries are no part of the language here", use.graph)
    if found is None:
        shown = ".".join(path)
        state.misspelled("G121", f"There is no graph `{shown}`", shown, span_of(use.graph), _graphs(state, path), 0.5)
        graphs = list(state.catalog.graphs.values())
        return graphs[0] if len(graphs) == 1 else Graph(name, open=True)
    if found.has_dynamic and not (state.has("DYNAMIC_ELEMENT_TYPE") and state.has("DYNAMIC_LABEL_PROPERTIES_IN_DDL")):
        state.report("G345", "A graph with labels from the data is no part of the language here", use.graph)
    return found


# ------------------------------------------------------------------ reading


def _match(state: Analysis, node: ir.Match, step: _Step, table: Table) -> Table:
    return patterns.match(state, node, patterns.Surroundings(step.graph, table, step.frame.outer, step.frame.common))


def _filter(state: Analysis, node: ir.Filter, step: _Step, table: Table) -> Table:
    expressions.condition(state, node.predicate, step.place(table, "FILTER", "horizontal"), "FILTER")
    return table


def _let(state: Analysis, node: ir.Let, step: _Step, table: Table) -> Table:
    place = step.place(table, "LET", "horizontal")
    found = [(item, expressions.value(state, item.value, place)) for item in node.items]
    for item, typed in found:
        name = item.name or ""
        at = name_at(state.text, span_of(node.items[0]).start)
        table = _added(state, table, Column(name, typed.type), at, step)
    return table


def _added(state: Analysis, table: Table, column: Column, at: Span, step: _Step) -> Table:
    """The table with a column, whose name must be new."""
    if column.name.lower() in step.frame.reserved:
        state.report(
            "G102", f"`{column.name}` is imported by CALL and cannot be declared again", at, "choose another name"
        )
    elif column.name in table:
        state.report("G102", f"`{column.name}` is already there", at, "choose another name")
    return table.with_([column])


def _for(state: Analysis, node: ir.Unwind, step: _Step, table: Table) -> Table:
    source = expressions.value(state, node.source, step.place(table, "FOR"))
    if source.type.kind not in ("ARRAY", "UNKNOWN") and source.constant != "null":
        state.report("G301", f"FOR goes through an array, and this is {source.type}", node.source)
    element = source.type.element or UNKNOWN
    span = span_of(node)
    first = name_at(state.text, span.start + len("FOR"))
    imported = node.variable.lower() in step.frame.reserved
    table = _added(state, table, Column(node.variable, element), first if imported else span, step)
    for name in (node.offset, node.ordinality):
        if name is not None:
            known = name.lower() in step.frame.reserved
            table = _added(state, table, Column(name, INT64), last_name(state.text, node) if known else span, step)
    return table


def _order(state: Analysis, node: ir.Order, step: _Step, table: Table) -> Table:
    place = step.place(table, "ORDER BY")
    for key in node.keys:
        check_key(state, key, place)
    return table


def check_key(state: Analysis, key: ir.SortKey, place: Place) -> Typed:
    """A key of ORDER BY: no ordinal, and of a type that has an order."""
    if isinstance(key.value, ir.Literal):
        state.report("G343", "ORDER BY takes no constant and no position of a column", key.value, "name the column")
        return ANYTHING
    if key.stated and not state.has("NULLS_FIRST_LAST_IN_ORDER_BY"):
        at = name_at(state.text, span_of(key.value).end)
        at = name_at(state.text, at.end) if state.text[at.start : at.end].upper()[:3] in ("ASC", "DES") else at
        state.report("G345", "NULLS FIRST and NULLS LAST are no part of the language here", at, "sort by IS NULL first")
    found = expressions.value(state, key.value, place)
    if not is_orderable(found.type) and not (found.type.kind == "JSON" and state.has("JSON_ORDERING")):
        hint = "sort by a property" if has_graph(found.type) else None
        state.report("G341", f"ORDER BY is not defined for {found.type}: its values have no order", key.value, hint)
    return found


def _sample(state: Analysis, node: ir.Sample, step: _Step, table: Table) -> Table:
    """`WITH WEIGHT AS name` adds a column, in front of one that had its name."""
    words = node.text.split()
    at = next(
        (at for at in range(len(words) - 1) if [w.upper() for w in words[at : at + 2]] == ["WITH", "WEIGHT"]), None
    )
    if at is None:
        return table
    aliased = words[at + 2 : at + 3] == ["AS"] or words[at + 2 : at + 3] == ["as"]
    name = words[at + 3] if aliased else "weight"
    return table.with_([Column(name, named("DOUBLE"), doubled=name in table)])


def _page(state: Analysis, node: ir.Page, step: _Step, table: Table) -> Table:
    check_page(state, node.skip, node.limit)
    before = [type(each) for each in step.before[-2:]]
    if node.skip is not None and before == [ir.Order, ir.Page]:
        previous = step.before[-1]
        assert isinstance(previous, ir.Page)
        if previous.limit is not None and previous.skip is None:
            state.report("G122", "OFFSET stands in front of LIMIT", node, "write OFFSET .. LIMIT ..")
    return table


def check_page(state: Analysis, *counts: ir.Expression | None) -> None:
    """What OFFSET and LIMIT take: a number or a parameter."""
    for count in counts:
        number = isinstance(count, ir.Literal) and type(count.value) is int
        if count is not None and not number and not isinstance(count, (ir.Parameter, ir.Cast)):
            state.report("G301", "OFFSET and LIMIT take a whole number or a parameter", count)


def _project(state: Analysis, node: ir.Project, step: _Step, table: Table) -> Table:
    columns = state.text[span_of(node).start :][: len("COLUMNS")].upper() == "COLUMNS"
    clause = "COLUMNS" if columns else "RETURN" if node.final else "WITH"
    inserted = any(isinstance(each, ir.Insert) for each in step.before)
    made = project(state, node, step.place(table, clause, "none" if columns or inserted else "vertical"))
    check_page(state, node.skip, node.limit)
    if node.final:
        for column in made:
            if column.name.lower() in step.frame.reserved:
                told = f"`{column.name}` is imported by CALL and cannot be a column of its query"
                state.report("G102", told, node, "give it another name with AS")
    return made


# ------------------------------------------------------------------ calls


def _procedure(state: Analysis, node: ir.ProcedureCall, step: _Step, table: Table) -> Table:
    if not state.has("CALL"):
        state.report("G345", "CALL is no part of the language here", node)
        return OPEN
    if node.optional and not table.columns and not table.open:
        state.report("G122", "OPTIONAL CALL needs rows to begin with", node, "write CALL")
        return OPEN
    _check_function(state, node, table)
    place = step.place(table, "an argument of CALL")
    if node.per == ():
        place = place.but(scope=Scope(EMPTY, None, table))
    for argument in node.args or ():
        if isinstance(argument, ir.GraphName):
            continue
        inner = argument.value if isinstance(argument, ir.Named) else argument
        if isinstance(inner, ir.Subquery):
            inner = replace(inner, kind="exists")
        expressions.infer(state, inner, place)
    if node.per is not None:
        table = EMPTY
    if node.yields is None:
        return replace(table, open=True)
    seen: set[str] = set()
    for each in node.yields:
        name = each.alias or each.name
        if name.lower() in seen:
            state.report("G106", f"Two columns of YIELD are named `{name}`", last_name(state.text, each))
        seen.add(name.lower())
        table = table.with_([Column(name, UNKNOWN)])
    return table


def _check_function(state: Analysis, node: ir.ProcedureCall, table: Table) -> None:
    """The function of a CALL is one of tables, and CALL PER has rows to give it."""
    at = state.text.find(node.name[0], span_of(node).start + len("CALL"))
    span = Span(at, at + len(node.name[0])) if at >= 0 else span_of(node)
    if not state.has("TABLE_VALUED_FUNCTIONS"):
        state.report("G345", "Functions of tables are no part of the language here", span)
    elif len(node.name) == 1 and node.name[0].upper() in state.functions:
        state.report("G303", f"{node.name[0]} gives a value and no table", span, "call it in LET or RETURN")
    elif node.per:
        opening = state.source.find("(", span_of(node).start)
        state.report("G122", "CALL PER takes an empty list", opening or node, "write CALL PER()")
    elif node.per == () and not table.columns and not table.open:
        state.report("G122", "CALL PER needs rows with a column", node, "write CALL")


def _subquery_call(state: Analysis, node: ir.SubqueryCall, step: _Step, table: Table) -> Table:
    braces = _braces(state, node)
    if not state.has("CALL"):
        state.report("G345", "CALL is no part of the language here", node)
        return OPEN
    if node.star or node.imports is None:
        state.report("G122", "CALL names the variables that its query uses", braces, "write CALL (..) { .. }")
    if node.optional and not table.columns and not table.open:
        state.report("G122", "OPTIONAL CALL needs rows to begin with", node, "write CALL")
    first = _first_operator(node.body)
    if isinstance(first, ir.Use):
        state.report("G122", "The query of a CALL works on the graph around it", first.graph, "leave GRAPH out")
        return OPEN
    imported = _imported(state, node, step, table)
    reserved = frozenset(imported.columns)
    outer = Scope(imported, reserved=reserved)
    frame = Frame(step.graph, outer, reserved, step.frame.common, True)
    made = resolve_body(state, node.body, frame)
    for column in made:
        if column.name in table and column.name.lower() not in reserved:
            told = f"`{column.name}` is already there, and the query of CALL gives a column of that name"
            state.report("G102", told, braces, "give it another name with AS")
    return replace(table.with_(made), open=table.open or made.open)


def _imported(state: Analysis, node: ir.SubqueryCall, step: _Step, table: Table) -> Table:
    imported = EMPTY
    place = step.place(table, "CALL")
    for name in node.imports or ():
        at = state.text.find(name, span_of(node).start)
        ref = ir.Ref(name, span=Span(at, at + len(name)) if at >= 0 else node.span)
        column = expressions.find(state, ref, place)
        imported = imported.with_([column or Column(name, UNKNOWN)])
    return replace(imported, open=node.star or (table.open and not node.imports))


def _braces(state: Analysis, node: ir.SubqueryCall) -> Span:
    span = span_of(node)
    at = state.text.find("{", span.start, span.end)
    return Span(at, at + 1) if at >= 0 else span


# ------------------------------------------------------------------ composition


def _set_operation(state: Analysis, body: ir.SetOperation, frame: Frame, table: Table) -> Table:
    found = [resolve_body(state, branch, frame, table) for branch in body.branches]
    operator = _operator_at(state, body, 0)
    kind = f"{body.kind.upper()} {'DISTINCT' if body.distinct else 'ALL'}"
    if any(isinstance(each, ir.Insert) for each in ir.walk(body)):
        state.report("G125", f"{kind} cannot join statements with INSERT", operator)
        return found[0]
    if isinstance(body.branches[0], ir.SetOperation):
        state.report("G125", f"{kind} follows another set operation", operator, "put one of them in front of NEXT")
        return found[0]
    first = found[0]
    if any(each.open for each in found):
        return OPEN
    if body.columns not in ("name", "position"):
        return _propagated(body.columns, found)
    for other in found[1:]:
        if other.columns.keys() != first.columns.keys():
            one, two = (", ".join(f"`{column.name}`" for column in each) or "none" for each in (first, other))
            state.report(
                "G107",
                f"The branches of {kind} give different columns: {one} and {two}",
                operator,
                "use AS to give the columns of every branch the same names",
            )
            return first
    columns = [_joined(state, column, found, kind, operator) for column in first]
    return Table({column.name.lower(): column for column in columns})


def _propagated(mode: str, found: Sequence[Table]) -> Table:
    """The columns of a set operation that fills in those which a branch does not have."""
    if mode == "left":
        return found[0]
    if mode == "inner":
        return Table(
            {key: column for key, column in found[0].columns.items() if all(key in other.columns for other in found)}
        )
    return Table({key: column for each in reversed(found) for key, column in each.columns.items()})


def _joined(state: Analysis, column: Column, found: Sequence[Table], kind: str, operator: Span) -> Column:
    of = [each.columns[column.name.lower()] for each in found]
    common = supertype([Typed(each.type, each.constant) for each in of])
    if common is None:
        shown = ", ".join(dict.fromkeys(str(each.type) for each in of))
        state.report("G301", f"Column `{column.name}` of {kind} is of types without one in common: {shown}", operator)
        return Column(column.name, UNKNOWN)
    struct = common.kind == "STRUCT" and not state.has("GROUP_BY_STRUCT")
    array = common.kind == "ARRAY" and not state.has("GROUP_BY_ARRAY")
    json = not is_groupable(common) and not (common.kind == "JSON" and state.has("JSON_ORDERING"))
    if kind != "UNION ALL" and (struct or array or json):
        state.report("G341", f"{kind} cannot compare column `{column.name}`, which is {common}", operator)
    return Column(column.name, common, at=column.at)


def _operator_at(state: Analysis, body: ir.SetOperation, branch: int) -> Span:
    """The word behind a branch."""
    return name_at(state.text, skip(state.text, span_of(body.branches[branch]).end))


# ------------------------------------------------------------------ subqueries


def resolve_subquery(state: Analysis, node: ir.Subquery, place: Place) -> Typed:
    """EXISTS, VALUE, ARRAY and `IN { .. }`."""
    body = node.body
    if is_sql(body):
        from graphir.passes.google.selects import resolve_expression
        from graphir.passes.google.tables import Around

        return resolve_expression(state, node, Around(place.scope, place.graph, place.common))
    if not isinstance(body, (ir.Pipeline, ir.SetOperation, ir.Next)):
        return Typed(BOOL) if node.kind == "exists" else ANYTHING
    first = _first_operator(body)
    if first is not None and not isinstance(first, (ir.Use, ir.Match)) and _has_result(body):
        state.report(
            "G122",
            "A query without a graph of its own begins with MATCH",
            first,
            "write GRAPH and the name of the graph in front of it",
        )
        return Typed(BOOL) if node.kind == "exists" else ANYTHING
    made = resolve_body(state, body, Frame(place.graph, place.scope, common=place.common, inner=True))
    if not state.has("EXPOSE_GRAPH_ELEMENT"):
        check_final(state, made)
    if node.kind in ("exists", "count"):
        return Typed(BOOL if node.kind == "exists" else INT64)
    if made.open:
        return ANYTHING
    if len(made.columns) != 1:
        at = body if state.text[span_of(node).start :][:5].upper() not in ("VALUE", "ARRAY") else node
        what = {"value": "VALUE", "collect": "ARRAY or IN"}.get(node.kind, node.kind.upper())
        state.report("G344", f"The query of {what} gives one column, and this gives {len(made.columns)}", at)
        return ANYTHING
    column = next(iter(made))
    if node.kind == "value":
        return Typed(column.type)
    return Typed(array_of(column.type) if column.type.kind != "UNKNOWN" else UNKNOWN)


def _has_result(body: ir.Body) -> bool:
    """Whether it ends in RETURN; only EXISTS may go without."""
    return not isinstance(body, ir.Pipeline) or isinstance(body.operators[-1], ir.Project)


def _first_operator(body: ir.Body) -> ir.Operator | None:
    """The first clause of a body."""
    while True:
        if isinstance(body, ir.Next):
            body = body.parts[0]
        elif isinstance(body, ir.SetOperation):
            body = body.branches[0]
        elif isinstance(body, ir.Pipeline):
            return body.operators[0] if body.operators else None
        else:
            return None


def _insert(state: Analysis, node: ir.Insert, step: _Step, table: Table) -> Table:
    if step.frame.inner:
        state.report("G346", "INSERT is a statement of its own", node)
    return insert(state, node, step.graph, step.place(table, "INSERT"), table)


RULES: dict[type, Any] = {
    ir.Insert: _insert,
    ir.Match: _match,
    ir.Filter: _filter,
    ir.Let: _let,
    ir.Unwind: _for,
    ir.Order: _order,
    ir.Page: _page,
    ir.Sample: _sample,
    ir.Project: _project,
    ir.ProcedureCall: _procedure,
    ir.SubqueryCall: _subquery_call,
}
"""Operator -> the working table after it."""
