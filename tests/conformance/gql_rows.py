"""Google's compliance rows and documentation examples on the embedded engine: what comes of each.

A row is `right` (its rows are Google's), `wrong`, `refused` (with a code) or, where Google raises an error, `raised`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import graphir
from graphir import PropertyGraph
from graphir.backends.engines.duckdb.session import Session
from graphir.values import Date, DateTime
from graphir.values.documents import Json
from graphir.values.google import FUNCTIONS
from tests.conformance.table_graphs import columns_of, graph_of, graph_of_script
from tests.outside import SHARED, rows

NAMED = re.compile(r"(graph_table\s*\(|^\s*graph\s)\s*([\w.`]+)", re.IGNORECASE | re.MULTILINE)
IDENTIFIER = "W1NUUklOR1"
"""How the evaluator's identifiers of elements begin: what they are is left open."""
DOCUMENTED = "fingraph"
DEFINED = re.compile(r"PROPERTY GRAPH\s+([\w.]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Outcome:
    """What came of a row: a word, and what is to be said about it."""

    verdict: str
    told: str = ""


@cache
def graphs() -> dict[tuple[str, str], PropertyGraph]:
    """(setup, name of the graph in lower case) -> the graph."""
    path = SHARED / "conformance" / "gql_compliance_setups.json"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    found = {}
    for name, setup in json.loads(path.read_text(encoding="utf-8")).items():
        tables = {table["name"]: columns_of(table["columns"], table["rows"]) for table in setup["tables"]}
        for definition in setup["property_graphs"]:
            defined = DEFINED.search(definition)
            assert defined is not None
            found[name, defined[1].lower()] = graph_of(definition, tables)
    script = (SHARED / "conformance" / "fingraph.sql").read_text(encoding="utf-8")
    found[DOCUMENTED, "fingraph"] = graph_of_script(script)
    return found


class Sessions:
    """A session for each graph, opened when it is first asked for."""

    def __init__(self) -> None:
        self.open: dict[tuple[str, str], Session] = {}

    def of(self, setup: str, name: str) -> Session:
        key = setup, name.lower().strip("`")
        if key not in self.open:
            session = graphir.connect("duckdb")
            session.load(graphs()[key])
            self.open[key] = session
        return self.open[key]

    def close(self) -> None:
        for session in self.open.values():
            session.close()


def compliance() -> Iterator[dict[str, Any]]:
    yield from rows("conformance/gql_compliance")


def documentation() -> Iterator[dict[str, Any]]:
    """The examples that run on the graph of the documentation, with the rows that Google's evaluator gives."""
    for row in rows("conformance/gql_docs"):
        if row["full"] == "ok" and row.get("rows") is not None:
            yield {**row, "setup": DOCUMENTED, "error": None, "ordered": False}


def outcome(row: Mapping[str, Any], sessions: Sessions) -> Outcome:
    """What the embedded engine makes of a row."""
    text = row["query"]
    named = NAMED.search(text)
    if named is None:
        return Outcome("refused", "names no graph")
    dialect = "pgq-googlesql" if "(" in named[1] else "gql-spanner"
    if dialect not in graphir_dialects():
        return Outcome("refused", f"{dialect} is not read")
    try:
        result = sessions.of(row["setup"], named[2]).run(text, parameters(row), dialect=dialect)
    except graphir.GraphirError as fault:
        told = str(fault)
        return Outcome("raised" if row["error"] and isinstance(fault, graphir.RunFault) else "refused", told)
    if row["error"]:
        return Outcome("wrong", f"no error: {result.rows[:3]}")
    if list(result.columns) != list(row["columns"]) and not all(name.startswith("$") for name in row["columns"]):
        return Outcome("wrong", f"columns {result.columns}, not {row['columns']}")
    given = [[plain(value) for value in each] for each in result.rows]
    if agree(given, row["rows"], ordered=bool(row["ordered"])):
        return Outcome("right")
    return Outcome("wrong", f"{given[:6]} not {row['rows'][:6]}")


@cache
def graphir_dialects() -> frozenset[str]:
    from graphir.dialects import DIALECTS

    return frozenset(name for name, dialect in DIALECTS.items() if dialect.reads)


def parameters(row: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters, as the test writes them: `", " as separator, ARRAY<STRING>["a"] as arr`."""
    text = row.get("parameters")
    if not text:
        return {}
    with graphir.connect("duckdb") as db:
        found = db.run(f"GRAPH g RETURN {text}", dialect="gql-spanner")
    return dict(zip(found.columns, found.rows[0], strict=True))


# ------------------------------------------------------------------ comparison


def plain(value: Any) -> Any:
    """A value as the files have it."""
    match value:
        case Json():
            return {"$json": value.value}
        case DateTime() | Date():
            return value
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {key: plain(item) for key, item in value.items()}
    return value


def agree(given: Sequence[Any], wanted: Sequence[Any], *, ordered: bool) -> bool:
    """Whether rows are the same: in order, or as a bag."""
    if len(given) != len(wanted):
        return False
    if ordered:
        return all(same(one, other) for one, other in zip(given, wanted, strict=True))
    left = list(wanted)
    for row in given:
        found = next((at for at, other in enumerate(left) if same(row, other)), None)
        if found is None:
            return False
        del left[found]
    return True


def same(given: Any, wanted: Any) -> bool:
    """Whether a value is the one of the file: floats to 12 digits, moments by their texts."""
    if isinstance(wanted, dict) and "$unordered" in wanted:
        return isinstance(given, list) and agree(given, wanted["$unordered"], ordered=False)
    if isinstance(wanted, dict) and "$json" in wanted:
        return isinstance(given, dict) and same_document(given.get("$json", ...), wanted["$json"])
    if isinstance(wanted, list):
        return (
            isinstance(given, list)
            and len(given) == len(wanted)
            and all(same(one, other) for one, other in zip(given, wanted, strict=True))
        )
    if isinstance(given, DateTime) and isinstance(wanted, str):
        return given == FUNCTIONS["cast_timestamp"](wanted)
    if isinstance(given, Date) and isinstance(wanted, str):
        return str(given) == wanted
    if isinstance(given, str) and isinstance(wanted, str) and wanted.startswith(IDENTIFIER):
        return bool(given)
    if isinstance(given, float) and isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        return f"{given:.12g}" == f"{float(wanted):.12g}"
    return type(given) is type(wanted) and bool(given == wanted)


def same_document(given: Any, wanted: Any) -> bool:
    """The same, of documents: identifiers of elements are the engine's own."""
    if isinstance(given, dict) and isinstance(wanted, dict):
        return given.keys() == wanted.keys() and all(
            key.endswith("identifier") or same_document(given[key], wanted[key]) for key in wanted
        )
    if isinstance(given, list) and isinstance(wanted, list):
        return len(given) == len(wanted) and all(map(same_document, given, wanted))
    return type(given) is type(wanted) and bool(given == wanted)
