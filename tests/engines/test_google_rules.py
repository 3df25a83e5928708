"""Google's analyzer gives the verdicts that rules/googlesql.txt states, and graphir those of random mutants of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from graphir import Schema
from graphir.backends.engines.googlesql.database import Database
from graphir.backends.engines.googlesql.features import Profile
from graphir.backends.engines.googlesql.refusals import Refusal
from graphir.diagnostics import GraphirError
from graphir.grammar import gql
from graphir.passes.google.catalog import of_schema
from graphir.passes.google.check import analyze
from graphir.passes.google.features import PROFILES as FEATURES
from graphir.source import Source
from tests.outside import FULL
from tests.rules.google import PROFILES, Verdict, agree, definitions, sections

MUTANTS = 6000 if FULL else 500
WORDS = [
    "n",
    "a",
    "b",
    "e",
    "p",
    "m",
    "x",
    "name",
    "id",
    "age",
    "born",
    "tags",
    "balance",
    "amount",
    "foo",
    "Person",
    "Account",
    "Owns",
    "Transfer",
    "COUNT",
    "SUM",
    "UPPER",
    "LENGTH",
]
VALUES = ["1", "'s'", "1.5", "NULL", "TRUE", "[1, 2]", "n.id", "n.name", "(SELECT 1)"]
MARKS = ["+", "=", "<", "AND", "||", "OR"]
_TOKEN = re.compile(r"\s+|'[^']*'|\w+|<-\[|-\[|\]->|\]-|->|<-|\|\||[<>!]=|.", re.DOTALL)
_PLACE = re.compile(r"\[at 1:(\d+)\]")


@pytest.fixture(scope="module")
def databases() -> Iterator[dict[str, Database]]:
    profiles: tuple[Profile, ...] = ("full", "spanner")
    found: dict[str, Database] = {profile: Database(profile) for profile in profiles}
    for database in found.values():
        database.define(definitions())
    yield found
    for database in found.values():
        database.clear()


def said(database: Database, query: str) -> str | None:
    """`ok`, or the column of the fault; None where it is one of syntax, or has no place."""
    try:
        database.analyze(query)
    except Refusal as refusal:
        places = _PLACE.findall(str(refusal.message))
        return places[-1] if places and "Syntax error" not in str(refusal.message) else None
    return "ok"


@pytest.mark.parametrize("title", list(sections()))
def test_verdicts_are_those_of_the_analyzer(databases: dict[str, Database], title: str) -> None:
    differing = [
        f"{profile} {stated} is {found}: {verdict.query}"
        for verdict in sections()[title]
        for profile, stated in verdict.columns.items()
        if (found := said(databases[profile], verdict.query)) != stated
    ]
    assert differing == []


def mutant(random_: random.Random, query: str) -> str:
    """A query with one or two tokens changed, left out or exchanged."""
    tokens = _TOKEN.findall(query)
    for _ in range(random_.choice((1, 1, 2))):
        places = [at for at, token in enumerate(tokens) if token.strip()][2:]
        words = [at for at in places if tokens[at].isidentifier()]
        at, kind = random_.choice(words or places), random_.random()
        if kind < 0.6:
            tokens[at] = random_.choice(WORDS)
        elif kind < 0.7:
            tokens[at] = random_.choice(VALUES)
        elif kind < 0.8:
            tokens[random_.choice(places)] = random_.choice(MARKS)
        else:
            other = random_.choice(words or places)
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


def judged(query: str, profile: str) -> str | None:
    """What graphir says; None where the query does not parse."""
    try:
        read = gql.parse(query, "gql-spanner")
    except GraphirError:
        return None
    catalog = of_schema(Schema.read(definitions(), "spanner-ddl"), "gql-spanner")
    found = analyze(read, Source(query), catalog, FEATURES[PROFILES[profile]])
    return str(found[0].column) if found else "ok"


@pytest.mark.parametrize("profile", list(PROFILES))
def test_mutants(databases: dict[str, Database], profile: str) -> None:
    """No mutant that the analyzer takes is refused; nearly all that it refuses are, nearly always at its place."""
    random_ = random.Random(profile)
    verdicts: list[Verdict] = [verdict for each in sections().values() for verdict in each]
    alarms, missed, refused, placed = [], [], 0, 0
    for _ in range(MUTANTS):
        query = mutant(random_, random_.choice(verdicts).query)
        here = judged(query, profile)
        there = said(databases[profile], query) if here is not None else None
        if here is None or there is None:
            continue
        if there == "ok" and here != "ok":
            alarms.append((here, query))
        elif there != "ok" and here == "ok":
            missed.append((there, query))
        elif there != "ok":
            refused += 1
            placed += agree(query, here, there)
    assert alarms == []
    assert refused > MUTANTS / 10
    assert len(missed) <= 0.06 * (refused + len(missed)), missed
    assert placed >= 0.85 * refused
