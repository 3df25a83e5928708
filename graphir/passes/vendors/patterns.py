"""The patterns of a GRAPH_TABLE: what its variables are, and the rules about its form.

What the surface does not keep (`:` or IS before a label, which quantifier was written) is read off the text at the
place of the node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from graphir import ir
from graphir.diagnostics import Edit, Fix
from graphir.passes.vendors.findings import Findings
from graphir.source import Span

Element = ir.NodePattern | ir.EdgePattern


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An element of a pattern; `repeated`: it stands in a part that is repeated, or is repeated itself.  `group` is the
    innermost repeated part around it."""

    element: Element
    repeated: bool
    group: ir.PathGroup | None = None


@dataclass(eq=False)
class Variable:
    """`kind` is node, edge, path or row (of ONE ROW PER).  Ask it when all its occurrences are found."""

    name: str
    kind: str
    occurrences: list[Occurrence] = field(default_factory=list)

    @cached_property
    def repeated(self) -> bool:
        return any(each.repeated for each in self.occurrences)

    @cached_property
    def labels(self) -> list[ir.LabelExpression]:
        return [each.element.labels for each in self.occurrences if each.element.labels is not None]


def occurrences(path: ir.Path) -> Iterator[Occurrence]:
    """The elements of a path in order, those in parentheses too."""
    pending: list[tuple[ir.PathElement, bool, ir.PathGroup | None]] = [
        (each, False, None) for each in reversed(path.elements)
    ]
    while pending:
        element, repeated, group = pending.pop()
        if isinstance(element, ir.PathGroup):
            inside = element if element.quantifier is not None else group
            again = repeated or element.quantifier is not None
            pending.extend((each, again, inside) for each in reversed(element.path.elements))
        else:
            own = isinstance(element, ir.EdgePattern) and element.quantifier is not None
            yield Occurrence(element, repeated or own, group)


def groups(path: ir.Path) -> Iterator[ir.PathGroup]:
    """The parts in parentheses, outer ones first."""
    pending = [each for each in path.elements if isinstance(each, ir.PathGroup)]
    while pending:
        group = pending.pop()
        yield group
        pending.extend(each for each in group.path.elements if isinstance(each, ir.PathGroup))


def variables(table: ir.GraphTable, match: ir.Match) -> dict[str, Variable]:
    """What a GRAPH_TABLE binds."""
    found: dict[str, Variable] = {}
    for path in match.paths:
        if path.variable is not None:
            found.setdefault(path.variable, Variable(path.variable, "path"))
        for each in occurrences(path):
            name = each.element.variable
            if name is not None:
                kind = "node" if isinstance(each.element, ir.NodePattern) else "edge"
                found.setdefault(name, Variable(name, kind)).occurrences.append(each)
    for name in table.rows.variables if table.rows is not None else ():
        found.setdefault(name, Variable(name, "row"))
    return found


