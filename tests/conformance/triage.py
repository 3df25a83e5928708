"""Which claims fail, grouped by kind: what to look at after a change.

python -m tests.conformance.triage tck neo4j-5 [--sample 500] [--claim scope] [--examples 2]
python -m tests.conformance.triage refusals neo4j-5        what a real Neo4j refuses, by cause: do we refuse it too?
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections import Counter, defaultdict

from tests.conformance import suites
from tests.conformance.claims import ALL, FORMS, SYNTAX, faults
from tests.conformance.suites import Case, judged
from tests.conformance.test_tck import unresolved
from tests.outside import key

SUITES = {"tck": suites.tck, "corpora": suites.corpora, "rest": suites.rest}


def kind(detail: str) -> str:
    """A detail without what is particular to the query."""
    first = detail.partition(" in: ")[0].partition("\n")[0].partition("; ")[0]
    return re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\d+", "_", first)[:150]


def groups(cases: list[Case], dialect: str, claims: tuple[str, ...], suite: str) -> dict[str, list[tuple[Case, str]]]:
    found: dict[str, list[tuple[Case, str]]] = defaultdict(list)
    for case in cases:
        for fault in faults(case.text, dialect, claims):
            if suite != "rest" or not fault.refused:
                found[f"{fault.claim}: {kind(fault.detail)}"].append((case, fault.detail))
    return found


def show_refusals(dialect: str) -> None:
    """Cause by cause: how many queries Neo4j refuses, and how many of them have an error of ours."""
    due: Counter[str] = Counter()
    ours: Counter[str] = Counter()
    for cause in {verdict_cause(v) for v in verdicts(dialect)}:
        for case in judged(dialect, lambda v, cause=cause: v["referee"] == "reject" and verdict_cause(v) == cause):
            due[cause] += 1
            ours[cause] += bool(unresolved(case.text, dialect))
    print(f"{'cause':<8} {'refused by Neo4j':>16} {'by graphir':>10}")
    for cause, count in due.most_common():
        print(f"{cause:<8} {count:>16} {ours[cause]:>10}")
    print(f"{'all':<8} {due.total():>16} {ours.total():>10}")


def verdict_cause(verdict: dict[str, str]) -> str:
    return verdict.get("cause") or verdict.get("gqlstatus", "")


def verdicts(dialect: str) -> list[dict[str, str]]:
    rows = suites.rows("corpora/neo4j_server_verdicts")
    found = (row[suites.VERSIONS[dialect]] for row in rows)
    return [verdict for verdict in found if verdict["referee"] == "reject"]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("suite", choices=[*SUITES, "refusals"])
    options.add_argument("dialect")
    options.add_argument("--sample", type=int, default=0)
    options.add_argument("--claim", action="append")
    options.add_argument("--examples", type=int, default=1)
    chosen = options.parse_args()
    if chosen.suite == "refusals":
        show_refusals(chosen.dialect)
        return
    cases = SUITES[chosen.suite](chosen.dialect)
    if chosen.sample:
        cases = sorted(cases, key=lambda case: key(str(case)))[: chosen.sample]
    claims = tuple(chosen.claim or (ALL if chosen.suite != "rest" else SYNTAX + FORMS))
    found = groups(cases, chosen.dialect, claims, chosen.suite)
    failing = {case.name for group in found.values() for case, _ in group}
    print(f"{chosen.suite} {chosen.dialect}: {len(cases)} texts, {len(failing)} with a fault, {len(found)} kinds")
    for name, group in sorted(found.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(group):>6}  {name}")
        for case, detail in sorted(group, key=lambda pair: len(pair[0].text))[: chosen.examples]:
            shown = f"{case.name}\n| {case.text[:400]}\n> {detail[:500]}"
            print(textwrap.indent(shown, " " * 8))


if __name__ == "__main__":
    main()
