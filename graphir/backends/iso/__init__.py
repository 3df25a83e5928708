"""GQL over the core of the ISO standard: what of core form each of its dialects can say, and its text.

`emit` prints core IR or refuses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql.writing import writes, written
from graphir.backends.gqltext.printer import print_query
from graphir.backends.iso.clauses import Clauses
from graphir.backends.iso.expressions import Job
from graphir.backends.iso.kinds import Kinds
from graphir.backends.iso.refusals import IsoReport
from graphir.backends.iso.targets import TARGETS
from graphir.diagnostics import Diagnostic, diagnose
from graphir.passes.names import Maker
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.schema import Schema


def emit(
    core: ir.Query,
    dialect: str,
    source: Source | None = None,
    schema: Schema | None = None,
    notes: list[Diagnostic] | None = None,
) -> str:
    """The text of a query in core form.  Raises `Unsupported`.

    `notes` receives what is to be said of the constructs beyond the standard that the text uses.
    """
    return print_query(legalize(core, dialect, source, schema, notes), dialect)


def legalize(
    core: ir.Query,
    dialect: str,
    source: Source | None = None,
    schema: Schema | None = None,
    notes: list[Diagnostic] | None = None,
) -> ir.Query:
    """The query as surface IR that the dialect can say.  Raises `Unsupported`."""
    source = source or Source("")
    report = IsoReport(source, dialect)
    if core.execution is not None:
        raise report.refusal("explain", core, core.execution.upper())
    if isinstance(core.body, ir.Command):
        raise report.refusal("command", core, f"`{core.body.kind}`")
    target = TARGETS[dialect]
    if writes(core):
        if not target.writes:
            raise report.refusal("update", core, "a query that writes")
        core = written(core, report)
    job = Job(target, report, Kinds(core, source, schema), Maker(core))
    made = ir.Query(Clauses(job).body(core.body), span=core.span)
    if notes is not None:
        for name, node in job.extensions.items():
            message = f"`{name}` is no part of ISO GQL; its implementations share it"
            notes.append(diagnose(source, "G511", message, node.span, severity="info"))
    return made
