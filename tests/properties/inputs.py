"""Hostile inputs: sentences derived at random from the grammar, mutated queries, extremes of size and depth.

Everything is made from a `random.Random`, so that a seed names an input.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from random import Random

from lark import Lark
from lark.grammar import Symbol, Terminal
from lark.lexer import PatternStr, TerminalDef

DIALECTS = ("opencypher-9", "neo4j-5", "neo4j-25")
TARGETS = (*DIALECTS, "gql-spanner", "gql-iso", "pgq-googlesql")

TOKEN = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/|\w+|\s+|.", re.S)
ODD = [
    *"\x00\x07\x0b\x1c\x85\xa0\u2028\u200b\ufeff\ud800\udfff\U0001f600\u0301\u202e\t\r\n",
    *"'\"`\\{}[]()<>|&!%$@#:;,.*+-/^=~?_0",
    "\\u0027",
    "\\u",
    "\\uD83D",
    "/*",
    "*/",
    "//",
    "<-[",
    "]->",
    "..",
    "1e999",
    "0x",
    "9" * 30,
]
SPELLINGS = [
    *("n", "m", "_x1", "`a b`", "count", "match", "Person", "ünï", "$p", "$1", "$`a b`"),
    *("0", "1", "42", "0x1F", "0o17", "1_000", "1.5", ".5", "1e3", "1.5E-3", "Infinity", "NaN", "9" * 25),
    *("'it'", '"s"', "''", "'\\''", "'\\u00e9'", "'é'", " ", "\n", "// c\n", "/* c */", ":", "::", "=", "*", "..", "|"),
    *("<>", "!=", "<=", ">=", "<", ">", "=~", "-", "--", "->", "<-", "-->", "<--", "<-->", "-[", "<-[", "]-", "]->"),
    *("EXISTS", "COUNT", "COLLECT", "VALUE", "shortestPath", "all", "reduce", "CASE", "WHEN", "point", "date"),
    *("NFC", "NFKD", "WITH TIME ZONE", "WITHOUT TIME ZONE", "RETRY FOR", "$", "$all", "|:", "\u2010", "LEADING"),
]
FOLLOWERS = ("", " ", "(", "{", "[", ")", "=", " x")

CLAUSES = {"MATCH", "OPTIONAL", "WHERE", "RETURN", "WITH", "UNWIND", "ORDER", "BY", "SKIP", "LIMIT", "UNION", "AS"}
CLAUSES |= {"CREATE", "MERGE", "SET", "DELETE", "CALL"}

FRAMES = {
    "expr": ["RETURN {} AS x", "MATCH (n) WHERE {} RETURN n", "UNWIND {} AS x RETURN x", "MATCH (n) SET n.x = {}"],
    "paths": ["MATCH {} RETURN 1 AS x", "MATCH (n) WHERE EXISTS { {} } RETURN n", "CREATE {}", "MATCH {} RETURN *"],
    "clause": [
        "MATCH (n) {} RETURN 1 AS x",
        "MATCH (n)-[r]->(m) WITH * {} RETURN 1 AS x",
        "MATCH (n) CALL { {} RETURN 1 AS x }",
    ],
}
"""Queries around a part, by the rule that derives the part."""


class Sentences:
    """Random sentences of a Lark grammar.  Look-ahead is not honoured, so that many are almost right."""

    def __init__(self, grammar: Lark) -> None:
        self.expansions: dict[str, list[Sequence[Symbol]]] = defaultdict(list)
        for rule in grammar.rules:
            self.expansions[rule.origin.name].append(rule.expansion)
        self.spellings = {terminal.name: spellings(terminal) for terminal in grammar.terminals}
        self.words = sorted({word for words in self.spellings.values() for word in words})
        self.heights = self._heights()

    def _heights(self) -> dict[str, int]:
        """The least height of a derivation of each rule."""
        heights: dict[str, int] = {}
        changed = True
        while changed:
            changed = False
            for name, expansions in self.expansions.items():
                known = [h for h in (self._height(e, heights) for e in expansions) if h is not None]
                if known and heights.get(name) != 1 + min(known):
                    heights[name] = 1 + min(known)
                    changed = True
        return heights

    @staticmethod
    def _height(expansion: Sequence[Symbol], heights: dict[str, int]) -> int | None:
        found = [0 if isinstance(symbol, Terminal) else heights.get(symbol.name) for symbol in expansion]
        return None if None in found else max([0, *(height for height in found if height is not None)])

    def words_of(self, random: Random, start: str, budget: int) -> list[str]:
        """The words of a sentence; after `budget` of them it is closed as soon as it can be."""
        words: list[str] = []
        steps = 0
        pending: list[Symbol | str] = [start]
        while pending:
            symbol = pending.pop()
            name = symbol if isinstance(symbol, str) else symbol.name
            if isinstance(symbol, Terminal):
                words.append(random.choice(self.spellings[name]))
                continue
            steps += 1
            choices = self.expansions[name]
            if len(words) + len(pending) > budget or steps > 20 * budget:
                heights = [self._height(expansion, self.heights) for expansion in choices]
                least = min(height for height in heights if height is not None)
                choices = [e for e, height in zip(choices, heights, strict=True) if height == least]
            pending.extend(reversed(random.choice(choices)))
        return words

    def sentence(self, random: Random, start: str, budget: int = 40) -> str:
        return " ".join(self.words_of(random, start, budget))

    def framed(self, random: Random, budget: int = 12) -> str:
        """A small part where it fits."""
        start = random.choice(list(FRAMES))
        return random.choice(FRAMES[start]).replace("{}", self.sentence(random, start, random.randrange(1, budget)), 1)

    def soup(self, random: Random, budget: int = 30) -> str:
        """Words of the grammar in any order."""
        words = random.choices(self.words, k=random.randrange(1, budget))
        return random.choice([" ", " ", ""]).join(words)


def spellings(terminal: TerminalDef) -> list[str]:
    """Some texts of a terminal; the words in a pattern that none of our spellings matches."""
    pattern = terminal.pattern
    if isinstance(pattern, PatternStr):
        return [pattern.value]
    matcher = re.compile(pattern.to_regexp(), re.S)
    found = [text for text in SPELLINGS if any(ends(matcher, text, follower) for follower in FOLLOWERS)]
    plain = re.sub(r"\(\?[=!<](?:[^()]|\([^()]*\))*\)|\(\?:|\\.", " ", pattern.value)
    words = re.findall(r"[A-Za-z_]{2,}", plain) or re.findall(r"[^\w\s\\]", plain)
    return found or words or [pattern.value]


def ends(matcher: re.Pattern[str], text: str, follower: str) -> bool:
    """Whether the text matches as a whole before that follower: some terminals look ahead."""
    match = matcher.match(text + follower)
    return bool(match) and match.end() == len(text)


def mutated(random: Random, texts: Sequence[str], words: Sequence[str], edits: int = 4) -> str:
    """A query with a few of its tokens and characters deleted, inserted, swapped, doubled, or with another's half."""
    tokens: list[str] = TOKEN.findall(random.choice(texts))
    for _ in range(random.randrange(1, edits + 1)):
        at = random.randrange(len(tokens) + 1)
        edit = random.randrange(9)
        if edit == 0:
            del tokens[at : at + random.randrange(1, 4)]
        elif edit == 1:
            tokens.insert(at, f" {random.choice(words)} ")
        elif edit == 2:
            tokens[at:at] = tokens[at : at + random.randrange(1, 9)]
        elif edit == 3 and len(tokens) > 1:
            a, b = random.randrange(len(tokens)), random.randrange(len(tokens))
            tokens[a], tokens[b] = tokens[b], tokens[a]
        elif edit == 4:
            other: list[str] = TOKEN.findall(random.choice(texts))
            tokens[at:] = other[random.randrange(len(other) + 1) :]
        elif edit == 5:
            tokens.insert(at, random.choice(ODD))
        else:
            tokens = TOKEN.findall(misspelt(random, "".join(tokens), edit))
    return "".join(tokens)


