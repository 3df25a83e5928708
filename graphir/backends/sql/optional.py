"""OPTIONAL MATCH as a LEFT JOIN of the pattern's rows on what ties them to the rows before.

It stands for the general form (`pipeline.join_optional`), in which the rows before are numbered and joined with the
numbers that the pattern leaves, wherever the pattern can be read by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.rows import Block, Rows, list_columns


def outer_joined(base: Rows, extended: Rows, fresh: Sequence[str], block: Block) -> Rows | None:
    """`base`, which reads one table, beside what makes `extended` of it, or beside nulls.

    `fresh`: the variables that only `extended` has.  None if a source or a variable of the pattern is made of the rows
    before, or a condition on both has a query in it, which not every database takes in ON.
    """
    if extended.sources[:1] != base.sources or len(extended.sources) == 1:
        return None
    known = base.sources[0].alias
    sources = extended.sources[1:]
    if any(_reads(each, known) or isinstance(each, exp.Join) for each in sources):
        return None
    within = [each for each in extended.conditions if not _reads(each, known)]
    across = [each for each in extended.conditions if _reads(each, known)]
    if any(build.holds(each, exp.Query) for each in across):
        return None
    lowering = block.lowering
    alias = lowering.fresh("t")
    listed = list_columns(replace(extended, order=()), lowering, alias, fresh, present=False)
    if any(_reads(each, known) for each in listed.columns):
        return None
    inside = {each.alias for each in sources}
    columns = list(listed.columns)
    labels = {_place(each.this): each.alias for each in columns if isinstance(each.this, exp.Column)}

    def tied(node: exp.Column) -> Sql:
        """A column of the pattern where the pattern is a table; it is one of its columns, if it was none."""
        label = labels.get(_place(node))
        if label is None:
            label = labels[_place(node)] = lowering.fresh("c")
            columns.append(build.alias(build.again(node), label))
        return build.column(label, alias)

    ties = [build.again(each) for each in across]
    for node in [node for each in ties for node in build.nodes(each)]:
        if isinstance(node, exp.Column) and node.table in inside:
            node.replace(tied(node))
    label = block.add(build.select(columns or [build.alias(build.number(1), "one")], sources, within))
    joined = build.left_join(build.table(label, alias), build.conjunction(ties))
    return replace(base, sources=(*base.sources, joined), names={**base.names, **listed.names})


def _place(column: exp.Column) -> tuple[str, str]:
    return column.table, column.name


def _reads(piece: Sql, table: str) -> bool:
    return any(isinstance(each, exp.Column) and each.table == table for each in build.nodes(piece))
