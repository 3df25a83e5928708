"""EXISTS, COUNT and COLLECT: G048 COLLECT returns one column."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.ir import Node
from graphir.passes.rules.places import Mode, Place

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk


def _subquery(walk: Walk, node: ir.Subquery, mode: Mode, pending: list[Node]) -> None:
    if node.kind == "collect" and not _has_one_column(node.body):
        message = "COLLECT { .. } ends with a RETURN of one column"
        walk.scene.report(
            "G048", message, walk.scene.word("COLLECT", node), "return one expression, or a map of several"
        )
    place = Place(node.kind, open_end=node.kind in ("exists", "count"), reading=node, nested=True)
    walk.bodies.append((node.body, place))


def _has_one_column(body: ir.Body) -> bool:
    pipeline = ir.last_pipeline(body)
    if pipeline is None:
        return True
    last = pipeline.operators[-1]
    if isinstance(last, ir.ProcedureCall):
        return last.yields is not None and len(last.yields) == 1
    return isinstance(last, ir.Project) and last.final and not last.star and len(last.items) == 1


EXPRESSIONS: dict[type[Node], Callable[..., Any]] = {ir.Subquery: _subquery}
