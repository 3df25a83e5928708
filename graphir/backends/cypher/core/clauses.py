"""Clauses and bodies of GQL's core in Cypher's terms: pipelines, set operations, subqueries, writes.

Scopes go along the pipeline; every clause is translated in the scope it stands in.  Projections that core keeps apart
are put together, so that what was one RETURN is one again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from graphir import ir, types
from graphir.backends.cypher.core import kinds
from graphir.backends.cypher.core.aggregates import aggregate, order_of, simplified
from graphir.backends.cypher.core.casts import cast
from graphir.backends.cypher.core.folding import folded
from graphir.backends.cypher.core.functions import RULES
from graphir.backends.cypher.core.kinds import Environment
from graphir.backends.cypher.core.patterns import Patterns, bindings
from graphir.backends.cypher.core.sets import set_operation
from graphir.backends.cypher.core.stages import staged
from graphir.backends.cypher.core.terms import Terms, Tools, Typed, parsed
from graphir.functions import AGGREGATES
from graphir.ir import Apply, Expression, Item, Literal, Operator, Project, Ref
from graphir.types import ANY, BOOLEAN, INTEGER, LIST

Clauses = list[Operator]


class Bodies:
    """Translates whole bodies; one for a query."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        tools.functions = RULES
        tools.classes = {ir.Cast: cast, ir.Subquery: lambda terms, node: self.subquery(node, terms)}

    def query(self, query: ir.Query) -> ir.Query:
        body, _ = self.body(query.body, {}, frozenset())
        return dataclasses.replace(query, body=body)

    def body(
        self, body: ir.Body, env: Environment, present: frozenset[str], given: tuple[str, ...] = ()
    ) -> tuple[ir.Body, Environment]:
        """The body in Cypher's terms, and its columns; `given` are those of the part before, if there is one."""
        if isinstance(body, ir.Pipeline):
            pipeline = Pipelines(self, env, present)
            operators = pipeline.operators(body.operators)
            return dataclasses.replace(body, operators=tuple(operators)), pipeline.env
        if isinstance(body, ir.SetOperation):
            branches = [self.body(branch, env, present) for branch in body.branches]
            columns = branches[0][1]
            for _, others in branches[1:]:
                columns = {name: kind | others.get(name, ANY) for name, kind in columns.items()}
            made = dataclasses.replace(body, branches=tuple([branch for branch, _ in branches]))
            return set_operation(made, tuple(columns), self.tools, given=given), columns
        if isinstance(body, ir.Next):
            parts: list[ir.Body] = []
            columns = env
            for part in body.parts:
                made_part, columns = self.body(part, columns, frozenset(), tuple(columns) if parts else ())
                parts.append(made_part)
            return dataclasses.replace(body, parts=tuple(parts)), columns
        if isinstance(body, ir.Command):
            raise self.tools.report.refusal("command", body, body.kind.upper())
        raise self.tools.report.refusal("clause", body, "this kind of query")

    # -------------------------------------------------------------- subqueries in expressions

    def subquery(self, node: ir.Subquery, terms: Terms) -> Typed:
        """EXISTS, COUNT, VALUE and ARRAY, in the scope of the expression that they stand in."""
        outer = terms.env
        if isinstance(node.body, ir.Sql):
            raise self.tools.report.refusal("clause", node.body, "a query in SQL")
        body, columns = self.body(node.body, outer, terms.present)
        if node.kind == "exists":
            return Typed(dataclasses.replace(node, body=existing(body)), BOOLEAN)
        column = next(iter(columns.values()), ANY)
        if node.kind == "count":
            return Typed(dataclasses.replace(node, body=body), INTEGER)
        if node.kind == "collect":
            return Typed(dataclasses.replace(node, body=body), types.list_of(column))
        return Typed(self.single(node, body), column)

    def single(self, node: ir.Subquery, body: ir.Body) -> Expression:
        """VALUE: the one value of a body, null where it has none, an error where it has more."""
        counted = only_counts(body)
        if counted is not None:
            return ir.Subquery("count", counted, span=node.span)
        found = ir.Subquery("collect", body, span=node.span)
        if at_most_one(body):
            return Apply("head", (found,), span=node.span)
        name = self.tools.maker.make("rows")
        test = parsed("CASE WHEN size(rows) > 1 THEN 1 / 0 ELSE head(rows) END")
        test = ir.rewrite(test, lambda x: Ref(name) if x == Ref("rows") else x)
        made = ir.ListComprehension(name, ir.ListOf((found,)), None, test, span=node.span)
        return Apply("head", (made,), span=node.span)


