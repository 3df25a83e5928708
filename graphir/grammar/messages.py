"""Turns a token that the grammar could not take into a diagnostic for people.

Says what was found and, in words, what could have stood there: terminals are grouped ("an expression", "a clause"), so
that the list stays short.  The mistakes that people make are `graphir.grammar.slips`; this module knows the grammar's
terminals, which it names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import get_close_matches

from graphir.diagnostics import Diagnostic, Edit, Fix, diagnose
from graphir.grammar.lexical import IDENTITY, OffsetMap, Token, closed, describe_unterminated, scan
from graphir.grammar.slips import find
from graphir.grammar.slips.scene import Scene, Slip
from graphir.source import Source, Span

# ------------------------------------------------------------------ words for terminals

# What a terminal is called in a message; a keyword is its own word.
WORDS: dict[str, str] = {
    "$END": "the end of the query",
    "NAME": "a name",
    "QUOTED_NAME": "a name",
    "STRING": "a string",
    "INT": "a whole number",
    "FLOAT": "a number",
    "PARAM": "a parameter",
    "DYNAMIC": "`$(`",
    "COMPARISON": "a comparison",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "COMMA": "`,`",
    "SEMICOLON": "`;`",
    "COLON": "`:`",
    "DOUBLE_COLON": "`::`",
    "DOT": "`.`",
    "BAR": "`|`",
    "BAR_COLON": "`|:`",
    "AMPERSAND": "`&`",
    "BANG": "`!`",
    "EQUAL": "`=`",
    "PLUS_EQUAL": "`+=`",
    "MATCHES": "`=~`",
    "LESS": "`<`",
    "GREATER": "`>`",
    "RANGE": "`..`",
    "STAR": "`*`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "SLASH": "`/`",
    "PERCENT": "`%`",
    "CONCAT": "`||`",
    "CIRCUMFLEX": "`^`",
    "DASH": "`-`",
    "LIST_MINUS": "`-`",
    "LIST_LESS": "`<`",
    "DASH_BRACKET": "`-[`",
    "LARROW_BRACKET": "`<-[`",
    "DASH_DASH": "`--`",
    "DASH_DASH_RARROW": "`-->`",
    "LARROW_DASH": "`<--`",
    "LARROW_DASH_RARROW": "`<-->`",
    "RARROW": "`->`",
    "SUBQUERY": "a subquery",
    "REDUCE": "`reduce(`",
    "ALL_REDUCE": "`allReduce(`",
    "SHORTEST_PATH": "`shortestPath(`",
    "ALL_ROWS": "`ALL`",
    "TRIM_SIDE": "`LEADING`, `TRAILING` or `BOTH`",
    "NORMAL_FORM": "a normal form",
    "TIME_ZONE": "`WITH TIME ZONE`",
    "INDEX_KIND": "a kind of index",
    "TYPE_OPEN": "a type",
    "VECTOR_CALL": "`vector(`",
    "RETRY_FOR": "`RETRY FOR`",
    "ALL_PATHS": "`ALL`",
    "ZONED_TYPE": "a type",
    "NAME_BAR": "`|`",
    "SHORTEST_PATHS": "`SHORTEST`",
    "VBAR": "`|`",
    "DOUBLE_STAR": "`**`",
    "FAT_ARROW": "`=>`",
    "TILDE": "`~`",
    "LTILDE": "`<~`",
    "TILDE_RARROW": "`~>`",
    "TILDE_BRACKET": "`~[`",
    "LTILDE_BRACKET": "`<~[`",
    "LARROW": "`<-`",
    "BOTH_ARROW": "`<->`",
    "SHIFT": "`<<`",
    "LOW_CONCAT": "`||`",
    "COUNT_BODY": "`COUNT {`",
    "FETCH": "`FETCH FIRST`",
    "ROWS_END": "`ROWS`",
    "TIES": "`WITH TIES`",
    "PERCENT_OF": "`PERCENT`",
    "ONE_ROW": "`ONE ROW PER`",
    "APPLY": "`CROSS APPLY`",
    "FILTER_WHERE": "`FILTER`",
    "WITHIN_GROUP": "`WITHIN GROUP`",
    "MINUS_WORD": "`MINUS`",
    "FOR_WITH": "`WITH OFFSET`",
    "IN_PAREN": "`IN`",
    "PER": "`PER`",
    "WITH_OPEN": "`WITH(`",
    "SAMPLE_WITH": "`WITH WEIGHT`",
    "SQL_WITH": "`WITH`",
    "SQL_FROM": "`FROM`",
    "EXCEPT_COLUMNS": "`EXCEPT`",
    "PERCENT_WORD": "`PERCENT`",
    "PATH_OPEN": "`PATH[`",
    "TYPED_STRING": "a string",
    "PREFIXED_STRING": "a string",
    "TYPE_PREFIX": "a type",
    "AS_OF": "`AS OF`",
    "QMARK": "`?`",
}

_OPERAND = frozenset(
    {
        "STRING", "INT", "FLOAT", "PARAM", "NAME", "QUOTED_NAME", "LPAR", "LSQB", "LBRACE", "PLUS", "MINUS", "NOT",
        "CASE", "TRUE", "FALSE", "NULL", "INF", "INFINITY", "NAN", "SUBQUERY", "REDUCE", "ALL_REDUCE", "TRIM_SIDE",
        "VECTOR_CALL", "LIST_MINUS",
    }
)  # fmt: skip
_OPERATOR = frozenset(
    {
        "STAR", "PLUS", "MINUS", "SLASH", "PERCENT", "CONCAT", "CIRCUMFLEX", "COMPARISON", "EQUAL", "LESS",
        "GREATER", "IN", "STARTS", "ENDS",
        "CONTAINS", "IS", "MATCHES", "DOUBLE_COLON", "AND", "OR", "XOR", "DOT", "LSQB", "COLON", "DASH_BRACKET",
        "LARROW_BRACKET", "DASH_DASH", "DASH_DASH_RARROW", "LARROW_DASH", "LARROW_DASH_RARROW", "LPAR", "LBRACE",
        "PARAM", "BAR_COLON", "AMPERSAND", "LIST_MINUS", "LIST_LESS",
    }
)  # fmt: skip
_UPDATE = frozenset({"CREATE", "INSERT", "MERGE", "SET", "REMOVE", "DELETE", "DETACH", "NODETACH", "FOREACH"})
_CLAUSE = _UPDATE | {
    "MATCH", "OPTIONAL", "UNWIND", "FOR", "LET", "FILTER", "WITH", "RETURN", "FINISH", "ORDER", "SKIP", "OFFSET",
    "LIMIT", "CALL", "LOAD", "USE", "UNION", "NEXT", "EXPLAIN", "PROFILE", "CYPHER", "WHEN",
}  # fmt: skip
_RELATIONSHIP = frozenset(
    {"DASH_BRACKET", "LARROW_BRACKET", "DASH_DASH", "DASH_DASH_RARROW", "LARROW_DASH", "LARROW_DASH_RARROW"}
)
_PATTERN = frozenset(
    {
        "NAME", "QUOTED_NAME", "LPAR", "SHORTEST_PATH", "ALL", "ALL_PATHS", "ANY", "SHORTEST", "WALK", "TRAIL",
        "ACYCLIC", "REPEATABLE", "DIFFERENT", "PATHS",
    }
)  # fmt: skip

# A group stands for its members where all of its marks could stand: words, marks, members.
_GROUPS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("an operator", frozenset({"SLASH", "CONCAT"}), _OPERATOR),
    ("an operator", frozenset({"COMPARISON", "AND"}), _OPERATOR),
    ("a relationship", frozenset({"DASH_BRACKET", "DASH_DASH"}), _RELATIONSHIP),
    ("an expression", frozenset({"STRING", "CASE"}), _OPERAND),
    ("a clause", frozenset({"MATCH", "UNWIND", "MERGE"}), _CLAUSE),
    ("an updating clause", frozenset({"CREATE", "MERGE", "SET"}), _UPDATE),
    ("a pattern", frozenset({"SHORTEST_PATH", "LPAR"}), _PATTERN),
    (
        "a label",
        frozenset({"DYNAMIC", "PERCENT"}),
        frozenset({"NAME", "QUOTED_NAME", "DYNAMIC", "PERCENT", "BANG"}),
    ),
)
# Where a group is named, these go without saying.
_QUIET = frozenset({"SEMICOLON", "DASH", "BAR_COLON"})


def name(terminal: str) -> str:
    """The word for one terminal."""
    return WORDS.get(terminal) or f"`{terminal}`"


def expectation(expected: frozenset[str]) -> tuple[str, ...]:
    """What could have stood there, in words: groups first, then marks, then keywords, then the end."""
    left = set(expected) - _QUIET
    found: list[str] = []
    for group, signs, members in _GROUPS:
        if signs <= left:
            found.append(group)
            left -= members
    if "NAME" in left:
        found.append("a name")
        left -= {"NAME", "QUOTED_NAME"}
    marks = sorted(name(t) for t in left if t in WORDS and t != "$END")
    keywords = sorted(name(t) for t in left if t not in WORDS)
    end = [WORDS["$END"]] if "$END" in left else []
    return tuple(dict.fromkeys([*found, *marks, *keywords, *end]))


def sentence(expected: Iterable[str], limit: int = 7) -> str:
    """`a, b or c`; a long list is cut."""
    items = list(expected)
    if len(items) > limit:
        return ", ".join(items[:limit]) + ", .."
    return " or ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def suggest(found: str, expected: Iterable[str]) -> str | None:
    """A did-you-mean for a word, where it is close to one of the quoted words expected."""
    known = [word[1:-1] for word in expected if word[1:2].isalpha() and word.startswith("`")]
    close = get_close_matches(found.upper(), known, n=1, cutoff=0.75)
    return f"did you mean `{close[0]}`?" if close else None


# ------------------------------------------------------------------ diagnostics


def describe(
    source: Source,
    dialect: str,
    position: int,
    expected: frozenset[str],
    *,
    text: str | None = None,
    offsets: OffsetMap = IDENTITY,
    base: int = 0,
    helps: Callable[[Fix], bool] | None = None,
) -> Diagnostic:
    """The diagnostic of a statement that does not parse: no rule takes the token at `position` of the statement.

    `expected` are the terminals that could stand there.  `text` is what the parser read: the statement with its escapes
    resolved, which begins at `base` of the whole text with escapes resolved; `offsets` lead from there to `source`.
    Without them the source is the statement.  `helps` tries a repair of the statement; without it none is offered.
    """
    statement = source.text if text is None else text

    def place(span: Span) -> Span:
        return offsets.span(Span(span.start + base, span.end + base))

    tokens = [t for t in scan(statement) if t.kind != "comment" or not closed(statement, t.span)]
    at = _guilty(tokens, position)
    open_end = tokens[-1] if tokens and not closed(statement, tokens[-1].span) else None
    scene = _scene(statement, tokens, at, dialect, expected)
    slip = _mispaired(scene, open_end) or next(find(scene), None)
    # What is never closed swallows brackets, so that nothing can be said of them.
    fenced = slip is not None and slip.code == "G016" and "```" in statement
    if open_end is not None and not fenced and (at >= len(tokens) - 1 or (slip and slip.code == "G010")):
        opening = open_end.value.lstrip("$")[0]
        width = 2 if opening == "/" else len(open_end.value) - len(open_end.value.lstrip("$")) + 1
        found = describe_unterminated(source, opening, place(Span(open_end.start, open_end.start + width)))
        return _reopened(found, tokens)
    words = expectation(expected)
    if slip is not None:
        shown = words if slip.code in ("G009", "G011") else ()
        if slip.fix is not None and (helps is None or not helps(slip.fix)):
            slip = slip._replace(fix=None)
        return _placed(source, scene, slip, place, shown)
    span = place(scene.span())
    if at >= len(tokens):
        message = f"the query ends too early: expected {sentence(words)}"
        return diagnose(source, "G009", message, span, expected=words)
    words = tuple(word for word in words if word != f"`{tokens[at].value.upper()}`")
    message = f"unexpected `{_shorten(tokens[at].value)}`: expected {sentence(words)}"
    return diagnose(source, "G001", message, span, expected=words)


def _placed(
    source: Source, scene: Scene, slip: Slip, place: Callable[[Span], Span], expected: tuple[str, ...]
) -> Diagnostic:
    """The diagnostic of a slip, at the guilty token or next to it; the message says where a remote cause is."""
    span = slip.span
    origin = None if slip.origin is None or slip.origin == span else place(slip.origin).start
    near = scene.token(-1).start if scene.at else 0
    if span.start < near and slip.origin is None:
        span = Span(near, max(span.end, scene.token(-1).end))
    fix = slip.fix
    if fix is not None:
        edits = [(place(Span(edit.start, edit.end)), edit.text) for edit in fix.edits]
        fix = replace(fix, edits=tuple(Edit(to.start, to.end, text) for to, text in edits))
    return diagnose(
        source, slip.code, slip.message, place(span), hint=slip.hint, fix=fix, expected=expected, origin=origin
    )


def _guilty(tokens: list[Token], position: int) -> int:
    """The index of the token at the position; the number of tokens at the end."""
    if not tokens or position >= tokens[-1].end:
        return len(tokens)
    return max(bisect_right(tokens, position, key=lambda t: t.start) - 1, 0)


def _scene(text: str, tokens: list[Token], at: int, dialect: str, expected: frozenset[str]) -> Scene:
    keywords = frozenset(t for t in expected - WORDS.keys() if t.isalpha())
    marks = frozenset(WORDS[t].strip("`") for t in expected if t in WORDS)
    return Scene(text, tokens, at, dialect, keywords, marks, "STRING" in expected)


def _reopened(found: Diagnostic, tokens: list[Token]) -> Diagnostic:
    """`type(r) = KNOWS'`: where the quote follows a word at once, it may be the closing one."""
    if found.code != "G002" or len(tokens) < 2 or tokens[-2].kind != "word" or tokens[-2].end != tokens[-1].start:
        return found
    quote = tokens[-1].value[0]
    return replace(
        found, hint=f"if it closes a string, write `{quote}{tokens[-2].value}{quote}`; else close the string"
    )


def _mispaired(scene: Scene, open_end: Token | None) -> Slip | None:
    """A quote is missing: the quotes do not pair up, and the query breaks right after a string that ends too late."""
    if open_end is None or open_end.value[0] not in "'\"":
        return None
    string = scene.token(0 if scene.kind() == "string" else -1)
    if string.kind != "string":
        return None
    if not any(mark in string.value for mark in ("\n", ")", "}", "]", ",")):
        return None
    hint = f"a {string.value[0]} is missing: as it stands, this string ends only at `{string.value[-12:]}`"
    return Slip("G002", "the quotes do not pair up from here", Span(string.start, string.start + 1), hint)


def _shorten(value: str) -> str:
    line = value.split("\n", 1)[0]
    return line if len(line) <= 40 else line[:39] + "…"
