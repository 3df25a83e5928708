"""The texts that the benchmarks read: outside data where it is there (`../shared` or GRAPHIR_SHARED), else our own."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from graphir import Schema

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("GRAPHIR_SHARED") or ROOT.parent / "shared")
SAMPLES = ROOT / "graphir" / "corpora" / "samples" / "queries.jsonl"
GENERATED = (
    "cypherbench",
    "mind_the_query",
    "multidomain_text2cypher",
    "neo4j_labs_text2cypher",
    "t2c_hub",
    "text2cypher2024_clean",
    "zograscope",
)
"""The text-to-Cypher corpora."""
SCHEMATIC = ("cypherbench", "mind_the_query", "neo4j_labs_text2cypher", "text2cypher2024_clean", "zograscope")
"""Those of them whose queries say which schema they are about."""


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def own() -> list[str]:
    """The valid queries of the sample corpus."""
    return [row["query"] for row in rows(SAMPLES) if row["valid"]]


def tck() -> list[str]:
    """The distinct setup and query texts of the openCypher TCK's scenarios without procedures; [] where absent."""
    path = SHARED / "conformance" / "opencypher_tck.jsonl"
    if not path.exists():
        return []
    texts = [text for row in rows(path) if not row.get("procedures") for text in (*row["setup"], row["query"])]
    return list(dict.fromkeys(texts))


def text_to_cypher(count: int, seed: int = 20) -> list[str]:
    """A seeded sample of the text-to-Cypher corpora; [] where absent."""
    paths = [SHARED / "corpora" / f"{name}.jsonl" for name in GENERATED]
    if not all(path.exists() for path in paths):
        return []
    texts = dict.fromkeys(row["query"] for path in paths for row in rows(path))
    return random.Random(seed).sample(list(texts), count)


def with_schemas(count: int, seed: int = 20) -> dict[str, list[tuple[str, Schema]]]:
    """Corpus -> a seeded sample of its queries, each with the schema it is about; nothing where they are absent."""
    found: dict[str, list[tuple[str, Schema]]] = {}
    path = SHARED / "corpora" / "schemas.jsonl"
    schemas = {row["id"]: row for row in rows(path)} if path.exists() else {}
    read = cache(lambda name: Schema.read(schemas[name]["text"], format=schemas[name]["format"]))
    for name in SCHEMATIC if schemas else ():
        every = {row["query"]: row["schema"] for row in rows(SHARED / "corpora" / f"{name}.jsonl")}
        known = [(text, schema) for text, schema in every.items() if schema in schemas]
        some = random.Random(seed).sample(known, min(count, len(known)))
        found[name] = [(text, read(schema)) for text, schema in some]
    return found


def sets(count: int = 1500) -> dict[str, list[str]]:
    """Name -> texts, without the sets that are not here."""
    found = {"openCypher TCK": tck(), "text-to-Cypher": text_to_cypher(count), "own samples": own()}
    return {name: texts for name, texts in found.items() if texts}
