"""Whether a query has the same rows on several engines, as another query, as its translation: over many graphs.

A proof ends at the first graph on which the rows differ; the disagreement is then made small.  It rests on graphs on
which there are rows: without one nothing is proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from graphir import api
from graphir.diagnostics import Diagnostic, RunFault, UsageFault, diagnose, usage_fault
from graphir.dialects import DIALECTS
from graphir.graphs import PropertyGraph
from graphir.nearest import proposals
from graphir.proof.descriptions import against, document
from graphir.proof.disagreements import Asking, Disagreement, alone, minimal
from graphir.proof.panels import Panel, speaks
from graphir.proof.questions import Question
from graphir.proof.scripts import script
from graphir.proof.verdicts import Status, Verdict, judge
from graphir.source import Source

GRAPHS = 50
"""How many random graphs a proof tries."""

Outcome = Literal["same", "different", "failing", "open", "nothing", "unanswered"]
_CODES: dict[str, tuple[str, Any]] = {
    "different": ("G670", "error"),
    "failing": ("G671", "error"),
    "nothing": ("G672", "warning"),
    "unanswered": ("G673", "warning"),
    "open": ("G674", "warning"),
}


@dataclass(slots=True)
class Proof:
    """What came of asking on many graphs.

    `verdicts` counts graphs by status, `filled` those with the same rows where there were some.  `answered`
    counts graphs by engine, `silent` answers that say nothing: (engine, kind, why).  `notes` say how rows compared.
    """

    questions: tuple[Question, ...]
    engines: tuple[str, ...]
    graphs: int = 0
    filled: int = 0
    verdicts: Counter[Status] = field(default_factory=Counter)
    silent: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    notes: dict[str, None] = field(default_factory=dict)
    openings: dict[str, None] = field(default_factory=dict)
    reopened: tuple[str, ...] = ()
    disagreement: Disagreement | None = None
    script: str | None = None

    @property
    def outcome(self) -> Outcome:
        """`same` rows on some graph with rows; `different` or `failing` on one; `open`: only differences that the query
        allows, and nothing else; `unanswered`: never two answers; `nothing`: no graph with rows."""
        if self.disagreement is not None:
            return "failing" if self.disagreement.verdict.status == "failing" else "different"
        if self.filled:
            return "same"
        if self.verdicts["open"]:
            return "open"
        return "nothing" if self.verdicts["same"] else "unanswered"

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The finding, if there is one, and engines that were lost on the way."""
        source = Source(self.questions[0].text)
        found = []
        if self.outcome in _CODES:
            code, severity = _CODES[self.outcome]
            found.append(diagnose(source, code, self.told, severity=severity))
        for name in self.reopened:
            told = f"{name} was lost and opened again"
            found.append(diagnose(source, "G675", told, severity="info"))
        return found

    @property
    def told(self) -> str:
        """The outcome in a line."""
        same = self.verdicts["same"]
        asked = f"{same} graph{'s' if same != 1 else ''}"
        match self.outcome:
            case "same":
                return f"the same rows on {asked}, {self.filled} of them with rows: {', '.join(self._who())}"
            case "different" | "failing":
                assert self.disagreement is not None
                return f"{against(self.disagreement)} (on graph {self.graphs})"
            case "open":
                return f"nothing can be said: {'; '.join(self.openings)}"
            case "nothing":
                return f"nothing is proved: none of {asked} gives the query a row"
            case _:
                return f"there are no two answers to compare: {self.why_silent or 'one engine was asked one query'}"

    def _who(self) -> Iterator[str]:
        """The engines that answered, and on how many graphs where that is not all."""
        for name in self.engines:
            if count := self.answered[name]:
                yield name if count == self.graphs else f"{name} (answered on {count} of {self.graphs})"

    @property
    def why_silent(self) -> str:
        """Who did not answer, and why, in a line."""
        told = [f"{engine}: {why}" for (engine, _, why), _ in self.silent.most_common()]
        return "; ".join(told)

    def require(self) -> None:
        """Raise RunFault with the finding unless the rows are the same and there were some."""
        if self.outcome != "same":
            raise RunFault(self.diagnostics)

    def to_json(self) -> dict[str, Any]:
        """The proof as a document."""
        row: dict[str, Any] = {
            "outcome": self.outcome,
            "told": self.told,
            "engines": list(self.engines),
            "graphs": self.graphs,
            "with_rows": self.filled,
            "verdicts": dict(self.verdicts),
            "answered": dict(self.answered),
            "silent": [
                {"engine": engine, "kind": kind, "why": why, "graphs": count}
                for (engine, kind, why), count in self.silent.most_common()
            ],
            "notes": list(self.notes),
        }
        if len(self.questions) > 1:
            row["queries"] = [{"query": each.text, "dialect": each.spoken or each.dialect} for each in self.questions]
        return row if self.disagreement is None else {**row, "disagreement": document(self.disagreement, self.script)}

    def count(self, verdict: Verdict) -> None:
        """Add what one graph says."""
        self.graphs += 1
        self.verdicts[verdict.status] += 1
        self.filled += bool(verdict.agree and verdict.rows)
        self.notes.update(dict.fromkeys(verdict.notes))
        if verdict.opening is not None and verdict.status == "open":
            self.openings[verdict.opening] = None
        self.answered.update({answer.engine for answer in verdict.answers if answer.counts})
        for answer in verdict.answers:
            if answer.finding is not None and not answer.counts:
                why = " ".join(answer.finding.message.split())
                self.silent[answer.engine, answer.kind, f"{answer.finding.code} {why}"] += 1


