"""Regular expressions: Java's, which Cypher takes for `=~`, as those of Python's `re`.

Every construct is read and written again, so that what the two understand differently is spelled out: `.` leaves out
all line ends, `\\w` and `(?i)` are ASCII unless `(?u)` says otherwise, flags in the middle reach to the end of their
group, `\\p{..}`, `\\Q..\\E`, `\\h`, `\\R` are expanded.  What Python's engine cannot do is refused (G636): classes with
`&&` or negated classes in them, scripts and blocks, `\\G`, `\\X`, the flags x, d and U.  A text that is no regular
expression is a fault (G635).  Knows no value but strings.
"""

from __future__ import annotations

import re
import sys
import unicodedata
import warnings
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, NoReturn

from graphir.values.faults import fault, mismatch

LINE_ENDS = r"\n\r\x85\u2028\u2029"
_HORIZONTAL = r" \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
_VERTICAL = r"\n\x0b\f\r\x85\u2028\u2029"
END = r"(?=(?:\r\n|(?<!\r)\n|[\r\x85\u2028\u2029])?\Z)"
"""`$`: at the end, or before the line end there."""
LINE_END = r"(?=(?<!\r)\n|[\r\x85\u2028\u2029]|\Z)"
LINE_START = r"(?:(?!\Z)(?:\A|(?<=[\n\x85\u2028\u2029])|(?<=\r)(?!\n)))"
"""`$` and `^` under the flag m."""
_CLASSES = {
    "d": "0-9",
    "w": "a-zA-Z0-9_",
    "s": r" \t\n\x0b\f\r",
    "h": _HORIZONTAL,
    "v": _VERTICAL,
}
"""The characters of a class by its letter; the capital letter is all others."""
_SETS = "dDwWsShHvV}"
"""How an escape ends that stands for many characters: its letter, or the brace of a property."""
_SIMPLE = {"t": r"\t", "n": r"\n", "r": r"\r", "f": r"\f", "a": r"\x07", "e": r"\x1b"}
_POSIX = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": r"\x00-\x7f",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": r"!-/:-@\[-`{-~",
    "Graph": "!-~",
    "Print": " -~",
    "Blank": r" \t",
    "Cntrl": r"\x00-\x1f\x7f",
    "XDigit": "0-9a-fA-F",
    "Space": r" \t\n\x0b\f\r",
}
_PROPERTIES = {"IsLetter": ("L",), "IsDigit": ("Nd",), "IsPunctuation": ("P",)}
_QUANTIFIER = re.compile(r"\{\d+(?:,\d*)?\}")
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9]*")
_FLAGS = re.compile(r"([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")


def _broken(message: str, at: int) -> NoReturn:
    raise fault("G635", f"invalid regular expression: {message} near index {at}")


def _refused(what: str) -> NoReturn:
    raise fault("G636", f"{what} in a regular expression is not supported")


@cache
def _characters(categories: tuple[str, ...]) -> str:
    """The characters of the Unicode categories, as the inside of a class."""
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)).startswith(categories):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


