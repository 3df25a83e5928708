"""What values take from those beside them: SQL finds one type for all that are compared or chosen from, and for the
columns of set operations.

A constant text becomes a value of that type, a whole number one with a point, a date a timestamp; where the database
would decide by its session, or refuse, it is no graph query.  Facts: the references of PostgreSQL ("Type Conversion"),
DuckDB, Hyper and Oracle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphir import ir
from graphir.ir import Apply, Branch, Case, Cast, Expression, Literal, Node, Project, ValueType
from graphir.passes.selects import kinds as of
from graphir.passes.selects.constants import may_be
from graphir.passes.selects.decimals import pointed
from graphir.passes.selects.kinds import Kinds, Types
from graphir.passes.selects.moments import as_timestamp
from graphir.passes.selects.operators import AS_POSTGRES, COMPARING, ORACLE
from graphir.passes.selects.scopes import NoGraphQuery

_CHOOSING = frozenset(("coalesce", "greatest", "least"))


class Agreement:
    """The rules of a query whose types are known."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.dialect = types.dialect

    def rule(self, node: Node) -> Node:
        match node:
            case Apply(function, args) if function in COMPARING:
                return replace(node, args=self.compared(function, args))
            case Apply("nullIf", (first, other)):
                return replace(node, args=self.distinct(first, other))
            case Apply(function, args) if function in _CHOOSING:
                return replace(node, args=self.same(args))
            case Case(subject, branches, default):
                return self.case(node, subject, branches, default)
            case ir.ListOf(items) if len(items) > 1:
                return replace(node, items=self.same(items))
            case ir.SetOperation(_, _, branches, "position"):
                return replace(node, branches=self.branches(branches))
        return node

    def case(
        self, node: Case, subject: Expression | None, branches: Sequence[Branch], default: Expression | None
    ) -> Case:
        if subject is not None:
            tests = [test for branch in branches for test in branch.tests]
            subject, *made = self.same((subject, *tests), compared=True)
            given = iter(made)
            branches = [replace(each, tests=tuple([next(given) for _ in each.tests])) for each in branches]
        values = self.same([each.result for each in branches] + ([] if default is None else [default]))
        results = [replace(each, result=value) for each, value in zip(branches, values, strict=False)]
        return replace(node, subject=subject, branches=tuple(results), default=None if default is None else values[-1])

    def compared(self, function: str, args: Sequence[Expression]) -> tuple[Expression, ...]:
        """What is compared; the elements of a list that is written out are, each."""
        if function == "in" and not isinstance(args[1], ir.ListOf):
            return tuple(args)
        if len(args) == 2 and isinstance(args[1], ir.ListOf) and not of.are_lists(self.types.of(args[0])):
            value, *items = self.same((args[0], *args[1].items), compared=True)
            return value, replace(args[1], items=tuple(items))
        return self.same(args, compared=True)

    def distinct(self, first: Expression, other: Expression) -> tuple[Expression, ...]:
        """What NULLIF compares; it gives the first value as it was, which PostgreSQL makes a number with a point."""
        made = self.same((first, other), compared=True)
        own, others = self.types.of(first), self.types.of(other)
        if made[0] is not first and not (isinstance(made[0], Literal) and self.types.of(made[0]) == {of.LITERAL}):
            told = "NULLIF gives its first value, and compares one of another type: write a CAST, or CASE"
            raise NoGraphQuery(told, first.span)
        has_point = self.dialect == "pgq-postgres" and bool(others & (of.DECIMALS | {of.FLOAT}))
        if has_point and of.ANY in own:
            told = "NULLIF of a whole number gives one with a point beside one, which only a schema tells: write a CAST"
            raise NoGraphQuery(told, first.span)
        if has_point and own | others <= of.NUMBERS:
            return self.pointed(first, others), made[1]
        return made

    def branches(self, branches: tuple[ir.Body, ...]) -> tuple[ir.Body, ...]:
        """The branches of a set operation, with columns of the same types."""
        lasts = [each.operators[-1] if isinstance(each, ir.Pipeline) else None for each in branches]
        projects = [each for each in lasts if isinstance(each, Project)]
        if len(projects) < len(branches):
            return branches
        rows = zip(*[each.items for each in projects], strict=True)
        columns = [self.same([item.value for item in items]) for items in rows]
        made: list[ir.Body] = []
        for at, (branch, project) in enumerate(zip(branches, projects, strict=True)):
            paired = zip(project.items, columns, strict=True)
            last = replace(project, items=tuple([replace(item, value=column[at]) for item, column in paired]))
            assert isinstance(branch, ir.Pipeline)
            made.append(replace(branch, operators=(*branch.operators[:-1], last)))
        return tuple(made)

    def same(self, values: Sequence[Expression], *, compared: bool = False) -> tuple[Expression, ...]:
        """The values as of one type.  Raises NoGraphQuery where there is none, or where it is not known."""
        found = [self.types.of(each) for each in values]
        joined: Kinds = frozenset[str | of.Listed]().union(*found)
        if joined == {of.LITERAL}:
            return tuple([self.constant(each, frozenset((of.STRING,))) for each in values])
        if len(joined) < 2 or any(isinstance(each, of.Listed) for each in joined):
            self.require_lists(values, found, joined)
            return tuple(values)
        if of.ANY in joined:
            self.require_known(values, found, joined)
            return tuple(values)
        plain = joined - {of.LITERAL}
        if of.LITERAL in joined:
            values = [self.constant(each, plain) for each in values]
        if len(plain) < 2 or plain <= of.WHOLE:
            return tuple(values)
        if plain <= of.NUMBERS:
            return tuple(values) if compared else tuple([self.pointed(each, plain) for each in values])
        if plain <= of.TEMPORAL:
            return tuple([self.timestamp(each, plain) for each in values])
        at = next(at for at, kinds in enumerate(found) if kinds)
        told = " and ".join(sorted({_told(str(each)) for each in plain}))
        raise NoGraphQuery(f"{told} meet, and have no type in common: write a CAST", values[at].span)

    def require_lists(self, values: Sequence[Expression], found: Sequence[Kinds], joined: Kinds) -> None:
        """That lists meet lists; null and what is not known may be one."""
        if not of.are_lists(joined) or of.ANY in joined:
            return
        odd = next((at for at, kinds in enumerate(found) if kinds and not of.are_lists(kinds)), None)
        if odd is not None:
            raise NoGraphQuery("a list and what is none have no type in common: write a CAST", values[odd].span)

    def require_known(self, values: Sequence[Expression], found: Sequence[Kinds], joined: Kinds) -> None:
        """That no value whose type is not known decides what others are.  Raises NoGraphQuery."""
        if joined & of.TEMPORAL:
            span = values[next(at for at, kinds in enumerate(found) if of.ANY in kinds)].span
            raise NoGraphQuery("it is a date or a timestamp that is compared, which only a schema tells", span)
        for literal in filter(None, map(of.literal_of, values)):
            kind = may_be(str(literal.value), self.dialect)
            if kind is not None:
                told = f"it is a text or {kind} that '{literal.value}' meets, which only a schema tells"
                raise NoGraphQuery(told, literal.span)

    def timestamp(self, value: Expression, plain: Kinds) -> Expression:
        if of.ZONED in plain or self.dialect not in (*AS_POSTGRES, *ORACLE):
            raise NoGraphQuery("dates, timestamps and those with a zone are compared: write a CAST", value.span)
        own = self.types.of(value)
        if own == frozenset((of.DATE,)):
            return as_timestamp(value)
        if of.DATE in own:
            raise NoGraphQuery("it is a date or a timestamp that is compared: write a CAST", value.span)
        return value

    def pointed(self, value: Expression, plain: Kinds) -> Expression:
        """A whole number among numbers with a point."""
        own = self.types.of(value)
        return pointed(value, among_decimals=of.FLOAT not in plain) if own and own <= of.WHOLE else value

    def constant(self, value: Expression, plain: Kinds) -> Expression:
        """A constant text as a value of the type of what is beside it."""
        literal = of.literal_of(value)
        if literal is None or plain <= {of.STRING}:
            return literal or value
        made = None if plain & of.TEMPORAL and self.dialect not in AS_POSTGRES else _read(literal, plain)
        if made is None:
            told = (
                f"the text '{literal.value}' becomes {_told(str(sorted(map(str, plain))[0]))} as the database reads it"
            )
            raise NoGraphQuery(f"{told}: write a value of that type", value.span)
        return made


