"""Terms: expressions that are lowered.  A piece of SQL, how its value lies there, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.reps import Rep
from graphir.frozen import frozen

if TYPE_CHECKING:
    from graphir.backends.sql.scans import End


class Unknown:
    """There is no constant: the value is known only at run time."""


UNKNOWN: Final = Unknown()


class Untyped(str):
    """A text that is of the type of what it is compared with: a day or a moment, or else a string."""

    __slots__ = ()


NO_PROPERTIES: Mapping[str, Term] = {}

LABELS = "\0labels"
TYPE = "\0type"
START = "\0start"
END = "\0end"
"""What an element has beside its properties, as keys of `Term.properties`."""


@frozen
class Term:
    """`sql` has a value of `rep`.

    `constant` is that value where it is known.  `properties` are those of an element that are at hand in the same row;
    `tables`: the names of those that an element can be in, None where nothing is known.  `end`: the node of a row of a
    source that it is.
    """

    sql: Sql
    rep: Rep
    constant: Any = UNKNOWN
    properties: Mapping[str, Term] = field(default_factory=lambda: NO_PROPERTIES)
    present: bool = False
    tables: frozenset[str] | None = None
    end: End | None = None

    def again(self) -> Sql:
        """The SQL for a second use."""
        return build.again(self.sql)

    @property
    def is_cheap(self) -> bool:
        """Whether the SQL may stand several times: a column or a constant."""
        return isinstance(self.sql, _CHEAP) or self.constant is not UNKNOWN or build.is_identity(self.sql)


_CHEAP = (exp.Column, exp.Literal, exp.Null, exp.Boolean, exp.Parameter)
