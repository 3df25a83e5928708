"""Random well-typed IR nodes, read off the declarations: every class, every field, no regard for meaning."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from graphir.ir import REGISTRY, Node
from graphir.ir.declarations import Shape, declared
from graphir.ir.names import MARK

NAMES = st.sampled_from(["n", "x", "_", "null", "nan", "-inf", "a b", "ü", '"', "%n1", ":n", "0x1", "", MARK + "n1"])

ATOMS: dict[type, st.SearchStrategy[Any]] = {
    type(None): st.none(),
    bool: st.booleans(),
    int: st.integers(),
    float: st.floats(),
    str: NAMES | st.text(max_size=8),
}


@cache
def heights() -> dict[type[Node], int]:
    """The least height of a tree under each class."""
    found: dict[type[Node], int] = {}

    def height(shape: Shape) -> int | None:
        if shape.atoms or shape.items is not None:
            return 0
        known = [found[cls] for cls in shape.nodes if cls in found]
        return min(known) if known else None

    while len(found) < len(REGISTRY):
        before = len(found)
        for cls in REGISTRY.values():
            below = [height(field.shape) for field in declared(cls) if field.required]
            if cls not in found and None not in below:
                found[cls] = 1 + max((h for h in below if h is not None), default=0)
        assert len(found) > before, f"no finite tree under {set(REGISTRY.values()) - found.keys()}"
    return found


@cache
def nodes(cls: type[Node] | None = None, *, height: int = 5) -> st.SearchStrategy[Node]:
    """A node of the class (any class if None), at most about `height` nodes high."""
    if cls is None:
        return st.sampled_from(list(REGISTRY.values())).flatmap(lambda chosen: nodes(chosen, height=height))
    required = {f.name: _values(f.shape, height - 1) for f in declared(cls) if f.required}
    optional = {f.name: _values(f.shape, height - 1) for f in declared(cls) if not f.required and not f.note}
    values = st.fixed_dictionaries(required, optional=optional)
    return values.map(lambda given: cls(**given))


@cache
def _values(shape: Shape, height: int) -> st.SearchStrategy[Any]:
    return st.deferred(lambda: _build(shape, height))


def _build(shape: Shape, height: int) -> st.SearchStrategy[Any]:
    arms = [ATOMS[atom] for atom in sorted(shape.atoms, key=lambda a: a.__name__)]
    low = [cls for cls in REGISTRY.values() if cls in shape.nodes and heights()[cls] <= height]
    if shape.nodes and not low and not arms:
        low = [min((c for c in REGISTRY.values() if c in shape.nodes), key=lambda c: heights()[c])]
    if low:
        arms.append(st.sampled_from(low).flatmap(lambda cls: nodes(cls, height=height)))
    if shape.items is not None:
        fits = shape.items.atoms or any(heights()[cls] <= height for cls in shape.items.nodes)
        arms.append(st.lists(_values(shape.items, height), max_size=3 if fits else 0).map(tuple))
    return st.one_of(arms)
