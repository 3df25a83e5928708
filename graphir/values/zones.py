"""Time zones: offsets as text, and the rules of named zones (IANA) at any time, also far from the present.

The rules are those of the `tzdata` package, so that they are the same on every machine (systems differ in what was
before 1970), or else the system's.  `zoneinfo` knows the years 1 to 9999; before them a zone has the offset it began
with, after them the rules of the same year in the 400-year cycle.  Knows no type of value.
"""

from __future__ import annotations

import datetime
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from graphir.values.civil import CYCLE_DAYS, DAY_SECONDS
from graphir.values.faults import fault

MAX_OFFSET = 18 * 3600
_EPOCH = datetime.datetime(1970, 1, 1)
_CYCLE = CYCLE_DAYS * DAY_SECONDS
_FIRST = -62_135_510_400
"""0001-01-02T00:00: a day of room on either side for the offset."""
_LAST = 253_402_214_400
"""9999-12-31T00:00."""
_NO_ZONES = {"est", "mst", "hst", "roc", "factory"}
"""Names that Java leaves out."""
_OFFSET = re.compile(r"([+-])(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?\Z", re.ASCII)


@cache
def _package() -> Traversable | None:
    """The `tzdata` package, if there is one."""
    try:
        import tzdata  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        return None
    return resources.files(tzdata)


@cache
def _spellings() -> dict[str, str]:
    """Lower-case zone name -> zone name."""
    package = _package()
    names = package.joinpath("zones").read_text(encoding="utf-8").split() if package else available_timezones()
    return {name.lower(): name for name in names if name.lower() not in _NO_ZONES}


@cache
def zone_rules(name: str) -> ZoneInfo | None:
    """The rules of a zone by its exact name, or None."""
    if _spellings().get(name.lower()) != name:
        return None
    package = _package()
    if package is None:
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return None
    with package.joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@cache
def canonical_zone(text: str) -> str:
    """A zone's name as IANA spells it; names are matched in any case.  A fault for one that does not exist."""
    name = _spellings().get(text.lower())
    if name is None or zone_rules(name) is None:
        raise fault("G644", f"there is no time zone {text!r}")
    return name


def parse_offset(text: str) -> int | None:
    """Seconds east of Greenwich of `Z`, `+01:00`, `+0100`, `+01`, `-02:05:07`; None for anything else."""
    if text in ("Z", "z"):
        return 0
    match = _OFFSET.match(text)
    if not match:
        return None
    sign, hours, minutes, seconds = match.groups()
    if int(minutes or 0) > 59 or int(seconds or 0) > 59:
        raise fault("G644", f"there is no time zone {text!r}")
    offset = int(hours) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    if offset > MAX_OFFSET:
        raise fault("G644", f"there is no time zone {text!r}: offsets go from -18:00 to +18:00")
    return -offset if sign == "-" else offset


def parse_zone(text: str) -> tuple[int | None, str | None]:
    """(offset, None) of an offset, (None, name) of a named zone: what `timezone` may say.

    Offsets need their colon here (`+01:00`), as in Neo4j.
    """
    offset = parse_offset(text) if ":" in text or text in ("Z", "z") else None
    return (None, canonical_zone(text)) if offset is None else (offset, None)


def offset_text(offset: int) -> str:
    """`Z`, `+01:00`, `-02:05:07`."""
    if not offset:
        return "Z"
    minutes, seconds = divmod(abs(offset), 60)
    text = f"{'-' if offset < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{text}:{seconds:02d}" if seconds else text


def _within(second: int) -> int:
    """A second of the years that the rules know, in the same place of the 400-year cycle."""
    if second < _FIRST:
        return _FIRST
    if second >= _LAST:
        return second - ((second - _LAST) // _CYCLE + 1) * _CYCLE
    return second


def _offset_of(moment: datetime.datetime) -> int:
    delta = moment.utcoffset()
    assert delta is not None
    return delta.days * DAY_SECONDS + delta.seconds


def offset_at(zone: str, second: int) -> int:
    """The offset of a named zone at a UTC second since 1970."""
    rules = zone_rules(zone)
    if rules is None:
        raise fault("G644", f"there is no time zone {zone!r}")
    moment = (_EPOCH + datetime.timedelta(seconds=_within(second))).replace(tzinfo=rules)
    return _offset_of(rules.fromutc(moment))


def offset_of_local(zone: str, local: int, preferred: int | None = None) -> int:
    """The offset at a local second since 1970-01-01T00:00 of that zone.

    Where the clock is set back the preferred offset counts if it is one of the two, else the earlier.  Where it is set
    forward, the offset before: local minus this is the instant, and the clock then shows a time later by the gap.
    """
    rules = zone_rules(zone)
    if rules is None:
        raise fault("G644", f"there is no time zone {zone!r}")
    moment = (_EPOCH + datetime.timedelta(seconds=_within(local))).replace(tzinfo=rules)
    earlier = _offset_of(moment)
    if preferred is None or preferred == earlier:
        return earlier
    later = _offset_of(moment.replace(fold=1))
    return later if preferred == later and later < earlier else earlier
