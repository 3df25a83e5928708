"""Builds expressions and value types."""

from __future__ import annotations

from typing import Any

from graphir.diagnostics import Edit, Fix
from graphir.functions import CYPHER_NAMES
from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.builder.numbers import no_number, whole_number
from graphir.grammar.builder.patterns import as_first_node
from graphir.grammar.builder.types import check_coordinates
from graphir.grammar.lexical import decode_string, scan
from graphir.ir import (
    AllReduce,
    Apply,
    Body,
    Branch,
    Call,
    Case,
    CaseSubject,
    Comparison,
    EdgePattern,
    Entry,
    Expression,
    HasLabels,
    IsNormalized,
    IsTyped,
    Keyword,
    LabelDynamic,
    LabelExpression,
    LabelName,
    ListComprehension,
    ListOf,
    Literal,
    MapOf,
    MapProjection,
    Match,
    NodePattern,
    Parameter,
    Path,
    PatternComprehension,
    PatternExpression,
    Pipeline,
    Property,
    Quantified,
    Reduce,
    Ref,
    Selector,
    Slice,
    Subquery,
    ValueType,
    walk,
)
from graphir.ir.names import MARK
from graphir.source import Span

# ------------------------------------------------------------------ names and literals


def quoted_name(text: str, span: Span) -> str:
    if len(text) == 2:
        raise refusal("a name cannot be empty", span)
    if MARK in text:
        raise refusal("a name cannot hold the character NUL", span)
    return text[1:-1].replace("``", "`")


def param(text: str, span: Span) -> Parameter:
    name = text[1:].lstrip()
    return Parameter(quoted_name(name, span) if name[0] == "`" else name, span=span)


def legacy_param(name: str, span: Span, context: Context) -> Parameter:
    context.use("legacy parameter", span)
    return Parameter(name, legacy=True, span=span)


def integer(text: str, span: Span) -> Literal:
    return Literal(whole_number(text, span), text=text, span=span)


def float_(text: str, span: Span) -> Literal:
    try:
        return Literal(float(text[:-1] if text[-1] in "fFdD" else text), text=text, span=span)
    except ValueError:
        raise no_number(text, span) from None


def string(text: str, span: Span, context: Context) -> Literal:
    if "\\" in text:
        return Literal(decode_string(text, context.dialect, span.start), text=text, span=span)
    return Literal(text[1:-1], text=text, span=span)


def true(span: Span) -> Literal:
    return Literal(True, span=span)


def false(span: Span) -> Literal:
    return Literal(False, span=span)


def null(span: Span) -> Literal:
    return Literal(None, span=span)


def infinity(span: Span, context: Context) -> Literal:
    context.use("INFINITY and NAN", span)
    return Literal(float("inf"), span=span)


def nan(span: Span, context: Context) -> Literal:
    context.use("INFINITY and NAN", span)
    return Literal(float("nan"), span=span)


# ------------------------------------------------------------------ operators


def _fold(function: str, first: Expression, rest: list[Expression], span: Span) -> Apply:
    if type(first) is Apply and first.function == function:
        return Apply(function, (*first.args, *rest), span=span)
    return Apply(function, (first, *rest), span=span)


def disjunction(first: Expression, rest: list[Expression], span: Span) -> Apply:
    return _fold("or", first, rest, span)


def exclusive(first: Expression, rest: list[Expression], span: Span) -> Apply:
    return _fold("xor", first, rest, span)


def conjunction(first: Expression, rest: list[Expression], span: Span) -> Apply:
    return _fold("and", first, rest, span)


def negation(_: str, operand: Expression, span: Span) -> Apply:
    return Apply("not", (operand,), span=span)


_COMPARISONS = {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "!=": "ne"}


def comparison(first: Expression, rest: list[Any], span: Span, context: Context) -> Expression:
    if "!=" in rest[::2]:
        _refuse_unequal(first, rest, context)
    if len(rest) == 2:
        return Apply(_COMPARISONS[rest[0]], (first, rest[1]), span=span)
    operators = tuple([_COMPARISONS[operator] for operator in rest[::2]])
    return Comparison((first, *rest[1::2]), operators, span=span)


