"""Files that a user names.  To be read, no device: what it gives need not end.  To be written, with room for it."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

REFUSED = "is a device, not a file or a pipe"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def open_input(path: Path) -> BinaryIO:
    """The file, pipe or terminal at the path.  Raises OSError, also where it is another device (`/dev/zero`)."""
    stream = path.open("rb")
    try:
        refuse_device(stream, str(path))
    except OSError:
        stream.close()
        raise
    return stream


def refuse_device(stream: BinaryIO, name: str) -> None:
    """Raise OSError where the stream is a device, other than a terminal and the one that holds nothing."""
    try:
        descriptor = stream.fileno()
    except io.UnsupportedOperation:
        return  # it is in memory
    about = os.fstat(descriptor)
    device = stat.S_ISCHR(about.st_mode) or stat.S_ISBLK(about.st_mode)
    if device and not os.isatty(descriptor) and not os.path.samestat(about, os.stat(os.devnull)):
        raise OSError(errno.EINVAL, REFUSED, name)


def name_of(stream: BinaryIO) -> str:
    """The name under which messages speak of a stream: that of its file, else that of standard input."""
    name = getattr(stream, "name", None)
    return name if isinstance(name, str) else "<stdin>"


def read_input(path: Path) -> bytes:
    """All that the file holds.  Raises OSError as `open_input`."""
    with open_input(path) as stream:
        return stream.read()


@contextmanager
def filling(path: Path) -> Iterator[None]:
    """What is written in here goes to the path; where there is no room for it, the OSError says so by its name."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM and error.filename is None:
            error.filename = str(path)
        raise


def write_output(path: Path, text: str) -> None:
    """Make the text that of the file, as it is.  Raises OSError with the name of the file."""
    with filling(path):
        path.write_text(text, encoding="utf-8", newline="")
