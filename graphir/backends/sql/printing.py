"""The text of a finished tree: sqlglot's own, at a quarter of its cost.

Names, columns, aliases, casts, calls and SELECT are nine of ten nodes of every statement; here each of them has a
handler that gives, letter by letter, what sqlglot's generator gives.  All other nodes, every form of these that has
something unusual, and whatever a dialect writes in its own way are left to that generator: a handler stands in for a
method of `sqlglot.Generator` that the dialect has not replaced, or for one of those listed in `_SAME`.  The text of
GRAPH_TABLE is `graphtables.printing`'s.

Knows no target: what is said in another way was said so when the tree was rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any

from sqlglot import Dialect, UnsupportedError, exp
from sqlglot.generator import Generator

from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.graphtables.model import GraphTable, pattern_of
from graphir.backends.sql.graphtables.printing import Printer
from graphir.schema.ddl.targets import quote

Handler = Callable[["Writer", Any], str]
"""A node -> its text."""


def printed(tree: Sql, dialect: str, patterns: Patterns | None = None, *, pretty: bool = False) -> str:
    """The tree as text of a dialect of sqlglot, in one line or laid out.

    Raises `sqlglot.UnsupportedError`.
    """
    writer = Writer(_style(dialect, patterns), pretty=pretty)
    text = _text(writer, tree).strip()
    if writer.told:
        raise UnsupportedError("; ".join(writer.told))
    return text.replace(writer.style.broken, "\n") if pretty else text


class Style:
    """What is the same for all statements in a dialect.

    `ours`: class -> the handler of this module that stands in for the one of sqlglot's generator, `theirs`.  `names`
    writes names: the text, whether it is quoted, whether lines are laid out.  `types` are the texts of types so far.
    `pages`: LIMIT and OFFSET stand in the usual order.
    `broken` stands for a line break in a string or a name until the end.  `first`: whether nulls come first where
    nothing is said, upwards and downwards; `sorts`: whether that can be said.  `unions`: ALL, and of different rows.
    """

    def __init__(self, dialect: Dialect, name: str, patterns: Patterns | None) -> None:
        base: Any = dialect.generator_class
        stock: Any = dialect.generator()  # whose flags are values, which those of a compiled class are not
        self.dialect = dialect
        self.patterns = patterns
        self.theirs = {kind: _handler(base, kind) for kind in (*HANDLERS, *[kind for _, kind in _SAME])}
        same = {kind: handler for (where, kind), handler in _SAME.items() if where == name}
        plain = {kind: own for kind, own in HANDLERS.items() if self.theirs[kind] is _handler(Generator, kind)}
        self.ours: dict[type[Sql], Handler] = {**plain, **same, GraphTable: _graph_table}
        self.names = _namer(dialect, patterns)
        self.types: dict[object, str] = {}
        self.uppercase = dialect.NORMALIZE_FUNCTIONS in ("upper", True)
        self.quoted = dialect.QUOTE_START == "'"
        self.limits: str = stock.LIMIT_FETCH
        self.pages = base.offset_limit_modifiers is Generator.offset_limit_modifiers
        self.broken: str = stock.SENTINEL_LINE_BREAK
        self.unions = [stock.set_operation(exp.Union(distinct=distinct)) for distinct in (False, True)]
        self.sorts = stock.NULL_ORDERING_SUPPORTED
        order = dialect.NULL_ORDERING
        self.first = (order == "nulls_are_small", order == "nulls_are_large")
        self.width: int = stock.max_text_width
        self.recursive = "RECURSIVE " if stock.CTE_RECURSIVE_KEYWORD_REQUIRED else ""


@lru_cache(maxsize=64)
def _style(dialect: str, patterns: Patterns | None) -> Style:
    return Style(Dialect.get_or_raise(dialect), dialect, patterns)


def _handler(base: Any, kind: type[Sql]) -> Any:
    """What a generator does with a class of nodes."""
    return base.TRANSFORMS.get(kind) or getattr(base, f"{kind.key}_sql", None) or base.function_fallback_sql


def _namer(dialect: Dialect, patterns: Patterns | None) -> Callable[[str, bool, bool], str]:
    bare = patterns is not None and patterns.bare

    @lru_cache(maxsize=4096)
    def written(text: str, quoted: bool, pretty: bool) -> str:
        if bare and quoted and patterns is not None and quote(text, patterns.spelling) == text:
            quoted = False
        return dialect.generator(pretty=pretty).sql(exp.Identifier(this=text, quoted=quoted))

    return written


class Writer:
    """Writes one statement.  `told` is what sqlglot says a dialect does not have."""

    def __init__(self, style: Style, *, pretty: bool, told: list[str] | None = None) -> None:
        self.style = style
        self.ours = style.ours
        self.pretty = pretty
        self.line = "\n" if pretty else " "
        self.told: list[str] = [] if told is None else told

    @cached_property
    def generator(self) -> Any:
        """sqlglot's, which comes back here for the nodes in what is left to it."""
        made: Any = self.style.dialect.generator(pretty=self.pretty, comments=False)
        made.unsupported_messages = self.told
        own = {kind: partial(_back, self, handler) for kind, handler in self.ours.items()}
        made._dispatch = {**made._dispatch, **own}
        return made

    @cached_property
    def flat(self) -> Writer:
        """The same in one line."""
        return Writer(self.style, pretty=False, told=self.told)


