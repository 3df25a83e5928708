"""Rows per second and peak memory of `graphir translate` over a whole corpus, on one process and on two.

    python bench/corpus.py [--rows N] [--to neo4j-25] [--json FILE]

The corpora are the text-to-Cypher sets where they are there, else our own sample, repeated.  Memory is the peak
resident size of the largest process; that it is flat shows in the second line of each pair, which reads four times the
rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

import texts

WATCH = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Run by a process of its own: its children are this run's only."""


def queries() -> Iterator[dict[str, Any]]:
    paths = [texts.SHARED / "corpora" / f"{name}.jsonl" for name in texts.GENERATED]
    if all(path.exists() for path in paths):
        return chain.from_iterable(map(texts.rows, paths))
    return cycle(texts.rows(texts.SAMPLES))


def run(rows: list[dict[str, Any]], to: str, jobs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in.jsonl")
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        command = [sys.executable, "-m", "graphir.cli", "translate", str(source), "--field", "query"]
        command += ["--from", "neo4j-25", "--to", to, "--jobs", str(jobs), "-o", str(Path(folder, "out.jsonl"))]
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", WATCH, *command],
            capture_output=True,
            text=True,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        taken = time.perf_counter() - began
        code, peak = map(int, done.stdout.split())
        if code not in (0, 1):
            raise SystemExit(done.stderr)
    unit = 1 if sys.platform == "darwin" else 1024
    return {"rows": len(rows), "jobs": jobs, "rows_per_second": len(rows) / taken, "peak_mb": peak * unit / 1e6}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=8000)
    options.add_argument("--to", default="neo4j-25")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    rows = list(islice(queries(), chosen.rows))
    results = []
    print(f"graphir translate --to {chosen.to}: rows per second (start included), peak memory of the largest process")
    for jobs in (1, 2):
        for part in (rows[: len(rows) // 4], rows):
            r = run(part, chosen.to, jobs)
            results.append(r)
            print(
                f"--jobs {jobs}{r['rows']:>8} rows{r['rows_per_second']:>9.0f} rows/s{r['peak_mb']:>8.0f} MB",
                flush=True,
            )
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
