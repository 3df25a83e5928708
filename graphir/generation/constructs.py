"""The constructs of queries by name, and the plan: what of them a profile has in a dialect, with its weights.

A construct registers itself with a name, which is a feature of the queries that it occurs in, a group, a weight, the
dialect that has it first, and the kinds of values that it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from graphir.dialects import CYPHER_LEVELS
from graphir.generation.dice import Weighted
from graphir.generation.profiles import Profile

if TYPE_CHECKING:
    from graphir.generation.writer import Write

W = TypeVar("W", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Construct:
    """A way to write an expression of a kind; `place` is that kind.  `needs` are kinds of its operands."""

    place: str
    name: str
    group: str
    weight: float
    write: Write
    since: str = "opencypher-9"
    needs: tuple[str, ...] = ()


EXPRESSIONS: dict[str, list[Construct]] = {}
"""Kind -> the ways to write an expression of it."""
GROUPS: dict[str, str] = {}
"""Name of a construct -> its group, for those that are no expressions and are drawn by a probability."""


def expression(
    kinds: str, name: str, group: str, weight: float = 1.0, since: str = "opencypher-9", needs: str = ""
) -> Callable[[W], W]:
    """Registers a way to write expressions of one or several kinds."""

    def register(write: W) -> W:
        for kind in kinds.split():
            made = Construct(kind, name, group, weight, write, since, tuple(needs.split()))
            EXPRESSIONS.setdefault(kind, []).append(made)
        return write

    return register


def declare(group: str, *names: str) -> None:
    """Says which group constructs belong to that are drawn by a probability."""
    GROUPS.update(dict.fromkeys(names, group))


class Plan:
    """The constructs that a profile has in a dialect, by kind."""

    def __init__(self, profile: Profile, level: str) -> None:
        self.profile = profile
        self.level = level
        at = CYPHER_LEVELS.index(level)
        self.expressions: dict[str, Weighted[Construct]] = {
            kind: Weighted(
                (each, each.weight * profile.factor(each.name, each.group))
                for each in found
                if CYPHER_LEVELS.index(each.since) <= at and profile.has(kind, *each.needs)
            )
            for kind, found in EXPRESSIONS.items()
        }

    @lru_cache(maxsize=16)  # noqa: B019 plans are few and kept
    def aggregates(self, weights: tuple[tuple[str, float], ...]) -> Weighted[int]:
        """The places of aggregates by weight."""
        return Weighted(
            (at, weight * self.profile.factor(name, "aggregate")) for at, (name, weight) in enumerate(weights)
        )

    def share(self, name: str, share: float) -> float:
        """The probability of a construct, as the profile changes it."""
        return share * self.profile.factor(name, GROUPS.get(name, ""))


@lru_cache(maxsize=64)
def plan(profile: Profile, level: str) -> Plan:
    """The plan of a profile in a dialect."""
    return Plan(profile, level)
