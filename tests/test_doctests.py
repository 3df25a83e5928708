"""The examples in docstrings run and give what they show."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import graphir


def modules() -> list[str]:
    names = [module.name for module in pkgutil.walk_packages(graphir.__path__, "graphir.")]
    return ["graphir", *(name for name in names if not name.endswith("__main__"))]


@pytest.mark.parametrize("name", modules())
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert failed == 0


def test_the_public_functions_have_examples() -> None:
    finder = doctest.DocTestFinder()
    api = import_module("graphir.api")
    shown = {test.name.removeprefix("graphir.api.") for test in finder.find(api) if test.examples}
    functions = {name for name in graphir.__all__ if callable(getattr(graphir, name)) and name.islower()}
    assert functions <= shown
