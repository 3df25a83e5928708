"""JSON documents as values: what a property of the type JSON holds, apart from the values it is like.

Also the names in the document of an element, the one that GoogleSQL's TO_JSON makes: an object, that of an edge with
the identifiers of its ends; a path is an array of these, from node to node.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from graphir.values.faults import fault

IDENTIFIER, KIND, LABELS, PROPERTIES = "identifier", "kind", "labels", "properties"
SOURCE, DESTINATION = "source_node_identifier", "destination_node_identifier"
NODE, EDGE = "node", "edge"
"""The kinds."""


@dataclass(frozen=True, slots=True)
class Json:
    """A document: null, booleans, numbers, strings, lists and dicts of them in `value`.  Null in it is no null.

    >>> str(Json({"b": [1, 2.5], "a": None}))
    '{"a":null,"b":[1,2.5]}'
    """

    value: Any

    @classmethod
    def parse(cls, text: str) -> Json:
        """A fault (G633) where the text is no document."""
        try:
            return cls(json.loads(text, parse_constant=_refuse))
        except (ValueError, RecursionError):
            raise fault("G633", "the text is no JSON document") from None

    def part(self, key: str | int) -> Json | None:
        """A field by its name, or an element by its offset; None where there is none."""
        value = self.value
        if type(key) is str:
            return Json(value[key]) if type(value) is dict and key in value else None
        return Json(value[key]) if type(value) is list and type(key) is int and 0 <= key < len(value) else None

    @property
    def key(self) -> str:
        """What documents are sorted and grouped by."""
        return str(self)

    def __str__(self) -> str:
        return json.dumps(self.value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

    def __hash__(self) -> int:
        return hash(str(self))


def _refuse(_: str) -> Any:
    raise ValueError
