"""Random schemas: several labels to a node, edge types with ends, typed properties, names that are rarely thought of.

Names, types and all are drawn; what a schema does not say stays unknown nowhere: random schemas are closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphir.generation.dice import Dice, Weighted
from graphir.generation.kinds import GREATEST, LEAST, TYPES
from graphir.schema.model import EdgeType, NodeType, PropertyType, Schema, labels

LABELS = ("A", "B", "C", "D")
EDGE_TYPES = ("R", "S", "T")
NODE_PROPERTIES = ("x", "s", "f", "b", "m", "d", "t", "l", "u", "g", "p", "z")
EDGE_PROPERTIES = ("w", "s", "m", "d", "v")
NODE_KEY = "i"
EDGE_KEY = "k"

AWKWARD = (
    "a b",
    "order",
    "select",
    "Ä",
    "a`b",
    'a"b',
    "it's",
    "MATCH",
    "a.b",
    "1st",
    "日本",
    "$x",
    "a" * 70,
    "-",
    "null",
    "É",
    "_",
    "%",
    "a\\b",
)
"""Names that need quoting somewhere, or mean something somewhere."""

_KINDS = Weighted(
    {
        "int": 4,
        "str": 4,
        "bool": 2,
        "float": 2,
        "any": 2,
        "date": 1.5,
        "dt": 1,
        "ints": 1.5,
        "dur": 0.7,
        "big": 0.8,
        "ldt": 0.4,
        "time": 0.3,
        "ztime": 0.2,
        "point": 0.2,
        "strs": 0.6,
        "floats": 0.3,
    }.items()
)


def schema(
    dice: Dice,
    *,
    kinds: Sequence[str] | None = None,
    awkward: float = 0.05,
    node_types: tuple[int, int] = (1, 5),
    edge_types: tuple[int, int] = (0, 4),
    keyed: bool = True,
    labels_each: Sequence[int] = (1, 1, 1, 2, 2, 0, 3),
) -> Schema:
    """A closed schema.

    `kinds` bounds the kinds of properties (`generation.kinds.TYPES`; None: all), `awkward` is the share of names that
    are hard, the counts are from and to.  `keyed`: every node has a property `i`, every edge a property `k`, that no
    other has.  `labels_each`: how many labels a node has, drawn from these.
    """
    table = _KINDS if kinds is None else Weighted([(k, w) for k, w in _weights() if k in kinds])
    node_pool = [(name, dice.weighted(table)) for name in _names(dice, NODE_PROPERTIES, 1, 9, awkward)]
    edge_pool = [(name, dice.weighted(table)) for name in _names(dice, EDGE_PROPERTIES, 0, 4, awkward)]
    known = _names(dice, LABELS, 1, 4, awkward)
    found: dict[tuple[str, ...], NodeType] = {}
    for _ in dice.repeats(*node_types, 0.7):
        carried = labels(*[dice.pick(known) for _ in range(dice.pick(labels_each))])
        key = (NODE_KEY,) if keyed else ()
        found.setdefault(carried, NodeType(carried, _properties(dice, node_pool, key), key=key))
    types = _names(dice, EDGE_TYPES, 1, 3, awkward)
    edges: dict[tuple[str, tuple[str, ...], tuple[str, ...]], EdgeType] = {}
    ends = list(found)
    for _ in dice.repeats(*edge_types, 0.85):
        triple = (dice.pick(types), dice.pick(ends), dice.pick(ends))
        key = (EDGE_KEY,) if keyed else ()
        edges.setdefault(triple, EdgeType(*triple, _properties(dice, edge_pool, key), key=key))
    return Schema(tuple(found.values()), tuple(edges.values()))


def _weights() -> list[tuple[str, float]]:
    steps = [0, *_KINDS.steps]
    return [(kind, (steps[at + 1] - steps[at]) / 100) for at, kind in enumerate(_KINDS.options)]


_OWNED = Weighted((("none", 5), ("all", 45), ("some", 50)))
_KEPT = Weighted((("absent", 18), ("nullable", 67), ("required", 12), ("mixed", 3)))


def _properties(dice: Dice, pool: Sequence[tuple[str, str]], key: tuple[str, ...]) -> tuple[PropertyType, ...]:
    """Some of the pool; a name has the same kind wherever it occurs, but for a few."""
    found = {name: PropertyType(name, TYPES["int"], nullable=False, unique=True) for name in key}
    owned = dice.weighted(_OWNED)
    mixable = any(kind == "any" for _, kind in pool)
    for name, kind in pool if owned != "none" else ():
        kept = "nullable" if owned == "all" else dice.weighted(_KEPT)
        if name in found or kept == "absent":
            continue
        mixed = kept == "mixed" and mixable
        declared = PropertyType(name, TYPES["any" if mixed else kind], nullable=kept != "required")
        found[name] = replace(declared, minimum=LEAST, maximum=GREATEST) if kind == "big" and not mixed else declared
    return tuple(found.values())


def _names(dice: Dice, plain: Sequence[str], least: int, most: int, awkward: float) -> list[str]:
    """Names that differ; some are awkward, some differ from another in case only."""
    choices = Weighted((("plain", 1 - 1.5 * awkward), ("twin", awkward / 2), ("odd", awkward)))
    found: list[str] = []
    for at in range(dice.between(least, most)):
        name = plain[at]
        match dice.weighted(choices):
            case "twin" if found:
                name = found[-1].swapcase()
            case "odd":
                name = dice.pick(AWKWARD)
        if name not in found:
            found.append(name)
    return found
