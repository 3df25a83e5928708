"""Operators and bodies: a handler per class makes rows of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build
from graphir.backends.sql.aggregates import aggregate
from graphir.backends.sql.build import Sql
from graphir.backends.sql.combining import chosen
from graphir.backends.sql.conversions import convert, grouping_key, null_term
from graphir.backends.sql.expressions import elements, lower, lower_all, truth
from graphir.backends.sql.functions import number_series
from graphir.backends.sql.gql_aggregates import operands
from graphir.backends.sql.lowering import Scope
from graphir.backends.sql.optional import outer_joined
from graphir.backends.sql.patterns import conjuncts as split
from graphir.backends.sql.patterns import lower_conjuncts, match
from graphir.backends.sql.procedures import columns_of, lower_procedure
from graphir.backends.sql.reps import (
    EDGE,
    INTEGER,
    NODE,
    NULL,
    OPEN,
    ListRep,
    Rep,
    is_native_key,
    list_of,
    unify,
)
from graphir.backends.sql.rows import (
    UNIT,
    Block,
    Rows,
    SortTerm,
    close,
    distinct,
    finish_page,
    first_of_group,
    list_columns,
    page,
    settle,
)
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.ir.names import MARK


def returns(body: ir.Body) -> bool:
    """Whether a body has a result."""
    pipeline = ir.last_pipeline(body)
    operators = pipeline.operators if pipeline is not None else ()
    first = operators[0] if len(operators) == 1 else None
    if isinstance(first, ir.ProcedureCall):
        return bool(columns_of(first))
    return any(isinstance(each, ir.Project) and each.final for each in operators)


# ------------------------------------------------------------------ bodies


def lower_body(body: ir.Body, rows: Rows, block: Block) -> Rows:
    """What a body makes of the rows it begins with."""
    if isinstance(body, ir.Pipeline):
        for operator in body.operators:
            rows = apply(operator, rows, block)
        return rows
    if isinstance(body, ir.SetOperation):
        return _set_operation(body, rows, block)
    if isinstance(body, ir.Next):
        for part in body.parts:
            rows = settle(lower_body(part, rows, block), block)
        return rows
    if isinstance(body, ir.Conditional):
        return _conditional(body, rows, block)
    block.lowering.refuse("G602", f"the engine cannot run `{body.op}` yet", body)
    return None


def apply(operator: ir.Operator, rows: Rows, block: Block) -> Rows:
    """One operator on the rows."""
    handler = OPERATORS.get(type(operator))
    if handler is None:
        block.lowering.refuse("G602", f"the engine cannot run `{operator.op}` here", operator)
    return handler(operator, rows, block)


def _set_operation(
    body: ir.SetOperation, rows: Rows, block: Block, begin: Callable[[ir.Body], Rows] | None = None
) -> Rows:
    """UNION and its like; `begin` gives the rows of a branch where they are not the same for all."""
    if not rows.is_unit:
        rows = close(rows, block, kept=True)
    starts = [rows if begin is None else begin(branch) for branch in body.branches]
    if body.kind == "union":
        return _united(body.branches, starts, block, once=body.distinct)
    return unite(_lowered(body.branches, starts, block), block, once=body.distinct, kind=body.kind)


def _conditional(body: ir.Conditional, rows: Rows, block: Block) -> Rows:
    """WHEN: a row goes to the first branch whose condition is true of it."""
    if not rows.is_unit:
        rows = close(rows, block, kept=True)
    starts: list[Rows] = []
    passed: list[Sql] = []
    for branch in body.branches:
        tests = [build.case([(each.copy(), build.boolean(False))], build.boolean(True)) for each in passed]
        if branch.condition is not None:
            condition = truth(block.lowering, lower(branch.condition, block.scope(rows))).sql
            passed.append(condition)
            tests.append(condition.copy())
        starts.append(replace(rows, conditions=(*rows.conditions, *tests)))
    return _united([branch.body for branch in body.branches], starts, block)


def _united(bodies: Sequence[ir.Body], starts: Sequence[Rows], block: Block, *, once: bool = False) -> Rows:
    """The rows of bodies, one after the other."""
    return unite(_lowered(bodies, starts, block), block, once=once)


def _lowered(bodies: Sequence[ir.Body], starts: Sequence[Rows], block: Block) -> list[tuple[Rows, Block]]:
    done = []
    for body, start in zip(bodies, starts, strict=True):
        inner = Block(block.lowering, block.outer, inside=block.inside)
        done.append((lower_body(body, start, inner), inner))
    return done


def unite(done: Sequence[tuple[Rows, Block]], block: Block, *, once: bool, kind: str = "union") -> Rows:
    """Rows with the same variables, each with the block that it stands in, one after the other; `once`: equivalent
    rows become one.  `kind`: another set operation, which keeps some of them.

    Of equivalent rows that are not the same, 1 and 1.0, the first one stays: then the order has to be known.
    """
    lowering = block.lowering
    names = list(done[0][0].names)
    reps = {name: unify([made.names[name].rep for made, _ in done]) for name in names}
    ordered = kind == "union" and once and not all(is_native_key(rep) for rep in reps.values())
    queries: list[Sql] = []
    for number, (made, inner) in enumerate(done):
        terms = [convert(lowering, _again(made.names[name]), reps[name]) for name in names]
        columns = [build.alias(term.sql, f"c{at}") for at, term in enumerate(terms)]
        if kind != "union":
            columns.append(build.alias(build.number(number), "part"))
        elif ordered:
            keys = made.ordering(lowering)
            place = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=keys) if keys else None)
            columns += [build.alias(build.number(number), "part"), build.alias(place, "place")]
        query = made.select(columns or [build.alias(build.number(1), "one")])
        if made.stated:
            finish_page(query, made, lowering, None, None)
        whole = inner.finish(query)
        if lowering.abilities.bridges or any(whole.args.get(each) for each in ("with_", "order", "limit", "offset")):
            whole = build.select([exp.Star()], [build.derived(whole, lowering.fresh("u"))])
        queries.append(whole)
    alias = lowering.fresh("t")
    label = block.add(build.union(queries))
    named = {name: Term(build.column(f"c{at}", alias), reps[name]) for at, name in enumerate(names)}
    order = [SortTerm(Term(build.column(each, alias), INTEGER)) for each in ("part", "place")] if ordered else []
    united = Rows((build.table(label, alias),), (), named, tuple(order))
    if kind != "union":
        return chosen(kind, united, build.column("part", alias), len(done), block, distinct=once)
    return distinct(united, block) if once else united


def _again(term: Term) -> Term:
    return Term(term.again(), term.rep, term.constant, present=term.present)


# ------------------------------------------------------------------ reading


def _match(operator: ir.Match, rows: Rows, block: Block) -> Rows:
    rows = settle(rows, block)
    return _optional(operator, rows, block) if operator.optional else match(operator, rows, block)


def _optional(operator: ir.Match, rows: Rows, block: Block) -> Rows:
    return join_optional(rows, block, lambda inner: match(replace(operator, optional=False), inner, block))


def join_optional(rows: Rows, block: Block, extend: Callable[[Rows], Rows]) -> Rows:
    """The rows as `extend` extends them; those it drops stay, with nulls."""
    lowering = block.lowering
    if rows.is_unit:
        one = build.derived(build.select([build.alias(build.number(1), "one")]), lowering.fresh("t"))
        return _joined(Rows((one,)), extend(rows), rows, block)
    base = close(rows, block)
    table = block.tables[-1]
    number, source = "rid", base.sources[0].alias
    row = lowering.fresh(MARK + "row")
    inner = replace(base, names={**base.names, row: Term(build.column(number, source), INTEGER, present=True)})
    extended = extend(inner)
    if not lowering.abilities.bridges:
        plainly = outer_joined(base, extended, _fresh(extended, inner), block)
        if plainly is not None:
            return plainly
    table.set("materialized", True)
    table.this.append("expressions", build.alias(exp.Window(this=exp.RowNumber()), number))
    return _joined(base, extended, inner, block, (number, extended.names[row]))


def _fresh(extended: Rows, before: Rows) -> list[str]:
    """The variables that only the extended rows have."""
    return [name for name in extended.names if name not in before.names]


def _joined(base: Rows, extended: Rows, before: Rows, block: Block, row: tuple[str, Term] | None = None) -> Rows:
    """`base` beside what `extended` adds to the rows before; `row`: the column of `base` with the number of a row, and
    this number in the extended rows."""
    alias = block.lowering.fresh("t")
    listed = list_columns(replace(extended, order=()), block.lowering, alias, _fresh(extended, before), present=False)
    columns, same = list(listed.columns), build.boolean(True)
    if row is not None:
        number, term = row
        columns.insert(0, build.alias(term.again(), number))
        same = build.equal(build.column(number, base.sources[0].alias), build.column(number, alias))
    label = block.add(extended.select(columns or [build.alias(build.number(1), "one")]))
    join = build.left_join(build.table(label, alias), same)
    return replace(base, sources=(*base.sources, join), names={**base.names, **listed.names})


def _filter(operator: ir.Filter, rows: Rows, block: Block) -> Rows:
    rows = settle(rows, block)
    conditions = lower_conjuncts(split(operator.predicate), block.scope(rows), rows.conditions, rows.sources)
    return replace(rows, conditions=(*rows.conditions, *conditions))


def _let(operator: ir.Let, rows: Rows, block: Block) -> Rows:
    rows = settle(rows, block)
    for item in operator.items:
        rows = replace(rows, names={**rows.names, item.name or "": lower(item.value, block.scope(rows))})
        rows = settle(rows, block)
    return rows


def _unwind(operator: ir.Unwind, rows: Rows, block: Block) -> Rows:
    """A row for each element, in order; null gives none, another value one."""
    lowering = block.lowering
    rows = settle(rows, block)
    numbers = _constant_range(operator.source, block.scope(rows))
    if numbers is not None:
        return _unwound(operator, rows, numbers, INTEGER, block)
    source = lower(operator.source, block.scope(rows))
    if source.rep == NULL:
        made = [name for name in (operator.variable, operator.ordinality, operator.offset) if name is not None]
        names = {**rows.names, **{name: null_term() for name in made}}
        return replace(rows, conditions=(*rows.conditions, build.boolean(False)), names=names)
    if source.rep in OPEN:
        source = lowering.bridge("items", [source], list_of(source.rep), operator)
    elif not isinstance(source.rep, ListRep):
        source = Term(build.array([source.sql]), list_of(source.rep))
    source = elements(lowering, source)
    assert isinstance(source.rep, ListRep)
    if not lowering.abilities.bridges:
        alias = lowering.fresh("u")
        return _beside(operator, rows, build.unwound(source.sql, alias, source.rep.element), source.rep.element, block)
    listed = lowering.fresh("l")
    columns = [
        build.alias(build.call("unnest", build.column(listed)), "x"),
        build.alias(build.call("generate_subscripts", build.column(listed), build.number(1)), "i"),
    ]
    inner = build.derived(build.select([build.alias(source.sql, listed)]), lowering.fresh("u"))
    return _unwound(operator, rows, build.select(columns, [inner]), source.rep.element, block)


def _constant_range(source: ir.Expression, scope: Scope) -> Sql | None:
    """`range()` of constants as rows: no list is made of them."""
    if not isinstance(source, ir.Apply) or source.function != "range" or not scope.lowering.abilities.bridges:
        return None
    terms = lower_all(source.args, scope)
    series = number_series(terms) if all(isinstance(term.constant, int) for term in terms) else None
    if series is None:
        return None
    called = series.sql
    first = called.expressions[0]
    step = called.expressions[2] if len(called.expressions) > 2 else build.number(1)
    number = build.column("generate_series")
    passed = build.binary(exp.IntDiv, build.binary(exp.Sub, number, first.copy()), step.copy())
    columns = [build.alias(number.copy(), "x"), build.alias(build.binary(exp.Add, passed, build.number(1)), "i")]
    return build.select(columns, [exp.Table(this=called.copy())])


def _unwound(operator: ir.Unwind, rows: Rows, elements_: Sql, rep: Rep, block: Block) -> Rows:
    """The rows beside a query of elements `x` at positions `i`."""
    alias = block.lowering.fresh("u")
    return _beside(operator, rows, build.derived(elements_, alias, lateral=bool(rows.sources)), rep, block)


def _beside(operator: ir.Unwind, rows: Rows, query: Sql, rep: Rep, block: Block) -> Rows:
    """The rows beside a source of elements."""
    alias = query.args["alias"].this.this
    position = Term(build.column("i", alias), INTEGER, present=True)
    names = {**rows.names, operator.variable: Term(build.column("x", alias), rep)}
    if operator.ordinality is not None:
        names[operator.ordinality] = Term(position.again(), INTEGER, present=True)
    if operator.offset is not None:
        names[operator.offset] = Term(build.binary(exp.Sub, position.again(), build.number(1)), INTEGER, present=True)
    order = (*rows.order, SortTerm(position))
    return settle(replace(rows, sources=(*rows.sources, query), names=names, order=order), block)


# ------------------------------------------------------------------ projection


def _project(operator: ir.Project, rows: Rows, block: Block) -> Rows:
    rows = settle(rows, block)
    scope = block.scope(rows)
    names = {item.name or "": lower(item.value, scope) for item in operator.items}
    made = replace(rows, names=names)
    return distinct(made, block) if operator.distinct else made


def _aggregate(operator: ir.Aggregate, rows: Rows, block: Block) -> Rows:
    lowering = block.lowering
    rows, keys, arguments = _aggregated(operator, settle(rows, block), block)
    alias = lowering.fresh("t")
    listed = list_columns(replace(rows, names=keys, order=()), lowering, alias)
    group = [grouping_key(lowering, term) or term.again() for term in keys.values() if term.constant is UNKNOWN]
    order = rows.ordering(lowering)
    chosen = {term.sql.name for term in listed.names.values() if not is_native_key(term.rep)}
    columns = [_grouped(each, group, order if each.alias in chosen else []) for each in listed.columns]
    names = dict(listed.names)
    for item, terms in zip(operator.aggregates, arguments, strict=True):
        assert isinstance(item.value, ir.Apply)
        made = aggregate(item.value, terms, order, lowering)
        label = lowering.fresh("c")
        columns.append(build.alias(made.sql, label))
        names[item.name or ""] = Term(build.column(label, alias), made.rep, present=made.present)
    query = build.gathering(build.select(columns, rows.sources, rows.conditions, group=group))
    if operator.keys and not group:
        some = build.binary(exp.GT, exp.Count(this=exp.Star()), build.number(0))
        query.set("having", exp.Having(this=some))
    label = block.add(query)
    return Rows((build.table(label, alias),), (), names)


def _aggregated(operator: ir.Aggregate, rows: Rows, block: Block) -> tuple[Rows, dict[str, Term], list[list[Term]]]:
    """What is grouped by and what is aggregated, in a row.

    Inside of another query they are made columns first: an aggregate of nothing but outer columns would count as the
    outer query's.  So are keys that are computed, where targets may not see that two expressions are the same, and what
    has a query inside, which cannot stand twice in an aggregate.
    """
    lowering = block.lowering
    scope, queries = block.scope(rows), lowering.queries
    keys = {item.name or "": lower(item.value, scope) for item in operator.keys}
    arguments = [
        lower_all(operands(item.value), scope) for item in operator.aggregates if isinstance(item.value, ir.Apply)
    ]
    computed = not lowering.abilities.bridges and not all(term.is_cheap for term in keys.values())
    computed = computed or lowering.queries != queries
    if not block.is_inside and not computed:
        return rows, keys, arguments
    named = {f"{MARK}{at}.{place}": term for at, each in enumerate(arguments) for place, term in enumerate(each)}
    closed = close(replace(rows, names={**keys, **named}), block)
    return (
        closed,
        {name: closed.names[name] for name in keys},
        [[closed.names[f"{MARK}{at}.{place}"] for place in range(len(each))] for at, each in enumerate(arguments)],
    )


def _grouped(column: Sql, group: list[Sql], order: list[Sql]) -> Sql:
    """A column of the keys: itself where it is grouped by, else taken from any row of the group."""
    value = column.this
    if any(value == key for key in group):
        return column
    return first_of_group(column, order)


def _order(operator: ir.Order, rows: Rows, block: Block) -> Rows:
    rows = settle(rows, block)
    scope = block.scope(rows)
    keys = [SortTerm(lower(key.value, scope), key.descending, (key.nulls == "first")) for key in operator.keys]
    for key, term in zip(operator.keys, keys, strict=True):
        if not block.lowering.catalog.numbered and term.term.rep in (NODE, EDGE):
            block.lowering.refuse("G560", "nodes and relationships have no order in these tables", key.value)
    rows = replace(rows, order=tuple(keys), stated=True)
    if not block.lowering.abilities.bridges and not all(key.term.is_cheap for key in keys):
        return close(rows, block)  # not every target sorts by a query
    return rows


def _page(operator: ir.Page, rows: Rows, block: Block) -> Rows:
    rows = settle(rows, block)
    skip, limit = (_count(each, block) for each in (operator.skip, operator.limit))
    return page(rows, block, skip, limit)


def _count(node: ir.Expression | None, block: Block) -> Sql | None:
    """SKIP's or LIMIT's number: no variable is read."""
    if node is None:
        return None
    lowering = block.lowering
    term = lower(node, block.scope(UNIT))
    if term.rep == INTEGER and isinstance(term.constant, int) and term.constant >= 0:
        return build.number(term.constant)
    checked = lowering.bridge("row_count", [term], INTEGER, node)
    if not lowering.abilities.bridges:
        return checked.sql
    return build.scalar(build.select([checked.sql]))


# ------------------------------------------------------------------ calls


def _call(operator: ir.SubqueryCall, rows: Rows, block: Block) -> Rows:
    """CALL: the body runs for every row."""
    lowering = block.lowering
    rows = settle(rows, block)
    if operator.transactions is not None:
        lowering.refuse("G602", "CALL .. IN TRANSACTIONS is not supported by the engine", operator)
    if not returns(operator.body):
        lowering.refuse("G602", "a CALL without RETURN is not supported here", operator)
    inner, made = _call_body(operator, block.scope(rows))
    alias = lowering.fresh("s")
    listed = list_columns(replace(made, order=()), lowering, alias, present=not operator.optional)
    query = made.select(listed.columns or [build.alias(build.number(1), "one")])
    if made.stated:
        finish_page(query, made, lowering, None, None)
    source = build.derived(inner.finish(query), alias, lateral=True)
    if operator.optional:
        joined = build.left_join(source, build.boolean(True))
        if not rows.sources:
            rows = close(rows, block)
        return replace(rows, sources=(*rows.sources, joined), names={**rows.names, **listed.names})
    if not rows.sources:
        source = build.derived(source.this.this, alias)
    return replace(rows, sources=(*rows.sources, source), names={**rows.names, **listed.names})


def _call_body(operator: ir.SubqueryCall, scope: Scope) -> tuple[Block, Rows]:
    """What the body of a CALL gives for a row.  It sees of the row what it imports, and nothing else."""
    if operator.imports is not None:
        inner = Block(scope.lowering, {name: scope.find(ir.Ref(name, span=operator.span)) for name in operator.imports})
        return inner, lower_body(operator.body, UNIT, inner)
    inner = Block(scope.lowering, inside=True)

    def begin(body: ir.Body) -> Rows:
        """The old form imports by a leading WITH."""
        first = body.operators[0] if isinstance(body, ir.Pipeline) and body.operators else None
        if not isinstance(first, ir.Project) or first.final:
            return UNIT
        return Rows(names={ref.name: scope.find(ref) for item in first.items if isinstance(ref := item.value, ir.Ref)})

    if isinstance(operator.body, ir.SetOperation):
        return inner, _set_operation(operator.body, UNIT, inner, begin)
    return inner, lower_body(operator.body, begin(operator.body), inner)


OPERATORS: dict[type[ir.Operator], Callable[..., Rows]] = {
    ir.Match: _match,
    ir.Filter: _filter,
    ir.Let: _let,
    ir.Unwind: _unwind,
    ir.Project: _project,
    ir.Aggregate: _aggregate,
    ir.Order: _order,
    ir.Page: _page,
    ir.SubqueryCall: _call,
    ir.Finish: lambda operator, rows, block: rows,
    ir.ProcedureCall: lambda operator, rows, block: lower_procedure(operator, settle(rows, block), block),
}
"""Operators that only read.  Those that write are the engine's matter."""
