"""In which schemas names without one are: CREATE SCHEMA, SET search_path and their like, in a script of definitions.

Where a choice does not say which schema it is (`"$user"`, a database of DuckDB), names stay as they are written.
"""

from __future__ import annotations

from graphir.schema.ddl.tables import Tables
from graphir.schema.ddl.targets import Target
from graphir.schema.ddl.tokens import Cursor, Token, scan

_SYSTEM = frozenset(("pg_catalog", "pg_temp"))


def read_statement(cursor: Cursor, tables: Tables) -> bool:
    """Read the statement that begins here, if it makes or chooses a schema and says which."""
    start = cursor.at
    if cursor.accept("CREATE", "SCHEMA"):
        return _made(cursor, tables) or _back(cursor, start)
    chosen = _chosen(cursor, tables)
    if chosen is None or not cursor.at_end:
        return _back(cursor, start)
    tables.search = chosen
    cursor.home = chosen[0] if chosen else ()
    return True


def _back(cursor: Cursor, start: int) -> bool:
    cursor.at = start
    return False


def _made(cursor: Cursor, tables: Tables) -> bool:
    """CREATE SCHEMA without definitions in it."""
    if cursor.accept("IF"):
        cursor.take("NOT", "EXISTS")
    if not cursor.token.is_name or cursor.token.word == "AUTHORIZATION":
        return False
    name = cursor.path("the name of a schema")
    if cursor.accept("AUTHORIZATION"):
        cursor.name("the name of a role")
    tables.schemas.add(tables.target.path(name))
    if cursor.token.word == "CREATE":
        return False
    cursor.skip_statement()
    return True


def _chosen(cursor: Cursor, tables: Tables) -> tuple[tuple[Token, ...], ...] | None:
    """The schemas that a statement chooses; none where those are meant that the database has anyway."""
    if cursor.accept("USE"):
        return _used(cursor, tables)
    if cursor.accept("ALTER", "SESSION", "SET", "CURRENT_SCHEMA"):
        cursor.take("=")
        return (cursor.path("the name of a schema").parts,)
    if cursor.accept("RESET", "SEARCH_PATH"):
        return ()
    if not cursor.accept("SET"):
        return None
    cursor.accept_any("SESSION", "LOCAL")
    if cursor.accept("@", "@", "DATASET_ID"):
        cursor.take("=")
        return _listed(cursor, tables.target)
    word = cursor.accept_any("SEARCH_PATH", "SCHEMA")
    if word is None:
        return None
    cursor.accept_any("TO", "=")
    return () if cursor.accept("DEFAULT") else _listed(cursor, tables.target)


def _used(cursor: Cursor, tables: Tables) -> tuple[tuple[Token, ...], ...]:
    """USE of DuckDB: a schema, where the script made it or the name says in which database it is."""
    name = cursor.path("the name of a schema")
    known = name.within or tables.target.path(name) in tables.schemas
    return (name.parts,) if known else ()


def _listed(cursor: Cursor, target: Target) -> tuple[tuple[Token, ...], ...]:
    """Names with commas between them, or a string of some; those of the system, which have no tables, left out."""
    found: list[tuple[Token, ...]] = []
    while True:
        if cursor.token.kind == "string":
            text = cursor.advance().text
            if text:
                found += _listed(Cursor(text, scan(text, target.lexis), dotted=cursor.dotted), target)
        else:
            name = cursor.path("the name of a schema")
            found += [name.parts] if name.text not in _SYSTEM else []
        if not cursor.accept(","):
            return () if any(parts[-1].text == "$user" for parts in found) else tuple(found)
