"""What queries are made of, as data: weights of constructs by name, kinds of values, sizes.

A profile names constructs by their own name or by that of their group, and multiplies their weights; zero leaves them
out.  `features` of a case are such names.  Knows no construct: they bring their names, groups and weights along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from graphir.diagnostics import usage_fault

PLAIN_KINDS = frozenset(
    {"int", "str", "bool", "float", "date", "node", "edge", "nodes", "edges", "path", "bag", "approx", "length", "none"}
)
"""Kinds that most engines have."""


@dataclass(frozen=True)
class Profile:
    """What may occur, and how often.

    - `weights`: construct or group -> factor of its weight.
    - `kinds`: the kinds of values (`generation.kinds`); None: all.
    - `depth`: how deep expressions nest; `clauses`: the most clauses before RETURN.
    - `nodes`, `edges`: how large graphs are, from and to.  `ids`: see `generation.graphs.graph`.
    - `strange`: the share of values, `awkward` that of names, that are rarely thought of.
    - `rows`: about how many rows a query may make before it has to narrow down.
    """

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)
    kinds: frozenset[str] | None = None
    depth: int = 3
    clauses: int = 5
    nodes: tuple[int, int] = (0, 5)
    edges: tuple[int, int] = (0, 9)
    ids: str = "any"
    strange: float = 0.1
    awkward: float = 0.05
    rows: int = 3000
    single_labels: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.weights.items())), self.kinds, self.depth, self.clauses))

    def factor(self, name: str, group: str) -> float:
        """What the weight of a construct is multiplied with."""
        return self.weights.get(name, self.weights.get(group, 1.0))

    def has(self, *kinds: str) -> bool:
        """Whether values of all these kinds may occur."""
        return self.kinds is None or self.kinds.issuperset(kinds)


PROFILES: Mapping[str, Profile] = MappingProxyType({each.name: each for each in (Profile("reads", {"update": 0}),)})
"""The profiles by name."""


def profile(of: str | Profile) -> Profile:
    """The profile of that name.  UsageFault (G091) naming the known ones."""
    if isinstance(of, Profile):
        return of
    found = PROFILES.get(of)
    if found is None:
        raise usage_fault("G091", f"unknown profile {of!r}; known: {', '.join(PROFILES)}")
    return found
