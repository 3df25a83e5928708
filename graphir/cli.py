"""The command line.  Thin: it turns arguments into a request and errors into exit codes.  Only this module knows click.

An input that is an existing file, or is named like one by its suffix, is a file; `-` is standard input; anything else
is query text.  Exit codes: 0 clean, 1 findings, 2 usage; 130 interrupted, 141 when the reader of the output went away.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TextIO, TypeVar

import click

from graphir import __version__
from graphir.diagnostics import UsageFault
from graphir.dialects import DIALECTS
from graphir.profiles import PROFILES, Profile

if TYPE_CHECKING:
    from graphir.corpora.formats import Corpus
    from graphir.corpora.pipeline import Finished
    from graphir.corpora.session import Request
    from graphir.schema.model import Schema

F = TypeVar("F", bound=Callable[..., Any])

READABLE = [d.name for d in DIALECTS.values() if d.reads]
WRITABLE = [d.name for d in DIALECTS.values() if d.writes]
INTERRUPTED = 130
PIPE_CLOSED = 141
TEXT_SUFFIXES = {".cypher", ".cyp", ".cql", ".gql", ".sql", ".txt"}
_NO_FILE_NAME = re.compile(r"[\n(){}\[\]'\"=]")


class Commands(click.Group):
    """The group of commands; nothing that happens in them ends in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        sys.excepthook = report_fault
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # what is still buffered has nowhere to go
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(PIPE_CLOSED)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise Failure(f"{where}{error.strerror or error}") from error
        except KeyboardInterrupt:
            click.echo("\ninterrupted; with -o FILE the same command and --resume goes on", err=True)
            ctx.exit(INTERRUPTED)


def report_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What nobody foresaw, in the form in which it can be reported; GRAPHIR_TRACEBACK=1 shows where it was."""
    if issubclass(kind, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return
    print(f"graphir failed (G092 internal-fault): {kind.__name__}: {error}; please report this", file=sys.stderr)
    if os.environ.get("GRAPHIR_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)


class Failure(click.ClickException):
    """What is asked for cannot be done: a file that cannot be read or written, a corpus that is none."""

    exit_code = 2


def fail(message: str) -> NoReturn:
    """End with a message about the usage."""
    raise click.UsageError(message)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="graphir")
def main() -> None:
    """A compiler for property-graph queries: Cypher in, Cypher, GQL and SQL/PGQ out.

    INPUT is query text, a file (a script of statements or a corpus: .cypher .jsonl .json .csv .tsv .parquet), or - for
    standard input. A corpus comes out row by row with its diagnostics; a script comes out as text.
    """


# ------------------------------------------------------------------ options


def common(function: F) -> F:
    """The options that every command on queries has."""
    for option in reversed(_COMMON):
        function = option(function)
    return function


_COMMON = (
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
    click.option(
        "--format",
        "style",
        type=click.Choice(["text", "json", "sarif"]),
        help="Text for people, JSON rows, or SARIF. Default: text for queries and scripts, JSON for a corpus.",
    ),
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

dialect_option = click.option(
    "--dialect", type=click.Choice(READABLE), default="neo4j-25", show_default=True, help="Dialect of the queries."
)


def options_of(*options: Callable[[F], F]) -> Callable[[F], F]:
    """A decorator that gives a command all of them, in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


with_schema = options_of(
    click.option("--schema", metavar="FILE", help="Schema of the graph, in any format that `graphir schema` reads."),
    click.option("--schema-format", metavar="NAME", help="Format of the schema. Default: its text tells."),
    click.option("--schema-field", metavar="FIELD", help="Key or column of a corpus that names the schema of the row."),
    click.option(
        "--schemas",
        metavar="FILE.jsonl",
        help="The schemas that rows name: lines with id, format, text. Without it the row holds the schema's text.",
    ),
)

with_profile = options_of(
    click.option("--profile", metavar="NAME", default="lint", show_default=True, help="lint, gate, strict, or yours."),
    click.option("--config", metavar="FILE.toml", help="Profiles of your own. Default: the nearest pyproject.toml."),
    click.option("--select", metavar="CODES", multiple=True, help="Report only these codes or prefixes, and syntax."),
    click.option("--ignore", metavar="CODES", multiple=True, help="Report all but these codes or prefixes."),
    click.option("--require-directed", is_flag=True, help="Report relationships without a direction."),
)


