"""Which properties of which variables a query reads anywhere: what has to be carried along with an element.

By name alone, over the whole query: a name that means two things needs what either needs, which costs a column at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphir import ir
from graphir.backends.sql.scans import PROPERTIES
from graphir.backends.sql.terms import END, LABELS, START, TYPE

_FUNCTIONS = {
    "labels": LABELS,
    "type": TYPE,
    "startNode": START,
    "endNode": END,
    "properties": PROPERTIES,
    "keys": PROPERTIES,
}


def find_mentioned(query: ir.Query) -> set[str]:
    """The variables that are spoken of anywhere but where a pattern binds them: those that are more than one element of
    patterns, are read, or are handed to a subquery.  By name alone."""
    found: set[str] = set()
    bound: set[str] = set()
    for node in ir.find(query, ir.Ref, ir.NodePattern, ir.EdgePattern, ir.SubqueryCall, ir.ProcedureCall):
        match node:
            case ir.Ref(name):
                found.add(name)
            case ir.SubqueryCall(imports=names) | ir.ProcedureCall(per=names):
                found.update(names or ())
            case ir.NodePattern(variable=str(name)) | ir.EdgePattern(variable=str(name)):
                (found if name in bound else bound).add(name)
    return found


def find_needs(query: ir.Query, given: Mapping[str, Iterable[str]] | None = None) -> dict[str, set[str]]:
    """Variable -> keys; `given` are those that are needed beside what the query says.

    `WITH n AS m` makes `n` need what `m` does.
    """
    needs: dict[str, set[str]] = {name: set(keys) for name, keys in (given or {}).items()}
    renamed: list[tuple[str, str]] = []
    for node in ir.find(query, ir.Property, ir.Index, ir.Apply, ir.MapProjection, ir.Item):
        match node:
            case ir.Property(base=ir.Ref(name), key=key):
                needs.setdefault(name, set()).add(key)
            case ir.Index(base=ir.Ref(name), index=ir.Literal(value=str(key))):
                needs.setdefault(name, set()).add(key)
            case ir.Index(base=ir.Ref(name)):
                needs.setdefault(name, set()).add(PROPERTIES)
            case ir.Apply(function=function, args=(ir.Ref(name),)) if function in _FUNCTIONS:
                needs.setdefault(name, set()).add(_FUNCTIONS[function])
            case ir.MapProjection(base=ir.Ref(name), items=items):
                if any(isinstance(item, ir.ProjectedAll) for item in items):
                    needs.setdefault(name, set()).add(PROPERTIES)
            case ir.Item(value=ir.Ref(name), name=str(other)) if name != other:
                renamed.append((name, other))
    changed = bool(renamed)
    while changed:
        changed = False
        for old, new in renamed:
            more = needs.get(new, set()) - needs.setdefault(old, set())
            if more:
                needs[old] |= more
                changed = True
    return needs
