"""Google's analyzer on the translations of real queries, with the definitions that `Schema.write` prints.

    python -m tests.engines.google_texts [--dialects gql-spanner,gql-bigquery] [--sample 0] [--json FILE] [corpus ..]

Every refusal is printed with the schema, the query and its translation; a line for each corpus and profile says how
many texts were taken.  Texts are grouped by schema, which is loaded once, and equal texts of a schema are asked about
once: also those of BigQuery that were taken of Spanner, with the same features and an equal catalog.  A query that asks
for a label which an open schema does not list is left out: the definition has none.  With `--json`,
what is finished is written there as lines, and is not done again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import graphir
from graphir import ir
from tests.conformance.gql_corpora import CORPORA, measure, schema
from tests.engines.googlesql import database

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

PROFILES = {"gql-spanner": ("spanner", "full"), "pgq-googlesql": ("spanner", "full"), "gql-bigquery": ("full",)}
"""Dialect -> the features with which Google's analyzer takes it."""
DEFINITIONS = {"gql-spanner": "spanner-ddl", "pgq-googlesql": "spanner-ddl", "gql-bigquery": "bigquery-ddl"}


class Refused(NamedTuple):
    """A translation that the analyzer does not take."""

    corpus: str
    profile: str
    schema: str
    query: str
    text: str
    message: str


class Analyzed(NamedTuple):
    """What the analyzer says of the translations of a corpus: `texts` counts queries, `different` texts."""

    corpus: str
    dialect: str
    profile: str
    texts: int
    different: int
    refused: list[Refused]


Taken = set[tuple[str, bytes, str]]
"""Profile, digest of the catalog, text: what the analyzer took."""


def analyzed(corpus: str, dialect: str, count: int | None = None, taken: Taken | None = None) -> Iterator[Analyzed]:
    """Translate the queries of a corpus, or a fixed sample of so many, and ask with each profile of the dialect.

    What is `taken` already is not asked again, and is added to.
    """
    taken = set() if taken is None else taken
    by_schema: dict[str, dict[str, str]] = defaultdict(dict)
    texts = [each for each in measure(corpus, dialect, count).texts if not asks_for_unlisted(*each[:2])]
    for name, query, text in texts:
        by_schema[name].setdefault(text, query)
    different = sum(map(len, by_schema.values()))
    for profile in PROFILES[dialect]:
        with database(profile) as engine:
            engine._analysis.allow_undeclared_parameters = True  # their types come with their values
            if dialect == "gql-bigquery":
                with_unbounded(engine)
            refused = [Refused(corpus, profile, *told) for told in _refused(engine, profile, dialect, by_schema, taken)]
        yield Analyzed(corpus, dialect, profile, len(texts), different, refused)


def asks_for_unlisted(name: str, query: str) -> bool:
    """Whether a query has a label or type that its schema does not list, and does not claim to list."""
    known = schema(name)
    assert known is not None
    if known.coverage.labels and known.coverage.types:
        return False
    listed = {label for node in known.node_types for label in node.labels} | {edge.type for edge in known.edge_types}
    asked = {each.name for each in ir.find(graphir.parse(query, "neo4j-5"), ir.LabelName)}
    return not asked <= listed


def _refused(
    engine: Database, profile: str, dialect: str, by_schema: dict[str, dict[str, str]], taken: Taken
) -> Iterator[tuple[str, str, str, str]]:
    from graphir.backends.engines.googlesql.refusals import Refusal

    for name, texts in by_schema.items():
        known = schema(name)
        assert known is not None
        engine.clear()
        engine.define(known.write(format=DEFINITIONS[dialect]))
        loaded = digest(engine)
        for text, query in texts.items():
            if (profile, loaded, text) in taken:
                continue
            try:
                engine.analyze(text)
            except Refusal as refusal:
                yield name, query, text, refusal.message
            else:
                taken.add((profile, loaded, text))


def digest(engine: Database) -> bytes:
    """Of the tables and graphs that are defined, whatever the features."""
    from graphir.backends.engines.googlesql.catalog import catalog

    found = catalog(engine._tables.values(), engine._graphs.values(), engine._defining.language_options)
    return hashlib.sha1(found.SerializeToString(deterministic=True), usedforsecurity=False).digest()


def with_unbounded(engine: Database) -> None:
    """BigQuery repeats without an upper bound; the library counts that among what is not released yet.

    It only adds to what is taken.
    """
    from graphir.backends.engines.googlesql.protos import public

    feature = public.LanguageFeature.Value("FEATURE_SQL_GRAPH_UNBOUNDED_PATH_QUANTIFICATION")
    engine._options.enabled_language_features.append(feature)
    engine._analysis.language_options.CopyFrom(engine._options)


def missing(dialects: Iterable[str], corpora: Iterable[str], done: Path | None) -> Iterator[tuple[str, list[str]]]:
    """Corpora, and the dialects of which the file does not tell yet."""
    lines = done.read_text(encoding="utf-8").splitlines() if done is not None and done.exists() else []
    told = {(line["dialect"], line["corpus"]) for line in map(json.loads, lines)}
    for corpus in corpora:
        yield corpus, [dialect for dialect in dialects if (dialect, corpus) not in told]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dialects", default="gql-spanner,gql-bigquery")
    options.add_argument("--sample", type=int, default=0, help="rows of each corpus; 0: all")
    options.add_argument("--json", type=Path, help="add what is finished to this file, a line for each corpus")
    options.add_argument("corpora", nargs="*", default=CORPORA)
    given = options.parse_args()
    total = 0
    for corpus, dialects in missing(given.dialects.split(","), given.corpora, given.json):
        taken: Taken = set()
        for dialect in dialects:
            told = _told(corpus, dialect, given.sample or None, taken)
            total += sum([told[profile] for profile in PROFILES[dialect]])
            if given.json:
                with given.json.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(told) + "\n")
    sys.exit(total > 0)


def _told(corpus: str, dialect: str, count: int | None, taken: Taken) -> dict[str, Any]:
    """Print what is found, and give the counts."""
    start = time.monotonic()
    told: dict[str, Any] = {"dialect": dialect, "corpus": corpus}
    for found in analyzed(corpus, dialect, count, taken):
        for each in found.refused:
            print(f"--- {each.schema} {each.profile}: {each.message}\n{each.query}\n\n{each.text}\n", flush=True)
        told |= {"texts": found.texts, "different": found.different, found.profile: len(found.refused)}
        counts = f"{found.texts} texts, {found.different} different, {len(found.refused)} refused"
        print(f"{dialect} {found.profile} {corpus}: {counts}, {time.monotonic() - start:.0f} s", flush=True)
    return told


if __name__ == "__main__":
    main()
