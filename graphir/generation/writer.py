"""The state of writing one query: the dice, what is in scope, what was used so far, and the graph of the witness.

A *witness* is one row that the query surely has.  While `world` is a graph, patterns are written around a walk in it
and conditions so that they are true of the row; `world` None is for what need not hold.  Writers of constructs are
functions of a `Writer` in the other modules; this one knows none of them but for the tables that they are in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from graphir.dialects import CYPHER_LEVELS
from graphir.generation.constructs import Plan
from graphir.generation.dice import Dice
from graphir.generation.kinds import spelled
from graphir.generation.profiles import Profile
from graphir.generation.scope import UNKNOWN, Term, Variable
from graphir.generation.vocabulary import NodeShape, Properties, Vocabulary
from graphir.generation.walks import World

ODD_NAMES = ("my var", "Order", "count", "from", "Ä", "a`b", "N", "R", "select", "x.y", "n" * 70, "$p", "1")
"""Names of variables and columns that need quoting somewhere or mean something somewhere."""

Mark = tuple[int, int, int]


class Writer:
    """Writes one query of a plan over a vocabulary."""

    def __init__(self, dice: Dice, plan: Plan, vocabulary: Vocabulary, world: World | None) -> None:
        self.dice = dice
        self.plan = plan
        self.vocabulary = vocabulary
        self.world = world
        self.scope: dict[str, Variable] = {}
        self.size = 1.0
        """About how many rows there are at this place."""
        self.fan = max(1.0, world.degree() if world else sum(plan.profile.edges) / max(1, sum(plan.profile.nodes)) * 2)
        """About how many ways lead on from a node."""
        self.nested = 0
        """How many subqueries there are around."""
        self.legacy = not self.has("neo4j-5") or self.dice.chance(0.4)
        """Whether repetitions are spelled `*1..2`, else `{1,2}`: a MATCH and what is in it have only one of the two."""
        self.repetitions = 0
        """How many repetitions there are in the query; each multiplies the paths to look at."""
        self.sparse = world is not None and len(world.graph.edges) <= 6
        """Whether the edges are so few that all walks can be listed: of edges between two nodes there are n! walks."""
        self.loose = False
        """Whether lists of the result come in no certain order."""
        self._features: list[str] = []
        self._parameters: list[tuple[str, Any]] = []
        self._taken: set[str] = set()
        self._made = 0

    @property
    def profile(self) -> Profile:
        return self.plan.profile

    def has(self, level: str) -> bool:
        """Whether the dialect has what a level of Cypher brought."""
        return CYPHER_LEVELS.index(self.plan.level) >= CYPHER_LEVELS.index(level)

    # ------------------------------------------------------------------ what was used

    def use(self, *features: str) -> None:
        self._features += features

    def mark(self) -> Mark:
        """The state to which `back` returns when something is not written after all."""
        return len(self._features), len(self._parameters), self._made

    def back(self, mark: Mark) -> None:
        del self._features[mark[0] :]
        del self._parameters[mark[1] :]

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(sorted(set(self._features)))

    @property
    def parameters(self) -> dict[str, Any]:
        return dict(self._parameters)

    def allows(self, name: str, share: float) -> bool:
        """Whether to write a construct: by a probability that the profile changes; it is then a feature."""
        share = self.plan.share(name, share)
        if share > 0 and self.dice.chance(min(share, 0.95)):
            self.use(name)
            return True
        return False

    # ------------------------------------------------------------------ names

    def name(self, prefix: str = "v") -> str:
        """The spelling of a name that is not used yet."""
        self._made += 1
        if self.dice.chance(self.profile.awkward):
            odd = self.dice.pick(ODD_NAMES)
            if odd not in self._taken:
                self._taken.add(odd)
                self.use("awkward name")
                return spelled(odd)
        return f"{prefix}{self._made}"

    def parameter(self, value: Any) -> Term:
        """A parameter with that value."""
        self.use("parameter")
        for name, known in self._parameters:
            if known is value:
                return Term(f"${name}", value)
        name = f"p{len(self._parameters)}"
        self._parameters.append((name, value))
        return Term(f"${name}", value)

    # ------------------------------------------------------------------ scope

    def bind(
        self,
        text: str,
        kind: str,
        value: Any = UNKNOWN,
        properties: Properties = (),
        shapes: tuple[NodeShape, ...] = (),
        least: int | None = None,
    ) -> Variable:
        self.scope[text] = Variable(text, kind, value, properties, shapes, least)
        return self.scope[text]

    def of(self, *kinds: str) -> list[Variable]:
        """The variables of these kinds."""
        return [variable for variable in self.scope.values() if variable.kind in kinds]

    @contextmanager
    def inner(self, *added: Variable) -> Iterator[None]:
        """A scope of its own, which begins with what is visible here."""
        kept, size = self.scope, self.size
        self.scope = {**kept, **{variable.text: variable for variable in added}}
        yield
        self.scope, self.size = kept, size

    @contextmanager
    def free(self) -> Iterator[None]:
        """Here nothing need be true of the witness."""
        kept, self.world = self.world, None
        yield
        self.world = kept

    @contextmanager
    def query(self) -> Iterator[None]:
        """The body of a subquery."""
        self.nested += 1
        with self.inner():
            self.size = 1.0
            yield
        self.nested -= 1


Write = Callable[[Writer, int], Term | None]
"""Writes a term of the kind that it is registered for, its operands nested at most so deep; None where it cannot."""
