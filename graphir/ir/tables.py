"""Queries in SQL around graph patterns: SELECT, and the tables that it selects from.

Surface only: core has pipelines in their place (`graphir.passes.selects`).  A name in an expression is a column here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir.ir.node import Node, node, note
from graphir.ir.operators import Body, Item

if TYPE_CHECKING:
    from graphir.ir.expressions import Expression, GraphName, ListOf, ValueType
    from graphir.ir.operators import SortKey


class TableExpression(Node):
    """Base of what may stand behind FROM."""

    __slots__ = ()


@node("row-shape")
class RowShape(Node):
    """`ONE ROW PER kind (variables) IN (paths)`.  kind: match, vertex, edge or step."""

    kind: str
    variables: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


@node("moment")
class Moment(Node):
    """`AS OF kind value`: the state of a graph that is asked.  kind: timestamp or scn."""

    kind: str
    value: Expression


@node("graph-table")
class GraphTable(TableExpression):
    """`GRAPH_TABLE ( graph body ) AS alias`.

    COLUMNS is the final projection of the body, and `keyword` remembers it.  `open`: the body is one MATCH and nothing
    says what its columns are.  `columns` are the names that stand behind the alias, `rows` is what ONE ROW PER says,
    `lateral`: the word LATERAL stands before it; `moment`: an earlier state of the graph is asked.
    """

    graph: GraphName
    body: Body
    alias: str | None = None
    open: bool = False
    columns: tuple[str, ...] = ()
    rows: RowShape | None = None
    lateral: bool = False
    moment: Moment | None = None
    keyword: str = note(default="RETURN")


@node("table-name")
class TableName(TableExpression):
    """A table or a common table by its name, part by part."""

    name: tuple[str, ...]
    alias: str | None = None
    columns: tuple[str, ...] = ()


@node("derived-table")
class DerivedTable(TableExpression):
    """`LATERAL ( body ) AS alias ( columns )`."""

    body: Body
    alias: str | None = None
    columns: tuple[str, ...] = ()
    lateral: bool = False


@node("unnest-table")
class UnnestTable(TableExpression):
    """`UNNEST(source) AS alias WITH OFFSET AS offset`, and a path such as `t.list` in the place of a table.

    `ordinality`: the last column is the place of the element, from 1 (`WITH ORDINALITY`).
    """

    source: Expression
    alias: str | None = None
    offset: str | None = None
    columns: tuple[str, ...] = ()
    lateral: bool = False
    ordinality: bool = False


@node("join")
class Join(TableExpression):
    """kind: inner, left, right, full, cross.  `using` None: there is no USING; `natural`: all columns that both have
    are equal.  `keyword` remembers the comma, and APPLY, whose right side sees the left one."""

    kind: str
    left: TableExpression
    right: TableExpression
    on: Expression | None = None
    using: tuple[str, ...] | None = None
    natural: bool = False
    keyword: str = note(default="JOIN")


@node("table-operation")
class TableOperation(TableExpression):
    """What changes a table and has no counterpart in graph queries, kept as text.

    kind: tablesample, pivot, unpivot, match_recognize, call (a table function, without a table), system_time,
    json_table.  The last has in `value` what it reads, where that is the elements of an array as texts or numbers of
    `type`; `names` are the columns, the second of which is their place, from 1.
    """

    kind: str
    table: TableExpression | None
    text: str
    alias: str | None = None
    value: Expression | None = None
    names: tuple[str, ...] = ()
    type: ValueType | None = None


@node("star")
class Star(Node):
    """`*` or `base.*` among the items, without the columns `omitted`, those of `replaced` computed anew."""

    base: Expression | None = None
    omitted: tuple[str, ...] = ()
    replaced: tuple[Item, ...] = ()


@node("grouping")
class Grouping(Node):
    """GROUP BY.  kind: keys (numbers are positions of items), all (GROUP BY ALL), or other: ROLLUP, CUBE and GROUPING
    SETS, kept as text."""

    kind: str
    keys: tuple[Expression, ...] = ()
    text: str = ""


@node("named-window")
class NamedWindow(Node):
    """`name AS (base PARTITION BY partition ORDER BY order frame)` behind WINDOW; `over` is its text behind AS."""

    name: str
    over: str
    base: str | None = None
    partition: tuple[Expression, ...] = ()
    order: tuple[SortKey, ...] = ()
    frame: str = ""


@node("select")
class Select(Body):
    """`SELECT [DISTINCT] items FROM table WHERE where GROUP BY grouping HAVING having QUALIFY qualify`.

    `form` is struct or value for SELECT AS STRUCT and SELECT AS VALUE.  `first_of` are the keys of DISTINCT ON: of the
    rows that agree in them only the first is kept.  `windows` are those of the WINDOW clause.
    `from_first` remembers that FROM stood before SELECT, `bare` that there was no SELECT at all.
    """

    items: tuple[Item | Star, ...]
    table: TableExpression | None = None
    where: Expression | None = None
    grouping: Grouping | None = None
    having: Expression | None = None
    qualify: Expression | None = None
    distinct: bool = False
    form: str | None = None
    windows: tuple[NamedWindow, ...] = ()
    first_of: tuple[Expression, ...] = ()
    from_first: bool = note(default=False)
    bare: bool = note(default=False)


@node("values")
class Values(Body):
    """`VALUES (a, b), (c, d)`: rows, each a list of as many values."""

    rows: tuple[ListOf, ...]


@node("common-table")
class CommonTable(Node):
    """One `name ( columns ) AS ( body )` of WITH.  `materialized` remembers what stood before the bracket."""

    name: str
    body: Body
    columns: tuple[str, ...] = ()
    materialized: str | None = note(default=None)


@node("common-graph")
class CommonGraph(Node):
    """One `name AS PROPERTY GRAPH ( text )` of WITH: a graph for this statement alone."""

    name: str
    text: str


@node("table-query")
class TableQuery(Body):
    """`WITH common body ORDER BY order LIMIT limit OFFSET skip`; numbers among the keys are positions of columns.

    `percent`: the limit is one of a hundred rows; `ties`: rows that sort as the last one come, too.  `brackets`
    remembers that the query stood in parentheses, `fetch` that the limit was written FETCH FIRST.
    """

    body: Body
    common: tuple[CommonTable | CommonGraph, ...] = ()
    recursive: bool = False
    order: tuple[SortKey, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    percent: bool = False
    ties: bool = False
    fetch: bool = note(default=False)
    brackets: bool = note(default=False)


@node("sql-statement")
class SqlStatement(Body):
    """A statement of SQL that is kept as text around its islands: queries, and tables of graphs.

    kind: select, or the words of another statement in lower case (`create view`); access: read or write.  There is one
    part of text more than there are islands.  `stopped` remembers where a query is not read, `unread` the word there.
    """

    kind: str
    access: str
    parts: tuple[str, ...]
    islands: tuple[Body | TableExpression, ...] = ()
    stopped: int = note(default=0)
    unread: str = note(default="")
