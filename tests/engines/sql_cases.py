"""Generated cases on engines over tables, beside the embedded engine: the rows are equal, or the query is refused.

    python -m tests.engines.sql_cases sqlite [--cases 2000] [--first 0] [--all]
    python -m tests.engines.sql_cases postgres [--uri postgresql://..]

Without `uri` a PostgreSQL is started for the occasion.  `--all` draws kinds of values that these engines do not have,
too.  Every difference is printed with its graph; the tally has what ran, and what was refused by code and reason.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import graphir
from graphir.backends.engines import postgres_server
from graphir.backends.engines.protocol import Engine
from graphir.diagnostics import GraphirError, RunFault
from graphir.evaluation import Strict
from graphir.generation import Case, Profile, case

KINDS = frozenset({"int", "str", "bool", "float", "date", "node", "edge", "nodes", "edges", "path", "none", "length"})
"""Kinds of values that have columns."""
SIMPLE = Profile("tables", {"update": 0}, kinds=KINDS, clauses=3, depth=2, strange=0.02, awkward=0.02)
ANY = Profile("any", {"update": 0})
PATIENCE = 30.0
"""Seconds for a query."""
SLOW = ("interrupted", "statement timeout")
"""What the engines say of one that took longer."""
UNREFUSED = ("G620", "G621", "G622", "G627", "G628")
"""Codes that no query may bring about: the SQL is ours."""


@dataclass(frozen=True)
class Difference:
    """A case with two answers: rows, or the fault in their place."""

    seed: int
    case: Case
    wanted: Any
    found: Any
    reason: str

    def __str__(self) -> str:
        graph = json.dumps(self.case.graph.to_dict())
        told = f"wanted {self.wanted}\nfound  {self.found}"
        return f"--- {self.seed}: {self.reason}\n{graph}\n{self.case.query}\n{self.case.parameters}\n{told}"


def differences(engine: Engine, seeds: Iterable[int], profile: Profile, tally: Counter[str]) -> Iterator[Difference]:
    """Ask both engines; the tally counts what happened."""
    with graphir.connect() as ours:
        for seed in seeds:
            made = case(seed, profile=profile)
            tally["asked"] += 1
            engine.clear()
            try:
                engine.load(made.graph)
                found: Any = engine.run(made.query, made.parameters, made.dialect)
            except GraphirError as fault:
                found = fault
            ours.clear()
            ours.load(made.graph)
            try:
                wanted: Any = ours.run(made.query, made.parameters, made.dialect)
            except GraphirError as fault:
                wanted = fault
            reason = _told(made, wanted, found, tally)
            if reason is not None:
                tally["different"] += 1
                yield Difference(seed, made, getattr(wanted, "rows", wanted), getattr(found, "rows", found), reason)


def _told(made: Case, wanted: Any, found: Any, tally: Counter[str]) -> str | None:
    """What differs."""
    if isinstance(found, RunFault) and isinstance(wanted, GraphirError):
        tally["faults on both sides"] += 1
        return None
    if isinstance(found, GraphirError):
        first = found.diagnostics[0]
        if any(words in first.message for words in SLOW):
            tally["stopped after half a minute"] += 1
            return None
        tally[f"refused: {first.code} {first.message}"] += 1
        ours_only = isinstance(found, RunFault) and first.code not in UNREFUSED
        return "only one of them fails" if ours_only or first.code in UNREFUSED else None
    if isinstance(wanted, GraphirError):
        return "only one of them fails"
    tally["executed"] += 1
    tally["with rows"] += bool(found.rows)
    lists = "unordered" if made.loose else "ordered"
    verdict = graphir.rows_equal(wanted, found, Strict(lists=lists), ordered=made.ordered)
    if not verdict and "sum" in made.query:
        verdict = graphir.rows_equal(wanted, found, Strict(lists=lists, numbers="value"), ordered=made.ordered)
        tally["the sum of no floats is 0.0"] += bool(verdict)
    if verdict and wanted.columns == found.columns:
        return None
    return verdict.reason or "columns"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("engine", choices=("sqlite", "postgres"))
    options.add_argument("--cases", type=int, default=2000)
    options.add_argument("--first", type=int, default=0, help="the number of the first")
    options.add_argument("--uri", help="of a PostgreSQL that runs")
    options.add_argument("--all", action="store_true", help="values of all kinds")
    chosen = options.parse_args()
    tally: Counter[str] = Counter()
    with ExitStack() as stack:
        named: dict[str, Any] = {}
        if chosen.engine == "postgres":
            named["uri"] = chosen.uri or stack.enter_context(postgres_server.started())
        engine = stack.enter_context(graphir.connect(chosen.engine, trusting=True, timeout=PATIENCE, **named))
        seeds = range(chosen.first, chosen.first + chosen.cases)
        for each in differences(engine, seeds, ANY if chosen.all else SIMPLE, tally):
            print(each, flush=True)
    for name, count in tally.most_common():
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
