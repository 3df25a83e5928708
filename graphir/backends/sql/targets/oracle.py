"""Oracle Database 23ai and later as a target of text.  Not executed on Oracle: none runs in the tests.

Integers are NUMBER, and a fault (ORA-01438) where they leave 64 bits; floats are BINARY_DOUBLE, which knows NaN and
infinity and sorts NaN last.  Lists, maps and paths are values of type JSON.  The empty string is null there: no
property holds it, what a query does with it is said otherwise, and where it would have to be a value the query is
refused.
Text is compared by the session's NLS_COMP, which has to be BINARY, as it is if nobody changes it; rows are sorted by
code point whatever the session says, in a database in AL32UTF8.
"""

from __future__ import annotations

import math

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Abilities
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    DATETIME,
    EDGE,
    FLOAT,
    INTEGER,
    JSON,
    LOCAL_DATETIME,
    NODE,
    NULL,
    PATH,
    PATH_OF_TEXTS,
    STRING,
    ListRep,
    MapRep,
    Rep,
)
from graphir.backends.sql.targets import days
from graphir.backends.sql.targets import oracle_lists as lists
from graphir.backends.sql.targets import oracle_texts as texts
from graphir.backends.sql.targets.oracle_conditions import settle
from graphir.backends.sql.targets.oracle_pieces import call, cast, forget, guarded, known, known_if_empty, literal, once
from graphir.backends.sql.targets.rewriting import WITH_NULLS, cased, itself, keep, renamed
from graphir.backends.sql.targets.target import OF_FLOATS, Rewriting, Rule, Target
from graphir.backends.sql.targets.unproved import common, joined

_TEXT = "VARCHAR2(4000)"
_TYPES = {
    NULL: "BOOLEAN",
    BOOLEAN: "BOOLEAN",
    INTEGER: "NUMBER",
    FLOAT: "BINARY_DOUBLE",
    STRING: _TEXT,
    NODE: "NUMBER",
    EDGE: "NUMBER",
    PATH: "JSON",
    PATH_OF_TEXTS: "JSON",
    JSON: "JSON",
    DATE: "DATE",
    LOCAL_DATETIME: "TIMESTAMP",
    DATETIME: "TIMESTAMP WITH TIME ZONE",
}
_LONGEST = 128
"""Bytes of a name."""
_TENS = 100
"""The powers of ten of a float that is written as a NUMBER."""


def _type(rep: Rep) -> str | None:
    if isinstance(rep, ListRep):
        return None if _type(rep.element) is None else "JSON"
    if isinstance(rep, MapRep):
        return None if any(_type(value) is None for value in rep.values) else "JSON"
    return _TYPES.get(rep)


# ------------------------------------------------------------------ constants and casts


def _cast(node: exp.Cast, rewriting: Rewriting) -> Sql:
    rep = build.note(node.to)
    value: Sql = node.this
    if isinstance(value, exp.Null):
        return _null(rep, rewriting)
    if lists.is_document(rep) or isinstance(value, exp.Placeholder):
        return value
    if isinstance(value, exp.Literal):
        return _constant(value, rep, rewriting)
    if build.note(node) == STRING and rep in (INTEGER, FLOAT):
        return call("TO_NUMBER" if rep == INTEGER else "TO_BINARY_DOUBLE", value)
    if rep == FLOAT:
        return cast(value, "BINARY_DOUBLE")
    if rep == STRING:
        return once(node, [value], lambda held: _text(held, build.note(node)), rewriting)
    if rep == INTEGER and not isinstance(value, (exp.Column, exp.AggFunc, exp.Paren)):
        return cast(value, "NUMBER(19)")
    return value


def _null(rep: Rep, rewriting: Rewriting) -> Sql:
    kind = lists.kind_of(rep, rewriting)
    return call("JSON", exp.Null()) if kind == "JSON" else cast(exp.Null(), kind)


def _text(value: Sql, rep: Rep | None) -> Sql:
    if rep == BOOLEAN:
        words = [(value, exp.Literal.string("true")), (build.negation(value.copy()), exp.Literal.string("false"))]
        return build.case(words)
    return value if rep == STRING else call("TO_CHAR", value)


def _constant(value: exp.Literal, rep: Rep, rewriting: Rewriting) -> Sql:
    if rep == INTEGER:
        return build.number(int(value.name))
    if rep == FLOAT:
        return _float(float(value.name), rewriting)
    if rep == DATE:
        return call("TO_DATE", value, exp.Literal.string("YYYY-MM-DD"))
    if rep == LOCAL_DATETIME:
        rewriting.refuse("a point in time that is a constant")
    return value


