"""Expressions of GoogleSQL with their values, and how values are written down to be compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphir.values.documents import Json

FACTS = Path(__file__).with_name("googlesql.txt")
ERROR = "ERROR"


def facts() -> list[tuple[str, str]]:
    """(expression, value as `shown` writes it, or ERROR)."""
    lines = [line for line in FACTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(expression, value) for expression, _, value in (line.rpartition("\t") for line in lines)]


def shown(value: Any) -> str:
    """The value as a line of JSON: floats as texts of 12 digits, moments as texts, records as objects."""
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Json):
        return _plain(value.value)
    if type(value).__name__ == "Struct":
        return {key: _plain(item) for key, item in value.fields}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return f"{value:.1f}" if value.is_integer() and abs(value) <= 1e15 else f"{value:.12g}"
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