def existing(body: ir.Body) -> ir.Body:
    """The body of EXISTS without a result that says nothing about whether there are rows."""
    if not isinstance(body, ir.Pipeline) or len(body.operators) < 2:
        return body
    *before, last = body.operators
    is_plain = isinstance(last, Project) and last.final and last.skip is None and last.limit is None
    if not is_plain or not isinstance(last, Project) or any(aggregates(item.value) for item in last.items):
        return body
    if not isinstance(before[-1], (ir.Match, ir.Filter)) or not all(
        isinstance(x, (ir.Match, ir.Filter)) for x in before
    ):
        return body
    return dataclasses.replace(body, operators=tuple(before))


def aggregates(node: ir.Node) -> bool:
    """Whether an expression has an aggregate, outside of subqueries."""
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, Apply) and part.function in AGGREGATES:
            return True
        if not isinstance(part, ir.Subquery):
            pending.extend(ir.children(part))
    return False


def only_counts(body: ir.Body) -> ir.Body | None:
    """What `RETURN count(*)` alone counts: a body of MATCH clauses, optional ones apart."""
    if not isinstance(body, ir.Pipeline) or len(body.operators) < 2:
        return None
    *before, last = body.operators
    if not isinstance(last, Project) or last != Project((Item(Apply("count_star"), last.items[0].name),), final=True):
        return None
    plain = all(isinstance(x, (ir.Match, ir.Filter)) for x in before)
    return dataclasses.replace(body, operators=tuple(before)) if plain else None


def at_most_one(body: ir.Body) -> bool:
    """Whether a body has one row at the most."""
    last = body.operators[-1] if isinstance(body, ir.Pipeline) and body.operators else None
    if not isinstance(last, Project):
        return False
    if last.limit in (Literal(0), Literal(1)):
        return True
    return bool(last.items) and last.group_by is None and all(_only_aggregates(item.value) for item in last.items)


def _only_aggregates(node: Expression) -> bool:
    """Whether an expression is made of aggregates and constants, so that it has one group."""
    pending: list[ir.Node] = [node]
    if not aggregates(node):
        return False
    while pending:
        part = pending.pop()
        if isinstance(part, Apply) and part.function in AGGREGATES:
            continue
        if isinstance(part, (Ref, ir.Subquery)):
            return False
        pending.extend(ir.children(part))
    return True


