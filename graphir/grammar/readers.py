"""Which modules read the dialects of which family; they are loaded when the family is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from graphir.dialects import DIALECTS, Family, reading

if TYPE_CHECKING:
    from graphir.grammar.cypher import Statement
    from graphir.grammar.lexical import Token
    from graphir.ir import Query
    from graphir.source import Span


class Reader(Protocol):
    """What reads the dialects of a family: a module with these functions, such as `cypher`."""

    def parse(self, text: str, dialect: str) -> Query:
        """Exactly one statement.  Raises SyntaxFault."""
        ...

    def parse_script(self, text: str, dialect: str) -> list[Statement]:
        """Every statement, with its query or its fault."""
        ...


class Lexer(Protocol):
    """What is true of the characters: a module with these functions, such as `lexical`.  It raises nothing."""

    def scan(self, text: str) -> Iterator[Token]: ...

    def comments(self, text: str, dialect: str) -> list[Span]: ...

    def statements(self, text: str, dialect: str) -> list[Span]: ...


def reader(dialect: str) -> Reader:
    """What reads a dialect that graphir reads."""
    return _READERS[DIALECTS[reading(dialect)].family]()


def lexer(dialect: str) -> Lexer:
    """What knows strings, names, comments and the ends of statements of a dialect that graphir reads."""
    name = reading(dialect)
    return _LEXERS[DIALECTS[name].family](name)


def _cypher() -> Reader:
    from graphir.grammar import cypher

    return cypher


def _gql() -> Reader:
    from graphir.grammar import gql

    return gql


def _cypher_lexer(dialect: str) -> Lexer:
    from graphir.grammar import lexical

    return lexical


def _gql_lexer(dialect: str) -> Lexer:
    from graphir.grammar import gql_lexical

    return gql_lexical.lexical(dialect)


_READERS: dict[Family, Callable[[], Reader]] = {"cypher": _cypher, "gql": _gql, "pgq": _gql}
_LEXERS: dict[Family, Callable[[str], Lexer]] = {"cypher": _cypher_lexer, "gql": _gql_lexer, "pgq": _gql_lexer}
