"""Expressions of core IR in terms of Cypher's operators and functions, with what is known of their types.

Functions are rows of `templates.py`, or rules of `functions.py` where a row cannot say it.  Nesting costs a frame of
Python's stack a level, and the parser limits nesting.  Knows no clause: the bodies of subqueries are somebody else's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeVar

from graphir import ir, types
from graphir.backends.cypher.core import kinds
from graphir.backends.cypher.core.folding import folded
from graphir.backends.cypher.core.kinds import Environment, Kinds
from graphir.backends.cypher.core.refusals import Report
from graphir.backends.cypher.core.templates import TEMPLATES
from graphir.functions import AGGREGATES, FUNCTIONS
from graphir.gql_functions import SAFE
from graphir.grammar import cypher
from graphir.ir import Apply, Expression, Literal, Node, Ref
from graphir.ir.traversal import with_children
from graphir.passes.names import Maker
from graphir.types import (
    ANY,
    BOOLEAN,
    DATE,
    LIST,
    LOCAL_DATETIME,
    MAP,
    NODE,
    RELATIONSHIP,
    STRING,
    ZONED_DATETIME,
)

N = TypeVar("N", bound=Node)

SMALL = 6
"""The number of nodes up to which an argument is written twice rather than bound to a name."""


class Typed(NamedTuple):
    """An expression in Cypher's terms, and its type."""

    expression: Expression
    type: int


class Tools:
    """What every part of one translation shares."""

    def __init__(self, report: Report, maker: Maker, known: Kinds, read: frozenset[str]) -> None:
        self.report = report
        self.read = read
        """The variables that some expression of the query reads."""
        self.maker = maker
        self.kinds = known
        self.functions: Mapping[str, Rule] = {}
        self.classes: Mapping[type[Node], Callable[[Terms, Any], Typed]] = {}
        """Rules for functions by name, and for the classes of expressions that this module does not know."""

    @property
    def dialect(self) -> str:
        return self.report.dialect


Rule = Callable[["Terms", Apply, list[Typed]], Typed | None]
"""A function in Cypher's terms, or None where its template says it."""


