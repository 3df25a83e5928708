"""Why something cannot be said in a dialect over ISO GQL, as data.

The codes are those of the same faults in the other dialects of GQL; the reasons are those of these targets.
"""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.diagnostics import Unsupported, diagnose
from graphir.dialects import DIALECTS

REASONS: dict[str, tuple[str, str, str | None]] = {
    "command": ("G521", "a command of the server is no part of it", None),
    "component": ("G540", "it has no function for a part of a time or a point", None),
    "construct": ("G534", "it has nothing that means the same", None),
    "dynamic-name": ("G528", "names of labels and types stand in the query", "write the name itself"),
    "element-value": ("G537", "the labels of an element are tested in patterns alone", None),
    "explain": ("G521", "EXPLAIN and PROFILE ask about a plan of the engine, not for rows", None),
    "function": ("G534", "it has no counterpart that gives the same value for every argument", None),
    "list-access": ("G529", "the place of an item is found there only where the list and the number are known", None),
    "list-comprehension": (
        "G529",
        "a list is made by collecting values, which leaves out nulls, or not at all",
        "say which properties are never null in the schema, or filter the nulls out",
    ),
    "list-operation": ("G529", "it has no query over a list that would mean the same", None),
    "map-value": ("G530", "a record has the fields that are written out", "write the properties one by one"),
    "needs-a-schema": ("G552", "the types that it may have are not known", "give the schema, or name the types"),
    "no-result": ("G550", "a query without RETURN has no rows to translate", None),
    "page": ("G541", "SKIP and LIMIT take an integer literal or a parameter there", None),
    "path-mode": ("G545", "edges that are not to be the same cannot be compared there", None),
    "path-selector": ("G527", "a path is selected there before its conditions, or not at all", None),
    "procedure-call": ("G522", "procedures belong to the engine; the target has none of them", None),
    "quantified-path": ("G526", "such a part of a repetition cannot be written there", None),
    "set-operation": ("G524", "it cannot combine queries so", None),
    "subquery": ("G531", "a subquery there cannot be of this form", None),
    "subquery-call": ("G523", "CALL has no transactions of its own there", None),
    "unbounded-repetition": ("G525", "the engine bounds repetitions", "give a closer upper bound"),
    "untyped-operation": (
        "G535",
        "its meaning depends on types that only a schema tells",
        "give the schema, or a literal of the type meant, as in `n.x + 0`, `n.x / 2.0` or `'' + n.s`",
    ),
    "update": ("G520", "the target only reads", None),
    "vector-search": ("G521", "a search in a vector index belongs to the engine", None),
}
"""Feature -> code, reason (it completes "it is refused because") and hint."""


class IsoReport(Report):
    """Refusals with the reasons of these targets."""

    def refusal(self, name: str, node: ir.Node, what: str) -> Unsupported:
        if name not in REASONS:
            return super().refusal(name, node, what)
        code, reason, hint = REASONS[name]
        place = next((part.span for part in ir.walk(node) if part.span is not None), None)
        message = f"{what} cannot be translated to {DIALECTS[self.target].title}: {reason}"
        return Unsupported([diagnose(self.source, code, message, place, hint=hint)], feature=name, target=self.target)