def _refuse_unequal(first: Expression, rest: list[Any], context: Context) -> None:
    at = rest[::2].index("!=")
    before = first if at == 0 else rest[2 * at - 1]
    start = context.text.index("!=", before.span.end if before.span else 0)
    fix = Fix("replace `!=` by `<>`", (Edit(start, start + 2, "<>"),), safe=True)
    raise refusal("Cypher has no operator `!=`", Span(start, start + 2), hint="write `<>`", code="G014", fix=fix)


def _operator(function: str, left: Expression, right: Expression, span: Span, context: Context) -> Apply:
    if type(left) in _TESTED:
        _note_repetition(left, span, context)
    return Apply(function, (left, right), span=span)


_TESTED = frozenset({Apply, HasLabels, IsTyped, IsNormalized})
_TESTS = frozenset({"in", "starts_with", "ends_with", "contains", "matches", "is_null", "is_not_null"})


def _note_repetition(left: Expression, span: Span, context: Context) -> None:
    """A predicate whose left side is a predicate, without parentheses."""
    if left.span is not None and left.span.start != span.start:
        return
    if type(left) is HasLabels:
        context.use("predicate on labels", span)
    elif type(left) in (IsTyped, IsNormalized) or (type(left) is Apply and left.function in _TESTS):
        context.use("repeated predicate", span)


def _unparenthesized(node: Expression, span: Span) -> bool:
    return node.span is None or node.span.start == span.start


def membership(left: Expression, right: Expression, span: Span, context: Context) -> Apply:
    return _operator("in", left, right, span, context)


def starts_with(left: Expression, right: Expression, span: Span, context: Context) -> Apply:
    return _operator("starts_with", left, right, span, context)


def ends_with(left: Expression, right: Expression, span: Span, context: Context) -> Apply:
    return _operator("ends_with", left, right, span, context)


def contains(left: Expression, right: Expression, span: Span, context: Context) -> Apply:
    return _operator("contains", left, right, span, context)


def matches(left: Expression, right: Expression, span: Span, context: Context) -> Apply:
    return _operator("matches", left, right, span, context)


def is_null(operand: Expression, negated: str | None, span: Span, context: Context) -> Apply:
    if type(operand) in _TESTED:
        _note_repetition(operand, span, context)
    return Apply("is_not_null" if negated else "is_null", (operand,), span=span)


def _negated(negated: str | None, test: Expression, span: Span) -> Expression:
    return Apply("not", (test,), span=span) if negated else test


def is_normalized(
    operand: Expression, negated: str | None, form: str | None, span: Span, context: Context
) -> Expression:
    context.use("IS NORMALIZED", span)
    _note_repetition(operand, span, context)
    return _negated(negated, IsNormalized(operand, (form or "NFC").upper(), span=span), span)


def is_typed(operand: Expression, negated: str | None, type_: ValueType, span: Span, context: Context) -> Expression:
    context.use("type predicate", span)
    _note_repetition(operand, span, context)
    check_coordinates(type_)
    return _negated(negated, IsTyped(operand, type_, span=span), span)


def has_type(operand: Expression, type_: ValueType, span: Span, context: Context) -> Expression:
    return is_typed(operand, None, type_, span=span, context=context)


def has_labels(base: Expression, labels: LabelExpression, span: Span, context: Context) -> HasLabels:
    if type(labels) is not LabelName:
        _note_dynamic(labels, context)
    return HasLabels(base, labels, span=span)


def _note_dynamic(labels: LabelExpression, context: Context) -> None:
    for label in walk(labels):
        if type(label) is LabelDynamic:
            context.use("dynamic label in a predicate", label.span or Span(0, 0))


def is_labelled(
    base: Expression, negated: str | None, labeled: str | None, labels: LabelExpression, span: Span, context: Context
) -> Expression:
    _note_repetition(base, span, context)
    _note_dynamic(labels, context)
    context.use("IS NOT label" if negated else "IS LABELED" if labeled else "IS label", span)
    return _negated(negated, HasLabels(base, labels, span=span), span)


