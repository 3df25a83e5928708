"""Lists, maps and paths in SQLite: JSON texts, taken apart by json_each and put together by json_group_array.

json_each is a source of rows that may read the tables before it; its rows have `key`, from 0, and `value`.  Elements
that are JSON texts themselves go in as JSON.  SQLite before 3.44 has no order inside of aggregates: a window gives it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.reps import FLOAT, PATH, ListRep, MapRep, Rep
from graphir.backends.sql.targets.sqlite_pieces import NO_FLOATS, call, fault, held, is_real
from graphir.backends.sql.targets.target import Rewriting

_ARGUMENTS = 100
"""Of a function, at most (127 is SQLite's own limit)."""
_LAST = (1 << 31) - 1
"""The last place of a list that a path may name: SQLite counts them with 32 bits."""
_EMPTY = "[]"


def _element(piece: Sql, rep: Rep | None, rewriting: Rewriting) -> Sql:
    """A value as an element of JSON."""
    if rep == FLOAT:
        rewriting.refuse("floats in lists and maps")
    return call("JSON", piece) if isinstance(rep, (ListRep, MapRep)) or rep == PATH else piece


def _of(rep: Rep | None) -> Rep | None:
    return rep.element if isinstance(rep, ListRep) else None


def _constant(piece: Sql) -> tuple[object] | None:
    """The value of a constant, in a tuple of its own; None: it is none."""
    if isinstance(piece, exp.Null):
        return (None,)
    if isinstance(piece, exp.Boolean):
        return (int(piece.this),)
    if isinstance(piece, exp.Literal) and piece.is_string:
        return (piece.name,)
    found = build.integer(piece) if isinstance(piece, exp.Cast) and piece.to.this == exp.DataType.Type.INT else None
    return None if found is None else (found,)


def _text(items: Sequence[object]) -> Sql:
    return exp.Literal.string(json.dumps(list(items), ensure_ascii=False, separators=(",", ":")))


# ------------------------------------------------------------------ putting together


def array(node: exp.Array, rewriting: Rewriting) -> Sql:
    """`[a, b]`; of constants a text."""
    element = _of(build.note(node))
    items = node.expressions
    if not isinstance(element, ListRep):
        constants = [_constant(item) for item in items]
        if all(each is not None for each in constants) and element != FLOAT:
            return _text([each[0] for each in constants if each is not None])
    made = [_element(item, element, rewriting) for item in items]
    whole: Sql = call("JSON_ARRAY", *made[:_ARGUMENTS])
    for start in range(_ARGUMENTS, len(made), _ARGUMENTS // 2):
        whole = _inserted(whole, made[start : start + _ARGUMENTS // 2])
    return whole


def _inserted(whole: Sql, items: Sequence[Sql]) -> Sql:
    """A list with more elements at its end."""
    pairs = [each for item in items for each in (exp.Literal.string("$[#]"), item)]
    return call("JSON_INSERT", whole, *pairs)


def structure(node: exp.Struct, rewriting: Rewriting) -> Sql:
    """A map with known keys, or a path, whose parts are lists."""
    rep = build.note(node)
    values = [field.expression for field in node.expressions]
    if isinstance(rep, MapRep):
        return call("JSON_ARRAY", *[_element(v, each, rewriting) for v, each in zip(values, rep.values, strict=True)])
    return call("JSON_ARRAY", *[call("JSON", value) for value in values])


def appended(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, item = node.expressions
    return _inserted(items, [_element(item, _of(build.note(node)), rewriting)])


def joined(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Both lists; null of null."""
    one, other = node.expressions
    if isinstance(other, exp.Anonymous) and other.name == "JSON_ARRAY" and len(other.expressions) < _ARGUMENTS // 2:
        return _inserted(one, other.expressions) if other.expressions else one

    def both(it: list[Sql]) -> Sql:
        parts = []
        for at, items in enumerate(it):
            each = rewriting.fresh("j")
            columns = [build.alias(build.number(at), "part"), *[build.column(name, each) for name in ("key", "value")]]
            parts.append(build.select(columns, [_each(items, each)]))
        rows = rewriting.fresh("j")
        source = build.derived(build.union(parts), rows)
        order = [build.column("part", rows), build.column("key", rows)]
        known = build.conjunction([build.is_not_null(each.copy()) for each in it])
        return build.case([(known, _list(build.column("value", rows), build.note(node), source, order, rewriting))])

    return held([one, other], both, rewriting)


def _list(value: Sql, rep: Rep | None, source: Sql, order: Sequence[Sql], rewriting: Rewriting, *where: Sql) -> Sql:
    """The list of the rows of a source, in order; empty for none."""
    gathered = in_order(call("JSON_GROUP_ARRAY", _element(value, _of(rep), rewriting)), order)
    query = build.select([gathered], [source], where)
    query.set("limit", exp.Limit(expression=build.number(1)))
    return exp.Coalesce(this=build.scalar(query), expressions=[exp.Literal.string(_EMPTY)])


def in_order(aggregate: Sql, order: Sequence[Sql]) -> Sql:
    """An aggregate over all rows in order: every row has it."""
    keys = [each if isinstance(each, exp.Ordered) else build.ordered(each) for each in order]
    spec = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="UNBOUNDED", end_side="FOLLOWING")
    return exp.Window(this=aggregate, order=exp.Order(expressions=keys), spec=spec)


# ------------------------------------------------------------------ taking apart


def _each(items: Sql, alias: str) -> Sql:
    return exp.Table(this=call("JSON_EACH", items), alias=exp.TableAlias(this=build.name(alias)))


def elements(node: exp.Lateral, rewriting: Rewriting) -> Sql:
    """The elements of a list as rows, or the rows of a subquery that reads the tables before it.  What reads them is
    renamed by `rename_elements`."""
    alias = node.args["alias"].this.this
    if isinstance(node.this, exp.Subquery):
        return _rows_of(node.this.this, alias, rewriting)
    if build.note(node.this) == FLOAT:
        rewriting.refuse("floats in lists and maps")
    made = _each(node.this.expressions[0], alias)
    made.args["elements"] = True
    return made


def _rows_of(query: exp.Query, alias: str, rewriting: Rewriting) -> Sql:
    """The rows of a query, which become a list of lists: SQLite has no LATERAL, but json_each is one."""
    row = rewriting.fresh("g")
    names = query.named_selects
    values = [
        build.case([(is_real(build.column(name, row)), fault(NO_FLOATS))], build.column(name, row)) for name in names
    ]
    gathered = call("JSON_GROUP_ARRAY", call("JSON_ARRAY", *values))
    made = _each(build.scalar(build.select([gathered], [build.derived(query, row)])), alias)
    made.args["fields"] = {name: at for at, name in enumerate(names)}
    return made


def rename_elements(select: exp.Select) -> None:
    """Elements are `x` at the places `i`, from 1, for the lowering; columns of a subquery have their names."""
    found = {each.alias: each for each in sources(select) if each.args.get("elements") or "fields" in each.args}
    if not found:
        return
    fields = {alias: source.args.pop("fields", None) for alias, source in found.items()}
    for source in found.values():
        source.args.pop("elements", None)
    for column in list(select.find_all(exp.Column)):
        if column.table not in found:
            continue
        places = fields[column.table]
        if places is not None:
            place = exp.Literal.string(f"$[{places[column.name]}]") if column.name in places else None
            if place is not None:
                column.replace(call("JSON_EXTRACT", build.column("value", column.table), place))
        elif column.name == "x":
            column.replace(build.column("value", column.table))
        elif column.name == "i":
            key = build.column("key", column.table)
            column.replace(exp.Paren(this=exp.Add(this=key, expression=build.number(1))))


def sources(select: exp.Select) -> Iterator[Sql]:
    from_ = select.args.get("from_")
    if from_ is not None:
        yield from_.this
    for join in select.args.get("joins") or ():
        yield join.this


def item(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The element at a place from 1, or from the end by a negative one."""
    items, place = node.expressions
    if build.note(node) == FLOAT:
        rewriting.refuse("floats in lists and maps")
    at = build.integer(place)
    if at is not None:
        if abs(at) > _LAST or at == 0:
            return exp.Null()
        return call("JSON_EXTRACT", items, exp.Literal.string(f"$[{at - 1}]" if at > 0 else f"$[#{at}]"))

    def path(it: list[Sql]) -> Sql:
        begin, end = exp.Literal.string("$["), exp.Literal.string("]")
        forward = exp.Paren(this=build.binary(exp.Sub, it[0], build.number(1)))
        from_end = build.binary(exp.DPipe, build.binary(exp.DPipe, exp.Literal.string("$[#"), it[0].copy()), end)
        from_begin = build.binary(exp.DPipe, build.binary(exp.DPipe, begin, forward), end.copy())
        return build.case([(_between(it[0], 1, _LAST), from_begin), (_between(it[0], -_LAST, -1), from_end)])

    return call("JSON_EXTRACT", items, held([place], path, rewriting))


def _between(piece: Sql, low: int, high: int) -> Sql:
    return build.conjunction(
        [
            build.binary(exp.GTE, piece.copy(), build.number(low)),
            build.binary(exp.LTE, piece.copy(), build.number(high)),
        ]
    )


def field(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A field of a path (nodes, edges) or of a map (f0, f1 ..)."""
    whole, key = node.expressions
    if build.note(node) == FLOAT:
        rewriting.refuse("floats in lists and maps")
    at = {"nodes": 0, "edges": 1}.get(key.name)
    return call("JSON_EXTRACT", whole, exp.Literal.string(f"$[{key.name[1:] if at is None else at}]"))


def _known(items: Sql, make: Callable[[Sql], Sql], rewriting: Rewriting) -> Sql:
    """What is made of a list; null of null."""
    return held([items], lambda it: build.case([(build.is_not_null(it[0].copy()), make(it[0]))]), rewriting)


def part(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The elements from a place to a place, both included."""
    items, low, high = node.expressions
    each = rewriting.fresh("j")
    key = build.column("key", each)
    where = [build.binary(exp.GTE, key, build.binary(exp.Sub, low, build.number(1)))]
    if build.integer(high) != _LAST:
        where.append(build.binary(exp.LT, key.copy(), high))
    value = build.column("value", each)

    def cut(listed: Sql) -> Sql:
        return _list(value, build.note(node), _each(listed, each), [key.copy()], rewriting, *where)

    return _known(items, cut, rewriting)


def reverse(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, each = node.expressions[0], rewriting.fresh("j")
    order = [build.ordered(build.column("key", each), descending=True)]

    def turned(listed: Sql) -> Sql:
        return _list(build.column("value", each), build.note(node), _each(listed, each), order, rewriting)

    return _known(items, turned, rewriting)


def contains(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, item_ = node.expressions
    each = rewriting.fresh("j")
    same = build.equal(build.column("value", each), item_)

    def found(listed: Sql) -> Sql:
        return exp.Exists(this=build.select([build.number(1)], [_each(listed, each)], [same]))

    return _known(items, found, rewriting)


def overlap(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    one, other = node.expressions
    left, right = rewriting.fresh("j"), rewriting.fresh("j")
    same = build.equal(build.column("value", left), build.column("value", right))

    def common(it: list[Sql]) -> Sql:
        query = build.select([build.number(1)], [_each(it[0], left), _each(it[1], right)], [same])
        known = build.conjunction([build.is_not_null(each.copy()) for each in it])
        return build.case([(known, exp.Exists(this=query))])

    return held([one, other], common, rewriting)


def _folded(aggregate: Callable[[Sql], Sql], node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, each = node.expressions[0], rewriting.fresh("j")

    def folded(listed: Sql) -> Sql:
        return build.scalar(build.select([aggregate(build.column("value", each))], [_each(listed, each)]))

    return _known(items, folded, rewriting)


def count(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """How many elements are not null."""
    return _folded(lambda value: exp.Count(this=value), node, rewriting)


def count_different(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    return _folded(lambda value: exp.Count(this=exp.Distinct(expressions=[value])), node, rewriting)


def series(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The integers from the first to the last, both included, by a step that is a constant."""
    first, last = node.expressions[:2]
    step = build.integer(node.expressions[2]) if len(node.expressions) > 2 else 1
    if not step:
        rewriting.refuse("a range with a step that is no constant")
    within = exp.LTE if step > 0 else exp.GTE
    name, bounds = rewriting.fresh("s"), rewriting.fresh("s")
    ends = build.derived(build.select([build.alias(first, "n"), build.alias(last, "z")]), bounds)
    began = build.select(
        [build.column("n", bounds), build.column("z", bounds)],
        [ends],
        [build.binary(within, build.column("n", bounds), build.column("z", bounds))],
    )
    following = build.binary(exp.Add, build.column("n", name), build.number(step))
    more = build.select(
        [following, build.column("z", name)],
        [build.table(name)],
        [build.binary(within, following.copy(), build.column("z", name))],
    )
    columns = exp.TableAlias(this=build.name(name), columns=[build.name("n"), build.name("z")])
    made = _list(
        build.column("n", name),
        None,
        build.table(name),
        [build.ordered(build.column("n", name), descending=step < 0)],
        rewriting,
    )
    query = made.this.this
    query.set("with_", exp.With(expressions=[exp.CTE(this=build.union([began, more]), alias=columns)], recursive=True))
    return made


# ------------------------------------------------------------------ lists of rows


def gather(select: exp.Select, rewriting: Rewriting) -> Sql:
    """A query whose results have lists of its rows (`exp.ArrayAgg`), in order or inside of further queries."""
    found = [node for each in select.expressions for node in each.find_all(exp.ArrayAgg)]
    if not found:
        return select
    if not any(_is_ordered(node) or _is_deep(node, select) for node in found):
        for node in found:
            node.replace(_unordered(node, rewriting))
        return select
    return _Lifting(select, rewriting).done()


def _is_ordered(node: exp.ArrayAgg) -> bool:
    return isinstance(node.this, exp.Order)


def _is_deep(node: Sql, select: exp.Select) -> bool:
    """Whether it stands in a query inside of the select's results."""
    return node.find_ancestor(exp.Select) is not select


def _unordered(node: exp.ArrayAgg, rewriting: Rewriting) -> Sql:
    element = _of(build.note(node))
    if isinstance(node.this, exp.Distinct):
        (value,) = node.this.expressions
        if isinstance(element, (ListRep, MapRep)):
            rewriting.refuse("a list of different lists or maps")
        made = exp.Distinct(expressions=[_element(value, element, rewriting)])
        return call("JSON_GROUP_ARRAY", made)
    return call("JSON_GROUP_ARRAY", _element(node.this, element, rewriting))


class _Lifting:
    """A query that aggregates becomes the source of another one, which orders what it gathered."""

    def __init__(self, select: exp.Select, rewriting: Rewriting) -> None:
        self.select = select
        self.rewriting = rewriting
        self.row = rewriting.fresh("g")
        self.columns: list[Sql] = []

    def done(self) -> Sql:
        inner = self.select
        if inner.args.get("order") is not None or inner.args.get("limit") is not None or inner.args.get("distinct"):
            self.rewriting.refuse("lists of rows beside an order of their groups")
        outer = []
        for each in inner.expressions:
            label = each.alias_or_name
            if each.find(exp.ArrayAgg) is None:
                outer.append(build.alias(self._column(each), label) if label else self._column(each))
                continue
            piece = each.this if isinstance(each, exp.Alias) else each
            lifted = self._lifted(piece)
            outer.append(build.alias(lifted, label) if label else lifted)
        inner.set("expressions", self.columns)
        with_ = inner.args.pop("with_", None)
        made = build.select(outer, [build.derived(inner, self.row)])
        if with_ is not None:
            made.set("with_", with_)
        return made

    def _column(self, piece: Sql) -> Sql:
        """A column of the inner query."""
        name = f"a{len(self.columns)}"
        self.columns.append(build.alias(piece.this if isinstance(piece, exp.Alias) else piece, name))
        return build.column(name, self.row)

    def _lifted(self, piece: Sql) -> Sql:
        """The piece over columns of the inner query: its aggregates, and what it reads of its sources."""
        holder = exp.Paren(this=piece)
        for node in list(holder.find_all(exp.ArrayAgg)):
            whole: Sql = node.parent if isinstance(node.parent, exp.Filter) else node
            whole.replace(self._gathered(node))
        known = {source.alias_or_name for source in sources(self.select)}
        for each in list(holder.find_all(exp.AggFunc, exp.Column)):
            if isinstance(each, exp.AggFunc):
                if each.find_ancestor(exp.Select) is None:
                    each.replace(self._column(each.copy()))
            elif isinstance(each, exp.Column) and each.table in known and each.find_ancestor(exp.AggFunc) is None:
                each.replace(self._column(each.copy()))
        lifted: Sql = holder.this
        return lifted

    def _gathered(self, node: exp.ArrayAgg) -> Sql:
        """The list: gathered inside with what orders it, ordered outside."""
        element = _of(build.note(node))
        value, keys = (node.this.this, node.this.expressions) if _is_ordered(node) else (node.this, [])
        made: Sql
        if keys:
            items = [_element(value, element, self.rewriting)]
            items += [_element(key.this, build.note(key), self.rewriting) for key in keys]
            made = call("JSON_GROUP_ARRAY", call("JSON_ARRAY", *items))
        else:
            made = _unordered(node, self.rewriting)
        if isinstance(node.parent, exp.Filter):
            made = exp.Filter(this=made, expression=node.parent.expression)
        column = self._column(made)
        if not keys:
            return column
        each = self.rewriting.fresh("j")

        def taken(at: int) -> Sql:
            return call("JSON_EXTRACT", build.column("value", each), exp.Literal.string(f"$[{at}]"))

        order = [
            build.ordered(taken(at), descending=key.args["desc"], nulls_first=key.args["nulls_first"])
            for at, key in enumerate(keys, 1)
        ]
        rep = build.note(node)
        return _list(taken(0), rep, _each(column, each), order, self.rewriting)
