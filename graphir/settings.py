"""Settings in TOML: the profiles of a project, under `[tool.graphir]` of a pyproject.toml or in a file of their own.

    [tool.graphir.profiles.reviewed]
    extends = "gate"
    ignore = ["G241"]
    require-directed = true
    suppress = true
    allow-procedures = ["reports.read.*"]

    [tool.graphir.profiles.reviewed.severity]
    cost = "info"
    G230 = "warning"

In a file of their own the tables are `[profiles.NAME]`.  A profile may extend one of graphir's or another of the file,
and may bear the name of one of graphir's, which it then extends.  Knows no IR and no check.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from graphir.diagnostics import codes, usage_fault
from graphir.files import read_input
from graphir.nearest import suggestion
from graphir.profiles import LEVELS, PASSES, PROFILES, Allow, Options, Profile
from graphir.schema import TYPES, DataType

KEYS = (
    "extends",
    "severity",
    "select",
    "ignore",
    "suppress",
    "require-directed",
    "emulator",
    "allow-procedures",
    "allow-functions",
    "parameters",
)
"""What the table of a profile may hold."""

_CODE = re.compile(r"G\d{0,3}\Z")


def find(folder: Path) -> Path | None:
    """The nearest pyproject.toml with settings for graphir, in the folder or above it."""
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        if path.is_file() and b"tool.graphir" in path.read_bytes():
            return path
    return None


def read_profiles(path: Path | str) -> dict[str, Profile]:
    """The profiles by name: graphir's and those of a TOML file.

    Raises UsageFault (G096) where the file is not TOML or holds what no profile has, and OSError.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "profiles.toml")
    ...     _ = file.write_text('[profiles.ours]\\nextends = "gate"\\nignore = ["G326"]')
    ...     read_profiles(file)["ours"].ignore
    ('G326',)
    """
    path = Path(path)
    try:
        data = tomllib.loads(read_input(path).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        _refuse(f"{path} is not TOML: {error}")
    tool = data.get("tool", {})
    tables = tool.get("graphir", {}) if isinstance(tool, dict) and "graphir" in tool else data
    tables = tables.get("profiles", {}) if isinstance(tables, dict) else None
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        _refuse(f"{path}: `profiles` is a table of tables: [profiles.NAME]")
    found: dict[str, Profile] = {}
    for name in tables:
        _resolve(name, tables, found, ())
    return {**PROFILES, **found}


def _resolve(name: str, tables: Mapping[str, Any], found: dict[str, Profile], within: tuple[str, ...]) -> Profile:
    """A profile of the file, after those that it extends."""
    if name in found:
        return found[name]
    if name in within:
        _refuse(f"profile {name} extends itself: {' -> '.join((*within, name))}")
    table = tables[name]
    parent = table.get("extends", name if name in PROFILES else "lint")
    if not isinstance(parent, str) or (parent not in tables and parent not in PROFILES):
        _refuse(
            f"profile {name} extends {parent!r}, which does not exist{suggestion(str(parent), [*tables, *PROFILES])}"
        )
    own = parent in tables and parent != name
    base = _resolve(parent, tables, found, (*within, name)) if own else PROFILES[parent]
    found[name] = profile_of({**table, "name": name}, base)
    return found[name]


def profile_of(table: Mapping[str, Any], base: Profile) -> Profile:
    """A profile with what a table changes: the keys are `KEYS`, and `name`.  Raises UsageFault (G096)."""
    name = table.get("name", base.name)
    for key in table:
        if key not in KEYS and key != "name":
            _refuse(f"profile {name}: there is no setting {key!r}{suggestion(key, KEYS)}")
    selected = _codes(name, table, "select")
    allow, options = base.options.allow, base.options
    return replace(
        base,
        name=name,
        levels=MappingProxyType({**base.levels, **_levels(name, table.get("severity", {}))}),
        select=base.select if selected is None else selected,
        ignore=(*base.ignore, *(_codes(name, table, "ignore") or ())),
        suppress=_flag(name, table, "suppress", base.suppress),
        options=Options(
            allow=Allow(
                (*allow.procedures, *_names(name, table, "allow-procedures")),
                (*allow.functions, *_names(name, table, "allow-functions")),
            ),
            require_directed=_flag(name, table, "require-directed", options.require_directed),
            parameters=MappingProxyType({**options.parameters, **_parameters(name, table.get("parameters", {}))}),
            emulator=_flag(name, table, "emulator", options.emulator),
        ),
    )


def _levels(name: str, table: object) -> dict[str, Any]:
    if not isinstance(table, dict):
        _refuse(f"profile {name}: `severity` is a table: pass or code = severity")
    for key, level in table.items():
        if key not in PASSES and not _is_code(key):
            _refuse(f"profile {name}: {key!r} is no pass and no code{suggestion(key, PASSES)}")
        if level not in LEVELS:
            _refuse(f"profile {name}: the severity of {key} is one of {', '.join(LEVELS)}, not {level!r}")
    return table


def _codes(name: str, table: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    if key not in table:
        return None
    found = _names(name, table, key)
    for code in found:
        if not _is_code(code):
            _refuse(f"profile {name}: {key} names {code!r}, which is no code and not the beginning of one")
    return found


def _is_code(text: str) -> bool:
    return _CODE.match(text) is not None and (len(text) < 4 or text in codes())


def _names(name: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, ())
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        _refuse(f"profile {name}: {key} is a list of strings")
    return tuple(value)


def _flag(name: str, table: Mapping[str, Any], key: str, default: bool) -> bool:
    value = table.get(key, default)
    if not isinstance(value, bool):
        _refuse(f"profile {name}: {key} is true or false")
    return value


def _parameters(name: str, table: object) -> dict[str, DataType]:
    """Types as the schema names them: INTEGER, STRING, LIST<STRING> .."""
    if not isinstance(table, dict):
        _refuse(f"profile {name}: `parameters` is a table: name = type")
    return {key: _data_type(name, key, value) for key, value in table.items()}


def _data_type(name: str, key: str, value: object) -> DataType:
    text = value.strip().upper() if isinstance(value, str) else ""
    if text.startswith("LIST<") and text.endswith(">"):
        return DataType("LIST", _data_type(name, key, text[5:-1]))
    if text not in TYPES:
        _refuse(f"profile {name}: the type of ${key} is {value!r}; types: {', '.join(TYPES)}, LIST<type>")
    return DataType(text)


def _refuse(message: str) -> NoReturn:
    raise usage_fault("G096", message)
