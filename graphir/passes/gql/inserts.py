"""INSERT that names a node which it makes once more, alone: that makes nothing.  Source: GoogleSQL."""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node


def insert_once(query: ir.Query) -> ir.Query:
    """Without the paths that only repeat a node of the same clause."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Insert):
            return node
        made: set[str | None] = set()
        paths = []
        for path in node.paths:
            element = path.elements[0]
            repeats = element == ir.NodePattern(getattr(element, "variable", None)) and len(path.elements) == 1
            if not repeats or getattr(element, "variable", None) not in made - {None}:
                paths.append(path)
            made |= {getattr(each, "variable", None) for each in path.elements}
        return node if len(paths) == len(node.paths) else replace(node, paths=tuple(paths))

    return ir.rewrite(query, rule)
