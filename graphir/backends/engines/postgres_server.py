"""A PostgreSQL of our own: made in a temporary folder, served on the loopback address, stopped without a trace.

    with started() as uri:
        with graphir.connect("postgres", uri=uri) as db: ...

Needs the server's programs, 15 or newer (Debian: the package postgresql).  Its data are gone when it stops, so nothing
of it waits for the disk.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from graphir.backends.engines.faults import UNSTARTED, fault
from graphir.diagnostics import UsageFault

PORT = 15432
OLDEST = 15
INSTALL = "apt-get install postgresql"
"""What installs the programs on Debian and Ubuntu."""

FOLDERS = Path("/usr/lib/postgresql")
"""Where Debian has the programs, by version."""

_USER = "graphir"
_SYSTEM_USERS = ("postgres", "nobody")
"""Whom the server runs as where we are root: the user that Debian's package makes, or the one that owns nothing."""
_SETTINGS = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
fsync = off
synchronous_commit = off
full_page_writes = off
"""
_SERVE = """
pg_ctl=$1
shift
"$pg_ctl" start -s -w "$@" </dev/null && echo started && read _
"$pg_ctl" stop -s -m immediate "$@"
"""
"""The server runs until there is nothing left to read: until we close the pipe, or are no more."""


def unavailable(told: str) -> UsageFault:
    found = fault(UNSTARTED, told, hint=INSTALL)
    assert isinstance(found, UsageFault)
    return found


def programs() -> Path:
    """The folder of the server's programs: of PG_CONFIG, of PATH, or where Debian has it.  UsageFault (G629)."""
    folders = [path for path in (_configured(os.environ.get("PG_CONFIG")), _found("initdb")) if path]
    folders += sorted(FOLDERS.glob("*/bin"), key=lambda path: _number(path.parent.name))[::-1]
    folders += [path for path in (_configured(shutil.which("pg_config")),) if path]
    newest = 0
    for folder in folders:
        if not all(os.access(folder / name, os.X_OK) for name in ("initdb", "pg_ctl", "postgres")):
            continue
        newest = max(newest, version_of(folder))
        if newest >= OLDEST:
            return folder
    raise unavailable(f"PostgreSQL {OLDEST} or newer is needed (initdb, pg_ctl, postgres), found {newest or 'none'}")


def version_of(folder: Path) -> int:
    """The major version of the server with its programs in a folder; 0 if it does not tell."""
    shown = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"\) (\d+)", shown)
    return _number(version[1] if version else "")


def _configured(pg_config: str | None) -> Path | None:
    if not pg_config or not os.access(pg_config, os.X_OK):
        return None
    shown = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, check=False).stdout
    return Path(shown.strip()) if shown.strip() else None


def _found(program: str) -> Path | None:
    there = shutil.which(program)
    return Path(there).resolve().parent if there else None


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


@contextmanager
def started(port: int = 0) -> Iterator[str]:
    """Start a server, give its address (with the password), stop it and delete its data.  Port 0 is any that is free.

    UsageFault (G629) if it does not start.
    """
    bin_ = programs()
    with tempfile.TemporaryDirectory(prefix="graphir-postgres-") as folder:
        user = _unprivileged(folder)
        password = secrets.token_urlsafe(16)
        port = port or _free_port()
        _initialize(bin_, Path(folder), password, port, user)
        arguments = [str(bin_ / "pg_ctl"), "-D", f"{folder}/data", "-l", f"{folder}/log"]
        process = subprocess.Popen(
            ["sh", "-c", _SERVE, "sh", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            cwd=folder,
            **user,
        )
        assert process.stdin
        assert process.stdout
        try:
            told = process.stdout.readline()
            if told != "started\n":
                log = Path(folder, "log")
                raise unavailable(f"PostgreSQL did not start: {log.read_text()[-500:] if log.exists() else told}")
            yield f"postgresql://{_USER}:{password}@127.0.0.1:{port}/postgres"
        finally:
            process.stdin.close()
            process.stdout.close()
            process.wait()


def _initialize(bin_: Path, folder: Path, password: str, port: int, user: dict[str, Any]) -> None:
    """The files of an empty server."""
    secret = folder / "password"
    secret.touch(0o600)
    secret.write_text(password)
    if user:
        os.chown(secret, user["user"], user["group"])
    command = [
        str(bin_ / "initdb"),
        "-D",
        str(folder / "data"),
        "-U",
        _USER,
        "--auth=scram-sha-256",
        f"--pwfile={secret}",
    ]
    options = ["--no-sync", "--encoding=UTF8", "--locale=C"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False, cwd=folder, **user)
    secret.unlink()
    if done.returncode:
        raise unavailable(f"PostgreSQL made no database: {done.stderr[-500:]}")
    with (folder / "data" / "postgresql.conf").open("a") as settings:
        settings.write(_SETTINGS.format(port=port))


def _unprivileged(folder: str) -> dict[str, Any]:
    """How to run a program of the server, which does not run as root: then as another user."""
    if os.getuid() != 0:
        return {}
    import pwd

    found = next((each for name in _SYSTEM_USERS for each in pwd.getpwall() if each.pw_name == name), None)
    if found is None:
        raise unavailable(f"PostgreSQL does not run as root, and there is no user {' or '.join(_SYSTEM_USERS)}")
    os.chown(folder, found.pw_uid, found.pw_gid)
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": [], "env": {**os.environ, "HOME": folder}}


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def serve(port: int, tell: Callable[[str], None]) -> None:
    """Run a server until it is interrupted; `tell` gets its address.  UsageFault (G629) if it does not start."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background would have it ignored
    with started(port) as uri:
        tell(uri)
        with suppress(KeyboardInterrupt):
            signal.pause()
