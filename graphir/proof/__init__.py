"""Proof by running: whether engines, queries and translations give the same rows, and the smallest case where not.

    from graphir.proof import Panel, Question, prove, samples

    with Panel(["duckdb", "kglite"]) as panel:
        question = Question("MATCH (a:Person)-[:KNOWS]-(b) RETURN a.name")
        print(prove([question], samples([question], 50), panel).told)

`judge` compares the answers of several engines on one graph, `shrink` makes a query and a graph small while something
stays true of them, `script` writes a disagreement down as a program.  Knows engines by their protocol.
"""

from __future__ import annotations

from graphir.proof.answers import Answer
from graphir.proof.disagreements import Disagreement, minimal
from graphir.proof.panels import Panel
from graphir.proof.proofs import Proof, prove, translated
from graphir.proof.questions import Question
from graphir.proof.samples import samples
from graphir.proof.scripts import create_statement, script
from graphir.proof.shrinking import Shrunk, shrink, shrink_graph
from graphir.proof.verdicts import Verdict, judge

__all__ = [
    "Answer",
    "Disagreement",
    "Panel",
    "Proof",
    "Question",
    "Shrunk",
    "Verdict",
    "create_statement",
    "judge",
    "minimal",
    "prove",
    "samples",
    "script",
    "shrink",
    "shrink_graph",
    "translated",
]
