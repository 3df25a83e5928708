"""The checks of what a query means, in one table; `find_faults` runs those that a profile asks for.

A check is a function of a query and its context to diagnostics.  It changes nothing and raises nothing.  Its findings
have the severity they have without a profile; the profile grades them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.dialects import DIALECTS, GOOGLE, SQL_PGQ, level_of, reading
from graphir.passes.context import Context
from graphir.passes.cost import check_cost
from graphir.passes.definitions import find_broken_inside, graph_inside, schema_inside
from graphir.passes.gql.settling import settle
from graphir.passes.rules import walk
from graphir.passes.safety.readonly import find_denied
from graphir.passes.typed.check import check_types
from graphir.profiles import LINT, Profile, pass_of
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.passes.vendors.check import History
    from graphir.schema import Schema


Check = Callable[[ir.Query, Context], Iterable[Diagnostic]]


def names(_: ir.Query, context: Context) -> Iterable[Diagnostic]:
    return context.scopes.diagnostics


def rules(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    return walk.check(query, context.source, context.dialect, context.scopes)


def read_only(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    return find_denied(query, context.source, context.options.allow)


def unknown(_: ir.Query, context: Context) -> Iterable[Diagnostic]:
    if context.bindings is None:
        return ()
    from graphir.passes.schema.checks import find_unknown

    return find_unknown(context.bindings, context.source)


def direction(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    """Relationships the wrong way round and, where that is asked for, those without a direction."""
    if context.bindings is None and not context.options.require_directed:
        return ()
    from graphir.passes.schema.direction import find_open, find_reversed, find_undirected

    found = list(find_undirected(query, context.source)) if context.options.require_directed else []
    if context.bindings is not None:
        found += find_reversed(context.bindings, context.source)
        found += find_open(context.bindings, context.source)
    return found


def literals(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    from graphir.passes.schema.literals import find_mismatches

    return find_mismatches(query, context.bindings, context.source, context.options.parameters)


CHECKS: dict[str, Check] = {
    "names": names,
    "rules": rules,
    "types": check_types,
    "read-only": read_only,
    "cost": check_cost,
    "direction": direction,
    "literals": literals,
}
"""Name of a pass -> its check, in the order in which they run."""

OF_CYPHER = frozenset(("rules", "types"))
"""Those that know the rules of Cypher alone."""


def definitions(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    """Statements that define a graph are read whole only here: their syntax is that of schemas.

    Those of GoogleSQL are checked with its queries.
    """
    if not isinstance(query.body, ir.Command):
        return ()
    from graphir.passes.definitions import find_broken

    return find_broken(query, context)


OF_SCHEMA: dict[str, Check] = {"schema": unknown}
"""The same for those that need a schema."""


def _analyzed(name: str, also: Check | None = None, codes: tuple[str, ...] = ()) -> Check:
    """What GoogleSQL's analyzer finds that belongs to a pass, and of another check what it has no rule for."""

    def check(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
        found = [each for each in context.analysis if pass_of(each.code) == name]
        return found if also is None else [*found, *(each for each in also(query, context) if each.code in codes)]

    return check


OF_GOOGLE: dict[str, Check] = {
    **{name: _analyzed(name) for name in ("syntax", "names", "rules", "types")},
    "schema": _analyzed("schema", unknown, ("G144", "G146")),
    "literals": _analyzed("literals", literals, ("G324", "G326", "G327", "G331")),
}
"""The checks of GoogleSQL's dialects that differ: its analyzer knows names, types, labels and properties."""


def _refused(name: str) -> Check:
    """What the vendor refuses that belongs to a pass."""
    return lambda _, context: [each for each in context.refusals if pass_of(each.code) == name]


OF_VENDORS: dict[str, Check] = {name: _refused(name) for name in ("syntax", "names", "rules", "types", "schema")}
"""The checks of the dialects of SQL/PGQ other than Google's: the rules of `graphir.passes.vendors`."""


@cache
def checks_of(dialect: str) -> dict[str, Check]:
    """The checks that are run on queries of a dialect; those that need a schema say nothing without one."""
    if DIALECTS[dialect].family == "cypher":
        return CHECKS | OF_SCHEMA
    plain = {name: check for name, check in (CHECKS | OF_SCHEMA).items() if name not in OF_CYPHER}
    if dialect in GOOGLE:
        return plain | OF_GOOGLE
    return plain | OF_VENDORS if dialect in SQL_PGQ else {**plain, "syntax": definitions}


def of_syntax(found: list[Diagnostic], dialect: str) -> list[Diagnostic]:
    """Faults of syntax, with the code that the database of a dialect has for them."""
    if dialect not in SQL_PGQ:
        return found
    from graphir.passes.vendors.check import refused
    from graphir.passes.vendors.vendors import vendor_of

    vendor = vendor_of(dialect)
    return found if vendor is None else refused(found, vendor)


def history(dialect: str, schema: Schema | None) -> History | None:
    """What the statements of a script make, for dialects in which that is followed."""
    if dialect not in SQL_PGQ:
        return None
    from graphir.passes.vendors import check

    return check.history(dialect, schema)


def find_faults(
    query: ir.Query,
    source: Source,
    dialect: str,
    schema: Schema | None = None,
    profile: Profile = LINT,
    before: History | None = None,
) -> list[Diagnostic]:
    """Everything that is wrong with the meaning of a query, in the order of its text.

    `before` is what the statements before it in its script have made.
    """
    dialect = reading(dialect)
    level = level_of(dialect, query.version)
    broken: list[Diagnostic] = []
    if graph_inside(query) is not None:
        broken = list(find_broken_inside(query, source, dialect))
        schema = schema_inside(query, dialect)
    settled = settle(query, dialect, schema)
    catalog = before.catalog if before is not None else None
    context = Context(settled, source, level, schema, profile.options, query, catalog)
    found = [
        graded
        for name, check in checks_of(dialect).items()
        if profile.runs(name)
        for diagnostic in check(settled, context)
        if (graded := profile.grade(name, diagnostic)) is not None
    ]
    return sorted([*broken, *found], key=lambda d: (d.start, d.end, d.code))