def _back(writer: Writer, handler: Handler, _: Any, node: Sql) -> str:
    return handler(writer, node)


# ------------------------------------------------------------------ pieces


def _text(w: Writer, node: Any) -> str:
    """The text of a part."""
    handler = w.ours.get(type(node))
    if handler is not None:
        return handler(w, node)
    return w.generator.sql(node)  # type: ignore[no-any-return]


def _left(w: Writer, node: Sql) -> str:
    """The text of a node that is left to sqlglot."""
    return w.style.theirs[type(node)](w.generator, node)  # type: ignore[no-any-return]


def _indented(w: Writer, text: str) -> str:
    return "  " + text.replace("\n", "\n  ") if w.pretty and text else text


def _listed(w: Writer, nodes: Iterable[Sql]) -> str:
    """Parts with commas between them, one in a line."""
    texts = [text for each in nodes if (text := _text(w, each))]
    if not w.pretty:
        return ", ".join(texts)
    return _indented(w, ",\n".join(texts).rstrip())


def _is_usual(node: Sql) -> bool:
    """Whether a node has no parts but those that its handler knows."""
    args, known = node.args, _PARTS[type(node)]
    return args.keys() <= known or all(not value or key in known for key, value in args.items())


# ------------------------------------------------------------------ names and values


def _identifier(w: Writer, node: exp.Identifier) -> str:
    return w.style.names(node.args["this"], bool(node.args.get("quoted")), w.pretty)


def _column(w: Writer, node: exp.Column) -> str:
    args = node.args
    table = args.get("table")
    if len(args) > 2 and not _is_usual(node):
        return _left(w, node)
    name = _text(w, args["this"])
    return f"{_text(w, table)}.{name}" if table else name


def _alias(w: Writer, node: exp.Alias) -> str:
    alias = node.args.get("alias")
    return f"{_text(w, node.args['this'])} AS {_text(w, alias)}" if alias else _left(w, node)


def _table_alias(w: Writer, node: exp.TableAlias) -> str:
    args = node.args
    return _text(w, args["this"]) if args.get("this") and not args.get("columns") else _left(w, node)


def _literal(w: Writer, node: exp.Literal) -> str:
    text = node.args["this"]
    if not node.args["is_string"]:
        return text or ""
    if text.isascii() and text.isprintable() and "'" not in text and "\\" not in text and w.style.quoted:
        return f"'{text}'"
    return _left(w, node)


def _var(w: Writer, node: exp.Var) -> str:
    text = node.args["this"]
    return text if isinstance(text, str) else _left(w, node)


def _null(_: Any, __: exp.Null) -> str:
    return "NULL"


def _star(w: Writer, node: exp.Star) -> str:
    return _left(w, node) if node.args else "*"


