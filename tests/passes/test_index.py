"""The look-up tables of a schema, and the guess at a name."""

from __future__ import annotations

import gc

import pytest

from graphir.nearest import nearest
from graphir.passes.schema import index
from graphir.passes.schema.index import NOTHING, Index, index_of
from graphir.schema import CLOSED, ENDPOINTS_ONLY, Coverage, EdgeType, NodeType, Schema
from tests.passes.graphs import ALIKE, EXACT, MOVIES, schema


def names(found: Index, label: str) -> set[str]:
    return set(found.node_names(found.labels[label]))


def test_labels_mean_the_types_that_carry_or_inherit_them() -> None:
    found = Index(EXACT)
    assert names(found, "Person") == {"Person", "Actor", "Extra:Person"}
    assert names(found, "Actor") == {"Actor"}
    assert names(found, "Extra") == {"Extra:Person"}


def test_properties_are_inherited() -> None:
    found = Index(EXACT)
    actor = next(at for at, node in enumerate(found.nodes) if node.labels == ("Actor",))
    assert set(found.node_properties[actor]) == {"name", "awards"}


def test_inheritance_may_go_in_a_circle() -> None:
    circle = schema({"A < B": "x", "B < A": "y"}, {}, CLOSED)
    assert names(Index(circle), "A") == {"A", "B"}


def test_ends_that_are_no_node_type_are_types_of_which_nothing_is_known() -> None:
    found = Index(Schema(edge_types=(EdgeType("R", ("A",), ("B",), None),), coverage=ENDPOINTS_ONLY))
    assert set(found.labels) == {"A", "B"}
    assert found.any_node == -1
    assert found.silent_nodes == 0b11


def test_an_unknown_end_may_be_any_node() -> None:
    found = Index(Schema((NodeType(("A",)),), (EdgeType("R", ("A",), None),)))
    assert found.fit(found.types["R"], found.labels["A"], -1)[0]
    assert found.fit(found.types["R"], found.any_node, found.labels["A"])[0]


def test_ends_say_nothing_where_they_are_not_all_listed() -> None:
    found = Index(schema({"A": "", "B": ""}, {"A R B": ""}, Coverage(endpoints=False)))
    assert found.fit(found.types["R"], found.labels["B"], found.labels["A"])[0]


def test_fit_narrows_edge_and_ends() -> None:
    found = Index(MOVIES)
    edges, sources, targets = found.fit(found.any_edge, found.any_node, found.labels["Movie"])
    assert found.edge_names(edges) == ["ACTED_IN", "DIRECTED", "RATED"]
    assert found.node_names(sources) == ["Person", "User"]
    assert found.node_names(targets) == ["Movie"]
    assert found.fit(found.types["RATED"], found.labels["Person"], found.any_node) == NOTHING


@pytest.mark.parametrize(
    ("bounds", "target", "possible"),
    [
        ((1, 1), "Person", False),
        ((2, 2), "Person", True),
        ((3, 3), "Person", False),
        ((1, None), "Person", True),
        ((0, 0), "Movie", True),
        ((0, 0), "Person", False),
        ((4, 4), "Person", False),
        ((5, 5), "Person", True),
        ((6, 8), "Person", True),
        ((100, 100), "Person", True),
    ],
)
def test_paths_are_followed_step_by_step(bounds: tuple[int, int | None], target: str, possible: bool) -> None:
    """Movie -> Studio -> Person -> Movie: back where it began after three."""
    round_trip = Index(
        schema(
            {"Movie": "", "Studio": "", "Person": ""},
            {"Movie R Studio": "", "Studio R Person": "", "Person R Movie": ""},
        )
    )
    found = round_trip.stretch(
        round_trip.types["R"], round_trip.labels["Movie"], round_trip.labels[target], bounds, "out"
    )
    assert bool(found[0]) is possible


def test_labels_alike_are_those_that_share_most_properties() -> None:
    found = Index(ALIKE)
    assert found.node_names(found.with_kin(found.labels["Actor"])) == ["Actor", "Director"]
    assert found.node_names(found.with_kin(found.labels["Movie"])) == ["Movie"]


def test_nothing_is_concluded_where_all_types_look_alike() -> None:
    same = schema({"A": "p q r s", "B": "p q r s", "C": "p q r s"}, {})
    assert Index(same).kin == {}


def test_index_is_made_once_and_goes_with_its_schema() -> None:
    known = schema({"A": ""}, {})
    assert index_of(known) is index_of(known)
    key = id(known)
    assert key in index._INDEXES
    del known
    gc.collect()
    assert key not in index._INDEXES


NEAR = [
    ("name", ["Name", "names"], "Name"),
    ("Movies", ["Person", "Movie"], "Movie"),
    ("categories", ["category", "cat"], "category"),
    ("birth_date", ["birthPlace", "birthDate"], "birthDate"),
    ("tilte", ["title", "plot"], "title"),
    ("ACTEDIN", ["ACTED_IN", "DIRECTED"], "ACTED_IN"),
    ("released", ["title"], None),
    ("x", ["y"], None),
    ("\u00e4", ["\u00c4"], "\u00c4"),
    ("---", ["+++"], None),
]


@pytest.mark.parametrize(("name", "known", "wanted"), NEAR)
def test_nearest_name(name: str, known: list[str], wanted: str | None) -> None:
    assert nearest(name, known) == wanted
