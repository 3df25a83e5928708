"""Slips in patterns, labels and subqueries."""

from __future__ import annotations

from graphir.diagnostics import Edit, Fix
from graphir.grammar.slips.scene import CLAUSES, Scene, Slip, insert, substitute
from graphir.source import Span


def pattern_form(scene: Scene) -> Slip | None:
    """Relationships and nodes that are almost right."""
    word, before = scene.word(), scene.word(-1)
    if before == ")" and word in ("->", "<-", "<", ">", "~") and _next_node(scene):
        full = {"->": "-->", "<-": "<--", ">": "-->", "<": "<--", "~": "--"}[word]
        hint = f"Cypher writes `(a){full}(b)` or names the relationship: `(a)-[r]{'->' if '>' in full else '-'}(b)`"
        return Slip(
            "G013" if word in ("->", "<-", "~") else "G028", f"`{word}` alone is no relationship", scene.span(), hint
        )
    if word == "=" and scene.bracket in ("(", "[") and (scene.word(1) == "{" or scene.kind(1) == "parameter"):
        return Slip("G028", "the properties of a pattern take no `=`", scene.span(), "write `{name: value}` at once")
    if word in ("-", "--") and scene.word(1) in ("<-", "<") and scene.touches(1):
        return Slip("G028", "the relationship has a line too many", scene.span(0, 1), "write `<-[..]-`")
    if word in ("<-", "<") and before == "-" and scene.touches(0):
        return Slip("G028", "the relationship has a line too many", scene.span(-1, 0), "write `<-[..]-`")
    if word == "--" and scene.word(1) == "[":
        return Slip(
            "G028", "a relationship with brackets has one line on each side", scene.span(0, 1), "write `-[..]-`"
        )
    if before == "--" and word == "[":
        return Slip(
            "G028", "a relationship with brackets has one line on each side", scene.span(-1, 0), "write `-[..]-`"
        )
    if before == "]" and word == ">":
        return Slip("G028", "the arrow lacks its line", scene.span(), "write `]->`", insert(scene.token().start, "-"))
    if before == "]" and word in ("(",):
        return Slip("G028", "the relationship lacks its right side", scene.span(), "write `]->(` or `]-(`")
    if before in ("->", "-") and scene.kind() == "word" and word in CLAUSES and scene.word(-2) == "]":
        return Slip("G009", "a node is missing after the relationship", scene.span(-1), "write `()` for any node")
    if before in ("->", "-") and scene.kind() == "word" and scene.word(-2) == "]":
        return _bare_node(scene, 0)
    if before == "MATCH" and scene.kind() == "word" and scene.at > 0:
        return _bare_node(scene, 0)
    if scene.at > 1 and scene.word(-2) == "MATCH" and scene.kind(-1) == "word" and word != "=":
        return _bare_node(scene, -1)
    if word == ":" and before == "[" and scene.word(-2) in ("-", "<-") and scene.kind(-3) == "word":
        node = scene.token(-3).value
        return Slip("G028", "a node stands in parentheses", scene.span(-3), f"write `({node}){scene.word(-2)}[..`")
    if word == "-" and scene.bracket == "[" and scene.kind(-1) == "number" and "*" in (scene.word(-2), scene.word(-3)):
        return Slip("G028", "a range is written with two dots", scene.span(), "write `*1..3`")
    if word == ".." and scene.bracket == "{" and scene.kind(-1) == "number":
        return Slip("G028", "a quantifier is written with a comma", scene.span(), "write `{1,3}`")
    return None


def _bare_node(scene: Scene, offset: int) -> Slip:
    token = scene.token(offset)
    fix = substitute(token.span, token.value, f"({token.value})")
    return Slip("G028", "a node stands in parentheses", token.span, f"write `({token.value})`", fix)


def _next_node(scene: Scene) -> bool:
    return scene.word(1) in ("(", "[", "-")


def line_form(scene: Scene) -> Slip | None:
    """Lines and arrows with the wrong brackets, or none, around the relationship."""
    word, before = scene.word(), scene.word(-1)
    if before == "]" and word in ("--", "-->"):
        fix = substitute(scene.span(), word, "->" if word == "-->" else "-")
        return Slip("G028", "the arrow has a line too many", scene.span(), "write `]->` or `]-`", fix)
    if before == "]" and word in ("<-", "<"):
        return Slip("G028", "the arrow stands on the wrong side", scene.span(), "write `<-[..]-` or `-[..]->`")
    if before != ")" or word not in ("-", "=", "<-", "->"):
        return None
    if word == "=" and scene.word(1) == "[":
        return Slip("G028", "a relationship has single lines", scene.span(), "write `-[..]->`")
    inner = scene.word(1)
    if word in ("-", "<-") and inner in ("(", "{") and scene.kind(2) == "word" and scene.word(3) == ":":
        return Slip("G028", "a relationship stands in brackets", scene.span(1), "write `-[r:TYPE]->`")
    if word in ("-", "<-") and (inner == ":" or (scene.kind(1) == "word" and scene.word(2) in ("->", "-", ":"))):
        kind = scene.token(2 if inner == ":" else 1).value
        return Slip("G028", "a relationship stands in brackets", scene.span(1), f"write `-[:{kind}]->`")
    if word == "-" and inner == "(":
        fix = substitute(scene.span(), "-", "--")
        return Slip("G028", "`-` alone is no relationship", scene.span(), "write `--`, `-->` or `<--`", fix)
    return None


