"""The commands that read queries: parse, ir, fmt, check, repair, translate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphir.commands.arguments import (
    ask,
    choose_profile,
    exists,
    fail,
    read_script,
    refuse_options,
    rewrite,
    schema_options,
    with_definition,
)
from graphir.commands.finishing import finish
from graphir.commands.options import Dialect, common, dialect_option, from_option, keep_pipe, with_profile, with_schema
from graphir.dialects import SQL_PGQ, WRITABLE
from graphir.files import write_output
from graphir.profiles import Profile

if TYPE_CHECKING:
    from graphir.corpora.session import Request
    from graphir.diagnostics import Diagnostic


@click.command()
@common
@dialect_option
@click.option("--tokens", "show", flag_value="tokens", help="Print the tokens.")
@click.option("--tree", "show", flag_value="tree", help="Print the tree of what was read, with offsets.")
def parse(dialect: str, show: str | None, **common: Any) -> None:
    """Report whether the queries parse."""
    finish(ask("parse", {"dialect": dialect, "show": show}, dialect, show, common), common, verdict=show is None)


@click.command()
@common
@dialect_option
@click.option("--core", is_flag=True, help="The core form: sugar expanded, names given, grouping explicit.")
@click.option("--json", "as_json", is_flag=True, help="JSON in place of S-expressions.")
def ir(dialect: str, core: bool, as_json: bool, **common: Any) -> None:
    """Print the Graph-IR of the queries."""
    options = {"dialect": dialect, "core": core, "json": as_json}
    finish(ask("show_ir", options, dialect, "ir", common), common)


@click.command()
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


def format_script(request: Request, dialect: str, verify: bool, write: bool, common: Mapping[str, Any]) -> None:
    """`fmt` on text: the script as a whole, with the comments between its statements."""
    from graphir import GraphirError, format

    refuse_options(common, "resume", "report", "fail_on")
    if write and not (isinstance(request.source, Path) and request.source.is_file()):
        fail("--write rewrites a file")
    if isinstance(request.source, str):
        name, text = "<query>", request.source
    else:
        name, text = read_script(request.source)
    try:
        formatted = format(text, dialect).rstrip("\n")
        formatted += "\n" if formatted else ""
    except GraphirError as error:
        tell(error.diagnostics, text, name)
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
        write_output(request.output, formatted)
        return
    click.echo(formatted, nl=False)


@click.command()
@common
@dialect_option
@with_schema
@with_profile
def check(dialect: str, **common: Any) -> None:
    """Report what is wrong with the queries: syntax, names, types and, with a schema, what the data cannot match.

    Under the profile gate, query text and standard input are one statement; only files are scripts of several.
    """
    profile = choose_profile(common)
    several = profile.levels.get("statements") == "error" and not exists(common["input"])
    together = dialect in SQL_PGQ and not several  # what a statement defines is there for those behind it
    if together:
        from graphir.settings import profile_of

        profile = profile_of({"severity": {"statements": "off"}}, profile)
    options = {"dialect": dialect, "profile": profile.to_json(), **schema_options(common)}
    finish(ask("Check", options, dialect, None, common, whole=several or together), common)


@click.command()
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


def repair_script(request: Request, dialect: str, profile: Profile, unsafe: bool, common: Mapping[str, Any]) -> None:
    """`repair --write`: the file with its fixes, if it can be repaired at all."""
    from graphir import GraphirError, Schema
    from graphir import repair as mend

    if not isinstance(request.source, Path) or request.input_format != "text" or request.output is not None:
        fail("--write rewrites a script; a corpus is written with -o")
    if not request.source.is_file():
        fail("--write rewrites a file")
    name, text = read_script(request.source)
    schema = Schema.read(Path(common["schema"]), common["schema_format"] or "auto") if common["schema"] else None
    try:
        done = mend(text, dialect=dialect, schema=schema, unsafe=unsafe, profile=profile)
    except GraphirError as error:
        tell(error.diagnostics, text, name)
        click.get_current_context().exit(1)
    for fixed in done.applied:
        title = fixed.fix.title if fixed.fix else fixed.message
        click.echo(f"{name}:{fixed.line}:{fixed.column}: fixed {fixed.code}: {title}", err=True)
    tell(done.remaining, done.text, name)
    if done.text != text:
        rewrite(request.source, done.text)
    if any(found.severity != "info" for found in done.remaining):
        click.get_current_context().exit(1)


@click.command()
@common
@from_option
@click.option("--to", "write", type=Dialect(WRITABLE), required=True, help="Dialect written.")
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
    callback=keep_pipe,
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


def tell(diagnostics: Iterable[Diagnostic], text: str, name: str) -> None:
    """Diagnostics of a text, on standard error."""
    from graphir.diagnostics import render
    from graphir.source import Source

    for found in diagnostics:
        click.echo(render(Source(text, name), found), err=True)
