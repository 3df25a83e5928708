"""What queries are made of, as data: weights of constructs by name, kinds of values, sizes.

A profile names constructs by their own name or by that of their group, and multiplies their weights; zero leaves them
out.  `features` of a case are such names.  Knows no construct: they bring their names, groups and weights along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from graphir.diagnostics import usage_fault

_VARIABLES = frozenset({"node", "edge", "nodes", "edges", "path", "length", "none", "bag", "approx", "opaque"})
"""Kinds that are no values of properties."""
PLAIN = _VARIABLES | {"int", "str", "bool", "float", "date"}
"""Kinds that every engine has."""
HELD = PLAIN | {"big", "any", "ints", "strs", "floats", "anys", "map", "maps", "dt", "ldt", "time", "dur"}
"""Kinds that most engines hold."""


@dataclass(frozen=True)
class Profile:
    """What may occur, and how often.

    - `weights`: construct or group -> factor of its weight.
    - `kinds`: the kinds of values (`generation.kinds`); None: all.
    - `depth`: how deep expressions nest; `clauses`: the most clauses before RETURN.
    - `nodes`, `edges`: how large graphs are, from and to.  `ids`: see `generation.graphs.graph`.
    - `labels_each`: how many labels a node has, drawn from these.
    - `strange`: the share of values, `awkward` that of names, that are rarely thought of.
    - `writes`: queries write.
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
    labels_each: tuple[int, ...] = (1, 1, 1, 2, 2, 0, 3)
    writes: bool = False

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


_GQL: dict[str, float] = {
    **dict.fromkeys(("temporal", "conversion", "map", "bag", "shortest", "float as text", "point", "normalize()"), 0.0),
    **dict.fromkeys(
        ("unbounded repetition", "missing property", "property by name", "element of a list", "CALL subquery"), 0.0
    ),
    **dict.fromkeys(("list comprehension", "comparison of maps", "reduce()", "computed columns", "UNION"), 0.3),
    **dict.fromkeys(("stDev()", "stDevP()", "percentileCont()", "percentileDisc()", "null", "parameter"), 0.2),
    "quantifier": 0.2,
    "regular expression": 0.5,
}

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        each.name: each
        for each in (
            Profile("reads"),
            Profile(
                "shared",
                kinds=HELD,
                ids="numbers",
                strange=0.0,
                awkward=0.02,
                labels_each=(1, 1, 2),
                nodes=(1, 5),
            ),
            Profile("sql", {"map": 0, "missing property": 0}, kinds=PLAIN | {"big", "ints", "strs"}, ids="numbers"),
            Profile("gql", _GQL, kinds=PLAIN | {"ints"}, ids="numbers", strange=0.0, labels_each=(1, 1, 2), depth=2),
            Profile(
                "pgq",
                _GQL | {"UNWIND": 0, "collect()": 0},
                kinds=PLAIN,
                ids="numbers",
                strange=0.0,
                depth=2,
                labels_each=(1, 1, 2),
            ),
            Profile("writes", writes=True),
        )
    }
)
"""The profiles by name.

- `reads`: everything that reads.
- `shared`: what most engines hold: nodes with labels, offsets in place of zones, finite numbers, few awkward names.
- `sql`, `gql`, `pgq`: what those languages can say, mostly; no maps, no values of mixed type, few lists.
- `writes`: queries that write, and then ask what is there.
"""


def profile(of: str | Profile) -> Profile:
    """The profile of that name.  UsageFault (G091) naming the known ones."""
    if isinstance(of, Profile):
        return of
    found = PROFILES.get(of)
    if found is None:
        raise usage_fault("G091", f"unknown profile {of!r}; known: {', '.join(PROFILES)}")
    return found
