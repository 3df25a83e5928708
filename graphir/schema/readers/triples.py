"""Format `triples`: `(Person, ACTED_IN, Movie), (Person, DIRECTED, Movie)`.

Complete for the ends of the edge types that it lists; silent on properties, other labels and other types.  Names may
hold spaces and any letters; one with a comma, a parenthesis or a back-tick stands in back-ticks.
"""

from __future__ import annotations

import re

from graphir.schema.draft import Draft
from graphir.schema.model import ENDPOINTS_ONLY, EdgeType, Schema, labels
from graphir.schema.scanner import Scanner

_NAME = r"\s*(?:`(?:[^`]|``)*`\s*|[^`(),\n]+)"
_TRIPLE = re.compile(rf"\s*\({_NAME},{_NAME},{_NAME}\)\s*(?:[,;(]|$)")


def sniff(text: str) -> bool:
    return _TRIPLE.match(text) is not None


def read(text: str) -> Schema:
    draft = Draft()
    scan = Scanner(text)
    if scan.blank().done:
        scan.fail("`(`")
    while not scan.blank().done:
        draft.edge(_triple(scan))
        if not scan.blank().accept(",") and not scan.accept(";") and not scan.done and not scan.looking_at("("):
            scan.fail("`,`", "`(`", "the end")
    return draft.schema(ENDPOINTS_ONLY)


def _triple(scan: Scanner) -> EdgeType:
    scan.take("(")
    source = scan.blank().name("a label", ",", "(", ")")
    scan.blank().take(",")
    type = scan.blank().name("an edge type", ",", "(", ")")
    scan.blank().take(",")
    target = scan.blank().name("a label", ",", "(", ")")
    scan.blank().take(")")
    return EdgeType(type, labels(source), labels(target), None)
