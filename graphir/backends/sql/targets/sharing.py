"""Each operand once, for rules of targets (`backends/sql/sharing.py` says why)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.model import pattern_of
from graphir.backends.sql.sharing import is_small
from graphir.backends.sql.targets.target import Rewriting


def once(node: Sql, pieces: Sequence[Sql], make: Callable[..., Sql], rewriting: Rewriting) -> Sql:
    """What `make` makes of pieces of a node, which it may copy: one that is not small is a column of a query around it.

    An aggregate stays where its rows are, and no query stands in a graph pattern: there pieces are copied.
    """
    if rewriting.target.abilities.lambdas:
        return _applied(pieces, make, rewriting)
    if all(map(is_small, pieces)) or not may_be_queried(node, pieces):
        return make(*pieces)
    columns, given = as_columns(pieces, rewriting, lambda piece, column: (piece, column))
    inner = build.held(columns, rewriting.fresh("u"))
    rule = rewriting.target.nodes.get(exp.Select)
    if rule is not None:
        inner.set("this", rule(inner.this, rewriting))
    return build.scalar(build.select([make(*given)], [inner]))


def as_columns(
    pieces: Sequence[Sql], rewriting: Rewriting, hold: Callable[[Sql, Sql], tuple[Sql, Sql]]
) -> tuple[list[Sql], list[Sql]]:
    """Columns for the pieces that are not small, and what stands in the place of each piece.

    `hold`: a piece and its column -> what the column has, and what gives the piece back.
    """
    columns: list[Sql] = []
    given: list[Sql] = []
    for piece in pieces:
        if is_small(piece):
            given.append(piece)
            continue
        name = rewriting.fresh("v")
        value, read = hold(piece, build.column(name))
        columns.append(build.alias(value, name))
        given.append(read)
    return columns, given


def _applied(pieces: Sequence[Sql], make: Callable[..., Sql], rewriting: Rewriting) -> Sql:
    """The same where lists have functions: the element of a list of one that a function is applied to.  A piece with a
    query in it is held, too, for no function has one inside."""
    names = {
        at: rewriting.fresh("v")
        for at, piece in enumerate(pieces)
        if not is_small(piece) or piece.find(exp.Select) is not None
    }
    made = make(*[build.column(names[at]) if at in names else piece for at, piece in enumerate(pieces)])
    for at, name in names.items():
        listed = build.call("transform", build.array([pieces[at]]), build.function(name, made))
        made = build.call("element_at", listed, build.number(1))
        if len(names) > 1 and any(pieces[other].find(exp.Select) for other in names):
            rewriting.refuse("this arithmetic on the results of subqueries")
    return made


def may_be_queried(node: Sql, pieces: Sequence[Sql]) -> bool:
    """Whether pieces of a node may become columns of a query: no aggregate stands in them, but in a query of its own,
    and the node in no graph pattern."""
    if any(map(build.aggregates, pieces)):
        return False
    at: Sql | None = node
    while at is not None and not isinstance(at, exp.Query):
        if pattern_of(at) is not None:
            return False
        at = at.parent
    return True
