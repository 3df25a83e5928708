"""Pieces of SQL trees: short names for sqlglot's stock nodes, with brackets where the order of operators needs them.

A node made here belongs to one place of one tree; whoever uses a piece twice copies it (`again`).  Knows no IR.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeVar

from sqlglot import exp

Sql = exp.Expr
P = TypeVar("P", bound=exp.Expr)

_ATOMS = (
    exp.Column,
    exp.Literal,
    exp.Boolean,
    exp.Null,
    exp.Cast,
    exp.Paren,
    exp.Func,
    exp.Case,
    exp.Subquery,
    exp.Identifier,
    exp.Parameter,
    exp.Array,
    exp.Struct,
)
_OPERATORS = (exp.And, exp.Or)
_CHAINS = (exp.Add, exp.Sub, exp.Mul, exp.DPipe)
"""Operators that are read from the left: the left operand needs no brackets if it is one, too."""
_LEAVES = frozenset((exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Var))
"""Nodes in which there are no others."""
_CLOSED = _LEAVES | {exp.Column, exp.TableAlias}
"""Nodes in which there are none but names."""
_QUERIES = _CLOSED | {exp.Select, exp.Union, exp.Subquery}
"""The same, and queries."""
_SHARED = frozenset((exp.Identifier, exp.DataType))
"""Names and types: nobody changes them, so they stand in several places, and what they say of their parent is true of
one place at most."""
_NAMES: dict[str, exp.Identifier] = {}
"""The names of the statement that is being made."""
_STANDS = "stands for"
_TIES = "ties"
_FROZEN = frozenset((_STANDS, _TIES, "rep"))
"""Notes that copies may share; others may have pieces in them."""


def atom(piece: Sql) -> Sql:
    """The piece as an operand: in brackets unless nothing can tear it apart."""
    return piece if isinstance(piece, _ATOMS) and not isinstance(piece, _OPERATORS) else exp.Paren(this=piece)


def bare(piece: Sql) -> Sql:
    """A piece without the brackets around it."""
    while isinstance(piece, exp.Paren):
        piece = piece.this
    return piece


def noted(piece: Sql, rep: Any) -> Sql:
    """The piece, with a note of the representation that its operands, or its result, have: printing ignores it.

    Targets whose SQL depends on types read it with `note`.
    """
    if isinstance(piece, exp.AggFunc):
        piece.meta["rep"] = rep  # whose arguments are printed whatever they are
    else:
        piece.args["rep"] = rep
    return piece


def note(piece: Sql) -> Any:
    """The representation that was noted; None if there is none."""
    return piece.meta.get("rep") if isinstance(piece, exp.AggFunc) else piece.args.get("rep")


def standing(piece: Sql, for_what: Any) -> Sql:
    """The piece, with a note of what it stands for: a source, for a table of the graph.  Copies keep it."""
    piece.meta[_STANDS] = for_what
    return piece


def stands_for(piece: Sql) -> Any:
    """What was noted; None if nothing was."""
    return piece.meta_get(_STANDS)


def tie(piece: Sql, ends: Any) -> None:
    """Note of a source that a node of its rows is one of the rows of another source beside it."""
    piece.meta[_TIES] = (*ties(piece), ends)


def ties(piece: Sql) -> tuple[Any, ...]:
    """What was noted so of a source."""
    found: tuple[Any, ...] = piece.meta_get(_TIES, ())
    return found


def untie(piece: Sql) -> tuple[Any, ...]:
    """What was noted so, which is noted no more."""
    return tuple(piece.meta.pop(_TIES, ()))


def gathering(query: exp.Select) -> exp.Select:
    """The SELECT, with a note that its columns are aggregates, and keys of groups."""
    query.meta["gathering"] = True
    return query


def is_gathering(query: Sql) -> bool:
    return bool(query.meta_get("gathering"))


class _Kinds(dict[type, bool]):
    """Class of what a node has -> whether it is a node that is looked for: neither a name nor a type."""

    def __missing__(self, kind: type) -> bool:
        found = self[kind] = issubclass(kind, exp.Expr) and kind not in _SHARED
        return found


_KINDS = _Kinds()


def parts(node: Sql) -> list[Sql]:
    """What a node has, but names and types."""
    found: list[Sql] = []
    for value in node.args.values():
        if type(value) is list:
            found += [each for each in value if _KINDS[type(each)]]
        elif _KINDS[type(value)]:
            found.append(value)
    return found


def nodes(tree: Sql, closed: Container[type[Sql]] = _CLOSED) -> list[Sql]:
    """A piece and all that is in it but names and types, level by level; nothing below nodes of the classes `closed` is
    among them."""
    found = [tree]
    kinds = _KINDS
    for node in found:  # which grows meanwhile
        if type(node) in closed:
            continue
        for value in node.args.values():
            if type(value) is list:
                found += [each for each in value if kinds[type(each)]]
            elif kinds[type(value)]:
                found.append(value)
    return found


def holds(piece: Sql, *classes: type[Sql]) -> bool:
    """Whether a node of the classes is in a piece."""
    return any(isinstance(each, classes) for each in nodes(piece))


def aggregates(piece: Sql) -> bool:
    """Whether a piece is computed of several rows of the query that it stands in: by aggregates, or by windows."""
    return any(isinstance(each, (exp.AggFunc, exp.Window)) for each in nodes(piece, _QUERIES))


def names(pieces: Iterable[Sql]) -> Iterator[exp.Identifier]:
    """The names in pieces, without those that are deeper in them."""
    for piece in pieces:
        for value in piece.args.values():
            for each in value if type(value) is list else (value,):
                if type(each) is exp.Identifier:
                    yield each


def again(piece: P) -> P:
    """A copy, for the second and further uses of a piece: as sqlglot's, but names and types are shared."""
    if type(piece) in _QUICK:
        return _QUICK[type(piece)](piece)  # type: ignore[return-value]
    made = type(piece)()
    pending: list[tuple[Sql, Sql]] = [(piece, made)]
    while pending:
        old, new = pending.pop()
        if old._meta:
            new.meta.update(old._meta if old._meta.keys() <= _FROZEN else deepcopy(old._meta))
        args = new.args
        for key, value in old.args.items():
            if isinstance(value, exp.Expr):
                args[key] = _begun(value, new, key, None, pending)
            elif type(value) is list:
                args[key] = [
                    _begun(each, new, key, at, pending) if isinstance(each, exp.Expr) else each
                    for at, each in enumerate(value)
                ]
            else:
                args[key] = value
    return made


