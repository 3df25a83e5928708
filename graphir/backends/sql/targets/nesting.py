"""How far queries inside of queries may reach: a check of a finished statement, for targets that allow less than SQL.

The names of sources and columns are those of the lowering: each is the only one of its name where it can be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from graphir.backends.sql.build import Sql
from graphir.backends.sql.targets.target import Rewriting


@dataclass(frozen=True, slots=True)
class Nesting:
    """What a target allows.

    `depth`: how many queries outwards a subquery may read columns.  `keys`: whether GROUP BY and ORDER BY may have
    queries in them.  `aggregates`: whether a query that aggregates may have columns from outside beside its aggregates.
    `recursion`: whether a recursive query may read columns from outside.  `chosen`: whether one may begin at rows that
    are a choice (LIMIT), which a target may make anew for each use of a common table.  `twice`: whether any common
    table with such rows may be read more than once.
    """

    depth: int | None = None
    keys: bool = True
    aggregates: bool = True
    recursion: bool = True
    chosen: bool = True
    twice: bool = True


def check(statement: Sql, allowed: Nesting) -> str | None:
    """What in a statement is not allowed, in words of the user; None: nothing."""
    if not allowed.keys:
        for keys in statement.find_all(exp.Group, exp.Order):
            if keys.find(exp.Select):
                return "grouping or sorting by the result of a subquery"
    tables = {each.alias: each for each in statement.find_all(exp.CTE)}
    if not allowed.chosen and _is_choice([each for each in tables.values() if _is_recursive(each)], tables):
        return "rows that LIMIT chose as the start of a path that repeats an edge"
    if not allowed.twice and _is_choice(_read_twice(statement, tables), tables):
        return "rows that are limited, or a list, and then used more than once"
    names = _Names()
    for column in statement.find_all(exp.Column):
        told = _objection(names.reach(column), column, allowed)
        if told is not None:
            return told
    return None


def _is_choice(starts: Sequence[exp.CTE], tables: Mapping[str, exp.CTE]) -> bool:
    """Whether one of the tables reads, at whatever distance, rows or an order that are chosen freely."""
    pending = list(starts)
    seen: set[str] = set()
    while pending:
        query = pending.pop()
        if not _is_recursive(query) and query.find(exp.Limit, exp.Offset, exp.ArrayAgg):
            return True
        for read in query.find_all(exp.Table):
            if read.name in tables and read.name not in seen:
                seen.add(read.name)
                pending.append(tables[read.name])
    return False


def _read_twice(statement: Sql, tables: Mapping[str, exp.CTE]) -> list[exp.CTE]:
    uses = Counter(read.name for read in statement.find_all(exp.Table) if read.name in tables)
    return [tables[name] for name, count in uses.items() if count > 1]


def _is_recursive(table: exp.CTE) -> bool:
    return any(read.name == table.alias for read in table.this.find_all(exp.Table))


def of_elements(node: exp.Lambda, rewriting: Rewriting) -> Sql:
    """The rule for functions of elements of lists, for targets where no query may be in one."""
    if node.find(exp.Select):
        rewriting.refuse("a subquery inside of an expression on the elements of a list")
    return node


@dataclass(frozen=True, slots=True)
class _Reach:
    """How a column reaches its source: the queries it crosses, whether they are recursive, and where it started."""

    crossed: int
    recursive: bool


def _objection(reach: _Reach, column: exp.Column, allowed: Nesting) -> str | None:
    if not reach.crossed:
        return None
    if allowed.depth is not None and reach.crossed > allowed.depth:
        return "a subquery that reads variables from two queries further out"
    if reach.recursive and not allowed.recursion:
        return "a path that repeats an edge, with conditions on other variables or inside of a subquery"
    if not allowed.aggregates and _is_beside_aggregates(column):
        return "an aggregate beside variables from outside of its subquery"
    return None


def _is_beside_aggregates(column: exp.Column) -> bool:
    """Whether the query where a column stands aggregates, and it is not in its WHERE or FROM."""
    child: Sql = column
    while child.parent is not None and not isinstance(child.parent, exp.Select):
        child = child.parent
    select = child.parent
    if select is None or child.arg_key in ("where", "from_", "joins", "with_"):
        return False
    return bool(select.args.get("group")) or any(_aggregates(each) for each in select.expressions)


def _aggregates(piece: Sql) -> bool:
    pending = [piece]
    while pending:
        node = pending.pop()
        if isinstance(node, exp.AggFunc) or (isinstance(node, exp.Anonymous) and node.name == "collect_list"):
            return True
        if not isinstance(node, (exp.Subquery, exp.Exists, exp.Window)):
            pending.extend(node.iter_expressions())
    return False


@dataclass
class _Names:
    """What the sources of each query are, as far as anybody asked."""

    sources: dict[int, dict[str, frozenset[str] | None]] = field(default_factory=dict)
    """By query: the name of a source -> its columns; None: any column may be its own."""

    def reach(self, column: exp.Column) -> _Reach:
        crossed, recursive = 0, False
        child: Sql = column
        for parent in _ancestors(column):
            if isinstance(parent, exp.Lambda) and not column.table:
                if any(each.name == column.name for each in parent.expressions):
                    return _Reach(0, False)
            elif isinstance(parent, exp.Select) and child.arg_key != "with_":
                if self._provides(parent, column):
                    return _Reach(crossed, recursive)
            elif _is_crossing(parent):
                crossed += 1
            elif isinstance(parent, exp.CTE):
                recursive = recursive or _is_recursive(parent)
            child = parent
        return _Reach(0, False)  # it is nobody's: the name of a key of a structure

    def _provides(self, select: exp.Select, column: exp.Column) -> bool:
        found = self.sources.get(id(select))
        if found is None:
            found = self.sources[id(select)] = dict(_sources(select))
        if column.table:
            return column.table in found
        return any(names is None or column.name in names for names in found.values())


def _ancestors(node: Sql) -> Iterator[Sql]:
    while node.parent is not None:
        node = node.parent
        yield node


def _is_crossing(node: Sql) -> bool:
    """Whether a node is the border of a query inside of an expression, or of one that runs for every row."""
    if isinstance(node, (exp.Exists, exp.Lateral)):
        return True
    return isinstance(node, exp.Subquery) and not isinstance(
        node.parent, (exp.From, exp.Join, exp.Lateral, exp.Union, exp.CTE, exp.Subquery)
    )


def _sources(select: exp.Select) -> Iterator[tuple[str, frozenset[str] | None]]:
    from_ = select.args.get("from_")
    joined = [join.this for join in select.args.get("joins") or ()]
    for source in [*([from_.this] if from_ is not None else []), *joined]:
        yield source.alias_or_name, _columns(source)


def _columns(source: Sql) -> frozenset[str] | None:
    query = source.this
    if isinstance(query, exp.Subquery):
        query = query.this
    while isinstance(query, exp.Union):
        query = query.this
    if not isinstance(query, exp.Select):
        return None
    names = frozenset(each.alias_or_name for each in query.expressions)
    return None if "*" in names or "" in names else names
