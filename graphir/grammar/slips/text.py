"""Slips of writing: characters, quotes, names, parameters, and text around the query."""

from __future__ import annotations

import re
import unicodedata

from graphir.diagnostics import Edit, Fix
from graphir.grammar.slips.scene import CLAUSES, Scene, Slip, quoted, substitute
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
        fix = _straight_quotes(scene) if plain in "'\"" else substitute(span, character, plain, safe=True)
        return Slip("G015", f"the character {shown} is not part of Cypher", span, f"write `{plain}`", fix)
    if unicodedata.category(character) in ("Cf", "Cc", "Cn", "Co", "Cs"):
        fix = Fix("remove the invisible character", (Edit(span.start, span.end, ""),), True)
        return Slip("G015", f"the invisible character {shown} is not part of Cypher", span, "remove it", fix)
    return Slip("G015", f"the character {shown} is not part of Cypher", span)


_TYPOGRAPHIC = re.compile(r"[“”„«»]([^“”„«»\"\\\n]*)[“”«»]|[‘’‚′´]([^‘’‚′´'\\\n]*)[‘’′´]")


def _straight_quotes(scene: Scene) -> Fix | None:
    """Both quotes of the string become straight ones, where the string holds neither quotes nor backslashes."""
    string = _TYPOGRAPHIC.match(scene.text, scene.token().start)
    if string is None:
        return None
    quote = '"' if string[1] is not None else "'"
    edits = (Edit(string.start(), string.start() + 1, quote), Edit(string.end() - 1, string.end(), quote))
    return Fix(f"write `{quote}` for the typographic quotes", edits, True)


def fence(scene: Scene) -> Slip | None:
    """A query inside a Markdown code block: the scanner reads the three back-ticks as a back-ticked name."""
    begin = scene.text.find("```")
    if begin < 0 or scene.at >= len(scene.tokens):
        return None
    token = scene.token()
    if "```" not in token.value and not (token.start <= begin < token.end):
        return None
    hint = "give the text between the fences alone"
    return Slip("G016", "a Markdown fence is not part of the query", Span(begin, begin + 3), hint, _unfence(scene.text))


_FENCED = re.compile(r"```[^\S\n]*(?:\w+[^\S\n]*)?\n(.*?)\n?[^\S\n]*```", re.DOTALL)


def _unfence(text: str) -> Fix | None:
    """Only what stands in the one fenced block, or the text without a fence that has no partner."""
    blocks = list(_FENCED.finditer(text))
    if text.count("```") == 2 and len(blocks) == 1:
        return _keep(text, Span(*blocks[0].span(1)), "keep what stands between the fences", safe=True)
    if text.count("```") != 1:
        return None
    before, _, after = text.partition("```")
    if not before.strip():
        language = re.match(r"\s*(?:cypher|sql|gql)?\s", after, re.IGNORECASE)
        start = len(before) + 3 + (language.end() if language else 0)
        return _keep(text, Span(start, len(text)), "remove the fence", safe=True)
    if not after.strip():
        return _keep(text, Span(0, len(before)), "remove the fence", safe=True)
    return None


def _keep(text: str, span: Span, title: str, *, safe: bool = False) -> Fix:
    """The repair that removes all but a part of the text."""
    around = (Edit(0, span.start, ""), Edit(span.end, len(text), ""))
    return Fix(title, tuple(edit for edit in around if edit.start < edit.end), safe)


_ALONE = "give the query alone, without the text around it"
_QUOTES_AROUND = "give the query without the quotes around it"


def not_a_query(scene: Scene) -> Slip | None:
    """Prose, a command of a shell, or a query inside quotes, where a statement should begin."""
    if scene.at != 0 or not scene.tokens:
        return None
    token = scene.token()
    if token.kind == "string" and re.search(r"\b(?:MATCH|RETURN|CREATE|MERGE)\b", token.value, re.IGNORECASE):
        fix: Fix | None = None
        if len(scene.tokens) == 1 and "\\" not in token.value:
            fix = _keep(scene.text, Span(token.start + 1, token.end - 1), "remove the quotes around the query")
        return Slip("G016", "the query stands inside quotes", Span(token.start, token.start + 1), _QUOTES_AROUND, fix)
    if token.value == "<" and scene.kind(1) == "word" and scene.word(2) == ">":
        name = scene.token(1).value
        return Slip("G016", f"`<{name}>` is markup, not Cypher", scene.span(0, 2), _ALONE, _unwrap(scene.text, name))
    if token.kind == "word" and scene.word(1) == ":" and scene.touches(1) and token.value.upper() not in CLAUSES:
        label = scene.span(0, 1)
        rest = Span(scene.token(2).start, len(scene.text))
        fix = _keep(scene.text, rest, f"remove `{token.value}:`", safe=True)
        if "```" in scene.text:
            fix = _unfence(scene.text) or fix
        return Slip("G016", f"`{token.value}:` begins no statement", label, _ALONE, fix)
    if token.value == ":" and scene.kind(1) == "word" and scene.touches(1):
        hint = "commands that begin with `:` belong to Neo4j Browser and cypher-shell; give the query alone"
        return Slip("G016", f"`:{scene.token(1).value}` is a command of a shell, not Cypher", scene.span(0, 1), hint)
    return None


