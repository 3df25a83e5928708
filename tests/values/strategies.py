"""Random values of every type, nested, with a bias towards those that are nearly equal."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.points import Point
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import Vector

EDGES_OF_NUMBERS = (
    *(0, 1, -1, 2, 0.0, -0.0, 1.0, -1.0, 0.5, math.nan, math.inf, -math.inf, 5e-324, 1e300),
    *(2**53, 2**53 + 1, -(2**53) - 1, float(2**53), 2**63 - 1, -(2**63), float(2**63), -float(2**63), 2**63 - 1025),
)

numbers = st.one_of(
    st.sampled_from(EDGES_OF_NUMBERS),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.integers(-(2**63), 2**63 - 1).map(float),
)
texts = st.one_of(
    st.sampled_from(("", "a", "b", "ab", "a\0", "a\0b", "a\1", "\uffff", "\U0001f600")), st.text(max_size=5)
)
offsets = st.sampled_from((0, 3600, -3600, 1800))
nanos = st.sampled_from((0, 1, 999_999_999))
small = st.integers(-3, 3)

temporals: st.SearchStrategy[Any] = st.one_of(
    st.builds(Date, small),
    st.builds(LocalTime, st.integers(0, 3)),
    st.builds(Time.of_local, st.sampled_from((0, 3600 * 10**9, 7200 * 10**9)), offsets),
    st.builds(LocalDateTime, small, nanos),
    st.builds(DateTime, small, nanos, offsets),
    st.builds(lambda second, zone: DateTime.at(second, 0, None, zone), small, st.sampled_from(("UTC", "Europe/Paris"))),
    st.builds(Duration, small, st.integers(-40, 40), st.sampled_from((0, 86400, -86400, 1)), nanos),
)
points = st.one_of(
    st.builds(Point, st.sampled_from((4326, 7203)), st.floats(-2, 2), st.floats(-2, 2)),
    st.builds(lambda x, y, z: Point(9157, x, y, z), st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2)),
)
paths = st.lists(st.integers(0, 3), max_size=3).map(lambda edges: PathReference((0, *edges), tuple(edges)))
references: st.SearchStrategy[Any] = st.one_of(small.map(NodeReference), small.map(EdgeReference), paths)
atoms: st.SearchStrategy[Any] = st.one_of(
    *(st.none(), st.booleans(), numbers, texts, temporals, points, references),
    st.integers(0, 3).map(lambda number: UUID(int=number)),
    st.lists(small, min_size=1, max_size=2).map(lambda items: Vector("INTEGER8", tuple(items))),
    st.lists(st.floats(-2, 2), min_size=1, max_size=2).map(lambda items: Vector("FLOAT64", tuple(items))),
)
values: st.SearchStrategy[Any] = st.recursive(
    atoms,
    lambda below: st.one_of(
        st.lists(below, max_size=3), st.dictionaries(st.sampled_from(("", "a", "b", "ab")), below, max_size=3)
    ),
    max_leaves=8,
)
