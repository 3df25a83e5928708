"""Slips of writing: characters, quotes, names, parameters, and text around the query."""

from __future__ import annotations

import re
import unicodedata

from graphir.grammar.slips.scene import CLAUSES, Scene, Slip, quoted
from graphir.source import Span

_LOOKALIKES = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "′": "'", "´": "'",
    "–": "-", "—": "-", "−": "-", "→": "->", "←": "<-", "⇒": "->", "≥": ">=", "≤": "<=", "≠": "<>", "×": "*", "÷": "/",
    "…": "..", "·": "*",
}  # fmt: skip


def foreign_character(scene: Scene) -> Slip | None:
    if scene.at >= len(scene.tokens):
        return None
    token = scene.token()
    character = token.value[0]
    if token.value.isascii() and unicodedata.category(character) != "Cc":
        return None
    if token.kind == "word":
        plain = unicodedata.normalize("NFKC", token.value)
        if plain == token.value or not plain.isascii():
            return None
        return Slip("G015", f"`{token.value}` is not written in plain letters", token.span, f"write `{plain}`")
    if character in "\"'`$0123456789":
        return None
    shown = f"U+{ord(character):04X}" + (f" ({name.lower()})" if (name := unicodedata.name(character, "")) else "")
    span = Span(token.start, token.start + 1)
    plain = _LOOKALIKES.get(character) or unicodedata.normalize("NFKC", character)
    if plain != character and plain.isascii() and plain.strip():
        return Slip("G015", f"the character {shown} is not part of Cypher", span, f"write `{plain}`")
    if unicodedata.category(character) in ("Cf", "Cc", "Cn", "Co", "Cs"):
        return Slip("G015", f"the invisible character {shown} is not part of Cypher", span, "remove it")
    return Slip("G015", f"the character {shown} is not part of Cypher", span)


def fence(scene: Scene) -> Slip | None:
    """A query inside a Markdown code block: the scanner reads the three back-ticks as a back-ticked name."""
    begin = scene.text.find("```")
    if begin < 0 or scene.at >= len(scene.tokens):
        return None
    token = scene.token()
    if "```" not in token.value and not (token.start <= begin < token.end):
        return None
    hint = "give the text between the fences alone"
    return Slip("G016", "a Markdown fence is not part of the query", Span(begin, begin + 3), hint)


_ALONE = "give the query alone, without the text around it"
_QUOTES_AROUND = "give the query without the quotes around it"


def not_a_query(scene: Scene) -> Slip | None:
    """Prose, a command of a shell, or a query inside quotes, where a statement should begin."""
    if scene.at != 0 or not scene.tokens:
        return None
    token = scene.token()
    if token.kind == "string" and re.search(r"\b(?:MATCH|RETURN|CREATE|MERGE)\b", token.value, re.IGNORECASE):
        return Slip("G016", "the query stands inside quotes", Span(token.start, token.start + 1), _QUOTES_AROUND)
    if token.value == "<" and scene.kind(1) == "word" and scene.word(2) == ">":
        return Slip("G016", f"`<{scene.token(1).value}>` is markup, not Cypher", scene.span(0, 2), _ALONE)
    if token.kind == "word" and scene.word(1) == ":" and scene.touches(1) and token.value.upper() not in CLAUSES:
        return Slip("G016", f"`{token.value}:` begins no statement", scene.span(0, 1), _ALONE)
    if token.value == ":" and scene.kind(1) == "word" and scene.touches(1):
        hint = "commands that begin with `:` belong to Neo4j Browser and cypher-shell; give the query alone"
        return Slip("G016", f"`:{scene.token(1).value}` is a command of a shell, not Cypher", scene.span(0, 1), hint)
    return None


def markup_after(scene: Scene) -> Slip | None:
    """`<|im_end|>` and `</s>`: what a language model puts at the end."""
    mark = re.compile(r"<\|\w+\|>|</\w+>").search(scene.text)
    if mark is None or not scene.tokens or scene.at == 0:
        return None
    if mark.start() <= scene.span().start < mark.end():
        return Slip("G016", f"`{mark[0]}` is markup, not Cypher", Span(*mark.span()), _ALONE)
    return None


