"""Which way the edges of a query must run, and what is left of every slot then.

First each edge by itself: where nothing fits it as written and something does reversed, it is reversed.  Then all of
them together: what one edge says of its ends holds for the others.  Where that leaves nothing, the edges around are
looked at for the one whose reversal leaves something; if there are several, none is taken.  What cannot be satisfied
either way is void and narrows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from graphir import ir
from graphir.passes.schema.bindings import Bindings
from graphir.passes.schema.clauses import bind
from graphir.passes.schema.index import Index
from graphir.passes.schema.slots import OTHER_WAY, Flow, Link, Repeat, Tie

_FAULTS = 20
"""After as many conflicts among edges that hang together no more is concluded from them."""

_MOST = 12
"""Of more edges than these in one pattern no choice is looked for."""


def settled(query: ir.Query, index: Index) -> Bindings:
    """What is known of a query once its edges are decided on."""
    bindings = bind(query, index)
    settle(bindings)
    return bindings


def settle(bindings: Bindings) -> None:
    """Decide on every edge, then narrow every slot."""
    index, ties = bindings.index, bindings.ties
    for link in bindings.links:
        if not link.write:
            _judge(link, index)
    if ties and _narrow(ties, index) is not None:
        for component in _components(ties):
            _settle(component, index)
    for link in bindings.links:
        if link.write:
            _judge(link, index)


def _settle(ties: list[Tie], index: Index) -> None:
    """Narrow ties that hang together; where they are in conflict too often, no further than labels do."""
    for _ in range(_FAULTS):
        _reset(ties)
        failed = _narrow(ties, index)
        if failed is None:
            return
        blamed = _blamed(failed, ties)
        if blamed is not None:
            _resolve(blamed, ties, index)
        else:
            ties.remove(failed)
    _reset(ties)


def _blamed(failed: Tie, ties: list[Tie]) -> Link | None:
    """The edge that stands for a tie that fails, if there is one that has not been given up."""
    if isinstance(failed, Link):
        return failed
    near = failed.links if isinstance(failed, Repeat) else [tie for tie in ties if isinstance(tie, Link)]
    slots = failed.slots() if isinstance(failed, Repeat) else (failed.to,)
    for link in near:
        if not link.void and (isinstance(failed, Repeat) or any(slot in slots for slot in link.slots())):
            return link
    return None


def _judge(link: Link, index: Index) -> None:
    """Decide on an edge by what its labels and those of its ends say."""
    left, right, edge = link.left.mask, link.right.mask, link.edge.mask
    if link.fit(index, link.direction, left, right, edge)[0]:
        return
    if link.direction != "any" and link.fit(index, OTHER_WAY[link.direction], left, right, edge)[0]:
        link.flipped = True
    else:
        link.void = True


def _reset(ties: Iterable[Tie]) -> None:
    for tie in ties:
        for slot in tie.slots():
            slot.mask = slot.declared


def _narrow(ties: list[Tie], index: Index) -> Tie | None:
    """Narrow until nothing changes; the tie that cannot be satisfied, if there is one."""
    changed, forward = True, False
    while changed:
        changed, forward = False, not forward
        for tie in ties if forward else reversed(ties):
            if isinstance(tie, Link) and tie.void:
                continue
            result = tie.narrow(index)
            if result is None:
                return tie
            changed = changed or result
    return None


def _resolve(failed: Link, around: list[Tie], index: Index) -> None:
    """Reverse what must be reversed for the edges around one that fails, or give that one up.

    Edges of the clauses outside are satisfied whatever is asked for in here, and are not reversed for it; but where one
    of them may be the wrong one as well, it is not certain which is.
    """
    here = next(group for group in _components([tie for tie in around if not isinstance(tie, Flow)]) if failed in group)
    free = [tie for tie in around if isinstance(tie, Link) and not (tie.void or tie.flipped or tie.direction == "any")]
    for count in (1, 2):
        if len(free) > _MOST:
            break
        choices = [choice for choice in combinations(free, count) if _holds(choice, around, index)]
        inside = [choice for choice in choices if all(link in here for link in choice)]
        if inside == choices and len(choices) == 1:
            for link in choices[0]:
                link.flipped = True
            return
        if inside:
            failed.rivals = list(dict.fromkeys(link for choice in choices for link in choice))
        if choices:
            break
    failed.void = True


def _holds(flips: tuple[Link, ...], ties: list[Tie], index: Index) -> bool:
    """Whether all ties can be satisfied once some edges are reversed."""
    _reset(ties)
    for link in flips:
        link.flipped = True
    failed = _narrow(ties, index)
    for link in flips:
        link.flipped = False
    return failed is None


def _components(ties: list[Tie]) -> list[list[Tie]]:
    """The ties in groups that share no slot."""
    by_slot: dict[int, list[Tie]] = {}
    for tie in ties:
        for slot in tie.slots():
            by_slot.setdefault(id(slot), []).append(tie)
    order = {id(tie): at for at, tie in enumerate(ties)}
    seen: set[int] = set()
    groups: list[list[Tie]] = []
    for tie in ties:
        if id(tie) in seen:
            continue
        seen.add(id(tie))
        group, pending = [tie], [tie]
        while pending:
            for slot in pending.pop().slots():
                for other in by_slot.pop(id(slot), ()):
                    if id(other) not in seen:
                        seen.add(id(other))
                        group.append(other)
                        pending.append(other)
        groups.append(sorted(group, key=lambda each: order[id(each)]))
    return groups
