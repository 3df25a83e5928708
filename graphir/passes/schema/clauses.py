"""What variables hold from clause to clause.

Bodies nest without recursion, as in the inference of types: a step of the work is a generator that yields those inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graphir import ir
from graphir.ir import Node
from graphir.passes.schema.bindings import Bindings
from graphir.passes.schema.expressions import Env
from graphir.passes.schema.index import Index
from graphir.passes.schema.patterns import Patterns
from graphir.passes.schema.slots import Items, LabelUse, Slot
from graphir.passes.schema.values import element, join
from graphir.passes.scope import column_name
from graphir.passes.steps import Step, run


def bind(query: ir.Query, index: Index) -> Bindings:
    """Look through a query.  The slots hold what labels say; `direction.settle` narrows them by the relationships."""
    bindings = Bindings(index)
    run(Clauses(bindings).body(query.body, {}))
    return bindings


class Clauses(Patterns):
    """The whole walk."""

    # -------------------------------------------------------------- bodies

    def body(self, body: ir.Body, env: Env) -> Step:
        """The columns of a body that starts with these names, as a dict."""
        if isinstance(body, ir.Pipeline):
            return self.pipeline(body, env)
        if isinstance(body, ir.SetOperation):
            return self.branches(body.branches, env)
        if isinstance(body, ir.Next):
            return self.parts(body, env)
        if isinstance(body, ir.Conditional):
            return self.conditional(body, env)
        return self.nothing()

    def nothing(self) -> Step:
        return {}
        yield  # makes this a step

    def pipeline(self, body: ir.Pipeline, env: Env) -> Step:
        self.env, self.borrowed = dict(env), set(env)
        returned: Env = {}
        for operator in body.operators:
            cls = type(operator)
            if cls is ir.Project:
                yield from self.project(operator)  # type: ignore[arg-type]
                if operator.final:  # type: ignore[attr-defined]
                    returned = self.env
            elif cls in _STEPS:
                yield from _STEPS[cls](self, operator)
            elif cls in _HANDLERS:
                _HANDLERS[cls](self, operator)
                if self.nested:
                    yield from self.drain()
        return returned

    def drain(self) -> Step:
        """Look into the subqueries met, which see the names bound there."""
        nested, self.nested = self.nested, []
        saved = self.env, self.borrowed
        for subquery, env in nested:
            columns: Env = yield self.body(subquery.body, env)
            if subquery.kind in ("collect", "value") and len(columns) == 1:
                (value,) = columns.values()
                self.found.results[id(subquery)] = Items(value) if subquery.kind == "collect" else value
        self.env, self.borrowed = saved

    def inside(self, step: Step) -> Step:
        """The result of a step, after which the names are as before."""
        saved = self.env, self.borrowed
        result = yield step
        self.env, self.borrowed = saved
        return result

    def branches(self, branches: Sequence[ir.Body], env: Env) -> Step:
        columns: list[Env] = []
        for branch in branches:
            columns.append((yield self.body(branch, env)))
        if len(columns) == 1:
            return columns[0]
        names = columns[0].keys()
        return {name: join([each.get(name) for each in columns], self.found.tie) for name in names}

    def parts(self, body: ir.Next, env: Env) -> Step:
        columns = env
        for part in body.parts:
            columns = yield self.body(part, columns)
        return columns

    def conditional(self, body: ir.Conditional, env: Env) -> Step:
        self.env, self.borrowed = dict(env), set(env)
        for branch in body.branches:
            self.read(branch.condition)
        yield from self.drain()
        return (yield self.branches([branch.body for branch in body.branches], env))

    # -------------------------------------------------------------- operators

    def match(self, operator: ir.Match) -> None:
        if operator.optional:
            before, saved = self.env, self.borrowed
            self.env, self.borrowed = dict(before), set(before)
            self.match_rows(operator)
            made = []
            for name in reversed(self.env):
                if name in before:  # names are only ever added, at the end
                    break
                made.append(name)
            before.update({name: self.env[name] for name in reversed(made)})
            self.env, self.borrowed = before, saved
        else:
            self.match_rows(operator)

    def match_rows(self, operator: ir.Match) -> None:
        self.bind_paths(operator.paths, optional=operator.optional)
        for path in operator.paths:
            if path.selector is not None:
                self.read(path.selector.count)
        for hint in operator.hints:
            if isinstance(hint, ir.IndexHint):
                slot = self.env.get(hint.variable)
                known = slot if isinstance(slot, Slot) else None
                self.found.labels.append(LabelUse(hint, hint.label, known.node if known else None, known))
        search = operator.search
        if search is not None:
            self.read(search.query, search.where, search.limit)
        self.where(operator.where)

    def filter(self, operator: ir.Filter) -> None:
        self.where(operator.predicate)

    def order(self, operator: ir.Order) -> None:
        self.read(*[key.value for key in operator.keys])

    def page(self, operator: ir.Page) -> None:
        self.read(operator.skip, operator.limit)

    def let(self, operator: ir.Let) -> Step:
        self.read(*[item.value for item in operator.items])
        yield from self.drain()
        made = {item.name: self.found.value(item.value, self.env) for item in operator.items if item.name is not None}
        self.env.update(made)

    def unwind(self, operator: ir.Unwind) -> Step:
        self.read(operator.source)
        yield from self.drain()
        value = element(self.found.value(operator.source, self.env))
        self.env[operator.variable] = value
        if isinstance(value, Slot):
            self.borrowed.add(operator.variable)

    def load(self, operator: ir.LoadCsv) -> None:
        self.read(operator.source)
        self.env[operator.variable] = None

    def project(self, operator: ir.Project) -> Step:
        before = self.env
        self.read(*[item.value for item in operator.items if type(item.value) is not ir.Ref])
        if self.nested:
            yield from self.drain()
        columns: Env = {}
        borrowed: set[str] = set()
        if operator.star:
            columns.update(before)
            borrowed |= self.borrowed
        renamed = False
        for item in operator.items:
            name = column_name(item, by_text=True)
            value = self.found.value(item.value, before)
            if isinstance(item.value, ir.Ref):
                if isinstance(value, Slot):
                    self.found.elements[id(item.value)] = value
                if item.value.name in self.borrowed and name is not None:
                    borrowed.add(name)
            elif isinstance(value, Slot) and name is not None:
                borrowed.add(name)
            if name is not None:
                columns[name] = value
                renamed = True
        if operator.order or operator.where is not None or operator.group_by:
            self.env = {**before, **columns} if renamed else columns
            self.borrowed = self.borrowed | borrowed
            # a sort key that is a column as it stands is that column, whatever its names mean by now
            shown = {item.value for item in operator.items} if operator.order else set[ir.Expression]()
            self.read(*(operator.group_by or ()), *[key.value for key in operator.order if key.value not in shown])
            self.where(operator.where)
            columns = {name: self.env[name] for name in columns}
            borrowed &= self.borrowed
        self.read(operator.skip, operator.limit)
        if self.nested:
            yield from self.drain()
        self.env, self.borrowed = columns, borrowed

    def aggregate(self, operator: ir.Aggregate) -> None:
        columns: Env = {}
        for item in (*operator.keys, *operator.aggregates):
            self.read(item.value)
            if item.name is not None:
                columns[item.name] = self.found.value(item.value, self.env)
        self.env, self.borrowed = columns, set(columns)

    def procedure(self, operator: ir.ProcedureCall) -> None:
        self.read(*(operator.args or ()))
        for item in operator.yields or ():
            self.env[item.alias or item.name] = None
        self.read(operator.where)

    def call(self, operator: ir.SubqueryCall) -> Step:
        if operator.imports is None or operator.star:
            inner = dict(self.env)
        else:
            inner = {name: self.env.get(name) for name in operator.imports}
        columns: Env = yield from self.inside(self.body(operator.body, inner))
        self.env.update(columns)
        transactions = operator.transactions
        if transactions is not None:
            self.read(transactions.batch, transactions.concurrency, transactions.retry_seconds)
            if transactions.report is not None:
                self.env[transactions.report] = None

    def foreach(self, operator: ir.Foreach) -> Step:
        self.read(operator.source)
        yield from self.drain()
        value = element(self.found.value(operator.source, self.env))
        yield from self.inside(self.pipeline(ir.Pipeline(operator.body), {**self.env, operator.variable: value}))

    # -------------------------------------------------------------- writing

    def insert(self, operator: ir.Insert) -> None:
        self.bind_paths(operator.paths, write=True)
        self.after_write()

    def merge(self, operator: ir.Merge) -> None:
        self.bind_paths((operator.path,), write=True)
        for action in operator.actions:
            self.write(action.items)
        self.after_write()

    def set(self, operator: ir.Set | ir.Remove) -> None:
        self.write(operator.items)
        self.after_write()

    def after_write(self) -> None:
        """What is written is written for every row: what is said later narrows nothing before."""
        self.borrowed.update(self.env)

    def write(self, items: Iterable[Node]) -> None:
        for item in items:
            if isinstance(item, (ir.SetProperty, ir.RemoveProperty)):
                self.write_property(item)
            elif isinstance(item, ir.SetProperties):
                self.write_properties(item)
            elif isinstance(item, (ir.SetLabels, ir.RemoveLabels)):
                self.write_labels(item)

    def write_property(self, item: ir.SetProperty | ir.RemoveProperty) -> None:
        target = item.target
        self.read(target)
        access = self.found.accesses.get(id(target))
        if isinstance(item, ir.SetProperty):
            if access is not None:
                access.write = True
            self.read(item.value)

    def write_properties(self, item: ir.SetProperties) -> None:
        self.read(item.target, item.value)
        value = self.found.value(item.target, self.env)
        if isinstance(value, Slot) and isinstance(item.value, ir.MapOf):
            for entry in item.value.entries:
                self.use(entry, entry.key, value, write=True)

    def write_labels(self, item: ir.SetLabels | ir.RemoveLabels) -> None:
        self.read(item.target)
        value = self.found.value(item.target, self.env)
        slot = value if isinstance(value, Slot) else None
        for label in item.labels:
            found = self.labelled(label, slot, True, write=isinstance(item, ir.SetLabels))
            if isinstance(label, ir.LabelDynamic):
                self.read(label.expression)
            if slot is not None and found.mask >= 0:
                slot.also |= found.mask

    def delete(self, operator: ir.Delete) -> None:
        self.read(*operator.items)


_HANDLERS: dict[type[ir.Operator], Callable[[Clauses, Any], None]] = {
    ir.Match: Clauses.match,
    ir.Filter: Clauses.filter,
    ir.Order: Clauses.order,
    ir.Page: Clauses.page,
    ir.LoadCsv: Clauses.load,
    ir.Aggregate: Clauses.aggregate,
    ir.ProcedureCall: Clauses.procedure,
    ir.Insert: Clauses.insert,
    ir.Merge: Clauses.merge,
    ir.Set: Clauses.set,
    ir.Remove: Clauses.set,
    ir.Delete: Clauses.delete,
}

_STEPS: dict[type[ir.Operator], Callable[[Clauses, Any], Step]] = {
    ir.Let: Clauses.let,
    ir.Unwind: Clauses.unwind,
    ir.SubqueryCall: Clauses.call,
    ir.Foreach: Clauses.foreach,
}