def recombined(random: Random, texts: Sequence[str]) -> str:
    """A query with names, values, operators and bracketed groups put in the place of others of their kind."""
    tokens: list[str] = TOKEN.findall(random.choice(texts))
    other: list[str] = TOKEN.findall(random.choice(texts))
    for _ in range(random.randrange(1, 6)):
        at = random.randrange(len(tokens) or 1)
        if random.random() < 0.4:
            (start, end), (low, high) = group(random, tokens), group(random, other)
            tokens[start:end] = other[low:high]
        elif tokens and (same := [token for token in tokens + other if sort(token) == sort(tokens[at])]):
            tokens[at] = random.choice(same)
    return "".join(tokens)


def sort(token: str) -> str:
    """The kind of a token: what stands for another of its kind often leaves a query that parses."""
    if token.upper() in CLAUSES:
        return "clause"
    if token[0].isdigit() or token[0] in "'\"":
        return "value"
    return "name" if token[0].isalpha() or token[0] in "`_" else "operator" if token in "+-*/%^=<>" else token


def group(random: Random, tokens: Sequence[str]) -> tuple[int, int]:
    """The place of a bracketed group, chosen at random; nothing where there is none."""
    opened, groups = [], []
    for at, token in enumerate(tokens):
        if token in "([{":
            opened.append(at)
        elif token in ")]}" and opened:
            groups.append((opened.pop(), at + 1))
    return random.choice(groups) if groups else (0, 0)


