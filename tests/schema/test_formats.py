"""Reading each format, finding it out, and refusing what is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graphir import Schema, SyntaxFault, UsageFault
from graphir.schema import BY_LABEL, CLOSED, ENDPOINTS_ONLY, DataType, NodeType, PropertyType, formats, labels
from tests.schema.samples import SAMPLES

STRING, INTEGER = DataType("STRING"), DataType("INTEGER")


def read(format: str) -> Schema:
    return Schema.read(SAMPLES[format], format)


def node(schema: Schema, label: str) -> NodeType:
    return next(one for one in schema.node_types if one.labels == (label,))


def named(owner_properties: tuple[PropertyType, ...] | None, name: str) -> PropertyType:
    return next(one for one in owner_properties or () if one.name == name)


def triples(schema: Schema) -> list[tuple[str, object, object]]:
    return [(edge.type, edge.source, edge.target) for edge in schema.edge_types]


@pytest.mark.parametrize("format", SAMPLES)
def test_format_is_found_out(format: str) -> None:
    assert list(formats.sniff(SAMPLES[format])) == [format]
    assert Schema.read(SAMPLES[format]) == read(format)


@pytest.mark.parametrize("format", SAMPLES)
def test_ends_of_lines_and_marks_do_not_count(format: str) -> None:
    assert Schema.read("\ufeff" + SAMPLES[format].replace("\n", "\r\n") + "\r\n") == read(format)


@pytest.mark.parametrize("format", SAMPLES)
def test_json_holds_what_the_format_says(format: str) -> None:
    schema = read(format)
    again = Schema.read(schema.write("json"))
    assert again == schema
    assert (again.guesses, again.name, again.fingerprint) == (schema.guesses, schema.name, schema.fingerprint)


def test_a_file_is_a_path_and_a_text_is_a_text(tmp_path: Path) -> None:
    file = tmp_path / "schema.txt"
    file.write_text(SAMPLES["triples"], encoding="utf-8")
    assert Schema.read(file) == read("triples")
    with pytest.raises(SyntaxFault, match="G081"):
        Schema.read(str(file))
    with pytest.raises(UsageFault, match="G082"):
        Schema.read(tmp_path / "other.txt")


@pytest.mark.parametrize(
    ("text", "format", "place", "expected"),
    [
        ("(A, R, B), (A, R)", "triples", (1, 17), "`,`"),
        ("(A)-[:R]-(B)", "patterns", (1, 4), "an arrow with one head"),
        ("Node properties:\n- **A**\n  - `a`: STRING Size: 3\n", "neo4j-markdown", (3, 17), "the end of the line"),
        ("Node properties:\n- **A\n", "neo4j-markdown", (2, 6), "`**`"),
        ("Node properties:\nA {a STRING", "text2cypher-2024-text", (2, 12), "`,`"),
        ('{"entities": [{"label": 3}], "relations": []}', "cypherbench-json", (1, 25), "a name"),
        ('{"schema": [{"label": "a"}]}', "tugraph-json", (1, 13), "an object with the key `type`"),
        ('[{"Type": "Edge", "Label": "a", "Attributes": {}}]', "multidomain-json", (1, 11), '"Node" or "Relation"'),
        ("{'node_props': {'A': [}", "neo4j-structured-dict", (1, 23), "a value"),
        ('{"graphir": "schema", "version": 1,\n "node_types": [{"label": ["A"]}]}', "json", (2, 17), None),
        ('{"graphir": "schema", "version": 2}', "json", (1, 34), None),
    ],
)
def test_a_fault_has_its_place(text: str, format: str, place: tuple[int, int], expected: str | None) -> None:
    with pytest.raises(SyntaxFault) as caught:
        Schema.read(text, format)
    (found,) = caught.value.diagnostics
    assert (found.code, (found.line, found.column)) == ("G080", place)
    assert expected is None or expected in found.expected


@pytest.mark.parametrize("text", ["", "people and films", "{}", "[]", "MATCH (n) RETURN n", "Node properties"])
def test_what_is_no_schema_is_refused(text: str) -> None:
    with pytest.raises(SyntaxFault, match="G081"):
        Schema.read(text)


def test_names_of_formats_are_listed() -> None:
    with pytest.raises(UsageFault, match=r"G082.*`yaml` is no format of schemas; there are json, triples"):
        Schema.read("", "yaml")
    with pytest.raises(UsageFault, match="`mtq` is no format to write"):
        Schema().write("mtq")


def test_triples() -> None:
    schema = Schema.read("(Some Label, SOME TYPE üß, `A, (B)`);(X,R,X)\n(Y, `a``b`, X)", "triples")
    assert schema.coverage == ENDPOINTS_ONLY
    assert triples(schema) == [
        ("R", ("X",), ("X",)),
        ("SOME TYPE üß", ("Some Label",), ("A, (B)",)),
        ("a`b", ("Y",), ("X",)),
    ]
    assert all(one.properties is None for one in schema.node_types)
    assert all(one.properties is None for one in schema.edge_types)
    assert Schema.read(schema.write("triples")) == schema


def test_patterns() -> None:
    schema = read("patterns")
    assert not schema.coverage.properties
    assert named(node(schema, "Person").properties, "name").type is None
    assert node(schema, "Person").open
    assert node(schema, "Studio").properties is None
    (edge,) = schema.edge_types
    assert edge.properties == (PropertyType("role", STRING),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(Sensor)-[:IN]->(Room); node Camera", [("IN", ("Sensor",), ("Room",))]),
        ("(A)-[:R]->(B); (C)-[:R]->(B)", [("R", ("A",), ("B",)), ("R", ("C",), ("B",))]),
        ("(Crew)-[:AT]->(`Work Site`)", [("AT", ("Crew",), ("Work Site",))]),
        ("(A)-[:P {year}]->(B); (A)-[:O]->(C)", [("O", ("A",), ("C",)), ("P", ("A",), ("B",))]),
        ("(A)-[:R]->(B) (no relationship properties listed)", [("R", ("A",), ("B",))]),
        ("(A)-[knows]->(A)", [("knows", ("A",), ("A",))]),
        ("(A)<-[:R|S]-(:B:C)-[:T]->()", [("R", ("B", "C"), ("A",)), ("S", ("B", "C"), ("A",)), ("T", ("B", "C"), ())]),
        ("Level {level: STRING}", []),
        ("Event {ts: DATETIME}", []),
    ],
)
def test_loose_patterns(text: str, expected: object) -> None:
    schema = Schema.read(text)
    assert triples(schema) == expected
    assert schema.coverage.types == bool(expected)


def test_what_one_type_has_at_two_ends_is_kept_apart() -> None:
    schema = Schema.read("(Patient)-[:TOOK_PART {day}]->(Visit); (Visit)-[:TOOK_PART {note}]->(Doctor)")
    assert [edge.properties for edge in schema.edge_types] == [(PropertyType("day"),), (PropertyType("note"),)]


def test_markdown() -> None:
    schema = read("neo4j-markdown")
    person = node(schema, "Person")
    assert schema.coverage == BY_LABEL
    assert named(person.properties, "name").examples == ('Ada "the first" Byron',)
    assert named(person.properties, "mood").values == ("glad", "it's")
    age = named(person.properties, "age")
    assert (age.type, age.minimum, age.maximum) == (INTEGER, 3, 99)
    assert named(node(schema, "Film").properties, "tags").sizes == (1, 4)
    assert node(schema, "Studio").properties == ()
    assert [(edge.type, edge.properties) for edge in schema.edge_types] == [
        ("ACTED_IN", (PropertyType("role", STRING, examples=("Eve",)),)),
        ("MADE_BY", ()),
    ]


def test_texts_that_may_be_cut_are_no_categories() -> None:
    options = ["a" * 50, "b"]
    text = f"Node properties:\n- **A**\n  - `a`: STRING Available options: {options}\nRelationship properties:\n"
    (one,) = node(Schema.read(text + "The relationships:\n"), "A").properties or ()
    assert (one.values, one.examples) == (None, tuple(options))


def test_without_a_list_the_properties_of_edges_are_unknown() -> None:
    schema = read("spanner-markdown")
    assert [edge.properties for edge in schema.edge_types] == [None]
    assert named(node(schema, "Person").properties, "id") == PropertyType("id", DataType("INTEGER32"), nullable=False)
    assert named(node(schema, "Person").properties, "name").nullable is True


def test_structured() -> None:
    schema = read("neo4j-structured-dict")
    person = node(schema, "Person")
    name, mood, age = (named(person.properties, one) for one in ("name", "mood", "age"))
    assert (name.values, name.examples, name.distinct, name.unique) == (None, ("Ada", "Bo"), 2000, True)
    assert (mood.values, age.maximum) == (("glad", "sad"), 99)
    (edge,) = schema.edge_types
    assert edge.properties == (PropertyType("fee", None, examples=("1", "2.5")),)
    assert any("ACTED_IN.fee is listed as INTEGER and has other values" in guess for guess in schema.guesses)


def test_names_that_cypherbench_leaves_out() -> None:
    schema = read("cypherbench-json")
    assert schema.coverage == CLOSED
    assert [one.name for one in node(schema, "Film").properties or ()] == ["name"]
    assert named(node(schema, "Person").properties, "nicknames").type == DataType("LIST", STRING)
    assert schema.guesses


def test_properties_of_no_class() -> None:
    schema = read("zograscope-json")
    assert [one.name for one in node(schema, "Film").properties or ()] == ["name", "year"]
    assert named(node(schema, "Film").properties, "year").type is None
    assert [edge.properties for edge in schema.edge_types] == [None]


def test_comments_of_stockgql() -> None:
    schema = read("stockgql-json")
    person = node(schema, "person")
    assert person.description == "somebody"
    assert named(person.properties, "name").description == "full, known"
    assert named(person.properties, "seen").type == DataType("LOCAL DATETIME")
    assert [edge.properties for edge in schema.edge_types] == [(PropertyType("fee"),)]


def test_ends_in_comments() -> None:
    schema = read("r3-python-classes")
    assert triples(schema) == [("acted_in", ("person",), ("film",)), ("saw", None, None)]
    assert [one.name for one in node(schema, "person").properties or ()] == ["born", "name"]
    assert [one.name for one in schema.edge_types[0].properties or ()] == ["fee"]
    assert any("those of its comment" in guess for guess in schema.guesses)


def test_ends_that_are_not_given() -> None:
    schema = read("tugraph-json")
    assert triples(schema) == [("acted_in", None, None), ("saw", ("person",), ("film",))]
    assert node(schema, "person").key == ("id",)
    assert named(node(schema, "person").properties, "id").nullable is False


@pytest.mark.parametrize(
    ("text", "coverage", "expected"),
    [
        (
            "Relevant node labels and their properties (with datatypes) are:\nA {a: STRING}\nB {}\n\n"
            "Relevant relationships are:\n{'start': A, 'type': R, 'end': B }\n\n"
            "Relevant relationship properties (with datatypes) are:\nR {p: INTEGER}",
            False,
            [("R", ("A",), ("B",))],
        ),
        ("Graph schema: Relevant node labels and their properties  are:\nA\nB\nA", False, []),
        (
            "(:A{label:'A',id:string})-[:R{}]->(:B{id:string})\n(:B{id:string})-[:S{}]->(:A{label:'A',id:string})",
            True,
            [("R", ("A",), ("B",)), ("S", ("B",), ("A",))],
        ),
        (
            '{"R": {"count": 1, "properties": {}, "type": "relationship"}, "A": {"count": 2, "labels": [], '
            '"properties": {"a": {"type": "STRING", "array": true, "existence": true}}, "type": "node", '
            '"relationships": {"R": '
            '{"count": 1, "direction": "out", "labels": ["B", "C"], "properties": {}}}}}',
            True,
            [("R", ("A",), ("B",)), ("R", ("A",), ("C",))],
        ),
        (
            "[<Record nodes=[<Node element_id='-1' labels=frozenset({'A'}) properties={'name': 'A', 'indexes': []}>] "
            "relationships=[<Relationship element_id='-2' nodes=(<Node element_id='-1' labels=frozenset({'A'}) "
            "properties={}>, <Node element_id='-3' labels=frozenset({'B'}) properties={}>) type='R' "
            "properties={'name': 'R'}>]>]",
            True,
            [("R", ("A",), ("B",))],
        ),
        ("| shop_1 | goods : id , kind ( new , old ) , price_(eur) | sale : goods_id , day", False, []),
    ],
)
def test_the_forms_of_text2cypher(text: str, coverage: bool, expected: object) -> None:
    schema = Schema.read(text)
    assert list(formats.sniff(text)) == ["text2cypher-2024-text"]
    assert triples(schema) == expected
    assert schema.coverage.labels is coverage
    assert schema.guesses or coverage


def test_the_first_form_of_langchain() -> None:
    schema = Schema.read(
        "Node properties are the following:\nPerson {name: STRING},Film {title: STRING}\n"
        "Relationship properties are the following:\nACTED_IN {role: STRING}\n"
        "The relationships are the following:\n(:Person)-[:ACTED_IN]->(:Film),(:Person)-[:SAW]->(:Film)"
    )
    assert triples(schema) == [("ACTED_IN", ("Person",), ("Film",)), ("SAW", ("Person",), ("Film",))]
    assert [one.name for one in node(schema, "Film").properties or ()] == ["title"]


def test_columns_with_values() -> None:
    schema = Schema.read("| shop_1 | goods : id , kind ( new , old ) , price_(eur) | sale : goods_id , day")
    assert [one.name for one in node(schema, "goods").properties or ()] == ["id", "kind", "price_(eur)"]
    assert named(node(schema, "goods").properties, "kind").examples == ("new", "old")
    assert schema.name == "shop_1"


def test_two_types_of_one_property_are_none() -> None:
    text = "Node properties:\nA {a: STRING, a: INTEGER}\nRelationship properties:\nThe relationships:\n"
    schema = Schema.read(text)
    assert node(schema, "A").properties == (PropertyType("a"),)
    assert any("A.a has the types STRING and INTEGER" in guess for guess in schema.guesses)


def test_a_type_that_is_none_is_unknown() -> None:
    schema = Schema.read("(A {a: Geometry})-[:R]->(B)")
    assert named(node(schema, "A").properties, "a").type is None
    assert any("`Geometry`" in guess for guess in schema.guesses)


def test_order_does_not_count() -> None:
    one = Schema.read("(A, R, B), (C, S, D)")
    other = Schema.read("(C, S, D), (A, R, B)")
    assert one == other
    assert one.fingerprint == other.fingerprint
    assert one.node_types[0].labels == labels("A")


def test_the_page_has_every_format() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "schema.md").read_text(encoding="utf-8")
    assert [name for name in formats.FORMATS if f"`{name}`" not in page] == []
    document = page.partition("```json\n")[2].partition("```")[0]
    assert Schema.read(document, "json").closed


def test_reading_loads_what_it_needs() -> None:
    program = "import sys, graphir; graphir.Schema.read('(A, R, B)'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"pydantic", "duckdb", "neo4j", "sqlglot", "lark"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('"closed": true', CLOSED),
        ('"closed": false', ENDPOINTS_ONLY),
        ("", ENDPOINTS_ONLY),
        ('"coverage": {"combinations": false}', BY_LABEL),
        ('"closed": false, "coverage": {"combinations": false}', BY_LABEL),
        ('"coverage": {}', CLOSED),
    ],
)
def test_closed(said: str, expected: object) -> None:
    schema = Schema.read(f'{{"graphir": "schema", "version": 1{"," if said else ""} {said}}}')
    assert schema.coverage == expected
    assert bool(schema.guesses) is not bool(said)


def test_closed_does_not_contradict() -> None:
    with pytest.raises(SyntaxFault, match="G083"):
        Schema.read('{"graphir": "schema", "version": 1, "closed": true, "coverage": {"labels": false}}')


def test_numbers_without_end() -> None:
    person = NodeType(("A",), (PropertyType("a", examples=(float("inf"),)),))
    assert named(node(Schema.read(Schema((person,)).write("json")), "A").properties, "a").examples == ("inf",)
    with pytest.raises(SyntaxFault, match="G080"):
        Schema.read(SAMPLES["json"].replace('"STRING"', '"STRING", "minimum": 1e999'))


def test_properties_that_are_left_out_are_unknown() -> None:
    schema = Schema.read(
        '{"A": {"type": "node", "properties": {"a": {"type": "STRING"}}, "relationships": {"R": {"direction": "out", '
        '"labels": ["B"]}}}, "B": {"type": "node", "count": 3}, "R": {"type": "relationship"}}'
    )
    assert node(schema, "B").properties is None
    assert [(edge.type, edge.properties) for edge in schema.edge_types] == [("R", None)]
