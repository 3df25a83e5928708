"""Core IR into one SELECT over GRAPH_TABLEs of Hyper, or a refusal.

The MATCHes up to a projection are one GRAPH_TABLE; a MATCH after it is another one, joined by the identities of the
elements they share.  Everything else is SQL: a projection is a SELECT, with its order and page, over what was before.
What it shares with the graph languages of GoogleSQL comes from `graphir.backends.gql`; how it spells things is data
(`targets.py`), and `tabular.py` has the expressions over a graph that is its tables.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import ClassVar

from graphir import ir
from graphir.backends.gql.columns import aggregate, aliased, bounds, sort_keys
from graphir.backends.gql.expressions import FALSE, Scope, Translator, Typed, call, references
from graphir.backends.gql.patterns import Patterns, asks_length, conjunction, conjuncts
from graphir.backends.gql.stages import is_plain
from graphir.backends.gql.values import ELEMENTS, GRAPHICAL, Kind, Value
from graphir.backends.sqlpgq import calls
from graphir.backends.sqlpgq.columns import check_column, check_key, unwound
from graphir.backends.sqlpgq.expansion import Absent
from graphir.backends.sqlpgq.graph import KINDS as TYPES
from graphir.backends.sqlpgq.queries import branches, check_union
from graphir.backends.sqlpgq.subqueries import unfolded
from graphir.backends.sqlpgq.tables import (
    ONE,
    Branches,
    Columns,
    Join,
    Matched,
    Nested,
    Select,
    Selected,
    Setting,
    Table,
    Union,
    Unnested,
    free,
    is_empty,
)
from graphir.backends.sqlpgq.tabular import Tabular
from graphir.ir.names import generated, is_generated
from graphir.ir.node import replace


def legalize(query: ir.Query, setting: Setting) -> tuple[Select | Union, dict[str, Value]]:
    """The query as SQL/PGQ can say it, and what is known of its columns.  Raises `Unsupported`."""
    report = setting.report
    selects: list[Select] = []
    columns: list[dict[str, Value]] = []
    if isinstance(query.body, ir.SetOperation):
        setting = dataclasses.replace(setting, expanded=False)
    for pipeline in branches(query, report):
        statement = Statement(setting)
        select = statement.built(pipeline)
        columns.append(statement.values)
        if columns[0].keys() == statement.values.keys():  # SQL goes by the place of a column, Cypher by its name
            select = chosen(select, list(columns[0]))
        selects.append(select)
    check_union(query, columns, report)
    if not isinstance(query.body, ir.SetOperation):
        return selects[0], columns[0]
    return Union(tuple(alike(query, selects, columns, setting)), query.body.distinct), columns[0]


def projected_next(pipeline: list[ir.Operator], at: int) -> bool:
    """Whether an order stands here for a projection row by row: it sorts the rows of that, not those of a subquery."""
    order, _, behind = taken(pipeline, at)
    following = pipeline[behind] if behind < len(pipeline) else None
    return order is not None and isinstance(following, ir.Project) and is_plain(following)


def chosen(select: Select, names: list[str]) -> Select:
    """The select with these columns in this order; DISTINCT is over all that it has."""
    named = {item.name: item for item in select.items}
    if not select.distinct or len(named) == len(names):
        dropped = {item.name: item.value for item in select.items if item.name not in names}

        def kept(part: ir.Node) -> ir.Node:
            return dropped.get(part.name, part) if isinstance(part, ir.Ref) else part

        order = tuple([ir.rewrite(key, kept, ir.Ref) for key in select.order])
        group = tuple(dict.fromkeys([ir.rewrite(key, kept, ir.Ref) for key in select.group_by]))
        return replace(select, items=tuple([named[name] for name in names]), order=order, group_by=group)
    inner = replace(select, order=(), skip=None, limit=None)
    items = tuple([ir.Item(ir.Ref(name), name) for name in names])
    return Select(items, inner, order=select.order, skip=select.skip, limit=select.limit)


def alike(query: ir.Query, selects: list[Select], columns: list[dict[str, Value]], setting: Setting) -> list[Select]:
    """The branches of a union with columns of one type each: nulls get the type of the others."""
    kinds: dict[str, Kind] = {}
    for name in columns[0]:
        found = {known[name].kind for known in columns} - {Kind.NULL}
        if len(found - {Kind.ANY}) > 1:
            raise setting.report.refusal("unlike-types", query, f"a union with several types of `{name}`")
        kinds[name] = found.pop() if found else Kind.NULL
    out = []
    for select, known in zip(selects, columns, strict=True):
        items = [
            replace(item, value=Absent(kind.name)) if value.kind is Kind.NULL and kind in KINDS else item
            for item, value, kind in [(item, known[item.name or ""], kinds[item.name or ""]) for item in select.items]
        ]
        out.append(replace(select, items=tuple(items)))
    return out


KINDS = frozenset(TYPES.values())
"""Kinds that a column may be declared with."""


class Rows(Scope):
    """The variables of a table: values are columns, and what elements are asked becomes one.

    `around` are the rows of the query around a subquery.
    """

    live = False

    def __init__(
        self, values: Mapping[str, Value], table: Table | None, around: Scope | None = None, wanted: str | None = None
    ) -> None:
        super().__init__({**(around.values if around else {}), **values})
        self.own = set(values)
        self.table = table
        self.around = around
        self.wanted = wanted

    def column(self, name: str) -> ir.Expression:
        if name not in self.own and self.around is not None:
            return self.around.column(name)
        assert self.table is not None
        return ir.Ref(self.table.column(ir.Ref(name)))

    def graph(self, name: str, expression: ir.Expression) -> ir.Expression:
        if name not in self.own and self.around is not None:
            return self.around.graph(name, expression)
        assert self.table is not None
        return ir.Ref(self.table.column(expression, self.wanted))


class Correlating(Tabular):
    """Translates subqueries as SELECTs, which stand outside of GRAPH_TABLE."""

    def __init__(self, scope: Scope, setting: Setting, columns: Columns) -> None:
        super().__init__(scope, setting.report)
        self.setting = setting
        self.columns = columns

    def spawn(self, scope: Scope) -> Translator:
        return type(self)(scope, self.setting, self.columns)

    def subquery(self, node: ir.Subquery, _truth: bool) -> Typed:
        """A SELECT that mentions columns of the rows around it."""
        if self.scope.live:
            raise self.report.refusal("subquery", node, f"{node.kind.upper()} {{ .. }} about edges of a list")
        inner = Statement(self.setting, self.columns, self.scope)
        for operator in unfolded(node, self.scope.values, self.report):
            inner.clauses[type(operator)](inner, operator)
        counted = ir.Item(ir.Apply("count_star"), generated("count", 0))
        item = counted if node.kind == "count" else ONE
        source = None if inner.table is None else inner.table.node()
        known = Value(Kind.INT if node.kind == "count" else Kind.BOOL, False)
        if source is not None and is_empty(source):
            return ir.Literal(0) if node.kind == "count" else FALSE, known
        return Nested(node.kind, Select((item,), source, conjunction(inner.where))), known


class Statement:
    """Builds the statement clause by clause: `table` is what FROM has so far, `where` the conditions on it."""

    def __init__(self, setting: Setting, columns: Columns | None = None, around: Scope | None = None) -> None:
        self.setting = setting
        self.report = setting.report
        self.around = around
        self.values: dict[str, Value] = {}
        self.columns = columns or Columns()
        self.table: Table | None = None
        self.where: list[ir.Expression] = []
        self.shown: dict[str, list[str]] = {}
        """Column of the result with an element -> the columns behind it with its properties."""

    def built(self, pipeline: list[ir.Operator]) -> Select:
        """The statement of a whole pipeline."""
        select = self.laid(pipeline).node()
        assert isinstance(select, Select)
        return select

    def laid(self, pipeline: list[ir.Operator]) -> Selected:
        """The table of a whole pipeline: every clause with the order and page that go with it."""
        at = 0
        while at < len(pipeline):
            order, page, at = taken(pipeline, at)
            operator = pipeline[at] if at < len(pipeline) else None
            before = order is not None or page is not None
            behind = any(isinstance(following, (ir.Order, ir.Page)) for following in pipeline[at + 1 : at + 2])
            if before and (behind or not (isinstance(operator, ir.Project) and is_plain(operator))):
                self.wrap(order, page)
                continue
            at += 1
            if not isinstance(operator, ir.Project):
                assert operator is not None
                self.clauses[type(operator)](self, operator)
                continue
            if not before and not projected_next(pipeline, at):
                order, page, at = taken(pipeline, at)
            self.project(operator, order, page, before=before)
        assert isinstance(self.table, Selected)
        return self.table

    def translator(self, wanted: str | None = None) -> Translator:
        return self.in_scope(Rows(self.values, self.table, self.around, wanted))

    def in_scope(self, scope: Scope) -> Translator:
        return Correlating(scope, self.setting, self.columns)

    # -------------------------------------------------------------- clauses

    def match(self, operator: ir.Match) -> None:
        before = {**(self.around.values if self.around else {}), **self.values}
        names = bound(operator)
        fused = isinstance(self.table, Matched) and not self.where and not operator.optional
        table = self.table if fused and isinstance(self.table, Matched) else Matched(self.columns, self.setting)
        patterns = Patterns(operator, before, self.in_scope(Scope({})), table.variables)
        rewritten = patterns.rewritten()
        table.paths.extend(rewritten.paths)
        table.conditions.extend(conjuncts(rewritten.where) if rewritten.where is not None else ())
        table.variables |= names
        join = None if fused else self.join(table, names, operator.optional)
        self.values = {name: v for name, v in patterns.after.items() if name in names or name in self.values}
        outer = [self.translator().predicate(condition) for condition in patterns.outer]
        (self.where if join is None else join.conditions).extend(outer)

    def join(self, table: Matched, names: set[str], optional: bool) -> Join | None:
        """Put a table beside what is there; None if that is nothing."""
        left = self.table
        if left is None and not optional:
            self.table = table
            return None
        if left is None:
            left = Selected(Select((ONE,), None), None, {}, self.columns)
        shared = names & self.values.keys()
        join = Join(left, table, names - shared, optional=optional)
        join.conditions.extend([self.same(name, left, table) for name in sorted(shared)])
        self.table = join
        return join

    def same(self, name: str, left: Table, right: Matched) -> ir.Expression:
        """The condition that two tables mean the same element."""
        identity = self.translator().identifying(name)
        return ir.Apply("eq", (ir.Ref(left.column(identity)), ir.Ref(right.column(identity))))

    def unwind(self, operator: ir.Unwind) -> None:
        source, value = unwound(operator, self.translator(), self.report)
        table = Unnested(source, operator.variable)
        self.columns.taken.add(operator.variable)
        self.table = table if self.table is None else Join(self.table, table, (operator.variable,))
        self.values[operator.variable] = value

    def call(self, operator: ir.SubqueryCall) -> None:
        """The rows of a body that stands for itself, beside what is there."""
        setting = dataclasses.replace(self.setting, entities=False, expanded=False)
        pipelines = calls.bodies(operator, self.values, self.report)
        inner = [Statement(setting, self.columns) for _ in pipelines]
        tables = [statement.laid(pipeline) for statement, pipeline in zip(inner, pipelines, strict=True)]
        known = [statement.values for statement in inner]
        table: Table = tables[0]
        if isinstance(operator.body, ir.SetOperation):
            values, distinct = calls.merged(operator, known, self.report), operator.body.distinct
            table = Branches(tables, known, self.setting, self.columns, distinct=distinct)
        else:
            values, distinct = known[0], False
        self.table = table if self.table is None else Join(self.table, table, values)
        self.values |= values
        for name in values if distinct else ():
            is_element = values[name].kind in ELEMENTS
            table.column(self.translator().identifying(name) if is_element else ir.Ref(name))

    def filter(self, operator: ir.Filter) -> None:
        around = self.around.values.keys() - self.values.keys() if self.around else set[str]()
        outer = bool(self.where) or bool(references(operator.predicate) & around)
        outer = outer or asks_length(operator.predicate, self.values)
        outer = outer or ir.holds(operator.predicate, ir.Subquery)
        if isinstance(self.table, Matched) and not outer:
            condition = self.in_scope(Scope(self.values)).predicate(operator.predicate)
            self.table.conditions.extend(conjuncts(condition))
        else:
            self.where.extend(conjuncts(self.translator().predicate(operator.predicate)))

    def let(self, operator: ir.Let) -> None:
        for item in operator.items:
            expression, value = self.translator().scalar(item.value, "LET with this value")
            self.wrap(None, None, ir.Item(expression, item.name))
            self.values[item.name or ""] = value

    def wrap(self, order: ir.Order | None, page: ir.Page | None, *items: ir.Item, renaming: bool = False) -> None:
        """What is there as a subquery with the same variables, sorted and cut, with further columns."""
        keys = () if order is None else sort_keys(order.keys, self.translator())
        skip, limit = bounds(page, self.report)
        select = Select(items, None, conjunction(self.where), order=keys, skip=skip, limit=limit)
        same = {name: name for name in self.values}
        self.table = Selected(select, self.table, same, self.columns, renaming=renaming)
        self.where = []

    # -------------------------------------------------------------- projections

    def project(self, project: ir.Project, order: ir.Order | None, page: ir.Page | None, *, before: bool) -> None:
        """A SELECT.  `before`: the order and page are those of the rows, not of the columns."""
        if (before or project.group_by is not None) and self.hides(project):
            self.wrap(None, None, renaming=True)
        keys = sort_keys(order.keys, self.translator()) if before and order is not None else ()
        items, elements, after = self.projected(project)
        grouping = {key.name for key in project.group_by or () if isinstance(key, ir.Ref)}
        grouping |= {shown for name, found in self.shown.items() if name in grouping for shown in found}
        group = tuple([ir.Ref(name) for name in (item.name or "" for item in items) if name in grouping])
        skip, limit = bounds(page, self.report)
        select = Select(tuple(items), None, conjunction(self.where), project.distinct, group, (), skip, limit)
        table = Selected(select, self.table, elements, self.columns, grouped=bool(grouping))
        self.columns.taken.update(item.name or "" for item in items)
        if project.distinct or project.group_by is not None:
            identifying = self.translator().identifying
            for name in [name for name, value in after.items() if value.kind in ELEMENTS]:
                table.column(identifying(name))
        self.table, self.where, self.values = table, [], after
        if not before and order is not None:
            keys = sort_keys(order.keys, self.translator())
        table.order = tuple([aliased(key, tuple(items)) for key in keys])

    def projected(self, project: ir.Project) -> tuple[list[ir.Item], dict[str, str], dict[str, Value]]:
        """The columns with a value, the elements by their new names, and what is known of both."""
        keys = {key.name for key in project.group_by or () if isinstance(key, ir.Ref)}
        items: list[ir.Item] = []
        elements: dict[str, str] = {}
        after: dict[str, Value] = {}
        for item in project.items:
            name = item.name or ""
            wanted = name if isinstance(item.value, ir.Property) and not is_generated(name) else None
            if project.group_by is None or name in keys:
                expression, value = self.translator(wanted).value(item.value)
                if project.distinct or project.group_by is not None:
                    check_key(item, value, self.report)
            else:
                expression, value = aggregate(self.translator(), item.value, self.report)
            after[name] = value
            if value.kind in GRAPHICAL and isinstance(expression, ir.Ref):
                elements[name] = expression.name
                if project.final and self.setting.expanded and value.kind in ELEMENTS:
                    self.expand(item, expression.name, value, items, after, project)
                    continue
                if project.final and self.setting.entities:
                    items.append(ir.Item(self.entity(expression.name, value), name, span=item.span))
                    continue
            if project.final:
                check_column(item, value, self.report)
            if value.kind in GRAPHICAL:
                continue
            if value.kind is Kind.LIST and project.final and self.setting.entities:
                expression = call("TEXT", expression)
            items.append(ir.Item(expression, name, span=item.span))
        return items, elements, after

    def expand(
        self,
        item: ir.Item,
        name: str,
        value: Value,
        items: list[ir.Item],
        after: dict[str, Value],
        project: ir.Project,
    ) -> None:
        """Add the columns for an element: its identity under its own name, and those of its properties that have one
        type wherever it may be."""
        translator, graph = self.translator(), self.setting.graph
        assert isinstance(translator, Tabular)
        column = item.name or ""
        items.append(ir.Item(translator.identity(ir.Ref(name)), column, span=item.span))
        tables = translator.tables_of(value)
        keys = dict.fromkeys(key for number in sorted(tables) for key in graph.tables[number].properties)
        taken = {each.name or "" for each in project.items} | after.keys()
        self.shown[column] = []
        for key in keys:
            found = graph.exposed(key, tables)
            if len(found) != 1 or found[0].kind is None:
                continue
            called = free(f"{column}_{key}", taken)
            asked = ir.Property(ir.Ref(name), key, span=item.span)
            read, known = translator.property_of(asked, ir.Ref(name), value)
            items.append(ir.Item(read, called, span=item.span))
            after[called] = known
            self.shown[column].append(called)
        listed = ", ".join([column, *self.shown[column]])
        told = f"`{column}`, a node or relationship, is shown as the columns {listed}"
        self.report.note("G553", item, told)

    def entity(self, name: str, value: Value) -> ir.Expression:
        """What stands for an element, a list of edges or a path in a result."""
        asked = {Kind.EDGES: "EDGES", Kind.PATH: "PATH"}.get(value.kind)
        translator = self.translator()
        if asked is None:
            return translator.identity(ir.Ref(name))
        return translator.scope.graph(name, call(asked, ir.Ref(name)))

    def hides(self, project: ir.Project) -> bool:
        """Whether a column gets the name of another one from before: GROUP BY and ORDER BY would take the wrong one."""
        given = {item.name for item in project.items if item.value != ir.Ref(item.name or "")}
        columns = [name for name, value in self.values.items() if value.kind not in GRAPHICAL]
        return not given.isdisjoint(columns)

    clauses: ClassVar[dict[type[ir.Operator], Callable[..., None]]] = {
        ir.Match: match,
        ir.Filter: filter,
        ir.Let: let,
        ir.SubqueryCall: call,
        ir.Unwind: unwind,
    }


def taken(pipeline: list[ir.Operator], at: int) -> tuple[ir.Order | None, ir.Page | None, int]:
    """An order and the page of it at that place, and the place behind them."""
    order: ir.Order | None = None
    page: ir.Page | None = None
    if at < len(pipeline) and isinstance(found := pipeline[at], ir.Order):
        order, at = found, at + 1
    if at < len(pipeline) and isinstance(found := pipeline[at], ir.Page):
        page, at = found, at + 1
    return order, page, at


def bound(match: ir.Match) -> set[str]:
    """The variables of the patterns."""
    names = {path.variable for path in match.paths}
    for path in match.paths:
        names |= {e.variable for e in path.elements if isinstance(e, (ir.NodePattern, ir.EdgePattern))}
    return {name for name in names if name is not None}