def _data_type(w: Writer, node: exp.DataType) -> str:
    """A type: each is written once, if nothing was said about it."""
    parts = node.args.get("expressions") or ()
    if not _is_usual(node) or not all(type(each) is exp.DataTypeParam for each in parts):
        return _left(w, node)
    place = node.args["this"], node.args.get("kind"), *[str(each.this.this) for each in parts]
    found = w.style.types.get(place)
    if found is None:
        told = len(w.told)
        found = _left(w, node)
        if told == len(w.told) and isinstance(place[1], str | None):
            w.style.types[place] = found
    return found


def _cast(w: Writer, node: exp.Cast) -> str:
    this, to = node.args["this"], node.args.get("to")
    if not to or isinstance(this, exp.IntDiv) or not _is_usual(node):
        return _left(w, node)
    return f"CAST({_text(w, this)} AS {_text(w, to)})"


# ------------------------------------------------------------------ expressions


def _binary(sign: str) -> Handler:
    def handler(w: Writer, node: exp.Binary) -> str:
        kind, parts, left = type(node), [], node
        while type(left) is kind:
            if not _is_usual(left):
                return _left(w, node)
            parts.append(_text(w, left.args["expression"]))
            left = left.args["this"]
        parts.append(_text(w, left))
        parts.reverse()
        return f" {sign} ".join(parts)

    return handler


def _enclosed(w: Writer, piece: Sql) -> str:
    text = _text(w, piece)
    return f"(\n{_indented(w, text)}\n)" if w.pretty else f"({text})"


def _paren(w: Writer, node: exp.Paren) -> str:
    return _enclosed(w, node.args["this"])


def _arguments(w: Writer, nodes: Iterable[Sql]) -> str:
    """Arguments of a call, one in a line where they are long."""
    texts = [_text(w, each) for each in nodes]
    if w.pretty and sum(map(len, texts)) > w.style.width:
        return f"\n{_indented(w, f',{chr(10)}'.join(texts))}\n"
    return ", ".join(texts)


def _function(w: Writer, name: str) -> str:
    return name.upper() if w.style.uppercase else w.generator.normalize_func(name)


def _anonymous(w: Writer, node: exp.Anonymous) -> str:
    name = node.args["this"]
    if isinstance(node.parent, exp.Dot) or type(name) is not str:
        return _left(w, node)
    return f"{_function(w, name)}({_arguments(w, node.args.get('expressions') or ())})"


def _aggregate(w: Writer, node: exp.AggFunc) -> str:
    """A function of one argument."""
    if not _is_usual(node):
        return _left(w, node)
    return f"{_function(w, node.sql_name())}({_arguments(w, [node.args['this']])})"


def _graph_table(w: Writer, node: GraphTable) -> str:
    """What stands in a pattern is in one line."""
    pattern = pattern_of(node)
    assert pattern is not None
    assert w.style.patterns is not None
    printer = Printer(w.style.patterns, pretty=w.pretty, break_=w.style.broken)
    text = printer.text(pattern, [_text(w.flat, each).strip() for each in node.expressions])
    if w.pretty and len(text) > w.style.width:
        text = f"\n{_indented(w, text)}\n"
    return f"{node.name}({text})"


def _introducer(w: Writer, node: exp.Introducer) -> str:
    return f"{_text(w, node.args['this'])} {_text(w, node.args['expression'])}"


def _bracket(w: Writer, node: exp.Bracket) -> str:
    """An element by a number, which is counted as the dialect counts."""
    items = node.args["expressions"]
    counted = node.args.get("offset") == w.style.dialect.INDEX_OFFSET and len(items) == 1
    if not counted or type(node.args["this"]) is not exp.Paren or not _is_usual(node):
        return _left(w, node)
    return f"{_text(w, node.args['this'])}[{_text(w, items[0])}]"


def _boolean(_: Writer, node: exp.Boolean) -> str:
    return "TRUE" if node.args["this"] else "FALSE"


def _not(w: Writer, node: exp.Not) -> str:
    return f"NOT {_text(w, node.args['this'])}"


