"""The clauses of core form as the statements of GQL.

A projection in the midst of a query is RETURN .. NEXT, with its grouping, order and page; what comes between is MATCH,
FILTER, LET, FOR, ORDER BY, CALL.  Knows no text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from graphir import ir, types
from graphir.backends.gql.columns import aliased, tail
from graphir.backends.gql.stages import is_plain, staged
from graphir.backends.iso import lists  # noqa: F401 its handlers
from graphir.backends.iso.expressions import Job, Translator, apply
from graphir.backends.iso.kinds import Environment, Known
from graphir.backends.iso.patterns import Patterns, bindings
from graphir.ir.node import replace
from graphir.passes.names import mentioned

ONE = ir.Literal(1)


class Clauses:
    """Translates the clauses of one body in order; `env` are the variables in scope, which `names` may rename."""

    def __init__(self, job: Job, env: Environment | None = None, names: Mapping[str, str] | None = None) -> None:
        self.job = job
        self.outer = dict(env or {})
        self.env: dict[str, Known] = dict(env or {})
        self.names = dict(names or {})

    def translator(self) -> Translator:
        return Translator(self.job, self.env, self.names)

    # -------------------------------------------------------------- bodies

    def body(self, body: ir.Body) -> ir.Body:
        """A query with a result, or one that writes."""
        if isinstance(body, ir.Pipeline):
            return self.pipeline(body.operators)
        if isinstance(body, ir.SetOperation):
            return self.set_operation(body)
        if isinstance(body, ir.Next):
            if not self.job.target.next:
                return self.chained(body)
            parts: list[ir.Body] = []
            for part in body.parts:
                found = self.body(part)
                parts += found.parts if isinstance(found, ir.Next) else (found,)
            return ir.Next(tuple(parts), span=body.span)
        raise self.job.report.refusal("set-operation", body, f"`{body.op}`")

    def set_operation(self, body: ir.SetOperation) -> ir.Body:
        if body.kind not in self.job.target.set_operations:
            raise self.job.report.refusal("set-operation", body, body.kind.upper())
        branches: list[ir.Body] = []
        after: dict[str, Known] = {}
        for branch in body.branches:
            inner = Clauses(self.job, self.env, self.names)
            branches.append(inner.body(branch))
            for name, known in inner.env.items():
                after[name] = _either(self.job, after[name], known) if name in after else known
        self.env = after
        made = replace(body, branches=tuple(branches), columns="position")
        self.check_nested(body, made)
        if self.job.target.union_distinct or not body.distinct:
            return made
        every = ir.SubqueryCall(replace(made, distinct=False), tuple(self.outer))
        columns = tuple([ir.Item(ir.Ref(name)) for name in _columns(body)])
        return ir.Pipeline((every, ir.Project(columns, final=True, distinct=True)))

    def pipeline(self, operators: Sequence[ir.Operator], *, result: bool = True) -> ir.Body:
        """The statements of a pipeline, one part for each projection."""
        parts = self.parts(operators)
        last = parts[-1]
        if result and not isinstance(last[-1], _ENDING):
            raise self.job.report.refusal("no-result", operators[-1], "a query without RETURN")
        if not self.job.target.next:
            return self.nested(parts)
        bodies = tuple([ir.Pipeline(tuple(part)) for part in parts])
        return bodies[0] if len(bodies) == 1 else ir.Next(bodies)

    def nested(self, parts: list[list[ir.Operator]]) -> ir.Body:
        """The parts, each working on the rows of a CALL with those before it."""
        found = ir.Pipeline(tuple(parts[0]))
        for part in parts[1:]:
            inner = ir.Pipeline(tuple(self.without_imports(found.operators)))
            found = ir.Pipeline((ir.SubqueryCall(inner, tuple(self.outer)), *part))
        return found

    def without_imports(self, operators: Sequence[ir.Operator]) -> list[ir.Operator]:
        """The statements without the columns that a CALL around them has taken: they are there already."""
        project = operators[-1]
        if not isinstance(project, ir.Project) or not self.outer:
            return list(operators)
        taken = [ir.Item(ir.Ref(name)) for name in self.outer]
        kept = [item for item in project.items if item not in taken]
        if (
            not kept
            or any(item.name in self.outer for item in kept)
            or (len(kept) < len(project.items) and project.group_by)
        ):
            raise self.job.report.refusal("subquery", project, "a part of CALL that gives what it has taken")
        return [*operators[:-1], replace(project, items=tuple(kept))]

    def chained(self, body: ir.Next) -> ir.Body:
        """NEXT without the word: all parts are one chain."""
        parts: list[list[ir.Operator]] = []
        for part in body.parts:
            if isinstance(part, ir.Pipeline):
                parts += self.parts(part.operators)
            elif parts:
                raise self.job.report.refusal("set-operation", part, "a set operation behind NEXT")
            else:
                call = ir.SubqueryCall(self.body(part), tuple(self.outer))
                columns = tuple([ir.Item(ir.Ref(name)) for name in _columns(part)])
                parts.append([call, ir.Project(columns, final=True)])
        return self.nested(parts)

    def parts(self, operators: Sequence[ir.Operator]) -> list[list[ir.Operator]]:
        """The statements, cut behind each projection but the last."""
        parts: list[list[ir.Operator]] = [[]]
        for segment in _segments(operators):
            for statement in self.statements(staged(segment)):
                if parts[-1] and isinstance(parts[-1][-1], ir.Project):
                    parts.append([])
                parts[-1].append(statement)
        return parts

    def statements(self, operators: list[ir.Operator]) -> Iterable[ir.Operator]:
        at = 0
        while at < len(operators):
            operator = operators[at]
            projected = self.projected(operators, at)
            if projected is not None:
                found, at = projected
                yield from found
                continue
            handler = self.handlers.get(type(operator))
            if handler is None:
                raise self.job.report.refusal("construct", operator, f"`{operator.op}`")
            yield from handler(self, operator)
            at += 1

    # -------------------------------------------------------------- projections

    def projected(self, operators: list[ir.Operator], at: int) -> tuple[list[ir.Operator], int] | None:
        """A projection with its order and page, and where to go on; None where none begins here.

        A plain projection may have its order before it, by the variables from before.
        """
        before, page = tail(operators[at : at + 1]) if isinstance(operators[at], ir.Order) else (None, None)
        here = at + (before is not None)
        if here < len(operators) and isinstance(given := operators[here], ir.Page) and _plain_at(operators, here + 1):
            page, here = given, here + 1
        if here > at and not _plain_at(operators, here):
            return None
        project = operators[here]
        if not isinstance(project, ir.Project):
            return None
        order, behind, here = before, page, here + 1
        if here < len(operators) and isinstance(follows := operators[here], ir.Order) and (order, page) == (None, None):
            order, here = follows, here + 1
        if here < len(operators) and isinstance(follows := operators[here], ir.Page) and page is None:
            behind, here = follows, here + 1
        skip, limit = self.bounds(behind)
        if not self.job.target.sorts_expressions and order is not None:
            return self.sorted_by_columns(project, order, is_before=before is not None, page=behind), here
        out, shown = self.unshadowed(before, project) if before is not None else ([], order)
        early = [] if before is None or shown is None else self.keys(shown.keys)
        returned, lets = self.project(project)
        late = early if before is not None or order is None else self.keys(order.keys)
        keys = tuple([aliased(key, returned.items) for key in late])
        items = tuple([_unnamed(item) for item in returned.items])
        return [*out, *lets, replace(returned, items=items, order=keys, skip=skip, limit=limit)], here

    def sorted_by_columns(
        self, project: ir.Project, order: ir.Order, *, is_before: bool, page: ir.Page | None
    ) -> list[ir.Operator]:
        """Where sort keys are variables: ORDER BY before RETURN, by columns that are made for it."""
        out: list[ir.Operator] = []
        if not is_before:
            returned, lets = self.project(project)
            out += [*lets, replace(returned, items=tuple([_unnamed(item) for item in returned.items]))]
            project = ir.Project(tuple([ir.Item(ir.Ref(item.name or ""), item.name) for item in project.items]), True)
        keys: list[ir.SortKey] = []
        for key in order.keys:
            made, nullable = self.translator().value(key.value), self.translator().nullable(key.value)
            name = made.name if isinstance(made, ir.Ref) else self.job.maker.make("key")
            if not isinstance(made, ir.Ref):
                out.append(ir.Let((ir.Item(made, name),)))
            if nullable and (key.nulls == "first") == key.descending:
                test = self.job.maker.make("absent")
                out.append(ir.Let((ir.Item(apply("is_null", ir.Ref(name)), test),)))
                keys.append(ir.SortKey(ir.Ref(test), key.nulls == "first", "last" if key.nulls == "first" else "first"))
            keys.append(ir.SortKey(ir.Ref(name), key.descending, "last" if key.descending else "first"))
        out.append(ir.Order(tuple(keys)))
        if page is not None:
            out.append(page)
        returned, lets = self.project(project)
        items = tuple([_unnamed(item) for item in returned.items])
        return [*out, *lets, replace(returned, items=items)]

    def project(self, project: ir.Project) -> tuple[ir.Project, list[ir.Operator]]:
        """RETURN with its columns; a key whose name means something else before gets a column by another name."""
        translator = self.translator()
        keys = {key.name for key in project.group_by or () if isinstance(key, ir.Ref)}
        items: list[ir.Item] = []
        lets: list[ir.Operator] = []
        groups: list[ir.Expression] = []
        after: dict[str, Known] = {}
        for item in project.items:
            name = item.name or ""
            value = translator.value(item.value)
            if name in keys:
                plain = isinstance(value, (ir.Ref, ir.Property))
                nested = not plain and any(isinstance(part, ir.Subquery) for part in ir.walk(value))
                if nested or (name in self.env and value != ir.Ref(name)):
                    fresh = self.job.maker.make("key")
                    lets.append(ir.Let((ir.Item(value, fresh),)))
                    value = ir.Ref(fresh)
                    groups.append(value)
                else:
                    groups.append(ir.Ref(name))
            items.append(ir.Item(value, name, span=item.span))
            after[name] = Known(value=item.value, around=self.env)
        kept = {key: known for key, known in self.outer.items() if key not in after}
        self.env = {**kept, **after}
        self.names = {key: shown for key, shown in self.names.items() if key not in after}
        group_by = tuple(groups) if groups else None
        return ir.Project(tuple(items), True, distinct=project.distinct, group_by=group_by, span=project.span), lets

    def unshadowed(self, order: ir.Order, project: ir.Project) -> tuple[list[ir.Operator], ir.Order]:
        """An order by what RETURN gives another meaning: such a key is computed before."""
        hidden = {i.name for i in project.items if not (isinstance(i.value, ir.Ref) and i.value.name == i.name)}
        returned = [item.value for item in project.items]
        lets: list[ir.Operator] = []
        keys = []
        for key in order.keys:
            if key.value in returned or hidden.isdisjoint(mentioned(key.value)):
                keys.append(key)
                continue
            name = self.job.maker.make("key")
            lets.append(ir.Let((ir.Item(self.translator().value(key.value), name),)))
            self.env[name] = Known(value=key.value, around=dict(self.env))
            keys.append(replace(key, value=ir.Ref(name)))
        return lets, ir.Order(tuple(keys))

    def keys(self, keys: Iterable[ir.SortKey]) -> list[ir.SortKey]:
        """Sort keys that say where nulls go; a constant sorts nothing, and as a number it might be a place."""
        translator = self.translator()
        found = []
        for key in keys:
            if not any(isinstance(part, (ir.Ref, ir.Subquery)) for part in ir.walk(key.value)):
                continue
            found += self.key(key, translator.value(key.value))
        return found

    def key(self, key: ir.SortKey, value: ir.Expression) -> list[ir.SortKey]:
        if self.job.target.nulls:
            return [ir.SortKey(value, key.descending, key.nulls, stated=True, span=key.span)]
        natural = "first" if key.descending else "last"
        if key.nulls != natural:
            raise self.job.report.refusal("construct", key, "an order with nulls at this end")
        return [ir.SortKey(value, key.descending, key.nulls, span=key.span)]

    def bounds(self, page: ir.Page | None) -> tuple[ir.Expression | None, ir.Expression | None]:
        """OFFSET and LIMIT, which are literals or parameters."""
        for bound in () if page is None else (page.skip, page.limit):
            if bound is None or isinstance(bound, ir.Parameter):
                continue
            if not (isinstance(bound, ir.Literal) and type(bound.value) is int):
                raise self.job.report.refusal("page", bound, "this number of rows")
        return (None, None) if page is None else (page.skip, page.limit)

    # -------------------------------------------------------------- statements

    def match(self, operator: ir.Match) -> Iterable[ir.Operator]:
        found = dict(bindings(operator))
        for name, known in found.items():
            before = self.env.get(name)
            if before is None:
                self.env[name] = known.but(nullable=operator.optional)
        return Patterns(self.translator(), operator).translated()

    def filter(self, operator: ir.Filter) -> Iterable[ir.Operator]:
        return [ir.Filter(self.translator().condition(operator.predicate), span=operator.span)]

    def let(self, operator: ir.Let) -> Iterable[ir.Operator]:
        """One LET per column: a LET does not see its own columns."""
        out = []
        for item in operator.items:
            value = self.translator().value(item.value)
            out.append(ir.Let((ir.Item(value, item.name, span=item.span),), span=operator.span))
            self.env[item.name or ""] = Known(value=item.value, around=dict(self.env))
        return out

    def unwind(self, operator: ir.Unwind) -> Iterable[ir.Operator]:
        source = operator.source
        placed = operator.ordinality is not None or operator.offset is not None
        if placed and not self.job.target.positions:
            raise self.job.report.refusal("list-operation", operator, "FOR with positions")
        kind = self.translator().type(source)
        if not kind & types.LIST:
            raise self.job.report.refusal("list-operation", operator, "UNWIND of what is no list")
        nullable = self.job.kinds.element_nullable(source, self.env)
        value = self.translator().value(source)
        self.env[operator.variable] = Known(types.element_of(kind & types.LIST), nullable)
        for name in (operator.ordinality, operator.offset):
            if name is not None:
                self.env[name] = Known(types.INTEGER, False)
        return [replace(operator, source=value)]

    def order(self, operator: ir.Order) -> Iterable[ir.Operator]:
        keys = self.keys(operator.keys)
        return [ir.Order(tuple(keys), span=operator.span)] if keys else []

    def page(self, operator: ir.Page) -> Iterable[ir.Operator]:
        return [ir.Page(*self.bounds(operator), span=operator.span)]

    def call(self, operator: ir.SubqueryCall) -> Iterable[ir.Operator]:
        if operator.transactions is not None:
            raise self.job.report.refusal("subquery-call", operator, "CALL in transactions")
        imports, given = operator.imports, operator.body
        if imports is None:
            imports, given = _imported(given)
        inner = Clauses(self.job, {name: self.env[name] for name in imports if name in self.env}, self.names)
        body = inner.body(given)
        self.check_nested(operator, body)
        for name in _columns(operator.body):
            known = inner.env.get(name, Known())
            self.env[name] = known.but(nullable=True) if operator.optional else known
        shown = tuple([self.names.get(name, name) for name in imports])
        return [ir.SubqueryCall(body, shown, False, operator.optional, span=operator.span)]

    def finish(self, operator: ir.Finish) -> Iterable[ir.Operator]:
        return [operator]

    # -------------------------------------------------------------- writing

    def insert(self, operator: ir.Insert) -> Iterable[ir.Operator]:
        """The elements that are made are variables from here on."""
        match = ir.Match(operator.paths, uniqueness="repeatable_elements")
        fresh = {name: known for name, known in bindings(match) if name not in self.env}
        translator = self.translator()
        paths = []
        for path in operator.paths:
            elements = [self.inserted(element, translator) for element in path.elements]
            paths.append(replace(path, elements=tuple(elements)))
        self.env.update(fresh)
        return [replace(operator, paths=tuple(paths), keyword="INSERT")]

    def inserted(self, element: ir.PathElement, translator: Translator) -> ir.PathElement:
        assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
        given = None if element.properties is None else translator.value(element.properties)
        return replace(element, properties=given)

    def set(self, operator: ir.Set) -> Iterable[ir.Operator]:
        translator = self.translator()
        items: list[ir.SetItem] = []
        for item in operator.items:
            if isinstance(item, ir.SetLabels):
                items.append(item)
            elif isinstance(item, ir.SetProperty):
                items.append(replace(item, value=translator.value(item.value)))
            else:
                items.append(replace(item, value=translator.value(item.value)))
        return [replace(operator, items=tuple(items))]

    def written(self, operator: ir.Remove | ir.Delete) -> Iterable[ir.Operator]:
        return [operator]

    # -------------------------------------------------------------- calls

    def procedure(self, operator: ir.ProcedureCall) -> Iterable[ir.Operator]:
        raise self.job.report.refusal("procedure-call", operator, f"`{'.'.join(operator.name)}`")

    # -------------------------------------------------------------- subqueries

    def check_nested(self, node: ir.Node, body: ir.Body) -> None:
        """Refuse NEXT in braces where the target has it outside of them alone."""
        if not self.job.target.nested_next and any(isinstance(part, ir.Next) for part in ir.walk(body)):
            raise self.job.report.refusal("subquery", node, "a subquery of several parts")

    def subquery(self, node: ir.Subquery) -> ir.Expression:
        """EXISTS, and the number and the list of the rows of a query as its only value."""
        if node.kind == "exists":
            return self.existence(node)
        if not isinstance(node.body, ir.Pipeline):
            raise self.job.report.refusal("subquery", node, f"{node.kind.upper()} of a union")
        if node.kind == "count":
            return self.number(node, node.body)
        if node.kind in ("value", "collect") and node.kind == self.job.target.subquery:
            return ir.Subquery(node.kind, self.body(node.body), span=node.span)
        raise self.job.report.refusal("subquery", node, f"{node.kind.upper()} {{ .. }}")

    def existence(self, node: ir.Subquery) -> ir.Expression:
        whole = self.job.target.exists
        if not isinstance(node.body, ir.Pipeline):
            if not whole:
                raise self.job.report.refusal("subquery", node, "EXISTS of a union")
            return ir.Subquery("exists", self.body(node.body), span=node.span)
        operators = list(node.body.operators)
        if isinstance(last := operators[-1], ir.Project) and last.final and is_plain(last) and len(operators) > 1:
            operators.pop()
        if all(isinstance(operator, ir.Match) for operator in operators) and (whole or len(operators) == 1):
            return ir.Subquery("exists", self.pipeline(operators, result=False), span=node.span)
        if not whole:
            raise self.job.report.refusal("subquery", node, "EXISTS of more than a MATCH")
        if not isinstance(operators[-1], ir.Project):
            operators.append(ir.Project((ir.Item(ONE, self.job.maker.make("one")),), final=True))
        return ir.Subquery("exists", self.pipeline(operators), span=node.span)

    def number(self, node: ir.Subquery, body: ir.Pipeline) -> ir.Expression:
        operators = list(body.operators)
        last = operators[-1]
        if isinstance(last, ir.Project) and last.final and is_plain(last) and len(operators) > 1:
            operators.pop()
        elif isinstance(last, ir.Project):
            operators[-1] = replace(last, final=False)
        target = self.job.target
        if target.subquery is None or not (target.over_lists or isinstance(operators[0], ir.Match)):
            raise self.job.report.refusal("subquery", node, "COUNT { .. }")
        if target.collects:
            operators.append(ir.Project((ir.Item(ONE, self.job.maker.make("one")),), final=True))
            return ir.Subquery("count", self.pipeline(operators), span=node.span)
        counted = ir.Item(apply("count_star"), self.job.maker.make("count"))
        operators += [
            ir.Aggregate((), (counted,)),
            ir.Project((ir.Item(ir.Ref(counted.name or ""), counted.name),), True),
        ]
        made = self.pipeline(operators)
        self.check_nested(node, made)
        return ir.Subquery("value", made, span=node.span)

    handlers: ClassVar[dict[type[ir.Operator], Callable[..., Iterable[ir.Operator]]]] = {
        ir.Match: match,
        ir.Filter: filter,
        ir.Let: let,
        ir.Unwind: unwind,
        ir.Order: order,
        ir.Page: page,
        ir.SubqueryCall: call,
        ir.ProcedureCall: procedure,
        ir.Finish: finish,
        ir.Insert: insert,
        ir.Set: set,
        ir.Remove: written,
        ir.Delete: written,
    }


_ENDING = (ir.Project, ir.Finish, ir.Insert, ir.Set, ir.Remove, ir.Delete)


def _plain_at(operators: list[ir.Operator], at: int) -> bool:
    return at < len(operators) and is_plain(operators[at])


def _segments(operators: Sequence[ir.Operator]) -> list[list[ir.Operator]]:
    """The operators, cut before a collection of sorted rows, so that the order stays before it."""
    found: list[list[ir.Operator]] = [[]]
    is_sorted = False
    for operator in operators:
        if isinstance(operator, ir.Aggregate):
            collects = any(
                isinstance(part, ir.Apply) and part.function == "collect"
                for item in operator.aggregates
                for part in ir.walk(item)
            )
            if collects and is_sorted:
                found.append([])
            is_sorted = False
        is_sorted = is_sorted or isinstance(operator, ir.Order)
        found[-1].append(operator)
    return [segment for segment in found if segment]


def _imported(body: ir.Body) -> tuple[tuple[str, ...], ir.Body]:
    """What a body takes by its leading WITH, and the body without it."""
    if isinstance(body, ir.SetOperation):
        found = [_imported(branch) for branch in body.branches]
        names = dict.fromkeys([name for taken, _ in found for name in taken])
        return tuple(names), replace(body, branches=tuple([branch for _, branch in found]))
    first = body.operators[0] if isinstance(body, ir.Pipeline) else None
    if not isinstance(body, ir.Pipeline) or not isinstance(first, ir.Project) or first.final:
        return (), body
    taken = tuple([item.name or "" for item in first.items if item.value == ir.Ref(item.name or "")])
    return taken, ir.Pipeline(body.operators[1:], span=body.span)


def _columns(body: ir.Body) -> list[str]:
    last = ir.last_pipeline(body)
    operator = None if last is None else next((o for o in reversed(last.operators) if isinstance(o, ir.Project)), None)
    return [] if operator is None else [item.name or "" for item in operator.items]


def _unnamed(item: ir.Item) -> ir.Item:
    """A column that keeps its name needs no alias."""
    return replace(item, name=None) if item.value == ir.Ref(item.name or "") else item


def _either(job: Job, one: Known, other: Known) -> Known:
    kinds = [job.kinds.of_variable(known) for known in (one, other)]
    return Known(kinds[0] | kinds[1], True)
