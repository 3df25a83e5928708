"""MATCH of core form as GQL has it.

A condition in an element is about that element alone; what mentions others goes to the WHERE of the MATCH.  That no
edge is bound twice is the match mode DIFFERENT EDGES, or a TRAIL, where it can happen at all.  Knows no other clause.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphir import ir, types
from graphir.backends.iso.expressions import Translator, apply, conjunction
from graphir.backends.iso.kinds import Known
from graphir.ir.names import is_generated
from graphir.ir.node import replace
from graphir.passes.elements import flatten
from graphir.passes.names import mentioned

NODE, EDGE = Known(types.NODE, False), Known(types.RELATIONSHIP, False)
NODES, EDGES = (Known(types.list_of(kind), False) for kind in (types.NODE, types.RELATIONSHIP))
PATH = Known(types.PATH, False)
LEGACY = {"shortest_path": "any_shortest", "all_shortest_paths": "all_shortest"}
"""The functions of Cypher, and the selectors that they are."""


def bindings(match: ir.Match) -> Iterator[tuple[str, Known]]:
    """The variables of the patterns, with what is known of them."""
    for path in match.paths:
        if path.variable is not None:
            yield path.variable, PATH
        pending: list[tuple[ir.PathElement, bool]] = [(element, False) for element in path.elements]
        while pending:
            element, inside = pending.pop()
            if isinstance(element, ir.PathGroup):
                inner = inside or element.quantifier is not None
                pending += [(each, inner) for each in element.path.elements]
                if element.path.variable is not None:
                    yield element.path.variable, Known(types.list_of(types.PATH), False) if inner else PATH
            elif element.variable is not None:
                yield element.variable, _known(element, inside)


def _known(element: ir.NodePattern | ir.EdgePattern, inside: bool) -> Known:
    if isinstance(element, ir.NodePattern):
        return NODES if inside else NODE
    if inside or element.quantifier is not None:
        return EDGES
    return Known(types.RELATIONSHIP, False, labels=_names(element.labels))


def _names(labels: ir.LabelExpression | None) -> tuple[str, ...] | None:
    """The types that a label expression leaves, where it is a name or a choice of names."""
    options = labels.operands if isinstance(labels, ir.LabelOr) else (labels,)
    names = tuple([each.name for each in options if isinstance(each, ir.LabelName)])
    return names if len(names) == len(options) else None


class Patterns:
    """Translates the patterns of one MATCH; `translator` sees their variables too."""

    def __init__(self, translator: Translator, match: ir.Match) -> None:
        self.translator = translator
        self.target = translator.target
        self.match = match
        self.outer: list[ir.Expression] = []

    def translated(self) -> list[ir.Match]:
        """The MATCH; a path with a selector has one of its own, as it cannot stand beside others."""
        match, translator = self.match, self.translator
        if match.search is not None:
            raise translator.refusal("vector-search", match, "SEARCH")
        legacy = [path for path in match.paths if path.selector is not None and path.selector.kind in LEGACY]
        for path in legacy:
            self.check_shortest(path)
        paths = [self.path(path) for path in match.paths]
        where = conjunction([*self.outer, *([] if match.where is None else [translator.condition(match.where)])])
        selected = [path for path in paths if path.selector is not None]
        if selected and len(paths) > 1:
            return self.apart(paths, where)
        return [self.single(paths, where)]

    def single(self, paths: list[ir.Path], where: ir.Expression | None) -> ir.Match:
        """The MATCH with its mode."""
        match = self.match
        count = sum(map(_edges, paths))
        selected = any(path.selector is not None for path in paths)
        mode = match.uniqueness
        unsaid = not self.target.different or (selected and self.target.default_mode != mode)
        if mode == "different_edges" and unsaid and count > 1:
            if len(paths) > 1 and any(_edges(path) for path in paths[1:]):
                where = conjunction([*([] if where is None else [where]), *self.unequal(paths)])
            paths = [self.trail(path) for path in paths]
            mode = "repeatable_elements"
        if selected:
            mode = "repeatable_elements"
        stated = count > 1 and self.target.different and not selected and mode != self.target.default_mode
        stated = stated or (count > 1 and self.target.extensions and not selected)
        if (count < 2 and not selected) or (selected and match.uniqueness == self.target.default_mode):
            mode = self.target.default_mode
        return ir.Match(tuple(paths), where, match.optional, mode, stated=stated, span=match.span)

    def apart(self, paths: list[ir.Path], where: ir.Expression | None) -> list[ir.Match]:
        """Paths without edges are matched before the one that is selected."""
        plain = [path for path in paths if path.selector is None]
        selected = [path for path in paths if path.selector is not None]
        if self.match.optional or len(selected) > 1 or any(_edges(path) for path in plain):
            raise self.translator.refusal("path-selector", self.match, "a selected path beside others")
        first = ir.Match(tuple(plain), None, False, self.target.default_mode)
        return [first, self.single(selected, where)]

    def check_shortest(self, path: ir.Path) -> None:
        """A condition on a shortest path decides which paths are looked at; behind the selector it would only drop the
        one that was found."""
        inner = {element.variable for element in flatten([path]) if isinstance(element, ir.EdgePattern)}
        inner.add(path.variable)
        if self.match.where is not None and not inner.isdisjoint(mentioned(self.match.where)):
            raise self.translator.refusal("path-selector", path, "a shortest path with a condition on it")

    def trail(self, path: ir.Path) -> ir.Path:
        """The path without a repeated edge."""
        if _edges(path) < 2:
            return path
        if path.mode not in (None, "walk", "trail"):
            return path
        if not self.target.trail:
            raise self.translator.refusal("path-mode", path, "a path whose edges differ")
        return replace(path, mode="trail")

    def unequal(self, paths: list[ir.Path]) -> list[ir.Expression]:
        """That no edge of one path is one of another."""
        groups: list[list[ir.EdgePattern]] = []
        for path in paths:
            groups.append([element for element in flatten([path]) if isinstance(element, ir.EdgePattern)])
            if any(isinstance(element, ir.PathGroup) for element in path.elements):
                raise self.translator.refusal("path-mode", path, "edges that differ between several paths")
        tests: list[ir.Expression] = []
        for at, group in enumerate(groups):
            for other in groups[at + 1 :]:
                for one in group:
                    tests += [self.differ(one, each) for each in other if _may_meet(one, each)]
        return tests

    def differ(self, one: ir.EdgePattern, other: ir.EdgePattern) -> ir.Expression:
        if one.quantifier is not None or other.quantifier is not None:
            raise self.translator.refusal("path-mode", other, "repeated edges that differ from those of another path")
        return apply("ne", ir.Ref(one.variable or ""), ir.Ref(other.variable or ""))

    # -------------------------------------------------------------- paths

    def path(self, path: ir.Path, *, inside: bool = False) -> ir.Path:
        selector, mode = path.selector, path.mode
        named = path.variable is not None and not is_generated(path.variable)
        if named and len(path.elements) == 1 and not self.target.paths_of_nodes:
            raise self.translator.refusal("path-selector", path, "a variable for a path of one node")
        if mode == "simple" and not self.target.simple:
            raise self.translator.refusal("path-mode", path, "the path mode SIMPLE")
        if selector is not None:
            kind = LEGACY.get(selector.kind, selector.kind)
            if kind.endswith("cheapest"):
                raise self.translator.refusal("path-selector", path, "a cheapest path")
            if not self.target.selectors:
                raise self.translator.refusal("path-selector", path, "a shortest path")
            selector = ir.Selector(kind, selector.count)
            if self.match.uniqueness == "different_edges" != self.target.default_mode and mode is None:
                mode = "trail"
        elements = tuple([self.element(element, inside) for element in path.elements])
        return ir.Path(elements, self.shown(path.variable), selector, mode, span=path.span)

    def shown(self, name: str | None) -> str | None:
        return None if name is None else self.translator.names.get(name, name)

    def element(self, element: ir.PathElement, inside: bool) -> ir.PathElement:
        if isinstance(element, ir.PathGroup):
            where = None if element.where is None else self.translator.condition(element.where)
            self.check_bounds(element)
            if not self.target.groups:
                raise self.translator.refusal("quantified-path", element, "a part of a path in parentheses")
            inner = self.path(element.path, inside=inside or element.quantifier is not None)
            return ir.PathGroup(inner, where, element.quantifier, span=element.span)
        self.translator.check_labels(element.labels)
        self.check_bounds(element)
        inside = inside or (isinstance(element, ir.EdgePattern) and element.quantifier is not None)
        properties, where = self.conditions(element, inside)
        labels = self.labels(element, inside)
        name = self.shown(element.variable)
        return replace(element, variable=name, labels=labels, properties=properties, where=where)

    def labels(self, element: ir.NodePattern | ir.EdgePattern, inside: bool) -> ir.LabelExpression | None:
        """The labels as the pattern can have them; what it cannot is a condition of the MATCH."""
        labels = element.labels
        edge = isinstance(element, ir.EdgePattern)
        simple = labels is None or isinstance(labels, ir.LabelName) or (edge and _names(labels) is not None)
        if self.target.label_expressions or labels is None or simple:
            return labels
        if inside:
            raise self.translator.refusal("quantified-path", element, "a label expression in a repetition")
        self.outer.append(self.translator.label_test(ir.Ref(self.shown(element.variable) or ""), labels, edge=edge))
        return None

    def check_bounds(self, element: ir.PathElement) -> None:
        quantifier = None if isinstance(element, ir.NodePattern) else element.quantifier
        most = self.target.most_hops
        if quantifier is None or most is None or (quantifier.high is not None and quantifier.high <= most):
            return
        raise self.translator.refusal("unbounded-repetition", element, f"a repetition of more than {most} times")

    def conditions(
        self, element: ir.NodePattern | ir.EdgePattern, inside: bool
    ) -> tuple[ir.MapOf | None, ir.Expression | None]:
        """The property map and the condition of an element; GQL has one or the other."""
        given, translator = element.properties, self.translator
        if element.cost is not None:
            raise translator.refusal("construct", element, "the cost of an element")
        if given is not None and not isinstance(given, ir.MapOf):
            raise translator.refusal("map-value", element, "a parameter for all properties")
        entries = [] if given is None else list(given.entries)
        own = {element.variable}
        if not inside:
            hoisted = [entry for entry in entries if set(mentioned(entry.value)) - own]
            self.outer += [self.equal(element, entry) for entry in hoisted]
            entries = [entry for entry in entries if entry not in hoisted]
        where = element.where
        if where is not None and not inside and set(mentioned(where)) - own:
            self.outer.append(translator.condition(where))
            where = None
        if where is not None:
            tests = [*[self.equal(element, entry) for entry in entries], translator.condition(where)]
            return None, conjunction(tests)
        shown = [ir.Entry(entry.key, translator.value(entry.value), span=entry.span) for entry in entries]
        return (ir.MapOf(tuple(shown)) if shown else None), None

    def equal(self, element: ir.NodePattern | ir.EdgePattern, entry: ir.Entry) -> ir.Expression:
        name = self.shown(element.variable) or ""
        return ir.Apply("eq", (ir.Property(ir.Ref(name), entry.key), self.translator.value(entry.value)))


def _edges(path: ir.Path) -> int:
    """How many edges a path has; one that is repeated counts as several."""
    count = 0
    pending: list[tuple[ir.PathElement, int]] = [(element, 1) for element in path.elements]
    while pending:
        element, factor = pending.pop()
        if isinstance(element, ir.PathGroup):
            times = factor * _times(element.quantifier)
            pending += [(each, times) for each in element.path.elements]
        elif isinstance(element, ir.EdgePattern):
            count += factor * _times(element.quantifier)
    return count


def _times(quantifier: ir.Bounds | None) -> int:
    if quantifier is None:
        return 1
    return 2 if quantifier.high is None else min(quantifier.high, 2)


def _may_meet(one: ir.EdgePattern, other: ir.EdgePattern) -> bool:
    """Whether two edges may be the same: not where they have types of which none is common."""
    first, second = _names(one.labels), _names(other.labels)
    return first is None or second is None or not set(first).isdisjoint(second)
