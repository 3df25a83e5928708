"""Random choices, so few kinds of them that a seed and a Hypothesis draw can both make them.

`below` is the only choice there is; everything else is made of it, and in all of it the first option is the simplest:
a source that can shrink (`graphir.testing`) gets simpler things by smaller numbers and shorter lists by fewer choices.
Knows nothing of graphs and queries.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")

_SHARES = 1000
"""What probabilities are rounded to."""
_PRECISION = 100
"""What weights are rounded to."""


class Weighted(Generic[T]):
    """Options with weights, made once and drawn from often.  Options of weight zero are left out; the order stays."""

    __slots__ = ("options", "steps", "total")

    def __init__(self, weights: Iterable[tuple[T, float]]) -> None:
        kept = [(option, max(1, round(weight * _PRECISION))) for option, weight in weights if weight > 0]
        self.options: list[T] = [option for option, _ in kept]
        self.steps: list[int] = list(accumulate(weight for _, weight in kept))
        self.total: int = self.steps[-1] if self.steps else 0

    def __bool__(self) -> bool:
        return bool(self.options)


class Dice(ABC):
    """A source of choices."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1; 0 is the simplest."""

    def part(self, make: Callable[[], T]) -> T:
        """What `make` makes with these dice: a unit that a source that shrinks may take out as a whole."""
        return make()

    def chance(self, share: float) -> bool:
        """True with a probability; False is the simpler."""
        return self.below(_SHARES) >= _SHARES - round(share * _SHARES)

    def pick(self, options: Sequence[T]) -> T:
        """One of them, each as likely; the first is the simplest."""
        return options[self.below(len(options))]

    def weighted(self, options: Weighted[T]) -> T:
        """One of them by weight."""
        return options.options[bisect_right(options.steps, self.below(options.total))]

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def repeats(self, least: int, most: int, share: float = 0.5) -> Iterator[int]:
        """0, 1, 2, ..: at least and at most so many; after the least ones another follows with a probability."""
        for at in range(most):
            if at >= least and not self.chance(share):
                return
            yield at

    def some(self, options: Sequence[T], share: float = 0.5) -> list[T]:
        """Some of them, in their order; each with a probability."""
        return [option for option in options if self.chance(share)]

    def shuffled(self, options: Iterable[T]) -> list[T]:
        """All of them in some order; the simplest is their own."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


class RandomDice(Dice):
    """Choices of a seed: the same seed, the same choices, in every process."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(str(seed)).random

    def below(self, bound: int) -> int:
        return int(self._random() * bound)