_ARITHMETIC = {"+": "add", "-": "sub", "||": "concat", "*": "mul", "/": "div", "%": "mod"}
_FOLDED = frozenset({"add", "mul", "concat"})


def sum_(first: Expression, rest: list[Any], span: Span, context: Context) -> Expression:
    if "||" in rest[::2]:
        context.use("||", span)
    return _arithmetic(first, rest, span)


def product(first: Expression, rest: list[Any], span: Span) -> Expression:
    return _arithmetic(first, rest, span)


def _arithmetic(first: Expression, rest: list[Any], span: Span) -> Expression:
    """Folds from the left; a run of the same associative operator is one node."""
    if len(rest) == 2:
        function = _ARITHMETIC[rest[0]]
        if function in _FOLDED:
            return _fold(function, first, rest[1:], span)
        return Apply(function, (first, rest[1]), span=span)
    start = span.start
    result = first
    at, end = 0, len(rest)
    while at < end:
        operator = rest[at]
        function = _ARITHMETIC[operator]
        operands = [rest[at + 1]]
        at += 2
        if function in _FOLDED:
            while at < end and rest[at] == operator:
                operands.append(rest[at + 1])
                at += 2
        here = span if at == end else Span(start, operands[-1].span.end)
        if function in _FOLDED:
            result = _fold(function, result, operands, here)
        else:
            result = Apply(function, (result, operands[0]), span=here)
    return result


def power(first: Expression, rest: list[Expression], span: Span) -> Expression:
    result = first
    for operand in rest[:-1]:
        result = Apply("pow", (result, operand), span=Span(span.start, operand.span.end if operand.span else span.end))
    return Apply("pow", (result, rest[-1]), span=span)


def unary(sign: str, operand: Expression, span: Span) -> Apply:
    return Apply("neg" if sign == "-" else "pos", (operand,), span=span)


def slice_(base: Expression, low: Expression | None, _: str, high: Expression | None, span: Span) -> Slice:
    return Slice(base, low, high, span=span)


# ------------------------------------------------------------------ calls


def call_nothing(name: str, span: Span) -> Expression:
    return _call(name, (), False, span)


def call_star(name: str, _: str, span: Span) -> Expression:
    if name.lower() != "count":
        raise refusal("only count() takes a star", span)
    return Apply("count_star", (), span=span)


def call(name: str, quantifier: str | None, args: list[Expression], span: Span, context: Context) -> Expression:
    if quantifier is None and len(args) == 1:
        special = _SPECIAL.get(name.lower())
        if special is not None:
            found = special(name.lower(), args[0], span, context)
            if found is not None:
                return found
    elif quantifier is not None and quantifier[0] in "aA":
        context.use("ALL in a call", span)
        quantifier = None
    return _call(name, tuple(args), quantifier is not None, span)


def _call(name: str, args: tuple[Expression, ...], distinct: bool, span: Span) -> Expression:
    function = CYPHER_NAMES.get(name.lower())
    if function is None:
        return Call((name,), args, distinct, span=span)
    if len(args) > 1 and function.name in _KEYWORDS:
        args = tuple([_as_keyword(arg, _KEYWORDS[function.name]) for arg in args])
    return Apply(function.name, args, distinct, span=span)


_FORMS = frozenset({"NFC", "NFD", "NFKC", "NFKD"})
_METRICS = frozenset({"EUCLIDEAN", "EUCLIDEAN_SQUARED", "MANHATTAN", "COSINE", "DOT", "HAMMING"})
_KEYWORDS = {"normalize": _FORMS, "vector_distance": _METRICS, "vector_norm": _METRICS}
"""Functions that take a bare constant word."""


def _as_keyword(argument: Expression, words: frozenset[str]) -> Expression:
    if type(argument) is Ref and argument.name.upper() in words:
        return Keyword(argument.name.upper(), span=argument.span)
    return argument


