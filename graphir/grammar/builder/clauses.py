"""Builds clauses and queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.lexical import decode_string
from graphir.ir import (
    Body,
    Conditional,
    Delete,
    EdgePattern,
    Entry,
    Expression,
    Filter,
    Finish,
    Foreach,
    Index,
    IndexHint,
    Insert,
    Item,
    JoinHint,
    LabelAnd,
    LabelDynamic,
    LabelExpression,
    LabelName,
    Let,
    Literal,
    LoadCsv,
    Match,
    Merge,
    MergeAction,
    Next,
    NodePattern,
    Operator,
    Order,
    Page,
    Parameter,
    Path,
    PathGroup,
    Pipeline,
    ProcedureCall,
    Project,
    Property,
    Query,
    Ref,
    Remove,
    RemoveLabels,
    RemoveProperty,
    Set,
    SetItem,
    SetLabels,
    SetOperation,
    SetProperties,
    SetProperty,
    SortKey,
    SubqueryCall,
    Transactions,
    Unwind,
    Use,
    VectorSearch,
    When,
    YieldItem,
)
from graphir.source import Span

# ------------------------------------------------------------------ statements


class Prefix(NamedTuple):
    """EXPLAIN, PROFILE and CYPHER with its version and options."""

    execution: str | None
    version: str | None
    options: tuple[Entry, ...]


def start(given: Prefix | None, body: Body, span: Span) -> Query:
    if given is None:
        return Query(body, span=span)
    return Query(body, given.execution, given.version, given.options, span=span)


def prefix(parts: list[Any]) -> Prefix:
    execution, version, options = None, None, ()
    for part in parts:
        if isinstance(part, str):
            execution = part.lower()
        else:
            version = part.version or version
            options += part.options
    return Prefix(execution, version, options)


def cypher_prefix(version: str | None, entries: list[Entry] | None) -> Prefix:
    return Prefix(None, version, tuple(entries or ()))


def options(entries: list[Entry]) -> list[Entry]:
    return entries


def option(key: str, value: str, span: Span) -> Entry:
    return Entry(key, Literal(value, span=span), span=span)


def next_(first: Body, rest: list[Body], span: Span, context: Context) -> Next:
    context.use("NEXT", span)
    return Next((first, *rest), span=span)


def union(quantifier: str | None, span: Span, context: Context) -> bool:
    """Whether the union is distinct."""
    if quantifier is None:
        return True
    if quantifier[0] in "dD":
        context.use("UNION DISTINCT", span)
        return True
    return False


def unions(first: Body, rest: list[Any], span: Span) -> SetOperation:
    result: list[Body] = [first]
    distinct = rest[0]
    for at in range(0, len(rest), 2):
        if rest[at] is not distinct:
            inner = Span(span.start, result[-1].span.end if result[-1].span else span.end)
            result = [SetOperation("union", distinct, tuple(result), span=inner)]
            distinct = rest[at]
        result.append(rest[at + 1])
    return SetOperation("union", distinct, tuple(result), span=span)


def conditional(branches: list[When], span: Span, context: Context) -> Conditional:
    context.use("conditional query", span)
    return Conditional(tuple(branches), span=span)


def conditional_else(branches: list[When], otherwise: Body, span: Span, context: Context) -> Conditional:
    context.use("conditional query", span)
    return Conditional((*branches, When(None, otherwise, span=otherwise.span)), span=span)


def braced(body: Body, span: Span, context: Context) -> Body:
    context.use("query in braces", span)
    return body


class Paging(NamedTuple):
    """ORDER BY, SKIP or LIMIT, before it is known whose: `rank` is their order, `value` the keys or the number."""

    rank: int
    value: Any
    where: Expression | None
    span: Span


def pipeline(clauses: list[Any], span: Span, context: Context) -> Pipeline:
    operators: list[Operator] = []
    at, end = 0, len(clauses)
    while at < end:
        clause = clauses[at]
        at += 1
        kind = type(clause)
        if kind is Project:
            first = at
            while at < end and type(clauses[at]) is Paging and _follows(clauses, first, at, clause):
                at += 1
            if at > first:
                clause = _with_paging(clause, clauses[first:at])
        elif kind is Paging:
            first = at - 1
            while at < end and type(clauses[at]) is Paging and _follows(clauses, first, at, None):
                at += 1
            operators += _paging_clauses(clauses[first:at], context)
            continue
        operators.append(clause)
    return Pipeline(tuple(operators), span=span)


def _follows(clauses: list[Any], first: int, at: int, project: Project | None) -> bool:
    """Does the paging clause at `at` continue what came before it?"""
    if at == first:
        return project is not None and project.where is None
    before = clauses[at - 1]
    return before.rank < clauses[at].rank and before.where is None


def _with_paging(project: Project, parts: Sequence[Paging]) -> Project:
    order: tuple[SortKey, ...] = ()
    skip = limit = None
    for part in parts:
        if part.rank == 0:
            order = part.value
        elif part.rank == 1:
            skip = part.value
        else:
            limit = part.value
    where = parts[-1].where
    if where is not None and project.final:
        raise refusal("RETURN takes no WHERE", where.span, hint="filter before RETURN, with WITH .. WHERE", code="G019")
    start, end = (project.span or parts[0].span).start, parts[-1].span.end
    return Project(
        project.items,
        project.final,
        project.star,
        project.distinct,
        project.group_by,
        order,
        skip,
        limit,
        where if where is not None else project.where,
        span=Span(start, end),
    )


def _paging_clauses(parts: Sequence[Paging], context: Context) -> list[Operator]:
    found: list[Operator] = []
    for part in parts:
        if part.where is not None:
            raise refusal("WHERE belongs to MATCH, WITH, YIELD or FILTER", part.where.span, code="G019")
    context.use("paging clause", parts[0].span)
    if parts[0].rank == 0:
        found.append(Order(parts[0].value, span=parts[0].span))
        parts = parts[1:]
    if parts:
        skip = parts[0].value if parts[0].rank == 1 else None
        limit = parts[-1].value if parts[-1].rank == 2 else None
        found.append(Page(skip, limit, span=Span(parts[0].span.start, parts[-1].span.end)))
    return found


# ------------------------------------------------------------------ reading


def match(
    optional: str | None,
    mode: str | None,
    paths: tuple[Path, ...],
    hints: list[Any] | None,
    search: VectorSearch | None,
    where: Expression | None,
    span: Span,
) -> Match:
    return Match(
        paths,
        where,
        optional is not None,
        mode or "different_edges",
        tuple(hints) if hints else (),
        search,
        span=span,
    )


def match_mode(keyword: str, span: Span, context: Context) -> str:
    context.use("match mode", span)
    return "repeatable_elements" if keyword[0] in "rR" else "different_edges"


def hints(found: list[Any]) -> list[Any]:
    return found


def index_hint(
    kind: str | None,
    seek: str | None,
    variable: str,
    label: str,
    properties: list[str],
    span: Span,
    context: Context,
) -> IndexHint:
    context.use("planner hint", span)
    if kind is not None and kind.upper() == "BTREE":
        context.use("USING BTREE INDEX", span)
    return IndexHint((kind or "index").lower(), variable, label, tuple(properties), seek is not None, span=span)


def scan_hint(variable: str, label: str, span: Span, context: Context) -> IndexHint:
    context.use("planner hint", span)
    return IndexHint("scan", variable, label, span=span)


def join_hint(variables: list[str], span: Span, context: Context) -> JoinHint:
    context.use("planner hint", span)
    return JoinHint(tuple(variables), span=span)


def search(
    variable: str,
    index: Expression,
    query: Expression,
    where: Expression | None,
    limit: Expression,
    score: str | None,
    span: Span,
    context: Context,
) -> VectorSearch:
    context.use("SEARCH", span)
    return VectorSearch(variable, index, query, where, limit, score, span=span)


def for_(variable: str, source: Expression, span: Span, context: Context) -> Unwind:
    context.use("FOR", span)
    return Unwind(source, variable, span=span)


def let(items: list[Item], span: Span, context: Context) -> Let:
    context.use("LET", span)
    return Let(tuple(items), span=span)


def let_item(name: str, value: Expression, span: Span) -> Item:
    return Item(value, name, span=span)


def filter_(predicate: Expression, span: Span, context: Context) -> Filter:
    context.use("FILTER", span)
    return Filter(predicate, span=span)


class Items(NamedTuple):
    star: bool
    items: tuple[Item, ...]


def items(first: Any, rest: Sequence[Item] = ()) -> Items:
    if isinstance(first, str):
        return Items(True, tuple(rest))
    return Items(False, (first, *rest))


def item(value: Expression, name: str | None, span: Span, context: Context) -> Item:
    if name is None:
        return Item(value, None, text=context.text[span.start : span.end], span=span)
    return Item(value, name, span=span)


def with_(
    quantifier: str | None,
    columns: Items,
    group_by: tuple[Expression, ...] | None,
    where: Expression | None,
    span: Span,
    context: Context,
) -> Project:
    distinct = _distinct(quantifier, span, context)
    return Project(columns.items, False, columns.star, distinct, group_by, where=where, span=span)


def return_(
    quantifier: str | None, columns: Items, group_by: tuple[Expression, ...] | None, span: Span, context: Context
) -> Project:
    return Project(columns.items, True, columns.star, _distinct(quantifier, span, context), group_by, span=span)


def _distinct(quantifier: str | None, span: Span, context: Context) -> bool:
    if quantifier is None:
        return False
    if quantifier[0] in "aA":
        context.use("ALL in a projection", span)
        return False
    return True


def group_by_nothing(span: Span, context: Context) -> tuple[Expression, ...]:
    context.use("GROUP BY", span)
    return ()


def group_by(keys: list[Expression], span: Span, context: Context) -> tuple[Expression, ...]:
    context.use("GROUP BY", span)
    return tuple(keys)


def order_by(keys: list[SortKey], where: Expression | None, span: Span) -> Paging:
    return Paging(0, tuple(keys), where, span)


def sort_item(value: Expression, direction: str | None, span: Span) -> SortKey:
    if direction is not None and direction[0] in "dD":
        return SortKey(value, True, "first", span=span)
    return SortKey(value, span=span)


def skip(count: Expression, where: Expression | None, span: Span, context: Context) -> Paging:
    if context.text[span.start] in "oO":
        context.use("OFFSET", span)
    return Paging(1, count, where, span)


def limit(count: Expression, where: Expression | None, span: Span) -> Paging:
    return Paging(2, count, where, span)


def finish(span: Span, context: Context) -> Finish:
    context.use("FINISH", span)
    return Finish(span=span)


def use(_: str | None, graph: Expression, span: Span, context: Context) -> Use:
    context.use("USE", span)
    return Use(graph, span=span)


def load_csv(
    headers: str | None, source: Expression, variable: str, terminator: str | None, span: Span, context: Context
) -> LoadCsv:
    context.use("LOAD CSV", span)
    separator = None if terminator is None else decode_string(terminator, context.dialect, span.end - len(terminator))
    return LoadCsv(source, variable, headers is not None, separator, span=span)


# ------------------------------------------------------------------ calls


def procedure_name(first: str, rest: Sequence[str] = ()) -> tuple[str, ...]:
    return (first, *rest)


def no_arguments() -> tuple[Expression, ...]:
    return ()


def procedure_arguments(args: list[Expression]) -> tuple[Expression, ...]:
    return tuple(args)


class Yield(NamedTuple):
    star: bool
    items: tuple[YieldItem, ...] | None
    where: Expression | None


def yield_all(mark: str, where: Expression | None, span: Span, context: Context) -> Yield:
    if mark == "-":
        context.use("YIELD -", span)
        return Yield(False, (), where)
    if where is not None:
        raise refusal("YIELD * takes no WHERE", where.span, code="G019")
    return Yield(True, None, where)


def yield_(items: list[YieldItem], where: Expression | None) -> Yield:
    return Yield(False, tuple(items), where)


def call_procedure(
    optional: str | None,
    name: tuple[str, ...],
    args: tuple[Expression, ...] | None,
    yields: Yield | None,
    span: Span,
    context: Context,
) -> ProcedureCall:
    if optional is not None:
        context.use("OPTIONAL CALL", span)
    if yields is None:
        return ProcedureCall(name, args, None, False, None, optional is not None, span=span)
    return ProcedureCall(name, args, yields.items, yields.star, yields.where, optional is not None, span=span)


class Scope(NamedTuple):
    star: bool
    names: tuple[str, ...]


def scope_nothing(span: Span, context: Context) -> Scope:
    context.use("CALL (..) { .. }", span)
    return Scope(False, ())


def scope_all(_: str, span: Span, context: Context) -> Scope:
    context.use("CALL (..) { .. }", span)
    return Scope(True, ())


def scope(names: list[str], span: Span, context: Context) -> Scope:
    context.use("CALL (..) { .. }", span)
    return Scope(False, tuple(names))


def call_subquery(
    optional: str | None,
    imports: Scope | None,
    body: Body,
    transactions: Transactions | None,
    span: Span,
    context: Context,
) -> SubqueryCall:
    context.use("CALL { .. }", span)
    if optional is not None:
        context.use("OPTIONAL CALL", span)
    names = None if imports is None else imports.names
    return SubqueryCall(
        body, names, imports is not None and imports.star, optional is not None, transactions, span=span
    )


class TransactionOption(NamedTuple):
    kind: str
    values: dict[str, Any]
    span: Span


def batch_option(size: Expression, span: Span) -> TransactionOption:
    return TransactionOption("OF ROWS", {"batch": size}, span)


def error_option(reaction: str, span: Span) -> TransactionOption:
    return TransactionOption("ON ERROR", {"on_error": reaction.lower()}, span)


def retry_option(reaction: str | None, span: Span) -> TransactionOption:
    return TransactionOption("ON ERROR", {"retry": True, "on_error": reaction and reaction.lower()}, span)


def retry_for_option(seconds: Expression, reaction: str | None, span: Span) -> TransactionOption:
    values = {"retry": True, "retry_seconds": seconds, "on_error": reaction and reaction.lower()}
    return TransactionOption("ON ERROR", values, span)


def report_option(name: str, span: Span) -> TransactionOption:
    return TransactionOption("REPORT STATUS", {"report": name}, span)


def transaction_options(given: list[TransactionOption]) -> list[TransactionOption]:
    return given


def transactions(given: list[TransactionOption] | None, span: Span, context: Context) -> Transactions:
    return _transactions({}, given, span, context)


def concurrent_transactions(
    concurrency: Expression | None, given: list[TransactionOption] | None, span: Span, context: Context
) -> Transactions:
    context.use("CONCURRENT TRANSACTIONS", span)
    return _transactions({"concurrent": True, "concurrency": concurrency}, given, span, context)


def _transactions(
    values: dict[str, Any], given: list[TransactionOption] | None, span: Span, context: Context
) -> Transactions:
    context.use("IN TRANSACTIONS", span)
    kinds: set[str] = set()
    for one in given or ():
        if one.kind in kinds:
            raise refusal(f"{one.kind} stands twice", one.span)
        kinds.add(one.kind)
        if one.values.get("retry"):
            context.use("ON ERROR RETRY", one.span)
        values |= one.values
    return Transactions(**values, span=span)


# ------------------------------------------------------------------ writing


def create(paths: tuple[Path, ...], span: Span) -> Insert:
    return Insert(paths, span=span)


def insert(paths: tuple[Path, ...], span: Span, context: Context) -> Insert:
    context.use("INSERT", span)
    for path in paths:
        _check_inserted(path, context)
    return Insert(paths, keyword="INSERT", span=span)


def _check_inserted(path: Path, context: Context) -> None:
    """INSERT takes GQL's forms only: one label expression of names and `&`, `[..]` in every relationship, no name."""
    if path.variable is not None:
        raise refusal("INSERT takes no path variable", path.span, hint="write CREATE")
    if path.selector is not None or path.mode is not None:
        raise refusal("INSERT takes no path selector", path.span)
    for element in path.elements:
        if type(element) is NodePattern:
            _check_inserted_labels(element.labels)
        elif type(element) is EdgePattern:
            if element.span and "[" not in context.text[element.span.start : element.span.end]:
                raise refusal("a relationship in INSERT has a type", element.span, hint="write -[:TYPE]->")
            if element.hops is not None or element.quantifier is not None:
                raise refusal("a relationship in INSERT has no length", element.span)
            if element.labels is not None and type(element.labels) is not LabelName:
                raise refusal("a relationship in INSERT has one type", element.labels.span)
        else:
            raise refusal("INSERT takes no parenthesized path", element.span)
        if not isinstance(element, PathGroup):
            if element.where is not None:
                raise refusal("INSERT takes no WHERE", element.where.span, code="G019")
            if type(element.properties) is Parameter:
                raise refusal("INSERT takes no parameter for properties", element.properties.span, hint="write CREATE")


