"""Values of SQL in the databases and in graph queries: a SELECT with a join in place of its graph table, on PostgreSQL
or DuckDB, against its translations to Cypher and GQL.

    NEO4J_URI=bolt://.. python -m tests.engines.value_rows [--read pgq-postgres|pgq-duckpgq] [--texts 1000] [--first 0]
        [--targets embedded,neo4j-25,gql-spanner] [--no-schema] [--functions]

`--functions` takes the texts of `function_texts.py`, by their numbers, in place of random ones.  `embedded` is the
translation to Cypher on the embedded engine.  Every difference is printed; the tally has what was
compared, refused, and what the database itself refuses.  GoogleSQL's evaluator has no columns of moments without a
zone: for `gql-spanner` texts with them are left out.
"""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from typing import Any, Self, TypeGuard

import graphir
from graphir import api, connect
from graphir.backends.sql.targets import Statement
from graphir.diagnostics import Diagnostic, GraphirError
from graphir.dialects import DIALECTS
from graphir.graphs import PropertyGraph
from graphir.values.conversions import from_standard, to_standard
from graphir.values.entities import Node
from tests.engines import function_texts, value_texts
from tests.engines.graph_joins import Joined, OnDuckDB, OnPostgres, Replacing
from tests.engines.graph_tables import Making
from tests.engines.postgres_programs import unpacked

WRITTEN = {"embedded": "neo4j-25"}
"""An engine -> the dialect that it is asked in; others are asked in that of their name."""
_DIGITS = 1e-9
"""How far numbers may be apart of which G578 says that their last digits may differ."""


def graph(rows: Sequence[Mapping[str, Any]], *, moments: bool) -> PropertyGraph:
    """The rows as nodes."""
    nodes = []
    for at, row in enumerate(rows):
        values = {name: from_standard(value) for name, value in row.items() if moments or name != "ts"}
        nodes.append(Node(at, ("person",), values))
    return PropertyGraph(tuple(nodes), ())


def graph_table(*, moments: bool) -> str:
    names = [name for names in value_texts.COLUMNS.values() for name in names if moments or name != "ts"]
    columns = ", ".join([f"p.{name} AS {name}" for name in names])
    return f'GRAPH_TABLE ("graph" MATCH (p IS person) COLUMNS ({columns}))'


