"""Operators of the Graph-IR: a query is a pipeline of them over a table of bindings.

Surface and core use the same classes.  What core excludes is said here and checked by `graphir.passes.conditions`.
"""

from __future__ import annotations

from graphir.ir.expressions import Entry, Expression, Index, Property
from graphir.ir.node import Node, node, note
from graphir.ir.patterns import LabelDynamic, LabelName, Path


class Operator(Node):
    """Base of the steps of a pipeline: bindings in, bindings out."""

    __slots__ = ()


class Body(Node):
    """Base of what a query, a subquery or a branch of a set operation consists of."""

    __slots__ = ()


# ------------------------------------------------------------------ reading


@node("index-hint")
class IndexHint(Node):
    """`USING [kind] INDEX [SEEK] variable:label(properties)` (kind: index, text, range, point; `seek` as written) or
    `USING SCAN variable:label` (kind scan)."""

    kind: str
    variable: str
    label: str
    properties: tuple[str, ...] = ()
    seek: bool = False


@node("join-hint")
class JoinHint(Node):
    """`USING JOIN ON variables`."""

    variables: tuple[str, ...]


@node("vector-search")
class VectorSearch(Node):
    """`SEARCH variable IN (VECTOR INDEX index FOR query [WHERE where] LIMIT limit) [SCORE AS score]` (Cypher 25)."""

    variable: str
    index: Expression
    query: Expression
    where: Expression | None
    limit: Expression
    score: str | None = None


@node("match")
class Match(Operator):
    """Extend every row by the embeddings of the patterns that satisfy `where`.

    `uniqueness` is the match mode: different_edges (Cypher's default: no edge is bound twice within this operator) or
    repeatable_elements; `stated` remembers that it was written.  `optional` keeps a row without embedding, with nulls.
    """

    paths: tuple[Path, ...]
    where: Expression | None = None
    optional: bool = False
    uniqueness: str = "different_edges"
    hints: tuple[IndexHint | JoinHint, ...] = ()
    search: VectorSearch | None = None
    stated: bool = note(default=False)


@node("filter")
class Filter(Operator):
    """Keep the rows for which the predicate is true."""

    predicate: Expression


@node("item")
class Item(Node):
    """A column.  `name` None: the column is named by its source text, remembered in `text`; core has every name."""

    value: Expression
    name: str | None = None
    text: str | None = note(default=None)


@node("let")
class Let(Operator):
    """Add columns to every row."""

    items: tuple[Item, ...]


@node("unwind")
class Unwind(Operator):
    """One row per element of the list.

    `ordinality` and `offset` (GQL's FOR) name a column with the position, from 1 and from 0.
    """

    source: Expression
    variable: str
    ordinality: str | None = None
    offset: str | None = None


@node("sort-key")
class SortKey(Node):
    """`nulls` is first or last (Cypher: last when ascending, first when descending); `stated` remembers that it was
    written."""

    value: Expression
    descending: bool = False
    nulls: str = "last"
    stated: bool = note(default=False)


