"""The dialects by name, as data: which family of languages they belong to and what their text may hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

Family = Literal["cypher", "gql", "pgq", "sql"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect.

    `reads` and `writes`: graphir has a front end, a printer for it.  `escapes_first`: `\\uXXXX` is resolved before the
    text is tokenized (Neo4j), so that it may spell a keyword; otherwise only inside strings.  `inline`: a statement
    defines the graph that it asks, and so needs a schema.  `tables`: what the graph does not say is asked of its
    tables, and so a statement needs a schema, too.  `read_as`: its text is read as that of another dialect.
    """

    name: str
    family: Family
    title: str
    reads: bool = False
    writes: bool = False
    escapes_first: bool = False
    inline: bool = False
    tables: bool = False
    read_as: str = ""


DIALECTS: dict[str, Dialect] = {
    d.name: d
    for d in (
        Dialect("opencypher-9", "cypher", "openCypher 9", reads=True, writes=True),
        Dialect("neo4j-5", "cypher", "Neo4j, Cypher 5", reads=True, writes=True, escapes_first=True),
        Dialect("neo4j-25", "cypher", "Neo4j, Cypher 25", reads=True, writes=True, escapes_first=True),
        Dialect("gql-iso", "gql", "ISO GQL", reads=True, writes=True),
        Dialect("gql-neo4j-25", "gql", "GQL of Neo4j", reads=True, writes=True, escapes_first=True, read_as="neo4j-25"),
        Dialect("gql-fabric", "gql", "GQL of Microsoft Fabric", reads=True, writes=True),
        Dialect("gql-grafeo", "gql", "GQL of Grafeo", reads=True, writes=True),
        Dialect("gql-spanner", "gql", "GQL of Spanner Graph", reads=True, writes=True),
        Dialect("gql-bigquery", "gql", "GQL of BigQuery", reads=True, writes=True),
        Dialect("pgq-googlesql", "pgq", "SQL/PGQ of BigQuery and Spanner", reads=True, writes=True),
        Dialect("pgq-iso", "pgq", "SQL/PGQ of ISO SQL:2023", reads=True, writes=True, tables=True),
        Dialect("pgq-oracle-23ai", "pgq", "SQL/PGQ of Oracle 23ai", reads=True, writes=True, tables=True),
        Dialect("pgq-oracle-26ai", "pgq", "SQL/PGQ of Oracle 26ai", reads=True, writes=True, tables=True),
        Dialect("pgq-postgres", "pgq", "SQL/PGQ of PostgreSQL", reads=True, writes=True, tables=True),
        Dialect("pgq-duckpgq", "pgq", "SQL/PGQ of DuckPGQ", reads=True, writes=True, tables=True),
        Dialect("pgq-hyper", "pgq", "SQL/PGQ of Hyper", reads=True, writes=True, inline=True),
        Dialect("sql-duckdb", "sql", "SQL of DuckDB", writes=True),
        Dialect("sql-sqlite", "sql", "SQL of SQLite", writes=True),
        Dialect("sql-postgres", "sql", "SQL of PostgreSQL", writes=True),
        Dialect("sql-oracle", "sql", "SQL of Oracle", writes=True),
        Dialect("sql-spark", "sql", "SQL of Spark", writes=True),
        Dialect("sql-trino", "sql", "SQL of Trino", writes=True),
        Dialect("sql-bigquery", "sql", "SQL of BigQuery", writes=True),
    )
}

READABLE = tuple(name for name, each in DIALECTS.items() if each.reads)
WRITABLE = tuple(name for name, each in DIALECTS.items() if each.writes)


def dialect(name: str) -> Dialect:
    """The dialect of that name.  Raises ValueError naming the known ones."""
    found = DIALECTS.get(name)
    if found is None:
        raise ValueError(f"unknown dialect {name!r}; known: {', '.join(DIALECTS)}")
    return found


def reading(name: str) -> str:
    """The dialect as which the text of a dialect is read."""
    return DIALECTS[name].read_as or name


# ------------------------------------------------------------------ what the Cypher dialects read

CYPHER_LEVELS = ("opencypher-9", "neo4j-5", "neo4j-25")
"""The dialects that `cypher.lark` reads, each with all that came before it but for what was removed."""

_VERSIONS = {"5": "neo4j-5", "25": "neo4j-25"}


def level_of(dialect: str, version: str | None) -> str:
    """The Cypher level that counts for a query: `CYPHER 5` in front of it decides, else the dialect it was read in."""
    return _VERSIONS.get(version or "", dialect)


