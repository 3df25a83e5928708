"""Rows: a table of bindings in the making, and the block of SQL that it is a part of.

`Rows` are an open SELECT: sources, conditions, what each variable is in terms of them, and an order.  Operators add to
it for as long as SQL allows; `close` makes a common table expression of it, which the next SELECT reads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import grouping_key, sorting_key
from graphir.backends.sql.lowering import Lowering, Scope
from graphir.backends.sql.reps import EDGE, NODE, NULL, datatype
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.frozen import frozen


@dataclass
class Block:
    """A query with its WITH: the common tables so far, and the variables of the queries around it.

    `inside`: its rows begin with columns of a query around it.
    """

    lowering: Lowering
    outer: Mapping[str, Term] = field(default_factory=dict)
    tables: list[Sql] = field(default_factory=list)
    inside: bool = False
    recursive: bool = False
    """Some common table reads itself."""

    @property
    def is_inside(self) -> bool:
        """Whether columns of a query around this one may be read."""
        return self.inside or bool(self.outer)

    def scope(self, rows: Rows, more: Mapping[str, Term] | None = None) -> Scope:
        """The variables in a row, and those of the queries around it."""
        return Scope(self.lowering, {**self.outer, **rows.names, **(more or {})})

    def add(self, query: Sql, *, kept: bool = False) -> str:
        """Make a common table of a query; `kept`: computed once, because it is read more than once."""
        label = self.lowering.fresh("q")
        alias = exp.TableAlias(this=build.name(label))
        self.tables.append(exp.CTE(this=query, alias=alias, materialized=kept))
        return label

    def recur(self, label: str, first: Sql, following: Sql, columns: Sequence[str]) -> None:
        """Make a common table that reads itself under the label."""
        alias = exp.TableAlias(this=build.name(label), columns=[build.name(each) for each in columns])
        self.tables.append(exp.CTE(this=build.union([first, following]), alias=alias))
        self.recursive = True

    def finish(self, query: exp.Select | exp.Union) -> Sql:
        """The query with the tables that it reads."""
        if self.tables:
            query.set("with_", exp.With(expressions=list(self.tables), recursive=self.recursive))
        return query

    def nested(self, rows: Rows) -> Block:
        """A block for a query inside of the rows."""
        return Block(self.lowering, {**self.outer, **rows.names})


@frozen
class SortTerm:
    """A sort key and its direction."""

    term: Term
    descending: bool = False
    nulls_first: bool = False


@frozen
class Rows:
    """`names`: the variables in a row.  `order`: what the rows are sorted by, if anything.

    `stated`: the order was asked for, so that the result has to have it.
    """

    sources: tuple[Sql, ...] = ()
    conditions: tuple[Sql, ...] = ()
    names: Mapping[str, Term] = field(default_factory=dict)
    order: tuple[SortTerm, ...] = ()
    stated: bool = False

    @property
    def is_unit(self) -> bool:
        """One row without variables: where a query starts."""
        return not self.sources and not self.conditions and not self.names

    def select(self, columns: Sequence[Sql]) -> exp.Select:
        return build.select(columns, self.sources, self.conditions)

    def ordering(self, lowering: Lowering) -> list[Sql]:
        """ORDER BY's keys."""
        return [
            build.noted(
                build.ordered(sorting_key(lowering, key.term), descending=key.descending, nulls_first=key.nulls_first),
                key.term.rep,
            )
            for key in self.order
            if key.term.rep != NULL and key.term.constant is UNKNOWN and not isinstance(key.term.sql, exp.Boolean)
        ]


UNIT = Rows()


def settle(rows: Rows, block: Block) -> Rows:
    """Rows whose variables may be mentioned any number of times: what is computed is a column."""
    if all(term.is_cheap for term in rows.names.values()):
        return rows
    return close(rows, block)


@dataclass
class Listed:
    """The columns that rows are closed with, and what the variables are in terms of them."""

    columns: list[Sql] = field(default_factory=list)
    names: dict[str, Term] = field(default_factory=dict)
    order: list[SortTerm] = field(default_factory=list)
    made: list[str] = field(default_factory=list)


