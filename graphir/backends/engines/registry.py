"""The engines by name, as data: what each needs, and whether it is usable here.

Nothing of an engine is imported until it is opened.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from graphir.backends.engines.faults import UNUSABLE, fault
from graphir.backends.engines.protocol import Engine

_HERE = "graphir.backends.engines"


@dataclass(frozen=True, slots=True)
class Kind:
    """One engine.

    `package` is its name on PyPI (None: Python brings it), `module` what is imported of it, `home` our module and class
    for it; `extra` installs it; `python` is the oldest Python that it installs on; `note` says what else is needed, and
    what it is.
    """

    name: str
    title: str
    package: str | None
    module: str
    home: tuple[str, str]
    note: str
    extra: str | None = None
    python: tuple[int, int] = (3, 11)

    @property
    def install(self) -> str:
        """The line that installs it."""
        if self.package is None:
            return "comes with Python"
        return f"pip install 'graphir[{self.extra}]'" if self.extra else "pip install graphir"


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "duckdb",
            "the embedded engine",
            "duckdb",
            "duckdb",
            (f"{_HERE}.duckdb.session", "Session"),
            "in memory, or in a file with `path`",
        ),
        Kind(
            "neo4j",
            "Neo4j, a server",
            "neo4j",
            "neo4j",
            (f"{_HERE}.drivers.neo4j", "Neo4j"),
            "needs a server, `uri`; `graphir engines start neo4j` starts one (Java 21, Maven)",
            "neo4j",
        ),
        Kind(
            "sqlite",
            "SQLite, in process",
            None,
            "sqlite3",
            (f"{_HERE}.drivers.sqlite", "SQLite"),
            "in memory; reads only",
        ),
        Kind(
            "postgres",
            "PostgreSQL, a server",
            "psycopg",
            "psycopg",
            (f"{_HERE}.drivers.postgres", "Postgres"),
            "needs a server, `uri`; `graphir engines start postgres` starts one (apt: postgresql); reads only",
            "postgres",
        ),
        Kind(
            "spark",
            "Apache Spark, in process or a session of yours",
            "pyspark",
            "pyspark",
            (f"{_HERE}.drivers.spark", "Spark"),
            "needs Java 17 or newer; in memory; reads only",
            "spark",
        ),
        Kind(
            "arcadedb",
            "ArcadeDB, in process",
            "arcadedb-embedded",
            "arcadedb_embedded",
            (f"{_HERE}.drivers.arcadedb", "ArcadeDB"),
            "brings its own JVM (71 MB); Linux with glibc 2.34",
            "arcadedb",
        ),
        Kind(
            "kglite",
            "KGLite, in process",
            "kglite",
            "kglite",
            (f"{_HERE}.drivers.kglite", "KGLite"),
            "in memory",
            "kglite",
        ),
        Kind(
            "grafeo",
            "Grafeo, in process",
            "grafeo",
            "grafeo",
            (f"{_HERE}.drivers.grafeo", "Grafeo"),
            "in memory; Python 3.12 or newer",
            "grafeo",
            (3, 12),
        ),
        Kind(
            "ladybug",
            "Ladybug (Kuzu's successor), in process",
            "ladybug",
            "ladybug",
            (f"{_HERE}.drivers.ladybug", "Ladybug"),
            "in memory; reads only, one label per node",
            "ladybug",
        ),
        Kind(
            "googlesql",
            "GoogleSQL's own analyzer and evaluator, in process",
            "zetasql",
            "zetasql",
            (f"{_HERE}.drivers.googlesql", "GoogleSql"),
            "in memory; reads only, up to 100 nodes; experimental, the first start compiles for half a minute",
            "googlesql",
        ),
        Kind(
            "hyper",
            "Hyper (Tableau's engine), a process of its own",
            "tableauhyperapi",
            "tableauhyperapi",
            (f"{_HERE}.drivers.hyper", "Hyper"),
            "in memory; reads only; runs SQL/PGQ",
            "hyper",
        ),
        Kind(
            "oracle",
            "Oracle Database 23ai, a server",
            "oracledb",
            "oracledb",
            (f"{_HERE}.drivers.oracle", "Oracle"),
            "needs a server, `dsn` and `auth`, and a `schema` for what is no SQL/PGQ of its own; reads only; "
            "not executed on Oracle",
            "oracle",
        ),
        Kind(
            "spanner",
            "Spanner Graph, a service",
            "google-cloud-spanner",
            "google.cloud.spanner",
            (f"{_HERE}.drivers.spanner", "Spanner"),
            "needs a database, `database` and `instance`; reads only; tested over loopback, not against the service",
            "spanner",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Status:
    """Whether an engine is usable here: the version of its package, or the reason why not."""

    kind: Kind
    version: str | None
    reason: str | None

    @property
    def usable(self) -> bool:
        return self.reason is None

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.kind.name,
            "title": self.kind.title,
            "usable": self.usable,
            "package": self.kind.package,
            "version": self.version,
            "reason": self.reason,
            "install": self.kind.install,
            "note": self.kind.note,
        }


def python() -> tuple[int, int]:
    """The version of Python that runs."""
    return sys.version_info[:2]


def examine(kind: Kind) -> Status:
    """Look whether the engine is installed, without importing it."""
    if kind.package is None:
        return _examine_own(kind)
    try:
        found = version(kind.package)
    except PackageNotFoundError:
        found = None
    if python() < kind.python:
        oldest, here = (".".join(map(str, each)) for each in (kind.python, python()))
        return Status(kind, found, f"needs Python {oldest} or newer, this is {here}")
    if found is None or find_spec(kind.module) is None:
        return Status(kind, None, f"the package {kind.package} is not installed")
    return Status(kind, found, None)


def _examine_own(kind: Kind) -> Status:
    """The same for what Python brings, unless it was built without it; its version is that of Python."""
    if find_spec(f"_{kind.module}") is None:
        return Status(kind, None, f"this Python was built without {kind.module}")
    return Status(kind, "Python " + ".".join(map(str, sys.version_info[:3])), None)


def statuses() -> list[Status]:
    """Every engine, in the order of the table."""
    return [examine(kind) for kind in KINDS.values()]


def open_engine(kind: Kind, options: dict[str, Any]) -> Engine:
    """The engine, open.  UsageFault G620 where it is not usable here."""
    status = examine(kind)
    if not status.usable:
        raise fault(UNUSABLE, f"the engine {kind.name} is not usable here: {status.reason}", hint=kind.install)
    module, name = kind.home
    try:
        home = import_module(module)
    except ImportError as error:  # it is there, and something that it needs of the system is not
        raise fault(UNUSABLE, f"the engine {kind.name} cannot be loaded: {error}", hint=kind.install) from None
    opened: Engine = getattr(home, name)(**options)
    return opened
