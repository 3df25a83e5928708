"""Names that a projection ends and a condition behind it takes for its own.

In Cypher the WHERE and the ORDER BY of a WITH still see the variables before it.  A pattern in a subquery there that
binds such a name would ask for the variable; in a clause of its own it makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphir import ir
from graphir.passes.names import mentioned, names_in

_PATTERNS = (ir.Subquery, ir.PatternComprehension)


def captured(conditions: Iterable[ir.Node], project: ir.Project, before: Iterable[ir.Node]) -> bool:
    """Whether a pattern in the conditions has a name of `before` that is no column of the projection behind that."""
    own = {
        name
        for condition in conditions
        for nested in ir.find(condition, *_PATTERNS)
        for part in ir.find(nested, ir.NodePattern, ir.EdgePattern, ir.Path)
        for name in names_in(part)
    }
    if not own or project.star:
        return False
    columns = {_name(item) for item in project.items}
    return any(name in own and name not in columns for part in (*before, *project.items) for name in mentioned(part))


def _name(item: ir.Item) -> str | None:
    if item.name is None and isinstance(item.value, ir.Ref):
        return item.value.name
    return item.name
