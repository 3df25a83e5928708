"""What the node classes declare, resolved once: the fields of every operator and what each may hold.

The text form, the JSON form and its schema, and the random nodes of the tests are all read off this table, so that a
new node class costs its declaration and nothing else.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from dataclasses import dataclass
from typing import Any

from graphir.ir import expressions, operators, patterns, tables
from graphir.ir.node import REGISTRY, Node
from graphir.source import Span

ATOMS: tuple[type, ...] = (type(None), bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a field may hold: atoms of these types, nodes of these classes, or tuples of items (at most one level)."""

    atoms: frozenset[type] = frozenset()
    nodes: frozenset[type[Node]] = frozenset()
    items: Shape | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value itself fits; the fields of a node are judged when that node is made."""
        if isinstance(value, Node):
            return type(value) in self.nodes
        if type(value) is tuple:
            return self.items is not None and all(self.items.admits(item) for item in value)
        return type(value) in self.atoms

    def title(self) -> str:
        """The shape in words."""
        words = sorted("null" if atom is type(None) else atom.__name__ for atom in self.atoms)
        ops = sorted(cls.op for cls in self.nodes)
        words += ops if len(ops) <= 4 else [*ops[:3], f"{len(ops) - 3} other operators"]
        if self.items is not None:
            words.append(f"a list of ({self.items.title()})")
        return " or ".join(words)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a node class.  `note`: it remembers the source and does not count for equality."""

    name: str
    shape: Shape
    required: bool
    default: Any
    note: bool

    def stands_for_default(self, value: Any) -> bool:
        """Whether leaving the value out gives the same node: the default itself, by type and value."""
        return not self.required and type(value) is type(self.default) and bool(value == self.default)


_DECLARED: dict[type[Node], tuple[Field, ...]] = {}


def declared(cls: type[Node]) -> tuple[Field, ...]:
    """The fields of a class that count, in order, then its notes; `span` is not among them."""
    found = _DECLARED.get(cls)
    if found is None:
        found = _DECLARED[cls] = _declare(cls)
    return found


def _declare(cls: type[Node]) -> tuple[Field, ...]:
    scope = {**vars(patterns), **vars(expressions), **vars(operators), **vars(tables)}
    hints = typing.get_type_hints(cls, localns=scope)
    found = []
    for entry in dataclasses.fields(cls):
        if entry.name != "span":
            required = entry.default is dataclasses.MISSING
            default = None if required else entry.default
            found.append(Field(entry.name, shape(hints[entry.name]), required, default, not entry.compare))
    found.sort(key=lambda f: f.note)
    return tuple(found)


def shape(hint: Any) -> Shape:
    """The shape of a type hint.  Raises TypeError for what a node may not hold."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        shapes = [shape(arm) for arm in typing.get_args(hint)]
        items = [s.items for s in shapes if s.items is not None]
        if len(items) > 1:
            raise TypeError(f"two kinds of tuple in one field: {hint}")
        return Shape(
            frozenset().union(*[s.atoms for s in shapes]),
            frozenset().union(*[s.nodes for s in shapes]),
            items[0] if items else None,
        )
    if typing.get_origin(hint) is tuple:
        arguments = typing.get_args(hint)
        if len(arguments) != 2 or arguments[1] is not Ellipsis:
            raise TypeError(f"a tuple of fixed length: {hint}")
        return Shape(items=shape(arguments[0]))
    if hint in ATOMS:
        return Shape(atoms=frozenset((hint,)))
    if isinstance(hint, type) and issubclass(hint, Node):
        return Shape(nodes=frozenset(cls for cls in REGISTRY.values() if issubclass(cls, hint)))
    raise TypeError(f"a node may not hold {hint}")


def make(cls: type[Node], values: dict[str, Any], span: Span | None = None) -> Node:
    """A node from values by field name.  Raises ValueError where the declaration does not allow them."""
    fields = declared(cls)
    for entry in fields:
        if entry.name not in values:
            if entry.required:
                raise ValueError(f"{cls.op} lacks {entry.name}")
        elif not entry.shape.admits(values[entry.name]):
            raise ValueError(f"{entry.name} of {cls.op} must be {entry.shape.title()}")
    unknown = values.keys() - {entry.name for entry in fields}
    if unknown:
        raise ValueError(f"{cls.op} has no field {min(map(str, unknown))}")
    made: Any = cls
    return made(**values, span=span)  # type: ignore[no-any-return]
