"""Entities, and the forms of values: text, JSON, compact representations, types of others."""

from __future__ import annotations

import datetime
import json
import math
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import graphir
from graphir.values import Date, DateTime, Duration, Edge, LocalDateTime, LocalTime, Node, Path, Point, Time
from graphir.values.conversions import arrow_type, from_neo4j, from_standard, to_arrow, to_neo4j, to_standard
from graphir.values.json import from_json, to_json
from graphir.values.reps import FIELDS, KINDS, from_rep, to_rep, to_struct
from graphir.values.text import name_text, text
from tests.values.evaluation import Evaluation
from tests.values.strategies import points, temporals

ANN = Node(1, ("Person", "Author"), {"name": "Ann", "born": Date.of(1984, 10, 11)})
BOB = Node(2, (), {})
KNOWS = Edge(7, "KNOWS", 1, 2, {"since": 2015})
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5), temporals, points
)
keys = st.one_of(st.text(max_size=3), st.sampled_from(("$date", "$node", "$map", "$")))
documents = st.recursive(
    scalars,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(keys, below, max_size=3)),
    max_leaves=6,
)


# ------------------------------------------------------------------ entities


def test_entities_are_equal_by_identity() -> None:
    assert Node(1, ("A",), {"x": 1}) == Node(1, ("B",), {})
    assert Node(1) != Node(2)
    assert Edge(1, "T", 1, 2) == Edge(1, "T", 1, 2, {"x": 1})
    assert Node(1) != Edge(1, "T", 1, 2)
    assert len({Node(1), Node(1, ("A",)), Node("1"), Edge(1, "T", 1, 1)}) == 3
    assert graphir.Node is Node
    assert (graphir.Edge, graphir.Path) == (Edge, Path)


def test_entities_show_their_properties_and_are_frozen() -> None:
    assert ANN["name"] == "Ann"
    assert KNOWS["since"] == 2015
    with pytest.raises(AttributeError):
        ANN.id = 5  # type: ignore[misc]
    assert Node(1, ["A", "B"]).labels == ("A", "B")  # type: ignore[arg-type]


def test_paths() -> None:
    path = Path((ANN, BOB), (KNOWS,))
    assert (len(path), path.start, path.end) == (1, ANN, BOB)
    assert len(Path((ANN,))) == 0
    assert bool(Path((ANN,)))
    assert path == Path((Node(1), Node(2)), (Edge(7, "KNOWS", 1, 2),))
    assert path != Path((BOB, ANN), (KNOWS,))
    with pytest.raises(ValueError, match="one node more"):
        Path((ANN, BOB), ())


# ------------------------------------------------------------------ text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (-5, "-5"),
        (1.0, "1.0"),
        (1e10, "1.0E10"),
        (math.nan, "NaN"),
        ("it's \\", "'it\\'s \\\\'"),
        ([1, [None, "a"]], "[1, [null, 'a']]"),
        ((1, 2), "[1, 2]"),
        ({"a": 1, "b c": {}}, "{a: 1, `b c`: {}}"),
        (Date.of(1984, 10, 11), "'1984-10-11'"),
        (Duration(1), "'P1M'"),
        (Point(7203, 1.0, 2.0), "point({x: 1.0, y: 2.0, crs: 'cartesian'})"),
        (ANN, "(:Person:Author {name: 'Ann', born: '1984-10-11'})"),
        (BOB, "()"),
        (Node(1, (), {"a": 1, "b": None}), "({a: 1})"),
        (KNOWS, "[:KNOWS {since: 2015}]"),
        (
            Path((ANN, BOB), (Edge(1, "A B", 2, 1),)),
            "<(:Person:Author {name: 'Ann', born: '1984-10-11'})<-[:`A B`]-()>",
        ),
        (Path((BOB, BOB), (Edge(1, "T", 2, 2),)), "<()-[:T]->()>"),
    ],
)
def test_text(value: Any, shown: str) -> None:
    assert text(value) == shown
    if isinstance(value, Node | Edge | Path):
        assert str(value) == shown


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=8))
def test_texts_of_strings_and_names_are_read_back(value: str) -> None:
    assert Evaluation().run(f"RETURN {text(['', value])} AS x")[1] == [(["", value],)]
    if value and "\0" not in value:
        assert Evaluation().run(f"RETURN {{{name_text(value)}: 1}} AS x")[1] == [({value: 1},)]


# ------------------------------------------------------------------ JSON


@settings(deadline=None, max_examples=60)
@given(documents)
def test_documents_are_read_back(value: Any) -> None:
    document = json.loads(json.dumps(to_json(value)))
    assert from_json(document) == value


