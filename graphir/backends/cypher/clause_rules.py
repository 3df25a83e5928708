"""Rewrites of statements and clauses: FILTER, LET, ORDER BY and LIMIT as clauses, NEXT, GROUP BY, FINISH, FOREACH."""

from __future__ import annotations

import dataclasses

from graphir import ir
from graphir.backends.cypher.context import Context, OperatorRule, Rule
from graphir.backends.cypher.features import created_and_read, reads_after_write
from graphir.backends.cypher.pattern_rules import conjoin
from graphir.backends.cypher.shadowing import captured
from graphir.functions import AGGREGATES
from graphir.ir import Expression, Node, Operator

_WRITES = (ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach)
_VERSIONS = {"neo4j-5": "5", "neo4j-25": "25"}


# ------------------------------------------------------------------ statements


def _version(context: Context, node: Node, original: Node) -> Node:
    """The prefix says which language the text is in: after translation that is the target."""
    assert isinstance(node, ir.Query)
    return dataclasses.replace(node, version=_VERSIONS.get(context.dialect))


def _options(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, ir.Query)
    context.approximate(node.options[0], "they choose how the query is run, not what it gives")
    return dataclasses.replace(node, options=())


def _next(context: Context, node: Node, original: Node) -> Node:
    """The RETURN before NEXT is the WITH of one pipeline; a UNION before the first NEXT becomes a subquery."""
    assert isinstance(node, ir.Next)
    operators: list[Operator] = []
    last = len(node.parts) - 1
    for at, part in enumerate(node.parts):
        if isinstance(part, ir.SetOperation) and at == 0:
            columns = _columns_of(context, part)
            operators.append(ir.SubqueryCall(part, span=part.span))
            operators.append(ir.Project(tuple([ir.Item(ir.Ref(name)) for name in columns])))
            continue
        if not isinstance(part, ir.Pipeline):
            raise context.refusal(part, "a part after NEXT works on all rows at once, a subquery on one row at a time")
        if at and isinstance(part.operators[0], ir.Use):
            raise context.refusal(part, "the graph changes within the query")
        result = part.operators[-1]
        if at < last and not (isinstance(result, ir.Project) and result.final):
            raise context.refusal(part, "a part without RETURN")
        operators += part.operators
        if at < last and isinstance(result, ir.Project):
            operators[-1] = dataclasses.replace(result, final=False, items=tuple([_named(x) for x in result.items]))
    return ir.Pipeline(tuple(operators), span=node.span)


def _named(item: ir.Item) -> ir.Item:
    if item.name is not None or isinstance(item.value, ir.Ref):
        return item
    return dataclasses.replace(item, name=item.text or "column")


def _columns_of(context: Context, body: ir.SetOperation) -> list[str]:
    """The columns of a UNION, refused where they are not written out."""
    branch: ir.Body = body.branches[0]
    while isinstance(branch, ir.SetOperation):
        branch = branch.branches[0]
    final = branch.operators[-1] if isinstance(branch, ir.Pipeline) and branch.operators else None
    if not isinstance(final, ir.Project) or final.star:
        raise context.refusal(body, "its columns are not written out")
    names = [item.name or (item.value.name if isinstance(item.value, ir.Ref) else None) for item in final.items]
    if not all(names):
        raise context.refusal(body, "a column without a name")
    return [name for name in names if name]


def _nested_union(context: Context, node: Node, original: Node) -> Node:
    """A UNION in braces as a subquery of its own."""
    assert isinstance(node, ir.SetOperation)
    branches: list[ir.Body] = []
    for branch in node.branches:
        if isinstance(branch, ir.Pipeline):
            branches.append(branch)
            continue
        if not isinstance(branch, ir.SetOperation):
            raise context.refusal(branch)
        columns = [ir.Item(ir.Ref(name), name) for name in _columns_of(context, branch)]
        call = ir.SubqueryCall(branch, span=branch.span)
        branches.append(ir.Pipeline((call, ir.Project(tuple(columns), final=True)), span=branch.span))
    return dataclasses.replace(node, branches=tuple(branches))


# ------------------------------------------------------------------ clauses that WITH can say


