"""The check of types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.passes.typed.clauses import infer_query
from graphir.passes.typed.inference import Inference

if TYPE_CHECKING:
    from graphir.passes.context import Context


def check_types(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    """What does not fit: operands, arguments, names of functions and procedures."""
    state = Inference(context.source, context.dialect)  # type: ignore[arg-type]
    infer_query(state, query)
    return state.found
