"""Texts that toInteger() and toFloat() read, as regular expressions that every database understands alike.

A text is a number as it is usually spelled, or surely none, or an unusual one (in hexadecimal, with more than 18
digits, between blanks other than spaces), which a translation stops at.  Knows no IR and no database.
"""

from __future__ import annotations

WHOLE = "[+-]?[0123456789]{1,18}"
CUT = (
    "[+-]?([0123456789]{1,18}[.][0123456789]{0,200}|"
    "([0123456789]{1,9}[.]?[0123456789]{0,200}|[.][0123456789]{1,200})([eE][+-]?[0123456789])?)"
)
"""A number with a fraction, whose whole part is an integer."""
REAL = "[+-]?([0123456789]{1,200}[.]?[0123456789]{0,200}|[.][0123456789]{1,200})([eE][+-]?[0123456789]{1,2})?"
WORD = "[+-]?(NaN|Infinity)"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
WORDS = f"[{_LETTERS} _,:;/()%$#.+-]*"
"""A text without a digit.  `WORD` is asked first."""
PLAIN = f"[0123456789{_LETTERS} _,:;/()%$#.+-]*"
MARKED = f"([{_LETTERS}].*|.*[ghijklmnqrstuvwyzGHIJKLMNQRSTUVWYZ,:;/()%$#].*|.*[0123456789.][+-].*)"
"""Of plain texts, one with a letter in front, a letter or a mark that no number has, or a sign behind a digit."""
DAY = "[123456789][0123456789]{3}-[01][0123456789]-[0123][0123456789]"
"""A day, `2020-01-31`, or what looks like one."""
