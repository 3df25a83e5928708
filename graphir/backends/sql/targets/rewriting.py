"""The lowering's tree as a target's tree: each node after its parts, by the tables of the target.

Nothing passes that no table knows: it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.reps import Rep
from graphir.backends.sql.targets.target import FUNCTIONS, STANDARD, Rewriting, Target
from graphir.diagnostics import Unsupported, diagnose
from graphir.source import Source

_OWN = (exp.Array, exp.ArrayAgg, exp.Struct, exp.PropertyEQ, exp.Lambda, exp.IntDiv, exp.Div, exp.Mod, exp.Parameter)
"""What the lowering writes beyond the standard: only by a rule."""


class Rewriter:
    """Rewrites one statement."""

    def __init__(self, target: Target, source: Source) -> None:
        self.target = target
        self.source = source
        self._made = 0

    def fresh(self, prefix: str) -> str:
        self._made += 1
        return f"{prefix}_{self._made}"

    def refuse(self, what: str) -> NoReturn:
        message = f"{self.target.title} has no exact form of {what}"
        raise Unsupported([diagnose(self.source, "G561", message)], feature=what, target=self.target.name)

    def type_of(self, rep: Rep) -> exp.DataType:
        found = self.target.types(rep)
        if found is None:
            self.refuse(f"values of type {rep}")
        made = exp.DataType.build(found, dialect=self.target.dialect)
        made.args["rep"] = rep
        return made

    def rewrite(self, tree: Sql) -> Sql:
        """The target's tree; the one given is used up."""
        for node in reversed(list(tree.bfs())):
            if node.parent is not None and isinstance(node.parent, exp.DataType):
                continue  # inside of a type
            made = self._rewritten(node)
            if made is node:
                continue
            if node is tree:
                tree = made
            else:
                node.replace(made)
        return tree

    def _rewritten(self, node: Sql) -> Sql:
        if isinstance(node, exp.DataType):
            return self.type_of(build.note(node))
        if isinstance(node, exp.Anonymous):
            rule = self.target.functions.get(node.name)
            if rule is None:
                self.refuse(f"the function {node.name}" if node.name in FUNCTIONS else "this value")
            return rule(node, self)
        rule = self.target.nodes.get(type(node))
        if rule is not None:
            return rule(node, self)
        if type(node) not in STANDARD:
            self.refuse(f"{_title(node)}")
        return node


def _title(node: Sql) -> str:
    return {
        exp.Array: "lists",
        exp.ArrayAgg: "lists of rows",
        exp.Struct: "maps and paths",
        exp.Lateral: "subqueries that run for every row",
    }.get(type(node), type(node).__name__)


def keep(node: Sql, _: Rewriting) -> Sql:
    """The rule for what the target says in the same way."""
    return node


def renamed(name: str) -> Callable[[exp.Anonymous, Rewriting], Sql]:
    """The rule for a function that has another name."""

    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        return exp.Anonymous(this=name, expressions=node.expressions)

    return rule
