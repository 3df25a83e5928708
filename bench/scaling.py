"""Does parsing stay linear?  Every shape is read at a size and at four times that size: linear growth is a ratio of 4.

python bench/scaling.py [--json FILE]
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import graphir


def chain(n: int) -> str:
    return "MATCH (n0)" + "".join(f"-[:R]->(n{i})" for i in range(1, n + 1)) + " RETURN n0"


def terms(n: int) -> str:
    return "MATCH (n) WHERE " + " AND ".join(f"n.p{i} = {i}" for i in range(n)) + " RETURN n"


def nested(n: int) -> str:
    text = "n.x = 0"
    for i in range(n):
        text = f"({text} {'OR' if i % 2 else 'AND'} n.x = {i})"
    return f"MATCH (n) WHERE {text} RETURN n"


def literal(n: int) -> str:
    return f"RETURN '{'x' * n}' AS x"


def elements(n: int) -> str:
    return f"RETURN [{', '.join(map(str, range(n)))}] AS x"


def clauses(n: int) -> str:
    return "MATCH (n) " + " ".join(f"WITH n, n.p{i} AS p{i}" for i in range(n)) + " RETURN n"


SHAPES: tuple[tuple[str, Callable[[int], str], int], ...] = (
    ("path of n edges", chain, 500),
    ("chain of n AND terms", terms, 2500),
    ("n alternations of AND, OR", nested, 50),
    ("literal of n characters", literal, 250_000),
    ("list of n elements", elements, 5000),
    ("n clauses", clauses, 500),
)


def timed(text: str, rounds: int = 5) -> float:
    taken = []
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        began = time.process_time()
        graphir.parse(text)
        taken.append(time.process_time() - began)
        gc.enable()
    return median(taken)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    graphir.parse("RETURN 1 AS one")
    print("parse time at n and at 4n (linear: 4.0)")
    results: list[dict[str, Any]] = []
    for name, shape, n in SHAPES:
        small, large = timed(shape(n)), timed(shape(4 * n))
        results.append({"shape": name, "n": n, "seconds": small, "seconds_4n": large, "ratio": large / small})
        print(f"{name:<28}{n:>9}{small * 1e3:>10.2f} ms{4 * n:>10}{large * 1e3:>10.2f} ms{large / small:>7.1f}")
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
