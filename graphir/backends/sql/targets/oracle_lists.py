"""Lists, maps and paths in Oracle: values of type JSON, taken apart by JSON_TABLE and put together by JSON_ARRAYAGG.

A map is an object with its values as f0, f1 .. in the order of its keys, a path one with the lists `nodes` and `edges`.
JSON_ARRAYAGG has no DISTINCT, and an aggregate that stands in a query inside of the results of another is the inner
one's: both make a query over the groups (`lifted`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql, bare
from graphir.backends.sql.reps import EDGE, FLOAT, JSON, NODE, PATH, PATH_OF_TEXTS, STRING, ListRep, MapRep, Rep
from graphir.backends.sql.targets import oracle_texts as texts
from graphir.backends.sql.targets.oracle_pieces import (
    ABSENT,
    NONE,
    array,
    call,
    cast,
    gathered,
    json_table,
    lateral,
    literal,
    once,
    sources,
    typed,
)
from graphir.backends.sql.targets.rewriting import json_object
from graphir.backends.sql.targets.target import Rewriting

_LAST = (1 << 31) - 1
_FEW = 100
"""Integers of a range that are written out."""


def is_document(rep: Rep | None) -> bool:
    """Whether values lie as JSON."""
    return isinstance(rep, (ListRep, MapRep)) or rep in (PATH, PATH_OF_TEXTS, JSON)


def _of(rep: Rep | None) -> Rep | None:
    return rep.element if isinstance(rep, ListRep) else None


def kind_of(rep: Rep | None, rewriting: Rewriting) -> str:
    """The type of a column with such values; None: what tells elements apart, as a text where one of them is."""
    if is_document(rep):
        return "JSON"
    if rep == FLOAT:
        return "BINARY_DOUBLE"
    kinds = [rewriting.type_of(each).sql(dialect="oracle") for each in ([NODE, EDGE] if rep is None else [rep])]
    return kinds[0] if len(set(kinds)) == 1 else rewriting.type_of(STRING).sql(dialect="oracle")


def whole(items: Sql, rewriting: Rewriting) -> Sql:
    """A list whose elements are no empty texts, which come out as null."""
    if any(each.meta_get("parts") for each in build.nodes(items)):
        rewriting.refuse("the parts of a text that was split, which may be empty")
    return items


# ------------------------------------------------------------------ putting together


def listed(node: exp.Array, rewriting: Rewriting) -> Sql:
    return array([texts.never_empty(_item(item), rewriting) for item in node.expressions])


def _item(piece: Sql) -> Sql:
    return exp.Paren(this=piece.copy()) if isinstance(piece, exp.Query) else piece


def aggregated(node: exp.ArrayAgg, rewriting: Rewriting) -> Sql:
    """The list of the rows of a group; what is DISTINCT is noted for `lifted`."""
    value: Sql = node.this
    rep = build.note(node)
    order: Sequence[Sql] = ()
    if isinstance(value, exp.Order):
        value, order = value.this, value.expressions
    distinct = isinstance(value, exp.Distinct)
    if isinstance(value, exp.Distinct):
        (value,) = value.expressions
    made = gathered(texts.never_empty(value, rewriting), order)
    made.meta["kind"] = kind_of(_of(rep), rewriting)
    if distinct:
        if is_document(_of(rep)):
            rewriting.refuse("lists, maps and paths without duplicates")
        made.meta["distinct"] = True
    return made


def structure(node: exp.Struct, rewriting: Rewriting) -> Sql:
    pairs = [
        exp.JSONKeyValue(
            this=exp.Literal.string(field.this.name), expression=texts.never_empty(field.expression, rewriting)
        )
        for field in node.expressions
    ]
    return exp.JSONObject(expressions=pairs, null_handling="NULL ON NULL", return_type=typed("JSON"))


def document(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A JSON object of names and values."""
    parts = [texts.never_empty(each, rewriting) for each in node.expressions]
    if not parts:
        return call("JSON", exp.Literal.string("{}"))
    return json_object(parts)


