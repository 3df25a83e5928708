"""The vendors of SQL/PGQ, as data: what their definitions and patterns may hold.

Facts are from Oracle's manuals (23.4 to 26ai), PostgreSQL's grammar and regression tests, DuckPGQ's grammar and tests,
and from running Hyper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Name = Literal["oracle", "postgres", "duckpgq", "hyper", "iso"]


@dataclass(frozen=True, slots=True)
class Vendor:
    """One vendor.  `format` is that of its data definitions, `schema` the schema of names that have none.

    Of definitions: `empty_graphs`: CREATE PROPERTY GRAPH needs no tables; `alters`: there is ALTER PROPERTY GRAPH;
    `renames`: it renames and compiles alone;
    `replaces`: there is OR REPLACE; `node_words`: NODE and RELATIONSHIP stand for VERTEX and EDGE; `temporary`: graphs
    may be temporary; `referred_columns`: REFERENCES behind KEY names columns; `views`: views may be element tables.
    """

    name: Name
    title: str
    format: str
    schema: str
    empty_graphs: bool = False
    alters: bool = False
    renames: bool = False
    replaces: bool = True
    node_words: bool = False
    temporary: bool = False
    referred_columns: bool = False
    views: bool = True
    system: tuple[str, ...] = ()


VENDORS: Mapping[str, Vendor] = MappingProxyType(
    {
        vendor.name: vendor
        for vendor in (
            Vendor("oracle", "Oracle", "oracle-ddl", "USER", renames=True),
            Vendor(
                "postgres",
                "PostgreSQL",
                "postgres-ddl",
                "public",
                empty_graphs=True,
                alters=True,
                replaces=False,
                node_words=True,
                temporary=True,
                referred_columns=True,
                system=("pg_", "information_schema"),
            ),
            Vendor("duckpgq", "DuckPGQ", "duckpgq-ddl", "main", node_words=True, referred_columns=True, views=False),
            Vendor("hyper", "Hyper", "postgres-ddl", "public", replaces=False),
            Vendor("iso", "ISO SQL/PGQ", "oracle-ddl", "", empty_graphs=True, alters=True, node_words=True),
        )
    }
)

OF_DIALECT: Mapping[str, Name] = MappingProxyType(
    {
        "pgq-oracle-23ai": "oracle",
        "pgq-oracle-26ai": "oracle",
        "pgq-postgres": "postgres",
        "pgq-duckpgq": "duckpgq",
        "pgq-hyper": "hyper",
        "pgq-iso": "iso",
    }
)
"""Dialect -> whose errors count."""


def vendor_of(dialect: str) -> Vendor | None:
    """The vendor of a dialect; None of one that none of these is the judge of."""
    name = OF_DIALECT.get(dialect)
    return VENDORS[name] if name is not None else None
