"""Repetitions for targets whose recursive queries read no table beside them.

The rows so far become a common table; the repetition is another one, which begins at every node where one of the rows
may begin, and is joined to the rows by that node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.expressions import lower_truth
from graphir.backends.sql.patterns import Matching, Piece, inline, names_of
from graphir.backends.sql.reps import EDGE, NODE, Rep, list_of
from graphir.backends.sql.rows import close
from graphir.backends.sql.terms import Term
from graphir.frozen import frozen
from graphir.ir.names import MARK


@frozen
class Rounds:
    """A repetition: its columns, what they are before the first round, and in a round after `before`."""

    names: Sequence[str]
    first: Sequence[Sql]
    following: Sequence[Sql]
    sources: Sequence[Sql]
    conditions: Sequence[Sql]
    before: str


def seeds(matching: Matching, start: str, element: ir.EdgePattern | ir.PathGroup) -> Sql:
    """A query for the nodes, `n`, where a repetition may begin.  Raises Unsupported.

    Outside of every other query these are the nodes of the rows so far, else all that carry the labels.
    """
    lowering = matching.lowering
    own = {name for node in ir.walk(element) if (name := getattr(node, "variable", None)) is not None}
    read = {node.name for node in ir.walk(element) if isinstance(node, ir.Ref)}
    # Patterns of subqueries inside begin at other variables, too.
    mentioned = (read - own) | {name for name in own if matching.bound(name) is not None}
    if mentioned:
        named = ", ".join(f"`{name}`" for name in sorted(mentioned))
        lowering.refuse("G560", f"a repetition that looks at other variables ({named})", element)
    if matching.block.is_inside:
        scan = scans.scan_nodes(lowering, matching.node_tables(start), ())
        return build.select([build.alias(scan.element.sql, "n")], [scan.source])
    _narrow(matching)
    settle(matching)
    origin = matching.node_term(start)
    made = build.select([build.alias(origin.again(), "n")], [source.copy() for source in matching.rows.sources])
    made.set("where", exp.Where(this=build.is_not_null(origin.again())))
    made.set("distinct", exp.Distinct())
    return made


def _narrow(matching: Matching) -> None:
    """Ask now what can be asked of the rows so far: fewer rows mean fewer beginnings.  It is asked again later."""
    bound = {*matching.names, *matching.rows.names}
    lowering = matching.lowering
    before = lowering.risks, lowering.queries
    found: list[Sql] = []
    for path in matching.node.paths:
        for element in path.elements:
            if not isinstance(element, ir.NodePattern) or not names_of(element) <= bound:
                continue
            term = matching.bound(element.variable or "")
            if term is not None and term.rep == NODE:
                found += inline(element, term, matching.scope)
    found += [lower_truth(test, matching.scope) for test in matching.tests if names_of(test) <= bound]
    if (lowering.risks, lowering.queries) == before:
        matching.conditions += found


def settle(matching: Matching) -> None:
    """Make the rows so far, with what the clause has bound, a common table that may be read twice.

    What is walked so far goes along under names with a blank in them: normalization makes up `e1`, `n1` .. itself.
    """
    rows, lowering = matching.rows, matching.lowering
    extra: dict[str, tuple[Sql, Rep]] = {}
    for at, walked in enumerate(matching.walked):
        extra[f"{MARK}walked {at}"] = (walked.sql, list_of(EDGE) if walked.many else EDGE)
    for at, piece in enumerate(matching.pieces):
        extra[f"{MARK}nodes {at}"] = (piece.nodes, list_of(NODE))
        extra[f"{MARK}edges {at}"] = (piece.edges, list_of(EDGE))
    for name, keys in matching.asked.items():
        lowering.needs.setdefault(name, set()).update(keys)
    terms = {name: Term(sql.copy(), rep, present=True) for name, (sql, rep) in extra.items()}
    whole = replace(
        rows,
        sources=(*rows.sources, *matching.sources),
        conditions=(*rows.conditions, *matching.conditions),
        names={**rows.names, **matching.names, **terms},
    )
    closed = close(whole, matching.block, kept=True)
    matching.rows = replace(closed, names={name: closed.names[name] for name in rows.names})
    matching.names = {name: closed.names[name] for name in matching.names}
    matching.sources, matching.conditions = [], []
    matching.walked = [
        replace(walked, sql=closed.names[f"{MARK}walked {at}"].again()) for at, walked in enumerate(matching.walked)
    ]
    matching.pieces[:] = [
        Piece(closed.names[f"{MARK}nodes {at}"].again(), closed.names[f"{MARK}edges {at}"].again())
        for at in range(len(matching.pieces))
    ]


def repeat(matching: Matching, seed: Sql | None, made: Rounds, bounds: ir.Bounds, alias: str) -> None:
    """Add a repetition to the clause as a common table, read under an alias.

    `made.first` speaks of the node where it begins as the clause does; here that is the node of a seed.
    """
    assert seed is not None
    block, lowering = matching.block, matching.lowering
    label, begin = lowering.fresh("r"), lowering.fresh("s")
    origin = made.first[0]
    seeded = [each.transform(lambda node: build.column("n", begin) if node == origin else node) for each in made.first]
    first = build.select(
        [build.alias(sql, name) for name, sql in zip(("o", *made.names), (seeded[0].copy(), *seeded), strict=True)],
        [build.derived(seed, begin)],
    )
    following = build.select(
        [build.column("o", made.before), *made.following],
        [build.table(label, made.before), *made.sources],
        made.conditions,
    )
    block.recur(label, first, following, ("o", *made.names))
    matching.sources.append(build.table(label, alias))
    matching.conditions += [
        build.equal(build.column("o", alias), origin.copy()),
        build.binary(exp.GTE, build.column("rounds", alias), build.number(bounds.low)),
    ]
