"""What is to be said about a query of SQL though it is translated: other digits of decimal numbers, the case of rare
letters, and types that are taken to be the same where no schema tells.

Reads core; changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic, diagnose
from graphir.ir import Apply, Expression, Node, Property, Ref
from graphir.passes.selects import kinds as of
from graphir.passes.selects.decimals import DIFFERENT
from graphir.passes.selects.kinds import Types
from graphir.passes.selects.operators import COMPARING
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.schema import Schema


def remarks(core: ir.Query, source: Source, dialect: str, schema: Schema | None) -> list[Diagnostic]:
    """G578 of each column of the result, and one G569 of changed case and G579 of what meets without a known type."""
    types = Types(core, dialect, schema)
    last = core.body.operators[-1] if isinstance(core.body, ir.Pipeline) and core.body.operators else None
    items = last.items if isinstance(last, ir.Project) else ()
    told = "`{}` is a decimal number in the source, and a float in the result: its last digits may differ"
    found = [
        diagnose(source, "G578", told.format(item.name), item.span or core.span, severity="info")
        for item in items
        if types.of(item.value) & (DIFFERENT | {of.ROUNDED})
    ]
    cased = None if dialect in _FULL_CASE else next(filter(_is_cased, ir.walk(core)), None)
    if cased is not None:
        told = (
            "upper and lower case are those of Unicode in the result; the source has its own of rare letters (`ß`, `ς`)"
        )
        found.append(diagnose(source, "G569", told, cased.span or core.span, severity="info"))
    unknown = next(
        (value for values, is_chosen in _meeting(core) if (value := _unlike(values, is_chosen, types)) is not None),
        None,
    )
    if unknown is not None:
        told = "what meets here is taken to be of one type, since no schema tells: a date and a timestamp would differ"
        found.append(diagnose(source, "G579", told, unknown.span or core.span, severity="info"))
    return found


_FULL_CASE = frozenset(("pgq-googlesql", "pgq-hyper"))
"""Dialects whose upper case of `ß` is `SS`, as in graph queries."""


def _is_cased(node: Node) -> bool:
    return isinstance(node, Apply) and node.function in ("toUpper", "toLower")


def _meeting(core: ir.Query) -> Iterator[tuple[list[Expression], bool]]:
    """Values that SQL would make of one type, of each place where such meet, and whether one of them is chosen."""
    for node in ir.walk(core):
        match node:
            case Apply(function, args) if function in COMPARING or function in ("coalesce", "nullIf"):
                parts = [each for arg in args for each in (arg.items if isinstance(arg, ir.ListOf) else (arg,))]
                yield parts, function == "coalesce"
            case ir.Case(subject, branches, default):
                results = [each.result for each in branches] + ([] if default is None else [default])
                yield results, True
                if subject is not None:
                    yield [subject, *[test for each in branches for test in each.tests]], False
            case ir.SetOperation(_, _, branches):
                lasts = [each.operators[-1] for each in branches if isinstance(each, ir.Pipeline) and each.operators]
                rows = [each.items for each in lasts if isinstance(each, ir.Project)]
                yield from [([item.value for item in items], True) for items in zip(*rows, strict=False)]


def _unlike(values: list[Expression], is_chosen: bool, types: Types) -> Expression | None:
    """The first value of which nothing is known, where several of them are of different properties."""
    unknown = [each for each in values if of.ANY in types.of(each)]
    if unknown and any(types.of(each) & of.WHOLE for each in values) and is_chosen:
        return unknown[0]  # a whole number, or one with a point beside one
    if len(unknown) < 2 or len(frozenset[str]().union(*[_keys([each], types) for each in unknown])) < 2:
        return None
    return unknown[0]


def _keys(values: Iterable[Node], types: Types) -> frozenset[str]:
    """The properties that values are; others have a name of their own each."""
    found: set[str] = set()
    pending, seen = list(values), set[str]()
    while pending:
        match pending.pop():
            case Property(_, key):
                found.add(key.lower())
            case Ref(name) if name in types.sources:
                pending += [] if name in seen else types.sources[name]
                seen.add(name)
            case other:
                found.add(f"\0{id(other)}")
    return frozenset(found)
