"""What of core IR no Cypher can say: the kinds of refusal, as data, and how they are raised."""

from __future__ import annotations

from dataclasses import dataclass

from graphir import ir
from graphir.diagnostics import Unsupported, diagnose
from graphir.dialects import DIALECTS
from graphir.source import Source, Span


@dataclass(frozen=True, slots=True)
class Limit:
    """A kind of refusal: its diagnostic, why it is refused, and what may be written instead."""

    code: str
    reason: str
    hint: str | None = None


LIMITS: dict[str, Limit] = {
    "function": Limit("G502", "no combination of its functions gives the same value for every argument"),
    "type": Limit("G590", "no type of its values holds the same values"),
    "untyped": Limit(
        "G535",
        "its meaning depends on types that only a schema tells",
        "give the schema of the graph, or decide the type by a CAST",
    ),
    "walk": Limit(
        "G503",
        "it has no way to match paths whose edges repeat",
        "write TRAIL before the path where edges are not to repeat",
    ),
    "pattern": Limit("G503", "no pattern, and no condition on one, keeps the same paths"),
    "set-operation": Limit("G507", "it combines results by UNION alone"),
    "clause": Limit("G501", "it has no such clause"),
    "expression": Limit("G504", "it has no such expression"),
    "aggregate": Limit("G506", "no aggregate of it, and no list that it collects, gives the same value"),
    "command": Limit("G509", "statements about sessions, graphs and their types belong to the engine"),
}
"""Name -> kind of refusal."""


class Report:
    """Where refusals go: the text that is translated, and the dialect that cannot say it."""

    def __init__(self, source: Source, dialect: str) -> None:
        self.source = source
        self.dialect = dialect

    def refusal(self, name: str, node: ir.Node, what: str) -> Unsupported:
        """The error where a query uses what is refused; `what` names the thing at hand."""
        limit = LIMITS[name]
        message = f"{what} cannot be translated to {DIALECTS[self.dialect].title}: {limit.reason}"
        found = diagnose(self.source, limit.code, message, place(node), hint=limit.hint)
        return Unsupported([found], feature=f"core-{name}", target=self.dialect)


def place(node: ir.Node) -> Span | None:
    """Where the node is; one that a rewrite made is where its first part is."""
    return next((part.span for part in ir.walk(node) if part.span is not None), None)