def node_form(scene: Scene) -> Slip | None:
    """Nodes with the wrong brackets, or none, and properties without theirs."""
    word, before = scene.word(), scene.word(-1)
    if before in ("MATCH", "CREATE", "MERGE", "INSERT") and word in ("[", "{") and scene.kind(-1) == "word":
        return Slip("G028", "a node stands in parentheses", scene.span(), "write `(n:Label)`")
    listed = scene.word(-2) == "," and not scene.opened and scene.clause in ("MATCH", "OPTIONAL", "CREATE", "INSERT")
    if word in (":", "{") and scene.kind(-1) == "word" and (listed or scene.word(-2) in ("CREATE", "MERGE", "INSERT")):
        return Slip("G028", "a node stands in parentheses", scene.span(-1), f"write `({scene.token(-1).value}:..)`")
    labelled = scene.kind(-1) == "word" and scene.word(-2) in (":", "|", "&") and not scene.comma
    if labelled and scene.bracket in ("(", "[") and scene.kind() == "word" and scene.word(1) == ":":
        return Slip("G028", "properties stand in braces", scene.span(), f"write `{{{scene.token().value}: ..}}`")
    if word == "[" and scene.bracket == "(" and scene.kind(1) == "word" and scene.word(2) == ":":
        return Slip("G028", "properties stand in braces", scene.span(), f"write `{{{scene.token(1).value}: ..}}`")
    if scene.owner in ("SHORTESTPATH", "ALLSHORTESTPATHS") and before == "(" and scene.kind() == "word":
        hint = "write `shortestPath((a)-[*]-(b))`"
        return Slip("G028", "shortestPath() takes a pattern within its parentheses", scene.span(-1), hint)
    return None


def _begins(scene: Scene, word: str) -> bool:
    """Whether the innermost bracket begins with the word."""
    return scene.upper(scene.opened[-1] + 1) == word


def label_form(scene: Scene) -> Slip | None:
    """Labels joined by words or commas, or without their colon."""
    word = scene.word()
    if scene.bracket not in ("(", "["):
        return None
    colon = scene.word(-2) in (":", "|", "&") and scene.kind(-1) in ("word", "name")
    if colon and word in ("OR", "AND") and scene.kind() == "word":
        sign = "|" if word == "OR" else "&"
        place = Span(scene.token(-1).end, scene.token(1).start)
        fix = Fix(f"replace `{word}` by `{sign}`", (Edit(place.start, place.end, sign),))
        return Slip("G028", f"labels are not joined by `{word}`", scene.span(), f"write `{sign}`", fix)
    if colon and word == "," and scene.kind(1) in ("word", "name") and scene.word(2) in (")", "]", ","):
        return Slip("G028", "labels are not joined by commas", scene.span(), "write `|` for either, `&` for both")
    opening = scene.opened[-1]
    bare = scene.at - opening == 2 and scene.kind(-1) in ("word", "name") and scene.kind() in ("word", "name")
    if bare and word not in CLAUSES and not scene.comma and scene.word(1) in (")", "]", "{", ":", "|", "&", "WHERE"):
        fix = insert(scene.token().start, ":")
        return Slip("G028", "a label begins with a colon", scene.span(), f"write `:{scene.token().value}`", fix)
    return None


def subquery_form(scene: Scene) -> Slip | None:
    word = scene.word()
    if scene.bracket == "{" and scene.owner in ("EXISTS", "COUNT") and scene.kind() == "word":
        if word in ("AND", "OR", "XOR") and scene.word(-1) in (")", "}"):
            hint = "write `WHERE` before the condition"
            return Slip("G029", f"`{word}` cannot follow a pattern", scene.span(), hint)
        if word in ("WITH", "RETURN", "OPTIONAL", "MATCH") and scene.word(-1) == ")":
            hint = "a subquery of several clauses begins with `MATCH`"
            return Slip("G029", f"`{word}` cannot follow a bare pattern", scene.span(), hint)
    if word == "." and scene.bracket == "(" and len(scene.opened) > 1 and scene.upper(scene.opened[-2] - 1) == "EXISTS":
        hint = "that a property is there is tested by `n.property IS NOT NULL`"
        return Slip("G029", "EXISTS { } takes a pattern, not an expression", scene.span(), hint)
    if scene.bracket == "(" and scene.owner in ("EXISTS", "COUNT", "COLLECT") and _begins(scene, "MATCH"):
        span = scene.tokens[scene.opened[-1]].span
        return Slip("G029", "a subquery stands in braces", span, f"write `{scene.owner} {{ MATCH .. }}`")
    before = next((i for i in (-1, 0) if scene.word(i) == "{" and scene.word(i - 1) in ("SIZE", "LENGTH")), None)
    if before is not None:
        name = scene.token(before - 1)
        fix = substitute(name.span, name.value, "COUNT ")
        return Slip("G029", "a pattern is counted by `COUNT { }`", name.span, "write `COUNT {`", fix)
    if scene.bracket == "(" and word in ("RETURN", "WHERE") and _begins(scene, "MATCH"):
        hint = "write a subquery: `COLLECT { MATCH .. RETURN .. }`, `COUNT { .. }` or `CALL { .. }`"
        return Slip("G029", "a query in parentheses is no expression", scene.span(), hint)
    if scene.bracket == "[" and word == "RETURN" and scene.kind() == "word" and scene.word(-1) in (")", "}"):
        hint = "write `[(a)-->(b) | b.name]`, or a subquery `COLLECT { MATCH .. RETURN .. }`"
        return Slip("G029", "a pattern comprehension has no RETURN", scene.span(), hint)
    return None
