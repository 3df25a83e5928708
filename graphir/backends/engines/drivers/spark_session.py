"""A Spark of our own: in this process and its JVM, on two threads, without a trace when the process ends.

It starts once, when the first session asks for it; later ones share it.  Where the process has a Spark already, that
one is used, for a JVM has one only.  Knows no graph and no query.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path as Folder
from typing import Any

from graphir.backends.engines.faults import UNSTARTED, fault

pyspark: Any = import_module("pyspark")
gateways: Any = import_module("pyspark.java_gateway")
sessions: Any = import_module("pyspark.sql")
spark_errors: Any = import_module("pyspark.errors")

JAVA = 17
"""The oldest Java that Spark 4 runs on, and the one that it is made for."""

_QUIET = Folder(__file__).with_name("spark-log4j2.properties")
"""How the JVM logs: without it, warnings of every start."""

_ALONE = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.session.timeZone": "UTC",
}
"""For small data: what pays on a cluster costs ten times the query here."""

EXACT = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.cteRecursionLevelLimit": "-1",
    "spark.sql.cteRecursionRowLimit": "-1",
}
"""What is an error is told as one, and paths may be of any length."""

_started: list[Any] = []


def local_session(memory: str) -> Any:
    """A session with its own tables and settings.  `memory` is that of the JVM, if it is started here.

    UsageFault (G629) where there is no Java, or Spark does not start.
    """
    if not _started:
        running = sessions.SparkSession.getActiveSession()
        _started.append(running if running is not None else _start(memory))
    session = _started[0].newSession()
    for key, value in {**_ALONE, **EXACT}.items():
        session.conf.set(key, value)
    return session


def _start(memory: str) -> Any:
    variables = {"JAVA_HOME": str(java_home()), "SPARK_LOCAL_IP": "127.0.0.1"}
    folder = Folder(tempfile.mkdtemp(prefix="graphir-spark-"))
    settings = {
        "spark.master": "local[2]",
        "spark.app.name": "graphir",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": memory,
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_QUIET.as_uri()} -Djava.io.tmpdir={folder}",
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    conf = pyspark.SparkConf()
    for key, value in settings.items():
        conf.set(key, value)
    try:
        with open(folder / "log", "w") as log, _environment(variables):
            gateway = gateways.launch_gateway(conf, {"stdout": log, "stderr": log})
    except (spark_errors.PySparkException, OSError) as error:
        cause = (folder / "log").read_text(errors="replace").strip().splitlines()[-1:] or [str(error)]
        shutil.rmtree(folder, ignore_errors=True)
        raise fault(UNSTARTED, f"Spark did not start: {cause[0]}", engine="spark") from None
    atexit.register(_stop, gateway, folder)
    context = pyspark.SparkContext(conf=conf, gateway=gateway)
    return sessions.SparkSession(context)


def _stop(gateway: Any, folder: Folder) -> None:
    """End Spark and its JVM, and remove what they wrote."""
    if pyspark.SparkContext._active_spark_context is not None:
        pyspark.SparkContext._active_spark_context.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """The variables of this process with others on top, which the JVM inherits."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def java_home() -> Folder:
    """The home of the oldest Java that is new enough: Spark is slow to take up the newest.  UsageFault (G629).

    JAVA_HOME decides where it is set.
    """
    if chosen := os.environ.get("JAVA_HOME"):
        return Folder(chosen)
    found = shutil.which("java")
    homes = [Folder(found).resolve().parent.parent] if found else []
    homes += sorted(Folder("/usr/lib/jvm").glob("*"))
    usable = [(version, home) for home in homes if (version := _java_version(home / "bin" / "java")) >= JAVA]
    if not usable:
        hint = "install a Java (Debian: apt install default-jre-headless), or set JAVA_HOME"
        raise fault(UNSTARTED, f"Spark needs Java {JAVA} or newer, found none", engine="spark", hint=hint)
    return min(usable, key=lambda each: each[0])[1]


def _java_version(binary: Folder) -> int:
    """The major version; 0 where there is no Java."""
    if not os.access(binary, os.X_OK):
        return 0
    shown = subprocess.run([str(binary), "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', shown)
    return int(found[1]) if found else 0
