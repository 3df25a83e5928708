"""Where things stand: what surrounds a body, and what surrounds an expression."""

from __future__ import annotations

from dataclasses import dataclass

from graphir import ir


@dataclass(frozen=True, slots=True)
class Place:
    """Where a body stands.

    `kind`: query, call, branch (of WHEN), foreach, or the kind of a subquery expression.  `imports`: a leading WITH
    brings variables in.  `open_end`: it need not end with RETURN.  `reading`: the subquery expression around, which
    may not write.  `nested`, `united`: inside of a CALL or a branch, of a UNION.  `written`: something was written
    before.
    """

    kind: str = "query"
    imports: bool = False
    open_end: bool = False
    reading: ir.Subquery | None = None
    nested: bool = False
    united: bool = False
    written: bool = False


QUERY = Place()


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """Where an expression stands, as far as aggregates are concerned.

    `aggregates`: they may stand here; `nested`: this is the argument of one.
    """

    name: str
    aggregates: bool = False
    nested: bool = False
    hint: str | None = None


_FIRST = "aggregate in a WITH before: WITH .., {} AS total"

COLUMN = Mode("a column", aggregates=True)
SORT = Mode("ORDER BY", aggregates=True)
FILTERED = Mode("WHERE", aggregates=True)
"""WHERE of a WITH."""
ARGUMENT = Mode("an aggregate", nested=True)
WHERE = Mode("WHERE", hint=_FIRST + " WHERE total ..")
PATTERN = Mode("a pattern", hint=_FIRST)
LIST = Mode("an expression over a list", hint=_FIRST)
WRITE = Mode("a clause that writes", hint=_FIRST)
VALUE = Mode("this clause", hint=_FIRST)
PAGE = Mode("SKIP and LIMIT", hint="the number of rows must be known before the query runs; use a parameter")
KEY = Mode("GROUP BY")
