"""Reads vendors.txt: statements about the database of vendors.sql with what each vendor says of them, in sections."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graphir.diagnostics import Diagnostic, SyntaxFault
from graphir.grammar import readers
from graphir.passes.vendors.catalog import Catalog
from graphir.passes.vendors.check import analyze, refused
from graphir.passes.vendors.scripts import catalog_of
from graphir.passes.vendors.vendors import VENDORS, vendor_of
from graphir.source import Source

FOLDER = Path(__file__).parent
DIALECTS = ("pgq-oracle-23ai", "pgq-postgres", "pgq-duckpgq", "pgq-hyper")
"""In the order of the columns."""


@dataclass(frozen=True)
class Verdict:
    """A statement and what is said of it in each dialect: `ok`, or our code and that of the vendor, `G072/ORA-03050`;
    nothing where that is not known (`-`).

    `repaired`: dialect -> the text after its repairs.
    """

    text: str
    said: dict[str, str]
    repaired: dict[str, str]


@cache
def sections() -> dict[str, list[Verdict]]:
    """Title -> verdicts."""
    found: dict[str, list[Verdict]] = {}
    title = ""
    for block in (FOLDER / "vendors.txt").read_text(encoding="utf-8").split("\n\n")[1:]:
        lines = block.splitlines()
        if lines[0].startswith("# "):
            title = lines.pop(0)[2:]
        text, stated, *others = lines
        repaired = dict(line.split(" => ", 1) for line in others)
        said = {dialect: word for dialect, word in zip(DIALECTS, stated.split(), strict=True) if word != "-"}
        verdict = Verdict(text, said, repaired)
        found.setdefault(title, []).append(verdict)
    return found


@cache
def catalog(dialect: str) -> Catalog:
    vendor = vendor_of(dialect) or VENDORS["iso"]
    return catalog_of([(FOLDER / "vendors.sql").read_text(encoding="utf-8")], vendor)


def found(text: str, dialect: str) -> list[Diagnostic]:
    """The errors of a statement."""
    try:
        query = readers.reader(dialect).parse(text, dialect)
    except SyntaxFault as fault:
        return refused(fault.diagnostics, vendor_of(dialect) or VENDORS["iso"])
    faults = analyze(query, Source(text), dialect, catalog(dialect))
    return [each for each in faults if each.severity == "error"]


def said(text: str, dialect: str) -> str:
    """The codes of the first error, without spaces."""
    faults = found(text, dialect)
    if not faults:
        return "ok"
    return f"{faults[0].code}/{(faults[0].vendor or '?').replace(' ', '_')}"
