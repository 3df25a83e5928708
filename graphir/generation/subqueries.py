"""Subqueries and patterns as expressions: EXISTS, COUNT, COLLECT, pattern predicates and comprehensions."""

from __future__ import annotations

from graphir.generation import patterns
from graphir.generation.constructs import declare
from graphir.generation.constructs import expression as construct
from graphir.generation.expressions import expression, truth
from graphir.generation.kinds import spelled
from graphir.generation.scope import UNKNOWN, Term
from graphir.generation.writer import Writer
from graphir.values import Node

declare("subquery", "WITH in a subquery", "RETURN in a subquery", "several MATCH in a subquery")


def _body(w: Writer, returned: bool) -> tuple[str, str, bool]:
    """MATCH .. WHERE .., the value that is returned or nothing, and whether the witness has a row in it."""
    text, _ = patterns.pattern(w)
    body = f"MATCH {text}"
    if w.dice.chance(0.45):
        body += f" WHERE {truth(w, 1)}"
    if w.has("neo4j-5") and w.allows("several MATCH in a subquery", 0.1):
        text, _ = patterns.pattern(w)
        body += f" MATCH {text}"
    if w.has("neo4j-5") and w.allows("WITH in a subquery", 0.12):
        value = expression(w, "int", 1)
        name = w.name("w")
        variable = w.bind(name, "int", value.value)
        body += f" WITH *, {value.text} AS {name} WHERE {truth(w, 1)}"
        del variable
    if not returned and not (w.has("neo4j-5") and w.allows("RETURN in a subquery", 0.2)):
        return body, "", w.world is not None
    kind = w.dice.pick([each for each in ("int", "str", "any") if w.profile.has(each)])
    shown = f" RETURN {w.dice.pick(('', '', 'DISTINCT '))}{expression(w, kind, 1).text} AS c"
    if kind != "any" and w.dice.chance(0.2):
        shown += f" ORDER BY c LIMIT {w.dice.pick((1, 2))}"
    return body, shown, w.world is not None


def _subquery(w: Writer, word: str) -> tuple[str, bool] | None:
    """The text, and whether it has a row in the witness."""
    if w.nested >= 2 or not w.vocabulary.nodes:
        return None
    with w.query():
        if w.world is not None and not w.dice.chance(0.6):
            with w.free():
                body, shown, _ = _body(w, word == "COLLECT")
            holds = False
        else:
            body, shown, holds = _body(w, word == "COLLECT")
    return f"{word} {{ {body}{shown} }}", holds


@construct("bool", "EXISTS subquery", "subquery", 2.5)
def _exists(w: Writer, depth: int) -> Term | None:
    found = _subquery(w, "EXISTS")
    return found and Term(found[0], True if found[1] else UNKNOWN)


@construct("int", "COUNT subquery", "subquery", 1.5, since="neo4j-5")
def _count(w: Writer, depth: int) -> Term | None:
    found = _subquery(w, "COUNT")
    return found and Term(found[0])


@construct("bool", "COUNT subquery compared", "subquery", 0.6, since="neo4j-5")
def _counted(w: Writer, depth: int) -> Term | None:
    found = _subquery(w, "COUNT")
    if found is None:
        return None
    sign = w.dice.pick((">", "=", "<", ">=", "<>"))
    number = w.dice.pick((0, 1, 2))
    value = True if found[1] and (sign, number) in ((">", 0), (">=", 1), (">=", 0), ("<>", 0)) else UNKNOWN
    return Term(f"({found[0]} {sign} {number})", value)


@construct("bag", "COLLECT subquery", "subquery", 1.0, since="neo4j-5")
def _collect(w: Writer, depth: int) -> Term | None:
    found = _subquery(w, "COLLECT")
    return found and Term(found[0])


@construct("bag", "pattern comprehension", "subquery", 2.0)
def _comprehension(w: Writer, depth: int) -> Term | None:
    owners = w.of("node")
    if not owners or w.nested >= 2:
        return None
    owner = w.dice.pick(owners)
    with w.query(), w.free():
        c = patterns.clause(w)
        first = patterns.step(w, c, None, owner.shapes, repeated=w.legacy)
        if first is None:
            return None
        text = f"({owner.text}){first.text}{patterns.node(w, c, None, first.shapes).text}"
        where = f" WHERE {expression(w, 'bool', 1).text}" if w.dice.chance(0.4) else ""
        kind = w.dice.pick([each for each in ("int", "str", "any") if w.profile.has(each)])
        value = expression(w, kind, 1)
    return Term(f"[{text}{where} | {value.text}]")


@construct("bool", "pattern predicate", "subquery", 1.2)
def _pattern(w: Writer, depth: int) -> Term | None:
    """`exists((a)-->(:B))`, which is an expression everywhere."""
    owners = w.of("node")
    if not owners or w.nested >= 2:
        return None
    owner = w.dice.pick(owners)
    types = w.vocabulary.types
    inner = f"[:{spelled(w.dice.pick(types))}]" if types and w.dice.chance(0.5) else ""
    left, right = w.dice.pick((("-", "->"), ("<-", "-"), ("-", "-")))
    other = w.dice.pick(owners).text if w.dice.chance(0.25) else ""
    label = (
        f":{spelled(w.dice.pick(w.vocabulary.labels))}"
        if not other and w.vocabulary.labels and w.dice.chance(0.3)
        else ""
    )
    value = (
        True
        if isinstance(owner.value, Node)
        and w.world
        and not inner
        and not other
        and not label
        and left == right
        and w.world.steps(owner.value, set())
        else UNKNOWN
    )
    return Term(f"exists(({owner.text}){left}{inner}{right}({other}{label}))", value)