class _Reader:
    """Reads a pattern of Java from left to right, once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.out: list[str] = []
        self.dotall = False
        self.multiline = False
        self.unicode = False
        self.ascii_only = False
        """Whether something was written that is another under Python's flag for Unicode."""
        self.groups: list[tuple[bool, bool, list[str]]] = []
        """Of each open group: the flags s and m before it, and the groups for flags around it."""
        self.opened: list[str] = []
        """How the groups for flags began that are open at this level."""

    def read(self) -> str:
        text = self.text
        while self.at < len(text):
            character = text[self.at]
            self.at += 1
            if character == "\\":
                self.out.append(self.escape())
            elif character == "[":
                self.out.append(self.character_class())
            elif character == "(":
                self.group()
            elif character == ")":
                self.close()
            elif character == ".":
                self.out.append(r"[\s\S]" if self.dotall else f"[^{LINE_ENDS}]")
            elif character == "$":
                self.out.append(LINE_END if self.multiline else END)
            elif character == "^" and self.multiline:
                self.out.append(LINE_START)
            elif character == "{":
                self.repetition()
            elif character == "|":
                self.out.append(")" * len(self.opened) + "|" + "".join(self.opened))
            else:
                self.out.append(character)
        if self.groups:
            _broken("Unclosed group", len(text))
        if self.unicode and self.ascii_only:
            _refused("The flag u with \\b or a negated class inside of another")
        return "".join(self.out) + ")" * len(self.opened)

    def repetition(self) -> None:
        found = _QUANTIFIER.match(self.text, self.at - 1)
        if not found or not self.out:
            _broken("Illegal repetition", self.at - 1)
        self.out.append(found[0])
        self.at = found.end()

    # -------------------------------------------------------------- groups

    def group(self) -> None:
        if not self.text.startswith("?", self.at):
            return self.open("(")
        rest = self.text[self.at + 1 : self.at + 3]
        for opening in ("<=", "<!", ":", "=", "!", ">"):
            if rest.startswith(opening):
                self.at += 1 + len(opening)
                return self.open("(?" + opening)
        if rest.startswith("<"):
            found = _NAME.match(self.text, self.at + 2)
            if not found or not self.text.startswith(">", found.end()):
                _broken("named capturing group is missing trailing '>'", self.at)
            self.at = found.end() + 1
            return self.open(f"(?P<{found[0]}>")
        return self.flags()

    def open(self, text: str) -> None:
        self.out.append(text)
        self.groups.append((self.dotall, self.multiline, self.opened))
        self.opened = []

    def close(self) -> None:
        if not self.groups:
            _broken("Unmatched closing ')'", self.at - 1)
        self.out.append(")" * (len(self.opened) + 1))
        self.dotall, self.multiline, self.opened = self.groups.pop()

    def flags(self) -> None:
        """`(?i)`, to the end of the group around it, or `(?i:..)`."""
        found = _FLAGS.match(self.text, self.at + 1)
        if not found:
            _broken("Unknown inline modifier", self.at + 1)
        on, off, end = found.groups()
        for letter in on + (off or ""):
            if letter in "xdU":
                _refused(f"The flag {letter}")
            if letter not in "imsu":
                _broken("Unknown inline modifier", self.at + 1)
        if "u" in on:
            self.unicode = True
        self.at = found.end()
        kept = "i" if "i" in on else ""
        dropped = "i" if "i" in (off or "") else ""
        opening = f"(?{kept}{'-' if dropped else ''}{dropped}:"
        if end == ":":
            self.open(opening)
        else:
            self.out.append(opening)
            self.opened.append(opening)
        self.dotall = "s" in on or (self.dotall and "s" not in (off or ""))
        self.multiline = "m" in on or (self.multiline and "m" not in (off or ""))

    # -------------------------------------------------------------- escapes

    def escape(self, *, inside: bool = False) -> str:
        """What a backslash begins; `inside` a class without brackets of its own."""
        if self.at >= len(self.text):
            _broken("Unexpected internal error", self.at)
        letter = self.text[self.at]
        self.at += 1
        if letter == "Q":
            return self.quoted()
        if letter in _SIMPLE:
            return _SIMPLE[letter]
        if letter in "xu0c":
            return re.escape(self.character(letter))
        if letter in "pP":
            return self.wrapped(self.property(), negated=letter == "P", inside=inside)
        if inside and letter in "DWS":
            self.ascii_only = True
            return "\\" + letter
        if letter.lower() in _CLASSES:
            return self.wrapped(_CLASSES[letter.lower()], negated=letter.isupper(), inside=inside)
        if not letter.isalnum():
            return re.escape(letter)
        if inside:
            _broken("Illegal/unsupported escape sequence", self.at - 1)
        return self.assertion(letter)

    def wrapped(self, characters: str, *, negated: bool, inside: bool) -> str:
        if not inside:
            return f"[{'^' if negated else ''}{characters}]"
        if negated:
            _refused("A negated class inside of another")
        return characters

    def assertion(self, letter: str) -> str:
        """Escapes that stand outside of classes."""
        if letter in "bB":
            self.ascii_only = True
            return r"\b" if letter == "b" else r"(?!\b)"
        if letter in "Az":
            return r"\A" if letter == "A" else r"\Z"
        if letter == "Z":
            return END
        if letter == "R":
            # under a quantifier Java does not take \r\n for two line ends, else it does
            repeated = self.text[self.at : self.at + 1] in ("{", "*", "+", "?")
            return rf"(?{'>' if repeated else ':'}\r\n|[{_VERTICAL}])"
        if letter in "GXN":
            _refused(f"\\{letter}")
        if letter == "k":
            found = re.compile("<([a-zA-Z][a-zA-Z0-9]*)>").match(self.text, self.at)
            if not found:
                _broken("\\k is not followed by '<'", self.at)
            self.at = found.end()
            return f"(?P={found[1]})"
        if letter.isdigit() and letter.isascii():
            return f"(?:\\{letter})"
        return _broken("Illegal/unsupported escape sequence", self.at - 1)

    def quoted(self) -> str:
        end = self.text.find("\\E", self.at)
        body = self.text[self.at : end if end >= 0 else len(self.text)]
        self.at = end + 2 if end >= 0 else len(self.text)
        return re.escape(body)

    def character(self, letter: str) -> str:
        """A character by its number: \\x41, \\x{1f600}, \\u0041, \\0101, \\cA."""
        patterns = {
            "x": r"([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\}",
            "u": "([0-9a-fA-F]{4})",
            "0": "([0-3][0-7]{2}|[0-7]{1,2})",
            "c": "(.)",
        }
        found = re.compile(patterns[letter]).match(self.text, self.at)
        if not found:
            _broken("Illegal escape sequence", self.at)
        self.at = found.end()
        digits = found[found.lastindex or 1]
        if letter == "c":
            return chr(ord(digits) ^ 64)
        number = int(digits, 8 if letter == "0" else 16)
        if number > sys.maxunicode:
            _broken("Hexadecimal codepoint is too big", self.at)
        return chr(number)

    def property(self) -> str:
        """The characters of \\p{..}."""
        found = re.compile(r"([A-Z])|\{([a-zA-Z_=]+)\}").match(self.text, self.at)
        if not found:
            _broken("Unclosed character family", self.at)
        self.at = found.end()
        name = found[1] or found[2]
        if name in _POSIX:
            return _POSIX[name]
        if name in _PROPERTIES:
            return _characters(_PROPERTIES[name])
        category = name.removeprefix("Is")
        if len(category) <= 2 and category[:1] in "LMNPSZC":
            return _characters((category,))
        return _refused(f"\\p{{{name}}}")

    # -------------------------------------------------------------- classes

    def character_class(self) -> str:
        text = self.text
        parts = ["["]
        if text.startswith("^", self.at):
            parts.append("^")
            self.at += 1
        empty, single = True, False
        while True:
            if self.at >= len(text):
                _broken("Unclosed character class", len(text) - 1)
            character = text[self.at]
            self.at += 1
            if character == "]" and not empty:
                return "".join([*parts, "]"])
            if character == "&" and text.startswith("&", self.at):
                _refused("An intersection of classes")
            part = self.member(character, parts, single=single)
            single = character not in "[-" and not (character == "\\" and text[self.at - 1] in _SETS)
            parts.append(part)
            empty = False

    def member(self, character: str, parts: list[str], *, single: bool) -> str:
        """What a character begins inside of a class; `single` tells that a range may begin at what was before it."""
        if character == "[":
            return self.union(parts)
        if character == "\\":
            return self.escape(inside=True)
        if character == "-":
            return "-" if single and not self.text.startswith("]", self.at) else r"\-"
        return "\\" + character if character in "]^~|&" else character

    def union(self, parts: list[str]) -> str:
        """The characters of a class inside of another, which are in both."""
        nested = self.character_class()
        if parts[1:2] == ["^"] or parts[-1] == "-" or nested.startswith("[^"):
            _refused("A negated class, or the end of a range, inside of another class")
        return nested[1:-1]


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern of Java as one of Python.  Faults: G635 and G636."""
    reader = _Reader(pattern)
    translated = reader.read()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(translated, 0 if reader.unicode else re.ASCII)
    except re.error as error:
        if "look-behind" in error.msg:
            _refused("A look-behind of variable width")
        raise fault("G635", f"invalid regular expression: {error.msg}") from error
    except (RecursionError, OverflowError) as error:
        raise fault("G636", "the regular expression is too large") from error


def matches(text: Any, pattern: Any) -> bool | None:
    """`=~`: whether the whole text matches; null for what is no string."""
    if type(text) is not str or pattern is None:
        return None
    if type(pattern) is not str:
        raise mismatch("=~", pattern, "a string")
    return compiled(pattern).fullmatch(text) is not None


_REPLACEMENT = re.compile(r"\\(.)|\$(\d)|\$\{([a-zA-Z][a-zA-Z0-9]*)\}|([\\$])", re.DOTALL)


def replace_matches(text: Any, pattern: Any, by: Any) -> str | None:
    """Every match replaced; `$1` and `${name}` in the replacement are groups."""
    if text is None or pattern is None or by is None:
        return None
    for value in (text, pattern, by):
        if type(value) is not str:
            raise mismatch("string.regexReplace()", value, "a string")

    def expand(match: re.Match[str]) -> str:
        def part(found: re.Match[str]) -> str:
            if found[1] is not None:
                return str(found[1])
            if found[4] is not None:
                raise fault("G635", "invalid replacement: a group is written $1 or ${name}, a dollar \\$")
            try:
                return match[int(found[2]) if found[2] else found[3]] or ""
            except IndexError as error:
                raise fault("G635", f"invalid replacement: no group {found[2] or found[3]}") from error

        return _REPLACEMENT.sub(part, by)

    return compiled(pattern).sub(expand, text)


FUNCTIONS: dict[str, Callable[..., Any]] = {"matches": matches, "string.regexReplace": replace_matches}