@dataclass(frozen=True, slots=True)
class Construct:
    """A construct that not every Cypher dialect has: `first` and `last` are the levels from and to which it exists.

    `instead` is how the other dialects say it; `swap` are words that it begins with or consists of, and those that say
    exactly the same in their place.
    """

    title: str
    first: str = "opencypher-9"
    last: str = "neo4j-25"
    code: str = ""
    instead: str | None = None
    swap: tuple[str, str] | None = None


CONSTRUCTS: dict[str, Construct] = {
    # Removed.
    "legacy parameter": Construct(
        "the parameter form `{name}`", last="opencypher-9", code="G017", instead="write `$name`"
    ),
    "|:": Construct("`|:` beside a variable, properties or a length", last="opencypher-9", instead="write `|`"),
    "repeated predicate": Construct(
        "a predicate on the result of another one", last="opencypher-9", instead="put the first one in parentheses"
    ),
    "predicate on labels": Construct(
        "a predicate on the result of a label predicate",
        last="neo4j-5",
        instead="put the label predicate in parentheses",
    ),
    "YIELD -": Construct("`YIELD -`", last="opencypher-9", instead="leave it out", swap=("YIELD -", "")),
    "USING BTREE INDEX": Construct("USING BTREE INDEX", last="opencypher-9", instead="write USING INDEX"),
    # Everywhere, but not beside each other.
    "colon conjunction": Construct("`:A:B`"),
    # Neo4j 5.
    "INFINITY and NAN": Construct("INFINITY and NAN", "neo4j-5"),
    "IS NORMALIZED": Construct("IS NORMALIZED", "neo4j-5"),
    "type predicate": Construct("the type predicate `::`", "neo4j-5"),
    "label expression": Construct("the label expression", "neo4j-5"),
    "IS label": Construct("IS before a label", "neo4j-5", instead="write `:`"),
    "dynamic label": Construct("the dynamic label `$(..)`", "neo4j-5"),
    "dynamic property": Construct("the dynamic property in SET and REMOVE", "neo4j-5"),
    "dynamic property of a property": Construct("the dynamic property of a property in SET and REMOVE", "neo4j-25"),
    "||": Construct("the operator `||`", "neo4j-5", instead="write `+`"),
    "ALL in a call": Construct("ALL in a call", "neo4j-5", instead="leave it out"),
    "trim(.. FROM ..)": Construct("trim(.. FROM ..)", "neo4j-5"),
    "extended WHEN": Construct("WHEN with an operator or several values", "neo4j-5"),
    "EXISTS subquery": Construct("EXISTS { .. }"),
    "COUNT and COLLECT subquery": Construct("the subquery expression", "neo4j-5"),
    "WHERE in a pattern": Construct("WHERE in a pattern", "neo4j-5", instead="write WHERE behind the pattern"),
    "quantified relationship": Construct("the quantified relationship", "neo4j-5", instead="write `*1..3` in brackets"),
    "parenthesized path": Construct("the path in parentheses", "neo4j-5"),
    "path selector": Construct("the path selector", "neo4j-5"),
    "paging clause": Construct("the clause without WITH or RETURN", "neo4j-5", instead="write it behind WITH *"),
    "OFFSET": Construct("OFFSET", "neo4j-5", instead="write SKIP", swap=("OFFSET", "SKIP")),
    "UNION DISTINCT": Construct("UNION DISTINCT", "neo4j-5", instead="write UNION", swap=("UNION DISTINCT", "UNION")),
    "planner hint": Construct("the planner hint USING", "neo4j-5"),
    "FINISH": Construct("FINISH", "neo4j-5"),
    "USE": Construct("USE", "neo4j-5"),
    "LOAD CSV": Construct("LOAD CSV", "neo4j-5"),
    "FOREACH": Construct("FOREACH", "neo4j-5"),
    "CALL { .. }": Construct("the subquery CALL { .. }", "neo4j-5"),
    "CALL (..) { .. }": Construct("the variables after CALL", "neo4j-5"),
    "OPTIONAL CALL": Construct("OPTIONAL CALL", "neo4j-5"),
    "IN TRANSACTIONS": Construct("IN TRANSACTIONS", "neo4j-5"),
    "CONCURRENT TRANSACTIONS": Construct("CONCURRENT TRANSACTIONS", "neo4j-5"),
    "ON ERROR RETRY": Construct("ON ERROR RETRY", "neo4j-5"),
    "INSERT": Construct("INSERT", "neo4j-5", instead="write CREATE", swap=("INSERT", "CREATE")),
    "NODETACH": Construct("NODETACH", "neo4j-5", instead="leave it out", swap=("NODETACH DELETE", "DELETE")),
    # Cypher 25.
    "IS LABELED": Construct("IS LABELED", "neo4j-25", instead="write `:`"),
    "IS NOT label": Construct("IS NOT before a label", "neo4j-25", instead="write `NOT n:Label`"),
    "reserved word after IS": Construct("a reserved word as a label after IS", "neo4j-25", instead="write `:`"),
    "dynamic label in a predicate": Construct("the dynamic label outside of a pattern", "neo4j-25"),
    "allReduce()": Construct("allReduce()", "neo4j-25"),
    "vector()": Construct("vector()", "neo4j-25"),
    "VECTOR type": Construct("the type VECTOR", "neo4j-25"),
    "type of Cypher 25": Construct("this type", "neo4j-25"),
    "ALL in a projection": Construct(
        "ALL after RETURN or WITH", "neo4j-25", instead="leave it out", swap=("RETURN ALL", "RETURN")
    ),
    "path mode": Construct("the path mode", "neo4j-25"),
    "parameter as a number of paths": Construct("the parameter as a number of paths", "neo4j-25"),
    "match mode": Construct("the match mode", "neo4j-25"),
    "NEXT": Construct("NEXT", "neo4j-25", instead="write WITH"),
    "conditional query": Construct("the conditional query WHEN .. THEN", "neo4j-25"),
    "query in braces": Construct("the query in braces", "neo4j-25"),
    "WHEN with IN, CONTAINS or labels": Construct("WHEN with IN, CONTAINS or labels", "neo4j-25"),
    "GROUP BY": Construct("GROUP BY", "neo4j-25", instead="the columns without an aggregate are the grouping keys"),
    "LET": Construct("LET", "neo4j-25", instead="write WITH *, value AS name"),
    "FILTER": Construct("FILTER", "neo4j-25", instead="write WITH * WHERE", swap=("FILTER", "WITH * WHERE")),
    "FOR": Construct("FOR", "neo4j-25", instead="write UNWIND list AS name"),
    "SEARCH": Construct("SEARCH", "neo4j-25"),
}
"""What the grammar's builder reports when it meets it, by a short name."""