def _quantified(kind: str, argument: Expression, span: Span, context: Context) -> Expression | None:
    binding = _as_binding(argument)
    return binding and Quantified(kind, binding[0], binding[1], None, span=span)


def _shortest(kind: str, argument: Expression, span: Span, context: Context) -> Expression:
    if type(argument) is not PatternExpression:
        raise refusal("shortestPath() takes a pattern with one relationship", argument.span, code="G028")
    selector = Selector("shortest_path" if kind == "shortestpath" else "all_shortest_paths", span=span)
    path = Path(argument.path.elements, None, selector, span=span)
    return PatternExpression(path, span=span)


_SPECIAL = {
    "all": _quantified,
    "any": _quantified,
    "none": _quantified,
    "single": _quantified,
    "shortestpath": _shortest,
    "allshortestpaths": _shortest,
}


def _as_binding(head: Expression) -> tuple[str, Expression] | None:
    """`x IN source`, read as a predicate; None where it is something else.

    `x IN a = b` was read as `(x IN a) = b` but binds x to the elements of `a = b`: the predicate at the far left
    gives way to its right side.
    """
    spine: list[Apply | Comparison] = []
    node: Expression = head
    while True:
        if isinstance(node, Comparison):
            first = node.operands[0]
        elif isinstance(node, Apply) and node.function in _LOOSER:
            first = node.args[0]
            if node.function == "in" and isinstance(first, Ref):
                name, source = first.name, node.args[1]
                break
        else:
            return None
        if not _same_start(first, head):
            return None
        spine.append(node)
        node = first
    for above in reversed(spine):
        if isinstance(above, Comparison):
            source = Comparison((source, *above.operands[1:]), above.operators, span=above.span)
        else:
            source = Apply(above.function, (source, *above.args[1:]), span=above.span)
    return name, source


_LOOSER = _TESTS | {"and", "or", "xor", "eq", "ne", "lt", "le", "gt", "ge"}
"""Operators that do not bind tighter than IN."""


def _same_start(one: Expression, other: Expression) -> bool:
    return one.span is not None and other.span is not None and one.span.start == other.span.start


def call_where(name: str, head: Expression, predicate: Expression, span: Span) -> Quantified:
    kind = name.lower()
    if kind not in ("all", "any", "none", "single"):
        raise refusal(f"{name}() takes no WHERE", predicate.span, hint="all(), any(), none() and single() do")
    binding = _as_binding(head)
    if binding is None:
        raise refusal(f"{name}() takes `variable IN list WHERE predicate`", head.span)
    return Quantified(kind, binding[0], binding[1], predicate, span=span)


def call_trim(
    name: str, side: str | None, character: Expression | None, text: Expression, span: Span, context: Context
) -> Expression:
    if name.lower() != "trim":
        raise refusal(f"{name}() takes no FROM; only trim() does", span)
    context.use("trim(.. FROM ..)", span)
    function = {"L": "ltrim", "T": "rtrim"}.get((side or "B")[0].upper(), "btrim")
    return Apply(function, (text,) if character is None else (text, character), span=span)


def member_call_nothing(base: Expression, name: str, span: Span, context: Context) -> Expression:
    return _member_call(base, name, (), False, span, context)


def member_call(
    base: Expression, name: str, quantifier: str | None, args: list[Expression], span: Span, context: Context
) -> Expression:
    distinct = quantifier is not None and quantifier[0] in "dD"
    if quantifier is not None and not distinct:
        context.use("ALL in a call", span)
    return _member_call(base, name, tuple(args), distinct, span, context)


def _member_call(
    base: Expression, name: str, args: tuple[Expression, ...], distinct: bool, span: Span, context: Context
) -> Expression:
    parts = [name]
    inner = base
    while type(inner) is Property:
        parts.append(inner.key)
        inner = inner.base
    if type(inner) is not Ref or not _unparenthesized(inner, span):
        opening = context.text.find("(", base.span.end if base.span else span.start)
        message = "only a function can be called, and its name has no parentheses"
        raise refusal(message, Span(opening, opening + 1), hint=f"if `{name}` is a property, leave out `()`")
    parts.append(inner.name)
    parts.reverse()
    function = CYPHER_NAMES.get(".".join(parts).lower())
    if function is None:
        return Call(tuple(parts), args, distinct, span=span)
    return Apply(function.name, args, distinct, span=span)


