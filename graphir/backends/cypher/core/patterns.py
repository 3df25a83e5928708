"""MATCH of GQL in Cypher's terms: match modes, path modes and selectors.

GQL's patterns may bind an edge twice unless they say otherwise, Cypher's may not within one clause.  What differs is
said by clauses of their own, by REPEATABLE ELEMENTS, or by a condition on the nodes of the path; where nothing can
coincide, because types differ or there is one edge only, nothing has to be said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from graphir import ir, types
from graphir.backends.cypher.core.joints import Joints
from graphir.backends.cypher.core.kinds import Environment
from graphir.backends.cypher.core.lengths import by_length
from graphir.backends.cypher.core.terms import Terms, Tools, as_type, is_undecided, parsed
from graphir.backends.cypher.pattern_rules import conjoin
from graphir.backends.gql.patterns import types as types_of
from graphir.ir import Apply, EdgePattern, Expression, NodePattern, Operator, PathGroup, Ref
from graphir.passes.names import renamed
from graphir.types import NODE, PATH, RELATIONSHIP


def bindings(paths: Iterable[ir.Path]) -> Environment:
    """The variables of patterns and their types; those in a quantified part are lists outside."""
    found: Environment = {}
    pending: list[tuple[ir.PathElement | ir.Path, bool]] = [(path, False) for path in paths]
    while pending:
        part, repeated = pending.pop()
        if isinstance(part, ir.Path):
            kind = PATH
            pending += [(element, repeated) for element in part.elements]
        elif isinstance(part, PathGroup):
            pending.append((part.path, repeated or part.quantifier is not None))
            continue
        elif isinstance(part, EdgePattern):
            kind = RELATIONSHIP
            repeated = repeated or part.quantifier is not None
        else:
            kind = NODE
        if part.variable is not None:
            found[part.variable] = types.list_of(kind) if repeated else kind
    return found


def flat(elements: Iterable[ir.PathElement]) -> Iterator[tuple[NodePattern | EdgePattern, bool]]:
    """The nodes and edges, from left to right, and whether they may be repeated."""
    pending = [(element, False) for element in elements][::-1]
    while pending:
        element, repeated = pending.pop()
        if isinstance(element, PathGroup):
            repeats = repeated or _repeats(element.quantifier)
            pending += [(inner, repeats) for inner in reversed(element.path.elements)]
        else:
            yield element, repeated or (isinstance(element, EdgePattern) and _repeats(element.quantifier))


def _repeats(bounds: ir.Bounds | None) -> bool:
    return bounds is not None and (bounds.high is None or bounds.high > 1)


def is_fixed(path: ir.Path) -> bool:
    """Whether the path is one of nodes and single edges."""
    return all(
        isinstance(x, NodePattern) or (isinstance(x, EdgePattern) and x.quantifier is None) for x in path.elements
    )


def cannot_meet(paths: Iterable[ir.Path]) -> bool:
    """Whether no two edges of the paths can be one, because there is one only or their types differ."""
    edges = [(x, repeated) for path in paths for x, repeated in flat(path.elements) if isinstance(x, EdgePattern)]
    if any(repeated for _, repeated in edges):
        return False
    listed = [types_of(edge.labels) for edge, _ in edges]
    return all(a is not None and b is not None and not a & b for a, b in combinations(listed, 2))


def is_bounded(path: ir.Path) -> bool:
    """Whether every repetition has an end."""
    pending: list[ir.PathElement] = list(path.elements)
    while pending:
        element = pending.pop()
        if isinstance(element, PathGroup):
            pending += element.path.elements
        if not isinstance(element, NodePattern) and element.quantifier is not None and element.quantifier.high is None:
            return False
    return True


class Patterns:
    """The clauses of one MATCH; `terms` translate expressions in the scope behind it."""

    def __init__(self, operator: ir.Match, terms: Terms, before: Environment) -> None:
        self.operator = operator
        self.terms = terms
        self.before = before
        self.tools: Tools = terms.tools
        self.joints = Joints(self.tools.report, self.tools.read)

    def clauses(self) -> list[Operator]:
        """The clauses, and behind them other names for nodes that have two."""
        shaped = [self.shaped(path) for path in self.operator.paths]
        same = self.joints.same
        tests = [Apply("eq", (Ref(kept), Ref(name))) for name, kept in same.items() if name in self.before]
        new = {name: kept for name, kept in same.items() if name not in self.before}
        where = conjoin([self.operator.where, *self.joints.conditions, *tests])
        if new:
            shaped = [renamed(path, new) for path in shaped]
            where = None if where is None else renamed(where, new)
        paths = [self.translated(path) for path in shaped]
        where = None if where is None else self.terms.expression(where)
        names = tuple([ir.Item(Ref(kept), name) for name, kept in new.items()])
        return [*self.matches(paths, where), *([ir.Let(names, span=self.operator.span)] if names else [])]

    def matches(self, paths: list[ir.Path], where: Expression | None) -> list[Operator]:
        """The clauses of these paths and their condition."""
        if self.operator.uniqueness == "different_edges":
            return self.joined([self.different(paths)], where)
        whole = [path for path in paths if path.selector is None and path.mode == "walk"]
        parts: list[Operator] = []
        if whole:
            parts += self.walks(whole)
        for path in paths:
            if path.selector is not None:
                parts.append(self.selected(path))
            elif path.mode != "walk":
                parts += self.restricted(path)
        return self.joined(self.gathered(parts), where)

    def joined(self, parts: list[Operator], where: Expression | None) -> list[Operator]:
        """The clauses, the condition behind the last; of an optional one only the whole may be missing.

        What a mode asks comes before the condition, which may fail for paths that are none of the mode.
        """
        operator = self.operator
        last = parts[-1]
        if isinstance(last, ir.Match):
            parts[-1] = dataclasses.replace(last, where=conjoin([last.where, where]))
        elif where is not None:
            parts = [*parts, ir.Filter(where, span=where.span)]
        if not operator.optional:
            return parts
        if len(parts) == 1 and isinstance(only := parts[0], (ir.Match, ir.SubqueryCall)):
            return [dataclasses.replace(only, optional=True)]
        if self.tools.dialect == "opencypher-9":
            raise self.tools.report.refusal("pattern", operator, "an optional match of several clauses")
        bound = bindings(operator.paths)
        used = {name for part in parts for name in mentioned(part)}
        new = [name for name in bound if name not in self.before and name in self.tools.read]
        items = tuple([ir.Item(Ref(name), name) for name in sorted(new)])
        result = ir.Project(items or (ir.Item(ir.Literal(True), self.tools.maker.make("found")),), final=True)
        imports = tuple([name for name in self.before if name in used])
        return [ir.SubqueryCall(ir.Pipeline((*parts, result)), imports, optional=True, span=operator.span)]

    def gathered(self, parts: list[Operator]) -> list[Operator]:
        """Clauses of one plain edge or none need not stand apart from those before them."""
        out: list[Operator] = []
        for part in parts:
            before = out[-1] if out else None
            if isinstance(before, ir.Match) and isinstance(part, ir.Match) and self.may_join(before, part):
                out[-1] = dataclasses.replace(before, paths=(*before.paths, *part.paths))
            else:
                out.append(part)
        return out

    def may_join(self, before: ir.Match, part: ir.Match) -> bool:
        paths = (*before.paths, *part.paths)
        if {before.uniqueness, part.uniqueness} != {"different_edges"} or part.where is not None:
            return False
        return not any(path.selector or path.mode for path in paths) and cannot_meet(paths)

    # -------------------------------------------------------------- paths as they are

    def shaped(self, path: ir.Path) -> ir.Path:
        """The path as a chain, its mode and selector outside of parentheses."""
        elements = path.elements
        mode, selector, variable = path.mode, path.selector, path.variable
        while len(elements) == 1 and isinstance(group := elements[0], PathGroup) and group.quantifier is None:
            inner = group.path
            if (inner.variable and variable) or (inner.selector is not None and selector is not None):
                break
            if inner.mode is not None and mode not in (None, "walk", inner.mode):
                break
            chosen = selector is not None
            elements, variable = inner.elements, variable or inner.variable
            mode, selector = inner.mode or mode, inner.selector or selector
            if group.where is not None and chosen:
                elements = (dataclasses.replace(group, path=ir.Path(elements)),)
                break
            if group.where is not None:
                self.joints.conditions.append(group.where)
        if selector is not None and selector.kind == "all":
            selector = None
        made = dataclasses.replace(path, elements=elements, mode=mode or "walk", selector=selector, variable=variable)
        return self.joints.chain(made, selected=selector is not None)

    def translated(self, path: ir.Path) -> ir.Path:
        """The path with the expressions in its elements in Cypher's terms."""
        inner = self.within(path)
        elements = tuple([self.element(element, inner) for element in path.elements])
        return dataclasses.replace(path, elements=elements)

    def within(self, path: ir.Path) -> Terms:
        """What is in scope inside of a path: its variables are elements there, no lists."""
        own = _single(path)
        return Terms(self.tools, {**self.terms.env, **own}, self.terms.present | own.keys())

    def element(self, element: ir.PathElement, terms: Terms) -> ir.PathElement:
        """An element with its conditions translated."""
        if isinstance(element, PathGroup):
            elements = tuple([self.element(each, terms) for each in element.path.elements])
            path = dataclasses.replace(element.path, elements=elements, mode=None)
            return dataclasses.replace(element, path=path, where=terms.optional(element.where))
        properties = element.properties
        if properties is not None:
            properties = terms.expression(self.decided(properties))
        return dataclasses.replace(element, properties=properties, where=terms.optional(element.where))

    def decided(self, properties: Expression) -> Expression:
        """A property map with the texts that properties of other types are compared with as values of the type."""
        if not isinstance(properties, ir.MapOf):
            return properties
        known = self.tools.kinds
        entries = tuple(
            [
                dataclasses.replace(entry, value=as_type(entry.value, known.property(entry.key)))
                if is_undecided(entry.value)
                else entry
                for entry in properties.entries
            ]
        )
        return dataclasses.replace(properties, entries=entries)

    # -------------------------------------------------------------- modes

    def different(self, paths: list[ir.Path]) -> ir.Match:
        """Cypher's own match mode: a walk or trail adds nothing to it."""
        made, conditions = [], []
        if len(paths) > 1 and any(path.selector is not None for path in paths):
            raise self.tools.report.refusal("pattern", self.operator, "a choice of paths beside other paths")
        for path in paths:
            bare = dataclasses.replace(path, mode=None)
            native = path.mode == "acyclic" and self.tools.dialect == "neo4j-25"
            if path.mode in ("walk", "trail") or native:
                made.append(path if native else bare)
                continue
            if path.selector is not None:
                made.append(self.tested(bare, path.mode or "walk"))
                continue
            fresh, condition = self.conditioned(path)
            made.append(fresh)
            conditions.append(condition)
        return self.match(made, conjoin(conditions))

    def walks(self, paths: list[ir.Path]) -> list[Operator]:
        """Paths without a mode: edges may be the same."""
        plain = [dataclasses.replace(path, mode=None) for path in paths]
        if cannot_meet(plain):
            return [self.match(plain)]
        if self.tools.dialect == "neo4j-25" and all(is_bounded(path) for path in plain):
            return [dataclasses.replace(self.match(plain), uniqueness="repeatable_elements")]
        parts: list[Operator] = []
        bound = set(self.before)
        for path in plain:
            if cannot_meet([path]):
                parts.append(self.match([path]))
            elif is_fixed(path):
                parts += self.steps(path)
            elif self.tools.dialect == "opencypher-9" or path.variable is not None:
                raise self.tools.report.refusal("walk", path, "a path whose edges may repeat, of varying length")
            else:
                parts.append(by_length(path, frozenset(bound), self.tools, self.steps))
            bound |= bindings([path]).keys()
        return parts

    def steps(self, path: ir.Path) -> list[Operator]:
        """A clause for each edge; they share their nodes by name."""
        elements = list(path.elements)
        if path.variable is not None:
            raise self.tools.report.refusal("walk", path, "a path variable over edges that may repeat")
        pieces: list[Operator] = []
        names = [self.named(element) for element in elements]
        if len(names) == 1:
            return [self.match([path])]
        for at in range(0, len(names) - 2, 2):
            left, edge, right = names[at : at + 3]
            if at:
                left = NodePattern(left.variable)  # type: ignore[union-attr]
            pieces.append(self.match([ir.Path((left, edge, right), span=path.span)]))
        return pieces

    def named(self, element: ir.PathElement) -> ir.PathElement:
        if isinstance(element, NodePattern) and element.variable is None:
            return dataclasses.replace(element, variable=self.tools.maker.make("n"))
        return element

    def restricted(self, path: ir.Path) -> list[Operator]:
        """TRAIL is what a clause of its own says; ACYCLIC and SIMPLE are about the nodes."""
        if path.mode == "trail":
            return [self.match([dataclasses.replace(path, mode=None)])]
        if path.mode == "acyclic" and self.tools.dialect == "neo4j-25":
            return [self.match([path if self.edges(path) > 0 else dataclasses.replace(path, mode=None)])]
        fresh, condition = self.conditioned(path)
        if path.mode == "acyclic" or _differ_by_nodes(path):
            return [self.match([fresh], condition)]
        parts = self.walks([dataclasses.replace(fresh, mode="walk")])
        last = parts[-1]
        if condition is None or not isinstance(last, ir.Match):
            return parts if condition is None else [*parts, ir.Filter(condition, span=path.span)]
        return [*parts[:-1], dataclasses.replace(last, where=condition)]

    def edges(self, path: ir.Path) -> int:
        return sum([isinstance(element, EdgePattern) for element, _ in flat(path.elements)])

    def conditioned(self, path: ir.Path) -> tuple[ir.Path, Expression | None]:
        """The path without its mode, and what the mode asks of its nodes."""
        bare = dataclasses.replace(path, mode=None)
        if is_fixed(path):
            elements = [self.named(element) for element in path.elements]
            names = [element.variable or "" for element in elements[::2] if isinstance(element, NodePattern)]
            pairs = list(combinations(range(len(names)), 2))
            if path.mode == "simple":
                pairs = [pair for pair in pairs if pair != (0, len(names) - 1)]
            tests = [Apply("ne", (Ref(names[a]), Ref(names[b])), span=path.span) for a, b in pairs]
            return dataclasses.replace(bare, elements=tuple(elements)), conjoin(tests)
        variable = path.variable or self.tools.maker.make("p")
        test = node_test(path.mode or "", variable, self.terms)
        return dataclasses.replace(bare, variable=variable), test

    def match(self, paths: Sequence[ir.Path], where: Expression | None = None) -> ir.Match:
        return ir.Match(tuple(paths), where, span=self.operator.span)

    # -------------------------------------------------------------- selectors

    def selected(self, path: ir.Path) -> ir.Match:
        """One or some of the paths between two nodes."""
        selector = path.selector
        assert selector is not None
        if selector.kind.endswith("cheapest"):
            raise self.tools.report.refusal("pattern", path, "a choice of paths by their cost")
        mode = path.mode or "walk"
        newest = self.tools.dialect == "neo4j-25"
        bare = dataclasses.replace(path, mode=None)
        if mode == "trail" or (mode == "walk" and shortest_is_trail(path, selector)):
            return self.match([bare])
        if mode == "acyclic" and newest:
            return self.match([path])
        if mode == "acyclic" or (mode == "simple" and _differ_by_nodes(path)):
            return self.match([self.tested(bare, mode)])
        if newest and is_bounded(path):
            made = bare if mode == "walk" else self.tested(bare, mode)
            return dataclasses.replace(self.match([made]), uniqueness="repeatable_elements")
        raise self.tools.report.refusal("walk", path, f"a choice of {mode} paths, whose edges may repeat,")

    def tested(self, path: ir.Path, mode: str) -> ir.Path:
        """The paths to choose from in parentheses, with the condition that they are of the mode."""
        name = self.tools.maker.make("p")
        inner = ir.Path(path.elements, name, span=path.span)
        group = PathGroup(inner, node_test(mode, name, self.terms), span=path.span)
        return dataclasses.replace(path, elements=(group,))


