"""What is visible at a place of a query, and what is written there: variables and terms.

Both may have the value that they have in one row of the result, the *witness*; where it is not known it is `UNKNOWN`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from graphir.generation.vocabulary import NodeShape, Properties


class _Unknown:
    """The value that is not known; there is one."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()


class Term(NamedTuple):
    """An expression that can be an operand: its text, and its value in the witness."""

    text: str
    value: Any = UNKNOWN


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable by its spelling; an element has the shapes that it may be of, and their properties."""

    text: str
    kind: str
    value: Any = UNKNOWN
    properties: Properties = ()
    shapes: tuple[NodeShape, ...] = ()
    least: int | None = None
    """A number that the value is surely not below, where it is not known."""