def _unwrap(text: str, name: str) -> Fix | None:
    """Without reasoning in tags, or without the tags around the query."""
    closing = re.search(rf"</{name}>", text, re.IGNORECASE)
    opening = text.index(">") + 1
    if closing is None:
        return _keep(text, Span(opening, len(text)), f"remove `<{name}>`", safe=True)
    if text[closing.end() :].strip():
        return _keep(text, Span(closing.end(), len(text)), f"remove the text in `<{name}>`", safe=True)
    return _keep(text, Span(opening, closing.start()), f"remove the `<{name}>` around the query", safe=True)


def markup_after(scene: Scene) -> Slip | None:
    """`<|im_end|>` and `</s>`: what a language model puts at the end."""
    mark = re.compile(r"<\|\w+\|>|</\w+>").search(scene.text)
    if mark is None or not scene.tokens or scene.at == 0:
        return None
    if mark.start() <= scene.span().start < mark.end():
        fix = _keep(scene.text, Span(0, mark.start()), f"keep what stands before `{mark[0]}`")
        if not scene.text[mark.end() :].strip():
            fix = substitute(Span(*mark.span()), mark[0], "", safe=True)
        return Slip("G016", f"`{mark[0]}` is markup, not Cypher", Span(*mark.span()), _ALONE, fix)
    return None


def prose_before(scene: Scene) -> Slip | None:
    """Words that are no statement, and a line further down that begins like one."""
    if scene.at != 0 or scene.kind() != "word" or scene.kind(1) not in ("word", "punctuation"):
        return None
    begins = re.search(r"^[ \t]*(MATCH|OPTIONAL MATCH|CREATE|MERGE|UNWIND|WITH|CALL|RETURN)\b", scene.text, re.I | re.M)
    three = scene.kind(1) == scene.kind(2) == "word"
    if begins and begins.start() > scene.token().start:
        hint = f"if the query begins at `{begins[1]}`, remove what stands before it"
        rest = Span(begins.start(), len(scene.text))
        fix = _unfence(scene.text) if "```" in scene.text else _keep(scene.text, rest, f"begin at `{begins[1]}`")
        return Slip("G016", f"`{scene.token().value}` begins no statement", scene.span(), hint, fix)
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
    message = f"`{scene.token().value}` continues no query: this reads like prose"
    fix = _keep(scene.text, Span(0, scene.token(-1).end), "remove the text after the query")
    return Slip("G016", message, scene.span(), hint, fix)


def quote_in_string(scene: Scene) -> Slip | None:
    """`'it's'`: the apostrophe ends the string, and the rest of the word follows at once."""
    if scene.at == 0 or scene.at >= len(scene.tokens) or scene.kind(-1) != "string" or not scene.touches(0):
        return None
    quote = scene.token(-1).value[0]
    end = scene.token(-1).end
    if scene.kind() == "string" and scene.token().value[0] == quote:
        message = f"a quote written twice ends the string and begins another: this is SQL's way to write {quote}"
        doubled = Span(end - 1, end + 1)
        fix = substitute(doubled, quote * 2, f"\\{quote}", safe=True)
        return Slip("G025", message, doubled, f"a quote inside a string is written `\\{quote}`", fix)
    if scene.kind() != "word":
        return None
    other = '"' if quote == "'" else "'"
    if scene.token(-1).value == quote * 2:
        return _doubled_quotes(scene, quote)
    hint = f"if it belongs to the string, write it `\\{quote}` or put the string between {other}"
    fix = substitute(Span(end - 1, end), quote, f"\\{quote}")
    return Slip("G025", f"the quote before `{scene.token().value}` ends the string", Span(end - 1, end), hint, fix)


def _doubled_quotes(scene: Scene, quote: str) -> Slip:
    """`""Ann""`: quotes that were doubled on the way, as CSV does."""
    start = scene.token(-1).start
    closing = scene.text.find(quote * 2, start + 2)
    word = scene.token().value
    fix = None
    if closing > 0 and quote not in scene.text[start + 2 : closing] and "\n" not in scene.text[start:closing]:
        edits = (Edit(start, start + 2, quote), Edit(closing, closing + 2, quote))
        fix = Fix(f"write {quote} for {quote * 2} on both sides", edits)
    message = f"the two quotes before `{word}` are an empty string"
    return Slip("G025", message, Span(start, start + 2), f"a string stands between single {quote}", fix)


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
    safe = "\\" not in value and value != "" and "`" not in value
    plain = re.fullmatch(r"[^\W\d]\w*", value) is not None
    fix = substitute(scene.span(), scene.token().value, value if plain else f"`{value}`", safe=True) if safe else None
    return Slip("G024", what, scene.span(), f"write {quoted(value)}", fix)


