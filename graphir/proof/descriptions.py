"""Disagreements in words and as documents."""

from __future__ import annotations

from typing import Any

from graphir.proof.answers import Answer
from graphir.proof.disagreements import Disagreement
from graphir.reports.results import rows_of
from graphir.values.text import text as literal


def against(found: Disagreement) -> str:
    """Who gives what, in a line."""
    verdict = found.verdict
    several = len(found.questions) > 1
    groups = []
    for group in verdict.groups:
        names = [named(verdict.answers[at], several=several) for at in group]
        answer = verdict.answers[group[0]]
        groups.append(f"{', '.join(names)}: {_said(answer)}")
    return f"{'some fail' if verdict.status == 'failing' else 'different rows'}: {' | '.join(groups)}"


def named(answer: Answer, *, several: bool) -> str:
    """The name of an answer: its engine, and its query where there are several."""
    return f"query {answer.question + 1} on {answer.engine}" if several else answer.engine


def _said(answer: Answer) -> str:
    """An answer in a few words."""
    if answer.finding is not None:
        return f"fails ({answer.finding.code})"
    rows = answer.result.rows if answer.result is not None else []
    if len(rows) != 1:
        return f"{len(rows) or 'no'} rows"
    shown = ", ".join(map(literal, rows[0]))
    return f"({shown})" if len(shown) < 60 else "1 row"


def document(found: Disagreement, text: str | None) -> dict[str, Any]:
    """The disagreement as a document of JSON, with its script if there is one."""
    answers = [
        {
            "engine": answer.engine,
            "query": answer.question + 1,
            "kind": answer.kind,
            **({"rows": rows_of(answer.result)} if answer.result is not None else {}),
            **({"fault": answer.finding.message} if answer.finding is not None else {}),
        }
        for answer in found.verdict.answers
    ]
    return {
        "queries": [{"query": each.text, "dialect": each.spoken or each.dialect} for each in found.questions],
        "graph": found.graph.to_dict(),
        "answers": answers,
        "groups": [list(group) for group in found.verdict.groups],
        "odd": [named(answer, several=len(found.questions) > 1) for answer in found.verdict.odd],
        "reason": found.verdict.comparison.reason if found.verdict.comparison is not None else None,
        "script": text,
    }
