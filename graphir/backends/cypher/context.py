"""What the rewrites of `legalize` may ask about the query they are in, and how they refuse.

One context serves one walk over one query; what it knows is computed when it is first asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from graphir import ir
from graphir.backends.cypher.features import FEATURES
from graphir.diagnostics import Diagnostic, Unsupported, diagnose
from graphir.dialects import DIALECTS
from graphir.ir import Node
from graphir.ir.names import generated
from graphir.passes.kinds import Kind
from graphir.passes.scope import Scopes, analyze
from graphir.source import Source


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: under which node and operator (as they were), and whether its value is a condition."""

    parent: Node | None = None
    operator: ir.Operator | None = None
    condition: bool = False

    def below(self, node: Node, child: Node) -> Place:
        """The place of a child of the node that stands here."""
        condition = child is getattr(node, "where", None) or child is getattr(node, "predicate", None)
        if isinstance(node, ir.Apply) and node.function in ("and", "or", "xor", "not"):
            condition = self.condition
        return Place(node, node if isinstance(node, ir.Operator) else self.operator, condition)


class Context:
    """The query, the target, and the place in the query where the walk is."""

    def __init__(
        self, query: ir.Query, dialect: str, source: Source, lossy: bool, notes: list[Diagnostic] | None
    ) -> None:
        self.query = query
        self.dialect = dialect
        self.source = source
        self.lossy = lossy
        self.notes = notes
        self.feature = ""
        """The feature that is being rewritten."""
        self.place = Place()
        self.in_clause = False
        """Whether an operator is being rewritten, not an expression in it."""
        self._number = 0

    def of(self, query: ir.Query) -> Context:
        """A context for the next walk, over what this one made."""
        fresh = Context(query, self.dialect, self.source, self.lossy, self.notes)
        fresh.feature = self.feature
        return fresh

    # -------------------------------------------------------------- what is asked

    @cached_property
    def scopes(self) -> Scopes:
        return analyze(self.query, self.source, self.dialect)

    @cached_property
    def uses(self) -> Counter[str]:
        """How often each word occurs in the query as a name of anything."""
        words: Counter[str] = Counter()
        for node in ir.walk(self.query):
            for field in node.fields_:
                value = getattr(node, field)
                words.update([x for x in (value if type(value) is tuple else (value,)) if type(x) is str])
        return words

    @cached_property
    def bindings(self) -> dict[str, set[str]]:
        """How each name is bound, anywhere in the query: node, edge, edges, group, path, other."""
        found: dict[str, set[str]] = {}
        for node in ir.walk(self.query):
            for name, how in _bound(node):
                found.setdefault(name, set()).add(how)
        return found

    def kind(self, name: str) -> Kind:
        """The kind of a variable where the rewrite is at."""
        known = self.scopes.before(self.place.operator).get(name) if self.place.operator is not None else None
        if known is not None and known is not Kind.ANY:
            return known
        hows = frozenset(self.bindings.get(name, ()))
        return {frozenset({"node"}): Kind.NODE, frozenset({"edge"}): Kind.EDGE}.get(hows, Kind.ANY)

    def fresh(self, hint: str) -> str:
        """A new generated name."""
        while True:
            self._number += 1
            name = generated(hint, self._number)
            if name not in self.uses:
                return name

    def require_no_star(self, node: Node) -> None:
        """Refuse if a `*` would show a variable that a rewrite adds."""
        for other in ir.walk(self.query):
            if isinstance(other, (ir.Project, ir.SubqueryCall)) and other.star:
                raise self.refusal(node, "needs a new variable, which the `*` of the query would show", code="G510")

    # -------------------------------------------------------------- refusing

    def refusal(self, node: Node, reason: str = "", *, code: str | None = None) -> Unsupported:
        """The error for the feature at hand."""
        feature = FEATURES[self.feature]
        title = DIALECTS[self.dialect].title
        message = f"{title} has no {feature.title}" + (f": {reason}" if reason else "")
        found = diagnose(self.source, code or feature.code, message, node.span)
        return Unsupported([found], feature=feature.name, target=self.dialect)

    def approximate(self, node: Node, reason: str) -> None:
        """Refuse, or under `lossy` note that what follows is only approximate."""
        if not self.lossy:
            raise self.refusal(node, reason)
        if self.notes is not None:
            message = f"{FEATURES[self.feature].title}: {reason}"
            self.notes.append(
                diagnose(self.source, FEATURES[self.feature].code, message, node.span, severity="warning")
            )


def _bound(node: Node) -> Iterator[tuple[str, str]]:
    """The names that a node binds, and how."""
    if isinstance(node, ir.NodePattern) and node.variable:
        yield node.variable, "node"
    elif isinstance(node, ir.EdgePattern) and node.variable:
        yield node.variable, "edges" if node.hops or node.quantifier else "edge"
    elif isinstance(node, ir.PathGroup) and node.quantifier:
        for inner in ir.walk(node):
            if isinstance(inner, (ir.NodePattern, ir.EdgePattern)) and inner.variable:
                yield inner.variable, "group"
    elif isinstance(node, ir.Path) and node.variable:
        yield node.variable, "path"
    elif isinstance(node, ir.Item) and node.name:
        yield node.name, "other"
    elif isinstance(node, (ir.YieldItem,)):
        yield node.alias or node.name, "other"
    elif isinstance(node, (ir.Unwind, ir.LoadCsv, ir.Foreach, ir.Quantified, ir.ListComprehension, ir.Reduce)):
        yield node.variable, "other"
        if isinstance(node, ir.Reduce):
            yield node.accumulator, "other"
    elif isinstance(node, ir.AllReduce):
        yield from ((node.variable, "other"), (node.accumulator, "other"))


Rule = Callable[[Context, ir.Node, ir.Node], ir.Node]
"""(context, node with its children rewritten, node as it was) -> node; the same node where nothing is to be done."""

OperatorRule = Callable[[Context, ir.Operator, ir.Operator, list[ir.Operator]], list[ir.Operator]]
"""(context, operator, operator as it was, operators before it) -> the operators in its place."""
