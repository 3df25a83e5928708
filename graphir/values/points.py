"""Point: coordinates in one of four reference systems, and distances between points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphir.values.faults import fault, type_name, wrong_argument
from graphir.values.numbers import float_text

WGS_84, WGS_84_3D, CARTESIAN, CARTESIAN_3D = 4326, 4979, 7203, 9157
SYSTEMS = {WGS_84: "wgs-84", WGS_84_3D: "wgs-84-3d", CARTESIAN: "cartesian", CARTESIAN_3D: "cartesian-3d"}
"""SRID -> name of the reference system."""
SRIDS = {name: srid for srid, name in SYSTEMS.items()}
EARTH_RADIUS = 6_378_140.0
"""Metres, as Neo4j has it."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point.  In the WGS-84 systems x is the longitude, y the latitude in degrees, z the height in metres.

    Equal when system and coordinates are; `key` orders points by system, then coordinates.
    """

    srid: int
    x: float
    y: float
    z: float | None = None

    def __post_init__(self) -> None:
        if self.srid not in SYSTEMS:
            raise fault("G646", f"there is no reference system {self.srid}")
        if (self.z is not None) != (self.srid in (WGS_84_3D, CARTESIAN_3D)):
            raise fault("G646", f"{SYSTEMS[self.srid]} does not have {2 if self.z is None else 3} coordinates")

    @property
    def crs(self) -> str:
        """The name of the reference system."""
        return SYSTEMS[self.srid]

    @property
    def geographic(self) -> bool:
        return self.srid in (WGS_84, WGS_84_3D)

    @property
    def coordinates(self) -> tuple[float, ...]:
        return (self.x, self.y) if self.z is None else (self.x, self.y, self.z)

    @property
    def key(self) -> tuple[float, ...]:
        """What points are ordered by."""
        return (self.srid, *self.coordinates)

    def distance(self, other: Point) -> float | None:
        """Straight in Cartesian systems, along the great circle (haversine) in metres else; None across systems."""
        if self.srid != other.srid:
            return None
        if not self.geographic:
            pairs = zip(self.coordinates, other.coordinates, strict=True)
            return math.sqrt(sum((b - a) ** 2 for a, b in pairs))
        angle = self._angle(other)
        if self.z is None or other.z is None:
            return EARTH_RADIUS * angle
        along = (EARTH_RADIUS + (self.z + other.z) / 2) * angle
        return math.sqrt(along**2 + (self.z - other.z) ** 2)

    def _angle(self, other: Point) -> float:
        """The angle between two places, seen from the centre of the earth."""
        x1, y1, x2, y2 = map(math.radians, (self.x, self.y, other.x, other.y))
        a = math.sin((y2 - y1) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x2 - x1) / 2) ** 2
        return 2.0 * math.atan2(math.sqrt(a), math.sqrt(1 - a))

    def within(self, low: Point, high: Point) -> bool | None:
        """Whether it is in the box of two corners, edges included; a box of degrees may cross the date line.

        None across systems.
        """
        if not self.srid == low.srid == high.srid:
            return None
        if self.geographic and low.x > high.x:
            inside = self.x >= low.x or self.x <= high.x
        else:
            inside = low.x <= self.x <= high.x
        rest = zip(low.coordinates[1:], self.coordinates[1:], high.coordinates[1:], strict=True)
        return inside and all(a <= b <= c for a, b, c in rest)

    def __str__(self) -> str:
        names = zip("xyz", self.coordinates, strict=False)
        return (
            "point({" + ", ".join(f"{name}: {float_text(number)}" for name, number in names) + f", crs: '{self.crs}'}})"
        )

    long_text = __str__


_LONGITUDE = 360.0


def point_of(argument: Any) -> Point | None:
    """The point of a map: x, y and z, or longitude, latitude and height; None when one of them is null.

    `crs` or `srid` names the system.  Without them x and y are Cartesian, longitude and latitude WGS-84.  Longitudes
    wrap around; a latitude beyond the poles is a fault (G646), and so is a coordinate that is no finite number.
    """
    if not isinstance(argument, Mapping):
        raise wrong_argument("point()", "a map", argument)
    fields = {key.lower(): value for key, value in argument.items() if key.lower() in _FIELDS}
    if any(value is None for value in fields.values()):
        return None
    geographic = "x" not in fields or "y" not in fields
    names = ("longitude", "latitude") if geographic else ("x", "y")
    if any(name not in fields for name in names):
        raise fault("G646", "a point needs x and y, or longitude and latitude")
    height = "height" if geographic and "z" not in fields else "z"
    x, y = (_coordinate(fields, name) for name in names)
    z = _coordinate(fields, height) if height in fields else None
    srid = _system(fields, geographic=geographic, solid=z is not None)
    return Point(srid, *_on_globe(x, y), z) if srid in (WGS_84, WGS_84_3D) else Point(srid, x, y, z)


_FIELDS = frozenset(("x", "y", "z", "longitude", "latitude", "height", "crs", "srid"))


def _coordinate(fields: Mapping[str, Any], name: str) -> float:
    value = fields[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise fault("G649", f"{name} must be a number, but is {type_name(value)}")
    number = float(value)
    if not math.isfinite(number):
        raise fault("G646", f"{name} of a point must be finite, but is {float_text(number)}")
    return number


def _system(fields: Mapping[str, Any], *, geographic: bool, solid: bool) -> int:
    """The SRID that a map asks for, or the one of its coordinates."""
    crs, srid = fields.get("crs"), fields.get("srid")
    if crs is None and srid is None:
        return (WGS_84_3D if solid else WGS_84) if geographic else (CARTESIAN_3D if solid else CARTESIAN)
    if crs is not None and srid is not None:
        raise fault("G646", "a point is given crs or srid, not both")
    if crs is not None and not isinstance(crs, str):
        raise fault("G649", f"crs must be a string, but is {type_name(crs)}")
    if srid is not None and (isinstance(srid, bool) or not isinstance(srid, int)):
        raise fault("G649", f"srid must be an integer, but is {type_name(srid)}")
    found = srid if crs is None else SRIDS.get(crs.lower())
    if found not in SYSTEMS:
        raise fault("G646", f"there is no reference system {crs or srid!r}")
    if geographic and found not in (WGS_84, WGS_84_3D):
        raise fault("G646", f"longitude and latitude do not fit the reference system {SYSTEMS[found]}")
    return found


def _on_globe(longitude: float, latitude: float) -> tuple[float, float]:
    """Longitude between -180 and 180; a fault for a latitude beyond the poles."""
    if not -90 <= latitude <= 90:
        raise fault("G646", f"latitude must be between -90 and 90, but is {float_text(latitude)}")
    if not -180 <= longitude <= 180:
        longitude = (longitude + 180) % _LONGITUDE - 180
    return longitude, latitude


def distance(one: Any, two: Any) -> float | None:
    """`point.distance`: None for anything that is no point, and for points of different systems."""
    return one.distance(two) if isinstance(one, Point) and isinstance(two, Point) else None


def within_box(point: Any, low: Any, high: Any) -> bool | None:
    """`point.withinBBox`: None for anything that is no point, and for points of different systems."""
    if isinstance(point, Point) and isinstance(low, Point) and isinstance(high, Point):
        return point.within(low, high)
    return None
