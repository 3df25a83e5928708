"""Graph patterns as they are made of scans: the elements, the paths that they stand in, and a GRAPH_TABLE of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import EdgeTable, NodeTable
from graphir.frozen import frozen

NAME = "GRAPH_TABLE"


class GraphTable(exp.Anonymous):
    """What stands for a GRAPH_TABLE: its parts are its condition, if it has one, and its columns."""


@dataclass(eq=False, slots=True)
class Vertex:
    """A node of a pattern, of one table or one of `others`.

    `variable` is given last, when all that stands in one GRAPH_TABLE is known.
    """

    table: NodeTable
    hint: str | None = None
    variable: str = ""
    others: tuple[NodeTable, ...] = ()


@dataclass(eq=False, slots=True)
class Edge:
    """An edge of a pattern, from a node to a node; `undirected`: or back, and a loop once.  `others`: of nodes."""

    table: EdgeTable
    source: Vertex
    target: Vertex
    hint: str | None = None
    undirected: bool = False
    variable: str = ""
    others: tuple[EdgeTable, ...] = ()


@frozen
class Hop:
    """An edge as a path walks it, and the node where it leads."""

    edge: Edge
    to: Vertex
    backwards: bool


@frozen
class Trail:
    """A path in which no edge comes twice."""

    start: Vertex
    hops: tuple[Hop, ...] = ()

    @property
    def vertices(self) -> list[Vertex]:
        return [self.start, *[hop.to for hop in self.hops]]


@frozen
class Pattern:
    """What a GRAPH_TABLE has beside its parts.  `labels`: element, by its identity -> the labels that are asked for.
    `filtered`: there is a condition among them."""

    graph: tuple[str, ...]
    trails: tuple[Trail, ...]
    labels: Mapping[int, tuple[str, ...]]
    filtered: bool = False

    def __deepcopy__(self, _: object) -> Self:
        return self


def graph_table(pattern: Pattern, condition: Sql | None, columns: list[Sql], alias: str) -> Sql:
    """A source in FROM."""
    parts = [*([] if condition is None else [condition]), *columns]
    call = build.standing(GraphTable(this=NAME, expressions=parts), pattern)
    return exp.Table(this=call, alias=exp.TableAlias(this=build.name(alias)))


def pattern_of(node: Sql) -> Pattern | None:
    """The pattern of a node that stands for a GRAPH_TABLE; None for other nodes."""
    if type(node) is not GraphTable:
        return None
    found = build.stands_for(node)
    assert isinstance(found, Pattern)
    return found
