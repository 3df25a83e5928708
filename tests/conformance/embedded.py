"""The openCypher TCK on the embedded engine: what became of a scenario.

python -m tests.conformance.embedded [PREFIX] [--show wrong,refused,..]      counts by group, and the misses
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import graphir
from graphir.diagnostics import GraphirError, RunFault, Unsupported
from graphir.values import Edge, Node
from graphir.values.json import from_json
from tests.conformance import tck_values
from tests.conformance.suites import scenarios

DIALECT = "opencypher-9"


class Outcome(NamedTuple):
    """verdict: pass, wrong, refused (Unsupported), fault (another error where rows are due), noerror, crash."""

    verdict: str
    detail: str = ""


def group(scenario: dict[str, Any]) -> str:
    """Which figure a scenario counts for."""
    expect = scenario["expect"]
    if expect["kind"] == "error":
        return "errors at compile time" if expect["phase"] == "compile time" else "errors at run time"
    if scenario["side_effects"]:
        return "writes"
    return "temporal" if "/temporal/" in scenario["feature"] else "reads"


def run(db: Any, scenario: dict[str, Any]) -> Outcome:
    """One scenario on an empty database."""
    db.clear()
    try:
        for text in scenario["setup"]:
            db.run(text, dialect=DIALECT)
    except GraphirError as error:
        return Outcome("refused", f"setup: {error}")
    expect = scenario["expect"]
    parameters = {name: _value(text) for name, text in (scenario["params"] or {}).items()}
    effects = scenario["side_effects"]
    before = state(db) if effects else None
    try:
        result = db.run(scenario["query"], parameters, dialect=DIALECT)
    except Unsupported as error:
        return Outcome("refused", str(error))
    except GraphirError as error:
        if isinstance(error, RunFault) and error.diagnostics[0].code == "G609":
            return Outcome("crash", str(error))
        return Outcome("pass" if expect["kind"] == "error" else "fault", str(error))
    if expect["kind"] == "error":
        return Outcome("noerror", f"{expect['type']} {expect.get('detail')}, got {result.rows}")
    return _judge(scenario, result, before, db)


def _judge(scenario: dict[str, Any], result: Any, before: Any, db: Any) -> Outcome:
    expect = scenario["expect"]
    if expect["columns"] is not None and list(result.columns) != expect["columns"]:
        return Outcome("wrong", f"columns {result.columns}, due {expect['columns']}")
    table = [[tck_values.read(cell) for cell in row] for row in expect["rows"]]
    unordered_lists = bool(expect.get("unordered_lists"))
    if not tck_values.same_rows(table, result.rows, ordered=expect["ordered"], unordered_lists=unordered_lists):
        return Outcome("wrong", f"due {expect['rows']}, got {result.rows}")
    if before is not None:
        found = difference(before, state(db))
        if found != scenario["side_effects"]:
            return Outcome("wrong", f"effects {found}, due {scenario['side_effects']}")
    return Outcome("pass")


def _value(text: str) -> Any:
    return from_json(tck_values.read(text))


State = dict[str, set[Any]]


def state(db: Any) -> State:
    """What side effects are counted in: the TCK's four sets (openCypher TCK, side effects)."""
    nodes = [row[0] for row in db.run("MATCH (n) RETURN n", dialect=DIALECT).rows]
    edges = [row[0] for row in db.run("MATCH ()-[r]->() RETURN r", dialect=DIALECT).rows]
    return {
        "nodes": {node.id for node in nodes},
        "relationships": {edge.id for edge in edges},
        "labels": {label for node in nodes for label in node.labels},
        "properties": {_property(each, key) for each in (*nodes, *edges) for key in each.properties},
    }


def _property(element: Node | Edge, key: str) -> tuple[str, Any, str, str]:
    return type(element).__name__, element.id, key, repr(element.properties[key])


def difference(before: State, after: State) -> dict[str, int]:
    """`+nodes` and so on, those that are not 0."""
    found = {f"+{name}": len(after[name] - before[name]) for name in before}
    found |= {f"-{name}": len(before[name] - after[name]) for name in before}
    return {name: count for name, count in found.items() if count}


def outcomes(chosen: Iterable[dict[str, Any]]) -> dict[str, Outcome]:
    """Name of a scenario -> what became of it, each on an empty graph."""
    with graphir.connect("duckdb") as db:
        return {scenario["id"]: run(db, scenario) for scenario in chosen}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("prefix", nargs="?", default="")
    options.add_argument("--show", default="")
    options.add_argument("--every", type=int, default=1)
    asked = options.parse_args()
    chosen = [each for each in scenarios() if each["id"].startswith(asked.prefix)][:: asked.every]
    found = outcomes(chosen)
    for each in chosen:
        verdict, detail = found[each["id"]]
        if verdict in asked.show.split(","):
            print(f"{verdict} {each['id']}\n  {each['query']}\n    {detail[:600]}")
    for name in dict.fromkeys(map(group, chosen)):
        counted = Counter(found[each["id"]].verdict for each in chosen if group(each) == name)
        print(
            f"{name:24}{counted['pass']:>6} of {counted.total():<6}{100 * counted['pass'] / counted.total():6.2f} %  "
            + "  ".join(f"{verdict} {count}" for verdict, count in counted.items() if verdict != "pass")
        )


if __name__ == "__main__":
    main()