class Pipelines:
    """Translates the clauses of one pipeline in order; `env` are the variables in scope."""

    def __init__(self, bodies: Bodies, env: Environment, present: frozenset[str]) -> None:
        self.bodies = bodies
        self.tools = bodies.tools
        self.env: Environment = dict(env)
        self.outer = dict(env)
        self.present = present

    def operators(self, operators: Iterable[Operator]) -> Clauses:
        """The clauses of the pipeline, in order."""
        out: Clauses = []
        for operator in staged(operators):
            handler = self.handlers.get(type(operator))
            if handler is None:
                raise self.tools.report.refusal("clause", operator, f"`{type(operator).op}`")
            out += handler(self, operator)
        return out

    def terms(self) -> Terms:
        return Terms(self.tools, self.env, self.present)

    # -------------------------------------------------------------- reading

    def match(self, operator: ir.Match) -> Clauses:
        """A pattern; what it binds is there, unless the whole is optional."""
        before = dict(self.env)
        found = bindings(operator.paths)
        self.env.update(found)
        if not operator.optional:
            self.present = self.present | {name for name, kind in found.items() if kinds.is_only(kind, _ELEMENT)}
        else:
            self.present = self.present - (found.keys() - before.keys())
        return Patterns(operator, self.terms(), before).clauses()

    def filter(self, operator: ir.Filter) -> Clauses:
        return [dataclasses.replace(operator, predicate=self.terms().expression(operator.predicate))]

    def let(self, operator: ir.Let) -> Clauses:
        """New columns; none of them reads another."""
        items = []
        terms = self.terms()
        for item in operator.items:
            value, self.env[item.name or ""] = terms.value(item.value)
            items.append(dataclasses.replace(item, value=value))
        return [dataclasses.replace(operator, items=tuple(items))]

    def unwind(self, operator: ir.Unwind) -> Clauses:
        """The elements; with their places, the places are unwound and the elements looked up."""
        source, kind = self.terms().value(operator.source)
        element = types.element_of(kind & LIST)
        position = operator.offset or operator.ordinality
        self.present = self.present - {operator.variable}
        if position is None:
            self.env[operator.variable] = element
            return [dataclasses.replace(operator, source=source)]
        out: Clauses = []
        if not isinstance(source, (Ref, ir.Property, ir.Parameter)):
            name = self.tools.maker.make("list")
            out.append(ir.Let((Item(source, name),), span=operator.span))
            source = Ref(name)
        first = Literal(0 if operator.offset else 1)
        size: Expression = Apply("coalesce", (Apply("size", (source,)), Literal(0)))
        last = Apply("sub", (size, Literal(1))) if operator.offset else size
        place: Expression = Ref(position) if operator.offset else Apply("sub", (Ref(position), Literal(1)))
        self.env[position] = INTEGER
        self.env[operator.variable] = element
        return [
            *out,
            ir.Unwind(Apply("range", (first, last)), position, span=operator.span),
            ir.Let((Item(ir.Index(source, place), operator.variable),), span=operator.span),
        ]

    def order(self, operator: ir.Order) -> Clauses:
        keys = self.sort_keys(operator.keys)
        return [dataclasses.replace(operator, keys=keys)] if keys else []

    def sort_keys(self, keys: Sequence[ir.SortKey]) -> tuple[ir.SortKey, ...]:
        terms = self.terms()
        return tuple([dataclasses.replace(key, value=terms.expression(key.value)) for key in keys])

    def page(self, operator: ir.Page) -> Clauses:
        return [operator]

    def call(self, operator: ir.SubqueryCall) -> Clauses:
        """The body sees what it imports; a result of its own it always has in Cypher."""
        imports = tuple(operator.imports or ())
        inner = {name: self.env.get(name, ANY) for name in imports}
        body, columns = self.bodies.body(operator.body, inner, self.present & inner.keys())
        if isinstance(body, ir.Pipeline) and not _returns(body):
            names = [name for name in columns if name not in self.env]
            body = dataclasses.replace(body, operators=(*body.operators, _result(names, self.tools)))
            columns = {name: columns[name] for name in names}
        self.env.update(columns)
        self.present = self.present - columns.keys()
        return [dataclasses.replace(operator, body=body)]

    def procedure(self, operator: ir.ProcedureCall) -> Clauses:
        raise self.tools.report.refusal("clause", operator, f"CALL {'.'.join(operator.name)}()")

    # -------------------------------------------------------------- projections

    def project(self, operator: Project) -> Clauses:
        """A projection with its order and page; one that groups is told by its aggregates."""
        if operator.group_by is not None:
            return self.grouped(operator)
        terms = self.terms()
        items, columns = [], {}
        for item in operator.items:
            value, columns[item.name or ""] = terms.value(item.value)
            items.append(dataclasses.replace(item, value=value))
        return self.finished(operator, items, columns, by_columns=operator.distinct)

    def grouped(self, operator: Project) -> Clauses:
        """A projection with aggregates: its other columns are the keys."""
        terms = self.terms()
        keys = {key.name for key in operator.group_by or () if isinstance(key, Ref)}
        order = order_of(terms, operator.items)
        items, columns = [], {}
        has_aggregate = False
        for item in operator.items:
            if item.name in keys and not aggregates(item.value):
                value, kind = terms.value(item.value)
            else:
                value, kind = self.aggregated(terms, item.value)
                value = folded(ir.rewrite(value, _there)) if keys else value
                has_aggregate = True
            columns[item.name or ""] = kind
            items.append(dataclasses.replace(item, value=value))
        made = dataclasses.replace(operator, group_by=None, distinct=operator.distinct or not has_aggregate)
        before: Clauses = [ir.Order(order, span=operator.span)] if order else []
        return [*before, *self.finished(made, items, columns, by_columns=True)]

    def aggregated(self, terms: Terms, node: Expression) -> Typed:
        """A column that is computed of aggregates."""
        node = ir.rewrite(node, simplified)
        if isinstance(node, Apply) and node.function in AGGREGATES:
            return aggregate(terms, node)
        found: dict[str, Typed] = {}

        def choose(part: ir.Node) -> ir.Node | None:
            if isinstance(part, Apply) and part.function in AGGREGATES:
                name = self.tools.maker.make("a")
                found[name] = aggregate(terms, part)
                return Ref(name)
            return part if isinstance(part, ir.Subquery) else None

        outside = ir.rewrite_down(node, choose)
        inner = Terms(self.tools, {**self.env, **{n: v.type for n, v in found.items()}})
        made, kind = inner.value(outside)
        values = {name: each.expression for name, each in found.items()}
        return Typed(ir.rewrite(made, lambda x: values.get(x.name, x) if isinstance(x, Ref) else x), kind)

    def finished(self, operator: Project, items: list[Item], columns: Environment, *, by_columns: bool) -> Clauses:
        """The projection with its columns; sort keys read the columns, and those before them where they may."""
        kept = {item.name for item in operator.items if isinstance(item.value, Ref) and item.value.name == item.name}
        before = self.env
        self.env = dict(columns) if by_columns else {**before, **columns}
        keys = self.sort_keys(operator.order)
        self.env = dict(columns)
        self.present = self.present & kept
        where = None if operator.where is None else self.terms().expression(operator.where)
        keys = tuple([_by_column(key, items) for key in keys])
        counts = {item.name for item in items if isinstance(item.value, Apply) and item.value.function in _COUNTS}
        keys = tuple([_never_null(key) if key.value in [Ref(name or "") for name in counts] else key for key in keys])
        return [dataclasses.replace(operator, items=tuple(items), order=keys, where=where)]

    # -------------------------------------------------------------- writing

    def insert(self, operator: ir.Insert) -> Clauses:
        terms = self.terms()
        paths = tuple([self.inserted(path, terms) for path in operator.paths])
        self.env.update(bindings(operator.paths))
        self.present = self.present | bindings(operator.paths).keys()
        return [dataclasses.replace(operator, paths=paths, keyword="CREATE")]

    def inserted(self, path: ir.Path, terms: Terms) -> ir.Path:
        """A path to create; an edge of Cypher has exactly one type."""
        elements: list[ir.PathElement] = []
        for element in path.elements:
            assert not isinstance(element, ir.PathGroup)
            if isinstance(element, ir.EdgePattern) and not isinstance(element.labels, ir.LabelName):
                raise self.tools.report.refusal("clause", element, "INSERT of an edge without exactly one label")
            elements.append(dataclasses.replace(element, properties=terms.optional(element.properties)))
        return dataclasses.replace(path, elements=tuple(elements))

    def write(self, operator: ir.Set | ir.Remove | ir.Delete) -> Clauses:
        return [self.terms().rebuilt(operator)]

    def same(self, operator: Operator) -> Clauses:
        return [operator]

    handlers: ClassVar[dict[type[Operator], Callable[..., Clauses]]] = {
        ir.Match: match,
        ir.Filter: filter,
        ir.Let: let,
        ir.Unwind: unwind,
        ir.Order: order,
        ir.Page: page,
        ir.Project: project,
        ir.SubqueryCall: call,
        ir.ProcedureCall: procedure,
        ir.Insert: insert,
        ir.Set: write,
        ir.Remove: write,
        ir.Delete: write,
        ir.Finish: same,
    }


_ELEMENT = types.ELEMENT
_COUNTS = ("count", "count_star")
_COUNTED = Apply("gt", (Apply("count_star"), Literal(0)))


def _there(node: ir.Node) -> ir.Node:
    """A group that has keys has a row."""
    return Literal(True) if node == _COUNTED else node


def _by_column(key: ir.SortKey, items: Sequence[Item]) -> ir.SortKey:
    """The key by the name of the column with its value, where there is one."""
    name = next((item.name for item in items if item.value == key.value and not isinstance(item.value, Literal)), None)
    return key if name is None else dataclasses.replace(key, value=Ref(name))


def _never_null(key: ir.SortKey) -> ir.SortKey:
    """A key that is never null sorts as Cypher has it."""
    return dataclasses.replace(key, nulls="first" if key.descending else "last")


def _returns(body: ir.Pipeline) -> bool:
    return any(
        isinstance(operator, (Project, ir.Finish)) and getattr(operator, "final", True) for operator in body.operators
    )


def _result(names: Sequence[str], tools: Tools) -> Project:
    items = tuple([Item(Ref(name), name) for name in names])
    return Project(items or (Item(Literal(True), tools.maker.make("found")),), final=True)