def _begun(old: Sql, parent: Sql, key: str, at: int | None, pending: list[tuple[Sql, Sql]]) -> Sql:
    """The copy of a part, still without parts of its own."""
    if type(old) in _SHARED:
        return old
    if type(old) in _QUICK:
        new = _QUICK[type(old)](old)
    else:
        new = type(old)()
        pending.append((old, new))
    new.parent, new.arg_key, new.index = parent, key, at
    return new


def _column_again(old: Sql) -> Sql:
    """A column has names alone."""
    new = exp.Column()
    new.args.update(old.args)
    return new


def _identity_again(old: Sql) -> Sql:
    """An identity has columns, or what stands for them."""
    new = Identity(expressions=[again(each) for each in old.args["expressions"]])
    new.args.update({key: value for key, value in old.args.items() if key != "expressions"})
    return new


def forget() -> None:
    """Let go of the names of the statement before."""
    _NAMES.clear()


def name(text: str) -> exp.Identifier:
    found = _NAMES.get(text)
    if found is None:
        found = _NAMES[text] = exp.Identifier(this=text, quoted=True)
    return found


def column(text: str, table: str | None = None) -> exp.Column:
    made = exp.Column()
    made.args["this"] = name(text)
    if table:
        made.args["table"] = name(table)
    return made


def redirect(piece: Sql, text: str, table: str) -> None:
    """Make a column another one, in place."""
    piece.args["table"] = name(table)
    piece.set("this", name(text))


def table_of(piece: Sql) -> str:
    """The name of the source that a column is of; empty where it does not say."""
    found = piece.args.get("table")
    return "" if found is None else str(found.args["this"])


def alias_of(source: Sql) -> str:
    """The name of a source in FROM, or of a common table; empty where it has none."""
    found = source.args.get("alias")
    return "" if found is None else str(found.args["this"].args["this"])


def text(value: str) -> Sql:
    """A string constant; characters that SQL text cannot hold are put together from their code points."""
    if "\0" not in value:
        return exp.Literal.string(value)
    parts: list[Sql] = []
    for at, part in enumerate(value.split("\0")):
        if at:
            parts.append(call("chr", number(0)))
        if part:
            parts.append(exp.Literal.string(part))
    return call("concat", *parts)


