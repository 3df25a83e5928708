"""BigQuery as a target.  No BigQuery runs in the tests: what is said is what its documentation settles.

Left out are lists, and with them paths and what repeats edges: its arrays hold no arrays, and a null one comes back
empty.  A query that the service cannot decorrelate is an error there, not another result.
"""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    EDGE,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    NODE,
    NULL,
    STRING,
    Rep,
)
from graphir.backends.sql.targets.rewriting import keep, renamed
from graphir.backends.sql.targets.target import PLAIN, Rewriting, Rule, Target
from graphir.backends.sql.targets.unproved import checked, common, contained, joined, no_floats, no_recursion, trimmed

_TYPES = {
    **dict.fromkeys((NULL, BOOLEAN), "BOOL"),
    **dict.fromkeys((INTEGER, NODE, EDGE), "INT64"),
    FLOAT: "FLOAT64",
    STRING: "STRING",
    DATE: "DATE",
    LOCAL_DATETIME: "DATETIME",
}


def _type(rep: Rep) -> str | None:
    return _TYPES.get(rep)


def _divided(node: exp.IntDiv, _: Rewriting) -> Sql:
    """Of integers the quotient is truncated, and an error for zero."""
    return build.call("DIV", node.this, node.expression)


def _quotient(node: exp.Div, _: Rewriting) -> Sql:
    return build.call("IEEE_DIVIDE", node.this, node.expression)


def _remainder(node: exp.Mod, rewriting: Rewriting) -> Sql:
    if build.note(node) == FLOAT:
        rewriting.refuse("the remainder of floats")
    return build.call("MOD", node.this, node.expression)


def _bounded(node: exp.Limit | exp.Offset, rewriting: Rewriting) -> Sql:
    """A number or a parameter stands here by itself."""
    value = node.expression
    if isinstance(value, exp.Cast) and isinstance(value.this, exp.Parameter):
        node.set("expression", value.this)
    elif not isinstance(value, exp.Literal):
        rewriting.refuse("SKIP or LIMIT by what is no constant and no parameter")
    return node


FUNCTIONS: dict[str, Rule] = {
    **dict.fromkeys(("abs", "ceil", "floor", "trunc", "replace", "any_value", "starts_with", "concat"), keep),
    "isnan": renamed("IS_NAN"),
    "suffix": renamed("ENDS_WITH"),
    "contains": contained,
    "length": renamed("CHAR_LENGTH"),
    "reverse": keep,
    "substring": renamed("SUBSTR"),
    "trim": trimmed(None),
    "ltrim": lambda node, _: build.call("LTRIM", *node.expressions),
    "rtrim": lambda node, _: build.call("RTRIM", *node.expressions),
}

BIGQUERY = Target(
    "sql-bigquery",
    "BigQuery",
    "bigquery",
    _type,
    FUNCTIONS,
    {
        exp.IntDiv: _divided,
        exp.Div: _quotient,
        exp.Mod: _remainder,
        exp.Min: no_floats("the least of floats, among which NaN may be"),
        exp.Ordered: no_floats("an order of floats, among which NaN may be"),
        exp.Limit: _bounded,
        exp.Offset: _bounded,
        exp.Join: joined,
        exp.CTE: common,
        exp.With: no_recursion,
        exp.Select: checked,
        exp.Union: checked,
    },
    PLAIN,
    "at",
)
