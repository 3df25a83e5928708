"""Cypher to GQL against graphglot's transpile, in one run: rounds alternate, the median round of each counts.

Seconds are those of the processor in this one process, so that a busy machine does not show.

    python bench/gql.py [--count 400] [--rounds 5] [--json FILE]

Every tool is given every text of a set, whether it can translate it or not; how many it translates is said beside its
time.  graphglot reads `neo4j` and writes `fullgql`, with its check of what it has written and without it.  The
published translator of text-to-GQL corpora is on no package registry: the 30 to 53 ms a query that its authors give
stand for it.  The second table is the other way: GQL, as graphir writes it, parsed, checked and translated to Cypher.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import texts
from graphglot.dialect import Dialect
from graphglot.error import GraphGlotError
from graphglot.transformations import materialize_implementation_defaults

import graphir

Translates = Callable[[str], bool]
PUBLISHED = (30.0, 53.0)
"""Milliseconds a query of the published pipeline, as its authors give them: not measured here."""


def ours(write: str, read: str = "neo4j-25") -> Translates:
    def translates(text: str) -> bool:
        try:
            graphir.translate(text, read=read, write=write)
        except graphir.GraphirError:
            return False
        return True

    return translates


def does(function: Callable[[str], Any]) -> Translates:
    """Whether a function of graphir takes the text."""

    def accepts(text: str) -> bool:
        try:
            function(text)
        except graphir.GraphirError:
            return False
        return True

    return accepts


def graphglot_transpiles(*, checked: bool) -> Translates:
    """The steps of its command `gg transpile`; `checked`: with the last one, in which it parses what it wrote."""
    read, write = Dialect.get_or_raise("neo4j"), Dialect.get_or_raise("fullgql")

    def translates(text: str) -> bool:
        try:
            found = read.validate(text)
            if not found.success:
                return False
            expressions = read.transform(found.expressions)
            for expression in expressions:
                materialize_implementation_defaults(expression, source=read, target=write)
            results = [write.generate(expression, copy=False) for expression in expressions]
            if checked:
                write.validate_output(results)
        except (GraphGlotError, NotImplementedError, RecursionError):
            return False
        return True

    return translates


def seconds(translates: Translates, batch: list[str]) -> tuple[float, int]:
    gc.collect()
    began = time.process_time()
    count = sum(map(translates, batch))
    return time.process_time() - began, count


def measure(tools: Mapping[str, Translates], batch: list[str], rounds: int) -> dict[str, dict[str, Any]]:
    """The first round warms up and does not count."""
    times: dict[str, list[float]] = {name: [] for name in tools}
    counts: dict[str, int] = {}
    for at in range(rounds + 1):
        for name, translates in tools.items():
            passed, counts[name] = seconds(translates, batch)
            if at:
                times[name].append(passed)
    return {
        name: {"texts": len(batch), "translated": counts[name], "per_second": len(batch) / median(found)}
        for name, found in times.items()
    }


def show(title: str, found: Mapping[str, Mapping[str, Any]], measure_of: str) -> None:
    print(f"{title} ({next(iter(found.values()))['texts']} texts)")
    for name, each in found.items():
        ratio = found[measure_of]["per_second"] / each["per_second"]
        behind = "" if name == measure_of else f"   {measure_of} is {ratio:.1f} times as fast"
        print(f"  {name:<34}{each['translated']:>6} taken{each['per_second']:>10,.1f} a second{behind}")


def published(found: Mapping[str, Mapping[str, Any]], name: str) -> dict[str, float]:
    """How many times faster than the published figures."""
    rate = found[name]["per_second"]
    low, high = (milliseconds * rate / 1000 for milliseconds in PUBLISHED)
    print(f"  the published pipeline takes 30 to 53 ms a query: {name} is {low:.0f} to {high:.0f} times as fast")
    return {"low": low, "high": high}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=400, help="texts of a set")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    there = {
        "graphir to gql-iso": ours("gql-iso"),
        "graphir to gql-spanner": ours("gql-spanner"),
        "graphglot": graphglot_transpiles(checked=True),
        "graphglot, output not checked": graphglot_transpiles(checked=False),
    }
    everything: dict[str, Any] = {}
    for name, batch in texts.sets().items():
        some = batch[:: max(1, len(batch) // chosen.count)]
        found = measure(there, some, chosen.rounds)
        show(name, found, "graphir to gql-iso")
        everything[name] = {**found, "published": published(found, "graphir to gql-iso")}
        back = [graphir.translate(text, write="gql-iso") for text in some if there["graphir to gql-iso"](text)]
        tools = {
            "parse": does(lambda text: graphir.parse(text, "gql-iso")),
            "check": does(lambda text: graphir.check(text, "gql-iso")),
            "to neo4j-25": ours("neo4j-25", "gql-iso"),
        }
        found = measure(tools, back, chosen.rounds)
        show(f"{name}, back from GQL", found, "parse")
        everything[f"{name}, back"] = found
    if chosen.json:
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
