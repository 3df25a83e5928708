"""What one translation to GoogleSQL is about: the dialect, the tables of the graph where they are known, what the user
chose, and where refusals and notes go."""

from __future__ import annotations

from typing import Literal

from graphir.backends.gql.features import Report
from graphir.backends.gql.graph import SchemaGraph
from graphir.frozen import frozen

Shown = Literal["expand", "json", "refuse"]


@frozen
class Options:
    """What a translation may do about things that the target does not have.

    `elements`: what becomes of nodes, relationships and paths in a result.  expand: a column for the identity and one
    for each property; json: a column of JSON; refuse: the query is refused.  `max_hops`: the number of repetitions at
    which a repetition without an upper bound stops.
    """

    elements: Shown = "expand"
    max_hops: int | None = None


@frozen
class Setting:
    """`graph` None: nothing is known of the tables."""

    report: Report
    graph: SchemaGraph | None = None
    options: Options = Options()

    @property
    def in_select(self) -> bool:
        """Whether the graph query is a table of a SELECT."""
        return self.report.target == "pgq-googlesql"

    @property
    def unbounded(self) -> bool:
        """Whether the dialect repeats without an upper bound."""
        return self.report.target == "gql-bigquery"

    @property
    def has_datetime(self) -> bool:
        """Whether the dialect has a type for dates and times without a zone; else they are points in time in UTC."""
        return self.report.target == "gql-bigquery"
