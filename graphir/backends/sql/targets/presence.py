"""Keys of edges that cannot be read, where nobody has to know them: its ends say as well whether there is an edge.

The lowering carries an edge along as its key, whatever becomes of it.  Where a table has no key, or the property graph
hides it, that would refuse queries that only count edges, or ask whether one was found, or read other columns of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog, EdgeTable
from graphir.backends.sql.scans import Scanned, keys_of

NOTHING, PRESENCE, VALUE = range(3)
"""What is asked of a piece: nothing, whether it is null, what it is."""


def relieve(tree: Sql, catalog: Catalog, hidden: Mapping[int, set[str]], *, patterns: bool) -> None:
    """Have the tree read an end of an edge in place of a key that is hidden, where that says the same, and nothing
    where nobody reads it further on; in place."""
    nodes = build.nodes(tree)
    scans = {node.alias: scanned for node in nodes if (scanned := _scan_of(node, hidden)) is not None}
    if not scans:
        return
    uses = _Uses(nodes)
    for node in nodes:
        scanned = scans.get(build.table_of(node)) if type(node) is exp.Column else None
        if scanned is None or node.name not in hidden[id(scanned.table)]:
            continue
        piece = _whole(node)
        asked = uses.asked(piece)
        if asked == NOTHING and _left_out(piece):
            continue
        end = _end(scanned, catalog, patterns=patterns)
        if asked != VALUE and end is not None:
            piece.replace(build.column(end, build.table_of(node)))


def _scan_of(node: Sql, hidden: Mapping[int, set[str]]) -> Scanned | None:
    found = build.stands_for(node) if type(node) is exp.Table else None
    return found if isinstance(found, Scanned) and id(found.table) in hidden else None


def _whole(column: Sql) -> Sql:
    """The element that a column tells apart, or the column."""
    return column.parent if column.parent is not None and build.is_identity(column.parent) else column


def _left_out(piece: Sql) -> bool:
    """Take a column out of a list of columns, if others are left; whether it was."""
    select = piece.parent.parent if piece.parent is not None else None
    if not isinstance(select, exp.Select) or len(select.expressions) == 1:
        return False
    select.set("expressions", [each for each in select.expressions if each is not piece.parent])
    return True


def _end(scanned: Scanned, catalog: Catalog, *, patterns: bool) -> str | None:
    """A column with the key of a node at an end, which no edge lacks; None where none can be read."""
    table = scanned.table
    assert isinstance(table, EdgeTable)
    ends = keys_of(scanned)
    if not patterns:
        return ends[0][1].columns[0].name
    assert table.element is not None
    nodes = {each.element.name: each for each in catalog.nodes if each.element is not None}
    for (_, key), name in zip(ends, (table.element.source, table.element.target), strict=True):
        node = nodes.get(name or "")
        if node is None or node.element is None:
            continue
        for own, there in zip(key.columns, node.key.columns, strict=True):
            if there.name in node.element.properties:
                return own.name
    return None


class _Uses:
    """Who reads which column of the common tables of a statement."""

    def __init__(self, nodes: Sequence[Sql]) -> None:
        self._tables = {id(node.this): node.alias for node in nodes if type(node) is exp.CTE}
        names = set(self._tables.values())
        aliases = {
            node.alias or node.name: node.name for node in nodes if type(node) is exp.Table and node.name in names
        }
        self._readers: dict[tuple[str, str], list[Sql]] = {}
        for node in nodes:
            if type(node) is exp.Column and build.table_of(node) in aliases:
                self._readers.setdefault((aliases[build.table_of(node)], node.name), []).append(node)

    def asked(self, piece: Sql) -> int:
        """The most that is asked of a piece, here or by those who read it as a column of a common table."""
        most = NOTHING
        pending, seen = [piece], {id(piece)}
        while pending:
            each = _whole(pending.pop())
            parent = each.parent
            if _asks_presence(parent, each):
                most = PRESENCE
            elif isinstance(parent, exp.Alias) and (label := self._table(parent)) is not None:
                fresh = [one for one in self._readers.get((label, parent.alias), ()) if id(one) not in seen]
                seen.update(map(id, fresh))
                pending += fresh
            else:
                return VALUE
        return most

    def _table(self, column: exp.Alias) -> str | None:
        """The common table that a column is one of, where its rows are those of one SELECT as they come."""
        select = column.parent
        if not isinstance(select, exp.Select) or select.args.get("distinct"):
            return None
        return self._tables.get(id(select)) if any(each is column for each in select.expressions) else None


def _asks_presence(parent: Sql | None, piece: Sql) -> bool:
    """Whether what a piece stands in only asks if it is null."""
    if isinstance(parent, exp.Count):
        return parent.this is piece and not parent.expressions
    return isinstance(parent, exp.Is) and parent.this is piece and isinstance(parent.expression, exp.Null)
