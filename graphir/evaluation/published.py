"""Comparators as published evaluators have them, quirks included, so that their figures can be recomputed.

Each is described with its source in its `Preset`.  What the evaluators see is what the neo4j driver makes of a result:
`driver.py` makes the same of ours.  Where a published evaluator fails (an exception), the results are unequal.

Knows no engine; what the evaluators do before they have two results (timeouts, gates, texts that are the same) is said
in `notes` and left to whoever runs the queries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from graphir.evaluation.columns import permutation
from graphir.evaluation.driver import data, iso, texts
from graphir.evaluation.rows import Comparison, Row, Rows, Table, table
from graphir.values.dates import Date
from graphir.values.durations import Duration
from graphir.values.points import Point

Keys = Sequence[Hashable]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a preset: two results, the text of the expected query if it is known, and whether order counts
    (None: as the text says)."""

    expected: Table
    found: Table
    query: str | None
    ordered: bool | None


@dataclass(frozen=True, slots=True)
class Preset:
    """A published comparator: where it was published, what it does, what it leaves to its surroundings."""

    name: str
    source: str
    summary: str
    notes: str
    compare: Callable[[Asked], Comparison]


# ------------------------------------------------------------------ cypherbench


def _cypherbench(asked: Asked) -> Comparison:
    """A bag of rows, any permutation of columns, Python's equality; lists are sorted."""
    try:
        found = [tuple(map(_sorted_view, row)) for row in data(asked.found)]
    except TypeError as error:
        return Comparison(False, f"the published evaluator cannot hash a found value: {error}")
    try:
        expected = [tuple(map(_sorted_view, row)) for row in data(asked.expected)]
    except TypeError as error:
        return Comparison(False, f"the published evaluator fails on an expected value: {error}")
    if not expected and not found:
        return Comparison(True, "both are empty")
    if len(expected) != len(found):
        return _of_counts(expected, found)
    if len(expected[0]) != len(found[0]):
        return Comparison(False, "the numbers of columns differ", None, None, len(expected[0]), len(found[0]))
    ordered = asked.ordered if asked.ordered is not None else "order by" in (asked.query or "").lower()
    left, right = list(map(_by_texts, expected)), list(map(_by_texts, found))
    if ordered and left != right:
        return _in_order(asked, left, right)
    if not ordered and set(left) != set(right):
        return _by_sets(asked, left, right)

    def fits(mine: Sequence[int], others: Sequence[int]) -> bool:
        one = [tuple([row[at] for at in mine]) for row in expected]
        other = [tuple([row[at] for at in others]) for row in found]
        return one == other if ordered else Counter(one) == Counter(other)

    looks = list(range(len(expected[0])))
    chosen = permutation(asked.expected.columns, asked.found.columns, looks, fits)
    if chosen is not None:
        return Comparison(True, "same rows", permutation=tuple(chosen))
    if ordered:
        return _in_order(asked, expected, found)
    return _by_keys(asked, expected, found, Counter(expected), Counter(found))


def _by_texts(row: Row) -> Row:
    """The values of a row sorted by text and type.  The evaluator first wants these to be equal (`quick_rej`), which
    rejects a few rows that are equal for Python: ('1', true) becomes ('1', true), ('1', 1) becomes (1, '1')."""
    return tuple(sorted(row, key=lambda value: str(value) + str(type(value))))


def _sorted_view(value: Any) -> Any:
    """The hashable view of `to_hashable`: it sorts lists; of temporal values it knows dates, and durations, which
    are tuples in the driver, as points are.

    TypeError where it raises one: lists whose items have no order, maps within tuples, other classes.
    """
    match value:
        case float():
            return value if value == value else float("nan")  # noqa: PLR0124 a NaN like no other
        case tuple():
            hash(value)
            return value
        case None | bool() | int() | str():
            return value
        case Date():
            return str(value)
        case Point():
            return (value.geographic, value.coordinates)
        case Duration():
            return (value.months, value.days, value.seconds, value.nanos)
        case list():
            return tuple(sorted(map(_sorted_view, value)))
        case dict():
            return tuple(sorted([(key, _sorted_view(item)) for key, item in value.items()], key=lambda pair: pair[0]))
        case _:
            raise TypeError(f"unhashable type: {type(value).__name__}")


