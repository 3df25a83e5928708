"""Which found column stands for which expected one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

Fits = Callable[[Sequence[int], Sequence[int]], bool]
"""Whether the results are equal when only these columns of the expected and those of the found one are looked at."""


def permutation(
    expected: Sequence[str], found: Sequence[str], looks: Sequence[Hashable], fits: Fits
) -> list[int] | None:
    """The first assignment of found columns to expected ones that makes the results equal; None if there is none.

    Columns of the same name are tried first, then those at the same place.  Results that are equal are equal in every
    column and in every choice of columns, which is how the search is cut; `looks` are keys of the found columns, of
    which equal ones need not be tried twice.
    """
    width = len(expected)
    whole = list(range(width))
    natural = [found.index(name) for name in expected] if sorted(set(found)) == sorted(expected) else whole
    if fits(whole, natural):
        return natural
    options: list[list[int]] = []
    for at in whole:
        order = sorted(whole, key=lambda other: (other != natural[at], other != at, other))
        options.append([other for other in order if fits([at], [other])])
        if not options[at]:
            return None
    chosen: list[int] = []
    pending = [_fresh(options[0], chosen, looks)] if width else []
    while pending:
        if not pending[-1]:
            pending.pop()
            if chosen:
                chosen.pop()
            continue
        chosen.append(pending[-1].pop(0))
        depth = len(chosen)
        if depth > 1 and not fits(whole[:depth], chosen):
            chosen.pop()
        elif depth == width:
            return chosen
        else:
            pending.append(_fresh(options[depth], chosen, looks))
    return None if width else []


def _fresh(options: Sequence[int], chosen: Sequence[int], looks: Sequence[Hashable]) -> list[int]:
    """The options that are free, one of each look."""
    seen: dict[Hashable, int] = {}
    for option in options:
        if option not in chosen:
            seen.setdefault(looks[option], option)
    return list(seen.values())