# ------------------------------------------------------------------ what the Cypher dialects mean

RULES: dict[str, tuple[str, ...]] = {
    "a read after a write needs WITH": ("opencypher-9", "neo4j-5"),
    "a relationship is named once in a MATCH": ("opencypher-9",),
    "CREATE reads nothing that it creates": ("neo4j-25",),
    "MERGE reads nothing that it creates": ("neo4j-25",),
    "MERGE may read what it creates": ("neo4j-5",),
    "a sort key beside an aggregate uses columns only": ("opencypher-9",),
    "an aggregate after grouping is a column": ("opencypher-9", "neo4j-5"),
    "a test of a list has WHERE": ("opencypher-9", "neo4j-5"),
    "labels of a predicate are names": ("opencypher-9", "neo4j-5"),
    "exists() takes patterns only": ("neo4j-5", "neo4j-25"),
    "COUNT and EXISTS take a pattern": ("neo4j-5", "neo4j-25"),
    "CALL names its variables": ("neo4j-5", "neo4j-25"),
    "SET takes a map only": ("neo4j-25",),
    "SET takes elements, but better not": ("neo4j-5",),
}
"""The rules of meaning that not every Cypher dialect has, by a short name, and the dialects that have them."""


@cache
def rules_of(level: str) -> frozenset[str]:
    """The rules that hold in a Cypher dialect."""
    return frozenset(name for name, levels in RULES.items() if level in levels)


# ------------------------------------------------------------------ what the dialects of GQL read

