"""Relationships that run the other way in the schema.

G230 one that fits only reversed, with the repair; G231 several that do not fit together, any of which may be the one;
G232, where every relationship must have a direction, one that has none; G233 one whose direction no label decides.  A
relationship that fits as written is left alone, whatever else would fit.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphir import ir
from graphir.diagnostics import Diagnostic, Edit, Fix, diagnose
from graphir.passes.schema.bindings import Bindings
from graphir.passes.schema.checks import describe, listed, triples
from graphir.passes.schema.slots import Link
from graphir.source import Source

_LEFT = "<\u27e8\u3008\ufe64\uff1c"
_RIGHT = ">\u27e9\u3009\ufe65\uff1e"
_LINE = "-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\ufe58\ufe63\uff0d"


def find_reversed(bindings: Bindings, source: Source) -> Iterable[Diagnostic]:
    """The edges that run the wrong way."""
    seen: set[int] = set()
    for link in bindings.links:
        if link.write or id(link.pattern) in seen:
            continue
        seen.add(id(link.pattern))
        if link.flipped:
            yield _reversed(bindings, source, link)
        elif link.rivals:
            yield _undecided(source, link)


def find_undirected(query: ir.Query, source: Source) -> Iterable[Diagnostic]:
    """The edges without a direction."""
    for node in ir.find(query, ir.EdgePattern):
        if node.direction == "any":
            message = "The relationship has no direction"
            hint = "write `->` or `<-`"
            yield diagnose(source, "G232", message, node.span, severity="warning", hint=hint)


def find_open(bindings: Bindings, source: Source) -> Iterable[Diagnostic]:
    """The edges that fit either way, because their ends may be of the same type: a remark."""
    for link in bindings.links:
        mask = link.left.mask & link.right.mask
        if link.write or link.direction == "any" or link.flipped or link.void or mask <= 0 or not link.edge.named:
            continue
        ends = link.left.mask, link.right.mask, link.edge.mask
        if all(link.fit(bindings.index, way, *ends)[0] for way in ("out", "in")):
            types = listed(bindings.index.edge_names(link.edge.mask), "or")
            message = f"{types} may run either way between {describe(bindings, link.left)}: labels do not decide it"
            hint = "make sure that the arrow is the one that is meant"
            yield diagnose(source, "G233", message, link.pattern.span, severity="info", hint=hint)


def _reversed(bindings: Bindings, source: Source, link: Link) -> Diagnostic:
    types = bindings.index.edge_names(link.edge.mask) if link.edge.named else []
    left, right = describe(bindings, link.left), describe(bindings, link.right)
    begin, end = (right, left) if link.direction == "out" else (left, right)
    subject = f"{listed(types, 'or')} runs" if types else "The relationships run"
    message = f"{subject} from {begin} to {end}, here it is the other way round"
    known = triples(bindings, link.edge.mask) if link.edge.named else []
    hint = f"the schema has {listed(known, quoted=False)}" if known else None
    fix = flip(source, link.pattern)
    return diagnose(source, "G230", message, link.pattern.span, severity="warning", hint=hint, fix=fix)


def _undecided(source: Source, link: Link) -> Diagnostic:
    spans = [rival.pattern.span for rival in link.rivals if rival.pattern.span is not None]
    shown = listed([source.text[span.start : span.end] for span in spans], "or")
    message = "The relationships of this pattern do not fit together as they are directed"
    hint = f"they would with one of these reversed: {shown}" if shown else None
    return diagnose(source, "G231", message, link.pattern.span, severity="warning", hint=hint)


def flip(source: Source, edge: ir.EdgePattern) -> Fix | None:
    """The repair that turns an edge round, by its arrow head alone."""
    if edge.span is None:
        return None
    start = edge.span.start
    end = edge.span.end if edge.quantifier is None else _before(source.text, edge, edge.quantifier)
    text = source.text
    first, last = text[start : start + 1], text[end - 1 : end]
    if edge.direction == "out" and first and first in _LINE and last and last in _RIGHT:
        edits = (Edit(start, start, "<"), Edit(end - 1, end, ""))
    elif edge.direction == "in" and first and first in _LEFT and last and last in _LINE:
        edits = (Edit(start, start + 1, ""), Edit(end, end, ">"))
    else:
        return None
    return Fix("reverse the relationship", edits, safe=True)


def _before(text: str, edge: ir.EdgePattern, quantifier: ir.Bounds) -> int:
    """The end of the arrow before a quantifier; 0 where a comment may stand between them."""
    if edge.span is None or quantifier.span is None:
        return 0
    inside = [child.span.end for child in ir.children(edge) if child is not quantifier and child.span is not None]
    tail = text[max(inside, default=edge.span.start) : quantifier.span.start]
    return 0 if "/" in tail else quantifier.span.start - len(tail) + len(tail.rstrip())
