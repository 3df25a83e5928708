"""Slips between clauses: their order, commas, aliases, CASE, misspelled keywords, brackets."""

from __future__ import annotations

from difflib import get_close_matches

from graphir.grammar.lexical import Token
from graphir.grammar.slips.scene import (
    BEGINNINGS,
    CLAUSES,
    CLOSING,
    OPERATOR_WORDS,
    Scene,
    Slip,
    balanced,
    ends_operand,
    insert,
    quoted,
    substitute,
    unclosed,
)


def clause_order(scene: Scene) -> Slip | None:
    word = scene.word()
    if scene.at >= len(scene.tokens) or (scene.kind() != "word" and word != ","):
        return None
    if word == "WHERE":
        return _misplaced_where(scene)
    if word == "ON" and scene.word(1) in ("CREATE", "MATCH") and scene.clause != "MERGE":
        return Slip("G019", "`ON CREATE` and `ON MATCH` belong to MERGE", scene.span(0, 1), None)
    if word in ("ORDER", "SKIP", "OFFSET", "LIMIT") and scene.clause in ("SKIP", "OFFSET", "LIMIT"):
        hint = "the order is `ORDER BY`, `SKIP`, `LIMIT`"
        return Slip("G019", f"`{word}` cannot follow `{scene.clause}`", scene.span(), hint)
    if word == "AS" and scene.clause == "CALL" and scene.word(-1) == ")":
        return Slip(
            "G019", "the columns of a procedure are named by YIELD", scene.span(), "write `YIELD column AS name`"
        )
    if word == "GROUP" and scene.word(1) == "BY" and scene.clause in ("MATCH", "WHERE", "WITH", "UNWIND"):
        hint = "the columns of RETURN and WITH without an aggregate are the grouping keys"
        return Slip("G019", "`GROUP BY` follows RETURN or WITH", scene.span(0, 1), hint)
    if word == "," and scene.clause == "MERGE" and not scene.opened:
        return Slip("G019", "MERGE takes one pattern", scene.span(), "write another `MERGE` for the next pattern")
    if word in ("AND", "OR", "XOR") and scene.clause in ("MATCH", "OPTIONAL") and scene.word(-1) in (")", "}"):
        hint = "conditions stand after `WHERE`; patterns are separated by commas"
        return Slip("G019", f"`{word}` cannot follow a pattern", scene.span(), hint)
    return None


def _misplaced_where(scene: Scene) -> Slip | None:
    clause = scene.clause
    if scene.at == 0:
        return Slip("G019", "a query does not begin with `WHERE`", scene.span(), "it stands after `MATCH` or `WITH`")
    hints = {
        "RETURN": "filter before: put it after `MATCH`, or write `WITH .. WHERE .. RETURN ..`",
        "WHERE": "join the conditions with `AND`",
        "ORDER": "filter before sorting: put `WHERE` before `ORDER BY`, or write `WITH .. ORDER BY .. WHERE ..`",
        "SKIP": "filter first: `WITH .. WHERE .. RETURN .. SKIP ..`",
        "LIMIT": "filter first: `WITH .. WHERE .. RETURN .. LIMIT ..`",
        "UNWIND": "filter after `WITH`: `UNWIND list AS x WITH x WHERE ..`",
        "CREATE": "`WHERE` belongs to `MATCH` and `WITH`",
        "MERGE": "`WHERE` belongs to `MATCH` and `WITH`",
        "SET": "filter before: `MATCH .. WHERE .. SET ..`",
        "REMOVE": "filter before: `MATCH .. WHERE .. REMOVE ..`",
        "DELETE": "filter before: `MATCH .. WHERE .. DELETE ..`",
        "CALL": "filter what a procedure yields: `CALL .. YIELD x WHERE ..`",
    }
    if clause not in hints:
        return None
    return Slip("G019", f"`WHERE` cannot follow `{clause}`", scene.span(), hints[clause])


def missing_keyword(scene: Scene) -> Slip | None:
    """`MATCH (n) n.age > 3 ..`, `(n) RETURN n`: the word that begins the clause is not there."""
    if scene.at == 0 and scene.word() == "(":
        hint = "patterns begin with `MATCH`, `CREATE` or `MERGE`"
        return Slip("G031", "a clause is missing before this pattern", scene.span(), hint)
    follows = scene.clause in ("MATCH", "OPTIONAL") and scene.word(-1) in (")", "}") and "WHERE" in scene.words
    follows = follows and not scene.opened and scene.word() not in CLAUSES
    if follows and scene.kind() == "word" and scene.word(1) in (".", "="):
        hint = "conditions begin with `WHERE`, columns with `RETURN` or `WITH`"
        return Slip("G031", f"a clause is missing before `{scene.token().value}`", scene.span(), hint)
    return None


