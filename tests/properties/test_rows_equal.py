"""What holds of comparators on any results: symmetry, reflexivity, invariance, agreement with brute force."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from graphir import Edge, Node, Path
from graphir.evaluation import COMPARATORS, Strict, answer_scores, rows_equal
from tests.outside import FULL
from tests.values.strategies import numbers, points, temporals, texts

Table = list[tuple[Any, ...]]

deep = settings(max_examples=2000 if FULL else 80, deadline=None)
NAMES = ("a", "b", "c", "d")

maps = st.dictionaries(st.sampled_from(("k", "l")), st.one_of(st.integers(0, 2), st.none()), max_size=2)
nodes = st.builds(Node, st.integers(0, 2), st.sampled_from(((), ("A",), ("B", "A"))), maps)
edges = st.builds(Edge, st.integers(0, 2), st.sampled_from(("T", "U")), st.integers(0, 2), st.integers(0, 2), maps)
entities: st.SearchStrategy[Any] = st.one_of(nodes, edges, nodes.map(lambda node: Path((node,))))
small: st.SearchStrategy[Any] = st.sampled_from((0, 1, True, 0.0, 1.0, "a", None, 0.5))
atoms: st.SearchStrategy[Any] = st.one_of(small, st.none(), st.booleans(), numbers, texts, temporals, points, entities)
values: st.SearchStrategy[Any] = st.recursive(
    atoms,
    lambda below: st.one_of(
        st.lists(below, max_size=3), st.dictionaries(st.sampled_from(("", "a", "b")), below, max_size=2)
    ),
    max_leaves=5,
)


def tables(cells: st.SearchStrategy[Any], width: int | None = None) -> st.SearchStrategy[Table]:
    widths = st.integers(1, 3) if width is None else st.just(width)
    return widths.flatmap(lambda wide: st.lists(st.tuples(*[cells] * wide), max_size=4))


@st.composite
def nearly_equal(draw: st.DrawFn, cells: st.SearchStrategy[Any] = values) -> tuple[Table, Table]:
    """A table, and the same with rows and columns in another order and perhaps a cell changed."""
    left = draw(tables(cells))
    if not left:
        return left, draw(tables(cells))
    columns = draw(st.permutations(range(len(left[0]))))
    right = [tuple([row[at] for at in columns]) for row in draw(st.permutations(left))]
    if draw(st.booleans()):
        row = draw(st.integers(0, len(right) - 1))
        column = draw(st.integers(0, len(columns) - 1))
        changed = list(right[row])
        changed[column] = draw(cells)
        right[row] = tuple(changed)
    return left, right


def named(rows: Table, names: tuple[str, ...] = NAMES) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=False)) for row in rows]


@deep
@given(tables(values))
def test_strict_is_reflexive(rows: Table) -> None:
    assert rows_equal(rows, rows)
    assert rows_equal(rows, rows, ordered=True)
    for options in (
        Strict(columns="name", entities="content", lists="unordered", numbers="value"),
        Strict(columns="position", entities="identity"),
    ):
        assert rows_equal(named(rows), named(rows), options)


@deep
@given(tables(values))
def test_comparators_of_texts_are_reflexive(rows: Table) -> None:
    for comparator in ("tugraph_legacy", "cypherturn", "pipe"):
        assert rows_equal(rows, rows, comparator)
    assert answer_scores(rows, rows).f1 == 1.0


@deep
@given(nearly_equal(), st.sampled_from(COMPARATORS), st.booleans())
def test_symmetry(pair: tuple[Table, Table], comparator: str, ordered: bool) -> None:
    left, right = pair
    there, back = (rows_equal(one, other, comparator, ordered=ordered) for one, other in ((left, right), (right, left)))
    assert there.equal == back.equal


@deep
@given(nearly_equal())
def test_symmetry_of_options(pair: tuple[Table, Table]) -> None:
    left, right = pair
    for options in (Strict(numbers="value"), Strict(lists="unordered"), Strict(entities="content")):
        assert rows_equal(left, right, options).equal == rows_equal(right, left, options).equal


@deep
@given(nearly_equal(), st.randoms(use_true_random=False), st.sampled_from(COMPARATORS))
def test_the_order_of_rows_does_not_matter(pair: tuple[Table, Table], random: Any, comparator: str) -> None:
    left, right = pair
    shuffled = random.sample(right, len(right))
    assert rows_equal(left, right, comparator).equal == rows_equal(left, shuffled, comparator).equal


@deep
@given(nearly_equal(), st.randoms(use_true_random=False))
def test_the_order_of_columns_does_not_matter(pair: tuple[Table, Table], random: Any) -> None:
    """Where it is promised: strictly and for `cypherbench`, and with their names for `cypherturn` and `pipe`."""
    left, right = pair
    width = len(right[0]) if right else 0
    order = random.sample(range(width), width)
    turned = [tuple([row[at] for at in order]) for row in right]
    for comparator in ("strict", "cypherbench"):
        assert rows_equal(left, right, comparator).equal == rows_equal(left, turned, comparator).equal
    names = tuple([NAMES[at] for at in order])
    for chosen in ("cypherturn", "pipe", Strict(columns="name")):
        found = rows_equal(named(left), named(turned, names), chosen)
        assert rows_equal(named(left), named(right), chosen).equal == found.equal


def by_brute_force(left: Table, right: Table) -> bool:
    """Whether some order of rows and columns makes the tables the same, types included."""
    if not left and not right:
        return True
    if len(left) != len(right) or len(left[0]) != len(right[0]):
        return False
    typed = [[(type(value), value) for value in row] for row in left]
    return any(
        [[(type(row[at]), row[at]) for at in columns] for row in rows] == typed
        for columns in permutations(range(len(left[0])))
        for rows in permutations(right)
    )


@deep
@given(nearly_equal(small))
def test_brute_force(pair: tuple[Table, Table]) -> None:
    left, right = pair
    verdict = rows_equal(left, right)
    assert verdict.equal == by_brute_force(left, right)
    if verdict.permutation is not None:
        turned = [tuple([row[at] for at in verdict.permutation]) for row in right]
        assert rows_equal(left, turned, Strict(columns="position"))


@deep
@given(nearly_equal(st.sampled_from((0.0, 0.4, 0.8, 1.2, 5.0))))
def test_brute_force_within_a_tolerance(pair: tuple[Table, Table]) -> None:
    """Rows pair off if they can, after those that are the same."""
    left, right = pair
    verdict = rows_equal(left, right, Strict(columns="position", absolute=0.5, relative=0.0))
    if len(left) != len(right) or (left and len(left[0]) != len(right[0])):
        assert not verdict
        return
    rest, alone = list(right), []
    for row in left:
        if row in rest:
            rest.remove(row)
        else:
            alone.append(row)
    assert verdict.equal == any(
        all(abs(a - b) <= 0.5 for one, other in zip(alone, way, strict=True) for a, b in zip(one, other, strict=True))
        for way in permutations(rest)
    )


@deep
@given(tables(values).filter(bool), st.data())
def test_a_changed_cell_is_seen(rows: Table, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[0]) - 1))
    changed = [list(each) for each in rows]
    changed[row][column] = "a text that nothing else is"
    verdict = rows_equal(rows, changed, Strict(columns="position"), ordered=True)
    assert not verdict
    assert (verdict.row, verdict.column) == (row, str(column + 1))
    assert verdict.found == changed[row][column]
    assert not rows_equal(rows, changed)


@deep
@given(tables(numbers, 1))
def test_noise_in_the_last_digit_is_not_seen(rows: Table) -> None:
    def noisy(value: Any) -> Any:
        return math.nextafter(value, 0.0) if isinstance(value, float) and math.isfinite(value) else value

    assert rows_equal(rows, [(noisy(value),) for (value,) in rows])


@deep
@given(nearly_equal())
def test_strictly_equal_is_equal_for_those_that_look_at_less(pair: tuple[Table, Table]) -> None:
    left, right = pair
    if rows_equal(left, right):
        for options in (Strict(numbers="value"), Strict(lists="unordered"), Strict(entities="identity")):
            assert rows_equal(left, right, options)
