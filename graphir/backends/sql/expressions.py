"""Expressions of core IR to terms: a handler per class.

`lower` is the only way down; it takes two frames of Python's stack a level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, functions, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.comparisons import compare
from graphir.backends.sql.conversions import aligned, constant, convert, encoded, null_term, opened
from graphir.backends.sql.lowering import Lowering, Scope
from graphir.backends.sql.reps import (
    ANYTHING,
    BOOLEAN,
    DATE,
    DURATION,
    DYNAMIC,
    EDGE,
    INTEGER,
    LOCAL_DATETIME,
    NODE,
    NULL,
    OPEN,
    ListRep,
    MapRep,
    Rep,
    datatype,
    holds_entities,
    join,
    list_of,
    map_of,
)
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.ir import Expression
from graphir.ir.names import MARK
from graphir.values.numbers import MAX_INTEGER

SUBJECT = MARK + "case"
"""The name in a scope under which the subject of a CASE stands."""


def lower(node: Expression, scope: Scope) -> Term:
    """The expression as a term, where the variables mean what `scope` says."""
    handler = HANDLERS.get(type(node))
    if handler is None:
        scope.lowering.refuse("G602", f"the engine cannot evaluate `{node.op}` yet", node)
    return handler(node, scope)


def lower_truth(node: Expression, scope: Scope) -> Sql:
    """A predicate, as SQL of BOOLEAN."""
    return truth(scope.lowering, lower(node, scope)).sql


def truth(lowering: Lowering, term: Term) -> Term:
    """The term as a boolean; of another type it is a fault at run time."""
    return convert(lowering, term, BOOLEAN)


def lower_all(nodes: Sequence[Expression], scope: Scope) -> list[Term]:
    return [lower(node, scope) for node in nodes]


# ------------------------------------------------------------------ atoms


def _literal(node: ir.Literal, scope: Scope) -> Term:
    if isinstance(node.value, int) and not -(1 << 63) <= node.value < 1 << 63:
        scope.lowering.refuse("G602", "integers are of 64 bits", node)
    return constant(node.value)


def _parameter(node: ir.Parameter, scope: Scope) -> Term:
    return scope.lowering.parameter(node.name, node)


def _ref(node: ir.Ref, scope: Scope) -> Term:
    return scope.find(node)


def _keyword(node: ir.Keyword, scope: Scope) -> Term:
    return constant(node.name)


# ------------------------------------------------------------------ access


def _property(node: ir.Property, scope: Scope) -> Term:
    if isinstance(node.base, ir.Ref) and (base := scope.at(node.base)).rep in (NODE, EDGE):
        return scans.read_property(scope.lowering, base, node.key)
    return access(lower(node.base, scope), node.key, scope, node)


def access(base: Term, key: str, scope: Scope, node: Expression) -> Term:
    """`base.key`."""
    lowering = scope.lowering
    if base.rep == NULL:
        return null_term()
    if base.rep in (NODE, EDGE):
        return scans.read_property(lowering, base, key)
    if isinstance(base.rep, MapRep):
        if key not in base.rep.keys:
            return null_term()
        at = base.rep.keys.index(key)
        return Term(build.noted(build.field(base.sql, f"f{at}"), base.rep.values[at]), base.rep.values[at])
    if base.rep == ANYTHING:
        return _of_entity_or(base, key, scope, node)
    return lowering.bridge("property", [base, constant(key)], functions.component(base.rep, key), node)


def _of_entity_or(base: Term, key: str, scope: Scope, node: Expression) -> Term:
    """A property of what may be a node, an edge or a map."""
    lowering = scope.lowering

    def choose(value: Term) -> Term:
        plain = lowering.bridge("property", [Term(value.again(), ANYTHING), constant(key)], ANYTHING, node)
        branches: list[tuple[Sql, Sql]] = []
        for rep in (NODE, EDGE):
            element = lowering.bridge(f"as_{rep.name}", [Term(value.again(), ANYTHING)], rep, safe=True)
            found = scans.read_property(lowering, element, key)
            if found.rep != NULL:
                branches.append((_is_kind(lowering, value, rep), opened(lowering, found, ANYTHING).sql))
            else:
                branches.append((_is_kind(lowering, value, rep), null_term(ANYTHING).sql))
        return Term(build.case(branches, plain.sql), ANYTHING)

    return bind(lowering, base, choose)


def _is_kind(lowering: Lowering, value: Term, rep: Rep) -> Sql:
    element = lowering.bridge(f"as_{rep.name}", [Term(value.again(), value.rep)], rep, safe=True)
    return build.is_not_null(element.sql)


def bind(lowering: Lowering, value: Term, use: Callable[[Term], Term], queries: int | None = None) -> Term:
    """What `use` makes of a value that it may mention several times, while its SQL stands once.

    `queries`: how many there were before anything that `use` puts in was lowered, where that is not now.
    """
    if value.is_cheap:
        return use(value)
    name = lowering.fresh("v")
    queries = lowering.queries if queries is None else queries
    made = use(Term(build.column(name), value.rep, present=value.present))
    if lowering.queries != queries or not lowering.abilities.lambdas:
        source = build.held([build.alias(value.sql, name)], lowering.fresh("u"))
        lowering.queries += 1
        return Term(build.scalar(build.select([made.sql], [source])), made.rep)
    listed = build.call("list_transform", build.array([value.sql]), build.function(name, made.sql))
    return Term(build.call("list_extract", listed, build.number(1)), made.rep)


def as_map(lowering: Lowering, base: Term) -> Term:
    """An element as the map of its properties; any other value as it is."""
    if base.rep in (NODE, EDGE):
        return scans.read_property(lowering, base, scans.PROPERTIES)
    if base.rep != ANYTHING:
        return base

    def choose(value: Term) -> Term:
        branches: list[tuple[Sql, Sql]] = []
        for rep in (NODE, EDGE):
            element = lowering.bridge(f"as_{rep.name}", [Term(value.again(), ANYTHING)], rep, safe=True)
            found = scans.read_property(lowering, element, scans.PROPERTIES)
            branches.append((_is_kind(lowering, value, rep), opened(lowering, found, ANYTHING).sql))
        return Term(build.case(branches, value.again()), ANYTHING)

    return bind(lowering, base, choose)


def _index(node: ir.Index, scope: Scope) -> Term:
    base, index = lower(node.base, scope), lower(node.index, scope)
    lowering = scope.lowering
    if NULL in (base.rep, index.rep):
        return null_term()
    if isinstance(index.constant, str) and (base.rep in (NODE, EDGE, ANYTHING) or isinstance(base.rep, MapRep)):
        return access(base, index.constant, scope, node)
    if isinstance(base.rep, ListRep) and index.rep == INTEGER:
        at = _position(index)
        if at is not None:
            taken = build.call("list_extract", base.sql, at)
            return Term(build.noted(taken, base.rep.element), base.rep.element)
    if base.rep in (NODE, EDGE, ANYTHING):
        base = as_map(lowering, base)
    return lowering.bridge("index", [base, index], functions.element_of(base.rep), node)


def _position(index: Term) -> Sql | None:
    """Where SQL, which counts from 1, has an element; the largest integer stays as it is, for no list is that long."""
    if isinstance(index.constant, int):
        return build.number(index.constant + (0 <= index.constant < MAX_INTEGER))
    if not index.is_cheap:
        return None
    kept = [
        build.binary(exp.LT, index.sql, build.number(0)),
        build.equal(index.again(), build.number(MAX_INTEGER)),
    ]
    following = build.binary(exp.Add, index.again(), build.number(1))
    return build.case([(build.disjunction(kept), index.again())], following)


def _slice(node: ir.Slice, scope: Scope) -> Term:
    base = lower(node.base, scope)
    bounds = [constant(0) if bound is None else lower(bound, scope) for bound in (node.low, node.high)]
    if base.rep == NULL or any(
        bound.rep == NULL and bound_ is not None for bound, bound_ in zip(bounds, (node.low, node.high), strict=True)
    ):
        return null_term()
    low, high = (bound.constant for bound in bounds)
    result = base.rep if isinstance(base.rep, ListRep) else functions.opened_like(base.rep)
    if isinstance(base.rep, ListRep) and isinstance(low, int) and isinstance(high, int) and low >= 0 and high >= 0:
        ends = [build.number(low + 1)] + ([] if node.high is None else [build.number(high)])
        last = build.number(high) if node.high is not None else build.number((1 << 31) - 1)
        return Term(build.noted(build.call("list_slice", base.sql, ends[0], last), result), result)
    if node.high is None:
        return scope.lowering.bridge("slice_from", [base, bounds[0]], result, node)
    return scope.lowering.bridge("slice", [base, *bounds], result, node)


# ------------------------------------------------------------------ lists and maps


def _list(node: ir.ListOf, scope: Scope) -> Term:
    return make_list(scope.lowering, lower_all(node.items, scope))


def make_list(lowering: Lowering, items: Sequence[Term]) -> Term:
    """A list of the terms."""
    terms, rep = aligned(lowering, items)
    values = [item.constant for item in items]
    known: Any = UNKNOWN if any(value is UNKNOWN for value in values) else values
    sql: Sql = build.noted(build.array([term.sql for term in terms]), list_of(rep))
    if not items or rep == NULL:
        sql = build.cast(sql, datatype(list_of(rep)))
    return Term(sql, list_of(rep), known, present=True)


def _map(node: ir.MapOf, scope: Scope) -> Term:
    return make_map({entry.key: lower(entry.value, scope) for entry in node.entries})


def make_map(entries: dict[str, Term]) -> Term:
    """A map of the terms."""
    if not entries:
        return encoded({})
    values = {key: term.constant for key, term in entries.items()}
    known: Any = UNKNOWN if any(value is UNKNOWN for value in values.values()) else values
    keys = sorted(entries)
    rep = map_of(keys, [entries[key].rep for key in keys])
    fields = [(f"f{at}", entries[key].sql) for at, key in enumerate(keys)]
    return Term(build.noted(build.structure(fields), rep), rep, known, present=True)


def _map_projection(node: ir.MapProjection, scope: Scope) -> Term:
    lowering = scope.lowering
    base = lower(node.base, scope)
    if base.rep == NULL:
        return null_term()
    if base.rep not in (NODE, EDGE) and not isinstance(base.rep, MapRep) and base.rep not in OPEN:
        lowering.refuse("G602", f"a map projection of a {base.rep}", node)
    entries = {item.key: lower(item.value, scope) for item in node.items if isinstance(item, ir.Entry)}
    made = make_map(entries)
    if any(isinstance(item, ir.ProjectedAll) for item in node.items):
        everything = as_map(lowering, base)
        result = ANYTHING if holds_entities(made.rep) or everything.rep == ANYTHING else DYNAMIC
        return lowering.bridge("merge_maps", [everything, made], result, node)
    if base.present:
        return made
    return Term(build.case([(build.is_not_null(base.again()), made.sql)]), made.rep)


# ------------------------------------------------------------------ functions on lists


def elements(lowering: Lowering, source: Term) -> Term:
    """A list, from what must be one."""
    if isinstance(source.rep, ListRep):
        return source
    if source.rep == NULL:
        return null_term(list_of(NULL))
    return convert(lowering, source, list_of(source.rep if source.rep in OPEN else DYNAMIC))


def _each(
    scope: Scope,
    source: Term,
    variable: str,
    where: Expression | None,
    body: Callable[[Scope], Term] | None,
) -> Term:
    """The list of `body` over the elements of a list that satisfy `where`."""
    lowering = scope.lowering
    source = elements(lowering, source)
    assert isinstance(source.rep, ListRep)
    name = lowering.fresh("x")
    element = Term(build.column(name), source.rep.element)
    inner = scope.extended({variable: element})
    queries = lowering.queries
    test = lower_truth(where, inner) if where is not None else None
    made = body(inner) if body is not None else element
    if lowering.queries != queries or not lowering.abilities.lambdas:
        return _each_by_query(lowering, source, name, test, made)
    sql = source.sql
    if test is not None:
        sql = build.call("list_filter", sql, build.function(name, test))
    if body is not None:
        sql = build.call("list_transform", sql, build.function(name, made.sql))
    return Term(sql, list_of(made.rep), present=source.present)


def _each_by_query(lowering: Lowering, source: Term, name: str, test: Sql | None, made: Term) -> Term:
    """The same as a query over the elements: bodies with a query in them."""
    lowering.queries += 1
    listed, at = lowering.fresh("l"), lowering.fresh("i")
    if lowering.abilities.bridges:
        columns = [
            build.alias(build.call("unnest", build.column(listed)), name),
            build.alias(build.call("generate_subscripts", build.column(listed), build.number(1)), at),
        ]
        rows = build.derived(build.select(columns), lowering.fresh("u"))
    else:
        assert isinstance(source.rep, ListRep)
        items = lowering.fresh("u")
        columns = [build.alias(build.column("x", items), name), build.alias(build.column("i", items), at)]
        unwound = build.unwound(build.column(listed), items, source.rep.element)
        rows = build.derived(build.select(columns, [unwound]), lowering.fresh("u"))
    value, place = lowering.fresh("y"), lowering.fresh("i")
    each = [build.alias(made.sql, value), build.alias(build.column(at), place)]
    kept = build.derived(build.select(each, [rows], [] if test is None else [test]), lowering.fresh("u"))
    gathered = exp.ArrayAgg(this=exp.Order(this=build.column(value), expressions=[build.ordered(build.column(place))]))
    build.noted(gathered, list_of(made.rep))
    inner = build.select([gathered], [kept])
    rep = list_of(made.rep)
    empty = build.cast(build.array([]), datatype(rep))
    made_list = exp.Coalesce(this=build.scalar(inner), expressions=[empty])
    whole = build.case([(build.is_not_null(build.column(listed)), made_list)])
    outer = build.derived(build.select([build.alias(source.sql, listed)]), lowering.fresh("u"))
    return Term(build.scalar(build.select([whole], [outer])), rep, present=source.present)


EACH = MARK + "each"


def each_of(lowering: Lowering, source: Term, body: Callable[[Term], Term]) -> Term:
    """The list of what `body` makes of the elements of a list."""
    return _each(Scope(lowering, {}), source, EACH, None, lambda inner: body(inner.names[EACH]))


def _comprehension(node: ir.ListComprehension, scope: Scope) -> Term:
    source = lower(node.source, scope)
    body = node.body
    return _each(scope, source, node.variable, node.where, None if body is None else lambda inner: lower(body, inner))


def _quantified(node: ir.Quantified, scope: Scope) -> Term:
    source = lower(node.source, scope)
    if source.rep == NULL:
        return null_term(BOOLEAN)
    predicate = node.predicate or ir.Ref(node.variable, span=node.span)
    if not scope.lowering.abilities.lambdas:
        return _quantified_by_query(node, source, predicate, scope)
    tests = _each(scope, source, node.variable, None, lambda inner: truth(scope.lowering, lower(predicate, inner)))
    return scope.lowering.bridge(f"quantified_{node.kind}", [tests], BOOLEAN, node)


def _quantified_by_query(node: ir.Quantified, source: Term, predicate: Expression, scope: Scope) -> Term:
    """The same as a query that counts the elements of which the predicate is true, false and unknown."""
    from graphir.backends.sql.plain import fold  # it builds on this module's neighbours

    lowering = scope.lowering
    source = elements(lowering, source)
    assert isinstance(source.rep, ListRep)
    element = source.rep.element
    made = fold(
        lowering,
        source,
        lambda x: (lower_truth(predicate, scope.extended({node.variable: Term(x, element)})), []),
        kind=node.kind,
    )
    return Term(made, BOOLEAN)


def _reduce(node: ir.Reduce, scope: Scope) -> Term:
    lowering = scope.lowering
    source = elements(lowering, lower(node.source, scope))
    assert isinstance(source.rep, ListRep)
    initial = lower(node.initial, scope)
    rep = join(initial.rep, lowering.reduced.get(id(node), NULL))  # known where one around it is lowered again
    accumulator, element = lowering.fresh("a"), lowering.fresh("x")
    while True:
        names = {
            node.accumulator: Term(build.column(accumulator), rep),
            node.variable: Term(build.column(element), source.rep.element),
        }
        queries = lowering.queries
        body = lower(node.body, scope.extended(names))
        joined = join(rep, body.rep)
        if joined == rep:
            break
        rep = lowering.reduced[id(node)] = joined
    start = convert(lowering, Term(initial.sql, initial.rep, initial.constant), rep)
    if lowering.queries != queries or not lowering.abilities.lambdas:
        return _reduced_by_query(lowering, source, (accumulator, element), convert(lowering, body, rep), start)
    step = build.function([accumulator, element], convert(lowering, body, rep).sql)
    return Term(build.call("list_reduce", source.sql, step, start.sql), rep)


def _reduced_by_query(lowering: Lowering, source: Term, names: tuple[str, str], body: Term, start: Term) -> Term:
    """The same as a recursive query that has the next element at each step: bodies with a query in them.

    The step reads the recursive table itself, and not in a query inside, which SQLite would not allow.
    """
    lowering.queries += 1
    assert isinstance(source.rep, ListRep)
    held = source.rep.element
    accumulator, element = names
    label, listed, at = lowering.fresh("r"), lowering.fresh("l"), lowering.fresh("i")

    def taken(place: Sql) -> Sql:
        return build.noted(build.call("list_extract", build.column(listed), place), held)

    given = build.derived(build.select([build.alias(source.sql, listed)]), lowering.fresh("u"))
    first = build.select(
        [
            build.column(listed),
            build.alias(build.number(0), at),
            build.alias(start.sql, accumulator),
            build.alias(taken(build.number(1)), element),
        ],
        [given],
    )
    step = build.select(
        [
            build.column(listed),
            build.binary(exp.Add, build.column(at), build.number(1)),
            body.sql,
            taken(build.binary(exp.Add, build.column(at), build.number(2))),
        ],
        [build.table(label)],
        [build.binary(exp.LT, build.column(at), build.call("len", build.column(listed)))],
    )
    columns = [build.name(each) for each in (listed, at, accumulator, element)]
    table = exp.CTE(this=build.union([first, step]), alias=exp.TableAlias(this=build.name(label), columns=columns))
    ended = build.equal(build.column(at), build.call("len", build.column(listed)))
    query = build.select([build.column(accumulator)], [build.table(label)], [ended])
    query.set("with_", exp.With(expressions=[table], recursive=True))
    return Term(build.scalar(query), start.rep)


# ------------------------------------------------------------------ choice


def _case(node: ir.Case, scope: Scope) -> Term:
    if node.subject is None:
        return _choice(node, scope, None)
    subject = lower(node.subject, scope)
    return bind(scope.lowering, subject, lambda value: _choice(node, scope, value))


def _choice(node: ir.Case, scope: Scope, subject: Term | None) -> Term:
    lowering = scope.lowering
    inner = scope if subject is None else scope.extended({SUBJECT: subject})
    tests: list[Sql] = []
    results: list[Term] = []
    for branch in node.branches:
        alternatives = [_test(test, inner, subject) for test in branch.tests]
        tests.append(build.disjunction(alternatives))
        results.append(lower(branch.result, scope))
    results.append(null_term() if node.default is None else lower(node.default, scope))
    terms, rep = aligned(lowering, results)
    branches = list(zip(tests, [term.sql for term in terms], strict=False))
    return Term(build.case(branches, terms[-1].sql), rep)


def _test(test: Expression, scope: Scope, subject: Term | None) -> Sql:
    if subject is None or any(isinstance(part, ir.CaseSubject) for part in ir.walk(test)):
        return lower_truth(test, scope)
    copied = Term(subject.again(), subject.rep, subject.constant, present=subject.present)
    return compare(scope.lowering, "eq", copied, lower(test, scope), test).sql


def _case_subject(node: ir.CaseSubject, scope: Scope) -> Term:
    return scope.find(ir.Ref(SUBJECT, span=node.span))


# ------------------------------------------------------------------ types and labels


def has_labels(node: ir.HasLabels, scope: Scope) -> Term:
    """`n:A|B`: native for nodes and edges, by the reference function for what may be one."""
    lowering = scope.lowering
    base = lower(node.base, scope)
    if base.rep == NULL:
        return null_term(BOOLEAN)
    if base.rep in (NODE, EDGE):
        return Term(scans.satisfies(lowering, base, node.labels), BOOLEAN, present=base.present)
    if base.rep != ANYTHING:
        lowering.refuse("G602", f"labels of a {base.rep}", node)

    def choose(value: Term) -> Term:
        branches: list[tuple[Sql, Sql]] = []
        for rep in (NODE, EDGE):
            element = lowering.bridge(f"as_{rep.name}", [Term(value.again(), ANYTHING)], rep, safe=True)
            branches.append((_is_kind(lowering, value, rep), scans.satisfies(lowering, element, node.labels)))
        return Term(build.case(branches), BOOLEAN)

    return bind(lowering, base, choose)


def _logical(node: ir.Apply, scope: Scope) -> Term:
    """AND, OR and XOR.  An operand that may fail is not looked at where those before it decide."""
    lowering = scope.lowering
    decisive = {"and": False, "or": True}.get(node.function)
    made = truth(lowering, lower(node.args[0], scope))
    present = made.present
    for argument in node.args[1:]:
        risks, queries = lowering.risks, lowering.queries
        operand = truth(lowering, lower(argument, scope))
        present = present and operand.present
        if decisive is None:
            made = Term(build.binary(exp.NEQ, made.sql, operand.sql), BOOLEAN)
            continue
        join_ = build.disjunction if decisive else build.conjunction
        if lowering.risks == risks:
            made = Term(join_([made.sql, operand.sql]), BOOLEAN)
            continue
        made = bind(lowering, made, lambda first, second=operand: _guarded(first, second, decisive), queries)  # type: ignore[misc]
    return Term(made.sql, BOOLEAN, present=present)


def _guarded(first: Term, second: Term, decisive: bool) -> Term:
    """Both or either, where the second may fail and counts only if the first does not decide."""
    test = first.sql if decisive else build.negation(first.sql)
    both = build.disjunction if decisive else build.conjunction
    return Term(build.case([(test, build.boolean(decisive))], both([first.again(), second.sql])), BOOLEAN)


def apply_function(node: ir.Apply, scope: Scope) -> Term:
    """An operator or function."""
    if node.function in ("and", "or", "xor"):
        return _logical(node, scope)
    if node.function == "neg" and isinstance(node.args[0], ir.Literal):
        number = node.args[0].value
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return _literal(ir.Literal(-number, span=node.span), scope)
    terms = lower_all(node.args, scope)
    if node.function in _MAKING_MOMENTS:
        return _added(node, terms, scope)
    return functions.apply(node.function, terms, scope, node)


_MAKING_MOMENTS = {"moment_add": "add", "moment_sub": "sub"}
"""An operator that makes a moment of a date and an INTERVAL (`graphir.passes.gql.intervals`) -> the one of Cypher."""


def _added(node: ir.Apply, terms: list[Term], scope: Scope) -> Term:
    """A sum of GoogleSQL, from the left."""
    made, *others = terms
    for other in others:
        made = _moment(node, made, other, scope)
    return made


def _moment(node: ir.Apply, left: Term, right: Term, scope: Scope) -> Term:
    """A date to which an INTERVAL is added is a moment at midnight, unlike in Cypher."""
    lowering = scope.lowering
    open_ = [term.rep in OPEN for term in (left, right)]
    if any(open_) and all(term.rep in (*OPEN, DATE, DURATION) for term in (left, right)):
        return lowering.bridge(node.function, [left, right], DYNAMIC, node)
    if {left.rep, right.rep} == {DATE, DURATION}:
        left, right = (
            lowering.bridge("midnight", [term], LOCAL_DATETIME, node, safe=True) if term.rep == DATE else term
            for term in (left, right)
        )
    return functions.apply(_MAKING_MOMENTS[node.function], [left, right], scope, node)


HANDLERS: dict[type[Expression], Callable[..., Term]] = {
    ir.Literal: _literal,
    ir.Parameter: _parameter,
    ir.Ref: _ref,
    ir.Keyword: _keyword,
    ir.Property: _property,
    ir.Index: _index,
    ir.Slice: _slice,
    ir.ListOf: _list,
    ir.MapOf: _map,
    ir.MapProjection: _map_projection,
    ir.Apply: apply_function,
    ir.Case: _case,
    ir.CaseSubject: _case_subject,
    ir.ListComprehension: _comprehension,
    ir.Quantified: _quantified,
    ir.Reduce: _reduce,
}
"""A module with further expressions adds its handlers here when it is imported."""
