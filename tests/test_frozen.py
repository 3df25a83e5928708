"""Frozen classes: made from drafts, and as `dataclass(frozen=True, slots=True)` makes them otherwise."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field

import pytest

from graphir import ir
from graphir.frozen import draft_of, frozen


@frozen
class Pair:
    """What the tests look at."""

    left: int
    right: str = "r"
    items: list[int] = field(default_factory=list, compare=False)
    seen: list[int] = field(default_factory=list, init=False, compare=False)
    note: str | None = field(default=None, kw_only=True)


def test_fields_are_given_by_place_and_by_name_and_have_their_defaults() -> None:
    made = Pair(1, note="n")
    assert (made.left, made.right, made.items, made.seen, made.note) == (1, "r", [], [], "n")
    assert Pair(left=1, right="s", items=[2]).items == [2]
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Pair(1, "r", [], "n")  # type: ignore[misc]


def test_no_two_share_what_a_factory_makes() -> None:
    one, two = Pair(1), Pair(1)
    one.items.append(1)
    one.seen.append(1)
    assert two.items == two.seen == []


def test_nothing_is_set_or_deleted_once_it_is_made() -> None:
    made = Pair(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.left = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del made.left  # pyright: ignore[reportAttributeAccessIssue]


def test_equal_values_are_equal_and_have_one_hash() -> None:
    assert Pair(1, items=[1]) == Pair(1)
    assert hash(Pair(1, items=[1])) == hash(Pair(1))
    assert Pair(1) != Pair(2)
    assert repr(Pair(1)) == "Pair(left=1, right='r', items=[], seen=[], note=None)"


def test_copies_and_pickles_are_equal() -> None:
    made = Pair(1, "s", note="n")
    for again in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert type(again) is Pair
        assert again == made
    assert dataclasses.replace(made, left=2) == Pair(2, "s", note="n")


def test_a_draft_has_no_place_in_the_bits_of_the_classes_of_nodes() -> None:
    draft = draft_of(ir.Ref)
    assert draft.bit_ == ir.Ref.bit_
    assert type(ir.Ref("x")) is ir.Ref


def test_a_node_that_is_unpickled_knows_what_is_in_it() -> None:
    node = ir.Property(ir.Ref("x"), "k")
    again = pickle.loads(pickle.dumps(node))
    assert again == node
    assert ir.holds(again, ir.Ref)
    assert not ir.holds(again, ir.Apply)
