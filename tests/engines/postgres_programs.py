"""The programs of the PostgreSQL that the tests start: fetched from Maven Central once, of one version everywhere.

    python -m tests.engines.postgres_programs       fetches them

They are those that Java's `embedded-postgres` runs, built to run from any folder.  Where there are none for the
machine, or no Maven, the tests take those that are installed (`graphir.backends.engines.postgres_server.programs`).
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphir.backends.engines.postgres_server import unavailable

VERSION = "18.1.0"
ARCHIVES = {
    ("Linux", "x86_64"): ("linux-amd64", "65d0723e0274ad3ec6230dcbdfe034af6ee096fce15a77b0f9b8be71d2702934"),
}
"""System and machine -> the name of the archive for it, and its SHA-256."""
GROUP = "io.zonky.test.postgres"


def archive() -> Path:
    """The file with the programs; the first call fetches it (15 MB).  UsageFault (G629)."""
    machine = platform.system(), platform.machine()
    if machine not in ARCHIVES:
        raise unavailable(f"there are no programs of PostgreSQL {VERSION} to fetch for {' '.join(machine)}")
    name, digest = ARCHIVES[machine]
    artifact = f"embedded-postgres-binaries-{name}"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphir"
    found = cache / f"{artifact}-{VERSION}.jar"
    if not found.exists():
        _fetch(artifact, found)
    if hashlib.sha256(found.read_bytes()).hexdigest() != digest:
        raise unavailable(f"{found} is not what Maven Central had")
    return found


def _fetch(artifact: str, found: Path) -> None:
    maven = shutil.which("mvn")
    if not maven:
        raise unavailable("Maven is needed to fetch PostgreSQL")
    found.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=found.parent) as folder:
        command = [maven, "-q", "-B", "dependency:copy", f"-Dartifact={GROUP}:{artifact}:{VERSION}"]
        done = subprocess.run(
            [*command, f"-DoutputDirectory={folder}"], capture_output=True, text=True, check=False, cwd=folder
        )
        if done.returncode:
            raise unavailable("Maven could not fetch PostgreSQL: " + done.stdout[-500:])
        Path(folder, found.name).replace(found)


@contextmanager
def unpacked() -> Iterator[Path]:
    """The folder of the programs, which every user may run, for as long as it is needed."""
    fetched = archive()
    with tempfile.TemporaryDirectory(prefix="graphir-postgres-") as folder:
        with zipfile.ZipFile(fetched) as jar:
            (name,) = [each for each in jar.namelist() if each.endswith(".txz")]
            with jar.open(name) as inner, tarfile.open(fileobj=inner, mode="r:xz") as programs:
                programs.extractall(folder, filter="data")
        Path(folder).chmod(0o755)
        yield Path(folder, "bin")


if __name__ == "__main__":
    print(archive())
