"""The type of an expression, from the bottom up; one rule for each class of the IR.

Nesting costs frames of Python's stack, and the parser limits nesting.
"""

from __future__ import annotations

from typing import Any

from graphir import ir
from graphir.passes.google import calls, operators
from graphir.passes.google.analysis import Analysis, Place
from graphir.passes.google.casts import is_castable, written_type
from graphir.passes.google.coercion import ANYTHING, Typed, coerces, supertype
from graphir.passes.google.labels import check_labels
from graphir.passes.google.names import Column
from graphir.passes.google.places import last_name, span_of
from graphir.passes.google.types import (
    BOOL,
    ELEMENTS,
    INT64,
    INTERVAL,
    JSON,
    STRING,
    UNKNOWN,
    Type,
    array_of,
    named,
    struct_of,
)


def infer(state: Analysis, node: ir.Node, place: Place) -> Typed:
    """The type of an expression."""
    rule = RULES.get(type(node))
    return _other(state, node, place) if rule is None else rule(state, node, place)


def value(state: Analysis, node: ir.Node, place: Place) -> Typed:
    """The type of an expression that stands where nodes and edges are no values without a feature of the language."""
    found = infer(state, node, place)
    if found.type.kind in ELEMENTS and not state.has("EXPOSE_GRAPH_ELEMENT"):
        state.report(
            "G340",
            f"{'A node' if found.type.kind == 'GRAPH_NODE' else 'An edge'} is no value here",
            node,
            "use a property, or ELEMENT_ID(..)",
        )
        return ANYTHING
    return found


def condition(state: Analysis, node: ir.Node | None, place: Place, what: str) -> None:
    """An expression that has to be a BOOL."""
    if node is not None:
        operators.require_boolean(state, node, infer(state, node, place), what)


def _other(state: Analysis, node: ir.Node, place: Place) -> Typed:
    for child in ir.children(node):
        infer(state, child, place)
    return ANYTHING


# ------------------------------------------------------------------ names


def find(state: Analysis, node: ir.Ref, place: Place) -> Column | None:
    """What a name stands for; reports where it is none, or may not be used."""
    try:
        column = place.scope.find(node.name)
    except LookupError:
        state.report(
            "G120",
            f"`{node.name}` is of an earlier statement: inside of a pattern only what the pattern names can be used",
            node,
            "put the condition into the WHERE behind the whole MATCH",
        )
        return Column(node.name, UNKNOWN)
    if column is None:
        state.misspelled(
            "G101", f"Variable `{node.name}` is not defined", node.name, span_of(node), place.scope.visible()
        )
    elif column.ambiguous:
        state.report("G106", f"Two columns are named `{node.name}`", node)
    return column


def _ref(state: Analysis, node: ir.Ref, place: Place) -> Typed:
    bare = calls.BARE.get(node.name.upper())
    if bare is not None and node.name.lower() not in place.scope.table.columns:
        return Typed(named(bare))
    column = find(state, node, place)
    if column is None:
        if place.horizontal is not None:
            place.horizontal.unsure = True
        return ANYTHING
    if place.horizontal is not None:
        return _through(state, node, column, place)
    return Typed(column.type)


def _through(state: Analysis, node: ir.Ref, column: Column, place: Place) -> Typed:
    """A name inside of an aggregate over a variable: the array stands for its elements."""
    horizontal = place.horizontal
    assert horizontal is not None
    if column.type.kind == "UNKNOWN":
        horizontal.unsure = True
    if column.type.kind != "ARRAY":
        return Typed(column.type)
    name = column.name.lower()
    if horizontal.variable is not None and horizontal.variable != name:
        state.report(
            "G342",
            f"An aggregate goes over one array, here `{horizontal.variable}`, and `{column.name}` is another",
            node,
        )
        return ANYTHING
    horizontal.variable = name
    return Typed(column.type.element or UNKNOWN)


def _property(state: Analysis, node: ir.Property, place: Place) -> Typed:
    base = infer(state, node.base, place)
    return of_property(state, node, base.type, place)


def of_property(state: Analysis, node: ir.Node, base: Type, place: Place, key: str | None = None) -> Typed:
    """`base.key`, the key being at the end of the node unless it is given."""
    name = node.key if isinstance(node, ir.Property) else key or ""
    if base.kind in ("UNKNOWN", "PROTO"):
        return ANYTHING
    if base.kind in ELEMENTS:
        found = base.field(name)
        if found is not None:
            return Typed(found)
        return ANYTHING if base.open else _unknown_property(state, node, base, name, place)
    if base.kind == "STRUCT":
        found = base.field(name)
        if found is None:
            at = last_name(state.text, node)
            known = [own for own, _ in base.fields if own]
            state.misspelled("G307", f"{base} has no field `{name}`", name, at, known)
        return Typed(found or UNKNOWN)
    if base.kind == "JSON":
        return Typed(JSON)
    if base.kind != "ARRAY" or base.element is None or base.element.kind != "UNKNOWN":
        _refuse_access(state, node, base, name)
    return ANYTHING


