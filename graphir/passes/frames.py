"""Frames: the names that one stretch of a query binds, and the frames around them.

A frame lasts from one projection to the next.  Names are only ever added to it, so that "what was in scope before this
clause" is its first so many names.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphir.passes.kinds import Kind


class Frame:
    """Names and their kinds, inside of other frames.

    `free` collects the names that are looked up through this frame in the frames around it: what a subquery takes from
    outside.  `open`: unknown names may be bound here too (by a procedure whose outputs are not known).
    """

    __slots__ = ("free", "names", "open", "outer")

    def __init__(
        self, names: dict[str, Kind], outer: Frame | None = None, free: set[str] | None = None, *, open_: bool = False
    ) -> None:
        self.names = names
        self.outer = outer
        self.free = free
        self.open = open_

    def find(self, name: str) -> Kind | None:
        """The kind of a name, or None where it is not bound."""
        frame: Frame | None = self
        crossed: list[set[str]] = []
        while frame is not None:
            kind = frame.names.get(name)
            if kind is not None:
                for names in crossed:
                    names.add(name)
                return kind
            if frame.open:
                return Kind.ANY
            if frame.free is not None:
                crossed.append(frame.free)
            frame = frame.outer
        return None

    def kind(self, name: str) -> Kind:
        return self.find(name) or Kind.ANY

    def around(self, name: str) -> bool:
        """Whether the name belongs to a frame around this one: it can be read here, not bound anew."""
        return self.outer is not None and self.outer.find(name) is not None

    def visible(self) -> Iterator[str]:
        """Every name that can be read here, inner ones first."""
        frame: Frame | None = self
        seen: set[str] = set()
        while frame is not None:
            yield from (name for name in frame.names if name not in seen)
            seen.update(frame.names)
            frame = frame.outer
