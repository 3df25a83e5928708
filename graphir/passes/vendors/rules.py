"""The rules that vendors enforce, as data: our code, and the vendor's.

A rule holds for the vendors that it lists; where a vendor refuses with a kind of error and no number, that kind stands
in its place, and nothing where the number is not known.  ORA numbers are from Oracle's list of errors, SQLSTATEs from
PostgreSQL's regression tests, kinds of errors from DuckPGQ's tests, and words of Hyper from Hyper (`tests/engines`).
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
_SYNTAX, _COLUMN, _TABLE, _LABEL = "syntax error", "unknown column", "unknown table", "unknown label"
_MISSING, _NOT_YET, _NOT_HERE = "does not exist", "not yet supported", "not allowed here"

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
    "no key": _rule("G087", "the table has no key", oracle="", postgres="42601"),
    "no foreign key": _rule("G087", "no foreign key leads to the end", oracle="", postgres="42601", duckpgq=_INVALID),
    "several foreign keys": _rule(
        "G087", "several foreign keys lead to the end", oracle="", postgres="42601", duckpgq=_INVALID
    ),
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
    "syntax": _rule("G085", "the text does not parse", oracle="", postgres="42601", duckpgq=_PARSER, hyper=_SYNTAX),
    "reserved word": _rule(
        "G074", "a reserved word as a name", oracle="ORA-03050", postgres="42601", duckpgq=_PARSER, hyper=_SYNTAX
    ),
    "no match": _rule("G031", "MATCH is missing", oracle="ORA-49006", postgres="42601", duckpgq=_PARSER, hyper=_SYNTAX),
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
    "no definitions": _rule("G085", "statements on property graphs", hyper=_SYNTAX),
    "privilege": _rule("G085", "a graph has the privilege SELECT", postgres="0LP01"),
}
"""The rules of CREATE, ALTER and DROP PROPERTY GRAPH."""

_FORMS: dict[str, Rule] = {
    # What stands between GRAPH_TABLE and its graph, and around patterns.
    "graph as string": _rule(
        "G024",
        "a string in the place of a name",
        oracle="ORA-03050",
        postgres="42601",
        duckpgq=_PARSER,
        hyper=_SYNTAX,
        iso="",
    ),
    "no columns": _rule("G073", "COLUMNS is missing", oracle="ORA-02000", postgres="42601", iso=""),
    "one row per": _rule("G072", "ONE ROW PER", postgres="42601", duckpgq=_PARSER),
    "one row per vertex": _rule("G072", "ONE ROW PER VERTEX", hyper=_SYNTAX),
    "alias after AS": _rule("G072", "AS before the alias of a table", oracle="ORA-03048"),
    "limit": _rule("G072", "LIMIT", oracle="", iso=""),
    "column without alias": _rule("G073", "a computed column has a name", postgres="42601", iso=""),
    "column name without AS": _rule(
        "G072", "the name of a column without AS", oracle="", postgres="42601", hyper=_SYNTAX, iso=""
    ),
    "match mode": _rule("G072", "a match mode", oracle="", postgres="42601", duckpgq=_PARSER, hyper=_SYNTAX),
    "several paths": _rule("G072", "several path patterns", postgres="0A000"),
    # Labels.
    "label colon": _rule("G072", "`:` before a label", oracle="ORA-03050", postgres="42601"),
    "label or": _rule("G072", "`|` between labels", duckpgq=_PARSER),
    "label and": _rule("G072", "`&` between labels", oracle="", postgres="42601", duckpgq=_PARSER),
    "label not": _rule("G072", "`!` before a label", oracle="", postgres="42601", duckpgq=_PARSER),
    "label any": _rule("G072", "`%` as a label", oracle="", postgres="42601", duckpgq=_PARSER),
    # Paths.
    "path variable": _rule("G072", "a path variable", postgres="42601", hyper=_SYNTAX),
    "path mode": _rule("G072", "a path mode", oracle="", postgres="42601", duckpgq=_NOT_IMPLEMENTED, hyper=_SYNTAX),
    "selector": _rule("G072", "a selector of paths", oracle="", postgres="42601", hyper=_SYNTAX),
    "selector of several": _rule("G072", "a selector but ANY SHORTEST", duckpgq=_NOT_IMPLEMENTED),
    "selector and direction": _rule("G072", "shortest paths against the direction", duckpgq=_NOT_IMPLEMENTED),
    "group": _rule("G072", "a path in parentheses", postgres="0A000", duckpgq=_NOT_IMPLEMENTED, hyper=_SYNTAX),
    "both directions": _rule("G072", "`<-[..]->`", postgres="42601", hyper=_SYNTAX),
    "short edge": _rule("G072", "an edge without brackets", duckpgq=_PARSER, hyper=_SYNTAX),
    "edge in braces": _rule(
        "G072", "properties in braces", oracle="", postgres="42601", duckpgq=_PARSER, hyper=_SYNTAX, iso=""
    ),
    # Quantifiers.
    "quantifier": _rule("G072", "a quantifier", postgres="0A000"),
    "quantifier ?": _rule("G072", "the quantifier `?`", oracle="ORA-49003", postgres="42601"),
    "endless quantifier": _rule(
        "G072", "a quantifier without upper bound", oracle="ORA-40989", postgres="42601", hyper="not supported"
    ),
    "endless mark": _rule("G072", "`*` and `+`", hyper=_SYNTAX),
    "endless walk": _rule("G251", "endless repetition", duckpgq=_CONSTRAINT, iso=""),
    "bounds": _rule(
        "G250",
        "the lower bound is not above the upper one",
        oracle="ORA-40984",
        postgres="0A000",
        duckpgq=_CONSTRAINT,
        hyper="must not exceed",
        iso="",
    ),
    "upper bound": _rule("G257", "at most 10 repetitions", oracle="ORA-40984"),
    "lower bound": _rule("G257", "at least one repetition", hyper=_NOT_YET),
    "quantifier without edge": _rule(
        "G211", "only edges are repeated", oracle="ORA-40999", postgres="0A000", duckpgq=_PARSER
    ),
    # Shapes.
    "adjacent vertices": _rule(
        "G258",
        "two vertices without an edge between them",
        oracle="ORA-49004",
        postgres="0A000",
        duckpgq=_PARSER,
        hyper=_NOT_YET,
    ),
    "edge at the end": _rule("G258", "a path begins and ends with a vertex", postgres="0A000", duckpgq=_PARSER),
    "adjacent edges": _rule("G258", "a vertex stands before an edge", postgres="0A000", duckpgq=_PARSER),
    "no variable": _rule("G259", "an element without variable", duckpgq=_PARSER),
    "no label": _rule("G259", "an element without label", duckpgq=_BINDER),
    "edge between others": _rule("G260", "an edge has two ends", postgres="42P17"),
    "two kinds": _rule(
        "G103", "a variable of two kinds", oracle="", postgres="42809", duckpgq=_BINDER, hyper="already bound", iso=""
    ),
    "two labels": _rule("G260", "one variable, two label expressions", postgres="0A000"),
}

_NAMES: dict[str, Rule] = {
    "no such graph": _rule(
        "G121", "there is no such graph", oracle="", postgres="42P01", duckpgq=_BINDER, hyper=_MISSING, iso=""
    ),
    "no graph but a table": _rule(
        "G121", "a table is no graph", oracle="", postgres="42809", duckpgq=_BINDER, hyper=_MISSING
    ),
    "no such label": _rule(
        "G140", "there is no such label", oracle="", postgres="42704", duckpgq=_BINDER, hyper=_LABEL, iso=""
    ),
    "label of the other kind": _rule(
        "G145", "a label of the other kind", oracle="", postgres="42704", duckpgq=_BINDER, iso=""
    ),
    "no such property": _rule(
        "G142",
        "no element has the property",
        oracle="ORA-40983",
        postgres="42601",
        duckpgq=_BINDER,
        hyper=_COLUMN,
        iso="",
    ),
    "property of others": _rule(
        "G143",
        "no element that this may be has the property",
        oracle="ORA-40983",
        postgres="42704",
        duckpgq=_BINDER,
        hyper=_COLUMN,
        iso="",
    ),
    "unquoted name": _rule(
        "G133", "a name that was meant in its own case", oracle="ORA-40983", postgres="42704", hyper=_COLUMN, iso=""
    ),
    "property without variable": _rule(
        "G134",
        "a property without variable",
        oracle="ORA-40956",
        postgres="42703",
        duckpgq=_BINDER,
        hyper=_COLUMN,
        iso="",
    ),
    "no such variable": _rule(
        "G101",
        "there is no such variable",
        oracle="ORA-40996",
        postgres="42P01",
        duckpgq=_BINDER,
        hyper=_TABLE,
        iso="",
    ),
    "outer column": _rule("G135", "a column of the query around", oracle="ORA-40996", duckpgq=_BINDER),
    "other element in WHERE": _rule("G135", "WHERE of an element asks another", postgres="0A000", hyper=_TABLE),
    "variable as value": _rule("G340", "an element as a value", oracle="", postgres="42703", hyper=_COLUMN, iso=""),
    "path as value": _rule("G340", "a path as a value", oracle="", duckpgq=_BINDER),
    "graph variable outside": _rule(
        "G132",
        "a variable of the pattern outside of GRAPH_TABLE",
        oracle="ORA-00904",
        postgres="42P01",
        duckpgq=_BINDER,
        hyper=_TABLE,
        iso="",
    ),
    "column not projected": _rule(
        "G132", "COLUMNS does not have it", oracle="ORA-00904", postgres="42703", duckpgq=_BINDER, hyper=_COLUMN, iso=""
    ),
    "group in columns": _rule("G136", "a repeated variable in COLUMNS", oracle="ORA-40990", hyper=_TABLE, iso=""),
    "group in where": _rule("G136", "a repeated variable in WHERE", oracle="ORA-40998", hyper=_TABLE, iso=""),
}

_VALUES: dict[str, Rule] = {
    "star": _rule("G072", "all properties", postgres="0A000"),
    "star in a condition": _rule(
        "G072", "all properties in a condition", oracle="", postgres="42601", duckpgq=_PARSER, hyper=_SYNTAX, iso=""
    ),
    "subquery": _rule("G261", "a query in GRAPH_TABLE", oracle="", postgres="0A000"),
    "aggregate": _rule("G112", "an aggregate in GRAPH_TABLE", postgres="0A000", hyper=_NOT_HERE),
    "aggregate of one": _rule("G137", "an aggregate of what is not repeated", oracle="ORA-49011", iso=""),
    "aggregate of two": _rule("G137", "an aggregate of two repeated variables", oracle="ORA-49012", iso=""),
    "aggregate in a repetition": _rule("G137", "an aggregate in a repeated part", oracle="ORA-49010", iso=""),
    "window": _rule("G112", "a window function in GRAPH_TABLE", oracle="", postgres="0A000", hyper="not allowed here"),
    "set of rows": _rule("G112", "a function that gives rows", postgres="0A000"),
    "vertex function": _rule("G138", "a vertex where the function takes one", oracle="ORA-40981"),
    "edge function": _rule("G138", "an edge where the function takes one", oracle="ORA-40982"),
    "invented function": _rule(
        "G303",
        "a function that the database does not have",
        oracle="ORA-00904",
        postgres="42883",
        duckpgq="Catalog Error",
        hyper=_MISSING,
        iso="",
    ),
    "function of others": _rule(
        "G303",
        "a function that other databases have",
        oracle="ORA-00904",
        postgres="42883",
        duckpgq="Catalog Error",
        hyper=_MISSING,
    ),
    "list in brackets": _rule("G072", "a list in brackets", oracle="", postgres="42601", hyper=_SYNTAX, iso=""),
    "list without parentheses": _rule("G072", "IN without parentheses", postgres="42601", hyper=_SYNTAX, iso=""),
    "operator of others": _rule(
        "G014", "`=~`", oracle="", postgres="42883", duckpgq="Catalog Error", hyper="unknown operator", iso=""
    ),
    "label never held": _rule("G146", "a predicate on labels that never holds", oracle="ORA-49043"),
    "property predicate": _rule("G138", "PROPERTY_EXISTS of something else", oracle="ORA-49029", iso=""),
    "property never held": _rule("G143", "a predicate on a property that never holds", oracle="ORA-49044"),
    "predicate of others": _rule(
        "G072", "a predicate that other databases have", oracle="", postgres="42601", duckpgq=_PARSER, hyper=_SYNTAX
    ),
    "rows of several paths": _rule(
        "G257", "ONE ROW PER VERTEX goes over one path, or over named ones", oracle="ORA-49030"
    ),
    "written table": _rule(
        "G520",
        "a GRAPH_TABLE that is written to",
        oracle="ORA-40968",
        postgres="42601",
        duckpgq=_PARSER,
        hyper=_SYNTAX,
        iso="",
    ),
    "rows of a fixed length": _rule("G257", "ONE ROW PER VERTEX needs a repetition", oracle="ORA-49020"),
    "iterator in WHERE": _rule("G135", "a variable of ONE ROW PER in WHERE", oracle="ORA-49027"),
}

QUERIES: dict[str, Rule] = {**_FORMS, **_NAMES, **_VALUES}
"""The rules of GRAPH_TABLE and of the SQL around it."""
