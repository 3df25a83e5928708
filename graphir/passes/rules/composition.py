"""How clauses follow each other.

G041 a query that does not end, G042 a clause behind RETURN or FINISH, G043 a read right behind a write, G044 UNION
beside UNION ALL, G045 a WITH that imports and does more, G046 USE where it may not stand, G047 a write in a subquery
that only reads, G049 FINISH in one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Edit, Fix
from graphir.ir import Operator
from graphir.passes.names import mentioned
from graphir.passes.rules.places import Place
from graphir.passes.rules.scene import Scene
from graphir.source import Span

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

WRITES = frozenset((ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach))
_READS = frozenset((ir.Match, ir.Unwind, ir.LoadCsv, ir.ProcedureCall, ir.SubqueryCall))


def check_pipeline(walk: Walk, body: ir.Pipeline, place: Place) -> None:
    scene = walk.scene
    operators = body.operators
    walk.pipeline = operators
    if place.kind == "foreach":
        return
    if place.imports:
        operators = _check_import(scene, operators)
    walk.alone = len(operators) == 1 or (len(operators) == 2 and type(operators[0]) is ir.Use)
    last = operators[-1]
    cls = type(last)
    if not (cls is ir.Project and last.final) and cls not in WRITES:  # type: ignore[attr-defined]
        _check_end(walk, last, place)
    if len(operators) == 1 and cls not in WRITES:
        return
    _check_order(scene, operators, place)


def _check_order(scene: Scene, operators: tuple[Operator, ...], place: Place) -> None:
    before: type[Operator] | None = None
    end = len(operators) - 1
    for at, operator in enumerate(operators):
        kind = type(operator)
        if before in WRITES and kind in _READS and "a read after a write needs WITH" in scene.rules:
            _refuse_read(scene, operators[at - 1], operator)
        if kind in WRITES:
            if place.reading is not None:
                _refuse_write(scene, operator, place.reading)
        elif kind is ir.Use:
            if at > 0:
                _refuse_use(scene, operator, place)
        elif at < end and (kind is ir.Finish or (kind is ir.Project and operator.final)):  # type: ignore[attr-defined]
            name = "FINISH" if kind is ir.Finish else "RETURN"
            hint = "leave it out, or write WITH for RETURN" if name == "RETURN" else "leave it out"
            scene.report("G042", f"{name} can only end a query", scene.keyword(operator), hint)
        before = kind


# ------------------------------------------------------------------ the end


def _check_end(walk: Walk, last: Operator, place: Place) -> None:
    scene = walk.scene
    if isinstance(last, ir.Finish):
        if place.reading is not None and place.kind in ("exists", "count"):
            message = f"{place.kind.upper()} {{ .. }} cannot end with FINISH"
            scene.report("G049", message, last, "leave it out, or end with RETURN")
    elif place.kind == "collect":
        return  # G048 says it.
    elif isinstance(last, ir.ProcedureCall):
        if walk.alone and not last.optional:
            if last.where is not None and place.kind == "query":
                scene.report("G041", "YIELD .. WHERE needs a RETURN behind it", last.where, "add RETURN * behind it")
        elif last.yields and not place.open_end:
            _refuse_end(scene, last)
    elif isinstance(last, ir.SubqueryCall):
        reported = last.transactions is not None and last.transactions.report is not None
        if (returns(last.body) or reported) and not place.open_end:
            _refuse_end(scene, last)
    elif not place.open_end:
        _refuse_end(scene, last)


_NAMES: dict[type[Operator], str] = {
    ir.Project: "WITH",
    ir.Order: "ORDER BY",
    ir.Page: "SKIP or LIMIT",
    ir.ProcedureCall: "CALL",
    ir.SubqueryCall: "CALL",
    ir.LoadCsv: "LOAD CSV",
}


def _refuse_end(scene: Scene, last: Operator) -> None:
    name = _NAMES.get(type(last), type(last).__name__.upper())
    if isinstance(last, ir.ProcedureCall):
        name = "CALL .. YIELD"
    hint = "add a RETURN" if scene.dialect == "opencypher-9" else "add a RETURN, or FINISH where no rows are wanted"
    scene.report("G041", f"A query cannot end with {name}", scene.keyword(last), hint)


def returns(body: ir.Body) -> bool:
    """Whether a body ends with RETURN."""
    pipeline = ir.last_pipeline(body)
    last = pipeline.operators[-1] if pipeline is not None else None
    return isinstance(last, ir.Project) and last.final


def writes(body: ir.Body) -> bool:
    """Whether a body writes anything, also in a subquery."""
    return any(type(node) in WRITES for node in ir.walk(body))


# ------------------------------------------------------------------ the order


def _refuse_read(scene: Scene, write: Operator, read: Operator) -> None:
    names = [_word(scene, write), _word(scene, read)]
    fix = None
    if read.span is not None:
        fix = Fix("insert WITH *", (Edit(read.span.start, read.span.start, "WITH * "),), safe=True)
    scene.report(
        "G043", f"WITH is required between {names[0]} and {names[1]}", scene.keyword(read), "write WITH *", fix
    )


def _word(scene: Scene, operator: Operator) -> str:
    span = scene.keyword(operator)
    text = scene.source.text[span.start : span.end].upper() if span else ""
    return text or type(operator).__name__.upper()


def _refuse_write(scene: Scene, operator: Operator, reading: ir.Subquery) -> None:
    message = f"{reading.kind.upper()} {{ .. }} only reads, and here it writes"
    scene.report("G047", message, scene.keyword(operator), "write in a clause of the query, or in CALL { .. }")


def _refuse_use(scene: Scene, operator: Operator, place: Place) -> None:
    where = "the first clause of a query or subquery"
    if place.imports:
        where += ", or the one behind the WITH that imports"
    scene.report("G046", f"USE is {where}", scene.keyword(operator), "move it to the front")


# ------------------------------------------------------------------ CALL { WITH .. }


def _check_import(scene: Scene, operators: tuple[Operator, ...]) -> tuple[Operator, ...]:
    """The clauses of a subquery without a leading WITH that imports, which does nothing else."""
    lead = 1 if isinstance(operators[0], ir.Use) else 0
    first = operators[lead] if lead < len(operators) else None
    if not isinstance(first, ir.Project) or first.final:
        return operators
    extra = _extra(first)
    if not extra:
        return operators[:lead] + operators[lead + 1 :] if len(operators) > lead + 1 else operators
    if first.star or any(_outer(scene, item.value) for item in first.items):
        hint = "import the plain variables first: WITH a, b WITH .."
        message = f"The WITH that imports takes plain variables only, no {extra[0]}"
        scene.report("G045", message, scene.keyword(first), hint, _split(scene, first))
    return operators


def _extra(first: ir.Project) -> list[str]:
    """What a WITH says beyond the names of variables."""
    found: list[str] = []
    for item in first.items:
        if not isinstance(item.value, ir.Ref):
            found.append("expression")
        elif item.name not in (None, item.value.name):
            found.append("new name")
    parts = {
        "DISTINCT": first.distinct,
        "WHERE": first.where,
        "ORDER BY": first.order,
        "SKIP": first.skip,
        "LIMIT": first.limit,
    }
    return found + [name for name, part in parts.items() if part]


def _outer(scene: Scene, value: ir.Expression) -> bool:
    """Whether an expression reads a variable that it does not bind itself."""
    bound: set[str] = set()
    for node in ir.walk(value):
        if isinstance(node, (ir.ListComprehension, ir.Quantified)):
            bound.add(node.variable)
        elif isinstance(node, (ir.Reduce, ir.AllReduce)):
            bound |= {node.variable, node.accumulator}
    if any(isinstance(node, (ir.Subquery, ir.PatternComprehension, ir.PatternExpression)) for node in ir.walk(value)):
        return False
    return any(name not in bound for name in mentioned(value))


def _split(scene: Scene, first: ir.Project) -> Fix | None:
    """A WITH of the plain variables in front."""
    if first.star or first.span is None:
        return None
    parts = [*first.items, *first.order, first.where]
    names = list(dict.fromkeys(node.name for part in parts if part for node in ir.walk(part) if type(node) is ir.Ref))
    if not names or not all(name.isidentifier() for name in names):
        return None
    text = f"WITH {', '.join(names)} "
    return Fix(f"insert {text.strip()}", (Edit(first.span.start, first.span.start, text),))


# ------------------------------------------------------------------ UNION


def check_union(walk: Walk, body: ir.SetOperation, place: Place) -> None:
    """The branches, in their order."""
    first = body.branches[0]
    if isinstance(first, ir.SetOperation) and _same_start(body, first):
        span = Span(first.span.end, body.branches[1].span.start) if first.span and body.branches[1].span else None
        at = walk.scene.between(span.start, span.end, "UNION") if span else None
        message = "UNION and UNION ALL cannot be mixed"
        walk.scene.report("G044", message, at or body, "use one of them throughout, or put one in a CALL { .. }")
    open_end = place.open_end and not (place.kind == "count" and body.distinct)
    inner = replace(place, united=True, open_end=open_end)
    walk.bodies += [(branch, inner) for branch in body.branches]


def _same_start(outer: ir.Body, inner: ir.Body) -> bool:
    """No brace stands between the two."""
    return outer.span is not None and inner.span is not None and outer.span.start == inner.span.start
