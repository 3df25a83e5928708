"""Apache Spark: a graph as tables of a session, asked in Spark SQL.

The session is one of our own in this process (`spark_session.py`), or one that is given.  A graph that is loaded
becomes temporary views of it; with a schema the graph is what tables hold that the session has already, and nothing of
it passes through Python but the rows of results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from graphir.backends.engines.drivers import spark_session
from graphir.backends.engines.faults import FAILED, LOST, MISSING, SYNTAX, UNHELD, UNUSABLE, fault
from graphir.backends.engines.relational import Change, Relational
from graphir.backends.engines.tables import EdgeTable, NodeTable, Rule, Tables
from graphir.backends.sql import reps
from graphir.backends.sql.catalog import Catalog
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.backends.sqltext.tables import catalog_of
from graphir.diagnostics import GraphirError
from graphir.schema.model import Schema
from graphir.source import Source
from graphir.values.conversions import from_standard, to_standard
from graphir.values.dates import Date
from graphir.values.datetimes import LocalDateTime

arrow: Any = import_module("pyarrow")
functions: Any = import_module("pyspark.sql.functions")
types: Any = import_module("pyspark.sql.types")
errors: Any = import_module("pyspark.errors")
loggers: Any = import_module("pyspark.logger")
protocol: Any = import_module("py4j.protocol")

_DAYS, _SECONDS = ((-719_162 * each, 2_932_897 * each - 1) for each in (1, 86_400))
"""The first and the last of the years 1 to 9999, since 1970: those that Spark hands over as Python's."""
_TYPES: dict[Rep, tuple[Any, Any]] = {
    reps.NULL: (types.BooleanType(), arrow.bool_()),
    reps.BOOLEAN: (types.BooleanType(), arrow.bool_()),
    reps.INTEGER: (types.LongType(), arrow.int64()),
    reps.FLOAT: (types.DoubleType(), arrow.float64()),
    reps.STRING: (types.StringType(), arrow.string()),
    reps.DATE: (types.DateType(), arrow.date32()),
    reps.LOCAL_DATETIME: (types.TimestampNTZType(), arrow.timestamp("us")),
}
"""How a column lies in Spark, and in Arrow on the way there."""
_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def _holds(rep: Rep) -> bool:
    return _holds(rep.element) if isinstance(rep, ListRep) else rep in _TYPES


def _objection(value: Any) -> str | None:
    match value:
        case str() if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            return "holds no text with half a surrogate pair"
        case Date() if not _DAYS[0] <= value.days <= _DAYS[1]:
            return f"holds years from 1 to 9999: {value}"
        case LocalDateTime() if not _SECONDS[0] <= value.second <= _SECONDS[1]:
            return f"holds years from 1 to 9999: {value}"
        case LocalDateTime() if value.nano % 1000:
            return f"holds no nanoseconds: {value}"
        case list() | tuple():
            return next((told for told in map(_objection, value) if told), None)
        case dict():
            return _objection(list(value.values()))
    return None


@dataclass(frozen=True, slots=True)
class Existing(Tables):
    """Tables that are there: of an element only is known what stands for it."""

    given: Catalog

    def node(self, number: Any) -> Any:
        return number

    def edge(self, number: Any) -> Any:
        return number

    def catalog(self) -> Catalog:
        return self.given


