"""The paths of a recursion: what its steps may be, and each of its columns as a value of a path.

A column is one that no step changes, one that counts, a list or a value that grows with each step, or what the last
step ends at.  This module must not know how a recursion is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.ir import (
    Apply,
    Call,
    Cast,
    Expression,
    Item,
    Let,
    ListOf,
    Literal,
    Operator,
    Pipeline,
    Project,
    Property,
    Ref,
    SetOperation,
    SubqueryCall,
)
from graphir.passes.names import renamed
from graphir.passes.selects.hops import Hop, Hops, are_apart, is_plain, names_of, shape_of
from graphir.passes.selects.operators import ORACLE
from graphir.passes.selects.scopes import origins_of

if TYPE_CHECKING:
    from graphir.passes.selects.recursions import Recursion

FLIPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}


@dataclass(slots=True)
class State:
    """A column of what is reached: its variable, where it starts, and what a step makes of it."""

    name: str
    variable: str
    first: Expression
    """What it is before any step, an expression over what the first query selects from."""
    step: Expression


class Walk:
    """What a recursion says of its paths, and its columns as values of a path."""

    def __init__(
        self,
        around: Recursion,
        states: Sequence[State],
        conditions: Sequence[Expression],
        hops: Sequence[Hop],
        *,
        distinct: bool,
    ) -> None:
        self.around = around
        self.maker = around.tables.maker
        self.states = states
        self.distinct = distinct
        self.by_variable = {state.variable: state for state in states}
        self.reached = frozenset(self.by_variable)
        link, rest = self._link(conditions)
        self.link = link
        self.hops = Hops(hops, link, around.tables.shapes.schema, self.maker)
        self._require_identity()
        self.high: int | None = None
        self.mode: str | None = None
        self.path = self.maker.make("p")
        self.end = self.maker.make("w")
        self.avoided: list[tuple[Expression, State]] = []
        """What must not be in a list that the walk starts with."""
        self._read([self._at_start(each) for each in rest])

    def _link(self, conditions: Sequence[Expression]) -> tuple[Expression, list[Expression]]:
        """What a hop starts at, which is what was reached; and the other conditions."""
        for at, condition in enumerate(conditions):
            if not isinstance(condition, Apply) or condition.function != "eq":
                continue
            for one, other in (condition.args, condition.args[::-1]):
                if isinstance(one, Ref) and one.name in self.reached and not names_of(other) & self.reached:
                    self.now = self.by_variable[one.name]
                    return other, [*conditions[:at], *conditions[at + 1 :]]
        raise self.around.refused("nothing says where a step starts")

    def _require_identity(self) -> None:
        """That what a step ends at is where the next one starts, and no other node."""
        starts, ends = self.hops.shapes(self.link), self.hops.shapes(self.now.step)
        if starts is None or ends is None or not self._agree(starts, ends):
            told = "nothing says that the value by which a step finds its node is of no other: a schema with keys may"
            raise self.around.refused(told, self.link.span)
        if names_of(self.hops.value(self.now.step)) != {self.hops.target}:
            raise self.around.refused("a step does not go on from the node that it ends at", self.now.step.span)

    def _agree(self, starts: dict[int, Any], ends: dict[int, Any]) -> bool:
        return all(ends.get(kind, shape) == shape for kind, shape in starts.items()) and are_apart({**starts, **ends})

    def _at_start(self, expression: Expression) -> Expression:
        """With the node that a hop starts at in place of the one that was reached."""

        def choose(part: ir.Node) -> ir.Node | None:
            return self.link if isinstance(part, Ref) and part.name == self.now.variable else None

        return ir.rewrite_down(expression, choose)

    # -------------------------------------------------------------- conditions

    def _read(self, conditions: Sequence[Expression]) -> None:
        kept: list[Expression] = []
        for condition in conditions:
            if self._bounds(condition) or self._forbids(condition):
                continue
            read = names_of(condition) & self.reached
            if any(not self._is_constant(self.by_variable[name]) for name in read):
                raise self.around.refused("its step asks for what no path pattern has", condition.span)
            kept.append(condition)
        for value, state in self.avoided:
            kept.append(Apply("not", (Apply("in", (value, Ref(state.variable)), span=value.span),), span=value.span))
        self.hops.with_filters(kept)
        self.is_endless = self.mode is None and self.high is None
        if self.is_endless:
            self.mode = "trail"

    def _is_constant(self, state: State) -> bool:
        return state.step == Ref(state.variable) and state is not self.now

    def _count(self, state: State) -> tuple[int, int] | None:
        """Of a column that counts: where it starts, and what a step adds."""
        first = state.first.value if isinstance(state.first, Cast) else state.first
        match first, state.step:
            case Literal(int(start)), Apply("add", (Ref(name), Literal(int(more)))) if name == state.variable:
                return start, more
            case Literal(int(start)), Apply("add", (Literal(int(more)), Ref(name))) if name == state.variable:
                return start, more
        return None

    def counter(self, expression: Expression, table: str) -> int | None:
        """Where a column starts that counts by one, named as those around name it."""
        match expression:
            case Ref(name):
                named = name
            case Property(Ref(base), name) if base.lower() == table.lower():
                named = name
            case _:
                return None
        for state in self.states:
            counted = self._count(state)
            if state.name.lower() == named.lower() and counted is not None and counted[1] == 1:
                return counted[0]
        return None

    def _bounds(self, condition: Expression) -> bool:
        """Whether it is a limit of the number of steps, which is noted."""
        match condition:
            case Apply(operator, (left, Literal(int(number)))) if operator in FLIPPED:
                pass
            case Apply(operator, (Literal(int(number)), left)) if operator in FLIPPED:
                operator = FLIPPED[operator]
            case _:
                return False
        more = 0
        match left:
            case Apply("add", (Ref() as left, Literal(int(more)))) | Apply("add", (Literal(int(more)), Ref() as left)):
                pass
        state = self.by_variable.get(left.name) if isinstance(left, Ref) else None
        counted = None if state is None else self._count(state)
        if counted is None or counted[1] != 1 or operator not in ("lt", "le"):
            return False
        high = max(0, number - more - counted[0] + (operator == "le"))
        self.high = high if self.high is None else min(high, self.high)
        return True

    def _forbids(self, condition: Expression) -> bool:
        """Whether it says that a list of what was visited does not have what a step comes to; noted as the mode."""
        visited = _unvisited(condition)
        if visited is None or not isinstance(visited[1], Ref) or visited[1].name not in self.reached:
            return False
        value, (state, added) = visited[0], self._appended(self.by_variable[visited[1].name])
        if added is None or self.hops.value(added) != self.hops.value(value):
            raise self.around.refused("its step asks for what no path pattern has", condition.span)
        named = names_of(self.hops.value(value))
        firsts = _list_of(state.first)
        if named == {self.hops.edge} and self.hops.shapes(value) is not None and firsts is not None:
            self.mode = self.mode or "trail"
            before = firsts
        elif named == {self.hops.target} and self._agree_with_now(value) and self.now.first in (firsts or ()):
            self.mode = "acyclic"
            before = tuple([each for each in firsts or () if each != self.now.first])
        else:
            raise self.around.refused("the list of what was visited is neither of edges nor of nodes", condition.span)
        if before:
            self.avoided.append((value, state))
        return True

    def _agree_with_now(self, value: Expression) -> bool:
        return self.hops.value(value) == self.hops.value(self.now.step)

    def _appended(self, state: State) -> tuple[State, Expression | None]:
        """Of a list that grows by one element: what a step adds."""
        match self._at_start(state.step):
            case Apply("concat", (source, ListOf((added,)))) if _listed(source) == Ref(state.variable):
                return state, added
            case Apply("concat", (Ref(base), added)) if base == state.variable and _list_of(state.first) is not None:
                return state, added
        return state, None

    # -------------------------------------------------------------- rows

    def operators(self, start: Any, floor: int) -> list[Operator]:
        """The steps that make the rows it starts with, unless a longer path is asked for, and those of its paths."""
        span = self.around.common.body.span
        self.firsts = {state.variable: each.variable for state, each in zip(self.states, start.columns, strict=True)}
        columns = [state.variable for state in self.states]
        firsts = tuple([Item(Ref(self.firsts[name]), name, span=span) for name in columns])
        made: list[Operator] = self._seed(start)
        if self.high == 0:
            made.append(Let(firsts, span=span))
        elif floor >= 1 or self._starts_at_a_node():
            made += self._paths(floor)
        else:
            final = Project(tuple([Item(Ref(name), name, span=span) for name in columns]), True, span=span)
            zero = Pipeline((Project(firsts, True, span=span),), span=span)
            both = SetOperation("union", False, (zero, Pipeline((*self._paths(1), final), span=span)), span=span)
            imports = tuple(sorted({*self.firsts.values(), *self.around.free}))
            made.append(SubqueryCall(both, imports, span=span))
        if not self.distinct:
            return made
        last = Project(tuple([Item(Ref(name), name) for name in columns]), True, distinct=True, span=span)
        free = tuple(sorted(start.free | self.around.free))
        return [SubqueryCall(Pipeline((*made, last), span=span), free, span=span)]

    def _starts_at_a_node(self) -> bool:
        """Whether what it starts with is a node of the graph, so that it is what a path without steps gives."""
        hops = self.hops
        shapes, ends = hops.shapes(self.link), hops.shapes(self.now.step)
        origins = origins_of(self.now.first, self.around.tables.origins)
        if not origins or shapes is None or ends is None or (hops.starts() is None and -1 not in shapes):
            return False
        for origin in origins:
            for kind in hops.kinds(hops.source, origin.labels) or {-1}:
                known = hops.types(hops.source)[kind] if kind >= 0 else None
                shape = shape_of(origin.value, origin.variable, known)
                if shapes.get(kind) != shape or ends.get(kind) != shape:
                    return False
        return all(self._is_so_at_first(state) for state in self.states)

    def _is_so_at_first(self, state: State) -> bool:
        """Whether a column that only the last step makes is the same at the node that the walk starts at."""
        if state is self.now or state.variable in names_of(state.step):
            return True
        value = self.hops.value(self._at_start(state.step))
        found = origins_of(state.first, self.around.tables.origins)
        now = origins_of(self.now.first, self.around.tables.origins)
        if len(found) != 1 or len(now) != 1 or found[0].variable != now[0].variable:
            return False
        return renamed(value, {self.hops.target: found[0].variable}) == found[0].value

    def _seed(self, start: Any) -> list[Operator]:
        """The steps that make the rows it starts with, which see those before."""
        body = start.body
        if isinstance(body, Pipeline) and len(body.operators) == 1 and isinstance(body.operators[0], Project):
            only = body.operators[0]
            if is_plain(only):
                return [Let(only.items, span=only.span)]
        return [SubqueryCall(body, tuple(sorted(start.free)), span=body.span)]

    def _paths(self, low: int) -> list[Operator]:
        span = self.around.common.body.span
        hops = self.hops
        high = self.high
        if high is not None and high < low:
            low = high
        quantifier = ir.Bounds(low, high)
        start = self.maker.make("v")
        edge = ir.EdgePattern(hops.edge, hops.labels(), direction=hops.direction())
        elements: tuple[Any, ...]
        if hops.is_plain():
            first = ir.NodePattern(start, hops.starts())
            elements = (first, replace(edge, quantifier=quantifier), ir.NodePattern(self.end))
        else:
            ends = (None, None) if len(hops.all) > 1 else (hops.all[0].first, hops.all[0].last)
            test = hops.test()
            inner = (ir.NodePattern(hops.source, ends[0]), edge, ir.NodePattern(hops.target, ends[1]))
            group = ir.PathGroup(ir.Path(inner), None if test is None else self._over_first(test), quantifier)
            first = ir.NodePattern(start, hops.starts() if low == 0 else None)
            elements = (first, group, ir.NodePattern(self.end))
        found = {state.variable: self._value(state) for state in self.states}
        link = renamed(hops.value(self.link), {hops.source: start})
        where = Apply("eq", (link, Ref(self.firsts[self.now.variable])), span=self.link.span)
        named = any(self.path in names_of(value) for value in found.values())
        mode = "acyclic" if self.mode == "acyclic" else None
        path = ir.Path(elements, self.path if named else None, mode=mode, span=span)
        uniqueness = "different_edges" if self.mode == "trail" else "repeatable_elements"
        match = ir.Match((path,), where, uniqueness=uniqueness, span=span)
        return [match, Let(tuple([Item(value, variable) for variable, value in found.items()]), span=span)]

    def _over_first(self, expression: Expression, but: str | None = None) -> Expression:
        """With the first values of columns that no step changes."""
        return renamed(expression, {name: first for name, first in self.firsts.items() if name != but})

    def _value(self, state: State) -> Expression:
        """A column after the steps of a path."""
        hops, first = self.hops, Ref(self.firsts[state.variable])
        if self._is_constant(state):
            return first
        step = self._at_start(state.step)
        counted = self._count(state)
        if counted is not None:
            size: Expression = Apply("size", (Ref(hops.edge),))
            if counted[1] != 1:
                size = Apply("mul", (Literal(counted[1]), size))
            return size if counted[0] == 0 else Apply("add", (first, size))
        _, added = self._appended(state)
        if added is not None:
            if _list_of(state.first) == (self.now.first,) and hops.value(added) == hops.value(self.now.step):
                return self._of_all_nodes()
            listed = self._each(self._over_first(hops.value(added)), added)
            if _list_of(state.first) == ():
                return listed
            if self.around.tables.dialect in ORACLE:  # joins texts alone
                raise self.around.refused("a list has elements before the first step", state.first.span)
            return Apply("concat", (first, listed))
        read = names_of(step) & self.reached
        if not any(not self._is_constant(self.by_variable[name]) for name in read - {state.variable}):
            value = self._over_first(hops.value(step), but=state.variable)
            if state.variable in read:
                if self.distinct and self.is_endless:
                    told = "it adds up along walks that may go round"
                    raise self.around.refused(told, state.step.span)
                return self._summed(state, value)
            if names_of(value) & {hops.source, hops.edge, hops.target} <= {hops.target}:
                return renamed(value, {hops.target: self.end})
        raise self.around.refused("a column is computed of a path in a way that is not known", state.step.span)

    def _each(self, value: Expression, at: Expression) -> Expression:
        """The value of each step, in a list."""
        name, source = self._items(value, at)
        item = self.maker.make("i")
        return ir.ListComprehension(item, source, None, renamed(value, {name: item}))

    def _of_all_nodes(self) -> Expression:
        """What finds the nodes of a path, of each of them."""
        item = self.maker.make("i")
        body = renamed(self.hops.value(self.now.step), {self.hops.target: item})
        return ir.ListComprehension(item, Apply("nodes", (Ref(self.path),)), None, body)

    def _summed(self, state: State, value: Expression) -> Expression:
        """What is made of the first value, step by step."""
        name, source = self._items(value, state.step)
        item, made = self.maker.make("i"), self.maker.make("a")
        body = renamed(value, {name: item, state.variable: made})
        return ir.Reduce(made, Ref(self.firsts[state.variable]), item, source, body)

    def _items(self, value: Expression, at: Expression) -> tuple[str, Expression]:
        """The variable that a value of a step is of, and the list of what it is in all steps."""
        hops = self.hops
        named = names_of(value) & {hops.source, hops.edge, hops.target}
        nodes = Apply("nodes", (Ref(self.path),))
        sources: dict[str, Expression] = {
            hops.edge: Ref(hops.edge),
            hops.target: ir.Slice(nodes, Literal(1), None),
            hops.source: ir.Slice(nodes, Literal(0), Apply("size", (Ref(hops.edge),))),
        }
        if len(named) != 1:
            raise self.around.refused("a column is computed of an edge and its ends", at.span)
        (name,) = named
        return name, sources[name]


def _list_of(value: Expression) -> tuple[Expression, ...] | None:
    """The elements of a list that is written out."""
    match value:
        case Cast(inner, ir.ValueType("LIST")):
            return _list_of(inner) if isinstance(inner, ListOf) else () if inner == Literal("{}") else None
        case ListOf(items):
            return items
    return None


def _unvisited(condition: Expression) -> tuple[Expression, Expression] | None:
    """The value and the list of a condition that the list does not have the value."""
    match condition:
        case Apply("not", (Apply("in", (value, source)),)):
            return value, _listed(source)
        case Apply("not", (ir.Quantified("any", variable, source, Apply("eq", (value, Ref(each)))),)) if (
            each == variable
        ):
            return value, _listed(source)
        case ir.Quantified("all", variable, source, Apply("ne", (value, Ref(each)))) if each == variable:
            return value, _listed(source)
        case Apply("not", (ir.Case(None, (ir.Branch(_, result),)),)):  # of DuckDB, where null is no element
            return _unvisited(Apply("not", (result,)))
        case Apply("not", (ir.Subquery("exists", Pipeline((ir.Unwind(source, name), ir.Filter(test), Project()))),)):
            match test:
                case Apply("eq", (Ref(each), value) | (value, Ref(each))) if each == name:
                    return value, _listed(source)
        case Apply("is_null", (Call((name,), (source, value)),)) if name.lower() in _PLACING:
            return value, source
    return None


_PLACING = frozenset(("array_position", "list_position"))


def _listed(source: Expression) -> Expression:
    """The list whose elements a query selects, or that a null is replaced in."""
    match source:
        case Apply("coalesce", (inner, ListOf(()))) | Apply("json_items", (inner,)):
            return inner
        case ir.Subquery(_, Pipeline((ir.Unwind(inner, variable), Project((Item(Ref(name)),))))) if name == variable:
            return inner
    return source
