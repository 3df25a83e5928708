"""A query that writes, clause by clause, as statements on the tables of its graph.

Every statement asks for its rows anew, with the reading clauses before the first write.  So a statement may only follow
others that change nothing of what these clauses look at; where it might, the query is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from graphir import ir
from graphir.backends.dml.bindings import ANY_KEY, Bindings, Bound, bindings_of, key_of
from graphir.backends.dml.statements import Delete, Fresh, Insert, Read, Statement, Update
from graphir.backends.dml.tables import End, Table, Tables
from graphir.backends.gql.features import Report
from graphir.backends.gql.writing import WRITES
from graphir.schema.ddl.paths import Path

Values = dict[str, ir.Expression | Fresh]


def planned(core: ir.Query, tables: Tables, report: Report) -> list[Statement]:
    """The statements of a query, in their order.  Raises Unsupported (G419, G420)."""
    body = core.body
    if not isinstance(body, ir.Pipeline) or core.execution is not None:
        raise report.refusal("write", core, "a write in a query of several parts")
    first = next((at for at, o in enumerate(body.operators) if isinstance(o, WRITES)), len(body.operators))
    behind = next((at for at, o in enumerate(body.operators) if at > first and not isinstance(o, WRITES)), None)
    before, rest = body.operators[:first], body.operators[first:behind]
    plan = Plan(core, before, tables, report)
    for operator in rest:
        plan.clause(operator)
    if behind is not None:
        plan.result(body.operators[behind:])
    return plan.statements


class Plan:
    """The statements so far, and what they change."""

    def __init__(self, query: ir.Query, before: Sequence[ir.Operator], tables: Tables, report: Report) -> None:
        self.query = query
        self.before = tuple(before)
        self.tables = tables
        self.report = report
        self.known: Bindings = bindings_of(before, tables)
        self.statements: list[Statement] = []
        self.grown: set[int] = set()
        self.shrunk: set[int] = set()
        self.changed: set[str] = set()
        """Keys of properties that are set, whatever the table."""

    # -------------------------------------------------------------- clauses

    def clause(self, operator: ir.Operator) -> None:
        match operator:
            case ir.Insert():
                self.insert(operator)
            case ir.Set():
                self.set(operator)
            case ir.Remove():
                self.remove(operator)
            case ir.Delete():
                self.delete(operator)
            case ir.Merge():
                from graphir.backends.dml.merging import merge

                merge(operator, self)
            case _:
                raise self.report.refusal("write", operator, "FOREACH")

    def refuse(self, node: ir.Node, what: str) -> Exception:
        return self.report.refusal("write-on-tables", node, what)

    def source(self, items: Sequence[ir.Item], node: ir.Node, *, distinct: bool = False) -> ir.Query:
        """The query for the rows of a statement.  Refuses one that an earlier statement may have changed."""
        if self.stale():
            raise self.refuse(node, "a clause whose rows depend on what an earlier statement changes,")
        project = ir.Project(tuple(items), distinct=distinct and bool(self.before), final=True)
        return replace(self.query, body=ir.Pipeline((*self.before, project)))

    def stale(self) -> bool:
        """Whether the reading clauses may find other rows by now."""
        grown = self.grown & (self.known.touched - self.known.pinned)
        seen = self.known.mentioned
        changed = self.changed & seen or (self.changed and ANY_KEY in seen)
        return bool(grown or changed or self.shrunk & self.known.touched)

    # -------------------------------------------------------------- CREATE

    def insert(self, operator: ir.Insert) -> None:
        edges = []
        for path in operator.paths:
            if path.variable is not None and not path.variable.startswith("\0"):
                raise self.report.refusal("write", path, f"the path `{path.variable}` that is created")
            for at, element in enumerate(path.elements):
                if isinstance(element, ir.EdgePattern):
                    edges.append((path.elements[at - 1], element, path.elements[at + 1]))
                elif isinstance(element, ir.NodePattern) and element.variable not in self.known.variables:
                    self.insert_node(element)
        for start, edge, end in edges:
            self.insert_edge(start, edge, end)

    def insert_node(self, element: ir.NodePattern, *, merged: bool = False) -> tuple[Table, Values]:
        names = self.labels(element)
        found = [table for table in self.tables.nodes() if table.labels == names]
        if len(found) != 1:
            raise self.refuse(element, f"a node with {_listed(names)}, which no table alone has,")
        table = found[0]
        entries = self.entries(element)
        values = self.columns(table, entries, element)
        self.complete(table, values, element)
        self.known.variables[element.variable or ""] = Bound(frozenset([table.number]), None, entries, merged)
        self.add(Insert(table.path, values, self.source(self.items(values), element, distinct=merged), merged))
        self.grown.add(table.number)
        return table, values

    def insert_edge(
        self, start: ir.Node, edge: ir.EdgePattern, end: ir.Node, *, merged: bool = False
    ) -> tuple[Table, Values]:
        left, right = (getattr(node, "variable", None) or "" for node in (start, end))
        source, target = (left, right) if edge.direction == "out" else (right, left)
        table = self.edge_table(edge, source, target)
        entries = self.entries(edge)
        values = self.columns(table, entries, edge)
        for variable, side in ((source, table.source), (target, table.target)):
            assert side is not None
            values |= self.reference(variable, side, values, edge)
        self.complete(table, values, edge)
        self.known.variables[edge.variable or ""] = Bound(frozenset([table.number]), (source, target), entries, merged)
        self.add(Insert(table.path, values, self.source(self.items(values), edge, distinct=merged), merged))
        self.grown.add(table.number)
        return table, values

    def edge_table(self, edge: ir.EdgePattern, source: str, target: str) -> Table:
        names = self.labels(edge)
        ends = [self.known.variables[name].tables for name in (source, target)]
        found = [
            table
            for table in self.tables.edges()
            if table.labels == names
            and table.source is not None
            and table.target is not None
            and table.source.table in ends[0]
            and table.target.table in ends[1]
        ]
        if len(found) != 1 or any(len(numbers) != 1 for numbers in ends):
            raise self.refuse(edge, f"a relationship with {_listed(names)}, whose table is not certain,")
        return found[0]

    def reference(self, variable: str, side: End, values: Values, node: ir.Node) -> Values:
        """The columns of an end, with the key of the node that is there."""
        table = self.tables.tables[side.table]
        found: Values = {}
        for column, key in zip(side.columns, table.key, strict=True):
            value = key_of(variable, key, table, self.known, self.tables)
            if value is None:
                raise self.refuse(node, "a relationship to a node whose key the query does not give")
            if column in values and values[column] != value:
                raise self.refuse(
                    node, f"a relationship with a value of its own for `{column}`, which refers to a node,"
                )
            found[column] = value
        return found

    def labels(self, element: ir.NodePattern | ir.EdgePattern) -> frozenset[str]:
        parts = list(ir.walk(element.labels)) if element.labels is not None else []
        if any(not isinstance(part, (ir.LabelName, ir.LabelAnd)) for part in parts):
            raise self.report.refusal("write", element, "a label that is computed")
        return frozenset([part.name for part in parts if isinstance(part, ir.LabelName)])

    def entries(self, element: ir.NodePattern | ir.EdgePattern) -> dict[str, ir.Expression]:
        """The properties that are written out, without nulls, with what is known of elements that the query makes."""
        properties = element.properties
        if properties is None:
            return {}
        if not isinstance(properties, ir.MapOf):
            raise self.report.refusal("write", properties, "an element with the properties of a map")
        entries = {entry.key: self.resolved(entry.value) for entry in properties.entries}
        return {key: value for key, value in entries.items() if value != ir.Literal(None)}

    def columns(self, table: Table, entries: dict[str, ir.Expression], node: ir.Node) -> Values:
        found: Values = {}
        for key, value in entries.items():
            found[self.column(table, key, node)] = value
        return found

    def column(self, table: Table, key: str, node: ir.Node) -> str:
        if key not in table.columns:
            raise self.refuse(node, f"the property `{key}`, for which the table {table.name} has no column,")
        return table.columns[key]

    def complete(self, table: Table, values: Values, node: ir.Node) -> None:
        """A number of its own for a key that is no property; everything else has to be given."""
        if table.made is not None and table.made not in values:
            values[table.made] = Fresh()
        lacking = [column for column in (*table.key, *sorted(table.required)) if column not in values]
        if lacking:
            raise self.refuse(node, f"a row of {table.name} without a value for `{lacking[0]}`")

    def items(self, values: Values) -> list[ir.Item]:
        given = [value for value in values.values() if not isinstance(value, Fresh)]
        return [ir.Item(value, f"value_{at}") for at, value in enumerate(given)] or [ir.Item(ir.Literal(1), "one")]

    def resolved(self, value: ir.Expression) -> ir.Expression:
        """The expression with what is known of elements that the query makes in place of their properties."""

        def rule(part: ir.Node) -> ir.Node:
            if isinstance(part, ir.Property) and isinstance(part.base, ir.Ref):
                bound = self.known.variables.get(part.base.name)
                if bound is None or bound.made is None:
                    return part
                if part.key in self.changed or (bound.merged and part.key not in bound.made):
                    raise self.refuse(part, "a property of an element that the query makes, after it was changed,")
                return bound.made.get(part.key, ir.Literal(None))
            return part

        found = ir.rewrite(value, rule)
        made = {name for name, bound in self.known.variables.items() if bound.made is not None}
        if any(isinstance(part, ir.Ref) and part.name in made for part in ir.walk(found)):
            raise self.refuse(value, "an element that the query makes, as a value,")
        return found

    # -------------------------------------------------------------- SET and REMOVE

    def set(self, operator: ir.Set) -> None:
        for item in _grouped(operator.items):
            match item:
                case ir.SetProperty(target=ir.Property() as target):
                    self.assign(target, {target.key: item.value})
                case ir.SetProperties(target=ir.Ref() as target, value=ir.MapOf() as value):
                    self.assign_map(item, target, value)
                case ir.SetLabels():
                    raise self.refuse(item, "a change of labels, which belong to the tables,")
                case _:
                    raise self.report.refusal("write", item, "SET of what is computed")

    def assign_map(self, item: ir.SetItem, target: ir.Ref, given: ir.MapOf) -> None:
        entries = {entry.key: entry.value for entry in given.entries}
        if not (isinstance(item, ir.SetProperties) and item.merge):
            table = self.table(target)
            if any(column in table.key for column in table.columns.values()):
                raise self.refuse(item, "SET of all properties, among which is the key of the table,")
            entries = {**dict.fromkeys(table.columns, ir.Literal(None)), **entries}
        if entries:
            self.assign(ir.Property(target, next(iter(entries)), span=item.span), entries)

    def remove(self, operator: ir.Remove) -> None:
        items: list[ir.SetItem] = []
        for item in operator.items:
            if isinstance(item, ir.RemoveLabels):
                raise self.refuse(item, "a change of labels, which belong to the tables,")
            items.append(ir.SetProperty(item.target, ir.Literal(None), span=item.span))
        self.set(ir.Set(tuple(items)))

    def assign(self, target: ir.Property, entries: Mapping[str, ir.Expression]) -> None:
        if not isinstance(target.base, ir.Ref):
            raise self.report.refusal("write", target, "a change of a property of an element that is computed")
        table = self.table(target.base)
        values = {self.column(table, key, target): self.resolved(value) for key, value in entries.items()}
        for column, value in values.items():
            if column in table.key or any(column in end.columns for end in (table.source, table.target) if end):
                raise self.refuse(target, f"a change of `{column}`, which is part of a key,")
            if column in table.required and value == ir.Literal(None):
                raise self.refuse(target, f"the removal of `{column}`, which takes no null,")
        self.check_once(target, entries)
        self.update(target.base, table, values, target)
        self.changed |= set(entries)

    def check_once(self, target: ir.Property, entries: Mapping[str, ir.Expression]) -> None:
        """A value that is made of what is changed needs one row for each element: UPDATE changes each once."""
        read = {part.key for value in entries.values() for part in ir.walk(value) if isinstance(part, ir.Property)}
        if read.isdisjoint(entries):
            return
        match = self.before[0] if len(self.before) == 1 else None
        if not isinstance(match, ir.Match) or [len(path.elements) for path in match.paths] != [1]:
            raise self.refuse(target, "a value made of what it changes, where a row may be met several times,")

    def update(self, target: ir.Ref, table: Table, values: dict[str, ir.Expression], node: ir.Node) -> None:
        items = self.keys(target, table, node)
        moved = {c: value for c, value in values.items() if not _is_constant(value)}
        items += [ir.Item(value, f"value_{at}") for at, value in enumerate(moved.values())]
        names = {column: ir.Ref(f"value_{at}") for at, column in enumerate(moved)}
        shown: dict[str, ir.Expression] = {column: names.get(column, value) for column, value in values.items()}
        self.add(Update(table.path, table.key, shown, self.source(items, node, distinct=True)))

    def table(self, target: ir.Ref) -> Table:
        """The table of a variable."""
        bound = self.known.variables.get(target.name)
        if bound is None or len(bound.tables) != 1:
            raise self.refuse(target, f"a change of `{target.name}`, whose table is not certain,")
        return self.tables.tables[next(iter(bound.tables))]

    def keys(self, target: ir.Ref, table: Table, node: ir.Node) -> list[ir.Item]:
        found = []
        for at, column in enumerate(table.key):
            value = key_of(target.name, column, table, self.known, self.tables)
            if value is None:
                raise self.refuse(node, f"a change of `{target.name}`, whose key the graph does not show,")
            found.append(ir.Item(value, f"key_{at}"))
        return found

    # -------------------------------------------------------------- DELETE

    def delete(self, operator: ir.Delete) -> None:
        targets: list[ir.Ref] = []
        for item in operator.items:
            if not isinstance(item, ir.Ref) or item.name not in self.known.variables:
                raise self.report.refusal("write", item, "DELETE of anything but variables of nodes and relationships")
            targets.append(item)
        edges = [item for item in targets if self.known.variables[item.name].tables <= self.tables.graph.edges]
        for target in edges:
            self.delete_rows(target, operator)
        for target in targets:
            if target not in edges:
                self.delete_nodes(target, operator)

    def delete_nodes(self, target: ir.Ref, operator: ir.Delete) -> None:
        numbers = self.known.variables[target.name].tables
        if operator.mode == "detach":
            for number in sorted(numbers):
                for table, ends in self.tables.touching(self.tables.tables[number]):
                    self.detach(target, table, ends, operator)
        self.delete_rows(target, operator)

    def detach(self, target: ir.Ref, table: Table, ends: Sequence[End], operator: ir.Delete) -> None:
        """The edges of a table that refer to the nodes."""
        columns = tuple([end.columns for end in ends])
        if self.is_all(target):
            if table.number not in self.shrunk:
                self.add(Delete(table.path, (), None))
        else:
            node = self.table(target)
            self.add(
                Delete(table.path, columns, self.source(self.keys(target, node, operator), operator, distinct=True))
            )
        self.shrunk.add(table.number)

    def delete_rows(self, target: ir.Ref, operator: ir.Delete) -> None:
        numbers = self.known.variables[target.name].tables
        everything = self.is_all(target)
        for number in sorted(numbers):
            table = self.tables.tables[number]
            guards = tuple(self.guards(table, operator))
            if everything:
                self.statements.append(Delete(table.path, (), None, guards))
            else:
                table = self.table(target)
                source = self.source(self.keys(target, table, operator), operator, distinct=True)
                self.add(Delete(table.path, (table.key,), source, guards))
        self.shrunk |= numbers

    def guards(self, table: Table, operator: ir.Delete) -> Iterator[tuple[Path, tuple[str, ...], tuple[str, ...]]]:
        """Of a node that is not detached: the columns that may refer to it, where the database does not look."""
        if table.is_edge or operator.mode == "detach":
            return
        for edges, ends in self.tables.touching(table):
            yield from [(edges.path, end.columns, table.key) for end in ends if not end.enforced]

    def is_all(self, target: ir.Ref) -> bool:
        """Whether the reading clauses are a pattern of one node, which they ask nothing but its labels."""
        if len(self.before) != 1 or not isinstance(match := self.before[0], ir.Match):
            return False
        if match.where is not None or len(match.paths) != 1 or len(match.paths[0].elements) != 1 or match.optional:
            return False
        node = match.paths[0].elements[0]
        return isinstance(node, ir.NodePattern) and node.variable == target.name and not (node.properties or node.where)

    # -------------------------------------------------------------- the result

    def result(self, operators: Sequence[ir.Operator]) -> None:
        """The query for the result: the same rows, after what was changed."""
        if any(not isinstance(o, (ir.Project, ir.Aggregate, ir.Order, ir.Page)) for o in operators):
            raise self.refuse(operators[0], "a clause that reads what was written")
        if self.stale() or (self.shrunk and _reads(operators)):
            raise self.refuse(operators[0], "a result of rows that depend on what was changed")
        made = {name for name, bound in self.known.variables.items() if bound.made is not None}
        resolved = [self.visible(operator) for operator in operators] if made else list(operators)
        self.statements.append(Read(replace(self.query, body=ir.Pipeline((*self.before, *resolved)))))

    def visible(self, operator: ir.Operator) -> ir.Operator:
        """The operator without variables of elements that the query makes."""
        if isinstance(operator, ir.Project):
            items = [replace(item, value=self.resolved(item.value)) for item in operator.items]
            return replace(operator, items=tuple(items))
        if isinstance(operator, ir.Aggregate):
            keys, found = (
                tuple([replace(item, value=self.resolved(item.value)) for item in part])
                for part in (operator.keys, operator.aggregates)
            )
            return replace(operator, keys=keys, aggregates=found)
        return operator

    def add(self, statement: Statement) -> None:
        self.statements.append(statement)


def _grouped(items: Iterable[ir.SetItem]) -> Iterator[ir.SetItem]:
    """Items that set properties of one variable and do not read them, put together."""
    held: list[ir.SetProperty] = []
    for item in items:
        if held and not _joins(item, held):
            yield _together(held)
            held = []
        if isinstance(item, ir.SetProperty) and isinstance(item.target, ir.Property):
            held.append(item)
        else:
            yield item
    if held:
        yield _together(held)


def _joins(item: ir.SetItem, held: Sequence[ir.SetProperty]) -> bool:
    if not isinstance(item, ir.SetProperty) or not isinstance(item.target, ir.Property):
        return False
    if item.target.base != held[0].target.base:
        return False
    keys = {each.target.key for each in held if isinstance(each.target, ir.Property)}
    read = {part.key for part in ir.walk(item.value) if isinstance(part, ir.Property)}
    return keys.isdisjoint({item.target.key, *read})


def _together(held: Sequence[ir.SetProperty]) -> ir.SetItem:
    if len(held) == 1:
        return held[0]
    entries = [ir.Entry(e.target.key, e.value) for e in held if isinstance(e.target, ir.Property)]
    return ir.SetProperties(held[0].target.base, ir.MapOf(tuple(entries)), merge=True, span=held[0].span)


def _is_constant(value: ir.Expression) -> bool:
    return isinstance(value, (ir.Literal, ir.Parameter))


def _reads(operators: Sequence[ir.Operator]) -> bool:
    """Whether a result asks elements for anything, which may be gone."""
    return any(isinstance(node, (ir.Ref, ir.Subquery)) for o in operators for node in ir.walk(o))


def _listed(names: frozenset[str]) -> str:
    return " and ".join([f"`{name}`" for name in sorted(names)]) or "no label"
