"""CREATE TABLE and CREATE PROPERTY GRAPH: text to what the catalog holds, by the library's own analyzer.

Spanner writes the primary key after the columns and lengths into types; the library reads neither, so the tokens of
such a statement are put in its order first.  Nothing else of a text is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphir.backends.engines.googlesql.catalog import Column, Graph, Place, Table
from graphir.backends.engines.googlesql.protos import Message, Type, graphs
from graphir.backends.engines.googlesql.refusals import UNIMPLEMENTED, Refusal
from graphir.schema.ddl.tokens import GOOGLE, Token, scan

Compute = Callable[[str, str, Type], str]
"""The name of a new column of a table that holds an expression."""


def statements(script: str) -> Iterator[str]:
    """The statements of a script; semicolons end them.

    >>> list(statements("SELECT ';'; -- one; two\\nSELECT 2;"))
    ["SELECT ';'", '-- one; two\\nSELECT 2']
    """
    start = end = 0
    for token in scan(script, GOOGLE):
        if token.kind == "end" or (token.kind, token.text) == ("mark", ";"):
            if end > start:
                yield script[start:end].strip()
            start = end = token.end
        else:
            end = token.end


def words(statement: str) -> tuple[str, ...]:
    """The first words of a statement, in upper case."""
    return tuple([token.word for token in scan(statement, GOOGLE)[:5]])


def dropped(statement: str) -> str:
    """The name in a DROP statement, which ends with it.

    >>> dropped("DROP PROPERTY GRAPH `a b`")
    'a b'
    """
    return scan(statement, GOOGLE)[-2].text


# ------------------------------------------------------------------ tables


def standard(statement: str) -> str:
    """A CREATE TABLE of Spanner as the library reads it.

    >>> standard("CREATE TABLE T (a STRING(MAX), b INT64 NOT NULL) PRIMARY KEY (b)")
    'CREATE TABLE T (a STRING, b INT64 NOT NULL, PRIMARY KEY (b))'
    """
    tokens = scan(statement, GOOGLE)[:-1]
    parts: list[str] = []
    depth, at, shown, closed = 0, 0, 0, None
    while at < len(tokens):
        token = tokens[at]
        if _is_length(tokens, at):
            parts.append(statement[shown : token.end])
            at += 4
            shown = tokens[at - 1].end
            continue
        depth += {"(": 1, ")": -1}.get(token.text if token.kind == "mark" else "", 0)
        if depth == 0 and token.text == ")" and token.kind == "mark" and closed is None:
            closed = at
            parts.append(statement[shown : token.start].rstrip().removesuffix(","))
            shown = token.end
        at += 1
    rest = statement[shown:].strip()
    if closed is None:
        return "".join([*parts, statement[shown:]])
    if not rest:
        return "".join([*parts, ")"])
    return "".join([*parts, ", ", rest, ")"])


def _is_length(tokens: list[Token], at: int) -> bool:
    """Whether `STRING ( MAX )` begins there."""
    following = [token.text for token in tokens[at + 1 : at + 4]]
    return tokens[at].word in ("STRING", "BYTES") and following[:1] == ["("] and following[2:] == [")"]


def table_of(resolved: Message) -> Table:
    """The table of a resolved CREATE TABLE."""
    found = resolved.parent
    columns = tuple([Column(column.name, column.type) for column in found.column_definition_list])
    return Table(".".join(found.parent.name_path), columns, key=tuple(found.primary_key.column_offset_list))


# ------------------------------------------------------------------ property graphs


def graph_of(resolved: Message, tables: dict[str, Table], first: int, compute: Compute) -> Graph:
    """The graph of a resolved CREATE PROPERTY GRAPH.  `first` is the number of its first mark."""
    path = list(resolved.parent.name_path)
    graph = graphs.SimplePropertyGraphProto(name_path=path)
    for label in resolved.label_list:
        made = graph.labels.add(name=label.name, property_graph_name_path=path)
        made.property_declaration_names.extend(label.property_declaration_name_list)
    for declaration in resolved.property_declaration_list:
        graph.property_declarations.add(name=declaration.name, property_graph_name_path=path, type=declaration.type)
    building = _Building(graph, path, tables, first, compute)
    for element in resolved.node_table_list:
        building.add(element, "NODE", graph.node_tables.add())
    for element in resolved.edge_table_list:
        made = graph.edge_tables.add()
        building.add(element, "EDGE", made)
        building.end(element.source_node_reference, made, made.source_node_table)
        building.end(element.dest_node_reference, made, made.dest_node_table)
    return Graph(".".join(path), graph, building.marks)


class _Building:
    """Elements of a graph as they are added."""

    def __init__(
        self,
        graph: Message,
        path: list[str],
        tables: dict[str, Table],
        first: int,
        compute: Compute,
    ) -> None:
        self.graph = graph
        self.path = path
        self.tables = tables
        self.first = first
        self.compute = compute
        self.marks: dict[str, Place] = {}

    def add(self, element: Message, kind: str, made: Message) -> None:
        if element.HasField("dynamic_label") or element.HasField("dynamic_properties"):
            raise Refusal(UNIMPLEMENTED, "dynamic labels and properties are not evaluated here")
        table = self.tables[element.input_scan.resolved_table_scan_node.table.full_name]
        made.name, made.kind, made.input_table_name = element.alias, kind, table.name
        made.property_graph_name_path.extend(self.path)
        made.key_columns.extend([table.place(_column(key)) for key in element.key_list])
        made.label_names.extend(element.label_name_list)
        for definition in element.property_definition_list:
            mark = f"@{self.first + len(self.marks)}@"
            made.property_definitions.add(
                property_declaration_name=definition.property_declaration_name, value_expression_sql=mark
            )
            expression = definition.expr
            if expression.WhichOneof("node") == "resolved_column_ref_node":
                self.marks[mark] = table.name, table.columns[table.place(_column(expression))].name
            else:
                column = self.compute(table.name, definition.sql, _type(expression))
                self.marks[mark] = table.name, column

    def end(self, reference: Message, edge: Message, made: Message) -> None:
        made.node_table_name = reference.node_table_identifier
        node = next(each for each in self.graph.node_tables if each.name == reference.node_table_identifier)
        edges, nodes = self.tables[edge.input_table_name], self.tables[node.input_table_name]
        made.edge_table_columns.extend([edges.place(_column(each)) for each in reference.edge_table_column_list])
        made.node_table_columns.extend([nodes.place(_column(each)) for each in reference.node_table_column_list])


def _column(expression: Message) -> str:
    return str(expression.resolved_column_ref_node.column.name)


def _type(expression: Message) -> Type:
    """The type of a resolved expression: classes hold what they have in common in `parent`."""
    node = getattr(expression, expression.WhichOneof("node"))
    while True:
        fields = node.DESCRIPTOR.fields_by_name
        if "type" in fields and fields["type"].message_type is not None:
            return node.type
        node = node.parent if "parent" in fields else getattr(node, node.WhichOneof("node"))
