"""What the analysis of names reports: one method for each fault, each name once.  Knows no scoping rules."""

from __future__ import annotations

from collections.abc import Iterable

from graphir import ir
from graphir.diagnostics import Diagnostic, Edit, Fix, diagnose
from graphir.ir import Node
from graphir.ir.names import is_generated
from graphir.nearest import nearest
from graphir.passes.frames import Frame
from graphir.passes.kinds import Kind
from graphir.source import Source, Span

_ARTICLES = {
    Kind.NODE: "a node",
    Kind.EDGE: "a relationship",
    Kind.PATH: "a path",
    Kind.NODES: "a list of nodes",
    Kind.EDGES: "a list of relationships",
    Kind.LIST: "a list",
    Kind.VALUE: "a value",
    Kind.ANY: "anything",
}


class Findings:
    """Collects diagnostics about the names of one query."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._found: dict[tuple[str, str], Diagnostic] = {}

    def sorted(self) -> list[Diagnostic]:
        """In the order of the text."""
        return sorted(self._found.values(), key=lambda d: (d.start, d.end, d.code))

    def _add(
        self, code: str, name: str, message: str, span: Span | None, hint: str | None = None, fix: Fix | None = None
    ) -> None:
        """Each name is reported where it comes first."""
        known = self._found.get((code, name))
        if known is None or (span is not None and span.start < known.start):
            self._found[code, name] = diagnose(self.source, code, message, span, hint=hint, fix=fix)

    def place(self, name: str, node: Node) -> Span | None:
        """Where a node says the name: the first place in its text, else all of it."""
        if node.span is None:
            return None
        at = self.source.text.find(name, node.span.start, node.span.end)
        return node.span if at < 0 or not name else Span(at, at + len(name))

    # -------------------------------------------------------------- undefined

    def undefined(self, name: str, node: Node, frame: Frame) -> None:
        span = self.place(name, node)
        near = nearest(name, (other for other in frame.visible() if not is_generated(other)), 0.75)
        hint = fix = None
        if near is not None:
            same = near.lower() == name.lower()
            hint = f"did you mean `{near}`?" + (" Variables are case-sensitive." if same else "")
            if span is not None and span.end - span.start == len(name):
                fix = Fix(f"replace `{name}` by `{near}`", (Edit(span.start, span.end, near),))
        self._add("G101", name, f"Variable `{name}` is not defined", span, hint, fix)

    def gone(self, name: str, node: Node, frame: Frame) -> None:
        """Defined before the projection, but not visible after it."""
        shown = ", ".join(f"`{column}`" for column in frame.names)
        self._add(
            "G101",
            name,
            f"Variable `{name}` is not defined here: after DISTINCT or an aggregation only the columns are",
            self.place(name, node),
            f"add the expression to the projection, or use one of its columns: {shown}" if shown else None,
        )

    def introduced(self, name: str, node: Node) -> None:
        """A pattern used as a value names a variable that does not exist."""
        self._add(
            "G101",
            name,
            f"Variable `{name}` is not defined, and a pattern that stands for a value cannot introduce it",
            self.place(name, node),
            "leave the name out, or use EXISTS { .. }, which may introduce variables",
        )

    def used_while_created(self, ref: ir.Ref) -> None:
        self._add(
            "G104",
            ref.name,
            f"Variable `{ref.name}` is read by the clause that creates it",
            ref.span,
            "create the element first, then set the property in a clause of its own",
        )

    # -------------------------------------------------------------- bound, of another kind

    def bound(self, name: str, node: Node, *, outer: bool) -> None:
        where = " outside of this subquery" if outer else ""
        self._add(
            "G102",
            name,
            f"Variable `{name}` is already bound{where}",
            self.place(name, node),
            "choose another name",
        )

    def created_twice(self, name: str, node: Node) -> None:
        self._add(
            "G102",
            name,
            f"Variable `{name}` is already bound and cannot be created again",
            self.place(name, node),
            "refer to a bound node by its name alone, without labels and properties, as the end of a new relationship",
        )

    def conflict(self, name: str, node: Node, known: Kind, wanted: Kind) -> None:
        self._add(
            "G103",
            name,
            f"Variable `{name}` is {_ARTICLES[known]} and cannot be used as {_ARTICLES[wanted]}",
            self.place(name, node),
        )

    # -------------------------------------------------------------- columns

    def nothing_in_scope(self, node: Node) -> None:
        self._add("G105", "*", "RETURN * where no variable is in scope", node.span, "name a variable in the pattern")

    def duplicate(self, name: str, node: Node) -> None:
        self._add("G106", name, f"Two columns are named `{name}`", node.span, "give one of them another name with AS")

    def columns_differ(
        self, before: Node, branch: Node, first: Iterable[str] | None, second: Iterable[str] | None
    ) -> None:
        """At the UNION in front of the branch, if there is one."""
        span = branch.span
        if before.span is not None and span is not None:
            between = self.source.text[before.span.end : span.start].upper()
            at = before.span.end + between.find("UNION")
            span = Span(at, at + len("UNION")) if "UNION" in between else span
        one, two = _listed(first), _listed(second)
        self._add(
            "G107",
            "",
            f"The branches return different columns: {one} and {two}",
            span,
            "use AS to give the columns of every branch the same names",
        )

    def unnamed(self, item: ir.Item, place: str) -> None:
        self._add("G108", "", f"An expression in {place} needs a name", item.span, "add AS and a name")


def _listed(names: Iterable[str] | None) -> str:
    shown = ", ".join(f"`{name}`" for name in names or ())
    return shown or "none"
