"""ArcadeDB in this process, on the JVM that its package brings.

The JVM starts with the first session and lives as long as the process.
"""

from __future__ import annotations

import math
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path as Folder
from typing import Any, ClassVar

from graphir.backends.engines.driver import Driver
from graphir.backends.engines.faults import FAILED, MISSING, SEMANTICS, SYNTAX, UNHELD, UNREAD, fault
from graphir.backends.engines.foreign import Answer
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.source import Source
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.entities import Path
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

arcadedb_embedded: Any = import_module("arcadedb_embedded")
jpype: Any = import_module("jpype")

_TEMPORAL: dict[str, Callable[[str], Any]] = {
    "CypherDate": Date.parse,
    "CypherLocalTime": LocalTime.parse,
    "CypherTime": Time.parse,
    "CypherLocalDateTime": LocalDateTime.parse,
    "CypherDateTime": DateTime.parse,
    "CypherDuration": Duration.parse,
    "LocalDate": Date.parse,
    "LocalTime": LocalTime.parse,
    "OffsetTime": Time.parse,
    "LocalDateTime": LocalDateTime.parse,
    "ZonedDateTime": DateTime.parse,
}
"""The simple names of its classes (and of Java's own) -> what reads their text."""

_FAULTS = (
    ("FeatureNotImplemented", MISSING),
    ("not supported", MISSING),
    ("not yet supported", MISSING),
    ("UnknownFunction", MISSING),
    ("Unknown function", MISSING),
    ("CommandSemanticException", SEMANTICS),
    ("CommandParsingException", SYNTAX),
)
"""What the message holds, and the code; a fault at run time else."""

_RULE = re.compile(r"CommandParsingException: [A-Z][a-z]+[A-Z]\w*: ")
"""The name of a rule that a query breaks, which its parser checks as well."""

_EARLIEST, _LATEST = -(2**63) // 10**9 + 1, 2**63 // 10**9 - 1
"""Seconds of the local datetimes that it can store."""


_QUIET = Folder(__file__).with_name("quiet.properties")
"""How the JVM logs: without it, into the current folder."""