class Terms:
    """Translates expressions; `env` are the variables in scope."""

    def __init__(
        self,
        tools: Tools,
        env: Mapping[str, int],
        present: frozenset[str] = frozenset(),
    ) -> None:
        self.tools = tools
        self.env: Environment = dict(env)
        self.present = present
        """Variables of elements that are surely not null."""

    def is_present(self, node: Expression) -> bool:
        return isinstance(node, Literal) or (isinstance(node, Ref) and node.name in self.present)

    def value(self, node: Expression) -> Typed:
        handler = self.handlers.get(type(node)) or self.tools.classes.get(type(node))
        return handler(self, node) if handler is not None else Typed(self.rebuilt(node), ANY)

    def expression(self, node: Expression) -> Expression:
        return self.value(node).expression

    def optional(self, node: Expression | None) -> Expression | None:
        return None if node is None else self.value(node).expression

    def rebuilt(self, node: N) -> N:
        """The same node of translated parts."""
        below = list(ir.children(node))
        fresh = [self.value(x).expression if isinstance(x, Expression) else self.rebuilt(x) for x in below]
        same = all(a is b for a, b in zip(fresh, below, strict=True))
        return node if same else with_children(node, fresh)

    def within(self, name: str, kind: int) -> Terms:
        """For an expression in which one more variable is bound."""
        return Terms(self.tools, {**self.env, name: kind}, self.present - {name})

    # -------------------------------------------------------------- atoms

    def literal(self, node: Literal) -> Typed:
        return Typed(node, kinds.literal(node))

    def ref(self, node: Ref) -> Typed:
        return Typed(node, self.env.get(node.name, ANY))

    def property(self, node: ir.Property) -> Typed:
        base, kind = self.value(node.base)
        found = node if base is node.base else dataclasses.replace(node, base=base)
        is_element = bool(kind) and not kind & ~(NODE | RELATIONSHIP)
        return Typed(found, self.tools.kinds.property(node.key) if is_element else ANY)

    def list_of(self, node: ir.ListOf) -> Typed:
        found = [self.value(item) for item in node.items]
        element = kinds.joined([each.type for each in found]) if found else ANY
        return Typed(dataclasses.replace(node, items=tuple([x.expression for x in found])), types.list_of(element))

    def map_of(self, node: ir.MapOf) -> Typed:
        return Typed(self.rebuilt(node), MAP)

    def struct(self, node: ir.Struct) -> Typed:
        """A record as a map; one whose fields have no names, or the same, is none."""
        fields = node.type.fields if node.type is not None else tuple([field.name or "" for field in node.fields])
        if not all(fields) or len(set(fields)) < len(fields) or len(fields) != len(node.fields):
            raise self.tools.report.refusal("type", node, "a record with fields that have no name of their own")
        if node.type is not None:
            raise self.tools.report.refusal("type", node, "a record whose fields have declared types")
        entries = [
            ir.Entry(name, self.expression(field.value), span=field.span)
            for name, field in zip(fields, node.fields, strict=True)
        ]
        return Typed(ir.MapOf(tuple(entries), span=node.span), MAP)

    # -------------------------------------------------------------- binders

    def quantified(self, node: ir.Quantified) -> Typed:
        source, kind = self.value(node.source)
        inner = self.within(node.variable, types.element_of(kind & LIST))
        return Typed(dataclasses.replace(node, source=source, predicate=inner.optional(node.predicate)), BOOLEAN)

    def list_comprehension(self, node: ir.ListComprehension) -> Typed:
        """The elements of a list that satisfy a condition, or what is made of them."""
        source, kind = self.value(node.source)
        element = types.element_of(kind & LIST)
        inner = self.within(node.variable, element)
        body = None if node.body is None else inner.value(node.body)
        found = dataclasses.replace(
            node, source=source, where=inner.optional(node.where), body=None if body is None else body.expression
        )
        return Typed(found, types.list_of(element if body is None else body.type))

    def reduce(self, node: ir.Reduce) -> Typed:
        source, kind = self.value(node.source)
        initial, _ = self.value(node.initial)
        inner = self.within(node.variable, types.element_of(kind & LIST)).within(node.accumulator, ANY)
        body, result = inner.value(node.body)
        return Typed(dataclasses.replace(node, source=source, initial=initial, body=body), result)

    def case(self, node: ir.Case) -> Typed:
        """The value is one of the results."""
        branches, results = [], []
        for branch in node.branches:
            result, kind = self.value(branch.result)
            results.append(kind)
            tests = tuple([self.expression(test) for test in branch.tests])
            branches.append(dataclasses.replace(branch, tests=tests, result=result))
        default = None
        if node.default is not None:
            default, kind = self.value(node.default)
            results.append(kind)
        found = dataclasses.replace(
            node, subject=self.optional(node.subject), branches=tuple(branches), default=default
        )
        return Typed(found, kinds.joined(results))

    def predicate(self, node: Expression) -> Typed:
        return Typed(self.rebuilt(node), BOOLEAN)

    def has_labels(self, node: ir.HasLabels) -> Typed:
        """Whether an element has labels, of null unknown: Neo4j says what is true of every element of null too."""
        made = self.rebuilt(node)
        plain = all(isinstance(x, (ir.LabelName, ir.LabelAnd, ir.LabelOr)) for x in ir.walk(node.labels))
        if plain or self.is_present(made.base):
            return Typed(made, BOOLEAN)
        test = Apply("is_not_null", (made.base,), span=node.span)
        return Typed(ir.Case(None, (ir.Branch((test,), made),), None, span=node.span), BOOLEAN)

    # -------------------------------------------------------------- operators and functions

    def apply(self, node: Apply) -> Typed:
        """An operator or function, by its rule, else by its template or name."""
        args = [self.value(argument) for argument in self.decided(node)]
        rule = self.tools.functions.get(node.function)
        found = None if rule is None else rule(self, node, args)
        if found is not None:
            return found
        operands = [each.type for each in args]
        made = self.said(node, [each.expression for each in args])
        return Typed(made, self.tools.kinds.applied(node, operands))

    def decided(self, node: Apply) -> tuple[Expression, ...]:
        """The arguments, texts whose type the other side decides as values of that type."""
        if not any(is_undecided(argument) for argument in node.args):
            return node.args
        others = [self.value(argument).type for argument in node.args if not is_undecided(argument)]
        kind = kinds.joined(others) if others else STRING
        return tuple([as_type(argument, kind) if is_undecided(argument) else argument for argument in node.args])

    def said(self, node: Apply, args: list[Expression]) -> Expression:
        """The function by its template, or as Cypher has it."""
        name = node.function
        plain = name.removeprefix(SAFE)
        template = TEMPLATES.get((plain, len(args)))
        if template is not None:
            return self.filled(node, template[0], template[1], args)
        if name not in FUNCTIONS:
            raise self.tools.report.refusal("function", node, f"`{name}`")
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        return node if same else dataclasses.replace(node, args=tuple(args))

    def call(self, node: ir.Call) -> Typed:
        raise self.tools.report.refusal("function", node, f"`{'.'.join(node.name)}`")

    def filled(self, node: Apply, letters: tuple[str, ...], text: str, args: list[Expression]) -> Expression:
        """A template with its arguments; one that it mentions often is bound to a name, unless it is small."""
        body = parsed(text)
        if node.function.startswith(SAFE):
            failing = parsed("1 / 0")
            body = ir.rewrite(body, lambda x: Literal(None) if x == failing else x)
            if body == parsed(text):
                raise self.tools.report.refusal("function", node, f"`{node.function}`")
        body = self.fresh(body, letters)
        aggregating = any(isinstance(x, Apply) and x.function in AGGREGATES for x in ir.walk(body))
        given: dict[str, Expression] = {}
        bound: list[tuple[str, Expression]] = []
        for letter, argument in zip(letters, args, strict=True):
            uses = sum([isinstance(x, Ref) and x.name == letter for x in ir.walk(body)])
            if uses < 2 or aggregating or is_small(argument):
                given[letter] = argument
            else:
                name = self.tools.maker.make("v")
                given[letter] = Ref(name)
                bound.append((name, argument))
        body = ir.rewrite(body, lambda x: given.get(x.name, x) if isinstance(x, Ref) else x)
        if aggregating:
            body = ir.rewrite(body, lambda x: self.distinct(x, node))
        body = folded(body)
        for name, argument in reversed(bound):
            made = ir.ListComprehension(name, ir.ListOf((argument,)), None, body)
            body = Apply("head", (made,), span=node.span)
        return dataclasses.replace(body, span=node.span)

    def distinct(self, part: Node, node: Apply) -> Node:
        if node.distinct and isinstance(part, Apply) and part.function in AGGREGATES and part.function != "count_star":
            return dataclasses.replace(part, distinct=True)
        return part

    def fresh(self, body: Expression, letters: Iterable[str]) -> Expression:
        """The body of a template, what it binds under names that nothing else has."""
        names: dict[str, str] = {}
        for part in ir.walk(body):
            for name in bound_names(part):
                if name not in letters:
                    names.setdefault(name, self.tools.maker.make(name))
        return ir.rewrite(body, lambda part: renamed_binder(part, names)) if names else body

    handlers: ClassVar[dict[type[Node], Callable[..., Typed]]] = {
        Literal: literal,
        Ref: ref,
        ir.Property: property,
        ir.ListOf: list_of,
        ir.MapOf: map_of,
        ir.Struct: struct,
        ir.Quantified: quantified,
        ir.ListComprehension: list_comprehension,
        ir.Reduce: reduce,
        ir.Case: case,
        ir.HasLabels: has_labels,
        ir.IsTyped: predicate,
        ir.IsNormalized: predicate,
        Apply: apply,
        ir.Call: call,
    }


