"""The terminals of a table as regular expressions: one for all, and what a word may be besides a name.

Words are read as a NAME first; the keywords, and the terminals that begin with a letter and look ahead, are told by
their spelling.  Knows no rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from graphir.grammar.table import END, Table

Match = Callable[..., "re.Match[str] | None"]
Candidates = tuple[tuple[str, "Match | None"], ...]

MARKS = frozenset("()[]{},;")
"""Characters that are a terminal of their own and begin no other."""
NAME_INDEX, MARK_INDEX = 1, 2
"""The numbers of the first two groups of the master expression."""


class Words(dict[str, Candidates]):
    """What a word may be besides a NAME, by its spelling: terminals in order of preference, each with the regular
    expression that must match where it stands.  Remembers every spelling it was asked for, up to a bound."""

    bound = 50_000

    def __init__(self, table: Table) -> None:
        self.keywords = table.keywords
        self.special: list[tuple[str, re.Pattern[str], Match]] = []
        for name, pattern in table.terminals:
            if name != "NAME" and _begins_with_letter(pattern):
                self.special.append((name, re.compile(_first_word(pattern)), re.compile(pattern).match))

    def __missing__(self, text: str) -> Candidates:
        if not text.isascii():
            return ()
        found: list[tuple[str, Match | None]] = []
        found += [(name, match) for name, first, match in self.special if first.match(text)]
        keyword = self.keywords.get(text.upper())
        if keyword is not None:
            found.append((keyword, None))
        if len(self) < self.bound:
            self[text] = tuple(found)
        return tuple(found)


def _begins_with_letter(pattern: str) -> bool:
    return re.match(r"(?:\(\?i?:)*[A-Za-z]", pattern) is not None


def _first_word(pattern: str) -> str:
    """The first word of a terminal such as `(?i:(?:EXISTS|COUNT)(?=\\s*\\{))`."""
    word = re.match(r"(?:\(\?i?:)*([A-Za-z_|]+)(?![?*(])", pattern)
    if word is None or not word[0].endswith(word[1]):
        raise ValueError(f"a terminal that looks ahead begins with whole words: {pattern}")
    return f"(?i:{word[1]})"


class Lexer:
    """The regular expressions of a table."""

    def __init__(self, table: Table) -> None:
        patterns = dict(table.terminals)
        self.words = Words(table)
        self.gap = _gap([patterns[name] for name in patterns if name in table.ignored])
        apart = table.ignored | {name for name, _, _ in self.words.special} | {"NAME"}
        self.marks = {
            name: mark for name, pattern in patterns.items() for mark in MARKS if pattern in (mark, re.escape(mark))
        }
        self.order = [name for name in patterns if name not in apart and name not in self.marks]
        self._patterns = patterns
        # A mark is its own name here: the driver's rows know it by its character.
        within = [(name, *[""] * re.compile(patterns[name]).groups) for name in self.order]
        self.kinds = ("", "NAME", "", *[kind for kinds in within for kind in kinds], END, "")
        groups = [f"({patterns['NAME']})", "([" + re.escape("".join(sorted(self.marks.values()))) + "])"]
        groups += [f"({patterns[name]})" for name in self.order]
        # The last two: the end of the text, and any character that begins no terminal.
        master = re.compile(f"{self.gap}(?:{'|'.join(groups)}|(\\Z)|((?s:.)))")
        self.finditer: Callable[..., Iterator[re.Match[str]]] = master.finditer

    def among(self, names: Iterable[str]) -> Callable[..., Any]:
        """Matches the first of these terminals at a place, without a gap before it."""
        wanted = set(names)
        groups = "|".join(f"(?P<{name}>{self._patterns[name]})" for name in self.order if name in wanted)
        return re.compile(groups or "(?!)").match


def _gap(ignored: list[str]) -> str:
    """White space first, as it is the most frequent; then anything else that is passed over."""
    return rf"\s*+(?>(?:(?:{'|'.join(ignored)})\s*+)*)" if ignored else ""
