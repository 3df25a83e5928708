"""How a query runs: its core IR, the statement it becomes, and the plan of the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphir.backends.engines.duckdb.writing import execution
from graphir.backends.sql.statements import lower_query
from graphir.diagnostics import Unsupported, diagnose
from graphir.ir.text import dumps
from graphir.source import Source
from graphir.values.conversions import from_standard

if TYPE_CHECKING:
    from graphir.backends.engines.duckdb.session import Session


@dataclass(frozen=True, slots=True)
class Plan:
    """The core IR as S-expressions, the SQL, and DuckDB's plan; with `analyze` it says how many rows there were."""

    ir: str
    sql: str
    plan: str


def explain(
    session: Session, text: str, parameters: Mapping[str, Any] | None, dialect: str, *, analyze: bool = False
) -> Plan:
    """The plan of a query that reads; `analyze` runs it.

    Raises what running it raises, and Unsupported (G664) for a query that writes: it becomes many statements.
    """
    query = session.core(text, dialect)
    source = Source(text)
    if execution.writes(query):
        told = "a query that writes runs clause by clause and has no one plan"
        raise Unsupported([diagnose(source, "G664", told)], feature="plan", target="sql-duckdb")
    catalog = session.storage.catalog()
    values = from_standard(parameters or {})
    lowered = lower_query(query, source, catalog, values, longest=session.max_path)
    statement = session.prepare(lowered, source)
    word = "EXPLAIN ANALYZE" if analyze else "EXPLAIN"
    rows = session.perform(replace(statement, text=f"{word} {statement.text}"), source)
    plan = "\n".join(line.rstrip() for row in rows for line in str(row[1]).splitlines())
    return Plan(dumps(query), lowered.sql.sql(dialect="duckdb", pretty=True, comments=False), plan)
