"""JSON as lists: what makes, holds and reads the text of a JSON array, where it is certain that it is one.

A recursive query of Oracle cannot hold a list, so that what is visited is the text of an array, which grows by
`SUBSTR(t, 1, LENGTH(t) - 1) || CASE WHEN t <> '[]' THEN ',' END || SUBSTR(JSON_ARRAY(x), 2)`.  Where nothing but JSON
functions sees such a column, it is a list.  What reads JSON is marked, `json_items(x)`, until types tell that `x` is a
list; the JSON of a property is none.  Facts: Oracle's "SQL Language Reference" (JSON_ARRAY, JSON_TABLE, JSON_VALUE).
"""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import (
    Apply,
    Call,
    Case,
    Cast,
    CommonTable,
    Expression,
    Item,
    ListOf,
    Literal,
    Node,
    Property,
    Ref,
    Select,
    SetOperation,
    TableName,
    TableOperation,
    WordedCall,
)
from graphir.passes.selects import kinds as of
from graphir.passes.selects.kinds import Types
from graphir.passes.selects.scopes import NoGraphQuery

READING = frozenset(("json_items", "json_size", "json_element", "json_value"))
"""The marks: the elements of a list, their number, the one at a place, and the list itself."""


def read(node: Apply, types: Types) -> Expression:
    """What a mark means.  Raises NoGraphQuery where it is not certain that it is of a list."""
    source, *rest = node.args
    found = types.of(source)
    if not found or not all(isinstance(each, of.Listed) for each in found):
        raise NoGraphQuery("it reads JSON, which graph queries have not", node.span)
    if node.function == "json_size":
        return Apply("size", (source,), span=node.span)
    return ir.Index(source, rest[0], span=node.span) if node.function == "json_element" else source


# ------------------------------------------------------------------ columns that hold the text of an array


def with_lists(query: ir.Query) -> ir.Query:
    """The query with lists for the columns of recursive common tables that hold the text of an array."""
    tables = [node for node in ir.walk(query) if isinstance(node, CommonTable)]
    for table in tables:
        names = _texts(table)
        if names and _is_read_as_json(query, table, names):
            query = _with_lists(query, table, names)
    return query


def _texts(table: CommonTable) -> frozenset[str]:
    """The columns that hold the text of an array, in lower case."""
    body = table.body
    if not isinstance(body, SetOperation) or len(body.branches) != 2:
        return frozenset()
    seed, step = body.branches
    if not isinstance(seed, Select) or not isinstance(step, Select) or len(seed.items) != len(step.items):
        return frozenset()
    names = table.columns or tuple([item.name or "" for item in seed.items if isinstance(item, Item)])
    if len(names) != len(seed.items):
        return frozenset()
    found: list[str] = []
    for name, first, then in zip(names, seed.items, step.items, strict=True):
        if not isinstance(first, Item) or not isinstance(then, Item) or _written(first.value) is None:
            continue
        if _column(then.value) == name.lower() or _grown(then.value, name.lower()) is not None:
            found.append(name.lower())
    return frozenset(found)


def _column(value: Expression) -> str | None:
    """The name of a column, with or without its table."""
    match value:
        case Property(Ref(), name) | Ref(name):
            return name.lower()
    return None


def _written(value: Expression) -> ListOf | None:
    """The list whose text a value is."""
    match value:
        case Cast(inner, ir.ValueType("STRING")):
            return _written(inner)
        case Literal("[]"):
            return ListOf((), span=value.span)
        case WordedCall("JSON_ARRAY", args, words, None) if "NULL ON NULL" in words:
            return ListOf(args, span=value.span)
    return None


def _grown(value: Expression, name: str) -> ListOf | None:
    """What is added to the text of an array: `SUBSTR(t, 1, LENGTH(t) - 1) || CASE .. || SUBSTR(JSON_ARRAY(x), 2)`."""
    parts = _joined(value)
    if len(parts) != 3:
        return None
    before, comma, added = parts
    match before, comma, added:
        case (
            Apply("substr", (text, Literal(1), Apply("sub", (Apply("char_length", (whole,)), Literal(1))))),
            Case(None, (ir.Branch((Apply("ne", (held, Literal("[]"))),), Literal(",")),), None),
            Apply("substr", (made, Literal(2))),
        ):
            if _column(text) == _column(whole) == _column(held) == name:
                return _written(made)
    return None


