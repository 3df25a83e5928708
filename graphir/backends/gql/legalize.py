"""Core IR into IR that `graphir.backends.gql.printer` prints word for word for GoogleSQL, or a refusal.

A query is parts, each of which goes on with the result of the one before, a part is one pipeline or a union of several.
Scopes go along the pipeline; every clause is rewritten in the scope it stands in.  The result is a pipeline in which
projections carry their order and page, functions are GoogleSQL's, sort keys say where nulls go without NULLS FIRST, and
relationship uniqueness is written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from graphir import ir
from graphir.backends.gql import aggregates, calls, subqueries
from graphir.backends.gql.columns import aliased, bounds, sort_keys, tail
from graphir.backends.gql.expressions import Scope, Typed, references
from graphir.backends.gql.folding import check_names
from graphir.backends.gql.lists import values as listed
from graphir.backends.gql.nodes import Unrepeated
from graphir.backends.gql.patterns import Patterns, conjunction, renamed
from graphir.backends.gql.records import IDENTITY, is_element
from graphir.backends.gql.results import COMPOSITE, Results, joined
from graphir.backends.gql.schematic import Schematic
from graphir.backends.gql.setting import Setting
from graphir.backends.gql.stages import is_plain, staged
from graphir.backends.gql.values import RECORDS, SCALARS, Kind, Value, comparable, type_of
from graphir.backends.gql.values import joined as joined_kinds
from graphir.ir.names import MARK, generated
from graphir.ir.node import replace

Values = dict[str, Value]


def legalize(query: ir.Query, setting: Setting) -> ir.Query:
    """The query as GoogleSQL's GQL can say it.  Raises `Unsupported`."""
    report = setting.report
    report.check(query)
    check_names(query, report, known=setting.graph is not None)
    if query.execution is not None:
        raise report.refusal("explain", query, query.execution.upper())
    parts = calls.parts(query.body, report)
    values: Values = {}
    bodies: list[ir.Body] = []
    for at, part in enumerate(parts, 1):
        told_apart = isinstance(part, ir.SetOperation) and part.distinct and has_elements(part)
        body, values = written(part, setting, values, shown=at == len(parts) and not told_apart)
        bodies.append(body)
        if told_apart and at == len(parts):  # rows are told apart by the elements, which are shown in a part after it
            columns = tuple([ir.Item(ir.Ref(name), name) for name in values])
            shown = ir.Pipeline((ir.Project(columns, final=True),))
            bodies.append(written(shown, setting, values, shown=True)[0])
    return replace(query, body=bodies[0] if len(bodies) == 1 else ir.Next(tuple(bodies)))


def has_elements(part: ir.SetOperation) -> bool:
    """Whether a column of a union is an element."""
    variables = {node.variable for node in ir.find(part, ir.NodePattern, ir.EdgePattern) if node.variable}
    finals = [node for node in ir.find(part, ir.Project) if node.final]
    return any(isinstance(i.value, ir.Ref) and i.value.name in variables for final in finals for i in final.items)


def written(part: ir.Body, setting: Setting, before: Values, *, shown: bool) -> tuple[ir.Body, Values]:
    """One part of a query, and what is known of its columns.  `shown`: they are the result."""
    report = setting.report
    if isinstance(part, ir.SetOperation) and part.kind != "union":
        raise report.refusal("set-operation", part, part.kind.upper())
    branches: list[tuple[list[ir.Operator], Clauses]] = []
    for branch in part.branches if isinstance(part, ir.SetOperation) else (part,):
        if not isinstance(branch, ir.Pipeline):
            raise report.refusal("set-operation", branch, "this part of a query")
        pipeline = staged(aggregates.sorted_collections(list(calls.inlined(branch.operators, report))))
        if not any(isinstance(operator, ir.Project) and operator.final for operator in pipeline):
            raise report.refusal("no-result", branch, "a query without RETURN")
        clauses = Clauses(setting, before)
        branches.append((clauses.rewritten(pipeline), clauses))
    values = united(part, [clauses.values for _, clauses in branches], setting)
    bodies = tuple([ir.Pipeline(tuple(clauses.finished(out, values, shown=shown))) for out, clauses in branches])
    if isinstance(part, ir.SetOperation):
        return replace(part, branches=bodies), values
    return bodies[0], values


