"""CALL: subqueries, procedures, and reading files.

G053 IN TRANSACTIONS where it may not stand, G054 REPORT STATUS without ON ERROR, G055 CALL { .. } with a body that
needs CALL () { .. }, G056 the short forms of a procedure call inside of a query, G057 a field terminator that is no
character.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.diagnostics import Edit, Fix
from graphir.passes.rules import paging
from graphir.passes.rules.composition import WRITES, writes
from graphir.passes.rules.places import VALUE, WHERE, Place

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk


def _subquery(walk: Walk, operator: ir.SubqueryCall, place: Place) -> None:
    scene = walk.scene
    if operator.imports is None and isinstance(operator.body, (ir.Next, ir.Conditional)):
        at = scene.keyword(operator)
        fix = Fix("write CALL ()", (Edit(at.end, at.end, " ()"),)) if at else None
        kind = "NEXT" if isinstance(operator.body, ir.Next) else "WHEN"
        scene.report("G055", f"A subquery with {kind} needs parentheses behind CALL", at, "write CALL () { .. }", fix)
    if operator.transactions is not None:
        _check_transactions(walk, operator, operator.transactions, place)
    inner = Place("call", imports=operator.imports is None and not operator.star, reading=place.reading, nested=True)
    walk.bodies.append((operator.body, inner))


def _check_transactions(walk: Walk, operator: ir.SubqueryCall, options: ir.Transactions, place: Place) -> None:
    scene = walk.scene
    at = scene.between(options.span.start, options.span.end, "IN") if options.span else None
    at = at or scene.keyword(operator)
    if place.nested:
        scene.report("G053", "CALL { .. } IN TRANSACTIONS cannot stand in a subquery or branch", at, "move it out")
    elif place.united:
        scene.report("G053", "CALL { .. } IN TRANSACTIONS cannot stand in a UNION", at)
    elif place.written or _written(walk, operator):
        message = "CALL { .. } IN TRANSACTIONS cannot come after a clause that writes"
        scene.report("G053", message, at, "write inside of the subquery, or in a query of its own")
    if options.report is not None and options.on_error not in ("continue", "break"):
        message = "REPORT STATUS needs ON ERROR CONTINUE or ON ERROR BREAK"
        scene.report("G054", message, scene.between(*(options.span or (0, 0)), "REPORT") or options)
    paging.check_number(walk, options.batch, "OF .. ROWS", least=1)
    paging.check_number(walk, options.concurrency, "IN .. CONCURRENT TRANSACTIONS", least=1)
    paging.check_number(walk, options.retry_seconds, "RETRY FOR .. SECONDS", whole=False)


def _written(walk: Walk, operator: ir.SubqueryCall) -> bool:
    """Whether a clause before this one writes."""
    for before in walk.pipeline:
        if before is operator:
            break
        if type(before) in WRITES:
            return True
        if isinstance(before, ir.SubqueryCall) and before.transactions is None and writes(before.body):
            return True
    return False


def _procedure(walk: Walk, operator: ir.ProcedureCall, place: Place) -> None:
    for argument in operator.args or ():
        walk.later(argument, VALUE)
    walk.test(operator.where, WHERE)
    if (operator.star or operator.args is None) and not walk.alone:
        if operator.star:
            message = "YIELD * can only stand where the call is the whole query"
            walk.scene.report("G056", message, operator, "name the columns: YIELD a, b")
        if operator.args is None:
            message = "A procedure call inside of a query needs parentheses"
            walk.scene.report("G056", message, operator, f"write {'.'.join(operator.name)}()")


def _load(walk: Walk, operator: ir.LoadCsv, place: Place) -> None:
    walk.later(operator.source, VALUE)
    if operator.terminator is not None and len(operator.terminator) != 1:
        walk.scene.report("G057", "The field terminator is one character", walk.scene.word("FIELDTERMINATOR", operator))


OPERATORS: dict[type[ir.Operator], Callable[..., Any]] = {
    ir.SubqueryCall: _subquery,
    ir.ProcedureCall: _procedure,
    ir.LoadCsv: _load,
}
