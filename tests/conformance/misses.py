"""The known misses: which claims are known to fail for which query, and why (`known_misses.toml`).

The list is exact: what fails and is not listed is an error, and so is what is listed and does not fail.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

LIST = Path(__file__).with_name("known_misses.toml")


@cache
def listed() -> tuple[dict[str, Any], ...]:
    with LIST.open("rb") as file:
        return tuple(tomllib.load(file).get("miss", ()))


def known(suite: str, dialect: str, names: Collection[str]) -> set[tuple[str, str]]:
    """The (name, claim) pairs that are known to fail among the names tested."""
    return {
        (name, miss["claim"])
        for miss in listed()
        if miss["suite"] == suite and dialect in miss["dialects"]
        for name in miss["names"]
        if name in names
    }
