"""Format `r3-python-classes`: nodes and edges as classes of Python, for a reader of prose rather than for Python.

    the node type:[{'character':[name, born]}, {"college":[name]}]
    the node type:[{'belong_to':[]}]
    # Edges
    class belong_to(Edge):
        # character-->group
        def __init__(self, scr_id, tag_id): ...

The lists name the properties; the classes repeat them as parameters, and a comment has the ends of an edge.  `vid`
and the ids of the ends are Nebula's own and no properties.
"""

from __future__ import annotations

import re

from graphir.schema.draft import Draft
from graphir.schema.literals import parse_at
from graphir.schema.model import BY_LABEL, EdgeType, NodeType, PropertyType, Schema, labels
from graphir.schema.scanner import Scanner

_LIST = "the node type:"
_CLASS = re.compile(r"class\s+(\w*)\s*\(\s*(\w*)\s*\)\s*:")
_INIT = re.compile(r"\s+def __init__\(([^()\n]*)\):")
_ARROW = re.compile(r"\s+#\s*(.*\s)?(\w+)\s*(-->|--|<--)\s*(\w+)\s*$")
_INTERNAL = {"self", "vid", "src_id", "scr_id", "tag_id", "dst_id"}


def sniff(text: str) -> bool:
    return text.lstrip().startswith(_LIST) and _INIT.search(text) is not None


def read(text: str) -> Schema:
    draft = Draft()
    scan = Scanner(text)
    kinds: list[set[str]] = []
    while scan.blank().accept(_LIST):
        kinds.append(_listed(scan, draft, edges=bool(kinds)))
    if len(kinds) != 2:
        scan.fail(f"`{_LIST}` with the nodes, then with the edges")
    nodes, edges = kinds
    for name, comments, parameters in _classes(scan):
        found = tuple(PropertyType(one) for one in parameters if one not in _INTERNAL)
        if name in nodes:
            draft.node(NodeType(labels(name), found, description=_prose(comments)))
        elif name in edges:
            _edge(draft, name, comments, found)
    draft.guess("types of properties are not given: they are unknown")
    draft.guess("`vid` is the id of a node and no property")
    return draft.schema(BY_LABEL, bare=())


def _listed(scan: Scanner, draft: Draft, *, edges: bool) -> set[str]:
    """`[{'drug':[name]}, ...]`: the names; their properties go to the draft."""
    names = set()
    for item in parse_at(scan, bare=True).items():
        for name, properties in item.entries():
            found = tuple(PropertyType(one.name()) for one in properties.items())
            names.add(name)
            if edges:
                draft.edge_properties(name, found)
            else:
                draft.node(NodeType(labels(name), found))
    return names


def _classes(scan: Scanner) -> list[tuple[str, list[str], list[str]]]:
    """Each class: its name, the comments above `__init__`, the parameters."""
    found: list[tuple[str, list[str], list[str]]] = []
    for line in scan.text[scan.at :].splitlines():
        if head := _CLASS.match(line):
            found.append((head[1], [], []))
        elif found and (init := _INIT.match(line)):
            found[-1][2].extend(part.strip() for part in init[1].split(",") if part.strip())
        elif found and not found[-1][2] and line.strip().startswith("#"):
            found[-1][1].append(line)
    return found


def _edge(draft: Draft, name: str, comments: list[str], found: tuple[PropertyType, ...]) -> None:
    draft.edge_properties(name, found)
    for comment in comments:
        if arrow := _ARROW.match(comment):
            prose, one, mark, other = arrow.groups()
            said = prose.strip() if prose else None
            draft.guess(f"the ends of {name} are those of its comment, {one}{mark}{other}")
            if mark != "<--":
                draft.edge(EdgeType(name, labels(one), labels(other), None, description=said))
            if mark == "<--" or (mark == "--" and one != other):
                draft.edge(EdgeType(name, labels(other), labels(one), None, description=said))
            return
    draft.guess(f"no comment has the ends of {name}: they are unknown")
    draft.edge(EdgeType(name, None, None, None))


def _prose(comments: list[str]) -> str | None:
    return " ".join(comment.strip().lstrip("#").strip() for comment in comments) or None
