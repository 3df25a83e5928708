"""Label expressions, and of which label sets they are true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphir.generation.constructs import declare
from graphir.generation.kinds import spelled
from graphir.generation.writer import Writer

declare("label", "label expression", "several labels")


class LabelTest(NamedTuple):
    """A label expression with its mark (`:A|B`), and whether it holds for each of the label sets asked about."""

    text: str
    holds: list[bool]


def label_test(
    w: Writer,
    names: Sequence[str],
    sets: Sequence[Sequence[str]],
    *,
    must: Sequence[Sequence[str]] = (),
    predicate: bool = False,
    edge: bool = False,
) -> LabelTest:
    """A test of labels or, for an `edge`, of its type.

    It holds for all of the sets `must`; if what was drawn does not, the test is a plain label that they share, or none:
    an empty text.
    """
    every = [*sets, *must]
    text, holds = _expression(w, names, every, predicate, edge)
    if must and not all(holds[len(sets) :]):
        shared = set(must[0]).intersection(*must[1:])
        candidates = [name for name in names if name in shared]
        if not candidates:
            return LabelTest("", [True] * len(sets))
        name = w.dice.pick(candidates)
        text, holds = spelled(name), [name in each for each in every]
    return LabelTest(f":{text}", holds[: len(sets)])


def _expression(
    w: Writer, names: Sequence[str], sets: Sequence[Sequence[str]], predicate: bool, edge: bool
) -> tuple[str, list[bool]]:
    name = w.dice.pick(names)
    one = (spelled(name), [name in each for each in sets])
    if edge and len(names) > 1 and w.allows("several types", 0.2):
        other = w.dice.pick(names)
        return f"{one[0]}|{spelled(other)}", [a or other in each for a, each in zip(one[1], sets, strict=True)]
    if not w.has("neo4j-5"):
        if edge or len(names) < 2 or not w.allows("several labels", 0.2):
            return one
        other = w.dice.pick(names)
        return f"{one[0]}:{spelled(other)}", [a and other in each for a, each in zip(one[1], sets, strict=True)]
    if not w.allows("label expression", 0.25):
        return one
    return _compound(w, names, sets, 2)


def _compound(w: Writer, names: Sequence[str], sets: Sequence[Sequence[str]], depth: int) -> tuple[str, list[bool]]:
    """A label expression in which compound parts are in parentheses."""
    if depth == 0 or w.dice.chance(0.3):
        if w.dice.chance(0.15):
            return "%", [bool(each) for each in sets]
        name = w.dice.pick(names)
        return spelled(name), [name in each for each in sets]
    sign = w.dice.pick(("|", "&", "!"))
    text, holds = _compound(w, names, sets, depth - 1)
    compound = "|" in text or "&" in text
    if sign == "!":
        return f"!({text})" if compound else f"!{text}", [not each for each in holds]
    other, more = _compound(w, names, sets, depth - 1)
    mixed = "|" if sign == "&" else "&"
    parts = [f"({part})" if mixed in part else part for part in (text, other)]
    pairs = zip(holds, more, strict=True)
    return sign.join(parts), [(a or b) if sign == "|" else (a and b) for a, b in pairs]