def number(value: int) -> Sql:
    """A small integer where SQL wants any integer."""
    return exp.Literal.number(value) if value >= 0 else exp.Paren(this=exp.Neg(this=exp.Literal.number(-value)))


def integer(piece: Sql) -> int | None:
    """The integer that a piece is if it is a constant, whatever it is cast to."""
    while isinstance(piece, (exp.Cast, exp.Paren)):
        piece = piece.this
    if isinstance(piece, exp.Neg):
        negated = integer(piece.this)
        return None if negated is None else -negated
    digits = piece.name.removeprefix("-") if isinstance(piece, exp.Literal) else ""
    return int(piece.name) if digits.isascii() and digits.isdigit() else None


def boolean(value: bool) -> Sql:
    return exp.Boolean(this=value)


def null() -> Sql:
    return exp.Null()


def cast(piece: Sql, kind: exp.DataType) -> Sql:
    made: Sql = exp.Cast(this=piece)
    made.args["to"] = kind
    return made


def call(function: str, *arguments: Sql) -> Sql:
    """A call of a function of the target by its name."""
    return exp.Anonymous(this=function, expressions=list(arguments))


def binary(kind: type[exp.Binary], left: Sql, right: Sql) -> Sql:
    chained = type(left) is kind and kind in _CHAINS
    made: Sql = kind(this=left if chained else atom(left), expression=atom(right))
    return made


def equal(left: Sql, right: Sql) -> Sql:
    return binary(exp.EQ, left, right)


def negation(piece: Sql) -> Sql:
    return exp.Not(this=atom(piece))


def is_null(piece: Sql) -> Sql:
    return exp.Is(this=atom(piece), expression=exp.Null())


def is_not_null(piece: Sql) -> Sql:
    return exp.Not(this=is_null(piece))


def conjunction(pieces: Iterable[Sql]) -> Sql:
    """All of them; TRUE for none."""
    return _joined(exp.And, list(pieces), empty=True)


def disjunction(pieces: Iterable[Sql]) -> Sql:
    """Any of them; FALSE for none."""
    return _joined(exp.Or, list(pieces), empty=False)


def _joined(kind: type[exp.Connector], pieces: list[Sql], *, empty: bool) -> Sql:
    if not pieces:
        return boolean(empty)
    joined: Sql = pieces[0] if len(pieces) == 1 or type(pieces[0]) is kind else atom(pieces[0])
    for piece in pieces[1:]:
        joined = kind(this=joined, expression=atom(piece))
    return joined


def leave_out(piece: Sql) -> None:
    """Leave out of a condition a part that holds anyway, in place."""
    place = piece
    while isinstance(place.parent, exp.Paren):
        place = place.parent
    parent = place.parent
    if isinstance(parent, exp.And):
        parent.replace(parent.expression if parent.this is place else parent.this)
    elif isinstance(parent, exp.Where) and parent.parent is not None:
        parent.parent.set("where", None)
    else:
        piece.replace(boolean(True))


def case(branches: Sequence[tuple[Sql, Sql]], default: Sql | None = None) -> Sql:
    return exp.Case(ifs=[exp.If(this=test, true=result) for test, result in branches], default=default)


def array(items: Sequence[Sql]) -> Sql:
    """A list of the items; a query among them is one item, whatever the number of its rows."""
    alone = len(items) == 1 and isinstance(items[0], exp.Query)  # printed bare, its rows would be the items
    return exp.Array(expressions=[exp.Paren(this=items[0])] if alone else list(items))


def structure(fields: Sequence[tuple[str, Sql]]) -> Sql:
    """`{'a': 1}`."""
    pairs = [exp.PropertyEQ(this=exp.Identifier(this=field), expression=value) for field, value in fields]
    return exp.Struct(expressions=pairs)


def field(piece: Sql, key: str) -> Sql:
    """A field of a structure."""
    return call("struct_extract", piece, exp.Literal.string(key))


def function(parameter: str | Sequence[str], body: Sql) -> Sql:
    """A function of one or more parameters, for the functions on lists."""
    names = [parameter] if isinstance(parameter, str) else list(parameter)
    return exp.Lambda(this=body, expressions=[name(each) for each in names])


def alias(piece: Sql, label: str) -> Sql:
    made = exp.Alias(this=piece)
    made.args["alias"] = name(label)
    return made


def _known_as(label: str) -> exp.TableAlias:
    made = exp.TableAlias()
    made.args["this"] = name(label)
    return made


