"""The data that lives outside the repository: `../shared`, or the folder that GRAPHIR_SHARED names.

Tests that need it skip, with a reason, where it is absent.  They look at a deterministic sample of it; GRAPHIR_FULL=1
makes them look at everything.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

SHARED = Path(os.environ.get("GRAPHIR_SHARED") or Path(__file__).resolve().parents[2] / "shared")
OTHERS = {"kuzu_ladybug_tests", "sqlpgq", "spanner_bigquery_graph", "schemas"}
"""Files that hold no queries in Neo4j's Cypher."""

FULL = os.environ.get("GRAPHIR_FULL") == "1"


def rows(name: str) -> Iterator[dict[str, Any]]:
    """The rows of a JSONL file, `corpora/zograscope` for instance."""
    path = SHARED / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def key(text: str) -> str:
    """The name of a text in the files of verdicts."""
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:16]


def sample(items: Iterable[T], count: int, name: Callable[[T], str] = str) -> list[T]:
    """`count` of the items, always the same ones; all of them under GRAPHIR_FULL=1."""
    found = list(items)
    return found if FULL or len(found) <= count else sorted(found, key=lambda item: key(name(item)))[:count]


@cache
def texts(*others: str) -> dict[str, str]:
    """Every query of the corpora in Neo4j's Cypher, and of the others named, by its key."""
    found = {}
    for path in sorted((SHARED / "corpora").glob("*.jsonl")):
        if path.stem in OTHERS.difference(others) or path.stem.endswith("_verdicts"):
            continue
        for row in rows(f"corpora/{path.stem}"):
            if text := row.get("query") or row.get("input_query"):
                found[key(text)] = text
    return found
