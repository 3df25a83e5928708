"""The lowering's tree as a target's tree: each node after its parts, by the tables of the target.

Nothing passes that no table knows: it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.model import GraphTable
from graphir.backends.sql.reps import DATETIME, INTEGER, STRING, Rep
from graphir.backends.sql.targets import identities
from graphir.backends.sql.targets.target import FUNCTIONS, STANDARD, Rewriting, Rule, Style, Target
from graphir.diagnostics import Unsupported, diagnose
from graphir.source import Source


class Rewriter:
    """Rewrites one statement."""

    def __init__(
        self,
        target: Target,
        source: Source,
        marks: Mapping[str, str],
        ids: tuple[Rep, Rep] = (INTEGER, INTEGER),
        admitted: list[str] | None = None,
    ) -> None:
        """`marks`: parameter of the tree -> its name or number in the text.  `ids`: how nodes and edges lie.
        `admitted` receives what is only near to what is asked; without it such a thing is refused."""
        self.target = target
        self.source = source
        self.marks = marks
        self.ids = ids
        self.admitted = admitted
        self._made = 0
        self._types: dict[Rep, exp.DataType] = {}
        self._rules = _rules(target)

    def fresh(self, prefix: str) -> str:
        self._made += 1
        return f"{prefix}_{self._made}"

    def refuse(self, what: str) -> NoReturn:
        message = f"{self.target.title} has no exact form of {what}"
        raise Unsupported([diagnose(self.source, "G561", message)], feature=what, target=self.target.name)

    def admit(self, what: str) -> None:
        if self.admitted is None:
            self.refuse(what)
        if what not in self.admitted:
            self.admitted.append(what)

    def mark_of(self, parameter: str) -> str:
        return self.marks[parameter]

    def type_of(self, rep: Rep) -> exp.DataType:
        if rep not in self._types:
            found = self.target.types(identities.laid(rep, *self.ids))
            if found is None:
                self.refuse(f"values of type {rep}")
            self._types[rep] = build.again(_type(found, self.target.dialect))
            self._types[rep].args["rep"] = rep
        return self._types[rep]

    def rewrite(self, tree: Sql) -> Sql:
        """The target's tree; the one given is used up."""
        tree = identities.compare(tree)
        nodes = build.nodes(tree)
        rules = self._rules
        named = rules[exp.Identifier]
        if named is not None:
            for name in build.names(nodes):
                named(name, self)
        for node in reversed(nodes):
            rule = rules.get(type(node), _refused)
            if rule is None:
                continue
            parent, place, index = node.parent, node.arg_key, node.index  # a rule may put the node into what it makes
            made = rule(node, self)
            if made is node:
                continue
            if isinstance(node, exp.Func) and isinstance(parent, (exp.Binary, exp.Unary, exp.In)):
                made = build.atom(made)
            if parent is None or place is None:
                tree = made
            else:
                parent.set(place, made, index)
        return _unbracketed(tree)

    def call(self, node: exp.Anonymous) -> Sql:
        """What the target says for a call of a function."""
        rule = self.target.functions.get(node.name)
        if rule is None:
            self.refuse(f"the function {node.name}" if node.name in FUNCTIONS else "this value")
        return rule(node, self)

    def identity(self, node: build.Identity) -> Sql:
        """The text that tells an element apart."""
        guarded = self.target.dialect in identities.EMPTY
        return identities.written(node, self.type_of(STRING), self._length, guarded=guarded)

    def _length(self, text: Sql) -> Sql:
        call = build.noted(build.call("length", text), STRING)
        return self.target.functions["length"](call, self)


Rules = dict[type[exp.Expr], Callable[[Any, Any], Sql] | None]


_KNOWN: dict[str, Rules] = {}
"""By the name of the target."""


def _rules(target: Target) -> Rules:
    """Class -> what is done with a node; None for nothing.  A rule for names can only refuse them."""
    found = _KNOWN.get(target.name)
    if found is None:
        casts: Rules = {each: _typed(target.nodes.get(each)) for each in (exp.Cast, exp.TryCast)}
        own: Rules = {exp.Anonymous: _called, build.Identity: _identified, exp.Parameter: _given, GraphTable: None}
        found = _KNOWN[target.name] = {**dict.fromkeys(STANDARD), **target.nodes, **casts, **own}
    return found


def _refused(node: Sql, rewriting: Rewriter) -> Sql:
    rewriting.refuse(_title(node))


def _called(node: exp.Anonymous, rewriting: Rewriter) -> Sql:
    return rewriting.call(node)


def _identified(node: build.Identity, rewriting: Rewriter) -> Sql:
    return rewriting.identity(node)


def _given(node: exp.Parameter, rewriting: Rewriter) -> Sql:
    return _parameter(rewriting.target.parameters, rewriting.mark_of(node.this.name))


