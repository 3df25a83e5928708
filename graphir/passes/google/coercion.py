"""Which types become which without a CAST, and the type that several have in common.

Facts: GoogleSQL's conversion rules (docs/conversion_rules.md: coercion, literal and parameter coercion, supertypes).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphir.passes.google.types import ELEMENTS, INTEGERS, NUMBERS, UNKNOWN, Type, array_of, named, path_of


class Typed(NamedTuple):
    """The type of an expression, and what makes it easier to coerce.

    `constant` is null, literal, parameter or empty; `value` is that of a literal number or text.
    """

    type: Type
    constant: str = ""
    value: int | float | str | bool | None = None


ANYTHING = Typed(UNKNOWN)

COERCIONS: dict[str, tuple[str, ...]] = {
    "INT32": ("INT64", "NUMERIC", "BIGNUMERIC", "DOUBLE"),
    "INT64": ("NUMERIC", "BIGNUMERIC", "DOUBLE"),
    "UINT32": ("INT64", "UINT64", "NUMERIC", "BIGNUMERIC", "DOUBLE"),
    "UINT64": ("NUMERIC", "BIGNUMERIC", "DOUBLE"),
    "FLOAT": ("DOUBLE",),
    "NUMERIC": ("BIGNUMERIC", "DOUBLE"),
    "BIGNUMERIC": ("DOUBLE",),
    "DATE": ("DATETIME",),
}
"""Values of a type -> types that take them, the nearest first."""

LITERALS: dict[str, frozenset[str]] = {
    "INT64": frozenset({"INT32", "UINT32", "UINT64", "FLOAT", "ENUM"}),
    "DOUBLE": frozenset({"FLOAT", "NUMERIC", "BIGNUMERIC"}),
    "STRING": frozenset({"DATE", "TIMESTAMP", "DATETIME", "TIME", "ENUM", "PROTO", "UUID", "INTERVAL", "BYTES"}),
    "BYTES": frozenset({"PROTO"}),
    "TIMESTAMP": frozenset({"DATETIME"}),
}
"""The same of literals and parameters, beyond what holds of values."""

RANGES = {"INT32": (-(2**31), 2**31 - 1), "UINT32": (0, 2**32 - 1), "UINT64": (0, 2**64 - 1)}
"""Which integers a literal may be to become one of a type."""


def coerces(given: Typed, wanted: Type) -> bool:
    """Whether an expression may stand where a value of that type is wanted."""
    source = given.type
    if source == wanted or given.constant == "null" or "UNKNOWN" in (source.kind, wanted.kind):
        return True
    if source.kind == "ARRAY" and wanted.kind == "ARRAY":
        return _array_coerces(given, wanted)
    if source.kind == wanted.kind == "STRUCT":
        pairs = zip(source.fields, wanted.fields, strict=False)
        return len(source.fields) == len(wanted.fields) and all(
            coerces(Typed(of, given.constant), to) for (_, of), (_, to) in pairs
        )
    if source.kind in ELEMENTS or source.kind == "GRAPH_PATH":
        return source.kind == wanted.kind and source.graph == wanted.graph
    if source.kind == wanted.kind:
        return True
    if wanted.kind in COERCIONS.get(source.kind, ()):
        return True
    return bool(given.constant) and wanted.kind in LITERALS.get(source.kind, ()) and _fits(given, wanted)


def _array_coerces(given: Typed, wanted: Type) -> bool:
    source = given.type
    assert source.element is not None
    assert wanted.element is not None
    if "UNKNOWN" in (source.element.kind, wanted.element.kind):
        return True
    if given.constant:
        return coerces(Typed(source.element, given.constant), wanted.element)
    return source.element.kind in ELEMENTS and coerces(Typed(source.element), wanted.element)


_MARKS = {"DATE": "-", "DATETIME": "-", "TIMESTAMP": "-", "TIME": ":"}
"""What a text that is a date or time holds, behind a digit."""


def _fits(given: Typed, wanted: Type) -> bool:
    if isinstance(given.value, str) and wanted.kind in _MARKS:
        return given.value[:1].isdigit() and _MARKS[wanted.kind] in given.value
    bounds = RANGES.get(wanted.kind)
    return bounds is None or not isinstance(given.value, int) or bounds[0] <= given.value <= bounds[1]


def supertype(given: Sequence[Typed]) -> Type | None:
    """The type that values of all of them have in common; None where there is none."""
    firm = [each for each in given if each.constant != "null"]
    if not firm:
        return given[0].type if given else UNKNOWN
    if any(each.type.kind == "UNKNOWN" for each in firm):
        return UNKNOWN
    values = [each for each in firm if not each.constant]
    if values and len(values) < len(firm):
        common = _common([each.type for each in values])
        if common is not None and common.kind == "BYTES" and any(each.type.kind == "STRING" for each in firm):
            return None
        if common is not None and all(coerces(each, common) for each in firm):
            return common
    return _common([each.type for each in firm]) or _of_literals(firm)


def _of_literals(given: Sequence[Typed]) -> Type | None:
    """Of what is literal in part: a type of one that the others become."""
    return next((each.type for each in given if all(coerces(other, each.type) for other in given)), None)


def _common(types: Iterable[Type]) -> Type | None:
    found = list(dict.fromkeys(types))
    if len(found) == 1:
        return found[0]
    kinds = {each.kind for each in found}
    if len(kinds) == 1:
        return _of_one_kind(found)
    for each in found:
        if all(coerces(Typed(other), each) for other in found):
            return each
    if kinds <= {"INT32", "UINT32", "INT64"}:
        return named("INT64")
    return named("DOUBLE") if "FLOAT" in kinds and kinds <= NUMBERS else None


def _of_one_kind(found: list[Type]) -> Type | None:
    first = found[0]
    if first.kind in ELEMENTS:
        return merged(found) if len({each.graph.lower() for each in found}) == 1 else None
    if first.kind == "GRAPH_PATH":
        if len({each.graph.lower() for each in found}) > 1:
            return None
        nodes, edges = ([each.field(part) or UNKNOWN for each in found] for part in ("node", "edge"))
        return path_of(first.graph, merged(nodes), merged(edges))
    if first.kind == "ARRAY":
        elements = [each.element or UNKNOWN for each in found]
        if any(each.kind == "UNKNOWN" for each in elements):
            return UNKNOWN
        common = _common(elements) if all(each.kind in ELEMENTS for each in elements) else None
        return array_of(common) if common is not None else None
    if first.kind == "STRUCT":
        if len({len(each.fields) for each in found}) > 1:
            return None
        columns = [_common([each.fields[at][1] for each in found]) for at in range(len(first.fields))]
        if any(each is None for each in columns):
            return None
        return Type(
            "STRUCT", None, tuple([(name, of or UNKNOWN) for (name, _), of in zip(first.fields, columns, strict=True)])
        )
    return first


def merged(elements: Sequence[Type]) -> Type:
    """Elements that are of one of these types: with the properties of all."""
    fields: dict[str, tuple[str, Type]] = {}
    for each in elements:
        for name, of in each.fields:
            fields.setdefault(name.lower(), (name, of))
    first = elements[0]
    listed = tuple([fields[name] for name in sorted(fields)])
    return Type(first.kind, None, listed, first.graph, any(each.open for each in elements))


def is_number(of: Type) -> bool:
    return of.kind in NUMBERS or of.kind == "UNKNOWN"


def is_integer(of: Type) -> bool:
    return of.kind in INTEGERS or of.kind == "UNKNOWN"
