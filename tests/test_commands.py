"""Commands are recognized by their shape, classified, and described where they are broken."""

from __future__ import annotations

import re

import pytest

from graphir import ir
from graphir.diagnostics import Diagnostic, SyntaxFault
from graphir.grammar.commands import recognize
from graphir.source import Source, Span
from tests import outside


def command(text: str, dialect: str = "neo4j-25") -> ir.Command | None:
    return recognize(Source(text), text, Span(0, len(text)), dialect)


def fault(text: str, dialect: str = "neo4j-25") -> Diagnostic:
    with pytest.raises(SyntaxFault) as caught:
        command(text, dialect)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


WRITES = {
    "CREATE INDEX FOR (n:A) ON (n.x)": "create index",
    "create index a if not exists for (n:A) on (n.x, n.y) options {indexProvider: 'range-1.0'}": "create index",
    "CREATE INDEX $name FOR ()-[r:R]-() ON r.x": "create index",
    "CREATE INDEX FOR FOR () - [r:R] - > () ON (r.x)": "create index",
    "CREATE TEXT INDEX `a b` IF NOT EXISTS FOR (n:`A B`) ON (n.`x y`)": "create index",
    "CREATE FULLTEXT INDEX f FOR (n:A|B) ON EACH [n.x, n.y]": "create index",
    "CREATE LOOKUP INDEX FOR (n) ON EACH labels(n)": "create index",
    "CREATE LOOKUP INDEX FOR ()-[r]-() ON type(r)": "create index",
    "CREATE VECTOR INDEX v FOR (n:A) ON n.x OPTIONS {indexConfig: {`vector.dimensions`: 3}}": "create index",
    "CREATE CONSTRAINT FOR (n:A) REQUIRE n.x IS UNIQUE": "create constraint",
    "CREATE CONSTRAINT c IF NOT EXISTS FOR (n:A) REQUIRE (n.x, n.y) IS NODE KEY": "create constraint",
    "CREATE CONSTRAINT FOR ()-[r:R]->() REQUIRE r.x IS NOT NULL OPTIONS {}": "create constraint",
    "CREATE CONSTRAINT FOR (n:A) REQUIRE n.x :: LIST<STRING NOT NULL> | STRING": "create constraint",
    "DROP INDEX a IF EXISTS": "drop index",
    "DROP CONSTRAINT $c": "drop constraint",
    "CREATE OR REPLACE DATABASE a.b OPTIONS {a: 1} WAIT 5 SECONDS": "create database",
    "CREATE COMPOSITE DATABASE a IF NOT EXISTS": "create database",
    "CREATE DATABASE a TOPOLOGY 1 PRIMARY 2 SECONDARIES NOWAIT": "create database",
    "DROP DATABASE a IF EXISTS DUMP DATA": "drop database",
    "ALTER DATABASE a SET ACCESS READ ONLY": "alter database",
    "START DATABASE a": "start database",
    "STOP DATABASE a NOWAIT": "stop database",
    "CREATE ALIAS a FOR DATABASE b AT 'u' USER c PASSWORD 'd'": "create alias",
    "ALTER ALIAS a SET DATABASE TARGET b": "alter alias",
    "DROP ALIAS `a-b` IF EXISTS FOR DATABASE": "drop alias",
    "CREATE USER ann SET PASSWORD 'secret' CHANGE NOT REQUIRED SET STATUS ACTIVE": "create user",
    "ALTER USER ann IF EXISTS REMOVE HOME DATABASE SET STATUS SUSPENDED": "alter user",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO $b": "alter current user",
    "RENAME USER ann TO bob": "rename user",
    "DROP USER ann": "drop user",
    "CREATE ROLE reader IF NOT EXISTS AS COPY OF writer": "create role",
    "DROP ROLE reader": "drop role",
    "GRANT ROLE reader, writer TO ann": "grant role",
    "REVOKE ROLES reader FROM ann, bob": "revoke role",
    "GRANT MATCH {*} ON GRAPH * TO reader": "grant",
    "GRANT TRAVERSE ON GRAPH * FOR (n:A) WHERE n.x = 1 TO reader": "grant",
    "DENY WRITE ON GRAPH neo4j TO reader": "deny",
    "REVOKE GRANT READ {a, b} ON HOME GRAPH NODES A FROM reader": "revoke",
    "ENABLE SERVER 'id' OPTIONS {modeConstraint: 'PRIMARY'}": "enable server",
    "ALTER SERVER 'id' SET OPTIONS {modeConstraint: 'NONE'}": "alter server",
    "RENAME SERVER 'a' TO 'b'": "rename server",
    "DROP SERVER 'a'": "drop server",
    "DRYRUN REALLOCATE DATABASES": "reallocate",
    "DEALLOCATE DATABASES FROM SERVER 'a', 'b'": "deallocate",
    "TERMINATE TRANSACTIONS 'a', 'b' YIELD message": "terminate",
    "SHOW TRANSACTIONS YIELD transactionId AS t TERMINATE TRANSACTIONS t YIELD message": "show transactions",
    "SHOW INDEXES YIELD name CREATE (:Index {name: name})": "show indexes",
    "USE neo4j CREATE INDEX FOR (n:A) ON n.x": "create index",
    "ALTER CURRENT GRAPH TYPE SET { (:A => {x :: STRING}) }": "alter graph type",
}
READS = {
    "SHOW INDEXES": "show indexes",
    "show all indexes yield name, type as kind where kind = 'RANGE' return name order by name": "show indexes",
    "SHOW FULLTEXT INDEX WHERE name = 'x'": "show indexes",
    "SHOW CONSTRAINTS YIELD *": "show constraints",
    "SHOW NODE PROPERTY EXISTENCE CONSTRAINTS": "show constraints",
    "SHOW REL UNIQUE CONSTRAINTS": "show constraints",
    "SHOW DATABASES YIELD name AS set, currentStatus": "show databases",
    "SHOW DATABASE a.b": "show databases",
    "SHOW HOME DATABASE": "show databases",
    "SHOW ALIASES FOR DATABASE": "show aliases",
    "SHOW FUNCTIONS EXECUTABLE BY CURRENT USER": "show functions",
    "SHOW BUILT IN FUNCTIONS YIELD name": "show functions",
    "SHOW PROCEDURES EXECUTABLE YIELD name": "show procedures",
    "SHOW SETTINGS 'server.bolt.enabled'": "show settings",
    "SHOW TRANSACTIONS": "show transactions",
    "SHOW CURRENT USER": "show current user",
    "SHOW USERS WITH AUTH": "show users",
    "SHOW POPULATED ROLES WITH USERS": "show roles",
    "SHOW ROLE reader PRIVILEGES AS REVOKE COMMANDS": "show privileges",
    "SHOW USER PRIVILEGES": "show privileges",
    "SHOW SUPPORTED PRIVILEGES": "show privileges",
    "SHOW SERVERS": "show servers",
    "SHOW CURRENT GRAPH TYPE": "show graph type",
    "USE graph.byName('a') SHOW INDEXES;": "show indexes",
    "// indexes\nSHOW /* all */ INDEXES": "show indexes",
}