def _single(path: ir.Path) -> Environment:
    """The variables of a path as its own conditions see them: each an element."""
    found: Environment = {}
    for element, _ in flat(path.elements):
        if element.variable is not None:
            found[element.variable] = NODE if isinstance(element, NodePattern) else RELATIONSHIP
    return found


def mentioned(part: ir.Node) -> Iterator[str]:
    """The variables that a clause mentions."""
    for node in ir.walk(part):
        if isinstance(node, Ref):
            yield node.name
        elif isinstance(node, (NodePattern, EdgePattern, ir.Path)) and node.variable is not None:
            yield node.variable


_ACYCLIC = "all(x IN nodes(p) WHERE single(y IN nodes(p) WHERE x = y))"


def node_test(mode: str, path: str, terms: Terms) -> Expression:
    """What a mode asks of the nodes of a path."""
    if mode == "simple":
        made = terms.said(Apply("is_simple"), [Apply("nodes", (Ref(path),))])
    else:
        made = terms.fresh(parsed(_ACYCLIC), ("p",))
    return ir.rewrite(made, lambda x: Ref(path) if x == Ref("p") else x)


def _differ_by_nodes(path: ir.Path) -> bool:
    """Whether edges of a simple path are different by themselves.

    Only one that goes to another node and back over the same edge has one twice: two edges long, in two directions.
    """
    edges = [edge for edge, _ in flat(path.elements) if isinstance(edge, EdgePattern)]
    directions = {edge.direction for edge in edges}
    if len(directions) < 2 and "any" not in directions:
        return True
    return is_fixed(path) and len(edges) != 2


def shortest_is_trail(path: ir.Path, selector: ir.Selector) -> bool:
    """Whether the one shortest walk between two nodes has no edge twice, and a trail exists wherever a walk does.

    So it is where one edge is repeated, from at most one time on, in one direction; between a node and itself an edge
    of either direction could be gone there and back.
    """
    several = selector.count is not None and selector.count != ir.Literal(1)
    if several or selector.kind not in ("any", "any_shortest", "shortest", "all_shortest", "shortest_groups"):
        return False
    if cannot_meet([path]):
        return True
    edges = [element for element in path.elements if not isinstance(element, NodePattern)]
    if len(edges) != 1 or len(path.elements) != 3:
        return False
    edge = edges[0]
    bounds = edge.quantifier
    if bounds is None or bounds.low > 1 or bounds.low_parameter is not None:
        return False
    inner = edge
    if isinstance(edge, PathGroup):
        parts = [x for x in edge.path.elements if isinstance(x, EdgePattern)]
        if len(parts) != 1 or parts[0].quantifier is not None:
            return False
        inner = parts[0]
    return isinstance(inner, EdgePattern) and (inner.direction != "any" or bounds.low == 0)
