"""The examples in docstrings run and give what they show."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import graphir
from graphir.backends.engines.registry import statuses


def modules() -> list[str]:
    """Every module but the drivers of engines that are not here: those import their engine."""
    names = [module.name for module in pkgutil.walk_packages(graphir.__path__, "graphir.")]
    absent = {status.kind.home[0] for status in statuses() if not status.usable}
    return ["graphir", *(name for name in names if not name.endswith("__main__") and name not in absent)]


@pytest.mark.parametrize("name", modules())
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert failed == 0


def test_the_public_functions_have_examples() -> None:
    functions = {name for name in graphir.__all__ if callable(getattr(graphir, name)) and name.islower()}
    assert {name for name in functions if ">>>" not in (getattr(graphir, name).__doc__ or "")} == set()
