"""Parse to IR against cypherast, in one run: rounds alternate, the median round of each counts.

    python bench/parse.py [--rounds 7] [--json FILE]

Both are timed on the texts that both accept; how many each accepts is said beside it.
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

import cypherast
import texts

import graphir

Parse = Callable[[str], Any]


def accepted(parse: Parse, batch: list[str], faults: tuple[type[Exception], ...]) -> set[str]:
    good = set()
    for text in batch:
        try:
            parse(text)
        except faults:
            continue
        good.add(text)
    return good


def seconds(parse: Parse, batch: list[str]) -> float:
    gc.collect()
    began = time.perf_counter()
    for text in batch:
        parse(text)
    return time.perf_counter() - began


def measure(batch: list[str], rounds: int) -> dict[str, Any]:
    ours = accepted(graphir.parse, batch, (graphir.GraphirError,))
    theirs = accepted(cypherast.parse, batch, (cypherast.CypherastError, RecursionError))
    both = [text for text in batch if text in ours and text in theirs]
    times: dict[str, list[float]] = {"graphir": [], "cypherast": []}
    for _ in range(rounds):
        times["graphir"].append(seconds(graphir.parse, both))
        times["cypherast"].append(seconds(cypherast.parse, both))
    mine, peer = median(times["graphir"]), median(times["cypherast"])
    return {
        "texts": len(batch),
        "graphir_accepts": len(ours),
        "cypherast_accepts": len(theirs),
        "timed": len(both),
        "characters": sum(map(len, both)),
        "graphir_us": mine / len(both) * 1e6,
        "cypherast_us": peer / len(both) * 1e6,
        "ratio": peer / mine,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    results = {}
    print("parse to IR, median round, microseconds per text (ratio: how many times faster graphir is)")
    print(
        f"{'set':<16}{'texts':>7}{'graphir':>9}{'cypherast':>11}{'timed':>7}{'graphir':>10}{'cypherast':>11}{'ratio':>7}"
    )
    for name, batch in texts.sets().items():
        r = results[name] = measure(batch, chosen.rounds)
        print(
            f"{name:<16}{r['texts']:>7}{r['graphir_accepts']:>9}{r['cypherast_accepts']:>11}{r['timed']:>7}"
            f"{r['graphir_us']:>8.1f}us{r['cypherast_us']:>9.1f}us{r['ratio']:>7.2f}"
        )
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
