"""Points: the maps that make them, distances, boxes, text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.values import Point
from graphir.values.points import distance, point_of, within_box

flat = st.builds(lambda x, y: Point(7203, x, y), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
globe = st.builds(lambda x, y: Point(4326, x, y), st.floats(-180, 180), st.floats(-90, 90))


@pytest.mark.parametrize(
    ("parts", "point"),
    [
        ({"x": 1, "y": 2}, Point(7203, 1.0, 2.0)),
        ({"x": 1, "y": 2, "z": 3}, Point(9157, 1.0, 2.0, 3.0)),
        ({"longitude": 1, "latitude": 2}, Point(4326, 1.0, 2.0)),
        ({"longitude": 1, "latitude": 2, "height": 3}, Point(4979, 1.0, 2.0, 3.0)),
        ({"longitude": 1, "latitude": 2, "z": 3}, Point(4979, 1.0, 2.0, 3.0)),
        ({"longitude": 1, "latitude": 2, "height": 5, "z": 6}, Point(4979, 1.0, 2.0, 6.0)),
        ({"x": 1, "y": 2, "height": 5}, Point(7203, 1.0, 2.0)),
        ({"x": 1, "y": 2, "latitude": 5, "longitude": 6}, Point(7203, 1.0, 2.0)),
        ({"x": 1, "y": 2, "crs": "WGS-84"}, Point(4326, 1.0, 2.0)),
        ({"x": 1, "y": 2, "srid": 4326}, Point(4326, 1.0, 2.0)),
        ({"x": 1, "y": 2, "z": 3, "crs": "wgs-84-3d"}, Point(4979, 1.0, 2.0, 3.0)),
        ({"X": 1, "Y": 2, "foo": None}, Point(7203, 1.0, 2.0)),
        ({"longitude": 181, "latitude": 2}, Point(4326, -179.0, 2.0)),
        ({"longitude": -190, "latitude": 2}, Point(4326, 170.0, 2.0)),
        ({"x": 190, "y": 2, "crs": "wgs-84"}, Point(4326, -170.0, 2.0)),
        ({"x": 1, "y": None}, None),
        ({"x": 1, "y": 2, "z": None}, None),
        ({"x": 1, "y": 2, "crs": None}, None),
    ],
)
def test_maps(parts: dict[str, Any], point: Point | None) -> None:
    assert point_of(parts) == point


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({}, "G646"),
        ({"x": 1}, "G646"),
        ({"x": 1, "latitude": 2}, "G646"),
        ({"latitude": 1}, "G646"),
        ({"longitude": 1, "latitude": 92}, "G646"),
        ({"x": 1, "y": 92, "crs": "wgs-84"}, "G646"),
        ({"x": 1, "y": 2, "z": 3, "srid": 4326}, "G646"),
        ({"x": 1, "y": 2, "srid": 4979}, "G646"),
        ({"x": 1, "y": 2, "srid": 5}, "G646"),
        ({"x": 1, "y": 2, "crs": "foo"}, "G646"),
        ({"x": 1, "y": 2, "crs": "wgs-84", "srid": 4326}, "G646"),
        ({"longitude": 1, "latitude": 2, "crs": "cartesian"}, "G646"),
        ({"x": float("inf"), "y": 2}, "G646"),
        ({"x": float("nan"), "y": 2}, "G646"),
        ({"x": "1", "y": 2}, "G649"),
        ({"x": True, "y": 2}, "G649"),
        ({"x": 1, "y": 2, "crs": 5}, "G649"),
        ({"x": 1, "y": 2, "srid": 4326.0}, "G649"),
        ([1, 2], "G649"),
    ],
)
def test_maps_that_are_no_points(parts: Any, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        point_of(parts)
    assert caught.value.diagnostics[0].code == code


def test_a_point_has_the_coordinates_of_its_system() -> None:
    for srid, z in ((7203, 1.0), (9157, None), (1, None)):
        with pytest.raises(graphir.RunFault, match="G646"):
            Point(srid, 1.0, 2.0, z)


def test_distances() -> None:
    assert distance(Point(7203, 0.0, 0.0), Point(7203, 3.0, 4.0)) == 5
    assert distance(Point(9157, 0.0, 0.0, 0.0), Point(9157, 3.0, 4.0, 12.0)) == 13
    copenhagen, new_york = Point(4326, 12.5, 55.7), Point(4326, -74.0, 40.7)
    assert distance(copenhagen, new_york) == pytest.approx(6190819.353539709, rel=1e-14)
    high = Point(4979, 12.5, 55.7, 100.0), Point(4979, -74.0, 40.7, 1000.0)
    assert distance(*high) == pytest.approx(6191353.265912733, rel=1e-14)
    assert distance(Point(4326, 179.0, 0.0), Point(4326, -179.0, 0.0)) == pytest.approx(222639.08630630132, rel=1e-14)
    assert distance(Point(7203, 0.0, 0.0), Point(4326, 0.0, 0.0)) is None
    assert distance(Point(7203, 0.0, 0.0), 1) is None
    assert distance(None, Point(7203, 0.0, 0.0)) is None


@settings(deadline=None, max_examples=60)
@given(flat, flat, flat)
def test_distance_is_a_metric(one: Point, two: Point, three: Point) -> None:
    there, back = one.distance(two), two.distance(one)
    assert there is not None
    assert there == back
    assert one.distance(one) == 0
    detour = (one.distance(three) or 0) + (three.distance(two) or 0)
    assert there <= detour * (1 + 1e-9)


@settings(deadline=None, max_examples=60)
@given(globe, globe)
def test_no_place_is_further_than_half_around(one: Point, two: Point) -> None:
    assert 0 <= (one.distance(two) or 0) <= 3.1415926536 * 6_378_140
    assert one.distance(two) == two.distance(one)


@pytest.mark.parametrize(
    ("point", "low", "high", "inside"),
    [
        (Point(7203, 1.0, 1.0), Point(7203, 0.0, 0.0), Point(7203, 2.0, 2.0), True),
        (Point(7203, 2.0, 2.0), Point(7203, 0.0, 0.0), Point(7203, 2.0, 2.0), True),
        (Point(7203, 1.0, 1.0), Point(7203, 2.0, 2.0), Point(7203, 0.0, 0.0), False),
        (Point(4326, 179.0, 1.0), Point(4326, 178.0, 0.0), Point(4326, -178.0, 2.0), True),
        (Point(4326, 10.0, 1.0), Point(4326, 178.0, 0.0), Point(4326, -178.0, 2.0), False),
        (Point(9157, 1.0, 1.0, 5.0), Point(9157, 0.0, 0.0, 0.0), Point(9157, 2.0, 2.0, 2.0), False),
        (Point(7203, 1.0, 1.0), Point(4326, 0.0, 0.0), Point(7203, 2.0, 2.0), None),
        (Point(7203, 1.0, 1.0), None, Point(7203, 2.0, 2.0), None),
    ],
)
def test_boxes(point: Any, low: Any, high: Any, inside: bool | None) -> None:
    assert within_box(point, low, high) is inside


def test_text() -> None:
    assert str(Point(7203, 1.0, 2.5)) == "point({x: 1.0, y: 2.5, crs: 'cartesian'})"
    assert str(Point(4979, 1e10, 1.5e-7, 3.0)) == "point({x: 1.0E10, y: 1.5E-7, z: 3.0, crs: 'wgs-84-3d'})"


def test_order_is_by_system_then_coordinates() -> None:
    points = [Point(7203, 0.0, 3.0), Point(4326, 2.0, 1.0), Point(7203, 1.0, 1.0), Point(4326, 1.0, 2.0)]
    assert [point.key for point in sorted(points, key=lambda point: point.key)] == [
        *((4326, 1.0, 2.0), (4326, 2.0, 1.0), (7203, 0.0, 3.0), (7203, 1.0, 1.0))
    ]
