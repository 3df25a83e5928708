"""Patterns of text: LIKE and regular expressions of RE2 in Java's terms, those that both read alike.  Knows no IR."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[\w \-/:;,@#!&=<>'\"~`]")
_ESCAPED = re.compile(r"\\([.\\+*?()|\[\]{}^$\-/])")
_CLASS = re.compile(
    r"\[\^?(?:[A-Za-z0-9]-[A-Za-z0-9]|[\w .,:;@/+*?|()$!-]|\\[nrtf]|\\x[0-9A-Fa-f]{2}|\\x\{[0-9A-Fa-f]{1,4}\})+\]"
)
_REPEAT = re.compile(r"[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}\??")
_LETTERS = {r"\d": "[0-9]", r"\w": "[0-9A-Za-z_]", r"\D": "[^0-9]", r"\W": "[^0-9A-Za-z_]", r"\s": r"[\t\n\f\r ]"}
_ANYTHING = r"[\s\S]*"


def like(pattern: str) -> tuple[str, str] | None:
    """The predicate of Cypher and its text for a pattern of LIKE; None for one that ends in a backslash."""
    parts: list[str] = [""]
    wild: list[str] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "\\":
            at += 1
            if at == len(pattern):
                return None
            parts[-1] += pattern[at]
        elif character in "%_":
            wild.append(character)
            parts.append("")
        else:
            parts[-1] += character
        at += 1
    if not wild:
        return "eq", parts[0]
    if set(wild) == {"%"}:
        if len(wild) == 1 and not parts[1]:
            return "starts_with", parts[0]
        if len(wild) == 1 and not parts[0]:
            return "ends_with", parts[1]
        if len(wild) == 2 and not parts[0] and not parts[2]:
            return "contains", parts[1]
    made = quoted(parts[0])
    for kind, part in zip(wild, parts[1:], strict=True):
        made += (_ANYTHING if kind == "%" else r"[\s\S]") + quoted(part)
    return "matches", made


def quoted(text: str) -> str:
    """A text as a regular expression that matches it."""
    return "".join(["\\" + each if each in r"\^$.|?*+()[]{}" else each for each in text])


def searched(pattern: str) -> str | None:
    """A Java expression that matches a whole text exactly where the RE2 expression finds something in it."""
    start, end = pattern.startswith(("^", r"\A")), pattern.endswith(r"\z") or _ends(pattern)
    inner = pattern.removeprefix("^").removeprefix(r"\A")
    if end:
        inner = inner.removesuffix(r"\z") if inner.endswith(r"\z") else inner[:-1]
    made = _read(inner)
    if made is None or ((start or end) and _has_alternative(inner)):
        return None
    if _has_alternative(inner):
        made = f"(?:{made})"
    return ("" if start else _ANYTHING) + made + ("" if end else _ANYTHING)


def _ends(pattern: str) -> bool:
    """Whether the last character is an anchor, and not escaped."""
    backslashes = len(pattern) - 1 - len(pattern[:-1].rstrip("\\"))
    return pattern.endswith("$") and backslashes % 2 == 0


def _has_alternative(pattern: str) -> bool:
    """Whether alternatives stand outside of all parentheses."""
    depth = 0
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 2 if character == "\\" else 1
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            return True
    return False


def _read(pattern: str) -> str | None:
    """The expression piece by piece; None where a piece is read differently, or not read here."""
    out: list[str] = []
    depth = 0
    repeatable = False
    at = 0
    while at < len(pattern):
        rest = pattern[at:]
        repeat = _REPEAT.match(rest)
        found = (repeat[0], repeat[0]) if repeat is not None and repeatable else _piece(rest)
        if found is None or (repeat is not None and not repeatable):
            return None
        step, made = found
        depth += (made == "(?:") - (made == ")")
        if depth < 0:
            return None
        repeatable = repeat is None and made not in ("(?:", "|")
        out.append(made)
        at += len(step)
    return None if depth else "".join(out)


def _piece(rest: str) -> tuple[str, str] | None:
    """What a text begins with, and what it is in Java; None for what is not known."""
    if rest[0] == "(":
        if rest.startswith("(?") and not rest.startswith("(?:"):
            return None
        return ("(?:" if rest.startswith("(?:") else "("), "(?:"
    if rest[0] in ")|":
        return rest[0], rest[0]
    if rest[0] == ".":
        return ".", r"[^\n]"
    if rest[:2] in _LETTERS:
        return rest[:2], _LETTERS[rest[:2]]
    found = _ESCAPED.match(rest) or _CLASS.match(rest) or _PLAIN.match(rest)
    return None if found is None else (found[0], found[0])
