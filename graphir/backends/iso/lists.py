"""Lists in GQL: what Cypher says of their elements is a query over them, by FOR.

`EXISTS { FOR x IN list FILTER .. }` asks for an element, `VALUE { FOR x IN list .. RETURN COLLECT_LIST(..) }` makes a
list of what is no null.  Where the list is null, nothing is gone through; a test says so where that matters.
"""

from __future__ import annotations

from collections.abc import Callable

from graphir import ir, types
from graphir.backends.iso.expressions import (
    FALSE,
    FALSITY,
    HANDLERS,
    NULL,
    TRUE,
    TRUTH,
    Translator,
    apply,
    conjunction,
    otherwise_null,
)
from graphir.backends.iso.kinds import Known
from graphir.backends.iso.sharing import once

SMALL = 6
"""The number of nodes up to which an expression is written several times."""
REPEATED = 64
"""The same for a condition on the elements of a list, of which it has to be known whether it is null."""


def going_through(
    translator: Translator, name: str, source: ir.Expression, items: ir.Expression | None = None
) -> tuple[Translator, Callable[..., ir.Expression]]:
    """The translator of what is asked of each element of a list, and what makes EXISTS of a condition on them.

    `items`: the list as it is written, where it is not the translated source.
    """
    if not translator.target.over_lists or not translator.target.exists:
        raise translator.refusal("list-operation", source, "a condition on the items of a list")
    inner, shown = translator.inside(name, of_element(translator, source))
    unwind = ir.Unwind(translator.value(source) if items is None else items, shown)

    def exists(condition: ir.Expression | None) -> ir.Expression:
        operators: list[ir.Operator] = [unwind]
        if condition is not None:
            operators.append(ir.Filter(condition))
        operators.append(ir.Project((ir.Item(ir.Ref(shown)),), final=True))
        return ir.Subquery("exists", ir.Pipeline(tuple(operators)))

    return inner, exists


def of_element(translator: Translator, source: ir.Expression) -> Known:
    found = translator.type(source)
    nullable = translator.job.kinds.element_nullable(source, translator.env)
    return Known(types.element_of(found & types.LIST) if found & types.LIST else types.ANY, nullable)


# ------------------------------------------------------------------ conditions on elements


def quantified(translator: Translator, node: ir.Quantified, mode: int) -> ir.Expression:
    """all, any, none, single."""
    if node.predicate is None:
        raise translator.refusal("list-operation", node, f"`{node.kind}` without a condition")
    if node.kind == "single":
        raise translator.refusal("list-operation", node, "`single`")
    return once(translator, [translator.value(node.source)], lambda items: _quantified(translator, node, mode, items))


def _quantified(translator: Translator, node: ir.Quantified, mode: int, source: ir.Expression) -> ir.Expression:
    """The same of a list that may be written several times."""
    assert node.predicate is not None
    inner, exists = going_through(translator, node.variable, node.source, source)
    absent = translator.nullable(node.source)
    predicate = node.predicate
    wanted = node.kind == "any"

    def some_true() -> ir.Expression:
        return exists(inner.value(predicate, TRUTH))

    def some_false() -> ir.Expression:
        return exists(ir.Apply("not", (inner.value(predicate, FALSITY),)))

    def some_not(*, truth: bool) -> ir.Expression:
        return exists(_unless(translator, inner.value(predicate), truth))

    found = some_false if node.kind == "all" else some_true
    if not inner.nullable(predicate):
        made = found() if wanted else apply("not", found())
        if not absent:
            return made
        if mode == TRUTH:
            return made if wanted else conjunction([apply("is_not_null", source), made]) or made
        return otherwise_null(source, made)
    if mode == TRUTH:
        if wanted:
            return some_true()
        made = apply("not", some_not(truth=node.kind == "all"))
        return conjunction([apply("is_not_null", source), made]) or made if absent else made
    if mode == FALSITY:
        made = some_not(truth=False) if wanted else apply("not", found())
        return apply("or", apply("is_null", source), made) if absent else made
    if not ir.at_most(predicate, REPEATED):
        raise translator.refusal("list-operation", node, "a long condition that may be null")
    unknown = exists(apply("is_null", inner.value(predicate)))
    branches = [ir.Branch((found(),), TRUE if wanted else FALSE), ir.Branch((unknown,), NULL)]
    if absent:
        branches.insert(0, ir.Branch((apply("is_null", source),), NULL))
    return ir.Case(None, tuple(branches), FALSE if wanted else TRUE)


