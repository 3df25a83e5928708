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
_COMPARED = frozenset((exp.EQ, exp.NEQ, exp.Is, exp.Group, exp.Count))
"""Nodes that compare, test, group or count elements."""
EMPTY = frozenset(("oracle",))
"""sqlglot's names of the databases that put null together with a text as if it were empty."""


def compare(tree: Sql) -> Sql:
    """The tree with comparisons, counts, groups and tests for null of the keys themselves where those of elements of
    known tables stand, in place."""
    granted: list[Sql] = []
    for node in build.nodes(tree):
        if type(node) not in _COMPARED:
            continue
        if isinstance(node, (exp.EQ, exp.NEQ)):
            made = _comparison(node)
        elif isinstance(node, exp.Is) and build.is_identity(tested := build.bare(node.this)):
            made = exp.Is(this=tested.expressions[0], expression=node.expression)
        else:
            _count(node)
            continue
        if made is None:
            continue
        if node is tree:
            return made
        parent = node.parent
        node.replace(made if isinstance(made, exp.Is) else build.atom(made))
        if isinstance(made, exp.Boolean) and made.this and isinstance(parent, (exp.Where, exp.And, exp.Paren)):
            granted.append(made)
    for made in granted:
        build.leave_out(made)
    return tree


def _comparison(node: exp.EQ | exp.NEQ) -> Sql | None:
    """Whether keys are the same, or not; None where the two are no elements of known tables."""
    left, right = (build.bare(each) for each in (node.this, node.expression))
    if not (build.is_identity(left) and build.is_identity(right)):
        return None
    one, other = left.expressions, right.expressions
    if build.tag_of(left) != build.tag_of(right):  # of what may be absent, the comparison may be null
        known = not (build.may_be_absent(left) or build.may_be_absent(right))
        return build.boolean(isinstance(node, exp.NEQ)) if known else None
    reps = build.note(left)
    kind = exp.NEQ if isinstance(node, exp.NEQ) and len(one) == 1 else exp.EQ
    pairs = zip(one, other, reps, strict=True)
    made = build.conjunction([build.noted(build.binary(kind, a.copy(), b.copy()), rep) for a, b, rep in pairs])
    return build.negation(made) if isinstance(node, exp.NEQ) and kind is exp.EQ else made


def _count(node: Sql) -> None:
    """Count or group elements by their keys, in place."""
    if isinstance(node, exp.Group):
        keys = [each.expressions if build.is_identity(each) else [each] for each in node.expressions]
        node.set("expressions", [each for listed in keys for each in listed])
        return
    if not isinstance(node, exp.Count):
        return
    counted = node.this
    if isinstance(counted, exp.Distinct) and len(counted.expressions) == 1:
        counted = counted.expressions[0]
        if build.is_identity(counted) and len(counted.expressions) > 1:
            return
    if isinstance(counted, exp.Expr) and build.is_identity(counted):
        build.noted(node, build.note(counted)[0])
        counted.replace(counted.expressions[0])


def written(node: exp.Anonymous, text: exp.DataType, length: Callable[[Sql], Sql], *, guarded: bool = False) -> Sql:
    """The text of an identity; `length` counts the characters of one.  `guarded`: null is said by a CASE, where the
    target takes it for the empty string."""
    columns = node.expressions
    reps: tuple[Rep, ...] = build.note(node)
    parts: list[Sql] = [exp.Literal.string(f"{build.tag_of(node)}:")]
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
    if guarded and build.may_be_absent(node):
        return build.case([(build.is_not_null(columns[0].copy()), made)])
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