class ArcadeDB(Driver):
    """A database of its own in a folder, a temporary one unless `path` names it."""

    name: ClassVar[str] = "arcadedb"
    dialects: ClassVar[tuple[str, ...]] = ("opencypher-9", "neo4j-25")
    identity: ClassVar[str] = "elementId"
    errors: ClassVar[tuple[type[Exception], ...]] = (arcadedb_embedded.ArcadeDBError,)

    def __init__(self, path: str | Folder | None = None, *, heap: str = "1g", trusting: bool = False) -> None:
        """`heap` is the memory of the JVM, if this is the first session of the process."""
        super().__init__(trusting=trusting)
        self._kept = path is not None
        self._folder = Folder(path) if path is not None else Folder(tempfile.mkdtemp(prefix="graphir-arcadedb-"))
        self._options = {"heap_size": heap, "jvm_args": [f"-Djava.util.logging.config.file={_QUIET}"]}
        self._database = self._opened()
        names = ("com.arcadedb.graph.Vertex", "com.arcadedb.graph.Edge")
        self._vertex, self._edge = map(jpype.JClass, names)
        self._path = jpype.JClass("com.arcadedb.query.opencypher.traversal.TraversalPath")
        self._labels = jpype.JClass("com.arcadedb.query.opencypher.Labels")
        self._record = jpype.JClass("com.arcadedb.query.sql.executor.Result")
        self._map, self._collection = jpype.JClass("java.util.Map"), jpype.JClass("java.util.Collection")

    def _opened(self) -> Any:
        place = str(self._folder / "graph")
        if self._kept and Folder(place).exists():
            return arcadedb_embedded.open_database(place, jvm_kwargs=self._options)
        return arcadedb_embedded.create_database(place, jvm_kwargs=self._options)

    def close(self) -> None:
        if self._kept:
            self._database.close()
        else:
            self._database.drop()
            shutil.rmtree(self._folder, ignore_errors=True)

    def clear(self) -> None:
        self._database.drop()
        self._ids.clear()
        self._database = self._opened()

    def add(self, graph: PropertyGraph) -> None:
        """Labels and types share their names there, and local datetimes are counted in nanoseconds."""
        shared = {label for node in graph.nodes for label in node.labels} & {edge.type for edge in graph.edges}
        if shared:
            told = f"arcadedb has one set of names for labels and types: {', '.join(sorted(shared))} would be both"
            raise fault(UNHELD, told, engine=self.name, feature="label and type of one name")
        for element in graph.elements():
            for value in element.properties.values():
                for item in value if isinstance(value, (list, tuple)) else (value,):
                    if isinstance(item, LocalDateTime) and not _EARLIEST <= item.second <= _LATEST:
                        told = f"arcadedb cannot store the local datetime {item}"
                        raise fault(UNHELD, told, engine=self.name, feature="local datetime far away")
        super().add(graph)

    def takes(self, value: Any) -> bool:
        return super().takes(value) or (isinstance(value, float) and not math.isinf(value))

    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        with self._database.transaction():
            found = self._database.command("opencypher", text, *([dict(parameters)] if parameters else []))
            columns: tuple[str, ...] = ()
            rows: list[tuple[Any, ...]] = []
            for each in found if found is not None else ():
                row = each._java_result
                if row.isElement():  # a result of one column that holds an element is handed over as that element
                    columns = columns or ("",)
                    rows.append((self._copied(row.getElement().get()),))
                    continue
                names = [str(name) for name in row.getPropertyNames()]
                columns = tuple(names) if len(columns) <= 1 and columns in ((), ("",)) else columns
                given = {name: self._copied(row.getProperty(name)) for name in names}
                rows.append(tuple([given.get(name) for name in columns]))
        return Answer(columns, rows, {})

    def _copied(self, value: Any) -> Any:
        """The value; what is of Java is read while the transaction lasts."""
        try:
            return _Read(self._value(value))
        except LookupError as error:
            told = f"arcadedb gave what is no value: {error.args[0]}"
            raise fault(UNREAD, told, engine=self.name) from None

    def decode(self, value: Any) -> Any:
        return value.value if isinstance(value, _Read) else self._value(value)

    def _value(self, value: Any) -> Any:
        if value is None:
            return None
        if not hasattr(value, "getClass"):
            return value
        match str(value.getClass().getSimpleName()):
            case "Boolean":
                return bool(value)
            case "Long" | "Integer" | "Short" | "Byte":
                return int(value)
            case "Double" | "Float":
                return float(value)
            case "String":
                return str(value)
            case name if name in _TEMPORAL:
                return _TEMPORAL[name](str(value))
        return self._structure(value)

    def _structure(self, value: Any) -> Any:
        if isinstance(value, self._vertex):
            labels = [str(label) for label in self._labels.getLabels(value)]
            return self.node(str(value.getIdentity()), labels, self._entries(value.propertiesAsMap()))
        if isinstance(value, self._edge):
            ends = (str(value.getOut().getIdentity()), str(value.getIn().getIdentity()))
            properties = self._entries(value.propertiesAsMap())
            return self.edge(str(value.getIdentity()), str(value.getTypeName()), *ends, properties)
        if isinstance(value, self._path):
            nodes = tuple([self._value(node) for node in value.getVertices()])
            return Path(nodes, tuple([self._value(edge) for edge in value.getEdges()]))
        if isinstance(value, self._map):
            found = {name: self._value(item) for name, item in self._entries(value).items()}
            return _point(found) if {"crs", "srid", "x", "y"} <= set(found) else found
        if isinstance(value, self._collection) or value.getClass().isArray():
            return [self._value(item) for item in value]
        if isinstance(value, self._record):
            return {str(name): self._value(value.getProperty(name)) for name in value.getPropertyNames()}
        raise LookupError(f"a {value.getClass().getName()}")

    @staticmethod
    def _entries(found: Any) -> dict[str, Any]:
        return {str(entry.getKey()): entry.getValue() for entry in found.entrySet()}

    def explain(self, error: Exception, source: Source) -> GraphirError:
        message = str(error)
        code = next((code for words, code in _FAULTS if words in message), FAILED)
        if code == SYNTAX and _RULE.search(message):
            code = SEMANTICS
        if code == SEMANTICS and message.startswith("Reading"):  # a value is wrong, which it tells while it gives rows
            code = FAILED
        return fault(code, f"arcadedb: {message}", engine=self.name, source=source)


class _Read:
    """A value of ours that was read already."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _point(found: Mapping[str, Any]) -> Point:
    return Point(found["srid"], float(found["x"]), float(found["y"]), *([float(found["z"])] if "z" in found else []))
