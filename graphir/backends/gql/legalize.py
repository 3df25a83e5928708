"""Core IR into IR that `graphir.backends.gql.printer` prints word for word for GoogleSQL, or a refusal.

Scopes go along the pipeline; every clause is rewritten in the scope it stands in.  The result is a pipeline in which
projections carry their order and page, functions are GoogleSQL's, sort keys say where nulls go without NULLS FIRST, and
relationship uniqueness is written out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import ClassVar

from graphir import ir
from graphir.backends.gql.columns import aggregate, aliased, bounds, check_column, check_key, sort_keys, tail, unwound
from graphir.backends.gql.expressions import Scope, Translator, Typed, references
from graphir.backends.gql.features import SUPPORTED, Report
from graphir.backends.gql.patterns import Patterns, conjunction
from graphir.backends.gql.stages import is_plain, staged
from graphir.backends.gql.subqueries import unfolded
from graphir.backends.gql.values import SCALARS, Kind, Value, comparable
from graphir.ir.names import generated
from graphir.source import Source


def legalize(query: ir.Query, dialect: str, source: Source) -> ir.Query:
    """The query as GoogleSQL's GQL can say it.  Raises `Unsupported`."""
    report = Report(source, dialect)
    bodies: list[ir.Body] = []
    columns: list[dict[str, Value]] = []
    for pipeline in branches(query, report):
        clauses = Clauses(report)
        bodies.append(ir.Pipeline(tuple(clauses.rewritten(pipeline))))
        columns.append(clauses.values)
    check_union(query, columns, report)
    union = query.body
    body = dataclasses.replace(union, branches=tuple(bodies)) if isinstance(union, ir.SetOperation) else bodies[0]
    return dataclasses.replace(query, body=body)


def branches(query: ir.Query, report: Report) -> list[list[ir.Operator]]:
    """The pipelines of a query or of the branches of a union, their projections put together, checked for what no
    clause can say."""
    report.check(query)
    check_names(query, report)
    if query.execution is not None:
        raise report.refusal("explain", query, query.execution.upper())
    body = query.body
    found = []
    for branch in body.branches if isinstance(body, ir.SetOperation) else (body,):
        if not isinstance(branch, ir.Pipeline):
            raise report.refusal("set-operation", branch, "a union of unions")
        check_collections(branch, report)
        pipeline = staged(branch.operators)
        if not any(isinstance(operator, ir.Project) and operator.final for operator in pipeline):
            raise report.refusal("no-result", branch, "a query without RETURN")
        found.append(pipeline)
    return found


def check_collections(pipeline: ir.Pipeline, report: Report) -> None:
    """Refuse lists that are collected from sorted rows."""
    order: ir.Operator | None = None
    for operator in pipeline.operators:
        if isinstance(operator, ir.Order):
            order = operator
        elif isinstance(operator, ir.Aggregate):
            for item in operator.aggregates:
                if order is not None and isinstance(item.value, ir.Apply) and item.value.function == "collect":
                    raise report.refusal("sorted-collection", item.value, "collect of sorted rows")
            order = None


def check_union(query: ir.Query, columns: list[dict[str, Value]], report: Report) -> None:
    """Refuse a union of columns that cannot be of one type."""
    for name in columns[0] if len(columns) > 1 else ():
        kinds = tuple([known[name].kind for known in columns if name in known])
        if len(kinds) != len(columns) or not set(kinds) <= SCALARS or not comparable(kinds):
            raise report.refusal("unlike-types", query, f"a union with several types of `{name}`")


def check_names(query: ir.Query, report: Report) -> None:
    """Refuse names that Cypher tells apart and the dialect does not."""
    if "folded-names" in SUPPORTED[report.target]:
        return
    seen: dict[tuple[str, str], str] = {}
    edges = {node.variable for node in ir.walk(query.body) if isinstance(node, ir.EdgePattern)}
    for node in ir.walk(query.body):
        for sort, name in given(node, edges):
            first = seen.setdefault((sort, name.casefold()), name)
            if first != name or not name:
                shown = f"the {sort} `{name}`" + (f" beside `{first}`" if name else "")
                raise report.refusal("folded-names", node, shown)


def given(node: ir.Node, edges: Collection[str | None]) -> Iterator[tuple[str, str]]:
    """The names of the graph that a node mentions, with what they name; `edges` are the variables of edges."""
    if isinstance(node, (ir.Property, ir.Entry)):
        yield "property", node.key
    elif isinstance(node, ir.Parameter):
        yield "parameter", node.name
    elif isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.HasLabels)) and node.labels is not None:
        base = node.base if isinstance(node, ir.HasLabels) else None
        is_type = isinstance(node, ir.EdgePattern) or (isinstance(base, ir.Ref) and base.name in edges)
        for label in ir.walk(node.labels):
            if isinstance(label, ir.LabelName):
                yield "type" if is_type else "label", label.name


class Nesting(Translator):
    """Translates subqueries into clauses of their own."""

    def subquery(self, node: ir.Subquery, _truth: bool) -> Typed:
        body = Clauses(self.report, self.scope.values).clauses(unfolded(node, self.scope.values, self.report))
        if node.kind == "count":
            body.append(ir.Project((ir.Item(ir.Apply("count_star"), generated("count", 0)),), final=True))
            return ir.Subquery("value", ir.Pipeline(tuple(body))), Value(Kind.INT, False)
        if len(body) > 1:
            body.append(ir.Project((ir.Item(ir.Literal(1), generated("one", 0)),), final=True))
        return ir.Subquery("exists", ir.Pipeline(tuple(body))), Value(Kind.BOOL, False)