def _filter(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """FILTER as the WHERE of the clause before it, else of a WITH."""
    assert isinstance(node, ir.Filter)
    before = done[-1] if done else None
    free = isinstance(before, ir.Project) and not before.final and not captured((node.predicate,), before, done[:-1])
    if free or (isinstance(before, ir.Match) and not before.optional):
        assert isinstance(before, (ir.Project, ir.Match))
        done[-1] = dataclasses.replace(before, where=conjoin([before.where, node.predicate]))
        return []
    return [ir.Project((), star=True, where=node.predicate, span=node.span)]


def _let(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    assert isinstance(node, ir.Let)
    return [ir.Project(node.items, star=bool(context.scopes.before(original)) or bool(done), span=node.span)]


def _order(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    assert isinstance(node, ir.Order)
    before = done[-1] if done else None
    taken = isinstance(before, ir.Project) and captured(node.keys, before, done[:-1])
    if isinstance(before, ir.Project) and not (
        taken or before.final or before.order or before.skip or before.limit or before.where
    ):
        done[-1] = dataclasses.replace(before, order=node.keys)
        return []
    return [ir.Project((), star=True, order=node.keys, span=node.span)]


def _page(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """LIMIT with the ORDER BY before it: a WITH of its own would lose the order."""
    assert isinstance(node, ir.Page)
    before = done[-1] if done else None
    free = isinstance(before, ir.Project) and not before.final and before.where is None and before.limit is None
    if isinstance(before, ir.Project) and free and (node.skip is None or before.skip is None):
        skip = node.skip if node.skip is not None else before.skip
        done[-1] = dataclasses.replace(before, skip=skip, limit=node.limit)
        return []
    return [ir.Project((), star=True, skip=node.skip, limit=node.limit, span=node.span)]


def _read_after_write(context: Context, node: Node, original: Node) -> Node:
    """WITH * between a clause that writes and one that reads."""
    assert isinstance(node, ir.Pipeline)
    operators: list[Operator] = []
    for operator in node.operators:
        if operators and reads_after_write(operators[-1], operator):
            operators.append(ir.Project((), star=True, span=operator.span))
        operators.append(operator)
    return dataclasses.replace(node, operators=tuple(operators))


def _empty_query(context: Context, node: Node, original: Node) -> Node:
    return ir.Pipeline((ir.Finish(),), span=node.span)


def _empty_projection(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """Rows without columns, with a column that nobody reads."""
    assert isinstance(node, ir.Project)
    return [dataclasses.replace(node, items=(ir.Item(ir.Literal(None), context.fresh("row")),))]


def _aggregate(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    assert isinstance(node, ir.Aggregate)
    return [ir.Project((*node.keys, *node.aggregates), span=node.span)]


def _null_order(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """Nulls at the other end by a key before: false sorts before true."""
    assert isinstance(node, (ir.Order, ir.Project))
    keys: list[ir.SortKey] = []
    for key in node.keys if isinstance(node, ir.Order) else node.order:
        usual = "first" if key.descending else "last"
        if key.nulls != usual:
            test = "is_not_null" if key.nulls == "first" else "is_null"
            keys.append(ir.SortKey(ir.Apply(test, (key.value,)), span=key.span))
        keys.append(dataclasses.replace(key, nulls=usual))
    if isinstance(node, ir.Order):
        return [dataclasses.replace(node, keys=tuple(keys))]
    return [dataclasses.replace(node, order=tuple(keys))]


# ------------------------------------------------------------------ grouping


def _group_by(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """GROUP BY where the columns without an aggregate are the keys, or where the keys can be columns before it."""
    assert isinstance(node, ir.Project)
    assert node.group_by is not None
    if node.star:
        raise context.refusal(node, "with `*` the keys are not written out")
    aliases = {item.name: item.value for item in node.items if item.name is not None}
    keys = [aliases.get(key.name, key) if isinstance(key, ir.Ref) else key for key in node.group_by]
    plain = [item for item in node.items if not has_aggregate(item.value)]
    if not all(any(item.value == key for key in keys) for item in plain):
        raise context.refusal(node, "a column is neither a key nor an aggregate")
    missing = [key for key in keys if not any(item.value == key for item in plain)]
    if len(plain) == len(node.items) and node.items:
        if missing:
            raise context.refusal(node, "groups without an aggregate, of which not every key is a column")
        return [dataclasses.replace(node, group_by=None, distinct=True)]
    if not missing:
        return [dataclasses.replace(node, group_by=None)]
    return _group_before(context, node, missing)


def _group_before(context: Context, node: ir.Project, missing: list[Expression]) -> list[Operator]:
    """The grouping in a WITH that also has the keys which are no columns, then the projection without them."""
    names = [item.name or (item.value.name if isinstance(item.value, ir.Ref) else item.text) for item in node.items]
    if not all(names):
        raise context.refusal(node, "a column without a name")
    columns = [dataclasses.replace(x, name=name) for x, name in zip(node.items, names, strict=True)]
    hidden = [ir.Item(key, context.fresh("key")) for key in missing]
    reads = {x.name for key in node.order for x in ir.walk(key) if isinstance(x, ir.Ref)}
    if not reads <= set(names):
        raise context.refusal(node, "the order is by something that is no column")
    shown = tuple([ir.Item(ir.Ref(name or ""), name) for name in names])
    grouping = ir.Project((*columns, *hidden), span=node.span)
    return [grouping, dataclasses.replace(node, items=shown, group_by=None)]


def has_aggregate(expression: Expression) -> bool:
    """Whether an aggregate is applied in the expression, outside of subqueries."""
    pending: list[Node] = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Apply) and node.function in AGGREGATES:
            return True
        if not isinstance(node, ir.Subquery):
            pending.extend(ir.children(node))
    return False


# ------------------------------------------------------------------ the end of a query, loops


def _reading_the_created(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """CREATE in clauses of one pattern each: what an earlier clause has created may be read."""
    assert isinstance(node, (ir.Insert, ir.Merge))
    bound = set(context.scopes.before(original))
    if not created_and_read(node) - bound:
        return [node]
    if isinstance(node, ir.Merge):
        raise context.refusal(node, "MERGE matches its pattern as a whole")
    clauses: list[Operator] = []
    for path in node.paths:
        named = {x.variable for x in path.elements if not isinstance(x, ir.PathGroup) and x.variable}
        clauses.append(dataclasses.replace(node, paths=(path,)))
        read = {x.name for x in ir.walk(path) if isinstance(x, ir.Ref)}
        if read & created_and_read(node) - bound:
            raise context.refusal(path, "a pattern reads what it creates, or what is created after it")
        bound |= named
    return clauses


def _finish(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """A query that writes may end with the write."""
    if not done or not isinstance(done[-1], _WRITES):
        raise context.refusal(node, "a query that only reads has to return something")
    return []


def _foreach(context: Context, node: Operator, original: Operator, done: list[Operator]) -> list[Operator]:
    """FOREACH of one write at the end of the query as UNWIND: nothing is left that the rows could disturb."""
    assert isinstance(node, ir.Foreach)
    body = context.query.body
    if not isinstance(body, ir.Pipeline) or not body.operators or body.operators[-1] is not original:
        raise context.refusal(node, "UNWIND instead would change the rows of the clauses after it")
    if len(node.body) != 1:
        raise context.refusal(node, "its clauses run together for each element, after UNWIND one after the other")
    if node.variable in context.scopes.before(original):
        raise context.refusal(node, f"`{node.variable}` has another value outside")
    return [ir.Unwind(node.source, node.variable, span=node.span), node.body[0]]


RULES: dict[str, Rule] = {
    "cypher-5-prefix": _version,
    "cypher-25-prefix": _version,
    "query-options": _options,
    "next": _next,
    "nested-union": _nested_union,
    "read-after-write": _read_after_write,
    "empty-query": _empty_query,
}

OPERATOR_RULES: dict[str, OperatorRule] = {
    "filter": _filter,
    "let": _let,
    "order-clause": _order,
    "page-clause": _page,
    "aggregate-operator": _aggregate,
    "empty-projection": _empty_projection,
    "null-order": _null_order,
    "group-by": _group_by,
    "reading-the-created": _reading_the_created,
    "finish": _finish,
    "foreach": _foreach,
}
