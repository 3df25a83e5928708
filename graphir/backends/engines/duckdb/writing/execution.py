"""A query that writes, run clause by clause.

What lies between two writing clauses is one statement of SQL into a table of bindings.  Whoever runs the query owns the
transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.backends.engines.duckdb.results import decode
from graphir.backends.engines.duckdb.writing.bindings import Bindings, Desk, by_number
from graphir.backends.engines.duckdb.writing.merging import Merging
from graphir.backends.engines.duckdb.writing.updates import Updates
from graphir.backends.engines.results import Result
from graphir.backends.sql import pipeline
from graphir.backends.sql.needs import find_needs
from graphir.backends.sql.reps import EDGE, NODE, unify
from graphir.backends.sql.rows import Block
from graphir.backends.sql.statements import finish
from graphir.backends.sql.terms import END, START, TYPE
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.backends.engines.duckdb.session import Session

WRITING = (ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach)


def writes(node: ir.Node) -> bool:
    """Whether anything inside changes the graph."""
    return any(isinstance(each, WRITING) for each in ir.walk(node))


def run(session: Session, query: ir.Query, source: Source, parameters: Mapping[str, Any]) -> Result:
    """The result of a query in core form.  Raises RunFault and Unsupported; what was done until then is not undone."""
    execution = Execution(Updates(Desk(session, source, parameters)))
    desk = execution.desk
    made = execution.body(query.body, desk.unit())
    execution.updates.settle()
    counters = {name: count for name, count in execution.updates.effects.counters.items() if count}
    if not pipeline.returns(query.body):
        desk.drop()
        return Result((), [], counters)
    lowering = desk.lowering()
    rows = replace(by_number(made.rows()), stated=True)
    lowered = finish(rows, Block(lowering), columns=True)
    found = decode(session.execute(lowered, source), [rep for _, rep in lowered.columns], session.storage)
    desk.drop()
    return Result(tuple(made.names), found, counters)


@dataclass
class Execution:
    """Bodies and clauses on bindings."""

    updates: Updates

    @property
    def desk(self) -> Desk:
        return self.updates.desk

    # -------------------------------------------------------------- bodies

    def body(self, body: ir.Body, bindings: Bindings) -> Bindings:
        if isinstance(body, ir.Pipeline):
            return self.pipeline(body.operators, bindings)
        if not writes(body):
            return self._read_body(body, bindings)
        if isinstance(body, ir.SetOperation) and body.kind == "union":
            return self._union(body, [self.body(branch, bindings) for branch in body.branches])
        if isinstance(body, ir.Next):
            for part in body.parts:
                bindings = self.body(part, bindings)
            return bindings
        if isinstance(body, ir.Conditional):
            return self._conditional(body, bindings)
        self.desk.lowering().refuse("G602", f"the engine cannot run `{body.op}` with writing clauses in it", body)
        return bindings

    def _read_body(self, body: ir.Body, bindings: Bindings) -> Bindings:
        block = Block(self.desk.lowering())
        return self.desk.keep(pipeline.lower_body(body, bindings.rows(), block), block)

    def _union(self, body: ir.SetOperation, parts: Sequence[Bindings]) -> Bindings:
        """The rows of all branches; where they return nothing, the rows are of no interest."""
        if not pipeline.returns(body):
            return self.desk.unit()
        block = Block(self.desk.lowering())
        done = [(by_number(part.rows()), Block(block.lowering)) for part in parts]
        return self.desk.keep(pipeline.unite(done, block, once=body.distinct), block)

    def _conditional(self, body: ir.Conditional, bindings: Bindings) -> Bindings:
        """WHEN at the start of a body: it begins with one row."""
        for branch in body.branches:
            if branch.condition is None:
                return self.body(branch.body, bindings)
            values = self.desk.values(bindings, [branch.condition])
            if len(values) != 1:
                break
            if values[0][0] is True:
                return self.body(branch.body, bindings)
        else:
            return self.desk.part(bindings, [])
        self.desk.lowering().refuse("G602", "WHEN with writing clauses runs for one row only", body)
        return bindings

    def pipeline(self, operators: Sequence[ir.Operator], bindings: Bindings) -> Bindings:
        reading: list[ir.Operator] = []
        for at, operator in enumerate(operators):
            if not writes(operator):
                reading.append(operator)
                continue
            bindings = self._read(reading, operators[at:], bindings)
            reading = []
            self._look_at_deleted([operator], bindings)
            bindings = self._write(operator, bindings)
        return self._read(reading, (), bindings)

    def _read(self, operators: list[ir.Operator], later: Sequence[ir.Operator], bindings: Bindings) -> Bindings:
        if not operators:
            return bindings
        self._look_at_deleted(operators, bindings)
        block = Block(self.desk.lowering([*operators, *later]))
        rows = bindings.rows()
        for operator in operators:
            rows = pipeline.apply(operator, rows, block)
        return self.desk.keep(rows, block)

    def _look_at_deleted(self, operators: Sequence[ir.Operator], bindings: Bindings) -> None:
        """A deleted element has no properties and no labels to be read (type and ends of an edge are known)."""
        effects = self.updates.effects
        if not effects.nodes and not effects.edges:
            return
        needs = find_needs(ir.Query(ir.Pipeline(tuple(operators))))
        for name, term in bindings.names.items():
            gone = effects.nodes if term.rep == NODE else effects.edges if term.rep == EDGE else None
            if not gone or not set(needs.get(name, ())) - {TYPE, START, END}:
                continue
            if any(row[0] is not None and row[0].id in gone for row in self.desk.values(bindings, [ir.Ref(name)])):
                self.updates.fault("G614", f"`{name}` was deleted in this query and has no properties", operators[0])

    # -------------------------------------------------------------- clauses

    def _write(self, operator: ir.Operator, bindings: Bindings) -> Bindings:
        updates = self.updates
        match operator:
            case ir.Insert(paths=paths):
                return updates.insert(paths, bindings)
            case ir.Merge():
                return Merging(operator, updates, bindings.names).run(bindings)
            case ir.Set(items=items):
                updates.set_items(items, bindings)
            case ir.Remove(items=items):
                updates.remove_items(items, bindings)
            case ir.Delete():
                updates.delete(operator, bindings)
            case ir.Foreach():
                self._foreach(operator, bindings)
            case ir.SubqueryCall():
                return self._call(operator, bindings)
            case _:
                self.desk.lowering().refuse("G602", f"the engine cannot run `{operator.op}` here", operator)
        return bindings

    def _foreach(self, operator: ir.Foreach, bindings: Bindings) -> None:
        rows = self._read([ir.Unwind(operator.source, operator.variable)], operator.body, bindings)
        self._for_rows(operator.body, rows)

    def _for_rows(self, operators: Sequence[ir.Operator], bindings: Bindings) -> None:
        """Operators without a result, for one row after the other."""
        if bindings.count > 1 and not _may_be_batched(operators):
            for row in range(bindings.count):
                self.pipeline(operators, self.desk.part(bindings, [row]))
            return
        self.pipeline(operators, bindings)

    def _call(self, operator: ir.SubqueryCall, bindings: Bindings) -> Bindings:
        if operator.transactions is not None:
            self.desk.lowering().refuse("G602", "CALL .. IN TRANSACTIONS is not supported by the engine", operator)
        imports = operator.imports
        seen = bindings if imports is None else bindings.only(imports)
        body = operator.body
        if not pipeline.returns(body):
            if isinstance(body, ir.Pipeline):
                self._for_rows(body.operators, seen)
            else:
                for row in range(seen.count):
                    self.body(body, self.desk.part(seen, [row]))
            return bindings
        return self._called(body, bindings, seen, optional=operator.optional)

    def _called(self, body: ir.Body, bindings: Bindings, seen: Bindings, *, optional: bool) -> Bindings:
        """The body for one row after the other, and its rows beside them."""
        parents: list[int] = []
        results: list[Bindings] = []
        values: list[tuple[Any, ...]] = []
        for row in range(seen.count):
            made = self.body(body, self.desk.part(seen, [row]))
            results.append(made)
            found = self.desk.values(made, [ir.Ref(name) for name in made.names])
            if optional and not found:
                found = [(None,) * len(made.names)]
            values += found
            parents += [row] * len(found)
        names = list(results[0].names) if results else _columns(body)
        columns = {
            name: (unify(made.names[name].rep for made in results), [each[at] for each in values])
            for at, name in enumerate(names)
        }
        return self.desk.joined(bindings, parents, columns)


def _columns(body: ir.Body) -> list[str]:
    """The columns of a body, where it ran for no row."""
    while not isinstance(body, ir.Pipeline):
        below = ir.children(body)[0]
        body = below.body if isinstance(below, ir.When) else below  # type: ignore[assignment]
    finals = [each for each in body.operators if isinstance(each, ir.Project) and each.final]
    return [item.name or "" for item in finals[-1].items] if finals else []


def _may_be_batched(operators: Iterable[ir.Operator]) -> bool:
    """Whether all rows may go through the operators together: none looks at what another row did.

    One operator at a time is done row by row anyway where it matters.
    """
    listed = list(operators)
    if len(listed) == 1 and not isinstance(listed[0], (ir.Foreach, ir.SubqueryCall)):
        return True
    for operator in listed:
        if not isinstance(operator, (ir.Insert, ir.Set, ir.Unwind, ir.Filter, ir.Let)):
            return False
        if any(_looks(node) for node in ir.walk(operator)):
            return False
    return True


def _looks(node: ir.Node) -> bool:
    match node:
        case ir.Subquery() | ir.PatternComprehension() | ir.MapProjection() | ir.HasLabels() | ir.Index():
            return True
        case ir.Apply(function=function):
            return function in ("properties", "keys", "labels")
        case ir.SetProperties(value=value):
            return not isinstance(value, (ir.MapOf, ir.Parameter))
        case _:
            return False