def table(label: str, known_as: str | None = None, schema: str | None = None) -> Sql:
    made = exp.Table(alias=_known_as(known_as)) if known_as else exp.Table()
    made.args["this"] = name(label)
    if schema:
        made.args["db"] = name(schema)
    return made


def derived(query: Sql, known_as: str, *, lateral: bool = False) -> Sql:
    """A query in FROM; `lateral` lets it read the tables before it."""
    if lateral:
        return exp.Lateral(this=exp.Subquery(this=query), alias=_known_as(known_as))
    return exp.Subquery(this=query, alias=_known_as(known_as))


HELD = "held"
"""What is noted of a query that has operands as columns, each of them computed once."""


def held(columns: Sequence[Sql], known_as: str) -> Sql:
    """A query in FROM of one row, whose columns others may mention as often as they like."""
    return derived(noted(select(columns), HELD), known_as)


def unwound(items: Sql, known_as: str, element: Any) -> Sql:
    """A source with a row for each element of a list, which may read the tables before it: columns `x` and, from 1,
    `i`; no row for null.  For targets that have no embedded engine (`targets/`), which say it in their own way."""
    rows = noted(call("unwind", items), element)
    return exp.Lateral(this=rows, alias=exp.TableAlias(this=name(known_as)))


def fault(told: str, witness: Sql, rep: Any) -> Sql:
    """What fails at run time, in place of a value of `rep`.  It reads a value of the row, so that nothing computes it
    before there is one."""
    return noted(call("fault", exp.Literal.string(told), witness), rep)


class Identity(exp.Anonymous):
    """What tells an element apart by a tag and the values of columns (`targets/` writes it out)."""


def identity(tag: str, columns: Sequence[Sql], reps: Any) -> Sql:
    return Identity(this="identity", tag=tag, expressions=list(columns), rep=reps)


def tag_of(piece: Sql) -> str | None:
    """The tag of an identity; None for other pieces."""
    return str(piece.args["tag"]) if type(piece) is Identity else None


_QUICK: Mapping[type[Sql], Callable[[Sql], Sql]] = {exp.Column: _column_again, Identity: _identity_again}
"""Copies of what is copied most."""


def absent(piece: Sql) -> Sql:
    """An identity, with a note that there may be no element: all columns of its key are then null."""
    piece.args["absent"] = True
    return piece


def may_be_absent(piece: Sql) -> bool:
    return bool(piece.args.get("absent"))


def is_identity(piece: Sql) -> bool:
    return type(piece) is Identity


def scalar(query: Sql) -> Sql:
    """A query as a value."""
    return exp.Subquery(this=query)


def select(
    columns: Sequence[Sql],
    sources: Sequence[Sql] = (),
    conditions: Sequence[Sql] = (),
    *,
    distinct: bool = False,
    group: Sequence[Sql] = (),
) -> exp.Select:
    """SELECT columns FROM sources, side by side, WHERE all conditions.  A source that is an `exp.Join` joins."""
    parts: dict[str, Any] = {"expressions": list(columns)}
    if sources:
        parts["from_"] = exp.From(this=sources[0])
        if len(sources) > 1:
            parts["joins"] = [each if isinstance(each, exp.Join) else exp.Join(this=each) for each in sources[1:]]
    if conditions:
        parts["where"] = exp.Where(this=conjunction(conditions))
    if distinct:
        parts["distinct"] = exp.Distinct()
    if group:
        parts["group"] = exp.Group(expressions=list(group))
    return exp.Select(**parts)


def left_join(source: Sql, on: Sql) -> Sql:
    return exp.Join(this=source, on=on, side="LEFT")


def ordered(piece: Sql, *, descending: bool = False, nulls_first: bool = False) -> Sql:
    return exp.Ordered(this=piece, desc=descending, nulls_first=nulls_first)


def union(queries: Sequence[Sql], *, distinct: bool = False) -> Sql:
    """UNION [ALL] of queries, folded evenly so that many of them do not nest deeply."""
    level = list(queries)
    while len(level) > 1:
        pairs = [
            exp.Union(this=level[at], expression=level[at + 1], distinct=distinct) for at in range(0, len(level) - 1, 2)
        ]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
    return level[0]


def branches(query: exp.Query) -> Iterator[exp.Query]:
    """The queries of a union, from the top; of another query, itself."""
    pending = [query]
    while pending:
        node = pending.pop()
        if isinstance(node, exp.Union):
            pending += [node.expression, node.this]
        else:
            yield node
