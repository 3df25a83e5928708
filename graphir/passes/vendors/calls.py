"""The functions, operators and predicates that stand in a GRAPH_TABLE: who has them, and what they take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Edit, Fix
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.functions import (
    CYPHER,
    CYPHER_IDENTITY,
    EXISTS_PROPERTY,
    HAVE_PREDICATES,
    INVENTED,
    OF_ELEMENTS,
    OF_PATHS,
    OF_SEVERAL,
    ORACLE,
    OWN,
    PREDICATES,
    RENAMED,
    ROW_FUNCTIONS,
    function_of,
)

if TYPE_CHECKING:
    from graphir.passes.vendors.patterns import Variable
    from graphir.passes.vendors.references import References

_QUANTIFIED = ("postgres", "hyper")
"""Whose comparisons with ANY and ALL take arrays."""


def check_foreign(node: ir.Node, findings: Findings, elements: Iterable[ir.Node] = ()) -> bool:
    """Report a function or operator of Cypher, wherever it stands; whether it is one.

    `elements` are operands that are known to be elements of a pattern.
    """
    called = function_of(node)
    if called == "bit_not":
        return _matches_regularly(node, findings)
    if called not in CYPHER and called not in CYPHER_IDENTITY:
        return False
    written = _written(node, findings)  # UPPER and toUpper are one function of the IR
    name = written.lower()
    hint = CYPHER.get(name)
    if hint is None and name in CYPHER_IDENTITY and list(elements):
        hint = "make the key a property"
    if name in OWN.get(findings.vendor.name, ()):
        return False
    if hint is None or (isinstance(node, ir.Call) and len(node.name) > 1) or _has_path_function(findings, name):
        return False
    told = f"{findings.vendor.title} has no function {written}, which is one of Cypher"
    findings.report("invented function", told, node.span, hint, fix=_renamed(node, written))
    return True


def check_membership(node: ir.Node, findings: Findings) -> None:
    """Report `x IN list`, wherever it stands: IN of SQL has values in parentheses, or a query."""
    if not isinstance(node, ir.Apply) or node.function != "in" or isinstance(node.args[1], ir.Subquery):
        return
    value, listed = (each.span for each in node.args)
    if value is None or listed is None:
        return
    text = findings.source.text
    written, between = text[listed.start : listed.end], text[value.end : listed.start]
    if listed.start <= value.start or written[:1] == "[":  # values in parentheses have the place of all of it
        return
    hint, fix = "write IN (..)", None
    if findings.vendor.name in _QUANTIFIED:
        hint = "of an array write = ANY (..)"
        if between.strip().upper() == "IN":
            edit = Edit(value.end, listed.end, f" = ANY ({written})")
            fix = Fix(f"replace `IN {written}` by `= ANY ({written})`", (edit,))
    told = f"{findings.vendor.title} does not have IN without parentheses here"
    findings.report("list without parentheses", told, listed, hint, fix=fix)


def _has_path_function(findings: Findings, name: str) -> bool:
    return findings.vendor.name == "duckpgq" and name in OF_PATHS


def _written(node: ir.Node, findings: Findings) -> str:
    """The name of a function as it stands."""
    text = "" if node.span is None else findings.source.text[node.span.start : node.span.end]
    return text.partition("(")[0].rstrip()


def _renamed(node: ir.Node, written: str) -> Fix | None:
    instead = RENAMED.get(written.lower())
    if instead is None or node.span is None:
        return None
    end = node.span.start + len(written)
    return Fix(f"write {instead}", (Edit(node.span.start, end, instead),), safe=True)


def _matches_regularly(node: ir.Node, findings: Findings) -> bool:
    """`=~`, which reads as `= ~` where that has a meaning."""
    at = node.span
    if at is None or at.start == 0 or findings.source.text[at.start - 1 : at.start + 1] != "=~":
        return False
    hint = "write REGEXP_LIKE(..)" if findings.vendor.name in ("oracle", "iso", "postgres") else "write LIKE"
    findings.report("operator of others", f"{findings.vendor.title} has no operator `=~`", at, hint)
    return True


def check(references: References, node: ir.Node, around: str) -> str:
    """What is wrong with the call, operator or predicate that a node is; what its operands stand in."""
    findings = references.findings
    if isinstance(node, ir.Window):
        findings.report("window", "a window function belongs outside of GRAPH_TABLE", node.span)
    elif isinstance(node, ir.HasLabels):
        return _has_labels(references, node)
    elif isinstance(node, ir.ListOf) and references.of(node)[:1] == "[":
        told = f"{findings.vendor.title} does not have a list in brackets here"
        findings.report("list in brackets", told, node.span, "write ARRAY[..], and IN (..)")
    check_membership(node, findings)
    name = function_of(node)
    if not name:
        return around
    if name in ROW_FUNCTIONS:
        findings.report("set of rows", f"{name} gives rows", node.span, "call it outside of GRAPH_TABLE")
    if name in INVENTED and not _has_path_function(findings, name):
        told = f"{findings.vendor.title} has no function {name.upper()}"
        findings.report("invented function", told, node.span, INVENTED[name])
    elements = [each for each in ir.children(node) if _variable(references, each) is not None]
    if check_foreign(node, findings, elements):
        return "element"
    if name in PREDICATES:
        _predicate(findings, node, PREDICATES[name])
    if name in OF_ELEMENTS:
        _of_elements(references, node, name)
        return "element"
    return "function" if _has_path_function(findings, name) else around


def _variable(references: References, node: ir.Node) -> Variable | None:
    return references.variables.get(references.held(node.name)) if isinstance(node, ir.Ref) else None


def _predicate(findings: Findings, node: ir.Node, title: str) -> bool:
    """Whether a vendor has a predicate."""
    if findings.vendor.name in HAVE_PREDICATES:
        return True
    findings.report("predicate of others", f"{findings.vendor.title} does not have {title}", node.span)
    return False


def _has_labels(references: References, node: ir.HasLabels) -> str:
    variable = _variable(references, node.base)
    if _predicate(references.findings, node, "IS LABELED") and variable is not None:
        _check_labels(references, node, variable)
    return "element"


def _check_labels(references: References, node: ir.HasLabels, variable: Variable) -> None:
    """Labels that the graph does not have, and those that no element has that the variable may be."""
    graph, kind = references.graph, variable.kind
    if graph is None or graph.open or kind == "path":
        return
    names = [each for each in ir.walk(node.labels) if isinstance(each, ir.LabelName)]
    for each in names:
        references.check_label(kind, each)
    known = all(any(one.has_label(references.held(each.name)) for one in graph.elements.values()) for each in names)
    if known and not any(references.carries(one, node.labels) for one in references.elements_of(variable)):
        told = f"no element that `{variable.name}` may be has these labels"
        references.findings.report("label never held", told, node.span)


def _of_elements(references: References, node: ir.Node, name: str) -> None:
    findings = references.findings
    kind = OF_ELEMENTS[name]
    if findings.vendor.name not in OF_SEVERAL.get(name, (findings.vendor.name,)):
        told = f"{findings.vendor.title} has no function {name.upper()}"
        hint = "make the key a property" if name in ORACLE else None
        findings.report("function of others", told, node.span, hint)
        return
    if name == EXISTS_PROPERTY:
        _exists_property(references, node)
        return
    for each in ir.children(node):
        variable = _variable(references, each)
        wrong = variable is not None and variable.kind in ("node", "edge") and variable.kind != kind
        if kind and (wrong or not isinstance(each, ir.Ref)):
            word = "a vertex" if kind == "node" else "an edge"
            rule = "vertex function" if kind == "node" else "edge function"
            findings.report(rule, f"{name.upper()} takes {word}", each.span)


def _exists_property(references: References, node: ir.Node) -> None:
    """`PROPERTY_EXISTS(variable, name)`: a property that the graph has, and an element of the variable's labels may."""
    operands = list(ir.children(node))
    if len(operands) != 2 or not all(isinstance(each, ir.Ref) for each in operands):
        told = "PROPERTY_EXISTS takes a variable and the name of a property"
        references.findings.report("property predicate", told, node.span, "write PROPERTY_EXISTS(n, name)")
        return
    element, named = operands
    variable = _variable(references, element)
    if variable is not None and isinstance(named, ir.Ref):
        references.check_property_named(variable, named)