def _unless(translator: Translator, condition: ir.Expression, truth: bool) -> ir.Expression:
    """That a condition is not TRUE, or not FALSE."""
    if translator.target.truth:
        return apply("not", apply("is_true" if truth else "is_false", condition))
    given = apply("coalesce", condition, FALSE if truth else TRUE)
    return apply("not", given) if truth else given


def membership(translator: Translator, node: ir.Apply, mode: int) -> ir.Expression:
    """IN: a disjunction of comparisons, or a query over the list."""
    sought, source = node.args
    if translator.target.membership:
        return ir.Apply("in", (translator.value(sought), translator.value(source)), span=node.span)
    if isinstance(source, ir.ListOf) and (ir.at_most(sought, SMALL) or len(source.items) < 2):
        if not source.items:
            return FALSE
        value = translator.value(sought)
        tests = tuple([ir.Apply("eq", (value, translator.value(item)), span=item.span) for item in source.items])
        return tests[0] if len(tests) == 1 else ir.Apply("or", tests, span=node.span)
    name = translator.job.maker.make("x")
    inner, exists = going_through(translator, name, source)
    test = ir.Apply("eq", (inner.value(ir.Ref(name)), inner.value(sought)))
    absent = translator.nullable(source)
    whole = translator.value(source)
    element = of_element(translator, source)
    unsure = element.nullable or translator.nullable(sought)
    if mode == TRUTH or not (unsure or absent):
        return exists(test)
    if mode == FALSITY:
        made = exists(_unless(translator, test, False))
        return apply("or", apply("is_null", whole), made) if absent else made
    branches = [ir.Branch((exists(test),), TRUE), ir.Branch((exists(apply("is_null", test)),), NULL)]
    if absent:
        branches.insert(0, ir.Branch((apply("is_null", whole),), NULL))
    return ir.Case(None, tuple(branches), FALSE)


# ------------------------------------------------------------------ lists of lists


def comprehension(translator: Translator, node: ir.ListComprehension, _mode: int) -> ir.Expression:
    """What is made of the elements for which a condition holds."""
    inner, shown = translator.inside(node.variable, of_element(translator, node.source))
    body = node.body or ir.Ref(node.variable)
    operators: list[ir.Operator] = [ir.Unwind(translator.value(node.source), shown)]
    if node.where is not None:
        operators.append(ir.Filter(inner.condition(node.where)))
    if inner.nullable(body) and not translator.target.collects:
        raise translator.refusal("list-comprehension", node, "a list that may hold nulls")
    found = collected(translator, operators, inner.value(body))
    return otherwise_null(translator.value(node.source), found) if translator.nullable(node.source) else found


def collected(translator: Translator, operators: list[ir.Operator], item: ir.Expression) -> ir.Expression:
    """The list of a value for each row."""
    name = translator.job.maker.make("item")
    unsaid = isinstance(operators[0], ir.Unwind) and not translator.target.over_lists
    if translator.target.subquery is None or unsaid:
        raise translator.refusal("list-comprehension", item, "a list that is made of others")
    if translator.target.collects:
        project = ir.Project((ir.Item(item, name),), final=True)
        return ir.Subquery("collect", ir.Pipeline((*operators, project)))
    project = ir.Project((ir.Item(apply("collect", item), name),), final=True)
    return ir.Subquery("value", ir.Pipeline((*operators, project)))


