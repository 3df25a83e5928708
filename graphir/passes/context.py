"""What the checks of a query share.  Knows no check."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.passes import scope
from graphir.profiles import DEFAULTS, Options
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.passes.schema.bindings import Bindings
    from graphir.passes.vendors.catalog import Catalog
    from graphir.schema import Schema


@dataclass(frozen=True)
class Context:
    """What checks share: the text, the level of Cypher that counts, what is known of the names and of the data.

    `written` is the query as it was read, before anything was settled; `catalog` what the script made before it, for
    SQL/PGQ.
    """

    query: ir.Query
    source: Source
    dialect: str
    schema: Schema | None = None
    options: Options = DEFAULTS
    written: ir.Query | None = None
    catalog: Catalog | None = None

    @cached_property
    def scopes(self) -> scope.Scopes:
        return scope.analyze(self.query, self.source, self.dialect)

    @cached_property
    def analysis(self) -> list[Diagnostic]:
        """What GoogleSQL's analyzer refuses in the query as written, in the order of its rules."""
        from graphir.passes.google.catalog import NOTHING, of_schema
        from graphir.passes.google.check import analyze
        from graphir.passes.google.features import PROFILES

        catalog = NOTHING if self.schema is None else of_schema(self.schema, self.dialect)
        features = PROFILES["emulator" if self.options.emulator else "production"]
        return analyze(self.written or self.query, self.source, catalog, features, parameters=self.options.parameters)

    @cached_property
    def refusals(self) -> list[Diagnostic]:
        """What the vendor of a dialect of SQL/PGQ refuses in the query as written, with the vendor's codes."""
        from graphir.passes.vendors.catalog import NOTHING
        from graphir.passes.vendors.check import analyze, of_schema

        catalog = self.catalog
        if catalog is None:
            catalog = NOTHING if self.schema is None else of_schema(self.schema, self.dialect)
        return analyze(self.written or self.query, self.source, self.dialect, catalog)

    @cached_property
    def bindings(self) -> Bindings | None:
        """What variables may be under the schema, and whose the properties are; None where there is no schema."""
        if self.schema is None:
            return None
        from graphir.passes.schema.index import index_of
        from graphir.passes.schema.orientation import settled

        return settled(self.query, index_of(self.schema))
