"""The key that a data definition of graphir adds to a table without one: in a query it is what identifies the element.

Source of the name: `graphir.schema.ddl.layout`.  A schema that is read from such a definition does not have it.  Where
elements of several tables meet, what is written has the name of the table before it, `'T:' || CAST(n.graphir_id AS
TEXT)`; what identifies an element of a graph needs none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphir import ir
from graphir.ir import Apply, Cast, GraphTable, Item, Literal, Node, Parameter, Property, Ref, Subquery

if TYPE_CHECKING:
    from graphir.schema.model import Schema

ADDED = "graphir_id"
_COMPARING = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "in", "between", "is_distinct"))
_TESTING = _COMPARING | {"and", "or", "not", "is_null", "is_not_null", "count", "size"}


def identified(query: ir.Query, schema: Schema | None) -> ir.Query:
    """The query with `elementId(n)` for the added key of an element `n`, where no type of the schema has it.

    It is left as it is where the key is compared with a value: an element has another in every database.
    """
    if schema is None or not any(isinstance(node, Property) and node.key.lower() == ADDED for node in ir.walk(query)):
        return query
    listed = [each.properties for each in schema.node_types] + [each.properties for each in schema.edge_types]
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
                return value if _named(value) in names else node
            case GraphTable():
                return _with_identities(node)
        return node

    return ir.rewrite(query, rule)


def _named(value: Node) -> str | None:
    """The name of a column, or of a property, in lower case."""
    match value:
        case Property(_, name) | Ref(name):
            return name.lower()
    return None


def names_of(query: ir.Query, properties: Iterable[str]) -> frozenset[str]:
    """Properties, by their names in lower case, and the columns that hold one, or what is made of it."""
    items = [node for node in ir.walk(query) if isinstance(node, Item) and node.name is not None]
    read = [(str(item.name).lower(), frozenset(map(_named, _parts(item.value)))) for item in items]
    found = set(properties)
    while more := {name for name, inside in read if inside & found} - found:
        found |= more
    return frozenset(found)


def _parts(value: Node) -> Iterator[Node]:
    """The value and what is in it, but for what only is tested or counted."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Apply) and part.function in _TESTING:
            continue
        if isinstance(part, Subquery) and part.kind in ("exists", "count"):
            continue
        yield part
        pending.extend(ir.children(part))


def holds(value: Node, names: frozenset[str]) -> bool:
    """Whether one of the names is in a value, and not only tested or counted."""
    return any(_named(each) in names for each in _parts(value))


def _is_compared(node: Node, names: frozenset[str]) -> bool:
    """Whether it compares a key with a value that is written out."""
    if not isinstance(node, Apply) or node.function not in _COMPARING:
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
