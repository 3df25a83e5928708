"""CASE with tests that are written without its subject, as conditions.  Knows no target."""

from __future__ import annotations

from graphir import ir


def asks_subject(node: ir.Node) -> bool:
    """Whether a test stands for one of the subject: `WHEN > 3`."""
    return ir.holds(node, ir.CaseSubject)


def condition_of(branch: ir.Branch, subject: ir.Expression | None) -> ir.Expression:
    """The tests of a WHEN as one condition."""
    if subject is None:
        return branch.tests[0]
    given = subject
    tests: list[ir.Expression] = []
    for test in branch.tests:
        if asks_subject(test):
            tests.append(ir.rewrite(test, lambda part: given if isinstance(part, ir.CaseSubject) else part))
        else:
            tests.append(ir.Apply("eq", (given, test), span=test.span))
    return tests[0] if len(tests) == 1 else ir.Apply("or", tuple(tests))