def _float(value: float, rewriting: Rewriting) -> Sql:
    if math.isnan(value) or math.isinf(value):
        word = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return call("TO_BINARY_DOUBLE", exp.Literal.string(word))
    if value == 0 and math.copysign(1, value) < 0:
        rewriting.refuse("the float -0.0")
    if value and abs(math.log10(abs(value))) > _TENS:
        rewriting.refuse("floats as large or as small as this")
    spelled = exp.Literal.number(repr(abs(value)))
    return cast(spelled if value >= 0 else exp.Paren(this=exp.Neg(this=spelled)), "BINARY_DOUBLE")


# ------------------------------------------------------------------ numbers


def _arithmetic(node: exp.Binary, _: Rewriting) -> Sql:
    return guarded(node) if build.note(node) == INTEGER else node


def _quotient(over: Sql, under: Sql) -> Sql:
    return call("TRUNC", exp.Div(this=build.atom(over), expression=build.atom(under), typed=False, safe=False))


def _integer_division(node: exp.IntDiv, _: Rewriting) -> Sql:
    """Truncated, as in Cypher; zero is a fault (ORA-01476), and so is the least integer by -1."""
    divided = _quotient(node.this, node.expression)
    return divided if literal(node.expression) not in (None, -1) else guarded(divided)


def _division(node: exp.Div, _: Rewriting) -> Sql:
    return exp.Div(this=node.this, expression=node.expression, typed=False, safe=False)


def _remainder(node: exp.Mod, rewriting: Rewriting) -> Sql:
    """MOD by zero is the dividend there: what may be zero is divided by, which is a fault."""
    if build.note(node) != INTEGER:
        rewriting.refuse("the remainder of floats")
    over, under = node.this, node.expression
    if literal(under):
        return call("MOD", over, under)
    return once(node, [over, under], _rest, rewriting)


def _rest(over: Sql, under: Sql) -> Sql:
    whole = build.binary(exp.Mul, under.copy(), _quotient(over.copy(), under))
    return exp.Paren(this=build.binary(exp.Sub, over, whole))


def _total(node: exp.Sum, _: Rewriting) -> Sql:
    return guarded(node) if build.note(node) == INTEGER else node


def _average(node: exp.Avg, _: Rewriting) -> Sql:
    return node if build.note(node) == FLOAT else cast(node, "BINARY_DOUBLE")


def _extreme(node: exp.Min | exp.Max, rewriting: Rewriting) -> Sql:
    """Of booleans the extreme is that of 0 and 1."""
    if build.note(node) in (BOOLEAN, NULL):
        value: Sql = node.this
        counted = build.case([(value, build.number(1)), (build.negation(value.copy()), build.number(0))])
        return exp.EQ(this=type(node)(this=counted), expression=build.number(1))
    texts.never_empty(node.this, rewriting)
    return node


def _counted(node: exp.Count, rewriting: Rewriting) -> Sql:
    """Values that are not null, the empty string among them."""
    value = node.this
    if isinstance(value, exp.Distinct):
        rep = build.note(value)
        if lists.is_document(rep):
            value.set("expressions", [lists.spelled(each, rep, rewriting) for each in value.expressions])
        found = [known_if_empty(each) for each in value.expressions]
        if any(found):
            marked = [
                build.case([(known(each), build.binary(exp.DPipe, exp.Literal.string("."), each))]) if test else each
                for each, test in zip(value.expressions, found, strict=True)
            ]
            value.set("expressions", marked)
        return node
    if isinstance(value, exp.Expr) and not isinstance(value, exp.Star):
        test = known_if_empty(value)
        if test is not None:
            node.set("this", build.case([(test, build.number(1))]))
    return node


def _is_nan(node: exp.Anonymous, _: Rewriting) -> Sql:
    return exp.Is(this=build.atom(node.expressions[0]), expression=exp.Var(this="NAN"))


def _of_radians(factor: str) -> Rule:
    """Degrees to radians, or back."""

    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        by = cast(exp.Literal.number(factor), "BINARY_DOUBLE")
        return exp.Paren(this=build.binary(exp.Mul, node.expressions[0], by))

    return rule


def _fault(node: exp.Anonymous, _: Rewriting) -> Sql:
    """What fails: a text that is no number is made one (ORA-01722), and a value of the type of that."""
    told, witness = node.expressions
    number = call("TO_NUMBER", build.binary(exp.DPipe, told, call("TO_CHAR", witness)))
    rep = build.note(node)
    if rep in (BOOLEAN, NULL):
        return exp.Paren(this=build.equal(number, build.number(1)))
    if lists.is_document(rep):
        return call("JSON", call("TO_CHAR", number))
    if rep == FLOAT:
        return cast(number, "BINARY_DOUBLE")
    if rep in (DATE, LOCAL_DATETIME, DATETIME):
        return call("TO_DATE", call("TO_CHAR", number), exp.Literal.string("YYYY-MM-DD"))
    return call("TO_CHAR", number) if rep == STRING else number


