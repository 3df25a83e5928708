"""Names that SELECT gives to what it returns, where a clause beside it may mean them or a column of FROM.

Sources: PostgreSQL's reference of SELECT (an input column wins in GROUP BY, an output column in ORDER BY where it
stands alone; expressions see input columns), which DuckDB 2.0 and Hyper do alike (both were asked; HAVING too), and
GoogleSQL's query syntax (the alias wins; its evaluator was asked).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphir import ir
from graphir.dialects import SQL_PGQ
from graphir.ir import Expression, Item, Node, Ref
from graphir.passes.selects.operators import AS_POSTGRES
from graphir.passes.selects.scopes import NoGraphQuery, Scope


class Aliases:
    """The aliases of a SELECT and what they stand for; the columns of FROM are those of its scope."""

    def __init__(self, items: Sequence[Item], scope: Scope, dialect: str) -> None:
        self.scope = scope
        self.dialect = dialect
        self.values: dict[str, Expression] = {}
        self.ambiguous: set[str] = set()
        for item in items:
            name = (item.name or "").lower()
            if name and self.values.setdefault(name, item.value) != item.value:
                self.ambiguous.add(name)

    def alone(self, ref: Ref) -> Mapping[str, Expression]:
        """The aliases for a name that is all of a key of ORDER BY."""
        if ref.name.lower() in self.ambiguous:
            raise NoGraphQuery(f"there are two columns `{ref.name}`", ref.span)
        return self.values

    def beside_columns(self, node: Node, clause: str) -> Mapping[str, Expression]:
        """The aliases that mean what they stand for in an expression of a clause; a column of FROM goes before them.

        NoGraphQuery where it is not known which of them is meant.
        """
        hidden: set[str] = set()
        for ref in ir.walk(node):
            name = ref.name.lower() if isinstance(ref, Ref) else ""
            if name not in self.values:
                continue
            column = self.scope.column(name) if self.dialect in SQL_PGQ else None
            if column is None and name in self.ambiguous:
                raise NoGraphQuery(f"there are two columns `{name}`", ref.span)
            if column is None or Ref(column.variable) == self.values[name]:
                continue
            if self.dialect not in AS_POSTGRES and (clause != "GROUP BY" or ref is not node):
                told = f"`{name}` is a column and what SELECT calls another value: which of them {clause} means is not"
                raise NoGraphQuery(f"{told} known; use another name", ref.span)
            hidden.add(name)
        return {name: value for name, value in self.values.items() if name not in hidden}
