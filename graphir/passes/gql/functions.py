"""Functions and operators of GQL by their canonical names, and what is short for others written out.

What is left as a `Call` is no function of the dialect.  Source: GoogleSQL's reference, checked with its evaluator; for
ISO GQL, ISO/IEC 39075 section 20.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from graphir.functions import CYPHER_NAMES
from graphir.gql_functions import GOOGLE_DIALECTS, GQL_FUNCTIONS, SAFE, ZONED, names_of
from graphir.ir import (
    Apply,
    Branch,
    Call,
    Case,
    Cast,
    EdgePattern,
    Entry,
    Expression,
    Index,
    Keyword,
    Lambda,
    ListComprehension,
    ListOf,
    Literal,
    MapOf,
    Named,
    Node,
    NodePattern,
    Property,
    Quantified,
    Query,
    Ref,
    Struct,
    Subquery,
    rewrite,
    walk,
)
from graphir.ir.names import generated

Arguments = tuple[Expression, ...]


def name_functions(query: Query, dialect: str) -> Query:
    """The query with the calls of the dialect's functions as canonical ones."""
    if not any(type(node) in _RULED for node in walk(query)):
        return query
    fields = _fields(query) if dialect in GOOGLE_DIALECTS else {}
    named = rewrite(query, _Rules(dialect, fields).rule)
    if dialect in _ZONES or not any(map(_needs_zone, walk(named))):
        return named
    return replace(named, zone="UTC")


_ZONES = ("gql-spanner", "pgq-googlesql")
"""The dialects whose moments without a time zone are in that of the reference functions; all others have UTC."""
_MOMENTS = frozenset(("STRING", "DATE", "ZONED DATETIME", "LOCAL DATETIME", "LOCAL TIME", "LIST"))
"""The types that moments become, or come of."""


def _needs_zone(node: Node) -> bool:
    """Whether a moment without a time zone may be read or written here."""
    if isinstance(node, Cast):
        return node.type.name in _MOMENTS
    return isinstance(node, Apply) and (node.function.removeprefix(SAFE) in ZONED or node.function == "untyped")


def _fields(query: Query) -> dict[str, str]:
    """Lower case -> name, of the fields of records: their names are the same in any case."""
    found: dict[str, str] = {}
    for node in walk(query):
        if isinstance(node, Struct):
            names = [*(field.name for field in node.fields), *(node.type.fields if node.type is not None else ())]
            for name in names:
                found.setdefault((name or "").lower(), name or "")
    return found


_RULED = (Apply, Call, Cast, Index, ListOf, MapOf, Struct)


_COERCING = frozenset(("pgq-postgres", "pgq-hyper", "pgq-duckpgq"))
"""Dialects of SQL in which a literal text takes the type of what it is compared with, as in GoogleSQL."""
_AS_CYPHER = frozenset(("gql-grafeo",))
"""Dialects that have the functions of Cypher under its names, too."""


