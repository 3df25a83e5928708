"""What the source of a graph is: a value, a file, a folder, a script, a server, an example."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from graphir.graphs import PropertyGraph
from graphir.loading import documents
from graphir.loading.faults import UNREADABLE, fault

if TYPE_CHECKING:
    from neo4j import Driver

TABLES = (".csv", ".tsv", ".parquet")
LINES = (".jsonl", ".ndjson")
SCRIPTS = (".cypher", ".cyp", ".cql", ".gql", ".txt")
EXAMPLE = "example:"
_SERVER = re.compile(r"(?:bolt|neo4j)(?:\+s|\+ssc)?://\S+\Z")


@dataclass(frozen=True, slots=True)
class Script:
    """Statements that make a graph when they run."""

    text: str
    name: str = "<script>"


@dataclass(frozen=True, slots=True)
class Tables:
    """A folder of tables, or one of them, as files; lines of JSON among them are rows."""

    path: Path


@dataclass(frozen=True, slots=True)
class Server:
    """A running Neo4j: its address or a driver, the database, and who asks."""

    address: str | Driver
    database: str | None = None
    auth: tuple[str, str] | None = None


Found = PropertyGraph | Script | Tables | Server


def find(source: Any) -> Found:
    """What a source means.

    A `PropertyGraph` or its document is itself.  A path is a file or a folder; a text is `example:NAME`, the address of
    a server (`bolt://user:password@host:7687/database`), or a script.  A driver of the package neo4j is its server.
    Raises UsageFault: G660 where it cannot be read, G662 where it holds no graph.
    """
    match source:
        case PropertyGraph() | Script() | Tables() | Server():
            return source
        case Mapping():
            return PropertyGraph.from_dict(source)
        case Path():
            return _of_path(source)
        case str() if source.startswith(EXAMPLE):
            from graphir.loading.examples import example

            return example(source.removeprefix(EXAMPLE))
        case str() if _SERVER.match(source):
            return server(source)
        case str():
            return Script(source)
        case _ if any(base.__module__.partition(".")[0] == "neo4j" for base in type(source).__mro__):
            return Server(source)
    raise fault(UNREADABLE, f"a {type(source).__name__} is no source of a graph")


def server(address: str, database: str | None = None, auth: tuple[str, str] | None = None) -> Server:
    """The server at an address, which may have the user, the password and the database in it."""
    try:
        parts = urlsplit(address)
        bare = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    except ValueError as error:
        raise fault(UNREADABLE, f"{address} is no address: {error}") from None
    if auth is None and parts.username is not None:
        auth = unquote(parts.username), unquote(parts.password or "")
    return Server(bare, database or parts.path.strip("/") or None, auth)


def _of_path(path: Path) -> Found:
    if path.is_dir():
        return _of_folder(path)
    suffix = path.suffix.lower()
    if not path.exists():
        raise fault(UNREADABLE, "there is no such file or folder", path)
    if suffix in TABLES:
        return Tables(path)
    if suffix in LINES:
        return documents.read_lines([path]) if documents.holds_elements(path) else Tables(path)
    if suffix == ".json":
        return documents.read_document(path)
    if suffix in SCRIPTS:
        return Script(documents.read_text(path), str(path))
    known = ", ".join((".json", *LINES, *TABLES, *SCRIPTS))
    raise fault(UNREADABLE, f"the suffix does not tell what it holds; known: {known}, and folders", path)


def _of_folder(path: Path) -> Found:
    """Tables, or lines with elements; not both, for their ids would have nothing to do with each other."""
    files = sorted(file for file in path.rglob("*") if file.is_file())
    lines = [file for file in files if file.suffix.lower() in LINES]
    elements = [file for file in lines if documents.holds_elements(file)]
    tables = [file for file in files if file.suffix.lower() in TABLES or (file in lines and file not in elements)]
    if elements and tables:
        raise fault(UNREADABLE, f"{elements[0].name} holds elements of a graph, {tables[0].name} rows of a table", path)
    if elements:
        return documents.read_lines(elements)
    if tables:
        return Tables(path)
    raise fault(UNREADABLE, f"there is no file in it that ends in {', '.join((*TABLES, *LINES))}", path)
