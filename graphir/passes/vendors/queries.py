"""The rules about queries: every GRAPH_TABLE of a statement, and the SELECT around each."""

from __future__ import annotations

from dataclasses import dataclass

from graphir import ir
from graphir.diagnostics import Diagnostic, Edit, Fix, diagnose
from graphir.passes.vendors.calls import check_foreign, check_membership
from graphir.passes.vendors.catalog import Catalog, Graph
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.patterns import Forms, Variable, groups, occurrences, variables
from graphir.passes.vendors.references import Place, References
from graphir.passes.vendors.selects import Around, Selects, Source, alias_of, columns_of, match_of
from graphir.quoting import quoted
from graphir.source import Span


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a part of the statement sees: names of tables around, and the SELECT that it is directly in."""

    outer: frozenset[str] | None = frozenset()
    around: Around | None = None


_WRITTEN = {"insert": ("INTO",), "merge": ("INTO",), "update": ("UPDATE",), "delete": ("FROM", "DELETE")}
"""Kind of a statement -> the words before the table that it changes."""


def _writes(kind: str, before: list[str]) -> bool:
    """Whether what stands behind the words, the first of a statement, is the table that it changes."""
    return len(before) <= 2 and bool(before) and before[-1].upper() in _WRITTEN.get(kind, ())


class Queries:
    """One statement."""

    def __init__(self, findings: Findings, catalog: Catalog, dialect: str) -> None:
        self.findings = findings
        self.vendor = findings.vendor
        self.catalog = catalog
        self.forms = Forms(findings, dialect)
        self.selects = Selects(findings, self._exposing)

    def check(self, query: ir.Node) -> None:
        """Everything that is wrong with the graph tables of a statement."""
        pending: list[tuple[ir.Node, _Seen, tuple[ir.SortKey, ...]]] = [(query, _Seen(), ())]
        while pending:
            node, seen, order = pending.pop()
            if isinstance(node, ir.GraphTable):
                self._graph_table(node, seen)
                continue
            below = seen
            if isinstance(node, ir.Select):
                below = self._select(node, seen, order)
            elif isinstance(node, ir.TableQuery):
                self._limit(node)
                pending.extend((each, seen, ()) for each in reversed(list(ir.children(node))) if each is not node.body)
                pending.append((node.body, seen, node.order))
                continue
            elif isinstance(node, ir.SqlStatement):
                self._written(node)
                below = _Seen(None)  # what its text names is not known
            else:
                check_foreign(node, self.findings)
                check_membership(node, self.findings)
            if isinstance(node, ir.TableExpression):
                self._alias(node)
            pending.extend((each, below, ()) for each in reversed(list(ir.children(node))))

    def _limit(self, query: ir.TableQuery) -> None:
        """LIMIT, which the standard writes FETCH FIRST."""
        if query.limit is None or query.fetch or query.limit.span is None or not self.findings.holds("limit"):
            return
        end = query.limit.span.end
        before = self.findings.source.text[: query.limit.span.start].rstrip()
        if before[-5:].upper() != "LIMIT":
            return
        at = Span(len(before) - 5, end)
        count = self.findings.source.text[query.limit.span.start : end]
        fix = Fix("write FETCH FIRST", (Edit(at.start, end, f"FETCH FIRST {count} ROWS ONLY"),), safe=True)
        hint = "write FETCH FIRST n ROWS ONLY"
        self.forms.refuse("limit", "LIMIT", at, hint, fix if query.skip is None else None)

    def _exposing(self, source: Source, name: str) -> list[Variable]:
        """The variables of a graph table that stand for one element, which has a property for certain."""
        graph = self.catalog.graph(tuple(self.selects.held(part) for part in source.table.graph.name))
        if graph is None or graph.open:
            return []
        found = {str(each.name): each for each in source.variables.values()}
        return References(self.findings, self.catalog, graph, found, None, {}).having(name)

    def _select(self, select: ir.Select, seen: _Seen, order: tuple[ir.SortKey, ...]) -> _Seen:
        around = self.selects.around(select, order)
        self.selects.check(around, seen.outer)
        if not around.certain or seen.outer is None:
            return _Seen(None, around)
        return _Seen(seen.outer | around.aliases, around)

    def _written(self, statement: ir.SqlStatement) -> None:
        """A GRAPH_TABLE as the table that a statement writes to."""
        for before, table in zip(statement.parts, statement.islands, strict=False):
            words = before.split()
            held = words[2:3] and words[1].upper() == "INTO" and words[2].upper().startswith("GRAPH_TABLE")
            if held or (isinstance(table, ir.GraphTable) and _writes(statement.kind, words)):
                told = "the rows of a GRAPH_TABLE cannot be changed"
                at = statement.span if held else table.span
                self.findings.report("written table", told, at, "change the tables of the graph")

    # -------------------------------------------------------------- graph tables

    def _graph_table(self, table: ir.GraphTable, seen: _Seen) -> None:
        self._alias(table)
        graph = self._graph(table)
        match = match_of(table)
        if match is None:
            return
        found = variables(table, match)
        self.forms.check(match, found)
        outer = seen.outer
        if outer is not None and seen.around is not None:
            outer -= {self.selects.held(table.alias or "")}
        moves = self.selects.moved_aggregates(seen.around) if seen.around is not None else {}
        references = References(self.findings, self.catalog, graph, found, outer, moves)
        references.check_labels()
        self._rows(table, match)
        for path in match.paths:
            inside = list(occurrences(path))
            references.check_anonymous(inside)
            for each in inside:
                if each.element.where is not None:
                    references.check(each.element.where, Place("element", each))
        for path in match.paths:
            self._groups(path, references)
        if match.where is not None:
            references.check(match.where, Place("where"))
        self._columns(table, match, references, seen.around)

    def _groups(self, path: ir.Path, references: References) -> None:
        for group in groups(path):
            if group.where is not None:
                references.check(group.where, Place("group"))

    def _graph(self, table: ir.GraphTable) -> Graph | None:
        """The graph that is asked; None where nothing is known of it."""
        span = table.graph.span
        written = self.findings.source.text[span.start : span.end] if span is not None else ""
        if written[:1] == "'" and span is not None:
            own = quoted(written[1:-1])
            fix = Fix(f"write {own}", (Edit(span.start, span.end, own),), safe=True)
            self.findings.report(
                "graph as string", f"{written} is a string, and no name", span, f"write {own}", fix=fix
            )
        name = tuple(self.selects.held(part) for part in table.graph.name)
        graph = self.catalog.graph(name)
        if graph is not None or not self.catalog.closed:
            return graph
        self._no_graph(name, span)
        return None

    def _no_graph(self, name: tuple[str, ...], span: Span | None) -> None:
        shown = ".".join(name)
        system = name[-1].startswith(self.vendor.system) if self.vendor.system else False
        if self.catalog.table(name) is not None or system:
            self.findings.report("no graph but a table", f"`{shown}` is no property graph", span)
            return
        known = [".".join(path[2 - min(len(name), 2) :]) for path in self.catalog.graphs]
        twins = [each for each in known if each.casefold() == name[-1].casefold()]
        if len(twins) == 1 and span is not None and len(name) == 1 and self.vendor.name != "duckpgq":
            own = quoted(twins[0])
            fix = Fix(f"write {own}", (Edit(span.start, span.end, own),), safe=True)
            told = f"there is no graph `{shown}`, and there is `{twins[0]}`"
            self.findings.report("no such graph", told, span, f"write {own}", fix=fix)
            return
        self.findings.misspelled("no such graph", f"there is no graph `{shown}`", shown, span, known)

    def _rows(self, table: ir.GraphTable, match: ir.Match) -> None:
        if table.rows is None:
            return
        self.forms.refuse("one row per", "ONE ROW PER", table.rows)
        if table.rows.kind not in ("match", "step"):
            self.forms.refuse("one row per vertex", f"ONE ROW PER {table.rows.kind.upper()}", table.rows)
        repeated = any(each.repeated for path in match.paths for each in occurrences(path))
        if table.rows.kind != "match" and not repeated:
            told = f"ONE ROW PER {table.rows.kind.upper()} needs a part that is repeated"
            self.findings.report("rows of a fixed length", told, table.rows.span)
        named = table.rows.paths or all(path.variable is not None for path in match.paths)
        if table.rows.kind != "match" and len(match.paths) > 1 and not named:
            told = f"ONE ROW PER {table.rows.kind.upper()} of several paths needs their names"
            self.findings.report("rows of several paths", told, table.rows.span, "write IN and a path variable")

    def _columns(self, table: ir.GraphTable, match: ir.Match, references: References, around: Around | None) -> None:
        project = columns_of(table)
        if project is None:
            if table.open:
                at = Span(match.span.end, match.span.end) if match.span is not None else table.span
                fix = self.selects.missing_columns(table, around)
                self.findings.report("no columns", "COLUMNS is missing", at, "write COLUMNS (..)", fix=fix)
            return
        references.unnamed = frozenset(
            item.value.span for item in project.items if item.name is None and item.value.span is not None
        )
        seen: dict[str, ir.Item] = {}
        for item in project.items:
            references.check(item.value, Place("columns"))
            if item.name is None and not isinstance(item.value, (ir.Property, ir.Ref, ir.Unpack)):
                hint = "write AS and a name"
                self.findings.report("column without alias", "the column has no name", item.span, hint)
            self._named_at_once(item)
            name = item.name or (item.value.key if isinstance(item.value, ir.Property) else None)
            if name is not None and item.name is not None and self.selects.held(name) in seen:
                self._twice(item, name)
            if name is not None:
                seen.setdefault(self.selects.held(name), item)

    def _named_at_once(self, item: ir.Item) -> None:
        """A name right behind the value of a column."""
        value, whole = item.value.span, item.span
        if item.name is None or value is None or whole is None or not self.findings.holds("column name without AS"):
            return
        between = self.findings.source.text[value.end : whole.end]
        bare = between.lstrip(" \t\r\n)")
        if bare[:2].upper() == "AS" and bare[2:3] in (*" \t\r\n", '"', "/", "-"):
            return
        at = Span(whole.end - len(bare), whole.end)
        fix = Fix("write AS", (Edit(at.start, at.start, "AS "),), safe=True)
        self.forms.refuse("column name without AS", "a column name without AS", at, "write AS before it", fix)

    def _twice(self, item: ir.Item, name: str) -> None:
        told = f"two columns are named `{name}`: the query around cannot ask for one of them"
        made: Diagnostic = diagnose(self.findings.source, "G106", told, item.span, severity="warning")
        self.findings.found.append(made)

    # -------------------------------------------------------------- aliases

    def _alias(self, table: ir.TableExpression) -> None:
        """Oracle knows no AS in front of the alias of a table."""
        alias, span = alias_of(table), table.span
        if not self.findings.holds("alias after AS") or alias is None or span is None:
            return
        if getattr(table, "alias", None) is None:
            return
        text = self.findings.source.text
        written = text[span.start : span.end].rstrip()
        name = len(written) - len(getattr(alias, "written", alias)) - (2 if written[-1:] == '"' else 0)
        before = written[:name].rstrip()
        if before[-2:].upper() != "AS" or before[-3:-2] not in (" ", "\n", "\t", ")"):
            return
        at = Span(span.start + len(before) - 2, span.start + len(before))
        fix = Fix("leave AS out", (Edit(at.start, span.start + name, ""),), safe=True)
        self.forms.refuse("alias after AS", "AS before the alias of a table", at, "leave it out", fix)
