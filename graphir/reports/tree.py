"""The IR as an indented tree, a node a line, with the place in the source that each was read from."""

from __future__ import annotations

from graphir.ir import Node


def outline(node: Node) -> str:
    """The tree below the node: fields that hold no nodes stand in its line, the others name the lines under it."""
    lines: list[str] = []
    pending: list[tuple[int, str, object]] = [(0, "", node)]
    while pending:
        level, name, value = pending.pop()
        lead = "  " * level + name
        if isinstance(value, Node):
            plain = "".join(f" {k}={v!r}" for k, v in _fields(value) if not _holds_nodes(v) and v not in (None, ()))
            place = f"  @{value.span.start}-{value.span.end}" if value.span else ""
            lines.append(f"{lead}{value.op}{plain}{place}")
            below = [(level + 1, f"{k}: ", v) for k, v in _fields(value) if _holds_nodes(v)]
            pending.extend(reversed(below))
        elif isinstance(value, tuple):
            lines.append(lead.rstrip())
            pending.extend((level + 1, "", item) for item in reversed(value))
    return "\n".join(lines)


def _fields(node: Node) -> list[tuple[str, object]]:
    return [(name, getattr(node, name)) for name in node.fields_]


def _holds_nodes(value: object) -> bool:
    return isinstance(value, Node) or (isinstance(value, tuple) and any(isinstance(item, Node) for item in value))
