"""What the release lacks to run graph queries, put into its memory.

The service of this release knows a property graph without its data: (a) it drops the rows of tables where graphs are
given with them, and (b) it never resolves the definitions of properties.  So one catalog is registered with the rows,
one with the graph; here the rows of each table are shared with its namesake, and each definition gets the reference to
its column.  Objects are found by the names of their classes, which C++ keeps (RTTI); no address is fixed, and what does
not fit is an error, never a guess.  The offsets are those of the pinned release: of SimpleGraphPropertyDefinition,
SimpleTable, SimpleColumn and ResolvedCatalogColumnRef in zetasql 2025.11.2, libc++, wasm32.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

from graphir.backends.engines.googlesql.catalog import Place
from graphir.backends.engines.googlesql.wasm import Instance

_CLASSES = {
    "definition": b"N7zetasql29SimpleGraphPropertyDefinitionE",
    "table": b"N7zetasql11SimpleTableE",
    "column": b"N7zetasql12SimpleColumnE",
    "reference": b"N7zetasql24ResolvedCatalogColumnRefE",
}
_EMPTY = b"\0\0\0\0"
_LONGEST = 1 << 20
_REFERENCE = 64
"""Bytes of a reference, with room."""
_TABLE = 400
"""No more of a table is looked at."""
_FOUND: dict[str, int] = {}
"""Class -> the address of its virtual table: the same in every instance of the library."""


class Unrepairable(AssertionError):
    """The memory does not look as that of the pinned release does."""


def repair(instance: Instance, tables: Sequence[str], prefix: str, marks: Mapping[str, Place]) -> None:
    """Make the catalog registered last able to run graph queries.

    `tables` also exist with the prefix, and with rows; `marks` are the expressions of properties.
    """
    memory = instance.read(0, instance.size())
    if not _FOUND:
        _FOUND.update({name: _virtual_table(memory, rtti) for name, rtti in _CLASSES.items()})
    reading = _Reading(instance, memory)
    _share_rows(reading, tables, prefix)
    _resolve(reading, marks)


class _Reading:
    """The memory as it was, and the instance to change it."""

    def __init__(self, instance: Instance, memory: bytes) -> None:
        self.instance = instance
        self.memory = memory

    def objects(self, name: str) -> Iterator[int]:
        return _words(self.memory, _FOUND[name])

    def word(self, place: int) -> int:
        return int.from_bytes(self.memory[place : place + 4], "little")

    def text(self, place: int) -> str | None:
        """The std::string there: short ones lie in place, with their length in the last byte."""
        raw = self.memory[place : place + 12]
        if len(raw) < 12:
            return None
        if raw[11] <= 11:
            return raw[: raw[11]].decode("utf-8", "replace")
        start, size, capacity = struct.unpack("<III", raw)
        if not capacity >> 31 or size >= _LONGEST or start + size > len(self.memory):
            return None
        return self.memory[start : start + size].decode("utf-8", "replace")


def _words(memory: bytes, number: int) -> Iterator[int]:
    """The places where a number stands, on word boundaries."""
    pattern = struct.pack("<I", number)
    at = memory.find(pattern)
    while at != -1:
        if at % 4 == 0:
            yield at
        at = memory.find(pattern, at + 1)


def _virtual_table(memory: bytes, rtti: bytes) -> int:
    """Name of the class <- type_info <- virtual table, which begins with a zero and the type_info."""
    name = memory.find(b"\0" + rtti + b"\0") + 1
    infos = [place - 4 for place in _words(memory, name)]
    found = [at + 4 for info in infos for at in _words(memory, info) if memory[at - 4 : at] == _EMPTY]
    if len(found) != 1:
        raise Unrepairable(f"{rtti.decode()} is there {len(found)} times")
    return found[0]


def _share_rows(reading: _Reading, tables: Sequence[str], prefix: str) -> None:
    """SimpleTable: what is empty in the table of the graph and set in its namesake are the pointers to the rows."""
    named: dict[str, list[int]] = {}
    for place in reading.objects("table"):
        name = reading.text(place + 4)
        if name:
            named.setdefault(name, []).append(place)
    for table in tables:
        filled, bare = named.get(prefix + table, []), named.get(table, [])
        if len(filled) != 1 or len(bare) != 1:
            raise Unrepairable(f"table {table} is there {len(filled)} and {len(bare)} times")
        source, target = filled[0], bare[0]
        size = min(_allocated(reading, source), _allocated(reading, target), _TABLE)
        for at in range(0, size - 3, 4):
            given = reading.memory[source + at : source + at + 4]
            if given != _EMPTY and reading.memory[target + at : target + at + 4] == _EMPTY:
                reading.instance.write(target + at, given)


def _allocated(reading: _Reading, place: int) -> int:
    """The bytes of an allocation: the word before it has its size, with flags in the last bits."""
    return (reading.word(place - 4) & ~7) - 4


def _resolve(reading: _Reading, marks: Mapping[str, Place]) -> None:
    """SimpleGraphPropertyDefinition: virtual table, declaration, text of the expression, resolved expression.

    SimpleGraphPropertyDeclaration has its type at 28, SimpleColumn its name at 4, its full name at 16, its type at 28.
    """
    columns = {reading.text(place + 16): place for place in reading.objects("column")}
    resolved = 0
    for place in reading.objects("definition"):
        mark = reading.text(place + 8)
        if mark is None or mark not in marks:
            continue
        table, name = marks[mark]
        column = columns.get(f"{table}.{name}")
        if column is None:
            raise Unrepairable(f"there is no column {table}.{name}")
        _refer(reading, place, column)
        resolved += 1
    if resolved != len(marks):
        raise Unrepairable(f"{resolved} of {len(marks)} properties were found")


def _refer(reading: _Reading, definition: int, column: int) -> None:
    """ResolvedCatalogColumnRef: its type at 12, its column at 24."""
    instance = reading.instance
    made = instance.allocate(_REFERENCE)
    instance.write(made, bytes(_REFERENCE))
    instance.write_word(made, _FOUND["reference"])
    instance.write_word(made + 12, reading.word(reading.word(definition + 4) + 28))
    instance.write_word(made + 24, column)
    instance.write_word(definition + 20, made)