class _Rules:
    """The rules of a dialect, and the names that they make up."""

    def __init__(self, dialect: str, fields: dict[str, str]) -> None:
        self.fields = fields
        self.is_google = dialect in GOOGLE_DIALECTS
        self.coerces = self.is_google or dialect in _COERCING
        self.names = names_of(dialect)
        if dialect in _AS_CYPHER:
            self.names = {**{name.upper(): found.name for name, found in CYPHER_NAMES.items()}, **self.names}
        self.fresh: Iterator[int] = count(1)

    def rule(self, node: Node) -> Node:
        match node:
            case Call(name, args):
                return self._call(node, [part.upper() for part in name], args)
            case Property(key=key) | Named(name=str(key)) if self.fields.get(key.lower(), key) != key:
                return self._folded(node, self.fields[key.lower()])
            case ListOf(items) if len(items) > 1 and all(isinstance(item, Struct) for item in items):
                return _named_alike(node)
            case Index(base, index) if self.is_google:
                return Apply("subscript", (base, index), span=node.span)
            case Apply("eq" | "ne", (Struct(), Struct())) if self.is_google:
                return _field_by_field(node)
            case Apply(function, args) if self.coerces and function in _COMPARED and any(map(_is_moment, args)):
                return _compared(node)
            case NodePattern(properties=MapOf(entries)) | EdgePattern(properties=MapOf(entries)) if self.coerces:
                return _compared_inside(node, entries)
            case Apply(function):
                made = (_OF_GOOGLE if self.is_google else _OF_ISO).get(function) or _OF_BOTH.get(function)
                return node if made is None else made(node)
        return node

    def _call(self, node: Call, name: list[str], args: Arguments) -> Expression:
        safe = self.is_google and len(name) == 2 and name[0] == "SAFE"
        spelled = name[-1]
        if len(name) != 1 and not safe:
            return node
        written = (_WRITTEN_OUT if self.is_google else _WRITTEN_OUT_IN_ISO).get(spelled)
        made = written(self, node) if written is not None else None
        if made is not None:
            return made
        canonical = self.names.get(spelled)
        if canonical is None:
            return node
        if canonical in _WITH_KEYWORDS:
            word = _WITH_KEYWORDS[canonical]
            args = tuple([_keyword(each) if at == word else each for at, each in enumerate(args)])
        if canonical == "concat" and len(args) == 1:
            return args[0]
        return Apply((SAFE if safe else "") + canonical, args, node.distinct, span=node.span)

    def _folded(self, node: Property | Named, name: str) -> Node:
        """The field of a record under its one spelling; an element's property gets that of its graph again."""
        return replace(node, key=name) if isinstance(node, Property) else replace(node, name=name)

    def variable(self) -> str:
        """A name for the elements of a list."""
        return generated("x", next(self.fresh))


def _keyword(argument: Expression) -> Expression:
    """`DAY` as an argument is a word, no variable."""
    return Keyword(argument.name.upper(), span=argument.span) if isinstance(argument, Ref) else argument


_WITH_KEYWORDS = {
    **dict.fromkeys(("date_trunc", "last_day", "normalize", "normalize_text"), 1),
    **dict.fromkeys(("date_diff", "timestamp_diff"), 2),
    "generate_date_array": 3,
}
"""Functions with a bare word among their arguments, and its place."""


# ------------------------------------------------------------------ functions that are short for others


def _if(rules: _Rules, node: Call) -> Expression | None:
    if len(node.args) != 3:
        return None
    test, result, default = node.args
    return Case(None, (Branch((test,), result, span=node.span),), default, span=node.span)


def _null_if_zero(rules: _Rules, node: Call) -> Expression | None:
    return Apply("nullIf", (*node.args, Literal(0)), span=node.span) if len(node.args) == 1 else None


def _zero_if_null(rules: _Rules, node: Call) -> Expression | None:
    return Apply("coalesce", (*node.args, Literal(0)), span=node.span) if len(node.args) == 1 else None


def _of(*functions: str) -> Callable[[_Rules, Call], Expression | None]:
    """Several functions, the outermost first, on the one argument."""

    def written(rules: _Rules, node: Call) -> Expression | None:
        if len(node.args) != 1:
            return None
        made = node.args[0]
        for function in reversed(functions):
            made = Apply(function, (made,), span=node.span)
        return made

    return written


def _property_exists(rules: _Rules, node: Call) -> Expression | None:
    match node.args:
        case (base, Ref(name)):
            return Apply("property_exists", (base, Literal(name, span=node.args[1].span)), span=node.span)
    return None


def _transform(rules: _Rules, node: Call) -> Expression | None:
    match node.args:
        case (source, Lambda((variable,), body)):
            return ListComprehension(variable, source, None, body, span=node.span)
        case (source, Lambda((variable, at), body)):
            return _numbered(source, at, None, _by_place(source, variable, at, body), node)
    return None


