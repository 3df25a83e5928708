"""Calls of functions and procedures: whether the name is known, how many arguments it takes, and of which types."""

from __future__ import annotations

from graphir import ir, types
from graphir.diagnostics import Edit, Fix
from graphir.functions import CYPHER_NAMES, FUNCTIONS
from graphir.nearest import nearest
from graphir.passes.typed.inference import Inference
from graphir.signatures import (
    DEPRECATED,
    FORMER,
    HINTS,
    LEVELS,
    NAMESPACES,
    REPLACED,
    Procedure,
    Signature,
    procedures,
)
from graphir.source import Span

_TITLES = {"opencypher-9": "openCypher 9", "neo4j-5": "Cypher 5", "neo4j-25": "Cypher 25"}
_SIMILAR = 0.77
"""Names of functions are short and many: fewer are proposed."""


# ------------------------------------------------------------------ functions


def apply_function(state: Inference, node: ir.Apply, arguments: list[int]) -> int:
    """A function of the table on arguments of known types."""
    signature = state.signatures.get(node.function)
    if signature is None:
        return _missing(state, node)
    if node.function in DEPRECATED:
        state.deprecate(node.function, node)
    count = len(arguments)
    if count < signature.least or (signature.most is not None and count > signature.most):
        _refuse_count(state, f"{node.function}()", signature, node, count)
        return signature.result
    for actual, expected, argument in zip(arguments, signature.arguments, node.args, strict=False):
        if not actual & expected:
            state.mismatch(f"{node.function}()", argument, actual, expected, _advice(node, actual))
    if not signature.rule:
        return signature.result
    return _derived(signature.rule, arguments)


def _derived(rule: str, arguments: list[int]) -> int:
    if rule == "=":
        return arguments[0]
    if rule == "=[]":
        return types.list_of(arguments[0])
    if rule == "=*":
        return types.element_of(arguments[0] & types.LIST)
    joined = 0
    for argument in arguments:
        joined |= argument
    return joined


def _advice(node: ir.Apply, actual: int) -> str | None:
    """Which function is meant, for those that are often mixed up."""
    if node.function == "length" and not actual & types.PATH:
        return "size() has the length of a string or list"
    if node.function == "size" and actual & types.PATH:
        return "length() has the length of a path"
    if node.function == "labels" and actual == types.RELATIONSHIP:
        return "type() has the type of a relationship"
    if node.function == "type" and actual == types.NODE:
        return "labels() has the labels of a node"
    if actual & types.LIST and not actual & ~types.LIST and node.function in ("type", "startNode", "endNode", "id"):
        return f"it takes one element: [x IN list | {node.function}(x)]"
    if actual == types.LIST and node.function in ("sum", "avg"):
        return "UNWIND the list first"
    return None


def _refuse_count(state: Inference, what: str, signature: Signature, node: ir.Node, count: int) -> None:
    least, most = signature.least, signature.most
    if most is None:
        wanted = f"{least} or more arguments"
    elif least == most:
        wanted = "no arguments" if most == 0 else "one argument" if most == 1 else f"{most} arguments"
    else:
        wanted = f"{least} to {most} arguments"
    state.report("G302", f"{what} takes {wanted}, not {count}", node)


def _missing(state: Inference, node: ir.Apply) -> int:
    """A function of the table that the level of Cypher does not have, or one without a signature."""
    known = FUNCTIONS.get(node.function)
    if known is None:  # a function of GQL
        return types.ANY
    since = known.since
    if LEVELS.index(since) > LEVELS.index(state.level):
        message = f"{node.function}() is a function of {_TITLES[since]}, which {_TITLES[state.level]} does not have"
        state.report("G304", message, node)
    return types.BOOLEAN if node.function in ("exists", "property_exists") else types.ANY


