"""Random schemas and graphs: schemas can be written, graphs conform to them and have what is hard."""

import math
from collections import Counter
from typing import Any

import pytest

import graphir
from graphir.generation import RandomDice, graph, schema
from graphir.generation.kinds import NULLED, STRANGE, TYPES, VALUES, kind_of, kind_of_value, literal, spelled
from graphir.generation.vocabulary import Vocabulary, full_labels, full_properties
from graphir.graphs import PropertyGraph
from graphir.schema.model import CLOSED, NodeType, PropertyType, Schema

SEEDS = range(400)


def made(seed: int, **options: Any) -> tuple[Schema, PropertyGraph]:
    dice = RandomDice(f"ground {seed}")
    known = schema(dice)
    return known, graph(dice, known, **options)


def test_schemas_are_closed_and_can_be_written() -> None:
    for seed in SEEDS:
        known = schema(RandomDice(seed), awkward=0.3)
        assert known.coverage == CLOSED
        assert known.node_types
        assert Schema.read(known.write(), "json") == known


def test_schemas_have_what_is_hard() -> None:
    found: Counter[str] = Counter()
    for seed in SEEDS:
        known = schema(RandomDice(seed), awkward=0.2)
        names = [label for each in known.node_types for label in each.labels] + [e.type for e in known.edge_types]
        found["several labels"] += any(len(each.labels) > 1 for each in known.node_types)
        found["no label"] += any(not each.labels for each in known.node_types)
        found["awkward"] += any(spelled(name) != name for name in names)
        found["twins"] += len({name.lower() for name in names}) < len(set(names))
        found["no edge type"] += not known.edge_types
        found["two ends"] += any(each.source != each.target for each in known.edge_types)
    assert min(found.values()) > 5, found
    assert len(found) == 6


def test_graphs_conform_to_their_schema() -> None:
    for seed in SEEDS:
        known, elements = made(seed)
        rows = {full_labels(each, known): full_properties(each, known) for each in known.node_types}
        labels = {node.id: tuple(sorted(node.labels)) for node in elements.nodes}
        for node in elements.nodes:
            conforms(node.properties, rows[labels[node.id]])
        for edge in elements.edges:
            fitting = [
                each
                for each in known.edge_types
                if (each.type, each.source, each.target) == (edge.type, labels[edge.start], labels[edge.end])
            ]
            assert fitting
            conforms(edge.properties, fitting[0].properties or ())


def conforms(row: Any, declared: tuple[PropertyType, ...]) -> None:
    known = {each.name: each for each in declared}
    assert set(row) <= set(known)
    assert all(each.nullable or each.name in row for each in declared)
    for key, value in row.items():
        kind = kind_of(known[key])
        found = kind_of_value(value)
        assert kind in (found, "any") or (kind == "big" and found == "int") or value == [], (key, value)


def test_graphs_have_what_is_hard() -> None:
    found: Counter[str] = Counter()
    for seed in SEEDS:
        _, elements = made(seed)
        ends = [(edge.start, edge.end) for edge in elements.edges]
        values = [value for each in elements.elements() for value in each.properties.values()]
        found["empty"] += not elements.nodes
        found["parallel"] += len(set(ends)) < len(ends)
        found["loop"] += any(start == end for start, end in ends)
        found["cycle"] += any((end, start) in ends for start, end in ends if start != end)
        found["isolated"] += any(all(node.id not in each for each in ends) for node in elements.nodes)
        found["same id"] += bool({n.id for n in elements.nodes} & {e.id for e in elements.edges})
        found["alike"] += {1, "1"} <= {node.id for node in elements.nodes}
        found["empty text"] += "" in [value for value in values if isinstance(value, str)]
        found["empty list"] += [] in [value for value in values if isinstance(value, list)]
        found["NaN"] += any(isinstance(value, float) and math.isnan(value) for value in values)
        found["large"] += any(isinstance(value, int) and abs(value) > 1 << 53 for value in values)
    assert len(found) == 11
    assert min(found.values()) > 3, found


def test_sizes_are_kept() -> None:
    for seed in range(50):
        _, elements = made(seed, nodes=(3, 3), edges=(0, 2))
        assert len(elements.nodes) == 3
        assert len(elements.edges) <= 2


def test_a_graph_gives_a_vocabulary() -> None:
    elements = PropertyGraph.from_dict(
        {
            "nodes": [
                {"id": 1, "labels": ["B", "A"], "properties": {"x": 1, "key": 1}},
                {"id": 2, "labels": ["A"], "properties": {"x": "a", "key": 2}},
            ],
            "edges": [{"type": "R", "start": 1, "end": 2, "properties": {"w": 0.5}}],
        }
    )
    found = Vocabulary.of_graph(elements)
    assert found.labels == ("A", "B")
    assert (found.edges[0].source, found.edges[0].target) == (("A", "B"), ("A",))
    assert {each.name: each.kind for each in found.properties} == {"x": "any", "key": "int"}
    assert found.node_key == "key"


def test_labels_of_parents_count() -> None:
    known = Schema(
        (
            NodeType(("P",), (PropertyType("x", TYPES["int"]),)),
            NodeType(("C",), (PropertyType("y", TYPES["str"]),), parents=("P",)),
        )
    )
    child = next(each for each in Vocabulary.of_schema(known).nodes if "C" in each.labels)
    assert child.labels == ("C", "P")
    assert {each.name for each in child.properties} == {"x", "y"}


@pytest.mark.parametrize("kind", VALUES)
def test_literals_give_their_value(kind: str) -> None:
    values = [*VALUES[kind], *STRANGE.get(kind, ()), *NULLED.get(kind, ())]
    with graphir.connect() as db:
        texts = ", ".join(f"{literal(value)} AS c{at}" for at, value in enumerate(values))
        (row,) = db.run(f"RETURN {texts}").rows
    assert graphir.rows_equal([tuple(values)], [row])
