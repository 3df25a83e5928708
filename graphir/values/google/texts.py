"""How GoogleSQL writes floats and moments as texts."""

from __future__ import annotations

import math

from graphir.values.civil import date_text
from graphir.values.datetimes import DateTime, LocalDateTime


def float_text(value: float) -> str:
    """As short as it can be: 15 digits, or 17 where those are not enough."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    short = f"{value:.15g}"
    made = short if float(short) == value else f"{value:.17g}"
    return "0" if made == "-0" else made


def fraction_text(nano: int) -> str:
    """The part of a second behind the point, in threes of digits, none for none."""
    if nano == 0:
        return ""
    digits = f"{nano:09d}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return "." + digits


def moment_text(value: DateTime | LocalDateTime, between: str, zone: str = "") -> str:
    """Day, clock and, of what has a zone, `zone`; such a moment is written in UTC."""
    days, second = divmod(value.second, 86_400)
    clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}{fraction_text(value.nano)}"
    return f"{date_text(days)}{between}{clock}{zone if isinstance(value, DateTime) else ''}"
