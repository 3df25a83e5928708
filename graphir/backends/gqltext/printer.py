"""Surface IR as text of GQL: one clause per line, subqueries indented, parentheses only where they are needed.

What is printed parses to the same IR in the dialect it is printed for, provided that the dialect can say it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from graphir import ir
from graphir.backends.gqltext.expressions import (
    CLOSE,
    DEDENT,
    INDENT,
    LINE,
    OPEN,
    SPACE,
    braces,
    is_sql,
    operand,
)
from graphir.backends.gqltext.precedence import AND
from graphir.backends.gqltext.tables import TablePrinter, bracketed
from graphir.backends.printing import Handler, Part, listed, separated
from graphir.dialects import DIALECTS
from graphir.ir.names import MARK, is_generated


def print_query(query: ir.Query, dialect: str) -> str:
    """The query as text of the dialect, without a final newline.  ValueError if the dialect is no GQL."""
    return printer(query, dialect).text(query)


def printer(root: ir.Node, dialect: str, kind: type[GqlPrinter] | None = None) -> GqlPrinter:
    """A printer for the tree: it knows which generated names of the tree to drop and which to replace."""
    if DIALECTS[dialect].family not in ("gql", "pgq"):
        raise ValueError(f"{dialect} is no dialect of GQL, nor one of SQL around it")
    renamed, dropped = _readable(root)
    return (kind or GqlPrinter)(dialect, renamed, dropped)


def _readable(root: ir.Node) -> tuple[dict[str, str], frozenset[str]]:
    """Free names for the generated names that something refers to, and the generated names that can go.

    A free name differs from all others even where case does not count.
    """
    bound: set[str] = set()
    count: Counter[str] = Counter()
    taken: set[str] = set()
    for node in ir.walk(root):
        if isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.Path)) and node.variable:
            bound.add(node.variable)
        for name in _atoms(type(node)):
            value = getattr(node, name)
            for word in value if type(value) is tuple else (value,):
                if type(word) is not str:
                    continue
                if is_generated(word):
                    count[word] += 1
                else:
                    taken.add(word)
    dropped = frozenset([name for name in bound if count[name] == 1 and is_generated(name)])
    renamed: dict[str, str] = {}
    if len(dropped) == len(count):
        return renamed, dropped
    taken = {word.casefold() for word in taken}
    for name in count:
        if name not in dropped:
            fresh = wanted = name.strip(MARK) or "x"
            number = 1
            while fresh.casefold() in taken:
                number += 1
                fresh = f"{wanted}_{number}"
            taken.add(fresh.casefold())
            renamed[name] = fresh
    return renamed, dropped


_ATOMS: dict[type[ir.Node], tuple[str, ...]] = {}
"""Class -> its fields that hold no nodes."""


def _atoms(kind: type[ir.Node]) -> tuple[str, ...]:
    found = _ATOMS.get(kind)
    if found is None:
        found = _ATOMS[kind] = tuple([name for name in kind.fields_ if name not in kind.below_])
    return found


class GqlPrinter(TablePrinter):
    """The handlers of operators, and of what holds them together."""

    # -------------------------------------------------------------- reading

    def match(self, node: ir.Match) -> Iterable[Part]:
        word = "OPTIONAL MATCH" if node.optional else "MATCH"
        return [*listed(word + self.mode(node).rstrip(), node.paths), *self.where(node.where)]

    def where(self, condition: ir.Expression | None) -> list[Part]:
        """WHERE on a line of its own."""
        return [] if condition is None else [LINE, *self.condition("WHERE", condition)]

    def condition(self, word: str, condition: ir.Expression) -> list[Part]:
        """The keyword and the condition; the parts of a long conjunction go to a line each."""
        if not (isinstance(condition, ir.Apply) and condition.function == "and"):
            return [word, " ", condition]
        shown = [operand(arg, AND + 1) for arg in condition.args]
        return [OPEN, word, INDENT, " ", *separated(shown, [SPACE, "AND "]), DEDENT, CLOSE]

    def filter(self, node: ir.Filter) -> Iterable[Part]:
        return self.condition("FILTER", node.predicate)

    def item(self, node: ir.Item) -> Iterable[Part]:
        if node.name is None:
            return [node.value]
        return [node.value, f" AS {self.name(node.name)}"]

    def let(self, node: ir.Let) -> Iterable[Part]:
        return listed("LET", [[f"{self.name(item.name or '')} = ", item.value] for item in node.items])

    def unwind(self, node: ir.Unwind) -> Iterable[Part]:
        places = (("ORDINALITY", node.ordinality), ("OFFSET", node.offset))
        shown = [f" WITH {word} AS {self.name(name)}" for word, name in places if name is not None]
        return [f"FOR {self.name(node.variable)} IN ", node.source, *shown]

    def sort_key(self, node: ir.SortKey) -> Iterable[Part]:
        usual = "first" if node.descending != self.spelling.null_is_least else "last"
        nulls = f" NULLS {node.nulls.upper()}" if node.stated or node.nulls != usual else ""
        return [node.value, " DESC" if node.descending else "", nulls]

    def project(self, node: ir.Project) -> Iterable[Part]:
        word = "RETURN" if node.final else "WITH"
        star: list[Part] = ["*"] if node.star else []
        parts = listed(f"{word} DISTINCT" if node.distinct else word, [*star, *node.items])
        if node.group_all:
            parts += [LINE, "GROUP BY ALL"]
        elif node.group_by is not None:
            parts += [LINE, *(listed("GROUP BY", node.group_by) if node.group_by else ["GROUP BY ()"])]
        if node.order:
            parts += [LINE, *listed("ORDER BY", node.order)]
        return parts + self.paging(node.skip, node.limit)

    def paging(self, skip: ir.Expression | None, limit: ir.Expression | None) -> list[Part]:
        return [
            part
            for word, value in (("OFFSET ", skip), ("LIMIT ", limit))
            if value is not None
            for part in (LINE, word, value)
        ]

    def order(self, node: ir.Order) -> Iterable[Part]:
        return listed("ORDER BY", node.keys)

    def page(self, node: ir.Page) -> Iterable[Part]:
        return self.paging(node.skip, node.limit)[1:]

    def finish(self, node: ir.Finish) -> Iterable[Part]:
        return ["FINISH"]

    def use(self, node: ir.Use) -> Iterable[Part]:
        return [f"{self.spelling.use} ", node.graph]

    # -------------------------------------------------------------- calls

    def yield_item(self, node: ir.YieldItem) -> Iterable[Part]:
        alias = "" if node.alias is None else f" AS {self.name(node.alias)}"
        return [self.spelling.variable(node.name), alias]

    def procedure_call(self, node: ir.ProcedureCall) -> Iterable[Part]:
        word = "OPTIONAL CALL" if node.optional else "CALL"
        name = ".".join([self.spelling.variable(part) for part in node.name])
        yields: list[Part] = [] if node.yields is None else [" YIELD ", *separated(node.yields)]
        per: list[Part] = []
        if node.per is not None:
            per = [f" PER({', '.join([self.name(each) for each in node.per])})"]
        return [word, *per, f" {name}(", *self.arguments(node.args or (), False), ")", *yields]

    def subquery_call(self, node: ir.SubqueryCall) -> Iterable[Part]:
        if node.star and node.optional and _only_matches(node.body):
            return braces("OPTIONAL ", node.body)
        word = "OPTIONAL CALL " if node.optional else "CALL "
        if not node.star:
            word += f"({', '.join([self.name(each) for each in node.imports or ()])}) "
        return braces(word, node.body)

    # -------------------------------------------------------------- writing

    def insert(self, node: ir.Insert) -> Iterable[Part]:
        return listed("INSERT", node.paths)

    def set(self, node: ir.Set) -> Iterable[Part]:
        return listed("SET", node.items)

    def set_property(self, node: ir.SetProperty) -> Iterable[Part]:
        return [node.target, " = ", node.value]

    def set_properties(self, node: ir.SetProperties) -> Iterable[Part]:
        return [node.target, " = ", node.value]

    def change_labels(self, node: ir.SetLabels | ir.RemoveLabels) -> Iterable[Part]:
        return [node.target, ":", *separated(node.labels, "&")]

    # -------------------------------------------------------------- composition

    def pipeline(self, node: ir.Pipeline) -> Iterable[Part]:
        operators = node.operators
        nested = None if operators[2:] else _whole(operators[-1])
        if nested is not None and self.spelling.with_ and len(operators) == 2 and isinstance(operators[0], ir.Use):
            return [operators[0], LINE, nested]  # `GRAPH name` works on all that follows
        if nested is not None and not self.spelling.with_ and len(operators) == 1:
            return braces("", nested)
        return separated(operators, LINE)

    def set_operation(self, node: ir.SetOperation) -> Iterable[Part]:
        mode = "" if node.columns in ("position", "name") else f"{node.columns.upper()} "
        words = mode + node.kind.upper()
        if node.kind != "otherwise":
            words += self.spelling.distinct if node.distinct else " ALL"
        shown = [self.branch_of(branch, place) for place, branch in enumerate(node.branches)]
        return separated(shown, [LINE, words, LINE])

    def branch_of(self, branch: ir.Body, place: int) -> list[Part]:
        """Another kind of set operation on the left is read first; elsewhere it would need braces."""
        if is_sql(branch):
            return [branch] if isinstance(branch, ir.Select) else bracketed(branch)
        closed = isinstance(branch, ir.Next) or (place > 0 and isinstance(branch, ir.SetOperation))
        return braces("", branch) if closed else [branch]

    def next(self, node: ir.Next) -> Iterable[Part]:
        parts: list[Part] = []
        for body in node.parts:
            first = body.operators[0] if isinstance(body, ir.Pipeline) else None
            if isinstance(first, ir.Project) and not first.final and not self.spelling.with_:
                assert isinstance(body, ir.Pipeline)
                rest = ir.Pipeline(body.operators[1:], span=body.span)
                parts += [LINE, *listed("NEXT YIELD", [self.yielded(item) for item in first.items]), LINE, rest]
                continue
            parts += [LINE, "NEXT", LINE] if parts else []
            parts += braces("", body) if isinstance(body, ir.Next) else [body]
        return parts

    def yielded(self, item: ir.Item) -> list[Part]:
        """A column chosen behind NEXT YIELD."""
        alias = "" if item.value == ir.Ref(item.name or "") else f" AS {self.name(item.name or '')}"
        return [item.value, alias]

    def command(self, node: ir.Command) -> Iterable[Part]:
        return [node.text]

    def query(self, node: ir.Query) -> Iterable[Part]:
        return [node.body]

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        **TablePrinter.handlers,
        ir.Match: match,
        ir.Filter: filter,
        ir.Item: item,
        ir.Let: let,
        ir.Unwind: unwind,
        ir.SortKey: sort_key,
        ir.Project: project,
        ir.Order: order,
        ir.Page: page,
        ir.Finish: finish,
        ir.Use: use,
        ir.YieldItem: yield_item,
        ir.ProcedureCall: procedure_call,
        ir.SubqueryCall: subquery_call,
        ir.Insert: insert,
        ir.Set: set,
        ir.SetProperty: set_property,
        ir.SetProperties: set_properties,
        ir.SetLabels: change_labels,
        ir.RemoveLabels: change_labels,
        ir.Pipeline: pipeline,
        ir.SetOperation: set_operation,
        ir.Next: next,
        ir.Command: command,
        ir.Query: query,
    }


def _only_matches(body: ir.Body) -> bool:
    return isinstance(body, ir.Pipeline) and all(isinstance(each, ir.Match) for each in body.operators)


def _whole(operator: ir.Operator) -> ir.Body | None:
    """The body of a query in braces: a call that imports nothing and gives its rows as they are."""
    if not isinstance(operator, ir.SubqueryCall) or operator.star or operator.optional or operator.imports:
        return None
    return operator.body
