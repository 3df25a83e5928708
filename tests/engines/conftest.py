"""Fixtures of the tests against engines."""

import os
from collections.abc import Iterator

import pytest

from graphir.diagnostics import UsageFault
from tests.engines.postgres_programs import unpacked


@pytest.fixture(scope="session", autouse=True)
def postgres_programs() -> Iterator[None]:
    """The programs of a known PostgreSQL stand before those that are installed, if they can be had."""
    with pytest.MonkeyPatch.context() as patch:
        try:
            with unpacked() as folder:
                patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
                yield
        except UsageFault:  # whoever needs a server tells what is missing
            yield
