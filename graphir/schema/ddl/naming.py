"""Names that a dialect can hold: legal, short enough, and different from each other there."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from graphir.schema.ddl.targets import Target

_AWKWARD = re.compile(r"[^A-Za-z0-9_]+")


def legal(name: str, target: Target, *, plain: bool = False, instead: str = "unnamed") -> str:
    """The name, or the nearest that the dialect can hold; `plain`: of letters, digits and `_` alone."""
    if plain and target.plain_tables:
        name = _AWKWARD.sub("_", name).strip("_")
        name = name if name[:1].isalpha() else f"{instead}_{name}" if name else instead
    for character in target.banned:
        name = name.replace(character, "_")
    return shorten(name or instead, target.bytes)


def shorten(name: str, limit: int) -> str:
    """The name, its end replaced by a digest where it is longer than `limit` bytes of UTF-8."""
    if len(name) * 4 <= limit:
        return name
    data = name.encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        return name
    digest = hashlib.sha256(data).hexdigest()[:8]
    return data[: limit - 9].decode("utf-8", "ignore") + "_" + digest


@dataclass
class Namespace:
    """Names taken in one place.  `reserved` are those of the writer itself."""

    target: Target
    taken: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)

    def held(self, name: str) -> str:
        return self.target.held(name, True)

    def take(self, name: str) -> str:
        """The name, shorter where it is too long, and numbered where another has it already."""
        found = shorten(name, self.target.bytes)
        number = self.numbers.get(self.held(name), 2)
        while self.held(found) in self.taken:
            ending = f"_{number}"
            found = shorten(name, self.target.bytes - len(ending)) + ending
            number += 1
        self.numbers[self.held(name)] = number
        self.taken.add(self.held(found))
        return found
