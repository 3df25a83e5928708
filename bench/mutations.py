"""Faults put into good queries: how many the gate finds, beside a peer that checks schemas, and what others report.

    python bench/mutations.py [--count 100] [--seed 1] [--gold 500]

The mutants are those of `tests/conformance/mutants.py`; which of them the schema decides is said by
`tests/conformance/deciding.py`, which tries all assignments.  The peer is cypher-validator, whose schema has one pair
of ends for each relationship type; `accuses` is how many of the good queries each tool calls wrong.  CYGNET's figures
are those of its paper (arXiv 2606.04645), on other queries: its gate without a database, its mutants.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter

import cypher_validator

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.conformance.mutants import KINDS
from tests.conformance.study import CORPORA, errors, known, mutants, queries

CYGNET = {
    "label": "48 %",
    "type": "48 %",
    "property": "0 %",
    "arrow": "-",
    "literal": "-",
    "syntax": "100 %",
}
"""What its stand-alone gate finds: swaps of schema names, of sibling properties, broken syntax."""


@cache
def peer(name: str) -> cypher_validator.CypherValidator:
    """The peer's validator for a schema; of several pairs of ends it keeps the last."""
    schema = (known(name) or _missing(name))[0]
    nodes: dict[str, list[str]] = {}
    for node in schema.node_types:
        for label in node.labels:
            nodes.setdefault(label, []).extend(each.name for each in node.properties or ())
    edges = {
        edge.type: ((edge.source or ("",))[0], (edge.target or ("",))[0], [each.name for each in edge.properties or ()])
        for edge in schema.edge_types
    }
    return cypher_validator.CypherValidator(cypher_validator.Schema(nodes, edges))


def _missing(name: str) -> tuple[()]:
    raise SystemExit(f"there is no schema {name}")


TOOLS: dict[str, Callable[[str, str], bool]] = {
    "graphir": lambda text, schema: bool(errors(text, (known(schema) or _missing(schema))[0])),
    "cypher-validator": lambda text, schema: not peer(schema).validate(text).is_valid,
}
"""Name -> whether the tool calls a text wrong."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="mutants of each class from each corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gold", type=int, default=500, help="good queries of each corpus")
    options = parser.parse_args()
    decided: Counter[str] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    spent: Counter[str] = Counter()
    for corpus in CORPORA:
        for each in mutants(corpus, options.count, options.seed):
            if each.decidable:
                decided[each.mutant.kind] += 1
                for tool, accuses in TOOLS.items():
                    begun = perf_counter()
                    found[tool, each.mutant.kind] += accuses(each.mutant.text, each.schema)
                    spent[tool] += perf_counter() - begun
    print(f"{'class':10}{'decided':>9}" + "".join(f"{tool:>18}" for tool in TOOLS) + f"{'CYGNET':>10}")
    for kind in KINDS:
        shares = [f"{100 * found[tool, kind] / max(decided[kind], 1):.2f} %" for tool in TOOLS]
        print(f"{kind:10}{decided[kind]:9}" + "".join(f"{share:>18}" for share in shares) + f"{CYGNET[kind]:>10}")
    total = sum(decided.values())
    print("ms/query", " " * 10, "".join(f"{1000 * spent[tool] / total:18.2f}" for tool in TOOLS) + f"{'5.6':>10}")
    print("\naccuses, of the queries as they are")
    for corpus in CORPORA:
        rows = queries(corpus)[: options.gold]
        wrong = [sum(accuses(row["query"], row["schema"]) for row in rows) for accuses in TOOLS.values()]
        print(f"{corpus:24}{len(rows):6}" + "".join(f"{count:18}" for count in wrong))


if __name__ == "__main__":
    main()
