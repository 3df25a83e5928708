"""What a result shows: nodes, relationships, paths and maps, which a column of the target cannot hold, in another form.

expand: an element becomes a column with its identity, columns for its labels or its type where the query leaves them
open, for the ends of a relationship, and for every property that it may have; lists of elements, and the nodes and
relationships of a path, are lists of STRUCTs.  json: one column of the JSON that TO_JSON makes of an element where it
takes one, which Spanner does not say in every mode of its analyzer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql.expressions import NULL, call
from graphir.backends.gql.names import free
from graphir.backends.gql.records import IDENTITY, exposures, field, missing, several_labels, sort_of, struct
from graphir.backends.gql.values import ELEMENTS, IDENTITIES, RECORDS, SCALARS, Kind, Value
from graphir.values import documents

if TYPE_CHECKING:
    from graphir.backends.gql.schematic import Schematic

COMPOSITE = ELEMENTS | RECORDS | {Kind.PATH, Kind.EDGES, Kind.MAP}
"""Kinds that a column cannot have."""
EXPANDED = "G553"
"""Code of the note on a result that has another shape."""


class Results:
    """The columns of the last projection; `taken` are names that the made-up ones must not have."""

    def __init__(self, translator: Schematic, taken: Iterable[str]) -> None:
        self.translator = translator
        self.report = translator.report
        self.graph = translator.graph
        self.options = translator.setting.options
        self.taken = {name.casefold() for name in taken}

    def shown(self, item: ir.Item, value: Value) -> Iterator[ir.Item]:
        """The columns that stand for one; `value` is what is known of it in all branches of a union."""
        if value.kind in IDENTITIES:
            raise self.report.refusal("identity", item, f"a result with {value.kind.value}")
        if not self.translator.setting.has_datetime and holds(value, (Kind.DATETIME,)):
            raise self.report.refusal("function", item, f"a result with {Kind.DATETIME.value}")
        if value.kind in (Kind.LIST, Kind.MAP) and holds(value, RECORDS):
            if self.options.elements == "json" and value.kind is Kind.LIST and value.member().kind in RECORDS:
                yield ir.Item(self.json_of_list(item, value), item.name)
                return
            self.check_held(item, value)
        if value.kind in SCALARS or value.kind in (Kind.OPAQUE, Kind.LIST):
            yield item
            return
        if value.kind is Kind.MAP:
            yield ir.Item(call("TO_JSON", item.value), item.name)
            return
        if self.options.elements == "refuse":
            raise self.report.refusal("returned-element", item, f"a result with {value.kind.value}")
        if self.options.elements == "json":
            yield ir.Item(self.json(item, value), item.name)
            return
        made = list(self.columns(item, value))
        names = ", ".join([column.name or "" for column in made])
        self.report.note(EXPANDED, item, f"`{item.name}`, {value.kind.value}, is shown as the columns {names}")
        yield from made

    def check_held(self, item: ir.Item, value: Value) -> None:
        """Refuse a list or a map with elements where they cannot be shown; else say how they are."""
        if self.graph is None or self.options.elements == "refuse":
            raise self.report.refusal("returned-element", item, f"a result with {value.kind.value} of elements")
        told = f"the elements in `{item.name}` are shown as STRUCTs of their identity and properties"
        self.report.note(EXPANDED, item, told)

    def columns(self, item: ir.Item, value: Value) -> Iterator[ir.Item]:
        if value.kind is Kind.PATH:
            for word, each, part in self.sides(item, value):
                yield ir.Item(part, self.name(f"{item.name}_{word}{each}"))
            return
        if value.kind is Kind.EDGES:
            yield ir.Item(self.listed(item.value, self.member(value), value.nullable, item.value), item.name)
            return
        for name, expression in self.parts(item, item.value, value):
            yield ir.Item(expression, self.name(f"{item.name}_{name}"))

    def name(self, wanted: str) -> str:
        """A free name."""
        return free(wanted, self.taken)

    def parts(self, node: ir.Node, element: ir.Expression, value: Value) -> Iterator[tuple[str, ir.Expression]]:
        """What an element consists of: names and values."""
        graph, tables = self.graph, value.tables
        if graph is None or tables is None:
            raise self.report.refusal("returned-element", node, f"a result with {value.kind.value}")
        if value.kind in RECORDS:
            yield IDENTITY, field(element, IDENTITY)
            for exposed in exposures(graph, tables):
                yield exposed.name, field(element, exposed.name)
            return
        yield IDENTITY, call("ELEMENT_ID", element)
        if several_labels(graph, tables):
            if value.kind is Kind.EDGE:
                yield "type", self.inside(element, value).value(ir.Apply("type", (element,)))[0]
            else:
                yield "labels", self.inside(element, value).value(ir.Apply("labels", (element,)))[0]
        if value.kind is Kind.EDGE:
            yield "source_id", call("SOURCE_NODE_ID", element)
            yield "destination_id", call("DESTINATION_NODE_ID", element)
        own = value if not isinstance(element, ir.Ref) else self.translator.scope.values.get(element.name, value)
        shown = exposures(graph, tables)
        there = {exposed.name for exposed in (shown if own is value else exposures(graph, own.tables or ()))}
        for exposed in shown:
            yield exposed.name, ir.Property(element, exposed.name) if exposed.name in there else NULL

    def inside(self, element: ir.Expression, value: Value) -> Schematic:
        assert isinstance(element, ir.Ref)
        return self.translator.within(element.name, value)

    def member(self, value: Value) -> Value:
        return Value(Kind.EDGE, False, value.tables)

    def listed(
        self, source: ir.Expression, member: Value, nullable: bool, tested: ir.Expression, each: str = "\0element"
    ) -> ir.Expression:
        """A list of elements as STRUCTs, null where it is null."""
        parts = self.objects if self.options.elements == "json" else self.parts
        made = struct(parts(source, ir.Ref(each), member))
        found: ir.Expression = ir.ListComprehension(each, source, None, made)
        if not nullable:
            return found
        length = call("ARRAY_LENGTH", tested) if tested is source else call("PATH_LENGTH", tested)
        return call("IF", ir.Apply("is_null", (length,)), NULL, found)

    def sides(self, item: ir.Item, value: Value) -> Iterator[tuple[str, str, ir.Expression]]:
        """The nodes and the relationships of a path."""
        every = self.translator.every_table
        for word, kind, function in (("nodes", Kind.NODE, "NODES"), ("edges", Kind.EDGE, "EDGES")):
            known = every(kind)
            tables = known if known is None or value.tables is None else known & value.tables
            if kind is Kind.EDGE and not tables:
                continue
            source = call(function, item.value)
            member = Value(kind, False, tables)
            yield word, "", self.listed(source, member, value.nullable, item.value)

    # -------------------------------------------------------------- JSON

    def json(self, item: ir.Item, value: Value) -> ir.Expression:
        """The JSON of an element, a list of them, or a path."""
        if self.graph is None or value.tables is None or value.kind is Kind.PATH:
            return call("TO_JSON", item.value)
        if value.kind is Kind.EDGES:
            made = self.listed(item.value, self.member(value), value.nullable, item.value)
        else:
            made = struct(self.objects(item, item.value, value))
        if value.nullable and value.kind in ELEMENTS:
            made = call("IF", missing(item.value), NULL, made)
        if value.nullable and value.kind in RECORDS:
            made = call("IF", ir.Apply("is_null", (field(item.value, IDENTITY),)), NULL, made)
        return call("TO_JSON", made)

    def json_of_list(self, item: ir.Item, value: Value) -> ir.Expression:
        """The JSON of a list of elements that are values."""
        each = "\0element"
        made = struct(self.objects(item, ir.Ref(each), value.member()))
        found: ir.Expression = ir.ListComprehension(each, item.value, None, made)
        if value.nullable:
            found = call("IF", ir.Apply("is_null", (item.value,)), NULL, found)
        return call("TO_JSON", found)

    def objects(self, node: ir.Node, element: ir.Expression, value: Value) -> Iterator[tuple[str, ir.Expression]]:
        """What TO_JSON says of an element: names and values.  Refuses what an element that is a value has not kept."""
        graph, tables = self.graph, value.tables
        if graph is None or tables is None:
            raise self.report.refusal("returned-element", node, f"a result with {value.kind.value}")
        record, edge = value.kind in RECORDS, sort_of(value) is Kind.EDGE
        several = several_labels(graph, tables)
        if record and (several or edge or not self.is_alike(tables)):
            raise self.report.refusal("returned-element", node, f"the JSON of {value.kind.value}")
        yield documents.IDENTIFIER, field(element, IDENTITY) if record else call("ELEMENT_ID", element)
        yield documents.KIND, ir.Literal(documents.EDGE if edge else documents.NODE)
        if not several:
            names = sorted(graph.tables[min(tables)].labels - graph.hidden) if tables else []
            yield documents.LABELS, ir.ListOf(tuple([ir.Literal(name) for name in names]))
        elif edge:
            yield documents.LABELS, ir.ListOf((self.inside(element, value).value(ir.Apply("type", (element,)))[0],))
        else:
            yield documents.LABELS, self.inside(element, value).value(ir.Apply("labels", (element,)))[0]
        if edge:
            yield documents.SOURCE, call("SOURCE_NODE_ID", element)
            yield documents.DESTINATION, call("DESTINATION_NODE_ID", element)
        yield documents.PROPERTIES, self.properties(element, tables, record=record)

    def is_alike(self, tables: Iterable[int]) -> bool:
        """Whether elements of the tables have the same properties."""
        assert self.graph is not None
        return len({frozenset(self.graph.folded[number]) for number in tables}) < 2

    def properties(self, element: ir.Expression, tables: frozenset[int], *, record: bool) -> ir.Expression:
        """Those that the table of an element has."""
        graph = self.graph
        assert graph is not None

        def of(numbers: Iterable[int]) -> ir.Struct:
            shown = exposures(graph, numbers)
            return struct([(exposed.name, ir.Property(element, exposed.name)) for exposed in shown])

        if record or self.is_alike(tables):
            return of(tables)
        branches = [
            ir.Branch((ir.Literal(graph.tables[number].name),), call("TO_JSON", of([number])))
            for number in sorted(tables)
        ]
        return ir.Case(call("ELEMENT_DEFINITION_NAME", element), tuple(branches))


def holds(value: Value, kinds: Collection[Kind]) -> bool:
    """Whether a value, or something in a list or a map, is of one of the kinds."""
    pending = [value]
    while pending:
        known = pending.pop()
        if known.kind in kinds:
            return True
        pending.extend([part for _, part in known.fields])
        if known.kind is Kind.LIST:
            pending.append(known.member())
    return False


def joined(values: Iterable[Value]) -> Value | None:
    """What is known of a column in all branches of a union; None where they are of different sorts."""
    found: Value | None = None
    for value in values:
        if found is None or found.kind is Kind.NULL:
            found = value
        elif value.kind is Kind.NULL:
            continue
        elif value.kind is found.kind and (value.kind in COMPOSITE):
            tables = (
                None
                if None in (value.tables, found.tables)
                else (value.tables or frozenset()) | (found.tables or frozenset())
            )
            found = Value(value.kind, value.nullable or found.nullable, tables, fields=found.fields)
        elif (value.kind, value.items, value.type) != (found.kind, found.items, found.type):
            return None
    return found
