"""Regular expressions work in every Python that graphir runs on.

Up to 3.11.4 a possessive group, `(?:..)*+`, does not go back to where it was if its last round fails behind a
look-ahead (https://github.com/python/cpython/issues/106052); an atomic group, `(?>(?:..)*)`, does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import walk_packages
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as reading  # type: ignore[attr-defined]
from typing import Any

import pytest

import graphir
from graphir.dialects import GQL_DIALECTS
from graphir.grammar.gql_lexical import comments, lexical


def parts(tree: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Every operation of a parsed expression."""
    for operation, argument in tree:
        yield operation, argument
        for inner in argument if isinstance(argument, (tuple, list)) else (argument,):
            if isinstance(inner, reading.SubPattern):
                yield from parts(inner)
            elif isinstance(inner, list):
                for each in inner:
                    if isinstance(each, reading.SubPattern):
                        yield from parts(each)


def fragile(expression: str, flags: int = 0) -> bool:
    """Whether a possessive group holds a look-ahead."""
    looking = (codes.ASSERT, codes.ASSERT_NOT)
    return any(
        operation is codes.POSSESSIVE_REPEAT and any(inner in looking for inner, _ in parts(argument[2]))
        for operation, argument in parts(reading.parse(expression, flags))
    )


def modules() -> list[str]:
    return [each.name for each in walk_packages(graphir.__path__, "graphir.") if not each.name.endswith("__main__")]


@pytest.mark.parametrize("dialect", GQL_DIALECTS)
def test_tokens_of_gql_and_sql(dialect: str) -> None:
    found = lexical(dialect)
    assert not fragile(found.token.pattern, re.DOTALL)
    assert not fragile(found._scanner.pattern, re.DOTALL)


def test_constants_of_modules() -> None:
    expressions: dict[str, re.Pattern[Any]] = {}
    for name in modules():
        if name in sys.modules or name.startswith(("graphir.grammar", "graphir.passes", "graphir.schema.ddl")):
            held = vars(import_module(name))
            expressions |= {f"{name}.{key}": each for key, each in held.items() if isinstance(each, re.Pattern)}
    assert len(expressions) > 20
    assert [name for name, each in expressions.items() if fragile(each.pattern, each.flags & re.DOTALL)] == []


def test_such_an_expression_is_found() -> None:
    assert fragile(r"/\*(?:[^*]|\*(?!/))*+\*/")
    assert not fragile(r"/\*(?>(?:[^*]|\*(?!/))*)\*/")


@pytest.mark.parametrize("dialect", GQL_DIALECTS)
@pytest.mark.parametrize("text", ["/* a */", "/***/", "/** a * / b **/", "/*\n*\n*/"])
def test_a_comment_ends_where_it_does(dialect: str, text: str) -> None:
    query = f"{text}MATCH {text} (a) RETURN a.x {text}"
    assert [query[each.start : each.end] for each in comments(query, dialect)] == [text, text, text]
