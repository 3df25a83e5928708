"""The examples in docstrings run and give what they show."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import graphir
from graphir.backends.engines.registry import statuses


def modules() -> list[str]:
    """Every module but those of engines that are not here, which import their engine: `drivers.spark_session` too."""
    names = [module.name for module in pkgutil.walk_packages(graphir.__path__, "graphir.")]
    absent = [status.kind for status in statuses() if not status.usable]
    drivers = tuple([kind.home[0] for kind in absent])
    libraries = tuple([f"graphir.backends.engines.{kind.name}." for kind in absent])
    kept = [name for name in names if not name.startswith((*drivers, *libraries))]
    return ["graphir", *(name for name in kept if not name.endswith("__main__"))]


@pytest.mark.parametrize("name", modules())
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert failed == 0


def test_the_public_functions_have_examples() -> None:
    functions = {name for name in graphir.__all__ if callable(getattr(graphir, name)) and name.islower()}
    assert {name for name in functions if ">>>" not in (getattr(graphir, name).__doc__ or "")} == set()
