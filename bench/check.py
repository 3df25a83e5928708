"""The whole check against parsing, and against the peers that check, in one run: rounds alternate, the median counts.

    python bench/check.py [--count 500] [--rounds 5] [--json FILE]

Every tool is given every text of a set, valid or not; how many it accepts is said beside its time.  Peers:
cypherast (validate), cypher-validator (validate, with a schema that knows nothing), graphglot (validate), and Neo4j's
own front end where NEO4J_LINT names the script that drives it (`node $NEO4J_LINT`; one line of JSON in, one out).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import cypher_validator
import cypherast
import texts
from graphglot.dialect import Dialect
from graphglot.error import GraphGlotError

import graphir

Accepts = Callable[[str], bool]


def parses(text: str) -> bool:
    try:
        graphir.parse(text)
    except graphir.GraphirError:
        return False
    return True


def checks(text: str) -> bool:
    return not any(found.severity == "error" for found in graphir.check(text))


def cypherast_accepts(text: str) -> bool:
    try:
        cypherast.parse_one(text)
        return not cypherast.validate(text)
    except (cypherast.CypherastError, RecursionError):
        return False


def cypher_validator_accepts() -> Accepts:
    validator = cypher_validator.CypherValidator(cypher_validator.Schema({}, {}))
    return lambda text: not validator.validate(text).syntax_errors


def graphglot_accepts() -> Accepts:
    dialect = Dialect.get_or_raise("neo4j")

    def accepts(text: str) -> bool:
        try:
            return bool(dialect.validate(text).success)
        except (GraphGlotError, RecursionError):
            return False

    return accepts


@contextmanager
def neo4j_front_end(script: str) -> Iterator[Accepts]:
    """Neo4j's parser and semantic analysis as a process of its own."""
    command = ["node", script, "--version", "25"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        asked, answers = process.stdin, process.stdout
        assert asked is not None
        assert answers is not None

        def accepts(text: str) -> bool:
            asked.write(json.dumps({"id": 0, "query": text}) + "\n")
            asked.flush()
            return bool(json.loads(answers.readline())["ok"])

        yield accepts
        asked.close()


def measure(tools: dict[str, Accepts], batch: list[str], rounds: int) -> dict[str, dict[str, float]]:
    accepted = {name: sum(map(tool, batch)) for name, tool in tools.items()}
    times: dict[str, list[float]] = {name: [] for name in tools}
    for _ in range(rounds):
        for name, tool in tools.items():
            gc.collect()
            began = time.perf_counter()
            for text in batch:
                tool(text)
            times[name].append(time.perf_counter() - began)
    return {name: {"accepts": accepted[name], "us": median(times[name]) / len(batch) * 1e6} for name in tools}


def show(name: str, batch: list[str], results: dict[str, dict[str, float]]) -> None:
    check = results["graphir check"]["us"]
    print(f"\n{name}: {len(batch)} texts (ratio: time against `graphir check`)")
    for tool, result in results.items():
        print(f"  {tool:<26}{result['accepts']:>7} accepted{result['us']:>11.1f}us{result['us'] / check:>9.2f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=500)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    tools: dict[str, Accepts] = {
        "graphir parse": parses,
        "graphir check": checks,
        "cypherast": cypherast_accepts,
        "cypher-validator": cypher_validator_accepts(),
        "graphglot": graphglot_accepts(),
    }
    everything: dict[str, Any] = {}
    with ExitStack() as stack:
        if script := os.environ.get("NEO4J_LINT"):
            tools["Neo4j's front end"] = stack.enter_context(neo4j_front_end(script))
        for name, batch in texts.sets().items():
            some = batch[:: max(1, len(batch) // chosen.count)]
            everything[name] = measure(tools, some, chosen.rounds)
            show(name, some, everything[name])
    if chosen.json:
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
