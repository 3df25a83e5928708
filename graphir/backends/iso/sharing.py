"""Each operand once, in texts of GQL whose length stays linear: what is mentioned several times is a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from graphir import ir
from graphir.functions import AGGREGATES

if TYPE_CHECKING:
    from graphir.backends.iso.expressions import Translator

_SMALL = 8
"""Nodes of an operand that is written as often as it is mentioned."""
_AGGREGATES = (("SUM",), ("STDDEV_SAMP",))
"""Those that are written as calls."""


def once(translator: Translator, values: Sequence[ir.Expression], make: Callable[..., ir.Expression]) -> ir.Expression:
    """What `make` makes of values that it mentions several times: in a subquery that has those that are not small as
    columns, so that texts do not double with every operation in another.  Aggregates stay where their rows are."""
    large = [value for value in values if not ir.at_most(value, _SMALL)]
    if not large or translator.target.subquery != "value" or any(map(_aggregates, large)):
        return make(*values)
    names = {id(value): translator.job.maker.make("v") for value in large}
    lets = [ir.Let((ir.Item(value, names[id(value)]),)) for value in large]
    made = make(*[ir.Ref(names[id(value)]) if id(value) in names else value for value in values])
    return ir.Subquery("value", ir.Pipeline((*lets, ir.Project((ir.Item(made, None),), final=True))))


def _aggregates(value: ir.Expression) -> bool:
    return any(
        (isinstance(each, ir.Call) and each.name in _AGGREGATES)
        or (isinstance(each, ir.Apply) and each.function in AGGREGATES)
        for each in ir.walk(value)
    )
