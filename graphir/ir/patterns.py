"""Graph patterns of the Graph-IR: paths of nodes, edges and quantified groups, and label expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir.ir.node import Node, node, note

if TYPE_CHECKING:
    from graphir.ir.expressions import Expression, Parameter


class LabelExpression(Node):
    """Base of what may stand after the colon of a pattern element."""

    __slots__ = ()


@node("label")
class LabelName(LabelExpression):
    name: str


@node("label-any")
class LabelAny(LabelExpression):
    """`%`: carries some label."""


@node("label-dynamic")
class LabelDynamic(LabelExpression):
    """`$(expression)`, `$all(..)`, `$any(..)`: the label or labels an expression names; `quantifier` is all or any."""

    expression: Expression
    quantifier: str = "all"


@node("label-not")
class LabelNot(LabelExpression):
    operand: LabelExpression


@node("label-and")
class LabelAnd(LabelExpression):
    """`A&B`, `:A:B`; `legacy` remembers the colon form."""

    operands: tuple[LabelExpression, ...]
    legacy: bool = note(default=False)


@node("label-or")
class LabelOr(LabelExpression):
    """`A|B`; `legacy` remembers the old form `A|:B`."""

    operands: tuple[LabelExpression, ...]
    legacy: bool = note(default=False)


@node("bounds")
class Bounds(Node):
    """A number of repetitions, both ends included; `high` None is without limit.

    A bound that is given by a parameter stands in `low_parameter` or `high_parameter` instead; core has none.
    """

    low: int
    high: int | None
    low_parameter: Parameter | None = None
    high_parameter: Parameter | None = None


@node("node")
class NodePattern(Node):
    """`(variable:labels {properties} WHERE where COST cost)`; `properties` is a `MapOf` or a `Parameter`."""

    variable: str | None = None
    labels: LabelExpression | None = None
    properties: Expression | None = None
    where: Expression | None = None
    cost: Expression | None = None


@node("edge")
class EdgePattern(Node):
    """A relationship pattern.

    `direction` is out (`-->`), in (`<--`) or any (`--`, `<-->`), read from left to right.
    `hops` is the legacy variable length `[*low..high]` and `quantifier` the postfix `{low,high}`, `+`, `*`; at most one
    of them is set, and either makes the variable a group (a list of edges).  Core has only `quantifier`.  `cost` is
    what the cheapest paths are chosen by.  `mutual`: there is an edge each way (`<-[..]->` of DuckPGQ); never in core.
    """

    variable: str | None = None
    labels: LabelExpression | None = None
    properties: Expression | None = None
    where: Expression | None = None
    direction: str = "out"
    hops: Bounds | None = None
    quantifier: Bounds | None = None
    cost: Expression | None = None
    mutual: bool = False


@node("group")
class PathGroup(Node):
    """A parenthesized path `( path WHERE where ){low,high}`; with a quantifier its variables are groups outside."""

    path: Path
    where: Expression | None = None
    quantifier: Bounds | None = None


PathElement = NodePattern | EdgePattern | PathGroup


@node("selector")
class Selector(Node):
    """Which of the matching paths are kept, per pair of end nodes.

    kind: all, any, any_shortest, all_shortest, shortest (`count` paths), shortest_groups (`count` groups), and the
    legacy functions shortest_path (`shortestPath(..)`) and all_shortest_paths; and, by the sum of the costs in place of
    the number of edges, any_cheapest, all_cheapest, cheapest.  `count` is for any, shortest, shortest_groups, cheapest.
    """

    kind: str
    count: Expression | None = None


@node("path")
class Path(Node):
    """A path pattern: elements from left to right.

    Adjacent nodes or groups without an edge between them are joined (quantified paths); a single node is a path too.
    `mode` is walk, trail, acyclic or simple, or None where the text leaves it to `Match.uniqueness`.
    """

    elements: tuple[PathElement, ...]
    variable: str | None = None
    selector: Selector | None = None
    mode: str | None = None
