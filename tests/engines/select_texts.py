"""Random SELECTs of GoogleSQL over graph tables: joins, grouping, set operations, subqueries, WITH, in any combination.

Every text is typed, and its rows are determined up to their order; where it sorts it sorts by every column.  Knows
nothing of graphir and of engines.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

TABLES: dict[str, tuple[list[tuple[str, str]], list[tuple[object, ...]]]] = {
    "P": (
        [("id", "INT64"), ("k", "INT64"), ("s", "STRING")],
        [(1, 1, "x"), (2, 2, "y"), (3, None, "x"), (4, 2, None), (5, 7, "z")],
    ),
    "T": (
        [("id", "INT64"), ("a", "INT64"), ("b", "INT64"), ("w", "INT64")],
        [(1, 1, 2, 10), (2, 1, 3, None), (3, 2, 3, 30), (4, 3, 1, 10), (5, 4, 4, 5), (6, 1, 2, 20)],
    ),
}
"""The tables of the graph: columns with their types, and rows."""
GRAPH = """
CREATE PROPERTY GRAPH g
  NODE TABLES (P KEY (id))
  EDGE TABLES (T KEY (id) SOURCE KEY (a) REFERENCES P (id) DESTINATION KEY (b) REFERENCES P (id))
"""

Columns = dict[str, str]
"""Name -> type: int, str or bool."""
Refs = list[tuple[str, str]]
"""What an expression may name, each with its type."""

_SOURCES: tuple[tuple[str, Columns], ...] = (
    ("GRAPH_TABLE(g MATCH (n:P) RETURN n.id AS i, n.k, n.s)", {"i": "int", "k": "int", "s": "str"}),
    ("GRAPH_TABLE(g MATCH (n)-[e:T]->(m) RETURN n.id AS i, m.k AS k, e.w)", {"i": "int", "k": "int", "w": "int"}),
    (
        "GRAPH_TABLE(g MATCH (n)-[e]-(m) WHERE e.w > 5 COLUMNS (m.id AS i, e.w AS w, m.s))",
        {"i": "int", "w": "int", "s": "str"},
    ),
    (
        "GRAPH_TABLE(g MATCH (n) OPTIONAL MATCH (n)-[e]->(m) RETURN n.s, SUM(e.w) AS w, COUNT(*) AS k)",
        {"s": "str", "w": "int", "k": "int"},
    ),
    ("(SELECT 1 AS i, 'x' AS s UNION ALL SELECT 2, NULL UNION ALL SELECT 2, 'y')", {"i": "int", "s": "str"}),
)
_FORMS = {
    "int": (
        *("{i} + {i}", "IFNULL({i}, 0)", "CASE WHEN {b} THEN {i} ELSE {i} END", "ABS({i})", "CHAR_LENGTH({s})"),
        *("{i} * 2", "-{i}"),
    ),
    "str": ("{s} || {s}", "UPPER({s})", "IFNULL({s}, '-')", "CAST({i} AS STRING)"),
    "bool": (
        *("{i} > {i}", "{i} = {i}", "{s} = {s}", "{i} IS NULL", "{s} IS NOT NULL", "NOT ({i} < 2)"),
        *("({i} = 1 OR {s} = 'x')", "{i} IN (1, 2, 7)", "{i} BETWEEN 1 AND 10", "{i} IS DISTINCT FROM {i}"),
    ),
}
_AGGREGATES = (
    *("COUNT(*)", "COUNT({i})", "SUM({i})", "MIN({i})", "MAX({i})", "COUNT(DISTINCT {i})", "COUNT(*) + 1"),
    "IFNULL(SUM({i}), 0)",
)
_JOINS = (", ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " CROSS JOIN ", " INNER JOIN ")
_SETS = ("UNION ALL", "UNION DISTINCT", "EXCEPT DISTINCT", "INTERSECT DISTINCT", "EXCEPT ALL", "INTERSECT ALL")


@dataclass(frozen=True)
class Source:
    """A table behind FROM; `alias` None: it has none that qualifies columns."""

    text: str
    refs: Refs
    alias: str | None
    columns: Columns


def text(seed: int) -> str:
    """The SELECT of a number."""
    return _Writer(seed).query()


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.common: dict[str, Columns] = {}

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def often(self, share: float) -> bool:
        return self.random.random() < share

    # -------------------------------------------------------------- expressions

    def expression(self, refs: Refs, kind: str, depth: int) -> str:
        own = [name for name, type_ in refs if type_ == kind]
        if depth == 0 or (own and kind != "bool" and self.often(0.55)):
            constants = {"int": [str(self.random.randint(0, 3))], "str": ["'x'", "'y'"], "bool": ["TRUE"]}
            return self.random.choice(own or constants[kind])
        return self.filled(self.random.choice(_FORMS[kind]), refs, depth)

    def filled(self, form: str, refs: Refs, depth: int) -> str:
        """The form with expressions in its places."""
        for mark, kind in (("{i}", "int"), ("{s}", "str"), ("{b}", "bool")):
            while mark in form:
                form = form.replace(mark, self.expression(refs, kind, depth - 1), 1)
        return form

    def condition(self, refs: Refs) -> str:
        return self.filled(self.random.choice(_FORMS["bool"]), refs, self.random.randint(1, 2))

    def subquery(self, refs: Refs) -> tuple[str, str]:
        """A subquery as a value and its type; it may name columns of the query around it."""
        source = self.source(0)
        where = f" WHERE {self.condition(source.refs + refs)}" if self.often(0.8) else ""
        behind = f"FROM {source.text}{where}"
        number = self.random.choice([name for name, type_ in source.refs if type_ == "int"] or ["1"])
        match self.random.randrange(5):
            case 0:
                return f"EXISTS(SELECT 1 {behind})", "bool"
            case 1:
                return f"NOT EXISTS(SELECT 1 {behind})", "bool"
            case 2:
                word = self.random.choice(("IN", "NOT IN"))
                return f"{self.expression(refs, 'int', 1)} {word} (SELECT {number} {behind})", "bool"
            case 3:
                return f"ARRAY_LENGTH(ARRAY(SELECT {number} {behind}))", "int"
        aggregate = self.random.choice(("COUNT(*)", "SUM({})", "MAX({})", "MIN({})")).format(number)
        return f"(SELECT {aggregate} {behind})", "int"

    # -------------------------------------------------------------- tables

    def source(self, depth: int) -> Source:
        alias = self.fresh("t")
        if self.common and self.often(0.25):
            name = self.random.choice(list(self.common))
            columns = self.common[name]
            return Source(f"{name} AS {alias}", _qualified(alias, columns), alias, columns)
        if self.often(0.15):
            offset = self.fresh("t")
            columns = {alias: "int", offset: "int"}
            text = f"UNNEST([3, 1, NULL, 2]) AS {alias} WITH OFFSET AS {offset}"
            return Source(text, list(columns.items()), None, columns)
        if depth > 0 and self.often(0.25):
            inner, columns = self.select(depth - 1)
            text = f"({inner})"
        else:
            text, columns = self.random.choice(_SOURCES)
        return Source(f"{text} AS {alias}", _qualified(alias, columns), alias, columns)

    def tables(self, depth: int) -> tuple[str, Refs]:
        first = self.source(depth)
        text, refs = first.text, list(first.refs)
        words = _JOINS
        for at in range(self.random.choice((0, 0, 1, 1, 2))):
            other = self.source(0)
            word = self.random.choice(words)
            if word == ", ":
                words = tuple([each for each in _JOINS if "RIGHT" not in each])  # it would need parentheses
            shared = [name for name in other.columns if other.columns[name] == first.columns.get(name)]
            refs += other.refs
            if word in (", ", " CROSS JOIN "):
                text += word + other.text
            elif shared and at == 0 and first.alias and other.alias and self.often(0.3):
                text += f"{word}{other.text} USING ({self.random.choice(shared)})"
            else:
                text += f"{word}{other.text} ON {self.condition(refs)}"
        return text, refs

    # -------------------------------------------------------------- queries

    def select(self, depth: int) -> tuple[str, Columns]:
        """A SELECT, and its columns."""
        tables, refs = self.tables(depth)
        conditions = [self.condition(refs)] if self.often(0.5) else []
        if self.often(0.25):
            subquery, kind = self.subquery(refs)
            conditions += [subquery] if kind == "bool" else []
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        if self.often(0.35):
            return self.grouped(refs, f"FROM {tables}{where}")
        columns: Columns = {}
        items = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choice(("int", "int", "str", "bool"))
            made = (self.expression(refs, kind, 2), kind) if self.often(0.8) else self.subquery(refs)
            name = self.fresh("c")
            columns[name] = made[1]
            items.append(f"{made[0]} AS {name}")
        distinct = "DISTINCT " if self.often(0.2) else ""
        return f"SELECT {distinct}{', '.join(items)} FROM {tables}{where}", columns

    def grouped(self, refs: Refs, behind: str) -> tuple[str, Columns]:
        keys = list(dict.fromkeys([self.random.choice(refs) for _ in range(self.random.choice((0, 1, 1, 2)))]))
        columns = {self.fresh("c"): kind for _, kind in keys}
        names = list(columns)
        items = [f"{key} AS {name}" for (key, _), name in zip(keys, names, strict=True)]
        for _ in range(self.random.randint(1, 2)):
            name = self.fresh("c")
            columns[name] = "int"
            items.append(f"{self.filled(self.random.choice(_AGGREGATES), refs, 1)} AS {name}")
        spellings = ([key for key, _ in keys], [str(at + 1) for at in range(len(keys))], names)
        by = f" GROUP BY {', '.join(self.random.choice(spellings))}" if keys else ""
        having = ""
        if self.often(0.3):
            form = self.random.choice(("COUNT(*) > 1", "MAX({i}) > 1", "SUM({i}) IS NOT NULL"))
            having = f" HAVING {self.filled(form, refs, 1)}"
        return f"SELECT {', '.join(items)} {behind}{by}{having}", columns

    def query(self) -> str:
        head = ""
        if self.often(0.25):
            parts = []
            for _ in range(self.random.randint(1, 2)):
                inner, columns = self.select(0)
                name = self.fresh("w")
                parts.append(f"{name} AS ({inner})")
                self.common[name] = columns
            head = f"WITH {', '.join(parts)} "
        if self.often(0.1):
            return f"{head}SELECT * FROM {self.tables(1)[0]}"
        if self.often(0.15):
            (one, columns), (other, others) = self.select(0), self.select(0)
            if list(columns.values()) == list(others.values()):
                return f"{head}{one} {self.random.choice(_SETS)} {other}"
        body, columns = self.select(1)
        tail = ""
        if self.often(0.4):
            keys = [f"{at + 1}{self.random.choice(('', ' DESC'))}" for at in range(len(columns))]
            tail = f" ORDER BY {', '.join(keys)}"
            if self.often(0.5):
                tail += f" LIMIT {self.random.randint(1, 3)}"
                tail += f" OFFSET {self.random.randint(0, 2)}" if self.often(0.5) else ""
        return f"{head}{body}{tail}"


def _qualified(alias: str, columns: Columns) -> Refs:
    return [(f"{alias}.{name}", kind) for name, kind in columns.items()]