def _refuse_access(state: Analysis, node: ir.Node, base: Type, name: str) -> None:
    at = last_name(state.text, node)
    hint = None
    if base.kind == "ARRAY" and base.element is not None and base.element.kind in ELEMENTS:
        inner = node.base if isinstance(node, ir.Property) else node
        variable = inner.name if isinstance(inner, ir.Ref) else "e"
        hint = f"it is an array: take one by {variable}[OFFSET(0)], or all by LET x = SUM({variable}.{name})"
    elif base.kind == "GRAPH_PATH":
        hint = "ask its NODES(..) or EDGES(..)"
    state.report("G307", f"`.{name}` needs an element or a STRUCT, and this is {base}", at, hint)


def _unknown_property(state: Analysis, node: ir.Node, base: Type, name: str, place: Place) -> Typed:
    at = last_name(state.text, node) if isinstance(node, ir.Property) else span_of(node)
    what = "nodes" if base.kind == "GRAPH_NODE" else "edges"
    known = [own for own, _ in base.fields]
    elsewhere = place.graph.properties.get(name.lower())
    if elsewhere is not None:
        owners = [
            each.name for each in place.graph.elements if any(own.lower() == name.lower() for own, _ in each.properties)
        ]
        told = f"The {what} that match here have no property `{name}`; those of {', '.join(owners[:3])} have"
        state.report("G143", told, at, _listed(known), expected=known[:12])
    else:
        state.misspelled("G142", f"The {what} that match here have no property `{name}`", name, at, known)
    return ANYTHING


def _listed(known: list[str]) -> str | None:
    return f"they have: {', '.join(known[:12])}" if known else "no table of the graph matches the labels"


# ------------------------------------------------------------------ constants and constructors


def _literal(state: Analysis, node: ir.Literal, place: Place) -> Typed:
    value = node.value
    if value is None:
        return Typed(INT64, "null")
    if isinstance(value, bool):
        return Typed(BOOL, "literal", value)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            state.report("G308", "The integer is too large: integers have 64 bits", node)
        return Typed(INT64 if value < 2**63 else named("UINT64"), "literal", value)
    if isinstance(value, float):
        return Typed(named("DOUBLE"), "literal", value)
    return Typed(STRING, "literal", value)


def _parameter(state: Analysis, node: ir.Parameter, place: Place) -> Typed:
    found = state.parameters.get(node.name.lower(), UNKNOWN)
    if place.horizontal is not None:
        place.horizontal.unsure = True
    return Typed(found, "parameter")


def _list(state: Analysis, node: ir.ListOf, place: Place) -> Typed:
    items = [value(state, item, place) for item in node.items]
    if not items:
        return Typed(array_of(UNKNOWN), "literal")
    for item, typed in zip(node.items, items, strict=True):
        if typed.type.kind == "ARRAY" and not state.has("ARRAY_OF_ARRAY"):
            state.report("G301", "An array cannot hold arrays", item, "put each into a STRUCT")
            return ANYTHING
    common = supertype(items)
    if common is None:
        shown = ", ".join(dict.fromkeys(str(each.type) for each in items))
        state.report(
            "G301", f"The elements of an array are of one type, and these are {shown}", node, "CAST them to one"
        )
        return ANYTHING
    literal = all(each.constant in ("literal", "null") for each in items)
    return Typed(array_of(common) if common.kind != "UNKNOWN" else array_of(UNKNOWN), "literal" if literal else "")


def _struct(state: Analysis, node: ir.Struct, place: Place) -> Typed:
    fields: list[tuple[str, Type]] = []
    constants: list[str] = []
    for field in node.fields:
        typed = value(state, field.value, place)
        fields.append((field.name or inferred_name(field.value) or "", typed.type))
        constants.append(typed.constant)
    if node.type is not None:
        return ANYTHING
    literal = bool(constants) and all(each in ("literal", "null") for each in constants)
    return Typed(struct_of(*fields), "literal" if literal else "")


def inferred_name(node: ir.Node) -> str | None:
    """The name that an expression gives its column."""
    base = node
    while isinstance(base, ir.Property):
        if span_of(base).start != span_of(base.base).start:
            return None
        base = base.base
    if not isinstance(base, ir.Ref):
        return None
    return node.key if isinstance(node, ir.Property) else base.name


