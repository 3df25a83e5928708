"""Hostile inputs by the hundred thousand: nothing but GraphirError may come out, and no input may take long.

python -m tests.properties.campaign --inputs 200000 --seed 1
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections import Counter
from collections.abc import Callable
from random import Random

import graphir
from tests.conformance.claims import FORMS, SYNTAX, faults
from tests.conformance.triage import kind
from tests.outside import rows, texts
from tests.properties.inputs import DIALECTS, TARGETS, grammar_sentences, mutated, recombined

KEPT = (*SYNTAX, *FORMS)
"""The claims of `tests.conformance` that hold for whatever parses, valid or not."""

MEANT = ("core", "core text", "legal")
"""Those that hold, or end in a refusal, for whatever resolves."""


class Untrue(AssertionError):
    """A claim that does not hold, though nothing crashed."""


def queries() -> list[str]:
    """The queries that are mutated: all that are at hand."""
    found = set(texts("kuzu_ladybug_tests").values())
    found.update(row["query"] for row in rows("conformance/opencypher_tck"))
    return sorted(found)


def makers(corpus: list[str]) -> dict[str, Callable[[Random], str]]:
    sentences = grammar_sentences()
    starts = [name for name in sentences.heights if not name.startswith("_")]

    def arbitrary(random: Random) -> str:
        alphabet = [chr(random.randrange(0x3000)) for _ in range(20)] + list(" MATCHRETURN()[]{}'\"`-<>;:,.\\u0041")
        return "".join(random.choices(alphabet, k=random.randrange(1, 80)))

    return {
        "mutated query": lambda random: mutated(random, corpus, sentences.words),
        "recombined query": lambda random: recombined(random, corpus),
        "framed part": sentences.framed,
        "sentence": lambda random: sentences.sentence(random, "start", random.choice((10, 30, 80))),
        "clauses": lambda random: " ".join(sentences.sentence(random, random.choice(starts), 20) for _ in range(3)),
        "mutated sentence": lambda random: mutated(random, [sentences.sentence(random, "start")], sentences.words),
        "soup": sentences.soup,
        "text": arbitrary,
    }


def survives(text: str, read: str, write: str) -> str:
    """Put a text through the public functions; whether it parses.  Lets everything but GraphirError through."""
    findings = graphir.check(text, read)
    refused = refuses(lambda: graphir.parse(text, read))
    if refused and not findings:
        raise AssertionError("parse refuses what check passes")
    refusals = [
        *refused,
        *refuses(lambda: graphir.format(text, read)),
        *refuses(lambda: graphir.translate(text, read=read, write=write)),
    ]
    if "G006" in refusals and sum(map(text.count, "([{")) + len(text.split("NOT")) < 40:
        raise AssertionError("a text that is not deep is called so")
    if refused:
        return "refused"
    broken = any(finding.severity == "error" for finding in findings)
    for fault in faults(text, read, KEPT if broken else KEPT + MEANT):
        if not fault.refused:
            raise Untrue(f"{fault.claim}: {fault.detail}")
    return "parsed"


def refuses(action: Callable[[], object]) -> list[str]:
    """The codes of the error of ours that the action raises, if it does."""
    try:
        action()
    except graphir.GraphirError as error:
        if not error.diagnostics:
            raise AssertionError("an error without a diagnostic") from error
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--inputs", type=int, default=200_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    made = makers(queries())
    tally: Counter[tuple[str, str]] = Counter()
    crashes: dict[str, list[str]] = {}
    slowest: list[tuple[float, str]] = []
    begin = time.perf_counter()
    for number in range(chosen.inputs):
        random = Random(f"{chosen.seed}/{number}")
        name = random.choices(list(made), weights=[4, 5, 4, 2, 1, 2, 1, 1])[0]
        text, read, write = made[name](random), random.choice((*DIALECTS, "neo4j-25")), random.choice(TARGETS)
        start = time.process_time()
        try:
            verdict = survives(text, read, write)
        except Exception as error:  # noqa: BLE001 the campaign counts what should not be raised
            frame = traceback.extract_tb(error.__traceback__)[-1]
            verdict = "untrue" if isinstance(error, Untrue) else "CRASHED"
            crash = f"{type(error).__name__} {frame.filename.rpartition('/graphir/')[2]}:{frame.lineno}"
            if isinstance(error, AssertionError):
                crash += " " + kind(str(error))
            crashes.setdefault(crash, []).append(f"{read} -> {write}: {text!r}: {str(error)[:200]}")
        slowest = sorted([*slowest, ((time.process_time() - start) / (len(text) + 200), text)])[-3:]
        tally[name, verdict] += 1
    print(f"{chosen.inputs} inputs, seed {chosen.seed}, {time.perf_counter() - begin:.0f} s")
    for name in made:
        print(f"  {name:<18}", {v: tally[name, v] for v in ("parsed", "refused", "untrue", "CRASHED")})
    for crash, found in sorted(crashes.items(), key=lambda item: -len(item[1])):
        print(f"{len(found):>6} {crash}\n       {min(found, key=len)[:600]}")
    print("slowest, per character:", *(f"\n  {rate * 1e6:.0f} us {text[:200]!r}" for rate, text in slowest))
    verdicts = Counter(verdict for _, verdict in tally.elements())
    print(f"crashes: {verdicts['CRASHED']}, claims that do not hold: {verdicts['untrue']}")


if __name__ == "__main__":
    main()