def _is(w: Writer, node: exp.Is) -> str:
    if type(node.args["expression"]) is not exp.Null or not _is_usual(node):
        return _left(w, node)
    return f"{_text(w, node.args['this'])} IS NULL"


def _in(w: Writer, node: exp.In) -> str:
    if not _is_usual(node):
        return _left(w, node)
    return f"{_text(w, node.args['this'])} IN {_text(w, node.args['query'])}"


def _exists(w: Writer, node: exp.Exists) -> str:
    query = node.args["this"]
    return f"EXISTS{_enclosed(w, query)}" if type(query) is exp.Select else _left(w, node)


def _connector(w: Writer, node: exp.Connector) -> str:
    """AND and OR, each with what stands behind it on a line where they are long."""
    pieces: list[str] = []
    pending: list[Any] = [node]
    while pending:
        each = pending.pop()
        word = _WORDS.get(type(each))
        if word is not None:
            pending += [each.args["expression"], word, each.args["this"]]
        elif type(each) is str:
            pieces.append(each)
        elif pieces:
            pieces[-1] = f"{pieces[-1]} {_text(w, each)}"
        else:
            pieces.append(_text(w, each))
    return ("\n" if w.pretty and sum(map(len, pieces)) > w.style.width else " ").join(pieces)


_WORDS: Mapping[type[Sql], str] = {exp.And: "AND", exp.Or: "OR"}


def _case(w: Writer, node: exp.Case) -> str:
    if not _is_usual(node):
        return _left(w, node)
    pieces = ["CASE"]
    for each in node.args["ifs"]:
        pieces += [f"WHEN {_text(w, each.args['this'])}", f"THEN {_text(w, each.args['true'])}"]
    default = node.args.get("default")
    if default is not None:
        pieces.append(f"ELSE {_text(w, default)}")
    if w.pretty and sum(map(len, pieces)) + 3 > w.style.width:
        inner = _indented(w, "\n".join(pieces[1:]))
        return f"CASE\n{inner}\nEND"
    return f"{' '.join(pieces)} END"


# ------------------------------------------------------------------ queries


def _ordered(w: Writer, node: exp.Ordered) -> str:
    """What a dialect takes for granted of nulls is not said."""
    if not w.style.sorts or not _is_usual(node):
        return _left(w, node)
    descending, first = node.args.get("desc"), bool(node.args.get("nulls_first"))
    way = " DESC" if descending else " ASC" if descending is False else ""
    usual = w.style.first[bool(descending)]
    nulls = "" if first is usual else " NULLS FIRST" if first else " NULLS LAST"
    return f"{_text(w, node.args['this'])}{way}{nulls}"


def _distinct(w: Writer, node: exp.Distinct) -> str:
    keys = node.args.get("expressions") or ()
    if len(keys) > 1 or not _is_usual(node):
        return _left(w, node)
    return f"DISTINCT {_text(w, keys[0])}" if keys else "DISTINCT"


def _counted(word: str) -> Handler:
    def handler(w: Writer, node: exp.Limit | exp.Offset) -> str:
        count = node.args.get("expression")
        if type(count) is not exp.Literal or not _is_usual(node):
            return _left(w, node)
        return f"{w.line}{word} {_text(w, count)}"

    return handler


def _fetch(w: Writer, node: exp.Fetch) -> str:
    if not isinstance(node.args.get("count"), (exp.Literal, exp.Introducer)) or not _is_usual(node):
        return _left(w, node)
    return f"{w.line}FETCH {node.args['direction']} {_text(w, node.args['count'])} ROWS ONLY"


def _join(w: Writer, node: exp.Join) -> str:
    source = node.args["this"]
    if type(source) is exp.Lateral or not _is_usual(node):
        return _left(w, node)
    return f", {_text(w, source)}"


def _union(w: Writer, node: exp.Union) -> str:
    """A union of bare SELECTs, whatever they were put together like."""
    pieces: list[str] = []
    pending: list[Any] = [node]
    while pending:
        each = pending.pop()
        kind = type(each)
        if kind is exp.Union and _is_usual(each) and each.args.get("distinct") is not None:
            pending += [each.args["expression"], w.style.unions[bool(each.args["distinct"])], each.args["this"]]
        elif kind is str:
            pieces.append(each)
        elif kind is exp.Select and not each.args.get("limit"):
            pieces.append(_text(w, each))
        else:
            return _left(w, node)
    return w.line.join(pieces)