def _by_place(source: Expression, variable: str, at: str, body: Expression) -> Expression:
    """The body with the element of the place for the variable."""

    def element(each: Node) -> Node:
        return Apply("at_offset", (source, Ref(at)), span=each.span) if each == Ref(variable) else each

    return rewrite(body, element)


def _numbered(source: Expression, at: str, where: Expression | None, body: Expression, node: Node) -> Expression:
    """What the body makes of the places of the list of which a predicate is true."""
    last = Apply("sub", (Apply("size", (source,), span=node.span), Literal(1)), span=node.span)
    places = Apply("range", (Literal(0), Apply("coalesce", (last, Literal(-1)), span=node.span)), span=node.span)
    made = ListComprehension(at, places, where, body, span=node.span)
    test = Apply("is_null", (source,), span=node.span)
    return Case(None, (Branch((test,), Literal(None), span=node.span),), made, span=node.span)


def _filter(rules: _Rules, node: Call) -> Expression | None:
    match node.args:
        case (source, Lambda((variable,), body)):
            return ListComprehension(variable, source, body, None, span=node.span)
        case (source, Lambda((variable, at), body)):
            kept = Apply("at_offset", (source, Ref(at)), span=node.span)
            return _numbered(source, at, _by_place(source, variable, at, body), kept, node)
    return None


def _find(rules: _Rules, node: Call) -> Expression | None:
    """The first element of which a predicate is true, or that is equal to a value; null if there is none."""
    match node.args:
        case (source, Lambda((variable,), body)):
            found = ListComprehension(variable, source, body, None, span=node.span)
        case (source, value) if not isinstance(value, Lambda):
            variable = rules.variable()
            test = Apply("eq", (Ref(variable), value), span=node.span)
            found = ListComprehension(variable, source, test, None, span=node.span)
        case _:
            return None
    return Apply("head", (found,), span=node.span)


def _includes(rules: _Rules, node: Call) -> Expression | None:
    """Whether a predicate is true, and not unknown, of an element, or a value is among them."""
    match node.args:
        case (source, Lambda((variable,), body)):
            return _any(source, variable, body, node)
        case (source, value):
            variable = rules.variable()
            test = _any(source, variable, Apply("eq", (Ref(variable), value), span=node.span), node)
            unknown = Apply("is_null", (value,), span=node.span)
            return Case(None, (Branch((unknown,), Literal(None), span=node.span),), test, span=node.span)
    return None


def _any(source: Expression, variable: str, predicate: Expression, node: Node) -> Expression:
    test = Apply("coalesce", (predicate, Literal(False)), span=node.span)
    return Quantified("any", variable, source, test, span=node.span)


def _flatten(rules: _Rules, node: Call) -> Expression | None:
    """`FLATTEN(list.key)` is the key of every element; elements that are lists give theirs."""
    match node.args:
        case (Property() as path,):
            keys: list[str] = []
            inner: Expression = path
            while isinstance(inner, Property):
                keys.append(inner.key)
                inner = inner.base
            for key in reversed(keys):
                variable = rules.variable()
                body = Property(Ref(variable), key, span=node.span)
                inner = Apply(
                    "flatten", (ListComprehension(variable, inner, None, body, span=node.span),), span=node.span
                )
            return inner
        case (source,):
            return source
    return None


def _now(function: str) -> Callable[[_Rules, Call], Expression | None]:
    """What the clock shows: in a time zone that is given, or in that of Spanner."""

    def written(rules: _Rules, node: Call) -> Expression | None:
        return Apply(function, (Apply("datetime", (), span=node.span), *node.args), span=node.span)

    return written


def _trimmed(function: str) -> Callable[[_Rules, Call], Expression | None]:
    """Of the characters of a second argument."""

    def written(rules: _Rules, node: Call) -> Expression | None:
        return Apply(function, node.args, span=node.span) if len(node.args) == 2 else None

    return written