def pattern_comprehension(translator: Translator, node: ir.PatternComprehension, _mode: int) -> ir.Expression:
    """A list of a value for each match of a pattern."""
    clauses = translator.clauses()
    operators = clauses.match(ir.Match((node.path,), node.where, span=node.span))
    inner = clauses.translator()
    if inner.nullable(node.body) and not translator.target.collects:
        raise translator.refusal("list-comprehension", node, "a list that may hold nulls")
    return collected(translator, list(operators), inner.value(node.body))


def element_at(translator: Translator, node: ir.Index, _mode: int) -> ir.Expression:
    """An element of a list, counted from 0; a negative number counts from the end."""
    base, at = node.base, node.index
    if isinstance(at, ir.Literal) and isinstance(at.value, str):
        return translator.value(ir.Property(base, at.value, span=node.span))
    if translator.target.subscripts and (translator.target.dynamic or not translator.type(base) & ~types.LIST):
        return ir.Index(translator.value(base), translator.value(at), span=node.span)
    if translator.type(base) & ~types.LIST:
        raise translator.refusal("list-access", node, "this index")
    place: ir.Expression = translator.value(at)
    if not (isinstance(at, ir.Literal) and type(at.value) is int and at.value >= 0):
        negative = at.args[0] if isinstance(at, ir.Apply) and at.function == "neg" else None
        if not isinstance(negative, ir.Literal):
            raise translator.refusal("list-access", node, "an index that is no number")
        place = apply("sub", apply("size", translator.value(base)), negative)
    return chosen(translator, base, lambda offset: apply("eq", offset, place))


def chosen(
    translator: Translator,
    source: ir.Expression,
    test: Callable[[ir.Expression], ir.Expression],
    items: ir.Expression | None = None,
) -> ir.Expression:
    """The element of a list at the place for which the test holds, null where there is none.  `items`: the list as it
    is written, where it is not the translated source."""
    unwind, item, offset = numbered(translator, source, items)
    project = ir.Project((ir.Item(ir.Ref(item), None),), final=True)
    return ir.Subquery("value", ir.Pipeline((unwind, ir.Filter(test(ir.Ref(offset))), project)))


def numbered(
    translator: Translator, source: ir.Expression, items: ir.Expression | None = None
) -> tuple[ir.Unwind, str, str]:
    """FOR over a list with the places, and the names of an element and of its place."""
    target = translator.target
    if not target.positions or not target.over_lists or target.subquery is None:
        raise translator.refusal("list-access", source, "a part of a list")
    item, offset = translator.job.maker.make("x"), translator.job.maker.make("at")
    return ir.Unwind(translator.value(source) if items is None else items, item, offset=offset), item, offset


def part(translator: Translator, node: ir.Slice, _mode: int) -> ir.Expression:
    """`list[low..high]` with bounds from 0."""
    tests = []
    for name, bound in (("ge", node.low), ("lt", node.high)):
        if bound is None:
            continue
        if not (isinstance(bound, ir.Literal) and type(bound.value) is int and bound.value >= 0):
            raise translator.refusal("list-access", node, "a part of a list with these bounds")
        tests.append((name, bound))
    if translator.type(node.base) & ~types.LIST:
        raise translator.refusal("list-access", node, "this part of a list")
    if translator.job.kinds.element_nullable(node.base, translator.env) and not translator.target.collects:
        raise translator.refusal("list-comprehension", node, "a list that may hold nulls")
    unwind, item, offset = numbered(translator, node.base)
    operators: list[ir.Operator] = [unwind]
    condition = conjunction([apply(name, ir.Ref(offset), bound) for name, bound in tests])
    if condition is not None:
        operators.append(ir.Filter(condition))
    found = collected(translator, operators, ir.Ref(item))
    return otherwise_null(translator.value(node.base), found) if translator.nullable(node.base) else found


HANDLERS.update(
    {
        ir.Quantified: quantified,
        ir.ListComprehension: comprehension,
        ir.PatternComprehension: pattern_comprehension,
        ir.Index: element_at,
        ir.Slice: part,
    }
)
