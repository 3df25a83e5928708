"""SELECT around GRAPH_TABLE: what it sees of the pattern, which is the columns alone.

Repairs that move something in or out of a GRAPH_TABLE are made here, where both are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from graphir import ir
from graphir.diagnostics import Edit, Fix
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.functions import PSEUDO, aggregates
from graphir.passes.vendors.patterns import Variable, variables
from graphir.schema.ddl.targets import TARGETS
from graphir.source import Span


def tables(table: ir.TableExpression | None) -> Iterator[ir.TableExpression]:
    """The tables of FROM, without the joins between them."""
    pending = [table] if table is not None else []
    while pending:
        current = pending.pop()
        if isinstance(current, ir.Join):
            pending += [current.right, current.left]
        else:
            yield current


def joins(table: ir.TableExpression | None) -> Iterator[ir.Join]:
    """The joins of FROM."""
    pending = [table] if table is not None else []
    while pending:
        current = pending.pop()
        if isinstance(current, ir.Join):
            yield current
            pending += [current.left, current.right]


def alias_of(table: ir.TableExpression) -> str | None:
    """The name by which a table is known; None where it has none, or it cannot be told."""
    if isinstance(table, ir.TableName):
        return table.alias or table.name[-1]
    return getattr(table, "alias", None)


def match_of(table: ir.GraphTable) -> ir.Match | None:
    """The pattern of a graph table, if it is no more than a pattern with its columns."""
    if not isinstance(table.body, ir.Pipeline):
        return None
    first = table.body.operators[0]
    return first if isinstance(first, ir.Match) and len(table.body.operators) <= 2 else None


def columns_of(table: ir.GraphTable) -> ir.Project | None:
    """What COLUMNS says."""
    last = table.body.operators[-1] if isinstance(table.body, ir.Pipeline) else None
    return last if isinstance(last, ir.Project) and table.keyword == "COLUMNS" else None


@dataclass(eq=False, slots=True)
class Source:
    """A graph table among those of a SELECT.  `columns` None: not known."""

    table: ir.GraphTable
    variables: dict[str, Variable]
    columns: dict[str, ir.Item] | None


@dataclass(eq=False)
class Around:
    """A SELECT.  `order` are sort keys that belong to it; `aliases` the names of its tables, `named` the graph tables
    by theirs, `owners` by their variables.  `certain`: there are no other tables."""

    select: ir.Select
    order: tuple[ir.SortKey, ...] = ()
    aliases: frozenset[str] = frozenset()
    certain: bool = True
    graphs: list[Source] = field(default_factory=list)
    named: dict[str, Source] = field(default_factory=dict)
    owners: dict[str, Source] = field(default_factory=dict)
    moved: dict[tuple[int, Source], Fix | None] = field(default_factory=dict)
    """Condition of the WHERE -> how it is moved into a graph table."""

    @cached_property
    def conditions(self) -> tuple[ir.Expression, ...]:
        """The conditions of the WHERE between its ANDs."""
        where = self.select.where
        if isinstance(where, ir.Apply) and where.function == "and":
            return where.args
        return (where,) if where is not None else ()

    @cached_property
    def places(self) -> dict[int, int]:
        """Each node of the WHERE, by its identity -> which of the conditions it stands in."""
        return {id(node): at for at, condition in enumerate(self.conditions) for node in ir.walk(condition)}

    @cached_property
    def is_inner(self) -> bool:
        """Whether no join of FROM keeps rows that match nothing."""
        return all(join.kind in ("inner", "cross") for join in joins(self.select.table))


class Selects:
    """The rules about SELECT."""

    def __init__(self, findings: Findings, exposing: Callable[[Source, str], list[Variable]]) -> None:
        self.findings = findings
        self.exposing = exposing
        """The variables of a graph table whose elements have a property."""
        self.vendor = findings.vendor
        self.text = findings.source.text
        self.insensitive = TARGETS[self.vendor.format].fold == "insensitive"

    def held(self, name: str) -> str:
        return name.casefold() if self.insensitive else str(name)

    def of(self, span: Span | None) -> str:
        return self.text[span.start : span.end] if span is not None else ""

    def around(self, select: ir.Select, order: tuple[ir.SortKey, ...]) -> Around:
        """What is known of the tables of a SELECT."""
        found = Around(select, order)
        names: set[str] = set()
        for table in tables(select.table):
            name = alias_of(table)
            if name is not None:
                names.add(self.held(name))
            elif not isinstance(table, ir.GraphTable) or self.vendor.name == "duckpgq":
                found.certain = False
            if isinstance(table, ir.GraphTable) and (match := match_of(table)) is not None:
                own = {self.held(each): variable for each, variable in variables(table, match).items()}
                made = Source(table, own, self._columns(table))
                found.graphs.append(made)
                if table.alias is not None:
                    found.named.setdefault(self.held(table.alias), made)
                for variable in own:
                    found.owners.setdefault(variable, made)
        found.aliases = frozenset(names)
        return found

    def _columns(self, table: ir.GraphTable) -> dict[str, ir.Item] | None:
        project = columns_of(table)
        if project is None or project.star or table.columns:
            return None
        found: dict[str, ir.Item] = {}
        for item in project.items:
            if isinstance(item.value, ir.Unpack):
                return None
            name = item.name or (item.value.key if isinstance(item.value, ir.Property) else None)
            if name is None:
                return None
            found.setdefault(self.held(name), item)
        return found

    # -------------------------------------------------------------- references

    def expressions(self, around: Around) -> Iterator[ir.Node]:
        """The expressions of a SELECT, without queries inside."""
        select = around.select
        roots: list[ir.Node] = [each for each in select.items if isinstance(each, ir.Item)]
        roots += [each for each in (select.where, select.having, select.qualify) if each is not None]
        roots += select.grouping.keys if select.grouping is not None else ()
        roots += [join.on for join in joins(select.table) if join.on is not None]
        roots += [key.value for key in around.order]
        pending = roots[::-1]
        while pending:
            node = pending.pop()
            yield node
            if not isinstance(node, (ir.Property, ir.Subquery, ir.Select, ir.TableQuery)):
                pending.extend(reversed(list(ir.children(node))))

    def check(self, around: Around, outer: frozenset[str] | None) -> None:
        """References of a SELECT to what its graph tables do not show."""
        if not around.graphs:
            return
        known = self._known(around) if outer is not None and not outer else None
        for node in self.expressions(around):
            if isinstance(node, ir.Property):
                inner = node
                while isinstance(inner.base, ir.Property):
                    inner = inner.base
                if isinstance(inner.base, ir.Ref):
                    self._property(inner, inner.base, around, outer)
            elif isinstance(node, ir.Ref) and known is not None:
                self._column(node, known, around)

    def _property(self, node: ir.Property, base: ir.Ref, around: Around, outer: frozenset[str] | None) -> None:
        name, key = self.held(base.name), self.held(node.key)
        own = around.named.get(name)
        if own is not None:
            if own.columns is not None and key not in own.columns and not own.table.open:
                told, fix = f"COLUMNS does not have `{node.key}`", self._exposed(node.key, [own], around)
                self.findings.report("column not projected", told, node.span, fix=fix)
            return
        if name in around.aliases or (outer is None or name in outer):
            return
        source = around.owners.get(name)
        if source is None:
            return
        hint = "make it a column of the GRAPH_TABLE, or write the condition in it"
        told = f"`{base.name}` is a variable of the pattern, and not known outside of GRAPH_TABLE"
        fix = self._moved_in(node, source, around) or self._projected(node, source, around)
        self.findings.report("graph variable outside", told, node.span, hint, fix=fix)

    def _known(self, around: Around) -> set[str] | None:
        """Every name that may stand alone; None where a table has columns that are not known."""
        if not around.certain or len(around.graphs) != sum(1 for _ in tables(around.select.table)):
            return None
        items = [each for each in around.select.items if isinstance(each, ir.Item)]
        known = {self.held(each.name) for each in items if each.name} | around.aliases
        known |= {self.held(each.value.key) for each in items if isinstance(each.value, ir.Property)}
        for source in around.graphs:
            if source.columns is None or source.table.open:
                return None
            known |= source.columns.keys()
        return known

    def _column(self, node: ir.Ref, known: set[str], around: Around) -> None:
        name = self.held(node.name)
        if name not in known and name.upper() not in PSEUDO:
            told = f"COLUMNS does not have `{node.name}`"
            names = (each for source in around.graphs for each in source.columns or ())
            fix = self._exposed(node.name, around.graphs, around)
            if fix is not None:
                self.findings.report("column not projected", told, node.span, fix=fix)
                return
            self.findings.misspelled("column not projected", told, str(node.name), node.span, names)

    # -------------------------------------------------------------- repairs

    def _moved_in(self, node: ir.Property, source: Source, around: Around) -> Fix | None:
        """The condition that the reference stands in, moved behind the pattern."""
        at = around.places.get(id(node))
        if at is None:
            return None
        if (at, source) not in around.moved:
            around.moved[at, source] = self._condition_moved_in(at, source, around)
        return around.moved[at, source]

    def _condition_moved_in(self, at: int, source: Source, around: Around) -> Fix | None:
        match = match_of(source.table)
        condition = around.conditions[at]
        if match is None or match.span is None or not around.is_inner or not self._is_own(condition, source):
            return None
        shown = self._in_brackets(condition)
        if match.where is None:
            inside = Edit(match.span.end, match.span.end, f" WHERE {shown}")
        elif match.where.span is not None and not _loose(match.where):
            inside = Edit(match.where.span.end, match.where.span.end, f" AND {shown}")
        else:
            return None
        gone = self._without(around.conditions, at)
        if gone is None:
            return None
        return Fix("write the condition in the GRAPH_TABLE", (inside, gone), safe=True)

    def _in_brackets(self, condition: ir.Expression) -> str:
        shown = self.of(condition.span)
        return f"({shown})" if _loose(condition) else shown

    def _is_own(self, condition: ir.Expression, source: Source) -> bool:
        """Whether a condition asks variables of one pattern alone, each for a property."""
        pending: list[ir.Node] = [condition]
        while pending:
            node = pending.pop()
            if isinstance(node, ir.Property) and isinstance(node.base, ir.Ref):
                variable = source.variables.get(self.held(node.base.name))
                if variable is None or variable.repeated:
                    return False
                continue
            if isinstance(node, (ir.Ref, ir.Subquery, ir.Select, ir.TableQuery, ir.Window)) or aggregates(node):
                return False
            pending.extend(ir.children(node))
        return True

    def _without(self, parts: Sequence[ir.Expression], at: int) -> Edit | None:
        """The WHERE outside without one of its conditions; None where something else stands between them."""
        own = self._extent(parts[at])
        if own is None:
            return None
        if len(parts) == 1:
            end = self._back(own.start)
            start = end - len("WHERE")
            return Edit(self._back(start), own.end, "") if self.text[start:end].upper() == "WHERE" else None
        beside = self._extent(parts[at - 1 if at else 1])
        if beside is None:
            return None
        gone = Span(beside.end, own.end) if at else Span(own.start, beside.start)
        between = Span(beside.end, own.start) if at else Span(own.end, beside.start)
        return Edit(gone.start, gone.end, "") if self.of(between).strip().upper() == "AND" else None

    def _extent(self, condition: ir.Expression) -> Span | None:
        """Where a condition stands with the brackets around it, which its span leaves out."""
        found = condition.span
        while found is not None:
            start, end = self._back(found.start), found.end
            while self.text[end : end + 1].isspace():
                end += 1
            if self.text[start - 1 : start] != "(" or self.text[end : end + 1] != ")":
                break
            found = Span(start - 1, end + 1)
        return found

    def _back(self, at: int) -> int:
        """In front of the blanks before a place."""
        while at > 0 and self.text[at - 1].isspace():
            at -= 1
        return at

    def _projected(self, node: ir.Property, source: Source, around: Around) -> Fix | None:
        """The property made a column, and that asked in its place."""
        project = columns_of(source.table)
        if source.columns is None or project is None or not project.items or node.span is None:
            return None
        if any(isinstance(each, ir.Star) for each in around.select.items):
            return None
        key = self.of(node.span).rpartition(".")[2].strip()
        last = project.items[-1].span
        taken = any(
            each.columns is None or self.held(node.key) in each.columns for each in around.graphs if each is not source
        )
        if last is None or taken:
            return None
        asked = Edit(node.span.start, node.span.end, key)
        there = source.columns.get(self.held(node.key))
        if there is not None:
            return Fix("ask the column of the GRAPH_TABLE", (asked,), safe=True) if there.value == node else None
        edits = (Edit(last.end, last.end, f", {self.of(node.span)}"), asked)
        return Fix("make it a column of the GRAPH_TABLE", edits, safe=True)

    def _exposed(self, key: str, sources: Sequence[Source], around: Around) -> Fix | None:
        """A property that is asked outside made a column, where one variable alone has it."""
        owners = [(each, variable) for each in sources for variable in self.exposing(each, self.held(key))]
        if len(owners) != 1 or any(isinstance(each, ir.Star) for each in around.select.items):
            return None
        source, variable = owners[0]
        project = columns_of(source.table)
        last = project.items[-1].span if project is not None and project.items else None
        taken = any(each.columns is None or self.held(key) in each.columns for each in around.graphs)
        if last is None or taken:
            return None
        shown = f"{getattr(variable.name, 'written', variable.name)}.{getattr(key, 'written', key)}"
        return Fix(f"make `{shown}` a column of the GRAPH_TABLE", (Edit(last.end, last.end, f", {shown}"),), safe=True)

    def missing_columns(self, table: ir.GraphTable, around: Around | None) -> Fix | None:
        """COLUMNS with what the SELECT asks; None where that does not show."""
        source = next((each for each in around.graphs if each.table is table), None) if around is not None else None
        if around is None or source is None or table.body.span is None or table.span is None or len(around.graphs) > 1:
            return None
        if any(isinstance(each, ir.Star) for each in around.select.items):
            return None
        alias = self.held(table.alias) if table.alias is not None else None
        singles = [name for name, each in source.variables.items() if each.kind in ("node", "edge")]
        wanted: dict[str, str] = {}
        asked: list[ir.Property] = []
        twice = False
        for node in self.expressions(around):
            if isinstance(node, ir.Ref):
                return None
            if not isinstance(node, ir.Property):
                continue
            written = self._asked(node, source, alias, singles)
            if written is None:
                return None
            twice = twice or wanted.setdefault(self.held(node.key), written) != written
            asked.append(node)
        if not wanted:
            return None
        end = table.body.span.end
        if twice:
            return self._named_apart(asked, source, end)
        edit = Edit(end, end, f" COLUMNS ({', '.join(wanted.values())})")
        return Fix("add the COLUMNS that are asked", (edit,), safe=True)

    def _named_apart(self, asked: Sequence[ir.Property], source: Source, end: int) -> Fix | None:
        """COLUMNS for properties of one name, each called by its variable too, and asked so."""
        columns: dict[str, str] = {}
        edits: list[Edit] = []
        for node in asked:
            written = self.of(node.span)
            variable, _, key = written.partition(".")
            name = f"{variable}_{key}"
            if not isinstance(node.base, ir.Ref) or self.held(node.base.name) not in source.variables:
                return None
            if node.span is None or not name.isidentifier() or columns.setdefault(name.upper(), written) != written:
                return None
            edits.append(Edit(node.span.start, node.span.end, name))
        listed = ", ".join([f"{written} AS {written.replace('.', '_')}" for written in columns.values()])
        return Fix("add the COLUMNS that are asked", (Edit(end, end, f" COLUMNS ({listed})"), *edits), safe=True)

    def _asked(self, node: ir.Property, source: Source, alias: str | None, singles: list[str]) -> str | None:
        """The property that `variable.key` or `alias.key` asks, as it is written in COLUMNS."""
        if not isinstance(node.base, ir.Ref):
            return None
        name = self.held(node.base.name)
        key = self.of(node.span).rpartition(".")[2].strip()
        if name in source.variables:
            return f"{self.of(node.base.span)}.{key}"
        if name == alias and len(singles) == 1:
            variable = source.variables[singles[0]].name
            return f"{getattr(variable, 'written', variable)}.{key}"
        return None

    def moved_aggregates(self, around: Around) -> dict[Span, Fix]:
        """Place of an aggregate in COLUMNS -> how it is moved out, where the SELECT groups by the rest already."""
        select = around.select
        if len(around.graphs) != 1 or select.grouping is None or select.grouping.kind != "keys":
            return {}
        own = around.graphs[0]
        asking = Counter(self._asked_column(node, own) for node in self.expressions(around))
        items = [each for each in select.items if isinstance(each, ir.Item)]
        whole = {self._asked_column(item.value, own): item for item in items}
        found: dict[Span, Fix] = {}
        for name, item in (own.columns or {}).items():
            inner, outside = item.value.span, whole.get(name)
            if item.name is None or inner is None or not aggregates(item.value) or asking[name] != 1:
                continue
            if outside is not None and outside.value.span is not None:
                found[inner] = self._moved_out(outside, inner, outside.value.span)
        return found

    def _asked_column(self, node: ir.Node, source: Source) -> str | None:
        """The column of a graph table that a node is, by its name alone or behind the alias."""
        if isinstance(node, ir.Ref):
            return self.held(node.name)
        alias = source.table.alias
        if not isinstance(node, ir.Property) or not isinstance(node.base, ir.Ref) or alias is None:
            return None
        return self.held(node.key) if self.held(node.base.name) == self.held(alias) else None

    def _moved_out(self, outside: ir.Item, inner: Span, outer: Span) -> Fix:
        written = self.of(inner)
        opening = written.index("(")
        function, inside = written[:opening].rstrip(), written[opening + 1 : -1].strip()
        distinct = inside[:9].upper() == "DISTINCT "
        inside = inside[9:].lstrip() if distinct else inside
        name = self.of(outer)
        call = f"{function}({'DISTINCT ' if distinct else ''}{name})"
        shown = call if outside.name is not None else f"{call} AS {name.rpartition('.')[2].strip()}"
        edits = (
            Edit(inner.start, inner.end, "1" if inside == "*" else inside),
            Edit(outer.start, outer.end, shown),
        )
        return Fix("aggregate outside of GRAPH_TABLE", edits, safe=True)


def _loose(condition: ir.Expression) -> bool:
    """Whether AND binds closer than what joins the condition."""
    return isinstance(condition, ir.Apply) and condition.function in ("or", "xor")
