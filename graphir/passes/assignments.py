"""The order of SET: core sets one item after the other, and an item reads what those before it have set.

openCypher means that.  Neo4j computes consecutive items on properties of one element before it sets any of them, found
out by asking Neo4j 2026.08: after `SET n.x = 2, n.y = n.x` the old `n.x` is in `n.y`, and so it is after
`SET n += {x: 2, y: n.x}` everywhere.  GQL sets all items of a clause at once.  Where it matters such a run is that map.
Knows no schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from graphir import ir
from graphir.diagnostics import Unsupported, diagnose
from graphir.ir import Expression, Node
from graphir.ir.node import replace
from graphir.source import Source

AT_ONCE = frozenset({"neo4j-5", "neo4j-25"})
"""Dialects of Cypher that compute the values of a run before they set any."""

_EVERYTHING = "\0"
"""In place of keys: all of them."""
_WHOLE = frozenset({"properties", "keys"})

_Rule = Callable[[Sequence[ir.SetProperty]], Iterator[ir.SetItem]]


def in_order(query: ir.Query, source: Source) -> ir.Query:
    """A query whose runs are set at once, with items one after the other.  Raises Unsupported (G594)."""

    def one_map(run: Sequence[ir.SetProperty]) -> Iterator[ir.SetItem]:
        entries = {}
        for item in run:
            if not isinstance(item.target, ir.Property):
                raise _refusal(item, source)
            entries[item.target.key] = ir.Entry(item.target.key, item.value, span=item.span)
        yield ir.SetProperties(run[0].target.base, ir.MapOf(tuple(entries.values())), merge=True, span=run[0].span)

    return _rewritten(query, one_map)


def in_order_of_gql(query: ir.Query, source: Source) -> ir.Query:
    """The same, where all items of a clause are set at once.  Raises Unsupported (G594) for what would need a copy."""
    for node in ir.find(query, ir.Set):
        runs = list(_runs(node.items))
        for at, run in enumerate(runs):
            before = {key for earlier in runs[:at] for item in earlier for key in _written(item)}
            for item in run:
                if _meet(before, read(item)):
                    raise _refusal(item, source)
    return in_order(query, source)


def at_once(query: ir.Query, source: Source) -> ir.Query:
    """A query with items one after the other, for a dialect that sets runs at once.  Raises Unsupported (G594)."""

    def apart(run: Sequence[ir.SetProperty]) -> Iterator[ir.SetItem]:
        written: set[str] = set()
        for item in run:
            if not _meet(written, read(item)):
                written |= _written(item)
                yield item
                continue
            if not isinstance(item.target, ir.Property):
                raise _refusal(item, source)
            entry = ir.Entry(item.target.key, item.value, span=item.span)
            yield ir.SetProperties(item.target.base, ir.MapOf((entry,)), merge=True, span=item.span)
            written = set()

    return _rewritten(query, apart)


def between(query: ir.Query, read_as: str, dialect: str, source: Source) -> ir.Query:
    """A query of one dialect of Cypher with the order that another has.  Raises Unsupported (G594)."""
    if (read_as in AT_ONCE) == (dialect in AT_ONCE):
        return query
    return in_order(query, source) if read_as in AT_ONCE else at_once(query, source)


def read(item: ir.SetProperty) -> set[str]:
    """The keys that the parts of an item read."""
    parts = [item.value] if isinstance(item.target, ir.Property) else [item.value, item.target.index]
    return {key for part in parts for node in ir.walk(part) for key in _key(node)}


def _key(node: Node) -> Iterator[str]:
    match node:
        case ir.Property(key=key) | ir.ProjectedProperty(key=key):
            yield key
        case ir.Index() | ir.MapProjection() | ir.Subquery() | ir.PatternComprehension() | ir.PatternExpression():
            yield _EVERYTHING
        case ir.Apply(function=name) if name in _WHOLE:
            yield _EVERYTHING
        case _:
            pass


def _written(item: ir.SetProperty) -> set[str]:
    return {item.target.key if isinstance(item.target, ir.Property) else _EVERYTHING}


def _meet(written: set[str], keys: set[str]) -> bool:
    both = written | keys
    return bool(written and keys) and (_EVERYTHING in both or not written.isdisjoint(keys))


def _matters(run: Sequence[ir.SetProperty]) -> bool:
    """Whether an item of a run may read what an item before it sets."""
    written: set[str] = set()
    for item in run:
        if _meet(written, read(item)):
            return True
        written |= _written(item)
    return False


def _rewritten(query: ir.Query, rule: _Rule) -> ir.Query:
    """The query with the rule applied to the runs in which the order matters."""

    def of_node(node: Node) -> Node:
        if not isinstance(node, (ir.Set, ir.MergeAction)) or not any(map(_matters, _runs(node.items))):
            return node
        items: list[ir.SetItem] = []
        for _, several in groupby(node.items, _element):
            run = list(several)
            properties = [item for item in run if isinstance(item, ir.SetProperty)]
            items += rule(properties) if _matters(properties) else run
        return replace(node, items=tuple(items))

    return ir.rewrite(query, of_node, ir.Set, ir.MergeAction)


def _runs(items: Sequence[ir.SetItem]) -> Iterator[list[ir.SetProperty]]:
    for _, several in groupby(items, _element):
        yield [item for item in several if isinstance(item, ir.SetProperty)]


def _element(item: ir.SetItem) -> Expression | None:
    """What an item on a property changes; None for an item that stands alone."""
    return item.target.base if isinstance(item, ir.SetProperty) else None


def _refusal(item: ir.SetProperty, source: Source) -> Unsupported:
    told = "The value that is set here may depend on what else this SET changes, and languages differ in how"
    found = diagnose(source, "G594", told, item.span, hint="write two SET clauses")
    return Unsupported([found], feature="set-order")
