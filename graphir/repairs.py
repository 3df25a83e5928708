"""Repairs: the fixes of findings applied to a text, round by round, until nothing is left that helps.

A round is kept only if it brings the text forward: a text that parses before one that does not, faults of syntax
further back, then fewer errors, warnings, remarks.  That measure falls with every round, so there is an end, and a text
for which no fix helps is left as it is, now and the next time.  Knows texts and diagnostics; what is wrong with a text
it is told.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from graphir.diagnostics import Diagnostic, Edit, Fix, apply, made_together
from graphir.source import Source

ROUNDS = 200
"""More than any text of sensible length needs; the measure bounds it anyway."""

ALONE = 20
"""How many fixes are tried one by one where all together do not help."""

Examine = Callable[[str], tuple[bool, list[Diagnostic]]]
"""Whether a text parses, and what is wrong with it."""

_Measure = tuple[bool, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Repair:
    """A repaired text; the findings whose fixes were applied, with their places in the text as it was given; and what
    is still wrong with the repaired text."""

    text: str
    applied: tuple[Diagnostic, ...] = ()
    remaining: tuple[Diagnostic, ...] = ()

    @property
    def changed(self) -> bool:
        return bool(self.applied)


@dataclass(frozen=True, slots=True)
class _State:
    text: str
    parses: bool
    found: list[Diagnostic]

    @property
    def measure(self) -> _Measure:
        """How far from faultless: not parsed, characters from the first fault on, errors, warnings, remarks."""
        counts = Counter(found.severity for found in self.found)
        faults = (counts["error"], counts["warning"], counts["info"])
        if self.parses:
            return False, 0, *faults
        return True, len(self.text) - min((d.start for d in self.found), default=0), *faults


def repair(text: str, examine: Examine, *, unsafe: bool = False) -> Repair:
    """Apply fixes as long as they help: the safe ones, with `unsafe` all."""
    origin, state = Source(text), _State(text, *examine(text))
    applied: list[Diagnostic] = []
    moves: list[_Moves] = []
    for _ in range(ROUNDS):
        taken, after = _round(state, examine, unsafe)
        if after is None:
            break
        applied += [_placed(found, origin, moves) for found in taken]
        moves.append(_Moves(edit for found in taken if found.fix for edit in found.fix.edits))
        state = after
    applied.sort(key=lambda found: (found.start, found.end))
    return Repair(state.text, tuple(applied), tuple(state.found))


def _round(state: _State, examine: Examine, unsafe: bool) -> tuple[list[Diagnostic], _State | None]:
    """The fixes that bring the text forward together, else the first that does alone, of those that come first."""
    candidates = [found for found in state.found if found.fix is not None and (unsafe or found.fix.safe)]
    together = made_together([found.fix for found in candidates if found.fix is not None])
    chosen = [found for found, made in zip(candidates, together, strict=True) if made]
    trials = [chosen] if len(chosen) == len(candidates) <= 1 else [chosen, *([each] for each in candidates[:ALONE])]
    for trial in trials:
        if trial and (after := _try(state, trial, examine)) is not None:
            return trial, after
    return [], None


def _try(state: _State, chosen: Sequence[Diagnostic], examine: Examine) -> _State | None:
    text = apply(state.text, [found.fix for found in chosen if found.fix is not None])
    after = _State(text, *examine(text))
    return after if after.measure < state.measure and not _still_there(chosen, after) else None


def _still_there(chosen: Sequence[Diagnostic], after: _State) -> bool:
    """Whether a finding outlived its own fix."""
    moves = _Moves(edit for found in chosen if found.fix for edit in found.fix.edits)
    left = {(found.code, moves.back(found.start)) for found in after.found}
    return any((found.code, found.start) in left for found in chosen)


# ------------------------------------------------------------------ places


class _Moves:
    """What edits did to the places of a text: from after them back to before."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
        self._starts: list[int] = []
        shift = 0
        for edit in self._edits:
            self._starts.append(edit.start + shift)
            shift += len(edit.text) - (edit.end - edit.start)

    def back(self, offset: int) -> int:
        """The place before the edits; what an edit wrote came from where it wrote."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        edit, start = self._edits[at], self._starts[at]
        beyond = offset - start - len(edit.text)
        return edit.end + beyond if beyond >= 0 else min(edit.start + offset - start, edit.end)


def _placed(found: Diagnostic, origin: Source, moves: Sequence[_Moves]) -> Diagnostic:
    """The finding with its places in the text before all rounds."""
    if not moves:
        return found

    def back(offset: int) -> int:
        for move in reversed(moves):
            offset = move.back(offset)
        return offset

    start, end = back(found.start), back(found.end)
    line, column = origin.position(start)
    fix = found.fix and Fix(
        found.fix.title,
        tuple(Edit(back(edit.start), back(edit.end), edit.text) for edit in found.fix.edits),
        found.fix.safe,
    )
    origin_offset = None if found.origin is None else back(found.origin)
    return replace(found, start=start, end=max(start, end), line=line, column=column, fix=fix, origin=origin_offset)