def test_floats_that_json_does_not_have() -> None:
    assert [to_json(number) for number in (math.inf, -math.inf)] == [{"$float": "Infinity"}, {"$float": "-Infinity"}]
    assert math.isnan(from_json(to_json(math.nan)))
    assert from_json({"$float": "-Infinity"}) == -math.inf


@pytest.mark.parametrize(
    ("value", "document"),
    [
        (Date.of(1984, 10, 11), {"$date": "1984-10-11"}),
        (LocalTime.of(12), {"$localtime": "12:00"}),
        (Time.parse("12:00+01:00"), {"$time": "12:00+01:00"}),
        (LocalDateTime(0), {"$localdatetime": "1970-01-01T00:00"}),
        (DateTime.at(0, 0, None, "Europe/Paris"), {"$datetime": "1970-01-01T01:00+01:00[Europe/Paris]"}),
        (Duration(1, 2, 3), {"$duration": "P1M2DT3S"}),
        (Point(4326, 1.0, 2.0), {"$point": {"srid": 4326, "x": 1.0, "y": 2.0}}),
        (ANN, {"$node": 1}),
        (KNOWS, {"$edge": 7}),
        (Path((ANN, BOB), (KNOWS,)), {"$path": [{"$node": 1}, {"$edge": 7}, {"$node": 2}]}),
        ({"$date": 1}, {"$map": {"$date": 1}}),
        ({"a": [ANN]}, {"a": [{"$node": 1}]}),
    ],
)
def test_json(value: Any, document: Any) -> None:
    assert to_json(value) == document
    assert from_json(document) == value


def test_whole_entities() -> None:
    document = to_json([ANN, KNOWS], "full")
    assert document[0] == {
        "$node": 1,
        "labels": ["Person", "Author"],
        "properties": {"name": "Ann", "born": {"$date": "1984-10-11"}},
    }
    node, edge = from_json(document)
    assert (node.labels, node.properties) == (ANN.labels, ANN.properties)
    assert (edge.type, edge.start, edge.end, edge.properties) == ("KNOWS", 1, 2, {"since": 2015})


