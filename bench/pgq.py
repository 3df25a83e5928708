"""Cypher to SQL/PGQ: queries of the corpora with the schemas they are about, to every dialect that is written.

    python bench/pgq.py [--count 200] [--rounds 3] [--json FILE] [dialect ..]

A query is parsed, checked against its schema and translated; one that is refused counts, too, and how many are
translated is said beside the time.  No peer translates Cypher to SQL/PGQ: the 30 to 53 ms a query that the authors of
a translator to GQL give stand for one, and the slowest dialect is compared with them.  Without the corpora
(`../shared`) nothing is measured.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import rounds
import texts
from gql import with_schema

from graphir.dialects import DIALECTS


def main() -> None:
    written = [each.name for each in DIALECTS.values() if each.family == "pgq" and each.writes]
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("dialects", nargs="*", metavar="dialect", help=f"of {', '.join(written)}; default: all")
    options.add_argument("--count", type=int, default=200, help="queries of a corpus")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    tools = {f"graphir to {name}": with_schema(name) for name in chosen.dialects or written}
    everything = {}
    for name, batch in texts.with_schemas(chosen.count).items():
        found = rounds.measure(tools, batch, chosen.rounds)
        rounds.show(f"{name}, with its schemas", found)
        slowest = min(found, key=lambda tool: found[tool]["per_second"])
        everything[name] = {**found, "published": rounds.published(found, slowest)}
    if not everything:
        print("the corpora are not here: nothing is measured")
    if chosen.json:
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
