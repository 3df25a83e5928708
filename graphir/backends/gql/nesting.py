"""What GQL and SQL/PGQ share about whole queries: their pipelines, the checks before any clause, and subqueries."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graphir import ir
from graphir.backends.gql.columns import unwound
from graphir.backends.gql.expressions import Scope, Translator, Typed
from graphir.backends.gql.features import SUPPORTED, Report
from graphir.backends.gql.patterns import Patterns, conjunction
from graphir.backends.gql.stages import staged
from graphir.backends.gql.subqueries import unfolded
from graphir.backends.gql.values import SCALARS, Kind, Value, comparable
from graphir.ir.names import generated
from graphir.ir.node import replace


def branches(query: ir.Query, report: Report) -> list[list[ir.Operator]]:
    """The pipelines of a query or of the branches of a union, their projections put together, checked for what no
    clause can say."""
    report.check(query)
    check_names(query, report)
    if query.execution is not None:
        raise report.refusal("explain", query, query.execution.upper())
    body = query.body
    found = []
    for branch in body.branches if isinstance(body, ir.SetOperation) else (body,):
        if not isinstance(branch, ir.Pipeline):
            raise report.refusal("set-operation", branch, "a union of unions")
        check_collections(branch, report)
        pipeline = staged(branch.operators)
        if not any(isinstance(operator, ir.Project) and operator.final for operator in pipeline):
            raise report.refusal("no-result", branch, "a query without RETURN")
        found.append(pipeline)
    return found


def check_collections(pipeline: ir.Pipeline, report: Report) -> None:
    """Refuse lists that are collected from sorted rows."""
    order: ir.Operator | None = None
    for operator in pipeline.operators:
        if isinstance(operator, ir.Order):
            order = operator
        elif isinstance(operator, ir.Aggregate):
            for item in operator.aggregates:
                if order is not None and isinstance(item.value, ir.Apply) and item.value.function == "collect":
                    raise report.refusal("sorted-collection", item.value, "collect of sorted rows")
            order = None


def check_union(query: ir.Query, columns: list[dict[str, Value]], report: Report) -> None:
    """Refuse a union of columns that cannot be of one type."""
    for name in columns[0] if len(columns) > 1 else ():
        kinds = tuple([known[name].kind for known in columns if name in known])
        if len(kinds) != len(columns) or not set(kinds) <= SCALARS or not comparable(kinds):
            raise report.refusal("unlike-types", query, f"a union with several types of `{name}`")


def check_names(query: ir.Query, report: Report, *, known: bool = False) -> None:
    """Refuse names that Cypher tells apart and the dialect does not.  `known`: those of the graph have others there."""
    if "folded-names" in SUPPORTED[report.target]:
        return
    seen: dict[tuple[str, str], str] = {}
    edges = set() if known else {node.variable for node in ir.find(query.body, ir.EdgePattern)}
    for node in ir.find(query.body, *((ir.Parameter,) if known else _NAMING)):
        for sort, name in given(node, edges):
            first = seen.setdefault((sort, name.casefold()), name)
            if first != name or not name:
                shown = f"the {sort} `{name}`" + (f" beside `{first}`" if name else "")
                raise report.refusal("folded-names", node, shown)


_NAMING = (ir.Property, ir.Entry, ir.Parameter, ir.NodePattern, ir.EdgePattern, ir.HasLabels)


def given(node: ir.Node, edges: Collection[str | None]) -> Iterator[tuple[str, str]]:
    """The names of the graph that a node mentions, with what they name; `edges` are the variables of edges."""
    if isinstance(node, (ir.Property, ir.Entry)):
        yield "property", node.key
    elif isinstance(node, ir.Parameter):
        yield "parameter", node.name
    elif isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.HasLabels)) and node.labels is not None:
        base = node.base if isinstance(node, ir.HasLabels) else None
        is_type = isinstance(node, ir.EdgePattern) or (isinstance(base, ir.Ref) and base.name in edges)
        for label in ir.find(node.labels, ir.LabelName):
            yield "type" if is_type else "label", label.name


class Nesting(Translator):
    """Translates subqueries into clauses of their own."""

    def subquery(self, node: ir.Subquery, _truth: bool) -> Typed:
        body = self.clauses(unfolded(node, self.scope.values, self.report))
        if node.kind == "count":
            body.append(ir.Project((ir.Item(ir.Apply("count_star"), generated("count", 0)),), final=True))
            return ir.Subquery("value", ir.Pipeline(tuple(body))), Value(Kind.INT, False)
        if len(body) > 1:
            body.append(ir.Project((ir.Item(ir.Literal(1), generated("one", 0)),), final=True))
        return ir.Subquery("exists", ir.Pipeline(tuple(body))), Value(Kind.BOOL, False)

    def clauses(self, operators: list[ir.Operator]) -> list[ir.Operator]:
        """The clauses of a subquery: MATCH, FILTER and FOR."""
        values = dict(self.scope.values)
        out: list[ir.Operator] = []
        for operator in operators:
            translator = Nesting(Scope(values), self.report)
            if isinstance(operator, ir.Match):
                patterns = Patterns(operator, values, translator)
                out.append(patterns.rewritten())
                values = patterns.after
                behind = [Nesting(Scope(values), self.report).predicate(condition) for condition in patterns.outer]
                if (condition := conjunction(behind)) is not None:
                    out.append(ir.Filter(condition))
            elif isinstance(operator, ir.Filter):
                out.append(ir.Filter(translator.predicate(operator.predicate)))
            elif isinstance(operator, ir.Unwind):
                source, values[operator.variable] = unwound(operator, translator, self.report)
                out.append(replace(operator, source=source))
        return out
