"""What is right and slow: patterns that multiply, paths without an end, results without a limit.

Advice, never a fault.  A pattern multiplies where no variable and no equality joins it to the rest; that is let pass if
all but one of the parts that do not join are pinned to a value, as in `MATCH (a {id: 1}), (b {id: 2})`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic, diagnose
from graphir.passes.aggregates import find_aggregates
from graphir.source import Source, Span

if TYPE_CHECKING:
    from graphir.passes.context import Context
    from graphir.schema import Schema

SEARCHED = frozenset(("shortest_path", "all_shortest_paths", "any", "any_shortest", "all_shortest", "shortest"))
"""Selectors under which an engine stops at the first paths that it finds."""

_CONSTANTS = (ir.Literal, ir.Parameter, ir.ListOf)
_JOINS = frozenset(("eq", "in"))


def check_cost(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    """Products, paths without an upper bound, and a result without LIMIT."""
    costs = _Costs(context.source, context.schema)
    for body, outer in _bodies(query, context):
        if type(body) is ir.Pipeline:
            costs.look_at(body, outer)
    costs.look_for_limit(query.body)
    return costs.found


def _bodies(query: ir.Query, context: Context) -> Iterator[tuple[ir.Body, frozenset[str]]]:
    """Every body of the query, with the names that it takes from outside."""
    if not context.scopes.nested and type(query.body) is ir.Pipeline:
        yield query.body, frozenset()
        return
    pending: list[tuple[ir.Node, frozenset[str]]] = [(query.body, frozenset())]
    while pending:
        node, outer = pending.pop()
        if isinstance(node, ir.Body):
            yield node, outer
        for child in ir.children(node):
            free = context.scopes.free(node) if isinstance(node, ir.Subquery | ir.SubqueryCall) else outer
            pending.append((child, free))


class _Part:
    """Patterns that hang together: a path to point at, and how many rows they may give; `home` is what it became a part
    of."""

    def __init__(self, path: ir.Path | None, *, pinned: bool = False, rows: int | None = None) -> None:
        self.path, self.pinned, self.rows = path, pinned, rows
        self.home: _Part | None = None


class _Parts:
    """The parts of the clauses between two projections, by variable."""

    def __init__(self, outer: Iterable[str]) -> None:
        self._all: list[_Part] = []
        self._of: dict[str, _Part] = {}
        names = set(outer)
        if names:
            self.add(_Part(None, pinned=True), names)

    def add(self, part: _Part, names: Iterable[str]) -> None:
        """One more part, together with those that share a variable with it."""
        self._all.append(part)
        for name in names:
            known = self._of.setdefault(name, part)
            if known is not part:
                _unite(known, part)

    def touched(self, names: Iterable[str]) -> list[_Part]:
        """The parts that have a variable."""
        homes = [_home(self._of[name]) for name in names if name in self._of]
        return list({id(part): part for part in homes}.values())

    def apart(self) -> list[_Part]:
        """The parts that nothing joined, in the order of the text."""
        return [part for part in self._all if part.home is None]


def _home(part: _Part) -> _Part:
    while part.home is not None:
        if part.home.home is not None:
            part.home = part.home.home
        part = part.home
    return part


def _unite(one: _Part, other: _Part) -> None:
    one, other = _home(one), _home(other)
    if one is not other:
        one.path = one.path or other.path
        one.pinned = one.pinned or other.pinned
        one.rows = None
        other.home = one


class _Costs:
    def __init__(self, source: Source, schema: Schema | None) -> None:
        self.source = source
        self.counts = {node.labels: node.count for node in schema.node_types} if schema is not None else {}
        self.found: list[Diagnostic] = []

    def tell(self, code: str, message: str, span: Span | None, hint: str) -> None:
        self.found.append(diagnose(self.source, code, message, span, severity="warning", hint=hint))

    # -------------------------------------------------------------- products

    def look_at(self, body: ir.Pipeline, outer: frozenset[str]) -> None:
        """The clauses between two projections together: a later one may join what an earlier one left apart."""
        parts = _Parts(outer)
        for operator in body.operators:
            if type(operator) is ir.Match:
                for path in operator.paths:
                    self.look_for_bound(path)
                    self.add(parts, path)
                _join(parts, operator.where)
            elif type(operator) is ir.Filter:
                _join(parts, operator.predicate)
            elif type(operator) is ir.Project:
                _join(parts, operator.where)
                self.close(parts)
                parts = _Parts(())
            elif isinstance(operator, ir.SubqueryCall | ir.ProcedureCall | ir.Unwind | ir.Let | ir.LoadCsv):
                # what they bind depends on the rows before, or there are few of them
                apart = parts.apart()
                for part in apart[1:]:
                    _unite(apart[0], part)
        self.close(parts)

    def add(self, parts: _Parts, path: ir.Path) -> None:
        """The part that a path is."""
        names = {path.variable} if path.variable else set()
        pinned = False
        rows: int | None = None
        pending: list[ir.Node] = list(path.elements)
        while pending:
            element = pending.pop()
            if isinstance(element, ir.NodePattern | ir.EdgePattern):
                if element.variable:
                    names.add(element.variable)
                if element.where is not None or element.properties is not None:
                    pinned = True
                    names |= _names(element.properties) | _names(element.where)
                labels = element.labels
                if len(path.elements) == 1 and isinstance(labels, ir.LabelName):
                    rows = self.counts.get((labels.name,))
            elif isinstance(element, ir.PathGroup):
                pending += element.path.elements
                names |= _names(element.where)
        parts.add(_Part(path, pinned=pinned, rows=rows), sorted(names))

    def close(self, parts: _Parts) -> None:
        """Tell of the parts that were never joined."""
        apart = [part for part in parts.apart() if not part.pinned and part.path is not None]
        if len(apart) < 2:
            return
        rows = [part.rows for part in apart if part.rows is not None]
        total = 1
        for count in rows:
            total *= count
        told = f" ({' x '.join(f'{count:,}' for count in rows)} = {total:,})" if len(rows) == len(apart) else ""
        path = apart[1].path
        self.tell(
            "G240",
            f"Nothing joins these {len(apart)} patterns: every match of one is combined with every match of the others"
            + told,
            path.span if path is not None else None,
            "join them by a variable, a relationship or an equality",
        )

    # -------------------------------------------------------------- paths and results

    def look_for_bound(self, path: ir.Path) -> None:
        """An upper bound, unless only the shortest paths are wanted."""
        if path.selector is not None and path.selector.kind in SEARCHED:
            return
        for element in path.elements:
            bounds = None
            if isinstance(element, ir.EdgePattern):
                bounds = element.hops or element.quantifier
            elif isinstance(element, ir.PathGroup):
                bounds = element.quantifier
            if bounds is not None and bounds.high is None:
                self.tell(
                    "G241",
                    "The path may be of any length: the number of paths can grow exponentially with it",
                    element.span,
                    "give an upper bound, or ask for the shortest path",
                )

    def look_for_limit(self, body: ir.Body) -> None:
        """A LIMIT of the result, unless it is one row."""
        branches = body.branches if isinstance(body, ir.SetOperation) else (body,)
        for branch in branches:
            if not isinstance(branch, ir.Pipeline) or not branch.operators:
                continue
            last = branch.operators[-1]
            reads = any(isinstance(operator, ir.Match) for operator in branch.operators)
            if not reads or not isinstance(last, ir.Project) or not last.final or last.limit is not None:
                continue
            if last.star or not last.items or not all(find_aggregates(item.value) for item in last.items):
                hint = "add LIMIT, if not all rows are wanted"
                self.tell("G242", "The number of rows has no limit", last.span, hint)


def _join(parts: _Parts, predicate: ir.Expression | None) -> None:
    """The parts that the conjuncts of a predicate join or pin."""
    if predicate is None:
        return
    pending: list[ir.Expression] = [predicate]
    while pending:
        conjunct = pending.pop()
        if isinstance(conjunct, ir.Apply) and conjunct.function == "and":
            pending += conjunct.args
            continue
        if isinstance(conjunct, ir.Comparison) and conjunct.operators != ("eq",) * len(conjunct.operators):
            continue
        if isinstance(conjunct, ir.Apply) and conjunct.function not in (*_JOINS, "or"):
            continue
        names = _names(conjunct)
        touched = parts.touched(sorted(names))
        for other in touched[1:]:
            _unite(touched[0], other)
        if len(touched) == 1 and _pins(conjunct):
            touched[0].pinned = True


def _pins(conjunct: ir.Expression) -> bool:
    """Whether an equality with a constant."""
    return (
        isinstance(conjunct, ir.Apply)
        and conjunct.function in _JOINS
        and any(isinstance(arg, _CONSTANTS) for arg in conjunct.args)
    )


def _names(node: ir.Node | None) -> set[str]:
    """The variables that an expression reads, those in its patterns with them."""
    found: set[str] = set()
    for each in ir.walk(node) if node is not None else ():
        if isinstance(each, ir.Ref):
            found.add(each.name)
        elif isinstance(each, ir.NodePattern | ir.EdgePattern) and each.variable is not None:
            found.add(each.variable)
    return found
