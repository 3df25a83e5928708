"""Core expressions into expressions of GQL with the same value.

The result is surface IR that `graphir.backends.gqltext` prints.  A condition is asked for in one of three modes: with
its exact value, or only for whether it is true, or only for whether it is false; null may then be either of the others.
Knows no clause.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from graphir import ir, types
from graphir.backends.gql.cases import asks_subject, condition_of
from graphir.backends.gql.features import Report
from graphir.backends.iso.kinds import Environment, Kinds, Known
from graphir.backends.iso.sharing import once
from graphir.backends.iso.targets import Target
from graphir.diagnostics import Diagnostic, Unsupported
from graphir.functions import FUNCTIONS
from graphir.ir.names import is_generated
from graphir.passes.names import Maker
from graphir.types import FLOAT, INTEGER, LIST, NUMBER, STRING

if TYPE_CHECKING:
    from graphir.backends.iso.clauses import Clauses

EXACT, TRUTH, FALSITY = range(3)
"""What a condition is asked for."""
_OPPOSITE = (EXACT, FALSITY, TRUTH)
TRUE, FALSE, NULL = ir.Literal(True), ir.Literal(False), ir.Literal(None)
INT64 = range(-(2**63), 2**63)


def apply(function: str, *args: ir.Expression) -> ir.Apply:
    return ir.Apply(function, args)


def call(name: str, *args: ir.Expression) -> ir.Call:
    return ir.Call((name,), args)


def conjunction(tests: Iterable[ir.Expression]) -> ir.Expression | None:
    """All of the tests, if there are any; those that are conjunctions themselves are not nested."""
    flat: list[ir.Expression] = []
    for test in tests:
        flat += test.args if isinstance(test, ir.Apply) and test.function == "and" else (test,)
    if len(flat) < 2:
        return flat[0] if flat else None
    return ir.Apply("and", tuple(flat))


def otherwise_null(tested: ir.Expression, found: ir.Expression) -> ir.Case:
    """What is found where the value is there, else null."""
    return ir.Case(None, (ir.Branch((apply("is_null", tested),), NULL),), found)


@dataclasses.dataclass(slots=True)
class Job:
    """What the translation of one query shares; `extensions` are what it uses beyond the standard, with a place."""

    target: Target
    report: Report
    kinds: Kinds
    maker: Maker
    notes: list[Diagnostic] | None = None
    extensions: dict[str, ir.Node] = dataclasses.field(default_factory=dict)


class Translator:
    """Translates the expressions at one place: among the variables `env`, of which `names` go by other names."""

    def __init__(self, job: Job, env: Environment, names: Mapping[str, str] | None = None) -> None:
        self.job = job
        self.target = job.target
        self.env = env
        self.names = dict(names or {})
        self._translated: dict[tuple[int, int], tuple[ir.Expression, ir.Expression]] = {}
        """By the identity of an expression, which is kept so that it stays its own."""

    def refusal(self, name: str, node: ir.Node, what: str) -> Unsupported:
        return self.job.report.refusal(name, node, what)

    def value(self, node: ir.Expression, mode: int = EXACT) -> ir.Expression:
        """The translation, made the first time that it is asked for."""
        known = self._translated.get((id(node), mode))
        if known is not None:
            return known[1]
        handler = HANDLERS.get(type(node))
        if handler is None:
            raise self.refusal("construct", node, f"`{type(node).op}`")
        found = handler(self, node, mode)
        self._translated[id(node), mode] = node, found
        return found

    def condition(self, node: ir.Expression) -> ir.Expression:
        """The translation of what has to be true."""
        return self.value(node, TRUTH)

    def type(self, node: ir.Expression) -> int:
        return self.job.kinds.of(node, self.env)

    def nullable(self, node: ir.Expression) -> bool:
        return self.job.kinds.nullable(node, self.env)

    def inside(self, name: str, known: Known) -> tuple[Translator, str]:
        """The translator of what sees one more variable, and the name of that; a name that is taken is replaced."""
        shown = self.job.maker.make(name.strip("\0")) if name in self.env or is_generated(name) else name
        return Translator(self.job, {**self.env, name: known}, {**self.names, name: shown}), shown

    def clauses(self) -> Clauses:
        """What translates a query inside of an expression."""
        from graphir.backends.iso.clauses import Clauses

        return Clauses(self.job, self.env, self.names)

    # -------------------------------------------------------------- atoms

    def literal(self, node: ir.Literal, _mode: int) -> ir.Expression:
        value = node.value
        if type(value) is int and value not in INT64:
            raise self.refusal("construct", node, "an integer of more than 64 bits")
        if isinstance(value, float) and not math.isfinite(value):
            raise self.refusal("construct", node, f"the number {value}")
        if isinstance(value, str) and any("\ud800" <= each <= "\udfff" for each in value):
            raise self.refusal("construct", node, "a string with half a surrogate pair")
        return ir.Literal(value, span=node.span)

    def parameter(self, node: ir.Parameter, _mode: int) -> ir.Expression:
        if not self.target.parameters:
            raise self.refusal("construct", node, f"the parameter `{node.name}`")
        return node

    def same(self, node: ir.Expression, _mode: int) -> ir.Expression:
        return node

    def ref(self, node: ir.Ref, _mode: int) -> ir.Expression:
        shown = self.names.get(node.name, node.name)
        return node if shown == node.name else ir.Ref(shown, span=node.span)

    def property(self, node: ir.Property, _mode: int) -> ir.Expression:
        if self.target.dynamic:
            return ir.Property(self.value(node.base), node.key, span=node.span)
        if isinstance(node.base, ir.Apply) and node.base.function.startswith("duration."):
            raise self.refusal("function", node, f"`.{node.key}` of a difference of times")
        if not isinstance(node.base, ir.Ref) and self.type(node.base) & ~(types.ELEMENT | types.MAP) == 0:
            return ir.Property(self.value(node.base), node.key, span=node.span)
        actual = self.type(node.base)
        if not actual & ~(types.INSTANT | types.DURATION | types.POINT):
            if self.target.components:
                self.note(f".{node.key}", node)
                return ir.Property(self.value(node.base), node.key, span=node.span)
            raise self.refusal("component", node, f"`.{node.key}` of a time or a point")
        if isinstance(node.base, ir.Property) and not actual & types.MAP:
            raise self.refusal("untyped-operation", node, f"`.{node.key}` of a value of unknown type")
        return ir.Property(self.value(node.base), node.key, span=node.span)

    def list_of(self, node: ir.ListOf, _mode: int) -> ir.Expression:
        return ir.ListOf(tuple([self.value(item) for item in node.items]), span=node.span)

    def map_of(self, node: ir.MapOf, _mode: int) -> ir.Expression:
        entries = [ir.Entry(entry.key, self.value(entry.value), span=entry.span) for entry in node.entries]
        return ir.MapOf(tuple(entries), span=node.span)

    def map_projection(self, node: ir.MapProjection, _mode: int) -> ir.Expression:
        """A record of the entries; of nothing it is null."""
        entries = []
        for item in node.items:
            if not isinstance(item, ir.Entry):
                raise self.refusal("map-value", node, "a map of all properties")
            entries.append(ir.Entry(item.key, self.value(item.value), span=item.span))
        made = ir.MapOf(tuple(entries), span=node.span)
        return otherwise_null(self.value(node.base), made) if self.nullable(node.base) else made

    def has_labels(self, node: ir.HasLabels, mode: int) -> ir.Expression:
        self.check_labels(node.labels)
        if not self.target.label_expressions:
            return self.label_test(self.value(node.base), node.labels, edge=not self.type(node.base) & types.NODE)
        if self.target.label_tests:
            return ir.HasLabels(self.value(node.base), node.labels, span=node.span)
        kind = self.type(node.base)
        if not isinstance(node.base, ir.Ref) or (mode != TRUTH and self.nullable(node.base)):
            raise self.refusal("element-value", node, "a label predicate that may be null")
        name = self.names.get(node.base.name, node.base.name)
        ends = ir.NodePattern()
        path = ir.Path((ir.NodePattern(name, node.labels),))
        if not kind & types.NODE:
            path = ir.Path((ends, ir.EdgePattern(name, node.labels), ends))
        return ir.Subquery("exists", ir.Pipeline((ir.Match((path,), uniqueness=self.target.default_mode),)))

    def label_test(self, base: ir.Expression, labels: ir.LabelExpression, *, edge: bool) -> ir.Expression:
        """A label expression as conditions on one label or type each."""
        if isinstance(labels, ir.LabelNot):
            return apply("not", self.label_test(base, labels.operand, edge=edge))
        if isinstance(labels, (ir.LabelAnd, ir.LabelOr)):
            tests = tuple([self.label_test(base, each, edge=edge) for each in labels.operands])
            return ir.Apply("and" if isinstance(labels, ir.LabelAnd) else "or", tests)
        if isinstance(labels, ir.LabelName):
            name = ir.Literal(labels.name)
            return apply("eq", apply("type", base), name) if edge else ir.HasLabels(base, labels)
        return apply("is_not_null", base) if edge else apply("gt", apply("size", apply("labels", base)), ir.Literal(0))

    def check_labels(self, labels: ir.LabelExpression | None) -> None:
        for part in ir.walk(labels) if labels is not None else ():
            if isinstance(part, ir.LabelDynamic):
                raise self.refusal("dynamic-name", part, "a computed label")
            if isinstance(part, ir.LabelAny) and not self.target.any_label:
                raise self.refusal("construct", part, "the label `%`")

    def require(self, node: ir.Apply, *names: str) -> None:
        """Refuse what is written with a function that the dialect does not have."""
        if not self.target.lacking.isdisjoint(names):
            raise self.refusal("function", node, f"`{node.function}`")

    def note(self, name: str, node: ir.Node) -> None:
        """Something that is no part of the standard."""
        if self.target.extensions:
            self.job.extensions.setdefault(name, node)

    def case(self, node: ir.Case, mode: int) -> ir.Expression:
        """With a subject, as it stands if every WHEN is one value; otherwise each WHEN becomes a condition."""
        subject = node.subject
        plain = all(len(b.tests) == 1 and not asks_subject(b.tests[0]) for b in node.branches)
        branches = []
        for branch in node.branches:
            if subject is not None and plain:
                test = self.value(branch.tests[0])
            else:
                test = self.condition(condition_of(branch, subject))
            branches.append(ir.Branch((test,), self.value(branch.result, mode)))
        default = None if node.default is None else self.value(node.default, mode)
        kept = None if subject is None or not plain else self.value(subject)
        return ir.Case(kept, tuple(branches), default, span=node.span)

    # -------------------------------------------------------------- operators

    def apply(self, node: ir.Apply, mode: int) -> ir.Expression:
        from graphir.backends.iso.functions import RULES

        name = node.function
        if name in self.target.lacking or (self.target.dynamic and name in _UNREAD):
            raise self.refusal("function", node, f"`{name}`")
        if name in self.target.functions:
            self.note(name, node)
            return self.arguments(node)
        handler = RULES.get(name)
        if handler is None:
            return self.function(node)
        return handler(self, node, mode)

    def function(self, node: ir.Apply) -> ir.Expression:
        """A function of the standard."""
        from graphir.gql_functions import spelling

        known = node.function in FUNCTIONS if self.target.dynamic else spelling(node.function, "gql-iso") is not None
        if not known:
            raise self.refusal("function", node, f"`{node.function}`")
        return self.arguments(node)

    def arguments(self, node: ir.Apply) -> ir.Apply:
        """The same function on the translated arguments."""
        return ir.Apply(node.function, tuple([self.value(arg) for arg in node.args]), node.distinct, span=node.span)

    def junction(self, node: ir.Apply, mode: int) -> ir.Expression:
        args = [self.value(arg, mode) for arg in node.args]
        if node.function == "and":
            return conjunction(args) or TRUE
        return ir.Apply(node.function, tuple(args), span=node.span)

    def negation(self, node: ir.Apply, mode: int) -> ir.Expression:
        return ir.Apply("not", (self.value(node.args[0], _OPPOSITE[mode]),), span=node.span)

    def addition(self, node: ir.Apply, _mode: int) -> ir.Expression:
        """`+` of numbers and times, and the concatenation of strings and lists."""
        if self.target.dynamic:
            return self.arguments(node)
        made, kind = self.value(node.args[0]), self.type(node.args[0])
        for arg in node.args[1:]:
            made, kind = self.sum_of(node, (made, kind), (self.value(arg), self.type(arg)))
        return made

    def sum_of(
        self, node: ir.Apply, left: tuple[ir.Expression, int], right: tuple[ir.Expression, int]
    ) -> tuple[ir.Expression, int]:
        """The sum of two values of some types, and its type."""
        (a, kind), (b, other) = left, right
        both = kind | other
        if NULL in (a, b):
            return NULL, types.ANY
        if not both & ~NUMBER or _fits(kind, other, NUMBER):
            return apply("add", a, b), both & NUMBER
        if not both & ~(NUMBER | types.INSTANT | types.DURATION):
            return apply("add", a, b), both & ~NUMBER
        if not both & ~STRING or _fits(kind, other, STRING):
            return apply("concat", a, b), STRING
        if not both & ~LIST:
            return apply("concat", a, b), both
        if not both & ~(STRING | INTEGER) and (not kind & ~STRING or not other & ~STRING):
            texts = [x if not k & ~STRING else ir.Cast(x, ir.ValueType("STRING")) for x, k in (left, right)]
            return apply("concat", *texts), STRING
        if not kind & ~LIST and not other & LIST:
            return apply("concat", a, ir.ListOf((b,))), kind | types.list_of(other)
        if not other & ~LIST and not kind & LIST:
            return apply("concat", ir.ListOf((a,)), b), other | types.list_of(kind)
        raise self.refusal("untyped-operation", node, "`+` of values of unknown types")

    def division(self, node: ir.Apply, _mode: int) -> ir.Expression:
        """Of integers, what is left of a multiple: the scale of a quotient is up to the implementation."""
        a, b = [self.value(arg) for arg in node.args]
        if self.target.dynamic:
            return ir.Apply("div", (a, b), span=node.span)
        kinds = [self.type(arg) for arg in node.args]
        if any(not kind & ~FLOAT for kind in kinds) or not kinds[0] & ~types.DURATION:
            return ir.Apply("div", (a, b), span=node.span)
        if any(kind & ~INTEGER for kind in kinds):
            raise self.refusal("untyped-operation", node, "`/` of values of unknown types")
        if self.target.integer_division:
            return ir.Apply("div", (a, b), span=node.span)
        return once(self, [a, b], lambda a, b: apply("div", apply("sub", a, apply("mod", a, b)), b))

    def concatenation(self, node: ir.Apply, _mode: int) -> ir.Expression:
        return self.arguments(node)

    def cast(self, node: ir.Cast, _mode: int) -> ir.Expression:
        """CAST, where all dialects of GQL agree on the value."""
        kind, wanted = self.type(node.value), node.type.name
        rounds = wanted == "INTEGER" and bool(kind & FLOAT)
        spells = wanted == "STRING" and bool(kind & (FLOAT | types.BOOLEAN))
        if self.target.dynamic or node.safe or node.format is not None or rounds or spells:
            raise self.refusal("function", node, f"CAST to {wanted}")
        return ir.Cast(self.value(node.value), node.type, keyword=node.keyword, span=node.span)

    def subquery(self, node: ir.Subquery, _mode: int) -> ir.Expression:
        return self.clauses().subquery(node)


def _fits(one: int, other: int, known: int) -> bool:
    """Whether one operand is of a type and nothing is known of the other: of another type it is an error in GQL."""
    sides = ((one, other), (other, one))
    return any(not a & ~known and b & known and b & LIST for a, b in sides)


_UNREAD = frozenset(("pow", "matches"))
"""Operators of Cypher for which GQL has no sign."""


def _refused(feature: str, what: str) -> Callable[[Translator, ir.Expression, int], ir.Expression]:
    def refuse(translator: Translator, node: ir.Expression, _mode: int) -> ir.Expression:
        raise translator.refusal(feature, node, what)

    return refuse


Handler = Callable[..., ir.Expression]
HANDLERS: dict[type[ir.Node], Handler] = {
    ir.Literal: Translator.literal,
    ir.Parameter: Translator.parameter,
    ir.Keyword: Translator.same,
    ir.Ref: Translator.ref,
    ir.Property: Translator.property,
    ir.ListOf: Translator.list_of,
    ir.MapOf: Translator.map_of,
    ir.MapProjection: Translator.map_projection,
    ir.HasLabels: Translator.has_labels,
    ir.Case: Translator.case,
    ir.Apply: Translator.apply,
    ir.Subquery: Translator.subquery,
    ir.Cast: Translator.cast,
    ir.Call: _refused("unknown-function", "a function of a plugin"),
    ir.IsTyped: _refused("type-predicate", "the predicate on types"),
    ir.PatternExpression: _refused("subquery", "a shortest path as a value"),
    ir.Reduce: _refused("list-operation", "reduce(..)"),
    ir.AllReduce: _refused("list-operation", "allReduce(..)"),
}
"""Class -> its translation; those of lists are added by `lists`."""
