"""Where to read on after a statement broke: at the next clause, if what follows is surely one.

A second error is worth showing only if it does not follow from the first.  So nothing is tried where brackets or quotes
do not pair up, where the text is of another language or no query at all, or where a word might be a name.  Knows the
words that begin clauses, and no rule.
"""

from __future__ import annotations

from bisect import bisect_left

from graphir.grammar.lexical import Token, closed, scan
from graphir.grammar.slips.scene import CLOSING, balanced

LIMIT = 8
"""So many errors of one statement are told; each costs a reading of the rest."""

# What is wrong with the statement as a whole; the rest of it cannot be judged.
_HOPELESS = frozenset({"G002", "G003", "G004", "G005", "G006", "G007", "G008", "G010", "G013", "G015", "G016", "G025"})
_BEGINNINGS = frozenset({"MATCH", "OPTIONAL", "RETURN", "WITH", "UNWIND", "MERGE", "CREATE"})
_NOT_BEFORE = frozenset({".", ":", "|", "&", "!", ",", "AS", "ON", "STARTS", "ENDS", "CSV", "UNIQUE", "=", "$", "-"})
_NOT_AFTER = frozenset({".", ":", ",", "=", ")", "]", "}", "HEADERS", "TIME", "TIMEZONE", ">", "<", "+", ""})


class Clauses:
    """The places of a statement where a clause surely begins, outside of every bracket."""

    def __init__(self, text: str, start: int, end: int) -> None:
        tokens = [token for token in scan(text, start, end) if token.kind != "comment"]
        paired = balanced(tokens) and all(closed(text, token.span) for token in tokens[-1:])
        self._places = _places(tokens) if paired else []
        self._begins = [token.end for token in tokens[:3]]

    @staticmethod
    def hopeless(code: str) -> bool:
        """Whether an error says that the rest cannot be judged."""
        return code in _HOPELESS

    def after(self, position: int, code: str) -> int | None:
        """Where to read on after an error of a code at a position; None where nothing sure can be said."""
        # What breaks at its first word may be no query, and what breaks soon may be of another language.
        judged = self._begins[-1:] if code == "G012" else self._begins[:1]
        if code in _HOPELESS or (judged and position < judged[0]):
            return None
        index = bisect_left(self._places, position + 1)
        return self._places[index] if index < len(self._places) else None


def _places(tokens: list[Token]) -> list[int]:
    found = []
    depth = 0
    for index, token in enumerate(tokens):
        if token.kind == "punctuation":
            depth += (token.value in CLOSING) - (token.value in CLOSING.values())
        elif token.kind == "word" and not depth and token.value.upper() in _BEGINNINGS and index:
            before = tokens[index - 1].value.upper()
            after = tokens[index + 1].value.upper() if index + 1 < len(tokens) else ""
            if before not in _NOT_BEFORE and after not in _NOT_AFTER and before != "OPTIONAL":
                found.append(token.start)
    return found