def missing_alias(scene: Scene) -> Slip | None:
    """`RETURN n.name name`: an alias without AS, or a column without its comma."""
    if not scene.alias or scene.kind() not in ("word", "name", "string") or not ends_operand(scene, -1):
        return None
    if scene.kind() == "word" and (scene.word() in CLAUSES or scene.word() in OPERATOR_WORDS):
        return None
    after = scene.word(1)
    value = scene.token().value
    if after in ("(", ".", "[", "AS") and scene.comma and scene.kind() != "string":
        return _missing_comma(scene)
    if after in ("", ",", ")", "}", ";") or (scene.kind(1) == "word" and after in CLAUSES):
        name = value if scene.kind() != "string" else value[1:-1]
        also = f", or a comma before `{value}`" if scene.comma and scene.kind() == "word" else ""
        hint = f"write {quoted(name, 'AS ')}{also}"
        fix = insert(scene.token().start, "AS ") if scene.kind() != "string" else None
        return Slip("G020", f"`AS` is missing before `{value}`", scene.span(), hint, fix)
    return None


def missing_comma(scene: Scene) -> Slip | None:
    """Two elements of a list, a map or a call side by side."""
    if not scene.comma or scene.at == 0 or not ends_operand(scene, -1):
        return None
    after_alias = scene.word(-2) == "AS" and scene.kind(-1) in ("word", "name") and scene.clause in ("RETURN", "WITH")
    if after_alias and scene.kind() in ("word", "name") and scene.word() not in CLAUSES:
        value = scene.token().value
        if scene.word(1) in ("(", ".", "AS"):
            return _missing_comma(scene)
        name = f"{scene.token(-1).value} {value}"
        return Slip(
            "G023", "an alias is one name", scene.span(-1, 0), f"write {quoted(name)}, or a comma between the two"
        )
    starts = scene.kind() in ("word", "name", "string", "number", "parameter") or scene.word() in ("(", "[", "{")
    if not starts or (scene.kind() == "word" and (scene.word() in CLAUSES or scene.word() in OPERATOR_WORDS)):
        return None
    sure = scene.bracket == "[" or (scene.bracket == "{" and scene.word(1) == ":")
    if sure or (scene.bracket == "(" and scene.kind() != "word" and scene.word() not in ("(", "[", "{")):
        return _missing_comma(scene)
    if scene.clause in ("SET", "REMOVE", "DELETE", "ORDER") and scene.word(1) in (".", "=", ":"):
        return _missing_comma(scene)
    if scene.clause == "MATCH" and scene.word() == "(" and scene.word(-1) == ")":
        hint = "write a comma between two patterns, or a relationship such as `-->` between two nodes"
        return Slip("G018", "two nodes side by side", scene.span(), hint)
    return None


def _missing_comma(scene: Scene) -> Slip:
    message = f"a comma is missing before `{scene.token().value}`"
    return Slip("G018", message, scene.span(), None, insert(scene.token(-1).end, ","))


def stray_comma(scene: Scene) -> Slip | None:
    if scene.word(-1) != "," or scene.at == 0:
        return None
    closes = scene.word() in ("", ")", "]", "}", ",", ";", "|")
    if closes or (scene.kind() == "word" and scene.word() in CLAUSES):
        fix = substitute(scene.span(-1), ",", "")
        return Slip("G026", "nothing follows this comma", scene.span(-1), "remove it, or write what is missing", fix)
    return None


def missing_value(scene: Scene) -> Slip | None:
    """`{age: }`: a key without its value."""
    if scene.bracket == "{" and scene.word(-1) == ":" and scene.word() in ("}", ",", ")"):
        return Slip("G009", f"a value is missing before `{scene.word()}`", scene.span(-1), "write `key: value`")
    return None


def clause_as_name(scene: Scene) -> Slip | None:
    """`RETURN a, RETURN b`, `WHERE AND RETURN n`: a clause began where an expression should, and was read as a name."""
    word = scene.word(-1)
    if scene.at < 2 or scene.kind(-1) != "word" or word not in _READ_AS_NAMES:
        return None
    before = scene.word(-2)
    if before == ",":
        message = f"nothing follows the comma before `{word}`"
        fix = substitute(scene.span(-2), ",", "")
        return Slip("G026", message, scene.span(-1), "remove it, or write what is missing", fix)
    incomplete = before in _INCOMPLETE or (scene.kind(-2) == "word" and before in _OPEN_CLAUSES)
    if incomplete:
        return Slip("G009", f"nothing follows `{before}`", scene.span(-1), f"an expression is missing before `{word}`")
    return None


_READ_AS_NAMES = frozenset({"RETURN", "WITH", "MATCH", "WHERE", "ORDER", "LIMIT", "SET", "AS"})
_OPEN_CLAUSES = frozenset({"WHERE", "RETURN", "WITH", "BY", "SET", "LIMIT", "SKIP", "OFFSET", "UNWIND", "DELETE"})
_INCOMPLETE = frozenset({"AND", "OR", "XOR", "NOT", "=", "<", ">", "<=", ">=", "<>", "+", "/", "IN", "CONTAINS", "=~"})