def _logarithm(rules: _Rules, node: Call) -> Expression | None:
    return Apply("strict_log", node.args, span=node.span) if len(node.args) == 1 else None


_WRITTEN_OUT: dict[str, Callable[[_Rules, Call], Expression | None]] = {
    "IF": _if,
    "NULLIFZERO": _null_if_zero,
    "ZEROIFNULL": _zero_if_null,
    "PATH_FIRST": _of("head", "nodes"),
    "PATH_LAST": _of("last", "nodes"),
    "IS_TRAIL": _of("array_is_distinct", "relationships"),
    "IS_ACYCLIC": _of("array_is_distinct", "nodes"),
    "IS_SIMPLE": _of("is_simple", "nodes"),
    "SOURCE_NODE_ID": _of("elementId", "startNode"),
    "DESTINATION_NODE_ID": _of("elementId", "endNode"),
    "PROPERTY_EXISTS": _property_exists,
    "ARRAY_TRANSFORM": _transform,
    "ARRAY_FILTER": _filter,
    "ARRAY_FIND": _find,
    "ARRAY_FIND_ALL": _filter,
    "ARRAY_INCLUDES": _includes,
    "FLATTEN": _flatten,
    "CURRENT_DATE": _now("make_date"),
    "CURRENT_DATETIME": _now("make_datetime"),
    "CURRENT_TIME": _now("make_time"),
    "CURRENT_TIMESTAMP": _now("make_timestamp"),
    "TRIM": _trimmed("btrim"),
    "LTRIM": _trimmed("ltrim"),
    "RTRIM": _trimmed("rtrim"),
    "LOG": _logarithm,
}
"""Upper-case spelling in GoogleSQL -> what it is short for, or None where these arguments are another function's."""
_WRITTEN_OUT_IN_ISO = {"PROPERTY_EXISTS": _property_exists}
"""The same for ISO GQL."""


def _named_alike(node: ListOf) -> ListOf:
    """Records of a list have the names of the fields of the first."""
    first = node.items[0]
    assert isinstance(first, Struct)
    made: list[Expression] = [first]
    for item in node.items[1:]:
        assert isinstance(item, Struct)
        if len(item.fields) != len(first.fields) or first.type is not None:
            return node
        fields = [replace(own, name=named.name) for own, named in zip(item.fields, first.fields, strict=True)]
        made.append(replace(item, fields=tuple(fields)))
    return replace(node, items=tuple(made))


def _field_by_field(node: Apply) -> Expression:
    """Records are equal if their fields are, in order, whatever their names."""
    left, right = node.args
    assert isinstance(left, Struct)
    assert isinstance(right, Struct)
    if len(left.fields) != len(right.fields) or not left.fields:
        return node
    pairs = zip(left.fields, right.fields, strict=True)
    tests = tuple([Apply("eq", (one.value, other.value), span=node.span) for one, other in pairs])
    made = tests[0] if len(tests) == 1 else Apply("and", tests, span=node.span)
    return made if node.function == "eq" else Apply("not", (made,), span=node.span)


# ------------------------------------------------------------------ texts without a type

_COMPARED = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "is_distinct", "in", "between"))
"""Operators under which a literal text takes the type of what it is compared with.  Source: GoogleSQL's coercion."""


def _is_moment(node: Node) -> bool:
    """A literal text, or a list with one, that could be a day or a moment."""
    if isinstance(node, ListOf):
        return any(map(_is_moment, node.items))
    if not isinstance(node, Literal) or not isinstance(node.value, str):
        return False
    return node.value[:4].isdigit() and node.value[4:5] == "-"


def _untyped(node: Expression) -> Expression:
    return Apply("untyped", (node,), span=node.span) if _is_moment(node) else node