def _cast(state: Analysis, node: ir.Cast, place: Place) -> Typed:
    wanted = written_type(state, node.type)
    given = infer(state, node.value, place)
    if node.format is not None:
        infer(state, node.format, place)
    if node.keyword == "literal":
        return Typed(wanted, "literal" if isinstance(node.value, ir.Literal) else "")
    if not is_castable(given, wanted):
        state.report("G301", f"A {given.type} cannot be CAST to {wanted}", node.value)
    return Typed(wanted, "null" if given.constant == "null" else "")


# ------------------------------------------------------------------ operators and functions


def _apply(state: Analysis, node: ir.Apply, place: Place) -> Typed:
    function = node.function
    if calls.is_written_as_call(state, node):
        return calls.apply_function(state, node, place)
    if function == "in":
        return _in(state, node, place)
    if function == "path":
        return calls.call(state, node, ("PATH",), node.args, place)
    if function in ("like_any", "like_all"):
        return _like_many(state, node, place)
    handler = operators.HANDLERS.get(function)
    takes_elements = function in _TAKES_ELEMENTS
    given = [
        (infer if takes_elements else value)(state, each, place) for each in node.args if type(each) is not ir.Keyword
    ]
    if function == "interval":
        return Typed(INTERVAL)
    if function == "extract":
        return _extract(state, node, given)
    if function.startswith("at_") and len(given) == 2:
        return operators.element_at(state, node, given)
    return ANYTHING if handler is None else handler(state, node, given)


_TAKES_ELEMENTS = frozenset({"eq", "ne", "is_source", "is_destination"})


def _in(state: Analysis, node: ir.Apply, place: Place) -> Typed:
    source = node.args[1]
    left = value(state, node.args[0], place)
    if isinstance(source, ir.Subquery):
        return _in_subquery(state, node, left, source, place)
    items = None
    if isinstance(source, ir.ListOf) and state.text[span_of(source).start : span_of(source).start + 1] != "[":
        items = [value(state, item, place) for item in source.items]
        return operators.membership(state, node, (left, ANYTHING), items)
    return operators.membership(state, node, (left, value(state, source, place)), items)


def _in_subquery(state: Analysis, node: ir.Apply, left: Typed, source: ir.Subquery, place: Place) -> Typed:
    found = infer(state, source, place).type
    element = found.element
    if element is not None and supertype([left, Typed(element)]) is None:
        state.report("G301", f"`IN` cannot compare {left.type} with {element}", node, "CAST one side")
    return Typed(BOOL)


def _like_many(state: Analysis, node: ir.Apply, place: Place) -> Typed:
    if not state.has("LIKE_ANY_SOME_ALL"):
        state.report(
            "G345",
            "LIKE ANY, SOME and ALL are no part of the language here",
            operators.operator_at(state, node, "LIKE"),
        )
    for each in node.args:
        items = each.items if isinstance(each, ir.ListOf) else (each,)
        for item in items:
            infer(state, item, place)
    return Typed(BOOL)


def _extract(state: Analysis, node: ir.Apply, given: list[Typed]) -> Typed:
    part = node.args[0]
    name = part.name.upper() if isinstance(part, ir.Keyword) else ""
    if name not in calls.PARTS:
        at = state.source.find(name, span_of(node).start + len("EXTRACT")) or span_of(part)
        state.report("G301", f"`{name}` is no part of a date or time", at)
    return Typed(named(name) if name in ("DATE", "TIME", "DATETIME") else INT64)


def _call(state: Analysis, node: ir.Call, place: Place) -> Typed:
    return calls.call(state, node, node.name, node.args, place)


def _index(state: Analysis, node: ir.Index, place: Place) -> Typed:
    base, at = infer(state, node.base, place), infer(state, node.index, place)
    kind = base.type.kind
    if kind == "JSON":
        return Typed(JSON)
    if kind in ("UNKNOWN", "PROTO"):
        return ANYTHING
    if kind != "ARRAY" or base.type.element is None:
        state.report("G301", f"`[..]` takes a part of an array or of JSON, and this is {base.type}", node.index)
        return ANYTHING
    if not state.has("BARE_ARRAY_ACCESS"):
        state.report(
            "G345",
            "A position in an array needs OFFSET or ORDINAL",
            node.index,
            "write [OFFSET(i)], which counts from 0",
        )
    elif not coerces(at, INT64):
        state.report("G301", f"A position is an INT64, and this is {at.type}", node.index)
    return Typed(base.type.element)


_WINDOWED = frozenset({"RETURN", "WITH", "ORDER BY", "LET", "FILTER", "SELECT", "QUALIFY"})


def _window(state: Analysis, node: ir.Window, place: Place) -> Typed:
    if not state.has("ANALYTIC_FUNCTIONS"):
        state.report("G345", "Window functions are no part of the language here", node)
    elif place.clause not in _WINDOWED:
        state.report("G112", f"A window function cannot stand in {place.clause}", node)
    return calls.windowed(state, node.function, place)