# ------------------------------------------------------------------ what is asked


def translated(question: Question, to: str, panel: Panel, on: Sequence[str]) -> Asking:
    """Asking a question and its translation, on the engines `on`.

    A dialect that graphir reads is translated into and read back, so that any engine can be asked; one that it only
    writes needs engines that speak it.  Raises UsageFault where an engine cannot be opened.
    """
    if to not in DIALECTS:
        meant = proposals(to, DIALECTS) or ";"
        raise usage_fault("G091", f"unknown dialect {to!r}{meant} known: {', '.join(DIALECTS)}")
    if DIALECTS[to].family == "cypher":

        def asking(each: Question) -> Sequence[Question]:
            text = api.translate(each.text, each.dialect, to)
            return each, replace(each, text=text, dialect=to, among=tuple(on) or each.among)

        return asking
    speakers = tuple(name for name in on or panel.names if speaks(panel.engine(name), to))
    if not speakers:
        raise _no_speaker(to, on or panel.names)
    others = tuple(name for name in panel.names if name not in speakers) or speakers
    return lambda each: (replace(each, among=others), replace(each, spoken=to, among=speakers))


def _no_speaker(dialect: str, names: Sequence[str]) -> UsageFault:
    return usage_fault("G677", f"none of the engines {', '.join(names)} is asked in {dialect}")


def prove(
    questions: Sequence[Question],
    graphs: Iterable[PropertyGraph],
    panel: Panel,
    asking: Asking | None = None,
) -> Proof:
    """Ask all questions on all graphs until the answers differ, and make the difference small.

    `asking` makes the questions of the first of `questions`, which is then cut as well as the graph.  One question that
    several engines are asked is cut in any case.  Raises what `judge` raises.
    """
    asked = tuple(questions if asking is None else asking(questions[0]))
    if asking is None and len(asked) == 1:
        asking = alone
    proof = Proof(asked, panel.names)
    lost = panel.reopened.copy()
    for graph in graphs:
        verdict = judge(asked, graph, panel)
        proof.count(verdict)
        if verdict.disagree:
            proof.disagreement = minimal(asked, graph, verdict, panel, asking)
            proof.script = script(proof.disagreement, panel)
            break
    proof.reopened = tuple(panel.reopened - lost)
    return proof