class Forms:
    """The rules about the form of a pattern."""

    def __init__(self, findings: Findings, dialect: str) -> None:
        self.findings = findings
        self.vendor = findings.vendor
        self.dialect = dialect

    @property
    def text(self) -> str:
        return self.findings.source.text

    def refuse(self, rule: str, what: str, at: ir.Node | Span | None, hint: str = "", fix: Fix | None = None) -> None:
        """Report what the vendor does not have."""
        span = at.span if isinstance(at, ir.Node) else at
        self.findings.report(rule, f"{self.vendor.title} does not have {what} here", span, hint or None, fix=fix)

    def check(self, match: ir.Match, found: dict[str, Variable]) -> None:
        """What is wrong with the patterns of a MATCH."""
        if match.stated:
            self.refuse("match mode", "a match mode", match, "leave it out: elements may repeat")
        if len(match.paths) > 1:
            hint = "write a GRAPH_TABLE for each, and join them on columns"
            self.refuse("several paths", "several path patterns", match.paths[1], hint)
        for path in match.paths:
            self._path(path)
        for variable in found.values():
            self._variable(variable)
        self._edge_ends(match)

    # -------------------------------------------------------------- paths

    def _path(self, path: ir.Path) -> None:
        if path.variable is not None:
            self.refuse("path variable", "path variables", path)
        self._selection(path)
        self._shape(path)
        for group in groups(path):
            self._group(group)
        bounded = path.selector is not None and path.selector.kind != "all"
        for each in occurrences(path):
            element = each.element
            self._labels(element)
            self._braces(element)
            self._named(element)
            if isinstance(element, ir.EdgePattern):
                self._edge(element)
                self._quantifier(element.quantifier, bounded or path.mode not in (None, "walk"))

    def _selection(self, path: ir.Path) -> None:
        selector, mode = path.selector, path.mode
        if mode is not None and (self.vendor.name != "duckpgq" or mode != "walk"):
            self.refuse("path mode", f"the path mode {mode.upper()}", self._before(path))
        if selector is None:
            return
        self.refuse("selector", "selectors of paths", self._before(path))
        if selector.kind not in ("any_shortest", "all"):
            self.refuse("selector of several", "a selector but ANY SHORTEST", self._before(path))
        for each in occurrences(path):
            element = each.element
            if isinstance(element, ir.EdgePattern) and element.quantifier is not None and self._questioned(element):
                continue
            if isinstance(element, ir.EdgePattern) and element.quantifier is not None and self._is_left(element):
                self.refuse("selector and direction", "shortest paths over `<-[..]-`", element)

    def _questioned(self, edge: ir.EdgePattern) -> bool:
        return edge.quantifier is not None and self._of(edge.quantifier).strip() == "?"

    def _is_left(self, edge: ir.EdgePattern) -> bool:
        return self._of(edge).lstrip().startswith("<")

    def _of(self, node: ir.Node) -> str:
        return self.text[node.span.start : node.span.end] if node.span is not None else ""

    def _before(self, path: ir.Path) -> Span | None:
        """What stands before the first element of a path."""
        first = path.elements[0].span if path.elements else None
        if path.span is None or first is None:
            return path.span
        start, end = path.span.start, first.start
        named = self.text.find("=", start, end) if path.variable is not None else -1
        begin = named + 1 if named >= 0 else start
        inside = self.text[begin:end]
        return Span(begin + len(inside) - len(inside.lstrip()), begin + len(inside.rstrip()))

    def _shape(self, path: ir.Path) -> None:
        elements = path.elements
        if elements and isinstance(elements[0], ir.EdgePattern):
            self._misshaped("edge at the end", "a path begins with a vertex", elements[0])
        for one, other in pairwise(elements):
            if isinstance(one, ir.NodePattern) and isinstance(other, ir.NodePattern):
                self._misshaped("adjacent vertices", "two vertices have an edge between them", other)
            elif isinstance(one, ir.EdgePattern) and isinstance(other, ir.EdgePattern):
                self._misshaped("adjacent edges", "two edges have a vertex between them", other)
        if len(elements) > 1 and isinstance(elements[-1], ir.EdgePattern):
            self._misshaped("edge at the end", "a path ends with a vertex", elements[-1])

    def _misshaped(self, rule: str, message: str, at: ir.Node) -> None:
        self.findings.report(rule, message, at.span)

    def _group(self, group: ir.PathGroup) -> None:
        self.refuse("group", "paths in parentheses", group)
        if group.quantifier is None:
            return
        self._quantifier(group.quantifier, False)
        path = ir.Path(group.path.elements)
        if not any(isinstance(each.element, ir.EdgePattern) for each in occurrences(path)):
            self._misshaped("quantifier without edge", "a part that is repeated has an edge", group)

    # -------------------------------------------------------------- elements

    def _labels(self, element: Element) -> None:
        labels = element.labels
        if labels is None or labels.span is None or element.span is None:
            return
        before = self.text[element.span.start : labels.span.start].rstrip()
        if before.endswith(":"):
            at = element.span.start + len(before) - 1
            pad = "" if before[:-1].endswith((" ", "(", "[")) else " "
            after = "" if labels.span.start > at + 1 else " "
            fix = Fix("replace `:` by IS", (Edit(at, at + 1, f"{pad}IS{after}"),), safe=True)
            self.refuse("label colon", "`:` before a label", Span(at, at + 1), "write IS", fix)
        for each in ir.walk(labels):
            for class_, rule, what in _LABELS:
                if isinstance(each, class_):
                    self.refuse(rule, what, each, _INSTEAD.get((rule, self.vendor.name), ""))

    def _braces(self, element: Element) -> None:
        """`{key: value}`, which is a condition."""
        properties = element.properties
        if properties is None:
            return
        fix = None
        if isinstance(properties, ir.MapOf) and properties.span is not None and element.where is None:
            owner = self._written_variable(element)
            tests = [self._test(owner, entry) for entry in properties.entries if owner]
            if tests and all(tests):
                edit = Edit(properties.span.start, properties.span.end, "WHERE " + " AND ".join(tests))
                fix = Fix("write the properties as a condition", (edit,), safe=True)
        self.refuse("edge in braces", "properties in braces", properties, "write them behind WHERE", fix)

    def _written_variable(self, element: Element) -> str:
        """The variable as it is written, quotes and all; empty where there is none."""
        if element.variable is None or element.span is None:
            return ""
        inside = self._of(element)
        opening = inside.index("[" if isinstance(element, ir.EdgePattern) else "(") + 1
        rest = inside[opening:].lstrip()
        if rest[:1] == '"':
            return rest[: rest.index('"', 1) + 1]
        return rest[: next((i for i, c in enumerate(rest) if not (c.isalnum() or c in "_$#")), len(rest))]

    def _test(self, owner: str, entry: ir.Entry) -> str:
        if entry.span is None or entry.value.span is None:
            return ""
        key = self.text[entry.span.start : entry.value.span.start].rstrip().removesuffix(":").rstrip()
        return f"{owner}.{key} = {self._of(entry.value)}"

    def _named(self, element: Element) -> None:
        """DuckPGQ wants a variable and a label at each element; a variable that is called like a label has it."""
        if element.variable is None and not (isinstance(element, ir.EdgePattern) and self._is_short(element)):
            self.findings.report("no variable", "an element needs a variable", element.span, "give it a name")

    def _is_short(self, edge: ir.EdgePattern) -> bool:
        return "[" not in self._of(edge)

    def _edge(self, edge: ir.EdgePattern) -> None:
        written = self._of(edge)
        if self._is_short(edge):
            self.refuse("short edge", "edges without brackets", edge, "write `-[variable:Label]->`")
            return
        close = written.rindex("]")
        tail = written[close:].replace(" ", "")
        if written.lstrip().startswith("<") and tail.startswith("]->") and edge.span is not None:
            start = edge.span.start + written.index("<")
            end = edge.span.start + close + written[close:].index(">") + 1
            fix = Fix(
                "write `-[..]-`",
                (Edit(start, start + 1, ""), Edit(edge.span.start + close, end, "]-")),
                safe=True,
            )
            self.refuse("both directions", "`<-[..]->`", edge, "write `-[..]-`", fix)

    def _quantifier(self, bounds: ir.Bounds | None, selected: bool) -> None:
        if bounds is None:
            return
        written = self._of(bounds).strip()
        if written == "?":
            at = bounds.span
            fix = Fix("write `{0,1}`", (Edit(at.start, at.end, "{0,1}"),), safe=True) if at is not None else None
            self.refuse("quantifier ?", "the quantifier `?`", bounds, "write `{0,1}`", fix)
            return
        if bounds.high is None and bounds.high_parameter is None:
            self._endless(bounds, selected)
            return
        self.refuse("quantifier", "quantifiers", bounds, "write one branch per length, with UNION ALL")
        if bounds.high is None or bounds.low_parameter is not None:
            return
        if bounds.low > bounds.high or bounds.high == 0:
            told = f"{bounds.low} to {bounds.high} are no bounds of a repetition"
            self.findings.report("bounds", told, bounds.span)
        elif bounds.high > _MOST and self.dialect == "pgq-oracle-23ai":
            self.findings.report("upper bound", f"a repetition has at most {_MOST} steps here", bounds.span)
        if bounds.low == 0:
            self.findings.report("lower bound", "a repetition has at least one step here", bounds.span)

    def _endless(self, bounds: ir.Bounds, selected: bool) -> None:
        least = bounds.low
        fix = None
        if bounds.span is not None:
            edit = Edit(bounds.span.start, bounds.span.end, f"{{{least},{_MOST}}}")
            fix = Fix(f"repeat at most {_MOST} times", (edit,))
        if self._of(bounds).strip() in ("*", "+"):
            self.refuse("endless mark", "`*` and `+`", bounds, "write an upper bound", fix)
            if self.vendor.name == "hyper":
                return
        self.refuse("endless quantifier", "quantifiers without an upper bound", bounds, "write an upper bound", fix)
        if not selected:
            told = "without an upper bound the walks do not end"
            self.findings.report("endless walk", told, bounds.span, "write an upper bound, or ANY SHORTEST", fix=fix)

    # -------------------------------------------------------------- variables

    def _variable(self, variable: Variable) -> None:
        kinds = {type(each.element) for each in variable.occurrences}
        if len(kinds) > 1 or (variable.kind == "path" and variable.occurrences):
            told = f"`{variable.name}` is a vertex and an edge"
            if variable.kind == "path":
                told = f"`{variable.name}` is a path and an element"
            if variable.kind != "path" or self.vendor.name != "duckpgq":
                self.findings.report("two kinds", told, variable.occurrences[-1].element.span)
                return
        labels = variable.labels
        if any(label != labels[0] for label in labels[1:]):
            told = f"`{variable.name}` has two label expressions"
            at = variable.occurrences[-1].element.span
            self.findings.report("two labels", told, at, "write the labels once")

    def _edge_ends(self, match: ir.Match) -> None:
        """An edge that stands twice has the same ends both times."""
        ends: dict[str, set[str | int]] = {}
        for path in match.paths:
            around = path.elements
            for i, each in enumerate(around):
                if not isinstance(each, ir.EdgePattern) or each.variable is None:
                    continue
                known = ends.setdefault(each.variable, set())
                for at in (i - 1, i + 1):
                    node = around[at] if 0 <= at < len(around) else None
                    if isinstance(node, ir.NodePattern):
                        known.add(node.variable or id(node))
                if len(known) > 2:
                    told = f"the edge `{each.variable}` connects more than two vertices"
                    self.findings.report("edge between others", told, each.span)


_MOST = 10
"""Oracle's limit of repetitions in 23ai."""

_LABELS: tuple[tuple[type, str, str], ...] = (
    (ir.LabelOr, "label or", "`|` between labels"),
    (ir.LabelAnd, "label and", "`&` between labels"),
    (ir.LabelNot, "label not", "`!` before a label"),
    (ir.LabelAny, "label any", "`%` as a label"),
)

_INSTEAD = {
    ("label and", "oracle"): "write the variable twice, with a label each: (a IS x), (a IS y)",
    ("label or", "duckpgq"): "write one GRAPH_TABLE per label, with UNION ALL",
    ("label any", "oracle"): "leave it out: an element without label may have any",
    ("label any", "postgres"): "leave it out: an element without label may have any",
}