# ------------------------------------------------------------------ t2gq_driver


def _t2gq_driver(asked: Asked) -> Comparison:
    """Sets of rows by position; floats rounded to nine digits, otherwise Python's equality."""
    expected = [tuple(map(_rounded_view, row)) for row in data(asked.expected)]
    found = [tuple(map(_rounded_view, row)) for row in data(asked.found)]
    return _by_sets(asked, expected, found)


def _rounded_view(value: Any) -> Any:
    match value:
        case float():
            return round(value, 9) if value == value else float("nan")  # noqa: PLR0124 a NaN like no other
        case None | bool() | int() | str():
            return value
        case list() | tuple():
            return tuple(map(_rounded_view, value))
        case Point():
            return tuple(map(_rounded_view, value.coordinates))
        case Duration():
            return (value.months, value.days, value.seconds, value.nanos)
        case dict():
            return tuple([(key, _rounded_view(value[key])) for key in sorted(value)])
        case _:
            return str(iso(value))


# ------------------------------------------------------------------ tugraph_legacy


def _tugraph_legacy(asked: Asked) -> Comparison:
    """Sorted texts of the rows, names included; with SKIP or LIMIT in the expected query only their number."""
    if any(word in (asked.query or "") for word in ("SKIP", "LIMIT")):
        if len(asked.expected.rows) == len(asked.found.rows):
            return Comparison(True, "same number of rows, which is all that is compared under SKIP or LIMIT")
        return _of_counts(asked.expected.rows, asked.found.rows)
    expected = [str(dict(zip(asked.expected.columns, row, strict=True))) for row in data(asked.expected)]
    found = [str(dict(zip(asked.found.columns, row, strict=True))) for row in data(asked.found)]
    return _by_keys(asked, expected, found, Counter(expected), Counter(found))


# ------------------------------------------------------------------ cypherturn


def _cypherturn(asked: Asked) -> Comparison:
    """A bag of rows by column name, every value as its `str()`."""
    if len(asked.expected.rows) != len(asked.found.rows):
        return _of_counts(asked.expected.rows, asked.found.rows)
    if not asked.expected.rows:
        return Comparison(True, "both are empty")
    if sorted(asked.expected.columns) != sorted(asked.found.columns):
        return Comparison(
            False, "the names of the columns differ", None, None, asked.expected.columns, asked.found.columns
        )
    expected, found = (_texts_by_name(given) for given in (asked.expected, asked.found))
    return _by_keys(asked, expected, found, Counter(expected), Counter(found))


def _texts_by_name(given: Table) -> list[tuple[str, ...]]:
    order = sorted(range(len(given.columns)), key=lambda at: given.columns[at])
    return [tuple([row[at] for at in order]) for row in texts(given)]


# ------------------------------------------------------------------ pipe


def _pipe(asked: Asked) -> Comparison:
    """Sets of rows; rows of one column have no name."""
    expected, found = _pipe_keys(asked.expected), _pipe_keys(asked.found)
    return _by_sets(asked, expected, found)


def _pipe_keys(given: Table) -> list[tuple[tuple[str, str], ...]]:
    if len(given.columns) == 1:
        return [(("_scalar", row[0]),) for row in texts(given)]
    return [tuple(sorted(zip(given.columns, row, strict=True))) for row in texts(given)]


@dataclass(frozen=True, slots=True)
class Scores:
    """The overlap of two answers as sets of rows, between 0 and 1."""

    precision: float
    recall: float
    f1: float
    jaccard: float


def answer_scores(expected: Rows, found: Rows) -> Scores:
    """Precision, recall, F1 and Jaccard index of the row keys of `pipe`: PIPE-Cypher's answer-set F1.

    Both empty: all 1.  One empty: all 0.

    >>> answer_scores([{"a": 1}, {"a": 2}], [{"b": 2}]).f1
    0.6666666666666666
    """
    wanted, given = set(_pipe_keys(table(expected))), set(_pipe_keys(table(found)))
    if not wanted and not given:
        return Scores(1.0, 1.0, 1.0, 1.0)
    both = len(wanted & given)
    if not both:
        return Scores(0.0, 0.0, 0.0, 0.0)
    precision, recall = both / len(given), both / len(wanted)
    return Scores(precision, recall, 2 * precision * recall / (precision + recall), both / len(wanted | given))


