"""Regular expressions of RE2, which GoogleSQL takes, as those of Python's `re`.

Every construct is read and written again: classes are ASCII, `.` is all but a line feed, `$` is the end of the text.
What Python's engine would read in another way, or cannot do, is refused (G636): flags behind the beginning, classes of
Unicode (`\\p{..}`), `\\C`, the flag U.  A text that is no expression of RE2 is a fault (G635).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NoReturn

from graphir.values.faults import fault, invalid, out_of_range
from graphir.values.google.arguments import Function, integer, strict, text

_CLASSES = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\t\n\f\r "}
_WORD = "[0-9A-Za-z_]"
_BOUND = rf"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_NO_BOUND = rf"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_SAME = frozenset("tnrfv")
_DOTTED = "\u0130\u0131"
"""The capital i with a dot, and the small one without."""
_FLAGS = re.compile(r"\(\?([a-zA-Z]+)\)")
_GROUP = re.compile(r"\(\?(?:P?<([A-Za-z_][A-Za-z0-9_]*)>|:)")
_TIMES = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_HEX = re.compile(r"x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))")


def _broken(pattern: str) -> NoReturn:
    raise fault("G635", f"cannot parse the regular expression {pattern!r}")


def _refused(what: str) -> NoReturn:
    raise fault("G636", f"{what} in a regular expression is not supported")


class _Reader:
    """Reads a pattern from left to right, once."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0
        self.flags = 0
        self.multiline = False
        self.dotall = False

    def read(self) -> str:
        out: list[str] = []
        while (found := _FLAGS.match(self.text, self.at)) is not None and not out:
            self._flag(found[1])
            self.at = found.end()
        while self.at < len(self.text):
            out.append(self._next())
        return "".join(out)

    def _flag(self, letters: str) -> None:
        for letter in letters:
            if letter == "i":
                self.flags |= re.IGNORECASE
            elif letter == "m":
                self.multiline = True
            elif letter == "s":
                self.dotall = True
            else:
                _refused(f"the flag {letter}")

    def _next(self) -> str:
        character = self.text[self.at]
        self.at += 1
        if character == "\\":
            return self._escape(in_class=False)
        if character == "[":
            return self._class()
        if character == "(" and self.text.startswith("?", self.at):
            return self._group()
        if character == ".":
            return r"[\s\S]" if self.dotall else r"[^\n]"
        if character == "$":
            return r"(?=\n|\Z)" if self.multiline else r"\Z"
        if character == "^":
            return r"(?:(?<=\n)|\A)" if self.multiline else r"\A"
        if character in "*+?{":
            return self._repetition(character)
        return character if character in "()|" else self._literal(character)

    def _literal(self, character: str) -> str:
        """Python takes the letters i without or with a dot for the others in another case, and RE2 does not."""
        if self.flags & re.IGNORECASE and character in "iI" + _DOTTED:
            return f"(?-i:[{'iI' if character in 'iI' else character}])"
        return re.escape(character)

    def _group(self) -> str:
        found = _GROUP.match(self.text, self.at - 1)
        if found is None:
            after = self.text[self.at + 1 : self.at + 2]
            if after in ("=", "!", "<", "#", ">", "("):
                _broken(self.text)
            _refused("a flag behind the beginning")
        self.at = found.end()
        return f"(?P<{found[1]}>" if found[1] else "(?:"

    def _repetition(self, character: str) -> str:
        if character == "{":
            found = _TIMES.match(self.text, self.at - 1)
            if found is None:
                return r"\{"
            least, most = int(found[1]), int(found[3] or found[1])
            if max(least, most) > 1000 or least > most:
                _broken(self.text)
            self.at = found.end()
            made = found[0]
        else:
            made = character
        if self.text.startswith("?", self.at):
            self.at += 1
            made += "?"
        if self.text[self.at : self.at + 1] in ("*", "+", "?") or _TIMES.match(self.text, self.at):
            _broken(self.text)
        return made

    def _escape(self, *, in_class: bool) -> str:
        if self.at >= len(self.text):
            _broken(self.text)
        letter = self.text[self.at]
        self.at += 1
        if letter.lower() in _CLASSES:
            inside = _CLASSES[letter.lower()]
            if in_class and letter.isupper():
                _refused("a negated class inside of a class")
            return inside if in_class else f"[{'^' if letter.isupper() else ''}{inside}]"
        if letter in _SAME:
            return "\\" + letter
        if letter == "a":
            return r"\x07"
        if letter == "x":
            found = _HEX.match(self.text, self.at - 1)
            if found is None:
                _broken(self.text)
            self.at = found.end()
            return re.escape(chr(int(found[1] or found[2], 16)))
        if not in_class and letter in "AzbB":
            return {"A": r"\A", "z": r"\Z", "b": _BOUND, "B": _NO_BOUND}[letter]
        if not in_class and letter == "Q":
            end = self.text.find("\\E", self.at)
            end = len(self.text) if end < 0 else end
            quoted = self.text[self.at : end]
            self.at = min(end + 2, len(self.text))
            return re.escape(quoted)
        if letter in "pPCQ":
            _refused(f"`\\{letter}`")
        if letter.isalnum():
            _broken(self.text)
        return re.escape(letter)

    def _class(self) -> str:
        out = ["["]
        if self.text.startswith("^", self.at):
            out.append("^")
            self.at += 1
        first = True
        while True:
            if self.at >= len(self.text):
                _broken(self.text)
            character = self.text[self.at]
            if character == "]" and not first:
                self.at += 1
                return self._folded("".join(out) + "]")
            first = False
            out.append(self._in_class(character))

    def _folded(self, made: str) -> str:
        """A class that knows the letters i apart where case does not matter."""
        if not self.flags & re.IGNORECASE:
            return made
        if any(letter in made for letter in _DOTTED):
            _refused("a class with letters whose other case is not certain")
        return f"(?:(?-i:[{_DOTTED}])|{made})" if made.startswith("[^") else f"(?!(?-i:[{_DOTTED}])){made}"

    def _in_class(self, character: str) -> str:
        self.at += 1
        if character == "\\":
            return self._escape(in_class=True)
        if character == "[" and self.text.startswith(":", self.at):
            end = self.text.find(":]", self.at)
            name = self.text[self.at + 1 : end]
            if end < 0 or name.lstrip("^") not in _POSIX:
                _broken(self.text)
            if name.startswith("^"):
                _refused("a negated class inside of a class")
            self.at = end + 2
            return _POSIX[name]
        return "-" if character == "-" else re.escape(character)


