"""Random expressions of temporal and spatial values, as Cypher text: about four of five have a value."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

ZONES = (
    *("Europe/Stockholm", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Cairo", "UTC"),
    *("Pacific/Apia", "America/Sao_Paulo", "Z", "+01:00", "-02:30", "+05:45", "-18:00"),
)
OFFSETS = ("", "Z", "+01:00", "-0230", "+05", "+02:05:59")
UNITS = (
    *("millennium", "century", "decade", "year", "weekYear", "quarter", "month", "week", "day"),
    *("hour", "minute", "second", "millisecond", "microsecond"),
)
KINDS = ("date", "localtime", "time", "localdatetime", "datetime")
COMPONENTS = (
    *("year", "quarter", "month", "week", "weekYear", "dayOfQuarter", "day", "ordinalDay", "dayOfWeek", "hour"),
    *("minute", "second", "millisecond", "microsecond", "nanosecond", "timezone", "offset", "offsetMinutes"),
    *("offsetSeconds", "epochSeconds", "epochMillis"),
)
PARTS = (
    *("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds"),
    *("nanoseconds", "quartersOfYear", "monthsOfQuarter", "monthsOfYear", "daysOfWeek", "minutesOfHour"),
    *("secondsOfMinute", "millisecondsOfSecond", "microsecondsOfSecond", "nanosecondsOfSecond"),
)


class Writer:
    """Writes expressions with a generator of random numbers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def year(self) -> int:
        usual = self.random.choice((1984, 2000, 2015, 2017, 2020, 2021, 2024))
        if self.maybe(0.85):
            return usual
        return self.random.choice(
            (1, 0, -1, -44, 9999, 12345, 1582, 1900, self.random.randint(-(10**9) + 1, 10**9 - 1))
        )

    def date_parts(self, *, complete: bool = False) -> list[str]:
        parts = [f"year: {self.year()}"]
        deep = complete or self.maybe(0.8)
        match self.random.randrange(6):
            case 0:
                parts.append(f"week: {self.random.randint(1, 53)}")
                parts += [f"dayOfWeek: {self.random.randint(1, 7)}"] if deep else []
            case 1:
                parts.append(f"quarter: {self.random.randint(1, 4)}")
                parts += [f"dayOfQuarter: {self.random.randint(1, 92)}"] if deep else []
            case 2:
                parts.append(f"ordinalDay: {self.random.randint(1, 366)}")
            case _:
                parts.append(f"month: {self.random.randint(1, 12)}")
                parts += [f"day: {self.random.choice((1, 15, 28, 29, 30, 31))}"] if deep else []
        return parts

    def time_parts(self) -> list[str]:
        depth = self.random.randint(1, 4)
        parts = [f"hour: {self.random.randint(0, 23)}", f"minute: {self.random.randint(0, 59)}"]
        parts = [*parts, f"second: {self.random.randint(0, 59)}"][:depth]
        return parts + self.subsecond() if depth == 4 else parts

    def subsecond(self) -> list[str]:
        nano = self.random.choice((0, 1, 5_000_000, 645_876_123, 999_999_999))
        match self.random.randrange(4):
            case 0:
                return [f"millisecond: {nano // 1_000_000}"]
            case 1:
                return [f"microsecond: {nano // 1_000}"]
            case 2:
                return [f"millisecond: {nano // 1_000_000}", f"nanosecond: {nano % 1_000_000}"]
            case _:
                return [f"nanosecond: {nano}"]

    def zone(self) -> str:
        return f"timezone: '{self.random.choice(ZONES)}'"

    def map(self, kind: str) -> str:
        parts: list[str] = []
        timed = kind != "date" and (kind not in ("localdatetime", "datetime") or self.maybe(0.8))
        if kind not in ("localtime", "time"):
            parts += self.date_parts(complete=timed)
        if timed:
            parts += self.time_parts()
        if kind in ("time", "datetime") and self.maybe(0.7):
            parts.append(self.zone())
        return "{" + ", ".join(parts) + "}"

    def text(self, kind: str) -> str:
        date = self.date_text() if kind not in ("localtime", "time") else ""
        time = self.time_text() if kind != "date" else ""
        if kind in ("time", "datetime"):
            time += self.random.choice(OFFSETS)
            if kind == "datetime" and self.maybe(0.3):
                time += f"[{self.random.choice(ZONES[:8])}]"
        return f"'{date}T{time}'" if date and time else f"'{date or time}'"

    def date_text(self) -> str:
        year, month, day = (
            self.random.choice((1984, 2015, 2016, 2020)),
            self.random.randint(1, 12),
            self.random.choice((1, 28, 30)),
        )
        week, weekday, quarter = self.random.randint(1, 53), self.random.randint(1, 7), self.random.randint(1, 4)
        ordinal = self.random.randint(1, 366)
        forms = (
            *(
                f"{year}-{month:02d}-{day:02d}",
                f"{year}{month:02d}{day:02d}",
                f"{year}-{month:02d}",
                f"{year}{month:02d}",
            ),
            *(f"{year}", f"{year}-W{week:02d}-{weekday}", f"{year}W{week:02d}{weekday}", f"{year}-W{week:02d}"),
            *(
                f"{year}-Q{quarter}-{day:02d}",
                f"{year}Q{quarter}{day:02d}",
                f"{year}-{ordinal:03d}",
                f"{year}{ordinal:03d}",
            ),
            *(f"+{self.random.randint(0, 10**9 - 1)}-{month:02d}-{day:02d}", f"-{year:04d}-{month:02d}-{day:02d}"),
        )
        return self.random.choice(forms)

    def time_text(self) -> str:
        hour, minute, second = self.random.randint(0, 23), self.random.randint(0, 59), self.random.randint(0, 59)
        fraction = self.random.choice(("", ".5", ",142", ".000000001"))
        long, short = f"{hour:02d}:{minute:02d}:{second:02d}", f"{hour:02d}{minute:02d}{second:02d}"
        return self.random.choice((long + fraction, short + fraction, long[:5], short[:4], short[:2], long))

    def value(self, kind: str) -> str:
        """A value of a kind."""
        if self.maybe(0.25):
            return f"{kind}({self.text(kind)})"
        if self.maybe(0.25):
            return self.rebuilt(kind)
        return f"{kind}({self.map(kind)})"

    def rebuilt(self, kind: str) -> str:
        """A value of a kind from another one, with overrides."""
        parts = []
        if kind in ("date", "localdatetime", "datetime") and self.maybe(0.9):
            parts.append(f"date: {self.simple(self.random.choice(('date', 'localdatetime', 'datetime')))}")
        if kind != "date" and self.maybe(0.8):
            parts.append(f"time: {self.simple(self.random.choice(KINDS[1:]))}")
        if kind in ("localdatetime", "datetime") and self.maybe(0.3):
            parts = [f"datetime: {self.simple(self.random.choice(KINDS[3:]))}"]
        if kind in ("date", "localdatetime", "datetime") and self.maybe(0.5):
            parts += self.date_parts()[self.random.randint(0, 1) if parts else 0 :]
        if kind != "date" and self.maybe(0.5):
            parts += self.random.sample(self.time_parts(), 1)
        if kind in ("time", "datetime") and parts and self.maybe(0.5):
            parts.append(self.zone())
        return f"{kind}({{{', '.join(parts)}}})"

    def simple(self, kind: str) -> str:
        return f"{kind}({self.map(kind)})"

    def amount(self) -> str:
        number = self.random.choice((0, 1, -1, 2, 14, -14, 70, self.random.randint(-1000, 1000)))
        return str(number) if self.maybe(0.6) else f"{number + self.random.choice((0.5, 0.25, -0.75, 0.1, 1 / 3))!r}"

    def duration(self) -> str:
        if self.maybe(0.2):
            return f"duration({self.duration_text()})"
        if self.maybe(0.15):
            return (
                f"duration.between({self.simple(self.random.choice(KINDS))}, {self.simple(self.random.choice(KINDS))})"
            )
        units = [unit for unit in PARTS[:11] if unit != "quarters"]
        names = sorted(self.random.sample(units, self.random.randint(1, 4)))
        return f"duration({{{', '.join(f'{name}: {self.amount()}' for name in names)}}})"

    def duration_text(self) -> str:
        days = [f"{self.random.randint(-20, 20)}{unit}" for unit in "YMWD" if self.maybe(0.5)]
        clock = [f"{self.random.randint(-90, 90)}{unit}" for unit in "HMS" if self.maybe(0.5)]
        if self.maybe(0.4) and (clock or days):
            last = clock or days
            last[-1] = last[-1][:-1] + self.random.choice((".5", ".75", ",25", ".123456789")) + last[-1][-1]
        sign = self.random.choice(("", "", "", "-"))
        return f"'{sign}P{''.join(days)}{'T' if clock else ''}{''.join(clock)}'"

    def truncation(self) -> str:
        kind, unit = self.random.choice(KINDS), self.random.choice(UNITS)
        source = self.simple(self.random.choice(KINDS))
        overrides: list[str] = []
        if self.maybe(0.5):
            if kind not in ("localtime", "time") and self.maybe(0.6):
                overrides += self.random.sample(
                    ("day: 2", "month: 3", "dayOfWeek: 4", "dayOfQuarter: 40", "week: 5"), 1
                )
            if kind != "date" and self.maybe(0.6):
                overrides += self.random.sample(("hour: 3", "minute: 4", "nanosecond: 7", "microsecond: 5"), 1)
            if kind in ("time", "datetime") and self.maybe(0.3):
                overrides.append(self.zone())
        return f"{kind}.truncate('{unit}', {source}{', {' + ', '.join(overrides) + '}' if overrides else ''})"

    def arithmetic(self) -> str:
        sign = self.random.choice("+-")
        if self.maybe(0.6):
            return f"{self.value(self.random.choice(KINDS))} {sign} {self.duration()}"
        if self.maybe(0.5):
            return f"{self.duration()} {sign} {self.duration()}"
        factor = self.random.choice(("2", "3", "-7", "0.5", "1.3", "12.0", "-0.1"))
        return f"{self.duration()} {self.random.choice('*/')} {factor}"

    def difference(self) -> str:
        name = self.random.choice(("between", "inMonths", "inDays", "inSeconds"))
        return f"duration.{name}({self.value(self.random.choice(KINDS))}, {self.value(self.random.choice(KINDS))})"

    def component(self) -> str:
        if self.maybe(0.3):
            return f"({self.duration()}).{self.random.choice(PARTS)}"
        return f"({self.value(self.random.choice(KINDS))}).{self.random.choice(COMPONENTS)}"

    def comparison(self) -> str:
        kind = self.random.choice(KINDS)
        sign = self.random.choice(("=", "<", "<=", ">", ">=", "<>"))
        return f"{self.value(kind)} {sign} {self.value(kind if self.maybe(0.8) else self.random.choice(KINDS))}"

    def point(self) -> str:
        def number() -> str:
            return self.random.choice(("0", "1", "-1.5", "12.78", "56.7", "179.9", "-190", "91", "1e10"))

        names = self.random.choice((("x", "y"), ("longitude", "latitude"), ("latitude", "longitude")))
        parts = [f"{name}: {number()}" for name in names]
        if self.maybe(0.3):
            parts.append(f"{self.random.choice(('z', 'height'))}: {number()}")
        if self.maybe(0.2):
            parts.append(self.random.choice(("crs: 'wgs-84'", "srid: 9157", "crs: 'cartesian'", "srid: 4979")))
        return f"point({{{', '.join(parts)}}})"

    def spatial(self) -> str:
        match self.random.randrange(3):
            case 0:
                return self.point()
            case 1:
                return f"point.distance({self.point()}, {self.point()})"
            case _:
                return f"point.withinBBox({self.point()}, {self.point()}, {self.point()})"

    def expression(self) -> str:
        kinds: tuple[Callable[[], str], ...] = (
            *(lambda: self.value(self.random.choice(KINDS)), lambda: self.value(self.random.choice(KINDS))),
            *(self.duration, self.truncation, self.truncation, self.arithmetic, self.arithmetic, self.difference),
            *(self.difference, self.component, self.comparison, self.spatial),
        )
        return self.random.choice(kinds)()
