"""Core expressions into expressions that GoogleSQL evaluates to the same value.

The result is IR again, with GoogleSQL's functions as `Call`s: `graphir.backends.gql.printer` prints it word for word.
Every step knows the kinds of its operands.  An operator is translated if the kinds decide its meaning and the engine's
type check catches the rest; otherwise it is refused.  Knows no clause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from graphir import ir
from graphir.backends.gql import regex
from graphir.backends.gql.cases import asks_subject, condition_of
from graphir.backends.gql.features import Report
from graphir.backends.gql.names import is_date, is_text
from graphir.backends.gql.values import (
    ELEMENTS,
    GRAPHICAL,
    IDENTITIES,
    NUMBERS,
    OPEN,
    SCALARS,
    Kind,
    Value,
    arithmetic,
    comparable,
    joined,
)
from graphir.ir.node import replace

Typed = tuple[ir.Expression, Value]
TRUE, FALSE = ir.Literal(True), ir.Literal(False)
NULL_BOOLEAN = ir.Call(("NULLIF",), (TRUE, TRUE))
"""Null as an operand of AND, OR and NOT, where the bare word is refused."""
NULL = ir.Literal(None)
NOTHING = (NULL_BOOLEAN, Value(Kind.BOOL))
"""A predicate on null."""
ABSENT = (NULL, Value(Kind.NULL))
"""An operation on null, folded: the target refuses the bare word NULL as an operand."""
LEAST = ir.Literal(2**63)
"""What a minus makes the least integer."""
INT64 = range(-(2**63), 2**63)


def call(name: str, *args: ir.Expression) -> ir.Call:
    return ir.Call((name,), args)


def references(expression: ir.Node) -> set[str]:
    """The variables that an expression mentions; those of the patterns in its subqueries may come from outside."""
    return {
        part.name if isinstance(part, ir.Ref) else part.variable or ""
        for part in ir.find(expression, ir.Ref, ir.NodePattern, ir.EdgePattern)
    }


class Scope:
    """The variables at one place of a query.  `live`: the graph can still be asked for more than their names."""

    live = True

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = dict(values)

    def column(self, name: str) -> ir.Expression:
        """A variable that is no element, list or path."""
        return ir.Ref(name)

    def graph(self, name: str, expression: ir.Expression) -> ir.Expression:
        """The value of an expression of the element or path `name`, where the scope can still ask the graph for it."""
        return expression


class Translator:
    """Translates the expressions of one scope.  What is not in the same way in every dialect is a method of its own."""

    maps: ClassVar[bool] = True
    """Patterns take property maps, and subqueries in their conditions."""
    simple_case: ClassVar[bool] = True
    """CASE compares its subject as `=` does."""
    null_is_least: ClassVar[bool] = True
    """Null comes before all values, and is put elsewhere by a sort key of its own."""

    def __init__(self, scope: Scope, report: Report) -> None:
        self.scope = scope
        self.report = report

    def spawn(self, scope: Scope) -> Translator:
        """One of the same sort for another scope."""
        return type(self)(scope, self.report)

    def scalar(self, node: ir.Expression, what: str) -> Typed:
        """The translation of an expression that must not be an element, a list or a path."""
        expression, value = self.value(node)
        if value.kind in IDENTITIES:
            raise self.report.refusal("identity", node, what)
        if value.kind not in SCALARS:
            raise self.report.refusal("element-value", node, what)
        return expression, value

    def predicate(self, node: ir.Expression, truth: bool = True) -> ir.Expression:
        """The translation of a condition.  `truth`: null and false are one, as in WHERE."""
        expression, value = self.value(node, truth)
        if value.kind is Kind.NULL:
            return NULL_BOOLEAN
        if value.kind not in (Kind.BOOL, Kind.ANY):
            raise self.report.refusal("unlike-types", node, f"{value.kind.value} as a condition")
        return expression

    def value(self, node: ir.Expression, truth: bool = False) -> Typed:
        """The translation and what is known of its value."""
        return self.handlers[type(node)](self, node, truth)

    # -------------------------------------------------------------- atoms

    def literal(self, node: ir.Literal, _truth: bool) -> Typed:
        value = node.value
        if value is None:
            return node, Value(Kind.NULL)
        if isinstance(value, bool):
            return node, Value(Kind.BOOL, False)
        if isinstance(value, int):
            if value not in INT64:
                raise self.report.refusal("construct", node, "an integer of more than 64 bits")
            return node, Value(Kind.INT, False)
        if isinstance(value, float):
            return node, Value(Kind.FLOAT, False)
        if not is_text(value):
            raise self.report.refusal("construct", node, "a string with half a surrogate pair")
        return node, Value(Kind.STRING, False)

    def parameter(self, node: ir.Parameter, _truth: bool) -> Typed:
        return node, Value(Kind.ANY)

    def ref(self, node: ir.Ref, _truth: bool) -> Typed:
        value = self.scope.values[node.name]
        return (node if value.kind in GRAPHICAL else self.scope.column(node.name)), value

    def property(self, node: ir.Property, _truth: bool) -> Typed:
        base = node.base
        if not isinstance(base, ir.Ref):
            raise self.report.refusal("component", node, f"`.{node.key}` of an expression")
        kind = self.scope.values[base.name].kind
        if kind is Kind.EDGES:
            raise self.report.refusal("element-value", node, "a property of a list of relationships")
        if kind not in ELEMENTS:
            raise self.report.refusal("component", node, f"`.{node.key}` of {kind.value}")
        return self.property_of(node, base, self.scope.values[base.name])

    def property_of(self, node: ir.Property, base: ir.Ref, _element: Value) -> Typed:
        """A property of an element; without a schema nothing is known of it."""
        return self.scope.graph(base.name, node), Value(Kind.ANY)

    def index(self, node: ir.Index, truth: bool) -> Typed:
        if not (isinstance(node.index, ir.Literal) and isinstance(node.index.value, str)):
            raise self.report.refusal("list-access", node, "this index")
        return self.property(ir.Property(node.base, node.index.value, span=node.span), truth)

    def list_of(self, node: ir.ListOf, _truth: bool) -> Typed:
        raise self.report.refusal("list-operation", node, "a list as a value")

    def map_of(self, node: ir.MapOf, _truth: bool) -> Typed:
        raise self.report.refusal("map-value", node, "a map as a value")

    def has_labels(self, node: ir.HasLabels, _truth: bool) -> Typed:
        base, value = self.value(node.base)
        if value.kind not in ELEMENTS or not isinstance(base, ir.Ref):
            raise self.report.refusal("element-value", node, "a label predicate on an expression")
        return self.scope.graph(base.name, ir.HasLabels(base, node.labels)), Value(Kind.BOOL, value.nullable)

    def case(self, node: ir.Case, truth: bool) -> Typed:
        """With a subject, as it stands if every WHEN is one value; otherwise each WHEN becomes a condition."""
        branches = []
        results = []
        subject = node.subject
        plain = self.simple_case and subject is not None
        plain = plain and all(len(b.tests) == 1 and not asks_subject(b.tests[0]) for b in node.branches)
        kept = self.scalar(subject, "CASE of this value") if plain and subject is not None else None
        for branch in node.branches:
            if kept is not None:
                test, known = self.scalar(branch.tests[0], "WHEN with this value")
                self.same_type(branch, kept[1].kind, known.kind)
            else:
                test = self.predicate(condition_of(branch, subject))
            result, value = self.scalar(branch.result, "CASE with this result")
            branches.append(ir.Branch((test,), result))
            results.append((branch.result, value))
        default = None
        if node.default is not None:
            default, value = self.scalar(node.default, "CASE with this result")
            results.append((node.default, value))
        kinds = tuple([value.kind for _, value in results])
        if not self.joinable(kinds):
            raise self.report.refusal("unlike-types", node, "CASE with results of several types")
        nullable = default is None or any(value.nullable for _, value in results)
        return ir.Case(kept and kept[0], tuple(branches), default), Value(joined(kinds), nullable)

    def quantified(self, node: ir.Quantified, truth: bool) -> Typed:
        """all, any and none over the elements of a group or a path.  In SQL such a test is never null; where null and
        false differ, only predicates that are never null themselves can be tested."""
        if node.kind == "single" or node.predicate is None:
            raise self.report.refusal("list-operation", node, f"`{node.kind}`")
        source, name, element = self.elements_of(node.source)
        inside = Scope({**(self.scope.values if self.scope.live else {}), node.variable: element})
        others = references(node.predicate) & self.scope.values.keys() - {node.variable}
        if others and not self.scope.live:
            raise self.report.refusal("list-operation", node, f"`{node.kind}` that mentions other variables")
        predicate, value = self.spawn(inside).value(node.predicate, node.kind != "none")
        absent = self.scope.values[name].nullable
        if ((value.nullable or absent) and not truth) or (absent and node.kind != "any"):
            raise self.report.refusal("list-operation", node, f"`{node.kind}` where it may be null")
        if value.kind not in (Kind.BOOL, Kind.ANY):
            raise self.report.refusal("unlike-types", node, f"{value.kind.value} as a condition")
        how = node.kind
        if how == "none" and value.nullable:
            how, predicate = "all", ir.Apply("not", (predicate,))
        elif how == "all" and not value.nullable:
            how, predicate = "none", ir.Apply("not", (predicate,))
        found = ir.Quantified(how, node.variable, source, predicate)
        return self.scope.graph(name, found), Value(Kind.BOOL, False)

    def comprehension(self, node: ir.ListComprehension, _truth: bool) -> Typed:
        """What is asked of each element of a group or a path, in their order.

        Where the graph is asked, the list of nothing is empty and not null: a path that is not there has no nodes.
        """
        if node.body is None:
            raise self.report.refusal("list-comprehension", node, "a list of elements")
        source, name, element = self.elements_of(node.source, "list-comprehension")
        inside = Scope({**(self.scope.values if self.scope.live else {}), node.variable: element})
        asked = [part for part in (node.where, node.body) if part is not None]
        others = {name for part in asked for name in references(part)} & self.scope.values.keys() - {node.variable}
        if others and not self.scope.live:
            raise self.report.refusal("list-comprehension", node, "a comprehension that mentions other variables")
        translator = self.spawn(inside)
        where = None if node.where is None else translator.predicate(node.where)
        body, _ = translator.scalar(node.body, "a list with this item")
        found: ir.Expression = ir.ListComprehension(node.variable, source, where, body)
        known = self.scope.values[name]
        if known.nullable and self.scope.live:
            if known.kind is not Kind.PATH:
                raise self.report.refusal("list-comprehension", node, "a comprehension where the list may be null")
            some = ir.Quantified("any", node.variable, call("NODES", ir.Ref(name)), TRUE)
            found = call("IF", some, found, NULL)
        return self.scope.graph(name, found), Value(Kind.LIST, known.nullable)

    def elements_of(self, source: ir.Expression, feature: str = "list-operation") -> tuple[ir.Expression, str, Value]:
        """A list of elements: its expression, the variable that has it, and what is known of the elements."""
        parts = {"relationships": ("EDGES", Kind.EDGE), "nodes": ("NODES", Kind.NODE)}
        if isinstance(source, ir.Ref) and (known := self.scope.values[source.name]).kind is Kind.EDGES:
            return source, source.name, Value(Kind.EDGE, False, known.tables)
        if isinstance(source, ir.Apply) and source.function in parts and isinstance(path := source.args[0], ir.Ref):
            word, kind = parts[source.function]
            if self.scope.values[path.name].kind is Kind.PATH:
                return call(word, path), path.name, Value(kind, False, self.every_table(kind))
        what = "a condition on the items of a list" if feature == "list-operation" else "a list comprehension"
        raise self.report.refusal(feature, source, what)

    def every_table(self, _kind: Kind) -> frozenset[int] | None:
        """The tables of all elements of a kind, where they are known."""
        return None

    def tables(self, _element: ir.NodePattern | ir.EdgePattern, known: Value | None) -> frozenset[int] | None:
        """The tables that an element of a pattern may be in, where they are known; `known` is what was known of it."""
        return None if known is None else known.tables

    def entry(self, _name: str, entry: ir.Entry) -> ir.Entry | None:
        """An entry of the property map of an element; None where it has to be a condition."""
        value, _ = self.scalar(entry.value, f"the property `{entry.key}` of a pattern")
        return replace(entry, value=value)

    def spelled(self, labels: ir.LabelExpression | None, *, edge: bool) -> ir.LabelExpression | None:
        """The label expression of an element with the names of the database; `NEVER` where no element satisfies it."""
        return labels

    def bounded(self, element: ir.EdgePattern, _known: Value) -> ir.EdgePattern:
        """A repetition with the bounds that the target wants."""
        return element

    def narrowed(self, _match: ir.Match, _tables: Mapping[str, frozenset[int] | None]) -> Mapping[str, frozenset[int]]:
        """The tables of the elements of a MATCH, where its edges leave fewer."""
        return {}

    def subquery(self, node: ir.Subquery, _truth: bool) -> Typed:
        """Left to the backend, which knows how its clauses nest."""
        raise self.report.refusal("subquery", node, f"{node.kind.upper()} {{ .. }}")

    # -------------------------------------------------------------- operators

    def apply(self, node: ir.Apply, truth: bool) -> Typed:
        handler = self.functions.get(node.function)
        if handler is None:
            raise self.report.refusal("function", node, f"`{node.function}`")
        return handler(self, node, truth)

    def junction(self, node: ir.Apply, truth: bool) -> Typed:
        """AND and OR.  Where only truth counts, it counts for each operand too."""
        args = []
        for arg in node.args:
            args.append(self.predicate(arg, truth))
        return ir.Apply(node.function, tuple(args)), Value(Kind.BOOL)

    def negation(self, node: ir.Apply, _truth: bool) -> Typed:
        return ir.Apply("not", (self.predicate(node.args[0], False),)), Value(Kind.BOOL)

    def exclusive(self, node: ir.Apply, _truth: bool) -> Typed:
        """XOR is the inequality of booleans."""
        folded = self.predicate(node.args[0], False)
        for arg in node.args[1:]:
            folded = ir.Apply("ne", (folded, self.predicate(arg, False)))
        return folded, Value(Kind.BOOL)

    def comparison(self, node: ir.Apply, truth: bool) -> Typed:
        (left, a), (right, b) = self.value(node.args[0]), self.value(node.args[1])
        nullable = a.nullable or b.nullable
        if Kind.NULL in (a.kind, b.kind):
            return NOTHING
        if a.kind in SCALARS and b.kind in SCALARS:
            self.same_type(node, a.kind, b.kind)
            return self.compared(node, (left, a), (right, b), truth), Value(Kind.BOOL, nullable)
        kinds = {a.kind, b.kind}
        if kinds <= {Kind.NODE, Kind.NODE_ID} or kinds <= {Kind.EDGE, Kind.EDGE_ID}:
            if node.function not in ("eq", "ne"):
                raise self.report.refusal("identity", node, "an order of elements")
            return self.identical(node.function, left, right), Value(Kind.BOOL, nullable)
        feature = "identity" if kinds & IDENTITIES else "element-value"
        raise self.report.refusal(feature, node, f"a comparison of {a.kind.value} with {b.kind.value}")

    def compared(self, node: ir.Apply, left: Typed, right: Typed, _truth: bool) -> ir.Expression:
        """The comparison of two scalars that may be compared."""
        return ir.Apply(node.function, (left[0], right[0]))

    def collected(self, _node: ir.Apply, found: ir.Expression, _kind: Kind) -> ir.Expression:
        """A collected list of items of a kind, empty where the engine gives null for no rows."""
        return call("IFNULL", found, ir.ListOf(()))

    def identical(self, function: str, left: ir.Expression, right: ir.Expression) -> ir.Expression:
        """Whether two elements of one sort are the same, each given by its variable or by its identity."""
        if not (self.scope.live and isinstance(left, ir.Ref) and isinstance(right, ir.Ref)):
            left, right = self.identity(left), self.identity(right)
        return ir.Apply(function, (left, right))

    def identity(self, element: ir.Expression) -> ir.Expression:
        """The identity of an element given by its variable; anything else is an identity already."""
        if not isinstance(element, ir.Ref) or element.name not in self.scope.values:
            return element
        if self.scope.values[element.name].kind not in ELEMENTS:
            return element
        return self.scope.graph(element.name, self.identifying(element.name))

    def identifying(self, name: str) -> ir.Expression:
        """The question for the identity of an element."""
        return call("ELEMENT_ID", ir.Ref(name))

    def joinable(self, kinds: tuple[Kind, ...]) -> bool:
        """Whether values of these kinds may be those of one expression."""
        return comparable(kinds)

    def same_type(self, node: ir.Node, *kinds: Kind) -> None:
        if not comparable(kinds):
            shown = " with ".join([kind.value for kind in kinds if kind not in OPEN])
            raise self.report.refusal("unlike-types", node, f"a comparison of {shown}")

    def null_test(self, node: ir.Apply, _truth: bool) -> Typed:
        expression, value = self.value(node.args[0])
        if value.kind is Kind.NULL:
            return ir.Literal(node.function == "is_null"), Value(Kind.BOOL, False)
        if value.kind in ELEMENTS:
            expression = self.identity(expression)
        elif value.kind not in SCALARS | IDENTITIES:
            raise self.report.refusal("element-value", node, "a test for null")
        return ir.Apply(node.function, (expression,)), Value(Kind.BOOL, False)

    def membership(self, node: ir.Apply, truth: bool) -> Typed:
        subject, source = node.args
        if isinstance(source, ir.Apply) and source.function == "labels" and isinstance(subject, ir.Literal):
            return self.labelled(node, subject, source.args[0], truth)
        needle, value = self.scalar(subject, "IN with this value")
        if not isinstance(source, ir.ListOf):
            return self.unnested(node, needle, source, truth)
        items = [self.scalar(item, "a list with this item") for item in source.items]
        self.same_type(node, value.kind, *[known.kind for _, known in items])
        if not items:
            return FALSE, Value(Kind.BOOL, False)
        if value.kind is Kind.NULL:
            return NOTHING
        return self.among((needle, value), items, truth), Value(Kind.BOOL)

    def among(self, needle: Typed, items: list[Typed], _truth: bool) -> ir.Expression:
        """IN with the items of a list."""
        return ir.Apply("in", (needle[0], ir.ListOf(tuple([item for item, _ in items]))))

    def labelled(self, node: ir.Apply, label: ir.Literal, element: ir.Expression, truth: bool) -> Typed:
        """`'A' IN labels(n)` is `n:A`."""
        if not isinstance(label.value, str):
            raise self.report.refusal("unlike-types", node, "a label that is no string")
        return self.has_labels(ir.HasLabels(element, ir.LabelName(label.value), span=node.span), truth)

    def unnested(self, node: ir.Apply, needle: ir.Expression, source: ir.Expression, truth: bool) -> Typed:
        """IN with a list from elsewhere.  In the target nothing is in a list that is null; in Cypher that is null."""
        items, value = self.value(source)
        if value.kind not in (Kind.ANY, Kind.LIST):
            raise self.report.refusal("unlike-types", node, f"IN with {value.kind.value}")
        found = ir.Apply("in", (needle, items))
        if truth or not value.nullable:
            return found, Value(Kind.BOOL)
        return call("IF", ir.Apply("is_null", (items,)), NULL, found), Value(Kind.BOOL)

    def string_test(self, node: ir.Apply, _truth: bool) -> Typed:
        args, nullable = self.strings(node, node.args)
        if NULL in args:
            return NOTHING
        if node.function == "contains":
            test: ir.Expression = ir.Apply("gt", (call("STRPOS", *args), ir.Literal(0)))
        else:
            test = call(node.function.upper(), *args)
        return test, Value(Kind.BOOL, nullable)

    def match(self, node: ir.Apply, _truth: bool) -> Typed:
        """`=~` with a literal that both languages read alike."""
        pattern = node.args[1]
        found = (
            regex.whole(pattern.value) if isinstance(pattern, ir.Literal) and isinstance(pattern.value, str) else None
        )
        if found is None:
            raise self.report.refusal("regular-expression", node, "this regular expression")
        args, nullable = self.strings(node, node.args[:1])
        return call("REGEXP_CONTAINS", *args, ir.Literal(found)), Value(Kind.BOOL, nullable)

    def date(self, node: ir.Apply, _truth: bool) -> Typed:
        """A date from a literal in the form of ISO 8601."""
        text = node.args[0] if len(node.args) == 1 else None
        if not (isinstance(text, ir.Literal) and isinstance(text.value, str) and is_date(text.value)):
            raise self.report.refusal("function", node, "`date` of anything but a literal such as '2024-12-31'")
        return ir.Apply("date", (text,)), Value(Kind.DATE, False)

    def strings(self, node: ir.Apply, args: tuple[ir.Expression, ...]) -> tuple[list[ir.Expression], bool]:
        """The arguments of a function that takes strings only, and whether one of them may be null."""
        found = []
        nullable = False
        for arg in args:
            expression, value = self.scalar(arg, f"`{node.function}` of this value")
            if value.kind not in OPEN | {Kind.STRING}:
                raise self.report.refusal("unlike-types", node, f"`{node.function}` of {value.kind.value}")
            nullable |= value.nullable
            found.append(expression)
        return found, nullable

    # -------------------------------------------------------------- arithmetic

    def addition(self, node: ir.Apply, _truth: bool) -> Typed:
        """`+`: one operand of known type decides, the engine's type check sees to the others."""
        args, values = self.operands(node)
        kinds = tuple([value.kind for value in values])
        nullable = any(value.nullable for value in values)
        if NULL in args:
            return ABSENT
        if Kind.BOOL in kinds:
            raise self.report.refusal("unlike-types", node, "`+` with a boolean")
        numeric = [kind for kind in kinds if kind in NUMBERS]
        if Kind.STRING in kinds:
            if numeric:
                raise self.report.refusal("unlike-types", node, "`+` of a string and a number")
            return ir.Apply("concat", args), Value(Kind.STRING, nullable)
        if not numeric:
            raise self.report.refusal("untyped-operation", node, "`+` of two values of unknown type")
        return ir.Apply("add", args), Value(arithmetic(kinds), nullable)

    def concatenation(self, node: ir.Apply, _truth: bool) -> Typed:
        args, values = self.operands(node)
        if NULL in args:
            return ABSENT
        kinds = {value.kind for value in values}
        if not kinds <= OPEN | {Kind.STRING}:
            raise self.report.refusal("unlike-types", node, "`concat` of what is no text")
        kind = Kind.STRING if Kind.STRING in kinds else Kind.ANY
        return ir.Apply("concat", args), Value(kind, any(value.nullable for value in values))

    def arithmetic(self, node: ir.Apply, _truth: bool) -> Typed:
        """`-`, `*` and signs: numbers, or an error."""
        if node.function == "neg" and node.args[0] == LEAST:
            return ir.Literal(-(2**63)), Value(Kind.INT, False)
        args, values = self.numbers(node)
        kinds = tuple([value.kind for value in values])
        nullable = any(value.nullable for value in values)
        if NULL in args:
            return ABSENT
        if node.function == "pos":
            return args[0], Value(kinds[0], nullable)
        kind = Kind.ANY if set(kinds) <= OPEN else arithmetic(kinds)
        return ir.Apply(node.function, args), Value(kind, nullable)

    def division(self, node: ir.Apply, _truth: bool) -> Typed:
        """`/` is integer division of integers; where one operand is a float it divides floats, also by zero."""
        args, (a, b) = self.numbers(node)
        nullable = a.nullable or b.nullable
        if NULL in args:
            return ABSENT
        if a.kind is Kind.INT and b.kind is Kind.INT:
            return call("DIV", *args), Value(Kind.INT, nullable)
        if Kind.FLOAT not in (a.kind, b.kind):
            raise self.report.refusal("untyped-operation", node, "`/`, which may divide integers or floats,")
        by = args[1]
        if isinstance(by, ir.Literal) and isinstance(by.value, float | int) and 1 <= abs(by.value) < float("inf"):
            return ir.Apply("div", args), Value(Kind.FLOAT, nullable)
        return call("IEEE_DIVIDE", *args), Value(Kind.FLOAT, nullable)

    def modulo(self, node: ir.Apply, _truth: bool) -> Typed:
        args, values = self.numbers(node)
        if any(value.kind is Kind.FLOAT for value in values):
            raise self.report.refusal("function", node, "`%` of a float")
        return call("MOD", *args), Value(Kind.INT, any(value.nullable for value in values))

    def operands(self, node: ir.Apply) -> tuple[tuple[ir.Expression, ...], list[Value]]:
        args = []
        values = []
        for arg in node.args:
            expression, value = self.scalar(arg, f"`{node.function}` of this value")
            args.append(expression)
            values.append(value)
        return tuple(args), values

    def numbers(self, node: ir.Apply) -> tuple[tuple[ir.Expression, ...], list[Value]]:
        args, values = self.operands(node)
        for value in values:
            if value.kind not in NUMBERS | OPEN:
                raise self.report.refusal("unlike-types", node, f"`{node.function}` of {value.kind.value}")
        return args, values

    # -------------------------------------------------------------- functions

    def coalesce(self, node: ir.Apply, _truth: bool) -> Typed:
        args, values = self.operands(node)
        kinds = tuple([value.kind for value in values])
        if not self.joinable(kinds):
            raise self.report.refusal("unlike-types", node, "`coalesce` of values of several types")
        return call("COALESCE", *args), Value(joined(kinds), all(value.nullable for value in values))

    def null_if(self, node: ir.Apply, _truth: bool) -> Typed:
        args, (a, b) = self.operands(node)
        self.same_type(node, a.kind, b.kind)
        return call("NULLIF", *args), Value(a.kind)

    def existence(self, node: ir.Apply, truth: bool) -> Typed:
        return self.null_test(ir.Apply("is_not_null", node.args, span=node.span), truth)

    def size(self, node: ir.Apply, _truth: bool) -> Typed:
        argument = node.args[0]
        expression, value = self.value(argument)
        if value.kind is Kind.EDGES and isinstance(expression, ir.Ref):
            return self.scope.graph(expression.name, call("ARRAY_LENGTH", expression)), Value(Kind.INT, value.nullable)
        if value.kind in (Kind.STRING, Kind.LIST):
            word = "CHAR_LENGTH" if value.kind is Kind.STRING else "ARRAY_LENGTH"
            return call(word, expression), Value(Kind.INT, value.nullable)
        raise self.report.refusal("untyped-operation", node, "`size` of what may be a string or a list")

    def length(self, node: ir.Apply, _truth: bool) -> Typed:
        expression, value = self.value(node.args[0])
        if value.kind is not Kind.PATH or not isinstance(expression, ir.Ref):
            raise self.report.refusal("function", node, f"`length` of {value.kind.value}")
        return self.scope.graph(expression.name, call("PATH_LENGTH", expression)), Value(Kind.INT, value.nullable)

    def identity_of(self, node: ir.Apply, _truth: bool) -> Typed:
        expression, value = self.value(node.args[0])
        if value.kind not in ELEMENTS:
            raise self.report.refusal("identity", node, f"`{node.function}` of {value.kind.value}")
        kind = Kind.NODE_ID if value.kind is Kind.NODE else Kind.EDGE_ID
        return self.identity(expression), Value(kind, value.nullable)

    def edge_type(self, node: ir.Apply, _truth: bool) -> Typed:
        """The only label of the relationship."""
        expression, value = self.value(node.args[0])
        if value.kind is not Kind.EDGE or not isinstance(expression, ir.Ref):
            raise self.report.refusal("element-value", node, f"`type` of {value.kind.value}")
        label = ir.Index(call("LABELS", expression), call("OFFSET", ir.Literal(0)))
        return self.scope.graph(expression.name, label), Value(Kind.STRING, value.nullable)

    def text_function(self, node: ir.Apply, _truth: bool) -> Typed:
        args, nullable = self.strings(node, node.args)
        if NULL in args:
            return ABSENT
        return call(_TEXT[node.function], *args), Value(Kind.STRING, nullable)

    def text_length(self, node: ir.Apply, _truth: bool) -> Typed:
        args, nullable = self.strings(node, node.args)
        return call("CHAR_LENGTH", *args), Value(Kind.INT, nullable)

    def replacement(self, node: ir.Apply, _truth: bool) -> Typed:
        """`replace`; what is replaced must be known not to be empty, which Java sees between all letters."""
        sought = node.args[1]
        if len(node.args) != 3 or not (isinstance(sought, ir.Literal) and sought.value):
            raise self.report.refusal("function", node, "`replace` of what may be the empty string")
        args, nullable = self.strings(node, node.args)
        return call("REPLACE", *args), Value(Kind.STRING, nullable)

    def part(self, node: ir.Apply, _truth: bool) -> Typed:
        """`substring` and `left` with literal numbers: out of range is an error in Cypher, from the end in SQL."""
        text, nullable = self.strings(node, node.args[:1])
        numbers = []
        for arg in node.args[1:]:
            if not (isinstance(arg, ir.Literal) and type(arg.value) is int and arg.value >= 0):
                raise self.report.refusal("function", node, f"`{node.function}` with a number that is not a literal")
            numbers.append(arg.value)
        if node.function == "left":
            numbers.insert(0, 0)
        first, *rest = numbers
        bounds = [ir.Literal(first + 1), *[ir.Literal(length) for length in rest]]
        return call("SUBSTR", *text, *bounds), Value(Kind.STRING, nullable)

    def number_function(self, node: ir.Apply, _truth: bool) -> Typed:
        args, (value,) = self.numbers(node)
        kind = value.kind if node.function == "abs" else Kind.FLOAT
        return call(node.function.upper(), *args), Value(kind, value.nullable)

    handlers: ClassVar[dict[type[ir.Node], Callable[..., Typed]]] = {
        ir.Literal: literal,
        ir.Parameter: parameter,
        ir.Ref: ref,
        ir.Property: property,
        ir.Index: index,
        ir.ListOf: list_of,
        ir.MapOf: map_of,
        ir.HasLabels: has_labels,
        ir.Case: case,
        ir.Quantified: quantified,
        ir.ListComprehension: comprehension,
        ir.Subquery: lambda self, node, truth: self.subquery(node, truth),
        ir.Apply: apply,
    }
    functions: ClassVar[dict[str, Callable[..., Typed]]] = {
        "and": junction,
        "or": junction,
        "not": negation,
        "xor": exclusive,
        **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), comparison),
        **dict.fromkeys(("is_null", "is_not_null"), null_test),
        "in": membership,
        **dict.fromkeys(("starts_with", "ends_with", "contains"), string_test),
        "matches": match,
        "date": date,
        "add": addition,
        "concat": concatenation,
        **dict.fromkeys(("sub", "mul", "neg", "pos"), arithmetic),
        "div": division,
        "mod": modulo,
        "coalesce": coalesce,
        "nullIf": null_if,
        "exists": existence,
        "size": size,
        "length": length,
        **dict.fromkeys(("id", "elementId"), identity_of),
        "type": edge_type,
        **dict.fromkeys(("toLower", "toUpper", "reverse"), text_function),
        "char_length": text_length,
        "replace": replacement,
        **dict.fromkeys(("substring", "left"), part),
        **dict.fromkeys(("abs", "ceil", "floor"), number_function),
    }


_TEXT = {"toLower": "LOWER", "toUpper": "UPPER", "reverse": "REVERSE"}
