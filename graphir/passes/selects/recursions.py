"""Recursive common tables that walk along edges, as quantified path patterns.

`WITH RECURSIVE r(n, path) AS (SELECT a.id, ARRAY[a.id] .. UNION ALL SELECT t.dst, r.path || t.dst FROM r JOIN t
ON t.src = r.n WHERE NOT t.dst = ANY(r.path))`: the rows it starts with, and those rows beside every path from the node
that they name.  What the path may be is said by what the step asks of what it has: a list of the edges or of the nodes
that were visited, a number of steps.  Each column is then computed of the path.  Anything else is no graph query.

Where nothing keeps the walk from going round, a database does not end on a graph with cycles; on one without them the
walks are those that take no edge twice.  Facts: the references of PostgreSQL (queries, WITH), DuckDB and Oracle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.ir import (
    Apply,
    Cast,
    Expression,
    Join,
    Literal,
    Pipeline,
    Project,
    Property,
    Ref,
    Select,
    SetOperation,
    TableExpression,
    TableName,
)
from graphir.passes.aggregates import find_aggregates
from graphir.passes.names import Maker, names_in
from graphir.passes.selects.hops import Hop, hops_of, names_of
from graphir.passes.selects.scopes import Column, Common, NoGraphQuery, Scope, Table
from graphir.passes.selects.walks import FLIPPED, State, Walk
from graphir.passes.steps import Step

if TYPE_CHECKING:
    from graphir.passes.selects.tables import Tables
    from graphir.source import Span


def is_recursive(table: ir.CommonTable) -> bool:
    """Whether a common table names itself."""
    name = table.name.lower()
    return any(isinstance(node, TableName) and _is_named(node, name) for node in ir.walk(table.body))


def _is_named(table: TableExpression, name: str) -> bool:
    return isinstance(table, TableName) and len(table.name) == 1 and table.name[0].lower() == name


class Recursion:
    """One use of a recursive common table."""

    def __init__(self, tables: Tables, common: Common, table: TableName, asked: Expression | None) -> None:
        """`asked` is what is asked of the rows around, as it stands."""
        self.tables = tables
        self.common = common
        self.at = table
        self.asked = asked
        self.name = table.name[0].lower()

    def refused(self, told: str, at: Span | None = None) -> NoGraphQuery:
        return NoGraphQuery(f"WITH RECURSIVE is no graph query where {told}", at or self.common.body.span)

    # -------------------------------------------------------------- its parts

    def lowered(self) -> Step:
        """The steps that make its rows, its columns, and what it reads from around."""
        body = self.common.body
        if not isinstance(body, SetOperation) or body.kind != "union" or len(body.branches) != 2:
            raise self.refused("it is not a first query UNION what continues it")
        seed, step = body.branches
        if not isinstance(step, Select) or any(_is_named(node, self.name) for node in _tables(seed)):
            raise self.refused("it is not a first query UNION what continues it")
        start: Any = yield self.tables.body(seed, Scope(self.common.scope))
        states, conditions, hops = yield self.stepped(step, start)
        walk = Walk(self, states, conditions, hops, distinct=body.distinct)
        made = walk.operators(start, self.floor(walk))
        columns = [Column(state.name, state.variable) for state in states]
        return made, columns, start.free | self.free

    def stepped(self, step: Select, start: Any) -> Step:
        """The columns with their steps, the conditions of the step, and its hops."""
        plain = (step.grouping, step.having, step.qualify, step.windows or None, step.form)
        if any(each is not None for each in plain) or step.distinct or step.table is None:
            raise self.refused("its step is more than a join of what it has reached", step.span)
        scope = Scope(self.common.scope)
        maker = self.tables.maker
        names = self.common.columns or tuple([column.name or "" for column in start.columns])
        if len(names) != len(start.columns):
            raise self.refused("its names are not as many as its columns", self.at.span)
        reached = [maker.make("r") for _ in names]
        operators: list[ir.Operator] = []
        conditions: list[Expression] = []
        joins: list[Expression] = []
        found = False
        for leaf, condition in _joined(step.table):
            if condition is not None:
                joins.append(condition)
            if leaf is None:
                continue
            if not _is_named(leaf, self.name):
                operators += yield self.tables.table(leaf, scope)
                continue
            assert isinstance(leaf, TableName)
            if found or leaf.columns:
                raise self.refused("it names itself twice in a step", leaf.span)
            found = True
            columns = [Column(name, variable) for name, variable in zip(names, reached, strict=True)]
            scope.tables.append(Table(leaf.alias or leaf.name[0], columns))
        if not found:
            raise self.refused("it names itself elsewhere than behind FROM", step.span)
        for condition in [*joins, *([] if step.where is None else [step.where])]:
            conditions += _conjuncts((yield self.tables.resolve(condition, scope)))
        values: list[Expression] = []
        for item in step.items:
            if isinstance(item, ir.Star):
                raise self.refused("its step selects a star", item.span)
            values.append((yield self.tables.resolve(item.value, scope)))
        if len(values) != len(names) or any(next(iter(find_aggregates(value)), None) for value in values):
            raise self.refused("its step is more than a join of what it has reached", step.span)
        self.free = frozenset(scope.free()) - set(reached)
        hops: list[Hop] = yield hops_of(operators)
        if len(hops) == 1:
            hops[0], inner = _apart(hops[0], frozenset(reached), maker)
            conditions += inner
        firsts = _first_values(start, len(names))
        states = [State(*each) for each in zip(names, reached, firsts, values, strict=True)]
        return states, conditions, hops

    def floor(self, walk: Walk) -> int:
        """The number of steps that what asks for its rows wants at least."""
        found = 0
        name = self.at.alias or self.at.name[0]
        for condition in () if self.asked is None else _conjuncts(self.asked):
            match condition:
                case Apply(operator, (left, Literal(int(number)))) if operator in FLIPPED:
                    state = walk.counter(left, name)
                    if state is not None and operator in ("ge", "gt", "eq"):
                        found = max(found, number + (operator == "gt") - state)
        return found


def _tables(body: ir.Body) -> list[TableName]:
    return [node for node in ir.walk(body) if isinstance(node, TableName)]


def _joined(table: TableExpression) -> list[tuple[TableExpression | None, Expression | None]]:
    """The tables of an inner join and its conditions, from left to right."""
    found: list[tuple[TableExpression | None, Expression | None]] = []
    pending: list[TableExpression | Expression] = [table]
    while pending:
        part = pending.pop()
        if isinstance(part, Expression):
            found.append((None, part))
        elif isinstance(part, Join):
            if part.kind not in ("inner", "cross") or part.using is not None or part.natural:
                raise NoGraphQuery("WITH RECURSIVE is no graph query where its step is an outer join", part.span)
            pending += [*([] if part.on is None else [part.on]), part.right, part.left]
        else:
            found.append((part, None))
    return found


def _conjuncts(condition: Expression) -> list[Expression]:
    found: list[Expression] = []
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, Apply) and part.function == "and":
            pending.extend(reversed(part.args))
        else:
            found.append(part)
    return found


def _apart(hop: Hop, reached: frozenset[str], maker: Maker) -> tuple[Hop, list[Expression]]:
    """The hop without what its pattern asks of what was reached, and that, as conditions over columns."""
    values = dict(hop.values)
    elements = {name for part in ir.walk(hop.match) for name in names_in(part)} if hop.match is not None else set()
    kept: list[Expression] = []
    moved: list[Expression] = []

    def column(part: ir.Node) -> ir.Node | None:
        match part:
            case Property(Ref(name)) | Apply("elementId", (Ref(name),)) if name in elements:
                values[made := maker.make("c")] = part
                return Ref(made, span=part.span)
        return None

    where = [] if hop.match is None else [each.where for each in _elements(hop.match) if each.where is not None]
    for condition in [part for each in (*hop.filters, *where) for part in _conjuncts(each)]:
        if names_of(condition) & reached:
            moved.append(ir.rewrite_down(condition, column))
        else:
            kept.append(condition)
    if not moved:
        return hop, []
    assert hop.match is not None

    def bare(node: ir.Node) -> ir.Node:
        return replace(node, where=None) if isinstance(node, (ir.NodePattern, ir.EdgePattern)) else node

    return Hop(ir.rewrite(hop.match, bare), tuple(kept), values), moved


def _elements(match: ir.Match) -> list[ir.NodePattern | ir.EdgePattern]:
    return [part for part in ir.walk(match) if isinstance(part, (ir.NodePattern, ir.EdgePattern))]


def _text(value: Expression) -> Expression:
    """What is joined is a text, and no other as a text."""
    match value:
        case Cast(Apply("concat") as inner, ir.ValueType("STRING", size=None)):
            return inner
    return value


def _first_values(start: Any, width: int) -> list[Expression]:
    """What the first query selects; its columns by their names where it is more than a SELECT."""
    body = start.body
    last = body.operators[-1] if isinstance(body, Pipeline) else None
    if isinstance(last, Project) and not last.distinct and len(last.items) == width:
        return [_text(item.value) for item in last.items]
    return [Ref(column.variable) for column in start.columns]