@node("project")
class Project(Operator):
    """Replace the columns: Cypher's WITH and RETURN.

    `final` marks RETURN.  `star` keeps every column before the items.  `group_by` are explicit keys (None: grouping is
    implied by the items without an aggregate); `group_all` is GROUP BY ALL: keys are implied, and there is grouping
    even without an aggregate.  Order, page and `where` apply after the projection; sort keys may also use the columns
    from before it where there is no DISTINCT and no aggregate.
    Core: no star, no aggregate inside, no group_by, no group_all, order, skip, limit, where; `Aggregate`, `Order`,
    `Page` and `Filter` stand beside it.
    """

    items: tuple[Item, ...]
    final: bool = False
    star: bool = False
    distinct: bool = False
    group_by: tuple[Expression, ...] | None = None
    order: tuple[SortKey, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    where: Expression | None = None
    group_all: bool = False


@node("aggregate")
class Aggregate(Operator):
    """Group by the keys and compute the aggregates; the columns are the keys, then the aggregates.  Core only.

    No keys: one row, also from no input.  Each aggregate is an aggregating `Apply`.
    """

    keys: tuple[Item, ...]
    aggregates: tuple[Item, ...]


@node("order")
class Order(Operator):
    keys: tuple[SortKey, ...]


@node("page")
class Page(Operator):
    """Skip, then keep at most `limit` rows.  Surface: OFFSET and LIMIT as clauses."""

    skip: Expression | None = None
    limit: Expression | None = None


@node("sample")
class Sample(Operator):
    """`TABLESAMPLE method (size)`: some of the rows, by chance; kept as text."""

    text: str


@node("finish")
class Finish(Operator):
    """End without a result."""


@node("use")
class Use(Operator):
    """`USE graph`: an expression (a name as `Ref` and `Property`, or graph.byName(..))."""

    graph: Expression


@node("load-csv")
class LoadCsv(Operator):
    source: Expression
    variable: str
    headers: bool = False
    terminator: str | None = None


# ------------------------------------------------------------------ calls


@node("yield-item")
class YieldItem(Node):
    name: str
    alias: str | None = None


@node("procedure-call")
class ProcedureCall(Operator):
    """`CALL name(args) YIELD yields WHERE where`.

    `args` None: called without parentheses; `yields` None: no YIELD; `star`: YIELD *.  `per` (GoogleSQL's `CALL PER
    (columns)`): called once for each group of rows that agree in these columns.
    """

    name: tuple[str, ...]
    args: tuple[Expression, ...] | None = ()
    yields: tuple[YieldItem, ...] | None = None
    star: bool = False
    where: Expression | None = None
    optional: bool = False
    per: tuple[str, ...] | None = None


@node("transactions")
class Transactions(Node):
    """`IN [n] CONCURRENT TRANSACTIONS OF batch ROWS ON ERROR RETRY|CONTINUE|BREAK|FAIL REPORT STATUS AS report`.

    `concurrent` with `concurrency` None leaves the number to the server; `retry`: retry first (for `retry_seconds`),
    then do `on_error` (continue, break, fail or None).
    """

    batch: Expression | None = None
    concurrent: bool = False
    concurrency: Expression | None = None
    retry: bool = False
    retry_seconds: Expression | None = None
    on_error: str | None = None
    report: str | None = None


@node("subquery-call")
class SubqueryCall(Operator):
    """`CALL (imports) { body }`.

    `imports` None: the old form, whose body imports by a leading WITH; `star`: `CALL (*)`.
    """

    body: Body
    imports: tuple[str, ...] | None = ()
    star: bool = False
    optional: bool = False
    transactions: Transactions | None = None


# ------------------------------------------------------------------ writing


@node("insert")
class Insert(Operator):
    """CREATE; `keyword` remembers the spelling INSERT, which takes GQL's label forms only."""

    paths: tuple[Path, ...]
    keyword: str = note(default="CREATE")


@node("set-property")
class SetProperty(Node):
    """`target = value`; the target is a `Property` or, with a dynamic name, an `Index`."""

    target: Property | Index
    value: Expression


@node("set-properties")
class SetProperties(Node):
    """`target = map` (all properties are replaced) or, with `merge`, `target += map`."""

    target: Expression
    value: Expression
    merge: bool = False


@node("set-labels")
class SetLabels(Node):
    """`target:A:$(b)`; `keyword` remembers `IS`."""

    target: Expression
    labels: tuple[LabelName | LabelDynamic, ...]
    keyword: str = note(default=":")


SetItem = SetProperty | SetProperties | SetLabels


@node("set")
class Set(Operator):
    """In core one item after the other: a value reads what the items before have set.  Dialects differ in that."""

    items: tuple[SetItem, ...]


@node("merge-action")
class MergeAction(Node):
    """`ON CREATE SET` or `ON MATCH SET`: event is create or match."""

    event: str
    items: tuple[SetItem, ...]


@node("merge")
class Merge(Operator):
    path: Path
    actions: tuple[MergeAction, ...] = ()


@node("remove-property")
class RemoveProperty(Node):
    target: Property | Index


@node("remove-labels")
class RemoveLabels(Node):
    target: Expression
    labels: tuple[LabelName | LabelDynamic, ...]
    keyword: str = note(default=":")


@node("remove")
class Remove(Operator):
    items: tuple[RemoveProperty | RemoveLabels, ...]


@node("delete")
class Delete(Operator):
    """mode: detach (edges go too) or nodetach (an error while edges are left; Cypher's default)."""

    items: tuple[Expression, ...]
    mode: str = "nodetach"


@node("foreach")
class Foreach(Operator):
    variable: str
    source: Expression
    body: tuple[Operator, ...]


# ------------------------------------------------------------------ composition


@node("pipeline")
class Pipeline(Body):
    operators: tuple[Operator, ...]


@node("set-operation")
class SetOperation(Body):
    """kind: union, except, intersect, otherwise.

    A run of the same kind and `distinct` is one node with many branches.  `columns` says how columns of the branches
    meet: by position (with the same names, as Cypher wants them), by name (the same names in any order), or by name
    with those that not all have: full, outer, left, inner (GoogleSQL's column propagation).
    """

    kind: str
    distinct: bool
    branches: tuple[Body, ...]
    columns: str = "position"


@node("next")
class Next(Body):
    """`part NEXT part ..`: each part works on the rows of the one before."""

    parts: tuple[Body, ...]


@node("when")
class When(Node):
    """`WHEN condition THEN body`; the ELSE branch has no condition."""

    condition: Expression | None
    body: Body


@node("conditional")
class Conditional(Body):
    """`WHEN .. THEN .. ELSE ..` of Cypher 25: the first branch whose condition is true runs."""

    branches: tuple[When, ...]


@node("command")
class Command(Body):
    """An index, constraint, SHOW, database or user command, kept as text.

    kind: its words in lower case (`create index`, `show databases`); access: read or write.
    calls: the functions of plugins that its text calls, as they are written there; further: the kinds of the SHOW
    commands that are combined with it (`SHOW INDEXES YIELD name SHOW SETTINGS ..`).
    """

    kind: str
    access: str
    text: str
    calls: tuple[str, ...] = ()
    further: tuple[str, ...] = ()


@node("sql")
class Sql(Body):
    """A query in SQL inside of a graph query, kept as text."""

    text: str


@node("query")
class Query(Node):
    """A statement.

    `execution` is explain, profile or None; `version` and `options` come from a prefix (`CYPHER 25 runtime=slotted`).
    `columns` are the names of the result's columns, by position, where those of the body are not what is shown: SQL has
    columns of the same name and without one ("").  `zone` is the time zone of moments that are written, or taken apart,
    without one, where it is not that of Spanner (America/Los_Angeles).
    """

    body: Body
    execution: str | None = None
    version: str | None = None
    options: tuple[Entry, ...] = ()
    columns: tuple[str, ...] | None = None
    zone: str | None = None
