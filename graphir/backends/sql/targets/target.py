"""What a target of SQL text is: rules that turn the lowering's tree into the target's, as data.

The lowering writes a tree in DuckDB's idiom, over a closed vocabulary: the node classes of `STANDARD`, and the
functions that `FUNCTIONS` describes.  A target has a rule for what it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, Protocol

from sqlglot import exp

from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.lowering import Abilities
from graphir.backends.sql.reps import ListRep, MapRep, Rep

PLAIN = Abilities(bridges=False, lateral=False, lambdas=False)
"""A target with nothing beyond plain SQL and correlated subqueries."""

Rule = Callable[[Any, "Rewriting"], Sql]
"""A node whose parts are rewritten already -> what the target says for it.  Raises Unsupported (`Rewriting.refuse`)."""

Style = Literal["numbered", "named", "at", "dollar", "host"]
"""How parameters stand in the text: `$1`, `:name`, `@name` or `$name`; "host" is `:name`, too, in any dialect."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target.

    `dialect` is sqlglot's name of it.  `types` gives the type of the column for a representation, None where the target
    has no exact one.  `functions`: name -> rule for a call; without a rule a call is refused.  `nodes`: class -> rule;
    classes of `STANDARD` without a rule stay as they are, all others are refused.  `patterns`: what the target can say
    in graph patterns, where it reads the tables through a property graph.
    """

    name: str
    title: str
    dialect: str
    types: Callable[[Rep], str | None]
    functions: Mapping[str, Rule]
    nodes: Mapping[type[exp.Expr], Rule] = field(default_factory=dict)
    abilities: Abilities = PLAIN
    parameters: Style = "named"
    patterns: Patterns | None = None


class Rewriting(Protocol):
    """What a rule may ask of the rewriting that calls it; `rewriting.py` has the one implementation."""

    target: Target

    def fresh(self, prefix: str) -> str:
        """A name that nothing else in the statement has."""
        ...

    def mark_of(self, parameter: str) -> str:
        """The name or number under which a parameter of the tree (`p0`, `p1` ..) stands in the text."""
        ...

    def type_of(self, rep: Rep) -> exp.DataType:
        """The target's type for a representation.  Raises Unsupported."""
        ...

    def refuse(self, what: str) -> NoReturn:
        """Raise Unsupported (G561): the target cannot say `what`."""
        ...

    def admit(self, what: str) -> None:
        """Tell that `what` is near to what is asked, and where it differs; Unsupported (G561) where nobody listens."""
        ...


STANDARD: frozenset[type[exp.Expr]] = frozenset(
    (
        exp.Select,
        exp.From,
        exp.Join,
        exp.Where,
        exp.Group,
        exp.Having,
        exp.Order,
        exp.Ordered,
        exp.Limit,
        exp.Offset,
        exp.With,
        exp.CTE,
        exp.TableAlias,
        exp.Table,
        exp.Subquery,
        exp.Union,
        exp.Distinct,
        exp.Alias,
        exp.Column,
        exp.Identifier,
        exp.Star,
        exp.Literal,
        exp.Boolean,
        exp.Null,
        exp.Paren,
        exp.Neg,
        exp.Not,
        exp.Is,
        exp.In,
        exp.Exists,
        exp.Case,
        exp.If,
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
        exp.Coalesce,
        exp.Count,
        exp.Sum,
        exp.Avg,
        exp.Min,
        exp.Max,
        exp.Filter,
        exp.Window,
        exp.RowNumber,
        exp.Cast,
        exp.Var,
    )
)
"""Node classes that stay as they are where a target has no rule for them.  Types of casts go through `Target.types`."""

OF_FLOATS = ("sqrt", "exp", "ln", "sin", "cos", "tan", "atan", "asin", "acos", "sinh", "cosh", "tanh")
"""Functions of a float that databases call so, too."""

