"""The base of all IR nodes: frozen, slotted dataclasses declared with `@node("op-name")`.

A field holds an atom (None, bool, int, float, str), a node, or a tuple of one of those.  Fields made with
`note()` (and every `span`) do not count for equality and are not part of the text and JSON forms: they are
where the source is remembered, never what the query means.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count, takewhile
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform

from graphir.frozen import compiled, draft_of, make_by_draft
from graphir.source import Span

T = TypeVar("T")
N = TypeVar("N", bound="Node")

_WORDS = re.compile(r"\w+")
_ATOMS = {"None", "bool", "int", "float", "str", "tuple"}
"""The words of type hints that mean no node."""

_BITS = count(1)

REGISTRY: dict[str, type[Node]] = {}
"""Operator name -> class, in order of declaration."""


def note(*, default: Any, kw_only: Literal[True] = True) -> Any:
    """A keyword-only field that remembers the source and does not count for equality."""
    return dataclasses.field(default=default, compare=False, kw_only=kw_only, repr=False)


class _Contents:
    """What a node knows of the nodes in it.  Not a field: it follows from those."""

    __slots__ = ("held_",)
    held_: int
    """The bits of the classes of the node and of everything below it."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Node(_Contents):
    """Anything in the IR.

    Equality is structural and type-exact (1, 1.0 and true differ, NaN equals NaN) and does not recurse.
    """

    op: ClassVar[str] = ""
    fields_: ClassVar[tuple[str, ...]] = ()
    """The names of the fields that count, in order."""
    below_: ClassVar[tuple[str, ...]] = ()
    """Those of them that may hold nodes."""
    bit_: ClassVar[int] = 1
    """The bit of the class, which is also in the bits of its subclasses."""
    bits_: ClassVar[int] = 1
    """The bits of the class and of its bases."""
    draft_: ClassVar[Any] = None
    """The class of a node of this one that is still being filled."""

    span: Span | None = dataclasses.field(default=None, compare=False, kw_only=True, repr=False)

    def __init_subclass__(cls) -> None:
        """Give the class a bit; one that is made again, with slots, keeps it."""
        if "bit_" not in cls.__dict__:
            cls.bit_ = 1 << next(_BITS)
        cls.bits_ = cls.bit_
        for base in cls.__mro__:
            cls.bits_ |= getattr(base, "bit_", 0)

    def _values(self) -> list[Any]:
        """What the fields that count hold, in order.  Every class has its own."""
        return []

    def _children(self) -> list[Node]:
        """The nodes directly below, in the order of the fields.  Every class has its own."""
        return []

    def _replaced(self: N, **changes: Any) -> N:
        """The node with other values of some fields.  Every class has its own."""
        return dataclasses.replace(self, **changes)

    def _refitted(self: N, _: Sequence[Node]) -> N:
        """The node with others in place of those directly below, in their order.  Every class has its own."""
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        if type(self) is not type(other):
            return False
        pending: list[tuple[Any, Any]] = [(self, other)]
        while pending:
            a, b = pending.pop()
            if a is b:
                continue
            if type(a) is not type(b):
                return False
            if isinstance(a, Node):
                pending.extend(zip(a._values(), b._values(), strict=True))
            elif type(a) is tuple:
                if len(a) != len(b):
                    return False
                pending.extend(zip(a, b, strict=True))
            elif a != b and not (a != a and b != b):  # noqa: PLR0124 NaN
                return False
        return True

    def __hash__(self) -> int:
        parts: list[Any] = []
        pending: list[Any] = [self]
        while pending:
            value = pending.pop()
            if isinstance(value, Node):
                parts.append(type(value))
                pending += value._values()
            elif type(value) is tuple:
                parts.append(len(value))
                pending.extend(value)
            else:
                parts.append(value if value == value else "NaN")  # noqa: PLR0124 equal nodes hash alike
        return hash(tuple(parts))

    def __repr__(self) -> str:
        """As in Python, without the fields that hold their default; does not recurse."""
        out: list[str] = []
        pending: list[tuple[bool, Any]] = [(False, self)]
        while pending:
            ready, value = pending.pop()
            if isinstance(value, Node):
                out.append(f"{type(value).__name__}(")
                pending.append((True, ")"))
                shown = [f for f in dataclasses.fields(value) if f.compare and getattr(value, f.name) != f.default]
                for at, entry in reversed(list(enumerate(shown))):
                    pending.append((False, getattr(value, entry.name)))
                    pending.append((True, f"{', ' if at else ''}{entry.name}="))
            elif type(value) is tuple:
                out.append("(")
                pending.append((True, ",)" if len(value) == 1 else ")"))
                for at, item in reversed(list(enumerate(value))):
                    pending.append((False, item))
                    pending.append((True, ", " if at else ""))
            else:
                out.append(value if ready else repr(value))
        return "".join(out)


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field, note))
def structure(cls: type[T]) -> type[T]:
    """Declare a node class without an operator name: a statement of a backend, never part of the Graph-IR."""
    made: Any = dataclasses.dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)(cls)
    fields = [f for f in dataclasses.fields(made) if f.compare]
    made.fields_ = tuple(f.name for f in fields)
    below = [f for f in fields if not set(_WORDS.findall(str(f.type))) <= _ATOMS]
    made.below_ = tuple(f.name for f in below)
    made.draft_ = draft_of(made)
    values = {f.name: f.name for f in dataclasses.fields(made)}
    make_by_draft(made, made.draft_, noted(made, "made", values), {"BITS": made.bits_})
    made._values = compiled("values", "self", [f"return [{', '.join(f'self.{f.name}' for f in fields)}]"], {})
    made._children = _gatherer(below)
    made._replaced = _replacer(made)
    made._refitted = _refitter(made)
    return made  # type: ignore[no-any-return]


