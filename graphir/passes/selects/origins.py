"""What values are made of: the properties and columns that are in them, and not only tested or counted.

Names are in lower case and of the whole query: no rule here knows which element or table one belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphir import ir
from graphir.ir import Apply, Item, Node, Property, Ref, Subquery
from graphir.passes.selects.operators import COMPARING

_TESTING = COMPARING | {"and", "or", "not", "is_null", "is_not_null", "count", "size"}


def name_of(value: Node) -> str | None:
    """The name of a column, or of a property."""
    match value:
        case Property(_, name) | Ref(name):
            return name.lower()
    return None


def names_of(query: ir.Query, properties: Iterable[str]) -> frozenset[str]:
    """The properties, and the columns that hold one, or what is made of it."""
    items = [node for node in ir.walk(query) if isinstance(node, Item) and node.name is not None]
    read = [(str(item.name).lower(), frozenset(map(name_of, _parts(item.value)))) for item in items]
    found = set(properties)
    while more := {name for name, inside in read if inside & found} - found:
        found |= more
    return frozenset(found)


def holds(value: Node, names: frozenset[str]) -> bool:
    """Whether one of the names is in a value, and not only tested or counted."""
    return any(name_of(each) in names for each in _parts(value))


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
        pending.extend(_selected(part.body) if isinstance(part, Subquery) else ir.children(part))


def _selected(body: ir.Body) -> Iterator[Node]:
    """What a query returns, which is all that is in its value."""
    pending: list[ir.Body] = [body]
    while pending:
        current = pending.pop()
        match current:
            case ir.TableQuery(inner):
                pending.append(inner)
            case ir.SetOperation(branches=branches):
                pending.extend(branches)
            case ir.Select(items):
                yield from (item.value if isinstance(item, Item) else item for item in items)
            case _:
                yield from ir.children(current)
