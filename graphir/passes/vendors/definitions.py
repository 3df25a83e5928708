"""Checks a statement on property graphs against a catalog, and applies it.

The rules are those of `rules.DEFINITIONS`.  What is wrong is reported and the statement applied as far as it goes, so
that what follows is judged by what was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graphir.passes.vendors import statements as written
from graphir.passes.vendors.agreement import Agreement
from graphir.passes.vendors.catalog import (
    TEMPORARY,
    UNTYPED,
    Catalog,
    Element,
    End,
    Graph,
    Label,
    Path,
    Property,
    Table,
    Typed,
)
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.types import comparable, type_of
from graphir.passes.vendors.vendors import Vendor
from graphir.schema.ddl import graphs as ddl
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.ddl.tokens import Cursor, Token, first_at
from graphir.source import Span


def span_of(token: Token) -> Span:
    return Span(token.start, token.end)


def shown(name: Iterable[str]) -> str:
    return ".".join(name)


class Definitions:
    """One statement after the other, over one catalog."""

    def __init__(self, cursor: Cursor, catalog: Catalog, findings: Findings) -> None:
        self.cursor = cursor
        self.catalog = catalog
        self.findings = findings
        self.vendor: Vendor = findings.vendor
        self.target = TARGETS[self.vendor.format]
        self._agreement: Agreement | None = None

    def held(self, token: Token) -> str:
        """A name as the database holds it."""
        return self.target.name(token)

    def name(self, tokens: written.Name) -> tuple[str, ...]:
        return tuple([self.held(token) for token in tokens])

    def report(self, rule: str, message: str, at: Token, hint: str | None = None) -> None:
        self.findings.report(rule, message, span_of(at), hint)

    # -------------------------------------------------------------- statements

    def define(self, statement: written.Statement) -> None:
        """Check a statement and change the catalog as it says."""
        if statement.verb in ("create", "alter", "drop"):
            hint = "write WITH name AS PROPERTY GRAPH (..) in front of the query"
            told = f"{self.vendor.title} has no statements on property graphs"
            self.report("no definitions", told, statement.name[-1], hint)
        getattr(self, f"_{statement.verb}", self._name_only)(statement)

    def _create(self, statement: written.Statement) -> None:
        self._check_forms(statement)
        path = self.catalog.resolve(self.name(statement.name))
        if "temporary" in statement.words:
            path = (TEMPORARY, path[1])
        last = statement.name[-1]
        if path in self.catalog.graphs or self._is_table(path):
            if statement.exists:
                return
            if "replace" not in statement.words:
                self.report("graph exists", f"there is a graph or table `{last.text}` already", last)
                return
        graph = Graph(path, temporary="temporary" in statement.words)
        self._agreement = None
        self._add(graph, statement.elements, new=True)
        self.catalog.graphs[path] = graph

    def _is_table(self, path: Path) -> bool:
        return self.vendor.name == "postgres" and path in self.catalog.tables

    def _check_forms(self, statement: written.Statement) -> None:
        """Words that the vendor does not have."""
        vendor, words = self.vendor, statement.words
        forms = (
            ("unlogged", "unlogged graph", False),
            ("temporary", "temporary graph", vendor.temporary),
            ("replace", "replaced graph", vendor.replaces),
            ("node", "node words", vendor.node_words),
        )
        for word, rule, allowed in forms:
            if word in words and not allowed:
                self.report(rule, f"{vendor.title} does not have {words[word].text.upper()} here", words[word])
        if not vendor.empty_graphs and not any(each.kind == "node" for each in statement.elements):
            self.report("no tables", "a graph needs VERTEX TABLES", statement.name[-1])

    def _known(self, statement: written.Statement, rule: str = "no such graph") -> Graph | None:
        """The graph that a statement is about; None where that is not known."""
        name = self.name(statement.name)
        graph = self.catalog.graph(name)
        if graph is None and self.catalog.closed and not statement.exists:
            last = statement.name[-1]
            told = f"there is no property graph `{shown(token.text for token in statement.name)}`"
            known = [path[1] for path in self.catalog.graphs]
            self.findings.misspelled(rule, told, last.text, span_of(last), known)
        return graph

    def _name_only(self, statement: written.Statement) -> None:
        self._known(statement)
        for token in statement.privileges:
            if token.word not in ("SELECT", "ALL"):
                self.report("privilege", f"there is no privilege {token.text.upper()} on a property graph", token)

    def _drop(self, statement: written.Statement) -> None:
        graph = self._known(statement, "no such graph to drop")
        if graph is None:
            return
        if not statement.cascade and (needed := self._dependent(graph)) is not None:
            last = statement.name[-1]
            self.report("still needed", f"the view `{needed.path[1]}` needs the graph `{last.text}`", last)
            return
        del self.catalog.graphs[graph.path]

    def _dependent(self, graph: Graph, name: str | None = None) -> Table | None:
        """A view that asks the graph, and names `name`."""
        wanted = {graph.path[1]} if name is None else {graph.path[1], name}
        return next((each for each in self.catalog.tables.values() if each.view and wanted <= each.words), None)

    def _alter(self, statement: written.Statement) -> None:
        renames = all(isinstance(action, written.Move) and action.schema is None for action in statement.actions)
        if not self.vendor.alters and not (self.vendor.renames and renames):
            first = self.cursor.tokens[max(0, self.cursor.tokens.index(statement.name[0]) - 3)]
            self.report("altered graph", f"{self.vendor.title} does not alter property graphs", first)
            return
        graph = self._known(statement)
        if graph is None:
            return
        for action in statement.actions:
            self._agreement = None
            _ACTIONS[type(action)](self, graph, action)

    # -------------------------------------------------------------- actions

    def _move(self, graph: Graph, action: written.Move) -> None:
        self.catalog.graphs.pop(graph.path, None)
        schema, name = graph.path
        graph.path = (
            self.held(action.schema) if action.schema is not None else schema,
            self.held(action.name) if action.name is not None else name,
        )
        self.catalog.graphs[graph.path] = graph

    def _add_elements(self, graph: Graph, action: written.AddElements) -> None:
        self._add(graph, action.elements, new=False)

    def _drop_elements(self, graph: Graph, action: written.DropElements) -> None:
        for token in action.names:
            gone = self.held(token)
            if gone not in graph.elements:
                self.report("no such element", f"the graph has no element `{token.text}`", token)
                continue
            needing = [each for each in graph.elements.values() if gone in each.ends]
            if needing and not action.cascade:
                self.report("still needed", f"the edge `{needing[0].name}` ends at `{token.text}`", token)
                continue
            for each in needing:
                graph.elements.pop(each.name, None)
            graph.elements.pop(gone, None)

    def _element(self, graph: Graph, token: Token) -> Element | None:
        found = graph.elements.get(self.held(token))
        if found is None:
            told = f"the graph has no element `{token.text}`"
            self.findings.misspelled("no such element", told, token.text, span_of(token), graph.elements)
        return found

    def _agreed(self, graph: Graph) -> Agreement:
        """What its elements agree on, until an action takes something away."""
        if self._agreement is None:
            self._agreement = Agreement(graph)
        return self._agreement

    def _label(self, element: Element | None, token: Token) -> Label | None:
        if element is None:
            return None
        found = element.labels.get(self.held(token))
        if found is None:
            told = f"the element `{element.name}` has no label `{token.text}`"
            self.findings.misspelled("no such label", told, token.text, span_of(token), element.labels)
        return found

    def _add_label(self, graph: Graph, action: written.AddLabel) -> None:
        element = self._element(graph, action.element)
        if element is not None:
            self._labelled(graph, element, action.label, action.label.properties, action.element)

    def _drop_label(self, graph: Graph, action: written.DropLabel) -> None:
        element = self._element(graph, action.element)
        label = self._label(element, action.label)
        if element is None or label is None:
            return
        if len(element.labels) == 1:
            self.report("last label", f"`{action.label.text}` is the last label of `{element.name}`", action.label)
        elif not action.cascade and (view := self._dependent(graph, label.name)) is not None:
            self.report("still needed", f"the view `{view.path[1]}` needs `{label.name}`", action.label)
        else:
            del element.labels[label.name]

    def _add_properties(self, graph: Graph, action: written.AddProperties) -> None:
        element = self._element(graph, action.element)
        label = self._label(element, action.label)
        if element is None or label is None or label.properties is None:
            return
        table = self._table_of(element)
        for exposed in self._exposed(action.properties, table, action.label):
            self._expose(graph, element, label, exposed)

    def _drop_properties(self, graph: Graph, action: written.DropProperties) -> None:
        label = self._label(self._element(graph, action.element), action.label)
        if label is None or label.properties is None:
            return
        for token in action.names:
            name = self.held(token)
            if name not in label.properties:
                told = f"the label `{label.name}` has no property `{token.text}`"
                self.findings.misspelled("no such property", told, token.text, span_of(token), label.properties)
            elif not action.cascade and (view := self._dependent(graph, name)) is not None:
                self.report("still needed", f"the view `{view.path[1]}` needs `{name}`", token)
            else:
                del label.properties[name]

    # -------------------------------------------------------------- elements

    def _add(self, graph: Graph, elements: Sequence[ddl.Element], *, new: bool) -> None:
        before = set(graph.elements)
        for element in sorted(elements, key=lambda each: each.kind == "edge"):
            self._add_element(graph, element, before, new=new)

    def _add_element(self, graph: Graph, element: ddl.Element, before: set[str], *, new: bool) -> None:
        path = self.target.path(element.table)
        table = self._table(path, element.table)
        if table is not None and table.temporary and not graph.temporary:
            if new:
                graph.temporary = True
            else:
                self.report("temporary table", f"`{element.table.text}` is a temporary table", element.table)
        name = self.held(element.name)
        known = graph.elements.get(name)
        twin = known is not None and (self.vendor.name == "postgres" or known.kind == element.kind)
        if twin and self.vendor.name != "duckpgq":
            rule = "element exists" if name in before else "element twice"
            hint = "give it another name with AS"
            self.report(rule, f"the graph has an element `{element.name.text}` already", element.name, hint)
        place = table.path if table is not None else self.catalog.resolve(path)
        made = Element(name, element.kind, place, {}, sublabels=tuple(map(self.held, element.sublabels)))
        made.mask = self.held(element.mask) if element.mask is not None else ""
        self._check_key(element, table)
        if element.kind == "edge":
            ends = ((element.source, "SOURCE"), (element.target, "DESTINATION"))
            made.source, made.target = (self._end(graph, end, table) for end, _ in ends)
            for end, word in ends:
                self._check_end(graph, element, end, table, word)
        self._check_unique_labels(graph, element)
        graph.elements[name if name not in graph.elements else shown(path)] = made
        self._agreed(graph).add_element(made)
        for label in element.labels or [ddl.Label(None, element.properties)]:
            self._labelled(graph, made, label, label.properties or element.properties, element.name)

    def _table(self, path: tuple[str, ...], token: Token) -> Table | None:
        table = self.catalog.table(path)
        if table is None and self.catalog.closed and not self.catalog.partial:
            known = [each[1] for each in self.catalog.tables]
            told = f"there is no table `{shown(path)}`"
            self.findings.misspelled("no such table", told, token.text, span_of(token), known)
        if table is not None and table.view and not self.vendor.views:
            self.report("view", f"`{token.text}` is a view, and a graph is over tables", token)
        return table

    def _check_unique_labels(self, graph: Graph, element: ddl.Element) -> None:
        """Where a label stands at one table, the labels that come from a column count too."""
        if not self.target.unique_labels:
            return
        own = element.labels[0].name or element.name if element.labels else element.name
        after = next((each for each in element.labels if each.properties is not None), None)
        if after is not None:
            told = "PROPERTIES stands before LABEL"
            self.report("label before properties", told, after.name or element.name)
        if len(element.labels) > 1:
            self.report("several labels", "a table has one label", element.labels[1].name or element.name)
        taken = self._agreed(graph).labels
        for token in (own, *element.sublabels):
            if (held := self.held(token)) in taken:
                self.report("label twice", f"the graph has the label `{token.text}` already", token)
            taken.add(held)

    def _check_key(self, element: ddl.Element, table: Table | None) -> None:
        if element.key and not self.target.key_clause:
            self.report("no key clause", f"{self.vendor.title} has no KEY here", element.key[0])
        self._check_columns(element.key, table)
        if not element.key and table is not None and table.columns is not None and not table.key:
            hint = "write KEY and the columns that tell the rows apart"
            self.report(
                "no key", f"`{element.table.text}` has no primary key, and no KEY is given", element.table, hint
            )

    def _check_columns(self, names: Iterable[Token], table: Table | None) -> None:
        for token in names:
            if table is not None and not table.has(self.held(token)):
                told = f"the table `{table.path[1]}` has no column `{token.text}`"
                self.findings.misspelled("no such column", told, token.text, span_of(token), table.columns or ())

    # -------------------------------------------------------------- ends of edges

    def _end(self, graph: Graph, end: ddl.End | None, table: Table | None) -> End | None:
        """Where an edge begins or ends; its columns are those given, or those of the foreign key."""
        if end is None:
            return None
        path = self.target.path(end.element)
        if end.element.within and not self.target.whole_ends:
            told = f"an edge refers to `{end.element.text}` by its name in the graph, without the schema"
            self.report("syntax", told, end.element, f"write `{end.element.text}`")
        found = self._at(graph, path)
        if found is None:
            told = f"the graph has no vertex table `{shown(path)}`"
            names = [each.name for each in graph.of_kind("node")]
            self.findings.misspelled("no such end", told, end.element.text, span_of(end.element), names)
            return End(path[-1])
        there = self._table_of(found)
        key = there.key if there is not None else ()
        if end.columns:
            columns = tuple(map(self.held, end.columns))
            return End(found.name, columns, tuple(map(self.held, end.referred)) or key)
        keys = [each for each in table.references if each.table == found.table] if table is not None else []
        return End(found.name, keys[0].columns, keys[0].referred or key) if len(keys) == 1 else End(found.name)

    def _check_end(self, graph: Graph, edge: ddl.Element, end: ddl.End | None, table: Table | None, word: str) -> None:
        found = self._at(graph, self.target.path(end.element)) if end is not None else None
        if end is None or found is None:
            return
        there = self._table_of(found)
        self._check_columns(end.columns, table)
        if end.columns and not end.referred and self.vendor.referred_columns:
            hint = f"name the columns of `{end.element.text}` in parentheses"
            self.report("referred columns", "REFERENCES names no columns", end.element, hint)
        self._check_columns(end.referred, there)
        if self.vendor.name == "duckpgq" or not end.columns:
            self._check_foreign(edge, end, table, there, word)
        elif table is not None and there is not None:
            self._check_pairs(end, table, there)

    def _at(self, graph: Graph, path: tuple[str, ...]) -> Element | None:
        """The vertex of a name: of an element or, where names of tables count, of its table."""
        agreed = self._agreed(graph)
        if self.vendor.name != "duckpgq":
            return agreed.node(path[-1])
        own = agreed.node(path[0]) if len(path) == 1 else None
        wanted = self.catalog.table(path)
        return own or agreed.node(wanted.path if wanted is not None else self.catalog.resolve(path))

    def _table_of(self, element: Element) -> Table | None:
        return self.catalog.tables.get(element.table)

    def _check_foreign(
        self, edge: ddl.Element, end: ddl.End, table: Table | None, there: Table | None, word: str
    ) -> None:
        """Where no columns are given, exactly one foreign key says which they are."""
        if table is None or there is None or table.columns is None or (end.columns and self._others_given(edge)):
            return
        keys = [each for each in table.references if each.table == there.path]
        if not keys and end.columns:
            return
        if len(keys) > 1:
            hint = f"write {word} KEY (..) REFERENCES {end.element.text} (..)"
            told = f"several foreign keys of `{edge.table.text}` refer to `{end.element.text}`"
            self.report("several foreign keys", told, end.element, hint)
        elif not keys:
            hint = f"write {word} KEY (..) REFERENCES {end.element.text} (..)"
            told = f"no foreign key of `{edge.table.text}` refers to `{end.element.text}`"
            self.report("no foreign key", told, end.element, hint)

    @staticmethod
    def _others_given(edge: ddl.Element) -> bool:
        return all(end is not None and bool(end.columns) for end in (edge.source, edge.target))

    def _check_pairs(self, end: ddl.End, table: Table, there: Table) -> None:
        referred = [self.held(token) for token in end.referred] or list(there.key)
        if referred and len(referred) != len(end.columns):
            told = f"{len(end.columns)} columns refer to {len(referred)}"
            self.report("number of columns", told, end.columns[0])
            return
        for token, name in zip(end.columns, referred, strict=False):
            one, other = table.type_of(self.held(token)), there.type_of(name)
            if not comparable(one, other):
                told = f"`{token.text}` is {one.name}, and `{name}`, to which it refers, is {other.name}"
                self.report("incomparable key", told, token)
            elif None not in (one.collation, other.collation) and one.collation != other.collation:
                told = f"`{token.text}` has the collation {one.collation}, and `{name}` has {other.collation}"
                self.report("collation of key", told, token)

    # -------------------------------------------------------------- labels and properties

    def _labelled(
        self, graph: Graph, element: Element, label: ddl.Label, properties: ddl.Properties | None, at: Token
    ) -> None:
        token = label.name or at
        name = self.held(label.name) if label.name is not None else element.name
        if name in element.labels:
            self.report("label twice", f"`{element.name}` has the label `{token.text}` already", token)
            return
        table = self._table_of(element)
        made = Label(name, {})
        unlisted = (properties is None or properties.listed is None) and (table is None or table.columns is None)
        if unlisted:
            made.properties = None
        else:
            for exposed in self._exposed(properties or ddl.ALL_COLUMNS, table, token):
                self._expose(graph, element, made, exposed)
            self._check_label(graph, made, token)
        element.labels[name] = made
        self._agreed(graph).add_label(element, made)

    def _exposed(self, properties: ddl.Properties, table: Table | None, at: Token) -> list[tuple[Property, Token]]:
        """The properties, each with the place where it is said."""
        if properties.listed is not None:
            return [(self._property(each, table), each.name) for each in properties.listed]
        for token in properties.excepted:
            if self.vendor.name == "postgres":
                self.report("excepted columns", "EXCEPT is no part of the definition of a graph", token)
        self._check_columns(properties.excepted, table)
        left_out = {self.held(token) for token in properties.excepted}
        columns = table.columns if table is not None and table.columns is not None else {}
        return [(Property(name, name, type_, name), at) for name, type_ in columns.items() if name not in left_out]

    def _property(self, exposed: ddl.Exposed, table: Table | None) -> Property:
        name = self.held(exposed.name)
        if exposed.column is not None:
            self._check_columns([exposed.column], table)
            column = self.held(exposed.column)
            return Property(name, column, table.type_of(column) if table is not None else UNTYPED, column)
        assert exposed.at is not None
        tokens = self.cursor.tokens
        inside = tokens[first_at(tokens, exposed.at.start) : first_at(tokens, exposed.at.end)]
        if self.vendor.name == "duckpgq":
            self.report("expression", "a property is a column of the table", inside[0])
        text = " ".join(self.held(token) if token.is_name else token.text for token in inside)
        own = self.cursor.text[exposed.at.start : exposed.at.end]
        return Property(name, text, type_of(inside, table, self.target, self.cursor.text), written=own)

    def _expose(self, graph: Graph, element: Element, label: Label, exposed: tuple[Property, Token]) -> None:
        property_, at = exposed
        assert label.properties is not None
        if property_.name in label.properties:
            told = f"the label `{label.name}` has a property `{property_.name}` already"
            self.report("property twice", told, at)
            return
        label.properties[property_.name] = property_
        for other in element.labels.values():
            known = (other.properties or {}).get(property_.name)
            if known is not None and known.expression != property_.expression:
                told = f"`{property_.name}` of `{element.name}` is `{known.expression}` at another label"
                self.report("two expressions", told, at, "a property of one element is computed in one way")
                return
        self._check_type(graph, property_, at)
        self._agreed(graph).add_property(property_)

    def _check_type(self, graph: Graph, property_: Property, at: Token) -> None:
        for known in self._agreed(graph).types(property_.name):
            rule = _difference(known, property_.type)
            if rule is not None:
                what = "name" if rule == "two types" else "collation"
                one, two = getattr(known, what), getattr(property_.type, what)
                told = f"the property `{property_.name}` is {one} elsewhere in the graph, and {two} here"
                self.report(rule, told, at, "give one of them another name")
                return

    def _check_label(self, graph: Graph, label: Label, at: Token) -> None:
        """Every table with a label has the same properties under it."""
        other = self._agreed(graph).other_shape(label)
        if other is not None:
            element, known = other
            names = [", ".join(sorted(found)) or "none" for found in (known, label.properties or ())]
            told = f"the label `{label.name}` has the properties {names[0]} at `{element.name}`, and {names[1]} here"
            self.report("different properties", told, at)


def _difference(one: Typed, other: Typed) -> str | None:
    """The rule that two types of one property break."""
    if None not in (one.name, other.name) and one.name != other.name:
        return "two types"
    if None not in (one.collation, other.collation) and one.collation != other.collation:
        return "two collations"
    return None


_ACTIONS: dict[type, Callable[[Definitions, Graph, Any], None]] = {
    written.Move: Definitions._move,
    written.AddElements: Definitions._add_elements,
    written.DropElements: Definitions._drop_elements,
    written.AddLabel: Definitions._add_label,
    written.DropLabel: Definitions._drop_label,
    written.AddProperties: Definitions._add_properties,
    written.DropProperties: Definitions._drop_properties,
}
