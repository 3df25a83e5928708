"""What the checks say of statements for Hyper is what Hyper says, in its own words; repaired texts are taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.rules.vendors import Verdict, sections

hyper = pytest.importorskip("tableauhyperapi", reason="the package tableauhyperapi is not installed")

DIALECT = "pgq-hyper"
TABLES = (
    "person (id int, name varchar(10), age int)",
    "car (id int, price int, color varchar(10))",
    "knows (id int, src int, dst int, since int)",
    "owns (id int, person int, car int)",
    "heap (a int, b varchar(10))",
)
GRAPHS = """WITH g AS PROPERTY GRAPH (
  VERTEX TABLES (
    person KEY (id) LABEL person PROPERTIES (id, name, age), car KEY (id) LABEL car PROPERTIES (id, price, color)
  )
  EDGE TABLES (
    knows KEY (id) SOURCE KEY (src) REFERENCES person (id) DESTINATION KEY (dst) REFERENCES person (id)
      LABEL knows PROPERTIES (id, src, dst, since),
    owns KEY (id) SOURCE KEY (person) REFERENCES person (id) DESTINATION KEY (car) REFERENCES car (id)
      LABEL owns PROPERTIES (id, person, car)
  )
), quoted AS PROPERTY GRAPH (VERTEX TABLES (person KEY (id) LABEL "Human" PROPERTIES (id, name AS "fullName")))
"""
"""The graphs of vendors.sql, as Hyper defines them: in front of each query."""

ELSEWHERE = {"->*": "not allowed"}
"""`]->*` is an operator to Hyper, and told as such."""


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    settings = {"log_config": ""}
    with (
        hyper.HyperProcess(hyper.Telemetry.DO_NOT_SEND_USAGE_DATA_TO_TABLEAU, parameters=settings) as process,
        hyper.Connection(process.endpoint) as opened,
    ):
        for table in TABLES:
            opened.execute_command(f"CREATE TEMPORARY TABLE {table}")
        yield opened


def told(connection: Any, text: str) -> str | None:
    """Hyper's message, None where it takes the text."""
    try:
        with connection.execute_query(GRAPHS + text) as result:
            list(result)
    except hyper.HyperException as error:
        return str(error.main_message)
    return None


def asked() -> list[Verdict]:
    return [verdict for title, found in sections().items() if title != "definitions" for verdict in found]


def test_verdicts(connection: Any) -> None:
    for verdict in asked():
        stated, message = verdict.said[DIALECT], told(connection, verdict.text)
        assert (stated == "ok") == (message is None), (verdict.text, message)
        words = stated.partition("/")[2].replace("_", " ")
        expected = next((other for mark, other in ELSEWHERE.items() if mark in verdict.text), words)
        assert message is None or words in message or expected in message, (verdict.text, words, message)


def test_repaired_texts_are_taken(connection: Any) -> None:
    texts = [verdict.repaired[DIALECT] for verdict in asked() if DIALECT in verdict.repaired]
    assert len(texts) > 6
    assert {text: message for text in texts if (message := told(connection, text)) is not None} == {}


def test_there_are_no_statements_on_graphs(connection: Any) -> None:
    for statement in ("CREATE PROPERTY GRAPH h VERTEX TABLES (person)", "DROP PROPERTY GRAPH h"):
        with pytest.raises(hyper.HyperException, match="syntax error"):
            connection.execute_command(statement)