def prose_before(scene: Scene) -> Slip | None:
    """Words that are no statement, and a line further down that begins like one."""
    if scene.at != 0 or scene.kind() != "word" or scene.kind(1) not in ("word", "punctuation"):
        return None
    begins = re.search(r"^[ \t]*(MATCH|OPTIONAL MATCH|CREATE|MERGE|UNWIND|WITH|CALL|RETURN)\b", scene.text, re.I | re.M)
    three = scene.kind(1) == scene.kind(2) == "word"
    if begins and begins.start() > scene.token().start:
        hint = f"if the query begins at `{begins[1]}`, remove what stands before it"
        return Slip("G016", f"`{scene.token().value}` begins no statement", scene.span(), hint)
    if three and scene.word(1) not in CLAUSES:
        return Slip("G016", f"`{scene.token().value}` begins no statement: this reads like prose", scene.span())
    return None


def prose_after(scene: Scene) -> Slip | None:
    """Words after the end of the query, on a line of their own."""
    if scene.at == 0 or not (scene.kind() == scene.kind(1) == scene.kind(2) == scene.kind(3) == "word"):
        return None
    between = scene.text[scene.token(-1).end : scene.token().start]
    if between.count("\n") < 2 or any(scene.word(i) in CLAUSES for i in range(3)):
        return None
    hint = "remove the text after the query, or begin its lines with `//`"
    return Slip("G016", f"`{scene.token().value}` continues no query: this reads like prose", scene.span(), hint)


def quote_in_string(scene: Scene) -> Slip | None:
    """`'it's'`: the apostrophe ends the string, and the rest of the word follows at once."""
    if scene.at == 0 or scene.at >= len(scene.tokens) or scene.kind(-1) != "string" or not scene.touches(0):
        return None
    quote = scene.token(-1).value[0]
    end = scene.token(-1).end
    if scene.kind() == "string" and scene.token().value[0] == quote:
        message = f"a quote written twice ends the string and begins another: this is SQL's way to write {quote}"
        return Slip("G025", message, Span(end - 1, end + 1), f"a quote inside a string is written `\\{quote}`")
    if scene.kind() != "word":
        return None
    other = '"' if quote == "'" else "'"
    hint = f"if it belongs to the string, write it `\\{quote}` or put the string between {other}"
    return Slip("G025", f"the quote before `{scene.token().value}` ends the string", Span(end - 1, end), hint)


def invalid_number(scene: Scene) -> Slip | None:
    """`12abc`, `1__0`, `0x`: the parser takes the digits and breaks within the token, or after it."""
    for offset in (0, -1):
        if scene.kind(offset) != "number" or scene.at + offset < 0:
            continue
        value = scene.token(offset).value
        if not _NUMBER.fullmatch(value):
            return Slip("G030", f"`{value}` is no number", scene.span(offset), _NUMBER_FORMS)
    return None


_NUMBER_FORMS = "hexadecimal numbers begin with 0x, octal ones with 0o; `_` stands between digits"
_NUMBER = re.compile(
    r"0[xX](?:_?[0-9a-fA-F]+)+|0[oO](?:_?[0-7]+)+|(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?"
)


def string_as_name(scene: Scene) -> Slip | None:
    if scene.kind() != "string":
        return None
    value = scene.token().value[1:-1]
    before = scene.word(-1)
    if before == "AS":
        what = "an alias is a name, not a string"
    elif before in ("{", ",") and scene.bracket == "{" and scene.word(1) == ":":
        what = "the key of a map is a name, not a string"
    elif before == ".":
        what = "a property is a name, not a string"
    elif before in (":", "|", "&") and scene.bracket in ("(", "["):
        what = "a label or type is a name, not a string"
    else:
        return None
    return Slip("G024", what, scene.span(), f"write {quoted(value)}")


