"""Expressions for GoogleSQL where it may be known what the graph consists of, and elements and maps may be values.

The schema says which tables an element may be in, and so which properties it has, under which names and of which types.
What needs that is refused without a schema.  Functions on lists, times, texts and numbers are in modules of their own.
Knows no clause.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import ClassVar

from graphir import ir
from graphir.backends.gql import casts, lists, native, spans, times
from graphir.backends.gql.expressions import (
    ABSENT,
    FALSE,
    NOTHING,
    NULL,
    TRUE,
    Scope,
    Translator,
    Typed,
    call,
)
from graphir.backends.gql.graph import NEVER, Property, SchemaGraph
from graphir.backends.gql.narrowing import links_of, longest, propagate
from graphir.backends.gql.records import IDENTITY, as_value, field, is_element, sort_of, struct
from graphir.backends.gql.setting import Setting
from graphir.backends.gql.values import (
    ELEMENTS,
    IDENTITIES,
    RECORDS,
    SCALARS,
    TIMES,
    Kind,
    Value,
    comparable,
    joined,
)
from graphir.ir.node import replace

Tables = frozenset[int]
REPEATED = 24
"""Nodes of an operand that is written several times, at most."""


class Schematic(Translator):
    """Translates the expressions of one scope."""

    def __init__(self, scope: Scope, setting: Setting) -> None:
        super().__init__(scope, setting.report)
        self.setting = setting
        self._translated: dict[tuple[int, bool], tuple[ir.Expression, Typed]] = {}
        """By the identity of an expression, which is kept so that it stays its own."""

    def spawn(self, scope: Scope) -> Translator:
        return type(self)(scope, self.setting)

    def within(self, name: str, value: Value) -> Schematic:
        """One for what mentions another variable too."""
        return type(self)(Scope({**self.scope.values, name: value}), self.setting)

    def value(self, node: ir.Expression, truth: bool = False) -> Typed:
        """What is always null is the bare word, whose type is that of what is beside it.

        Handlers look at an operand more than once, to see what it is: an expression is translated the first time.
        """
        known = self._translated.get((id(node), truth))
        if known is not None:
            return known[1]
        found = self.handlers[type(node)](self, node, truth)
        if found[1].kind is Kind.NULL:
            found = ABSENT
        self._translated[id(node), truth] = node, found
        return found

    @property
    def graph(self) -> SchemaGraph | None:
        return self.setting.graph

    # -------------------------------------------------------------- elements

    def every_table(self, kind: Kind) -> Tables | None:
        if self.graph is None:
            return None
        return self.graph.edges if kind in (Kind.EDGE, Kind.EDGES, Kind.AN_EDGE) else self.graph.nodes

    def tables(self, element: ir.NodePattern | ir.EdgePattern, known: Value | None) -> Tables | None:
        if self.graph is None:
            return None
        every = self.graph.edges if isinstance(element, ir.EdgePattern) else self.graph.nodes
        before = None if known is None else known.tables
        if element.labels is not None:
            self.check_held(element.labels)
        return self.graph.labelled(element.labels, every if before is None else before)

    def check_held(self, labels: ir.LabelExpression) -> None:
        """Refuse labels of the schema for which the database has no table."""
        if self.graph is None or not self.graph.unheld:
            return
        for part in ir.walk(labels):
            if isinstance(part, ir.LabelName) and part.name in self.graph.unheld:
                raise self.report.refusal("unheld-name", part, f"`{part.name}`")

    def narrowed(self, match: ir.Match, tables: Mapping[str, Tables | None]) -> dict[str, Tables]:
        if self.graph is None:
            return {}
        known = {name: found for name, found in tables.items() if found is not None}
        propagate(links_of(match), known, self.graph)
        return known

    def spelled(self, labels: ir.LabelExpression | None, *, edge: bool) -> ir.LabelExpression | None:
        """A label expression of a pattern with the names of the database; `NEVER` where no element satisfies it."""
        return labels if self.graph is None or labels is None else self.graph.spelled(labels, edge=edge)

    def property(self, node: ir.Property, truth: bool) -> Typed:
        base = node.base
        if isinstance(base, ir.Ref) and (known := self.scope.values[base.name]).kind in ELEMENTS:
            return self.property_of(node, base, known)
        if isinstance(base, ir.Apply) and base.function.startswith("duration."):
            return times.component_of_span(self, node, base)
        expression, value = times.settled(*self.value(base))
        if value.kind is Kind.NULL:
            return ABSENT
        if value.kind in RECORDS:
            return self.exposed(node, expression, value)
        if value.kind is Kind.MAP:
            found = dict(value.fields).get(node.key)
            if found is None:
                return ABSENT
            nullable = found.nullable or value.nullable
            return field(expression, node.key), dataclasses.replace(found, nullable=nullable)
        if value.kind in TIMES:
            return times.component(self, node, expression, value)
        if spans.is_span(value):
            return spans.component(self, node, expression, value)
        if value.kind is Kind.ANY and isinstance(base, (ir.Property, ir.Parameter)):
            raise self.report.refusal("untyped-operation", node, f"`.{node.key}` of a value of unknown type")
        return super().property(node, truth)

    def property_of(self, node: ir.Property, base: ir.Ref, element: Value) -> Typed:
        if self.graph is None or element.tables is None:
            return super().property_of(node, base, element)
        return self.exposed(node, base, element)

    def exposures(self, key: str, element: Value) -> list[Property]:
        """What an element may have under a key."""
        assert self.graph is not None
        return self.graph.exposed(key, element.tables or frozenset())

    def check_mixed(self, node: ir.Node, key: str, element: Value) -> None:
        """Refuse a key whose name is that of another key in other tables of the element."""
        assert self.graph is not None
        if self.graph.is_mixed(key, element.tables or frozenset()):
            raise self.report.refusal("folded-names", node, f"`{key}`, beside a key that differs in case,")

    def exposed(self, node: ir.Property, base: ir.Expression, element: Value) -> Typed:
        """A property of an element, whatever table it is in."""
        if self.graph is None:
            raise self.report.refusal("needs-a-schema", node, f"`.{node.key}` of an element that is a value")
        found = self.exposures(node.key, element)
        if not found:
            return self.unexposed(node, base, element)
        self.check_mixed(node, node.key, element)
        if len(found) > 1:
            kinds = {each.kind for each in found}
            if len(kinds) > 1 or found[0].kind not in SCALARS:
                shown = " and ".join(dict.fromkeys([each.type for each in found]))
                raise self.report.refusal("property-of-any-type", node, f"`{node.key}`, of the types {shown},")
            columns = [ir.Property(base, each.name) for each in found]
            return call("COALESCE", *columns), found[0].value
        return ir.Property(base, found[0].name, span=node.span), found[0].value

    def unexposed(self, node: ir.Property, base: ir.Expression, element: Value) -> Typed:
        """A property that no table of an element has: null, or not listed; its name has one type in the graph."""
        assert self.graph is not None
        if not self.graph.is_open(element.tables or frozenset()):
            return ABSENT
        if not isinstance(base, ir.Ref):
            raise self.report.refusal("needs-a-schema", node, f"`.{node.key}` of an element that is a value")
        others = self.graph.exposed(node.key, self.graph.nodes | self.graph.edges)
        if len(others) == 1:
            return ir.Property(base, others[0].name, span=node.span), others[0].value
        if others:
            types = " and ".join([each.type for each in others])
            raise self.report.refusal("property-of-any-type", node, f"`{node.key}`, of the types {types},")
        if node.key.casefold() in {name.casefold() for name in self.graph.kinds}:
            raise self.report.refusal("folded-names", node, f"`{node.key}`, beside a key that differs in case,")
        return super().property_of(node, base, element)

    def variants(self, node: ir.Expression) -> list[Typed]:
        """A property of several types as the columns of each; anything else as it is."""
        if isinstance(node, ir.Property) and isinstance(node.base, ir.Ref) and self.graph is not None:
            element = self.scope.values[node.base.name]
            if element.kind in ELEMENTS and len(found := self.exposures(node.key, element)) > 1:
                self.check_mixed(node, node.key, element)
                return [(ir.Property(node.base, each.name, span=node.span), each.value) for each in found]
        return [self.value(node)]

    def entry(self, name: str, entry: ir.Entry) -> ir.Entry | None:
        """The entry of a property map of a pattern by the name in the database; None where it has to be a condition."""
        if self.graph is None:
            value, _ = self.scalar(entry.value, f"the property `{entry.key}` of a pattern")
            return replace(entry, value=value)
        found = self.exposures(entry.key, self.scope.values[name])
        self.check_mixed(entry, entry.key, self.scope.values[name])
        if len(found) != 1 or found[0].kind not in SCALARS:
            return None
        value, known = self.value(entry.value)
        kinds = (known.kind, found[0].kind or Kind.ANY)
        if known.kind is Kind.NULL or known.kind not in SCALARS or not comparable(kinds):
            return None
        return replace(entry, key=found[0].name, value=value)

    def has_labels(self, node: ir.HasLabels, truth: bool) -> Typed:
        base, value = self.value(node.base)
        if self.graph is None or value.tables is None or not is_element(value):
            return super().has_labels(node, truth)
        self.check_held(node.labels)
        edge = sort_of(value) is Kind.EDGE
        found = self.graph.labelled(node.labels, value.tables)
        if found in (frozenset(), value.tables) and self.graph.unlisted(node.labels, edge=edge) is None:
            known = TRUE if found else FALSE
            if not value.nullable or (truth and known is FALSE):
                return known, Value(Kind.BOOL, False)
            return call("IF", self.is_missing(base, value), NULL, known), Value(Kind.BOOL)
        labels = self.graph.spelled(node.labels, edge=edge)
        if not isinstance(base, ir.Ref) or labels is None or labels == NEVER:
            raise self.report.refusal("element-value", node, "a label predicate on an expression")
        return ir.HasLabels(base, labels), Value(Kind.BOOL, value.nullable)

    def is_missing(self, element: ir.Expression, value: Value) -> ir.Expression:
        """Whether an element is null."""
        return ir.Apply("is_null", (self.identified(element, value),))

    def identified(self, element: ir.Expression, value: Value) -> ir.Expression:
        """The identity of an element, which is a variable or a value."""
        if value.kind in RECORDS:
            return field(element, IDENTITY)
        return self.identity(element)

    def labels(self, node: ir.Apply, _truth: bool) -> Typed:
        """`labels(n)`: those of the schema, where the database has others."""
        expression, value = self.value(node.args[0])
        if value.kind is not Kind.NODE or not isinstance(expression, ir.Ref):
            raise self.report.refusal("element-value", node, f"`labels` of {value.kind.value}")
        renamed, hidden = self.renamed(value), self.hidden(value)
        found: ir.Expression = call("LABELS", expression)
        if renamed or hidden:
            each = ir.Ref("\0label")
            branches = [ir.Branch((ir.Literal(held),), ir.Literal(name)) for name, held in renamed]
            shown = ir.Case(each, tuple(branches), each) if renamed else each
            tests = [ir.Apply("ne", (each, ir.Literal(name))) for name in hidden]
            where = None if not tests else tests[0] if len(tests) == 1 else ir.Apply("and", tuple(tests))
            found = ir.ListComprehension(each.name, found, where, shown)
            if value.nullable:
                found = call("IF", self.is_missing(expression, value), NULL, found)
        return found, Value(Kind.LIST, value.nullable, items=Kind.STRING)

    def hidden(self, value: Value) -> list[str]:
        """Labels that the element has in the database and not in the query."""
        if self.graph is None or sort_of(value) is not Kind.NODE:
            return []
        bare = any(not self.graph.tables[at].labels - self.graph.hidden for at in value.tables or self.graph.nodes)
        return sorted(self.graph.hidden) if bare else []

    def renamed(self, value: Value) -> list[tuple[str, str]]:
        """The labels of an element that have another name in the database, and those names."""
        if self.graph is None:
            return []
        numbers = value.tables or frozenset()
        names = sorted({label for number in numbers for label in self.graph.tables[number].labels})
        return [(name, held) for name in names if (held := self.graph.labels.get(name, name)) != name]

    def edge_type(self, node: ir.Apply, truth: bool) -> Typed:
        found, value = super().edge_type(node, truth)
        element = self.value(node.args[0])[1]
        if not (renamed := self.renamed(element)):
            return found, value
        branches = [ir.Branch((ir.Literal(held),), ir.Literal(name)) for name, held in renamed]
        return ir.Case(found, tuple(branches), found), value

    # -------------------------------------------------------------- elements and maps as values

    def held(self, node: ir.Expression, wanted: Tables | None = None) -> Typed:
        """The translation as something that a list, a map or a result may hold: elements as STRUCTs."""
        expression, value = self.value(node)
        if value.kind in ELEMENTS and isinstance(expression, ir.Ref):
            return as_value(self.graph, expression, value, wanted)
        if value.kind is Kind.EDGES:
            return lists.values(self, node)
        if value.kind is Kind.PATH:
            raise self.report.refusal("element-value", node, f"{value.kind.value} as a value")
        return expression, value

    def united(self, nodes: tuple[ir.Expression, ...], what: str) -> tuple[list[ir.Expression], Value, list[Value]]:
        """Several expressions as values of one type, as the items of a list or the results of a CASE are; what is known
        of all of them, and of each."""
        found = [self.value(node) for node in nodes]
        each = [value for _, value in found]
        sorts = {sort_of(value) for _, value in found if is_element(value)}
        nullable = any(value.nullable for _, value in found)
        if sorts:
            if len(sorts) > 1 or any(not is_element(v) and v.kind is not Kind.NULL for _, v in found):
                raise self.report.refusal("unlike-types", nodes[0], what)
            known = [value.tables for _, value in found if is_element(value)]
            tables = None if None in known else frozenset().union(*[some for some in known if some is not None])
            if len({value.tables for _, value in found if value.kind in RECORDS} | {tables}) > 1:
                raise self.report.refusal("element-value", nodes[0], what)
            made = [as_value(self.graph, e, v, tables)[0] if v.kind in ELEMENTS else e for e, v in found]
            return made, Value(Kind.A_NODE if Kind.NODE in sorts else Kind.AN_EDGE, nullable, tables), each
        kinds = tuple([value.kind for _, value in found])
        if set(kinds) - {Kind.NULL} <= {Kind.OPAQUE, Kind.LIST, Kind.MAP} and len(set(kinds) - {Kind.NULL}) == 1:
            values = [value for _, value in found if value.kind is not Kind.NULL]
            if len({(value.items, value.fields, value.type) for value in values}) > 1:
                raise self.report.refusal("unlike-types", nodes[0], what)
            return [expression for expression, _ in found], dataclasses.replace(values[0], nullable=nullable), each
        for (_, value), node in zip(found, nodes, strict=True):
            if value.kind in IDENTITIES:
                raise self.report.refusal("identity", node, what)
            if value.kind not in SCALARS:
                raise self.report.refusal("element-value", node, what)
        if not comparable(kinds):
            raise self.report.refusal("unlike-types", nodes[0], what)
        return [expression for expression, _ in found], Value(joined(kinds), nullable), each

    def map_of(self, node: ir.MapOf, _truth: bool) -> Typed:
        fields = []
        for entry in node.entries:
            expression, value = self.held(entry.value)
            if value.kind is Kind.NULL:
                expression = ir.Cast(NULL, ir.ValueType("STRING"))
            fields.append((entry.key, expression, value))
        keys = [key.casefold() for key, _, _ in fields]
        if not keys or "" in keys or len(set(keys)) < len(keys):
            raise self.report.refusal("map-value", node, "this map")
        made = struct([(key, expression) for key, expression, _ in fields])
        return made, Value(Kind.MAP, False, fields=tuple([(key, value) for key, _, value in fields]))

    def map_projection(self, node: ir.MapProjection, truth: bool) -> Typed:
        entries: list[ir.Entry] = []
        for item in node.items:
            match item:
                case ir.Entry():
                    entries.append(item)
                case ir.ProjectedProperty(key):
                    entries.append(ir.Entry(key, ir.Property(node.base, key, span=item.span)))
                case ir.ProjectedVariable(name):
                    entries.append(ir.Entry(name, ir.Ref(name, span=item.span)))
                case ir.ProjectedAll():
                    entries.extend(self.all_of(node))
        last = {entry.key: entry for entry in entries}
        return self.map_of(ir.MapOf(tuple(last.values()), span=node.span), truth)

    def all_of(self, node: ir.MapProjection) -> list[ir.Entry]:
        """Every property of an element.  A map of Cypher lacks those that are null; a STRUCT has them as null."""
        element = self.scope.values[node.base.name]
        if not is_element(element) or self.graph is None:
            raise self.report.refusal("needs-a-schema", node, "`.*`")
        numbers = sorted(element.tables or ())
        keys = dict.fromkeys([key for number in numbers for key in self.graph.tables[number].properties])
        return [ir.Entry(key, ir.Property(node.base, key)) for key in keys]

    def case(self, node: ir.Case, truth: bool) -> Typed:
        results = tuple([branch.result for branch in node.branches])
        if node.default is not None:
            results += (node.default,)
        plain = tuple([replace(branch, result=TRUE) for branch in node.branches])
        shape, _ = super().case(ir.Case(node.subject, plain, None, span=node.span), truth)
        assert isinstance(shape, ir.Case)
        found, value, _ = self.united(results, "CASE with results of several types")
        branches = [replace(b, result=r) for b, r in zip(shape.branches, found, strict=False)]
        default = None if node.default is None else found[-1]
        made = replace(shape, branches=tuple(branches), default=default)
        return made, dataclasses.replace(value, nullable=value.nullable or node.default is None)

    def coalesce(self, node: ir.Apply, _truth: bool) -> Typed:
        if len(node.args) == 2 and node.args[1] == ir.ListOf(()):
            source, value = self.value(node.args[0])
            if value.kind is Kind.LIST:
                return call("IFNULL", source, ir.ListOf(())), dataclasses.replace(value, nullable=False)
        found, value, known = self.united(node.args, "`coalesce` of values of several types")
        nullable = all(each.nullable for each in known)
        return call("COALESCE", *found), dataclasses.replace(value, nullable=nullable)

    def properties(self, node: ir.Apply, truth: bool) -> Typed:
        """`properties(n)` as a map with nulls for what is not there."""
        element = node.args[0]
        if not isinstance(element, ir.Ref):
            raise self.report.refusal("map-value", node, "`properties` of this value")
        return self.map_projection(ir.MapProjection(element, (ir.ProjectedAll(),), span=node.span), truth)

    def bounded(self, element: ir.EdgePattern, known: Value) -> ir.EdgePattern:
        """A repetition without an upper bound: as many steps as the tables allow, or as the user says."""
        quantifier = element.quantifier
        if quantifier is None or quantifier.high is not None or self.setting.unbounded:
            return element
        high = None
        if self.graph is not None and known.tables and element.direction != "any":
            high = longest(self.graph, known.tables)
        if high is None:
            high = self.setting.options.max_hops
            if high is None:
                raise self.report.refusal("unbounded-repetition", element, "this unbounded repetition")
            told = f"a repetition without an upper bound stops at {high}"
            self.report.note("G554", element, told, "warning")
        return replace(element, quantifier=ir.Bounds(quantifier.low, max(high, quantifier.low)))

    # -------------------------------------------------------------- comparisons

    def comparison(self, node: ir.Apply, truth: bool) -> Typed:
        lefts, rights = self.variants(node.args[0]), self.variants(node.args[1])
        if len(lefts) > 1 or len(rights) > 1:
            return self.comparison_of_variants(node, lefts, rights, truth)
        (left, a), (right, b) = lefts[0], rights[0]
        if is_element(a) and is_element(b) and (a.kind in RECORDS or b.kind in RECORDS):
            if sort_of(a) is not sort_of(b) or node.function not in ("eq", "ne"):
                raise self.report.refusal("identity", node, "this comparison of elements")
            sides = (self.identified(left, a), self.identified(right, b))
            return ir.Apply(node.function, sides), Value(Kind.BOOL, a.nullable or b.nullable)
        if Kind.DATETIME in (a.kind, b.kind):
            (left, a), (right, b) = times.settled(left, a), times.settled(right, b)
            if a.kind is b.kind:
                return ir.Apply(node.function, (left, right)), Value(Kind.BOOL, a.nullable or b.nullable)
        alike = a.kind is Kind.OPAQUE is b.kind and a.type == b.type and a.groupable and b.groupable
        if alike and a.type and node.function in ("eq", "ne"):
            return ir.Apply(node.function, (left, right)), Value(Kind.BOOL)
        if a.kind in SCALARS and b.kind in SCALARS and not comparable((a.kind, b.kind)):
            return self.unlike(node, (left, a), (right, b), truth)
        return super().comparison(node, truth)

    def unlike(self, node: ir.Apply, left: Typed, right: Typed, truth: bool) -> Typed:
        """Values of two types are never equal, and have no order."""
        for _, value in (left, right):
            if value.type == "nothing":
                raise self.report.refusal("property-of-any-type", node, "a property of unknown type")
        if node.function not in ("eq", "ne"):
            return NOTHING
        known = TRUE if node.function == "ne" else FALSE
        nullable = [side[0] for side in (left, right) if side[1].nullable]
        if not nullable or (truth and known is FALSE):
            return known, Value(Kind.BOOL, False)
        tests = [ir.Apply("is_null", (side,)) for side in nullable]
        missing = tests[0] if len(tests) == 1 else ir.Apply("or", tuple(tests))
        return call("IF", missing, NULL, known), Value(Kind.BOOL)

    def comparison_of_variants(self, node: ir.Apply, lefts: list[Typed], rights: list[Typed], truth: bool) -> Typed:
        """A comparison of a property of several types, of which an element has one: where it is true."""
        if not truth or node.function == "ne":
            raise self.report.refusal("property-of-any-type", node, "a comparison of a property of several types")
        tests = []
        for left, a in lefts:
            for right, b in rights:
                if a.kind in SCALARS and b.kind in SCALARS and comparable((a.kind, b.kind)):
                    tests.append(ir.Apply(node.function, (left, right)))
        if not tests:
            return FALSE, Value(Kind.BOOL, False)
        return tests[0] if len(tests) == 1 else ir.Apply("or", tuple(tests)), Value(Kind.BOOL)

    def null_test(self, node: ir.Apply, truth: bool) -> Typed:
        found = self.variants(node.args[0])
        if len(found) > 1:
            word = "and" if node.function == "is_null" else "or"
            return ir.Apply(word, tuple([ir.Apply(node.function, (e,)) for e, _ in found])), Value(Kind.BOOL, False)
        expression, value = found[0]
        if value.kind in RECORDS:
            return ir.Apply(node.function, (self.identified(expression, value),)), Value(Kind.BOOL, False)
        if value.kind in (Kind.OPAQUE, Kind.LIST, Kind.MAP):
            return ir.Apply(node.function, (expression,)), Value(Kind.BOOL, False)
        if value.kind is Kind.PATH and isinstance(expression, ir.Ref):
            return ir.Apply(node.function, (call("PATH_LENGTH", expression),)), Value(Kind.BOOL, False)
        return super().null_test(node, truth)

    def identity_of(self, node: ir.Apply, truth: bool) -> Typed:
        expression, value = self.value(node.args[0])
        if value.kind not in RECORDS:
            return super().identity_of(node, truth)
        kind = Kind.NODE_ID if value.kind is Kind.A_NODE else Kind.EDGE_ID
        return field(expression, IDENTITY), Value(kind, value.nullable)

    def division(self, node: ir.Apply, truth: bool) -> Typed:
        """A float divided by the integer zero is an error, by the float zero it is infinity or NaN."""
        found, value = super().division(node, truth)
        if isinstance(found, ir.Call) and found.name == ("IEEE_DIVIDE",):
            by = self.scalar(node.args[1], "`/` by this value")[1]
            if by.kind is Kind.INT:
                return ir.Apply("div", found.args), value
        return found, value

    def small(self, node: ir.Node, operand: ir.Expression) -> ir.Expression:
        """An operand that is written several times; a long one is refused."""
        if not ir.at_most(operand, REPEATED):
            raise self.report.refusal("construct", node, "an operation that is written out, on such a long operand,")
        return operand

    handlers: ClassVar[dict[type[ir.Node], Callable[..., Typed]]] = {
        **Translator.handlers,
        **lists.HANDLERS,
        **casts.HANDLERS,
        **native.HANDLERS,
        ir.Property: property,
        ir.HasLabels: has_labels,
        ir.MapOf: map_of,
        ir.MapProjection: map_projection,
        ir.Case: case,
    }
    functions: ClassVar[dict[str, Callable[..., Typed]]] = {
        **Translator.functions,
        **lists.FUNCTIONS,
        **times.FUNCTIONS,
        **casts.FUNCTIONS,
        **native.FUNCTIONS,
        **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), comparison),
        **dict.fromkeys(("is_null", "is_not_null"), null_test),
        **dict.fromkeys(("id", "elementId"), identity_of),
        "coalesce": coalesce,
        "labels": labels,
        "type": edge_type,
        "properties": properties,
        "div": division,
    }