def misspelt(random: Random, text: str, edit: int) -> str:
    at = random.randrange(len(text) + 1)
    if edit == 6:
        return text[:at] + text[at + 1 :]
    if edit == 7:
        return text[:at] + random.choice(ODD) + text[at + 1 :]
    return text[:at] if random.random() < 0.5 else text[at:]


def escaped(text: str) -> str:
    """Every character as a unicode escape."""
    return "".join(f"\\u{ord(c):04X}" if ord(c) < 0x10000 else c for c in text)


@cache
def grammar_sentences() -> Sentences:
    text = resources.files("graphir").joinpath("grammar", "cypher.lark").read_text(encoding="utf-8")
    return Sentences(Lark(text, parser="earley", lexer="dynamic", maybe_placeholders=True))


def alternations(depth: int) -> str:
    text = "n.x = 0"
    for level in range(depth):
        text = f"({text} {'AND' if level % 2 else 'OR'} n.x = {level})"
    return f"MATCH (n) WHERE {text} RETURN n"


def chained(operator: str, operand: str = "n.x") -> Callable[[int], str]:
    return lambda n: f"MATCH (n) RETURN {f' {operator} '.join([operand] * n)} AS x"


def mixed(n: int) -> str:
    """A chain of all the binary operators in turn."""
    operators = (
        "+",
        "*",
        "-",
        "=",
        "AND",
        "OR",
        "<",
        "/",
        "XOR",
        "%",
        "^",
        "IN",
        "STARTS WITH",
        "=~",
        "<>",
        ">=",
        "||",
    )
    parts = [f"n.x {operators[i % len(operators)]} " for i in range(n)]
    return f"MATCH (n) RETURN {''.join(parts)} n.x AS x"


def nested(before: str, middle: str, after: str, around: str = "RETURN {} AS x") -> Callable[[int], str]:
    return lambda n: around.replace("{}", before * n + middle + after * n, 1)


OPERATORS = ["AND", "OR", "XOR", "+", "-", "*", "/", "%", "^", "||", "=", "<>", "<", "<=", ">", ">=", "=~"]
OPERATORS += ["IN", "CONTAINS", "STARTS WITH", "ENDS WITH"]

WIDE: dict[str, Callable[[int], str]] = {
    **{f"chain of {operator}": chained(operator) for operator in OPERATORS},
    "mixed chain": mixed,
    "chain of properties": lambda n: "MATCH (n) RETURN n" + ".x" * n + " AS x",
    "chain of indexes": lambda n: "MATCH (n) RETURN n.x" + "[0]" * n + " AS x",
    "chain of IS NULL": lambda n: "MATCH (n) RETURN n.x" + " IS NULL" * n + " AS x",
    "chain of labels": lambda n: "MATCH (n" + "".join(f":L{i}" for i in range(n)) + ") RETURN n.x AS x",
    "label alternatives": lambda n: "MATCH (n:" + "|".join(f"L{i}" for i in range(n)) + ") RETURN n.x AS x",
    "long string": lambda n: "RETURN '" + "a" * 10 * n + "' AS x",
    "string of escapes": lambda n: "RETURN '" + "\\u0041\\n" * n + "' AS x",
    "long list": lambda n: "RETURN [" + ", ".join(["12345678"] * n) + "] AS x",
    "long map": lambda n: "RETURN {" + ", ".join(f"k{i}: {i}" for i in range(n)) + "} AS x",
    "long name": lambda n: f"RETURN 1 AS {'x' * 10 * n}",
    "long number": lambda n: f"RETURN 0.{'1' * n} AS x",
    "many columns": lambda n: "RETURN " + ", ".join(f"{i} AS c{i}" for i in range(n)),
    "many branches": lambda n: "RETURN CASE" + " WHEN true THEN 1" * n + " END AS x",
    "many relationships": lambda n: "MATCH (a)" + "-->()" * n + " RETURN a.x AS x",
    "many paths": lambda n: "MATCH " + ", ".join(f"(a{i})-->(b{i})" for i in range(n)) + " RETURN 1 AS x",
    "many matches": lambda n: "".join(f"MATCH (a{i}) " for i in range(n)) + "RETURN a0.x AS x",
    "many projections": lambda n: "MATCH (a) " + "WITH a " * n + "RETURN a.x AS x",
    "many creations": lambda n: " ".join(f"CREATE (a{i}:A {{x: {i}}})" for i in range(n)),
    "many assignments": lambda n: "MATCH (a) SET " + ", ".join(f"a.x{i} = {i}" for i in range(n)),
    "many unions": lambda n: " UNION ALL ".join(["MATCH (n) RETURN n.x AS x"] * n),
    "mixed unions": lambda n: " ".join(["RETURN 1 AS x UNION ALL RETURN 1 AS x UNION"] * n) + " RETURN 1 AS x",
    "many statements": lambda n: "RETURN 1 AS x; " * n,
    "comments": lambda n: "/* remark */ // remark\n" * n + "RETURN 1 AS x",
    "blanks": lambda n: " \t\n" * n + "RETURN 1 AS x",
    "many errors": lambda n: "RETURN FROM; " * n,
    "quotes": lambda n: "WITH 1 AS c RETURN 'a' + \"b\" + `c`" + " + 'a' + \"b\"" * n + " AS x",
}
"""Texts as long as one likes that are not deep."""