def _compared(node: Apply) -> Expression:
    """With texts that are days or moments, if what they are compared with is one."""
    match node:
        case Apply("in", (value, ListOf(items))):
            tests = tuple([Apply("eq", (value, _untyped(item)), span=item.span) for item in items])
            return tests[0] if len(tests) == 1 else Apply("or", tests, span=node.span)
        case Apply("between"):
            return _between(replace(node, args=tuple(map(_untyped, node.args))))
    return replace(node, args=tuple([each if isinstance(each, ListOf) else _untyped(each) for each in node.args]))


def _compared_inside(node: NodePattern | EdgePattern, entries: tuple[Entry, ...]) -> Node:
    """The same for properties inside of a pattern."""
    if not any(_is_moment(entry.value) for entry in entries):
        return node
    made = tuple([replace(entry, value=_untyped(entry.value)) for entry in entries])
    assert isinstance(node.properties, MapOf)
    return replace(node, properties=replace(node.properties, entries=made))


# ------------------------------------------------------------------ operators


def _between(node: Apply) -> Expression:
    """Two comparisons, unless the value may differ from one to the other."""
    value, low, high = node.args
    if any(isinstance(each, Apply) and each.function in ("rand", "randomUUID") for each in walk(value)):
        return node
    bounds = Apply("ge", (value, low), span=node.span), Apply("le", (value, high), span=node.span)
    return Apply("and", bounds, span=node.span)


def _is_true(node: Apply) -> Expression:
    return Apply("coalesce", (*node.args, Literal(False)), span=node.span)


def _is_false(node: Apply) -> Expression:
    return Apply("coalesce", (Apply("not", node.args, span=node.span), Literal(False)), span=node.span)


def _is_unknown(node: Apply) -> Expression:
    return Apply("is_null", node.args, span=node.span)


def _member(node: Apply) -> Expression:
    """No value is in a list that is null."""
    value, source = node.args
    if isinstance(source, (ListOf, Subquery)):
        return node
    return Apply("in", (value, Apply("coalesce", (source, ListOf()), span=node.span)), span=node.span)


def _end(function: str, word: str) -> Callable[[Apply], Expression]:
    """`n IS SOURCE OF e`, which takes no nulls in GoogleSQL."""

    def operator(node: Apply) -> Expression:
        tested, edge = (Apply("required", (each, Literal(word)), span=each.span) for each in node.args)
        return Apply("eq", (tested, Apply(function, (edge,), span=node.span)), span=node.span)

    return operator


def _directed(node: Apply) -> Expression:
    """Every edge has a direction."""
    unknown = Apply("is_null", node.args, span=node.span)
    return Case(None, (Branch((unknown,), Literal(None), span=node.span),), Literal(True), span=node.span)


def _plain_end(function: str) -> Callable[[Apply], Expression]:
    def operator(node: Apply) -> Expression:
        tested, edge = node.args
        return Apply("eq", (tested, Apply(function, (edge,), span=node.span)), span=node.span)

    return operator


def _renamed(function: str) -> Callable[[Apply], Expression]:
    return lambda node: replace(node, function=function)


_OF_BOTH: dict[str, Callable[[Apply], Expression]] = {
    "between": _between,
    "is_true": _is_true,
    "is_false": _is_false,
    "is_unknown": _is_unknown,
    "path": _renamed("make_path"),
    **{
        name.removeprefix("strict_"): _renamed(name)
        for name in ("strict_acos", "strict_asin", "strict_exp", "strict_sqrt")
    },
    "labels": _renamed("element_labels"),
}
_OF_GOOGLE: dict[str, Callable[[Apply], Expression]] = {
    "div": _renamed("divide"),
    "in": _member,
    "is_source": _end("startNode", "the operator SOURCE"),
    "is_destination": _end("endNode", "the operator DEST"),
}
_OF_ISO: dict[str, Callable[[Apply], Expression]] = {
    "is_source": _plain_end("startNode"),
    "is_destination": _plain_end("endNode"),
    "is_directed": _directed,
}
"""Operator, or function that the builder names -> what it means in the dialect."""

assert not set(_OF_GOOGLE) & set(GQL_FUNCTIONS)
