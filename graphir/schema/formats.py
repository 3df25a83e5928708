"""The formats of schemas by name, as data, and how `Schema.read` and `Schema.write` go through them.

A format is found out only where that is sure: one format knows the text, or all that do read the same schema in it.
Modules of formats are imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from graphir.diagnostics import GraphirError, SyntaxFault, UsageFault, diagnose, usage_fault
from graphir.files import open_input
from graphir.nearest import proposals
from graphir.schema.model import Schema
from graphir.source import Source


@dataclass(frozen=True, slots=True)
class Format:
    """One format: functions as `module:name`, below `graphir.schema`; None where there is none.

    sniff(text) -> bool: whether a text looks like it.  read(text) -> Schema.  write(schema) -> str.
    """

    name: str
    title: str
    sniff: str | None = None
    read: str | None = None
    write: str | None = None


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        Format("json", "graphir's own JSON", "formats:sniff_json", "json:loads", "json:dumps"),
        Format(
            "triples",
            "(A, R, B), ...: complete for ends, silent on the rest",
            "readers.triples:sniff",
            "readers.triples:read",
            "writers.triples:write",
        ),
        Format(
            "patterns", "(A)-[:R {p}]->(B); node C; D {p: STRING}", "readers.patterns:sniff", "readers.patterns:read"
        ),
        Format(
            "neo4j-markdown",
            "Markdown for prompts, as LangChain prints it",
            "readers.markdown:sniff_neo4j",
            "readers.markdown:read",
            "writers.markdown:write_neo4j",
        ),
        Format(
            "spanner-markdown",
            "the same with (REQUIRED) and (OPTIONAL)",
            "readers.markdown:sniff_spanner",
            "readers.markdown:read",
            "writers.markdown:write_spanner",
        ),
        Format(
            "neo4j-structured-dict",
            "LangChain's structured schema with statistics",
            "readers.property_lists:sniff_structured",
            "readers.property_lists:read",
        ),
        Format("mtq", "Mind the Query", "readers.property_lists:sniff_mtq", "readers.property_lists:read"),
        Format("text2cypher-2024-text", "Text2Cypher 2024, seven forms", "readers.text:sniff", "readers.text:read"),
        Format("cypherbench-json", "CypherBench", "readers.cypherbench:sniff", "readers.cypherbench:read"),
        Format("zograscope-json", "ZOGRASCOPE", "readers.zograscope:sniff", "readers.zograscope:read"),
        Format("multidomain-json", "multi-domain Text2Cypher", "readers.multidomain:sniff", "readers.multidomain:read"),
        Format("stockgql-json", "StockGQL", "readers.stockgql:sniff", "readers.stockgql:read"),
        Format("r3-python-classes", "R3-NL2GQL", "readers.classes:sniff", "readers.classes:read"),
        Format("tugraph-json", "TuGraph", "readers.tugraph:sniff", "readers.tugraph:read"),
        *(
            Format(f"{name}-ddl", title, *(f"ddl.formats:{verb}_{name}" for verb in ("sniff", "read", "write")))
            for name, title in (
                ("spanner", "CREATE TABLE and CREATE PROPERTY GRAPH, Spanner or BigQuery"),
                ("oracle", "the same of Oracle 23ai and 26ai"),
                ("duckpgq", "the same of DuckPGQ"),
                ("postgres", "the same of PostgreSQL in development"),
            )
        ),
        Format(
            "bigquery-ddl",
            "the same, as BigQuery has it",
            read="ddl.formats:read_bigquery",
            write="ddl.formats:write_bigquery",
        ),
        Format(
            "kuzu-ddl",
            "CREATE NODE TABLE, CREATE REL TABLE",
            "ddl.formats:sniff_kuzu",
            "ddl.kuzu:read",
            "ddl.kuzu:write",
        ),
        Format("gql", "CREATE GRAPH TYPE of ISO GQL", "ddl.formats:sniff_gql", "ddl.gql:read", "ddl.gql:write"),
        Format(
            "neo4j",
            "constraints; reads graph types as well",
            "ddl.formats:sniff_neo4j",
            "ddl.neo4j:read",
            "ddl.neo4j:write_constraints",
        ),
        Format(
            "neo4j-graph-type",
            "ALTER CURRENT GRAPH TYPE SET, Neo4j 2026",
            read="ddl.neo4j:read",
            write="ddl.neo4j:write_graph_type",
        ),
    )
}
ALIASES = {"kuzu-ddl (same entities)": "kuzu-ddl"}


def read(source: str | Path, format: str = "auto") -> Schema:
    """The schema in a text (a str), or in a file or folder (a Path).  See `Schema.read`."""
    if isinstance(source, Path):
        return _read_path(source, format)
    if not isinstance(source, str):
        raise _wrong(f"a schema is read from a text or a path, not from {type(source).__name__}")
    source = source.removeprefix("\ufeff")
    if format == "auto":
        return _read_unknown(source)
    return _function(_format(format, "read").read)(source)  # type: ignore[no-any-return]


def write(schema: Schema, format: str) -> str:
    """The schema as text of the format.  See `Schema.write`."""
    return _function(_format(format, "write").write)(schema)  # type: ignore[no-any-return]


def _format(name: str, use: str) -> Format:
    found = FORMATS.get(ALIASES.get(name, name))
    if found is None or getattr(found, use) is None:
        names = ", ".join(row.name for row in FORMATS.values() if getattr(row, use))
        what = "is no format of schemas" if found is None else f"is no format to {use}"
        meant = proposals(name, (row.name for row in FORMATS.values() if getattr(row, use))) or ";"
        raise usage_fault("G082", f"`{name}` {what}{meant} there are {names}")
    return found


def _function(place: str | None) -> Callable[..., Any]:
    module, _, name = (place or "").partition(":")
    return getattr(import_module(f"graphir.schema.{module}"), name)  # type: ignore[no-any-return]


def _wrong(message: str) -> UsageFault:
    return usage_fault("G082", message)


def _read_path(path: Path, format: str) -> Schema:
    """A folder and a database are inferred from; any other file is text."""
    if not path.exists():
        raise _wrong(f"there is no file {path}")
    if path.is_dir() or path.suffix.lower() in (".csv", ".tsv", ".parquet"):
        return _function("infer:from_folder")(path)  # type: ignore[no-any-return]
    try:
        with open_input(path) as file:
            data = file.read(12)
            held = data[8:] == b"DUCK"
            data += b"" if held else file.read()  # opened once: a pipe is a file, too
    except OSError as fault:
        raise _wrong(f"{path} cannot be read: {fault.strerror}") from None
    if held:
        return _function("infer:from_duckdb")(path)  # type: ignore[no-any-return]
    try:
        text = StringIO(data.decode("utf-8-sig"), newline=None).read()
    except UnicodeDecodeError as fault:
        raise _wrong(f"{path} is no text in UTF-8: byte {fault.start} is none of it") from None
    return read(text, format)


def _read_unknown(text: str) -> Schema:
    """The schema in a text of any format, if there is one answer."""
    found = list(sniff(text))
    if not text.strip():
        raise _unclear(text, "there is no schema: the text is empty")
    if not found:
        names = ", ".join(row.name for row in FORMATS.values() if row.read)
        raise _unclear(text, f"the format of the schema is not known by its text; name one of {names}")
    if len(found) == 1:
        return read(text, found[0])
    read_by: dict[str, Schema] = {}
    for name in found:
        try:
            read_by[name] = read(text, name)
        except GraphirError:
            continue
    if not read_by:
        raise _unclear(text, f"the schema looks like {' or '.join(found)}, but reads as none of them; name the format")
    if len(set(read_by.values())) > 1:
        raise _unclear(text, f"the schema may be {' or '.join(read_by)}, with different meanings; name the format")
    return next(iter(read_by.values()))


def sniff(text: str) -> Iterator[str]:
    """The names of the formats that a text looks like."""
    for row in FORMATS.values():
        if row.sniff is not None and _function(row.sniff)(text):
            yield row.name


def sniff_json(text: str) -> bool:
    """Whether it is graphir's own.  Stands here because `json.py` loads pydantic."""
    return text.lstrip().startswith("{") and '"graphir"' in text and '"schema"' in text


def _unclear(text: str, message: str) -> SyntaxFault:
    return SyntaxFault([diagnose(Source(text, "<schema>"), "G081", message)])
