"""Paths without brackets that do not repeat: node, step, node, .., where a step is an edge or a group that repeats.

Nodes that are left out are put in; of nodes side by side, which are the same node, one becomes a path of its own.  What
brackets said is kept beside the path: their predicates, and which steps had a mode or a name of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphir import ir
from graphir.backends.sql.lowering import Lowering
from graphir.frozen import frozen
from graphir.ir.names import MARK


@frozen
class Portion:
    """The steps from `start` up to `end`, which were in brackets with a mode or a name of their own."""

    start: int
    end: int
    mode: str | None
    variable: str | None

    @property
    def is_strict(self) -> bool:
        return self.mode not in (None, "walk")


@frozen
class Opening:
    """A path without brackets.  `closed` is it with them, but with the same nodes at its ends.

    `tests`: the predicates of brackets; `joints`: nodes that are the same, of which the first is no part of the path.
    """

    path: ir.Path
    closed: ir.Path
    portions: tuple[Portion, ...] = ()
    tests: tuple[ir.Expression, ...] = ()
    joints: tuple[tuple[ir.NodePattern, str], ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the path alone says all."""
        return not (self.portions or self.tests or self.joints)

    def mode(self, step: int, outer: str) -> str:
        """The mode that a step has to keep: that of the path, or of the brackets that it was in."""
        modes = [part.mode for part in self.portions if part.is_strict and part.start <= step < part.end]
        return outer if outer != "walk" or not modes else modes[0] or outer


@dataclass
class _Opener:
    """The state of opening one path."""

    lowering: Lowering
    found: list[ir.PathElement] = field(default_factory=list)
    steps: int = 0
    tests: list[ir.Expression] = field(default_factory=list)
    portions: list[Portion] = field(default_factory=list)
    joints: list[tuple[ir.NodePattern, str]] = field(default_factory=list)

    def take(self, element: ir.NodePattern | ir.EdgePattern | ir.PathGroup) -> None:
        before = self.found[-1] if self.found else None
        if isinstance(element, ir.NodePattern):
            if isinstance(before, ir.NodePattern):
                self.joints.append((before, element.variable or ""))
                self.found[-1] = element
                return
        else:
            if not isinstance(before, ir.NodePattern):
                self.found.append(self.node())
            self.steps += 1
        self.found.append(element)

    def node(self) -> ir.NodePattern:
        return ir.NodePattern(variable=self.lowering.fresh(MARK + "g"))


def is_regular(path: ir.Path) -> bool:
    """Whether there is nothing to open."""
    return (
        all(isinstance(element, ir.NodePattern) == (at % 2 == 0) for at, element in enumerate(path.elements))
        and all(not isinstance(each, ir.PathGroup) or _is_ready(each) for each in path.elements)
        and isinstance(path.elements[-1], ir.NodePattern)
    )


def _is_ready(group: ir.PathGroup) -> bool:
    return group.quantifier is not None and is_regular(group.path)


def opened(path: ir.Path, lowering: Lowering) -> Opening:
    """The path without brackets."""
    if is_regular(path):
        return Opening(path, path)
    opener = _Opener(lowering)
    pending: list[tuple[ir.PathElement, int | None]] = [(element, None) for element in reversed(path.elements)]
    while pending:
        element, start = pending.pop()
        if isinstance(element, ir.PathGroup) and element.quantifier is not None:
            opener.take(_repeated(element, lowering))
        elif not isinstance(element, ir.PathGroup):
            opener.take(element)
        elif start is not None:
            opener.portions.append(Portion(start, opener.steps, element.path.mode, element.path.variable))
        else:
            if element.path.selector is not None and element.path.selector.kind != "all":
                lowering.refuse("G602", "a selector inside of a path is not supported by the engine", element)
            opener.tests += [] if element.where is None else [element.where]
            if element.path.mode is not None or element.path.variable is not None:
                pending.append((element, opener.steps))
            pending.extend([(each, None) for each in reversed(element.path.elements)])
    return _finished(path, opener)


def _repeated(group: ir.PathGroup, lowering: Lowering) -> ir.PathGroup:
    """A group that repeats, whose own path is opened."""
    inner = opened(group.path, lowering)
    if inner.portions or inner.joints:
        lowering.refuse("G602", "brackets with a mode or a name inside of a repetition", group)
    return replace(group, path=inner.path, where=predicates([inner], group.where))


def _finished(path: ir.Path, opener: _Opener) -> Opening:
    found = opener.found
    closed = path.elements
    if not isinstance(found[-1], ir.NodePattern):
        found.append(opener.node())
        closed = (*closed, found[-1])
    if isinstance(found[0], ir.NodePattern) and not any(each is found[0] for each in ir.walk(path)):
        closed = (found[0], *closed)
    mode, portions = path.mode, opener.portions
    if mode in (None, "walk"):
        whole = [part for part in portions if part.start == 0 and part.end == opener.steps and part.is_strict]
        if whole:
            mode = whole[0].mode
            portions = [replace(part, mode=None) if part is whole[0] else part for part in portions]
    portions = [part for part in portions if part.is_strict or part.variable is not None]
    made = replace(path, elements=tuple(found), mode=mode)
    return Opening(made, replace(path, elements=closed), tuple(portions), tuple(opener.tests), tuple(opener.joints))


def predicates(openings: Sequence[Opening], where: ir.Expression | None) -> ir.Expression | None:
    """What WHERE and the brackets of the paths say together."""
    tests = [] if where is None else [where]
    tests += [test for opening in openings for test in opening.tests]
    return tests[0] if len(tests) == 1 else ir.Apply("and", tuple(tests)) if tests else None