def _check_inserted_labels(labels: LabelExpression | None) -> None:
    operands = labels.operands if type(labels) is LabelAnd else (labels,)
    if type(labels) is LabelAnd and labels.legacy:
        raise refusal("labels in INSERT are joined by `&`", labels.span, hint="write `:A&B`, or CREATE")
    for operand in operands:
        if operand is not None and type(operand) is not LabelName:
            raise refusal("INSERT takes label names only", operand.span)


def merge(path: Path, actions: list[MergeAction] | None, span: Span) -> Merge:
    return Merge(path, tuple(actions or ()), span=span)


def merge_actions(actions: list[MergeAction]) -> list[MergeAction]:
    return actions


def merge_action(event: str, items: Set, span: Span) -> MergeAction:
    return MergeAction(event.lower(), items.items, span=span)


def set_(items: list[SetItem], span: Span) -> Set:
    _check_is(items, "SET")
    return Set(tuple(items), span=span)


def _use_dynamic(target: Index, context: Context) -> None:
    span = target.span or Span(0, 0)
    context.use("dynamic property", span)
    if type(target.base) in (Property, Index) and target.base.span and target.base.span.start == span.start:
        context.use("dynamic property of a property", span)


def set_value(target: Expression, value: Expression, span: Span, context: Context) -> SetItem:
    if type(target) is Property:
        return SetProperty(target, value, span=span)
    if type(target) is Index:
        _use_dynamic(target, context)
        return SetProperty(target, value, span=span)
    if type(target) is Ref:
        return SetProperties(target, value, span=span)
    raise refusal("SET changes a property, a variable or labels", target.span)