def check_call(state: Inference, node: ir.Call) -> None:
    """A function outside of the table: a plugin's, or a wrong name."""
    name = node.name
    if len(name) > 1 and name[0].lower() not in NAMESPACES:
        return
    shown = ".".join(name)
    lower = shown.lower()
    span = _name_span(state, node, shown)
    successor = REPLACED.get(lower)
    hint = HINTS.get(lower)
    if successor is not None and successor in state.signatures:
        fix = Fix(f"write {successor}", (Edit(span.start, span.end, successor),)) if span is not None else None
        state.report("G303", f"Unknown function `{shown}`", span or node, f"it is {successor}() in Cypher", fix)
        return
    fix = None
    if hint is None:
        near = nearest(lower, [function.name for function in CYPHER_NAMES.values()], _SIMILAR)
        if near is not None and near in state.signatures:
            hint = f"did you mean {near}()?"
            if span is not None:
                fix = Fix(f"replace `{shown}` by `{near}`", (Edit(span.start, span.end, near),))
    if hint is None and len(name) == 1:
        hint = "functions of plugins have a name space, such as apoc.text.join()"
    state.report("G303", f"Unknown function `{shown}`", span or node, hint, fix)


def _name_span(state: Inference, node: ir.Node, name: str) -> Span | None:
    """The place of a name at the start of a node, where it is written in one piece."""
    if node.span is None:
        return None
    span = Span(node.span.start, node.span.start + len(name))
    return span if state.source.text[span.start : span.end] == name else None


# ------------------------------------------------------------------ procedures


def check_procedure(state: Inference, call: ir.ProcedureCall, arguments: list[int]) -> Procedure | None:
    """The procedure that is called, where it is a built-in one."""
    shown = ".".join(call.name)
    procedure = procedures(state.level).get(shown)
    if procedure is None:
        if len(call.name) == 1 or call.name[0].lower() in NAMESPACES:
            _refuse_procedure(state, call, shown)
        return None
    if shown in DEPRECATED:
        state.deprecate(shown, _procedure_span(state, call, shown))
    if call.args is not None:
        signature, count = procedure.signature, len(arguments)
        if count < signature.least or (signature.most is not None and count > signature.most):
            _refuse_count(state, shown, signature, call, count)
        else:
            for actual, expected, argument in zip(arguments, signature.arguments, call.args, strict=False):
                if not actual & expected:
                    state.mismatch(shown, argument, actual, expected)
    for item in call.yields or ():
        if item.name not in procedure.yields:
            _refuse_output(state, item, procedure)
    return procedure


def _refuse_procedure(state: Inference, call: ir.ProcedureCall, shown: str) -> None:
    lower = shown.lower()
    at = _procedure_span(state, call, shown)
    fix = None
    if lower in FORMER:
        hint: str | None = f"it is gone; use {FORMER[lower]}"
    else:
        near = nearest(lower, procedures(state.level), _SIMILAR)
        if near is not None and near.lower() == lower:
            hint = f"names of procedures are case-sensitive: {near}"
        else:
            hint = f"did you mean {near}?" if near else None
        if near is not None and at is not None:
            fix = Fix(f"replace `{shown}` by `{near}`", (Edit(at.start, at.end, near),))
        if hint is None and len(call.name) == 1:
            hint = "procedures have a name space, such as db.labels; a subquery is called by CALL (..) { .. }"
    state.report("G305", f"Unknown procedure `{shown}`", at or call, hint, fix)


def _procedure_span(state: Inference, call: ir.ProcedureCall, shown: str) -> Span | None:
    if call.span is None:
        return None
    at = state.source.text.find(shown, call.span.start, call.span.end)
    return Span(at, at + len(shown)) if at >= 0 else None


def _refuse_output(state: Inference, item: ir.YieldItem, procedure: Procedure) -> None:
    if not procedure.yields:
        state.report("G306", f"{procedure.name} returns nothing that could be yielded", item, "leave YIELD out")
        return
    near = next((name for name in procedure.yields if name.lower() == item.name.lower()), None)
    hint = f"did you mean `{near}`?" if near else "it returns " + ", ".join(f"`{n}`" for n in procedure.yields)
    state.report("G306", f"{procedure.name} has no output `{item.name}`", item, hint)
