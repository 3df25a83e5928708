"""Formats `neo4j-markdown` and `spanner-markdown`: what LangChain puts into a prompt.

    Node properties:
    - **Movie**
      - `title`: STRING Example: "Toy Story"
      - `year`: INTEGER Min: 1902, Max: 2016
    Relationship properties:
    - **RATED**
      - `rating: FLOAT` Available options: ['1', '2']
    The relationships:
    (:User)-[:RATED]->(:Movie)

The second form has (REQUIRED) or (OPTIONAL) after each type.  Labels are listed one by one; texts are cut at 50
characters; lists of more than 128 elements are left out.  What our own writer (`writers/markdown.py`) adds where a
schema has more to say: names in back-ticks, `(properties unknown)`, `(more properties)`, `Not complete: labels`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from graphir.schema.draft import Draft
from graphir.schema.literals import parse_at
from graphir.schema.model import BY_LABEL, Coverage, NodeType, PropertyType, Schema, labels
from graphir.schema.readers import patterns
from graphir.schema.scanner import Scanner
from graphir.schema.values import CUT, is_cut, value_of, values_of

HEADS = ("Node properties:", "Relationship properties:", "The relationships:")
INCOMPLETE = "Not complete:"
UNKNOWN = "(properties unknown)"
MORE = "(more properties)"
NO_LABELS = "()"
PARTS = ("labels", "types", "endpoints", "properties")
LIMIT = 128
"""Lists longer than this LangChain leaves out."""

_WORD = re.compile(
    r"(?:ZONED|LOCAL) (?:DATETIME|TIME)|[A-Za-z]\w*(?:<[\w<>(), ]*>|\[[\w\[\]]*\]|\([\d, ]+\))?(?:\[\])*"
)
_RANGE = re.compile(r"Min: *([^,\n]*[^,\s]) *, *Max: *([^\n]*\S)")
_SIZES = re.compile(r"Min Size: *(\d+) *, *Max Size: *(\d+)")
_EXAMPLE = re.compile(r'"([^\n]*)"')


def sniff(text: str) -> bool:
    """Whether it begins with the first heading and then lists types in bold, or none."""
    lines = [line.strip() for line in text.split("\n", 64) if line.strip()][:2]
    if lines[:1] != [HEADS[0]]:
        return False
    return len(lines) < 2 or lines[1].startswith("- **") or lines[1] in HEADS


def sniff_neo4j(text: str) -> bool:
    return sniff(text) and not sniff_spanner(text)


def sniff_spanner(text: str) -> bool:
    return sniff(text) and ("(REQUIRED)" in text or "(OPTIONAL)" in text)


def read(text: str) -> Schema:
    draft = Draft()
    scan = Scanner(text)
    _heading(scan, 0)
    nodes = edges = False
    while scan.blank().looking_at("- "):
        nodes = True
        _node(scan, draft)
    _heading(scan, 1)
    while scan.blank().looking_at("- "):
        edges = True
        _edge(scan, draft)
    _heading(scan, 2)
    while scan.blank().looking_at("("):
        patterns.pattern(scan, draft)
        if not scan.blank().done and not scan.looking_at("(", INCOMPLETE):
            scan.fail("the end of the line")
    coverage = _coverage(scan)
    if not scan.blank().done:
        scan.fail("`(`", "the end")
    draft.guess("labels are listed one by one: a node may have several of them")
    draft.guess(f"this format leaves out lists of more than {LIMIT} elements: they are taken as absent")
    if not edges:
        draft.guess("no relationship properties are listed: whether there are any is unknown")
    return draft.schema(coverage, bare=() if edges else None, bare_nodes=() if nodes else None)


def _heading(scan: Scanner, number: int) -> None:
    if not scan.blank().accept(HEADS[number]):
        scan.fail(*(("`- **`",) if number else ()), f"`{HEADS[number]}`")


def _coverage(scan: Scanner) -> Coverage:
    """`Not complete: labels, properties`."""
    if not scan.accept(INCOMPLETE):
        return BY_LABEL
    missing: dict[str, bool] = {}
    while not missing or scan.inline().accept(","):
        start = scan.inline().at
        part = scan.until(",", "\n").strip()
        if part not in PARTS:
            scan.fail(*(f"`{one}`" for one in PARTS), at=start)
        missing[part] = False
    return replace(BY_LABEL, **missing)


def _node(scan: Scanner, draft: Draft) -> None:
    names = _bold(scan, "a label")
    if len(names) > 1:
        draft.guess(f"`{':'.join(names)}` in bold stands for a node with several labels")
    known, open = _remark(scan)
    found = _properties(scan, draft, ":".join(names))
    if known or found:
        draft.node(NodeType(labels(*names), found, open=open))
    else:
        draft.unknown(labels(*names))


def _edge(scan: Scanner, draft: Draft) -> None:
    start = scan.at
    names = _bold(scan, "an edge type")
    if len(names) != 1:
        scan.fail("one edge type", at=start)
    known, open = _remark(scan)
    found = _properties(scan, draft, names[0])
    draft.edge_properties(names[0], found if known or found else None, open=open)


def _bold(scan: Scanner, what: str) -> list[str]:
    """`- **Name**` or `- **A:B**`: the names, which may stand in back-ticks."""
    scan.take("- ")
    scan.inline().take("**")
    if scan.accept(f"{NO_LABELS}**"):
        return []
    names = [_bold_name(scan, what)]
    while scan.accept(":"):
        names.append(_bold_name(scan, what))
    scan.take("**")
    return names


def _bold_name(scan: Scanner, what: str) -> str:
    if scan.looking_at("`"):
        return scan.ticked()
    start = scan.at
    name = scan.until("**", ":", "\n").strip()
    if not name:
        scan.fail(what, at=start)
    return name


def _remark(scan: Scanner) -> tuple[bool, bool]:
    """What our writer says of the properties that follow: whether they are known, and whether there are more."""
    known = not scan.inline().accept(UNKNOWN)
    return known, scan.inline().accept(MORE)


def _properties(scan: Scanner, draft: Draft, owner: str) -> tuple[PropertyType, ...]:
    """The lines below a name, which stand further in than it."""
    found: list[PropertyType] = []
    while True:
        start = scan.at
        line = scan.blank().at
        if line == scan.end or scan.text[line - 1] == "\n" or not scan.looking_at("- `", "-  `"):
            scan.at = start
            return tuple(found)
        found.append(_property(scan, draft, owner))


def _property(scan: Scanner, draft: Draft, owner: str) -> PropertyType:
    scan.take("-")
    name = scan.inline().ticked()
    word = ""
    if not scan.accept(":"):
        name, colon, word = name.rpartition(":")
        if not colon or not name or not word.strip():
            scan.fail("`:`")
    elif not scan.inline().done and not scan.looking_at("\n", "\r", *_DETAILS, "(REQUIRED)", "(OPTIONAL)"):
        word = scan.match(_WORD, "a type")[0]
    nullable = _nullable(scan)
    type = draft.type(word, f"{owner}.{name}") if word else None
    one = PropertyType(name, type, nullable)
    for mark, detail in _DETAILS.items():
        if scan.inline().accept(mark):
            one = detail(scan, draft, owner, one)
            break
    if not scan.inline().done and not scan.looking_at("\n", "\r"):
        scan.fail(*(f"`{mark}`" for mark in _DETAILS), "the end of the line")
    return one


def _nullable(scan: Scanner) -> bool | None:
    if scan.inline().accept("(REQUIRED)"):
        return False
    return True if scan.accept("(OPTIONAL)") else None


def _example(scan: Scanner, draft: Draft, owner: str, one: PropertyType) -> PropertyType:
    text = scan.inline().match(_EXAMPLE, "a text in quotes")[1]
    return with_examples(draft, owner, one, (text,))


def _options(scan: Scanner, draft: Draft, owner: str, one: PropertyType) -> PropertyType:
    options = tuple(option.string() for option in parse_at(scan.inline()).items())
    return with_options(draft, owner, one, options)


def _range(scan: Scanner, draft: Draft, owner: str, one: PropertyType) -> PropertyType:
    scan.at -= len("Min: ")
    found = scan.match(_RANGE, "`Min: ..., Max: ...`")
    return with_range(draft, owner, one, found[1], found[2])


def _sizes(scan: Scanner, draft: Draft, owner: str, one: PropertyType) -> PropertyType:
    scan.at -= len("Min Size:")
    found = scan.match(_SIZES, "`Min Size: ..., Max Size: ...`")
    return replace(one, sizes=(int(found[1]), int(found[2])))


def with_examples(draft: Draft, owner: str, one: PropertyType, texts: tuple[str, ...]) -> PropertyType:
    """The property with some of its values; its type is unknown if they are not of it."""
    values = values_of(texts, one.type)
    return replace(one, examples=values) if values is not None else _untyped(draft, owner, one, texts)


def with_options(draft: Draft, owner: str, one: PropertyType, texts: tuple[str, ...]) -> PropertyType:
    """All values there are, unless one may have been cut: then they are examples."""
    values = values_of(texts, one.type)
    if values is None:
        return _untyped(draft, owner, one, texts)
    if any(is_cut(value) for value in values):
        draft.guess(f"texts of {CUT} characters or more may be cut: the options of {owner}.{one.name} are examples")
        return replace(one, examples=values)
    return replace(one, values=values)


def with_range(draft: Draft, owner: str, one: PropertyType, least: str, greatest: str) -> PropertyType:
    """The property with its least and greatest value; its type is unknown if they are not of it."""
    try:
        return replace(one, minimum=value_of(least, one.type), maximum=value_of(greatest, one.type))
    except ValueError:
        return _untyped(draft, owner, one, (least, greatest))


def _untyped(draft: Draft, owner: str, one: PropertyType, texts: tuple[str, ...]) -> PropertyType:
    draft.guess(f"{owner}.{one.name} is listed as {one.type} and has other values: its type is unknown")
    return replace(one, type=None, examples=texts)


_Detail = Callable[[Scanner, Draft, str, PropertyType], PropertyType]
_DETAILS: dict[str, _Detail] = {
    "Example:": _example,
    "Available options:": _options,
    "Min: ": _range,
    "Min Size:": _sizes,
}
