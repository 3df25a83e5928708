"""Statements on property graphs as they are written: what is to be made, changed or dropped.

Reads with the grammar of `graphir.schema.ddl` and knows no catalog; what a vendor does not have is for
`definitions.py` to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from graphir.schema.ddl.graphs import Element, Label, Properties, read_elements, read_kind, read_properties
from graphir.schema.ddl.targets import Target
from graphir.schema.ddl.tokens import Cursor, Token

Name = tuple[Token, ...]
"""A name with those of its schema in front."""


@dataclass(frozen=True, slots=True)
class AddElements:
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class DropElements:
    names: tuple[Token, ...]
    cascade: bool


@dataclass(frozen=True, slots=True)
class AddLabel:
    element: Token
    label: Label


@dataclass(frozen=True, slots=True)
class DropLabel:
    element: Token
    label: Token
    cascade: bool


@dataclass(frozen=True, slots=True)
class AddProperties:
    element: Token
    label: Token
    properties: Properties


@dataclass(frozen=True, slots=True)
class DropProperties:
    element: Token
    label: Token
    names: tuple[Token, ...]
    cascade: bool


@dataclass(frozen=True, slots=True)
class Move:
    """RENAME TO, SET SCHEMA: `schema` or `name` is new."""

    name: Token | None = None
    schema: Token | None = None


Action = AddElements | DropElements | AddLabel | DropLabel | AddProperties | DropProperties | Move


@dataclass(slots=True)
class Statement:
    """One statement.  `verb` is create, alter, drop, or another that only names graphs (describe, comment, grant).

    `words` are the keywords that matter, with their places: OR REPLACE, TEMPORARY, UNLOGGED, NODE.
    """

    verb: str
    name: Name
    elements: list[Element] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    exists: bool = False
    cascade: bool = False
    words: dict[str, Token] = field(default_factory=dict)
    privileges: tuple[Token, ...] = ()


def read(cursor: Cursor, target: Target) -> Statement | None:
    """The statement on a property graph that begins here; None, and the cursor where it was, where another does.

    Raises SyntaxFault (G085, G006).
    """
    start = cursor.at
    for verb, reading in _VERBS.items():
        if cursor.accept(verb):
            found = reading(cursor, target)
            if found is not None:
                return found
            cursor.at = start
    return None


def _create(cursor: Cursor, target: Target) -> Statement | None:
    words: dict[str, Token] = {}
    if cursor.looking_at("OR", "REPLACE"):
        words["replace"] = cursor.token
        cursor.accept("OR", "REPLACE")
    for word, kind in (("TEMP", "temporary"), ("TEMPORARY", "temporary"), ("UNLOGGED", "unlogged")):
        if cursor.looking_at(word):
            words[kind] = cursor.advance()
    if not cursor.accept("PROPERTY", "GRAPH"):
        return None
    exists = cursor.accept("IF")
    if exists:
        cursor.take("NOT", "EXISTS")
    statement = Statement("create", read_name(cursor, "the name of a graph"), exists=exists, words=words)
    while not cursor.at_end:
        if cursor.accept("OPTIONS"):
            cursor.skip()
            continue
        _read_tables(cursor, target, statement)
    return statement


def _read_tables(cursor: Cursor, target: Target, statement: Statement) -> tuple[Element, ...]:
    first = cursor.token
    kind = read_kind(cursor)
    if kind is None:
        cursor.fail()
    if first.word in ("NODE", "RELATIONSHIP"):
        statement.words.setdefault("node", first)
    elements = read_elements(cursor, kind, target)
    statement.elements.extend(elements)
    return tuple(elements)


def read_name(cursor: Cursor, what: str) -> Name:
    """A name, and those that stand before it with dots."""
    return cursor.path(what).parts


# ------------------------------------------------------------------ ALTER, DROP and the others


def _alter(cursor: Cursor, target: Target) -> Statement | None:
    if not cursor.accept("PROPERTY", "GRAPH"):
        return None
    exists = cursor.accept("IF", "EXISTS")
    statement = Statement("alter", read_name(cursor, "the name of a graph"), exists=exists)
    while not cursor.at_end:
        if cursor.accept("RENAME", "TO"):
            statement.actions.append(Move(name=cursor.name("the name of a graph")))
        elif cursor.accept("SET", "SCHEMA"):
            statement.actions.append(Move(schema=cursor.name("the name of a schema")))
        elif cursor.accept("OWNER", "TO"):
            cursor.name("the name of a role")
        elif target.format == "oracle-ddl" and cursor.accept("COMPILE"):
            continue
        elif cursor.accept("ADD"):
            statement.actions.append(AddElements(_read_tables(cursor, target, statement)))
        elif cursor.accept("DROP"):
            if read_kind(cursor) is None:
                cursor.fail()
            names = cursor.names("the name of an element")
            statement.actions.append(DropElements(names, _cascade(cursor)))
        elif cursor.accept("ALTER"):
            _alter_element(cursor, target, statement)
        else:
            cursor.fail("ADD", "DROP", "ALTER")
    return statement


def _alter_element(cursor: Cursor, target: Target, statement: Statement) -> None:
    if not cursor.accept_any("VERTEX", "NODE", "EDGE", "RELATIONSHIP"):
        cursor.fail()
    cursor.take("TABLE")
    element = cursor.name("the name of an element")
    first = True
    while verb := cursor.accept_any("ADD", "DROP", "ALTER"):
        cursor.take("LABEL")
        label = cursor.name("a label")
        if verb == "ADD":
            statement.actions.append(AddLabel(element, Label(label, read_properties(cursor, target))))
        elif verb == "DROP":
            statement.actions.append(DropLabel(element, label, _cascade(cursor)))
        elif cursor.accept("DROP", "PROPERTIES"):
            names = cursor.names("the name of a property")
            statement.actions.append(DropProperties(element, label, names, _cascade(cursor)))
        else:
            cursor.take("ADD")
            properties = read_properties(cursor, target)
            if properties is None:
                cursor.fail("PROPERTIES")
            statement.actions.append(AddProperties(element, label, properties))
        first = False
    if first:
        cursor.fail()


def _cascade(cursor: Cursor) -> bool:
    return cursor.accept_any("CASCADE", "RESTRICT") == "CASCADE"


def _drop(cursor: Cursor, target: Target) -> Statement | None:
    if not cursor.accept("PROPERTY", "GRAPH"):
        return None
    exists = cursor.accept("IF", "EXISTS")
    statement = Statement("drop", read_name(cursor, "the name of a graph"), exists=exists)
    statement.cascade = _cascade(cursor)
    return statement


def _describe(cursor: Cursor, target: Target) -> Statement | None:
    if not cursor.accept("PROPERTY", "GRAPH"):
        return None
    return Statement("describe", read_name(cursor, "the name of a graph"))


def _comment(cursor: Cursor, target: Target) -> Statement | None:
    if not cursor.accept("ON", "PROPERTY", "GRAPH"):
        return None
    statement = Statement("comment", read_name(cursor, "the name of a graph"))
    cursor.take("IS")
    if not cursor.accept("NULL"):
        cursor.string("a string")
    return statement


def _grant(cursor: Cursor, target: Target) -> Statement | None:
    privileges = []
    while not cursor.done and not cursor.looking_at("ON"):
        token = cursor.advance()
        if token.is_name and token.word != "PRIVILEGES":
            privileges.append(token)
    if not cursor.accept("ON", "PROPERTY", "GRAPH"):
        return None
    statement = Statement("grant", read_name(cursor, "the name of a graph"), privileges=tuple(privileges))
    cursor.skip_statement()
    return statement


_VERBS = {
    "CREATE": _create,
    "ALTER": _alter,
    "DROP": _drop,
    "DESCRIBE": _describe,
    "COMMENT": _comment,
    "GRANT": _grant,
    "REVOKE": _grant,
}
