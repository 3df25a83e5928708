"""Paths on random graphs against a search by brute force: modes, selectors, directions, bounds.

The graphs have parallel edges, loops and cycles.  The reference walks every way there is and then keeps what the mode
and the selector say; it shares nothing with the engine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import graphir
from graphir import api, ir
from graphir.backends.engines.duckdb.results import decode
from graphir.backends.engines.duckdb.session import Session
from graphir.backends.sql.statements import lower_query
from graphir.source import Source
from tests.outside import FULL

MODES = ("trail", "walk", "acyclic", "simple")
SELECTORS = ("", "ANY", "ANY SHORTEST", "ALL SHORTEST", "SHORTEST 2", "SHORTEST 2 GROUPS", "ANY 3", "SHORTEST 3")
ARROWS = {"out": "-{}->", "in": "<-{}-", "any": "-{}-"}
Edge = tuple[int, int, str]
Walk = tuple[tuple[int, ...], tuple[int, ...]]
"""Nodes and edges."""


@dataclass(frozen=True)
class Question:
    mode: str
    selector: str
    direction: str
    low: int
    high: int | None
    types: str
    start: int | None

    @property
    def text(self) -> str:
        kinds = ":" + "|".join(self.types) if self.types else ""
        high = "" if self.high is None else self.high
        step = ARROWS[self.direction].format(f"[e{kinds}]") + f"{{{self.low},{high}}}"
        clause = "MATCH REPEATABLE ELEMENTS" if self.mode == "walk" else "MATCH"
        begin = "" if self.start is None else f" {{i: {self.start}}}"
        path = f"p = {self.selector} (a:V{begin}){step}(b:V)"
        return f"{clause} {path} RETURN a.i, b.i, [n IN nodes(p) | n.i], [x IN e | x.i]"

    def answer(self, db: Session) -> list[tuple[Any, ...]]:
        """The rows of the engine; Cypher has no word for the modes, the IR has."""
        query = api.to_core(api.parse(self.text), self.text, "neo4j-25")

        def moded(node: ir.Node) -> ir.Node:
            return replace(node, mode=self.mode) if isinstance(node, ir.Path) else node

        lowered = lower_query(ir.rewrite(query, moded), Source(self.text), db.storage.catalog(), {})
        return decode(db.execute(lowered, Source(self.text)), [rep for _, rep in lowered.columns], db.storage)


def walks(edges: list[Edge], start: int, longest: int, asked: Question) -> Iterator[Walk]:
    """Every walk from a node that the mode allows, up to a length."""
    pending: list[Walk] = [((start,), ())]
    while pending:
        nodes, way = pending.pop()
        yield nodes, way
        closed = asked.mode == "simple" and len(way) > 0 and nodes[0] == nodes[-1]
        if len(way) == longest or closed:
            continue
        for number, (source, target, kind) in enumerate(edges):
            if asked.types and kind not in asked.types:
                continue
            for here, there in {"out": {(source, target)}, "in": {(target, source)}}.get(
                asked.direction, {(source, target), (target, source)}
            ):
                if here == nodes[-1] and allowed(asked.mode, nodes, way, there, number):
                    pending.append(((*nodes, there), (*way, number)))


def allowed(mode: str, nodes: tuple[int, ...], way: tuple[int, ...], there: int, edge: int) -> bool:
    if mode == "trail":
        return edge not in way
    if mode == "acyclic":
        return there not in nodes
    return mode != "simple" or there not in nodes[1:]


def by_ends(edges: list[Edge], size: int, asked: Question) -> dict[tuple[int, int], list[Walk]]:
    longest = asked.high if asked.high is not None else {"walk": 0, "trail": len(edges)}.get(asked.mode, size)
    found: dict[tuple[int, int], list[Walk]] = {}
    for start in range(size) if asked.start is None else [asked.start]:
        for nodes, way in walks(edges, start, longest, asked):
            if len(way) >= asked.low:
                found.setdefault((start, nodes[-1]), []).append((nodes, way))
    return found


def fits(asked: Question, ways: list[Walk], got: list[Walk]) -> bool:
    """Whether the paths between two nodes are a choice that the selector allows."""
    if Counter(got) - Counter(ways):
        return False
    lengths = sorted(len(way) for _, way in ways)
    ours = sorted(len(way) for _, way in got)
    words = asked.selector.split()
    count = next((int(word) for word in words if word.isdigit()), 1)
    if not words:
        return len(got) == len(ways)
    if "GROUPS" in words or words[0] == "ALL":
        kept = sorted(set(lengths))[:count]
        return ours == [length for length in lengths if length in kept]
    if words[0] == "ANY" and "SHORTEST" not in words:
        return len(got) == min(count, len(ways))
    return ours == lengths[:count]


def questions(chosen: random.Random, size: int) -> Iterator[Question]:
    while True:
        mode = chosen.choice(MODES)
        low = chosen.choice((0, 1, 1, 2))
        high = chosen.choice((low, low + 1, 3, 3, None))
        if high is None and mode == "walk":
            continue
        if high is not None and (high < low or high == 0):
            continue
        start = chosen.choice((None, chosen.randrange(size)))
        yield Question(
            mode,
            chosen.choice(SELECTORS),
            chosen.choice(tuple(ARROWS)),
            low,
            high,
            chosen.choice(("", "x", "xy")),
            start,
        )


def test_paths_are_those_of_a_search_by_brute_force() -> None:
    wrong = []
    total = 0
    for seed in range(170 if FULL else 12):
        chosen = random.Random(seed)
        size = chosen.randint(3, 5)
        edges = [
            (chosen.randrange(size), chosen.randrange(size), chosen.choice("xy")) for _ in range(chosen.randint(3, 7))
        ]
        with graphir.connect() as db:
            db.load(
                {
                    "nodes": [{"id": i, "labels": ["V"], "properties": {"i": i}} for i in range(size)],
                    "edges": [
                        {"id": i, "type": kind, "start": source, "end": target, "properties": {"i": i}}
                        for i, (source, target, kind) in enumerate(edges)
                    ],
                }
            )
            for _, asked in zip(range(12), questions(chosen, size), strict=False):
                total += 1
                due = by_ends(edges, size, asked)
                got: dict[tuple[int, int], list[Walk]] = {}
                for start, end, nodes, way in asked.answer(db):
                    got.setdefault((start, end), []).append((tuple(nodes), tuple(way)))
                if got.keys() != due.keys() or not all(fits(asked, due[ends], got[ends]) for ends in due):
                    wrong.append((seed, asked.text, edges))
    assert total >= 144
    assert wrong == []