def test_nanoseconds_and_offsets_as_others_write_them() -> None:
    assert from_json({"$datetime": "2020-04-24T17:30:00.000000000+00:00"}) == DateTime.parse("2020-04-24T17:30Z")


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"$data": 1}, "G647"),
        ({"$date": 1}, "G647"),
        ({"$date": "x"}, "G640"),
        ({"$date": "2020-02-30"}, "G641"),
        ({"$date": "2020-01-01", "$time": "12:00"}, "G647"),
        ({"$point": {"x": 1, "y": 2}}, "G647"),
        ({"$point": {"srid": 7203, "x": "1", "y": 2}}, "G647"),
        ({"$point": {"srid": 1, "x": 1, "y": 2}}, "G646"),
        ({"$point": [1, 2]}, "G647"),
        ({"$node": None}, "G647"),
        ({"$node": 1.5}, "G647"),
        ({"$node": 1, "labels": "A"}, "G647"),
        ({"$node": 1, "labels": [1]}, "G647"),
        ({"$node": 1, "properties": []}, "G647"),
        ({"$edge": 1, "type": 5}, "G647"),
        ({"$edge": 1, "start": None}, "G647"),
        ({"$edge": 1, "type": "T", "start": 1}, "G647"),
        ({"$edge": 1, "properties": {}}, "G647"),
        ({"$path": [{"$node": 1}, {"$node": 2}]}, "G647"),
        ({"$path": []}, "G647"),
        ({"$float": "x"}, "G647"),
        ({"$map": 5}, "G647"),
        ({1: 2}, "G647"),
        (object(), "G647"),
    ],
)
def test_documents_that_are_no_values(document: Any, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        from_json(document)
    assert caught.value.diagnostics[0].code == code


def test_objects_that_are_no_values() -> None:
    with pytest.raises(graphir.RunFault, match="G647"):
        to_json(object())
    with pytest.raises(graphir.RunFault, match="G647"):
        from_standard(object())


# ------------------------------------------------------------------ compact representations


@settings(deadline=None, max_examples=60)
@given(st.one_of(temporals, points))
def test_representations_are_read_back(value: Any) -> None:
    kind, rep, struct = KINDS[type(value)], to_rep(value), to_struct(value)
    assert from_rep(kind, rep) == from_rep(kind, struct) == value
    if isinstance(struct, dict):
        assert isinstance(rep, tuple)
        assert tuple(struct) == FIELDS[kind]
        assert from_rep(kind, list(rep)) == value
    else:
        assert FIELDS[kind] == ()


# ------------------------------------------------------------------ types of others


@settings(deadline=None, max_examples=60)
@given(st.one_of(st.dates(), st.times(), st.datetimes(), st.timedeltas()))
def test_the_standard_library_is_kept(value: Any) -> None:
    try:
        converted = from_standard(value)
    except graphir.RunFault:
        assert isinstance(value, datetime.timedelta)
        return
    assert to_standard(converted) == value


@settings(deadline=None, max_examples=60)
@given(st.datetimes(timezones=st.sampled_from([datetime.UTC, ZoneInfo("Europe/Stockholm"), ZoneInfo("Asia/Kolkata")])))
def test_zoned_datetimes_are_kept(value: datetime.datetime) -> None:
    converted = from_standard(value)
    assert isinstance(converted, DateTime)
    back = converted.to_standard() if abs(converted.second) < 6 * 10**10 else value
    assert back.astimezone(datetime.UTC) == value.astimezone(datetime.UTC)


def test_what_python_gives_as_parameters() -> None:
    class Day(datetime.date):
        pass

    given_ = {"a": (1, Decimal("1.5")), "b": Day(2020, 1, 1), "c": frozenset(("x",)), "d": ANN}
    assert from_standard(given_) == {"a": [1, 1.5], "b": Date.of(2020, 1, 1), "c": ["x"], "d": ANN}
    assert to_standard([Date.of(2020, 1, 1), {"a": 1}]) == [datetime.date(2020, 1, 1), {"a": 1}]


@settings(deadline=None, max_examples=60)
@given(st.one_of(temporals, points))
def test_the_driver_of_neo4j_keeps_values(value: Any) -> None:
    assume(getattr(value, "zone", None) != "UTC")  # the driver gives it as an offset of zero
    assert from_neo4j(to_neo4j([value, {"a": value}])) == [value, {"a": value}]


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (datetime.date(2020, 1, 1), Date.of(2020, 1, 1)),
        (datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC), DateTime.parse("2020-01-01T00:00Z")),
        ([datetime.timedelta(days=1), 1], [Duration(days=1), 1]),
        ({"a": (Decimal("1.5"), None)}, {"a": [1.5, None]}),
        (DateTime.at(0, 1, None, "Europe/Paris"), DateTime.at(0, 1, None, "Europe/Paris")),
        (to_neo4j(Time.parse("12:00+01:00")), Time.parse("12:00+01:00")),
        ([to_neo4j(Point(4326, 1.0, 2.0))], [Point(4326, 1.0, 2.0)]),
    ],
)
def test_queries_take_parameters_as_python_has_them(parameter: Any, value: Any) -> None:
    with graphir.connect("duckdb") as engine:
        assert engine.run("RETURN $p AS x", {"p": parameter}).rows == [(value,)]


def test_the_driver_holds_no_seconds_of_an_offset() -> None:
    with pytest.raises(ValueError, match="seconds of an offset"):
        to_neo4j(Time.parse("12:00+02:05:59"))


def test_arrow_takes_values() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    values: dict[str, Any] = {
        "date": Date.of(2020, 1, 2),
        "localtime": LocalTime.of(12, 13, 14, 15),
        "time": Time.parse("12:00+01:00"),
        "localdatetime": LocalDateTime.parse("2020-01-02T03:04:05.000006"),
        "datetime": DateTime.parse("2020-01-02T03:04:05+01:00"),
        "duration": Duration(1, 2, 3, 4),
        "point": Point(7203, 1.0, 2.0),
    }
    columns = {kind: pyarrow.array([to_arrow(value), None], arrow_type(kind)) for kind, value in values.items()}
    assert set(columns) == set(FIELDS)
    assert columns["date"][0].as_py() == datetime.date(2020, 1, 2)
    assert columns["localdatetime"][0].as_py() == datetime.datetime(2020, 1, 2, 3, 4, 5, 6)
    assert columns["datetime"][0].as_py() == datetime.datetime(2020, 1, 2, 2, 4, 5, tzinfo=datetime.UTC)
    assert columns["duration"][0].as_py()[:2] == (1, 2)
    assert columns["point"][0].as_py() == {"srid": 7203, "x": 1.0, "y": 2.0, "z": None}
    assert all(column[1].as_py() is None for column in columns.values())


def test_the_day_before_the_year_one() -> None:
    """The driver gives it as a date with neither year nor month."""
    time = pytest.importorskip("neo4j.time")
    assert from_neo4j(time.Date.from_ordinal(0)) == Date.parse("0000-12-31")
    assert from_neo4j(time.Date(1, 1, 1)) == Date.parse("0001-01-01")
    assert from_neo4j(time.DateTime(2020, 2, 29, 1, 2, 3)) == LocalDateTime.parse("2020-02-29T01:02:03")