def _gatherer(below: Sequence[dataclasses.Field[Any]]) -> Callable[[Node], list[Node]]:
    """A function from a node of a class to the nodes directly below it, in the order of its fields."""
    several = {f.name for f in below if str(f.type).startswith("tuple")}
    sure = list(takewhile(lambda f: not str(f.type).endswith("None"), below))
    lines = [f"found = [{', '.join(f'*self.{f.name}' if f.name in several else f'self.{f.name}' for f in sure)}]"]
    for f in below[len(sure) :]:
        lines.append(f"value = self.{f.name}")
        adds = "found += value" if f.name in several else "found.append(value)"
        lines.append(f"if value is not None: {adds}" if str(f.type).endswith("None") else adds)
    return compiled("children", "self", [*lines, "return found"], {})


def noted(cls: Any, node: str, values: Mapping[str, str], bits: str = "BITS") -> list[str]:
    """The lines that note which classes are in a new node: its own, and those of what its fields hold.

    `values` are the expressions for the fields; what is not among them holds nothing.  The lines want the bits of
    the class under the name `bits`.
    """
    lines = [f"held = {bits}"]
    for f in dataclasses.fields(cls):
        value = values.get(f.name)
        if value is None or f.name not in cls.below_:
            continue
        if str(f.type).startswith("tuple"):
            adds = f"for part in {value}: held |= part.held_"
        else:
            adds = f"held |= {value}.held_"
        lines += [f"if {value} is not None:", f"    {adds}"] if str(f.type).endswith("None") else [adds]
    return [*lines, f"{node}.held_ = held"]


def _replacer(cls: Any) -> Callable[..., Any]:
    """A function from a node of a class and new values of fields to the node with them."""
    fields = dataclasses.fields(cls)
    head = ", ".join(["self", "*", *[f"{f.name}=KEPT" for f in fields]])
    lines = ["made = draft()"]
    for f in fields:
        lines += [f"if {f.name} is KEPT: {f.name} = self.{f.name}", f"made.{f.name} = {f.name}"]
    return _maker("replaced", cls, head, lines)


def _refitter(cls: Any) -> Callable[..., Any]:
    """A function from a node of a class and nodes in place of those directly below it to the node with them."""
    lines = ["made = draft()", "at = 0"]
    for f in dataclasses.fields(cls):
        lines.append(f"{f.name} = self.{f.name}")
        if f.name in cls.below_:
            one = [f"{f.name} = fresh[at]", "at += 1"]
            several = [f"end = at + len({f.name})", f"{f.name} = tuple(fresh[at:end])", "at = end"]
            taken = several if str(f.type).startswith("tuple") else one
            if str(f.type).endswith("None"):
                taken = [f"if {f.name} is not None:", *[f"    {line}" for line in taken]]
            lines += taken
        lines.append(f"made.{f.name} = {f.name}")
    return _maker("refitted", cls, "self, fresh", lines)


def _maker(name: str, cls: Any, head: str, lines: Sequence[str]) -> Callable[..., Any]:
    """A function that fills the draft `made` by these lines and gives it the class."""
    values = {f.name: f.name for f in dataclasses.fields(cls)}
    names = {"draft": cls.draft_, "cls": cls, "KEPT": object(), "BITS": cls.bits_}
    return compiled(name, head, [*lines, *noted(cls, "made", values), "made.__class__ = cls", "return made"], names)


def replace(node: N, **changes: Any) -> N:
    """The node with other values of some fields; as `dataclasses.replace`, at a third of its cost."""
    return node._replaced(**changes)


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field, note))
def node(op: str) -> Callable[[type[T]], type[T]]:
    """Declare a node class and register it under its operator name."""

    def declare(cls: type[T]) -> type[T]:
        made: Any = structure(cls)
        made.op = op
        if op in REGISTRY:
            raise TypeError(f"operator {op} is declared twice")
        REGISTRY[op] = made
        return made  # type: ignore[no-any-return]

    return declare
