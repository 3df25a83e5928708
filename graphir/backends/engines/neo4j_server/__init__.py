"""A Neo4j of our own: fetched from Maven Central once, served on the loopback address, stopped without a trace.

    with started() as uri:
        with graphir.connect("neo4j", uri=uri) as db: ...

One server runs Cypher 5 and Cypher 25.  Needs Java 21 and Maven.  Its data are gone when it stops.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphir.backends.engines.faults import UNSTARTED, fault
from graphir.diagnostics import UsageFault

VERSION = "2026.08.1"
JAVA = 21
PORT = 17687
HEAP = "1g"
_HERE = Path(__file__).resolve().parent
_OPENED = ("java.lang", "java.io", "java.nio", "sun.nio.ch")


def unavailable(told: str) -> UsageFault:
    found = fault(UNSTARTED, told)
    assert isinstance(found, UsageFault)
    return found


def java_binary() -> str:
    """The newest Java, if it is new enough.  UsageFault (G629)."""
    homes = [os.environ.get("JAVA_HOME", ""), *map(str, sorted(Path("/usr/lib/jvm").glob("*")))]
    candidates = [shutil.which("java"), *(f"{home}/bin/java" for home in homes if home)]
    newest = (0, "")
    for binary in candidates:
        if binary and os.access(binary, os.X_OK):
            shown = subprocess.run([binary, "-version"], capture_output=True, text=True, check=False).stderr
            if found := re.search(r'version "(\d+)', shown):
                newest = max(newest, (int(found[1]), binary))
    if newest[0] < JAVA:
        raise unavailable(f"Neo4j {VERSION} needs Java {JAVA}, found {newest[0] or 'none'}")
    return newest[1]


def libraries() -> Path:
    """The folder of the server's jars; the first call fetches them (150 MB).  UsageFault (G629)."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphir"
    folder = cache / f"neo4j-{VERSION}"
    if folder.exists():
        return folder
    maven = shutil.which("mvn")
    if not maven:
        raise unavailable("Maven is needed to fetch Neo4j")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as fetched:
        command = [
            maven,
            "-q",
            "-B",
            "-f",
            str(_HERE / "pom.xml"),
            f"-Dneo4j={VERSION}",
            "dependency:copy-dependencies",
        ]
        options = [f"-DoutputDirectory={fetched}/jars", "-DincludeScope=runtime"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            raise unavailable("Maven could not fetch Neo4j: " + done.stdout[-500:])
        if not folder.exists():
            Path(fetched, "jars").rename(folder)
    return folder


@contextmanager
def started(port: int = 0, heap: str = HEAP) -> Iterator[str]:
    """Start a server, give its Bolt address, stop it and delete its data.  Port 0 is any that is free.

    UsageFault (G629) if it does not start.
    """
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED]
    with tempfile.TemporaryDirectory(prefix="graphir-neo4j-") as folder, open(f"{folder}/log", "w") as log:
        command = [java_binary(), f"-Xmx{heap}", "--enable-native-access=ALL-UNNAMED", *opened]
        process = subprocess.Popen(
            [*command, "-cp", f"{libraries()}/*", str(_HERE / "Server.java"), f"{folder}/data", str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        assert process.stdin
        assert process.stdout
        try:
            for line in process.stdout:
                if line.startswith("listening "):
                    yield line.split()[1]
                    return
            raise unavailable(f"Neo4j did not start: {_cause(Path(log.name).read_text())}")
        finally:
            process.stdin.close()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _cause(log: str) -> str:
    """What the log says of the first cause of an error; its end if it says none."""
    causes = re.findall(r"^Caused by: (.*)$", log, re.MULTILINE)
    return causes[-1] if causes else log[-500:]


def serve(port: int, heap: str, tell: Callable[[str], None]) -> None:
    """Run a server until it is interrupted; `tell` gets its address.  UsageFault (G629) if it does not start."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with started(port, heap) as uri:
        tell(uri)
        with suppress(KeyboardInterrupt):
            signal.pause()