def _typed(rule: Rule | None) -> Callable[[exp.Cast, Rewriter], Sql]:
    """The rule for a cast, which is given the node with the target's type."""

    def typed(node: exp.Cast, rewriting: Rewriter) -> Sql:
        node.set("to", rewriting.type_of(build.note(node.to)))
        return node if rule is None else rule(node, rewriting)

    return typed


@lru_cache(maxsize=256)
def _type(text: str, dialect: str) -> exp.DataType:
    """A type by its words; to be copied."""
    return exp.DataType.build(text, dialect=dialect)


def _title(node: Sql) -> str:
    return {
        exp.Array: "lists",
        exp.ArrayAgg: "lists of rows",
        exp.Struct: "maps and paths",
        exp.PropertyEQ: "maps and paths",
        exp.Lateral: "subqueries that run for every row",
    }.get(type(node), type(node).__name__)


_WHOLE = (exp.Alias, exp.Paren, exp.Where, exp.Having, exp.If, exp.Cast, exp.Anonymous, exp.Array, exp.Coalesce)
_TESTS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Is, exp.In, exp.Exists, exp.Boolean, exp.Anonymous)


def _unbracketed(tree: Sql) -> Sql:
    """The tree without brackets that nobody needs: around a whole place, or around a test among tests; in place."""
    for paren in reversed(build.nodes(tree)):
        if type(paren) is not exp.Paren:
            continue
        parent, inner = paren.parent, paren.this
        if isinstance(inner, exp.Query):
            continue
        if isinstance(parent, _WHOLE) or (isinstance(parent, exp.Connector) and isinstance(inner, _TESTS)):
            paren.replace(inner)
    return tree


def _parameter(style: Style, mark: str) -> Sql:
    if style == "named":
        return exp.Placeholder(this=mark)
    if style == "host":
        return exp.Var(this=f":{mark}")
    if style == "numbered":
        return exp.Parameter(this=exp.Literal.number(int(mark)))
    return exp.Parameter(this=exp.Var(this=mark))


def keep(node: Sql, _: Rewriting) -> Sql:
    """The rule for what the target says in the same way."""
    return node


def cased(function: str) -> Rule:
    """A rule for LOWER or UPPER of a database that goes letter by letter: what has another case as several letters, or
    by its place in the word, stays or becomes one letter."""

    def rule(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
        rewriting.admit(f"{function} of letters whose other case is several letters or depends on the word (ß, İ, Σ)")
        return build.call(function, *node.expressions)

    return rule


def itself(node: exp.Anonymous, _: Rewriting) -> Sql:
    """The rule for what the target makes of the value anyway."""
    value: Sql = node.expressions[0]
    return value


def fault(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A rule for what fails: a text that is no value of the type is cast to it."""
    told, witness = node.expressions
    text = build.binary(exp.DPipe, told, exp.Cast(this=witness, to=rewriting.type_of(STRING)))
    return exp.Cast(this=text, to=rewriting.type_of(build.note(node)))


def spelled_time(node: exp.Anonymous, text: Sql) -> Sql:
    """What a rule for `time_text` makes of a text with six digits behind the seconds."""
    trimmed = without_zeros(text)
    if build.note(node) != DATETIME:
        return trimmed
    return exp.Paren(this=build.binary(exp.DPipe, trimmed, exp.Literal.string("Z")))


def without_zeros(text: Sql) -> Sql:
    """A number, or a moment, without the last zeros behind its point."""
    return build.call("RTRIM", build.call("RTRIM", text, exp.Literal.string("0")), exp.Literal.string("."))


WITH_NULLS = "NULL ON NULL RETURNING JSON"
"""What stands behind the last part of a JSON object or array that keeps nulls, in SQL:2016."""


def json_object(parts: Sequence[Sql]) -> Sql:
    """The object of SQL:2016 with these names and values in turn, of which there are some."""
    pairs = [
        exp.Introducer(this=name, expression=exp.Introducer(this=exp.Var(this="VALUE"), expression=value))
        for name, value in zip(parts[::2], parts[1::2], strict=True)
    ]
    return build.call("JSON_OBJECT", *pairs[:-1], exp.Introducer(this=pairs[-1], expression=exp.Var(this=WITH_NULLS)))


def moment(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A rule for a moment: a text with `Z` is cast to it."""
    return exp.Cast(this=node.expressions[0], to=rewriting.type_of(DATETIME))


def dotted(node: exp.Anonymous, _: Rewriting) -> Sql:
    """The rule for a field of a row where it is written behind a dot."""
    base, key = node.expressions
    simple = isinstance(base, (exp.Column, exp.Dot, exp.Paren))
    return exp.Dot(this=base if simple else exp.Paren(this=base), expression=build.name(key.this))


def renamed(name: str) -> Callable[[exp.Anonymous, Rewriting], Sql]:
    """The rule for a function that has another name."""

    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        return exp.Anonymous(this=name, expressions=node.expressions)

    return rule
