"""Random queries of GoogleSQL's GQL over the graphs of `pairs`, in what Cypher says otherwise or does not have.

Walks, modes and selectors, FOR, LET, FILTER, NEXT, GROUP BY, set operations, subqueries, and the functions whose values
differ.  Every query is typed; what it returns is determined, up to the order of rows and of collected arrays.
Knows nothing of graphir and of engines.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

NODE = {"i": "int", "x": "int", "s": "str", "f": "float", "b": "bool", "d": "date"}
EDGE = {"k": "int", "w": "int", "t": "str"}
LABELS = ("A", "B", "A|B", "!A", "%", "A&B", "A&!B")
TYPES = ("R", "S", "R|S", "!R", "%")
AGGREGATES = {
    "int": ("COUNT({})", "SUM({})", "MIN({})", "MAX({})", "COUNT(DISTINCT {})", "SUM(DISTINCT {})", "COUNT(*)"),
    "float": ("AVG({})", "MIN({})", "MAX({})", "SUM({})"),
    "str": ("MIN({})", "MAX({})", "COUNT({})", "STRING_AGG({0}, '-' ORDER BY {0})"),
    "bool": ("LOGICAL_AND({})", "LOGICAL_OR({})", "COUNTIF({})"),
    "date": ("MIN({})", "MAX({})", "COUNT({})"),
}
ARRAYS = ("ARRAY_AGG({})", "ARRAY_AGG({} IGNORE NULLS)", "ARRAY_AGG(DISTINCT {} IGNORE NULLS)")
INTS = (
    *("{i} + {i}", "{i} - {i}", "{i} * {i}", "DIV({i}, 2)", "MOD({i}, 3)", "ABS({i})", "IF({b}, {i}, {i})", "-({i})"),
    *("IFNULL({i}, 7)", "COALESCE({i}, {i})", "CASE WHEN {b} THEN {i} END", "NULLIF({i}, 1)", "CHAR_LENGTH({s})"),
    *("STRPOS({s}, {t})", "CAST({f} AS INT64)", "CAST({b} AS INT64)", "EXTRACT(YEAR FROM {d})", "SAFE.DIV({i}, {i})"),
    *("DATE_DIFF({d}, DATE '2020-01-15', DAY)", "EXTRACT(DAYOFWEEK FROM {d})", "GREATEST({i}, {i})", "DIV({i}, {i})"),
    *("LEAST({i}, {i}, 2)", "SIGN({i})", "ARRAY_LENGTH([{i}, {i}])", "[{i}, {i}][SAFE_OFFSET({n})]", "UNIX_DATE({d})"),
    *("CASE {i} WHEN 1 THEN 5 WHEN 2 THEN {i} ELSE {i} END", "DATE_DIFF({d}, {d}, MONTH)", "IFNULL({i} * 2, {n})"),
)
FLOATS = (
    *("{f}", "{i} / 2", "{i} / {n}", "{f} * {i}", "SAFE_DIVIDE({i}, {i})", "ROUND({f})", "FLOOR({f})", "CEIL({f})"),
    *("TRUNC({f})", "POW({i}, 2)", "CAST({i} AS FLOAT64)", "SQRT(ABS({i}))", "{i} / {i}", "IEEE_DIVIDE({f}, 2)"),
    *("SIGN({f})", "GREATEST({f}, 1.0)", "{f} - {f}"),
)
STRINGS = (
    *("{s} || {s}", "UPPER({s})", "LOWER({s})", "SUBSTR({s}, {p})", "SUBSTR({s}, {p}, {n})", "REPLACE({s}, 'a', 'cc')"),
    *("CAST({i} AS STRING)", "CAST({b} AS STRING)", "CONCAT({s}, '-', {s})", "REVERSE({s})", "LEFT({s}, {n})"),
    *("RIGHT({s}, {n})", "LPAD({s}, 4, 'xy')", "RPAD({s}, {n})", "REPEAT({s}, {n})", "IFNULL({s}, 'none')"),
    *("SPLIT({s}, 'b')[SAFE_OFFSET(0)]", "CAST({d} AS STRING)", "TRIM({s}, 'a')", "IF({b}, {s}, {s})"),
    *("ARRAY_TO_STRING([{s}, {s}], '+')", "ARRAY_TO_STRING(SPLIT({s}, ''), '.', '?')"),
)
BOOLS = (
    *(
        "{i} < {i}",
        "{i} = {i}",
        "{i} != {i}",
        "{f} >= {f}",
        "{s} = {s}",
        "{s} <= {s}",
        "{i} IS NULL",
        "{s} IS NOT NULL",
    ),
    *("{i} IN UNNEST([{i}, {i}])", "{i} NOT IN UNNEST([1, {i}])", "{i} IN ({i}, 3)", "{i} BETWEEN {n} AND {i}"),
    *("{s} LIKE {like}", "{s} NOT LIKE {like}", "STARTS_WITH({s}, {t})", "ENDS_WITH({s}, {t})", "NOT ({b})"),
    *("({b} AND {b})", "({b} OR {b})", "{b} IS TRUE", "{b} IS NOT FALSE", "{b} IS UNKNOWN", "{d} < DATE '2020-01-10'"),
    *("{i} IS DISTINCT FROM {i}", "{s} IS NOT DISTINCT FROM {s}", "REGEXP_CONTAINS({s}, r{re})", "{d} = {d}"),
    *("ARRAY_INCLUDES([1, 2], {n})", "IFNULL({b}, TRUE)"),
)
DATES = (
    "{d}",
    "DATE_ADD({d}, INTERVAL {n} DAY)",
    "DATE_SUB({d}, INTERVAL 1 MONTH)",
    "DATE_TRUNC({d}, MONTH)",
    "LAST_DAY({d})",
)
FORMS = {"int": INTS, "float": FLOATS, "str": STRINGS, "bool": BOOLS, "date": DATES}
FAILING = ("{i} / {i}", "DIV({i}, {i})")
"""Those that raise an error for some values."""
LETTERS = {"i": "int", "f": "float", "s": "str", "b": "bool", "d": "date"}
LIKES = ("'a%'", "'%b'", "'%a%'", "'a'", "'_b'", "'a_%'", "'%'", "'a%b'")
REGEXPS = ("'a'", "'^a'", "'b$'", "'^a.?$'", "'[ab]+'", "'^(a|b)$'", "'x*'")


@dataclass
class Scope:
    """The variables in scope by what they are, and expressions of each type that have been named."""

    nodes: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in FORMS})

    def copy(self) -> Scope:
        values = {kind: list(names) for kind, names in self.values.items()}
        return Scope(list(self.nodes), list(self.edges), list(self.groups), list(self.paths), values)


@dataclass(frozen=True)
class Text:
    """A query, whether its rows come in a certain order, and what is in it."""

    query: str
    ordered: bool
    features: tuple[str, ...]


class Texts:
    """Makes one query."""

    def __init__(self, seed: int, *, rich: bool = True) -> None:
        self.dice = random.Random(f"gql {seed}")
        self.made = 0
        self.scope = Scope()
        self.hops = 0
        self.rich = rich
        self.features: set[str] = set()
        self.ordered = False
        self.may_fail = False
        """Whether an error reaches the result: which rows a condition is asked about is up to the engine."""

    def pick(self, *choices: str) -> str:
        return self.dice.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.dice.random() < probability

    def note(self, feature: str) -> None:
        self.features.add(feature)

    def name(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    # -------------------------------------------------------------- expressions

    def atom(self, kind: str) -> str:
        """A property, a named value or a literal."""
        options = [f"{v}.{key}" for v in self.scope.nodes for key, of in NODE.items() if of == kind]
        options += [f"{v}.{key}" for v in self.scope.edges for key, of in EDGE.items() if of == kind]
        options += self.scope.values[kind] * 2
        if kind == "int":
            options += [f"ARRAY_LENGTH({group})" for group in self.scope.groups]
            options += [f"PATH_LENGTH({path})" for path in self.scope.paths]
        literal = {
            "int": str(self.dice.randint(-2, 4)),
            "float": self.pick("0.5", "1.5", "-2.0", "3.0"),
            "str": self.pick("'a'", "'b'", "'ab'", "''"),
            "bool": self.pick("TRUE", "FALSE"),
            "date": self.pick("DATE '2020-01-01'", "DATE '2019-12-31'"),
        }[kind]
        return self.dice.choice(options) if options and self.chance(0.85) else literal

    def value(self, kind: str, depth: int = 2) -> str:
        if depth == 0 or self.chance(0.35):
            return self.atom(kind)
        form = self.dice.choice(FORMS[kind])
        if form in FAILING and not self.may_fail:
            return self.atom(kind)
        self.note(form)
        return self.filled(form, depth - 1)

    def filled(self, form: str, depth: int) -> str:
        out, at = "", 0
        while at < len(form):
            end = form.find("}", at) if form[at] == "{" else -1
            if end < 0:
                out += form[at]
                at += 1
                continue
            letter = form[at + 1 : end]
            out += self.hole(letter, depth)
            at = end + 1
        return out

    def hole(self, letter: str, depth: int) -> str:
        plain = {
            "n": lambda: str(self.dice.randint(1, 3)),
            "p": lambda: self.pick("1", "2", "0", "-1", "-2", "3"),
            "t": lambda: self.pick("'a'", "'b'", "''", "'ab'"),
            "like": lambda: self.dice.choice(LIKES),
            "re": lambda: self.dice.choice(REGEXPS),
        }
        if letter in plain:
            return plain[letter]()
        inner = self.value(LETTERS[letter], depth)
        return inner if inner.replace(".", "").replace("_", "").isalnum() else f"({inner})"

    # -------------------------------------------------------------- patterns

    def node(self) -> str:
        known = [*self.scope.nodes]
        if known and self.chance(0.25):
            return f"({self.dice.choice(known)})"
        name = self.name("n") if self.chance(0.85) else ""
        label = f":{self.dice.choice(LABELS)}" if self.chance(0.35) else ""
        where = (
            f" WHERE {name}.x {self.pick('>', '<=', '!=')} {self.dice.randint(0, 2)}"
            if name and self.chance(0.1)
            else ""
        )
        if not where and self.chance(0.06):
            where = f" {{x: {self.dice.randint(0, 2)}}}"
        if name:
            self.fresh.append(("nodes", name))
        return f"({name}{label}{where})"

    def edge(self, *, quantified: bool) -> str:
        name = self.name("e") if self.chance(0.75) else ""
        label = f":{self.dice.choice(TYPES)}" if self.chance(0.4) else ""
        where = f" WHERE {name}.w {self.pick('>', '<')} 1" if name and self.chance(0.12) else ""
        inner = f"{name}{label}{where}"
        body = f"[{inner}]" if inner or self.chance(0.5) else ""
        left, right = self.dice.choice((("-", "->"), ("-", "->"), ("<-", "-"), ("-", "-")))
        if not body:
            arrow = {("-", "->"): "->", ("<-", "-"): "<-", ("-", "-"): "-"}[left, right]
        else:
            arrow = f"{left}{body}{right}"
        if name:
            self.fresh.append(("groups" if quantified else "edges", name))
        if quantified:
            self.note("quantifier")
            arrow += self.pick("{1,2}", "{2}", "{1,3}" if self.hops < 3 else "{1}")
        return arrow

    def group(self) -> str:
        """A quantified parenthesized path."""
        self.note("group")
        inner, name = self.name("m"), self.name("e")
        label = f":{self.dice.choice(TYPES)}" if self.chance(0.3) else ""
        other = self.name("m")
        where = f" WHERE {inner}.x {self.pick('<', '<=', '!=')} {other}.x" if self.chance(0.4) else ""
        self.fresh += [("groups", inner), ("groups", name)]
        return f"(({inner})-[{name}{label}]->({other}){where}){self.pick('{1,2}', '{2}', '{1,2}')}"

    def path(self) -> str:
        """One path pattern with its prefix."""
        self.fresh: list[tuple[str, str]] = []
        prefix = ""
        if self.chance(0.45):
            prefix = self.pick("TRAIL ", "ACYCLIC ", "SIMPLE ", "WALK ", "TRAIL ", "ANY SHORTEST ", "ANY ")
        selected = prefix.startswith("ANY")
        hops = 1 if selected else self.dice.choice((0, 1, 1, 1, 2, 2, 3))
        if self.hops + hops > 4:
            hops = max(4 - self.hops, 0)
        if not hops and prefix:
            prefix, selected = "", False
        variable = self.name("p") if self.chance(0.25) and prefix != "ANY " and hops else ""
        self.hops += hops
        parts = [self.node()]
        for _ in range(hops):
            if not selected and self.chance(0.12):
                parts += [self.group(), self.node()]
                continue
            parts += [self.edge(quantified=selected or self.chance(0.25)), self.node()]
        if prefix:
            self.note(prefix.strip())
        for sort, name in self.fresh:
            if selected and sort == "groups":
                continue  # which of the shortest paths is chosen is not determined
            found = getattr(self.scope, sort)
            if name not in found:
                found.append(name)
        if variable:
            self.note("path variable")
            self.scope.paths.append(variable)
        return f"{variable} = {prefix}{''.join(parts)}" if variable else prefix + "".join(parts)

    def match(self, *, optional: bool = False) -> str:
        paths = [self.path()]
        if self.chance(0.25) and self.hops < 4:
            self.note("comma")
            paths.append(self.path())
        where = f"\nWHERE {self.value('bool')}" if self.chance(0.35) else ""
        word = "OPTIONAL MATCH" if optional else "MATCH"
        if optional:
            self.note("OPTIONAL MATCH")
        return f"{word} {', '.join(paths)}{where}"

    # -------------------------------------------------------------- clauses

    def let(self) -> str:
        self.note("LET")
        kind = self.dice.choice(list(FORMS))
        name = self.name("v")
        text = f"LET {name} = {self.value(kind)}"
        if self.scope.groups and self.chance(0.4):
            self.note("horizontal aggregation")
            edges = [group for group in self.scope.groups if group.startswith("e")]
            if edges:
                form = self.pick("SUM({}.w)", "COUNT({}.w)", "MAX({}.w)", "MIN({}.k)")
                kind, text = "int", f"LET {name} = {form.format(self.dice.choice(edges))}"
        self.scope.values[kind].append(name)
        return text

    def filter(self) -> str:
        self.note("FILTER")
        return f"FILTER {self.pick('WHERE ', '')}{self.condition()}"

    def condition(self) -> str:
        if self.chance(0.3) and self.rich:
            return self.subquery_test()
        if self.scope.nodes and self.chance(0.2):
            self.note("IS LABELED")
            return f"{self.dice.choice(self.scope.nodes)} IS {self.pick('', 'NOT ')}LABELED {self.dice.choice(LABELS)}"
        return self.value("bool")

    def for_(self) -> str:
        self.note("FOR")
        kind = self.pick("int", "str")
        name = self.name("u")
        items = ", ".join([self.value(kind, 1) for _ in range(self.dice.randint(1, 3))])
        source = f"[{items}]" if self.chance(0.8) else "GENERATE_ARRAY(1, 3)"
        if source[0] == "G":
            kind = "int"
        offset = ""
        if self.chance(0.5):
            self.note("WITH OFFSET")
            place = self.name("o")
            offset = f" WITH OFFSET AS {place}"
            self.scope.values["int"].append(place)
        self.scope.values[kind].append(name)
        return f"FOR {name} IN {source}{offset}"

    def subquery_test(self) -> str:
        """EXISTS, IN or a comparison with VALUE, of a pattern from a node at hand."""
        outer, hops = self.scope, self.hops
        self.scope = outer.copy()
        form = self.pick("EXISTS", "IN", "VALUE", "COUNT")
        self.note(f"subquery {form}")
        node, edge = self.name("q"), self.name("e")
        tie = f" WHERE {node} = {self.dice.choice(outer.nodes)}" if outer.nodes and self.chance(0.7) else ""
        other = self.name("q")
        pattern = f"({node})-[{edge}]->({other})"
        self.scope.nodes += [other]
        column = self.value("int", 1)
        self.scope, self.hops = outer, hops
        bodies = {
            "EXISTS": f"EXISTS {{ MATCH {pattern}{tie} }}",
            "IN": f"{self.value('int', 1)} IN {{ MATCH {pattern}{tie} RETURN {column} AS c }}",
            "VALUE": f"VALUE {{ MATCH {pattern}{tie} RETURN MAX({other}.x) AS c }} > {self.value('int', 1)}",
            "COUNT": f"VALUE {{ MATCH {pattern}{tie} RETURN COUNT(*) AS c }} >= {self.value('int', 1)}",
        }
        return bodies[form]

    def with_(self) -> str:
        """WITH, which keeps only its columns."""
        self.note("WITH")
        items, after = self.columns()
        grouped = self.chance(0.4)
        distinct = "" if grouped else self.pick("", "", "DISTINCT ")
        if grouped:
            items, after = self.grouping()
        self.scope = after
        return f"WITH {distinct}{', '.join(items)}"

    def columns(self) -> tuple[list[str], Scope]:
        after = Scope()
        items = []
        for _ in range(self.dice.randint(1, 3)):
            kind = self.dice.choice(list(FORMS))
            name = self.name("c")
            items.append(f"{self.value(kind)} AS {name}")
            after.values[kind].append(name)
        if self.scope.nodes and self.chance(0.3):
            node = self.dice.choice(self.scope.nodes)
            items.append(node)
            after.nodes.append(node)
        return items, after

    def grouping(self) -> tuple[list[str], Scope]:
        self.note("aggregate")
        after = Scope()
        items = []
        for _ in range(self.dice.choice((0, 1, 1, 2))):
            kind = self.pick("int", "str", "bool")
            name = self.name("c")
            items.append(f"{self.value(kind, 1)} AS {name}")
            after.values[kind].append(name)
        for _ in range(self.dice.randint(1, 2)):
            kind = self.dice.choice(list(AGGREGATES))
            form = self.dice.choice(AGGREGATES[kind])
            name = self.name("c")
            items.append(f"{form.format(self.value(kind, 1))} AS {name}")
            result = "int" if form.startswith("COUNT") else kind
            after.values[result].append(name)
        return items, after

    def returned(self, *, final: bool) -> str:
        """RETURN, grouped or not, sorted or not."""
        self.may_fail = True
        text = self.returned_columns(final=final)
        self.may_fail = False
        return text

    def returned_columns(self, *, final: bool) -> str:
        if self.chance(0.35):
            return self.returned_groups(final=final)
        items, after = self.columns()
        if final:
            items = [item for item in items if " AS " in item]
        distinct = self.pick("", "", "", "DISTINCT ")
        tail = ""
        if final and self.chance(0.4):
            self.note("ORDER BY")
            keys = [item.rsplit(" AS ", 1)[1] for item in items]
            self.dice.shuffle(keys)
            tail = f"\nORDER BY {', '.join([key + self.pick('', ' DESC', ' ASC') for key in keys])}"
            self.ordered = True
            if self.chance(0.4):
                self.note("LIMIT")
                tail += self.pick("\nLIMIT 3", "\nOFFSET 1", "\nOFFSET 1 LIMIT 2")
        self.scope = after
        return f"RETURN {distinct}{', '.join(items)}{tail}"

    def returned_groups(self, *, final: bool) -> str:
        items, after = self.grouping()
        if final and self.chance(0.4):
            self.note("ARRAY_AGG")
            kind = self.pick("int", "str")
            items.append(f"{self.dice.choice(ARRAYS).format(self.value(kind, 1))} AS {self.name('c')}")
        keys = ""
        if self.chance(0.4):
            self.note("GROUP BY")
            named = [item.rsplit(" AS ", 1)[1] for item in items[: len(items)] if not self.aggregating(item)]
            hidden = [f"{node}.{self.pick('x', 's')}" for node in self.scope.nodes[:1]]
            if named + hidden:
                keys = f"\nGROUP BY {', '.join(dict.fromkeys(named + hidden))}"
        self.scope = after
        return f"RETURN {', '.join(items)}{keys}"

    @staticmethod
    def aggregating(item: str) -> bool:
        heads = ("COUNT(", "COUNTIF(", "SUM(", "MIN(", "MAX(", "AVG(", "STRING_AGG(", "LOGICAL_", "ARRAY_AGG(")
        return item.startswith(heads)

    def linear(self, *, final: bool, start: bool) -> str:
        clauses = []
        if start or self.chance(0.5):
            clauses.append(self.match())
        choices: list[Callable[[], str]] = [self.let, self.filter, self.for_, self.with_]
        for _ in range(self.dice.choice((0, 0, 1, 1, 2, 3))):
            if self.chance(0.3):
                clauses.append(self.match(optional=self.chance(0.5)))
                continue
            made = self.dice.choice(choices)
            if made == self.with_ and clauses and clauses[-1].startswith("FOR") and "OFFSET" not in clauses[-1]:
                made = self.let
            clauses.append(made())
        clauses.append(self.returned(final=final))
        return "\n".join(clauses)

    def united(self) -> str:
        """Two or three results put together; their columns have the same names and types."""
        operator = self.pick(
            *[f"{word} {how}" for word in ("UNION", "EXCEPT", "INTERSECT") for how in ("ALL", "DISTINCT")]
        )
        self.note(operator)
        before = ""
        if self.chance(0.3):
            self.note("NEXT before a set operation")
            before = f"{self.match()}\n{self.returned(final=False)}\nNEXT\n"
        parts = []
        given = self.scope if before else Scope()
        for _ in range(self.dice.choice((2, 2, 3))):
            self.scope, self.hops = given.copy(), 2 if before else 0
            match = self.match()
            items = [f"{self.value('int', 1)} AS one", f"{self.value('str', 1)} AS two"]
            self.dice.shuffle(items)
            parts.append(f"{match}\nRETURN {', '.join(items)}")
        return before + f"\n{operator}\n".join(parts)

    def text(self) -> Text:
        if self.rich and self.chance(0.15):
            body = self.united()
        else:
            parts = []
            for at in range(count := self.dice.choice((1, 1, 1, 2))):
                parts.append(self.linear(final=at == count - 1, start=at == 0))
            if len(parts) > 1:
                self.note("NEXT")
            body = "\nNEXT\n".join(parts)
        return Text(f"GRAPH g\n{self.without_unread(body)}", self.ordered, tuple(sorted(self.features)))

    @staticmethod
    def without_unread(body: str) -> str:
        """The clauses without a LET that nothing reads: whether it fails is up to the engine."""
        lines = body.split("\n")
        for line in [line for line in lines if line.startswith("LET ")]:
            name = line.split(" ", 2)[1]
            words = "".join([c if c.isalnum() else " " for c in body]).split()
            if words.count(name) == 1:
                lines.remove(line)
        return "\n".join(lines)


def text(seed: int) -> Text:
    """The query of that number."""
    return Texts(seed).text()
