"""The options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from graphir.dialects import READABLE
from graphir.files import open_input
from graphir.nearest import proposals

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice

F = TypeVar("F", bound=Callable[..., Any])


class Dialect(_Choice):
    """The name of a dialect; of one that is not there, the names that were perhaps meant are told first."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            told = proposals(str(value), self.choices) or ";"
            self.fail(f"unknown dialect {value!r}{told} there are {', '.join(self.choices)}", param, ctx)
        return str(value)


def keep_pipe(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """A callback of options that name what is read more than once: what a pipe gives is kept until the command ends."""
    import shutil
    import tempfile

    if value == "":
        raise click.BadParameter("it names no file")
    if value is None or not Path(value).is_fifo():
        return value
    kept = Path(context.with_resource(tempfile.TemporaryDirectory(prefix="graphir-")), Path(value).name)
    with open_input(Path(value)) as pipe, kept.open("wb") as file:
        shutil.copyfileobj(pipe, file)
    return str(kept)


def options_of(*options: Callable[[F], F]) -> Callable[[F], F]:
    """A decorator that gives a command all of them, in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


with_input = options_of(
    click.argument("input", metavar="INPUT"),
    click.option("--field", default="query", show_default=True, help="Key or column of the query in a corpus."),
    click.option("--id", "label", metavar="FIELD", help="Key or column that names a row in text and SARIF."),
    click.option(
        "--input-format",
        type=click.Choice(["jsonl", "json", "csv", "tsv", "parquet", "cypher"]),
        help="Format of the input; by default the suffix or, on standard input, the first character tells.",
    ),
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write there; the suffix tells the format (.jsonl .json .csv .tsv .parquet .sarif).",
    ),
)

with_style = click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "sarif"]),
    help="Text for people, JSON rows, or SARIF. Default: text for queries and scripts, JSON for a corpus.",
)

with_pace = options_of(
    click.option("--resume", is_flag=True, help="Go on where an interrupted run into the same output stopped."),
    click.option("--jobs", type=click.IntRange(1, 256), help="Processes for a corpus. Default: one per core."),
    click.option("--report", metavar="FILE.json", help="Write counts by code and construct, and the speed."),
    click.option(
        "--fail-on",
        metavar="CODES",
        multiple=True,
        help="Codes or prefixes (G001,G5) that give exit code 1, or none. Default: any error or warning.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar and no summary."),
)

common = options_of(with_input, with_style, with_pace)
"""The options that every command on queries has."""

dialect_option = click.option(
    "--dialect", type=Dialect(READABLE), default="neo4j-25", show_default=True, help="Dialect of the queries."
)
from_option = click.option(
    "--from", "read", type=Dialect(READABLE), default="neo4j-25", show_default=True, help="Dialect read."
)
with_parameters = options_of(
    click.option("--param", "params", metavar="NAME=JSON", multiple=True, help="Value of a parameter."),
    click.option(
        "--params", "params_file", callback=keep_pipe, metavar="FILE.json", help="Values of parameters, an object."
    ),
)
params_field_option = click.option(
    "--params-field", metavar="FIELD", help="Key or column of a corpus that holds the parameters of the row."
)
timeout_option = click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Stop a query then."
)
with_server = options_of(
    click.option("--database", metavar="NAME", help="Database of the Neo4j server."),
    click.option("--user", metavar="NAME", default="neo4j", show_default=True, help="User at the Neo4j server."),
    click.option("--password", envvar="NEO4J_PASSWORD", show_envvar=True, help="Password at the Neo4j server."),
)

with_schema = options_of(
    click.option(
        "--schema",
        callback=keep_pipe,
        metavar="FILE",
        help="Schema of the graph, in any format that `graphir schema` reads.",
    ),
    click.option("--schema-format", metavar="NAME", help="Format of the schema. Default: its text tells."),
    click.option("--schema-field", metavar="FIELD", help="Key or column of a corpus that names the schema of the row."),
    click.option(
        "--schemas",
        callback=keep_pipe,
        metavar="FILE.jsonl",
        help="The schemas that rows name: lines with id, format, text. Without it the row holds the schema's text.",
    ),
)

with_profile = options_of(
    click.option("--profile", metavar="NAME", default="lint", show_default=True, help="lint, gate, strict, or yours."),
    click.option(
        "--config",
        callback=keep_pipe,
        metavar="FILE.toml",
        help="Profiles of your own. Default: the nearest pyproject.toml.",
    ),
    click.option("--select", metavar="CODES", multiple=True, help="Report only these codes or prefixes, and syntax."),
    click.option("--ignore", metavar="CODES", multiple=True, help="Report all but these codes or prefixes."),
    click.option("--require-directed", is_flag=True, help="Report relationships without a direction."),
)

with_graph = options_of(
    click.option("--db", metavar="FILE.duckdb", help="File that keeps a graph; made if it is not there."),
    click.option(
        "--graph", metavar="SOURCE", help="Graph to load first: a file, a folder, example:NAME or bolt://HOST:PORT."
    ),
    click.option(
        "--schema", callback=keep_pipe, metavar="FILE", help="Schema of the graph that is loaded: types of properties."
    ),
    with_parameters,
    from_option,
    timeout_option,
    click.option("--memory", metavar="SIZE", help="Memory that queries may take (500MB)."),
)

with_engines = options_of(
    click.option(
        "--uri",
        "uris",
        metavar="[ENGINE=]URI",
        multiple=True,
        help="Address of a server; without a name it is that of neo4j. The server keeps nothing of it.",
    ),
    timeout_option,
)