_WORDS = {
    **dict.fromkeys((of.INTEGER, of.SMALL), "a whole number"),
    **dict.fromkeys(of.DECIMALS, "a decimal number"),
    of.FLOAT: "a float",
    of.STRING: "a text",
    of.BOOLEAN: "a boolean",
    of.DATE: "a date",
    of.LOCAL: "a timestamp",
    of.ZONED: "a timestamp with a zone",
    of.DURATION: "an interval",
}


def _told(kind: str) -> str:
    return _WORDS.get(kind, f"a value of the type {kind}")


_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?)?", re.ASCII)
_BOOLEANS = {"true": True, "t": True, "false": False, "f": False}


def _read(literal: Literal, plain: Kinds) -> Expression | None:
    """The value that every database reads in a text; None where they may differ."""
    text = str(literal.value).strip()
    if plain <= of.WHOLE:
        return Literal(int(text), span=literal.span) if _INTEGER.fullmatch(text) else None
    if plain <= of.NUMBERS:
        spelled = text.lstrip("+") if "." in text and not plain & {of.FLOAT} else None
        return Literal(float(text), text=spelled, span=literal.span) if _NUMBER.fullmatch(text) else None
    if plain == frozenset((of.BOOLEAN,)):
        return Literal(_BOOLEANS[text], span=literal.span) if text in _BOOLEANS else None
    if plain == frozenset((of.DATE,)) and _DAY.fullmatch(text):
        return Cast(replace(literal, value=text, text=None), ValueType(of.DATE), keyword="literal", span=literal.span)
    moment = _MOMENT.fullmatch(text)
    if moment is None or plain not in (frozenset((of.LOCAL,)), frozenset((of.DATE, of.LOCAL))):
        return None
    whole = f"{moment[1]} {moment[2] or '00:00'}{moment[3] or ':00'}"
    return Cast(Literal(whole, span=literal.span), ValueType(of.LOCAL), keyword="literal", span=literal.span)