# ------------------------------------------------------------------ CASE


def _case(state: Analysis, node: ir.Case, place: Place) -> Typed:
    subject = value(state, node.subject, place) if node.subject is not None else None
    results: list[Typed] = []
    for branch in node.branches:
        for test in branch.tests:
            given = value(state, test, place)
            if subject is None and not coerces(given, BOOL):
                state.report("G301", f"WHEN needs a BOOL, and this is {given.type}", node, "compare it with something")
            elif subject is not None and not operators.compare(subject, given):
                state.report("G301", f"CASE compares {subject.type} with {given.type}", node, "CAST one of them")
        results.append(value(state, branch.result, place))
    if node.default is not None:
        results.append(value(state, node.default, place))
    common = supertype(results)
    if common is None:
        shown = ", ".join(dict.fromkeys(str(each.type) for each in results))
        state.report("G301", f"The results of CASE are of one type, and these are {shown}", node, "CAST them to one")
    return Typed(common or UNKNOWN)


# ------------------------------------------------------------------ graphs


def _has_labels(state: Analysis, node: ir.HasLabels, place: Place) -> Typed:
    base = infer(state, node.base, place).type
    if base.kind == "UNKNOWN":
        return Typed(BOOL)
    if base.kind not in ELEMENTS:
        state.report("G301", f"IS LABELED asks a node or an edge, and this is {base}", node)
    elif not isinstance(node.base, ir.Ref):
        state.report("G301", "IS LABELED asks a variable", node, "name the element with LET first")
    else:
        check_labels(state, node.labels, base.kind, place.graph)
    return Typed(BOOL)


def _subquery(state: Analysis, node: ir.Subquery, place: Place) -> Typed:
    from graphir.passes.google.statements import resolve_subquery

    if place.horizontal is not None:
        state.report("G342", "An aggregate over an array cannot hold a query", node, "compute it with LET first")
        place.horizontal.unsure = True
        return ANYTHING
    return _with(state, node.body, place) if _is_with(state, node) else resolve_subquery(state, node, place)


def _is_with(state: Analysis, node: ir.Subquery) -> bool:
    """Whether a query is the short form `WITH(name AS value, .., result)`."""
    start = span_of(node).start
    word = state.text[start : start + 4].upper()
    return word == "WITH" and state.text[start + 4 : start + 5] in ("(", " ") and isinstance(node.body, ir.Pipeline)


def _with(state: Analysis, body: ir.Body, place: Place) -> Typed:
    """The result of `WITH(..)`, which sees the names that it gives and all around it."""
    assert isinstance(body, ir.Pipeline)
    table = place.scope.table
    for operator in body.operators:
        items = operator.items if isinstance(operator, (ir.Let, ir.Project)) else ()
        for item in items:
            found = infer(state, item.value, place.but(scope=place.scope.of(table)))
            if isinstance(operator, ir.Project):
                return found
            table = table.with_([Column(item.name or "", found.type)])
    return ANYTHING


def _boolean(state: Analysis, node: ir.Node, place: Place) -> Typed:
    _other(state, node, place)
    return Typed(BOOL)


def _lambda(state: Analysis, node: ir.Lambda, place: Place) -> Typed:
    table = place.scope.table.with_([Column(name, UNKNOWN) for name in node.parameters])
    scope = place.scope.of(table)
    infer(state, node.body, place.but(scope=scope, aggregates="none", clause="a lambda"))
    return ANYTHING


def _nothing(state: Analysis, node: ir.Node, place: Place) -> Typed:
    return ANYTHING


def _modified(state: Analysis, node: ir.Modified, place: Place) -> Typed:
    found = infer(state, node.value, place)
    for key in node.order:
        infer(state, key.value, place)
    if node.having_value is not None:
        infer(state, node.having_value, place)
    return found


def _named(state: Analysis, node: ir.Named, place: Place) -> Typed:
    return infer(state, node.value, place)


RULES: dict[type, Any] = {
    ir.Ref: _ref,
    ir.Property: _property,
    ir.Literal: _literal,
    ir.Parameter: _parameter,
    ir.ListOf: _list,
    ir.Struct: _struct,
    ir.Cast: _cast,
    ir.Apply: _apply,
    ir.Call: _call,
    ir.Index: _index,
    ir.Window: _window,
    ir.Case: _case,
    ir.HasLabels: _has_labels,
    ir.Subquery: _subquery,
    ir.IsTyped: _boolean,
    ir.IsNormalized: _boolean,
    ir.Lambda: _lambda,
    ir.Modified: _modified,
    ir.Named: _named,
    ir.Keyword: _nothing,
    ir.GraphName: _nothing,
    ir.ValueType: _nothing,
}