# ------------------------------------------------------------------ commands


@main.command()
@common
@dialect_option
@click.option("--tokens", "show", flag_value="tokens", help="Print the tokens.")
@click.option("--tree", "show", flag_value="tree", help="Print the tree of what was read, with offsets.")
def parse(dialect: str, show: str | None, **common: Any) -> None:
    """Report whether the queries parse."""
    finish(ask("parse", {"dialect": dialect, "show": show}, dialect, show, common), common, verdict=show is None)


@main.command()
@common
@dialect_option
@click.option("--core", is_flag=True, help="The core form: sugar expanded, names given, grouping explicit.")
@click.option("--json", "as_json", is_flag=True, help="JSON in place of S-expressions.")
def ir(dialect: str, core: bool, as_json: bool, **common: Any) -> None:
    """Print the Graph-IR of the queries."""
    options = {"dialect": dialect, "core": core, "json": as_json}
    finish(ask("show_ir", options, dialect, "ir", common), common)


@main.command()
@common
@dialect_option
@click.option("--check", "verify", is_flag=True, help="Change nothing; exit 1 where the layout is another.")
@click.option("--write", is_flag=True, help="Rewrite the file.")
def fmt(dialect: str, verify: bool, write: bool, **common: Any) -> None:
    """Print the queries in standard layout, comments kept."""
    request = ask("layout", {"dialect": dialect}, dialect, "formatted", common, separated=True)
    if request.input_format == "cypher" and request.style == "text":
        format_script(request, dialect, verify, write, common)
        return
    if verify or write:
        fail("--check and --write are for queries and scripts; a corpus is written with -o")
    finish(request, common)


@main.command()
@common
@dialect_option
@with_schema
@with_profile
def check(dialect: str, **common: Any) -> None:
    """Report what is wrong with the queries: syntax, names, types and, with a schema, what the data cannot match.

    Under the profile gate, query text and standard input are one statement; only files are scripts of several.
    """
    profile = choose_profile(common)
    options = {"dialect": dialect, "profile": profile.to_json(), **schema_options(common)}
    several = profile.levels.get("statements") == "error"
    finish(ask("Check", options, dialect, None, common, whole=several and not exists(common["input"])), common)


@main.command()
@common
@dialect_option
@with_schema
@with_profile
@click.option("--unsafe", is_flag=True, help="Apply the fixes that only guess, too.")
@click.option("--write", is_flag=True, help="Rewrite the file.")
def repair(dialect: str, unsafe: bool, write: bool, **common: Any) -> None:
    """Print the queries with their fixes applied, and report what was fixed and what is left."""
    profile = choose_profile(common)
    if exists(common["input"]) or profile.levels.get("statements") != "error":
        from graphir.settings import profile_of

        profile = profile_of({"severity": {"statements": "off"}}, profile)
    options = {"dialect": dialect, "profile": profile.to_json(), "unsafe": unsafe, **schema_options(common)}
    request = ask("Repair", options, dialect, "repaired", common, more=("applied",), whole=True)
    if write:
        repair_script(request, dialect, profile, unsafe, common)
        return
    finish(request, common)


@main.command()
@common
@click.option(
    "--from", "read", type=click.Choice(READABLE), default="neo4j-25", show_default=True, help="Dialect read."
)
@click.option("--to", "write", type=click.Choice(WRITABLE), required=True, help="Dialect written.")
@click.option("--lossy", is_flag=True, help="Allow translations that are only approximate and say so.")
@with_schema
def translate(read: str, write: str, lossy: bool, **common: Any) -> None:
    """Translate the queries into another dialect, or say why that cannot be done."""
    options = {"from": read, "to": write, "lossy": lossy, **schema_options(common)}
    finish(ask("Translate", options, read, "translation", common, separated=True), common)


