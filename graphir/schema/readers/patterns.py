"""Format `patterns`: the edges drawn as in Cypher, and beside them nodes; and the pieces that other formats share.

    (Team)-[:PLAYED {year}]->(Cup); (Team)-[:OWNS]->(:Stadium {name: STRING}); node Camera; Person {born: STRING}

The form in which people write a schema into a prompt or a bug report.  What is drawn is there, with the properties
that stand beside it; a label that is not drawn, or another property, may be there as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphir.diagnostics import GraphirError
from graphir.schema.draft import Draft
from graphir.schema.model import Coverage, DataType, EdgeType, Labels, NodeType, PropertyType, Schema, labels
from graphir.schema.scanner import Scanner

COVERAGE = Coverage(labels=False, properties=False, combinations=False)
NODES_ONLY = Coverage(labels=False, types=False, endpoints=False, properties=False, combinations=False)

DRAWING = re.compile(r"\s*\(:[^(){}\n]*\{[^\n]*\}\)\s*-\[")
"""One of the forms of `text2cypher-2024-text`: every node comes with all of its properties."""

_REMARK = re.compile(r"\(no [\w ]*listed\)")
_QUOTED = re.compile(r"'([^'\n]*)'|\"([^\"\n]*)\"")
_ARROW = re.compile(r"(<?)-\[")


def sniff(text: str) -> bool:
    """Whether it is a list of patterns; only reading it through can say."""
    start = text.lstrip()
    if DRAWING.match(text):
        return False
    if not start or start[0] in "[{<|-" or ("-[" not in start and not start.startswith("node ") and "{" not in start):
        return False
    try:
        read(text)
    except GraphirError:
        return False
    return True


def read(text: str) -> Schema:
    draft = Draft()
    scan = Scanner(text)
    edges = False
    while not scan.blank().done:
        edges = _statement(scan, draft) or edges
        if not scan.blank().done and not scan.accept(";") and not scan.accept(",") and not scan.looking_at("("):
            scan.fail("`;`", "the end")
    return draft.schema(COVERAGE if edges else NODES_ONLY)


def _statement(scan: Scanner, draft: Draft) -> bool:
    """One drawing; whether it is of edges."""
    if scan.looking_at("("):
        found = pattern(scan, draft)
        if scan.inline().looking_at("("):
            remark = _REMARK.match(scan.text, scan.at, scan.end)
            scan.at = remark.end() if remark else scan.at
        return found
    scan.accept("node ")
    name = scan.name("a label", ";", ",", "{", "(")
    listed = properties(scan, draft, name) if scan.inline().looking_at("{") else None
    draft.node(NodeType(labels(name), listed, open=listed is not None))
    return False


def pattern(scan: Scanner, draft: Draft, *, whole: bool = False) -> bool:
    """`(A)-[R]->(B)`, also longer or a node alone; whether it holds an edge.

    `whole`: properties that stand in it are all there are.
    """
    found = False
    left = _node(scan, draft, whole)
    while arrow := _ARROW.match(scan.text, scan.at, scan.end):
        start = scan.at
        scan.at = arrow.end()
        types, listed = _edge(scan, draft)
        scan.take("]-")
        forward = scan.accept(">")
        if forward == bool(arrow[1]):
            scan.fail("an arrow with one head", at=start)
        right = _node(scan, draft, whole)
        source, target = (left, right) if forward else (right, left)
        for type in types:
            draft.edge(EdgeType(type, source, target, listed, open=listed is not None and not whole))
        left, found = right, True
    return found


def _node(scan: Scanner, draft: Draft, whole: bool) -> Labels:
    """`(:A)`, `(A {name})`, `(A:B)`, `()`: its labels."""
    scan.take("(")
    scan.inline().accept(":")
    names = []
    while not scan.inline().looking_at(")", "{"):
        names.append(scan.name("a label", ":", "&", "{", ")"))
        if not scan.accept(":") and not scan.accept("&"):
            break
    listed = properties(scan, draft, ":".join(names)) if scan.inline().looking_at("{") else None
    scan.inline().take(")")
    found = labels(*names)
    draft.node(NodeType(found, listed, open=listed is not None and not whole))
    return found


def _edge(scan: Scanner, draft: Draft) -> tuple[list[str], tuple[PropertyType, ...] | None]:
    """`:R`, `:R|S`, `R {since}` up to `]`."""
    scan.inline().accept(":")
    types = [scan.name("an edge type", "|", "{", "]")]
    while scan.accept("|"):
        scan.inline().accept(":")
        types.append(scan.name("an edge type", "|", "{", "]"))
    listed = properties(scan, draft, types[0]) if scan.looking_at("{") else None
    scan.inline()
    return types, listed


def properties(scan: Scanner, draft: Draft, owner: str) -> tuple[PropertyType, ...]:
    """`{name: STRING, born, role: 'boss'}`: a quoted text in place of a type is the one value."""
    scan.take("{")
    found = []
    while not scan.inline().accept("}"):
        name = scan.name("the name of a property", ":", ",", "}")
        found.append(_property(scan, draft, owner, name) if scan.accept(":") else PropertyType(name))
        if not scan.inline().accept(",") and not scan.looking_at("}"):
            scan.fail("`,`", "`}`")
    draft.repeats |= len({one.name for one in found}) < len(found)
    return tuple(found)


def _property(scan: Scanner, draft: Draft, owner: str, name: str) -> PropertyType:
    if quoted := _QUOTED.match(scan.text, scan.inline().at, scan.end):
        scan.at = quoted.end()
        value = quoted[1] if quoted[1] is not None else quoted[2]
        return PropertyType(name, DataType("STRING"), values=(value,))
    return PropertyType(name, draft.type(_type_word(scan), f"{owner}.{name}"))


def _type_word(scan: Scanner) -> str:
    """The word of a type up to `,` or `}`, those inside `<...>` not counted."""
    start = scan.at
    depth = 0
    for at in range(start, scan.end):
        character = scan.text[at]
        depth += (character in "<[(") - (character in ">])")
        if character == "\n" or (depth <= 0 and character in ",}"):
            break
    else:
        at = scan.end
    scan.at = at
    word = scan.text[start:at].strip()
    if not word:
        scan.fail("a type", at=start)
    return word


def patterns(text: str, start: int, end: int, draft: Draft) -> Iterator[int]:
    """Read the lines of a range, a pattern each; gives the offset of each."""
    scan = Scanner(text, start, end)
    while not scan.blank().done:
        yield scan.at
        pattern(scan, draft)
        if not scan.inline().done and not scan.looking_at("\n", "\r"):
            scan.fail("the end of the line")
