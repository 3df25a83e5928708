"""Random pairs of a small graph and a Cypher query over it, for engines to agree on.

Graphs have what translations get wrong: parallel edges, self-loops, cycles, nodes with two labels, missing properties.
Queries stay within the fragment that GQL and SQL/PGQ can say, and mostly within the types of the properties; a few ask
for what must be refused.  A query whose order is total says so, and then its rows are a list, else a bag.
Knows nothing of graphir and of engines.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

NODE_PROPERTIES = {"i": "INT64", "x": "INT64", "s": "STRING", "f": "FLOAT64", "b": "BOOL", "d": "DATE"}
EDGE_PROPERTIES = {"k": "INT64", "w": "INT64", "t": "STRING"}
LABELS = (("A",), ("B",), ("A", "B"))
TYPES = ("R", "S")


@dataclass(frozen=True)
class Pair:
    """A query, whether its rows come in a certain order, and the features it has."""

    query: str
    ordered: bool
    features: tuple[str, ...]


def graph(seed: int) -> dict[str, Any]:
    """A graph as the other tests write it: nodes {id, labels, properties}, edges {type, start, end, properties}."""
    dice = random.Random(f"graph {seed}")
    nodes = []
    for i in range(dice.randint(2, 5)):
        properties: dict[str, Any] = {"i": i}
        if dice.random() < 0.75:
            properties["x"] = dice.randint(-1, 3)
        if dice.random() < 0.7:
            properties["s"] = dice.choice(("a", "b", "ab", "", "Ça"))
        if dice.random() < 0.6:
            properties["f"] = dice.choice((0.5, 1.5, -2.0, 3.0))
        if dice.random() < 0.6:
            properties["b"] = dice.random() < 0.5
        if dice.random() < 0.6:
            properties["d"] = {"$date": dice.choice(("2019-12-31", "2020-01-01", "2020-02-29"))}
        nodes.append({"id": i, "labels": list(dice.choice(LABELS)), "properties": properties})
    edges = []
    for k in range(dice.randint(3, 10)):
        properties = {"k": k}
        if dice.random() < 0.75:
            properties["w"] = dice.randint(0, 3)
        if dice.random() < 0.6:
            properties["t"] = dice.choice(("a", "b", "ab"))
        ends = [dice.randrange(len(nodes)) for _ in range(2)]
        edges.append({"type": dice.choice(TYPES), "start": ends[0], "end": ends[1], "properties": properties})
    return {"nodes": nodes, "edges": edges}


@dataclass
class Scope:
    """The variables of a query by what they are."""

    nodes: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    ints: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)

    def telling(self) -> list[str]:
        """Expressions that tell the rows of the scope apart, up to rows that are equal to any query."""
        lists = [f"size({v})" for v in self.groups] + [f"length({v})" for v in self.paths]
        return [f"{v}.i" for v in self.nodes] + [f"{v}.k" for v in self.edges] + lists + self.ints + self.strings


class Queries:
    """Makes one query."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(f"query {seed}")
        self.scope = Scope()
        self.made = 0
        self.hops = 0
        self.features: set[str] = set()
        self.given: set[str] = set()
        self.tested = False
        """Whether a WHERE is being written, where a bare pattern may stand."""
        self.bound: list[str] = []
        """Relationships of earlier clauses; each can be matched again once in a clause."""
        self.linked = False
        """Whether the next node has to be a known one, so that rows do not multiply."""
        self.optional = self.chance(0.3)
        self.subqueries = self.chance(0.3)
        self.lists = self.chance(0.15)
        self.negated: set[str] = set()
        """Nodes whose labels cannot be asked for again: a type of node that cannot exist is an error in SQL."""
        self.legacy = self.chance(0.6)
        """Variable length as `*1..2`, else as `{1,2}`: one query cannot have both."""

    def pick(self, *choices: str) -> str:
        return self.dice.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.dice.random() < probability

    def name(self, letter: str) -> str:
        """A fresh variable; some names are keywords, some differ in case only."""
        self.made += 1
        odd = {"n": ("Order", "n", "N", "from", "my node"), "r": ("r", "R", "select"), "c": ("C", "count", "group")}
        if self.chance(0.08) and letter in odd:
            word = self.dice.choice(odd[letter])
            used = [*self.scope.nodes, *self.scope.edges, *self.scope.ints, *self.scope.strings]
            if f"`{word}`" not in used and f"`{word}`" not in self.given:
                self.features.add("odd name")
                self.given.add(f"`{word}`")
                return f"`{word}`"
        return f"{letter}{self.made}"

    # -------------------------------------------------------------- patterns

    def labels(self) -> str:
        if self.chance(0.8):
            return ""
        shown = self.pick(":A", ":B", ":A", ":A|B", ":A&B", ":!A", ":%", ":A&!B", ":!(A&B)", ":(A|B)&!B")
        if len(shown) > 2:
            self.features.add("label expression")
        return shown

    def types(self) -> str:
        return self.pick("", "", "", ":R", ":S", ":R|S", ":!R", ":R")

    def constants(self, edge: bool) -> str:
        """A property map of constants."""
        self.features.add("property map")
        if edge:
            return self.pick("{w: 1}", "{t: 'a'}", "{w: 2, t: 'ab'}", "{w: 0}")
        return self.pick(
            "{x: 1}", "{s: 'a'}", "{x: 0, b: true}", "{i: 0}", "{s: 'ab', x: 1}", "{x: null}", "{b: false}"
        )

    def filler(self, variable: str, edge: bool) -> str:
        """A property map or a WHERE of a pattern element."""
        key, text = ("w", "t") if edge else ("x", "s")
        if self.chance(0.06):
            return " " + self.constants(edge)
        if not variable or not self.chance(0.12):
            return ""
        others = [name for name in self.scope.nodes if name != variable]
        if others and self.chance(0.5):
            other = self.dice.choice(others)
            self.features.add("element refers to another")
            if self.chance(0.5):
                return f" {{{key}: {other}.x}}"
            return f" WHERE {variable}.{key} {self.pick('>', '=', '<>')} {other}.x"
        self.features.add("inline WHERE")
        return f" WHERE {variable}.{key} > 0" + self.pick(
            "", f" OR {variable}.{text} = 'a'", f" AND {variable}.{text} < 'b'"
        )

    def node(self) -> str:
        known = self.scope.nodes
        if known and (self.linked or self.chance(0.3)):
            self.linked = False
            self.features.add("repeated variable")
            variable = self.dice.choice(known)
            more = self.pick(":A", ":B", ":A|B") if self.chance(0.15) and variable not in self.negated else ""
            return f"({variable}{more})"
        variable = "" if self.chance(0.2) else self.name("n")
        labels = self.labels()
        inner = variable + labels + self.filler(variable, False)
        if "!" in labels:
            self.negated.add(variable)
        if variable:
            self.scope.nodes.append(variable)
        return f"({inner.strip()})"

    def edge(self) -> str:
        left, right = self.dice.choice((("-", "->"), ("-", "->"), ("<-", "-"), ("-", "-")))
        if left == right:
            self.features.add("undirected")
        self.hops += 1
        if self.hops < 3 and self.chance(0.2):
            return self.repeated(left, right)
        if self.bound and self.chance(0.1):
            self.features.add("relationship matched again")
            return f"{left}[{self.bound.pop()}]{right}"
        variable = "" if self.chance(0.5) else self.name("r")
        inner = variable + self.types() + self.filler(variable, True)
        if variable:
            self.scope.edges.append(variable)
        return f"{left}[{inner.strip()}]{right}" if inner or self.chance(0.5) else f"{left}{right}"

    def repeated(self, left: str, right: str) -> str:
        """A variable-length relationship."""
        self.features.add("variable length" if left != right else "variable length, undirected")
        self.hops += 1
        variable = self.name("g") if self.chance(0.5) else ""
        low, high = self.dice.choice(((1, 2), (2, 2), (1, 3), (2, 3), (1, 1)))
        if self.legacy:
            inner = variable + self.pick("", ":R", ":S", ":R|S")
            others = self.scope.nodes
            ends = self.pick("", "", " {w: 1}", f" {{w: {self.dice.choice(others)}.x}}" if others else "")
            if ends:
                self.features.add("variable length with properties")
            text = (
                f"{left}[{inner}*{low}..{high}{ends}]{right}" if low != high else f"{left}[{inner}*{low}{ends}]{right}"
            )
        else:
            inner = variable + self.types()
            where = f" WHERE {variable}.w < 3" if variable and self.chance(0.3) else ""
            text = f"{left}[{inner}{where}]{right}{{{low},{high}}}"
        if variable:
            self.scope.groups.append(variable)
        return text

    def path(self) -> str:
        text = self.node()
        for _ in range(self.dice.choice((0, 1, 1, 1, 2, 2, 3) if self.hops < 2 else (0, 1, 1))):
            if self.hops > 2:
                break
            text += self.edge() + self.node()
        if self.chance(0.1):
            variable = self.name("p")
            self.scope.paths.append(variable)
            self.features.add("path variable")
            return f"{variable} = {text}"
        return text

    def match(self) -> str:
        before = set(self.scope.nodes)
        self.bound = list(self.scope.edges)
        self.linked = bool(before) and self.chance(0.8)
        paths = [self.path() for _ in range(self.dice.choice((1, 1, 1, 2, 2, 3) if self.hops < 2 else (1, 1, 1, 2)))]
        if len(paths) > 1:
            self.features.add("several paths")
        if before:
            self.features.add("several MATCH")
        optional = "OPTIONAL " if self.chance(0.5 if before else 0.03) and self.optional else ""
        if optional:
            self.features.add("OPTIONAL MATCH")
        groups, walks = self.scope.groups, self.scope.paths
        if optional:  # a length in the WHERE of OPTIONAL MATCH makes Google's evaluator stumble
            self.scope.groups, self.scope.paths = [], []
        self.tested = True
        where = f" WHERE {self.condition(top=True)}" if self.chance(0.32) else ""
        self.tested = False
        self.scope.groups, self.scope.paths = groups, walks
        return f"{optional}MATCH {', '.join(paths)}{where}"

    # -------------------------------------------------------------- expressions

    def integer(self, depth: int = 0) -> str:
        scope = self.scope
        simple = [f"{v}.{k}" for v in scope.nodes for k in "xi"] + [f"{v}.w" for v in scope.edges] + scope.ints * 2
        simple += [f"size({v})" for v in scope.groups] + [f"length({v})" for v in scope.paths] + ["1", "2"]
        value = self.dice.choice(simple)
        if depth > 1 or self.chance(0.6):
            return value
        if self.subqueries and scope.nodes and self.chance(0.2):
            self.features.add("COUNT subquery")
            return f"COUNT {{ ({self.dice.choice(scope.nodes)}){self.pick('-->', '-[:R]-', '--(:A)--')}() }}"
        self.features.add("arithmetic")
        other = self.integer(depth + 1)
        sure = [part if self.is_sure(part) else "1" for part in (value, other)]
        shapes = (
            f"{value} + 1",
            f"2 * {value}",
            f"({value} - {other})",
            f"-{value}",
            f"{value} % 2",
            f"{value} + {other} + 1",
        )
        more = (
            f"coalesce({sure[0]}, 0)",
            f"CASE WHEN {self.condition(depth + 1)} THEN 1 ELSE {value} END",
            f"abs({value})",
        )
        rest = (
            f"{value} * {other}",
            f"coalesce({sure[0]}, {sure[1]}, 7)",
            f"nullIf({value}, {other})",
            f"(1 - {value}) / 2.0",
        )
        return self.dice.choice((*shapes, *more, *rest[:3]))

    def is_sure(self, value: str) -> bool:
        """Not a property of a relationship that may be absent: when it is sorted, Neo4j 2026.08 takes
        `coalesce(r.w, 7)` for null."""
        return not (self.optional and value.split(".", maxsplit=1)[0] in self.scope.edges)

    def string(self, depth: int = 0) -> str:
        scope = self.scope
        value = self.dice.choice(
            [f"{v}.s" for v in scope.nodes] + [f"{v}.t" for v in scope.edges] + scope.strings + ["'b'"]
        )
        if depth > 1 or self.chance(0.65):
            return value
        self.features.add("string function")
        shapes = [
            f"{value} + 'z'",
            f"'<' + {value} + '>'",
            f"toUpper({value})",
            f"toLower({value})",
            f"coalesce({value if self.is_sure(value) else chr(39) * 2}, 'no')",
        ]
        shapes += [f"substring({value}, 1)", f"left({value}, 1)", f"replace({value}, 'a', 'xy')", f"reverse({value})"]
        shapes += [f"CASE {value} WHEN 'a' THEN 'one' WHEN 'b', 'ab' THEN 'two' ELSE {self.string(depth + 1)} END"]
        shapes += [f"type({v})" for v in scope.edges]
        return self.dice.choice(shapes)

    def number(self) -> str:
        if not self.scope.nodes:
            return "0.5"
        self.features.add("float")
        value = f"{self.dice.choice(self.scope.nodes)}.f"
        return self.pick(
            value, f"{value} * 2", f"{value} + 0.25", f"{value} / 2.0", f"{self.integer(2)} / 4.0", f"floor({value})"
        )

    def comparison(self) -> str:
        sign = self.pick("=", "<>", "<>", "<", "<=", ">", ">=", ">=")
        kind = self.dice.random()
        if kind < 0.55:
            return f"{self.integer(1)} {sign} {self.integer(1)}"
        if kind < 0.85:
            return f"{self.string(1)} {sign} {self.string(1)}"
        return f"{self.number()} {sign} {self.pick(self.integer(2), self.number())}"

    def condition(self, depth: int = 0, top: bool = False) -> str:
        scope = self.scope
        roll = self.dice.random()
        if depth < 2 and roll < 0.3:
            word = self.pick("AND", "OR", "XOR", "AND")
            self.features.add(word)
            return f"({self.condition(depth + 1)} {word} {self.condition(depth + 1)})"
        if depth < 2 and roll < 0.4:
            self.features.add("NOT")
            return f"NOT ({self.condition(depth + 1)})"
        if roll < 0.7 or not scope.nodes:
            return self.comparison()
        if self.subqueries and self.chance(0.4):
            return self.subquery()
        node, other = self.dice.choice(scope.nodes), self.dice.choice(scope.nodes)
        shapes = [
            f"{node}.s IS NULL",
            f"{node}.x IS NOT NULL",
            f"{node}.x IN [1, 2, {self.pick('3', 'null', self.integer(2))}]",
            f"NOT {node}.s IN ['a', 'b']",
            f"{node}.s STARTS WITH 'a'",
            f"{node}.s ENDS WITH {self.string(2)}",
            f"{node}.s CONTAINS {self.pick(self.string(2), chr(39) * 2)}",
            f"{node}:A",
            f"NOT {node}:A&B",
            f"{node} = {other}",
            f"{node} <> {other}",
            f"id({node}) = id({other})",
            f"{node}.b",
            f"{node}.b = {other}.b",
            f"{node}.x = null",
            f"1 < {node}.x <= 3",
            f"'A' IN labels({node})",
            f"coalesce({node}.b, false)",
            f"{node}.x IN []",
            f"{node}.s =~ '{self.pick('a.*', '(?i)A|B', '[^a]+', '.b?')}'",
            f"{node}.d {self.pick('<', '=', '>=', '<>')} date('2020-01-01')",
            f"{node}.d > {other}.d",
            "true",
        ]
        if scope.edges:
            edge = self.dice.choice(scope.edges)
            shapes += [
                f"type({edge}) = 'R'",
                f"{edge}.w > {node}.x",
                f"{edge} <> {self.dice.choice(scope.edges)}",
                f"{edge}:R",
            ]
        if top and scope.groups:
            group = self.dice.choice(scope.groups)
            shapes += [
                f"{how}(e IN {group} WHERE {self.pick('e.w > 0', 'e.w > 0', 'e.t IS NULL')})"
                for how in ("any", "all", "none")
            ]
            self.features.add("condition on a group")
        return self.dice.choice(shapes)

    def subquery(self) -> str:
        """A subquery or a pattern as a condition."""
        self.features.add("subquery")
        node, other = self.dice.choice(self.scope.nodes), self.dice.choice(self.scope.nodes)
        edge = self.pick(
            "-->", "<-[:R]-", "-[:S]-", "-[e]->()-[f:R]-", "-[:R*1..2]->" if self.legacy else "-[:R]->{1,2}"
        )
        value = self.integer(2)
        shapes = [
            f"EXISTS {{ ({node}){edge}() }}",
            f"NOT EXISTS {{ MATCH ({node}){edge}(q) WHERE q.x > {value} }}",
            f"EXISTS {{ ({node}){edge}({other}) WHERE {self.comparison()} }}",
            f"COUNT {{ ({node}){edge}() }} {self.pick('>', '=', '<')} {self.pick('0', '1', '2')}",
            f"EXISTS {{ MATCH ({node}){edge}(q) MATCH (q)--(p) WHERE p.i <> {value} RETURN p }}",
            f"EXISTS {{ ({node}){edge}(q:A) WHERE NOT EXISTS {{ (q)-[:R]->({node}) }} }}",
        ]
        if self.tested and "{1,2}" not in edge and "e]" not in edge:
            shapes.append(f"({node}){edge}({self.pick('', other, ':A')})")
        return self.dice.choice(shapes)

    # -------------------------------------------------------------- projections

    def aggregate(self, numeric: bool = False) -> str:
        self.features.add("aggregate")
        scope = self.scope
        shapes = [
            "count(*)",
            f"count({self.integer(1)})",
            f"count(DISTINCT {self.integer(1)})",
            f"sum({self.integer(1)})",
        ]
        shapes += [f"avg({self.integer(1)})", f"min({self.integer(1)})", f"max({self.integer(1)})"]
        others = [f"min({self.string(1)})"]
        shapes += others
        shapes += [
            f"sum(DISTINCT {self.integer(1)})",
            f"count(DISTINCT {self.string(1)})",
            f"max({self.number()})",
            f"sum({self.number()})",
        ]
        for variable in scope.nodes + scope.edges:
            shapes += [f"count({variable})", f"count(DISTINCT {variable})"]
        shapes += [f"count({variable})" for variable in scope.groups]
        if self.lists:
            self.features.add("collect")
            others += [f"collect({self.integer(1)})", f"collect(DISTINCT {self.string(1)})"]
            shapes += [*others[1:], f"size(collect({self.string(1)}))"]
        chosen = self.dice.choice(shapes)
        return "count(*)" if numeric and chosen in others else chosen

    def date(self) -> str:
        if not self.scope.nodes:
            return "date('2020-01-01')"
        self.features.add("date")
        return f"{self.dice.choice(self.scope.nodes)}.d"

    def value(self) -> str:
        often = (self.integer, self.integer, self.integer, self.string, self.string)
        return self.dice.choice((*often, self.number, self.condition, self.date))()

    def unwind(self) -> str:
        self.features.add("UNWIND")
        column = self.name("u")
        if self.chance(0.3):
            text = f"UNWIND ['a', 'b', {self.pick('null', self.string(2))}] AS {column}"
            self.scope.strings.append(column)
        else:
            source = self.pick("[1, 2]", f"[1, {self.integer(2)}, null]", "range(1, 3)", "[2, 2]", "[]")
            text = f"UNWIND {source} AS {column}"
            self.scope.ints.append(column)
        return text

    def carry(self) -> str:
        """A WITH: some variables, columns and aggregates; then perhaps a condition, or an order with a page."""
        old = self.scope
        nodes = self.dice.sample(old.nodes, min(len(old.nodes), self.dice.choice((0, 1, 1, 2))))
        edges = self.dice.sample(old.edges, min(len(old.edges), self.dice.choice((0, 0, 1))))
        items: list[str] = []
        new = Scope()
        for variable in nodes:
            renamed = self.name("n") if self.chance(0.15) else variable
            items.append(variable if renamed == variable else f"{variable} AS {renamed}")
            new.nodes.append(renamed)
        for variable in edges:
            items.append(variable)
            new.edges.append(variable)
        distinct = False
        for _ in range(self.dice.choice((0, 1, 1))):
            column = self.name("v")
            items.append(f"{self.string()} AS {column}")
            new.strings.append(column)
        for _ in range(self.dice.choice((0, 1, 1, 2))):
            column = self.name("c")
            grouped = self.chance(0.5)
            counted = [f"count({self.pick('*', *old.nodes)})", f"sum({self.integer(1)})", f"max({self.integer(1)})"]
            items.append(f"{self.dice.choice(counted) if grouped else self.integer()} AS {column}")
            new.ints.append(column)
            self.features.add("WITH aggregate" if grouped else "WITH column")
        if not items:
            return self.carry()
        if self.chance(0.2):
            distinct = True
            self.features.add("WITH DISTINCT")
        if self.chance(0.25) and not distinct and old.groups and not any("count(" in i or "sum(" in i for i in items):
            items.append(old.groups[0])
            new.groups.append(old.groups[0])
            self.features.add("WITH group")
        self.dice.shuffle(items)
        self.scope = new
        text = f"WITH {'DISTINCT ' if distinct else ''}{', '.join(items)}"
        if self.chance(0.2) and new.telling():
            keys = [key + self.pick("", " DESC") for key in new.telling()]
            self.dice.shuffle(keys)
            self.features.add("WITH ORDER BY LIMIT")
            text += f" ORDER BY {', '.join(keys)}{self.pick('', ' SKIP 1')} LIMIT {self.dice.randint(1, 4)}"
        if self.chance(0.2):
            self.features.add("WITH WHERE")
            self.tested = True
            text += f" WHERE {self.condition()}"
            self.tested = False
        return text

    def result(self) -> tuple[str, bool]:
        """The RETURN and whether its order is total."""
        items = []
        aggregated = self.chance(0.35)
        distinct = not aggregated and self.chance(0.2)
        for at in range(self.dice.choice((1, 2, 2, 3))):
            alias = self.pick(f"c{at}", f"c{at}", f"Col{at}", f"`a b{at}`", "`select`" if not at else f"x{at}")
            alias = self.scope.nodes[0] if self.scope.nodes and at == 0 and self.chance(0.05) else alias
            expression = self.aggregate() if aggregated and (at or self.chance(0.4)) else self.value()
            items.append((expression, alias))
        if aggregated and self.chance(0.15):
            items.append((f"1 + {self.aggregate(numeric=True)}", "more"))
        text = f"RETURN {'DISTINCT ' if distinct else ''}" + ", ".join(f"{e} AS {alias}" for e, alias in items)
        if distinct:
            self.features.add("DISTINCT")
        if any("avg(" in expression for expression, _ in items):
            return text, False  # equal averages may differ in their last bit
        columns = [alias for _, alias in items]
        roll = self.dice.random()
        if roll < 0.35:
            keys = columns
            self.features.add("ORDER BY")
        elif (
            roll < 0.5
            and not distinct
            and not any(c in e for e, _ in items for c in ("count(", "sum(", "avg(", "min(", "max(", "collect("))
        ):
            keys = [key for key in self.scope.telling() if key.split(".")[0] not in columns]
            if len(keys) < len(self.scope.telling()) or not keys:
                return text, False
            self.features.add("ORDER BY hidden")
        else:
            return text, False
        keys = [key + self.pick("", "", " DESC") for key in keys]
        self.dice.shuffle(keys)
        text += f" ORDER BY {', '.join(keys)}"
        if self.chance(0.2):
            text += f" SKIP {self.pick('0', '1', '1', '2')}"
            self.features.add("SKIP")
        if self.chance(0.5):
            text += f" LIMIT {self.dice.choice((0, 1, 2, 3, 3, 4, 5, 10))}"
            self.features.add("LIMIT")
        return text, True

    def union(self) -> Pair:
        """Two queries with the same columns."""
        self.features.add("UNION")
        branches = []
        for _ in range(2):
            self.scope, self.hops = Scope(), 1
            matched = self.match()
            returned = f"RETURN {self.pick('', 'DISTINCT ')}{self.integer()} AS a, {self.string()} AS b"
            branches.append(
                matched + "\n" + returned + self.pick("", "", " ORDER BY a, b LIMIT 2", " ORDER BY b DESC, a")
            )
        return Pair(self.pick("\nUNION\n", "\nUNION ALL\n").join(branches), False, tuple(sorted(self.features)))

    def pair(self) -> Pair:
        if self.chance(0.04):
            return self.union()
        clauses = [self.match()]
        for _ in range(self.dice.choice((0, 0, 0, 1, 1, 2))):
            if self.chance(0.5):
                self.hops = 1
                clauses.append(self.unwind() if self.chance(0.15) else self.match())
            else:
                clauses.append(self.carry())
        returned, ordered = self.result()
        return Pair("\n".join([*clauses, returned]), ordered, tuple(sorted(self.features)))


def pair(seed: int) -> Pair:
    """The query of that number."""
    return Queries(seed).pair()