@main.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Print the page of a diagnostic code, or list all codes."""
    from graphir.diagnostics import codes, page

    known = codes()
    if code is None:
        for each, name in known.items():
            click.echo(f"{each}  {name}")
        return
    named = {name: each for each, name in known.items()}
    text = page(named.get(code.lower(), code))
    if text is None:
        from difflib import get_close_matches

        near = [each for each in known if code and each.startswith(code.upper())][:5]
        near = near or get_close_matches(code.upper(), known, 3) + get_close_matches(code.lower(), named, 3)
        fail(f"there is no code {code!r}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    click.echo(str(text).rstrip())


@main.command()
def dialects() -> None:
    """List the dialects, and whether they can be read and written."""
    for dialect in DIALECTS.values():
        uses = " ".join(use for use, can in (("read", dialect.reads), ("write", dialect.writes)) if can)
        click.echo(f"{dialect.name:<16}{uses:<12}{dialect.title}")


# ------------------------------------------------------------------ schemas


@main.group(context_settings={"help_option_names": ["-h", "--help"]})
def schema() -> None:
    """Show, convert, infer and compare schemas.

    A SOURCE is a file, a folder of CSV or Parquet files, a DuckDB file, - for standard input, or text. The formats are
    listed by `graphir schema formats`.
    """


schema_format_option = click.option(
    "--from", "read", metavar="FORMAT", default="auto", show_default=True, help="Format of the schema read."
)
schema_output_option = click.option("-o", "--output", metavar="FILE", help="Write there.")


@schema.command("show")
@click.argument("source")
@schema_format_option
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@schema_output_option
def show_schema(source: str, read: str, style: str, output: str | None) -> None:
    """Print a schema: its types, their properties, and what was guessed."""
    from graphir.reports.schema import outline

    found = read_schema(source, read)
    emit(outline(found) if style == "text" else found.write("json"), output)


@schema.command("convert")
@click.argument("source")
@schema_format_option
@click.option("--to", "write", metavar="FORMAT", required=True, help="Format written.")
@schema_output_option
def convert_schema(source: str, read: str, write: str, output: str | None) -> None:
    """Write a schema in another format; what that does not hold stands in comments, guesses on standard error."""
    found = read_schema(source, read)
    tell_guesses(found)
    with failing():
        text = found.write(write)
    emit(text, output)


@schema.command("infer")
@click.argument("source")
@click.option("--to", "write", metavar="FORMAT", default="json", show_default=True, help="Format written.")
@click.option("--database", metavar="NAME", help="Database of the Neo4j server.")
@click.option("--user", metavar="NAME", default="neo4j", show_default=True, help="User at the Neo4j server.")
@click.option("--password", envvar="NEO4J_PASSWORD", show_envvar=True, help="Password at the Neo4j server.")
@click.option("--sample", type=click.IntRange(1), help="Nodes of each label and edges of each type to look at.")
@schema_output_option
def infer_schema(
    source: str,
    write: str,
    database: str | None,
    user: str,
    password: str | None,
    sample: int | None,
    output: str | None,
) -> None:
    """Take the schema from data: a folder of CSV or Parquet files, a DuckDB file, or a running Neo4j (bolt://...)."""
    with failing():
        if "://" in source:
            from graphir.schema.infer import from_neo4j

            auth = (user, password) if password is not None else None
            found = from_neo4j(source, database=database, sample=sample, auth=auth)
        else:
            from graphir import Schema

            found = Schema.read(Path(source))
        text = found.write(write)
    tell_guesses(found)
    emit(text, output)


@schema.command("diff")
@click.argument("old")
@click.argument("new")
@schema_format_option
@click.option("--statistics", is_flag=True, help="Counts, examples and other statistics count as differences.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@schema_output_option
def diff_schemas(old: str, new: str, read: str, statistics: bool, style: str, output: str | None) -> None:
    """Print what differs between two schemas, and exit 1 if anything does."""
    import json

    from graphir.reports.schema import differences
    from graphir.schema.difference import compare

    changes = compare(read_schema(old, read), read_schema(new, read), statistics=statistics)
    rows = [change.to_json() for change in changes]
    emit(differences(changes) if style == "text" else json.dumps(rows, indent=2) + "\n", output)
    if changes:
        click.get_current_context().exit(1)


@schema.command("formats")
def schema_formats() -> None:
    """List the formats of schemas, and whether they can be read and written."""
    from graphir.schema.formats import FORMATS

    for row in FORMATS.values():
        uses = " ".join(use for use in ("read", "write") if getattr(row, use))
        click.echo(f"{row.name:<24}{uses:<12}{row.title}")


def read_schema(source: str, read: str) -> Schema:
    """The schema that an argument means: of a file or folder, of standard input, or of the text that it is."""
    from graphir import Schema

    with failing():
        if source == "-":
            return Schema.read(read_script(sys.stdin.buffer)[1], read)
        if exists(source) or not _NO_FILE_NAME.search(source):
            return Schema.read(Path(source), read)
        return Schema.read(source, read)


def tell_guesses(found: Schema) -> None:
    for guess in found.guesses:
        click.echo(f"guessed: {guess}", err=True)


@contextmanager
def failing() -> Iterator[None]:
    """What is wrong with a schema ends the command: the request cannot be met."""
    from graphir.diagnostics import GraphirError

    try:
        yield
    except GraphirError as error:
        lines = (f"{d.line}:{d.column}: {d.code}: {d.message}" for d in error.diagnostics)
        raise Failure("; ".join(lines)) from error


def emit(text: str, output: str | None) -> None:
    """A result to its file or to standard output."""
    if output is None or output == "-":
        click.echo(text, nl=not text.endswith("\n") and text != "")
        return
    Path(output).write_text(text, encoding="utf-8", newline="")


# ------------------------------------------------------------------ from arguments to a request


def ask(
    task: str,
    options: Mapping[str, Any],
    dialect: str,
    shown: str | None,
    common: Mapping[str, Any],
    *,
    separated: bool = False,
    more: tuple[str, ...] = (),
    whole: bool = False,
) -> Request:
    """The request that the arguments make.

    `more` are columns besides that of the result; `whole`: a text is one query, and no script of statements.
    """
    from graphir.corpora.session import Request
    from graphir.corpora.work import Job

    source, input_format = locate(common["input"], common["input_format"])
    output = place_output(common["output"], source, common["report"])
    style, container = choose_style(common["style"], output, input_format)
    if whole and input_format == "cypher":
        input_format = "text"
    columns = (*([shown] if shown else []), *more)
    if common["field"] in (*columns, "diagnostics"):
        fail(f"--field: {common['field']!r} is where the result goes; rename the column with the query")
    if common["resume"] and output is None:
        fail("--resume goes on with an output file: name it with -o")
    if common["report"]:
        options = {**options, "constructs": True}
    job = Job(f"graphir.corpora.tasks:{task}", common["field"], options, columns)
    return Request(
        source=source,
        input_format=input_format,
        job=job,
        dialect=dialect,
        shown=shown,
        separated=separated,
        style=style,
        container=container,
        output=output,
        label=common["label"],
        resume=common["resume"],
        workers=common["jobs"] or cores(),
    )


def choose_profile(common: Mapping[str, Any]) -> Profile:
    """The profile that is named, with what other options change in it."""
    from graphir.settings import find, profile_of, read_profiles

    path = Path(common["config"]) if common["config"] else find(Path.cwd())
    try:
        known: Mapping[str, Profile] = PROFILES if path is None else read_profiles(path)
    except UsageFault as error:
        raise Failure(error.diagnostics[0].message) from error
    name = common["profile"]
    if name not in known:
        fail(f"--profile: there is no profile {name!r}; known: {', '.join(known)}")
    table: dict[str, Any] = {"ignore": [*read_codes("--ignore", common["ignore"])]}
    if common["select"]:
        table["select"] = [*read_codes("--select", common["select"])]
    if common["require_directed"]:
        table["require-directed"] = True
    return profile_of(table, known[name])


def schema_options(common: Mapping[str, Any]) -> dict[str, Any]:
    """The options about schemas that were given, and digests of the schemas they name."""
    names = ("schema", "schema_format", "schema_field", "schemas")
    options = {name: common[name] for name in names if common[name] is not None}
    if not options:
        return {}
    if "schemas" in options and "schema_field" not in options:
        fail("--schemas needs --schema-field, the key under which a row names its schema")
    if "schema_format" in options and not {"schema", "schema_field"} & options.keys():
        fail("--schema-format is of --schema or --schema-field")
    from graphir.corpora.formats import CorpusError
    from graphir.corpora.schemas import examine

    try:
        return {**options, "digests": examine(options)}
    except CorpusError as error:
        raise Failure(str(error)) from error


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def locate(argument: str, input_format: str | None) -> tuple[Path | BinaryIO | str, str]:
    """The file, stream or text that the argument means, with its format."""
    from graphir.corpora import formats

    if argument == "-":
        stream = formats.buffered(sys.stdin.buffer)
        return stream, input_format or formats.detect(stream)
    path = Path(argument)
    if not exists(argument):
        if formats.format_of(argument) is None or _NO_FILE_NAME.search(argument):
            if input_format not in (None, "cypher"):
                fail(f"{argument}: no such file")
            return argument, "cypher"
        fail(f"{argument}: no such file (query text that ends like a file name can be given on standard input)")
    if path.is_dir():
        fail(f"{argument}: is a directory")
    return path, input_format or formats.detect(path)


def exists(path: str) -> bool:
    """Whether there is such a file; a text that can be no path is none."""
    try:
        return os.path.exists(path)
    except (OSError, ValueError):
        return False


def place_output(output: str | None, source: Path | BinaryIO | str, report: str | None) -> Path | None:
    """Where the output goes, None for standard output."""
    from graphir.corpora.pipeline import same_file

    places = {name: Path(path) for name, path in (("-o", output), ("--report", report)) if path and path != "-"}
    for option, path in places.items():
        if path.is_dir():
            fail(f"{option}: {path} is a directory")
        if not path.absolute().parent.is_dir():
            fail(f"{option}: {path.absolute().parent} is no directory")
        if isinstance(source, Path) and same_file(path, source):
            fail(f"{option}: {path} is the input")
    if len(places) == 2 and places["-o"].absolute() == places["--report"].absolute():
        fail("-o and --report name the same file")
    return places.get("-o")


def choose_style(style: str | None, output: Path | None, input_format: str) -> tuple[str, str]:
    """Rows, text or SARIF, and the container of rows: as asked for, else as the output is named, else by the input."""
    from graphir.corpora import formats

    suffix = output.suffix.lower() if output else ""
    container = formats.format_of(output.name) if output else None
    if suffix in TEXT_SUFFIXES:
        container, style = None, style or "text"
    if style in ("text", "sarif"):
        if container not in (None, "json"):
            fail(f"--format {style} does not go into {suffix}")
        return style, "jsonl"
    if style == "json" or container:
        return "rows", container or "jsonl"
    if suffix == ".sarif":
        return "sarif", "jsonl"
    return ("text" if input_format == "cypher" else "rows"), "jsonl"


def read_codes(option: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """The codes and prefixes that an option lists; `none` is none."""
    from graphir.diagnostics import codes

    found = [word.upper() for value in values for word in re.split(r"[,\s]+", value) if word]
    if found == ["NONE"]:
        return ()
    for word in found:
        if not re.fullmatch(r"G\d{0,3}", word) or (len(word) == 4 and word not in codes()):
            fail(f"{option}: there is no code {word!r}")
    return tuple(found)


# ------------------------------------------------------------------ from a request to an exit code


def finish(request: Request, common: Mapping[str, Any], *, verdict: bool = False) -> None:
    """Run the request, tell what came of it, and exit."""
    from graphir.corpora.formats import CorpusError

    fail_on = read_codes("--fail-on", common["fail_on"]) if common["fail_on"] else None
    try:
        finished = run(request, quiet=common["quiet"])
    except CorpusError as error:
        raise Failure(str(error)) from error
    report = finished.report
    if verdict and request.style == "text" and not report.findings:
        click.echo("OK" if report.rows == 1 else f"OK: {report.rows} statements")
    if common["report"]:
        save_report(Path(common["report"]), request, finished)
    if report.fails_on(fail_on):
        click.get_current_context().exit(1)


def run(request: Request, *, quiet: bool) -> Finished:
    """Perform the request with a progress bar and a summary, where these are for a corpus."""
    from graphir.corpora.session import perform

    told = not quiet and request.input_format not in ("cypher", "text")
    with ExitStack() as stack:
        bar = Bar(stack, sys.stderr if told and sys.stderr.isatty() else None)
        finished = perform(
            request,
            stdout=sys.stdout.buffer,
            log=lambda text: click.echo(text, err=True),
            notify=bar.tell,
            opened=bar.open,
        )
    if told:
        from graphir.reports.terminal import summarize

        summarize(sys.stderr, finished.report, finished.seconds)
    return finished


@dataclass
class Bar:
    """The progress bar, from when the corpus is open."""

    stack: ExitStack
    stream: TextIO | None
    notify: Callable[[int], None] | None = None

    def open(self, corpus: Corpus) -> None:
        if self.stream is not None:
            from graphir.reports.terminal import progress

            self.notify = self.stack.enter_context(progress(self.stream, corpus.total, corpus.position))

    def tell(self, rows: int) -> None:
        if self.notify is not None:
            self.notify(rows)


def save_report(path: Path, request: Request, finished: Finished) -> None:
    """The report as JSON."""
    import json

    from graphir.corpora.session import describe

    path.write_text(json.dumps(describe(request, finished), indent=2) + "\n", encoding="utf-8")


def format_script(request: Request, dialect: str, verify: bool, write: bool, common: Mapping[str, Any]) -> None:
    """`fmt` on text: the script as a whole, with the comments between its statements."""
    from graphir import GraphirError, format
    from graphir.diagnostics import render
    from graphir.source import Source

    for option in ("resume", "report", "fail_on"):
        if common[option]:
            fail(f"--{option.replace('_', '-')} is for a corpus")
    if write and not isinstance(request.source, Path):
        fail("--write rewrites a file")
    if isinstance(request.source, str):
        name, text = "<query>", request.source
    else:
        name, text = read_script(request.source)
    try:
        formatted = format(text, dialect).rstrip("\n") + "\n"
    except GraphirError as error:
        for found in error.diagnostics:
            click.echo(render(Source(text, name), found), err=True)
        click.get_current_context().exit(1)
    if verify:
        if formatted != text and formatted != text + "\n" * (name == "<query>"):
            click.echo(f"{name}: the layout is another")
            click.get_current_context().exit(1)
        return
    if write:
        assert isinstance(request.source, Path)
        if formatted != text:
            rewrite(request.source, formatted)
        return
    if request.output is not None:
        request.output.write_text(formatted, encoding="utf-8", newline="")
        return
    click.echo(formatted, nl=False)


def repair_script(request: Request, dialect: str, profile: Profile, unsafe: bool, common: Mapping[str, Any]) -> None:
    """`repair --write`: the file with its fixes, if it can be repaired at all."""
    from graphir import GraphirError, Schema
    from graphir import repair as mend
    from graphir.diagnostics import render
    from graphir.source import Source

    if not isinstance(request.source, Path) or request.input_format != "text" or request.output is not None:
        fail("--write rewrites a script; a corpus is written with -o")
    name, text = read_script(request.source)
    schema = Schema.read(Path(common["schema"]), common["schema_format"] or "auto") if common["schema"] else None
    try:
        done = mend(text, dialect=dialect, schema=schema, unsafe=unsafe, profile=profile)
    except GraphirError as error:
        for found in error.diagnostics:
            click.echo(render(Source(text, name), found), err=True)
        click.get_current_context().exit(1)
    for fixed in done.applied:
        title = fixed.fix.title if fixed.fix else fixed.message
        click.echo(f"{name}:{fixed.line}:{fixed.column}: fixed {fixed.code}: {title}", err=True)
    for found in done.remaining:
        click.echo(render(Source(done.text, name), found), err=True)
    if done.text != text:
        rewrite(request.source, done.text)
    if any(found.severity != "info" for found in done.remaining):
        click.get_current_context().exit(1)


def read_script(source: Path | BinaryIO) -> tuple[str, str]:
    """The name and the text of a script."""
    if isinstance(source, Path):
        name, data = str(source), source.read_bytes()
    else:
        name, data = "<stdin>", source.read()
    try:
        return name, data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"{name}: not UTF-8 (byte {error.start + 1})") from error


def rewrite(path: Path, text: str) -> None:
    """Replace the text of a file in one step; its permissions stay."""
    import shutil

    fresh = path.with_name(path.name + ".fresh")
    fresh.write_text(text, encoding="utf-8", newline="")
    shutil.copymode(path, fresh)
    fresh.replace(path)


if __name__ == "__main__":
    main()
