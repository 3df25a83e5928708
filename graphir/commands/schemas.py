"""The commands about schemas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphir.commands.arguments import emit, failing, read_schema
from graphir.commands.options import with_server

if TYPE_CHECKING:
    from graphir.schema.model import Schema


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
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
@with_server
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
