"""The whole gate with a schema against parsing, and against what else checks with a schema, in one run.

    python bench/gate.py [--count 500] [--rounds 5] [--json FILE]

Every query is checked against its own schema.  `more` is the median, over the queries, of what the gate costs beyond
parsing.  Peers: cypher-validator (validate, with the schema; of several pairs of ends of a type it knows one) and
Neo4j's own front end with the schema, where NEO4J_LINT names the script that drives it (`node $NEO4J_LINT`; one line of
JSON in, one out).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import cypher_validator
import texts

import graphir
from graphir.schema import Schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.sample_schemas import sample

Case = tuple[str, Schema]
Tool = Callable[[Case], bool]
"""Whether a query has nothing wrong."""

FRONT_END = "Neo4j's front end"
"""The one tool that is another process: its time is that of the clock, the others' that of the processor."""

CORPORA = ("cypherbench", "zograscope", "neo4j_labs_text2cypher")


def own() -> list[Case]:
    return [(row["query"], sample(row["schema"])) for row in texts.rows(texts.SAMPLES) if row["valid"]]


def corpus(name: str, count: int) -> list[Case]:
    """A seeded sample of a corpus with its schemas, one schema after another; [] where it is absent."""
    path = texts.SHARED / "corpora" / f"{name}.jsonl"
    if not path.exists():
        return []
    told = {row["id"]: row for row in texts.rows(texts.SHARED / "corpora" / "schemas.jsonl")}
    rows = [row for row in texts.rows(path) if row.get("schema") in told]
    some = random.Random(20).sample(rows, min(count, len(rows)))
    schemas = {name: Schema.read(told[name]["text"], told[name]["format"]) for name in {row["schema"] for row in some}}
    # Neo4j's front end prepares a schema whenever it is another than the last
    return [(row["query"], schemas[row["schema"]]) for row in sorted(some, key=lambda row: str(row["schema"]))]


# ------------------------------------------------------------------ tools


def parses(case: Case) -> bool:
    try:
        graphir.parse(case[0])
    except graphir.GraphirError:
        return False
    return True


def checks(case: Case) -> bool:
    return not any(found.severity == "error" for found in graphir.check(case[0]))


def gate(case: Case) -> bool:
    text, schema = case
    return not any(found.severity == "error" for found in graphir.check(text, schema=schema, profile="gate"))


def validator() -> Tool:
    """cypher-validator, with one validator for each schema."""
    made: dict[int, cypher_validator.CypherValidator] = {}

    def accepts(case: Case) -> bool:
        text, schema = case
        found = made.get(id(schema))
        if found is None:
            found = made[id(schema)] = cypher_validator.CypherValidator(_peer_schema(schema))
        return bool(found.validate(text).is_valid)

    return accepts


def _peer_schema(schema: Schema) -> cypher_validator.Schema:
    nodes: dict[str, list[str]] = {}
    for node in schema.node_types:
        for label in node.labels:
            nodes.setdefault(label, []).extend(each.name for each in node.properties or ())
    edges = {
        edge.type: ((edge.source or ("",))[0], (edge.target or ("",))[0], [each.name for each in edge.properties or ()])
        for edge in schema.edge_types
    }
    return cypher_validator.Schema(nodes, edges)


@contextmanager
def front_end(script: str) -> Iterator[Tool]:
    """Neo4j's parser, semantic analysis and schema checks as a process of its own."""
    command = ["node", script, "--version", "25"]
    told: dict[int, dict[str, Any]] = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        asked, answers = process.stdin, process.stdout
        assert asked is not None
        assert answers is not None

        def accepts(case: Case) -> bool:
            text, schema = case
            if id(schema) not in told:
                told[id(schema)] = _front_end_schema(schema)
            asked.write(json.dumps({"id": 0, "query": text, "schema": told[id(schema)]}) + "\n")
            asked.flush()
            answer = json.loads(answers.readline())
            return bool(answer["ok"]) and not any(found.get("kind") == "schema" for found in answer["warnings"])

        yield accepts
        asked.close()


def _front_end_schema(schema: Schema) -> dict[str, Any]:
    keys = {each.name for owner in (*schema.node_types, *schema.edge_types) for each in owner.properties or ()}
    return {
        "labels": sorted({label for node in schema.node_types for label in node.labels}),
        "relationshipTypes": sorted({edge.type for edge in schema.edge_types}),
        "propertyKeys": sorted(keys),
        "graphSchema": [
            {"from": (edge.source or ("",))[0], "relType": edge.type, "to": (edge.target or ("",))[0]}
            for edge in schema.edge_types
        ],
    }


# ------------------------------------------------------------------ measuring


def measure(tools: dict[str, Tool], cases: list[Case], rounds: int) -> dict[str, dict[str, float]]:
    """Tool -> how many queries it finds good, and the time for one: the median over the rounds, which alternate."""
    accepted = {name: sum(map(tool, cases)) for name, tool in tools.items()}
    times: dict[str, list[float]] = {name: [] for name in tools}
    for _ in range(rounds):
        for name, tool in tools.items():
            gc.collect()
            clock = time.perf_counter if name == FRONT_END else time.process_time
            began = clock()
            for case in cases:
                tool(case)
            times[name].append(clock() - began)
    return {name: {"accepts": accepted[name], "us": median(times[name]) / len(cases) * 1e6} for name in tools}


def beyond_parsing(cases: list[Case]) -> float:
    """What the gate costs beyond parsing: the median over the queries, in microseconds."""

    def best(tool: Tool, case: Case) -> float:
        taken = []
        for _ in range(3):
            began = time.process_time()
            tool(case)
            taken.append(time.process_time() - began)
        return min(taken)

    gc.collect()
    gc.disable()
    try:
        return median(best(gate, case) - best(parses, case) for case in cases) * 1e6
    finally:
        gc.enable()


def show(name: str, cases: list[Case], results: dict[str, dict[str, float]], more: float) -> None:
    base = results["graphir gate"]["us"]
    print(
        f"\n{name}: {len(cases)} queries; the gate takes {more:.0f} us more than parsing (ratio: time against the gate)"
    )
    for tool, result in results.items():
        print(f"  {tool:<26}{result['accepts']:>7} good{result['us']:>11.1f}us{result['us'] / base:>9.2f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=500)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    tools: dict[str, Tool] = {
        "graphir parse": parses,
        "graphir check": checks,
        "graphir gate": gate,
        "cypher-validator": validator(),
    }
    sets = {name: corpus(name, chosen.count) for name in CORPORA} | {"own samples": own()}
    everything: dict[str, Any] = {}
    with ExitStack() as stack:
        if script := os.environ.get("NEO4J_LINT"):
            tools[FRONT_END] = stack.enter_context(front_end(script))
        for name, cases in sets.items():
            if cases:
                results, more = measure(tools, cases, chosen.rounds), beyond_parsing(cases)
                everything[name] = {"beyond parsing": more, **results}
                show(name, cases, results, more)
    if chosen.json:
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
