"""Schemas taken from data: a folder of tables, a DuckDB file, a live Neo4j, a graph in memory.

What is inferred is complete: the data are all there is.  Statistics come with it: counts, degrees, distinct values,
least and greatest.  What the data do not say outright (which column holds the ends of an edge) is a guess, and told.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphir.schema.model import Schema

if TYPE_CHECKING:
    from neo4j import Driver

    from graphir.graphs import PropertyGraph


def from_folder(path: str | Path) -> Schema:
    """The schema of a folder of CSV and Parquet files, one or several for each node type and edge type.

    Understood are the headers of `neo4j-admin database import` (`:ID`, `:LABEL`, `:START_ID`, `:END_ID`, `:TYPE`) and
    plain tables: nodes with an id, edges with two columns that hold ids of nodes.  Raises UsageFault G082 where there
    is no such file or a file cannot be read.
    """
    from graphir.schema.infer.folder import infer

    return infer(Path(path))


def from_duckdb(path: str | Path) -> Schema:
    """The schema of the tables of a DuckDB file, by their keys; association tables are edges.

    The file is opened for reading only.  Raises UsageFault G082 where it is no DuckDB file.
    """
    from graphir.schema.infer.database import infer

    return infer(Path(path))


def from_graph(graph: PropertyGraph) -> Schema:
    """The schema of a property graph in memory."""
    from graphir.schema.infer.graph import infer

    return infer(graph)


def from_neo4j(
    source: str | Driver,
    *,
    database: str | None = None,
    sample: int | None = None,
    auth: tuple[str, str] | None = None,
) -> Schema:
    """The schema of the graph in a running Neo4j: `source` is a driver, or a URI, with user and password in `auth`.

    `sample`: look at that many nodes of each label and that many edges of each type, and say nothing of what they do
    not show; None looks at all.  Needs the package `neo4j` (`pip install graphir[neo4j]`).
    """
    from graphir.schema.infer.server import infer

    return infer(source, database, sample, auth)
