"""Names with those of their schemas before them, as they are held: `("hr", "person")` is hr.person.

Where a text leaves the schemas out, it is the database that fills them in, by rules (a search path, a default data set)
of which a definition says nothing.  So a shorter name may be that of a longer one that ends with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from graphir.quoting import quoted

Path = tuple[str, ...]
"""The names of the schemas, outermost first, and the name in them."""
_Found = TypeVar("_Found")


def agree(one: Path, other: Path) -> bool:
    """Whether two names may be those of one thing: the shorter only leaves schemas out."""
    short, long = sorted((one, other), key=len)
    return long[len(long) - len(short) :] == short


def find(path: Path, known: Mapping[Path, _Found]) -> _Found | None:
    """What has a name, else the only thing that may have it."""
    exact = known.get(path)
    if exact is not None:
        return exact
    near = [each for other, each in known.items() if agree(path, other)]
    return near[0] if len(near) == 1 else None


def shown(path: Path) -> str:
    """The whole name as one text, different for different names: parts with dots in them stand in quotes."""
    return ".".join([quoted(part) if "." in part else part for part in path])


def placed(path: Path, asked: Path | None) -> Path:
    """The name of what a definition makes, with the schemas in which a query says that it is."""
    if asked is None or len(asked) <= len(path):
        return path
    said = len(asked) - len(path)
    same = all(one.casefold() == other.casefold() for one, other in zip(path, asked[said:], strict=True))
    return (*asked[:said], *path) if same else path
