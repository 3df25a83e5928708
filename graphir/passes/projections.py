"""Projections in single steps: `Project` or `Aggregate`, with `Order`, `Page` and `Filter` beside it.

What only a sort key or the predicate of WITH .. WHERE needs becomes a column with a made-up name, which a last
projection drops.  Grouping becomes explicit.  Columns must have their names, stars and sugar must be gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property

from graphir import ir
from graphir.diagnostics import SemanticFault, diagnose
from graphir.ir import Expression, Item, Node, Ref
from graphir.ir.node import replace
from graphir.passes.aggregates import find_aggregates, is_aggregate
from graphir.passes.grouping import Before, Grouping
from graphir.passes.names import Maker, mentioned, names_in, renamed
from graphir.passes.projected import BINDING, MATCHING, Projected, bindings
from graphir.passes.scope import Scopes, analyze
from graphir.source import Source


def split_projections(query: ir.Query, source: Source) -> ir.Query:
    """Split every projection.  Raises SemanticFault: ambiguous grouping (G111), an aggregate out of place (G112)."""
    bound = _Bound(query)
    maker = Maker(query)

    def rule(origin: Node, node: Node) -> Node:
        if not isinstance(node, ir.Pipeline) or not isinstance(origin, ir.Pipeline):
            return node
        operators: list[ir.Operator] = []
        for before, operator in zip(origin.operators, node.operators, strict=True):
            if isinstance(operator, ir.Project) and not is_step(operator):
                operators += split(operator, bound.before(before), maker, source)
            else:
                operators.append(operator)
        return replace(node, operators=tuple(operators))

    made = ir.transform(query, rule, ir.Pipeline)
    for node in misplaced_aggregates(made):
        message = "An aggregate may stand only in the columns of WITH and RETURN, and not in another aggregate"
        raise SemanticFault([diagnose(source, "G112", message, node.span)])
    return made


class _Bound:
    """What is bound before the operators of a query, analysed when that is first asked."""

    def __init__(self, query: ir.Query) -> None:
        self.query = query

    @cached_property
    def scopes(self) -> Scopes:
        return analyze(self.query, reading=False)

    def before(self, operator: ir.Operator) -> Before:
        return lambda: frozenset(self.scopes.before(operator))


def misplaced_aggregates(query: ir.Query) -> Iterator[Node]:
    """Aggregates that are not themselves a column of an `Aggregate`."""
    placed: set[int] = set()
    for node in ir.find(query, ir.Aggregate, ir.Apply, ir.Call):
        if isinstance(node, ir.Aggregate):
            placed.update(id(item.value) for item in node.aggregates)
        elif is_aggregate(node) and id(node) not in placed:
            yield node


def is_step(project: ir.Project) -> bool:
    """Whether a projection is a single step as it is."""
    more = project.order, project.where, project.skip, project.limit
    return (
        not any(more)
        and bool(project.items)
        and project.group_by is None
        and not any(find_aggregates(item.value) for item in project.items)
    )


def split(project: ir.Project, before: Before, maker: Maker, source: Source) -> Iterator[ir.Operator]:
    """The steps of one projection; `before` tells the variables it starts from, where a step depends on them.

    WITH * where nothing is in scope is no step.  The order stands apart from the projection where Cypher would read a
    sort key in one clause with it as an old expression.
    """
    steps: Plain | Grouping
    if project.group_by is not None or any(find_aggregates(item.value) for item in project.items):
        steps = Grouping(project, before, maker, source)
    else:
        steps = Plain(project, before, maker, source)
    order = tuple([replace(by, value=steps.after(by.value, key=True)) for by in project.order])
    where = project.where and steps.after(project.where, key=False)
    span = project.span
    drops = bool(steps.hidden) or (where is not None and project.final)
    final = project.final and not drops
    apart = any(steps.projected.mistakes(by.value) for by in order)
    if project.items or project.final or project.distinct or steps.hidden:
        yield from steps.operators(final=final and not apart)
    if apart:
        yield kept(project, steps.hidden, final=final)
    if order:
        yield ir.Order(order, span=span)
    if project.skip is not None or project.limit is not None:
        yield ir.Page(project.skip, project.limit, span=span)
    if where is not None:
        yield ir.Filter(where, span=where.span)
    if drops:
        yield kept(project, (), final=project.final)


def kept(project: ir.Project, hidden: Sequence[Item], *, final: bool) -> ir.Project:
    """A projection of the columns as they are."""
    items = [Item(Ref(item.name or "", span=item.span), item.name, span=item.span) for item in project.items]
    items += [replace(item, value=Ref(item.name or "", span=item.span)) for item in hidden]
    return ir.Project(tuple(items), final=final, span=project.span)


class Plain:
    """A projection without grouping."""

    def __init__(self, project: ir.Project, before: Before, maker: Maker, source: Source) -> None:
        self.project = project
        self.maker = maker
        self.source = source
        self.hidden: list[Item] = []
        self._before = before
        self._made: dict[Expression, str] = {}

    @cached_property
    def projected(self) -> Projected:
        return Projected([(item.name or "", item.value) for item in self.project.items])

    @cached_property
    def new(self) -> Set[str]:
        """Names that now mean something else than before, or are new."""
        items = self.project.items
        return self.projected.names - {
            i.name or "" for i in items if isinstance(i.value, Ref) and i.value.name == i.name
        }

    @cached_property
    def old(self) -> Set[str]:
        """Names that are gone."""
        return self._before() - self.projected.names

    @cached_property
    def reused(self) -> Set[str]:
        """New columns that are named like old variables."""
        return self.new & self._before()

    def operators(self, *, final: bool) -> Iterator[ir.Operator]:
        items = (*self.project.items, *self.hidden)
        yield replace(self.project, items=items, final=final, order=(), skip=None, limit=None, where=None)

    def after(self, expression: Expression, *, key: bool) -> Expression:
        """An expression of ORDER BY or WHERE, in terms of the columns.

        What reads variables that are gone is computed before, as a whole where that is possible.  Next to new columns
        it is the largest such parts, or, where not all parts are evaluated, only what cannot fail.
        """
        matched = self.projected.rewrite(expression, key=key)
        if self.projected.names.issuperset(mentioned(matched)) or not reads(matched, self.old):
            clashes = not self.project.distinct and not reads(expression, self.new) and reads(matched, self.reused)
            return self.hide(expression) if clashes else matched
        if self.project.distinct:
            raise self.gone(matched)
        if not reads(expression, self.new):
            return self.hide(expression)
        within = bindings(matched)
        guarded = any(is_guard(part) for part in ir.walk(matched))

        def choose(node: Node) -> Node | None:
            if not isinstance(node, Expression):
                return None
            bound = within.get(id(node), frozenset())
            if not reads(node, self.old - bound):
                return node
            if isinstance(node, MATCHING):
                return self.carry(node) if not bound else None
            whole = not reads(node, self.new | bound)
            return self.hide(node) if whole and (not guarded or isinstance(node, (Ref, ir.Property))) else None

        return ir.rewrite_down(matched, choose)

    def carry(self, node: Expression) -> Expression:
        """An expression with patterns, over old variables that are kept under made-up names."""
        names = {name: self.hide(Ref(name)).name for name in sorted(self.old & set(mentioned(node)))}
        return renamed(node, names)

    def hide(self, expression: Expression) -> Ref:
        """A reference to a column that is made for the expression."""
        name = self._made.get(expression)
        if name is None:
            name = self._made[expression] = self.maker.make("o")
            self.hidden.append(Item(expression, name, span=expression.span))
        return Ref(name, span=expression.span)

    def gone(self, node: Node) -> SemanticFault:
        name = next((name for name in mentioned(node) if name in self.old), "")
        message = f"Variable `{name}` is not visible together with the new columns here"
        return SemanticFault([diagnose(self.source, "G101", message, node.span)])


def reads(node: Node, names: Set[str]) -> bool:
    """Whether a node mentions one of the names, other than as a name of its own."""
    if names.isdisjoint(mentioned(node)):
        return False
    within = bindings(node)
    for part in ir.walk(node):
        if isinstance(part, (Ref, ir.ProjectedVariable)):
            if part.name in names and part.name not in within.get(id(part), ()):
                return True
        elif not isinstance(part, BINDING) and not names.isdisjoint(names_in(part)):
            return True
    return False


def is_guard(node: Node) -> bool:
    """Whether a node may leave some of its operands unevaluated."""
    if isinstance(node, ir.Apply):
        return node.function in ("and", "or", "coalesce")
    return isinstance(node, (ir.Case, *BINDING))