def united(part: ir.Body, branches: list[Values], setting: Setting) -> Values:
    """What is known of the columns of a union.  Refuses those that cannot be of one type."""
    found = dict(branches[0])
    if len(branches) == 1:
        return found
    for name in found:
        known = [values[name] for values in branches if name in values]
        kinds = tuple([value.kind for value in known])
        value = joined(known)
        if value is None and set(kinds) <= SCALARS and comparable(kinds):
            value = Value(joined_kinds(kinds), any(each.nullable for each in known))
        if value is None or len(known) != len(branches):
            raise setting.report.refusal("unlike-types", part, f"a union with several types of `{name}`")
        if isinstance(part, ir.SetOperation) and part.distinct:
            check(part, value, setting.report.refusal)
        found[name] = value
    return found


class Google(Schematic):
    """Translates subqueries into clauses of their own."""

    def subquery(self, node: ir.Subquery, _truth: bool) -> Typed:
        values = self.scope.values
        node = calls.within(node, values, self.report)
        kind, operators = subqueries.prepared(node, values, self.report)
        clauses = Clauses(self.setting, values, outer=values)
        if kind == "exists" and all(isinstance(operator, subqueries.ROWS) for operator in operators):
            body = clauses.clauses(operators)
            if len(body) > 1:
                body.append(ir.Project((ir.Item(ir.Literal(1), generated("one", 0)),), final=True))
            return ir.Subquery("exists", ir.Pipeline(tuple(body))), Value(Kind.BOOL, False)
        pipeline = staged(aggregates.sorted_collections(operators))
        body = clauses.rewritten(pipeline)
        (name, value), *more = list(clauses.values.items())
        if kind == "exists":
            body[-1] = clauses.tested(body[-1])
            return ir.Subquery("exists", ir.Pipeline(tuple(body))), Value(Kind.BOOL, False)
        if more:
            raise self.report.refusal("subquery", node, "a subquery with several columns")
        last = body[-1]
        assert isinstance(last, ir.Project)
        if kind == "count":
            return ir.Subquery("value", ir.Pipeline(tuple(body))), Value(Kind.INT, False)
        body[-1], value = clauses.held(last, name, value)
        made = ir.Subquery(kind, ir.Pipeline(tuple(body)))
        if kind == "value":
            return made, value
        if value.kind is Kind.LIST:
            raise self.report.refusal("list-operation", node, "a list of lists")
        return made, Value(Kind.LIST, False, value.tables, items=value.kind, item=value)

    def pattern_comprehension(self, node: ir.PatternComprehension, truth: bool) -> Typed:
        """A list of what the matches of a pattern give."""
        item = ir.Item(node.body, generated("each", 0), span=node.body.span)
        match = ir.Match((node.path,), node.where, span=node.span)
        body = ir.Pipeline((match, ir.Project((item,), final=True)))
        return self.subquery(ir.Subquery("collect", body, span=node.span), truth)

    handlers: ClassVar[dict[type[ir.Node], Callable[..., Typed]]] = {
        **Schematic.handlers,
        ir.PatternComprehension: pattern_comprehension,
    }