@lru_cache(256)
def compiled(pattern: str) -> re.Pattern[str]:
    """The expression.  Raises RunFault: it is none (G635), or not supported (G636)."""
    reader = _Reader(pattern)
    source = reader.read()
    try:
        return re.compile(source, reader.flags)
    except (re.error, OverflowError):
        _broken(pattern)


# ------------------------------------------------------------------ functions


@strict
def contains(value: Any, pattern: Any) -> bool:
    found = compiled(text("REGEXP_CONTAINS()", pattern)).search(text("REGEXP_CONTAINS()", value))
    return found is not None


def _one_group(where: str, pattern: str) -> re.Pattern[str]:
    made = compiled(pattern)
    if made.groups > 1:
        raise invalid(where, "the regular expression has more than one group")
    return made


def _start(where: str, values: tuple[Any, ...]) -> tuple[int, int]:
    """Position and occurrence, which both count from 1."""
    position, occurrence = [integer(where, value) for value in (*values, 1, 1)[:2]] if len(values) < 2 else values[:2]
    if integer(where, position) < 1 or integer(where, occurrence) < 1:
        raise out_of_range(where, "position and occurrence are positive")
    return position, occurrence


def _matches(pattern: re.Pattern[str], subject: str) -> Iterator[re.Match[str]]:
    """One after another; nothing is looked for at the end of a text once something was found."""
    at = 0
    while at < len(subject) or at == 0:
        found = pattern.search(subject, at)
        if found is None:
            return
        yield found
        at = found.end() if found.end() > found.start() else found.end() + 1


def _occurrence(where: str, made: re.Pattern[str], subject: str, more: tuple[Any, ...]) -> re.Match[str] | None:
    """The match of a number in what begins at a position."""
    position, occurrence = _start(where, more)
    if position > len(subject) and position > 1:
        return None
    found = (each for at, each in enumerate(_matches(made, subject[position - 1 :]), 1) if at == occurrence)
    return next(found, None)


@strict
def extract(value: Any, pattern: Any, *more: Any) -> str | None:
    where = "REGEXP_EXTRACT()"
    made = _one_group(where, text(where, pattern))
    found = _occurrence(where, made, text(where, value), more)
    return None if found is None else found[made.groups]


@strict
def extract_all(value: Any, pattern: Any) -> list[str | None]:
    where = "REGEXP_EXTRACT_ALL()"
    made = _one_group(where, text(where, pattern))
    return [found[made.groups] for found in _matches(made, text(where, value))]


@strict
def position_of(value: Any, pattern: Any, *more: Any) -> int:
    where = "REGEXP_INSTR()"
    made = _one_group(where, text(where, pattern))
    if len(more) > 2:
        raise invalid(where, "the position behind a match is not supported")
    found = _occurrence(where, made, text(where, value), more)
    return 0 if found is None else found.start(made.groups) + (more[0] if more else 1)


_REFERENCE = re.compile(r"\\(\d|\\|.|\Z)", re.DOTALL)


@strict
def replace(value: Any, pattern: Any, by: Any) -> str:
    where = "REGEXP_REPLACE()"
    made = compiled(text(where, pattern))
    parts: list[str | int] = []
    last, given = 0, text(where, by)
    for found in _REFERENCE.finditer(given):
        parts.append(given[last : found.start()])
        last = found.end()
        if found[1].isdigit():
            if int(found[1]) > made.groups:
                raise invalid(where, f"there is no group {found[1]}")
            parts.append(int(found[1]))
        elif found[1] == "\\":
            parts.append("\\")
        else:
            raise invalid(where, "`\\` is followed by a digit or `\\`")
    parts.append(given[last:])

    def filled(found: re.Match[str]) -> str:
        return "".join([part if isinstance(part, str) else found[part] or "" for part in parts])

    subject, out, end, last = text(where, value), [], 0, -1
    for found in made.finditer(subject):
        if found.start() == found.end() == last:
            continue  # nothing is found right behind what was found
        out += [subject[end : found.start()], filled(found)]
        end = last = found.end()
    return "".join([*out, subject[end:]])


FUNCTIONS: dict[str, Function] = {
    "regexp_contains": contains,
    "regexp_extract": extract,
    "regexp_extract_all": extract_all,
    "regexp_instr": position_of,
    "regexp_replace": replace,
}
