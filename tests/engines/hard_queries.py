"""Random Cypher reads that are hard to get right, for two engines to agree on: typed, and aware of what is in scope.

Graphs have parallel edges, self-loops, several labels, missing properties, properties of mixed type, NaN and infinity,
empty strings, lists and temporal values; they are scripts of Cypher, as JSON cannot say all of that.  Where the order
of the rows is total they are a list, else a bag; lists that come in no certain order (collect, keys, labels) are only
used where their order does not matter.  Knows nothing of graphir and of engines.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.engines.hard_graphs import (
    DATES,
    DURATIONS,
    FLOATS,
    LABEL_TESTS,
    LISTS,
    MIXED,
    NAMES,
    PARAMETERS,
    PLAIN_FLOATS,
    SCALARS,
    STRINGS,
    TIMES,
    TYPE_TESTS,
)


@dataclass(frozen=True)
class Query:
    """A text, and whether its rows come in a certain order."""

    text: str
    ordered: bool


class Writer:
    """Writes one query; `scope` has the type of each variable."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(f"hard query {seed}")
        self.scope: dict[str, str] = {}
        self.names = 0

    # -------------------------------------------------------------- small things

    def name(self, prefix: str = "v") -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def pick(self, *choices: Any) -> Any:
        return self.dice.choice(choices)

    def of(self, *types: str) -> list[str]:
        return [name for name, type_ in self.scope.items() if type_ in types]

    def certain_names(self) -> list[str]:
        """The variables whose values are the same on any engine."""
        return [name for name, type_ in self.scope.items() if type_ not in ("none", "length")]

    def within(self, added: dict[str, str], write: Callable[[], str]) -> str:
        """What is written with further variables in scope."""
        kept = dict(self.scope)
        self.scope.update(added)
        text = write()
        self.scope = kept
        return text

    # -------------------------------------------------------------- expressions

    def expression(self, type_: str, depth: int = 2) -> str:
        variables = self.of(type_)
        if variables and self.chance(0.35):
            return str(self.dice.choice(variables))
        if self.chance(0.03) and type_ in PARAMETERS:
            return f"${type_}"
        if self.chance(0.02):
            return "null"
        if depth <= 0 or self.chance(0.2):
            return self.leaf(type_)
        if self.chance(0.08):
            return self.conditional(type_, depth - 1)
        return str(getattr(self, f"write_{type_}")(depth - 1))

    def leaf(self, type_: str) -> str:
        if type_ in ("nodes", "edges"):
            return self.leaf_elements(type_)
        owner = self.of("node")
        edges = self.of("edge")
        if type_ in ("node", "edge"):
            return self.leaf_element(type_)
        if owner and self.chance(0.15):
            owner = [self.expression("node", 1)]
        if edges and self.chance(0.15):
            edges = [self.expression("edge", 1)]
        properties = {
            "int": "x",
            "float": "f",
            "str": "s",
            "bool": "b",
            "any": "m",
            "date": "d",
            "dt": "t",
            "ints": "l",
        }
        properties["dur"] = "u"
        if owner and type_ in properties and self.chance(0.7):
            return f"{self.dice.choice(owner)}.{properties[type_]}"
        if edges and type_ in ("int", "any", "str") and self.chance(0.7):
            return f"{self.dice.choice(edges)}.{ {'int': 'w', 'any': 'm', 'str': 's'}[type_] }"
        literals: dict[str, tuple[str, ...]] = {
            "int": ("0", "1", "2", "-3", "10"),
            "float": FLOATS if self.chance(0.1) else PLAIN_FLOATS,
            "str": STRINGS,
            "bool": ("true", "false", "null"),
            "any": MIXED,
            "date": DATES,
            "dt": TIMES,
            "dur": DURATIONS,
            "ints": LISTS,
            "strs": ("['a', 'b']", "[]", "['', null, 'ab']"),
            "map": ("{}", "{a: 1}", "{a: null, b: 'x'}", "$map", "{a: {b: [1, 2]}}"),
        }
        text = self.dice.choice(literals[type_])
        return f"({text})" if "/" in text or text.startswith("-") else text

    def conditional(self, type_: str, depth: int) -> str:
        def value() -> str:
            return self.expression(type_, depth)

        other = f" ELSE {value()}" if self.chance(0.6) else ""
        match self.dice.randrange(4):
            case 0:
                return f"CASE WHEN {self.expression('bool', depth)} THEN {value()}{other} END"
            case 1:
                kind = self.pick("int", "str", "any", "float")
                whens = "".join(
                    f" WHEN {self.expression(kind, 0)} THEN {value()}" for _ in range(self.dice.randint(1, 2))
                )
                return f"CASE {self.expression(kind, depth)}{whens}{other} END"
            case 2:
                return f"coalesce({value()}, {self.leaf(type_)})"
            case _:
                return f"([{value()}, {value()}][{self.pick('0', '1', '-1', '2')}])"

    def certain(self, type_: str, depth: int) -> str:
        """A value that is not null, for functions that Neo4j refuses to call on null at run time."""
        literal = {"date": DATES, "dt": TIMES, "int": ("1", "7")}[type_]
        return f"coalesce({self.expression(type_, depth)}, {self.dice.choice(literal)})"

    def write_int(self, depth: int) -> str:
        e = self.expression
        options = [
            lambda: f"({e('int', depth)} {self.pick('+', '-', '*')} {e('int', depth)})",
            lambda: f"({e('int', depth)} {self.pick('/', '%')} {self.pick('2', '3', '-2')})",
            lambda: f"size({e(self.pick('ints', 'str', 'strs'), depth)})",
            lambda: f"{self.pick('abs', 'sign')}({e('int', depth)})",
            lambda: f"toInteger({e(self.pick('str', 'float'), 0)})" if self.chance(0.3) else self.leaf("int"),
            lambda: f"reduce(acc = 0, z IN {e('nodes', depth)} | acc + coalesce(z.x, 1))",
            lambda: f"reduce(acc = 0, z IN {e('ints', depth)} | acc + {self.pick('z', 'coalesce(z, 1)', '1')})",
            lambda: f"{self.pick('head', 'last')}({e('ints', depth)})",
            lambda: f"{e('ints', depth)}[{self.pick('0', '1', '-1', '5')}]",
            lambda: f"{e('date', depth)}.{self.pick('year', 'month', 'day', 'week', 'dayOfWeek', 'ordinalDay')}",
            lambda: f"{e('dur', depth)}.{self.pick('months', 'days', 'seconds', 'hours')}",
            lambda: self.subquery("COUNT"),
            lambda: f"size({self.pattern_comprehension()})" if self.of("node") else self.leaf("int"),
            lambda: "{a: " + e("int", depth) + "}.a",
            lambda: f"size({self.bag()})",
        ]
        if paths := self.of("path", "length"):
            options += [lambda: f"length({self.dice.choice(paths)})"] * 3
        if lists := self.of("nodes", "edges"):
            options += [lambda: f"size({self.dice.choice(lists)})"] * 3
        return str(self.dice.choice(options)())

    def write_float(self, depth: int) -> str:
        e = self.expression
        return str(
            self.pick(
                lambda: f"({e('float', depth)} {self.pick('+', '-', '*', '/')} {e(self.pick('int', 'float'), depth)})",
                lambda: f"{self.pick('round', 'floor', 'ceil', 'abs', '-')}({e('float', depth)})",
                lambda: f"round({e('float', depth)}, {self.pick('0', '1', '2')})",
                lambda: f"sqrt(abs({e('int', depth)}))",
                lambda: f"toFloat({e(self.pick('str', 'int'), 0)})",
                lambda: f"(abs({e('int', depth)}) ^ {self.pick('2', '0.5', '-1')})",
                lambda: f"reduce(acc = 0.0, z IN {e('ints', depth)} | acc + z)",
                lambda: f"({e('float', depth)} % 2)",
            )()
        )

    def write_str(self, depth: int) -> str:
        e = self.expression
        options = [
            lambda: f"({e('str', depth)} + {e('str', depth)})",
            lambda: f"({e('str', depth)} + {e(self.pick('int', 'float', 'bool'), 0)})" if self.chance(0.3) else "'q'",
            lambda: f"toString({e(self.pick('int', 'float', 'bool', 'date', 'dt', 'dur'), depth)})",
            lambda: f"{self.pick('toUpper', 'toLower', 'trim', 'reverse', 'ltrim', 'rtrim')}({e('str', depth)})",
            lambda: f"substring({e('str', depth)}, {self.pick('0', '1', '3')}{self.pick('', ', 1', ', 0')})",
            lambda: f"{self.pick('left', 'right')}({e('str', depth)}, {self.pick('0', '1', '5')})",
            lambda: f"replace({e('str', depth)}, {self.pick(*STRINGS[1:])}, {self.pick(*STRINGS)})",
            lambda: f"{e('strs', depth)}[{self.pick('0', '1', '-1')}]",
            lambda: f"toStringOrNull({e(self.pick('any', 'ints', 'int'), depth)})",
            lambda: (
                f"valueType({e(self.pick('any', 'int', 'ints', 'date', 'map'), depth)})" if self.chance(0.2) else "'q'"
            ),
            lambda: f"reduce(acc = '', z IN {e('strs', depth)} | acc + z)",
        ]
        if edges := self.of("edge"):
            options += [lambda: f"type({self.dice.choice(edges)})"] * 2
        return str(self.dice.choice(options)())

    def write_bool(self, depth: int) -> str:
        e = self.expression

        def compare() -> str:
            return str(self.pick("=", "<>", "<", "<=", ">", ">="))

        def compared() -> str:
            type_ = self.pick("int", "float", "str", "date", "dt", "ints", "any", "bool")
            other = "float" if type_ == "int" and self.chance(0.3) else type_
            return f"{e(type_, depth)} {compare()} {e(other, depth)}"

        def quantified() -> str:
            type_ = self.pick("ints", "strs", "nodes", "edges")
            kind = self.pick("any", "all", "none", "single")
            item = {"ints": "int", "strs": "str", "nodes": "node", "edges": "edge"}[type_]
            z = self.name("z")
            source = self.expression(type_, depth)
            return f"{kind}({z} IN {source} WHERE {self.within({z: item}, lambda: e('bool', depth))})"

        options: list[Callable[[], str]] = [
            lambda: f"({compared()})",
            lambda: f"({compared()})",
            lambda: f"({e('bool', depth)} {self.pick('AND', 'OR', 'XOR')} {e('bool', depth)})",
            lambda: f"NOT ({e('bool', depth)})",
            lambda: f"({e(self.pick('int', 'any', 'str'), depth)} IN {self.anylist(depth)})",
            lambda: f"({e('str', depth)} {self.pick('STARTS WITH', 'ENDS WITH', 'CONTAINS')} {e('str', depth)})",
            lambda: f"({e('str', depth)} =~ {self.pick(repr('a.*'), repr('[ab]+'), repr('(?i)A.?'))})",
            lambda: f"({e(self.pick(*SCALARS), depth)} IS {self.pick('', 'NOT ')}NULL)",
            quantified,
            quantified,
            lambda: f"isEmpty({e(self.pick('str', 'ints', 'map'), depth)})",
            lambda: self.subquery("EXISTS"),
            lambda: f"({e('int', depth)} {compare()} {e('int', depth)} {compare()} {e('int', depth)})",
            lambda: f"({self.bag()} = [])",
            lambda: f"({e('map', depth)} = {e('map', depth)})",
            lambda: f"({e('node', depth)} IN {e('nodes', depth)})",
            lambda: f"({e('node', depth)} {self.pick('=', '<>')} {e('node', depth)})",
            lambda: f"({e('nodes', depth)} {self.pick('=', '<>')} {e('nodes', depth)})",
            lambda: f"({e('node', depth)} IS {self.pick('', 'NOT ')}NULL)",
        ]
        if nodes := self.of("node"):
            options += [
                lambda: f"({self.dice.choice(nodes)}{self.pick(*LABEL_TESTS[:11])})",
                lambda: f"({self.dice.choice(nodes)} {self.pick('=', '<>')} {self.dice.choice(nodes)})",
                lambda: f"EXISTS {{ ({self.dice.choice(nodes)}){self.step(False)}({self.pick(*LABEL_TESTS)}) }}",
            ]
        if edges := self.of("edge"):
            options.append(lambda: f"(startNode({self.dice.choice(edges)}).x = {e('int', 0)})")
        return str(self.dice.choice(options)())

    def write_any(self, depth: int) -> str:
        e = self.expression
        return str(
            self.pick(
                lambda: e(self.pick("int", "float", "str", "bool", "date", "ints", "map", "strs"), depth),
                lambda: f"{self.leaf('any')}",
                lambda: (
                    f"[{', '.join(e(self.pick('int', 'str', 'any', 'bool'), 0) for _ in range(2))}][{self.pick(0, 1)}]"
                ),
                lambda: f"{e('map', depth)}[{self.pick(repr('a'), repr('b'), *NAMES)}]",
                lambda: f"{e('map', depth)}.{self.pick('a', 'b', 'zz')}",
                lambda: f"{self.dice.choice(self.of('node'))}[{self.pick(*NAMES)}]" if self.of("node") else "null",
            )()
        )

    def write_date(self, depth: int) -> str:
        e = self.expression
        return str(
            self.pick(
                lambda: f"({e('date', depth)} {self.pick('+', '-')} {e('dur', depth)})",
                lambda: (
                    f"date.truncate('{self.pick('month', 'year', 'week', 'quarter')}', {self.certain('date', depth)})"
                ),
                lambda: f"date({e('dt', depth)})",
                lambda: f"date({{year: 2020, month: {self.pick(1, 2, 12)}, day: {self.pick(1, 29)}}})",
                lambda: f"date(toString({e('date', depth)}))",
            )()
        )

    def write_dt(self, depth: int) -> str:
        e = self.expression
        return str(
            self.pick(
                lambda: f"({e('dt', depth)} {self.pick('+', '-')} {e('dur', depth)})",
                lambda: f"datetime.truncate('{self.pick('day', 'hour', 'month')}', {self.certain('dt', depth)})",
                lambda: f"datetime({{epochSeconds: {self.certain('int', 0)}}})",
                lambda: f"datetime({{date: {self.certain('date', depth)}, hour: 3, timezone: '+01:00'}})",
            )()
        )

    def write_dur(self, depth: int) -> str:
        e = self.expression
        return str(
            self.pick(
                lambda: f"({e('dur', depth)} {self.pick('+', '-')} {e('dur', depth)})",
                lambda: f"({self.leaf('dur')} * {self.pick('2', '0.5', '-1')})",
                lambda: (
                    f"duration.{self.pick('between', 'inDays', 'inMonths')}({e('date', depth)}, {e('date', depth)})"
                ),
                lambda: f"duration.{self.pick('between', 'inSeconds')}({e('dt', depth)}, {e('dt', depth)})",
                lambda: f"duration({{days: {e('int', 0)}, hours: 5}})",
            )()
        )

    def write_ints(self, depth: int) -> str:
        e = self.expression

        def comprehension() -> str:
            z = self.name("z")
            kind, item = self.pick(("ints", "int"), ("nodes", "node"), ("edges", "edge"))
            source = e(kind, depth)
            where = self.within({z: item}, lambda: e("bool", depth)) if self.chance(0.6) else ""
            value = self.within({z: item}, lambda: e("int", depth))
            return f"[{z} IN {source}{f' WHERE {where}' if where else ''} | {value}]"

        return str(
            self.pick(
                comprehension,
                comprehension,
                lambda: f"[{e('int', depth)}, {e('int', depth)}]",
                lambda: f"({e('ints', depth)} + {self.pick(e('ints', depth), '7')})",
                lambda: f"{self.pick('tail', 'reverse')}({e('ints', depth)})",
                lambda: str(
                    self.pick("range(0, 2)", "range(0, 3, 2)", "range(3, 0, -1)", "range(3, 0)", "range(-1, 1)")
                ),
                lambda: f"{e('ints', depth)}[{self.pick('0', '1', '-2', '')}..{self.pick('2', '-1', '9')}]",
                lambda: f"[z IN {e('ints', depth)} WHERE z {self.pick('>', '<>')} {e('int', 0)}]",
                lambda: f"[z IN [{e('map', depth)}, {e('map', depth)}, null] | size(keys(z))]",
                lambda: f"[z IN $rows | toIntegerOrNull(z.{self.pick('a', 'b', 'l')})]",
                lambda: f"[z IN {e('nodes', depth)} | z.x]",
                lambda: f"toIntegerList({e(self.pick('strs', 'ints'), depth)})",
            )()
        )

    def write_strs(self, depth: int) -> str:
        e = self.expression
        return str(
            self.pick(
                lambda: f"split({e('str', depth)}, {self.pick(repr(','), repr(' '), repr('a'), repr(''))})",
                lambda: f"[{e('str', depth)}, {e('str', depth)}]",
                lambda: f"[z IN {e('ints', depth)} | toString(z)]",
                lambda: f"toStringList({e(self.pick('ints', 'strs'), depth)})",
                lambda: f"[z IN {e('edges', depth)} | type(z)]",
            )()
        )

    def leaf_element(self, kind: str) -> str:
        found = self.of(kind)
        return self.dice.choice(found) if found else "null"

    def write_node(self, depth: int) -> str:
        options = [lambda: self.leaf_element("node")]
        if self.of("node"):
            options += [
                lambda: f"coalesce({self.leaf_element('node')}, {self.leaf_element('node')})",
                lambda: f"[{self.leaf_element('node')}, {self.leaf_element('node')}][{self.pick(0, 1, 2)}]",
                lambda: f"{{a: {self.leaf_element('node')}}}.a",
                lambda: f"CASE WHEN {self.expression('bool', depth)} THEN {self.leaf_element('node')} END",
            ]
        if self.of("edge"):
            options.append(lambda: f"{self.pick('startNode', 'endNode')}({self.leaf_element('edge')})")
        if self.of("path", "nodes"):
            options.append(lambda: f"{self.pick('head', 'last')}({self.expression('nodes', depth)})")
        return str(self.dice.choice(options)())

    def write_edge(self, depth: int) -> str:
        options = [lambda: self.leaf_element("edge")]
        if self.of("edge"):
            options.append(lambda: f"coalesce({self.leaf_element('edge')}, {self.leaf_element('edge')})")
        if self.of("path", "edges"):
            options.append(lambda: f"{self.expression('edges', depth)}[{self.pick('0', '-1', '1')}]")
        return str(self.dice.choice(options)())

    def leaf_elements(self, kind: str) -> str:
        item = kind[:-1]
        found = self.of(item)
        if paths := self.of("path"):
            function = "nodes" if kind == "nodes" else "relationships"
            if self.chance(0.6):
                return f"{function}({self.dice.choice(paths)})"
        if found:
            return f"[{', '.join(self.dice.choice(found) for _ in range(self.dice.randint(1, 2)))}]"
        return "[]"

    def write_nodes(self, depth: int) -> str:
        return self.leaf_elements("nodes")

    def write_edges(self, depth: int) -> str:
        return self.leaf_elements("edges")

    def write_map(self, depth: int) -> str:
        e = self.expression
        options = [
            lambda: f"{{a: {e('int', depth)}, b: {e('str', depth)}}}",
            lambda: f"{{a: {{c: {e('any', depth)}}}, l: [{e('int', 0)}, {e('str', 0)}]}}",
        ]
        if nodes := self.of("node"):
            options += [
                lambda: f"{self.dice.choice(nodes)} {{.i, .{self.pick('x', 's', 'm')}, z: {e('any', depth)}}}",
                lambda: f"{self.dice.choice(nodes)} {{.*}}",
                lambda: f"properties({self.dice.choice(nodes)})",
                lambda: (
                    f"{self.dice.choice(nodes)} {{.*, x: {e('int', 0)}, l: {self.bag()}}}"
                    if self.chance(0)
                    else "{q: 1}"
                ),
            ]
        if edges := self.of("edge"):
            options.append(lambda: f"{self.dice.choice(edges)} {{.k, w: {e('int', depth)}}}")
        return str(self.dice.choice(options)())

    def anylist(self, depth: int) -> str:
        if self.chance(0.5):
            return self.expression("ints", depth)
        kinds = [self.pick("int", "str", "any", "float") for _ in range(self.dice.randint(0, 3))]
        return f"[{', '.join(self.expression(kind, 0) for kind in kinds)}]"

    def bag(self) -> str:
        """A list that comes in no certain order."""
        options: list[Callable[[], str]] = [lambda: self.subquery("COLLECT")]
        if bags := self.of("bag"):
            options += [lambda: str(self.dice.choice(bags))] * 3
        if nodes := self.of("node"):
            options += [
                lambda: f"{self.pick('labels', 'keys')}({self.dice.choice(nodes)})",
                self.pattern_comprehension,
                self.pattern_comprehension,
            ]
        return str(self.dice.choice(options)())

    # -------------------------------------------------------------- patterns

    def step(self, named: bool = True, length: bool = True) -> str:
        """An edge; `named`: it may bind."""
        name = ""
        hops = ""
        kind = "edge"
        if length and self.chance(0.25):
            hops, kind = self.pick("*", "*1..2", "*0..1", "*2", "*..3", "*0..2"), "edges"
        if named and self.chance(0.5):
            name = self.name("r")
        inside = f"{name}{self.pick(*TYPE_TESTS) if not hops else self.pick(':R', ':R|S', '')}{hops}"
        if not hops and self.chance(0.1):
            inside += f" {{{self.pick('w: 1', 'w: 2', 'k: 0')}}}"
        elif not hops and name and self.chance(0.1):
            inside += f" WHERE {self.within({name: 'edge'}, lambda: self.expression('bool', 1))}"
        if name:
            self.scope[name] = kind
        body = f"[{inside}]" if inside else ""
        return str(self.pick(f"-{body}->", f"<-{body}-", f"-{body}-"))

    def node(self, named: bool = True) -> str:
        known = self.of("node")
        if known and self.chance(0.45):
            return f"({self.dice.choice(known)})"
        label = self.pick(*LABEL_TESTS)
        if not named or self.chance(0.2):
            return f"({label})"
        name = self.name("n")
        extra = ""
        if self.chance(0.12):
            extra = f" {{{self.pick('x: 1', 'b: true', 's: ' + repr('a'), 'x: 0 + 1')}}}"
        elif self.chance(0.12):
            extra = f" WHERE {self.within({name: 'node'}, lambda: self.expression('bool', 1))}"
        self.scope[name] = "node"
        return f"({name}{label}{extra})"

    def path(self, named: bool = True, hops: int | None = None) -> str:
        hops = self.dice.choice((0, 1, 1, 1, 2)) if hops is None else hops
        text = self.node(named)
        for _ in range(hops):
            if named and self.chance(0.08):
                text += self.repeated() + self.node(named)
            else:
                text += self.step(named) + self.node(named)
        return text

    def repeated(self) -> str:
        """A quantified path pattern with group variables."""
        a, r, b = self.name("g"), self.name("g"), self.name("g")
        inner = self.dice.choice((f"-[{r}{self.pick(':R', ':R|S', '')}]->", f"<-[{r}:R]-", f"-[{r}:S]-"))
        where = ""
        if self.chance(0.4):
            types = {a: "node", r: "edge", b: "node"}
            where = f" WHERE {self.within(types, lambda: self.expression('bool', 1))}"
        self.scope.update({a: "nodes", r: "edges", b: "nodes"})
        return f"(({a}){inner}({b}{self.pick('', ':A', ':!C')}){where}){self.pick('{1,2}', '{0,1}', '{2}', '+')}"

    def pattern_comprehension(self) -> str:
        owner = self.dice.choice(self.of("node"))
        kept = dict(self.scope)
        text = f"({owner}){self.step()}{self.node()}"
        where = f" WHERE {self.expression('bool', 1)}" if self.chance(0.4) else ""
        value = self.expression(self.pick("int", "any", "str"), 1)
        self.scope = kept
        return f"[{text}{where} | {value}]"

    def subquery(self, kind: str) -> str:
        kept = dict(self.scope)
        text = f"MATCH {self.path()}" + (f", {self.path()}" if self.chance(0.15) else "")
        if self.chance(0.5):
            text += f" WHERE {self.expression('bool', 1)}"
        if self.chance(0.2):
            z = self.name("w")
            value = self.expression("int", 1)
            text += f" WITH *, {value} AS {z} WHERE {z} > 0"
            self.scope[z] = "int"
        if kind == "COLLECT" or self.chance(0.3):
            text += f" RETURN {self.pick('', 'DISTINCT ')}{self.expression(self.pick('int', 'any', 'str'), 1)} AS c"
            if self.chance(0.2):
                text += f" ORDER BY c LIMIT {self.pick(1, 2)}"
        self.scope = kept
        return f"{kind} {{ {text} }}"

    # -------------------------------------------------------------- clauses

    def clause(self) -> str:
        return str(
            self.dice.choices(
                (self.match, self.optional, self.unwind, self.project, self.call, self.shortest),
                (4, 2.5, 2, 3, 1.5, 0.7),
            )[0]()
        )

    def match(self) -> str:
        parts = [self.path() for _ in range(2 if self.chance(0.2) else 1)]
        # Neo4j takes OPTIONAL MATCH p = (n) for a path whatever the WHERE says
        if self.chance(0.25) and "-" in parts[0]:
            name = self.name("p")
            parts[0] = f"{name} = {parts[0]}"
            self.scope[name] = "path"
        where = f" WHERE {self.expression('bool', 2)}" if self.chance(0.3) else ""
        return f"MATCH {', '.join(parts)}{where}"

    def optional(self) -> str:
        return f"OPTIONAL {self.match()}"

    def shortest(self) -> str:
        a, b, p = self.name("n"), self.name("n"), self.name("p")
        first, last = f"({a}{self.pick(':A', '')})", f"({b}{self.pick(':B', '')})"
        self.scope.update({a: "node", b: "node"})
        label, arrow = self.pick("", ":R", ":R|S"), self.pick("", ">")
        kind = self.pick("shortestPath", "allShortestPaths", "ALL SHORTEST", "ANY", "SHORTEST 1", "SHORTEST 2 GROUPS")
        if kind.endswith(("Path", "Paths")):
            text = f"MATCH {first}, {last} WHERE {a} <> {b} MATCH {p} = {kind}(({a})-[{label}*]-{arrow}({b}))"
        else:
            text = f"MATCH {p} = {kind} {first}-[{label}]-{arrow}{self.pick('+', '*', '{1,3}')}{last}"
        # of one among several only the length is certain, of any not even that
        certain = {"shortestPath": "length", "SHORTEST 1": "length", "ANY": "none"}
        self.scope[p] = certain.get(kind, "path")
        return text

    def unwind(self) -> str:
        z = self.name("u")
        kind = self.pick("int", "int", "any", "str", "node", "edge", "map")
        source = (
            self.pick(
                "$rows", f"[{self.expression('map', 1)}, {self.expression('map', 1)}]", "[{a: 1}, {a: null}, null]"
            )
            if kind == "map"
            else self.anylist(2)
            if kind == "any"
            else self.expression("strs" if kind == "str" else f"{kind}s", 2)
            if self.chance(0.9)
            else self.pick("null", "[]", "[null]")
        )
        self.scope[z] = kind
        return f"UNWIND {source} AS {z}"

    def keyed(self, name: str, type_: str) -> str | None:
        """What orders by a column as a total order would."""
        match type_:
            case "node":
                return f"{name}.i"
            case "edge":
                return f"{name}.k"
            case "int" | "float" | "str" | "bool" | "date" | "dt" | "ints" | "strs":
                return name
            case _:
                return None

    def items(self, aggregated: bool, word: str) -> tuple[list[str], dict[str, str]]:
        """Items of a projection, and the types of its columns."""
        texts, types = [], {}
        hidden = ("none", "length") if word == "RETURN" else ("none",)
        passed = [name for name, type_ in self.scope.items() if type_ not in hidden]
        self.dice.shuffle(passed)
        for name in passed[: self.dice.randint(0, 3)]:
            texts.append(name)
            types[name] = self.scope[name]
        for _ in range(self.dice.randint(0 if texts else 1, 2)):
            kinds = (
                "int",
                "str",
                "bool",
                "any",
                "float",
                "map",
                "date",
                "dt",
                "dur",
                "ints",
                "strs",
                "nodes",
                "node",
                "edge",
            )
            type_ = self.pick(*kinds)
            alias = self.name("c")
            texts.append(f"{self.expression(type_, 2)} AS {alias}")
            types[alias] = type_
        if aggregated:
            for _ in range(self.dice.randint(1, 2)):
                alias = self.name("a")
                text, type_ = self.aggregate()
                texts.append(f"{text} AS {alias}")
                types[alias] = type_
        return texts, types

    def aggregate(self) -> tuple[str, str]:
        e = self.expression
        distinct = self.pick("", "", "DISTINCT ")
        scalar = self.pick("int", "str", "any", "float", "bool", "date", "ints", "dur", "map")
        options: list[Callable[[], tuple[str, str]]] = [
            lambda: ("count(*)", "int"),
            lambda: (f"count({distinct}{e(scalar, 1)})", "int"),
            lambda: (f"sum({distinct}{e('int', 1)})", "int"),
            lambda: (f"sum({e('float', 1)})", "float"),
            lambda: (f"avg({distinct}{e(self.pick('int', 'float'), 1)})", "float"),
            lambda: (f"{self.pick('min', 'max')}({e('any', 1)})", "any"),
            lambda: (f"{self.pick('min', 'max')}({e('int', 1)})", "int"),
            lambda: (f"{self.pick('min', 'max')}({e('date', 1)})", "date"),
            lambda: (f"{self.pick('min', 'max')}({e('ints', 1)})", "ints"),
            lambda: (f"collect({distinct}{e(scalar, 1)})", "bag"),
            lambda: (f"collect({distinct}{e(scalar, 1)})", "bag"),
            lambda: (
                f"percentileCont({e(self.pick('int', 'float'), 1)}, {self.pick('0.0', '0.5', '0.9', '1')})",
                "float",
            ),
            lambda: (f"percentileDisc({e('int', 1)}, {self.pick('0.0', '0.5', '0.9', '1')})", "int"),
            lambda: (f"{self.pick('stDev', 'stDevP')}({e(self.pick('int', 'float'), 1)})", "float"),
            lambda: (f"sum({e('dur', 1)})", "dur"),
            lambda: (f"size(collect({distinct}{e(scalar, 1)}))", "int"),
            lambda: (f"count({distinct}{self.dice.choice(self.certain_names() or ['1'])})", "int"),
            lambda: (f"[collect({e('int', 1)}), count(*)]", "bag"),
        ]
        return self.dice.choice(options)()

    def projection(self, word: str) -> tuple[str, bool]:
        """WITH or RETURN; whether the rows are in a total order."""
        texts, types = self.items(self.chance(0.35), word)
        distinct = self.pick("", "", "", "DISTINCT ")
        self.scope = types
        text = f"{word} {distinct}{', '.join(texts)}"
        keys = [self.keyed(name, type_) for name, type_ in types.items()]
        total = all(keys) and self.chance(0.6)
        if total:
            self.dice.shuffle(keys)
            spelled = [f"{key}{self.pick('', ' DESC')}" for key in keys]
            text += f" ORDER BY {', '.join(spelled)}"
            if self.chance(0.4):
                text += self.pick(" LIMIT 2", " SKIP 1", " SKIP 1 LIMIT 1", " LIMIT 1 + 2", " LIMIT 0")
        elif self.chance(0.15) and word == "RETURN" and (some := [k for k in keys if k]):
            text += f" ORDER BY {some[0]}"
        if word == "WITH" and self.chance(0.4):
            text += f" WHERE {self.expression('bool', 1)}"
        return text, total

    def project(self) -> str:
        return self.projection("WITH")[0]

    def call(self) -> str:
        outer = dict(self.scope)
        passed = [name for name in outer if self.chance(0.6) and outer[name] != "none"]
        inner = {name: outer[name] for name in passed}
        types = [self.pick("int", "str", "any", "bool") for _ in range(self.dice.randint(1, 2))]
        aliases = [self.name("q") for _ in types]
        branches = []
        for _ in range(self.dice.choice((1, 1, 2))):
            self.scope = dict(inner)
            text = ""
            if self.chance(0.75):
                text = f"{self.pick(self.match, self.optional, self.unwind)()} "
            if self.chance(0.3):
                items = []
                for alias in aliases:
                    aggregate, _ = self.aggregate()
                    items.append(f"{aggregate} AS {alias}")
                returned = ["bag" for _ in types]
            else:
                items = [f"{self.expression(t, 2)} AS {alias}" for alias, t in zip(aliases, types, strict=True)]
                returned = list(types)
            branches.append((f"{text}RETURN {self.pick('', 'DISTINCT ')}{', '.join(items)}", returned))
        self.scope = outer
        for at, alias in enumerate(aliases):
            found = {returned[at] for _, returned in branches}
            self.scope[alias] = found.pop() if len(found) == 1 else "opaque"
        body = f" {self.pick('UNION', 'UNION ALL')} ".join(text for text, _ in branches)
        return f"{self.pick('', '', 'OPTIONAL ')}CALL ({', '.join(passed)}) {{ {body} }}"

    def expressions(self) -> Query:
        """Much that is computed of rows that are surely there."""
        self.scope = {"n": "node"}
        text = "MATCH (n)"
        if self.chance(0.6):
            self.scope |= {"r": "edge", "o": "node", "p": "path"}
            text += f" OPTIONAL MATCH p = (n){self.pick('-[r]->', '<-[r]-', '-[r]-')}(o)"
        elif self.chance(0.5):
            hops = self.pick("*1..2", "*0..1", "*..2")
            self.scope |= {"r": "edges", "o": "node", "p": "path"}
            text = f"MATCH p = (n){self.pick(f'-[r{hops}]->', f'<-[r{hops}]-', f'-[r{hops}]-')}(o)"
        types = [
            self.pick(*SCALARS, "strs", "dur", "map", "bool", "bool", "int") for _ in range(self.dice.randint(2, 5))
        ]
        items = [f"{self.expression(type_, 3)} AS c{at}" for at, type_ in enumerate(types)]
        return Query(f"{text} RETURN {self.pick('', '', 'DISTINCT ')}{', '.join(items)}", False)

    def union(self) -> Query:
        types = [self.pick("int", "any", "str", "float") for _ in range(self.dice.randint(1, 2))]
        parts = []
        for _ in range(2):
            self.scope = {}
            clause = self.pick(self.match, self.unwind)()
            items = [f"{self.expression(type_, 2)} AS o{at}" for at, type_ in enumerate(types)]
            parts.append(f"{clause} RETURN {self.pick('', 'DISTINCT ')}{', '.join(items)}")
        return Query(f" {self.pick('UNION', 'UNION ALL')} ".join(parts), False)

    def query(self) -> Query:
        if self.chance(0.08):
            return self.union()
        if self.chance(0.3):
            return self.expressions()
        texts = [self.match() if self.chance(0.8) else self.unwind()]
        texts += [self.clause() for _ in range(self.dice.choice((0, 0, 1, 1, 2, 3, 4)))]
        final, ordered = self.projection("RETURN")
        return Query(" ".join([*texts, final]), ordered)


def query(seed: int) -> Query:
    return Writer(seed).query()