def _any(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A value of any row of a group, or of the first one: all are equivalent."""
    value: Sql = node.expressions[0]
    value = value.this if isinstance(value, exp.Order) else value
    texts.never_empty(value, rewriting)
    if value.find(exp.Column) is None:
        return value
    rep = build.note(node)
    if lists.is_document(rep):
        return call("JSON", exp.Min(this=lists.spelled(value, rep, rewriting)))
    return exp.AnyValue(this=value)


# ------------------------------------------------------------------ queries


def _ordered(node: exp.Ordered, rewriting: Rewriting) -> Sql:
    """Text by code point."""
    if build.note(node) == STRING:
        value: Sql = node.this
        if known_if_empty(value):
            value = build.case([(known(value), build.binary(exp.DPipe, exp.Literal.string("."), value))])
        node.set("this", call("NLSSORT", value, exp.Literal.string("NLS_SORT=BINARY")))
    return node


def _with(node: exp.With, rewriting: Rewriting) -> Sql:
    """Common tables; a list that a recursive one carries along is read as JSON from another one."""
    node.set("recursive", None)
    made: list[Sql] = []
    for table in node.expressions:
        made.append(table)
        texts_ = table.meta.pop("texts", ())
        if texts_:
            made.append(lists.read_back(table, texts_, rewriting.fresh("r")))
    node.set("expressions", made)
    return node


def _common(node: exp.CTE, rewriting: Rewriting) -> Sql:
    """A common table; the type of a column of one that reads itself is what its begin says.

    One that is read twice numbers its rows, and has to do so once: Oracle writes others out where they are read.
    """
    if node.args.get("materialized") and isinstance(node.this, exp.Select):
        node.this.set("hint", exp.Hint(expressions=[exp.Var(this="MATERIALIZE")]))
    common(node, rewriting)
    columns = node.args["alias"].args.get("columns") or ()
    if not columns or not isinstance(node.this, exp.Union):
        return node
    first, following = node.this.this, node.this.expression
    for name, each in zip(columns, first.expressions, strict=True):
        value = each.this if isinstance(each, exp.Alias) else each
        if name.name in ("n", "o") and rewriting.type_of(NODE).sql(dialect="oracle") == _TEXT:
            value.replace(cast(value.copy(), _TEXT))
    node.meta["texts"] = lists.carry_as_texts([name.name for name in columns], first, following)
    return node


def _select(node: exp.Select, rewriting: Rewriting) -> Sql:
    for each in node.expressions:
        texts.never_empty(each, rewriting)
        window = each.this if isinstance(each, exp.Alias) else each
        if isinstance(window, exp.Window) and not window.args.get("order"):
            window.set("order", exp.Order(expressions=[exp.Ordered(this=exp.Null(), nulls_first=False)]))
    group = node.args.get("group")
    if group is not None and any(each.find(exp.Select) for each in group.expressions):
        rewriting.refuse("groups by the result of a subquery")
    lists.group_by_texts(node, rewriting)
    made = lists.lifted(node, rewriting)
    if made.args.get("distinct") is not None:
        made = lists.compared(made, rewriting)
    return _finished(made, node, rewriting)


def _union(node: exp.Union, rewriting: Rewriting) -> Sql:
    if node.args.get("distinct") and any(lists.is_document(build.note(each)) for each in node.selects):
        rewriting.refuse("UNION of rows that have lists, maps or paths in them")
    return _finished(node, node, rewriting)


def _finished(made: Sql, node: Sql, rewriting: Rewriting) -> Sql:
    """The statement as a whole, once all of it is rewritten."""
    if node.parent is not None:
        return made
    _name(made)
    nodes = build.nodes(made)
    forget(nodes)
    made = settle(made, nodes, rewriting)
    if not {exp.Placeholder, exp.JSONObject}.isdisjoint(map(type, nodes)):
        _spell(made)
    return made


def _spell(statement: Sql) -> None:
    """Parameters without brackets and objects as Oracle writes them, in place."""
    nodes = build.nodes(statement)
    for paren in nodes:
        if isinstance(paren, exp.Paren) and isinstance(paren.this, exp.Placeholder):
            paren.replace(paren.this)
    for pairs in nodes:
        if isinstance(pairs, exp.JSONObject):
            pairs.replace(_spelled(pairs))


def _name(statement: Sql) -> None:
    """Names that are too long, or hold what no name may, become others."""
    if not isinstance(statement, exp.Select):
        return
    for at, each in enumerate(statement.expressions):
        if isinstance(each, exp.Alias) and (len(each.alias.encode()) > _LONGEST or '"' in each.alias):
            each.set("alias", build.name(f"c{at}"))


def _spelled(node: exp.JSONObject) -> Sql:
    """An object with the word VALUE between a key and its value: a colon may begin a parameter."""
    pairs = [
        exp.Var(this=f"{pair.this.sql(dialect='oracle')} VALUE {pair.expression.sql(dialect='oracle')}")
        for pair in node.expressions
    ]
    last = exp.Var(this=f"{pairs[-1].name} {WITH_NULLS}")
    return call("JSON_OBJECT", *pairs[:-1], last)


_FUNCTIONS: dict[str, Rule] = {
    "unwind": keep,
    "generate_series": lists.series,
    "length": texts.length,
    "len": lists.size,
    "list_extract": lists.item,
    "list_slice": lists.part,
    "list_concat": lists.joined,
    "list_append": lists.appended,
    "list_reverse": lists.reverse,
    "list_contains": lists.contains,
    "list_count": lists.folded(lambda value: exp.Count(this=value)),
    "list_has_any": lists.overlap,
    "list_unique": lists.folded(lambda value: exp.Count(this=exp.Distinct(expressions=[value]))),
    "struct_extract": lists.field,
    "starts_with": texts.starts,
    "suffix": texts.ends,
    "contains": texts.contains,
    "substring": texts.substring,
    "replace": texts.replaced,
    "lower": cased("LOWER"),
    "upper": cased("UPPER"),
    "string_split": texts.split,
    "trim": texts.trimmed("LTRIM", "RTRIM"),
    "ltrim": texts.trimmed("LTRIM"),
    "rtrim": texts.trimmed("RTRIM"),
    "concat": lambda node, rewriting: texts.concatenated(node, list(node.expressions), rewriting),
    "chr": renamed("CHR"),
    "isnan": _is_nan,
    "fault": _fault,
    "date_part": texts.date_part,
    "date_text": texts.date_text,
    "date_of": lambda node, _: call("TO_DATE", node.expressions[0], exp.Literal.string("YYYY-MM-DD")),
    "day_of": texts.day_of,
    "today": texts.today,
    "months_later": texts.months_later,
    "days_later": lambda node, _: exp.Paren(this=build.binary(exp.Add, *node.expressions)),
    "days_between": lambda node, _: exp.Paren(this=build.binary(exp.Sub, *reversed(node.expressions))),
    "months_between": days.months_between(lambda number: number),
    "json_object": lists.document,
    "json_array": lists.listed,
    "json_float": itself,
    "json_list": lambda node, rewriting: lists.whole(node.expressions[0], rewriting),
    "time_text": texts.time_text,
    "moment": texts.moment,
    "text_matches": texts.matches,
    "abs": renamed("ABS"),
    "ceil": renamed("CEIL"),
    "floor": renamed("FLOOR"),
    "trunc": renamed("TRUNC"),
    "pow": renamed("POWER"),
    **{name: renamed(name.upper()) for name in OF_FLOATS},
    "degrees": _of_radians("57.29577951308232"),
    "radians": _of_radians("0.017453292519943295"),
    "any_value": _any,
    "first": _any,
    "dense_rank": renamed("DENSE_RANK"),
    "row_number": renamed("ROW_NUMBER"),
}

_NODES: dict[type[exp.Expr], Rule] = {
    exp.Cast: _cast,
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul), _arithmetic),
    exp.IntDiv: _integer_division,
    exp.Div: _division,
    exp.Mod: _remainder,
    exp.Sum: _total,
    exp.Avg: _average,
    exp.Min: _extreme,
    exp.Max: _extreme,
    exp.Count: _counted,
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), texts.compared),
    exp.Is: texts.tested,
    exp.In: texts.among,
    exp.Coalesce: texts.chosen,
    exp.DPipe: texts.joined,
    exp.Array: lists.listed,
    exp.ArrayAgg: lists.aggregated,
    exp.Filter: lists.filtered,
    exp.Struct: lists.structure,
    exp.PropertyEQ: keep,
    exp.Lateral: lists.elements,
    exp.Ordered: _ordered,
    exp.Join: joined,
    exp.CTE: _common,
    exp.With: _with,
    exp.Select: _select,
    exp.Union: _union,
}

ORACLE = Target(
    "sql-oracle",
    "Oracle",
    "oracle",
    _type,
    _FUNCTIONS,
    _NODES,
    Abilities(bridges=False, lateral=False, lambdas=False),
    "named",
)
