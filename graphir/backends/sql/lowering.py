"""What one lowering knows: the tables, the parameters, the names it has made up, the functions it needs.

`Lowering` lives as long as a query is lowered; a `Scope` is what the variables mean at one place of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn
from zlib import crc32

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build
from graphir.backends.sql.catalog import Catalog, EdgeTable
from graphir.backends.sql.reps import NULL, STRING, Rep, datatype, rep_of
from graphir.backends.sql.searches import Search
from graphir.backends.sql.terms import Term
from graphir.diagnostics import RunFault, Unsupported, diagnose
from graphir.frozen import frozen
from graphir.gql_functions import SAFE, ZONED
from graphir.ir import Node
from graphir.ir.names import is_generated
from graphir.source import Source, Span


@frozen
class Abilities:
    """What the target of a lowering has, beyond plain SQL; the embedded engine has it all.

    `bridges`: the reference functions can be called; without them what has no exact form is refused, and the sum of no
    floats is 0.0.  `lateral`: repetitions may be recursive queries that read the tables before them; without it they
    are common tables that begin at all nodes where they may.  `lambdas`: functions on lists.

    `steps`: repetitions of an edge whose lengths are so many edges together are written length by length, without
    recursion; `either`: an edge that is walked either way is one, not two for each of all others.  `ties`: of nodes of
    scans it is noted that they are the same (`build.tie`), and not asked.
    """

    bridges: bool = True
    lateral: bool = True
    lambdas: bool = True
    steps: int = 0
    either: bool = False
    ties: bool = False


EMBEDDED = Abilities()


@frozen
class Bridge:
    """A function that the SQL calls by `name` and the target does not have: the reference function on values.

    `function` is a canonical name of `graphir.functions` or one of `graphir.backends.sql.bridges`.  The arguments come
    in the representations `arguments`, the result leaves in `result`.  `varies`: the result changes from call to call.
    """

    name: str
    function: str
    arguments: tuple[Rep, ...]
    result: Rep
    varies: bool = False


class Assumed(NamedTuple):
    """What a property is taken for, and the variable of which it is read."""

    taken: str
    variable: str | None


@dataclass
class Lowering:
    """The state of a lowering.  `parameters` are the values of the query's parameters."""

    catalog: Catalog
    parameters: Mapping[str, Any] = field(default_factory=dict)
    source: Source = field(default_factory=lambda: Source(""))
    needs: dict[str, set[str]] = field(default_factory=dict)
    """Variable -> keys of the properties that are read of it anywhere."""
    mentioned: Collection[str] | None = None
    """Variables that are spoken of beside the pattern that binds them; None where any may be."""
    bridges: dict[str, Bridge] = field(default_factory=dict)
    places: dict[str, list[Span | None]] = field(default_factory=dict)
    """Function of a bridge, or code of a fault of the target -> where it may come from."""
    sent: dict[str, tuple[Any, Rep]] = field(default_factory=dict)
    """Parameter of the SQL -> its value and how it is to lie."""
    searches: list[Search] = field(default_factory=list)
    abilities: Abilities = EMBEDDED
    typed: Mapping[str, Rep] = field(default_factory=dict)
    """Parameters whose values are not known yet, and how they will lie."""
    longest: int | None = None
    """How many times an unbounded repetition may go round before it is a fault."""
    zone: str | None = None
    """The time zone of moments without one, where it is not that of the reference functions."""
    queries: int = 0
    """How many queries stand in expressions so far: functions on lists cannot have one inside."""
    risks: int = 0
    """How many calls so far may fail at run time."""
    united: bool = False
    """Whether a source is the rows of several tables."""
    assumed: dict[tuple[str, str], Assumed] = field(default_factory=dict)
    """Table and property that is read -> what it is taken for, without the schema saying so."""
    query: ir.Query | None = None
    """What is lowered, for the places of what is refused."""
    parts: dict[str, EdgeTable] = field(default_factory=dict)
    """Elements of the definition of the graph -> the tables for them that are read."""
    reduced: dict[int, Rep] = field(default_factory=dict)
    """Of each reduce() that was lowered: how its accumulator lies, where that is not as it begins."""
    _made: int = 0
    _held: int = 0

    def hold(self) -> str:
        """A name for an operand while a rule makes something of it (`sharing.py`); it is in no statement."""
        self._held += 1
        return f"\0h{self._held}"

    def fresh(self, prefix: str) -> str:
        """A name that nothing else has."""
        self._made += 1
        return f"{prefix}{self._made}"

    def bridge(
        self,
        function: str,
        terms: list[Term],
        result: Rep,
        node: Node | None = None,
        *,
        varies: bool = False,
        safe: bool = False,
    ) -> Term:
        """A call of the reference function on the terms; `safe` where it cannot fail on them.

        A target that cannot call it gets the same in SQL, or the query is refused (G560).
        """
        if self.zone is not None and len(terms) == ZONED.get(function.removeprefix(SAFE)):
            terms = [*terms, Term(build.text(self.zone), STRING, self.zone, present=True)]
        if not self.abilities.bridges:
            from graphir.backends.sql.plain import plain  # it builds on this module

            made = plain(self, function, terms, result, node)
            self.risks += not safe
            return made
        arguments = tuple([term.rep for term in terms])
        known = "|".join(map(str, (function, *arguments, result)))
        name = "g_" + "".join([c if c.isalnum() else "_" for c in function]) + f"_{crc32(known.encode()):08x}"
        self.bridges[name] = Bridge(name, function, arguments, result, varies)
        self.places.setdefault(function, []).append(node.span if node is not None else None)
        self.risks += not safe
        return Term(build.call(name, *[term.sql for term in terms]), result)

    def is_kept(self, variable: str) -> bool:
        """Whether a variable of a pattern may be wanted behind it."""
        return not is_generated(variable) and (self.mentioned is None or variable in self.mentioned)

    def risk(self, node: Node, *codes: str) -> None:
        """Note that an operation of the target may fail, with these faults."""
        self.risks += 1
        for code in codes:
            self.places.setdefault(code, []).append(node.span)

    def parameter(self, name: str, node: Node) -> Term:
        """A parameter of the query, typed by its value."""
        if name in self.typed:
            rep = self.typed[name]
            self.sent.setdefault(name, (None, rep))
            return Term(self._sent(name, rep), rep)
        if name not in self.parameters:
            raise RunFault([diagnose(self.source, "G604", f"parameter ${name} has no value", node.span)])
        value = self.parameters[name]
        rep = rep_of(value)
        if rep == NULL:
            return Term(build.cast(build.null(), datatype(NULL)), NULL, None)
        if name not in self.sent:
            self.sent[name] = (value, rep)
        return Term(self._sent(name, rep), rep, value, present=True)

    def _sent(self, name: str, rep: Rep) -> build.Sql:
        at = list(self.sent).index(name)
        return build.cast(exp.Parameter(this=exp.Var(this=f"p{at}")), datatype(rep))

    def refuse(self, code: str, message: str, node: Node | None = None, hint: str | None = None) -> NoReturn:
        """Raise Unsupported at a place."""
        self.refuse_at(code, message, node.span if node is not None else None, hint)

    def refuse_at(self, code: str, message: str, span: Span | None, hint: str | None = None) -> NoReturn:
        """Raise Unsupported at a part of the source."""
        found = diagnose(self.source, code, message, span, hint=hint)
        raise Unsupported([found], feature=message, target="sql")


@frozen
class Scope:
    """The variables at one place."""

    lowering: Lowering
    names: Mapping[str, Term]

    def extended(self, names: Mapping[str, Term]) -> Scope:
        return Scope(self.lowering, {**self.names, **names})

    def at(self, ref: ir.Ref) -> Term:
        """The variable, whose SQL stands elsewhere already."""
        found = self.names.get(ref.name)
        if found is None:
            self.lowering.refuse("G602", f"variable `{ref.name}` is not known to the engine here", ref)
        return found

    def find(self, ref: ir.Ref) -> Term:
        """The variable, as a term of its own SQL."""
        found = self.at(ref)
        return Term(found.again(), found.rep, found.constant, found.properties, found.present, found.tables)