@pytest.mark.parametrize(("text", "kind"), [*WRITES.items(), *READS.items()])
def test_commands_are_recognized(text: str, kind: str) -> None:
    found = command(text)
    assert found is not None
    assert (found.kind, found.access) == (kind, "read" if text in READS else "write")
    assert found.span is not None
    assert text[found.span.start : found.span.end] == found.text
    assert not found.text.endswith(";")


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n)",
        "CREATE (index)",
        "CREATE (n:INDEX)",
        "CREATE index = (a)",
        "CREATE constraint = (a)-[:R]->(b)",
        "CREATE (:A), (:B)",
        "CREATE shortestPath((a)-[:R]->(b))",
        "USE neo4j MATCH (n) RETURN n",
        "USE show.index MATCH (n) RETURN n",
        "MATCH (show) RETURN show",
        "RETURN 1",
        "START n = node(1) RETURN n",
        "",
        "// SHOW INDEXES",
        "'SHOW INDEXES'",
        "`SHOW` INDEXES",
    ],
)
def test_queries_are_no_commands(text: str) -> None:
    assert command(text) is None


# The offsets of the server (Neo4j 2026.08, EXPLAIN) stand in the comments where ours differ.
@pytest.mark.parametrize(
    ("text", "code", "at", "expected"),
    [
        ("CREATE INDEX", "G009", 12, "a name"),
        ("DROP INDEX", "G009", 10, "a name"),
        ("CREATE USER ann", "G009", 15, "`SET`"),
        ("TERMINATE TRANSACTIONS", "G009", 22, "more of the command"),
        ("CREATE INDEX a FOR (n:$label) ON (n.x)", "G001", 22, "a name"),
        ("CREATE INDEX a FOR (n:A) (n.x)", "G001", 25, "`ON`"),
        ("CREATE INDEX a FOR (n:A) ON (n.x) CREATE INDEX b FOR (n:A) ON (n.y)", "G001", 34, "`OPTIONS`"),
        ("CREATE LOOKUP INDEX $name", "G009", 25, "`FOR`"),
        ("CREATE CONSTRAINT FOR (n:A) REQUIRE n.x", "G009", 39, "`IS`"),
        ("CREATE CONSTRAINT FOR (n:A) REQUIRE n.x IS", "G009", 42, "`UNIQUE`"),
        ("SHOW NODE CONSTRAINTS", "G001", 10, "`PROPERTY`"),
        ("SHOW GRANTS", "G001", 5, "`INDEXES`"),
        ("SHOW INDEXES WHERE name = 'a' RETURN name", "G001", 30, "the end of the command"),
        ("GRANT ROLE reader FROM ann", "G001", 18, "`TO`"),
        ("CREATE INDEX a FOR (n:A ON (n.x)", "G010", 19, "`)`"),
        ("CREATE INDEX a FOR (n:A)) ON (n.x)", "G010", 24, ""),
    ],
)
def test_a_broken_command_says_what_was_expected(text: str, code: str, at: int, expected: str) -> None:
    diagnostic = fault(text)
    assert (diagnostic.code, diagnostic.start) == (code, at)
    assert expected in ("", *diagnostic.expected)


