"""Columns by name: `*` is written out, every item gets its name, and `CALL (*)` its list of imports."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from graphir import ir
from graphir.dialects import DIALECTS
from graphir.ir import Node, Ref
from graphir.ir.node import replace
from graphir.passes.names import Maker
from graphir.passes.scope import analyze, column_name


def name_columns(query: ir.Query, dialect: str = "neo4j-25") -> ir.Query:
    """Expand every star and name every item; a column without AS is named by its source text.

    `*` has the variables in the order of their names, in GQL in that of the text.
    """
    scopes = cache(lambda: analyze(query, dialect=dialect))
    order: Callable[[Iterable[str]], Iterable[str]] = sorted if DIALECTS[dialect].family == "cypher" else list
    maker = Maker(query)

    def project(origin: ir.Project, node: ir.Project) -> ir.Project:
        if not node.star and all(item.name is not None for item in node.items):
            return node
        items = []
        for item in node.items:
            name = column_name(item, by_text=True)
            items.append(item if item.name is not None else replace(item, name=name or maker.make("c")))
        if not node.star:
            return replace(node, items=tuple(items))
        taken = {item.name for item in items}
        kept = [
            ir.Item(Ref(name, span=node.span), name, span=node.span)
            for name in order(scopes().before(origin))
            if name not in taken
        ]
        return replace(node, items=(*kept, *items), star=False)

    def rule(origin: Node, node: Node) -> Node:
        if isinstance(node, ir.Project) and isinstance(origin, ir.Project):
            return project(origin, node)
        if isinstance(node, ir.SubqueryCall) and isinstance(origin, ir.SubqueryCall) and node.star:
            return replace(node, star=False, imports=tuple(sorted(scopes().free(origin))))
        return node

    return ir.transform(query, rule, ir.Project, ir.SubqueryCall)
