"""The commands that run queries on the embedded engine: load, run, plan."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import click

from graphir.commands.arguments import (
    Failure,
    ask,
    fail,
    failing,
    locate,
    place_output,
    read_schema,
    refuse_options,
    run_options,
    script_of,
)
from graphir.commands.finishing import finish
from graphir.commands.options import keep_pipe, params_field_option, with_graph, with_input, with_pace, with_server


@click.command()
@click.argument("source")
@click.option("--into", metavar="FILE.duckdb", required=True, help="File that keeps the graph; made if not there.")
@click.option("--schema", metavar="FILE", help="Schema of the graph: types of properties, labels that may be empty.")
@with_server
@click.option("-q", "--quiet", is_flag=True, help="Do not say what came and what was guessed.")
def load(source: str, into: str, schema: str | None, quiet: bool, **server: str | None) -> None:
    """Add a graph to a file: all of it, or nothing.

    SOURCE is a folder of CSV, Parquet or JSONL files, one such file, a JSON document of a graph, a script,
    example:NAME, or the address of a Neo4j (bolt://...).
    """
    from graphir.corpora.runs import open_session, server_or_source

    with failing(source):
        found = server_or_source(source, server["database"], server["user"], server["password"])
        with open_session({"db": into}) as session:
            loaded = session.load(found, read_schema(schema, "auto") if schema else None)
    if not quiet:
        for note in loaded.notes:
            click.echo(f"note: {note}", err=True)
        counts = ((loaded.nodes, "node"), (loaded.edges, "edge"))
        click.echo(" and ".join(f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts), err=True)


@click.command("run")
@with_input
@with_graph
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "json", "jsonl", "csv", "parquet", "arrow"]),
    help="Format of the rows. Default: the suffix of the output tells; a table on standard output.",
)
@click.option("--max-rows", type=click.IntRange(0), help="Refuse results with more rows.")
@params_field_option
@click.option("--graph-field", metavar="FIELD", help="Key or column of a corpus that names the graph of the row.")
@click.option(
    "--graphs", callback=keep_pipe, metavar="FILE.jsonl", help="The graphs that rows name: lines with id, nodes, edges."
)
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
        with failing(common["graph"] or "<graph>"):
            examine(options)
    except CorpusError as error:
        raise Failure(str(error)) from error
    jobs = 1 if options.get("db") else common["jobs"]
    common = {**common, "style": common["style"] and "json", "jobs": jobs}
    finish(ask("graphir.corpora.runs:Run", options, read, None, common, more=("columns", "rows", "counters")), common)


def run_script(source: Path | BinaryIO | str, options: Mapping[str, Any], common: Mapping[str, Any]) -> None:
    """`run` on a text."""
    from graphir import runs
    from graphir.corpora.runs import open_session

    refuse_options(common, "resume", "report", "fail_on", "graphs", "graph_field", "params_field")
    output = place_output(common["output"], source, None)
    suffix = output.suffix.lower().lstrip(".") if output else ""
    style = common["style"] or (suffix if suffix in ("json", "jsonl", "csv", "parquet", "arrow") else "table")
    if style in ("parquet", "arrow") and output is None and sys.stdout.isatty():
        fail(f"{style} is not for a terminal: name a file with -o")
    script = script_of(source, options["from"], common)
    with failing(common["graph"] or "<graph>"), open_session(options) as session:
        well = runs.run(session, script, style, output, lambda text: click.echo(text, err=True))
    if not well:
        click.get_current_context().exit(1)


@click.command()
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
    with failing(common["graph"] or "<graph>"), open_session(run_options(read, common)) as session:
        found = runs.plan(session, script, analyze, lambda text: click.echo(text, err=True))
    if found is None:
        click.get_current_context().exit(1)
    parts = {"ir": found.ir, "sql": found.sql, "plan": found.plan}
    click.echo(parts[show] if show else "\n\n".join(part.rstrip() for part in parts.values()))
