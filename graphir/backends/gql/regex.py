"""Regular expressions of Java, which Cypher has, in RE2, which GoogleSQL has: those that mean the same in both.

What is written is plain: no flags, no classes by a letter that the two understand differently.  Java's `.` stops at
more line ends than RE2's, its `\\s` has a vertical tab, and its `(?i)` is about ASCII letters only.  Knows no IR.
"""

from __future__ import annotations

import re

LINE_ENDS = r"\n\r\x{85}\x{2028}\x{2029}"
BLANKS = r" \t\n\x0B\f\r"
CLASSES = {"d": "0-9", "w": "0-9A-Za-z_", "s": BLANKS}
REPEAT = re.compile(r"[*+?]|\{(\d{1,3})(?:,(\d{0,3}))?\}")
SPECIAL = frozenset("\\^$.|?*+()[]{}")
CONTROLS = {"n": r"\n", "t": r"\t", "r": r"\r", "f": r"\f"}


class Unreadable(Exception):
    """The expression has something that the two languages may read differently."""


def whole(pattern: str) -> str | None:
    """An RE2 expression that finds something exactly where the Java expression matches the whole text, or None."""
    try:
        return rf"\A(?:{_Reader(pattern).read()})\z"
    except Unreadable:
        return None


class _Reader:
    """Reads an expression from left to right.  Groups need no stack: only their brackets are counted."""

    def __init__(self, pattern: str) -> None:
        self.folded = pattern.startswith("(?i)")
        full = pattern.removeprefix("(?i)")
        pattern = full.removeprefix("^")
        if pattern.endswith("$") and not pattern.endswith("\\$"):
            pattern = pattern[:-1]
        self.anchored = pattern != full
        self.pattern = pattern
        self.at = 0

    def read(self) -> str:
        if self.anchored and "|" in self.pattern:
            raise Unreadable  # the anchor that was cut off may belong to one alternative
        out: list[str] = []
        depth = 0
        repeatable = False
        while self.at < len(self.pattern):
            rest = self.pattern[self.at :]
            if repeat := REPEAT.match(rest):
                if not repeatable:
                    raise Unreadable
                out.append(self.repeat(repeat))
                repeatable = False
                continue
            character = rest[0]
            if character == "(":
                if rest.startswith("(?") and not rest.startswith("(?:"):
                    raise Unreadable
                self.at += 3 if rest.startswith("(?:") else 1
                out.append("(?:")
                depth += 1
                repeatable = False
            elif character == ")":
                depth -= 1
                if depth < 0:
                    raise Unreadable
                self.at += 1
                out.append(")")
                repeatable = True
            elif character == "|":
                self.at += 1
                out.append("|")
                repeatable = False
            else:
                out.append(self.atom())
                repeatable = True
        if depth:
            raise Unreadable
        return "".join(out)

    def repeat(self, found: re.Match[str]) -> str:
        """A quantifier; that it is lazy does not matter to a match of the whole."""
        low, high = found[1], found[2]
        if low and high and int(low) > int(high):
            raise Unreadable
        self.at += found.end()
        following = self.pattern[self.at : self.at + 1]
        if following == "+":
            raise Unreadable
        if following == "?":
            self.at += 1
        return found[0]

    def atom(self) -> str:
        """One character, escape or class."""
        character = self.pattern[self.at]
        self.at += 1
        if character == ".":
            return f"[^{LINE_ENDS}]"
        if character == "[":
            return self.bracket()
        if character == "\\":
            letter = self.escaped()
            if letter.lower() in CLASSES and letter.isalpha():
                return f"[{'^' if letter.isupper() else ''}{CLASSES[letter.lower()]}]"
            return self.single(letter) if not letter.isalpha() else CONTROLS[letter]
        if character in SPECIAL:
            raise Unreadable
        return self.single(character)

    def escaped(self) -> str:
        """The character after a backslash: punctuation, a control character or a class."""
        letter = self.pattern[self.at : self.at + 1]
        known = letter in CONTROLS or letter.lower() in CLASSES
        if not letter or not letter.isascii() or letter.isdigit() or (letter.isalpha() and not known):
            raise Unreadable
        self.at += 1
        return letter

    def single(self, character: str) -> str:
        if self.folded and character.isascii() and character.isalpha():
            return f"[{character.lower()}{character.upper()}]"
        return re.escape(character) if character in SPECIAL else character

    def bracket(self) -> str:
        """A class of characters and ranges."""
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        parts: list[str] = []
        while not self.pattern.startswith("]", self.at) or not parts:
            first = self.member()
            if len(first) == 1 and self.pattern.startswith("-", self.at) and self.pattern[self.at + 1 :][:1] != "]":
                self.at += 1
                parts.append(self.range(first, self.member()))
            else:
                parts.append(first if len(first) > 1 else self.one(first))
        self.at += 1
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def member(self) -> str:
        """A character of a class, or the text of a class by a letter."""
        character = self.pattern[self.at : self.at + 1]
        if not character or character in "[]&^-":
            raise Unreadable
        self.at += 1
        if character != "\\":
            return character
        letter = self.escaped()
        if letter in CONTROLS:
            return CONTROLS[letter]
        if letter.isalpha():
            if letter.isupper():
                raise Unreadable
            return CLASSES[letter]
        return letter

    def one(self, character: str) -> str:
        if self.folded and character.isascii() and character.isalpha():
            return character.lower() + character.upper()
        return "\\" + character if character in "\\[]^-" else character

    def range(self, first: str, last: str) -> str:
        if len(last) != 1 or first > last or not (first.isalnum() and last.isalnum() and first.isascii()):
            raise Unreadable
        kinds = (str.isdigit, str.islower, str.isupper)
        if not last.isascii() or not any(kind(first) and kind(last) for kind in kinds):
            raise Unreadable
        shown = f"{first}-{last}"
        return f"{shown.lower()}{shown.upper()}" if self.folded and first.isalpha() else shown
