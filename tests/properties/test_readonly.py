"""No disguise hides a write, and none fakes one: what the read-only check says of texts that were changed at random.

The queries are those of our own sample corpus.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from random import Random

import pytest

import graphir
from graphir import ir
from graphir.grammar.lexical import scan
from graphir.profiles import pass_of
from tests.outside import FULL

WRITES = (
    "CREATE (zz:Extra {k: 1}) ",
    "MERGE (zz:Extra {k: 1}) ON MATCH SET zz.k = 2 ",
    "FOREACH (i IN [1] | CREATE (:Extra)) ",
    "CALL () { CREATE (:Extra) } ",
    "CALL apoc.create.node(['Extra'], {}) YIELD node AS zz ",
    "CALL apoc.cypher.doIt('CREATE (n)', {}) YIELD value AS zz ",
    "CALL my.own.procedure() ",
    "LOAD CSV FROM 'http://x/y' AS zz ",
    "UNWIND [apoc.cypher.runFirstColumnSingle('RETURN 1', {})] AS zz ",
    "CALL () { LOAD CSV FROM 'file:///x' AS zy RETURN zy } ",
    "INSERT (:Extra) ",
    "MATCH (zz) DETACH DELETE zz ",
    "MATCH (zz) SET zz.k = 1 ",
    "MATCH (zz) REMOVE zz:Extra ",
)
HARMLESS = (
    " /* CREATE (n) */ ",
    " // DETACH DELETE n\n",
    " /* ' */ ",
    ' // " SET n.x = 1 ;\n',
    " /* `*/ ",
    "\n",
)
WORDS = ("CREATE (n)", "x') DETACH DELETE n //", "'; DROP INDEX i; //", "/* MERGE", "SET n.x = 1", "\\u0044ELETE")
COUNT = 4000 if FULL else 400


@cache
def queries() -> tuple[str, ...]:
    """The queries of the sample corpus that only read."""
    text = resources.files("graphir").joinpath("corpora", "samples", "queries.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line)["query"] for line in text.splitlines()]
    return tuple(
        query for query in found if not any(e.severity == "error" for e in graphir.check(query, profile="gate"))
    )


def denials(text: str) -> set[str]:
    found = [each for each in graphir.check(text, profile="gate") if each.severity == "error"]
    return {each.code for each in found if pass_of(each.code) in ("read-only", "statements")}


def parses(text: str) -> bool:
    try:
        graphir.parse(text)
    except graphir.SyntaxFault:
        return False
    return True


def test_the_samples_read() -> None:
    assert len(queries()) > 150


@pytest.mark.parametrize("seed", range(4))
def test_a_write_put_in_anywhere_is_denied(seed: int) -> None:
    """In front of a random clause, at any depth."""
    random = Random(seed)
    parsed = 0
    for _ in range(COUNT // 4):
        text = random.choice(queries())
        clauses = [n.span for n in ir.walk(graphir.parse(text)) if isinstance(n, ir.Operator) and n.span is not None]
        at = random.choice(clauses).start
        changed = text[:at] + random.choice(WRITES) + text[at:]
        if parses(changed):
            parsed += 1
            assert denials(changed), changed
        else:
            assert any(each.severity == "error" for each in graphir.check(changed, profile="gate")), changed
    assert parsed > COUNT // 8


@pytest.mark.parametrize("seed", range(2))
def test_a_write_spelled_with_escapes_is_denied(seed: int) -> None:
    random = Random(seed)
    for _ in range(COUNT // 8):
        text = random.choice(queries())
        write = random.choice([each for each in WRITES if not each.startswith(("CALL", "UNWIND", "LOAD", "MATCH"))])
        word = write.split(" ", 1)[0]
        at = random.randrange(len(word))
        changed = f"{write[:at]}\\u{ord(write[at]):04x}{write[at + 1 :]} WITH * {text}"
        assert denials(changed) >= {"G410"}, changed


@pytest.mark.parametrize("seed", range(4))
def test_comments_between_tokens_change_nothing(seed: int) -> None:
    random = Random(seed)
    for _ in range(COUNT // 4):
        text = random.choice(queries())
        # Between the parts of an arrow or of a number a comment may not stand in every dialect: after words it may.
        places = [
            t.end for t in scan(text) if t.kind in ("word", "string", "parameter") and text[t.end : t.end + 1] == " "
        ]
        at = random.choice(places)
        changed = text[:at] + random.choice(HARMLESS) + text[at:]
        assert graphir.parse(changed) == graphir.parse(text), changed
        assert denials(changed) == set(), changed


@pytest.mark.parametrize("seed", range(4))
def test_strings_and_names_are_no_clauses(seed: int) -> None:
    """The content of a random string, and the spelling of a random label, become text that looks like a write."""
    random = Random(seed)
    changes = 0
    for _ in range(COUNT // 4):
        text = random.choice(queries())
        words = random.choice(WORDS)
        spelled = "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"
        places = [(n.span, spelled) for n in ir.walk(graphir.parse(text)) if _is_text(n) and n.span is not None]
        labels = [n.span for n in ir.walk(graphir.parse(text)) if isinstance(n, ir.LabelName) and n.span is not None]
        places += [(span, "`" + words.replace("\\u0044", "") + "`") for span in labels]
        if not places:
            continue
        span, spelling = random.choice(places)
        changed = text[: span.start] + spelling + text[span.end :]
        assert denials(changed) == set(), changed
        assert parses(changed), changed
        changes += 1
    assert changes > COUNT // 8


def _is_text(node: ir.Node) -> bool:
    return isinstance(node, ir.Literal) and isinstance(node.value, str)