def appended(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, item = node.expressions
    return _flat(node, [items, array([texts.never_empty(item, rewriting)])], rewriting)


def joined(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Of a chain the outermost sees to all."""
    if isinstance(node.parent, exp.Anonymous) and node.parent.name == node.name:
        return node
    return _flat(node, node.expressions, rewriting)


def _flat(node: exp.Anonymous, lists: Sequence[Sql], rewriting: Rewriting) -> Sql:
    """Lists one after the other: the elements of the elements of the list of them; null if one is."""
    parts: list[Sql] = []
    pending = list(reversed(lists))
    while pending:
        part = bare(pending.pop())
        if isinstance(part, exp.Anonymous) and part.name == "list_concat":
            pending += reversed(part.expressions)
        else:
            parts += part.meta.get("flat", [whole(part, rewriting)])
    merged: list[Sql] = []
    for part in parts:
        if _is_constant(part) and merged and _is_constant(merged[-1]):
            merged[-1] = array([*_items(merged[-1]), *_items(part)])
        else:
            merged.append(part.copy())
    merged = [part for part in merged if not _is_constant(part) or _items(part)]
    if len(merged) < 2:
        return merged[0] if merged else array([])
    made = once(node, merged, _merged(kind_of(_of(build.note(node)), rewriting), rewriting), rewriting)
    made.meta["flat"] = merged
    return made


def _merged(kind: str, rewriting: Rewriting) -> Callable[..., Sql]:
    """The function that makes one list of several; null if one is."""
    each = rewriting.fresh("j")

    def merge(*lists: Sql) -> Sql:
        source = json_table(array([part.copy() for part in lists]), kind, each, "$[*][*]")
        made = _gathered(build.column("x", each), source, [build.ordered(build.column("i", each))])
        unsure: list[Sql] = []
        for part in lists:
            if not _is_constant(part) and part not in unsure:
                unsure.append(part)
        if not unsure:
            return made
        return build.case([(build.conjunction([build.is_not_null(part.copy()) for part in unsure]), made)])

    return merge


def _is_constant(piece: Sql) -> bool:
    """Whether it is a list that is put together right here."""
    return isinstance(piece, exp.JSONArray) or (
        isinstance(piece, exp.Anonymous)
        and piece.name == "JSON"
        and isinstance(piece.expressions[0], exp.Literal)
        and piece.expressions[0].name == "[]"
    )


def _items(piece: Sql) -> list[Sql]:
    return [each.copy() for each in piece.expressions] if isinstance(piece, exp.JSONArray) else []


def _gathered(value: Sql, source: Sql, order: Sequence[Sql], *where: Sql) -> Sql:
    """The list of the rows of a source, in order; empty for none."""
    query = build.select([gathered(value, order)], [source], where)
    return call("NVL", build.scalar(query), array([]))


# ------------------------------------------------------------------ taking apart


def elements(node: exp.Lateral, rewriting: Rewriting) -> Sql:
    """The elements of a list as rows, or the rows of a subquery that reads the tables before it."""
    alias = node.args["alias"].this.this
    if isinstance(node.this, exp.Subquery):
        return lateral(node.this.this, alias)
    items = whole(node.this.expressions[0], rewriting)
    return json_table(items, kind_of(build.note(node.this), rewriting), alias)


def size(node: exp.Anonymous, _: Rewriting) -> Sql:
    return _size(node.expressions[0])


def _size(items: Sql) -> Sql:
    return exp.JSONValue(this=items, path=exp.Literal.string("$.size()"), returning=typed("NUMBER"))


def item(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The element at a place from 1, or from the end by a negative one."""
    items, place = node.expressions
    rep, at = build.note(node), literal(place)
    if bare(items).meta.get("parts"):
        if at is None or at < 1:
            rewriting.refuse("the parts of a text that was split, at a place that is no constant")
        return texts.part(node, items, at - 1, rewriting)
    whole(items, rewriting)
    if at == 0:
        return exp.Null()
    if at is not None:
        path = exp.Literal.string(f"$[{at - 1}]" if at > 0 else "$[last]" if at == -1 else f"$[last-{-at - 1}]")
        return _valued(items, path, rep, rewriting)
    each = rewriting.fresh("j")

    def taken(items: Sql, place: Sql) -> Sql:
        from_end = build.binary(exp.Add, build.binary(exp.Add, _size(items.copy()), build.number(1)), place.copy())
        place_ = build.case([(build.binary(exp.LT, place.copy(), build.number(0)), from_end)], place)
        source = json_table(items, kind_of(rep, rewriting), each)
        found = build.equal(build.column("i", each), place_)
        return build.scalar(build.select([build.column("x", each)], [source], [found]))

    return once(node, [items, place], taken, rewriting)


def _valued(document: Sql, path: Sql, rep: Rep | None, rewriting: Rewriting) -> Sql:
    """What stands at a path; null where nothing does."""
    if is_document(rep):
        return call("JSON_QUERY", document, path)
    condition = exp.OnCondition(error="ERROR ON ERROR", empty="NULL ON EMPTY")
    returning = typed(kind_of(rep, rewriting))
    return exp.JSONValue(this=document, path=path, returning=returning, on_condition=condition)


def field(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A field of a map or a path, as what it was."""
    document, key = node.expressions
    made = bare(document)
    if isinstance(made, exp.JSONObject):
        for pair in made.expressions:
            if pair.this.name == key.name:
                value: Sql = pair.expression
                return value
    return _valued(document, exp.Literal.string(f"$.{key.name}"), build.note(node), rewriting)


def _known(node: exp.Anonymous, items: Sql, make: Callable[[Sql], Sql], rewriting: Rewriting) -> Sql:
    """What is made of a list; null of null."""
    if _is_constant(bare(items)):
        return make(items)
    return once(node, [items], lambda held: build.case([(build.is_not_null(held.copy()), make(held))]), rewriting)


def part(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The elements from a place to a place, both included."""
    items, low, high = node.expressions
    each = rewriting.fresh("j")
    place = build.column("i", each)
    where = [build.binary(exp.GTE, place, low)]
    if literal(high) != _LAST:
        where.append(build.binary(exp.LTE, place.copy(), high))
    kind = kind_of(_of(build.note(node)), rewriting)

    def parts(held: Sql) -> Sql:
        source = json_table(held, kind, each)
        return _gathered(build.column("x", each), source, [build.ordered(place.copy())], *where)

    return _known(node, whole(items, rewriting), parts, rewriting)


def reverse(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, each = node.expressions[0], rewriting.fresh("j")
    order = [build.ordered(build.column("i", each), descending=True)]
    kind = kind_of(_of(build.note(node)), rewriting)

    def turned(held: Sql) -> Sql:
        return _gathered(build.column("x", each), json_table(held, kind, each), order)

    return _known(node, whole(items, rewriting), turned, rewriting)


def contains(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, item_ = node.expressions
    each = rewriting.fresh("j")
    source = json_table(whole(items, rewriting), kind_of(build.note(node), rewriting), each)
    same = build.equal(build.column("x", each), texts.never_empty(item_, rewriting))
    return exp.Exists(this=build.select([build.number(1)], [source], [same]))


def overlap(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    kind = kind_of(build.note(node), rewriting)
    names = [rewriting.fresh("j"), rewriting.fresh("j")]
    tables = [
        json_table(whole(items, rewriting), kind, name) for items, name in zip(node.expressions, names, strict=True)
    ]
    same = build.equal(*[build.column("x", name) for name in names])
    return exp.Exists(this=build.select([build.number(1)], tables, [same]))


def folded(aggregate: Callable[[Sql], Sql]) -> Callable[[exp.Anonymous, Rewriting], Sql]:
    """An aggregate of the elements; null of null."""

    def rule(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
        items, each = node.expressions[0], rewriting.fresh("j")
        kind = kind_of(_of(build.note(node)), rewriting)

        def counted(held: Sql) -> Sql:
            return build.scalar(build.select([aggregate(build.column("x", each))], [json_table(held, kind, each)]))

        return _known(node, whole(items, rewriting), counted, rewriting)

    return rule


def series(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The integers from the first to the last, both included, by a step."""
    return once(node, node.expressions, _series, rewriting)


def _series(first: Sql, last: Sql, *steps: Sql) -> Sql:
    step = steps[0] if steps else build.number(1)
    bounds = [literal(each) for each in (first, last, step)]
    if None not in bounds and bounds[2]:
        low, high, by = [int(each or 0) for each in bounds]
        known = range(low, high + (1 if by > 0 else -1), by)
        if len(known) <= _FEW:
            return call("JSON", exp.Literal.string(str(list(known))))
    span = build.binary(exp.Div, build.binary(exp.Sub, last, first), step)
    span.set("typed", False)
    count = build.binary(exp.Add, call("FLOOR", span), build.number(1))
    level = exp.Column(this=exp.Identifier(this="LEVEL"))
    before = exp.Mul(
        this=exp.Paren(this=build.binary(exp.Sub, level, build.number(1))), expression=build.atom(step.copy())
    )
    value = exp.Add(this=build.atom(first.copy()), expression=before)
    query = build.select(
        [gathered(value, [exp.Ordered(this=level.copy(), nulls_first=False)])], [exp.Table(this=exp.Var(this="DUAL"))]
    )
    query.set("connect", exp.Connect(connect=build.binary(exp.LTE, level.copy(), count)))
    some = build.binary(exp.GT, count.copy(), build.number(0))
    none = build.binary(exp.LTE, count.copy(), build.number(0))
    return build.case([(some, build.scalar(query)), (none, array([]))])


# ------------------------------------------------------------------ lists as texts


def compared(select: exp.Select, rewriting: Rewriting) -> exp.Select:
    """SELECT DISTINCT with lists, which are compared as the texts that JSON_SERIALIZE makes of them."""
    documents = [is_document(build.note(each)) for each in select.expressions]
    if not any(documents):
        return select
    row = rewriting.fresh("g")
    outer: list[Sql] = []
    for each, document in zip(select.expressions, documents, strict=True):
        column: Sql = build.column(each.alias, row)
        if document:
            each.set("this", spelled(each.this, build.note(each), rewriting))
            column = call("JSON", column)
        outer.append(build.noted(build.alias(column, each.alias), build.note(each)))
    with_ = select.args.pop("with_", None)
    made = build.select(outer, [build.derived(select.copy(), row)])
    if with_ is not None:
        made.set("with_", with_)
    return made


def spelled(document: Sql, rep: Rep | None, rewriting: Rewriting) -> Sql:
    """The text of a list, map or path, which is the same for two that are equal."""
    if not _has_one_text(rep):
        rewriting.refuse("groups or rows without duplicates that have floats in lists or maps")
    return call("JSON_SERIALIZE", document)


def _has_one_text(rep: Rep | None) -> bool:
    if isinstance(rep, ListRep):
        return _has_one_text(rep.element)
    if isinstance(rep, MapRep):
        return all(_has_one_text(value) for value in rep.values)
    return rep != FLOAT


def group_by_texts(select: exp.Select, rewriting: Rewriting) -> None:
    """GROUP BY with lists, maps and paths: by their texts, of which the results make them again; in place."""
    group = select.args.get("group")
    if group is None:
        return
    for each in select.expressions:
        rep = build.note(each)
        if not is_document(rep) or not isinstance(each, exp.Alias):
            continue
        for key in list(group.expressions):
            if key == each.this:
                key.replace(spelled(key.copy(), rep, rewriting))
                each.set("this", call("JSON", spelled(each.this.copy(), rep, rewriting)))


def carry_as_texts(columns: Sequence[str], first: exp.Select, following: exp.Select) -> list[str]:
    """Make texts of the lists that a recursive query only adds to, in place; gives their names.

    Texts are what it may compare to find cycles, and adding to one takes no query.
    """
    made: list[str] = []
    for name, begin, more in zip(columns, first.expressions, following.expressions, strict=True):
        start = bare(begin.this if isinstance(begin, exp.Alias) else begin)
        step = bare(more.this if isinstance(more, exp.Alias) else more)
        parts = [step] if isinstance(step, exp.Column) and step.name == name else step.meta.get("flat", ())
        if not _is_constant(start) or not parts or not isinstance(parts[0], exp.Column) or parts[0].name != name:
            continue
        if not all(isinstance(part, exp.JSONArray) for part in parts[1:]):
            continue
        start.replace(cast(_literal(start), "VARCHAR2(4000)"))
        if len(parts) > 1:
            step.replace(_longer(parts[0], parts[1:]))
        made.append(name)
    return made


def _literal(items: Sql) -> Sql:
    """A list that is put together right here, as a text."""
    if isinstance(items, exp.JSONArray):
        return exp.JSONArray(expressions=[each.copy() for each in items.expressions], null_handling=NONE)
    return exp.Literal.string("[]")


def _longer(items: Sql, more: Sequence[Sql]) -> Sql:
    """A list with more elements, as a text: without its last bracket, and without the first one of those."""
    empty = build.binary(exp.NEQ, items.copy(), exp.Literal.string("[]"))
    size = build.binary(exp.Sub, call("LENGTH", items.copy()), build.number(1))
    made: Sql = exp.DPipe(
        this=call("SUBSTR", items.copy(), build.number(1), size),
        expression=build.case([(empty, exp.Literal.string(","))]),
    )
    joined_ = array([each.copy() for part in more for each in part.expressions])
    return exp.DPipe(this=made, expression=call("SUBSTR", _literal(joined_), build.number(2)))


def read_back(table: exp.CTE, names: Sequence[str], own: str) -> exp.CTE:
    """A common table that reads a recursive one, which gets the name `own`, with its lists as JSON."""
    label = table.alias
    for source in table.this.expression.find_all(exp.Table):
        if source.name == label:
            source.set("this", build.name(own))
    columns = [name.name for name in table.args["alias"].args["columns"]]
    table.args["alias"].set("this", build.name(own))
    shown = [
        build.alias(call("JSON", build.column(each)) if each in names else build.column(each), each) for each in columns
    ]
    return exp.CTE(this=build.select(shown, [build.table(own)]), alias=exp.TableAlias(this=build.name(label)))


# ------------------------------------------------------------------ lists of rows


def filtered(node: exp.Filter, rewriting: Rewriting) -> Sql:
    """An aggregate of some rows: of the values where the condition holds, and null elsewhere, which it leaves out."""
    whole_: Sql = node.this
    condition: Sql = node.expression.this
    aggregate = whole_ if isinstance(whole_, exp.AggFunc) else whole_.find(exp.AggFunc)
    if aggregate is None:
        rewriting.refuse("an aggregate of the rows for which a condition holds")
    if isinstance(aggregate, exp.JSONArrayAgg):
        if condition != build.is_not_null(aggregate.this.copy()):
            rewriting.refuse("a list of the rows for which a condition holds")
        aggregate.set("null_handling", ABSENT)
        return whole_
    value: Sql = aggregate.this
    if isinstance(value, exp.Distinct):
        value.set("expressions", [build.case([(condition.copy(), each)]) for each in value.expressions])
    else:
        value = build.number(1) if isinstance(value, exp.Star) else value
        aggregate.set("this", build.case([(condition, value)]))
    return whole_


def lifted(select: exp.Select, rewriting: Rewriting) -> exp.Select:
    """The query with its lists; where they are DISTINCT or read by queries in its results, one over the groups."""
    own = {source.alias_or_name for source in sources(select)}
    aggregates = [node for each in select.expressions for node in build.nodes(each) if isinstance(node, exp.AggFunc)]
    found = [node for node in aggregates if _is_of(node, select, own)]
    distinct = [node for node in found if node.meta.get("distinct")]
    deep = [node for node in found if node.find_ancestor(exp.Select) is not select]
    keys = select.args.get("group")
    asking = bool(found or keys) and any(_asks(each) for each in select.expressions)
    if not distinct and not deep and not asking:
        return select
    return _Lifting(select, own, rewriting).done()


def _is_of(node: exp.AggFunc, select: exp.Select | None, own: set[str]) -> bool:
    """Whether an aggregate is of the rows of a query: it stands there, or all that it reads is there.

    `select` None: of a query that the aggregate was taken out of."""
    if node.find_ancestor(exp.Window) is not None:
        return False
    if node.find_ancestor(exp.Select) is select:
        return True
    inner = {source.alias_or_name for query in node.find_all(exp.Select) for source in sources(query)}
    tables = {column.table for column in node.find_all(exp.Column)} - inner
    return bool(tables) and tables <= own


def _asks(piece: Sql) -> bool:
    """Whether there is a query in a result, but for those that stand in its aggregates."""
    pending = [piece]
    while pending:
        node = pending.pop()
        if isinstance(node, exp.Select):
            return True
        if not isinstance(node, exp.AggFunc):
            pending.extend(node.iter_expressions())
    return False


class _Lifting:
    """A query over groups of another one, which has what it needs as columns."""

    def __init__(self, select: exp.Select, own: set[str], rewriting: Rewriting) -> None:
        self.select = select
        self.own = own
        self.rewriting = rewriting
        self.row = rewriting.fresh("g")
        self.columns: list[Sql] = []

    def done(self) -> exp.Select:
        inner = self.select
        if any(inner.args.get(each) is not None for each in ("order", "limit", "offset", "distinct")):
            self.rewriting.refuse("lists of rows beside an order of their groups")
        outer = [self._result(each) for each in inner.expressions]
        with_ = inner.args.pop("with_", None)
        inner.set("expressions", self.columns or [build.alias(build.number(1), "one")])
        made = build.select(outer, [build.derived(inner.copy(), self.row)])
        if with_ is not None:
            made.set("with_", with_)
        return made

    def _result(self, each: Sql) -> Sql:
        label = each.alias_or_name
        piece = each.this if isinstance(each, exp.Alias) else each
        lifted_ = self._lifted(piece.copy())
        return build.alias(lifted_, label) if label else lifted_

    def _column(self, piece: Sql) -> Sql:
        for known in self.columns:
            if known.this == piece:
                return build.column(known.alias, self.row)
        name = f"a{len(self.columns)}"
        self.columns.append(build.alias(piece, name))
        return build.column(name, self.row)

    def _lifted(self, piece: Sql) -> Sql:
        holder = exp.Paren(this=piece)
        pending: list[Sql] = [piece]
        while pending:
            node = pending.pop()
            if isinstance(node, exp.AggFunc) and _is_of(node, None, self.own):
                node.replace(self._aggregate(node))
            elif isinstance(node, exp.Column):
                if node.table in self.own:
                    node.replace(self._column(node.copy()))
            else:
                pending.extend(node.iter_expressions())
        made: Sql = holder.this
        return made

    def _aggregate(self, node: exp.AggFunc) -> Sql:
        made = node.copy()
        if not made.meta.pop("distinct", False):
            return self._column(made)
        each, rows = self.rewriting.fresh("j"), self.rewriting.fresh("j")
        column = self._column(made)
        source = json_table(column, made.meta["kind"], each)
        different = build.select([build.alias(build.column("x", each), "x")], [source], distinct=True)
        query = build.select([gathered(build.column("x", rows))], [build.derived(different, rows)])
        return build.scalar(query)
