"""The mutation study: how many faults the gate finds that were put into good queries, and how often it cries wolf.

    python -m tests.conformance.study [--count 150] [--seed 1] [--misses 5] [--gold]

Every corpus that has schemas gives `--count` mutants of each class (`mutants`); whether the schema can decide a mutant
is asked of `deciding`, which tries all assignments and knows no pass.  `--gold` checks every query as it is.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import graphir
from graphir.diagnostics import Diagnostic
from graphir.profiles import pass_of
from graphir.schema import Schema
from tests.conformance.deciding import Facts, Judge
from tests.conformance.mutants import KINDS, Mutant, Original, mutate
from tests.outside import key, rows

CORPORA = (
    "cypherbench",
    "zograscope",
    "mind_the_query",
    "neo4j_labs_text2cypher",
    "text2cypher2024_clean",
    "multidomain_text2cypher",
)
DIALECT = "neo4j-25"
OF_SCHEMA = ("schema", "direction", "literals")
"""The passes that a schema makes speak."""


class Outcome(NamedTuple):
    """A mutant, whether it is decidable, and what the gate says."""

    corpus: str
    schema: str
    mutant: Mutant
    decidable: bool
    alike: bool
    """Decidable only if labels that look alike are never on one node."""
    found: tuple[str, ...]


@cache
def known(name: str) -> tuple[Schema, Facts, Facts] | None:
    """A schema of the corpora, and the facts of the judge: as they stand, and where labels that look alike may meet."""
    row = next((row for row in rows("corpora/schemas") if row["id"] == name), None)
    if row is None:
        return None
    schema = Schema.read(row["text"], row["format"])
    return schema, Facts(schema), Facts(schema, alike=True)


def of(row: dict[str, Any]) -> tuple[Schema, Facts, Facts]:
    found = known(row["schema"])
    assert found is not None
    return found


def queries(corpus: str) -> list[dict[str, Any]]:
    """The rows of a corpus whose schema is known, in an order that means nothing."""
    found = [row for row in rows(f"corpora/{corpus}") if row.get("schema") and known(row["schema"]) is not None]
    return sorted(found, key=lambda row: key(row["query"]))


def errors(text: str, schema: Schema) -> list[Diagnostic]:
    return [d for d in graphir.check(text, DIALECT, schema, profile="gate") if d.severity == "error"]


def mutants(corpus: str, count: int, seed: int) -> Iterator[Outcome]:
    """`count` mutants of each class, each from another query, if the corpus has so many."""
    wanted = dict.fromkeys(KINDS, count)
    for row in queries(corpus):
        if not any(wanted.values()):
            break
        schema, facts, loose = of(row)
        if errors(row["query"], schema):
            continue
        query = graphir.parse(row["query"], DIALECT)
        if Judge(query, facts).faults():
            continue
        original = Original(row["query"], query, schema)
        for kind in [kind for kind, left in wanted.items() if left]:
            mutant = mutate(original, kind, Random(f"{seed} {kind} {row['query']}"))
            if mutant is not None:
                wanted[kind] -= 1
                found = tuple(each.code for each in errors(mutant.text, schema))
                decided = decidable(mutant, loose)
                alike = not decided and decidable(mutant, facts)
                yield Outcome(corpus, row["schema"], mutant, decided, alike, found)


def decidable(mutant: Mutant, facts: Facts) -> bool:
    """Whether the text alone shows the fault: always for syntax, else where no assignment of types fits."""
    if mutant.kind == "syntax":
        return True
    try:
        return bool(Judge(graphir.parse(mutant.text, DIALECT), facts).faults())
    except graphir.SyntaxFault:
        return True


def restored(outcome: Outcome) -> bool | None:
    """Whether the safe repairs give the query that the mutant was made from; None where they change nothing."""
    mutant = outcome.mutant
    schema = (known(outcome.schema) or (None,))[0]
    try:
        text = graphir.repair(mutant.text, dialect=DIALECT, schema=schema).text
    except graphir.GraphirError:
        return None
    return None if text == mutant.text else text == mutant.original


# ------------------------------------------------------------------ gold


class Gold(NamedTuple):
    """What the gate says of the queries of a corpus as they are."""

    corpus: str
    queries: int
    alarms: list[tuple[str, list[Diagnostic], bool]]
    """The query, the errors that need the schema, and whether the judge finds a fault, too."""


def gold(corpus: str, count: int | None = None) -> Gold:
    alarms = []
    taken = queries(corpus)[:count]
    for row in taken:
        schema, facts, _ = of(row)
        found = [each for each in errors(row["query"], schema) if pass_of(each.code) in OF_SCHEMA]
        if found:
            judged = Judge(graphir.parse(row["query"], DIALECT), facts).faults()
            alarms.append((row["query"], found, bool(judged)))
    return Gold(corpus, len(taken), alarms)


# ------------------------------------------------------------------ the report


def table(outcomes: list[Outcome]) -> list[str]:
    """One line for each class.

    Mutants, those that the schema decides, those found of these, the same for mutants that it decides only if labels
    that look alike never meet, those found of the rest, and the share of all mutants that is found.
    """
    lines = [f"{'class':10}{'mutants':>8}{'decided':>9}{'found':>7}{'share':>9}{'alike':>11}{'rest':>11}{'of all':>9}"]
    for kind in KINDS:
        mine = [each for each in outcomes if each.mutant.kind == kind]
        if mine:
            decided = [each for each in mine if each.decidable]
            alike = [each for each in mine if each.alike]
            rest = [each for each in mine if not each.decidable and not each.alike]
            share = f"{100 * hits(decided) / len(decided):.2f}%" if decided else "-"
            beside = [f"{hits(part)}/{len(part)}" for part in (alike, rest)]
            of_all = f"{100 * hits(mine) / len(mine):.2f}%"
            lines.append(
                f"{kind:10}{len(mine):8}{len(decided):9}{hits(decided):7}{share:>9}"
                f"{beside[0]:>11}{beside[1]:>11}{of_all:>9}"
            )
    return lines


def hits(outcomes: list[Outcome]) -> int:
    return sum(bool(each.found) for each in outcomes)


def show(outcomes: list[Outcome], *, decidable: bool, limit: int) -> None:
    """Mutants on which the gate and the judge differ."""
    title = "missed, though decidable" if decidable else "found, though the judge sees no fault"
    chosen = [
        each for each in outcomes if each.decidable == decidable and bool(each.found) != decidable and not each.alike
    ]
    for kind in KINDS:
        for each in [each for each in chosen if each.mutant.kind == kind][:limit]:
            change = f"{each.mutant.old} -> {each.mutant.new}"
            print(f"-- {title}: {kind} {each.schema} {change} {' '.join(each.found)}")
            print("  ", " ".join(each.mutant.text.split()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150, help="mutants of each class from each corpus")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", type=int, default=0, help="how many differences of each class are shown")
    parser.add_argument("--gold", action="store_true", help="check the queries as they are")
    parser.add_argument("--corpora", default=",".join(CORPORA))
    options = parser.parse_args()
    names = options.corpora.split(",")
    if options.gold:
        for name in names:
            found = gold(name)
            codes = Counter(each.code for _, diagnostics, _ in found.alarms for each in diagnostics)
            true = sum(judged for *_, judged in found.alarms)
            print(
                f"{name:26} {found.queries:6} queries, {len(found.alarms):5} flagged, {true:5} by the judge, too",
                dict(codes),
            )
            for text, diagnostics, judged in found.alarms:
                if not judged and options.misses:
                    print("  ", [each.message for each in diagnostics], " ".join(text.split()))
        return
    outcomes = [each for name in names for each in mutants(name, options.count, options.seed)]
    for name in names:
        print(f"\n{name}", *table([each for each in outcomes if each.corpus == name]), sep="\n")
    print("\nall", *table(outcomes), sep="\n")
    turned = Counter(restored(each) for each in outcomes if each.mutant.kind == "arrow")
    print(
        f"\narrows: {turned[True]} turned back by safe repairs, {turned[None]} left, {turned[False]} changed otherwise"
    )
    if options.misses:
        show(outcomes, decidable=True, limit=options.misses)
        show(outcomes, decidable=False, limit=options.misses)


if __name__ == "__main__":
    main()
