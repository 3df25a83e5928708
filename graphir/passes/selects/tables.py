"""What stands behind FROM, as steps: graph queries and subqueries as calls, arrays as rows, joins as what they keep."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from graphir import ir
from graphir.ir import (
    Apply,
    Body,
    DerivedTable,
    Expression,
    Filter,
    GraphTable,
    Item,
    Join,
    Let,
    Literal,
    Node,
    Operator,
    Pipeline,
    Project,
    Property,
    Ref,
    SubqueryCall,
    TableExpression,
    TableName,
    TableOperation,
    UnnestTable,
    Unwind,
)
from graphir.ir.names import is_generated
from graphir.passes.gql.spelling import fold_variables
from graphir.passes.names import Maker, mentioned, names_in
from graphir.passes.scope import analyze
from graphir.passes.selects.elements import Elements, Shapes
from graphir.passes.selects.hops import is_plain
from graphir.passes.selects.recursions import Recursion
from graphir.passes.selects.scopes import Column, Common, NoGraphQuery, Origin, Scope, Table
from graphir.passes.steps import Step

OPERATIONS = {
    "tablesample": "TABLESAMPLE",
    "pivot": "PIVOT",
    "unpivot": "UNPIVOT",
    "match_recognize": "MATCH_RECOGNIZE",
    "call": "a table function",
    "json_table": "JSON_TABLE",
    "offset": "WITH OFFSET of a path",
}


class Tables(ABC):
    """The part of the lowering that knows tables."""

    maker: Maker
    dialect: str
    is_one_graph: bool
    has_recursion: bool
    shapes: Shapes
    origins: dict[str, tuple[Origin, ...]]
    """Variables of columns -> the ways in which each is made of a node; columns that are not are not listed."""
    room: int
    """How many nodes of common tables may still be written out."""

    @abstractmethod
    def body(self, body: Body, outer: Scope) -> Step: ...

    @abstractmethod
    def resolve(self, node: Node, scope: Scope, aliases: Mapping[str, Expression] | None = None) -> Step: ...

    def table(self, table: TableExpression, scope: Scope) -> Step:
        """The steps that make the rows of a table; its columns are added to the scope."""
        match table:
            case GraphTable():
                return self.graph_table(table, scope)
            case DerivedTable():
                return self.derived_table(table.body, table, scope, scope if table.lateral else scope.outer)
            case TableName():
                return self.named_table(table, scope)
            case UnnestTable():
                return self.unnest(table.source, table.alias, table.offset, scope, table)
            case Join():
                return self.join(table, scope)
        assert isinstance(table, TableOperation)
        if table.value is not None and table.type is not None and table.type.name == "STRING":
            return self.elements(table.value, table, scope)
        raise NoGraphQuery(f"{OPERATIONS.get(table.kind, table.kind)} has no counterpart in graph queries", table.span)

    # -------------------------------------------------------------- graphs

    def graph_table(self, table: GraphTable, scope: Scope) -> Step:
        if table.moment is not None:
            told = f"AS OF {table.moment.kind.upper()} asks an earlier state of the graph, which no graph query can"
            raise NoGraphQuery(told, table.moment.span)
        within = Scope(scope)
        body: Body = table.body
        if table.open:
            assert isinstance(body, Pipeline)
            body = replace(body, operators=(*body.operators, Project((), True, True, span=table.span)))
        elements = self.shapes.elements(body)
        unknown = table.open and elements.spread and not elements.are_known
        if unknown:
            body = _without_columns(body)
        body = yield self.resolve(body, within)
        if not self.is_one_graph:
            body = _on_graph(table.graph, body)
        body, shown = _returning(body, self.maker, elements)
        free = within.free()
        scope.reads |= free
        columns = [Column(name, self.maker.make("c")) for name, _ in shown]
        variables = {name: column.variable for (_, name), column in zip(shown, columns, strict=True)}
        self.origins |= {variables[name]: (origin,) for name, origin in _origins(body, elements) if name in variables}
        scope.tables.append(Table(table.alias, _named_anew(columns, table), is_unknown=unknown))
        return [SubqueryCall(_under(body, variables, free), tuple(sorted(free)), span=table.span)]

    # -------------------------------------------------------------- tables

    def derived_table(
        self, body: Body, around: DerivedTable | TableName, scope: Scope, outer: Scope | None, alias: str | None = None
    ) -> Step:
        made: Any = yield self.body(body, Scope(outer))
        scope.reads |= made.free
        variables = [column.variable for column in made.columns]
        columns = [Column(column.name, column.variable) for column in made.columns]
        scope.tables.append(Table(around.alias or alias, _named_anew(columns, around)))
        assert len(set(variables)) == len(variables)
        inline = _inlined(made.body) if made.free else None
        if inline is not None:
            return inline
        return [SubqueryCall(made.body, tuple(sorted(made.free)), span=around.span)]

    def named_table(self, table: TableName, scope: Scope) -> Step:
        """A common table, written out where it is named, or an array of a row: `t.list`."""
        first, *keys = table.name
        common = None if keys else scope.find_common(first)
        if common is not None:
            common.uses += 1
            if common.uses > 1 and any(map(_varies, ir.walk(common.body))):
                raise NoGraphQuery(f"`{first}` has values that would be drawn anew where it is named again", table.span)
            self.room -= sum(1 for _ in ir.walk(common.body))
            if self.room < 0:
                told = "its common tables, written out where they are named, would be many times as long as the query"
                raise NoGraphQuery(told, table.span)
            if common.recursive:
                return self.recursive_table(common, table, scope)
            named = table if table.columns else replace(table, columns=common.columns)
            return self.derived_table(common.body, named, scope, common.scope, first)
        known = scope.find(Ref(first)) is not None or scope.table(first) is not None or first in scope.reads
        if not keys or not known:
            raise NoGraphQuery(f"the table `{'.'.join(table.name)}` is no part of a graph", table.span)
        source: Expression = Ref(first, span=table.span)
        for key in keys:
            source = Property(source, key, span=table.span)
        return self.unnest(source, table.alias or keys[-1], None, scope, table)

    def recursive_table(self, common: Common, table: TableName, scope: Scope) -> Step:
        """What a common table that names itself reaches."""
        self.has_recursion = True
        operators, columns, free = yield Recursion(self, common, table, scope.asked).lowered()
        scope.reads |= free
        scope.tables.append(Table(table.alias or table.name[0], _named_anew(columns, table)))
        return operators

    def unnest(
        self, source: Expression, alias: str | None, offset: str | None, scope: Scope, around: TableExpression
    ) -> Step:
        resolved = yield self.resolve(source, scope)
        if isinstance(around, UnnestTable) and (around.columns or around.ordinality):
            return self.numbered(resolved, around, scope)
        columns = [Column(alias, self.maker.make("u"))]
        if offset is not None:
            columns.append(Column(offset, self.maker.make("o")))
        scope.tables.append(Table(alias, columns, is_value=True))
        place = columns[1].variable if offset is not None else None
        return [Unwind(resolved, columns[0].variable, None, place, span=around.span)]

    def elements(self, source: Expression, table: TableOperation, scope: Scope) -> Step:
        """The elements of a JSON array as texts, and their places."""
        resolved = yield self.resolve(source, scope)
        columns = [Column(name, self.maker.make(hint)) for name, hint in zip(table.names, "uo", strict=False)]
        scope.tables.append(Table(table.alias, columns))
        place = columns[1].variable if len(columns) > 1 else None
        return [Unwind(Apply("json_items", (resolved,), span=table.span), columns[0].variable, place, span=table.span)]

    def numbered(self, source: Expression, table: UnnestTable, scope: Scope) -> list[Operator]:
        """The elements of a list as a table with names for its columns, the last of which may be their place."""
        given = [*table.columns, *[None] * 2]
        made = [Column(given[0] or table.alias or "unnest", self.maker.make("u"))]
        if table.ordinality:
            made.append(Column(given[1] or "ordinality", self.maker.make("o")))
        if len(table.columns) > len(made):
            raise NoGraphQuery("there are more names behind the alias than columns", table.span)
        scope.tables.append(Table(table.alias, made))
        place = made[1].variable if table.ordinality else None
        return [Unwind(source, made[0].variable, place, span=table.span)]

    # -------------------------------------------------------------- joins

    def join(self, join: Join, scope: Scope) -> Step:
        if join.kind == "full":
            raise NoGraphQuery("FULL JOIN has no counterpart in graph queries", join.span)
        if join.kind == "right":
            kept, other = join.right, join.left
        else:
            kept, other = join.left, join.right
        before = len(scope.tables)
        operators: list[Operator] = yield self.table(kept, scope)
        middle = len(scope.tables)
        outer = {*scope.variables()}
        others: list[Operator] = yield self.table(other, scope)
        ours, theirs = scope.tables[before:middle], scope.tables[middle:]
        condition, merged = yield self.condition(join, scope, ours, theirs)
        if join.kind == "right":
            scope.tables[before:] = [*theirs, *ours]
        if join.kind in ("left", "right"):
            others = [self.optional(spliced(others, scope.taken()), condition, theirs, outer, join)]
        elif condition is not None:
            others = [*others, Filter(condition, span=condition.span)]
        if merged:
            scope.merge(merged, before)
        return [*operators, *others]

    def condition(self, join: Join, scope: Scope, ours: list[Table], theirs: list[Table]) -> Step:
        """What ON or USING says, and the columns that USING merges."""
        if join.natural:
            join = replace(join, using=_shared(ours, theirs))
        if join.using is None:
            return (None if join.on is None else (yield self.resolve(join.on, scope))), []
        tests: list[Expression] = []
        merged: list[tuple[str, str]] = []
        for name in join.using:
            both = [
                Table(None, [each for table in tables for each in table.columns if not each.hidden]).find(name)
                for tables in (ours, theirs)
            ]
            if both[0] is None or both[1] is None:
                raise NoGraphQuery(f"USING names `{name}`, which not both tables have", join.span)
            sides = tuple([Ref(each.variable, span=join.span) for each in both if each is not None])
            scope.reads |= {side.name for side in sides}
            tests.append(Apply("eq", sides, span=join.span))
            merged.append((name, sides[0].name))
        return (tests[0] if len(tests) == 1 else Apply("and", tuple(tests), span=join.span)), merged

    def optional(
        self, steps: list[Operator], condition: Expression | None, tables: list[Table], outer: set[str], join: Join
    ) -> SubqueryCall:
        """The rows of the other table that fit, or one of nulls."""
        if condition is not None:
            steps = [*steps, Filter(condition, span=condition.span)]
        variables = list(dict.fromkeys([column.variable for table in tables for column in table.columns]))
        items = tuple([Item(Ref(name, span=join.span), name, span=join.span) for name in variables])
        for name in variables:
            self.origins.pop(name, None)
        body = Pipeline((*steps, Project(items, True, span=join.span)), span=join.span)
        imported = {name for step in steps if isinstance(step, SubqueryCall) for name in step.imports or ()}
        imported -= {name for name in _bound(steps) if is_generated(name)}
        reads = (imported | (set(mentioned(body)) & outer)) - set(variables)
        return SubqueryCall(body, tuple(sorted(reads)), optional=True, span=join.span)


def _inlined(body: Body) -> list[Operator] | None:
    """The steps of a body that makes rows of each row around; None where it does more, or has names of its own."""
    if not isinstance(body, Pipeline):
        return None
    *steps, last = body.operators
    if not isinstance(last, Project) or not is_plain(last) or not all(isinstance(each, _WALKING) for each in steps):
        return None
    if any(isinstance(each, ir.Match) and each.optional for each in steps):
        return None
    if not all(map(is_generated, _bound([*steps, last]))):
        return None
    return [*steps, Let(last.items, span=last.span)]


_WALKING = (ir.Match, Let, Filter)


def _bound(steps: list[Operator]) -> set[str]:
    """The names that are bound anywhere in the steps."""
    nodes = [node for step in steps for node in ir.walk(step) if not isinstance(node, SubqueryCall)]
    return {name for node in nodes for name in names_in(node)}


def _varies(node: Node) -> bool:
    """Whether a function gives another value each time."""
    name = node.name[-1] if isinstance(node, ir.Call) else node.function if isinstance(node, Apply) else ""
    return name.lower() in _VARYING


_VARYING = frozenset(
    ("rand", "random", "randomuuid", "gen_random_uuid", "generate_uuid", "uuid", "sys_guid", "nextval")
)
"""Canonical names and those of databases, in lower case."""


# ------------------------------------------------------------------ the columns of a graph query


def _without_columns(body: Body) -> Body:
    """A pattern that makes rows; their columns are not known."""
    assert isinstance(body, Pipeline)
    *steps, last = body.operators
    return replace(body, operators=(*steps, Project((Item(Literal(1, span=last.span), None),), True, span=last.span)))


def _named_anew(columns: list[Column], table: GraphTable | DerivedTable | TableName) -> list[Column]:
    """The columns under the names behind the alias, which may be fewer."""
    if len(table.columns) > len(columns):
        raise NoGraphQuery("there are more names behind the alias than columns", table.span)
    renamed = [replace(column, name=name) for column, name in zip(columns, table.columns, strict=False)]
    return [*renamed, *columns[len(renamed) :]]


def _shared(ours: list[Table], theirs: list[Table]) -> tuple[str, ...]:
    """The columns that both sides of a NATURAL JOIN have, in the order of the left one."""
    there = {(each.name or "").lower() for table in theirs for each in table.columns if not each.hidden}
    names = [each.name for table in ours for each in table.columns if each.name and not each.hidden]
    return tuple([name for name in names if name.lower() in there])


def _on_graph(graph: ir.GraphName, body: Body) -> Body:
    use = ir.Use(graph, span=graph.span)
    if isinstance(body, Pipeline):
        return replace(body, operators=(use, *body.operators))
    return Pipeline((use, SubqueryCall(body, span=body.span)), span=body.span)


def _returning(body: Body, maker: Maker, elements: Elements) -> tuple[Body, list[tuple[str | None, str]]]:
    """The body with a name for every column; and the columns in order: the name that is shown, and that it has."""
    scopes = analyze(ir.Query(body))

    def rule(origin: Node, node: Node) -> Node:
        if isinstance(node, Project) and isinstance(origin, Project) and node.final:
            return _written_out(node, list(scopes.before(origin)), elements)
        return node

    body = ir.transform(body, rule)
    if not isinstance(body, Pipeline):
        body = fold_variables(ir.Query(body)).body
    last = ir.last_pipeline(body)
    project = last.operators[-1] if last is not None and last.operators else None
    if not isinstance(project, Project) or not project.final:
        raise NoGraphQuery("the graph query returns nothing", body.span)
    if last is not body:
        names = list(analyze(ir.Query(body)).columns or ())
        return body, [(name, name) for name in names]
    named: list[Item] = []
    for item in project.items:
        taken = item.name is None or item.name in [each.name for each in named]
        named.append(replace(item, name=maker.make("c")) if taken else item)
    assert isinstance(body, Pipeline)
    body = replace(body, operators=(*body.operators[:-1], replace(project, items=tuple(named))))
    return body, [(item.name, each.name or "") for item, each in zip(project.items, named, strict=True)]


def _origins(body: Body, elements: Elements) -> Iterator[tuple[str, Origin]]:
    """The columns that are made of one node, by their names, and what they are."""
    operators = body.operators if isinstance(body, Pipeline) else ()
    if any(isinstance(node, ir.Match) and node.optional for node in operators):
        return
    last = operators[-1] if operators else None
    for item in last.items if isinstance(last, Project) else ():
        names = {node.name for node in ir.walk(item.value) if isinstance(node, Ref)}
        if len(names) != 1:
            continue
        (name,) = names
        pattern = elements.patterns.get(name.lower())
        if isinstance(pattern, ir.NodePattern) and item.name is not None:
            yield item.name, Origin(item.value, name, pattern.labels)


def _written_out(project: Project, names: list[str], elements: Elements) -> Project:
    """The projection without stars, in the order in which the variables were bound."""
    has_star = project.star or any(item.value == ir.Unpack() for item in project.items)
    everything = [Item(Ref(name, span=project.span), name, span=project.span) for name in names]
    if elements.spread and has_star:
        everything = [item for name in names for item in elements.columns(Ref(name, span=project.span))]
    taken = {item.name for item in project.items}
    items = [item for item in everything if elements.spread or item.name not in taken] if project.star else []
    for item in project.items:
        if not isinstance(item.value, ir.Unpack):
            items.append(item)
        elif item.value.value is None:
            items += everything
        else:
            items += elements.columns(item.value.value)
    return replace(project, items=tuple(items), star=False)


def _under(body: Body, variables: Mapping[str, str], free: frozenset[str]) -> Pipeline:
    """The body, returning its columns under other names."""
    last = body.operators[-1] if isinstance(body, Pipeline) else None
    if isinstance(body, Pipeline) and isinstance(last, Project):
        if not last.order and last.skip is None and last.limit is None and last.group_by is None:
            items = tuple([replace(item, name=variables[item.name or ""]) for item in last.items])
            return replace(body, operators=(*body.operators[:-1], replace(last, items=items)))
        steps: tuple[Operator, ...] = (*body.operators[:-1], replace(last, final=False))
    else:
        steps = (SubqueryCall(body, tuple(sorted(free)), span=body.span),)
    items = tuple([Item(Ref(name, span=body.span), given, span=body.span) for name, given in variables.items()])
    return Pipeline((*steps, Project(items, True, span=body.span)), span=body.span)


def spliced(operators: list[Operator], taken: frozenset[str]) -> list[Operator]:
    """The steps without the call that they begin with: what it returns is all there is.

    `taken` are the variables of graph queries around, in lower case: no pattern of the call may have one of them.
    """
    first = operators[0] if operators else None
    if not isinstance(first, SubqueryCall) or first.optional or not isinstance(first.body, Pipeline):
        return operators
    *steps, last = first.body.operators
    if not isinstance(last, Project) or not last.final:
        return operators
    if taken and any(name.lower() in taken for step in steps for node in ir.walk(step) for name in names_in(node)):
        return operators
    return [*steps, replace(last, final=False), *operators[1:]]
