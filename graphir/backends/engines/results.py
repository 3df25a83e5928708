"""What a query gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Result:
    """`columns` are the names, `rows` tuples of values of the contract, `counters` say what was written."""

    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
