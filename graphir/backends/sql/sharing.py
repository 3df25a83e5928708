"""Each operand once: what a rule makes of terms that it mentions several times, in SQL whose length stays linear.

A rule that says `CASE WHEN x < 0 THEN NaN ELSE sqrt(x) END` writes its operand twice, and of operands that are such
themselves the text would double with every level.  Here the rule gets columns in place of operands that are not small;
one that it mentions several times becomes the column of a query around the rule's result, `(SELECT .. FROM (SELECT
operand AS v))`, all others stand where the rule put them.  Knows no function and no target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.terms import Term

SMALL = 24
"""Nodes of an operand that is written as often as it is mentioned."""


def is_small(piece: Sql) -> bool:
    """Whether a piece may be copied.  Looks at few of its nodes."""
    pending, seen = [piece], 0
    while pending:
        node = pending.pop()
        seen += 1
        if seen > SMALL:
            return False
        for value in node.args.values():
            if isinstance(value, exp.Expr):
                pending.append(value)
            elif type(value) is list:
                pending += [each for each in value if isinstance(each, exp.Expr)]
    return True


def shared(lowering: Lowering, terms: Sequence[Term], use: Callable[[list[Term]], Term | None]) -> Term | None:
    """What `use` makes of the terms, or None: none of them stands in it twice, unless it is small."""
    if lowering.abilities.bridges or all(term.is_cheap or is_small(term.sql) for term in terms):
        return use(list(terms))
    held: dict[str, Sql] = {}
    given: list[Term] = []
    for term in terms:
        if term.is_cheap or is_small(term.sql):
            given.append(term)
            continue
        name = lowering.hold()
        held[name] = term.sql
        given.append(replace(term, sql=build.column(name)))
    made = use(given)
    return None if made is None else replace(made, sql=_placed(lowering, made.sql, held))


def _placed(lowering: Lowering, made: Sql, held: dict[str, Sql]) -> Sql:
    """The result with what is held in it: in its place, or as a column of a query around it."""
    places: dict[str, list[Sql]] = {name: [] for name in held}
    for node in build.nodes(made):
        if isinstance(node, exp.Column) and node.name in places:
            places[node.name].append(node)
    several: dict[str, Sql] = {}
    for name, found in places.items():
        if len(found) != 1:
            several |= {name: held[name]} if found else {}
        elif found[0] is made:
            made = held[name]
        else:
            _put(found[0], held[name])
    return _bound(lowering, made, several, places) if several else made


def _put(place: Sql, piece: Sql) -> None:
    operand = isinstance(place.parent, (exp.Binary, exp.Unary, exp.In)) and not isinstance(place.parent, exp.Paren)
    place.replace(build.atom(piece) if operand else piece)


def _bound(lowering: Lowering, made: Sql, values: dict[str, Sql], places: dict[str, list[Sql]]) -> Sql:
    names = {name: lowering.fresh("v") for name in values}
    for name, own in names.items():
        for place in places[name]:
            place.replace(build.column(own))
    if lowering.abilities.lambdas and made.find(exp.Select) is None:
        for name, value in values.items():
            listed = build.call("list_transform", build.array([value]), build.function(names[name], made))
            made = build.call("list_extract", listed, build.number(1))
        return made
    lowering.queries += 1
    columns = [build.alias(value, names[name]) for name, value in values.items()]
    return build.scalar(build.select([made], [build.held(columns, lowering.fresh("u"))]))
