"""MERGE as `INSERT OR IGNORE` on the key of a table, with UPDATE for what it changes of what is there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.dml.statements import Fresh, Insert

if TYPE_CHECKING:
    from graphir.backends.dml.planning import Plan, Values
    from graphir.backends.dml.tables import Table


def merge(operator: ir.Merge, plan: Plan) -> None:
    """The statements of a MERGE.

    Exact where the pattern is the key of one table: then there is one row of it or none.  ON MATCH updates before the
    row is there, ON CREATE adds to the row that is inserted; both only where the clause is carried out once.
    """
    path = operator.path
    if operator.actions and plan.before:
        raise plan.refuse(operator, "MERGE with ON CREATE or ON MATCH behind other clauses")
    at = len(plan.statements)
    if len(path.elements) == 1 and isinstance(node := path.elements[0], ir.NodePattern):
        table, values = plan.insert_node(node, merged=True)
    elif len(path.elements) == 3 and isinstance(edge := path.elements[1], ir.EdgePattern):
        start, end = path.elements[0], path.elements[2]
        known = [getattr(node, "variable", None) in plan.known.variables for node in (start, end)]
        if not all(known) or edge.direction == "any":
            raise plan.refuse(operator, "MERGE of a relationship without a direction, or of its ends with it,")
        table, values = plan.insert_edge(start, edge, end, merged=True)
    else:
        raise plan.refuse(operator, "MERGE of a longer pattern")
    if set(values) != set(table.key) or any(isinstance(value, Fresh) for value in values.values()):
        raise plan.refuse(operator, f"MERGE on anything but the key of {table.name}")
    if not set(table.key) <= table.required and not all(_is_certain(value) for value in values.values()):
        raise plan.refuse(operator, f"MERGE on the key of {table.name}, which takes nulls,")
    variable = path.elements[len(path.elements) // 2].variable  # type: ignore[union-attr]
    _act(operator, plan, at, table, values, variable or "")


def _act(operator: ir.Merge, plan: Plan, at: int, table: Table, values: Values, variable: str) -> None:
    created: dict[str, ir.Expression] = {}
    for action in operator.actions:
        if action.event == "match":
            _on_match(action, plan, at)
            continue
        for item in action.items:
            if not isinstance(item, ir.SetProperty) or not isinstance(item.target, ir.Property):
                raise plan.refuse(item, "ON CREATE SET of anything but a property")
            if item.target.base != ir.Ref(variable) or item.target.key in created:
                raise plan.refuse(item, "ON CREATE SET of another element, or of a property twice,")
            created[item.target.key] = plan.resolved(item.value)
    if not created:
        return
    place = next(n for n, each in enumerate(plan.statements) if n >= at and isinstance(each, Insert))
    insert = plan.statements[place]
    assert isinstance(insert, Insert)
    every = {**values, **plan.columns(table, created, operator)}
    body = insert.source.body
    assert isinstance(body, ir.Pipeline)
    project = ir.Project(tuple(plan.items(every)), final=True)
    source = replace(insert.source, body=ir.Pipeline((*body.operators[:-1], project)))
    plan.statements[place] = replace(insert, values=every, source=source)


def _on_match(action: ir.MergeAction, plan: Plan, at: int) -> None:
    """What is done to a row that is there already: before the insert, which would add another."""
    before = len(plan.statements)
    plan.set(ir.Set(action.items))
    moved = plan.statements[before:]
    del plan.statements[before:]
    plan.statements[at:at] = moved


def _is_certain(value: object) -> bool:
    return isinstance(value, ir.Literal) and value.value is not None