DEEP: dict[str, Callable[[int], str]] = {
    "parentheses": nested("(", "1", ")"),
    "lists": nested("[", "1", "]"),
    "maps": nested("{a: ", "1", "}"),
    "NOT": nested("NOT ", "true", ""),
    "minus": nested("-", "1", ""),
    "spaced minus": nested("- ", "1", ""),
    "plus": nested("+", "1", ""),
    "functions": nested("abs(", "1", ")"),
    "unknown functions": nested("f.g(", "1", ")"),
    "CASE": nested("CASE WHEN true THEN ", "1", " END"),
    "indexes": nested("[1][", "0", "]"),
    "comprehensions": nested("[x IN ", "[1]", " | x]"),
    "quantified": nested("all(x IN [1] WHERE ", "true", ")"),
    "reduce": nested("reduce(a = 0, x IN [1] | ", "1", ")"),
    "alternations": alternations,
    "powers in parentheses": nested("(2 ^ ", "1", ")"),
    "EXISTS": nested("EXISTS { MATCH (n) WHERE ", "true", " }", "MATCH (n) WHERE {} RETURN n.x AS x"),
    "COUNT": nested("COUNT { MATCH (n) WHERE 1 < ", "2", " }", "MATCH (n) WHERE 1 < {} RETURN n.x AS x"),
    "CALL": nested("CALL { ", "RETURN 1 AS x", " } RETURN x", "{}"),
    "labels": nested("!", "A", "", "MATCH (n:{}) RETURN n.x AS x"),
    "labels in parentheses": nested("(", "A", ")", "MATCH (n:{}) RETURN n.x AS x"),
    "path groups": nested("(", "(a)-->(b)", ")", "MATCH {} RETURN 1 AS x"),
    "FOREACH": nested("FOREACH (x IN [1] | ", "CREATE (:A)", ")", "{}"),
    "pattern comprehensions": nested("[(a)-->(b) WHERE 1 IN ", "[1]", " | 1]", "MATCH (a) RETURN {} AS x"),
    "inline WHERE": nested("(n WHERE EXISTS { MATCH ", "(m)", " })", "MATCH {} RETURN 1 AS x"),
    "list types": nested("LIST<", "INTEGER", ">", "RETURN 1 IS :: {} AS x"),
}
"""Texts as deep as one likes."""

BROKEN: dict[str, Callable[[int], str]] = {
    **{
        f"only {c}": (lambda n, c=c: c * n)
        for c in ("(", ")", "[", "{", "'", '"', "`", "/", "/*", "\\", "\\u", ";", "-", "<", "$")
    },
    "cut parentheses": lambda n: "RETURN " + "(" * n + "1",
    "cut lists": lambda n: "RETURN " + "[" * n,
    "open string": lambda n: "RETURN '" + "a" * n,
    "open comment": lambda n: "RETURN 1 /*" + " *" * n,
    "open name": lambda n: "RETURN `" + "a" * n,
    "open maps": lambda n: "RETURN " + "{a: " * n,
    "NUL": lambda n: "RETURN \x00" * n,
    "lone surrogates": lambda n: "RETURN '" + "\ud800" * n + "' AS x",
    "escaped surrogates": lambda n: "RETURN '" + "\\uD800" * n + "' AS x",
    "random words": lambda n: " ".join(["MATCH", "WHERE", "(", "RETURN", "}"] * n),
}
"""Texts as long as one likes that are mostly no queries."""