def set_merge(target: Expression, value: Expression, span: Span) -> SetProperties:
    if type(target) is not Ref:
        raise refusal("`+=` adds properties to a variable", target.span)
    return SetProperties(target, value, True, span=span)


def _check_is(items: Sequence[SetItem | RemoveProperty | RemoveLabels], clause: str) -> None:
    """IS and several labels do not go together in one clause."""
    found = [item for item in items if type(item) is SetLabels or type(item) is RemoveLabels]
    several = [item for item in found if len(item.labels) > 1]
    single = [item for item in found if item.keyword == "IS"]
    if several and single:
        raise refusal(f"IS and several labels cannot stand in one {clause}", single[0].span, hint="write `:` for IS")


def _plain_labels(
    target: Expression, labels: LabelExpression, keyword: str, clause: str, context: Context
) -> tuple[LabelName | LabelDynamic, ...]:
    if type(target) is not Ref:
        raise refusal(f"{clause} changes the labels of a variable", target.span)
    operands = labels.operands if type(labels) is LabelAnd and labels.legacy else (labels,)
    if keyword == "IS" and len(operands) > 1:
        raise refusal(f"IS takes one label in {clause}", labels.span, hint="write `:A:B`")
    found: list[LabelName | LabelDynamic] = []
    for operand in operands:
        if type(operand) is LabelName or (type(operand) is LabelDynamic and _is_plain(operand, context)):
            found.append(operand)
        else:
            raise refusal(f"{clause} takes labels, not a label expression", operand.span, hint="write `:A:B`")
    return tuple(found)


