"""Results that are elements: the engines return none, so a query asks for their numbers, and rows are made of those.

Works on core IR.  Only columns that are an element, a list of elements or a path as they are become numbers; where an
expression makes elements of others, the translation refuses the query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphir import ir
from graphir.backends.engines.tables import Tables
from graphir.ir.names import generated
from graphir.passes.kinds import Kind
from graphir.passes.scope import Scopes, analyze
from graphir.values.entities import Path

_SHOWN = (Kind.NODE, Kind.EDGE, Kind.NODES, Kind.EDGES, Kind.PATH)


@dataclass(frozen=True, slots=True)
class Shape:
    """What each column of the result is: `Kind.VALUE` is shown as it comes."""

    kinds: tuple[Kind, ...]

    @property
    def width(self) -> int:
        """How many columns come: a path is its nodes and its edges."""
        return sum([2 if kind is Kind.PATH else 1 for kind in self.kinds])

    def row(self, values: Sequence[Any], tables: Tables | None) -> tuple[Any, ...]:
        """The row of the result.  LookupError for a number that no element has."""
        found: list[Any] = []
        at = 0
        for kind in self.kinds:
            if kind is Kind.PATH:
                found.append(_path(values[at], values[at + 1], tables))
                at += 1
            else:
                found.append(_shown(kind, values[at], tables))
            at += 1
        return tuple(found)


def _shown(kind: Kind, value: Any, tables: Tables | None) -> Any:
    if value is None or kind is Kind.VALUE:
        return value
    assert tables is not None, "elements are shown of a graph that was loaded"
    element = tables.node if kind in (Kind.NODE, Kind.NODES) else tables.edge
    if kind in (Kind.NODE, Kind.EDGE):
        return element(value)
    return [None if number is None else element(number) for number in value]


def _path(nodes: Any, edges: Any, tables: Tables | None) -> Path | None:
    """A path has a node at least: no nodes are no path."""
    if not nodes:
        return None
    assert tables is not None, "elements are shown of a graph that was loaded"
    return Path(tuple(map(tables.node, nodes)), tuple(map(tables.edge, edges)))


def numbered(core: ir.Query, identity: str) -> tuple[ir.Query, Shape]:
    """The query that gives numbers for elements, and what its columns are.  `id()` is the number, too."""
    core = ir.rewrite(core, lambda node: _identity(node, identity))
    scopes = analyze(core)
    columns = scopes.columns or {}
    kinds = tuple([kind if kind in _SHOWN else Kind.VALUE for kind in columns.values()])
    if set(kinds) <= {Kind.VALUE}:
        return core, Shape(kinds)
    wanted = dict(zip(columns, kinds, strict=True))
    body = core.body
    if isinstance(body, ir.SetOperation):
        if not all(isinstance(branch, ir.Pipeline) for branch in body.branches):
            return core, Shape(tuple([Kind.VALUE for _ in kinds]))
        branches = [_Pipeline(branch, scopes, wanted, identity).rewritten() for branch in _pipelines(body)]
        return replace(core, body=replace(body, branches=tuple(branches))), Shape(kinds)
    if not isinstance(body, ir.Pipeline):
        return core, Shape(tuple([Kind.VALUE for _ in kinds]))
    return replace(core, body=_Pipeline(body, scopes, wanted, identity).rewritten()), Shape(kinds)


def _pipelines(body: ir.SetOperation) -> Iterator[ir.Pipeline]:
    for branch in body.branches:
        assert isinstance(branch, ir.Pipeline)
        yield branch


def _identity(node: ir.Node, identity: str) -> ir.Node:
    if isinstance(node, ir.Apply) and node.function == "id" and isinstance(node.args[0], ir.Ref):
        return ir.Property(node.args[0], identity, span=node.span)
    return node


class _Pipeline:
    """One pipeline whose result has elements."""

    def __init__(self, pipeline: ir.Pipeline, scopes: Scopes, wanted: Mapping[str, Kind], identity: str) -> None:
        self.pipeline = pipeline
        self.scopes = scopes
        self.wanted = wanted
        self.identity = identity
        self.single = _single_paths(pipeline)
        """The paths of one node."""

    def rewritten(self) -> ir.Pipeline:
        operators = list(self.pipeline.operators)
        at = next((at for at, o in enumerate(operators) if isinstance(o, ir.Project) and o.final), None)
        if at is None:
            return self.pipeline
        project = operators[at]
        assert isinstance(project, ir.Project)
        before, behind = operators[:at], operators[at + 1 :]
        collected: set[str] = set()
        if before and isinstance(last := before[-1], ir.Aggregate):
            before[-1], collected = self.collecting(last, project, behind)
        if not behind and not project.distinct:
            items = [shown for item in project.items for shown in self.shown(item, item.value, collected)]
            return replace(self.pipeline, operators=(*before, replace(project, items=tuple(items))))
        items = [shown for item in project.items for shown in self.shown(item, _column(item), collected)]
        last = replace(project, items=tuple(items), distinct=False)
        return replace(self.pipeline, operators=(*before, replace(project, final=False), *behind, last))

    def shown(self, item: ir.Item, value: ir.Expression, collected: set[str]) -> Iterator[ir.Item]:
        """The columns that stand for one with that value; they have names of their own."""
        name = item.name or ""
        kind = self.wanted.get(name, Kind.VALUE)
        if kind is Kind.VALUE or name in collected:
            yield replace(item, value=value)
            return
        at = list(self.wanted).index(name)
        if kind in (Kind.NODE, Kind.EDGE):
            yield ir.Item(self.number(value), generated("shown", at))
        elif kind is Kind.PATH:
            nodes, edges = (ir.Apply(name, (value,), span=value.span) for name in ("nodes", "relationships"))
            yield ir.Item(self.numbers(nodes), generated(f"shown{at}_", 0))
            # Of a path that cannot have edges GoogleSQL does not take questions about them.
            none = isinstance(item.value, ir.Ref) and item.value.name in self.single
            yield ir.Item(
                self.numbers(nodes, ir.Literal(False)) if none else self.numbers(edges), generated(f"shown{at}_", 1)
            )
        else:
            yield ir.Item(self.numbers(value), generated("shown", at))

    def number(self, element: ir.Expression) -> ir.Expression:
        return ir.Property(element, self.identity, span=element.span)

    def numbers(self, elements: ir.Expression, where: ir.Expression | None = None) -> ir.Expression:
        variable = generated("element", 0)
        return ir.ListComprehension(variable, elements, where, self.number(ir.Ref(variable)), span=elements.span)

    def collecting(
        self, aggregate: ir.Aggregate, project: ir.Project, behind: Sequence[ir.Operator]
    ) -> tuple[ir.Aggregate, set[str]]:
        """`collect` of elements as that of numbers, where its list is only returned; and the names of those columns."""
        before = self.scopes.before(aggregate)
        used = [node.name for o in (project, *behind) for node in ir.walk(o) if isinstance(node, ir.Ref)]
        aggregates = []
        collected = set()
        for item in aggregate.aggregates:
            value, column = item.value, next((i for i in project.items if i.value == ir.Ref(item.name or "")), None)
            if (
                isinstance(value, ir.Apply)
                and value.function == "collect"
                and isinstance(element := value.args[0], ir.Ref)
                and before.get(element.name) in (Kind.NODE, Kind.EDGE)
                and column is not None
                and used.count(item.name or "") == 1
                and not project.distinct
            ):
                collected.add(column.name or "")
                item = replace(item, value=replace(value, args=(self.number(element),)))  # noqa: PLW2901
            aggregates.append(item)
        return replace(aggregate, aggregates=tuple(aggregates)), collected


def _single_paths(pipeline: ir.Pipeline) -> set[str | None]:
    """The names that stand for paths of one node and for nothing else."""
    found: set[str | None] = set()
    others: set[str | None] = set()
    for node in ir.walk(pipeline):
        if isinstance(node, ir.Path):
            single = len(node.elements) == 1 and isinstance(node.elements[0], ir.NodePattern)
            (found if single else others).add(node.variable)
        elif isinstance(node, ir.Item) and node.value != ir.Ref(node.name or ""):
            others.add(node.name)
    return found - others


def _column(item: ir.Item) -> ir.Expression:
    return ir.Ref(item.name or "", span=item.value.span)
