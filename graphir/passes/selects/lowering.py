"""Queries in SQL as pipelines: each SELECT becomes steps over a table of bindings, each name a variable of its own.

Every column gets a made-up variable, so that nothing of one table hides what another has; what the columns are called
comes last.  Nested bodies run on the trampoline of `graphir.passes.steps`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Unsupported, diagnose
from graphir.dialects import SQL_PGQ
from graphir.ir import (
    Apply,
    Body,
    Expression,
    Item,
    Node,
    Order,
    Page,
    Pipeline,
    Project,
    Property,
    Query,
    Ref,
    Select,
    SetOperation,
    SortKey,
    Sql,
    SqlStatement,
    Subquery,
    SubqueryCall,
    TableQuery,
    Values,
)
from graphir.ir.names import is_generated
from graphir.passes.aggregates import find_aggregates
from graphir.passes.gql.graphs import graph_of
from graphir.passes.names import Maker, names_in
from graphir.passes.selects.aliases import Aliases
from graphir.passes.selects.elements import SPREADING, Shapes
from graphir.passes.selects.grouping import Grouped, find_position, require_no_aggregate, substitute
from graphir.passes.selects.meaning import as_typed, in_words_of_ir
from graphir.passes.selects.operators import ORACLE
from graphir.passes.selects.recursions import is_recursive
from graphir.passes.selects.scopes import Column, Common, NoGraphQuery, Origin, Scope, Table, origins_of
from graphir.passes.selects.tables import Tables, spliced
from graphir.passes.selects.unions import united
from graphir.passes.selects.unused import without_unused
from graphir.passes.selects.windows import Windows, without_names
from graphir.passes.steps import Step, run
from graphir.source import Source, Span

if TYPE_CHECKING:
    from graphir.schema import Schema

TIMES = 16
"""How many times as long as the query all uses of common tables may be, which are written out."""
OF_SQL = (Select, TableQuery, Sql, SqlStatement, Values)


def has_sql(query: Node) -> bool:
    """Whether there is SQL anywhere."""
    return any(isinstance(node, OF_SQL) for node in ir.walk(query))


def is_sql(body: Body) -> bool:
    """Whether a body is a query in SQL."""
    while isinstance(body, SetOperation):
        body = body.branches[0]
    return isinstance(body, OF_SQL)


def lower_selects(query: Query, dialect: str = "pgq-googlesql", schema: Schema | None = None) -> Query:
    """The query without SQL.  Raises NoGraphQuery where its SQL is no graph query.

    A schema tells which columns the properties of an element are.
    """
    if not has_sql(query):
        return query
    query = in_words_of_ir(query, dialect, schema)
    lowering = Lowering(query, Shapes(schema, spread=dialect in SPREADING), dialect=dialect)
    if not is_sql(query.body):
        known = frozenset([name.lower() for name in _bound(query.body)])
        query = replace(query, body=run(lowering.resolve(query.body, Scope(known=known))))
        return as_typed(query, dialect, schema)
    made: Lowered = run(lowering.body(query.body, Scope()))
    shown = [column.name or "" for column in made.columns]
    folded = [name.lower() for name in shown]
    names = [
        name if name and folded.count(name.lower()) == 1 else column.variable
        for name, column in zip(shown, made.columns, strict=True)
    ]
    left = next((node for node in ir.walk(made.body) if isinstance(node, ir.Window)), None)
    if left is not None:
        raise NoGraphQuery("OVER has no counterpart in graph queries here", left.span)
    columns = None if names == shown else tuple(shown)
    query = replace(query, body=with_columns(made.body, names), columns=columns)
    if lowering.has_recursion:
        query = without_unused(query)
    return as_typed(query, dialect, schema)


def without_sql(query: Query, dialect: str = "pgq-googlesql", schema: Schema | None = None) -> Query:
    """The query without SQL, where all of it is a graph query; else as it is."""
    try:
        return lower_selects(query, dialect, schema)
    except NoGraphQuery:
        return query


def require_graph_query(
    query: Query, source: Source, dialect: str = "pgq-googlesql", schema: Schema | None = None
) -> Query:
    """The query without SQL.  Raises Unsupported (G580, G582) where its SQL is no graph query."""
    try:
        return lower_selects(query, dialect, schema)
    except NoGraphQuery as refused:
        told = f"this SQL is no graph query: {refused.reason}"
        raise Unsupported([diagnose(source, refused.code, told, refused.span)], feature="sql") from None


def _kept(statement: SqlStatement) -> str:
    """Why a statement that is kept as text is none."""
    if statement.kind == "select":
        told = "the SQL around its graph tables is kept as it stands"
        return f"`{statement.unread}` is not read here, and {told}" if statement.unread else f"{told}, not read"
    return f"{statement.kind.upper()} is a statement around a query"


def _unread(statement: SqlStatement) -> Span | None:
    """Where a query that is kept as text is not read."""
    if not statement.unread:
        return None
    return Span(statement.stopped, statement.stopped + len(statement.unread))


@dataclass(frozen=True, slots=True)
class Lowered:
    """A query in SQL as a body that returns its columns under their variables; `free` is what it reads from around."""

    body: Body
    columns: tuple[Column, ...]
    free: frozenset[str]


@dataclass(frozen=True, slots=True)
class Paging:
    """ORDER BY, OFFSET and LIMIT around a query."""

    order: tuple[SortKey, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None

    def __bool__(self) -> bool:
        return bool(self.order) or self.skip is not None or self.limit is not None


class Lowering(Tables):
    """The lowering of one statement."""

    def __init__(self, query: Query, shapes: Shapes, *, dialect: str) -> None:
        self.maker = Maker(query)
        self.shapes = shapes
        self.dialect = dialect
        self.is_strict = dialect in SQL_PGQ
        self.has_recursion = False
        self.is_one_graph = graph_of(query) is not None
        self.origins: dict[str, tuple[Origin, ...]] = {}
        self.room = TIMES * sum(1 for _ in ir.walk(query))

    # -------------------------------------------------------------- bodies

    def body(self, body: Body, outer: Scope, paging: Paging = Paging()) -> Step:
        """A query that sees `outer`, as a `Lowered`."""
        match body:
            case Select():
                return self.select(body, outer, paging)
            case TableQuery():
                return self.table_query(body, outer)
            case SetOperation():
                return self.set_operation(body, outer)
            case Values():
                return self.values(body, outer)
            case SqlStatement():
                raise NoGraphQuery(_kept(body), _unread(body) or body.span, "G582")
        raise NoGraphQuery("SQL behind `|>` is not read", body.span)

    def values(self, values: Values, outer: Scope) -> Step:
        """Rows that are written out: of each column a list, of which each row takes its element."""
        rows: list[ir.ListOf] = []
        for each in values.rows:
            rows.append((yield self.resolve(each, outer)))
        first = 0 if self.dialect == "pgq-duckpgq" else 1
        word = "col" if self.dialect == "pgq-duckpgq" else "column"
        lists = [ir.ListOf(column, span=values.span) for column in zip(*[row.items for row in rows], strict=True)]
        columns = [Column(f"{word}{at}", self.maker.make("c")) for at in range(first, first + len(lists))]
        row = Ref(self.maker.make("v"))
        if len(lists) == 1:
            source: Expression = lists[0]
            cells: list[Expression] = [row]
        else:
            source = Apply("range", (ir.Literal(0), ir.Literal(len(rows) - 1)), span=values.span)
            cells = [ir.Index(each, row, span=values.span) for each in lists]
        items = [Item(cell, each.variable, span=values.span) for cell, each in zip(cells, columns, strict=True)]
        operators = (ir.Unwind(source, row.name, span=values.span), Project(tuple(items), True, span=values.span))
        return Lowered(Pipeline(operators, span=values.span), tuple(columns), outer.free())

    def table_query(self, query: TableQuery, outer: Scope) -> Step:
        scope = Scope(outer)
        may_recur = query.recursive or self.dialect in ORACLE
        for table in query.common:
            if isinstance(table, ir.CommonTable):
                seen = replace(scope, common=dict(scope.common))
                recursive = may_recur and is_recursive(table)
                scope.common[table.name.lower()] = Common(table.body, seen, table.columns, recursive=recursive)
        paging = Paging(query.order, query.skip, query.limit)
        if isinstance(query.body, Select):
            made: Lowered = yield self.body(query.body, scope, paging)
            return replace(made, free=made.free | scope.free())
        made = yield self.body(query.body, scope)
        return made if not paging else (yield self.paged(made, scope, paging, query))

    def paged(self, made: Lowered, outer: Scope, paging: Paging, query: TableQuery) -> Step:
        """A set operation in order, or a page of it."""
        scope = Scope(outer, [Table(None, list(made.columns))])
        values = [Ref(column.variable) for column in made.columns]
        keys = []
        for key in paging.order:
            at = find_position(key.value, len(values))
            value = values[at] if at is not None else (yield self.resolve(key.value, scope))
            keys.append(replace(key, value=value))
        operators: list[ir.Operator] = [SubqueryCall(made.body, tuple(sorted(made.free)), span=query.span)]
        operators += _sorted_page(keys, paging, query)
        operators.append(Project(tuple([Item(value, value.name) for value in values]), True, span=query.span))
        return Lowered(Pipeline(tuple(operators), span=query.span), made.columns, made.free | scope.free())

    def set_operation(self, operation: SetOperation, outer: Scope) -> Step:
        branches: list[Lowered] = []
        for branch in operation.branches:
            branches.append((yield self.body(branch, outer)))
        columns = branches[0].columns
        names = [column.variable for column in columns]
        if any(len(each.columns) != len(columns) for each in branches):
            raise NoGraphQuery("the queries of a set operation have different numbers of columns", operation.span)
        bodies = tuple([with_columns(each.body, names) for each in branches])
        for at, column in enumerate(columns):
            found = [self.origins.get(each.columns[at].variable, ()) for each in branches]
            self.origins[column.variable] = tuple([origin for each in found for origin in each]) if all(found) else ()
        free = frozenset[str]().union(*[each.free for each in branches])
        if operation.kind == "union" and not operation.distinct and not free:
            alike = united(bodies, names, self.shapes.schema, self.maker)
            if alike is not None:
                return Lowered(alike, columns, free)
        return Lowered(replace(operation, branches=bodies, columns="position"), columns, free)

    # -------------------------------------------------------------- SELECT

    def select(self, select: Select, outer: Scope, paging: Paging) -> Step:
        if select.windows:
            select, order = without_names(select, paging.order)
            paging = replace(paging, order=order)
        scope = Scope(outer, asked=select.where)
        operators: list[ir.Operator] = []
        if select.table is not None:
            operators += spliced((yield self.table(select.table, scope)), scope.taken())
        if select.where is not None:
            where = yield self.resolve(select.where, scope)
            if self.is_strict and (found := next(iter(find_aggregates(where)), None)) is not None:
                raise NoGraphQuery("an aggregate stands in WHERE, where rows are not grouped yet", found.span)
            operators.append(ir.Filter(where, span=select.where.span))
        items: list[Item] = yield self.items(select, scope)
        aliases = Aliases(items, scope, self.dialect)
        keys: list[SortKey] = []
        for key in paging.order:
            at = find_position(key.value, len(items))
            value = items[at].value if at is not None else (yield self.sorted_by(key.value, scope, aliases))
            keys.append(replace(key, value=value))
        having = None
        if select.having is not None:
            having = yield self.resolve(select.having, scope, aliases.beside_columns(select.having, "HAVING"))
        grouping = yield self.group_keys(select, scope, items, aliases)
        windows = Windows(self.maker)
        items = [replace(item, value=windows.taken(item.value)) for item in items]
        keys = [replace(key, value=windows.taken(key.value)) for key in keys]
        kept = yield self.kept(select, scope, items, aliases, windows, keys)
        values = [*[item.value for item in items], *[key.value for key in keys], having, kept, *windows.parts()]
        grouped = Grouped(self.maker, grouping, values)
        if grouped:
            operators.append(grouped.projection(select.span))
            own = frozenset([column.variable for table in scope.tables for column in table.columns])
            items = [replace(item, value=grouped.after(item.value, own)) for item in items]
            keys = [replace(key, value=grouped.after(key.value, own)) for key in keys]
            kept = None if kept is None else grouped.after(kept, own)
            windows.replace(lambda part: grouped.after(part, own))
            if having is not None:
                operators.append(ir.Filter(grouped.after(having, own), span=having.span))
        elif having is not None:
            raise NoGraphQuery("HAVING stands without GROUP BY and without an aggregate", having.span)
        read = [*[item.value for item in items], *[key.value for key in keys], *([] if kept is None else [kept])]
        operators += windows.operators(read)
        if kept is not None:
            operators.append(ir.Filter(kept, span=kept.span))
        columns = [Column(item.name, self.maker.make("c")) for item in self.formed(select, items)]
        for item, column in zip(items, columns, strict=False):
            self.origins[column.variable] = origins_of(item.value, self.origins)
        operators += self.projected(select, self.formed(select, items), columns, keys, paging)
        return Lowered(Pipeline(tuple(operators), span=select.span), tuple(columns), scope.free())

    def items(self, select: Select, scope: Scope) -> Step:
        """The items with their stars written out."""
        found: list[Item] = []
        for item in select.items:
            if isinstance(item, ir.Star):
                found += yield self.star(item, scope)
                continue
            value = yield self.resolve(item.value, scope)
            found.append(Item(value, item.name, text=item.text, span=item.span))
        if not found:
            raise NoGraphQuery("there is no column", select.span)
        return found

    def kept(
        self,
        select: Select,
        scope: Scope,
        items: Sequence[Item],
        aliases: Aliases,
        windows: Windows,
        keys: Sequence[SortKey],
    ) -> Step:
        """What QUALIFY asks of the rows, and DISTINCT ON, which keeps the first of each group; None without them."""
        found: list[Expression] = []
        if select.qualify is not None:
            test = yield self.resolve(select.qualify, scope, aliases.beside_columns(select.qualify, "QUALIFY"))
            found.append(windows.taken(test))
        if select.first_of:
            parts: list[Expression] = []
            for key in select.first_of:
                at = find_position(key, len(items))
                named = aliases.beside_columns(key, "DISTINCT ON")
                parts.append(items[at].value if at is not None else (yield self.resolve(key, scope, named)))
            found.append(windows.first(tuple(parts), tuple(keys), select.span))
        if len(found) < 2:
            return found[0] if found else None
        return Apply("and", tuple(found), span=select.span)

    def star(self, star: ir.Star, scope: Scope) -> Step:
        tables = scope.tables
        if star.base is not None:
            table = scope.table(star.base.name) if isinstance(star.base, Ref) else None
            if table is None or table.is_value:
                raise NoGraphQuery("the fields of a value are no columns of a graph query", star.span)
            tables = [table]
        scope.require_known(tables, star.span)
        omitted = {name.lower() for name in star.omitted}
        replaced: dict[str, Expression] = {}
        for item in star.replaced:
            replaced[(item.name or "").lower()] = yield self.resolve(item.value, scope)
        found: list[Item] = []
        for table in tables:
            for column in table.columns:
                folded = (column.name or "").lower()
                if folded in omitted or (column.hidden and star.base is None):
                    continue
                scope.reads.add(column.variable)
                value = replaced.get(folded, Ref(column.variable, span=star.span))
                found.append(Item(value, column.name, span=star.span))
        return found

    def group_keys(self, select: Select, scope: Scope, items: Sequence[Item], aliases: Aliases) -> Step:
        """The keys of GROUP BY; None without it."""
        grouping = select.grouping
        if grouping is None:
            return None
        if grouping.kind == "other":
            raise NoGraphQuery("ROLLUP, CUBE and GROUPING SETS have no counterpart in graph queries", grouping.span)
        if grouping.kind == "all":
            from graphir.passes.aggregates import find_aggregates

            return [item.value for item in items if not find_aggregates(item.value)]
        keys: list[Expression] = []
        for key in grouping.keys:
            at = find_position(key, len(items))
            if at is None:
                keys.append((yield self.resolve(key, scope, aliases.beside_columns(key, "GROUP BY"))))
            else:
                keys.append(items[at].value)
            require_no_aggregate(keys[-1], key.span)
        return keys

    def sorted_by(self, key: Expression, scope: Scope, aliases: Aliases) -> Step:
        """A key of ORDER BY: a name alone is that of a column of the result, if there is one."""
        named = aliases.alone(key) if isinstance(key, Ref) else aliases.beside_columns(key, "ORDER BY")
        return self.resolve(key, scope, named)

    def formed(self, select: Select, items: Sequence[Item]) -> Sequence[Item]:
        """The columns that SELECT AS STRUCT or AS VALUE makes of the items."""
        if select.form == "struct":
            fields = tuple([ir.Named(item.name, item.value, span=item.span) for item in items])
            return [Item(ir.Struct(fields, span=select.span), None, span=select.span)]
        if select.form == "value" and len(items) != 1:
            raise NoGraphQuery("SELECT AS VALUE has one column", select.span)
        return [replace(item, name=None) for item in items] if select.form == "value" else items

    def projected(
        self, select: Select, items: Sequence[Item], columns: Sequence[Column], keys: Sequence[SortKey], paging: Paging
    ) -> Iterator[ir.Operator]:
        """The last steps: the columns, sorted and cut."""
        listed = [replace(item, name=column.variable) for item, column in zip(items, columns, strict=True)]
        if not paging:
            yield Project(tuple(listed), True, distinct=select.distinct, span=select.span)
            return
        by_value = [(item.value, Ref(column.variable)) for item, column in zip(items, columns, strict=True)]
        hidden: list[Item] = []
        sorting: list[SortKey] = []
        for key in keys:
            value = substitute(key.value, by_value)
            if select.distinct and any(_is_column_of(node, by_value) for node in ir.walk(value)):
                raise NoGraphQuery("behind DISTINCT only what is selected can be sorted by", key.span)
            if not select.distinct and value not in [ref for _, ref in by_value]:
                hidden.append(Item(key.value, self.maker.make("s"), span=key.span))
                value = Ref(hidden[-1].name or "", span=key.span)
            sorting.append(replace(key, value=value))
        yield Project((*listed, *hidden), distinct=select.distinct, span=select.span)
        yield from _sorted_page(sorting, paging, select)
        final = [Item(Ref(column.variable), column.variable, span=select.span) for column in columns]
        yield Project(tuple(final), True, span=select.span)

    # -------------------------------------------------------------- names

    def column(self, ref: Ref, scope: Scope) -> Expression | None:
        """What a name stands for.  One that nothing has is for the analyzer of GoogleSQL to tell, and is refused in
        other dialects: it may be a function without brackets, or a column that the database makes up."""
        found = scope.find(ref)
        if found is None and self.is_strict and ref.name not in scope.reads and not is_generated(ref.name):
            raise NoGraphQuery(f"`{ref.name}` is no column that is known", ref.span)
        return found

    def resolve(self, node: Node, scope: Scope, aliases: Mapping[str, Expression] | None = None) -> Step:
        """An expression, or a graph query, with variables in place of the columns that it names."""
        lowered: dict[int, Node] = {}
        bound = frozenset([name.lower() for name in _bound(node)])
        around = Scope(scope, known=bound) if bound else scope
        for subquery in _subqueries(node):
            made: Lowered = yield self.body(subquery.body, around)
            scope.reads |= {name for name in made.free if name.lower() not in bound}
            lowered[id(subquery)] = replace(subquery, body=made.body)
        named = aliases or {}

        def choose(part: Node) -> Node | None:
            if id(part) in lowered:
                return lowered[id(part)]
            if isinstance(part, Ref) and part.name.lower() not in bound:
                return named.get(part.name.lower()) or self.column(part, scope)
            if isinstance(part, Property) and isinstance(part.base, Ref) and part.base.name.lower() not in bound:
                return scope.find_in(part.base.name, part.key, part.span)
            return None

        def imported(part: Node) -> Node:
            if not isinstance(part, SubqueryCall) or not part.imports:
                return part
            found = [None if name.lower() in bound else scope.find(Ref(name)) for name in part.imports]
            names = [
                each.name if isinstance(each, Ref) else name for name, each in zip(part.imports, found, strict=True)
            ]
            return replace(part, imports=tuple(names))

        return ir.rewrite(ir.rewrite_down(node, choose), imported)


def _is_column_of(node: Node, columns: Sequence[tuple[Expression, Ref]]) -> bool:
    """Whether it is a variable that is none of the columns."""
    return isinstance(node, Ref) and node not in [ref for _, ref in columns]


def _sorted_page(keys: Sequence[SortKey], paging: Paging, around: Node) -> Iterator[ir.Operator]:
    if keys:
        yield Order(tuple(keys), span=around.span)
    if paging.skip is not None or paging.limit is not None:
        yield Page(paging.skip, paging.limit, span=around.span)


def _subqueries(node: Node) -> Iterator[Subquery]:
    """The outermost subqueries in SQL."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, Subquery) and is_sql(current.body):
            yield current
        else:
            pending.extend(reversed(ir.children(current)))


def _bound(node: Node) -> Iterator[str]:
    """The names that are bound anywhere below, outside of SQL."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, Subquery) and is_sql(current.body):
            continue
        if not isinstance(current, SubqueryCall):
            yield from names_in(current)
        if isinstance(current, ir.Lambda):
            yield from current.parameters
        pending.extend(ir.children(current))


def with_columns(body: Body, names: Sequence[str]) -> Body:
    """A lowered body that returns its columns under other names."""
    if isinstance(body, SetOperation):
        return replace(body, branches=tuple([with_columns(branch, names) for branch in body.branches]))
    assert isinstance(body, Pipeline)
    last = body.operators[-1]
    assert isinstance(last, Project)
    items = tuple([replace(item, name=name) for item, name in zip(last.items, names, strict=True)])
    return replace(body, operators=(*body.operators[:-1], replace(last, items=items)))