# ------------------------------------------------------------------ verdicts


def _of_counts(expected: Sequence[Any], found: Sequence[Any]) -> Comparison:
    return Comparison(False, f"{len(expected)} rows are expected, {len(found)} found")


def _by_sets(asked: Asked, expected: Keys, found: Keys) -> Comparison:
    return _by_keys(asked, expected, found, Counter(set(expected)), Counter(set(found)))


def _by_keys(
    asked: Asked, expected: Keys, found: Keys, wanted: Counter[Hashable], given: Counter[Hashable]
) -> Comparison:
    """Equal when the counts of the keys are; else the first row whose key is not among the others."""
    if wanted == given:
        return Comparison(True, "same rows")
    for row, key in enumerate(expected):
        if wanted[key] > given[key]:
            told = "an expected row is not found" if not given[key] else "a row is expected more often than it is found"
            return Comparison(False, told, row, None, asked.expected.rows[row], None)
    for row, key in enumerate(found):
        if given[key] > wanted[key]:
            told = "a found row is not expected" if not wanted[key] else "a row is found more often than it is expected"
            return Comparison(False, told, row, None, None, asked.found.rows[row])
    return Comparison(False, "the rows differ")


def _in_order(asked: Asked, expected: Sequence[Row], found: Sequence[Row]) -> Comparison:
    row = next((at for at, pair in enumerate(zip(expected, found, strict=True)) if pair[0] != pair[1]), 0)
    return Comparison(
        False, f"the rows differ from row {row + 1} on", row, None, asked.expected.rows[row], asked.found.rows[row]
    )


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "cypherbench",
            "megagonlabs/cypherbench, cypherbench/metrics/execution_accuracy.py",
            "A bag of rows under any permutation of columns, names ignored; a sequence if the lower-cased expected "
            "query contains `order by`, be it in a string or a subquery.  Values by Python's equality (1 = 1.0 = "
            "true), without tolerance; lists are sorted, nodes are their properties, dates ISO texts.  Edges, most "
            "paths, times, datetimes, and lists whose items have no order in Python are unequal to everything.",
            "Queries whose texts are the same are equal without being run; the found query has 120 s.",
            _cypherbench,
        ),
        Preset(
            "t2gq_driver",
            "TuGraph-family/text2graphquery-driver, impl/evaluation/metrics.py at e5fc112",
            "Sets of rows, columns by position, order never respected.  Floats are rounded to nine digits, 1 = 1.0 = "
            "true; temporal values are ISO texts, nodes their properties.",
            "A query that is empty or fails is wrong and counts.  The pipeline passed no databases, so that its total "
            "was always 0.  Later revisions compare bags, and sequences if the *found* query contains `order by`.",
            _t2gq_driver,
        ),
        Preset(
            "tugraph_legacy",
            "eosphoros-ai/DB-GPT-Hub, dbgpt_hub_gql/eval/evaluator/impl/tugraph-db/execution_evaluator.py",
            "Sorted texts of the rows as Python prints them, names and order of columns included.  If the expected "
            "query contains SKIP or LIMIT in capitals, only the numbers of rows are compared.",
            "The found query has 10 s; an expected query that fails scores -1, which later sums count as 0.",
            _tugraph_legacy,
        ),
        Preset(
            "cypherturn",
            "BarryQ/CypherTurn, graph_eval_utils/metrics/execution_accuracy.py",
            "A bag of rows, order never respected.  Columns by name, which must be the same ones; values as str() of "
            "the driver's values, so that 1 = '1', null = 'None' and 1 is not 1.0; a path is its ends and its length.",
            "Any exception scores 0; each query has 120 s.",
            _cypherturn,
        ),
        Preset(
            "pipe",
            "suraj-ranganath/PIPE-Cypher, evaluation: answer_set_scores",
            "Sets of rows, columns by name in any order; a single column has no name.  Values as str() of the "
            "driver's values.",
            "The found query must pass the read-only and schema gates and run, else it scores 0.",
            _pipe,
        ),
    )
}
"""Name -> published comparator."""
