"""Bounds that graphir keeps to, in one place."""

from __future__ import annotations

MAX_NESTING = 256
"""The deepest nesting of brackets in a text, and of nodes in its IR, that is read."""
