"""Names: what each variable is, where it is visible, and what is wrong with how it is used.

One analysis for everything that asks: undefined variables (G101), variables bound twice (G102), a variable of one kind
used as another (G103), what a query returns (G105 to G108), what is in scope before an operator, what a subquery takes
from outside.  The rules are openCypher's, and Neo4j's where openCypher is silent; other semantic checks do not belong
here.  Nothing recurses: expressions are walked with a stack, nested bodies are generators on a trampoline.

Works on the surface and on core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.dialects import DIALECTS, rules_of
from graphir.frozen import frozen
from graphir.functions import AGGREGATES
from graphir.ir import Expression, Node
from graphir.passes.aggregates import is_aggregate
from graphir.passes.findings import Findings
from graphir.passes.frames import Frame
from graphir.passes.gql.combinations import MODES, united_columns
from graphir.passes.kinds import ELEMENT, LIST_OF, Kind, element_of, join, kind_of
from graphir.passes.projected import SCOPED, Projected
from graphir.passes.steps import Step, run
from graphir.source import Source

Columns = dict[str, Kind]


@dataclass
class Scopes:
    """What the analysis found.  Operators and subqueries are asked for by identity: keep the query."""

    query: ir.Query
    diagnostics: list[Diagnostic] = field(default_factory=list)
    columns: Columns | None = None
    """Names and kinds of the result, in order; None where the query returns nothing, or nothing that is known."""
    repeated: set[int] = field(default_factory=set, repr=False)
    """Identities of the `*` edges whose variable was bound already: they must equal it."""
    _before: dict[int, tuple[Columns, int]] = field(default_factory=dict, repr=False)
    _free: dict[int, set[str]] = field(default_factory=dict, repr=False)

    def before(self, operator: ir.Operator) -> Columns:
        """The variables bound in the pipeline before an operator, those of outer queries apart, in order of binding."""
        names, count = self._before.get(id(operator), ({}, 0))
        return dict(list(names.items())[:count])

    @property
    def nested(self) -> bool:
        """Whether there are subqueries, of either kind, or patterns that stand for values."""
        return bool(self._free)

    def free(self, subquery: ir.Subquery | ir.SubqueryCall) -> frozenset[str]:
        """The variables that a subquery takes from outside."""
        return frozenset(self._free.get(id(subquery), ()))


def analyze(
    query: ir.Query, source: Source | None = None, dialect: str = "neo4j-25", *, reading: bool = True
) -> Scopes:
    """Resolve the names of a query.

    Without `reading` expressions are looked into for their subqueries alone: for those who ask only what is bound
    before an operator.
    """
    analysis = _Analysis(query, source or Source(""), dialect, reading=reading)
    scopes = analysis.scopes
    scopes.columns = run(analysis.body(query.body, _Start(Place.QUERY)))
    scopes.diagnostics = analysis.findings.sorted()
    return scopes


class Place(Enum):
    """Where a body stands."""

    QUERY = auto()
    EXPRESSION = auto()
    CALL = auto()
    NEXT = auto()


_UNNAMED = {Place.CALL: "the RETURN of a CALL subquery", Place.NEXT: "RETURN before NEXT"}


@frozen
class _Start:
    """How a body begins: the names it starts with, the frames around it, and what a leading WITH may import from."""

    place: Place
    names: Columns = field(default_factory=dict)
    outer: Frame | None = None
    free: set[str] | None = None
    imports: Frame | None = None
    united: bool = False
    """It is a branch of a UNION."""

    def frame(self) -> Frame:
        return Frame(dict(self.names), self.outer, self.free)


class _Analysis:
    def __init__(self, query: ir.Query, source: Source, dialect: str, *, reading: bool) -> None:
        self.scopes = Scopes(query)
        self.reading = reading
        self.findings = Findings(source)
        self.dialect = dialect
        self.rules = rules_of(dialect)
        self.is_cypher = DIALECTS[dialect].family == "cypher"
        """`*` has the variables in the order of their names, and what INSERT makes is not named alone again."""
        self.nested: list[tuple[ir.Subquery, Frame]] = []
        """Subqueries met in expressions, still to be looked into, and the frame they stand in."""
        self.aggregating = False
        """An aggregate was met since this was last reset."""
        self.fresh: set[str] = set()
        """Names that the clause at hand creates, and that its own properties may not read."""
        self.groups: set[str] = set()
        """Variables of quantified groups, which no other pattern may mention."""
        self.looping = 0
        """FOREACH around: what is bound may be bound again."""

    # -------------------------------------------------------------- bodies

    def body(self, body: ir.Body, start: _Start) -> Step:
        """The columns of a body, or None where it returns none."""
        if isinstance(body, ir.Pipeline):
            return self.pipeline(body, start)
        if isinstance(body, ir.SetOperation):
            return self.branches(body.branches, start, body.columns)
        if isinstance(body, ir.Next):
            return self.parts(body, start)
        if isinstance(body, ir.Conditional):
            return self.conditional(body, start)
        return self.nothing()

    def nothing(self) -> Step:
        return None
        yield  # makes this a step

    def pipeline(self, body: ir.Pipeline, start: _Start) -> Step:
        frame = start.frame()
        if start.imports is not None:
            self.import_names(body.operators, frame, start.imports)
        frame = yield self.operators(body.operators, frame, start.place)
        last = body.operators[-1] if body.operators else None
        if any(isinstance(operator, ir.Project) and operator.final for operator in reversed(body.operators)):
            return frame.names
        alone = len(body.operators) == 1 and start.place is Place.QUERY and not start.united
        if alone and isinstance(last, ir.ProcedureCall) and last.yields is not None:
            return frame.names
        return None

    def operators(self, operators: Sequence[ir.Operator], frame: Frame, place: Place) -> Step:
        """The frame after the operators."""
        for operator in operators:
            self.scopes._before[id(operator)] = frame.names, len(frame.names)
            cls = type(operator)
            if cls is ir.Project:
                frame = self.project(operator, frame, place)  # type: ignore[arg-type]
            elif cls is ir.Aggregate:
                frame = self.aggregate(operator, frame)  # type: ignore[arg-type]
            elif cls in _STEPS:
                yield _STEPS[cls](self, operator, frame)
            else:
                _HANDLERS[cls](self, operator, frame)
            if self.nested:
                yield self.drain()
        return frame

    def branches(self, branches: Sequence[ir.Body], start: _Start, mode: str = "position") -> Step:
        """UNION: every branch begins with the same names and ends with the same columns, unless a mode of GoogleSQL
        says which columns are kept."""
        merged: Columns | None = None
        start = replace(start, united=True)
        for at, branch in enumerate(branches):
            columns: Columns | None = yield self.body(branch, start)
            if at == 0:
                merged = columns and dict(columns)
            elif mode in MODES:
                both = {**(columns or {}), **(merged or {})}
                kept = united_columns(mode, [merged or {}, columns or {}])
                merged = {name: join(both[name], (columns or both).get(name, both[name])) for name in kept}
            elif (merged or {}).keys() != (columns or {}).keys():
                self.findings.columns_differ(branches[at - 1], branch, merged, columns)
            elif merged and columns:
                merged = {name: join(kind, columns[name]) for name, kind in merged.items()}
        return merged

    def parts(self, body: ir.Next, start: _Start) -> Step:
        """NEXT: a part begins with the columns of the one before."""
        columns: Columns | None = start.names
        last = len(body.parts) - 1
        for at, part in enumerate(body.parts):
            place = start.place if at == last else Place.NEXT
            columns = yield self.body(part, replace(start, names=columns or {}, place=place))
        return columns

    def conditional(self, body: ir.Conditional, start: _Start) -> Step:
        frame = start.frame()
        for branch in body.branches:
            self.read(frame, branch.condition)
        if self.nested:
            yield self.drain()
        return (yield self.branches([branch.body for branch in body.branches], start))

    def drain(self) -> Step:
        """Look into the subqueries of the expressions read last.  They see the names bound so far."""
        saved = self.fresh, self.aggregating
        self.fresh = set()
        nested, self.nested = self.nested, []
        for subquery, frame in nested:
            free = self.scopes._free.setdefault(id(subquery), set())
            yield self.body(subquery.body, _Start(Place.EXPRESSION, outer=frame, free=free))
        self.fresh, self.aggregating = saved

    # -------------------------------------------------------------- expressions

    def read(self, frame: Frame, *expressions: Node | None) -> None:
        """Resolve the names in expressions; subqueries in them are left in `nested`."""
        tasks: list[tuple[Node, Frame]] = [
            (e, frame) for e in reversed(expressions) if e is not None and (self.reading or ir.holds(e, ir.Subquery))
        ]
        while tasks:
            root, around = tasks.pop()
            names, fresh = around.names, self.fresh
            pending = [root]
            while pending:
                node = pending.pop()
                cls = type(node)
                if cls is ir.Ref:
                    if node.name not in names or node.name in fresh:  # type: ignore[attr-defined]
                        self.resolve(node, around)  # type: ignore[arg-type]
                elif cls is ir.Property:
                    pending.append(node.base)  # type: ignore[attr-defined]
                elif cls is ir.Apply:
                    if node.function in AGGREGATES:  # type: ignore[attr-defined]
                        self.aggregating = True
                    pending.extend(node.args)  # type: ignore[attr-defined]
                elif cls is ir.Call:
                    if is_aggregate(node):
                        self.aggregating = True
                    pending.extend(node.args)  # type: ignore[attr-defined]
                elif cls in _BINDERS:
                    _BINDERS[cls](self, node, around, tasks)
                elif cls is not ir.Literal and cls is not ir.Parameter:
                    pending.extend(ir.children(node))

    def resolve(self, ref: ir.Ref, frame: Frame) -> None:
        if ref.name in self.fresh:
            self.findings.used_while_created(ref)
        elif frame.find(ref.name) is None:
            self.findings.undefined(ref.name, ref, frame)

    def comprehension(
        self, node: ir.ListComprehension | ir.Quantified, frame: Frame, tasks: list[tuple[Node, Frame]]
    ) -> None:
        inner = Frame({node.variable: element_of(kind_of(node.source, frame.kind))}, frame)
        tasks.append((node.source, frame))
        if isinstance(node, ir.Quantified):
            if node.predicate is not None:
                tasks.append((node.predicate, inner))
            elif self.dialect == "neo4j-25":  # read as a call of a function on the test `variable IN source`
                tasks.append((ir.Ref(node.variable, span=node.span), frame))
        else:
            tasks.extend([(e, inner) for e in (node.where, node.body) if e is not None])

    def reduce(self, node: ir.Reduce | ir.AllReduce, frame: Frame, tasks: list[tuple[Node, Frame]]) -> None:
        element = element_of(kind_of(node.source, frame.kind))
        inner = Frame({node.accumulator: Kind.ANY, node.variable: element}, frame)
        tasks += [(node.initial, frame), (node.source, frame), (node.body, inner)]
        if isinstance(node, ir.AllReduce):
            tasks.append((node.predicate, inner))

    def map_projection(self, node: ir.MapProjection, frame: Frame, tasks: list[tuple[Node, Frame]]) -> None:
        tasks.append((node.base, frame))
        for item in node.items:
            if isinstance(item, ir.Entry):
                tasks.append((item.value, frame))
            elif isinstance(item, ir.ProjectedVariable):
                tasks.append((ir.Ref(item.name, span=item.span), frame))

    def pattern_comprehension(
        self, node: ir.PatternComprehension, frame: Frame, tasks: list[tuple[Node, Frame]]
    ) -> None:
        inner = Frame({}, frame)
        waiting: list[tuple[Node, Frame]] = []
        self.bind_elements(node.path.elements, inner, waiting)
        if node.path.variable is not None:
            inner.names[node.path.variable] = Kind.PATH
        tasks += waiting
        tasks.extend([(e, inner) for e in (node.where, node.body) if e is not None])

    def pattern_expression(self, node: ir.PatternExpression, frame: Frame, tasks: list[tuple[Node, Frame]]) -> None:
        """A pattern where a value stands binds nothing: whatever it names must be there."""
        inner = Frame({}, frame)
        waiting: list[tuple[Node, Frame]] = []
        self.bind_elements(node.path.elements, inner, waiting)
        tasks += waiting
        for name in inner.names:
            self.findings.introduced(name, node)

    def subquery(self, node: ir.Subquery, frame: Frame, tasks: list[tuple[Node, Frame]]) -> None:
        self.nested.append((node, frame))

    # -------------------------------------------------------------- patterns

    def bind_elements(
        self, elements: Iterable[ir.PathElement], frame: Frame, waiting: list[tuple[Node, Frame]]
    ) -> None:
        """Bind the variables of a pattern; the expressions in it wait until all of its names are known."""
        pending = list(elements)
        pending.reverse()
        while pending:
            element = pending.pop()
            if isinstance(element, ir.NodePattern):
                if element.variable is not None:
                    self.bind_element(element, element.variable, Kind.NODE, frame)
            elif isinstance(element, ir.EdgePattern):
                if element.variable is not None:
                    self.bind_edge(element, element.variable, frame)
            else:
                if element.quantifier is not None:
                    self.bind_group(element, frame, waiting)
                else:
                    pending.extend(reversed(element.path.elements))
                    self.bind_path(element.path, frame)
                    if element.where is not None:
                        waiting.append((element.where, frame))
                continue
            if element.labels is not None and type(element.labels) is not ir.LabelName:
                waiting.append((element.labels, frame))
            if element.properties is not None:
                waiting.append((element.properties, frame))
            if element.where is not None:
                waiting.append((element.where, self.inside(element, frame)))

    def inside(self, element: ir.NodePattern | ir.EdgePattern, frame: Frame) -> Frame:
        """In the predicate of a repeated edge its variable is the single edge."""
        repeated = isinstance(element, ir.EdgePattern) and (element.quantifier or element.hops)
        return Frame({element.variable: Kind.EDGE}, frame) if repeated and element.variable else frame

    def bind_element(self, node: Node, name: str, kind: Kind, frame: Frame) -> None:
        known = frame.find(name)
        if known is None:
            frame.names[name] = kind
        elif known is not kind and known is not Kind.ANY and not (known is Kind.LIST and kind is Kind.EDGES):
            if name in self.groups and known in ELEMENT:
                self.findings.bound(name, node, outer=False)
            else:
                self.findings.conflict(name, node, known, kind)

    def bind_edge(self, edge: ir.EdgePattern, name: str, frame: Frame) -> None:
        if edge.quantifier is not None:
            self.bind_new(edge, name, Kind.EDGES, frame)
        else:
            if edge.hops is not None and frame.find(name) is not None:
                self.scopes.repeated.add(id(edge))
            self.bind_element(edge, name, Kind.EDGE if edge.hops is None else Kind.EDGES, frame)

    def bind_new(self, node: Node, name: str, kind: Kind, frame: Frame) -> None:
        """Bind a name that must not be bound."""
        if not self.looping and not frame.open and frame.find(name) is not None:
            self.findings.bound(name, node, outer=name not in frame.names)
        else:
            frame.names[name] = kind

    def bind_group(self, group: ir.PathGroup, frame: Frame, waiting: list[tuple[Node, Frame]]) -> None:
        """Inside a quantified group its variables are single elements, outside they are lists."""
        inner = Frame({})
        inside: list[tuple[Node, Frame]] = []
        self.bind_elements(group.path.elements, inner, inside)
        for name, kind in inner.names.items():
            self.groups.add(name)
            self.bind_new(group, name, LIST_OF.get(kind, Kind.LIST), frame)
        self.bind_path(group.path, inner)
        inner.outer = frame
        waiting += inside
        if group.where is not None:
            waiting.append((group.where, inner))

    def bind_path(self, path: ir.Path, frame: Frame) -> None:
        if path.variable is not None:
            self.bind_new(path, path.variable, Kind.PATH, frame)

    # -------------------------------------------------------------- reading operators

    def match(self, operator: ir.Match, frame: Frame) -> None:
        waiting: list[tuple[Node, Frame]] = []
        for path in operator.paths:
            self.bind_elements(path.elements, frame, waiting)
            self.bind_path(path, frame)
            if path.selector is not None and path.selector.count is not None:
                waiting.append((path.selector.count, frame))
        for node, around in waiting:
            self.read(around, node)
        for hint in operator.hints:
            variables = (hint.variable,) if isinstance(hint, ir.IndexHint) else hint.variables
            for name in variables:
                if frame.find(name) is None:
                    self.findings.undefined(name, hint, frame)
        if operator.search is not None:
            self.search(operator.search, frame)
        self.read(frame, operator.where)

    def search(self, search: ir.VectorSearch, frame: Frame) -> None:
        """The index is a name of its own kind, not a variable."""
        if frame.find(search.variable) is None:
            self.findings.undefined(search.variable, search, frame)
        self.read(frame, search.query, search.where, search.limit)
        if search.score is not None:
            self.bind_new(search, search.score, Kind.VALUE, frame)

    def filter(self, operator: ir.Filter, frame: Frame) -> None:
        self.read(frame, operator.predicate)

    def order(self, operator: ir.Order, frame: Frame) -> None:
        self.read(frame, *[key.value for key in operator.keys])

    def page(self, operator: ir.Page, frame: Frame) -> None:
        self.read(frame, operator.skip, operator.limit)

    def let(self, operator: ir.Let, frame: Frame) -> Step:
        """The items of one LET do not see each other."""
        self.read(frame, *[item.value for item in operator.items])
        if self.nested:
            yield self.drain()
        kinds = [kind_of(item.value, frame.kind) for item in operator.items]
        made: set[str] = set()
        for item, kind in zip(operator.items, kinds, strict=True):
            if item.name is None:
                continue
            if item.name in made:
                self.findings.duplicate(item.name, item)
            else:
                self.bind_new(item, item.name, kind, frame)
            made.add(item.name)

    def unwind(self, operator: ir.Unwind, frame: Frame) -> Step:
        self.read(frame, operator.source)
        if self.nested:
            yield self.drain()
        self.bind_new(operator, operator.variable, element_of(kind_of(operator.source, frame.kind)), frame)
        for name in (operator.ordinality, operator.offset):
            if name is not None:
                self.bind_new(operator, name, Kind.VALUE, frame)

    def load(self, operator: ir.LoadCsv, frame: Frame) -> Step:
        """The variable of LOAD CSV may hide a bound one."""
        self.read(frame, operator.source)
        if self.nested:
            yield self.drain()
        frame.names[operator.variable] = Kind.VALUE if operator.headers else Kind.LIST

    def use(self, operator: ir.Use, frame: Frame) -> None:
        """A graph is named, not read from a variable; only the arguments of a function are expressions."""
        if isinstance(operator.graph, (ir.Apply, ir.Call)):
            self.read(frame, *operator.graph.args)

    def nothing_bound(self, operator: ir.Operator, frame: Frame) -> None:
        pass

    # -------------------------------------------------------------- projections

    def project(self, operator: ir.Project, frame: Frame, place: Place) -> Frame:
        self.aggregating = operator.group_by is not None
        self.read(frame, *[item.value for item in operator.items])
        aggregating = self.aggregating
        columns = self.columns(operator, frame, place)
        inner = Frame(columns, frame.outer, frame.free, open_=frame.open and operator.star)
        if operator.group_by:
            self.read(Frame(columns, frame), *operator.group_by)
        if (operator.order or operator.where is not None) and (self.reading or ir.holds(operator, ir.Subquery)):
            if aggregating or operator.distinct:
                self.after_grouping(operator, frame, inner)
            else:
                self.after_projection(operator, frame, columns)
        self.read(inner, operator.skip, operator.limit)
        return inner

    def columns(self, operator: ir.Project, frame: Frame, place: Place) -> Columns:
        """The columns of a projection: those kept by `*` in the order of their names, then the items."""
        listed: Columns = {}
        by_text = operator.final and place in (Place.QUERY, Place.EXPRESSION)
        for item in operator.items:
            name = column_name(item, by_text=by_text)
            if name is None:
                self.findings.unnamed(item, _UNNAMED.get(place, "RETURN") if operator.final else "WITH")
                continue
            if name in listed:
                self.findings.duplicate(name, item)
            if frame.outer is not None and not (operator.final and place is Place.CALL):
                passes = isinstance(item.value, ir.Ref) and item.value.name == name
                if not passes and frame.around(name):
                    self.findings.bound(name, item, outer=True)
            listed[name] = kind_of(item.value, frame.kind)
        if not operator.star:
            return listed
        if operator.final and operator.span and not operator.items and not frame.names and not frame.open:
            self.findings.nothing_in_scope(operator)
        names = sorted(frame.names) if self.is_cypher else frame.names
        kept = {name: frame.names[name] for name in names if name not in listed}
        return {**kept, **listed}

    def after_projection(self, operator: ir.Project, frame: Frame, columns: Columns) -> None:
        """Sort keys and WHERE see the new columns and behind them the old variables.

        A sort key that repeats an item means the item, also where a new column hides a variable in it.
        """
        keys: list[Expression] = [key.value for key in operator.order]
        if not frame.names.keys().isdisjoint(columns):
            values = {item.value for item in operator.items}
            keys = [key for key in keys if key not in values]
        self.read(Frame(columns, frame), *keys, operator.where)

    def after_grouping(self, operator: ir.Project, frame: Frame, inner: Frame) -> None:
        """After DISTINCT or an aggregation only what was projected can be sorted by."""
        keys = [key.value for key in operator.order]
        others = [key for key in keys if not (isinstance(key, ir.Ref) and key.name in inner.names)]
        if not others and operator.where is None:
            return
        columns = projected_columns(operator, frame.names, by_text=True)
        columns += [("", key) for key in operator.group_by or ()]
        projected = Projected(columns)
        parts = [part for key in others for part in projected.rest(key, key=True)]
        if operator.where is not None:
            parts += projected.rest(operator.where, key=False)
        before = Frame(inner.names, frame)
        for part in parts:
            if isinstance(part, SCOPED):
                self.read(before, part)
            elif is_aggregate(part) and self.dialect == "neo4j-25":
                self.read(frame, part)
            elif isinstance(part, ir.Ref) and inner.find(part.name) is None and frame.find(part.name) is not None:
                self.findings.gone(part.name, part, inner)
            else:
                self.read(inner, part)

    def aggregate(self, operator: ir.Aggregate, frame: Frame) -> Frame:
        columns: Columns = {}
        for item in (*operator.keys, *operator.aggregates):
            self.read(frame, item.value)
            if item.name is not None:
                columns[item.name] = kind_of(item.value, frame.kind)
        return Frame(columns, frame.outer, frame.free)

    # -------------------------------------------------------------- calls

    def procedure(self, operator: ir.ProcedureCall, frame: Frame) -> Step:
        self.read(frame, *(operator.args or ()))
        if self.nested:
            yield self.drain()
        made: set[str] = set()
        for item in operator.yields or ():
            name = item.alias or item.name
            if name in made:
                self.findings.bound(name, item, outer=False)
            else:
                self.bind_new(item, name, Kind.ANY, frame)
            made.add(name)
        if operator.star:
            frame.open = True
        if operator.where is not None:
            self.read(frame, operator.where)

    def call(self, operator: ir.SubqueryCall, frame: Frame) -> Step:
        free = self.scopes._free.setdefault(id(operator), set())
        if operator.imports is None:
            start = _Start(Place.CALL, imports=Frame({}, frame, free))
        elif operator.star:
            start = _Start(Place.CALL, outer=frame, free=free)
        else:
            start = _Start(Place.CALL, outer=Frame(self.imported(operator, operator.imports, frame)))
            free.update(operator.imports)
        columns: Columns | None = yield self.body(operator.body, start)
        for name, kind in (columns or {}).items():
            self.bind_new(result_item(operator, name), name, kind, frame)
        transactions = operator.transactions
        if transactions is not None:
            self.read(frame, transactions.batch, transactions.concurrency, transactions.retry_seconds)
            if transactions.report is not None:
                self.bind_new(transactions, transactions.report, Kind.VALUE, frame)

    def imported(self, node: Node, names: Iterable[str], frame: Frame) -> Columns:
        found: Columns = {}
        for name in names:
            kind = frame.find(name)
            if kind is None:
                self.findings.undefined(name, node, frame)
            found[name] = kind or Kind.ANY
        return found

    def import_names(self, operators: Sequence[ir.Operator], frame: Frame, source: Frame) -> None:
        """The old form of CALL: a leading WITH of plain names brings them in.

        One that does more is a fault of its own (G045); what it names is known all the same.
        """
        first = next((operator for operator in operators if not isinstance(operator, ir.Use)), None)
        if not isinstance(first, ir.Project) or first.final:
            return
        if first.star:
            frame.names.update({name: source.kind(name) for name in source.visible()})
            return
        if any(not isinstance(item.value, ir.Ref) or item.name not in (None, item.value.name) for item in first.items):
            read = [node.name for item in first.items for node in ir.find(item.value, ir.Ref)]
            frame.names.update({name: source.kind(name) for name in read if source.find(name) is not None})
            return
        for item in first.items:
            assert isinstance(item.value, ir.Ref)
            name = item.value.name
            if source.find(name) is None:
                self.findings.undefined(name, item.value, source)
            frame.names[name] = source.kind(name)

    def foreach(self, operator: ir.Foreach, frame: Frame) -> Step:
        self.read(frame, operator.source)
        if self.nested:
            yield self.drain()
        element = element_of(kind_of(operator.source, frame.kind))
        self.looping += 1
        yield self.operators(operator.body, Frame({operator.variable: element}, frame), Place.QUERY)
        self.looping -= 1

    # -------------------------------------------------------------- writing

    def create(self, paths: Iterable[ir.Path], frame: Frame, *, unread: str) -> None:
        """Bind what CREATE, INSERT and MERGE make.

        A bound node may only be the end of a new relationship.  Properties and labels may not read what is `unread`:
        nothing that the clause, the path, or the element itself makes, or "none" where they may read all of it.
        """
        made: set[str] = set()
        reading: list[tuple[set[str], Node, Frame]] = []
        for path in paths:
            elements: list[ir.PathElement] = []
            self.flatten(path.elements, elements, frame)
            if unread == "path":
                made = set()
            for element in elements:
                if isinstance(element, ir.PathGroup):
                    continue
                name = element.variable
                own = {name} if name is not None and frame.find(name) is None else set()
                made |= own
                if name is not None:
                    self.create_element(element, name, frame, alone=len(elements) == 1)
                forbidden = own if unread == "element" else set[str]() if unread == "none" else made
                reading += [(forbidden, e, frame) for e in (element.labels, element.properties) if e is not None]
            if path.variable is not None:
                made.add(path.variable)
            self.bind_path(path, frame)
        for forbidden, node, around in reading:
            self.fresh = forbidden
            self.read(around, node)
        self.fresh = set()

    def flatten(self, elements: Iterable[ir.PathElement], out: list[ir.PathElement], frame: Frame) -> None:
        pending = list(elements)[::-1]
        while pending:
            element = pending.pop()
            if isinstance(element, ir.PathGroup):
                pending.extend(reversed(element.path.elements))
                self.bind_path(element.path, frame)
            else:
                out.append(element)

    def create_element(self, element: ir.NodePattern | ir.EdgePattern, name: str, frame: Frame, *, alone: bool) -> None:
        known = frame.find(name)
        if isinstance(element, ir.EdgePattern):
            self.bind_new(element, name, Kind.EDGE, frame)
        elif known is None:
            frame.names[name] = Kind.NODE
        elif known not in (Kind.NODE, Kind.ANY):
            self.findings.conflict(name, element, known, Kind.NODE)
        elif self.looping or (not self.is_cypher and element.labels is None and element.properties is None):
            return
        elif alone or element.labels is not None or element.properties is not None:
            self.findings.created_twice(name, element)

    def insert(self, operator: ir.Insert, frame: Frame) -> None:
        whole = operator.keyword == "INSERT" or "CREATE reads nothing that it creates" in self.rules
        self.create(operator.paths, frame, unread="clause" if whole else "path")

    def merge(self, operator: ir.Merge, frame: Frame) -> None:
        whole, none = "MERGE reads nothing that it creates", "MERGE may read what it creates"
        unread = "clause" if whole in self.rules else "none" if none in self.rules else "element"
        self.create((operator.path,), frame, unread=unread)
        for action in operator.actions:
            self.read(frame, *action.items)

    def write(self, operator: ir.Set | ir.Remove | ir.Delete, frame: Frame) -> None:
        self.read(frame, *operator.items)


_BINDERS: dict[type[Node], Callable[..., None]] = {
    ir.ListComprehension: _Analysis.comprehension,
    ir.Quantified: _Analysis.comprehension,
    ir.Reduce: _Analysis.reduce,
    ir.AllReduce: _Analysis.reduce,
    ir.MapProjection: _Analysis.map_projection,
    ir.PatternComprehension: _Analysis.pattern_comprehension,
    ir.PatternExpression: _Analysis.pattern_expression,
    ir.Subquery: _Analysis.subquery,
}

_HANDLERS: dict[type[ir.Operator], Callable[..., None]] = {
    ir.Match: _Analysis.match,
    ir.Filter: _Analysis.filter,
    ir.Order: _Analysis.order,
    ir.Page: _Analysis.page,
    ir.Use: _Analysis.use,
    ir.Finish: _Analysis.nothing_bound,
    ir.Sample: _Analysis.nothing_bound,
    ir.Insert: _Analysis.insert,
    ir.Merge: _Analysis.merge,
    ir.Set: _Analysis.write,
    ir.Remove: _Analysis.write,
    ir.Delete: _Analysis.write,
}

_STEPS: dict[type[ir.Operator], Callable[..., Step]] = {
    ir.Let: _Analysis.let,
    ir.Unwind: _Analysis.unwind,
    ir.LoadCsv: _Analysis.load,
    ir.ProcedureCall: _Analysis.procedure,
    ir.SubqueryCall: _Analysis.call,
    ir.Foreach: _Analysis.foreach,
}
"""Operators with a body inside, or whose subqueries must be looked into before they bind."""


def column_name(item: ir.Item, *, by_text: bool) -> str | None:
    """The name of the column that an item makes: as given, a variable's own, else the source text where that counts."""
    if item.name is not None:
        return item.name
    if isinstance(item.value, ir.Ref):
        return item.value.name
    if isinstance(item.value, ir.MapProjection):
        return item.value.base.name
    return item.text if by_text else None


def projected_columns(operator: ir.Project, names: Iterable[str], *, by_text: bool) -> list[tuple[str, Expression]]:
    """The named columns of a projection and what they are computed from."""
    listed = [(column_name(item, by_text=by_text), item.value) for item in operator.items]
    columns: list[tuple[str, Expression]] = [(name, value) for name, value in listed if name is not None]
    if not operator.star:
        return columns
    taken = {name for name, _ in columns}
    return [(name, ir.Ref(name)) for name in sorted(names) if name not in taken] + columns


def result_item(call: ir.SubqueryCall, name: str) -> Node:
    """The item that makes a column of a subquery, for messages; else the call."""
    pipeline = ir.last_pipeline(call.body)
    for operator in reversed(pipeline.operators if pipeline is not None else ()):
        if isinstance(operator, ir.Project) and operator.final:
            return next((item for item in operator.items if column_name(item, by_text=True) == name), operator)
    return call
