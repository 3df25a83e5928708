"""What a schema can decide of a query, by brute force: the judge of the mutation study.  Knows no pass of graphir.

The patterns of a query become a system of constraints: every node may be of one node type, every edge be one triple of
the schema.  All assignments are tried.  A pattern is impossible if there is none, a property is missing if no
assignment gives its element a type that has it, and a literal is of the wrong type if every assignment gives the
property another.  What is not understood is left open, and an open question is answered by `possible`.

Names are followed through WITH and subqueries.  Patterns under OPTIONAL MATCH, EXISTS and the like are judged together
with what holds around them, and tell nothing about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from graphir import ir
from graphir.schema import Schema
from graphir.schema.model import TYPES, EdgeType, NodeType, PropertyType


class Slot:
    """A node or an edge of the query; `several`: it stands for a list of edges."""

    def __init__(self, home: System, *, edge: bool = False, several: bool = False) -> None:
        self.home = home
        self.edge = edge
        self.several = several
        self.open = False


@dataclass
class Hop:
    """An edge between two nodes."""

    left: Slot
    edge: Slot
    right: Slot
    pattern: ir.EdgePattern


@dataclass(eq=False)
class System:
    """The constraints of patterns that have to match together, and the system around it."""

    around: System | None = None
    labels: list[tuple[Slot, ir.LabelExpression]] = field(default_factory=list)
    keys: list[tuple[Slot, str]] = field(default_factory=list)
    hops: list[Hop] = field(default_factory=list)
    nodes: list[Slot] = field(default_factory=list)

    def chain(self) -> Iterator[System]:
        system: System | None = self
        while system is not None:
            yield system
            system = system.around


@dataclass
class Use:
    """A property read, and the literals that it, or a component of it, is compared with."""

    system: System
    slot: Slot
    key: str
    literals: tuple[ir.Literal, ...] = ()
    part: str | None = None


Env = dict[str, Slot | None]
"""Variables and their slots; None: a value that nothing is known of."""


# ------------------------------------------------------------------ reading the query


class Reading:
    """Slots, systems and uses of a query."""

    def __init__(self, query: ir.Query) -> None:
        self.systems: list[System] = []
        self.uses: list[Use] = []
        self.body(query.body, {}, None)

    def system(self, around: System | None) -> System:
        made = System(around)
        self.systems.append(made)
        return made

    def body(self, body: ir.Body, env: Env, around: System | None) -> Env:
        """Reads a body and gives the names that it ends with."""
        match body:
            case ir.Pipeline(operators=operators):
                system = self.system(around)
                for operator in operators:
                    env = self.operator(operator, env, system)
                return env
            case ir.SetOperation(branches=branches):
                ends = [self.body(branch, dict(env), around) for branch in branches]
                return dict.fromkeys(ends[0])
            case ir.Next(parts=parts):
                for part in parts:
                    env = self.body(part, env, around)
                return env
        return {}

    def operator(self, operator: ir.Operator, env: Env, system: System) -> Env:
        env = dict(env)
        match operator:
            case ir.Match(paths=paths, where=where, optional=optional):
                inner = self.system(system) if optional else system
                for path in paths:
                    self.path(path, env, inner)
                self.predicate(where, env, inner)
            case ir.Project():
                return self.project(operator, env, system)
            case ir.Unwind(source=source, variable=variable):
                self.expression(source, env, system)
                env[variable] = None
            case ir.SubqueryCall(body=body):
                env |= {name: slot for name, slot in self.body(body, dict(env), system).items() if name not in env}
            case ir.ProcedureCall(yields=yields):
                for argument in operator.args or ():
                    self.expression(argument, env, system)
                env |= dict.fromkeys(each.alias or each.name for each in yields or ())
            case ir.Filter(predicate=predicate):
                self.predicate(predicate, env, system)
            case ir.Let(items=items):
                for item in items:
                    env[item.name or ""] = self.value(item.value, env, system)
            case _:
                for child in ir.children(operator):
                    if isinstance(child, ir.Expression | ir.SortKey):
                        self.expression(child, env, system)
        return env

    def project(self, step: ir.Project, env: Env, system: System) -> Env:
        after: Env = dict(env) if step.star else {}
        for item in step.items:
            name = item.name or (item.value.name if isinstance(item.value, ir.Ref) else item.text or "")
            after[name] = self.value(item.value, env, system)
        both = env | after
        for key in step.order:
            self.expression(key.value, both, system)
        if step.where is not None:
            self.predicate(step.where, both, system)
        return after

    def value(self, value: ir.Expression, env: Env, system: System) -> Slot | None:
        """The slot that an expression names, if it does."""
        if isinstance(value, ir.Ref):
            return env.get(value.name)
        self.expression(value, env, system)
        return None

    # -------------------------------------------------------------- patterns

    def path(self, path: ir.Path, env: Env, system: System) -> None:
        if path.variable:
            env[path.variable] = None
        last: Slot | None = None
        waiting: tuple[Slot, ir.EdgePattern] | None = None
        for element in path.elements:
            match element:
                case ir.NodePattern():
                    slot = self.node(element, env, system)
                    if waiting is not None and last is not None:
                        system.hops.append(Hop(last, waiting[0], slot, waiting[1]))
                    last, waiting = slot, None
                case ir.EdgePattern():
                    waiting = self.edge(element, env, system), element
                case ir.PathGroup(path=inner):
                    names = dict(env)
                    self.path(inner, names, self.system(system))
                    env |= dict.fromkeys(names.keys() - env.keys())
                    last = waiting = None

    def node(self, node: ir.NodePattern, env: Env, system: System) -> Slot:
        slot = env.get(node.variable) if node.variable else None
        if slot is None:
            slot = Slot(system)
            slot.open = node.variable in env
        if node.variable:
            env[node.variable] = slot
        system.nodes.append(slot)
        if node.labels is not None:
            system.labels.append((slot, node.labels))
        self.inside(node, slot, env, system)
        return slot

    def edge(self, edge: ir.EdgePattern, env: Env, system: System) -> Slot:
        several = edge.hops is not None or edge.quantifier is not None
        slot = Slot(system, edge=True, several=several)
        slot.open = edge.variable in env
        if edge.variable:
            env[edge.variable] = slot
        self.inside(edge, slot, env, system)
        return slot

    def inside(self, element: ir.NodePattern | ir.EdgePattern, slot: Slot, env: Env, system: System) -> None:
        if isinstance(element.properties, ir.MapOf):
            for entry in element.properties.entries:
                system.keys.append((slot, entry.key))
                literals = (entry.value,) if isinstance(entry.value, ir.Literal) else ()
                self.uses.append(Use(system, slot, entry.key, literals))
                self.expression(entry.value, env, system)
        if element.where is not None:
            self.predicate(element.where, env, system)

    # -------------------------------------------------------------- expressions

    def predicate(self, where: ir.Expression | None, env: Env, system: System) -> None:
        """A condition that has to hold: labels that it demands are constraints."""
        match where:
            case None:
                return
            case ir.Apply(function="and", args=args):
                for each in args:
                    self.predicate(each, env, system)
            case ir.HasLabels(base=ir.Ref(name=name), labels=labels) if (slot := env.get(name)) and not slot.edge:
                system.labels.append((slot, labels))
            case _:
                self.expression(where, env, system)

    def expression(self, node: ir.Node, env: Env, system: System) -> None:
        match node:
            case ir.Property(base=ir.Ref(name=name), key=key):
                self.use(env.get(name), key, system)
            case ir.MapProjection(base=ir.Ref(name=name), items=items):
                for item in items:
                    if isinstance(item, ir.ProjectedProperty):
                        self.use(env.get(name), item.key, system)
                    elif isinstance(item, ir.Entry):
                        self.expression(item.value, env, system)
            case ir.Apply(function=function, args=args) if function in _COMPARISONS:
                self.comparison(function, args, env, system)
            case ir.Subquery(body=body):
                self.body(body, dict(env), system)
            case ir.PatternExpression(path=path):
                self.path(path, dict(env), self.system(system))
            case ir.PatternComprehension(path=path, where=where, body=body):
                inner, names = self.system(system), dict(env)
                self.path(path, names, inner)
                self.predicate(where, names, inner)
                self.expression(body, names, inner)
            case ir.ListComprehension() | ir.Quantified() | ir.Reduce():
                self.expression(node.source, env, system)
                names = env | {node.variable: None}
                for child in ir.children(node):
                    if child is not node.source:
                        self.expression(child, names, system)
            case ir.HasLabels(base=ir.Ref(name=name)):
                if slot := env.get(name):
                    slot.open = True
            case _:
                for child in ir.children(node):
                    self.expression(child, env, system)

    def use(
        self,
        slot: Slot | None,
        key: str,
        system: System,
        literals: tuple[ir.Literal, ...] = (),
        part: str | None = None,
    ) -> None:
        if slot is not None and not slot.several:
            self.uses.append(Use(system, slot, key, literals, part))

    def comparison(self, function: str, args: tuple[ir.Expression, ...], env: Env, system: System) -> None:
        for at, each in enumerate(args):
            compared = len(args) == 2 and not (function == "in" and at == 1)
            other = args[1 - at] if compared else None
            items = other.items if isinstance(other, ir.ListOf) else (other,)
            literals = tuple(item for item in items if isinstance(item, ir.Literal))
            match each:
                case ir.Property(base=ir.Ref(name=name), key=key):
                    self.use(env.get(name), key, system, literals)
                case ir.Property(base=ir.Property(base=ir.Ref(name=name), key=key), key=part):
                    self.use(env.get(name), key, system, literals, part)
                case _:
                    self.expression(each, env, system)


_COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "in", "starts_with", "ends_with", "contains", "matches"))


# ------------------------------------------------------------------ the schema


class Facts:
    """The schema as sets: the types of nodes, and the triples between them.

    `alike`: where the schema lists labels one by one, labels whose nodes share three quarters of their properties, and
    four at least, may be on the same nodes (`Me` and `User`): these then have the properties and edges of both.
    """

    def __init__(self, schema: Schema, *, alike: bool = False) -> None:
        self.schema = schema
        own = [self.all_labels(node.labels + node.parents) for node in schema.node_types]
        self.kin = [{at} for at in range(len(own))]
        if alike and not schema.coverage.combinations:
            self.kin = [self.alike(at) for at in range(len(own))]
        self.own = own
        self.node_labels = [frozenset(label for other in kin for label in own[other]) for kin in self.kin]
        self.known_labels = frozenset(label for labels in self.node_labels for label in labels)
        self.known_types = frozenset(edge.type for edge in schema.edge_types)

    def alike(self, number: int) -> set[int]:
        """The node types that look like one of them, itself included."""
        names = [frozenset(p.name for p in node.properties or ()) for node in self.schema.node_types]
        mine = names[number]
        return {number} | {
            at
            for at, others in enumerate(names)
            if min(len(mine), len(others)) >= 4 and len(mine & others) >= 0.75 * max(len(mine), len(others))
        }

    def all_labels(self, labels: Iterable[str]) -> frozenset[str]:
        """With those that are inherited."""
        found: set[str] = set()
        pending = list(labels)
        while pending:
            label = pending.pop()
            if label not in found:
                found.add(label)
                for node in self.schema.node_types:
                    if label in node.labels:
                        pending += node.parents
        return frozenset(found)

    @cached_property
    def triples(self) -> list[tuple[int, int, int]]:
        """Edge type, source node type, target node type, by their numbers."""
        return [
            (at, source, target)
            for at, edge in enumerate(self.schema.edge_types)
            for source in self.ends(edge.source)
            for target in self.ends(edge.target)
        ]

    def ends(self, labels: tuple[str, ...] | None) -> list[int]:
        return [at for at, having in enumerate(self.node_labels) if labels is None or having >= set(labels)]

    def properties(self, number: int, *, edge: bool) -> tuple[dict[str, PropertyType], bool]:
        """The properties of a type with those it inherits, and whether there are no others."""
        found: dict[str, PropertyType] = {}
        complete = self.schema.coverage.properties
        for of in self.relatives(number, edge=edge):
            complete = complete and of.properties is not None and not of.open
            found |= {each.name: each for each in of.properties or ()}
        return found, complete

    def relatives(self, number: int, *, edge: bool) -> Iterator[NodeType | EdgeType]:
        """The type and those whose properties it has as well."""
        if edge:
            yield self.schema.edge_types[number]
            return
        kin = self.kin[number]
        for node, having in zip(self.schema.node_types, self.own, strict=True):
            mine = any(node is self.schema.node_types[other] for other in kin)
            if mine or (node.labels and any(having <= self.own[other] for other in kin)):
                yield node

    def has(self, number: int, key: str, *, edge: bool) -> bool:
        known, complete = self.properties(number, edge=edge)
        return key in known or not complete


# ------------------------------------------------------------------ all assignments

Choice = tuple[int, ...]
"""A node type, or a triple with the direction in which it is walked."""


class Judge:
    """Answers for one query over one schema."""

    def __init__(self, query: ir.Query, facts: Facts) -> None:
        self.facts = facts
        self.reading = Reading(query)

    def faults(self) -> list[str]:
        """What the schema decides against the query, in words."""
        found = [f"pattern {at}" for at, each in enumerate(self.reading.systems) if self.impossible(each)]
        for use in self.reading.uses:
            if not any(True for _ in self.owners(use)):
                found.append(f"property {use.key}")
            elif use.literals and self.mistyped(use):
                found.append(f"literal {use.key}")
        return found

    def impossible(self, system: System) -> bool:
        return bool(system.nodes) and not Assignments(self.facts, [*system.chain()]).exist()

    def owners(self, use: Use) -> Iterator[PropertyType | None]:
        """The property in every type that the element may have, None where it is not known."""
        slot = use.slot
        if slot.open or slot.several:
            yield None
            return
        assignments = Assignments(self.facts, _together(use.system, slot.home))
        for choice in assignments.domain(slot):
            if choice is None:
                yield None
                return
            if self.facts.has(choice[0], use.key, edge=slot.edge) and assignments.exist(slot, choice):
                yield self.facts.properties(choice[0], edge=slot.edge)[0].get(use.key)

    def mistyped(self, use: Use) -> bool:
        """Whether a literal is of another family than the property wherever it is."""
        families = {self.family(owner) for owner in self.owners(use)}
        if use.part is not None:
            compound = families <= _COMPOUND and use.part not in ("timezone", "offset", "crs")
            families = {"number"} if compound else {None}
        if None in families:
            return False
        return any(_family(literal) not in families | {None} for literal in use.literals)

    def family(self, owner: PropertyType | None) -> str | None:
        kind = TYPES.get(owner.type.name) if owner is not None and owner.type is not None else None
        return None if kind in (None, "ANY", "MAP", "VECTOR") else _FAMILIES.get(kind or "", kind)


_FAMILIES = {"INTEGER": "number", "FLOAT": "number", "STRING": "string", "UUID": "string", "BOOLEAN": "boolean"}


_COMPOUND = {"DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME", "DURATION", "POINT"}


def _family(literal: ir.Literal) -> str | None:
    match literal.value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
    return None


def _together(*systems: System) -> list[System]:
    return list(dict.fromkeys(each for system in systems for each in system.chain()))


class Assignments:
    """The assignments of types to slots that satisfy some systems."""

    def __init__(self, facts: Facts, systems: list[System]) -> None:
        self.facts = facts
        self.labels = [each for system in systems for each in system.labels]
        self.keys = [each for system in systems for each in system.keys]
        self.hops = [each for system in systems for each in system.hops]
        self.nodes = [each for system in systems for each in system.nodes]
        self.domains: dict[Slot, list[Choice | None]] = {}
        self.free: set[Slot] = set()
        """Nodes of which an edge says nothing more, either."""

    def domain(self, slot: Slot) -> list[Choice | None]:
        """What a slot may be by itself; [None]: anything."""
        if slot not in self.domains:
            self.domains[slot] = self.of_edge(slot) if slot.edge else self.of_node(slot)
        return self.domains[slot]

    def of_node(self, slot: Slot) -> list[Choice | None]:
        facts = self.facts
        tests = [labels for of, labels in self.labels if of is slot]
        names = {label.name for test in tests for label in ir.walk(test) if isinstance(label, ir.LabelName)}
        coverage = facts.schema.coverage
        stranger = not coverage.labels and (not names or names - facts.known_labels)
        together = not coverage.combinations and len(names) > 1
        unclear = any(isinstance(each, ir.LabelDynamic) for test in tests for each in ir.walk(test))
        if slot.open or together or unclear:
            self.free.add(slot)
        if slot in self.free or stranger:
            return [None]
        keys = [key for of, key in self.keys if of is slot]
        return [
            (at,)
            for at, having in enumerate(facts.node_labels)
            if all(satisfies(test, having) for test in tests) and all(facts.has(at, key, edge=False) for key in keys)
        ]

    def of_edge(self, slot: Slot) -> list[Choice | None]:
        hop = next((hop for hop in self.hops if hop.edge is slot), None)
        coverage = self.facts.schema.coverage
        if hop is None or slot.open or slot.several or not coverage.endpoints:
            return [None]
        tests = hop.pattern.labels
        names = {each.name for each in ir.walk(tests) if isinstance(each, ir.LabelName)} if tests else set()
        if not coverage.types and (not names or names - self.facts.known_types):
            return [None]
        keys = [key for of, key in self.keys if of is slot]
        found: list[Choice | None] = []
        for at, source, target in self.facts.triples:
            edge = self.facts.schema.edge_types[at]
            if tests is not None and not satisfies(tests, frozenset((edge.type,))):
                continue
            if all(self.facts.has(at, key, edge=True) for key in keys):
                found += [(at, *ends) for ends in _directed(hop.pattern.direction, source, target)]
        return found

    # -------------------------------------------------------------- search

    def exist(self, fixed: Slot | None = None, choice: Choice | None = None) -> bool:
        """Whether there is an assignment, with one slot fixed."""
        start: dict[Slot, Choice | None] = {fixed: choice} if fixed is not None else {}
        order = self.order(fixed)
        return self.search(order, 0, start)

    def order(self, fixed: Slot | None) -> list[Hop | Slot]:
        """Hops in an order in which each has, where possible, an end that is settled before; then lone nodes."""
        settled: set[Slot] = {fixed} if fixed is not None else set()
        waiting, order = list(self.hops), list[Hop | Slot]()
        while waiting:
            hop = next((h for h in waiting if {h.left, h.right, h.edge} & settled), waiting[0])
            waiting.remove(hop)
            order.append(hop)
            settled |= {hop.left, hop.right, hop.edge}
        return [*order, *dict.fromkeys(node for node in self.nodes if node not in settled)]

    def search(self, order: list[Hop | Slot], at: int, chosen: dict[Slot, Choice | None]) -> bool:
        if at == len(order):
            return True
        step = order[at]
        if isinstance(step, Slot):
            return bool(self.domain(step)) and self.search(order, at + 1, chosen)
        return any(self.search(order, at + 1, chosen | more) for more in self.ways(step, chosen))

    def ways(self, hop: Hop, chosen: dict[Slot, Choice | None]) -> Iterator[dict[Slot, Choice | None]]:
        """The choices for the three slots of a hop that fit together and to what is chosen."""
        lefts, rights = self.left(hop.left, chosen), self.left(hop.right, chosen)
        edges = [chosen[hop.edge]] if hop.edge in chosen else self.domain(hop.edge)
        if hop.edge.several or None in edges:
            for pair in self.pairs(hop, lefts, rights):
                yield {hop.left: pair[0], hop.right: pair[1]}
            return
        for edge in edges:
            assert edge is not None
            source, target = (edge[1],), (edge[2],)
            if (source in lefts or None in lefts) and (target in rights or None in rights):
                yield {
                    hop.edge: edge,
                    hop.left: None if hop.left in self.free else source,
                    hop.right: None if hop.right in self.free else target,
                }

    def left(self, slot: Slot, chosen: dict[Slot, Choice | None]) -> list[Choice | None]:
        return [chosen[slot]] if slot in chosen else self.domain(slot)

    def pairs(
        self, hop: Hop, lefts: list[Choice | None], rights: list[Choice | None]
    ) -> Iterator[tuple[Choice | None, Choice | None]]:
        """Ends that a path of the allowed lengths may have."""
        reach = self.reach(hop)
        for left in lefts:
            for right in rights:
                if left is None or right is None or reach is None or (left[0], right[0]) in reach:
                    yield left, right

    def reach(self, hop: Hop) -> set[tuple[int, int]] | None:
        """The pairs of node types that the edges of a hop connect; None: any."""
        bounds = hop.pattern.hops or hop.pattern.quantifier
        coverage = self.facts.schema.coverage
        tests = hop.pattern.labels
        names = {each.name for each in ir.walk(tests) if isinstance(each, ir.LabelName)} if tests else set()
        listed = coverage.types or (names and names <= self.facts.known_types)
        if not hop.edge.several or bounds is None or hop.edge.open or not (coverage.endpoints and listed):
            return None
        step = {
            ends
            for at, source, target in self.facts.triples
            if tests is None or satisfies(tests, frozenset((self.facts.schema.edge_types[at].type,)))
            for ends in _directed(hop.pattern.direction, source, target)
        }
        count = len(self.facts.node_labels)
        at = {(each, each) for each in range(count)}
        found = set(at) if bounds.low == 0 else set()
        longest = bounds.high if bounds.high is not None else bounds.low + count * count
        for length in range(1, min(longest, bounds.low + count * count) + 1):
            at = {(a, d) for a, b in at for c, d in step if b == c}
            if length >= bounds.low:
                if at <= found and length > bounds.low:
                    break
                found |= at
        return found


def _directed(direction: str, source: int, target: int) -> list[tuple[int, int]]:
    return {"out": [(source, target)], "in": [(target, source)]}.get(direction, [(source, target), (target, source)])


def satisfies(test: ir.LabelExpression, having: frozenset[str]) -> bool:
    """Whether something with these labels passes a label expression."""
    match test:
        case ir.LabelName(name=name):
            return name in having
        case ir.LabelNot(operand=operand):
            return not satisfies(operand, having)
        case ir.LabelAnd(operands=operands):
            return all(satisfies(each, having) for each in operands)
        case ir.LabelOr(operands=operands):
            return any(satisfies(each, having) for each in operands)
        case ir.LabelAny():
            return bool(having)
    return True
