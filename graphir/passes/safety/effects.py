"""What calling a procedure or a function does, by its name: the table `effects.toml`, read once.

Effects: read, write, schema, io, text, server, effect, and None for a name that nobody has looked at.  Knows no IR.
"""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib import resources
from typing import Any

EFFECTS = ("read", "write", "schema", "io", "text", "server", "effect")


def procedure_effect(name: str) -> str | None:
    """The effect of a procedure; the name is written with dots."""
    return _effect("procedures", name)


def function_effect(name: str) -> str | None:
    """The effect of a function: a canonical name of `graphir.functions`, or that of a plugin's function."""
    return _effect("functions", name)


@lru_cache(maxsize=4096)
def _effect(kind: str, name: str) -> str | None:
    known = names(kind).get(name)
    if known is not None:
        return known
    return next((effect for pattern, effect in _families() if fnmatchcase(name, pattern)), None)


@cache
def names(kind: str) -> dict[str, str]:
    """Every name of `procedures` or `functions` that the table has, with its effect."""
    table = _table()
    found = dict.fromkeys(table[kind].get("built-in", "").split(), "read")
    for effect in EFFECTS:
        found.update(dict.fromkeys(table[kind].get(effect, "").split(), effect))
    if kind == "procedures":
        found.update(dict.fromkeys(_algorithms(table["algorithms"]), "read"))
    return found


def _algorithms(part: dict[str, Any]) -> list[str]:
    algorithms = part["names"].split()
    return [f"{prefix}{name}.{mode}" for prefix in part["prefixes"] for name in algorithms for mode in part["modes"]]


@cache
def _families() -> tuple[tuple[str, str], ...]:
    """Pattern and effect; the first that fits counts.  A pattern never says `read`."""
    table = _table()["families"]
    return tuple((pattern, effect) for effect, patterns in table.items() for pattern in patterns.split())


@cache
def _table() -> dict[str, Any]:
    text = resources.files("graphir").joinpath("passes", "safety", "effects.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
