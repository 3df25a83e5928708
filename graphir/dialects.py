"""The dialects by name, as data: which family of languages they belong to and what their text may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal["cypher", "gql", "pgq"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect.

    `reads` and `writes`: graphir has a front end, a printer for it.  `escapes_first`: `\\uXXXX` is resolved before the
    text is tokenized (Neo4j), so that it may spell a keyword; otherwise only inside strings.
    """

    name: str
    family: Family
    title: str
    reads: bool = False
    writes: bool = False
    escapes_first: bool = False


DIALECTS: dict[str, Dialect] = {
    d.name: d
    for d in (
        Dialect("opencypher-9", "cypher", "openCypher 9", reads=True, writes=True),
        Dialect("neo4j-5", "cypher", "Neo4j, Cypher 5", reads=True, writes=True, escapes_first=True),
        Dialect("neo4j-25", "cypher", "Neo4j, Cypher 25", reads=True, writes=True, escapes_first=True),
        Dialect("gql-spanner", "gql", "GQL of Spanner Graph", writes=True),
        Dialect("pgq-googlesql", "pgq", "SQL/PGQ of BigQuery and Spanner", writes=True),
    )
}


def dialect(name: str) -> Dialect:
    """The dialect of that name.  Raises ValueError naming the known ones."""
    found = DIALECTS.get(name)
    if found is None:
        raise ValueError(f"unknown dialect {name!r}; known: {', '.join(DIALECTS)}")
    return found
