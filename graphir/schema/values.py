"""Values that a schema quotes (examples, categories, least and greatest), in the types that the properties have.

Many formats print every value as text; what is text here and a number in the graph would raise false alarms.
"""

from __future__ import annotations

import math
from typing import Any

from graphir.schema.model import TYPES, DataType

CUT = 50
"""LangChain and those after it cut quoted texts at 50 characters: of one that long the end is unknown."""


def value_of(text: Any, type: DataType | None) -> Any:
    """The value that the text of a format stands for.  Raises ValueError where it is none of the type."""
    if not isinstance(text, str) or type is None:
        return text
    match TYPES[type.name]:
        case "INTEGER":
            return int(text)
        case "FLOAT":
            number = float(text)
            return number if math.isfinite(number) else text
        case "BOOLEAN":
            return _boolean(text)
        case _:
            return text


def _boolean(text: str) -> bool:
    match text.casefold():
        case "true":
            return True
        case "false":
            return False
        case _:
            raise ValueError(f"{text!r} is no BOOLEAN")


def values_of(texts: tuple[Any, ...], type: DataType | None) -> tuple[Any, ...] | None:
    """The values of the texts, or None if one of them is none of the type."""
    try:
        return tuple(value_of(text, type) for text in texts)
    except ValueError:
        return None


def is_cut(value: Any) -> bool:
    """Whether a text is as long as those that were cut."""
    return isinstance(value, str) and len(value) >= CUT
