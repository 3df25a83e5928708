"""Writing operators of core IR as GQL has them: INSERT, SET, REMOVE and DELETE, each in the form that ISO gives it.

Core in, core out: expressions and reading clauses are left as they are.  Afterwards a pipeline has `Insert` with names
of labels and properties written out, `Set` with items that do not depend on each other, `Remove` and `Delete` of
variables, and no MERGE and no FOREACH: those are rewritten where that is exact, and refused elsewhere.  Knows no text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.ir.names import generated
from graphir.passes.kinds import Kind
from graphir.passes.scope import Scopes, analyze

WRITES = (ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach)
"""The operators that change the graph."""

FREE_MAPS = frozenset({"gql-neo4j-25"})
"""The dialects in which `SET n = value` takes any map, and not only one that is written out."""

_ALL = "*"
"""Stands for every property and label of an element."""
_WHOLE = frozenset(("keys", "properties", "labels", "type"))


def writes(body: ir.Node) -> bool:
    """Whether anything inside changes the graph."""
    return ir.holds(body, *WRITES)


def written(query: ir.Query, report: Report) -> ir.Query:
    """The query with its writing operators in the form of GQL.  Raises Unsupported (G419)."""
    if not writes(query):
        return query
    scopes = analyze(query)

    def rule(node: ir.Node) -> ir.Node:
        return _Writing(report, scopes).pipeline(node) if isinstance(node, ir.Pipeline) else node

    return ir.rewrite(query, rule)


class _Writing:
    """The operators of one pipeline."""

    def __init__(self, report: Report, scopes: Scopes) -> None:
        self.report = report
        self.scopes = scopes
        self.made = 0

    def pipeline(self, pipeline: ir.Pipeline) -> ir.Pipeline:
        if not any(isinstance(operator, WRITES) for operator in pipeline.operators):
            return pipeline
        out: list[ir.Operator] = []
        for at, operator in enumerate(pipeline.operators):
            last = at == len(pipeline.operators) - 1
            match operator:
                case ir.Merge():
                    out += self.merge(operator, at, last)
                case ir.Foreach():
                    out += self.foreach(operator, last)
                case _:
                    out += self.simple(operator)
        return replace(pipeline, operators=tuple(out))

    def simple(self, operator: ir.Operator) -> Iterable[ir.Operator]:
        match operator:
            case ir.Insert():
                return self.insert(operator)
            case ir.Set():
                return self.assign(operator)
            case ir.Remove():
                return [self.remove(operator)]
            case ir.Delete():
                return [self.delete(operator)]
            case _:
                return [operator]

    # -------------------------------------------------------------- INSERT

    def insert(self, operator: ir.Insert) -> Iterable[ir.Operator]:
        """One INSERT, or several where an element is written with what another of them has."""
        before = self.scopes.before(operator)
        paths = tuple([self.path(path) for path in operator.paths])
        elements = [element for path in paths for element in path.elements]
        made = {_named(element) for element in elements} - set(before)
        used = [part.name for e in elements for part in ir.walk(_properties(e)) if isinstance(part, ir.Ref)]
        if made.isdisjoint(used):
            return [replace(operator, paths=paths, keyword="INSERT")]
        return self.one_by_one(operator, paths, set(before))

    def one_by_one(self, operator: ir.Insert, paths: Sequence[ir.Path], known: set[str]) -> Iterator[ir.Operator]:
        """The nodes, each by itself, then the edges: what an INSERT makes it cannot read."""
        edges = []
        for path in paths:
            for at, element in enumerate(path.elements):
                if isinstance(element, ir.EdgePattern):
                    edges.append((path.elements[at - 1], element, path.elements[at + 1]))
                elif _named(element) not in known:
                    self.check_known(element, known)
                    known.add(_named(element))
                    yield replace(operator, paths=(ir.Path((element,)),), keyword="INSERT")
        for start, edge, end in edges:
            self.check_known(edge, known)
            known.add(_named(edge))
            ends = [ir.NodePattern(variable=_named(node)) for node in (start, end)]
            yield replace(operator, paths=(ir.Path((ends[0], edge, ends[1])),), keyword="INSERT")

    def check_known(self, element: ir.Node, known: set[str]) -> None:
        for part in ir.walk(_properties(element)):
            if isinstance(part, ir.Ref) and part.name not in known:
                raise self.report.refusal(
                    "write", part, f"a property that is made of `{part.name}`, which comes later,"
                )

    def path(self, path: ir.Path) -> ir.Path:
        if path.variable is not None and not path.variable.startswith("\0"):
            raise self.report.refusal("write", path, f"the path `{path.variable}` that is created")
        return replace(path, variable=None, elements=tuple([self.element(element) for element in path.elements]))

    def element(self, element: ir.Node) -> ir.NodePattern | ir.EdgePattern:
        assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
        for label in ir.walk(element.labels) if element.labels is not None else ():
            if isinstance(label, ir.LabelDynamic):
                raise self.report.refusal("write", label, "a label that is computed")
        properties = element.properties
        if properties is None:
            return element
        if not isinstance(properties, ir.MapOf):
            raise self.report.refusal("write", properties, "an element with the properties of a map")
        kept = tuple([entry for entry in properties.entries if entry.value != ir.Literal(None)])
        return replace(element, properties=replace(properties, entries=kept) if kept else None)

    # -------------------------------------------------------------- SET and REMOVE

    def assign(self, operator: ir.Set) -> Iterator[ir.Operator]:
        """SETs whose items neither read nor write what one before them writes: those of GQL are carried out at once.

        So are the entries of one map.
        """
        held: list[ir.SetItem] = []
        changed: set[str] = set()
        for given in operator.items:
            items = list(self.items(given))
            written = {key for item in items for key in _written(item)}
            if held and any(_meet(changed, {*_written(item), *_read(item)}) for item in items):
                yield replace(operator, items=tuple(held))
                held, changed = [], set()
            held += items
            changed |= written
        if held:
            yield replace(operator, items=tuple(held))

    def items(self, item: ir.SetItem) -> Iterator[ir.SetItem]:
        match item:
            case ir.SetProperty():
                self.check_target(item.target)
                yield item
            case ir.SetLabels():
                self.check_variable(item.target)
                self.check_labels(item.labels)
                yield item
            case ir.SetProperties():
                self.check_variable(item.target)
                yield from self.properties(item)

    def properties(self, item: ir.SetProperties) -> Iterator[ir.SetItem]:
        if isinstance(item.value, ir.MapOf) and item.merge:
            for entry in item.value.entries:
                yield ir.SetProperty(ir.Property(item.target, entry.key, span=entry.span), entry.value, span=item.span)
        elif isinstance(item.value, ir.MapOf) or (not item.merge and self.report.target in FREE_MAPS):
            yield item
        else:
            raise self.report.refusal("write", item, "SET with the properties of a value that is not written out")

    def remove(self, operator: ir.Remove) -> ir.Operator:
        for item in operator.items:
            if isinstance(item, ir.RemoveLabels):
                self.check_variable(item.target)
                self.check_labels(item.labels)
            else:
                self.check_target(item.target)
        return operator

    def check_target(self, target: ir.Property | ir.Index) -> None:
        if isinstance(target, ir.Index):
            raise self.report.refusal("write", target, "a property whose name is computed")
        self.check_variable(target.base)

    def check_variable(self, target: ir.Expression) -> None:
        if not isinstance(target, ir.Ref):
            raise self.report.refusal("write", target, "a change of an element that no variable names")

    def check_labels(self, labels: Iterable[ir.LabelName | ir.LabelDynamic]) -> None:
        for label in labels:
            if not isinstance(label, ir.LabelName):
                raise self.report.refusal("write", label, "a label that is computed")

    # -------------------------------------------------------------- DELETE

    def delete(self, operator: ir.Delete) -> ir.Operator:
        before = self.scopes.before(operator)
        for item in operator.items:
            kind = before.get(item.name) if isinstance(item, ir.Ref) else None
            if kind not in (Kind.NODE, Kind.EDGE):
                raise self.report.refusal("write", item, "DELETE of anything but variables of nodes and relationships")
        return operator

    # -------------------------------------------------------------- MERGE and FOREACH

    def foreach(self, operator: ir.Foreach, last: bool) -> Iterable[ir.Operator]:
        """FOR and its one clause, where nothing follows that would see the rows."""
        if not last or len(operator.body) != 1 or isinstance(operator.body[0], (ir.Merge, ir.Foreach)):
            raise self.report.refusal("write", operator, "FOREACH with several clauses, or with clauses behind it,")
        body = operator.body[0]
        return [ir.Unwind(operator.source, operator.variable, span=operator.span), *self.simple(body)]

    def merge(self, operator: ir.Merge, at: int, last: bool) -> Iterable[ir.Operator]:
        """OPTIONAL MATCH of the pattern, and INSERT where there is none.

        Exact where nothing follows, nothing is done to what is there already, and no two rows mean the same pattern:
        the rows are made different in the ends that are known, and what is looked for is the same in all of them.
        """
        path = operator.path
        if not last:
            raise self.report.refusal("write", operator, "MERGE with clauses behind it")
        if any(action.event != "create" for action in operator.actions):
            raise self.report.refusal("write", operator, "MERGE that changes what is there already")
        known = self.scopes.before(operator)
        ends = [_named(e) for e in path.elements if isinstance(e, ir.NodePattern) and _named(e) in known]
        self.check_pattern(path, ends, operator)
        out: list[ir.Operator] = []
        if at:
            items = [ir.Item(ir.Ref(name), name) for name in dict.fromkeys(ends)]
            first = items or [ir.Item(ir.Literal(1), generated("one", 0))]
            out.append(ir.Project(tuple(first), distinct=True))
        found = next(e for e in path.elements if _named(e) not in known)
        absent = ir.Apply("is_null", (ir.Ref(_named(found)),))
        self.made += 1
        out += [ir.Match((replace(path, variable=None),), optional=True), ir.Filter(absent)]
        return [*out, *self.insert_of(operator, path, set(ends))]

    def check_pattern(self, path: ir.Path, ends: Sequence[str], operator: ir.Merge) -> None:
        """A node alone, or one edge that has a direction between nodes that are known; properties are literals."""
        single = len(path.elements) == 1 and not ends
        edge = path.elements[1] if len(path.elements) == 3 else None
        between = len(ends) == 2 and isinstance(edge, ir.EdgePattern) and edge.direction != "any"
        if not (single or between):
            raise self.report.refusal("write", operator, "MERGE of more than a node, or an edge between known nodes,")
        for element in path.elements:
            entries = element.properties if isinstance(element, (ir.NodePattern, ir.EdgePattern)) else None
            if entries is None:
                continue
            if not isinstance(entries, ir.MapOf) or not all(_is_constant(entry.value) for entry in entries.entries):
                raise self.report.refusal("write", operator, "MERGE with a property that may be null")

    def insert_of(self, operator: ir.Merge, path: ir.Path, known: set[str]) -> Iterable[ir.Operator]:
        """What is made: under names of its own, for those of the pattern are taken, with what ON CREATE sets."""
        names = {_named(e): generated("made", at) for at, e in enumerate(path.elements) if _named(e) not in known}
        made = self.path(replace(path, variable=None))
        elements = [_called(element, names.get(_named(element), _named(element))) for element in made.elements]
        yield ir.Insert((replace(made, elements=tuple(elements)),), keyword="INSERT")
        for action in operator.actions:
            renamed = ir.rewrite(ir.Set(action.items), lambda node: _renamed(node, names))
            yield from self.assign(renamed)


def _renamed(node: ir.Node, names: dict[str, str]) -> ir.Node:
    return replace(node, name=names.get(node.name, node.name)) if isinstance(node, ir.Ref) else node


def _called(element: ir.Node, name: str) -> ir.NodePattern | ir.EdgePattern:
    assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
    return replace(element, variable=name)


def _named(element: ir.Node) -> str:
    """The variable of an element: core names them all."""
    assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
    assert element.variable is not None
    return element.variable


def _properties(element: ir.Node) -> ir.Node:
    assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
    return element.properties or ir.MapOf(())


def _is_constant(value: ir.Expression) -> bool:
    """Whether it is a literal that is not null, or a list of such."""
    if isinstance(value, ir.ListOf):
        return all(_is_constant(item) for item in value.items)
    return isinstance(value, ir.Literal) and value.value is not None


def _written(item: ir.SetItem) -> set[str]:
    match item:
        case ir.SetProperty(target=ir.Property(key=key)):
            return {key}
        case ir.SetLabels():
            return {f":{label.name}" for label in item.labels if isinstance(label, ir.LabelName)}
        case _:
            return {_ALL}


def _read(item: ir.SetItem) -> Iterator[str]:
    """The properties and labels that the value of an item depends on."""
    if isinstance(item, ir.SetLabels):
        return
    for part in ir.walk(item.value):
        match part:
            case ir.Property() | ir.Entry():
                yield part.key
            case ir.LabelName():
                yield f":{part.name}"
            case ir.Index() | ir.Subquery() | ir.PatternComprehension() | ir.MapProjection():
                yield _ALL
            case ir.Apply() if part.function in _WHOLE:
                yield _ALL
            case _:
                pass


def _meet(first: set[str], second: set[str]) -> bool:
    return bool(first & second) or bool(first and second and _ALL in first | second)
