"""What tells elements apart in tables whose keys may be the same in another table: a text of a tag and the key.

`Person:42` is the row of the element table Person with the key 42.  Of a key of several columns the texts that others
follow have their length before them, so that no two keys have one text.  Where two elements of known tables are
compared, the columns of the keys are, as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.reps import (
    BOOLEAN,
    EDGE,
    INTEGER,
    NODE,
    NULL,
    PATH,
    PATH_OF_TEXTS,
    STRING,
    ListRep,
    MapRep,
    Rep,
    list_of,
    map_of,
)

KEYS = frozenset((INTEGER, STRING, BOOLEAN, NULL))
"""How the columns of keys may lie; NULL where it is not known."""


def compare(tree: Sql) -> Sql:
    """The tree with comparisons of the keys themselves where both sides are elements of known tables, in place."""
    for node in build.nodes(tree):
        if not isinstance(node, (exp.EQ, exp.NEQ)):
            continue
        left, right = (_bare(each) for each in (node.this, node.expression))
        if not (build.is_identity(left) and build.is_identity(right)):
            continue
        made = _compared(left, right)
        if isinstance(node, exp.NEQ):
            made = build.negation(made) if not isinstance(made, exp.Boolean) else build.boolean(not made.this)
        if node is tree:
            return made
        node.replace(build.atom(made))
    return tree


def _bare(piece: Sql) -> Sql:
    while isinstance(piece, exp.Paren):
        piece = piece.this
    return piece


def _compared(left: Sql, right: Sql) -> Sql:
    """Keys are never null."""
    (tag, *one), (other_tag, *other) = left.expressions, right.expressions
    if tag.name != other_tag.name:
        return build.boolean(False)
    reps = build.note(left)
    return build.conjunction(
        [build.noted(build.equal(a.copy(), b.copy()), rep) for a, b, rep in zip(one, other, reps, strict=True)]
    )


def written(node: exp.Anonymous, text: exp.DataType, length: Callable[[Sql], Sql]) -> Sql:
    """The text of an identity; `length` counts the characters of one."""
    tag, *columns = node.expressions
    reps: tuple[Rep, ...] = build.note(node)
    parts: list[Sql] = [exp.Literal.string(f"{tag.name}:")]
    for at, (column, rep) in enumerate(zip(columns, reps, strict=True)):
        last = at == len(columns) - 1
        spelled = column if rep == STRING else build.cast(column, text)
        if rep in (STRING, NULL) and not last:
            parts += [build.cast(length(spelled.copy()), text), exp.Literal.string(".")]
        parts.append(spelled)
        if not last:
            parts.append(exp.Literal.string(":"))
    made = parts[0]
    for part in parts[1:]:
        made = build.binary(exp.DPipe, made, part)
    return exp.Paren(this=made)


def laid(rep: Rep, node: Rep, edge: Rep) -> Rep:
    """The representation with what stands for elements in place of them.  Recurses."""
    if rep == NODE:
        return node if node == STRING else rep
    if rep == EDGE:
        return edge if edge == STRING else rep
    if rep == PATH:
        return PATH_OF_TEXTS if STRING in (node, edge) else rep
    if isinstance(rep, ListRep):
        return list_of(laid(rep.element, node, edge))
    if isinstance(rep, MapRep):
        return map_of(rep.keys, [laid(value, node, edge) for value in rep.values])
    return rep
