"""The golden cases hold, and between them they show every operator of the IR."""

import pytest

from graphir import ir
from graphir.backends.cypher.printer import CypherPrinter
from tests.golden_files import OF_GQL, Case, cases, forms


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_case_is_what_graphir_makes(case: Case, request: pytest.FixtureRequest) -> None:
    wanted = case.rendered()
    if request.config.getoption("--update-golden") and case.path.read_text(encoding="utf-8") != wanted:
        case.path.write_text(wanted, encoding="utf-8")
    assert case.path.read_text(encoding="utf-8") == wanted, f"{case.path} differs: `make golden`, then read the diff"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_case_says_why(case: Case) -> None:
    title, prose, *_ = case.head.split("\n\n", 2)
    assert title.startswith("# ")
    assert len(prose.split()) >= 3
    assert not prose.startswith("```")


def test_every_operator_has_a_case() -> None:
    seen = {type(node) for form in forms() for node in ir.walk(form)}
    assert seen >= set(ir.REGISTRY.values()) - OF_GQL


def test_every_operator_is_printed() -> None:
    parts_of_others = {ir.Bounds}  # the edge or group prints its own
    assert set(CypherPrinter.handlers) >= set(ir.REGISTRY.values()) - parts_of_others - OF_GQL
