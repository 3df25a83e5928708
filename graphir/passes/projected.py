"""What ORDER BY and WHERE may still say after a projection: the projected expressions, by their columns.

A part of a sort key that equals a projected expression is that column, also after DISTINCT and aggregation, where the
variables from before are gone.  A plain name is the new column of that name before it is anything else.
`a + b + c` is read from the left, so it holds the projected `a + b`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphir import ir
from graphir.frozen import frozen
from graphir.ir import Apply, Expression, Node, Ref
from graphir.passes.aggregates import is_aggregate
from graphir.passes.names import mentioned, names_in

FOLDING = frozenset(("and", "or", "xor", "add", "mul", "concat"))

BINDING = (ir.ListComprehension, ir.Quantified, ir.Reduce, ir.AllReduce)
"""Expressions that bind names for some of their parts."""

MATCHING = (ir.PatternComprehension, ir.PatternExpression, ir.Subquery)
"""Expressions with patterns in them, which name variables by other means than `Ref`."""

SCOPED = (*BINDING, *MATCHING, ir.MapProjection)


@frozen
class Column:
    """A projected expression and the variables it reads.  `shadowed`: one of them now names a new column."""

    name: str
    value: Expression
    reads: frozenset[str]
    shadowed: bool


class Projected:
    """The columns of a projection, to be found by what they were computed from."""

    def __init__(self, columns: Sequence[tuple[str, Expression]]) -> None:
        renewed = {name for name, value in columns if not (isinstance(value, Ref) and value.name == name)}
        self.names = {name for name, _ in columns}
        self._by_value: dict[Expression, Column] = {}
        self._prefixes: dict[str, set[int]] = {}
        for name, value in columns:
            if isinstance(value, (ir.Literal, ir.Parameter)) or value in self._by_value:
                continue
            reads = frozenset(mentioned(value))
            self._by_value[value] = Column(name, value, reads, not reads.isdisjoint(renewed))
            if isinstance(value, Apply) and value.function in FOLDING and not value.distinct:
                self._prefixes.setdefault(value.function, set()).add(len(value.args))

    def column(self, node: Node, *, whole: bool = False, bound: frozenset[str] = frozenset()) -> str | None:
        """The column that an expression of ORDER BY or WHERE, or a part of it, was projected as.

        A part that reads a variable whose name now means a new column is no old expression any more; only a `whole`
        sort key still is.  `bound`: names with a meaning of their own at this place.
        """
        if isinstance(node, Ref):
            if node.name in self.names:
                return None if node.name in bound else node.name
        elif not isinstance(node, Expression):
            return None
        found = self._by_value.get(node)
        if found is None or (found.shadowed and not whole) or not bound.isdisjoint(found.reads):
            return None
        return found.name

    def mistakes(self, key: Expression) -> bool:
        """Whether a sort key over the columns would be read as a projected expression over the old variables."""
        found = None if isinstance(key, Ref) else self._by_value.get(key)
        return found is not None and found.shadowed

    def prefix(self, node: Node, *, bound: frozenset[str] = frozenset()) -> tuple[str, int] | None:
        """The column that the first so many operands of a folding operator are."""
        if not isinstance(node, Apply) or node.distinct or node.function not in self._prefixes:
            return None
        for count in sorted(self._prefixes[node.function], reverse=True):
            if count < len(node.args):
                name = self.column(replace(node, args=node.args[:count]), bound=bound)
                if name is not None:
                    return name, count
        return None

    def rest(self, expression: Expression, *, key: bool) -> Iterator[Node]:
        """The parts that are no column: variables, aggregates, and expressions with names of their own."""
        pending: list[Node] = [expression]
        while pending:
            node = pending.pop()
            if self.column(node, whole=key and node is expression) is not None:
                continue
            if isinstance(node, (Ref, *SCOPED)) or is_aggregate(node):
                yield node
                continue
            prefix = self.prefix(node)
            pending.extend(node.args[prefix[1] :] if prefix and isinstance(node, Apply) else ir.children(node))

    def rewrite(self, expression: Expression, *, key: bool) -> Expression:
        """The expression with the largest parts that are columns replaced by the columns' names.

        The arguments of an aggregate stay as they are: they read what was there before.
        """
        if isinstance(expression, Ref) and expression.name in self.names:
            return expression
        within = bindings(expression)

        def rule(origin: Node, node: Node) -> Node:
            bound = within.get(id(origin), frozenset())
            name = self.column(origin, whole=key and origin is expression, bound=bound)
            if name is not None:
                return Ref(name, span=origin.span)
            if is_aggregate(origin):
                return origin
            prefix = self.prefix(origin, bound=bound)
            if prefix is not None and isinstance(node, Apply):
                return replace(node, args=(Ref(prefix[0], span=origin.span), *node.args[prefix[1] :]))
            return node

        return ir.transform(expression, rule)


def bindings(expression: Node) -> dict[int, frozenset[str]]:
    """For the nodes, by identity, where names have a meaning of their own: those names.

    Inside of a pattern or subquery that is every name in its patterns and columns, bound there or not.
    """
    found: dict[int, frozenset[str]] = {}
    pending: list[tuple[Node, frozenset[str]]] = [(expression, frozenset())]
    while pending:
        node, bound = pending.pop()
        if bound:
            found[id(node)] = bound
        if isinstance(node, BINDING):
            inner = bound.union(names_in(node))
            outside = (node.source, getattr(node, "initial", None))
            pending.extend((c, bound if any(c is o for o in outside) else inner) for c in ir.children(node))
            continue
        if isinstance(node, MATCHING):
            bound = bound.union(*[names_in(part) for part in ir.walk(node)])
        pending.extend((child, bound) for child in ir.children(node))
    return found