def _from(w: Writer, node: exp.From) -> str:
    return f"{w.line}FROM {_text(w, node.args['this'])}"


def _where(w: Writer, node: exp.Where) -> str:
    return f"{w.line}WHERE{w.line}{_indented(w, _text(w, node.args['this']))}"


def _keyed(words: str) -> Handler:
    def handler(w: Writer, node: exp.Group | exp.Order) -> str:
        if not _is_usual(node):
            return _left(w, node)
        return f"{w.line}{words}{w.line}{_listed(w, node.args['expressions'])}"

    return handler


def _table(between: str) -> Handler:
    def handler(w: Writer, node: exp.Table) -> str:
        if not _is_usual(node):
            return _left(w, node)
        args = node.args
        name = _text(w, args["this"])
        for place in ("db", "catalog"):
            if args.get(place) is not None:
                name = f"{_text(w, args[place])}.{name}"
        alias = args.get("alias")
        return f"{name}{between}{_text(w, alias)}" if alias else name

    return handler


def _subquery(between: str) -> Handler:
    def handler(w: Writer, node: exp.Subquery) -> str:
        if not _is_usual(node):
            return _left(w, node)
        alias = node.args.get("alias")
        text = _enclosed(w, node.args["this"])
        return f"{text}{between}{_text(w, alias)}" if alias else text

    return handler


def _common(w: Writer, node: exp.CTE) -> str:
    if not _is_usual(node):
        return _left(w, node)
    materialized = node.args.get("materialized")
    kept = "" if materialized is None else "MATERIALIZED " if materialized else "NOT MATERIALIZED "
    return f"{_text(w, node.args['alias'])} AS {kept}{_enclosed(w, node.args['this'])}"


def _with(w: Writer, node: exp.With) -> str:
    if not _is_usual(node):
        return _left(w, node)
    recursive = w.style.recursive if node.args.get("recursive") else ""
    return f"WITH {recursive}{', '.join([_text(w, each) for each in node.args['expressions']])}"


_HALVES = ("SEMI", "ANTI")


def _select(w: Writer, node: exp.Select) -> str:
    args = node.args
    limit, distinct, joins = args.get("limit"), args.get("distinct"), args.get("joins") or ()
    fetched = limit is not None and type(limit) is exp.Fetch and w.style.limits == "LIMIT"
    unusual = fetched or (distinct and distinct.args) or any(each.args.get("kind") in _HALVES for each in joins)
    if unusual or not _is_usual(node):
        return _left(w, node)
    shown = _listed(w, args.get("expressions") or ())
    parts = []
    if args.get("with_") is not None:
        parts += [_text(w, args["with_"]), w.line]
    parts.append("SELECT")
    if distinct is not None:
        parts.append(f" {_text(w, distinct)}")
    parts += [w.line, shown] if shown else []
    parts += [_text(w, args["from_"])] if args.get("from_") is not None else []
    parts += [_text(w, each) for each in joins]
    parts += [
        _text(w, clause) for key in ("where", "group", "having", "order") if (clause := args.get(key)) is not None
    ]
    if limit is not None and w.style.limits == "FETCH" and isinstance(limit, exp.Limit) and not limit.is_limit_all:
        limit = exp.Fetch(direction="FIRST", count=limit.expression)
    offset = args.get("offset")
    if not w.style.pages and (limit is not None or offset is not None):
        parts += w.generator.offset_limit_modifiers(node, isinstance(limit, exp.Fetch), limit)
    else:
        pages = [offset, limit] if isinstance(limit, exp.Fetch) else [limit, offset]
        parts += [_text(w, each) for each in pages if each is not None]
    return "".join(parts)


