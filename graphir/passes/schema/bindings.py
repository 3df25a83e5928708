"""What every variable of a query may be under a schema, and whose the properties are that it uses.

One walk through the clauses notes slots, the ties between them, labels, and uses of properties (`slots`); then the ties
narrow the slots.  `Bindings` answers for places of the IR, by identity: keep the query.  Names are those that
`passes.scope` has resolved: where it reports a fault, nothing is known here.

A property is missing from a node only if no node type has it that the node may be of: those that its labels and the
relationships around it leave, and those whose labels the query tests or sets on it.  Labels that the schema lists one
by one may meet on a node, and then it has the properties of all of them.  Where any of these types is open, or its
properties are not known, nothing is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graphir import ir
from graphir.ir import Node
from graphir.passes.schema.index import UNLISTED, Index
from graphir.passes.schema.labels import Labels, edge_mask, node_mask
from graphir.passes.schema.slots import Access, Flow, Items, LabelUse, Link, Owners, Record, Repeat, Route, Slot, Value
from graphir.passes.schema.values import Reader, element, join
from graphir.passes.scope import column_name
from graphir.passes.typed.clauses import Step, run
from graphir.schema.model import EdgeType, NodeType, PropertyType

COMPARED = frozenset(
    (
        *("eq", "ne", "lt", "le", "gt", "ge", "in", "starts_with", "ends_with", "contains", "matches"),
        *("date", "localtime", "time", "localdatetime", "datetime", "duration"),
    )
)
"""Functions whose arguments the check of literals looks at."""

Env = dict[str, Value]
Waiting = tuple[Node, Slot | None, Env]
"""An expression inside of a pattern, the element whose properties it lists, and the names there."""


class Bindings(Reader):
    """What was found.  Masks are those of `index`."""

    def __init__(self, index: Index) -> None:
        super().__init__(index)
        self.uses: list[Access] = []
        self.labels: list[LabelUse] = []
        self.links: list[Link] = []
        self.aliases: dict[int, Access] = {}
        """Identity of a `Ref` -> the property whose value it is, through aliases."""
        self.comparisons: list[Node] = []
        """Comparisons, CASE, and what makes temporal values of texts."""
        self.components: list[tuple[ir.Property, Access]] = []
        """What is read from the value of a property: `n.born.year`."""
        self.elements: dict[int, Slot] = {}
        """Identity of a node or edge pattern, or of a `Ref` -> its slot."""
        self.contradictions: list[tuple[Node, Slot]] = []
        """Patterns whose labels no node type has together."""

    # -------------------------------------------------------------- answers

    def slot_of(self, place: Node) -> Slot | None:
        """The node or edge of a pattern element or a variable."""
        return self.elements.get(id(place))

    def node_types(self, slot: Slot) -> list[NodeType] | None:
        """The node types that a node may be of, or None where it may be of others, too."""
        if slot.mask < 0:
            return None
        return [self.index.nodes[at] for at in self.index.bits(slot.mask | slot.beside(), nodes=True)]

    def edge_types(self, slot: Slot) -> list[EdgeType] | None:
        """The triples that an edge may be of, or None where it may be of others, too."""
        if slot.mask < 0:
            return None
        return [self.index.edges[at] for at in self.index.bits(slot.mask | slot.beside(), nodes=False)]

    def access_of(self, place: Node) -> Access | None:
        """The use of a property that an expression, an entry of a map or an alias is."""
        return self.accesses.get(id(place)) or self.aliases.get(id(place))

    def owners(self, access: Access) -> Owners:
        """The types that have the property among those that its element may be of."""
        index, slot = self.index, access.owner
        mask = slot.mask | slot.beside()
        if slot.node:
            mask = index.with_kin(mask)
        having = index.node_owners if slot.node else index.edge_owners
        silent = index.silent_nodes if slot.node else index.silent_edges
        tables = index.node_properties if slot.node else index.edge_properties
        types: list[PropertyType] = [
            tables[at][access.key] for at in index.bits(mask & having.get(access.key, 0), nodes=slot.node)
        ]
        certain = slot.node or slot.named or index.coverage.types
        return Owners(types, complete=mask >= 0 and not mask & silent and certain)

    def has_property(self, access: Access) -> bool:
        """Whether the element of a use may have the property."""
        index, slot = self.index, access.owner
        mask = slot.mask | slot.beside()
        if mask < 0:
            return True
        if slot.node:
            having = index.node_owners.get(access.key, 0) | index.silent_nodes
            return bool(mask & having or index.with_kin(mask) & having)
        if mask & (index.edge_owners.get(access.key, 0) | index.silent_edges):
            return True
        return not (slot.named or index.coverage.types)


class Course:
    """How far a path has come: its first and last node, and the edge or quantified path that leads on."""

    __slots__ = ("edge", "first", "last", "repeat", "route")

    def __init__(self) -> None:
        self.first: Slot | None = None
        self.last: Slot | None = None
        self.edge: ir.EdgePattern | None = None
        self.repeat: Repeat | None = None
        self.route = Route([], [])


def bind(query: ir.Query, index: Index) -> Bindings:
    """Look through a query.  The slots hold what labels say; `direction.settle` narrows them by the relationships."""
    bindings = Bindings(index)
    run(_Walk(bindings).body(query.body, {}))
    return bindings


class _Walk:
    """The variables at the place that is looked at, and what waits to be looked at."""

    def __init__(self, bindings: Bindings) -> None:
        self.found = bindings
        self.index = bindings.index
        self.env: Env = {}
        self.borrowed: set[str] = set()
        """Names whose element is known from outside: a pattern that says more of it says it of a child."""
        self.nested: list[tuple[ir.Subquery, Env]] = []
        self.route = Route([], [])
        """The path bound last."""

    # -------------------------------------------------------------- bodies

    def body(self, body: ir.Body, env: Env) -> Step:
        """The columns of a body that starts with these names, as a dict."""
        if isinstance(body, ir.Pipeline):
            return self.pipeline(body, env)
        if isinstance(body, ir.SetOperation):
            return self.branches(body.branches, env)
        if isinstance(body, ir.Next):
            return self.parts(body, env)
        if isinstance(body, ir.Conditional):
            return self.conditional(body, env)
        return self.nothing()

    def nothing(self) -> Step:
        return {}
        yield  # makes this a step

    def pipeline(self, body: ir.Pipeline, env: Env) -> Step:
        self.env, self.borrowed = dict(env), set(env)
        returned: Env = {}
        for operator in body.operators:
            cls = type(operator)
            if cls is ir.Project:
                yield from self.project(operator)  # type: ignore[arg-type]
                if operator.final:  # type: ignore[attr-defined]
                    returned = self.env
            elif cls in _STEPS:
                yield from _STEPS[cls](self, operator)
            elif cls in _HANDLERS:
                _HANDLERS[cls](self, operator)
                if self.nested:
                    yield from self.drain()
        return returned

    def drain(self) -> Step:
        """Look into the subqueries met, which see the names bound there."""
        nested, self.nested = self.nested, []
        saved = self.env, self.borrowed
        for subquery, env in nested:
            columns: Env = yield self.body(subquery.body, env)
            if subquery.kind in ("collect", "value") and len(columns) == 1:
                (value,) = columns.values()
                self.found.results[id(subquery)] = Items(value) if subquery.kind == "collect" else value
        self.env, self.borrowed = saved

    def inside(self, step: Step) -> Step:
        """The result of a step, after which the names are as before."""
        saved = self.env, self.borrowed
        result = yield step
        self.env, self.borrowed = saved
        return result

    def branches(self, branches: Sequence[ir.Body], env: Env) -> Step:
        columns: list[Env] = []
        for branch in branches:
            columns.append((yield self.body(branch, env)))
        if len(columns) == 1:
            return columns[0]
        names = columns[0].keys()
        return {name: join([each.get(name) for each in columns], self.found.tie) for name in names}

    def parts(self, body: ir.Next, env: Env) -> Step:
        columns = env
        for part in body.parts:
            columns = yield self.body(part, columns)
        return columns

    def conditional(self, body: ir.Conditional, env: Env) -> Step:
        self.env, self.borrowed = dict(env), set(env)
        for branch in body.branches:
            self.read(branch.condition)
        yield from self.drain()
        return (yield self.branches([branch.body for branch in body.branches], env))

    # -------------------------------------------------------------- expressions

    def read(self, *roots: Node | None, env: Env | None = None) -> None:
        """Note the labels and properties in expressions; subqueries in them are left in `nested`."""
        tasks: list[tuple[Node, Env]] = [(root, env or self.env) for root in reversed(roots) if root is not None]
        while tasks:
            root, around = tasks.pop()
            pending = [root]
            while pending:
                node = pending.pop()
                cls = type(node)
                if cls is ir.Property:
                    self.property(node, around, pending)  # type: ignore[arg-type]
                elif cls is ir.Apply:
                    if node.function in COMPARED:  # type: ignore[attr-defined]
                        self.found.comparisons.append(node)
                    pending += node.args[::-1]  # type: ignore[attr-defined]
                elif cls is ir.Ref:
                    value = around.get(node.name)  # type: ignore[attr-defined]
                    if type(value) is Access:
                        self.found.aliases[id(node)] = value
                    elif type(value) is Slot:
                        self.found.elements[id(node)] = value
                elif cls in _EXPRESSIONS:
                    _EXPRESSIONS[cls](self, node, around, pending, tasks)
                elif cls not in _LEAVES and node.below_:
                    pending += ir.children(node)[::-1]

    def use(self, place: Node, key: str, owner: Slot, *, write: bool = False) -> None:
        access = Access(place, key, owner, write)
        self.found.uses.append(access)
        self.found.accesses[id(place)] = access

    def property(self, node: ir.Property, env: Env, pending: list[Node]) -> None:
        base = node.base
        if type(base) is ir.Ref:
            value = env.get(base.name)
            if type(value) is Slot:
                self.found.elements[id(base)] = value
                self.use(node, node.key, value)
            elif type(value) is Record and type(inner := value.entries.get(node.key)) is Access:
                self.found.aliases[id(node)] = inner
            elif type(value) is Access:
                self.found.components.append((node, value))
            return
        self.read(base, env=env)
        value = self.found.value(base, env)
        if type(value) is Slot:
            self.use(node, node.key, value)
        elif type(value) is Access:
            self.found.components.append((node, value))

    def at(self, node: ir.Index, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.read(node.base, node.index, env=env)
        key = node.index.value if isinstance(node.index, ir.Literal) else None
        if isinstance(key, str) and isinstance(value := self.found.value(node.base, env), Slot):
            self.use(node, key, value)

    def tested(self, node: ir.HasLabels, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        """A label test: the element may be of the types named besides."""
        self.read(node.base, env=env)
        self.test(node, self.found.value(node.base, env), env)

    def test(self, node: ir.HasLabels, value: Value, env: Env) -> None:
        if type(node.labels) is not ir.LabelName:
            self.read(node.labels, env=env)
        if isinstance(value, Slot):
            said = self.labelled(node.labels, value, value.node)
            if said.mask >= 0:
                value.also |= said.mask
        else:
            self.labelled(node.labels, None, None)

    def labelled(
        self, labels: ir.LabelExpression, slot: Slot | None, node: bool | None, *, write: bool = False
    ) -> Labels:
        """The mask of a label expression; its labels are noted."""
        found = node_mask(labels, self.index) if node is not False else edge_mask(labels, self.index)
        self.found.labels += [LabelUse(place, name, node, slot, write) for place, name in found.names]
        return found

    def projection(self, node: ir.MapProjection, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        value = env.get(node.base.name)
        for item in node.items:
            if isinstance(item, ir.ProjectedProperty):
                if isinstance(value, Slot):
                    self.use(item, item.key, value)
            elif isinstance(item, ir.Entry):
                tasks.append((item.value, env))

    def comprehension(
        self, node: ir.ListComprehension | ir.Quantified, env: Env, pending: list[Node], tasks: list[Any]
    ) -> None:
        self.read(node.source, env=env)
        inner = {**env, node.variable: element(self.found.value(node.source, env))}
        rest = (node.predicate,) if isinstance(node, ir.Quantified) else (node.where, node.body)
        for each in rest:
            if each is not None:
                tasks.append((each, inner))

    def reduce(self, node: ir.Reduce | ir.AllReduce, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.read(node.source, node.initial, env=env)
        inner = {**env, node.accumulator: None, node.variable: element(self.found.value(node.source, env))}
        tasks.append((node.body, inner))
        if isinstance(node, ir.AllReduce):
            tasks.append((node.predicate, inner))

    def matched(
        self, node: ir.PatternComprehension | ir.PatternExpression, env: Env, pending: list[Node], tasks: list[Any]
    ) -> None:
        """A pattern inside of an expression: what it says holds inside only."""
        saved = self.env, self.borrowed
        self.env, self.borrowed = dict(env), set(env)
        self.bind_paths((node.path,), optional=True)
        if isinstance(node, ir.PatternComprehension):
            self.where(node.where)
            self.read(node.body)
            self.found.results[id(node)] = Items(self.found.value(node.body, self.env))
        elif node.path.selector is not None:
            route = self.route
            self.found.results[id(node)] = route if node.path.selector.kind == "shortest_path" else Items(route)
        self.env, self.borrowed = saved

    def compared(self, node: ir.Comparison | ir.Case, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.found.comparisons.append(node)
        pending += ir.children(node)[::-1]

    def subquery(self, node: ir.Subquery, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.nested.append((node, dict(env)))

    # -------------------------------------------------------------- conditions

    def where(self, predicate: ir.Expression | None) -> None:
        """A predicate that must be true: the label tests in its conjunction narrow what they test."""
        if predicate is None:
            return
        rest: list[Node] = []
        pending = [predicate]
        while pending:
            node = pending.pop()
            if isinstance(node, ir.Apply) and node.function == "and":
                pending += node.args[::-1]
            elif not self.narrowed(node):
                rest.append(node)
        self.read(*rest)

    def narrowed(self, node: ir.Expression) -> bool:
        """Whether the predicate is a label test on a variable, or several of one variable joined by OR."""
        tests = node.args if isinstance(node, ir.Apply) and node.function == "or" else (node,)
        name: str | None = None
        for test in tests:
            if not isinstance(test, ir.HasLabels) or not isinstance(test.base, ir.Ref):
                return False
            if name is not None and name != test.base.name:
                return False
            name = test.base.name
        slot = self.own(name)
        if slot is None:
            return False
        masks = plain = 0
        for test in tests:
            assert isinstance(test, ir.HasLabels)
            if type(test.labels) is not ir.LabelName:
                self.read(test.labels)
            self.found.elements[id(test.base)] = slot
            found = self.labelled(test.labels, slot, slot.node)
            masks |= found.mask
            plain |= found.plain
        self.declare(slot, Labels(masks, plain), node)
        return True

    def own(self, name: str | None) -> Slot | None:
        """The slot of a name, for something more to be said of it here."""
        slot = self.env.get(name) if name is not None else None
        if not isinstance(slot, Slot):
            return None
        if name in self.borrowed:
            self.borrowed.discard(name)
            child = slot.child()
            self.found.ties.append(Flow((slot,), child))
            self.env[name] = slot = child
        return slot

    def declare(self, slot: Slot, said: Labels, place: Node) -> None:
        """The labels of an element say that it is one of the mask."""
        if not slot.node and said.mask < 0:
            slot.declared = slot.mask = slot.plain = UNLISTED
            slot.named = True
            return
        both, plain = slot.declared & said.mask, slot.plain & said.plain
        loose = said.loose or not both
        if slot.node and self.index.meets and self.index.coverage.labels and (said.clash or not both):
            self.found.contradictions.append((place, slot))
        if not both:
            both, plain = slot.declared | said.mask, slot.plain | said.plain
        if loose:
            slot.also |= both
        slot.declared = slot.mask = both
        slot.plain = plain or both
        slot.named = True

    # -------------------------------------------------------------- patterns

    def bind_paths(self, paths: Iterable[ir.Path], *, optional: bool = False, write: bool = False) -> None:
        """Bind the elements of paths and tie them; then look at the expressions in them."""
        waiting: list[Waiting] = []
        for path in paths:
            self.route = self.bind_path(path, self.env, waiting, optional=optional, write=write).route
        for place, slot, env in waiting:
            if isinstance(place, ir.MapOf) and slot is not None:
                for entry in place.entries:
                    self.use(entry, entry.key, slot, write=write)
                    self.read(entry.value, env=env)
            else:
                self.read(place, env=env)

    def bind_path(self, path: ir.Path, env: Env, waiting: list[Waiting], *, optional: bool, write: bool) -> Course:
        course = Course()
        pending: list[ir.PathElement] = list(path.elements)[::-1]
        while pending:
            item = pending.pop()
            if isinstance(item, ir.NodePattern):
                node = self.node_slot(item, env, waiting, write=write)
                self.go_to(node, course, env, waiting, optional=optional, write=write)
            elif isinstance(item, ir.EdgePattern):
                course.edge = item
            elif item.quantifier is not None:
                self.go_through(item, course, env, waiting)
            else:
                pending += item.path.elements[::-1]
                if item.where is not None:
                    waiting.append((item.where, None, env))
                if item.path.variable is not None:
                    env[item.path.variable] = None
        if path.variable is not None:
            env[path.variable] = course.route
        return course

    def go_to(
        self, node: Slot, course: Course, env: Env, waiting: list[Waiting], *, optional: bool, write: bool
    ) -> None:
        """The next node of a path: tie it to what stands before it."""
        route, last = course.route, course.last
        route.nodes.append(node)
        if course.edge is not None and last is not None:
            link = self.link(course.edge, last, node, env, waiting, write=write)
            link.optional = optional
            self.found.links.append(link)
            if not write:
                self.found.ties.append(link)
            route.edges.append(link.edge)
            if link.bounds is not None:
                route.fixed = False
                route.nodes.append(self.found.node())
            course.edge = None
        elif course.repeat is not None:
            course.repeat.right = node
            course.repeat = None
        elif last is not None:
            self.found.ties.append(Repeat(node, node, 1, 1, left=last))
        course.first = course.first or node
        course.last = node

    def go_through(self, group: ir.PathGroup, course: Course, env: Env, waiting: list[Waiting]) -> None:
        """A quantified path within a path."""
        if course.repeat is not None:
            course.last = course.repeat.right = self.found.node()
        route = course.route
        route.fixed = False
        course.repeat = self.bind_group(group, course.last, env, waiting, route)
        course.last = None

    def bind_group(
        self, group: ir.PathGroup, left: Slot | None, env: Env, waiting: list[Waiting], route: Route
    ) -> Repeat | None:
        """A quantified path: single elements inside, lists of them outside."""
        inner: Env = {}
        inside: list[Waiting] = []
        course = self.bind_path(group.path, inner, inside, optional=False, write=False)
        route.nodes += course.route.nodes
        route.edges += course.route.edges
        for name, value in inner.items():
            env[name] = Items(value)
        inner.update({name: value for name, value in env.items() if name not in inner})
        waiting += inside
        if group.where is not None:
            waiting.append((group.where, None, inner))
        bounds, first, last = group.quantifier, course.first, course.last
        if first is None or last is None or bounds is None:
            return None
        repeat = Repeat(first, last, bounds.low, bounds.high, left)
        self.found.ties.append(repeat)
        return repeat

    def node_slot(self, item: ir.NodePattern, env: Env, waiting: list[Waiting], *, write: bool) -> Slot:
        name = item.variable
        known = env.get(name) if name is not None else None
        if type(known) is Slot and known.node:
            slot = known
            if name in self.borrowed and env is self.env and (item.labels is not None or not write):
                slot = self.own(name) or known
        else:
            slot = Slot(self.index.any_node, node=True, name=name)
            slot.made = write
            if name is not None:
                env[name] = slot
        self.found.elements[id(item)] = slot
        labels = item.labels
        if labels is not None:
            found = self.labelled(labels, slot, True, write=write)
            self.declare(slot, found, item)
            if type(labels) is not ir.LabelName:
                waiting.append((labels, None, env))
        if item.properties is not None:
            waiting.append((item.properties, slot, env))
        if item.where is not None:
            waiting.append((item.where, None, env))
        return slot

    def link(
        self,
        item: ir.EdgePattern,
        left: Slot,
        right: Slot,
        env: Env,
        waiting: list[Waiting],
        *,
        write: bool,
    ) -> Link:
        name = item.variable
        bounds = item.hops or item.quantifier
        slot = Slot(self.index.any_edge, node=False, name=name)
        slot.made = write
        known = env.get(name) if name is not None else None
        if bounds is None and type(known) is Slot and not known.node:
            slot = (self.own(name) if env is self.env else None) or known
        elif name is not None:
            env[name] = slot if bounds is None else Items(slot)
        self.found.elements[id(item)] = slot
        labels = item.labels
        inner = env
        if labels is not None:
            found = self.labelled(labels, slot, False, write=write)
            self.declare(slot, found, item)
            if type(labels) is not ir.LabelName:
                waiting.append((labels, None, env))
        if item.properties is not None:
            waiting.append((item.properties, slot, env))
        if item.where is not None:
            if name is not None and bounds is not None:
                inner = {**env, name: slot}
            waiting.append((item.where, None, inner))
        span = None if bounds is None else (bounds.low, bounds.high)
        return Link(item, slot, left, right, item.direction, span, write)

    # -------------------------------------------------------------- operators

    def match(self, operator: ir.Match) -> None:
        if operator.optional:
            before, saved = self.env, self.borrowed
            self.env, self.borrowed = dict(before), set(before)
            self.match_rows(operator)
            for name, value in self.env.items():
                if name not in before:
                    before[name] = value
            self.env, self.borrowed = before, saved
        else:
            self.match_rows(operator)

    def match_rows(self, operator: ir.Match) -> None:
        self.bind_paths(operator.paths, optional=operator.optional)
        for path in operator.paths:
            if path.selector is not None:
                self.read(path.selector.count)
        for hint in operator.hints:
            if isinstance(hint, ir.IndexHint):
                slot = self.env.get(hint.variable)
                known = slot if isinstance(slot, Slot) else None
                self.found.labels.append(LabelUse(hint, hint.label, known.node if known else None, known))
        search = operator.search
        if search is not None:
            self.read(search.query, search.where, search.limit)
        self.where(operator.where)

    def filter(self, operator: ir.Filter) -> None:
        self.where(operator.predicate)

    def order(self, operator: ir.Order) -> None:
        self.read(*[key.value for key in operator.keys])

    def page(self, operator: ir.Page) -> None:
        self.read(operator.skip, operator.limit)

    def let(self, operator: ir.Let) -> Step:
        self.read(*[item.value for item in operator.items])
        yield from self.drain()
        made = {item.name: self.found.value(item.value, self.env) for item in operator.items if item.name is not None}
        self.env.update(made)

    def unwind(self, operator: ir.Unwind) -> Step:
        self.read(operator.source)
        yield from self.drain()
        value = element(self.found.value(operator.source, self.env))
        self.env[operator.variable] = value
        if isinstance(value, Slot):
            self.borrowed.add(operator.variable)

    def load(self, operator: ir.LoadCsv) -> None:
        self.read(operator.source)
        self.env[operator.variable] = None

    def project(self, operator: ir.Project) -> Step:
        before = self.env
        self.read(*[item.value for item in operator.items if type(item.value) is not ir.Ref])
        if self.nested:
            yield from self.drain()
        columns: Env = {}
        borrowed: set[str] = set()
        if operator.star:
            columns.update(before)
            borrowed |= self.borrowed
        renamed = False
        for item in operator.items:
            name = column_name(item, by_text=True)
            value = self.found.value(item.value, before)
            if isinstance(item.value, ir.Ref):
                if isinstance(value, Slot):
                    self.found.elements[id(item.value)] = value
                if item.value.name in self.borrowed and name is not None:
                    borrowed.add(name)
            elif isinstance(value, Slot) and name is not None:
                borrowed.add(name)
            if name is not None:
                columns[name] = value
                renamed = True
        if operator.order or operator.where is not None or operator.group_by:
            self.env = {**before, **columns} if renamed else columns
            self.borrowed = self.borrowed | borrowed
            self.read(*(operator.group_by or ()), *[key.value for key in operator.order])
            self.where(operator.where)
            columns = {name: self.env[name] for name in columns}
            borrowed &= self.borrowed
        self.read(operator.skip, operator.limit)
        if self.nested:
            yield from self.drain()
        self.env, self.borrowed = columns, borrowed

    def aggregate(self, operator: ir.Aggregate) -> None:
        columns: Env = {}
        for item in (*operator.keys, *operator.aggregates):
            self.read(item.value)
            if item.name is not None:
                columns[item.name] = self.found.value(item.value, self.env)
        self.env, self.borrowed = columns, set(columns)

    def procedure(self, operator: ir.ProcedureCall) -> None:
        self.read(*(operator.args or ()))
        for item in operator.yields or ():
            self.env[item.alias or item.name] = None
        self.read(operator.where)

    def call(self, operator: ir.SubqueryCall) -> Step:
        if operator.imports is None or operator.star:
            inner = dict(self.env)
        else:
            inner = {name: self.env.get(name) for name in operator.imports}
        columns: Env = yield from self.inside(self.body(operator.body, inner))
        self.env.update(columns)
        transactions = operator.transactions
        if transactions is not None:
            self.read(transactions.batch, transactions.concurrency, transactions.retry_seconds)
            if transactions.report is not None:
                self.env[transactions.report] = None

    def foreach(self, operator: ir.Foreach) -> Step:
        self.read(operator.source)
        yield from self.drain()
        value = element(self.found.value(operator.source, self.env))
        yield from self.inside(self.pipeline(ir.Pipeline(operator.body), {**self.env, operator.variable: value}))

    # -------------------------------------------------------------- writing

    def insert(self, operator: ir.Insert) -> None:
        self.bind_paths(operator.paths, write=True)
        self.after_write()

    def merge(self, operator: ir.Merge) -> None:
        self.bind_paths((operator.path,), write=True)
        for action in operator.actions:
            self.write(action.items)
        self.after_write()

    def set(self, operator: ir.Set | ir.Remove) -> None:
        self.write(operator.items)
        self.after_write()

    def after_write(self) -> None:
        """What is written is written for every row: what is said later narrows nothing before."""
        self.borrowed |= {name for name, value in self.env.items() if isinstance(value, Slot)}

    def write(self, items: Iterable[Node]) -> None:
        for item in items:
            if isinstance(item, (ir.SetProperty, ir.RemoveProperty)):
                self.write_property(item)
            elif isinstance(item, ir.SetProperties):
                self.write_properties(item)
            elif isinstance(item, (ir.SetLabels, ir.RemoveLabels)):
                self.write_labels(item)

    def write_property(self, item: ir.SetProperty | ir.RemoveProperty) -> None:
        target = item.target
        self.read(target)
        access = self.found.accesses.get(id(target))
        if isinstance(item, ir.SetProperty):
            if access is not None:
                access.write = True
            self.read(item.value)

    def write_properties(self, item: ir.SetProperties) -> None:
        self.read(item.target, item.value)
        value = self.found.value(item.target, self.env)
        if isinstance(value, Slot) and isinstance(item.value, ir.MapOf):
            for entry in item.value.entries:
                self.use(entry, entry.key, value, write=True)

    def write_labels(self, item: ir.SetLabels | ir.RemoveLabels) -> None:
        self.read(item.target)
        value = self.found.value(item.target, self.env)
        slot = value if isinstance(value, Slot) else None
        for label in item.labels:
            found = self.labelled(label, slot, True, write=isinstance(item, ir.SetLabels))
            if isinstance(label, ir.LabelDynamic):
                self.read(label.expression)
            if slot is not None and found.mask >= 0:
                slot.also |= found.mask

    def delete(self, operator: ir.Delete) -> None:
        self.read(*operator.items)


_LEAVES = frozenset((ir.Literal, ir.Parameter, ir.Keyword, ir.CaseSubject))

_EXPRESSIONS: dict[type[Node], Callable[..., None]] = {
    ir.Index: _Walk.at,
    ir.HasLabels: _Walk.tested,
    ir.MapProjection: _Walk.projection,
    ir.ListComprehension: _Walk.comprehension,
    ir.Quantified: _Walk.comprehension,
    ir.Reduce: _Walk.reduce,
    ir.AllReduce: _Walk.reduce,
    ir.PatternComprehension: _Walk.matched,
    ir.PatternExpression: _Walk.matched,
    ir.Subquery: _Walk.subquery,
    ir.Comparison: _Walk.compared,
    ir.Case: _Walk.compared,
}

_HANDLERS: dict[type[ir.Operator], Callable[[_Walk, Any], None]] = {
    ir.Match: _Walk.match,
    ir.Filter: _Walk.filter,
    ir.Order: _Walk.order,
    ir.Page: _Walk.page,
    ir.LoadCsv: _Walk.load,
    ir.Aggregate: _Walk.aggregate,
    ir.ProcedureCall: _Walk.procedure,
    ir.Insert: _Walk.insert,
    ir.Merge: _Walk.merge,
    ir.Set: _Walk.set,
    ir.Remove: _Walk.set,
    ir.Delete: _Walk.delete,
}

_STEPS: dict[type[ir.Operator], Callable[[_Walk, Any], Step]] = {
    ir.Let: _Walk.let,
    ir.Unwind: _Walk.unwind,
    ir.SubqueryCall: _Walk.call,
    ir.Foreach: _Walk.foreach,
}
