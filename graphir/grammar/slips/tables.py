"""Slips in SQL/PGQ: pieces of Cypher and of other dialects in a GRAPH_TABLE, and what is missing there.

Each test answers with a `Slip`, or with None where the text shows nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable

from graphir.diagnostics import Edit, Fix
from graphir.grammar.lexical import Token
from graphir.grammar.slips.scene import Scene, Slip, insert, substitute
from graphir.source import Span

_OUTSIDE = {
    "ORDER": "ORDER BY",
    "LIMIT": "LIMIT",
    "FETCH": "FETCH",
    "OFFSET": "OFFSET",
    "GROUP": "GROUP BY",
    "HAVING": "HAVING",
}
_CLAUSES = {
    "OPTIONAL": "an OPTIONAL MATCH is a LEFT JOIN with another GRAPH_TABLE",
    "MATCH": "write a comma and the other path, or another GRAPH_TABLE",
    "WITH": "write WITH around the query, and aggregate outside of GRAPH_TABLE",
    "UNWIND": "join with UNNEST outside of GRAPH_TABLE",
    "SET": "change the tables of the graph",
    "DELETE": "change the tables of the graph",
    "CALL": "write a subquery outside of GRAPH_TABLE",
}
_COMMENT, _EDGE = "`--` begins a comment", "an edge is written `-[e IS label]->`"
_OPERATORS = {"==": "=", "&&": "AND"}


Test = Callable[[Scene], Slip | None]


def find(scene: Scene, tests: tuple[Test, ...]) -> Slip | None:
    """The first slip that the scene shows."""
    return next((slip for test in tests if (slip := test(scene)) is not None), None)


def comment(text: str, span: Span) -> Slip | None:
    """`(a)-->(b)` and `(a)--(b)`: two dashes begin a comment, which is at that place."""
    written = text[span.start : span.end]
    before = text[: span.start].rstrip()[-1:]
    if written[:2] != "--" or before not in (")", "<") or written[2:3] not in (">", "(", "["):
        return None
    short = "->" if written[2:3] == ">" else "-"
    fix = substitute(Span(span.start, span.start + 2 + (short == "->")), written[: 1 + len(short)], short)
    return Slip("G028", _COMMENT, Span(span.start, span.start + 2), _EDGE, fix)


def _left_dashes(scene: Scene) -> Slip | None:
    """`(a)<--(b)`: the same to the left."""
    start = scene.token().start
    if scene.text[start : start + 3] != "<--":
        return None
    at = Span(start, start + 3)
    return Slip("G028", _COMMENT, at, _EDGE, substitute(at, "<--", "<-"))


def _repetition(scene: Scene) -> Slip | None:
    """`-[e IS knows*1..3]->`: the number of repetitions, as Cypher has it."""
    if scene.word() not in ("*", "..") or scene.bracket != "[":
        return None
    star = scene.at if scene.word() == "*" else scene.at - 1
    end = next((i for i in range(star + 1, len(scene.tokens)) if scene.tokens[i].value == "]"), None)
    if end is None or scene.tokens[star].value != "*":
        return None
    bounds = "".join([token.value for token in scene.tokens[star + 1 : end]])
    low, dots, high = bounds.partition("..")
    if not all(each == "" or each.isdecimal() for each in (low, high)):
        return None
    quantifier = f"{{{low}}}" if low and not dots else f"{{{low or 1},{high}}}"
    at = Span(scene.tokens[star].start, scene.tokens[end - 1].end)
    behind = _arrow_end(scene.tokens, end)
    fix = None
    if behind is not None:
        edits = (Edit(at.start, at.end, ""), Edit(behind, behind, quantifier))
        fix = Fix(f"write `{quantifier}` behind the edge", edits)
    return Slip("G028", "a repetition stands behind the edge", at, f"write `-[..]->{quantifier}`", fix)


def _arrow_end(tokens: list[Token], bracket: int) -> int | None:
    """Where the edge ends whose `]` is at an index."""
    value = "".join([token.value for token in tokens[bracket + 1 : bracket + 3]])
    if value.startswith("->"):
        return tokens[bracket + 1].start + 2
    return tokens[bracket + 1].start + 1 if value.startswith("-") else None


def _early_quantifier(scene: Scene) -> Slip | None:
    """`-[e IS knows]{1,3}->`: a quantifier before the end of its edge."""
    if scene.word(-1) != "]" or scene.word() not in ("{", "*", "+"):
        return None
    last = scene.at
    if scene.word() == "{":
        last = next((i for i in range(scene.at, len(scene.tokens)) if scene.tokens[i].value == "}"), scene.at)
    behind = _arrow_end(scene.tokens, last)
    at = Span(scene.token().start, scene.tokens[last].end)
    written = scene.text[at.start : at.end]
    fix = None
    if behind is not None:
        edits = (Edit(at.start, at.end, ""), Edit(behind, behind, written))
        fix = Fix(f"write `{written}` behind the edge", edits, True)
    return Slip("G028", "a quantifier stands behind the whole edge", at, f"write `-[..]->{written}`", fix)


def _dotted_bounds(scene: Scene) -> Slip | None:
    """`{1..3}`: bounds are parted by a comma."""
    if scene.bracket != "{":
        return None
    start = scene.tokens[scene.opened[-1]].end
    end = scene.text.find("}", start)
    low, dots, high = scene.text[start:end].partition("..")
    if end < 0 or not dots or not all(each == "" or each.isdecimal() for each in (low, high)):
        return None
    at = Span(start + len(low), start + len(low) + 2)
    fix = substitute(at, "..", ",", safe=True)
    return Slip("G028", "the bounds of a quantifier are parted by a comma", at, f"write `{{{low},{high}}}`", fix)


def _operator(scene: Scene) -> Slip | None:
    for first in (0, -1):
        both = scene.word(first) + scene.word(first + 1)
        if both in _OPERATORS and scene.at + first >= 0 and scene.touches(first + 1):
            at = scene.span(first, first + 1)
            fix = substitute(at, both, _OPERATORS[both], safe=True)
            return Slip("G014", f"SQL has no operator `{both}`", at, f"write `{_OPERATORS[both]}`", fix)
    return None


def _backticks(scene: Scene) -> Slip | None:
    """`` `name` ``: names stand in double quotes."""
    if scene.word() != "`":
        return None
    end = scene.text.find("`", scene.token().end)
    if end < 0 or '"' in scene.text[scene.token().end : end]:
        return None
    at = Span(scene.token().start, end + 1)
    name = scene.text[at.start + 1 : end]
    fix = substitute(at, scene.text[at.start : at.end], f'"{name}"', safe=True)
    return Slip("G015", "a name stands in double quotes", at, f'write "{name}"', fix)


def _in_graph_table(scene: Scene) -> bool:
    return scene.bracket == "(" and scene.owner == "GRAPH_TABLE"


def _missing_match(scene: Scene) -> Slip | None:
    """`GRAPH_TABLE (g (a IS person) ..`: what follows the name of the graph."""
    if not _in_graph_table(scene):
        return None
    opened = scene.opened[-1]
    first = scene.tokens[opened + 1].value.upper() if opened + 1 < len(scene.tokens) else ""
    if first == "MATCH" and scene.at == opened + 2:
        at = scene.span(-1)
        return Slip("G031", "the name of the graph is missing before MATCH", at, "write GRAPH_TABLE (graph MATCH ..)")
    if scene.at != opened + 2:
        return None
    if scene.word() == "(":
        fix = insert(scene.token().start, "MATCH ")
        return Slip("G031", "MATCH is missing before the pattern", scene.span(), "write MATCH", fix)
    if scene.word() == "," and scene.word(1) == "MATCH":
        fix = substitute(scene.span(), ",", "", safe=True)
        return Slip("G026", "no comma stands behind the name of the graph", scene.span(), "leave it out", fix)
    if scene.kind() in ("word", "string") or scene.word() == ",":
        return Slip("G031", "MATCH is missing behind the name of the graph", scene.span(), "write MATCH and a pattern")
    return None


def _clause(scene: Scene) -> Slip | None:
    """A clause of Cypher between the pattern and COLUMNS, or one of SQL behind it."""
    if scene.word() == "COLUMNS" and _in_graph_table(scene):
        at = _first_clause(scene)
        if at is None:
            return None
        token = scene.tokens[at]
        word = token.value.upper()
        shown = "OPTIONAL MATCH" if word == "OPTIONAL" else f"a second {word}" if word == "MATCH" else word
        message = f"{shown} does not stand in GRAPH_TABLE, which has one MATCH, WHERE and COLUMNS"
        return Slip("G019", message, token.span, _CLAUSES[word], None, token.span)
    if _in_graph_table(scene) and scene.word() in _OUTSIDE and scene.word(-1) == ")":
        message = f"{_OUTSIDE[scene.word()]} stands outside of GRAPH_TABLE"
        return Slip("G019", message, scene.span(), "write it behind GRAPH_TABLE (..)")
    if _in_graph_table(scene) and scene.word() == "WHERE" and scene.word(-1) == ")":
        return Slip("G019", "WHERE stands before COLUMNS", scene.span(), "write it behind the pattern")
    return None


def _first_clause(scene: Scene) -> int | None:
    """The first token behind the pattern of a GRAPH_TABLE that begins a clause of Cypher."""
    depth, seen = 0, False
    for index in range(scene.opened[-1] + 1, scene.at):
        value = scene.tokens[index].value
        if value in ("(", "[", "{"):
            depth += 1
        elif value in (")", "]", "}"):
            depth -= 1
        elif depth == 0 and scene.tokens[index].kind == "word":
            if seen and value.upper() in _CLAUSES:
                return index
            seen = seen or value.upper() == "MATCH"
    return None


OF_PATTERNS: tuple[Test, ...] = (_left_dashes, _repetition, _early_quantifier, _dotted_bounds)
"""Those that GQL may show, too."""
OF_SQL: tuple[Test, ...] = (_backticks, *OF_PATTERNS, _operator, _missing_match, _clause)
"""Those of the dialects whose GRAPH_TABLE holds a pattern alone."""
