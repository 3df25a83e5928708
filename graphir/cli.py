"""The command line.  Thin: commands and their options, errors as exit codes; `arguments.py` makes requests of them.

Exit codes: 0 clean, 1 findings, 2 usage; 130 interrupted, 141 when the reader of the output went away.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, TypeVar

import click

from graphir import __version__
from graphir.arguments import (
    Failure,
    ask,
    choose_profile,
    emit,
    engine_options,
    exists,
    fail,
    failing,
    locate,
    place_output,
    prove_options,
    read_codes,
    read_schema,
    read_script,
    rewrite,
    run_options,
    schema_options,
    script_of,
    split_names,
    with_definition,
)
from graphir.dialects import DIALECTS
from graphir.profiles import Profile

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


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="graphir")
def main() -> None:
    """A compiler for property-graph queries: Cypher, GQL and SQL/PGQ in and out, or run here.

    INPUT is query text, a file (a script of statements or a corpus: .cypher .jsonl .json .csv .tsv .parquet), or - for
    standard input. A corpus comes out row by row with its diagnostics; a script comes out as text.
    """


# ------------------------------------------------------------------ options


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
    "--dialect", type=click.Choice(READABLE), default="neo4j-25", show_default=True, help="Dialect of the queries."
)


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
@click.option(
    "--elements",
    type=click.Choice(("expand", "json", "refuse")),
    default="expand",
    show_default=True,
    help="What becomes of nodes, relationships and paths in results, where the target has none there.",
)
@click.option(
    "--max-hops",
    type=click.IntRange(min=1),
    help="Where a repetition without an upper bound stops, if the target wants one.",
)
@click.option(
    "--property-graph",
    metavar="generate|FILE",
    help="The property graph that SQL/PGQ asks: the one that `schema convert` writes for the schema, or the one that a "
    "script of the target's database defines (CREATE TABLE, CREATE PROPERTY GRAPH).",
)
@with_schema
def translate(
    read: str, write: str, lossy: bool, elements: str, max_hops: int | None, property_graph: str | None, **common: Any
) -> None:
    """Translate the queries into another dialect, or say why that cannot be done."""
    chosen = {"lossy": lossy, "elements": elements, "max_hops": max_hops}
    if property_graph is not None:
        common = with_definition(common, write, property_graph)
    options = {"from": read, "to": write, **chosen, **schema_options(common)}
    finish(ask("Translate", options, read, "translation", common, separated=True), common)


with_graph = options_of(
    click.option("--db", metavar="FILE.duckdb", help="File that keeps a graph; made if it is not there."),
    click.option(
        "--graph", metavar="SOURCE", help="Graph to load first: a file, a folder, example:NAME or bolt://HOST:PORT."
    ),
    click.option("--schema", metavar="FILE", help="Schema of the graph that is loaded: types of properties."),
    click.option("--param", "params", metavar="NAME=JSON", multiple=True, help="Value of a parameter."),
    click.option("--params", "params_file", metavar="FILE.json", help="Values of parameters, an object."),
    click.option(
        "--from", "read", type=click.Choice(READABLE), default="neo4j-25", show_default=True, help="Dialect read."
    ),
    click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Stop a query then."),
    click.option("--memory", metavar="SIZE", help="Memory that queries may take (500MB)."),
)


@main.command()
@click.argument("source")
@click.option("--into", metavar="FILE.duckdb", required=True, help="File that keeps the graph; made if not there.")
@click.option("--schema", metavar="FILE", help="Schema of the graph: types of properties, labels that may be empty.")
@click.option("--database", metavar="NAME", help="Database of the Neo4j server.")
@click.option("--user", metavar="NAME", default="neo4j", show_default=True, help="User at the Neo4j server.")
@click.option("--password", envvar="NEO4J_PASSWORD", show_envvar=True, help="Password at the Neo4j server.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say what came and what was guessed.")
def load(source: str, into: str, schema: str | None, quiet: bool, **server: str | None) -> None:
    """Add a graph to a file: all of it, or nothing.

    SOURCE is a folder of CSV, Parquet or JSONL files, one such file, a JSON document of a graph, a script,
    example:NAME, or the address of a Neo4j (bolt://...).
    """
    from graphir.corpora.runs import open_session, server_or_source

    with failing():
        found = server_or_source(source, server["database"], server["user"], server["password"])
        with open_session({"db": into}) as session:
            loaded = session.load(found, read_schema(schema, "auto") if schema else None)
    if not quiet:
        for note in loaded.notes:
            click.echo(f"note: {note}", err=True)
        counts = ((loaded.nodes, "node"), (loaded.edges, "edge"))
        click.echo(" and ".join(f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts), err=True)


@main.command("run")
@with_input
@with_graph
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "json", "jsonl", "csv", "parquet", "arrow"]),
    help="Format of the rows. Default: the suffix of the output tells; a table on standard output.",
)
@click.option("--max-rows", type=click.IntRange(0), help="Refuse results with more rows.")
@click.option("--params-field", metavar="FIELD", help="Key or column of a corpus that holds the parameters of the row.")
@click.option("--graph-field", metavar="FIELD", help="Key or column of a corpus that names the graph of the row.")
@click.option("--graphs", metavar="FILE.jsonl", help="The graphs that rows name: lines with id, nodes, edges.")
@with_pace
def run_queries(read: str, **common: Any) -> None:
    """Run the queries and print what they give.

    The statements of a text run one after another, and what they write is kept in --db. Each row of a corpus comes out
    with `columns` and `rows`, or with diagnostics; what it writes is undone.
    """
    source, input_format = locate(common["input"], common["input_format"])
    options = run_options(read, common)
    if input_format == "cypher":
        run_script(source, options, common)
        return
    if common["style"] not in (None, "jsonl", "json"):
        fail("the rows of a corpus are written as JSON, or as the suffix of -o tells")
    if bool(common["graphs"]) != bool(common["graph_field"]) or (
        common["graphs"] and (common["graph"] or common["db"])
    ):
        fail("--graphs and --graph-field go together, in place of --graph and --db")
    from graphir.corpora.formats import CorpusError
    from graphir.corpora.runs import digests, examine

    try:
        options = {**options, "digests": digests(options)}
        with failing():
            examine(options)
    except CorpusError as error:
        raise Failure(str(error)) from error
    jobs = 1 if options.get("db") else common["jobs"]
    common = {**common, "style": common["style"] and "json", "jobs": jobs}
    finish(ask("graphir.corpora.runs:Run", options, read, None, common, more=("columns", "rows", "counters")), common)


@main.command()
@click.argument("input", metavar="QUERY")
@with_graph
@click.option("--analyze", is_flag=True, help="Run the query and show how many rows there were.")
@click.option("--show", type=click.Choice(["ir", "sql", "plan"]), help="Only this part.")
def plan(read: str, analyze: bool, show: str | None, **common: Any) -> None:
    """Print how a query runs: the core IR, the SQL, and the plan of DuckDB."""
    from graphir import runs
    from graphir.corpora.runs import open_session

    source, _ = locate(common["input"], "cypher")
    script = script_of(source, read, common)
    with failing(), open_session(run_options(read, common)) as session:
        found = runs.plan(session, script, analyze, lambda text: click.echo(text, err=True))
    if found is None:
        click.get_current_context().exit(1)
    parts = {"ir": found.ir, "sql": found.sql, "plan": found.plan}
    click.echo(parts[show] if show else "\n\n".join(part.rstrip() for part in parts.values()))


def run_script(source: Path | BinaryIO | str, options: Mapping[str, Any], common: Mapping[str, Any]) -> None:
    """`run` on a text."""
    from graphir import runs
    from graphir.corpora.runs import open_session

    for option in ("resume", "report", "fail_on", "graphs", "graph_field", "params_field"):
        if common[option]:
            fail(f"--{option.replace('_', '-')} is for a corpus")
    output = place_output(common["output"], source, None)
    suffix = output.suffix.lower().lstrip(".") if output else ""
    style = common["style"] or (suffix if suffix in ("json", "jsonl", "csv", "parquet", "arrow") else "table")
    if style in ("parquet", "arrow") and output is None and sys.stdout.isatty():
        fail(f"{style} is not for a terminal: name a file with -o")
    script = script_of(source, options["from"], common)
    with failing(), open_session(options) as session:
        well = runs.run(session, script, style, output, lambda text: click.echo(text, err=True))
    if not well:
        click.get_current_context().exit(1)


with_engines = options_of(
    click.option(
        "--uri",
        "uris",
        metavar="[ENGINE=]URI",
        multiple=True,
        help="Address of a server; without a name it is that of neo4j. The server keeps nothing of it.",
    ),
    click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Stop a query then."),
)


@main.command()
@with_input
@click.option("--engines", default="duckdb", show_default=True, metavar="NAMES", help="Engines that are asked: a,b,c.")
@click.option("--same-as", metavar="QUERY", help="Another query, or a file with it, that should give the same rows.")
@click.option(
    "--same-as-field", metavar="FIELD", help="Key or column of a corpus that holds the other query of the row."
)
@click.option("--same-as-dialect", type=click.Choice(READABLE), help="Dialect of the other query. Default: as --from.")
@click.option("--to", type=click.Choice(WRITABLE), help="Compare with the translation into this dialect.")
@click.option("--on", metavar="NAMES", help="Engines that are asked the translation. Default: all that can be.")
@with_engines
@click.option("--graph", metavar="SOURCE", help="The graph: a file, a folder, example:NAME. Default: random ones.")
@click.option("--graphs", type=click.IntRange(1), default=50, show_default=True, help="Random graphs for each query.")
@click.option("--size", type=click.IntRange(1), default=6, show_default=True, help="Most random nodes of such a graph.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another number, other graphs.")
@with_schema
@click.option("--param", "params", metavar="NAME=JSON", multiple=True, help="Value of a parameter.")
@click.option("--params", "params_file", metavar="FILE.json", help="Values of parameters, an object.")
@click.option("--params-field", metavar="FIELD", help="Key or column of a corpus that holds the parameters of the row.")
@click.option(
    "--from", "read", type=click.Choice(READABLE), default="neo4j-25", show_default=True, help="Dialect read."
)
@with_style
@click.option("--json", "style", flag_value="json", help="The same as --format json.")
@with_pace
def prove(**common: Any) -> None:
    """Run the queries on several engines, or beside others, and report whether the rows are the same.

    Graphs are random ones on which the query finds something, or one that is given. Where the rows differ, the query
    and the graph are made small, and a Python script that shows the difference is printed. Each row of a corpus comes
    out with a key `proof`.
    """
    options = {**prove_options(common), **schema_options(common)}
    common = {**common, "jobs": common["jobs"] or 1}
    request = ask("graphir.corpora.proofs:Prove", options, common["read"], "proof", common)
    if request.style == "text":
        request = replace(request, job=replace(request.job, options={**request.job.options, "plain": True}))
    finish(request, common)


@main.command()
@click.argument("engine")
@click.option("--against", default="duckdb", show_default=True, metavar="NAMES", help="Engines it is compared with.")
@with_engines
@click.option("--count", type=click.IntRange(1), default=1000, show_default=True, help="Cases at most.")
@click.option("--time", "seconds", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Stop then.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Number of the first case.")
@click.option("--profile", default="reads", show_default=True, metavar="NAME", help="What queries are made of.")
@click.option(
    "--dialect", type=click.Choice(READABLE), default="neo4j-25", show_default=True, help="Dialect of the queries."
)
@click.option(
    "--patience",
    type=click.FloatRange(0, min_open=True),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="End an engine that takes longer for a query, and open it again.",
)
@click.option("--per-graph", type=click.IntRange(1), default=10, show_default=True, help="Queries to a graph.")
@click.option("--trusting", is_flag=True, help="Ask what an engine is known to get wrong, too.")
@click.option("--script-dir", metavar="DIR", help="Write each finding there as a script. Default: print them.")
@click.option("--json", "lines", is_flag=True, help="One JSON object per finding, then one with the counts.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no counts.")
def fuzz(
    engine: str, against: str, trusting: bool, script_dir: str | None, lines: bool, quiet: bool, **common: Any
) -> None:
    """Ask ENGINE and others random queries about random graphs, and print each disagreement as a script.

    Each engine but the embedded one runs in a process of its own, and is opened again if that ends.

    A disagreement is made small and told once. What an engine is known to get wrong is left out and counted. The case
    number N is made again by --seed N --count 1.
    """
    from graphir.corpora.formats import CorpusError
    from graphir.corpora.proofs import check_engines
    from graphir.proof import Panel
    from graphir.proof.campaigns import Campaign

    names = [engine, *[name for name in split_names(against) if name != engine]]
    if len(names) < 2:
        fail("--against: there is no other engine")
    options = engine_options(common)
    for name in names if trusting else ():
        if name != "duckdb":
            options.setdefault(name, {})["trusting"] = True
    try:
        check_engines(names)
    except CorpusError as error:
        raise Failure(str(error)) from error
    others = [name for name in names if name != "duckdb"]
    with failing(), Panel(names, options, apart=others, patience=common["patience"]) as panel:
        campaign = Campaign(panel, Path(script_dir) if script_dir else None, None if quiet else sys.stderr, lines)
        try:
            found = campaign.run(
                common["count"],
                seed=common["seed"],
                dialect=common["dialect"],
                profile=common["profile"],
                seconds=common["seconds"],
                per_graph=common["per_graph"],
            )
        except KeyboardInterrupt:
            click.get_current_context().exit(INTERRUPTED)
    if found:
        click.get_current_context().exit(1)


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


# ------------------------------------------------------------------ engines


@main.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.pass_context
def engines(context: click.Context, as_json: bool) -> None:
    """List the engines: which are usable here, in which version, and why not."""
    if context.invoked_subcommand is not None:
        return
    import json

    from graphir.backends.engines.registry import statuses

    for status in statuses():
        if as_json:
            click.echo(json.dumps(status.to_json(), ensure_ascii=False))
            continue
        kind = status.kind
        state = status.version if status.usable else "not usable"
        click.echo(f"{kind.name:<10}{state:<18}{kind.title}; {kind.note}")
        if not status.usable:
            click.echo(f"{'':<10}{status.reason}: {kind.install}")


@engines.command("start")
@click.argument("engine", type=click.Choice(["neo4j", "postgres"]))
@click.option(
    "--port", type=click.IntRange(0, 65535), help="0: any that is free.  [default: 17687 for neo4j, 15432 for postgres]"
)
@click.option("--heap", help="Memory of Neo4j's JVM.  [default: 1g]")
def start_engine(engine: str, port: int | None, heap: str | None) -> None:
    """Run a server until it is interrupted; its address is printed, its data are gone when it stops.

    Neo4j Community is fetched from Maven Central once (150 MB) and starts in ten seconds. Needs Java 21 and Maven.
    PostgreSQL starts in a second. Needs its programs, version 15 or newer (Debian: the package postgresql).
    """
    from graphir.backends.engines import neo4j_server, postgres_server

    if engine == "postgres" and heap is not None:
        raise click.UsageError("--heap is an option of neo4j")
    with failing():
        if engine == "neo4j":
            neo4j_server.serve(neo4j_server.PORT if port is None else port, heap or neo4j_server.HEAP, click.echo)
        else:
            postgres_server.serve(postgres_server.PORT if port is None else port, click.echo)


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


def tell_guesses(found: Schema) -> None:
    for guess in found.guesses:
        click.echo(f"guessed: {guess}", err=True)


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


if __name__ == "__main__":
    main()
