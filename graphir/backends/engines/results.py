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

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary for each row.  A result has no two columns of one name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`, with types as `graphir.backends.engines.arrow` says (`pip install graphir[parquet]`)."""
        from graphir.backends.engines.arrow import table

        return table(self.columns, self.rows)
