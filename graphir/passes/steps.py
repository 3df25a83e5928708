"""Work on bodies that nest, without recursion: a trampoline of generators.  Knows no IR."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

Step = Generator[Any, Any, Any]
"""A piece of work on a body: it yields the steps nested in it and is sent their results."""


def run(step: Step) -> Any:
    """Run a step and those it asks for, on a stack of our own."""
    stack: list[Step] = [step]
    value: Any = None
    while stack:
        try:
            asked = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
        else:
            stack.append(asked)
            value = None
    return value
