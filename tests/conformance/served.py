"""Corpus queries with the rows that a real Neo4j gave for them, replayed on the embedded engine.

    python -m tests.conformance.served [--every N] [--show wrong,refused]

A result is right when it has the same columns and the same rows as often; in order where the query orders them, rows
that tie in any order.  Where LIMIT cuts through rows that tie, other rows may be right as well: then the query is run
without its LIMIT and with its sort keys as columns.  A cut through ties inside of a query leaves it undecided.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import graphir
from graphir import ir
from graphir.backends.cypher.printer import print_query
from graphir.diagnostics import GraphirError
from graphir.values import Edge, Node
from graphir.values.json import from_json, to_json
from tests.conformance.embedded import Outcome
from tests.outside import rows

DIALECT = "neo4j-5"


@cache
def graphs() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in rows("conformance/neo4j_graphs")}


def canonical(value: Any) -> Any:
    """A document of a value; floats to 12 digits, as sums depend on the order of their terms."""
    if isinstance(value, (Node, Edge)):
        return {"$node" if isinstance(value, Node) else "$edge": value.id}
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.12g}")
    if isinstance(value, (list, tuple)):
        return [canonical(item) for item in value]
    if isinstance(value, dict):
        if any(key.startswith("$") and key not in ("$node", "$edge", "$path") for key in value):
            return to_json(from_json(value))
        return {key: canonical(item) for key, item in value.items()}
    return value if value is None or isinstance(value, (bool, int, str)) else to_json(value)


def texts(table: Iterable[Iterable[Any]]) -> list[str]:
    return [repr([canonical(value) for value in row]) for row in table]


def judge(case: dict[str, Any], db: Any) -> Outcome:
    text = case["query"]
    try:
        result = db.run(text, case.get("params"), dialect=DIALECT)
    except GraphirError as error:
        return Outcome("refused", str(error))
    if list(result.columns) != case["columns"]:
        return Outcome("wrong", f"columns {result.columns}, due {case['columns']}")
    due, got = texts(case["rows"]), texts(result.rows)
    detail = f"due {due[:6]}\n    got {got[:6]}"
    if Counter(due) == Counter(got):
        return Outcome("pass") if not case["ordered"] or same_order(case, due, got, db) else Outcome("wrong", detail)
    query = graphir.parse(text, DIALECT)
    if cuts_ties(query, db):
        return Outcome("undecided", detail)
    if len(due) == len(got) and all(is_first(query, rows, db) for rows in (due, got)):
        return Outcome("pass")
    return Outcome("wrong", detail)


# ------------------------------------------------------------------ ties


def same_order(case: dict[str, Any], due: list[str], got: list[str], db: Any) -> bool:
    """Whether the sort keys come in the same order: rows are told apart by their keys alone."""
    if due == got:
        return True
    keyed = uncut(graphir.parse(case["query"], DIALECT))
    if keyed is None:
        return False
    keys = with_keys(keyed, db)
    return [keys[row] for row in due] == [keys[row] for row in got]


def with_keys(keyed: tuple[ir.Query, int], db: Any) -> dict[str, set[str]]:
    """Row -> the sort keys it comes with."""
    query, width = keyed
    found: dict[str, set[str]] = {}
    for row in db.run(print_query(query, DIALECT), dialect=DIALECT).rows:
        found.setdefault(texts([row[:width]])[0], set()).add(texts([row[width:]])[0])
    return found


def uncut(query: ir.Query) -> tuple[ir.Query, int] | None:
    """The query without the last SKIP and LIMIT and with its sort keys as further columns; how many it had before."""
    body = query.body
    if not isinstance(body, ir.Pipeline) or not isinstance(last := body.operators[-1], ir.Project) or last.star:
        return None
    values = {item.name: item.value for item in last.items if item.name is not None}

    def spelled_out(node: ir.Node) -> ir.Node:
        """A sort key may use the names of the columns, a column may not."""
        return values.get(node.name, node) if isinstance(node, ir.Ref) else node

    keys = tuple([ir.Item(ir.rewrite(key.value, spelled_out), f"key {at}") for at, key in enumerate(last.order)])
    open_ended = replace(last, items=(*last.items, *keys), skip=None, limit=None)
    return replace(query, body=ir.Pipeline((*body.operators[:-1], open_ended))), len(last.items)


def is_first(query: ir.Query, rows: list[str], db: Any) -> bool:
    """Whether the rows are as many of the first ones as there are, whatever becomes of ties."""
    keyed = uncut(query)
    body = query.body
    if keyed is None or not isinstance(body, ir.Pipeline):
        return False
    last = body.operators[-1]
    if not isinstance(last, ir.Project) or last.limit is None or last.skip is not None:
        return False
    everything = db.run(print_query(keyed[0], DIALECT), dialect=DIALECT).rows
    width = keyed[1]
    left = Counter(rows)
    bound = texts([row[width:] for row in everything])[len(rows) - 1] if rows else ""
    above = True
    for row in everything:
        name, key = texts([row[:width], row[width:]])
        above = above and key != bound
        if left[name]:
            left[name] -= 1
        elif above:
            return False
        if not above and key != bound:
            break
    return not +left


def cuts_ties(query: ir.Query, db: Any) -> bool:
    """Whether a LIMIT before the end of the query leaves open which rows go on."""
    body = query.body
    if not isinstance(body, ir.Pipeline):
        return any(isinstance(node, ir.Project) and node.limit is not None for node in ir.walk(query))
    for at, step in enumerate(body.operators[:-1]):
        if not isinstance(step, ir.Project) or step.limit is None:
            continue
        part = replace(query, body=ir.Pipeline((*body.operators[:at], replace(step, final=True, where=None))))
        keyed = uncut(part)
        size = len(db.run(print_query(part, DIALECT), dialect=DIALECT).rows)
        if keyed is None or not size:
            return True
        everything = db.run(print_query(keyed[0], DIALECT), dialect=DIALECT).rows
        keys = texts([row[keyed[1] :] for row in everything])
        if len(keys) > size and keys[size] == keys[size - 1]:
            return True
    return False


def outcomes(cases: Iterable[dict[str, Any]]) -> dict[str, Outcome]:
    """Name of a case -> what became of it."""
    found: dict[str, Outcome] = {}
    with graphir.connect("duckdb") as db:
        loaded = None
        for case in sorted(cases, key=lambda case: str(case["graph"])):
            if case["graph"] != loaded:
                db.clear()
                db.load(graphs()[case["graph"]])
                loaded = case["graph"]
            found[case["id"]] = judge(case, db)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--show", default="")
    asked = options.parse_args()
    cases = list(rows("conformance/neo4j_rows"))[:: asked.every]
    found = outcomes(cases)
    for case in cases:
        verdict, detail = found[case["id"]]
        if verdict in asked.show.split(","):
            print(f"{verdict} {case['id']} on {case['graph']}\n  {case['query']}\n    {detail[:1500]}")
    print(dict(Counter(outcome.verdict for outcome in found.values())))


if __name__ == "__main__":
    main()
