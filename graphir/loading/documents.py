"""Graphs in files of JSON: one document, or one element on a line.

A document is `PropertyGraph.from_dict`'s, `{"nodes": [..], "edges": [..]}`.  An element is one of

    {"node": {..}}  {"edge": {..}}                   those of the document
    {"id": .., "labels": [..], ..}                   a node
    {"type": .., "start": .., "end": .., ..}         an edge
    {"type": "node", ..}  {"type": "relationship", "label": .., "start": {"id": ..}, "end": {"id": ..}, ..}

the last two being what `apoc.export.json` writes, as lines, as an array or as `{"nodes": [..], "rels": [..]}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from graphir.diagnostics import UsageFault
from graphir.files import open_input, read_input
from graphir.graphs import PropertyGraph, edge_of, node_of
from graphir.loading.faults import MALFORMED, UNREADABLE, fault, placed
from graphir.values.entities import Edge, Node

_RELATIONSHIPS = ("edges", "rels", "relationships")


def read_document(path: Path) -> PropertyGraph:
    """The graph of a file with one document, or an array of elements.  UsageFault (G660, G662)."""
    try:
        document = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise fault(UNREADABLE, f"not JSON: {error.msg}", path, error.lineno) from None
    except RecursionError:
        raise fault(UNREADABLE, "the document is nested too deeply", path) from None
    if isinstance(document, list):
        return _graph(((None, row) for row in document), path)
    if not isinstance(document, Mapping) or not ({"nodes", *_RELATIONSHIPS} & document.keys()):
        raise fault(MALFORMED, "expected an object with the lists `nodes` and `edges`, or an array of elements", path)
    lists = [document.get(key, []) for key in ("nodes", *_RELATIONSHIPS)]
    if not all(isinstance(rows, list) for rows in lists):
        raise fault(MALFORMED, "`nodes` and `edges` are lists", path)
    wrapped = [(None, {"node": row}) for row in lists[0]]
    wrapped += [(None, {"edge": row}) for rows in lists[1:] for row in rows]
    return _graph(wrapped, path)


def read_lines(paths: Iterable[Path]) -> PropertyGraph:
    """The graph of files with an element on each line, all of them together.  UsageFault (G660, G662)."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    for path in paths:
        _take(_lines(path), path, nodes, edges)
    return PropertyGraph(tuple(nodes), tuple(edges))


def holds_elements(path: Path) -> bool:
    """Whether the first line of a file is an element of a graph, and no row of a table."""
    for _, row in _lines(path):
        return type(row) is dict and _element(row) is not None
    return True


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, with or without a mark at its start.  UsageFault (G660)."""
    try:
        return read_input(path).decode("utf-8-sig")
    except OSError as error:
        raise fault(UNREADABLE, error.strerror or str(error), path) from None
    except UnicodeDecodeError as error:
        raise fault(UNREADABLE, f"not UTF-8 (byte {error.start + 1})", path) from None


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The values of the lines that hold anything, with the numbers of the lines."""
    try:
        with TextIOWrapper(open_input(path), encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _value(line, path, number)
    except OSError as error:
        raise fault(UNREADABLE, error.strerror or str(error), path) from None
    except UnicodeDecodeError as error:
        raise fault(UNREADABLE, f"not UTF-8 (byte {error.start + 1})", path) from None


def _value(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise fault(UNREADABLE, f"not JSON: {error.msg} at character {error.pos + 1}", path, number) from None
    except RecursionError:
        raise fault(UNREADABLE, "the line is nested too deeply", path, number) from None


def _graph(rows: Iterable[tuple[int | None, Any]], path: Path) -> PropertyGraph:
    nodes: list[Node] = []
    edges: list[Edge] = []
    _take(rows, path, nodes, edges)
    try:
        return PropertyGraph(tuple(nodes), tuple(edges))
    except UsageFault as error:
        raise placed(error, path) from None


def _take(rows: Iterable[tuple[int | None, Any]], path: Path, nodes: list[Node], edges: list[Edge]) -> None:
    for line, row in rows:
        found = _element(row) if type(row) is dict else None
        if found is None:
            raise fault(MALFORMED, f"expected a node or an edge, found {json.dumps(row):.80}", path, line)
        kind, element = found
        try:
            if kind == "node":
                nodes.append(node_of(element))
            else:
                edges.append(edge_of(element, len(edges)))
        except UsageFault as error:
            raise placed(error, path, line) from None


def _element(row: dict[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """Whether it is a node or an edge, and the row of it; None for neither."""
    if len(row) == 1:
        for key, kind in _WRAPPERS:
            if type(row.get(key)) is dict:
                return kind, _plain(row[key])
        return None
    type_ = row.get("type")
    if type_ == "node" and "start" not in row:
        return "node", _plain(row)
    if type_ == "relationship" and "label" in row:
        return "edge", _plain(row)
    if type_ is not None and "start" in row and "end" in row:
        return "edge", _plain(row)
    if "id" in row and "labels" in row:
        return "node", _plain(row)
    return None


_WRAPPERS = (("node", "node"), ("edge", "edge"), ("relationship", "edge"))


def _plain(row: dict[str, Any]) -> Mapping[str, Any]:
    """A row of our document; what APOC writes has another name for the type, ends as objects, points of its own."""
    properties = row.get("properties")
    if type(properties) is dict and any(type(value) is dict and "crs" in value for value in properties.values()):
        row = {**row, "properties": {key: _point(value) for key, value in properties.items()}}
    ends = [end for end in ("start", "end") if type(row.get(end)) is dict]
    if not ends:
        return row
    return {**row, "type": row.get("label", row.get("type")), **{end: row[end].get("id") for end in ends}}


_SYSTEMS = {"cartesian": 7203, "cartesian-3d": 9157, "wgs-84": 4326, "wgs-84-3d": 4979}


def _point(value: Any) -> Any:
    """APOC writes points as their coordinates beside `crs`."""
    if type(value) is not dict or value.get("crs") not in _SYSTEMS:
        return value
    names = ("longitude", "latitude", "height") if value["crs"].startswith("wgs") else ("x", "y", "z")
    parts = {axis: value[name] for axis, name in zip("xyz", names, strict=True) if value.get(name) is not None}
    return {"$point": {"srid": _SYSTEMS[value["crs"]], **parts}}