def _joined(value: Expression) -> list[Expression]:
    """What is joined, from left to right."""
    parts: list[Expression] = []
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Apply) and part.function == "concat":
            pending.extend(reversed(part.args))
        else:
            parts.append(part)
    return parts


def _is_read_as_json(query: ir.Query, table: CommonTable, names: frozenset[str]) -> bool:
    """Whether nothing but JSON functions sees the columns, where the table is named."""
    for select in ir.walk(query):
        if not isinstance(select, Select) or select.table is None or not _names(select.table, table.name):
            continue
        if any(isinstance(item, ir.Star) for item in select.items):
            return False
        is_step = any(node is select for node in ir.walk(table.body))
        if not is_step and not isinstance(select.table, TableName):
            return False
        if not all(_is_hidden(part, names, is_step=is_step) for part in ir.children(select)):
            return False
    return True


def _names(table: ir.TableExpression, name: str) -> bool:
    """Whether a table is named among those that are joined."""
    pending = [table]
    while pending:
        part = pending.pop()
        if isinstance(part, ir.Join):
            pending += [part.left, part.right]
        elif isinstance(part, TableName) and len(part.name) == 1 and part.name[0].lower() == name.lower():
            return True
    return False


def _is_hidden(node: Node, names: frozenset[str], *, is_step: bool) -> bool:
    """Whether the columns stand in JSON functions alone, or, in a step, where they grow or stay."""
    pending: list[Node] = [node]
    while pending:
        part = pending.pop()
        name = _column(part) if isinstance(part, Expression) else None
        if name in names:
            return False
        match part:
            case Call((("JSON" | "json"),), (inner,)) if _column(inner) in names:
                continue
            case TableOperation("json_table", value=Expression() as inner) if _column(inner) in names:
                continue
            case Item(value) if is_step and (_column(value) in names or any(_grown(value, each) for each in names)):
                pending += [made for each in names if (made := _grown(value, each)) is not None]
                continue
        pending.extend(ir.children(part))
    return True


def _with_lists(query: ir.Query, table: CommonTable, names: frozenset[str]) -> ir.Query:
    body = table.body
    assert isinstance(body, SetOperation)
    seed, step = body.branches
    assert isinstance(seed, Select)
    assert isinstance(step, Select)
    firsts = tuple([_first(item) if _is_text(table, at, names) else item for at, item in enumerate(seed.items)])
    thens = tuple([_then(item, names) for item in step.items])
    branches = (replace(seed, items=firsts), replace(step, items=thens))

    def rule(node: Node) -> Node:
        return replace(table, body=replace(body, branches=branches)) if node is table else node

    def bare(node: Node) -> Node:
        match node:
            case Call((("JSON" | "json"),), (inner,)) if _column(inner) in names:
                return inner
        return node

    found = ir.rewrite(query, rule)

    def choose(node: Node) -> Node | None:
        if isinstance(node, Select) and isinstance(node.table, TableName) and _names(node.table, table.name):
            return ir.rewrite(node, bare)
        return None

    return ir.rewrite_down(found, choose)


def _first(item: Item | ir.Star) -> Item | ir.Star:
    """The item of a first query with the list whose text it is."""
    made = _written(item.value) if isinstance(item, Item) else None
    return item if made is None or not isinstance(item, Item) else replace(item, value=made)


def _is_text(table: CommonTable, at: int, names: frozenset[str]) -> bool:
    body = table.body
    assert isinstance(body, SetOperation)
    first = body.branches[0]
    assert isinstance(first, Select)
    item = first.items[at]
    name = table.columns[at] if table.columns else item.name if isinstance(item, Item) else None
    return name is not None and name.lower() in names


def _then(item: Item | ir.Star, names: frozenset[str]) -> Item | ir.Star:
    """The item of a step with a list that grows."""
    if not isinstance(item, Item):
        return item
    for name in names:
        added = _grown(item.value, name)
        if added is not None:
            first = _joined(item.value)[0]
            assert isinstance(first, Apply)
            return replace(item, value=Apply("concat", (first.args[0], added), span=item.span))
    return item
