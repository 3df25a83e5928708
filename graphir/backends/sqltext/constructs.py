"""What the SQL dialects can say, construct by construct: the data of `constructs.toml`, and whether a dialect can.

The table of `docs/sql.md` is made of it, and the tests run every query on the engines that run here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graphir.schema.model import Schema

PROVED = ("sql-duckdb", "sql-sqlite", "sql-postgres", "sql-spark")
"""The dialects whose texts the tests run; the others are translated, and nothing more is known of them."""
UNFOLDED = ("pgq-postgres", "pgq-duckpgq", "pgq-iso")
"""Those whose texts the tests run with joins of tables in place of the graph tables."""


@dataclass(frozen=True, slots=True)
class Construct:
    """`title` names it in the table.  `ordered`: the rows have an order."""

    heading: str
    title: str
    query: str
    ordered: bool


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("constructs.toml").read_text(encoding="utf-8"))


@cache
def constructs() -> tuple[Construct, ...]:
    """All of them, in order."""
    return tuple(
        [
            Construct(heading, title, query, "ORDER BY" in query.rpartition("RETURN")[2])
            for heading, listed in _data()["constructs"].items()
            for title, query in listed.items()
        ]
    )


@cache
def schema() -> Schema:
    """The schema of the queries."""
    return Schema.read(_data()["schema"], "postgres-ddl")


def parameters() -> dict[str, Any]:
    """The values of the parameters in the queries."""
    return dict(_data()["parameters"])
