"""What is wrong with data that a schema is taken from."""

from __future__ import annotations

from graphir.diagnostics import UsageFault, usage_fault


def unreadable(message: str) -> UsageFault:
    """The data cannot be read, or are not laid out as tables of a graph (G082)."""
    return usage_fault("G082", message)
