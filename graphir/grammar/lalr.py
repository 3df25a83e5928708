"""Runs the LALR(1) tables that Lark makes, at about twice Lark's speed and with positions.

Lark reads the grammar, proves it free of conflicts and builds the table; only the inner loop is ours.  Every rule of
the table becomes a small generated function that hands the kept children to an *action*: a function named after the
rule or its alias.  The children come as positional arguments: a token is its text, an absent `[x]` is None, and a
rule whose name begins with `_` (also Lark's own helpers for `*` and `+`) is one list.  An action that has a parameter
`span` gets the half-open place of what was reduced, one with `places` the start of every symbol of the rule, one with
`context` whatever the caller of `parse` passed.

The language accepted is Lark's: a terminal counts if the parser's state accepts it, in Lark's order of priority.
Tests compare the trees of both on every corpus.  Knows no language and no IR.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphir.limits import MAX_NESTING
from graphir.source import Span

FORMAT = 1
"""Raised when the stored form of a table changes."""

END = "$END"
OPENING = frozenset({"(", "[", "{"})
SHALLOW = 60
"""A stack up to this height is not looked at: it cannot hold nesting worth counting."""
Action = Callable[..., Any]


class Unexpected(Exception):
    """A token that no rule can take.

    `kind` is its terminal ("" where no terminal begins, `$END` at the end).
    """

    def __init__(
        self,
        kind: str,
        value: str,
        position: int,
        accepted: Callable[[], frozenset[str]],
    ) -> None:
        super().__init__(f"unexpected {value!r} at {position}")
        self.kind = kind.lstrip("_")
        self.value = value
        self.position = position
        self.at_end = kind == END
        self._accepted = accepted

    @functools.cached_property
    def expected(self) -> frozenset[str]:
        """The terminals that could stand here, without the `_` of nameless ones: the true set, found by simulating
        the reductions."""
        return self._accepted()


class TooDeep(Exception):
    """Brackets nest deeper than the limit; `position` is that of the one too many."""

    def __init__(self, position: int) -> None:
        super().__init__(f"too deep at {position}")
        self.position = position


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
    renumbered = {state: number for number, state in enumerate(inner.states)}
    rows = []
    for row in inner.states.values():
        out = {}
        for symbol, (action, target) in row.items():
            out[symbol] = renumbered[target] if action is Shift else ~numbers[target]
        rows.append(out)
    keywords: dict[str, str] = {}
    terminals: list[tuple[str, str]] = []
    for terminal in sorted(lark.terminals, key=_preference):
        pattern = terminal.pattern
        if pattern.type == "str" and (pattern.value[0].isalpha() or pattern.value[0] == "_"):
            keywords[pattern.value.upper()] = terminal.name
        else:
            terminals.append((terminal.name, pattern.to_regexp()))
    (start,) = inner.start_states.values()
    (accept,) = inner.end_states.values()
    return Table(
        tuple(terminals),
        frozenset(lark.ignore_tokens),
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
    return Rule(name, rule.origin.name, size, kind, tuple(arguments))


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


def load(path: Path) -> Table:
    """The table of a grammar file, from the cache where it has it.

    A cache file is named after the content of grammar and code, is written whole and then renamed, so that many
    processes may share it; where no folder can be written the table is built anew.
    """
    grammar = path.read_text(encoding="utf-8")
    digest = hashlib.sha256(f"{FORMAT}\0{grammar}".encode()).hexdigest()[:20]
    name = f"{path.stem}-{digest}.json"
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


# ------------------------------------------------------------------ reducing


def _source(number: int, rule: Rule, action: Action | None) -> str:
    """The text of the function that reduces by a rule: `v` values, `p` starts, `e` end, `c` context.

    The driver has not yet taken anything off `p` when it is called; the function leaves its result in `v`.
    """
    size = rule.size
    at = [f"v[{index - size}]" for index in range(size)]
    shrink = f" del v[{1 - size}:]\n" if size > 1 else ""
    head = f"def r{number}(v, p, e, c):\n"
    given = ["None" if index is None else at[index] for index in rule.arguments]
    if rule.kind == "pass":
        return f"{head} v[{-size}] = {given[0]}\n{shrink}"
    if rule.kind == "list":
        return f"{head} v[{-size}] = [{', '.join(given)}]\n{shrink}"
    if rule.kind == "more":
        add = f" v[{-size}].append({given[1]})\n" if len(given) == 2 else f" v[{-size}] += ({', '.join(given[1:])})\n"
        return head + add + shrink
    assert action is not None
    parameters = inspect.signature(action).parameters
    start = f"p[{-size}]" if size else "e"
    if "span" in parameters:
        given.append(f"span=new(Span, ({start}, e))")
    if "places" in parameters:
        given.append(f"places=p[{-size}:]" if size else "places=[]")
    if "context" in parameters:
        given.append("context=c")
    call = f"a{number}({', '.join(given)})"
    return f"{head} v.append({call})\n" if not size else f"{head} v[{-size}] = {call}\n{shrink}"


class Words(dict[str, "tuple[tuple[str, Callable[..., Any] | None], ...]"]):
    """What a word may be besides a NAME, by its spelling: terminals in order of preference, each with the regular
    expression that must match where it stands.  Remembers every spelling it was asked for, up to a bound."""

    bound = 50_000

    def __init__(self, table: Table) -> None:
        self.keywords = table.keywords
        self.special: list[tuple[str, re.Pattern[str], Callable[..., Any]]] = []
        for name, pattern in table.terminals:
            if name != "NAME" and _begins_with_letter(pattern):
                head = re.compile(_without_lookahead(pattern))
                self.special.append((name, head, re.compile(pattern).match))

    def __missing__(self, text: str) -> tuple[tuple[str, Callable[..., Any] | None], ...]:
        found: list[tuple[str, Callable[..., Any] | None]] = []
        found += [(name, match) for name, head, match in self.special if head.match(text)]
        keyword = self.keywords.get(text.upper()) if text.isascii() else None
        if keyword is not None:
            found.append((keyword, None))
        if len(self) < self.bound:
            self[text] = tuple(found)
        return tuple(found)


def _begins_with_letter(pattern: str) -> bool:
    return re.match(r"(?:\(\?i?:)*[A-Za-z]", pattern) is not None


def _without_lookahead(pattern: str) -> str:
    """The first word of a terminal such as `(?i:(?:EXISTS|COUNT)(?=\\s*\\{))`."""
    word = re.match(r"(?:\(\?i?:)*([A-Za-z_|]+)(?![?*(])", pattern)
    if word is None or not word[0].endswith(word[1]):
        raise ValueError(f"a terminal that looks ahead begins with whole words: {pattern}")
    return f"(?i:{word[1]})"


class Parser:
    """Parses texts by a table, calling the actions."""

    def __init__(self, table: Table, actions: Mapping[str, Action]) -> None:
        self.table = table
        self.start = table.start
        self.words = Words(table)
        self._contextual: dict[int, Callable[..., Any]] = {}
        self._compile_lexer()
        self._compile_rows(self._compile_rules(actions))

    def _compile_lexer(self) -> None:
        table = self.table
        patterns = dict(table.terminals)
        self.gap = "(?:" + "|".join(patterns[name] for name in patterns if name in table.ignored) + ")*+"
        specials = {name for name, _, _ in self.words.special}
        self.order = [name for name, _ in table.terminals if name not in table.ignored and name not in specials]
        self.order.sort(key=lambda name: name != "NAME")
        self.patterns = patterns
        self.match = self._matcher(self.order)

    def _matcher(self, names: list[str]) -> Callable[..., Any]:
        groups = "|".join(f"(?P<{name}>{self.patterns[name]})" for name in names)
        return re.compile(f"{self.gap}(?:{groups or '(?!)'})").match

    def _compile_rules(self, actions: Mapping[str, Action]) -> list[tuple[Callable[..., None], int, str, int] | None]:
        names: dict[str, Any] = {"new": tuple.__new__, "Span": Span}
        parts = []
        for number, rule in enumerate(self.table.rules):
            action = None
            if rule.kind == "call":
                action = actions.get(rule.name) or actions[rule.name + "_"]
                names[f"a{number}"] = action
            if rule.kind != "unit":
                parts.append(_source(number, rule, action))
        exec(compile("\n".join(parts), "<reductions>", "exec"), names)
        out: list[tuple[Callable[..., None], int, str, int] | None] = []
        for number, rule in enumerate(self.table.rules):
            function = names.get(f"r{number}")
            out.append(function and (function, rule.size - 1, rule.origin, number))
        return out

    def _compile_rows(self, reductions: list[tuple[Callable[..., None], int, str, int] | None]) -> None:
        rows: list[dict[str, Any]] = []
        for row in self.table.rows:
            out: dict[str, Any] = {}
            for symbol, target in row.items():
                out[symbol] = target if target >= 0 else reductions[~target] or {}
            rows.append(out)
        rows[self.table.accept][END] = True
        self.rows = rows

    def parse(self, text: str, context: Any = None, start: int = 0, limit: int | None = None) -> Any:  # noqa: PLR0915 the one hot loop
        """The value of the start rule for text[start:limit].  Raises Unexpected and TooDeep."""
        rows, words, match = self.rows, self.words, self.match
        limit = len(text) if limit is None else limit
        deep = SHALLOW
        state = self.start
        states: list[int] = [state]
        values: list[Any] = []
        starts: list[int] = []
        position = end = start
        row = rows[state]
        while True:
            found = match(text, position, limit)
            if found is None:
                kind, value, start = self._no_token(text, position, limit, states)
                position = start + len(value)
            else:
                kind = found.lastgroup
                value = found[kind]
                position = found.end()
                start = position - len(value)
                if kind == "NAME":
                    for name, special in words[value]:
                        if name in row:
                            if special is not None:
                                longer = special(text, start, limit)
                                if longer is None:
                                    continue
                                value = longer[0]
                                position = start + len(value)
                            kind = name
                            break
                if kind not in row:
                    kind, value, start = self._other_token(text, start, limit, states, kind, value)
                    position = start + len(value)
            while True:
                action = row.get(kind)
                if type(action) is tuple:
                    reduce, shrink, origin, _ = action
                    if shrink > 0:
                        del states[-shrink:]
                        reduce(values, starts, end, context)
                        del starts[-shrink:]
                        states[-1] = state = rows[states[-2]][origin]
                    elif shrink == 0:
                        reduce(values, starts, end, context)
                        states[-1] = state = rows[states[-2]][origin]
                    else:
                        reduce(values, starts, end, context)
                        starts.append(start)
                        state = rows[state][origin]
                        states.append(state)
                    row = rows[state]
                elif type(action) is int:
                    states.append(action)
                    values.append(value)
                    starts.append(start)
                    state = action
                    row = rows[state]
                    end = position
                    if len(states) > deep:
                        deep = self._deeper(states, values, start)
                    break
                elif type(action) is dict:
                    # A chain of unit reductions: only the state changes.  Where it ends is remembered.
                    below = states[-2]
                    jump = action.get(below)
                    if jump is None:
                        jump = action[below] = self._unit_target(below, state, kind)
                    states[-1] = state = jump
                    row = rows[state]
                elif action is True:
                    return values[-1]
                else:
                    raise self._unexpected(text, kind, value, start, states)

    def _unit_target(self, below: int, state: int, kind: str) -> int:
        table = self.table
        while True:
            target = table.rows[state].get(kind)
            if target is None or target >= 0 or table.rules[~target].kind != "unit":
                return state
            state = table.rows[below][table.rules[~target].origin]

    # -------------------------------------------------------------- rare ways

    def _deeper(self, states: list[int], values: list[Any], position: int) -> int:
        """The stack has grown: is the limit of nesting reached?  The height at which to look again."""
        if sum(value in OPENING for value in values if type(value) is str) > MAX_NESTING:
            raise TooDeep(position)
        return max(2 * len(states), MAX_NESTING)

    def _no_token(self, text: str, position: int, limit: int, states: list[int]) -> tuple[str, str, int]:
        skipped = re.compile(self.gap).match(text, position, limit)
        assert skipped is not None
        start = skipped.end()
        if start == limit:
            return END, "", start
        return self._other_token(text, start, limit, states, "", text[start])

    def _other_token(
        self, text: str, start: int, limit: int, states: list[int], kind: str, value: str
    ) -> tuple[str, str, int]:
        """The first choice among all terminals does not fit: the first among those that the state accepts."""
        state = states[-1]
        row = self.rows[state]
        matcher = self._contextual.get(state)
        if matcher is None:
            matcher = self._matcher([name for name in self.order if name in row and name != "NAME"])
            self._contextual[state] = matcher
        found = matcher(text, start, limit)
        if found is None or found.start(found.lastgroup) != start:
            if kind == "NAME":
                kind = self.table.keywords.get(value.upper(), kind)
            raise self._unexpected(text, kind, value, start, states)
        return found.lastgroup, found[found.lastgroup], start

    def _unexpected(self, text: str, kind: str, value: str, start: int, states: list[int]) -> Unexpected:
        kept = tuple(states)
        return Unexpected(kind, value, start, lambda: self._accepted(kept))

    def following(self, text: str) -> frozenset[str]:
        """The terminals that could follow a text that breaks nowhere: the whole truth, at the cost of reading it again.

        By the time a token proves to be wrong, it may have made the parser reduce; what could have stood in its place
        before that is lost.  A character that begins no terminal is refused before any reduction.
        """
        try:
            self._silent.parse(text + "\0")
        except Unexpected as probe:
            return probe.expected if probe.position == len(text) else frozenset()
        except TooDeep:
            pass
        return frozenset()

    @functools.cached_property
    def _silent(self) -> Parser:
        """The same parser, making nothing."""
        return Parser(self.table, dict.fromkeys((rule.name for rule in self.table.rules), lambda *_: None))

    def _accepted(self, states: tuple[int, ...]) -> frozenset[str]:
        table = self.table
        origins = {rule.origin for rule in table.rules}
        candidates = [symbol for symbol in table.rows[states[-1]] if symbol not in origins]
        return frozenset(symbol.lstrip("_") for symbol in candidates if self._takes(states, symbol))

    def _takes(self, states: tuple[int, ...], symbol: str) -> bool:
        """Would the parser, in these states, shift (or accept) the terminal?"""
        table = self.table
        depth = len(states)  # states[:depth] are still untouched; `over` lies above them
        over: list[int] = []
        while True:
            state = over[-1] if over else states[depth - 1]
            if state == table.accept and symbol == END:
                return True
            target = table.rows[state].get(symbol)
            if target is None:
                return False
            if target >= 0:
                return True
            rule = table.rules[~target]
            taken = min(rule.size, len(over))
            if taken:
                del over[-taken:]
            depth -= rule.size - taken
            below = over[-1] if over else states[depth - 1]
            over.append(table.rows[below][rule.origin])


def trees(table: Table) -> Parser:
    """A parser that makes Lark's own trees, to compare the two."""
    from lark import Tree

    def action(name: str) -> Action:
        def make(*children: Any) -> Any:
            flat: list[Any] = []
            for child in children:
                if isinstance(child, list):
                    flat += child
                else:
                    flat.append(child)
            return Tree(name, flat)

        return make

    return Parser(table, {rule.name: action(rule.name) for rule in table.rules})