_OPERANDS = ("this", "expression")
_KNOWN: Mapping[type[Sql], tuple[str, ...]] = {
    exp.Column: ("this", "table"),
    exp.DataType: ("this", "kind", "expressions"),
    exp.Cast: ("this", "to"),
    **dict.fromkeys((exp.DPipe, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Is, exp.Collate), _OPERANDS),
    **dict.fromkeys((exp.Count, exp.Sum, exp.Avg, exp.AnyValue), ("this", "big_int")),
    exp.Bracket: ("this", "expressions", "offset"),
    exp.In: ("this", "query"),
    exp.Case: ("ifs", "default"),
    exp.Ordered: ("this", "desc", "nulls_first"),
    exp.Distinct: ("expressions",),
    **dict.fromkeys((exp.Limit, exp.Offset), ("expression",)),
    exp.Fetch: ("direction", "count"),
    exp.Join: ("this",),
    exp.Union: ("this", "expression", "distinct"),
    **dict.fromkeys((exp.Group, exp.Order), ("expressions",)),
    exp.Table: ("this", "alias", "db", "catalog"),
    exp.Subquery: ("this", "alias"),
    exp.CTE: ("this", "alias", "materialized"),
    exp.With: ("expressions", "recursive"),
    exp.Select: (
        *("from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "with_"),
        "expressions",
    ),
}
"""The parts of nodes that the handlers know."""
_PARTS = {kind: frozenset((*parts, "rep")) for kind, parts in _KNOWN.items()}
"""The same, and the note of a type, which is not printed."""

HANDLERS: Mapping[type[Sql], Handler] = {
    exp.Identifier: _identifier,
    exp.Column: _column,
    exp.Alias: _alias,
    exp.TableAlias: _table_alias,
    exp.Literal: _literal,
    exp.Var: _var,
    exp.Null: _null,
    exp.Star: _star,
    exp.DataType: _data_type,
    exp.Cast: _cast,
    exp.DPipe: _binary("||"),
    exp.EQ: _binary("="),
    exp.NEQ: _binary("<>"),
    exp.LT: _binary("<"),
    exp.LTE: _binary("<="),
    exp.GT: _binary(">"),
    exp.GTE: _binary(">="),
    exp.Boolean: _boolean,
    exp.Not: _not,
    exp.Is: _is,
    exp.In: _in,
    exp.Exists: _exists,
    exp.And: _connector,
    exp.Or: _connector,
    exp.Case: _case,
    exp.Paren: _paren,
    exp.Anonymous: _anonymous,
    exp.Count: _aggregate,
    exp.Sum: _aggregate,
    exp.Avg: _aggregate,
    exp.AnyValue: _aggregate,
    exp.Ordered: _ordered,
    exp.Distinct: _distinct,
    exp.Limit: _counted("LIMIT"),
    exp.Fetch: _fetch,
    exp.Offset: _counted("OFFSET"),
    exp.Join: _join,
    exp.Union: _union,
    exp.From: _from,
    exp.Where: _where,
    exp.Group: _keyed("GROUP BY"),
    exp.Order: _keyed("ORDER BY"),
    exp.Table: _table(" AS "),
    exp.Subquery: _subquery(" AS "),
    exp.CTE: _common,
    exp.With: _with,
    exp.Select: _select,
}
"""Class -> handler, for dialects that leave the class to `sqlglot.Generator`."""

_SAME: Mapping[tuple[str, type[Sql]], Handler] = {
    ("postgres", exp.Select): _select,  # its transforms are about QUALIFY and semi joins
    ("postgres", exp.Cast): _cast,
    ("postgres", exp.DataType): _data_type,
    ("postgres", exp.Bracket): _bracket,
    ("postgres", exp.Introducer): _introducer,
    ("postgres", exp.Collate): _binary("COLLATE"),
    ("duckdb", exp.Select): _select,  # about CONNECT BY, QUALIFY and generators
    ("duckdb", exp.DataType): _data_type,
    ("oracle", exp.Select): _select,  # about DISTINCT ON and QUALIFY
    ("oracle", exp.Table): _table(" "),
    ("oracle", exp.Subquery): _subquery(" "),
}
"""Dialect and class -> handler that gives the same as the dialect's own for every form that it does not leave to it."""
