"""What is known of the types of values, without running anything: of variables, of properties under a schema.

A type is an integer of `graphir.types`.  GoogleSQL picks the meaning of some functions by the static types of their
arguments, where Cypher looks at the values; where the types decide, they are asked for here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphir import ir, types
from graphir.functions import FUNCTIONS
from graphir.gql_functions import GQL_FUNCTIONS, SAFE
from graphir.schema import DataType, Schema
from graphir.signatures import Signature, signatures
from graphir.types import ANY, BOOLEAN, FLOAT, INTEGER, LIST, MAP, NUMBER, STRING

Environment = dict[str, int]
"""The variables in scope and their types."""

_LITERALS: dict[type, int] = {str: STRING, int: INTEGER, float: FLOAT, bool: BOOLEAN, type(None): 0}
_TESTS = frozenset(
    (
        *("and", "or", "xor", "not", "eq", "ne", "lt", "le", "gt", "ge", "in", "starts_with", "ends_with", "contains"),
        *("matches", "is_null", "is_not_null", "exists"),
    )
)
_ARITHMETIC = frozenset(("add", "sub", "mul", "div", "mod", "neg", "pos"))


class Kinds:
    """The types of properties by name, and the signatures of functions."""

    def __init__(self, schema: Schema | None) -> None:
        self.signatures: Mapping[str, Signature] = signatures("neo4j-25")
        self._properties: dict[str, int] = {}
        self._optional: set[str] = set()
        if schema is None:
            return
        for each in [each for known in schema.types for each in known.properties or ()]:
            found = ANY if each.type is None else declared(each.type)
            if each.nullable is not False:
                self._optional.add(each.name)
            self._properties[each.name] = self._properties.get(each.name, 0) | found

    def property(self, name: str) -> int:
        """The type of a property of that name, of whatever element."""
        return self._properties.get(name, ANY)

    def is_always_there(self, name: str) -> bool:
        """Whether every element that declares the property has a value of it."""
        return name in self._properties and name not in self._optional

    def applied(self, node: ir.Apply, operands: Sequence[int]) -> int:
        """The type of an operator or function on operands of these types."""
        name = node.function
        if name in _TESTS:
            return BOOLEAN
        if name in _ARITHMETIC:
            return _arithmetic(operands)
        if name in ("concat", "coalesce"):
            return joined(operands)
        row = GQL_FUNCTIONS.get(name.removeprefix(SAFE))
        if row is not None and name not in FUNCTIONS:
            return result_of(row.result, operands)
        signature = self.signatures.get(name)
        if signature is None:
            return ANY
        return result_of(signature.rule, operands) if signature.rule else signature.result


def result_of(rule: str, operands: Sequence[int]) -> int:
    """The type that a table of functions states: a type, or a rule about the operands."""
    first = operands[0] if operands else ANY
    if rule == "?":
        return ANY
    if rule == "=":
        return first or ANY
    if rule == "=[]":
        return types.list_of(first)
    if rule == "=*":
        return types.element_of(first & LIST)
    return joined(operands) if rule == "=|" else types.read(rule)


def literal(node: ir.Literal) -> int:
    return _LITERALS[type(node.value)]


def declared(data: DataType) -> int:
    """The type that a schema declares for a property; ANY for one that has none here."""
    if data.name == "LIST":
        return LIST if data.element is None else types.list_of(declared(data.element))
    return _DECLARED.get(data.name, ANY)


_DECLARED: dict[str, int] = {
    **{name: types.read(name.replace(" ", "_")) for name in types.DECLARABLE},
    **dict.fromkeys(("INTEGER8", "INTEGER16", "INTEGER32"), INTEGER),
    "FLOAT32": FLOAT,
}


def named(value_type: ir.ValueType) -> int:
    """The type of a value type of the IR; ANY for one that Cypher does not have."""
    if value_type.name == "LIST":
        return types.list_of(named(value_type.arguments[0])) if value_type.arguments else LIST
    if value_type.name == "RECORD":
        return MAP
    return _DECLARED.get(value_type.name, ANY)


def joined(operands: Iterable[int]) -> int:
    """The type of a value that is one of these; nothing known is ANY."""
    found = 0
    for operand in operands:
        found |= operand
    return found or ANY


def _arithmetic(operands: Sequence[int]) -> int:
    if all(operand == INTEGER for operand in operands):
        return INTEGER
    numbers = all(operand and not operand & ~NUMBER for operand in operands)
    if numbers:
        return FLOAT if FLOAT in operands else NUMBER
    return ANY


def is_only(value: int, kind: int) -> bool:
    """Whether a value is surely of the kind, or null."""
    return not value & ~kind
