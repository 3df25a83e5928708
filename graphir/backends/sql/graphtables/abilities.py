"""What a dialect of SQL/PGQ can say in a graph pattern, as data.

Facts: the grammars, tests and manuals that the documentation of the dialects names (`docs/dialects.md`).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from graphir.backends.sql import build
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.ddl.targets import Target as Spelling


@dataclass(frozen=True, slots=True)
class Patterns:
    """One dialect.

    spelling: how names are written.  commas: a GRAPH_TABLE may have several path patterns (PostgreSQL's has one).
    undirected: an edge without a direction comes once in either, a loop once (in DuckPGQ a loop comes twice).
    alternatives: an element may have one label of several.
    label: what stands between a variable and its label.  classes and functions: of the lowering's tree, what may stand
    in a condition inside of GRAPH_TABLE; the rest of the conditions stands outside.  bare: names stand without quotes
    where they are the same name so, in the SQL around the pattern, too.
    """

    spelling: Spelling
    commas: bool = True
    undirected: bool = True
    alternatives: bool = True
    label: str = " IS "
    classes: frozenset[type[exp.Expr]] = frozenset()
    functions: frozenset[str] = frozenset()
    bare: bool = False


_CLASSES = frozenset(
    (
        exp.Column,
        exp.Identifier,
        exp.Literal,
        exp.Boolean,
        exp.Null,
        exp.Paren,
        exp.Neg,
        exp.Not,
        exp.Is,
        exp.In,
        exp.And,
        exp.Or,
        exp.EQ,
        exp.NEQ,
        exp.LT,
        exp.LTE,
        exp.GT,
        exp.GTE,
        exp.Add,
        exp.Sub,
        exp.Mul,
        exp.DPipe,
        exp.Cast,
        exp.DataType,
        exp.Parameter,
        exp.Var,
        exp.Anonymous,
        build.Identity,
    )
)
"""Comparisons, logic and arithmetic: no queries."""
_FUNCTIONS = frozenset(
    (
        *("starts_with", "suffix", "contains", "length", "substring", "lower", "upper", "replace", "trim", "ltrim"),
        *("rtrim", "moment", "day_of", "date_part"),
    )
)
"""Functions of texts and dates, which no dialect writes as a query."""

STEPS = 10
"""Of `Abilities.steps`: `*1..4` is written as patterns of one to four edges."""

POSTGRES = Patterns(TARGETS["postgres-ddl"], commas=False, classes=_CLASSES, functions=_FUNCTIONS, bare=True)
DUCKPGQ = Patterns(
    TARGETS["duckpgq-ddl"],
    undirected=False,
    alternatives=False,
    label=":",
    classes=_CLASSES,
    functions=_FUNCTIONS,
    bare=True,
)
ORACLE_23AI = Patterns(TARGETS["oracle-ddl"], classes=_CLASSES, functions=_FUNCTIONS)
ORACLE_26AI = Patterns(TARGETS["oracle-ddl"], classes=_CLASSES, functions=_FUNCTIONS)
ISO = Patterns(TARGETS["oracle-ddl"], classes=_CLASSES, functions=_FUNCTIONS - {"starts_with", "suffix", "substring"})