def reduce(
    _: str, accumulator: str, initial: Expression, variable: str, source: Expression, body: Expression, span: Span
) -> Reduce:
    return Reduce(accumulator, initial, variable, source, body, span=span)


def all_reduce(
    _: str,
    accumulator: str,
    initial: Expression,
    variable: str,
    source: Expression,
    body: Expression,
    predicate: Expression,
    span: Span,
    context: Context,
) -> AllReduce:
    context.use("allReduce()", span)
    return AllReduce(accumulator, initial, variable, source, body, predicate, span=span)


# ------------------------------------------------------------------ lists, maps, patterns


def list_(items: list[Expression], span: Span, context: Context) -> Expression:
    if len(items) == 1:
        binding = _as_binding(items[0])
        if binding is not None and _follows_bracket(items[0], span, context):
            return ListComprehension(binding[0], binding[1], None, None, span=span)
    return ListOf(tuple(items), span=span)


def _follows_bracket(item: Expression, span: Span, context: Context) -> bool:
    """Whether nothing but blanks and comments stands between the opening bracket and the item: no parenthesis."""
    if item.span is None:
        return True
    tokens = scan(context.text, span.start + 1, item.span.start + 1)
    return next(token.start for token in tokens if token.kind != "comment") == item.span.start


def brackets_where(head: Expression, where: Expression, span: Span) -> Expression:
    binding = _as_binding(head)
    if binding is None:
        raise refusal("a list comprehension begins with `variable IN list`", head.span)
    return ListComprehension(binding[0], binding[1], where, None, span=span)


def brackets_map(head: Expression, body: Expression, span: Span) -> Expression:
    return brackets_where_map(head, None, body, span)


def brackets_where_map(head: Expression, where: Expression | None, body: Expression, span: Span) -> Expression:
    binding = _as_binding(head)
    if binding is not None:
        return ListComprehension(binding[0], binding[1], where, body, span=span)
    if type(head) is PatternExpression and head.path.selector is None:
        return PatternComprehension(head.path, where, body, span=span)
    if type(head) is Apply and head.function == "eq":
        left, right = head.args
        if type(left) is Ref and type(right) is PatternExpression and right.path.selector is None:
            path = Path(right.path.elements, left.name, span=head.span)
            return PatternComprehension(path, where, body, span=span)
    raise refusal("a comprehension begins with `variable IN list` or with a pattern", head.span)


def pattern(parts: list[Any], span: Span, context: Context) -> PatternExpression:
    first = parts[0]
    if type(first) is not NodePattern:
        parts[0] = as_first_node(first, parts[1].span.start, span.start, context)
    for part in parts:
        if type(part) is EdgePattern and part.quantifier is not None:
            raise refusal(
                "a quantified relationship cannot stand in an expression",
                part.span,
                hint="write EXISTS { .. }",
                code="G028",
            )
    return PatternExpression(Path(tuple(parts), span=span), span=span)


def map_(entries: list[Entry], span: Span) -> MapOf:
    return MapOf(tuple(entries), span=span)


def empty_map_projection(name: str, span: Span) -> MapProjection:
    return MapProjection(Ref(name, span=Span(span.start, span.start + len(name))), (), span=span)


def map_projection(name: str, items: list[Any], span: Span) -> MapProjection:
    return MapProjection(Ref(name, span=Span(span.start, span.start + len(name))), tuple(items), span=span)


# ------------------------------------------------------------------ CASE


def case(_: str, subject: Expression | None, branches: list[Branch], default: Expression | None, span: Span) -> Case:
    if subject is None:
        for branch in branches:
            _check_searched(branch)
    return Case(subject, tuple(branches), default, span=span)


