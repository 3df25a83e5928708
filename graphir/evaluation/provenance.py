"""PSJS: how alike the nodes are that two queries looked at, as two benchmarks define it, computed on the IR.

- `cypherbench` (megagonlabs/cypherbench, provenance_subgraph_jaccard_similarity.py): of each branch of a UNION the
  longest prefix of MATCH, OPTIONAL MATCH, WHERE and WITH without new names; every node variable in it, named or not;
  the set of the nodes that these are bound to.  Texts that are the same score 1; two empty sets score 0; a query
  that fails scores 0.  A WITH in the prefix is taken for `WITH *`, so that names it drops are still bound.
- `cypherturn` (BarryQ/CypherTurn): 1 if the results are equal (`cypherturn` comparator); otherwise the nodes of the
  first labelled node variable alone, after the whole query without ORDER BY, SKIP and LIMIT; a query that fails has the
  empty set; two empty sets score 0.  A null that the variable is bound to counts as a node.

The published scores cut the text with regular expressions; here the same is said of the IR.  Where they differ, it is
because the published cut breaks the text (keywords in lower case or in strings, nested subqueries; in `cypherturn` what
follows an inner ORDER BY on its line goes with it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from graphir import ir
from graphir.diagnostics import GraphirError, usage_fault
from graphir.evaluation.comparison import rows_equal
from graphir.evaluation.runs import Runner, core, run, surface, writes

Variant = Literal["cypherbench", "cypherturn"]
Ids = frozenset[Any]


@dataclass(frozen=True, slots=True)
class Similarity:
    """A score between 0 and 1; the ids of the nodes that either query looked at, and why the score is what it is."""

    score: float
    reason: str
    expected: Ids = frozenset()
    found: Ids = frozenset()

    def __float__(self) -> float:
        return self.score


@dataclass(frozen=True, slots=True)
class _Asker:
    """Where queries are asked, and with what."""

    session: Runner
    parameters: Mapping[str, Any] | None
    dialect: str

    def ids(self, query: ir.Query, text: str) -> Iterator[Any]:
        for row in run(self.session, query, text, self.parameters, self.dialect).rows:
            for value in row:
                yield from value if isinstance(value, list) else (value,)


def psjs(
    expected: str,
    found: str,
    session: Runner,
    variant: Variant = "cypherbench",
    *,
    parameters: Mapping[str, Any] | None = None,
    dialect: str = "neo4j-25",
) -> Similarity:
    """The provenance subgraph Jaccard similarity of two queries on the graph of a session.

    A query that fails is no exception: it scores 0, and `reason` says why.  Raises UsageFault (G091).
    """
    score = _VARIANTS.get(variant)
    if score is None:
        raise usage_fault("G091", f"unknown variant {variant!r}; known: {', '.join(_VARIANTS)}")
    return score(expected, found, _Asker(session, parameters, dialect))


def _jaccard(expected: Ids, found: Ids) -> Similarity:
    union = expected | found
    if not union:
        return Similarity(0.0, "neither query looked at a node")
    both = len(expected & found)
    return Similarity(both / len(union), f"{both} of {len(union)} nodes in common", expected, found)


# ------------------------------------------------------------------ cypherbench


def _of_prefixes(expected: str, found: str, asker: _Asker) -> Similarity:
    if expected == found:
        return Similarity(1.0, "the texts are the same")
    sets: list[Ids] = []
    for name, text in (("expected", expected), ("found", found)):
        try:
            sets.append(frozenset(_looked_at(text, asker)) - {None})
        except GraphirError as error:
            return Similarity(0.0, f"the {name} query fails: {error}")
    return _jaccard(*sets)


def _looked_at(text: str, asker: _Asker) -> Iterator[Any]:
    query = core(surface(text, asker.dialect), text, asker.dialect)
    for branch in _branches(query.body):
        prefix = _prefix(branch)
        names = list(dict.fromkeys(_node_names(prefix)))
        if not names:
            continue
        asked = tuple([ir.Item(_collected(name), f"n{at}") for at, name in enumerate(names)])
        columns = tuple([ir.Item(ir.Ref(item.name or ""), item.name) for item in asked])
        steps = (*prefix, ir.Aggregate((), asked), ir.Project(columns, final=True))
        yield from asker.ids(ir.Query(ir.Pipeline(steps)), text)


def _branches(body: ir.Body) -> Iterator[ir.Pipeline]:
    """The branches of a UNION, also of one in a CALL that the query begins with."""
    pending = [body]
    while pending:
        one = pending.pop(0)
        if isinstance(one, ir.SetOperation):
            pending[:0] = one.branches
        elif isinstance(one, ir.Pipeline):
            first = one.operators[0]
            if isinstance(first, ir.SubqueryCall):
                pending.insert(0, first.body)
            else:
                yield one


def _prefix(branch: ir.Pipeline) -> tuple[ir.Operator, ...]:
    """MATCH, OPTIONAL MATCH and WHERE up to the first step that does more than keep columns."""
    kept: list[ir.Operator] = []
    for step in branch.operators:
        if isinstance(step, (ir.Match, ir.Filter)):
            kept.append(step)
        elif not (isinstance(step, ir.Project) and not step.final and all(map(_is_kept, step.items))):
            break
    first = kept[0] if kept else None
    return tuple(kept) if isinstance(first, ir.Match) and not first.optional else ()


def _is_kept(item: ir.Item) -> bool:
    return isinstance(item.value, ir.Ref) and item.value.name == item.name


def _node_names(steps: tuple[ir.Operator, ...]) -> Iterator[str]:
    """The node variables of the patterns; those in a repeated group are lists, and not among them."""
    for step in steps:
        if not isinstance(step, ir.Match):
            continue
        pending: list[ir.Node] = [*step.paths]
        while pending:
            part = pending.pop(0)
            if isinstance(part, ir.NodePattern) and part.variable is not None:
                yield part.variable
            elif isinstance(part, ir.Path):
                pending[:0] = part.elements
            elif isinstance(part, ir.PathGroup) and part.quantifier is None:
                pending.insert(0, part.path)


def _id(name: str) -> ir.Expression:
    return ir.Apply("elementId", (ir.Ref(name),))


def _collected(name: str) -> ir.Expression:
    return ir.Apply("collect", (_id(name),), distinct=True)


# ------------------------------------------------------------------ cypherturn


def _of_first_variable(expected: str, found: str, asker: _Asker) -> Similarity:
    try:
        if any(writes(surface(text, asker.dialect)) for text in (expected, found)):
            return Similarity(0.0, "a query that writes is not run")
        wanted, given = (asker.session.run(text, asker.parameters, asker.dialect) for text in (expected, found))
        if rows_equal(wanted, given, "cypherturn"):
            return Similarity(1.0, "the results are equal")
    except GraphirError:
        pass
    sets: list[Ids] = []
    faults = []
    for name, text in (("expected", expected), ("found", found)):
        try:
            sets.append(frozenset(_of_first(text, asker)))
        except GraphirError as error:
            sets.append(frozenset())
            faults.append(f"the {name} query fails: {error}")
    similarity = _jaccard(*sets)
    return replace(similarity, reason="; ".join([similarity.reason, *faults]))


def _of_first(text: str, asker: _Asker) -> Iterator[Any]:
    """The nodes of the first labelled node variable at the end of the query, or of its first branch."""
    query = surface(text, asker.dialect)
    body = query.body
    while isinstance(body, ir.SetOperation):
        body = body.branches[0]
    labelled = [part.variable for part in ir.walk(query) if isinstance(part, ir.NodePattern) and part.labels]
    name = next((variable for variable in labelled if variable is not None), None)
    if name is None or not isinstance(body, ir.Pipeline):
        return iter(())
    steps = [_unpaged(step) for step in body.operators if not isinstance(step, (ir.Order, ir.Page))]
    while steps and isinstance(steps[-1], ir.Project) and steps[-1].final:
        steps.pop()
    final = ir.Project((ir.Item(_id(name), "n"),), final=True, distinct=True)
    asked = core(ir.Query(ir.Pipeline((*steps, final))), text, asker.dialect)
    return asker.ids(asked, text)


def _unpaged(step: ir.Operator) -> ir.Operator:
    return replace(step, order=(), skip=None, limit=None) if isinstance(step, ir.Project) else step


_VARIANTS: dict[str, Callable[[str, str, _Asker], Similarity]] = {
    "cypherbench": _of_prefixes,
    "cypherturn": _of_first_variable,
}