def test_a_misspelled_word_of_a_command() -> None:
    assert fault("SHOW INDEXS").hint == "did you mean `INDEXES`?"


REMOVED = [
    "CREATE INDEX ON :A(x)",
    "CREATE CONSTRAINT ON (n:A) ASSERT n.x IS UNIQUE",
    "CREATE CONSTRAINT FOR (n:A) REQUIRE exists(n.x)",
    "CREATE BTREE INDEX FOR (n:A) ON (n.x)",
    "DROP INDEX ON :A(x)",
    "DROP CONSTRAINT ON (n:A) ASSERT n.x IS UNIQUE",
    "SHOW BTREE INDEXES",
    "SHOW INDEXES BRIEF",
]


@pytest.mark.parametrize("text", REMOVED)
@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
def test_older_forms_are_refused_with_the_new_form(text: str, dialect: str) -> None:
    diagnostic = fault(text, dialect)
    assert diagnostic.code == "G022"
    assert diagnostic.hint


@pytest.mark.parametrize("text", [text for text in REMOVED if "REQUIRE exists" not in text])
def test_older_forms_are_read_where_they_belong(text: str) -> None:
    assert command(text, "opencypher-9") is not None


@pytest.mark.parametrize(
    "text",
    [
        "CREATE VECTOR INDEX v FOR (n:A|B) ON n.x WITH [n.y]",
        "SHOW INDEXES YIELD name MATCH (n) RETURN n",
        "SHOW CURRENT GRAPH TYPE",
        "SHOW AUTH RULES",
    ],
)
def test_forms_of_cypher_25(text: str) -> None:
    assert command(text, "neo4j-25") is not None
    assert fault(text, "neo4j-5").code == "G001"


def test_a_long_command_takes_linear_time() -> None:
    many = ", ".join(f"n.p{i}" for i in range(5_000))
    found = command(f"CREATE INDEX FOR (n:A) ON ({many})")
    assert found is not None
    assert command(f"SHOW INDEXES YIELD * WHERE {' AND '.join(['x = 1'] * 5_000)}") is not None


FIRST = re.compile(
    r"(?:\s|//[^\n]*|/\*.*?\*/)*(SHOW|DROP|ALTER|GRANT|DENY|REVOKE|RENAME|TERMINATE|CREATE\s+\w)", re.I | re.S
)


@pytest.mark.parametrize(("version", "dialect"), [("cypher5", "neo4j-5"), ("cypher25", "neo4j-25")])
def test_commands_of_the_corpora(version: str, dialect: str) -> None:
    """What the server accepts is a command for us, too; what it rejects as a command we reject."""
    verdicts = {row["key"]: row[version] for row in outside.rows("corpora/neo4j_server_verdicts")}
    seen = 0
    for key, text in outside.texts().items():
        verdict = verdicts.get(key)
        if verdict is None or verdict.get("statements") or verdict.get("prefix") or not FIRST.match(text):
            continue
        if verdict["referee"] == "accept":
            seen += 1
            assert command(text, dialect) is not None, text
    assert seen > 40
