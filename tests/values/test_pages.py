"""The examples of docs/values.md give what they show, and values survive what the documentation promises."""

from __future__ import annotations

import doctest
import pickle
import re
from pathlib import Path as File
from typing import Any

import pytest

from graphir.values import Date, DateTime, Duration, Edge, LocalDateTime, LocalTime, Node, Path, Point, Time
from graphir.values.json import to_json

PAGE = File(__file__).resolve().parents[2] / "docs" / "values.md"
VALUES = (
    *(Date(1), LocalTime(1), Time(1, 3600), LocalDateTime(1, 2), DateTime.at(0, 1, None, "Europe/Paris")),
    *(Duration(1, 2, 3, 4), Point(4326, 1.0, 2.0), Node(1), Edge(1, "T", 1, 2), Path((Node(1),))),
)


def test_examples_give_what_they_show() -> None:
    text = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    session = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(session.examples) > 10
    assert doctest.DocTestRunner().run(session).failed == 0


@pytest.mark.parametrize("value", VALUES)
def test_values_are_pickled_hashed_and_listed(value: Any) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert len({value, value}) == 1
    (mark,) = to_json(value)
    assert f'{{"{mark}": ' in PAGE.read_text(encoding="utf-8")
