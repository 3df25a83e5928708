"""Core IR of GQL into IR that Cypher's legalization takes: the same meaning in terms of Cypher's clauses and functions.

What GQL leaves to its match mode, to static types and to nulls is written out; what no Cypher can say is refused.  What
single dialects of Cypher lack is not known here: `graphir.backends.cypher.legalize` is next.
"""

from __future__ import annotations

import dataclasses

from graphir import ir
from graphir.backends.cypher.core.clauses import Bodies
from graphir.backends.cypher.core.kinds import Kinds
from graphir.backends.cypher.core.patterns import mentioned
from graphir.backends.cypher.core.refusals import Report
from graphir.backends.cypher.core.terms import Tools
from graphir.passes import assignments
from graphir.passes.names import Maker
from graphir.schema import Schema
from graphir.source import Source


def expressed(query: ir.Query, dialect: str, source: Source, schema: Schema | None = None) -> ir.Query:
    """The query of core IR, read from `source`, for a dialect of Cypher.  Raises Unsupported.

    A schema tells the types of properties, on which the meaning of some functions depends.
    """
    tools = Tools(Report(source, dialect), Maker(query), Kinds(schema), _read(query))
    made = ir.rewrite(Bodies(tools).query(query), _briefly)
    return assignments.at_once(made, source) if dialect in assignments.AT_ONCE else made


def _read(query: ir.Query) -> frozenset[str]:
    """The variables that something reads: an expression, or the pattern of another path."""
    found = {node.name for node in ir.walk(query) if isinstance(node, ir.Ref)}
    matched: set[str] = set()
    for operator in ir.walk(query):
        for path in operator.paths if isinstance(operator, (ir.Match, ir.Insert)) else ():
            names = set(mentioned(path))
            found |= matched & names
            matched |= names
    return frozenset(found)


def _briefly(node: ir.Node) -> ir.Node:
    """`x AS x` is written `x`."""
    if isinstance(node, ir.Item) and isinstance(node.value, ir.Ref) and node.value.name == node.name:
        return dataclasses.replace(node, name=None)
    return node
