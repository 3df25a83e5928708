"""`rows_equal`: two results compared, strictly or as a published evaluator does."""

from __future__ import annotations

from collections.abc import Sequence

from graphir.diagnostics import usage_fault
from graphir.evaluation import strict
from graphir.evaluation.published import PRESETS, Asked
from graphir.evaluation.rows import Comparison, Reference, Rows, Table, table
from graphir.evaluation.strict import Strict

COMPARATORS = ("strict", *PRESETS)
"""The names that `rows_equal` takes."""


def rows_equal(
    expected: Rows | None,
    found: Rows | None,
    comparator: str | Strict = "strict",
    *,
    ordered: bool | Sequence[str | int] | None = None,
    query: str | None = None,
) -> Comparison:
    """Whether two results are equal, and if not, where they first differ.

    A result is what a session gives, or a list of rows (tuples, lists, mappings); None is the result of a query that
    failed, and equal to nothing.  `comparator` is a name of `COMPARATORS`, or `Strict` with options.

    `ordered`: rows are a bag (False, the default), a sequence (True), or a sequence of ties, given the columns of the
    sort keys by name or index: rows with the same keys may change places.  Where the keys are no columns, or LIMIT
    leaves a choice, take as `expected` what `reference` gives.  `query` is the text of the expected query: published
    comparators look into it.  Raises UsageFault (G091).

    >>> rows_equal([(1, "a"), (2, "b")], [("b", 2), ("a", 1)]).permutation
    (1, 0)
    >>> rows_equal([{"n": 1}], [{"n": 1.0}]).reason
    'the values differ: row 1, column n'
    >>> bool(rows_equal([{"n": 1}], [{"n": 1.0}], "cypherbench"))
    True
    """
    preset = None if isinstance(comparator, Strict) or comparator == "strict" else PRESETS.get(comparator)
    if preset is None and not isinstance(comparator, Strict) and comparator != "strict":
        raise usage_fault("G091", f"unknown comparator {comparator!r}; known: {', '.join(COMPARATORS)}")
    if isinstance(ordered, str):
        raise usage_fault("G091", "`ordered` is a truth value or a list of columns")
    if expected is None or found is None:
        return Comparison(False, f"the {'expected' if expected is None else 'found'} query failed")
    right = table(found)
    if preset is not None:
        given = None if ordered is None else bool(ordered)
        return preset.compare(Asked(table(expected), right, query, given))
    options = comparator if isinstance(comparator, Strict) else Strict()
    left: Table | Reference = expected if isinstance(expected, Reference) else table(expected)
    return strict.compare(left, right, options, False if ordered is None else ordered)
