"""Common tables that are read once become parts of what reads them: a statement has no more SELECTs than it needs.

The lowering closes rows whenever an operator could not see them otherwise; for a database this is no matter, for who
reads the text it is.  Works on the tree of the lowering, before a target is known.  Knows no IR.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.sharing import is_small
from graphir.frozen import frozen

_GROUPED = ("group", "having", "distinct")
_PAGED = ("order", "limit", "offset")
_SPLITTING = ("where", "joins", "group", "having", "distinct", "limit", "offset")
"""Clauses of a SELECT that ask for its rows to be finished before they are projected."""


def merged(statement: Sql) -> Sql:
    """The statement with common tables put in the place of the only SELECT that reads them; the one given is used up.

    What a SELECT computes is moved, not doubled, and never before a condition that keeps it from being computed.
    Costs grow linearly with the statement.
    """
    with_ = statement.args.get("with_")
    if not isinstance(statement, exp.Select) or with_ is None:
        return statement
    reads = _reads(statement)
    tables: dict[str, exp.CTE] = {each.alias: each for each in with_.expressions}
    for _ in range(2):  # what two readers have made one may be put into a third, whose columns are fewer then
        count = len(tables)
        for table in list(tables.values()):
            table.set("this", _merged(table.this, tables, reads))
        statement = _merged(statement, tables, reads)
        if len(tables) in (0, count):
            break
    statement.parent = None  # it may have been one of the tables
    return _with(statement, with_, tables)


def joined(statement: Sql) -> Sql:
    """The statement with common tables that are nothing but columns of a source joined as this source, where they are
    read once; the one given is used up."""
    with_ = statement.args.get("with_")
    if with_ is None:
        return statement
    reads = _reads(statement)
    tables: dict[str, exp.CTE] = {each.alias: each for each in with_.expressions}
    names = set(tables)
    for reader in [statement, *[each.this for each in with_.expressions]]:
        made: dict[tuple[str, str], Sql] = {}
        for join in reader.args.get("joins") or ():
            table = tables.get(join.this.name) if isinstance(join.this, exp.Table) else None
            if table is None or reads[table.alias] != 1 or not _is_source(table, names):
                continue
            made |= {(join.this.alias, each.alias): each.this for each in table.this.selects}
            del tables[table.alias]
            join.set("this", table.this.args["from_"].this)
        for node in build.nodes(reader) if made else ():
            if isinstance(node, exp.Column) and (node.table, node.name) in made:
                node.replace(build.again(made[node.table, node.name]))
    return _with(statement, with_, tables)


def _with(statement: Sql, with_: Sql, tables: Mapping[str, Sql]) -> Sql:
    """The statement with the tables that are left."""
    with_.set("expressions", list(tables.values()))
    statement.set("with_", with_ if tables else None)
    return statement


def _reads(statement: Sql) -> Mapping[str, int]:
    """How many times tables are read."""
    return Counter([each.name for each in build.nodes(statement) if type(each) is exp.Table])


def _is_source(table: exp.CTE, names: Collection[str]) -> bool:
    """Whether a common table is columns of one source, which is none of `names`, and nothing more.

    Two queries may call a common table by the same alias.
    """
    query = table.this
    return (
        not table.args.get("materialized")
        and isinstance(query, exp.Select)
        and {key for key, value in query.args.items() if value} <= {"expressions", "from_"}
        and isinstance(query.args["from_"].this, (exp.Table, exp.Subquery))
        and query.args["from_"].this.name not in names
        and all(isinstance(each.this, exp.Column) for each in query.selects)
    )


def _merged(reader: Sql, tables: dict[str, exp.CTE], reads: Mapping[str, int]) -> Sql:
    """A query with the table that it reads put into it, which is no table any more; or as it is."""
    label = _only_source(reader)
    table = tables.get(label) if label is not None and reads[label] == 1 else None
    if label is None or table is None or table.args.get("materialized") or not isinstance(table.this, exp.Select):
        return reader
    assert isinstance(reader, exp.Select)
    whole = _Reading(reader, table.this).merge()
    if whole is None:
        return reader
    del tables[label]
    return whole


def _only_source(reader: Sql) -> str | None:
    """The table that a SELECT reads, if it reads one; others may be joined to it, with its rows as they are."""
    if not isinstance(reader, exp.Select) or not _only_outer(reader):
        return None
    from_ = reader.args.get("from_")
    return from_.this.name if from_ is not None and isinstance(from_.this, exp.Table) else None


def _only_outer(query: exp.Select) -> bool:
    """Whether what is joined leaves the rows of the first source as they are, if anything is joined."""
    return all(each.side == "LEFT" for each in query.args.get("joins") or ())


@frozen
class _Use:
    """A column of the inner query in the outer one: `aggregated` in an aggregate, `bare` by itself, `nested` in a query
    of its own, `clause` the outer clause."""

    column: Sql
    clause: str
    bare: bool
    aggregated: bool
    nested: bool


class _Reading:
    """A SELECT that reads another one, and nothing else."""

    def __init__(self, outer: exp.Select, inner: exp.Select) -> None:
        self.outer, self.inner = outer, inner
        self.made: Mapping[str, Sql] = {each.alias: each.this for each in inner.selects}

    def merge(self) -> Sql | None:
        """Both as one, made of their parts; None if that would be another query."""
        uses = self._uses()
        if self.inner.args.get("with_") or any(each.column.name not in self.made for each in uses):
            return None
        if self._has(self.outer, ("joins",)):
            plain = not self._has(self.inner, (*_GROUPED, *_PAGED)) and not _gathers(self.inner)
            return self._of_rows(uses) if plain and _only_outer(self.inner) else None
        if self._has(self.inner, _PAGED):
            return self._of_a_page(uses)
        if self._has(self.inner, _GROUPED) or _gathers(self.inner):
            return self._of_groups(uses)
        return self._of_rows(uses)

    def _of_rows(self, uses: list[_Use]) -> Sql | None:
        """Rows as they are: whatever is asked of them can be asked where they come from."""
        times = Counter([each.column.name for each in uses])
        for use in uses:
            if not self._moves(use, times[use.column.name]):
                return None
        self._replace(uses)
        self.outer.set("where", self._both(exp.Where, "where"))
        self.outer.set("from_", self.inner.args.get("from_"))
        self.outer.set("joins", [*(self.inner.args.get("joins") or ()), *(self.outer.args.get("joins") or ())] or None)
        return self.outer

    def _moves(self, use: _Use, times: int) -> bool:
        made = self.made[use.column.name]
        if isinstance(made, exp.Column) or build.is_identity(made):
            return True
        if use.nested or use.clause not in ("expressions", "order") or times > 1:
            return False
        if use.clause == "order" or use.aggregated:
            return not _is_constant(made) and not build.holds(made, exp.Query)
        return use.bare or not (self._has(self.outer, ("group",)) or _gathers(self.outer))

    def _of_groups(self, uses: list[_Use]) -> Sql | None:
        """Groups, or rows of which each is there once: they can be chosen from, sorted and counted off."""
        if self._has(self.outer, _GROUPED) or _gathers(self.outer):
            return None
        if self._has(self.inner, ("distinct",)):
            if self._has(self.outer, ("where", *_PAGED)) or not self._is_choice(uses, whole=True):
                return None
        elif self._has(self.outer, ("where",)) and not build.is_gathering(self.inner):
            return None
        elif self._has(self.outer, _PAGED) and any(build.holds(each, exp.Order) for each in self.made.values()):
            return None  # not every target has both: lists are in the order of the rows that they are made of
        alone = build.is_gathering(self.inner) and self.inner.args.get("group") is None
        if alone and not set(self.made) <= {each.column.name for each in uses}:
            return None  # without its aggregates a query would have every row, not one
        if not all(map(is_small, self._asked())):
            return None  # targets write an aggregate as often as they need it: it cannot be a column of another query
        times = Counter([each.column.name for each in uses if each.clause == "expressions"])
        for use in uses:
            made = self.made[use.column.name]
            if isinstance(made, exp.Column):
                continue
            if use.nested or (use.clause == "expressions" and times[use.column.name] > 1):
                return None
            if use.clause != "expressions" and not _is_plain_aggregate(made):
                return None
        self._replace(uses)
        self.outer.set("having", self._both(exp.Having, "having"))
        for clause in ("from_", "joins", "where", "group", "distinct"):
            self.outer.set(clause, self.inner.args.get(clause))
        return build.gathering(self.outer) if build.is_gathering(self.inner) else self.outer

    def _both(self, kind: type[exp.Where | exp.Having], clause: str) -> Sql | None:
        """The conditions of a clause of the inner query, and of the WHERE of the outer one, as a clause of a kind."""
        found = [each for each in (self.inner.args.get(clause), self.outer.args.get("where")) if each is not None]
        return kind(this=build.conjunction([each.this for each in found])) if found else None

    def _asked(self) -> list[Sql]:
        """What the outer query computes and asks for."""
        where = self.outer.args.get("where")
        return [*self.outer.selects, *([] if where is None else [where.this])]

    def _of_a_page(self, uses: list[_Use]) -> Sql | None:
        """Some rows in an order: the columns can be chosen and the order said again."""
        chosen = [each for each in uses if each.clause != "order"]
        if self._has(self.outer, _SPLITTING) or self._has(self.inner, ("distinct",)) or not self._is_choice(chosen):
            return None
        order = self.outer.args.get("order")
        if order is not None and not self._is_same_order(order):
            return None
        self._replace(chosen)
        self.inner.set("expressions", self.outer.selects)
        return self.inner

    def _is_choice(self, uses: list[_Use], *, whole: bool = False) -> bool:
        """Whether the outer columns are inner ones, each at most once; `whole`: all of them."""
        chosen = [each.this for each in self.outer.selects]
        names = [each.name for each in chosen if isinstance(each, exp.Column)]
        if len(names) != len(set(names)) or len(uses) != len(names):
            return False
        constants = [each for each in chosen if not isinstance(each, exp.Column)]
        if not all(map(_is_constant, constants)):
            return False
        return not whole or (len(names) == len(self.made) and not constants)

    def _is_same_order(self, order: Sql) -> bool:
        """Whether the outer order is the inner one by the inner columns."""
        before = self.inner.args.get("order")
        if before is None or len(before.expressions) != len(order.expressions):
            return False
        for known, asked in zip(before.expressions, order.expressions, strict=True):
            if not isinstance(asked.this, exp.Column) or asked.this.name not in self.made:
                return False
            if any(known.args.get(each) != asked.args.get(each) for each in ("desc", "nulls_first", "rep")):
                return False
            if self.made[asked.this.name] != known.this:
                return False
        return True

    def _has(self, query: exp.Select, clauses: tuple[str, ...]) -> bool:
        return any(query.args.get(each) is not None for each in clauses)

    def _uses(self) -> list[_Use]:
        """All columns of the inner query in the outer one."""
        alias = build.alias_of(self.outer.args["from_"].this)
        found: list[_Use] = []
        pending: list[tuple[Sql, str, Sql, bool, bool]] = []
        for clause, value in self.outer.args.items():
            if clause not in ("from_", "with_"):
                parts = value if type(value) is list else [value]
                pending += [(each, clause, each, False, False) for each in parts if isinstance(each, exp.Expr)]
        while pending:
            node, clause, top, aggregated, nested = pending.pop()
            if type(node) is exp.Column:
                if build.table_of(node) == alias:
                    found.append(_Use(node, clause, top.this is node, aggregated, nested))
                continue
            aggregated = aggregated or isinstance(node, exp.AggFunc)
            nested = nested or isinstance(node, (exp.Query, exp.Lateral))
            pending += [(each, clause, top, aggregated, nested) for each in build.parts(node)]
        return found

    def _replace(self, uses: list[_Use]) -> None:
        notes = {each.alias: build.note(each) for each in self.inner.selects}
        for use in uses:
            made = build.again(self.made[use.column.name])
            parent = use.column.parent
            if isinstance(parent, exp.Alias) and build.note(parent) is None:
                build.noted(parent, notes[use.column.name])
            bare = use.bare or isinstance(parent, (exp.Func, exp.Ordered, exp.Paren, exp.Group))
            use.column.replace(made if bare else build.atom(made))


def _gathers(query: exp.Select) -> bool:
    """Whether columns are computed of several rows: by aggregates, or by windows."""
    return build.is_gathering(query) or any(map(build.aggregates, query.selects))


def _is_constant(piece: Sql) -> bool:
    """A number where SQL sorts or groups by it would be the place of a column."""
    return not build.holds(piece, exp.Column, exp.Query, exp.Func)


def _is_plain_aggregate(piece: Sql) -> bool:
    """Whether it is so short that it may stand in several places."""
    return isinstance(piece, exp.AggFunc) and (
        isinstance(piece.this, (exp.Star, exp.Column)) or build.is_identity(piece.this)
    )
