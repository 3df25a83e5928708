"""How results and queries are judged: rows compared, published scores recomputed.

`rows_equal` compares two results, by default strictly (`strict.py`) or as a published evaluator does (`published.py`).
`references.py` asks an engine which other rows a query might as well have given, `provenance.py` which nodes it looked
at.  Knows engines by their `run` alone.
"""

from __future__ import annotations

from graphir.evaluation.comparison import COMPARATORS, rows_equal
from graphir.evaluation.provenance import Similarity, psjs
from graphir.evaluation.published import PRESETS, Preset, Scores, answer_scores
from graphir.evaluation.references import reference
from graphir.evaluation.rows import Comparison, Reference, Rows
from graphir.evaluation.strict import Strict

__all__ = [
    "COMPARATORS",
    "PRESETS",
    "Comparison",
    "Preset",
    "Reference",
    "Rows",
    "Scores",
    "Similarity",
    "Strict",
    "answer_scores",
    "psjs",
    "reference",
    "rows_equal",
]
