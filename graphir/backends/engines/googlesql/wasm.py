"""The library as an instance of WebAssembly: calls of its service, its memory, and a new instance where one has fallen.

Compiling takes 15 to 30 seconds and a gigabyte of memory, once for a user: the result is kept in the cache folder.
Knows no statement and no catalog.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graphir.backends.engines.googlesql.protos import Message
from graphir.backends.engines.googlesql.refusals import Crash, status

wasmtime: Any = import_module("wasmtime")

_STACK = 2 << 20
"""Bytes; wasmtime allows no more."""
_ZONES = "/usr/share/zoneinfo"
_SHARED: list[tuple[Any, Any]] = []
"""What is compiled, for all instances of this process."""


def cache_folder() -> Path:
    """Where the compiled library is kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphir"


class Room:
    """A thread with a stack of its own for what goes deep.  The stack of the main thread may be smaller than it looks:
    a JVM in this process keeps most of it."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None

    def run(self, work: Callable[[], int]) -> int:
        if self._thread is None:
            before = threading.stack_size(8 * _STACK)
            self._thread = ThreadPoolExecutor(1, "googlesql")
            self._thread.submit(int).result()
            threading.stack_size(before)
        return self._thread.submit(work).result()


_ROOM = Room()


class Instance:
    """One instance; not safe for threads.  `generation` counts those that were made in its place."""

    def __init__(self) -> None:
        if not _SHARED:
            _SHARED.append(_compiled())
        self._engine, self._module = _SHARED[0]
        self.generation = 0
        self.reset()

    def reset(self) -> None:
        """Begin anew, with empty memory."""
        wasi = wasmtime.WasiConfig()
        zones = _zones()
        if zones is not None:
            wasi.preopen_dir(str(zones), _ZONES)
        self._store = wasmtime.Store(self._engine)
        self._store.set_wasi(wasi)
        linker = wasmtime.Linker(self._engine)
        linker.define_wasi()
        self._exports = linker.instantiate(self._store, self._module).exports(self._store)
        self._memory: Any = self._exports["memory"]
        # It is shared memory: where it begins does not change when it grows.
        self._start = ctypes.addressof(self._memory.data_ptr().contents)
        self._invoke("_initialize")
        self.generation += 1

    def call(self, method: str, request: Message, response: type[Message]) -> Message:
        """Call a method of the service.  Raises Refusal; Crash where the instance fell and was replaced."""
        try:
            return self._call(method, request.SerializeToString(), response)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as trap:
            self.reset()
            raise Crash(f"the evaluator fell: {str(trap).partition(chr(10))[0]}") from None

    def _call(self, method: str, data: bytes, response: type[Message]) -> Message:
        sent, size = self.allocate(max(1, len(data))), self.allocate(4)
        self.write(sent, data)
        found = _ROOM.run(lambda: self._invoke(f"ZetaSqlLocalService_{method}", sent, len(data), size)) & 0xFFFFFFFF
        refusal = None
        answer = b""
        if found:
            answer = self.read(found, self.word(size))
            self._invoke("wasm_free", found)
        else:
            length = self._invoke("wasm_get_last_error_size")
            told = self.read(self._invoke("wasm_get_last_error") & 0xFFFFFFFF, length) if length else b""
            refusal = status(told.decode("utf-8", "replace"))
        self._invoke("wasm_free", sent)
        self._invoke("wasm_free", size)
        if refusal is not None:
            raise refusal
        return response.FromString(answer)

    def _invoke(self, name: str, *arguments: int) -> int:
        function: Any = self._exports[name]
        found = function(self._store, *arguments)
        return int(found or 0)

    # -------------------------------------------------------------- memory

    def allocate(self, size: int) -> int:
        return self._invoke("wasm_malloc", size) & 0xFFFFFFFF

    def read(self, place: int, size: int) -> bytes:
        return ctypes.string_at(self._start + place, size)

    def write(self, place: int, data: bytes) -> None:
        ctypes.memmove(self._start + place, data, len(data))

    def word(self, place: int) -> int:
        """Four bytes as a number."""
        return int.from_bytes(self.read(place, 4), "little")

    def write_word(self, place: int, number: int) -> None:
        self.write(place, number.to_bytes(4, "little"))

    def size(self) -> int:
        return int(self._memory.data_len())


def _zones() -> Path | None:
    """The time zones of the package tzdata: the library reads them as files."""
    found = find_spec("tzdata")
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]) / "zoneinfo"


def _compiled() -> tuple[Any, Any]:
    config = wasmtime.Config()
    config.shared_memory = True
    config.max_wasm_stack = _STACK
    engine = wasmtime.Engine(config)
    source = Path(import_module("zetasql.wasi").get_wasm_path())
    seen = source.stat()
    mark = f"{source}{seen.st_size}{seen.st_mtime}{version('wasmtime')}{sys.platform}"
    folder = cache_folder()
    kept = folder / f"googlesql-{hashlib.sha256(mark.encode()).hexdigest()[:16]}.cwasm"
    found = _kept(engine, kept)
    if found is not None:
        return engine, found
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(kept.with_suffix(".lock")):
        found = _kept(engine, kept)
        if found is None:
            found = wasmtime.Module.from_file(engine, str(source))
            made = kept.with_suffix(f".{os.getpid()}")
            made.write_bytes(found.serialize())
            made.replace(kept)
    return engine, found


def _kept(engine: Any, file: Path) -> Any:
    """The module in the cache; None where there is none that this version can use."""
    if not file.exists():
        return None
    try:
        return wasmtime.Module.deserialize_file(engine, str(file))
    except wasmtime.WasmtimeError:
        return None


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Only one process at a time compiles; the file is replaced at once, so that without locks it is safe, too."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with file.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
