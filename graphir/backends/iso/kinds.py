"""What is known of the values of a query: their types, and whether null is one of them.

Asked only where a translation depends on it: types are inferred by `graphir.passes.typed`, those of properties come
from a schema.  Knows no target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from graphir import ir, types
from graphir.ir.names import MARK
from graphir.passes.typed.expressions import infer
from graphir.passes.typed.inference import Inference
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.passes.schema.bindings import Bindings
    from graphir.passes.schema.slots import Owners
    from graphir.schema import Schema


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a variable: its type, or the expression that it is the value of, with the variables there;
    `labels` are the types that its pattern names, where it is a relationship."""

    type: int = types.ANY
    nullable: bool = True
    value: ir.Expression | None = None
    around: Mapping[str, Known] | None = None
    labels: tuple[str, ...] | None = None

    def but(self, *, nullable: bool) -> Known:
        return Known(self.type, nullable, self.value, self.around, self.labels)


Environment = Mapping[str, Known]


class Kinds:
    """The types in one query, in core form."""

    def __init__(self, query: ir.Query, source: Source, schema: Schema | None) -> None:
        self.query = query
        self.schema = schema
        self.state = Inference(source, "neo4j-25")

    @cached_property
    def bindings(self) -> Bindings | None:
        """Which types of the schema the elements are of."""
        if self.schema is None:
            return None
        from graphir.passes.schema.index import index_of
        from graphir.passes.schema.orientation import settled

        return settled(self.query, index_of(self.schema))

    # -------------------------------------------------------------- types

    def of(self, node: ir.Expression, around: Environment) -> int:
        """The type of an expression among these variables."""
        env: dict[str, int] = {}

        def property_of(part: ir.Node) -> ir.Node | None:
            if isinstance(part, ir.Property):
                name = f"{MARK}{id(part)}"
                env[name] = self.property_type(part, around)
                return ir.Ref(name)
            if isinstance(part, ir.Ref) and part.name not in env and part.name in around:
                env[part.name] = self.of_variable(around[part.name])
            return None

        seen = ir.rewrite_down(node, property_of)
        self.state.env = env
        return infer(self.state, seen)

    def of_variable(self, known: Known) -> int:
        return known.type if known.value is None else self.of(known.value, known.around or {})

    def property_type(self, node: ir.Property, around: Environment) -> int:
        """The type of `base.key`: that of the property in the schema, or of a component of a temporal value."""
        base = self.of(node.base, around)
        if base & ~types.ELEMENT:
            return _component(node.key) if not base & ~(types.INSTANT | types.DURATION) else types.ANY
        owners = self.owners(node)
        if owners is None or not owners.types:
            return types.PROPERTY
        found = 0
        for each in owners.types:
            found |= types.PROPERTY if each.type is None else _stored(each.type)
        return found if owners.complete else types.PROPERTY

    def owners(self, node: ir.Property) -> Owners | None:
        if self.bindings is None:
            return None
        access = self.bindings.access_of(node)
        return None if access is None else self.bindings.owners(access)

    def edge_types(self, node: ir.Expression, around: Environment) -> tuple[str, ...] | None:
        """The types that a relationship may be of; None where it may be of others too."""
        if isinstance(node, ir.Ref) and (known := around.get(node.name)) is not None:
            if known.value is not None:
                return self.edge_types(known.value, known.around or {})
            if known.labels is not None:
                return known.labels
        slot = None if self.bindings is None else self.bindings.elements.get(id(node))
        if slot is None or slot.node or self.bindings is None:
            return None
        found = self.bindings.edge_types(slot)
        return None if found is None else tuple(dict.fromkeys([each.type for each in found]))

    # -------------------------------------------------------------- nulls

    def nullable(self, node: ir.Expression, around: Environment) -> bool:
        """Whether null may be the value of an expression."""
        if isinstance(node, ir.Ref):
            known = around.get(node.name, Known())
            return known.nullable if known.value is None else self.nullable(known.value, known.around or {})
        if isinstance(node, ir.Literal):
            return node.value is None
        if isinstance(node, ir.Property):
            owners = self.owners(node)
            required = owners is not None and owners.complete and bool(owners.types)
            required = required and owners is not None and all(each.nullable is False for each in owners.types)
            return not required or self.nullable(node.base, around)
        if isinstance(node, (ir.ListOf, ir.MapOf, ir.HasLabels)):
            return isinstance(node, ir.HasLabels) and self.nullable(node.base, around)
        if isinstance(node, ir.ListComprehension):
            return self.nullable(node.source, around)
        if isinstance(node, (ir.Subquery, ir.PatternComprehension)):
            return isinstance(node, ir.Subquery) and node.kind == "value"
        if isinstance(node, ir.Apply):
            if node.function in _NEVER_NULL:
                return False
            if node.function in _STRICT:
                return any(self.nullable(arg, around) for arg in node.args)
            if node.function == "coalesce":
                return all(self.nullable(arg, around) for arg in node.args)
        return True

    def element_nullable(self, node: ir.Expression, around: Environment) -> bool:
        """Whether null may be in a list: never in what a property holds, a pattern binds or an aggregate collects."""
        if isinstance(node, ir.ListOf):
            return any(self.nullable(item, around) for item in node.items)
        if isinstance(node, ir.Ref):
            known = around.get(node.name, Known())
            if known.value is not None:
                return self.element_nullable(known.value, known.around or {})
            return not known.type & types.LIST or bool(types.element_of(known.type & types.LIST) & ~types.ELEMENT)
        if isinstance(node, ir.Property):
            return self.of(node.base, around) & ~types.ELEMENT != 0
        return not (isinstance(node, ir.Apply) and node.function in _FULL)


_NEVER_NULL = frozenset(("count", "count_star", "collect", "sum", "is_null", "is_not_null", "exists", "rand"))
_STRICT_TEXT = """
    add sub mul neg pos concat eq ne lt le gt ge and or xor not starts_with ends_with contains toLower toUpper size
    char_length nodes relationships length elementId id type abs left right labels keys split
"""
_STRICT = frozenset(_STRICT_TEXT.split())
"""Functions that are null only where an argument is."""
_FULL = frozenset(("nodes", "relationships", "labels", "keys", "range", "split", "collect"))
"""Functions whose lists hold no null."""

_COMPONENTS = {
    "timezone": types.STRING,
    "offset": types.STRING,
}


def _component(key: str) -> int:
    return _COMPONENTS.get(key, types.INTEGER)


def _stored(found: object) -> int:
    """The type of a property as a type of values."""
    from graphir.schema.model import TYPES, DataType

    assert isinstance(found, DataType)
    if found.name == "LIST":
        return types.list_of(types.ANY if found.element is None else _stored(found.element))
    kind = TYPES.get(found.name, "ANY")
    return types.PROPERTY if kind == "ANY" else types.read(kind.replace(" ", "_"))