PGQ_DIALECTS = {name: each.title for name, each in DIALECTS.items() if each.family == "pgq" and each.reads}
"""The dialects of SQL around graph patterns that `sqlpgq.lark` reads, and their titles."""
GQL_DIALECTS = {
    "gql-iso": "ISO GQL",
    "gql-fabric": "GQL of Microsoft Fabric",
    "gql-grafeo": "GQL of Grafeo",
    "gql-spanner": "GQL of Spanner Graph",
    "gql-bigquery": "GQL of BigQuery",
    **PGQ_DIALECTS,
}
"""The dialects that `gql.lark` reads, and their titles."""
GOOGLE = ("gql-spanner", "gql-bigquery", "pgq-googlesql")
"""Those of GoogleSQL: names differ in more than case, and the columns of set operations meet by name."""
CASELESS = (*GOOGLE, "pgq-duckpgq")
"""Those in which the case of labels and properties never counts."""
SQL_PGQ = tuple([name for name in PGQ_DIALECTS if name not in GOOGLE])
"""Those of SQL whose graph tables hold patterns alone, with COLUMNS: no clauses of GQL."""
_ISO: tuple[str, ...] = ("gql-iso",)
_EXTENDED = ("gql-fabric", "gql-grafeo")
"""Those that read what ISO GQL has, but for a few constructs, and some of their own."""
_GOOGLE: tuple[str, ...] = GOOGLE
_ALL = (*_ISO, *_GOOGLE)


@dataclass(frozen=True, slots=True)
class GqlConstruct:
    """A construct that not every dialect of GQL has, those that have it, and how the others say it."""

    title: str
    dialects: tuple[str, ...]
    instead: str | None = None


GQL_CONSTRUCTS: dict[str, GqlConstruct] = {
    # ISO GQL alone.
    "XOR": GqlConstruct("XOR", _ISO, "write `!=` between two truth values"),
    "match mode": GqlConstruct("the match mode", _ISO),
    "SHORTEST GROUPS": GqlConstruct("SHORTEST .. GROUPS", _ISO),
    "quantifier ?": GqlConstruct("the quantifier `?`", _ISO, "write `{0,1}`"),
    "<-[..]->": GqlConstruct("`<-[..]->`", _ISO, "write `-[..]-`"),
    "USE": GqlConstruct("USE", _ISO, "write GRAPH and the name before the query"),
    "FINISH": GqlConstruct("FINISH", _ISO),
    "OTHERWISE": GqlConstruct("OTHERWISE", _ISO),
    "NEXT YIELD": GqlConstruct("YIELD after NEXT", _ISO),
    "query in braces": GqlConstruct("the query in braces", _ISO),
    "OPTIONAL { .. }": GqlConstruct("OPTIONAL with a block", _ISO, "write OPTIONAL MATCH"),
    "WITH ORDINALITY": GqlConstruct("WITH ORDINALITY", _ISO, "write WITH OFFSET, which counts from 0"),
    "label predicate :": GqlConstruct("`:` as a predicate", _ISO, "write IS LABELED"),
    "IS DIRECTED": GqlConstruct("IS DIRECTED", _ISO),
    "IS TYPED": GqlConstruct("IS TYPED", _ISO),
    "EXISTS (..)": GqlConstruct("EXISTS with parentheses", _ISO, "write EXISTS { .. }"),
    "LIST[..]": GqlConstruct("LIST[..]", _ISO, "write `[..]`"),
    "PATH[..]": GqlConstruct("PATH[..]", _ISO, "write PATH(..)"),
    "SET": GqlConstruct("SET, REMOVE and DELETE", _ISO, "write UPDATE or DELETE on the tables"),
    "set operation without ALL or DISTINCT": GqlConstruct(
        "the set operation without ALL or DISTINCT", _ISO, "write DISTINCT"
    ),
    # GoogleSQL alone.
    "GRAPH name": GqlConstruct("GRAPH before the query", _GOOGLE, "write USE"),
    "hint": GqlConstruct("the hint", _GOOGLE, "leave it out"),
    "column mode": GqlConstruct("the column mode of a set operation", _GOOGLE),
    "COST": GqlConstruct("COST", _GOOGLE),
    "CHEAPEST": GqlConstruct("CHEAPEST", _GOOGLE),
    "WITH": GqlConstruct("WITH", _GOOGLE, "write RETURN .. NEXT"),
    "GROUP BY ALL": GqlConstruct("GROUP BY ALL", _GOOGLE, "name the keys"),
    "** unpacking": GqlConstruct("`**`", _GOOGLE),
    "CALL PER": GqlConstruct("CALL PER", _GOOGLE),
    "!=": GqlConstruct("`!=`", _GOOGLE, "write `<>`"),
    "LIKE": GqlConstruct("LIKE", _GOOGLE),
    "BETWEEN": GqlConstruct("BETWEEN", _GOOGLE, "write two comparisons"),
    "IN list": GqlConstruct("IN with a list", _EXTENDED, "write IN UNNEST(..)"),
    "IN UNNEST": GqlConstruct("IN UNNEST", _GOOGLE),
    "IN (..)": GqlConstruct("IN with values", _GOOGLE, "write comparisons with OR"),
    "IN { .. }": GqlConstruct("IN with a query", _GOOGLE, "write EXISTS"),
    "IS DISTINCT FROM": GqlConstruct("IS DISTINCT FROM", _GOOGLE),
    "SQL": GqlConstruct("the query in SQL", _GOOGLE),
    "TABLESAMPLE": GqlConstruct("TABLESAMPLE", _GOOGLE),
    "WITH(..)": GqlConstruct("WITH(..)", _GOOGLE, "write VALUE { LET .. RETURN .. }"),
    "bit operator": GqlConstruct("the operator on bits", _GOOGLE),
    "window": GqlConstruct("OVER", _GOOGLE),
    "ARRAY { .. }": GqlConstruct("ARRAY { .. }", _GOOGLE),
    "ARRAY[..]": GqlConstruct("ARRAY[..]", _GOOGLE, "write `[..]`"),
    "STRUCT": GqlConstruct("STRUCT", _GOOGLE, "write a record `{name: value}`"),
    "EXTRACT": GqlConstruct("EXTRACT", _GOOGLE),
    "INTERVAL": GqlConstruct("INTERVAL", _GOOGLE, "write DURATION"),
    # Extensions of ISO GQL that its implementations share.
    "CONTAINS": GqlConstruct("CONTAINS", _ISO, "write STRPOS(a, b) > 0"),
    "STARTS WITH": GqlConstruct("STARTS WITH and ENDS WITH", _EXTENDED, "write LEFT(a, CHAR_LENGTH(b)) = b"),
    # Nobody's yet.
    "properties beside WHERE": GqlConstruct("WHERE beside properties", (), "write the properties as conditions"),
    "COUNT { .. }": GqlConstruct("COUNT { .. }", (), "write VALUE { .. RETURN count(*) }"),
    "%": GqlConstruct("`%`", ("gql-grafeo",), "write MOD"),
    # All of these.
    **{
        name: GqlConstruct(name, _ALL)
        for name in (
            *("unbounded quantifier", "ANY k", "ALL SHORTEST", "SHORTEST k", "WITH OFFSET"),
            *(
                "record",
                "NULLS FIRST",
                "CALL",
                "CALL { .. }",
                "INSERT",
                "IS NORMALIZED",
                "VALUE { .. }",
                "[..] without OFFSET",
            ),
        )
    },
}