@dataclass
class Panel:
    """A database, and engines that hold the same rows."""

    dialect: str
    targets: Sequence[str]
    uri: str | None = None
    rows: Sequence[Mapping[str, Any]] = value_texts.ROWS
    stack: ExitStack = field(default_factory=ExitStack)
    engines: dict[str, Any] = field(default_factory=dict)

    def __enter__(self) -> Self:
        moments = self.moments = "gql-spanner" not in self.targets
        self.table = graph_table(moments=moments)
        made = OnDuckDB if self.dialect == "pgq-duckpgq" else OnPostgres
        self.database: Joined = self.stack.enter_context(made(self.dialect))
        self.database.load(graph(self.rows, moments=moments))
        laid = Making(self.database.definition, self.database.laid).graph()
        for target in self.targets:
            engine = self.stack.enter_context(self.opened(target))
            engine.load(laid)
            self.engines[target] = engine
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def opened(self, target: str) -> Any:
        match target:
            case "embedded":
                return connect()
            case "gql-spanner":
                return connect("googlesql", speaks=target)
        return connect("neo4j", uri=self.uri, keep=False)

    def text(self, found: str) -> str | None:
        """The text over the graph table; None where it has moments that the engines do not hold."""
        words = found.replace("(", " ").replace(")", " ").replace(",", " ").split()
        if not self.moments and ("ts" in words or "TIMESTAMP" in words or "timestamp" in words or "INTERVAL" in words):
            return None
        return found.replace("GT ", f"{self.table} ")

    def wanted(self, text: str) -> list[list[Any]]:
        database = self.database
        joined = Replacing(text, database.definition, database.laid).text()
        return [[_plain(cell) for cell in row] for row in database.asked(Statement(joined, (), ()))]

    def differences(self, seeds: Iterable[int], tally: Counter[str], *, typed: bool = True) -> Iterator[str]:
        """Of random texts, by their numbers, those whose translation has other rows; the tally counts what happened."""
        texts = ((seed, value_texts.text(seed, self.dialect)) for seed in seeds)
        return self.among(texts, tally, typed=typed)

    def among(self, texts: Iterable[tuple[int, str]], tally: Counter[str], *, typed: bool = True) -> Iterator[str]:
        """The same of numbered texts, which have `GT` for the graph table."""
        for seed, written in texts:
            text = self.text(written)
            if text is None:
                continue
            tally["texts"] += 1
            try:
                wanted = self.wanted(text)
            except self.database.errors as error:
                tally["refused by the database" if not isinstance(error, self.database.failing) else "failing"] += 1
                continue
            for target in self.targets:
                yield from self.compared(seed, target, text, wanted, tally, typed=typed)

    def compared(
        self, seed: int, target: str, text: str, wanted: list[list[Any]], tally: Counter[str], *, typed: bool
    ) -> Iterator[str]:
        notes: list[Diagnostic] = []
        write = WRITTEN.get(target, target)
        read, made = DIALECTS[self.dialect], ""
        try:
            query = graphir.parse(text, self.dialect)
            schema = self.database.schema if typed else None
            made = api.emit(query, text, read, DIALECTS[write], schema, notes=notes)
            found = [
                [_plain(to_standard(cell)) for cell in row]
                for row in self.engines[target].run(made, dialect=write).rows
            ]
        except GraphirError as refusal:
            first = refusal.diagnostics[0]
            tally[f"{'refused' if not made else 'failing'}: {target} {first.code}"] += 1
            return
        codes = {each.code for each in notes}
        tally[f"compared: {target}"] += 1
        for code in codes:
            tally[f"told: {target} {code}"] += 1
        digits = _DIGITS if "G578" in codes else 1e-14
        if same_rows(wanted, found, ordered=" ORDER BY x" in text, digits=digits):
            return
        if "G579" in codes:
            tally[f"different, as told: {target}"] += 1
            return
        tally[f"different: {target}"] += 1
        yield f"--- {seed} {self.dialect} {target}\n{text}\n\n{made}\nwanted {wanted}\nfound  {found}"


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def same_rows(wanted: list[list[Any]], found: list[list[Any]], *, ordered: bool, digits: float) -> bool:
    """Whether rows have the same values, numbers by their value; `digits`: how far those with a point may be apart."""
    if not ordered:
        wanted, found = sorted(wanted, key=_key), sorted(found, key=_key)
    return len(wanted) == len(found) and all(map(lambda a, b: _same(a, b, digits), wanted, found))


def _same(one: Any, other: Any, digits: float) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(a, b, digits) for a, b in zip(one, other, strict=True))
    if _is_number(one) and _is_number(other):
        left, right = float(one), float(other)
        return left == right or (math.isnan(left) and math.isnan(right)) or math.isclose(left, right, rel_tol=digits)
    return type(one) is type(other) and one == other


def _is_number(value: Any) -> TypeGuard[int | float | Decimal]:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _key(row: Sequence[Any]) -> list[tuple[str, Any]]:
    """Rows in some order, in which numbers that are close are."""
    return [("number", _rounded(float(cell))) if _is_number(cell) else (type(cell).__name__, str(cell)) for cell in row]


def _rounded(number: float) -> tuple[bool, float]:
    return math.isnan(number), 0.0 if math.isnan(number) else round(number, 9)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--read", choices=("pgq-postgres", "pgq-duckpgq"), default="pgq-postgres")
    options.add_argument("--texts", type=int, default=1000)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--targets", default="embedded")
    options.add_argument("--no-schema", action="store_true")
    options.add_argument("--functions", action="store_true")
    chosen = options.parse_args()
    tally: Counter[str] = Counter()
    seeds = range(chosen.first, chosen.first + chosen.texts)
    rows = function_texts.ROWS if chosen.functions else value_texts.ROWS
    with ExitStack() as stack:
        environment: Mapping[str, str] = os.environ
        if chosen.read == "pgq-postgres":
            folder = stack.enter_context(unpacked())
            os.environ["PATH"] = f"{folder}{os.pathsep}{environment['PATH']}"
        panel = stack.enter_context(Panel(chosen.read, chosen.targets.split(","), environment.get("NEO4J_URI"), rows))
        numbered = islice(enumerate(function_texts.texts(chosen.read)), chosen.first, chosen.first + chosen.texts)
        typed = not chosen.no_schema
        found = (
            panel.among(numbered, tally, typed=typed)
            if chosen.functions
            else panel.differences(seeds, tally, typed=typed)
        )
        for told in found:
            print(told, flush=True)
    for name, count in sorted(tally.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
