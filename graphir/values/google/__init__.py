"""The functions and operators of GQL that Cypher does not have, by their canonical names in `graphir.gql_functions`.

They mean what they mean in GoogleSQL; ISO GQL has some of them under other names.  Knows no dialect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir.values.faults import fault
from graphir.values.google import arrays, casts, documents, format, moments, numbers, regex, strings
from graphir.values.google.arguments import strict


@strict
def error(message: Any) -> Any:
    """ERROR(message)."""
    raise fault("G651", f"ERROR(): {message}")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **numbers.FUNCTIONS,
    **strings.FUNCTIONS,
    **regex.FUNCTIONS,
    **arrays.FUNCTIONS,
    **documents.FUNCTIONS,
    **casts.FUNCTIONS,
    **moments.FUNCTIONS,
    **format.FUNCTIONS,
    "error": error,
}
"""Canonical name -> function."""