class Spark(Relational):
    """Tables in a session of Spark."""

    name: ClassVar[str] = "spark"
    target: ClassVar[str] = "sql-spark"
    rule: ClassVar[Rule] = Rule("spark", _holds, _objection)
    errors: ClassVar[tuple[type[Exception], ...]] = (errors.PySparkException, protocol.Py4JError)

    def __init__(
        self, session: Any = None, schema: Schema | None = None, *, memory: str = "1g", trusting: bool = False
    ) -> None:
        """`session` is a SparkSession that is there; without one Spark runs in this process, on two threads, and
        `memory` is that of its JVM, if this is the first session.  `schema` says which tables of the session are the
        graph; what stands for an element in results is then what its text of `sql-spark` gives.

        UsageFault: Spark does not start (G629), or the session passes over errors (G620).  Unsupported: the schema does
        not say what the tables are (G562).
        """
        super().__init__(trusting=trusting)
        if schema is not None:
            self.tables = Existing((), (), (), (), catalog_of(schema, self.target, Source("")))
        self.session = spark_session.local_session(memory) if session is None else session
        if self.session.conf.get("spark.sql.ansi.enabled") != "true":
            told = "the session of Spark does not tell overflows: spark.sql.ansi.enabled has to be true"
            raise fault(UNUSABLE, told)
        self._views: frozenset[str] = frozenset()

    def close(self) -> None:
        self._replace({})

    # -------------------------------------------------------------- loading

    def fill(self, tables: Tables) -> None:
        if isinstance(self.tables, Existing):
            raise fault(UNHELD, "the graph is in tables of the session: nothing can be loaded", engine=self.name)
        with _quiet():
            found: list[NodeTable | EdgeTable] = [*tables.nodes, *tables.edges]
            self._replace({table.name: self._made(table) for table in found})

    def _made(self, table: NodeTable | EdgeTable) -> Any:
        """A table as a DataFrame."""
        columns = dict.fromkeys(("id",) if isinstance(table, NodeTable) else ("id", "src", "dst"), reps.INTEGER)
        columns |= {each.name: each.rep for each in table.columns.values()}
        return frame(self.session, columns, table.rows())

    def _replace(self, views: dict[str, Any]) -> None:
        """Have these views in place of those before."""
        for name in self._views:
            self.session.catalog.dropTempView(name)
        for name, made in views.items():
            made.createOrReplaceTempView(name)
        self._views = frozenset(views)

    # -------------------------------------------------------------- running

    def fetch(self, statement: Statement) -> list[tuple[Any, ...]]:
        sent: dict[str, Any] = {}
        for each in statement.parameters:
            wrong = _objection(each.value)
            if wrong is not None:
                raise fault(UNHELD, f"spark {wrong}: ${each.name}", engine=self.name, feature="parameter")
            sent[each.mark] = _argument(each.value)
        with _quiet():
            return [tuple(row) for row in self.session.sql(statement.text, sent).collect()]

    def reader(self, rep: Rep) -> Change | None:
        if isinstance(rep, ListRep):
            return self.listed(rep)
        if isinstance(rep, MapRep):
            return self.mapped(rep)
        if rep == reps.PATH and not isinstance(self.tables, Existing):
            return lambda value: self.path(*value)
        if rep in (reps.PATH, reps.PATH_OF_TEXTS):
            return lambda value: {"nodes": list(value[0]), "edges": list(value[1])}
        return from_standard if rep in (reps.DATE, reps.LOCAL_DATETIME) else super().reader(rep)

    def explain(self, error: Exception, source: Source) -> GraphirError:
        found: Any = error
        if isinstance(error, errors.PySparkException):
            message = str(error)
            wrong = MISSING if isinstance(error, errors.AnalysisException) else FAILED
            code = SYNTAX if isinstance(error, errors.ParseException) else wrong
        elif isinstance(error, protocol.Py4JJavaError):
            message, code = str(found.java_exception.getMessage()), FAILED
        else:
            message, code = str(error), LOST
        return fault(code, f"spark: {message.strip().splitlines()[0]}", engine=self.name, source=source)


def frame(session: Any, columns: Mapping[str, Rep], rows: Iterable[Sequence[Any]]) -> Any:
    """Rows of values of the contract as a DataFrame.  They go as Arrow: no Python runs beside Spark."""
    listed = list(zip(*rows, strict=True)) or [()] * len(columns)
    made = [
        arrow.array([None if value is None else to_standard(value) for value in values], _type_of(rep)[1])
        for values, rep in zip(listed, columns.values(), strict=True)
    ]
    fields = [types.StructField(name, _type_of(rep)[0]) for name, rep in columns.items()]
    return session.createDataFrame(arrow.table(made, names=list(columns)), types.StructType(fields))


def _type_of(rep: Rep) -> tuple[Any, Any]:
    """The type of a column in Spark and in Arrow.  KeyError for what the rule does not allow."""
    if isinstance(rep, ListRep):
        spark, other = _type_of(rep.element)
        return types.ArrayType(spark), arrow.list_(other)
    return _TYPES[rep]


def _argument(value: Any) -> Any:
    """A value as Spark takes it in place of a parameter; the text has a cast to its type around it."""
    match value:
        case float() | Date() | LocalDateTime():
            return str(value)  # NaN and the infinities, and time zones, get lost on the way
        case list() | tuple():
            return [_argument(item) for item in value]
        case dict():
            fields = [functions.lit(_argument(value[key])).alias(f"f{at}") for at, key in enumerate(sorted(value))]
            return functions.struct(*fields)
    return value


@contextmanager
def _quiet() -> Iterator[None]:
    """Errors are told once, by us: PySpark logs them as well."""
    found = [loggers.PySparkLogger.getLogger(name) for name in _LOGGERS]
    before = [logger.disabled for logger in found]
    for logger in found:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(found, before, strict=True):
            logger.disabled = disabled
