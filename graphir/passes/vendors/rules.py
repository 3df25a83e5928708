"""The rules that vendors enforce, as data: our code, and the vendor's.

A rule holds for the vendors that it lists; where a vendor refuses with a kind of error and no number, that kind stands
in its place, and nothing where the number is not known.  ORA numbers are from Oracle's list of errors, SQLSTATEs from
PostgreSQL's regression tests, kinds of errors from DuckPGQ's tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Rule:
    """`code` is ours.  `vendors`: vendor -> its own code, empty where it is not known."""

    code: str
    title: str
    vendors: Mapping[str, str]


def _rule(code: str, title: str, **vendors: str) -> Rule:
    return Rule(code, title, MappingProxyType(vendors))


_INVALID, _BINDER, _CONSTRAINT, _PARSER = "Invalid Error", "Binder Error", "Constraint Error", "Parser Error"
_NOT_IMPLEMENTED = "Not implemented Error"

DEFINITIONS: dict[str, Rule] = {
    # Names of what is there already, or is not.
    "graph exists": _rule(
        "G088", "there is a graph or table of that name", oracle="ORA-00955", postgres="42P07", duckpgq=_INVALID
    ),
    "no such graph": _rule("G086", "there is no such graph", oracle="", postgres="42P01", duckpgq=_BINDER),
    "no such graph to drop": _rule("G086", "there is no graph to drop", oracle="", postgres="42704", duckpgq=_BINDER),
    "no such table": _rule("G086", "there is no such table", oracle="ORA-00942", postgres="42P01", duckpgq=_INVALID),
    "no such column": _rule(
        "G086", "the table has no such column", oracle="ORA-00904", postgres="42703", duckpgq=_INVALID
    ),
    "no such element": _rule("G086", "the graph has no such element", postgres="42704"),
    "no such end": _rule(
        "G086", "an edge ends at no element of the graph", oracle="ORA-42428", postgres="42P17", duckpgq=_INVALID
    ),
    "no such label": _rule("G086", "the element has no such label", postgres="42704"),
    "no such property": _rule("G086", "the label has no such property", postgres="42704"),
    # Names that stand twice.
    "element twice": _rule("G088", "two elements have one name", oracle="ORA-42428", postgres="42P07"),
    "element exists": _rule("G088", "the graph has an element of that name", postgres="42P17"),
    "label twice": _rule("G088", "a label stands twice", postgres="42710", duckpgq=_CONSTRAINT),
    "property twice": _rule("G088", "a property stands twice", postgres="42710"),
    # Keys.
    "no key": _rule("G087", "the table has no key", postgres="42601"),
    "no foreign key": _rule("G087", "no foreign key leads to the end", postgres="42601", duckpgq=_INVALID),
    "several foreign keys": _rule("G087", "several foreign keys lead to the end", postgres="42601", duckpgq=_INVALID),
    "number of columns": _rule("G347", "the columns of an end are as many as those they refer to", postgres="42601"),
    "incomparable key": _rule("G347", "the columns of an end cannot be compared", postgres="42601"),
    "collation of key": _rule("G347", "the columns of an end have one collation", postgres="42601"),
    # Labels and properties that contradict each other.
    "two expressions": _rule("G347", "a property of an element has one expression", postgres="42601"),
    "two types": _rule("G347", "a property has one type", postgres="42601"),
    "two collations": _rule("G347", "a property has one collation", postgres="42601"),
    "different properties": _rule("G347", "a label has the same properties everywhere", postgres="42P17"),
    "last label": _rule("G347", "an element keeps a label", postgres="55000"),
    "still needed": _rule("G347", "something depends on it", postgres="2BP01"),
    "temporary table": _rule("G347", "a lasting graph has no temporary table", postgres="42P17"),
    "view": _rule("G347", "a view is no table of a graph", duckpgq=_INVALID),
    # Forms that a vendor does not have.
    "syntax": _rule("G085", "the definition does not parse", oracle="", postgres="42601", duckpgq=_PARSER),
    "no tables": _rule("G085", "a graph has vertex tables", oracle="", duckpgq=_PARSER),
    "node words": _rule("G085", "NODE and RELATIONSHIP", oracle="ORA-02000"),
    "temporary graph": _rule("G085", "TEMPORARY", oracle="ORA-00901", duckpgq=_PARSER),
    "unlogged graph": _rule("G085", "UNLOGGED", oracle="ORA-00901", postgres="42601", duckpgq=_PARSER),
    "replaced graph": _rule("G085", "OR REPLACE", postgres="42601"),
    "altered graph": _rule("G085", "ALTER PROPERTY GRAPH", oracle="ORA-03048", duckpgq=_PARSER),
    "no key clause": _rule("G085", "KEY", duckpgq=_PARSER),
    "excepted columns": _rule("G085", "EXCEPT", postgres="42601"),
    "label before properties": _rule("G085", "LABEL stands behind PROPERTIES", duckpgq=_PARSER),
    "several labels": _rule("G085", "a table has one label", duckpgq=_PARSER),
    "expression": _rule("G085", "a property is a column", duckpgq=_PARSER),
    "referred columns": _rule("G085", "REFERENCES names columns", postgres="42601", duckpgq=_PARSER),
    "privilege": _rule("G085", "a graph has the privilege SELECT", postgres="0LP01"),
}
"""The rules of CREATE, ALTER and DROP PROPERTY GRAPH."""
