"""Proofs of the queries of a corpus: each against several engines, against another query or its translation.

The engines are opened when a row first needs them and kept, all but the embedded one in processes of their own.  Graphs
are those that are given, or random ones for the query of each row.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from graphir.backends.engines.foreign import graph_of
from graphir.backends.engines.registry import KINDS, examine
from graphir.corpora.formats import CorpusError
from graphir.corpora.runs import source_of
from graphir.corpora.schemas import Schemas
from graphir.corpora.work import Outcome
from graphir.diagnostics import GraphirError, usage_fault
from graphir.graphs import PropertyGraph
from graphir.nearest import proposals
from graphir.proof import Panel, Proof, Question, prove, samples, translated
from graphir.proof.disagreements import Asking
from graphir.values.json import from_json


class Prove:
    """What came of the query of a row: `proof`, a document, or with the option `plain` a text.

    Options: `from` (dialect), `engines`, `opening` (options of engines by name), `graph` or `graphs`, `seed` and `size`
    (random ones), `parameters`, `parameters_field`; `same_as` or `same_as_field` with `same_as_dialect` (another
    query), `to` and `on` (its translation, and the engines that are asked it), and the options of schemas.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = options
        self._schemas = Schemas(options)
        others = [name for name in options["engines"] if name != "duckdb"]
        self._panel = Panel(options["engines"], options.get("opening"), apart=others)
        atexit.register(self._panel.close)
        self._parameters = {key: from_json(value) for key, value in options.get("parameters", {}).items()}
        self._graph: PropertyGraph | None = None

    def __call__(self, text: str, row: Mapping[str, Any]) -> Outcome:
        schema, faults = self._schemas.of(row)
        if faults:
            return Outcome(faults)
        try:
            questions = self._questions(text, row)
            for question in questions:
                question.examine()
            asking = self._asking(questions[0])
            given = self._given(schema)
            graphs: Iterable[PropertyGraph] = (
                [given] if given is not None else samples(questions, **self._numbers(), schema=schema)
            )
            proof = prove(questions, graphs, self._panel, asking)
        except GraphirError as error:
            return Outcome(error.diagnostics)
        return Outcome(proof.diagnostics, {"proof": self._shown(proof)})

    def _numbers(self) -> dict[str, int]:
        return {"count": self._options["graphs"], "seed": self._options["seed"], "size": self._options["size"]}

    def _shown(self, proof: Proof) -> Any:
        if self._options.get("plain"):
            lines = [proof.told, *proof.notes, *([f"not answered: {proof.why_silent}"] if proof.silent else [])]
            return proof.script.rstrip("\n") if proof.script else "\n  ".join(lines)
        return proof.to_json()

    def _questions(self, text: str, row: Mapping[str, Any]) -> list[Question]:
        options = self._options
        field = options.get("parameters_field")
        parameters = {**self._parameters, **from_json((row.get(field) if field else None) or {})}
        questions = [Question(text, options["from"], parameters)]
        other = options.get("same_as")
        if (named := options.get("same_as_field")) is not None:
            other = row.get(named)
            if not isinstance(other, str):
                raise usage_fault("G091", f"the row names no other query: it has no text under {named!r}")
        if other is not None:
            questions.append(Question(other, options["same_as_dialect"], parameters))
        return questions

    def _asking(self, question: Question) -> Asking | None:
        to = self._options.get("to")
        return translated(question, to, self._panel, self._options.get("on", ())) if to is not None else None

    def _given(self, schema: Any) -> PropertyGraph | None:
        """The graph that the options name, read once."""
        if self._graph is None and self._options.get("graph"):
            self._graph = graph_of(source_of(self._options["graph"]), schema)
        return self._graph


def check_engines(names: Iterable[str]) -> None:
    """Whether the engines are known and installed.  Raises CorpusError."""
    for name in names:
        if name not in KINDS:
            raise CorpusError(f"unknown engine {name!r}{proposals(name, KINDS) or ';'} known: {', '.join(KINDS)}")
        status = examine(KINDS[name])
        if not status.usable:
            raise CorpusError(f"the engine {name} is not usable here: {status.reason} ({status.kind.install})")


def check_graph(source: str) -> None:
    """Whether the graph can be read at all.  Raises UsageFault, and OSError."""
    argument = source_of(source)
    if isinstance(argument, Path) and not argument.exists():
        raise CorpusError(f"{argument}: no such file or folder")
