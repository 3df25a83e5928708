"""Random cases: the same number gives the same case, everywhere; the simplest choices give the simplest case."""

import hashlib
import subprocess
import sys

import pytest

from graphir.diagnostics import UsageFault
from graphir.generation import PROFILES, Dice, RandomDice, case, cases
from graphir.generation.dice import Weighted
from graphir.graphs import PropertyGraph

PROGRAM = """
import hashlib
from graphir.generation import case
made = [case(seed) for seed in range(20)]
print(hashlib.sha256("".join(f"{each.query}{each.graph}{each.parameters}" for each in made).encode()).hexdigest())
"""


class Simplest(Dice):
    """Always the first option."""

    def below(self, bound: int) -> int:
        return 0


def test_a_number_gives_the_same_case_in_every_process() -> None:
    texts = []
    for seed in range(20):
        made = case(seed)
        texts.append(f"{made.query}{made.graph}{made.parameters}")
    here = hashlib.sha256("".join(texts).encode()).hexdigest()
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == here


def test_numbers_give_different_cases() -> None:
    assert len({case(seed).query for seed in range(200)}) > 150


def test_the_first_options_are_the_simplest() -> None:
    made = case(Simplest())
    assert made.graph == PropertyGraph()
    assert len(made.query) < 40
    assert made.parameters == {}
    filled = case(Simplest(), nonempty=True)
    assert len(filled.graph.nodes) == 1
    assert len(filled.query) < 40


def test_several_queries_share_one_graph() -> None:
    found = cases(3, 10)
    assert len({id(each.graph) for each in found}) == 1
    assert len({each.query for each in found}) > 5


def test_weights_are_kept() -> None:
    dice = RandomDice(1)
    options = Weighted((("rare", 1), ("often", 9), ("never", 0)))
    drawn = [dice.weighted(options) for _ in range(2000)]
    assert set(drawn) == {"rare", "often"}
    assert 130 < drawn.count("rare") < 270


def test_repetitions_stay_in_their_bounds() -> None:
    dice = RandomDice(2)
    lengths = {len(list(dice.repeats(1, 4, 0.7))) for _ in range(500)}
    assert lengths == {1, 2, 3, 4}


def test_unknown_names_are_told() -> None:
    with pytest.raises(UsageFault, match="unknown profile 'nothing'; known: reads"):
        case(1, profile="nothing")
    with pytest.raises(UsageFault, match="sql-duckdb"):
        case(1, dialect="sql-duckdb")


@pytest.mark.parametrize("profile", PROFILES)
def test_features_are_those_of_the_profile(profile: str) -> None:
    features = {feature for seed in range(300) for feature in case(seed, profile=profile).features}
    for name, weight in PROFILES[profile].weights.items():
        assert weight > 0 or name not in features, name
    assert {"MATCH", "property map"} <= features
    assert ("CREATE" in features) == (profile == "writes")
