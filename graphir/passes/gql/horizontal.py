"""Horizontal aggregation: an aggregate over the elements of one list, in a clause that does not group.

`LET total = SUM(e.amount)`, where `e` is the group variable of a quantified pattern, is the value of a subquery over
its elements: `VALUE { FOR x IN e RETURN SUM(x.amount) }`.  Source of the rule: GoogleSQL, "Horizontal aggregation".
"""

from __future__ import annotations

from collections.abc import Iterator

from graphir import ir
from graphir.diagnostics import SemanticFault, diagnose
from graphir.ir import Expression, Item, Node, Ref, Subquery
from graphir.passes.aggregates import is_aggregate
from graphir.passes.gql.lists import list_names
from graphir.passes.kinds import Kind
from graphir.passes.names import Maker, mentioned, renamed
from graphir.passes.scope import Scopes, analyze
from graphir.source import Source

_LISTS = (Kind.NODES, Kind.EDGES, Kind.LIST)


def aggregate_lists(query: ir.Query, source: Source) -> ir.Query:
    """Make subqueries of the aggregates of MATCH, LET and FILTER.  SemanticFault (G112) where none is one list's."""
    if not any(_places(node) for node in ir.walk(query)):
        return query
    rules = _Rules(analyze(query), list_names(query), Maker(query), source)

    def rule(origin: Node, node: Node) -> Node:
        return rules.rewritten(origin, node) if isinstance(node, (ir.Match, ir.Let, ir.Filter)) else node

    return ir.transform(query, rule)


def _places(node: Node) -> bool:
    return isinstance(node, (ir.Match, ir.Let, ir.Filter)) and any(True for _ in _aggregates(node))


def _aggregates(node: Node) -> Iterator[Node]:
    """The aggregates of a clause; a subquery has clauses of its own."""
    pending = [*ir.children(node)]
    while pending:
        current = pending.pop()
        if is_aggregate(current):
            yield current
        elif not isinstance(current, Subquery):
            pending.extend(ir.children(current))


class _Rules:
    def __init__(self, scopes: Scopes, lists: set[str], maker: Maker, source: Source) -> None:
        self.scopes = scopes
        self.lists = lists
        self.maker = maker
        self.source = source

    def rewritten(self, origin: Node, node: Node) -> Node:
        """A clause with subqueries in place of its aggregates."""
        if not any(True for _ in _aggregates(node)):
            return node
        kinds = dict(self.scopes.before(origin)) if isinstance(origin, ir.Operator) else {}
        kinds |= dict.fromkeys((*self.lists, *_groups(node)), Kind.LIST)

        def choose(part: Node) -> Node | None:
            if isinstance(part, Subquery):
                return part
            return self._over(part, kinds) if is_aggregate(part) and isinstance(part, Expression) else None

        return ir.rewrite_down(node, choose)

    def _over(self, aggregate: Expression, kinds: dict[str, Kind]) -> Subquery:
        name = self._list_of(aggregate, kinds)
        element, column = self.maker.make("h"), self.maker.make("c")
        span = aggregate.span
        unwind = ir.Unwind(Ref(name, span=span), element, span=span)
        item = Item(renamed(aggregate, {name: element}), column, span=span)
        return Subquery(
            "value", ir.Pipeline((unwind, ir.Project((item,), final=True, span=span)), span=span), span=span
        )

    def _list_of(self, aggregate: Expression, kinds: dict[str, Kind]) -> str:
        """The one list that is aggregated."""
        names = list(dict.fromkeys(mentioned(aggregate)))
        lists = [name for name in names if kinds.get(name) in _LISTS]
        found = lists if lists else names
        if len(found) == 1:
            return found[0]
        told = "An aggregate outside of RETURN and WITH is over the elements of one list"
        hint = "aggregate a group variable or an array, or aggregate rows in RETURN or WITH"
        raise SemanticFault([diagnose(self.source, "G112", told, aggregate.span, hint=hint)])


def _groups(node: Node) -> Iterator[str]:
    """The names that a clause binds in quantified patterns."""
    pending: list[tuple[Node, bool]] = [(node, False)] if isinstance(node, ir.Match) else []
    while pending:
        current, inside = pending.pop()
        if isinstance(current, ir.Match):
            pending += [(path, False) for path in current.paths]
        elif isinstance(current, ir.Path):
            pending += [(element, inside) for element in current.elements]
        elif isinstance(current, ir.PathGroup):
            pending.append((current.path, inside or current.quantifier is not None))
        elif isinstance(current, (ir.NodePattern, ir.EdgePattern)) and current.variable is not None:
            repeated = isinstance(current, ir.EdgePattern) and current.quantifier is not None
            if inside or repeated:
                yield current.variable
