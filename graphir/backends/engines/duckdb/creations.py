"""Statements of scripts that only create, taken together: their nodes and edges go into the tables at once.

What is created depends on nothing that is there, as long as every value is a constant.  A statement of another kind is
none of these, and runs as a query does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphir import ir
from graphir.backends.engines.duckdb.storage import Storage
from graphir.backends.engines.duckdb.writing import execution
from graphir.diagnostics import RunFault
from graphir.graphs import PropertyGraph
from graphir.values.entities import Edge, Node
from graphir.values.functions import call

_CONSTANT = frozenset(
    ("neg", "pos", "date", "time", "localtime", "localdatetime", "datetime", "duration", "point", "true", "false")
)
"""Functions and operators whose value is that of their arguments alone, if they have some."""


class _Other(Exception):
    """The statement is not one that only creates."""


class Creations:
    """Nodes and edges that wait to be added."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._nodes: list[Node] = []
        self._edges: list[Edge] = []

    def take(self, query: ir.Query) -> bool:
        """Note what a query creates; False, and nothing noted, where it does something else."""
        body = query.body
        if not isinstance(body, ir.Pipeline):
            return False
        creating = []
        for operator in body.operators:
            if not isinstance(operator, ir.Insert):
                break
            creating.append(operator)
        rest = body.operators[len(creating) :]
        if not creating or any(execution.writes(operator) for operator in rest):
            return False
        statement = _Statement(self.storage.next_node + len(self._nodes), self.storage.next_edge + len(self._edges))
        try:
            for operator in creating:
                for path in operator.paths:
                    statement.path(path)
        except (_Other, RunFault):
            return False
        self._nodes += statement.nodes
        self._edges += statement.edges
        return True

    def settle(self) -> None:
        """Add what waits."""
        if self._nodes:
            self.storage.load(PropertyGraph(tuple(self._nodes), tuple(self._edges)))
            self._nodes.clear()
            self._edges.clear()


class _Statement:
    """What one statement creates."""

    def __init__(self, first_node: int, first_edge: int) -> None:
        self.first_node, self.first_edge = first_node, first_edge
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self._known: dict[str, int] = {}

    def path(self, path: ir.Path) -> None:
        before: int | None = None
        edge: ir.EdgePattern | None = None
        for element in path.elements:
            match element:
                case ir.NodePattern():
                    here = self._node(element)
                    if edge is not None and before is not None:
                        self._edge(edge, before, here)
                    before, edge = here, None
                case ir.EdgePattern():
                    edge = element
                case _:
                    raise _Other

    def _node(self, pattern: ir.NodePattern) -> int:
        name = pattern.variable
        if name is not None and name in self._known:
            if pattern.labels is not None or pattern.properties is not None:
                raise _Other
            return self._known[name]
        key = self.first_node + len(self.nodes)
        self.nodes.append(Node(key, _labels(pattern.labels), _properties(pattern.properties)))
        if name is not None:
            self._known[name] = key
        return key

    def _edge(self, pattern: ir.EdgePattern, before: int, after: int) -> None:
        types = _labels(pattern.labels)
        if len(types) != 1 or pattern.direction not in ("out", "in"):
            raise _Other
        start, end = (before, after) if pattern.direction == "out" else (after, before)
        key = self.first_edge + len(self.edges)
        self.edges.append(Edge(key, types[0], start, end, _properties(pattern.properties)))


def _labels(expression: ir.LabelExpression | None) -> tuple[str, ...]:
    match expression:
        case None:
            return ()
        case ir.LabelName():
            return (expression.name,)
        case ir.LabelAnd() if all(isinstance(part, ir.LabelName) for part in expression.operands):
            return tuple([part.name for part in expression.operands if isinstance(part, ir.LabelName)])
        case _:
            raise _Other


def _properties(expression: ir.Expression | None) -> Mapping[str, Any]:
    if expression is None:
        return {}
    if not isinstance(expression, ir.MapOf):
        raise _Other
    found = {entry.key: _value(entry.value) for entry in expression.entries}
    if len(found) < len(expression.entries) or any(not _storable(value) for value in found.values()):
        raise _Other
    return {key: value for key, value in found.items() if value is not None}


def _storable(value: Any) -> bool:
    """Whether a property can certainly be this: no map, no list in a list, no null in one."""
    if isinstance(value, list):
        kinds = {type(item) for item in value}
        return len(kinds) <= 1 and not kinds & {list, dict, type(None)}
    return not isinstance(value, dict)


def _value(expression: ir.Expression) -> Any:
    """The value of a constant.  Recurses on lists and maps."""
    match expression:
        case ir.Literal():
            return expression.value
        case ir.ListOf():
            return [_value(item) for item in expression.items]
        case ir.MapOf():
            return {entry.key: _value(entry.value) for entry in expression.entries}
        case ir.Apply() if expression.args and expression.function in _CONSTANT and not expression.distinct:
            return call(expression.function, *[_value(argument) for argument in expression.args])
        case _:
            raise _Other