def unquoted_name(scene: Scene) -> Slip | None:
    """A label or type with a space, a hyphen or a digit in front, which only back-ticks allow."""
    if (
        scene.word() == "-"
        and scene.kind(1) == "word"
        and scene.touches(1)
        and "CALL" in (scene.word(-2), scene.word(-4))
    ):
        name = f"{scene.token(-1).value}-{scene.token(1).value}"
        fix = substitute(scene.span(-1, 1), name, f"`{name}`")
        return Slip("G023", "a name with a hyphen needs back-ticks", scene.span(-1, 1), f"write {quoted(name)}", fix)
    if scene.bracket not in ("(", "[") or scene.at < 2:
        return None
    if scene.word(-1) in (":", "|", "&") and scene.kind() == "number":
        name = scene.token().value
        hint = f"write it in back-ticks: {quoted(name)}"
        fix = substitute(scene.span(), name, f"`{name}`", safe=True)
        return Slip("G023", "a name does not begin with a digit", scene.span(), hint, fix)
    if scene.word(-2) not in (":", "|", "&") or scene.kind(-1) != "word":
        return None
    if scene.kind() == "word" and scene.word(1) != ":" and scene.word() not in CLAUSES | {"OR", "AND", "NOT", "IS"}:
        last = 0
        while scene.kind(last + 1) == "word" and scene.word(last + 1) not in CLAUSES:
            last += 1
    elif scene.word() == "-" and scene.kind(1) in ("word", "number") and scene.touches(0) and scene.touches(1):
        last = 1
    else:
        return None
    whole = scene.span(-1, last)
    name = " ".join(scene.text[whole.start : whole.end].split())
    fix = substitute(whole, name, f"`{name}`")
    message = "a name with a space or a hyphen needs back-ticks"
    return Slip("G023", message, scene.span(), f"write {quoted(name)}", fix)


def placeholder(scene: Scene) -> Slip | None:
    """`{p}`, `${p}`, `{{p}}`, `:p`, `@p`, `?`, `%s`, `<p>`: what other templates write for a parameter."""
    word = scene.word()
    name = None
    fix: Fix | None
    first = 0
    if word == "}" and scene.word(-2) == "{" and scene.kind(-1) == "word" and scene.at >= 2:
        name, first = scene.token(-1).value, -2
        message = f"`{{{name}}}` is the parameter of old Cypher, or a map without a value"
        fix = substitute(scene.span(first, 0), f"{{{name}}}", f"${name}", safe=True)
        return Slip("G017", message, scene.span(first, 0), f"a parameter is written `${name}`", fix)
    if word == "$" and scene.word(1) == "{" and scene.kind(2) == "word":
        name = scene.token(2).value
        fix = substitute(scene.span(0, 3), f"${{{name}}}", f"${name}", safe=True) if scene.word(3) == "}" else None
        message = f"`${{{name}}}` is no parameter of Cypher"
        return Slip("G017", message, scene.span(0, 3), f"a parameter is written `${name}`", fix)
    if word == "{" and scene.word(-1) in ("$", "{") and scene.kind(1) == "word" and scene.word(2) == "}":
        name, first = scene.token(1).value, -1
    elif word in (":", "@", "%", "<") and scene.operand and scene.kind(1) == "word" and scene.at > 0:
        if word == "<" and scene.word(2) != ">":
            return None
        if word in (":", "%") and not scene.touches(1):
            return None
        name = scene.token(1).value
        if word == ":":
            fix = substitute(scene.span(0, 1), f":{name}", f"${name}")
            return Slip("G017", "no expression begins with `:`", scene.span(0, 1), _AFTER_COLON.format(name), fix)
    elif word == "?" and scene.operand:
        return Slip("G017", "`?` is no parameter of Cypher", scene.span(), "a parameter is written `$name`")
    if name is None:
        return None
    whole = scene.span(first, {"{": 3 if scene.word(-1) == "{" else 2, "<": 2, "%": 1}.get(word, 1))
    if scene.text[whole.end - 1] not in "}>" and word in "{<":
        whole = scene.span(first, 1)
    fix = substitute(whole, scene.text[whole.start : whole.end], f"${name}")
    return Slip(
        "G017", "this is no parameter of Cypher", scene.span(first, 1), f"a parameter is written `${name}`", fix
    )


_AFTER_COLON = "a parameter is written `${0}`, a label predicate `variable:{0}`"


def label_placeholder(scene: Scene) -> Slip | None:
    """`(n:$label)`: a dynamic label takes its expression in parentheses."""
    value = scene.word()
    if scene.kind() == "parameter" and scene.word(-1) in (":", "|", "&", "IS"):
        hint = f"a label from a parameter is written `$({value})`"
        fix = substitute(scene.span(), value, f"$({value})")
        return Slip("G017", f"`{value}` cannot stand for a label or type as it is", scene.span(), hint, fix)
    if scene.kind() == "parameter" and (scene.word(-1) in ("(", "[", ".", ")", "-") or "MATCH" in scene.words):
        return Slip(
            "G017", f"`{value}` cannot stand here", scene.span(), "a parameter stands for a value, not for a name"
        )
    return None
