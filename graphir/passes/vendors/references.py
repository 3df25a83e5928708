"""What the expressions of a GRAPH_TABLE refer to: variables, labels and properties, and what aggregates there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphir import ir
from graphir.diagnostics import Edit, Fix, Severity
from graphir.passes.vendors import calls
from graphir.passes.vendors.catalog import Catalog, Element, Graph, Kind
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.functions import EXISTS_PROPERTY, PSEUDO, aggregates, function_of
from graphir.passes.vendors.patterns import Occurrence, Variable
from graphir.quoting import literal, quoted
from graphir.schema.ddl.targets import TARGETS
from graphir.source import Span


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression stands: `clause` is columns, where or element; `own` is the element whose WHERE it is."""

    clause: str
    own: Occurrence | None = None


class References:
    """The expressions of one GRAPH_TABLE."""

    def __init__(
        self,
        findings: Findings,
        catalog: Catalog,
        graph: Graph | None,
        found: dict[str, Variable],
        outer: frozenset[str] | None,
        moves: Mapping[Span, Fix],
    ) -> None:
        self.findings = findings
        self.vendor = findings.vendor
        self.catalog = catalog
        self.graph = graph
        self.variables = {self.held(name): variable for name, variable in found.items()}
        self.outer = outer
        """Names of tables around; None: there may be any."""
        self.moves = moves
        """Place of an aggregate -> how it is moved to the query around."""
        self.unnamed: frozenset[Span] = frozenset()
        """Places of columns that are named by their property."""
        self._shown: dict[Variable, set[str] | None] = {}

    def held(self, name: str) -> str:
        """A name as it is compared: the reader has folded it, unless case never counts."""
        return name.casefold() if TARGETS[self.vendor.format].fold == "insensitive" else str(name)

    def of(self, node: ir.Node) -> str:
        span = node.span
        return self.findings.source.text[span.start : span.end] if span is not None else ""

    # -------------------------------------------------------------- labels

    def elements_of(self, variable: Variable) -> list[Element]:
        """The elements of the graph that a variable may be; all of its kind where it says nothing."""
        assert self.graph is not None
        kind: Kind = "edge" if variable.kind == "edge" else "node"
        all_ = list(self.graph.of_kind(kind)) if variable.kind != "row" else list(self.graph.elements.values())
        for label in self._labels(variable):
            all_ = [each for each in all_ if self.carries(each, label)]
        return all_

    def _labels(self, variable: Variable) -> list[ir.LabelExpression]:
        named = ir.LabelName(variable.name)
        return variable.labels or ([named] if self._is_implicit(variable) else [])

    def _is_implicit(self, variable: Variable) -> bool:
        """DuckPGQ: a variable without label that is called like one has it."""
        return self.vendor.name == "duckpgq" and variable.kind in ("node", "edge") and not variable.labels

    def carries(self, element: Element, label: ir.LabelExpression) -> bool:
        """Whether the elements of a table satisfy a label expression."""
        match label:
            case ir.LabelName(name):
                return element.has_label(self.held(name))
            case ir.LabelNot(operand):
                return not self.carries(element, operand)
            case ir.LabelAnd(operands):
                return all(self.carries(element, each) for each in operands)
            case ir.LabelOr(operands):
                return any(self.carries(element, each) for each in operands)
            case _:
                return True

    def check_labels(self) -> None:
        """Labels that the graph does not have, or has at elements of the other kind."""
        if self.graph is None or self.graph.open:
            return
        for variable in self.variables.values():
            for label in variable.labels:
                self.check_label(variable.kind, label)
            if self._is_implicit(variable) and not self._any_label(self.held(variable.name)):
                at = variable.occurrences[0].element.span
                told = f"`{variable.name}` has no label, and there is no label `{variable.name}`"
                self.findings.report("no label", told, at, "write `:` and a label")

    def check_anonymous(self, elements: Iterable[Occurrence]) -> None:
        """The labels of elements without variable."""
        if self.graph is None or self.graph.open:
            return
        for each in elements:
            if each.element.variable is None and each.element.labels is not None:
                kind = "node" if isinstance(each.element, ir.NodePattern) else "edge"
                self.check_label(kind, each.element.labels)

    def _any_label(self, name: str) -> bool:
        return self.graph is not None and any(each.has_label(name) for each in self.graph.elements.values())

    def check_label(self, kind: str, labels: ir.LabelExpression) -> None:
        """Labels that the graph does not have, or has at elements of another kind."""
        assert self.graph is not None
        for each in ir.walk(labels):
            if not isinstance(each, ir.LabelName):
                continue
            name = self.held(each.name)
            if not self._any_label(name):
                self._unknown("no such label", f"there is no label `{each.name}`", name, each.span, self.graph.labels())
            elif kind in ("node", "edge") and not any(e.kind == kind and e.has_label(name) for e in self._all()):
                word = "vertex" if kind == "node" else "edge"
                told = f"no {word} has the label `{each.name}`"
                self.findings.report("label of the other kind", told, each.span)

    def _all(self) -> Iterator[Element]:
        return iter(self.graph.elements.values() if self.graph is not None else ())

    def _unknown(
        self, rule: str, message: str, name: str, at: Span | None, known: Iterable[str], whole: Span | None = None
    ) -> None:
        """A name that is none; where one is the same but for case, the quotes are what is missing."""
        names = list(known)
        twins = [each for each in names if each.casefold() == name.casefold()]
        folds = TARGETS[self.vendor.format].fold != "insensitive"
        if folds and len(twins) == 1 and at is not None:
            written = self.findings.source.text[at.start : at.end]
            own = quoted(twins[0])
            if whole in self.unnamed:
                own += f" AS {written}"
            fix = Fix(f"write {own}", (Edit(at.start, at.end, own),), safe=True)
            told = f"`{written}` without quotes is the name `{name}`, and there is `{twins[0]}`"
            if written[:1] == '"':
                told = f"{message}, and there is `{twins[0]}`"
            rule = "unquoted name" if rule in ("no such property", "property of others") else rule
            self.findings.report(rule, told, at, f"write {own}", fix=fix)
            return
        self.findings.misspelled(rule, message, name, at, names)

    # -------------------------------------------------------------- expressions

    def check(self, expression: ir.Node, place: Place) -> None:
        """What is wrong with an expression of the GRAPH_TABLE."""
        pending: list[tuple[ir.Node, str]] = [(expression, "")]
        while pending:
            node, around = pending.pop()
            below = around
            if aggregates(node):
                self._aggregate(node, place)
                below = "aggregate"
            elif isinstance(node, (ir.Subquery, ir.Select, ir.TableQuery, ir.Pipeline)):
                self._subquery(node)
                continue
            elif isinstance(node, ir.Property):
                self._property(node, place, around)
                continue
            elif isinstance(node, ir.Ref):
                self._value(node, place, around)
                continue
            elif isinstance(node, ir.Unpack):
                self._star(node, place)
                continue
            else:
                below = calls.check(self, node, around)
            if function_of(node) == EXISTS_PROPERTY:
                continue  # its operands are a variable and a name
            pending.extend((each, below) for each in reversed(list(ir.children(node))))

    def _subquery(self, node: ir.Node) -> None:
        hint = "write it outside of GRAPH_TABLE, over columns"
        self.findings.report("subquery", "a query stands inside of GRAPH_TABLE", node.span, hint)

    # -------------------------------------------------------------- references

    def _property(self, node: ir.Property, place: Place, around: str) -> None:
        chain = _chain(node)
        if chain is None:
            self.check(node.base, place)
            return
        first, keys = chain
        variable = self.variables.get(self.held(first.name))
        if variable is None and around == "function":
            return
        if variable is None:
            self._unbound(node, first, keys)
            return
        self._reach(variable, node, place, around)
        if variable.kind == "path" and not variable.occurrences:
            self.findings.report("path as value", f"the path `{first.name}` has no properties", node.span)
            return
        key = keys[0]
        if key == "rowid" and self.vendor.name == "duckpgq":
            return
        self._exists(variable, node, key)

    @cached_property
    def properties(self) -> Mapping[str, None] | None:
        """The names of all properties of the graph; None where there may be others."""
        return None if self.graph is None or self.graph.unlisted else self.graph.properties()

    def _exists(self, variable: Variable, node: ir.Property, key: str) -> None:
        """Whether an element that a variable may be has a property."""
        if self.graph is None or self.properties is None:
            return
        name = self.held(key)
        at = self._place_of_key(node)
        if name not in self.properties:
            known = self.graph.properties(self.elements_of(variable)) or self.properties
            self._unknown("no such property", f"there is no property `{key}`", name, at, known, node.span)
            return
        names = self._visible(variable)
        if names is not None and name not in names:
            told = f"`{variable.name}` has no property `{key}`"
            self._unknown("property of others", told, name, at, names, node.span)

    def check_property_named(self, variable: Variable, named: ir.Ref) -> None:
        """The name of a property that PROPERTY_EXISTS asks an element for."""
        if self.graph is None or self.properties is None:
            return
        name = self.held(named.name)
        if name not in self.properties:
            told = f"there is no property `{named.name}`"
            self._unknown("no such property", told, name, named.span, self.properties)
        elif not any(self._may_expose(element, name) for element in self.elements_of(variable)):
            told = f"no element that `{variable.name}` may be has the property `{named.name}`"
            self.findings.report("property never held", told, named.span)

    def having(self, name: str) -> list[Variable]:
        """The variables of single elements that have a property; none where that is not known of one."""
        found: list[Variable] = []
        for variable in self.variables.values():
            walked = [each for label in variable.labels for each in ir.walk(label)]
            named = {self.held(each.name) for each in walked if isinstance(each, ir.LabelName)}
            every = [label for element in self.elements_of(variable) for label in element.labels.values()]
            labels = [label for label in every if label.name in named] or every
            if any(label.properties is None for label in labels):
                return []
            if variable.kind in ("node", "edge") and any(name in (label.properties or ()) for label in labels):
                found.append(variable)
        return [] if any(each.repeated for each in found) else found

    @staticmethod
    def _may_expose(element: Element, name: str) -> bool:
        return any(label.properties is None or name in label.properties for label in element.labels.values())

    def _visible(self, variable: Variable) -> set[str] | None:
        """The properties that a variable shows; None where that is not known, as of one with a label that is none."""
        if variable not in self._shown:
            self._shown[variable] = self._properties_of(variable)
        return self._shown[variable]

    def _properties_of(self, variable: Variable) -> set[str] | None:
        """Those of the labels that it names (PostgreSQL), else of the elements that carry them."""
        labels = {each for label in self._labels(variable) for each in ir.walk(label)}
        names = {self.held(each.name) for each in labels if isinstance(each, ir.LabelName)}
        if not all(self._any_label(name) for name in names):
            return None
        elements = self.elements_of(variable)
        if self.vendor.name == "oracle":
            kinds = {each.kind for each in elements}
            elements = [each for each in self._all() if each.kind in kinds or variable.kind == "row"]
        found: set[str] = set()
        for element in elements:
            for label in element.labels.values():
                if label.properties is None:
                    return None
                if self.vendor.name != "postgres" or not names or label.name in names:
                    found |= label.properties.keys()
        return found

    def _place_of_key(self, node: ir.Property) -> Span | None:
        """Where the name of the property stands: behind the dot."""
        if node.span is None or node.base.span is None:
            return node.span
        at = self.findings.source.text.find(".", node.base.span.end, node.span.end) + 1
        inside = self.findings.source.text[at : node.span.end]
        return Span(at + len(inside) - len(inside.lstrip()), node.span.end)

    def _unbound(self, node: ir.Property, first: ir.Ref, keys: Sequence[str]) -> None:
        name = self.held(first.name)
        if self.outer is None or name in self.outer:
            self.findings.report(
                "outer column",
                f"`{self.of(node)}` is of the query around, which GRAPH_TABLE does not see",
                node.span,
                "make it a column of the GRAPH_TABLE, and compare outside",
            )
            return
        if len(keys) > 1 and self.held(keys[0]) in self.outer:
            return
        told = f"there is no variable `{first.name}`"
        known = [each.name for each in self.variables.values()]
        self.findings.misspelled("no such variable", told, first.name, first.span, known)

    def _reach(self, variable: Variable, node: ir.Node, place: Place, around: str) -> None:
        """Whether a variable may be asked at a place."""
        own = place.own.element.variable if place.own is not None else None
        if place.clause == "element" and (own is None or self.held(own) != self.held(variable.name)):
            hint = "write it in the WHERE behind the pattern"
            told = f"the WHERE of an element asks `{variable.name}`, which is another"
            self.findings.report("other element in WHERE", told, node.span, hint)
        if variable.kind == "row" and place.clause != "columns":
            told = f"`{variable.name}` of ONE ROW PER stands in COLUMNS alone"
            self.findings.report("iterator in WHERE", told, node.span)
        beside = place.own is not None and not place.own.repeated
        if variable.repeated and around != "aggregate" and (beside or place.clause in ("columns", "where")):
            rule = "group in columns" if place.clause == "columns" else "group in where"
            told = f"`{variable.name}` is repeated, and stands for several elements"
            self.findings.report(rule, told, node.span, "aggregate it, such as LISTAGG or COUNT")

    def _value(self, node: ir.Ref, place: Place, around: str) -> None:
        """A name alone."""
        name = self.held(node.name)
        variable = self.variables.get(name)
        if around == "function" or (variable is not None and around == "element"):
            return
        if variable is None:
            self._bare(node, name)
            return
        self._reach(variable, node, place, around)
        if variable.kind == "path":
            self.findings.report("path as value", f"the path `{node.name}` is no value", node.span)
        elif around != "aggregate":
            hint = "write its properties"
            self.findings.report("variable as value", f"the element `{node.name}` is no value", node.span, hint)

    def _bare(self, node: ir.Ref, name: str) -> None:
        """A name that is no variable: a property that lacks its variable, or a column of the query around."""
        if self.properties is None:
            if self.vendor.name == "oracle" and name not in PSEUDO:
                self._unowned(node, [], certain=False)
            return
        owners = self.owners.get(name, [])
        if self.vendor.name == "duckpgq":
            if len(owners) != 1 and name not in PSEUDO:
                told = f"there is no property `{node.name}`" if not owners else f"several elements have `{node.name}`"
                self.findings.report("property without variable", told, node.span)
            return
        if owners and self.vendor.name == "hyper":
            return  # properties are columns there
        if (owners or (self.outer is not None and not self.outer)) and name not in PSEUDO:
            self._unowned(node, owners)

    @cached_property
    def owners(self) -> Mapping[str, list[Variable]]:
        """Property -> the elements that show it."""
        found: dict[str, list[Variable]] = {}
        for variable in self.variables.values():
            if variable.kind in ("node", "edge"):
                for name in self._visible(variable) or ():
                    found.setdefault(name, []).append(variable)
        return found

    def _unowned(self, node: ir.Ref, owners: Sequence[Variable], *, certain: bool = True) -> None:
        """`certain`: the graph is known.  Otherwise the text may be a template, or be put together by a program."""
        written = self.of(node)
        fix = None
        hint = "write the variable and a dot"
        if len(owners) == 1 and node.span is not None:
            owner = self._written(owners[0])
            edit = Edit(node.span.start, node.span.start, f"{owner}.")
            fix = Fix(f"write `{owner}.{written}`", (edit,), safe=True)
        elif written[:1] == '"' and node.span is not None and not owners:
            text = literal(written[1:-1])
            fix = Fix(f"write {text}", (Edit(node.span.start, node.span.end, text),), safe=certain)
            hint = "text stands in single quotes"
        told = f"`{written}` stands without a variable"
        severity: Severity = "error" if certain else "warning"
        self.findings.report("property without variable", told, node.span, hint, fix=fix, severity=severity)

    @staticmethod
    def _written(variable: Variable) -> str:
        return getattr(variable.name, "written", variable.name)

    def _star(self, node: ir.Unpack, place: Place) -> None:
        rule = "star" if place.clause == "columns" else "star in a condition"
        told = f"`{self.of(node)}` is no expression here"
        if place.clause == "columns":
            told = f"{self.vendor.title} does not have `.*` in COLUMNS"
        self.findings.report(rule, told, node.span, "name the properties one by one")

    # -------------------------------------------------------------- aggregates

    def _aggregate(self, node: ir.Node, place: Place) -> None:
        self.findings.report(
            "aggregate",
            "an aggregate belongs outside of GRAPH_TABLE",
            node.span,
            "make a column of what it takes, and aggregate outside with GROUP BY",
            fix=self._moved(node),
        )
        if place.clause in ("element", "group"):
            told = "a condition of an element or of a repeated part does not aggregate"
            self.findings.report("aggregate in a repetition", told, node.span)
            return
        inside = {
            self.held(each.name): variable
            for each in ir.walk(node)
            if isinstance(each, ir.Ref) and (variable := self.variables.get(self.held(each.name))) is not None
        }
        repeated = [variable for variable in inside.values() if variable.repeated]
        if len(repeated) > 1:
            names = " and ".join(f"`{variable.name}`" for variable in repeated)
            told = f"an aggregate goes over one repeated variable, and {names} are two"
            self.findings.report("aggregate of two", told, node.span)
        elif not repeated:
            told = "an aggregate in GRAPH_TABLE goes over a repeated variable, and there is none in it"
            hint = "make a column of what it takes, and aggregate outside with GROUP BY"
            self.findings.report("aggregate of one", told, node.span, hint, fix=self._moved(node))

    def _moved(self, node: ir.Node) -> Fix | None:
        return self.moves.get(node.span) if node.span is not None else None


def _chain(node: ir.Property) -> tuple[ir.Ref, list[str]] | None:
    """The name that `a.b.c` begins with, and the keys behind it; None where it begins with something else."""
    keys = [node.key]
    base: ir.Expression = node.base
    while isinstance(base, ir.Property):
        keys.append(base.key)
        base = base.base
    return (base, keys[::-1]) if isinstance(base, ir.Ref) else None
