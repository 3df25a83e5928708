"""LALR(1) tables: compiled by Lark from a grammar, kept as plain data, cached between runs.

Lark reads the grammar, proves it free of conflicts and makes the table; nothing of Lark is needed to load one.  Knows
no language.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

FORMAT = 2
"""Raised when the stored form of a table changes."""

END = "$END"


@dataclass(frozen=True)
class Rule:
    """A rule of the table: the action's name, the symbol it makes, the number of symbols it takes.

    `kind` is unit (the value passes through, nothing to do), pass (one of several symbols passes through), list (a
    list begins), more (a list grows) or call.  `arguments` are indices of symbols, None for an absent one.
    """

    name: str
    origin: str
    size: int
    kind: str
    arguments: tuple[int | None, ...]


@dataclass(frozen=True)
class Table:
    """A grammar, compiled.

    `terminals` are (name, regular expression) in order of preference, without the keywords, which are NAMEs with a
    certain text.  In `rows` a number from 0 is the next state, and ~n stands for rule n.
    """

    terminals: tuple[tuple[str, str], ...]
    ignored: frozenset[str]
    keywords: dict[str, str]
    rules: tuple[Rule, ...]
    rows: tuple[dict[str, int], ...]
    start: int
    accept: int


def vary(table: Table, patterns: Mapping[str, str | None]) -> Table:
    """The same table with other regular expressions for some of its terminals; None: without that terminal."""
    unknown = patterns.keys() - {name for name, _ in table.terminals}
    if unknown:
        raise ValueError(f"the table has no terminals {', '.join(sorted(unknown))}")
    varied = [(name, patterns.get(name, pattern)) for name, pattern in table.terminals]
    kept = tuple([(name, pattern) for name, pattern in varied if pattern is not None])
    return replace(table, terminals=kept, ignored=table.ignored & {name for name, _ in kept})


# ------------------------------------------------------------------ building and storing


def build(grammar: str, *, strict: bool = False) -> Table:
    """Compile a grammar with Lark (seconds).  `strict` raises where anything was left to a default."""
    from lark import Lark
    from lark.lexer import Lexer
    from lark.parsers.lalr_analysis import Shift

    class NoLexer(Lexer):
        """Keeps Lark from compiling lexers of its own."""

        def __init__(self, conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            raise NotImplementedError

    lark: Any = Lark(grammar, parser="lalr", lexer=NoLexer, maybe_placeholders=True, strict=strict)
    inner = lark.parser.parser._parse_table
    rules: list[Rule] = []
    numbers: dict[Any, int] = {}
    for rule in lark.rules:
        numbers[rule] = len(rules)
        rules.append(_rule(rule))
    (start,) = inner.start_states.values()
    (accept,) = inner.end_states.values()
    # Lark numbers the states as its sets happen to be ordered; numbered by a walk, the table is always the same.
    renumbered = {start: 0}
    rows = []
    for state in (reached := [start]):
        out = {}
        for symbol, (action, target) in sorted(inner.states[state].items(), key=lambda item: str(item[0])):
            if action is Shift and target not in renumbered:
                renumbered[target] = len(renumbered)
                reached.append(target)
            out[str(symbol)] = renumbered[target] if action is Shift else ~numbers[target]
        rows.append(out)
    keywords: dict[str, str] = {}
    terminals: list[tuple[str, str]] = []
    for terminal in sorted(lark.terminals, key=_preference):
        pattern = terminal.pattern
        if pattern.type == "str" and (pattern.value[0].isalpha() or pattern.value[0] == "_"):
            keywords[pattern.value.upper()] = str(terminal.name)
        else:
            terminals.append((str(terminal.name), pattern.to_regexp()))
    return Table(
        tuple(terminals),
        frozenset(map(str, lark.ignore_tokens)),
        keywords,
        tuple(rules),
        tuple(rows),
        renumbered[start],
        renumbered[accept],
    )


def _preference(terminal: Any) -> Any:
    """Lark's order of terminals."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


def _rule(rule: Any) -> Rule:
    options = rule.options
    name = rule.alias or options.template_source or rule.origin.name
    size = len(rule.expansion)
    empty = [len(ones) for ones in "".join(str(int(b)) for b in options.empty_indices).split("0")]
    if not options.empty_indices:
        empty = [0] * (size + 1)
    arguments: list[int | None] = []
    for index, symbol in enumerate(rule.expansion):
        arguments += [None] * empty[index]
        if not (symbol.is_term and symbol.filter_out):
            arguments.append(index)
    arguments += [None] * empty[size]
    kind = "call"
    if rule.origin.name.startswith("_"):
        first = rule.expansion[0]
        kind = "more" if not first.is_term and first.name.startswith("_") else "list"
    elif options.expand1 and not rule.alias and len(arguments) == 1 and arguments[0] is not None:
        kind = "unit" if size == 1 else "pass"
    return Rule(str(name), str(rule.origin.name), size, kind, tuple(arguments))


def dump(table: Table) -> str:
    """The stored form of a table (JSON)."""
    symbols = sorted({symbol for row in table.rows for symbol in row})
    number = {symbol: index for index, symbol in enumerate(symbols)}
    content = {
        "terminals": table.terminals,
        "ignored": sorted(table.ignored),
        "keywords": table.keywords,
        "rules": [[r.name, r.origin, r.size, r.kind, r.arguments] for r in table.rules],
        "symbols": symbols,
        "rows": [[x for symbol, target in row.items() for x in (number[symbol], target)] for row in table.rows],
        "start": table.start,
        "accept": table.accept,
    }
    return json.dumps(content, separators=(",", ":"))


def undump(text: str) -> Table:
    """Reads what `dump` wrote."""
    content = json.loads(text)
    symbols = [sys.intern(symbol) for symbol in content["symbols"]]
    rows = []
    for flat in content["rows"]:
        numbers = iter(flat)
        rows.append({symbols[number]: target for number, target in zip(numbers, numbers, strict=True)})
    return Table(
        tuple((sys.intern(name), pattern) for name, pattern in content["terminals"]),
        frozenset(content["ignored"]),
        {text: sys.intern(name) for text, name in content["keywords"].items()},
        tuple(Rule(name, sys.intern(o), size, kind, tuple(args)) for name, o, size, kind, args in content["rules"]),
        tuple(rows),
        content["start"],
        content["accept"],
    )


def text(*paths: Path) -> str:
    """A grammar that is written in several files."""
    return "\n".join([path.read_text(encoding="utf-8") for path in paths])


def load(*paths: Path) -> Table:
    """The table of a grammar, of one file or several, from the cache where it has it.

    A cache file is named after the content of grammar and code, is written whole and then renamed, so that many
    processes may share it; where no folder can be written the table is built anew.
    """
    grammar = text(*paths)
    digest = hashlib.sha256(f"{FORMAT}\0{grammar}".encode()).hexdigest()[:20]
    name = f"{paths[0].stem}-{digest}.json"
    for folder in _folders():
        try:
            return undump((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, LookupError, TypeError):
            continue
    table = build(grammar)
    for folder in _folders():
        if _store(folder, name, dump(table)):
            break
    return table


def _folders() -> list[Path]:
    given = os.environ.get("GRAPHIR_CACHE")
    if given is not None:
        return [Path(given)] if given else []
    user = os.environ.get("XDG_CACHE_HOME")
    home = Path(user) if user else Path(os.path.expanduser("~")) / ".cache"
    return [home / "graphir" / "grammar"]


def _store(folder: Path, name: str, text: str) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, folder / name)
    except OSError:
        return False
    return True
