"""Pieces of Oracle's SQL that its rules share: calls, types, guards, faults, sources of rows, and the empty string.

The empty string is null there.  A piece whose value may be the empty string carries a condition that says whether its
value in the query is one at all (`known`): where the piece is null and the condition holds, the value is `''`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql, bare
from graphir.backends.sql.sharing import is_small
from graphir.backends.sql.targets import sharing
from graphir.backends.sql.targets.target import Rewriting

ABOVE = 10**19 - 2**63
"""What lifts the first integer beyond 64 bits to the first number beyond 19 digits."""
BELOW = ABOVE - 1
NONE = "NULL ON NULL"
ABSENT = "ABSENT ON NULL"
_KNOWN = "known"
_MARKED = "marked"
_MARK = "."
NOTES = ("flat", "parts", "distinct", "kind", "texts")
"""What else is noted, by `oracle_lists` and `oracle_texts`."""
_NOTED = (_KNOWN, _MARKED, *NOTES)


def call(name: str, *arguments: Sql) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


def typed(kind: str) -> exp.DataType:
    """A type by its name there."""
    return exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=kind)


def cast(piece: Sql, kind: str) -> exp.Cast:
    return exp.Cast(this=piece, to=typed(kind))


def literal(piece: Sql) -> int | None:
    """The integer that a piece is, if it is a constant."""
    piece = bare(piece)
    sign = 1
    if isinstance(piece, exp.Neg):
        piece, sign = bare(piece.this), -1
    if not isinstance(piece, exp.Literal) or piece.is_string or not piece.name.isdigit():
        return None
    return sign * int(piece.name)


def guarded(piece: Sql) -> Sql:
    """An integer, or the fault of a number with too many digits (ORA-01438) where it leaves 64 bits.

    NUMBER holds 38 digits, and a cast refuses more than 19: moved up by `ABOVE`, those are the integers that are too
    large, and moved down, those that are too small.
    """
    lifted = build.binary(exp.Add, piece, exp.Literal.number(ABOVE))
    lowered = build.binary(exp.Sub, cast(lifted, "NUMBER(19)"), exp.Literal.number(ABOVE + BELOW))
    return exp.Paren(this=build.binary(exp.Add, cast(lowered, "NUMBER(19)"), exp.Literal.number(BELOW)))


def json_table(items: Sql, kind: str, alias: str, path: str = "$[*]") -> Sql:
    """The elements `x` of a JSON array, of a type, at the places `i`."""
    columns = exp.JSONSchema(
        expressions=[
            exp.JSONColumnDef(this=build.name("x"), kind=kind, path=exp.Literal.string("$")),
            exp.JSONColumnDef(this=build.name("i"), ordinality=True),
        ]
    )
    rows = exp.JSONTable(this=items, path=exp.Literal.string(path), schema=columns, error_handling="ERROR ON ERROR")
    return exp.Table(this=rows, alias=exp.TableAlias(this=build.name(alias)))


def lateral(query: Sql, alias: str) -> Sql:
    """A query in FROM that reads the tables before it."""
    return exp.Table(this=call("LATERAL", query), alias=exp.TableAlias(this=build.name(alias)))


def array(items: Sequence[Sql]) -> Sql:
    if not items:
        return call("JSON", exp.Literal.string("[]"))
    return exp.JSONArray(expressions=list(items), null_handling=NONE, return_type=typed("JSON"))


def gathered(value: Sql, order: Sequence[Sql] = (), *, nulls: bool = True) -> exp.JSONArrayAgg:
    """The aggregate; null for no rows."""
    made = exp.JSONArrayAgg(this=value, null_handling=NONE if nulls else ABSENT, return_type=typed("JSON"))
    if order:
        made.set("order", exp.Order(expressions=list(order)))
    return made


def sources(select: exp.Select) -> Iterator[Sql]:
    from_ = select.args.get("from_")
    if from_ is not None:
        yield from_.this
    for join in select.args.get("joins") or ():
        yield join.this


# ------------------------------------------------------------------ the empty string


def may_be_empty(piece: Sql, known: Sql) -> Sql:
    """The piece, of which `known` says whether it has a value."""
    piece.meta[_KNOWN] = known
    return piece


def forget(nodes: Iterable[Sql]) -> None:
    """Drop what rules have noted for each other."""
    for node in nodes:
        if node._meta:
            for key in _NOTED:
                node.meta.pop(key, None)


def known_if_empty(piece: Sql) -> Sql | None:
    """Whether the value is not null, if it may be the empty string; None if it never is.  Recurses."""
    piece = bare(piece)
    noted = piece.meta_get(_KNOWN)
    if noted is not None:
        assert isinstance(noted, exp.Expr)
        return noted.copy()
    if isinstance(piece, exp.Literal):
        return build.boolean(True) if piece.is_string and not piece.name else None
    if isinstance(piece, exp.Alias):
        return known_if_empty(piece.this)
    if isinstance(piece, exp.Case):
        results = [branch.args["true"] for branch in piece.args["ifs"]]
        default = piece.args.get("default")
        if not any(known_if_empty(each) for each in (*results, *([default] if default is not None else []))):
            return None
        branches = [(branch.this.copy(), known(branch.args["true"])) for branch in piece.args["ifs"]]
        return build.case(branches, known(default) if default is not None else build.boolean(False))
    return None


def known(piece: Sql) -> Sql:
    """Whether the value is not null."""
    found = known_if_empty(piece)
    if found is not None:
        return found
    inner = bare(piece)
    if isinstance(inner, exp.Null) or (isinstance(inner, exp.Cast) and isinstance(inner.this, exp.Null)):
        return build.boolean(False)
    if isinstance(inner, exp.Literal):
        return build.boolean(True)
    return build.is_not_null(piece.copy())


def all_known(pieces: Sequence[Sql]) -> Sql | None:
    """Whether no value is null; None where none ever is."""
    tests = [known(piece) for piece in pieces]
    tests = [test for test in tests if not (isinstance(test, exp.Boolean) and test.this)]
    return build.conjunction(tests) if tests else None


def where_known(pieces: Sequence[Sql], made: Sql) -> Sql:
    """The piece made of others, or null where one of them is."""
    test = all_known(pieces)
    return made if test is None else build.case([(test, made)])


def marked(piece: Sql) -> Sql:
    """A text with a character before it, which is null only where the value is: comparisons and order stay the same."""
    inner = bare(piece)
    found = inner.meta_get(_MARKED)
    if found is not None:
        assert isinstance(found, exp.Expr)
        return found.copy()
    if isinstance(inner, exp.Literal):
        return exp.Literal.string(_MARK + inner.name)
    if isinstance(inner, exp.Case) and _KNOWN not in inner.meta:
        default = inner.args.get("default")
        branches = [(each.this.copy(), marked(each.args["true"])) for each in inner.args["ifs"]]
        return build.case(branches, None if default is None else marked(default))
    longer = exp.DPipe(this=exp.Literal.string(_MARK), expression=build.atom(inner.copy()))
    test = known_if_empty(inner)
    if test is not None:
        return build.case([(test, longer)])
    return exp.Nullif(this=longer, expression=exp.Literal.string(_MARK))


def once(node: Sql, pieces: Sequence[Sql], make: Callable[..., Sql], rewriting: Rewriting) -> Sql:
    """What `make` makes of pieces of a node, none of them more than once (`sharing.once`), the empty string told from
    null all the way: a piece that may be it is a column with the marked text, and so is what is made."""
    if all(map(is_small, pieces)) or not sharing.may_be_queried(node, pieces):
        return make(*pieces)
    columns, given = sharing.as_columns(pieces, rewriting, _held)
    made = make(*given)
    is_empty = known_if_empty(made) is not None
    shown = [marked(made) if is_empty else made]
    query = build.scalar(build.select(shown, [build.held(columns, rewriting.fresh("u"))]))
    return _unmarked(query) if is_empty else query


def _held(piece: Sql, column: Sql) -> tuple[Sql, Sql]:
    return (piece, column) if known_if_empty(piece) is None else (marked(piece), _unmarked(column))


def _unmarked(text: Sql) -> Sql:
    made = may_be_empty(call("SUBSTR", text, build.number(len(_MARK) + 1)), build.is_not_null(text.copy()))
    made.meta[_MARKED] = text.copy()
    return made
