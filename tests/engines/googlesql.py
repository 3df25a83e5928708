"""GoogleSQL for the tests: the library of the engine `googlesql` on tables of their own, or a reason to skip.

python -m tests.engines.googlesql            compiles it, so that later starts are quick
"""

from __future__ import annotations

from typing import Any

import pytest

from graphir.backends.engines import registry


def database(profile: str = "spanner") -> Any:
    """An empty database with the features of Spanner's emulator (spanner) or with all that are released (full)."""
    status = registry.examine(registry.KINDS["googlesql"])
    if not status.usable:
        pytest.skip(f"googlesql: {status.reason}")
    from graphir.backends.engines.googlesql.database import Database

    return Database(profile)  # type: ignore[arg-type]


if __name__ == "__main__":
    print(database().query("SELECT 1 AS one").rows)
