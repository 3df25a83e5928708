"""The commands that list what there is: diagnostic codes, dialects."""

from __future__ import annotations

import click

from graphir.commands.arguments import fail
from graphir.dialects import DIALECTS


@click.command()
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


@click.command()
def dialects() -> None:
    """List the dialects, and whether they can be read and written."""
    for dialect in DIALECTS.values():
        uses = " ".join(use for use, can in (("read", dialect.reads), ("write", dialect.writes)) if can)
        click.echo(f"{dialect.name:<16}{uses:<12}{dialect.title}")
