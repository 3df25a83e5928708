"""What Cypher and GQL print alike: maps, CASE, label expressions, REMOVE, DELETE.  Knows no dialect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from graphir import ir
from graphir.backends.printing import Handler, Mark, Part, Printer, listed, separated

INDENT, DEDENT = Mark.INDENT, Mark.DEDENT
OPEN, CLOSE, SPACE, EDGE = Mark.OPEN, Mark.CLOSE, Mark.SPACE, Mark.EDGE


def wrapped(node: ir.Node, parentheses: bool) -> list[Part]:
    """The node, in parentheses or not."""
    return ["(", node, ")"] if parentheses else [node]


class PhrasePrinter(Printer):
    """The handlers that both languages have."""

    def keyword(self, node: ir.Keyword) -> Iterable[Part]:
        return [node.name]

    def map_of(self, node: ir.MapOf) -> Iterable[Part]:
        if not node.entries:
            return ["{}"]
        return ["{", OPEN, INDENT, EDGE, *separated(node.entries, [",", SPACE]), DEDENT, EDGE, CLOSE, "}"]

    def case_subject(self, node: ir.CaseSubject) -> Iterable[Part]:
        return []

    def case(self, node: ir.Case) -> Iterable[Part]:
        subject: list[Part] = [" ", node.subject] if node.subject else []
        arms = [part for branch in node.branches for part in (SPACE, branch)]
        default: list[Part] = [SPACE, "ELSE ", node.default] if node.default else []
        return [OPEN, "CASE", *subject, INDENT, *arms, *default, DEDENT, SPACE, "END", CLOSE]

    def branch(self, node: ir.Branch) -> Iterable[Part]:
        return ["WHEN ", *separated(node.tests), " THEN ", node.result]

    def label_any(self, node: ir.LabelAny) -> Iterable[Part]:
        return ["%"]

    def label_not(self, node: ir.LabelNot) -> Iterable[Part]:
        return ["!", *wrapped(node.operand, isinstance(node.operand, (ir.LabelOr, ir.LabelAnd)))]

    def label_or(self, node: ir.LabelOr) -> Iterable[Part]:
        return separated([wrapped(x, isinstance(x, ir.LabelOr)) for x in node.operands], "|")

    def remove(self, node: ir.Remove) -> Iterable[Part]:
        return listed("REMOVE", node.items)

    def remove_property(self, node: ir.RemoveProperty) -> Iterable[Part]:
        return [node.target]

    def delete(self, node: ir.Delete) -> Iterable[Part]:
        return listed("DETACH DELETE" if node.mode == "detach" else "DELETE", node.items)

    handlers: ClassVar[dict[type[ir.Node], Handler]] = {
        ir.Keyword: keyword,
        ir.MapOf: map_of,
        ir.CaseSubject: case_subject,
        ir.Case: case,
        ir.Branch: branch,
        ir.LabelAny: label_any,
        ir.LabelNot: label_not,
        ir.LabelOr: label_or,
        ir.Remove: remove,
        ir.RemoveProperty: remove_property,
        ir.Delete: delete,
    }