def list_columns(
    rows: Rows, lowering: Lowering, table: str, names: Collection[str] | None = None, *, present: bool = True
) -> Listed:
    """A column for each variable, and for those properties of elements that are read later.

    `present` False: the columns may come to be null by an outer join.
    """
    listed = Listed()

    def add(term: Term) -> Term:
        label = lowering.fresh("c")
        sql = build.cast(build.null(), datatype(NULL)) if term.rep == NULL else term.again()
        listed.columns.append(build.noted(build.alias(sql, label), term.rep))
        listed.made.append(label)
        known = term.constant if present else UNKNOWN
        present_ = term.present and present
        return Term(build.column(label, table), term.rep, known, present=present_, tables=term.tables)

    for name, term in rows.names.items():
        if names is not None and name not in names:
            continue
        column = add(term)
        if term.rep in (NODE, EDGE) and term.properties:
            needed = lowering.needs.get(name, ())
            kept = {key: add(value) for key, value in term.properties.items() if key in needed}
            column = replace(column, properties=kept)
        listed.names[name] = column
    for key in rows.order:
        listed.order.append(replace(key, term=add(key.term)))
    return listed


def close(rows: Rows, block: Block, *, kept: bool = False, extra: Sequence[tuple[str, Sql]] = ()) -> Rows:
    """Make the rows a common table and read it.  `extra` columns are added under the given names."""
    alias = block.lowering.fresh("t")
    listed = list_columns(rows, block.lowering, alias)
    columns = [*listed.columns, *[build.alias(sql, label) for label, sql in extra]]
    if not columns:
        columns = [build.alias(build.number(1), "one")]
    label = block.add(rows.select(columns), kept=kept)
    return Rows((build.table(label, alias),), (), listed.names, tuple(listed.order), rows.stated)


def page(rows: Rows, block: Block, skip: Sql | None, limit: Sql | None) -> Rows:
    """Some of the rows, in their order."""
    lowering = block.lowering
    alias = lowering.fresh("t")
    listed = list_columns(rows, lowering, alias)
    query = rows.select(listed.columns or [build.alias(build.number(1), "one")])
    finish_page(query, rows, lowering, skip, limit)
    label = block.add(query)
    return Rows((build.table(label, alias),), (), listed.names, tuple(listed.order), rows.stated)


def finish_page(query: exp.Select, rows: Rows, lowering: Lowering, skip: Sql | None, limit: Sql | None) -> None:
    """Add ORDER BY, LIMIT and OFFSET to a query of the rows."""
    keys = rows.ordering(lowering)
    if keys:
        query.set("order", exp.Order(expressions=keys))
    if limit is not None:
        query.set("limit", exp.Limit(expression=limit))
    if skip is not None:
        query.set("offset", exp.Offset(expression=skip))


def first_of_group(column: Sql, order: Sequence[Sql]) -> Sql:
    """The column, as that of the rows of a group, which are equivalent: of 1 and 1.0 the one that comes first."""
    value, rep = column.this, build.note(column)
    if not order:
        made = build.call("any_value", value)
    else:
        made = build.call("first", exp.Order(this=value, expressions=[each.copy() for each in order]))
    return build.alias(build.noted(made, rep), column.alias)


def distinct(rows: Rows, block: Block) -> Rows:
    """Rows that are equivalent in all variables become one; the order is lost."""
    lowering = block.lowering
    alias = lowering.fresh("t")
    ordered, rows = rows, replace(rows, order=(), stated=False)
    listed = list_columns(rows, lowering, alias)
    if not listed.columns:
        return page(rows, block, None, build.number(1))
    keys = {name: grouping_key(lowering, term) for name, term in rows.names.items()}
    if all(key is None for key in keys.values()):
        query = rows.select(listed.columns)
        query.set("distinct", exp.Distinct())
    else:
        # An aggregate of nothing but outer columns would count as the outer query's: they are made columns first.
        ordered = close(ordered, block) if block.is_inside else settle(ordered, block)
        settled = replace(ordered, order=(), stated=False)
        listed = list_columns(settled, lowering, alias)
        order = ordered.ordering(lowering)
        group = [grouping_key(lowering, term) or term.again() for term in settled.names.values()]
        columns = [first_of_group(each, order) for each in listed.columns]
        query = build.select(columns, settled.sources, settled.conditions, group=group)
    label = block.add(query)
    return Rows((build.table(label, alias),), (), listed.names)
