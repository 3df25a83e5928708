"""The key that a data definition of graphir adds to a table without one: in a query it is what identifies the element.

Source of the name: `graphir.schema.ddl.layout`.  A schema that is read from such a definition does not have it.  Where
elements of several tables meet, what is written has the name of the table before it, `'T:' || CAST(n.graphir_id AS
TEXT)`; what identifies an element of a graph needs none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graphir import ir
from graphir.ir import Apply, Cast, GraphTable, Literal, Node, Parameter, Property, Ref
from graphir.passes.selects.operators import COMPARING
from graphir.passes.selects.origins import holds, name_of, names_of

if TYPE_CHECKING:
    from graphir.schema.model import NodeType, Schema

ADDED = "graphir_id"
OWN = "graphir_"
"""What stands before the name of a table in the label that a definition of graphir gives to no other."""


def typed(query: ir.Query, schema: Schema | None) -> ir.Query:
    """The query with the labels of a type in place of the label that its table alone has, which no graph has.

    It is left where a type of the schema has that label.
    """
    if schema is None:
        return query
    known = {label.lower() for each in schema.node_types for label in each.labels}
    tables = {each.table.name.lower(): each for each in schema.node_types if each.table is not None}

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.NodePattern) or node.labels is None:
            return node
        return replace(node, labels=ir.rewrite(node.labels, label))

    def label(node: Node) -> Node:
        name = node.name.lower() if isinstance(node, ir.LabelName) else ""
        found = tables.get(name.removeprefix(OWN)) if name.startswith(OWN) and name not in known else None
        return node if found is None else _exactly(found, schema)

    return ir.rewrite(query, rule)


def _exactly(found: NodeType, schema: Schema) -> ir.LabelExpression:
    """The labels of a type, and none that only types with more labels have."""
    own = set(found.labels)
    more = sorted({label for each in schema.node_types if own < set(each.labels) for label in each.labels} - own)
    parts: list[ir.LabelExpression] = [ir.LabelName(label) for label in found.labels]
    parts += [ir.LabelNot(ir.LabelName(label)) for label in more]
    return parts[0] if len(parts) == 1 else ir.LabelAnd(tuple(parts))


def identified(query: ir.Query, schema: Schema | None) -> ir.Query:
    """The query with `elementId(n)` for the added key of an element `n`, where no type of the schema has it.

    It is left as it is where the key is compared with a value: an element has another in every database.
    """
    query = typed(query, schema)
    if schema is None or not any(isinstance(node, Property) and node.key.lower() == ADDED for node in ir.walk(query)):
        return query
    listed = [known.properties for known in schema.types]
    if any(known is None or any(each.name.lower() == ADDED for each in known) for known in listed):
        return query
    names = names_of(query, (ADDED,))
    tables = [node for node in ir.walk(query) if isinstance(node, GraphTable)]
    inside = {id(part) for table in tables for part in ir.walk(table.body)}
    for node in ir.walk(query):
        if _is_compared(node, frozenset((ADDED,)) if id(node) in inside else names):
            return query

    def rule(node: Node) -> Node:
        match node:
            case Apply("concat", (Literal(str(table)), Cast(value, ir.ValueType("STRING")))) if table.endswith(":"):
                return value if name_of(value) in names else node
            case GraphTable():
                return _with_identities(node)
        return node

    return ir.rewrite(query, rule)


def _is_compared(node: Node, names: frozenset[str]) -> bool:
    """Whether it compares a key with a value that is written out."""
    if not isinstance(node, Apply) or node.function not in COMPARING:
        return False
    held = [holds(arg, names) for arg in node.args]
    return any(held) and any(_is_given(arg) for arg, is_key in zip(node.args, held, strict=True) if not is_key)


def _is_given(value: Node) -> bool:
    """Whether a value is written out, and not null."""
    return any(
        isinstance(each, Parameter) or (isinstance(each, Literal) and each.value is not None) for each in ir.walk(value)
    )


def _with_identities(table: GraphTable) -> GraphTable:
    elements = {
        each.variable
        for each in ir.walk(table.body)
        if isinstance(each, (ir.NodePattern, ir.EdgePattern)) and each.variable is not None
    }

    def rule(node: Node) -> Node:
        match node:
            case Property(Ref(name) as element, key) if key.lower() == ADDED and name in elements:
                return Apply("elementId", (element,), span=node.span)
        return node

    return ir.rewrite(table, rule)
