"""What a query names that the graph may not have: labels, types and keys.

GoogleSQL refuses a name that is nowhere, and a property of elements that no table has; in Cypher the first matches
nothing and the second is null.  `missing` says which empty tables and keys make them the same.  Works on core IR.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations

from graphir import ir
from graphir.backends.engines.faults import MISSING, fault
from graphir.backends.engines.google.layout import Element, Layout
from graphir.backends.engines.google.values import parameter_type

_MOST = 6
"""Names in a label expression up to which a set of labels is looked for that it allows."""


@dataclass(frozen=True, slots=True)
class Needs:
    """Sets of labels of nodes and of edges, and keys."""

    nodes: frozenset[frozenset[str]] = field(default_factory=frozenset)
    edges: frozenset[frozenset[str]] = field(default_factory=frozenset)
    keys: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges or self.keys)


def missing(core: ir.Query, layout: Layout, engine: str) -> Needs:
    """What the layout lacks for a query.  Unsupported (G623) for a name that differs from one there in case alone."""
    labels = {name.casefold(): name for name in layout.labels()}
    properties = {name.casefold(): name for name in (*layout.types, layout.identity)}
    for node in ir.walk(core.body):
        known = labels if isinstance(node, ir.LabelName) else properties
        for name in (node.name,) if isinstance(node, ir.LabelName) else _keys(node):
            if (other := known.get(name.casefold(), name)) != name or name == layout.identity:
                told = f"{engine} does not tell upper from lower case in names: `{name}`, and `{other}` of the graph"
                raise fault(MISSING, told, engine=engine, span=node.span, feature="names that differ in case")
    keys = dict.fromkeys(key for node in ir.walk(core.body) for key in _keys(node))
    return Needs(
        frozenset(_lacking(_expressions(core, edges=False), layout.nodes)),
        frozenset(_lacking(_expressions(core, edges=True), layout.edges)),
        tuple([key for key in keys if key not in layout.types]),
    )


def hinted(core: ir.Query, parameters: Mapping[str, str]) -> dict[str, str]:
    """Key -> the type of the literals or parameters (name -> type) that it is compared with."""
    found: dict[str, str] = {}
    for node in ir.walk(core.body):
        pairs: list[tuple[ir.Node, ir.Node]] = []
        if isinstance(node, ir.Entry):
            pairs = [(node, node.value)]
        elif isinstance(node, ir.Apply) and node.function in _TEXTUAL:
            pairs = [(node.args[0], ir.Literal(""))]
        elif isinstance(node, ir.Apply) and node.function in _COMPARING:
            pairs = [node.args, node.args[::-1]]  # type: ignore[list-item]
        for asked, value in pairs:
            of = _type(value, parameters)
            if of is not None and isinstance(asked, (ir.Entry, ir.Property)):
                found.setdefault(asked.key, of)
    return found


_COMPARING = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_TEXTUAL = frozenset(("starts_with", "ends_with", "contains", "matches"))


def _type(value: ir.Node, parameters: Mapping[str, str]) -> str | None:
    match value:
        case ir.Parameter():
            return parameters.get(value.name)
        case ir.Apply(function="date"):
            return "DATE"
        case ir.Literal() if value.value is not None:
            return parameter_type(value.value)
        case _:
            return None


def without_unlabelled(core: ir.Query, layout: Layout) -> ir.Query:
    """The query for a graph whose nodes without labels have one: `%` means any label but that."""
    if all(element.labels for element in layout.nodes):
        return core
    edges = _edge_variables(core)
    real = ir.LabelNot(ir.LabelName(layout.unlabelled))

    def rule(node: ir.Node) -> ir.Node:
        if isinstance(node, (ir.NodePattern, ir.HasLabels)) and node.labels is not None and not _of_edge(node, edges):
            labels = ir.rewrite(node.labels, lambda part: real if isinstance(part, ir.LabelAny) else part)
            return replace(node, labels=labels) if labels is not node.labels else node
        return node

    return ir.rewrite(core, rule)


def _keys(node: ir.Node) -> Iterator[str]:
    if isinstance(node, (ir.Property, ir.Entry)):
        yield node.key
    elif isinstance(node, ir.Index) and isinstance(node.index, ir.Literal) and isinstance(node.index.value, str):
        yield node.index.value


def _edge_variables(core: ir.Query) -> set[str | None]:
    return {node.variable for node in ir.walk(core.body) if isinstance(node, ir.EdgePattern)}


def _of_edge(node: ir.NodePattern | ir.EdgePattern | ir.HasLabels, edges: set[str | None]) -> bool:
    if isinstance(node, ir.HasLabels):
        return isinstance(node.base, ir.Ref) and node.base.name in edges
    return isinstance(node, ir.EdgePattern)


def _expressions(core: ir.Query, *, edges: bool) -> Iterator[tuple[ir.LabelExpression, bool]]:
    """The label expressions for nodes or for edges, and whether they stand in a pattern."""
    variables = _edge_variables(core)
    for node in ir.walk(core.body):
        if not isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.HasLabels)) or node.labels is None:
            continue
        if _of_edge(node, variables) == edges:
            yield node.labels, not isinstance(node, ir.HasLabels)


def _lacking(
    expressions: Iterable[tuple[ir.LabelExpression, bool]], elements: Sequence[Element]
) -> Iterator[frozenset[str]]:
    """Sets of labels that no table has, so that every name is there and every pattern can match something."""
    sets = {frozenset(element.labels) for element in elements}
    for expression, in_pattern in expressions:
        names = list(dict.fromkeys(part.name for part in ir.walk(expression) if isinstance(part, ir.LabelName)))
        for name in names:
            if not any(name in each for each in sets):
                sets.add(frozenset((name,)))
                yield frozenset((name,))
        if not in_pattern or len(names) > _MOST or any(_allows(expression, each) for each in sets):
            continue
        every = chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))
        found = next((each for each in map(frozenset, every) if _allows(expression, each)), None)
        if found is not None:
            sets.add(found)
            yield found


def _allows(expression: ir.LabelExpression, labels: frozenset[str]) -> bool:
    """Whether an element with exactly these labels satisfies the expression.  Recurses on it."""
    match expression:
        case ir.LabelName():
            return expression.name in labels
        case ir.LabelAny():
            return bool(labels)
        case ir.LabelNot():
            return not _allows(expression.operand, labels)
        case ir.LabelAnd():
            return all(_allows(each, labels) for each in expression.operands)
        case ir.LabelOr():
            return any(_allows(each, labels) for each in expression.operands)
        case _:
            return False
