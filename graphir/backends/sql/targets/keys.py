"""Elements go through common tables and subqueries in FROM as the columns of their keys, not as texts of tag and key.

Where a column of such a query is an element of one known table in all its rows, the query gives the columns of the key,
and whoever reads it has the element again: so what is compared, grouped or counted further on are keys, too, and the
text of an element is made where it leaves the statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql

_READ = frozenset((exp.CTE, exp.Subquery))
"""What a statement may read of itself."""


_LONG = 56
"""Bytes of a name to which a number cannot be added in every database: PostgreSQL's have 63."""


@dataclass(eq=False)
class Definition:
    """A query that others read, under these aliases."""

    queries: Sequence[exp.Select]
    aliases: set[str] = field(default_factory=set)


def carry(tree: Sql, *, whole: bool = False) -> Sql:
    """The tree with keys in place of elements in what it reads of itself, in place.  `whole`: what stands for tables of
    the graph stays as it is."""
    nodes = build.nodes(tree)
    if _READ.isdisjoint(map(type, nodes)):
        return tree
    found = _Reading(nodes, whole=whole)
    changed = bool(found.definitions)
    while changed:  # what reads a query may be read itself
        changed = False
        for definition in found.definitions:
            for name in _names(definition.queries[0]):
                changed = found.carries(definition, name) or changed
    return tree


class _Reading:
    """What a statement of some nodes reads of itself."""

    def __init__(self, nodes: Sequence[Sql], *, whole: bool) -> None:
        self.columns: dict[str, list[exp.Column]] = {}
        self.outer: set[str] = set()
        """Aliases of what is joined so that it may be null."""
        self.definitions: list[Definition] = []
        tables: dict[str, Definition] = {}
        readers: list[exp.Table] = []
        for node in nodes:
            if isinstance(node, exp.Column):
                self.columns.setdefault(build.table_of(node), []).append(node)
            elif isinstance(node, exp.CTE):
                self._define(node, tables)
            elif isinstance(node, exp.Table):
                readers.append(node)
            elif isinstance(node, exp.Subquery) and isinstance(node.parent, (exp.From, exp.Join)):
                if not (whole and build.stands_for(node)) and (queries := _queries(node.this)):
                    self.definitions.append(Definition(queries, {node.alias}))
            elif isinstance(node, exp.Join) and node.args.get("side"):
                self.outer.add(node.this.alias)
        for reader in readers:
            if reader.name in tables:
                tables[reader.name].aliases.add(reader.alias or reader.name)
        self.bare = {column.name for column in self.columns.get("", ())}

    def _define(self, node: exp.CTE, tables: dict[str, Definition]) -> None:
        queries = _queries(node.this)
        if queries and not node.args["alias"].columns:
            tables[node.alias] = Definition(queries)
            self.definitions.append(tables[node.alias])

    def carries(self, definition: Definition, name: str) -> bool:
        """Have a column carried as the key of its element, if it is one of one table; whether it was."""
        places = [_place(query, name) for query in definition.queries]
        elements = [query.selects[at].this for query, at in zip(definition.queries, places, strict=True)]
        if name in self.bare or not _are_of_one(elements):
            return False
        tag, keys = build.tag_of(elements[0]) or "", elements[0].expressions
        names = _free(name, len(keys), definition.queries[0])
        reps = build.note(elements[0])
        for query, at, element in zip(definition.queries, places, elements, strict=True):
            listed = query.selects
            made = [
                build.noted(build.alias(key, label), rep)
                for key, label, rep in zip(element.expressions, names, reps, strict=True)
            ]
            query.set("expressions", [*listed[:at], *made, *listed[at + 1 :]])
        absent = any(build.may_be_absent(each) for each in elements)
        for alias in sorted(definition.aliases):
            for column in [each for each in self.columns.get(alias, ()) if each.name == name]:
                read = [build.column(label, alias) for label in names]
                self.columns[alias] += read
                found = build.identity(tag, read, reps)
                column.replace(build.absent(found) if absent or alias in self.outer else found)
        return True


def _queries(node: exp.Query) -> list[exp.Select]:
    """The queries that stand one below the other; none where one of them cannot give other columns."""
    found = list(build.branches(node))
    selects = [query for query in found if isinstance(query, exp.Select)]
    fixed = [query for query in selects if query.args.get("distinct") and query.args.get("order")]
    return selects if len(selects) == len(found) and not fixed else []


def _names(query: exp.Select) -> Iterator[str]:
    yield from [each.alias for each in query.selects if isinstance(each, exp.Alias) and build.is_identity(each.this)]


def _free(name: str, count: int, query: exp.Select) -> list[str]:
    """Names for the columns of a key: the one of the element, then others that the query does not have."""
    taken = {each.alias_or_name.lower() for each in query.selects} if count > 1 else set()
    stem = name if len(name.encode()) < _LONG else name[: _LONG // 5]
    numbered = (f"{stem}_{at}" for at in range(2, len(taken) + count + 1))
    return [name, *islice((each for each in numbered if each.lower() not in taken), count - 1)]


def _place(query: exp.Select, name: str) -> int:
    return next(at for at, each in enumerate(query.selects) if each.alias_or_name == name)


def _are_of_one(elements: Sequence[Sql]) -> bool:
    """Whether they all are elements of one table by columns."""
    if not all(build.is_identity(each) for each in elements):
        return False
    tags = {build.tag_of(each) for each in elements}
    return len(tags) == 1 and all(build.note(each) == build.note(elements[0]) for each in elements)