FUNCTIONS: Mapping[str, str] = {
    "unwind": "a source of rows, in FROM under exp.Lateral: the elements `x` of a list at places `i`; none for null",
    "generate_series": "the list of integers from the first to the last, both included, by a step",
    "length": "the number of characters of a string",
    "len": "the number of elements of a list, nulls too",
    "list_extract": "the element at a place from 1, or from the end by a negative one; null where there is none",
    "list_slice": "the elements from a place to a place, both included, counted from 1",
    "list_concat": "both lists; null if either is",
    "list_append": "a list with one element more",
    "list_reverse": "a list backwards",
    "list_contains": "whether a value that is not null is in a list without nulls that count",
    "list_count": "the number of elements that are not null",
    "list_has_any": "whether two lists have an element in common",
    "list_unique": "the number of different elements",
    "struct_extract": "a field of a structure by its name",
    "starts_with": "whether a string begins with another",
    "suffix": "whether a string ends with another",
    "contains": "whether a string has another in it",
    "substring": "a part of a string: from a place that counts from 1, for a length or to the end",
    "replace": "every occurrence of a string, which is not empty, by another",
    "string_split": "the parts of a string between the occurrences of another, which is not empty",
    "trim": "a string without the characters of another at both ends",
    "ltrim": "the same at its begin",
    "rtrim": "the same at its end",
    "concat": "strings put together",
    "chr": "the character of a code point",
    "isnan": "whether a float is NaN",
    "list_in": "three-valued membership: of null in the empty list it is false; only with `Abilities.lambdas`",
    "list_any": "whether any element of a list of truth values is true, three-valued; these and the next with lambdas",
    "list_all": "whether all are",
    "list_none": "whether none is",
    "list_single": "whether a single one is",
    "list_distinct": "the different elements, each where it comes first; with lambdas",
    "list_transform": "the results of a function of the elements; with lambdas",
    "list_filter": "the elements for which a function is true; with lambdas",
    "list_reduce": "what a function of an accumulator and an element makes of a start and all elements; with lambdas",
    "reverse": "a string backwards, code point by code point",
    "lower": "a string in lower case, by Unicode's full mapping",
    "upper": "a string in upper case, by Unicode's full mapping",
    **dict.fromkeys(
        (*OF_FLOATS, "log10", "degrees", "radians"),
        "the function of a float; what it is not defined for is dealt with",
    ),
    "pow": "a float to the power of a whole one that is not negative",
    "date_part": "a part of a date, an integer: 'year', 'quarter', 'month', 'week' (ISO 8601), 'day', 'doy' (of the "
    "year) or 'isodow' (1, Monday, to 7)",
    "date_text": "a date as ISO 8601, `2020-01-31`",
    "date_of": "the date that a text has, ISO 8601, or a fault where there is no such day",
    "moment": "the moment of a constant text, ISO 8601 with `Z`",
    "today": "the date in UTC, when the statement begins",
    "months_later": "the date some constant number of months later, or the last day of that month",
    "days_later": "the date some constant number of days later",
    "months_between": "how many whole months a date lies behind another, an integer: `months_between(first, last)`",
    "days_between": "how many days a date lies behind another, an integer: `days_between(first, last)`",
    "day_of": "the date of a local datetime, or of a moment in UTC",
    "text_matches": "whether a regular expression of classes, groups, `.*` and counts matches a whole text",
    "fault": "what fails at run time, where it is computed: a message, and a value of the row that it has to look at",
    "abs": "the absolute value",
    "ceil": "the least whole float that is not less",
    "floor": "the greatest whole float that is not more",
    "trunc": "a float without its fraction",
    "any_value": "the value of any row of a group; all are equivalent",
    "first": "the value of the first row of a group in an order (exp.Order); all are equivalent",
    "json_object": "a JSON object of names and values in turn; null is JSON's null",
    "json_array": "a JSON array of values",
    "json_float": "a float as it stands in JSON, where what is no number is a text: NaN, Infinity, -Infinity",
    "json_list": "a list as a JSON array",
    "time_text": "a local datetime, or a moment in UTC with `Z`, as ISO 8601, with the digits that say something",
    "dense_rank": "the window function",
    "row_number": "the window function",
}
"""Functions of the lowering for targets without bridges, and what they are.  All but the aggregates give null of null.
Not in here, and so refused everywhere: what only the embedded engine has."""


def composed(simple: Mapping[Rep, str], listed: str, row: str, field: str) -> Callable[[Rep], str | None]:
    """`Target.types` of a target with lists and rows of any type, as they are written: `ARRAY<{}>`, `STRUCT<{}>`, and a
    field of a row, `{}: {}`."""

    def types(rep: Rep) -> str | None:
        if isinstance(rep, ListRep):
            inner = types(rep.element)
            return None if inner is None else listed.format(inner)
        if isinstance(rep, MapRep):
            found = [types(value) for value in rep.values]
            known = [each for each in found if each is not None]
            fields = [field.format(f"f{at}", each) for at, each in enumerate(known)]
            return row.format(", ".join(fields)) if len(known) == len(found) else None
        return simple.get(rep)

    return types