def is_undecided(node: Expression) -> bool:
    """Whether a text is a date where the other side of a comparison is one."""
    return isinstance(node, Apply) and node.function == "untyped"


def as_type(node: Expression, kind: int) -> Expression:
    """A text whose type is decided by what it is compared with; the same where that is not known."""
    assert isinstance(node, Apply)
    if kind == STRING:
        return node.args[0]
    name = {DATE: "DATE", ZONED_DATETIME: "ZONED DATETIME", LOCAL_DATETIME: "LOCAL DATETIME"}.get(kind)
    return node if name is None else ir.Cast(node.args[0], ir.ValueType(name), keyword="literal", span=node.span)


@cache
def parsed(text: str) -> Expression:
    """A Cypher expression of a template."""
    body = cypher.parse(f"RETURN {text}", "neo4j-25").body
    assert isinstance(body, ir.Pipeline)
    project = body.operators[0]
    assert isinstance(project, ir.Project)
    return ir.rewrite(project.items[0].value, lambda part: dataclasses.replace(part, span=None))


def is_small(argument: Expression) -> bool:
    """Whether an expression may be written more than once."""
    if any(
        isinstance(x, (ir.Subquery, ir.Call)) or (isinstance(x, Apply) and x.function in RANDOM)
        for x in ir.walk(argument)
    ):
        return False
    return ir.at_most(argument, SMALL)


RANDOM = frozenset(("rand", "randomUUID", "uuid"))


def bound_names(part: Node) -> tuple[str, ...]:
    """What an expression of a template binds."""
    if isinstance(part, (ir.Quantified, ir.ListComprehension, ir.Unwind)):
        return (part.variable,)
    return (part.accumulator, part.variable) if isinstance(part, ir.Reduce) else ()


def renamed_binder(part: Node, names: Mapping[str, str]) -> Node:
    """What a template binds, and mentions, under other names."""
    if isinstance(part, Ref):
        return dataclasses.replace(part, name=names.get(part.name, part.name))
    if isinstance(part, (ir.Quantified, ir.ListComprehension, ir.Unwind)):
        return dataclasses.replace(part, variable=names.get(part.variable, part.variable))
    if isinstance(part, ir.Reduce):
        return dataclasses.replace(part, accumulator=names[part.accumulator], variable=names[part.variable])
    return part
