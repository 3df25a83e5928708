"""Aggregates of GQL over the rows of a group, with what GoogleSQL writes inside of their brackets.

`value IGNORE NULLS HAVING MAX x ORDER BY k LIMIT n`: the operands are laid side by side (`operands`), so that whoever
groups computes them in a row like any others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import null_term, sorting_key
from graphir.backends.sql.expressions import bind
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    BOOLEAN,
    DYNAMIC,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    ListRep,
    Rep,
    datatype,
    is_native_key,
    list_of,
    map_of,
)
from graphir.backends.sql.terms import Term
from graphir.gql_functions import GQL_AGGREGATES

Ordering = list[Sql]


def operands(call: ir.Apply) -> list[ir.Expression]:
    """What the aggregate computes in a row: its arguments, what HAVING compares, the sort keys."""
    if not call.args or not isinstance(call.args[0], ir.Modified):
        return list(call.args)
    first = call.args[0]
    having = [first.having_value] if first.having_value is not None else []
    return [first.value, *call.args[1:], *having, *[key.value for key in first.order]]


def applies(call: ir.Apply) -> bool:
    """Whether the aggregate is lowered here."""
    return call.function in GQL_AGGREGATES or bool(call.args and isinstance(call.args[0], ir.Modified))


@dataclass(frozen=True, slots=True)
class _Group:
    """An aggregate and its operands."""

    call: ir.Apply
    value: Term
    rest: list[Term]
    having: Term | None
    keys: Ordering
    lowering: Lowering

    @property
    def modified(self) -> ir.Modified | None:
        first = self.call.args[0]
        return first if isinstance(first, ir.Modified) else None

    @property
    def is_plain(self) -> bool:
        """Nothing but DISTINCT is said of the rows."""
        return self.having is None and self.limit is None

    @property
    def limit(self) -> ir.Expression | None:
        return None if self.modified is None else self.modified.limit

    def refuse(self, message: str) -> None:
        self.lowering.refuse("G602", message, self.call)


def aggregate(call: ir.Apply, terms: list[Term], order: list[Sql], lowering: Lowering) -> Term:
    """The aggregate of the rows at hand; `terms` are its operands in a row."""
    first = call.args[0]
    modified = first if isinstance(first, ir.Modified) else None
    count = len(call.args)
    value, rest, more = terms[0], terms[1:count], terms[count:]
    having = more.pop(0) if modified is not None and modified.having is not None else None
    keys = list(order)
    if modified is not None and modified.order:
        keys = [_sorted(key, term, lowering) for key, term in zip(modified.order, more, strict=True)]
    group = _Group(call, value, rest, having, keys, lowering)
    native = _NATIVE.get(call.function) if group.is_plain else None
    made = native(group) if native is not None else None
    return made if made is not None else _by_reference(group)


def _sorted(key: ir.SortKey, term: Term, lowering: Lowering) -> Sql:
    piece = build.ordered(sorting_key(lowering, term), descending=key.descending, nulls_first=key.nulls == "first")
    return build.noted(piece, term.rep)


# ------------------------------------------------------------------ lists of values


def _listed(group: _Group, *, nulls: bool) -> Term:
    """The list of the values, in order, with or without nulls; null for none."""
    value, lowering = group.value, group.lowering
    if group.having is not None:
        return _of_extreme(group, nulls=nulls)
    rep = list_of(value.rep)
    if group.call.distinct and is_native_key(value.rep) and not group.keys:
        listed: Sql = exp.Distinct(expressions=[value.sql])
    else:
        listed = _ordered(value.sql, group.keys)
    made = _kept(build.noted(exp.ArrayAgg(this=listed), rep), value, nulls)
    term = Term(made, rep)
    if group.call.distinct and not isinstance(listed, exp.Distinct):
        term = lowering.bridge("distinct", [term], rep, group.call, safe=True)
    return term


def _ordered(piece: Sql, keys: Ordering) -> Sql:
    return exp.Order(this=piece, expressions=[each.copy() for each in keys]) if keys else piece


def _kept(call: Sql, value: Term, nulls: bool) -> Sql:
    if nulls or value.present:
        return call
    return exp.Filter(this=call, expression=exp.Where(this=build.is_not_null(value.again())))


def _of_extreme(group: _Group, *, nulls: bool) -> Term:
    """The values of the rows that have the greatest or the least of what HAVING says, which is not null."""
    having, lowering, value = group.having, group.lowering, group.value
    assert having is not None
    assert group.modified is not None
    pair = map_of(["h", "v"], [having.rep, value.rep])
    both = build.structure([("f0", having.sql), ("f1", value.sql)])
    gathered = _kept(build.noted(exp.ArrayAgg(this=_ordered(both, group.keys)), list_of(pair)), having, nulls=False)
    function = "list_max" if group.modified.having == "max" else "list_min"

    def chosen(pairs: Term) -> Term:
        item, other = lowering.fresh("x"), lowering.fresh("y")
        compared = build.call(
            "list_transform", pairs.again(), build.function(other, build.field(build.column(other), "f0"))
        )
        test = build.equal(build.field(build.column(item), "f0"), build.call(function, compared))
        if not nulls:
            test = build.conjunction([test, build.is_not_null(build.field(build.column(item), "f1"))])
        kept = build.call("list_filter", pairs.again(), build.function(item, test))
        taken = build.function(other, build.field(build.column(other), "f1"))
        return Term(build.noted(build.call("list_transform", kept, taken), list_of(value.rep)), list_of(value.rep))

    made = bind(lowering, Term(gathered, list_of(pair)), chosen)
    if group.call.distinct:
        made = lowering.bridge("distinct", [made], made.rep, group.call, safe=True)
    return made


def _limited(group: _Group, listed: Term) -> Term:
    """The first of the values, if there is a limit."""
    match group.limit:
        case None:
            return listed
        case ir.Literal(int(count)):
            cut = build.call("list_slice", listed.sql, build.number(1), build.number(count))
            return Term(build.noted(cut, listed.rep), listed.rep)
    group.refuse("a limit inside of an aggregate that is no number")
    return listed


def _by_reference(group: _Group) -> Term:
    """The reference function on the list of values; what else it takes is taken from any row."""
    modified = group.modified
    function = group.call.function
    if function == "array_agg":
        ignored = modified is not None and modified.nulls == "ignore"
        return _none_of_nothing(_limited(group, _listed(group, nulls=not ignored)))
    if function == "collect":
        return _empty_of_nothing(_limited(group, _listed(group, nulls=False)))
    nulls = function == "any_value" and not (modified is not None and modified.nulls == "ignore")
    whole = _empty_of_nothing(_limited(group, _listed(group, nulls=nulls)))
    others = [Term(build.call("any_value", term.sql), term.rep) for term in group.rest]
    return group.lowering.bridge(function, [whole, *others], _result(group), group.call)


def _none_of_nothing(listed: Term) -> Term:
    """Null where the list is empty, because no value was left."""
    return Term(build.call("nullif", listed.sql, build.cast(build.array([]), datatype(listed.rep))), listed.rep)


def _empty_of_nothing(listed: Term) -> Term:
    """The empty list where there is none."""
    empty = build.cast(build.array([]), datatype(listed.rep))
    return Term(exp.Coalesce(this=listed.sql, expressions=[empty]), listed.rep, present=True)


def _result(group: _Group) -> Rep:
    rep = group.value.rep
    return _RESULTS.get(group.call.function) or (rep if rep != NULL else DYNAMIC)


_RESULTS: dict[str, Rep] = {
    **dict.fromkeys(("count", "countif", "bit_and_agg", "bit_or_agg", "bit_xor_agg"), INTEGER),
    **dict.fromkeys(("avg", "safe.avg", "stddev_samp", "var_samp", "var_pop"), FLOAT),
    **dict.fromkeys(("logical_and", "logical_or"), BOOLEAN),
    "string_agg": STRING,
}


# ------------------------------------------------------------------ native


def _sum(group: _Group) -> Term | None:
    value = null_term(INTEGER) if group.value.rep == NULL else group.value  # an aggregate still, of one row
    if value.rep not in (INTEGER, FLOAT):
        return None
    summed = exp.Distinct(expressions=[value.sql]) if group.call.distinct else value.sql
    total = build.noted(exp.Sum(this=summed), value.rep)
    if group.call.function.startswith("safe.") and value.rep == INTEGER:
        return Term(exp.TryCast(this=total, to=datatype(INTEGER)), INTEGER)
    if value.rep == INTEGER:
        group.lowering.risk(group.call, "G630")
    return Term(build.cast(total, datatype(value.rep)), value.rep)


def _count_true(group: _Group) -> Term | None:
    if group.value.rep != BOOLEAN or group.call.distinct:
        return None
    made = exp.Filter(this=exp.Count(this=exp.Star()), expression=exp.Where(this=group.value.sql))
    return Term(made, INTEGER, present=True)


def _logical(function: str) -> Callable[[_Group], Term | None]:
    def native(group: _Group) -> Term | None:
        value = null_term(BOOLEAN) if group.value.rep == NULL else group.value
        return Term(build.call(function, value.sql), BOOLEAN) if value.rep == BOOLEAN else None

    return native


def _any(group: _Group) -> Term | None:
    rep = group.value.rep
    if group.modified is not None or group.keys:
        return None
    return Term(build.noted(build.call("any_value", group.value.sql), rep), rep)


def _concatenated(group: _Group) -> Term | None:
    rep = group.value.rep
    if not isinstance(rep, ListRep):
        return None
    listed = _listed(group, nulls=False)
    return Term(build.noted(build.call("flatten", listed.sql), rep), rep)


_NATIVE: dict[str, Callable[[_Group], Term | None]] = {
    "sum_or_null": _sum,
    "safe.sum_or_null": _sum,
    "countif": _count_true,
    "logical_and": _logical("bool_and"),
    "logical_or": _logical("bool_or"),
    "any_value": _any,
    "array_concat_agg": _concatenated,
}
"""What the engine does by itself where nothing but DISTINCT is said of the rows; None: not for this value."""