def unquoted_name(scene: Scene) -> Slip | None:
    """A label or type with a space, a hyphen or a digit in front, which only back-ticks allow."""
    if (
        scene.word() == "-"
        and scene.kind(1) == "word"
        and scene.touches(1)
        and "CALL" in (scene.word(-2), scene.word(-4))
    ):
        name = f"{scene.token(-1).value}-{scene.token(1).value}"
        return Slip("G023", "a name with a hyphen needs back-ticks", scene.span(-1, 1), f"write {quoted(name)}")
    if scene.bracket not in ("(", "[") or scene.at < 2:
        return None
    if scene.word(-1) in (":", "|", "&") and scene.kind() == "number":
        name = scene.token().value
        return Slip(
            "G023", "a name does not begin with a digit", scene.span(), f"write it in back-ticks: {quoted(name)}"
        )
    if scene.word(-2) not in (":", "|", "&") or scene.kind(-1) != "word":
        return None
    if scene.kind() == "word" and scene.word(1) != ":" and scene.word() not in CLAUSES | {"OR", "AND", "NOT", "IS"}:
        name = f"{scene.token(-1).value} {scene.token().value}"
    elif scene.word() == "-" and scene.kind(1) in ("word", "number") and scene.touches(0) and scene.touches(1):
        name = f"{scene.token(-1).value}-{scene.token(1).value}"
    else:
        return None
    return Slip("G023", "a name with a space or a hyphen needs back-ticks", scene.span(), f"write {quoted(name)}")


def placeholder(scene: Scene) -> Slip | None:
    """`{p}`, `${p}`, `{{p}}`, `:p`, `@p`, `?`, `%s`, `<p>`: what other templates write for a parameter."""
    word = scene.word()
    name = None
    first = 0
    if word == "}" and scene.word(-2) == "{" and scene.kind(-1) == "word" and scene.at >= 2:
        name, first = scene.token(-1).value, -2
        message = f"`{{{name}}}` is the parameter of old Cypher, or a map without a value"
        return Slip("G017", message, scene.span(first, 0), f"a parameter is written `${name}`")
    if word == "$" and scene.word(1) == "{" and scene.kind(2) == "word":
        message = f"`${{{scene.token(2).value}}}` is no parameter of Cypher"
        return Slip("G017", message, scene.span(0, 3), f"a parameter is written `${scene.token(2).value}`")
    if word == "{" and scene.word(-1) in ("$", "{") and scene.kind(1) == "word" and scene.word(2) == "}":
        name, first = scene.token(1).value, -1
    elif word in (":", "@", "%", "<") and scene.operand and scene.kind(1) == "word" and scene.at > 0:
        if word == "<" and scene.word(2) != ">":
            return None
        if word in (":", "%") and not scene.touches(1):
            return None
        name = scene.token(1).value
        if word == ":":
            return Slip("G017", "no expression begins with `:`", scene.span(0, 1), _AFTER_COLON.format(name))
    elif word == "?" and scene.operand:
        return Slip("G017", "`?` is no parameter of Cypher", scene.span(), "a parameter is written `$name`")
    if name is None:
        return None
    return Slip("G017", "this is no parameter of Cypher", scene.span(first, 1), f"a parameter is written `${name}`")


_AFTER_COLON = "a parameter is written `${0}`, a label predicate `variable:{0}`"


def label_placeholder(scene: Scene) -> Slip | None:
    """`(n:$label)`: a dynamic label takes its expression in parentheses."""
    value = scene.word()
    if scene.kind() == "parameter" and scene.word(-1) in (":", "|", "&", "IS"):
        hint = f"a label from a parameter is written `$({value})`"
        return Slip("G017", f"`{value}` cannot stand for a label or type as it is", scene.span(), hint)
    if scene.kind() == "parameter" and (scene.word(-1) in ("(", "[", ".", ")", "-") or "MATCH" in scene.words):
        return Slip(
            "G017", f"`{value}` cannot stand here", scene.span(), "a parameter stands for a value, not for a name"
        )
    return None
