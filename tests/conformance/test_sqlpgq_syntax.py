"""SELECT over graph tables that Google's parser reads or refuses: the same verdicts, at the same places.

Every row of the parser's tests is asked, in the dialect of its kind; what is known to differ is listed by name.
"""

from __future__ import annotations

from functools import cache

from graphir.diagnostics import Diagnostic
from graphir.grammar import gql
from tests.conformance.misses import known
from tests.outside import rows

DIALECT = "pgq-googlesql"


def fault(text: str, dialect: str) -> Diagnostic | None:
    """The first syntax fault of a script."""
    faults = [each.fault for each in gql.parse_script(text, dialect) if each.fault is not None]
    return faults[0].diagnostics[0] if faults else None


@cache
def verdicts() -> dict[str, tuple[bool, list[int] | None, Diagnostic | None]]:
    """Row -> whether Google's parser takes it, where it does not, and our fault."""
    return {
        row["id"]: (
            row["ok"],
            row["error_pos"],
            fault(row["query"], "gql-spanner" if row["kind"] == "graph_query" else DIALECT),
        )
        for row in rows("conformance/gql_parser")
    }


def test_verdicts() -> None:
    found = verdicts()
    assert len(found) == 506
    differing = {(name, "accept" if ok else "refuse") for name, (ok, _, ours) in found.items() if ok != (ours is None)}
    assert differing == known("sqlpgq", DIALECT, found)


def test_places() -> None:
    """Equal, or one token apart, on more than nine of ten."""
    exact = near = total = 0
    for ok, place, ours in verdicts().values():
        if ok or ours is None or place is None:
            continue
        total += 1
        exact += place == [ours.line, ours.column]
        near += place[0] == ours.line and abs(place[1] - ours.column) <= 12
    assert total >= 117
    assert exact / total > 0.84
    assert near / total > 0.9


def test_queries_of_the_analyzer_and_the_evaluator_are_read() -> None:
    """But for errors of syntax, for COLLATE, ALIGN, tables and models as arguments, and aggregates of groups."""
    for name, limit in (("gql_analyzer", 28), ("gql_compliance", 1)):
        texts = [
            (row["id"], row["query"])
            for row in rows(f"conformance/{name}")
            if row["query"].lstrip().upper().startswith(("SELECT", "WITH")) and "Syntax error" not in str(row["error"])
        ]
        assert len(texts) > 370
        refused = [each for each, text in texts if fault(text, DIALECT) is not None]
        assert len(refused) <= limit, refused
