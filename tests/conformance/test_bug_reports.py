"""What people reported of other tools: each report that is about reading and checking queries, as a test.

`EXPECTED` has a check for every report in scope; `ELSEWHERE` says why each other one is not.  A report in neither is a
failure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import graphir
from graphir import ir
from graphir.diagnostics import Diagnostic, apply
from graphir.schema import Schema
from graphir.schema.model import DataType, EdgeType, NodeType, PropertyType
from tests import outside

BOTH = ("neo4j-5", "neo4j-25")


def faults(text: str, dialect: str = "neo4j-25") -> list[Diagnostic]:
    return [found for found in graphir.check(text, dialect) if found.severity == "error"]


def only(text: str, dialect: str = "neo4j-25") -> Diagnostic:
    (found,) = faults(text, dialect)
    return found


def require_valid(text: str) -> None:
    """Valid in both versions, and the same query after it is printed."""
    for dialect in BOTH:
        assert faults(text, dialect) == []
        assert graphir.parse(graphir.format(text, dialect), dialect) == graphir.parse(text, dialect)


def require(code: str, place: tuple[int, int], hint: str = "") -> Callable[[str], None]:
    """One fault in both versions, with its place and words of its hint."""

    def check(text: str) -> None:
        for dialect in BOTH:
            found = only(text, dialect)
            assert (found.code, (found.line, found.column)) == (code, place)
            assert hint in (found.hint or found.message)

    return check


def require_repair(code: str, place: tuple[int, int], repaired: str) -> Callable[[str], None]:
    """One fault in both versions, whose repair gives a valid query."""

    def check(text: str) -> None:
        require(code, place)(text)
        fix = only(text).fix
        assert fix is not None
        assert apply(text, [fix]).strip() == repaired
        assert faults(repaired) == []

    return check


def node_of(text: str, cls: type[Any]) -> Any:
    """The one node of a class."""
    (found,) = [node for node in ir.walk(graphir.parse(text)) if isinstance(node, cls)]
    return found


# ------------------------------------------------------------------ reports that need more words


def importing_with(text: str) -> None:
    require("G045", (1, 22), "import the plain variables first")(text)
    fix = only(text, "neo4j-5").fix
    assert fix is not None
    assert "WITH e WITH e WHERE e.score" in apply(text, [fix])


def precedence(text: str) -> None:
    where = node_of(text, ir.Match).where
    assert (where.function, where.args[1].function) == ("eq", "is_not_null")
    (warning,) = graphir.check(text)
    assert (warning.code, warning.severity) == ("G060", "warning")
    assert "n.a = (1 IS NOT NULL)" in graphir.format(text)


def exact_length(text: str) -> None:
    exact, open_ended = (graphir.parse(text.replace("*2", stars)) for stars in ("*2", "*2.."))
    assert exact != open_ended
    assert "{2}" in graphir.format("MATCH (a)-[e]-{2}(c) RETURN a")
    require_valid(text)


def upper_bound(text: str) -> None:
    """Printed with both bounds, which says the same: the lower bound of `{,3}` is 0."""
    bounds = node_of(text, ir.EdgePattern).quantifier
    assert (bounds.low, bounds.high) == (0, 3)
    require_valid(text)
    assert "{3,}" not in graphir.format(text)


def removed_functions(text: str) -> None:
    for dialect in BOTH:
        assert [(d.code, d.severity) for d in graphir.check(text, dialect)] == [("G310", "warning"), ("G303", "error")]
    deprecated, unknown = graphir.check(text)
    assert "elementId()" in (deprecated.hint or "")
    assert unknown.fix is not None
    assert "point.distance(a.pos" in apply(text, [unknown.fix])


def new_clause(text: str) -> None:
    assert faults(text, "neo4j-25") == []
    assert "FILTER n.x > 3" in graphir.format(text)
    found = only(text, "neo4j-5")
    assert found.code == "G021"
    assert found.fix is not None
    assert faults(apply(text, [found.fix]), "neo4j-5") == []


def order_before_match(text: str) -> None:
    require_valid(text)
    body = graphir.parse(text).body
    assert isinstance(body, ir.Pipeline)
    assert [type(step).__name__ for step in body.operators] == ["Match", "Order", "Page", "Match", "Project"]


def foreign_letters(text: str) -> None:
    require("G015", (1, 11))(text)
    assert only(text).fix is None


def two_statements(text: str) -> None:
    several, write = graphir.check(text, profile="gate")
    assert (several.code, several.severity, several.column) == ("G040", "error", 24)
    assert (write.code, write.severity, write.column) == ("G410", "error", 34)
    assert [type(step.query).__name__ for step in graphir.parse_script(text)] == ["Query", "Query"]


def comment(text: str) -> None:
    require_valid(text)
    reads(text)
    assert "\n// delete r\n" in graphir.format(text)


def label_with_a_tick(text: str) -> None:
    reads(text)
    assert node_of(text, ir.LabelName).name == "A`) DETACH DELETE n //"
    assert "(n:`A``) DETACH DELETE n //`)" in graphir.format(text)


def string_stays_one(text: str) -> None:
    """No fault of syntax: whether the procedure is there is another question."""
    assert denied_by(text) == set()
    assert node_of(text, ir.Literal).value == "g' YIELD x //"
    assert graphir.parse(graphir.format(text)) == graphir.parse(text)


def line_feed(text: str) -> None:
    require_valid(text)
    assert node_of(text, ir.Literal).value == "a\nb"


def apostrophe(text: str) -> None:
    require_valid(text)
    assert node_of(text, ir.Literal).value == "it's"
    assert "it's" in graphir.format(text).replace("\\", "")


def tick_by_escape(text: str) -> None:
    """The escape is a back-tick in the text that is read, so the name ends there."""
    require("G003", (1, 19))(text)
    name = graphir.parse("MATCH (n:`a``b`) RETURN n")
    assert "`a``b`" in graphir.format("MATCH (n:`a\\u0060\\u0060b`) RETURN n")
    assert graphir.parse("MATCH (n:`a\\u0060\\u0060b`) RETURN n") == name


def denied_by(text: str, dialect: str = "neo4j-25") -> set[str]:
    return {found.code for found in graphir.check(text, dialect, profile="gate") if found.severity == "error"}


def reads(text: str) -> None:
    """Valid, and nothing to be denied."""
    require_valid(text)
    for dialect in BOTH:
        assert denied_by(text, dialect) == set()


def no_cypher(text: str) -> None:
    """A statement of another dialect that reads a file: no Neo4j runs it, and so it does not pass."""
    for dialect in BOTH:
        assert denied_by(text, dialect) == {"G012"}


def denied(code: str) -> Callable[[str], None]:
    """One reason to deny the query, in both versions."""

    def check(text: str) -> None:
        for dialect in BOTH:
            assert denied_by(text, dialect) == {code}

    return check


# ------------------------------------------------------------------ with the schema of the report


def triples(text: str) -> Schema:
    return Schema.read(text, "triples")


def node(label: str, **properties: str) -> NodeType:
    return NodeType((label,), tuple(PropertyType(name, DataType(type)) for name, type in properties.items()))


def edge(source: str, type: str, target: str, *properties: str) -> EdgeType:
    return EdgeType(type, (source,), (target,), tuple(PropertyType(name) for name in properties))


def gate(text: str, schema: Schema, dialect: str = "neo4j-25") -> list[Diagnostic]:
    return [found for found in graphir.check(text, dialect, schema, "gate") if found.severity == "error"]


def fits(schema: Schema) -> Callable[[str], None]:
    """Valid over the schema, and left as it is."""

    def check(text: str) -> None:
        require_valid(text)
        for dialect in BOTH:
            assert gate(text, schema, dialect) == []
            assert graphir.repair(text, dialect=dialect, schema=schema).text == text

    return check


def repaired(schema: Schema, code: str, expected: str) -> Callable[[str], None]:
    """One fault, whose safe repair gives the expected text."""

    def check(text: str) -> None:
        require_valid(text)
        for dialect in BOTH:
            assert [found.code for found in gate(text, schema, dialect)] == [code]
            mended = graphir.repair(text, dialect=dialect, schema=schema)
            assert (mended.text, [found.code for found in mended.applied]) == (expected, [code])
            assert gate(mended.text, schema, dialect) == []

    return check


def self_type(text: str) -> None:
    """Unchanged; that nobody can tell the direction is a remark of the profile that has all of them."""
    schema = triples("(Account, TRANSFER, Account)")
    fits(schema)(text)
    found = [each for each in graphir.check(text, schema=schema, profile="strict") if each.code == "G233"]
    assert [(each.severity, text[each.start : each.end]) for each in found] == [("info", "<-[:TRANSFER]-")]


def component_of_text(text: str) -> None:
    require_valid(text)
    schema = Schema((node("Person", born="STRING", name="STRING"),))
    (found,) = gate(text, schema)
    assert (found.code, text[found.start : found.end]) == ("G332", "p.born.year")
    assert "is a STRING" in found.message
    assert [each.severity for each in graphir.check(text, schema=schema)] == ["warning"]


def version_of_call(text: str) -> None:
    require_valid(text)
    assert {found.code for found in faults(text, "opencypher-9")} == {"G021"}


EXPECTED: dict[str, Callable[[str], None]] = {
    # Text around the query.
    "bug-016": require_repair("G016", (2, 1), "MATCH (p:Part) RETURN p.name LIMIT 10"),
    "bug-017": require_repair("G016", (1, 1), "MATCH (p:Person) RETURN count(p)"),
    "bug-019": require_repair("G016", (1, 1), "MATCH (n:Tool) RETURN n.name"),
    "bug-020": require_repair("G016", (1, 1), "MATCH (h:Host) RETURN h.ip"),
    "bug-022": require_repair("G016", (1, 1), "MATCH (n:`Spare Part`) RETURN n.`serial no`"),
    # Invalid queries.
    "bug-023": require_repair(
        "G023", (1, 37), "MATCH (t:Tool {name: 'x.py'})-[:`has MD5 hash`]->(h:Digest) RETURN h.value"
    ),
    "bug-025": require("G103", (1, 18), "is a node and cannot be used as a relationship"),
    "bug-026": require("G019", (1, 30), "put it after `MATCH`, or write `WITH .. WHERE .. RETURN ..`"),
    # Versions.
    "bug-028": importing_with,
    "bug-029": version_of_call,
    "bug-043": require_repair("G203", (1, 26), "MATCH (n:Host) WHERE NOT n.domain IS NOT NULL RETURN n"),
    "bug-044": removed_functions,
    "bug-049": new_clause,
    "bug-050": order_before_match,
    # Names.
    "bug-031": require("G101", (1, 6)),
    "bug-032": require("G101", (1, 76)),
    # What a text means.
    "bug-035": precedence,
    "bug-037": exact_length,
    "bug-038": upper_bound,
    "bug-040": require_valid,
    "bug-046": require("G012", (1, 16), "`--` is a relationship; a comment begins with `//`"),
    "bug-067": foreign_letters,
    "bug-068": two_statements,
    "bug-073": label_with_a_tick,
    "bug-074": string_stays_one,
    "bug-076": line_feed,
    "bug-077": apostrophe,
    "bug-079": tick_by_escape,
    # What only reads.
    "bug-052": denied("G410"),
    "bug-053": reads,
    "bug-055": reads,
    "bug-056": reads,
    "bug-058": denied("G414"),
    "bug-059": denied("G410"),
    "bug-061": denied("G413"),
    "bug-062": reads,
    "bug-064": denied("G414"),
    "bug-065": denied("G412"),
    "bug-070": comment,
    "bug-071": no_cypher,
    # Direction.
    "bug-001": fits(
        Schema(
            (node("Sensor", sid="INTEGER"), node("Room", name="STRING"), node("Camera", model="STRING")),
            (edge("Sensor", "MOUNTED_IN", "Room"),),
        )
    ),
    "bug-002": fits(triples("(Driver, DROVE, Car), (Owner, DROVE, Car), (Car, PARKED_IN, Garage)")),
    "bug-004": repaired(
        triples("(Actor, ACTED_IN, Film)"), "G230", "MATCH (m:Film)<-[:ACTED_IN]-(p:Actor) RETURN p.name"
    ),
    "bug-005": self_type,
    "bug-007": repaired(
        triples("(Person, WORKS_AT, Company), (Person, LIVES_IN, City)"),
        "G230",
        "MATCH (p:Person)-[:WORKS_AT|LIVES_IN]->(o) RETURN o",
    ),
    "bug-008": repaired(
        triples("(Crew, LOCATED_AT, Work Site)"),
        "G230",
        "MATCH (o:`Work Site`)<-[:LOCATED_AT]-(p:Crew {id: 3}) RETURN o.name",
    ),
    # Schemas.
    "bug-080": fits(
        Schema(
            (node("Team"), node("Cup"), node("Stadium")),
            (edge("Team", "PLAYED", "Cup", "year"), edge("Team", "OWNS", "Stadium")),
        )
    ),
    "bug-082": fits(
        Schema(
            (node("Patient"), node("Visit"), node("Doctor")),
            (edge("Patient", "TOOK_PART", "Visit", "day"), edge("Visit", "TOOK_PART", "Doctor", "note")),
        )
    ),
    "bug-083": fits(
        Schema((node("Client"), node("Product")), (EdgeType("BOUGHT", ("Client",), ("Product",), properties=None),))
    ),
    "bug-085": fits(
        Schema(
            (node("Topic", name="STRING"), node("Domain", name="STRING")),
            (edge("Topic", "BELONGS_TO", "Domain"), edge("Topic", "BELONGS_TO", "Topic")),
        )
    ),
    # Literals.
    "bug-088": repaired(
        Schema((node("Level", level="STRING"),)), "G321", "MATCH (i:Level) WHERE i.level = '14' RETURN i"
    ),
    "bug-089": repaired(
        Schema((node("Event", ts="ZONED DATETIME", id="STRING"),)),
        "G322",
        "MATCH (a:Event) WHERE a.ts >= datetime('2026-09-13T00:00:00Z') RETURN a.id",
    ),
    "bug-091": component_of_text,
}

_TRANSLATION = "about translation into another language"
_OTHER_DIALECT = "about a dialect that is not written yet"
_OTHER_LANGUAGE = "the query is not Cypher, and other languages are not read yet"

ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(
        ("bug-010", "bug-011", "bug-013", "bug-014", "bug-041", "bug-106", "bug-107", "bug-113", "bug-115", "bug-118"),
        _TRANSLATION,
    ),
    **dict.fromkeys(
        ("bug-092", "bug-094", "bug-095", "bug-097", "bug-098", "bug-100", "bug-101", "bug-103", "bug-104"),
        _OTHER_DIALECT,
    ),
    **dict.fromkeys(("bug-034", "bug-047", "bug-086", "bug-109", "bug-110", "bug-112", "bug-116"), _OTHER_LANGUAGE),
}


def queries() -> dict[str, str]:
    return {row["id"]: row["input_query"] for row in outside.rows("corpora/bug_reports")}


def test_every_report_is_tested_or_has_a_reason() -> None:
    assert not EXPECTED.keys() & ELSEWHERE.keys()
    assert EXPECTED.keys() | ELSEWHERE.keys() == queries().keys()


@pytest.mark.parametrize("report", EXPECTED)
def test_report(report: str) -> None:
    text = queries()[report]
    assert text
    EXPECTED[report](text)


@pytest.mark.parametrize("report", ELSEWHERE)
def test_nothing_breaks_on_the_others(report: str) -> None:
    assert isinstance(graphir.check(queries()[report]), list)
