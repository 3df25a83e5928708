"""Values as JSON and Python print them, each with its place in the text.

`json` of the standard library says nowhere where a value stood, and several formats are only almost JSON: Python's
quotes and tuples, bare words, comments, the `repr` of a driver's records.  This reads them all.  Knows no format.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from graphir.schema.scanner import Scanner, fail

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)*'")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)")
_WORD = re.compile(r"[^\W\d]\w*")
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})|(.))", re.DOTALL
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": ""}
_CONSTANTS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_CLOSE = {"{": "}", "[": "]", "(": ")"}
_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Literal:
    """A value and the offset where it begins.

    `value` is None, a bool, a number or a text; a list of literals for lists, tuples and sets; a dict from names to
    literals for records.  `comment` is what a `#` after it says.
    """

    text: str
    start: int
    value: Any
    comment: str | None = None

    def fail(self, expected: str) -> NoReturn:
        fail(self.text, self.start, expected)

    def string(self) -> str:
        if not isinstance(self.value, str):
            self.fail("a text")
        return self.value

    def name(self) -> str:
        """A text that is not empty: a label, an edge type, the name of a property."""
        if not isinstance(self.value, str) or not self.value:
            self.fail("a name")
        return self.value

    def items(self) -> list[Literal]:
        if not isinstance(self.value, list):
            self.fail("a list")
        return self.value

    def record(self) -> dict[str, Literal]:
        if not isinstance(self.value, dict):
            self.fail("an object")
        return self.value

    def entries(self) -> Iterator[tuple[str, Literal]]:
        yield from self.record().items()

    def get(self, key: str) -> Literal | None:
        """The member of that name, or None; null counts as absent."""
        found = self.record().get(key)
        return None if found is None or found.value is None else found

    def __getitem__(self, key: str) -> Literal:
        found = self.get(key)
        if found is None:
            self.fail(f"an object with the key `{key}`")
        return found

    def has(self, *keys: str) -> bool:
        return isinstance(self.value, dict) and all(key in self.value for key in keys)

    def plain(self) -> Any:
        """The value without places; lists are tuples."""
        if isinstance(self.value, list):
            return tuple(item.plain() for item in self.value)
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        return self.value


def parse(text: str, *, bare: bool = False, comments: bool = False) -> Literal:
    """The one value that the text is.

    `bare`: words without quotes are texts, `<Name key=value>` is a record and `name(value)` that value.
    `comments`: `# ...` after a value is a comment; it ends where the next value or the end of the list begins.
    """
    reader = _Reader(text, bare, comments)
    value = reader.value(0)
    if not reader.scan.blank().done:
        reader.scan.fail("the end")
    return value


def parse_at(scan: Scanner, *, bare: bool = False) -> Literal:
    """The value that stands where the scanner is, which is left behind it."""
    reader = _Reader(scan.text, bare, False)
    reader.scan = scan
    return reader.value(0)


class _Reader:
    """Recursive descent over one text, no deeper than `_DEPTH`.  Of a key that comes twice the last counts."""

    def __init__(self, text: str, bare: bool, comments: bool) -> None:
        self.scan = Scanner(text)
        self.bare = bare
        self.comments = comments

    def value(self, depth: int) -> Literal:
        scan = self.scan.blank()
        start = scan.at
        if depth > _DEPTH:
            scan.fail("less nesting")
        if scan.looking_at("{"):
            value = self._braces(depth)
        elif scan.looking_at("[", "("):
            value = self._sequence(depth)
        elif self.bare and scan.looking_at("<"):
            value = self._repr(depth)
        else:
            value = self._atom(depth)
        return Literal(scan.text, start, value, self._comment())

    def _atom(self, depth: int) -> Any:
        scan = self.scan
        text = scan.text
        if found := _STRING.match(text, scan.at, scan.end):
            return self._string(found)
        if found := _NUMBER.match(text, scan.at, scan.end):
            return self._number(found)
        found = _WORD.match(text, scan.at, scan.end)
        if found and found[0] in _CONSTANTS:
            scan.at = found.end()
            return _CONSTANTS[found[0]]
        if found and self.bare:
            scan.at = found.end()
            return self._call(depth) if scan.looking_at("(") else found[0]
        return scan.fail("a value")

    def _number(self, found: re.Match[str]) -> int | float:
        word = found[0]
        number = int(word) if word.lstrip("-").isdecimal() and len(word) < 400 else float(word)
        if isinstance(number, float) and not math.isfinite(number):
            self.scan.fail("a number of at most 1.8e308")
        self.scan.at = found.end()
        return number

    def _call(self, depth: int) -> Any:
        """`frozenset({'a'})` is what stands in the parentheses."""
        inner = self._sequence(depth)
        return inner[0].value if len(inner) == 1 else inner

    def _string(self, found: re.Match[str]) -> str:
        """JSON where it can be, since only JSON knows surrogate pairs; Python's escapes otherwise."""
        self.scan.at = found.end()
        if "\\" not in found[0]:
            return found[0][1:-1]
        try:
            return json.loads(found[0], strict=False)  # type: ignore[no-any-return]
        except json.JSONDecodeError:
            return _ESCAPE.sub(_escaped, found[0][1:-1])

    def _sequence(self, depth: int) -> list[Literal]:
        scan = self.scan
        close = _CLOSE[scan.text[scan.at]]
        scan.at += 1
        items: list[Literal] = []
        while not scan.blank().accept(close):
            items.append(self.value(depth + 1))
            self._comma(close)
        return items

    def _comma(self, close: str) -> None:
        if not self.scan.blank().accept(",") and not self.scan.looking_at(close):
            self.scan.fail("`,`", f"`{close}`")

    def _braces(self, depth: int) -> dict[str, Literal] | list[Literal]:
        """A record, or in Python a set."""
        scan = self.scan
        scan.take("{")
        record: dict[str, Literal] = {}
        items: list[Literal] = []
        while not scan.blank().accept("}"):
            key = self.value(depth + 1)
            if self.bare and not record and not scan.blank().looking_at(":"):
                items.append(key)
            else:
                scan.blank().take(":")
                record[key.string()] = self.value(depth + 1)
            self._comma("}")
        return items or record

    def _repr(self, depth: int) -> dict[str, Literal]:
        """`<Node element_id='-8' labels=frozenset({'paper'})>`; the name is under the key ``."""
        scan = self.scan
        start = scan.at
        scan.take("<")
        record = {"": Literal(scan.text, start, scan.match(_WORD, "a name")[0])}
        while not scan.blank().accept(">"):
            key = scan.match(_WORD, "a name")[0]
            scan.take("=")
            record[key] = self.value(depth + 1)
        return record

    def _comment(self) -> str | None:
        """What a `#` says; a comma ends it only if a value that is quoted, or in brackets, follows."""
        scan = self.scan
        if not self.comments or not scan.blank().looking_at("#"):
            return None
        found = scan.match(_COMMENT, "a comment")
        return found[1].strip() or None


_COMMENT = re.compile(r"#((?:[^\]})\n,]|,(?!\s*['\"(]))*)")


def _escaped(found: re.Match[str]) -> str:
    """What an escape of Python stands for; one that it does not know stands for itself."""
    digits = found[1] or found[2] or found[3]
    if digits:
        return chr(int(digits, 16))
    return _ESCAPES.get(found[4], found[4] if found[4] in "\\'\"" else found[0])
