"""A database in memory: tables and property graphs, statements analyzed and run against them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from graphir.backends.engines.googlesql import changes, definitions, features
from graphir.backends.engines.googlesql.catalog import Column, Graph, Table, catalog, contents
from graphir.backends.engines.googlesql.protos import Message, Type, catalogs, options, service
from graphir.backends.engines.googlesql.refusals import INVALID, NOT_FOUND, Refusal
from graphir.backends.engines.googlesql.repair import repair
from graphir.backends.engines.googlesql.values import cell_of, value_of
from graphir.backends.engines.googlesql.wasm import Instance

_WITH_ROWS = "rows of "
"""Before the names of the tables that hold the rows: no statement can name them."""

Parameters = Mapping[str, tuple[str, Any]]
"""Name -> (type, value)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Names and types of the columns, and the rows as values."""

    columns: tuple[str, ...]
    types: tuple[Type, ...]
    rows: list[tuple[Any, ...]]


class Database:
    """Tables and property graphs under a set of features: `spanner` are those of Spanner, `full` all that are released.

    Not safe for threads.  Every method may raise Refusal, and Crash, after which the database is as it was.
    """

    def __init__(self, profile: features.Profile = "spanner") -> None:
        self._instance = Instance()
        self._options = features.language(self._instance, profile)
        self._analysis = features.analysis(self._instance, self._options)
        # Tables are defined with every feature: Spanner reads definitions with a parser of its own.
        self._defining = features.analysis(self._instance, features.language(self._instance, "full"))
        self._pools = service.DescriptorPoolListProto()
        self._pools.definitions.add().builtin.SetInParent()
        self._types: dict[str, Type] = {}
        self.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all tables and graphs."""
        self._tables: dict[str, Table] = {}
        self._graphs: dict[str, Graph] = {}
        self._computed = 0
        self._changed()

    def _changed(self) -> None:
        self._registered: tuple[int, int] | None = None

    # -------------------------------------------------------------- definitions

    def define(self, script: str) -> None:
        """Run the definitions of a script, as Spanner writes them: tables and property graphs, made and dropped."""
        for statement in definitions.statements(script):
            match definitions.words(statement):
                case ("CREATE", "TABLE", *_) | ("CREATE", "OR", "REPLACE", "TABLE", *_):
                    self._create_table(statement)
                case ("CREATE", "PROPERTY", "GRAPH", *_) | ("CREATE", "OR", "REPLACE", "PROPERTY", *_):
                    self._create_graph(statement)
                case ("DROP", "TABLE", *_):
                    self._drop(self._tables, definitions.dropped(statement))
                case ("DROP", "PROPERTY", "GRAPH", *_):
                    self._drop(self._graphs, definitions.dropped(statement).casefold())
                case _:
                    raise Refusal(INVALID, f"no definition of a table or a graph: {statement[:60]}")

    def _drop(self, known: dict[str, Any], name: str) -> None:
        if name not in known:
            raise Refusal(NOT_FOUND, f"{name} is not there to be dropped")
        del known[name]
        self._changed()

    def _create_table(self, statement: str) -> None:
        text = definitions.standard(statement)
        known = catalog(self._tables.values(), (), self._defining.language_options, computed=False)
        asked = service.AnalyzeRequest(
            options=self._defining, simple_catalog=known, sql_statement=text, descriptor_pool_list=self._pools
        )
        found = self._instance.call("Analyze", asked, service.AnalyzeResponse).resolved_statement
        base = found.resolved_create_statement_node.resolved_create_table_stmt_base_node
        table = definitions.table_of(base.resolved_create_table_stmt_node)
        self._tables[table.name] = table
        self._changed()

    def create_table(
        self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[Any]] = (), key: Sequence[str] = ()
    ) -> None:
        """A table with its rows: name -> type, and values."""
        made = tuple([Column(column, self.type(text)) for column, text in columns.items()])
        table = Table(name, made)
        table.key = tuple([table.place(column) for column in key])
        self._tables[name] = table
        self.fill(name, rows)

    def fill(self, name: str, rows: Iterable[Sequence[Any]]) -> None:
        """Replace the rows of a table.  A graph with properties that are expressions has to be defined after that."""
        table = self._tables[name]
        if table.computed:
            raise Refusal(INVALID, f"the rows of {name} are part of a graph with computed properties")
        types = [column.type for column in table.columns]
        table.rows = [[cell_of(value, of) for value, of in zip(row, types, strict=True)] for row in rows]
        self._changed()

    def types_of(self, name: str) -> dict[str, Type]:
        """The columns of a table and their types.  LookupError."""
        return {column.name: column.type for column in self._tables[name].columns}

    def type(self, text: str) -> Type:
        """The type of that name."""
        if text not in self._types:
            empty = catalogs.SimpleCatalogProto(name="catalog")
            empty.builtin_function_options.language_options.CopyFrom(self._options)
            asked = service.EvaluateQueryRequest(
                sql=f"SELECT CAST(NULL AS {text}) AS x",
                options=self._analysis,
                simple_catalog=empty,
                descriptor_pool_list=self._pools,
            )
            found = self._instance.call("EvaluateQuery", asked, service.EvaluateQueryResponse)
            self._types[text] = found.prepared.columns[0].type
        return self._types[text]

    def _create_graph(self, statement: str) -> None:
        known = catalog(self._tables.values(), (), self._options, computed=False)
        asked = service.AnalyzeRequest(
            options=self._analysis, simple_catalog=known, sql_statement=statement, descriptor_pool_list=self._pools
        )
        found = self._instance.call("Analyze", asked, service.AnalyzeResponse).resolved_statement
        resolved = found.resolved_create_statement_node.resolved_create_property_graph_stmt_node
        first = sum([len(graph.marks) for graph in self._graphs.values()])
        graph = definitions.graph_of(resolved, self._tables, first, self._compute)
        self._graphs[graph.name.casefold()] = graph
        self._changed()

    def _compute(self, name: str, expression: str, of: Type) -> str:
        """Compute an expression into a column of a table."""
        table = self._tables[name]
        self._computed += 1
        column = f"computed {self._computed}"
        cells = []
        if table.rows:
            asked = self._asked(f"SELECT {expression} AS x FROM `{name}`", None)
            found = self._instance.call("EvaluateQuery", asked, service.EvaluateQueryResponse)
            cells = [row.cell[0] for row in found.content.table_data.row]
        table.computed.append(Column(column, of))
        table.cells.append(cells)
        self._changed()
        return column

    # -------------------------------------------------------------- statements

    def analyze(self, text: str, parameters: Mapping[str, str] | None = None) -> None:
        """Resolve the names and types of a statement; `parameters` are name -> type."""
        asked = service.AnalyzeRequest(
            options=self._with_types(parameters),
            registered_catalog_id=self._register(),
            sql_statement=text,
            descriptor_pool_list=self._pools,
        )
        self._instance.call("Analyze", asked, service.AnalyzeResponse)

    def query(self, text: str, parameters: Parameters | None = None) -> Answer:
        """Run a statement that reads.  LookupError where a result has no value."""
        asked = self._asked(text, parameters)
        found = self._instance.call("EvaluateQuery", asked, service.EvaluateQueryResponse)
        types = tuple([column.type for column in found.prepared.columns])
        rows = [
            tuple([value_of(cell, of) for cell, of in zip(row.cell, types, strict=True)])
            for row in found.content.table_data.row
        ]
        return Answer(tuple([column.name for column in found.prepared.columns]), types, rows)

    def change(self, text: str, parameters: Parameters | None = None) -> int:
        """Run INSERT, UPDATE or DELETE; the number of rows that it inserts, changes or deletes.

        The library evaluates which rows these are.  Foreign keys are not looked at; keys are.
        """
        plain, mode = changes.plain(text)
        types = {name: of for name, (of, _) in (parameters or {}).items()}
        self.analyze(text, types)
        keys = {name: table.key for name, table in self._tables.items()}
        if (
            mode is not None
        ):  # it falls over the old key of a row that has none: rows are inserted as if there were none
            for table in self._tables.values():
                table.key = ()
            self._changed()
        try:
            asked = service.EvaluateModifyRequest(
                sql=plain,
                options=self._with_types(types),
                registered_catalog_id=self._register(),
                params=self._asked(plain, parameters).params,
                descriptor_pool_list=self._pools,
            )
            found = self._instance.call("EvaluateModify", asked, service.EvaluateModifyResponse)
        finally:
            for name, key in keys.items():
                self._tables[name].key = key
            self._changed()
        return changes.applied(found, self._tables[found.table_name], mode)

    def _asked(self, text: str, parameters: Parameters | None) -> Message:
        given = parameters or {}
        asked = service.EvaluateQueryRequest(
            sql=text,
            options=self._with_types({name: of for name, (of, _) in given.items()}),
            registered_catalog_id=self._register(),
            descriptor_pool_list=self._pools,
        )
        for name, (of, value) in given.items():
            asked.params.add(name=name).value.CopyFrom(cell_of(value, self.type(of)))
        return asked

    def _with_types(self, parameters: Mapping[str, str] | None) -> Message:
        if not parameters:
            return self._analysis
        made = options.AnalyzerOptionsProto()
        made.CopyFrom(self._analysis)
        for name, text in parameters.items():
            made.query_parameters.add(name=name).type.CopyFrom(self.type(text))
        return made

    def _register(self) -> int:
        """The number of the catalog in the instance; it is registered when it changed or the instance is another."""
        if self._registered is not None and self._registered[0] == self._instance.generation:
            return self._registered[1]
        self._instance.reset()
        tables = list(self._tables.values())
        if tables:
            filled = service.RegisterCatalogRequest(
                simple_catalog=catalog(tables, (), self._options, prefix=_WITH_ROWS), descriptor_pool_list=self._pools
            )
            for name, content in contents(tables, _WITH_ROWS).items():
                filled.table_content[name].CopyFrom(content)
            self._instance.call("RegisterCatalog", filled, service.RegisterResponse)
        whole = service.RegisterCatalogRequest(
            simple_catalog=catalog(tables, self._graphs.values(), self._options), descriptor_pool_list=self._pools
        )
        number: int = self._instance.call("RegisterCatalog", whole, service.RegisterResponse).registered_id
        if tables:
            marks = {mark: place for graph in self._graphs.values() for mark, place in graph.marks.items()}
            repair(self._instance, list(self._tables), _WITH_ROWS, marks)
        self._registered = self._instance.generation, number
        return number
