"""Tools beside one another on the same inputs: rounds alternate, the median round of each counts.

Seconds are those of the processor in this one process, so that a busy machine shows less; what the clock said stands
beside them.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, TypeVar

T = TypeVar("T")
PUBLISHED = (30.0, 53.0)
"""Milliseconds a query of the published translator of text-to-GQL corpora, as its authors give them: not measured here,
since it is on no package registry."""


def seconds(takes: Callable[[T], bool], batch: Sequence[T]) -> tuple[float, float, int]:
    """For all of a batch, of the processor and by the clock, and how many of it the tool takes."""
    gc.collect()
    began, clock = time.process_time(), time.perf_counter()
    count = sum(map(takes, batch))
    return time.process_time() - began, time.perf_counter() - clock, count


def measure(tools: Mapping[str, Callable[[T], bool]], batch: Sequence[T], rounds: int) -> dict[str, dict[str, Any]]:
    """The first round warms up and does not count."""
    times: dict[str, list[float]] = {name: [] for name in tools}
    clocks: dict[str, list[float]] = {name: [] for name in tools}
    counts: dict[str, int] = {}
    for at in range(rounds + 1):
        for name, takes in tools.items():
            passed, clock, counts[name] = seconds(takes, batch)
            if at:
                times[name].append(passed)
                clocks[name].append(clock)
    return {
        name: {
            "texts": len(batch),
            "translated": counts[name],
            "per_second": len(batch) / median(found),
            "by_the_clock": len(batch) / median(clocks[name]),
        }
        for name, found in times.items()
    }


def show(title: str, found: Mapping[str, Mapping[str, Any]], measure_of: str | None = None) -> None:
    """A table; with what the others are compared to, if they are."""
    print(f"{title} ({next(iter(found.values()))['texts']} texts)")
    for name, each in found.items():
        behind = ""
        if measure_of is not None and name != measure_of:
            behind = f"   {measure_of} is {found[measure_of]['per_second'] / each['per_second']:.1f} times as fast"
        clock = f" ({each['by_the_clock']:,.1f} by the clock)"
        print(f"  {name:<34}{each['translated']:>6} taken{each['per_second']:>10,.1f} a second{clock}{behind}")


def published(found: Mapping[str, Mapping[str, Any]], name: str) -> dict[str, float]:
    """How many times faster than the published figures."""
    rate = found[name]["per_second"]
    low, high = (milliseconds * rate / 1000 for milliseconds in PUBLISHED)
    print(f"  the published translator takes 30 to 53 ms a query: {name} is {low:.0f} to {high:.0f} times as fast")
    return {"low": low, "high": high}
