"""Tasks that the tests of the pipeline run in worker processes, and a program that runs one on a file.

python -m tests.corpus_tasks IN OUT [resume]
"""

import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphir.corpora import formats, pipeline
from graphir.corpora.work import Job, Outcome
from graphir.diagnostics import diagnose
from graphir.source import Source, Span

JOB = Job("tests.corpus_tasks:shout", "query", {}, ("loud",))
IDENTITY = {"task": "shout"}


def shout(text: str, options: Mapping[str, Any]) -> Outcome:
    """The text in capitals; some words make it slow, fail, or end the process."""
    if text == "raise":
        raise ZeroDivisionError("as asked")
    if text == "exit":
        os._exit(7)
    if text == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if text == "print":
        print("not a batch")
    if text == "slow":
        time.sleep(0.002)
    if text == "bad":
        return Outcome([diagnose(Source(text), "G001", "bad", Span(0, 3))], {}, ["word"])
    return Outcome([], {"loud": text.upper() + options.get("mark", "")}, ["word", *text[:1]])


def main() -> None:
    source, target, *rest = sys.argv[1:]
    pipeline.RECORD_INTERVAL = 0.02
    with formats.open_corpus(Path(source), "jsonl", field="query", dialect="neo4j-25") as corpus:
        finished = pipeline.write_rows(
            corpus.rows, JOB, Path(target), workers=2, identity=IDENTITY, resume="resume" in rest
        )
    print(finished.report.rows, finished.report.constructs["word"])


if __name__ == "__main__":
    main()
