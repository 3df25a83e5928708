"""Graph-IR as Cypher text, for openCypher 9 and Neo4j's Cypher 5 and 25.

One clause per line, subqueries indented, parentheses only where they are needed.  What is printed parses to the same
IR in the dialect it is printed for, provided that the dialect can say it: see `graphir.backends.cypher.legalize`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from graphir import ir
from graphir.backends.cypher import names
from graphir.backends.cypher.expressions import (
    DEDENT,
    INDENT,
    LINE,
    ExpressionPrinter,
    barless,
    base,
    with_colons,
)
from graphir.backends.printing import Part, listed, separated
from graphir.dialects import DIALECTS
from graphir.ir.names import MARK, is_generated


def print_query(query: ir.Query, dialect: str = "neo4j-25") -> str:
    """The query as text of the dialect, without a final newline.  ValueError if the dialect is no Cypher."""
    return printer(query, dialect).text(query)


def printer(root: ir.Node, dialect: str, kind: type[CypherPrinter] | None = None) -> CypherPrinter:
    """A printer for the tree: it knows which generated names of the tree to drop and which to replace."""
    if DIALECTS[dialect].family != "cypher":
        raise ValueError(f"{dialect} is not a Cypher dialect")
    renamed, dropped = _readable(root)
    return (kind or CypherPrinter)(dialect, renamed, dropped)


def _readable(root: ir.Node) -> tuple[dict[str, str], frozenset[str]]:
    """Free names for the generated names that something refers to, and the generated names that can go."""
    bound: set[str] = set()
    count: Counter[str] = Counter()
    taken: set[str] = set()
    for node in ir.walk(root):
        if isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.Path)) and node.variable:
            bound.add(node.variable)
        for field in node.fields_:
            value = getattr(node, field)
            for word in value if type(value) is tuple else (value,):
                if type(word) is str:
                    (count.update((word,)) if is_generated(word) else taken.add(word))
    dropped = frozenset([name for name in bound if count[name] == 1 and is_generated(name)])
    renamed: dict[str, str] = {}
    for name in sorted(count):
        if name not in dropped:
            fresh = name.strip(MARK) or "x"
            while fresh in taken:
                fresh += "_"
            taken.add(fresh)
            renamed[name] = fresh
    return renamed, dropped


def _option(entry: ir.Entry, dialect: str) -> str:
    """One option; the text of its value is a word, a number or a string with its quotes."""
    text = str(entry.value.value) if isinstance(entry.value, ir.Literal) else ""
    bare = text[:1].isdigit() or text[:1] == "." or (len(text) > 1 and text[0] == text[-1] and text[0] in "'\"")
    return f" {names.key(entry.key, dialect)}={text if bare else names.key(text, dialect)}"


class CypherPrinter(ExpressionPrinter):
    """The handlers of operators, and of what holds them together."""

    def words(self, *pairs: tuple[str, Part | None]) -> list[Part]:
        """The keywords and their operands, those without operand left out."""
        return [part for word, value in pairs if value is not None for part in (word, value)]

    # -------------------------------------------------------------- reading

    def match(self, node: ir.Match) -> Iterable[Part]:
        word = "OPTIONAL MATCH" if node.optional else "MATCH"
        mode = " REPEATABLE ELEMENTS" if node.uniqueness == "repeatable_elements" else ""
        parts = listed(word + mode, node.paths)
        for hint in node.hints:
            parts += [INDENT, LINE, hint, DEDENT]
        if node.search is not None:
            parts += [INDENT, LINE, node.search, DEDENT]
        return parts + self.condition(node.where)

    def condition(self, where: ir.Expression | None) -> list[Part]:
        """WHERE on a line of its own."""
        return [] if where is None else [LINE, "WHERE ", where]

    def index_hint(self, node: ir.IndexHint) -> Iterable[Part]:
        word = {"scan": "SCAN", "index": "INDEX"}.get(node.kind, f"{node.kind.upper()} INDEX")
        keys = ", ".join([names.key(key, self.dialect) for key in node.properties])
        target = f"{self.name(node.variable)}:{names.label(node.label, self.dialect)}"
        return [f"USING {word} ", "SEEK " if node.seek else "", target, f"({keys})" if node.properties else ""]

    def join_hint(self, node: ir.JoinHint) -> Iterable[Part]:
        return ["USING JOIN ON ", ", ".join([self.name(name) for name in node.variables])]

    def vector_search(self, node: ir.VectorSearch) -> Iterable[Part]:
        score = [] if node.score is None else [f" SCORE AS {self.name(node.score)}"]
        inner = self.words((" FOR ", node.query), (" WHERE ", node.where), (" LIMIT ", node.limit))
        return [f"SEARCH {self.name(node.variable)} IN (VECTOR INDEX ", *base(node.index), *inner, ")", *score]

    def filter(self, node: ir.Filter) -> Iterable[Part]:
        return ["FILTER ", node.predicate]

    def item(self, node: ir.Item) -> Iterable[Part]:
        return [node.value] if node.name is None else [node.value, f" AS {self.name(node.name)}"]

    def let(self, node: ir.Let) -> Iterable[Part]:
        shown: list[list[Part]] = [[f"{self.name(item.name or '')} = ", item.value] for item in node.items]
        return listed("LET", shown)

    def unwind(self, node: ir.Unwind) -> Iterable[Part]:
        if node.ordinality is None and node.offset is None:
            return ["UNWIND ", node.source, f" AS {self.name(node.variable)}"]
        position = [
            f" WITH {word} {self.name(name)}"
            for word, name in (("ORDINALITY", node.ordinality), ("OFFSET", node.offset))
            if name is not None
        ]
        return [f"FOR {self.name(node.variable)} IN ", node.source, *position]

    def sort_key(self, node: ir.SortKey) -> Iterable[Part]:
        usual = "first" if node.descending else "last"
        nulls = "" if node.nulls == usual else f" NULLS {node.nulls.upper()}"
        return [node.value, " DESC" if node.descending else "", nulls]

    def project(self, node: ir.Project) -> Iterable[Part]:
        word = "RETURN" if node.final else "WITH"
        columns: list[Part] = ["*"] if node.star else []
        parts = listed(word + " DISTINCT" if node.distinct else word, [*columns, *node.items])
        if node.group_by is not None:
            parts += [LINE, "GROUP BY ", *(separated(node.group_by) or ["()"])]
        return parts + self.tail(node.order, node.skip, node.limit) + self.condition(node.where)

    def tail(
        self, order: tuple[ir.SortKey, ...], skip: ir.Expression | None, limit: ir.Expression | None
    ) -> list[Part]:
        """ORDER BY, SKIP and LIMIT, a line each."""
        parts: list[Part] = [LINE, "ORDER BY ", *separated(order)] if order else []
        for word, value in (("SKIP ", skip), ("LIMIT ", limit)):
            if value is not None:
                parts += [LINE, word, value]
        return parts

    def aggregate(self, node: ir.Aggregate) -> Iterable[Part]:
        return listed("WITH", [*node.keys, *node.aggregates])

    def order(self, node: ir.Order) -> Iterable[Part]:
        return self.tail(node.keys, None, None)[1:]

    def page(self, node: ir.Page) -> Iterable[Part]:
        return self.tail((), node.skip, node.limit)[1:]

    def finish(self, node: ir.Finish) -> Iterable[Part]:
        return ["FINISH"]

    def use(self, node: ir.Use) -> Iterable[Part]:
        return ["USE ", *base(node.graph)]

    def load_csv(self, node: ir.LoadCsv) -> Iterable[Part]:
        headers = "WITH HEADERS " if node.headers else ""
        end = "" if node.terminator is None else f" FIELDTERMINATOR {names.string(node.terminator, self.dialect)}"
        return [f"LOAD CSV {headers}FROM ", node.source, f" AS {self.name(node.variable)}", end]

    # -------------------------------------------------------------- calls

    def yield_item(self, node: ir.YieldItem) -> Iterable[Part]:
        if node.alias is None:
            return [self.name(node.name)]
        return [f"{names.variable(node.name, self.dialect)} AS {self.name(node.alias)}"]

    def procedure_call(self, node: ir.ProcedureCall) -> Iterable[Part]:
        parts: list[Part] = ["OPTIONAL " if node.optional else "", "CALL ", names.function(node.name, self.dialect)]
        if node.args is not None:
            parts += ["(", *separated(node.args), ")"]
        if node.star:
            parts.append(" YIELD *")
        elif node.yields is not None:
            parts += [" YIELD ", *(separated(node.yields) or ["-"])]
        return parts + self.condition(node.where)

    def subquery_call(self, node: ir.SubqueryCall) -> Iterable[Part]:
        scope = ""
        if node.star:
            scope = "(*) "
        elif node.imports is not None:
            scope = f"({', '.join([self.name(name) for name in node.imports])}) "
        start = f"{'OPTIONAL ' if node.optional else ''}CALL {scope}{{"
        end: list[Part] = [] if node.transactions is None else [" ", node.transactions]
        return [start, INDENT, LINE, node.body, DEDENT, LINE, "}", *end]

    def transactions(self, node: ir.Transactions) -> Iterable[Part]:
        parts = self.words(("IN", " " if node.concurrency else ""), ("", node.concurrency))
        parts += [" CONCURRENT" if node.concurrent else "", " TRANSACTIONS"]
        if node.batch is not None:
            parts += [" OF ", node.batch, " ROWS"]
        if node.retry:
            seconds: list[Part] = [" FOR ", node.retry_seconds, " SECONDS"] if node.retry_seconds else []
            then = f" THEN {node.on_error.upper()}" if node.on_error else ""
            parts += [" ON ERROR RETRY", *seconds, then]
        elif node.on_error:
            parts.append(f" ON ERROR {node.on_error.upper()}")
        return [*parts, "" if node.report is None else f" REPORT STATUS AS {self.name(node.report)}"]

    # -------------------------------------------------------------- writing

    def insert(self, node: ir.Insert) -> Iterable[Part]:
        if node.keyword.upper() == "INSERT" and self.ampersand:
            return listed("INSERT", node.paths)
        return listed("CREATE", [with_colons(path) for path in node.paths])

    def merge(self, node: ir.Merge) -> Iterable[Part]:
        parts: list[Part] = ["MERGE ", with_colons(node.path), INDENT]
        for action in node.actions:
            parts += [LINE, action]
        return [*parts, DEDENT]

    def merge_action(self, node: ir.MergeAction) -> Iterable[Part]:
        return listed(f"ON {node.event.upper()} SET", node.items)

    def set(self, node: ir.Set) -> Iterable[Part]:
        return listed("SET", node.items)

    def set_property(self, node: ir.SetProperty) -> Iterable[Part]:
        return [node.target, " = ", node.value]

    def set_properties(self, node: ir.SetProperties) -> Iterable[Part]:
        return [*base(node.target), " += " if node.merge else " = ", node.value]

    def change_labels(self, node: ir.SetLabels | ir.RemoveLabels) -> Iterable[Part]:
        parts = base(node.target)
        for label in node.labels:
            parts += [":", label]
        return parts

    def foreach(self, node: ir.Foreach) -> Iterable[Part]:
        parts: list[Part] = [f"FOREACH ({self.name(node.variable)} IN ", *barless(node.source), " |", INDENT]
        for operator in node.body:
            parts += [LINE, operator]
        return [*parts, DEDENT, LINE, ")"]

    # -------------------------------------------------------------- composition

    def pipeline(self, node: ir.Pipeline) -> Iterable[Part]:
        return separated(node.operators, LINE)

    def set_operation(self, node: ir.SetOperation) -> Iterable[Part]:
        word = node.kind.upper() + ("" if node.distinct else " ALL")
        shown = [self.enclosed(x, braces=not isinstance(x, ir.Pipeline)) for x in node.branches]
        first = node.branches[0]
        if self.dialect != "neo4j-25" and isinstance(first, ir.SetOperation):
            shown[0] = [first]  # a change of kind folds from the left; Cypher 25 wants braces
        return separated(shown, [LINE, word, LINE])

    def enclosed(self, body: ir.Body, *, braces: bool) -> list[Part]:
        """The body, in braces where it must not flow into what surrounds it."""
        return ["{", INDENT, LINE, body, DEDENT, LINE, "}"] if braces else [body]

    def next(self, node: ir.Next) -> Iterable[Part]:
        shown = [self.enclosed(x, braces=isinstance(x, ir.Next)) for x in node.parts]
        return separated(shown, [LINE, "NEXT", LINE])

    def conditional(self, node: ir.Conditional) -> Iterable[Part]:
        return separated(node.branches, LINE)

    def when(self, node: ir.When) -> Iterable[Part]:
        start: list[Part] = ["ELSE "] if node.condition is None else ["WHEN ", node.condition, " THEN "]
        return [*start, *self.enclosed(node.body, braces=True)]

    def command(self, node: ir.Command) -> Iterable[Part]:
        return [node.text]

    def query(self, node: ir.Query) -> Iterable[Part]:
        prefix: list[Part] = []
        if node.version is not None or node.options:
            version = "" if node.version is None else f" {node.version}"
            options = [_option(entry, self.dialect) for entry in node.options]
            prefix += [f"CYPHER{version}", *options, " "]
        if node.execution is not None:
            prefix.append(f"{node.execution.upper()} ")
        if prefix:
            prefix[-1] = str(prefix[-1]).rstrip()
            prefix.append(LINE)
        return [*prefix, node.body]

    handlers: ClassVar = {
        **ExpressionPrinter.handlers,
        ir.Match: match,
        ir.IndexHint: index_hint,
        ir.JoinHint: join_hint,
        ir.VectorSearch: vector_search,
        ir.Filter: filter,
        ir.Item: item,
        ir.Let: let,
        ir.Unwind: unwind,
        ir.SortKey: sort_key,
        ir.Project: project,
        ir.Aggregate: aggregate,
        ir.Order: order,
        ir.Page: page,
        ir.Finish: finish,
        ir.Use: use,
        ir.LoadCsv: load_csv,
        ir.YieldItem: yield_item,
        ir.ProcedureCall: procedure_call,
        ir.SubqueryCall: subquery_call,
        ir.Transactions: transactions,
        ir.Insert: insert,
        ir.Merge: merge,
        ir.MergeAction: merge_action,
        ir.Set: set,
        ir.SetProperty: set_property,
        ir.SetProperties: set_properties,
        ir.SetLabels: change_labels,
        ir.RemoveLabels: change_labels,
        ir.Foreach: foreach,
        ir.Pipeline: pipeline,
        ir.SetOperation: set_operation,
        ir.Next: next,
        ir.Conditional: conditional,
        ir.When: when,
        ir.Command: command,
        ir.Query: query,
    }
