"""MERGE: a row whose pattern is there goes on with it, else it is made; every row sees what those before it made.

Rows may be done together where none can find what another one made unless the two are alike: a pattern of at most one
edge, which has a direction, and actions that do not touch what the pattern asks for.  Then rows that ask for the same
make one element, and else they are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from math import isnan
from typing import Any

from graphir import ir
from graphir.backends.engines.duckdb.writing.bindings import Bindings, Desk, number
from graphir.backends.engines.duckdb.writing.updates import Updates
from graphir.backends.sql import build
from graphir.backends.sql.patterns import match
from graphir.backends.sql.reps import EDGE, INTEGER, NODE, PATH, Rep
from graphir.backends.sql.rows import Block
from graphir.backends.sql.terms import Term
from graphir.ir.names import is_generated
from graphir.values import codec
from graphir.values.references import EdgeReference, NodeReference

Found = dict[int, list[tuple[Any, ...]]]
"""Number of a row -> the values of the new variables, for each embedding."""


class Merging:
    """One MERGE clause."""

    def __init__(self, operator: ir.Merge, updates: Updates, bound: Iterable[str]) -> None:
        self.operator = operator
        self.updates = updates
        self.fresh: dict[str, Rep] = {}
        known = set(bound)
        for element in operator.path.elements:
            name = getattr(element, "variable", None)
            if name is not None and name not in known and not is_generated(name):
                self.fresh[name] = NODE if isinstance(element, ir.NodePattern) else EDGE
        if operator.path.variable is not None:
            self.fresh[operator.path.variable] = PATH

    @property
    def desk(self) -> Desk:
        return self.updates.desk

    def run(self, bindings: Bindings) -> Bindings:
        asked = self._asked(bindings)
        found = self._find(bindings)
        if all(row in found for row in range(bindings.count)) and not self.operator.actions:
            return self._joined(bindings, found)
        if self._independent():
            return self._together(bindings, found, asked)
        return self._one_by_one(bindings)

    # -------------------------------------------------------------- finding

    def _find(self, bindings: Bindings, *conditions: build.Sql) -> Found:
        """The embeddings of the pattern that there are."""
        block = Block(self.desk.lowering())
        rows = match(ir.Match((self.operator.path,)), bindings.rows(*conditions), block)
        at = number()
        terms = [rows.names[name] for name in self.fresh]
        found: Found = {}
        for row, *values in self.desk.select(rows, block, [Term(at, INTEGER), *terms], [number()]):
            found.setdefault(row, []).append(tuple(values))
        return found

    def _asked(self, bindings: Bindings) -> list[Any]:
        """What each row asks for: equal for rows that ask for the same."""
        expressions: list[ir.Expression] = []
        places: list[ir.Entry] = []
        for element in self.operator.path.elements:
            if isinstance(element, (ir.NodePattern, ir.EdgePattern)) and isinstance(element.properties, ir.MapOf):
                places += element.properties.entries
                expressions += [entry.value for entry in element.properties.entries]
        named = [getattr(element, "variable", None) for element in self.operator.path.elements]
        expressions += [ir.Ref(str(name)) for name in named if name in bindings.names]
        asked: list[Any] = []
        unlike = count()
        for row in self.desk.values(bindings, expressions):
            for entry, value in zip(places, row, strict=False):
                if value is None:
                    self.updates.fault("G612", f"MERGE cannot look for property `{entry.key}` that is null", entry)
            alone = any(isinstance(value, float) and isnan(value) for value in row)
            asked.append(next(unlike) if alone else codec.order_key(list(row)))
        return asked

    def _independent(self) -> bool:
        edges = [each for each in self.operator.path.elements if isinstance(each, ir.EdgePattern)]
        if len(edges) > 1 or any(each.direction == "any" for each in edges):
            return False
        if any(isinstance(node, ir.LabelDynamic) for node in ir.walk(self.operator.path)):
            return False
        keys = {node.key for node in ir.walk(self.operator.path) if isinstance(node, ir.Entry)}
        for action in self.operator.actions:
            for item in action.items:
                if not isinstance(item, ir.SetProperty) or not isinstance(item.target, ir.Property):
                    return False
                if item.target.key in keys:
                    return False
        return True

    # -------------------------------------------------------------- making

    def _make(self, bindings: Bindings) -> list[tuple[Any, ...]]:
        """Make the pattern for every row; the values of the new variables."""
        path = ir.Path(self.operator.path.elements, self.operator.path.variable)
        made = self.updates.insert((path,), bindings)
        return self.desk.values(made, [ir.Ref(name) for name in self.fresh])

    def _together(self, bindings: Bindings, found: Found, asked: Sequence[Any]) -> Bindings:
        makers: dict[Any, int] = {}
        missing = [row for row in range(bindings.count) if row not in found]
        for row in missing:
            makers.setdefault(asked[row], row)
        created: dict[int, tuple[Any, ...]] = {}
        if makers:
            numbers = list(makers.values())
            created = dict(zip(numbers, self._make(self.desk.part(bindings, numbers)), strict=True))
        for row in missing:
            found[row] = [created[makers[asked[row]]]]
        result = self._joined(bindings, found)
        places = _places(found)
        for event, wanted in (("create", True), ("match", False)):
            items = self._items(event)
            numbers = [at for at, row in enumerate(places) if (row in created) == wanted]
            if items and numbers:
                whole = len(numbers) == result.count
                self.updates.set_items(items, result if whole else self.desk.part(result, numbers))
        return result

    def _one_by_one(self, bindings: Bindings) -> Bindings:
        found: Found = {}
        for row in range(bindings.count):
            one = self.desk.part(bindings, [row])
            there = self._find(one)
            found[row] = there.get(0) or self._make(one)
            items = self._items("match" if there else "create")
            if items:
                self.updates.set_items(items, self._joined(one, {0: found[row]}))
        return self._joined(bindings, found)

    def _items(self, event: str) -> list[ir.SetItem]:
        return [item for action in self.operator.actions if action.event == event for item in action.items]

    def _joined(self, bindings: Bindings, found: Found) -> Bindings:
        values = [each for row in sorted(found) for each in found[row]]
        columns = {name: (rep, [_id(each[at]) for each in values]) for at, (name, rep) in enumerate(self.fresh.items())}
        return self.desk.joined(bindings, _places(found), columns)


def _places(found: Mapping[int, Sequence[Any]]) -> list[int]:
    """The row that each embedding belongs to, in order."""
    return [row for row in sorted(found) for _ in found[row]]


def _id(value: Any) -> Any:
    return value.id if isinstance(value, (NodeReference, EdgeReference)) else value
