"""Runs the LALR(1) tables that Lark makes, several times as fast as Lark and with positions.

Only the inner loop is ours.  The language accepted is Lark's: a terminal counts if the parser's state accepts it, in
Lark's order of preference; tests compare the trees of both on every corpus.  Knows no language.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from graphir.grammar.reductions import Action, compile_rules, skip_rules
from graphir.grammar.table import END, Table
from graphir.grammar.terminals import MARK_INDEX, NAME_INDEX, Lexer
from graphir.limits import MAX_NESTING

OPENING = frozenset({"(", "[", "{"})
SHALLOW = 180
"""A stack up to this height is not looked at: it cannot hold nesting worth counting."""


class Unexpected(Exception):
    """A token that no rule can take.

    `kind` is its terminal ("" where no terminal begins, `$END` at the end).
    """

    def __init__(self, kind: str, value: str, position: int, accepted: Callable[[], frozenset[str]]) -> None:
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


class Row(dict[str, Any]):
    """What a state does with a symbol: the row of the next state, a reduction, or a `Jump`; True accepts.

    A number stands for a unit rule that nothing has needed yet.
    """

    __slots__ = ("number",)
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def __missing__(self, symbol: str) -> None:
        """A state does nothing with any other symbol."""


class Jump(dict[Row, Row]):
    """A chain of unit reductions changes the state only: the row where it ends, by the row below."""

    __slots__ = ("find",)

    def __init__(self, find: Callable[[Row], Row]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, below: Row) -> Row:
        found = self[below] = self.find(below)
        return found


class Parser:
    """Parses texts by a table, calling the actions."""

    def __init__(self, table: Table, actions: Mapping[str, Action] | None) -> None:
        """Without actions the parser makes nothing: it only tells whether a text fits."""
        self.table = table
        self.lexer = Lexer(table)
        self._contextual: dict[int, Callable[..., Any]] = {}
        self._marks = {mark: name for name, mark in self.lexer.marks.items()}
        self.rows = self._compile_rows(
            skip_rules(table.rules) if actions is None else compile_rules(table.rules, actions)
        )

    def _compile_rows(self, reductions: list[Any]) -> list[Row]:
        rows = [Row(number) for number in range(len(self.table.rows))]
        marks = self.lexer.marks
        for row, flat in zip(rows, self.table.rows, strict=True):
            for symbol, target in flat.items():
                action = rows[target] if target >= 0 else reductions[~target] or ~target
                row[marks.get(symbol, symbol)] = action
        rows[self.table.accept][END] = True
        return rows

    def parse(self, text: str, context: Any = None, start: int = 0, limit: int | None = None) -> Any:  # noqa: PLR0915
        """The value of the start rule for text[start:limit].  Raises Unexpected and TooDeep."""
        finditer, kinds, words = self.lexer.finditer, self.lexer.kinds, self.lexer.words
        limit = len(text) if limit is None else limit
        row: Any = self.rows[self.table.start]
        action: Any
        stack: list[Any] = [row, None, start]
        position = end = start
        deep = SHALLOW
        moved = False
        while True:
            for found in finditer(text, position, limit):
                index = found.lastindex
                value = found[index]  # type: ignore[index]
                position = found.end()
                start = position - len(value)
                if index == MARK_INDEX:
                    kind = value
                else:
                    kind = kinds[index]  # type: ignore[index]
                    if index == NAME_INDEX:
                        for name, special in words[value]:
                            if name in row:
                                if special is not None:
                                    longer = special(text, start, limit)
                                    if longer is None:
                                        continue
                                    if longer.end() != position:
                                        value, position, moved = longer[0], longer.end(), True
                                kind = name
                                break
                action = row[kind]
                if action is None:
                    kind, value = self._other_token(text, start, limit, stack, kind, value)
                    position, moved = start + len(value), True
                    action = row[kind]
                while True:
                    what = type(action)
                    if what is FunctionType:
                        row = action(stack, end, context)
                    elif what is Row:
                        row = action
                        stack += (row, value, start)
                        end = position
                        if len(stack) > deep:
                            deep = self._deeper(stack)
                        break
                    elif what is Jump:
                        row = stack[-3] = action[stack[-6]]
                    elif what is int:
                        action = row[kind] = self._jump(row, kind)
                        continue
                    elif action is True:
                        return stack[-2]
                    else:
                        raise self._unexpected(kind, value, start, stack)
                    action = row[kind]
                if moved:
                    moved = False
                    break

    def following(self, text: str) -> frozenset[str]:
        """The terminals that could follow a text that breaks nowhere: the whole truth, at the cost of reading it again.

        By the time a token proves to be wrong, it may have made the parser reduce; what could have stood in its place
        before that is lost.  A character that begins no terminal is refused before any reduction.
        """
        try:
            self.silent.parse(text + "\0")
        except Unexpected as probe:
            return probe.expected if probe.position == len(text) else frozenset()
        except TooDeep:
            pass
        return frozenset()

    @functools.cached_property
    def silent(self) -> Parser:
        """The same parser, making nothing."""
        return Parser(self.table, None)

    # -------------------------------------------------------------- rare ways

    def _jump(self, row: Row, kind: str) -> Jump:
        rows, table = self.rows, self.table
        symbol = self._marks.get(kind, kind)

        def find(below: Row) -> Row:
            state = row.number
            while True:
                target = table.rows[state].get(symbol)
                if target is None or target >= 0 or table.rules[~target].kind != "unit":
                    return rows[state]
                state = table.rows[below.number][table.rules[~target].origin]

        return Jump(find)

    def _deeper(self, stack: list[Any]) -> int:
        """The stack has grown: is the limit of nesting reached?  The height at which to look again."""
        if sum(value in OPENING for value in stack[1::3] if type(value) is str) > MAX_NESTING:
            raise TooDeep(stack[-1])
        return max(2 * len(stack), 3 * MAX_NESTING)

    def _other_token(
        self, text: str, start: int, limit: int, stack: list[Any], kind: str, value: str
    ) -> tuple[str, str]:
        """The first choice among all terminals does not fit: the first among those that the state accepts."""
        row: Row = stack[-3]
        matcher = self._contextual.get(row.number)
        if matcher is None:
            matcher = self._contextual[row.number] = self.lexer.among(row)
        found = matcher(text, start, limit)
        if found is None:
            if kind == "NAME":
                kind = self.table.keywords.get(value.upper(), kind)
            raise self._unexpected(kind, value, start, stack)
        return found.lastgroup, found[0]

    def _unexpected(self, kind: str, value: str, start: int, stack: list[Any]) -> Unexpected:
        states = tuple([row.number for row in stack[::3]])
        return Unexpected(self._marks.get(kind, kind), value, start, lambda: self._accepted(states))

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