class Clauses:
    """Rewrites the clauses of one pipeline in order; `values` are the variables in scope."""

    def __init__(self, report: Report, values: Mapping[str, Value] | None = None) -> None:
        self.report = report
        self.values: dict[str, Value] = dict(values or {})
        self.made = 0

    def rewritten(self, pipeline: list[ir.Operator]) -> Iterable[ir.Operator]:
        """The clauses as they are printed, the last one a RETURN with its order and page."""
        final = next(at for at, o in enumerate(pipeline) if isinstance(o, ir.Project) and o.final)
        before = pipeline[:final]
        project = pipeline[final]
        assert isinstance(project, ir.Project)
        order, page = tail(pipeline[final + 1 :])
        behind = order is not None or page is not None
        if is_plain(project) and not behind:
            order, page = tail(before[-2:])
            before = before[: len(before) - (order is not None) - (page is not None)]
        out = self.clauses(before)
        keys: tuple[ir.SortKey, ...] = ()
        if order is not None and not behind:
            order, lets = self.unshadowed(order, project)
            out.extend(lets)
            keys = sort_keys(order.keys, self.translator())
        returned = self.projection(project)
        if order is not None and behind:
            keys = sort_keys(order.keys, self.translator())
        keys = tuple([aliased(key, returned.items) for key in keys])
        skip, limit = bounds(page, self.report)
        return [*out, dataclasses.replace(returned, order=keys, skip=skip, limit=limit)]

    def clauses(self, operators: Iterable[ir.Operator]) -> list[ir.Operator]:
        """The clauses before the RETURN."""
        out: list[ir.Operator] = []
        for operator in operators:
            for clause in self.handlers[type(operator)](self, operator):
                if out and isinstance(last := out[-1], ir.Unwind) and isinstance(clause, ir.Project):
                    self.made += 1  # a WITH behind FOR is read as its WITH OFFSET
                    out[-1] = dataclasses.replace(last, offset=generated("at", self.made))
                out.append(clause)
        return out

    # -------------------------------------------------------------- clauses

    def match(self, operator: ir.Match) -> Iterable[ir.Operator]:
        patterns = Patterns(operator, self.values, self.translator())
        rewritten = patterns.rewritten()
        self.values = patterns.after
        behind = [self.translator().predicate(condition) for condition in patterns.outer]
        return [rewritten] if (condition := conjunction(behind)) is None else [rewritten, ir.Filter(condition)]

    def filter(self, operator: ir.Filter) -> Iterable[ir.Operator]:
        return [ir.Filter(self.translator().predicate(operator.predicate))]

    def let(self, operator: ir.Let) -> Iterable[ir.Operator]:
        """One LET per column: a LET does not see its own columns."""
        out = []
        for item in operator.items:
            expression, value = self.translator().scalar(item.value, "LET with this value")
            out.append(ir.Let((dataclasses.replace(item, value=expression),)))
            self.values[item.name or ""] = value
        return out

    def unwind(self, operator: ir.Unwind) -> Iterable[ir.Operator]:
        source, value = unwound(operator, self.translator(), self.report)
        self.values[operator.variable] = value
        return [dataclasses.replace(operator, source=source)]

    def order(self, operator: ir.Order) -> Iterable[ir.Operator]:
        keys = sort_keys(operator.keys, self.translator())
        return [ir.Order(keys)] if keys else []

    def page(self, operator: ir.Page) -> Iterable[ir.Operator]:
        return [ir.Page(*bounds(operator, self.report))]

    def project(self, operator: ir.Project) -> Iterable[ir.Operator]:
        return [self.projection(operator)]

    # -------------------------------------------------------------- projections

    def translator(self) -> Translator:
        return Nesting(Scope(self.values), self.report)

    def projection(self, project: ir.Project) -> ir.Project:
        """The columns, translated; the scope is then theirs."""
        translator = self.translator()
        keys = {key.name for key in project.group_by or () if isinstance(key, ir.Ref)}
        items = []
        after = {}
        for item in project.items:
            if project.group_by is None or item.name in keys:
                expression, value = translator.value(item.value)
                if project.distinct or project.group_by is not None:
                    check_key(item, value, self.report)
            else:
                expression, value = aggregate(translator, item.value, self.report)
            if project.final:
                check_column(item, value, self.report)
            items.append(dataclasses.replace(item, value=expression))
            after[item.name or ""] = value
        self.values = after
        return dataclasses.replace(project, items=tuple(items), group_by=project.group_by or None)

    def unshadowed(self, order: ir.Order, project: ir.Project) -> tuple[ir.Order, list[ir.Operator]]:
        """An order by the columns before RETURN, whose names RETURN may give to others: such a key gets a column."""
        hidden = {i.name for i in project.items if not (isinstance(i.value, ir.Ref) and i.value.name == i.name)}
        returned = [item.value for item in project.items]
        keys = []
        lets: list[ir.Operator] = []
        for key in order.keys:
            if key.value in returned or not references(key.value) & hidden:
                keys.append(key)
                continue
            self.made += 1
            name = generated("key", self.made)
            lets.extend(self.let(ir.Let((ir.Item(key.value, name),))))
            keys.append(dataclasses.replace(key, value=ir.Ref(name)))
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
