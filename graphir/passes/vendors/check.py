"""What a vendor refuses of a statement, as one function."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic, SyntaxFault
from graphir.passes.vendors import statements
from graphir.passes.vendors.catalog import NOTHING, Catalog, Element, End, Graph, Kind, Label, Property, Typed
from graphir.passes.vendors.definitions import Definitions
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.queries import Queries
from graphir.passes.vendors.rules import DEFINITIONS, QUERIES
from graphir.passes.vendors.scripts import apply
from graphir.passes.vendors.vendors import VENDORS, Vendor, vendor_of
from graphir.schema.ddl.targets import DIALECTS, TARGETS
from graphir.schema.ddl.tokens import Cursor, scan
from graphir.source import Source, Span

if TYPE_CHECKING:
    from graphir.schema import Schema
    from graphir.schema.ddl.plans import Element as Planned
    from graphir.schema.ddl.plans import Layout


def analyze(query: ir.Query, source: Source, dialect: str, catalog: Catalog = NOTHING) -> list[Diagnostic]:
    """What the vendor of a dialect refuses in a statement, with the vendor's codes; nothing for other dialects."""
    vendor = vendor_of(dialect)
    if vendor is None:
        return []
    if isinstance(query.body, ir.Command):
        return _of_definition(query.body, source, vendor, catalog)
    findings = Findings(source, vendor, QUERIES)
    Queries(findings, catalog, dialect).check(query)
    return findings.found


class History:
    """What the statements of a script have made, one after the other; of what stands elsewhere nothing is known."""

    def __init__(self, vendor: Vendor, catalog: Catalog | None = None) -> None:
        self.vendor = vendor
        self.catalog = Catalog(current=vendor.schema, home=vendor.schema) if catalog is None else catalog.copy()

    def follow(self, text: str) -> None:
        """Another statement; one that does not parse makes nothing."""
        try:
            apply(text, self.catalog, self.vendor)
        except SyntaxFault:
            return


def history(dialect: str, schema: Schema | None) -> History | None:
    """The history of a script that begins, on the graph of a schema; None for dialects that no vendor judges."""
    vendor = vendor_of(dialect)
    if vendor is None:
        return None
    return History(vendor, None if schema is None else of_schema(schema, dialect))


def _of_definition(command: ir.Command, source: Source, vendor: Vendor, catalog: Catalog) -> list[Diagnostic]:
    """What is wrong with a statement on property graphs.  The catalog stays as it is."""
    at = command.span or Span(0, len(source.text))
    target = TARGETS[vendor.format]
    findings = Findings(source, vendor, DEFINITIONS)
    try:
        cursor = Cursor(source.text, scan(source.text, target.lexis, at.start, at.end))
        statement = statements.read(cursor, target)
        if statement is not None and not cursor.at_end:
            cursor.fail("`;`")
    except SyntaxFault as fault:
        return refused(fault.diagnostics, vendor)
    if statement is not None:
        name = [target.name(token) for token in statement.name]
        Definitions(cursor, catalog.draft(name), findings).define(statement)
    return findings.found


def refused(found: list[Diagnostic], vendor: Vendor) -> list[Diagnostic]:
    """Faults of syntax with the vendor's code for them."""
    return [_refused(each, vendor) if each.vendor is None else each for each in found]


def _refused(found: Diagnostic, vendor: Vendor) -> Diagnostic:
    rule = next((each for each in ("reserved word", "no match") if found.code == DEFINITIONS[each].code), "syntax")
    code = DEFINITIONS[rule].vendors.get(vendor.name)
    if not code:
        return found
    return replace(found, vendor=code, message=f"{found.message} ({vendor.title}: {code})")


# ------------------------------------------------------------------ from a schema


@lru_cache(16)
def of_schema(schema: Schema, dialect: str) -> Catalog:
    """The catalog of a schema, under the names that its DDL has in a dialect.

    A schema has the properties that a graph exposes, and not every column of a table: tables are not known from it.
    """
    from graphir.schema.ddl.layout import lay_out

    vendor = vendor_of(dialect) or VENDORS["iso"]
    layout = lay_out(schema, TARGETS[DIALECTS[dialect]])
    target = layout.target
    *within, name = [target.held(part, True) for part in layout.graph]
    home = within[-1] if within else vendor.schema
    path = (home, name)
    graph = Graph(path, open=not (schema.coverage.labels and schema.coverage.types))
    for kind, planned in (("node", layout.nodes), ("edge", layout.edges)):
        for each in planned:
            made = _planned("node" if kind == "node" else "edge", each, layout, schema)
            graph.elements[made.name] = made
    closed = schema.name is not None and schema.origin is not None
    return Catalog(
        {}, {path: graph}, closed=closed, partial=True, current=home, home=vendor.schema, unplaced=not within
    )


def _planned(kind: Kind, planned: Planned, layout: Layout, schema: Schema) -> Element:
    target = layout.target
    name = target.held(planned.name, True)
    known = not schema.is_open(planned.type)
    labels: dict[str, Label] = {}
    for label in planned.labels.values():
        held = target.held(label, True)
        exposed = layout.exposed(planned, label)
        properties = {
            own: Property(own, own, Typed(type_, None))
            for printed, _, type_ in exposed
            for own in (target.held(printed, True),)
        }
        labels[held] = Label(held, properties if known else None)
    source, end = planned.source, planned.target
    return Element(
        name,
        kind,
        ("", planned.table.name),
        labels,
        End(target.held(source.node.name, True)) if source is not None else None,
        End(target.held(end.node.name, True)) if end is not None else None,
    )