def _is_plain(label: LabelDynamic, context: Context) -> bool:
    """Is it `$(..)`, without `all` or `any`?"""
    start = label.span.start if label.span else 0
    return context.text[start + 1 : context.text.index("(", start)].isspace() or context.text[start + 1] == "("


def set_labels(target: Expression, labels: LabelExpression, span: Span, context: Context) -> SetLabels:
    return SetLabels(target, _plain_labels(target, labels, ":", "SET", context), span=span)


def set_labels_is(target: Expression, labels: LabelExpression, span: Span, context: Context) -> SetLabels:
    context.use("IS label", span)
    return SetLabels(target, _plain_labels(target, labels, "IS", "SET", context), keyword="IS", span=span)


def remove(items: list[RemoveProperty | RemoveLabels], span: Span) -> Remove:
    _check_is(items, "REMOVE")
    return Remove(tuple(items), span=span)


def remove_property(target: Expression, span: Span, context: Context) -> RemoveProperty:
    if type(target) is Index:
        _use_dynamic(target, context)
        return RemoveProperty(target, span=span)
    if type(target) is not Property:
        raise refusal("REMOVE takes a property or labels", target.span)
    return RemoveProperty(target, span=span)


def remove_labels(target: Expression, labels: LabelExpression, span: Span, context: Context) -> RemoveLabels:
    return RemoveLabels(target, _plain_labels(target, labels, ":", "REMOVE", context), span=span)


def remove_labels_is(target: Expression, labels: LabelExpression, span: Span, context: Context) -> RemoveLabels:
    context.use("IS label", span)
    return RemoveLabels(target, _plain_labels(target, labels, "IS", "REMOVE", context), keyword="IS", span=span)


def delete(mode: str | None, items: list[Expression], span: Span, context: Context) -> Delete:
    if mode is not None and mode[0] in "nN":
        context.use("NODETACH", span)
    detach = mode is not None and mode[0] in "dD"
    return Delete(tuple(items), "detach" if detach else "nodetach", span=span)


def foreach(variable: str, source: Expression, body: list[Operator], span: Span, context: Context) -> Foreach:
    context.use("FOREACH", span)
    return Foreach(variable, source, tuple(body), span=span)