_LACKING = {
    "gql-fabric": frozenset(
        (
            *("match mode", "SHORTEST GROUPS", "SHORTEST k", "ANY k", "ALL SHORTEST", "NEXT YIELD", "VALUE { .. }"),
            *("WITH OFFSET", "WITH ORDINALITY", "NULLS FIRST", "INSERT", "SET"),
        )
    ),
    "gql-grafeo": frozenset(),
}
"""What dialects that extend ISO GQL do not have of it.  Facts: Microsoft's "GQL standard conformance"."""


_NOT_SQL = frozenset(
    (
        *(
            "XOR",
            "USE",
            "FINISH",
            "OTHERWISE",
            "NEXT YIELD",
            "query in braces",
            "OPTIONAL { .. }",
            "LIST[..]",
            "PATH[..]",
        ),
        *("SET", "GRAPH name", "hint", "COST", "CHEAPEST", "WITH", "** unpacking", "CALL PER", "IN { .. }", "WITH(..)"),
        *("ARRAY { .. }", "properties beside WHERE", "COUNT { .. }", "CALL", "CALL { .. }", "INSERT", "VALUE { .. }"),
        *("CONTAINS", "STARTS WITH"),
    )
)
"""Constructs of graph queries that no dialect of `SQL_PGQ` has; what only some of them have is not told by syntax."""

SQL_INSTEAD = {
    "CONTAINS": "write LIKE '%..%'",
    "STARTS WITH": "write LIKE '..%' or LIKE '%..'",
    "XOR": "write <> between two truth values",
}
"""How the dialects of `SQL_PGQ` say a construct, where that is not as `GQL_CONSTRUCTS` says."""


def has_construct(dialect: str, name: str) -> bool:
    """Whether a dialect of GQL has a construct of `GQL_CONSTRUCTS`."""
    dialects = GQL_CONSTRUCTS[name].dialects
    if dialect in SQL_PGQ:
        return name not in _NOT_SQL
    return dialect in dialects or (dialect in _LACKING and "gql-iso" in dialects and name not in _LACKING[dialect])
