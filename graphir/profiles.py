"""Profiles: which passes a check runs, how grave each finding is, and what is allowed.  Data, and how it adds up.

The three profiles that graphir has are the table `PROFILES`; others extend one of them (`graphir/settings.py` reads
them from TOML).  Knows no IR, no dialect and no check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from graphir.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from graphir.schema import DataType

Level = Severity | Literal["off"]

LEVELS = ("error", "warning", "info", "off")

PASSES = (
    "syntax",
    "suppression",
    "statements",
    "names",
    "rules",
    "types",
    "schema",
    "direction",
    "literals",
    "read-only",
    "cost",
)
"""The families of findings: faults of syntax, comments that silence, the number of statements, then the passes."""

_OWNERS: Mapping[str, str] = MappingProxyType(
    {
        "G0": "syntax",
        "G09": "suppression",
        "G040": "statements",
        "G072": "rules",
        "G073": "rules",
        "G1": "names",
        "G14": "schema",
        "G15": "schema",
        "G2": "rules",
        "G23": "direction",
        "G24": "cost",
        "G3": "types",
        "G32": "literals",
        "G33": "literals",
        "G4": "rules",
        "G41": "read-only",
        "G42": "read-only",
    }
)
"""Beginning of a code -> the pass that reports it; the longest counts."""

NEED_SCHEMA = frozenset(("schema", "direction"))
"""Passes that say nothing without a schema."""


def pass_of(code: str) -> str:
    """The pass that reports a code."""
    owners = (_OWNERS[code[:length]] for length in range(len(code), 1, -1) if code[:length] in _OWNERS)
    return next(owners, "rules")


_UNTYPED: Mapping[str, DataType] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Allow:
    """Procedures and functions that the read-only pass lets pass: names, or patterns with `*` (`my.read.*`)."""

    procedures: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """What passes are told: the allow-lists, whether every relationship needs a direction, the types of parameters,
    and whether GQL of Spanner is that of its emulator, which has less."""

    allow: Allow = Allow()
    require_directed: bool = False
    parameters: Mapping[str, DataType] = field(default_factory=lambda: _UNTYPED)
    emulator: bool = False


DEFAULTS = Options()


@dataclass(frozen=True, slots=True)
class Profile:
    """What a check looks for.

    `levels` maps a pass, a code or the beginning of codes (`G1`, `G14`) to a severity or to off.  The level of a pass
    is that of what the pass reports as a warning: its remarks (info) stay remarks, and what the engine would refuse
    stays an error.  A code, and the longest beginning of it, counts before the pass and always holds.
    `select`, where given, is the codes or beginnings that are reported; `ignore` those that are not.  Faults of syntax
    are always reported, as errors.  `suppress`: comments in the text may silence findings.
    """

    name: str
    levels: Mapping[str, Level] = field(default_factory=dict)
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    suppress: bool = True
    options: Options = DEFAULTS
    running: frozenset[str] = field(init=False, repr=False, compare=False)
    """The passes that are to be run at all: those that are not off, or of which some code has a level of its own."""

    def __post_init__(self) -> None:
        levels = self.levels
        coded = {pass_of(key) for key, level in levels.items() if level != "off" and key not in PASSES}
        running = [name for name in PASSES if levels.get(name) != "off" or name in coded]
        object.__setattr__(self, "running", frozenset(running))

    def runs(self, name: str) -> bool:
        """Whether a pass is to be run at all."""
        return name in self.running

    def looks_for(self, code: str, *, with_schema: bool) -> bool:
        """Whether a code would be reported where it applies.  Literals say something without a schema, but not all."""
        name = pass_of(code)
        if not with_schema and (name in NEED_SCHEMA or name == "literals"):
            return False
        if self._ignored(code) or not self.runs(name):
            return False
        return self._level(name, Diagnostic(code, "warning", "")) != "off"

    def grade(self, name: str, found: Diagnostic) -> Diagnostic | None:
        """The finding of a pass with its severity under this profile, None where it is not reported."""
        level = self._level(name, found)
        if level == "off" or self._ignored(found.code):
            return None
        return found if level == found.severity else replace(found, severity=level)

    def _level(self, name: str, found: Diagnostic) -> Level:
        code, levels = found.code, self.levels
        if not levels:
            return found.severity
        for length in range(len(code), 0, -1):
            if (level := levels.get(code[:length])) is not None:
                return level
        level = levels.get(name)
        return level if level == "off" or (level is not None and found.severity == "warning") else found.severity

    def _ignored(self, code: str) -> bool:
        if self.ignore and code.startswith(self.ignore):
            return True
        return self.select is not None and not code.startswith(self.select)

    def to_json(self) -> dict[str, Any]:
        """The profile as the table that settings would hold, complete: `BLANK` is all it extends."""
        table: dict[str, Any] = {
            "name": self.name,
            "severity": dict(self.levels),
            "ignore": list(self.ignore),
            "suppress": self.suppress,
            "require-directed": self.options.require_directed,
            "emulator": self.options.emulator,
            "allow-procedures": list(self.options.allow.procedures),
            "allow-functions": list(self.options.allow.functions),
            "parameters": {name: str(type) for name, type in self.options.parameters.items()},
        }
        return table if self.select is None else {**table, "select": list(self.select)}


BLANK = Profile("blank")
"""Everything, as grave as the passes say."""

LINT = Profile("lint", MappingProxyType({"read-only": "off", "cost": "off", "G233": "off", "G242": "off"}))
"""What the engine would refuse is an error; what it runs in vain is a warning."""

GATE = Profile(
    "gate",
    MappingProxyType(
        {
            "statements": "error",
            "schema": "error",
            "direction": "error",
            "literals": "error",
            "read-only": "error",
            "cost": "off",
            "G233": "off",
            "G326": "warning",
        }
    ),
    suppress=False,
)
"""For queries nobody has read: one statement that reads, and that the schema says can find something."""

STRICT = Profile("strict", MappingProxyType({"read-only": "off"}))
"""The linter with everything it has: what is only slow, too."""

FITTING = replace(GATE, name="fitting", levels=MappingProxyType({**GATE.levels, "read-only": "off"}))
"""For a translation: what the schema rules out is refused, and writing is nobody's business."""

PROFILES: Mapping[str, Profile] = MappingProxyType({p.name: p for p in (LINT, GATE, STRICT)})
