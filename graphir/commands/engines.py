"""The commands about engines: what there is, servers, and whether their rows are the same."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from graphir.commands.arguments import (
    Failure,
    ask,
    engine_options,
    fail,
    failing,
    prove_options,
    schema_options,
    split_names,
)
from graphir.commands.finishing import INTERRUPTED, finish
from graphir.commands.options import (
    Dialect,
    dialect_option,
    from_option,
    params_field_option,
    with_engines,
    with_input,
    with_pace,
    with_parameters,
    with_schema,
    with_style,
)
from graphir.dialects import READABLE, WRITABLE


@click.group(invoke_without_command=True)
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


@click.command()
@with_input
@click.option("--engines", default="duckdb", show_default=True, metavar="NAMES", help="Engines that are asked: a,b,c.")
@click.option("--same-as", metavar="QUERY", help="Another query, or a file with it, that should give the same rows.")
@click.option(
    "--same-as-field", metavar="FIELD", help="Key or column of a corpus that holds the other query of the row."
)
@click.option("--same-as-dialect", type=Dialect(READABLE), help="Dialect of the other query. Default: as --from.")
@click.option("--to", type=Dialect(WRITABLE), help="Compare with the translation into this dialect.")
@click.option("--on", metavar="NAMES", help="Engines that are asked the translation. Default: all that can be.")
@with_engines
@click.option("--graph", metavar="SOURCE", help="The graph: a file, a folder, example:NAME. Default: random ones.")
@click.option("--graphs", type=click.IntRange(1), default=50, show_default=True, help="Random graphs for each query.")
@click.option("--size", type=click.IntRange(1), default=6, show_default=True, help="Most random nodes of such a graph.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another number, other graphs.")
@with_schema
@with_parameters
@params_field_option
@from_option
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


@click.command()
@click.argument("engine")
@click.option("--against", default="duckdb", show_default=True, metavar="NAMES", help="Engines it is compared with.")
@with_engines
@click.option("--count", type=click.IntRange(1), default=1000, show_default=True, help="Cases at most.")
@click.option("--time", "seconds", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Stop then.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Number of the first case.")
@click.option("--profile", default="reads", show_default=True, metavar="NAME", help="What queries are made of.")
@dialect_option
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
