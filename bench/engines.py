"""The embedded engine against other engines on the same graphs, in one run: rounds alternate, the best of each counts.

    python bench/engines.py [--engines graphir,arcadedb,..] [--sizes 12500,50000] [--social 500,2000,8000] [--json FILE]

Every engine has a process of its own with the graph loaded; a query is put to all of them in turn.  A ratio is an
engine's time against that of the first.  Answers are compared: one that differs from the first's is marked `!`, an
engine that cannot read a query gets a dash and its words below.  Neo4j is a server that already runs (NEO4J_URI).
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import subprocess
import sys
from pathlib import Path
from typing import Any

import graphs

WORKER = Path(__file__).with_name("engine_peers.py")
LIMIT = 120
"""Seconds after which an engine is given up for a query."""


class Peer:
    def __init__(self, name: str) -> None:
        self.name = name
        python = os.environ.get(f"PYTHON_{name.upper()}", sys.executable)
        self.process = subprocess.Popen(
            [python, str(WORKER), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.usable = "ready" in self.read()

    def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        if not self.usable:
            return {"error": "not here"}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return self.read(LIMIT if "run" in order else 3600)

    def read(self, seconds: float = 120) -> dict[str, Any]:
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                self.close()
                return {"error": f"no answer in {seconds:.0f} s"}
        for line in self.process.stdout:
            if line.startswith("{"):
                return dict(json.loads(line))
        self.close()
        return {"error": "the process ended"}

    def close(self) -> None:
        self.usable = False
        self.process.kill()


def measure(names: list[str], kind: str, size: int, rounds: int) -> dict[str, Any]:
    queries = getattr(graphs, f"{kind}_queries")(size)
    peers = [Peer(name) for name in names]
    found: dict[str, Any] = {"load": {}}
    for peer in peers:
        found["load"][peer.name] = peer.ask({"graph": [kind, size]})
    for query, texts in queries.items():
        results: dict[str, dict[str, Any]] = {}
        for _ in range(rounds + 1):
            for peer in peers:
                said = peer.ask({"run": texts})
                before = results.get(peer.name, said)
                results[peer.name] = said if "error" in said or said["seconds"] < before.get("seconds", 1e9) else before
        found[query] = results
    for peer in peers:
        peer.close()
    return found


def show(title: str, names: list[str], found: dict[str, Any]) -> None:
    print(f"\n{title}\n{'':26}" + "".join(f"{name:>18}" for name in names))
    errors: dict[str, str] = {}
    for query, results in found.items():
        ours = results[names[0]]
        cells = []
        for name in names:
            said = results[name]
            if "error" in said:
                errors[f"{name}, {query}"] = said["error"]
                cells.append(f"{'-':>18}")
                continue
            ratio = f" {said['seconds'] / ours['seconds']:.2f}" if "seconds" in ours else ""
            same = said.get("rows") == ours.get("rows")
            cells.append(f"{said['seconds'] * 1e3:>9.1f} ms{ratio:>5}{' ' if same else '!'}".rjust(18))
        print(f"{query:26}" + "".join(cells))
    for where, error in errors.items():
        print(f"  - {where}: {error}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engines", default="graphir,arcadedb,grafeo,kglite,ladybug,neo4j")
    options.add_argument("--sizes", default="50000")
    options.add_argument("--social", default="500,2000,8000")
    options.add_argument("--rounds", type=int, default=4)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    names = chosen.engines.split(",")
    everything: dict[str, Any] = {}
    for kind, sizes in (("uniform", chosen.sizes), ("social", chosen.social)):
        for size in filter(None, sizes.split(",")):
            found = measure(names, kind, int(size), chosen.rounds)
            show(f"{kind} {size} (milliseconds, time against the first)", names, found)
            everything[f"{kind} {size}"] = found
    if chosen.json:
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