def case_form(scene: Scene) -> Slip | None:
    word = scene.word()
    if word in ("ELSEIF", "ELIF", "ELSIF"):
        fix = substitute(scene.span(), scene.token().value, "WHEN")
        return Slip("G027", f"CASE has no `{word}`", scene.span(), "write another `WHEN condition THEN value`", fix)
    before = next((i for i in range(-1, -4, -1) if scene.word(i) == "IF"), None)
    if before is not None and scene.word(before - 1) == "ELSE":
        hint = "write another `WHEN condition THEN value`"
        return Slip("G027", "CASE has no `ELSE IF`", scene.span(before - 1, before), hint)
    if word == "IF" and scene.word(-1) == "ELSE":
        return Slip("G027", "CASE has no `ELSE IF`", scene.span(-1, 0), "write another `WHEN condition THEN value`")
    opening = _open_case(scene)
    if opening is not None and (
        scene.at >= len(scene.tokens) or word in CLAUSES - {"WHEN"} or word in (",", ")", "AS")
    ):
        token = scene.tokens[opening]
        fix = insert(scene.token(-1).end, " END")
        return Slip("G027", "this CASE has no `END`", token.span, "a CASE ends with `END`", fix, token.span)
    return None


def _open_case(scene: Scene) -> int | None:
    """The innermost CASE before the guilty token, within the same brackets, that has no END."""
    low = scene.opened[-1] if scene.opened else -1
    depth = 0
    for index in range(scene.at - 1, low, -1):
        token = scene.tokens[index]
        if token.kind != "word" or (scene.tokens[index - 1].value == "." and index):
            continue
        value = token.value.upper()
        depth += value == "END"
        if value == "CASE":
            if not depth:
                return index
            depth -= 1
    return None


def unbalanced(scene: Scene) -> Slip | None:
    word = scene.word()
    if scene.kind() == "punctuation" and word in CLOSING.values():
        opened = scene.tokens[scene.opened[-1]] if scene.opened else None
        if opened is None or (CLOSING[opened.value] != word and unclosed(scene, skip=1) is None):
            opening = next(k for k, v in CLOSING.items() if v == word)
            hint = f"remove it, or open it with `{opening}`"
            fix = substitute(scene.span(), word, "")
            return Slip("G010", f"`{word}` closes no bracket", scene.span(), hint, fix)
        if CLOSING[opened.value] != word:
            closing = CLOSING[opened.value]
            return _never_closed(scene, opened, f" before `{word}`", closing)
    if scene.kind() == "punctuation" and (word in CLOSING.values() or word in CLOSING) and not balanced(scene.tokens):
        rest = scene.tokens[: scene.at] + scene.tokens[scene.at + 1 :]
        if balanced(rest):
            message = f"`{word}` closes no bracket" if word in CLOSING.values() else f"this `{word}` is never closed"
            fix = substitute(scene.span(), word, "")
            return Slip("G010", message, scene.span(), "without it the brackets pair up", fix)
    index = unclosed(scene)
    if index is None:
        return None
    opened = scene.tokens[index]
    closing = CLOSING[opened.value]
    fits = index == scene.opened[-1] and closing in scene.marks
    if fits or scene.at >= len(scene.tokens) or (scene.kind() == "word" and word in CLAUSES):
        where = f" before `{scene.token().value}`" if word else ""
        return _never_closed(scene, opened, where, closing)
    return None


def _never_closed(scene: Scene, opened: Token, where: str, closing: str) -> Slip:
    """Placed where the bracket is missed; says where it was opened."""
    message = f"`{opened.value}` at {{origin}} is never closed"
    fix = insert(scene.token(-1).end, closing)
    return Slip("G010", message, scene.span(), f"`{closing}` is missing{where}", fix, opened.span)


def misspelled_distinct(scene: Scene) -> Slip | None:
    """`RETURN DISTNCT n`: the word was read as a variable, and the query breaks at the next."""
    if scene.at < 2 or scene.kind(-1) != "word" or scene.word(-2) not in ("RETURN", "WITH"):
        return None
    if scene.kind() not in ("word", "name") or not _closest(scene.word(-1), ("DISTINCT",)):
        return None
    value = scene.token(-1).value
    fix = substitute(scene.span(-1), value, "DISTINCT")
    return Slip("G011", f"`{value}` is no keyword", scene.span(-1), "did you mean `DISTINCT`?", fix)


def misspelled(scene: Scene) -> Slip | None:
    """A word that is close to a keyword which could have stood there."""
    if scene.kind() == "word" and scene.word(-1) not in ("AS", "."):
        known = BEGINNINGS if scene.at == 0 else tuple(sorted(scene.words))
        found = _closest(scene.word(), known)
        if found and found != scene.word():
            value = scene.token().value
            fix = substitute(scene.span(), value, found)
            return Slip("G011", f"`{value}` is no keyword", scene.span(), f"did you mean `{found}`?", fix)
    return None


def _closest(word: str, known: tuple[str, ...]) -> str | None:
    if len(word) < 2:
        return None
    same = [k for k in known if len(k) == len(word) and sorted(k) == sorted(word)]
    if same:
        return same[0]
    close = get_close_matches(word, [k for k in known if len(k) > 3], n=1, cutoff=0.75)
    return close[0] if close and len(word) > 3 else None