def _check_searched(branch: Branch) -> None:
    test: Any
    test, *more = branch.tests
    if more:
        raise refusal("WHEN takes several values only after `CASE value`", more[0].span, code="G027")
    if type(test) is Apply and test.function == "not":
        test = test.args[0]
    operand = test.args[0] if type(test) is Apply and test.args else getattr(test, "base", None)
    if type(operand) is Comparison:
        operand = operand.operands[0]
    if type(operand) is CaseSubject:
        raise refusal("WHEN with an operator needs a value after CASE", branch.span, code="G027")


def when(tests: list[Expression], result: Expression, span: Span) -> Branch:
    return Branch(tuple(tests), result, span=span)


def _subject(span: Span) -> CaseSubject:
    return CaseSubject(span=Span(span.start, span.start))


def when_comparison(operator: str, operand: Expression, span: Span, context: Context) -> Expression:
    context.use("extended WHEN", span)
    return Apply(_COMPARISONS[operator], (_subject(span), operand), span=span)


def when_matches(operand: Expression, span: Span, context: Context) -> Expression:
    context.use("extended WHEN", span)
    return Apply("matches", (_subject(span), operand), span=span)


def when_starts_with(operand: Expression, span: Span, context: Context) -> Expression:
    context.use("extended WHEN", span)
    return Apply("starts_with", (_subject(span), operand), span=span)


def when_ends_with(operand: Expression, span: Span, context: Context) -> Expression:
    context.use("extended WHEN", span)
    return Apply("ends_with", (_subject(span), operand), span=span)


def when_in(operand: Expression, span: Span, context: Context) -> Expression:
    context.use("WHEN with IN, CONTAINS or labels", span)
    return Apply("in", (_subject(span), operand), span=span)


def when_contains(operand: Expression, span: Span, context: Context) -> Expression:
    context.use("WHEN with IN, CONTAINS or labels", span)
    return Apply("contains", (_subject(span), operand), span=span)


def when_labels(labels: LabelExpression, span: Span, context: Context) -> Expression:
    context.use("WHEN with IN, CONTAINS or labels", span)
    return HasLabels(_subject(span), labels, span=span)


def when_labelled(
    negated: str | None, _: str | None, labels: LabelExpression, span: Span, context: Context
) -> Expression:
    return _negated(negated, when_labels(labels, span, context), span)


def when_null(negated: str | None, span: Span, context: Context) -> Expression:
    context.use("extended WHEN", span)
    return Apply("is_not_null" if negated else "is_null", (_subject(span),), span=span)


def when_normalized(negated: str | None, form: str | None, span: Span, context: Context) -> Expression:
    context.use("extended WHEN", span)
    return _negated(negated, IsNormalized(_subject(span), (form or "NFC").upper(), span=span), span)


def when_typed(negated: str | None, type_: ValueType, span: Span, context: Context) -> Expression:
    context.use("extended WHEN", span)
    return _negated(negated, IsTyped(_subject(span), type_, span=span), span)


def when_has_type(type_: ValueType, span: Span, context: Context) -> Expression:
    return when_typed(None, type_, span=span, context=context)


# ------------------------------------------------------------------ subqueries


def subquery(keyword: str, body: Body, span: Span, context: Context) -> Subquery:
    kind = keyword.lower()
    context.use("EXISTS subquery" if kind == "exists" else "COUNT and COLLECT subquery", span)
    return Subquery(kind, body, span=span)


def pattern_subquery(
    keyword: str, mode: str | None, paths: tuple[Path, ...], where: Expression | None, span: Span, context: Context
) -> Subquery:
    kind = keyword.lower()
    if kind == "collect":
        raise refusal("COLLECT { .. } needs a query with RETURN", span, code="G029")
    context.use("EXISTS subquery" if kind == "exists" else "COUNT and COLLECT subquery", span)
    end = where.span.end if where is not None and where.span else paths[-1].span.end if paths[-1].span else span.end
    inner = Span(paths[0].span.start if paths[0].span else span.start, end)
    match = Match(paths, where, False, mode or "different_edges", span=inner)
    return Subquery(kind, Pipeline((match,), span=inner), span=span)
