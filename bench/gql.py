"""Cypher to GQL against graphglot's transpile, in one run: rounds alternate, the median round of each counts.

    python bench/gql.py [--count 400] [--rounds 5] [--schemas] [--json FILE]

Every tool is given every text of a set, whether it can translate it or not; how many it translates is said beside its
time.  graphglot reads `neo4j` and writes `fullgql`, with its check of what it has written and without it.  The
published translator of text-to-GQL corpora is on no package registry: the 30 to 53 ms a query that its authors give
stand for it.  The second table is the other way: GQL, as graphir writes it, parsed, checked and translated to Cypher.
Then, where the corpora are, queries of each with the schemas they are about: parsed, checked as profile `gate` does and
translated for the schema; `--schemas` measures these alone, without graphglot.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rounds
import texts

import graphir

Translates = Callable[[str], bool]


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
    from graphglot.dialect import Dialect
    from graphglot.error import GraphGlotError
    from graphglot.transformations import materialize_implementation_defaults

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


def with_schema(write: str) -> Callable[[tuple[str, graphir.Schema]], bool]:
    """The same for a query and the schema it is about."""

    def translates(given: tuple[str, graphir.Schema]) -> bool:
        text, schema = given
        try:
            graphir.translate(text, read="neo4j-5", write=write, schema=schema)
        except graphir.GraphirError:
            return False
        return True

    return translates


def beside_peers(count: int, number: int) -> dict[str, Any]:
    """Texts without schemas, of ours and of graphglot, and back."""
    there = {
        "graphir to gql-iso": ours("gql-iso"),
        "graphir to gql-spanner": ours("gql-spanner"),
        "graphglot": graphglot_transpiles(checked=True),
        "graphglot, output not checked": graphglot_transpiles(checked=False),
    }
    everything: dict[str, Any] = {}
    for name, batch in texts.sets().items():
        some = batch[:: max(1, len(batch) // count)]
        found = rounds.measure(there, some, number)
        rounds.show(name, found, "graphir to gql-iso")
        everything[name] = {**found, "published": rounds.published(found, "graphir to gql-iso")}
        back = [graphir.translate(text, write="gql-iso") for text in some if there["graphir to gql-iso"](text)]
        tools = {
            "parse": does(lambda text: graphir.parse(text, "gql-iso")),
            "check": does(lambda text: graphir.check(text, "gql-iso")),
            "to neo4j-25": ours("neo4j-25", "gql-iso"),
        }
        found = rounds.measure(tools, back, number)
        rounds.show(f"{name}, back from GQL", found, "parse")
        everything[f"{name}, back"] = found
    return everything


def of_schemas(count: int, number: int) -> dict[str, Any]:
    """Queries with their schemas: parsed, checked against the schema and translated for it."""
    tools = {f"graphir to {name}": with_schema(name) for name in ("gql-iso", "gql-spanner")}
    everything: dict[str, Any] = {}
    for name, batch in texts.with_schemas(count).items():
        found = rounds.measure(tools, batch, number)
        rounds.show(f"{name}, with its schemas", found)
        everything[f"{name}, with schemas"] = {**found, "published": rounds.published(found, "graphir to gql-spanner")}
    return everything


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=400, help="texts of a set")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--schemas", action="store_true", help="only the corpora with their schemas, without peers")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    everything = {} if chosen.schemas else beside_peers(chosen.count, chosen.rounds)
    everything |= of_schemas(chosen.count, chosen.rounds)
    if chosen.json:
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
