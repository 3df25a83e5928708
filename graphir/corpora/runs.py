"""Running the queries of a corpus: each on its graph, and what it writes is undone.

The graph is one for all rows (a file that a session keeps, or a source that is loaded), or the one that a row names, a
line of a file of graphs.  Sessions are opened when a row first needs them and kept, the last used ones.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import graphir
from graphir.backends.engines.duckdb.session import Session
from graphir.corpora.formats import CorpusError
from graphir.corpora.work import Outcome
from graphir.diagnostics import Diagnostic, GraphirError, diagnose
from graphir.files import open_input
from graphir.loading.sources import server
from graphir.reports.results import rows_of
from graphir.source import Source
from graphir.values.json import from_json

KEPT = 4
"""Graphs of rows that a process keeps."""


class Run:
    """Columns and rows of the query of a row.

    Options: `from` (dialect), `db`, `graph`, `schema`, `graphs` and `graph_field`, `parameters` (values of JSON),
    `parameters_field`, `limits` (of a session).
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = options
        self._parameters = {key: from_json(value) for key, value in options.get("parameters", {}).items()}
        self._graphs = _Graphs(Path(options["graphs"])) if options.get("graphs") else None
        self._common: Session | None = None
        self._kept: OrderedDict[str, Session] = OrderedDict()

    def __call__(self, text: str, row: Mapping[str, Any]) -> Outcome:
        field = self._options.get("parameters_field")
        given = row.get(field) if field else None
        try:
            session = self._session(row)
            if isinstance(session, Diagnostic):
                return Outcome([session])
            parameters = {**self._parameters, **from_json(given or {})}
            result = session.run(text, parameters, self._options["from"], keep=False)
        except GraphirError as error:
            return Outcome(error.diagnostics)
        columns: dict[str, Any] = {"columns": list(result.columns), "rows": rows_of(result)}
        return Outcome([], columns | ({"counters": result.counters} if result.counters else {}))

    def _session(self, row: Mapping[str, Any]) -> Session | Diagnostic:
        field = self._options.get("graph_field")
        if field is None:
            if self._common is None:
                self._common = open_session(self._options)
            return self._common
        name = row.get(field)
        if not isinstance(name, str):
            return _no_graph(f"the row names no graph: it has no text under {field!r}")
        found = self._kept.get(name)
        if found is not None:
            self._kept.move_to_end(name)
            return found
        return self._open(name)

    def _open(self, name: str) -> Session | Diagnostic:
        assert self._graphs is not None
        document = self._graphs.document(name)
        if document is None:
            return _no_graph(f"there is no graph {name!r} in {self._graphs.path.name}")
        session = graphir.connect("duckdb", **self._options.get("limits", {}))
        try:
            session.load(document)
        except GraphirError as error:
            session.close()
            return _no_graph(f"the graph {name!r} cannot be loaded: {error.diagnostics[0].message}")
        self._kept[name] = session
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)[1].close()
        return session


def open_session(options: Mapping[str, Any]) -> Session:
    """A session over the file and the graph that the options name: an empty one in memory if they name none."""
    schema = graphir.Schema.read(Path(options["schema"])) if options.get("schema") else None
    session = graphir.connect("duckdb", path=options.get("db"), **options.get("limits", {}))
    if options.get("graph"):
        session.load(source_of(options["graph"]), schema)
    return session


def source_of(argument: str) -> Path | str:
    """What an argument means: an example or a server by its name, else a file or a folder."""
    return argument if argument.startswith("example:") or "://" in argument else Path(argument)


def server_or_source(argument: str, database: str | None, user: str | None, password: str | None) -> Any:
    """What an argument means, with who asks where it is a server."""
    if "://" not in argument:
        return source_of(argument)
    return server(argument, database, (user or "", password) if password is not None else None)


def examine(options: Mapping[str, Any]) -> None:
    """Whether the graphs of a job can be read at all.  Raises CorpusError, UsageFault and OSError."""
    if options.get("graphs"):
        places(Path(options["graphs"]))
    else:
        open_session(options).close()


def _no_graph(message: str) -> Diagnostic:
    return diagnose(Source(""), "G665", message)


class _Graphs:
    """A file of graphs, one document with an `id` on each line; where each stands is remembered, not what it says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, int] | None = None

    def document(self, name: str) -> Mapping[str, Any] | None:
        if self._places is None:
            self._places = places(self.path)
        place = self._places.get(name)
        if place is None:
            return None
        with self.path.open("rb") as stream:
            stream.seek(place)
            row: dict[str, Any] = json.loads(stream.readline())
        return row


def places(path: Path) -> dict[str, int]:
    """The ids in the file and where their lines begin.  Raises CorpusError where a line is no graph with an id."""
    found: dict[str, int] = {}
    with open_input(path) as stream:
        at = 0
        for number, line in enumerate(stream, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise CorpusError(f"{path}: line {number} is not JSON") from error
                if not isinstance(row, dict) or not isinstance(row.get("id"), str):
                    raise CorpusError(f"{path}: line {number} has no `id` that is a text")
                found[row["id"]] = at
            at += len(line)
    return found


def digests(options: Mapping[str, Any]) -> dict[str, str]:
    """What the files of a job hold, so that a resumed run can tell whether they are the same."""
    paths = {name: Path(options[name]) for name in ("db", "graph", "graphs", "schema") if options.get(name)}
    return {name: sha256(path.read_bytes()).hexdigest() for name, path in paths.items() if path.is_file()}
