"""The dialects of property graphs over tables, as data: how names are spelled, what a definition can hold.

Facts are from the manuals of Spanner, BigQuery and Oracle, and from the grammars and tests of PostgreSQL and DuckPGQ.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from graphir.quoting import literal, quoted
from graphir.schema.ddl.paths import Path
from graphir.schema.ddl.tokens import GOOGLE, SQL, Lexis, Token

Fold = Literal["upper", "lower", "insensitive"]


@dataclass(frozen=True, slots=True)
class Target:
    """One dialect.

    fold: what becomes of a name that is not quoted; "insensitive": case never tells two names apart, quoted or not.
    bytes: the longest name.  banned: characters that no quoting lets into a name.  plain_tables: tables and columns
    take letters, digits and `_` only.  one_type: a property name has one type in the graph.
    same_properties: tables with one label expose the same properties under it.
    unkeyed: the types of columns that cannot be in a key or unique.
    schemas: how many names may stand before that of a table; making: the words that make one.  global_graphs: graphs
    are in none, and their names alone count.  whole_ends: an edge refers to a node table by its whole name.
    foreign_across: a foreign key may refer to a table in another schema.
    unique_labels: no label stands at two tables.  many_labels: a table may have several.  own_labels: where no label is
    that of a table alone, it gets one, because patterns can ask for labels alone and not for what lacks one.
    """

    format: str
    title: str
    lexis: Lexis
    fold: Fold
    bytes: int
    banned: str = "\0"
    plain_tables: bool = False
    nodes: str = "VERTEX"
    one_type: bool = True
    same_properties: bool = False
    unique_labels: bool = False
    many_labels: bool = True
    own_labels: bool = False
    key_clause: bool = True
    checks: bool = True
    unique: Literal["inline", "index", "none"] = "inline"
    comments: bool = True
    key_after: bool = False
    enforced: bool = True
    unkeyed: re.Pattern[str] = re.compile(r"(?!)")
    schemas: int = 1
    making: str = "CREATE SCHEMA IF NOT EXISTS"
    global_graphs: bool = False
    whole_ends: bool = False
    foreign_across: bool = True

    def held(self, name: str, quoted: bool) -> str:
        """The name that tells it apart from others in the database."""
        if self.fold == "insensitive":
            return name.casefold()
        if quoted:
            return name
        return name.upper() if self.fold == "upper" else name.lower()

    def name(self, token: Token) -> str:
        """What the database holds of a name in a text."""
        return self.held(token.text, token.kind == "quoted")

    def path(self, token: Token) -> Path:
        """The same with the names of its schemas."""
        return tuple([self.name(part) for part in token.parts])


_GOOGLE_LIMIT = 128

TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        target.format: target
        for target in (
            Target(
                "spanner-ddl",
                "Spanner",
                GOOGLE,
                "insensitive",
                _GOOGLE_LIMIT,
                plain_tables=True,
                nodes="NODE",
                same_properties=True,
                unique="index",
                comments=False,
                key_after=True,
                unkeyed=re.compile("^(?:ARRAY|JSON)"),
                making="CREATE SCHEMA",
            ),
            Target(
                "bigquery-ddl",
                "BigQuery",
                GOOGLE,
                "insensitive",
                _GOOGLE_LIMIT,
                plain_tables=True,
                nodes="NODE",
                same_properties=True,
                checks=False,
                unique="none",
                comments=False,
                enforced=False,
                schemas=2,
                unkeyed=re.compile("^(?:ARRAY|JSON|GEOGRAPHY|INTERVAL)"),
            ),
            Target(
                "oracle-ddl",
                "Oracle",
                SQL,
                "upper",
                128,
                banned='\0"',
                own_labels=True,
                making="",
                unkeyed=re.compile("^(?:BLOB|JSON|VECTOR|SDO_GEOMETRY|TIMESTAMP WITH TIME ZONE)"),
            ),
            Target(
                "postgres-ddl",
                "PostgreSQL",
                SQL,
                "lower",
                63,
                same_properties=True,
                own_labels=True,
                unkeyed=re.compile("^point"),
            ),
            Target(
                "duckpgq-ddl",
                "DuckPGQ",
                SQL,
                "insensitive",
                1 << 20,
                one_type=False,
                unique_labels=True,
                many_labels=False,
                key_clause=False,
                schemas=2,
                global_graphs=True,
                whole_ends=True,
                foreign_across=False,
                unkeyed=re.compile(r"\]$|^INTERVAL"),
            ),
        )
    }
)

DIALECTS: Mapping[str, str] = MappingProxyType(
    {
        "gql-spanner": "spanner-ddl",
        "gql-bigquery": "bigquery-ddl",
        "pgq-googlesql": "spanner-ddl",
        "pgq-oracle-23ai": "oracle-ddl",
        "pgq-oracle-26ai": "oracle-ddl",
        "pgq-postgres": "postgres-ddl",
        "pgq-duckpgq": "duckpgq-ddl",
        "pgq-iso": "oracle-ddl",
        "pgq-hyper": "postgres-ddl",
    }
)
"""Dialect of queries -> format of the DDL under it."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RESERVED = _words(
    "ACCESS ACYCLIC ADD ALL ALTER ANALYSE ANALYZE AND ANTI ANY ARE ARRAY AS ASC ASOF ASSERT_ROWS_MODIFIED "
    "ASYMMETRIC AT AUDIT AUTHORIZATION BETWEEN BIGINT BINARY BIT BOOLEAN BOTH BY CASE CAST CHAR CHARACTER CHECK "
    "CLUSTER COALESCE COLLATE COLLATION COLUMN COLUMNS COMMENT COMPRESS CONCURRENTLY CONNECT CONSTRAINT CONTAINS "
    "CREATE CROSS CUBE CURRENT CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME "
    "CURRENT_TIMESTAMP CURRENT_USER DATE DEC DECIMAL DEFAULT DEFERRABLE DEFINE DELETE DESC DESCRIBE DESTINATION "
    "DISTINCT DO DROP DYNAMIC EDGE EDGES ELSE END ENUM ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXTRACT FALSE FETCH "
    "FILE FLOAT FOLLOWING FOR FOREIGN FREEZE FROM FULL GENERATED GLOB GRANT GRAPH GROUP GROUPING GROUPS HASH "
    "HAVING IDENTIFIED IF IGNORE ILIKE IMMEDIATE IN INCREMENT INDEX INITIAL INITIALLY INNER INOUT INSERT INT "
    "INTEGER INTERSECT INTERVAL INTO IS ISNULL JOIN KEY LABEL LAMBDA LATERAL LEADING LEFT LEVEL LIKE LIMIT "
    "LOCALTIME LOCALTIMESTAMP LOCK LONG LOOKUP MAP MAXEXTENTS MERGE MINUS MLSLABEL MODE MODIFY NATIONAL NATURAL "
    "NCHAR NEW NO NOAUDIT NOCOMPRESS NODE NODES NONE NOT NOTNULL NOWAIT NULL NULLIF NULLS NUMBER NUMERIC OF "
    "OFFLINE OFFSET ON ONLINE ONLY OPTION OR ORDER OUT OUTER OVER OVERLAPS OVERLAY PARTITION PATH PATHS PCTFREE "
    "PIVOT PLACING POSITION POSITIONAL PRECEDING PRECISION PRIMARY PRIOR PROPERTIES PROPERTY PROTO PUBLIC QUALIFY "
    "RANGE RAW REAL RECURSIVE REFERENCES RELATIONSHIP RENAME RESOURCE RESPECT RETURNING REVOKE RIGHT ROLLUP ROW "
    "ROWID ROWNUM ROWS SELECT SEMI SESSION SESSION_USER SET SETOF SHARE SHOW SIMILAR SIMPLE SIZE SMALLINT SOME "
    "SOURCE START STRUCT SUBSTRING SUCCESSFUL SUMMARIZE SYMMETRIC SYNONYM SYSDATE SYSTEM_USER TABLE TABLES "
    "TABLESAMPLE THEN TIME TIMESTAMP TO TRAIL TRAILING TREAT TRIGGER TRIM TRUE TRY_CAST TUPLE UID UNBOUNDED UNION "
    "UNIQUE UNNEST UNPACK UNPIVOT UPDATE USER USING VALIDATE VALUES VARCHAR VARCHAR2 VARIADIC VERBOSE VERTEX VIEW "
    "WALK WHEN WHENEVER WHERE WINDOW WITH WITHIN "
)
"""Words that some dialect reserves, and those of the definitions themselves; quoting one too many does no harm."""


@lru_cache(maxsize=4096)
def is_plain(name: str) -> bool:
    """Whether the word may stand for a name without quotes."""
    return _PLAIN.fullmatch(name) is not None and name.upper() not in _RESERVED


def quote(name: str, target: Target) -> str:
    """The name as it stands in the text of a dialect, quoted where the bare word would be another name."""
    if is_plain(name) and _folds_to_itself(name, target):
        return name
    if target.lexis is GOOGLE:
        return "`" + escape(name, "`") + "`"
    return quoted(name)


def quote_path(path: Path, target: Target) -> str:
    """The name with those of its schemas before it."""
    return ".".join([quote(part, target) for part in path])


def _folds_to_itself(name: str, target: Target) -> bool:
    return target.fold == "insensitive" or target.held(name, False) == name


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def escape(text: str, quote_mark: str) -> str:
    """The text with backslash escapes, as GoogleSQL, GQL and Kuzu read them."""
    text = text.replace("\\", "\\\\").replace(quote_mark, "\\" + quote_mark)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def string(text: str, target: Target) -> str:
    """A string literal."""
    if target.lexis is GOOGLE:
        return "'" + escape(text, "'") + "'"
    return literal(text)
