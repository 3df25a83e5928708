"""Pieces of SQLite's SQL that its rules share: calls, faults, and pieces that are computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.targets.target import Rewriting

NOT_A_NUMBER = "there is no value for NaN, nor for what a float divided by zero is"
"""What the fault says of floats that SQLite makes null."""
NO_FLOATS = "there is no exact form of floats from a subquery that runs for every row"

_FEW = 12
"""Nodes of a piece that may as well stand several times."""


def call(name: str, *arguments: Sql) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


def fault(told: str) -> Sql:
    """A value that is an error, with the words in its message: a path into JSON that is none.

    It is looked at only where it stands in a branch of CASE or behind COALESCE.
    """
    return call("JSON_EXTRACT", exp.Literal.string("{}"), exp.Literal.string(told))


def is_real(piece: Sql) -> Sql:
    """Whether a value is a float."""
    return build.equal(call("TYPEOF", piece), exp.Literal.string("real"))


def held(pieces: Sequence[Sql], make: Callable[[list[Sql]], Sql], rewriting: Rewriting) -> Sql:
    """What is made of pieces that it mentions several times.

    Larger ones become columns of a row, so that the text does not double with every operation in another; aggregates
    cannot, they would be another query's.
    """
    if all(_is_small(piece) or piece.find(exp.AggFunc) for piece in pieces):
        return make(list(pieces))
    row = rewriting.fresh("h")
    names = [f"v{at}" for at in range(len(pieces))]
    listed = [build.alias(piece, name) for piece, name in zip(pieces, names, strict=True)]
    source = build.derived(build.select(listed), row)
    return build.scalar(build.select([make([build.column(name, row) for name in names])], [source]))


def _is_small(piece: Sql) -> bool:
    return all(at < _FEW and not isinstance(node, exp.Select) for at, node in enumerate(piece.walk()))
