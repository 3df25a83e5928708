"""Worker processes: chunks of rows in, finished batches out, in order, with a bounded number under way.

Each worker is a child process that serves one chunk at a time over its standard input and output; a thread of the
parent waits for it.  A worker that dies is replaced, and its chunk is done again row by row, so that only the row it
died on is given up.  When the parent dies, the workers read the end of their input and go.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO

from graphir.corpora.formats import CorpusError, Row
from graphir.corpora.work import Batch, Job, do_rows, give_up, load_task

CHUNK_ROWS = 256
CHUNK_BYTES = 1 << 18
_AHEAD = 3  # chunks under way per worker
_GRACE = 10.0  # seconds between the end of a worker's output and its own
_PLACE = re.compile(r'File "(.+)", line (\d+)')
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from graphir.corpora.pool import serve; serve()"


def chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in lists that are short in number and in bytes."""
    chunk: list[Row] = []
    size = 0
    for row in rows:
        chunk.append(row)
        size += len(row.payload)
        if len(chunk) >= CHUNK_ROWS or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def run_here(rows: Iterable[Row], job: Job) -> Iterator[tuple[list[Row], Batch]]:
    """Do the rows in this process."""
    task = load_task(job)
    for chunk in chunks(rows):
        yield chunk, do_rows(chunk, job, task)


def run_workers(rows: Iterable[Row], job: Job, workers: int) -> Iterator[tuple[list[Row], Batch]]:
    """Do the rows in that many processes; chunks come back in order."""
    pool = [_Worker(job) for _ in range(workers)]
    idle: queue.LifoQueue[_Worker] = queue.LifoQueue()  # those that run already first
    for worker in pool:
        idle.put(worker)

    def work(chunk: list[Row]) -> Batch:
        worker = idle.get()
        try:
            return worker.do(chunk)
        finally:
            idle.put(worker)

    under_way: deque[tuple[list[Row], Future[Batch]]] = deque()
    executor = ThreadPoolExecutor(workers, thread_name_prefix="graphir-worker")
    try:
        for chunk in chunks(rows):
            under_way.append((chunk, executor.submit(work, chunk)))
            if len(under_way) >= workers * _AHEAD:
                done, future = under_way.popleft()
                yield done, future.result()
        while under_way:
            done, future = under_way.popleft()
            yield done, future.result()
    finally:
        for worker in pool:
            worker.stop()
        executor.shutdown(cancel_futures=True)


class _WorkerDied(Exception):
    """The child process ended in the middle of a chunk."""


class _Worker:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._stopped = False
        self._lock = threading.Lock()

    def do(self, chunk: Sequence[Row]) -> Batch:
        try:
            return self._ask(chunk)
        except _WorkerDied as death:
            if len(chunk) == 1:
                return give_up(chunk[0], self._job, str(death))
        whole = self.do(chunk[:1])
        for row in chunk[1:]:
            part = self.do([row])
            whole.lines.extend(part.lines)
            whole.report.merge(part.report)
        return whole

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            self._end()

    def _ask(self, chunk: Sequence[Row]) -> Batch:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(chunk, process.stdin)
            process.stdin.flush()
            batch: Batch = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError, ValueError) as error:
            raise _WorkerDied(self._bury()) from error
        return batch

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None:
            return self._process
        with self._lock:
            if self._stopped:
                raise CorpusError("stopped")
            self._log = tempfile.TemporaryFile()  # noqa: SIM115 closed with the process
            self._process = process = subprocess.Popen(
                [sys.executable, "-I", "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
            )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(self._job, process.stdin)
            process.stdin.flush()
            pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError, ValueError) as error:
            raise CorpusError(f"a worker process does not start: {self._bury()}") from error
        return process

    def _bury(self) -> str:
        """Why the process died: the exception it wrote about, with its place, else how it ended."""
        with self._lock:
            log, process = self._log, self._process
            told = ""
            if process is not None and log is not None:
                _await(process)
                log.seek(max(0, log.seek(0, os.SEEK_END) - 2000))
                told = _last_words(log.read().decode("utf-8", "replace"))
            self._end()
        if told:
            return told
        code = process.returncode if process is not None else 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _end(self) -> None:
        process, self._process = self._process, None
        log, self._log = self._log, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                _close(pipe)
        _close(log)


def _last_words(log: str) -> str:
    """The last line, and the place that a traceback before it names."""
    line = (log.strip().splitlines() or [""])[-1]
    places = _PLACE.findall(log)
    return f"{line} ({Path(places[-1][0]).name}:{places[-1][1]})" if places else line


def _await(process: subprocess.Popen[bytes]) -> None:
    """The end of a process whose output has ended."""
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _close(stream: IO[bytes] | None) -> None:
    try:
        if stream is not None:
            stream.close()
    except OSError:  # what was still to be written to a process that is gone
        return


def serve() -> None:
    """The child process: a job, then chunks, on standard input; batches on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's to handle
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that prints may get between the answers
    job: Job = pickle.load(requests)
    task = load_task(job)
    gc.freeze()  # trees hold no cycles: the collector finds nothing, so it need not look often
    gc.set_threshold(50_000)
    _answer(answers, None)
    while True:
        try:
            chunk: list[Row] = pickle.load(requests)
        except EOFError:
            return
        _answer(answers, do_rows(chunk, job, task))


def _answer(stream: IO[bytes], value: object) -> None:
    pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()