class Clauses:
    """Rewrites the clauses of one pipeline in order; `values` are the variables in scope, `outer` those of the query
    around it, which projections leave."""

    def __init__(self, setting: Setting, values: Mapping[str, Value], outer: Mapping[str, Value] | None = None) -> None:
        self.setting = setting
        self.report = setting.report
        self.values: Values = dict(values)
        self.outer = dict(outer or {})
        self.before: Values = {}
        """The variables in front of the last projection."""
        self.made = 0

    def translator(self) -> Google:
        return Google(Scope({**self.outer, **self.values}), self.setting)

    def fresh(self, word: str) -> str:
        self.made += 1
        return generated(word, self.made)

    # -------------------------------------------------------------- pipelines

    def rewritten(self, pipeline: list[ir.Operator]) -> list[ir.Operator]:
        """The clauses as they are printed, the last one a RETURN with its order and page; what its columns consist of
        is not written out yet."""
        final = next(at for at, o in enumerate(pipeline) if isinstance(o, ir.Project) and o.final)
        before, project, behind = pipeline[:final], pipeline[final], pipeline[final + 1 :]
        assert isinstance(project, ir.Project)
        out: list[ir.Operator] = []
        json = self.setting.options.elements == "json"
        if not is_plain(project) or (json and behind):
            out = self.clauses(before)
            before = []
            if any(self.is_composite(item.value) for item in project.items):
                self.put(out, [replace(project, final=False)])
                columns = tuple([ir.Item(ir.Ref(item.name or ""), item.name, span=item.span) for item in project.items])
                before, project, behind = behind, ir.Project(columns, final=True, span=project.span), []
        order, page = tail(behind)
        last = order is not None or page is not None
        if is_plain(project) and not last:
            order, page = tail(before[-2:])
            before = before[: len(before) - (order is not None) - (page is not None)]
        self.put(out, before)
        keys: tuple[ir.SortKey, ...] = ()
        if order is not None and not last:
            order, lets = self.unshadowed(order, project)
            out.extend(lets)
            keys = sort_keys(order.keys, self.translator())
        self.before = self.values
        returned = self.projection(project)[0]
        if order is not None and last:
            keys = sort_keys(order.keys, self.translator())
        keys = tuple([aliased(key, returned.items) for key in keys])
        skip, limit = bounds(page, self.report)
        return [*out, replace(returned, order=keys, skip=skip, limit=limit)]

    def is_composite(self, node: ir.Expression) -> bool:
        """Whether a column is not what the result shows of it."""
        if isinstance(node, ir.Ref):
            return self.values[node.name].kind in COMPOSITE
        if not (isinstance(node, ir.Apply) and node.function == "collect"):
            return False
        if not node.distinct and self.setting.options.elements != "json":
            return False
        collected = node.args[0].value if isinstance(node.args[0], ir.Modified) else node.args[0]
        return not isinstance(collected, ir.Property) and is_element(self.translator().value(collected)[1])

    def finished(self, out: list[ir.Operator], values: Values, *, shown: bool) -> list[ir.Operator]:
        """The same with a RETURN whose columns can be shown, or be gone on with."""
        last = out[-1]
        assert isinstance(last, ir.Project)
        if not shown:
            for item in last.items:
                if values[item.name or ""].kind in (Kind.PATH, Kind.EDGES):
                    raise self.report.refusal("element-value", item, "a path, or a list of relationships, as a column")
            return out
        names = [item.name or "" for item in last.items]
        translator = Google(Scope({**self.outer, **self.before}), self.setting)
        results = Results(translator, [*names, *self.before])
        columns = [self.typed(item, values[item.name or ""]) for item in last.items]
        items = [made for item in columns for made in results.shown(item, values[item.name or ""])]
        return [*out[:-1], replace(last, items=tuple(items))]

    def typed(self, item: ir.Item, value: Value) -> ir.Item:
        """A column that is always null with the type that it has in other branches of a union."""
        type = type_of(value)
        if self.values[item.name or ""].kind is not Kind.NULL or type is None:
            return item
        return replace(item, value=ir.Cast(ir.Literal(None), ir.ValueType(type)))

    def held(self, last: ir.Project, name: str, value: Value) -> tuple[ir.Project, Value]:
        """The projection of a subquery with its only column as a value."""
        if value.kind not in COMPOSITE or value.kind in RECORDS or value.kind is Kind.MAP:
            return last, value
        translator = Google(Scope({**self.outer, **self.before}), self.setting)
        expression, known = translator.held(last.items[0].value)
        return replace(last, items=(ir.Item(expression, name),)), known

    def tested(self, last: ir.Operator) -> ir.Project:
        """The projection of a subquery of which only whether it has rows counts."""
        assert isinstance(last, ir.Project)
        if is_plain(last):
            one = ir.Item(ir.Literal(1), generated("one", 0))
            return replace(last, items=(one,), order=())
        for item in last.items:
            if self.values[item.name or ""].kind in COMPOSITE:
                raise self.report.refusal("subquery", item, "a subquery with such a column")
        return last

    def clauses(self, operators: Iterable[ir.Operator]) -> list[ir.Operator]:
        """The clauses before the RETURN."""
        out: list[ir.Operator] = []
        self.put(out, operators)
        return out

    def put(self, out: list[ir.Operator], operators: Iterable[ir.Operator]) -> None:
        for operator in operators:
            if type(operator) not in self.handlers:
                raise self.report.refusal("subquery", operator, "a subquery inside of a subquery")
            for clause in self.handlers[type(operator)](self, operator):
                if out and isinstance(last := out[-1], ir.Unwind) and isinstance(clause, ir.Project):
                    # a WITH behind FOR is read as its WITH OFFSET
                    out[-1] = replace(last, offset=self.fresh("at"))
                out.append(clause)

    # -------------------------------------------------------------- clauses

    def match(self, operator: ir.Match) -> Iterable[ir.Operator]:
        operator, aliases = self.matchable(operator)
        patterns = Patterns(operator, {**self.outer, **self.values}, self.translator())
        rewritten = patterns.rewritten()
        self.values = {name: v for name, v in patterns.after.items() if name not in self.outer or name in self.values}
        behind = [self.translator().predicate(condition) for condition in patterns.outer]
        for alias in aliases:
            self.values.pop(alias, None)
        return [rewritten] if (condition := conjunction(behind)) is None else [rewritten, ir.Filter(condition)]

    def matchable(self, operator: ir.Match) -> tuple[ir.Match, list[str]]:
        """The MATCH with a variable of its own for each element that is a value, tied to it by its identity."""
        known = {name for name in subqueries.matched(operator) if name in self.values}
        names = {
            name: self.fresh(name.removeprefix(MARK)) for name in sorted(known) if self.values[name].kind in RECORDS
        }
        if not names:
            return operator, []
        paths = tuple([renamed(path, names) for path in operator.paths])
        ties: list[ir.Expression] = [
            ir.Apply("eq", (ir.Apply("elementId", (ir.Ref(made),)), ir.Apply("elementId", (ir.Ref(name),))))
            for name, made in names.items()
        ]
        where = conjunction([*ties, *([operator.where] if operator.where is not None else [])])
        return replace(operator, paths=paths, where=where), list(names.values())

    def filter(self, operator: ir.Filter) -> Iterable[ir.Operator]:
        return [ir.Filter(self.translator().predicate(operator.predicate))]

    def let(self, operator: ir.Let) -> Iterable[ir.Operator]:
        """One LET per column: a LET does not see its own columns."""
        out = []
        for item in operator.items:
            expression, value = self.translator().held(item.value)
            out.append(ir.Let((replace(item, value=expression),)))
            self.values[item.name or ""] = value
        return out

    def unwind(self, operator: ir.Unwind) -> Iterable[ir.Operator]:
        translator = self.translator()
        source, value = listed(translator, operator.source)
        if value.kind is Kind.NULL:
            source, value = ir.ListOf(()), Value(Kind.LIST, items=Kind.NULL)
        self.values[operator.variable] = value.member()
        offset = operator.offset
        if operator.ordinality is not None and offset is None:
            offset = self.fresh("offset")
        out: list[ir.Operator] = [replace(operator, source=source, ordinality=None, offset=offset)]
        if offset is not None:
            self.values[offset] = Value(Kind.INT, False)
        if operator.ordinality is not None:
            place = ir.Apply("add", (ir.Ref(offset or ""), ir.Literal(1)))
            out += self.let(ir.Let((ir.Item(place, operator.ordinality, span=operator.span),)))
        return out

    def order(self, operator: ir.Order) -> Iterable[ir.Operator]:
        keys = sort_keys(operator.keys, self.translator())
        return [ir.Order(keys)] if keys else []

    def page(self, operator: ir.Page) -> Iterable[ir.Operator]:
        return [ir.Page(*bounds(operator, self.report))]

    def project(self, operator: ir.Project) -> Iterable[ir.Operator]:
        project, repeated = self.projection(operator)
        lets = []
        for name, made in repeated.items():
            self.values[name] = self.values.pop(made)
            item = ir.Item(Unrepeated(made, self.fresh("item"), IDENTITY), name)
            lets.append(ir.Let((item,)))
        return [project, *lets]

    # -------------------------------------------------------------- projections

    def projection(self, project: ir.Project) -> tuple[ir.Project, dict[str, str]]:
        """The columns, translated; the scope is then theirs.  Columns with lists of elements that are to be without
        repetition, and are not yet, have the names in the second place."""
        translator = self.translator()
        keys = {key.name for key in project.group_by or () if isinstance(key, ir.Ref)}
        items: list[ir.Item] = []
        after: Values = {}
        repeated: dict[str, str] = {}
        for item in project.items:
            name = item.name or ""
            if project.group_by is None or item.name in keys:
                expression, value = self.column(translator, item, project)
                if project.distinct or project.group_by is not None:
                    check(item, value, self.report.refusal)
            else:
                expression, value = aggregates.aggregate(translator, item.value)
                if aggregates.is_repeated(item.value, value):
                    if project.final:
                        raise self.report.refusal("element-value", item, "collecting elements without repetition here")
                    repeated[name] = name = self.fresh(name.removeprefix(MARK))
            items.append(replace(item, value=expression, name=name))
            after[name] = value
            if project.group_by is not None and name.startswith("$"):  # a name of the engine's own, in GROUP BY
                raise self.report.refusal("construct", item, f"grouping by a column `{name}`")
        self.values = after
        return replace(project, items=tuple(items), group_by=project.group_by or None), repeated

    def column(self, translator: Google, item: ir.Item, project: ir.Project) -> Typed:
        """A column row by row: elements stay what they are, where they stand alone."""
        expression, value = translator.value(item.value)
        if value.kind in (Kind.PATH, Kind.EDGES) and not project.final:
            raise self.report.refusal("element-value", item, f"{value.kind.value} as a column")
        return expression, value

    def unshadowed(self, order: ir.Order, project: ir.Project) -> tuple[ir.Order, list[ir.Operator]]:
        """An order by the columns before RETURN, whose names RETURN may give to others: such a key gets a column."""
        json = self.setting.options.elements == "json"
        hidden = {
            i.name
            for i in project.items
            if not (isinstance(i.value, ir.Ref) and i.value.name == i.name) or (json and self.is_composite(i.value))
        }
        returned = [item.value for item in project.items]
        keys = []
        lets: list[ir.Operator] = []
        for key in order.keys:
            if key.value in returned or not references(key.value) & hidden:
                keys.append(key)
                continue
            name = self.fresh("key")
            lets.extend(self.let(ir.Let((ir.Item(key.value, name),))))
            keys.append(replace(key, value=ir.Ref(name)))
        return ir.Order(tuple(keys)), lets

    handlers: ClassVar[dict[type[ir.Operator], Callable[..., Iterable[ir.Operator]]]] = {
        ir.Match: match,
        ir.Filter: filter,
        ir.Let: let,
        ir.Unwind: unwind,
        ir.Order: order,
        ir.Page: page,
        ir.Project: project,
    }


def check(item: ir.Node, value: Value, refusal: Callable[..., Exception]) -> None:
    """Refuse a column by which the target cannot tell rows apart."""
    if value.kind in RECORDS or not value.groupable or value.kind in (Kind.LIST, Kind.MAP, Kind.PATH, Kind.EDGES):
        raise refusal("element-value", item, f"telling apart rows by {value.kind.value}")
