"""CREATE PROPERTY GRAPH: names that are used twice, columns and tables that are not there, types that clash.

What tables have is known where the catalog has them; nothing is said about others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graphir.diagnostics import SyntaxFault
from graphir.passes.google.analysis import Analysis
from graphir.passes.google.catalog import of_data_type
from graphir.passes.google.types import UNKNOWN, Type
from graphir.schema.ddl.graphs import Element, End, Exposed, Graph, Label, read_statement
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.ddl.tokens import GOOGLE, Cursor, Token, first_at, scan
from graphir.source import Span

_ARITHMETIC = frozenset({"+", "-", "*", "/", "(", ")"})
_VOLATILE = frozenset(
    {"RAND", "CURRENT_DATE", "CURRENT_TIMESTAMP", "CURRENT_DATETIME", "CURRENT_TIME", "GENERATE_UUID"}
)


def check_definition(state: Analysis, at: Span) -> None:
    """Reports what is wrong with a CREATE PROPERTY GRAPH at a place of the text."""
    target = TARGETS["spanner-ddl"]
    tokens = scan(state.text, GOOGLE, at.start, at.end)
    cursor = Cursor(state.text, tokens, dotted=True)
    words = [token.word for token in tokens[:8]]
    if words[:3] == ["CREATE", "OR", "REPLACE"] and "IF" in words[:6]:
        state.report("G347", "OR REPLACE and IF NOT EXISTS exclude each other", at)
        return
    graphs: list[Graph] = []
    try:
        read_statement(cursor, graphs, target)
    except SyntaxFault as fault:
        state.found.extend(fault.diagnostics)
        return
    if graphs:
        _Definition(state, graphs[0], tokens[:-1]).check(replaces="REPLACE" in words[:3] or "IF" in words[:5])


def _span(token: Token) -> Span:
    return Span(token.start, token.end)


class _Definition:
    """A property graph as it is defined."""

    def __init__(self, state: Analysis, graph: Graph, tokens: Sequence[Token]) -> None:
        self.state = state
        self.graph = graph
        self.tokens = tokens
        self.types: dict[str, Type] = {}
        self.labels: dict[str, tuple[str, ...]] = {}
        nodes = [element for element in graph.elements if element.kind == "node"]
        self._nodes = {element.name.text.lower(): element for element in reversed(nodes)}

    def report(self, code: str, message: str, at: Token | Span, hint: str | None = None) -> None:
        self.state.report(code, message, _span(at) if isinstance(at, Token) else at, hint)

    def check(self, *, replaces: bool) -> None:
        name = self.graph.name
        plain = not name.within
        if plain and not replaces and name.text.lower() in self.state.catalog.graphs:
            self.report("G347", f"There is a graph `{name.text}` already", name, "write CREATE OR REPLACE")
        elif plain and name.text.lower() in self.state.catalog.tables:
            self.report("G347", f"`{name.text}` is the name of a table", name)
        self._check_names()
        for element in self.graph.elements:
            self._check_keys(element)
            if element.kind == "edge":
                self._check_end(element, element.source, "SOURCE")
                self._check_end(element, element.target, "DESTINATION")
            self._check_labels(element)
        self._check_dynamic()

    def _check_names(self) -> None:
        seen: set[str] = set()
        for element in self.graph.elements:
            if element.name.text.lower() in seen:
                self.report(
                    "G347", f"Two tables of the graph are named `{element.name.text}`", element.table, "write AS"
                )
            seen.add(element.name.text.lower())

    def columns(self, element: Element) -> Mapping[str, Type] | None:
        """The columns of the table of an element; None where the table is not known."""
        return None if element.table.within else self.state.catalog.tables.get(element.table.text.lower())

    def _check_columns(self, element: Element, names: Sequence[Token]) -> None:
        columns = self.columns(element)
        for name in names:
            if columns is not None and name.text.lower() not in columns:
                told = f"Table `{element.table.text}` has no column `{name.text}`"
                self.state.misspelled("G347", told, name.text, _span(name), columns)

    def _check_keys(self, element: Element) -> None:
        self._check_columns(element, element.key)
        for token in (element.dynamic_label, element.dynamic_properties):
            if token is not None:
                self._check_columns(element, [token])

    # -------------------------------------------------------------- ends

    def _check_end(self, element: Element, end: End | None, word: str) -> None:
        if end is None:
            return
        self._check_columns(element, end.columns)
        if end.element.within:
            told = f"An edge refers to `{end.element.text}` by its name in the graph"
            self.report("G347", told, end.element, f"write `{end.element.text}`")
        node = self._nodes.get(end.element.text.lower())
        if node is None:
            known = [each.name.text for each in self.graph.elements if each.kind == "node"]
            told = f"The graph has no node table `{end.element.text}`"
            self.state.misspelled("G347", told, end.element.text, _span(end.element), known)
            return
        self._check_columns(node, end.referred)
        seen: set[str] = set()
        for name in end.referred:
            if name.text.lower() in seen:
                self.report("G347", f"Column `{name.text}` is referred to twice", name)
            seen.add(name.text.lower())
        referred = end.referred or node.key
        if not referred or not end.columns:
            return
        at = self.state.source.find_last(word, end=end.columns[0].start) or _span(end.element)
        if len(referred) != len(end.columns):
            told = f"{len(end.columns)} columns refer to {len(referred)}"
            self.report("G347", told, at)
            return
        self._check_types(element, end, node, referred, at)

    def _check_types(self, element: Element, end: End, node: Element, referred: Sequence[Token], at: Span) -> None:
        own, other = self.columns(element), self.columns(node)
        if own is None or other is None:
            return
        for one, two in zip(end.columns, referred, strict=True):
            first, second = own.get(one.text.lower(), UNKNOWN), other.get(two.text.lower(), UNKNOWN)
            if first.kind != second.kind and "UNKNOWN" not in (first.kind, second.kind):
                told = f"`{one.text}` is {first}, and `{two.text}`, which it refers to, is {second}"
                self.report("G347", told, at)

    # -------------------------------------------------------------- labels and properties

    def _check_labels(self, element: Element) -> None:
        seen: set[str] = set()
        own: dict[str, str] = {}
        labels = element.labels or [Label(None, element.properties)]
        for label in labels:
            name = label.name or element.name
            if name.text.lower() in seen:
                self.report("G347", f"Label `{name.text}` stands at `{element.name.text}` twice", element.table)
            seen.add(name.text.lower())
            exposed = list(self._exposed(element, label))
            self._check_exposed(element, label, name, exposed, own)

    def _exposed(self, element: Element, label: Label) -> Iterator[Exposed]:
        """The properties of a label, those of all columns too."""
        properties = label.properties
        if properties is not None and properties.listed is not None:
            yield from properties.listed
            return
        self._check_explicit(element, label)
        excepted = properties.excepted if properties is not None else ()
        self._check_columns(element, excepted)
        left_out: set[str] = set()
        for name in excepted:
            if name.text.lower() in left_out:
                self.report("G347", f"Column `{name.text}` is left out twice", name)
            left_out.add(name.text.lower())
        for column in self.columns(element) or ():
            if column not in left_out:
                at = label.name or element.table
                token = Token("name", column, at.start, at.end)
                yield Exposed(token, token)

    def _check_explicit(self, element: Element, label: Label) -> None:
        if self.state.has("PROPERTY_GRAPH_ENFORCE_EXPLICIT_PROPERTIES"):
            at = self._properties_at(label.name or element.name)
            self.report("G345", "Properties are listed one by one here", at, "write PROPERTIES (..)")

    def _properties_at(self, anchor: Token) -> Span:
        """Where the properties of a label are written, or would be."""
        depth, before = 0, anchor
        for at in range(first_at(self.tokens, anchor.start + 1), len(self.tokens)):
            token = self.tokens[at]
            if not depth and (token.word == "PROPERTIES" or token.text in (",", ")")):
                return _span(token) if token.word else Span(before.end, before.end)
            depth += (token.text == "(") - (token.text == ")")
            before = token
        return _span(anchor)

    def _check_exposed(
        self, element: Element, label: Label, name: Token, exposed: Sequence[Exposed], own: dict[str, str]
    ) -> None:
        seen: dict[str, str] = {}
        listed = label.properties is not None and label.properties.listed is not None
        for each in exposed:
            key = each.name.text.lower()
            at = self._place(each)
            if key in seen:
                self.report("G347", f"Label `{name.text}` has two properties `{each.name.text}`", at)
            seen[key] = each.name.text
            written = self._written(each)
            if own.setdefault(key, written) != written:
                self.report("G347", f"Property `{each.name.text}` of `{element.name.text}` is defined in two ways", at)
            self._check_type(element, each, at)
        if listed or self.columns(element) is not None:
            self._check_label(name, tuple(sorted(seen)))

    def _check_label(self, name: Token, properties: tuple[str, ...]) -> None:
        known = self.labels.setdefault(name.text.lower(), properties)
        if known != properties:
            shown = [", ".join(each) or "none" for each in (known, properties)]
            told = f"Label `{name.text}` has the properties {shown[0]} at one table and {shown[1]} at another"
            self.report("G347", told, name, "a label exposes the same properties everywhere")

    def _place(self, exposed: Exposed) -> Span:
        if exposed.column is not None:
            return _span(exposed.column)
        start = self.state.text.rfind(exposed.expression or "", 0, exposed.name.start)
        return Span(start, start + len(exposed.expression or "")) if start >= 0 else _span(exposed.name)

    def _written(self, exposed: Exposed) -> str:
        return (exposed.column.text if exposed.column is not None else exposed.expression or "").lower()

    def _check_type(self, element: Element, exposed: Exposed, at: Span) -> None:
        of = self._type_of(element, exposed, at)
        known = self.types.setdefault(exposed.name.text.lower(), of)
        if "UNKNOWN" not in (known.kind, of.kind) and known != of:
            told = f"Property `{exposed.name.text}` is {known} elsewhere in the graph, and {of} here"
            self.report("G347", told, at, "give one of them another name")

    def _type_of(self, element: Element, exposed: Exposed, at: Span) -> Type:
        columns = self.columns(element)
        if exposed.column is not None:
            if columns is None:
                return UNKNOWN
            found = columns.get(exposed.column.text.lower())
            qualified = self.state.text[at.start - 1 : at.start] == "."
            if found is None and not qualified:
                self.state.misspelled(
                    "G347",
                    f"Table `{element.table.text}` has no column `{exposed.column.text}`",
                    exposed.column.text,
                    at,
                    columns,
                )
            return found or UNKNOWN
        return self._computed(element, exposed, at)

    def _computed(self, element: Element, exposed: Exposed, at: Span) -> Type:
        """The type of a property that is an expression, where that shows."""
        inside = self.tokens[first_at(self.tokens, at.start) : first_at(self.tokens, at.end)]
        if inside and inside[0].word == "MEASURE":
            if not self.state.has("MEASURE_DDL"):
                self.report("G303", "There is no function MEASURE", inside[0])
            return UNKNOWN
        for token, following in zip(inside, [*inside[1:], None], strict=True):
            called = following is not None and following.text == "("
            if token.word in ("SELECT", "EXISTS"):
                self.report("G347", "A property cannot be computed by a query", token)
                return UNKNOWN
            if token.word in _VOLATILE and (called or token.word.startswith("CURRENT_")):
                self.report("G347", f"A property cannot be computed by {token.word}, which changes", at)
                return UNKNOWN
        if all(token.is_name or token.kind == "number" or token.text in _ARITHMETIC for token in inside):
            self._check_columns(element, [token for token in inside if token.is_name])
        return of_data_type(exposed.type) if exposed.type is not None else UNKNOWN

    # -------------------------------------------------------------- labels and properties from the data

    def _check_dynamic(self) -> None:
        for kind in ("node", "edge"):
            elements = [each for each in self.graph.elements if each.kind == kind]
            labelled = [each for each in elements if each.dynamic_label is not None]
            for each in labelled[1:]:
                assert each.dynamic_label is not None
                self.report("G347", f"Only one {kind} table takes its labels from the data", each.dynamic_label)
            if len(labelled) == 1 and len(elements) > 1:
                self.report("G347", f"A graph with labels from the data has one {kind} table", elements[-1].table)
            for each in elements:
                self._check_dynamic_types(each)
        self._check_both_dynamic()

    def _check_both_dynamic(self) -> None:
        kinds = {
            kind: [each.dynamic_label is not None for each in self.graph.elements if each.kind == kind]
            for kind in ("node", "edge")
        }
        if self.state.has("DYNAMIC_LABEL_EXTENSION_IN_DDL"):
            return
        if all(kinds.values()) and any(kinds["node"]) != any(kinds["edge"]):
            first = self.tokens[0]
            self.report("G347", "Nodes and edges take their labels from the data, or neither do", first)

    def _check_dynamic_types(self, element: Element) -> None:
        columns = self.columns(element) or {}
        for token, what, kinds in (
            (element.dynamic_label, "DYNAMIC LABEL", ("STRING", "ARRAY")),
            (element.dynamic_properties, "DYNAMIC PROPERTIES", ("JSON",)),
        ):
            if token is None:
                continue
            if not self.state.has("DYNAMIC_LABEL_PROPERTIES_IN_DDL"):
                self.report("G345", f"{what} is no part of the language here", token)
            of = columns.get(token.text.lower(), UNKNOWN)
            wanted = kinds[:1] if element.kind == "edge" else kinds
            if of.kind not in (*wanted, "UNKNOWN"):
                self.report("G347", f"{what} takes a {wanted[0]}, and `{token.text}` is {of}", token)
